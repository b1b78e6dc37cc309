module github.com/argvdiff/argvdiff

go 1.26.8

require (
	al.essio.dev/pkg/shellescape v1.6.1
	github.com/creack/pty v1.1.24
	github.com/google/gofuzz v1.2.0
	github.com/google/shlex v0.0.0-20191202100458-e7afc7fbc510
	github.com/kballard/go-shellquote v0.0.0-20180428030007-95032a82bc51
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/sys v0.50.0
	mvdan.cc/sh/v3 v3.14.1
)

require golang.org/x/tools v0.38.0 // indirect
