#!/bin/sh
# Questions, rules and commands from a pipe.
. "$SOURCE/tests/cli/lib.sh"
FORESEE_HISTORY=$WORK/history
export FORESEE_HISTORY
short_log log.db
short_log log.db --seed 2

# ask STATUS TEXT [OPTION...]: pipes the text into the program; out.txt and err.txt hold what it said.
ask() {
    _want=$1
    printf '%b' "$2" >in.txt
    shift 2
    _status=0
    "$FORESEE" query log.db "$@" <in.txt >out.txt 2>err.txt || _status=$?
    [ "$_status" -eq "$_want" ] || fail "'$(cat in.txt)' ended with $_status, not $_want: $(head -c 500 err.txt)"
}
says() { grep -qF -e "$1" "$2" || fail "$2 does not say '$1': $(head -c 800 "$2")"; }
is() { [ "$(cat out.txt)" = "$(printf '%b' "$1")" ] || fail "not '$1' but '$(cat out.txt)'"; }
quiet() { [ ! -s err.txt ] || fail "standard error is not empty: $(head -c 500 err.txt)"; }

# Answers are those of the same query on the command line, in every form, without echo or prompt
for form in table lines csv json plain; do
    "$FORESEE" query log.db 'object(X, region, _), object(Y, gripper, _).' --format $form >alone.txt || fail "$form: no answers"
    ask 0 'object(X, region, _), object(Y, gripper, _).\n' --format $form
    cmp -s out.txt alone.txt || fail "$form: a pipe gives other answers: $(head -3 out.txt)"
    quiet
    ask 0 ".format $form\nobject(X, region, _), object(Y, gripper, _)." # the last line is not ended
    cmp -s out.txt alone.txt || fail ".format $form gives other answers: $(head -3 out.txt)"
    quiet
done
ask 0 'true. true.\n% a comment.\n\n/* one. more */ true.'
is 'yes\nyes\nyes'
ask 0 'X = 2.5.\nY = "a. b".\n' --format lines
is 'answer(2.5)\nanswer("a. b")'
ask 0 ''
is ''

# The exit status is the worst one, and mistakes stop nothing.
ask 1 'true.\nfalse.\ntrue.\n'
is 'yes\nno\nyes'
ask 2 'true.\n  nothing_like_this(X),\n  true.\nfalse.\n'
is 'yes\nno'
says "stdin:2:3: error: " err.txt
says "  nothing_like_this(X)," err.txt
ask 2 "true.\nX = 'not closed.\ntrue.\n"
is 'yes\nyes'
says 'stdin:2:5: error: ' err.txt
ask 2 'true.\ntrue,\n'
says 'stdin:' err.txt

# rules and facts
ask 0 'near_by(X) :- likes(X).\n+likes(plate_1).\n+ likes(cup_1).\nnear_by(X).\n' --format lines
is 'near_by(cup_1)\nnear_by(plate_1)'
quiet
ask 0 'reach(X, Y) :- way(X, Y).\nreach(X, Z) :- reach(X, Y), way(Y, Z).\n+way(1, 2).\n+way(2, 3).\nreach(1, X).\n' --format csv
is 'X\n2\n3'
ask 2 'true.\nfar(X) :- object(X, _, _),\n  Y > 2.\nfar(X).\n'
says 'stdin:3:' err.txt
ask 0 ':- declare far(object: object) "Out of reach.".\nfar(X) :- object(X, region, _).\n.predicates far\n'
says 'Out of reach.' out.txt
ask 2 '+a(1).\n+b(2).\n.forget a\n.rules\na(X).\n'
says 'b(2).' out.txt
says "a/1 is not defined" err.txt
ask 2 '.forget nothing\n'
ask 0 '+threshold(slip_distance, 0.5).\nthreshold(slip_distance, X).\n' --format lines
is 'threshold(slip_distance, 0.5)'
says 'adds to threshold' err.txt

# Typed clauses can be saved, and read again.
ask 0 'double(X, Y) :- Y = 2 * X.\n+one(1).\n.save mine.dl\n'
ask 0 '.read mine.dl\none(X), double(X, Y).\n.read\n' --format lines
is 'answer(1, 2)\nmine.dl'
ask 2 '+one(2).\n.save mine.dl\n'
says 'mine.dl' err.txt
ask 2 '.read not_there.dl\n'
says 'not_there.dl' err.txt
printf 'wrong(X) :- .\n' >wrong.dl
ask 2 '.read wrong.dl\ntrue.\n'
says 'wrong.dl:1:' err.txt
is 'yes'

# commands
ask 0 '.help\n'
for command in help predicates schema rules forget save read why whynot episodes episode format limit time plan output sql shell quit; do
    says ".$command" out.txt
    ask 0 ".help $command\n"
    says ".$command" out.txt
    ask 0 '.help\n'
