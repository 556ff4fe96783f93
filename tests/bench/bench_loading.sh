#!/bin/sh
# tests/bench/bench_loading.sh - what checking a world costs as it grows: ten times as many shapes, bodies, joints,
# regions, events or parameters, against ten times the processor time. Prints the ratio of both; 1 is linear.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
world() { # kind, count
    awk -v kind="$1" -v n="$2" 'BEGIN {
        print "world: w\nbodies:\n  floor: { fixed: true, shapes: [ { plane: true } ] }"
        if (kind == "apart" || kind == "chain" || kind == "heap") {
            print "  a:\n    mass: 1\n    at: [0, 0, 1]\n    shapes:"
            step = kind == "apart" ? 0.04 : kind == "chain" ? 0.02 : 0.00001
            for (i = 0; i < n; i++)
                printf "      - { box: [0.03, 0.01, 0.01], at: [%g, 0, 0.005] }\n", i * step
        }
        if (kind == "bodies" || kind == "joints")
            for (i = 0; i < n; i++)
                printf "  b%d: { mass: 1, at: [%g, 0, 0.1], shapes: [ { box: [0.1, 0.1, 0.1] } ] }\n", i, i * 0.2
        if (kind == "joints") {
            print "joints:"
            for (i = 0; i < n; i++)
                printf "  j%d: { kind: slider, body: b%d, axis: [0, 0, 1], limits: [0, 1] }\n", i, i
        }
        if (kind == "regions") {
            print "regions:"
            for (i = 0; i < n; i++)
                printf "  r%d: { on: floor, at: [%g, 0], size: [0.1, 0.1] }\n", i, i
        }
        if (kind == "events") {
            print "  b: { mass: 1, shapes: [ { sphere: 0.1, at: [0, 0, 0.1] } ] }\nevents:"
            for (i = 0; i < n; i++)
                printf "  - { name: e%d, at: %d, force: { body: b, force: [1, 0, 0] } }\n", i, i
        }
        if (kind == "parameters") {
            print "parameters:"
            for (i = 0; i < n; i++)
                printf "  p%d: { type: number, default: 1 }\n", i
        }
    }' >"$folder/world.yaml"
}
seconds() { # of the processor, for one check
    "$FORESEE" check "$folder/world.yaml" >/dev/null
    ( "$FORESEE" check "$folder/world.yaml" >/dev/null; times ) | awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/)
        print u[1] * 60 + u[2] + s[1] * 60 + s[2] }'
}
world none 0
empty=$(seconds)
for kind in apart chain heap bodies joints regions events parameters; do
    world $kind 100; few=$(seconds)
    world $kind 1000; many=$(seconds)
    awk -v k=$kind -v e="$empty" -v f="$few" -v m="$many" 'BEGIN {
        few = f - e > 0.001 ? f - e : 0.001
        printf "%-10s 100: %.3f s, 1000: %.3f s, ratio to linear %.2f\n", k, f, m, (m - e) / few / 10 }'
done
