// tests/query/random/test_random.c - random stratified programs against a naive evaluator, clingo
// and swi-prolog.
//
// FORESEE_PROGRAMS sets how many are tried, FORESEE_SEED which is the first.
#include "tests/query/random/random.h"

#define BATCH 100

static int number_from(const char *name, int otherwise) {
    const char *n = getenv(name);
    return n ? atoi(n) : otherwise;
}

typedef struct batch {
    program_t *programs[BATCH];
    model models[BATCH];
    int count;
} batch;

static void print_program(const program_t *p) {
    fprintf(stderr, "\nseed %llu, %d instants\n", (unsigned long long)p->seed, p->slots);
    write_ours(stderr, p, (style){0});
}

static const char *fails_ours(home *h, const program_t *p, const model *m, void *context) {
    (void)context;
    return check_ours(h, p, m, NULL);
}

static const char *fails_peer(home *h, const program_t *p, const model *m, void *context) {
    int wrong;
    return check_peer(h, *(peer *)context, &p, m, 1, &wrong);
}

static void fail_small(home *h, program_t *p, failing fails, void *context, int tries,
                       const char *said) {
    const char *shorter = shrink(h, p, fails, context, tries);
    print_program(p);
    fail_msg("%s\n(before shrinking: %s)", shorter ? shorter : said, said);
}

// Whether the program has another meaning without its negations.
static bool negation_removes(const program_t *p, const model *m) {
    model without = {.ignore_negation = true, .most = 200000};
    bool differs = false;
    if (model_run(&without, p)) {
        for (int i = 0; i < p->pred_count; i++)
            differs = differs || !rows_same(&m->of[i], &without.of[i], p->preds[i].arity);
    }
    model_finish(&without);
    return differs;
}

// ---- Tests ----

static home *here;

static void random_programs_mean_the_same_in_four_engines(void **state) {
    (void)state;
    int tried = number_from("FORESEE_PROGRAMS", 250), first = number_from("FORESEE_SEED", 1);
    bool peers[PEERS];
    batch *b = calloc(1, sizeof *b);
    tally t = {0};
    assert_non_null(b);
    for (int which = 0; which < PEERS; which++) {
        peers[which] = peer_installed((peer)which);
        if (!peers[which])
            print_message("%s is not installed: not compared with it\n",
                          which == PEER_CLINGO ? "clingo" : "swipl");
    }
    for (uint64_t seed = (uint64_t)first; t.programs < tried; seed++) {
        if (!b->programs[b->count])
            b->programs[b->count] = malloc(sizeof **b->programs);
        program_t *p = b->programs[b->count];
        model *m = &b->models[b->count];
        assert_non_null(p);
        bool made = generate(p, m, seed);
        m->most = 400000;
        if (!made || !model_run(m, p))
            continue;
        t.programs++;
        t.removed += negation_removes(p, m);
        const char *said = check_ours(here, p, m, &t);
        if (said)
            fail_small(here, p, fails_ours, NULL, 1500, said);
        arena_reset(here->texts);
        b->count++;
        if (b->count < BATCH && t.programs < tried)
            continue;
        for (int which = 0; which < PEERS; which++) {
            int wrong = 0;
            peer one = (peer)which;
            said = peers[which] ? check_peer(here, one, (const program_t *const *)b->programs,
                                             b->models, b->count, &wrong)
                                : NULL;
            if (said)
                fail_small(here, b->programs[wrong], fails_peer, &one, 120, said);
        }
        for (int i = 0; i < b->count; i++)
            model_finish(&b->models[i]);
        b->count = 0;
        grounds_forget();
    }
    print_message("%d programs, %d answers, %d %% not empty, in %d %% negation removes something, "
                  "%d proofs replayed, %d denials judged\n",
                  t.programs, t.answers, 100 * t.not_empty / t.answers,
                  100 * t.removed / t.programs, t.proofs, t.denials);
    assert_true(t.proofs > t.programs / 4);
    assert_true(100 * t.not_empty >= 70 * t.answers);
    assert_true(100 * t.removed >= 30 * t.programs);
    for (int i = 0; i < BATCH; i++)
        free(b->programs[i]);
    free(b);
}

static int open_home(void **state) {
    (void)state;
    here = home_open();
    return 0;
}

static int close_home(void **state) {
    (void)state;
    home_close(here);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_mean_the_same_in_four_engines),
    };
    return cmocka_run_group_tests(tests, open_home, close_home);
}
