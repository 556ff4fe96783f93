#!/bin/sh
# The three experiments of Bauer et al., made again: a fluid beside a robot, a tennis ball that is dropped over a container, a plug
# that is inserted. docs/ensembles.md has the table.
set -eu
WORK=$(mktemp -d "${TMPDIR:-/tmp}/foresee-bench.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
bad=0
echo "1. particles"
"$BENCH_BESIDE" "$SOURCE/examples/worlds/kitchen.yaml" "$SOURCE/examples/robots/two_arms.yaml" || bad=1
echo "2. tennis ball: of 50 recorded episodes that end with it in a container, and 50 that do not"
python3 "$SOURCE/tests/ensemble/ball.py" "$WORK" --wanted 50 --first 1000 2>/dev/null || bad=1
echo "3. insertion: of 100 offsets and tilts"
"$INSERTION" 2>/dev/null || bad=1
exit $bad
