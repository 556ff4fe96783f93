#!/bin/sh
# A bound query on a log of a million rows from a cold process: medians, beside sqlite3 asked the
# same of the same file. It touches 5,000 rows. Fails where the bar of 20 ms is missed.
. "${0%/*}/../episodes/lib.sh"
. "$SOURCE/tests/bench/median.sh"
"$FORESEE" run "$TABLE/default.yaml" -q -o log.db --until 2 >/dev/null || [ $? -eq 3 ] || fail "no log"
sqlite3 log.db >/dev/null <<'SQL'
PRAGMA synchronous = OFF;
INSERT INTO object (episode, name, kind, type)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
  SELECT 1, 'thing_' || i, 'body', 'thing' FROM n;
INSERT INTO pose (object, t, x, y, z, qw, qx, qy, qz)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999999)
  SELECT (SELECT max(id) FROM object) - i / 5000, i % 5000 * 200, i * 1000, 0, 0, 1000000, 0, 0, 0 FROM n;
SQL
rows=$(sqlite3 log.db "select count(*) from pose;")
ours=$(median_of "$FORESEE" query log.db 'N = count { T : keyframe(thing_7, T, P) }.' --format plain)
grep -qx 5000 answer.txt || fail "5,000 keyframes were expected: $(cat answer.txt)"
theirs=$(median_of sqlite3 -readonly log.db \
    "select count(distinct t) from pose where object = (select id from object where name = 'thing_7');")
grep -qx 5000 answer.txt || fail "5,000 keyframes were expected: $(cat answer.txt)"
nothing=$(median_of "$FORESEE" --version)
sqlite3 :memory: "select printf('a bound query on %d keyframes: %.1f ms, %.1f of it starting the program; sqlite3 %.1f ms; %.2f of the bar of 20 ms',
    $rows, $ours / 100.0, $nothing / 100.0, $theirs / 100.0, $ours / 2000.0);"
[ "$ours" -le 2000 ] || fail "the bar is missed"
