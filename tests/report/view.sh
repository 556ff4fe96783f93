#!/bin/sh
# The page that plays an episode, in a real browser (skipped where there is no Chromium), used by keyboard alone: the scene is drawn,
# time goes on and is one for scene, lanes and tasks, a link opens at its instant, flaws are shown, and two episodes go in step.
. "$SOURCE/tests/cli/lib.sh"
. "$SOURCE/tests/report/lib.sh"
expect 1 "" "$FORESEE" run -q "$SOURCE/examples/table_setting/wet_grippers.yaml" -o wet.db
expect 0 "" "$FORESEE" view wet.db -o wet.html
expect 0 "the page is wet-1.html" "$FORESEE" view wet.db
expect 0 "" "$FORESEE" view wet.db:1 --beside wet.db -o both.html
expect 2 "it is not overwritten" "$FORESEE" view wet.db -o wet.db
expect 2 "" "$FORESEE" view wet.db --episode 7 -o none.html
[ ! -e none.html ] || fail "a page was written for an episode that is not there"
size=$(wc -c <wet.html)
[ "$size" -le 3145728 ] || fail "the page has $size bytes"

cat >use.js <<'EOF'
function use() {
  var q = function (s) { return document.querySelector(s); };
  var time = function () { return Number(document.body.dataset.time); };
  var press = function (key, on, shift) { (on || document.body).dispatchEvent(new KeyboardEvent("keydown", { key: key, shiftKey: !!shift, bubbles: true, cancelable: true })); };
  var frames = function (then) { requestAnimationFrame(function () { requestAnimationFrame(then); }); };
  // How many colours the scene shows, on a grid of 90 by 60.
  var ink = function (canvas) {
    var copy = document.createElement("canvas"), pen = copy.getContext("2d");
    copy.width = 90; copy.height = 60;
    pen.drawImage(canvas, 0, 0, 90, 60);
    var d = pen.getImageData(0, 0, 90, 60).data, seen = {};
    for (var i = 0; i < d.length; i += 4) seen[d.slice(i, i + 3).join()] = 1;
    return Object.keys(seen).length;
  };
  var steps = [
    function () { say("link", time()); say("clock", q("#clock").textContent); say("marked", q("article.marked").id); say("followed", q("#follow").value); say("drawn", ink(q("canvas")) > 100); },
    function () { press("Home"); },
    function () { say("home", time()); press("ArrowRight"); },
    function () { say("frame", time()); press("ArrowRight", null, true); },
    function () { say("second", time()); press("End"); },
    function () { say("end", Math.abs(time() - Number(q("#at").max)) < 0.01); press("p"); },
    function () { say("flaw_before_the_end", /never_achieved/.test(q("article.marked").textContent)); press("Home"); },
    function () { press("n"); },
    function () { say("first_flaw", q("article.marked").id + "@" + time()); say("address", location.hash); },
    // A row of a proof, when it is unfolded.
    function () { var d = q("article.flaw .leaf[data-t]:not([data-t=''])"); while (d) { if (d.tagName === "DETAILS") d.open = true; d = d.parentElement; } },
    function () {},
    function () { var row = q("article.flaw .leaf .show-me"); row.click(); },
    function () { say("row", Math.abs(time() - Number(q("article.flaw .leaf .show-me").parentElement.dataset.t)) < 0.02); press("Home"); },
    function () { press("n"); },
    // The cursor stands in all lanes at the same share of the time.
    function () {
      var share = Number(q(".cursor").style.getPropertyValue("--now")), max = Number(q("#at").max);
      say("cursor", Math.abs(share - time() / max) < 1e-3 && document.querySelectorAll(".cursor").length === document.querySelectorAll(".tl").length);
    },
    function () { ["b", "f", "l", "t"].forEach(function (k) { press(k); }); },
    function () { say("switches", ["belief", "forces", "labels", "trails"].map(function (n) { return q("#" + n).checked; }).join()); press("g"); press("o"); press("c"); },
    // Tasks by arrows: the first, the one below it, the one after that.
    function () { q("#flame").focus(); press("ArrowDown", q("#flame")); press("ArrowDown", q("#flame")); press("ArrowRight", q("#flame")); },
    function () { say("task", q(".fl.chosen").textContent); q("#search").value = "raise"; q("#search").dispatchEvent(new Event("input")); },
    function () { say("forces", JSON.parse(q("script.episode").textContent).forces.length > 10); say("found", q("#found-tasks").textContent); q("#search").value = ""; q("#failed").click(); },
    function () { say("failed", parseInt(q("#found-tasks").textContent, 10) > 3); q("#failed").click(); press("]"); press(" "); },
    function () { say("plays", q("#play").getAttribute("aria-pressed")); press(" "); },
    function () { say("paused", q("#play").getAttribute("aria-pressed")); },
    function () { say("players", document.querySelectorAll("canvas").length); if (q("#align")) { q("#align").value = "task"; q("#align").dispatchEvent(new Event("change")); } press("Home"); },
    function () { say("overflow", document.documentElement.scrollWidth - document.documentElement.clientWidth);
      say("requests", performance.getEntriesByType("resource").filter(function (r) { return !/^data:/.test(r.name); }).length); }
  ];
  (function go(i) {
    frames(function () {
      if (i === steps.length) { done(); return; }
      steps[i]();
      go(i + 1);
    });
  })(0);
}
EOF
watch wet.html use.js watched.html
look wide 'watched.html#t=18.00&flaw=1' --window-size=1400,1000
for what in 'link=18' 'clock=18.00 s' marked=flaw-1 followed=plate_4 drawn=true home=0 frame=0.04 second=1.04 end=true flaw_before_the_end=true row=true cursor=true \
    'switches=false,true,false,false' 'task=17 see_cups' forces=true 'found=2 of 78' failed=true plays=true paused=false players=1 overflow=0 requests=0; do
    has wide "$what"
