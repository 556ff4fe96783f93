// tests/bench/peers.c - see peers.h.
#include "tests/bench/peers.h"

#include <stdarg.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>
#include "schema/schema.h"
#include "tests/bench/timing.h"

static int missed;
static char folder[] = "/tmp/foresee_bench_XXXXXX";

// What the processes that have ended had of a processor, s.
static double ended_seconds(void) {
    struct rusage u;
    ASSERT(getrusage(RUSAGE_CHILDREN, &u) == 0);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

void judge(const char *what, double x, const char *unit, bool holds, const char *target) {
    printf("  %-58s %10.3f %-8s target %s%s\n", what, x, unit, target, holds ? "" : "  MISSED");
    fflush(stdout);
    missed += !holds;
}

void say(const char *what, double x, const char *unit) {
    printf("  %-58s %10.3f %s\n", what, x, unit);
    fflush(stdout);
}

// ---- Texts --------------------------------------------------------------------------------------

void put(clauses *t, const char *format, ...) {
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
void draw_from(uint64_t seed) {
    state = seed;
}

uint32_t draw(uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % n);
}

// ---- Ours ---------------------------------------------------------------------------------------

static store *log_file;

store *peers_log(void) {
    return log_file;
}

int judged_missed(void) {
    return missed;
}

void peers_open(void) {
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

void peers_close(void) {
    char command[100];
    store_close(log_file);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        missed++;
}

void stop_on(status s, const errors *list) {
    if (s == OK)
        return;
    for (size_t i = 0; i < list->count; i++)
        fprintf(stderr, "%d:%d: %s\n", list->items[i].line, list->items[i].column,
                list->items[i].text);
    fprintf(stderr, "bench_query: %s\n", status_sentence(s));
    exit(2);
}

static measured once(const clauses *program, const char *query, bool forget) {
    engine_options opt = engine_options_default();
    opt.memory_limit = (size_t)8 << 30;
    opt.forget_origins = forget;
    engine *e = NULL;
    error err = {0};
    errors list = {0};
    ASSERT(engine_open(log_file, 0, &opt, &e, &err) == OK);
    double began = processor_seconds();
    stop_on(engine_load(e, "program", program->items, program->count, &list), &list);
    stop_on(engine_check(e, &list), &list);
    double loaded = processor_seconds();
    answers *a = NULL;
    stop_on(engine_query(e, "query", query, &a, &list), &list);
    double ended = processor_seconds();
    ASSERT(answers_count(a) == 1 && answers_columns(a) >= 1);
    value v = answers_value(a, 0, answers_columns(a) - 1);
    measured m = {ended - began, ended - loaded, values_integer(answers_values(a), v),
                  engine_last_cost(e).bytes};
    answers_destroy(a);
    engine_close(e);
    return m;
}

measured ours(const clauses *program, const char *query, size_t times, bool forget) {
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

// ---- Peers --------------------------------------------------------------------------------------

#define PEER_SECONDS 120

static void write_file(char *path, size_t size, const char *name, const char *head,
                       const clauses *body, const char *tail) {
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
        snprintf(full, sizeof full, "(ulimit -t %d; %s) 2>/dev/null", PEER_SECONDS, command);
        double began = ended_seconds();
        FILE *p = popen(full, "r");
        ASSERT(p);
        while (fgets(line, sizeof line, p))
            strcpy(last, line);
        pclose(p);
        t[i] = ended_seconds() - began;
        if (t[i] >= 0.99 * PEER_SECONDS)
            return PEER_SLOW;
        if (strtoll(last, NULL, 10) != expected) {
            fprintf(stderr, "bench_query: '%s' says '%s', not %lld\n", command, last,
                    (long long)expected);
            exit(2);
        }
    }
    return median(t, times);
}

// clingo with the number of atoms of `count` as the one thing shown.
double clingo_answer(const clauses *program, const char *rule, int64_t expected, size_t times) {
    char path[300], tail[700], command[700];
    snprintf(tail, sizeof tail, "%s\n#show.\n#show N : answer(N).\n", rule);
    write_file(path, sizeof path, "program.lp", "", program, tail);
    snprintf(command, sizeof command, "clingo --verbose=0 --outf=0 %s | head -n 1", path);
    return process(command, expected, times);
}

double swipl_answer(const clauses *program, const char *tables, const char *goal, int64_t expected,
                    size_t times) {
    char path[300], tail[300], head[400], command[700];
    snprintf(head, sizeof head, "%s\n:- style_check(-discontiguous).\n", tables);
    snprintf(tail, sizeof tail, "main :- %s, print(N), nl.\n", goal);
    write_file(path, sizeof path, "program.pl", head, program, tail);
    snprintf(command, sizeof command,
             "swipl --stack-limit=12g --table-space=12g -g main -t halt %s", path);
    return process(command, expected, times);
}

double clingo(const clauses *program, const char *count, int64_t expected, size_t times) {
    char rule[400];
    snprintf(rule, sizeof rule, "answer(N) :- N = #count { %s }.", count);
    return clingo_answer(program, rule, expected, times);
}

double swipl(const clauses *program, const char *tables, const char *goal, int64_t expected,
             size_t times) {
    char counted[400];
    snprintf(counted, sizeof counted, "aggregate_all(count, %s, N)", goal);
    return swipl_answer(program, tables, counted, expected, times);
}

// Interpreted. Its rows stand between lines of their own.
double souffle(const clauses *facts, const char *rules, int64_t expected, size_t times) {
    char path[300], head[2000], command[700];
    if (system("command -v souffle >/dev/null") != 0)
        return PEER_MISSING;
    snprintf(head, sizeof head,
             "%s\n.decl answer(n: number)\n.output answer(IO=stdout, headers=false)\n", rules);
    write_file(path, sizeof path, "souffle.dl", head, facts, "");
    snprintf(command, sizeof command, "souffle %s | grep -x '[0-9][0-9]*'", path);
    return process(command, expected, times);
}

double better(double a, double b) {
    return a < 0 ? b : b < 0 ? a : a < b ? a : b;
}

void say_peer(const char *what, double seconds) {
    if (seconds >= 0)
        say(what, seconds, "s");
    else
        printf("  %-58s %10s %s\n", what, "-",
               seconds == PEER_SLOW      ? "more than two minutes"
               : seconds == PEER_MISSING ? "this machine has none"
                                         : "not asked: it derives all of it");
    fflush(stdout);
}
