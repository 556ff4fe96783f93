#!/bin/sh
# An installation under DESTDIR works from its own rules, routines and examples alone.
. "${0%/*}/lib.sh"
: "${BUILD:?the build folder}"
DESTDIR=$WORK/root meson install -C "$BUILD" --no-rebuild --quiet
FORESEE=$(find root -type f -name foresee -path '*/bin/*')
data=$WORK/$(find root -type d -name foresee -path '*/share/foresee')
[ -n "$FORESEE" ] && [ -d "$data/plans" ] || fail "the program or its data are not installed"
FORESEE=$WORK/$FORESEE
run "$data/examples/table_setting/hidden_cup.yaml" hidden.db
diagnose hidden.db
[ "$(flaws hidden.db.json "name = 'overlooked_occluded'")" -ge 1 ] || fail "the installed program finds no flaw"
for page in foresee foresee-run foresee-batch foresee-query foresee-diagnose foresee-tree foresee-check; do
    [ -n "$(find root -name "$page.1*")" ] || fail "no manual page $page"
done
