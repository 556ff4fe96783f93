// cli/commands/plan_file.h - where the plan of a log lies, seen from the folder that the program
// runs in.
#ifndef FORESEE_CLI_PLAN_FILE_H
#define FORESEE_CLI_PLAN_FILE_H

#include <stdbool.h>

// A log has its plan's name and text, not its folder. Gives the path of a file of that name with
// that text: here, beside the log, or the nearest below this folder; else one here or beside the
// log whose text is another, and *changed. NULL: there is none. The caller frees it.
char *plan_file_find(const char *name, const char *text, const char *log, bool *changed);

#endif
