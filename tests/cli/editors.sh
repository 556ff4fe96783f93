#!/bin/sh
# What editors and shells are given: schemas of files, mistakes as JSON, completion.
. "${0%/*}/lib.sh"

# The schemas accept every file that is shipped, and refuse those whose structure is wrong.
for kind in plan world robot edits; do
    expect 0 '"$schema"' "$FORESEE" schema $kind
    cp out.txt $kind.json
done
expect 2 "plan, world, robot or edits" "$FORESEE" schema table
kind_of() {
    if grep -qE '^(plan|library):' "$1"; then echo plan
    elif grep -qE '^world:' "$1"; then echo world
    elif grep -qE '^robot:' "$1"; then echo robot
    elif grep -qE '^(- )?(edits|replace|insert_before|insert_after|wrap|unwrap|order|delete|set_property|set_parameter|use):' "$1"; then echo edits
    fi
}
find "$SOURCE/plans" "$SOURCE/examples" "$SOURCE/tests/scenes" "$SOURCE/tests/flaws" "$SOURCE/tests/robots" -name '*.yaml' | sort |
    while read -r file; do
        kind=$(kind_of "$file")
        [ -z "$kind" ] || printf '%s\tright\t%s\n' "$kind" "$file"
    done >files.txt
[ "$(wc -l <files.txt)" -ge 150 ] || fail "only $(wc -l <files.txt) files are looked at"
n=0
while IFS='|' read -r kind text; do
    n=$((n + 1))
    printf '%b\n' "$text" >wrong_$n.yaml
    printf '%s\twrong\twrong_%s.yaml\n' "$kind" $n >>files.txt
done <<'END'
plan|plan: x\nprojection: { robots: { ann: { robot: a.yaml, at: [0, 0, 0] } }, share: most }\nbody: { wait: { seconds: 1 } }
plan|plan: x\nbody:\n  sequence:\n    - wait: { seconds: 1 }
plan|plan: x\nbody:\n  wait: { seconds: 1 }\nbdy: 3
plan|plan: x\nbody:\n  navigate: { too: reach(table_1) }
plan|plan: x\nbody:\n  navigate: {}
plan|plan: x\nbody:\n  guide: { arm: left, direction: dwn }
plan|plan: x\nbody:\n  move_arm: { arm: left, to: park, grasp: [top, tpo] }
plan|plan: x\nbody:\n  move_arm: { arm: left, to: park, grasp: [any] }
plan|plan: x\nbody:\n  move_arm: { arm: left, to: park, straight: maybe }
plan|plan: x\nbody:\n  wait: { seconds: -1 }
plan|plan: x\nbody:\n  press: { arm: left, direction: down, force: 0 }
plan|plan: x\nbody:\n  guide: { arm: left, distance: 11 }
plan|plan: x\nbody:\n  guide: { arm: left, path: [[1, 0, 0, 0], [20, 0, 11, 0]] }
plan|plan: x\nbody:\n  teach: { arm: left, name: bow, seconds: 0.05 }
plan|plan: x\nbody:\n  replay: { arm: left, name: bow, stiffness: 5001 }
plan|plan: x\nbody:\n  - wait: 1
plan|plan: x\nbody:\n  - percieve: { a: { type: cup } }
plan|plan: x\nparamters:\n  n: { type: number, default: 1 }\nbody:\n  wait: { seconds: 1 }
plan|plan: x\nprojection: { wrld: w.yaml }\nbody:\n  wait: { seconds: 1 }
plan|plan: x\nprojection: { set: { gripper_friction: 1 } }\nbody:\n  wait: { seconds: 1 }
plan|plan: x\nbody:\n  seq: { wait: { seconds: 1 } }
plan|plan: x\nbody:\n  - on_failure: { handle: [ { failure: any, retry: 1 } ] }
plan|plan: x\nbody:\n  - on_failure: { do: [], handle: [ { retry: 1 } ] }
plan|plan: x\nbody:\n  - loop: { times: 3 }
plan|plan: x\nbody:\n  - { if: "?x", else: [] }
plan|plan: x\nbody:\n  - { par: [], seq: [] }
plan|plan: x\nbody:\n  - { tag: nothing }
plan|library: x\nroutines:\n  - achieve: f(?x)
plan|plan: x
world|world: w\nbodis: {}
world|world: w\ngravity: [0, 0]
world|world: w\ngravity: [0, 0, down]
world|world: w\ntypes:\n  cup: { shapes: [ { box: [0.1, 0.1] } ], mass: 1 }
world|world: w\ntypes:\n  cup: { shapes: [ { cube: 0.1 } ], mass: 1 }
world|world: w\ntypes:\n  cup: { shapes: [ { sphere: 0.1 } ], mass: 400 g }
world|world: w\ntypes:\n  cup: { shapes: [ { sphere: 0.1 } ], mass: -1 }
world|world: w\nbodies:\n  cup_1: { shape: [ { sphere: 0.1 } ] }
world|world: w\nbodies:\n  cup_1: { type: cup, color: rde }
world|world: w\nbodies:\n  cup_1: { type: cup, fixed: maybe }
world|world: w\nregions:\n  r: { on: table_1 }
world|world: w\nevents:\n  - { name: e, at: 1, mov: { body: b } }
world|world: w\njoints:\n  door: { kind: ball, body: b, axis: [0, 0, 1], limits: [0, 90] }
world|world: w\npairs: { a: x, b: y, friction: 1 }
robot|robot: r\nbase: { radius: wide }
robot|robot: r\nbase: { drive: tracked }
robot|robot: r\nlinks:\n  l: { mas: 1 }
robot|robot: r\njoints:\n  j: { parent: base }
robot|robot: r\ncamera: { ratee: 3 }
robot|robot: r\nurdf: r.urdf\nlinks: {}
robot|robot: r\npackages: {}
robot|robot: r\narms:\n  left: { joints: [], park: [] }
edits|- remove: body/seq[1]
edits|- { delete: body, step: 3 }
edits|- { set_property: body, key: x }
edits|- { wrap: body }
edits|- { insert_after: body, step: { sequence: [] } }
edits|{ reason: r, edit: [] }
END
# What is computed may be any number, and so may the time of a row.
printf '%s\n' 'plan: x' 'body:' '  - guide: { arm: left, path: [[20, 0, "?far * 20", 10], "?row"], force: "?force", seconds: $seconds }' \
    '  - teach: { arm: left, name: bow, seconds: 0.1 }' '  - guide: { arm: left, path: "?path" }' >computed.yaml
