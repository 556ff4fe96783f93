#!/bin/sh
# Robots from URDF files fetch a cup: an arm of seven joints, one of six, one on a differential drive; and an arm that
# stands fast, under a camera that does not turn, moves a can within its reach.
. "${0%/*}/lib.sh"

run "$SOURCE/tests/scenes/urdf_plan.yaml" seven.db --seed 1
[ "$(outcome seven.db)" = succeeded ] || fail "seven joints: $(outcome seven.db)"
sed "s|\.\./\.\./examples|$SOURCE/examples|g; s|one_arm.yaml|six_axis.yaml|" "$SOURCE/tests/scenes/urdf_plan.yaml" >six.yaml
run six.yaml six.db --seed 1
[ "$(outcome six.db)" = succeeded ] || fail "six joints: $(outcome six.db)"
run "$SOURCE/examples/other_robots/two_wheels.yaml" wheels.db --seed 1
[ "$(outcome wheels.db)" = succeeded ] || fail "differential drive: $(outcome wheels.db)"
run "$SOURCE/examples/other_robots/bolted_arm.yaml" cell.db --seed 1
[ "$(outcome cell.db)" = succeeded ] || fail "fixed base: $(outcome cell.db)"
sed "s|\.\./worlds|$SOURCE/examples/worlds|; s|\.\./robots/bolted_arm.yaml|$SOURCE/tests/robots/weak.yaml|" "$SOURCE/examples/other_robots/bolted_arm.yaml" >weak_plan.yaml
run weak_plan.yaml weak.db --seed 1
[ "$(sqlite3 weak.db "SELECT count(*) > 0 FROM failure WHERE reason LIKE '%the effort of Joint-2 ran out%'")" = 1 ] ||
    fail "nothing says that effort ran out"
