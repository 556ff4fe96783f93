#!/bin/sh
# Seed sweeps of the table setting. Arguments: number of seeds, the least that must come out as promised,
# and the first seed (or "random", which is printed).
. "${0%/*}/lib.sh"
n=${1:-5} least=${2:-4} first=${3:-101}
[ "$first" != random ] || first=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
echo "seeds $first to $((first + n - 1))"

batch() { # plan, log
    status=0
    "$FORESEE" batch -q "$TABLE/$1" -n "$n" --seed "$first" -j 2 -o "$2" --format json >"$2.json" || status=$?
    [ "$status" -le 1 ] || fail "foresee batch $1 ended with status $status"
}
candidate() { sqlite3 :memory: "select json_extract(readfile('$1'), '\$.candidates[0].$2');"; }

batch default.yaml dry.db
good=$(candidate dry.db.json succeeded)
echo "default.yaml succeeded in $good of $n"
[ "$good" -ge "$least" ] || fail "default.yaml succeeded in $good of $n, expected at least $least"
longest=$(sqlite3 -readonly dry.db "select max(end_s) from episode_view;")
echo "longest projection: $longest s"
[ "$(echo "$longest" | cut -d. -f1)" -lt 180 ] || fail "a projection took $longest s, at most 180 are allowed"

# A success has no root flaw.
for episode in $(sqlite3 -readonly dry.db "select id from episode_view where outcome = 'succeeded';"); do
    diagnose dry.db --episode "$episode"
    [ "$(flaws dry.db.json "root = 1")" -eq 0 ] || fail "episode $episode succeeded and has a root flaw: $(cat dry.db.json)"
done

batch wet_grippers.yaml wet.db
slipped=0 dropped=0
for episode in $(sqlite3 -readonly wet.db "select id from episode_view where outcome = 'failed';"); do
    diagnose wet.db --episode "$episode"
    [ "$(flaws wet.db.json "name = 'slipped' and root = 1")" -eq 0 ] || slipped=$((slipped + 1))
    [ "$(flaws wet.db.json "name = 'dropped_in_transit' and root = 0")" -eq 0 ] || dropped=$((dropped + 1))
done
echo "wet_grippers.yaml failed with slipped as a root in $slipped of $n"
[ "$slipped" -ge "$least" ] || fail "wet_grippers.yaml slipped in $slipped of $n, expected at least $least"
echo "dropped_in_transit follows from it in $dropped of $n"
[ "$dropped" -ge "$least" ] || fail "wet_grippers.yaml: dropped_in_transit as a consequence in $dropped of $n, expected at least $least"
