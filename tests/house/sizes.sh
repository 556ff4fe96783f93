#!/bin/sh
# A source file has at most 1,000 lines, a header 300.
cd "$1" || exit 2
bad=0
for file in $(find base scene plans schema projector logger query report cli -name '*.[ch]'); do
    lines=$(wc -l <"$file"); most=1000
    case "$file" in *.h) most=300 ;; esac
    [ "$lines" -le "$most" ] || { echo "$file has $lines lines; split it"; bad=1; }
done
exit $bad
