// tests/mind/test_view_things.c - things in a robot's view: what tells the pose of each, by which
// cycle, and that view and belief say the same of where they are.
#include "tests/mind/rig.h"
#include "projector/belief/belief_int.h"

#include <math.h>

static const believed *thing(const rig *r, const char *name) {
    size_t i = belief_index(r->belief, name);
    assert_true(i < r->belief->objects.count);
    return &r->belief->objects.items[i];
}

// Of each thing that the view knows in the map the belief has the same place. Returns how many
// there are.
static size_t agree(const rig *r) {
    const belief *b = r->belief;
    size_t known = 0;
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *o = &b->objects.items[i];
        motion m;
        if (!graph_pose(b->view.graph, b->view.map, o->frame, b->now, &m)) {
            if (o->seen.confirmed)
                fail_msg("%s is believed in, and the view does not know where", o->seen.name);
            continue;
        }
        known++;
        if (v3_distance(m.at.p, o->seen.at.p) > 1e-6 || quat_angle(m.at.q, o->seen.at.q) > 1e-6)
            fail_msg("%s: the view has it %g m from where it is believed", o->seen.name,
                     v3_distance(m.at.p, o->seen.at.p));
    }
    return known;
}

// What the camera saw without noise is, by the view, where it truly is. Returns how much that is.
static size_t agree_with_truth(const rig *r) {
    const belief *b = r->belief;
    size_t seen = 0;
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *o = &b->objects.items[i];
        motion m;
        if (o->seen.known || !o->seen.confirmed)
            continue;
        pose truth = r->objects[rig_body_of(r, &o->seen)];
        assert_true(graph_pose(b->view.graph, b->view.map, o->frame, b->now, &m));
        if (v3_distance(m.at.p, truth.p) > 0.005)
            fail_msg("%s: the view has it %g m from where it is", o->seen.name,
                     v3_distance(m.at.p, truth.p));
        seen++;
    }
    return seen;
}

// The one relation of a thing to what it hangs on.
static graph_relation relation_of(const rig *r, const char *name) {
    const graph *g = r->belief->view.graph;
    graph_relation found = {0};
    for (size_t i = 0; i < graph_relation_count(g); i++)
        if (graph_relation_at(g, i).b == thing(r, name)->frame) {
            assert_int_equal(found.id, GRAPH_NONE);
            found = graph_relation_at(g, i);
        }
    assert_int_not_equal(found.id, GRAPH_NONE);
    return found;
}

// One estimate tells the pose of a thing, by this sensor and cycle; NULL: none does.
static void expect_told(const rig *r, const char *name, const char *sensor, const char *cycle) {
    graph *g = r->belief->view.graph;
    const estimate *all;
    size_t count = graph_estimates(g, &all), found = 0;
    for (size_t i = 0; i < count; i++)
        if (all[i].to == thing(r, name)->frame) {
            found++;
            assert_non_null(sensor);
            assert_string_equal(all[i].sensor, sensor);
            assert_string_equal(graph_cycle(g, i), cycle);
            assert_int_equal(all[i].run[all[i].run_count - 1], relation_of(r, name).id);
        }
    assert_int_equal(found, sensor != NULL);
    agree(r);
}

static void feel(rig *r, double opening) {
    r->t += 20000000;
    reading g = {.kind = READING_GRIPPER, .taken = r->t, .delivered = r->t};
    g.gripper.opening = opening;
    error err = {0};
    assert_int_equal(belief_read(r->belief, &g, &err), OK);
}

// The hand feels the thing so far from where it was seen.
static const vec3 SHIFT = {0.01, 0.02, 0};

static void grasp(rig *r, const char *name) {
    char text[120];
    error err = {0};
    const char *hand = r->robot->arms[0].gripper.name;
    pose in_hand = pose_mul(pose_inverse(belief_tool(r->belief, 0)), thing(r, name)->seen.at);
    in_hand.p = v3_add(in_hand.p, SHIFT);
    snprintf(text, sizeof text, "object_in_hand('%s', %s)", name, hand);
    assert_int_equal(belief_note_grasp(r->belief, 0, name, in_hand, 0.03), OK);
    assert_int_equal(belief_assert(r->belief, rig_term(r, text), 0, r->t, &err), OK);
}

