#!/bin/sh
# Mistaken sessions from a pipe: the prompt says what is wrong with each, and answers what follows.
set -u
WORK=$(mktemp -d "${TMPDIR:-/tmp}/foresee-mistaken.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
FORESEE_HISTORY=$WORK/history
export FORESEE_HISTORY
fail() { echo "FAILED: $*" >&2; exit 1; }
"$MISTAKEN" log log.db || fail "no log was made"
for seed in ${SEEDS:-1 2 3 4 5 6}; do
    "$MISTAKEN" print "$seed" >in.txt
    printf '.format lines\n.time off\n.plan off\n.episode 1\nX = last_words.\n' >>in.txt
    status=0
    timeout 300 "$FORESEE" query log.db <in.txt >out.txt 2>err.txt || status=$?
    [ "$status" -le 3 ] || fail "session $seed ended with $status: $(tail -c 2000 err.txt)"
    tail -n 1 out.txt | grep -qF 'answer(last_words)' || fail "session $seed is not answered to its end: $(tail -c 500 out.txt)"
    grep -q 'bug:' err.txt && fail "session $seed met a bug: $(grep 'bug:' err.txt)"
done
exit 0
