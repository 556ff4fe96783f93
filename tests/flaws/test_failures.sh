#!/bin/sh
# A plan that fails has a root, whatever it fails for: each class of failure is thrown, where nothing handles it, where a handler
# lets the plan go on without what it wanted, and where the plan has no goal; and failures that actions signal by themselves.
set -eu
: "${FORESEE:?the program under test}" "${SOURCE:?the source tree}"
HERE=$(cd "$(dirname "$0")" && pwd)
WORK=$(mktemp -d "${TMPDIR:-/tmp}/foresee-test.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
cd "$WORK"
WORLD=bar
fail() { echo "FAILED: $*" >&2; exit 1; }

plan() { # NAME: the body from standard input
    { printf 'plan: %s\nprojection: { world: %s, robot: %s }\nroutines: [ pick_and_place.yaml ]\nbody:\n' "$1" \
        "$SOURCE/tests/flaws/worlds/$WORLD.yaml" "$SOURCE/examples/robots/two_arms.yaml"; cat; } >"$1.yaml"
}
# roots NAME: name, class and reason of each root, one a line. The plan must have failed.
roots() {
    _status=0
    "$FORESEE" run -q "$1.yaml" --seed "${SEED:-1}" -o "$1.db" || _status=$?
    [ "$_status" -eq 1 ] || fail "$1.yaml ended with $_status"
    "$FORESEE" diagnose "$1.db" --format json >"$1.json" || [ $? -eq 1 ] || fail "$1.db cannot be diagnosed"
    sqlite3 -separator '|' :memory: "SELECT json_extract(value, '\$.name'), json_extract(value, '\$.evidence.class'),
        json_extract(value, '\$.evidence.reason') FROM json_each(readfile('$1.json'), '\$.flaws') WHERE json_extract(value, '\$.root')"
}
said() { # NAME ROOT
    roots "$1" >"$1.roots"
    grep -qxF -e "$2" "$1.roots" || fail "$1: the roots are '$(cat "$1.roots")', not '$2'"
    [ "$(wc -l <"$1.roots")" -eq 1 ] || fail "$1: more than one root: $(cat "$1.roots")"
}

# told NAME CONDITION: names of the flaws that satisfy it.
told() {
    sqlite3 :memory: "SELECT json_extract(value, '\$.name') FROM json_each(readfile('$1.json'), '\$.flaws') WHERE $2" | tr '\n' ' '
}

for class in $(sed -n 's/^FAILURE(\([a-z_]*\),.*/\1/p' "$SOURCE/projector/robot/failures.def"); do
    case $class in action_timed_out) name=timed_out ;; livelock) name=retry_livelock ;; *) name=unrecovered_failure ;; esac
    plan "thrown_$class" <<END
  seq:
    - tag: give_up
      fail: { class: $class, reason: "the rain" }
END
    roots "thrown_$class" >roots
    grep -q "^$name|" roots || fail "$class without a goal: '$(cat roots)'"
    plan "goal_$class" <<END
  goal: on(a(cup), floor)
  seq:
    - tag: give_up
      fail: { class: $class, reason: "the rain" }
END
    roots "goal_$class" >roots
    grep -q "^$name|" roots || fail "$class with a goal: '$(cat roots)'"
    [ "$(wc -l <roots)" -eq 1 ] || fail "$class with a goal has more than one root: $(cat roots)"
done

# The reason reaches the root also where a handler went on without what was wanted.
plan swallowed <<'END'
  goal: within(a(cup), bar_left)
  seq:
    - tag: bring
      on_failure:
        do: { achieve: "within(a(cup), bar_left)" }
        handle: [ { failure: plan_failure, then: { log: "never mind" } } ]
END
said swallowed "unrecovered_failure|designator_reference_failure|nothing is believed in that is a(cup)"

# Nine hopeless tries are one root, with its count, its first and its last instance.
WORLD=bar_cups
plan nine <<'END'
  goal: within(a(cup), bar_left)
  seq:
    - tag: look
      perceive: { a: { type: cup }, region: on(bar_1), into: "?cup" }
    - tag: reach
      on_failure:
        do: { move_arm: { arm: left, to: before(bistro_1) } }
        handle: [ { failure: plan_failure, retry: 8 } ]
