// tests/sense/test_sense.c - the senses: what a camera sees and what hides it, laser ranges, noise
// and its keys, delays.
#include "tests/sense/stage.h"

static void a_body_in_the_open_is_seen_whole_and_one_behind_a_box_is_hidden_by_it(void **state) {
    (void)state;
    stage s;
    stage_open(&s, 1, NULL, 0);
    ray_scene rays;
    ray_scene_init(s.world, s.sim, &rays);
    pose eye = {{0, 0, 1.0}, {1, 0, 0, 0}};
    sighting seen;
    look(&rays, &s.robot->camera, eye, sim_entity_body(body_named(&s, "open_cup")), &seen);
    assert_true(seen.in_view);
    assert_true(seen.fraction == 1.0 && seen.blocker_count == 0);
    look(&rays, &s.robot->camera, eye, sim_entity_body(body_named(&s, "hidden_cup")), &seen);
    assert_true(seen.in_view);
    assert_true(seen.fraction == 0.0);
    assert_int_equal(seen.blockers[0], sim_entity_body(body_named(&s, "screen")));
    assert_true(seen.blocked[0] == 1.0);
    look(&rays, &s.robot->camera, eye, sim_entity_body(body_named(&s, "cup_behind")), &seen);
    assert_false(seen.in_view);
    ray_scene_finish(&rays);
    stage_close(&s);
}

static void another_robot_hides_what_is_behind_it(void **state) {
    (void)state;
    stage s;
    stage_open(&s, 1, NULL, 0);
    for (int between = 0; between < 2; between++) {
        fleet_member both[2] = {
            {.name = "ann", .robot = s.robot, .at = POSE_IDENTITY},
            {.name = "bob", .robot = s.robot, .at = pose_planar(-1.1, between ? 0 : 2, 0)}};
        sim *two = NULL;
        error err = {0};
        assert_int_equal(sim_create_fleet(s.world, both, 2, NULL, &two, &err), OK);
        ray_scene rays;
        ray_scene_init(s.world, two, &rays);
        ray_scene_refresh(&rays, two);
        pose eye = {{-0.5, 0, 0.15}, quat_rpy(0, 0, PI)};
        sighting seen;
        look(&rays, &s.robot->camera, eye, sim_entity_body(body_named(&s, "cup_behind")), &seen);
        assert_true(seen.in_view && seen.fraction == (between ? 0 : 1));
        bool by_bob = false;
        for (size_t i = s.robot->link_count; between && i < sim_robots(two)->link_count; i++)
            by_bob |= seen.blockers[0] == sim_entity_link(two, i);
        assert_int_equal(by_bob, between);
        // A beam ends at him, too.
        vec3 way = v3(-1, 0, 0);
        double nearest = INFINITY;
        for (size_t i = s.robot->link_count; i < sim_robots(two)->link_count; i++)
            nearest =
                fmin(nearest, ray_solid_hit(&rays.solids[sim_entity_link(two, i)], eye.p, way));
        assert_true(between ? nearest > 0.1 && nearest < 0.6 : isinf(nearest));
        ray_scene_finish(&rays);
        sim_destroy(two);
    }
    stage_close(&s);
}

static void a_half_hidden_body_shows_about_half_of_its_rays(void **state) {
    (void)state;
    stage s;
    stage_open(&s, 1, NULL, 0);
    ray_scene rays;
    ray_scene_init(s.world, s.sim, &rays);
    robot_camera camera = s.robot->camera;
    camera.rays = 200;
    sighting seen;
    // The screen's edge at y = 0.20 cuts the line of sight to a cup's middle.
    pose eye = {{0, 0, 1.0}, {1, 0, 0, 0}};
    look(&rays, &camera, eye, sim_entity_body(body_named(&s, "edge_cup")), &seen);
    assert_true(seen.in_view);
    assert_true(fabs(seen.fraction - 0.5) < 0.1);
    ray_scene_finish(&rays);
    stage_close(&s);
}

