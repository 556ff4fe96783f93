#!/bin/sh
# One mistake is one error, at its own line: mistakes as people make them, each made alone in a plan, a world, a robot or a rule file that is right.
. "${0%/*}/lib.sh"

EXAMPLES=$SOURCE/examples
sed "s|\.\./worlds|$EXAMPLES/worlds|; s|\.\./robots|$EXAMPLES/robots|" "$EXAMPLES/table_setting/default.yaml" >plan.yaml
cp "$EXAMPLES/worlds/cell.yaml" world.yaml
cp "$EXAMPLES/worlds/kitchen.yaml" kitchen.yaml
cat >door.yaml <<'END'
world: hut
types:
  wall: { shapes: [ { box: [0.1, 1, 2], at: [0, 0, 1] } ] }
  door: { mass: 5, shapes: [ { box: [0.04, 0.8, 1.9], at: [0, 0, 1] } ] }
bodies:
  wall: { type: wall, at: [0, 1, 0], fixed: true, known: true }
  door: { type: door, at: [0, 0, 0.01], known: true }
joints:
  door_hinge: { kind: hinge, body: door, on: wall, at: [0, -0.5, 0], axis: [0, 0, 1], limits: [0, 90] }
events:
  - { name: gust, at: 1, joint: { joint: door_hinge, to: 40, over: 1 } }
END
cp "$EXAMPLES/robots/two_arms.yaml" robot.yaml
cp "$EXAMPLES/own_flaws/dawdled.dl" rules.dl
TAB=$(printf '\t')
n=0 bad=0
# FILE@what sed makes of it@the line of the one error@a part of its sentence. A goal that no routine achieves is told at its step.
while IFS='@' read -r file change line what; do
    n=$((n + 1))
    case $file in rules) right=rules.dl one=one.dl ;; *) right=$file.yaml one=one.yaml ;; esac
    sed "$(printf '%s' "$change" | sed "s/TAB/$TAB/")" $right >$one
    ! cmp -s $one $right || fail "mistake $n changes nothing: $change"
    status=0
    "$FORESEE" check $one >out.txt 2>err.txt || status=$?
    count=$(grep -c ': error: ' err.txt)
    if [ "$status" -ne 2 ] || [ "$count" -ne 1 ] || ! grep -q "^$one:$line:.* error: " err.txt || ! grep -qF -e "$what" err.txt; then
        bad=$((bad + 1))
        echo "mistake $n, '$change', status $status, $count errors:"
        grep 'error: ' err.txt
    fi
