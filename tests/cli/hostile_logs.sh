#!/bin/sh
# Logs that mean harm: each is a good log with one statement run on it. A command that asks, draws, runs again or writes
# such a log ends in time, in its memory and in order, with a sentence; nothing of the log runs, no other file is read.
. "${0%/*}/lib.sh"
SECONDS_MAX=200 # of any command here; each takes less than one on an idle machine
BYTES_MAX=1500000 # kB of address space, beside a sanitizer's
short_log good.db
grep -qa __asan_init "$FORESEE" && BYTES_MAX=unlimited

# harm SENTENCE COMMAND...: ends with an exit status of the contract; SENTENCE (may be empty) is said.
harm() {
    _say=$1
    shift
    _status=0
    (
        ulimit -v "$BYTES_MAX"
        exec timeout "$SECONDS_MAX" "$FORESEE" "$@"
    ) >out.txt 2>err.txt </dev/null || _status=$?
    case $_status in
    0 | 1 | 2 | 3) ;;
    *) fail "$what: '$*' ended with $_status: $(tail -c 600 err.txt)" ;;
    esac
    if grep -q -e 'bug:' -e 'runtime error' -e 'Sanitizer' -e 'root:' out.txt err.txt; then
        fail "$what: '$*' says: $(tail -c 600 err.txt)"
    fi
    # What is damaged is said with its name.
    if grep -h 'the log is damaged' out.txt err.txt | grep -qv '\.db: '; then
        fail "$what: '$*' does not name the log: $(tail -c 600 err.txt)"
    fi
    [ -z "$_say" ] || grep -qF -e "$_say" out.txt err.txt || fail "$what: '$*' does not say '$_say': $(head -c 600 err.txt)"
}

# bad SENTENCE STATEMENT: every command refuses the log.
bad() {
    what=$2
    cp good.db bad.db
    sqlite3 bad.db "$2" >sql.txt 2>&1 || fail "$2: $(cat sql.txt)"
    before=$(cksum <bad.db)
    harm "$1" query bad.db 'object(X, K, T).'
    [ $_status -eq 2 ] || fail "$what: a query ended with $_status"
    harm "" diagnose bad.db
    # All commands open a log in one way; the sanitizers, which make each of them slow, have seen it now.
    [ "$BYTES_MAX" != unlimited ] || return 0
    harm "" diagnose bad.db --format html -o page.html
    rm -f page.html
    harm "$1" tree bad.db
    harm "$1" show bad.db -o shown.png
    harm "$1" run -q bad.db -o again.db
    [ ! -e again.db ] || fail "$what: it was run again"
    harm "$1" derive bad.db on
    harm "$1" run -q "$PLAN" -o bad.db --until 0.1
    [ "$(cksum <bad.db)" = "$before" ] || fail "$what: the log has changed"
}
table() { bad "its table $1 is not as it should be" "$2"; }
SWAP="PRAGMA legacy_alter_table = ON;"

bad "its table object has ids outside" "INSERT INTO object (id, episode, name) VALUES (1 << 61, 1, 'far')"
bad "its table object has ids outside" "INSERT INTO object (id, episode, name) VALUES (-1 << 61, 1, 'far')"
bad "its table believed has ids outside" "INSERT INTO believed (id, episode, name) VALUES (0x7fffffffffffffff, 1, 'far')"
bad "its table note has ids outside" "INSERT INTO note (id, episode) VALUES (0x7fffffffffffffff, 1)"
bad "step_ns of its episode 1 is out of range" "UPDATE episode SET step_ns = 0"
bad "step_ns of its episode 1 is out of range" "UPDATE episode SET step_ns = 'often'"
bad "cycle_ns of its episode 1 is out of range" "UPDATE episode SET cycle_ns = 0"
bad "cycle_ns of its episode 1 is out of range" "UPDATE episode SET cycle_ns = step_ns * 10 + 1"
bad "end_ns of its episode 1 is out of range" "UPDATE episode SET end_ns = 0x7fffffffffffffff"
bad "end_ns of its episode 1 is out of range" "UPDATE episode SET end_ns = -1"
table source "$SWAP ALTER TABLE source RENAME TO old; CREATE VIEW source AS SELECT * FROM old;"
table episode "$SWAP ALTER TABLE episode RENAME TO old; CREATE VIEW episode AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL
    SELECT n + 1 FROM r) SELECT o.* FROM old o, r;"
table note "$SWAP ALTER TABLE note RENAME TO old; CREATE VIRTUAL TABLE note USING fts5 (episode, task, t_ns, text);"
table note "ALTER TABLE note ADD COLUMN wide TEXT AS (hex(zeroblob(500000000)));"
table note "ALTER TABLE note ADD COLUMN mine"
table task "$SWAP ALTER TABLE task RENAME TO old; CREATE TABLE task AS SELECT * FROM old;"
table pose "ALTER TABLE pose RENAME COLUMN qz TO qq"

