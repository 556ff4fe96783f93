// tests/mind/test_reports.c - what several senses, and several robots, say of where one thing
// stands: which of it is compared, and what is taken to be about one thing.
#include "tests/mind/rig.h"
#include "projector/belief/belief_int.h"

#include <math.h>

static const nanos S = NANOS_PER_SECOND;

// In the air, where nothing beneath it moves it.
static pose at_x(double x) {
    return (pose){{x, 2, 1.3}, {1, 0, 0, 0}};
}

// Three camera frames in a row see a thing there, the last of them at a time.
static void see(rig *r, const char *type, double x, nanos t) {
    belief *b = r->belief;
    error err = {0};
    for (int i = 2; i >= 0; i--) {
        percept p = {sink_id(&r->log.head, RECORD_PERCEPT), type, NULL,
                     pose_mul(pose_inverse(belief_robot(b)), at_x(x))};
        nanos taken = t - i * 20000000;
        reading in = {.kind = READING_CAMERA, .id = 1, .taken = taken, .delivered = taken};
        in.camera.count = 1;
        in.camera.percepts = &p;
        assert_int_equal(belief_read(b, &in, &err), OK);
    }
    assert_int_equal(belief_fuse(b, 7, t, NULL, &err), OK);
    r->t = t;
}

// A robot tells of a thing that it calls by an id of its own. Returns the id of who it is taken to
// be.
static int64_t tell(rig *r, told_kind kind, int64_t teller, const char *type, double x, nanos t) {
    told m = {.kind = kind,
              .teller = teller,
              .believed = 70 + teller,
              .type = type,
              .at = at_x(x),
              .cov = {0.005, 0.005, 0.005, 0.1},
              .stamp = t};
    told_fate fate;
    int64_t became;
    error err = {0};
    nanos now = r->belief->now > t ? r->belief->now : t;
    r->belief->now = now;
    assert_int_equal(belief_hear(r->belief, &m, now, &fate, &became, &err), OK);
    return became;
}

typedef struct residual {
    char sensor[16], name[32];
    double distance, angle, sigma, since;
    int64_t task;
} residual;

// Gives the residuals that were written, at most eight. Returns how many there are.
static size_t residuals(const rig *r, residual *out) {
    size_t count = 0;
    for (size_t i = 0; i < r->log.records.count; i++) {
        const record *k = &r->log.records.items[i];
        if (k->kind != RECORD_VARIABLE || strcmp(k->VARIABLE.name, "ViewResidual") != 0)
            continue;
        assert_true(count < 8);
        residual *o = &out[count++];
        assert_int_equal(sscanf(k->VARIABLE.value,
                                "residual(%15[a-z], map, '%31[^']', %lf, %lf, %lf, %lf)", o->sensor,
                                o->name, &o->distance, &o->angle, &o->sigma, &o->since),
                         6);
        o->task = k->VARIABLE.by;
    }
    return count;
}

static void expect(const residual *r, const char *sensor, double distance, double since) {
    assert_string_equal(r->sensor, sensor);
    if (fabs(r->distance - distance) > 1e-4 || fabs(r->since - since) > 1e-3)
        fail_msg("%s: %g m, %g s", sensor, r->distance, r->since);
}

static void what_is_told_is_compared_with_what_was_seen_and_the_other_way_about(void **state) {
    (void)state;
    residual all[8];
    rig *r = rig_create(1, 0);
    see(r, "cup", 1.0, 10 * S);
    assert_int_equal(residuals(r, all), 0);
    int64_t cup = tell(r, TOLD_SEEN, 5, "cup", 1.03, 11 * S);
    assert_int_equal(residuals(r, all), 1);
    expect(&all[0], "camera", 0.03, 10);
    assert_true(all[0].sigma > 0.005 && all[0].sigma < 0.03);
    assert_int_equal(all[0].task, 7); // which had looked
    assert_true(fabs(belief_find(r->belief, all[0].name)->at.p.x - 1.03) < 1e-9);
    assert_int_equal(belief_find(r->belief, all[0].name)->id, cup);
    see(r, "cup", 1.01, 12 * S);
    assert_int_equal(residuals(r, all), 2);
    expect(&all[1], "told", 0.02, 11);
    rig_destroy(r);
}

// The robot has seen the cup since, and believes that; the message says how it was before.
static void a_message_that_comes_late_is_compared_with_what_was_seen_since(void **state) {
    (void)state;
    residual all[8];
    rig *r = rig_create(1, 0);
    see(r, "cup", 1.0, 10 * S);
    tell(r, TOLD_SEEN, 5, "cup", 1.04, 9 * S);
    assert_int_equal(residuals(r, all), 1);
    expect(&all[0], "told", 0.04, 9);
    assert_true(fabs(belief_find(r->belief, all[0].name)->at.p.x - 1.0) < 1e-9);
    rig_destroy(r);
}

