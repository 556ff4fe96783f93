# tests/report/lib.sh - for tests that use a page in a real browser (skipped where there is no Chromium).
BROWSER=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || exit 77
export TMPDIR="$WORK" HOME="$WORK"

# watch PAGE USE OUT: a copy of a page that watches itself from its first line on, and then is used by the script USE,
# which says its findings with say(KEY, VALUE) and ends with done(). They are left in the page's own DOM, a line each.
watch() {
    cat >head.txt <<'EOF'
<script>var found=[];function say(k,v){found.push(k+"="+v)}
function done(){var out=document.createElement("pre");out.id="found";out.textContent="\n"+found.join("\n")+"\n";document.body.appendChild(out)}
addEventListener("error",function(e){say("error",e.message||"a resource")},true);
// Frames come by the clock, which the browser moves on as fast as it can.
requestAnimationFrame=function(f){return setTimeout(function(){f(performance.now())},16)};
// What was drawn in three dimensions can be looked at later.
(function(){var was=HTMLCanvasElement.prototype.getContext;HTMLCanvasElement.prototype.getContext=function(k,a){return was.call(this,k,a&&Object.assign(a,{preserveDrawingBuffer:true}))}})();
document.addEventListener("securitypolicyviolation",function(e){say("refused",e.blockedURI)});
["error","warn"].forEach(function(k){var was=console[k];console[k]=function(m){say("error",m);was.apply(console,arguments)}});</script>
EOF
    awk '{ at = index($0, "<head>") }
    at && !done { done = 1; print substr($0, 1, at + 5); while ((getline line < "head.txt") > 0) print line; $0 = substr($0, at + 6) }
    { print }' "$1" >"$3"
    { echo '<script>'; cat "$2"; echo 'addEventListener("load", use);</script>'; } >>"$3"
}

# look NAME PAGE OPTION...: opens a watched page and puts its findings into NAME.txt.
look() {
    _name=$1 _page=$2
    shift 2
    timeout 240 "$BROWSER" --headless=new --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-dev-shm-usage --no-first-run \
        --disable-background-networking --disable-component-update --user-data-dir="$WORK/profile" \
        --enable-logging=stderr "$@" --virtual-time-budget=10000 --dump-dom "file://$WORK/$_page" >dom.txt 2>log.txt ||
        fail "the browser ended: $(tail -n 3 log.txt)"
    sed -n '/<pre id="found">/,/<\/pre>/p' dom.txt | grep = >"$_name.txt"
    [ -s "$_name.txt" ] || fail "$_name: the page was not used: $(grep CONSOLE log.txt | head -n 3)"
    if grep -q 'CONSOLE' log.txt; then fail "$_name: the console says: $(grep CONSOLE log.txt | head -n 3)"; fi
}
has() { grep -qxF -e "$2" "$1.txt" || fail "$1: not '$2' but: $(cat "$1.txt")"; }
lacks() { if grep -q -e "^$2=" "$1.txt"; then fail "$1: $(grep "^$2=" "$1.txt")"; fi; }
