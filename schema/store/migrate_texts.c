// schema/store/migrate_texts.c - the table step_text of logs before schema 5, from the plan's
// files.
#include <string.h>

#include "base/yaml/yaml_read.h"
#include "schema/store/store.h"
#include "schema/store/store_int.h"

// A file under way, whose rows `put` inserts.
typedef struct text_reader {
    sqlite3_stmt *put;
    bool failed;
} text_reader;

// A step's key, or that of an argument, with what is written there.
static void put_text(text_reader *r, int line, const char *key, const ynode *value) {
    if (r->failed || value->kind != YNODE_SCALAR)
        return;
    sqlite3_bind_int(r->put, 3, line);
    sqlite3_bind_text(r->put, 4, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(r->put, 5, value->scalar, -1, SQLITE_STATIC);
    r->failed = sqlite3_step(r->put) != SQLITE_DONE;
    sqlite3_reset(r->put);
}

// Any map may be a step: what is none is no task's, and nobody asks for it.
static void put_map(text_reader *r, const ynode *n) {
    if (n->kind == YNODE_SCALAR)
        return;
    for (size_t i = 0; i < n->count && !r->failed; i++) {
        const ynode *value = n->items[i];
        const char *key = n->kind == YNODE_MAPPING ? n->keys[i]->scalar : "";
        if (strcmp(key, "achieve") == 0 || strcmp(key, "into") == 0)
            put_text(r, n->line, key, value);
        for (size_t k = 0; *key && value->kind == YNODE_MAPPING && k < value->count; k++)
            put_text(r, n->line, value->keys[k]->scalar, value->items[k]);
        put_map(r, value);
    }
}

// The present row of `files`: episode, name, text.
static void put_file(text_reader *r, sqlite3_stmt *files) {
    arena *memory = arena_create();
    errors ignored = {0};
    ynode *root = NULL;
    const char *name = (const char *)sqlite3_column_text(files, 1),
               *text = (const char *)sqlite3_column_text(files, 2);
    if (name && text &&
        yaml_read(memory, name, text, (size_t)sqlite3_column_bytes(files, 2), &root, &ignored) ==
            OK) {
        sqlite3_bind_int64(r->put, 1, sqlite3_column_int64(files, 0));
        sqlite3_bind_text(r->put, 2, name, -1, SQLITE_STATIC);
        put_map(r, root);
    }
    errors_finish(&ignored);
    arena_destroy(memory);
}

status migrate_step_texts(sqlite3 *db, const char *path, error *err) {
    sqlite3_stmt *files = NULL;
    text_reader r = {0};
    int rc = sqlite3_prepare_v2(db,
                                "SELECT episode, name, text FROM source"
                                " WHERE kind IN ('plan', 'routine') ORDER BY id",
                                -1, &files, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(db,
                                "INSERT INTO temp.step_text (episode, file, line, path, key, text)"
                                " VALUES (?1, ?2, ?3, '', ?4, ?5)",
                                -1, &r.put, NULL);
    while (rc == SQLITE_OK && (rc = sqlite3_step(files)) == SQLITE_ROW) {
        put_file(&r, files);
        rc = r.failed ? SQLITE_ERROR : SQLITE_OK;
    }
    status st = rc == SQLITE_DONE ? OK : store_failed(db, path, "reading the plan's files", err);
    sqlite3_finalize(files);
    sqlite3_finalize(r.put);
    return st;
}