static void two_tellers_are_two_sources_and_one_is_none_against_itself(void **state) {
    (void)state;
    residual all[8];
    rig *r = rig_create(1, 0);
    int64_t first = tell(r, TOLD_SEEN, 5, "cup", 1.0, 10 * S);
    assert_int_equal(tell(r, TOLD_SEEN, 5, "cup", 1.2, 11 * S), first);
    assert_int_equal(residuals(r, all), 0);
    assert_int_equal(tell(r, TOLD_SEEN, 6, "cup", 1.25, 12 * S), first);
    assert_int_equal(residuals(r, all), 1);
    expect(&all[0], "told", 0.05, 11);
    // Of three sources the two earlier ones are compared with the latest.
    see(r, "cup", 1.23, 13 * S);
    assert_int_equal(residuals(r, all), 3);
    expect(&all[1], "told", 0.03, 11);
    expect(&all[2], "told", 0.02, 12);
    rig_destroy(r);
}

static void take(rig *r, const char *name) {
    char text[120];
    error err = {0};
    belief *b = r->belief;
    pose in_hand = pose_mul(pose_inverse(belief_tool(b, 0)), belief_find(b, name)->at);
    snprintf(text, sizeof text, "object_in_hand('%s', %s)", name, r->robot->arms[0].gripper.name);
    assert_int_equal(belief_note_grasp(b, 0, name, in_hand, 0.03), OK);
    assert_int_equal(belief_assert(b, rig_term(r, text), 0, r->t, &err), OK);
}

static void open_hand(rig *r) {
    reading open = {.kind = READING_GRIPPER, .taken = r->t, .delivered = r->t};
    open.gripper.opening = 0.08;
    error err = {0};
    assert_int_equal(belief_read(r->belief, &open, &err), OK);
}

// Whatever happens to the cup between two reports, they say nothing of one another then.
static void what_was_moved_in_between_is_not_compared(void **state) {
    (void)state;
    enum { NOTHING, OWN_HAND, OTHER_HAND, PUT_THERE, MISSED, LONG_AGO, HAPPENINGS };
    for (int what = NOTHING; what < HAPPENINGS; what++) {
        residual all[8];
        rig *r = rig_create(1, 0);
        see(r, "cup", 1.0, 10 * S);
        if (what == OWN_HAND) {
            r->t = r->belief->now = 11 * S;
            take(r, "cup#1");
            r->t = r->belief->now = 12 * S;
            open_hand(r);
        }
        if (what == OTHER_HAND)
            tell(r, TOLD_HELD, 5, "cup", 1.0, 11 * S);
        if (what == MISSED) // by the other one, which looked where it was
            tell(r, TOLD_MISSING, 5, "cup", 1.0, 11 * S);
        tell(r, what == PUT_THERE ? TOLD_PUT : TOLD_SEEN, 5, "cup", 1.02,
             what == LONG_AGO ? 26 * S : 13 * S);
        if (residuals(r, all) != (what == NOTHING))
            fail_msg("happening %d: %zu residuals", what, residuals(r, all));
        // What was put there and is seen there is.
        see(r, "cup", 1.04, 27 * S);
        assert_int_equal(residuals(r, all), 1 + (what == NOTHING));
        expect(&all[what == NOTHING], "told", 0.02, what == LONG_AGO ? 26 : 13);
        rig_destroy(r);
    }
}

static void what_stands_on_what_a_hand_moves_is_moved_with_it(void **state) {
    (void)state;
    for (int moved = 0; moved < 2; moved++) {
        residual all[8];
        rig *r = rig_create(1, 0);
        belief *b = r->belief;
        see(r, "plate", 1.0, 10 * S);
        see(r, "cup", 1.01, 11 * S);
        size_t cup = belief_index(b, "cup#1"), plate = belief_index(b, "plate#1");
        belief_hang(b, cup, HANG_OBJECT, plate, "on", b->objects.items[cup].seen.at,
                    b->objects.items[cup].cov);
        if (moved) {
            r->t = b->now = 12 * S;
            take(r, "plate#1");
            open_hand(r);
        }
        tell(r, TOLD_SEEN, 5, "cup", 1.02, 13 * S);
        assert_int_equal(residuals(r, all), !moved);
        rig_destroy(r);
    }
}

// What lies in a drawer is moved with it; of what stands elsewhere a drawer's motion says nothing.
static void a_drawer_moves_what_lies_in_it_and_nothing_else(void **state) {
    (void)state;
    for (int inside = 0; inside < 2; inside++) {
        residual all[8];
        rig *r = rig_create_in("examples/worlds/cupboard.yaml", 1, 0);
        belief *b = r->belief;
        error err = {0};
        size_t joint = 0;
        while (joint < b->known->joint_count && b->known->joints[joint].kind != WORLD_SLIDER)
            joint++;
        assert_true(joint < b->known->joint_count);
        see(r, "cup", 1.0, 10 * S);
        size_t cup = belief_index(b, "cup#1");
        belief_hang(b, cup, HANG_OBJECT, inside ? b->known->joints[joint].body : 0, "in",
                    b->objects.items[cup].seen.at, b->objects.items[cup].cov);
        r->t = b->now = 11 * S;
        assert_int_equal(belief_note_joint(b, joint, 0.02, 0, r->t, &err), OK);
        tell(r, TOLD_SEEN, 5, "cup", b->objects.items[cup].seen.at.p.x, 12 * S);
        assert_int_equal(residuals(r, all), !inside);
        rig_destroy(r);
    }
}

