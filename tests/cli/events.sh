#!/bin/sh
# An event of the world that never happened is reported at the end of a run, with the condition that it waited for, and is in the log.
. "${0%/*}/lib.sh"
cat >world.yaml <<END
world: visited
include: [$SOURCE/examples/worlds/kitchen.yaml]
events:
  - { name: nudge, at: 0.2, force: { body: cup_1, force: [0.1, 0, 0] } }
  - { name: taken, when: "moved(cup_1) > 1, time > 0.5", remove: { body: cup_1 } }
  - { name: draught, when: "time > 0.3", after: 60, wet: { material: pad, friction: 0.1 } }
  - { name: gone, at: 0.4, remove: { body: plate_1 } }
  - { name: carried, at: 0.6, move: { body: plate_1, to: [1, 1, 1] } }
END
expect 3 "" "$FORESEE" run "$PLAN" --world world.yaml --until 1 -o log.db
sort err.txt >told.txt
cat >want.txt <<END
foresee: note: the event \`carried\` did not happen: \`time >= 0.6\` held, and \`plate_1\` was not there
foresee: note: the event \`draught\` did not happen: \`time > 0.3\` held, and the projection ended within the 60 s after that
foresee: note: the event \`taken\` did not happen: it waited for \`moved(cup_1) > 1, time > 0.5\`
END
cmp -s told.txt want.txt || fail "told: $(cat err.txt)"
# The log says the same, to queries and in SQL.
sqlite3 log.db "select 'foresee: note: ' || text from note where task is null and t_ns = 1000000000 order by text;" >kept.txt
cmp -s kept.txt want.txt || fail "kept: $(cat kept.txt)"
expect 0 "waited for" "$FORESEE" query log.db 'note(_, Text, _).'
"$FORESEE" diagnose log.db >out.txt 2>err.txt
grep -q 'the event `taken` did not happen: it waited for `moved(cup_1) > 1, time > 0.5`; what would' out.txt ||
    fail "the diagnosis does not say it: $(cat out.txt err.txt)"
expect 3 "" "$FORESEE" run -q "$PLAN" --world world.yaml --until 1 -o quiet.db
[ ! -s err.txt ] || fail "-q is not quiet: $(cat err.txt)"
# Without events nothing is said.
expect 3 "" "$FORESEE" run "$PLAN" --until 1 -o none.db
[ ! -s err.txt ] || fail "something is said: $(cat err.txt)"
