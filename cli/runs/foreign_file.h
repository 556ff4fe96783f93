// cli/runs/foreign_file.h - checks a model that somebody else compiled, by itself.
#ifndef FORESEE_CLI_RUNS_FOREIGN_FILE_H
#define FORESEE_CLI_RUNS_FOREIGN_FILE_H

#include <stdbool.h>

#include "base/text/text.h"

// Reads an FMU, and tells its variables that can be connected in `told`. With `rehearse` runs its
// native code: a few steps, back, and the same steps again (foreign_rehearse).
status foreign_file_check(const char *path, bool rehearse, text_buffer *told, error *err);

#endif