// The camera has seen the cup, and then the laser's driver finds a pole: its place in the plane is
// compared, and its height is not.
static void what_the_laser_finds_is_compared_with_what_was_seen(void **state) {
    (void)state;
    for (int goes = 0; goes < 2; goes++) {
        residual all[8];
        rig *r = rig_create(1, 0);
        belief *b = r->belief;
        error err = {0};
        see(r, "cup", 1.0, 10 * S);
        pole_sought sought = {.type = "cup", .at = at_x(1.0)};
        sought.at.p.z = 1.1;
        assert_int_equal(belief_follow_pole(b, &sought, &err), OK);
        for (int i = 1; i <= 40; i++) {
            pose where = at_x(i > 20 && goes ? 1.12 : 1.02);
            where.p.z = 1.1;
            percept found = {
                .id = 9, .type = "cup", .at = pose_mul(pose_inverse(belief_robot(b)), where)};
            r->t = 10 * S + i * 20000000;
            reading still = {.kind = READING_ODOMETRY, .taken = r->t, .delivered = r->t};
            assert_int_equal(belief_read(b, &still, &err), OK);
            reading scan = {.kind = READING_LASER, .taken = r->t, .delivered = r->t};
            scan.laser.pole = &found;
            assert_int_equal(belief_read(b, &scan, &err), OK);
            belief_pole_move(b, r->t);
            assert_int_equal(belief_cycle(b, r->t, &err), OK);
        }
        assert_int_equal(residuals(r, all), 1);
        expect(&all[0], "camera", 0.02, 10);
        assert_int_equal(belief_leave_pole(b, 0, r->t, &err), OK);
        // The laser saw it go: what was found before is not where the camera sees it now.
        see(r, "cup", goes ? 1.12 : 1.01, 11 * S);
        assert_int_equal(residuals(r, all), goes ? 1 : 2);
        if (!goes)
            expect(&all[1], "laser", 0.01, 10.06);
        rig_destroy(r);
    }
}

// Beside a plate there is no room for another within its width; a cup so far away is another one.
static void what_is_told_where_there_is_no_room_for_another_is_the_same_thing(void **state) {
    (void)state;
    residual all[8];
    rig *r = rig_create(1, 0);
    see(r, "plate", 1.0, 10 * S);
    see(r, "cup", 2.0, 11 * S);
    int64_t plate = tell(r, TOLD_SEEN, 5, "plate", 1.15, 12 * S);
    assert_int_equal(plate, belief_find(r->belief, "plate#1")->id);
    assert_int_equal(residuals(r, all), 1);
    expect(&all[0], "camera", 0.15, 10);
    int64_t cup = tell(r, TOLD_SEEN, 6, "cup", 2.15, 13 * S);
    assert_true(cup != belief_find(r->belief, "cup#1")->id);
    assert_int_equal(residuals(r, all), 1);
    // The camera, too, takes it for the plate that is told of.
    size_t objects = belief_object_count(r->belief);
    see(r, "plate", 1.0, 13 * S + S / 2);
    assert_int_equal(belief_object_count(r->belief), objects);
    assert_int_equal(residuals(r, all), 2);
    expect(&all[1], "told", 0.15, 12);
    // A plate on top of the plate is another one, too.
    pose above = at_x(1.0);
    above.p.z += 0.2;
    told m = {.kind = TOLD_SEEN,
              .teller = 6,
              .believed = 99,
              .type = "plate",
              .at = above,
              .cov = {0.005, 0.005, 0.005, 0.1},
              .stamp = 14 * S};
    told_fate fate;
    int64_t other;
    error err = {0};
    assert_int_equal(belief_hear(r->belief, &m, 14 * S, &fate, &other, &err), OK);
    assert_true(other != plate);
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_told_is_compared_with_what_was_seen_and_the_other_way_about),
        cmocka_unit_test(a_message_that_comes_late_is_compared_with_what_was_seen_since),
        cmocka_unit_test(two_tellers_are_two_sources_and_one_is_none_against_itself),
        cmocka_unit_test(what_was_moved_in_between_is_not_compared),
        cmocka_unit_test(what_stands_on_what_a_hand_moves_is_moved_with_it),
        cmocka_unit_test(a_drawer_moves_what_lies_in_it_and_nothing_else),
        cmocka_unit_test(what_the_laser_finds_is_compared_with_what_was_seen),
        cmocka_unit_test(what_is_told_where_there_is_no_room_for_another_is_the_same_thing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
