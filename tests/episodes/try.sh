#!/bin/sh
# What each suggestion does, by projections over a few seeds: printed beside it, and as JSON.
. "${0%/*}/lib.sh"
run "$TABLE/wet_grippers.yaml" wet.db
cp wet.db before.db
mkdir folder
status=0
TMPDIR=$PWD/folder "$FORESEE" diagnose wet.db --try -n 2 >out.txt || status=$?
[ "$status" -eq 1 ] || fail "status $status"
cmp -s wet.db before.db || fail "the log was changed"
[ -z "$(ls -A folder)" ] || fail "projections are left behind: $(ls -A folder)"
# In dry grippers the force of the file is enough; the slower motion only moves the slip to the next motion.
grep -A1 'try more_force: .* \[1\.1\]$' out.txt | grep -q '^ *mends: 2 of 2 succeed, 0 without it$' || fail "more force: $(cat out.txt)"
grep -A1 'try slower: .* \[1\.2\]$' out.txt | grep -qE '^ *(is not enough|does nothing): 0 of 2 succeed, 0 without it.* in 2, first with seed 1$' || fail "slower: $(cat out.txt)"
[ "$(grep -cE '^ *(mends|helps|is not enough|does nothing|makes it worse|cannot be made|unknown): ?' out.txt)" -eq 3 ] || fail "not the suggestions of the first root alone: $(cat out.txt)"

# As JSON, by the schema; what cannot be made says why.
cat >more.dl <<'END'
flaw_suggests(F, impossible, [[delete("no/such/step")]]) :- flaw(F), F = slipped(_, _, _, _).
flaw_suggests(F, idle, [[insert_before("set_table/bring_plate"), step([log("a word")])]]) :- flaw(F), F = slipped(_, _, _, _).
flaw_suggests(F, idle_too, [[insert_before("set_table/bring_plate"), step([log("a word")])]]) :- flaw(F), F = slipped(_, _, _, _).
END
status=0
"$FORESEE" diagnose wet.db --try -n 1 --flaw 1 -j 2 -f more.dl --format json >out.json || status=$?
[ "$status" -eq 1 ] || fail "as JSON: status $status"
python3 - "$SOURCE/docs/diagnosis.schema.json" <<'END' || fail "the JSON is not right: $(cat out.json)"
import json, sys
d = json.load(open("out.json"))
try:
    import jsonschema
    jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).validate(d)
except ImportError:
    pass
trials = {s["rule"]: s["trial"] for s in d["flaws"][0]["suggests"]}
assert trials["more_force"]["verdict"] == "mends" and trials["more_force"]["mended"] == 1, trials
assert trials["slower"]["instead"]["name"] == "slipped", trials
assert trials["impossible"]["verdict"] == "impossible" and "no/such/step" in trials["impossible"]["impossible"], trials
# Suggestions with the same edits are one version of the plan, which is projected once.
assert all(trials[rule]["instead"]["name"] == "slipped" and trials[rule]["instead"]["count"] == 1 for rule in ("idle", "idle_too")), trials
assert all("trial" not in s for f in d["flaws"][1:] for s in f["suggests"])
END

# What is wrong.
refuse() { # WHAT command...
    _what=$1
    shift
    status=0
    "$@" >out.txt 2>err.txt || status=$?
    [ "$status" -eq 2 ] || fail "'$*' ended with $status: $(cat err.txt)"
    grep -qF -e "$_what" err.txt || fail "'$*' does not say '$_what': $(cat err.txt)"
}
refuse "--samples goes with --try" "$FORESEE" diagnose wet.db -n 3
refuse "--flaw needs the number of a flaw" "$FORESEE" diagnose wet.db --try --flaw 99
cp wet.db bare.db
sqlite3 bare.db 'DELETE FROM source'
refuse "does not hold its plan" "$FORESEE" diagnose bare.db --try
