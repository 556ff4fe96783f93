#!/bin/sh
# The page in a real browser (skipped where there is no Chromium): it loads from a file without asking the network,
# shows its timeline, unfolds a number to its proof, follows light and dark, and fits a narrow window.
. "$SOURCE/tests/cli/lib.sh"
. "$SOURCE/tests/report/lib.sh"
expect 1 "" "$FORESEE" run -q "$SOURCE/examples/table_setting/wet_grippers.yaml" -o wet.db
expect 1 "" "$FORESEE" diagnose wet.db --format html -o page.html

cat >use.js <<'EOF'
function use() {
  var q = function (s) { return document.querySelector(s); },
      all = function (s) { return document.querySelectorAll(s).length; },
      shown = function (e) { return e.checkVisibility() && e.getBoundingClientRect().height > 0; };
  say("title", document.title);
  say("flaws", all("article.flaw"));
  say("root_first", q("article.flaw").classList.contains("root"));
  say("tasks", all("#tasks .row"));
  say("bars", all("#time rect.truth") > 2 && all("#time rect.belief") > 2);
  var bar = q("#time rect.flaw.root").getBoundingClientRect(), track = q("#time svg").getBoundingClientRect();
  say("flaw_at", Math.round(100 * (bar.left - track.left) / track.width));
  say("pictures", Array.from(document.images).every(function (i) { return i.complete && i.naturalWidth > 100; }) && document.images.length);
  say("curves", all("#time path.curve") > 0 && q("#time path.curve").getBoundingClientRect().width > 20);
  // One click from a number to its proof, down to a row of the log.
  var number = q("article.root .ev"), proof = number.querySelector(".proof");
  say("folded", !shown(proof));
  number.querySelector("summary").click();
  say("unfolded", number.open && shown(proof));
  say("rule", /\.dl:\d+/.test(proof.textContent));
  var all_proofs = Array.from(document.querySelectorAll("article.root .proof")).map(function (p) { return p.textContent; }).join(" ");
  say("rows", /\w+ row \d+/.test(all_proofs));
  // A step of the tree unfolds and folds.
  var step = q("#tasks details:not([open])");
  step.querySelector("summary").click();
  say("step", step.open && shown(step.querySelector(":scope > :not(summary)")));
  // A bar leads to its flaw; the edits parse.
  var link = q("#time a");
  say("link", !!q(link.getAttribute("href")));
  say("edits", Array.isArray(JSON.parse(q("pre.edits").textContent)));
  var paper = function () { return getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)[0] > 128 ? "light" : "dark"; };
  say("paper", paper());
  q("#theme").click();
  say("toggled", paper());
  q("#zoom").value = 8; q("#zoom").dispatchEvent(new Event("input"));
  say("zoomed", q("#time svg").getBoundingClientRect().width > 3 * track.width);
  say("overflow", document.documentElement.scrollWidth - document.documentElement.clientWidth);
  say("requests", performance.getEntriesByType("resource").filter(function (r) { return !/^data:/.test(r.name); }).length);
  done();
}
EOF
watch page.html use.js watched.html

look wide watched.html --window-size=1280,900 --blink-settings=preferredColorScheme=1
for what in flaws=4 root_first=true bars=true pictures=3 curves=true folded=true unfolded=true rule=true rows=true step=true \
    link=true edits=true paper=light toggled=dark zoomed=true overflow=0 requests=0; do
    has wide "$what"
done
for what in error refused; do lacks wide $what; done
at=$(sed -n 's/^flaw_at=//p' wide.txt)
[ "$at" -ge 80 ] && [ "$at" -le 88 ] || fail "the flaw of 19.6 s of 23.3 s stands at $at % of the time"
look dark watched.html --window-size=1280,900 --blink-settings=preferredColorScheme=0
for what in paper=dark toggled=light; do has dark "$what"; done
look narrow watched.html --window-size=500,900
has narrow overflow=0
has narrow unfolded=true

# Without scripts the page can be read: everything stands in it.
for what in 'plate_4 slipped in robot_right_gripper' 'threshold 5 mm' 'class="line culprit"' 'class="proof"' 'class="edits"'; do
    grep -qF -e "$what" page.html || fail "'$what' is not in the page itself"
done
echo "browser: the page is right, wide and narrow, light and dark"
