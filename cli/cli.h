// cli/cli.h - what the subcommands share: reporting, exit statuses, progress, options.
//
// The command line is the only room that prints, exits or reads argv. Results go to standard
// output, all else to standard error.
#ifndef FORESEE_CLI_CLI_H
#define FORESEE_CLI_CLI_H

#include <stdarg.h>
#include <stdio.h>
#include "base/files/files.h"
#include "base/time/times.h"
#include "cli/command.h"
#include "cli/limits.h"

// Prints for a person: what would steer the terminal, or is no character, is written as \xHH. All
// that says what a file or a log holds goes through these, but for what machines read.
void cli_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_vprint(FILE *to, const char *format, va_list values) __attribute__((format(printf, 2, 0)));
void cli_show(FILE *to, const char *text, size_t length);
// Prints an error as compilers do and gives the exit status that it means.
int cli_error(const error *err);
// Where the lines that errors quote come from, until the next call: files of a log, not those of
// the same names on disk. NULL: the disk.
void cli_excerpts(const file_set *files);
// Prints a list of errors, which is emptied: EXIT_NONE when memory ran out or reading failed,
// EXIT_INTERRUPTED when that was interrupted, else EXIT_WRONG.
int cli_errors(errors *list);
// What stops nothing, behind another word than error: "warning", "note".
void cli_remark(const error *err, const char *word);
int cli_exit_status(status s);
// Prints a mistake in the use of the command, with a pointer to its help; EXIT_WRONG.
int cli_usage(const arguments *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Hands on what was written to standard output. errno of what kept any of it from being written
// since the start, 0: nothing did; main says it.
int cli_flush(void);
// Says why printing ended before its end, where there is something to say, and gives the exit
// status of the code.
int cli_unfinished(int code);
// Memory that each command sets aside, for the small things that it cannot do without: so it ends
// in order when memory runs out.
#define CLI_FUND ((size_t)1 << 20)

// Progress on standard error, where that is a terminal: one line that is written over.
typedef struct progress {
    bool shown;
} progress;
progress progress_begin(bool quiet);
void progress_line(progress *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void progress_end(progress *p);

// Numbers of options. E_USAGE names the option.
status option_integer(const arguments *a, const char *name, int64_t low, int64_t high, int64_t *out,
                      error *err);
status option_seconds(const arguments *a, const char *name, nanos *out, error *err);
// One of the choices, NULL-terminated; *out is its index, untouched when the option was not given.
status option_choice(const arguments *a, const char *name, const char *const *choices, int *out,
                     error *err);
// Which episode: 0 the last, -1 all, else its number.
status option_episode(const arguments *a, bool all_allowed, int64_t *out, error *err);

#endif
