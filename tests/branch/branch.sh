#!/bin/sh
# Branches of an episode: what they give, that they can be run again, and what is refused.
. "${0%/*}/lib.sh"
expect 0 "" "$FORESEE" run -q plan.yaml -o log.db --seed 7

# Without a change the branch is the log, wherever it begins.
for at in 0 1.005 2.6 5; do
    rm -f same.db
    expect 0 "as it was, to the byte" "$FORESEE" branch log.db --at $at -o same.db
    [ "$(dump log.db)" = "$(dump same.db)" ] || fail "a branch at $at without a change differs from the log"
done

# What is otherwise acts from then on, and not before; and a branch can be run again and branched again.
at=1.5
"$FORESEE" branch log.db --at $at --do world.slippery=0.05 --do '{ remove: { body: brick } }' --do no_events \
    --do robot.wrist_bias=0.5 -n 2 -j 2 -o two.db >out.txt 2>err.txt || fail "branching: $(cat err.txt)"
[ "$(of two.db 'select count(*) from episode')" = 8 ] || fail "not every future has an episode: $(cat out.txt)"
same_past() { # EPISODE SQL: gives the same in both logs, up to the instant
    of log.db "$(echo "$2" | sed 's/EPISODE/1/')" >past.txt
    of two.db "$(echo "$2" | sed "s/EPISODE/$1/")" >present.txt
    [ -s past.txt ] || fail "there is nothing to compare: $2"
    cmp -s past.txt present.txt || fail "the past of episode $1 differs: $2"
}
seen() { echo "select r.taken_ns, p.type, p.x, p.y, p.z from percept p join reading r on r.id = p.reading where p.episode = $1 and r.taken_ns $2 order by p.id"; }
for episode in 1 2 3 4 5 6 7 8; do
    same_past $episode "$(seen EPISODE "<= 1500000000")"
    same_past $episode "select path, start_ns from task where episode = EPISODE and start_ns < 1500000000 order by id"
    expect 0 "" "$FORESEE" run -q two.db --episode $episode -o again.db
done
[ "$(of two.db "select group_concat(name || ' ' || value, ', ') from parameter where episode = 1 and scope = 'branch'")" = \
    "at 1.5, do world.slippery=0.05, seed 8" ] || fail "the log does not say what was otherwise"
[ "$(of log.db "$(seen 1 "> 1500000000")")" != "$(of two.db "$(seen 3 "> 1500000000")")" ] || fail "the noise is what it was"
[ "$(of two.db "$(seen 3 "> 1500000000")")" != "$(of two.db "$(seen 7 "> 1500000000")")" ] || fail "two seeds have the same noise"
far() { of two.db "select max(x) from pose_view where object = 'brick' and episode = $1"; }
of two.db "select 1 where $(far 1) > $(of log.db "select max(x) from pose_view where object = 'brick'") + 0.1" |
    grep -q 1 || fail "with less friction the push does not send the brick further"
[ "$(of two.db "select group_concat(term) from exogenous where episode = 2")" = "removed(brick)" ] || fail "the brick was not removed"
[ "$(of two.db "select count(*) from exogenous where episode = 3")" = 0 ] || fail "an event happened though none may"
# Run again, alone, a branch is the same to the byte.
expect 0 "" "$FORESEE" branch log.db --at $at --do world.slippery=0.05 -n 1 -o one.db
expect 0 "" "$FORESEE" run -q one.db -o again.db.new
[ "$(dump one.db)" = "$(dump again.db.new)" ] || fail "a branch that is run again differs"
expect 0 "" "$FORESEE" branch one.db --at 3 -o branched.db
[ "$(dump one.db)" = "$(dump branched.db)" ] || fail "a branch of a branch without a change differs from it"
expect 0 "" "$FORESEE" branch one.db:1 --at 3 --do world.weight=2 -o twice.db
expect 0 "" "$FORESEE" run -q twice.db -o twice_again.db
[ "$(dump twice.db)" = "$(dump twice_again.db)" ] || fail "a branch of a branch that is run again differs"
expect 2 "itself a branch, which began at 1.5 s" "$FORESEE" branch one.db --at 1 -o no.db
cp one.db damaged.db
sqlite3 damaged.db "update parameter set value = '1e300' where scope = 'branch' and name = 'at'"
expect 2 "a branch begins at '1e300', which is no time" "$FORESEE" run -q damaged.db -o no.db
# However many processes there are, the log is the same.
expect 0 "" "$FORESEE" branch -q log.db --at 2 -n 5 -j 1 -o j1.db
expect 0 "" "$FORESEE" branch -q log.db --at 2 -n 5 -j 3 -o j3.db
[ "$(dump j1.db)" = "$(dump j3.db)" ] || fail "-j changes the log"

