# The shell under test gets a terminal from script(1), in which the lines are
# typed one after the other, each when the one before has had its time.
script=$(tool script) || exit
for name in awk mawk gawk; do
	awk=$(tool "$name" 2>/dev/null) && break
done
[ "$awk" ] || fail "no awk on PATH"
wc=$(tool wc) || exit
for name in cat cmp false sleep stty true; do
	real=$(tool "$name") || exit
	"$ln" -s "$real" "$tmp/bin/$name" || fail "no link in $tmp"
done
cd "$tmp/work" || fail "no folder in $tmp"
"$cat" >"$tmp/start" <<END
#!/bin/sh
'$tmp/bin/stty' rows $rows cols $columns
ulimit -c 0 2>/dev/null
ulimit -t 20 2>/dev/null
ulimit -f 131072 2>/dev/null
ulimit -v 4194304 2>/dev/null
exec '$env' -i $variables PATH='$tmp/bin' '$tmp/bin/bash' $arguments
END
"$chmod" 755 "$tmp/start"

# settle waits until nothing more arrives on the terminal, and no longer than a
# second or two.
settle() {
	size= still=0 turn=0
	while [ "$turn" -lt 15 ] && [ "$still" -lt 3 ]; do
		"$sleep" 0.1 2>/dev/null || "$sleep" 1
		turn=$((turn + 1))
		last_size=$size
		size=$("$wc" -c <"$tmp/screen" 2>/dev/null)
		if [ "${size:-0}" -gt 0 ] && [ "$size" = "$last_size" ]; then
			still=$((still + 1))
		else
			still=0
		fi
	done
}

# keys types the lines. What the earlier ones have left is set aside before the
# last one.
keys() {
	settle
	n=0
	while [ "$n" -le "$last" ]; do
		if [ "$n" = "$last" ]; then
			"$rm" -f "$tmp"/records/*
		fi
		[ ! -f "$tmp/file.$n" ] || "$cat" "$tmp/file.$n" >"$tmp/line"
		"$cat" "$tmp/line.$n"
		printf '\r'
		settle
		n=$((n + 1))
	done
	settle
	: >"$tmp/typed"
}

case $("$script" --version 2>/dev/null) in
*util-linux*) set -- "$script" -q -f -c "$tmp/start" /dev/null ;;
*) set -- "$script" -q /dev/null "$tmp/start" ;;
esac
# As a process group of its own, so that it can be ended.
keys | "$env" -i PATH="$tmp/bin" bash --noprofile --norc -c '
	set -m
	"$@" >"$0/screen" 2>/dev/null &
	echo $! >"$0/group"
	set +m
	wait $!
' "$tmp" "$env" -i SHELL=/bin/sh TERM="$term" "$@" >/dev/null 2>&1 &
starter=$!

tick=0
while [ ! -f "$tmp/typed" ] && [ "$tick" -lt "$limit" ]; do
	"$sleep" 1
	tick=$((tick + 1))
done
[ -f "$tmp/typed" ] || fail "the lines were not typed within $limit s"
group=$("$cat" "$tmp/group" 2>/dev/null)
[ "$group" ] || fail "the shell was not started within $limit s"
end 2>/dev/null

# What stands between the markers of the last line, without what a shell says of
# errors and jobs.
"$awk" -v start="$start" -v end="$end" -v status="$tmp/status" '
function ends(line, with) {
	return length(line) >= length(with) && substr(line, length(line) - length(with) + 1) == with
}
{
	line = $0
	sub(/\r$/, "", line)
	at = index(line, end)
	if (at && have && substr(line, at + length(end)) ~ /^[0-9]+$/) {
		shown = text substr(line, 1, at - 1)
		print substr(line, at + length(end)) >status
		have = 0
	} else if (ends(line, start)) {
		have = 1
		text = ""
	} else if (have && line !~ /^\[[0-9]+\]([-+ ] .*| [0-9]+)$/) {
		at = match(line, /(\/bin\/)?bash: |environment: line [0-9]+: /)
		text = text (at ? substr(line, 1, at - 1) : line "\n")
	}
}
END {
	printf "%s", shown
}
' <"$tmp/screen" >"$tmp/stdout"
if [ ! -s "$tmp/status" ]; then
	show_expected
	echo "  the end of the line was not told; the terminal shows:"
	printf '  ' && show $("$od" -An -v -to1 "$tmp/screen")
	echo
	echo "the fault is there"
	exit 1
fi
judge
