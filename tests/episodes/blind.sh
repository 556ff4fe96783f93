#!/bin/sh
# A diagnosis reads the episode and nothing else: with the plan's names, comments, parameters and source
# texts blanked and the bodies renamed, flaws, causes, times, evidence and paths are the same, names mapped back.
. "${0%/*}/lib.sh"
for plan in wet_grippers household_instructions hidden_cup odometry_bias; do
    run "$TABLE/$plan.yaml" "$plan.db"
    diagnose "$plan.db"
    [ "$(flaws "$plan.db.json" 1)" -ge 1 ] || fail "$plan: no flaw to compare"
    # Everything but the robot as a whole, whose name is that of its kind, gets a name that says nothing, in
    # another order than the alphabet's.
    sqlite3 -readonly "$plan.db" "select name || ' zz' || substr('qwertyuiopasdfghjklzxcvbnm', 1 + id / 26 % 26, 1) ||
        substr('qwertyuiopasdfghjklzxcvbnm', 1 + id % 26, 1) from object where kind <> 'robot';" >names.txt
    forth=$(awk '{ printf "s/\\b%s\\b/%s/g;", $1, $2 }' names.txt)
    back=$(awk '{ printf "s/\\b%s\\b/%s/g;", $2, $1 }' names.txt)
    rm -f blind.db
    { sqlite3 -readonly "$plan.db" .dump | grep -vE "^INSERT INTO (source|parameter) " | sed "$forth"
      echo "pragma application_id = $(sqlite3 -readonly "$plan.db" 'pragma application_id;');"
      echo "update episode set plan = 'blank', world = 'blank', robot = 'blank'; update task set file = 'blank';"
    } | sqlite3 blind.db || fail "rewriting $plan's log"
    [ "$(sqlite3 -readonly blind.db "select count(*) from source;")" -eq 0 ] || fail "source texts are left"
    [ "$(sqlite3 -readonly blind.db "select count(*) from object where name = 'table_1';")" -eq 0 ] || fail "names are left"
    diagnose blind.db
    sed "$back" blind.db.json >back.json
    # Where a step stands and how the plan is mended is read from its text, and what is believed of the pads from a
    # parameter; what went wrong, and why, is not.
    norm() { sqlite3 :memory: "select json_remove(value, '\$.task.file', '\$.task.for', '\$.suggests', '\$.evidence.believed_friction') from json_each(readfile('$1'), '\$.flaws');"; }
    norm "$plan.db.json" >want.txt
    norm back.json >got.txt
    diff want.txt got.txt >differ.txt || fail "$plan: the diagnosis depends on names or texts: $(head -c 3000 differ.txt)"
done
