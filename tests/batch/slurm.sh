#!/bin/sh
# slurm.sh CLUSTER.sh: batches on a real Slurm of this machine. The log is that of the machine's own workers, also when tasks and the batch
# itself are killed.
[ "$(id -u)" = 0 ] || { echo "SKIPPED: a cluster is started here by root alone"; exit 77; }
for program in sbatch slurmctld slurmd munged; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || missing=$program
done
if [ "${missing-}" ]; then
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y slurm-wlm munge; } >/dev/null 2>&1 ||
        { echo "SKIPPED: $missing is missing, and apt-get does not install slurm-wlm and munge"; exit 77; }
fi
. "${0%/*}/lib.sh"
CLUSTER=$1
trap 'sh "$CLUSTER" stop "$WORK/cluster"; sleep 1; rm -rf "$WORK"' EXIT
sh "$CLUSTER" start "$WORK/cluster" 2 || fail "the cluster cannot be started"
SLURM_CONF=$WORK/cluster/slurm.conf
export SLURM_CONF
batch whole.db good.yaml bad.yaml -n 12 -j 2 --vary luck.yaml
whole=$(dump whole.db)

# begin LOG [option...]: a batch on the cluster, in the background; its exit status comes to LOG.status.
begin() {
    _log=$1
    shift
    rm -f "$_log.status"
    ("$FORESEE" batch good.yaml bad.yaml --vary luck.yaml -n 12 --engine slurm --chunk 0.5 -o "$_log" "$@" >"$_log.txt" 2>"$_log.err" &
        echo $! >"$_log.pid"
        wait $!
        echo $? >"$_log.status") 2>/dev/null &
}
# in_time WHAT command...: waits until the command succeeds, two minutes at most.
in_time() {
    _what=$1 _tries=0
    shift
    until "$@"; do
        _tries=$((_tries + 1))
        [ $_tries -le 1200 ] || fail "$_what: it takes too long; $(squeue 2>&1); $(cat ./*.err)"
        sleep 0.1
    done
}
running() { task=$(squeue --noheader --array --states=R --format='%F_%K' | head -n 1); [ "$task" ]; }
holds() { [ "$(sqlite3 -readonly "$1" 'select count(*) from episode;' 2>/dev/null || echo 0)" -ge "$2" ]; }
ends() {
    in_time "$1" [ -e "$1.status" ]
    [ "$(cat "$1.status")" = "$2" ] || fail "$1 ended with $(cat "$1.status"), not $2: $(cat "$1.err")"
}
is_whole() {
    [ "$(dump "$1")" = "$whole" ] || fail "$1 is another log than that of -j 2"
    [ ! -e "$1.parts" ] || fail "the parts of $1 are left behind"
    [ -z "$(squeue --noheader)" ] || fail "tasks of $1 are left behind: $(squeue)"
}

# ---- A task is cancelled, the process of another is killed: both are done again at once.
begin tasks.db
in_time "a first task" running
scancel "$task" || fail "the task $task cannot be cancelled"
process() { pid=$(pgrep -o -f -- "--part .* $WORK/tasks.db.parts"); [ "$pid" ]; }
in_time "a process" process
kill -9 "$pid"
ends tasks.db 1
is_whole tasks.db

# ---- The batch is killed half-way, while tasks run, and a part is damaged until it is resumed.
begin killed.db
in_time "half of the samples" holds killed.db 8
kill -9 "$(cat killed.db.pid)"
ends killed.db 137
[ -e killed.db.parts/1/manifest.yaml ] || fail "the killed batch left no parts"
there() { part=$(find killed.db.parts/1 -name 'part-*.db' | tail -n 1); [ "$part" ]; }
in_time "a part of the killed batch" there
printf X | dd of="$part" bs=1 seek=5000 conv=notrunc 2>/dev/null
begin killed.db --resume
ends killed.db 1
is_whole killed.db
grep -q "the part is damaged" killed.db.err || fail "it is not said that $part is damaged: $(cat killed.db.err)"

# ---- Interrupted: its tasks are cancelled, and --resume goes on.
begin stopped.db
in_time "some samples" holds stopped.db 4
kill -INT "$(cat stopped.db.pid)"
ends stopped.db 130
gone() { [ -z "$(squeue --noheader)" ]; }
in_time "the tasks of an interrupted batch are cancelled" gone
begin stopped.db --resume
ends stopped.db 1
is_whole stopped.db

# ---- A rule that stops the batch: the same decision, and no task goes on.
"$FORESEE" batch -q good.yaml bad.yaml --vary luck.yaml -n 40 --race -o race.db -j 2 >race.txt
"$FORESEE" batch -q good.yaml bad.yaml --vary luck.yaml -n 40 --race -o slurm.db --engine slurm --chunk 0.5 >slurm.txt 2>slurm.db.err
[ "$(dump race.db)" = "$(dump slurm.db)" ] || fail "a race on the cluster has another log: $(cat slurm.db.err)"
cmp -s race.txt slurm.txt || fail "a race on the cluster is told otherwise"
in_time "the tasks of a batch that was decided are cancelled" gone

# ---- What the cluster refuses is said in its words; so is what the tasks say that fail again and again.
expect 3 "sbatch refuses the tasks: sbatch: error: invalid partition" env SBATCH_PARTITION=nowhere "$FORESEE" batch -q good.yaml -n 3 --engine slurm -o refused.db
cp good.yaml kept.yaml
begin lost.db
in_time "a first part" [ -e lost.db.parts/1/manifest.yaml ]
echo "# another day" >>good.yaml
ends lost.db 3
grep -q "lost 3 times.*good.yaml has changed since" lost.db.err || fail "it is not said why parts are lost: $(cat lost.db.err)"
cp kept.yaml good.yaml
begin lost.db --resume
ends lost.db 1
is_whole lost.db
sh "$CLUSTER" stop "$WORK/cluster"
expect 3 "the cluster does not answer scontrol" timeout 60 "$FORESEE" batch -q good.yaml -n 3 --engine slurm -o no.db
[ ! -e no.db ] || fail "a log was written without a cluster"
