#!/bin/sh
# table.sh OUT [-j JOBS]
# Everything that docs/flaws.md shows: all episodes, both scenes, 20 seeds each; then the edits, the interventions on every
# fifth seed of the scenes that are held back, and the comparison of tolerances on one. Markdown goes to standard output.
. "${0%/*}/lib.sh"
options "$@"
need "$FORESEE" FORESEE "the program under test"
need "$LABEL" LABEL "tests/flaws/flaw_label"
say() { printf '\n## %s\n\n' "$1"; }
"$HERE/generate.sh" "$OUT" -j "$JOBS" >&2
"$HERE/diagnose.sh" "$OUT" -j "$JOBS" >&2
say "The scenes that are held back"
"$HERE/score.sh" "$OUT" --scene held
say "The scenes that rules were tuned on"
"$HERE/score.sh" "$OUT" --scene tune
say "Suggested edits"
"$HERE/edits.sh" "$OUT" -j "$JOBS"
say "Interventions"
"$HERE/verify.sh" "$OUT" --scene held --seeds 1,6,11,16 -j "$JOBS"
say "Logs of tolerance 0"
"$HERE/tolerance.sh" "$OUT/tolerance" -j "$JOBS" --seeds 1
