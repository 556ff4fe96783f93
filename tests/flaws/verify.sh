#!/bin/sh
# verify.sh OUT [--scene tune|held] [--seeds 1] [--cases "A B"] [-j JOBS]
# Re-runs episodes of OUT with the cause of each root taken away (foresee diagnose --verify), and again with a wrong one: what
# has nothing to do with flaws of that name. Counts the verdicts.
. "${0%/*}/lib.sh"
if [ "${1:-}" = --one ]; then
    out=$2 id=$3-$4-$5
    [ -f "$out/logs/$id.db" ] || exit 0
    [ "$(sqlite3 :memory: "select json_extract(readfile('$out/labels/$id.json'), '\$.shown')")" = 1 ] || exit 0
    [ -s "$out/verified/$id.json" ] ||
        "$FORESEE" diagnose "$out/logs/$id.db" --verify -j 1 --format json >"$out/verified/$id.json" 2>"$out/errors/verify-$id" || true
    # A wrong cause: that of another flaw, which has nothing to do with flaws of the first root's name.
    wrong=$(sqlite3 :memory: "
        create table own (name, change);
        insert into own values ('missed_detection', 'sure_detection'), ('hallucination', 'no_ghosts'), ('hallucination', 'sure_detection'),
            ('wrong_object', 'no_confusion'), ('wrong_object', 'exact_percepts'), ('pose_error', 'exact_percepts'), ('pose_error', 'exact_place'),
            ('stale_belief', 'no_events'), ('mislocalised', 'exact_place'), ('failed_navigation', 'exact_place'),
            ('missed_grasp', 'exact_percepts'), ('missed_grasp', 'exact_place'), ('missed_grasp', 'firm_grip'), ('never_achieved', 'exact_place'),
            ('unreachable', 'exact_percepts'), ('unreachable', 'exact_place'), ('retry_livelock', 'exact_percepts');
        insert into own select value, 'firm_grip' from json_each('[\"slipped\", \"dropped_in_transit\", \"stacked_carry_dropped\", \"early_release\",
            \"unnoticed_loss\", \"spilled\", \"broken\", \"upside_down\", \"unstable_placement\", \"dropped_from_carrier\", \"lost_handle\", \"stuck\"]');
        insert into own select value, 'no_events' from json_each('[\"slipped\", \"dropped_in_transit\", \"lost_handle\", \"unnoticed_loss\"]');
        with root as (select json_extract(value, '\$.name') as name from json_each(readfile('$out/verified/$id.json'), '\$.flaws')
            where json_extract(value, '\$.root') limit 1),
        other as (select key, value as change from json_each('[\"firm_grip\", \"sure_detection\", \"no_ghosts\", \"no_confusion\", \"exact_percepts\",
            \"exact_place\", \"no_events\"]'), root where value not in (select change from own where own.name = root.name))
        select change from other order by (key + $5 + length('$3')) % 7 limit 1")
    [ -n "$wrong" ] && [ ! -s "$out/wrong/$id.json" ] || exit 0
    "$FORESEE" diagnose "$out/logs/$id.db" --verify --suspect "$wrong" -j 1 --format json >"$out/wrong/$id.json" 2>"$out/errors/wrong-$id" || true
    exit 0
fi
SEEDS=1
options "$@"
need "$FORESEE" FORESEE "the program under test"
mkdir -p "$OUT/verified" "$OUT/wrong" "$OUT/errors"
episodes | xargs -P "$JOBS" -L 1 nice "$0" --one "$OUT"
for which in verified wrong; do
    cd "$OUT/$which"
    join_json ./*.json >"$OUT/$which.json"
done
sqlite3 -batch :memory: <<SQL
create table verdict as select 'own cause' as suspected, json_extract(f.value, '\$.name') as name, json_extract(f.value, '\$.verdict') as verdict
    from json_each(readfile('$OUT/verified.json')) d, json_each(d.value, '\$.flaws') f where json_extract(f.value, '\$.root')
union all select 'wrong cause', json_extract(f.value, '\$.name'), json_extract(f.value, '\$.verdict')
    from json_each(readfile('$OUT/wrong.json')) d, json_each(d.value, '\$.flaws') f where json_extract(f.value, '\$.root')
    and json_extract(f.value, '\$.name') = (select json_extract(g.value, '\$.name') from json_each(d.value, '\$.flaws') g
        where json_extract(g.value, '\$.root') limit 1);
.mode markdown
select suspected, name, count(*) as roots, sum(verdict = 'verified') as verified, sum(verdict = 'refuted') as refuted,
    sum(verdict = 'untestable') as untestable, sum(verdict = 'unverified') as unverified from verdict group by 1, 2;
.print
select suspected, count(*) as roots, printf('%.2f', 1.0 * sum(verdict <> 'untestable') / count(*)) as testable,
    printf('%.2f', 1.0 * sum(verdict = 'verified') / sum(verdict <> 'untestable')) as 'verified of these',
    printf('%.2f', 1.0 * sum(verdict = 'refuted') / sum(verdict <> 'untestable')) as 'refuted of these' from verdict group by 1;
SQL
