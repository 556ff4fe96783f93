// tests/bench/bench_query.c - the query engine beside clingo and SWI-Prolog with tabling, on the
// same programs, in one run.
//
// Ours is timed from the text of the program to the sorted answers, proofs recorded; a peer from
// the start of its process to its end, on the same clauses, printing one number. Medians. A name as
// argument runs that part alone. Exit 1: a target is missed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sqlite3.h>
#include "query/engine.h"
#include "schema/schema.h"
#include "tests/bench/timing.h"

static int missed;
static char folder[] = "/tmp/foresee_bench_XXXXXX";

static double wall(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void judge(const char *what, double x, const char *unit, bool holds, const char *target) {
    printf("  %-58s %10.3f %-8s target %s%s\n", what, x, unit, target, holds ? "" : "  MISSED");
    fflush(stdout);
    missed += !holds;
}

static void say(const char *what, double x, const char *unit) {
    printf("  %-58s %10.3f %s\n", what, x, unit);
    fflush(stdout);
}

// ---- Texts
// ---------------------------------------------------------------------------------------

typedef ARRAY(char) text;

static void put(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(text *t, const char *format, ...) {
    char line[300];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    ASSERT(n >= 0 && (size_t)n < sizeof line);
    for (int i = 0; i < n; i++)
        array_push(t, line[i]);
}

static uint64_t state = 1;
static uint32_t draw(uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % n);
}

// ---- Ours
// ----------------------------------------------------------------------------------------

static store *log_file;

static void make_log(void) {
    ASSERT(mkdtemp(folder));
    char path[200], *sql = NULL;
    snprintf(path, sizeof path, "%s/log.db", folder);
    sqlite3 *db = NULL;
    ASSERT(schema_sql(&sql, NULL) == OK && sqlite3_open(path, &db) == SQLITE_OK);
    ASSERT(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
    ASSERT(sqlite3_exec(db,
                        "INSERT INTO episode VALUES (1, 'p', 'w', 'r', 1, '0', 2000000, 20000000, "
                        "100000000000000, 'succeeded', 1, 100000000000000)",
                        NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(db);
    free(sql);
    error err = {0};
    if (store_open(path, &log_file, &err) != OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(2);
    }
}

static void stop_on(status s, const errors *list) {
    if (s == OK)
        return;
    for (size_t i = 0; i < list->count; i++)
        fprintf(stderr, "%d:%d: %s\n", list->items[i].line, list->items[i].column,
                list->items[i].text);
    fprintf(stderr, "bench_query: %s\n", status_sentence(s));
    exit(2);
}

typedef struct measured {
    double all, query; // seconds: with reading the program; the query alone
    int64_t answer;
    size_t bytes;
} measured;

static measured once(const text *program, const char *query, bool forget) {
    engine_options opt = engine_options_default();
    opt.memory_limit = (size_t)8 << 30;
    opt.forget_origins = forget;
    engine *e = NULL;
    error err = {0};
    errors list = {0};
    ASSERT(engine_open(log_file, 0, &opt, &e, &err) == OK);
    double began = wall();
    stop_on(engine_load(e, "program", program->items, program->count, &list), &list);
    stop_on(engine_check(e, &list), &list);
    double loaded = wall();
    answers *a = NULL;
    stop_on(engine_query(e, "query", query, &a, &list), &list);
    double ended = wall();
    ASSERT(answers_count(a) == 1 && answers_columns(a) >= 1);
    value v = answers_value(a, 0, answers_columns(a) - 1);
    measured m = {ended - began, ended - loaded, values_integer(answers_values(a), v),
                  engine_last_cost(e).bytes};
    answers_free(a);
    engine_close(e);
    return m;
}

static measured ours(const text *program, const char *query, size_t times, bool forget) {
    double all[16], query_only[16];
    measured m = {0};
    for (size_t i = 0; i < times; i++) {
        m = once(program, query, forget);
        all[i] = m.all;
        query_only[i] = m.query;
    }
    m.all = median(all, times);
    m.query = median(query_only, times);
    return m;
}

// ---- Peers
// ---------------------------------------------------------------------------------------

#define PEER_SECONDS 300

static void write_file(char *path, size_t size, const char *name, const char *head,
                       const text *body, const char *tail) {
    snprintf(path, size, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    ASSERT(f);
    fputs(head, f);
    fwrite(body->items, 1, body->count, f);
    fputs(tail, f);
    ASSERT(fclose(f) == 0);
}

// Seconds of a process, median of `times`; its last line is the answer. -1: it took too long.
static double process(const char *command, int64_t expected, size_t times) {
    double t[9];
    for (size_t i = 0; i < times; i++) {
        char line[400], last[400] = "", full[700];
        snprintf(full, sizeof full, "timeout %d %s 2>/dev/null", PEER_SECONDS, command);
        double began = wall();
        FILE *p = popen(full, "r");
        ASSERT(p);
        while (fgets(line, sizeof line, p))
            strcpy(last, line);
        pclose(p);
        t[i] = wall() - began;
        if (t[i] >= PEER_SECONDS)
            return -1;
        if (strtoll(last, NULL, 10) != expected) {
            fprintf(stderr, "bench_query: '%s' says '%s', not %lld\n", command, last,
                    (long long)expected);
            exit(2);
        }
    }
    return median(t, times);
}

// clingo with the number of atoms of `count` as the one thing shown.
static double clingo(const text *program, const char *count, int64_t expected, size_t times) {
    char path[300], tail[300], command[700];
    snprintf(tail, sizeof tail, "#show.\n#show N : N = #count { %s }.\n", count);
    write_file(path, sizeof path, "program.lp", "", program, tail);
    snprintf(command, sizeof command, "clingo --verbose=0 --outf=0 %s | head -n 1", path);
    return process(command, expected, times);
}

static double swipl(const text *program, const char *tables, const char *goal, int64_t expected,
                    size_t times) {
    char path[300], tail[300], head[400], command[700];
    snprintf(head, sizeof head, "%s\n:- style_check(-discontiguous).\n", tables);
    snprintf(tail, sizeof tail, "main :- aggregate_all(count, %s, N), print(N), nl.\n", goal);
    write_file(path, sizeof path, "program.pl", head, program, tail);
    snprintf(command, sizeof command,
             "swipl --stack-limit=12g --table-space=12g -g main -t halt %s", path);
    return process(command, expected, times);
}

static double better(double a, double b) {
    return a < 0 ? b : b < 0 ? a : a < b ? a : b;
}

// ---- Closure
// -------------------------------------------------------------------------------------

#define NODES 1000
#define EDGES 10000

static void closure(text *t, bool right) {
    static bool has[NODES + 1][NODES + 1];
    memset(has, 0, sizeof has);
    state = 1;
    for (int n = 0; n < EDGES;) {
        uint32_t a = 1 + draw(NODES), b = 1 + draw(NODES);
        if (has[a][b])
            continue;
        has[a][b] = true;
        put(t, "edge(%u,%u).\n", a, b);
        n++;
    }
    put(t, "tc(X,Y) :- edge(X,Y).\n");
    put(t, right ? "tc(X,Y) :- edge(X,Z), tc(Z,Y).\n" : "tc(X,Y) :- tc(X,Z), edge(Z,Y).\n");
}

// The same closure with a set written by hand: open addressing, a work list.
static double by_hand(int64_t expected) {
    text t = {0};
    closure(&t, true); // for its draws alone
    array_finish(&t);
    state = 1;
    double began = wall();
    uint32_t *first = calloc(NODES + 2, sizeof *first), *to = malloc(EDGES * sizeof *to);
    uint32_t(*edges)[2] = malloc(EDGES * sizeof *edges);
    static bool has[NODES + 1][NODES + 1];
    memset(has, 0, sizeof has);
    for (int n = 0; n < EDGES;) {
        uint32_t a = 1 + draw(NODES), b = 1 + draw(NODES);
        if (!has[a][b]) {
            has[a][b] = true;
            edges[n][0] = a;
            edges[n++][1] = b;
        }
    }
    for (int i = 0; i < EDGES; i++)
        first[edges[i][1] + 1]++;
    for (int i = 1; i < NODES + 2; i++)
        first[i] += first[i - 1];
    uint32_t *at = malloc((NODES + 2) * sizeof *at);
    memcpy(at, first, (NODES + 2) * sizeof *at);
    for (int i = 0; i < EDGES; i++)
        to[at[edges[i][1]]++] = edges[i][0];
    uint32_t size = 1u << 21;
    uint64_t *set = calloc(size, sizeof *set), *work = malloc(sizeof *work * (NODES * NODES + 1));
    size_t count = 0;
#define ADD(x, y)                                                                                  \
    do {                                                                                           \
        uint64_t key = (uint64_t)(x) << 32 | (y), k = key * UINT64_C(0x9e3779b97f4a7c15) >> 43;    \
        while (set[k] && set[k] != key)                                                            \
            k = (k + 1) & (size - 1);                                                              \
        if (!set[k])                                                                               \
            set[k] = key, work[count++] = key;                                                     \
    } while (0)
    for (int i = 0; i < EDGES; i++)
        ADD(edges[i][0], edges[i][1]);
    for (size_t i = 0; i < count; i++) {
        uint32_t z = (uint32_t)(work[i] >> 32), y = (uint32_t)work[i];
        for (uint32_t n = first[z]; n < first[z + 1]; n++)
            ADD(to[n], y);
    }
#undef ADD
    double took = wall() - began;
    ASSERT((int64_t)count == expected);
    free(first), free(to), free(edges), free(at), free(set), free(work);
    return took;
}

static void bench_closure(void) {
    text right = {0}, left = {0};
    closure(&right, true);
    closure(&left, false);
    const char *all = "N = count { tc(X, Y) }.";
    measured r = ours(&right, all, 5, false), l = ours(&left, all, 5, false);
    measured bare = ours(&right, all, 5, true);
    printf("closure of %d nodes and %d random edges: %lld tuples\n", NODES, EDGES,
           (long long)r.answer);
    ASSERT(r.answer == l.answer);
    double cr = clingo(&right, "X,Y : tc(X,Y)", r.answer, 3),
           cl = clingo(&left, "X,Y : tc(X,Y)", r.answer, 3);
    double sr = swipl(&right, ":- table tc/2.", "tc(_,_)", r.answer, 3),
           sl = swipl(&left, ":- table tc/2.", "tc(_,_)", r.answer, 3);
    double fastest = better(better(cr, cl), better(sr, sl)), mine = better(r.all, l.all);
    say("right-recursive, ours", r.all, "s");
    say("left-recursive, ours", l.all, "s");
    say("clingo, right-recursive", cr, "s");
    say("clingo, left-recursive", cl, "s");
    say("swi-prolog tabling, right-recursive", sr, "s");
    say("swi-prolog tabling, left-recursive", sl, "s");
    judge("right-recursive: the better peer / ours", better(cr, sr) / r.all, "x",
          better(cr, sr) / r.all >= 5, ">= 5");
    judge("fastest formulation of the peers / slower of ours",
          fastest / (r.all > l.all ? r.all : l.all), "x",
          fastest / (r.all > l.all ? r.all : l.all) >= 3, ">= 3");
    double hand = by_hand(r.answer);
    say("a set written by hand in C", hand, "s");
    say("ours / by hand", mine / hand, "x");
    judge("with proofs recorded / without", r.query / bare.query, "x", r.query <= 1.3 * bare.query,
          "<= 1.3");
    judge("memory for each derived tuple, all that is held", (double)r.bytes / (double)r.answer,
          "bytes", r.bytes <= 100 * (size_t)r.answer, "<= 100");
    measured br = ours(&right, "N = count { Y : tc(1, Y) }.", 7, false),
             bl = ours(&left, "N = count { Y : tc(1, Y) }.", 7, false);
    judge("tc(1, Y), right-recursive", br.query * 1e3, "ms", br.query < 0.020, "< 20 ms");
    judge("tc(1, Y), left-recursive", bl.query * 1e3, "ms", bl.query < 0.020, "< 20 ms");
    measured er = ours(&right, "N = count { X : tc(X, 1) }.", 7, false),
             el = ours(&left, "N = count { X : tc(X, 1) }.", 7, false);
    say("tc(X, 1), right-recursive", er.query * 1e3, "ms");
    say("tc(X, 1), left-recursive", el.query * 1e3, "ms");
    array_finish(&right);
    array_finish(&left);
}

// ---- Intervals
// -----------------------------------------------------------------------------------

#define INTERVALS 100000
#define KEYS 1000
#define SPAN 100000 // of each key's time

static void overlap(text *t, bool temporal) {
    state = 2;
    if (temporal)
        put(t, ":- temporal a on 2.\n:- temporal b on 2.\n:- temporal both on 2.\n");
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < INTERVALS; i++) {
            // 100 intervals of each key, apart from one another, in an order that is not that of
            // time.
            uint32_t k = (uint32_t)i % KEYS, n = ((uint32_t)(i / KEYS) * 37 + k) % 100;
            uint32_t s = n * 1000 + draw(400), e = s + 1 + draw(500);
            put(t, temporal ? "%c(%u,interval(%u,%u)).\n" : "%c(%u,%u,%u).\n", side ? 'b' : 'a', k,
                s, e);
        }
    }
}

static void bench_overlap(void) {
    text plain = {0}, temporal = {0};
    overlap(&plain, false);
    put(&plain, "o(K,S,T) :- a(K,S,E), b(K,T,F), S < F, T < E.\n");
    overlap(&temporal, true);
    put(&temporal, "both(K,T) :- a(K,T), b(K,T).\n");
    printf("overlap of %d with %d intervals of %d keys\n", INTERVALS, INTERVALS, KEYS);
    measured p = ours(&plain, "N = count { o(K, S, T) }.", 5, false);
    measured t = ours(&temporal, "N = count { K, S, E : both(K, interval(S, E)) }.", 5, false);
    double c = clingo(&plain, "K,S,T : o(K,S,T)", p.answer, 3);
    double s = swipl(&plain, "", "o(_,_,_)", p.answer, 1);
    say("overlapping pairs", (double)p.answer, "");
    judge("temporal predicates, query alone", t.query * 1e3, "ms", t.query < 0.100, "< 100 ms");
    judge("comparisons of columns, query alone", p.query * 1e3, "ms", p.query < 0.100, "< 100 ms");
    say("temporal predicates, with reading the facts", t.all, "s");
    say("clingo, with reading the facts", c, "s");
    say("swi-prolog, with reading the facts", s, "s");
    say("the better peer / ours, both with reading", better(c, s) / p.all, "x");
    array_finish(&plain);
    array_finish(&temporal);
}

#define TICKS 1000000

static void bench_coalesce(void) {
    text t = {0};
    put(&t,
        ":- temporal held on 2.\n:- declare tick(k: integer, s: time, e: time).\n"
        "step(0, 0).\nstep(1, 0).\nstep(K, N) :- step(K, M), M < %d, N = M + 1.\n",
        TICKS / 2 - 1);
    put(&t, "tick(K, S, E) :- step(K, N), S = N * 0.002, E = S + 0.002.\n"
            "held(K, interval(S, E)) :- tick(K, S, E).\n");
    printf("coalescing %d ticks of two keys\n", TICKS);
    // The ticks are derived first; what is timed is the rest.
    double times[5];
    for (size_t i = 0; i < 5; i++) {
        engine_options opt = engine_options_default();
        opt.memory_limit = (size_t)8 << 30;
        engine *e = NULL;
        error err = {0};
        errors list = {0};
        answers *a = NULL;
        ASSERT(engine_open(log_file, 0, &opt, &e, &err) == OK);
        stop_on(engine_load(e, "program", t.items, t.count, &list), &list);
        stop_on(engine_query(e, "query", "N = count { tick(K, S, E) }.", &a, &list), &list);
        ASSERT(values_integer(answers_values(a), answers_value(a, 0, 0)) == TICKS);
        answers_free(a);
        double began = wall();
        stop_on(engine_query(e, "query", "held(K, interval(S, E)).", &a, &list), &list);
        times[i] = wall() - began;
        ASSERT(answers_count(a) == 2);
        answers_free(a);
        engine_close(e);
    }
    double took = median(times, 5);
    judge("ticks coalesced", TICKS / took / 1e6, "M/s", TICKS / took >= 5e6, ">= 5 M/s");
    array_finish(&t);
}

// ---- Depth
// ---------------------------------------------------------------------------------------

#define CHAIN 1000000

static void bench_chain(void) {
    text t = {0};
    put(&t, "n(0).\nn(Y) :- n(X), X < %d, Y = X + 1.\n", CHAIN);
    printf("a chain of %d steps of recursion\n", CHAIN);
    measured m = ours(&t, "N = count { n(X) }.", 3, false);
    ASSERT(m.answer == CHAIN + 1);
    say("ours", m.all, "s");
    say("clingo", clingo(&t, "X : n(X)", CHAIN + 1, 1), "s");
    text p = {0};
    put(&p, "n(0).\nn(Y) :- n(X), X < %d, Y is X + 1.\n", CHAIN);
    say("swi-prolog tabling", swipl(&p, ":- table n/1.", "n(_)", CHAIN + 1, 1), "s");
    array_finish(&t);
    array_finish(&p);
}

int main(int count, char **names) {
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"closure", bench_closure},
                 {"overlap", bench_overlap},
                 {"coalesce", bench_coalesce},
                 {"chain", bench_chain}};
    make_log();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        bool wanted = count < 2;
        for (int k = 1; k < count; k++)
            wanted = wanted || strcmp(names[k], parts[i].name) == 0;
        if (wanted)
            parts[i].run();
    }
    store_close(log_file);
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || missed > 0;
}
