// cli/prompt/outside.c - what the prompt does beside asking rules: SQL, the shell, answers to a
// file.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/files/output.h"
#include "cli/prompt/repl_int.h"
#include "cli/prompt/table.h"
#include "schema/store/store.h"

// ---- Answers to a file

static bool goes_on(const void *context, const char *path) {
    (void)context;
    (void)path;
    return true; // the prompt has made the file itself
}

int repl_output(repl *r, const input *in, const char *path) {
    error err = {0};
    free(r->output);
    r->output = NULL;
    if (!*path)
        return EXIT_YES;
    const output_policy fresh = {.what = "answers"};
    const output_file file = {path, "", 0, &fresh};
    if (output_check(path, &fresh, &err) != OK || output_write(&file, 1, false, &err) != OK) {
        repl_wrong(r, in, "%s: %s", path, err.text);
        return cli_exit_status(err.code);
    }
    r->output = repl_copy(path, strlen(path));
    return EXIT_YES;
}

int repl_redirected(repl *r, const input *in, int (*run)(repl *r, const input *in)) {
    if (!r->output)
        return run(r, in);
    char *bytes = NULL;
    size_t length = 0;
    FILE *was = stdout, *memory = open_memstream(&bytes, &length);
    if (!memory)
        return repl_no_memory(r, in);
    char *path = repl_copy(r->output, strlen(r->output)); // the command may end the redirection
    bool paged = r->paged;
    r->paged = false;
    stdout = memory;
    int result = run(r, in);
    stdout = was;
    r->paged = paged;
    fclose(memory);
    error err = {0};
    const output_policy own = {.what = "answers", .replaces = goes_on};
    const output_file file = {path, bytes, length, &own};
    if (length > 0 && output_append(&file, &err) != OK) {
        repl_wrong(r, in, "%s: %s", path, err.text);
        result = cli_exit_status(err.code);
    }
    free(path);
    free(bytes);
    return result;
}

// ---- The shell

int repl_shell(repl *r, const input *in, const char *command) {
    fflush(stdout);
    setenv("LOG", r->s->log, 1);
    int code = system(command);
    if (code == -1 || !WIFEXITED(code))
        return repl_wrong(r, in, "the command was not run to its end");
    if (WEXITSTATUS(code) != 0)
        repl_note(r, "it ended with status %d", WEXITSTATUS(code));
    return EXIT_YES;
}

// ---- SQL

enum { CELL_MAX = 60 }; // columns of the screen; longer texts are cut, the cut marked

static void put_cell(text_buffer *out, const char *text, size_t width, bool last) {
    text_buffer shown = {0};
    text_put_shown(&shown, text, strlen(text));
    size_t n = strcspn(text_string(&shown), "\n");
    bool cut = n < shown.count || n > CELL_MAX;
    n = n > CELL_MAX ? CELL_MAX - 3 : n;
    text_add(out, "%.*s%s", (int)n, text_string(&shown), cut ? "..." : "");
    size_t used = n + (cut ? 3 : 0);
    if (!last)
        text_put_repeated(out, ' ', (used < width ? width - used : 0) + 2);
    text_finish(&shown);
}

// Writes the rows as columns that are as wide as what they hold.
static void put_rows(text_buffer *out, char **cells, size_t columns, size_t rows) {
    size_t *width = mem_must(columns + 1, sizeof *width);
    for (size_t i = 0; i < columns * rows; i++) {
        size_t n = strcspn(cells[i], "\n");
        n = n > CELL_MAX ? CELL_MAX : n;
        if (n > width[i % columns])
            width[i % columns] = n;
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < columns; k++)
            put_cell(out, cells[i * columns + k], width[k], k + 1 == columns);
        text_put(out, "\n");
        for (size_t k = 0; i == 0 && k < columns; k++) {
            text_put_repeated(out, '-', width[k]);
            text_put(out, k + 1 == columns ? "\n" : "  ");
        }
    }
    free(width);
}

static status read_rows(sqlite3_stmt *row, arena *a, text_buffer *out) {
    ARRAY(char *) cells = {0};
    size_t columns = (size_t)sqlite3_column_count(row), rows = 1;
    for (size_t k = 0; k < columns; k++)
        array_push(&cells, arena_strdup(a, sqlite3_column_name(row, (int)k)));
    int rc;
    while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
        rows++;
        for (size_t k = 0; k < columns; k++) {
            const char *text = (const char *)sqlite3_column_text(row, (int)k);
            array_push(&cells, arena_strdup(a, text ? text : ""));
        }
    }
    put_rows(out, cells.items, columns, rows);
    array_finish(&cells);
    return rc == SQLITE_DONE ? OK : E_INPUT;
}

int repl_sql(repl *r, const input *in, const char *query) {
    store *log = NULL;
    sqlite3_stmt *row = NULL;
    error err = {0};
    if (store_open(r->s->log, &log, &err) != OK)
        return repl_wrong(r, in, "%s: %s", r->s->log, err.text);
    store_allow_views(log);
    sqlite3 *db = store_db(log);
    int result = EXIT_YES;
    arena *a = arena_create();
    text_buffer out = {0};
    if (sqlite3_prepare_v2(db, query, -1, &row, NULL) != SQLITE_OK || !row)
        result = repl_wrong(r, in, "%s; .shell sqlite3 $LOG .schema lists the tables and views",
                            row ? "" : sqlite3_errmsg(db));
    else if (!sqlite3_stmt_readonly(row))
        result = repl_wrong(r, in, "a log is read, not changed");
    else if (read_rows(row, a, &out) != OK)
        result = repl_wrong(r, in, "%s", sqlite3_errmsg(db));
    else
        text_show(r, text_string(&out));
    sqlite3_finalize(row);
    text_finish(&out);
    arena_destroy(a);
    store_close(log);
    return result;
}
