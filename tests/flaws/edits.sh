#!/bin/sh
# edits.sh OUT
# Has foresee edit make every edit that the diagnoses in OUT suggest, and counts those that it accepts.
. "${0%/*}/lib.sh"
if [ "${1:-}" = --one ]; then
    out=$2 id=$3
    scene=$(echo "$id" | sed 's/.*-\([a-z]*\)-[0-9]*$/\1/') case=${id%-*-*}
    sqlite3 :memory: "select count(*) from json_each(readfile('$out/diagnoses/$id.json'), '\$.flaws') f,
        json_each(f.value, '\$.suggests') s" | {
        read -r count
        at=0
        while [ $at -lt "$count" ]; do
            name=$(sqlite3 :memory: "select json_extract(f.value, '\$.name') || '/' || json_extract(s.value, '\$.rule') from
                json_each(readfile('$out/diagnoses/$id.json'), '\$.flaws') f, json_each(f.value, '\$.suggests') s limit 1 offset $at")
            sqlite3 :memory: "select json_extract(s.value, '\$.edits') from json_each(readfile('$out/diagnoses/$id.json'), '\$.flaws') f,
                json_each(f.value, '\$.suggests') s limit 1 offset $at" >"$out/edits/$id-$at.json"
            status=0
            "$FORESEE" edit "$out/tree/tests/flaws/cases/$case/$scene.yaml" "$out/edits/$id-$at.json" \
                -o "$out/tree/tests/flaws/cases/$case/edited-$id-$at.yaml" >"$out/edits/$id-$at.txt" 2>&1 || status=$?
            if [ "$status" = 0 ]; then echo "accepted $name"; else echo "refused $name $id: $(head -1 "$out/edits/$id-$at.txt")"; fi
            at=$((at + 1))
        done
    } >"$out/edits/$id.list"
    exit 0
fi
options "$@"
need "$FORESEE" FORESEE "the program under test"
rm -rf "$OUT/edits" "$OUT/tree"
mkdir -p "$OUT/edits" "$OUT/tree/tests/flaws"
# New plans lie beside the old ones, so that relative names are kept: in a copy.
cp -r "$HERE/../../examples" "$OUT/tree/"
cp -r "$HERE/cases" "$HERE/worlds" "$OUT/tree/tests/flaws/"
for scene in $SCENES; do
    (cd "$OUT/diagnoses" && ls | sed -n "s/^\(.*-$scene-[0-9]*\)\.json\$/\1/p")
done | xargs -P "$JOBS" -L 1 nice "$0" --one "$OUT"
cat "$OUT"/edits/*.list >"$OUT/edits.txt"
echo "$(grep -c ^accepted "$OUT/edits.txt" || true) of $(wc -l <"$OUT/edits.txt") suggested edits are accepted by foresee edit"
grep ^refused "$OUT/edits.txt" | awk '{ print $2 }' | sort | uniq -c || true
