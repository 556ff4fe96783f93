#!/bin/sh
# The include table of docs/ARCHITECTURE.md, enforced on every #include "room/..." line.
cd "$1" || exit 2
bad=0
allowed() { # room -> rooms it may include, beside itself
    case "$1" in
    base) echo "" ;;
    scene | plans | schema) echo "base" ;;
    projector) echo "base scene plans schema" ;;
    include) echo "" ;;
    logger) echo "base schema" ;;
    query) echo "base schema include" ;;
    report) echo "base scene schema query include" ;;
    cli) echo "base scene plans schema projector logger query report include" ;;
    esac
}
# Inside base/: what stands directly in it is the ground; the parts stand on it, each on those named.
allowed_base() {
    case "$1" in
    top) echo "top" ;;
    time | math) echo "top $1" ;;
    text) echo "top time text" ;;
    files | term) echo "top time text $1" ;;
    yaml) echo "top time math text files term yaml" ;;
    link) echo "top time math link" ;;
    esac
}
# Inside scene/: from the shape of a thing to the robot; what changes a scene before a run knows all parts.
allowed_scene() {
    case "$1" in
    xml) echo "xml" ;;
    mesh) echo "xml mesh" ;;
    shape) echo "mesh shape" ;;
    load) echo "mesh shape load" ;;
    world) echo "mesh shape load world" ;;
    robot) echo "xml mesh shape load world robot" ;;
    top) echo "top mesh shape load world robot" ;;
    esac
}
# Inside the projector: the mind sees the middleware and what it believes, never the world.
allowed_part() {
    case "$1" in
    robot) echo "belief robot middleware.h robot_ids.h" ;;
    belief) echo "belief middleware.h" ;;
    interp) echo "belief robot interp middleware.h" ;;
    world) echo "world model.h" ;;
    sense) echo "sense world middleware.h" ;;
    fidelity) echo "fidelity world" ;;
    ensemble) echo "ensemble world fidelity model.h" ;;
    couple) echo "couple" ;;
    *) echo "belief robot interp world sense fidelity ensemble middleware.h recorder.h recorder_int.h recording.h replay.h robot_ids.h shares.h couple agent.h talk.h teleoperation.h twin.h twin_surfaces.h twin_things.h relay.h body.h meter.h inputs.h projection.h fingerprint.h fingerprint_sources.h model.h" ;;
    esac
}
# Inside the plans: the tree is what a plan is; the loader has it checked; edits are made in what the loader reads.
allowed_plans() {
    case "$1" in
    top) echo "top" ;;
    tree) echo "top tree" ;;
    check) echo "top tree check" ;;
    load) echo "top tree check load" ;;
    *) echo "top tree check load edit" ;;
    esac
}
# Inside the robot: what an action needs, downwards; mind.h and the tables beside the parts are everybody's.
allowed_robot() {
    case "$1" in
    kinematics) echo "kinematics" ;;
    grasping) echo "kinematics grasping top" ;;
    planning) echo "kinematics grasping planning top" ;;
    *) echo "kinematics grasping planning actions top" ;;
    esac
}
# Inside the interpreter: from the state of tasks to the steps of constructs; a condition asks for no task's life.
allowed_interp() {
    case "$1" in
    state) echo "state" ;;
    evaluation) echo "state evaluation top" ;;
    tasks) echo "state evaluation tasks" ;;
    constructs) echo "state evaluation tasks constructs" ;;
    *) echo "state evaluation tasks constructs top" ;;
    esac
}
# Inside the query engine: the way of a question, downwards.
allowed_query() {
    case "$1" in
    rows) echo "rows" ;;
    log) echo "rows log" ;;
    builtins) echo "rows log builtins" ;;
    rules) echo "rows log builtins rules" ;;
    lower) echo "rows log builtins rules lower" ;;
    check) echo "rows log builtins rules lower check" ;;
    prepared) echo "rows log builtins rules lower check prepared top" ;;
    tables) echo "rows log builtins rules tables" ;;
    demand) echo "rows log builtins rules tables demand" ;;
    derive) echo "rows log builtins rules tables derive" ;;
    why) echo "rows log builtins rules lower check tables demand derive why top" ;;
    *) echo "rows log builtins rules lower check prepared tables demand derive why api top" ;;
    esac
}
# Inside report/ and cli/: what stands directly in the room is for all of its parts, and needs none of them.
allowed_report() {
    case "$1" in
    top) echo "top" ;;
    picture) echo "top picture" ;;
    chart) echo "chart" ;;
    diagnosis) echo "top diagnosis" ;;
    view) echo "top picture diagnosis view" ;;
    page) echo "top picture evidence diagnosis batch view page" ;;
    evidence) echo "evidence" ;;
    batch) echo "top evidence batch" ;;
    mending) echo "top evidence mending" ;;
    diff) echo "top diagnosis diff" ;;
    compare) echo "top diagnosis compare" ;;
    esac
}
allowed_cli() {
    case "$1" in
    top) echo "top" ;;
    runs) echo "top runs" ;;
    prompt) echo "top prompt" ;;
    batch) echo "top runs batch" ;;
    branch) echo "top runs batch branch" ;;
    mend) echo "top runs batch mend" ;;
    editors) echo "top runs editors" ;;
    commands) echo "top runs prompt batch branch mend commands" ;;
    program) echo "top runs prompt batch branch mend editors commands program" ;;
    esac
}
# part_of ROOM PATH: the part of the room that a file of it belongs to; top: none.
part_of() {
    rest=${2#"$1"/}; part=${rest%%/*}
    [ "$part" = "$rest" ] && part=top
    echo "$part"
}
for room in include base scene plans schema projector logger query report cli; do
    for file in $(find "$room" -name '*.[ch]' -o -name '*.def' -path "$room/*"); do
        for include in $(sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file"); do
            target=${include%%/*}
            case " $room $(allowed "$room") " in
            *" $target "*) ;;
            *) echo "$file includes $include: $room/ may not include $target/"; bad=1 ;;
            esac
            if [ "$room" = query ] && [ "$target" = query ]; then
                rest=${file#query/}; part=${rest%%/*}
                [ "$part" = "$rest" ] && part=top
                other=${include#query/}; [ "${other%%/*}" = "$other" ] && other=top
                other=${other%%/*}
                case "$include $file" in
                query/fault*) continue ;;
                esac
                case " $(allowed_query "$part") " in
                *" $other "*) ;;
                *) echo "$file includes $include: query/$part may not include query/$other"; bad=1 ;;
                esac
            fi
            if [ "$room" = "$target" ] && [ "$room" != query ] && command -v "allowed_$room" >/dev/null; then
                part=$(part_of "$room" "$file"); other=$(part_of "$room" "$include")
                case " $("allowed_$room" "$part") " in
                *" $other "*) ;;
                *) echo "$file includes $include: $room/$part may not include $room/$other"; bad=1 ;;
                esac
            fi
            for within in robot interp; do
                case "$file $include" in
                projector/$within/*\ projector/$within/*)
                    part=$(part_of "projector/$within" "$file"); other=$(part_of "projector/$within" "$include")
                    case " $("allowed_$within" "$part") " in
                    *" $other "*) ;;
                    *) echo "$file includes $include: $within/$part may not include $within/$other"; bad=1 ;;
                    esac ;;
                esac
            done
            if [ "$room" = projector ] && [ "$target" = projector ]; then
                rest=${file#projector/}; part=${rest%%/*}
                [ "$part" = "$rest" ] && part=top
                other=${include#projector/}; other=${other%%/*}
                # The face that whatever is stepped shows.
                [ "$include" = projector/ensemble/model.h ] && other=model.h
                case " $(allowed_part "$part") " in
                *" $other "*) ;;
                *) echo "$file includes $include: projector/$part may not include projector/$other"; bad=1 ;;
                esac
            fi
        done
    done
done
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
