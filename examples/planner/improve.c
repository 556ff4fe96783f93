// improve.c - a transformational planner for plans that work: proposes transformations by rules
// over an episode of the plan, projects each, and keeps what is faster without being worse.
//
//     cc improve.c -o improve $(pkg-config --cflags --libs foresee sqlite3)
//     ./improve PLAN.yaml -o NEW.yaml
//
// The rules (improving.dl) are asked through foresee.h. Edits and projections are made by the
// commands `foresee edit` and `foresee batch`, whose JSON sqlite3 reads; $FORESEE names another
// program than `foresee`.
#include <foresee.h>

#include <fcntl.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST = 16, ROOM = 4096 };

typedef struct settings {
    const char *plan, *output, *rules;
    int seeds, confirming, rounds;
    double margin;
} settings;

typedef struct proposal {
    char rule[100], why[400], plan[ROOM];
} proposal;

// What a batch says of a plan in the place of another, over common seeds.
typedef struct comparison {
    int seeds, only_old;   // those with which the old plan alone succeeds
    double rate, rate_low; // of the new plan less that of the old, and its lower limit at 95 %
    double shift, slowest; // s, by how much the new plan takes longer, and the upper limit of that
    int timed;             // both are known: at least six seeds with which both succeed
} comparison;

static char folder[ROOM]; // of this run's logs and results
static char candidates[MOST][ROOM];
static int candidate_count; // files beside the plan, which are removed at the end

static void tidy_up(void) {
    static const char *const files[] = {"edits.json", "result.json", "edited", "log.db"};
    char path[2 * ROOM];
    for (int i = 0; i < candidate_count; i++)
        unlink(candidates[i]);
    candidate_count = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
}

static void stop(const char *what, const char *why) {
    fprintf(stderr, "improve: %s: %s\n", what, why);
    tidy_up();
    rmdir(folder);
    exit(2);
}

static const char *in_folder(const char *name) {
    static char paths[4][2 * ROOM];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

// ---- Commands and what they print ---------------------------------------------------------------

// Runs a command of foresee. Its output goes to a file, its progress to the terminal, its messages
// too unless they are of no interest. Returns its exit status.
static int command(const char *output, int quiet, const char *const *words) {
    const char *argv[MOST + 32] = {getenv("FORESEE") ? getenv("FORESEE") : "foresee"};
    posix_spawn_file_actions_t files;
    pid_t child;
    int n = 1, status;
    while (*words && n < MOST + 31)
        argv[n++] = *words++;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (quiet)
        posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&child, argv[0], &files, NULL, (char *const *)argv, environ) != 0)
        stop(argv[0], "cannot be run; foresee must be in PATH, or $FORESEE name it");
    posix_spawn_file_actions_destroy(&files);
    if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        stop(argv[1], "did not end by itself");
    return WEXITSTATUS(status);
}

// Steps a query over the text of a file, ?1. The caller finalizes it.
static sqlite3_stmt *ask_json(sqlite3 *sql, const char *path, const char *query) {
    static char *text;
    sqlite3_stmt *ask;
    FILE *f = fopen(path, "r");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        stop(path, "cannot be read");
    long length = ftell(f);
    rewind(f);
    free(text);
    text = malloc((size_t)length + 1);
    if (!text || fread(text, 1, (size_t)length, f) != (size_t)length)
        stop(path, "cannot be read");
    fclose(f);
    if (sqlite3_prepare_v2(sql, query, -1, &ask, NULL) != SQLITE_OK ||
        sqlite3_bind_text(ask, 1, text, (int)length, SQLITE_STATIC) != SQLITE_OK)
        stop("JSON of foresee", sqlite3_errmsg(sql));
    return ask;
}

