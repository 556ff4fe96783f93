#!/bin/sh
# kills.sh N: each command that writes is killed N times, at system calls spread over all that it makes. No
# outcome is wrong, no file is lost or damaged, and what was being written is the old or the new one. What SIGTERM
# ends there ends in order, and leaves no temporary file.
. "${0%/*}/lib.sh"
N=${1:-10}

"$FORESEE" diagnose earlier.db --format json -o old_diagnosis >/dev/null 2>&1
"$FORESEE" diagnose earlier.db -o new_diagnosis >/dev/null 2>&1
cp plan.yaml old_plan
printf -- '- set_property: all/say\n  key: log\n  value: "older"\n' >old_inverse
"$FORESEE" edit plan.yaml edits.yaml -o new_plan --inverse new_inverse >/dev/null || fail "edit"
cp earlier.db derived.db
"$FORESEE" derive -q derived.db on contact flaw >/dev/null || fail "derive"
contents() { sqlite3 "$1" .dump | cksum; }
derived=$(contents derived.db)

struck=0 mixed=0
# over NAME MODE prepare check command...: the command once for each kill.
over() {
    name=$1 mode=$2 prepare=$3 check=$4
    shift 4
    rm -rf now*
    $prepare
    of=$(calls "$mode" "$@")
    [ "$of" -gt 3 ] || fail "$name makes $of calls"
    i=0
    while [ $i -lt "$N" ]; do
        i=$((i + 1))
        rm -rf now* .foresee*
        $prepare
        # Spread by the golden section, from the first to the last.
        at=$(( 1 + (i * 618034 % 1000000) * of / 1000000 ))
        code=0
        "$STRIKE" "$mode" $at "$@" >out.txt 2>err.txt </dev/null || code=$?
        [ $code -ne 99 ] || continue # it made fewer calls this time
        struck=$((struck + 1))
        ! broken err.txt || fail "$name, killed at $at: $(cat err.txt)"
        $check "$name, $mode at call $at of $of"
        [ "$mode" = term ] || continue
        [ $code -eq 130 ] || [ $code -le 3 ] || fail "$name, SIGTERM at $at: ended with $code: $(cat err.txt)"
        left=$(find . -name '.foresee*' && find tmp -mindepth 1)
        [ -z "$left" ] || fail "$name, SIGTERM at $at: left behind: $left"
    done
}

nothing() { :; }
a_log() { cp earlier.db now.db; }
check_log() { sound now.db yes "$1"; }
check_new_log() { sound now.db no "$1"; }
over "run into a new log" kill nothing check_new_log "$FORESEE" run -q plan.yaml -o now.db
over "run" kill a_log check_log "$FORESEE" run -q plan.yaml -o now.db --seed 2

check_derived() {
    sound now.db yes "$1"
    "$FORESEE" derive -q now.db on contact flaw >/dev/null 2>err.txt || fail "$1: derive again: $(cat err.txt)"
    [ "$(contents now.db)" = "$derived" ] || fail "$1: derived again, the log is another"
}
over "derive" kill a_log check_derived "$FORESEE" derive -q now.db on contact flaw

old_diagnosis() { cp old_diagnosis now.txt; }
check_diagnosis() { same now.txt old_diagnosis || same now.txt new_diagnosis || fail "$1: the diagnosis is neither"; }
over "diagnose -o" any old_diagnosis check_diagnosis "$FORESEE" diagnose earlier.db -o now.txt

old_plan() { cp old_plan now.yaml; cp old_inverse now_back.yaml; }
check_plan() {
    same now.yaml old_plan || same now.yaml new_plan || fail "$1: the plan is neither"
    same now_back.yaml old_inverse || same now_back.yaml new_inverse || fail "$1: the inverse is neither"
    same now.yaml new_plan || same now_back.yaml old_inverse || mixed=$((mixed + 1))
}
over "edit" any old_plan check_plan "$FORESEE" edit plan.yaml edits.yaml -o now.yaml --inverse now_back.yaml

# A worker or the one that merges.
over "batch" kill a_log check_log "$FORESEE" batch plan.yaml -n 2 -j 2 -q -o now.db

over "run" term a_log check_log "$FORESEE" run -q plan.yaml -o now.db --seed 2
over "batch" term a_log check_log "$FORESEE" batch plan.yaml -n 2 -j 2 -q -o now.db
over "edit" term old_plan check_plan "$FORESEE" edit plan.yaml edits.yaml -o now.yaml --inverse now_back.yaml
"$FORESEE" diagnose earlier.db --format html -o new_diagnosis >/dev/null 2>&1
over "diagnose --format html" term old_diagnosis check_diagnosis \
    "$FORESEE" diagnose earlier.db --format html -o now.txt

# What was never judged says so, and is judged when it is run again.
[ -e unjudged.db ] || fail "no run was killed between its end and its judgement"
last=$(sqlite3 unjudged.db "select max(id) from episode where outcome = 'unjudged';")
expect 3 "not judged" "$FORESEE" diagnose unjudged.db --episode "$last"
expect 0 "unjudged" "$FORESEE" tree unjudged.db --episode "$last"
expect 0 "succeeded" "$FORESEE" run unjudged.db --episode "$last" -o again.db
echo "$struck kills; $unjudged episodes are unjudged, $mixed times the inverse alone was written"
[ "$struck" -ge $((N * 9)) ] || fail "only $struck of $((N * 10)) kills struck"
