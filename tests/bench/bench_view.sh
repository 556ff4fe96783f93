#!/bin/sh
# The page that plays an episode, in Chromium with software rendering: its size, the time from its opening in a browser that runs until its first
# picture, and the frames a second while it plays. What the browser itself takes is measured in the same run: a page with one line of text, and one
# on which three.js turns a cube that is as large as the page's scene. The pages are opened in turn, a new browser for each, ROUNDS times (default 3),
# and of what they say the medians count. The bars: for a table setting of about 80 s 3 MB and 1 s, for an hour 15 MB and 3 s; 30 frames a second for
# both, or nine tenths of those of the cube; a console without errors. bench_view.sh LOG... measures the pages of other logs, by the bars of their
# durations.
set -u
BROWSER=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no browser is installed"; exit 77; }
WORK=$(mktemp -d "${TMPDIR:-/tmp}/foresee-bench.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
bad=0

# timed PAGE: a copy of a page in timed.html that says the ms of its first picture and the frames a second; and opened.html, which goes there once
# the browser is up, its drawing of WebGL too.
timed() {
    cp "$1" "$WORK/timed.html"
    cat >>"$WORK/timed.html" <<'END'
<script>
requestAnimationFrame(function () { requestAnimationFrame(function () {
  var first = performance.now(), play = document.getElementById("play");
  if (play) play.click();
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
    cat >"$WORK/opened.html" <<'END'
<!DOCTYPE html><html><head><link rel="icon" href="data:,"></head><body><canvas></canvas><script>
document.querySelector("canvas").getContext("webgl").clear(16384);
setTimeout(function () { location.href = "timed.html"; }, 4000);
</script></body></html>
END
}

# watch PAGE NAME: opens a page, and appends what it says, the ms of its first picture and the frames a second, to NAME.txt; errors of its
# console are counted in errors.
watch() {
    timed "$1"
    "$BROWSER" --headless=new --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-dev-shm-usage --no-first-run \
        --disable-background-networking --disable-component-update --user-data-dir="$WORK/profile" --window-size=1400,1000 \
        --enable-logging=stderr "file://$WORK/opened.html" >/dev/null 2>"$WORK/browser.txt" &
    browser=$!
    waited=0
    until grep -q 'measured .* end' "$WORK/browser.txt" || [ "$waited" -ge 600 ]; do sleep 0.1; waited=$((waited + 1)); done
    kill "$browser" 2>/dev/null
    wait "$browser" 2>/dev/null
    errors=$((errors + $(grep CONSOLE "$WORK/browser.txt" | grep -vc 'measured')))
    sed -n 's/.*measured \([0-9]*\) \([0-9.]*\) at .*/\1 \2/p' "$WORK/browser.txt" | head -n 1 >>"$WORK/$2.txt"
}

# median NAME COLUMN: 0 where the page said nothing.
median() { sort -g -k "$2" "$WORK/$1.txt" | awk -v c="$2" '{ v[NR] = $c } END { print NR ? v[int((NR + 1) / 2)] : 0 }'; }

# The pages beside which that of an episode stands; three.js is taken from the page itself.
beside() {
    echo '<!DOCTYPE html><html><head><link rel="icon" href="data:,"></head><body><p>A line.</p></body></html>' >"$WORK/line.html"
    {
        echo '<!DOCTYPE html><html><head><link rel="icon" href="data:,"></head><body><canvas></canvas>'
        awk '/^<script>$/ { text = "" } { text = text $0 "\n" } /<\/script>$/ { if (index(text, "THREE={}")) printf "%s", text; text = "" }' "$1"
        cat <<'END'
<script>
var renderer = new THREE.WebGLRenderer({ canvas: document.querySelector("canvas"), antialias: false }), scene = new THREE.Scene();
var camera = new THREE.PerspectiveCamera(40, 2, 0.05, 200), cube = new THREE.Mesh(new THREE.BoxBufferGeometry(1, 1, 1), new THREE.MeshBasicMaterial({ color: 0x804020 }));
renderer.setSize(1100, 550);
camera.position.set(0, 0, 4);
scene.add(cube);
requestAnimationFrame(function turn(t) { cube.rotation.set(t / 1000, t / 700, 0); renderer.render(scene, camera); requestAnimationFrame(turn); });
</script></body></html>
END
    } >"$WORK/cube.html"
}

# measure LOG: makes the page of a log's last episode and sets it beside the others and the bars.
measure() {
    "$FORESEE" view "$1" -o "$WORK/page.html" || exit 1
    seconds=$(grep -o '"outcome": "[a-z]*","end":[0-9.]*' "$WORK/page.html" | head -n 1 | sed 's/.*://')
    size=$(wc -c <"$WORK/page.html")
    beside "$WORK/page.html"
    rm -f "$WORK/line.txt" "$WORK/cube.txt" "$WORK/page.txt"
    errors=0 round=0
    while [ "$round" -lt "${ROUNDS:-3}" ]; do
        for page in line cube page; do watch "$WORK/$page.html" $page; done
        round=$((round + 1))
    done
    awk -v name="${1##*/}" -v s="${seconds:-0}" -v size="$size" -v errors="$errors" -v line="$(median line 1)" -v cube="$(median cube 1)" -v first="$(median page 1)" \
        -v lines="$(median line 2)" -v cubes="$(median cube 2)" -v frames="$(median page 2)" 'BEGIN {
        long = s > 600; most = (long ? 15 : 3) * 1048576; wait = long ? 3000 : 1000
        if (frames == 0 || cubes == 0 || lines == 0) { print name ": a page said nothing within a minute"; exit 1 }
        printf "%s, %.0f s: %.2f MB, %.2f of the bar\n", name, s, size / 1048576, size / most
        printf "  first picture: a line of text %d ms, a cube %d ms, the page %d ms, %.2f times the cube, %.2f of the bar\n",
            line, cube, first, first / cube, first / wait
        printf "  frames a second: a line of text %.1f, a cube %.1f, the page %.1f, %.2f of the cube, %.2f of the bar; %d errors\n",
            lines, cubes, frames, frames / cubes, frames / 30, errors
        exit !(size <= most && first <= wait && (frames >= 29.5 || frames >= 0.9 * cubes) && errors == 0) }' || bad=1
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
