// tests/query/limits/test_memory.c - memory that runs out at any point of a query: a status, no
// leak, and an engine that answers once there is memory again.
//
// malloc and its kin are wrapped by the linker, and SQLite is told to use them. Failing once, only
// the n-th call fails; failing on, what is in use may not grow from the n-th call on.
#include "query/why/proof.h"
#include "tests/query/querylib.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *piece);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *piece);

static struct {
    bool on, lasting, failed;
    uint64_t calls, at; // the call that fails; 0: none
    size_t used, most;
} memory;

// Whether this call may not have what it wants.
static bool refuse(size_t size, size_t returned) {
    if (!memory.on)
        return false;
    memory.calls++;
    if (memory.at && memory.calls == memory.at) {
        memory.most = memory.used;
        memory.failed = true;
        return true;
    }
    return memory.lasting && memory.at && memory.calls > memory.at &&
           memory.used - returned + size > memory.most;
}

// In front of each piece stands its size, and a mark: the C library makes some of its own.
#define MARK UINT64_C(0x6d656d6f72792121)
typedef struct header {
    uint64_t mark, size;
} header;

static header *header_of(void *piece) {
    header *h = (header *)piece - 1;
    return h->mark == (MARK ^ (uint64_t)(uintptr_t)piece) ? h : NULL;
}

static void *hand_out(header *h, size_t size) {
    if (!h)
        return NULL;
    *h = (header){MARK ^ (uint64_t)(uintptr_t)(h + 1), size};
    memory.used += size;
    return h + 1;
}

void *__wrap_malloc(size_t size) {
    return refuse(size, 0) ? NULL : hand_out(__real_malloc(size + sizeof(header)), size);
}

void *__wrap_calloc(size_t n, size_t size) {
    if (size > 0 && n > SIZE_MAX / 2 / size)
        return NULL;
    return refuse(n * size, 0) ? NULL
                               : hand_out(__real_calloc(1, n * size + sizeof(header)), n * size);
}

void *__wrap_realloc(void *old, size_t size) {
    header *h = old ? header_of(old) : NULL;
    if (!old)
        return __wrap_malloc(size);
    if (!h)
        return __real_realloc(old, size);
    assert_true(size > 0); // the C library would free it, and give NULL
    size_t before = (size_t)h->size;
    if (refuse(size, before))
        return NULL;
    h = __real_realloc(h, size + sizeof(header));
    if (h)
        memory.used -= before;
    return hand_out(h, size);
}

void __wrap_free(void *piece) {
    header *h = piece ? header_of(piece) : NULL;
    if (h) {
        memory.used -= (size_t)h->size;
        h->mark = 0;
    }
    __real_free(h ? (void *)h : piece);
}

// ---- SQLite's memory ----

static void *sql_malloc(int n) {
    return malloc((size_t)n);
}
static void *sql_realloc(void *old, int n) {
    return realloc(old, (size_t)n);
}
static int sql_size(void *piece) {
    const header *h = piece ? header_of(piece) : NULL;
    return h ? (int)h->size : 0;
}
static int sql_round(int n) {
    return (n + 7) & ~7;
}
static int sql_start(void *context) {
    (void)context;
    return SQLITE_OK;
}
static void sql_stop(void *context) {
    (void)context;
}

// ---- What is done while memory runs out ----

static const char RULES[] =
    "% a little of everything\n"
    ":- declare reach(from: any, to: any) \"what leads where\".\n"
    ":- split holds on 1. :- temporal holds on 2.\n"
    "edge(a, b). edge(b, c). edge(c, f(1, [x, \"text\", 2.5])). edge(f(1, [x, \"text\", 2.5]), "
    "4611686018427387904).\n"
    "reach(X, Y) :- edge(X, Y).\nreach(X, Z) :- reach(X, Y), edge(Y, Z).\n"
    "holds(on(X, Y), interval(S, E)) :- edge(X, Y), between(0, 8, S), E = S + 1.5.\n"
    "holds(near(X, Y), T) :- holds(on(X, Y), T), not holds(on(Y, X), T), T >= 3.\n"
    "many(X, N) :- N = count { Y : reach(X, Y) }, N > 0.\n"
    "beyond(K, X) :- between(1, 3, K), between(1, 60, X), X > K.\n"
    "lone(X) :- edge(X, _), not (reach(_, X), X != a).\n"
    "named(G) :- task_goal(T, G), task_start(T, S), S >= 0 ; contact(_, A, B, _, _), G = pair(A, "
    "B).\n";
