#!/bin/sh
# The paper's tennis ball: of 50 recorded episodes that end with it in a container, and 50 that do not, how many a world that follows
# them says so of, by an ensemble and by three baselines. docs/ensembles.md has the table.
set -eu
WORK=$(mktemp -d "${TMPDIR:-/tmp}/foresee-bench.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
python3 "$SOURCE/tests/ensemble/ball.py" "$WORK" --wanted 50 --first 1000 2>/dev/null