END
said nine "unreachable||left arm: its type has no grasps"
[ "$(told nine "json_extract(value, '$.evidence.times') = 9")" = "unreachable retry_livelock " ] || fail "nine tries: $(told nine 1)"

# A failure that a handler dealt with stays recovered where the plan fails for another reason.
plan later <<'END'
  goal: within(a(cup), bar_left)
  seq:
    - tag: look
      perceive: { a: { type: cup }, region: on(bar_1), into: "?cup" }
    - tag: reach
      on_failure:
        do: { move_arm: { arm: left, to: before(bistro_1) } }
        handle: [ { failure: plan_failure, then: { log: "it does without" } } ]
    - tag: give_up
      fail: { class: fetching_failed, reason: "it is too late" }
END
said later "unrecovered_failure|fetching_failed|it is too late"
[ "$(told later "json_extract(value, '$.recovered')")" = "unreachable " ] || fail "not recovered: $(told later 1)"

# What was put down properly in the end is no better for the goal that it missed: a cup that stands on the bar, beside its region.
plan beside <<'END'
  goal: within(a([type(cup), color(red)]), bar_left)
  seq:
    - tag: look
      perceive: { a: { type: cup, color: red }, region: on(bar_1), into: "?cup" }
    - tag: put
      achieve: on(?cup, bar_1)
      skip_when_true: false
END
said beside "misplaced||"
[ -z "$(told beside "json_extract(value, '$.recovered')")" ] || fail "recovered: $(told beside 1)"

# What is too smooth, or too heavy, slides out between the fingers as they rise: the hand was closed well. Of its suspected causes that
# one is the cause without which the plan succeeds.
plan lifted <<'END'
  goal: within(a([type(cup), color(red)]), bar_left)
  seq:
    - tag: look
      perceive: { a: { type: cup, color: red }, region: on(bar_1), into: "?cup" }
    - tag: put
      achieve: within(?cup, bar_left)
END
sed -i "s#^projection: { world#projection: { set: { world.gripper_friction: 0.15 }, world#" lifted.yaml
said lifted "slipped||"
# What is suggested first mends it.
sqlite3 :memory: "SELECT json_extract(readfile('lifted.json'), '$.flaws[0].suggests[0].edits')" >edits.json
"$FORESEE" edit lifted.yaml edits.json -o mended.yaml >/dev/null || fail "the suggestion is refused: $(cat edits.json)"
"$FORESEE" run -q mended.yaml -o mended.db || fail "the suggestion does not mend: $(cat edits.json)"
for change in pads_as_believed=verified exact_percepts=refuted; do
    "$FORESEE" diagnose lifted.db --verify --suspect "${change%=*}" --format json >lifted.json || [ $? -eq 1 ] || fail "no verdict"
    [ "$(told lifted "json_extract(value, '$.verdict') = '${change#*=}'")" = "slipped " ] || fail "$change: $(grep verdict lifted.json)"
done

# What an event from outside did is told as that, with the event: to what was put down, and to what the hand held.
disturbed() { # NAME EVENT: the plan of `lifted`, in a world with an event
    printf 'world: %s\ninclude: [ %s ]\nevents:\n  - %s\n' "$1" "$SOURCE/tests/flaws/worlds/bar_cups.yaml" "$2" >"$1_world.yaml"
    sed "s#^projection: .*#projection: { world: $1_world.yaml, robot: $SOURCE/examples/robots/two_arms.yaml }#" lifted.yaml >"$1.yaml"
    said "$1" "disturbed||"
    [ "$(sqlite3 :memory: "SELECT json_extract(value, '$.evidence.event') FROM json_each(readfile('$1.json'), '$.flaws') WHERE json_extract(value, '$.root')")" \
        = "force(cup_1)" ] || fail "$1: the event is not named"
    [ -z "$(told "$1" "json_array_length(value, '$.suggests') > 0 AND json_extract(value, '$.name') <> 'never_achieved'")" ] || fail "$1: suggestions against an event"
}
disturbed cat '{ name: cat, when: "moved(cup_1) > 0.3, height(cup_1) < 0.865", after: 4, force: { body: cup_1, force: [0, -6, 1], for: 0.3 } }'
disturbed elbow '{ name: elbow, when: "height(cup_1) > 0.95", after: 0.3, force: { body: cup_1, force: [60, 0, -60], for: 0.4 } }'

