// tests/sense/test_model.c - the sensors' error models against what they state, by counting; rates
// and delays.
#include "tests/sense/readings.h"

static const char SCENE[] = "tests/scenes/sensing.yaml";

// Whether a count of events of this probability lies within four sigmas.
static bool likely(double count, double n, double p) {
    return fabs(count - n * p) <= 4 * sqrt(n * p * (1 - p)) + 1e-9;
}

static void open_scene(stage *s, uint64_t seed) {
    stage_open_swapped(s, SCENE, seed, NULL, 0, NULL);
}

static int64_t object_of(const stage *s, const char *name) {
    return s->ids[sim_entity_body(body_named(s, name))];
}

static double reported(const stage *s, const char *name) {
    double n = 0;
    for (size_t i = 0; i < s->log.truths.count; i++)
        n += s->log.truths.items[i].object == object_of(s, name);
    return n;
}

// ---- Camera -------------------------------------------------------------------------------------
static void the_probability_of_a_percept_falls_with_occlusion_and_distance(void **state) {
    (void)state;
    robot_camera c = {.far = 4,
                      .detection_rate = 0.9,
                      .min_visible = 0.1,
                      .full_visible = 0.5,
                      .clear_range = 2,
                      .far_detection = 0.5};
    static const struct {
        double fraction, distance, probability;
        const char *why;
    } rows[] = {
        {1, 1, 0.9, "chance"},   {0.5, 2, 0.9, "chance"},    {0.3, 1, 0.45, "occluded"},
        {0.1, 1, 0, "occluded"}, {0.05, 1, 0, "occluded"},   {1, 3, 0.675, "far"},
        {1, 4, 0.45, "far"},     {1, 9, 0.45, "far"},        {0.3, 4, 0.225, "occluded"},
        {0.42, 4, 0.36, "far"},  {1, 2.1, 0.8775, "chance"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *why;
        double p = camera_detection(&c, rows[i].fraction, rows[i].distance, &why);
        assert_true(fabs(p - rows[i].probability) < 1e-12);
        assert_string_equal(why, rows[i].why);
    }
    c.full_visible = c.min_visible; // a step
    const char *why;
    assert_true(camera_detection(&c, 0.1, 1, &why) == 0.9);
    assert_true(camera_detection(&c, 0.099, 1, &why) == 0);
}

static void bodies_are_reported_as_often_as_the_formula_says(void **state) {
    (void)state;
    static const char *const names[] = {"cup_1", "glass_1", "tray_1", "edge"};
    static const double full[] = {0.2, 0.9}, clear[] = {2.5, 0.5};
    enum { FRAMES = 2000 };
    for (int i = 0; i < 4; i++) {
        stage s;
        open_scene(&s, 11 + (uint64_t)i);
        robot_camera *c = &s.robot->camera;
        c->full_visible = full[i % 2];
        c->clear_range = clear[i / 2];
        c->far_detection = 0.3;
        readings k = {0};
        readings_watch(&s, &k, FRAMES);
        assert_int_equal(k.frames, FRAMES);
        ray_scene rays;
        ray_scene_init(s.world, s.sim, &rays);
        size_t link = sim_entity_link(s.sim, c->link);
        pose eye = pose_mul(sim_pose(s.sim, link), c->at);
        camera_aim(&rays, c, eye, link);
        double total = 0;
        for (size_t n = 0; n < 4; n++) {
            size_t entity = sim_entity_body(body_named(&s, names[n]));
            sighting seen;
            camera_look(&rays, c, eye, entity, &seen);
            const char *why;
            double distance = v3_distance(sim_pose(s.sim, entity).p, eye.p);
            double p = camera_detection(c, seen.fraction, distance, &why);
            double count = reported(&s, names[n]), missed = 0;
            assert_true(likely(count, FRAMES, p));
            // Every frame that does not report it says so, and why.
            for (size_t m = 0; m < s.log.missed.count; m++) {
                const struct record_MISSED *row = &s.log.missed.items[m];
                if (row->object != object_of(&s, names[n]))
                    continue;
                missed++;
                assert_true(row->probability == p && row->fraction == seen.fraction);
                assert_string_equal(row->why, why);
                if (n == 3)
                    assert_int_equal(row->blocker, object_of(&s, "screen"));
            }
            assert_true(count + missed == FRAMES);
            total += p;
        }
        if (i == 3)
            assert_true(total < 3.2); // the formula is put to the test, not its plateau
        assert_true(reported(&s, "hidden") == 0 && reported(&s, "behind") == 0);
        ray_scene_finish(&rays);
        readings_finish(&k);
        stage_close(&s);
    }
}

static void the_six_errors_of_a_pose_have_nothing_to_do_with_each_other(void **state) {
    (void)state;
    stage s;
    open_scene(&s, 23);
    s.robot->camera.false_positives = 0;
    readings k = {0};
    readings_watch(&s, &k, 2000);
    size_t cup = sim_entity_body(body_named(&s, "cup_1"));
    pose truth = pose_mul(pose_inverse(sim_base(s.sim)), sim_pose(s.sim, cup));
    double n = 0, sum[6] = {0}, product[6][6] = {{0}};
    for (size_t i = 0; i < k.percepts.count; i++) {
        if (s.log.truths.items[i].object != s.ids[cup])
            continue;
        pose at = k.percepts.items[i].at;
        vec3 shift = v3_sub(at.p, truth.p), turn = quat_log(quat_mul(at.q, quat_inverse(truth.q)));
        const double v[6] = {shift.x, shift.y, shift.z, turn.x, turn.y, turn.z};
        n++;
        for (int a = 0; a < 6; a++) {
            sum[a] += v[a];
            for (int b = 0; b < 6; b++)
                product[a][b] += v[a] * v[b];
        }
    }
    assert_true(n > 1800);
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < a; b++) {
            double both = product[a][b] / n - sum[a] / n * (sum[b] / n);
            double var_a = product[a][a] / n - sum[a] / n * (sum[a] / n);
            double var_b = product[b][b] / n - sum[b] / n * (sum[b] / n);
            assert_true(fabs(both) < 4 / sqrt(n) * sqrt(var_a * var_b));
        }
    readings_finish(&k);
    stage_close(&s);
}

