// tests/predicates/test_flaws_holding.c - flaws of holding: slips, drops, losses that go unnoticed,
// stacks and trays, on logs whose answers are known.
#include "tests/predicates/handling.h"

// ---- losing -------------------------------------------------------------------------------------

// Lifted to 0.2 m, it falls out of the hand at 5 s, which nobody told to open; the belief has it in
// the hand until `until`.
static synthetic lost(double until, const char *expects) {
    synthetic s = synthetic_begin();
    int64_t cube = handling_lifted(&s, 0.2);
    if (expects)
        handling_expects(&s, s.top, expects);
    synthetic_grasp(&s, cube, 2, 5, 10);
    double landed = handling_falls(&s, cube, 5, 0, 0.95, 0.75);
    synthetic_contact(&s, s.table, cube, landed, -1, 1, 0, 0, CUBE_WEIGHT, 0, 0, 1);
    int64_t believed = synthetic_believed(&s, "cube#1", 0, "cube", 1);
    synthetic_frame(&s, believed, "map", "at", 1, 0, 0, 0.75);
    synthetic_percept(&s, believed, cube, 1);
    synthetic_frame(&s, believed, "robot_hand", "held", 2.2, 0, 0, 0);
    synthetic_frame(&s, believed, "map", "at", until, 0, 0, 0.75);
    synthetic_end(&s, 10);
    return s;
}

static void a_loss_is_unnoticed_after_half_a_second(void **state) {
    (void)state;
    static const struct {
        double until;
        bool unnoticed;
    } cases[] = {{5.1, false}, {5.45, false}, {5.55, true}, {9, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        synthetic s = lost(cases[i].until, NULL);
        asking q = asking_open(&s);
        yes(&q, "flaw(dropped_in_transit(_T, cube_1, robot_hand, _S)).");
        if ((asking_count(&q, "flaw(unnoticed_loss(T, cube_1, robot_hand, S)).") == 1) !=
            cases[i].unnoticed)
            fail_msg("believed until %g", cases[i].until);
        if (cases[i].unnoticed) {
            once(&q, "flaw_evidence(unnoticed_loss(_A, _B, _C, _D), unnoticed_duration, V).", 0.02,
                 cases[i].until - 5);
            yes(&q, "flaw_caused_by(unnoticed_loss(_A, _B, _C, _D), dropped_in_transit(_E, _F, _G, "
                    "_H)).");
        }
        asking_close(&q);
        synthetic_remove(&s);
    }
}

// The hand has just closed on it when somebody takes it away. 0: it had it; 1: it has it later.
static void what_is_taken_as_the_hand_closes_is_disturbed(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        synthetic s = synthetic_begin();
        int64_t cube = handling_lifted(&s, 0);
        synthetic_grasp(&s, cube, i == 0 ? 2 : 2.4, 2.6, 10);
        record e = {.kind = RECORD_EXOGENOUS, .id = sink_id(s.sink, RECORD_EXOGENOUS)};
        e.EXOGENOUS = (struct record_EXOGENOUS){
            .t_ns = S_TO_NS(2.05), .term = "moved_by_person(cube_1)", .object = cube};
        synthetic_put(&s, &e);
        synthetic_end(&s, 10);
        asking q = asking_open(&s);
        assert_int_equal(asking_count(&q, "flaw(disturbed(T, cube_1, S))."), i == 0);
        asking_close(&q);
        synthetic_remove(&s);
    }
}

static void a_toss_that_is_expected_is_no_drop_in_transit(void **state) {
    (void)state;
    synthetic s = lost(9, "drop(cube_1, _)");
    asking q = asking_open(&s);
    yes(&q, "occurs_w(drop(cube_1, robot_hand), T).");
    no(&q, "flaw(dropped_in_transit(T, O, H, S)).");
    no(&q, "flaw(unnoticed_loss(T, O, H, S)).");
    asking_close(&q);
    synthetic_remove(&s);
}

// Lifted from 3 to 4 s; from 5 s on it slides down in the hand by `by` m, or turns by `roll`,
// within a second.
static synthetic drifting(double by, double roll) {
    synthetic s = synthetic_begin();
    int64_t cube = handling_lifted(&s, 0.2);
    synthetic_pose(&s, cube, 5, 0, 0, 0.95, 0);
    for (int i = 1; i <= 20; i++) // about where the fingers hold it, 0.07 above its origin
        synthetic_pose(&s, cube, 5 + 0.05 * i, 0, 0.07 * sin(roll * i / 20),
                       1.02 - 0.07 * cos(roll * i / 20) - by * i / 20, roll * i / 20);
    synthetic_grasp(&s, cube, 2, -1, 10);
    synthetic_end(&s, 10);
    return s;
}