# Edits of steps that have not begun.
echo '[ { set_property: top/steps/four, key: seconds, value: 2 }, { insert_before: top/steps/four, step: { log: hello } } ]' >later.yaml
expect 0 "later.yaml" "$FORESEE" branch log.db --at $at --edits later.yaml -o later.db
[ "$(of later.db "select end_ns / 1e9 from episode")" = 8.0 ] || fail "the edit of a later step did nothing: $(of later.db "select end_ns from episode")"
expect 0 "" "$FORESEE" run -q later.db -o later_again.db
[ "$(dump later.db)" = "$(dump later_again.db)" ] || fail "an edited branch that is run again differs"
# A step before those that have begun is new, and lines and paths may move: nothing that was done differs.
cat >parts.yaml <<END
plan: in_parts
projection: { world: world.yaml, robot: $SOURCE/examples/robots/one_arm.yaml }
routines: []
body:
  tag: top
  seq:
    - seq: [ { wait: { seconds: 1 } } ]
    - seq: [ { wait: { seconds: 1 } } ]
END
expect 0 "" "$FORESEE" run -q parts.yaml -o parts.db
echo '[ { insert_after: "top/seq[1]", step: { wait: { seconds: 1 } } } ]' >after.yaml
expect 0 "" "$FORESEE" branch parts.db --at 0.5 --edits after.yaml -o after.db
# What has begun cannot be edited; what acts in the past is refused with the first record that differs.
echo '[ { set_property: top/steps/two, key: seconds, value: 2 } ]' >begun.yaml
expect 2 "begun.yaml:1:19: error: the step 'top/steps/two' began at 1.000 s, before 1.500 s" "$FORESEE" branch log.db --at $at --edits begun.yaml -o no.db
echo '[ { set_parameter: first, value: 0.5 } ]' >first.yaml
expect 2 "already acts before 1.500 s: at 0.0" "$FORESEE" branch log.db --at $at --edits first.yaml -o no.db
grep -q "in the log and .* now" err.txt || fail "the refusal does not give both versions: $(cat err.txt)"
expect 2 "already acts before 1.500 s: at 0.0" "$FORESEE" branch log.db --at $at --do plan.first=0.5 -o no.db
expect 0 "" "$FORESEE" branch log.db --at $at --do plan.last=0.5 -o short.db
[ "$(of short.db "select end_ns / 1e9 from episode")" = 6.5 ] || fail "a parameter of the plan did nothing"
echo '[ { delete: top/steps/five } ]' >unknown.yaml
expect 2 "no step has the path 'top/steps/five'" "$FORESEE" branch log.db --at $at --edits unknown.yaml -o no.db

# Parameters that vary are drawn for each seed.
echo 'vary: { world.slippery: { uniform: [0.1, 0.2] } }' >vary.yaml
expect 0 "" "$FORESEE" branch -q log.db --at $at --vary vary.yaml -n 2 -o varied.db
[ "$(of varied.db "select count(distinct value) from parameter where value like 'world.slippery=%'")" = 2 ] || fail "nothing was drawn"

