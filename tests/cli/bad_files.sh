#!/bin/sh
# Bad files: the error names file, line and column, the status is 2, and nothing is written.
. "${0%/*}/lib.sh"

untouched() {
    _rest=$(ls -A | grep -E '\.db' || true)
    [ -z "$_rest" ] || fail "$1: something was written: $_rest"
}

expect 2 "missing.yaml" "$FORESEE" run missing.yaml
silent_out
expect 2 "" "$FORESEE" run "$WORK"
printf 'plan: x\nbody:\n  sequence:\n    - { wait: { seconds: 1 } }\n' >construct.yaml
expect 2 "construct.yaml:3:" "$FORESEE" run construct.yaml --world "$WORLD" --robot "$SOURCE/examples/robots/two_arms.yaml"
expect 2 "did you mean 'seq'" "$FORESEE" check construct.yaml
printf 'plan: x\nbody: [ wait: { seconds: 1 \n' >broken.yaml
expect 2 "broken.yaml:" "$FORESEE" run broken.yaml
printf 'plan: x\nprojection: { world: nowhere.yaml, robot: nobody.yaml }\nbody:\n  wait: { seconds: 1 }\n' >absent.yaml
expect 2 "nowhere.yaml" "$FORESEE" run absent.yaml
grep -q "nobody.yaml" err.txt || fail "the absent robot is not named in the same run"
printf 'plan: x\nbody:\n  wait: { seconds: 1 }\n' >bare.yaml
expect 2 "--world" "$FORESEE" run bare.yaml
printf 'plan: x\nbody:\n  wait: { seconds: 1 }\nbdy: 3\n' >key.yaml
expect 2 "key.yaml:4:" "$FORESEE" run key.yaml --world "$WORLD" --robot "$SOURCE/examples/robots/two_arms.yaml"
printf 'plan: x\nprojection: { world: %s, robot: %s }\nroutines: [ pick_and_place.yaml ]\nbody:\n  achieve: on(plte, no_such_table)\n' "$WORLD" \
    "$SOURCE/examples/robots/two_arms.yaml" >unknown.yaml
expect 2 "no_such_table" "$FORESEE" check unknown.yaml
printf 'plan: x\nprojection: { world: %s, robot: %s }\nbody:\n  navigate: { too: reach(table_1) }\n' "$WORLD" \
    "$SOURCE/examples/robots/two_arms.yaml" >argument.yaml
expect 2 "did you mean 'to'" "$FORESEE" check argument.yaml
# All mistakes of a plan, its scene and its actions are reported in one run, each with its place.
printf 'plan: x\nprojection: { world: nowhere.yaml, robot: nobody.yaml }\nbody:\n  - wait: 1\n  - navigate: 3\n  - navigat: { to: reach(cup_1) }\n  - blah: 3\n' >all.yaml
expect 2 "all.yaml:4:5: " "$FORESEE" check all.yaml
for what in "wait: { seconds: 1 }" "all.yaml:5:5: " "all.yaml:6:5: " "did you mean 'navigate'" "all.yaml:7:5: " nowhere.yaml nobody.yaml; do
    grep -qF -e "$what" err.txt || fail "'$what' is not told with the other mistakes: $(cat err.txt)"
done
printf 'plan: x\nprojection: { world: %s, robot: %s }\nbody:\n  - wait: 1\n  - look_at: { at: no_such_shelf }\n  - assert: on(plte, no_such_table)\n' \
    "$WORLD" "$SOURCE/examples/robots/two_arms.yaml" >both.yaml
