#!/bin/sh
# WARNING: this runs the text of a finding, which may do anything once it is misquoted: use a machine to throw away.
#
# finding ac2868b4710e: command sandbox: an argument gains backslash before ! in single quotes
# path: sandbox@1.8.3
# shows on: bash-5.2.15
# command: probe 'a!b'
# wrapper: eval 'probe '"'"'a!b'"'"'' < /dev/null && pwd -P >| /dev/null
# bash -c: bash -c "eval 'probe '\"'\"'a\!b'\"'\"'' < /dev/null && pwd -P >| /dev/null"
#
# usage: sh SCRIPT [BASH]; exits 1 while the fault is there, 0 if not, 2 if it could not run

bash=${1-}
LC_ALL=C
export LC_ALL
umask 077

fail() {
	echo "could not run: $*" >&2
	exit 2
}

# tool prints the absolute path of a program: a case has another PATH.
tool() {
	save=$IFS
	IFS=:
	for dir in $PATH; do
		case $dir in
		/*)
			if [ -f "$dir/$1" ] && [ -x "$dir/$1" ]; then
				echo "$dir/$1"
				IFS=$save
				return
			fi
			;;
		esac
	done
	IFS=$save
	fail "no $1 on PATH"
}

od=$(tool od) || exit
cat=$(tool cat) || exit
sort=$(tool sort) || exit
sleep=$(tool sleep) || exit
env=$(tool env) || exit
mktemp=$(tool mktemp) || exit
rm=$(tool rm) || exit
ln=$(tool ln) || exit
mkdir=$(tool mkdir) || exit
chmod=$(tool chmod) || exit

# octal prints standard input as octal numbers, on one line.
octal() {
	# Not quoted: the words are numbers.
	echo $("$od" -An -v -to1)
}

# text puts printf formats together in $text, where any byte but NUL survives.
text() {
	text=$(
		for piece; do
			printf "$piece"
		done
		echo x
	)
	text=${text%x}
}

# A record is one line: "/ 160 162 / 141 <" says that argv was pr, a and that
# stdin was empty. The last mark is - where stdin was unreadable, and + follows
# where it went on.
want=
nl='
'
record() {
	mode=$1 stdin=$2
	shift 2
	line=
	for format; do
		line="$line / $(printf "$format" | octal)"
	done
	case $mode in
	read) line="$line < $(printf "$stdin" | octal)" ;;
	cut) line="$line < $(printf "$stdin" | octal) +" ;;
	unreadable) line="$line -" ;;
	esac
	# Not quoted: one blank between the words.
	want=$want$(echo $line)$nl
}
stdout() {
	want_stdout=$(printf "$1" | octal)
}

# ---- the finding ----

launchers=''
limit=10
names='probe'
keep=65536
# With yes, a child has a name that a stub cannot see: names are not compared.
anonymous=

# What the shell is expected to do.
record read '' 'probe' 'a!b'
stdout ''
want_status=0

# What the shell reads.
text 
input=$text

# The arguments of the shell.
set --
text '\055c'
set -- "$@" "$text"
text 'bash -c "eval \047probe \047\134"\047\134"\047a\134!b\047\134"\047\134"\047\047 < /dev/null && pwd -P >| /dev/null"'
set -- "$@" "$text"

# ---- from here on, the same in every script ----

# shown is how many bytes of a string are shown. All of them are compared.
shown=2000

# show prints octal numbers as text. A backslash is doubled only where it would
# be read as the start of \n, \t, \r, \xNN or \\.
show() {
	slash= left=$shown
	printf '['
	for n; do
		if [ "$left" = 0 ]; then
			printf ']...'
			return
		fi
		left=$((left - 1))
		if [ "$slash" ]; then
			case $n in
			156 | 162 | 164 | 170 | 134 | 0[0-3]? | 177 | [23]??) printf '\\' ;;
			esac
		fi
		slash=
		case $n in
		134) printf '\\' && slash=yes ;;
		012) printf '\\n' ;;
		011) printf '\\t' ;;
		015) printf '\\r' ;;
		0[0-3]? | 177 | [23]??) printf '\\x%02x' "0$n" ;;
		*) printf "\\$n" ;;
		esac
	done
	if [ "$slash" ]; then
		printf '\\'
	fi
	printf ']'
}

# show_records prints lines of records, one child a line.
show_records() {
	printf '%s\n' "$1" | while read -r line; do
		printf '  argv:'
		value= what= size=0
		# Not quoted: the words of a line.
		for word in $line "."; do
			case $word in
			[/.+=-] | '<' | '>')
				case $what in
				/) printf ' ' && show $value ;;
				'<') printf '  stdin: ' && show $value ;;
				-) printf '  stdin: unreadable' ;;
				+) printf ' and more' ;;
				'>') printf '  output: elsewhere' ;;
				esac
				what=$word value= size=0
				;;
			*)
				[ "$size" -gt "$shown" ] || value="$value $word"
				size=$((size + 1))
				;;
			esac
		done
		echo
	done
}

# show_run prints records, stdout and status.
show_run() {
	if [ "$1" ]; then
		show_records "$1"
	else
		echo '  no child ran'
	fi
	printf '  stdout: ' && show $2
	echo
	echo "  status: $3"
}

# show_expected prints what is expected, and the heading of what was got.
show_expected() {
	want=$(printf %s "$want" | "$sort")
	echo "expected:"
	show_run "$want" "$want_stdout" "$want_status"
	echo "got:"
}

# judge compares what lies in the folder with what is expected, and ends the
# script.
judge() {
	show_expected
	got=$(
		for file in "$tmp"/records/*; do
			[ -f "$file" ] && "$cat" "$file"
		done | "$sort"
	)
	got_stdout=$("$od" -An -v -to1 -N "$keep" "$tmp/stdout")
	# Not quoted: one blank between the words.
	got_stdout=$(echo $got_stdout)
	got_status=$("$cat" "$tmp/status")
	show_run "$got" "$got_stdout" "$got_status"
	if [ "$got" = "$want" ] && [ "$got_stdout" = "$want_stdout" ] && [ "$got_status" = "$want_status" ]; then
		echo "as expected: the fault is not there"
		exit 0
	fi
	echo "the fault is there"
	exit 1
}

# alive tells whether a process of the case is left, other than as a zombie.
alive() {
	kill -0 "-$group" 2>/dev/null || return 1
	[ -r /proc/self/stat ] || return 0
	for stat in /proc/[0-9]*/stat; do
		line=
		{ read -r line <"$stat"; } 2>/dev/null || continue
		# Not quoted: the fields behind the name, state, parent and group first.
		set -- ${line##*) }
		if [ "${3-}" = "$group" ] && [ "$1" != Z ]; then
			return 0
		fi
	done
	return 1
}

# end kills the case. It waits for the shell that started it, which would write
# down a status otherwise while the folder is taken away.
end() {
	if [ "$group" ]; then
		kill -9 "-$group"
	fi
	if [ "$starter" ]; then
		kill -9 "$starter"
		wait "$starter"
	fi
}

clean() {
	end 2>/dev/null
	cd /
	"$chmod" -R u+rwx "$tmp" 2>/dev/null
	"$rm" -rf "$tmp"
}

case $bash in
'') bash=$(tool bash) || exit ;;
/*) ;;
*/*) bash=$PWD/$bash ;;
*) bash=$(tool "$bash") || exit ;;
esac

