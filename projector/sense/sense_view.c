// projector/sense/sense_view.c - what the robot sees: scans of the laser and frames of the camera.
#include <math.h>

#include "projector/sense/sense_int.h"

static status log_percept(sense *s, int64_t row, find *f, error *err);

// ---- Laser --------------------------------------------------------------------------------------
// Adds to a scan the pole that is sought, where its driver finds one.
static status sense_pole(sense *s, queued *q, pose eye, size_t own, error *err) {
    const robot_laser *laser = &s->setup.robot->laser;
    pose in_base = pose_mul(pose_inverse(sim_base_of(s->setup.sim, s->own.robot)), eye);
    vec3 expected = pose_apply(pose_inverse(in_base), s->sought_at.p);
    pole_found found;
    if (!s->sought || !pole_find(laser, q->numbers, expected, s->sought_diameter, &found))
        return OK;
    vec3 center = pose_apply(in_base, found.center);
    pose at = {v3(center.x, center.y, s->sought_at.p.z), s->sought_at.q};
    double bearing = laser_bearing(laser, found.beam);
    vec3 direction = quat_rotate(eye.q, v3(cos(bearing), sin(bearing), 0));
    double far;
    size_t entity = ray_scene_met(&s->rays, eye.p, direction, own, &far);
    find f = {.percept = {.type = s->sought->name, .at = at}, .entity = entity};
    f.confused = entity != SIZE_MAX && (entity >= s->setup.world->body_count ||
                                        s->setup.world->bodies[entity].type != s->sought);
    status st = log_percept(s, q->reading.id, &f, err);
    q->percepts = mem_must(1, sizeof *q->percepts);
    q->percepts[0] = f.percept;
    q->reading.laser.pole = q->percepts;
    return st;
}

status sense_laser(sense *s, nanos t, error *err) {
    const robot_model *r = s->setup.robot;
    stream *st = &s->streams[STREAM_LASER];
    size_t link = sim_entity_link(s->setup.sim, s->own.link + r->laser.link);
    stopwatch_start(s->setup.rays);
    ray_scene_refresh(&s->rays, s->setup.sim);
    pose eye = pose_mul(sim_pose(s->setup.sim, link), r->laser.at);
    laser_scan(&s->rays, &r->laser, eye, link, s->scan);
    stopwatch_stop(s->setup.rays);
    queued q = {.reading = {.kind = READING_LASER,
                            .taken = t,
                            .delivered = t + nanos_from_seconds(r->laser.delay)}};
    size_t n = (size_t)r->laser.beams;
    q.numbers = mem_must(n + 1, sizeof *q.numbers);
    rng_key key = rng_key_extend(st->key, r->laser.name);
    for (size_t i = 0; i < n; i++)
        q.numbers[i] = laser_beam(&r->laser, key, st->occurrence, (int)i, s->scan[i]);
    st->occurrence++;
    q.reading.laser.count = n;
    q.reading.laser.ranges = q.numbers;
    status result = sense_log_reading(s, &q.reading, "laser", s->setup.laser_object, st,
                                      sense_numbers_text(s, q.numbers, n, 3), err);
    if (result == OK)
        result = sense_pole(s, &q, eye, link, err);
    sense_enqueue(s, q);
    return result;
}

// ---- Intervals of visibility --------------------------------------------------------------------
static status close_view(sense *s, size_t body, nanos t, error *err) {
    view *v = &s->views[body];
    if (!v->row)
        return OK;
    record rec = {.kind = RECORD_VISIBILITY, .id = v->row};
    rec.VISIBILITY.end_ns = t;
    *v = (view){0};
    s->open_views--;
    return sink_end(s->setup.log, &rec, err);
}

status sense_close_views(sense *s, nanos t, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < s->setup.world->body_count; i++)
        st = close_view(s, i, t, err);
    return st;
}

// With hysteresis about the least visible share, so that a body at its edge does not flicker.
static view_state state_of(const robot_camera *camera, const view *v, const sighting *seen) {
    if (seen->beyond)
        return VIEW_FAR;
    double least = v->state == VIEW_VISIBLE ? 0.4 * camera->min_visible : camera->min_visible;
    if (seen->in_view && seen->fraction >= least)
        return VIEW_VISIBLE;
    // A body that only the frame's edge cuts off is out of view, not occluded.
    return seen->in_view && seen->blocker_count > 0 ? VIEW_OCCLUDED : VIEW_OUT;
}

// Returns whether the blocker that the log names still hides about as much as any other.
static bool same_blocker(const view *v, const sighting *seen) {
    for (size_t i = 0; i < seen->blocker_count; i++)
        if (seen->blockers[i] == v->blocker)
            return 2 * seen->blocked[i] >= seen->blocked[0];
    return false;
}

