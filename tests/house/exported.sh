#!/bin/sh
# What libforesee exports is what exported.txt lists and include/foresee.h declares, and it draws in neither the
# simulation nor the prompt. Arguments: the list, the library, the source tree.
set -eu
list=$1 library=$2 source=$3
work=$(mktemp -d "${TMPDIR:-/tmp}/foresee-exported.XXXXXX")
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL
bad=0
# What begins with two underlines is the compiler's: bounds of its sections.
nm -D --defined-only "$library" | awk '$3 !~ /^__/ { print $3 }' | sort >"$work/found"
sort "$list" >"$work/listed"
[ -s "$work/found" ] || { echo "the library exports nothing"; exit 1; }
diff "$work/listed" "$work/found" >"$work/diff" || { echo "names: < listed, > exported"; cat "$work/diff"; bad=1; }
grep '^FORESEE_API' "$source/include/foresee.h" | grep -o 'foresee_[a-z0-9_]*(' | tr -d '(' | sort -u >"$work/declared"
diff "$work/listed" "$work/declared" >"$work/diff" || { echo "names: < listed, > declared"; cat "$work/diff"; bad=1; }
readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >"$work/needed"
for other in libode libreadline libexpat libcairo; do
    ! grep -q "^$other" "$work/needed" || { echo "the library needs $other"; bad=1; }
done
readelf -d "$library" | grep -q 'SONAME.*\[libforesee\.so\.0\]' || { echo "its soname is not libforesee.so.0"; bad=1; }
undefined=$(nm -D --undefined-only "$library" | awk '{ print $2 }' | grep -E '^(exit|_exit|abort|printf|puts|putchar|longjmp|__longjmp_chk)$' | grep -v '^abort$' || true)
[ -z "$undefined" ] || { echo "the library prints or exits: $undefined"; bad=1; }
exit $bad
