#!/bin/sh
# tests/bench/bench_robots.sh - what a second of two robots that lay a table costs against a second of one that lays it alone, in
# processor time with the log written. Prints the ratio; two robots are to cost 2.2 times one at most. Arguments: seeds of each.
set -eu
n=${1:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cost() { # plan: processor time per simulated second, ms
    log=$folder/$1.db
    times >"$folder/before"
    "$FORESEE" batch -q "$SOURCE/examples/two_robots/$1.yaml" -n "$n" --seed 1 -j 1 -o "$log" >/dev/null
    times >"$folder/after"
    simulated=$(sqlite3 "$log" "SELECT sum(end_ns) / 1e9 FROM episode")
    awk -v simulated="$simulated" '
        FNR == 2 { split($1, u, "[ms]"); split($2, s, "[ms]"); t[FILENAME] = 60 * u[1] + u[2] + 60 * s[1] + s[2] }
        END { printf "%.3f", 1000 * (t[ARGV[2]] - t[ARGV[1]]) / simulated }' "$folder/before" "$folder/after" >"$folder/$1"
}
cost lay_table_alone
cost lay_table
awk 'FNR == 1 { v[FILENAME] = $1 } END {
    printf "one robot: %.1f ms per simulated second; two: %.1f ms; ratio %.2f (2.2 at most)\n", v[ARGV[1]], v[ARGV[2]], v[ARGV[2]] / v[ARGV[1]]
    exit v[ARGV[2]] > 2.2 * v[ARGV[1]] }' "$folder/lay_table_alone" "$folder/lay_table"
