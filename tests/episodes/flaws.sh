#!/bin/sh
# The example plans fail as their README says, whatever the seed, and the diagnosis names why, as a root.
. "${0%/*}/lib.sh"
for seed in 1 2 3; do
    run "$TABLE/hidden_cup.yaml" hidden.db --seed $seed
    diagnose hidden.db
    [ "$(flaws hidden.db.json "name = 'overlooked_occluded' and root = 1 and (evidence || bodies) like '%cereal_box%'")" -ge 1 ] ||
        fail "hidden_cup.yaml, seed $seed: no overlooked_occluded as a root that names the box: $(cat hidden.db.json)"

    run "$TABLE/odometry_bias.yaml" bias.db --seed $seed
    diagnose bias.db
    [ "$(flaws bias.db.json "name in ('mislocalised', 'failed_navigation') and root = 1")" -ge 1 ] ||
        fail "odometry_bias.yaml, seed $seed: neither mislocalised nor failed_navigation as a root: $(cat bias.db.json)"

    run "$TABLE/household_instructions.yaml" household.db --seed $seed
    diagnose household.db
    for support in floor table; do
        [ "$(flaws household.db.json "name = 'wrong_support' and root = 1 and (evidence || bodies) like '%$support%'")" -ge 1 ] ||
            fail "household_instructions.yaml, seed $seed: no wrong_support as a root that names the $support: $(cat household.db.json)"
    done
    rm -f ./*.db
done
