#!/bin/sh
# A world in which doors and drawers move, water is spilled and people come and go: told as it happened, the
# same again byte for byte; and a world that diverges ends the episode as invalid.
. "${0%/*}/lib.sh"
dump() { sqlite3 -readonly "$1" .dump | cksum; }
ask() { "$FORESEE" query "$1" "$2" --format csv | tail -n +2; }
PLAN=$SOURCE/tests/scenes/things_plan.yaml

run "$PLAN" a.db
run "$PLAN" b.db
[ "$(dump a.db)" = "$(dump b.db)" ] || fail "the same things do not happen again"

told=$(sqlite3 -readonly a.db "select group_concat(term || ' ' || ifnull(object, '-'), ', ') from (select * from exogenous_view order by t_s, id);")
expected="moved_by_person(book_2) book_2, moved_by_person(drawer_1) drawer_1, added(book_3) book_3, force(door_1) door_1, wet(wood) -, moved_by_person(drawer_1) drawer_1, force(mug_1) mug_1, removed(book_2) book_2"
[ "$told" = "$expected" ] || fail "told: $told"
[ "$(ask a.db 'occurs_w(opens(J), T), T < 1.5' | cut -d, -f1 | sort | tr '\n' ' ')" = "hinge slide " ] || fail "what opened: $(ask a.db 'occurs_w(opens(J), T)')"
[ "$(ask a.db 'occurs_w(closes(slide), T), T > 2.2' | wc -l)" -eq 1 ] || fail "the drawer was not closed"
[ "$(ask a.db 'occurs_w(spilled(mug_1), T), T > 2.5' | wc -l)" -eq 1 ] || fail "the blow on the mug spilled nothing"
run "$PLAN" calm.db --set world.blow=0.05
[ "$(ask calm.db 'occurs_w(spilled(mug_1), T)' 2>/dev/null | wc -l)" -eq 0 ] || fail "a breath spilled from the mug"
[ -z "$(sqlite3 -readonly a.db "select 1 from pose_view where object = 'book_3' and t_s < 0.9 or object = 'book_2' and t_s > 3.1;")" ] || fail "poses of what is not there"
[ "$(ask a.db 'above(z(book_2), -1, S, E), E > 3, E < 3.01' | wc -l)" -eq 1 ] || fail "a signal goes on after its object was taken away"

status=0
"$FORESEE" run -q "$PLAN" -o bad.db --set world.blow=1e7 2>bad.txt || status=$?
[ "$status" -eq 3 ] || fail "a world that diverges ends with status $status"
grep -q 'mug_1' bad.txt && grep -q '2\.50' bad.txt || fail "it does not name body and time: $(cat bad.txt)"
[ "$(outcome bad.db)" = invalid ] || fail "its outcome is $(outcome bad.db)"
