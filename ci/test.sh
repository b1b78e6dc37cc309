#!/bin/sh
# Runs all checks and tests, as CI does. It needs Go and a bash; what is not
# there (another bash, a C compiler for the race detector) is said, not passed.
set -eu
cd "$(dirname "$0")/.."

echo "== format and vet"
bad=$(gofmt -s -l .)
[ -z "$bad" ] || { echo "gofmt -s would change: $bad" >&2; exit 1; }
go vet ./...
GOARCH=arm64 go vet ./...
GOOS=darwin GOARCH=arm64 go vet ./...

echo "== staticcheck"
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

echo "== what would make the binary dynamic"
# These packages pull in the dynamic loader where a C compiler is installed,
# and the binary is the agent inside homes that have no libraries.
if go list -deps . | grep -E '^(net|os/user|runtime/cgo)$'; then
	echo "the packages above must not be linked into argvdiff" >&2
	exit 1
fi

echo "== shells"
go run . shells
[ -x /opt/argvdiff-shells/bash-3.2.57/bin/bash ] ||
	echo "not run: bash 3.2.57 is not on this machine; lay it at /opt/argvdiff-shells/bash-3.2.57/bin/bash or name it in ARGVDIFF_SHELLS"

echo "== interpreters of the ready adapters"
for program in node npm python3 ruby perl php; do
	command -v $program >/dev/null || echo "not run: adapters that need $program, which is not on PATH"
done
perl -MString::ShellQuote -e 1 2>/dev/null ||
	echo "not run: the adapter of perl's String::ShellQuote: apt-get install libstring-shellquote-perl"

echo "== race detector, where it applies"
if [ "$(go env CGO_ENABLED)" = 1 ] && command -v "$(go env CC)" >/dev/null; then
	go test -race -short -run 'Same|Continue|Fails' ./fuzz/campaign # those in which workers share most
	go test -race -short ./fuzz/shrink ./targets/... ./oracles/wire ./oracles/group
else
	echo "not run: the race detector needs a C compiler"
fi

echo "== tests"
go test -timeout 20m ./...