static void a_body_at_the_edge_of_the_frame_shows_what_lies_inside(void **state) {
    (void)state;
    stage s;
    stage_open(&s, 1, NULL, 0);
    ray_scene rays;
    ray_scene_init(s.world, s.sim, &rays);
    robot_camera camera = s.robot->camera;
    camera.rays = 200;
    size_t cup = sim_entity_body(body_named(&s, "open_cup"));
    vec3 at = rays.solids[cup].center_w;
    double bearing = atan2(at.y, at.x), radius = asin(0.0375 / hypot(at.x, at.y));
    // How far the cup's middle is beyond the frame's left edge, in its radii.
    const double beyond[] = {-1.2, -0.5, 0, 0.5, 1.2};
    const double share[] = {1, 0.804, 0.5, 0.196, 0}; // of a disc's area, by a line across it
    for (int i = 0; i < 5; i++) {
        pose eye = pose_planar(0, 0, bearing - camera.fov_x / 2 - beyond[i] * radius);
        eye.p.z = 1.0;
        sighting seen;
        look(&rays, &camera, eye, cup, &seen);
        assert_true(seen.in_view == (share[i] > 0));
        assert_true(fabs(seen.fraction - share[i]) < 0.06);
        assert_int_equal(seen.blocker_count, 0);
    }
    // Range cuts as well, here through the cup's middle.
    camera.far = at.x;
    pose eye = {{0, at.y, 1.0}, {1, 0, 0, 0}};
    sighting seen;
    look(&rays, &camera, eye, cup, &seen);
    assert_true(seen.in_view && fabs(seen.fraction - 0.5) < 0.06);
    ray_scene_finish(&rays);
    stage_close(&s);
}

static void laser_ranges_are_those_of_the_walls(void **state) {
    (void)state;
    stage s;
    stage_open(&s, 1, NULL, 0);
    ray_scene rays;
    ray_scene_init(s.world, s.sim, &rays);
    robot_laser laser = s.robot->laser;
    double *ranges = calloc((size_t)laser.beams, sizeof *ranges);
    pose eye = {{0, 0, 0.3}, {1, 0, 0, 0}};
    laser_scan(&rays, &laser, eye, sim_entity_link(s.sim, 0), ranges);
    int on_wall = 0;
    for (int i = 0; i < laser.beams; i++) {
        double bearing = laser_bearing(&laser, i);
        if (fabs(bearing) > 0.6)
            continue;
        // The wall's face stands at x = 3.
        assert_true(fabs(ranges[i] * cos(bearing) - 3.0) < 1e-9);
        on_wall++;
    }
    assert_true(on_wall > 50);
    free(ranges);
    ray_scene_finish(&rays);
    stage_close(&s);
}

typedef struct percept_sum {
    double n, sum[3], square[3], frames;
    nanos delay;
} percept_sum;

static void add_percepts(void *context, const reading *r) {
    percept_sum *p = context;
    if (r->kind != READING_CAMERA)
        return;
    p->frames++;
    p->delay = r->delivered - r->taken;
    for (size_t i = 0; i < r->camera.count; i++) {
        const percept *q = &r->camera.percepts[i];
        if (strcmp(q->color, "red") != 0)
            continue;
        double v[3] = {q->at.p.x, q->at.p.y, q->at.p.z};
        p->n++;
        for (int k = 0; k < 3; k++) {
            p->sum[k] += v[k];
            p->square[k] += v[k] * v[k];
        }
    }
}

