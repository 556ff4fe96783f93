#!/bin/sh
# A cart whose wheels drift drives about a table: how far what it believes of its own place is from the truth, with a tracker that is
# late, with one whose readings it takes as if they were new, with one that loses it for a while, and with one that never sees it.
. "${0%/*}/lib.sh"
PLAN=$SOURCE/examples/tracked/round.yaml
ask() { sqlite3 -readonly "$1" "$2"; }
# off LOG: the largest distance in mm between the base that is believed in and the true one, from 1 s on.
off() {
    ask "$1" "with truth as (select t_s, x, y, lead(t_s) over w as t2, lead(x) over w as x2, lead(y) over w as y2,
            coalesce(lead(bow_x) over w, 0) as bx, coalesce(lead(bow_y) over w, 0) as by from pose_view
            where object = 'robot_base' window w as (order by t_s)),
        share as (select b.x - t.x as dx, b.y - t.y as dy, t.x2 - t.x as wx, t.y2 - t.y as wy, bx, by,
                case when t.t2 is null then 0 else (b.t_s - t.t_s) / (t.t2 - t.t_s) end as f
            from believed_frame_view b join truth t on b.t_s >= t.t_s and (t.t2 is null or b.t_s < t.t2)
            where b.believed = 'robot' and b.t_s >= 1)
        select cast(round(1000 * max(sqrt(ex * ex + ey * ey))) as integer) from
            (select dx - f * coalesce(wx, 0) - 4 * f * (1 - f) * bx as ex, dy - f * coalesce(wy, 0) - 4 * f * (1 - f) * by as ey from share);"
}
# drive LOG [settings]: projects with seed 1 and prints how far it was off.
drive() {
    drive_log=$1; shift
    run "$PLAN" "$drive_log" --seed 1 "$@"
    drive_off=$(off "$drive_log")
    echo "$drive_log: $drive_off mm"
}

drive round.db
[ "$(outcome round.db)" = succeeded ] || fail "tracked: $(outcome round.db)"
[ "$drive_off" -le 40 ] || fail "tracked, it is off by $drive_off mm, not by 40 at most"
late=$(ask round.db "select count(*), min(delivered_s - taken_s) > 0.1999, max(delivered_s - taken_s) < 0.2001 from reading_view where kind = 'tracker';")
case $late in *"|1|1") ;; *) fail "the tracker's readings: $late" ;; esac
[ "$(ask round.db "select count(*) > 100 from believed_frame_view where source = 'tracker';")" = 1 ] || fail "no place by the tracker"

drive latest.db --set robot.tracker_estimator=latest
[ "$drive_off" -ge 80 ] || fail "old readings taken for new ones: off by $drive_off mm, not by 0.2 s of driving"

drive lost.db --set robot.lost_from=4 --set robot.lost_to=6
[ "$drive_off" -le 120 ] || fail "lost for 2 s, it is off by $drive_off mm: 6 cm in each metre, and 3 degrees, are at most 120"
[ "$(ask lost.db "select count(*) from reading_view where kind = 'tracker' and taken_s >= 4 and taken_s < 6;")" = 0 ] || fail "readings of a tracker that is lost"

drive blind.db --set robot.tracker_range=0.1
[ "$drive_off" -ge 150 ] || fail "blind, it is off by $drive_off mm only"
[ "$(ask blind.db "select count(*) from reading_view where kind = 'tracker';")" = 0 ] || fail "readings of a tracker out of range"

# The same seed gives the same bytes.
run "$PLAN" again.db --seed 1
sqlite3 round.db .dump >round.sql
sqlite3 again.db .dump >again.sql
cmp round.sql again.sql || fail "the same seed gave another log"