expect 2 "both.yaml:4:5: " "$FORESEE" run both.yaml
grep -qF "no_such_table" err.txt || fail "an unknown object is hidden by another mistake: $(cat err.txt)"
# Routines are checked on their own; they are no plan.
expect 0 "routines, no mistakes" "$FORESEE" check "$SOURCE/plans/pick_and_place.yaml"
printf 'library: x\nroutines:\n  - achieve: tidy(?x)\n    body:\n      - wait: 1\n      - log: "?y"\n      - wiat: { seconds: 1 }\n' >routines.yaml
expect 2 "routines.yaml:5:9: " "$FORESEE" check routines.yaml
grep -qF "routines.yaml:6:14: " err.txt && grep -qF "routines.yaml:7:9: " err.txt || fail "mistakes of routines are hidden: $(cat err.txt)"
expect 2 "routines" "$FORESEE" run "$SOURCE/plans/pick_and_place.yaml"
# Bytes that would steer the terminal are not shown.
printf 'plan: x\nbody: \033[31m\377\302\233 caf\303\251: [\n' >steers.yaml
expect 2 "steers.yaml:2:" "$FORESEE" check steers.yaml
! LC_ALL=C grep -q "$(printf '\033')" err.txt || fail "an escape byte reaches the terminal"
# Mistakes that only show when world and robot stand together are found before anything is written.
printf 'world: w\nrobot_at: [1, 0, 0]\nbodies:\n  crate: { fixed: true, shapes: [ { box: [0.5, 0.5, 0.5] } ], at: [1, 0, 0] }\n' >inside.yaml
printf 'plan: x\nprojection: { world: inside.yaml, robot: %s }\nbody:\n  wait: { seconds: 1 }\n' \
    "$SOURCE/examples/robots/two_arms.yaml" >start.yaml
for command in check run "batch -n 1"; do
    expect 2 "inside.yaml: " "$FORESEE" $command start.yaml
    grep -q "crate and .* overlap by" err.txt || fail "$command does not say what overlaps: $(cat err.txt)"
    silent_out
done
untouched "bad plans"

# Files that are no logs.
printf 'not a log\n' >text.db
cp text.db before.txt
expect 2 "text.db" "$FORESEE" run "$PLAN" -o text.db
cmp -s text.db before.txt || fail "a file that is no log was overwritten"
expect 2 "text.db" "$FORESEE" batch "$PLAN" -n 1 -o text.db
cmp -s text.db before.txt || fail "a file that is no log was overwritten by batch"
for command in "diagnose" "tree" "query"; do
    if [ $command = query ]; then
        expect 2 "text.db" "$FORESEE" query text.db 'flaw(F).'
        expect 2 "missing.db" "$FORESEE" query missing.db 'flaw(F).'
    else
        expect 2 "text.db" "$FORESEE" $command text.db
        expect 2 "missing.db" "$FORESEE" $command missing.db
    fi
    silent_out
done
[ ! -e missing.db ] || fail "a missing log was made"
sqlite3 other.db 'create table t(x); insert into t values (1);'
cp other.db before.txt
expect 2 "other.db" "$FORESEE" run "$PLAN" -o other.db
cmp -s other.db before.txt || fail "another program's database was changed"
expect 2 "" "$FORESEE" run "$PLAN" -o nowhere/log.db
head -c 100 /dev/urandom >random.db
expect 2 "random.db" "$FORESEE" diagnose random.db

# A read-only folder, as an ordinary user.
mkdir closed
chmod 555 closed
if [ "$(id -u)" -ne 0 ]; then
    expect 2 "closed" "$FORESEE" run "$PLAN" -o closed/log.db
else
    # Root may write anywhere; the user nobody gets copies of program and data that it can read.
    mkdir own
    cp "$FORESEE" own/foresee
    cp "$FORESEE-project" own/foresee-project
    cp -r "$SOURCE/predicates" "$SOURCE/plans" "$SOURCE/examples" own/
    chmod 755 "$WORK"
    chmod -R a+rX own
    export FORESEE_DATA="$WORK/own"
    expect 2 "closed" setpriv --reuid=65534 --regid=65534 --clear-groups own/foresee run \
        own/examples/table_setting/default.yaml -o closed/log.db
    unset FORESEE_DATA
fi
[ -z "$(ls -A closed)" ] || fail "something was written into a read-only folder"

