#!/bin/sh
# bench_fidelity.sh [SEEDS [SECONDS [PARTS]]]: what a manager of fidelity saves, and how far off it is (docs/fidelity.md). Parts, all by default:
# wall: the wall of examples/fidelity, the first 10 s, over all seeds (10), beside full fidelity and a floor;
# wait: an hour in which the robot waits; truck: the trucks of the paper's experiment with 60 packets, over all seeds, SECONDS (600) long;
# paper: trucks with the paper's counts and radii, one seed; strategies: three plans that unload 30 packets, compared by `batch`.
# Times are those of a processor; the real-time factor is simulated time over it.
. "$SOURCE/tests/episodes/lib.sh"
SEEDS=${1:-10} UNTIL=${2:-600} PARTS=${3:-wall wait truck paper strategies}
FIDELITY=$SOURCE/examples/fidelity
for plan in unload unload_across unload_blind take_six; do
    sed "s#\.\./robots#$SOURCE/examples/robots#" "$FIDELITY/$plan.yaml" >$plan.yaml
done
truck() { awk "$@" -f "$FIDELITY/truck.awk" >truck.yaml; }
wanted() { case " $PARTS " in *" $1 "*) ;; *) return 1 ;; esac }

# spent: what the children of this shell have had of the processors, ms.
spent() {
    times >times.txt
    awk 'NR == 2 { gsub(/s/, ""); split($1, a, "m"); print int(1000 * (60 * a[1] + a[2])) }' times.txt
}

# timed STATUS COMMAND...: the processor time in ms as SPENT; the exit status may be up to STATUS.
timed() {
    _most=$1; shift
    spent >before.txt
    _status=0
    "$@" || _status=$?
    [ "$_status" -le "$_most" ] || fail "$* ended with status $_status"
    spent >after.txt
    SPENT=$(($(cat after.txt) - $(cat before.txt)))
}

# project PLAN LOG SEED UNTIL [options]: an episode that is cut off is incomplete: 3.
project() {
    _plan=$1 _log=$2 _seed=$3 _until=$4; shift 4
    timed 3 "$FORESEE" run -q "$_plan" -o "$_log" --seed "$_seed" --until "$_until" "$@"
}
taken() { sqlite3 -readonly "$1" "select count(*) from exogenous_view where substr(term, 1, 7) = 'removed' and episode = (select max(id) from episode_view)"; }
times_less() { echo "$1: $2 ms of a processor at full fidelity, $3 ms managed: $(($2 / $3)).$((10 * $2 / $3 % 10)) times less"; }

if wanted wall; then
    full=0 managed=0
    for seed in $(seq "$SEEDS"); do
        cp "$FIDELITY/wall.yaml" wall.yaml
        project take_six.yaml wall-full.db "$seed" 10 --fidelity full
        full=$((full + SPENT))
        project take_six.yaml wall-managed.db "$seed" 10
        managed=$((managed + SPENT))
        sed '/brick_39:/s/0\.10, 0\.97/0.100001, 0.97/' "$FIDELITY/wall.yaml" >wall.yaml
        project take_six.yaml wall-nudged.db "$seed" 10 --fidelity full
    done
    times_less "wall, $SEEDS seeds of 10 s" "$full" "$managed"
    "$FORESEE" compare wall-full.db wall-managed.db --floor wall-nudged.db || true
fi

if wanted wait; then
    printf 'fidelity: { bodies: { near: 0.1 }, robot: { parked: true } }\n' >parked.yaml
    for hz in 10 0.01; do
        sed -E "s/^( *)rate: (50|10)\$/\1rate: $hz/; s/^encoders: \{/encoders: { rate: $hz,/; s/^grippers:/grippers:\n  rate: $hz/" \
            "$SOURCE/examples/robots/two_arms.yaml" >robot.yaml
        printf 'plan: wait\nprojection: { world: %s, robot: robot.yaml }\nbody: { seq: [ { wait: { seconds: 1800 } }, { wait: { seconds: 1800 } } ] }\n' \
            "$SOURCE/examples/worlds/kitchen.yaml" >wait.yaml
        project wait.yaml wait.db 1 3600 --fidelity full
        full=$SPENT
        project wait.yaml wait.db 1 3600 --fidelity parked.yaml
        times_less "an hour of waiting, sensors at $hz Hz" "$full" "$SPENT"
    done
fi

if wanted truck; then
    full=0 managed=0
    for seed in $(seq "$SEEDS"); do
        truck -v packets=60
        project unload.yaml full.db "$seed" "$UNTIL" --fidelity full
        full=$((full + SPENT))
        project unload.yaml managed.db "$seed" "$UNTIL"
        managed=$((managed + SPENT))
        truck -v packets=60 -v nudge=1e-6
        project unload.yaml nudged.db "$seed" "$UNTIL" --fidelity full
    done
    times_less "60 packets, $SEEDS seeds of $UNTIL s" "$full" "$managed"
    "$FORESEE" compare full.db managed.db --floor nudged.db || true
fi

if wanted paper; then
    echo "packets  radius  real-time factor  taken away  error of the rate"
    for packets in 491 1007 539; do
        for near in full 1.00 0.50 0.01; do
            log=$packets-$near.db
            if [ $near = full ]; then
                truck -v "packets=$packets"
                project unload.yaml "$log" 1 "$UNTIL" --fidelity full
                rate=$(taken "$log")
            else
                truck -v "packets=$packets" -v "near=$near"
                project unload.yaml "$log" 1 "$UNTIL"
            fi
            sqlite3 :memory: "select printf('%7d  %6s  %16.1f  %10d  %15.1f %%', $packets, '$near', 1000.0 * $UNTIL / $SPENT, $(taken "$log"), 100.0 * abs($(taken "$log") - $rate) / $rate)"
        done
    done
fi

if wanted strategies; then
    truck -v packets=30
    for fidelity in managed full; do
        set --
        [ $fidelity = managed ] || set -- --fidelity full
        timed 3 "$FORESEE" batch unload.yaml unload_across.yaml unload_blind.yaml -n "$SEEDS" -j 1 -o strategies-$fidelity.db "$@" >batch.txt
        echo "three strategies, $SEEDS seeds each, $fidelity: $SPENT ms of a processor"
        sqlite3 -readonly strategies-$fidelity.db "select printf('%-20s %2d episodes, %4.1f packets away, %5.1f s, %5.1f an hour', plan, count(*), avg(away), avg(end_s), 3600 * sum(away) / sum(end_s))
            from (select e.plan, e.end_s, (select count(*) from exogenous_view x where x.episode = e.id and substr(x.term, 1, 7) = 'removed') as away from episode_view e)
            group by plan order by sum(away) / sum(end_s) desc"
    done
fi
