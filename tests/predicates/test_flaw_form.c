// tests/predicates/test_flaw_form.c - flaws declared with sentences: the clauses that these stand
// for, and what is said of mistakes in them.
#include "query/prepare.h"
#include "query/rules/program.h"
#include "tests/testlib.h"

typedef struct loaded {
    budget *budget;
    values *values;
    program *program;
    errors list;
    bool good;
} loaded;

static loaded load_rules(const char *text, bool library) {
    loaded l = {.budget = mem_must(1, sizeof(budget))};
    l.budget->limit = (size_t)1 << 30;
    l.values = values_create(l.budget);
    l.program = program_create(l.values, NANOS_PER_SECOND);
    l.good = (library ? program_load_library : program_load)(l.program, "own.dl", text,
                                                             strlen(text), &l.list) == OK;
    return l;
}

static void unload(loaded *l) {
    errors_finish(&l->list);
    program_destroy(l->program);
    values_destroy(l->values);
    free(l->budget);
}

// "line: clause" of each clause, as the engine reads it.
static void expect_clauses_of(const char *text, bool library, const char *expected) {
    loaded l = load_rules(text, library);
    arena *a = arena_create();
    const char *found = "";
    if (!l.good)
        fail_msg("own.dl:%d:%d: %s", l.list.items[0].line, l.list.items[0].column,
                 l.list.items[0].text);
    const rule_source *s = l.program->sources.items[0];
    for (size_t i = 0; i < s->clauses.count; i++) {
        clause *c = s->clauses.items[i];
        assert_true(source_read(c, &l.list));
        const term *sides[2] = {c->head, c->body};
        const term *whole = c->body ? term_compound(a, ":-", 2, sides) : c->head;
        found = arena_format(a, "%s%d: %s\n", found, c->line, term_text(a, whole));
    }
    if (strcmp(found, expected) != 0)
        fail_msg("found\n%sexpected\n%s", found, expected);
    arena_destroy(a);
    unload(&l);
}

static void expect_clauses(const char *text, const char *expected) {
    expect_clauses_of(text, false, expected);
    expect_clauses_of(text, true, expected);
}

static void expect_mistake(const char *text, int line, int column, const char *sentence) {
    loaded l = load_rules(text, false);
    if (l.good)
        prepare_all_rules(l.program, &l.list);
    if (l.list.count == 0)
        fail_msg("no mistake in: %s", text);
    const error *e = &l.list.items[0];
    if (e->line != line || e->column != column || !strstr(e->text, sentence))
        fail_msg("own.dl:%d:%d: %s, expected %d:%d: %s", e->line, e->column, e->text, line, column,
                 sentence);
    unload(&l);
}

#define LATE ":- flaw late(Task: task, Body: object, Start: time) \"It came late.\".\n"

static void a_declaration_gives_task_bodies_and_the_only_time(void **state) {
    (void)state;
    expect_clauses(
        LATE "when came(Task, Body, Start).\n",
        "1: flaw_task(late(Task, Body, Start), Task) :- flaw(late(Task, Body, Start))\n"
        "1: flaw_body(late(Task, Body, Start), Body) :- flaw(late(Task, Body, Start))\n"
        "2: flaw(late(Task, Body, Start)) :- came(Task, Body, Start)\n"
        "1: flaw_time(late(Task, Body, Start), Start, Start) :- flaw(late(Task, Body, Start))\n");
}

static void sentences_stand_for_clauses(void **state) {
    (void)state;
    expect_clauses(
        ":- flaw late(Start: time).\n"
        "sentence \"it came $wait late\".\n"
        "time Start to min(E, end) :- came(E).\n"
        "evidence wait = E - Start against patience, cause = Why :- came(E), reason(Why).\n"
        "evidence limit = 3 against Most :- most(Most).\n"
        "suggests hurry: [[set_property(P)]] :- path(P).\n"
        "intervention edits of hurry, no_events, [a, b].\n"
        "placebo laser. is harmless, lasting. may_cause lost, X :- odd(X).\n"
        "may_follow slow. specialises slow.\n",
        "2: flaw_sentence(late, \"it came $wait late\")\n"
        "3: flaw_time(late(Start), Start, Until) :- flaw(late(Start)), came(E), Until = min(E, "
        "end)\n"
        "4: flaw_evidence(late(Start), wait, Wait) :- flaw(late(Start)), came(E), reason(_Why), "
        "Wait = E - Start\n"
        "4: flaw_evidence(late(Start), wait_threshold, Threshold) :- flaw(late(Start)), "
        "threshold(patience, Threshold)\n"
        "4: flaw_evidence(late(Start), cause, Why) :- flaw(late(Start)), came(_E), reason(Why)\n"
        "5: flaw_evidence(late(Start), limit, 3) :- flaw(late(Start)), most(_Most)\n"
        "5: flaw_evidence(late(Start), limit_threshold, Most) :- flaw(late(Start)), most(Most)\n"
        "6: flaw_suggests(late(Start), hurry, [[set_property(P)]]) :- flaw(late(Start)), path(P)\n"
        "7: flaw_intervention(late(Start), edits(Edits)) :- flaw_suggests(late(Start), hurry, "
        "Edits)\n"
        "7: flaw_intervention(late(Start), no_events) :- flaw(late(Start))\n"
        "7: flaw_intervention(late(Start), [a, b]) :- flaw(late(Start))\n"
        "8: flaw_placebo(late, laser)\n"
        "8: harmless(late)\n"
        "8: lasting(late)\n"
        "8: may_cause(late, lost) :- odd(_X)\n"
        "8: may_cause(late, X) :- odd(X)\n"
        "9: may_cause(slow, late)\n"
        "9: specialises(late, slow)\n");
}

