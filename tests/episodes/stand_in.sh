#!/bin/sh
# A recorded robot stands in for the one whose arms follow a station: the operator and the twin work against its encoders and the contacts that
# it felt, it answers to nobody, and what does not fit is diagnosed.
. "${0%/*}/lib.sh"
cp -r "$SOURCE/examples" examples
plan=examples/twins/feel_bench.yaml
holds() { [ "$(sqlite3 "$1" "SELECT $2")" = 1 ]; }
finds() { # LOG FLAW: the flaw is among those of the log
    diagnose "$1"
    [ "$(flaws "$1.json" "name = '$2'")" -gt 0 ] || fail "$1: no $2"
}
clean() {
    diagnose "$1"
    [ "$(flaws "$1.json" 1)" = 0 ] || fail "$1: $(sqlite3 :memory: "SELECT value ->> 'name' FROM json_each(readfile('$1.json'), '\$.flaws')")"
}
LAST="FROM coupling_state_view WHERE t_s > (SELECT end_s - 1 FROM coupling_view)"
# Where the arm's joints were at three instants.
posture() {
    sqlite3 "$1" "SELECT group_concat(q, ' ') FROM (SELECT i.t, j.joint, (SELECT round(position, 2) FROM joint_view k WHERE k.joint = j.joint AND t_s <= i.t ORDER BY t_s DESC LIMIT 1) AS q
        FROM (SELECT DISTINCT joint FROM joint_view WHERE joint LIKE '%Joint-%' AND joint NOT LIKE 'bob%') j, (SELECT 3 AS t UNION SELECT 7.5 UNION SELECT 9.5) i ORDER BY i.t, j.joint)"
}
near() { # LOG LOG: both arms were at the same places, within 2 hundredths of a radian
    posture "$1" >one.txt
    posture "$2" >two.txt
    awk 'NR == FNR { n = split($0, a); next } { m = split($0, b); for (i = 1; i <= n; i++) if (a[i] - b[i] > 0.021 || b[i] - a[i] > 0.021) bad = 1; exit bad || n != m || n < 12 }' one.txt two.txt
}

run "$plan" real.db --seed 1
# Over a link that is five times as slow, with what was recorded, the operator feels what the recorded arm felt.
run "$plan" slow.db --seed 1 --telemetry real.db --set plan.delay=0.1
clean slow.db
[ "$(outcome slow.db)" = succeeded ] || fail "with the recorded arm the plan has $(outcome slow.db)"
holds slow.db "avg(remote) > 20 AND avg(felt) BETWEEN 0.95 * avg(remote) AND 1.05 * avg(remote) AND avg(observed) BETWEEN 0.95 * avg(remote) AND 1.05 * avg(remote) $LAST" ||
    fail "felt, remote and observed force: $(sqlite3 slow.db "SELECT avg(felt), avg(remote), avg(observed) $LAST")"
holds slow.db "max(angle) < 0.05 AND max(distance) BETWEEN 0.0001 AND 0.02 FROM coupling_state_view" || fail "the twin is not near the recorded arm"
near real.db slow.db || fail "the arm is not where it was recorded: $(cat one.txt two.txt)"
holds slow.db "count(*) = 1 FROM source_view WHERE kind = 'telemetry' AND name = 'real.db'" || fail "the log does not say what stood in"
# The same again, from what the log says and where the recording lies.
run slow.db again.db
dump() { sqlite3 -readonly "$1" .dump | cksum; }
[ "$(dump slow.db)" = "$(dump again.db)" ] || fail "run again with its recording the episode is another"

# The recorded arm goes where it went, whoever leads it elsewhere: operator and twin learn that they are not where it is.
run "$plan" less.db --seed 1 --telemetry real.db --set plan.distance=0.2
finds less.db twin_diverged
near real.db less.db || fail "the recorded arm follows: $(cat one.txt two.txt)"
run "$plan" deaf.db --seed 1 --telemetry real.db --set plan.loss=0.98
finds deaf.db link_lost
run "$plan" held.db --seed 1 --telemetry real.db --set plan.coupling=tdpa
finds held.db passivity_drift

# A recording of that robot alone: while it presses on the bench by itself, the operator feels that; and where the map lacks the bench, the
# twin learns of it from what the recorded arm felt.
plan=examples/twins/feel_recorded.yaml
run examples/twins/press_bench.yaml alone.db --seed 1
run "$plan" pressed.db --seed 1 --telemetry alone.db
clean pressed.db
near alone.db pressed.db || fail "the arm is not where it was recorded alone: $(cat one.txt two.txt)"
holds pressed.db "avg(remote) BETWEEN 24 AND 27 AND avg(felt) BETWEEN 0.9 * avg(remote) AND 1.1 * avg(remote) $LAST" || fail "felt and remote force: $(sqlite3 pressed.db "SELECT avg(felt), avg(remote) $LAST")"
sed 's/fixed: true, known: true, color: brown/fixed: true, color: brown/' examples/twins/lab.yaml >examples/twins/unknown.yaml
run "$plan" learns.db --seed 1 --telemetry alone.db --world examples/twins/unknown.yaml
holds learns.db "count(*) > 0 FROM believed_contact_view WHERE believed LIKE 'surface%'" || fail "the twin has no surface where the recorded arm touched something"

