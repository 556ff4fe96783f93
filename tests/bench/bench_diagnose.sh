#!/bin/sh
# How long all diagnoses of one episode take from a cold process: a table setting of about 90 simulated
# seconds and one that fails; medians of five, beside the bar of one second. Fails where it is missed.
. "${0%/*}/../episodes/lib.sh"
for plan in default wet_grippers; do
    run "$TABLE/$plan.yaml" "$plan.db"
    for _ in 1 2 3 4 5; do
        before=$(date +%s%N)
        "$FORESEE" diagnose "$plan.db" >/dev/null || [ $? -eq 1 ]
        after=$(date +%s%N)
        echo $(((after - before) / 1000000))
    done | sort -n | sed -n 3p >median.txt
    ms=$(cat median.txt)
    end=$(sqlite3 -readonly "$plan.db" "select round(end_s, 1) from episode_view;")
    echo "$plan: all diagnoses of $end s in $ms ms, $(sqlite3 :memory: "select round($ms / 1000.0, 3);") of the bar of 1 s"
    [ "$ms" -le 1000 ] || fail "the bar is missed"
done