# A step that only asserts that something is so.
plan asserted <<'END'
  goal: within(a([type(cup), color(red)]), bar_left)
  seq:
    - tag: look
      perceive: { a: { type: cup, color: red }, region: on(bar_1), into: "?cup" }
    - tag: put
      assert: within(?cup, bar_left)
END
said asserted "only_asserted||"

# What is too wide for the hand is said with its width.
printf 'world: wide\ninclude: [ %s ]\ntypes:\n  drum: { mass: 0.4, shapes: [ { cylinder: [0.08, 0.12], at: [0, 0, 0.06] } ], %s }\n%s\n' \
    "$SOURCE/tests/flaws/worlds/bar.yaml" "grasp: { radius: 0, width: 0.16, low: 0.05, high: 0.12 }" \
    "bodies: { drum_1: { type: drum, on: bar_1, at: [-0.3, -0.12], color: white } }" >wide_world.yaml
plan wide <<'END'
  goal: object_in_hand(a(drum))
  seq:
    - tag: look
      perceive: { a: { type: drum }, region: on(bar_1), into: "?drum" }
    - tag: take
      achieve: object_in_hand(?drum)
END
sed -i "s#world: [^,]*,#world: wide_world.yaml,#" wide.yaml
said wide "unreachable||nowhere to stand from where drum#1 can be grasped: it is 160 mm wide where it can be taken, the hand opens 120 mm"

# A step that fails on purpose by a test of what the plan wants, and what is so.
plan tested <<'END'
  goal: on(a([type(cup), color(red)]), bar_1)
  seq:
    - tag: look
      perceive: { a: { type: cup, color: red }, region: on(bar_1), into: "?cup" }
    - tag: check
      if: on(?cup, bar_1)
      then: { fail: { class: delivering_failed, reason: "it is not there" } }
END
said tested "false_failure|delivering_failed|it is not there"

# Of two goals, both of which are true though the plan fails, the one that the step that failed was about is named.
plan both <<'END'
  goal: [ "on(a([type(cup), color(red)]), bar_1)", "on(a([type(cup), color(green)]), bar_1)" ]
  seq:
    - { tag: look, perceive: { a: { type: cup, color: green }, region: on(bar_1), into: "?cup" } }
    - { tag: check, achieve: straightened(?cup) }
END
sed -i 's#^routines: .*#routines: [ { achieve: straightened(?what), body: { fail: { class: delivering_failed, reason: "it is not straight" } } }, pick_and_place.yaml ]#' both.yaml
said both "false_failure|delivering_failed|it is not straight"
told both "json_extract(value, '$.evidence.goal') LIKE '%green%'" | grep -q false_failure || fail "both: $(cat both.json)"

# Both hands are full when a third thing is to be taken; a point is not on the board.
plan full <<'END'
  goal: within(a([type(cup), color(red)]), bar_left)
  seq:
    - { tag: see_green, perceive: { a: { type: cup, color: green }, region: on(bar_1), into: "?green" } }
    - { tag: see_blue, perceive: { a: { type: cup, color: blue }, region: on(bar_1), into: "?blue" } }
    - { tag: look, perceive: { a: { type: cup, color: red }, region: on(bar_1), into: "?cup" } }
    - { tag: hold_green, achieve: "object_in_hand(?green, hand(left))" }
    - { tag: hold_blue, achieve: "object_in_hand(?blue, hand(right))" }
    - { tag: put, achieve: "within(?cup, bar_left)" }
END
roots full >full.roots
grep -q "^no_free_hand|" full.roots || fail "full: $(cat full.roots)"
plan beyond <<'END'
  goal: within(a([type(cup), color(red)]), bar_left)
  seq:
    - { tag: look, perceive: { a: { type: cup, color: red }, region: on(bar_1), into: "?cup" } }
    - { tag: put, achieve: "at_place(?cup, at(1.4, 3.2, 0, bar_1))" }
END
said beyond "place_off_surface||bar_1 has no surface at (1.40, 3.20)"

