#!/bin/sh
# generate.sh OUT [--scene tune|held] [--seeds 1..20] [--cases "A B"] [-j JOBS]
# Projects the episodes into OUT/logs, monitors them, and writes OUT/labels.json. Logs of the same plan, world and draws are kept.
# An episode that gave no log, or that the monitor could not read, is left out, and says so.
. "${0%/*}/lib.sh"
if [ "${1:-}" = --one ]; then
    out=$2 case=$HERE/cases/$3 scene=$4 seed=$5 id=$3-$4-$5
    log=$out/logs/$id.db
    # left_out WHY: its label, where there is nothing to be monitored.
    left_out() {
        clean=false
        grep -q '^clean: true' "$case/case.yaml" && clean=true
        echo "{\"episode\": \"$id\", \"case\": \"${case##*/}\", \"scene\": \"$scene\", \"seed\": $seed, \"clean\": $clean," \
            "\"shown\": false, \"why_not\": \"$1\", \"draws\": {}, \"flaws\": [], \"consequences\": []}" >"$out/labels/$id.json"
        exit 0
    }
    draws=$("$LABEL" draw "$case/case.yaml" "$scene" "$seed") || left_out draw
    key=$({ echo "$draws ${FLAWS_SET:-}"; find "$case" "$HERE/worlds" -name '*.yaml' ! -name case.yaml | sort | xargs cat; } | cksum)
    if [ ! -f "$log" ] || [ "$(cat "$out/keys/$id" 2>/dev/null)" != "$key" ]; then
        rm -f "$log"
        set -f
        old=$IFS
        IFS='
'
        # shellcheck disable=SC2086 # one argument a line
        set -- $draws
        IFS=$old
        status=0
        "$FORESEE" run -q "$case/$scene.yaml" -o "$out/work-$id.db" --seed "$seed" "$@" ${FLAWS_SET:+--set "$FLAWS_SET"} \
            >/dev/null 2>"$out/errors/$id" || status=$?
        [ "$status" -le 1 ] || { echo "$id: foresee run ended with status $status: $(head -3 "$out/errors/$id")" >&2; left_out run; }
        rm -f "$out/errors/$id"
        mv "$out/work-$id.db" "$log"
        echo "$key" >"$out/keys/$id"
    fi
    "$LABEL" label "$case/case.yaml" "$scene" "$seed" "$log" >"$out/labels/$id.json" || left_out monitor
    exit 0
fi
options "$@"
need "$FORESEE" FORESEE "the program under test"
need "$LABEL" LABEL "tests/flaws/flaw_label"
mkdir -p "$OUT/logs" "$OUT/labels" "$OUT/errors" "$OUT/keys"
episodes | xargs -P "$JOBS" -L 1 nice "$0" --one "$OUT"
cd "$OUT/labels"
join_json ./*.json >"$OUT/labels.json"
sqlite3 :memory: "select count(*) || ' episodes, ' || coalesce(sum(json_extract(value, '\$.shown') = 0), 0) || ' left out by the monitor'
    from json_each(readfile('$OUT/labels.json'))"
