#!/bin/sh
# The mind (interp, robot, belief) can reach neither the simulated world nor its senses nor ODE: nothing that
# these define is among the symbols that it leaves undefined. Arguments: the mind's library, then theirs.
set -eu
mind=$1
shift
undefined=$(nm "$mind" | awk '$1 == "U" { print $2 }' | sort -u)
defined=$(nm "$mind" | awk 'NF == 3 && $2 ~ /[TDBRC]/ { print $3 }' | sort -u)
world=$(nm "$@" 2>/dev/null | awk 'NF == 3 && $2 ~ /[TDBRC]/ { print $3 }' | sort -u)
[ -n "$undefined" ] && [ -n "$world" ] || { echo "no symbols in the libraries"; exit 1; }
printf '%s\n' "$world" | grep -qx sim_pose || { echo "the world's symbols are not among those looked for"; exit 1; }
reached=$(printf '%s\n' "$undefined" | while read -r s; do
    printf '%s\n' "$defined" | grep -qx "$s" && continue
    if printf '%s\n' "$world" | grep -qx "$s" || printf '%s\n' "$s" |
        grep -qE '^d(World|Body|Geom|Joint|Space|Mass|Collide|Init|R|Q)[A-Z]'; then echo "$s"; fi
done)
[ -z "$reached" ] || { echo "the mind reaches the world through:"; echo "$reached"; exit 1; }
echo "the mind leaves $(printf '%s\n' "$undefined" | wc -l) symbols undefined, none of the world's"
