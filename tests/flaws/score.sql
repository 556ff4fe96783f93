-- score.sql - labels and predictions to the table. SCENES stands for the scenes that count.
CREATE TABLE label AS
SELECT json_extract(value, '$.episode') AS episode, json_extract(value, '$.case') AS name, json_extract(value, '$.scene') AS scene,
    json_extract(value, '$.clean') AS clean, json_extract(value, '$.shown') AS shown, value AS body
FROM json_each(readfile(:labels)) WHERE json_extract(value, '$.scene') IN (SCENES);
CREATE TABLE expected AS
SELECT l.episode, l.name, f.key AS k, f.value AS body FROM label l, json_each(l.body, '$.flaws') f WHERE l.shown AND NOT l.clean;
CREATE TABLE right_name AS SELECT e.episode, e.k, n.value AS flaw FROM expected e, json_each(e.body, '$.names') n;
CREATE TABLE right_path AS SELECT e.episode, e.k, p.value AS path FROM expected e, json_each(e.body, '$.paths') p;
CREATE TABLE right_start AS SELECT e.episode, e.k, s.value AS start FROM expected e, json_each(e.body, '$.starts') s;
CREATE TABLE consequence AS SELECT l.episode, c.value AS flaw FROM label l, json_each(l.body, '$.consequences') c;
CREATE TABLE prediction AS
SELECT json_extract(p.value, '$.episode') AS episode, f.key AS i, json_extract(f.value, '$.name') AS flaw,
    json_extract(f.value, '$.role') AS role, json_extract(f.value, '$.path') AS path, json_extract(f.value, '$.start') AS start
FROM json_each(readfile(:predictions)) p, json_each(p.value, '$.flaws') f
WHERE json_extract(p.value, '$.episode') IN (SELECT episode FROM label WHERE shown);
-- A diagnosis that failed is a false alarm, whatever it would have said.
INSERT INTO prediction SELECT json_extract(value, '$.episode'), -1, 'failed', 'root', '', NULL FROM json_each(readfile(:predictions))
WHERE json_extract(value, '$.failed') AND json_extract(value, '$.episode') IN (SELECT episode FROM label WHERE shown);
CREATE INDEX prediction_episode ON prediction (episode);

-- Which prediction is right for which label: its name, its path, and its start where there is one.
CREATE TABLE hit AS
SELECT e.episode, e.k, p.i, p.role FROM expected e JOIN prediction p ON p.episode = e.episode
WHERE EXISTS (SELECT 1 FROM right_name n WHERE n.episode = e.episode AND n.k = e.k AND n.flaw = p.flaw)
    AND EXISTS (SELECT 1 FROM right_path r WHERE r.episode = e.episode AND r.k = e.k AND p.path GLOB r.path)
    AND (NOT EXISTS (SELECT 1 FROM right_start s WHERE s.episode = e.episode AND s.k = e.k)
        OR EXISTS (SELECT 1 FROM right_start s WHERE s.episode = e.episode AND s.k = e.k AND abs(s.start - p.start) <= 0.5));

-- Roots alone, and all roles together: there consequences are right, too.
CREATE TABLE mode (mode TEXT);
INSERT INTO mode VALUES ('roots'), ('all');
CREATE TABLE counted AS
SELECT m.mode, c.name, (SELECT count(DISTINCT e.episode || '/' || e.k) FROM expected e JOIN hit h ON h.episode = e.episode AND h.k = e.k
        WHERE e.name = c.name AND (m.mode = 'all' OR h.role = 'root')) AS tp,
    (SELECT count(*) FROM expected e WHERE e.name = c.name) AS labels,
    (SELECT count(*) FROM prediction p JOIN label l ON l.episode = p.episode WHERE l.name = c.name
        AND (m.mode = 'all' OR p.role = 'root')
        AND NOT EXISTS (SELECT 1 FROM hit h WHERE h.episode = p.episode AND h.i = p.i)
        AND NOT (m.mode = 'all' AND EXISTS (SELECT 1 FROM consequence q WHERE q.episode = p.episode AND q.flaw = p.flaw))) AS fp
FROM mode m, (SELECT DISTINCT name FROM label WHERE NOT clean) c;
CREATE TABLE rated AS
SELECT *, labels - tp AS fn, CASE WHEN tp + fp > 0 THEN 1.0 * tp / (tp + fp) END AS p, CASE WHEN labels > 0 THEN 1.0 * tp / labels END AS r
FROM counted;
-- The same by the first name that a label accepts: several cases may be about one flaw.
CREATE TABLE by_name AS
SELECT c.mode, (SELECT n.value FROM expected e, json_each(e.body, '$.names') n WHERE e.name = c.name LIMIT 1) AS flaw, sum(c.tp) AS tp,
    sum(c.fp) AS fp, sum(c.labels) AS labels FROM counted c GROUP BY 1, 2;
CREATE TABLE alarm AS
SELECT l.name, l.episode, l.shown, (SELECT count(*) FROM prediction p WHERE p.episode = l.episode AND p.role = 'root') AS roots,
    (SELECT count(*) FROM prediction p WHERE p.episode = l.episode) AS said FROM label l WHERE l.clean;

.mode markdown
SELECT l.name AS "case", count(*) AS seeds, sum(NOT l.shown) AS "left out", r.tp AS TP, r.fp AS FP, r.fn AS FN,
    printf('%.2f', r.p) AS precision, printf('%.2f', r.r) AS recall, printf('%.2f', a.p) AS "precision, all", printf('%.2f', a.r) AS "recall, all"
FROM label l JOIN rated r ON r.name = l.name AND r.mode = 'roots' JOIN rated a ON a.name = l.name AND a.mode = 'all'
WHERE NOT l.clean GROUP BY l.name ORDER BY l.name;
.print
SELECT CASE r.mode WHEN 'roots' THEN 'roots alone' ELSE 'with consequences' END AS "over all cases", sum(tp) AS TP, sum(fp) AS FP, sum(fn) AS FN,
    printf('%.3f', 1.0 * sum(tp) / (sum(tp) + sum(fp))) AS "micro precision", printf('%.3f', 1.0 * sum(tp) / sum(labels)) AS "micro recall",
    printf('%.3f', avg(coalesce(p, 0))) AS "macro precision", printf('%.3f', avg(r)) AS "macro recall",
    (SELECT printf('%.3f', avg(CASE WHEN n.tp > 0 THEN 1.0 * n.tp / (n.tp + n.fp) ELSE 0 END)) FROM by_name n WHERE n.mode = r.mode AND n.labels > 0)
        AS "macro precision by name",
    (SELECT printf('%.3f', avg(1.0 * n.tp / n.labels)) FROM by_name n WHERE n.mode = r.mode AND n.labels > 0) AS "macro recall by name"
FROM rated r GROUP BY r.mode ORDER BY r.mode DESC;
.print
-- said: flaws of any role, also what the robot made good again.
SELECT name AS "clean control", count(*) AS seeds, sum(NOT shown) AS "left out", sum(shown * roots) AS "false alarms",
    printf('%.2f', 1.0 * sum(shown * roots) / sum(shown)) AS "per run", sum(shown * said) AS "said in any role"
FROM alarm GROUP BY name UNION ALL
SELECT 'all', count(*), sum(NOT shown), sum(shown * roots), printf('%.2f', 1.0 * sum(shown * roots) / sum(shown)), sum(shown * said)
FROM alarm HAVING count(*) > 0;