// Projects plans with the same seeds, from `first` on, into log.db and result.json.
static void project(const char *const *plans, int count, int seeds, int first) {
    const char *words[MOST + 16] = {"batch"};
    char n[20], seed[20];
    int w = 1;
    snprintf(n, sizeof n, "%d", seeds);
    snprintf(seed, sizeof seed, "%d", first);
    for (int i = 0; i < count; i++)
        words[w++] = plans[i];
    const char *rest[] = {"-n", n, "--seed", seed, "-o", in_folder("log.db"), "--format", "json"};
    memcpy(words + w, rest, sizeof rest);
    unlink(in_folder("log.db"));
    if (command(in_folder("result.json"), 0, words) > 1)
        stop("foresee batch", "gave no answer");
}

static comparison compare(sqlite3 *sql, const char *old, const char *new) {
    comparison c = {0};
    sqlite3_stmt *ask = ask_json(
        sql, in_folder("result.json"),
        "select value ->> 'n', value ->> 'only_a', value ->> 'difference', value ->> 'low',"
        "  value ->> '$.duration.shift', value ->> '$.duration.high'"
        " from json_each(?1, '$.pairs') where value ->> 'a' = ?2 and value ->> 'b' = ?3");
    sqlite3_bind_text(ask, 2, old, -1, SQLITE_STATIC);
    sqlite3_bind_text(ask, 3, new, -1, SQLITE_STATIC);
    if (sqlite3_step(ask) == SQLITE_ROW)
        c = (comparison){.seeds = sqlite3_column_int(ask, 0),
                         .only_old = sqlite3_column_int(ask, 1),
                         .rate = sqlite3_column_double(ask, 2),
                         .rate_low = sqlite3_column_double(ask, 3),
                         .shift = sqlite3_column_double(ask, 4),
                         .slowest = sqlite3_column_double(ask, 5),
                         .timed = sqlite3_column_type(ask, 5) != SQLITE_NULL};
    sqlite3_finalize(ask);
    return c;
}

// Returns how many projections of the plan succeeded, and their median duration in seconds.
static int succeeded(sqlite3 *sql, const char *plan, double *median) {
    sqlite3_stmt *ask = ask_json(sql, in_folder("result.json"),
                                 "select value ->> 'succeeded', value ->> '$.duration.median'"
                                 " from json_each(?1, '$.candidates') where value ->> 'plan' = ?2");
    sqlite3_bind_text(ask, 2, plan, -1, SQLITE_STATIC);
    int count = sqlite3_step(ask) == SQLITE_ROW ? sqlite3_column_int(ask, 0) : 0;
    *median = sqlite3_column_double(ask, 1);
    sqlite3_finalize(ask);
    return count;
}

// ---- Proposals ----------------------------------------------------------------------------------

