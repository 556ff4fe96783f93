#!/bin/sh
# foresee diagnose --verify: the cause that is the cause is verified, another one refuted, and nothing is left behind.
. "${0%/*}/lib.sh"
mkdir temporary
TMPDIR=$WORK/temporary
export TMPDIR
tidy() { [ -z "$(ls -A "$TMPDIR")" ] || fail "$1 leaves something behind: $(ls "$TMPDIR")"; }
# verdict LOG FLAW: its verdict, change, and of how many placebos it showed in how many.
verdict() {
    sqlite3 :memory: "select json_extract(value, '\$.verdict'), json_extract(value, '\$.verification.change'),
        json_extract(value, '\$.verification.still') || '/' || json_extract(value, '\$.verification.placebos')
        from json_each(readfile('$1.json'), '\$.flaws') where json_extract(value, '\$.name') = '$2'
        and json_extract(value, '\$.root') limit 1;"
}
run "$TABLE/wet_grippers.yaml" wet.db
run "$TABLE/hidden_cup.yaml" hidden.db
run "$TABLE/odometry_bias.yaml" bias.db
before=$(cksum <wet.db)

diagnose wet.db --verify --suspect pads_as_believed
[ "$(verdict wet.db slipped)" = "verified|pads_as_believed|5/5" ] || fail "slipped: $(verdict wet.db slipped)"
tidy "a verification"
[ "$(cksum <wet.db)" = "$before" ] || fail "a verification changes the log"
diagnose wet.db --verify --suspect exact_percepts --jobs 1
[ "$(verdict wet.db slipped)" = "refuted|exact_percepts|0/0" ] || fail "a wrong cause: $(verdict wet.db slipped)"
diagnose hidden.db --verify --suspect 'transparent(cereal_box)'
[ "$(verdict hidden.db overlooked_occluded)" = "verified|transparent(cereal_box)|5/5" ] ||
    fail "overlooked: $(verdict hidden.db overlooked_occluded)"
diagnose bias.db --verify --suspect exact_place
[ "$(verdict bias.db mislocalised)" = "verified|exact_place|5/5" ] || fail "mislocalised: $(verdict bias.db mislocalised)"

# Without the counter everything falls before anything can slip: that says nothing.
diagnose wet.db --verify --suspect 'absent(counter_1)'
[ "$(verdict wet.db slipped)" = "unverified|absent(counter_1)|0/0" ] || fail "nothing to grip: $(verdict wet.db slipped)"

# Nor does an edit that takes the step out, or one that the plan fails with before it.
note() { sqlite3 :memory: "select value -> '\$.verification' ->> 'note' from json_each(readfile('$1.json'), '\$.flaws') where value ->> 'name' = '$2' limit 1;"; }
diagnose wet.db --verify --suspect 'edits([[delete("set_table/bring_plate")]])'
verdict wet.db slipped | grep -q '^unverified|edits(.*|0/0$' || fail "without the step: $(verdict wet.db slipped)"
[ "$(note wet.db slipped)" = "the change takes the flaw's own step out of the plan" ] || fail "without the step: $(note wet.db slipped)"
diagnose wet.db --verify --suspect \
    'edits([[insert_before("set_table/bring_plate"), step([perceive([a([type(cup)]), region(on(table_1))])])]])'
verdict wet.db slipped | grep -q '^unverified|edits(.*|0/0$' || fail "failing before: $(verdict wet.db slipped)"
[ "$(note wet.db slipped)" = "the re-run ended before it came to this step" ] || fail "failing before: $(note wet.db slipped)"
# One that mends the plan is a cause.
RAISE=set_table/bring_plate/put_within/carry_to/fetch/fetch/best_arm/pick_up/do/lift/do/do/raise/do
diagnose wet.db --verify --suspect \
    "edits([[adopt(pick_up)], [set_property(\"$RAISE\"), key(speed), value(0.1)], [set_property(\"$RAISE\"), key(acceleration), value(0.3)]])"
case "$(verdict wet.db slipped)" in verified*) ;; *) fail "a mended plan: $(verdict wet.db slipped), $(note wet.db slipped)" ;; esac
tidy "edits of the plan"

# The rules' own causes: of several the narrowest that helps, of unknown things none; a flaw without one cannot be
# tested, and the flaws of a user's own rules are.
cat >own.dl <<'DL'
flaw_intervention(slipped(T, O, H, S), pads_as_believed) :- flaw(slipped(T, O, H, S)).
flaw_intervention(slipped(T, O, H, S), transparent(what_is_not_there)) :- flaw(slipped(T, O, H, S)).
:- declare flaw(dawdled(task: task)) "A navigation took more than 2 s.".
flaw(dawdled(T)) :- operation(_, T, navigate, S, E), E - S > 2.
flaw_time(dawdled(T), S, E) :- flaw(dawdled(T)), task_start(T, S), task_end(T, E).
flaw_task(dawdled(T), T) :- flaw(dawdled(T)).
DL
diagnose wet.db --verify -f own.dl
[ "$(verdict wet.db slipped)" = "verified|pads_as_believed|5/5" ] || fail "of several causes: $(verdict wet.db slipped)"
[ "$(verdict wet.db dawdled)" = "untestable||0/0" ] || fail "a flaw without a cause: $(verdict wet.db dawdled)"
# A cause that cannot be taken away leaves the flaw untested.
cat >nothing.dl <<'DL'
flaw_intervention(dawdled(T), absent(what_is_not_there)) :- flaw(dawdled(T)).
DL
diagnose wet.db --verify -f own.dl -f nothing.dl
[ "$(verdict wet.db dawdled)" = "untestable||0/0" ] || fail "an impossible change: $(verdict wet.db dawdled)"
tidy "a second verification"

# Wrong requests.
refused() {
    _words=$1; shift
    _status=0
    "$FORESEE" diagnose "$@" >out.txt 2>err.txt || _status=$?
    [ "$_status" -eq 2 ] || fail "foresee diagnose $* ended with status $_status"
    grep -q -e "$_words" err.txt || fail "foresee diagnose $* says: $(cat err.txt)"
    tidy "foresee diagnose $*"
}
refused "did you mean 'cereal_box'" hidden.db --verify --suspect 'absent(cerael_box)'
refused "did you mean 'absent'" hidden.db --verify --suspect 'absnt(cereal_box)'
refused "jobs" hidden.db --verify --jobs 0
refused "goes with --verify" hidden.db --suspect no_ghosts
refused "goes with --verify" hidden.db --jobs 2

# What was cut off is run again up to there, and its flaws are tested like any other.
_status=0
"$FORESEE" run -q "$TABLE/wet_grippers.yaml" -o cut.db --until 21 || _status=$?
[ "$_status" -eq 3 ] || fail "a projection that was cut ended with status $_status"
diagnose cut.db --verify --suspect pads_as_believed
[ "$(verdict cut.db slipped)" = "verified|pads_as_believed|5/5" ] || fail "cut off: $(verdict cut.db slipped)"

# An interruption ends the re-runs with it.
"$FORESEE" diagnose wet.db --verify >out.txt 2>err.txt &
pid=$!
for _ in $(seq 600); do
    [ -z "$(ls -A "$TMPDIR"/*/ 2>/dev/null)" ] || break
    sleep 0.1
done
[ -n "$(ls -A "$TMPDIR"/*/)" ] || fail "no re-run has begun"
kill -TERM $pid
_status=0
wait $pid || _status=$?
[ "$_status" -eq 130 ] || fail "an interrupted verification ended with status $_status"
tidy "an interrupted verification"
[ "$(cksum <wet.db)" = "$before" ] || fail "an interrupted verification changes the log"
