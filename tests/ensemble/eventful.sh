#!/bin/sh
# An episode of several models: what its log says, that it is the same again, and that re-runs leave models and triggers out.
. "${0%/*}/../episodes/lib.sh"

ask() { sqlite3 -readonly "$1" "$2"; }
run "$SOURCE/tests/ensemble/eventful.yaml" log.db
[ "$(ask log.db "select count(*) from model_event_view where model = 'glass' and kind = 'told' and name = 'broke'")" = 1 ] ||
    fail "the glass did not break"
[ "$(ask log.db "select max(value) from attribute_state_view where object = 'glass_1'")" = 1.0 ] || fail "nothing is broken"
# It broke when it met the floor, and not before.
[ "$(ask log.db "select abs(e.t_s - c.start_s) < 0.02 from model_event_view e, contact_view c
    where e.name = 'broke' and 'glass_1' in (c.a, c.b) and 'ground' in (c.a, c.b) order by c.start_s limit 1")" = 1 ] ||
    fail "the glass broke at another time than it met the floor"
[ "$(ask log.db "select count(*) from model_event_view where model = 'slow' and kind = 'skipped'")" -ge 2 ] || fail "no step is skipped"
[ "$(ask log.db "select count(*) from model_event_view where kind = 'refused' and by = 'rings'")" = 1 ] || fail "nothing is refused"
[ "$(ask log.db "select was || ' ' || becomes || ' ' || done from switch_view where rule = 'on_failure'")" = "wild ode 1" ] ||
    fail "the model that failed does not fall back"
# Who answers for an attribute follows one another without a gap.
[ "$(ask log.db "select group_concat(model || ' ' || coalesce(end_ns, 'open'), ', ') from (select * from responsibility
    where attribute = 'temperature' order by start_ns)" | sed 's/[0-9]\{3,\}/T/')" = "slow T, ode open" ] || fail "responsibilities have a gap"
for question in 'occurs_w(model_failed(wild), T)' 'holds_w(responsible(ode, cup_1, temperature), at(end))' \
    'holds_w(attribute(glass_1, broken, 1.0), at(end))' 'occurs_w(switched(cup_1, slow, ode, chills), T)' \
    'occurs_w(refused(rings, Why), T)' 'occurs_w(skipped(slow), T)'; do
    "$FORESEE" query log.db "$question" >/dev/null || fail "no answer: $question"
done

# That a model failed is a flaw, with what was to happen then and what it was given last.
"$FORESEE" query log.db 'flaw(model_failed(_, wild, 0.5)), flaw_evidence(model_failed(_, wild, 0.5), configured, fall_back)' >/dev/null ||
    fail "the failure is no flaw"
"$FORESEE" diagnose log.db >told.txt || [ $? = 1 ] || fail "the log cannot be diagnosed"
grep -q 'the model `wild` failed at 0.5 s: .*last inputs: ambient = -1.7e+308' told.txt || fail "not told: $(cat told.txt)"

# The same seed gives the same log, run again from the log too.
"$FORESEE" run -q log.db -o again.db || fail "the log cannot be run again"
sqlite3 log.db .dump >log.sql
sqlite3 again.db .dump >again.sql
cmp -s log.sql again.sql || fail "the episode is another one when it is run again"

"$FORESEE" run -q log.db -o deaf.db --change 'no_trigger(falls)' || fail "no_trigger is no change"
[ "$(ask deaf.db "select count(*) from model_event_view where name = 'broke'")" = 0 ] || fail "the trigger acts all the same"
"$FORESEE" run -q log.db -o lone.db --change 'without_model(slow)' || fail "without_model is no change"
[ "$(ask lone.db "select group_concat(name) from (select name from model_view order by id)")" = ode,glass,wild ] || fail "the model is there all the same"
[ "$(ask lone.db "select max(value) from attribute_state_view where object = 'cup_1' and attribute = 'temperature'")" = 340.0 ] ||
    fail "what it answered for does not stay as it is at the start"
[ "$(ask lone.db "select count(*) from model_event_view where name = 'broke'")" = 1 ] || fail "another model is gone, too"
"$FORESEE" run -q log.db -o none.db --change 'no_trigger(fals)' 2>refused.txt && fail "a trigger that there is not is left out"
grep -q 'falls' refused.txt || fail "the nearest trigger is not named: $(cat refused.txt)"

# A model that fails ends the episode where it does not fall back.
sed 's/ *on_failure: .*//' "$SOURCE/tests/ensemble/eventful_world.yaml" >eventful_world.yaml
sed "s,\.\./\.\./examples,$SOURCE/examples," "$SOURCE/tests/ensemble/eventful.yaml" >ends.yaml
status=0
"$FORESEE" run -q ends.yaml -o ended.db 2>error.txt || status=$?
[ "$status" = 3 ] || fail "a failed model gave exit status $status"
grep -q 'the model `wild` failed at 0.5 s.*last inputs: ambient' error.txt || fail "not named: $(cat error.txt)"
[ "$(ask ended.db "select outcome from episode_view")" = invalid ] || fail "the episode is not invalid"
"$FORESEE" query ended.db 'flaw_evidence(model_failed(_, wild, 0.5), configured, end)' >/dev/null || fail "the failure is no flaw"
