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
