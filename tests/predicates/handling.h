// tests/predicates/handling.h - what hands do in logs that are written by hand: lift, set down, let
// go, lose.
#ifndef FORESEE_TESTS_PREDICATES_HANDLING_H
#define FORESEE_TESTS_PREDICATES_HANDLING_H

#include "tests/predicates/asking.h"

// A cube that stands on the table until it is lifted by `height` from 3 to 4 s. Closing is
// carry/grasp, from 1.5 s on, lifting carry/lift, until 9.5 s. Who calls adds the fingers'
// contacts, from 2 s on.
static inline int64_t handling_lifted(synthetic *s, double height) {
    int64_t cube = synthetic_cube(s, "cube_1", 0, 0, 0.75);
    synthetic_hand(s, 0, 0, 0, 0.82);
    synthetic_hand(s, 3, 0, 0, 0.82);
    synthetic_hand(s, 4, 0, 0, 0.82 + height);
    synthetic_pose(s, cube, 3, 0, 0, 0.75, 0);
    synthetic_pose(s, cube, 4, 0, 0, 0.75 + height, 0);
    synthetic_stand(s, s->table, cube, 0, 3, CUBE_WEIGHT);
    s->top = synthetic_task(s, 0, "seq", "carry", NULL, 0, 9.5, "done");
    int64_t grasp =
        synthetic_task(s, s->top, "close_gripper", "carry/grasp", NULL, 1.5, 2.2, "done");
    int64_t op = synthetic_operation(s, grasp, "close_gripper", s->hand, NULL, NULL, 1.5, 2.2);
    synthetic_gripper(s, op, "close", 1.5);
    int64_t lift = synthetic_task(s, s->top, "move_arm", "carry/lift", NULL, 2.2, 9.5, "done");
    synthetic_operation(s, lift, "move_arm", s->hand, NULL, NULL, 2.2, 9.5);
    return cube;
}

// The hand is told to open.
static inline void handling_open(synthetic *s, const char *path, double from, double to) {
    int64_t open = synthetic_task(s, s->top, "open_gripper", path, NULL, from, to, "done");
    int64_t op = synthetic_operation(s, open, "open_gripper", s->hand, NULL, NULL, from, to);
    synthetic_gripper(s, op, "open", from);
}

// A cube is lifted by 0.2 m from 3 to 4 s, lowered again until 5 s (carry/lower), let go at 6 s
// (carry/open).
static inline int64_t handling_placed(synthetic *s) {
    int64_t cube = synthetic_cube(s, "cube_1", 0, 0, 0.75);
    const double times[4] = {3, 4, 5, 6}, zs[4] = {0, 0.2, 0, 0};
    synthetic_hand(s, 0, 0, 0, 0.82);
    for (int i = 0; i < 4; i++) {
        synthetic_hand(s, times[i], 0, 0, 0.82 + zs[i]);
        synthetic_pose(s, cube, times[i], 0, 0, 0.75 + zs[i], 0);
    }
    synthetic_stand(s, s->table, cube, 0, 3, CUBE_WEIGHT);
    synthetic_stand(s, s->table, cube, 5, -1, CUBE_WEIGHT);
    synthetic_grasp(s, cube, 2, 6, 10);
    s->top = synthetic_task(s, 0, "seq", "carry", NULL, 0, 9.5, "done");
    int64_t grasp =
        synthetic_task(s, s->top, "close_gripper", "carry/grasp", NULL, 1.5, 2.2, "done");
    int64_t op = synthetic_operation(s, grasp, "close_gripper", s->hand, NULL, NULL, 1.5, 2.2);
    synthetic_gripper(s, op, "close", 1.5);
    int64_t lower = synthetic_task(s, s->top, "move_arm", "carry/lower", NULL, 2.2, 5.5, "done");
    synthetic_operation(s, lower, "move_arm", s->hand, NULL, NULL, 2.2, 5.5);
    handling_open(s, "carry/open", 5.9, 6.3);
    return cube;
}

// It falls freely from z to `down`; returns when it is there.
static inline double handling_falls(synthetic *s, int64_t object, double t, double x, double z,
                                    double down) {
    synthetic_pose(s, object, t, x, 0, z, 0);
    double for_s = sqrt(2 * (z - down) / 9.81);
    for (double d = 0.01; d < for_s; d += 0.01)
        synthetic_pose(s, object, t + d, x, 0, z - 4.905 * d * d, 0);
    synthetic_pose(s, object, t + for_s, x, 0, down, 0);
    return t + for_s;
}

// From `start` on it lies on `bottom`, which it hit at this speed and with this impulse.
static inline void handling_hits(synthetic *s, int64_t bottom, int64_t object, double start,
                                 double approach, double impulse) {
    record r = {.kind = RECORD_CONTACT, .id = sink_id(s->sink, RECORD_CONTACT)};
    r.CONTACT = (struct record_CONTACT){.a = bottom,
                                        .b = object,
                                        .start_ns = S_TO_NS(start),
                                        .end_ns = TIME_OPEN,
                                        .approach = approach,
                                        .impulse = impulse,
                                        .peak_force = impulse / 0.05};
    synthetic_put(s, &r);
    record f = {.kind = RECORD_CONTACT_FORCE, .id = sink_id(s->sink, RECORD_CONTACT_FORCE)};
    f.CONTACT_FORCE = (struct record_CONTACT_FORCE){
        .contact = r.id, .t = S_TO_NS(start), .fz = CUBE_WEIGHT, .nz = 1};
    synthetic_put(s, &f);
}

static inline void handling_expects(synthetic *s, int64_t task, const char *event) {
    record r = {.kind = RECORD_TASK_NOTE, .id = sink_id(s->sink, RECORD_TASK_NOTE)};
    r.TASK_NOTE = (struct record_TASK_NOTE){.task = task, .kind = "expects", .term = event};
    synthetic_put(s, &r);
}

// A second gripper, robot_other, with two fingers; it stays where it is. Returns its first finger,
// the second follows.
static inline int64_t handling_second_hand(synthetic *s) {
    int64_t hand = synthetic_object(s, "robot_other", "gripper", NULL, s->robot, false, 0);
    int64_t fingers[2];
    const char *names[2] = {"robot_other_finger_1", "robot_other_finger_2"};
    for (int i = 0; i < 2; i++)
        fingers[i] = synthetic_object(s, names[i], "finger", NULL, hand, false, 0.15);
    record grip = {.kind = RECORD_LINKAGE, .id = sink_id(s->sink, RECORD_LINKAGE)};
    grip.LINKAGE = (struct record_LINKAGE){
        .object = hand, .parent = fingers[0], .joint_kind = "fixed", .qw = 1, .axis_z = 1};
    synthetic_put(s, &grip);
    for (int i = 0; i < 2; i++) {
        synthetic_box(s, fingers[i], 0.04, 0.012, 0.04, 0);
        synthetic_pose(s, fingers[i], 0, -0.5, i ? 0.02 : -0.02, 1, 0);
    }
    return fingers[0];
}

// The second hand presses on an object from both sides.
static inline void handling_second_grasp(synthetic *s, int64_t object, double start, double end,
                                         int64_t finger) {
    synthetic_contact(s, finger, object, start, end, 0.02, 0, -10, 0, 0, -1, 0);
    synthetic_contact(s, finger + 1, object, start, end, 0.02, 0, 10, 0, 0, 1, 0);
}

#endif
