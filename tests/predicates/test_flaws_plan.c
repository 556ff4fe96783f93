// tests/predicates/test_flaws_plan.c - flaws of the plan itself, what explains what, and what was
// made good, on logs whose answers are known.
#include "tests/predicates/asking.h"

// A table with a cube at place_1 and another beside it, known to the robot as cube#1 and cube#2.
typedef struct scene {
    synthetic s;
    int64_t one, two;
} scene;

static scene set_up(const char *goal, const char *ended, double end) {
    scene c = {.s = synthetic_begin()};
    c.one = synthetic_cube(&c.s, "cube_1", 0.3, 0, 0.75);
    c.two = synthetic_cube(&c.s, "cube_2", -0.3, 0, 0.75);
    synthetic_hand(&c.s, 0, -1, 0, 1);
    static const char *const names[2] = {"cube#1", "cube#2"};
    const double x[2] = {0.3, -0.3};
    for (int i = 0; i < 2; i++) {
        int64_t b = synthetic_believed(&c.s, names[i], 0, "cube", 0);
        synthetic_frame(&c.s, b, "map", "at", 0, x[i], 0, 0.75);
        synthetic_percept(&c.s, b, i ? c.two : c.one, 0);
    }
    c.s.top = synthetic_task(&c.s, 0, "seq", "plan", goal, 0, end, ended);
    return c;
}

static void resting(scene *c) {
    synthetic_stand(&c->s, c->s.table, c->one, 0, -1, CUBE_WEIGHT);
    synthetic_stand(&c->s, c->s.table, c->two, 0, -1, CUBE_WEIGHT);
}

static int64_t failure(synthetic *s, int64_t task, double t, const char *class, const char *reason,
                       int64_t blocker, int64_t cause) {
    record r = {.kind = RECORD_FAILURE, .id = sink_id(s->sink, RECORD_FAILURE)};
    r.FAILURE = (struct record_FAILURE){.task = task,
                                        .t_ns = S_TO_NS(t),
                                        .class = class,
                                        .reason = reason,
                                        .blocker = blocker,
                                        .cause = cause};
    synthetic_put(s, &r);
    return r.id;
}

static void note(synthetic *s, int64_t task, const char *kind, const char *of) {
    record r = {.kind = RECORD_TASK_NOTE, .id = sink_id(s->sink, RECORD_TASK_NOTE)};
    r.TASK_NOTE = (struct record_TASK_NOTE){task, kind, of};
    synthetic_put(s, &r);
}

static asking finish(scene *c, double end) {
    synthetic_end(&c->s, end);
    return asking_open(&c->s);
}

static void leave(scene *c, asking *q) {
    asking_close(q);
    synthetic_remove(&c->s);
}

// ---- missing_precondition, wrong_order ----------------------------------------------------------

// A step that requires a cube in the hand fails at 4 s. `taken`: when something set out to take it.
static asking lacking(scene *c, const char *requires, double taken) {
    *c = set_up("[within(cube_2, place_1)]", "failed", 8);
    resting(c);
    int64_t put = synthetic_task(&c->s, c->s.top, "achieve", "plan/put",
                                 "put_down('cube#2', within(place_1))", 3, 4, "failed");
    note(&c->s, put, "requires", requires);
    failure(&c->s, put, 4, "manipulation_goal_not_reached", "it could not be done", 0, 0);
    if (taken >= 0) {
        int64_t take = synthetic_task(&c->s, c->s.top, "close_gripper", "plan/take", NULL, taken,
                                      taken + 1, "done");
        synthetic_operation(&c->s, take, "close_gripper", c->s.hand, "cube#2", NULL, taken,
                            taken + 1);
    }
    return finish(c, 10);
}

static void what_a_failed_step_required_and_nothing_saw_to_is_missing(void **state) {
    (void)state;
    scene c;
    asking q = lacking(&c, "object_in_hand('cube#2', robot_hand)", -1);
    yes(&q, "flaw_root(missing_precondition(_T, _P, cube_2, _S)).");
    once(&q, "flaw_time(missing_precondition(_T, _P, _O, _S), S, E).", 1e-6, 3, 4);
    yes(&q, "flaw_task(missing_precondition(_A, _P, _O, _S), T), task_path(T, \"plan/put\").");
    yes(&q, "flaw_caused_by(never_achieved(_A, _B), missing_precondition(_C, _D, _E, _F)).");
    no(&q, "flaw(wrong_order(_A, _B, _C, _D, _E)).");
    leave(&c, &q);
}

static void what_is_true_in_the_world_or_was_seen_to_is_not_missing(void **state) {
    (void)state;
    scene c;
    asking q = lacking(&c, "on('cube#2', table_1)", -1);
    no(&q, "flaw(missing_precondition(_T, _P, _O, _S)).");
    leave(&c, &q);
    q = lacking(&c, "not(object_in_hand(_, robot_hand))", -1);
    no(&q, "flaw(missing_precondition(_T, _P, _O, _S)).");
    leave(&c, &q);
    q = lacking(&c, "object_in_hand('cube#2', robot_hand)", 1);
    no(&q, "flaw(missing_precondition(_T, _P, _O, _S)).");
    no(&q, "flaw(wrong_order(_A, _B, _C, _D, _E)).");
    leave(&c, &q);
}

