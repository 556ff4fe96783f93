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

# Where a margin varies in a batch, those that overlap fail, each by itself and with its reason, and the others run.
sed '/^body:/,$d; s/default: 0.05, min: 0, max: 0.2/default: 0.3, min: 0, max: 1/' $folder/led_arm.yaml >$folder/varied.yaml
cat >>$folder/varied.yaml <<END
body:
  - guide: { arm: left, direction: down, distance: 0.01, seconds: 0.1, margin: \$margin }
END
echo 'vary: { plan.margin: { grid: [0.02, 0.3, 0.05] } }' >vary.yaml
expect 1 "" "$FORESEE" batch $folder/varied.yaml --vary vary.yaml -n 3 --seed 3 -j 2 -o varied.db --format json
cp out.txt varied.json
[ "$(grep -c 'seed 4: .*varied.yaml:10:.*the left arm begins nearer to `bench_1` than its margin' err.txt)" = 1 ] || fail "why a margin is refused: $(cat err.txt)"
said=$(sqlite3 :memory: "SELECT group_concat(value ->> 'outcome' || coalesce(value ->> 'episode', '-'), ' ') FROM json_each(readfile('varied.json'), '$.samples')")
[ "$said" = "succeeded1 refused- succeeded2" ] || fail "a batch of margins: $said"
[ "$(sqlite3 varied.db "SELECT group_concat(seed) FROM episode")" = 3,5 ] || fail "the log of a batch of margins"
sqlite3 :memory: "SELECT (value ->> 'succeeded') || ' of ' || (value ->> 'samples') || ', ' || (value ->> 'invalid') FROM json_each(readfile('varied.json'), '$.candidates')" >counts.txt
grep -qx '2 of 3, 0' counts.txt || fail "a batch of margins counts $(cat counts.txt)"
