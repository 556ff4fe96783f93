// tests/predicates/test_flaws_views.c - what goes wrong between two robots, on logs whose answers
// are known.
#include "tests/predicates/asking.h"

// The robot of the scene and another one, bob, of a base alone.
typedef struct scene {
    synthetic s;
    int64_t bob, body, base, plan; // bob as an agent, as a whole, his base, his plan
} scene;

// Runs `what` as bob's.
#define AS_BOB(c, what)                                                                            \
    do {                                                                                           \
        int64_t first_ = (c)->s.agent;                                                             \
        (c)->s.agent = (c)->bob;                                                                   \
        what;                                                                                      \
        (c)->s.agent = first_;                                                                     \
    } while (0)

// `goal`: of the first robot's plan.
static scene set_up_for(const char *goal) {
    scene c = {.s = synthetic_begin()};
    c.body = synthetic_object(&c.s, "bob", "robot", NULL, 0, false, 0);
    c.base = synthetic_object(&c.s, "bob_base", "base", NULL, c.body, false, 20);
    synthetic_box(&c.s, c.base, 0.5, 0.5, 0.3, 0.2);
    synthetic_pose(&c.s, c.base, 0, 2, 0, 0, 0);
    record agent = {.kind = RECORD_AGENT, .id = sink_id(c.s.sink, RECORD_AGENT)};
    agent.AGENT = (struct record_AGENT){.name = "bob", .object = c.body};
    synthetic_put(&c.s, &agent);
    c.bob = agent.id;
    synthetic_hand(&c.s, 0, -1, 0, 1);
    c.s.top = synthetic_task(&c.s, 0, "seq", "plan", goal, 0, 12, "failed");
    AS_BOB(&c, c.plan = synthetic_task(&c.s, 0, "seq", "his", NULL, 0, 12, "failed"));
    return c;
}

static scene set_up(void) {
    return set_up_for("[within(a(cube), place_1)]");
}

static asking finish(scene *c) {
    synthetic_end(&c->s, 14);
    return asking_open(&c->s);
}

static void leave(scene *c, asking *q) {
    asking_close(q);
    synthetic_remove(&c->s);
}

// ---- robots_collided ----------------------------------------------------------------------------

// The palm comes upon bob's base at 3 s, so fast and with this force.
static asking meeting(scene *c, double approach, double force) {
    *c = set_up();
    int64_t move = synthetic_task(&c->s, c->s.top, "move_arm", "plan/move", NULL, 2, 5, "failed");
    synthetic_operation(&c->s, move, "move_arm", c->s.hand, NULL, NULL, 2, 5);
    synthetic_contact(&c->s, c->s.palm, c->base, 3, 3.4, approach, force, 0, 0, 1, 0, 0);
    return finish(c);
}

static void a_robot_that_hits_another_is_told_from_one_that_touches_it(void **state) {
    (void)state;
    scene c;
    asking q = meeting(&c, 0.4, 60);
    once(&q, "collided_with(robot, bob, T).", 1e-9, 3);
    yes(&q, "flaw(robots_collided(_T, robot_hand, bob, _S)).");
    once(&q, "flaw_evidence(robots_collided(_T, robot_hand, bob, _S), peak_force, F).", 1e-6, 60);
    yes(&q, "flaw_intervention(robots_collided(_T, robot_hand, bob, _S), [ghostly(robot, bob)]).");
    leave(&c, &q);
    q = meeting(&c, 0.01, 1);
    no(&q, "collided_with(_A, _B, _T).");
    no(&q, "flaw(robots_collided(_T, _A, _B, _S)).");
    leave(&c, &q);
}

// ---- waited_for_each_other ----------------------------------------------------------------------

// The first waits from 2 to 9 s, bob from 3 to 10 s; `acts`: bob moves his base meanwhile.
static asking waiting(scene *c, const char *ended, bool acts) {
    *c = set_up();
    synthetic_task(&c->s, c->s.top, "wait_for", "plan/wait", NULL, 2, 9, ended);
    AS_BOB(c, synthetic_task(&c->s, c->plan, "wait_for", "his/wait", NULL, 3, 10, "failed"));
    if (acts) {
        int64_t drive;
        AS_BOB(c, drive = synthetic_task(&c->s, c->plan, "navigate", "his/go", NULL, 5, 6, "done"));
        synthetic_operation(&c->s, drive, "navigate", c->base, NULL, NULL, 5, 6);
    }
    return finish(c);
}

static void two_robots_that_wait_in_vain_waited_for_each_other(void **state) {
    (void)state;
    scene c;
    asking q = waiting(&c, "failed", false);
    once(&q, "flaw(waited_for_each_other(_T, _U, S)).", 1e-9, 3);
    yes(&q, "flaw_intervention(waited_for_each_other(_T, _U, _S), share_all).");
    no(&q, "flaw_intervention(waited_for_each_other(_T, _U, _S), no_loss).");
    leave(&c, &q);
    q = waiting(&c, "done", false); // what the first waited for came
    no(&q, "flaw(waited_for_each_other(_T, _U, _S)).");
    leave(&c, &q);
    q = waiting(&c, "failed", true);
    no(&q, "flaw(waited_for_each_other(_T, _U, _S)).");
    leave(&c, &q);
}

