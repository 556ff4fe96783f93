#!/bin/sh
# No space for the log: status 3, and what was logged up to then is whole and marked.
. "${0%/*}/lib.sh"
status=0
( ulimit -f 900; "$FORESEE" run -q "$PLAN" -o small.db >out.txt 2>err.txt ) || status=$?
[ "$status" -eq 3 ] || fail "a file-size limit ended with $status: $(cat err.txt)"
[ -s err.txt ] || fail "nothing was said"
[ "$(sqlite3 small.db 'pragma integrity_check;')" = ok ] || fail "the log is damaged"
[ "$(sqlite3 small.db 'select count(*) from episode_view where complete;')" = 0 ] || fail "it is marked complete"
[ "$(sqlite3 small.db 'select outcome from episode_view;')" = incomplete ] || fail "it is not marked incomplete"

# Cut by --until: incomplete, 3, and the diagnosis is never 0.
expect 3 "" "$FORESEE" run "$PLAN" -o short.db --until 2
expect 0 "" "$FORESEE" tree short.db
status=0
"$FORESEE" diagnose short.db >out.txt 2>err.txt || status=$?
[ "$status" -eq 1 ] || [ "$status" -eq 3 ] || fail "the diagnosis of an incomplete log ended with $status"
# Interrupted: 130, committed and marked.
"$FORESEE" run -q "$PLAN" -o stopped.db >out.txt 2>err.txt &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
    sleep 0.1
    [ -s stopped.db ] && break
done
kill -INT "$pid" 2>/dev/null
status=0
wait "$pid" || status=$?
if [ "$status" -ne 130 ]; then
    [ "$status" -le 1 ] || fail "an interrupted run ended with $status: $(cat err.txt)"
    echo "the run had ended before the signal"
else
    [ "$(sqlite3 stopped.db 'select outcome from episode_view;')" = incomplete ] || fail "it is not marked incomplete"
fi
