#!/bin/sh
# Unmodified URDF files of real robots, out of Debian's packages of documentation: they load, and what is
# not supported is named. Needs the network and apt-get; nothing is installed.
. "${0%/*}/lib.sh"

apt-get download -q dart-doc morse-simulator-doc >/dev/null 2>&1 || fail "the packages cannot be fetched"
for package in *.deb; do dpkg-deb -x "$package" .; done
DART=usr/share/doc/dart/data/urdf

# check FILE: loads without a mistake, and says what it leaves out.
check() {
    "$FORESEE" check "$1" >checked.txt 2>&1 || { cat checked.txt >&2; fail "$1 does not load"; }
    grep -q 'note: <visual> is not read' checked.txt || fail "$1: nothing is said of what is left out"
    grep -q 'robot, no mistakes' checked.txt || fail "$1 is no robot"
}
overlay() { # NAME URDF: the same with its missing meshes left out
    printf 'robot: %s\nurdf: "%s"\nmissing_meshes: skip\n' "$1" "$2" >"$1.yaml"
}

# With all their meshes: two humanoids and an industrial arm.
check $DART/drchubo/drchubo.urdf
check "$DART/KR5/KR5 sixx R650.urdf"
check usr/share/doc/dart/data/sdf/atlas/atlas_v3_no_head.urdf
# Their meshes are in packages that are not at hand: each is named, and can be left out.
PR2=$(find usr/share/morse -name pr2.urdf)
for robot in "pr2 $PR2" "wam $DART/wam/wam.urdf"; do
    name=${robot%% *} file=${robot#* }
    if "$FORESEE" check "$file" >checked.txt 2>&1; then fail "$name: missing meshes went unnoticed"; fi
    grep -q 'is not there' checked.txt || fail "$name: the missing mesh is not named"
    overlay "$name" "$file"
    check "$name.yaml"
done
grep -q 'mimic others are not supported' checked.txt || "$FORESEE" check pr2.yaml 2>&1 | grep -q 'mimic others' ||
    fail "the PR2's mimicking joints are not named"
# A file that is broken says so and where.
ATLAS=usr/share/doc/dart/data/sdf/atlas/atlas_v3.urdf
if "$FORESEE" check "$ATLAS" >checked.txt 2>&1; then fail "a joint without a link went unnoticed"; fi
grep -Eq 'atlas_v3.urdf:[0-9]+:[0-9]+: error: there is no link .head' checked.txt || fail "no place is given"
# And they are drawn.
printf 'world: hall\nbodies: { floor: { shapes: [ { plane: true } ], fixed: true, known: true } }\n' >hall.yaml
"$FORESEE" show hall.yaml --robot $DART/drchubo/drchubo.urdf -o robot.png || fail "no picture"
[ -s robot.png ] || fail "an empty picture"