static void what_is_seen_to_only_afterwards_is_in_the_wrong_order(void **state) {
    (void)state;
    scene c;
    asking q = lacking(&c, "object_in_hand('cube#2', robot_hand)", 5);
    yes(&q, "flaw_root(wrong_order(_A, _B, _C, cube_2, _E)).");
    once(&q, "flaw_evidence(wrong_order(_A, _B, _C, _D, _E), achieved_from, S).", 1e-6, 5);
    no(&q, "flaw(missing_precondition(_T, _P, _O, _S)).");
    leave(&c, &q);
}

static int64_t step(scene *c, const char *construct, const char *path, const char *expr,
                    const char *goal, double t, const char *ended) {
    return synthetic_step(&c->s, c->s.top, construct, path, expr, goal, t, t, ended);
}

// A step that could not even say what it requires, for want of a referent; what the reason reads
// like is of no account.
static asking without_referent(scene *c, const char *expr, const char *goal) {
    *c = set_up("[within(cube_2, place_1)]", "failed", 8);
    resting(c);
    int64_t put = step(c, "achieve", "plan/put", expr, goal, 4, "failed");
    failure(&c->s, put, 4, "designator_reference_failure", "it came to nothing", 0, 0);
    return finish(c, 10);
}

static void a_step_about_what_no_hand_holds_is_a_missing_fetch(void **state) {
    (void)state;
    scene c;
    const char *missing =
        "flaw_root(missing_precondition(_T, object_in_hand('cube#2'), cube_2, _S)).";
    asking q = without_referent(&c, NULL, "put_down('cube#2', within(place_1))");
    yes(&q, missing);
    leave(&c, &q);
    q = without_referent(&c, "move_arm(arm(holding_arm('cube#2')), to(over(within(place_1))))",
                         NULL);
    yes(&q, missing);
    leave(&c, &q);
    q = without_referent(&c, NULL, "within('cube#2', place_1)");
    no(&q, "flaw(missing_precondition(_T, _P, _O, _S)).");
    leave(&c, &q);
    q = without_referent(&c, "move_arm(arm(arm_for('cube#2')), to(park))", NULL);
    no(&q, "flaw(missing_precondition(_T, _P, _O, _S)).");
    leave(&c, &q);
}

// A motion that is refused, in a robot with a second hand; `before`: what a motion with the arm
// called a moved, if any.
static asking refused(scene *c, const char *class, const char *expr, bool before) {
    *c = set_up("[within(cube_2, place_1)]", "failed", 8);
    resting(c);
    synthetic_object(&c->s, "another_hand", "gripper", NULL, 0, false, 0);
    if (before) {
        int64_t wave =
            step(c, "move_arm", "plan/wave", "move_arm(arm(a), to(park))", NULL, 2, "done");
        synthetic_operation(&c->s, wave, "move_arm", c->s.hand, NULL, NULL, 2, 3);
    }
    int64_t go = step(c, "navigate", "plan/go", expr, NULL, 4, "failed");
    failure(&c->s, go, 4, class, "no way", 0, 0);
    return finish(c, 10);
}

static void a_refused_motion_with_an_empty_hand_lacks_a_full_one(void **state) {
    (void)state;
    scene c;
    const char *place = "navigate(to(approach(place(on(table_1), a))))";
    asking q = refused(&c, "navigation_pose_unreachable", place, true);
    yes(&q, "flaw_root(missing_precondition(_T, full(robot_hand), robot_hand, _S)).");
    assert_int_equal(asking_count(&q, "flaw_root(missing_precondition(T, P, O, S))."), 1);
    leave(&c, &q);
    // Whose hand it is was never seen: the arm is named, and no hand is blamed for its name.
    q = refused(&c, "navigation_pose_unreachable", place, false);
    yes(&q, "flaw_root(missing_precondition(_T, full(a), O, _S)), not hand(O).");
    assert_int_equal(asking_count(&q, "flaw_root(missing_precondition(T, P, O, S))."), 1);
    leave(&c, &q);
    q = refused(&c, "navigation_goal_not_reached", place, true);
    no(&q, "flaw(missing_precondition(_T, _P, _O, _S)).");
    leave(&c, &q);
    q = refused(&c, "navigation_pose_unreachable", "navigate(to(approach(pick('cube#2', a))))",
                true);
    no(&q, "flaw(missing_precondition(_T, _P, _O, _S)).");
    leave(&c, &q);
}

