// tests/sense/stage.c - see stage.h.
#include "tests/sense/stage.h"

static void add_odometry_row(counting_sink *c, const char *value) {
    double told[3];
    assert_int_equal(sscanf(value, "[%lf, %lf, %lf]", &told[0], &told[1], &told[2]), 3);
    double *sum = c->odometry_sum, yaw = sum[2];
    sum[0] += cos(yaw) * told[0] - sin(yaw) * told[1];
    sum[1] += sin(yaw) * told[0] + cos(yaw) * told[1];
    sum[2] += told[2];
    double most = fmax(hypot(told[0], told[1]), fabs(told[2]));
    c->odometry_least = c->odometry_rows++ ? fmin(c->odometry_least, most) : most;
}

static status count_put(sink *s, const record *r, error *err) {
    (void)err;
    counting_sink *c = (counting_sink *)s;
    c->counts[r->kind]++;
    if (r->kind == RECORD_VISIBILITY)
        c->view = r->VISIBILITY;
    if (r->kind == RECORD_BLOCKER)
        c->blocker = r->BLOCKER;
    if (r->kind == RECORD_PERCEPT_TRUTH)
        array_push(&c->truths, r->PERCEPT_TRUTH);
    if (r->kind == RECORD_MISSED)
        array_push(&c->missed, r->MISSED);
    if (r->kind == RECORD_READING && strcmp(r->READING.kind, "encoders") == 0) {
        c->encoder_rows++;
        c->encoder_operations += r->READING.operation != 0;
    }
    if (r->kind == RECORD_READING && strcmp(r->READING.kind, "odometry") == 0)
        add_odometry_row(c, r->READING.value);
    if (r->kind == RECORD_VARIABLE && strcmp(r->VARIABLE.name, "PosAmbiguity") == 0)
        snprintf(c->ambiguity, sizeof c->ambiguity, "%s", r->VARIABLE.value);
    return OK;
}

static status count_end(sink *s, const record *r, error *err) {
    (void)s, (void)r, (void)err;
    return OK;
}

static status count_commit(sink *s, nanos t, error *err) {
    (void)s, (void)t, (void)err;
    return OK;
}

static const sink_class COUNTING = {count_put, count_end, count_commit};

static const char *source(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", FORESEE_SOURCE_DIR, name);
    return path;
}

void stage_load(stage *s, const char *world, const setting *set, size_t set_count) {
    *s = (stage){.grippers = {901, 902}, .wrists = {905, 906}};
    errors list = {0};
    settings all = {.items = (setting *)(uintptr_t)set, .count = set_count};
    world_load(source(world), NULL, &all, &s->world, &list);
    robot_load(source("examples/robots/two_arms.yaml"), NULL, &all, &s->robot, &list);
    for (size_t i = 0; i < list.count; i++)
        print_error("%s:%d: %s\n", list.items[i].file, list.items[i].line, list.items[i].text);
    assert_int_equal(list.count, 0);
    errors_finish(&list);
}

void stage_start(stage *s, uint64_t seed) {
    error err = {0};
    if (s->members)
        assert_int_equal(
            sim_create_fleet(s->world, s->members, s->member_count, NULL, &s->sim, &err), OK);
    else
        assert_int_equal(sim_create(s->world, s->robot, NULL, &s->sim, &err), OK);
    s->log.base.class = &COUNTING;
    size_t count = sim_entity_count(s->sim);
    s->ids = calloc(count, sizeof *s->ids);
    for (size_t i = 0; i < count; i++)
        s->ids[i] = (int64_t)i + 1;
    sense_setup setup = {.world = s->world,
                         .robot = s->robot,
                         .sim = s->sim,
                         .log = &s->log.base,
                         .agent = 1,
                         .seed = seed,
                         .conditions = s->conditions,
                         .entity_objects = s->ids,
                         .robot_object = 900,
                         .camera_object = 903,
                         .laser_object = 904,
                         .tracker_object = 907,
                         .gripper_objects = s->grippers,
                         .wrist_objects = s->wrists,
                         .peers = s->peers,
                         .peer_count = s->peer_count,
                         .cycle = 20000000};
    sense_create(&setup, &s->senses);
}

void stage_open_swapped(stage *s, const char *world, uint64_t seed, const setting *set,
                        size_t set_count, const char *const swap[2]) {
    stage_load(s, world, set, set_count);
    if (swap) {
        size_t a = body_named(s, swap[0]), b = body_named(s, swap[1]);
        world_body *bodies = (world_body *)(uintptr_t)s->world->bodies, kept = bodies[a];
        bodies[a] = bodies[b];
        bodies[b] = kept;
    }
    stage_start(s, seed);
}

void stage_open(stage *s, uint64_t seed, const setting *set, size_t set_count) {
    stage_open_swapped(s, "tests/scenes/seeing.yaml", seed, set, set_count, NULL);
}

void stage_close(stage *s) {
    sense_destroy(s->senses);
    sim_destroy(s->sim);
    robot_destroy(s->robot);
    world_destroy(s->world);
    array_finish(&s->log.truths);
    array_finish(&s->log.missed);
    free(s->ids);
}

size_t body_named(const stage *s, const char *name) {
    int64_t i = world_find_body(s->world, name);
    assert_true(i >= 0);
    return (size_t)i;
}

void sense_for(stage *s, nanos *t, nanos duration, reader_fn each, void *context) {
    error err = {0};
    for (nanos end = *t + duration; *t < end; *t += 2000000) {
        assert_int_equal(sense_step(s->senses, *t, &err), OK);
        reading r;
        while (sense_next(s->senses, *t, &r)) {
            assert_true(r.delivered <= *t && r.taken <= r.delivered);
            each(context, &r);
        }
    }
}

void look(ray_scene *rays, const robot_camera *camera, pose eye, size_t entity, sighting *out) {
    camera_aim(rays, camera, eye, SIZE_MAX);
    camera_look(rays, camera, eye, entity, out);
}