static void ghosts_come_as_often_as_stated_and_within_the_picture(void **state) {
    (void)state;
    stage s;
    open_scene(&s, 21);
    s.robot->camera.false_positives = 0.5;
    enum { FRAMES = 4000 };
    readings k = {0};
    readings_watch(&s, &k, FRAMES);
    size_t link = sim_entity_link(s.sim, s.robot->camera.link);
    pose eye = pose_mul(pose_inverse(sim_base(s.sim)),
                        pose_mul(sim_pose(s.sim, link), s.robot->camera.at));
    assert_int_equal(k.percepts.count, s.log.truths.count);
    double ghosts = 0, types[3] = {0}, on_desk = 0;
    for (size_t i = 0; i < k.percepts.count; i++) {
        if (s.log.truths.items[i].object != 0)
            continue;
        const seen_percept *p = &k.percepts.items[i];
        vec3 local = pose_apply(pose_inverse(eye), p->at.p);
        assert_true(fabs(local.y) <= local.x * tan(s.robot->camera.fov_x / 2) + 1e-9);
        assert_true(fabs(local.z) <= local.x * tan(s.robot->camera.fov_y / 2) + 1e-9);
        assert_true(local.x >= s.robot->camera.near - 1e-9 &&
                    local.x <= s.robot->camera.far + 1e-9);
        ghosts++;
        on_desk += fabs(p->at.p.z - 0.9) < 1e-6;
        for (int n = 0; n < 3; n++)
            types[n] += strcmp(p->type, s.world->types[n].name) == 0;
    }
    assert_true(fabs(ghosts - 0.5 * FRAMES) < 4 * sqrt(0.5 * FRAMES));
    assert_true(types[0] + types[1] + types[2] == ghosts);
    for (int n = 0; n < 3; n++)
        assert_true(likely(types[n], ghosts, 1.0 / 3));
    assert_true(on_desk > 0.03 * ghosts && on_desk < ghosts);
    readings_finish(&k);
    stage_close(&s);
}

static void things_are_confused_with_what_looks_like_them_and_nothing_else(void **state) {
    (void)state;
    stage s;
    open_scene(&s, 22);
    robot_camera *c = &s.robot->camera;
    c->false_positives = 0;
    c->confusion = 0.1;
    c->color_confusion = 0.2;
    c->color_unknown = 0.05;
    readings k = {0};
    readings_watch(&s, &k, 3000);
    double cups = 0, glasses = 0, recoloured = 0, colourless = 0;
    for (size_t i = 0; i < k.percepts.count; i++) {
        const seen_percept *p = &k.percepts.items[i];
        const struct record_PERCEPT_TRUTH *truth = &s.log.truths.items[i];
        bool tray = truth->object == object_of(&s, "tray_1");
        assert_true(tray == (strcmp(p->type, "tray") == 0));
        if (tray)
            assert_true(!p->color[0] || strcmp(p->color, "green") == 0); // no colour is close to it
        if (truth->object != object_of(&s, "cup_1"))
            continue;
        cups++;
        bool glass = strcmp(p->type, "glass") == 0;
        bool orange = strcmp(p->color, "orange") == 0;
        glasses += glass;
        recoloured += orange;
        colourless += !p->color[0];
        if (p->color[0]) {
            assert_true(orange || strcmp(p->color, "red") == 0);
            assert_true(truth->confused == (glass || orange));
        }
    }
    assert_true(cups > 2500);
    assert_true(likely(glasses, cups, 0.1));
    assert_true(likely(colourless, cups, 0.05));
    assert_true(likely(recoloured, cups, 0.2 * 0.95));
    readings_finish(&k);
    stage_close(&s);
}