// A drawer in the table. What is sought lies in it, or stands on the table behind its front.
static asking before_a_drawer(scene *c, double position, bool within) {
    *c = set_up("[within(cube_2, place_1)]", "failed", 8);
    resting(c);
    int64_t drawer = synthetic_object(&c->s, "drawer", "body", "drawer", 0, false, 1);
    synthetic_box(&c->s, drawer, 0.3, 0.3, 0.1, 0.05);
    synthetic_pose(&c->s, drawer, 0, 0, -0.3, 0.6, 0);
    int64_t slide = synthetic_joint(&c->s, "slide", drawer, c->s.table, "slider", 0.3);
    synthetic_position(&c->s, slide, 0, position);
    int64_t look = synthetic_step(&c->s, c->s.top, "perceive", "plan/look",
                                  within ? "perceive(a, [type(cube)], on(drawer))"
                                         : "perceive(a, [type(cube)], on(table_1))",
                                  NULL, 2, 4, "failed");
    failure(&c->s, look, 4, "navigation_pose_unreachable", "nowhere to stand", drawer, 0);
    return finish(c, 10);
}

static void a_closed_drawer_is_missing_an_opening_where_something_is_sought_in_it(void **state) {
    (void)state;
    scene c;
    asking q = before_a_drawer(&c, 0, true);
    yes(&q, "flaw_root(missing_precondition(_T, open(drawer), drawer, _S)).");
    yes(&q, "flaw_intervention(missing_precondition(_A, _B, _C, _D), opened(slide)).");
    leave(&c, &q);
    q = before_a_drawer(&c, 0.2, true);
    no(&q, "flaw(missing_precondition(_T, _P, _O, _S)).");
    leave(&c, &q);
    q = before_a_drawer(&c, 0, false);
    no(&q, "flaw(missing_precondition(_T, _P, _O, _S)).");
    leave(&c, &q);
}

// A reach for cube_2 fails at 4 s, with this in the way.
static void reach_is_barred(scene *c, int64_t blocker) {
    int64_t reach =
        synthetic_step(&c->s, c->s.top, "move_arm", "plan/reach",
                       "move_arm(arm(left), to(reach('cube#2')))", NULL, 3, 4, "failed");
    failure(&c->s, reach, 4, "manipulation_pose_unreachable", "in the way: cupboard", blocker, 0);
}

// cube_2 is within a cupboard whose two doors stand side by side before it, at x - 0.21 m; the
// cupboard's middle lies `beside` the cube. Somebody opens the left door at 1 s, whose leaf stands
// at the cupboard's side then; or both are shut.
static asking in_a_cupboard(scene *c, double beside, bool left_open) {
    *c = set_up("[within(cube_2, place_1)]", "failed", 8);
    resting(c);
    int64_t cupboard = synthetic_object(&c->s, "cupboard", "body", "cupboard", 0, true, 0);
    synthetic_box(&c->s, cupboard, 0.4, 0.8, 0.6, 0);
    synthetic_pose(&c->s, cupboard, 0, -0.3, beside, 0.75, 0);
    for (int right = 0; right < 2; right++) {
        int64_t door = synthetic_object(&c->s, right ? "right_door" : "left_door", "body", "door",
                                        0, false, 1);
        int64_t hinge = synthetic_joint(&c->s, right ? "right_hinge" : "left_hinge", door, cupboard,
                                        "hinge", 1.6);
        double y = beside + (right ? -0.2 : 0.2);
        synthetic_box(&c->s, door, 0.02, 0.4, 0.6, 0);
        synthetic_pose(&c->s, door, 0, -0.51, y, 0.75, 0);
        synthetic_position(&c->s, hinge, 0, 0);
        if (left_open && !right) {
            synthetic_pose(&c->s, door, 1, -0.51, y, 0.75, 0);
            synthetic_pose(&c->s, door, 1.5, -0.7, y + 0.4, 0.75, 0);
            synthetic_position(&c->s, hinge, 1, 0);
            synthetic_position(&c->s, hinge, 1.5, 1.57);
        }
    }
    reach_is_barred(c, cupboard);
    return finish(c, 10);
}

static void of_two_doors_the_one_is_shut_that_the_thing_lies_behind(void **state) {
    (void)state;
    for (int right = 0; right < 2; right++) {
        scene c;
        asking q = in_a_cupboard(&c, right ? 0.2 : -0.2, false);
        assert_int_equal(asking_count(&q, "lies_behind(T, D, At)."), 1);
        yes(&q, right ? "lies_behind(_T, right_door, 4.0)." : "lies_behind(_T, left_door, 4.0).");
        yes(&q, right ? "flaw_root(missing_precondition(_T, open(right_door), right_door, _S))."
                      : "flaw_root(missing_precondition(_T, open(left_door), left_door, _S)).");
        leave(&c, &q);
    }
}

static void behind_an_open_door_the_shut_one_beside_it_is_missing_nothing(void **state) {
    (void)state;
    scene c;
    asking q = in_a_cupboard(&c, -0.2, true);
    assert_int_equal(asking_count(&q, "lies_behind(T, D, At)."), 1);
    yes(&q, "lies_behind(_T, left_door, 4.0).");
    no(&q, "flaw(missing_precondition(_T, _P, _O, _S)).");
    leave(&c, &q);
    q = in_a_cupboard(&c, 0.2, true);
    yes(&q, "flaw_root(missing_precondition(_T, open(right_door), right_door, _S)).");
    leave(&c, &q);
}