done <<'END'
plan@s|^parameters:|paramters:|@5@did you mean 'parameters'?
plan@s|^projection:|projektion:|@3@did you mean 'projection'?
plan@s|^routines:|routine:|@9@did you mean 'routines'?
plan@s|^plan: |name: |@1@a plan has the key 'plan'
plan@16s|      perceive:|      percieve:|@16@did you mean 'perceive'?
plan@26s|achieve:|achive:|@26@did you mean 'achieve'?
plan@16s|perceive:|perceive|@16@could not find expected ':'
plan@s|^  seq:|  seq|@14@could not find expected ':'
plan@26s|:||@26@could not find expected ':'
plan@13s|\]||@13@did not find expected ',' or ']'
plan@6s|}||@6@did not find expected ',' or '}'
plan@17s|^        |      |@17@indented by 6 blanks, and the lines around it go with 8
plan@17s|^        |       |@17@indented by 7 blanks
plan@17s|^        |          |@17@indented by 10 blanks
plan@18s|^        |       |@18@indented by 7 blanks
plan@18s|^        |         |@18@indented by 9 blanks
plan@26s|^      |       |@26@indented by 7 blanks
plan@26s|^      |     |@26@indented by 5 blanks
plan@16s|^      |     |@16@indented by 5 blanks, and the lines around it go with 6
plan@27s|^    |   |@27@indented by 3 blanks
plan@6s|^  | |@6@indented by 1 blank,
plan@7s|^  |   |@7@indented by 3 blanks
plan@16s|^      |TAB|@16@tab
plan@13s|\]|)|@13@
plan@13s|)"|"|@13@
plan@26s|?plates)|?plates|@26@
plan@26s|?plates|?plate|@26@plate
plan@26s|within|withn|@25@did you mean 'within'?
plan@18s|counter_1|counter_11|@18@counter_1
plan@17s|plate }|plat }|@17@plate
plan@26s|\$plate_spot|$plate_sport|@26@plate_spot
plan@6s|symbol|symbl|@6@did you mean 'symbol'?
plan@9s|pick_and_place|pick_and_palce|@9@did you mean 'pick_and_place.yaml'?
plan@3s|kitchen|kichen|@3@did you mean 'kitchen.yaml'
plan@3s|two_arms|two_arm|@3@did you mean 'two_arms.yaml'
plan@27s|tag: bring_cup|tag: bring_plate|@27@two steps
plan@19s|?plates|plates|@19@?
plan@3s|{ |{ set: { world.gripper_frition: 1 }, |@3@did you mean 'world.gripper_friction'?
plan@3s|{ |{ set: { world.gripper_friction: -1 }, |@3@must be at least
plan@6s|plate_spot:|plate_spt:|@13@did you mean '$plate_spt'? (also in line 26)
plan@6s|plate_spot_1|plate_spt_1|@13@did you mean 'plate_spot_1'? (also in line 26)
plan@6s|type|tpye|@6@did you mean 'type'?
plan@6s|default|defalt|@6@did you mean 'default'?
plan@6s|{.*|3|@6@declare 'plate_spot' as
plan@9d@14@name that file under routines:
plan@9s|\[.*|3|@9@must be a list of files
plan@9s|^|  |@9@declare 'routines' as
plan@14s|^  ||@14@unknown key 'seq'
plan@25d@25@a step is one construct; this one is both 'perceive' and 'achieve'
kitchen@s|^parameters:|paramters:|@22@did you mean 'parameters'?
kitchen@/^  plate: #/,/mass/s|mass|mas|@77@did you mean 'mass'?
kitchen@/^  plate: #/,/mass/{/mass/d;}@111@the body `plate_1` can move and needs a `mass`
kitchen@/^  table: #/,/shapes/s|shapes|shpaes|@56@did you mean 'shapes'?
kitchen@/^  counter:/,/material/s|material|matreial|@44@did you mean 'material'?
kitchen@/^  counter:/,/shapes/s|box: \[[^]]*\]|box: wide|@45@box must be a list of 3 numbers, not 'wide'
kitchen@/^  shelf: #/d@46@the key 'material' stands here twice, first in line 44, and so does another key
kitchen@/^  plate: #/,/grasp/s|width:|wdith:|@83@did you mean 'width'?
kitchen@/^  floor: { type: floor/s|fixed: true|fixed: ture|@97@fixed must be true or false, not 'ture'
kitchen@s|^  stone:|  stoen:|@38@did you mean `stoen`? (also in lines 42 and 44)
kitchen@s|^  chair: #|  chiar: #|@107@did you mean `chiar`? (also in lines 108, 109 and 110)
kitchen@36s|friction|fricton|@36@did you mean 'friction'?
door@9s|hinge, body|ball, body|@9@a joint is a hinge or a slider, not a `ball`
door@9s|body: door|body: dor|@9@did you mean `door`?
door@9s|limits: .0, 90.|limits: wide|@9@limits must be a list of 2 numbers
door@9s|axis|axes|@9@did you mean 'axis'?
door@11s|door_hinge|door_hing|@11@did you mean `door_hinge`?
door@4s|shapes|shaps|@4@did you mean 'shapes'?
robot@0,/parent: /s|parent: |parrent: |@106@did you mean 'parent'?
robot@0,/shapes:/s|shapes:|shpes:|@59@did you mean 'shapes'?
robot@0,/mass:/s|mass:|mas:|@58@did you mean 'mass'?
robot@s|^links:|lnks:|@69@did you mean 'links'?
robot@s|^  left_elbow:|  left_elbw:|@185@did you mean `left_elbw`?
robot@s|^  left_wrist_roll_joint:|  left_wrist_rol_joint:|@239@did you mean `left_wrist_rol_joint`?
robot@0,/kind: prismatic/s|kind: prismatic|kind: ball|@105@a joint is `revolute` or `prismatic`
robot@0,/pad_size/s|pad_size|padsize|@248@did you mean 'pad_size'?
robot@s|^  arm_speed:|  arm_sped:|@148@did you mean '$arm_sped'? (also in lines
world@s|mass: 0.2|mass: 400 g|@7@0.4, not '400 g'
world@s|mass: 0.2|mass: two|@7@
world@s|mass: 0.2|mass: -0.2|@7@lies between
world@s|mass: 0.2|mas: 0.2|@7@did you mean 'mass'?
world@s|type: can,|type: cann,|@13@did you mean `can`?
world@s|on: bench_1, at: \[-0.1, 0.2\]|on: bench, at: [-0.1, 0.2]|@13@did you mean `bench_1`?
world@s|color: red|color: rde|@13@did you mean `red`?
world@s|^bodies:|bodis:|@10@did you mean 'bodies'?
world@s|\[0.5, 0.6\]|[0.5]|@15@
world@s|cylinder: |cylindr: |@8@did you mean 'cylinder'?
rules@4s|\.$||@4@the clause ends without a '.'
rules@7s|\.$||@7@the directive ends without a '.'
rules@7s|flaw|flow|@7@did you mean 'flaw'?
rules@7s|: task|: tsk|@7@did you mean 'task'?
rules@8s|\.$||@8@the sentence ends without a '.'
rules@8s|^when|whn|@8@did you mean 'when'?
rules@8s|^when.*|when|@8@the sentence ends without a '.'
rules@9s|\.$||@9@the sentence ends without a '.'
rules@11s|^body.*|body B,|@11@the sentence ends without a '.'
rules@16s|\.$||@16@the sentence ends without a '.'
rules@18s|\.$||@18@the sentence ends without a '.'
rules@20s|\.$||@20@the directive ends without a '.'
rules@20s|declare|declar|@20@did you mean 'declare'?
rules@22s|,$||@22@this line ends without a ',' or an operator
rules@23s|pose_distance|pose_distanc|@23@did you mean 'pose_distance'?
rules@23s|\.$||@23@the clause ends without a '.'
rules@21s|:-|-:|@21@expected a term
rules@7s|^|:- import "nofile.dl" (near/2). close(A) :- near(A, _). |@7@nofile.dl cannot be imported
rules@5s|,|.|@5@expected ',' or ')', found '.'
rules@7s|, Start|. Start|@7@a directive expects ')' or ',' here
rules@7s|^:-|':-|@7@this ' is not closed
rules@7s|^:-|":-|@7@this " is not closed
rules@7s|"\.$|.|@7@this " is not closed
rules@8s|^when|'when|@8@this ' is not closed
rules@8s|_,|"_,|@8@this " is not closed
rules@8s|_,|_.|@8@expected ',' or a closing bracket, found '.'
rules@8s|, threshold|. threshold|@8@this '.' ends the clause, and goals follow it
rules@8s|, E - |. E - |@8@this '.' ends the clause, and goals follow it
rules@9s|way"|way|@9@this " is not closed
rules@12s|, E)|. E)|@12@expected ',' or a closing bracket, found '.'
rules@13s|, drive|. drive|@13@this '.' ends the clause, and goals follow it
rules@13s|drive_|'drive_|@13@this ' is not closed
rules@20s|, start|. start|@20@a directive expects ')' or ',' here
rules@20s|"\.$|.|@20@this " is not closed
rules@20s|^:-|':-|@20@this ' is not closed
rules@21s|^|'|@21@this ' is not closed
rules@22s|, flaw_body|. flaw_body|@22@this '.' ends the clause, and goals follow it
rules@22s|flaw_body|'flaw_body|@22@this ' is not closed
rules@22s|,$|.|@22@this '.' ends the clause, and goals follow it
rules@23s|, X2|. X2|@23@expected ',' or ')', found '.'
END
[ "$n" -ge 25 ] || fail "only $n mistakes are made"
[ "$bad" -eq 0 ] || fail "$bad of $n mistakes are not told by one error at their own line"

# Words in the sentences of a flaw that nothing says are legal: they are warned of where they are nearly ones that something does.
nearly() {
    sed "$1" rules.dl >one.dl
    expect 0 "$2" "$FORESEE" check one.dl
}
nearly '9s|\$duration|$durration|' "one.dl:9:25: warning: no evidence of this flaw is called 'durration'; did you mean 'duration'?"
nearly '18s|harmless|harmles|' "one.dl:18:28: warning: no property of flaws is called 'harmles'; did you mean 'harmless'?"
nearly '4s|threshold|treshold|' "one.dl:4:1: warning: treshold/2 is defined here alone, and nothing asks it; did you mean 'threshold'?"
nearly '8s|(dawdled|(dawdld|' "one.dl:8:73: warning: no threshold is called 'dawdld'; did you mean 'dawdled'?"
nearly '12s|against dawdled|against dawdle|' "one.dl:12:39: warning: no threshold is called 'dawdle'; did you mean 'dawdled'?"
nearly '18s|stale_belief|stale_beleif|' "one.dl:18:11: warning: no flaw is called 'stale_beleif'; did you mean 'stale_belief'?"
nearly '18s|$| specialises slippped.|' "one.dl:18:50: warning: no flaw is called 'slippped'; did you mean 'slipped'?"
nearly '9s|\$duration|$duration_threshold|' "no mistakes"
! grep -q warning out.txt err.txt || fail "a threshold of evidence is warned of"

# A name of its own that no shipped predicate resembles, and one that other clauses ask, are not warned of.
printf 'holds_place(cup_1).\ntreshold(a, 3).\nasked(X) :- treshold(X, _).\n' >own.dl
expect 0 "no mistakes" "$FORESEE" check own.dl
! grep -q warning out.txt err.txt || fail "names of one's own are warned of"

# Clauses on one line, and goals on lines of their own that are not indented, are clauses.
printf 'a(X) :- b(X). b(1). c(2).\nd(X) :-\nb(X),\nnot c(X).\n' >own.dl
expect 0 "no mistakes" "$FORESEE" check own.dl

# A sentence that ends with the text lacks its '.', and one whose quote is open lacks that alone.
printf ':- flaw f(T: task) "x".\nwhen task(T).\nsentence "x"' >own.dl
expect 2 "own.dl:3:13: error: the sentence ends without a '.'" "$FORESEE" check own.dl
printf ':- flaw f(T: task) "x".\nwhen task(T).\nsentence "x' >own.dl
expect 2 "own.dl:3:10: error: this \" is not closed on its line" "$FORESEE" check own.dl
[ "$(grep -c ': error: ' err.txt)" -eq 1 ] || fail "an open quote at the end of a text is more than one error"

# The file of `--fidelity`: a misspelt section is one error, and each mistake of a section is told.
printf 'fidelty:\n  bodies: { near: 0.5 }\n' >fidelity.yaml
expect 2 "did you mean 'fidelity'?" "$FORESEE" run plan.yaml --fidelity fidelity.yaml -o x.db
[ "$(grep -c ': error: ' err.txt)" -eq 1 ] || fail "one misspelt section of fidelity is more than one error"
printf 'fidelity:\n  bodies: { near: 0.5, fra: scenery }\n  robto: { parked: true }\n' >fidelity.yaml
expect 2 "fidelity.yaml:2:24: error: unknown key 'fra'; did you mean 'far'?" "$FORESEE" run plan.yaml --fidelity fidelity.yaml -o x.db
grep -q "fidelity.yaml:3:3: error: unknown key 'robto'; did you mean 'robot'?" err.txt || fail "a second mistake is not told"

# Values that no action takes: a target with another number of arguments, numbers that are none or out of bounds, an unknown type.
slip() { # step, message
    printf 'plan: p\nprojection: { world: %s, robot: %s }\nbody:\n  seq:\n    - %s\n' "$SOURCE/examples/worlds/kitchen.yaml" \
        "$SOURCE/examples/robots/two_arms.yaml" "$1" >slip.yaml
    expect 2 "$2" "$FORESEE" check slip.yaml
    [ "$(grep -c ': error: ' err.txt)" -eq 1 ] || fail "'$1' is more than one error"
}
slip 'navigate: { to: "at(1.0, 2.0)" }' "slip.yaml:5:24: error: navigate has no target at/2; it has at(X, Y, YawDegrees)"
slip 'wait: { seconds: -3 }' "error: seconds of wait must be >= 0, not -3"
slip 'move_arm: { arm: left, to: lift(0.1), acceleration: fast }' "error: acceleration of move_arm must be a number, not 'fast'"
slip 'close_gripper: { arm: left, force: 0 }' "error: force of close_gripper must be > 0, not 0"
# Arguments that are one of some words, in a list, in a target and in an action description too.
slip 'open_gripper: { arm: left, grasp: rimm }' \
    "slip.yaml:5:41: error: grasp of open_gripper must be one of top, rim, side, handle, any, not 'rimm'; did you mean 'rim'?"
slip 'open_gripper: { arm: left, grasp: [rim, sied] }' "not 'sied'; did you mean 'side'?"
slip 'navigate: { to: "reach(counter_1, left, hande)" }' "grasp of navigate must be one of top, rim, side, handle, any, not 'hande'; did you mean 'handle'?"
slip 'perform: { type: press, arm: left, direction: dwn }' "slip.yaml:5:53: error: direction of press must be one of down, forward, not 'dwn'; did you mean 'down'?"
slip 'move_arm: { arm: left, to: lift(0.1), straight: yes }' "error: straight of move_arm must be one of true, false, not 'yes'"
# A list of them only where the action takes one, without `any`; neither numbers nor strings.
slip 'press: { arm: left, direction: [down] }' "slip.yaml:5:39: error: direction of press must be one of down, forward, not '[down]'"
slip 'move_arm: { arm: left, to: lift(0.1), straight: [true] }' "straight of move_arm must be one of true, false, not '[true]'"
slip 'open_gripper: { arm: left, grasp: [rim, any] }' "slip.yaml:5:47: error: grasp of open_gripper: 'any' stands alone, not in a list"
slip 'open_gripper: { arm: left, grasp: [] }' "grasp of open_gripper must be one of top, rim, side, handle, any, not '[]'"
slip 'open_gripper: { arm: left, grasp: [rim, 2] }' "grasp of open_gripper must be one of top, rim, side, handle, any, not '2'"
slip 'move_arm: { arm: left, to: lift(0.1), straight: 1 }' "straight of move_arm must be one of true, false, not '1'"
slip 'move_arm: { arm: left, to: lift(0.1), level: 0.5 }' "level of move_arm must be one of true, false, not '0.5'"
slip "open_gripper: { arm: left, grasp: '\"rim\"' }" "grasp of open_gripper must be one of top, rim, side, handle, any, not '\"rim\"'"
# Where a routine's default is such a word, goals too.
printf 'plan: p\nprojection: { world: %s, robot: %s }\nroutines: [ pick_and_place.yaml ]\nbody:\n  achieve: object_in_hand(a(cup))\n  with: { grasp: tpo }\n' \
    "$SOURCE/examples/worlds/kitchen.yaml" "$SOURCE/examples/robots/two_arms.yaml" >slip.yaml
expect 2 "slip.yaml:6:18: error: grasp of object_in_hand must be one of top, rim, side, handle, any, not 'tpo'; did you mean 'top'?" "$FORESEE" check slip.yaml
slip 'detect: { type: plaet }' "error: unknown type 'plaet'; did you mean 'plate'?"