static rig *at_counter(void) {
    rig *r = rig_create(1, 0);
    rig_do(r, "navigate", "to", "view(on(counter_1))", NULL);
    rig_do(r, "look_at", "at", "on(counter_1)", NULL);
    rig_do(r, "detect", NULL);
    return r;
}

static void the_camera_estimates_a_placement_on_the_table_and_the_hand_that_in_it(void **state) {
    (void)state;
    rig *r = at_counter();
    char cycle[160];
    error err = {0};
    const char *hand = r->robot->arms[0].gripper.name;
    assert_true(agree(r) > 10); // furniture, too
    assert_true(agree_with_truth(r) > 3);
    expect_told(r, "cup#1", "camera", "robot = start = map = floor = counter_1 ~ cup#1");
    graph_relation on_table = relation_of(r, "cup#1");
    assert_int_equal(on_table.kind, CONNECTION_PLACEMENT);
    vec3 seen = thing(r, "cup#1")->seen.at.p;
    grasp(r, "cup#1");
    snprintf(cycle, sizeof cycle, "%s ~ cup#1", hand);
    expect_told(r, "cup#1", "hand", cycle);
    graph_id observation = thing(r, "cup#1")->observation;
    assert_true(relation_of(r, "cup#1").id != on_table.id);
    // The value is what the grasp says, not what the camera saw before.
    motion now;
    graph *g = r->belief->view.graph;
    assert_true(graph_pose(g, r->belief->view.map, thing(r, "cup#1")->frame, r->t, &now));
    assert_true(fabs(v3_distance(now.at.p, seen) - v3_length(SHIFT)) < 1e-6);
    reading drive = {.kind = READING_ODOMETRY, .taken = r->t + 1, .delivered = r->t + 1};
    reading turn = drive;
    drive.odometry.dx = -0.4;
    turn.odometry.dyaw = 0.7;
    turn.taken = turn.delivered = r->t + 2;
    vec3 before = thing(r, "cup#1")->seen.at.p;
    assert_int_equal(belief_read(r->belief, &drive, &err), OK);
    assert_int_equal(belief_read(r->belief, &turn, &err), OK);
    assert_true(v3_distance(before, thing(r, "cup#1")->seen.at.p) > 0.3); // the cup goes along
    expect_told(r, "cup#1", "hand", cycle);
    // Where the hand lets it go is what the hand tells, until the camera sees it again.
    feel(r, 0.08);
    snprintf(cycle, sizeof cycle, "%s = robot = start = map%s ~ cup#1", hand,
             thing(r, "cup#1")->hang == HANG_MAP ? "" : " = floor");
    expect_told(r, "cup#1", "hand", cycle);
    assert_int_equal(thing(r, "cup#1")->observation, observation); // the same one
    rig_destroy(r);
}

static void nothing_tells_where_a_lost_thing_is(void **state) {
    (void)state;
    rig *r = at_counter();
    motion m;
    size_t known = agree(r);
    grasp(r, "cup#1");
    for (int i = 0; i < 5; i++)
        feel(r, 0.001);
    assert_false(thing(r, "cup#1")->seen.confirmed);
    expect_told(r, "cup#1", NULL, NULL);
    assert_false(graph_pose(r->belief->view.graph, r->belief->view.map, thing(r, "cup#1")->frame,
                            r->belief->now, &m));
    assert_int_equal(agree(r), known - 1);
    rig_destroy(r);
}

static void a_lost_thing_that_is_taken_or_put_again_is_told_by_the_hand_or_the_plan(void **state) {
    (void)state;
    rig *r = at_counter();
    char cycle[160];
    error err = {0};
    const char *hand = r->robot->arms[0].gripper.name;
    for (int again = 0; again < 2; again++) {
        grasp(r, "cup#1");
        snprintf(cycle, sizeof cycle, "%s ~ cup#1", hand);
        expect_told(r, "cup#1", "hand", cycle);
        for (int i = 0; i < 5; i++)
            feel(r, 0.001);
        expect_told(r, "cup#1", NULL, NULL);
    }
    assert_int_equal(belief_assert(r->belief, rig_term(r, "on('cup#1', counter_1)"), 0, r->t, &err),
                     OK);
    expect_told(r, "cup#1", "plan", "map = floor = counter_1 ~ cup#1");
    rig_destroy(r);
}

