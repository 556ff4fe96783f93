#!/bin/sh
# What is lowered comes back in time: boxes that fall, lose their support, are pushed or hit end where they end at full
# fidelity; and the log says when each was lowered, and why it was raised.
. "${0%/*}/../episodes/lib.sh"

run "$SOURCE/tests/fidelity/wait.yaml" managed.db
run "$SOURCE/tests/fidelity/wait.yaml" full.db --fidelity full
run "$SOURCE/tests/fidelity/wait.yaml" again.db
ask() { sqlite3 -readonly "$1" "$2"; }

# Every body rests where it does at full fidelity.
apart=$(sqlite3 -readonly managed.db "
    attach 'full.db' as f;
    with last as (select object, x, y, z, max(t_s) from pose_view where object <> 'ground' group by object),
         full as (select object as name, x, y, z, max(t_s) from f.pose_view group by object)
    select count(*), max(abs(last.x - full.x) + abs(last.y - full.y) + abs(last.z - full.z)) < 0.005
    from last join full on full.name = last.object where substr(object, 1, 4) in ('edge', 'towe', 'row_', 'push', 'slow');")
[ "$apart" = "13|1" ] || fail "bodies end elsewhere than at full fidelity: $apart"

# The falling box fell, the tower came down by one box, and the row was hit.
[ "$(ask managed.db "select count(*) from switch_view where object = 'tower_3' and was <> 'full' and becomes = 'full' and t_s between 1 and 1.05")" = 1 ] ||
    fail "what lost its support was not raised at once"
[ "$(ask managed.db "select count(*) > 0 from switch_view where object = 'row_1' and rule = 'approached'")" = 1 ] ||
    fail "what is hit was not raised before"
[ "$(ask managed.db "select count(*) > 0 from switch_view where object = 'slow_2' and rule in ('loaded', 'approached')")" = 1 ] ||
    fail "what is pushed along was not raised"

# Everything is at one level at every time, and at full fidelity in the end. The robot touched nothing that was lowered.
[ "$(ask managed.db "select count(*) from fidelity_view a join fidelity_view b on a.object = b.object and a.id < b.id
    and a.end_s is not b.start_s and not exists (select 1 from fidelity_view c where c.object = a.object and c.id > a.id and c.id < b.id)")" = 0 ] ||
    fail "the intervals of fidelity do not follow one another"
[ "$(ask managed.db "select count(*) from fidelity_view where end_s is null and level in ('standing', 'scenery')")" = 0 ] ||
    fail "something is left at lower fidelity"
[ "$(ask managed.db "select count(*) from switch_view where rule = 'touched'")" = 0 ] || fail "the robot touched a lowered body"
[ "$(ask full.db "select count(*) from switch_view")" = 0 ] || fail "something was lowered at full fidelity"
[ "$(ask full.db "select value from parameter where scope = 'fidelity'")" = full ] || fail "the log does not say what it was run with"

# As near as an operation that runs asks for; the rule has its name. An operation that there is not is a mistake.
printf 'fidelity: { bodies: { near: 0, operations: { detect: 9 } } }\n' >looking.yaml
cat >look.yaml <<END
plan: look
projection: { world: $SOURCE/tests/fidelity/lone.yaml, robot: $SOURCE/examples/robots/bolted_arm.yaml }
body: { seq: [ { wait: { seconds: 0.5 } }, { detect: { frames: 10 } } ] }
END
run look.yaml looking.db --fidelity looking.yaml
[ "$(ask looking.db "select count(*) = 12 and min(t_s) between 0.5 and 0.55 and max(t_s) = min(t_s) from switch_view where rule = 'operation'")$(ask looking.db "
    select count(*) from switch_view s join operation_view o on o.name = 'detect' and s.t_s between o.start_s + 0.03 and o.end_s where becomes <> 'full'")" = 10 ] ||
    fail "an operation that runs does not decide how near is near"
printf 'fidelity: { bodies: { near: 0, operations: { waitt: 9 } } }\n' >waitt.yaml
_status=0; "$FORESEE" run -q "$SOURCE/tests/fidelity/wait.yaml" -o no.db --fidelity waitt.yaml 2>error.txt || _status=$?
[ "$_status" = 2 ] && grep -q 'waitt.yaml:1:46: error: no operation is called `waitt`; did you mean `wait`?' error.txt ||
    fail "an operation that there is not is no mistake: $(cat error.txt)"

# Without a section nothing is told otherwise than with one by which nothing is lowered.
for section in none full; do
    { printf 'world: two\nmaterials: { pad: { friction: 0.8 } }\ntypes: { floor: { shapes: [ { plane: true } ] } }\nbodies:\n  ground: { type: floor, fixed: true, known: true }\n'
        echo '  block: { mass: 1, shapes: [ { box: [0.1, 0.1, 0.1], at: [0, 0, 0.05] } ], at: [2, 0, 0.1] }'
        [ $section = none ] || echo 'fidelity: { bodies: { near: 0.1, medium: full } }'; } >two.yaml
    printf 'plan: two\nprojection: { world: two.yaml, robot: %s }\nbody: { wait: { seconds: 1 } }\n' "$SOURCE/examples/robots/bolted_arm.yaml" >two_plan.yaml
    run two_plan.yaml two-$section.db
    sqlite3 two-$section.db .dump | grep -v 'INSERT INTO source ' >two-$section.sql
done
cmp two-none.sql two-full.sql || fail "a section by which nothing is lowered changes the log"

# The same seed gives the same log, run again from the log too.
sqlite3 managed.db .dump >managed.sql
sqlite3 again.db .dump >again.sql
cmp -s managed.sql again.sql || fail "two managed projections differ"
"$FORESEE" run -q full.db -o full-again.db || fail "the log at full fidelity cannot be run again"
sqlite3 full.db .dump >full.sql
sqlite3 full-again.db .dump >full-again.sql
cmp -s full.sql full-again.sql || fail "a projection at full fidelity is another one when it is run again"
"$FORESEE" run -q managed.db -o changed.db --change full_fidelity || fail "full_fidelity is no change"
[ "$(ask changed.db "select count(*) from switch_view")" = 0 ] || fail "full_fidelity lowers all the same"

# Queries.
"$FORESEE" query managed.db 'occurs_w(switched(tower_3, standing, full, By), T), T < 1.1' >/dev/null || fail "no event switched"
"$FORESEE" query managed.db 'holds_w(fidelity(row_4, scenery), at(1))' >/dev/null || fail "no occasion fidelity"

# Pictures and the page say by colours what was lowered; where nothing was, the page says nothing of it.
for at in 0 1; do "$FORESEE" show managed.db --at $at --levels -o level-$at.png --size 320x240 || fail "no picture of levels"; done
cmp -s level-0.png level-1.png && fail "a lowered body looks as before"
"$FORESEE" view managed.db -o managed.html && "$FORESEE" view full.db -o full.html || fail "no page"
grep -q '{"name": "standing","color":\[0.22,0.46,0.8\],"from":' managed.html || fail "the page has no levels"
grep -q '{"name": "full","color"' full.html && fail "the page has levels where nothing was lowered"

# The comparison: within the bounds, and beyond them where no event happened.
"$FORESEE" compare full.db managed.db >compared.txt || fail "the managed episode is beyond the bounds: $(cat compared.txt)"
"$FORESEE" run -q full.db -o calm.db --change no_events
_status=0; "$FORESEE" compare full.db calm.db --floor managed.db --format json >compared.json || _status=$?
[ "$_status" = 1 ] || fail "compare gave $_status where no event happened"
[ "$(sqlite3 :memory: "select json_extract(value, '\$.difference') > 0.1 and json_extract(value, '\$.floor') < 0.005
    from json_each(readfile('compared.json'), '\$.measures') where json_extract(value, '\$.name') = 'untouched'")" = 1 ] ||
    fail "bodies that rest elsewhere do not count"
"$FORESEE" run -q "$SOURCE/tests/fidelity/wait.yaml" --seed 2 --until 0.1 -o other.db || true
_status=0; "$FORESEE" compare full.db other.db 2>error.txt || _status=$?
[ "$_status" = 2 ] || fail "compare gave $_status for episodes of other seeds"

# Parked: no steps are made while nothing moves, events happen when they are due, and everything is told as without.
run "$SOURCE/tests/fidelity/wait.yaml" parked.db --fidelity "$SOURCE/tests/fidelity/parked.yaml"
[ "$(ask parked.db "select sum(min(coalesce(end_s, 9), 9) - start_s) > 2 from fidelity_view where level = 'parked'")" = 1 ] ||
    fail "the robot is hardly ever parked"
for db in full parked; do
    ask $db.db "select term, t_s from exogenous_view order by id; select kind, count(*) from reading group by kind;
        select name, start_s, end_s from operation_view order by id" >$db.txt
done
cmp full.txt parked.txt || fail "a parked episode is told otherwise"
"$FORESEE" compare full.db parked.db >compared.txt || fail "the parked episode is beyond the bounds: $(cat compared.txt)"
cat >hour.yaml <<END
plan: hour
projection: { world: $SOURCE/tests/fidelity/lone.yaml, robot: $SOURCE/examples/robots/bolted_arm.yaml }
body: { seq: [ { wait: { seconds: 1800 } }, { wait: { seconds: 1800 } } ] }
END
run hour.yaml hour.db --fidelity "$SOURCE/tests/fidelity/parked.yaml"
[ "$(ask hour.db "select round(end_s) from episode_view")" = 3603.0 ] || fail "an hour does not last an hour"

# What a hand is told to do is done, although it stood still when it was told.
table=$TABLE/default.yaml
run "$table" table.db
run "$table" table-parked.db --fidelity "$SOURCE/tests/fidelity/parked.yaml"
"$FORESEE" compare table.db table-parked.db >compared.txt || fail "a table is set otherwise by a robot that is parked now and then: $(cat compared.txt)"
