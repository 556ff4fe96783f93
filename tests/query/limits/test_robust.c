// tests/query/limits/test_robust.c - logs that are damaged, change or vanish, and limits: always an
// answer or a clear message, and an engine that can be asked again.
#include <fcntl.h>
#include <sys/stat.h>
#include "tests/query/querylib.h"

// ---- A log with a little of everything that rules read ----

#define TASKS 400

static char *rows_of_a_log(void) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fputs("INSERT INTO object (id, episode, name, kind, type, mass, up_z) VALUES"
          " (1, 1, 'table', 'body', 'table', 0, 1), (2, 1, 'cup', 'body', 'cup', 1, 1);"
          "INSERT INTO agent (id, episode, name, object) VALUES (1, 1, 'robot', 1);"
          "BEGIN;",
          out);
    for (int i = 1; i <= TASKS; i++) {
        fprintf(out,
                "INSERT INTO task (id, episode, agent, parent, construct, path, goal, start_ns, "
                "end_ns, status) VALUES (%d, 1, 1, %s, 'seq', 'a/%d', 'on(cup, g(%d))', %d000000, "
                "%d000000, 'done');",
                i, i > 1 ? "1" : "NULL", i, i % 7, i, i + 40);
        fprintf(out,
                "INSERT INTO task_status (episode, task, t_ns, status) VALUES (1, %d, %d000000, "
                "'active');"
                "INSERT INTO contact (episode, a, b, start_ns, end_ns) VALUES (1, 1, 2, %d000000, "
                "%d000000);",
                i, i, 3 * i, 3 * i + 2);
    }
    fputs("COMMIT;", out);
    fclose(out);
    return text;
}

static const char RULES[] =
    ":- temporal busy on 2.\n"
    "busy(C, interval(S, E)) :- task_construct(T, C), task_start(T, S), task_end(T, E).\n"
    ":- temporal met on 3.\n"
    "met(A, B, interval(S, E)) :- contact(_, A, B, S, E).\n"
    "below(T, P) :- task_parent(T, P).\n"
    "below(T, P) :- task_parent(T, Q), below(Q, P).\n"
    "alone(T) :- task(T), not task_parent(T, _).\n"
    "many(G, N) :- N = count { T : task_goal(T, G) }.\n"
    "both(T) :- busy(_, T), met(_, _, T).\n"
    ":- temporal both on 1.\n";
static const char *const QUERIES[] = {
    "below(T, 1), task_status(T, S, At)", "many(G, N)", "both(interval(S, E)), E - S > 0.0005",
    "busy(C, interval(S, E)), not alone(7)", "met(A, B, at(0.013)), object(A, K, Ty)"};
#define QUERY_COUNT (sizeof QUERIES / sizeof *QUERIES)

// A message is a sentence, whatever happened.
static void expect_said(status s, errors *list) {
    assert_true(s == E_INPUT || s == E_IO || s == E_LIMIT || s == E_MEMORY || s == E_INTERRUPTED);
    assert_true(list->count > 0);
    assert_true(strlen(list->items[0].text) > 3);
    errors_finish(list);
}

// Asks everything of the log at `path`. How many questions were answered.
static int ask_everything(const char *path) {
    store *log = NULL;
    engine *e = NULL;
    error err = {0};
    errors list = {0};
    int answered = 0;
    engine_options few = engine_options_default();
    few.memory_limit = 64 << 20;
    few.step_limit = 2000000;
    status s = store_open(path, &log, &err);
    if (s == OK)
        s = engine_open(log, 0, &few, &e, &err);
    if (s != OK) {
        assert_true(err.text[0] != 0);
        store_close(log);
        return 0;
    }
    assert_int_equal(engine_load(e, "rules.dl", RULES, sizeof RULES - 1, &list), OK);
    for (size_t i = 0; i < QUERY_COUNT; i++) {
        answers *got = NULL;
        s = engine_query(e, "query", QUERIES[i], &got, &list);
        if (s == OK) {
            answered++;
            answers_destroy(got);
        } else {
            expect_said(s, &list);
        }
    }
    engine_close(e);
    store_close(log);
    return answered;
}

typedef struct file_bytes {
    unsigned char *bytes;
    size_t size;
} file_bytes;

static file_bytes read_bytes(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    file_bytes f = {malloc((size_t)info.st_size), (size_t)info.st_size};
    FILE *in = fopen(path, "rb");
    assert_true(f.bytes && in);
    assert_int_equal(fread(f.bytes, 1, f.size, in), f.size);
    fclose(in);
    return f;
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t size) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_true(file >= 0);
    for (size_t at = 0; at < size;) {
        ssize_t n = write(file, bytes + at, size - at);
        assert_true(n > 0);
        at += (size_t)n;
    }
    close(file);
}

