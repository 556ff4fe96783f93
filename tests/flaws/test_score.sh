#!/bin/sh
# The scorer counts right and wrong predictions correctly: on labels and predictions written by hand.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
WORK=$(mktemp -d "${TMPDIR:-/tmp}/foresee-test.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
fail() { echo "FAILED: $*" >&2; cat "$WORK/table" >&2; exit 1; }
score() { "$HERE/score.sh" "$WORK" "$@" >"$WORK/table"; }
# row NAME: its columns, separated by single spaces.
row() { sed -n "s/^| *$1 *|//p" "$WORK/table" | tr -d '|' | tr -s ' ' | sed 's/^ //; s/ $//' | head -"${2:-1}" | tail -1; }
is() { [ "$(row "$1" "${3:-1}")" = "$2" ] || fail "row '$1' is '$(row "$1" "${3:-1}")', not '$2'"; }

label() { # EPISODE CASE SCENE CLEAN SHOWN FLAWS
    echo "{ \"episode\": \"$1\", \"case\": \"$2\", \"scene\": \"$3\", \"seed\": 1, \"clean\": $4, \"shown\": $5, \"why_not\": null, \"draws\": {},
        \"flaws\": [$6], \"consequences\": [\"never_achieved\"] }"
}
SLIP='{ "names": ["slipped"], "paths": ["serve/bring/*"], "bodies": ["cup_1"], "starts": [4.0, 9.0] }'
LOOK='{ "names": ["missed_detection", "overlooked_occluded"], "paths": ["serve/look"], "bodies": [], "starts": [] }'
{
    echo '['
    label a slipped held false true "$SLIP"; echo ,      # found
    label b slipped held false true "$SLIP"; echo ,      # its start is 0.6 s off
    label c slipped held false true "$SLIP"; echo ,      # another path
    label d slipped held false true "$SLIP"; echo ,      # found twice, and a second cause named wrongly
    label e slipped held false false "$SLIP"; echo ,     # left out: what is said of it counts for nothing
    label f looked held false true "$LOOK"; echo ,       # found by its second name, no start to be met
    label g looked held false true "$LOOK"; echo ,       # named, but as a consequence of something else
    label h calm held true true ""; echo ,               # a false alarm, and one that was recovered from
    label i calm held true true ""; echo ,               # quiet
    label j slipped tune false true "$SLIP"              # of the other scene
    echo ']'
} >"$WORK/labels.json"
flaw() { echo "{ \"name\": \"$1\", \"role\": \"$2\", \"path\": \"$3\", \"start\": $4, \"bodies\": [] }"; }
said() { echo "{ \"episode\": \"$1\", \"flaws\": [$2] }"; }
{
    echo '['
    said a "$(flaw slipped root serve/bring/lift 4.4), $(flaw never_achieved consequence serve 20)"; echo ,
    said b "$(flaw slipped root serve/bring/lift 4.6)"; echo ,
    said c "$(flaw slipped root serve/look 4.0)"; echo ,
    said d "$(flaw slipped root serve/bring/lift 8.8), $(flaw slipped root serve/bring/lift 3.9), $(flaw broken root serve 5)"; echo ,
    said e "$(flaw broken root serve 1)"; echo ,
    said f "$(flaw overlooked_occluded root serve/look 0)"; echo ,
    said g "$(flaw missed_detection consequence serve/look 1), $(flaw mislocalised root serve 0)"; echo ,
    said h "$(flaw slipped root x 1), $(flaw slipped recovered x 2)"; echo ,
    said j "$(flaw slipped root serve/bring/lift 4.0)"
    echo ']'
} >"$WORK/predictions.json"

score --scene held
#           seeds, left out, TP, FP, FN, precision, recall; with consequences: precision, recall
is slipped "5 1 2 3 2 0.40 0.50 0.40 0.50"
is looked "2 0 1 1 1 0.50 0.50 0.67 1.00"
is calm "2 0 1 0.50 2"
#                      TP FP FN micro precision, recall, macro precision, recall
is 'roots alone' "3 4 3 0.429 0.500 0.450 0.500 0.450 0.500"
is 'with consequences' "4 4 2 0.500 0.667 0.533 0.750 0.533 0.750"
score --scene tune
is slipped "1 0 1 0 0 1.00 1.00 1.00 1.00"

# Nothing said: nothing found, nothing wrong.
echo '[]' >"$WORK/predictions.json"
score --scene held
is 'roots alone' "0 0 6 0.000 0.000 0.000 0.000 0.000 0.000"
is calm "2 0 0 0.00 0"

# A diagnosis that failed is a false alarm, on a clean run too.
echo '[ { "episode": "h", "failed": true, "flaws": [] }, { "episode": "a", "failed": true, "flaws": [] } ]' >"$WORK/predictions.json"
score --scene held
is calm "2 0 1 0.50 1"
is slipped "5 1 0 1 4 0.00 0.00 0.00 0.00"
