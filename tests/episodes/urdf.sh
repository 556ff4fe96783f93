#!/bin/sh
# Robots from URDF files fetch a cup: an arm of seven joints, and one of six.
. "${0%/*}/lib.sh"

run "$SOURCE/tests/scenes/urdf_plan.yaml" seven.db --seed 1
[ "$(outcome seven.db)" = succeeded ] || fail "seven joints: $(outcome seven.db)"
sed "s|\.\./\.\./examples|$SOURCE/examples|g; s|one_arm.yaml|six_axis.yaml|" "$SOURCE/tests/scenes/urdf_plan.yaml" >six.yaml
run six.yaml six.db --seed 1
[ "$(outcome six.db)" = succeeded ] || fail "six joints: $(outcome six.db)"
