# A small room and a plan of a few seconds, for the tests of branches and differences.
. "$SOURCE/tests/cli/lib.sh"
cat >world.yaml <<END
world: room
parameters:
  slippery: { type: number, default: 0.6, min: 0, max: 2, doc: "friction of the brick" }
  weight: { type: number, default: 0.5, min: 0.1, max: 5, unit: kg, doc: "of the brick" }
  place: { type: number, default: 2, doc: "where the brick starts" }
types:
  floor: { shapes: [ { plane: true } ] }
  brick: { mass: \$weight, friction: \$slippery, shapes: [ { box: [0.2, 0.1, 0.1], at: [0, 0, 0.05] } ] }
bodies:
  floor: { type: floor, fixed: true, known: true, color: beige }
  brick: { type: brick, at: [\$place, 0, 0.001], color: red }
events:
  - { name: push, at: 2.5, force: { body: brick, force: [6, 0, 0], for: 0.3 } }
END
cat >plan.yaml <<END
plan: wait_here
parameters:
  first: { type: number, default: 1, doc: "how long the first step takes, s" }
  last: { type: number, default: 1, doc: "how long the last step takes, s" }
projection: { world: world.yaml, robot: $SOURCE/examples/robots/one_arm.yaml }
body:
  tag: top
  par:
    - tag: watch
      detect: { type: brick, frames: 30 }
    - tag: steps
      seq:
        - { tag: one, wait: { seconds: \$first } }
        - { tag: two, wait: { seconds: 1 } }
        - { tag: three, wait: { seconds: 1 } }
        - { tag: four, wait: { seconds: \$last } }
END
dump() { sqlite3 -readonly "$1" .dump | cksum; }
# fits NAME: what the last command printed is as docs/NAME.schema.json says.
fits() { python3 "$SOURCE/tests/branch/fits.py" "$SOURCE/docs/$1.schema.json" out.txt >wrong.txt || fail "the JSON does not fit $1.schema.json: $(head -c 600 wrong.txt)"; }
# of LOG SQL: the answer of a query.
of() { sqlite3 -readonly "$1" "$2"; }