// Puts a cup on a plate and that plate on another, all of them confirmed; the lowest is the first.
static void stack(rig *r, size_t out[3]) {
    belief *b = r->belief;
    error err = {0};
    static const char *const types[] = {"plate", "plate", "cup"};
    vec3 table = belief_find(b, "table_1")->at.p;
    for (size_t k = 0; k < 3; k++) {
        pose at = {{table.x, table.y, 0.8 + 0.05 * (double)k}, {1, 0, 0, 0}};
        covariance cov = {0.01, 0.01, 0.01, 0.1};
        assert_int_equal(belief_new_object(b, types[k], NULL, at, cov, 0, r->t, &out[k], &err), OK);
        b->objects.items[out[k]].seen.confirmed = true;
        belief_hang(b, out[k], k > 0 ? HANG_OBJECT : HANG_MAP, k > 0 ? out[k - 1] : 0, "on", at,
                    cov);
        assert_int_equal(belief_write_frame(b, out[k], "percept", 0, 0, r->t, &err), OK);
    }
}

static const believed *item(const rig *r, size_t i) {
    return &r->belief->objects.items[i];
}

// Nothing is believed of the place of any of a stack, and nobody's hand is believed to have it.
static void expect_lost(const rig *r, const size_t pile[3]) {
    motion m;
    for (int k = 0; k < 3; k++) {
        const believed *o = item(r, pile[k]);
        assert_true(!o->seen.confirmed && o->lost && o->seen.hand < 0 && o->hang == HANG_MAP);
        assert_true(o->seen.cov.x == 1 && !o->seen.support);
        assert_false(
            graph_pose(r->belief->view.graph, r->belief->view.map, o->frame, r->belief->now, &m));
    }
    agree(r);
}

static void what_stands_on_a_thing_follows_it_at_every_level(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/worlds/cupboard.yaml", 1, 0);
    belief *b = r->belief;
    size_t pile[3], joint = 0;
    error err = {0};
    vec3 before[3];
    while (joint < b->known->joint_count && b->known->joints[joint].kind != WORLD_SLIDER)
        joint++;
    assert_true(joint < b->known->joint_count);
    stack(r, pile);
    // The lowest of the pile lies in the drawer, which is drawn.
    belief_hang(b, pile[0], HANG_OBJECT, b->known->joints[joint].body, "in",
                item(r, pile[0])->seen.at, item(r, pile[0])->cov);
    for (int k = 0; k < 3; k++)
        before[k] = item(r, pile[k])->seen.at.p;
    assert_int_equal(belief_note_joint(b, joint, 0.2, 0, r->t, &err), OK);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(v3_distance(item(r, pile[k])->seen.at.p, before[k]) - 0.2) < 1e-9);
    agree(r);
    // A hand that takes the lowest takes all of them, and the others go where the hand goes.
    grasp(r, item(r, pile[0])->seen.name);
    reading drive = {.kind = READING_ODOMETRY, .taken = r->t + 1, .delivered = r->t + 1};
    drive.odometry.dx = -0.4;
    for (int k = 0; k < 3; k++)
        before[k] = item(r, pile[k])->seen.at.p;
    assert_int_equal(belief_read(b, &drive, &err), OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(item(r, pile[k])->seen.hand, 0);
        assert_true(fabs(v3_distance(item(r, pile[k])->seen.at.p, before[k]) - 0.4) < 1e-9);
    }
    agree(r);
    rig_destroy(r);
}

