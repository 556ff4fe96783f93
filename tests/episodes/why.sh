#!/bin/sh
# Of every camera frame and every body that it could have reported, the log says either that it did or why it did
# not, in SQL as in rules; what was hidden has a blocker.
. "${0%/*}/lib.sh"
check() { # log, how many pairs of frame and body there must be, pattern of the reasons
    ask() { sqlite3 -readonly "$1" "$2"; }
    ask "$1" "select r.id, o.id from reading r join object o on o.kind = 'body' and o.known = 0
        where r.kind = 'camera' order by 1, 2;" >all.txt
    [ "$(wc -l <all.txt)" -ge "$2" ] || fail "$1: only $(wc -l <all.txt) pairs of frame and body"
    ask "$1" "select r.reading, q.object from percept r join percept_truth q on q.percept = r.id
        where q.object is not null
        union all select u.reading, o.id from unreported_view u join object o on o.name = u.object
        order by 1, 2;" >said.txt
    cmp said.txt all.txt || fail "$1: frames and bodies: $(diff said.txt all.txt | head -5)"
    reasons=$(ask "$1" "select group_concat(distinct why) from (select why from unreported_view order by why);")
    case $reasons in
    $3) ;;
    *) fail "$1: reasons: $reasons" ;;
    esac
    [ "$(ask "$1" "select count(*) from unreported_view where why = 'occluded' and blocker is null
        and probability = 0;")" -eq 0 ] || fail "$1: hidden by nothing"
    ask "$1" "select reading || ',' || object || ',' || why from unreported_view;" | sort >sql.txt
    "$FORESEE" query "$1" 'unreported(R, O, W).' --format csv | sed 1d | sort >rules.txt
    cmp sql.txt rules.txt || fail "$1: SQL and rules differ: $(diff sql.txt rules.txt | head -5)"
}
run "$TABLE/hidden_cup.yaml" hidden.db
check hidden.db 100 '*occluded,out_of_view'
run "$TABLE/default.yaml" unlucky.db --set robot.detection_rate=0.7
check unlucky.db 300 '*chance*out_of_view'
