#!/bin/sh
# The plan never sees the truth: a world with one more cup that no sensor ever has in sight gives the same
# commands, beliefs, readings and variables, to the byte, as the world without it - for the whole episode.
# Once it stands on the floor in a corner of the kitchen, below the plane of the laser, once on the shelf
# behind the cereal box, wholly hidden from where the robot looks.
. "${0%/*}/lib.sh"
mkdir -p worlds
cp "$SOURCE"/examples/worlds/*.yaml worlds/
mind() {
    sqlite3 -readonly "$1" "select actuator, t_s, mode, v1, v2, v3 from command_view order by id;
        select believed, parent, t_s, x, y, z, qw, qx, qy, qz from believed_frame_view order by id;
        select kind, taken_ns, delivered_ns, value from reading order by id;
        select reading, type, color, x, y, z from percept order by id;
        select task, name, value, t_ns from variable order by id;
        select dynamic_path, status, start_ns, end_ns from task order by id;"
}
compare() { # plan, the other cup, how often it must have been hidden at least, how many lines there must be to compare
    awk -v more="  unseen_cup: { type: cup, color: green, $2 }" \
        '{ print } /^  cup_4:/ { print more }' worlds/kitchen.yaml >worlds/more.yaml
    rm -f without.db with.db
    run "$TABLE/$1" without.db --world worlds/kitchen.yaml
    run "$TABLE/$1" with.db --world worlds/more.yaml
    [ "$(sqlite3 -readonly with.db "select count(*) from object where name = 'unseen_cup';")" -eq 1 ] || fail "no more cup in the other world"
    sight="from visibility v join object o on o.id = v.object where o.name = 'unseen_cup' and v.state"
    [ "$(sqlite3 -readonly with.db "select count(*) $sight = 'visible';")" -eq 0 ] || fail "$1: the cup at '$2' was seen: choose another place"
    [ "$(sqlite3 -readonly with.db "select count(*) $sight = 'occluded';")" -ge "$3" ] || fail "$1: nobody looked towards the cup at '$2'"
    mind without.db >a.txt
    mind with.db >b.txt
    [ "$(wc -l <a.txt)" -ge "$4" ] || fail "$1: too little to compare: $(wc -l <a.txt) lines"
    cmp a.txt b.txt || fail "$1: a cup at '$2' that nobody sensed changes the episode: $(diff a.txt b.txt | head -5)"
}
compare default.yaml "at: [0.3, 0.3, 0.001]" 0 1000
compare hidden_cup.yaml "on: shelf_1, at: [0.02, 0.03]" 1 100
