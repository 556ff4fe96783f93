#!/bin/sh
# Projections in a world that an FMU simulates a part of: what it needs to run, what the log says, what happens when it fails.
set -u
fail() { echo "run.sh: $*" >&2; exit 1; }
says() { printf '%s\n' "$out" | grep -qF -e "$1" || fail "no '$1' in: $out"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$FMUS/cup3.fmu" cup.fmu
sed "s#\.\./robots#$SOURCE/examples/robots#" "$SOURCE/examples/ensemble/wait_for_coffee.yaml" >wait.yaml
# world FILE OUTPUT MORE: the coffee of the example, by an FMU.
world() {
    sed -e '/^ensemble:/,$d' "$SOURCE/examples/ensemble/coffee.yaml" >coffee.yaml
    cat >>coffee.yaml <<END
ensemble:
  main: ode
  models:
    coffee: { class: fmu, file: $1, step: service, every: 0.1, inputs: { $3 }, outputs: { temperature(cup_1): $2 }$4 }
  owns: { coffee: [ temperature(cup_1) ] }
END
}
world cup.fmu T "ambient: 293.15, rate: 0.05" ""

# Checking runs nothing of it; running needs consent, and leaves no log without.
out=$("$FORESEE" check wait.yaml 2>&1) || fail "check: $out"
out=$("$FORESEE" run -q wait.yaml --until 2 -o log.db 2>&1)
[ $? -eq 2 ] && [ ! -e log.db ] || fail "it ran without --native: $out"
says "coffee.yaml:15:5: error: the model \`coffee\` is code that somebody else compiled"

# After 2 s: 20 + 60 exp(-0.1) degrees Celsius.
out=$("$FORESEE" run -q wait.yaml --native --until 2 -o log.db 2>&1)
[ $? -eq 3 ] || fail "run: $out"
value=$(sqlite3 log.db 'SELECT value FROM attribute_state ORDER BY t LIMIT 1')
[ "$value" = 353.15 ] || fail "it begins at $value"
sqlite3 log.db 'SELECT value FROM attribute_state ORDER BY t DESC LIMIT 1' |
    awk '{ x = 293.15 + 60 * exp(-0.1) - $1; exit !(x < 1e-5 && x > -1e-5) }' || fail "it ends elsewhere"
sqlite3 log.db "SELECT text FROM source WHERE kind = 'model'" | grep -qx "sha256 $(sha256sum <cup.fmu | cut -c1-64)" ||
    fail "its hash is not in the log"

# An episode runs again from its log, the same, with that very file alone.
out=$("$FORESEE" run -q log.db --until 2 -o none.db 2>&1)
[ $? -eq 2 ] || fail "a log runs code without --native: $out"
out=$("$FORESEE" run -q log.db --native --until 2 -o again.db 2>&1)
[ $? -eq 3 ] || fail "again: $out"
for db in log.db again.db; do sqlite3 $db 'SELECT * FROM attribute_state; SELECT * FROM pose' >$db.txt; done
cmp -s log.db.txt again.db.txt || fail "it is another episode"
cp "$FMUS/cup2.fmu" cup.fmu
out=$("$FORESEE" run -q log.db --native -o other.db 2>&1)
[ $? -eq 2 ] || fail "another file is taken: $out"
says "cup.fmu has changed since"

# What cannot be connected, with its place.
world cup.fmu Temp "ambient: 293" ""
out=$("$FORESEE" check wait.yaml 2>&1) && fail "an unknown variable passes"
says "coffee.yaml:15:5: error: the model has no variable 'Temp'"
world cup.fmu T "ambient: 293.15, rate: 0.05" ""
sed -i 's/step: service/step: free/' coffee.yaml
out=$("$FORESEE" check wait.yaml 2>&1) && fail "an FMU is stepped without time"
says "coffee.yaml:15:5: error: \`coffee\` has a time of its own: \`step\` has to be service or clock"
world "$FMUS/exchange.fmu" T "ambient: 293" ""
out=$("$FORESEE" check wait.yaml 2>&1) && fail "a model for exchange passes"
says "the model is for model exchange only"

# One that crashes ends the episode, or what it answers for falls back.
world "$FMUS/crash3.fmu" x "" ""
out=$("$FORESEE" run -q wait.yaml --native --until 2 -o crash.db 2>&1)
[ $? -eq 3 ] || fail "crash: $out"
says "the model 'coffee' was ended by signal 11"
[ "$(sqlite3 crash.db 'SELECT outcome FROM episode')" = invalid ] || fail "the episode is not invalid"
world "$FMUS/crash3.fmu" x "" ", on_failure: { fall_back: ode }"
out=$("$FORESEE" run -q wait.yaml --native --until 2 -o fallen.db 2>&1)
[ "$(sqlite3 fallen.db 'SELECT outcome FROM episode')" = incomplete ] || fail "it does not fall back: $out"
sqlite3 fallen.db "SELECT why FROM model_event WHERE kind = 'failed'" | grep -q "signal 11" || fail "the log does not say why"

# One that never answers is waited for as long as its world says.
world "$FMUS/hang2.fmu" x "" ", timeout: 0.2"
out=$("$FORESEE" run -q wait.yaml --native --until 2 -o hang.db 2>&1)
[ $? -eq 3 ] || fail "hang: $out"
says "the model 'coffee' did not answer within 0.2 s"
sqlite3 hang.db "SELECT why FROM model_event WHERE kind = 'failed' AND t_ns BETWEEN 500000000 AND 700000000" | grep -q "did not answer" ||
    fail "the log does not say when it hung"
world "$FMUS/hang2.fmu" x "" ", timeout: 0"
out=$("$FORESEE" check wait.yaml 2>&1) && fail "no time to answer passes"
says "coffee.yaml:15:"

# One that fails before its first step is as one that fails later: it falls back, or is an error at its place.
world "$FMUS/stillborn2.fmu" x "" ", on_failure: { fall_back: ode }"
out=$("$FORESEE" run -q wait.yaml --native --until 2 -o unborn.db 2>&1)
[ "$(sqlite3 unborn.db 'SELECT outcome FROM episode')" = incomplete ] || fail "it does not fall back at the start: $out"
[ "$(sqlite3 unborn.db "SELECT was || ' ' || becomes || ' ' || done || ' ' || t_ns FROM switch WHERE rule = 'on_failure'")" = "coffee ode 1 0" ] ||
    fail "the log does not say that it fell back"
sqlite3 unborn.db "SELECT why FROM model_event WHERE kind = 'failed' AND t_ns = 0" | grep -q "signal 11" || fail "the log does not say why it did not start"
world "$FMUS/stillborn3.fmu" x "" ""
out=$("$FORESEE" run -q wait.yaml --native --until 2 -o ended.db 2>&1)
[ $? -eq 3 ] || fail "what cannot start runs: $out"
says "coffee.yaml:15:5: error: the model 'coffee' was ended by signal 11"

# What is wrong with a file is told where the world names it, as is what does not fit together.
for wrong in outside:"outside of its own folder" entity:entities platform:"libraries for" tool:"needs the tool" old:"of FMI '1.0'" torn:"no zip file"; do
    world "$FMUS/${wrong%%:*}.fmu" T "ambient: 293" ""
    out=$("$FORESEE" check wait.yaml 2>&1) && fail "${wrong%%:*}.fmu passes"
    says "coffee.yaml:15:5: error: "
    says "${wrong#*:}"
done
world "$FMUS/token3.fmu" T "ambient: 293" ""
out=$("$FORESEE" run -q wait.yaml --native --until 1 -o token.db 2>&1) && fail "another token passes"
says "coffee.yaml:15:5: error: "
says "token"
world cup.fmu ambient "rate: 0.05" ""
out=$("$FORESEE" check wait.yaml 2>&1) && fail "an input passes as an output"
says "coffee.yaml:15:5: error: the variable 'ambient' is of causality 'input'"
world "$FMUS/bounce3.fmu" height "" ", on_failure: end }
    warm: { class: thermal, step: service, every: 0.1, start: 300, time_constant: 10, inputs: { ambient: temperature(cup_1) }, outputs: { warmth(cup_1): temperature }"
out=$("$FORESEE" check wait.yaml 2>&1) && fail "metres pass as kelvin"
says "coffee.yaml:16:"
says "elsewhere"
