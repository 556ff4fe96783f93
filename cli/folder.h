// cli/folder.h - folders for what other processes write, which do not outlive this one (limits.h).
#ifndef FORESEE_CLI_FOLDER_H
#define FORESEE_CLI_FOLDER_H

#include <stddef.h>
#include "base/status.h"

// Makes a folder `stem`XXXXXX where temporary files go, and writes its path; "" where it cannot be
// made, which the error tells as one for `what`.
status folder_make(char *path, size_t size, const char *stem, const char *what, error *err);
// Removes a folder with its files; hidden ones among them keep it. Nothing for "".
void folder_remove(const char *path);

#endif
