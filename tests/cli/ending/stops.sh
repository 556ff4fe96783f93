#!/bin/sh
# --memory, --time, SIGINT and SIGTERM end a command in every phase: it ends within a second, with the
# exit status of the cause and a sentence, and leaves no file behind and none damaged.
. "$SOURCE/tests/cli/lib.sh"
: "${WATCH:?the program that watches another}"
rounds=${FORESEE_ROUNDS:-1}
TMPDIR=$WORK/tmp
export TMPDIR
mkdir "$TMPDIR"
# Milliseconds within which a command must end: a second, and what a busy machine adds.
late=${FORESEE_LATE:-5000}
sanitized=no
(ulimit -v 4000000 && "$FORESEE" --version) >/dev/null 2>&1 || { sanitized=yes && late=$((5 * late)); }

sed "s|\.\./|$SOURCE/examples/|g" "$SOURCE/examples/table_setting/default.yaml" >plan.yaml
"$FORESEE" run -q plan.yaml -o whole.db || fail "the plan of the examples failed"
"$FORESEE" run -q plan.yaml --set world.gripper_friction=0.08 -o wet.db >/dev/null
printf 'pair(X, Y) :- between(1, 30000, X), between(1, 30000, Y).\nsame(X) :- pair(X, Y), pair(Y, X).\n' >pairs.dl
printf ':- declare pairs(a: int, b: int) "pairs".\npairs(X, Y) :- between(1, 30000, X), between(1, 30000, Y).\n' >derive.dl
awk 'BEGIN { print "plan: huge\nbody:\n  seq:"; for (i = 0; i < 300000; i++) print "    - log: \"step " i "\"" }' >huge.yaml
awk 'BEGIN { for (i = 0; i < 190000; i++) printf "v %d %d %d\n", i % 7, i % 11, i % 13; for (i = 1; i < 189998; i++) print "f", i, i + 1, i + 2 }' >huge.obj
printf 'world: meshes\nbodies:\n' >meshes.yaml
for i in 1 2 3 4 5 6; do
    cp huge.obj huge_$i.obj
    echo "  lump_$i: { shapes: [ { mesh: huge_$i.obj } ], at: [ $i, 0, 1 ], fixed: true }" >>meshes.yaml
done
mkfifo pipe

# watched COMMAND...: runs a command, and reads its exit status, its ms and its memory.
watched() {
    "$WATCH" ${signal:+-s $signal -a $after} "$@" >watched.txt 2>err.txt </dev/null 3>&- || fail "nothing watches '$*'"
    tail -n 1 watched.txt >last.txt
    read -r status elapsed resident <last.txt
}
# nothing_left COMMAND: the last command left no temporary file and reported no bug.
nothing_left() {
    [ -z "$(ls -A "$TMPDIR")" ] || fail "'$*' leaves $(ls -A "$TMPDIR")"
    [ -z "$(ls -d .foresee-* ./*.part 2>/dev/null)" ] || fail "'$*' leaves $(ls -dA .foresee-* ./*.part 2>/dev/null)"
    ! grep -q 'bug:' err.txt || fail "'$*' says: $(head -c 300 err.txt)"
}
signal='' after=0

# ---- Terms that double end the plan, not the machine.
for value in '[?l, ?l]' 'concat(?l, ?l)' 'f(?l, ?l, ?l)' 'append(?l, ?l)'; do
    cat >double.yaml <<END
plan: double
projection: { world: $SOURCE/examples/worlds/kitchen.yaml, robot: $SOURCE/examples/robots/two_arms.yaml }
body:
  let: "?l"
  be: "ab"
  in: { loop: { times: 100, do: { set: "?l", to: "$value" } } }
END
    rm -f double.db*
    watched "$FORESEE" run -q double.yaml -o double.db
    [ "$status" -eq 1 ] || fail "$value ended with $status: $(head -c 300 err.txt)"
    [ "$sanitized" = yes ] || [ "$resident" -lt 150 ] || fail "$value took $resident MB"
done
sqlite3 double.db "SELECT reason FROM failure" | grep -q . || fail "nothing says why the plan failed"

