// tests/sense/test_sources.c - each source of noise on its own: turned off or biased it leaves the
// others as they were, to the bit.
#include "tests/sense/readings.h"

static const char SCENE[] = "tests/scenes/sensing.yaml";

static void open_scene(stage *s, uint64_t seed) {
    stage_open_swapped(s, SCENE, seed, NULL, 0, NULL);
}

// ---- Sources apart ------------------------------------------------------------------------------
// Two seconds of everything, the base driving and turning.
static void live(stage *s, readings *k) {
    sense_power(s->senses, COMMAND_CAMERA, true);
    sense_power(s->senses, COMMAND_LASER, true);
    error err = {0};
    sim_set_base(s->sim, 0.1, 0.05, 0.1);
    for (nanos t = 0; t < 2 * NANOS_PER_SECOND; t += 2000000) {
        assert_int_equal(model_step(sim_model(s->sim), t, 2000000, &err), OK);
        assert_int_equal(sense_step(s->senses, t + 2000000, &err), OK);
        reading r;
        while (sense_next(s->senses, t + 2000000, &r))
            readings_keep(k, &r);
    }
}

typedef void (*change_fn)(robot_model *r);
// The same two seconds as the model has it (`a`) and with one thing changed (`b`).
static void compare(change_fn before, change_fn change, readings *a, readings *b) {
    for (int i = 0; i < 2; i++) {
        stage s;
        open_scene(&s, 41);
        if (before)
            before(s.robot);
        if (i == 1 && change)
            change(s.robot);
        live(&s, i == 0 ? a : b);
        stage_close(&s);
    }
}

#define SAME(a, b)                                                                                 \
    ((a).count == (b).count && (a).count > 0 &&                                                    \
     memcmp((a).items, (b).items, (a).count * sizeof *(a).items) == 0)

enum { PERCEPTS = 1, RANGES = 2, JOINTS = 4, HANDS = 8, WAYS = 16, WRENCHES = 32 };
static unsigned differing(const readings *a, const readings *b) {
    unsigned d = 0;
    bool same = a->percepts.count == b->percepts.count && a->percepts.count > 0;
    for (size_t i = 0; same && i < a->percepts.count; i++) {
        const seen_percept *p = &a->percepts.items[i], *q = &b->percepts.items[i];
        same = strcmp(p->type, q->type) == 0 && memcmp(&p->at, &q->at, sizeof p->at) == 0;
    }
    d |= same ? 0 : PERCEPTS;
    d |= SAME(a->ranges, b->ranges) ? 0 : RANGES;
    d |= SAME(a->joints, b->joints) ? 0 : JOINTS;
    d |= SAME(a->hands, b->hands) ? 0 : HANDS;
    d |= SAME(a->ways, b->ways) ? 0 : WAYS;
    d |= SAME(a->wrenches, b->wrenches) ? 0 : WRENCHES;
    return d;
}

static void no_position_noise(robot_model *r) {
    r->camera.position_noise = r->camera.position_noise_per_metre = 0;
}
static void no_beam_noise(robot_model *r) {
    r->laser.noise = 0;
}
static void no_joint_noise(robot_model *r) {
    r->encoder_noise = 0;
}
static void no_hand_noise(robot_model *r) {
    r->touch.opening_noise = 0;
}
static void no_way_noise(robot_model *r) {
    r->odometry_noise = 0;
}
static robot_wrist *wrist_of(robot_model *r, size_t arm) {
    return (robot_wrist *)(uintptr_t)&r->arms[arm].wrist;
}
static void no_wrist_noise(robot_model *r) {
    wrist_of(r, 0)->noise = wrist_of(r, 1)->noise = 0;
}

static void a_sensor_without_noise_leaves_the_noise_of_the_others_as_it_was(void **state) {
    (void)state;
    static const struct {
        change_fn change;
        unsigned differing;
    } rows[] = {{NULL, 0},
                {no_position_noise, PERCEPTS},
                {no_beam_noise, RANGES},
                {no_joint_noise, JOINTS | WRENCHES}, // a wrist's zero comes from the encoders
                {no_hand_noise, HANDS},
                {no_way_noise, WAYS},
                {no_wrist_noise, WRENCHES}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        readings a = {0}, b = {0};
        compare(NULL, rows[i].change, &a, &b);
        assert_int_equal(differing(&a, &b) & ~rows[i].differing, 0);
        if (rows[i].change != no_joint_noise) // whose effect on the wrist may round away
            assert_int_equal(differing(&a, &b), rows[i].differing);
        readings_finish(&a);
        readings_finish(&b);
    }
}