static void what_stands_on_a_thing_that_a_hand_has_lost_is_lost_with_it(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    size_t pile[3];
    stack(r, pile);
    grasp(r, item(r, pile[0])->seen.name);
    for (int k = 0; k < 3; k++)
        assert_int_equal(item(r, pile[k])->seen.hand, 0);
    agree(r);
    for (int i = 0; i < 5; i++)
        feel(r, 0.001);
    expect_lost(r, pile);
    rig_destroy(r);
}

static void what_stands_on_a_thing_that_another_robot_took_is_lost_with_it(void **state) {
    (void)state;
    for (int from_hand = 0; from_hand < 2; from_hand++) {
        rig *r = rig_create(1, 0);
        size_t pile[3];
        error err = {0};
        told_fate fate;
        int64_t became;
        stack(r, pile);
        if (from_hand)
            grasp(r, item(r, pile[0])->seen.name);
        told m = {.kind = TOLD_HELD,
                  .teller = 5,
                  .believed = 77,
                  .type = "plate",
                  .at = item(r, pile[0])->seen.at,
                  .cov = {0.01, 0.01, 0.01, 0.1},
                  .stamp = r->t + 1};
        assert_int_equal(belief_hear(r->belief, &m, r->t + 2, &fate, &became, &err), OK);
        assert_int_equal(fate, from_hand ? FATE_OWN_HAND : FATE_TAKEN);
        assert_true(became == item(r, pile[0])->seen.id);
        if (from_hand) // and opens while the other holds it
            feel(r, 0.08);
        expect_lost(r, pile);
        rig_destroy(r);
    }
}

// Reads a camera frame with a single percept of a cup at a pose of the map.
static void glimpse(rig *r, pose at) {
    percept p = {sink_id(&r->log.head, RECORD_PERCEPT), "cup", NULL,
                 pose_mul(pose_inverse(belief_robot(r->belief)), at)};
    r->t += 20000000;
    reading in = {.kind = READING_CAMERA, .id = 1, .taken = r->t, .delivered = r->t};
    in.camera.count = 1;
    in.camera.percepts = &p;
    error err = {0};
    assert_int_equal(belief_read(r->belief, &in, &err), OK);
}

static void what_was_never_confirmed_is_no_part_of_the_view(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    belief *b = r->belief;
    const graph *g = b->view.graph;
    error err = {0};
    vec3 table = belief_find(b, "table_1")->at.p;
    pose at = {{table.x, table.y, 0.9}, {1, 0, 0, 0}};
    motion m;
    size_t objects = b->objects.count, frames = graph_frame_count(g);
    uint64_t version = graph_version(g);
    for (int i = 0; i < 200; i++) { // a ghost here, a ghost there, and looks that end
        glimpse(r, (pose){v3_add(at.p, v3(0.3 * (i % 20), 0, 0.3 * i)), at.q});
        if (i % 4 == 3)
            assert_int_equal(belief_fuse(b, 0, r->t, NULL, &err), OK);
    }
    assert_true(b->objects.count >= objects + 200);
    assert_true(graph_frame_count(g) == frames && graph_version(g) == version);
    // Each is where it was reported all the same.
    assert_true(v3_distance(thing(r, "cup#1")->seen.at.p, at.p) < 1e-6);
    assert_true(v3_distance(belief_world(b, thing(r, "cup#1")).p, at.p) < 1e-6);
    // Another becomes a part of the view once enough frames have reported it.
    at.p.x += 0.15;
    for (int i = 0; i < 3; i++)
        glimpse(r, at);
    const believed *last = &b->objects.items[b->objects.count - 1];
    char name[32];
    snprintf(name, sizeof name, "%s", last->seen.name);
    assert_int_equal(graph_find(g, name), GRAPH_NONE);
    assert_int_equal(belief_fuse(b, 0, r->t, NULL, &err), OK);
    assert_int_equal(graph_frame_count(g), frames + 1);
    assert_true(graph_pose(b->view.graph, b->view.map, thing(r, name)->frame, b->now, &m));
    assert_true(hypot(m.at.p.x - at.p.x, m.at.p.y - at.p.y) < 1e-6);
    rig_destroy(r);
}