# Who owns a cup is seen by no camera: a description is not refined by that.
printf 'world: owned\ninclude: [ %s ]\nbodies:\n  cup_1: { type: cup, on: bar_1, at: [-0.3, -0.12], color: red, properties: { owner: anna } }\n  %s\n' \
    "$SOURCE/tests/flaws/worlds/bar.yaml" "cup_2: { type: cup, on: bar_1, at: [0.1, -0.12], color: red, properties: { owner: ben } }" >owned_world.yaml
plan owned <<'END'
  goal: object_in_hand(a([type(cup), owner(anna)]))
  seq:
    - tag: look
      perceive: { the: { type: cup }, region: on(bar_1), into: "?cup" }
END
sed -i "s#world: [^,]*,#world: owned_world.yaml,#" owned.yaml
said owned "ambiguous_description||"
[ -z "$(told owned "json_extract(value, '$.suggests') LIKE '%owner%' AND json_extract(value, '$.name') = 'ambiguous_description'")" ] || fail "refined by the owner"

# A list of nothing, since the search looked elsewhere: it is to look there.
plan elsewhere <<'END'
  goal: within(a(cup), bar_left)
  seq:
    - { tag: look, perceive: { all: { type: cup }, region: on(bistro_1), into: "?cups" } }
    - { tag: put, achieve: "within(first(?cups), bar_left)" }
END
said elsewhere "unrecovered_failure|designator_reference_failure|the list is empty in: first([])"
told elsewhere "json_extract(value, '$.suggests') LIKE '%look_there%on(bar_1)%'" | grep -q unrecovered_failure || fail "it is not said where to look"
"$FORESEE" diagnose elsewhere.db >elsewhere.txt || true
grep -q "stood before the camera" elsewhere.txt && fail "the log is said not to tell what stood before the camera, where nothing did"

# So does a search that the library makes.
plan found <<'END'
  goal: within(a([type(cup), color(red)]), west_spot)
  seq:
    - { tag: find, achieve: "found([type(cup), color(red)], on(bistro_1))", into: "?cup" }
    - { tag: put, achieve: "within(?cup, west_spot)" }
END
sed -i 's#pick_and_place.yaml#pick_and_place.yaml, search.yaml#' found.yaml
said found "unrecovered_failure|searching_failed|nothing that fits [type(cup), color(red)] was seen at on(bistro_1), from any side or behind anything"
told found "json_extract(value, '$.suggests') LIKE '%look_there%found([type(cup), color(red)], on(bar_1))%'" | grep -q unrecovered_failure || fail "it is not said where to look"

# Two branches take things with one hand: the second lets go of what the first has.
plan branches <<'END'
  goal: [ "within(a([type(cup), color(red)]), west_spot)", "within(a([type(cup), color(green)]), east_spot)" ]
  par:
    - seq:
        - { perceive: { a: { type: cup, color: red }, region: on(bar_1), into: "?red" } }
        - { achieve: "object_in_hand(?red, hand(left))" }
        - { achieve: "within(?red, west_spot)" }
    - seq:
        - { perceive: { a: { type: cup, color: green }, region: on(bar_1), into: "?green" } }
        - { wait_for: "gripper_force(left) > 2", timeout: 60 }
        - { wait: { seconds: 3 } }
        - { open_gripper: { arm: left } }
        - { achieve: "within(?green, east_spot)" }
END
roots branches >branches.roots
# Goals that give variables a type: each is judged of things of that type; all that goes wrong comes of the hand that two branches use.
plan rivals <<'END'
  goal: [ "within(?x, west_spot)", "type(?x, cup)", "color(?x, red)", "within(?y, east_spot)", "type(?y, cup)", "color(?y, green)" ]
  seq:
    - { perceive: { a: { type: cup, color: red }, region: on(bar_1), into: "?red" } }
    - { perceive: { a: { type: cup, color: green }, region: on(bar_1), into: "?green" } }
    - par:
        - { tag: one, achieve: "within(?red, west_spot)" }
        - { tag: two, achieve: "within(?green, east_spot)" }
