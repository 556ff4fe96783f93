#!/bin/sh
# How often the clean shipped examples succeed, and how often one of them hits something. Arguments: seeds for each, the share in per
# cent that must succeed of all, of each one, and the first seed (or "random", which is printed).
. "${0%/*}/lib.sh"
n=${1:-20} all=${2:-97} each=${3:-90} first=${4:-random}
[ "$first" != random ] || first=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
echo "seeds $first to $((first + n - 1))"
runs=0 good=0 hits=0 low=""
for plan in furniture/open furniture/open_and_close furniture/pull furniture/wipe handling/mug handling/plate handling/water \
    kitchen_tasks/clear_shelf kitchen_tasks/deliver_cup kitchen_tasks/fetch_from_cupboard kitchen_tasks/fetch_from_drawer \
    kitchen_tasks/look_behind kitchen_tasks/search_shelf kitchen_tasks/stack_dishes kitchen_tasks/take_from_above \
    other_robots/bolted_arm other_robots/two_wheels table_for_four/table_for_four table_for_four/table_for_two \
    table_setting/default tasks/carry tray/carry; do
    status=0
    "$FORESEE" batch -q "$SOURCE/examples/$plan.yaml" -n "$n" --seed "$first" -j 2 -o sweep.db --format json >sweep.json || status=$?
    [ "$status" -le 1 ] || fail "$plan: foresee batch ended with status $status"
    done_here=$(sqlite3 :memory: "select json_extract(readfile('sweep.json'), '\$.candidates[0].succeeded');")
    hits_here=$(sqlite3 :memory: "select coalesce(sum(json_extract(value, '\$.count')), 0)
        from json_each(readfile('sweep.json'), '\$.candidates[0].flaws')
        where json_extract(value, '\$.name') in ('unexpected_collision', 'self_collision');")
    echo "$plan: $done_here of $n, $hits_here with a collision in any role"
    sqlite3 -readonly sweep.db "select '    seed ' || e.seed || ': ' || coalesce((select f.class || ': ' || f.reason from failure_view f
        where f.episode = e.id and f.cause is null order by f.id desc limit 1), 'no failure') from episode_view e where e.outcome <> 'succeeded';" | cut -c1-200
    rm -f sweep.db
    runs=$((runs + n)) good=$((good + done_here)) hits=$((hits + hits_here))
    [ $((100 * done_here)) -ge $((each * n)) ] || low="$low $plan"
done
echo "$good of $runs succeeded, $hits runs with a collision"
[ -z "$low" ] || fail "fewer than $each % of$low"
[ $((100 * good)) -ge $((all * runs)) ] || fail "$good of $runs succeeded, $all % are wanted"
[ $((100 * hits)) -le $((2 * runs)) ] || fail "$hits of $runs runs have a collision, 2 % are allowed"
