#!/bin/sh
# Batches through the program: order, names, resuming, parameters that vary, and what is refused.
. "${0%/*}/lib.sh"

# ---- Seed by seed, whatever the number of workers.
batch one.db good.yaml bad.yaml -n 4 -j 1 --vary luck.yaml
batch two.db good.yaml bad.yaml -n 4 -j 2 --vary luck.yaml
[ "$(dump one.db)" = "$(dump two.db)" ] || fail "the number of workers changes the log"
cmp -s one.db.json two.db.json || fail "the number of workers changes the report"
order=$(sqlite3 one.db "select group_concat(seed || plan, ' ') from (select seed, plan from episode order by id limit 4);")
[ "$order" = "1good.yaml 1bad.yaml 2good.yaml 2bad.yaml" ] || fail "the order is $order"

# What is drawn hangs on the seed alone, and is a parameter in the log.
same=$(sqlite3 one.db "select count(distinct value) = 4 and count(*) = 8 from parameter where scope = 'plan' and name = 'luck';")
[ "$same" = 1 ] || fail "the candidates are not given the same draws"
wrong=$(sqlite3 one.db "select count(*) from episode e join parameter p on p.episode = e.id and p.name = 'luck'
    where (e.outcome = 'succeeded') != (p.value + 0 < case e.plan when 'good.yaml' then 0.9 else 0.3 end);")
[ "$wrong" = 0 ] || fail "$wrong outcomes do not follow from the parameter that was drawn"

# ---- Resuming: nothing is projected twice, more seeds are added, and without it the log says so.
before=$(dump two.db)
batch two.db good.yaml bad.yaml -n 4 --vary luck.yaml --resume
[ "$(dump two.db)" = "$before" ] || fail "a batch that is complete is changed by --resume"
cmp -s one.db.json two.db.json || fail "the report of a resumed batch is another"
batch one.db good.yaml bad.yaml -n 5 --vary luck.yaml --resume
batch five.db good.yaml bad.yaml -n 5 --vary luck.yaml
[ "$(dump one.db)" = "$(dump five.db)" ] || fail "with more seeds a resumed batch is another"
"$FORESEE" batch good.yaml bad.yaml -n 4 --vary luck.yaml -o two.db >/dev/null 2>err.txt || true
grep -q "holds 8 of these samples already; with --resume" err.txt || fail "repeating is not noted: $(cat err.txt)"

# Resumed with something else: the error names what differs, and nothing is written.
cp good.yaml kept.yaml
before=$(dump one.db)
echo "# another day" >>good.yaml
expect 2 "good.yaml has changed since" "$FORESEE" batch good.yaml bad.yaml -n 5 --vary luck.yaml -o one.db --resume
cp kept.yaml good.yaml
sed 's/beige/green/' world.yaml >other.yaml
expect 2 "world.yaml was read then, and is not now" "$FORESEE" batch good.yaml bad.yaml -n 5 --vary luck.yaml --world other.yaml -o one.db --resume
sed 's/\[0, 1\]/[0, 0.5]/' luck.yaml >less.yaml
expect 2 "plan.luck was " "$FORESEE" batch good.yaml bad.yaml -n 5 --vary less.yaml -o one.db --resume
[ "$(dump one.db)" = "$before" ] || fail "a refused resume changed the log"

# Older logs told their tolerance as a factor of 0.1 mm, not in millimetres: it is understood as one.
cp two.db older.db
sqlite3 older.db "update parameter set name = 'tolerance', value = '1' where scope = 'log';"
before=$(dump older.db)
batch older.db good.yaml bad.yaml -n 4 --vary luck.yaml --resume
[ "$(dump older.db)" = "$before" ] || fail "the tolerance of an older log is not understood"
sqlite3 older.db "update parameter set value = '0.1' where scope = 'log';"
expect 2 "log.tolerance_mm was 0.01 then, and is 0.1 now" "$FORESEE" batch good.yaml bad.yaml -n 4 --vary luck.yaml -o older.db --resume

# At another fidelity: said as in run, and what was run at one is not resumed at another.
printf 'fidelity: { bodies: { near: 0.1 } }\n' >levels.yaml
batch levels.db good.yaml -n 1 --fidelity levels.yaml
[ "$(sqlite3 levels.db "select count(*) > 0 from switch_view where rule = 'left'")" = 1 ] || fail "a batch is not managed by the file that it is given"
before=$(dump levels.db)
batch levels.db good.yaml -n 1 --fidelity levels.yaml --resume
[ "$(dump levels.db)" = "$before" ] || fail "a managed batch is projected twice"
expect 2 "levels.yaml was read then, and is not now" "$FORESEE" batch good.yaml -n 1 --fidelity full -o levels.db --resume
batch fully.db good.yaml -n 1 --fidelity full
expect 2 "fidelity.from was full then, and is the world's own section now" "$FORESEE" batch good.yaml -n 1 -o fully.db --resume
batch own.db good.yaml -n 1
expect 2 "it was run with the world's own fidelity" "$FORESEE" batch good.yaml -n 1 --fidelity full -o own.db --resume

# ---- Two plans of one name are told apart, and a re-run of an episode has its plan's name.
mkdir -p a b
cp good.yaml a/default.yaml
cp bad.yaml b/default.yaml
cp world.yaml a
cp world.yaml b
batch names.db a/default.yaml b/default.yaml -n 1
names=$(sqlite3 names.db "select group_concat(plan) from episode_view;")
[ "$names" = "a/default.yaml,b/default.yaml" ] || fail "the plans are called $names"
batch names.db a/default.yaml b/default.yaml -n 1 --resume
[ "$(sqlite3 names.db "select count(*) from episode;")" = 2 ] || fail "plans of one name are not found again"
batch single.db a/default.yaml -n 1
"$FORESEE" run -q single.db -o again.db || fail "a sample cannot be run again"
[ "$(dump single.db)" = "$(dump again.db)" ] || fail "a sample that is run again is another"
expect 2 "given twice" "$FORESEE" batch good.yaml ./good.yaml -n 1 -o no.db

# ---- The grid goes through all combinations; a normal draw stays within bounds.
printf 'vary:\n  plan.luck: { grid: [0.1, 0.2] }\n  plan.weight: { grid: [1, 2, 3] }\n' >grid.yaml
batch grid.db good.yaml -n 6 --vary grid.yaml
[ "$(sqlite3 grid.db "select count(distinct a.value || ' ' || b.value) from parameter a join parameter b on b.episode = a.episode
    where a.name = 'luck' and b.name = 'weight';")" = 6 ] || fail "a grid leaves combinations out"
printf 'vary:\n  plan.luck: { normal: [0.9, 2] }\n' >normal.yaml
batch normal.db good.yaml -n 3 --vary normal.yaml

# ---- A sample without an answer is counted, and more than one in a hundred is no answer.
expect 3 "incomplete 3" "$FORESEE" batch good.yaml -n 3 --until 0.5 -o cut.db
batch_of_cut=$(dump cut.db)
expect 3 "incomplete 3" "$FORESEE" batch good.yaml -n 3 --until 0.5 -o cut.db --resume
[ "$(dump cut.db)" = "$batch_of_cut" ] || fail "samples that were cut are projected again"

# ---- What is refused, with nothing written.
refused() { _words=$1; shift; expect 2 "$_words" "$FORESEE" batch "$@" -o refused.db; [ ! -e refused.db ] || fail "$*: a log was written"; }
refused "must be greater than --reject" good.yaml --accept 0.8 --reject 0.8
refused "must be greater than --reject" good.yaml --accept 0.5 --reject 0.8
refused "need each other" good.yaml --accept 0.8
refused "tests one plan" good.yaml bad.yaml --accept 0.9 --reject 0.8
refused "number between 0 and 1" good.yaml --accept 1.5 --reject 0.8
refused "--race compares plans" good.yaml --race
refused "--until-sure compares plans" good.yaml --until-sure 0.05
refused "number between 0 and 0.5" good.yaml bad.yaml --until-sure 2
refused "is too little" good.yaml bad.yaml --budget 1
refused "--budget says" good.yaml bad.yaml --budget 50 -n 3
refused "needs parameters that vary" good.yaml --sensitivity
printf 'vary:\n  plan.lukc: { uniform: [0, 1] }\n' >wrong.yaml
refused "wrong.yaml:2:3: error: good.yaml: no parameter 'plan.lukc'; did you mean 'plan.luck'" good.yaml --vary wrong.yaml
printf 'vary:\n  plan.luck: { uniform: [0, 2] }\n' >wrong.yaml
refused "plan.luck must be" good.yaml --vary wrong.yaml -n 50
printf 'vary:\n  plan.luck: { unifrom: [0, 2] }\n' >wrong.yaml
refused "did you mean 'uniform'" good.yaml --vary wrong.yaml
printf 'vary:\n  plan.luck: { uniform: [1, 0] }\n' >wrong.yaml
refused "less than the upper" good.yaml --vary wrong.yaml
refused "varies, and is set by --set" good.yaml --vary luck.yaml --set plan.luck=0.5
refused "nowhere.yaml" good.yaml --vary nowhere.yaml
