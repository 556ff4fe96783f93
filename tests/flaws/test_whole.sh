#!/bin/sh
# The whole benchmark: on the held-out scenes roots are found with recall and precision of 0.9, and clean runs raise at most
# 0.1 false alarms each; every suggested edit is accepted.
set -eu
: "${FORESEE:?the program under test}" "${LABEL:?flaw_label}"
HERE=$(cd "$(dirname "$0")" && pwd)
WORK=${FLAWS_OUT:-$(mktemp -d "${TMPDIR:-/tmp}/foresee-test.XXXXXX")}
[ -n "${FLAWS_OUT:-}" ] || trap 'rm -rf "$WORK"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }
"$HERE/generate.sh" "$WORK" --scene held -j 2
"$HERE/diagnose.sh" "$WORK" --scene held -j 2
"$HERE/score.sh" "$WORK" --scene held --list | tee "$WORK/table"
# column WORD N: a cell of the row that begins with the word.
column() { sed -n "s/^| *$1 *|/|/p" "$WORK/table" | head -1 | cut -d'|' -f"$2" | tr -d ' '; }
at_least() { awk "BEGIN { exit !($2 >= $3) }" || fail "$1 is $2, not $3 at least"; }
at_least "precision of roots" "$(column 'roots alone' 5)" 0.9
at_least "recall of roots" "$(column 'roots alone' 6)" 0.9
at_least "0.1 - false alarms per clean run" "$(awk "BEGIN { print 0.1 - $(column all 5) }")" 0
# No case leaves out more than a fifth of its seeds.
awk -F'|' '/^\|/ && $4 + 0 > 0.2 * $3 && $3 + 0 > 0 { print "left out too often:" $2; bad = 1 } END { exit bad }' "$WORK/table" || fail "left out"
"$HERE/edits.sh" "$WORK" --scene held -j 2 | tee "$WORK/edits_table"
[ -s "$WORK/edits.txt" ] || fail "nothing was suggested"
! grep -q ^refused "$WORK/edits.txt" || fail "edits were refused"
