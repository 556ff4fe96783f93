// tests/fuzz/fuzz_query.c - any bytes as rules and queries, asked of a small log within limits.
//
// Lines that begin with "?-" are queries, all others rules. What was asked once must be answered
// alike a second time, without demand, and after the same rules were loaded again; what has answers
// has a proof, and what has none a denial, unless a limit is in the way.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "query/engine.h"
#include "query/why/proof.h"
#include "schema/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LOG                                                                                        \
    "INSERT INTO episode VALUES (1, 'p', 'w', 'r', 1, '0', 2000000, 20000000, 9000000000, "        \
    "'failed', 1, 9);"                                                                             \
    "INSERT INTO object (id, episode, name, kind, mass, up_z) VALUES (1, 1, 'table', 'body', 0, "  \
    "1),"                                                                                          \
    " (2, 1, 'cup', 'body', 1, 1), (3, 1, 'hand', 'gripper', 0, 1), (4, 1, 'f1', 'finger', 1, 1)," \
    " (5, 1, 'spot', 'region', 0, 1), (6, 1, 'j', 'joint', 0, 1);"                                 \
    "INSERT INTO shape (episode, object, role, kind, qw, size_x, size_y, size_z) VALUES"           \
    " (1, 1, 'collision', 'box', 1, 1, 1, 1), (1, 2, 'collision', 'cylinder', 1, 0.1, 0, 0.1),"    \
    " (1, 2, 'interior', 'cylinder', 1, 0.1, 0, 0.1), (1, 4, 'collision', 'sphere', 1, 0.1, 0, "   \
    "0);"                                                                                          \
    "INSERT INTO pose (object, t, x, z, qw) VALUES (1, 0, 0, 0, 1000000), (2, 0, 0, 1000000, "     \
    "1000000), (2, 300000, 1000000, 1000000, 1000000), (3, 0, 0, 2000000, 1000000), "              \
    "(4, 0, 0, 2000000, 1000000);"                                                                 \
    "INSERT INTO linkage (episode, object, parent, joint_kind, qw) VALUES (1, 5, 1, 'fixed', 1);"  \
    "INSERT INTO joint_state (joint, t, position) VALUES (6, 0, 0), (6, 500000, 1000000);"         \
    "INSERT INTO contact (id, episode, a, b, start_ns) VALUES (1, 1, 1, 2, 0), (2, 1, 2, 4, "      \
    "1000000000);"                                                                                 \
    "INSERT INTO contact_force (contact, t, fx, fy, fz, nx, ny, nz) VALUES"                        \
    " (1, 0, 0, 0, 9000, 0, 0, 10000), (2, 100000, 1000, 0, 0, 10000, 0, 0);"                      \
    "INSERT INTO agent (id, episode, name, object) VALUES (1, 1, 'robot', 3);"                     \
    "INSERT INTO task (id, episode, agent, construct, path, goal, start_ns, status) VALUES"        \
    " (1, 1, 1, 'seq', 'a', 'on(cup, table)', 0, 'done');"                                         \
    "INSERT INTO believed (id, episode, agent, name, t_ns) VALUES (1, 1, 1, 'cup#1', 0);"          \
    "INSERT INTO believed_frame (agent, believed, parent, relation, t, nth, x, qw) VALUES"         \
    " (1, 1, 'map', 'at', 0, 0, 1000000, 1000000);"

