#!/bin/sh
# A diagnosis says what the log cannot tell: a log that is empty, was cut off, was left by a kill, is of an earlier version, or
# lacks tables. The exit status is never 0.
. "$SOURCE/tests/cli/lib.sh"
mkdir tmp
TMPDIR=$WORK/tmp
export TMPDIR
SCHEMA="$SOURCE/docs/diagnosis.schema.json"

# partial LOG ABOUT SENTENCE: the diagnosis has no flaw and is not complete: status 3, and in every form what is unknown.
partial() { # log, about, sentence
    expect 3 "No flaw was found so far." "$FORESEE" diagnose "$1"
    grep -q '^What the log cannot tell$' out.txt || fail "$1: the text does not say what it cannot tell"
    grep -qF -e "$3" out.txt || fail "$1: '$3' is not in: $(cat out.txt)"
    expect 3 '"complete": false' "$FORESEE" diagnose "$1" --format json
    [ "$(sqlite3 :memory: "SELECT count(*) FROM json_each(readfile('out.txt'), '\$.unknown') WHERE value ->> 'about' = '$2'")" -ge 1 ] ||
        fail "$1: nothing is unknown about $2: $(cat out.txt)"
    if python3 -c 'import jsonschema' 2>/dev/null; then
        python3 -c 'import json, sys, jsonschema
jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])), jsonschema.Draft202012Validator)' "$SCHEMA" out.txt ||
            fail "$1: the JSON does not fit the schema"
    fi
    expect 3 "" "$FORESEE" diagnose "$1" --format html -o page.html
    grep -q 'id="unknown"' page.html || fail "$1: the page does not say what it cannot tell"
    grep -q '</html>' page.html || fail "$1: the page is not whole"
}

# Cut off by --until.
expect 3 "" "$FORESEE" run -q "$PLAN" -o cut.db --until 6
partial cut.db goals 'cut off at 6.00 s: whether its goals would have been achieved'
partial cut.db flaws 'which flaws it would have shown after 6.00 s'
partial cut.db tasks 'how the tasks still under way would have ended: '
grep -q 'cut off at 6.00 s' page.html || fail "the page does not say when it was cut off"

# Killed: what was committed is diagnosed, and nothing else is claimed.
"$FORESEE" run -q "$PLAN" -o killed.db &
pid=$!
tries=0
# The log is read only once it is written, since a reader at the very beginning would keep it from beginning.
until [ -s killed.db-wal ] && [ "$(sqlite3 -readonly killed.db 'SELECT committed_ns > 0 FROM episode' 2>/dev/null)" = 1 ] || [ $tries -gt 400 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
[ "$(sqlite3 killed.db 'SELECT complete FROM episode')" = 0 ] || fail "it ended before it was killed"
partial killed.db tasks 'how the tasks still under way would have ended: '
partial killed.db goals 'whether its goals would have been achieved'

# No episode; an episode without anything.
sqlite3 cut.db ".backup empty.db"
sqlite3 empty.db 'DELETE FROM episode'
partial empty.db log 'the log holds no episode'
expect 2 "holds no episode" "$FORESEE" diagnose empty.db --episode 3
sqlite3 cut.db ".backup bare.db"
sqlite3 bare.db "SELECT 'DELETE FROM ' || name || ';' FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('episode', 'meta')" |
    sqlite3 bare.db
partial bare.db tasks 'what the robot did and why'
partial bare.db contacts 'what bore, held or hit what'

# Empty tables: what rests on them is reported as unknown, although the episode was logged to its end.
sqlite3 cut.db ".backup blind.db"
sqlite3 blind.db "DELETE FROM reading WHERE kind = 'camera'; DELETE FROM percept; DELETE FROM percept_truth; DELETE FROM association;
    DELETE FROM visibility; DELETE FROM blocker"
partial blind.db seeing 'what the robot saw when it looked'
partial blind.db seeing 'what could be seen and what hid it'

# A log of an earlier version, without a table and a column of this version, is only read.
sqlite3 cut.db ".backup older.db"
for view in $(sqlite3 older.db "SELECT name FROM sqlite_schema WHERE type = 'view'"); do sqlite3 older.db "DROP VIEW $view"; done
sqlite3 older.db "DROP TABLE percept; ALTER TABLE contact DROP COLUMN peak_force; PRAGMA user_version = 2;
    UPDATE meta SET value = '2' WHERE key = 'schema'"
cksum older.db >before.txt
partial older.db log 'this one has schema 2'
partial older.db log 'the table percept, which the log lacks'
partial older.db log 'all that rests on peak_force of the table contact'
# Every other command that reads a log reads it as well, and says what it lacks.
expect 0 "" "$FORESEE" query older.db 'top_task(T).'
grep -q 'note: the log cannot tell what only logs of schema .*: this one has schema 2.*; all that rests on peak_force' err.txt ||
    fail "a query does not say what the log lacks: $(cat err.txt)"
expect 1 "" "$FORESEE" query older.db 'contact_peak(C, F).'
expect 0 "" "$FORESEE" tree older.db
expect 0 "" "$FORESEE" show older.db --at 0.5 -o older.png --size 320x240
expect 3 "" "$FORESEE" run -q older.db --until 1 -o older_again.db
cksum older.db | cmp -s - before.txt || fail "an older log was written"
expect 0 "" "$FORESEE" derive older.db on
sqlite3 older.db 'DROP TABLE episode'
expect 2 "" "$FORESEE" diagnose older.db
silent_out
sqlite3 cut.db ".backup later.db"
sqlite3 later.db "PRAGMA user_version = 99; UPDATE meta SET value = '99' WHERE key = 'schema'"
expect 2 "from a later foresee" "$FORESEE" diagnose later.db
printf 'nothing of the kind\n' >text.db
expect 2 "not a foresee log" "$FORESEE" diagnose text.db
[ -z "$(ls tmp)" ] || fail "something was left behind: $(ls tmp)"
echo "partial: what logs cannot tell is said"
