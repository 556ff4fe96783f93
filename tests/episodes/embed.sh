#!/bin/sh
# The programs of examples/embed compile against the installed library with pkg-config alone and answer alike.
. "${0%/*}/lib.sh"
: "${BUILD:?the build folder}"
DESTDIR=$WORK/root meson install -C "$BUILD" --no-rebuild --quiet
pc=$(find "$WORK/root" -name foresee.pc)
library=$(find "$WORK/root" -name 'libforesee.so.0')
data=$(find "$WORK/root" -type d -name foresee -path '*/share/foresee')
[ -n "$pc" ] && [ -n "$library" ] && [ -d "$data/examples/embed" ] || fail "library, foresee.pc or examples are not installed"
PKG_CONFIG_PATH=${pc%/*}
PKG_CONFIG_SYSROOT_DIR=$WORK/root
LD_LIBRARY_PATH=${library%/*}
LC_ALL=C
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LC_ALL

run "$TABLE/wet_grippers.yaml" wet.db
# The interface is C17 without warnings, and C++.
printf '#include <foresee.h>\nint main() { return foresee_version()[0] == 0; }\n' >version.cc
if command -v c++ >/dev/null; then
    c++ -Wall -Wextra -Werror version.cc -o version $(pkg-config --cflags --libs foresee) || fail "foresee.h is no C++"
fi
cc -std=c17 -D_DEFAULT_SOURCE -Wall -Wextra -Werror "$data/examples/embed/ask.c" -o ask \
    $(pkg-config --cflags --libs foresee) || fail "ask.c does not compile against the installed library"
export LD_LIBRARY_PATH
[ ! -x version ] || ./version || fail "the library has no version"

# check OUTPUT: answers, a proof down to a row of the log, a mistake with its caret, an end.
check() {
    grep -q ' is on counter_1$' "$1" || fail "no answers: $(head -c 300 "$1")"
    grep -q '^the first flaw, at [0-9.]* s: ' "$1" || fail "no flaw: $(head -c 600 "$1")"
    [ "$(grep -c '^the first flaw' "$1")" -eq 1 ] || fail "more than one first flaw"
    grep -q 'log: [a-z_]* [0-9]' "$1" || fail "the proof names no row of the log: $(head -c 900 "$1")"
    grep -q "^query:1:1: error: .*did you mean 'on'?$" "$1" || fail "the mistake is not placed: $(tail -c 300 "$1")"
    [ "$(tail -n 1 "$1")" = interrupted ] || fail "not interrupted: $(tail -n 3 "$1")"
}
./ask wet.db >c.txt || fail "ask ended with $?"
check c.txt
# What a program brings: facts, a function, several episodes with one query.
run "$TABLE/wet_grippers.yaml" wet.db --seed 2
cc -std=c17 -Wall -Wextra -Werror "$data/examples/embed/bring.c" -o bring $(pkg-config --cflags --libs foresee) ||
    fail "bring.c does not compile against the installed library"
./bring wet.db >brought.txt || fail "bring ended with $?"
grep -q '^episode 1: plate_. fell at [0-9.]* s, of task [0-9]*: 3.60 paid of 4.50$' brought.txt &&
    grep -q '^episode 2: ' brought.txt && grep -q ' at the end$' brought.txt || fail "brought: $(cat brought.txt)"
rm wet.db
run "$TABLE/wet_grippers.yaml" wet.db
status=0
./ask nothing.db >out.txt 2>err.txt || status=$?
[ "$status" -eq 2 ] && grep -q '^nothing.db: error: ' err.txt || fail "a missing log: $status $(cat err.txt)"
if command -v python3 >/dev/null; then
    python3 "$data/examples/embed/ask.py" wet.db >python.txt || fail "ask.py ended with $?"
    cmp c.txt python.txt || fail "C and Python answer differently"
    status=0
    python3 "$data/examples/embed/ask.py" nothing.db >out.txt 2>err.txt || status=$?
    [ "$status" -eq 2 ] && grep -q '^nothing.db: error: ' err.txt || fail "a missing log in Python: $status $(cat err.txt)"
fi
