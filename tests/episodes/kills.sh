#!/bin/sh
# A projection killed at any moment leaves a log that opens, is whole, is marked incomplete, and holds what
# the same projection holds that nobody kills, up to the last commit. (test_kill.c bounds what is lost.)
. "${0%/*}/lib.sh"
plan=$TABLE/default.yaml
began=$(date +%s%N)
run "$plan" full.db
took=$(( ($(date +%s%N) - began) / 1000000 )) # ms
# Rows of both logs up to an instant, without ends that may come later.
rows() { # log, nanoseconds
    sqlite3 -readonly "$1" "select 'status', id, task, t_ns, status from task_status where t_ns < $2 order by id;
        select 'task', id, parent, construct, dynamic_path, start_ns from task where start_ns < $2 order by id;
        select 'reading', id, sensor, taken_ns, delivered_ns, value from reading where coalesce(delivered_ns, taken_ns) < $2 order by id;
        select 'percept', p.id, p.* from percept p join reading r on r.id = p.reading where coalesce(r.delivered_ns, r.taken_ns) < $2 order by p.id;
        select 'variable', id, task, name, value, t_ns from variable where t_ns < $2 order by id;
        select 'believed', believed, t, nth, parent, x, y, z from believed_frame where t < $2 / 10000 order by 2, 3, 4;"
}
i=0 landed=0
while [ $i -lt 20 ]; do
    i=$((i + 1))
    rm -f kill.db*
    "$FORESEE" run -q "$plan" -o kill.db &
    pid=$!
    ms=$(( took * ((i * 37) % 90 + 2) / 100 ))
    sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
    kill -9 "$pid" 2>/dev/null || true
    status=0
    wait "$pid" 2>/dev/null || status=$?
    [ "$status" -eq 137 ] || continue # it had ended
    [ -e kill.db ] || continue        # the log was not made yet
    [ "$(sqlite3 kill.db 'pragma integrity_check;')" = ok ] || fail "kill $i: the log is damaged"
    [ "$(sqlite3 kill.db 'select count(*) from episode;')" -eq 1 ] || continue # killed before it began
    # It is complete with the outcome that the other has, or has none.
    case "$(sqlite3 kill.db "select outcome || ' ' || complete from episode;")" in
    "$(outcome full.db) 1") continue ;;
    "incomplete 0" | "unjudged 0") ;;
    *) fail "kill $i: the outcome is $(outcome kill.db)" ;;
    esac
    committed=$(sqlite3 kill.db "select committed_ns from episode;")
    [ $((committed % 1000000000)) -eq 0 ] || [ "$committed" -eq "$(sqlite3 full.db 'select end_ns from episode;')" ] ||
        fail "kill $i: committed at $committed ns, no whole second"
    [ "$committed" -eq 0 ] || landed=$((landed + 1))
    rows full.db "$committed" >want.txt
    rows kill.db "$committed" >got.txt
    cmp want.txt got.txt || fail "kill $i: up to $committed ns the killed log is another: $(diff want.txt got.txt | head -5)"
    [ "$committed" -eq 0 ] || [ -s got.txt ] || fail "kill $i: nothing to compare"
    status=0
    "$FORESEE" diagnose kill.db >/dev/null 2>&1 || status=$?
    [ "$status" -ne 0 ] || fail "kill $i: the diagnosis of an incomplete log is 0"
done
echo "$landed of 20 kills came between the first commit and the end"
[ "$landed" -ge 8 ] || fail "only $landed of 20 kills came in the middle of a run"
