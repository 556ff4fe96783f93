-- What was not found, and every false alarm.
.print
SELECT e.episode AS "not found", group_concat(n.flaw, ' ') AS expected,
    (SELECT group_concat(s.start, ' ') FROM right_start s WHERE s.episode = e.episode AND s.k = e.k) AS starts,
    (SELECT group_concat(p.flaw || ' (' || p.role || ' ' || p.start || ' ' || p.path || ')', '; ') FROM prediction p
        JOIN right_name r ON r.flaw = p.flaw AND r.episode = e.episode AND r.k = e.k WHERE p.episode = e.episode) AS nearest
FROM expected e JOIN right_name n ON n.episode = e.episode AND n.k = e.k
WHERE NOT EXISTS (SELECT 1 FROM hit h WHERE h.episode = e.episode AND h.k = e.k AND h.role = 'root') GROUP BY e.episode, e.k;
.print
SELECT p.episode AS "false alarm", p.flaw, p.start, p.path FROM prediction p JOIN label l ON l.episode = p.episode
WHERE p.role = 'root' AND NOT EXISTS (SELECT 1 FROM hit h WHERE h.episode = p.episode AND h.i = p.i) ORDER BY p.episode, p.i;
.print
SELECT episode AS "left out", json_extract(body, '$.why_not') AS "check that does not hold" FROM label WHERE NOT shown ORDER BY episode;
