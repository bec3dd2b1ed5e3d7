#!/bin/sh
# Compares search providers on a suite of queries.
usage='usage: compare-providers.sh SUITE PROVIDER PROVIDER...

Prints a line for each figure (errors, hit_at_k, mrr, url_overlap), tab-separated: provider,
figure, value, both ends of its 95 % interval, number of cases. Where no case was answered,
errors is all there is. SUITE is a file of JSON lines with query and expected_urls or
expected_domains. Only searches; no page is read.

exit codes: 0 measured, 1 a provider failed, 2 wrong words'

case "${1:-}" in -h | --help) printf '%s\n' "$usage"; exit 0 ;; esac
if [ $# -lt 3 ]; then printf '%s\n' "$usage" >&2; exit 2; fi

suite=$1
shift
for provider; do
	set -- "$@" --provider "$provider"
	shift
done
table=$(wstk eval --suite "$suite" --no-extract --plain "$@")
code=$?
printf '%s\n' "$table" | awk -F '\t' '$2 == "errors" || $2 == "hit_at_k" || $2 == "mrr" || $2 == "url_overlap"'
exit "$code"
