#!/bin/sh
# A log that changes while the prompt asks it: episodes are appended, another file takes its place, the file goes away.
. "$SOURCE/tests/cli/lib.sh"
FORESEE_HISTORY=$WORK/history
export FORESEE_HISTORY
project() { expect 3 "" "$FORESEE" run -q "$PLAN" --until 0.5 "$@"; }
project -o log.db
project -o other.db --seed 7

mkfifo in
: >said.txt
"$FORESEE" query log.db --format lines <in >said.txt 2>notes.txt &
session=$!
exec 3>in
# ask TEXT ANSWER: the session's next line.
lines=0
ask() {
    printf '%s\n' "$1" >&3
    lines=$((lines + 1))
    tries=0
    while [ "$(wc -l <said.txt)" -lt "$lines" ]; do
        kill -0 "$session" 2>/dev/null || fail "the session ended at '$1': $(cat notes.txt)"
        tries=$((tries + 1))
        [ "$tries" -lt 600 ] || fail "'$1' is not answered: $(cat notes.txt)"
        sleep 0.1
    done
    [ "$(sed -n "${lines}p" said.txt)" = "$2" ] || fail "'$1' gives '$(sed -n "${lines}p" said.txt)', not '$2'"
}
notes() { [ "$(wc -l <notes.txt)" -eq "$1" ] || fail "there are not $1 notes: $(cat notes.txt)"; }
noted() { tail -n 1 notes.txt | grep -qF -e "$1" || fail "it is not noted that '$1': $(cat notes.txt)"; }

# rules that were typed stay, whatever becomes of the log
printf '+mine(1).\n' >&3
ask 'mine(X).' 'mine(1)'
ask '.episode' 'episode 1'
notes 0

# the last episode is asked, unless another was chosen
project -o log.db --seed 2
ask '.episode' 'episode 2'
noted 'log.db has changed; episode 2 is asked'
ask '.episode' 'episode 2'
notes 1
# The episode is chosen before the next projection begins.
printf '.episode 1\n' >&3
ask '.episode' 'episode 1'
project -o log.db --seed 3
ask '.episode' 'episode 1'
noted 'log.db has changed; episode 1 is asked'
ask 'X = 3.' 'answer(3)'
notes 2
printf '.episode last\n' >&3
ask '.episode' 'episode 3'
printf '.episode all\n' >&3
ask '.episode' 'all 3 episodes'
project -o log.db --seed 4
ask '.episode' 'all 4 episodes'
noted 'log.db has changed; its 4 episodes are asked'
printf '.episode last\n' >&3
ask 'mine(X).' 'mine(1)'

# Another log takes its place.
mv other.db log.db
ask '.episode' 'episode 1'
noted 'log.db is another file now; episode 1 is asked'
ask 'mine(X).' 'mine(1)'
notes 4

# A file that is no log: the former log is asked, which is said once.
cp log.db kept.db
printf 'no log at all' >wrong.db
mv wrong.db log.db
ask '.episode' 'episode 1'
noted 'cannot be read now; answers are from what it held before'
before=$(wc -l <notes.txt)
ask 'object(plate_1, K, _), K = body.' 'answer(body)'
notes "$before"

# No file, and then a log again.
rm log.db
ask 'object(plate_1, K, _), K = body.' 'answer(body)'
noted 'log.db is gone; what it held is asked still'
cp kept.db log.db
ask '.episode' 'episode 1'
noted 'episode 1 is asked'
ask 'mine(X).' 'mine(1)'
exec 3>&-
wait "$session" || fail "the session ended with $?: $(cat notes.txt)"
exit 0