static void another_robots_message_is_an_observation_in_the_map(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    error err = {0};
    told_fate fate;
    int64_t became;
    vec3 table = belief_find(r->belief, "table_1")->at.p;
    told m = {.kind = TOLD_SEEN,
              .teller = 5,
              .believed = 77,
              .type = "cup",
              .at = {{table.x, table.y, 5}, {1, 0, 0, 0}},
              .cov = {0.01, 0.01, 0.01, 0.1},
              .stamp = 1};
    assert_int_equal(belief_hear(r->belief, &m, 2, &fate, &became, &err), OK);
    expect_told(r, "cup#1", "told", "map ~ cup#1");
    m.kind = TOLD_HELD; // it moves, and nobody measures how
    m.stamp = 3;
    assert_int_equal(belief_hear(r->belief, &m, 4, &fate, &became, &err), OK);
    expect_told(r, "cup#1", NULL, NULL);
    rig_destroy(r);
}

static void furniture_is_given_and_a_door_is_told_by_who_sees_or_moves_it(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/worlds/cupboard.yaml", 1, 0);
    belief *b = r->belief;
    error err = {0};
    char cycle[160];
    size_t joint = 0;
    assert_true(b->known->joint_count > 0);
    size_t body = b->known->joints[joint].body;
    const char *name = b->known->bodies[body].name;
    graph_relation door = relation_of(r, name);
    assert_true(door.kind == CONNECTION_DYNAMIC && door.given);
    size_t lasting = 0;
    for (size_t i = 0; i < b->known->body_count; i++)
        if (b->known->bodies[i].fixed) {
            graph_relation own = relation_of(r, b->known->bodies[i].name);
            assert_true(own.kind == CONNECTION_STATIC && own.given);
            lasting++;
        }
    assert_true(lasting > 3);
    assert_int_equal(agree(r), b->objects.count);
    pose in_hand = pose_mul(pose_inverse(belief_tool(b, 0)), b->objects.items[body].seen.at);
    assert_int_equal(belief_note_grasp(b, 0, name, in_hand, 0.03), OK);
    assert_int_equal(belief_note_joint(b, joint, 0.2, 0, r->t, &err), OK);
    snprintf(cycle, sizeof cycle, "%s = robot = start = map ~ %s", r->robot->arms[0].gripper.name,
             name);
    expect_told(r, name, "hand", cycle);
    assert_false(relation_of(r, name).given);
    assert_int_equal(agree(r), b->objects.count);
    assert_int_equal(belief_write_frame(b, body, "percept", 0, 0, r->t, &err), OK);
    snprintf(cycle, sizeof cycle, "robot = start = map ~ %s", name);
    expect_told(r, name, "camera", cycle);
    rig_destroy(r);
}

static void a_frame_that_the_view_lacks_is_refused_by_its_name(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    error err = {0};
    pose at = {{7, 7, 7}, {1, 0, 0, 0}};
    assert_int_equal(belief_frame(r->belief, "table_1", "carl", r->t, &at, NULL, &err), E_INPUT);
    assert_string_equal(err.text, "there is no frame carl in the belief");
    assert_true(at.p.x == 7);
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_camera_estimates_a_placement_on_the_table_and_the_hand_that_in_it),
        cmocka_unit_test(nothing_tells_where_a_lost_thing_is),
        cmocka_unit_test(a_lost_thing_that_is_taken_or_put_again_is_told_by_the_hand_or_the_plan),
        cmocka_unit_test(what_was_never_confirmed_is_no_part_of_the_view),
        cmocka_unit_test(another_robots_message_is_an_observation_in_the_map),
        cmocka_unit_test(a_frame_that_the_view_lacks_is_refused_by_its_name),
        cmocka_unit_test(what_stands_on_a_thing_follows_it_at_every_level),
        cmocka_unit_test(what_stands_on_a_thing_that_a_hand_has_lost_is_lost_with_it),
        cmocka_unit_test(what_stands_on_a_thing_that_another_robot_took_is_lost_with_it),
        cmocka_unit_test(furniture_is_given_and_a_door_is_told_by_who_sees_or_moves_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