group= starter=
tmp=$("$mktemp" -d "${TMPDIR:-/tmp}/argvdiff-repro.XXXXXX") || fail "no temporary folder"
case $tmp in
*\'*) "$rm" -rf "$tmp" && fail "a quote in the name of the temporary folder" ;;
esac
trap clean EXIT
trap 'exit 2' HUP INT TERM
"$mkdir" "$tmp/bin" "$tmp/work" "$tmp/records" || fail "no folder in $tmp"
if [ "${input-}" ]; then
	printf %s "$input" >"$tmp/stdin" || fail "no file in $tmp"
else
	"$ln" -s /dev/null "$tmp/stdin" || fail "no link in $tmp"
fi

if [ -d "$bash" ] && [ -x "$bash/bin/bash" ]; then
	# A root of its own: the shell with the loader and libraries of that root.
	for loader in "$bash"/lib*/ld-linux*.so.* "$bash"/lib*/*/ld-linux*.so.*; do
		[ -f "$loader" ] && break
	done
	libs=
	for dir in "$bash"/lib*/*-linux-gnu "$bash"/usr/lib*/*-linux-gnu "$bash"/lib* "$bash"/usr/lib*; do
		[ -d "$dir" ] && libs=$libs:$dir
	done
	# Old loaders cannot set argv[0], so that $0 is a path there.
	argv0='--argv0 bash'
	"$loader" $argv0 --library-path "${libs#:}" "$bash/bin/bash" -c : 2>/dev/null || argv0=
	"$cat" >"$tmp/bin/bash" <<END
#!/bin/sh
exec '$loader' $argv0 --library-path '${libs#:}' '$bash/bin/bash' "\$@"
END
	"$chmod" 755 "$tmp/bin/bash"
elif [ -f "$bash" ] && [ -x "$bash" ]; then
	"$ln" -s "$bash" "$tmp/bin/bash" || fail "no link to $bash"
else
	fail "no shell $bash"
fi

# The stub writes down its arguments and stdin and ends well. Functions that a
# case exports must not stand in for what it calls.
"$cat" >"$tmp/stub" <<END
#!/bin/sh
unset -f printf echo read test [ command cd exit : 2>/dev/null
umask 077
tmp='$tmp'
od='$od'
anonymous=$anonymous
END
"$cat" >>"$tmp/stub" <<'END'
octal() {
	"$od" -An -v -to1 "$@"
}
name=${0##*/}
if [ "$anonymous" ]; then
	name=probe
