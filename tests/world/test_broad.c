// tests/world/test_broad.c - the broad phase: it finds what meets, and what rests neither costs nor
// changes anything.
#include "tests/world/made.h"

static double chance(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1u << 24);
}

static bounds anywhere(unsigned *seed, double reach) {
    bounds b;
    for (int i = 0; i < 3; i++) {
        double size = 0.01 + 0.3 * chance(seed) * chance(seed);
        b.low[i] = reach * chance(seed);
        b.high[i] = b.low[i] + size;
    }
    return b;
}

static bool boxes_meet(const bounds *a, const bounds *b) {
    for (int i = 0; i < 3; i++)
        if (a->low[i] > b->high[i] || b->low[i] > a->high[i])
            return false;
    return true;
}

static void the_tree_finds_every_box_that_meets_and_none_that_is_far(void **state) {
    (void)state;
    enum { COUNT = 300 };
    static bounds at[COUNT];
    bool in[COUNT] = {false};
    unsigned seed = 3;
    broad *b = broad_create(COUNT);
    for (int round = 0; round < 3000; round++) {
        size_t e = (size_t)(chance(&seed) * COUNT);
        double what = chance(&seed);
        if (what < 0.1) {
            broad_remove(b, e);
            in[e] = false;
        } else {
            if (in[e] && what < 0.6)
                for (int i = 0; i < 3; i++) { // a small move
                    double by = 0.01 * (chance(&seed) - 0.5);
                    at[e].low[i] += by, at[e].high[i] += by;
                }
            else
                at[e] = anywhere(&seed, 2);
            if (what > 0.99)
                at[e].low[2] = -INFINITY;
            broad_put(b, e, &at[e]);
            in[e] = true;
        }
        bounds q = anywhere(&seed, 2), wide = q;
        for (int i = 0; i < 3; i++)
            wide.low[i] -= 0.05, wide.high[i] += 0.05;
        size_t count;
        const size_t *found = broad_query(b, &q, &count);
        bool seen[COUNT] = {false};
        for (size_t k = 0; k < count; k++) {
            assert_false(seen[found[k]]); // once each
            seen[found[k]] = true;
        }
        for (size_t k = 0; k < COUNT; k++) {
            if (in[k] && boxes_meet(&at[k], &q))
                assert_true(seen[k]);
            if (!in[k] || (isfinite(at[k].low[2]) && !boxes_meet(&at[k], &wide)))
                assert_false(seen[k]);
        }
    }
    broad_destroy(b);
}

// A ball rolls into the lowest box of a sleeping stack, and others are far away.
static void strike(int bystanders, double *trace, size_t count) {
    static made m;
    made_open(&m);
    size_t stack[3];
    made_floor(&m);
    for (int i = 0; i < 3; i++)
        stack[i] = made_add(&m, "box", SHAPE_BOX, v3(0.1, 0.1, 0.1), v3(1, 0, 0.05 + 0.1 * i), 0.5);
    size_t ball = made_add(&m, "ball", SHAPE_SPHERE, v3(0.05, 0, 0), v3(0, 0, 0.05), 1);
    for (int i = 0; i < bystanders; i++)
        made_add(&m, "bystander", SHAPE_BOX, v3(0.1, 0.1, 0.1), v3(0.3 * i, 3, 0.05), 0.5);
    made_start(&m);
    made_run(&m, 1);
    size_t awake;
    sim_awake(m.sim, &awake);
    assert_int_equal(awake, 0);
    for (int i = 0; i < 3; i++)
        assert_true(sim_asleep(m.sim, stack[i]));
    made_throw(&m, ball, v3(3, 0, 0), v3(0, 0, 0));
    bool woke = false;
    for (size_t k = 0; k + 4 <= count; k += 4) {
        made_step(&m);
        vec3 p = made_at(&m, ball), q = made_at(&m, stack[2]);
        trace[k] = p.x, trace[k + 1] = p.z, trace[k + 2] = q.x, trace[k + 3] = q.z;
        if (!woke && !sim_asleep(m.sim, stack[0])) {
            woke = true; // all of them at once: a sleeping box would hold those that move
            assert_false(sim_asleep(m.sim, stack[1]));
            assert_false(sim_asleep(m.sim, stack[2]));
        }
    }
    assert_true(woke);
    assert_true(fabs(made_at(&m, stack[0]).x - 1) > 0.01);
    for (int i = 0; i < bystanders; i++)
        assert_true(sim_asleep(m.sim, ball + 1 + (size_t)i));
    made_close(&m);
}

static void a_touch_wakes_a_whole_stack_and_nobody_else(void **state) {
    (void)state;
    double alone[2000], among[2000];
    strike(0, alone, 2000);
    strike(20, among, 2000);
    assert_memory_equal(alone, among, sizeof alone); // who sleeps elsewhere changes no bit
}

static void bodies_that_fall_asleep_keep_their_place_to_the_bit(void **state) {
    (void)state;
    static made m;
    made_open(&m);
    made_floor(&m);
    shape s = {.kind = SHAPE_BOX, .at = POSE_IDENTITY, .size = v3(0.1, 0.12, 0.08)};
    size_t box = made_add_shape(&m, "box", s,
                                (pose){v3(0.1, 0.2, 0.05), quat_axis_angle(v3(0, 0, 1), 0.7)}, 0.5);
    made_start(&m);
    pose last = sim_pose(m.sim, box);
    for (int i = 0; i < 500 && !sim_asleep(m.sim, box); i++) {
        last = sim_pose(m.sim, box);
        made_step(&m);
    }
    assert_true(sim_asleep(m.sim, box));
    pose asleep = sim_pose(m.sim, box);
    assert_true(v3_distance(asleep.p, last.p) < 1e-5);
    made_run(&m, 1);
    pose later = sim_pose(m.sim, box);
    assert_memory_equal(&asleep, &later, sizeof later);
    body_wake(m.sim, box);
    made_step(&m);
    assert_true(v3_distance(sim_pose(m.sim, box).p, asleep.p) < 1e-4);
    assert_true(quat_angle(sim_pose(m.sim, box).q, asleep.q) < 1e-4);
    made_close(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_finds_every_box_that_meets_and_none_that_is_far),
        cmocka_unit_test(a_touch_wakes_a_whole_stack_and_nobody_else),
        cmocka_unit_test(bodies_that_fall_asleep_keep_their_place_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
