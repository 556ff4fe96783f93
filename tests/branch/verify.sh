#!/bin/sh
# diagnose --verify gives the same verdicts whether changes that act late share a branch or each re-run begins at the start.
. "${0%/*}/lib.sh"
cat >pushed.dl <<END
:- flaw pushed(Object: object, Start: time) "A body was pushed.".
when exogenous_object(Id, Object), exogenous(Id, force(_), Start).
sentence "\$1 was pushed.".
body Object.
intervention no_event(What) :- exogenous_object(Id, Object), exogenous(Id, What, _).
intervention no_events :- exogenous_object(_, Object).
placebo encoders.
END
sed -i 's/^events:$/events:\n  - { name: nudge, at: 2.9, force: { body: brick, force: [0, 4, 0], for: 0.2 } }/' world.yaml
echo '        - { fail: searching_failed }' >>plan.yaml
expect 1 "" "$FORESEE" run -q plan.yaml -o log.db --seed 7
for how in "" --whole; do
    "$FORESEE" diagnose log.db -f pushed.dl --verify -j 2 $how --format json >"verdict$how.json" 2>err.txt || [ $? -eq 1 ] || fail "diagnose --verify $how: $(cat err.txt)"
done
[ "$(of :memory: "select count(*) from json_each(readfile('verdict.json'), '$.flaws') where value ->> '$.verdict' in ('verified', 'refuted')")" -gt 0 ] ||
    fail "there is no verdict: $(cat verdict.json)"
cmp -s verdict.json verdict--whole.json || fail "verdicts differ: $(diff verdict.json verdict--whole.json)"
# The branch was made: what several changes share is simulated once.
strace -f -qq -e trace=execve -o calls.txt true 2>/dev/null && {
    strace -f -qq -e trace=execve -o calls.txt "$FORESEE" diagnose log.db -f pushed.dl --verify -j 2 >out.txt 2>err.txt
    grep -q '"branch"' calls.txt || fail "no branch was made"
}
expect 2 "--whole goes with --verify" "$FORESEE" diagnose log.db --whole
