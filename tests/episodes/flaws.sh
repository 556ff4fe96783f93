#!/bin/sh
# The example plans fail as their README says, and the diagnosis names why.
. "${0%/*}/lib.sh"

run "$TABLE/hidden_cup.yaml" hidden.db
diagnose hidden.db
[ "$(flaws hidden.db.json "name = 'overlooked_occluded'")" -ge 1 ] || fail "hidden_cup.yaml: no overlooked_occluded: $(cat hidden.db.json)"
box=$(sqlite3 -readonly hidden.db "select o.name from object o where o.type = 'box' limit 1;")
[ "$(flaws hidden.db.json "name = 'overlooked_occluded' and (evidence || bodies) like '%box%'")" -ge 1 ] ||
    fail "hidden_cup.yaml: the blocker ($box) is not named: $(cat hidden.db.json)"

run "$TABLE/odometry_bias.yaml" bias.db
diagnose bias.db
[ "$(flaws bias.db.json "name in ('mislocalised', 'failed_navigation')")" -ge 1 ] ||
    fail "odometry_bias.yaml: neither mislocalised nor failed_navigation: $(cat bias.db.json)"

run "$TABLE/household_instructions.yaml" household.db
diagnose household.db
[ "$(flaws household.db.json "name = 'wrong_support' and (evidence || bodies) like '%floor%'")" -ge 1 ] ||
    fail "household_instructions.yaml: no wrong_support that names the floor: $(cat household.db.json)"
[ "$(flaws household.db.json "name = 'wrong_support' and (evidence || bodies) like '%table%'")" -ge 1 ] ||
    fail "household_instructions.yaml: wrong_support does not name the table: $(cat household.db.json)"
