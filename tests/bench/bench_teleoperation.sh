#!/bin/sh
# tests/bench/bench_teleoperation.sh - what a step costs of an arm that follows a station through a twin, with a margin and observers of
# contacts in both arms, against a step of the same two robots and the same twin, none of them coupled, with no margin and no observer: in
# processor time with the log written. Prints the ratio; it is to be 1.5 at most. Arguments: seeds of each.
set -eu
n=${1:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$SOURCE/examples" "$folder/examples"
plan=$folder/examples/twins/feel_bench
sed 's/seconds: 3 }/seconds: 3, margin: 0.05 }/' "$plan.yaml" >"$plan.coupled.yaml"
sed 's/feeling_arm/bolted_arm/; s/tag: follow, follow: { arm: left }/tag: follow, wait: { seconds: 1000 }/' "$plan.yaml" >"$plan.apart.yaml"
grep -q 'margin: 0.05' "$plan.coupled.yaml" && grep -q 'wait: { seconds: 1000 }' "$plan.apart.yaml"
cost() { # plan: processor time per simulated second, ms
    log=$folder/$1.db
    times >"$folder/before"
    "$FORESEE" batch -q "$plan.$1.yaml" -n "$n" --seed 1 -j 1 -o "$log" >/dev/null
    times >"$folder/after"
    simulated=$(sqlite3 "$log" "SELECT sum(end_ns) / 1e9 FROM episode")
    awk -v simulated="$simulated" '
        FNR == 2 { split($1, u, "[ms]"); split($2, s, "[ms]"); t[FILENAME] = 60 * u[1] + u[2] + 60 * s[1] + s[2] }
        END { printf "%.3f", 1000 * (t[ARGV[2]] - t[ARGV[1]]) / simulated }' "$folder/before" "$folder/after" >"$folder/$1"
}
cost apart
cost coupled
awk 'FNR == 1 { v[FILENAME] = $1 } END {
    printf "apart: %.1f ms per simulated second; coupled: %.1f ms; ratio %.2f (1.5 at most)\n", v[ARGV[1]], v[ARGV[2]], v[ARGV[2]] / v[ARGV[1]]
    exit v[ARGV[2]] > 1.5 * v[ARGV[1]] }' "$folder/apart" "$folder/coupled"