END
roots rivals >rivals.roots
[ "$(cut -d'|' -f1 rivals.roots)" = early_release ] || fail "rivals: $(cat rivals.roots)"
told rivals "json_extract(value, '$.suggests') LIKE '%?red%east_spot%' OR json_extract(value, '$.suggests') LIKE '%?green%west_spot%'" |
    grep -q . && fail "it is suggested to bring a thing to the other's place"
told branches "json_extract(value, '$.name') = 'early_release' AND json_extract(value, '$.suggests') LIKE '%serialise%' AND json_extract(value, '$.suggests') NOT LIKE '%lower_to_contact%'" |
    grep -q early_release || fail "branches: $(cat branches.roots)"

# A cup is pushed in the hand, a door that stood as wanted is closed by somebody: it is said that this came from outside, and no
# step of the plan is blamed.
printf 'world: pushed\ninclude: [ %s ]\nevents:\n  - { name: push, when: "height(cup_1) > 1.0", after: 1.5, force: { body: cup_1, force: [0, 0, -40], for: 0.3 } }\n' \
    "$SOURCE/tests/flaws/worlds/bar_cups.yaml" >pushed_world.yaml
plan pushed <<'END'
  goal: within(a([type(cup), color(red)]), west_spot)
  seq:
    - { tag: look, perceive: { a: { type: cup, color: red }, region: on(bar_1), into: "?cup" } }
    - { tag: put, achieve: "within(?cup, west_spot)" }
END
sed -i "s#world: [^,]*,#world: pushed_world.yaml,#" pushed.yaml
"$FORESEE" run -q pushed.yaml -o pushed.db || true
"$FORESEE" diagnose pushed.db --format json >pushed.json || true
told pushed "json_extract(value, '$.evidence.event') = 'force(cup_1)' AND json_extract(value, '$.suggests') = '[]'" | grep -qE "slipped|disturbed" ||
    fail "pushed: $(told pushed 1)"
printf 'world: draught\ninclude: [ %s ]\nevents:\n  - { name: draught, when: "open(cupboard_hinge) > 50", after: 20, joint: { joint: cupboard_hinge, to: 0, over: 1.5 } }\n' \
    "$SOURCE/examples/worlds/cupboard.yaml" >draught_world.yaml
cat >draught.yaml <<END
plan: draught
projection: { world: draught_world.yaml, robot: $SOURCE/examples/robots/two_arms.yaml }
routines: [ doors.yaml, pick_and_place.yaml ]
body:
  tag: open
  goal: open(cupboard_door)
  seq: [ { achieve: open(cupboard_door) }, { wait: { seconds: 25 } } ]
END
said draught "disturbed||"

# A drawer that somebody shuts before the robot looks into it: no furniture is blamed for standing before what lies in it.
printf 'world: shut\ninclude: [ %s ]\nevents:\n  - { name: shut, when: "open(cabinet_slide) > 0.18", after: 4, joint: { joint: cabinet_slide, to: 0, over: 1.5 } }\n' \
    "$SOURCE/examples/worlds/cupboard.yaml" >drawer_world.yaml
cat >drawer.yaml <<END
plan: drawer
projection: { world: drawer_world.yaml, robot: $SOURCE/examples/robots/two_arms.yaml }
routines: [ cupboard.yaml, doors.yaml, pick_and_place.yaml ]
body:
  tag: fetch
  goal: on(cup_5, sideboard_1)
  seq:
    - { tag: pull, achieve: open(cabinet_drawer) }
    - { tag: look, perceive: { a: { type: cup, color: purple }, region: on(cabinet_drawer), into: "?cup" } }
    - { tag: put, achieve: "on(?cup, sideboard_1)" }
END
said drawer "disturbed||"
told drawer "json_extract(value, '$.suggests') LIKE '%open(cabinet_drawer)%'" | grep -q disturbed || fail "it is not said that the drawer is to be opened again"
# An edit may name routines that the log does not hold: they are the shipped ones.
"$FORESEE" run -q drawer.db --change 'edits([use("search.yaml")])' -o used.db || [ $? -eq 1 ] || fail "the shipped routines are not found for a plan of a log"

# A deadline that the plan measures itself: the wait is what gets more time, and the step that fails is left as it is.
plan patience <<'END'
  goal: within(a([type(cup), color(red)]), west_spot)
  seq:
    - { perceive: { a: { type: cup, color: red }, region: on(bar_1), into: "?cup" } }
    - pursue:
        - { achieve: "within(?cup, west_spot)" }
        - { tag: limit, seq: [ { wait: { seconds: 4 } }, { fail: { class: action_timed_out, reason: too late } } ] }
