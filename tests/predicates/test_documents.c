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

static void every_flaw_has_a_declaration(void **state) {
    (void)state;
    text_buffer out = {0};
    errors list = {0};
    assert_int_equal(rules_document(FORESEE_SOURCE_DIR "/predicates", &out, &list), OK);
    array_push(&out, '\0');
    static const char *const names[] = {
#define SENTENCE(name, text) #name,
#include "report/sentences.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char wanted[128];
        snprintf(wanted, sizeof wanted, "`flaw(%s(", names[i]);
        if (!strstr(out.items, wanted))
            fail_msg("no declaration of the flaw %s", names[i]);
    }
    array_finish(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_of_predicates_is_current),
        cmocka_unit_test(every_flaw_has_a_declaration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