static void a_slip_is_5_mm_or_15_degrees(void **state) {
    (void)state;
    static const struct {
        double by, degrees;
        bool slipped;
    } cases[] = {{0.0047, 0, false}, {0.0053, 0, true}, {0, 14.5, false}, {0, 15.5, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        synthetic s = drifting(cases[i].by, cases[i].degrees * PI / 180);
        asking q = asking_open(&s);
        if ((asking_count(&q, "flaw(slipped(T, cube_1, robot_hand, S)).") == 1) != cases[i].slipped)
            fail_msg("%g m, %g degrees", cases[i].by, cases[i].degrees);
        no(&q, "flaw(dropped_in_transit(T, O, H, S)).");
        if (cases[i].slipped) {
            yes(&q, "flaw_suggests(slipped(_A, _B, _C, _D), slower, "
                    "[[set_property(\"carry/lift\"), key(speed), value(0.1)], "
                    "[set_property(\"carry/lift\"), key(acceleration), value(0.3)]]).");
            yes(&q, "flaw_suggests(slipped(_A, _B, _C, _D), more_force, "
                    "[[set_property(\"carry/grasp\"), key(acceleration), "
                    "value(20.0)]]).");
            yes(&q, "flaw_intervention(slipped(_A, _B, _C, _D), firm_grip).");
        }
        asking_close(&q);
        synthetic_remove(&s);
    }
}

// Returns how many pages of the log SQLite has turned to by now.
static int pages_turned(const asking *q) {
    int hits, misses, most;
    sqlite3_db_status(ask_db(q->ask), SQLITE_DBSTATUS_CACHE_HIT, &hits, &most, false);
    sqlite3_db_status(ask_db(q->ask), SQLITE_DBSTATUS_CACHE_MISS, &misses, &most, false);
    return hits + misses;
}

static void
the_force_that_a_hand_was_told_is_not_sought_among_the_commands_of_others(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    handling_lifted(&s, 0.2); // the hand closes with 20 N
    for (int i = 0; i < 60000; i++) {
        record r = {.kind = RECORD_COMMAND, .id = sink_id(s.sink, RECORD_COMMAND)};
        r.COMMAND = (struct record_COMMAND){
            .actuator = s.base, .t = S_TO_NS(2 + i * 1e-4), .mode = "velocity", .v1 = i};
        synthetic_put(&s, &r);
    }
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    int before = pages_turned(&q);
    once(&q, "told_force(robot_hand, 5.0, F).", 1e-9, 20);
    int told = pages_turned(&q);
    once(&q, "N = count { C : command_values(C, _, _, _) }.", 1e-9, 60001);
    int all = pages_turned(&q);
    assert_in_range(told - before, 1, (all - told) / 2);
    asking_close(&q);
    synthetic_remove(&s);
}

// The hand takes a cube up at its side from 3 s on; by 0.2 s it has lifted that side, then the
// fingers slide off, and the cube stays on the table. `rises`: the hand goes on up; otherwise it
// stays. `told`: it was told to open before. `action`: which moves it.
static synthetic left_behind(bool rises, bool told, bool stacked, const char *action) {
    synthetic s = synthetic_begin();
    int64_t cube = synthetic_cube(&s, "cube_1", 0, 0, 0.75);
    synthetic_hand(&s, 0, 0, 0, 0.82);
    synthetic_hand(&s, 3, 0, 0, 0.82);
    synthetic_hand(&s, 3.2, 0, 0, 0.82 + (rises ? 0.012 : 0.004));
    synthetic_hand(&s, 4, 0, 0, 0.82 + (rises ? 0.06 : 0.004));
    synthetic_pose(&s, cube, 3, 0, 0, 0.75, 0);
    synthetic_pose(&s, cube, 3.2, 0, 0, 0.75 + (rises ? 0.012 : 0.004), 0.1);
    synthetic_pose(&s, cube, 3.6, 0, 0, 0.75, 0);
    synthetic_stand(&s, s.table, cube, 0, -1, 0.6 * CUBE_WEIGHT);
    synthetic_grasp(&s, cube, 2, 3.9, 10);
    if (stacked) {
        int64_t upper = synthetic_cube(&s, "cube_2", 0, 0, 0.85);
        synthetic_stand(&s, cube, upper, 0, -1, CUBE_WEIGHT);
    }
    s.top = synthetic_task(&s, 0, "seq", "carry", NULL, 0, 9.5, "done");
    int64_t lift = synthetic_task(&s, s.top, action, "carry/lift", NULL, 2.2, 4.5, "done");
    synthetic_operation(&s, lift, action, s.hand, NULL, NULL, 2.2, 4.5);
    if (told)
        handling_open(&s, "carry/open", 3.7, 4);
    synthetic_end(&s, 10);
    return s;
}

static void what_stays_behind_when_the_hand_rises_slipped(void **state) {
    (void)state;
    static const struct {
        bool rises, told, slipped;
        const char *action;
    } cases[] = {{true, false, true, "move_arm"},
                 {false, false, false, "move_arm"},
                 {true, true, false, "move_arm"},
                 {true, false, true, "replay"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        synthetic s = left_behind(cases[i].rises, cases[i].told, false, cases[i].action);
        asking q = asking_open(&s);
        no(&q, "occurs_w(pick_up(X), T).");
        no(&q, "occurs_w(slip(O, H), T).");
        if ((asking_count(&q, "flaw(slipped(T, cube_1, robot_hand, S)).") == 1) != cases[i].slipped)
            fail_msg("case %zu", i);
        if (cases[i].slipped) {
            yes(&q,
                "flaw_time(slipped(_A, _B, _C, _D), S, E), S > 3.2, S < 3.6, E > 3.85, E < 3.95.");
            yes(&q, "flaw_task(slipped(_A, _B, _C, _D), T), task_path(T, \"carry/lift\").");
            yes(&q, "flaw_evidence(slipped(_A, _B, _C, _D), drift, V), V > 0.03.");
        }
        asking_close(&q);
        synthetic_remove(&s);
    }
}

static void what_slips_from_the_hand_with_something_on_it_is_a_stacked_carry(void **state) {
    (void)state;
    synthetic s = left_behind(true, false, true, "move_arm");
    asking q = asking_open(&s);
    yes(&q, "flaw_reported(stacked_carry_dropped(_T, cube_1, robot_hand, _S)).");
    no(&q, "flaw_reported(slipped(A, B, C, D)).");
    yes(&q, "flaw_time(stacked_carry_dropped(_A, _B, _C, _D), S, E), S > 3.2, S < 3.6, E > 3.85, E "
            "< 3.95.");
    asking_close(&q);
    synthetic_remove(&s);
}

// ---- what is carried on something ---------------------------------------------------------------

typedef enum riding { STAYS, SLIDES_OFF, IS_TAKEN_OFF, FALLS_WITH_IT, SLIDES_OFF_STANDING } riding;

// A cube carries another one: in one hand or in two, lifted by 0.3 m from 3 to 4 s. At 5 s the
// upper one slides off to the side within 0.5 s and falls to the table, or a hand takes it off, or
// the hand loses both.
static synthetic stack(riding what, bool two_hands) {
    synthetic s = synthetic_begin();
    bool standing = what == SLIDES_OFF_STANDING;
    double up = standing ? 0.001 : 0.3; // as good as never lifted
    int64_t lower = handling_lifted(&s, up);
    int64_t upper = synthetic_cube(&s, "cube_2", 0, 0, 0.85);
    int64_t other = two_hands || what == IS_TAKEN_OFF ? handling_second_hand(&s) : 0;
    synthetic_pose(&s, upper, 3, 0, 0, 0.85, 0);
    synthetic_pose(&s, upper, 4, 0, 0, 0.85 + up, 0);
    synthetic_pose(&s, upper, 5, 0, 0, 0.85 + up, 0);
    double until = 5;
    if (what == STAYS || what == FALLS_WITH_IT)
        until = what == STAYS ? -1 : 5;
    if (what == SLIDES_OFF || standing) {
        until = 5.5;
        synthetic_pose(&s, upper, 5.5, 0.11, 0, 0.85 + up, 0);
        double landed = handling_falls(&s, upper, 5.5, 0.11, 0.85 + up, 0.75);
        synthetic_contact(&s, s.table, upper, landed, -1, 1, 0, 0, CUBE_WEIGHT, 0, 0, 1);
    }
    if (what == IS_TAKEN_OFF) {
        handling_second_grasp(&s, upper, 4.5, 9, other);
        synthetic_pose(&s, upper, 6, 0, 0, 0.95 + up, 0);
        synthetic_pose(&s, upper, 7, 0.3, 0, 0.95 + up, 0);
        synthetic_pose(&s, upper, 9, 0.3, 0, 0.75, 0);
        synthetic_stand(&s, s.table, upper, 9, -1, CUBE_WEIGHT);
    }
    synthetic_stand(&s, lower, upper, 0, until, CUBE_WEIGHT);
    if (what == FALLS_WITH_IT) {
        double landed = handling_falls(&s, lower, 5, 0, 0.75 + up, 0.75);
        handling_falls(&s, upper, 5, 0, 0.85 + up, 0.85);
        synthetic_contact(&s, s.table, lower, landed, -1, 1, 0, 0, 2 * CUBE_WEIGHT, 0, 0, 1);
        synthetic_stand(&s, lower, upper, landed, -1, CUBE_WEIGHT);
    }
    synthetic_grasp(&s, lower, 2, what == FALLS_WITH_IT ? 5 : -1, 20);
    if (two_hands)
        handling_second_grasp(&s, lower, 2, -1, other);
    if (standing)
        synthetic_stand(&s, s.table, lower, 4, -1, CUBE_WEIGHT);
    synthetic_end(&s, 10);
    return s;
}

static void what_falls_out_of_a_stack_in_one_hand_is_a_stacked_carry(void **state) {
    (void)state;
    synthetic s = stack(SLIDES_OFF, false);
    asking q = asking_open(&s);
    once(&q, "flaw_time(stacked_carry_dropped(_A, cube_2, robot_hand, _B), S, _C).", 0.05, 5.5);
    yes(&q, "flaw_body(stacked_carry_dropped(_A, cube_2, robot_hand, _B), cube_1).");
    yes(&q, "flaw_superseded(dropped_from_carrier(_A, cube_2, cube_1, _B), "
            "stacked_carry_dropped(_C, _D, _E, _F)).");
    yes(&q, "flaw_task(stacked_carry_dropped(_A, _B, _C, _D), T), task_path(T, \"carry/lift\").");
    yes(&q, "flaw_root(stacked_carry_dropped(_A, _B, _C, _D)).");
    asking_close(&q);
    synthetic_remove(&s);
}

static void a_stack_that_is_lost_as_a_whole_is_a_stacked_carry(void **state) {
    (void)state;
    synthetic s = stack(FALLS_WITH_IT, false);
    asking q = asking_open(&s);
    once(&q, "flaw_time(stacked_carry_dropped(_A, cube_1, robot_hand, _B), S, _C).", 0.05, 5);
    yes(&q, "flaw_evidence(stacked_carry_dropped(_A, cube_1, _B, _C), carried_on_it, [cube_2]).");
    yes(&q, "flaw_superseded(dropped_in_transit(_A, cube_1, _B, _C), stacked_carry_dropped(_D, _E, "
            "_F, _G)).");
    asking_close(&q);
    synthetic_remove(&s);
}

static void what_falls_off_a_thing_in_two_hands_fell_off_its_carrier(void **state) {
    (void)state;
    synthetic s = stack(SLIDES_OFF, true);
    asking q = asking_open(&s);
    // It had shifted by 10 mm of 110 after 45 ms of the half second.
    once(&q, "flaw_time(dropped_from_carrier(_A, cube_2, cube_1, _B), S, _C).", 0.02, 5.045);
    yes(&q, "flaw_root(dropped_from_carrier(_A, _B, _C, _D)).");
    no(&q, "flaw(stacked_carry_dropped(A, B, C, D)).");
    asking_close(&q);
    synthetic_remove(&s);
}

static void what_stays_or_is_taken_off_or_stands_on_the_table_did_not_fall(void **state) {
    (void)state;
    static const riding cases[] = {STAYS, IS_TAKEN_OFF, SLIDES_OFF_STANDING};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        synthetic s = stack(cases[i], false);
        asking q = asking_open(&s);
        if (asking_count(&q, "flaw(stacked_carry_dropped(A, B, C, D)).") ||
            asking_count(&q, "flaw(dropped_from_carrier(A, B, C, D))."))
            fail_msg("case %zu", i);
        asking_close(&q);
        synthetic_remove(&s);
    }
    synthetic s = stack(STAYS, true);
    asking q = asking_open(&s);
    yes(&q, "holds_w(carried(cube_2, robot_hand), at(5)).");
    no(&q, "flaw(F).");
    asking_close(&q);
    synthetic_remove(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loss_is_unnoticed_after_half_a_second),
        cmocka_unit_test(what_is_taken_as_the_hand_closes_is_disturbed),
        cmocka_unit_test(a_toss_that_is_expected_is_no_drop_in_transit),
        cmocka_unit_test(a_slip_is_5_mm_or_15_degrees),
        cmocka_unit_test(the_force_that_a_hand_was_told_is_not_sought_among_the_commands_of_others),
        cmocka_unit_test(what_stays_behind_when_the_hand_rises_slipped),
        cmocka_unit_test(what_slips_from_the_hand_with_something_on_it_is_a_stacked_carry),
        cmocka_unit_test(what_falls_out_of_a_stack_in_one_hand_is_a_stacked_carry),
        cmocka_unit_test(a_stack_that_is_lost_as_a_whole_is_a_stacked_carry),
        cmocka_unit_test(what_falls_off_a_thing_in_two_hands_fell_off_its_carrier),
        cmocka_unit_test(what_stays_or_is_taken_off_or_stands_on_the_table_did_not_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
