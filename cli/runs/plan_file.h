// cli/runs/plan_file.h - finds where the plan of a log lies, seen from the current folder.
#ifndef FORESEE_CLI_PLAN_FILE_H
#define FORESEE_CLI_PLAN_FILE_H

#include "report/diagnosis/diagnosis.h"

// A log has its plan's name and text, but not its folder. Returns the path of a file with that name
// and text: in the current folder, beside the log, or the nearest below the current folder.
// Otherwise returns a file of that name here or beside the log with another text, and sets
// *changed. NULL: there is none. The caller frees the path.
char *plan_file_find(const char *name, const char *text, const char *log, bool *changed);
// Finds the files of all plans of a diagnosis of this log, for command lines that may be pasted.
void plan_files_find(diagnosis *d, const char *log);

#endif
