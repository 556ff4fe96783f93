#!/bin/sh
# mend.sh - a small transformational planner: projects a plan, diagnoses what went wrong, makes the edits that the
# diagnosis suggests, projects every new plan on the same seeds, keeps the best, and goes on until nothing fails.
#
#     examples/planner/mend.sh PLAN.yaml [-n SEEDS] [-r ROUNDS] [-c CANDIDATES]
#
# What it keeps is PLAN.mended.yaml; its status is 0 where all seeds of that succeed.
# It uses foresee's commands and sqlite3, which reads their JSON. Needs foresee in PATH, or FORESEE to name it.
set -eu

: "${FORESEE:=foresee}"
seeds=5 rounds=4 most=4 plan=''
usage() { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
while [ $# -gt 0 ]; do
    case $1 in
    -n) seeds=${2:?}; shift 2 ;;
    -r) rounds=${2:?}; shift 2 ;;
    -c) most=${2:?}; shift 2 ;;
    -*) usage ;;
    *) [ -z "$plan" ] || usage; plan=$1; shift ;;
    esac
done
[ -n "$plan" ] || usage
[ -f "$plan" ] || { echo "mend.sh: $plan: no such file" >&2; exit 2; }

# All plans lie beside the first, from whose folder the names of its world and robot start.
mended=${plan%.yaml}.mended.yaml
stem=$(dirname "$plan")/.mend-$$
work=$(mktemp -d "${TMPDIR:-/tmp}/mend.XXXXXX")
trap 'rm -rf "$work" "$stem"-*.yaml' EXIT INT TERM
sql() { sqlite3 -readonly -separator '	' :memory: "$@"; }

# tried STATUS COMMAND...: runs it; statuses above STATUS end everything.
tried() {
    _most=$1 _status=0; shift
    "$@" || _status=$?
    [ "$_status" -le "$_most" ] || { echo "mend.sh: '$*' ended with status $_status" >&2; exit "$_status"; }
}

# project LOG RESULT PLAN...: the same seeds for each plan.
project() {
    _log=$1 _result=$2; shift 2
    tried 1 "$FORESEE" batch -q "$@" -n "$seeds" -o "$_log" --format json >"$_result"
}

cp "$plan" "$stem-now.yaml"
now=$stem-now.yaml
project "$work/now.db" "$work/now.json" "$now"
rate() { sql "select json_extract(value, '\$.succeeded') from json_each(readfile('$1'), '\$.candidates') where json_extract(value, '\$.plan') = '$2'"; }
good=$(rate "$work/now.json" "$now")
echo "$plan: $good of $seeds projections succeed"

round=1
while [ "$good" -lt "$seeds" ] && [ "$round" -le "$rounds" ]; do
    # Which transformations the roots of all failures suggest, the most frequent first.
    tried 1 "$FORESEE" diagnose "$work/now.db" --episode all --format json >"$work/why.json"
    sql "select json_extract(f.value, '\$.name'), json_extract(f.value, '\$.task.path'), count(distinct d.key)
         from json_each(readfile('$work/why.json')) d, json_each(d.value, '\$.flaws') f
         where json_extract(f.value, '\$.root') group by 1, 2 order by 3 desc, 1, 2" >"$work/roots"
    while IFS='	' read -r name path count; do
        echo "  what went wrong in $count of $seeds: $name, at $path"
    done <"$work/roots"
    sql "create temp table t as select json_extract(s.value, '\$.rule') as rule, json_extract(s.value, '\$.edits') as edits,
             count(*) as times, min(s.key) as place
         from json_each(readfile('$work/why.json')) d, json_each(d.value, '\$.flaws') f, json_each(f.value, '\$.suggests') s
         where json_extract(f.value, '\$.root') group by 1, 2 order by times desc, place, 1 limit $most;
         select writefile('$work/edits-' || rowid || '.json', edits) from t; select rowid, rule from t order by rowid;" |
        sed '/^[0-9]*$/d' >"$work/rules"
    [ -s "$work/rules" ] || { echo "  the diagnosis suggests nothing"; break; }

    # Each makes a new plan; those that foresee refuses are left out.
    set --
    while IFS='	' read -r number rule; do
        candidate=$stem-$round-$number.yaml
        if "$FORESEE" edit "$now" "$work/edits-$number.json" -o "$candidate" >/dev/null 2>"$work/refused"; then
            set -- "$@" "$candidate"
        else
            echo "  $rule: refused: $(head -n 1 "$work/refused")"
        fi
    done <"$work/rules"
    [ $# -gt 0 ] || break
    rm -f "$work/next.db"
    project "$work/next.db" "$work/next.json" "$@"
    best='' better=$good
    for candidate in "$@"; do
        number=${candidate##*-}; number=${number%.yaml}
        rule=$(sed -n "s/^$number	//p" "$work/rules")
        count=$(rate "$work/next.json" "$candidate")
        echo "  $rule: $count of $seeds succeed"
        [ "$count" -le "$better" ] || { best=$candidate; better=$count; chosen=$number kept=$rule; }
    done
    [ -n "$best" ] || { echo "  none is better"; break; }
    echo "round $round: $kept is kept"
    sql "select '    ' || value from json_each(readfile('$work/edits-$chosen.json'))"
    now=$best good=$better
    rm -f "$work/now.db"
    project "$work/now.db" "$work/now.json" "$now"
    round=$((round + 1))
done

cp "$now" "$mended"
echo "$mended: $good of $seeds projections succeed"
[ "$good" -eq "$seeds" ]