END
said patience "timed_out||too late"
told patience "json_extract(value, '$.evidence.seconds') = 4 AND json_extract(value, '$.suggests') LIKE '%wait.seconds%12%'" | grep -q timed_out ||
    fail "the wait gets no more time: $(cat patience.json)"

# A door that is stiff is to be pulled harder; a drawer is to be opened before something is put into it; what is searched for in vain
# again and again is to be described as wanted.
projection() { # NAME: the plan's, in the kitchen with furniture that opens, with more of it from standard input
    { printf 'plan: %s\nprojection: { world: %s, robot: %s }\nroutines: [ doors.yaml, cupboard.yaml, pick_and_place.yaml ]\nbody:\n' "$1" \
        "$2" "$SOURCE/examples/robots/two_arms.yaml"; cat; } >"$1.yaml"
}
printf 'world: stiff\ninclude: [ %s ]\nparameters: { hinge_friction: { type: number, default: 40, min: 0, unit: N m, doc: stiff } }\n' \
    "$SOURCE/examples/worlds/cupboard.yaml" >stiff_world.yaml
projection stiff stiff_world.yaml <<'END'
  goal: open(cupboard_door)
  achieve: open(cupboard_door)
END
roots stiff >stiff.roots
told stiff "json_extract(value, '$.name') = 'stuck' AND json_extract(value, '$.suggests') LIKE '%pull_harder%operate_force%'" | grep -q stuck ||
    fail "stiff: $(cat stiff.roots)"
projection shut "$SOURCE/examples/worlds/cupboard.yaml" <<'END'
  goal: in(a(mug), cabinet_drawer)
  seq:
    - { tag: look, perceive: { a: { type: mug, color: green }, region: on(sideboard_1), into: "?mug" } }
    - { tag: put, achieve: "in(?mug, cabinet_drawer)" }
END
roots shut >shut.roots
grep -q "^missing_precondition|" shut.roots || fail "shut: $(cat shut.roots)"
plan again <<'END'
  goal: within(a([type(cup), color(red)]), bar_left)
  on_failure:
    do:
      - { perceive: { a: { type: cup, color: yellow }, region: on(bar_1), into: "?cup" } }
      - { achieve: "within(?cup, bar_left)" }
    handle: [ { failure: plan_failure, retry: 5 } ]
END
said again "retry_livelock|perception_object_not_found|"
told again "json_extract(value, '$.suggests') LIKE '%ask_as_wanted%'" | grep -q retry_livelock || fail "it is not said what is wanted"

# The goal names a body, and the plan looks for another that could be told from it.
plan named <<'END'
  goal: within(cup_1, west_spot)
  seq:
    - { tag: look, perceive: { a: { type: cup, color: green }, region: on(bar_1), into: "?cup" } }
    - { tag: put, achieve: "within(?cup, west_spot)" }
END
said named "never_achieved||"
told named "json_extract(value, '$.suggests') LIKE '%ask_as_wanted%red%'" | grep -q never_achieved || fail "named: $(cat named.json)"

# A hand that the plan closes itself, with nothing said of what on: it means what its arm was sent to. Where it holds, nothing went
# wrong; where it is too smooth, the thing slips, and what the plan asserted in the end was not so.
plan by_hand <<'END'
  goal: "object_in_hand(a([type(cup), color(red)]))"
  seq:
    - { perceive: { a: { type: cup, color: red }, region: on(bar_1), into: "?cup" } }
    - { navigate: { to: "reach(?cup, left)" } }
    - { open_gripper: { arm: left, object: "?cup" } }
    - { move_arm: { arm: left, to: before(?cup) } }
    - { move_arm: { arm: left, to: grasp(?cup) } }
    - { close_gripper: { arm: left, force: 6 } }
    - { move_arm: { arm: left, to: lift(0.1) } }
    - { assert: "object_in_hand(?cup, hand(left))" }
