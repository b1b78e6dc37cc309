
# What is read is judged by what is started, so that here the stubs of shells and of
# programs that run others go on to do that. They read nothing, but write down whether
# their standard input and output are those of the command as a whole.
path=$tmp/acts shell=$tmp/bin/bash
"$mkdir" "$path" || fail "no folder in $tmp"
"$rm" -f "$tmp/stdin"
echo >"$tmp/stdin" || fail "no file in $tmp"
"$cat" >"$path/:stub" <<END
#!/bin/sh
unset -f printf echo [ command cd exit exec export shift : 2>/dev/null
umask 077
tmp='$tmp'
od='$od'
tools='$PATH'
END
"$cat" >>"$path/:stub" <<'END'
octal() {
	"$od" -An -v -to1 "$@"
}
name=${0##*/}
line="/ $(printf %s "$name" | octal)"
for a; do
	line="$line / $(printf %s "$a" | octal)"
done
own=
if [ /dev/fd/0 -ef "$tmp/stdin" ]; then
	own=yes line="$line ="
else
	line="$line <"
fi
[ /dev/fd/1 -ef "$tmp/stdout" ] || line="$line >"
n=0
while [ -e "$tmp/records/$$.$n" ]; do
	n=$((n + 1))
done
echo $line >"$tmp/records/$$.$n"
case $name in
sh | bash | dash | zsh | ksh)
	[ "$#$own" != 0yes ] || exit 0
	[ "$name" = bash ] || set -- --posix "$@"
	exec "$tmp/bin/bash" "$@"
	;;
sudo | doas)
	while [ $# != 0 ]; do
		case $1 in
		--) shift && break ;;
		-u | -g | -p | -C | -r | -t | -T | -U | -h | -D | -R | --user | --group | --prompt | --host | --chdir | --chroot) shift && shift || exit 1 ;;
		-*) shift ;;
		*=*) export "$1" && shift ;;
		*) break ;;
		esac
	done
	[ $# = 0 ] || exec "$@"
	;;
time)
	while [ $# != 0 ]; do
		case $1 in
		-f | -o) shift && shift || exit 1 ;;
		-*) shift ;;
		*) break ;;
		esac
	done
	[ $# = 0 ] || exec "$@"
	;;
env | nohup | nice | timeout | stdbuf | setsid | ionice | xargs | find)
	IFS=:
	for dir in $tools; do
		if [ -x "$dir/$name" ]; then
			exec "$dir/$name" "$@"
		fi
	done
	echo "could not run: no $name on PATH" >&2
	exit 127
	;;
esac
END
"$chmod" 755 "$path/:stub"
for name in $names; do
	"$ln" -s :stub "$path/$name" || fail "no stub in $tmp"
done

# judge compares the programs that were started with those of the finding. Here the
# fault is that the verdict is wrong, and it is while they are the same.
judge() {
	want=$(printf %s "$want" | "$sort")
	got=$(
		for file in "$tmp"/records/*; do
			[ -f "$file" ] && "$cat" "$file"
		done | "$sort"
	)
	echo "the verdict: $verdict"
	echo "bash starts:"
	if [ "$got" ]; then
		show_records "$got"
	else
		echo '  no program'
	fi
	if [ "$got" = "$want" ]; then
		echo "the fault is there: $fault"
		exit 1
	fi
	echo "where the verdict was found to be wrong it starts:"
	if [ "$want" ]; then
		show_records "$want"
	else
		echo '  no program'
	fi
	exit 0
}
