#!/bin/sh
# Clean episodes of arms that follow a station through a twin, and of an arm that keeps its margin, succeed, and have none of the flaws that couplings and
# margins can have; one that fails is counted as that. Arguments: number of seeds of each plan, and the first seed (or "random", which is printed).
. "${0%/*}/lib.sh"
n=${1:-20} first=${2:-101}
[ "$first" != random ] || first=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
echo "seeds $first to $((first + n - 1))"
FLAWS=$(sed -n 's/^:- flaw \([a-z_]*\)(.*/\1/p' "$SOURCE/predicates/flaws_coupling.dl")
[ "$(echo "$FLAWS" | wc -l)" = 8 ] || fail "the flaws of couplings and margins are $FLAWS"
names=$(echo "$FLAWS" | sed "s/.*/'&'/" | paste -sd,)
for plan in twins/feel_bench twins/feel_with_can twins/drive_by_hands twins/shelve_box other_robots/led_arm; do
    log=$(basename "$plan").db status=0
    "$FORESEE" batch -q "$SOURCE/examples/$plan.yaml" -n "$n" --seed "$first" -o "$log" >/dev/null || status=$?
    [ "$status" -le 1 ] || fail "the batch of $plan ended with $status"
    count=0
    for episode in $(sqlite3 -readonly "$log" "SELECT id FROM episode_view WHERE outcome = 'succeeded'"); do
        count=$((count + 1))
        diagnose "$log" --episode "$episode"
        [ "$(flaws "$log.json" "name IN ($names)")" = 0 ] ||
            fail "$plan, episode $episode: $(sqlite3 :memory: "SELECT group_concat(value ->> 'name') FROM json_each(readfile('$log.json'), '\$.flaws')")"
    done
    [ "$count" = "$n" ] || fail "$plan: $count of $n episodes succeed: $(sqlite3 -readonly "$log" "SELECT group_concat(seed || ' ' || outcome, ', ') FROM episode_view WHERE outcome != 'succeeded'")"
    echo "$plan: none of the flaws in $n episodes"
done
