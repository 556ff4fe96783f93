// cli/command.h - the commands with their flags, examples and exit statuses (flags.def), and parsed
// arguments.
#ifndef FORESEE_CLI_COMMAND_H
#define FORESEE_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "base/mem.h"
#include "base/status.h"

enum { EXIT_YES = 0, EXIT_NO = 1, EXIT_WRONG = 2, EXIT_NONE = 3, EXIT_INTERRUPTED = 130 };

typedef struct command_flag {
    const char *command;
    char letter;          // 0: it has none
    const char *name;     // the long name without --
    const char *argument; // name of its value; NULL: a switch
    bool many;
    const char *doc;
} command_flag;
typedef struct command_example {
    const char *command, *line, *doc;
} command_example;
typedef struct command_exit {
    const char *command;
    int status;
    const char *doc;
} command_exit;
typedef struct command_info {
    const char *name, *operands, *summary, *doc;
    const command_flag *flags;
    size_t flag_count;
    const command_example *examples;
    size_t example_count;
    const command_exit *exits;
    size_t exit_count;
} command_info;

size_t command_count(void);
command_info command_at(size_t i);
bool command_find(const char *name, command_info *out); // false: none
const char *command_nearest(const char *name);          // NULL: no name is near

// An option that was given. Texts are borrowed from argv.
typedef struct command_option {
    const command_flag *flag;
    const char *value; // NULL for a switch
} command_option;
typedef struct arguments {
    command_info command;
    ARRAY(command_option) options;
    ARRAY(const char *) operands;
    bool help;
} arguments;

// Reads what stands behind the command's name. E_USAGE: an unknown option (the error names the
// nearest), a missing value, or an option given twice that may be given only once.
status arguments_parse(command_info c, int count, char **values, arguments *out, error *err);
void arguments_finish(arguments *a);
// Returns the value of a flag by its long name; NULL: it was not given. The flag must exist.
const char *arguments_value(const arguments *a, const char *name);
bool arguments_given(const arguments *a, const char *name);
// Returns the first of these flags, up to NULL, that was given; NULL: none was.
const char *arguments_first(const arguments *a, const char *const *names);

// Prints the help screen of a command.
void command_help(command_info c, FILE *out);
// Write manual pages with man(7) macros, of a command and of foresee itself. `data` is the folder
// where rules, routines and examples are installed.
void command_manual(command_info c, const char *version, FILE *out);
void command_manual_top(const char *version, const char *data, FILE *out);

#endif
