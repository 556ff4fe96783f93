#!/bin/sh
# Installs what is missing, builds and runs every test: formatting, layers, gcc and clang with warnings as
# errors, the address and undefined-behaviour sanitizers, each fuzzer over its saved inputs, the episodes.
# The long suite and the benchmarks have targets of their own: see CONTRIBUTING.md.
set -eu
cd "$(dirname "$0")/.."
scripts/install.sh tests

echo "== formatting"
find include base scene plans schema projector logger query report cli tests examples -name '*.[ch]' -print0 |
    xargs -0 clang-format-14 --dry-run -Werror

configure() { # folder, options...
    dir=$1; shift
    if [ -d "$dir/meson-info" ]; then meson configure "$dir" "$@" >/dev/null; else meson setup "$dir" "$@" >/dev/null; fi
}

# Hundreds of programs are linked, which takes lld half the time of the default linker.
export CC_LD=lld
echo "== gcc"
CC=gcc configure build -Dwerror=true
ninja -C build >build.log 2>&1 || { cat build.log; exit 1; }
failed=0
# meson would have memory filled at each allocation: programs take two to ten times as long then. The sanitizers' own
# allocator fills it below.
export MALLOC_PERTURB_=0
meson test -C build --no-rebuild --suite quick --print-errorlogs || failed=1
meson test -C build --no-rebuild --logbase episodes \
    --no-suite quick --no-suite long --no-suite bench --print-errorlogs || failed=1

echo "== clang, address and undefined-behaviour sanitizers, libFuzzer"
# The fuzzers only replay here, which needs no instrumentation of all code; lines are all that a report names, and the first
# one ends its program.
CC=clang-14 configure build-sanitize -Dwerror=true -Db_sanitize=address,undefined -Db_lundef=false -Dfuzzers=true -Dguided=false \
    -Dc_args="-gline-tables-only -fno-sanitize-recover=all"
ninja -C build-sanitize >build.log 2>&1 || { cat build.log; exit 1; }
rm -f build.log
# Drawn programs, plans and sessions take ten to twenty times as long here, and fewer of them suffice.
FORESEE_PROGRAMS=60 FORESEE_PLANS=50 SEEDS='1 2 3' \
    ASAN_OPTIONS=malloc_context_size=8 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0 \
    meson test -C build-sanitize --no-rebuild --suite quick --no-suite house --timeout-multiplier 5 --print-errorlogs || failed=1

# The closing line: what the runs came to.
count() { cat build/meson-logs/testlog.json build/meson-logs/episodes.json build-sanitize/meson-logs/testlog.json | grep -c "\"result\": \"$1\"" || true; }
echo "$(count OK) passed, $(($(count FAIL) + $(count TIMEOUT) + $(count ERROR))) failed, $(count SKIP) skipped"
exit $failed
