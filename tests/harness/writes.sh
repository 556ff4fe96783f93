#!/bin/sh
# writes.sh N: in every writer the n-th write fails, at most N for each kind of failure: the disk fails once, it is
# full once, it is full from then on. Nothing aborts, the status is 3 with a sentence, what was there is there
# still, and no temporary file is left.
. "${0%/*}/lib.sh"
N=${1:-4}
EIO=5 ENOSPC=28
"$FORESEE" diagnose earlier.db --format json -o old_diagnosis >/dev/null 2>&1
for format in text json html; do
    "$FORESEE" diagnose earlier.db --format $format -o new_$format >/dev/null 2>&1
done
cp plan.yaml old_plan
printf -- '- set_property: all/say\n  key: log\n  value: "older"\n' >old_inverse
"$FORESEE" edit plan.yaml edits.yaml -o new_plan --inverse new_inverse >/dev/null || fail "edit"
"$FORESEE" show world.yaml -o old_picture --size 64x64 || fail "show"
"$FORESEE" show world.yaml -o new_picture --size 80x64 || fail "show"
"$FORESEE" query earlier.db 'between(1, 3000, X).' --format lines >new_answers || fail "query"

struck=0 refused=0
strike_at() { # what is struck, prepare, check, the striker and the command
    what=$1 prepare=$2 check=$3
    shift 3
    rm -rf now*
    $prepare
    code=0
    "$STRIKE" "$@" >now_out 2>err.txt </dev/null || code=$?
    [ $code -ne 99 ] || return 0
    struck=$((struck + 1))
    [ $code -lt 128 ] && ! broken err.txt || fail "$what: ended with $code: $(cat err.txt)"
    [ $code -ne 2 ] || fail "$what: it is called a wrong request: $(cat err.txt)"
    if [ $code -eq 3 ]; then
        refused=$((refused + 1))
        grep -q 'error: ' err.txt || fail "$what: status 3 and not a sentence"
    fi
    $check $code "$what"
    left=$(find . -name '.foresee*' && find tmp -mindepth 1)
    [ -z "$left" ] || fail "$what: left behind: $left"
}
over() { # NAME prepare check command...
    name=$1 prepare=$2 check=$3
    shift 3
    for kind in "fail $EIO" "fail $ENOSPC" "full "; do
        mode=${kind%% *} number=${kind#* }
        rm -rf now*
        $prepare
        of=$(calls "$mode" "$@")
        step=$(( (of + N - 1) / N )) at=1
        while [ $at -le "$of" ]; do
            strike_at "$name, $kind at write $at of $of" "$prepare" "$check" "$mode" $at $number "$@"
            at=$((at + step))
        done
        # The last ones put in place what was written.
        strike_at "$name, $kind at the last write of $of" "$prepare" "$check" "$mode" "$of" $number "$@"
    done
}

nothing() { :; }
a_log() { cp earlier.db now.db; }
check_new_log() { sound now.db no "$2"; [ "$1" -eq 3 ] || whole "$1" now.db 1 "$2"; }
check_log() { sound now.db yes "$2"; [ "$1" -eq 3 ] || whole "$1" now.db 2 "$2"; }
check_batch() { sound now.db yes "$2"; [ "$1" -eq 3 ] || whole "$1" now.db 3 "$2"; }
whole() { # status, log, episodes, what: a failure that made no difference
    [ "$1" -eq 0 ] || fail "$4: status $1"
    [ "$(sqlite3 "$2" "select count(*) from episode where outcome = 'succeeded' and complete;")" -eq "$3" ] ||
        fail "$4: status 0, and an episode is missing"
}
over "run into a new log" nothing check_new_log "$FORESEE" run plan.yaml -o now.db
over "run" a_log check_log "$FORESEE" run plan.yaml -o now.db --seed 2
over "batch" a_log check_batch "$FORESEE" batch plan.yaml -n 2 -j 1 -o now.db

check_derived() {
    sound now.db yes "$2"
    [ "$1" -eq 3 ] || [ "$(sqlite3 now.db 'select count(*) from derived;')" -ge 3 ] || fail "$2: a table is missing"
}
over "derive" a_log check_derived "$FORESEE" derive now.db on contact flaw

# check_output STATUS WHAT FILE OLD NEW: refused, the old one is there; else the new one.
check_output() {
    if [ "$1" -eq 3 ]; then
        same "$3" "$4" || fail "$2: what was there is another"
    else
        same "$3" "$5" || fail "$2: status $1, and it is not written"
    fi
}
old_diagnosis() { cp old_diagnosis now.txt; }
for format in text json html; do
    check_diagnosis() { check_output "$1" "$2" now.txt old_diagnosis new_$format; }
    over "diagnose --format $format" old_diagnosis check_diagnosis \
        "$FORESEE" diagnose earlier.db --format $format -o now.txt
done
old_plan() { cp old_plan now.yaml; cp old_inverse now_back.yaml; }
# What is printed fails behind it: both are written then.
check_plan() {
    if [ "$1" -eq 3 ] && grep -q 'standard output' err.txt; then set -- 0 "$2"; fi
    check_output "$1" "$2" now.yaml old_plan new_plan
    check_output "$1" "$2" now_back.yaml old_inverse new_inverse
}
over "edit" old_plan check_plan "$FORESEE" edit plan.yaml edits.yaml -o now.yaml --inverse now_back.yaml
old_picture() { cp old_picture now.png; }
check_picture() { check_output "$1" "$2" now.png old_picture new_picture; }
over "show" old_picture check_picture "$FORESEE" show world.yaml -o now.png --size 80x64
check_answers() { [ "$1" -eq 3 ] || same now_out new_answers || fail "$2: answers are missing"; }
over "query" nothing check_answers "$FORESEE" query earlier.db 'between(1, 3000, X).' --format lines

# The prompt's history, which is shortened as the prompt begins: it fails silently, and loses nothing.
# An end of input that comes while the prompt still sets up its terminal is lost, so it is given until the prompt has gone.
prompt() {
    { printf 'between(1, 3, X).\n'; while sleep 0.2 && printf '\004'; do :; done; } 2>/dev/null | FORESEE_HISTORY=$WORK/now_history \
        script -qec "'$STRIKE' $* '$FORESEE' query earlier.db" /dev/null >now_out 2>err.txt
}
history() { i=0; while [ $i -lt 2100 ]; do i=$((i + 1)); echo "old($i)."; done >now_history; }
if command -v script >/dev/null; then
    for kind in "fail $EIO" "fail $ENOSPC" "full "; do
        mode=${kind%% *} number=${kind#* }
        history
        prompt count $mode n.txt
        of=$(cat n.txt) at=1
        [ "$(wc -l <now_history)" -eq 1001 ] || fail "the history is not shortened: $(wc -l <now_history) lines"
        while [ $at -le "$of" ]; do
            what="the prompt, $kind at write $at of $of" code=0
            history
            prompt $mode $at $number || code=$?
            [ $code -lt 128 ] && ! broken now_out || fail "$what: ended with $code: $(cat now_out)"
            struck=$((struck + 1)) refused=$((refused + 1))
            lines=$(wc -l <now_history)
            [ "$lines" -ge 1000 ] && ! grep -qv -e '^old([0-9]*)\.$' -e '^between(1, 3, X)\.$' now_history &&
                grep -q '^old(2100)' now_history || fail "$what: the history has lost entries"
            [ -z "$(find . -name '.foresee*')" ] || fail "$what: left behind: $(find . -name '.foresee*')"
            at=$((at + 1 + of / (2 * N)))
        done
    done
fi
echo "$struck writes failed, $refused times with status 3"
[ "$refused" -gt $((struck / 2)) ] || fail "only $refused of $struck failures were noticed"