static void this_is_the_flaw_and_each_blank_is_its_own(void **state) {
    (void)state;
    expect_clauses(":- flaw late(Start: time).\n"
                   "evidence wait = max { W : wait(W, _) } :- flaw_time(this, _, _), not seen(_).\n"
                   "time Start.\n",
                   "2: flaw_evidence(late(Start), wait, Wait) :- flaw(late(Start)), "
                   "flaw_time(late(Start), _, _), not seen(_), Wait = max { W : wait(W, _) }\n"
                   "3: flaw_time(late(Start), Start, Start) :- flaw(late(Start))\n");
    loaded l = load_rules(":- flaw late(Start: time).\n"
                          "evidence wait = pair(_, _) :- seen(_).\ntime Start.\n",
                          false);
    const clause *c = l.program->sources.items[0]->clauses.items[0];
    const term *wait = c->head->args[2], *seen = c->body->args[1];
    assert_string_not_equal(wait->args[0]->text, wait->args[1]->text);
    assert_string_not_equal(wait->args[0]->text, seen->args[0]->text);
    unload(&l);
}

static void clauses_of_the_old_form_may_stand_between(void **state) {
    (void)state;
    expect_clauses(":- flaw late(Start: time) \"Late.\".\n"
                   "when came(Start).\n"
                   ":- declare came(time: time) \"It came.\".\n"
                   "came(T) :- seen(T).\n"
                   "flaw_time(late(T), T, end) :- flaw(late(T)).\n"
                   "time Start.\n",
                   "2: flaw(late(Start)) :- came(Start)\n"
                   "4: came(T) :- seen(T)\n"
                   "5: flaw_time(late(T), T, end) :- flaw(late(T))\n"
                   "6: flaw_time(late(Start), Start, Start) :- flaw(late(Start))\n");
}

static void the_declaration_is_that_of_a_flaw(void **state) {
    (void)state;
    loaded l = load_rules(":- flaw late(TheTask: task, B: object) \"It came late.\" \"flaw(F)\".\n",
                          false);
    assert_int_equal(l.program->declarations.count, 1);
    const declaration *d = &l.program->declarations.items[0];
    assert_string_equal(d->text, "flaw(late(the_task: task, b: object))");
    assert_string_equal(d->doc, "It came late.");
    assert_string_equal(d->example, "flaw(F)");
    unload(&l);
}

static void mistakes_have_their_places(void **state) {
    (void)state;
    expect_mistake(":- flaw late(task: task).\n", 1, 14, "an argument of the flaw");
    expect_mistake(":- flaw late.\n", 1, 13, "'(' and the arguments of the flaw");
    expect_mistake(":- flaw late(Task: tusk).\n", 1, 20, "did you mean 'task'?");
    expect_mistake("evidence wait = 3.\n", 1, 1, "':- flaw name(...)' stands before");
    expect_mistake(LATE "evidense wait = 3.\n", 2, 1, "did you mean 'evidence'?");
    expect_mistake(LATE "evidence 3.\n", 2, 10, "evidence KEY = VALUE against THRESHOLD");
    expect_mistake(LATE "suggests Edits :- of(Edits).\n", 2, 1, "suggests RULE: EDITS");
    expect_mistake(LATE "sentence late.\n", 2, 10, "sentence TEXT");
    expect_mistake(LATE "is so(late).\n", 2, 4, "is PROPERTY");
    expect_mistake(LATE "when came(Task, Body,\n    Start)) .\n", 3, 11, "expected");
    expect_mistake(LATE "time Start to :- came(Task).\n", 2, 1, "time START to END");
    expect_mistake(LATE "body B, C :-\n    came(Task, B,, C).\n", 3, 18, "expected a term");
}

static void names_within_are_checked_where_they_stand(void **state) {
    (void)state;
    const char *head = ":- split flaw on 1.\n:- declare came(time: time) \"It came.\".\ncame(1).\n"
                       ":- flaw late(Start: time) \"Late.\".\n";
    arena *a = arena_create();
    expect_mistake(arena_format(a, "%swhen came(Start), cane(Start).\n", head), 5, 19,
                   "did you mean 'came'?");
    expect_mistake(arena_format(a, "%swhen came(Start).\nbody B :- came(Start), came(_).\n", head),
                   6, 6, "variable B occurs once");
    arena_destroy(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_declaration_gives_task_bodies_and_the_only_time),
        cmocka_unit_test(sentences_stand_for_clauses),
        cmocka_unit_test(this_is_the_flaw_and_each_blank_is_its_own),
        cmocka_unit_test(clauses_of_the_old_form_may_stand_between),
        cmocka_unit_test(the_declaration_is_that_of_a_flaw),
        cmocka_unit_test(mistakes_have_their_places),
        cmocka_unit_test(names_within_are_checked_where_they_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
