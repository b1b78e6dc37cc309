//go:build !linux

package applet

// defaultSignals does nothing where there are no homes.
func defaultSignals() {}

// stty needs the terminals of Linux.
func (t *tool) stty([]string) int {
	return t.fail("no terminal settings on this system")
}
