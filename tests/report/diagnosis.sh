#!/bin/sh
# The diagnosis of a projected episode: for people, for programs, with a flaw of the user's, and its edits.
. "$SOURCE/tests/cli/lib.sh"
SCHEMA="$SOURCE/docs/diagnosis.schema.json"
cp -r "$SOURCE/examples" "$SOURCE/plans" "$SOURCE/worlds" "$SOURCE/robots" . 2>/dev/null
PLAN=examples/table_setting/wet_grippers.yaml
expect 1 "" "$FORESEE" run -q "$PLAN" -o wet.db

# For people: the first cause first, numbers with thresholds and units, the plan's own lines, what to try.
expect 1 "What went wrong first, and what followed" "$FORESEE" diagnose wet.db
grep -q '^  1\. slipped: plate_4 slipped in robot_right_gripper, [0-9.]* to [0-9.]* s$' out.txt || fail "the root is not first: $(cat out.txt)"
grep -qE 'drift [0-9.]+ mm \(threshold 5 mm\)' out.txt || fail "no number with its threshold"
grep -qE '> +[0-9]+ \| .*move_arm' out.txt || fail "the culprit's line is not quoted"
grep -qE 'for set_table/bring_plate \(wet_grippers.yaml:34\)' out.txt || fail "the plan's own step is not named"
grep -qE '> +34 \| - tag: bring_plate' out.txt || fail "the plan's own line is not quoted"
grep -q 'never_achieved: .*because of 2' out.txt || fail "what followed is not explained"
grep -q 'foresee edit --from wet.db:1:1.1 -o ' out.txt || fail "it is not said how to apply a suggestion"
if grep -q "$(printf '\033')" out.txt; then fail "colours in a file"; fi
# The rules that the build prepared say what their files say: with a file beside them, which the line to paste names, they are made
# of these.
cp out.txt prepared.txt
echo '% no rule' >none.dl
expect 1 "" "$FORESEE" diagnose wet.db -f none.dl
sed 's/ -f none\.dl / /' out.txt | cmp - prepared.txt || fail "prepared rules tell something else than their files"
# A line that is quoted is the line of the file.
sed -n 34p "$PLAN" | grep -qF -e '- tag: bring_plate' || fail "line 34 is another one"

# For programs: the schema, and every suggestion is an edit that the plan takes.
expect 1 "" "$FORESEE" diagnose wet.db --format json
cp out.txt wet.json
expect 1 "" "$FORESEE" diagnose wet.db --format json --episode all
cp out.txt all.json
expect 1 '"name": "dawdled"' "$FORESEE" diagnose wet.db --format json -f "$SOURCE/examples/own_flaws/dawdled.dl"
cp out.txt own.json
if python3 -c 'import jsonschema' 2>/dev/null; then
    for file in wet all own; do
        python3 - "$SCHEMA" $file.json <<'EOF' || fail "$file.json does not fit docs/diagnosis.schema.json"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
document = json.load(open(sys.argv[2]))
wrong = list(validator.iter_errors(document))
for e in wrong: print(e.json_path, e.message)
first = document[0] if isinstance(document, list) else document
broken = json.loads(json.dumps(first)); del broken["flaws"][0]["evidence"]
sys.exit(bool(wrong) or validator.is_valid(broken))
EOF
    done
else
    echo "python3-jsonschema is not installed: the schema was not checked"
fi
flaws=$(sqlite3 :memory: "SELECT json_array_length(readfile('own.json'), '\$.flaws')")
tried=0 flaw=0
while [ "$flaw" -lt "$flaws" ]; do
    count=$(sqlite3 :memory: "SELECT json_array_length(readfile('own.json'), '\$.flaws[$flaw].suggests')")
    [ "$count" -gt 0 ] || fail "flaw $((flaw + 1)) suggests nothing"
    s=0
    while [ "$s" -lt "$count" ]; do
        sqlite3 :memory: "SELECT json_extract(readfile('own.json'), '\$.flaws[$flaw].suggests[$s].edits')" >edits.json
        expect 0 "" "$FORESEE" edit "$PLAN" edits.json -o examples/table_setting/mended.yaml
        cmp -s "$PLAN" examples/table_setting/mended.yaml && fail "suggestion $s of flaw $flaw changes nothing"
        rm examples/table_setting/mended.yaml
        s=$((s + 1)) tried=$((tried + 1))
    done
    flaw=$((flaw + 1))