// cube_2 is above one of two drawers that stand side by side in a chest. Somebody pulls the left
// one out at 1 s, by 0.15 m, and the cube comes with it where it is in that one.
static asking in_a_chest(scene *c, bool right) {
    *c = set_up("[within(cube_2, place_1)]", "failed", 8);
    synthetic_stand(&c->s, c->s.table, c->one, 0, -1, CUBE_WEIGHT);
    int64_t chest = synthetic_object(&c->s, "chest", "body", "chest", 0, true, 0);
    double beside = right ? 0.2 : -0.2;
    synthetic_box(&c->s, chest, 0.4, 0.8, 0.6, 0);
    synthetic_pose(&c->s, chest, 0, -0.3, beside, 0.75, 0);
    for (int i = 0; i < 2; i++) {
        int64_t drawer = synthetic_object(&c->s, i ? "right_drawer" : "left_drawer", "body",
                                          "drawer", 0, false, 1);
        int64_t slide =
            synthetic_joint(&c->s, i ? "right_slide" : "left_slide", drawer, chest, "slider", 1.6);
        double y = beside + (i ? -0.2 : 0.2);
        synthetic_box(&c->s, drawer, 0.38, 0.38, 0.2, 0);
        synthetic_pose(&c->s, drawer, 0, -0.3, y, 0.75, 0);
        synthetic_position(&c->s, slide, 0, 0);
        if (i == 0) {
            synthetic_pose(&c->s, drawer, 1, -0.3, y, 0.75, 0);
            synthetic_pose(&c->s, drawer, 1.5, -0.45, y, 0.75, 0);
            synthetic_position(&c->s, slide, 1, 0);
            synthetic_position(&c->s, slide, 1.5, 0.15);
        }
    }
    if (!right) {
        synthetic_pose(&c->s, c->two, 1, -0.3, 0, 0.75, 0);
        synthetic_pose(&c->s, c->two, 1.5, -0.45, 0, 0.75, 0);
    }
    reach_is_barred(c, chest);
    return finish(c, 10);
}

static void beside_an_open_drawer_the_shut_one_is_missing_what_lies_in_it_alone(void **state) {
    (void)state;
    scene c;
    asking q = in_a_chest(&c, false);
    yes(&q, "lies_behind(_T, left_drawer, 4.0).");
    no(&q, "flaw(missing_precondition(_T, _P, _O, _S)).");
    leave(&c, &q);
    q = in_a_chest(&c, true);
    yes(&q, "flaw_root(missing_precondition(_T, open(right_drawer), right_drawer, _S)).");
    leave(&c, &q);
}

// ---- clobbered ----------------------------------------------------------------------------------

// cube_1 stands at its place by 3 s. At 5 s the hand pushes it away: in a task that is about
// cube_2, or one that is about cube_1 itself; or a person does. `back`: it is put back at 7 s.
typedef enum ender { ANOTHER_TASK, ITS_OWN_TASK, A_PERSON } ender;

static asking pushed(scene *c, ender who, bool back) {
    *c = set_up("[on(cube_2, table_1)]", "done", 9);
    resting(c);
    synthetic_pose(&c->s, c->one, 5, 0.3, 0, 0.75, 0);
    synthetic_pose(&c->s, c->one, 5.5, 0.3, 0.3, 0.75, 0);
    if (back) {
        synthetic_pose(&c->s, c->one, 7, 0.3, 0.3, 0.75, 0);
        synthetic_pose(&c->s, c->one, 7.5, 0.3, 0, 0.75, 0);
    }
    synthetic_task(&c->s, c->s.top, "achieve", "plan/first", "within('cube#1', place_1)", 1, 3,
                   "done");
    int64_t other = synthetic_task(
        &c->s, c->s.top, "achieve", "plan/second",
        who == ITS_OWN_TASK ? "on('cube#1', table_1)" : "on('cube#2', table_1)", 4, 6, "done");
    int64_t move =
        synthetic_task(&c->s, other, "move_arm", "plan/second/move", NULL, 4.5, 6, "done");
    synthetic_operation(&c->s, move, "move_arm", c->s.hand, NULL, NULL, 4.5, 6);
    note(&c->s, move, "expects", "collision(_, _)");
    if (who != A_PERSON)
        synthetic_contact(&c->s, c->s.finger_1, c->one, 4.98, 5.5, 0.03, 0, 3, 0, 0, 1, 0);
    return finish(c, 10);
}

static void what_another_task_ends_is_clobbered(void **state) {
    (void)state;
    scene c;
    asking q = pushed(&c, ANOTHER_TASK, false);
    yes(&q, "flaw_root(clobbered(_T, _G, cube_1, _X)).");
    yes(&q, "flaw_task(clobbered(_T, _G, _O, _X), T), task_path(T, \"plan/second/move\").");
    yes(&q, "flaw_time(clobbered(_T, _G, _O, _X), S, _E), S > 5, S < 5.5.");
    leave(&c, &q);
}