END
"$FORESEE" run -q by_hand.yaml -o held.db || fail "by_hand: the cup is not held"
"$FORESEE" diagnose held.db --format json | grep -q '"flaws": \[\]' || fail "by_hand: $("$FORESEE" diagnose held.db)"
sed 's/^projection: {/projection: { set: { world.gripper_friction: 0.08 },/' by_hand.yaml >smooth.yaml
roots smooth >smooth.roots
grep -qE "^(slipped|missed_grasp)\|" smooth.roots || fail "smooth: $(cat smooth.roots)"
grep -q "^only_asserted|" smooth.roots || [ -n "$(told smooth "json_extract(value, '$.name') = 'only_asserted'")" ] || fail "smooth: $(told smooth 1)"

# What a robot hears of the failure of another robot's step is no second failure.
cat >heard.yaml <<END
plan: heard
projection:
  world: $SOURCE/examples/two_robots/hall_with_cup.yaml
  robots:
    ann: { robot: $SOURCE/examples/robots/two_arms.yaml, at: [1.8, 3.0, 180] }
    bob: { robot: $SOURCE/examples/robots/two_arms.yaml, at: [6.2, 3.0, 180] }
routines: [ pick_and_place.yaml ]
body:
  tag: heard
  goal: within(cup_3, east_cup)
  seq:
    - { as: bob, tag: take, achieve: "within(a([type(cup), color(green)]), east_cup)" }
END
said heard "unrecovered_failure|designator_reference_failure|nothing is believed in that is a([type(cup), color(green)])"

# Two robots that each wait for the other's step: that robots tell one another of things would not help.
sed '/^body:/,$d' heard.yaml >circle.yaml
cat >>circle.yaml <<'END'
body:
  tag: circle
  goal: within(cup_3, east_cup)
  par:
    - { as: ann, tag: one, seq: [ { wait_for: "task(two_done, done)", timeout: 8 }, { tag: one_done, log: done } ] }
    - { as: bob, tag: two, seq: [ { wait_for: "task(one_done, done)", timeout: 8 }, { tag: two_done, log: done } ] }
END
said circle "waited_for_each_other||"
"$FORESEE" diagnose circle.db --verify --format json >circle.json || true
[ "$(told circle "json_extract(value, '$.verdict') = 'untestable'")" = "waited_for_each_other " ] || fail "circle: $(cat circle.json)"

# Nothing of what one robot tells reaches the other: it does not know of the thing that it is to bring.
sed '/^body:/,$d; s/^  robots:/  share: all\n  links: [ { between: [ann, bob], delay: 0.05, loss: 0.99 } ]\n  robots:/' heard.yaml >unheard.yaml
cat >>unheard.yaml <<'END'
body:
  tag: unheard
  goal: within(cup_3, east_cup)
  seq:
    - { as: ann, tag: look, perceive: { a: { type: cup, color: green }, region: on(table_1), into: "?cup" } }
    - { as: bob, tag: take, achieve: "within(a([type(cup), color(green)]), east_cup)" }
END
said unheard "message_lost||"

# What is too heavy for a hand that the plan closes itself is lifted on purpose: it is not moved by the way.
printf 'world: heavy\ninclude: [ %s ]\ntypes:\n  can: { material: steel, mass: 14, shapes: [ { cylinder: [0.035, 0.12], at: [0, 0, 0.06] } ], %s }\n%s\n' \
    "$SOURCE/tests/flaws/worlds/bar.yaml" "grasp: { radius: 0, width: 0.07, low: 0.05, high: 0.11 }" \
    "bodies: { can_1: { type: can, on: bar_1, at: [-0.3, -0.12], color: red } }" >heavy_world.yaml
