// tests/query/why/test_proof_log.c - proofs with the shipped predicates over a log whose answers
// are known, each replayed by the checker.
#include "tests/predicates/synthetic.h"

#include "base/files/files.h"
#include "base/text/text.h"
#include "query/engine_int.h"
#include "query/rules/flaw_form.h"
#include "query/why/proof.h"
#include "query/rule_files.h"
#include "tests/query/why/proof_checker.h"

typedef struct diagnosis {
    synthetic log;
    store *store, *other_store;
    engine *engine, *other; // the other derives everything, for what is absent
    arena *arena;
    ARRAY(proof_rules) rules;
} diagnosis;

// The text of a source for a reader that does not know the sentences of flaws: in their places
// stand the clauses that they stand for. What sentences mean is tested by itself.
static const char *text_without_sentences(diagnosis *d, const rule_source *s) {
    char *blank = arena_copy(d->arena, s->text, s->length);
    text_buffer *made = arena_alloc(d->arena, (s->length + 1) * sizeof *made), out = {0};
    memset(made, 0, (s->length + 1) * sizeof *made);
    for (size_t i = 0; i < s->clauses.count; i++) {
        const clause *c = s->clauses.items[i];
        const term *t;
        error err = {0};
        if (!c->form)
            continue;
        if (flaw_clause_term(c, &t, &err) != OK)
            fail_msg("%s:%d: %s", err.file, err.line, err.text);
        text_add(&made[c->at], "%s. ", term_text(d->arena, t));
        size_t end = c->at + c->length;
        end += end < s->length && s->text[end] == '.';
        for (size_t at = c->at; at < end; at++)
            blank[at] = blank[at] == '\n' ? '\n' : ' ';
    }
    for (size_t at = 0; at < s->length; at++) {
        text_put(&out, text_string(&made[at]));
        text_put_bytes(&out, &blank[at], 1);
        text_finish(&made[at]);
    }
    const char *whole = arena_strdup(d->arena, text_string(&out));
    text_finish(&out);
    return whole;
}

static engine *opened(diagnosis *d, store **log, bool whole) {
    error err = {0};
    errors list = {0};
    engine *e;
    engine_options opt = engine_options_default();
    opt.derive_whole = whole;
    if (store_open(d->log.path, log, &err) != OK || engine_open(*log, 0, &opt, &e, &err) != OK)
        fail_msg("%s", err.text);
    rule_files files = {0};
    assert_int_equal(rule_files_list(d->arena, FORESEE_SOURCE_DIR "/predicates", &files, &err), OK);
    for (size_t i = 0; i < files.count; i++) {
        char *text;
        size_t length;
        assert_int_equal(file_read(files.items[i], &text, &length, &err), OK);
        if (engine_load(e, files.items[i], text, length, &list) != OK)
            fail_msg("%s:%d: %s", list.items[0].file, list.items[0].line, list.items[0].text);
        free(text);
    }
    for (size_t i = 0; i < e->program->sources.count && !whole; i++) {
        const rule_source *s = e->program->sources.items[i];
        array_push(&d->rules,
                   (proof_rules){arena_strdup(d->arena, s->name), text_without_sentences(d, s)});
    }
    array_finish(&files);
    return e;
}

static diagnosis begin(void) {
    diagnosis d = {.log = synthetic_begin(), .arena = arena_create()};
    synthetic_slip(&d.log, "carry", "done");
    synthetic_end(&d.log, 10);
    d.engine = opened(&d, &d.store, false);
    d.other = opened(&d, &d.other_store, true);
    return d;
}

static void end(diagnosis *d) {
    engine_close(d->engine);
    engine_close(d->other);
    store_close(d->store);
    store_close(d->other_store);
    array_finish(&d->rules);
    arena_destroy(d->arena);
    synthetic_remove(&d->log);
}

static bool holds_there(void *context, const char *goal) {
    diagnosis *d = context;
    errors list = {0};
    answers *got = NULL;
    bool yes = engine_query(d->other, "query", goal, &got, &list) == OK && answers_count(got) > 0;
    answers_destroy(got);
    errors_finish(&list);
    return yes;
}

// Proves at least `least` answers, all of which must be right.
static void proves(diagnosis *d, const char *goal, size_t least) {
    errors list = {0};
    const proof **all;
    size_t count;
    proof_options most = {.answers = 12, .parts_most = 10000, .depth = 500};
    if (engine_why(d->engine, d->arena, "query", goal, &most, &all, &count, &list) != OK)
        fail_msg("%s: %s", goal, list.items[0].text);
    if (count < least)
        fail_msg("%s: %zu proofs", goal, count);
    char *json, why[2000];
    assert_int_equal(proofs_json((const proof *const *)all, count, &json), OK);
    proof_world w = {.rules = d->rules.items,
                     .rule_count = d->rules.count,
                     .log = d->log.path,
                     .episode = engine_episode(d->engine)->id,
                     .end = seconds(engine_episode(d->engine)->end),
                     .holds = holds_there,
                     .context = d,
                     .whole = true};
    if (!proof_replay(&w, json, why, sizeof why))
        fail_msg("%s: %s", goal, why);
    free(json);
}

static void proofs_of_what_the_predicates_say_are_right(void **state) {
    (void)state;
    diagnosis d = begin();
    static const struct {
        const char *goal;
        size_t least;
    } goals[] = {
        {"holds_w(supporting(A, B), interval(S, E))", 2},
        {"holds_w(attached(cube_1, H), interval(S, E))", 1},
        {"holds_w(on(cube_1, table_1), at(end))", 1},
        {"holds_w(moving(O), interval(S, E))", 1},
        {"holds_w(object_in_hand(cube_1), during(3, 4))", 1},
        {"holds_w(Occ, at(4.5))", 3},
        {"occurs_w(E, T)", 4},
        {"occurs_w(slip(cube_1, H), T)", 1},
        {"occurs_w(drop(cube_1, H), T)", 1},
        {"flaw(F)", 3},
        {"flaw(dropped_in_transit(Task, cube_1, H, S))", 1},
        {"flaw_time(F, S, E)", 3},
        {"flaw_task(F, T)", 3},
        {"flaw_body(F, B)", 3},
        {"flaw_evidence(F, K, V)", 6},
        {"flaw_caused_by(F, G)", 2},
        {"flaw_root(F)", 1},
        {"supertask(S, T)", 1},
        {"flaw(F), flaw_task(F, Task), task_path(Task, P)", 3},
        {"N = count { F : flaw(F) }", 1},
    };
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        proves(&d, goals[i].goal, goals[i].least);
    end(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_of_what_the_predicates_say_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
