#!/bin/sh
# The goals of the whole plan may name any body of the world, and are judged by the truth about it; actions of the robot may not name it.
. "${0%/*}/lib.sh"
plan() { # goal, step
    cat >plan.yaml <<END
plan: named
projection: { world: $SOURCE/examples/worlds/kitchen.yaml, robot: $SOURCE/examples/robots/two_arms.yaml }
routines: [ pick_and_place.yaml ]
body:
  goal: $1
  seq:
    - $2
END
}
plan '[ "on(cup_1, counter_1)", "on(?what, counter_1)" ]' 'log: "nothing is done"'
expect 0 "" "$FORESEE" check plan.yaml
expect 0 "succeeded" "$FORESEE" run plan.yaml -o true.db
plan '[ "on(cup_1, table_1)" ]' 'log: "nothing is done"'
expect 0 "" "$FORESEE" check plan.yaml
expect 1 "failed" "$FORESEE" run plan.yaml -o false.db
expect 1 "on(cup_1, table_1) was not achieved" "$FORESEE" diagnose false.db
# A suggestion describes the body, as a step has to.
"$FORESEE" diagnose false.db --format json >false.json
sqlite3 :memory: "select json_extract(readfile('false.json'), '\$.flaws[0].suggests[0].edits')" >edits.json
grep -qF 'on(a(cup), table_1)' edits.json || fail "suggested: $(cat edits.json)"
expect 0 "" "$FORESEE" edit plan.yaml edits.json -o mended.yaml
expect 0 "" "$FORESEE" check mended.yaml
plan '[ "on(cup_9, table_1)" ]' 'log: "nothing is done"'
expect 2 "unknown object 'cup_9'" "$FORESEE" check plan.yaml
plan '[ "on(cup_1, table_1)" ]' 'achieve: on(cup_1, table_1)'
expect 2 "7:19: error: the robot does not know the object 'cup_1' beforehand; describe it" "$FORESEE" check plan.yaml
