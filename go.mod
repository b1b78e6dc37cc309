module github.com/argvdiff/argvdiff

go 1.26.8

require (
	github.com/creack/pty v1.1.24 // indirect
	github.com/google/gofuzz v1.2.0 // indirect
	github.com/kballard/go-shellquote v0.0.0-20180428030007-95032a82bc51 // indirect
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	mvdan.cc/sh/v3 v3.14.1 // indirect
)
