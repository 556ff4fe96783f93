#!/bin/sh
# The same plan, world, robot and seed give the same log, byte for byte, whatever the folder, the spelling of
# paths, the locale, the load and the number of cores; another seed gives another.
. "${0%/*}/lib.sh"
dump() { sqlite3 -readonly "$1" .dump | cksum; }

run "$TABLE/default.yaml" a.db --seed 3
mkdir -p elsewhere/deep
( cd elsewhere/deep && LC_ALL=C.UTF-8 run "$TABLE/../table_setting/./default.yaml" ../../b.db --seed 3 )
# One core, under load, and another locale where the machine has one.
other=$(locale -a 2>/dev/null | grep -iE '^(de|fr)_' | head -n 1 || true)
( while :; do :; done ) & load=$!
( LC_ALL=${other:-C} LC_NUMERIC=${other:-C} taskset -c 0 "$FORESEE" run -q "$TABLE/default.yaml" -o c.db --seed 3 || [ $? -eq 1 ] )
kill "$load" 2>/dev/null || true
"$FORESEE" batch -q "$TABLE/default.yaml" -n 2 --seed 3 -j 2 -o d.db >/dev/null || [ $? -eq 1 ]
run "$TABLE/default.yaml" e.db --seed 4

[ "$(dump a.db)" = "$(dump b.db)" ] || fail "another folder changes the log"
[ "$(dump a.db)" = "$(dump c.db)" ] || fail "load, locale or cores change the log"
run "$TABLE/default.yaml" a.db --seed 4
[ "$(dump a.db)" = "$(dump d.db)" ] || fail "a batch with two workers differs from two runs into one log"
[ "$(dump b.db)" != "$(dump e.db)" ] || fail "two seeds give the same log"

# Doors and hands on springs, two hands and what falls from them, readings that come late.
again() {
    _again=$1; shift
    for log in once.db twice.db; do
        run "$SOURCE/examples/$_again" $log --seed 3 --set robot.encoder_delay=0.01 --set robot.camera_delay=0.12 "$@"
    done
    [ "$(dump once.db)" = "$(dump twice.db)" ] || fail "run again, $_again gives another log"
    rm once.db twice.db
}
again furniture/open.yaml
again furniture/open_and_close.yaml
again tray/carry.yaml --set plan.carry_acceleration=2.2 --set plan.carry_speed=1.4
