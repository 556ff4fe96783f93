// tests/query/random/peers.c - the same programs, a hundred at a time, in clingo and swi-prolog.
#include "tests/query/random/random.h"

static const char *const NAMES[] = {"clingo", "swipl"};

bool peer_installed(peer which) {
    char shell[80];
    snprintf(shell, sizeof shell, "command -v %s >/dev/null 2>&1", NAMES[which]);
    return system(shell) == 0;
}

// What makes swi-prolog print a program's rows, and add up without end.
static const char PROLOG[] =
    ":- style_check(-singleton). :- style_check(-discontiguous).\n"
    ":- set_prolog_flag(occurs_check, true). :- set_prolog_flag(table_space, 4000000000).\n"
    "fs_total(L, S) :- findall(N, (member(X, L), fs_first(X, N)), Ns), sum_list(Ns, S).\n"
    "fs_first(X, N) :- nonvar(X), X = Y-_, !, fs_first(Y, N).\nfs_first(X, X).\n"
    "fs_main :- forall((fs_show(_, G), predicate_property(G, defined), G),\n"
    "                  (write_term(G, [quoted(true), ignore_ops(true)]), nl)), halt(0).\n";

typedef struct counted {
    size_t rows;
    uint64_t bits;
} counted;

// Reads q12_3(...) and looks it up. False: it is not in the model.
static bool read_row(const char **at, const program_t *const *programs, const model *models,
                     int many, size_t *counts, int *program, int *pred) {
    char *end;
    const char *p = *at + 1;
    *program = (int)strtol(p, &end, 10);
    if (end == p || *end != '_' || *program < 0 || *program >= many)
        return false;
    p = end + 1;
    *pred = (int)strtol(p, &end, 10);
    const program_t *of = programs[*program];
    if (end == p || *end != '(' || *pred < 0 || *pred >= of->pred_count)
        return false;
    p = end + 1;
    const predicate *d = &of->preds[*pred];
    int args[WIDTH_MAX];
    long long when = 0;
    for (int i = 0; i < d->arity; i++) {
        args[i] = ground_read(&p, d->columns[i] == COLUMN_AT);
        if (args[i] == NO_TERM)
            return false;
        p += *p == ',';
    }
    if (d->temporal) {
        when = strtoll(p, &end, 10);
        p = end;
    }
    if (*p != ')')
        return false;
    *at = p + 1;
    counts[*program * PREDS_MAX + *pred]++;
    const row_t *row = rows_find(&models[*program].of[*pred], args, d->arity);
    return row && (!d->temporal || (when >= 0 && when < of->slots && (row->when >> when & 1)));
}

static size_t rows_of(const predicate *d, const rows_t *r) {
    size_t count = 0;
    for (size_t i = 0; i < r->rows.count; i++)
        count += d->temporal ? (size_t)__builtin_popcountll(r->rows.items[i].when) : 1;
    return count;
}

// Writes all into one file, runs the peer over it, and gives what it printed.
static char *run_peer(home *h, peer which, const program_t *const *programs, int many) {
    char *path = testlib_path(h->folder, which == PEER_CLINGO ? "all.lp" : "all.pl");
    char *printed = testlib_path(h->folder, "printed"), shell[9000];
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    if (which == PEER_SWIPL)
        fputs(PROLOG, out);
    for (int i = 0; i < many; i++) {
        // Integers of clingo have 32 bits.
        if (programs[i]->ours)
            continue;
        if (which == PEER_CLINGO && !programs[i]->wide)
            write_asp(out, programs[i], i);
        else if (which == PEER_SWIPL)
            write_prolog(out, programs[i], i);
    }
    assert_int_equal(fclose(out), 0);
    if (which == PEER_CLINGO)
        snprintf(shell, sizeof shell, "timeout 120 clingo -V0 -Wnone %s >%s 2>%s.err", path,
                 printed, printed);
    else
        snprintf(shell, sizeof shell,
                 "timeout 120 swipl -q -g fs_main -t 'halt(1)' %s >%s 2>%s.err </dev/null", path,
                 printed, printed);
    // clingo ends with 10 or 30 where there is a model.
    int ended = system(shell);
    (void)ended;
    char *text = testlib_read(printed);
    free(path);
    free(printed);
    return text;
}

const char *check_peer(home *h, peer which, const program_t *const *programs, const model *models,
                       int many, int *wrong) {
    size_t *counts = calloc((size_t)many * PREDS_MAX, sizeof *counts);
    assert_non_null(counts);
    char *text = run_peer(h, which, programs, many);
    const char *said = NULL;
    for (const char *at = text; *at && !said;) {
        if (*at != 'q') {
            at++;
            continue;
        }
        const char *from = at;
        int program = 0, pred = 0;
        if (!read_row(&at, programs, models, many, counts, &program, &pred)) {
            size_t length = strcspn(from, " \n");
            said = arena_format(h->texts, "%s gives %.*s, the naive evaluator does not",
                                NAMES[which], (int)length, from);
            *wrong = program;
        }
    }
    for (int i = 0; i < many && !said; i++) {
        for (int d = 0; d < programs[i]->pred_count && !said; d++) {
            size_t expected = rows_of(&programs[i]->preds[d], &models[i].of[d]);
            if (counts[i * PREDS_MAX + d] == expected || programs[i]->ours ||
                (which == PEER_CLINGO && programs[i]->wide))
                continue;
            char *path = testlib_path(h->folder, "printed.err"), *err = testlib_read(path);
            said =
                arena_format(h->texts, "%s gives %zu rows of p%d, the naive evaluator %zu\n%.600s",
                             NAMES[which], counts[i * PREDS_MAX + d], d, expected, err);
            *wrong = i;
            free(path);
            free(err);
        }
    }
    free(counts);
    free(text);
    return said;
}
