// tests/predicates/test_senses.c - why a camera frame did not report a body. The camera is the
// robot's base here; the frame is taken at 2 s.
#include "tests/predicates/asking.h"

static int64_t visibility(synthetic *s, int64_t object, const char *state, double start,
                          double end) {
    record r = {.kind = RECORD_VISIBILITY, .id = sink_id(s->sink, RECORD_VISIBILITY)};
    r.VISIBILITY = (struct record_VISIBILITY){.camera = s->base,
                                              .object = object,
                                              .start_ns = S_TO_NS(start),
                                              .end_ns = end < 0 ? TIME_OPEN : S_TO_NS(end),
                                              .state = state};
    synthetic_put(s, &r);
    return r.id;
}

static void blocker(synthetic *s, int64_t view, int64_t object, double fraction) {
    record r = {.kind = RECORD_BLOCKER, .id = sink_id(s->sink, RECORD_BLOCKER)};
    r.BLOCKER = (struct record_BLOCKER){.visibility = view, .object = object, .fraction = fraction};
    synthetic_put(s, &r);
}

static void missed(synthetic *s, int64_t frame, int64_t object, const char *why, int64_t by) {
    record r = {.kind = RECORD_MISSED, .id = sink_id(s->sink, RECORD_MISSED)};
    r.MISSED = (struct record_MISSED){.reading = frame,
                                      .object = object,
                                      .why = why,
                                      .probability = 0.5,
                                      .fraction = 0.3,
                                      .blocker = by};
    synthetic_put(s, &r);
}

static void a_frame_tells_of_each_body_why_it_was_not_reported(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t seen = synthetic_cube(&s, "seen", 0, 0, 0.75);
    int64_t hidden = synthetic_cube(&s, "hidden", 0.2, 0, 0.75);
    int64_t dim = synthetic_cube(&s, "dim", 0.3, 0, 0.75);
    int64_t unlucky = synthetic_cube(&s, "unlucky", 0.4, 0, 0.75);
    int64_t distant = synthetic_cube(&s, "distant", 0.5, 0, 0.75);
    int64_t partly = synthetic_cube(&s, "partly", 0.6, 0, 0.75);
    int64_t gone = synthetic_cube(&s, "gone", 0.7, 0, 0.75);
    int64_t cup = synthetic_believed(&s, "cup#1", 0, "cup", 2);
    synthetic_percept(&s, cup, seen, 2); // the first reading of the log
    visibility(&s, seen, "visible", 1, -1);
    int64_t view = visibility(&s, hidden, "occluded", 1, -1);
    blocker(&s, view, s.table, 0.7);
    visibility(&s, dim, "visible", 1, -1);
    missed(&s, 1, dim, "far", 0);
    visibility(&s, unlucky, "visible", 1, 3);
    missed(&s, 1, unlucky, "chance", 0);
    visibility(&s, distant, "far", 0, 2.5);
    visibility(&s, partly, "visible", 1, -1);
    missed(&s, 1, partly, "occluded", s.floor);
    visibility(&s, gone, "visible", 1, 2); // ends with the frame
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    once(&q, "reading(R, _, _, camera, _, _).", 0, 1);
    no(&q, "unreported(1, seen, W).");
    static const char *const rows[][2] = {{"hidden", "occluded"}, {"dim", "far"},
                                          {"unlucky", "chance"},  {"distant", "far"},
                                          {"partly", "occluded"}, {"gone", "out_of_view"}};
    for (size_t i = 0; i < 6; i++) {
        char query[80];
        snprintf(query, sizeof query, "unreported(1, %s, W).", rows[i][0]);
        assert_int_equal(asking_count(&q, query), 1);
        snprintf(query, sizeof query, "unreported(1, %s, %s).", rows[i][0], rows[i][1]);
        yes(&q, query);
    }
    assert_int_equal(asking_count(&q, "unreported(1, O, W)."), 6);
    yes(&q, "unreported_blocker(1, hidden, table_1).");
    yes(&q, "unreported_blocker(1, partly, floor).");
    assert_int_equal(asking_count(&q, "unreported_blocker(R, O, B)."), 2);
    asking_close(&q);
    synthetic_remove(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_tells_of_each_body_why_it_was_not_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
