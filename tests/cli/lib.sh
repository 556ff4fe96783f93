# Shared by the tests of the command line.
set -u
: "${FORESEE:?the program under test}" "${SOURCE:?the source tree}"
WORK=$(mktemp -d "${TMPDIR:-/tmp}/foresee-cli.XXXXXX")
trap 'chmod -R u+w "$WORK" 2>/dev/null; rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
LC_ALL=C
export LC_ALL

# The example that most tests run, and its world.
PLAN=$SOURCE/examples/table_setting/default.yaml
WORLD=$SOURCE/examples/worlds/kitchen.yaml

fail() { echo "FAILED: $*" >&2; exit 1; }

# expect STATUS WHAT command...: runs it with out.txt and err.txt; WHAT (may be empty) must stand in one of them.
expect() {
    _want=$1 _what=$2
    shift 2
    _status=0
    "$@" >out.txt 2>err.txt </dev/null || _status=$?
    [ "$_status" -eq "$_want" ] || fail "'$*' ended with $_status, not $_want: $(head -c 500 err.txt)"
    [ -z "$_what" ] || grep -qF -e "$_what" out.txt err.txt || fail "'$*' does not say '$_what': $(head -c 500 err.txt)"
}
# silent_out: the last command printed nothing on standard output.
silent_out() { [ ! -s out.txt ] || fail "standard output is not empty: $(head -c 300 out.txt)"; }
# short_log LOG [OPTION...]: the first second of the example, as an episode of the log.
short_log() {
    _log=$1
    shift
    expect 3 "" "$FORESEE" run -q "$PLAN" -o "$_log" --until 1 "$@"
}
