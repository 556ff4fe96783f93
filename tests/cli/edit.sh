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
