#!/bin/sh
# tolerance.sh OUT [--seeds 1] [--cases "A B"] [-j JOBS]
# The same episodes logged with tolerance 0 and with the default: the diagnoses must name the same flaws and culprits in the
# same order, with starts within 0.1 s.
. "${0%/*}/lib.sh"
SEEDS=1
options "$@"
need "$FORESEE" FORESEE "the program under test"
need "$LABEL" LABEL "tests/flaws/flaw_label"
"$HERE/generate.sh" "$OUT/default" --scene "$SCENES" --seeds "$SEEDS" --cases "$CASES" -j "$JOBS"
FLAWS_SET=log.tolerance_mm=0 "$HERE/generate.sh" "$OUT/exact" --scene "$SCENES" --seeds "$SEEDS" --cases "$CASES" -j "$JOBS"
"$HERE/diagnose.sh" "$OUT/default" -j "$JOBS"
"$HERE/diagnose.sh" "$OUT/exact" -j "$JOBS"
sqlite3 -batch :memory: "
create table flaw as select 'default' as log, json_extract(p.value, '\$.episode') as episode, f.key as at, json_extract(f.value, '\$.name') as name,
    json_extract(f.value, '\$.path') as path, json_extract(f.value, '\$.start') as start, json_extract(f.value, '\$.role') as role
    from json_each(readfile('$OUT/default/predictions.json')) p, json_each(p.value, '\$.flaws') f
union all select 'exact', json_extract(p.value, '\$.episode'), f.key, json_extract(f.value, '\$.name'), json_extract(f.value, '\$.path'),
    json_extract(f.value, '\$.start'), json_extract(f.value, '\$.role')
    from json_each(readfile('$OUT/exact/predictions.json')) p, json_each(p.value, '\$.flaws') f;
create table other as select coalesce(d.episode, e.episode) as episode, d.name as name, d.start as start, e.name as exact_name, e.start as exact_start
    from (select * from flaw where log = 'default') d full join (select * from flaw where log = 'exact') e
    on d.episode = e.episode and d.at = e.at
    where d.name is not e.name or d.path is not e.path or d.role is not e.role or abs(d.start - e.start) > 0.1;
select 'differs: ' || episode, name, start, exact_name, exact_start from other;
select count(distinct episode) || ' of ' || (select count(*) from json_each(readfile('$OUT/default/predictions.json'))) ||
    ' episodes are diagnosed otherwise from a log of tolerance 0' from other;"
