// tests/fuzz/program.h - whole commands, run in this process as the command line runs them.
//
// Owns:      a folder of its own, in memory where the system has one, removed at the end.
// What holds of every command is checked here: its exit status is one of the contract, one that is
// wrong says why, what it prints is UTF-8 and steers no terminal, and what takes long is told to
// stop and then does.
#ifndef FORESEE_TESTS_FUZZ_PROGRAM_H
#define FORESEE_TESTS_FUZZ_PROGRAM_H

#include "cli/program/program.h"

// A path in the folder, in static memory: the next call but three takes it.
const char *program_path(const char *name);
void program_write(const char *name, const void *bytes, size_t length);
// Removes every file of the folder.
void program_clean(void);

typedef struct program_result {
    int status;
    char *out; // what went to standard output, ended by a 0; the caller frees it
    size_t length;
} program_result;
// Runs "foresee ARGV[0] ARGV[1] ..." (ended by NULL) with `in` (NULL: nothing) on standard input.
// After `seconds` of processor time it is interrupted.
program_result program_run(const char *const *argv, const char *in, int seconds);

// Aborts where the text is no JSON value.
void program_check_json(const char *text, size_t length);

#endif
