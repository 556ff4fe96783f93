// tests/predicates/test_force.c - support, grasps, picking up, putting down, slipping and dropping
// on logs whose answers are known.
#include "tests/predicates/asking.h"

// A cube that stands on the table all the while.
static void what_stands_is_supported_to_the_end(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t cube = synthetic_cube(&s, "cube_1", 0, 0, 0.75);
    int64_t upper = synthetic_cube(&s, "cube_2", 0, 0, 0.85);
    synthetic_hand(&s, 0, -1, 0, 1);
    synthetic_stand(&s, s.table, cube, 0, -1, 2 * CUBE_WEIGHT);
    synthetic_stand(&s, cube, upper, 0, -1, CUBE_WEIGHT);
    synthetic_end(&s, 5);
    asking q = asking_open(&s);
    once(&q, "holds_w(supporting(table_1, cube_1), interval(S, E)).", 1e-6, 0, 5);
    yes(&q, "holds_w(supporting(cube_1, cube_2), throughout(0, 5)).");
    no(&q, "holds_w(supporting(table_1, cube_2), during(0, 5)).");
    no(&q, "holds_w(supporting(cube_2, cube_1), during(0, 5)).");
    yes(&q, "holds_w(stands_on(cube_2, table_1), at(3)).");
    yes(&q, "holds_w(contact(cube_2, cube_1), at(end)).");
    yes(&q, "holds_w(above(cube_2, table_1), at(1)).");
    no(&q, "holds_w(above(cube_1, cube_2), at(1)).");
    no(&q, "holds_w(moving(cube_1), during(0, 5)).");
    no(&q, "occurs_w(loc_change(X), T).");
    no(&q, "flaw(F).");
    asking_close(&q);
    synthetic_remove(&s);
}

// A contact from the side, and one with too little force, are no support.
static void leaning_against_something_is_no_support(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t cube = synthetic_cube(&s, "cube_1", 0, 0, 0.75);
    int64_t beside = synthetic_cube(&s, "cube_2", 0.1, 0, 0.75);
    synthetic_hand(&s, 0, -1, 0, 1);
    synthetic_stand(&s, s.table, cube, 0, -1, CUBE_WEIGHT);
    synthetic_stand(&s, s.table, beside, 0, -1, 0.05 * CUBE_WEIGHT);
    synthetic_contact(&s, cube, beside, 0, -1, 0, 5, 0, 4, 1, 0, 0);
    synthetic_end(&s, 5);
    asking q = asking_open(&s);
    yes(&q, "holds_w(contact(cube_1, cube_2), at(1)).");
    no(&q, "holds_w(supporting(cube_1, cube_2), during(0, 5)).");
    no(&q, "holds_w(supporting(table_1, cube_2), during(0, 5)).");
    asking_close(&q);
    synthetic_remove(&s);
}

// Grasped at 2 s, lifted by 0.2 m from 3 to 4 s, carried 0.5 m from 4 to 6 s, lowered until 7 s,
// let go at 8 s.
static int64_t carry(synthetic *s) {
    int64_t cube = synthetic_cube(s, "cube_1", 0, 0, 0.75);
    const double times[5] = {3, 4, 6, 7, 7.5}, xs[5] = {0, 0, 0.4, 0.4, 0.4},
                 zs[5] = {0, 0.2, 0.2, 0, 0};
    synthetic_hand(s, 0, 0, 0, 0.82);
    for (int i = 0; i < 5; i++) {
        synthetic_hand(s, times[i], xs[i], 0, 0.82 + zs[i]);
        synthetic_pose(s, cube, times[i], xs[i], 0, 0.75 + zs[i], 0);
    }
    synthetic_stand(s, s->table, cube, 0, 3, CUBE_WEIGHT);
    synthetic_stand(s, s->table, cube, 7, -1, CUBE_WEIGHT);
    synthetic_grasp(s, cube, 2, 8, 10);
    s->top = synthetic_task(s, 0, "seq", "carry", NULL, 0, 9, "done");
    int64_t grasp =
        synthetic_task(s, s->top, "close_gripper", "carry/grasp", NULL, 1.5, 2.2, "done");
    int64_t op = synthetic_operation(s, grasp, "close_gripper", s->hand, NULL, NULL, 1.5, 2.2);
    synthetic_gripper(s, op, "close", 1.5);
    int64_t move = synthetic_task(s, s->top, "move_arm", "carry/move", NULL, 2.2, 7.5, "done");
    synthetic_operation(s, move, "move_arm", s->hand, NULL, NULL, 2.2, 7.5);
    int64_t open = synthetic_task(s, s->top, "open_gripper", "carry/open", NULL, 7.8, 8.2, "done");
    op = synthetic_operation(s, open, "open_gripper", s->hand, NULL, NULL, 7.8, 8.2);
    synthetic_gripper(s, op, "open", 7.9);
    return cube;
}

