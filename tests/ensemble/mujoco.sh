#!/bin/sh
# A parcel slides down a chute in MuJoCo, and physics has it before and after: who answers for it, what the log has of it, what it touches.
. "${0%/*}/../episodes/lib.sh"

ask() { sqlite3 -readonly "$1" "$2"; }
PLAN=$SOURCE/examples/ensemble/down_the_chute.yaml WORLD=$SOURCE/examples/ensemble/chute.yaml
run "$PLAN" log.db
[ "$(ask log.db "select group_concat(rule || ' ' || becomes || ' ' || done) from (select * from switch_view order by id)")" = "slides slider 1,rests ode 1" ] ||
    fail "the parcel goes another way: $(ask log.db "select * from switch_view")"
[ "$(ask log.db "select count(*) from responsibility r join object o on o.id = r.object where o.name = 'parcel_1' and r.attribute = 'pose'
    and r.end_ns is not null and not exists (select 1 from responsibility n where n.object = r.object and n.attribute = 'pose'
    and n.start_ns = r.end_ns)")" = 0 ] || fail "responsibilities have a gap"
# It slides by Coulomb's law: 9.81 (sin 30 - 0.4 cos 30) = 1.507 m/s2, from pose to pose between 0.2 and 1 s.
[ "$(ask log.db "with p as (select t_s, x / cos(radians(30)) as way from pose_view where object = 'parcel_1' and t_s between 0.1 and 1.1),
    a as (select * from p order by abs(t_s - 0.2) limit 1), b as (select * from p order by abs(t_s - 0.6) limit 1), c as (select * from p order by abs(t_s - 1) limit 1)
    select abs(2 * ((c.way - b.way) / (c.t_s - b.t_s) - (b.way - a.way) / (b.t_s - a.t_s)) / (c.t_s - a.t_s) / 1.507 - 1) < 0.05 from a, b, c")" = 1 ] ||
    fail "it slides as it should not"
# What it touches is in the log while MuJoCo has it, and where it rests it stays.
for question in 'holds_w(contact(chute_1, parcel_1), interval(S, E))' 'holds_w(responsible(slider, parcel_1), interval(S, E))' \
    'occurs_w(switched(parcel_1, ode, slider, slides), T)' 'occurs_w(switched(parcel_1, slider, ode, rests), T)'; do
    "$FORESEE" query log.db "$question" >/dev/null || fail "no answer: $question"
done
[ "$(ask log.db "with p as (select * from pose_view where object = 'parcel_1' order by t_s), given as (select * from p
    where t_s <= (select t_s from switch_view where rule = 'rests') order by t_s desc limit 1)
    select max(abs(p.x - given.x)) < 0.0005 and max(abs(p.z - given.z)) < 0.0005 from p, given where p.t_s >= given.t_s")" = 1 ] ||
    fail "it does not rest where it was given back"

# The same seed gives the same log, run again from the log too; on one processor too.
"$FORESEE" run -q log.db -o again.db || fail "the log cannot be run again"
taskset -c 0 "$FORESEE" run -q "$PLAN" -o one.db || fail "it does not run on one processor"
sqlite3 log.db .dump >log.sql
for other in again one; do
    sqlite3 $other.db .dump >other.sql
    cmp -s log.sql other.sql || fail "$other.db is another episode"
done

# A crate at the foot of the chute: the parcel is physics' again before it pushes the crate.
mkdir -p changed
changed() { # sed script: a world and its plan
    sed "$1" "$WORLD" >changed/chute.yaml
    sed "s,\.\./robots,$SOURCE/examples/robots," "$PLAN" >changed/plan.yaml
}
changed 's/^  parcel_1:.*/&\n  crate_1: { type: parcel, at: [2.7, 0, 0] }/'
run changed/plan.yaml met.db
[ "$(ask met.db "select group_concat(rule || bindings || becomes) from (select * from switch_view order by id)")" = "slides[]slider,touched[crate_1]ode" ] ||
    fail "it does not come back: $(ask met.db "select * from switch_view")"
[ "$(ask met.db "select max(x) > 2.75 from pose_view where object = 'crate_1'")" = 1 ] || fail "the crate is not pushed"

# Two that do not answer at their start, since they are given no time, never have what the first was to own.
LATE='class: mujoco, step: service, every: 0.002, timeout: 0.001, outputs: { pose(parcel_1): parcel_1 }'
changed "s/slider: {.*/slider: { $LATE, on_failure: { fall_back: other } }\\n    other: { $LATE, on_failure: { fall_back: ode } }/;"'
 s/^  triggers:/  owns: { slider: [ pose(parcel_1) ] }\n&/'
run changed/plan.yaml late.db
[ "$(ask late.db "select group_concat(t_s || ' ' || was || ' ' || becomes || ' ' || rule || ' ' || done) from switch_view where done")" = \
    "0.0 slider ode on_failure 1" ] || fail "it is not said that it fell back: $(ask late.db "select * from switch_view")"

# What cannot be is said where it stands.
for change in 's/every: 0.002/every: 0.004/=`every` 0.002 s' 's/step: service/step: free/=`step: service`' \
    's/parcel_1 } }/chute_1 } }/=cannot move `chute_1`' 's/outputs: {.*} }/contacts: 0, &/=`contacts`'; do
    changed "${change%%=*}"
    status=0
    "$FORESEE" run -q changed/plan.yaml -o refused.db 2>error.txt || status=$?
    [ "$status" = 2 ] || fail "exit status $status for ${change%%=*}: $(cat error.txt)"
    grep -q "chute.yaml:[0-9]*:[0-9]*: .*${change##*=}" error.txt || fail "not said where it stands: $(cat error.txt)"
    rm -f refused.db
done

# Without the model physics has it all the time, and it comes to rest as far away.
"$FORESEE" run -q log.db -o physics.db --change 'without_model(slider)' || fail "the model cannot be left out"
[ "$(ask physics.db "select count(*) from switch where done")" = 0 ] || fail "it is handed over all the same"
