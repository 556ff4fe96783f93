#!/bin/sh
# The table is set for four, with the default noise. Arguments: number of seeds, the least that must succeed, and the
# first seed (or "random", which is printed).
. "${0%/*}/lib.sh"
n=${1:-1} least=${2:-1} first=${3:-1}
[ "$first" != random ] || first=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
echo "seeds $first to $((first + n - 1))"
status=0
"$FORESEE" batch -q "$SOURCE/examples/table_for_four/table_for_four.yaml" -n "$n" --seed "$first" -j 2 -o table.db --format json >table.json || status=$?
[ "$status" -le 1 ] || fail "foresee batch ended with status $status"
good=$(sqlite3 :memory: "select json_extract(readfile('table.json'), '\$.candidates[0].succeeded');")
echo "table_for_four.yaml succeeded in $good of $n"
[ "$good" -ge "$least" ] || fail "the table was set for four in $good of $n, expected at least $least"

# The fourth cup was hidden, and found by searching: it stands at a place.
searched=$(sqlite3 -readonly table.db "select count(distinct t.episode) from task_view t join episode_view e on e.id = t.episode
    where e.outcome = 'succeeded' and t.path like '%/search/%' and t.status = 'done';")
[ "$searched" -eq "$good" ] || fail "only $searched of $good successes searched for a cup"
