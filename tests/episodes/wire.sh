#!/bin/sh
# An arm that follows a station is controlled by another process, over UDP: the log is to the byte that of one process, whatever the network
# does; another program as the far end; ends that do not belong together.
. "${0%/*}/lib.sh"
cp -r "$SOURCE/examples" examples
plan=examples/twins/feel_bench.yaml
dump() { sqlite3 -readonly "$1" .dump | cksum; }
told() { cat served.err near.err 2>/dev/null; }

# serve PLAN [OPTION...]: starts a far end and puts its port into $port.
serve() {
    : >served.err # or the port of the end before it is read from there
    "$FORESEE" run "$@" --serve 127.0.0.1:0 >served.txt 2>served.err &
    far=$!
    until port=$(sed -n 's/.* listens at port //p' served.err) && [ -n "$port" ]; do
        kill -0 "$far" 2>/dev/null || fail "the far end ended: $(told)"
        sleep 0.05
    done
}
# afar PORT PLAN LOG [OPTION...]: a run whose arms are controlled at that port.
afar() {
    _port=$1 _plan=$2 _log=$3 _status=0
    shift 3
    "$FORESEE" run "$_plan" -o "$_log" --remote "127.0.0.1:$_port" "$@" >near.txt 2>near.err || _status=$?
    case $_status in 0 | 1 | 3) ;; *) false ;; esac || fail "the run with a far end ended with $_status: $(told)"
}
ended() { wait "$1" || fail "the far end ended with $?: $(told)"; }

# Over a link that is late and loses messages.
options="--set plan.jitter=0.004 --set plan.loss=0.05"
# shellcheck disable=SC2086
run "$plan" here.db $options
# shellcheck disable=SC2086
serve "$plan" $options
# shellcheck disable=SC2086
afar "$port" "$plan" there.db $options
ended "$far"
[ "$(dump here.db)" = "$(dump there.db)" ] || fail "two processes leave another log than one"
grep -q '^foresee: [0-9]* datagrams sent, [0-9]* of them again; [0-9]* received, .* 0 malformed, 0 of somebody else' near.err || fail "no word of the datagrams: $(told)"
[ "$(sqlite3 there.db "SELECT count(*) > 100 AND max(remote) > 5 FROM coupling_state_view")" = 1 ] || fail "the arm that is controlled afar does not come to the bench"
if [ "$(sqlite3 there.db "SELECT count(*) FROM note")" != 0 ]; then fail "a controller of foresee is noted as another program"; fi

# A network that loses, doubles, delays, cuts and invents datagrams changes nothing, and each end counts what it did.
options="--set plan.coupling=tdpa --until 4.5"
# shellcheck disable=SC2086
"$FORESEE" run -q "$plan" -o short.db $options || [ $? = 3 ]
# shellcheck disable=SC2086
serve "$plan" ${options% --until*}
python3 "$SOURCE/tests/cli/proxy.py" "$port" >proxied.txt &
proxy=$!
until [ -s proxied.txt ]; do sleep 0.05; done
# shellcheck disable=SC2086
afar "$(cat proxied.txt)" "$plan" bad.db $options
ended "$far"
kill "$proxy"
[ "$(dump short.db)" = "$(dump bad.db)" ] || fail "a bad network changes the log"
for end in near.err served.err; do
    sed -n 's/^foresee: \([0-9]*\) datagrams sent, \([0-9]*\) of them again; \([0-9]*\) received, \([0-9]*\) more .* twice, \([0-9]*\) malformed.*/\2 \4 \5/p' $end >counts.txt
    read -r again late malformed <counts.txt || fail "$end has no counts: $(told)"
    [ "$again" -gt 0 ] && [ "$late" -gt 0 ] && [ "$malformed" -gt 0 ] || fail "$end counts $again, $late, $malformed"
done
if grep -q ' 0 of somebody else' served.err; then fail "a stranger was not counted"; fi

# Another program, by what the documentation says: it holds the arm where it began to follow, with 10 N m at each joint for the operator.
# program [OPTION...]: starts it and puts its port into $port.
program() {
    rm -f other.txt
    timeout 120 python3 "$SOURCE/examples/twins/controller.py" "$@" >other.txt 2>&1 &
    other=$!
    until [ -s other.txt ]; do sleep 0.05; done
    port=$(cat other.txt)
}
program --hold
afar "$port" "$plan" other.db --set plan.coupling=pfc --until 6
ended "$other"
holds() { [ "$(sqlite3 other.db "SELECT $1")" = 1 ]; }
holds "count(*) = 1 FROM note WHERE text LIKE 'the arms that follow the station are controlled by another program%'" || fail "the log does not say who controlled the arm"
holds "max(felt) > 5 FROM coupling_state_view" || fail "what the other program sends is not felt"
# How far a robot's joint went while the arm followed, at most: rad.
way() { sqlite3 other.db "SELECT max(way) FROM (SELECT coalesce(max(position) - min(position), 0) AS way FROM joint_view, coupling_view WHERE joint LIKE '$1%' AND t_s > start_s + 0.2 GROUP BY joint)"; }
[ "$(sqlite3 :memory: "SELECT $(way ann) < 0.02 AND $(way bob) > 0.05")" = 1 ] || fail "the other program holds the arm within $(way ann) rad, and the station goes $(way bob) rad"

