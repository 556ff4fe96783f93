#!/bin/sh
# A world follows a recorded robot: the same motion, records of the mind as they were, other outcomes in another world, and
# what cannot be followed.
. "${0%/*}/../episodes/lib.sh"

PLAN=$SOURCE/examples/ensemble/bound_grippers.yaml
ask() { sqlite3 -readonly "$1" "$2"; }
# refuse SENTENCE ARGUMENTS: foresee ends with status 2, says so, and writes nothing.
refuse() {
    _sentence=$1; shift
    _status=0
    "$FORESEE" "$@" -q -o refused.db >told.txt 2>&1 || _status=$?
    [ "$_status" = 2 ] || fail "exit status $_status of $*: $(cat told.txt)"
    tr '\n' ' ' <told.txt | grep -q "$_sentence" || fail "not told of $*: $(cat told.txt)"
    [ ! -e refused.db ] || fail "a log is written by $*"
}
run "$PLAN" recorded.db

# The same world follows: it comes to the same end, the can is bound by the recorded operations, and things rest where they did.
run "$PLAN" followed.db --telemetry recorded.db --seed 7
[ "$(outcome followed.db)" = succeeded ] || fail "the recorded robot does not bring the can"
[ "$(ask followed.db "select end_ns from episode")" = "$(ask recorded.db "select end_ns from episode")" ] || fail "it ends at another time"
[ "$(ask followed.db "select count(*) from switch_view where rule = 'lets_go' and done")" -ge 1 ] || fail "no trigger hears of an operation"
for table in task task_status task_note variable choice operation command reading percept percept_truth believed believed_frame association; do
    ask recorded.db "select * from $table" >was.txt
    ask followed.db "select * from $table" >is.txt
    [ -s was.txt ] || fail "nothing is recorded in $table"
    cmp -s was.txt is.txt || fail "the table $table is another one"
done
last() { ask "$1" "select p.$2 from pose p join object o on o.id = p.object where o.name = 'can_1' order by p.t desc limit 1"; }
for axis in x y z; do
    away=$(($(last recorded.db $axis) - $(last followed.db $axis)))
    [ "${away#-}" -le 2000 ] || fail "the can rests $away um away along $axis"
done
[ "$(ask followed.db "select count(*) from visibility")" = 0 ] || fail "a sense is simulated"

# It runs again from its log, byte for byte, where the very recording is found.
"$FORESEE" run -q followed.db -o again.db || fail "the log cannot be run again"
ask followed.db .dump >one.sql
ask again.db .dump >two.sql
cmp -s one.sql two.sql || fail "the episode is another one when it is run again"
mkdir -p elsewhere
cp followed.db elsewhere
mkdir -p there
mv recorded.db there
refuse "recorded.db is not found, of which the log keeps the hash alone" run elsewhere/followed.db
cp there/recorded.db elsewhere
"$FORESEE" run -q elsewhere/followed.db -o again.db || fail "the recording is not found beside the log"
sqlite3 elsewhere/recorded.db "update reading set delivered_ns = taken_ns + 1 where id = 9"
refuse "recorded.db has changed since" run elsewhere/followed.db
mv there/recorded.db .

# Another world: the motion is the same, and the can, which nothing binds, is not where it is to be. A change of the log says the same.
"$FORESEE" run -q followed.db -o smooth.db --change 'no_trigger(grasps)' && fail "friction holds the can"
[ "$(outcome smooth.db)" = failed ] || fail "a can that slips is brought"
diagnose smooth.db
[ "$(flaws smooth.db.json "bodies like '%can_1%'")" -ge 1 ] || fail "nothing is said of the can"
"$FORESEE" run -q recorded.db --telemetry recorded.db --change 'no_trigger(grasps)' -o smooth_2.db && fail "friction holds the can in the log's world"
for log in smooth smooth_2; do
    ask $log.db "select p.t, p.x, p.y, p.z from pose p join object o on o.id = p.object where o.name = 'can_1' order by p.t" >$log.txt
