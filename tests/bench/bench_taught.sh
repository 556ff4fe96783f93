#!/bin/sh
# tests/bench/bench_taught.sh - the second experiment of Elsner et al. (2022, 3.2) on an arm of six joints: a taught motion is done again, in
# free air at three paces and with a block in the way at the taught pace, and two estimates of what the arm touches are compared with what it truly touches.
# Prints a table: root mean squares over time and seeds of how far the hand is from its taught way, and of how far both estimates are off. In
# free motion the direct estimator is to be off by three times as much as the momentum observer at least, and in a contact at rest the
# observer by 5 % of the force at most. Arguments: seeds of each.
set -eu
n=${1:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$SOURCE/examples" "$folder/examples"
plan=$folder/examples/twins/teach_and_replay
sed '/^events/,$ d' "$folder/examples/twins/taught_lab.yaml" >"$folder/examples/twins/empty_lab.yaml"
sed '/wait:/,/tag: met/ d; s/taught_lab/empty_lab/' "$plan.yaml" >"$plan.1.yaml"
for pace in 0.5 2; do sed "s/force: \$force }/force: \$force, pace: $pace }/" "$plan.1.yaml" >"$plan.$pace.yaml"; done
grep -q 'pace: 2 }' "$plan.2.yaml"
# The hand's way beside the one that it was taught, for a pace P.
cat >"$folder/track.dl" <<'EOF'
strays(Tag, P, T, D) :-
    operation(_, _, teach, S0, E0), operation(_, Task, replay, S, E), task_path(Task, Path), member(Tag, [free, met]), ends_with(Path, Tag),
    member(P, [0.5, 1, 2]), N = int(seconds(E0 - S0) / 0.02), between(0, N, K), T = S + K * 0.02 / P, T < E, T0 = S0 + K * 0.02,
    pose(robot_left_gripper, T0, P0), pose(robot_left_gripper, T, P1), pose_distance(P0, P1, D).
EOF
# Errors of both estimates, held until the next row, in a window of each episode; at rest: where the hand has pressed
# for half a second and goes on to for 0.2 s.
measure() { # name log pace tag rest
    sqlite3 "$2" "
    CREATE TEMP TABLE w AS SELECT w.episode, w.t_s AS t, w.source, w.fx, w.fy, w.fz, w.mx, w.my, w.mz,
        lead(w.t_s) OVER (PARTITION BY w.episode, w.source ORDER BY w.t_s) - w.t_s AS dt
        FROM wrench_view w JOIN operation_view o ON o.episode = w.episode AND o.name = 'replay' JOIN task_view k ON k.id = o.task
        WHERE k.path LIKE '%/$4' AND w.t_s BETWEEN o.start_s AND o.end_s;
    CREATE TEMP TABLE e AS SELECT b.source, b.dt, sqrt(a.fx * a.fx + a.fy * a.fy + a.fz * a.fz) AS f,
        (a.fx - b.fx) * (a.fx - b.fx) + (a.fy - b.fy) * (a.fy - b.fy) + (a.fz - b.fz) * (a.fz - b.fz) AS ff,
        (a.mx - b.mx) * (a.mx - b.mx) + (a.my - b.my) * (a.my - b.my) + (a.mz - b.mz) * (a.mz - b.mz) AS mm
        FROM w a JOIN w b ON a.episode = b.episode AND a.t = b.t AND a.source = 'true' AND b.source != 'true' WHERE NOT $5 OR
        (SELECT min(c.fx * c.fx + c.fy * c.fy + c.fz * c.fz) FROM w c
            WHERE c.episode = a.episode AND c.source = 'true' AND c.t BETWEEN a.t - 0.5 AND a.t + 0.2) > 1;
    SELECT '$1', sum(f * dt) / sum(dt), (SELECT sqrt(sum(ff * dt) / sum(dt)) FROM e WHERE source = 'observer'),
        (SELECT sqrt(sum(ff * dt) / sum(dt)) FROM e WHERE source = 'direct'), (SELECT sqrt(sum(mm * dt) / sum(dt)) FROM e WHERE source = 'observer'),
        (SELECT sqrt(sum(mm * dt) / sum(dt)) FROM e WHERE source = 'direct') FROM e WHERE source = 'observer';" | tr '|' ' ' >"$folder/line"
    "$FORESEE" query "$2" -f "$folder/track.dl" --episode all --format csv "R = sqrt(avg { D * D : strays($4, $3, _, D) })" >"$folder/way" ||
        cat "$folder/way"
    awk -F, 'FNR > 1 { sum += $NF * $NF; n++ } END { printf " %.6f\n", sqrt(sum / n) }' "$folder/way" >>"$folder/line"
    tr '\n' ' ' <"$folder/line" >>"$folder/table"
    echo >>"$folder/table"
}
for pace in 0.5 1 2; do
    "$FORESEE" batch -q "$plan.$pace.yaml" -n "$n" --seed 1 -j 1 -o "$folder/$pace.db" >/dev/null
    measure "free,_pace_$pace" "$folder/$pace.db" "$pace" free 0
done
"$FORESEE" batch -q "$plan.yaml" -n "$n" --seed 1 -j 1 -o "$folder/met.db" >/dev/null
measure with_contacts "$folder/met.db" 1 met 0
measure pressing_at_rest "$folder/met.db" 1 met 1
awk -v n="$n" '
    BEGIN { printf "%d seeds each                force   observer off   direct off   ratio   moments off          hand off its way\n", n }
    { gsub(/_/, " ", $1) }
    { printf "%-20s  %9.1f N  %11.2f N  %9.2f N  %6.1f   %.3f, %.3f N m  %16s\n", $1, $2, $3, $4, $4 / $3, $5, $6,
        $1 == "pressing at rest" ? "" : sprintf("%.1f mm", 1000 * $7) }
    $1 == "free, pace 1" && $4 < 3 * $3 { print "In free motion the direct estimator is off by less than three times the observer."; bad = 1 }
    $1 == "pressing at rest" && $3 > 0.05 * $2 { print "The observer is off by more than 5 % of a force at rest."; bad = 1 }
    END { exit bad }' "$folder/table"
