#!/bin/sh
# A diagnosis reads the episode and nothing else: with the plan's names, comments, parameters and source
# texts blanked and the bodies renamed, flaws, causes, times, evidence and paths are the same, names mapped back.
. "${0%/*}/lib.sh"
for plan in wet_grippers household_instructions hidden_cup odometry_bias; do
    run "$TABLE/$plan.yaml" "$plan.db"
    diagnose "$plan.db"
    cp "$plan.db" blind.db
    # Every body and region gets a name of letters that says nothing; terms are rewritten along, longest first.
    sqlite3 blind.db "select name, 'zz' || substr('abcdefghijklmnopqrstuvwxyz', 1 + id / 26 % 26, 1) ||
        substr('abcdefghijklmnopqrstuvwxyz', 1 + id % 26, 1) from object where kind in ('body', 'region')
        order by length(name) desc;" >names.txt
    {
        echo "begin;"
        echo "update source set text = '', name = 'blank'; delete from parameter; update episode set plan = 'blank', world = 'blank', robot = 'blank';"
        sqlite3 blind.db "select 'update ' || m.name || ' set ' || group_concat(p.name || ' = recode(' || p.name || ')', ', ') || ';'
            from sqlite_master m join pragma_table_info(m.name) p
            where m.type = 'table' and p.type = 'TEXT' and m.name not in ('meta', 'source', 'episode', 'parameter', 'percept')
              and not (p.name in ('kind', 'path', 'dynamic_path', 'construct', 'file', 'type', 'color', 'class', 'material', 'status'))
              and m.name not like 'sqlite_%' group by m.name;"
        echo "commit;"
    } >blind.sql
    # recode(x) becomes nested replace() calls.
    awk -F'|' 'NR == FNR { from[++n] = $1; to[n] = $2; next }
        { while (match($0, /recode\([a-z_0-9]+\)/)) {
              column = substr($0, RSTART + 7, RLENGTH - 8); text = column
              for (i = 1; i <= n; i++) text = "replace(" text ", '\''" from[i] "'\'', '\''" to[i] "'\'')"
              $0 = substr($0, 1, RSTART - 1) text substr($0, RSTART + RLENGTH)
          } print }' names.txt blind.sql >blind_full.sql
    sqlite3 blind.db <blind_full.sql || fail "rewriting $plan's log"
    diagnose blind.db
    # Names mapped back, and the header's names put back.
    script=$(awk -F'|' '{ printf "s/%s/%s/g;", $2, $1 }' names.txt)
    sed "$script" blind.db.json >back.json
    norm() { sqlite3 :memory: "select json_extract(readfile('$1'), '\$.flaws');"; }
    [ "$(norm "$plan.db.json")" = "$(norm back.json)" ] || {
        norm "$plan.db.json" >want.txt; norm back.json >got.txt; diff want.txt got.txt | head -c 3000
        fail "$plan: the diagnosis depends on names or texts"
    }
    [ "$(flaws "$plan.db.json" 1)" -ge 1 ] || fail "$plan: no flaw to compare"
done
