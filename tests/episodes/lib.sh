# Shared by the episode tests: run foresee, read its JSON with sqlite3.
set -eu
: "${FORESEE:?the program under test}" "${SOURCE:?the source tree}"
TABLE=$SOURCE/examples/table_setting
WORK=$(mktemp -d "${TMPDIR:-/tmp}/foresee-test.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
cd "$WORK"

fail() { echo "FAILED: $*" >&2; exit 1; }

# run PLAN LOG [options]: projects; fails the test where there is no outcome at all.
run() {
    _plan=$1; _log=$2; shift 2
    _status=0
    "$FORESEE" run -q "$_plan" -o "$_log" "$@" || _status=$?
    [ "$_status" -le 1 ] || fail "foresee run $_plan ended with status $_status"
}

# diagnose LOG [options]: the diagnosis as JSON in LOG.json.
diagnose() {
    _log=$1; shift
    _status=0
    "$FORESEE" diagnose "$_log" --format json "$@" >"$_log.json" || _status=$?
    [ "$_status" -le 1 ] || fail "foresee diagnose $_log ended with status $_status"
}

# flaws LOG.json SQL-CONDITION: how many flaws satisfy it (columns name, root, recovered, bodies, evidence).
flaws() {
    sqlite3 :memory: "select count(*) from (select json_extract(value, '\$.name') as name,
        json_extract(value, '\$.root') as root, json_extract(value, '\$.recovered') as recovered,
        json_extract(value, '\$.bodies') as bodies, json_extract(value, '\$.evidence') as evidence
        from json_each(readfile('$1'), '\$.flaws')) where $2;"
}

outcome() { sqlite3 -readonly "$1" "select outcome from episode_view order by id desc limit 1;"; }

# refuse SED SENTENCE: `check` refuses the plan $plan, changed so, with this sentence at a place in it and with no other.
refuse() {
    _bad=${plan%/*}/bad.yaml
    sed "$1" "$plan" >"$_bad"
    if "$FORESEE" check "$_bad" >said.txt 2>&1; then fail "accepted: $1"; fi
    grep -q "bad.yaml:[0-9]*:[0-9]*: error: .*$2" said.txt || fail "$1: $(cat said.txt)"
    [ "$(grep -c 'error:' said.txt)" = 1 ] || fail "$1: more than one error: $(cat said.txt)"
}