static store *open_log(void) {
    static store *kept;
    if (kept)
        return kept;
    char path[] = "/tmp/foresee_fuzz_query_XXXXXX", *sql = NULL;
    int fd = mkstemp(path);
    ASSERT(fd >= 0 && close(fd) == 0 && schema_sql(&sql, NULL) == OK);
    sqlite3 *db = NULL;
    ASSERT(sqlite3_open(path, &db) == SQLITE_OK &&
           sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
    ASSERT(sqlite3_exec(db, LOG, NULL, NULL, NULL) == SQLITE_OK && sqlite3_close(db) == SQLITE_OK);
    free(sql);
    ASSERT(store_open(path, &kept, NULL) == OK);
    unlink(path);
    return kept;
}

static engine *make_engine(const char *rules, bool whole) {
    engine_options few = engine_options_default();
    few.memory_limit = 1 << 20;
    few.step_limit = 5000;
    few.derive_whole = whole;
    engine *e = NULL;
    errors list = {0};
    ASSERT(engine_open(open_log(), 1, &few, &e, NULL) == OK);
    status s = engine_load(e, "rules.dl", rules, strlen(rules), &list);
    ASSERT((s == OK) == (list.count == 0));
    errors_finish(&list);
    s = engine_check(e, &list);
    ASSERT((s == OK) == (list.count == 0));
    errors_finish(&list);
    return e;
}

// The answers, a line each, or NULL; the caller frees them.
static char *ask(engine *e, const char *query) {
    errors list = {0};
    answers *a = NULL;
    status s = engine_query(e, "query", query, &a, &list);
    ASSERT((s == OK) == (list.count == 0));
    for (size_t i = 0; i < list.count; i++)
        ASSERT(list.items[i].text[0] != 0);
    errors_finish(&list);
    if (s != OK)
        return NULL;
    arena *terms = arena_create();
    ARRAY(char) text = {0};
    for (size_t row = 0; row < answers_count(a); row++) {
        for (size_t c = 0; c < answers_columns(a); c++) {
            for (const char *t = term_text(terms, answers_term(a, row, c, terms)); *t; t++)
                array_push(&text, *t);
            array_push(&text, ' ');
        }
        array_push(&text, '\n');
    }
    array_push(&text, 0);
    arena_destroy(terms);
    answers_destroy(a);
    return text.items;
}

// Why the query holds, or why not.
static void explain(engine *e, const char *query, bool holds) {
    errors list = {0};
    arena *a = arena_create();
    proof_options few = {.answers = 2, .parts_most = 4, .depth = 12};
    const proof **all = NULL;
    const denial *none = NULL;
    size_t count = 0;
    char *text = NULL, *json = NULL;
    status s = holds ? engine_why(e, a, "query", query, &few, &all, &count, &list)
                     : engine_why_not(e, a, "query", query, &few, &none, &list);
    ASSERT((s == OK) == (list.count == 0));
    if (s == OK && holds)
        ASSERT(proofs_text(all, count, &text) == OK && proofs_json(all, count, &json) == OK);
    else if (s == OK)
        ASSERT(denial_text(none, &text) == OK && denial_json(none, &json) == OK);
    free(text);
    free(json);
    errors_finish(&list);
    arena_destroy(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 4000)
        return 0;
    char *rules = calloc(1, size + 2), *queries = calloc(1, size + 2);
    ASSERT(rules && queries);
    size_t n = 0, m = 0;
    bool query = false;
    for (size_t i = 0; i < size; i++) {
        if (i == 0 || data[i - 1] == '\n') {
            query = i + 1 < size && data[i] == '?' && data[i + 1] == '-';
            i += query ? 2 : 0;
        }
        if (i < size && data[i] == 0)
            continue;
        if (i < size && query)
            queries[m++] = (char)data[i];
        else if (i < size)
            rules[n++] = (char)data[i];
    }
    engine *e = make_engine(rules, false), *whole = make_engine(rules, true);
    int count = 0;
    for (char *at = strtok(queries, "\n"); at && count < 6; at = strtok(NULL, "\n"), count++) {
        char *first = ask(e, at), *second = ask(e, at), *third = ask(whole, at);
        if (first && second)
            ASSERT(strcmp(first, second) == 0);
        if (first && third)
            ASSERT(strcmp(first, third) == 0);
        if (first && count < 3)
            explain(e, at, first[0] != 0);
        errors list = {0};
        if (engine_load(e, "rules.dl", rules, strlen(rules), &list) == OK) {
            char *fourth = ask(e, at);
            if (first && fourth)
                ASSERT(strcmp(first, fourth) == 0);
            free(fourth);
        }
        errors_finish(&list);
        free(first);
        free(second);
        free(third);
    }
    engine_close(e);
    engine_close(whole);
    free(rules);
    free(queries);
    return 0;
}
