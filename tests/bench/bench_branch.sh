#!/bin/sh
# bench_branch.sh N: what N futures from 80 % of an episode cost, against N whole projections that end up in one log just so: futures one
# after another against runs one after another, and two at a time against a batch with two workers, which also diagnoses each. It prints
# ratios of processor time, which other work on the machine disturbs less than the wall clock, and of the wall clock.
. "$SOURCE/tests/cli/lib.sh"
N=${1:-20}
now() { date +%s%N; }
# measured WHAT command...: the wall time and the processor time of the command and its children, in ms, as WHAT and WHAT_cpu.
measured() {
    _what=$1
    shift
    times >times.txt
    _begin=$(now) _spent=$(awk 'NR == 2 { gsub(/s/, ""); split($1, a, "m"); split($2, b, "m"); print int(1000 * (60 * a[1] + a[2] + 60 * b[1] + b[2])) }' times.txt)
    "$@" || fail "'$*' ended with $?"
    times >times.txt
    _wall=$((($(now) - _begin) / 1000000))
    _cpu=$(awk 'NR == 2 { gsub(/s/, ""); split($1, a, "m"); split($2, b, "m"); print int(1000 * (60 * a[1] + a[2] + 60 * b[1] + b[2])) }' times.txt)
    eval "$_what=$_wall ${_what}_cpu=$((_cpu - _spent))"
}
"$FORESEE" run -q "$PLAN" -o log.db || fail "the example does not succeed"
at=$(sqlite3 log.db "select 0.8 * end_ns / 1e9 from episode")
runs() {
    seed=2
    while [ "$seed" -le $((N + 1)) ]; do
        "$FORESEE" run -q log.db --seed "$seed" -o runs.db >/dev/null || [ $? -eq 1 ] || return
        seed=$((seed + 1))
    done
}
batch() { "$FORESEE" batch -q "$PLAN" --seed 2 -n "$N" -j 2 -o batch.db >/dev/null || [ $? -eq 1 ]; }
branch() {
    rm -f branch.db
    "$FORESEE" branch -q log.db --at "$at" -n "$N" -j "$1" -o branch.db || [ $? -eq 1 ]
}
measured branch branch 1
measured runs runs
measured pair branch 2
measured batch batch
echo "$N futures from $at s on: one at a time $branch_cpu ms of the processor ($branch ms), runs $runs_cpu ms ($runs ms)"
echo "two at a time $pair_cpu ms of the processor ($pair ms), a batch of two workers $batch_cpu ms ($batch ms)"
echo "in 1000 parts: $((1000 * branch_cpu / runs_cpu)) of the runs ($((1000 * branch / runs)) by the wall clock), $((1000 * pair_cpu / batch_cpu)) of the batch ($((1000 * pair / batch)))"
