# Shared by the scripts of the benchmark. FORESEE: the program under test; LABEL: tests/flaws/flaw_label.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
: "${FORESEE:=foresee}" "${LABEL:=flaw_label}"
SCENES="tune held" SEEDS=1..20 CASES= JOBS=1 LIST= OUT=
export FORESEE LABEL HERE

usage() { sed -n 's/^# \{0,1\}//p' "$0" | sed '1d' >&2; exit 2; }
fail() { echo "$*" >&2; exit 1; }

# need PROGRAM VARIABLE WHAT: stops where the program is not there.
need() { command -v "$1" >/dev/null || fail "$2 must name $3"; }

# The options that all scripts share; what is left goes into OUT.
options() {
    while [ $# -gt 0 ]; do
        case $1 in
            --scene) SCENES=$2; shift 2 ;;
            --seeds) SEEDS=$2; shift 2 ;;
            --cases) CASES=$2; shift 2 ;;
            --list) LIST=1; shift ;;
            -j) JOBS=$2; shift 2 ;;
            -*) usage ;;
            *) OUT=$1; shift ;;
        esac
    done
    [ -n "$OUT" ] || usage
    [ -n "$CASES" ] || CASES=$(cd "$HERE/cases" && ls)
    mkdir -p "$OUT"
    OUT=$(cd "$OUT" && pwd)
    export OUT
}

# "1..20" or "1,4,7": one a line.
seeds() {
    case $SEEDS in
        *..*) seq "${SEEDS%..*}" "${SEEDS#*..}" ;;
        *) echo "$SEEDS" | tr , '\n' ;;
    esac
}

# CASE SCENE SEED, one a line.
episodes() {
    for _case in $CASES; do
        for _scene in $SCENES; do
            [ -f "$HERE/cases/$_case/$_scene.yaml" ] || continue
            seeds | sed "s/^/$_case $_scene /"
        done
    done
}

# Files of one JSON document each into one array.
join_json() {
    echo '['
    _first=
    for _file in "$@"; do
        [ -f "$_file" ] || continue
        [ -z "$_first" ] || echo ','
        _first=1
        cat "$_file"
    done
    echo ']'
}
