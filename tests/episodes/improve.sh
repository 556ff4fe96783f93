#!/bin/sh
# improve.sh [long]: the example planner for plans that work compiles against the installed library, proposes what its rules say,
# leaves a plan alone that fails, and makes two plans faster (long) without making them worse.
. "${0%/*}/lib.sh"
: "${BUILD:?the build folder}"
DESTDIR=$WORK/root meson install -C "$BUILD" --no-rebuild --quiet
PKG_CONFIG_SYSROOT_DIR=$WORK/root
PKG_CONFIG_PATH=$(dirname "$(find "$WORK/root" -name foresee.pc)")
LD_LIBRARY_PATH=$(dirname "$(find "$WORK/root" -name 'libforesee.so.0')")
# sqlite3 is the system's own: its paths are not moved.
flags=$(PKG_CONFIG_PATH=$PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR=$PKG_CONFIG_SYSROOT_DIR pkg-config --cflags --libs foresee)
cc -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror "$SOURCE/examples/planner/improve.c" -o improve $flags -lsqlite3 ||
    fail "improve.c does not compile against the installed library"
export LD_LIBRARY_PATH FORESEE
cp -r "$SOURCE/examples" examples
cd examples/planner

# ---- What the rules propose ----
proposed() { "$FORESEE" query "$1.db" 'improvement(Rule, Why, Edits)' -f improving.dl --format csv; }
run three_cups.yaml three_cups.db
run two_places.yaml two_places.db
for plan in three_cups two_places; do
    [ "$(outcome $plan.db)" = succeeded ] || fail "$plan does not work as it stands"
    proposed $plan >$plan.csv || fail "nothing is proposed for $plan"
done
for rule in carry_in_both_hands bring_in_another_order localise_first use_a_container; do
    grep -q "^$rule," three_cups.csv || fail "$rule is not proposed: $(cat three_cups.csv)"
done
grep -q '^stack_and_carry,plate#2 can ride on plate#1,' two_places.csv || fail "no stack is proposed: $(cat two_places.csv)"
grep -q '^use_a_container,' two_places.csv && fail "a tray is proposed where there is none"
# A goal's first argument may hold commas of its own.
grep -q 'object_in_hand(nth(?plates, 2))' two_places.csv || fail "the second plate is not named as the plan names it"

# ---- Requests that are wrong, plans that fail ----
status=0
../../improve 2>usage.txt || status=$?
[ "$status" -eq 2 ] && grep -q '^usage: improve PLAN.yaml' usage.txt || fail "no plan: status $status"
status=0
../../improve stacked_carry.yaml -o no.yaml >out.txt 2>err.txt || status=$?
[ "$status" -eq 2 ] && grep -q 'does not work yet' err.txt || fail "a plan that fails: status $status, $(tail -n 1 err.txt)"
[ ! -e no.yaml ] && [ -z "$(find . -name '.improve-*')" ] || fail "something was written for a plan that fails"
[ "${1:-}" = long ] || exit 0

# ---- Plans that become faster ----
for plan in ../table_setting/default three_cups; do
    ../../improve $plan.yaml -o $plan.faster.yaml -r 1 >out.txt || fail "$plan is not made faster: $(cat out.txt)"
    grep -q 'carry_in_both_hands is kept' out.txt || fail "$plan: something else is kept: $(cat out.txt)"
    [ -z "$(find .. -name '.improve-*')" ] || fail "candidates are left behind"
    status=0
    "$FORESEE" batch -q $plan.yaml $plan.faster.yaml -n 6 --seed 777 --format json -o fresh.db >fresh.json || status=$?
    [ "$status" -eq 0 ] || fail "$plan: the new plan fails with other seeds"
    slower=$(sqlite3 :memory: "select count(*) from json_each(readfile('fresh.json'), '\$.pairs') where value ->> '\$.duration.shift' > -5")
    [ "$slower" -eq 0 ] || fail "$plan: the new plan does not save five seconds: $(cat fresh.json)"
    rm fresh.db
done
