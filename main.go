// Argvdiff carries shell strings down every quoting path into real shells and
// says where bytes change.
package main

import (
	"os"

	"github.com/argvdiff/argvdiff/internal/cli"
	"github.com/argvdiff/argvdiff/oracles/agent"
)

func main() {
	agent.Main()
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
