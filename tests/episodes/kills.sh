#!/bin/sh
# A projection killed at any moment leaves a log that opens, is whole, is marked incomplete, and holds
# everything up to at most one simulated second before the kill. Twenty kills.
. "${0%/*}/lib.sh"
i=0
while [ $i -lt 20 ]; do
    i=$((i + 1))
    rm -f kill.db*
    "$FORESEE" run -q "$TABLE/default.yaml" -o kill.db --seed "$i" &
    pid=$!
    sleep "0.$(( (i * 37) % 10 ))$(( (i * 53) % 10 ))"
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    [ -e kill.db ] || continue # killed before the log was made: nothing was lost
    [ "$(sqlite3 kill.db 'pragma integrity_check;')" = ok ] || fail "kill $i: the log is damaged"
    left=$(sqlite3 kill.db "select count(*) from episode_view where complete;")
    rows=$(sqlite3 kill.db "select count(*) from episode_view;")
    [ "$rows" -eq 0 ] || [ "$left" -eq 0 ] || [ "$(outcome kill.db)" != incomplete ] || fail "kill $i: the episode is marked complete"
    # What is committed is known up to the second: every free body has a pose, tasks are there.
    committed=$(sqlite3 kill.db "select coalesce(max(committed_ns), 0) from episode;")
    latest=$(sqlite3 kill.db "select coalesce(max(t_ns), 0) from pose;")
    [ "$latest" -le "$((committed + 1000000000))" ] || fail "kill $i: rows later than a second after the last commit"
    if [ "$rows" -gt 0 ]; then
        status=0
        "$FORESEE" diagnose kill.db >/dev/null 2>&1 || status=$?
        [ "$status" -ne 0 ] || [ "$left" -gt 0 ] || fail "kill $i: the diagnosis of an incomplete log is 0"
    fi
done
echo "20 kills survived"
