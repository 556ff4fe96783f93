#!/bin/sh
# The plan never sees the truth: a world with one more cup where nobody looks gives the same commands and the
# same beliefs, to the byte, as the world without it.
. "${0%/*}/lib.sh"
mkdir -p worlds
cp "$SOURCE"/examples/worlds/*.yaml worlds/
awk '{ print } /^bodies:/ && !done { print "  unseen_cup: { type: cup, color: green, at: [40, 40, 0.001] }"; done = 1 }' \
    worlds/kitchen.yaml >worlds/more.yaml
run "$TABLE/default.yaml" without.db --world worlds/kitchen.yaml
run "$TABLE/default.yaml" with.db --world worlds/more.yaml
[ "$(sqlite3 -readonly with.db "select count(*) from object where name = 'unseen_cup';")" -eq 1 ] || fail "no more cup in the other world"
mind() {
    sqlite3 -readonly "$1" "select actuator, t_s, mode, v1, v2, v3 from command_view order by id;
        select believed, parent, t_s, x, y, z, qw, qx, qy, qz from believed_frame_view order by id;"
}
mind without.db >a.txt
mind with.db >b.txt
[ -s a.txt ] || fail "no commands or beliefs"
cmp a.txt b.txt || fail "an object that nobody sensed changes commands or beliefs"
