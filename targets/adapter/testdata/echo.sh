#!/bin/sh
# The smallest quoter: single quotes around payloads of one line.
echo "argvdiff-adapter 1 quoter smallest 1"
while read -r id kind length; do
	read -r text
	echo "$id t $((length + 2))"
	echo "'$text'"
done
