// tests/predicates/test_pick_ups.c - support by known weights, attachment by known motion, picking
// up and putting down, and what only looks like it.
#include "tests/predicates/handling.h"

// ---- support ------------------------------------------------------------------------------------

// The table bears this share of the cube's weight, another cube beside and below it the rest.
static void supports_are_those_that_bear_a_fifth_of_the_weight(void **state) {
    (void)state;
    static const struct {
        double share;
        bool table, other;
    } cases[] = {{0.5, true, true}, {0.21, true, true}, {0.19, false, true}, {0.81, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        synthetic s = synthetic_begin();
        int64_t cube = synthetic_cube(&s, "cube_1", 0, 0, 0.75);
        int64_t other = synthetic_cube(&s, "cube_2", 0.05, 0, 0.65);
        synthetic_hand(&s, 0, -1, 0, 1);
        synthetic_stand(&s, s.table, other, 0, -1, CUBE_WEIGHT);
        synthetic_stand(&s, s.table, cube, 0, -1, cases[i].share * CUBE_WEIGHT);
        synthetic_stand(&s, other, cube, 0, -1, (1 - cases[i].share) * CUBE_WEIGHT);
        synthetic_end(&s, 5);
        asking q = asking_open(&s);
        if ((asking_count(&q, "holds_w(supporting(table_1, cube_1), at(3)).") == 1) !=
                cases[i].table ||
            (asking_count(&q, "holds_w(supporting(cube_2, cube_1), at(3)).") == 1) !=
                cases[i].other)
            fail_msg("a share of %g", cases[i].share);
        asking_close(&q);
        synthetic_remove(&s);
    }
}

static void force(synthetic *s, int64_t contact, double t, double fz) {
    record f = {.kind = RECORD_CONTACT_FORCE, .id = sink_id(s->sink, RECORD_CONTACT_FORCE)};
    f.CONTACT_FORCE =
        (struct record_CONTACT_FORCE){.contact = contact, .t = S_TO_NS(t), .fz = fz, .nz = 1};
    synthetic_put(s, &f);
}

// A load of 0.15 of the weight begins no support, but one that has begun goes on; under 0.1 it
// ends.
static void support_ends_later_than_it_would_begin(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t cube = synthetic_cube(&s, "cube_1", 0, 0, 0.75);
    synthetic_hand(&s, 0, -1, 0, 1);
    int64_t c = synthetic_contact(&s, s.table, cube, 0, -1, 0, 0, 0, 0.05 * CUBE_WEIGHT, 0, 0, 1);
    int64_t light = synthetic_cube(&s, "cube_2", 0.3, 0, 0.75);
    synthetic_stand(&s, s.table, light, 0, -1, 0.15 * CUBE_WEIGHT);
    force(&s, c, 1, 0.15 * CUBE_WEIGHT);
    force(&s, c, 2, 0.3 * CUBE_WEIGHT);
    force(&s, c, 4, 0.15 * CUBE_WEIGHT);
    force(&s, c, 6, 0.05 * CUBE_WEIGHT);
    synthetic_end(&s, 8);
    asking q = asking_open(&s);
    no(&q, "holds_w(supporting(table_1, cube_1), at(0.5)).");
    yes(&q, "holds_w(supporting(table_1, cube_1), throughout(1.1, 5.9)).");
    no(&q, "holds_w(supporting(table_1, cube_1), during(6.1, 8)).");
    no(&q, "holds_w(supporting(table_1, cube_2), during(0, 8)).");
    asking_close(&q);
    synthetic_remove(&s);
}

// Half of its weight on the table, half on a slope: that supports from 60 degrees to the vertical
// on.
static void a_leaning_plate_is_supported_where_the_normal_points_up(void **state) {
    (void)state;
    static const struct {
        double up;
        bool supports;
    } cases[] = {{0.45, false}, {0.55, true}};
    for (size_t i = 0; i < 2; i++) {
        synthetic s = synthetic_begin();
        int64_t plate = synthetic_cube(&s, "plate_1", 0, 0, 0.75);
        int64_t wedge = synthetic_cube(&s, "wedge_1", 0.1, 0, 0.75);
        synthetic_hand(&s, 0, -1, 0, 1);
        synthetic_stand(&s, s.table, wedge, 0, -1, CUBE_WEIGHT);
        synthetic_stand(&s, s.table, plate, 0, -1, 0.5 * CUBE_WEIGHT);
        double up = cases[i].up, side = sqrt(1 - up * up);
        synthetic_contact(&s, wedge, plate, 0, -1, 0, -4, 0, 0.5 * CUBE_WEIGHT, -side, 0, up);
        synthetic_end(&s, 5);
        asking q = asking_open(&s);
        yes(&q, "holds_w(supporting(table_1, plate_1), throughout(0, 5)).");
        yes_at(&q, "holds_w(supporting(wedge_1, plate_1), at(3)).", cases[i].supports, __FILE__,
               __LINE__);
        asking_close(&q);
        synthetic_remove(&s);
    }
}

// ---- attachment ---------------------------------------------------------------------------------

// It slides through the hand from 5 s on: at 15 mm/s, then from 6 s on at 60 mm/s.
static void attachment_ends_when_it_shifts_by_5_mm_in_a_tenth_of_a_second(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t cube = handling_lifted(&s, 0.2);
    synthetic_pose(&s, cube, 5, 0, 0, 0.95, 0);
    synthetic_pose(&s, cube, 6, 0, 0, 0.935, 0);
    synthetic_pose(&s, cube, 6.5, 0, 0, 0.905, 0);
    synthetic_grasp(&s, cube, 2, -1, 10);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    once(&q, "holds_w(attached(cube_1, robot_hand), interval(S, E)), S < 6.", 0.06, 2, 6);
    yes(&q,
        "holds_w(attached(cube_1, robot_hand), interval(S, E)), S > 6.4, censored(E)."); // it lies
                                                                                         // still
                                                                                         // again
    yes(&q, "holds_w(grasped(cube_1, robot_hand), throughout(2, 10)).");
    no(&q, "occurs_w(put_down(X), T)."); // what the hand has at the end is not put down
    asking_close(&q);
    synthetic_remove(&s);
}

// ---- picking up ---------------------------------------------------------------------------------

// Lifted so far, and held there.
static void picking_up_is_a_rise_of_a_centimetre(void **state) {
    (void)state;
    static const struct {
        double rise;
        bool up;
    } cases[] = {{0.009, false}, {0.011, true}};
    for (size_t i = 0; i < 2; i++) {
        synthetic s = synthetic_begin();
        int64_t cube = handling_lifted(&s, cases[i].rise);
        synthetic_grasp(&s, cube, 2, -1, 10);
        synthetic_end(&s, 10);
        asking q = asking_open(&s);
        yes_at(&q, "occurs_w(pick_up(cube_1, robot_hand, table_1), T).", cases[i].up, __FILE__,
               __LINE__);
        asking_close(&q);
        synthetic_remove(&s);
    }
}

// It rubs along its neighbour as it leaves the table, and is held back by 8 mm between the fingers.
static void what_slides_a_little_between_the_fingers_as_it_is_lifted_is_picked_up(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t cube = handling_lifted(&s, 0.2);
    synthetic_pose(&s, cube, 3.035, 0, 0, 0.757, 0);
    synthetic_pose(&s, cube, 3.075, 0, 0, 0.757, 0);
    synthetic_pose(&s, cube, 4.2, 0, 0, 0.942, 0);
    synthetic_grasp(&s, cube, 2, -1, 10);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    no(&q, "holds_w(attached(cube_1, robot_hand), throughout(3.01, 3.2)).");
    yes(&q, "holds_w(in_grip(cube_1, robot_hand), throughout(2, 9)).");
    once(&q, "occurs_w(pick_up(cube_1, robot_hand, table_1), S), E = S.", 0.05, 3, 3);
    asking_close(&q);
    synthetic_remove(&s);
}

// For a moment nothing but the hand bears it, then the table does again until it is lifted at 3.5
// s.
static void support_that_returns_at_once_is_no_pick_up(void **state) {
    (void)state;
    static const struct {
        double gap;
        bool up;
    } cases[] = {{0.2, false}, {0.4, true}};
    for (size_t i = 0; i < 2; i++) {
        synthetic s = synthetic_begin();
        int64_t cube = synthetic_cube(&s, "cube_1", 0, 0, 0.75);
        synthetic_hand(&s, 0, 0, 0, 0.82);
        synthetic_hand(&s, 3.5, 0, 0, 0.82);
        synthetic_hand(&s, 4.5, 0, 0, 1.02);
        synthetic_pose(&s, cube, 3.5, 0, 0, 0.75, 0);
        synthetic_pose(&s, cube, 4.5, 0, 0, 0.95, 0);
        synthetic_stand(&s, s.table, cube, 0, 3, CUBE_WEIGHT);
        synthetic_stand(&s, s.table, cube, 3 + cases[i].gap, 3.5, 0.5 * CUBE_WEIGHT);
        synthetic_grasp(&s, cube, 2, -1, 10);
        synthetic_end(&s, 10);
        asking q = asking_open(&s);
        yes_at(&q, "occurs_w(pick_up(cube_1, robot_hand, table_1), T), T < 3.1.", cases[i].up,
               __FILE__, __LINE__);
        yes(&q, "occurs_w(pick_up(cube_1, robot_hand, table_1), T), T > 3.4.");
        asking_close(&q);
        synthetic_remove(&s);
    }
}

// The inner cup of a nest rubs on the outer one while it comes out.
static void a_nested_cup_is_picked_up_though_it_still_rubs(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t outer = synthetic_cube(&s, "cup_2", 0, 0, 0.75);
    synthetic_stand(&s, s.table, outer, 0, -1, CUBE_WEIGHT);
    int64_t inner = synthetic_cube(&s, "cup_1", 0, 0, 0.77);
    synthetic_hand(&s, 0, 0, 0, 0.84);
    synthetic_hand(&s, 3, 0, 0, 0.84);
    synthetic_hand(&s, 5, 0, 0, 1.04);
    synthetic_pose(&s, inner, 3, 0, 0, 0.77, 0);
    synthetic_pose(&s, inner, 5, 0, 0, 0.97, 0);
    synthetic_stand(&s, outer, inner, 0, 3, CUBE_WEIGHT);
    synthetic_contact(&s, outer, inner, 3, 4, 0, 2, 0, -0.5, 1, 0, 0);
    synthetic_grasp(&s, inner, 2, -1, 10);
    synthetic_end(&s, 8);
    asking q = asking_open(&s);
    yes(&q, "holds_w(contact(cup_1, cup_2), throughout(0, 3.9)).");
    once(&q, "occurs_w(pick_up(cup_1, robot_hand, cup_2), T).", 0.06, 3);
    once(&q, "occurs_w(unstack(cup_1, cup_2), T).", 0.06, 3);
    no(&q, "occurs_w(pick_up(cup_2), T).");
    asking_close(&q);
    synthetic_remove(&s);
}

// What is lifted out of a drawer is picked up from it; a drawer that is pulled by its handle is not
// picked up.
static void things_are_picked_up_out_of_drawers_and_drawers_are_not(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t drawer = synthetic_object(&s, "drawer_1", "body", "drawer", 0, false, 2);
    synthetic_box(&s, drawer, 0.4, 0.4, 0.02, -0.01);
    synthetic_joint(&s, "slide_1", drawer, s.table, "slider", 0.4);
    int64_t fork = synthetic_cube(&s, "fork_1", 0, 0, 0.8);
    const double times[6] = {1, 2, 4, 5, 6, 7}, hand_x[6] = {0.25, 0.25, 0.45, 0.2, 0.2, 0.2},
                 hand_z[6] = {0.8, 0.8, 0.8, 0.87, 0.87, 1.07},
                 fork_x[6] = {0, 0, 0.2, 0.2, 0.2, 0.2}, fork_z[6] = {0.8, 0.8, 0.8, 0.8, 0.8, 1.0};
    synthetic_hand(&s, 0, 0.25, 0, 0.8);
    synthetic_pose(&s, drawer, 0, 0, 0, 0.8, 0);
    for (int i = 0; i < 6; i++) {
        synthetic_hand(&s, times[i], hand_x[i], 0, hand_z[i]);
        synthetic_pose(&s, drawer, times[i], fork_x[i], 0, 0.8, 0);
        synthetic_pose(&s, fork, times[i], fork_x[i], 0, fork_z[i], 0);
    }
    synthetic_stand(&s, s.table, drawer, 0, -1, 2 * CUBE_WEIGHT);
    synthetic_stand(&s, drawer, fork, 0, 6, CUBE_WEIGHT);
    synthetic_grasp(&s, drawer, 1.5, 4, 10);
    synthetic_grasp(&s, fork, 5.5, -1, 10);
    synthetic_end(&s, 9);
    asking q = asking_open(&s);
    yes(&q, "holds_w(attached(drawer_1, robot_hand), at(3)).");
    once(&q, "occurs_w(pick_up(fork_1, robot_hand, drawer_1), T).", 0.06, 6);
    no(&q, "occurs_w(pick_up(drawer_1), T).");
    asking_close(&q);
    synthetic_remove(&s);
}

// A plate is dragged over the table's edge and never rises: it is picked up when it has left the
// table behind.
static void what_is_slid_over_the_edge_and_taken_at_the_rim_is_picked_up(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t plate = synthetic_cube(&s, "plate_1", 0.3, 0, 0.75);
    synthetic_hand(&s, 0, 0.3, 0, 0.8);
    synthetic_hand(&s, 3, 0.3, 0, 0.8);
    synthetic_hand(&s, 5, 0.7, 0, 0.8);
    synthetic_pose(&s, plate, 3, 0.3, 0, 0.75, 0);
    synthetic_pose(&s, plate, 5, 0.7, 0, 0.75, 0);
    synthetic_stand(&s, s.table, plate, 0, 4.2, CUBE_WEIGHT); // until it leaves the edge at x = 0.5
    synthetic_grasp(&s, plate, 2, -1, 10);
    synthetic_end(&s, 8);
    asking q = asking_open(&s);
    yes(&q, "holds_w(sliding(plate_1, table_1), at(3.7)).");
    once(&q, "occurs_w(pick_up(plate_1, robot_hand, table_1), T).", 0.06, 4.2);
    asking_close(&q);
    synthetic_remove(&s);
}

// The palm pushes it over the edge, and it falls.
static void what_is_pushed_over_an_edge_is_not_picked_up(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t cube = synthetic_cube(&s, "cube_1", 0.3, 0, 0.75);
    synthetic_hand(&s, 0, 0.2, 0, 0.8);
    synthetic_hand(&s, 3, 0.2, 0, 0.8);
    synthetic_hand(&s, 5, 0.45, 0, 0.8);
    synthetic_pose(&s, cube, 3, 0.3, 0, 0.75, 0);
    synthetic_pose(&s, cube, 5, 0.56, 0, 0.75, 0);
    double down = handling_falls(&s, cube, 5, 0.56, 0.75, 0);
    synthetic_stand(&s, s.table, cube, 0, 5, CUBE_WEIGHT);
    synthetic_contact(&s, s.palm, cube, 2.95, 4.9, 0.1, 5, 0, 0, 1, 0, 0);
    synthetic_contact(&s, s.floor, cube, down, -1, 3.5, 0, 0, CUBE_WEIGHT, 0, 0, 1);
    synthetic_end(&s, 9);
    asking q = asking_open(&s);
    no(&q, "occurs_w(pick_up(X), T).");
    no(&q, "occurs_w(drop(X, H), T).");
    no(&q, "holds_w(grasped(cube_1, H), at(4)).");
    once(&q, "occurs_w(push(robot_hand_palm, cube_1), T).", 0.1, 3);
    yes(&q, "occurs_w(move(cube_1), T), T > 2.9, T < 3.1.");
    asking_close(&q);
    synthetic_remove(&s);
}

// A tray is lifted, with a cup on it: the tray is picked up, the cup is carried. Then the cup is
// put down on it.
static void what_a_tray_lifts_is_carried_and_not_picked_up(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t tray = handling_lifted(&s, 0.2);
    int64_t cup = synthetic_cube(&s, "cup_1", 0, 0, 0.85);
    synthetic_pose(&s, cup, 3, 0, 0, 0.85, 0);
    synthetic_pose(&s, cup, 4, 0, 0, 1.05, 0);
    synthetic_stand(&s, tray, cup, 0, -1, CUBE_WEIGHT);
    synthetic_grasp(&s, tray, 2, -1, 20);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    once(&q, "occurs_w(pick_up(cube_1, robot_hand, table_1), T).", 0.06, 3);
    no(&q, "occurs_w(pick_up(cup_1), T).");
    yes(&q, "holds_w(carried(cup_1, robot_hand), throughout(3.1, 9)).");
    no(&q, "holds_w(object_in_hand(cup_1), at(5)).");
    no(&q, "holds_w(carried(cup_1, robot_hand), at(1)).");
    no(&q, "flaw(F).");
    asking_close(&q);
    synthetic_remove(&s);
}

// Let go over a tray that stands on the table: put down on it, which is stacking.
static void things_are_put_down_on_trays(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t cube = synthetic_cube(&s, "cube_1", 0, 0, 0.75);
    int64_t tray = synthetic_object(&s, "tray_1", "body", "tray", 0, false, 1);
    synthetic_box(&s, tray, 0.4, 0.3, 0.02, 0.01);
    synthetic_pose(&s, tray, 0, 0.3, 0, 0.75, 0);
    synthetic_stand(&s, s.table, tray, 0, -1, CUBE_WEIGHT);
    const double times[4] = {3, 4, 6, 8}, xs[4] = {0, 0, 0.3, 0.3}, zs[4] = {0, 0.2, 0.02, 0.02};
    synthetic_hand(&s, 0, 0, 0, 0.82);
    for (int i = 0; i < 4; i++) {
        synthetic_hand(&s, times[i], xs[i], 0, 0.82 + zs[i]);
        synthetic_pose(&s, cube, times[i], xs[i], 0, 0.75 + zs[i], 0);
    }
    synthetic_stand(&s, s.table, cube, 0, 3, CUBE_WEIGHT);
    synthetic_stand(&s, tray, cube, 6, -1, CUBE_WEIGHT);
    synthetic_grasp(&s, cube, 2, 7, 10);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    once(&q, "occurs_w(put_down(cube_1, robot_hand, tray_1), T).", 0.06, 7);
    once(&q, "occurs_w(stack(cube_1, tray_1), T).", 0.06, 7);
    yes(&q, "holds_w(stands_on(cube_1, table_1), at(end)).");
    asking_close(&q);
    synthetic_remove(&s);
}

// Let go at 6 s where it just stands: the table bears it `after` that.
static void what_the_support_bears_once_the_hand_parts_is_put_down(void **state) {
    (void)state;
    const double after[2] = {0.125, 0.25};
    for (int i = 0; i < 2; i++) {
        synthetic s = synthetic_begin();
        int64_t cube = handling_lifted(&s, 0);
        synthetic_grasp(&s, cube, 2, 6, 10);
        synthetic_stand(&s, s.table, cube, 6 + after[i], -1, CUBE_WEIGHT);
        synthetic_end(&s, 10);
        asking q = asking_open(&s);
        assert_int_equal(asking_count(&q, "occurs_w(put_down(cube_1, robot_hand, table_1), T)."),
                         i == 0);
        asking_close(&q);
        synthetic_remove(&s);
    }
}

// The second hand takes it in the air at 5 s, the first lets go at 6 s.
static void what_is_handed_over_is_picked_up_once_and_not_put_down(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t cube = handling_lifted(&s, 0.2);
    int64_t other = handling_second_hand(&s);
    synthetic_grasp(&s, cube, 2, 6, 10);
    handling_open(&s, "carry/open", 5.9, 6.3);
    handling_second_grasp(&s, cube, 5, -1, other);
    synthetic_hand(&s, 8, 0, 0, 1.02); // the first hand goes away
    synthetic_hand(&s, 9, -0.5, 0, 1.02);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    once(&q, "occurs_w(pick_up(cube_1, _H, _From), T).", 0.06, 3);
    once(&q, "occurs_w(handed_over(cube_1, robot_hand, robot_other), T).", 0.06, 6);
    yes(&q, "holds_w(object_in_hand(cube_1, robot_other), throughout(5.1, 10)).");
    no(&q, "occurs_w(put_down(X), T).");
    no(&q, "occurs_w(drop(X, H), T).");
    no(&q, "flaw(F).");
    asking_close(&q);
    synthetic_remove(&s);
}

// Put down at 6 s, grasped again at 6.6 s and lifted at 7 s; or the fingers only close anew.
static void what_is_regrasped_is_picked_up_anew_when_it_is_lifted_anew(void **state) {
    (void)state;
    for (int lifted = 0; lifted < 2; lifted++) {
        synthetic s = synthetic_begin();
        int64_t cube = handling_placed(&s);
        synthetic_grasp(&s, cube, 6.6, -1, 10);
        synthetic_hand(&s, 7, 0, 0, 0.82);
        synthetic_pose(&s, cube, 7, 0, 0, 0.75, 0);
        if (lifted) {
            synthetic_hand(&s, 8, 0, 0, 1.02);
            synthetic_pose(&s, cube, 8, 0, 0, 0.95, 0);
        }
        synthetic_end(&s, 10);
        asking q = asking_open(&s);
        once(&q, "occurs_w(pick_up(cube_1), T), T < 5.", 0.06, 3);
        once(&q, "occurs_w(put_down(cube_1), T).", 0.06, 6);
        yes(&q, "holds_w(grasped(cube_1, robot_hand), throughout(6.7, 9)).");
        asking_close(&q);
        synthetic_remove(&s);
    }
}

// Let go a little above the table, it bounces three times before it lies still: put down only when
// that came first.
static void brief_bounces_are_no_pick_ups(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t cube = synthetic_cube(&s, "cube_1", 0, 0, 0.75);
    synthetic_hand(&s, 0, -1, 0, 1);
    const double from[4] = {0, 3.05, 3.15, 3.22}, to[4] = {3, 3.06, 3.17, -1};
    for (int i = 0; i < 4; i++)
        synthetic_contact(&s, s.table, cube, from[i], to[i], i ? 0.04 : 0, 0, 0, CUBE_WEIGHT, 0, 0,
                          1);
    for (int i = 0; i < 3; i++) {
        synthetic_pose(&s, cube, to[i], 0, 0, 0.75, 0);
        synthetic_pose(&s, cube, (to[i] + from[i + 1]) / 2, 0, 0, 0.752, 0);
        synthetic_pose(&s, cube, from[i + 1], 0, 0, 0.75, 0);
    }
    synthetic_end(&s, 6);
    asking q = asking_open(&s);
    assert_int_equal(asking_count(&q, "occurs_w(collision(table_1, cube_1), T)."), 3);
    assert_int_equal(asking_count(&q, "collision_force(table_1, cube_1, T, touch, V, _I)."), 3);
    no(&q, "occurs_w(pick_up(X), T).");
    no(&q, "occurs_w(put_down(X), T).");
    no(&q, "occurs_w(loc_change(X), T).");
    no(&q, "flaw(F).");
    asking_close(&q);
    synthetic_remove(&s);
}

// ---- contacts of the base, and the end of the episode -------------------------------------------

// The base comes to rest against a chair, at this speed and with this force.
static void a_base_that_leans_softly_on_a_chair_is_no_collision_to_speak_of(void **state) {
    (void)state;
    static const struct {
        double approach, force;
        bool flaw;
    } cases[] = {{0.02, 20, false}, {0.045, 45, false}, {0.055, 20, true}, {0.02, 55, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        synthetic s = synthetic_begin();
        int64_t chair = synthetic_object(&s, "chair_1", "body", "chair", 0, true, 0);
        synthetic_box(&s, chair, 0.4, 0.4, 0.8, 0.4);
        synthetic_pose(&s, chair, 0, -1.0, 0, 0, 0);
        synthetic_hand(&s, 0, -1, 0, 1);
        s.top = synthetic_task(&s, 0, "seq", "plan", NULL, 0, 8, "done");
        int64_t go = synthetic_task(&s, s.top, "navigate", "plan/go", NULL, 2, 5, "done");
        synthetic_operation(&s, go, "navigate", s.base, NULL, "at(-1.5, 0.0, 0.0)", 2, 5);
        synthetic_contact(&s, s.base, chair, 4, -1, cases[i].approach, cases[i].force, 0, 0, 1, 0,
                          0);
        synthetic_end(&s, 10);
        asking q = asking_open(&s);
        yes(&q, "occurs_w(collision(robot_base, chair_1), T).");
        if ((asking_count(&q, "flaw(F).") > 0) != cases[i].flaw)
            fail_msg("at %g m/s with %g N", cases[i].approach, cases[i].force);
        asking_close(&q);
        synthetic_remove(&s);
    }
}

// The episode ends while the hand carries it: everything holds to the end, and is known to be cut
// off there.
static void what_lasts_to_the_end_is_censored(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t cube = handling_lifted(&s, 0.2);
    synthetic_hand(&s, 8, 0, 0, 1.02);
    synthetic_hand(&s, 10, 0.4, 0, 1.02);
    synthetic_pose(&s, cube, 8, 0, 0, 0.95, 0);
    synthetic_pose(&s, cube, 10, 0.4, 0, 0.95, 0);
    synthetic_grasp(&s, cube, 2, -1, 10);
    synthetic_end(&s, 9);
    asking q = asking_open(&s);
    yes(&q, "holds_w(attached(cube_1, robot_hand), interval(S, E)), censored(E).");
    yes(&q, "holds_w(moving(cube_1), interval(S, E)), S > 7.9, censored(E).");
    yes(&q, "holds_w(moving(cube_1), interval(S, E)), S < 3.1, not censored(E).");
    once(&q, "occurs_w(loc_change(cube_1), T), T > 5.", 1e-6, 9);
    no(&q, "occurs_w(put_down(X), T).");
    no(&q, "occurs_w(drop(X, H), T).");
    no(&q, "flaw(F).");
    asking_close(&q);
    synthetic_remove(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(supports_are_those_that_bear_a_fifth_of_the_weight),
        cmocka_unit_test(support_ends_later_than_it_would_begin),
        cmocka_unit_test(a_leaning_plate_is_supported_where_the_normal_points_up),
        cmocka_unit_test(attachment_ends_when_it_shifts_by_5_mm_in_a_tenth_of_a_second),
        cmocka_unit_test(picking_up_is_a_rise_of_a_centimetre),
        cmocka_unit_test(what_slides_a_little_between_the_fingers_as_it_is_lifted_is_picked_up),
        cmocka_unit_test(support_that_returns_at_once_is_no_pick_up),
        cmocka_unit_test(a_nested_cup_is_picked_up_though_it_still_rubs),
        cmocka_unit_test(things_are_picked_up_out_of_drawers_and_drawers_are_not),
        cmocka_unit_test(what_is_slid_over_the_edge_and_taken_at_the_rim_is_picked_up),
        cmocka_unit_test(what_is_pushed_over_an_edge_is_not_picked_up),
        cmocka_unit_test(what_a_tray_lifts_is_carried_and_not_picked_up),
        cmocka_unit_test(things_are_put_down_on_trays),
        cmocka_unit_test(what_the_support_bears_once_the_hand_parts_is_put_down),
        cmocka_unit_test(what_is_handed_over_is_picked_up_once_and_not_put_down),
        cmocka_unit_test(what_is_regrasped_is_picked_up_anew_when_it_is_lifted_anew),
        cmocka_unit_test(brief_bounces_are_no_pick_ups),
        cmocka_unit_test(a_base_that_leans_softly_on_a_chair_is_no_collision_to_speak_of),
        cmocka_unit_test(what_lasts_to_the_end_is_censored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
