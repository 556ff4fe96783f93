// tests/predicates/test_fidelity.c - which flaws rest on what was simulated less finely.
#include "tests/predicates/asking.h"

static void at_level(synthetic *s, int64_t object, const char *level, double start, double end) {
    record r = {.kind = RECORD_FIDELITY, .id = sink_id(s->sink, RECORD_FIDELITY)};
    r.FIDELITY = (struct record_FIDELITY){
        .object = object, .level = level, .start_ns = S_TO_NS(start), .end_ns = S_TO_NS(end)};
    synthetic_put(s, &r);
}

// A cube slips out of the hand from 5 s on; it, or another thing, was below full fidelity
// meanwhile.
static void ask_of(const char *lowered, double start, double end, bool doubtful) {
    synthetic s = synthetic_begin();
    int64_t other = synthetic_cube(&s, "other", 0.4, 0, 0.75);
    int64_t cube = synthetic_slip(&s, "plan", "failed");
    at_level(&s, strcmp(lowered, "other") == 0 ? other : cube, "standing", start, end);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    yes(&q, "flaw(slipped(_, _, _, _)).");
    char question[200];
    snprintf(question, sizeof question,
             "flaw(F), F = slipped(_, _, _, _), flaw_doubt(F, %s, standing), doubtful(F).",
             lowered);
    yes_at(&q, question, doubtful, __FILE__, __LINE__);
    snprintf(question, sizeof question, "holds_w(fidelity(%s, standing), interval(S, E)).",
             lowered);
    once(&q, question, 1e-6, start, end);
    asking_close(&q);
    synthetic_remove(&s);
}

static void a_flaw_is_doubtful_where_a_body_of_it_was_lowered_then(void **state) {
    (void)state;
    ask_of("cube_1", 0, 9, true);
    ask_of("cube_1", 9, 9.5, false); // long afterwards
    ask_of("other", 0, 9, false);    // it has nothing to do with it
}

int main(void) {
    const struct CMUnitTest all[] = {
        cmocka_unit_test(a_flaw_is_doubtful_where_a_body_of_it_was_lowered_then),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
