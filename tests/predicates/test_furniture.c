// tests/predicates/test_furniture.c - doors and drawers that open and close, what is spilled, what
// came from outside.
#include "tests/predicates/asking.h"

static void doors_and_drawers_open_and_close(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t door = synthetic_cube(&s, "door", 0, 0, 0.75);
    int64_t drawer = synthetic_cube(&s, "drawer", 0.2, 0, 0.75);
    synthetic_cube(&s, "cup", 0.4, 0, 0.75);
    int64_t hinge = synthetic_joint(&s, "hinge", door, s.table, "hinge", 1.5);
    int64_t slide = synthetic_joint(&s, "slide", drawer, s.table, "slider", 1.5);
    synthetic_position(&s, hinge, 0, 0);
    synthetic_position(&s, hinge, 2, 0);
    synthetic_position(&s, hinge, 3, 1); // 1 rad/s
    synthetic_position(&s, hinge, 5, 1);
    synthetic_position(&s, hinge, 6, 0);
    synthetic_position(&s, slide, 0, 0.3);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    once(&q, "occurs_w(opens(hinge), T).", 0.01, 2.0436); // when it left half of 5 degrees
    once(&q, "occurs_w(closes(hinge), T), T > 1.", 0.05, 5.956);
    yes(&q, "holds_w(open(hinge), at(4)).");
    no(&q, "holds_w(open(hinge), at(1)).");
    yes(&q, "holds_w(closed(hinge), throughout(6.1, 9)).");
    no(&q, "occurs_w(opens(slide), T).");
    yes(&q, "holds_w(open(slide), throughout(0, 9)).");
    yes(&q, "articulated(door).");
    no(&q, "free_body(drawer).");
    yes(&q, "free_body(cup).");
    asking_close(&q);
    synthetic_remove(&s);
}

static void what_leaves_its_container_for_good_is_spilled(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t mug = synthetic_cube(&s, "mug", 0, 0, 0.75);
    record in = {.kind = RECORD_SHAPE, .id = sink_id(s.sink, RECORD_SHAPE)};
    in.SHAPE = (struct record_SHAPE){.object = mug,
                                     .role = "interior",
                                     .kind = "cylinder",
                                     .qw = 1,
                                     .z = 0.05,
                                     .size_x = 0.04,
                                     .size_z = 0.08};
    synthetic_put(&s, &in);
    const char *names[2] = {"drop_1", "drop_2"};
    for (int i = 0; i < 2; i++) {
        int64_t drop = synthetic_object(&s, names[i], "particle", "water", 0, false, 0.001);
        record ball = {.kind = RECORD_SHAPE, .id = sink_id(s.sink, RECORD_SHAPE)};
        ball.SHAPE = (struct record_SHAPE){
            .object = drop, .role = "collision", .kind = "sphere", .qw = 1, .size_x = 0.006};
        synthetic_put(&s, &ball);
        record of = {.kind = RECORD_PROPERTY, .id = sink_id(s.sink, RECORD_PROPERTY)};
        of.PROPERTY = (struct record_PROPERTY){drop, "poured_into", "mug"};
        synthetic_put(&s, &of);
        synthetic_pose(&s, drop, 0, 0, 0, 0.80, 0);
        synthetic_pose(&s, drop, 3, 0, 0, 0.80, 0);
        // One leaps up and falls back, one falls beside the mug.
        synthetic_pose(&s, drop, 3.5, i ? 0.1 : 0, 0, 0.95, 0);
        synthetic_pose(&s, drop, 4, i ? 0.2 : 0, 0, 0.80, 0);
    }
    record there = {.kind = RECORD_RESPONSIBILITY, .id = sink_id(s.sink, RECORD_RESPONSIBILITY)};
    there.RESPONSIBILITY = (struct record_RESPONSIBILITY){mug, "pose", "ode", 0, TIME_OPEN};
    synthetic_put(&s, &there);
    record told = {.kind = RECORD_EXOGENOUS, .id = sink_id(s.sink, RECORD_EXOGENOUS)};
    told.EXOGENOUS = (struct record_EXOGENOUS){S_TO_NS(3), "moved_by_person(mug)", mug};
    synthetic_put(&s, &told);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    yes(&q, "holds_w(poured_in(drop_2, mug), at(1)).");
    no(&q, "holds_w(poured_in(drop_2, mug), at(5)).");
    yes(&q, "holds_w(poured_in(drop_1, mug), at(5)).");
    no(&q, "occurs_w(spilled(drop_1, mug), T).");
    yes(&q, "occurs_w(spilled(drop_2, mug), T), T > 3, T < 3.5.");
    yes(&q, "occurs_w(spilled(mug), T).");
    once(&q, "occurs_w(exogenous(moved_by_person(mug)), T).", 1e-9, 3);
    asking_close(&q);
    synthetic_remove(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doors_and_drawers_open_and_close),
        cmocka_unit_test(what_leaves_its_container_for_good_is_spilled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
