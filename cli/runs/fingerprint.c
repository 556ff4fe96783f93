// cli/runs/fingerprint.c - compares what decided the bits of an episode with this program.
#include "cli/runs/fingerprint.h"

#include <stdio.h>

#include "cli/cli.h"
#include "projector/fingerprint.h"
#include "schema/store/store.h"

typedef ARRAY(fingerprint_part) parts;

// Reads the fingerprint from the log; nothing where it cannot be read, which the re-run itself
// reports.
static void read_parts(arena *memory, const char *log, int64_t episode, parts *out) {
    store *s = NULL;
    sqlite3_stmt *row = NULL;
    if (store_open(log, &s, NULL) == OK &&
        sqlite3_prepare_v2(store_db(s),
                           "SELECT name, value FROM fingerprint WHERE episode = ? ORDER BY id", -1,
                           &row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, episode);
        while (sqlite3_step(row) == SQLITE_ROW) {
            const char *name = (const char *)sqlite3_column_text(row, 0);
            const char *value = (const char *)sqlite3_column_text(row, 1);
            fingerprint_part part = {arena_strdup(memory, name ? name : ""),
                                     arena_strdup(memory, value ? value : "")};
            array_push(out, part);
        }
    }
    sqlite3_finalize(row);
    store_close(s);
}

void fingerprint_warn(const char *log, int64_t episode) {
    arena *memory = arena_create();
    parts kept = {0};
    read_parts(memory, log, episode, &kept);
    fingerprint then = {kept.items, kept.count}, now = fingerprint_take(memory);
    const char *what = fingerprint_difference(memory, &then, &now);
    if (then.count == 0)
        cli_print(
            stderr,
            "foresee: warning: the log does not say with which build, libraries and processor "
            "episode %lld was projected: a re-run may differ from it\n",
            (long long)episode);
    else if (what)
        cli_print(stderr,
                  "foresee: warning: episode %lld was not projected as this foresee would project "
                  "it, so that a re-run may differ from it: %s\n",
                  (long long)episode, what);
    array_finish(&kept);
    arena_destroy(memory);
}
