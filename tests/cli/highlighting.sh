#!/bin/sh
# How editors colour rule files: a grammar over every file that is shipped, and Vim itself where it is.
. "${0%/*}/lib.sh"

expect 2 "vim or textmate" "$FORESEE" highlighting emacs
expect 0 "" "$FORESEE" highlighting textmate
cp out.txt grammar.json
find "$SOURCE/predicates" "$SOURCE/examples" -name '*.dl' >files.txt
python3 "$SOURCE/tests/cli/highlighting.py" grammar.json "$SOURCE" files.txt || fail "the grammar colours wrongly"

command -v vim >/dev/null || exit 0
mkdir -p syntax
expect 0 "" "$FORESEE" highlighting vim
cp out.txt syntax/foresee.vim
cat >rules.dl <<'END'
% a note on member(X, L)
:- declare on_top(a: object, n: number) "what member(X, L) says, 100% of it".
on_top(A, N) :- member(A, [1, 2.5]), not before(A, N), N = count { B : held(B) }, X = sqrt(N).
when on_top(A, _).
END
printf '%s\n' 'redir! > seen.txt' >show.vim
while read -r line column; do
    printf 'echo "%s %s " . synIDattr(synID(%s, %s, 1), "name")\n' "$line" "$column" "$line" "$column" >>show.vim
done <<'END'
1 11
2 4
2 12
2 22
2 47
3 8
3 17
3 31
3 38
3 42
3 60
3 87
3 74
4 2
END
printf '%s\n' 'redir END' 'quit!' >>show.vim
vim -N -u NONE -i NONE -es --cmd "set runtimepath^=$PWD" -c 'syntax on' -c 'set syntax=foresee' -c 'source show.vim' rules.dl </dev/null || true
{ cat seen.txt; echo; } | sed '/^$/d; s/ *$//' >got.txt
cat >wanted.txt <<'END'
1 11 foreseeComment
2 4 foreseeDirective
2 12
2 22 foreseeType
2 47 foreseeString
3 8 foreseeVariable
3 17 foreseeBuiltin
3 31 foreseeNumber
3 38 foreseeConnective
3 42 foreseeBuiltin
3 60 foreseeAggregate
3 87 foreseeArithmetic
3 74
4 2 foreseeSentence
END
diff wanted.txt got.txt || fail "Vim colours otherwise"