static void a_cube_is_picked_up_carried_and_put_down(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    carry(&s);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    once(&q, "holds_w(grasped(cube_1, robot_hand), interval(S, E)).", 1e-6, 2, 8);
    once(&q, "holds_w(attached(cube_1, robot_hand), interval(S, E)).", 0.06, 2, 8);
    yes(&q, "holds_w(object_in_hand(cube_1), throughout(3, 7)).");
    yes(&q, "holds_w(carried(cube_1, robot_hand), at(5)).");
    once(&q, "occurs_w(pick_up(cube_1, robot_hand, table_1), T).", 0.05, 3);
    once(&q, "occurs_w(put_down(cube_1, robot_hand, table_1), T).", 0.06, 8);
    once(&q, "holds_w(moving(cube_1), interval(S, E)).", 0.1, 3, 7);
    once(&q, "occurs_w(loc_change(cube_1), T).", 0.1, 7);
    no(&q, "occurs_w(slip(X, H), T).");
    no(&q, "occurs_w(drop(X, H), T).");
    no(&q, "flaw(F).");
    asking_close(&q);
    synthetic_remove(&s);
}

// As printed, support ends when the cube begins to move, and the contact with the table a little
// later: the formula of picking up, which wants both in one instant, finds nothing.
static void picking_up_as_printed_in_the_paper_finds_nothing(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    carry(&s);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    yes(&q, "occurs_w(pick_up(cube_1), T).");
    no(&q, "paper1_occurs(pick_up(O, H, B), T).");
    yes(&q, "paper1_holds(supporting(table_1, cube_1), throughout(0, 2.8)).");
    no(&q, "paper1_holds(supporting(table_1, cube_1), at(2.995)).");
    yes(&q, "paper1_holds(attached(robot_hand, cube_1), at(5)).");
    no(&q, "holds_w(attached(robot_hand, cube_1), at(5)).");
    asking_close(&q);
    synthetic_remove(&s);
}

// Grasped and held while it stands: only when the hand moves is it attached, then from the
// beginning.
static void a_grasp_alone_is_no_attachment(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t cube = synthetic_cube(&s, "cube_1", 0, 0, 0.75);
    synthetic_hand(&s, 0, 0, 0, 0.82);
    synthetic_stand(&s, s.table, cube, 0, -1, CUBE_WEIGHT);
    synthetic_grasp(&s, cube, 2, 8, 10);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    yes(&q, "holds_w(grasped(cube_1, robot_hand), throughout(2, 8)).");
    no(&q, "holds_w(attached(cube_1, _H), during(0, 10)).");
    no(&q, "occurs_w(pick_up(X), T).");
    asking_close(&q);
    synthetic_remove(&s);
}

static void a_slip_a_drop_and_an_unachieved_goal_are_told_apart_and_joined(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    synthetic_slip(&s, "carry", "done");
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    once(&q, "occurs_w(slip(cube_1, robot_hand), T).", 0.01, 5 + 2.0 / 30);
    once(&q, "occurs_w(drop(cube_1, robot_hand), T).", 0.06, 6);
    yes(&q, "flaw(slipped(_T, cube_1, robot_hand, _S)).");
    yes(&q, "flaw(dropped_in_transit(_T, cube_1, robot_hand, _S)).");
    yes(&q, "flaw(never_achieved(_T, within(a(cube), place_1))).");
    assert_int_equal(asking_count(&q, "flaw(F)."), 3);
    yes(&q, "flaw_root(slipped(_A, _B, _C, _D)).");
    assert_int_equal(asking_count(&q, "flaw_root(F)."), 1);
    yes(&q, "flaw_caused_by(dropped_in_transit(_A, _B, _C, _D), slipped(_E, _F, _G, _H)).");
    yes(&q, "flaw_caused_by(never_achieved(_A, _B), dropped_in_transit(_C, _D, _E, _F)).");
    no(&q, "flaw_caused_by(never_achieved(_A, _B), slipped(_C, _D, _E, _F)).");
    no(&q, "flaw_recovered(F).");
    once(&q, "flaw_evidence(slipped(_A, _B, _C, _D), drift, V).", 0.002, 0.030);
    yes(&q, "flaw_task(slipped(T, _A, _B, _C), T), task_path(T, \"carry/move\").");
    asking_close(&q);
    synthetic_remove(&s);
}

