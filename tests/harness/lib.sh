# A plan that is over at once, its log, and what all the strikes ask.
. "$SOURCE/tests/cli/lib.sh"
: "${STRIKE:?the program that strikes}"
TMPDIR=$WORK/tmp
export TMPDIR
# Who is traced cannot look for leaks.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
broken() { grep -q -e 'bug:' -e 'Sanitizer' -e 'runtime error:' "$@"; }
mkdir tmp
"$STRIKE" count kill n.txt true || { [ $? -ne 77 ] || exit 77; fail "the striker does not strike"; }

cat >world.yaml <<END
world: room
types:
  floor: { shapes: [ { plane: true } ] }
  brick: { mass: 0.5, shapes: [ { box: [0.2, 0.1, 0.1], at: [0, 0, 0.05] } ] }
bodies:
  floor: { type: floor, fixed: true, known: true, color: beige }
  brick: { type: brick, at: [2, 0, 0.2], color: red }
END
cat >plan.yaml <<END
# Waits.
plan: wait_a_little
projection: { world: world.yaml, robot: $SOURCE/examples/robots/one_arm.yaml }
body:
  tag: all
  seq:
    - { tag: say, log: "begin" }
    - { tag: pause, wait: { seconds: 1 } }
END
printf -- '- set_property: all/say\n  key: log\n  value: "go on"\n' >edits.yaml
"$FORESEE" run -q plan.yaml -o earlier.db || fail "the plan does not succeed"

# All of episode 1, and all of the log's own tables.
tables=$(sqlite3 earlier.db "select m.name from sqlite_schema m where m.type = 'table' and m.name not like 'sqlite_%'
    and exists (select 1 from pragma_table_info(m.name) where name = 'episode') order by 1;")
for table in $tables; do echo "select '$table', * from $table where episode = 1 order by id;"; done >first.sql
first() { sqlite3 "$1" <first.sql | cksum; }
earlier=$(first earlier.db)

# A log that a strike left: it opens, it lost nothing of what was in it, and no outcome in it is wrong.
sound() { # log, whether episode 1 was in it, which strike
    [ -e "$1" ] || { [ "$2" = no ] || fail "$3: the log is lost"; return 0; }
    code=0
    "$FORESEE" tree "$1" >tree.txt 2>tree_err.txt || code=$?
    # Not even the first episode has begun.
    [ "$code" -le 1 ] || { [ "$2" = no ] && grep -q 'no episode' tree_err.txt; } ||
        fail "$3: the log cannot be read: $(cat tree_err.txt)"
    [ "$(sqlite3 "$1" 'pragma integrity_check;')" = ok ] || fail "$3: the log is damaged"
    [ "$2" = no ] || [ "$(first "$1")" = "$earlier" ] || fail "$3: the earlier episode is another"
    wrong=$(sqlite3 "$1" "select group_concat(outcome || ' ' || complete) from episode where outcome || complete
        not in ('succeeded1', 'incomplete0', 'unjudged0');")
    [ -z "$wrong" ] || fail "$3: an outcome is wrong: $wrong"
    left=$(sqlite3 "$1" "select count(*) from episode where outcome = 'unjudged';")
    unjudged=$((unjudged + left))
    [ "$left" -eq 0 ] || cp "$1" unjudged.db
}
unjudged=0
same() { cmp -s "$1" "$2"; }
calls() { # mode command...: how many calls could be struck
    mode=$1
    shift
    "$STRIKE" count "$mode" n.txt "$@" >/dev/null 2>count_err.txt </dev/null
    cat n.txt
}
