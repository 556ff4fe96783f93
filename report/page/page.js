// report/page/page.js - conveniences of the page of a diagnosis; without them everything can be read.
(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("scripted");
  document.getElementById("theme").addEventListener("click", function () {
    var dark = root.dataset.theme ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  var zoom = document.getElementById("zoom");
  if (zoom) zoom.addEventListener("input", function () {
    document.body.style.setProperty("--zoom", zoom.value);
  });
  document.querySelectorAll(".copy").forEach(function (button) {
    button.addEventListener("click", function () {
      var edits = button.closest("details").querySelector(".edits");
      getSelection().selectAllChildren(edits);
      var done = document.execCommand("copy");
      button.textContent = done ? "Copied" : "Selected";
    });
  });
})();