# Where the recorded arm went through the air and this world has a bench, the twin touches what the arm did not.
sed '/bench_1/d' examples/twins/lab.yaml >examples/twins/bare.yaml
run examples/twins/press_bench.yaml air.db --seed 1 --world examples/twins/bare.yaml
run "$plan" through.db --seed 1 --telemetry air.db
finds through.db phantom_contact

# Where the recording ends before the plan does, that is said, the arm presses no more, and the plan does not succeed.
_status=0
"$FORESEE" run -q examples/twins/press_bench.yaml -o cut.db --until 8.5 || _status=$?
[ "$_status" = 3 ] || fail "the recording that is cut ended with $_status"
_status=0
"$FORESEE" run "$plan" -o ended.db --seed 1 --telemetry cut.db >said.txt 2>&1 || _status=$?
[ "$_status" = 1 ] || fail "a plan that outlasts its recording ended with $_status: $(cat said.txt)"
grep -q 'note: the recording `cut.db` ends at 8.50 s, and the plan goes on: from then on ann rests' said.txt || fail "the end of the recording is not told: $(cat said.txt)"
holds ended.db "count(*) = 1 FROM note WHERE text LIKE 'the recording \`cut.db\` ends at 8.50 s%'" || fail "the log does not say that the recording ended"
holds ended.db "count(*) > 0 AND min(class) = max(class) AND min(class) = 'manipulation_goal_not_reached' AND min(t_ns) < 8.6e9 FROM failure WHERE reason LIKE '%the arm left follows no more%'" || fail "the step does not fail: $(sqlite3 ended.db "SELECT * FROM failure")"
holds ended.db "max(end_s) BETWEEN 8.5 AND 8.6 FROM coupling_view" || fail "the coupling lasts until $(sqlite3 ended.db "SELECT end_s FROM coupling_view")"
PRESSED="contact_wrench(ann_left_gripper, true, T, F, _)"
"$FORESEE" query ended.db "$PRESSED, F > 4, T > 8, T < 8.5" >/dev/null || fail "the arm does not press before its recording ends"
if "$FORESEE" query ended.db "$PRESSED, F > 2, T > 8.8" >answers.txt; then fail "the arm presses on after its recording: $(tail -3 answers.txt)"; fi

# What cannot be.
refuse() { # SENTENCE ARGUMENT...: it is refused with status 2, and that sentence
    _said=$1 _status=0
    shift
    "$FORESEE" run -q "$@" -o none.db >said.txt 2>&1 || _status=$?
    [ "$_status" = 2 ] && grep -q "$_said" said.txt || fail "'$*' ended with $_status: $(cat said.txt)"
    [ ! -e none.db ] || fail "a log of nothing was written"
}
refuse 'real.db: error: the recorded robot and the robot of this world differ' examples/twins/shelve_box.yaml --telemetry real.db
refuse 'drive_by_hands.yaml:[0-9]*:[0-9]*: error: the base of a recorded robot goes where it went' examples/twins/drive_by_hands.yaml --telemetry real.db
# A robot whose joints are called the same, of which one does not go as far.
sed '/joint name="Joint-4"/,/<\/joint>/s/upper="3.1"/upper="2.0"/' examples/robots/six_axis.urdf >examples/robots/short.urdf
sed 's/six_axis/short/' examples/robots/feeling_arm.yaml >examples/robots/short_arm.yaml
sed 's/feeling_arm/short_arm/' examples/twins/feel_bench.yaml >examples/twins/short.yaml
refuse 'differ: joint .ann_Joint-4. was at 2.[0-9]* rad, and the one of this world turns from -3.100 to 2.000' examples/twins/short.yaml --telemetry real.db
refuse 'controlled by nobody' "$plan" --telemetry real.db --remote 127.0.0.1:9
plan=examples/twins/feel_bench.yaml
sed 's/ann/eve/g' "$plan" >examples/twins/eve.yaml
refuse 'is of the robots ann, bob, none of which is called .eve.' examples/twins/eve.yaml --telemetry real.db
cp real.db broken.db
sqlite3 broken.db "UPDATE wrench SET fx = 'wide'"
refuse 'a row of the table wrench has no force' "$plan" --telemetry broken.db
