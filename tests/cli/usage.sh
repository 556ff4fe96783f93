#!/bin/sh
# Wrong use is status 2 with a message that helps; help fits on a screen.
. "${0%/*}/lib.sh"

expect 2 "foresee run" "$FORESEE"
silent_out
expect 2 "did you mean 'diagnose'" "$FORESEE" diagnos
expect 2 "unknown command" "$FORESEE" frobnicate
expect 0 "foresee 0." "$FORESEE" --version
expect 0 "diagnose" "$FORESEE" help
expect 2 "did you mean 'run'" "$FORESEE" help rn
commands=$(sed -n 's/^COMMAND(\([a-z]*\),.*/\1/p' "$SOURCE/cli/flags.def")
[ "$(echo "$commands" | wc -w)" -ge 10 ] || fail "cli/flags.def lists the commands: $commands"
for command in $commands; do
    expect 0 "Exit status" "$FORESEE" help "$command"
    cp out.txt help.txt
    expect 0 "" "$FORESEE" "$command" --help
    [ "$command" = help ] || cmp -s help.txt out.txt || fail "help $command and $command --help differ"
    lines=$(wc -l <help.txt)
    [ "$lines" -le 42 ] || fail "the help of $command has $lines lines"
    [ "$(awk 'length > 80' help.txt | wc -l)" -eq 0 ] || fail "the help of $command is wider than 80 columns"
    [ "$(grep -c '^  foresee ' help.txt)" -ge 2 ] || fail "the help of $command shows fewer than two examples"
done

expect 2 "run needs one plan" "$FORESEE" run
silent_out
expect 2 "run needs one plan" "$FORESEE" run a.yaml b.yaml
expect 2 "did you mean '--seed'" "$FORESEE" run "$PLAN" --sed 3
expect 2 "needs a value" "$FORESEE" run "$PLAN" --seed
expect 2 "whole number" "$FORESEE" run "$PLAN" --seed three
expect 2 "whole number" "$FORESEE" run "$PLAN" --seed -1
expect 2 "given twice" "$FORESEE" run "$PLAN" --seed 1 --seed 2
expect 2 "takes no value" "$FORESEE" run "$PLAN" --quiet=yes
expect 2 "seconds" "$FORESEE" run "$PLAN" --until -5
expect 2 "seconds" "$FORESEE" run "$PLAN" --until nan
expect 2 "up to 10000000" "$FORESEE" run "$PLAN" --until 1e300
expect 2 "SCOPE.NAME=VALUE" "$FORESEE" run "$PLAN" --set gripper_friction=1
expect 2 "SCOPE.NAME=VALUE" "$FORESEE" run "$PLAN" --set world.gripper_friction
expect 2 "did you mean 'world'" "$FORESEE" run "$PLAN" --set word.gripper_friction=1
expect 2 "gripper_friction" "$FORESEE" run "$PLAN" --set world.griper_friction=1
expect 2 "" "$FORESEE" run "$PLAN" --set world.gripper_friction=wet
expect 2 "log.tolerance_mm needs a number, 0 or more" "$FORESEE" run "$PLAN" --set log.tolerance_mm=-1
expect 2 "is log.tolerance_mm now, in millimetres" "$FORESEE" run "$PLAN" --set log.tolerance=1
expect 2 "" "$FORESEE" run "$PLAN" --set plan.no_such_parameter=1
expect 2 "batch needs a plan" "$FORESEE" batch
expect 2 "whole number" "$FORESEE" batch "$PLAN" -n 0
expect 2 "is one of text, json" "$FORESEE" batch "$PLAN" --format jsn
expect 2 "branch needs one log" "$FORESEE" branch
expect 2 "query needs a log" "$FORESEE" query
expect 2 "did you mean 'table'" "$FORESEE" query x.db 'flaw(F).' --format tabel
expect 2 "or 'all'" "$FORESEE" query x.db 'flaw(F).' --episode some
expect 2 "diagnose needs one log" "$FORESEE" diagnose
expect 2 "diff needs two episodes" "$FORESEE" diff one.db
expect 2 "tree needs one log" "$FORESEE" tree
expect 2 "check needs files" "$FORESEE" check
expect 2 "derive needs a log" "$FORESEE" derive
expect 2 "mend needs one plan" "$FORESEE" mend
expect 2 "reasons are printed" "$FORESEE" query x.db 'flaw(F).' --why --format csv
expect 2 "edit needs a plan and a file of edits" "$FORESEE" edit "$PLAN"
expect 2 "edit needs -o" "$FORESEE" edit "$PLAN" edits.yaml
rest=$(ls -A | grep -v -e '^out.txt$' -e '^err.txt$' -e '^help.txt$' || true)
[ -z "$rest" ] || fail "something was written: $rest"

# A closed pipe is no error.
"$FORESEE" help run 2>err.txt | true
[ ! -s err.txt ] || fail "a closed pipe is not quiet: $(cat err.txt)"
if [ -c /dev/full ]; then
    status=0
    "$FORESEE" help run >/dev/full 2>err.txt || status=$?
    [ "$status" -eq 3 ] || fail "a full standard output ended with $status"
fi
