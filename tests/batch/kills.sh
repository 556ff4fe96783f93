#!/bin/sh
# kills.sh N: a batch is ended by SIGKILL at N instants and resumed, each time until it is complete: its log is that of a batch
# that never stopped, and no worker and no file is left.
. "${0%/*}/lib.sh"
N=${1:-3}
batch whole.db good.yaml bad.yaml -n 5 -j 2 --vary luck.yaml
whole=$(dump whole.db)
# The time that the batch takes, in ms, over which the kills are spread by the golden section.
begin=$(date +%s%N)
batch timed.db good.yaml bad.yaml -n 5 -j 2 --vary luck.yaml
of=$((($(date +%s%N) - begin) / 1000000))
i=0 killed=0
while [ $i -lt "$N" ]; do
    i=$((i + 1))
    rm -f now.db*
    at=$((1 + i * 618034 % 1000000 * of / 1000000))
    jobs=$((1 + i % 2))
    "$FORESEE" batch -q good.yaml bad.yaml -n 5 -j $jobs --vary luck.yaml -o now.db >/dev/null 2>&1 &
    pid=$!
    sleep "$(printf '%d.%03d' $((at / 1000)) $((at % 1000)))"
    ! kill -9 $pid 2>/dev/null || killed=$((killed + 1))
    wait $pid 2>/dev/null
    [ ! -e now.db ] || [ "$(sqlite3 now.db 'pragma integrity_check;')" = ok ] || fail "killed after $at ms, the log is damaged"
    batch now.db good.yaml bad.yaml -n 5 -j $((3 - jobs)) --vary luck.yaml --resume
    [ "$(dump now.db)" = "$whole" ] || fail "killed after $at of $of ms and resumed, the log is another"
done
# Workers end with their parent, which the lock on their folder shows; the next batch then removes the folder.
sleep 1
batch last.db good.yaml -n 1
left=$(find . -name '.foresee*')
[ -z "$left" ] || fail "left behind: $left"
echo "$killed of $N kills struck"
[ $killed -gt 0 ] || fail "no kill struck"
