#!/bin/sh
# One part of a batch, from a manifest written by hand: its samples are those of the batch, and what is wrong is said.
. "${0%/*}/lib.sh"
here=$(pwd -P)
cat >manifest.yaml <<END
plans:
  - plan: "$here/good.yaml"
  - plan: "$here/bad.yaml"
vary: "$here/luck.yaml"
parts:
  - [[1, 1, 3]]
  - [[2, 2, 1], [3, 2, 1]]
END
batch whole.db good.yaml bad.yaml -n 2 -j 1 --vary luck.yaml
"$FORESEE" batch -q --part 1 manifest.yaml || fail "part 1 cannot be projected"
"$FORESEE" batch -q --part 2 manifest.yaml -j 2 || fail "part 2 cannot be projected"
order=$(sqlite3 part-2.db "select group_concat(seed || plan, ' ') from (select seed, plan from episode order by id);")
[ "$order" = "2bad.yaml 3bad.yaml" ] || fail "part 2 holds $order"
[ "$(sqlite3 part-1.db "select count(*) from episode;")" = 3 ] || fail "part 1 does not hold three samples"
# Without the fourth episode the batch is part 1, row by row.
rows() { sqlite3 -readonly "$1" "select * from \"$table\" where episode <= 3;" | cksum; }
for table in $(sqlite3 part-1.db "select m.name from sqlite_schema m where type = 'table' and exists (select 1 from pragma_table_info(m.name) where name = 'episode');"); do
    [ "$(rows part-1.db)" = "$(rows whole.db)" ] || fail "the table $table of part 1 is not that of the batch"
done
[ "$table" ] || fail "no table was compared"
grep -q "^sample	1	3	2	" part-2.txt || fail "part-2.txt does not tell of its second sample: $(cat part-2.txt)"
"$FORESEE" batch -q --part 2 manifest.yaml || fail "a part cannot be projected again"
left=$(find . -name '.foresee*')
[ -z "$left" ] || fail "left behind: $left"

# ---- What is refused, with no part written.
rm -f part-*
refused() {
    _file=$1 _words=$2
    shift 2
    expect 2 "$_words" "$FORESEE" batch --part "$@" "$_file"
    [ -z "$(ls part-* 2>/dev/null)" ] || fail "$_words: a part was written"
}
refused nowhere.yaml "nowhere.yaml" 1
refused manifest.yaml "no part 3; the manifest has 2" 3
refused manifest.yaml "whole number" 0
refused manifest.yaml "--seed cannot be given, too" 1 --seed 3
refused good.yaml "unknown key 'plan'" 1
sed 's/\[3, 2, 1\]/[3, 3, 1]/' manifest.yaml >wrong.yaml
refused wrong.yaml "wrong.yaml:7:17: error: there is no plan 3" 2
sed 's/\[3, 2, 1\]/[3, 2, 0.5]/' manifest.yaml >wrong.yaml
refused wrong.yaml "a run is [first seed" 2
sed '/^parts/,$d' manifest.yaml >wrong.yaml
refused wrong.yaml "needs 'parts:'" 1
sed 's/good.yaml/missing.yaml/' manifest.yaml >wrong.yaml
refused wrong.yaml "missing.yaml" 1
printf 'program: fnv1a64 0000000000000000\n' | cat - manifest.yaml >wrong.yaml
refused wrong.yaml "wrong.yaml:1:10: error: foresee is another one since the manifest was written" 1
sed 's/^\(  - plan.*good.yaml.*\)/\1\n    files: { good.yaml: "fnv1a64 0000000000000000" }/' manifest.yaml >wrong.yaml
refused wrong.yaml "good.yaml has changed since the manifest was written" 1
refused wrong.yaml "world.yaml is read now, and was not" 1
