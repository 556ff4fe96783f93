#!/bin/sh
# The page of a diagnosis: how long it takes to be made, its size, and how long a browser needs to open it from a file,
# until it is loaded with its pictures and laid out. The baseline: under 3 MB, open within a second.
set -u
BROWSER=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no browser is installed"; exit 77; }
WORK=$(mktemp -d "${TMPDIR:-/tmp}/foresee-bench.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
worst=0 bad=0
for plan in table_setting/wet_grippers table_setting/household_instructions table_for_four/table_for_four; do
    name=${plan##*/}
    "$FORESEE" run -q "$SOURCE/examples/$plan.yaml" -o log.db >/dev/null 2>&1
    began=$(date +%s%N)
    "$FORESEE" diagnose log.db --format html -o page.html 2>/dev/null
    made=$(( ($(date +%s%N) - began) / 1000000 ))
    size=$(( $(wc -c <page.html) / 1024 ))
    cat page.html >timed.html
    echo '<script>addEventListener("load", function () {
        document.title = "opened " + Math.round(document.body.getBoundingClientRect().height ? performance.now() : 1e6); });</script>' >>timed.html
    for round in 1 2 3; do
        "$BROWSER" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --user-data-dir="$WORK/profile" \
            --dump-dom "file://$WORK/timed.html" 2>/dev/null | sed -n 's/.*<title>opened \([0-9]*\)<\/title>.*/\1/p'
    done | sort -n >opened.txt
    opened=$(sed -n 2p opened.txt)
    echo "$name: made in $made ms, $size KB ($((size * 100 / 3072)) % of 3 MB), open in ${opened:-?} ms (median of 3; limit 1000)"
    [ "$size" -lt 3072 ] && [ -n "$opened" ] && [ "$opened" -lt 1000 ] || bad=1
    rm -f log.db
done
exit $bad