static void much_of_all(robot_model *r) {
    robot_camera *c = &r->camera;
    c->rate = 100;
    c->false_positives = 0.5;
    c->confusion = c->color_confusion = 0.2;
    c->detection_rate = 0.8;
    r->laser.short_share = r->laser.max_share = r->laser.random_share = 0.1;
}
static void no_ghosts(robot_model *r) {
    r->camera.false_positives = 0;
}
static void no_confusion(robot_model *r) {
    r->camera.confusion = 0;
}
static void no_color_confusion(robot_model *r) {
    r->camera.color_confusion = 0;
}
static void no_misses(robot_model *r) {
    r->camera.detection_rate = 1;
}
static void no_turning(robot_model *r) {
    r->camera.angle_noise = 0;
}

static void each_error_of_the_camera_has_draws_of_its_own(void **state) {
    (void)state;
    static const change_fn changes[] = {no_ghosts, no_confusion,      no_color_confusion,
                                        no_misses, no_position_noise, no_turning};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        readings a = {0}, b = {0};
        compare(much_of_all, changes[i], &a, &b);
        // What both report is the same but for what was changed; matched by time and noise.
        size_t matched = 0, types = 0, colors = 0, fewer = 0;
        const readings *less = changes[i] == no_ghosts ? &b : &a;
        const readings *more = less == &a ? &b : &a;
        for (size_t n = 0; n < less->percepts.count; n++) {
            const seen_percept *p = &less->percepts.items[n];
            bool found = false;
            for (size_t m = 0; !found && m < more->percepts.count; m++) {
                const seen_percept *q = &more->percepts.items[m];
                bool place = memcmp(&p->at.p, &q->at.p, sizeof q->at.p) == 0;
                bool turn = memcmp(&p->at.q, &q->at.q, sizeof q->at.q) == 0;
                found = p->taken == q->taken && (changes[i] == no_position_noise ? turn
                                                 : changes[i] == no_turning      ? place
                                                                                 : place && turn);
                if (found) {
                    types += strcmp(p->type, q->type) != 0;
                    colors += strcmp(p->color, q->color) != 0;
                }
            }
            matched += found;
            fewer += !found;
        }
        assert_true(matched > 300);
        assert_true((types > 0) == (changes[i] == no_confusion));
        assert_true((colors > 0) == (changes[i] == no_color_confusion));
        // Ghosts of one seed stand where they stood; they have no noise to take away.
        assert_int_equal(fewer, 0);
        readings_finish(&a);
        readings_finish(&b);
    }
}

static void no_short(robot_model *r) {
    r->laser.short_share = 0;
}
static void no_max(robot_model *r) {
    r->laser.max_share = 0;
}
static void no_random(robot_model *r) {
    r->laser.random_share = 0;
}

static void each_error_of_a_beam_has_draws_of_its_own(void **state) {
    (void)state;
    static const change_fn changes[] = {no_short, no_max, no_random};
    for (size_t i = 0; i < 3; i++) {
        readings a = {0}, b = {0};
        compare(much_of_all, changes[i], &a, &b);
        assert_int_equal(a.ranges.count, b.ranges.count);
        double changed = 0, n = (double)a.ranges.count;
        for (size_t k = 0; k < a.ranges.count; k++)
            changed += !(a.ranges.items[k] == b.ranges.items[k]);
        // A tenth at most: some beams hit nothing whatever they do.
        assert_true(changed > 0.02 * n && changed < 0.11 * n);
        readings_finish(&a);
        readings_finish(&b);
    }
}

static void biased(robot_model *r) {
    r->camera.position_bias = v3(0.03, 0.02, -0.01);
    r->laser.bias = 0.05;
    r->touch.opening_bias = 0.002;
    r->touch.force_bias = 1.5;
    for (size_t i = 0; i < 2; i++) {
        wrist_of(r, i)->bias = 0.7;
        wrist_of(r, i)->torque_bias = 0.03;
    }
}
static void undecided(robot_model *r) {
    no_ghosts(r);
    no_short(r);
    no_max(r);
    no_random(r);
}