static void percepts_scatter_as_the_noise_model_says(void **state) {
    (void)state;
    stage s;
    stage_open(&s, 7, NULL, 0);
    s.robot->camera.false_positives = s.robot->camera.color_confusion = 0;
    sense_power(s.senses, COMMAND_CAMERA, true);
    percept_sum p = {0};
    nanos t = 0;
    sense_for(&s, &t, 60 * NANOS_PER_SECOND, add_percepts, &p);
    size_t cup = body_named(&s, "open_cup");
    pose eye =
        pose_mul(sim_pose(s.sim, sim_entity_link(s.sim, s.robot->camera.link)), s.robot->camera.at);
    double sigma = 0.005 + 0.005 * v3_distance(eye.p, sim_pose(s.sim, sim_entity_body(cup)).p);
    pose truth = pose_mul(pose_inverse(sim_base(s.sim)), sim_pose(s.sim, sim_entity_body(cup)));
    double want[3] = {truth.p.x, truth.p.y, truth.p.z};
    assert_true(p.frames > 590);
    assert_true(fabs(p.n / p.frames - 0.98) < 0.02); // detection rate
    for (int k = 0; k < 3; k++) {
        double mean = p.sum[k] / p.n, sd = sqrt(p.square[k] / p.n - mean * mean);
        assert_true(fabs(mean - want[k]) < 4 * sigma / sqrt(p.n));
        assert_true(fabs(sd / sigma - 1) < 0.12);
    }
    assert_int_equal(p.delay, nanos_from_seconds(s.robot->camera.delay));
    stage_close(&s);
}

static void what_is_hidden_is_logged_with_its_blocker_and_never_perceived(void **state) {
    (void)state;
    stage s;
    stage_open(&s, 3, NULL, 0);
    sense_power(s.senses, COMMAND_CAMERA, true);
    percept_sum p = {0};
    nanos t = 0;
    sense_for(&s, &t, NANOS_PER_SECOND, add_percepts, &p);
    assert_true(s.log.counts[RECORD_VISIBILITY] >= 3);
    assert_true(s.log.counts[RECORD_BLOCKER] >= 1);
    assert_int_equal(s.log.counts[RECORD_PERCEPT], s.log.counts[RECORD_PERCEPT_TRUTH]);
    assert_true(p.n > 0);
    stage_close(&s);
}

typedef struct trace {
    double values[64];
    size_t count;
} trace;

static void keep_camera(void *context, const reading *r) {
    trace *v = context;
    if (r->kind == READING_CAMERA && v->count < 64 && r->camera.count > 0)
        v->values[v->count++] = r->camera.percepts[0].at.p.x;
}

// The frames of one operation, after `before` other operations of another path.
static trace frames_of(const char *path, int before, uint64_t occurrence) {
    stage s;
    stage_open(&s, 5, NULL, 0);
    sense_power(s.senses, COMMAND_CAMERA, true);
    trace ignored = {0}, kept = {0};
    nanos t = 0;
    for (int i = 0; i < before; i++) {
        operation other = {10 + i, "plan/other", "detect", USE_CAMERA, (uint64_t)i};
        sense_begin(s.senses, &other);
        sense_for(&s, &t, 300000000, keep_camera, &ignored);
        sense_end(s.senses, &other);
    }
    operation op = {99, path, "detect", USE_CAMERA, occurrence};
    sense_for(&s, &t, 100000000, keep_camera, &ignored); // what is under way is delivered
    sense_begin(s.senses, &op);
    ignored.count = 0;
    sense_for(&s, &t, 60000000, keep_camera, &ignored);
    sense_for(&s, &t, NANOS_PER_SECOND, keep_camera, &kept);
    stage_close(&s);
    return kept;
}

static void the_noise_of_an_operation_does_not_depend_on_what_came_before(void **state) {
    (void)state;
    trace alone = frames_of("plan/see", 0, 0), later = frames_of("plan/see", 2, 0);
    trace again = frames_of("plan/see", 0, 1), other = frames_of("plan/look", 0, 0);
    assert_true(alone.count >= 8 && later.count >= 8 && again.count >= 8 && other.count >= 8);
    for (size_t i = 0; i < 8; i++) {
        assert_true(alone.values[i] == later.values[i]);
        assert_true(alone.values[i] != again.values[i]);
        assert_true(alone.values[i] != other.values[i]);
    }
}

static void noise_does_not_repeat_however_long_the_path(void **state) {
    (void)state;
    char path[402], other[402];
    memset(path, 'p', 400);
    path[400] = 'a', path[401] = 0;
    memcpy(other, path, sizeof other);
    other[400] = 'b';
    trace first = frames_of(path, 0, 0), second = frames_of(path, 0, 1);
    trace third = frames_of(other, 0, 0);
    assert_true(first.count >= 8 && second.count >= 8 && third.count >= 8);
    for (size_t i = 0; i < 8; i++) {
        assert_true(first.values[i] != second.values[i]);
        assert_true(first.values[i] != third.values[i]);
    }
}

