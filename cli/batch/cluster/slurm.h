// cli/batch/cluster/slurm.h - Slurm, through its programs: arrays of tasks are submitted, looked at
// and cancelled by the name of their job. No database of finished jobs is needed.
#ifndef FORESEE_CLI_BATCH_CLUSTER_SLURM_H
#define FORESEE_CLI_BATCH_CLUSTER_SLURM_H

#include "base/status.h"
#include "base/text/text.h"

// Finds out that Slurm is there, and how many tasks an array can have. E_USAGE: its programs cannot
// be started; E_IO: the cluster does not answer.
status slurm_probe(size_t *tasks, error *err);
// Submits a script as an array, such as "1-4,7", of tasks that are not queued again when they are
// lost. The output of task N goes to slurm-N.out in `folder`. E_IO: refused, with Slurm's words.
status slurm_submit(const char *name, const char *array, const char *folder, const char *script,
                    error *err);
// Calls `each` for every task of the jobs of these names (separated by commas) that waits or runs.
// E_IO: the cluster does not answer.
status slurm_tasks(const char *names,
                   void (*each)(void *context, const char *name, size_t task, bool running),
                   void *context, error *err);
// Cancels all tasks of a job. It goes on when this process ends meanwhile.
void slurm_cancel(const char *name);

#endif
