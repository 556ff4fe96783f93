// tests/ensemble/test_in_hand.c - the estimate of where a body is in a hand: what two pads tell of
// it, what they do not, and when it is taken to be lost.
#include "base/math/rng.h"
#include "projector/ensemble/ensemble_int.h"
#include "scene/robot/robot.h"
#include "tests/ensemble/ensemble_text.h"

#define HELD                                                                                       \
    "world: w\nbodies:\n  ball: { mass: 1, shapes: [ { sphere: 0.0335 } ] }\n"                     \
    "  block: { mass: 1, at: [1, 0, 0], shapes: [ { box: [0.03, 0.05, 0.04] } ] }\n"
enum { BALL, BLOCK };
static const nanos EVERY = 20000000;
static const double SIGMA = 0.005;
static const robot_gripper HAND = {
    .pad_size = {0.03, 0.01, 0.04}, .pad_center_z = 0.08, .max_opening = 0.1};

typedef struct held {
    world_model *world;
    model *model;
    nanos t;
    int grasped, lost;
    error err;
} held;

static const model_class *const CLASS = &IN_HAND_MODEL;

static void held_open(held *h) {
    static const model_setting given[] = {
        {"sigma", 0.005, NULL}, {"turn", 10, NULL}, {"slip", 1e-4, NULL}};
    model_setup setup = {.name = "in_hand", .every = EVERY, .settings = given, .setting_count = 3};
    *h = (held){.world = world_good(HELD)};
    assert_int_equal(CLASS->create(&setup, &h->model, &h->err), OK);
    CLASS->holds_by(h->model, h->world, &HAND);
}

static void held_close(held *h) {
    CLASS->destroy(h->model);
    world_destroy(h->world);
}

static void held_take(held *h, int64_t body, pose at) {
    const double all[7] = {at.p.x, at.p.y, at.p.z, at.q.w, at.q.x, at.q.y, at.q.z};
    memcpy(h->model->out, all, sizeof all);
    CLASS->set_responsible(h->model, body, "pose", true);
}

static status held_read(held *h, double opening, double touches, int times) {
    status st = OK;
    h->model->in[0] = opening;
    h->model->in[1] = touches;
    for (int i = 0; st == OK && i < times; i++, h->t += EVERY) {
        st = model_step(h->model, h->t, EVERY, &h->err);
        for (size_t k = 0; k < h->model->events.count; k++) {
            h->grasped += strcmp(h->model->events.items[k].name, "grasped") == 0;
            h->lost += strcmp(h->model->events.items[k].name, "lost") == 0;
        }
        h->model->events.count = 0;
    }
    return st;
}

static pose estimated(const held *h) {
    const double *o = h->model->out;
    return (pose){{o[0], o[1], o[2]}, {o[3], o[4], o[5], o[6]}};
}

static double spread(const held *h) {
    return h->model->out[MODEL_BODY_WIDTH];
}

// Across the pads they say where it is; along them they say nothing, and the spread tells.
static void pads_say_where_a_ball_is_between_them(void **state) {
    (void)state;
    held h;
    held_open(&h);
    held_take(&h, BALL, (pose){{0.004, 0.007, 0.085}, {1, 0, 0, 0}});
    assert_int_equal(held_read(&h, 0.09, 0, 1), OK);
    assert_true(fabs(spread(&h) - sqrt(3) * SIGMA) < 1e-4);
    assert_int_equal(held_read(&h, 0.067, 2, 1), OK);
    assert_int_equal(h.grasped, 1);
    assert_true(fabs(estimated(&h).p.y) < 1e-4);
    assert_true(fabs(spread(&h) - sqrt(2) * SIGMA) < 1e-4);
    assert_int_equal(held_read(&h, 0.067, 2, 100), OK);
    pose at = estimated(&h);
    assert_true(fabs(at.p.x - 0.004) < 1e-6 && fabs(at.p.z - 0.085) < 1e-6 && fabs(at.p.y) < 1e-5);
    assert_int_equal(h.grasped, 1);
    assert_int_equal(h.lost, 0);
    held_close(&h);
}

