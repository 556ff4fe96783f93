#!/bin/sh
# consistent.sh DIAGNOSIS.json...
# The evidence of each flaw agrees with its sentence: every place of the sentence is filled in; of the numbers with a threshold one is at least past it;
# what was not detected was missed by some frame; what has a count has it more than once. Prints what contradicts itself; status 1 where anything does.
set -eu
bad=0
for file in "$@"; do
    said=$(sqlite3 :memory: "WITH flaw AS (SELECT value AS f FROM json_each(json_extract(readfile('$file'), '\$.flaws'))),
        evidence AS (SELECT f, e.key AS k, e.value AS v FROM flaw, json_each(f, '\$.evidence') e),
        held AS (SELECT a.f, a.k, a.v, b.v AS lim FROM evidence a JOIN evidence b ON a.f = b.f AND b.k = a.k || '_threshold'
            WHERE typeof(a.v) IN ('integer', 'real'))
        SELECT json_extract(f, '\$.name') || ': its sentence lacks a part: ' || json_extract(f, '\$.sentence') FROM flaw WHERE json_extract(f, '\$.sentence') LIKE '%something%'
            AND json_extract(f, '\$.name') NOT IN ('place_off_surface', 'misrecognised') -- whose sentences have the word
        UNION ALL
        SELECT json_extract(f, '\$.name') || ': no number is past its threshold: ' || group_concat(k || ' ' || v || ' (' || lim || ')', ', ') FROM held GROUP BY f
            HAVING NOT max(CASE WHEN k IN ('stood_for_duration', 'top_speed') OR json_extract(f, '\$.name') IN ('missing_precondition', 'wrong_order') THEN v < lim ELSE v >= lim END)
        UNION ALL
        SELECT json_extract(f, '\$.name') || ': no frame missed it, ' || v || ' reported it' FROM evidence WHERE k = 'frames_that_reported_it'
            AND json_extract(f, '\$.name') = 'missed_detection' AND v > 0 AND coalesce(json_extract(f, '\$.evidence.frames_that_missed_it'), 0) = 0
        UNION ALL
        SELECT json_extract(f, '\$.name') || ': it shows ' || v || ' times' FROM evidence WHERE k = 'times' AND v < 2
        UNION ALL
        SELECT json_extract(f, '\$.name') || ': root and recovered' FROM flaw WHERE json_extract(f, '\$.root') AND json_extract(f, '\$.recovered')
        UNION ALL
        SELECT json_extract(f, '\$.name') || ': a root that has a cause' FROM flaw WHERE json_extract(f, '\$.root') AND json_array_length(f, '\$.caused_by') > 0;")
    [ -z "$said" ] || { echo "$file: $said"; bad=1; }
done
exit $bad
