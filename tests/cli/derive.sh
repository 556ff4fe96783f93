#!/bin/sh
# foresee derive: predicates become tables, again and again, and other tables are left alone.
. "${0%/*}/lib.sh"
short_log log.db
short_log log.db --seed 2
cp log.db plain.db
sql() { sqlite3 log.db "$@"; }

# One row for each answer, with the declaration's names; times are seconds.
expect 0 "derived_holds_w_on" "$FORESEE" derive log.db on
[ "$(sql 'SELECT group_concat(name) FROM pragma_table_info("derived_holds_w_on")')" = episode,top,bottom,start_s,end_s ] ||
    fail "columns: $(sql 'SELECT group_concat(name) FROM pragma_table_info("derived_holds_w_on")')"
"$FORESEE" query log.db 'holds_w(on(X, Y), interval(S, E)).' --episode all --format csv | tail -n +2 | sort >asked.txt
sql -csv 'SELECT episode, top, bottom, start_s, end_s FROM derived_holds_w_on' | sed 's/\.0,/,/g; s/\.0$//' | tr -d '\r' | sort >written.txt
[ -s asked.txt ] && cmp asked.txt written.txt || fail "the table holds other answers: $(diff asked.txt written.txt | head -5)"
[ "$(sql 'SELECT count(DISTINCT episode) FROM derived_holds_w_on')" -eq 2 ] || fail "not of both episodes"
[ "$(sql "SELECT count(*) FROM pragma_index_list('derived_holds_w_on')")" -ge 1 ] || fail "no index"

# Again: no duplicates; of one episode: the other's rows stay; the log's own tables stay what they are.
before=$(sql .dump | grep -v '^PRAGMA' | cksum)
expect 0 "" "$FORESEE" derive log.db 'holds_w(on/2)'
[ "$(sql .dump | grep -v '^PRAGMA' | cksum)" = "$before" ] || fail "a second time changes the log"
sql 'DELETE FROM derived_holds_w_on'
expect 0 "" "$FORESEE" derive log.db on/2 --episode 2
[ "$(sql 'SELECT group_concat(DISTINCT episode) FROM derived_holds_w_on')" = 2 ] || fail "--episode 2 wrote others"
expect 0 "" "$FORESEE" derive log.db on --episode 1
[ "$(sql 'SELECT count(DISTINCT episode) FROM derived_holds_w_on')" -eq 2 ] || fail "--episode 1 took the other's rows"
expect 0 "" "$FORESEE" derive log.db occurs_w flaw/1 'flaw_time/3'
sql 'SELECT flaw, start_s, end_s FROM derived_flaw JOIN derived_flaw_time USING (episode, flaw)' >out.txt || fail "no join"
[ "$(sql "SELECT count(*) FROM derived WHERE name LIKE 'derived_occurs_w_%'")" -ge 5 ] || fail "occurs_w is not each of its events"
expect 0 "" "$FORESEE" derive log.db
[ "$(sql 'SELECT count(*) FROM derived')" -ge 20 ] || fail "the usual tables are few"
grep -q '  0 rows' out.txt && fail "tables without rows are listed: $(grep -c '  0 rows' out.txt)"
more=$(sed -n 's/^\([0-9]*\) more, without a row$/\1/p' out.txt)
[ "$more" -ge 20 ] || fail "tables without rows are not counted: $(cat out.txt)"
for table in $(sed -n 's/^\([^ ]*\)  *[0-9]* rows*$/\1/p' out.txt); do
    [ "$(sql "SELECT count(*) FROM \"$table\"")" -gt 0 ] || fail "$table is listed and holds no row"
done
printf 'none_such(X) :- object(X, none_such, _).\n' >none.dl
expect 0 "derived_none_such  0 rows" "$FORESEE" derive log.db none_such -f none.dl
sql "DROP TABLE derived_none_such; DELETE FROM derived WHERE name = 'derived_none_such'"
dump() { sqlite3 "$1" .dump | grep -v -e derived -e '^PRAGMA' | cksum; }
[ "$(dump log.db)" = "$(dump plain.db)" ] || fail "tables of the log itself have changed"

# A log with such tables is a log: it can be asked, diagnosed, appended to and merged.
expect 0 "" "$FORESEE" query log.db 'task(T).'
short_log log.db --seed 3
expect 0 "" "$FORESEE" derive log.db on -q
silent_out
[ "$(sql 'SELECT count(DISTINCT episode) FROM derived_holds_w_on')" -eq 3 ] || fail "the new episode is missing"

# Rules of one's own; terms and numbers; a declaration that changes.
printf ':- declare score(episode: object, value: number, why: term) "x".\nscore(a, 2.5, on(b, 1)). score(b, 7, "t").\n' >mine.dl
expect 0 "derived_score  2 rows" "$FORESEE" derive log.db score -f mine.dl --episode 1
[ "$(sql 'SELECT group_concat(typeof(value)) || group_concat(episode_2) || group_concat(why) FROM derived_score')" = 'real,integera,bon(b, 1),t' ] ||
    fail "values: $(sql 'SELECT * FROM derived_score')"
printf 'score(1).\n' >mine.dl
expect 0 "" "$FORESEE" derive log.db score -f mine.dl --episode 1
[ "$(sql 'SELECT group_concat(name) FROM pragma_table_info("derived_score")')" = episode,a1 ] || fail "old columns stay"

