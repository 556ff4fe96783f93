#!/bin/sh
# bench_batch.sh N: what two workers of a batch get done, merging included, against two runs at a time that are independent of one
# another. It prints ratios.
. "$SOURCE/tests/cli/lib.sh"
N=${1:-8}
now() { date +%s%N; }
# half FIRST LAST DIAGNOSE: a process that projects these seeds, and diagnoses each where that is asked.
half() {
    seed=$1
    while [ "$seed" -le "$2" ]; do
        "$FORESEE" run -q "$PLAN" -o "run-$seed.db" --seed "$seed" >/dev/null
        [ "$3" = no ] || "$FORESEE" diagnose "run-$seed.db" >/dev/null
        seed=$((seed + 1))
    done
}
two_halves() {
    half 1 $((N / 2)) "$1" & one=$!
    half $((N / 2 + 1)) "$N" "$1" & two=$!
    wait $one $two
    rm -f run-*.db
}
# measured WHAT command...: the wall time and the processor time of the command and its children, in ms, as WHAT and WHAT_cpu.
measured() {
    _what=$1
    shift
    times >times.txt
    _begin=$(now) _spent=$(awk 'NR == 2 { gsub(/s/, ""); split($1, a, "m"); split($2, b, "m"); print int(1000 * (60 * a[1] + a[2] + 60 * b[1] + b[2])) }' times.txt)
    "$@"
    times >times.txt
    _wall=$((($(now) - _begin) / 1000000))
    _cpu=$(awk 'NR == 2 { gsub(/s/, ""); split($1, a, "m"); split($2, b, "m"); print int(1000 * (60 * a[1] + a[2] + 60 * b[1] + b[2])) }' times.txt)
    eval "$_what=$_wall ${_what}_cpu=$((_cpu - _spent))"
}
one_batch() { "$FORESEE" batch -q "$PLAN" -n "$N" -j 2 -o batch.db >/dev/null; }
two_halves no # the files are in memory from now on
measured plain two_halves no
measured diagnosed two_halves yes
measured batch one_batch
echo "$N samples, wall: two runs at a time $plain ms, with their diagnoses $diagnosed ms, a batch of two workers $batch ms"
echo "throughput: $((100 * plain / batch)) % of the runs alone, $((100 * diagnosed / batch)) % of runs that are diagnosed, as the batch's are"
echo "the same by processor time ($plain_cpu, $diagnosed_cpu, $batch_cpu ms), which other work on the machine disturbs less: $((100 * plain_cpu / batch_cpu)) %, $((100 * diagnosed_cpu / batch_cpu)) %"
