// tests/world/contact_cases.h - cases of contact that the quick tests run in part and the long ones
// in full.
#ifndef FORESEE_TESTS_WORLD_CONTACT_CASES_H
#define FORESEE_TESTS_WORLD_CONTACT_CASES_H

#include "tests/world/made.h"

static const double CASE_TURNS[3] = {0, PI / 8, PI / 4};

// ---- Stacks -------------------------------------------------------------------------------

static inline void case_stack_rests(double time, bool sleepless, bool turned) {
    static made m;
    made_open(&m);
    m.sleepless = sleepless;
    made_floor(&m);
    size_t box[10];
    vec3 start[10];
    for (int i = 0; i < 10; i++) {
        shape s = {.kind = SHAPE_BOX, .at = POSE_IDENTITY, .size = v3(0.1, 0.12, 0.08)};
        pose at = {v3(turned ? 0.004 * (i % 3) : 0, 0, 0.04 + 0.08 * i),
                   quat_axis_angle(v3(0, 0, 1), turned ? 0.1 * i : 0)};
        box[i] = made_add_shape(&m, "box", s, at, 0.5);
    }
    made_start(&m);
    for (int i = 0; i < 10; i++)
        start[i] = made_at(&m, box[i]);
    made_run(&m, time);
    for (int i = 0; i < 10; i++) {
        double moved = v3_distance(made_at(&m, box[i]), start[i]);
        if (moved > 1e-3)
            fail_msg("box %d moved by %.3f mm", i, 1e3 * moved);
        assert_true(sim_asleep(m.sim, box[i]) == !sleepless);
    }
    assert_int_equal(sim_message_count(m.sim), 0);
    made_close(&m);
}

// ---- Slip in a grip -------------------------------------------------------------------------

typedef struct grip_case {
    shape shape; // what is held, upright, between pads that close along y
    double mass, force, acceleration;
    double turn; // of the load about the contact's normal, as the pads see it
} grip_case;

// Holds the body with a friction that is `share` of m (g + a) / 2F and lifts it with the
// acceleration; how far it moved in the hand in the last 0.4 s.
static inline double case_grip(const grip_case *c, double share) {
    static made m;
    double half = c->shape.size.z / 2;
    made_open(&m);
    m.friction = share * c->mass * (MADE_G + c->acceleration) / (2 * c->force);
    made_floor(&m);
    made_add(&m, "pedestal", SHAPE_CYLINDER, v3(0.02, 0, 0.5), v3(0, 0, 0.25), 0);
    size_t body =
        made_add_shape(&m, "body", c->shape, (pose){v3(0, 0, 0.5 + half), {1, 0, 0, 0}}, c->mass);
    made_gantry(&m, v3(0, 0, 0.5 + half), c->turn);
    made_start(&m);
    sim_set_gripper(m.sim, 0, 0, c->force, true);
    made_run(&m, 0.5);
    made_lift(&m, c->acceleration, 0.1);
    vec3 early = made_in_hand(&m, body);
    made_lift(&m, c->acceleration, 0.4);
    double moved = v3_distance(made_in_hand(&m, body), early);
    made_close(&m);
    return moved;
}

static inline void case_slip_onset(const grip_case *c, double bound) {
    double below = case_grip(c, 1 - bound), above = case_grip(c, 1 + bound);
    if (below < 2e-3 || above > 2e-4)
        fail_msg("%s of %g kg held with %g N, lifted at %g m/s2, turned by %g: moves %.2f mm at %g "
                 "of the friction that holds, %.3f mm at %g",
                 shape_kind_name(c->shape.kind), c->mass, c->force, c->acceleration, c->turn,
                 1e3 * below, 1 - bound, 1e3 * above, 1 + bound);
}

static inline shape case_shape(shape_kind kind) {
    return (shape){.kind = kind,
                   .at = POSE_IDENTITY,
                   .size = kind == SHAPE_CYLINDER ? v3(0.03, 0, 0.08) : v3(0.06, 0.06, 0.08)};
}

// How far a held body creeps in a time, m.
static inline double case_creep(shape s, double mass, double force, double turn, double time) {
    static made m;
    double half = s.size.z / 2;
    made_open(&m);
    m.friction = 0.8;
    made_floor(&m);
    made_add(&m, "pedestal", SHAPE_CYLINDER, v3(0.02, 0, 0.5), v3(0, 0, 0.25), 0);
    size_t body = made_add_shape(&m, "body", s, (pose){v3(0, 0, 0.5 + half), {1, 0, 0, 0}}, mass);
    made_gantry(&m, v3(0, 0, 0.5 + half), turn);
    made_start(&m);
    sim_set_gripper(m.sim, 0, 0, force, true);
    made_run(&m, 0.5);
    made_lift(&m, 0.5, 0.4);
    made_lift(&m, -0.5, 0.4);
    made_run(&m, 0.5);
    assert_null(made_contact(&m, body, 1));
    vec3 start = made_in_hand(&m, body);
    made_run(&m, time);
    double crept = v3_distance(made_in_hand(&m, body), start);
    made_close(&m);
    return crept;
}

#endif
