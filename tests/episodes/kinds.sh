#!/bin/sh
# Robots of the kinds that public collections hold move a can, each described in at most 30 lines beside its URDF and all with the
# same plan and the shipped routines. Arguments: number of seeds, and the first seed (or "random", which is printed).
. "${0%/*}/lib.sh"
n=${1:-1} first=${2:-1}
[ "$first" != random ] || first=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
echo "seeds $first to $((first + n - 1))"
KINDS=$SOURCE/tests/robots/kinds
cp "$KINDS"/*.yaml .
for kind in panda iiwa ur fetch tiago pr2; do
    python3 "$KINDS/kinds.py" $kind .
    [ "$(wc -l <$kind.yaml)" -le 30 ] || fail "$kind.yaml has $(wc -l <$kind.yaml) lines"
    "$FORESEE" check $kind.yaml >$kind.txt || { cat $kind.txt >&2; fail "$kind does not load"; }
    case $kind in panda | iiwa | ur) world=cell ;; *) world=hall ;; esac
    good=0
    for seed in $(seq "$first" $((first + n - 1))); do
        run move_can.yaml $kind.db --world $world.yaml --robot $kind.yaml --seed "$seed"
        [ "$(outcome $kind.db)" != succeeded ] || good=$((good + 1))
    done
    echo "$kind: $good of $n"
    [ $((10 * good)) -ge $((9 * n)) ] || fail "$kind moved the can in $good of $n projections"
done
# What made robots of these kinds fail is noted.
grep -q "urdf_base" ur.txt || fail "nothing says what becomes of the link base"
grep -q "negative by rounding" tiago.txt || fail "nothing says that an inertia was repaired"
sed '/^joints:/d' pr2.yaml >unsprung.yaml
"$FORESEE" check unsprung.yaml | grep -q "shoulder_lift_joint.*hold" || fail "nothing says that the shoulders cannot hold the arms up"
