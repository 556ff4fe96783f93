# Plans that are over at once, whose outcome hangs on a parameter that varies, for the tests of batches.
. "$SOURCE/tests/cli/lib.sh"
cat >world.yaml <<END
world: room
types:
  floor: { shapes: [ { plane: true } ] }
  brick: { mass: 0.5, shapes: [ { box: [0.2, 0.1, 0.1], at: [0, 0, 0.05] } ] }
bodies:
  floor: { type: floor, fixed: true, known: true, color: beige }
  brick: { type: brick, at: [2, 0, 0.2], color: red }
END
# a_plan FILE LIMIT SECONDS: succeeds where the luck that is drawn is less than LIMIT, and takes so long.
a_plan() {
    cat >"$1" <<END
plan: try_luck
parameters:
  luck: { type: number, default: 0.5, min: 0, max: 1, doc: "how lucky the day is" }
  weight: { type: number, default: 1, doc: "of nothing" }
projection: { world: world.yaml, robot: $SOURCE/examples/robots/one_arm.yaml }
body:
  seq:
    - { tag: pause, wait: { seconds: $3 } }
    - if: "\$luck < $2"
      then: [ { log: lucky } ]
      else: [ { tag: unlucky, fail: searching_failed } ]
END
}
cat >luck.yaml <<END
vary:
  plan.luck: { uniform: [0, 1] }
  plan.weight: { normal: [3, 1] }
END
a_plan good.yaml 0.9 1
a_plan bad.yaml 0.3 2
dump() { sqlite3 -readonly "$1" .dump | cksum; }
json() { sqlite3 :memory: "select $2 from (select readfile('$1') as j);"; }
# batch LOG [option...] PLAN...: to LOG.json; an exit status of 0 or 1 is one of an answer.
batch() {
    _log=$1
    shift
    _status=0
    "$FORESEE" batch -q --format json -o "$_log" "$@" >"$_log.json" 2>err.txt || _status=$?
    [ "$_status" -le 1 ] || fail "foresee batch $* ended with $_status: $(cat err.txt)"
}