// Opens, ends or keeps the interval of one body in the camera's view.
static status log_view(sense *s, size_t body, const sighting *seen, nanos t, error *err) {
    static const char *const names[] = {NULL, "visible", "occluded", "far"};
    view *v = &s->views[body];
    view_state state = state_of(&s->setup.robot->camera, v, seen);
    if (v->state == state && (state != VIEW_OCCLUDED || same_blocker(v, seen)))
        return OK;
    status st = close_view(s, body, t, err);
    if (st != OK || state == VIEW_OUT)
        return st;
    *v = (view){.row = sink_id(s->setup.log, RECORD_VISIBILITY),
                .state = state,
                .blocker = seen->blocker_count > 0 ? seen->blockers[0] : SIZE_MAX};
    s->open_views++;
    record rec = {.kind = RECORD_VISIBILITY, .id = v->row};
    rec.VISIBILITY.camera = s->setup.camera_object;
    rec.VISIBILITY.object = s->setup.entity_objects[sim_entity_body(body)];
    rec.VISIBILITY.start_ns = t;
    rec.VISIBILITY.end_ns = TIME_OPEN;
    rec.VISIBILITY.state = names[state];
    rec.VISIBILITY.fraction = seen->fraction;
    st = sink_put(s->setup.log, &rec, err);
    for (size_t i = 0; st == OK && i < seen->blocker_count; i++) {
        record b = {.kind = RECORD_BLOCKER, .id = sink_id(s->setup.log, RECORD_BLOCKER)};
        b.BLOCKER.visibility = v->row;
        b.BLOCKER.object = s->setup.entity_objects[seen->blockers[i]];
        b.BLOCKER.fraction = seen->blocked[i];
        st = sink_put(s->setup.log, &b, err);
    }
    return st;
}

// ---- Percepts -----------------------------------------------------------------------------------
// The draws about one body in one frame; each is a stream of its own.
typedef enum percept_draw {
    DRAW_DETECTION,
    DRAW_POSITION,  // three
    DRAW_ANGLE = 4, // three
    DRAW_TYPE = 7,
    DRAW_COLOR,
    DRAW_COLOR_UNKNOWN
} percept_draw;

// Each candidate draws under its own name and the highest wins, so that one more of them takes
// nothing from the others but what it wins itself.
static double mistake_stake(rng_key key, uint64_t frame, const char *name) {
    return rng_uniform(rng_key_extend(key, name), frame, 0);
}

// A type of the catalogue: one that looks like `like`, or any if there is none to look like.
static const body_type *draw_type(const sense *s, const body_type *like, rng_key key,
                                  uint64_t frame) {
    const body_type *best = NULL;
    double most = -1;
    key = rng_key_extend(key, "type");
    for (size_t i = 0; i < s->catalogue_count; i++) {
        const body_type *t = s->catalogue[i];
        double now = mistake_stake(key, frame, t->name);
        if (now > most && (!like || (strcmp(t->name, body_type_seen_as(like)) != 0 &&
                                     body_types_alike(t, like)))) {
            most = now;
            best = t;
        }
    }
    return best;
}

// A colour's name: one that is close to `like`, or any.
static const char *draw_color(const vec3 *like, const char *but, rng_key key, uint64_t frame) {
    size_t count;
    const named_color *colors = world_colors(&count);
    const double close = 0.37; // red to orange, white to silver
    const char *best = NULL;
    double most = -1;
    key = rng_key_extend(key, "color");
    for (size_t i = 0; i < count; i++) {
        double now = mistake_stake(key, frame, colors[i].name);
        if (now > most && (!like || ((!but || strcmp(colors[i].name, but) != 0) &&
                                     v3_distance(colors[i].rgb, *like) <= close))) {
            most = now;
            best = colors[i].name;
        }
    }
    return best;
}

static void add_find(sense *s, percept p, size_t entity, bool confused) {
    s->finds[s->find_count++] = (find){
        .percept = p, .entity = entity, .confused = confused, .bearing = atan2(p.at.p.y, p.at.p.x)};
}

// Position and orientation of a body as the camera measures it, in the robot's base frame.
static pose pose_measured(const sense *s, pose truth, pose eye, rng_key key, uint64_t frame) {
    const robot_camera *camera = &s->setup.robot->camera;
    pose into = pose_inverse(sim_base_of(s->setup.sim, s->own.robot)), at = pose_mul(into, truth);
    double sigma =
        camera->position_noise + camera->position_noise_per_metre * v3_distance(truth.p, eye.p);
    double shift[3], turn[3];
    for (uint32_t k = 0; k < 3; k++) {
        shift[k] = sigma * rng_normal(key, frame, DRAW_POSITION + k);
        turn[k] = camera->angle_noise * rng_normal(key, frame, DRAW_ANGLE + k);
    }
    vec3 bias = quat_rotate(quat_mul(into.q, eye.q), camera->position_bias);
    at.p = v3_add(v3_add(at.p, bias), v3(shift[0], shift[1], shift[2]));
    quat turned =
        quat_mul(quat_exp(v3(0, 0, camera->angle_bias)), quat_exp(v3(turn[0], turn[1], turn[2])));
    at.q = quat_unit(quat_mul(turned, at.q));
    return at;
}