typedef struct percept_list {
    vec3 at[512];
    size_t count, frames;
} percept_list;

static void keep_order(void *context, const reading *r) {
    percept_list *v = context;
    if (r->kind != READING_CAMERA)
        return;
    v->frames++;
    for (size_t i = 0; i < r->camera.count && v->count < 512; i++) {
        vec3 at = r->camera.percepts[i].at.p;
        if (i > 0) {
            vec3 before = v->at[v->count - 1];
            assert_true(atan2(before.y, before.x) <= atan2(at.y, at.x));
            assert_true(r->camera.percepts[i - 1].id < r->camera.percepts[i].id);
        }
        v->at[v->count++] = at;
    }
}

static void percepts_come_by_bearing_whatever_the_order_of_the_bodies(void **state) {
    (void)state;
    static const char *const swap[2] = {"open_cup", "edge_cup"};
    percept_list lists[2] = {0};
    for (int i = 0; i < 2; i++) {
        stage s;
        stage_open_swapped(&s, "tests/scenes/seeing.yaml", 4, NULL, 0, i == 0 ? NULL : swap);
        sense_power(s.senses, COMMAND_CAMERA, true);
        nanos t = 0;
        sense_for(&s, &t, 5 * NANOS_PER_SECOND, keep_order, &lists[i]);
        stage_close(&s);
    }
    assert_true(lists[0].count > lists[0].frames); // more than one in most frames
    assert_int_equal(lists[0].count, lists[1].count);
    for (size_t i = 0; i < lists[0].count; i++)
        assert_true(v3_distance(lists[0].at[i], lists[1].at[i]) == 0);
}

typedef struct speeds {
    size_t readings, joint;
    double n, sum, square, most; // of one joint's velocity
} speeds;

static void add_speed(void *context, const reading *r) {
    speeds *v = context;
    if (r->kind != READING_ENCODERS)
        return;
    double speed = r->encoders.velocity[v->joint];
    v->readings++;
    v->n++;
    v->sum += speed;
    v->square += speed * speed;
    v->most = fmax(v->most, fabs(speed));
}

static void encoders_at_rest_are_read_every_cycle_and_logged_once_for_no_operation(void **state) {
    (void)state;
    stage s;
    stage_open(&s, 6, NULL, 0);
    operation op = {99, "plan/look", "look_at", USE_HEAD | USE_TORSO, 0};
    sense_begin(s.senses, &op);
    speeds v = {0};
    nanos t = 0;
    sense_for(&s, &t, 10 * NANOS_PER_SECOND, add_speed, &v);
    assert_int_equal(v.readings, 500);
    assert_true(s.log.encoder_rows >= 1 && s.log.encoder_rows <= 5);
    assert_int_equal(s.log.encoder_operations, 0);
    // A velocity is as uncertain as the positions that it comes from.
    assert_true(v.square > 0);
    assert_true(v.most < 0.01);
    stage_close(&s);
}

static void encoders_of_a_moving_joint_tell_its_velocity_and_are_logged(void **state) {
    (void)state;
    stage s;
    stage_open(&s, 6, NULL, 0);
    error err = {0};
    speeds v = {.joint = s.robot->arms[0].joints[6]};
    double start = sim_joint_positions(s.sim)[v.joint];
    for (nanos t = 0; t < 2 * NANOS_PER_SECOND; t += 2000000) {
        double after = (double)(t + 20000000) * 1e-9;
        if (t % 20000000 == 0)
            sim_set_joint(s.sim, v.joint, start + 0.3 * after, 0.3, 20000000);
        assert_int_equal(model_step(sim_model(s.sim), t, 2000000, &err), OK);
        assert_int_equal(sense_step(s.senses, t + 2000000, &err), OK);
        reading r;
        while (sense_next(s.senses, t + 2000000, &r))
            if (t > NANOS_PER_SECOND)
                add_speed(&v, &r);
    }
    double mean = v.sum / v.n;
    assert_true(fabs(mean - 0.3) < 0.02);
    assert_true(sqrt(v.square / v.n - mean * mean) < 0.02);
    assert_true(s.log.encoder_rows > 90);
    stage_close(&s);
}

