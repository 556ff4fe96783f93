#!/bin/sh
# Water is carried and poured while a process of its own moves it: who answers for it, what becomes of it, and that it is one
# episode on one processor and on two.
. "${0%/*}/../episodes/lib.sh"

ask() { sqlite3 -readonly "$1" "$2"; }
PLAN=$SOURCE/examples/ensemble/pour_beside.yaml
run "$PLAN" log.db
[ "$(outcome log.db)" = succeeded ] || fail "the water is not poured: $(outcome log.db)"
[ "$(ask log.db "select group_concat(rule || bindings || becomes || done) from (select * from switch_view order by id)")" = "lifted[]water1,touched[mug_3]ode1" ] ||
    fail "the water goes another way: $(ask log.db "select * from switch_view")"
# Who answers for a drop has no gap, and the log has its motion meanwhile.
[ "$(ask log.db "select count(*) from responsibility r join object o on o.id = r.object where o.name like 'mug_1_water_%' and r.attribute = 'pose'
    and r.end_ns is not null and not exists (select 1 from responsibility n where n.object = r.object and n.attribute = 'pose'
    and n.start_ns = r.end_ns)")" = 0 ] || fail "responsibilities have a gap"
for question in 'holds_w(responsible(water, mug_1, contents), interval(S, E))' 'holds_w(responsible(water, mug_1_water_1), interval(S, E))' \
    'occurs_w(switched(mug_1, ode, water, lifted), T)'; do
    "$FORESEE" query log.db "$question" >/dev/null || fail "no answer: $question"
done
"$FORESEE" diagnose log.db --format json >flaws.json || fail "there are flaws: $(cat flaws.json)"

# The drops end in the other mug.
inside() { ask "$1" "select count(*) from (select p.object, max(p.t_s), p.x, p.y, m.x as mx, m.y as my from pose_view p,
    (select x, y, max(t_s) from pose_view where object = 'mug_3') m where p.object like 'mug_1_water_%' group by p.object)
    where (x - mx) * (x - mx) + (y - my) * (y - my) < 0.0016"; }
[ "$(inside log.db)" -ge 27 ] || fail "of 30 drops $(inside log.db) are in the mug"

taskset -c 0 "$FORESEE" run -q "$PLAN" -o one.db || fail "it does not run on one processor"
sqlite3 log.db .dump >log.sql
sqlite3 one.db .dump >one.sql
cmp -s log.sql one.sql || fail "on one processor it is another episode"