static void what_its_own_task_a_person_or_nobody_for_good_ends_is_not_clobbered(void **state) {
    (void)state;
    scene c;
    asking q = pushed(&c, ITS_OWN_TASK, false);
    no(&q, "flaw(clobbered(_T, _G, _O, _X)).");
    leave(&c, &q);
    q = pushed(&c, A_PERSON, false);
    no(&q, "flaw(clobbered(_T, _G, _O, _X)).");
    leave(&c, &q);
    q = pushed(&c, ANOTHER_TASK, true);
    no(&q, "flaw(clobbered(_T, _G, _O, _X)).");
    leave(&c, &q);
}

// ---- false_failure ------------------------------------------------------------------------------

static void a_check_that_fails_although_the_goal_is_true_is_a_false_failure(void **state) {
    (void)state;
    for (int there = 0; there < 2; there++) {
        scene c =
            set_up(there ? "[within(cube_1, place_1)]" : "[within(cube_2, place_1)]", "failed", 8);
        resting(&c);
        int64_t serve = synthetic_task(
            &c.s, c.s.top, "seq", "plan/serve",
            there ? "within('cube#1', place_1)" : "within('cube#2', place_1)", 2, 6, "failed");
        int64_t check =
            synthetic_task(&c.s, serve, "fail", "plan/serve/check", NULL, 6, 6, "failed");
        int64_t f = failure(&c.s, check, 6, "goal_not_achieved", "it is not there", 0, 0);
        f = failure(&c.s, serve, 6, "goal_not_achieved", "it is not there", 0, f);
        failure(&c.s, c.s.top, 6, "goal_not_achieved", "it is not there", 0, f);
        asking q = finish(&c, 10);
        if (there) {
            once(&q, "flaw_time(false_failure(_T, _G, _A), S, E).", 1e-6, 6, 6);
            yes(&q, "flaw_root(false_failure(T, _G, _A)), task_path(T, \"plan/serve/check\").");
        } else {
            no(&q, "flaw(false_failure(_T, _G, _A)).");
        }
        leave(&c, &q);
    }
}

// ---- retry_livelock, timed_out ------------------------------------------------------------------

// The gripper closes on nothing, so many times, on the same object or on one after the other.
static asking again_and_again(scene *c, int tries, bool vary) {
    *c = set_up("[object_in_hand(cube_1)]", "failed", 20);
    resting(c);
    int64_t loop =
        synthetic_task(&c->s, c->s.top, "on_failure", "plan/take", NULL, 1, 19, "failed");
    int64_t last = 0;
    for (int i = 0; i < tries; i++) {
        int64_t t =
            synthetic_task(&c->s, loop, "seq", "plan/take/do", NULL, 1 + i, 1.8 + i, "failed");
        int64_t g = synthetic_task(&c->s, t, "close_gripper", "plan/take/do/close", NULL, 1 + i,
                                   1.8 + i, "failed");
        int64_t op = synthetic_operation(&c->s, g, "close_gripper", c->s.hand,
                                         vary && i % 2 ? "cube#2" : "cube#1", NULL, 1 + i, 1.8 + i);
        synthetic_gripper(&c->s, op, "close", 1 + i);
        last = failure(&c->s, g, 1.8 + i, "gripper_closed_completely", "nothing was there", 0, 0);
        last =
            failure(&c->s, t, 1.8 + i, "gripper_closed_completely", "nothing was there", 0, last);
    }
    failure(&c->s, loop, 19, "gripper_closed_completely", "nothing was there", 0, last);
    return finish(c, 22);
}

static void the_same_tried_again_and_again_is_a_livelock(void **state) {
    (void)state;
    scene c;
    asking q = again_and_again(&c, 6, false);
    assert_int_equal(asking_count(&q, "flaw_root(F)."), 1);
    yes(&q, "flaw_root(retry_livelock(_T, gripper_closed_completely, _S)).");
    once(&q, "flaw_time(retry_livelock(_T, _C, _S), S, E).", 1e-6, 1.8, 6.8);
    once(&q, "flaw_evidence(retry_livelock(_T, _C, _S), tries, N).", 1e-6, 6);
    // The misses are the same happening under a more general name.
    yes(&q, "flaw(missed_grasp(_A, _B, _C, _D)).");
    no(&q, "flaw_reported(missed_grasp(_A, _B, _C, _D)).");
    leave(&c, &q);
}

static void a_few_tries_or_different_ones_are_no_livelock(void **state) {
    (void)state;
    scene c;
    asking q = again_and_again(&c, 3, false);
    no(&q, "flaw(retry_livelock(_T, _C, _S)).");
    yes(&q, "flaw_reported(missed_grasp(_A, _B, _C, _D)).");
    leave(&c, &q);
    q = again_and_again(&c, 6, true);
    no(&q, "flaw(retry_livelock(_T, _C, _S)).");
    leave(&c, &q);
}

