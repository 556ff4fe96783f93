// base/files/output.h - writes files for the whole program: whole or not at all, and over nothing
// that is not meant to be replaced.
//
// The bytes go to a fresh name in the folder of the target, to the disk, and then under the
// target's name. Of several files all are put in place or none. A symbolic link is followed: the
// file that it leads to is written, under the same checks. A folder, a device, a pipe, a socket, a
// file that the command reads and a file that holds something else are never replaced. Signals wait
// while files are written, so that none leaves a fresh name behind; SIGKILL may leave one, called
// `.foresee-PROCESS-NUMBER`, which nothing reads.
//
// Errors:    E_INPUT: the target must not be written over, or its folder cannot be written;
//            E_FULL: no space is left; E_IO: the disk failed. What was there is there still.
#ifndef FORESEE_BASE_FILES_OUTPUT_H
#define FORESEE_BASE_FILES_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include "base/status.h"

typedef struct output_policy {
    const char *what; // that alone is replaced, "holds no diagnosis" without its "holds no"
    // Whether the regular file at `path` holds that; empty files are not asked about. NULL: no file
    // is replaced, not even an empty one.
    bool (*replaces)(const void *context, const char *path);
    const void *context;
    const char *const *inputs; // files that the command reads, known by device and inode
    size_t input_count;
    bool own; // a new file is for its owner alone
} output_policy;

typedef struct output_file {
    const char *path; // as the user wrote it
    const void *bytes;
    size_t length;
    const output_policy *policy;
} output_file;

enum { OUTPUT_MAX = 4 }; // files at once

// Returns whether the file could be written, before any work is done for it. Nothing is made.
status output_check(const char *path, const output_policy *policy, error *err);
// Writes all files or none. `durable`: they survive a loss of power.
status output_write(const output_file *files, size_t count, bool durable, error *err);
// Appends to a file, which is made where there is none, all the bytes or none.
status output_append(const output_file *file, error *err);
// The status of an errno of writing. E_INPUT: nothing can be written at that place; E_FULL; E_IO.
status output_code(int why);
// Returns whether the file begins with these bytes: what many a policy asks.
bool output_begins(const char *path, const void *bytes, size_t length);

#endif
