
case $bash in
'') bash=$(tool bash) || exit ;;
/*) ;;
*/*) bash=$PWD/$bash ;;
*) bash=$(tool "$bash") || exit ;;
esac

run() {
	if [ -d "$bash" ] && [ -x "$bash/bin/bash" ]; then
		for loader in "$bash"/lib*/ld-linux*.so.* "$bash"/lib*/*/ld-linux*.so.*; do
			[ -f "$loader" ] && break
		done
		libs=
		for dir in "$bash"/lib*/*-linux-gnu "$bash"/usr/lib*/*-linux-gnu "$bash"/lib* "$bash"/usr/lib*; do
			[ -d "$dir" ] && libs=$libs:$dir
		done
		"$env" -i "$loader" --library-path "${libs#:}" "$bash/bin/bash" "$@" </dev/null
	else
		"$env" -i LC_ALL=C.UTF-8 "$bash" "$@" </dev/null
	fi
}

# The shell must work before it is believed.
run -n -c : || fail "$bash is no bash that runs here"

# With -n the shell runs nothing.
took=no
run -n "$@" && took=yes
echo "the verdict: $verdict"
echo "bash takes the text: $took"
if [ "$took" = "$takes" ]; then
	echo "the fault is there: $fault"
	exit 1
fi
exit 0