# Without that it is a position-force coupling, which without delay leads the arm onto the bench as foresee's own does.
program
afar "$port" "$plan" own.db --set plan.coupling=pfc --set plan.delay=0
ended "$other"
run "$plan" foresees.db --set plan.coupling=pfc --set plan.delay=0
LAST="FROM coupling_state_view WHERE t_s > (SELECT max(end_s) - 1 FROM coupling_view)"
force() { sqlite3 "$1" "SELECT avg($2) $LAST"; }
[ "$(sqlite3 :memory: "SELECT $(force own.db remote) > 10 AND abs($(force own.db felt) - $(force foresees.db felt)) < 0.5 AND abs($(force own.db remote) - $(force foresees.db remote)) < 0.5")" = 1 ] ||
    fail "felt and remote force of the example: $(force own.db felt), $(force own.db remote), and of foresee: $(force foresees.db felt), $(force foresees.db remote)"

# One that answers what no joint can do is kept within that, and the log says so.
"$FORESEE" diagnose other.db >other.db.txt || [ $? = 1 ]
grep 'controlled by another program' other.db.txt >named.txt || fail "the diagnosis does not name the other program: $(cat other.db.txt)"
if grep -q 'would have come of it' named.txt; then fail "the note is told as an event: $(cat named.txt)"; fi
for wrong in reference speed force offset; do
    program --wrong $wrong
    rm -f other.db
    afar "$port" "$plan" other.db
    ended "$other"
    holds "count(*) = 1 FROM note WHERE text LIKE 'the other program answers what joint \`Joint-1\` of ann cannot do%'" || fail "$wrong: the log does not say what cannot be done"
    [ $wrong = offset ] || holds "outcome IN ('failed', 'succeeded') FROM episode_view" || fail "$wrong makes the episode $(sqlite3 other.db "SELECT outcome FROM episode_view")"
done

# Ends that do not belong together, and requests that cannot be.
expect() { # STATUS SENTENCE COMMAND...
    _want=$1 _what=$2 _status=0
    shift 2
    "$@" >out.txt 2>err.txt || _status=$?
    [ "$_status" = "$_want" ] && grep -qF -e "$_what" out.txt err.txt || fail "'$*' ended with $_status: $(cat err.txt)"
}
serve "$plan" --set plan.coupling=pfc
expect 2 "the same file, options and seed" "$FORESEE" run "$plan" -o none.db --remote "127.0.0.1:$port"
kill "$far"
expect 2 "no arm of this plan follows a station" "$FORESEE" run "$TABLE/default.yaml" -o none.db --remote 127.0.0.1:9
expect 2 "give --output to that run" "$FORESEE" run "$plan" --serve 127.0.0.1:0 -o none.db
expect 3 "can be reached" "$FORESEE" run "$plan" -o none.db --remote 127.0.0.1:9
[ ! -e none.db ] || fail "a log of nothing was written"
expect 2 "nobody listens at port 0" "$FORESEE" run "$plan" -o none.db --remote 127.0.0.1:0
# An episode whose arms are those of a recorded robot, run again.
"$FORESEE" run -q "$plan" -o real.db --seed 1 --until 1 || [ $? = 3 ]
"$FORESEE" run -q "$plan" -o felt.db --seed 1 --telemetry real.db --until 1 || [ $? = 3 ]
expect 2 "--remote: the arms of this episode are those of a recorded robot" "$FORESEE" run felt.db -o none.db --remote 127.0.0.1:9
expect 2 "--serve: the arms of this episode are those of a recorded robot" "$FORESEE" run felt.db --serve 127.0.0.1:0
[ ! -e none.db ] || fail "a log of nothing was written"

# A run that is killed in the middle: the far end takes the next one, which has the log of one process.
serve "$plan" -q --set plan.coupling=tdpa
sed 's/distance: \$distance, force: \$force, seconds: 3/distance: $distance, force: $force, seconds: 100/' "$plan" >examples/twins/long.yaml
grep -q 'seconds: 100' examples/twins/long.yaml
"$FORESEE" run -q examples/twins/long.yaml -o killed.db --remote "127.0.0.1:$port" --set plan.coupling=tdpa >killed.txt 2>&1 &
victim=$!
until [ -s killed.db-wal ] || [ -s killed.db ]; do sleep 0.05; done
sleep 1
kill -9 "$victim"
wait "$victim" || true
afar "$port" "$plan" next.db --set plan.coupling=tdpa --until 4.5
ended "$far"
grep -q "a new one has taken its place" served.err || fail "the far end does not say that it has another partner: $(told)"
if grep -q "datagrams sent" served.err; then fail "a quiet end tells of datagrams: $(told)"; fi
[ "$(dump short.db)" = "$(dump next.db)" ] || fail "after another run the log is another"
# A far end that is killed in the middle: the run says so, and the log holds what was until then.
serve "$plan"
(sleep 1.5; kill -9 "$far") &
_status=0
"$FORESEE" run examples/twins/long.yaml -o left.db --remote "127.0.0.1:$port" >near.txt 2>near.err || _status=$?
[ "$_status" = 3 ] && grep -q "has sent nothing that could be used for 5 s" near.err || fail "a run whose far end left ended with $_status: $(told)"
holds_left() { [ "$(sqlite3 left.db "SELECT $1")" = 1 ]; }
holds_left "count(*) = 1 FROM episode_view WHERE outcome != 'succeeded' AND NOT complete" || fail "the episode is $(sqlite3 left.db "SELECT outcome, complete FROM episode_view")"
holds_left "count(*) > 0 FROM coupling_state" || holds_left "count(*) > 0 FROM pose" || fail "the log holds nothing"
