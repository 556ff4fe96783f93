#!/bin/sh
# A plug falls beside the hole of its socket: a model lets it pass the rim, and draws it to its seat.
. "${0%/*}/../episodes/lib.sh"

ask() { sqlite3 -readonly "$1" "$2"; }
run "$SOURCE/tests/ensemble/socket.yaml" log.db
[ "$(ask log.db "select group_concat(name) from (select name from model_event_view where kind = 'told' order by id)")" = nears,fits,connected ] ||
    fail "the socket does not tell what comes: $(ask log.db "select * from model_event_view")"
[ "$(ask log.db "select group_concat(rule || ' ' || becomes || ' ' || done) from (select * from switch_view order by id)")" = \
    "nears unit 1,fits unit 1" ] || fail "the collision, then the pose, are handed over"
[ "$(ask log.db "select object || ' ' || carrier || ' ' || model from bond_view")" = "plug_1 socket_1 unit" ] || fail "it is not bound"
# It stands on its seat, 10 mm above the floor.
[ "$(ask log.db "select abs(x - 1.6) < 5e-4 and abs(y) < 5e-4 and abs(z - 0.01) < 2e-4 from pose_view where object = 'plug_1'
    order by t_s desc limit 1")" = 1 ] || fail "it is not on its seat: $(ask log.db "select * from pose_view where object = 'plug_1' order by t_s desc limit 1")"
# Whether it collides changes at once, and not by and by since the start.
[ "$(ask log.db "select group_concat(value) from (select value from attribute_state_view where attribute = 'collision' order by t_s)")" = 1.0,1.0,0.0 ] ||
    fail "the log has another collision: $(ask log.db "select * from attribute_state_view")"
[ "$(ask log.db "select max(t_s) - (select max(t_s) from attribute_state_view where value = 1) < 0.003 from attribute_state_view")" = 1 ] ||
    fail "the collision ends by and by"

# The same seed gives the same log, run again from the log too.
"$FORESEE" run -q log.db -o again.db || fail "the log cannot be run again"
sqlite3 log.db .dump >log.sql
sqlite3 again.db .dump >again.sql
cmp -s log.sql again.sql || fail "the episode is another one when it is run again"

# Without the model the plug lies on the rim, 50 mm high.
"$FORESEE" run -q log.db -o rim.db --change 'without_model(unit)' || fail "the model cannot be left out"
[ "$(ask rim.db "select z > 0.045 from pose_view where object = 'plug_1' order by t_s desc limit 1")" = 1 ] || fail "the plug fits as it is"
[ "$(ask rim.db "select min(value) from attribute_state_view where attribute = 'collision'")" = 1.0 ] ||
    fail "without its model the plug collides no more"

# What nothing draws to its seat falls through the socket, and is not bound.
"$FORESEE" run -q log.db -o deaf.db --change 'no_trigger(fits)' || fail "the trigger cannot be left out"
[ "$(ask deaf.db "select count(*) from bond")" = 0 ] || fail "it is bound all the same"
[ "$(ask deaf.db "select z < 0.005 from pose_view where object = 'plug_1' order by t_s desc limit 1")" = 1 ] || fail "it does not pass"

# What cannot be is said where it stands.
for change in 's/inner: 0.005/inner: 0.05/=is greater than `outer`' 's/carrier: socket_1$/carrier: left/=the carrier of a socket is a body' \
    's/body: pose(plug_1)/body: height(plug_1)/=`body` of `unit` is a pose' 's/body: pose(plug_1)/body: 1/=`body` of `unit` is a pose' \
    's/collision(plug_1): collision, //=no model gives .collision(plug_1).'; do
    sed "${change%%=*}" "$SOURCE/tests/ensemble/socket_world.yaml" >socket_world.yaml
    sed "s,\.\./\.\./examples,$SOURCE/examples," "$SOURCE/tests/ensemble/socket.yaml" >plan.yaml
    status=0
    "$FORESEE" run -q plan.yaml -o refused.db 2>error.txt || status=$?
    [ "$status" = 2 ] || fail "exit status $status for ${change%%=*}: $(cat error.txt)"
    grep -q "socket_world.yaml:[0-9]*:[0-9]*: .*${change##*=}" error.txt || fail "not said where it stands: $(cat error.txt)"
    rm -f refused.db
done
