#!/bin/sh
# An episode has a fingerprint of what decided its bits; a re-run warns where that differs, and names the difference.
. "${0%/*}/lib.sh"
dump() { sqlite3 -readonly "$1" .dump | cksum; }
warns() { grep -q '^foresee: warning: ' err.txt; }

expect 3 "" "$FORESEE" run "$PLAN" --until 1 -o log.db
names=$(sqlite3 log.db 'select name from fingerprint order by id;' | tr '\n' ' ')
[ "$names" = "foresee sources compiler options libc libm libode libccd processor arithmetic " ] || fail "parts: $names"
[ "$(sqlite3 log.db "select count(*) from fingerprint where value = '' or value = 'not known';")" = 0 ] ||
    fail "not known: $(sqlite3 log.db "select * from fingerprint")"
[ -z "$(sqlite3 log.db "select * from fingerprint where value like '%/%';")" ] || fail "a path is a part of it"
expect 0 "arithmetic" "$FORESEE" query log.db 'fingerprint(Name, Value).'

# The same build on the same machine: the same log, and no warning.
expect 3 "" "$FORESEE" run log.db -o again.db
warns && fail "a warning without a reason: $(cat err.txt)"
[ "$(dump log.db)" = "$(dump again.db)" ] || fail "the re-run is another"

# Another build, and another library: the difference is named, and nothing else.
cp log.db other.db
sqlite3 other.db "update fingerprint set value = 'gcc 4.2' where name = 'compiler'; update fingerprint set value = 'feed' where name = 'libm';"
expect 3 "compiler (gcc 4.2 then, " "$FORESEE" run other.db -o other_again.db
grep -q 'libm (feed then, ' err.txt || fail "libm is not named: $(cat err.txt)"
grep -q 'libode\|sources' err.txt && fail "what is the same is named: $(cat err.txt)"
sqlite3 other.db "update fingerprint set value = char(27) || '[2J' where name = 'compiler';"
expect 3 'compiler (\x1b[2J then, ' "$FORESEE" run other.db -o other_again.db
expect 3 "" "$FORESEE" run -q other.db -o quiet.db
[ ! -s err.txt ] || fail "-q is not quiet: $(cat err.txt)"
expect 0 "notes or warnings" "$FORESEE" help run

# Another choice of the C library, as on a processor without these features, shows in what it computes.
if sqlite3 log.db "select value from fingerprint where name = 'processor'" | grep -q FMA; then
    without=GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable,-FMA4_Usable
    expect 3 "arithmetic (" env "$without" "$FORESEE" run log.db -o without.db
fi

# A log of schema 3, which has no such table, is still read, and the warning says so.
cp log.db three.db
sqlite3 three.db "drop table fingerprint; drop table step_text; update meta set value = 3 where key = 'schema'; pragma user_version = 3;"
expect 0 "" "$FORESEE" query three.db 'top_task(T).'
expect 1 "" "$FORESEE" query three.db 'fingerprint(Name, Value).'
expect 0 "" "$FORESEE" tree three.db
expect 0 "" "$FORESEE" derive three.db on
expect 0 "" "$FORESEE" show three.db --at 0.5 -o three.png --size 320x240
"$FORESEE" diagnose log.db >log.txt 2>&1
"$FORESEE" diagnose three.db 2>&1 | sed 's/three\.db/log.db/' >three.txt
cmp -s log.txt three.txt || fail "a log of schema 3 is diagnosed otherwise: $(diff log.txt three.txt)"
expect 3 "does not say with which build" "$FORESEE" run three.db -o three_again.db
present=$(sed -n 's/^#define SCHEMA_VERSION \([0-9]*\)$/\1/p' "$SOURCE/schema/schema.h")
expect 2 "appends to schema $present alone" "$FORESEE" run "$PLAN" --until 1 -o three.db

# The hash of the sources does not depend on the folder that they lie in.
hash_of() { sh "$SOURCE/projector/sources.sh" "$1" "$2.h" "$2.d" && sed -n 's/^#define FINGERPRINT_SOURCES//p' "$2.h"; }
mkdir copy
for room in base scene plans schema projector logger; do cp -r "$SOURCE/$room" copy/; done
here=$(hash_of "$SOURCE" here) there=$(hash_of "$WORK/copy" there)
[ -n "$here" ] && [ "$here" = "$there" ] || fail "the folder changes the hash: $here, $there"
grep -q "copy/base/files/data.c" there.d || fail "the header is not made anew when a source changes"
echo "// another" >>copy/projector/world/sim.c
[ "$(hash_of "$WORK/copy" there)" != "$here" ] || fail "another source has the same hash"