static void a_bias_shifts_every_reading_by_itself(void **state) {
    (void)state;
    readings a = {0}, b = {0};
    compare(undecided, biased, &a, &b);
    assert_true(a.percepts.count > 20);
    assert_int_equal(a.percepts.count, b.percepts.count);
    for (size_t i = 0; i < a.percepts.count; i++) {
        // The head looks ahead and 30 degrees down.
        vec3 d = v3_sub(b.percepts.items[i].at.p, a.percepts.items[i].at.p);
        double c = cos(PI / 6), n = sin(PI / 6);
        vec3 want = v3(0.03 * c - 0.01 * n, 0.02, -0.03 * n - 0.01 * c);
        assert_true(v3_distance(d, want) < 1e-3); // the joints sag by no more
        assert_true(fabs(v3_length(d) - v3_length(want)) < 1e-12);
    }
    for (size_t i = 0; i < a.ranges.count; i++)
        assert_true(isinf(a.ranges.items[i]) || isinf(b.ranges.items[i]) ||
                    fabs(b.ranges.items[i] - a.ranges.items[i] - 0.05) < 1e-9);
    for (size_t i = 0; i < a.hands.count; i++)
        assert_true(fabs(b.hands.items[i] - a.hands.items[i] - (i % 2 ? 1.5 : 0.002)) < 1e-9);
    for (size_t i = 0; i < a.wrenches.count; i++)
        assert_true(fabs(b.wrenches.items[i] - a.wrenches.items[i] - (i % 6 < 3 ? 0.7 : 0.03)) <
                    1e-9);
    assert_true(SAME(a.ways, b.ways) && SAME(a.joints, b.joints));
    readings_finish(&a);
    readings_finish(&b);
}

static void biased_joints(robot_model *r) {
    r->encoder_bias = 0.01;
}

static void a_bias_of_the_encoders_shifts_every_joint_by_itself(void **state) {
    (void)state;
    readings a = {0}, b = {0};
    compare(NULL, biased_joints, &a, &b);
    assert_int_equal(a.joints.count, b.joints.count);
    for (size_t i = 0; i < a.joints.count; i++)
        assert_true(fabs(b.joints.items[i] - a.joints.items[i] - 0.01) < 1e-9);
    assert_int_equal(differing(&a, &b), JOINTS | WRENCHES); // they tell the wrist where down is
    readings_finish(&a);
    readings_finish(&b);
}

static void an_angular_bias_turns_every_percept_by_itself(void **state) {
    (void)state;
    readings a = {0}, b = {0};
    stage s;
    for (int i = 0; i < 2; i++) {
        open_scene(&s, 42);
        s.robot->camera.angle_bias = i * 0.1;
        readings_watch(&s, i == 0 ? &a : &b, 50);
        stage_close(&s);
    }
    assert_int_equal(a.percepts.count, b.percepts.count);
    for (size_t i = 0; i < a.percepts.count; i++) {
        pose p = a.percepts.items[i].at, q = b.percepts.items[i].at;
        vec3 turn = quat_log(quat_mul(q.q, quat_inverse(p.q)));
        bool ghost = v3_length(turn) < 1e-9;
        assert_true(ghost || v3_distance(turn, v3(0, 0, 0.1)) < 1e-9);
        assert_true(memcmp(&p.p, &q.p, sizeof p.p) == 0);
    }
    readings_finish(&a);
    readings_finish(&b);
}

// ---- Wrist --------------------------------------------------------------------------------------
static void an_empty_hand_weighs_nothing_however_it_is_held(void **state) {
    (void)state;
    stage s;
    open_scene(&s, 51);
    error err = {0};
    readings k = {0};
    // Turn forearm and wrist of the left arm, then wait for it to come to rest.
    const robot_arm *arm = &s.robot->arms[0];
    double *q = calloc(s.robot->joint_count, sizeof *q);
    memcpy(q, sim_joint_positions(s.sim), s.robot->joint_count * sizeof *q);
    for (nanos t = 0; t < 5 * NANOS_PER_SECOND; t += 2000000) {
        double f = fmin(1, (double)t * 1e-9 / 3);
        if (t % 20000000 == 0) {
            sim_set_joint(s.sim, arm->joints[4], q[arm->joints[4]] + 1.2 * f, 0, 20000000);
            sim_set_joint(s.sim, arm->joints[5], q[arm->joints[5]] - 0.7 * f, 0, 20000000);
        }
        assert_int_equal(model_step(sim_model(s.sim), t, 2000000, &err), OK);
        assert_int_equal(sense_step(s.senses, t + 2000000, &err), OK);
        reading r;
        while (sense_next(s.senses, t + 2000000, &r))
            if (r.kind == READING_WRENCH && r.wrench.arm == 0 && t > 4 * NANOS_PER_SECOND)
                readings_keep(&k, &r);
    }
    double n = (double)k.wrenches.count / 6;
    assert_true(n > 45);
    for (size_t c = 0; c < 6; c++) {
        double sum = 0, noise = c < 3 ? arm->wrist.noise : arm->wrist.torque_noise;
        for (size_t i = c; i < k.wrenches.count; i += 6)
            sum += k.wrenches.items[i];
        assert_true(fabs(sum / n) < 5 * noise / sqrt(n) + (c < 3 ? 0.02 : 0.005));
    }
    free(q);
    readings_finish(&k);
    stage_close(&s);
}

