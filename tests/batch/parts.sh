#!/bin/sh
# A batch in parts that somebody else projects: its log is that of the machine's own workers, also when parts come in another order, when
# one is damaged, when the batch is killed and resumed, and when a stopping rule ends it.
. "${0%/*}/lib.sh"
batch whole.db good.yaml bad.yaml -n 5 -j 2 --vary luck.yaml
batch sure.db good.yaml bad.yaml -n 30 -j 2 --vary luck.yaml --until-sure 0.2
whole=$(dump whole.db)

# begin LOG [option...]: a batch in parts, in the background; its exit status comes to LOG.status.
begin() {
    _log=$1
    shift
    rm -f "$_log.status"
    ("$FORESEE" batch good.yaml bad.yaml --vary luck.yaml --engine parts -o "$_log" "$@" >"$_log.txt" 2>"$_log.err" &
        echo $! >"$_log.pid"
        wait $!
        echo $? >"$_log.status") 2>/dev/null &
}
# until_there FILE LOG: waits for the file while the batch of the log goes on.
until_there() { while [ ! -e "$1" ] && [ ! -e "$2.status" ]; do sleep 0.1; done; }
# serve LOG [damage]: projects all parts of all waves, from the last to the first, until the batch ends. damage: a byte of the first that is
# projected is changed, and it is projected again when the batch has removed it.
serve() {
    damaged=${2:-no}
    while [ ! -e "$1.status" ]; do
        for manifest in "$1".parts/[1-9]*/manifest.yaml; do
            [ -e "$manifest" ] || continue
            folder=${manifest%/*}
            i=$(grep -c '^  - \[' "$manifest")
            while [ "$i" -ge 1 ] && [ ! -e "$1.status" ]; do
                mark="$1.served-$(echo "$folder" | tr / -)-$i"
                if [ ! -e "$mark" ] && ! cmp -s "$folder/part-$i.db" damaged.db; then
                    "$FORESEE" batch -q --part "$i" "$manifest" 2>part.err || fail "part $i of $manifest: $(cat part.err)"
                    if [ "$damaged" = damage ]; then
                        damaged=done
                        printf X | dd of="$folder/part-$i.db" bs=1 seek=5000 conv=notrunc 2>/dev/null
                        cp "$folder/part-$i.db" damaged.db
                    else
                        : >"$mark"
                    fi
                fi
                i=$((i - 1))
            done
        done
        sleep 0.1
    done
    until_there "$1.status" "$1"
}

# ---- Parts from the last to the first; a wave of one part at least.
begin plain.db -n 5 --chunk 0.9
serve plain.db
[ "$(cat plain.db.status)" = 1 ] || fail "the batch in parts ended with $(cat plain.db.status): $(cat plain.db.err)"
grep -q "waiting for parts 1 to" plain.db.err || fail "it is not said what is waited for: $(cat plain.db.err)"
[ "$(dump plain.db)" = "$whole" ] || fail "a batch in parts has another log"
[ ! -e plain.db.parts ] || fail "the parts are left behind"

# ---- A stopping rule, which reads samples in their order.
begin stops.db -n 30 --chunk 0.9 --until-sure 0.2
serve stops.db
[ "$(dump stops.db)" = "$(dump sure.db)" ] || fail "a stopping rule over parts makes another log"
[ ! -e stops.db.parts ] || fail "the parts of a batch that was decided are left behind"

# ---- Killed, and refused to whoever does not resume; then resumed, with a part that is damaged.
begin killed.db -n 5 --chunk 0.9
until_there killed.db.parts/1/manifest.yaml killed.db
"$FORESEE" batch -q --part 1 killed.db.parts/1/manifest.yaml || fail "part 1 cannot be projected"
expect 2 "another batch is at work on this log" "$FORESEE" batch good.yaml bad.yaml -n 5 --vary luck.yaml --engine parts -o killed.db --resume
kill -9 "$(cat killed.db.pid)"
until_there killed.db.status killed.db
expect 2 "go on with it with --resume" "$FORESEE" batch good.yaml bad.yaml -n 5 --vary luck.yaml --engine parts -o killed.db
expect 2 "of other plans, parameters or options" "$FORESEE" batch good.yaml bad.yaml -n 5 --vary luck.yaml --until 9 --engine parts -o killed.db --resume
begin killed.db -n 5 --chunk 0.9 --resume
sleep 1
serve killed.db damage
grep -q "the part is damaged" killed.db.err || fail "it is not said that a part is damaged: $(cat killed.db.err)"
[ "$(dump killed.db)" = "$whole" ] || fail "a batch that was killed and had a damaged part has another log: $(cat killed.db.err)"

# ---- Interrupted: what had ended is in the log, the parts wait for --resume.
begin stopped.db -n 5 --chunk 0.9
until_there stopped.db.parts/1/manifest.yaml stopped.db
kill -INT "$(cat stopped.db.pid)"
until_there stopped.db.status stopped.db
[ "$(cat stopped.db.status)" = 130 ] || fail "an interrupted batch in parts ended with $(cat stopped.db.status)"
grep -q "of 10 samples are in stopped.db" stopped.db.err || fail "it is not said how far it was: $(cat stopped.db.err)"
batch stopped.db good.yaml bad.yaml -n 5 --vary luck.yaml --resume
[ "$(dump stopped.db)" = "$whole" ] || fail "a batch in parts, gone on with by the machine's workers, has another log"

# ---- What is refused, with nothing written.
expect 2 "there are none without --engine" "$FORESEE" batch good.yaml --chunk 5 -o no.db
expect 2 "did you mean 'slurm'" "$FORESEE" batch good.yaml --engine slrum -o no.db
expect 2 "sbatch cannot be started: No such file or directory" env PATH="$WORK/nothing" "$FORESEE" batch good.yaml --engine slurm -o no.db
[ ! -e no.db ] || fail "a log was written"
