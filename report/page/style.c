// report/page/style.c - how the page looks, light and dark; and a script for convenience alone:
// without it everything can be read.
#include "report/page/html_int.h"

// clang-format off
const char *const HTML_STYLE[] = {
    ":root{--bg:#f7f7f5;--card:#fff;--ink:#1d2024;--dim:#5b636c;--line:#dfe2e6;--code:#f1f2f4;--bad:#b326"
    "1e;--badbg:#fbe9e7;--then:#8a5a00;--ok:#2a6b3c;--okbg:#e6f3e9;--truth:#1f5fbf;--truthbg:#bcd3f2;--be"
    "lief:#7a3aa8;--beliefbg:#e0c8f0;--task:#9fb0c0;--mark:#fff3c4}",
    "@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--bg:#131518;--card:#1b1e22;--ink:#"
    "e7e9ec;--dim:#9aa4ae;--line:#31373f;--code:#23272c;--bad:#ff8a80;--badbg:#43211f;--then:#e8b260;--ok"
    ":#7fcf97;--okbg:#1d3525;--truth:#82b4ff;--truthbg:#24466f;--belief:#d3a4f2;--beliefbg:#4d2f64;--task"
    ":#4f5f6e;--mark:#463a14}}",
    ":root[data-theme=dark]{--bg:#131518;--card:#1b1e22;--ink:#e7e9ec;--dim:#9aa4ae;--line:#31373f;--code"
    ":#23272c;--bad:#ff8a80;--badbg:#43211f;--then:#e8b260;--ok:#7fcf97;--okbg:#1d3525;--truth:#82b4ff;--"
    "truthbg:#24466f;--belief:#d3a4f2;--beliefbg:#4d2f64;--task:#4f5f6e;--mark:#463a14}",
    ":root[data-theme=dark]{color-scheme:dark}",
    ":root[data-theme=light]{color-scheme:light}",
    "*{box-sizing:border-box}",
    "body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,\"Segoe UI\""
    ",Roboto,\"DejaVu Sans\",sans-serif}",
    "header,main,footer{max-width:1180px;margin:0 auto;padding:0 20px}",
    "header{padding-top:28px}",
    ".top{display:flex;justify-content:space-between;align-items:baseline;gap:16px}",
    "h1{font-size:22px;margin:0;overflow-wrap:anywhere}",
    "h2{font-size:18px;margin:36px 0 10px}",
    "h3{font-size:16px;margin:0}",
    "p{margin:4px 0}",
    ".meta,.dim,footer,.src,.limit{color:var(--dim)}",
    ".meta{font-size:14px}",
    ".lead{font-size:20px;line-height:1.35;margin:12px 0 0;max-width:60ch}",
    "footer{font-size:13px;padding-top:28px;padding-bottom:40px}",
    "code,pre{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace}",
    "code{overflow-wrap:anywhere}",
    "a{color:var(--truth)}",
    "button{font:inherit;font-size:13px;color:var(--ink);background:var(--card);border:1px solid var(--li"
    "ne);border-radius:6px;padding:3px 10px;cursor:pointer;white-space:nowrap}",
    ".js{display:none}",
    ".scripted .js{display:revert}",
    ".badge{display:inline-block;padding:1px 9px;border-radius:10px;font-weight:600;background:var(--code"
    ");color:var(--ink)}",
    ".badge.failed,.badge.invalid{background:var(--badbg);color:var(--bad)}",
    ".badge.succeeded{background:var(--okbg);color:var(--ok)}",
    ".flaw{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--then);border-r"
    "adius:8px;padding:12px 16px;margin:10px 0}",
    "article.root{border-left-color:var(--bad)}",
    "article.fixed{border-left-color:var(--ok)}",
    ".flaw:target{outline:2px solid var(--truth)}",
    ".no{color:var(--dim);font-weight:400;margin-right:4px}",
    ".name{font-weight:600;color:var(--then)}",
    ".root .name{color:var(--bad)}",
    ".fixed .name{color:var(--ok)}",
    ".then{margin-left:26px;border-left:1px dashed var(--line);padding-left:14px}",
    ".verdict{border:1px solid var(--line);border-radius:6px;padding:0 7px}",
    ".verdict.verified{color:var(--ok)}",
    ".verdict.refuted{color:var(--bad)}",
    ".evidence{display:flex;flex-wrap:wrap;gap:6px;margin:10px 0}",
    ".ev{background:var(--code);border-radius:6px;max-width:100%}",
    ".ev[open]{flex-basis:100%}",
    ".ev>summary{padding:3px 10px;cursor:pointer;list-style-position:inside}",
    ".ev .k{color:var(--dim)}",
    ".limit.over{color:var(--bad)}",
    ".proof{margin:2px 0 8px;padding:0 12px 0 6px;overflow-x:auto}",
    ".proof,.proof ul{list-style:none}",
    ".proof ul{margin:0;padding-left:18px;border-left:1px solid var(--line)}",
    ".proof summary{cursor:pointer}",
    ".leaf{list-style:none}",
    ".proof .leaf{padding-left:16px}",
    ".src{font-size:12px;white-space:nowrap}",
    ".place,.step{font-size:14px}",
    "pre.plan,pre.edits{background:var(--code);border-radius:6px;margin:6px 0;padding:6px 0;overflow-x:au"
    "to}",
    "pre.edits{padding:8px 12px;white-space:pre-wrap;overflow-wrap:anywhere;user-select:all}",
    ".line{display:block;padding:0 10px;min-width:max-content}",
    ".line i{display:inline-block;width:44px;color:var(--dim);font-style:normal;user-select:none}",
    ".culprit{background:var(--mark);box-shadow:inset 3px 0 var(--bad)}",
    ".try{margin:6px 0;font-size:14px}",
    ".try>summary{cursor:pointer}",
    ".try b{color:var(--ok)}",
    ".pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(240px,1fr));gap:10px;margin:12px"
    " 0}",
    "figure{margin:0}",
    "img{width:100%;max-width:840px;height:auto;border-radius:6px;border:1px solid var(--line);display:bl"
    "ock}",
    "figcaption{font-size:13px;color:var(--dim)}",
    ".tl{--lab:210px;overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:8p"
    "x;padding:6px 0}",
    "#tasks .tl{--lab:360px}",
    ".wide{width:calc(var(--lab) + (100% - var(--lab))*var(--zoom,1));padding-right:14px}",
    ".row{display:grid;grid-template-columns:var(--lab) 1fr;align-items:center;min-height:20px}",
    ".lab{position:sticky;left:0;z-index:1;background:var(--card);font-size:13px;padding:0 8px 0 14px;whi"
    "te-space:nowrap;overflow:hidden;text-overflow:ellipsis;align-self:stretch;display:flex;align-items:c"
    "enter}",
    ".lab.truth{color:var(--truth)}.lab.belief{color:var(--belief)}.lab.bad{color:var(--bad)}",
    ".group{border-top:1px solid var(--line);margin-top:5px;padding-top:3px}",
    ".tr{display:block;width:100%;overflow:visible;font:11px system-ui,\"DejaVu Sans\",sans-serif}",
    ".tr text{fill:var(--ink)}",
    ".axis text{fill:var(--dim)!important}",
    ".tick{stroke:var(--dim)}",
    ".guide{stroke:var(--bad);stroke-dasharray:2 3;opacity:.55}",
    "rect.truth{fill:var(--truthbg)}rect.belief{fill:var(--beliefbg)}",
    "rect.t{fill:var(--task)}",
    "rect.t.failed{stroke:var(--bad);stroke-dasharray:3 2}",
    "rect.t.flawed{fill:var(--bad)}",
    "rect.t.open{fill:none;stroke:var(--task);stroke-dasharray:3 2}",
    "rect.flaw.root{fill:var(--bad)}rect.flaw.follows{fill:var(--then)}rect.flaw.fixed{fill:var(--ok)}",
    ".num{font-weight:600}",
    "g.truth circle{fill:var(--truth)}g.bad circle{fill:var(--bad)}",
    ".curve{fill:none;stroke:var(--belief);stroke-width:1.6;vector-effect:non-scaling-stroke}",
    ".key{display:inline-block;width:12px;height:12px;border-radius:2px;vertical-align:-1px;margin:0 3px "
    "0 10px}",
    ".key.truth{background:var(--truthbg);margin-left:0}.key.belief{background:var(--beliefbg)}.key.bad{b"
    "ackground:var(--bad);width:2px}",
    "#tasks summary{cursor:pointer;list-style:none}",
    "#tasks summary::-webkit-details-marker{display:none}",
    "#tasks summary .in::before{content:\"\\25b8\";display:inline-block;width:14px;color:var(--dim)}",
    "#tasks details[open]>summary .in::before{content:\"\\25be\"}",
    "#tasks .in{padding-left:calc(var(--d)*11px);overflow:hidden;text-overflow:ellipsis}",
    "#tasks .leaf .in::before{content:\"\";display:inline-block;width:14px}",
    "#unknown{background:var(--mark);border-radius:8px;padding:2px 16px 8px;margin-top:20px}",
    "#unknown h2{margin-top:12px}",
    "@media (max-width:720px){.tl{--lab:118px}#tasks .tl{--lab:170px}.then{margin-left:6px;padding-left:8"
    "px}.lead{font-size:18px}header,main,footer{padding-left:12px;padding-right:12px}.flaw{padding:10px 1"
    "1px}}",
    "@media print{.js{display:none!important}.flaw{break-inside:avoid}}",
    NULL};

const char *const HTML_SCRIPT[] = {
    "(function () {",
    "  \"use strict\";",
    "  var root = document.documentElement;",
    "  root.classList.add(\"scripted\");",
    "  document.getElementById(\"theme\").addEventListener(\"click\", function () {",
    "    var dark = root.dataset.theme ? root.dataset.theme === \"dark\"",
    "      : matchMedia(\"(prefers-color-scheme: dark)\").matches;",
    "    root.dataset.theme = dark ? \"light\" : \"dark\";",
    "  });",
    "  var zoom = document.getElementById(\"zoom\");",
    "  if (zoom) zoom.addEventListener(\"input\", function () {",
    "    document.body.style.setProperty(\"--zoom\", zoom.value);",
    "  });",
    "  document.querySelectorAll(\".copy\").forEach(function (button) {",
    "    button.addEventListener(\"click\", function () {",
    "      var edits = button.closest(\"details\").querySelector(\".edits\");",
    "      getSelection().selectAllChildren(edits);",
    "      var done = document.execCommand(\"copy\");",
    "      button.textContent = done ? \"Copied\" : \"Selected\";",
    "    });",
    "  });",
    "})();",
    NULL};
// clang-format on