done
for what in error refused; do lacks wide $what; done
grep -q '^first_flaw=flaw-1@19\.6' wide.txt || fail "$(cat wide.txt)"
grep -q '^address=#t=19\.6[0-9]*&amp;flaw=1' wide.txt || fail "$(cat wide.txt)"
watch both.html use.js watched.html
look both 'watched.html#t=18.00&flaw=1' --window-size=1400,1000
for what in players=2 drawn=true overflow=0 requests=0; do has both "$what"; done
for what in error refused; do lacks both $what; done
look narrow 'watched.html#t=18.00&flaw=1' --window-size=500,900
has narrow overflow=0
# The wet and the dry side by side. By time both show one instant; by task the second one is where the same step of its own began;
# what it shows then is what it shows at that instant by time.
expect 0 "" "$FORESEE" run -q "$SOURCE/examples/table_setting/default.yaml" -o dry.db
expect 0 "" "$FORESEE" view wet.db --beside dry.db -o both.html
cat >use.js <<'EOF'
function use() {
  var q = function (s) { return document.querySelector(s); }, canvas = document.querySelectorAll("canvas");
  var episodes = Array.from(document.querySelectorAll("script.episode")).map(function (s) { return JSON.parse(s.textContent); });
  var shown = function (i) { return Number(canvas[i].dataset.time); };
  var names = function () { return Array.from(document.querySelectorAll(".player")[1].querySelectorAll(".labels span")).map(function (e) { return e.style.display + e.style.transform; }).join(); };
  var seek = function (t) { q("#at").value = t; q("#at").dispatchEvent(new Event("input")); };
  var by = function (mode) { q("#align").value = mode; q("#align").dispatchEvent(new Event("change")); };
  // Steps that both robots began once each, the second one at least 0.3 s earlier or later.
  var once = function (e, path) { return e.tasks.filter(function (t) { return t.path === path; }); };
  var pairs = episodes[0].tasks.map(function (t) { return [once(episodes[0], t.path), once(episodes[1], t.path)]; })
    .filter(function (p) { return p[0].length === 1 && p[1].length === 1 && Math.abs(p[0][0].from - p[1][0].from) > 0.3; });
  var last = pairs[pairs.length - 1], wrong = 0, kept = "", at = 0;
  say("pairs", pairs.length);
  var steps = [function () { by("time"); seek(5); }, function () { say("by_time", shown(0) + " " + shown(1)); by("task"); }];
  pairs.forEach(function (p) {
    steps.push(function () { seek(p[0][0].from); }, function () { wrong += Math.abs(shown(1) - p[1][0].from) > 0.02; });
  });
  steps.push(function () { say("wrong", wrong); seek(last[0][0].from); },
    function () { kept = names(); at = shown(1); by("time"); seek(at); },
    function () { say("same_scene", names() === kept); say("both", Math.abs(shown(0) - at) < 0.01 && shown(0) === shown(1)); seek(episodes[0].end); },
    function () { kept = names(); by("task"); },
    // Where the plan of the wet one has ended, that of the dry one has, with its robot somewhere else than at the same time.
    function () { say("ends", Math.abs(shown(1) - episodes[1].end) < 0.1); say("other_scene", names() !== kept); });
  (function go(i) {
    requestAnimationFrame(function () { requestAnimationFrame(function () {
      if (i === steps.length) { done(); return; }
      steps[i]();
      go(i + 1);
    }); });
  })(0);
}
EOF
watch both.html use.js watched.html
look step watched.html --window-size=1400,1000
for what in 'by_time=5 5' wrong=0 other_scene=true same_scene=true both=true ends=true; do has step "$what"; done
for what in error refused; do lacks step $what; done
[ "$(sed -n 's/^pairs=//p' step.txt)" -ge 3 ] || fail "too few steps of the wet and the dry are common and apart in time: $(cat step.txt)"
echo "view: the page plays, by keyboard alone"
