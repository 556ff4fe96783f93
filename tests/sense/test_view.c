// tests/sense/test_view.c - what can be seen of furniture, particles, meshes and what is not there.
#include "tests/sense/readings.h"

static const char SCENE[] = "tests/scenes/parlour.yaml";

static void ignore(void *context, const reading *r) {
    (void)context, (void)r;
}

static void watch(stage *s, nanos *t, nanos duration) {
    robot_camera *c = &s->robot->camera;
    c->detection_rate = 1;
    c->false_positives = c->confusion = c->color_confusion = 0;
    sense_power(s->senses, COMMAND_CAMERA, true);
    sense_for(s, t, duration, ignore, NULL);
}

static double reported(const stage *s, const char *name) {
    double n = 0;
    for (size_t i = 0; i < s->log.truths.count; i++)
        n += s->log.truths.items[i].object == s->ids[sim_entity_body(body_named(s, name))];
    return n;
}

static void a_door_that_is_known_is_reported_and_its_case_is_not(void **state) {
    (void)state;
    stage s;
    stage_open_swapped(&s, SCENE, 1, NULL, 0, NULL);
    nanos t = 0;
    watch(&s, &t, NANOS_PER_SECOND);
    assert_true(reported(&s, "door") == 10);
    assert_true(reported(&s, "case") == 0 && reported(&s, "desk") == 0);
    stage_close(&s);
}

static void drops_are_not_reported_and_hide_nothing(void **state) {
    (void)state;
    stage s;
    stage_open_swapped(&s, SCENE, 2, NULL, 0, NULL);
    nanos t = 0;
    watch(&s, &t, NANOS_PER_SECOND);
    assert_true(reported(&s, "glass_1") == 10);
    size_t drops = 0;
    for (size_t i = 0; i < s.world->body_count; i++) {
        if (!s.world->bodies[i].particle)
            continue;
        drops++;
        for (size_t k = 0; k < s.log.truths.count; k++)
            assert_true(s.log.truths.items[k].object != s.ids[sim_entity_body(i)]);
    }
    assert_int_equal(drops, 20);
    ray_scene rays;
    ray_scene_init(s.world, s.sim, &rays);
    sighting seen; // from above, into the glass
    vec3 glass = sim_pose(s.sim, sim_entity_body(body_named(&s, "glass_1"))).p;
    pose eye = {v3(glass.x, glass.y, glass.z + 0.6), quat_axis_angle(v3(0, 1, 0), PI / 2)};
    look(&rays, &s.robot->camera, eye, sim_entity_body(body_named(&s, "glass_1")), &seen);
    assert_true(seen.in_view && seen.fraction == 1 && seen.blocker_count == 0);
    ray_scene_finish(&rays);
    stage_close(&s);
}

static void what_is_absent_is_not_seen_and_hides_nothing_until_it_is_added(void **state) {
    (void)state;
    stage s;
    error err = {0};
    stage_open_swapped(&s, SCENE, 3, NULL, 0, NULL);
    nanos t = 0;
    watch(&s, &t, 300000000);
    assert_true(reported(&s, "screen") == 0 && reported(&s, "cup_1") == 3);
    for (nanos now = 0; now < NANOS_PER_SECOND; now += 2000000)
        assert_int_equal(model_step(sim_model(s.sim), now, 2000000, &err), OK);
    assert_true(sim_present(s.sim, sim_entity_body(body_named(&s, "screen"))));
    watch(&s, &t, 300000000);
    assert_true(reported(&s, "screen") == 3 && reported(&s, "cup_1") == 3);
    assert_string_equal(s.log.view.state, "visible");
    assert_int_equal(s.log.blocker.object, s.ids[sim_entity_body(body_named(&s, "screen"))]);
    stage_close(&s);
}

