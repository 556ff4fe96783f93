#!/bin/sh
# The prompt as a person sees it, in a terminal of 80 columns and 24 lines.
command -v tmux >/dev/null || exit 77
. "$SOURCE/tests/cli/lib.sh"
short_log log.db
short_log log.db --seed 2
printf 'place(X) :- object(X, region, _).\n' >mine.dl
printf ':- module shelf.\nroomy(S, 2) :- object(S, region, _).\n' >shelf.dl

terminal() { tmux -u -S "$WORK/socket" -f /dev/null "$@"; }
trap 'terminal kill-server 2>/dev/null; chmod -R u+w "$WORK" 2>/dev/null; rm -rf "$WORK"' EXIT
screen() { terminal capture-pane -p -t t; }
key() { terminal send-keys -t t "$@"; }
write() { terminal send-keys -t t -l "$1"; }
# see PATTERN: waits until a line of the screen matches; none may match already.
see() {
    _tries=0
    until screen | grep -q -e "$1"; do
        _tries=$((_tries + 1))
        [ $_tries -lt 600 ] || fail "the screen does not show '$1': $(screen)"
        sleep 0.05
    done
}
gone() {
    _tries=0
    while screen | grep -q -e "$1"; do
        _tries=$((_tries + 1))
        [ $_tries -lt 600 ] || fail "the screen still shows '$1': $(screen)"
        sleep 0.05
    done
}
# A screen with nothing but the prompt.
fresh() { key C-l; gone 'answers\|error\|yes\|no$\|--'; see '^?- *$'; }
type_line() { write "$1"; key Enter; }
start() {
    terminal new-session -d -s t -x 80 -y 24 "env LC_ALL=C.UTF-8 XDG_STATE_HOME=$WORK/state ${1:-} $FORESEE query log.db -f mine.dl -f shelf.dl; echo left with \$?; read -r _"
    see '^?- *$'
}
leave() {
    key C-d
    see 'left with 0'
    key Enter
    while terminal has-session -t t 2>/dev/null; do sleep 0.05; done
}

start
see 'log.db, episode 2: .* seed 2'
# ten answers first, more on demand, the rest by typing on
fresh
type_line 'object(X, K, _).'
see '^-- 10 of [0-9]* -- more (Enter: 10 more, a: all, q: stop) --'
[ "$(screen | grep -c ' \(body\|base\|link\|region\|camera\|joint\|gripper\|robot\|laser\|palm\|finger\|wrist\)$')" -eq 10 ] || fail "not ten answers: $(screen)"
key Enter
see '^-- 20 of '
key q
see '^20 of [0-9]* answers'
fresh
type_line 'object(X, region, _).'
see '^-- 10 of 15 -- more (Enter: 5 more'
key a
see '^15 answers'
gone 'more ('
fresh
type_line 'object(X, region, _).'
see '^-- 10 of 15'
type_line 'true.'
see '^10 of 15 answers'
see '^?- true\.'
see '^yes'
# lines fit: the widest column is cut
fresh
write '.limit 3'
key Enter
type_line 'object(A, region, _), object(B, region, _), X = wide("a very long text, äöü, that does not fit into a line of this terminal", A, B).'
see '…'
screen | grep -q '^counter_top .*…$' || fail "no row is cut: $(screen)"
[ "$(screen | grep -c '^counter_top')" -eq 3 ] || fail "rows are wrapped: $(screen)"
key q
type_line '.limit 10'
# clauses over several lines
fresh
write 'object(X, K, _),'
key Enter
see '^| *$'
write 'K = region, X = table_top.'
key Enter
see '^table_top  *region'
# after a mistake the next input starts clean, and Up brings the clause back
fresh
type_line 'objekt(X, region, _), X = table_top.'
see "^error: objekt/3 is not defined; did you mean 'object'"
see '^  ^'
see '^Up brings the clause back'
see '^?- *$'
type_line 'true.'
see '^yes'
fresh
key Up Up
see '^?- objekt(X, region, _), X = table_top\.'
key Home Right Right Right Delete
write 'ec'
key Delete Enter
see '^table_top$'
# words that people type are commands, without a dot, too
fresh
type_line 'help'
see '^\.help \[COMMAND\]'
key q
see '^?- *$'
# Ctrl-C stops a query, and not the program
fresh
type_line 'between(1, 100000, X), between(1, 100000, Y), X + Y < 0.'
see 's ... (Ctrl-C stops)'
key C-c
see '^stopped after [0-9.]* s'
gone 's ... (Ctrl-C stops)'
type_line 'true.'
see '^yes'
# completion: commands, occasions, objects, times, tables
fresh
write '.whyn'
key Tab
see '^?- \.whynot'
key C-c
fresh
write 'holds_w(suppo'
key Tab
write 'table_t'
key Tab
see '^?- holds_w(supporting(table_top'
write ', X), thro'
key Tab
see 'table_top, X), throughout('
key C-c
fresh
write 'shelf:roo'
key Tab
see '^?- shelf:roomy('
write 'S, 2), N = count {C:task_par'
key Tab
see 'count {C:task_parent('
key C-c
fresh
write '.schema contact_pe'
key Tab
see '^?- \.schema contact_peak'
key C-c
fresh
write '.read mi'
key Tab
see '^?- \.read mine\.dl'
key C-c
# a file that changes is loaded before the next query; with a mistake in it the former clauses stay
fresh
type_line 'place(table_top).'
see '^yes'
fresh
printf 'place(X) :- object(X, region, _), X != table_top.\n' >other.dl
mv other.dl mine.dl
type_line 'place(table_top).'
see '^mine.dl has changed and is loaded anew'
see '^no$'
fresh
printf 'place(X) :- .\n' >mine.dl
type_line 'place(table_top).'
see 'what was loaded before stays'
see '^no$'
# rules that are typed
fresh
type_line 'near_by(X) :- liked(X).'
see '^error: liked/1 is not defined'
key C-c
fresh
type_line '+liked(plate_1).'
see '^added as 1'
type_line 'near_by(X) :- liked(X).'
see '^added as 2'
type_line 'near_by(X).'
see '^plate_1'
type_line '.forget liked'
see 'other rules need'
fresh
type_line '.episode all'
see '^all 2 episodes'
type_line 'near_by(X).'
see '^ *1  plate_1'
see '^ *2  plate_1'
type_line '.episode 1'
see '^episode 1'
# a narrower terminal
fresh
terminal resize-window -t t -x 60 -y 24
type_line '.help'
see 'more ('
key a
see 'Ctrl-C  *stops a query'
# the history outlives the program, a clause of two lines as one entry
fresh
write 'object(X, K, _),'
key Enter
see '^| *$'
type_line 'X = shelf_top, K = region.'
see '^shelf_top  region'
leave
[ -s state/foresee/history ] || fail "no history"
: >mine.dl
start NO_COLOR=1
key Up
see '^?- object(X, K, _),$'
see '^X = shelf_top, K = region\.$'
key Enter
see '^shelf_top  region'
type_line '.quit'
see 'left with 0'
