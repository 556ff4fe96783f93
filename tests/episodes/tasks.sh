#!/bin/sh
# Every task of an episode can be printed as Figure 6 of Moesenlechner & Beetz 2009; the example's text is
# what it prints.
. "${0%/*}/lib.sh"
EXAMPLE=$SOURCE/examples/tasks

run "$EXAMPLE/carry.yaml" carry.db
"$FORESEE" query carry.db 'frame(T, N, Line).' --format plain >frames.txt
tasks=$(sqlite3 -readonly carry.db 'select count(*) from task;')
[ "$tasks" -gt 20 ] || fail "only $tasks tasks"
for field in 'TASK T-' '  SUPERTASK ' '  TASK-EXPR ' '  TASK-CODE-PATH ' '  TASK-ENVIRONMENT ' '  TASK-STATUS '; do
    found=$(grep -c "^$field" frames.txt)
    [ "$found" -eq "$tasks" ] || fail "$found of $tasks tasks have '$field'"
done

# When it was done depends on the shipped routines, and which cup was seen first on the processor: that is left out.
task=$(sqlite3 -readonly carry.db "select id from task where path = 'carry/policy_primary/do/described/take';")
"$FORESEE" query carry.db "frame($task, N, Line)." --format plain | sed -e '/ DONE$/s/TI[0-9]*/TI__/' -e 's/CUP-[0-9]*/CUP-_/g' >got.txt
diff -u "$EXAMPLE/frame.txt" got.txt || fail "task $task is not printed as in frame.txt"

"$FORESEE" query carry.db -f "$EXAMPLE/seconds.dl" "full_frame($task, N, Line)." --format plain >seconds.txt
grep -q '^  TASK-STATUS        [0-9.]* CREATED' seconds.txt || fail "no seconds: $(cat seconds.txt)"
grep -q '^  TASK-DYNAMIC-PATH' seconds.txt || fail "no dynamic path: $(cat seconds.txt)"
