#!/bin/sh
# Episodes of several models, a hundred times each, are one episode: on one processor and on all, with models in their own
# processes, and where a recording is followed.
. "${0%/*}/../../episodes/lib.sh"
: "${FMUS:?the folder of the FMUs}"
RUNS=${RUNS:-100}

sed "s#\.\./robots#$SOURCE/examples/robots#" "$SOURCE/examples/ensemble/wait_for_coffee.yaml" >foreign.yaml
sed -e '/^ensemble:/,$d' "$SOURCE/examples/ensemble/coffee.yaml" >coffee.yaml
for cup in cup2 cup3; do cp "$FMUS/$cup.fmu" .; done
cat >>coffee.yaml <<END
ensemble:
  main: ode
  models:
    coffee: { class: fmu, file: cup2.fmu, step: service, every: 0.01, inputs: { ambient: 293.15, rate: 0.05 }, outputs: { temperature(cup_1): T } }
    other: { class: fmu, file: cup3.fmu, step: clock, every: 0.02, cost: 0.01, inputs: { ambient: temperature(cup_1), rate: 0.05 }, outputs: { warmth(cup_1): T } }
  owns: { coffee: [ temperature(cup_1) ], other: [ warmth(cup_1) ] }
END
run "$SOURCE/examples/ensemble/bound_grippers.yaml" recorded.db
run "$SOURCE/examples/ensemble/ball/drop.yaml" ball.db

# same NAME PLAN OPTIONS: all runs of the plan have one dump.
same() {
    _name=$1; shift
    _first=
    _i=0
    while [ $_i -lt "$RUNS" ]; do
        rm -f one.db
        _on=
        [ $((_i % 2)) = 0 ] || _on="taskset -c 0"
        _status=0
        $_on "$FORESEE" run -q "$@" -o one.db || _status=$?
        [ "$_status" -le 1 ] || fail "$_name ended with status $_status"
        _hash=$(sqlite3 -readonly one.db .dump | sha256sum)
        : "${_first:=$_hash}"
        [ "$_hash" = "$_first" ] || fail "run $_i of $_name is another episode"
        _i=$((_i + 1))
    done
    echo "$_name: $RUNS runs, one episode, $_first"
}
same coffee "$SOURCE/examples/ensemble/wait_for_coffee.yaml"
same bound "$SOURCE/examples/ensemble/bound_grippers.yaml"
same eventful "$SOURCE/tests/ensemble/eventful.yaml"
same socket "$SOURCE/tests/ensemble/socket.yaml"
same mujoco "$SOURCE/examples/ensemble/down_the_chute.yaml"
same particles "$SOURCE/examples/ensemble/pour_beside.yaml"
same foreign foreign.yaml --native
same followed "$SOURCE/examples/ensemble/bound_grippers.yaml" --telemetry recorded.db
same in_hand "$SOURCE/examples/ensemble/ball/drop.yaml" --world "$SOURCE/examples/ensemble/ball/ensemble.yaml" --telemetry ball.db
