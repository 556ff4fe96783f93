#!/bin/sh
# What a minute of an episode takes in its log. The baseline, of the same rows in the same run: keyframes and forces in tables with ids,
# numbers of eight bytes and an index each, as logs before schema 7 have them. Beside it stand the bars, in MB a minute, and what each of
# the largest tables takes; misses are said, not failed.
. "${0%/*}/../episodes/lib.sh"
for case in table_setting/default=0.6 tray/carry=1.0 table_for_four/table_for_four=0.6; do
    plan=${case%=*} bar=${case#*=}
    [ -f "$SOURCE/examples/$plan.yaml" ] || continue
    rm -f log.db former.db
    "$FORESEE" run "$SOURCE/examples/$plan.yaml" -q -o log.db >/dev/null || [ $? -le 1 ] || fail "no log of $plan"
    cp log.db former.db
    sqlite3 former.db >/dev/null <<'SQL'
CREATE TABLE pose_was (id INTEGER PRIMARY KEY, episode, object, t_ns, x, y, z, qw, qx, qy, qz);
INSERT INTO pose_was SELECT NULL, 1, object, t * 10000, x / 3e6, y / 3e6, z / 3e6, qw / 3e6, qx / 3e6, qy / 3e6, qz / 3e6 FROM pose ORDER BY t;
CREATE INDEX pose_was_index ON pose_was (object, t_ns);
CREATE TABLE joint_was (id INTEGER PRIMARY KEY, episode, joint, t_ns, position);
INSERT INTO joint_was SELECT NULL, 1, joint, t * 10000, position / 3e6 FROM joint_state ORDER BY t;
CREATE INDEX joint_was_index ON joint_was (joint, t_ns);
CREATE TABLE force_was (id INTEGER PRIMARY KEY, episode, contact, t_ns, fx, fy, fz, nx, ny, nz);
INSERT INTO force_was SELECT NULL, 1, contact, t * 10000, fx / 3e3, fy / 3e3, fz / 3e3, nx / 3e4, ny / 3e4, nz / 3e4 FROM contact_force ORDER BY t;
CREATE INDEX force_was_index ON force_was (contact, t_ns);
DELETE FROM pose; DELETE FROM joint_state; DELETE FROM contact_force;
VACUUM;
SQL
    sqlite3 log.db "SELECT printf('%-32s %.2f MB a minute, %.2f with the former tables (%.2f of it); bar $bar%s', '$plan',
        $(wc -c <log.db) / 1e6 / (end_s / 60), $(wc -c <former.db) / 1e6 / (end_s / 60), $(wc -c <log.db) * 1.0 / $(wc -c <former.db),
        iif($(wc -c <log.db) / 1e6 / (end_s / 60) > $bar, ', MISSED', '')) FROM episode_view;
        SELECT printf('    %-28s %5.3f', name, sum(pgsize) / 1e6 / (SELECT end_s / 60 FROM episode_view)) FROM dbstat
        GROUP BY name ORDER BY sum(pgsize) DESC LIMIT 8;"
done