static percept percept_named(const sense *s, const world_body *b, rng_key key, uint64_t frame,
                             bool *confused) {
    const robot_camera *camera = &s->setup.robot->camera;
    percept p = {.type = body_type_seen_as(b->type), .color = b->color};
    *confused = false;
    if (rng_uniform(key, frame, DRAW_TYPE) < camera->confusion) {
        const body_type *other = draw_type(s, b->type, key, frame);
        if (other) {
            p.type = other->name;
            *confused = true;
        }
    }
    if (rng_uniform(key, frame, DRAW_COLOR) < camera->color_confusion && b->color) {
        const char *other = draw_color(&b->rgb, b->color, key, frame);
        if (other) {
            p.color = other;
            *confused = true;
        }
    }
    if (rng_uniform(key, frame, DRAW_COLOR_UNKNOWN) < camera->color_unknown)
        p.color = NULL;
    return p;
}

static status log_missed(sense *s, int64_t row, size_t entity, const sighting *seen,
                         const char *why, double probability, error *err) {
    record rec = {.kind = RECORD_MISSED, .id = sink_id(s->setup.log, RECORD_MISSED)};
    rec.MISSED.reading = row;
    rec.MISSED.object = s->setup.entity_objects[entity];
    rec.MISSED.why = why;
    rec.MISSED.probability = probability;
    rec.MISSED.fraction = seen->fraction;
    if (seen->blocker_count > 0)
        rec.MISSED.blocker = s->setup.entity_objects[seen->blockers[0]];
    return sink_put(s->setup.log, &rec, err);
}

// Puts what the frame reports of a visible body among the finds.
static status sense_body(sense *s, int64_t row, size_t body, pose eye, nanos t, error *err) {
    const robot_camera *camera = &s->setup.robot->camera;
    const world_body *b = &s->setup.world->bodies[body];
    const stream *st = &s->streams[STREAM_CAMERA];
    size_t entity = sim_entity_body(body);
    sighting seen;
    stopwatch_start(s->setup.rays);
    camera_look(&s->rays, camera, eye, entity, &seen);
    stopwatch_stop(s->setup.rays);
    const world_exceptions *x = s->setup.world->exceptions;
    bool always = x && x->seen[body] && seen.in_view;
    if (always) {
        seen.fraction = 1;
        seen.blocker_count = 0;
    }
    status result = log_view(s, body, &seen, t, err);
    if (result != OK || s->views[body].state != VIEW_VISIBLE)
        return result;
    rng_key key = rng_key_extend(st->key, b->name);
    pose truth = sim_pose(s->setup.sim, entity);
    const char *why;
    double probability = camera_detection(camera, seen.fraction, v3_distance(truth.p, eye.p), &why);
    if (!always && rng_uniform(key, st->occurrence, DRAW_DETECTION) >= probability)
        return log_missed(s, row, entity, &seen, why, probability, err);
    bool confused;
    percept p = percept_named(s, b, key, st->occurrence, &confused);
    p.at = pose_measured(s, truth, eye, key, st->occurrence);
    add_find(s, p, entity, confused);
    return OK;
}

// ---- Ghosts -------------------------------------------------------------------------------------
// A number of events whose mean is this, from one uniform draw (Poisson's distribution, inverted).
static int events_of(double mean, double u) {
    int count = 0;
    double p = exp(-mean), sum = p;
    while (u >= sum && count < GHOSTS_MAX && p > 0) {
        p *= mean / ++count;
        sum += p;
    }
    return count < GHOSTS_MAX ? count : GHOSTS_MAX;
}