// Of many balls with errors of that sigma, and openings with noise.
static void the_estimate_is_no_farther_off_than_it_says(void **state) {
    (void)state;
    rng_key key = rng_key_make(3, "in_hand", "ball");
    double squares = 0, told = 0;
    enum { TIMES = 200 };
    for (int i = 0; i < TIMES; i++) {
        held h;
        held_open(&h);
        uint64_t n = 10 * (uint64_t)i;
        double y = SIGMA * rng_normal(key, n, 0);
        held_take(&h, BALL, (pose){{0, y, 0.08}, {1, 0, 0, 0}});
        assert_int_equal(held_read(&h, 0.067 + 5e-4 * rng_normal(key, n + 1, 0), 2, 1), OK);
        squares += estimated(&h).p.y * estimated(&h).p.y;
        told += spread(&h) * spread(&h) - 2 * SIGMA * SIGMA;
        assert_int_equal(h.lost, 0);
        held_close(&h);
    }
    // Both pads move by half of the opening's error, so that it does not shift what is between
    // them.
    assert_true(squares <= 1.2 * told);
    assert_true(sqrt(told / TIMES) < 5e-4);
}

// Its faces lie on the pads: it turns about the axis of approach, and the corners are no longer in
// them.
static void pads_turn_a_block_so_that_its_faces_lie_on_them(void **state) {
    (void)state;
    held h;
    held_open(&h);
    held_take(&h, BLOCK, (pose){{0, 0.002, 0.08}, quat_axis_angle(v3(0, 0, 1), 8 * PI / 180)});
    assert_int_equal(held_read(&h, 0.05, 2, 100), OK);
    assert_true(fabs(estimated(&h).p.y) < 3e-4);
    assert_true(quat_angle(estimated(&h).q, (quat){1, 0, 0, 0}) < 1.5 * PI / 180);
    assert_int_equal(h.lost, 0);
    held_close(&h);
}

static void readings_that_contradict_lose_it(void **state) {
    (void)state;
    held h;
    held_open(&h);
    held_take(&h, BALL, (pose){{0, 0.002, 0.08}, {1, 0, 0, 0}});
    assert_int_equal(held_read(&h, 0.09, 0, 100), OK); // fingers on their way
    assert_int_equal(h.grasped + h.lost, 0);
    assert_int_equal(held_read(&h, 0.067, 2, 10), OK);
    pose at = estimated(&h);
    assert_int_equal(held_read(&h, 1e300, 2, 2), OK); // no hand is so wide
    assert_int_equal(held_read(&h, -1, 2, 1), OK);
    assert_int_equal(held_read(&h, 0.067, 2, 1), OK);
    assert_int_equal(held_read(&h, 0.05, 2, 3), OK); // three looks are chance
    assert_int_equal(held_read(&h, 0.067, 2, 1), OK);
    assert_int_equal(h.lost, 0);
    assert_int_equal(held_read(&h, 0.05, 2, 20), OK);
    assert_int_equal(h.lost, 1);
    assert_true(v3_distance(estimated(&h).p, at.p) < 1e-4);
    // Held anew, and then nothing is felt.
    CLASS->set_responsible(h.model, BALL, "pose", false);
    held_take(&h, BALL, (pose){{0, 0, 0.08}, {1, 0, 0, 0}});
    assert_int_equal(held_read(&h, 0.067, 2, 2), OK);
    assert_int_equal(h.grasped, 2);
    assert_int_equal(held_read(&h, 0.067, 1, 20), OK);
    assert_int_equal(h.lost, 2);
    held_close(&h);
}

// The pads met: what was to be between them never was.
static void fingers_that_meet_have_nothing_in_them(void **state) {
    (void)state;
    held h;
    held_open(&h);
    held_take(&h, BALL, (pose){{0, 0.002, 0.08}, {1, 0, 0, 0}});
    assert_int_equal(held_read(&h, 0.0003, 2, 10), OK);
    assert_int_equal(h.grasped, 0);
    assert_int_equal(h.lost, 1);
    held_close(&h);
}

static void what_is_far_from_the_hand_is_a_failure(void **state) {
    (void)state;
    held h;
    held_open(&h);
    assert_int_equal(held_read(&h, 0.067, 2, 1), OK); // it holds nothing
    held_take(&h, BALL, (pose){{0, 0, 0.8}, {1, 0, 0, 0}});
    assert_int_equal(held_read(&h, 0.067, 2, 1), E_DIVERGED);
    assert_non_null(strstr(h.err.text, "ball is 0.80 m away from the palm"));
    held_close(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pads_say_where_a_ball_is_between_them),
        cmocka_unit_test(the_estimate_is_no_farther_off_than_it_says),
        cmocka_unit_test(pads_turn_a_block_so_that_its_faces_lie_on_them),
        cmocka_unit_test(readings_that_contradict_lose_it),
        cmocka_unit_test(fingers_that_meet_have_nothing_in_them),
        cmocka_unit_test(what_is_far_from_the_hand_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
