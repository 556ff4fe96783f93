#!/bin/sh
# Every test and fuzz target is named in the meson.build of its folder: a file nobody builds tests nothing.
cd "$1/tests" || exit 2
{
    find . -name meson.build -exec grep -Ho "'[^']*'" {} + | sed 's|^\(.*\)/meson.build:|named \1 |'
    find . \( -name 'test_*.c' -o -name 'fuzz_*.c' -o -name 'bench_*.c' -o -name '*.sh' \) -not -name lib.sh -printf 'file %h %f\n'
} | awk '
    $1 == "named" { named[$2, substr($3, 2, length($3) - 2)] = 1; next }
    {
        stem = $3
        sub(/\.[a-z]*$/, "", stem)
        bare = stem
        sub(/^(test|fuzz)_/, "", bare)
        if (($2, $3) in named || ($2, stem) in named || ($2, bare) in named) next
        print "tests/" substr($2, 3) "/" $3 " is not registered in the meson.build of its folder"
        bad = 1
    }
    END { exit bad }'
