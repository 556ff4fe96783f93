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

# What can be judged is: connectives, comparisons, properties, sides, the robot's own place.
plan '[ "and(on(cup_1, counter_1), not(on(cup_1, table_1)))", "on(?a, counter_1)", "on(?b, counter_1)", "?a != ?b", "color(cup_1, red)", "type(?a, cup)" ]' 'log: "nothing is done"'
expect 0 "" "$FORESEE" check plan.yaml
expect 0 "succeeded" "$FORESEE" run plan.yaml -o joined.db
plan '[ "or(near(robot, floor), on(cup_1, counter_1))", "not(loc(robot, at(50, 50)))", "not(left_of(cup_1, cup_1))",
    "loc(robot, at(2, 2.6))", "loc(robot, at(2, 2.6, 90))", "loc(robot, at(2, 2.6, 450))", "not(loc(robot, at(2, 2.6, 0)))" ]' 'log: "nothing is done"'
expect 0 "succeeded" "$FORESEE" run plan.yaml -o robot.db
plan '[ "not(on(?x, counter_1))" ]' 'log: "nothing is done"'
expect 1 "failed" "$FORESEE" run plan.yaml -o something.db
expect 1 "not on(?x, counter_1) was not achieved" "$FORESEE" diagnose something.db
# What cannot be true is refused with its place.
plan '[ "on(cup_1, counter_1)", "frobnicated(a(cup))" ]' 'log: "nothing is done"'
expect 2 "plan.yaml:5:36: error: the goal frobnicated(a(cup)) of the whole plan can never be true" "$FORESEE" check plan.yaml
plan 'stand_on(cup_1, counter_1)' 'log: "nothing is done"'
expect 2 "did you mean 'stands_on'?" "$FORESEE" check plan.yaml
plan '"not(and(on(cup_1, counter_1), on(cup_2, counter_1)))"' 'log: "nothing is done"'
expect 2 "plan.yaml:5:14: error: in a goal of the whole plan not(...) stands around one occasion" "$FORESEE" check plan.yaml
plan 'object_visible(cup_1)' 'log: "nothing is done"'
expect 2 "plan.yaml:5:9: error: the goal object_visible(cup_1) of the whole plan can never be true" "$FORESEE" check plan.yaml
# Where the plan's body is a step that achieves what is no state of the world, the plan succeeds with it.
cat >plan.yaml <<PLAN
plan: named
projection: { world: $SOURCE/examples/worlds/kitchen.yaml, robot: $SOURCE/examples/robots/two_arms.yaml }
routines: [ search.yaml, pick_and_place.yaml ]
body:
  achieve: perceived([type(cup)], on(counter_1))
PLAN
expect 0 "succeeded" "$FORESEE" run plan.yaml -o step.db
