#!/bin/sh
# 30 drops are poured from one mug into another with default noise, and into a bowl: at least 80 % of them
# arrive. pour.sh SEEDS AT_LEAST BASE: of SEEDS seeds from BASE (random: drawn, and printed), so many must.
# Up to three seeds are tried only until enough have done so.
. "${0%/*}/lib.sh"
seeds=$1 least=$2 base=$3
[ "$base" != random ] || base=$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')
echo "seeds from $base"
PLAN=$SOURCE/examples/handling/water.yaml

# How many drops a container has in the end.
drops() {
    "$FORESEE" query "$1" "N = count { P : holds_w(poured_in(P, '$2'), at(end)) }." --format plain || true
}

good=0 all=0 seed=$base
while [ "$seed" -lt $((base + seeds)) ]; do
    run "$PLAN" mug.db --seed "$seed"
    in=$(drops mug.db mug_3)
    all=$((all + in))
    echo "seed $seed: $(outcome mug.db), $in of 30 drops"
    [ "$(outcome mug.db)" != succeeded ] || [ "$in" -lt 24 ] || good=$((good + 1))
    rm -f mug.db
    [ "$seeds" -gt 3 ] || [ "$good" -lt "$least" ] || break
    seed=$((seed + 1))
done
echo "$good of $seeds poured 80 % or more; $all drops in all"
[ "$good" -ge "$least" ] || fail "only $good of $seeds poured at least 24 of 30 drops into the mug"
[ "$seeds" -gt 3 ] || exit 0 # drops take long: a sweep looks at the rest

run "$PLAN" bowl.db --seed "$base" --set plan.into=bowl
in=$(drops bowl.db bowl_1)
[ "$in" -ge 24 ] || fail "seed $base: only $in of 30 drops are in the bowl"

# In a hurry they fly past it, and that is known to be spilled.
run "$PLAN" hasty.db --seed "$base" --set plan.pour_turning=90 --set plan.pour_lean=0
in=$(drops hasty.db mug_3)
spilled=$("$FORESEE" query hasty.db "N = count { P : occurs_w(spilled(P, _), _) }." --format plain)
echo "in a hurry $in of 30 arrive, $spilled are spilled"
[ $((in + spilled)) -ge 28 ] || fail "seed $base: of 30 drops $in arrived and $spilled were spilled"
