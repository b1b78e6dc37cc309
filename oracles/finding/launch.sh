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