done
ask 2 '\ntrue.\n.formt csv\n'
says "stdin:3:1: error: unknown command '.formt'; did you mean '.format'?" err.txt
ask 2 '.fo csv\n'
says "'.fo' could be .forget, .format" err.txt
ask 0 '.form csv\n.pred supporting\n.sch *contact*\n'
says 'holds_w(supporting(bottom: object, top: object), time: time)' out.txt
says 'contact_peak' out.txt
ask 2 '.predicates suporting\n'
says "did you mean 'supporting'" err.txt
ask 0 '.rules supporting\n'
says 'contact.dl:' out.txt
ask 2 '.format cvs\n.time perhaps\n.limit none\n.episode first\n.episode 7\n'
[ "$(grep -c 'error:' err.txt)" -eq 5 ] || fail "not five mistakes: $(cat err.txt)"
ask 0 '.time on\ntrue.\n.time off\ntrue.\n'
is 'yes\nyes'
[ "$(wc -l <err.txt)" -eq 1 ] || fail "not one line of time: $(cat err.txt)"
ask 0 'true.\n.quit\nfalse.\n'
is 'yes'

ask 0 'true.\nexit\nfalse.\n'
is 'yes'
ask 0 'help.\nquit\nfalse.\n'
says '.quit' out.txt

# what can be asked: groups, names, words of the documentation
ask 0 '.predicates\n'
for group in occasions events flaws facts signals builtins contact.dl; do says ".predicates $group " out.txt; done
ask 0 '.predicates events\n'
says 'occurs_w(slip(object: object, hand: object), time: time)' out.txt
if grep -qF 'supporting' out.txt; then fail 'events list what is no event'; fi
ask 0 '.predicates upward part of\n'
says 'normal_up' out.txt
ask 0 '.schema contact\n'
says 'contact(contact: integer, a: object, b: object, start: time, end: time)' out.txt

# a time that is missing is what is named
ask 2 'holds_w(on(X, Y)).\non(X, Y).\npick_up(X).\noccurs_w(pick_up(X)).\nholds_w(on(X), at(1)).\n'
says 'stdin:1:1: error: holds_w says when, too: holds_w(on(...), at(T))' err.txt
says 'stdin:2:1: error: on/2 is not defined; it is asked as holds_w(on(...), at(T))' err.txt
says 'stdin:3:1: error: pick_up/1 is not defined; it is asked as occurs_w(pick_up(...), T)' err.txt
says 'stdin:4:1: error: occurs_w says when, too: occurs_w(pick_up(...), T)' err.txt
says 'stdin:5:1: error: holds_w(on/1) is not defined; on takes 2 arguments' err.txt

# answers to a file, SQL, the shell
ask 0 '.output answers.txt\nX = 1.\nX = 2.\n.output\nX = 3.\n'
is 'X\n-\n3'
[ "$(cat answers.txt)" = "$(printf 'X\n-\n1\nX\n-\n2')" ] || fail "not the two answers: $(cat answers.txt)"
ask 2 '.output answers.txt\n'
says 'answers.txt' err.txt
[ "$(wc -l <answers.txt)" -eq 6 ] || fail "a file that was there was changed"
ask 0 '.sql select kind, count(*) as n from object_view where kind = '"'camera'"' and episode = 1 group by kind\n'
is 'kind    n\n------  -\ncamera  1'
ask 2 '.sql delete from object\n.sql select absent\n.sql\n'
says 'a log is read, not changed' err.txt
says 'no such column: absent' err.txt
says '.sql needs QUERY' err.txt
ask 0 '.shell basename "$LOG"\n'
is 'log.db'

# reasons
ask 0 'why task(X).\n'
says 'log: task 1' out.txt
cp out.txt why.txt
ask 0 '.why task(X)\n'
cmp -s out.txt why.txt || fail ".why and why differ: $(cat out.txt)"
ask 0 'why not task(9999).\n'
says '9999' out.txt
cp out.txt why.txt
ask 0 '.whynot task(9999)\n'
cmp -s out.txt why.txt || fail ".whynot and why not differ: $(cat out.txt)"
ask 0 '.format json\nwhy task(X).\n'
sqlite3 :memory: "select json_valid(readfile('out.txt'));" | grep -q 1 || fail "no JSON: $(cat out.txt)"
ask 2 'why\n  taks(1).\n.why taks(1)\n.whynot  taks(1)\n.why\n'
says 'stdin:2:3: error: ' err.txt
says 'stdin:3:6: error: ' err.txt
says 'stdin:4:10: error: ' err.txt
says 'stdin:5:1: error: ' err.txt

# episodes
ask 0 '.episodes\n.episode\n'
says '*   2' out.txt
says 'episode 2' out.txt
ask 0 '.episode 1\n.episode\n.episode last\n.episode\n'
is 'episode 1\nepisode 2'
ask 0 '+mine(1).\n.episode all\nmine(X).\n.episode 1\nmine(X).\n' --format csv
is 'episode,X\n1,1\n2,1\nX\n1'

# Complete clauses are answered before the input ends.
mkfifo pipe
"$FORESEE" query log.db <pipe >out.txt 2>err.txt &
exec 3>pipe
printf 'true.\n' >&3
tries=0
until grep -q yes out.txt; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || fail "no answer while the pipe is open"
    sleep 0.1
done
exec 3>&-
wait $! || fail "the pipe ended with $?"
[ ! -e history ] || fail "a pipe leaves a history"