fi
line="/ $(printf %s "$name" | octal)"
for a; do
	line="$line / $(printf %s "$a" | octal)"
done
if [ ! -t 0 ] && stdin=$(octal -N 65537 2>/dev/null); then
	set -- $stdin
	case $# in
	65537) line="$line < ${stdin% *} +" ;;
	*) line="$line < $stdin" ;;
	esac
else
	line="$line -"
fi
n=0
while [ -e "$tmp/records/$$.$n" ]; do
	n=$((n + 1))
done
echo $line >"$tmp/records/$$.$n"
END
"$chmod" 755 "$tmp/stub"
for name in $names; do
	"$ln" -s ../stub "$tmp/bin/$name" || fail "no stub in $tmp"
done

# Both the shell and the stub must work before they are believed.
"$env" -i PATH="$tmp/bin" bash -c '[ "$BASH_VERSION" ] && probe "a b"; exit 42' </dev/null >/dev/null 2>&1
[ $? = 42 ] || fail "$bash is no bash that runs here"
[ "$("$cat" "$tmp"/records/* 2>/dev/null)" = "/ 160 162 157 142 145 / 141 040 142 <" ] || fail "the stub does not work in $tmp"
"$rm" -f "$tmp"/records/*

# Both the shell and the stub must work before they are believed.
"$env" -i PATH="$tmp/bin" bash -c '[ "$BASH_VERSION" ] && probe "a b"; exit 42' </dev/null >/dev/null 2>&1
[ $? = 42 ] || fail "$bash is no bash that runs here"
[ "$("$cat" "$tmp"/records/* 2>/dev/null)" = "/ 160 162 157 142 145 / 141 040 142 <" ] || fail "the stub does not work in $tmp"
"$rm" -f "$tmp"/records/*

# These run the command behind their own arguments, and nothing else.
for name in $launchers; do
	{
		echo '#!/bin/sh'
		case $name in
		bwrap) echo 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"' ;;
		apply-seccomp) echo 'shift; exec "$@"' ;;
		sandbox-exec) echo 'shift 2; exec "$@"' ;;
		esac
	} >"$tmp/bin/$name"
	"$chmod" 755 "$tmp/bin/$name"
done

# The case is a process group of its own, so that it can be ended whole. The
# shell under test starts it, since not every sh can do that without a terminal.
cd "$tmp/work" || fail "no folder in $tmp"
"$env" -i PATH="$tmp/bin" bash --noprofile --norc -c '
	ulimit -c 0
	ulimit -t 20
	ulimit -f 131072
	ulimit -v 4194304
	ulimit -u 4000
	set -m
	"$@" <"$0/stdin" >"$0/stdout" 2>/dev/null &
	echo $! >"$0/group"
	# With job control, wait would also return for a shell that has stopped.
	set +m
	wait $!
	echo $? >"$0/status"
' "$tmp" "$env" -i PATH="${path-$tmp/bin}" HOME=/home/u LC_ALL=C.UTF-8 "${shell-bash}" "$@" </dev/null >/dev/null 2>&1 &
starter=$!

tick=0 ended=
while [ "$tick" -lt "$((limit * 10))" ]; do
	if [ -s "$tmp/group" ]; then
		group=$("$cat" "$tmp/group")
		if [ -s "$tmp/status" ] && ! alive; then
			ended=yes
			break
		fi
	fi
	if "$sleep" 0.1 2>/dev/null; then
		tick=$((tick + 1))
	else
		"$sleep" 1
		tick=$((tick + 10))
	fi
done
[ "$group" ] || fail "the shell was not started within $limit s"

if [ ! "$ended" ]; then
	show_expected
	echo "  still running after $limit s"
	exit 1
fi
judge