static const char *const QUERIES[] = {
    "reach(a, X)", "reach(b, X)",
    // what is kept of keys, by a query that adds some
    "beyond(1, X)", "between(1, 3, K), beyond(K, X), beyond(2, X)", "many(X, N)",
    "holds(near(X, Y), interval(S, E)), E - S > 1", "lone(X)", "named(G)",
    "L = list { X : reach(X, _) }, length(L, N)", "holds(O, at(4)), O = on(_, Z)", "unknown(X)"};
#define QUERY_COUNT (sizeof QUERIES / sizeof *QUERIES)
static const char LOG_ROWS[] =
    "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body'), (2, 1, 'table', "
    "'body');"
    "INSERT INTO agent (id, episode, name) VALUES (1, 1, 'r');"
    "INSERT INTO task (id, episode, agent, construct, goal, start_ns, status) VALUES"
    " (1, 1, 1, 'seq', 'on(cup, table)', 5, 'done');"
    "INSERT INTO contact (episode, a, b, start_ns) VALUES (1, 1, 2, 0);";

// What was answered: -1 where a status said no.
typedef struct outcome {
    status opened;
    long answered[QUERY_COUNT];
} outcome;

static void ask_all(engine *e, outcome *o) {
    for (size_t i = 0; i < QUERY_COUNT; i++) {
        errors list = {0};
        answers *got = NULL;
        status s = engine_query(e, "query", QUERIES[i], &got, &list);
        o->answered[i] = s == OK ? (long)answers_count(got) : s == E_INPUT ? -2 : -1;
        if (s != OK)
            assert_true(s == E_INPUT || s == E_MEMORY || s == E_LIMIT || s == E_IO);
        answers_destroy(got);
        errors_finish(&list);
    }
}

static status load(engine *e) {
    errors list = {0};
    status s = engine_load(e, "rules.dl", RULES, sizeof RULES - 1, &list);
    if (s == OK)
        s = engine_check(e, &list);
    errors_finish(&list);
    return s;
}

// Proofs and denials: only that they end in order.
static void explain_some(engine *e) {
    static const char *const goals[] = {"reach(a, X)", "many(a, N)", "holds(near(a, b), at(4))",
                                        "reach(b, a)", "lone(zz)"};
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        // The arena is the test's own: what the engine refuses is not about it.
        memory.on = false;
        arena *a = arena_create_small(0);
        memory.on = true;
        errors list = {0};
        const proof **all = NULL;
        const denial *none = NULL;
        size_t found = 0;
        char *text = NULL;
        status s = engine_why(e, a, "query", goals[i], NULL, &all, &found, &list);
        if (s == OK && found > 0 && proofs_text(all, found, &text) == OK)
            free(text);
        errors_finish(&list);
        if (s == OK && found == 0)
            s = engine_why_not(e, a, "query", goals[i], NULL, &none, &list);
        assert_true(s == OK || s == E_INPUT || s == E_MEMORY || s == E_LIMIT || s == E_IO);
        errors_finish(&list);
        arena_destroy(a);
    }
}

