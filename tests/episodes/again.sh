#!/bin/sh
# A log holds all that its episode was run with: run again from the log alone it gives the same log, byte for byte,
# though the files have gone or changed; and with a cause taken away, or a placebo, what that means and no more.
. "${0%/*}/lib.sh"
dump() { sqlite3 -readonly "$1" .dump | cksum; }
# again LOG NEW [options]: runs the log's episode again.
again() {
    _log=$1; _new=$2; shift 2
    _status=0
    "$FORESEE" run -q "$_log" -o "$_new" "$@" || _status=$?
}
refused() {
    _words=$1; shift
    _status=0
    "$FORESEE" "$@" >out.txt 2>err.txt || _status=$?
    [ "$_status" -eq 2 ] || fail "foresee $* ended with status $_status"
    grep -q -e "$_words" err.txt || fail "foresee $* says: $(cat err.txt)"
    [ ! -e wrong.db ] || fail "foresee $* wrote a log"
}

# ---- The same again, from the log alone.
mkdir here
cp -r "$SOURCE/examples" "$SOURCE/tests" here/
run here/examples/table_setting/wet_grippers.yaml wet.db --set robot.camera_delay=0.12
run here/examples/table_setting/hidden_cup.yaml hidden.db
run here/examples/table_setting/odometry_bias.yaml bias.db --seed 2
run here/examples/furniture/pull.yaml pull.db --set log.tolerance_mm=0.0123456789
run here/examples/handling/mug.yaml mug.db
run here/tests/scenes/urdf_plan.yaml urdf.db
run here/tests/scenes/things_plan.yaml things.db --world here/tests/scenes/parlour.yaml
mv here/tests there
_status=0
"$FORESEE" run -q here/examples/table_setting/default.yaml -o cut.db --until 7.03 || _status=$?
[ "$_status" -eq 3 ] || fail "a projection that was cut ended with status $_status"
# The files change, then go.
for file in here/examples/worlds/kitchen.yaml here/examples/robots/two_arms.yaml; do echo "nonsense: [" >>"$file"; done
again wet.db wet_again.db
[ "$(dump wet.db)" = "$(dump wet_again.db)" ] || fail "a file that changed changes the re-run"
rm -r here
for log in hidden bias pull mug urdf; do
    again $log.db ${log}_again.db
    [ "$(dump $log.db)" = "$(dump ${log}_again.db)" ] || fail "$log: the re-run is another"
done
again cut.db cut_again.db
[ "$_status" -eq 3 ] || fail "the re-run of a cut one ended with status $_status"
[ "$(dump cut.db)" = "$(dump cut_again.db)" ] || fail "the re-run is cut elsewhere"
# Meshes are not in the log: those with the same hash will do, wherever they are found.
refused "parlour.yaml:27:59: error: prism.obj is not found" run things.db -o wrong.db
( cd there/scenes && again ../../things.db ../../things_again.db )
[ "$(dump things.db)" = "$(dump things_again.db)" ] || fail "with meshes the re-run is another"
echo "# changed" >>there/scenes/prism.obj
_status=0
( cd there/scenes && "$FORESEE" run -q ../../things.db -o ../../wrong.db 2>../../err.txt ) || _status=$?
[ "$_status" -eq 2 ] || fail "a mesh that changed: status $_status"
grep -q "parlour.yaml:27:59: error: prism.obj has changed" err.txt || fail "a mesh that changed: $(cat err.txt)"
[ ! -e wrong.db ] || fail "a mesh that changed: a log was written"

# ---- Another seed, a parameter, an episode of many; what a log holds cannot be replaced.
again wet.db many.db --seed 5
again wet.db many.db --set world.gripper_friction=0.7
again many.db second.db --episode 1
[ "$(sqlite3 -readonly second.db 'select seed from episode')" -eq 5 ] || fail "episode 1 of many is not run again"
[ "$(sqlite3 -readonly many.db "select value from parameter where episode = 2 and name = 'gripper_friction'")" = 0.7 ] ||
    fail "a parameter is not set anew"