static void a_deadline_that_passed_is_timed_out_other_failures_are_not(void **state) {
    (void)state;
    for (int late = 0; late < 2; late++) {
        scene c = set_up("[within(cube_2, place_1)]", "failed", 8);
        resting(&c);
        int64_t wait = synthetic_task(&c.s, c.s.top, "wait_for", "plan/wait", NULL, 2, 5, "failed");
        failure(&c.s, wait, 5, late ? "action_timed_out" : "designator_reference_failure",
                "it did not come true", 0, 0);
        asking q = finish(&c, 10);
        if (late)
            once(&q, "flaw_evidence(timed_out(_T, _A), seconds, D).", 1e-6, 3);
        else
            no(&q, "flaw(timed_out(_T, _A)).");
        leave(&c, &q);
    }
}

// ---- stalled ------------------------------------------------------------------------------------

// A drive of 30 s: the base goes on and on, or stands for 15 s in its middle, or for 5 s; or it
// creeps.
static void what_stands_still_while_it_is_to_move_is_stalled(void **state) {
    (void)state;
    static const struct {
        double stands, creeps; // s, m/s
        bool stalled;
    } rows[] = {{0, 0, false}, {5, 0, false}, {15, 0, true}, {15, 0.004, true}, {15, 0.05, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene c = set_up("[within(cube_2, place_1)]", "done", 40);
        resting(&c);
        int64_t go = synthetic_task(&c.s, c.s.top, "navigate", "plan/go", NULL, 2, 32, "done");
        synthetic_operation(&c.s, go, "navigate", c.s.base, NULL, "at(3, 1, 0)", 2, 32);
        double x = rows[i].stands * rows[i].creeps;
        synthetic_pose(&c.s, c.s.base, 2, -1.5, 1, 0, 0);
        synthetic_pose(&c.s, c.s.base, 10, 0, 1, 0, 0);
        synthetic_pose(&c.s, c.s.base, 10 + rows[i].stands, x, 1, 0, 0);
        synthetic_pose(&c.s, c.s.base, 32, x + 3, 1, 0, 0);
        asking q = finish(&c, 45);
        if ((asking_count(&q, "flaw(stalled(_T, robot_base, _S)).") == 1) != rows[i].stalled)
            fail_msg("row %zu", i);
        // It came to its end after all.
        if (rows[i].stalled)
            yes(&q, "flaw_recovered(stalled(_T, robot_base, _S)).");
        leave(&c, &q);
    }
}

// ---- inefficient --------------------------------------------------------------------------------

// The cube is lifted from where it stands and put where it is to be: where it stood already, or
// not.
static void bringing_what_is_there_already_is_inefficient(void **state) {
    (void)state;
    for (int there = 0; there < 2; there++) {
        scene c = set_up("[within(cube_1, place_1)]", "done", 9);
        synthetic_stand(&c.s, c.s.table, c.two, 0, -1, CUBE_WEIGHT);
        double x = there ? 0.3 : 0.0;
        synthetic_stand(&c.s, c.s.table, c.one, 0, 3, CUBE_WEIGHT);
        synthetic_pose(&c.s, c.one, 0, x, 0, 0.75, 0);
        synthetic_hand(&c.s, 0, x, 0, 0.82);
        const double path[4][3] = {{3, x, 0.75}, {4, x, 1.0}, {5, 0.3, 1.0}, {6, 0.3, 0.75}};
        for (int i = 0; i < 4; i++) {
            synthetic_pose(&c.s, c.one, path[i][0], path[i][1], 0, path[i][2], 0);
            synthetic_hand(&c.s, path[i][0], path[i][1], 0, path[i][2] + 0.07);
        }
        synthetic_grasp(&c.s, c.one, 2.5, 6.2, 12);
        synthetic_stand(&c.s, c.s.table, c.one, 6, -1, CUBE_WEIGHT);
        synthetic_task(&c.s, c.s.top, "achieve", "plan/bring", "within('cube#1', place_1)", 2, 8,
                       "done");
        asking q = finish(&c, 10);
        if (there)
            yes(&q, "flaw_root(inefficient(_T, cube_1, again, _S)).");
        else
            no(&q, "flaw(inefficient(_T, _O, _W, _S)).");
        leave(&c, &q);
    }
}

// ---- Roots, consequences, recovery --------------------------------------------------------------

// Flaws of a user's own, so that nothing else takes part: each is a note of the log, by its name.
static const char own_rules[] =
    "flaw(first(T)) :- task_path(T, \"plan/first\").\n"
    "flaw(second(T)) :- task_path(T, \"plan/second\").\n"
    "flaw(third(T)) :- task_path(T, \"plan/third\").\n"
    "flaw_task(first(T), T) :- flaw(first(T)).\n"
    "flaw_task(second(T), T) :- flaw(second(T)).\n"
    "flaw_task(third(T), T) :- flaw(third(T)).\n"
    "flaw_time(first(T), S, E) :- flaw(first(T)), task_start(T, S), task_end(T, E).\n"
    "flaw_time(second(T), S, E) :- flaw(second(T)), task_start(T, S), task_end(T, E).\n"
    "flaw_time(third(T), S, E) :- flaw(third(T)), task_start(T, S), task_end(T, E).\n"
    "flaw_body(first(T), O) :- flaw(first(T)), task_aim(T, G), concerns(G, O, _).\n"
    "flaw_body(second(T), O) :- flaw(second(T)), task_aim(T, G), concerns(G, O, _).\n"
    "flaw_body(third(T), O) :- flaw(third(T)), task_aim(T, G), concerns(G, O, _).\n"
    "may_cause(first, second).\n"
    "may_cause(second, third).\n"
    "may_cause(first, third).\n";

static asking with_own_rules(const scene *c, const char *more) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s", own_rules, more);
    char *rules = testlib_write(c->s.folder, "own.dl", text);
    asking q = {.arena = arena_create()};
    errors list = {0};
    const char *const extra[] = {rules};
    if (ask_open(c->s.path, 0, FORESEE_SOURCE_DIR "/predicates", extra, 1, &q.ask, &list) != OK)
        fail_msg("%s:%d: %s", list.items[0].file, list.items[0].line, list.items[0].text);
    free(rules);
    return q;
}

