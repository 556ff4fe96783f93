#!/bin/sh
# Two robots lay a table, and one lays it alone: how often each succeeds, and how long it takes. Arguments: number of seeds, and the
# least of them in which two robots must succeed.
. "${0%/*}/lib.sh"
n=${1:-20} least=${2:-18}
lay() { # plan: how often it succeeded, and the mean time in which, in s
    status=0
    "$FORESEE" batch -q "$SOURCE/examples/two_robots/$1.yaml" -n "$n" --seed 1 -j 2 -o "$1.db" >/dev/null || status=$?
    [ "$status" -le 1 ] || fail "foresee batch $1 ended with status $status"
    sqlite3 -readonly -separator ' ' "$1.db" "select count(*), avg(end_s) from episode_view where outcome = 'succeeded';"
}
two=$(lay lay_table)
one=$(lay lay_table_alone)
echo "two robots: $two; one: $one (of $n, s)"
[ "${two%% *}" -ge "$least" ] || fail "two robots succeeded in ${two%% *} of $n, expected at least $least"
awk "BEGIN { exit !(${two##* } <= 0.65 * ${one##* }) }" || fail "two robots take more than 0.65 of the time of one"
