#!/bin/sh
# The mind (interp, robot, belief) can reach neither the simulated world nor its senses nor ODE: nothing that
# these define is among the symbols that it leaves undefined. Arguments: the mind's library, then theirs.
set -eu
mind=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
defined() { nm "$@" 2>/dev/null | awk 'NF == 3 && $2 ~ /[TDBRC]/ { print $3 }' | sort -u; }
nm "$mind" | awk '$1 == "U" { print $2 }' | sort -u >"$folder/undefined"
defined "$mind" >"$folder/mind"
defined "$@" >"$folder/world"
[ -s "$folder/undefined" ] && [ -s "$folder/world" ] || { echo "no symbols in the libraries"; exit 1; }
grep -qx sim_pose "$folder/world" || { echo "the world's symbols are not among those looked for"; exit 1; }
comm -23 "$folder/undefined" "$folder/mind" >"$folder/wanted"
reached=$({
    comm -12 "$folder/wanted" "$folder/world"
    grep -E '^d(World|Body|Geom|Joint|Space|Mass|Collide|Init|R|Q)[A-Z]' "$folder/wanted"
} | sort -u)
[ -z "$reached" ] || { echo "the mind reaches the world through:"; echo "$reached"; exit 1; }
echo "the mind leaves $(wc -l <"$folder/undefined") symbols undefined, none of the world's"