typedef struct way {
    double x, y, yaw;
} way;

static void add_odometry(void *context, const reading *r) {
    way *w = context;
    if (r->kind != READING_ODOMETRY)
        return;
    w->x += r->odometry.dx * cos(w->yaw) - r->odometry.dy * sin(w->yaw);
    w->y += r->odometry.dx * sin(w->yaw) + r->odometry.dy * cos(w->yaw);
    w->yaw += r->odometry.dyaw;
}

// Drives one metre and compares what odometry sums to with where the base truly went.
static way drive(uint64_t seed, const setting *set, size_t set_count, double *length) {
    stage s;
    stage_open(&s, seed, set, set_count);
    error err = {0};
    way w = {0, 0, quat_yaw(sim_base(s.sim).q)};
    pose start = sim_base(s.sim);
    sim_set_base(s.sim, 0.4, 0, 0);
    for (nanos t = 0; t < 3 * NANOS_PER_SECOND; t += 2000000) {
        if (t == 2500000000)
            sim_set_base(s.sim, 0, 0, 0);
        assert_int_equal(model_step(sim_model(s.sim), t, 2000000, &err), OK);
        assert_int_equal(sense_step(s.senses, t + 2000000, &err), OK);
        reading r;
        while (sense_next(s.senses, t + 2000000, &r))
            add_odometry(&w, &r);
    }
    pose end = sim_base(s.sim);
    *length = v3_distance(end.p, start.p);
    way apart = {w.x - (end.p.x - start.p.x), w.y - (end.p.y - start.p.y),
                 angle_wrap(w.yaw - quat_yaw(end.q))};
    stage_close(&s);
    return apart;
}

static void sum_odometry(void *context, const reading *r) {
    double *sum = context;
    if (r->kind != READING_ODOMETRY)
        return;
    sum[0] += cos(sum[2]) * r->odometry.dx - sin(sum[2]) * r->odometry.dy;
    sum[1] += sin(sum[2]) * r->odometry.dx + cos(sum[2]) * r->odometry.dy;
    sum[2] += r->odometry.dyaw;
    sum[3] += 1;
}

// A base drives along an arc for a second, and then sways by some micrometres for four.
static void the_log_has_the_way_of_odometry_in_few_rows_and_none_for_a_tremble(void **state) {
    (void)state;
    stage s;
    error err = {0};
    double sum[4] = {0};
    int64_t driving = 0;
    stage_open(&s, 5, NULL, 0);
    for (nanos t = 0; t < 5 * NANOS_PER_SECOND; t += 2000000) {
        double sway = t / 20000000 % 2 ? 2e-5 : -2e-5;
        bool drives = t < NANOS_PER_SECOND;
        sim_set_base(s.sim, drives ? 0.4 : sway, 0, drives ? 1 : 0);
        driving = t < 1500000000 ? s.log.odometry_rows : driving;
        assert_int_equal(model_step(sim_model(s.sim), t, 2000000, &err), OK);
        assert_int_equal(sense_step(s.senses, t + 2000000, &err), OK);
        reading r;
        while (sense_next(s.senses, t + 2000000, &r))
            sum_odometry(sum, &r);
    }
    assert_true(sum[3] >= 245 && driving >= 8 && driving <= 16 && fabs(sum[2]) > 0.5);
    assert_true(s.log.odometry_rows - driving < 35);
    assert_true(s.log.odometry_least >= 1e-4 * (1 - 1e-9));
    for (int k = 0; k < 3; k++)
        assert_true(fabs(sum[k] - s.log.odometry_sum[k]) <= 1.01e-4);
    stage_close(&s);
}

