//go:build amd64 || arm64

package agent

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// dropEffective empties the effective, permitted and inheritable sets.
func dropEffective() error {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	return onAllThreads(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&head)), uintptr(unsafe.Pointer(&data[0])), 0)
}
