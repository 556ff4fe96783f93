// cli/batch/cluster/part.h - a part of a batch: some of its samples, projected into a log of their
// own, which stands in a folder that all machines see.
//
// Part N is two files. part-N.txt begins with a line `part HASH`, the hash of both files, and has
// the lines of the samples (cli/batch/sample.h; a sample that gave no answer has the outcome
// "crashed" and the episode 0). part-N.db, the log, is put in place last: a part is complete when
// it is there.
#ifndef FORESEE_CLI_BATCH_CLUSTER_PART_H
#define FORESEE_CLI_BATCH_CLUSTER_PART_H

#include "cli/batch/cluster/manifest.h"
#include "cli/batch/course.h"

// Gives the path of a file of a part: its ending is "db" or "txt".
void part_path(const char *folder, size_t number, const char *ending, char *path, size_t size);
// Projects a part by so many workers in a folder of its own below $TMPDIR (/tmp), and puts both
// files into `folder`, on the disk, in place of those that are there. E_INTERRUPTED: none is.
status part_project(const candidates *c, const part_runs *runs, const char *folder, size_t number,
                    int64_t jobs, error *err);
bool part_present(const char *folder, size_t number);
// Gives the text of a part's samples, behind its first line, which the caller frees. E_INPUT: the
// part is damaged.
status part_read(const char *folder, size_t number, char **lines, error *err);
void part_remove(const char *folder, size_t number);

#endif
