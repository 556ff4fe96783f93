#!/bin/sh
# How long all diagnoses of one episode take from a cold process: a table setting of about two simulated minutes,
# one that fails, and an hour of carrying to and fro; medians, beside bars of 50 ms, 50 ms and 1 s. Then how
# long it takes to say what holds at an instant, beside 50 and 100 ms.
# Prints what share of its bar each takes; misses are said, not failed: the machine may be busy.
. "${0%/*}/../episodes/lib.sh"
. "$SOURCE/tests/bench/median.sh"
run "$SOURCE/examples/table_for_four/table_for_two.yaml" "two places.db"
run "$TABLE/wet_grippers.yaml" "wet grippers.db"
run "$SOURCE/tests/bench/hour.yaml" "an hour.db"
report() { # what hundredths-of-a-millisecond bar
    sqlite3 :memory: "select printf('$1 in %.1f ms, %.2f of the bar of $3 ms%s', $2 / 100.0, $2 / 100.0 / $3, iif($2 > 100 * $3, ', MISSED', ''));"
}
for name in "two places" "wet grippers" "an hour"; do
    bar=50
    [ "$name" != "an hour" ] || bar=1000
    end=$(sqlite3 -readonly "$name.db" "select round(end_s, 1) from episode_view;")
    report "$name: all diagnoses of $end s" "$(median_of "$FORESEE" diagnose "$name.db")" "$bar"
done
# An instant narrows what is derived.
report "wet grippers: what holds at 20 s" "$(median_of "$FORESEE" query "wet grippers.db" 'holds_w(O, at(20))')" 50
report "two places: what holds at 20 s" "$(median_of "$FORESEE" query "two places.db" 'holds_w(O, at(20))')" 100