sed "s/^plan: .*/plan: heavy/; s#world: [^,]*,#world: heavy_world.yaml,#; s/type(cup)/type(can)/; s/type: cup/type: can/; /assert/d
    s/close_gripper: .*/close_gripper: { arm: left, object: \"?cup\" } }/" by_hand.yaml >heavy.yaml
said heavy "slipped||"

# A step that opens the hand on high: what is to come before it names the arm as that step does.
plan let_fall <<'END'
  goal: on(a([type(cup), color(red)]), bar_1)
  seq:
    - { perceive: { a: { type: cup, color: red }, region: on(bar_1), into: "?cup" } }
    - { achieve: "object_in_hand(?cup)" }
    - { tag: drop, open_gripper: { arm: "holding_arm(?cup)" } }
END
roots let_fall >let_fall.roots
told let_fall "json_extract(value, '$.suggests') LIKE '%\"arm\":\"holding_arm(?cup)\",\"to\":\"release(%'" | grep -q early_release || fail "let_fall: $(cat let_fall.json)"

# Put down on the very edge, knocked off by the hand as it withdrew: it did not stay where it was put.
printf 'world: edge\ninclude: [ %s ]\ntypes:\n  bottle: { material: ceramic, mass: 0.35, shapes: [ { cylinder: [0.03, 0.12], at: [0, 0, 0.06] } ], %s }\n%s\n%s\n' \
    "$SOURCE/tests/flaws/worlds/bar.yaml" "break_impulse: 0.9, grasps: [ { side: { width: 0.06, low: 0.03, high: 0.10, facets: 0 } } ]" \
    "bodies: { bottle_1: { type: bottle, on: bar_1, at: [-0.3, -0.12], color: red } }" \
    "regions: { edge_spot: { on: bistro_1, at: [-0.39, 0], size: [0.2, 0.2], tolerance: 0.06 } }" >edge_world.yaml
plan edge <<'END'
  goal: within(a(bottle), edge_spot)
  seq:
    - { tag: look, perceive: { a: { type: bottle }, region: on(bar_1), into: "?bottle" } }
    - { tag: put, achieve: "within(?bottle, edge_spot)" }
END
sed -i 's#world: [^,]*,#world: edge_world.yaml,#' edge.yaml
SEED=2 said edge "unstable_placement||"
told edge "json_extract(value, '$.evidence.pushed_by') LIKE '%robot_left_gripper_palm%'" | grep -q unstable_placement || fail "edge: $(cat edge.json)"

# A drawer that the plan itself shuts before it takes out what it saw in it: the step that shuts it is to come behind.
projection shut_early "$SOURCE/examples/worlds/cupboard.yaml" <<'END'
  goal: [ "on(cup_5, table_1)", "closed(cabinet_drawer)" ]
  seq:
    - { tag: pull, achieve: wide_open(cabinet_drawer) }
    - { tag: look, perceive: { a: { type: cup, color: purple }, region: on(cabinet_drawer), into: "?cup" } }
    - { tag: shut, achieve: closed(cabinet_drawer) }
    - { tag: put, achieve: "on(?cup, table_1)" }
END
said shut_early "clobbered||"
told shut_early "json_extract(value, '$.task.for.path') = 'body/shut'" | grep -q clobbered || fail "shut_early: $(cat shut_early.json)"
"$FORESEE" edit --from shut_early.db:1:1.1 -o put_first.yaml >/dev/null || fail "the order cannot be edited"
"$FORESEE" run -q put_first.yaml -o put_first.db || fail "the drawer is shut behind the step that takes something out of it, and the plan fails"

# A routine that tidies up before it says that it failed: what it met is told, as where the plan's own step meets it.
printf 'world: deep\ninclude: [ %s ]\nbodies: { cup_6: { type: cup, on: cabinet_drawer, at: [0, 0.13], color: red } }\n' \
    "$SOURCE/examples/worlds/cupboard.yaml" >deep_world.yaml
projection deep deep_world.yaml <<'END'
  goal: "on(a([type(cup), color(red)]), sideboard_1)"
  seq:
    - { tag: get, achieve: "fetched_from([type(cup), color(red)], on(cabinet_drawer), cabinet_drawer)", into: "?cup" }
    - { tag: put, achieve: "on(?cup, sideboard_1)" }
END
roots deep >deep.roots
grep -q "^unreachable||nowhere to stand from where cup#" deep.roots || fail "deep: $(cat deep.roots)"
[ "$(wc -l <deep.roots)" -eq 1 ] || fail "deep: $(cat deep.roots)"

# In none of these diagnoses does the evidence contradict the sentence.
for log in *.db; do
    "$FORESEE" diagnose "$log" --format json >"$log.json" || [ $? -eq 1 ]
done
"$HERE/consistent.sh" ./*.db.json || fail "evidence and sentence contradict each other"