# What cannot change any more, and other bad input.
expect 2 "the body brick would have to differ from the start: where it starts" "$FORESEE" branch log.db --at $at --do world.place=3 -o no.db
expect 2 "an event can remove it" "$FORESEE" branch log.db --at $at --do 'absent(brick)' -o no.db
expect 2 "give edits of the plan by --edits" "$FORESEE" branch log.db --at $at --do 'edits([])' -o no.db
expect 2 "did you mean 'no_event'" "$FORESEE" branch log.db --at $at --do no_eventz -o no.db
expect 2 "a parameter of world or robot can change" "$FORESEE" branch log.db --at $at --do log.tolerance_mm=0 -o no.db
expect 2 "no parameter 'world.slipery'" "$FORESEE" branch log.db --at $at --do world.slipery=0.1 -o no.db
expect 2 "brik" "$FORESEE" branch log.db --at $at --do '{ remove: { body: brik } }' -o no.db
expect 2 "--at -1 lies before the start" "$FORESEE" branch log.db --at -1 -o no.db
expect 2 "--at 9 lies past the end: episode 1 ends at 7.000 s" "$FORESEE" branch log.db --at 9 -o no.db
expect 2 "no control cycle begins at --at 6.99 or later: the last of episode 1 begins at 6.980 s" "$FORESEE" branch log.db --at 6.99 -o no.db
expect 2 "--at needs a number" "$FORESEE" branch log.db --at noon -o no.db
expect 2 "branch needs --at SECONDS" "$FORESEE" branch log.db -o no.db
expect 2 "branch needs -o OUT.db" "$FORESEE" branch log.db --at 1
expect 2 "no episode 4" "$FORESEE" branch log.db:4 --at 1 -o no.db
expect 2 "there is a file of this name" "$FORESEE" branch log.db --at 1 -o same.db
expect 2 "without -n" "$FORESEE" branch log.db --at 1 --seed 3 -o no.db
expect 2 "plan.yaml" "$FORESEE" branch plan.yaml --at 1 -o no.db
[ ! -e no.db ] || fail "a refused branch left a log"
[ -z "$(ls -d .foresee-branch-* 2>/dev/null)" ] || fail "a folder is left"

# As JSON, and the exit status: as of run, for all futures.
echo '[ { insert_after: top/steps/four, step: { fail: searching_failed } } ]' >fail.yaml
expect 1 "" "$FORESEE" branch log.db --at $at --edits fail.yaml --format json -o fail.db
[ "$(of :memory: "select j ->> '$.futures[0].outcome' from (select readfile('out.txt') as j)")" = failed ] || fail "JSON: $(cat out.txt)"
fits branch
expect 0 "" "$FORESEE" branch log.db --at $at -n 1 --do no_events --format json -o noise.db
fits branch
expect 3 "incomplete" "$FORESEE" branch log.db --at $at --do no_events --until 2 -o cut.db
expect 2 "--do '[]' changes nothing" "$FORESEE" branch log.db --at $at --do '[]' -o none.db
expect 2 "--do '[no_events':1:11: error: expected" "$FORESEE" branch log.db --at $at --do '[no_events' -o none.db
# An episode that was cut off is cut off in its branch, too.
expect 3 "" "$FORESEE" run -q plan.yaml -o cut_log.db --until 3
expect 3 "" "$FORESEE" branch -q cut_log.db --at 2 -o cut_same.db
[ "$(dump cut_log.db)" = "$(dump cut_same.db)" ] || fail "the branch of an episode that was cut off differs"

# What a diagnosis suggests often adopts a routine whose call has begun: the step that it changes has not.
"$FORESEE" run -q "$SOURCE/examples/table_setting/wet_grippers.yaml" -o wet.db && fail "the wet plate is held"
expect 0 "" "$FORESEE" edit "$SOURCE/examples/table_setting/wet_grippers.yaml" --from wet.db:1.1 -o "$PWD/mended.yaml" --format json
sqlite3 :memory: "select json_extract(readfile('out.txt'), '\$.edits')" >force.json
expect 0 "succeeded" "$FORESEE" branch wet.db --at 15 --edits force.json -o held.db
