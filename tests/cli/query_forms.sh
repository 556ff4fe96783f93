#!/bin/sh
# The four forms of answers, exit statuses, episodes, rules of one's own.
. "${0%/*}/lib.sh"
PLAN=$SOURCE/examples/table_setting/default.yaml
expect 3 "" "$FORESEE" run -q "$PLAN" -o log.db --until 1
expect 3 "" "$FORESEE" run -q "$PLAN" -o log.db --until 1 --seed 2

expect 0 "Name" "$FORESEE" query log.db 'object(Name, region, _).'
expect 1 "" "$FORESEE" query log.db 'object(nothing_like_this, body, _).'
expect 0 "" "$FORESEE" query log.db 'object(X, region, _).' --format lines
sort -c out.txt || fail "lines are not sorted"
grep -q '^object(' out.txt || fail "lines are no atoms: $(head -3 out.txt)"
expect 0 "" "$FORESEE" query log.db 'object(X, region, _).' --format csv
head -n 1 out.txt | grep -q '^X' || fail "the csv has no header"
expect 0 "TASK T-" "$FORESEE" query log.db 'frame(T, N, Line), top_task(T).' --format plain
head -1 out.txt | grep -q '^TASK T-[0-9]*$' || fail "no text as it is: $(head -1 out.txt)"
expect 0 "" "$FORESEE" query log.db 'object(X, region, _).' --format json
sqlite3 :memory: "select json_array_length(readfile('out.txt'), '\$.answers');" | grep -q '^[1-9]' || fail "no JSON: $(head -c 300 out.txt)"
expect 0 "" "$FORESEE" query log.db 'task(T).' --episode all --format csv
grep -q '^1,' out.txt && grep -q '^2,' out.txt || fail "--episode all leaves episodes out"
expect 2 "episode" "$FORESEE" query log.db 'task(T).' --episode 7
expect 2 "did you mean" "$FORESEE" query log.db 'contakt(A, B, C, D, E).'
expect 2 "" "$FORESEE" query log.db 'task(T'
printf 'far_away(X) :- object(X, body, _).\nthreshold(slip_distance, 0.5).\n' >mine.dl
expect 0 "" "$FORESEE" query log.db 'far_away(X), threshold(slip_distance, 0.5).' -f mine.dl
expect 1 "" "$FORESEE" query log.db 'threshold(slip_distance, 0.005).' -f mine.dl
printf 'top_task(T).\nthreshold(slip_distance, D).\n' >queries.txt
"$FORESEE" query log.db --format lines <queries.txt >out.txt 2>err.txt || fail "queries from standard input: $(cat err.txt)"
[ "$(wc -l <out.txt)" -eq 2 ] || fail "two queries gave $(wc -l <out.txt) answers"
expect 0 "s" "$FORESEE" query log.db 'top_task(T).' --time
