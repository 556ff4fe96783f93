#!/bin/sh
# foresee mend: what it refuses before any time is spent, and what it leaves untouched.
. "${0%/*}/lib.sh"
FORESEE_DATA=$SOURCE
export FORESEE_DATA
cp -r "$SOURCE/examples" .
PLAN=examples/table_setting/wet_grippers.yaml

expect 2 "mend needs one plan" "$FORESEE" mend -o new.yaml
expect 2 "mend needs one plan, 2 were given" "$FORESEE" mend $PLAN $PLAN -o new.yaml
expect 2 "mend needs -o NEW.yaml" "$FORESEE" mend $PLAN
expect 2 "the log and the new plan are both to be same.yaml" "$FORESEE" mend $PLAN -o same.yaml --log same.yaml
expect 2 "--budget 10 is too little: to choose with 5 seeds and to judge with others takes 24 projections at least" \
    "$FORESEE" mend $PLAN -o new.yaml --budget 10
expect 2 "--enough needs a rate" "$FORESEE" mend $PLAN -o new.yaml --enough 2
expect 2 "--set needs SCOPE.NAME=VALUE" "$FORESEE" mend $PLAN -o new.yaml --set friction=1
expect 2 "none.yaml" "$FORESEE" mend none.yaml -o new.yaml
expect 2 "only plans and files of routines can be edited; this is world" "$FORESEE" mend "$WORLD" -o new.yaml
sed 's/achieve: within(first(?plates)/achieve: within(first(?platters)/' $PLAN >examples/table_setting/wrong.yaml
expect 2 "wrong.yaml:3" "$FORESEE" mend examples/table_setting/wrong.yaml -o new.yaml
sed 's/^body:/seq:/' $PLAN >examples/table_setting/none.yaml
expect 2 "none.yaml" "$FORESEE" mend examples/table_setting/none.yaml -o new.yaml
expect 2 "no parameter 'world.gripper_fiction'" "$FORESEE" mend $PLAN -o new.yaml --set world.gripper_fiction=0.1
printf 'p(X) :- qq(X).\n' >wrong.dl
expect 2 "wrong.dl:1:9: error: qq/1 is not defined" "$FORESEE" mend $PLAN -f wrong.dl -o new.yaml
expect 2 "none.dl" "$FORESEE" mend $PLAN -f none.dl -o new.yaml
# Only a plan is written over, and only a log gets episodes.
echo "a letter" >letter.txt
cp letter.txt kept.txt
expect 2 "holds no plan" "$FORESEE" mend $PLAN -o letter.txt
expect 2 "letter.txt" "$FORESEE" mend $PLAN -o new.yaml --log letter.txt
expect 2 "no/such" "$FORESEE" mend $PLAN -o no/such/new.yaml
cmp -s letter.txt kept.txt || fail "a letter was written over"
[ ! -e new.yaml ] || fail "a plan was written all the same"
[ -z "$(find . -name '.foresee-*')" ] || fail "something is left behind"
ls ./*-mend.db >/dev/null 2>&1 && fail "a log was made, though nothing was projected"

# What only --until ended is told as that, and not as a flaw that no edit mends.
expect 1 "3 of 3 projections were running still at 1 s, where they were cut off" \
    "$FORESEE" mend -q $PLAN -n 3 --until 1 --log cut.db -o new.yaml
expect 1 '"answered": 3, "cut_off": 3' "$FORESEE" mend -q $PLAN -n 3 --until 1 --log again.db -o new.yaml --format json

# A budget that ends before all suggestions are tried is told as that, with what is left and the budget that tries it.
expect 1 "the budget of 18 projections left out slower_throughout, other_method, try_again, more_force on top of slower" \
    "$FORESEE" mend -q $PLAN -n 2 --budget 18 --log spent.db -o new.yaml
needed=$(sed -n 's/.*; that takes --budget \([0-9]*\) at least\.$/\1/p' out.txt)
[ -n "$needed" ] && [ "$needed" -gt 18 ] || fail "no budget is named: $(cat out.txt)"
grep -q "more_force with the other seeds, which succeeds with one; " out.txt || fail "what one seed speaks for is not told: $(cat out.txt)"
exit 0
