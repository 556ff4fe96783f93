# report/page/embed.awk - page.html, page.css and page.js as C strings, for page.def:
#   PART(NAME, "text")   of each <template id="name"> of page.html, its lines joined; \n begins a new line, { } is a blank
#   STYLE("line")        of page.css, where an indented line goes on with the line before it
#   SCRIPT("line")       of page.js
#   VIEW_STYLE, VIEW_SCRIPT   the same of view.css and view.js
# Lines that are comments are left out. Who includes page.def defines those that are wanted.

function quoted(text) { gsub(/\\/, "&&", text); gsub(/"/, "\\\\&", text); return "\"" text "\"" }
function end_rule() { if (rule != "") print of "STYLE(" quoted(rule) ")"; rule = "" }

BEGIN {
    count = split("PART(name, text)|STYLE(line)|SCRIPT(line)|VIEW_STYLE(line)|VIEW_SCRIPT(line)", macro, "|")
    for (i = 1; i <= count; i++) { split(macro[i], field, "("); print "#ifndef " field[1] "\n#define " macro[i] "\n#endif" }
}
FNR == 1 { end_rule(); of = FILENAME ~ /view\.[a-z]+$/ ? "VIEW_" : ""; print "// Made of " FILENAME " by embed.awk." }

FILENAME ~ /\.html$/ && /^<template id="[a-z_]+">$/ { split($0, field, "\""); name = field[2]; part = ""; next }
FILENAME ~ /\.html$/ && /^<\/template>$/ { gsub(/"/, "\\\\&", part); gsub(/\{ \}/, " ", part); print "PART(" toupper(name) ", \"" part "\")"; name = ""; next }
FILENAME ~ /\.html$/ { sub(/^ +/, ""); if (name != "" && !/^<!--.*-->$/) part = part $0 }

FILENAME ~ /\.css$/ && /^ / { sub(/^ +/, ""); rule = rule $0; next }
FILENAME ~ /\.css$/ { end_rule(); if (!/^\/\*/) rule = $0 }

FILENAME ~ /\.js$/ && !/^ *\/\// { print of "SCRIPT(" quoted($0) ")" }

END { end_rule(); print "#undef PART\n#undef STYLE\n#undef SCRIPT\n#undef VIEW_STYLE\n#undef VIEW_SCRIPT" }
