#!/bin/sh
# Two robots lay a table in at most 0.65 of the time of one, and lay it as reliably: 18 of 20 seeds. Arguments: seeds, how many must succeed.
. "${0%/*}/lib.sh"
n=${1:-20} least=${2:-18}
for plan in lay_table lay_table_alone; do
    status=0
    "$FORESEE" batch -q "$SOURCE/examples/two_robots/$plan.yaml" -n "$n" --seed 1 -j 2 -o $plan.db >$plan.txt || status=$?
    [ "$status" -le 1 ] || fail "$plan: foresee batch ended with status $status: $(cat $plan.txt)"
    good=$(sqlite3 -readonly $plan.db "SELECT count(*) FROM episode WHERE outcome = 'succeeded'")
    [ "$good" -ge "$least" ] || fail "$plan: $good of $n succeeded, $least are wanted"
    sqlite3 -readonly $plan.db "SELECT avg(end_ns) / 1e9 FROM episode WHERE outcome = 'succeeded'" >$plan.mean
    echo "$plan: $good of $n succeeded, after $(cat $plan.mean) s in the mean"
done
awk -v two="$(cat lay_table.mean)" -v one="$(cat lay_table_alone.mean)" 'BEGIN { printf "two robots take %.2f of the time of one\n", two / one; exit two > 0.65 * one }' ||
    fail "two robots take more than 0.65 of the time of one"