// Lifted from 3 to 4 s, it settles until 4.5 s by turning 8 degrees about where the fingers hold
// it, which shifts its origin by 10 mm. `lost`: from 5 s on it slides through the hand and falls at
// 6 s.
static void settle(synthetic *s, bool lost) {
    const double arm = 0.07, roll = 0.14;
    int64_t cube = synthetic_cube(s, "cube_1", 0, 0, 0.75);
    synthetic_hand(s, 0, 0, 0, 0.82);
    synthetic_hand(s, 3, 0, 0, 0.82);
    synthetic_hand(s, 4, 0, 0, 1.02);
    synthetic_pose(s, cube, 3, 0, 0, 0.75, 0);
    synthetic_pose(s, cube, 4, 0, 0, 0.95, 0);
    for (int i = 1; i <= 10; i++) {
        double a = roll * i / 10;
        synthetic_pose(s, cube, 4 + 0.05 * i, 0, arm * sin(a), 1.02 - arm * cos(a), a);
    }
    double y = arm * sin(roll), z = 1.02 - arm * cos(roll);
    synthetic_pose(s, cube, 5, 0, y, z, roll);
    if (lost) {
        synthetic_pose(s, cube, 6, 0, y, z - 0.03, roll);
        for (int i = 1; i <= 9; i++)
            synthetic_pose(s, cube, 6 + 0.02 * i, 0, y, z - 0.03 - 4.905 * 0.0004 * i * i, roll);
    }
    synthetic_stand(s, s->table, cube, 0, 3, CUBE_WEIGHT);
    synthetic_grasp(s, cube, 2, lost ? 6 : -1, 10);
    s->top = synthetic_task(s, 0, "seq", "carry", NULL, 0, 8, "done");
    int64_t lift = synthetic_task(s, s->top, "move_arm", "carry/lift", NULL, 2.2, 4.8, "done");
    synthetic_operation(s, lift, "move_arm", s->hand, NULL, NULL, 2.2, 4.8);
    int64_t raise = synthetic_task(s, s->top, "move_arm", "carry/raise", NULL, 4.8, 7.5, "done");
    synthetic_operation(s, raise, "move_arm", s->hand, NULL, NULL, 4.8, 7.5);
    synthetic_end(s, 10);
}

static void what_settles_by_turning_between_the_fingers_does_not_slip(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    settle(&s, false);
    asking q = asking_open(&s);
    yes(&q, "value(drift(cube_1, robot_hand, 4), 5, D), D > 0.008.");
    no(&q, "occurs_w(slip(X, H), T).");
    no(&q, "flaw(F).");
    asking_close(&q);
    synthetic_remove(&s);
}

static void a_slip_begins_with_the_motion_that_lost_hold(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    settle(&s, true);
    asking q = asking_open(&s);
    yes(&q, "occurs_w(slip(cube_1, robot_hand), T), T > 4.99, T < 5.2.");
    yes(&q, "flaw_task(slipped(T, _A, _B, _C), T), task_path(T, \"carry/raise\").");
    yes(&q, "flaw_caused_by(dropped_in_transit(_A, _B, _C, _D), slipped(_E, _F, _G, _H)).");
    asking_close(&q);
    synthetic_remove(&s);
}

static void letting_go_on_command_is_neither_slip_nor_drop_in_transit(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    synthetic_slip(&s, "carry", "done");
    synthetic_gripper(&s, 0, "open", 4.5);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    no(&q, "occurs_w(slip(X, H), T).");
    yes(&q, "occurs_w(drop(cube_1, robot_hand), T), intended_drop(cube_1, robot_hand, T).");
    no(&q, "flaw(dropped_in_transit(A, B, C, D)).");
    asking_close(&q);
    synthetic_remove(&s);
}

// Knocked off the table, it is not picked up; it topples.
static void a_cube_knocked_off_is_not_picked_up(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t cube = synthetic_cube(&s, "cube_1", 0.45, 0, 0.75);
    synthetic_hand(&s, 0, -1, 0, 1);
    synthetic_pose(&s, cube, 3, 0.45, 0, 0.75, 0);
    synthetic_pose(&s, cube, 3.5, 0.60, 0, 0.72, 0.8);
    synthetic_pose(&s, cube, 4, 0.70, 0, 0.1, 1.5707963);
    synthetic_stand(&s, s.table, cube, 0, 3.3, CUBE_WEIGHT);
    synthetic_stand(&s, s.floor, cube, 4, -1, CUBE_WEIGHT);
    synthetic_end(&s, 8);
    asking q = asking_open(&s);
    no(&q, "occurs_w(pick_up(X), T).");
    once(&q, "occurs_w(topple(cube_1), T).", 0.1, 3.5);
    yes(&q, "holds_w(on(cube_1, floor), at(end)).");
    asking_close(&q);
    synthetic_remove(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_is_supported_to_the_end),
        cmocka_unit_test(leaning_against_something_is_no_support),
        cmocka_unit_test(a_cube_is_picked_up_carried_and_put_down),
        cmocka_unit_test(picking_up_as_printed_in_the_paper_finds_nothing),
        cmocka_unit_test(a_grasp_alone_is_no_attachment),
        cmocka_unit_test(a_slip_a_drop_and_an_unachieved_goal_are_told_apart_and_joined),
        cmocka_unit_test(what_settles_by_turning_between_the_fingers_does_not_slip),
        cmocka_unit_test(a_slip_begins_with_the_motion_that_lost_hold),
        cmocka_unit_test(letting_go_on_command_is_neither_slip_nor_drop_in_transit),
        cmocka_unit_test(a_cube_knocked_off_is_not_picked_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
