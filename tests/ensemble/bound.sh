#!/bin/sh
# A model binds what friction does not hold: who answers for its pose, what the log says of it, and that it is to thank for it.
. "${0%/*}/../episodes/lib.sh"

ask() { sqlite3 -readonly "$1" "$2"; }
run "$SOURCE/examples/ensemble/bound_grippers.yaml" log.db
[ "$(ask log.db "select outcome from episode_view")" = succeeded ] || fail "the can is not brought"
[ "$(ask log.db "select distinct object || ' ' || model from bond_view")" = "can_1 grip" ] || fail "nothing is bound"
[ "$(ask log.db "select count(*) from bond_view where end_s is null or end_s <= start_s")" = 0 ] || fail "a bond does not end"
# Who answers for the pose follows one another without a gap, and the bonds are when the model does.
[ "$(ask log.db "select count(*) from responsibility r join object o on o.id = r.object where o.name = 'can_1' and r.attribute = 'pose'
    and r.end_ns is not null and not exists (select 1 from responsibility n where n.object = r.object and n.attribute = 'pose'
    and n.start_ns = r.end_ns)")" = 0 ] || fail "responsibilities have a gap"
[ "$(ask log.db "select group_concat(start_ns || '-' || end_ns) from (select * from responsibility where model = 'grip' order by start_ns)")" = \
    "$(ask log.db "select group_concat(start_ns || '-' || end_ns) from (select * from bond order by start_ns)")" ] ||
    fail "bonds and responsibilities differ"
[ "$(ask log.db "select count(*) from switch_view where rule in ('grasps', 'lets_go') and done and jump = 0")" -ge 2 ] || fail "no hand-over"
for question in 'holds_w(bound(can_1, Hand, grip), interval(S, E))' 'holds_w(responsible(grip, can_1), interval(S, E))' \
    'holds_w(object_in_hand(can_1, Hand), interval(S, E))' 'held_by(can_1, Hand, bond)' 'holds_w(responsible(ode, can_1), at(end))' \
    'occurs_w(switched(can_1, ode, grip, grasps), T)' 'occurs_w(switched(can_1, grip, ode, lets_go), T)'; do
    "$FORESEE" query log.db "$question" >/dev/null || fail "no answer: $question"
done

# The same seed gives the same log, run again from the log too.
"$FORESEE" run -q log.db -o again.db || fail "the log cannot be run again"
sqlite3 log.db .dump >log.sql
sqlite3 again.db .dump >again.sql
cmp -s log.sql again.sql || fail "the episode is another one when it is run again"

# A trigger finds what it gives: the body between the fingers, which an evaluator names.
mkdir -p found
sed "s,\.\./worlds,$SOURCE/examples/worlds,; s/  triggers:/  evaluators: { near: \"nearest(left, type(can), 0.05)\", free: \"not holds(left, _)\" }\n  triggers:/
    s/fingers(can_1) >= 2\", give: pose(can_1)/fingers(can_1) >= 1\", if: \"near(?o), free\", give: \"pose(?o)\"/" \
    "$SOURCE/examples/ensemble/bound_cell.yaml" >found/bound_cell.yaml
grep -q 'pose(?o)' found/bound_cell.yaml || fail "the trigger is as it was"
sed "s,\.\./robots,$SOURCE/examples/robots," "$SOURCE/examples/ensemble/bound_grippers.yaml" >found/plan.yaml
run found/plan.yaml found.db
[ "$(ask found.db "select distinct bindings || ' ' || effect from switch_view where rule = 'grasps' and done")" = \
    "[can_1] responsible(grip, can_1, pose)" ] || fail "what was found is not told: $(ask found.db "select * from switch")"
sed 's/nearest(left/nearest(right/' found/bound_cell.yaml >found/other.yaml && mv found/other.yaml found/bound_cell.yaml
status=0
"$FORESEE" run -q found/plan.yaml -o refused.db 2>error.txt || status=$?
[ "$status" = 2 ] || fail "exit status $status for an arm that there is not"
grep -q 'bound_cell.yaml:[0-9]*:[0-9]*: .*no arm `right`' error.txt || fail "not said where it stands: $(cat error.txt)"

# Without the hand-over friction has to hold the can, and does not.
"$FORESEE" run -q log.db -o smooth.db --change 'no_trigger(grasps)' && fail "friction holds the can"
[ "$(ask smooth.db "select count(*) from bond")" = 0 ] || fail "it is bound all the same"

# What cannot be is said where it stands.
mkdir -p refused
for change in 's/carrier: left/carrier: middle/=there is no arm and no body' 's/carrier: left/carrier: can_1/=can_1 is carried by can_1' \
    's/pose(can_1)/pose(bench_1)/=`bench_1` cannot be bound'; do
    sed "${change%%=*}" "$SOURCE/examples/ensemble/bound_cell.yaml" |
        sed "s,\.\./worlds,$SOURCE/examples/worlds,; s/^  triggers:/  owns: { grip: [ pose(OBJECT) ] }\n  triggers:/" |
        sed "s/OBJECT/$(expr "$change" : '.*bench_1' >/dev/null && echo bench_1 || echo can_1)/" >refused/bound_cell.yaml
    sed "s,\.\./robots,$SOURCE/examples/robots," "$SOURCE/examples/ensemble/bound_grippers.yaml" >refused/plan.yaml
    status=0
    "$FORESEE" run -q refused/plan.yaml -o refused.db 2>error.txt || status=$?
    [ "$status" = 2 ] || fail "exit status $status for ${change%%=*}: $(cat error.txt)"
    grep -q "bound_cell.yaml:[0-9]*:[0-9]*: .*${change##*=}" error.txt || fail "not said where it stands: $(cat error.txt)"
    rm -f refused.db
done

# A world without the section is simulated as ever: its log has nothing of models, and one that has but a model that looks on differs in
# the world's text and in what is told of that model.
mkdir alone watched
for folder in alone watched; do
    sed "s#\.\./robots#$SOURCE/examples/robots#" "$SOURCE/examples/ensemble/bound_grippers.yaml" >$folder/plan.yaml
    sed -e '/^ensemble:/,$d' -e "s#\.\./worlds#$SOURCE/examples/worlds#" "$SOURCE/examples/ensemble/bound_cell.yaml" >$folder/bound_cell.yaml
done
cat >>watched/bound_cell.yaml <<'END'
ensemble:
  main: ode
  models:
    watcher: { class: grasp_monitor, step: free, every: 0.1, inputs: { fingers: fingers(can_1) } }
END
for folder in alone watched; do
    run $folder/plan.yaml $folder.db
    sqlite3 $folder.db "delete from source where name = 'bound_cell.yaml'; $([ $folder = alone ] || echo 'delete from model; delete from model_event;') select 0" >/dev/null
    sqlite3 $folder.db .dump >$folder.sql
done
[ "$(ask watched.db "select count(*) from contact")" -gt 0 ] || fail "nothing is touched, which shows nothing"
for table in model model_event switch attribute_state bond; do
    [ "$(ask alone.db "select count(*) from $table")" = 0 ] || fail "a log without models has rows in $table"
done
cmp alone.sql watched.sql || fail "a model that looks on changes the episode"
