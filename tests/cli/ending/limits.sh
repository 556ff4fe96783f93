#!/bin/sh
# Answers that cannot all be printed: memory that runs out, Ctrl-C, a reader that leaves, a full disk.
. "$SOURCE/tests/cli/lib.sh"
short_log log.db
printf 'pair(X, Y) :- between(1, 60000, X), Y = X * 2.\n' >pairs.dl

# With any amount of memory there are all answers, or a sentence and 3. The loader itself needs some memory. What a
# sanitizer reserves is more than any of these limits.
if (ulimit -v 4000000 && "$FORESEE" --version) >/dev/null 2>&1; then
    answered=0 refused=0
    least=2000
    until (ulimit -v $least && "$FORESEE" --version) >/dev/null 2>&1; do least=$((least + 1000)); done
    for more in 2000 5000 8000 11000 14000 17000 22000 30000 60000; do
        kilobytes=$((least + more))
        for form in table lines csv json plain; do
            status=0
            (ulimit -v $kilobytes && exec "$FORESEE" query log.db 'pair(X, Y)' -f pairs.dl --format $form) \
                >out.txt 2>err.txt || status=$?
            case $status in
            0) answered=$((answered + 1)) && [ "$(wc -l <out.txt)" -ge 60000 ] || fail "$form with $kilobytes KB: answers are missing" ;;
            3) refused=$((refused + 1)) && grep -q 'memory' err.txt || fail "$form with $kilobytes KB: no sentence: $(cat err.txt)" ;;
            *) fail "$form with $kilobytes KB ended with $status: $(head -c 300 err.txt)" ;;
            esac
        done
        # A session goes on after it.
        status=0
        (ulimit -v $kilobytes && printf 'pair(X, Y).\nbetween(1, 90000, X).\nX = last.\n' |
            "$FORESEE" query log.db -f pairs.dl) >out.txt 2>err.txt || status=$?
        [ $status -eq 0 ] || [ $status -eq 3 ] || fail "a session with $kilobytes KB ended with $status: $(head -c 300 err.txt)"
        [ $status -eq 3 ] || grep -q '^last$' out.txt || fail "a session with $kilobytes KB lost its last query"
    done
    [ $answered -gt 0 ] && [ $refused -gt 0 ] || fail "$answered runs answered, $refused were refused: the limits tell nothing"
fi

# Ctrl-C while answers are printed: the reader holds them up, so that they cannot all be out. In a pipe of queries, too.
mkfifo pipe
for form in table lines csv json plain session; do
    if [ $form = session ]; then
        printf 'pair(X, Y).\npair(X, Y).\n' >queries.txt
        "$FORESEE" query log.db -f pairs.dl <queries.txt >pipe 2>err.txt &
    else
        "$FORESEE" query log.db 'pair(X, Y)' -f pairs.dl --format $form >pipe 2>err.txt &
    fi
    asked=$!
    exec 3<pipe
    head -c 100 <&3 >/dev/null
    kill -INT $asked
    cat <&3 >out.txt
    exec 3<&-
    status=0
    wait $asked || status=$?
    [ $status -eq 130 ] || fail "$form: Ctrl-C while printing ended with $status: $(cat err.txt)"
    [ "$(wc -l <out.txt)" -lt 50000 ] || fail "$form: all was printed after Ctrl-C"
    grep -q 'cannot be written' err.txt && fail "$form: Ctrl-C is taken for a fault: $(cat err.txt)"
done

# A reader that leaves is no failure; a full disk is one.
"$FORESEE" query log.db 'pair(X, Y)' -f pairs.dl 2>err.txt | head -n 1 >/dev/null
[ ! -s err.txt ] || fail "a closed pipe: $(cat err.txt)"
if [ -c /dev/full ]; then
    for form in table lines csv json plain; do
        status=0
        "$FORESEE" query log.db 'pair(X, Y)' -f pairs.dl --format $form >/dev/full 2>err.txt || status=$?
        [ $status -eq 3 ] || fail "$form: a full disk ended with $status"
        [ "$(grep -c 'cannot be written' err.txt)" -eq 1 ] || fail "$form: a full disk: $(cat err.txt)"
    done
fi
