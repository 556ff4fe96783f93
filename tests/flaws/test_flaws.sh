#!/bin/sh
# A few cases end to end: drawn, projected, monitored, diagnosed and scored.
set -eu
: "${FORESEE:?the program under test}" "${LABEL:?flaw_label}"
HERE=$(cd "$(dirname "$0")" && pwd)
WORK=$(mktemp -d "${TMPDIR:-/tmp}/foresee-test.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }
CASES="behind_box removed_fetch slipped"
"$HERE/generate.sh" "$WORK" --scene tune --seeds 1 --cases "$CASES"
"$HERE/diagnose.sh" "$WORK" --scene tune
"$HERE/score.sh" "$WORK" --scene tune --list | tee "$WORK/table"
for case in $CASES; do
    grep -q "^| *$case *| *1 *| *0 *| *1 *| *0 *| *0 *|" "$WORK/table" || fail "$case: not found, left out, or with a false alarm"
done
"$HERE/consistent.sh" "$WORK"/diagnoses/*.json || fail "evidence and sentence contradict each other"
# The same seed draws the same, another seed something else.
"$LABEL" draw "$HERE/cases/slipped/case.yaml" tune 1 >"$WORK/one"
"$LABEL" draw "$HERE/cases/slipped/case.yaml" tune 1 >"$WORK/again"
"$LABEL" draw "$HERE/cases/slipped/case.yaml" tune 2 >"$WORK/two"
cmp -s "$WORK/one" "$WORK/again" || fail "a seed draws now this, now that"
cmp -s "$WORK/one" "$WORK/two" && fail "two seeds draw the same"
# Where nothing slips, the monitor leaves the episode out.
"$FORESEE" run -q "$HERE/cases/slipped/tune.yaml" -o "$WORK/dry.db" || fail "with dry pads the plan should succeed"
"$LABEL" label "$HERE/cases/slipped/case.yaml" tune 1 "$WORK/dry.db" >"$WORK/dry.json"
grep -q '"shown": false, "why_not": "slid"' "$WORK/dry.json" || fail "the monitor saw what was not: $(cat "$WORK/dry.json")"

# What the monitor says of an episode that went well: a red cup was taken from the bar and put down at bar_left.
asks() { # holds|fails CHECK
    printf 'case: x\nscenes:\n  tune:\n    flaws: []\n    monitor:\n      - %s\n' "$2" >"$WORK/x.yaml"
    "$LABEL" label "$WORK/x.yaml" tune 1 "$WORK/dry.db" >"$WORK/x.json" || fail "the monitor cannot ask $2"
    case $1 in holds) shown=true ;; *) shown=false ;; esac
    grep -q "\"shown\": $shown" "$WORK/x.json" || fail "of an episode that went well '$2' should be $shown"
}
asks holds '{ lifted: { object: cup_1, by: 0.05 } }'
asks fails '{ lifted: { object: cup_2, by: 0.01 } }'
asks fails '{ never_lifted: { object: cup_1 } }'
asks holds '{ taken: { object: cup_1 } }'
asks fails '{ missed: { object: cup_1 } }'
asks holds '{ ends_on: { object: cup_1, support: bar_1 } }'
asks fails '{ ends_off: { object: cup_1, support: bar_1 } }'
asks holds '{ ends_near: { object: cup_1, region: bar_left, by: 0.06 } }'
asks fails '{ ends_near: { object: cup_2, region: bar_left, by: 0.06 } }'
asks holds '{ ends_away: { object: cup_1, region: bar_right, by: 0.06 } }'
asks fails '{ clear_at_end: { region: bar_left, by: 0.06 } }'
asks holds '{ clear_at_end: { region: bar_right, by: 0.06 } }'
asks fails '{ held_at_end: { object: cup_1 } }'
asks fails '{ fell: { object: cup_1, by: 0.02 } }'
asks fails '{ displaced: { object: cup_2, by: 0.01 } }'
asks fails '{ turned_over: { object: cup_1, over: 120 } }'
asks holds '{ met: { a: robot, b: cup_1 } }'
asks fails '{ met: { a: robot, b: cup_3 } }'
asks fails '{ touched: { a: robot, b: bistro_1 } }'
asks holds '{ visible: { object: cup_1, during: "serve/look" } }'
asks fails '{ hidden: { object: cup_1, during: "serve/look" } }'
asks holds '{ seen: { object: cup_1, as: cup, during: "serve/look", at_least: 3 } }'
asks fails '{ never_seen: { object: cup_1 } }'
asks fails '{ percepts_off: { object: cup_1, by: 0.03 } }'
asks fails '{ imagined: { path: "serve/look" } }'
asks fails '{ moved_by_person: { object: cup_1 } }'
asks fails '{ astray: {} }'
asks holds '{ alike: { type: cup, on: bar_1, at_least: 3 } }'
asks fails '{ alike: { type: cup, color: red, on: bar_1, at_least: 2 } }'
asks holds '{ occupied: { at: [1.1, 3.57], by: 0.05, during: "serve" } }'
asks fails '{ occupied: { region: bar_left, by: 0.1, during: "serve" } }'
asks holds '{ ended: { outcome: succeeded } }'