done
[ "$tried" -ge 6 ] || fail "only $tried suggestions"

# A flaw that the user defines is in the text and the page like the shipped ones.
expect 1 "the robot was 3.16 s on its way" "$FORESEE" diagnose wet.db -f "$SOURCE/examples/own_flaws/dawdled.dl"
grep -q 'duration 3.16 s (threshold 3 s)' out.txt || fail "its evidence is not there"
grep -qE 'try drive_faster: adopt go, in [^ ]+ set speed to 0.8' out.txt || fail "its suggestion is not there"
expect 1 "" "$FORESEE" diagnose wet.db -f "$SOURCE/examples/own_flaws/dawdled.dl" --format html -o own.html
for what in 'the robot was 3.16 s on its way' 'threshold 3 s' 'Try drive_faster' 'dawdled.dl:' 'operation row '; do
    grep -qF "$what" own.html || fail "the page does not say '$what'"
done

# A suggestion that is no list of edits is left out, which is noted once for the author of the rules.
printf '%s\n' 'flaw_suggests(slipped(T, O, H, S), nonsense, [[delete(a), delete(b)]]) :- flaw(slipped(T, O, H, S)).' >nonsense.dl
expect 1 "" "$FORESEE" diagnose wet.db --format json -f nonsense.dl
grep -q "^foresee: note: the suggestion 'nonsense' of slipped is left out: an edit gives 'delete' twice" err.txt || fail "no note: $(cat err.txt)"
[ "$(grep -c "of slipped is left out" err.txt)" -eq 1 ] || fail "it is said twice: $(cat err.txt)"
cmp -s out.txt wet.json || fail "a suggestion that is no edits changes the diagnosis"

# -o writes over an earlier diagnosis, whatever its form, and over nothing else.
: >over.txt
for format in text json html text; do
    expect 1 "" "$FORESEE" diagnose wet.db --format $format -o over.txt
done
expect 1 "" "$FORESEE" diagnose wet.db --format json --episode all -o over.txt
expect 1 "" "$FORESEE" diagnose wet.db -o over.txt
expect 1 "" "$FORESEE" diagnose wet.db
cmp -s out.txt over.txt || fail "the diagnosis in a file is another one"
printf 'mine\n' >notes.txt
for mine in "$PLAN" wet.db notes.txt nonsense.dl; do
    cksum "$mine" >before.txt
    case $mine in
        wet.db) why="is read by the command" ;;
        *) why="holds no diagnosis" ;;
    esac
    expect 2 "$mine: error: this file $why; it is not overwritten" "$FORESEE" diagnose wet.db -o "$mine"
    silent_out
    cksum "$mine" | cmp -s - before.txt || fail "$mine was written over"
done

# The page: one file that needs nothing else.
expect 1 "" "$FORESEE" diagnose wet.db --format html -o wet.html
expect 1 "" "$FORESEE" diagnose wet.db --format html -o again.html
cmp -s wet.html again.html || fail "the page differs from one time to the next"
[ "$(wc -c <wet.html)" -lt 3000000 ] || fail "the page has $(wc -c <wet.html) bytes"
if grep -qE '(src|href)="(https?:)?//' wet.html; then fail "the page asks the network"; fi
[ "$(grep -o 'src="data:image/png;base64,' wet.html | wc -l)" -ge 3 ] || fail "too few pictures"
expect 2 "one episode" "$FORESEE" diagnose wet.db --format html --episode all
echo "diagnosis: text, JSON, $tried edits and the page are right"