// ---- contradicting_reports ----------------------------------------------------------------------

// Both have seen a cube at 4 s, the first where it is and bob so far from there, and each hears of
// the other at 5 s. `moves`: somebody has moved the cube by as much meanwhile.
static asking reporting(scene *c, double distance, double sigma, bool moves) {
    char value[120];
    *c = set_up();
    int64_t cube = synthetic_cube(&c->s, "cube_1", 0.3, 0, 0.75);
    synthetic_pose(&c->s, cube, 4.2, 0.3, 0, 0.75, 0);
    if (moves)
        synthetic_pose(&c->s, cube, 4.4, 0.3 - distance, 0, 0.75, 0);
    synthetic_stand(&c->s, c->s.table, cube, 0, -1, CUBE_WEIGHT);
    int64_t mine = synthetic_believed(&c->s, "cube#1", cube, "cube", 0), his;
    synthetic_frame(&c->s, mine, "map", "at", 4, 0.3, 0, 0.75);
    synthetic_frame(&c->s, mine, "map", "at", 5, 0.3 - distance, 0, 0.75);
    snprintf(value, sizeof value, "residual(camera, map, 'cube#1', %.3f, 0.02, %.3f, 4)", distance,
             sigma);
    synthetic_variable(&c->s, "ViewResidual", value, 5);
    snprintf(value, sizeof value, "residual(camera, map, 'cube#7', %.3f, 0.02, %.3f, 4)", distance,
             sigma);
    AS_BOB(c, {
        his = synthetic_believed(&c->s, "cube#7", cube, "cube", 0);
        synthetic_frame(&c->s, his, "map", "at", 4, 0.3 - distance, 0, 0.75);
        synthetic_frame(&c->s, his, "map", "at", 5.1, 0.3, 0, 0.75);
        synthetic_variable(&c->s, "ViewResidual", value, 5.1);
    });
    return finish(c);
}

static void reports_that_are_too_far_apart_are_blamed_on_who_saw_it_wrong(void **state) {
    (void)state;
    scene c;
    asking q = reporting(&c, 0.08, 0.01, false);
    once(&q, "view_residual(bob, camera, map, 'cube#7', D, 0.02, T).", 1e-9, 0.08, 5.1);
    once(&q, "flaw(contradicting_reports(_T, cube_1, camera, S)).", 1e-9, 5.1);
    yes(&q, "flaw(contradicting_reports(T, cube_1, _X, _S)), task_agent(T, bob).");
    once(&q, "flaw_evidence(contradicting_reports(_T, _O, _X, _S), earlier_error, E).", 1e-3, 0.08);
    once(&q, "flaw_evidence(contradicting_reports(_T, _O, _X, _S), later_error, E).", 1e-3, 0);
    no(&q, "flaw(contradicting_observations(_T, _A, _X, _S)).");
    leave(&c, &q);
    const struct {
        double distance, sigma;
        bool moves;
    } harmless[] = {{0.04, 0.005, false}, {0.08, 0.02, false}, {0.08, 0.01, true}};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        q = reporting(&c, harmless[i].distance, harmless[i].sigma, harmless[i].moves);
        yes(&q, "view_residual(robot, camera, map, 'cube#1', _D, _A, _T).");
        no(&q, "flaw(contradicting_reports(_T, _O, _X, _S)).");
        leave(&c, &q);
    }
}

// ---- inconsistent_views, message_lost
// ------------------------------------------------------------

// A cube that both know goes from 0.3 to -0.3 at 2 s. Bob believes so at once; the first robot
// believes the old place, and reaches for it at 5 s. Bob's message at 2.4 s is lost; one that he
// sends at 4 s arrives where `told`, of a place that the first does not believe.
static asking parting(scene *c, bool told) {
    *c = set_up();
    int64_t cube = synthetic_cube(&c->s, "cube_1", 0.3, 0, 0.75);
    synthetic_pose(&c->s, cube, 2, 0.3, 0, 0.75, 0);
    synthetic_pose(&c->s, cube, 2.2, -0.3, 0, 0.75, 0);
    synthetic_stand(&c->s, c->s.table, cube, 0, -1, CUBE_WEIGHT);
    int64_t mine = synthetic_believed(&c->s, "cube#1", cube, "cube", 0), his;
    synthetic_frame(&c->s, mine, "map", "at", 0, 0.3, 0, 0.75);
    AS_BOB(c, {
        his = synthetic_believed(&c->s, "cube#7", cube, "cube", 0);
        synthetic_frame(&c->s, his, "map", "at", 0, 0.3, 0, 0.75);
        synthetic_frame(&c->s, his, "map", "at", 2.2, -0.3, 0, 0.75);
    });
    for (int i = 0; i < 1 + told; i++) {
        record m = {.kind = RECORD_MESSAGE, .id = sink_id(c->s.sink, RECORD_MESSAGE)};
        m.MESSAGE = (struct record_MESSAGE){.sender = c->bob,
                                            .receiver = c->s.agent,
                                            .believed = his,
                                            .kind = "seen",
                                            .stamp_ns = S_TO_NS(i ? 4 : 2.4),
                                            .sent_ns = S_TO_NS(i ? 4 : 2.4),
                                            .x = -0.3,
                                            .z = 0.75,
                                            .qw = 1,
                                            .end_ns = i ? S_TO_NS(4.1) : TIME_OPEN,
                                            .fate = i ? "past" : "lost"};
        synthetic_put(&c->s, &m);
    }
    int64_t reach = synthetic_task(&c->s, c->s.top, "move_arm", "plan/reach", NULL, 5, 7, "failed");
    synthetic_operation(&c->s, reach, "move_arm", c->s.hand, "cube#1", NULL, 5, 7);
    return finish(c);
}