static void a_mesh_is_seen_and_hides_like_the_box_of_its_form(void **state) {
    (void)state;
    stage s;
    stage_open_swapped(&s, SCENE, 4, NULL, 0, NULL);
    ray_scene rays;
    ray_scene_init(s.world, s.sim, &rays);
    size_t box = sim_entity_body(body_named(&s, "box_1"));
    size_t prism = sim_entity_body(body_named(&s, "prism_1"));
    const ray_solid *a = &rays.solids[box], *b = &rays.solids[prism];
    vec3 apart = v3_sub(sim_pose(s.sim, prism).p, sim_pose(s.sim, box).p);
    // The same rays meet the same surfaces.
    double low[3] = {1, 1, 1}, high[3] = {-1, -1, -1};
    for (int i = 0; i < RAY_SAMPLES; i++) {
        vec3 eye = v3(1, 0, 1.2), to = ray_sample(a, 0, i);
        vec3 direction = v3_unit(v3_sub(to, eye));
        double at_box = ray_solid_hit(a, eye, direction);
        double at_mesh = ray_solid_hit(b, v3_add(eye, apart), direction);
        assert_true(isfinite(at_box) && fabs(at_box - at_mesh) < 1e-5);
        // Its points lie on it, and all over it.
        vec3 on = v3_sub(ray_sample(b, 0, i), sim_pose(s.sim, prism).p);
        double face = fmin(fmin(0.04 - fabs(on.x), 0.04 - fabs(on.y)), fmin(on.z, 0.12 - on.z));
        assert_true(fabs(face) < 1e-4);
        const double v[3] = {on.x, on.y, on.z};
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], v[k]);
            high[k] = fmax(high[k], v[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        assert_true(high[k] - low[k] > (k == 2 ? 0.115 : 0.075));
    // Each half behind the frame's edge shows about half.
    robot_camera camera = s.robot->camera;
    camera.rays = 200;
    for (int i = 0; i < 2; i++) {
        const ray_solid *solid = i == 0 ? a : b;
        vec3 at = solid->center_w;
        pose eye = pose_planar(at.x - 1, at.y, -camera.fov_x / 2);
        eye.p.z = at.z;
        sighting seen;
        look(&rays, &camera, eye, i == 0 ? box : prism, &seen);
        assert_true(seen.in_view && fabs(seen.fraction - 0.5) < 0.08);
        eye.q = POSE_IDENTITY.q;
        look(&rays, &camera, eye, i == 0 ? box : prism, &seen);
        assert_true(seen.fraction == 1);
    }
    ray_scene_finish(&rays);
    stage_close(&s);
}

static void beyond_its_range_a_body_in_the_picture_is_logged_as_far(void **state) {
    (void)state;
    stage s;
    stage_open_swapped(&s, SCENE, 5, NULL, 0, NULL);
    s.robot->camera.far = 1.2;
    nanos t = 0;
    watch(&s, &t, 200000000);
    assert_true(reported(&s, "cup_1") == 0);
    assert_int_equal(s.log.counts[RECORD_MISSED], 0);
    assert_true(s.log.counts[RECORD_VISIBILITY] >= 4);
    assert_string_equal(s.log.view.state, "far");
    stage_close(&s);
}

// The same ranges as every ray against every solid, whatever the bounding spheres leave out.
static void a_scan_is_that_of_every_beam_against_every_solid(void **state) {
    (void)state;
    stage s;
    stage_open_swapped(&s, SCENE, 6, NULL, 0, NULL);
    ray_scene rays;
    ray_scene_init(s.world, s.sim, &rays);
    robot_laser laser = s.robot->laser;
    laser.fov = 2 * PI; // the seam lies behind
    double *ranges = calloc((size_t)laser.beams, sizeof *ranges);
    const double heights[] = {0.3, 0.95, 1.0}, headings[] = {0, 2.5, PI, -1.7};
    int hits = 0;
    for (int h = 0; h < 3; h++)
        for (int k = 0; k < 4; k++) {
            pose eye = pose_planar(1.2, 0.1 * k, headings[k]);
            eye.p.z = heights[h];
            laser_scan(&rays, &laser, eye, SIZE_MAX, ranges);
            for (int beam = 0; beam < laser.beams; beam++) {
                double bearing = laser_bearing(&laser, beam), nearest = INFINITY;
                vec3 direction = quat_rotate(eye.q, v3(cos(bearing), sin(bearing), 0));
                for (size_t i = 0; i < rays.count; i++)
                    nearest = fmin(nearest, ray_solid_hit(&rays.solids[i], eye.p, direction));
                if (nearest < laser.min_range || nearest > laser.max_range)
                    nearest = INFINITY;
                assert_true(ranges[beam] == nearest);
                hits += isfinite(nearest);
            }
        }
    assert_true(hits > 400);
    free(ranges);
    ray_scene_finish(&rays);
    stage_close(&s);
}

static void a_body_without_a_type_does_not_tell_its_name(void **state) {
    (void)state;
    stage s;
    readings k = {0};
    stage_open_swapped(&s, SCENE, 5, NULL, 0, NULL);
    robot_camera *c = &s.robot->camera;
    c->confusion = c->color_confusion = 0.3;
    c->false_positives = 1;
    readings_watch(&s, &k, 200);
    size_t things = 0, named = 0;
    for (size_t i = 0; i < k.percepts.count; i++) {
        const char *type = k.percepts.items[i].type;
        bool thing = strcmp(type, TYPE_UNKNOWN) == 0;
        things += thing;
        named += !thing;
        assert_true(thing || strcmp(type, "cup") == 0 || strcmp(type, "glass") == 0);
    }
    assert_true(named > 200 && things > 300); // door, box and prism in about every frame
    assert_int_equal(k.percepts.count, s.log.truths.count);
    size_t doors = 0;
    for (size_t i = 0; i < s.log.truths.count; i++)
        if (s.log.truths.items[i].object == s.ids[sim_entity_body(body_named(&s, "door"))]) {
            doors++;
            assert_string_equal(k.percepts.items[i].type, TYPE_UNKNOWN);
        }
    assert_true(doors > 100); // it looks like nothing else
    readings_finish(&k);
    stage_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_door_that_is_known_is_reported_and_its_case_is_not),
        cmocka_unit_test(drops_are_not_reported_and_hide_nothing),
        cmocka_unit_test(what_is_absent_is_not_seen_and_hides_nothing_until_it_is_added),
        cmocka_unit_test(a_mesh_is_seen_and_hides_like_the_box_of_its_form),
        cmocka_unit_test(beyond_its_range_a_body_in_the_picture_is_logged_as_far),
        cmocka_unit_test(a_scan_is_that_of_every_beam_against_every_solid),
        cmocka_unit_test(a_body_without_a_type_does_not_tell_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
