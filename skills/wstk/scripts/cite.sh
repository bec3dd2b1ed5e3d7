#!/bin/sh
# Answers a question from one page, checks every quote, and prints what was found.
usage='usage: cite.sh URL QUESTION

Prints a line for each statement: the statement, a link that opens the page at its quote,
and how many sites say it, with tabs between them. The checked reply, as JSON with all quotes, goes to the file $WSTK_CITE if set.

exit codes: 0 all quotes stand, 1 failed or a quote does not stand, 2 wrong words,
3 the page does not answer or is not there, 4 blocked or refused, 5 needs JavaScript'

case "${1:-}" in -h | --help) printf '%s\n' "$usage"; exit 0 ;; esac
if [ $# -ne 2 ]; then printf '%s\n' "$usage" >&2; exit 2; fi

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
reply=${WSTK_CITE:-$dir/answer.json}

# The first call stores the page, so that the second sends no request.
answer=$(wstk ask "$2" --from "$1" --plain) || exit $?
wstk ask "$2" --from "$1" --json >"$reply" || exit $?
wstk verify "$reply" --plain >"$dir/checks" || { cat "$dir/checks" >&2; exit 1; }
printf '%s\n' "$answer"