static void a_message_that_is_lost_is_blamed_where_none_came_after_it(void **state) {
    (void)state;
    scene c;
    asking q = parting(&c, false);
    once(&q, "views_differ(robot, bob, cube_1, D, T).", 0.05, 0.6, 2.2);
    yes(&q, "flaw(inconsistent_views(_T, cube_1, bob, 5.0)).");
    once(&q, "untold(bob, robot, cube_1, seen, T).", 1e-9, 2.4);
    once(&q, "flaw(message_lost(_T, cube_1, bob, X)).", 1e-9, 2.4);
    yes(&q, "flaw_intervention(message_lost(_T, _O, _B, _S), no_loss).");
    yes(&q, "flaw_intervention(inconsistent_views(_T, _O, _B, _S), no_loss).");
    no(&q, "flaw_intervention(_F, share_all).");
    leave(&c, &q);
    q = parting(&c, true);
    once(&q, "told(bob, robot, cube_1, seen, T).", 1e-9, 4.1);
    yes(&q, "flaw(inconsistent_views(_T, cube_1, bob, 5.0)).");
    no(&q, "flaw(message_lost(_T, _O, _R, _X)).");
    leave(&c, &q);
}

// ---- only_asserted ------------------------------------------------------------------------------

// The hand holds a cube from 2 s on. The robot, which calls its hand otherwise, asserts at 4 s that
// the cube is in one, which the belief takes for this hand. The plan's goal is not met: the hand
// let go at 8 s.
static asking asserting(scene *c, const char *hand) {
    *c = set_up_for("[object_in_hand(cube_1)]");
    int64_t cube = synthetic_cube(&c->s, "cube_1", 0, 0, 0.75);
    synthetic_hand(&c->s, 0, 0, 0, 0.82);
    synthetic_stand(&c->s, c->s.table, cube, 0, 2, CUBE_WEIGHT);
    synthetic_grasp(&c->s, cube, 2, 8, 10);
    int64_t believed = synthetic_believed(&c->s, "cube#1", cube, "cube", 0);
    int64_t say = synthetic_step(&c->s, c->s.top, "assert", "plan/say",
                                 "assert(object_in_hand('cube#1', my_hand))", NULL, 4, 4, "done");
    record done = {.kind = RECORD_TASK_STATUS, .id = sink_id(c->s.sink, RECORD_TASK_STATUS)};
    done.TASK_STATUS =
        (struct record_TASK_STATUS){.task = say, .t_ns = S_TO_NS(4), .status = "done"};
    synthetic_put(&c->s, &done);
    record f = {.kind = RECORD_BELIEVED_FRAME, .id = sink_id(c->s.sink, RECORD_BELIEVED_FRAME)};
    f.BELIEVED_FRAME = (struct record_BELIEVED_FRAME){.agent = c->s.agent,
                                                      .believed = believed,
                                                      .parent = hand,
                                                      .relation = "held",
                                                      .t = S_TO_NS(4),
                                                      .qw = 1,
                                                      .source = "effect",
                                                      .task = say};
    synthetic_put(&c->s, &f);
    return finish(c);
}

static void a_hand_that_is_asserted_is_the_one_that_holds_the_thing(void **state) {
    (void)state;
    scene c;
    asking q = asserting(&c, "robot_hand");
    yes(&q, "holds_w(object_in_hand(cube_1, robot_hand), 4).");
    yes(&q, "said_so(_T, _G, cube_1, 4.0).");
    no(&q, "flaw(only_asserted(_T, _G, _O, _E)).");
    leave(&c, &q);
    q = asserting(&c, "robot_other_hand");
    yes(&q, "holds_w(object_in_hand(cube_1, robot_hand), 4).");
    yes(&q, "flaw(only_asserted(_T, _G, cube_1, 4.0)).");
    leave(&c, &q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_robot_that_hits_another_is_told_from_one_that_touches_it),
        cmocka_unit_test(reports_that_are_too_far_apart_are_blamed_on_who_saw_it_wrong),
        cmocka_unit_test(a_message_that_is_lost_is_blamed_where_none_came_after_it),
        cmocka_unit_test(a_hand_that_is_asserted_is_the_one_that_holds_the_thing),
        cmocka_unit_test(two_robots_that_wait_in_vain_waited_for_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
