#!/bin/sh
# foresee edit: what it writes and refuses to write, its exit statuses, errors with their places, the way back.
. "${0%/*}/lib.sh"
FORESEE_DATA=$SOURCE
export FORESEE_DATA

cat >plan.yaml <<'END'
# A plan.
plan: talk
parameters:
  patience: { type: number, default: 5, doc: "s" }
body:
  tag: talk
  seq:
    - tag: hello
      log: "hello" # to all
    - tag: pause
      wait: { seconds: $patience }
END
cat >edits.yaml <<'END'
reason: "too quiet"
edits:
  - set_property: talk/hello
    key: log
    value: "HELLO"
  - wrap: talk/pause
    in: { on_failure: { handle: [ { failure: plan_failure, retry: 2 } ] } }
END
cp plan.yaml old.yaml
expect 0 "new.yaml: plan.yaml with 2 edits" "$FORESEE" edit plan.yaml edits.yaml -o new.yaml --inverse back.yaml
cmp -s plan.yaml old.yaml || fail "the plan itself was changed"
grep -qF 'log: "HELLO" # to all' new.yaml || fail "the edit was not made: $(cat new.yaml)"
grep -qF 'reason: too quiet' new.yaml || fail "the provenance has no reason"
expect 0 "" "$FORESEE" edit new.yaml back.yaml -o again.yaml
sed '/^provenance:/,/^parameters:/{/^parameters:/!d}' again.yaml >stripped.yaml
cmp -s stripped.yaml plan.yaml || fail "the inverse does not lead back: $(diff stripped.yaml plan.yaml)"

# The same bytes again, in place, and as JSON.
expect 0 "" "$FORESEE" edit plan.yaml edits.yaml -o new2.yaml
cmp -s new.yaml new2.yaml || fail "the same edits gave other bytes"
cp plan.yaml own.yaml
chmod 640 own.yaml
expect 0 "" "$FORESEE" edit own.yaml edits.yaml -o own.yaml --format json
cmp -s own.yaml new.yaml || fail "a plan edited in place is another"
[ "$(stat -c %a own.yaml)" = 640 ] || fail "the file's permissions were not kept"
python3 - <<'END' || fail "the result is not the JSON that was promised"
import json
r = json.load(open("out.txt"))
assert r["schema"] == 1 and r["reason"] == "too quiet" and len(r["edits"]) == 2
assert r["parent"].startswith("fnv1a64 ") and r["plan"].startswith("fnv1a64 ") and r["plan"] != r["parent"]
json.dump(r["inverse"], open("back.json", "w"))
END
expect 0 "" "$FORESEE" edit own.yaml back.json -o again.yaml
sed '/^provenance:/,/^parameters:/{/^parameters:/!d}' again.yaml >stripped.yaml
cmp -s stripped.yaml plan.yaml || fail "the inverse in JSON does not lead back"

# Wrong edits and wrong results: status 2, a place, nothing written.
refuse() { # WHAT edits...: on standard input
    cat >wrong.yaml
    expect 2 "$1" "$FORESEE" edit plan.yaml wrong.yaml -o none.yaml --inverse none_back.yaml
    silent_out
    [ -z "$(ls | grep '^none')" ] || fail "something was written: $(ls)"
}
refuse "wrong.yaml:1:11: error: no step has the path 'talk/helo'; the nearest are 'talk/hello'" <<'END'
- delete: talk/helo
END
refuse "wrong.yaml:2:3: error: this edit makes the plan wrong: none.yaml:" <<'END'
# the class is none
- wrap: talk/hello
  in: { on_failure: { handle: [ { failure: plan_failur, retry: 1 } ] } }