static void write_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(out, "\\u%04x", *text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

// Writes a term of edits as JSON: a list of terms with one argument each is a map.
static void write_edits(FILE *out, foresee *log, foresee_value value) {
    foresee_value parts[64], inner[2];
    size_t count = foresee_value_parts(log, value, parts, 64);
    if (foresee_value_is_list(log, value)) {
        int map = count > 0 && foresee_value_parts(log, parts[0], inner, 2) == 1 &&
                  !foresee_value_is_list(log, parts[0]);
        fputc(map ? '{' : '[', out);
        for (size_t i = 0; i < count && i < 64; i++) {
            fputs(i > 0 ? ", " : "", out);
            if (map) {
                write_text(out, foresee_value_name(log, parts[i]));
                fputs(": ", out);
                foresee_value_parts(log, parts[i], inner, 2);
            }
            write_edits(out, log, map ? inner[0] : parts[i]);
        }
        fputc(map ? '}' : ']', out);
    } else if (foresee_value_text(log, value)) {
        write_text(out, foresee_value_text(log, value));
    } else {
        char *text = NULL;
        if (foresee_value_term(log, value, &text) != FORESEE_OK)
            stop("edits", foresee_errmsg(log));
        fputs(text, out);
        foresee_free(text);
    }
}

// Has the edits of an answer made. Returns whether foresee takes the new plan.
static int make_plan(foresee *log, foresee_query *query, const char *from, const char *to) {
    FILE *out = fopen(in_folder("edits.json"), "w");
    if (!out)
        stop(in_folder("edits.json"), "cannot be written");
    fputs("{ \"reason\": ", out);
    write_text(out, foresee_column_text(query, 0));
    fputs(", \"edits\": ", out);
    write_edits(out, log, foresee_column_value(query, 2));
    fputs(" }\n", out);
    if (fclose(out) != 0)
        stop(in_folder("edits.json"), "cannot be written");
    const char *const words[] = {"edit", from, in_folder("edits.json"), "-o", to, NULL};
    return command(in_folder("edited"), 1, words) == 0;
}

// Asks the rules what might make the plan faster, of an episode of log.db in which it succeeded,
// and writes the new plans beside the old one, from where the names in it lead.
static int propose(const settings *s, const char *plan, int round, proposal *out) {
    foresee *log;
    foresee_query *query;
    foresee_episode episode;
    int count = 0, code;
    if (foresee_open(in_folder("log.db"), NULL, &log) != FORESEE_OK)
        stop("log", foresee_errmsg(log));
    for (size_t i = 0; foresee_episode_at(log, i, &episode); i++) {
        if (strcmp(episode.outcome, "succeeded") == 0) {
            foresee_choose(log, episode.id);
            break;
        }
    }
    if (foresee_load(log, s->rules) != FORESEE_OK ||
        foresee_prepare(log, "improvement(Rule, Why, Edits)", &query) != FORESEE_OK)
        stop(s->rules, foresee_errmsg(log));
    while ((code = foresee_step(query)) == FORESEE_ROW && count < MOST - 1) {
        proposal *p = out + count;
        const char *name = strrchr(s->plan, '/');
        int length = name ? (int)(name - s->plan) + 1 : 0;
        snprintf(p->rule, sizeof p->rule, "%s", foresee_column_text(query, 0));
        snprintf(p->why, sizeof p->why, "%s", foresee_column_text(query, 1));
        snprintf(p->plan, sizeof p->plan, "%.*s.improve-%d-%d-%d.yaml", length, s->plan,
                 (int)getpid(), round, count + 1);
        if (make_plan(log, query, plan, p->plan)) {
            snprintf(candidates[candidate_count++], ROOM, "%s", p->plan);
            count++;
        } else {
            printf("  %s: %s: foresee refuses the edits\n", p->rule, p->why);
        }
    }
    if (code != FORESEE_ROW && code != FORESEE_DONE)
        stop(s->rules, foresee_errmsg(log));
    foresee_finalize(query);
    foresee_close(log);
    return count;
}

// ---- Rounds -------------------------------------------------------------------------------------

static int faster(const comparison *c) {
    return c->timed && c->slowest < 0;
}

static void tell(const char *who, const comparison *c) {
    printf("  %s: ", who);
    if (c->timed)
        printf("%.1f s %s (at most %+.1f s), ", c->shift < 0 ? -c->shift : c->shift,
               c->shift < 0 ? "less" : "more", c->slowest);
    printf("rate %+.0f %% (at least %+.0f %%) over %d seeds\n", 100 * c->rate, 100 * c->rate_low,
           c->seeds);
    fflush(stdout);
}

// Tries what is proposed for a plan. Returns the index of what is kept; -1: nothing is.
static int choose(const settings *s, sqlite3 *sql, const char *plan, proposal *list, int count,
                  int first) {
    const char *plans[MOST] = {plan};
    comparison found[MOST];
    for (int i = 0; i < count; i++)
        plans[i + 1] = list[i].plan;
    project(plans, count + 1, s->seeds, first);
    for (int i = 0; i < count; i++) {
        found[i] = compare(sql, plan, list[i].plan);
        printf("  %s: %s\n  ", list[i].rule, list[i].why);
        tell("", &found[i]);
    }
    // The fastest that never failed where the plan succeeded is looked at again, with other seeds:
    // of several the best looks better than it is.
    for (;;) {
        int best = -1;
        for (int i = 0; i < count; i++) {
            if (faster(&found[i]) && found[i].only_old == 0 &&
                (best < 0 || found[i].shift < found[best].shift))
                best = i;
        }
        if (best < 0)
            return -1;
        const char *both[] = {plan, list[best].plan};
        project(both, 2, s->confirming, first + 1000);
        comparison sure = compare(sql, plan, list[best].plan);
        tell(list[best].rule, &sure);
        if (faster(&sure) && sure.only_old == 0 && sure.rate_low > -s->margin)
            return best;
        printf("  %s is not kept: it is not sure to be faster, or not sure to be no worse\n",
               list[best].rule);
        found[best].timed = 0;
    }
}

static void copy(const char *from, const char *to) {
    char block[ROOM];
    size_t n;
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    while (in && out && (n = fread(block, 1, sizeof block, in)) > 0)
        fwrite(block, 1, n, out);
    if (!in || !out || fclose(out) != 0)
        stop(to, "cannot be written");
    fclose(in);
}

static void usage(void) {
    fprintf(stderr, "usage: improve PLAN.yaml -o NEW.yaml [options]\n"
                    "  -f RULES.dl  what is proposed; default: improving.dl in this folder\n"
                    "  -n SEEDS     to choose on, at least 6; default: 6\n"
                    "  -c SEEDS     to confirm the choice on; default: 20\n"
                    "  -m MARGIN    by how much the rate of success may be lower; default: 0.2\n"
                    "  -r ROUNDS    at most; default: 4\n"
                    "NEW.yaml must stand in the folder of PLAN.yaml.\n");
    exit(2);
}

int main(int argc, char **argv) {
    settings s = {
        .rules = "improving.dl", .seeds = 6, .confirming = 20, .rounds = 4, .margin = 0.2};
    int option;
    while ((option = getopt(argc, argv, "o:f:n:c:m:r:")) != -1) {
        switch (option) {
        case 'o':
            s.output = optarg;
            break;
        case 'f':
            s.rules = optarg;
            break;
        case 'n':
            s.seeds = atoi(optarg);
            break;
        case 'c':
            s.confirming = atoi(optarg);
            break;
        case 'm':
            s.margin = atof(optarg);
            break;
        case 'r':
            s.rounds = atoi(optarg);
            break;
        default:
            usage();
        }
    }
    if (optind != argc - 1 || !s.output || s.seeds < 6 || s.confirming < 6 || s.margin <= 0)
        usage();
    s.plan = argv[optind];
    snprintf(folder, sizeof folder, "%s/improve.XXXXXX",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(folder))
        stop(folder, "cannot be made");

    sqlite3 *sql;
    if (sqlite3_open(":memory:", &sql) != SQLITE_OK)
        stop("sqlite3", "has no memory");
    double before, after;
    project(&s.plan, 1, s.seeds, 1);
    int good = succeeded(sql, s.plan, &before);
    printf("%s: %d of %d projections succeed, median %.1f s\n", s.plan, good, s.seeds, before);
    if (good < s.seeds)
        stop(s.plan, "does not work yet; `foresee mend` is for plans that fail");

    char now[ROOM];
    snprintf(now, sizeof now, "%s", s.plan);
    for (int round = 1; round <= s.rounds; round++) {
        proposal list[MOST];
        int first = 10000 * round, count = propose(&s, now, round, list);
        printf("round %d: %d transformations\n", round, count);
        int best = count > 0 ? choose(&s, sql, now, list, count, first) : -1;
        if (best < 0) {
            printf("nothing more is faster\n");
            break;
        }
        printf("round %d: %s is kept\n", round, list[best].rule);
        // The next round starts from an episode of what was kept.
        copy(list[best].plan, s.output);
        tidy_up();
        snprintf(now, sizeof now, "%s", s.output);
        const char *plan = now;
        project(&plan, 1, s.seeds, 1);
    }
    int status = strcmp(now, s.plan) == 0;
    if (!status && succeeded(sql, now, &after) > 0)
        printf("%s: median %.1f s instead of %.1f s\n", s.output, after, before);
    sqlite3_close(sql);
    tidy_up();
    rmdir(folder);
    return status;
}
