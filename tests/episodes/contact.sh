#!/bin/sh
# Hands on springs: a door of 5 kg and a drawer are opened by friction on their bars and closed again, a table is
# wiped and pressed on; a hinge that is stuck and hands that are wet fail, each in its own way.
. "${0%/*}/lib.sh"
FURNITURE=$SOURCE/examples/furniture
ask() { sqlite3 -readonly "$1" "$2"; }
# within VALUE LOW HIGH
within() { ask :memory: "select $1 between $2 and $3;" | grep -q 1; }

for seed in 1 2 3; do
    run "$FURNITURE/open.yaml" door.db --seed $seed
    [ "$(outcome door.db)" = succeeded ] || fail "the door, seed $seed: $(outcome door.db)"
    angle=$(ask door.db "select max(position) * 180 / 3.14159265 from joint_view where joint = 'cupboard_hinge';")
    within "$angle" 58 64 || fail "the door, seed $seed, was opened to $angle degrees, not 60"
    rm door.db
    run "$FURNITURE/open_and_close.yaml" drawer.db --seed $seed
    [ "$(outcome drawer.db)" = succeeded ] || fail "the drawer, seed $seed: $(outcome drawer.db)"
    pulled=$(ask drawer.db "select max(position) from joint_view where joint = 'cabinet_slide';")
    within "$pulled" 0.18 0.22 || fail "the drawer, seed $seed, was pulled out by $pulled m, not 0.2"
    rm drawer.db
done

run "$FURNITURE/open.yaml" stuck.db --set world.hinge_friction=40
[ "$(outcome stuck.db)" = failed ] || fail "a hinge with 40 N m of friction: $(outcome stuck.db)"
why=$(ask stuck.db "select reason from failure_view where class = 'manipulation_goal_not_reached' order by id limit 1;")
case $why in *"stays at"*"the wrist feels"*) ;; *) fail "a stuck hinge: $why" ;; esac
diagnose stuck.db
[ "$(flaws stuck.db.json "name = 'stuck' and root")" -ge 1 ] && [ "$(flaws stuck.db.json "root and name != 'stuck'")" -eq 0 ] || fail "a stuck hinge: $(cat stuck.db.json)"
run "$FURNITURE/open.yaml" wet.db --set world.hinge_friction=6 --set world.gripper_friction=0.05
[ "$(outcome wet.db)" = failed ] || fail "wet hands on a stiff hinge: $(outcome wet.db)"
why=$(ask wet.db "select reason from failure_view where class = 'gripper_closed_completely' order by id limit 1;")
case $why in *"cupboard_door slipped out of"*) ;; *) fail "wet hands: $why" ;; esac
diagnose wet.db
[ "$(flaws wet.db.json "name = 'lost_handle' and root")" -ge 1 ] && [ "$(flaws wet.db.json "root and name != 'lost_handle'")" -eq 0 ] || fail "wet hands: $(cat wet.db.json)"
for one in world.hinge_friction=6 world.gripper_friction=0.05; do
    run "$FURNITURE/open.yaml" one.db --set $one
    [ "$(outcome one.db)" = succeeded ] || fail "with $one alone: $(outcome one.db)"
    rm one.db
done

run "$FURNITURE/wipe.yaml" wipe.db
[ "$(outcome wipe.db)" = succeeded ] || fail "wiping: $(outcome wipe.db)"
# The force on the table, as the mean over the last seconds of an operation.
feels() {
    ask wipe.db "select sum(fz * max(0, min(until, end_s) - max(t_s, end_s - $2))) / $2 from
        (select f.fz, f.t_s, min(lead(f.t_s, 1, 1e9) over (partition by f.contact order by f.t_s), c.end_s) as until
            from contact_force_view f join contact_view c on c.id = f.contact
            where f.a = 'table_1' and f.b like 'robot_right_gripper_%'),
        operation_view where name = '$1';"
}
within "$(feels press 0.8)" 19 21 || fail "it presses with $(feels press 0.8) N, not 20"
within "$(feels wipe 20)" 7.5 8.5 || fail "it wipes with $(feels wipe 20) N, not 8"
# Harder, the same.
rm wipe.db
run "$FURNITURE/wipe.yaml" wipe.db --set plan.force=20
within "$(feels wipe 15)" 19 21 || fail "it wipes with $(feels wipe 15) N, not 20"