# A log of an earlier version, with views that never end and computed columns: the stored columns are copied.
what="an older log"
cp good.db bad.db
sqlite3 bad.db "$SWAP ALTER TABLE note RENAME TO old; CREATE VIEW note AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT
    n + 1 FROM r) SELECT n AS id, 1 AS episode, hex(zeroblob(100000)) AS text FROM r; ALTER TABLE choice ADD COLUMN wide AS
    (zeroblob(1000000000)); UPDATE meta SET value = '2' WHERE key = 'schema'"
harm "all that rests on the table note, which the log lacks" diagnose bad.db

# Values out of range in tables that are read on demand.
value() { # sentence, statement, query
    what=$2
    cp good.db bad.db
    sqlite3 bad.db "$2" >sql.txt 2>&1 || fail "$2: $(cat sql.txt)"
    harm "$1" query bad.db "$3"
    harm "" diagnose bad.db
    harm "" diagnose bad.db --format html -o page.html
    rm -f page.html
    harm "" tree bad.db
    harm "" show bad.db -o shown.png --at 0.5
    rm -f shown.png
    harm "" derive bad.db on
}
LATE="0x7ffffffffffffff0"
value "its table contact holds" "UPDATE contact SET start_ns = $LATE" 'contact(I, A, B, S, E).'
value "its table task holds the text 'soon' in row 1" "UPDATE task SET start_ns = 'soon' WHERE id = 1" 'task_start(T, S).'
value "its table pose holds" "UPDATE pose SET t = -t - 9000000000000000000" 'holds_w(on(X, Y), interval(S, E)).'
value "its table pose holds" "UPDATE pose SET x = 9e999, y = 1e300, z = -1e300" 'holds_w(on(X, Y), interval(S, E)).'
value "its table shape holds" "UPDATE shape SET size_x = 9e999, size_z = 1e300" 'holds_w(on(X, Y), interval(S, E)).'
value "its table linkage holds" "UPDATE linkage SET qw = 1e308, axis_x = 1e308" 'object(X, K, T).'
value "" "UPDATE object SET name = CAST(x'00ff0a1b5d' AS TEXT)" 'object(X, K, T).'
value "" "UPDATE believed_frame SET parent = (SELECT name FROM believed b WHERE b.id <> believed LIMIT 1)" \
    'believed_pose(A, B, 0.5, P).'
value "" "UPDATE task SET parent = id - 1 WHERE id > 1" 'task_parent(T, P).'
value "" "UPDATE task SET parent = id" 'task_parent(T, P).'
what="tasks nested deep"
cp good.db bad.db
sqlite3 bad.db "WITH RECURSIVE r(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM r WHERE n < 60000) INSERT INTO task (id, episode,
    agent, parent, construct, path, start_ns, status) SELECT n, 1, 1, n - 1, 'seq', 'a', 0, 'active' FROM r"
harm "nested more than 2000 deep" tree bad.db
harm "nested more than 2000 deep" tree bad.db --format json
mkfifo pipe.stl
value "" "UPDATE shape SET kind = 'mesh', mesh = '$WORK/pipe.stl'" 'object(X, K, T).'

# File names in a log give no access to files: only the sources in the log are quoted.
printf 'root:secret:0:0\n' >secret.txt
for name in "$WORK/secret.txt" secret.txt; do
    what="a source named $name"
    cp good.db bad.db
    sqlite3 bad.db "UPDATE source SET name = '$name', text = 'kept: [in' WHERE kind = 'plan'"
    harm "kept: [in" run -q bad.db -o again.db
    [ $_status -eq 2 ] || fail "$what: ended with $_status"
done

# A NUL within a text is part of it, and not its end.
what="a NUL in a source"
cp good.db bad.db
sqlite3 bad.db "UPDATE source SET text = CAST('plan: x' || x'00' || zeroblob(100000) AS TEXT) WHERE kind = 'plan'"
harm "" run -q bad.db -o again.db
[ $_status -eq 2 ] || fail "$what: ended with $_status"

# Triggers do not run when the log is written; an index that computes is refused by name.
what="triggers"
cp good.db bad.db
sqlite3 bad.db "CREATE TRIGGER a AFTER INSERT ON episode BEGIN DELETE FROM source; END;
    CREATE TRIGGER b AFTER INSERT ON note BEGIN INSERT INTO note SELECT NULL, 1, NULL, 0, hex(zeroblob(1000)) FROM note; END;"
harm "" run -q "$PLAN" -o bad.db --until 0.1
[ "$(sqlite3 bad.db 'SELECT count(*) FROM source WHERE episode = 1')" -gt 0 ] || fail "a trigger ran"
[ "$(sqlite3 bad.db 'SELECT count(*) FROM episode')" -eq 2 ] || fail "nothing was appended"
what="an index that computes"
cp good.db bad.db
sqlite3 bad.db "CREATE INDEX costly ON task_status (hex(zeroblob(1000000)))"
harm "the index costly of the table task_status computes" run -q "$PLAN" -o bad.db --until 0.1
echo "hostile_logs: nothing of them ran"