done
cmp -s smooth.txt smooth_2.txt || fail "a plan and a log give two worlds"

# A branch of it goes on with the recording.
status=0
"$FORESEE" branch -q followed.db --at 6 --do '{ remove: { body: can_1 } }' -o branch.db || status=$?
[ "$status" = 1 ] && [ "$(outcome branch.db)" = failed ] || fail "a branch without the can gave status $status"
[ "$(ask branch.db "select count(*) from task")" = "$(ask followed.db "select count(*) from task")" ] || fail "the branch leaves the recording"

# What is cut off is incomplete, and so is an episode that follows it.
status=0
"$FORESEE" run -q "$PLAN" -o cut.db --telemetry recorded.db --until 5 || status=$?
[ "$status" = 3 ] && [ "$(outcome cut.db)" = incomplete ] || fail "--until gave status $status, $(outcome cut.db)"
[ "$(ask cut.db "select count(*) from task where end_ns > 5000000000 or start_ns > 5000000000")" = 0 ] || fail "what came later is known"
[ "$(ask cut.db "select count(*) from task where end_ns is null and status is not null")" = 0 ] || fail "how an open task ends is known"
status=0
"$FORESEE" run -q "$PLAN" -o short.db --telemetry cut.db || status=$?
[ "$status" = 3 ] && [ "$(outcome short.db)" = incomplete ] || fail "a short recording gave status $status, $(outcome short.db)"

# What cannot be.
refuse 'there is no such log' run "$PLAN" --telemetry none.db
refuse 'not a foresee log\|no foresee log\|is no log' run "$PLAN" --telemetry "$PLAN"
refuse 'episode' run "$PLAN" --telemetry recorded.db:9
refuse 'the recorded robot and the robot of this world differ: .* has no joint' run "$TABLE/default.yaml" --telemetry recorded.db
refuse 'followed by one robot alone, and this plan has 2' run "$SOURCE/examples/two_robots/lay_table.yaml" --telemetry recorded.db
refuse 'edits of the plan would change nothing' run followed.db --change 'edits([])'
status=0
"$FORESEE" run -q "$PLAN" --telemetry recorded.db -o recorded.db 2>told.txt || status=$?
[ "$status" = 2 ] && grep -q 'give another log with -o' told.txt || fail "a recording follows itself: $(cat told.txt)"
# broken NAME SQL: a recording that was changed so.
broken() { cp recorded.db "$1"; sqlite3 "$1" "$2"; }
# The readings of encoders, whose kind a character stands for in the table.
ENCODERS="id in (select id from reading_view where kind = 'encoders')"
broken blind.db "delete from reading where $ENCODERS"
refuse 'no readings of the robot.s encoders' run "$PLAN" --telemetry blind.db
broken lists.db "update reading set value = '[1, 2]' where $ENCODERS"
refuse 'row [0-9]* of the table reading has no position for each joint' run "$PLAN" --telemetry lists.db
broken words.db "update command set v1 = 'wide' where (actuator, t, nth) = (select actuator, t, nth from command limit 1)"
refuse 'row [0-9]* of the table command has no such value as .wide. in its column .v1.' run "$PLAN" --telemetry words.db
broken late.db "update reading set taken_ns = 0 where $ENCODERS"
refuse 'has an instant before that of the row before it' run "$PLAN" --telemetry late.db
broken two.db "insert into agent select max(id) + 1, episode, 'other', object from agent"
refuse 'is of 2 robots' run "$PLAN" --telemetry two.db
# References to what there is not, which a log from elsewhere may have, are dropped.
broken loose.db "update operation set actuator = 100000, task = 100000; update percept set reading = 100000; update task set parent = 100000 where parent is not null"
"$FORESEE" run -q "$PLAN" --telemetry loose.db -o loose_followed.db || [ $? = 1 ] || fail "a loose reference is not borne"
