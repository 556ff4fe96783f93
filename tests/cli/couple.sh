#!/bin/sh
# foresee couple: which coupling bears which round trip, as a table, as JSON and over time.
. "${0%/*}/lib.sh"

RIG="$SOURCE/examples/couple/wall.yaml"
expect 1 "pfc            36 ms" "$FORESEE" couple "$RIG"
grep -q "active_coupling, oscillating_coupling" out.txt || fail "pfc is said to be stable"
[ "$(grep -c '^mmt .*_' out.txt)" -eq 0 ] || fail "mmt has a finding"
cp out.txt first.txt
[ "$(grep -c -A19 'as estimated at the follower' out.txt)" -eq 1 ] || fail "no estimates"
[ "$(sed -n '/as estimated/,$p' out.txt | grep -c '^mmt ')" -eq 5 ] || fail "the estimates miss trials"
expect 1 "passivity_drift" "$FORESEE" couple "$RIG"
cmp -s out.txt first.txt || fail "the same rig and seed told another story"
expect 1 '"coupling": "tdpa"' "$FORESEE" couple "$RIG" --format json
python3 -c 'import json, sys; d = json.load(open("out.txt")); sys.exit(len(d["trials"]) != 15)' || fail "JSON"
sed 's/\[pfc, tdpa, mmt\]/[mmt]/; s/\(round_trips: \)[^}]*/\1[0.036], loss: 0.1 /' "$RIG" >mine.yaml
expect 0 "mmt " "$FORESEE" couple mine.yaml --trace mine.csv
[ "$(wc -l <mine.csv)" -eq 1001 ] || fail "the trace has $(wc -l <mine.csv) lines"
expect 0 "mmt " "$FORESEE" couple mine.yaml --seed 2 --trace mine.csv
echo precious >other.csv
expect 2 "other.csv" "$FORESEE" couple mine.yaml --trace other.csv
[ "$(cat other.csv)" = precious ] || fail "a file that is no trace was written over"
expect 2 "couple needs one rig" "$FORESEE" couple
expect 2 "mine.yaml" "$FORESEE" couple mine.yaml --trace mine.yaml
sed 's/loss: 0.1/loss: 1/' mine.yaml >lost.yaml
expect 2 "lost.yaml:3:" "$FORESEE" couple lost.yaml
expect 2 "" "$FORESEE" couple nothing.yaml
# The picture of the documentation is the one that is drawn now.
expect 1 "unfelt_contact" "$FORESEE" couple "$SOURCE/examples/couple/learns.yaml" --picture learns.svg --trace learns.csv
python3 -c 'import sys, xml.dom.minidom as x; d = x.parse("learns.svg"); sys.exit(len(d.getElementsByTagName("tspan")) != 2 * (7 + 7 + 9))' || fail "the picture misses lines"
cmp -s learns.svg "$SOURCE/docs/pictures/learns.svg" || fail "docs/pictures/learns.svg is another picture: draw it anew"
expect 1 "" "$FORESEE" couple "$SOURCE/examples/couple/learns.yaml" --picture learns.svg
expect 2 "other.csv" "$FORESEE" couple mine.yaml --picture other.csv
[ "$(cat other.csv)" = precious ] || fail "a file that is no picture was written over"
expect 2 "one file" "$FORESEE" couple mine.yaml --picture new.svg --trace new.svg
[ ! -e new.svg ] || fail "a refused request wrote a picture"
