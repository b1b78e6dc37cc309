#!/bin/sh
# Lays the bash of other suites of this machine's Debian mirror into folders of
# DIR, each a root of its own with its libraries: sh ci/shells.sh DIR [SUITE...].
# It needs apt and says what it could not get; nothing is installed.
set -eu
dir=${1:?usage: sh ci/shells.sh DIR [SUITE...]}
shift
[ $# -gt 0 ] || set -- bullseye trixie sid
mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -v security | sort -u | head -n 1)
[ -n "$mirror" ] || { echo "not run: apt has no mirror configured" >&2; exit 0; }
keys=/usr/share/keyrings/debian-archive-keyring.gpg
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
for suite; do
	work=$(mktemp -d)
	mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/deb"
	echo "deb [signed-by=$keys] $mirror $suite main" >"$work/list"
	apt() {
		apt-get -q -q -o Dir::Etc::sourcelist="$work/list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists" \
			-o Dir::Cache="$work/cache" -o Dir::State::status=/dev/null -o APT::Sandbox::User=root "$@"
	}
	if (cd "$work/deb" && apt update && apt download bash libc6 libc-bin libtinfo6) >"$work/log" 2>&1; then
		root=$dir/bash-$suite
		rm -rf "$root"
		mkdir -p "$root"
		for package in "$work"/deb/*.deb; do
			dpkg-deb -x "$package" "$work/root"
		done
		# What bash needs, and the locale without which C.UTF-8 becomes C.
		for part in bin lib lib64; do
			mkdir -p "$root/$part"
			for from in "$work/root/$part" "$work/root/usr/$part"; do
				[ ! -d "$from" ] || cp -a "$from/." "$root/$part/"
			done
		done
		find "$root/bin" -mindepth 1 ! -name bash -delete
		find "$root/lib" -mindepth 1 -maxdepth 1 ! -name '*-linux-gnu*' ! -name locale -exec rm -rf {} +
		rm -rf "$root"/lib/*-linux-gnu*/gconv
		mkdir -p "$root/usr/lib"
		[ ! -d "$root/lib/locale" ] || mv "$root/lib/locale" "$root/usr/lib/locale"
		ls "$root"/bin/bash
	else
		echo "not run: no bash of the suite $suite: $(tail -n 1 "$work/log")" >&2
	fi
	rm -rf "$work"
done
