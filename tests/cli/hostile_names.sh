#!/bin/sh
# Names from a log, a plan or the command line: they steer no terminal, are no commands in the lines
# that a person may paste, and leave JSON what it is.
. "${0%/*}/lib.sh"
cp -r "$SOURCE/examples" .
expect 1 "" "$FORESEE" run -q examples/table_setting/wet_grippers.yaml -o wet.db

# shown LABEL FILE...: nothing in the files steers a terminal, and all of it is UTF-8.
shown() {
    _label=$1
    shift
    python3 - "$@" <<'END' || fail "$_label would steer the terminal"
import sys, unicodedata
for name in sys.argv[1:]:
    for c in open(name, 'rb').read().decode('utf-8'):
        if unicodedata.category(c) == 'Cc' and c not in '\n\t':
            sys.exit(f'{name}: {c!r}')
END
}
json() { python3 -c 'import json, sys; json.loads(open(sys.argv[1], "rb").read().decode("utf-8"))' "$1" || fail "$1 is no JSON: $(head -c 300 "$1")"; }

# ---- The command lines of a diagnosis can be pasted in the current folder
"$FORESEE" diagnose wet.db >out.txt
grep -qxE '  foresee edit --from wet\.db:1:[0-9]+\.1 -o examples/table_setting/mended\.yaml' out.txt ||
    fail "the recipe names no plan that is there: $(tail -n 4 out.txt)"
foresee() { "$FORESEE" "$@"; }
eval "$(grep '^  foresee edit ' out.txt)" >edited.txt || fail "the recipe fails"
expect 0 "" "$FORESEE" check examples/table_setting/mended.yaml
(cd examples/table_setting && "$FORESEE" diagnose ../../wet.db) >out.txt
grep -qxE '  foresee edit --from \.\./\.\./wet\.db:1:[0-9]+\.1 -o mended\.yaml' out.txt || fail "beside the plan: $(tail -n 4 out.txt)"
mkdir elsewhere
(cd elsewhere && "$FORESEE" diagnose ../wet.db) >out.txt
grep -qF 'PLAN.yaml stands for the path of wet_grippers.yaml, which is not below this folder' out.txt ||
    fail "it is not said that the plan is not there: $(tail -n 4 out.txt)"
grep -qE '^  foresee edit PLAN\.yaml --from \.\./wet\.db:1:' out.txt || fail "the plan is not asked for: $(tail -n 4 out.txt)"
echo '# changed' | cat examples/table_setting/wet_grippers.yaml - >elsewhere/wet_grippers.yaml
(cd elsewhere && "$FORESEE" diagnose ../wet.db) >out.txt
grep -qF 'has changed since the episode' out.txt || fail "it is not said that the plan has changed: $(tail -n 4 out.txt)"

# ---- Names in these lines are single words, whatever they hold
first=$("$FORESEE" diagnose wet.db | sed -n 's/^  foresee edit --from wet.db:1:\([0-9.]*\) .*/\1/p')
words() { for _w; do printf '<%s>\n' "$_w"; done; }
mkdir -- "-d 'q'"
for name in 'a b.db' "it's.db" '$(touch x).db' '`touch x`.db' 'a;touch x.db' '-o.db' '~.db' '"*".db' "-d 'q'/\$HOME.db"; do
    cp wet.db "./$name"
    for to in . "$name.html"; do
        case $to in
        .) "$FORESEE" diagnose "./$name" >out.txt || [ $? -eq 1 ] || fail "$name is not diagnosed" ;;
        esac
    done
    line=$(sed -n 's/^  foresee edit --from \(.*\) -o .*mended.yaml$/\1/p' out.txt)
    [ -n "$line" ] || fail "$name: no recipe"
    eval "words $line" >words.txt
    printf '<%s>\n' "./$name:1:$first" | cmp -s - words.txt ||
        fail "$name is pasted as $(cat words.txt)"
    [ ! -e x ] || fail "$name was run"
    rm -- "./$name"
