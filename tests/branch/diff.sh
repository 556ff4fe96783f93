#!/bin/sh
# Differences of two episodes: where they part in each layer, and what is refused.
. "${0%/*}/lib.sh"
expect 0 "" "$FORESEE" run -q plan.yaml -o log.db --seed 7
expect 0 "" "$FORESEE" run -q log.db -o again.db
expect 0 "They are alike." "$FORESEE" diff log.db again.db
# Ids play no part: the same episode behind another one is the same.
expect 0 "" "$FORESEE" run -q plan.yaml -o both.db --seed 3
expect 0 "" "$FORESEE" run -q log.db -o both.db
expect 0 "They are alike." "$FORESEE" diff log.db both.db:2
expect 0 "They are alike." "$FORESEE" diff both.db log.db
# The push of the brick: with another friction it is the world that differs first, when it is pushed.
expect 0 "" "$FORESEE" branch -q log.db --at 2.4 --do world.slippery=0.05 -o slippery.db
expect 1 "world: pose, brick" "$FORESEE" diff log.db slippery.db
grep -q "branch.do: nothing in A, world.slippery=0.05 in B" out.txt || fail "it is not said what they were run with: $(cat out.txt)"
grep -q "what touches it: floor" out.txt || fail "it is not said what may have moved the brick"
expect 1 "" "$FORESEE" diff log.db slippery.db --format json
fits diff
layer() { of :memory: "select d.value ->> '$.$2' from json_each(readfile('out.txt'), '$.differences') d where d.value ->> '$.layer' = '$1'"; }
of :memory: "select 1 where $(layer world t) > 2.5 and $(layer world t) < 2.7" | grep -q 1 || fail "the world differs at $(layer world t), not when the brick is pushed"
[ "$(of :memory: "select readfile('out.txt') ->> '$.alike'")" = 0 ] || fail "JSON says that they are alike"
[ -z "$(layer task t)$(layer command t)" ] || fail "tasks or commands differ, though the robot does nothing with the brick: $(cat out.txt)"
# Coarsely seen they are alike, as far as the world goes.
expect 1 "" "$FORESEE" diff log.db slippery.db --format json --metres 100 --degrees 400
[ -z "$(layer world t)" ] || fail "the tolerance is passed over"
# Numbers and words of commands are told as they are meant.
cp log.db told.db
sqlite3 told.db "UPDATE command SET v1 = 250000 WHERE mode = 'on'"
expect 1 "command: command, on of " "$FORESEE" diff log.db told.db
grep -q "B: 0.25, " out.txt || fail "v1 of a command: $(cat out.txt)"
# Other noise is another reading, and an event that is gone is one of the world.
expect 0 "" "$FORESEE" branch -q log.db --at 1.5 -n 1 --do '[no_events]' -o noise.db
expect 1 "reading: percept, what " "$FORESEE" diff log.db noise.db
expect 1 "event, force(brick)" "$FORESEE" diff log.db noise.db
# Another plan: which step is taken differs, and from which step.
echo '[ { insert_before: top/steps/four, step: { tag: extra, log: hello } } ]' >later.yaml
expect 0 "" "$FORESEE" branch -q log.db --at 1.5 --edits later.yaml -o later.db
expect 1 "from the step top" "$FORESEE" diff log.db later.db
grep -q "plan plan.yaml: one text in A, another text in B" out.txt || fail "the plans' texts differ, which is not said"
echo '[ { insert_after: top/steps/four, step: { fail: searching_failed } } ]' >fail.yaml
expect 1 "" "$FORESEE" branch -q log.db --at 1.5 --edits fail.yaml -o fail.db
expect 1 "Flaws of B alone" "$FORESEE" diff log.db fail.db
expect 1 "" "$FORESEE" diff log.db fail.db --format json
[ "$(of :memory: "select json_array_length(readfile('out.txt'), '$.flaws_b') > 0")" = 1 ] || fail "no flaw in JSON"
fits diff
# One that was cut off is compared up to there; what it says nothing of is no difference.
expect 3 "" "$FORESEE" run -q plan.yaml -o cut.db --seed 7 --until 3
expect 0 "They are alike up to 3.00 s, where one was cut off." "$FORESEE" diff cut.db log.db
expect 1 "world: pose, brick" "$FORESEE" diff cut.db slippery.db
expect 0 '"alike": true' "$FORESEE" diff log.db cut.db --format json
fits diff
# Bad input.
expect 2 "diff needs two episodes" "$FORESEE" diff log.db
expect 2 "no episode 9" "$FORESEE" diff log.db both.db:9
expect 2 "no.db" "$FORESEE" diff log.db no.db
expect 2 "--metres needs a number" "$FORESEE" diff log.db both.db --metres near
cp log.db old.db
sqlite3 old.db "DROP TABLE step_text; UPDATE meta SET value = '4' WHERE key = 'schema'; PRAGMA user_version = 4;"
expect 2 "old.db: error: the log has schema 4, and log.db has schema $(sqlite3 log.db "PRAGMA user_version"); run its episode again" "$FORESEE" diff log.db old.db
expect 2 "the log has schema 4" "$FORESEE" diff old.db log.db