// ---- Laser --------------------------------------------------------------------------------------
static void beams_mix_hits_short_ones_missing_ones_and_random_ones(void **state) {
    (void)state;
    robot_laser l = {.min_range = 0.1, .max_range = 8, .noise = 0.02, .bias = 0.005};
    l.short_share = 0.2;
    l.max_share = 0.1;
    l.random_share = 0.15;
    l.short_decay = 1;
    enum { N = 200000 };
    double range = 3, low = range - 0.2, high = range + 0.2;
    double below = 0, above = 0, none = 0, near = 0, sum = 0, square = 0, hits = 0;
    for (uint64_t i = 0; i < N / 400; i++)
        for (int beam = 0; beam < 400; beam++) {
            double z = laser_beam(&l, rng_key_make(3, "laser", "test"), i, beam, range);
            if (isinf(z)) {
                none++;
                continue;
            }
            assert_true(z >= l.min_range - 5e-4 && z <= l.max_range);
            below += z < low;
            near += z < 0.6;
            above += z > high;
            if (fabs(z - range) < 0.1) {
                hits++;
                sum += z;
                square += z * z;
            }
        }
    // Of the short ones: an exponential cut off at the true range.
    double whole = 1 - exp(-(range - 0.1)), to_low = (1 - exp(-(low - 0.1))) / whole;
    double to_near = (1 - exp(-0.5)) / whole, span = 7.9;
    assert_true(likely(none, N, 0.1));
    assert_true(likely(below, N, 0.2 * to_low + 0.15 * (low - 0.1) / span));
    assert_true(likely(near, N, 0.2 * to_near + 0.15 * 0.5 / span));
    assert_true(likely(above, N, 0.15 * (8 - high) / span));
    double mean = sum / hits, sd = sqrt(square / hits - mean * mean);
    assert_true(fabs(mean - (range + l.bias)) < 6e-4); // short and random ones lie among them
    assert_true(fabs(sd / l.noise - 1) < 0.05);
    // Without an echo there is nothing to hit: only short and random beams read a length.
    double read = 0;
    for (uint64_t i = 0; i < N; i++)
        read += isfinite(laser_beam(&l, rng_key_make(3, "laser", "test"), i, 0, INFINITY));
    assert_true(likely(read, N, 0.35));
}

static void each_share_of_beams_keeps_its_place_up_to_a_third(void **state) {
    (void)state;
    robot_laser l = {.short_share = 0.3, .max_share = 0.2, .random_share = 0.1}, other = l;
    other.max_share = 0;
    double counts[4] = {0};
    for (int i = 0; i < 10000; i++) {
        double u = i / 10000.0;
        beam_kind kind = laser_kind(&l, u);
        counts[kind]++;
        assert_int_equal(laser_kind(&other, u), kind == BEAM_MAX ? BEAM_HIT : kind);
    }
    assert_true(fabs(counts[BEAM_SHORT] - 3000) < 2 && fabs(counts[BEAM_MAX] - 2000) < 2 &&
                fabs(counts[BEAM_RANDOM] - 1000) < 2);
    l = (robot_laser){.short_share = 0.6, .max_share = 0.3, .random_share = 0.1};
    memset(counts, 0, sizeof counts);
    for (int i = 0; i < 10000; i++)
        counts[laser_kind(&l, i / 10000.0)]++;
    assert_true(counts[BEAM_HIT] <= 2 && fabs(counts[BEAM_SHORT] - 6000) < 2 &&
                fabs(counts[BEAM_MAX] - 3000) < 2);
}

// ---- Joints, hands and wrists -------------------------------------------------------------------
// Whether every stride-th value from `first` on scatters with this sigma, within four sigmas of its
// estimate and what rounding to `resolution` adds.
static bool scatters(const double *v, size_t count, size_t first, size_t stride, double sigma,
                     double resolution) {
    double n = 0, sum = 0, square = 0;
    for (size_t i = first; i < count; i += stride) {
        n++;
        sum += v[i] - v[first];
        square += (v[i] - v[first]) * (v[i] - v[first]);
    }
    double sd = sqrt(square / n - sum / n * (sum / n));
    double want = sqrt(sigma * sigma + resolution * resolution / 12);
    return n > 300 && fabs(sd / want - 1) < 4 / sqrt(2 * n);
}

