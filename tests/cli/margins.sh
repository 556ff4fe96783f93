#!/bin/sh
# Margins that overlap with the map are refused where that is certain before the plan runs, and nowhere else.
. "${0%/*}/lib.sh"
cp -r "$SOURCE/examples" examples
folder=examples/other_robots
# plan NAME: a plan for the arm of led_arm.yaml with the steps of the standard input.
plan() { { sed '/^body:/,$d' $folder/led_arm.yaml; echo "body:"; cat; } >"$folder/$1.yaml"; }
near='joints([-0.272, 0.503, 2.369, -1.302, -1.571, -0.272])'   # 42 mm above the bench
inside='joints([-0.272, 0.75, 2.369, -1.302, -1.571, -0.272])'  # in it

plan apart <<END
  - guide: { arm: left, margin: 0.3 }
END
expect 2 'the left arm begins nearer to `bench_1` than its margin' "$FORESEE" check $folder/apart.yaml
# Steps that run together begin together: an arm is where it was, unless another of them may move it.
plan beside <<END
  - par:
      - wait: { seconds: 1 }
      - guide: { arm: left, margin: 0.3 }
END
expect 2 'the left arm begins nearer to `bench_1` than its margin' "$FORESEE" check $folder/beside.yaml
plan together <<END
  - par:
      - move_arm: { arm: left, to: "$near" }
      - guide: { arm: left, margin: 0.1 }
END
expect 0 "" "$FORESEE" check $folder/together.yaml
sed 's/  - par:/  - pursue:/' $folder/together.yaml >$folder/pursued.yaml
expect 0 "" "$FORESEE" check $folder/pursued.yaml
plan later <<END
  - par:
      - seq: [ { wait: { seconds: 1 } }, { guide: { arm: left, margin: 0.3 } } ]
      - seq: [ { wait: { seconds: 0.5 } }, { move_arm: { arm: left, to: "$near" } } ]
END
expect 0 "" "$FORESEE" check $folder/later.yaml
plan then <<END
  - par:
      - wait: { seconds: 1 }
      - move_arm: { arm: left, to: "$near" }
  - guide: { arm: left, margin: 0.1 }
END
expect 2 'the left arm begins nearer to `bench_1` than its margin' "$FORESEE" check $folder/then.yaml
# Where the fingers are after a gripper has moved is not known.
plan fingers <<END
  - move_arm: { arm: left, to: "$near" }
  - close_gripper: { arm: left }
  - guide: { arm: left, margin: 0.1 }
END
expect 0 "" "$FORESEE" check $folder/fingers.yaml
# An arm that is sent into what it should keep from is nearer than any margin.
plan inside <<END
  - move_arm: { arm: left, to: "$inside" }
  - guide: { arm: left, margin: 0.01 }
END
expect 2 'is inside of it' "$FORESEE" check $folder/inside.yaml