static void a_wrist_weighs_what_its_hand_holds(void **state) {
    (void)state;
    stage s;
    error err = {0};
    stage_open_swapped(&s, "tests/scenes/grip.yaml", 52, NULL, 0, NULL);
    size_t torso = (size_t)s.robot->torso, flange = s.robot->arms[0].flange;
    double top = sim_joint_positions(s.sim)[torso], height = top, n = 0;
    vec3 sum = {0};
    // Down over the box, close, and up again.
    for (nanos t = 0; t < 5 * NANOS_PER_SECOND; t += 2000000) {
        double now = (double)t * 1e-9;
        height = now < 1.2 ? fmax(0.05, top - 0.4 * now) : fmin(0.2, 0.05 + 0.2 * fmax(0, now - 2));
        sim_set_joint(s.sim, torso, height, 0, 2000000);
        if (t == 1300000000)
            sim_set_gripper(s.sim, 0, 0, 15, true);
        assert_int_equal(model_step(sim_model(s.sim), t, 2000000, &err), OK);
        assert_int_equal(sense_step(s.senses, t + 2000000, &err), OK);
        reading r;
        while (sense_next(s.senses, t + 2000000, &r))
            if (r.kind == READING_WRENCH && r.wrench.arm == 0 && now > 4) {
                quat q = sim_pose(s.sim, sim_entity_link(s.sim, flange)).q;
                sum = v3_add(sum, quat_rotate(q, r.wrench.force));
                n++;
            }
    }
    assert_true(sim_pose(s.sim, sim_entity_body(body_named(&s, "box"))).p.z > 0.35);
    vec3 force = v3_scale(sum, 1 / n);
    assert_true(n > 45);
    assert_true(fabs(force.z + 0.4 * 9.81) < 0.1);
    assert_true(hypot(force.x, force.y) < 0.1);
    stage_close(&s);
}

// ---- The whole ----------------------------------------------------------------------------------
static void the_same_seed_reads_the_same_and_another_does_not(void **state) {
    (void)state;
    readings k[3] = {0};
    int64_t rows[3];
    for (int i = 0; i < 3; i++) {
        stage s;
        open_scene(&s, i == 2 ? 62 : 61);
        much_of_all(s.robot);
        live(&s, &k[i]);
        rows[i] = s.log.counts[RECORD_READING] + s.log.counts[RECORD_MISSED];
        stage_close(&s);
    }
    assert_int_equal(differing(&k[0], &k[1]), 0);
    assert_int_equal(rows[0], rows[1]);
    assert_int_equal(differing(&k[0], &k[2]), PERCEPTS | RANGES | JOINTS | HANDS | WAYS | WRENCHES);
    for (int i = 0; i < 3; i++)
        readings_finish(&k[i]);
}

static void what_nobody_can_see_changes_no_reading(void **state) {
    (void)state;
    static const char *const elsewhere[2] = {"behind", "behind"};
    readings k[2] = {0};
    for (int i = 0; i < 2; i++) {
        stage s;
        stage_open_swapped(&s, SCENE, 63, NULL, 0, i == 0 ? NULL : elsewhere);
        much_of_all(s.robot);
        if (i == 1) { // the cup behind the robot is a tray of another colour
            world_body *b = (world_body *)(uintptr_t)&s.world->bodies[body_named(&s, "behind")];
            b->type = world_find_type(s.world, "tray");
            b->color = "pink";
        }
        live(&s, &k[i]);
        stage_close(&s);
    }
    assert_int_equal(differing(&k[0], &k[1]) & ~(unsigned)RANGES, 0);
    readings_finish(&k[0]);
    readings_finish(&k[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sensor_without_noise_leaves_the_noise_of_the_others_as_it_was),
        cmocka_unit_test(each_error_of_the_camera_has_draws_of_its_own),
        cmocka_unit_test(each_error_of_a_beam_has_draws_of_its_own),
        cmocka_unit_test(a_bias_shifts_every_reading_by_itself),
        cmocka_unit_test(a_bias_of_the_encoders_shifts_every_joint_by_itself),
        cmocka_unit_test(an_angular_bias_turns_every_percept_by_itself),
        cmocka_unit_test(an_empty_hand_weighs_nothing_however_it_is_held),
        cmocka_unit_test(a_wrist_weighs_what_its_hand_holds),
        cmocka_unit_test(the_same_seed_reads_the_same_and_another_does_not),
        cmocka_unit_test(what_nobody_can_see_changes_no_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
