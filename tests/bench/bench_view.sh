#!/bin/sh
# The page that plays an episode, in Chromium with software rendering: its size, the time until its first picture, and the
# frames a second while it plays. The bars: for a table setting of about 80 s 3 MB and 1 s, for an hour 15 MB and 3 s; 30 frames a second for both, and
# a console without errors. bench_view.sh LOG... measures the pages of other logs, by the bars of their durations.
set -u
BROWSER=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no browser is installed"; exit 77; }
WORK=$(mktemp -d "${TMPDIR:-/tmp}/foresee-bench.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
bad=0

# watch PAGE: opens a page, and puts what it says of itself into said.txt: the ms of its first picture and the frames a second.
watch() {
    cp "$1" "$WORK/timed.html"
    cat >>"$WORK/timed.html" <<'END'
<script>
requestAnimationFrame(function () { requestAnimationFrame(function () {
  var first = performance.now();
  document.getElementById("play").click();
  setTimeout(function () {
    var began = performance.now(), frames = 0;
    requestAnimationFrame(function count(t) {
      frames++;
      if (performance.now() - began < 5000) { requestAnimationFrame(count); return; }
      console.log("measured " + Math.round(first) + " " + (frames * 1000 / (performance.now() - began)).toFixed(1) + " at " + document.body.dataset.time + " end");
    });
  }, 500);
}); });
</script>
END
    "$BROWSER" --headless=new --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-dev-shm-usage --no-first-run \
        --disable-background-networking --disable-component-update --user-data-dir="$WORK/profile" --window-size=1400,1000 \
        --enable-logging=stderr "file://$WORK/timed.html" >/dev/null 2>"$WORK/browser.txt" &
    browser=$!
    waited=0
    until grep -q 'measured .* end' "$WORK/browser.txt" || [ "$waited" -ge 600 ]; do sleep 0.1; waited=$((waited + 1)); done
    kill "$browser" 2>/dev/null
    wait "$browser" 2>/dev/null
    errors=$(grep CONSOLE "$WORK/browser.txt" | grep -vc 'measured')
    sed -n 's/.*measured \([0-9]*\) \([0-9.]*\) at .*/\1 \2/p' "$WORK/browser.txt" | head -n 1 >"$WORK/said.txt"
}

# measure LOG: makes the page of a log's last episode and sets it beside the bars.
measure() {
    "$FORESEE" view "$1" -o "$WORK/page.html" || exit 1
    seconds=$(grep -o '"outcome": "[a-z]*","end":[0-9.]*' "$WORK/page.html" | head -n 1 | sed 's/.*://')
    size=$(wc -c <"$WORK/page.html")
    watch "$WORK/page.html"
    read -r first frames <"$WORK/said.txt" || { first=0 frames=0; }
    awk -v name="${1##*/}" -v s="${seconds:-0}" -v size="$size" -v first="$first" -v frames="$frames" -v errors="$errors" 'BEGIN {
        long = s > 600; most = (long ? 15 : 3) * 1048576; wait = long ? 3000 : 1000
        if (frames == 0) { print name ": the page said nothing within a minute"; exit 1 }
        printf "%s, %.0f s: %.2f MB, %.2f of the bar; first picture after %d ms, %.2f of the bar; %.1f frames a second, %.2f of the bar; %d errors\n",
            name, s, size / 1048576, size / most, first, first / wait, frames, frames / 30, errors
        exit !(size <= most && first <= wait && frames >= 29.5 && errors == 0) }' || bad=1
}

if [ $# -gt 0 ]; then
    for log in "$@"; do measure "$log"; done
    exit $bad
fi
"$FORESEE" run -q "$SOURCE/examples/table_setting/default.yaml" -o "$WORK/table_setting.db" >/dev/null 2>&1
measure "$WORK/table_setting.db"
"$FORESEE" run -q "$SOURCE/tests/bench/hour.yaml" -o "$WORK/hour.db" >/dev/null 2>&1
measure "$WORK/hour.db"
exit $bad
