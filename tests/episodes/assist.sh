#!/bin/sh
# The base of a robot whose arms follow a station is driven by how far the operator's hands are ahead: beyond a dead zone, no faster than it
# may, by the mean of the hands, as late as the link, not while nothing is heard or the plan itself drives.
. "${0%/*}/lib.sh"
cp -r "$SOURCE/examples" examples
plan=examples/twins/drive_by_hands.yaml
holds() { [ "$(sqlite3 "$1" "SELECT $2")" = 1 ]; }
X="FROM pose_view WHERE object = 'ann_base'"
V="FROM command_view WHERE mode = 'velocity'"
FOLLOWS="(SELECT min(start_s) FROM coupling_view)"
FREE="(SELECT min(start_s) FROM operation_view WHERE name = 'guide')"

for seed in 1 2; do
    run "$plan" driven.db --seed "$seed"
    diagnose driven.db
    [ "$(outcome driven.db)" = succeeded ] && [ "$(flaws driven.db.json 1)" = 0 ] || fail "seed $seed: $(outcome driven.db), $(flaws driven.db.json 1) flaws"
    # The hands are 5 cm ahead after 0.5 s, 25 cm after 2.5 s; held there for 4 s, and taken back in 2.5 s: 1.2 m.
    holds driven.db "max(x) BETWEEN 1.1 AND 1.25 $X" || fail "seed $seed: the base drove $(sqlite3 driven.db "SELECT max(x) $X") m"
    holds driven.db "max(v1) BETWEEN 0.19 AND 0.2 AND min(v1) >= 0 AND min(t_s) > $FREE + 0.4 $V" || fail "seed $seed: the base drives too fast, back, or too early"
    holds driven.db "(SELECT v1 $V ORDER BY t_s DESC LIMIT 1) = 0" || fail "seed $seed: the base does not stand in the end"
    holds driven.db "count(*) = 0 FROM pose_view WHERE object = 'bob_base' AND abs(x + 4) > 0.01" || fail "seed $seed: the station drives"
done
run "$plan" slow.db --seed 1 --set plan.speed=0.05
holds slow.db "max(v1) = 0.05 $V" || fail "the base drives faster than it may"
# The link's delay shifts it.
begins() { sqlite3 "$1" "SELECT (SELECT min(t_s) $V) - $FREE"; }
run "$plan" late.db --seed 1 --set plan.delay=0.318
holds :memory: "abs($(begins late.db) - $(begins driven.db) - 0.3) < 0.1" || fail "the base begins after $(begins late.db) s, without delay after $(begins driven.db) s"
# A base that hears next to nothing hardly drives.
sed 's/loss: \$loss/loss: 0.998/' "$plan" >examples/twins/deaf.yaml
run examples/twins/deaf.yaml deaf.db --seed 1
holds deaf.db "coalesce(max(x), 0) < 0.6 $X" || fail "over a link that loses nearly all the base drives $(sqlite3 deaf.db "SELECT max(x) $X") m"
# Within the dead zone it stands; one hand of two counts for half.
sed 's/distance: 0.25/distance: 0.04/' "$plan" >examples/twins/near.yaml
run examples/twins/near.yaml near.db --seed 1
holds near.db "count(*) = 0 $V" || fail "within the dead zone the base drives"
sed '/guide: { arm: right/ s/distance: 0.25/distance: 0.01/' "$plan" >examples/twins/one.yaml
run examples/twins/one.yaml one.db --seed 1
holds one.db "max(v1) BETWEEN 0.06 AND 0.08 $V" || fail "one hand of two drives the base with $(sqlite3 one.db "SELECT max(v1) $V") m/s"
# What the plan drives itself, it drives alone.
sed 's/^      - { as: ann, follow: { arm: left } }/&\n      - { as: ann, seq: [ { wait: { seconds: 3 } }, { navigate: { to: "at(-1, 0, 0)" } }, { wait: { seconds: 100 } } ] }/' "$plan" >examples/twins/both.yaml
run examples/twins/both.yaml both.db --seed 1 --set plan.seconds=8
holds both.db "count(*) = 1 FROM task_view WHERE expr LIKE 'navigate%' AND status = 'done'" || fail "the hands keep the plan from driving"
holds both.db "(SELECT min(x) $X) < -0.9 AND (SELECT x $X ORDER BY t_s DESC LIMIT 1) > -0.8" || fail "after the plan has driven the hands do not go on"

# While the plan has claimed the base it stands.
sed 's/^      - { as: ann, follow: { arm: left } }/&\n      - { as: ann, using: { actuators: [ base ], do: { wait: { seconds: 100 } } } }/' "$plan" >examples/twins/claimed.yaml
run examples/twins/claimed.yaml claimed.db --seed 1
holds claimed.db "count(*) = 0 $V" || fail "the hands drive a base that the plan has claimed"

refuse 's/base_follows_hands/base_follows_hand/' "assist: must be base_follows_hands, not 'base_follows_hand'"
refuse '/assist:/ d' 'base_speed: is of assist: base_follows_hands, which is not there'
refuse 's/    assist: .*/&\n    base_rate: 0/' 'base_rate: must be from 0.01 to 10'
refuse '/base_speed/ s/\$speed/0.004/' 'base_speed: must be from 0.005 to 2'
refuse 's/    assist: .*/&\n    dead_zone: -0.01/' 'dead_zone: must be from 0 to 1'
sed 's/    assist: .*/&\n    dead_zone: 0/; /base_speed/ s/\$speed/0.005/' "$plan" >examples/twins/least.yaml
run examples/twins/least.yaml least.db --seed 1
holds least.db "max(v1) = 0.005 $V" || fail "at the least speed the base drives with $(sqlite3 least.db "SELECT max(v1) $V") m/s"
refuse 's/two_arms/feeling_arm/; /arm: right/ d' 'the base of ann is fixed, and no hands drive it'
