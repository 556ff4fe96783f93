#!/bin/sh
# A source file has at most 1,000 lines, a header 300.
cd "$1" || exit 2
find base scene plans schema projector logger query report cli -name '*.[ch]' -exec wc -l {} + |
    awk '$2 != "total" { most = $2 ~ /\.h$/ ? 300 : 1000; if ($1 > most) { print $2 " has " $1 " lines; split it"; bad = 1 } } END { exit bad }'