// Opens, loads, asks and closes. Afterwards, with memory again, the same engine answers all.
static void go_through(const char *path, outcome *o, const outcome *expected) {
    store *log = NULL;
    engine *e = NULL;
    error err = {0};
    o->opened = store_open(path, &log, &err);
    if (o->opened == OK)
        o->opened = engine_open(log, 1, NULL, &e, &err);
    status loaded = o->opened == OK ? load(e) : OK;
    if (o->opened == OK && loaded == OK)
        ask_all(e, o);
    if (o->opened == OK && loaded == OK)
        explain_some(e);
    memory.on = false;
    assert_true(o->opened == OK || o->opened == E_MEMORY || o->opened == E_IO ||
                o->opened == E_LIMIT || o->opened == E_INPUT);
    if (expected && e) {
        outcome again;
        assert_int_equal(load(e), OK);
        ask_all(e, &again);
        for (size_t i = 0; i < QUERY_COUNT; i++) {
            if (again.answered[i] != expected->answered[i])
                fail_msg("call %llu failed; afterwards %s has %ld answers, %ld are expected",
                         (unsigned long long)memory.at, QUERIES[i], again.answered[i],
                         expected->answered[i]);
        }
    }
    engine_close(e);
    store_close(log);
}

static void run_out(bool lasting) {
    asked *a = asked_open(10, LOG_ROWS);
    outcome expected = {0};
    const char *stride = getenv("FORESEE_STRIDE");
    uint64_t step = stride ? (uint64_t)atoi(stride) : 23, said = 0, tried = 0;
    memory.at = 0;
    memory.calls = 0;
    memory.on = true;
    go_through(a->path, &expected, NULL);
    uint64_t calls = memory.calls;
    for (size_t i = 0; i < QUERY_COUNT; i++)
        assert_true(expected.answered[i] > 0 ||
                    (i + 1 == QUERY_COUNT && expected.answered[i] == -2));
    for (uint64_t at = 1; at <= calls; at += at < 200 ? 1 : step) {
        outcome o = {0};
        memory.at = at;
        memory.calls = 0;
        memory.lasting = lasting;
        memory.failed = false;
        size_t before = memory.used;
        memory.on = true;
        go_through(a->path, &o, &expected);
        assert_true(memory.failed);
        // SQLite may give back what it kept for later.
        if (memory.used > before)
            fail_msg("call %llu failed: %zd bytes are left over", (unsigned long long)at,
                     (ssize_t)(memory.used - before));
        bool no = o.opened != OK;
        for (size_t i = 0; i < QUERY_COUNT && !no; i++)
            no = o.answered[i] == -1;
        said += no;
        tried++;
    }
    print_message(
        "%llu calls, %llu of them failed one at a time: %llu times something was refused\n",
        (unsigned long long)calls, (unsigned long long)tried, (unsigned long long)said);
    assert_true(said > 50);
    asked_close(a);
}

static void a_call_that_fails_once_is_a_status_or_does_not_matter(void **state) {
    (void)state;
    run_out(false);
}

static void memory_that_stays_out_is_a_status(void **state) {
    (void)state;
    run_out(true);
}

// The first fact of a name takes room for rows, for places and for the row itself, one by one.
static void a_name_whose_first_fact_finds_no_room_is_a_status(void **state) {
    (void)state;
    static const char facts[] = "a(1). b(1, 2). c(f(1), x).\n";
    asked *a = asked_open(10, NULL);
    bool failed = true;
    for (uint64_t at = 1; failed; at++) {
        errors list = {0};
        memory.at = at;
        memory.calls = 0;
        memory.lasting = at % 2;
        memory.failed = false;
        memory.on = true;
        status s = engine_load(a->engine, "facts.dl", facts, sizeof facts - 1, &list);
        memory.on = false;
        failed = memory.failed;
        assert_true(s == OK || (failed && (s == E_MEMORY || s == E_LIMIT)));
        errors_finish(&list);
    }
    expect(a, "a(X), b(X, Y), c(Z, x)", "1 2 f(1)");
    asked_close(a);
}

int main(void) {
    static const sqlite3_mem_methods methods = {sql_malloc, free,      sql_realloc, sql_size,
                                                sql_round,  sql_start, sql_stop,    NULL};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_fails_once_is_a_status_or_does_not_matter),
        cmocka_unit_test(memory_that_stays_out_is_a_status),
        cmocka_unit_test(a_name_whose_first_fact_finds_no_room_is_a_status),
    };
    sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