// Three tasks about these objects, which fail, beginning at these times.
static asking three(scene *c, const char *const objects[3], const double starts[3],
                    const char *more) {
    *c = set_up("[within(cube_2, place_1)]", "failed", 40);
    resting(c);
    static const char *const paths[3] = {"plan/first", "plan/second", "plan/third"};
    for (int i = 0; i < 3; i++) {
        char goal[80];
        snprintf(goal, sizeof goal, "within('%s', place_1)", objects[i]);
        if (starts[i] >= 0)
            synthetic_task(&c->s, c->s.top, "achieve", paths[i], goal, starts[i], starts[i] + 0.2,
                           "failed");
    }
    synthetic_end(&c->s, 42);
    return with_own_rules(c, more);
}

static const char *const same[3] = {"cube#2", "cube#2", "cube#2"};

static void a_chain_of_three_is_told_from_root_to_consequence(void **state) {
    (void)state;
    scene c;
    asking q = three(&c, same, (const double[]){2, 4, 6}, "");
    yes(&q, "flaw_root(first(_)).");
    no(&q, "flaw_root(second(_)).");
    no(&q, "flaw_root(third(_)).");
    yes(&q, "flaw_caused_by(third(_A), second(_B)).");
    no(&q, "flaw_caused_by(third(_A), first(_B)).");
    yes(&q, "chain(first(A), third(C), [first(A), second(B), third(C)]).");
    yes(&q, "chain(first(_A), never_achieved(_B, _C), Path), length(Path, 4).");
    yes(&q,
        "chain_text(first(_A), third(_B), Text), starts_with(Text, \"first(cube_2) at 2.000 s -> "
        "second(cube_2) at 4.000 s -> third\").");
    leave(&c, &q);
}

static void there_is_no_cause_without_a_body_in_common_in_time_and_in_order(void **state) {
    (void)state;
    static const char *const apart[3] = {"cube#1", "cube#2", "cube#2"};
    scene c;
    asking q = three(&c, apart, (const double[]){2, 4, -1}, "");
    no(&q, "flaw_caused_by(second(_A), first(_B)).");
    leave(&c, &q);
    q = three(&c, same, (const double[]){2, 7.3, -1}, "");
    no(&q, "flaw_caused_by(second(_A), first(_B)).");
    leave(&c, &q);
    q = three(&c, same, (const double[]){2, 6.9, -1}, "");
    yes(&q, "flaw_caused_by(second(_A), first(_B)).");
    leave(&c, &q);
    q = three(&c, same, (const double[]){2, 7.3, -1}, "lasting(first).\n");
    yes(&q, "flaw_caused_by(second(_A), first(_B)).");
    leave(&c, &q);
    q = three(&c, same, (const double[]){4, 2, -1}, "");
    no(&q, "flaw_caused_by(second(_A), first(_B)).");
    yes(&q, "flaw_root(second(_)), flaw_root(first(_)).");
    leave(&c, &q);
}

static void of_a_ring_of_causes_at_one_instant_each_stays_a_root(void **state) {
    (void)state;
    scene c;
    asking q = three(&c, same, (const double[]){2, 2, 2}, "");
    yes(&q, "flaw_caused_by(second(_A), first(_B)), flaw_caused_by(third(_C), second(_D)).");
    no(&q, "flaw_root(second(_)).");
    leave(&c, &q);
    q = three(&c, same, (const double[]){2, 2, 2}, "may_cause(third, first).\n");
    yes(&q, "flaw_root(first(_)), flaw_root(second(_)), flaw_root(third(_)).");
    leave(&c, &q);
}

// A slip that began at 2 s, of what the hand had until 7 s.
static const char slip_rules[] =
    "flaw(slipped(T, cube_2, robot_hand, S)) :- task_path(T, \"plan/first\"), task_start(T, S).\n"
    "flaw_time(slipped(T, O, H, S), S, 7) :- flaw(slipped(T, O, H, S)).\n"
    "may_cause(slipped, second).\n";

