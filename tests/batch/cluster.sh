#!/bin/sh
# A Slurm cluster of one machine in a folder of its own, as root: munged, slurmctld and slurmd, none of which touches what the machine
# may have of a cluster already.
#
#   cluster.sh start FOLDER [CPUS]   starts it and waits until it takes jobs; then SLURM_CONF=FOLDER/slurm.conf is all that sbatch needs
#   cluster.sh stop FOLDER           ends all three and what they run
set -eu
what=${1:?start or stop} folder=$(realpath -m "${2:?the folder of the cluster}") cpus=${3:-2}

begin() {
    mkdir -p "$folder/state" "$folder/spool" "$folder/munge"
    chmod 755 "$folder" && chmod 700 "$folder/munge"
    socket=$folder/munge.socket
    head -c 1024 /dev/urandom >"$folder/munge/key"
    chmod 600 "$folder/munge/key"
    munged --force --socket="$socket" --key-file="$folder/munge/key" --log-file="$folder/munge/log" \
        --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed"
    port=$((20000 + $$ % 20000))
    host=$(hostname -s)
    cat >"$folder/slurm.conf" <<END
ClusterName=foresee
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$socket
CryptoType=crypto/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
MailProg=/bin/true
SchedulerParameters=sched_interval=1,bf_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF="$folder/slurm.conf"
    slurmctld -D -i >"$folder/slurmctld.out" 2>&1 &
    echo $! >"$folder/slurmctld.process"
    slurmd -D >"$folder/slurmd.out" 2>&1 &
    echo $! >"$folder/slurmd.process"
    tries=0
    until [ "$(sinfo -h -o %T 2>/dev/null)" = idle ]; do
        tries=$((tries + 1))
        if [ $tries -gt 120 ]; then
            echo "the cluster does not come up:" >&2
            tail -n 5 "$folder"/slurm*.out "$folder"/slurm*.log >&2
            end
            exit 1
        fi
        sleep 0.5
    done
}

end() {
    export SLURM_CONF="$folder/slurm.conf"
    scancel --user=root 2>/dev/null || true
    for name in slurmd slurmctld; do
        [ -f "$folder/$name.process" ] || continue
        process=$(cat "$folder/$name.process") tries=0
        while kill "$process" 2>/dev/null && [ $tries -lt 20 ]; do
            tries=$((tries + 1))
            sleep 0.2
        done
        ! kill -9 "$process" 2>/dev/null || true
    done
    [ ! -f "$folder/munge/pid" ] || kill "$(cat "$folder/munge/pid")" 2>/dev/null || true
}

case $what in
start) begin ;;
stop) end ;;
*) echo "start or stop, not $what" >&2; exit 2 ;;
esac