static void joints_hands_and_wrists_at_rest_scatter_as_stated(void **state) {
    (void)state;
    stage s;
    open_scene(&s, 25);
    s.robot->encoder_rate = s.robot->touch.rate = 500;
    readings k = {0};
    nanos t = 0;
    sense_for(&s, &t, 8 * NANOS_PER_SECOND, readings_keep, &k);
    size_t joints = s.robot->joint_count;
    for (size_t i = 0; i < joints; i++)
        assert_true(scatters(k.joints.items, k.joints.count, i, joints, 1e-4, 1e-5));
    for (size_t arm = 0; arm < 2; arm++) // opening and force of each arm in turn
        assert_true(scatters(k.hands.items, k.hands.count, 2 * arm, 4, 2e-4, 1e-4));
    for (size_t i = 0; i < 12; i++) // three forces, three torques of each arm in turn
        assert_true(scatters(k.wrenches.items, k.wrenches.count, i, 12, i % 6 < 3 ? 0.1 : 0.005,
                             i % 6 < 3 ? 1e-2 : 1e-3));
    readings_finish(&k);
    stage_close(&s);
}

// ---- Times --------------------------------------------------------------------------------------
static void every_sensor_keeps_its_rate_and_its_delay_exactly(void **state) {
    (void)state;
    stage s;
    open_scene(&s, 31);
    robot_model *r = s.robot;
    r->encoder_rate = 100, r->encoder_delay = 0.011;
    r->touch.rate = 25, r->touch.delay = 0.004;
    r->odometry_rate = 40, r->odometry_delay = 0.03;
    r->laser.rate = 12.5, r->laser.delay = 0.07;
    r->camera.rate = 30, r->camera.delay = 0.12;
    double wrist_rate = 250, wrist_delay = 0.002;
    for (size_t i = 0; i < 2; i++) {
        robot_wrist *w = (robot_wrist *)(uintptr_t)&r->arms[i].wrist;
        assert_true(w->present);
        w->rate = wrist_rate, w->delay = wrist_delay;
    }
    const struct {
        reading_kind kind;
        double rate, delay, each;
    } rows[] = {{READING_ENCODERS, 100, 0.011, 1}, {READING_GRIPPER, 25, 0.004, 2},
                {READING_ODOMETRY, 40, 0.03, 1},   {READING_LASER, 12.5, 0.07, 1},
                {READING_CAMERA, 30, 0.12, 1},     {READING_WRENCH, 250, 0.002, 2}};
    sense_power(s.senses, COMMAND_CAMERA, true);
    sense_power(s.senses, COMMAND_LASER, true);
    readings k = {0};
    nanos t = 0;
    sense_for(&s, &t, 4 * NANOS_PER_SECOND, readings_keep, &k); // asserts the order of deliveries
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const nanos *taken = k.taken[rows[i].kind].items, *given = k.delivered[rows[i].kind].items;
        size_t count = k.taken[rows[i].kind].count, each = (size_t)rows[i].each;
        double want = (4 - rows[i].delay) * rows[i].rate * rows[i].each;
        assert_true(fabs((double)count - want) <= rows[i].each + 1e-9);
        for (size_t n = 0; n < count; n++) {
            assert_int_equal(given[n] - taken[n], nanos_from_seconds(rows[i].delay));
            // At the first step of 2 ms at or after its time.
            nanos due = (nanos)(n / each) * nanos_from_seconds(1 / rows[i].rate);
            assert_int_equal(taken[n], (due + 1999999) / 2000000 * 2000000);
        }
    }
    readings_finish(&k);
    stage_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_probability_of_a_percept_falls_with_occlusion_and_distance),
        cmocka_unit_test(bodies_are_reported_as_often_as_the_formula_says),
        cmocka_unit_test(the_six_errors_of_a_pose_have_nothing_to_do_with_each_other),
        cmocka_unit_test(ghosts_come_as_often_as_stated_and_within_the_picture),
        cmocka_unit_test(things_are_confused_with_what_looks_like_them_and_nothing_else),
        cmocka_unit_test(beams_mix_hits_short_ones_missing_ones_and_random_ones),
        cmocka_unit_test(each_share_of_beams_keeps_its_place_up_to_a_third),
        cmocka_unit_test(joints_hands_and_wrists_at_rest_scatter_as_stated),
        cmocka_unit_test(every_sensor_keeps_its_rate_and_its_delay_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