done

# ---- Names in the log steer no terminal
cp wet.db bad.db
sqlite3 bad.db "
UPDATE object SET name = char(27) || '[2J' || char(7) || '\"q''' || name WHERE name LIKE 'plate%';
UPDATE object SET name = CAST(x'eda080ff9b41' AS TEXT) || name WHERE name LIKE 'cup%';
UPDATE object SET name = char(155) || '31m' || name WHERE name LIKE 'fork%';
UPDATE task SET expr = expr || char(27) || ']0;x' || char(7) || CAST(x'ff' AS TEXT);
UPDATE task SET goal = NULL WHERE goal NOT NULL AND id % 2 = 0;
UPDATE episode SET plan = '\$(touch x)' || char(27) || '[31m' || char(10) || 'p.yaml';
UPDATE source SET name = (SELECT plan FROM episode) WHERE kind = 'plan';"
for command in 'diagnose bad.db' 'tree bad.db' 'query bad.db object(X,K,T)' 'query bad.db object(X,body,_). --why' \
    'query bad.db object(X,K,T) --format lines' 'query bad.db nosuch(X)' 'query bad.db task_expr(T,E)' \
    'query bad.db object(nosuch,body,_)' 'query bad.db flaw(F) --why' 'query bad.db episode(A,B,C,D,E)' 'derive bad.db'; do
    # shellcheck disable=SC2086
    "$FORESEE" $command >out.txt 2>err.txt </dev/null
    [ $? -le 2 ] || fail "'$command' ended with $?: $(head -c 300 err.txt)"
    shown "$command" out.txt err.txt
done
[ ! -e x ] || fail "a name in the log was run"
for command in 'diagnose bad.db' 'tree bad.db' 'query bad.db object(X,K,T)' 'query bad.db object(X,body,_). --why' \
    'query bad.db flaw(F) --why' 'query bad.db task_expr(T,E)' "query bad.db not(object('\"',body,_)) --why"; do
    # shellcheck disable=SC2086
    "$FORESEE" $command --format json >out.json 2>err.txt
    json out.json
    shown "$command --format json" out.json err.txt
done
printf 'object(X, K, T).\nwhy object(X, body, _).\nnosuch(\033[2J).\n.predicates \033[2J\n.episodes\n.schema \007\n' |
    "$FORESEE" query bad.db >out.txt 2>err.txt
shown 'the prompt' out.txt err.txt
"$FORESEE" diagnose bad.db --format html >page.html
shown 'the page' page.html

# Output for machines keeps every byte: csv and plain in a pipe; at a terminal bytes that steer it are shown.
"$FORESEE" query bad.db 'object(X,body,_).' --format plain >out.txt
LC_ALL=C grep -qF "$(printf '\355\240\200\377\233A')" out.txt || fail "plain has lost bytes"
for form in csv plain lines table; do
    python3 - "$FORESEE" "$form" >out.txt <<'END' || fail "$form at a terminal"
import os, pty, sys
pty.spawn([sys.argv[1], 'query', 'bad.db', 'object(X,body,_).', '--format', sys.argv[2]])
END
    tr -d '\r' <out.txt >seen.txt
    [ -s seen.txt ] || fail "$form says nothing at a terminal"
    shown "$form at a terminal" seen.txt
done

# Names on the command line steer no terminal either.
for command in 'run' 'check' 'query' 'diagnose' 'tree' 'show' 'derive'; do
    "$FORESEE" $command "$(printf 'no\033[2J\302\233\377.db')" >out.txt 2>err.txt </dev/null
    shown "$command of such a name" out.txt err.txt
done
"$FORESEE" "$(printf 'no\033[2J')" 2>err.txt
"$FORESEE" run --"$(printf 'no\033[2J')" 2>>err.txt
shown 'an unknown command' err.txt
exit 0
