#!/bin/sh
# A thing on a low board is out of reach with the torso lifted: the robot lowers it, takes the thing, and puts it down as low.
. "${0%/*}/lib.sh"

run "$SOURCE/tests/scenes/low_plan.yaml" low.db --seed 1
[ "$(outcome low.db)" = succeeded ] || fail "$(outcome low.db)"
moved=$(sqlite3 -readonly low.db "select count(*) from task_view where expr like 'move_torso(%' and status = 'done';")
[ "$moved" -ge 1 ] || fail "the torso was not moved"
low=$(sqlite3 -readonly low.db "select min(position) < 0.1 from joint_view where joint like '%torso_lift%';")
[ "$low" = 1 ] || fail "the torso was not lowered"
