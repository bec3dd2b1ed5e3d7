#!/bin/sh
# Reads a long page in parts, so that each fits into a context window.
usage='usage: read-all.sh URL|FILE DIR [TOKENS]

Writes the main content as Markdown into DIR/part-001.md, DIR/part-002.md and so on, each of
at most about TOKENS tokens (default 2000) and cut where a block ends, and prints their names.

exit codes: 0 read to the end, 1 failed, 2 wrong words or DIR holds parts already,
3 not there, 4 blocked or refused, 5 needs JavaScript'

case "${1:-}" in -h | --help) printf '%s\n' "$usage"; exit 0 ;; esac
if [ $# -lt 2 ] || [ $# -gt 3 ]; then printf '%s\n' "$usage" >&2; exit 2; fi
url=$1 dir=$2 tokens=${3:-2000}
mkdir -p "$dir" || exit 2
if [ -e "$dir/part-001.md" ]; then echo "read-all.sh: $dir holds parts already" >&2; exit 2; fi

part=1
set --
while :; do
	name=$(printf '%s/part-%03d.md' "$dir" "$part")
	wstk extract "$url" --markdown --max-tokens "$tokens" --plain "$@" >"$name" || { code=$?; rm -f "$name"; exit "$code"; }
	printf '%s\n' "$name"
	# The same cut from the cache, as JSON: the first next_cursor after extracted is the
	# reader's own, whatever the page wrote into its structured data.
	cursor=$(wstk extract "$url" --markdown --max-tokens "$tokens" --json "$@" | awk '{
		if (!match($0, /"extracted":\{/)) exit
		rest = substr($0, RSTART)
		if (match(rest, /"next_cursor":(null|"[^"]*")/)) print substr(rest, RSTART + 14, RLENGTH - 14)
	}')
	case $cursor in
	'"'*'"') cursor=${cursor#\"} cursor=${cursor%\"} ;;
	null) exit 0 ;;
	*) echo "read-all.sh: the reply has no cursor" >&2; exit 1 ;;
	esac
	set -- --cursor "$cursor"
	part=$((part + 1))
done
