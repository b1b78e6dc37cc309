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
