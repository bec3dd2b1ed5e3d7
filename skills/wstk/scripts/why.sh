#!/bin/sh
# Says why a page does not come, and what may be tried.
usage='usage: why.sh URL

Fetches the page once more, past the cache, and prints what its exit code means, what the
site did, and the next steps. The exit code is that of the fetch: 0 the page comes, 1 failed,
2 wrong words, 3 not there, 4 blocked or refused, 5 needs JavaScript'

case "${1:-}" in -h | --help) printf '%s\n' "$usage"; exit 0 ;; esac
if [ $# -ne 1 ]; then printf '%s\n' "$usage" >&2; exit 2; fi

told=$(wstk fetch "$1" --fresh --no-color 2>&1)
code=$?
case $code in
0) meaning='the page comes' ;;
1) meaning='failed: the site or the way to it; the same call may work later' ;;
2) meaning='wrong words: correct the address' ;;
3) meaning='not there: look for another address' ;;
4) meaning='blocked or refused: look for the facts elsewhere' ;;
5) meaning='needs JavaScript: wstk extract --method auto' ;;
*) meaning='stopped' ;;
esac
printf 'exit %d: %s\n\n%s\n' "$code" "$meaning" "$told"
exit "$code"
