#!/bin/sh
# Every routine of the shipped library works in a plan that is projected: the plan is done and its goals are true.
# Arguments: seeds for each plan, the least that must succeed of each, and the first seed (or "random", which is printed). Up to three
# seeds are tried only until enough have succeeded.
. "${0%/*}/lib.sh"
n=${1:-1} least=${2:-1} first=${3:-1}
[ "$first" != random ] || first=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
echo "seeds $first to $((first + n - 1))"
TASKS=$SOURCE/examples/kitchen_tasks

# Each file of routines says of itself that it has no mistakes.
for file in "$SOURCE"/plans/*.yaml; do
    "$FORESEE" check -q "$file" >check.txt 2>&1 || fail "$file: $(cat check.txt)"
done

# A goal `in` is achieved as it is said.
cat >bin.yaml <<END
plan: bin
projection: { world: $SOURCE/tests/flaws/cases/clean_toss/world.yaml, robot: $SOURCE/examples/robots/two_arms.yaml }
routines: [ pick_and_place.yaml ]
body:
  goal: "in(a(can), bin_1)"
  seq:
    - perceive: { the: { type: can }, region: on(counter_1), into: "?can" }
    - achieve: "in(?can, bin_1)"
END
run bin.yaml bin.db --seed 1
[ "$(outcome bin.db)" = succeeded ] || fail "a can is put into a bin: $(outcome bin.db)"
rm -f bin.db*

missing=0
for plan in "$TASKS"/*.yaml "$SOURCE/examples/table_for_four/table_for_two.yaml"; do
    good=0 seed=$first
    while [ $seed -lt $((first + n)) ]; do
        run "$plan" task.db --seed $seed
        if [ "$(outcome task.db)" = succeeded ]; then
            good=$((good + 1))
        else
            echo "${plan##*/}, seed $seed: $(sqlite3 -readonly task.db "select class || ': ' || reason from failure_view where cause is null order by id desc limit 1;")"
        fi
        rm -f task.db*
        [ "$n" -gt 3 ] || [ "$good" -lt "$least" ] || break
        seed=$((seed + 1))
    done
    echo "${plan##*/} succeeded in $good of $n"
    [ $good -ge "$least" ] || missing=$((missing + 1))
done
[ $missing -eq 0 ] || fail "$missing plans succeeded in fewer than $least of $n"
