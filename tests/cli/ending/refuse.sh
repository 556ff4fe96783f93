#!/bin/sh
# An allocation fails, once or for good, at every STRIDE-th place of run, show, html and edit: no crash, no "bug:", and
# exit 3 with a sentence where the result is not what it would have been.
. "$SOURCE/tests/cli/lib.sh"
: "${REFUSE:?the library that refuses memory}"
project=${FORESEE}-project
stride=${FORESEE_STRIDE:-389}
sed "s|\.\./|$SOURCE/examples/|g" "$SOURCE/examples/table_setting/default.yaml" >plan.yaml
expect 3 "" "$project" run -q plan.yaml -o log.db --until 1
# The log is made complete: for an incomplete log the status is 3 without a sentence.
sqlite3 log.db "UPDATE episode SET complete = 1, outcome = 'failed'"
printf 'edits:\n  - { set_parameter: plate_spot, value: plate_spot_2 }\n' >edits.yaml

# Commands that write no database are forked at each place.
for command in "show log.db -o new.png" "diagnose log.db --format html -o new.html" "check plan.yaml" "edit plan.yaml edits.yaml -o new.yaml"; do
    REFUSE_EACH=$stride REFUSE_COUNT=count.txt LD_PRELOAD=$REFUSE "$project" $command >/dev/null 2>err.txt
    read -r allocations wrong first <count.txt || fail "'$command' did not count: $(cat err.txt)"
    [ "$allocations" -gt 500 ] || fail "'$command' allocated $allocations times only"
    [ "$wrong" -eq 0 ] || fail "$wrong places of '$command', first: $first"
    [ -z "${FORESEE_STRIDE:-}" ] || echo "$command: each ${stride}th of $allocations allocations"
done

# run writes a log, so each place has a log of its own.
REFUSE_COUNT=count.txt LD_PRELOAD=$REFUSE "$project" run -q plan.yaml -o all.db --until 0.1 >/dev/null 2>err.txt
read -r allocations wrong first <count.txt
at=$stride tried=0
while [ "$at" -le "$allocations" ]; do
    rm -f one.db*
    status=0
    [ $((tried % 2)) -eq 0 ] || { REFUSE_ON=1 && export REFUSE_ON; }
    REFUSE_AT=$at LD_PRELOAD=$REFUSE "$project" run -q plan.yaml -o one.db --until 0.1 >/dev/null 2>err.txt || status=$?
    # Cut off by --until, it is incomplete: 3, without a sentence where nothing failed.
    [ $status -eq 3 ] && ! grep -q 'bug:' err.txt || fail "run at $at (${REFUSE_ON:-once}) ended with $status: $(head -c 300 err.txt)"
    [ -z "${REFUSE_ON:-}" ] || grep -q 'memory' err.txt || fail "run at $at says nothing of memory: $(cat err.txt)"
    unset REFUSE_ON
    tried=$((tried + 1)) at=$((at + stride))
done
[ $tried -gt 10 ] || fail "run was tried at $tried places only"
[ -z "${FORESEE_STRIDE:-}" ] || echo "run: $tried of $allocations allocations"
