#!/bin/sh
# Candidates meet the same noise: where an edit inserts a step, all that was sensed before it is the same, byte for byte. Noise that was
# keyed by numbers of records would be other noise from the first moment on, and pairs would be pairs no more.
. "${0%/*}/lib.sh"
cp "$SOURCE/examples/table_setting/default.yaml" before.yaml
sed -i "s|\.\./worlds|$SOURCE/examples/worlds|; s|\.\./robots|$SOURCE/examples/robots|" before.yaml
printf -- '- insert_after: set_table/see_plates\n  step: { wait: { seconds: 2 } }\n- insert_before: set_table/see_plates\n  step: { log: "begin" }\n' >edits.yaml
"$FORESEE" edit before.yaml edits.yaml -o after.yaml >/dev/null || fail "the edit"
code=0
"$FORESEE" batch -q before.yaml after.yaml -n 1 --until 12 -o pair.db >/dev/null 2>err.txt || code=$?
[ $code -eq 3 ] || fail "the batch ended with $code: $(cat err.txt)"
# Until the step that was inserted begins; the later of what was sensed must differ, else nothing is shown.
parted=$(sqlite3 pair.db "select min(start_ns) from task where episode = 2 and construct = 'wait' and path like 'set_table%';")
[ -n "$parted" ] || fail "the step that was inserted did not begin within 12 s"
rows() { sqlite3 pair.db "select kind, taken_ns, delivered_ns, value from reading where episode = $1 and taken_ns $2 $parted order by id;"; }
percepts() { sqlite3 pair.db "select p.type, p.color, p.x, p.y, p.z from percept p join reading r on r.id = p.reading
    where p.episode = $1 and r.taken_ns < $parted order by p.id;"; }
[ "$(rows 1 '<' | wc -l)" -gt 40 ] || fail "too little was sensed"
[ "$(percepts 1 | wc -l)" -gt 0 ] || fail "nothing was seen"
[ "$(rows 1 '<')" = "$(rows 2 '<')" ] || fail "an edit changes what is sensed before it"
[ "$(percepts 1)" = "$(percepts 2)" ] || fail "an edit changes what is seen before it"
[ "$(rows 1 '>')" != "$(rows 2 '>')" ] || fail "the plans never part"
