#!/bin/sh
# bench_fidelity.sh [SEEDS [SECONDS]]: the experiment of the paper on fidelity (docs/fidelity.md): trucks of packets that an arm unloads,
# at full fidelity and with a manager. For 60 packets all seeds (10), beside a floor; for the paper's 491, 1007 and 539 packets and its
# radii of 1.00, 0.50 and 0.01 m one seed. Processor time, real-time factor (simulated time over processor time), packets taken away.
. "$SOURCE/tests/episodes/lib.sh"
SEEDS=${1:-10} UNTIL=${2:-600}
FIDELITY=$SOURCE/examples/fidelity
sed "s#\.\./robots#$SOURCE/examples/robots#" "$FIDELITY/unload.yaml" >unload.yaml
truck() { awk "$@" -f "$FIDELITY/truck.awk" >truck.yaml; }

# spent: what the children of this shell have had of the processors, ms.
spent() {
    times >times.txt
    awk 'NR == 2 { gsub(/s/, ""); split($1, a, "m"); print int(1000 * (60 * a[1] + a[2])) }' times.txt
}

# unload LOG SEED [options]: the processor time in ms as SPENT.
unload() {
    _log=$1 _seed=$2; shift 2
    spent >before.txt
    _status=0 # an episode that is cut off is incomplete: 3
    "$FORESEE" run -q unload.yaml -o "$_log" --seed "$_seed" --until "$UNTIL" "$@" || _status=$?
    [ "$_status" -le 1 ] || [ "$_status" = 3 ] || fail "foresee run ended with status $_status"
    spent >after.txt
    SPENT=$(($(cat after.txt) - $(cat before.txt)))
}
taken() { sqlite3 -readonly "$1" "select count(*) from exogenous_view where substr(term, 1, 7) = 'removed' and episode = (select max(id) from episode_view)"; }

full=0 managed=0
for seed in $(seq "$SEEDS"); do
    truck -v packets=60
    unload full.db "$seed" --fidelity full
    full=$((full + SPENT))
    unload managed.db "$seed"
    managed=$((managed + SPENT))
    truck -v packets=60 -v nudge=1e-6
    unload nudged.db "$seed" --fidelity full
done
echo "60 packets, $SEEDS seeds of $UNTIL s: $full ms of a processor at full fidelity, $managed ms managed: $((full / managed)).$((10 * full / managed % 10)) times less"
"$FORESEE" compare full.db managed.db --floor nudged.db || true

echo "packets  radius  real-time factor  taken away  error of the rate"
for packets in 491 1007 539; do
    for near in full 1.00 0.50 0.01; do
        log=$packets-$near.db
        if [ $near = full ]; then
            truck -v "packets=$packets"
            unload "$log" 1 --fidelity full
            rate=$(taken "$log")
        else
            truck -v "packets=$packets" -v "near=$near"
            unload "$log" 1
        fi
        sqlite3 :memory: "select printf('%7d  %6s  %16.1f  %10d  %15.1f %%', $packets, '$near', 1000.0 * $UNTIL / $SPENT, $(taken "$log"), 100.0 * abs($(taken "$log") - $rate) / $rate)"
    done
done