static void a_slip_bears_on_what_is_put_down_however_long_it_was_held(void **state) {
    (void)state;
    scene c;
    asking q = three(&c, same, (const double[]){2, 7.5, -1}, slip_rules);
    yes(&q, "flaw_caused_by(second(_A), slipped(_B, _C, _D, _E)).");
    leave(&c, &q);
    q = three(&c, same, (const double[]){2, 9.5, -1}, slip_rules);
    no(&q, "flaw_caused_by(second(_A), slipped(_B, _C, _D, _E)).");
    leave(&c, &q);
}

static void of_two_names_for_one_happening_the_more_specific_stands(void **state) {
    (void)state;
    static const char *const apart[3] = {"cube#1", "cube#2", "cube#2"};
    const char *more = "specialises(second, first).\n";
    scene c;
    asking q = three(&c, same, (const double[]){2, 2.4, -1}, more);
    yes(&q, "flaw_superseded(first(_A), second(_B)).");
    no(&q, "flaw_reported(first(_)).");
    yes(&q, "flaw_root(second(_)).");
    no(&q, "flaw_caused_by(_, first(_)).");
    leave(&c, &q);
    q = three(&c, same, (const double[]){2, 3, -1}, more);
    yes(&q, "flaw_reported(first(_)).");
    leave(&c, &q);
    q = three(&c, apart, (const double[]){2, 2.4, -1}, more);
    yes(&q, "flaw_reported(first(_)).");
    leave(&c, &q);
}

// After a first failure the goal of the step above is reached; with `harm` something else came of
// it.
static asking recovered(scene *c, const char *more) {
    *c = set_up("[within(cube_2, place_1)]", "failed", 9);
    resting(c);
    int64_t serve = synthetic_task(&c->s, c->s.top, "achieve", "plan/serve",
                                   "within('cube#1', place_1)", 1, 8, "done");
    synthetic_task(&c->s, serve, "achieve", "plan/first", "within('cube#1', place_1)", 2, 3,
                   "failed");
    synthetic_task(&c->s, serve, "achieve", "plan/second", "within('cube#1', place_1)", 4, 5,
                   "failed");
    synthetic_end(&c->s, 10);
    return with_own_rules(c, more);
}

static void a_flaw_whose_goal_was_reached_later_is_recovered_unless_harm_came_of_it(void **state) {
    (void)state;
    scene c;
    asking q = recovered(&c, "");
    yes(&q, "flaw_recovered(first(_)), flaw_recovered(second(_)).");
    no(&q, "flaw_root(first(_)).");
    leave(&c, &q);
    q = recovered(&c, "irreparable(second).\n");
    no(&q, "flaw_recovered(second(_)).");
    no(&q, "flaw_recovered(first(_)).");
    yes(&q, "flaw_root(first(_)).");
    yes(&q, "flaw_caused_by(second(_A), first(_B)).");
    no(&q, "flaw_root(second(_)).");
    leave(&c, &q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_failed_step_required_and_nothing_saw_to_is_missing),
        cmocka_unit_test(what_is_true_in_the_world_or_was_seen_to_is_not_missing),
        cmocka_unit_test(what_is_seen_to_only_afterwards_is_in_the_wrong_order),
        cmocka_unit_test(a_step_about_what_no_hand_holds_is_a_missing_fetch),
        cmocka_unit_test(a_refused_motion_with_an_empty_hand_lacks_a_full_one),
        cmocka_unit_test(a_closed_drawer_is_missing_an_opening_where_something_is_sought_in_it),
        cmocka_unit_test(of_two_doors_the_one_is_shut_that_the_thing_lies_behind),
        cmocka_unit_test(behind_an_open_door_the_shut_one_beside_it_is_missing_nothing),
        cmocka_unit_test(beside_an_open_drawer_the_shut_one_is_missing_what_lies_in_it_alone),
        cmocka_unit_test(what_another_task_ends_is_clobbered),
        cmocka_unit_test(what_its_own_task_a_person_or_nobody_for_good_ends_is_not_clobbered),
        cmocka_unit_test(a_check_that_fails_although_the_goal_is_true_is_a_false_failure),
        cmocka_unit_test(the_same_tried_again_and_again_is_a_livelock),
        cmocka_unit_test(a_few_tries_or_different_ones_are_no_livelock),
        cmocka_unit_test(a_deadline_that_passed_is_timed_out_other_failures_are_not),
        cmocka_unit_test(what_stands_still_while_it_is_to_move_is_stalled),
        cmocka_unit_test(bringing_what_is_there_already_is_inefficient),
        cmocka_unit_test(a_chain_of_three_is_told_from_root_to_consequence),
        cmocka_unit_test(there_is_no_cause_without_a_body_in_common_in_time_and_in_order),
        cmocka_unit_test(of_a_ring_of_causes_at_one_instant_each_stays_a_root),
        cmocka_unit_test(a_slip_bears_on_what_is_put_down_however_long_it_was_held),
        cmocka_unit_test(of_two_names_for_one_happening_the_more_specific_stands),
        cmocka_unit_test(a_flaw_whose_goal_was_reached_later_is_recovered_unless_harm_came_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
