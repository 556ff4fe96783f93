#!/bin/sh
# Rules that stop a batch, and on which parameter success hangs: through the program, on plans whose outcome is drawn.
. "${0%/*}/lib.sh"

# ---- Pairs and the rules that stop.
batch sure.db bad.yaml good.yaml --until-sure 0.05 --vary luck.yaml
[ "$(json sure.db.json "json_extract(j, '\$.decision.status') || json_extract(j, '\$.decision.best')")" = suregood.yaml ] ||
    fail "no plan is found to be better: $(cat sure.db.json)"
[ "$(json sure.db.json "json_extract(j, '\$.pairs[0].verdict') || json_extract(j, '\$.pairs[0].only_a')")" = better0 ] ||
    fail "the pair is judged otherwise"
[ "$(json sure.db.json "json_extract(j, '\$.pairs[0].only_b') = json_array_length(j, '\$.pairs[0].witness_seeds.only_b')")" = 1 ] ||
    fail "witnesses are missing"
[ "$(json sure.db.json "json_extract(j, '\$.decision.saved') = 400 - json_array_length(j, '\$.samples')")" = 1 ] ||
    fail "what was saved is counted otherwise"
batch sure2.db bad.yaml good.yaml --until-sure 0.05 --vary luck.yaml -j 1
[ "$(dump sure.db)" = "$(dump sure2.db)" ] || fail "the number of workers changes when a batch stops"
a_plan worse.yaml 0.05 1
batch race.db bad.yaml good.yaml worse.yaml --race --vary luck.yaml -n 25
batch race2.db bad.yaml good.yaml worse.yaml --race --vary luck.yaml -n 25 -j 1
[ "$(dump race.db)" = "$(dump race2.db)" ] || fail "the number of workers changes a race"
[ "$(json race.db.json "json_extract(j, '\$.decision.best') || json_array_length(j, '\$.decision.eliminated')")" = good.yaml2 ] ||
    fail "the race has another winner: $(cat race.db.json)"
batch race.db bad.yaml good.yaml worse.yaml --race --vary luck.yaml -n 25 --resume
[ "$(dump race.db)" = "$(dump race2.db)" ] || fail "a race that is over goes on when it is resumed"
batch half.db bad.yaml good.yaml worse.yaml --budget 24 --vary luck.yaml
[ "$(json half.db.json "json_extract(j, '\$.decision.best') || json_array_length(j, '\$.samples')")" = good.yaml24 ] ||
    fail "the budget is spent otherwise: $(cat half.db.json)"
expect 0 "is accepted after" "$FORESEE" batch good.yaml --accept 0.9 --reject 0.4 --vary luck.yaml -o accept.db
expect 1 "is rejected after" "$FORESEE" batch bad.yaml --accept 0.9 --reject 0.6 --vary luck.yaml -o reject.db
expect 3 "neither accepted nor rejected" "$FORESEE" batch good.yaml --accept 0.9 --reject 0.89 -n 3 --vary luck.yaml -o open.db

# ---- On which parameter success hangs.
batch hangs.db bad.yaml -n 20 --vary luck.yaml --sensitivity
[ "$(json hangs.db.json "json_extract(j, '\$.sensitivity[0].parameter') || (json_extract(j, '\$.sensitivity[0].high') < -0.5)")" = plan.luck1 ] ||
    fail "success does not hang on luck: $(cat hangs.db.json)"
[ "$(json hangs.db.json "json_extract(j, '\$.sensitivity[1].low') < 0 and json_extract(j, '\$.sensitivity[1].high') > 0")" = 1 ] ||
    fail "success hangs on what does nothing"
expect 1 "Spearman's rank correlation" "$FORESEE" batch bad.yaml -n 4 --vary luck.yaml --sensitivity -o text.db

# ---- The JSON is what its schema says, and the schema refuses what is not.
if python3 -c 'import jsonschema' 2>/dev/null; then
    for file in sure race half hangs; do
        python3 - "$SOURCE/docs/batch.schema.json" $file.db.json <<'EOF' || fail "$file.db.json does not fit docs/batch.schema.json"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
document = json.load(open(sys.argv[2]))
wrong = list(validator.iter_errors(document))
for e in wrong: print(e.json_path, e.message)
broken = json.loads(json.dumps(document)); del broken["pairs"][0:1]; broken["decision"]["status"] = "certain"
sys.exit(bool(wrong) or validator.is_valid(broken))
EOF
    done
else
    echo "python3-jsonschema is not installed: the schema was not checked"
fi

# ---- The page: self-contained, with links to pages that are there, for whoever did not run the batch.
expect 1 "" "$FORESEE" batch -q bad.yaml good.yaml -n 12 --vary luck.yaml -o page.db --pages out --format html
cmp -s out.txt out/index.html && fail "the page that is printed links to pages"
grep -q "good.yaml instead of bad.yaml" out/index.html || fail "the page has no pair"
python3 - out/index.html out.txt <<'EOF' || fail "the page is not in order"
import html.parser, os, sys
class page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(); self.open = []; self.links = []; self.wrong = []
    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "link", "br"): self.open.append(tag)
        for name, value in attrs:
            if name == "href" and not value.startswith("data:"): self.links.append(value)
            if name == "src": self.wrong.append(value)
    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag: self.wrong.append("</" + tag + ">")
linked = page(); linked.feed(open(sys.argv[1]).read())
plain = page(); plain.feed(open(sys.argv[2]).read())
gone = [l for l in linked.links if not os.path.exists(os.path.join("out", l))]
for what in (linked.open, linked.wrong, plain.open, plain.wrong, gone, plain.links): print(what)
sys.exit(bool(linked.open or linked.wrong or plain.open or plain.wrong or gone or plain.links or not linked.links))
EOF