# ---- Memory
if [ $sanitized = no ]; then
    # more LIMIT COMMAND...: the command needs more than LIMIT MB.
    more() {
        limit=$1
        shift
        watched "$FORESEE" "$@" --memory "$limit"
        [ "$status" -eq 3 ] || fail "'$*' with $limit MB ended with $status: $(head -c 300 err.txt)"
        grep -q 'memory' err.txt || fail "'$*' with $limit MB says nothing of memory: $(head -c 300 err.txt)"
        [ "$resident" -le $((limit + limit / 10 + 1)) ] || fail "'$*' took $resident MB of $limit"
        nothing_left "$@"
    }
    more 60 check huge.yaml
    more 100 run -q huge.yaml -o none.db
    more 60 check meshes.yaml
    more 60 show meshes.yaml -o none.png
    more 60 query whole.db 'pair(X, Y)' -f pairs.dl
    more 120 query whole.db 'pair(X, Y)' -f pairs.dl --format json
    more 60 derive whole.db pairs/2 -f derive.dl
    more 60 show whole.db -o none.png --size 8000x8000
    # Facts take about as much memory as they should, and no multiple of it.
    awk 'BEGIN { for (i = 0; i < 400000; i++) print "e(" i ", " i % 1000 ")." }' >facts.dl
    more 30 query whole.db 'e(5, X)' -f facts.dl
    watched "$FORESEE" query whole.db 'e(5, X)' -f facts.dl --memory 100
    [ "$status" -eq 0 ] || fail "400,000 facts with 100 MB ended with $status: $(head -c 300 err.txt)"
    # Rules and facts of many names: each name has lists of its own, which may find no room.
    awk 'BEGIN { for (i = 0; i < 100000; i++) print "r" i "(X) :- f" i "(X), g(X).\nf" i "(1)."; print "g(1)." }' >names.dl
    more 100 query whole.db 'r5(X)' -f names.dl
    more 100 check names.dl
    [ ! -e none.png ] || fail "a picture for which there was no memory was written"
    # With less than the program itself needs it cannot begin, and says why.
    for command in "derive whole.db contact" "query whole.db task(T)." "diagnose whole.db" "show whole.db -o none.png"; do
        watched "$FORESEE" $command --memory 2
        [ "$status" -eq 3 ] && grep -q 'no memory is left' err.txt || fail "'$command' with 2 MB ended with $status: $(head -c 300 err.txt)"
    done
fi

# ---- Time, and signals at some moment: in every phase
# over SECONDS COMMAND...: the command takes longer than SECONDS.
over() {
    seconds=$1
    shift
    watched "$FORESEE" "$@" --time "$seconds"
    [ "$status" -eq 3 ] || fail "'$*' with $seconds s ended with $status: $(head -c 300 err.txt)"
    grep -q -e "--time $seconds" err.txt || fail "'$*' does not say why it ended: $(head -c 300 err.txt)"
    [ "$elapsed" -le $((late + 1000)) ] || fail "'$*' ended after $elapsed ms"
    nothing_left "$@"
}
rm -f one.db*
over 0.3 run -q plan.yaml -o one.db
over 0.05 check huge.yaml
over 0.2 check pipe
over 0.2 run pipe
over 0.3 query whole.db 'same(X)' -f pairs.dl
over 0.5 batch plan.yaml -q -n 20 -o many.db
over 0.5 diagnose wet.db --verify
over 0.3 derive whole.db pairs/2 -f derive.dl
over 0.2 show whole.db --size 8000x8000 -o none.png
over 0.2 show pipe -o none.png
over 0.2 edit pipe pipe -o none.yaml
over 0.2 query whole.db 'task(T)' -f pipe

round=0 tried=0 stopped=0
while [ $round -lt "$rounds" ]; do
    for command in "run -q plan.yaml -o one.db" "batch plan.yaml -q -n 6 -o many.db" "check huge.yaml" "check meshes.yaml" \
        "query whole.db same(X) -f pairs.dl" "diagnose wet.db --verify" "diagnose wet.db --format html -o page.html" \
        "show whole.db --size 3000x3000 -o none.png" "derive whole.db" "check pipe" "run pipe" \
        "edit plan.yaml pipe -o none.yaml" "tree whole.db"; do
        tried=$((tried + 1))
        signal=$((tried % 2 ? 2 : 15)) after=$((tried * 7919 % 700))
        watched "$FORESEE" $command
        [ "$elapsed" -le "$late" ] || [ "$status" -ne 130 ] || fail "'$command' ended $elapsed ms after the signal"
        # The command may also have ended before the signal came.
        case $status in
        130) stopped=$((stopped + 1)) ;;
        0 | 1) ;;
        -$signal) ;; # before it had begun
        *) fail "'$command' with signal $signal after $after ms ended with $status: $(head -c 300 err.txt)" ;;
        esac
        nothing_left "$command"
    done
    for log in one.db many.db whole.db wet.db; do
        [ ! -s $log ] || [ "$(sqlite3 $log 'PRAGMA quick_check' 2>&1)" = ok ] || fail "$log is damaged"
    done
    rm -f one.db* many.db* page.html none.png
    round=$((round + 1))
done
[ $stopped -ge 4 ] || fail "no signal came in time"
[ -z "${FORESEE_ROUNDS:-}" ] || echo "$tried commands, $stopped stopped by a signal"
