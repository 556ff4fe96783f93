#!/bin/sh
# A finer step of the physics: the log keeps it, it is run again with it, and a batch does not take it for its own.
. "${0%/*}/lib.sh"
cat >wait.yaml <<END
plan: wait
projection: { world: $SOURCE/examples/ensemble/coffee.yaml, robot: $SOURCE/examples/robots/bolted_arm.yaml }
body: { tag: wait, wait: { seconds: 0.5 } }
END
expect 0 "" "$FORESEE" run -q wait.yaml --step 0.0005 -o fine.db
[ "$(sqlite3 fine.db 'select step_ns from episode')" = 500000 ] || fail "another step: $(sqlite3 fine.db 'select step_ns from episode')"
expect 0 "" "$FORESEE" run -q fine.db -o again.db
for log in fine again; do sqlite3 $log.db .dump >$log.sql; done
cmp -s fine.sql again.sql || fail "the episode is another one when it is run again"
expect 0 "" "$FORESEE" run -q fine.db --step 0.002 -o coarse.db
[ "$(sqlite3 coarse.db 'select step_ns from episode')" = 2000000 ] || fail "a log's step cannot be another one"
expect 2 "the step of its physics is 0.0005 s" "$FORESEE" batch -q wait.yaml -n 1 -o fine.db --resume

for step in 0.003 0.0003 0.00001; do
    expect 2 "--step is 2e-05 to 0.002 s, and the cycle of the interpreter, 0.02 s, a whole number of steps" "$FORESEE" run -q wait.yaml --step $step -o none.db
done
for step in 0 -1 fine; do
    expect 2 "--step needs a number of seconds" "$FORESEE" run -q wait.yaml --step $step -o none.db
done
[ ! -e none.db ] || fail "a log is written"
# The models of the world's ensemble have to keep up with it: 2 ms are no multiple of 0.8 ms.
expect 2 "have to be multiples of 0.0008 s" "$FORESEE" run -q "$SOURCE/examples/ensemble/bound_grippers.yaml" --step 0.0008 -o none.db
