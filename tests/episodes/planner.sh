#!/bin/sh
# The example planner mends two plans on its own: one that names no support, and one that carries a stack.
. "${0%/*}/../episodes/lib.sh"
cp -r "$SOURCE/examples" examples
export FORESEE
for plan in table_setting/household_instructions planner/stacked_carry; do
    examples/planner/mend.sh "examples/$plan.yaml" -n 2 -r 2 -c 3 >out.txt || fail "$plan was not mended: $(cat out.txt)"
    grep -q '0 of 2 projections succeed' out.txt || fail "$plan did not fail at first: $(cat out.txt)"
    grep -q 'round 1: .* is kept' out.txt || fail "$plan: nothing was kept: $(cat out.txt)"
    status=0
    "$FORESEE" run -q "examples/$plan.mended.yaml" --seed 7 -o mended.db || status=$?
    [ "$status" -eq 0 ] || fail "$plan: the mended plan fails with another seed"
    rm -f mended.db
    [ -z "$(find examples -name '.mend-*')" ] || fail "candidates are left behind"
done
status=0
examples/planner/mend.sh 2>usage.txt || status=$?
[ "$status" -eq 2 ] || fail "no plan: status $status"
grep -q 'mend.sh PLAN.yaml' usage.txt || fail "no usage: $(cat usage.txt)"
