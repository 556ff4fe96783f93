#!/bin/sh
# diagnose.sh OUT [--scene tune|held] [-j JOBS]
# Diagnoses OUT/logs with foresee, and writes OUT/predictions.json. A diagnosis that fails is in it, too, and counts as a false alarm.
. "${0%/*}/lib.sh"
if [ "${1:-}" = --one ]; then
    status=0
    "$FORESEE" diagnose "$2/logs/$3.db" --format json >"$2/diagnoses/$3.json" 2>"$2/errors/diagnose-$3" || status=$?
    if [ "$status" -gt 1 ]; then
        echo "$3: foresee diagnose ended with status $status: $(head -3 "$2/errors/diagnose-$3")" >&2
        echo "{\"episode\": \"$3\", \"failed\": true, \"flaws\": []}" >"$2/predictions/$3.json"
        exit 0
    fi
    rm -f "$2/errors/diagnose-$3"
    sqlite3 :memory: "select json_object('episode', '$3', 'flaws', (select json_group_array(json_object(
        'name', json_extract(value, '\$.name'),
        'role', case when json_extract(value, '\$.root') then 'root' when json_extract(value, '\$.recovered') then 'recovered'
            else 'consequence' end,
        'path', json_extract(value, '\$.task.path'), 'start', json_extract(value, '\$.start'),
        'bodies', json_extract(value, '\$.bodies')))
        from json_each(readfile('$2/diagnoses/$3.json'), '\$.flaws')));" >"$2/predictions/$3.json"
    exit 0
fi
options "$@"
need "$FORESEE" FORESEE "the program under test"
rm -rf "$OUT/predictions" "$OUT/diagnoses"
mkdir -p "$OUT/predictions" "$OUT/diagnoses" "$OUT/errors"
for scene in $SCENES; do
    (cd "$OUT/logs" && ls | sed -n "s/^\(.*-$scene-[0-9]*\)\.db\$/\1/p")
done | xargs -P "$JOBS" -L 1 nice "$0" --one "$OUT"
cd "$OUT/predictions"
join_json ./*.json >"$OUT/predictions.json"