static uint64_t seed = 7;
static size_t draw(size_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(seed >> 33) % n;
}

static asked *open_log(void) {
    char *rows = rows_of_a_log();
    asked *a = asked_open(2, rows);
    free(rows);
    return a;
}

// ---- Tests ----

static void a_damaged_log_is_answered_or_refused(void **state) {
    (void)state;
    asked *a = open_log();
    assert_int_equal(ask_everything(a->path), QUERY_COUNT);
    file_bytes good = read_bytes(a->path);
    char *path = testlib_path(a->folder, "bad.db");
    unsigned char *bad = malloc(good.size);
    assert_non_null(bad);
    int refused = 0, tried = 120;
    for (int i = 0; i < tried; i++) {
        memcpy(bad, good.bytes, good.size);
        // A bit here and there, a whole page, or the end.
        size_t size = good.size;
        if (i % 3 == 0) {
            for (size_t n = 1 + draw(20); n > 0; n--)
                bad[draw(good.size)] ^= (unsigned char)(1u << draw(8));
        } else if (i % 3 == 1) {
            size_t page = draw(good.size / 4096) * 4096;
            for (size_t k = 0; k < 4096; k++)
                bad[page + k] = (unsigned char)(i % 2 ? draw(256) : 0);
        } else {
            size = draw(good.size);
        }
        write_bytes(path, bad, size);
        refused += ask_everything(path) < (int)QUERY_COUNT;
    }
    // Most of a log is never read by these questions, but not all.
    assert_true(refused > tried / 6);
    free(bad);
    free(path);
    free(good.bytes);
    asked_close(a);
}

// What `change` does to the file of a log between two questions.
static void with_change(void (*change)(asked *a, const file_bytes *good)) {
    for (size_t first = 0; first < QUERY_COUNT; first++) {
        asked *a = open_log();
        file_bytes good = read_bytes(a->path);
        asked_load(a, RULES);
        for (size_t i = 0; i < QUERY_COUNT; i++) {
            errors list = {0};
            answers *got = NULL;
            if (i == 1)
                change(a, &good);
            status s =
                engine_query(a->engine, "query", QUERIES[(first + i) % QUERY_COUNT], &got, &list);
            if (s == OK)
                answers_destroy(got);
            else
                expect_said(s, &list);
        }
        free(good.bytes);
        asked_close(a);
    }
}

static void cut_short(asked *a, const file_bytes *good) {
    assert_int_equal(truncate(a->path, (off_t)(good->size / 3)), 0);
}
static void emptied(asked *a, const file_bytes *good) {
    (void)good;
    assert_int_equal(truncate(a->path, 0), 0);
}
static void deleted(asked *a, const file_bytes *good) {
    (void)good;
    assert_int_equal(unlink(a->path), 0);
}
static void replaced(asked *a, const file_bytes *good) {
    unsigned char *other = malloc(good->size);
    assert_non_null(other);
    for (size_t i = 0; i < good->size; i++)
        other[i] = (unsigned char)draw(256);
    unlink(a->path);
    write_bytes(a->path, other, good->size);
    free(other);
}
static void overwritten(asked *a, const file_bytes *good) {
    int file = open(a->path, O_WRONLY);
    assert_true(file >= 0);
    for (size_t at = 4096; at + 4096 < good->size; at += 8192) {
        char page[4096];
        memset(page, (int)draw(256), sizeof page);
        assert_int_equal(pwrite(file, page, sizeof page, (off_t)at), sizeof page);
    }
    close(file);
}
static void written_to(asked *a, const file_bytes *good) {
    (void)good;
    sqlite3 *db = db_open(a->path, SQLITE_OPEN_READWRITE);
    // Whoever holds the log open for reading may lock writers out.
    sqlite3_exec(db,
                 "DELETE FROM task WHERE id > 100; UPDATE contact SET end_ns = start_ns - 1;"
                 "UPDATE task SET goal = 'not a (term'; DROP TABLE property;",
                 NULL, NULL, NULL);
    sqlite3_close(db);
}

static void a_log_that_is_cut_short_while_open_is_answered_or_refused(void **state) {
    (void)state;
    with_change(cut_short);
    with_change(emptied);
}
static void a_log_that_is_deleted_or_replaced_while_open_is_answered_or_refused(void **state) {
    (void)state;
    with_change(deleted);
    with_change(replaced);
}
static void a_log_that_is_written_to_while_open_is_answered_or_refused(void **state) {
    (void)state;
    with_change(overwritten);
    with_change(written_to);
}

// ---- Limits ----

