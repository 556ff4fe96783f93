// cli/cli.h - services for all subcommands: printing, errors, exit statuses, progress, options.
//
// The command line is the only room that prints, exits or reads argv. Results go to standard
// output, anything else to standard error.
#ifndef FORESEE_CLI_CLI_H
#define FORESEE_CLI_CLI_H

#include <stdarg.h>
#include <stdio.h>
#include "base/files/files.h"
#include "base/time/times.h"
#include "cli/command.h"
#include "cli/limits.h"

// Print for a person: a byte that would steer the terminal, or is part of no character, is written
// as \xHH. Everything from a file or a log is printed by these, unless a machine reads it.
void cli_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_vprint(FILE *to, const char *format, va_list values) __attribute__((format(printf, 2, 0)));
void cli_show(FILE *to, const char *text, size_t length);
// The columns of the terminal that a stream leads to; 0: it leads to none.
size_t cli_columns(FILE *to);
// Prints an error as compilers do; returns the exit status that it means.
int cli_error(const error *err);
// Sets where errors take the lines that they quote from, until the next call: the files of a log,
// instead of files of these names on disk. NULL: the disk.
void cli_excerpts(const file_set *files);
// Prints a list of errors and empties it. Returns EXIT_NONE if memory ran out or reading failed,
// EXIT_INTERRUPTED if that was interrupted, else EXIT_WRONG.
int cli_errors(errors *list);
// Prints a remark that stops nothing, with another word in the place of "error": "warning", "note".
void cli_remark(const error *err, const char *word);
int cli_exit_status(status s);
// Prints a mistake in the use of the command, with a pointer to its help; EXIT_WRONG.
int cli_usage(const arguments *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Flushes standard output. Returns the errno of the first write to it that failed since the program
// began; 0: none did. The main function reports it.
int cli_flush(void);
// Says why printing ended early, unless it was interrupted; returns the exit status of the code.
int cli_unfinished(int code);
// Memory that each command sets aside for small things that it cannot do without, so that it ends
// in order when memory runs out.
#define CLI_FUND ((size_t)1 << 20)

// Progress on standard error where that is a terminal: one line that is written over.
typedef struct progress {
    bool shown;
} progress;
progress progress_begin(bool quiet);
void progress_line(progress *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void progress_end(progress *p);

// Read numbers of options. E_USAGE names the option.
status option_integer(const arguments *a, const char *name, int64_t low, int64_t high, int64_t *out,
                      error *err);
status option_seconds(const arguments *a, const char *name, nanos *out, error *err);
// Reads one of the choices, which NULL ends; *out is its index, untouched if the option was not
// given.
status option_choice(const arguments *a, const char *name, const char *const *choices, int *out,
                     error *err);
// Reads which episode is asked: 0 for the last, -1 for all, else its number.
status option_episode(const arguments *a, bool all_allowed, int64_t *out, error *err);

#endif
