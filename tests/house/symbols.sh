#!/bin/sh
# No part of the house needs itself by way of others. A part is a folder; it needs another where one of its
# objects leaves a symbol undefined that an object of the other defines. The include table (includes.sh) does
# not see a function that is declared in one part and defined in another; this test does.
# Arguments: the source's root, the build's root, then the static libraries.
set -eu
source=$1
build=$2
shift 2
cd "$source"
for library in "$@"; do
    room=$(dirname "${library#"$build"/}")
    # Meson names an object by the path of its source from the folder of the library, with _ for /.
    find "$room" -name '*.c' | awk -v room="$room" '{ flat = substr($0, length(room) + 2)
        gsub("/", "_", flat); part = $0; sub("/[^/]*$", "", part); print "file", room "/" flat, part }'
    nm -A "$library" | awk -v room="$room" '{ split($0, at, ":"); object = at[2]; sub(".*/", "", object)
        sub("[.]o$", "", object); sub("^[^:]*:[^:]*:[0-9a-f ]*", "")
        if ($1 ~ /^[TDBRCU]$/) print ($1 == "U" ? "needs" : "has"), room "/" object, $2 }'
done | awk '
    $1 == "file" { part[$2] = $3; next }
    { object = $2; where = object in part ? part[object] : object
      if (!(object in part)) sub("/[^/]*$", "", where) } # made by the build
    $1 == "has" { home[$3] = where; file[$3] = object }
    $1 == "needs" { count++; from[count] = where; user[count] = object; symbol[count] = $3 }
    END {
        for (i = 1; i <= count; i++) {
            if (!(symbol[i] in home) || home[symbol[i]] == from[i]) continue
            parts[from[i]]; parts[home[symbol[i]]]
            edges[from[i] SUBSEP home[symbol[i]]]
        }
        # Parts that need none of the others, or that none of the others needs, are in no circle.
        do {
            moved = 0
            for (p in parts) {
                out = into = 0
                for (e in edges) {
                    split(e, end, SUBSEP)
                    if (end[1] == p && end[2] in parts) out = 1
                    if (end[2] == p && end[1] in parts) into = 1
                }
                if (!out || !into) { delete parts[p]; moved = 1; known++ }
            }
        } while (moved)
        for (i = 1; i <= count; i++) {
            if (!(symbol[i] in home) || home[symbol[i]] == from[i]) continue
            if (!(from[i] in parts) || !(home[symbol[i]] in parts)) continue
            if (shown[from[i], home[symbol[i]]]++ < 3) print "in a circle: " user[i] " needs " symbol[i] " of " file[symbol[i]]
            bad = 1
        }
        if (known < 10 && !bad) { print "only " known + 0 " parts were found among the symbols"; bad = 1 }
        if (!bad) print known " parts, no circle among them"
        exit bad
    }'
