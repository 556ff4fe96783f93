#!/bin/sh
# foresee query: forms of answers, exit statuses, episodes, the user's rules.
. "${0%/*}/lib.sh"
short_log log.db
short_log log.db --seed 2

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
expect 0 '"X": {"symbol": "' "$FORESEE" query log.db 'object(X, region, _).' --format json-typed
sqlite3 :memory: "select json_array_length(readfile('out.txt'), '\$.answers');" | grep -q '^[1-9]' || fail "no typed JSON: $(head -c 300 out.txt)"
expect 0 '"step":1' "$FORESEE" query log.db 'object(X, region, _).' --format json-typed --why
printf '.format json-typed\nX = 1.0.\n' | "$FORESEE" query log.db | grep -q '"X": 1.0 }' || fail "the prompt has no typed JSON"
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
expect 0 "s" "$FORESEE" query log.db 'top_task(T).' --timing

# Reasons instead of answers: asked for by the flag or in the query itself, from a pipe, too.
expect 0 "log: object" "$FORESEE" query log.db 'object(N, region, _).' --why
expect 0 "log: object" "$FORESEE" query log.db 'why object(N, region, _).'
expect 0 "nobody" "$FORESEE" query log.db 'not object(nobody, _, _)' --why --episode 1
expect 1 "object" "$FORESEE" query log.db 'object(nobody, _, _)' --why
[ -s out.txt ] || fail "no answer, and not why: $(cat err.txt)"
expect 0 "object" "$FORESEE" query log.db 'why not object(nobody, _, _).'
[ -s out.txt ] || fail "why not says nothing: $(cat err.txt)"
printf 'why object(N, region, _).\ntop_task(T).\n' >queries.txt
"$FORESEE" query log.db <queries.txt >out.txt 2>err.txt || fail "why from standard input: $(cat err.txt)"
grep -q 'log: object' out.txt && grep -q '^T$' out.txt || fail "reasons and answers from one pipe: $(head -5 out.txt)"
for goal in 'object(N, region, _)' 'object(nobody, _, _)' 'top_task(T)'; do
    status=0
    "$FORESEE" query log.db "$goal" --why --format json >out.txt 2>err.txt || status=$?
    [ "$status" -le 1 ] || fail "--why --format json ended with $status: $(cat err.txt)"
    sqlite3 :memory: "select json_valid(readfile('out.txt'));" | grep -q 1 || fail "no JSON: $(head -c 300 out.txt)"
    status=0
    "$FORESEE" query log.db "$goal" --why --format json --episode all >out.txt 2>err.txt || status=$?
    sqlite3 :memory: "select json_array_length(readfile('out.txt'));" | grep -q '^2$' || fail "not one for each episode: $(head -c 300 out.txt)"
done
expect 2 "query:1:1: error: " "$FORESEE" query log.db 'flow(F)' --why
silent_out
expect 2 "as text, or with --format json" "$FORESEE" query log.db 'flaw(F)' --why --format csv

# Plan and time stand on standard error, the answers alone on standard output.
"$FORESEE" query log.db 'top_task(T).' >plain.txt
expect 0 "" "$FORESEE" query log.db 'top_task(T).' --plan --timing
cmp -s plain.txt out.txt || fail "--plan or --timing changes the answers"
grep -q 'top_task' err.txt || fail "no plan: $(cat err.txt)"
grep -q 'load [0-9.]* s, derive [0-9.]* s, print [0-9.]* s' err.txt || fail "no times: $(cat err.txt)"

# Warnings are printed beside the answers.
printf 'never(T) :- task(T), T = 1, T = 2.\n' >mine.dl
expect 0 "mine.dl:1:" "$FORESEE" query log.db 'top_task(T).' -f mine.dl
grep -q 'warning: ' err.txt || fail "no warning: $(cat err.txt)"
cmp -s plain.txt out.txt || fail "a warning changes the answers"
expect 1 "did you mean 'counter_top'" "$FORESEE" query log.db 'holds_w(on(X, counter_tip), at(end)).'

# A whole query can be explained; plans and times exist for answers alone.
expect 0 "log: object" "$FORESEE" query log.db 'why object(N, region, _), task(T).'
expect 0 "" "$FORESEE" query log.db 'why not object(nobody, _, _), task(T).'
[ -s out.txt ] || fail "why not of two goals says nothing: $(cat err.txt)"
for flag in --plan --timing; do
    expect 2 "not of reasons" "$FORESEE" query log.db 'task(T)' --why $flag
done
printf '.format json\n.episode all\nwhy object(N, region, _).\n' | "$FORESEE" query log.db >out.txt 2>err.txt || fail "why of all episodes: $(cat err.txt)"
sqlite3 :memory: "select json_array_length(readfile('out.txt'));" | grep -q '^2$' || fail "not one document for all episodes: $(head -c 300 out.txt)"

# Shipped rules have the same names wherever they are installed.
cp -r "$SOURCE/predicates" predicates
FORESEE_DATA=$WORK "$FORESEE" query log.db 'top_task(T).' --why >out.txt || fail "rules of another folder"
grep -q ' predicates/.*\.dl:[0-9]' out.txt || fail "no shipped rule is named: $(cat out.txt)"
grep -q -F -e "$WORK" -e "$SOURCE" out.txt && fail "a folder is named: $(cat out.txt)"
printf '.rules top_task\n' | "$FORESEE" query log.db >out.txt || fail "rules of a name"
grep -q '^predicates/.*\.dl:[0-9]' out.txt || fail "rules are listed under another name: $(head -3 out.txt)"
