#!/bin/sh
# Mistakes that a person makes in a plan of a few steps: the root, its step and its suggestion are right, and the plan
# that is edited as it is suggested succeeds.
. "${0%/*}/lib.sh"
head_of() { # name, libraries: how a plan of the kitchen begins
    echo "plan: $1"
    echo "projection: { world: $SOURCE/examples/worlds/kitchen.yaml, robot: $SOURCE/examples/robots/two_arms.yaml }"
    echo "routines: [ $2 ]"
}
mended_by() { # plan, flaw, step, suggestion
    "$FORESEE" run "$1.yaml" -q -o "$1.db" >/dev/null && fail "$1: it succeeded"
    "$FORESEE" diagnose "$1.db" >"$1.txt" || [ $? -eq 1 ]
    grep -q "^  1. $2: " "$1.txt" || fail "$1: another root than $2: $(cat "$1.txt")"
    grep -q "^     for $1/$3 " "$1.txt" || fail "$1: another step than $3: $(cat "$1.txt")"
    number=$(sed -n "s/^     try $4: .*\[\(1\.[0-9]*\)\]$/\1/p" "$1.txt")
    [ -n "$number" ] || fail "$1: $4 is not suggested: $(cat "$1.txt")"
    "$FORESEE" edit --from "$1.db:1:$number" -o "$1_mended.yaml" >/dev/null
    "$FORESEE" run "$1_mended.yaml" -q -o "$1_mended.db" >/dev/null || fail "$1: it is not mended by $4: $(cat "$1_mended.yaml")"
}

# A cup is put on a plate, and then the plate is to be taken, whose rim the cup keeps the hand from.
{
    head_of laden "stacking.yaml, pick_and_place.yaml"
    cat <<'YAML'
body:
  tag: laden
  goal: [ "within(a(plate), plate_spot_1)", "stands_on(a(cup), a(plate))" ]
  seq:
    - { tag: see_plates, perceive: { all: { type: plate }, region: on(counter_1), into: "?plates" } }
    - { tag: see_cups, perceive: { all: { type: cup }, region: on(counter_1), into: "?cups" } }
    - tag: cup_on_plate
      achieve: stacked(nth(?cups, 1), nth(?plates, 1))
    - tag: serve
      achieve: within(nth(?plates, 1), plate_spot_1)
YAML
} >laden.yaml
mended_by laden unreachable serve order_steps
grep -q '^     bears cup_[0-9], ' laden.txt || fail "it is not said what the plate bears: $(cat laden.txt)"

# Two places get a cup; by a slip of copying it is the same one.
{
    head_of copied "pick_and_place.yaml"
    cat <<'YAML'
body:
  tag: copied
  goal: [ "within(a(cup), cup_spot_1)", "within(a(cup), cup_spot_2)" ]
  seq:
    - { tag: see_cups, perceive: { all: { type: cup }, region: on(counter_1), into: "?cups" } }
    - tag: first
      achieve: within(nth(?cups, 1), cup_spot_1)
    - tag: second
      achieve: within(nth(?cups, 1), cup_spot_2)
YAML
} >copied.yaml
mended_by copied clobbered second take_another
! grep -q 'try achieve_again\|try order_steps' copied.txt || fail "what cannot mend it is suggested: $(cat copied.txt)"

# What a loop put in its place is taken away again; its step cannot stand behind the loop, where its variable has no value.
{
    head_of looped "pick_and_place.yaml"
    cat <<'YAML'
body:
  tag: looped
  goal: "within(a(cup), cup_spot_1)"
  seq:
    - { tag: see_cups, perceive: { all: { type: cup }, region: on(counter_1), into: "?cups" } }
    - tag: each
      loop:
        for_each: ?cup
        of: [ "nth(?cups, 1)" ]
        do: { tag: bring, achieve: "within(?cup, cup_spot_1)" }
    - tag: move
      achieve: within(nth(?cups, 1), cup_spot_2)
YAML
} >looped.yaml
mended_by looped clobbered move order_steps
for number in $(sed -n 's/.*try .*\[\([0-9.]*\)\]$/\1/p' looped.txt); do
    "$FORESEE" edit --from "looped.db:1:$number" -o "looped_$number.yaml" >/dev/null || fail "looped: suggestion $number makes the plan wrong"
done

# A drawer is opened wide enough to look into, and not wide enough to reach into.
{
    head_of narrow "cupboard.yaml, doors.yaml, search.yaml, pick_and_place.yaml"
    cat <<'YAML'
body:
  tag: narrow
  goal: "within(a([type(cup), color(purple)]), place_4)"
  seq:
    - tag: open
      achieve: "moved_to(cabinet_drawer, 0.05)"
    - { tag: look, perceive: { all: { type: cup, color: purple }, region: on(cabinet_drawer), into: "?cups" } }
    - tag: bring
      achieve: within(first(?cups), place_4)
YAML
} | sed 's,worlds/kitchen,worlds/cupboard,' >narrow.yaml
mended_by narrow unreachable bring open_wider