static const char GROWING[] = "n(X) :- between(1, 400, X).\n"
                              "pair(X, Y) :- n(X), n(Y), X < Y.\n"
                              "far(X, Y) :- pair(X, Y).\nfar(X, Z) :- far(X, Y), pair(Y, Z).\n"
                              "grown(s(X)) :- small(X). small(0). small(s(X)) :- small(X).\n"
                              ":- temporal t on 2. t(X, interval(X, X + 1)) :- n(X).\n"
                              "some(N) :- N = count { X : far(X, _) }.\n";
static const char *const HUNGRY[] = {"far(X, Y)", "some(N)", "grown(X)",
                                     "t(X, interval(S, E)), far(X, Y)",
                                     "L = list { p(X, Y) : far(X, Y) }"};

static void little_memory_and_few_steps_are_said_and_the_engine_goes_on(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        int limited = 0;
        for (size_t limit = 1; limit < (kind ? 4000000 : 16 << 20); limit = limit * 3 + 1) {
            engine_options few = engine_options_default();
            few.memory_limit = kind ? few.memory_limit : limit << 6;
            few.step_limit = kind ? limit : 3000000;
            asked *a = open_log();
            engine *e = NULL;
            error err = {0};
            status s = engine_open(a->store, 1, &few, &e, &err);
            errors list = {0};
            if (s == OK)
                s = engine_load(e, "rules.dl", GROWING, sizeof GROWING - 1, &list);
            for (size_t i = 0; s == OK && i < sizeof HUNGRY / sizeof *HUNGRY; i++) {
                answers *got = NULL;
                status q = engine_query(e, "query", HUNGRY[i], &got, &list);
                limited += q != OK;
                if (q == OK)
                    answers_destroy(got);
                else
                    expect_said(q, &list);
            }
            // A small question after all this.
            answers *got = NULL;
            if (s == OK && limit > 4000) {
                assert_int_equal(engine_query(e, "query", "X = 1 + 1", &got, &list), OK);
                assert_int_equal(answers_count(got), 1);
                answers_destroy(got);
            }
            errors_finish(&list);
            engine_close(e);
            asked_close(a);
        }
        assert_true(limited > 10);
    }
}

// f(0, 0). f(1, 1). ...
static char *many_facts(int count, size_t *length) {
    char *text = malloc((size_t)count * 24);
    assert_non_null(text);
    *length = 0;
    for (int i = 0; i < count; i++)
        *length += (size_t)sprintf(text + *length, "f(%d, %d).\n", i, i);
    return text;
}

static void facts_and_rules_count_against_the_memory_until_they_are_unloaded(void **state) {
    (void)state;
    size_t length;
    char *facts = many_facts(50000, &length);
    asked *a = open_log();
    engine_options few = engine_options_default();
    few.memory_limit = 10 << 20;
    engine *e = NULL;
    error err = {0};
    errors list = {0};
    assert_int_equal(engine_open(a->store, 1, &few, &e, &err), OK);
    // Each time the rows of the time before are given back: ten times as many had no room.
    for (int i = 0; i < 10; i++) {
        assert_int_equal(engine_load(e, "facts.dl", facts, length, &list), OK);
        assert_true(engine_unload(e, "facts.dl"));
    }
    assert_int_equal(engine_load(e, "facts.dl", facts, length, &list), OK);
    answers *got = NULL;
    assert_int_equal(engine_query(e, "query", "f(7, X)", &got, &list), OK);
    assert_int_equal(answers_count(got), 1);
    answers_destroy(got);
    // More than fit are refused, and what was there is there.
    status s = OK;
    int files = 0;
    for (; s == OK && files < 10; files++) {
        char name[20];
        snprintf(name, sizeof name, "more-%d.dl", files);
        s = engine_load(e, name, facts, length, &list);
    }
    assert_int_equal(s, E_LIMIT);
    assert_true(files > 1);
    assert_non_null(
        strstr(list.items[0].text, "no memory is left for the rules and facts of more-"));
    errors_finish(&list);
    for (int i = 0; i + 1 < files; i++) {
        char name[20];
        snprintf(name, sizeof name, "more-%d.dl", i);
        assert_true(engine_unload(e, name));
    }
    assert_int_equal(engine_query(e, "query", "f(X, 7)", &got, &list), OK);
    assert_int_equal(answers_count(got), 1);
    answers_destroy(got);
    engine_close(e);
    asked_close(a);
    free(facts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_damaged_log_is_answered_or_refused),
        cmocka_unit_test(a_log_that_is_cut_short_while_open_is_answered_or_refused),
        cmocka_unit_test(a_log_that_is_deleted_or_replaced_while_open_is_answered_or_refused),
        cmocka_unit_test(a_log_that_is_written_to_while_open_is_answered_or_refused),
        cmocka_unit_test(facts_and_rules_count_against_the_memory_until_they_are_unloaded),
        cmocka_unit_test(little_memory_and_few_steps_are_said_and_the_engine_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