END
grep -qF "did you mean 'plan_failure'" err.txt || fail "the nearest class is not named: $(cat err.txt)"
refuse "did you mean 'delete'" <<'END'
- delet: talk/hello
END
refuse "this is not valid YAML" <<'END'
- delete: [
END
# A mistake that no edit wrote is reported with its place in the new plan.
cat >wrong.yaml <<'END'
- unwrap: body
END
cat >let.yaml <<'END'
plan: p
body:
  let: { x: 1 }
  in: { log: "?x" }
END
expect 2 "?x has no value here" "$FORESEE" edit let.yaml wrong.yaml -o none.yaml
[ ! -e none.yaml ] || fail "a wrong plan was written"

# Edits of a routine in another file.
cat >uses.yaml <<'END'
plan: uses
routines: [ pick_and_place.yaml ]
body:
  tag: top
  achieve: within(cup_1, table_1)
END
cat >wrong.yaml <<'END'
- insert_before: top/put_within@2/carry_to/fetch
  step: { log: "now ?object" }
END
expect 2 "adopt: carry_to" "$FORESEE" edit uses.yaml wrong.yaml -o none.yaml
grep -qF "'pick_and_place.yaml'" err.txt || fail "the file is not named: $(cat err.txt)"
{ echo "- adopt: carry_to"; cat wrong.yaml; } >right.yaml
sed -i 's/^- insert_before: .*/- insert_before: carry_to\/fetch/' right.yaml
expect 0 "" "$FORESEE" edit uses.yaml right.yaml -o adopted.yaml
grep -qF 'log: "now ?object"' adopted.yaml || fail "the adopted routine was not edited"

# A file of routines.
cp "$SOURCE/plans/doors.yaml" doors.yaml
grep -m1 '^    name: ' doors.yaml >name.txt
name=$(sed 's/^    name: //' name.txt)
printf -- '- set_property: %s\n  key: doc\n  value: "edited"\n' "$name" >doc.yaml
expect 0 "" "$FORESEE" edit doors.yaml doc.yaml -o doors_new.yaml
expect 0 "routines, no mistakes" "$FORESEE" check doors_new.yaml

# A file that is no plan is not overwritten.
echo "keep me" >notes.txt
expect 2 "holds no plan; it is not overwritten" "$FORESEE" edit plan.yaml edits.yaml -o notes.txt
mkfifo pipe
expect 2 "is a device, a pipe or a socket; it is not overwritten" "$FORESEE" edit plan.yaml edits.yaml -o pipe
cp plan.yaml behind.yaml
ln -s behind.yaml link.yaml
expect 0 "" "$FORESEE" edit plan.yaml edits.yaml -o link.yaml
[ -L link.yaml ] && grep -q '^provenance:' behind.yaml || fail "the link was overwritten, not what it leads to"
expect 2 "is read by the command; it is not overwritten" "$FORESEE" edit plan.yaml edits.yaml -o none.yaml --inverse plan.yaml
[ "$(cat notes.txt)" = "keep me" ] || fail "a file that is no plan was overwritten"
cmp -s plan.yaml old.yaml || fail "the plan was overwritten by the inverse"
expect 2 "cannot be written" "$FORESEE" edit plan.yaml edits.yaml -o no_such_folder/new.yaml
expect 2 "only plans and files of routines can be edited" "$FORESEE" edit "$SOURCE/examples/worlds/kitchen.yaml" \
    edits.yaml -o none.yaml
expect 2 "" "$FORESEE" edit no_such_plan.yaml edits.yaml -o none.yaml
expect 2 "" "$FORESEE" edit plan.yaml no_such_edits.yaml -o none.yaml
expect 2 "name the same file" "$FORESEE" edit plan.yaml edits.yaml -o none.yaml --inverse none.yaml
[ -z "$(ls | grep '^none')" ] || fail "something was written: $(ls)"
[ -z "$(ls -A | grep 'XXXXXX\|yaml\.......$')" ] || fail "half a file was left: $(ls -A)"

# ---- Suggestions of a log, by their numbers; the files that a plan names, from another folder
cp -r "$SOURCE/examples" .
HERE=examples/table_setting
expect 1 "" "$FORESEE" run -q "$HERE/wet_grippers.yaml" -o wet.db
cp wet.db odd:3
"$FORESEE" diagnose wet.db --format json >wet.json
python3 -c 'import json; json.dump(json.load(open("wet.json"))["flaws"][0]["suggests"][1]["edits"], open("second.json", "w"))'
expect 0 "" "$FORESEE" edit "$HERE/wet_grippers.yaml" second.json -o $HERE/by_file.yaml
mkdir -p new/folder
for name in wet.db:1.2 wet.db:1:1.2 odd:3:1:1.2; do
    expect 0 "$HERE/wet_grippers.yaml with" "$FORESEE" edit --from $name -o $HERE/by_name.yaml
    sed '/^provenance:/,/^projection:/{/^projection:/!d}' $HERE/by_name.yaml >a.txt
    sed '/^provenance:/,/^projection:/{/^projection:/!d}' $HERE/by_file.yaml | cmp -s - a.txt || fail "$name makes other edits"
done
grep -q 'reason: .*slipped: plate_4 slipped' $HERE/by_name.yaml || fail "the provenance does not say what for"
expect 0 "" "$FORESEE" edit --from wet.db:1.2 -o new/folder/moved.yaml --inverse new/folder/back.yaml
grep -qF 'world: ../../examples/worlds/kitchen.yaml' new/folder/moved.yaml || fail "the world is not found from there: $(head -n 20 new/folder/moved.yaml)"
expect 0 "" "$FORESEE" check new/folder/moved.yaml
expect 0 "" "$FORESEE" edit new/folder/moved.yaml new/folder/back.yaml -o $HERE/back.yaml
sed '/^provenance:/,/^projection:/{/^projection:/!d}' $HERE/back.yaml | cmp -s - $HERE/wet_grippers.yaml ||
    fail "the inverse does not lead back from another folder: $(diff $HERE/back.yaml $HERE/wet_grippers.yaml)"
# Routines beside the plan keep their place, and shipped ones their names.
mkdir own
printf 'library: own\nroutines:\n  - achieve: said(?x)\n    effects: []\n    body: { log: "?x" }\n' >own/mine.yaml
printf 'plan: own\nroutines: [ mine.yaml, "pick_and_place.yaml" ]\nbody:\n  achieve: said("a")\n' >own/plan.yaml
printf -- '- insert_after: body\n  step: { log: "b" }\n' >one.yaml
expect 0 "" "$FORESEE" edit own/plan.yaml one.yaml -o new/plan.yaml
grep -qF 'routines: [ ../own/mine.yaml, "pick_and_place.yaml" ]' new/plan.yaml || fail "routines: $(cat new/plan.yaml)"
expect 0 "" "$FORESEE" edit new/plan.yaml one.yaml -o own/again.yaml
grep -qF 'routines: [ mine.yaml, "pick_and_place.yaml" ]' own/again.yaml || fail "routines on the way back: $(cat own/again.yaml)"
expect 2 "there is no suggestion 1.9; there are 1.1 more_force, 1.2 slower" "$FORESEE" edit --from wet.db:1.9 -o none.yaml
expect 2 "a suggestion is named LOG.db:FLAW.SUGGESTION" "$FORESEE" edit --from wet.db -o none.yaml
expect 2 "episode" "$FORESEE" edit --from wet.db:7:1.1 -o none.yaml
expect 2 "none.db" "$FORESEE" edit --from none.db:1.1 -o none.yaml
expect 2 "edit --from needs at most a plan" "$FORESEE" edit plan.yaml edits.yaml --from wet.db:1.1 -o none.yaml
# A diagnosis with more rules has other numbers: the line that it prints names the rules, and makes the edits of its own suggestion.
cp "$SOURCE/examples/own_flaws/dawdled.dl" "mine own.dl"
printf 'threshold(dawdled, 1).\n' >soon.dl
expect 1 "-f 'mine own.dl' -f soon.dl" "$FORESEE" diagnose wet.db -f "mine own.dl" -f soon.dl
line=$(grep '^  foresee edit --from ' out.txt)
own=$("$FORESEE" diagnose wet.db -f "mine own.dl" -f soon.dl --format json | python3 -c 'import json, sys; print([str(f["id"]) + ".1" for f in json.load(sys.stdin)["flaws"] if f["name"] == "dawdled"][0])')
expect 0 "" "$FORESEE" edit --from "wet.db:$own" -f "mine own.dl" -f soon.dl -o $HERE/own.yaml
grep -q 'reason: .*drive_faster, for dawdled' $HERE/own.yaml || fail "not the edits of dawdled: $(grep reason $HERE/own.yaml)"
eval "$(printf '%s' "$line" | sed 's|foresee|"$FORESEE"|')" >out.txt || fail "the line that is printed, $line, cannot be pasted"
expect 2 "--rules goes with --from" "$FORESEE" edit plan.yaml edits.yaml -f soon.dl -o none.yaml
cp wet.db empty.db
sqlite3 empty.db 'DELETE FROM source'
expect 2 "does not hold its plan" "$FORESEE" edit --from empty.db:1.1 -o none.yaml
expect 2 "holds no plan" "$FORESEE" edit --from wet.db:1.1 -o second.json
mv $HERE/wet_grippers.yaml wet_grippers.old
sed 's#\.\./worlds#examples/worlds#; s#\.\./robots#examples/robots#' wet_grippers.old >wet_grippers.yaml
rm $HERE/by_name.yaml $HERE/back.yaml
expect 2 "has changed since the episode" "$FORESEE" edit --from wet.db:1.1 -o none.yaml
expect 0 "" "$FORESEE" edit wet_grippers.yaml --from wet.db:1.1 -o new/changed.yaml
grep -qF 'world: ../examples/worlds/kitchen.yaml' new/changed.yaml || fail "the world of the plan that was named"
rm wet_grippers.yaml
expect 2 "lies neither here" "$FORESEE" edit --from wet.db:1.1 -o none.yaml
[ ! -e none.yaml ] || fail "something was written all the same"
