#!/bin/sh
# Two hands carry a tray with four stacked plates: on a slow trip they ride along, on an abrupt one they fall.
. "${0%/*}/lib.sh"
TRAY=$SOURCE/examples/tray/carry.yaml

# last LOG SQL: the last poses of tray and plates satisfy how many of the rows that the condition names.
last() {
    sqlite3 -readonly "$1" "with last as (select o.name, p.x, p.y, p.z from pose_view p join object o on o.name = p.object
        where o.type in ('tray', 'plate') and p.t_s = (select max(t_s) from pose_view q where q.object = p.object))
        select count(*) from last plate, last tray where plate.name like 'plate%' and tray.name = 'tray_1' and ($2);"
}

for seed in 1 2; do
    run "$TRAY" slow.db --seed $seed
    [ "$(outcome slow.db)" = succeeded ] || fail "slow trip, seed $seed: $(outcome slow.db)"
    riding=$(last slow.db "abs(plate.x - tray.x) < 0.02 and abs(plate.y - tray.y) < 0.02 and plate.z > tray.z + 0.01")
    [ "$riding" -eq 4 ] || fail "slow trip, seed $seed: $riding of 4 plates on the tray"

    run "$TRAY" abrupt.db --seed $seed --set plan.carry_acceleration=2.2 --set plan.carry_speed=1.4
    [ "$(outcome abrupt.db)" != succeeded ] || fail "abrupt trip, seed $seed: succeeded"
    # They lie on the floor, or on the board from which the robot left, and the tray is elsewhere.
    fallen=$(last abrupt.db "plate.z < tray.z - 0.3 or abs(plate.x - tray.x) + abs(plate.y - tray.y) > 1")
    [ "$fallen" -ge 2 ] || fail "abrupt trip, seed $seed: only $fallen plates fell off the tray"
    rm -f ./*.db
done
