#!/bin/sh
# foresee mend: what an edit can mend is mended and judged on other seeds, what none can is said with the reason, what
# succeeds is left alone, and what is interrupted leaves a log that can be read.
. "${0%/*}/lib.sh"
cp -r "$SOURCE/examples" examples
PLAN=examples/table_setting/wet_grippers.yaml
mkdir other

# The wet grippers, into another folder, as JSON.
status=0
"$FORESEE" mend $PLAN -n 2 --budget 40 -o other/new.yaml --log mend.db --format json >story.json || status=$?
[ "$status" -eq 0 ] || fail "status $status: $(cat story.json)"
python3 - "$SOURCE/docs/mending.schema.json" <<'END' || fail "the story is not right: $(cat story.json)"
import json, sys
s = json.load(open("story.json"))
try:
    import jsonschema
    jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).validate(s)
except ImportError:
    pass
assert s["schema"] == 1 and s["outcome"] == "mended" and s["output"] == "other/new.yaml", s["outcome"]
assert s["before"] == 0 and s["after"] == s["seeds"] == 2
first = s["rounds"][0]
assert first["flaw"] == "slipped" and first["count"] == 2 and first["episode"] >= 1
kept = [t["rule"] for t in first["tries"] if t["kept"]]
assert kept == ["more_force"] == [e["rule"] for e in s["edits"]], kept
assert any(t["rule"] == "slower" and t["gone"] and t["instead"] == "slipped" for t in first["tries"])
# Judged on seeds that were not used to choose, as many as decide.
j = s["judged"]
assert j["first_seed"] == s["first_seed"] + s["seeds"] and j["mended"] >= 7 and j["broken"] == 0 and j["e"] >= 20
assert s["projections"] <= 40
END
[ "$(sqlite3 -readonly mend.db 'select count(*) from episode_view')" = "$(sqlite3 :memory: "select json_extract(readfile('story.json'), '\$.projections')")" ] ||
    fail "not all episodes are in the log"
run other/new.yaml seen.db --seed 500
[ "$(outcome seen.db)" = succeeded ] || fail "the new plan fails with another seed"
grep -q 'mended by foresee mend' other/new.yaml || fail "the new plan does not say where it comes from"

# Pads that no force makes hold: said, with the numbers, and no plan is written.
status=0
"$FORESEE" mend $PLAN -n 2 --budget 30 -o none.yaml --set world.gripper_friction=0.01 >story.txt || status=$?
[ "$status" -eq 1 ] || fail "status $status: $(cat story.txt)"
grep -qE '^Not mended: no edit helps: the pads of robot_(left|right)_gripper hold [0-9.]+ N, two times the 60 N .* and plate_4 weighs 2\.94 N\.$' story.txt || fail "the reason: $(cat story.txt)"
[ ! -e none.yaml ] || fail "a plan was written"
[ -s wet_grippers-mend.db ] || fail "the log has not its usual name"

# A flaw of one's own, and what it suggests.
cat >wet_pads.dl <<'END'
:- flaw wet_pads(Task: task, Object: object, Hand: object, Start: time) "A thing slipped out of a hand whose pads are wet.".
when slipping_grasp(Object, Hand, _, Start, _), hand_mover(Start, Hand, Task).
sentence "the pads of $2 are wet".
time Start to min(E, end) :- slipping_grasp(Object, Hand, _, Start, E).
suggests press_hard: Edits :- firmer_grasp(Hand, Start, Edits).
specialises slipped. may_cause dropped_in_transit, never_achieved.
END
status=0
"$FORESEE" mend -q $PLAN -n 2 --budget 40 -f wet_pads.dl -o other/dry.yaml --log own.db --format json >story.json || status=$?
[ "$status" -eq 0 ] || fail "status $status: $(cat story.json)"
python3 - <<'END' || fail "a flaw of one's own is not mended: $(cat story.json)"
import json
s = json.load(open("story.json"))
assert s["outcome"] == "mended" and s["rounds"][0]["flaw"] == "wet_pads", s["rounds"][0]["flaw"]
assert [e["rule"] for e in s["edits"]] == ["press_hard"], s["edits"]
END

# What succeeds is left alone.
status=0
"$FORESEE" mend examples/table_setting/default.yaml -n 2 --budget 18 -o none.yaml >story.txt || status=$?
[ "$status" -eq 0 ] || fail "status $status: $(cat story.txt)"
grep -q '^Nothing is to be mended: 4 of 4 projections succeed\.$' story.txt || fail "nothing to mend: $(cat story.txt)"
[ ! -e none.yaml ] || fail "a plan was written"

# Interrupted: what had ended is in the log, and the best so far is said.
status=0
"$FORESEE" mend $PLAN -o none.yaml --log cut.db -j 2 >story.txt 2>err.txt &
mender=$!
tries=0
while [ "$(sqlite3 -readonly cut.db 'select count(*) from episode_view' 2>/dev/null || echo 0)" -lt 1 ] && [ "$tries" -lt 600 ]; do
    sleep 0.2
    tries=$((tries + 1))
done
kill -INT "$mender"
wait "$mender" || status=$?
[ "$status" -eq 130 ] || fail "interrupted: status $status: $(cat story.txt err.txt)"
grep -q '^Interrupted\. The best plan so far is' story.txt || fail "interrupted: $(cat story.txt)"
"$FORESEE" tree cut.db --episode 1 >/dev/null || fail "the log cannot be read"
[ ! -e none.yaml ] || fail "a plan was written"
[ -z "$(find . -name '.foresee-*')" ] || fail "something is left behind"
