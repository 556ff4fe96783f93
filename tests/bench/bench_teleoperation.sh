#!/bin/sh
# tests/bench/bench_teleoperation.sh - what a step costs of an arm that follows a station through a twin, with a margin and observers of
# contacts in both arms, against a step of the same two robots none of them coupled, with no twin, no margin and no observer: in
# processor time with the log written. Once in free air, and once with an arm that comes onto a bench: by the coupling, or led by a person.
# Prints the ratios; they are to be 1.5 at most. Arguments: seeds of each.
set -eu
n=${1:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$SOURCE/examples" "$folder/examples"
plan=$folder/examples/twins/feel_bench
sed 's/seconds: 3 }/seconds: 3, margin: 0.05 }/' "$plan.yaml" >"$plan.coupled.yaml"
# The station's own hand ends the step, as in the coupled plan.
sed '/^  teleoperation:/,/^    twin: yes/d; s/feeling_arm/bolted_arm/; s/tag: follow, follow: { arm: left }/tag: follow, guide: { arm: left, direction: down, distance: $distance, force: $force, seconds: 10 }/' \
    "$plan.yaml" >"$plan.apart.yaml"
grep -q 'margin: 0.05' "$plan.coupled.yaml" && grep -q 'seconds: 10' "$plan.apart.yaml"
cost() { # plan, distance: processor time per simulated second, ms
    log=$folder/$1.$2.db
    times >"$folder/before"
    "$FORESEE" batch -q "$plan.$1.yaml" -n "$n" --seed 1 -j 1 --set plan.distance="$2" -o "$log" >/dev/null
    times >"$folder/after"
    simulated=$(sqlite3 "$log" "SELECT sum(end_ns) / 1e9 FROM episode")
    awk -v simulated="$simulated" '
        FNR == 2 { split($1, u, "[ms]"); split($2, s, "[ms]"); t[FILENAME] = 60 * u[1] + u[2] + 60 * s[1] + s[2] }
        END { printf "%.3f", 1000 * (t[ARGV[2]] - t[ARGV[1]]) / simulated }' "$folder/before" "$folder/after" >"$folder/$1.$2"
}
bad=0
for distance in 0.15 0.4; do
    cost apart $distance
    cost coupled $distance
    [ $distance = 0.4 ] && where="on the bench" || where="in free air"
    touched=$(sqlite3 "$folder/coupled.$distance.db" "SELECT count(*) > 0 FROM contact_view")
    [ "$touched" = "$(sqlite3 "$folder/apart.$distance.db" "SELECT count(*) > 0 FROM contact_view")" ] || { echo "one arm touches what the other does not"; exit 1; }
    awk -v where="$where" 'FNR == 1 { v[FILENAME] = $1 } END {
        printf "%s: apart %.1f ms per simulated second, coupled %.1f ms; ratio %.2f (1.5 at most)\n", where, v[ARGV[1]], v[ARGV[2]], v[ARGV[2]] / v[ARGV[1]]
        exit v[ARGV[2]] > 1.5 * v[ARGV[1]] }' "$folder/apart.$distance" "$folder/coupled.$distance" || bad=1
done
exit $bad