refused "is for plans" run wet.db --world other.yaml -o wrong.db
refused "for logs" run "$TABLE/default.yaml" --episode 1 -o wrong.db
refused "no episode 9" run wet.db --episode 9 -o wrong.db

# ---- Changes and placebos: noted in the log, made again with it, and one at a time.
changes() { sqlite3 -readonly "$1" "select scope || ':' || name || ':' || value from parameter
    where scope in ('change', 'placebo') order by id" | tr '\n' ' '; }
shows() { diagnose "$1"; flaws "$1.json" "name = '$2'"; }
[ "$(shows wet.db slipped)" -ge 1 ] || fail "nothing slips from wet grippers"
again wet.db dry.db --change pads_as_believed
[ "$(changes dry.db)" = "change:1:pads_as_believed " ] || fail "the log notes $(changes dry.db)"
[ "$(shows dry.db slipped)" -eq 0 ] || fail "things slip from pads that grip"
again dry.db dry_again.db
[ "$(dump dry.db)" = "$(dump dry_again.db)" ] || fail "the re-run of a changed one is another"
again dry.db both.db --change 'no_ghosts' --placebo laser=2
[ "$(changes both.db)" = "change:1:pads_as_believed change:2:no_ghosts placebo:laser:2 " ] ||
    fail "on top of a change the log notes $(changes both.db)"
again wet.db placebo.db --placebo camera=1
[ "$(dump wet.db)" != "$(dump placebo.db)" ] || fail "a placebo changes nothing"
[ "$(shows placebo.db slipped)" -ge 1 ] || fail "a placebo cures"
# What is seen before anything moves.
percepts() { sqlite3 -readonly "$1" "select type, x, y, z from percept order by id limit 20" | cksum; }
again wet.db gripper.db --placebo gripper=1
[ "$(percepts wet.db)" != "$(percepts placebo.db)" ] || fail "a placebo of the camera changes nothing that is seen"
[ "$(percepts wet.db)" = "$(percepts gripper.db)" ] || fail "a placebo of the grippers changes what is seen"
again hidden.db seen.db --change 'transparent(cereal_box)'
[ "$(outcome seen.db)" = succeeded ] || fail "through a transparent box the cup is not found"
again hidden.db gone.db --change 'absent(cereal_box)'
[ "$(outcome gone.db)" = succeeded ] || fail "without the box the cup is not found"
again hidden.db reported.db --change 'sees(cup_4)'
[ "$(outcome reported.db)" = succeeded ] || fail "a cup that is always seen is not found"
# Edits of the plan: its text in the new log is the edited one, and they are not made twice.
again wet.db edited.db --change 'edits([[set_parameter(grip_acceleration), value(20)], [adopt(pick_up)]])'
sqlite3 -readonly edited.db "select text from source where kind = 'plan'" | grep -q "provenance:" || fail "the plan was not edited"
[ "$(sqlite3 -readonly edited.db "select value from parameter where name = 'grip_acceleration'")" = 20 ] ||
    fail "an edit of a parameter does not hold"
again edited.db edited_again.db
[ "$(dump edited.db)" = "$(dump edited_again.db)" ] || fail "the re-run of an edited plan is another"
refused "did you mean 'cereal_box'" run hidden.db --change 'transparent(cerael_box)' -o wrong.db
refused "did you mean 'transparent'" run hidden.db --change 'transparnt(cereal_box)' -o wrong.db
refused "no step has the path" run wet.db --change 'edits([[delete("set_table/nowhere")]])' -o wrong.db
refused "foresee edit" run "$TABLE/default.yaml" --change 'edits([[delete("set_table")]])' -o wrong.db
refused "the streams are camera, laser" run wet.db --placebo camra=1 -o wrong.db
refused "above 0" run wet.db --placebo camera=0 -o wrong.db
