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
# The same arm feels contacts by its joints' torques: next to nothing in free motion, and the can of 0.2 kg in its hand.
run "$SOURCE/examples/other_robots/feeling_arm.yaml" feels.db --seed 1
[ "$(outcome feels.db)" = succeeded ] || fail "an arm that feels: $(outcome feels.db)"
off() { # SOURCE CONDITION: the root mean square of its error while the true force fulfils the condition, N
    "$FORESEE" query feels.db --format json "contact_wrench(G, true, T, F, _), $2, wrench_error(G, $1, T, E, _)" >off.json
    sqlite3 :memory: "SELECT sqrt(avg(e * e)) FROM (SELECT value ->> 'E' AS e FROM json_each(readfile('off.json'), '$.answers'))"
}
holds() { [ "$(sqlite3 :memory: "SELECT $1")" = 1 ]; }
free=$(off observer "F = 0.0") plain=$(off direct "F = 0.0")
holds "$free < 0.5 AND $plain > 3 * $free" || fail "in free motion the observer is off by $free N, the direct estimate by $plain N"
held=$(off observer "F > 1.9, F < 2.1")
holds "$held < 0.8" || fail "of a can of 2 N in the hand the observer is off by $held N"
felt=$(sqlite3 feels.db "SELECT substr(text, 15, 4) FROM note WHERE text LIKE 'the arm feels%'")
holds "$felt < 1" || fail "at the end, with nothing in its hand, the arm feels $felt N"
# A person leads it down with 30 N: it keeps its margin of 50 mm from the bench, and meets the bench without one.
run "$SOURCE/examples/other_robots/led_arm.yaml" kept.db --seed 1
run "$SOURCE/examples/other_robots/led_arm.yaml" led.db --seed 1 --set plan.margin=0
holds "$(sqlite3 kept.db "SELECT count(*) > 0 AND min(distance) BETWEEN 0.03 AND 0.05 FROM clearance_view WHERE object = 'bench_1'")" ||
    fail "the arm does not keep its margin"
touched="SELECT count(*) FROM contact_view WHERE a = 'bench_1' AND b LIKE 'robot%'"
[ "$(sqlite3 kept.db "$touched")" = 0 ] || fail "with a margin the arm touches the bench"
[ "$(sqlite3 led.db "$touched")" -gt 0 ] || fail "without a margin the arm does not touch the bench"
felt=$(sqlite3 kept.db "SELECT substr(text, 15, 5) FROM note WHERE text LIKE 'the arm feels%'")
holds "$felt BETWEEN 28.5 AND 31.5" || fail "of the person's 30 N the arm feels $felt N"
sed "s|\.\./worlds|$SOURCE/examples/worlds|; s|\.\./robots/bolted_arm.yaml|$SOURCE/tests/robots/weak.yaml|" "$SOURCE/examples/other_robots/bolted_arm.yaml" >weak_plan.yaml
run weak_plan.yaml weak.db --seed 1
[ "$(sqlite3 weak.db "SELECT count(*) > 0 FROM failure WHERE reason LIKE '%the effort of Joint-2 ran out%'")" = 1 ] ||
    fail "nothing says that effort ran out"
