// tests/predicates/test_documents.c - the documentation of the declared predicates:
// docs/predicates.md is current, every example is answered.
#include "query/rules/program.h"
#include "base/files/files.h"
#include "query/rule_files.h"
#include "report/rules.h"
#include "tests/testlib.h"

static void the_reference_of_predicates_is_current(void **state) {
    (void)state;
    text_buffer out = {0};
    errors list = {0};
    if (rules_document(FORESEE_SOURCE_DIR "/predicates", &out, &list) != OK)
        fail_msg("%s:%d: %s", list.items[0].file, list.items[0].line, list.items[0].text);
    array_push(&out, '\0');
    char *kept = testlib_read(FORESEE_SOURCE_DIR "/docs/predicates.md");
    if (strcmp(kept, out.items) != 0)
        fail_msg("docs/predicates.md is not current: build/tests/predicates/print_predicates > "
                 "docs/predicates.md");
    free(kept);
    array_finish(&out);
}

// Every declared flaw reads as a sentence, and every sentence is of a declared flaw.
static void every_flaw_has_a_sentence(void **state) {
    (void)state;
    arena *a = arena_create();
    text_buffer out = {0};
    errors list = {0};
    rule_files paths = {0};
    assert_int_equal(rules_document(FORESEE_SOURCE_DIR "/predicates", &out, &list), OK);
    array_push(&out, '\0');
    assert_int_equal(rule_files_list(a, FORESEE_SOURCE_DIR "/predicates", &paths, NULL), OK);
    size_t declared = 0, said = 0;
    for (size_t i = 0; i < paths.count; i++) {
        char *text = testlib_read(paths.items[i]);
        // The sentence of a flaw stands between its declaration and that of the next one.
        for (const char *at = text; (at = strstr(at, "\n:- flaw ")); said++) {
            const char *next = strstr(at + 1, "\n:- flaw "), *reads = strstr(at, "\nsentence \"");
            if (!reads || (next && reads > next))
                fail_msg("%s: no sentence of the flaw%.40s", paths.items[i], at + 8);
            at = reads;
        }
        free(text);
    }
    for (const char *at = out.items; (at = strstr(at, "\n| `flaw(")); at++)
        declared += strncmp(at, "\n| `flaw(flaw: term)`", 21) != 0;
    assert_true(said >= 12);
    assert_int_equal(declared, said);
    array_finish(&paths);
    array_finish(&out);
    arena_destroy(a);
}

// The predicate itself, and its functor there or where that is defined: what a flaw is stands at
// `flaw`.
static bool is_declared(program *p, const clause *c) {
    const predicate_traits *s = program_traits(p, c->name, false);
    uint32_t arity = c->head->kind == TERM_COMPOUND ? c->head->arity : 0;
    const term *occasion =
        s && s->split_on && s->split_on <= arity ? c->head->args[s->split_on - 1] : NULL;
    bool named = false, functor = !occasion || occasion->kind != TERM_COMPOUND;
    for (size_t i = 0; i < p->declarations.count; i++) {
        const declaration *d = &p->declarations.items[i];
        if (!d->doc[0])
            continue;
        named = named || (strcmp(d->name, c->name) == 0 && d->arity == arity);
        functor = functor || (d->inner_at > 0 && strcmp(d->inner_name, occasion->text) == 0 &&
                              d->inner_arity == occasion->arity);
    }
    return named && functor;
}

static void every_predicate_and_functor_is_declared_with_its_documentation(void **state) {
    (void)state;
    arena *a = arena_create();
    budget b = {.limit = (size_t)1 << 30};
    values *v = values_create(&b);
    program *p = program_create(v, NANOS_PER_SECOND);
    rule_files paths = {0};
    errors list = {0};
    assert_int_equal(rule_files_list(a, FORESEE_SOURCE_DIR "/predicates", &paths, NULL), OK);
    for (size_t i = 0; i < paths.count; i++) {
        char *text;
        size_t length;
        assert_int_equal(file_read(paths.items[i], &text, &length, NULL), OK);
        assert_int_equal(program_load(p, paths.items[i], text, length, &list), OK);
        free(text);
    }
    assert_true(p->sources.count > 10);
    size_t missing = 0;
    for (size_t i = 0; i < p->sources.count; i++) {
        const rule_source *s = p->sources.items[i];
        for (size_t k = 0; k < s->clauses.count; k++) {
            const clause *c = s->clauses.items[k];
            if (!is_declared(p, c)) {
                missing++;
                print_error("%s:%d: no declaration with documentation\n", c->file, c->line);
            }
        }
    }
    assert_int_equal(missing, 0);
    array_finish(&paths);
    program_destroy(p);
    values_destroy(v);
    arena_destroy(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_of_predicates_is_current),
        cmocka_unit_test(every_flaw_has_a_sentence),
        cmocka_unit_test(every_predicate_and_functor_is_declared_with_its_documentation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