# A wrong request is reported, and nothing changes.
before=$(cksum <log.db)
expect 2 "did you mean" "$FORESEE" derive log.db onn
silent_out
expect 2 "no rule defines" "$FORESEE" derive log.db on/7
expect 2 "names no predicate" "$FORESEE" derive log.db 'on('
expect 2 "function of time" "$FORESEE" derive log.db 'holds_b(loc)'
expect 2 "no rule defines" "$FORESEE" derive log.db object
expect 2 "episode" "$FORESEE" derive log.db on --episode 9
expect 2 "there is no such log" "$FORESEE" derive nothing.db on
[ ! -e nothing.db ] || fail "a log was made"
printf 'far(A, B) :- A > B + 1.\n' >mine.dl
expect 2 "bound" "$FORESEE" derive log.db far -f mine.dl
printf 'far(A :- .\n' >mine.dl
expect 2 "mine.dl:1:" "$FORESEE" derive log.db on -f mine.dl
[ "$(cksum <log.db)" = "$before" ] || fail "a wrong request changes the log"
cp log.db taken.db
sqlite3 taken.db 'DROP TABLE derived_holds_w_on; DELETE FROM derived WHERE name = "derived_holds_w_on"; CREATE TABLE derived_holds_w_on (mine); INSERT INTO derived_holds_w_on VALUES (1);'
expect 2 "was not derived" "$FORESEE" derive taken.db holds_w
[ "$(sqlite3 taken.db 'SELECT mine FROM derived_holds_w_on')" = 1 ] || fail "another's table was touched"

# A log that is locked, full or read-only is unchanged.
before=$(sql .dump | cksum)
mkfifo hold locked
sqlite3 log.db <hold >locked & locker=$!
exec 7>hold 8<locked
echo "BEGIN IMMEDIATE; SELECT 'held';" >&7
read -r held <&8
[ "$held" = held ] || fail "the log could not be locked: $held"
expect 3 "another program is writing" "$FORESEE" derive log.db on
exec 7>&- 8<&-
wait "$locker"
printf 'n(N) :- between(1, 200000, N).\n' >mine.dl
status=0
(
    ulimit -f $(($(wc -c <log.db) / 512 + 100))
    "$FORESEE" derive log.db n -f mine.dl --episode 1 >out.txt 2>err.txt
) || status=$?
[ "$status" -eq 3 ] && [ -s err.txt ] || fail "a full disk ended with $status: $(cat err.txt)"
[ "$(sql .dump | cksum)" = "$before" ] || fail "a full disk changes the log"

# Interrupted, it leaves the log unchanged.
printf 'n(0). n(N + 1) :- n(N).\n' >mine.dl
status=0
timeout --preserve-status -s INT 1 "$FORESEE" derive log.db on n -f mine.dl >out.txt 2>err.txt || status=$?
[ "$status" -eq 130 ] || fail "an interruption ended with $status: $(cat err.txt)"
[ "$(sql .dump | cksum)" = "$before" ] || fail "an interruption changes the log"
if [ "$(id -u)" -ne 0 ]; then
    chmod 400 log.db
    expect 2 "may not be written" "$FORESEE" derive log.db on
fi

# Two derive at once on a log without derived tables: each waits for the other, or says that the other writes.
for round in 1 2 3 4 5 6 7 8; do
    cp plain.db both.db
    "$FORESEE" derive both.db on >out1.txt 2>err1.txt & first=$!
    status=0
    "$FORESEE" derive both.db on flaw/1 >out2.txt 2>err2.txt || status=$?
    other=0
    wait "$first" || other=$?
    ! grep -e damaged -e crash err1.txt err2.txt || fail "two at once, round $round"
    for got in "$status" "$other"; do
        [ "$got" -eq 0 ] || grep -q "another program is writing" err1.txt err2.txt || fail "two at once: $got: $(cat err1.txt err2.txt)"
    done
    [ "$(sqlite3 both.db "SELECT count(*) FROM derived WHERE name IN ('derived_holds_w_on', 'derived_flaw')")" = 2 ] || [ "$status" -ne 0 ] || fail "two at once: tables are missing"
done

# Without names the usual tables, and what the given rules define; mistakes are not reported of a query that the user did not write.
printf 'mine(X) :- object(X, region, _).\n' >mine.dl
expect 0 "derived_mine " "$FORESEE" derive log.db -f mine.dl
grep -q '^derived_holds_w_on ' out.txt || fail "the usual tables are missing: $(cat out.txt)"
[ "$(sql 'SELECT count(*) FROM derived_mine')" -gt 0 ] || fail "derived_mine is empty"
status=0
"$FORESEE" derive log.db pose >out.txt 2>err.txt || status=$?
[ $status -eq 2 ] && grep -q 'pose' err.txt || fail "pose as a table: $status $(cat err.txt)"
! grep -q 'query:1' err.txt || fail "a place in a query that nobody wrote: $(cat err.txt)"

# Private predicates of a module are named with the module; two modules may use the same name.
for module in shelf other; do
    printf ':- module %s.\nroom(S, 3) :- object(S, region, _).\n' $module >$module.dl
done
expect 0 "derived_shelf_room" "$FORESEE" derive log.db -f shelf.dl -f other.dl shelf:room
expect 0 "derived_other_room" "$FORESEE" derive log.db -f shelf.dl -f other.dl room
[ "$(sql 'SELECT count(*) > 0 FROM derived_shelf_room')" -eq 1 ] || fail "the table of a module is empty"
expect 2 "no rule defines 'none:room'" "$FORESEE" derive log.db -f shelf.dl none:room