// What is not there: something of the catalogue, upright, on the surface that a point of the
// picture shows, or in the air before it.
static void sense_ghost(sense *s, pose eye, rng_key key, uint64_t frame) {
    enum { ACROSS, UP, DEPTH, IN_AIR, HEADING };
    const robot_camera *camera = &s->setup.robot->camera;
    const body_type *type = draw_type(s, NULL, key, frame);
    if (!type)
        return;
    double across = 2 * rng_uniform(key, frame, ACROSS) - 1;
    double up = 2 * rng_uniform(key, frame, UP) - 1;
    vec3 local = v3(1, across * tan(camera->fov_x / 2), up * tan(camera->fov_y / 2));
    double length = v3_length(local), near = camera->near * length, far = camera->far * length;
    vec3 direction = quat_rotate(eye.q, v3_scale(local, 1 / length));
    double depth = camera_depth(&s->rays, eye, direction);
    if (!(depth >= near && depth <= far) || rng_uniform(key, frame, IN_AIR) < 0.25)
        depth = near + rng_uniform(key, frame, DEPTH) *
                           ((depth >= near && depth <= far ? depth : far) - near);
    pose at = {v3_add(eye.p, v3_scale(direction, depth)),
               quat_exp(v3(0, 0, 2 * PI * rng_uniform(key, frame, HEADING)))};
    percept p = {.type = type->name,
                 .color = draw_color(NULL, NULL, key, frame),
                 .at = pose_mul(pose_inverse(sim_base_of(s->setup.sim, s->own.robot)), at)};
    add_find(s, p, SIZE_MAX, false);
}

static void sense_ghosts(sense *s, pose eye) {
    const stream *st = &s->streams[STREAM_CAMERA];
    rng_key key = rng_key_extend(st->key, "ghost");
    int count =
        events_of(s->setup.robot->camera.false_positives, rng_uniform(key, st->occurrence, 0));
    for (int i = 0; i < count; i++)
        sense_ghost(s, eye, rng_key_count(key, (uint64_t)i + 1), st->occurrence);
}

// ---- Frames -------------------------------------------------------------------------------------
// By bearing from right to left, then by distance: the order tells no more than the poses do.
static int find_order(const void *a, const void *b) {
    const find *x = a, *y = b;
    if (x->bearing != y->bearing)
        return x->bearing < y->bearing ? -1 : 1;
    double near = v3_length(x->percept.at.p), far = v3_length(y->percept.at.p);
    return (near > far) - (near < far);
}

static status log_percept(sense *s, int64_t row, find *f, error *err) {
    percept *p = &f->percept;
    p->id = sink_id(s->setup.log, RECORD_PERCEPT);
    record rec = {.kind = RECORD_PERCEPT, .id = p->id};
    rec.PERCEPT.reading = row;
    rec.PERCEPT.type = p->type;
    rec.PERCEPT.color = p->color;
    rec.PERCEPT.x = p->at.p.x;
    rec.PERCEPT.y = p->at.p.y;
    rec.PERCEPT.z = p->at.p.z;
    rec.PERCEPT.qw = p->at.q.w;
    rec.PERCEPT.qx = p->at.q.x;
    rec.PERCEPT.qy = p->at.q.y;
    rec.PERCEPT.qz = p->at.q.z;
    status st = sink_put(s->setup.log, &rec, err);
    if (st != OK)
        return st;
    record fact = {.kind = RECORD_PERCEPT_TRUTH, .id = sink_id(s->setup.log, RECORD_PERCEPT_TRUTH)};
    fact.PERCEPT_TRUTH.percept = p->id;
    fact.PERCEPT_TRUTH.object = f->entity == SIZE_MAX ? 0 : s->setup.entity_objects[f->entity];
    fact.PERCEPT_TRUTH.confused = f->confused;
    return sink_put(s->setup.log, &fact, err);
}

status sense_camera(sense *s, nanos t, error *err) {
    const robot_camera *camera = &s->setup.robot->camera;
    stream *st = &s->streams[STREAM_CAMERA];
    size_t link = sim_entity_link(s->setup.sim, s->own.link + camera->link);
    pose eye = pose_mul(sim_pose(s->setup.sim, link), camera->at);
    stopwatch_start(s->setup.rays);
    ray_scene_refresh(&s->rays, s->setup.sim);
    camera_aim(&s->rays, camera, eye, link);
    stopwatch_stop(s->setup.rays);
    queued q = {.reading = {.kind = READING_CAMERA,
                            .taken = t,
                            .delivered = t + nanos_from_seconds(camera->delay)}};
    s->find_count = 0;
    status result =
        sense_log_reading(s, &q.reading, "camera", s->setup.camera_object, st, NULL, err);
    for (size_t i = 0; result == OK && i < s->reported_count; i++)
        result = sense_body(s, q.reading.id, s->reported[i], eye, t, err);
    sense_ghosts(s, eye);
    qsort(s->finds, s->find_count, sizeof *s->finds, find_order);
    q.percepts = mem_must(s->find_count + 1, sizeof *q.percepts);
    for (size_t i = 0; result == OK && i < s->find_count; i++) {
        result = log_percept(s, q.reading.id, &s->finds[i], err);
        q.percepts[q.reading.camera.count++] = s->finds[i].percept;
    }
    st->occurrence++;
    q.reading.camera.percepts = q.percepts;
    sense_enqueue(s, q);
    return result;
}
