// report/page/page.js - conveniences of the page of a diagnosis; without them everything can be read.
(function () {
  "use strict";
  var root = document.documentElement, body = document.body;
  root.classList.add("scripted");
  document.getElementById("theme").addEventListener("click", function () {
    var dark = root.dataset.theme ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  document.querySelectorAll(".copy").forEach(function (button) {
    button.addEventListener("click", function () {
      var edits = button.closest("details").querySelector(".edits");
      getSelection().selectAllChildren(edits);
      var done = document.execCommand("copy");
      button.textContent = done ? "Copied" : "Selected";
    });
  });

  // All lanes are one: they are zoomed and moved together, and one cursor runs through them.
  var lanes = Array.from(document.querySelectorAll(".tl")), zoom = document.getElementById("zoom"), scale = 1;
  if (lanes.length === 0) return;
  // The track of some lanes on the screen: where it begins, how wide it is, where its visible part begins.
  function track(tl) {
    var box = tl.getBoundingClientRect(), label = tl.querySelector(".lab").getBoundingClientRect().width,
        wide = tl.querySelector(".wide").getBoundingClientRect();
    return { left: wide.left + label, width: wide.width - label - 14, seen: box.left + label };
  }
  function shareAt(tl, x) { var t = track(tl); return Math.min(Math.max((x - t.left) / t.width, 0), 1); }
  // Moves all lanes so that a share of the time stands `ahead` px behind the beginning of what is visible.
  function place(share, ahead) {
    lanes.forEach(function (tl) { if (tl.clientWidth) tl.scrollLeft = share * track(tl).width - ahead; });
  }
  function zoomTo(to, tl, x) {
    var share = shareAt(tl, x), ahead = x - track(tl).seen;
    scale = Math.min(Math.max(to, 1), 200);
    body.style.setProperty("--zoom", scale);
    body.classList.toggle("zoomed", scale > 3);
    if (zoom) zoom.value = Math.min(scale, 20);
    place(share, ahead);
  }
  function middle(tl) { var box = tl.getBoundingClientRect(); return (track(tl).seen + box.right) / 2; }
  if (zoom) zoom.addEventListener("input", function () { var tl = zoom.closest("section").querySelector(".tl"); zoomTo(Number(zoom.value), tl, middle(tl)); });
  function seek(share) {
    document.querySelectorAll(".cursor").forEach(function (c) { c.style.setProperty("--now", share); });
    document.dispatchEvent(new CustomEvent("lanes-seek", { detail: share }));
  }
  lanes.forEach(function (tl) {
    var cursor = document.createElement("div"), brush = document.createElement("div"), drag = null;
    cursor.className = "cursor";
    brush.className = "brush";
    tl.querySelector(".wide").append(cursor, brush);
    tl.addEventListener("wheel", function (e) {
      if (!e.ctrlKey && !e.target.closest(".axis")) return;
      e.preventDefault();
      zoomTo(scale * Math.exp(-e.deltaY / 300), tl, e.clientX);
    }, { passive: false });
    tl.addEventListener("scroll", function () {
      lanes.forEach(function (other) {
        var share = tl.scrollLeft / track(tl).width, to = share * track(other).width;
        if (other !== tl && other.clientWidth && Math.abs(other.scrollLeft - to) > 1) other.scrollLeft = to;
      });
    });
    // A click goes to an instant; a drag moves the lanes, with Shift it brushes what is zoomed to.
    tl.addEventListener("pointerdown", function (e) {
      if (e.button === 0 && e.target.closest(".tr")) drag = { x: e.clientX, scroll: tl.scrollLeft, far: false, brush: e.shiftKey, share: shareAt(tl, e.clientX) };
    });
    tl.addEventListener("pointermove", function (e) {
      if (!drag) return;
      drag.far = drag.far || Math.abs(e.clientX - drag.x) > 4;
      if (!drag.far) return;
      getSelection().removeAllRanges();
      if (!drag.brush) { tl.scrollLeft = drag.scroll - (e.clientX - drag.x); return; }
      var to = shareAt(tl, e.clientX), from = Math.min(to, drag.share);
      brush.style.setProperty("--from", from);
      brush.style.setProperty("--over", Math.abs(to - drag.share));
      brush.style.display = "block";
    });
    addEventListener("pointerup", function (e) {
      if (!drag) return;
      var was = drag, to = shareAt(tl, e.clientX);
      drag = null;
      brush.style.display = "none";
      if (was.brush && was.far) {
        var over = Math.max(Math.abs(to - was.share), 0.005), t = track(tl);
        var seen = tl.getBoundingClientRect().right - t.seen - 14;
        scale = Math.min(Math.max(scale * seen / (t.width * over), 1), 200);
        body.style.setProperty("--zoom", scale);
        body.classList.toggle("zoomed", scale > 3);
        place(Math.min(to, was.share), 0);
      } else if (!was.far) {
        seek(to);
      }
    });
  });
})();
