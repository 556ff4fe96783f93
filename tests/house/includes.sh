#!/bin/sh
# The include tables of docs/ARCHITECTURE.md, enforced on every #include "room/..." line. A line of a table names an area, a part of it, and the parts
# of the area that this part may include; `top` is what stands directly in the area, `*` any part that has no line of its own, SELF the part itself.
cd "$1" || exit 2
bad=0
find include base scene plans schema projector logger query report cli \( -name '*.[ch]' -o -name '*.def' \) -exec grep -H '^#include "' {} + |
    awk -v tables='
# The rooms.
: base: base
: scene plans schema: SELF base
: projector: projector base scene plans schema
: include: include
: logger: logger base schema
: query: query base schema include
: report: report base scene schema query include
: cli: cli base scene plans schema projector logger query report include
# Inside base/: what stands directly in it is the ground; the parts stand on it, each on those named.
base: top: top
base: time math: top SELF
base: text: top time text
base: files term: top time text SELF
base: yaml: top time math text files term yaml
base: link: top time math link
# Inside scene/: from the shape of a thing to the robot; what changes a scene before a run knows all parts.
scene: xml: xml
scene: mesh: xml mesh
scene: shape: mesh shape
scene: load: mesh shape load
scene: world: mesh shape load world
scene: robot: xml mesh shape load world robot
scene: top: top mesh shape load world robot
# Inside the projector: the mind sees the middleware and what it believes, never the world.
projector: robot: belief robot middleware.h robot_ids.h
projector: belief: belief middleware.h
projector: interp: belief robot interp middleware.h
projector: world: world model.h
projector: sense: sense world middleware.h
projector: fidelity: fidelity world
projector: ensemble: ensemble world fidelity model.h
projector: couple: couple
projector: *: belief robot interp world sense fidelity ensemble couple model.h FACES
# Inside the plans: the tree is what a plan is; the loader has it checked; edits are made in what the loader reads.
plans: top: top
plans: tree: top tree
plans: check: top tree check
plans: load: top tree check load
plans: *: top tree check load edit
# Inside the robot: what an action needs, downwards; mind.h and the tables beside the parts are for everybody.
projector/robot: kinematics: kinematics
projector/robot: grasping: kinematics grasping top
projector/robot: planning: kinematics grasping planning top
projector/robot: *: kinematics grasping planning actions top
# Inside the interpreter: from the state of tasks to the steps of constructs; a condition asks for no task and its life.
projector/interp: state: state
projector/interp: evaluation: state evaluation top
projector/interp: tasks: state evaluation tasks
projector/interp: constructs: state evaluation tasks constructs
projector/interp: *: state evaluation tasks constructs top
# Inside the query engine: the way of a question, downwards.
query: rows: rows
query: log: rows log
query: builtins: rows log builtins
query: rules: rows log builtins rules
query: lower: rows log builtins rules lower
query: check: rows log builtins rules lower check
query: prepared: rows log builtins rules lower check prepared top
query: tables: rows log builtins rules tables
query: demand: rows log builtins rules tables demand
query: derive: rows log builtins rules tables derive
query: why: rows log builtins rules lower check tables demand derive why top
query: *: rows log builtins rules lower check prepared tables demand derive why api top
# Inside report/ and cli/: what stands directly in the room is for all of its parts, and needs none of them.
report: top: top
report: picture: top picture
report: chart: chart
report: diagnosis: top diagnosis
report: view: top picture diagnosis view
report: page: top picture evidence diagnosis batch view page
report: evidence: evidence
report: batch: top evidence batch
report: mending: top evidence mending
report: diff: top diagnosis diff
report: compare: top diagnosis compare
cli: top: top
cli: runs: top runs
cli: prompt: top prompt
cli: batch: top runs batch
cli: branch: top runs batch branch
cli: mend: top runs batch mend
cli: editors: top runs editors
cli: commands: top runs prompt batch branch mend commands
cli: program: top runs prompt batch branch mend editors commands program' \
        -v faces='middleware.h recorder.h recorder_int.h recording.h recorded.h replay.h robot_ids.h shares.h agent.h talk.h teleoperation.h twin.h twin_surfaces.h twin_things.h relay.h body.h meter.h margins.h inputs.h projection.h fingerprint.h fingerprint_sources.h' '
    BEGIN {
        n = split(tables, line, "\n")
        for (i = 1; i <= n; i++) {
            if (line[i] ~ /^#/ || split(line[i], field, ": *") < 3) continue
            area = field[1]
            known[area] = 1
            parts = split(field[2], part, " ")
            for (p = 1; p <= parts; p++) {
                may = " " field[3] " "
                sub(/ SELF /, " " part[p] " ", may)
                sub(/ FACES /, " " faces " ", may)
                allowed[area, part[p]] = may
            }
        }
    }
    # The part of an area that a path below it belongs to: its first folder; what stands directly in it is `top`, and in the projector its own name.
    function part_of(area, path,    rest) {
        rest = area == "" ? path : substr(path, length(area) + 2)
        if (rest ~ /\//) { sub(/\/.*/, "", rest); return rest }
        return area == "projector" ? rest : "top"
    }
    function within(area, path) { return area == "" || index(path, area "/") == 1 }
    {
        split($0, half, ":#include \"")
        file = half[1]; target = half[2]
        sub(/".*/, "", target)
        for (area in known) {
            if (!within(area, file) || !within(area, target)) continue
            from = part_of(area, file); to = part_of(area, target)
            if (target == "projector/ensemble/model.h" && area == "projector") to = "model.h" # the face that whatever is stepped shows
            if (area == "query" && (target file) ~ /^query\/fault/) continue                  # the faults are for everybody
            may = (area, from) in allowed ? allowed[area, from] : allowed[area, "*"]
            seen++
            if (index(may, " " to " ")) continue
            print file " includes " target ": " (area == "" ? "" : area "/") from " may not include " (area == "" ? "" : area "/") to
            bad = 1
        }
    }
    END {
        if (seen < 1000) { print "only " seen " includes were found"; bad = 1 }
        exit bad
    }' || bad=1
# One home for each foreign library.
only() { # header pattern, the places that may include it
    found=$(grep -rlE "#include <$1" --include='*.[ch]' base scene plans schema projector logger query report cli | grep -vE "$2")
    [ -z "$found" ] || { echo "$1 is included outside its home: $found"; bad=1; }
}
only 'yaml\.h' '^base/yaml/yaml_read\.c$'
only 'ode/' '^projector/world/'
only 'readline/' '^cli/'
only 'expat\.h' '^scene/xml/xml\.c$'
only 'unzip\.h' '^projector/ensemble/foreign/archive\.c$'
only 'mujoco/' '^projector/ensemble/foreign/guest_mujoco\.c$'
only 'cairo' '^report/picture/picture\.c$'
only 'pcre2\.h' '^query/builtins/regex\.c$'
only 'sqlite3\.h' '^(schema|logger|query)/'
exit $bad
