// projector/ensemble/foreign/archive.h - unpacks a zip file that nobody vouches for.
//
// Every name is judged before the first byte is written: a name that is absolute, leads out of the
// folder, has a backslash or a control character, occurs twice, or is a link, makes the whole file
// refused. Bytes are counted as they come out, whatever the file says of its own sizes.
#ifndef FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_ARCHIVE_H
#define FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

typedef struct archive_limits {
    uint64_t files; // files and folders
    uint64_t bytes; // unpacked, of all files
} archive_limits;
archive_limits archive_limits_default(void);

// Unpacks into `folder`, which exists and is empty; files are for their owner alone. Without OK,
// what was unpacked so far lies there for the caller to remove. E_INPUT: the file is no zip file or
// is refused; E_LIMIT: it is larger than the limits; E_IO, E_FULL: it cannot be written.
status archive_unpack(const char *path, const char *folder, const archive_limits *limits,
                      error *err);
// Makes a folder of its own under $TMPDIR or /tmp, which nobody else can enter. The caller frees
// the name.
status archive_folder(char **folder, error *err);
// Removes the folder with all that is in it, and frees the name. NULL is a no-op.
void archive_remove(char *folder);

#endif