static void odometry_walks_at_random_by_two_percent_and_a_degree(void **state) {
    (void)state;
    double sum_x = 0, sum_yaw = 0, length = 0;
    enum { RUNS = 40 };
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        way apart = drive(seed, NULL, 0, &length);
        sum_x += apart.x * apart.x;
        sum_yaw += apart.yaw * apart.yaw;
    }
    double root = sqrt(length);
    assert_true(length > 0.8 && length < 1.2);
    double sigma_x = sqrt(sum_x / RUNS) / root, sigma_yaw = sqrt(sum_yaw / RUNS) / root;
    assert_true(fabs(sigma_x / 0.02 - 1) < 0.35);
    assert_true(fabs(sigma_yaw / (PI / 180) - 1) < 0.35);
}

static void the_velocity_of_odometry_is_as_noisy_as_its_motion(void **state) {
    (void)state;
    stage s;
    stage_open(&s, 8, NULL, 0);
    error err = {0};
    double n = 0, sum = 0, square = 0, rest = 0;
    sim_set_base(s.sim, 0.4, 0, 0);
    for (nanos t = 0; t < 6 * NANOS_PER_SECOND; t += 2000000) {
        if (t == 4 * NANOS_PER_SECOND)
            sim_set_base(s.sim, 0, 0, 0);
        assert_int_equal(model_step(sim_model(s.sim), t, 2000000, &err), OK);
        assert_int_equal(sense_step(s.senses, t + 2000000, &err), OK);
        reading r;
        while (sense_next(s.senses, t + 2000000, &r))
            if (r.kind == READING_ODOMETRY && t > 3 * NANOS_PER_SECOND / 2 &&
                t < 4 * NANOS_PER_SECOND) {
                n++;
                sum += r.odometry.vx;
                square += r.odometry.vx * r.odometry.vx;
            } else if (r.kind == READING_ODOMETRY && t > 5500000000)
                rest = fmax(rest, hypot(r.odometry.vx, r.odometry.vy));
    }
    // Way of 8 mm a reading, of which the filter keeps a sixth of the variance.
    double mean = sum / n, sd = sqrt(square / n - mean * mean);
    assert_true(n > 100);
    assert_true(fabs(mean - 0.4) < 0.03);
    assert_true(sd > 0.015 && sd < 0.08);
    assert_true(rest < 0.005);
    stage_close(&s);
}

static void a_biased_odometry_drifts_to_the_left(void **state) {
    (void)state;
    setting set[] = {{"robot", "odometry_bias", "0.1"},
                     {"robot", "odometry_noise", "0"},
                     {"robot", "odometry_angle_noise", "0"}};
    double length;
    way apart = drive(1, set, 3, &length);
    assert_true(fabs(apart.y - 0.1 * length) < 0.005);
    assert_true(fabs(apart.x) < 0.005);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_in_the_open_is_seen_whole_and_one_behind_a_box_is_hidden_by_it),
        cmocka_unit_test(another_robot_hides_what_is_behind_it),
        cmocka_unit_test(a_half_hidden_body_shows_about_half_of_its_rays),
        cmocka_unit_test(laser_ranges_are_those_of_the_walls),
        cmocka_unit_test(percepts_scatter_as_the_noise_model_says),
        cmocka_unit_test(what_is_hidden_is_logged_with_its_blocker_and_never_perceived),
        cmocka_unit_test(the_noise_of_an_operation_does_not_depend_on_what_came_before),
        cmocka_unit_test(the_log_has_the_way_of_odometry_in_few_rows_and_none_for_a_tremble),
        cmocka_unit_test(odometry_walks_at_random_by_two_percent_and_a_degree),
        cmocka_unit_test(a_biased_odometry_drifts_to_the_left),
        cmocka_unit_test(a_body_at_the_edge_of_the_frame_shows_what_lies_inside),
        cmocka_unit_test(noise_does_not_repeat_however_long_the_path),
        cmocka_unit_test(percepts_come_by_bearing_whatever_the_order_of_the_bodies),
        cmocka_unit_test(encoders_at_rest_are_read_every_cycle_and_logged_once_for_no_operation),
        cmocka_unit_test(encoders_of_a_moving_joint_tell_its_velocity_and_are_logged),
        cmocka_unit_test(the_velocity_of_odometry_is_as_noisy_as_its_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
