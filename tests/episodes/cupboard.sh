#!/bin/sh
# A drawer and a door are pulled open by their handles; a hand that does not look where it stands misses the bar.
. "${0%/*}/lib.sh"
OPEN=$SOURCE/examples/furniture/pull.yaml

for door in cabinet_drawer cupboard_door; do
    for seed in 1 2 3; do
        run "$OPEN" open.db --seed $seed --set plan.door=$door
        [ "$(outcome open.db)" = succeeded ] || fail "$door, seed $seed: $(outcome open.db)"
        rm open.db
    done
done
# What stands in the drawer comes along, and the joint says by how much.
run "$OPEN" drawer.db
moved=$(sqlite3 -readonly drawer.db "select 1000 * (select min(y) - max(y) from pose_view where object = 'cup_5');")
[ "${moved%.*}" -lt -90 ] && [ "${moved%.*}" -gt -120 ] || fail "the cup in the drawer moved by $moved mm"
# A short pull leaves it closed.
run "$OPEN" short.db --set plan.pull=0.01
[ "$(outcome short.db)" != succeeded ] || fail "pulled by 10 mm it counts as open"

sed "s|\.\./|$SOURCE/examples/|; /- localise/d" "$OPEN" >blind.yaml
missed=0
for seed in 5 6 7 8; do
    run blind.yaml blind.db --seed $seed --set plan.door=cupboard_door
    [ "$(outcome blind.db)" = succeeded ] || missed=$((missed + 1))
    rm blind.db
done
[ $missed -ge 1 ] || fail "without localising all 4 hands found the bar"