printf 'plan\tright\tcomputed.yaml\n' >>files.txt
python3 "$SOURCE/tests/cli/schemas.py" . <files.txt || fail "the schemas are not right"

# Mistakes as JSON.
printf 'plan: x\nprojection: { world: %s, robot: %s }\nroutines: [pick_and_place.yaml]\nbody:\n  - percieve: { a: { type: cup } }\n' \
    "$WORLD" "$SOURCE/examples/robots/two_arms.yaml" >"bad plan.yaml"
expect 2 '"valid": false' "$FORESEE" check --format json "$WORLD" "bad plan.yaml"
cp out.txt check.json
python3 - <<'END' || fail "the JSON is not right: $(cat check.json)"
import json
world, plan = json.load(open("check.json"))["files"]
assert world["kind"] == "world" and world["valid"] and not world["messages"], world
assert plan["file"] == "bad plan.yaml" and not plan["valid"], plan
[m] = plan["messages"]
assert (m["severity"], m["file"], m["line"], m["column"]) == ("error", "bad plan.yaml", 5, 5), m
assert "perceive" in m["text"], m
END
expect 0 '"valid": true' "$FORESEE" check --format json "$WORLD"

# Completion in bash: commands, options, their values, and files of the kinds that fit.
expect 2 "bash or zsh" "$FORESEE" completion fish
"$FORESEE" completion bash >completion.bash || fail "no completion of bash"
touch one.db two.dl three.yaml four.txt
complete_line() { # WHAT WORD...: what is offered for the last word
    _wanted=$1
    shift
    bash --norc -c '. ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _foresee; printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | sort | tr '\n' ' ' >offered.txt
    [ "$(cat offered.txt)" = "$_wanted " ] || fail "'$*' is completed by '$(cat offered.txt)', not by '$_wanted'"
}
complete_line "diagnose" foresee dia
complete_line "check compare completion couple" foresee c
complete_line "--seed --serve --set" foresee run --se
complete_line "json text" foresee tree --format ""
complete_line "one.db" foresee diagnose o
complete_line "two.dl" foresee query one.db -f tw
complete_line "three.yaml" foresee run thr
complete_line "" foresee run fou
complete_line "robot" foresee schema r
complete_line "mend" foresee help me
# In zsh, as a person types it.
"$FORESEE" completion zsh >completion.zsh || fail "no completion of zsh"
command -v zsh >/dev/null || fail "zsh is not installed: scripts/install.sh tests"
zsh -n completion.zsh || fail "zsh cannot read its completion"
zsh -f -c 'autoload -Uz compinit; compinit -D; . ./completion.zsh
    compadd() { print -l -- "$@"; }; _arguments() { print -rl -- "$@"; }; _describe() { print -rl -- $described; }
    words=(foresee run --s); CURRENT=3; _foresee; words=(foresee d); CURRENT=2; _foresee' >zsh.txt 2>&1
grep -qF -- "--seed=[seed of all noise" zsh.txt && grep -q "^diagnose:what went wrong" zsh.txt || fail "zsh is offered: $(head -c 600 zsh.txt)"
