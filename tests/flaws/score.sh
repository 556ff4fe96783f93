#!/bin/sh
# score.sh OUT [--scene tune|held] [--list]
# Reads OUT/labels.json and OUT/predictions.json and nothing else. --list: every label that was not found and every
# false alarm.
. "${0%/*}/lib.sh"
options "$@"
scenes=$(echo "$SCENES" | sed "s/[^ ]*/'&'/g; s/ /, /g")
{
    printf ".parameter init\n.parameter set :labels \"'%s'\"\n.parameter set :predictions \"'%s'\"\n" "$OUT/labels.json" \
        "$OUT/predictions.json"
    sed "s/SCENES/$scenes/" "$HERE/score.sql"
    [ -z "$LIST" ] || cat "$HERE/score_list.sql"
} | sqlite3 -batch :memory:
