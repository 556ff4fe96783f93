// base/files/files.h - files that stand in memory for those on disk, as a log keeps them.
//
// A set names its files relative to one folder, that of the plan, and reads nothing else: what it
// does not have is not there. Of some files it knows the hash of their bytes alone; those are
// looked for on disk, and only one with that very hash is taken. NULL in place of a set is the
// disk; a set over the disk stands for files that are not written yet, and all others are those of
// the disk.
//
// Owns:      nothing; names and texts are borrowed.
#ifndef FORESEE_BASE_FILES_FILES_H
#define FORESEE_BASE_FILES_FILES_H

#include <stdbool.h>
#include "base/mem.h"

typedef struct kept_file {
    const char *name; // relative to the plan's folder: worlds/kitchen.yaml, ../robots/one.yaml
    const char *text;
    size_t length;
    bool hash_only; // `text` is the hash of its bytes, as hash_text or sha256_mark writes it
} kept_file;

typedef struct file_set {
    const kept_file *items;
    size_t count;
    // Where files of which only the hash is kept are looked for, with the folders above each.
    const char *const *folders;
    size_t folder_count;
    bool over_disk; // of files with the very paths that its items have as names
    bool edited; // its plan was changed, and may name shipped routines that the set does not have
} file_set;

// Reads a whole file. On OK the caller frees *text; it ends with a 0 that `length` does not count.
// Larger than 64 MiB: E_LIMIT.
status file_read(const char *path, char **text, size_t *length, error *err);
// As file_read. E_INPUT: the set does not have it, or has its hash alone.
status files_read(const file_set *set, const char *path, char **text, size_t *length, error *err);
// One spelling for each file: of a set its name there, else the resolved path. The caller frees it;
// NULL: there is no such file.
char *files_real(const file_set *set, const char *path);
bool files_exist(const file_set *set, const char *path);
// The file of a set whose path ends in this one, folder by folder; NULL: none.
const char *files_ending(const file_set *set, const char *end);
// Where on disk the file is, for who reads it there; `path` itself without a set. In `a`. E_INPUT:
// none with the hash that is kept is found.
status files_on_disk(arena *a, const file_set *set, const char *path, const char **out, error *err);

#endif
