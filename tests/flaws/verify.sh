#!/bin/sh
# verify.sh OUT [--scene tune|held] [--seeds 1] [--cases "A B"] [-j JOBS]
# Re-runs episodes of OUT with the cause of each root taken away (foresee diagnose --verify), and again with a wrong one: what
# has nothing to do with flaws of that name. Counts the verdicts.
. "${0%/*}/lib.sh"
if [ "${1:-}" = --one ]; then
    out=$2 id=$3-$4-$5
    [ -f "$out/logs/$id.db" ] || exit 0
    [ "$(sqlite3 :memory: "select json_extract(readfile('$out/labels/$id.json'), '\$.shown')")" = 1 ] || exit 0
    "$FORESEE" diagnose "$out/logs/$id.db" --verify -j 1 --format json >"$out/verified/$id.json" 2>"$out/errors/verify-$id" || true
    # What a grip does has no bearing on what is seen or where the robot is, nor a camera on what is held.
    wrong=$(sqlite3 :memory: "select case when json_extract(value, '\$.name') in ('overlooked_occluded', 'missed_detection', 'hallucination',
        'wrong_object', 'ambiguous_description', 'pose_error', 'stale_belief', 'mislocalised', 'failed_navigation', 'missed_grasp',
        'missing_precondition', 'wrong_order', 'wrong_support', 'false_failure', 'blocked_target', 'unreachable', 'retry_livelock',
        'timed_out') then 'firm_grip' else 'sure_detection' end
        from json_each(readfile('$out/verified/$id.json'), '\$.flaws') where json_extract(value, '\$.root') limit 1")
    [ -n "$wrong" ] || exit 0
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
    from json_each(readfile('$OUT/wrong.json')) d, json_each(d.value, '\$.flaws') f where json_extract(f.value, '\$.root');
.mode markdown
select suspected, name, count(*) as roots, sum(verdict = 'verified') as verified, sum(verdict = 'refuted') as refuted,
    sum(verdict = 'untestable') as untestable, sum(verdict = 'unverified') as unverified from verdict group by 1, 2;
.print
select suspected, count(*) as roots, printf('%.2f', 1.0 * sum(verdict <> 'untestable') / count(*)) as testable,
    printf('%.2f', 1.0 * sum(verdict = 'verified') / sum(verdict <> 'untestable')) as 'verified of these',
    printf('%.2f', 1.0 * sum(verdict = 'refuted') / sum(verdict <> 'untestable')) as 'refuted of these' from verdict group by 1;
SQL
