#!/bin/sh
# Every test and fuzz target is named in the meson.build of its folder: a file nobody builds tests nothing.
cd "$1/tests" || exit 2
bad=0
for file in $(find . \( -name 'test_*.c' -o -name 'fuzz_*.c' -o -name 'bench_*.c' -o -name '*.sh' \) -not -name 'lib.sh'); do
    dir=$(dirname "$file"); name=$(basename "$file"); stem=${name%.*}
    for word in "$name" "$stem" "${stem#test_}" "${stem#fuzz_}"; do
        grep -qF "'$word'" "$dir/meson.build" 2>/dev/null && continue 2
    done
    echo "tests/${file#./} is not registered in its folder's meson.build"
    bad=1
done
exit $bad
