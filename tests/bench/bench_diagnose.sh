#!/bin/sh
# How long all diagnoses of one episode take from a cold process: a table setting of about two simulated minutes,
# one that fails, and an hour of carrying to and fro; medians of five, beside bars of 100 ms, 100 ms and 2 s.
# Prints what share of its bar each takes; misses are said, not failed: the machine may be busy.
. "${0%/*}/../episodes/lib.sh"
run "$SOURCE/examples/table_for_four/table_for_two.yaml" "two places.db"
run "$TABLE/wet_grippers.yaml" "wet grippers.db"
run "$SOURCE/tests/bench/hour.yaml" "an hour.db"
for name in "two places" "wet grippers" "an hour"; do
    bar=100
    [ "$name" != "an hour" ] || bar=2000
    for _ in 1 2 3 4 5; do
        before=$(date +%s%N)
        "$FORESEE" diagnose "$name.db" >/dev/null || [ $? -eq 1 ]
        after=$(date +%s%N)
        echo $(((after - before) / 1000000))
    done | sort -n | sed -n 3p >median.txt
    ms=$(cat median.txt)
    end=$(sqlite3 -readonly "$name.db" "select round(end_s, 1) from episode_view;")
    missed=
    [ "$ms" -le "$bar" ] || missed=', MISSED'
    echo "$name: all diagnoses of $end s in $ms ms, $(sqlite3 :memory: "select round($ms * 1.0 / $bar, 2);") of the bar of $bar ms$missed"
done