# A known body is a frame of each robot's view, and must not be called as one of the robot's own.
named() { # PLAN WORLD BODY KNOWN
    sed "s|^bodies:|bodies:\n  $3: { shapes: [ { box: [0.1, 0.1, 0.1], at: [0, 0, 0.05] } ], at: [0.3, 0.3, 0], fixed: true, known: $4 }|" \
        "$SOURCE/examples/$2" >named.yaml
    sed "s|world: [^ ,]*|world: named.yaml|; s|\.\./robots/|$SOURCE/examples/robots/|; s|\.\./table_setting/|$SOURCE/examples/table_setting/|" \
        "$SOURCE/examples/$1" >named_plan.yaml
    cp "$SOURCE"/examples/two_robots/*_bob.yaml .
    "$FORESEE" check named_plan.yaml >out.txt 2>err.txt || true
}
place=$(grep -n '^bodies:' "$SOURCE/examples/worlds/kitchen.yaml" | cut -d: -f1)
for taken in 'map=the map' 'robot=the base' 'start=the place where the base starts' 'robot_left_gripper=a hand'; do
    named table_setting/default.yaml worlds/kitchen.yaml "${taken%%=*}" true
    grep -qF "named.yaml:$((place + 1)):3: error: no known body can be called \`${taken%%=*}\`: that is the frame of ${taken#*=} in the view of the robot; call the body otherwise" err.txt ||
        fail "the name ${taken%%=*}: $(cat err.txt)"
done
named table_setting/default.yaml worlds/kitchen.yaml start false # it never is a frame of that name
[ ! -s err.txt ] || fail "a body that the robot does not know: $(cat err.txt)"
named table_setting/default.yaml worlds/kitchen.yaml tracker true # this robot has none
[ ! -s err.txt ] || fail "a tracker that there is not: $(cat err.txt)"
named two_robots/fetch_cup.yaml two_robots/hall_with_cup.yaml bob_start true
grep -qF "that is the frame of the place where the base starts in the view of bob" err.txt || fail "the start of one of two robots: $(cat err.txt)"

# What is legal and hardly meant is a warning; the examples have none.
sed 's|on: bench_1, at: \[-0.1, 0.2\]|at: [0.5, 0.2, 1.2]|; s|^types:|gravity: [0, 0, -9.81]\ntypes:|' "$SOURCE/examples/worlds/cell.yaml" >air.yaml
expect 0 "air.yaml: warning: \`can_1\` starts 0.481 m above what is below it" "$FORESEE" check air.yaml
sed 's|-9.81|9.81|' air.yaml >up.yaml
expect 0 "up.yaml: warning: gravity points upwards: 9.81 m/s2" "$FORESEE" check up.yaml
# A handle 17 mm over the board leaves pads of 40 mm no room: they would end 3 mm within it.
sed 's|0.243, 0.047|0.243, 0.017|' "$SOURCE/examples/worlds/pantry.yaml" >low.yaml
sed "s|world: .*|world: low.yaml|; s|robot: .*/|robot: $SOURCE/examples/robots/|" "$SOURCE/examples/tray/carry.yaml" >low_carry.yaml
expect 0 "low.yaml: warning: \`tray_1\` cannot be taken at its handle (0, 0.243, 0.017) as it stands: the robot's pads would reach 3 mm" "$FORESEE" check low_carry.yaml
# A wall that is to be straddled 3 cm beside a can, and one that stands there.
for radius in 0.06 0.03; do
    printf 'world: wall\ntypes:\n  can: { mass: 0.3, shapes: [ { cylinder: [0.03, 0.12], at: [0, 0, 0.06] } ], %s }\n%s\n' \
        "grasps: [ { top: { radius: $radius, width: 0.01, low: 0.06, high: 0.12 } }, { side: { width: 0.06, low: 0.02, high: 0.1, facets: 0 } } ]" \
        "bodies: { floor: { shapes: [ { plane: true } ], fixed: true }, can_1: { type: can, on: floor, at: [0, 0] } }" >wall.yaml
    expect 0 "" "$FORESEE" check wall.yaml
    cp err.txt "wall_$radius.txt"
done
grep -qF "wall.yaml: warning: the pads that take a \`can\` by its grasp \`top\` have air between them: the nearest of its shapes is 25 mm away; \`radius\` and \`width\` describe the wall that the fingers straddle" wall_0.06.txt ||
    fail "a grasp beside the body: $(cat wall_0.06.txt)"
[ "$(grep -c warning wall_0.06.txt)" -eq 1 ] || fail "more than one warning: $(cat wall_0.06.txt)"
! grep -q warning wall_0.03.txt || fail "a warning of a good grasp: $(cat wall_0.03.txt)"
# A wait for what only a step makes true, with none beside it; with a timeout, beside another step, or for what a sensor says.
wait_in() { # STEPS
    printf 'plan: waits\nprojection: { world: %s, robot: %s }\nroutines: [ pick_and_place.yaml ]\nbody:\n%s\n' \
        "$SOURCE/examples/worlds/kitchen.yaml" "$SOURCE/examples/robots/two_arms.yaml" "$1" >waits.yaml
    expect 0 "" "$FORESEE" check waits.yaml
}
wait_in '  seq: [ { wait_for: "on(_, table_1)" }, { log: x } ]'
grep -qF 'waits.yaml:5:10: warning: wait_for: on(_, table_1) may wait for ever: only a step that looks or acts could make it true' err.txt || fail "a lone wait: $(cat err.txt)"
# Of a conjunction one such part suffices, of a disjunction all must be such.
for mute in 'and(touched(left),on(_,table_1))' 'or(on(_,table_1),in(_,shelf_1))' 'and(touched(left),or(on(_,table_1),in(_,shelf_1)))'; do
    wait_in "  wait_for: \"$mute\""
    grep -q 'waits.yaml:5:3: warning: wait_for: .* may wait for ever' err.txt || fail "no warning of '$mute': $(cat err.txt)"
done
for quiet in '  seq: [ { wait_for: "on(_, table_1)", timeout: 5 } ]' '  par: [ { wait_for: "on(_, table_1)" }, { perceive: { all: { type: cup }, region: on(table_1) } } ]' \
    '  wait_for: "gripper_force(left) > 2"' '  wait_for: "or(on(_, table_1), touched(left))"' \
    '  wait_for: "and(touched(left), or(on(_, table_1), touched(right)))"'; do
    wait_in "$quiet"
    ! grep -q warning err.txt || fail "a warning of '$quiet': $(cat err.txt)"
done
expect 0 "no mistakes" "$FORESEE" check "$SOURCE"/examples/worlds/*.yaml "$PLAN"
! grep -q warning err.txt || fail "an example has a warning: $(cat err.txt)"

# Rule files.
printf 'odd(X) :- even(X).\n' >rules.dl
expect 2 "rules.dl:1:" "$FORESEE" check rules.dl
printf 'threshold(slip_distance, 0.01).\n' >good.dl
expect 0 "no mistakes" "$FORESEE" check good.dl
expect 0 "" "$FORESEE" check -q "$WORLD" "$SOURCE/examples/robots/two_arms.yaml" "$PLAN"

# One mistake is one error, at its own line: what follows from a misspelt key is not told besides.
mkdir -p worlds
cp "$SOURCE/examples/worlds/cell.yaml" worlds/
EXAMPLES=$SOURCE/examples
plan() { sed -e "s|\.\./worlds|$EXAMPLES/worlds|; s|\.\./robots|$EXAMPLES/robots|" "$EXAMPLES/table_setting/default.yaml" | sed "$1" >one.yaml; }
one() {
    expect 2 "$2" "$FORESEE" check "$1"
    [ "$(grep -c ': error: ' err.txt)" -eq 1 ] || fail "more than one error for one mistake: $(cat err.txt)"
}
plan 's|kitchen.yaml|kitchn.yaml|'; one one.yaml "one.yaml:3:22: error: there is no world 'kitchn.yaml'; did you mean 'kitchen.yaml' in that folder?"
plan 's|^body:|bdoy:|'; one one.yaml "one.yaml:11:1: error: unknown key 'bdoy'; did you mean 'body'?"
plan 's|into: ?plates|inot: ?plates|'; one one.yaml "one.yaml:19:9: error: unknown key 'inot'; did you mean 'into'?"
plan 's|^  seq:|  sqe:|'; one one.yaml "one.yaml:14:3: error: unknown construct 'sqe'; did you mean 'seq'?"
plan 's|default: plate_spot_1|default: 3|'; one one.yaml "one.yaml:6:40: error: the default of 'plate_spot'"
sed 's|^types:|tpyes:|' worlds/cell.yaml >one.yaml; one one.yaml "one.yaml:3:1: error: unknown key 'tpyes'; did you mean 'types'?"
sed 's|mass: 0.2|mass: 200 g|' worlds/cell.yaml >one.yaml; one one.yaml "one.yaml:7:11: error: mass is a number of kg, without the unit: 0.2, not '200 g'"
printf 'p(X) :- object(X, body, _)\nq(X) :- p(X).\nr(X) :- q(X).\n' >one.dl; one one.dl "one.dl:1:27: error: the clause ends without a '.'"
printf 'p(X) :- object(X, body, _)\n:- declare q(x: object) "Odd.".\nq(X) :- p(X).\n' >one.dl; one one.dl "one.dl:1:27: error: the clause ends without a '.'"
