#include "projector/sense/sense.h"

#include <math.h>

#include "base/mem.h"
#include "base/rng.h"
#include "projector/sense/camera.h"
#include "projector/sense/laser.h"

// The sensors' noise streams: each is keyed by the operation it serves.
typedef enum stream_id { STREAM_ODOMETRY, STREAM_CAMERA, STREAM_LASER, STREAM_FIRST_USE } stream_id;

typedef struct stream {
    unsigned uses; // the operations that it serves
    const char *sensor;
    rng_key key;         // of seed, sensor, the operation's static path and its occurrence
    uint64_t occurrence; // readings since the operation began
    int64_t operation;   // log id; 0 between operations
} stream;

typedef struct queued {
    reading reading;
    double *numbers; // positions and velocities, ranges
    percept *percepts;
} queued;

// The last logged state of a body in the camera's view.
typedef struct view {
    int64_t row; // of VISIBILITY, 0: not in view
    bool visible;
} view;

// A body found in the frame that is being taken.
typedef struct find {
    percept percept;
    size_t entity; // what it truly is
    double bearing;
} find;

struct sense {
    sense_setup setup;
    ray_scene rays;
    bool camera_on, laser_on;
    nanos camera_due, laser_due, odometry_due, cycle_due;
    nanos odometry_last, cycle_last;
    pose last_base;  // at the last odometry reading
    double twist[3]; // smoothed velocity of the last odometry reading
    double *joints;  // positions of the last encoder reading, then smoothed velocities
    bool moved;      // there was an encoder reading
    stream *streams; // odometry, camera, laser, torso and head, then arm and gripper of each arm
    size_t stream_count;
    ARRAY(queued) queue; // ordered by delivery
    queued given;        // what sense_next gave last; freed at the next call
    view *views;         // by body
    find *finds;         // scratch of one frame
    size_t find_count;
    double *logged; // encoder positions as last logged
    double *logged_gripper;
    int64_t *grippers; // their log ids, by arm
    double *scan;
    arena *text; // of one record's numbers
};

static size_t stream_of_head(void) {
    return STREAM_FIRST_USE;
}

static size_t stream_of_arm(size_t arm) {
    return STREAM_FIRST_USE + 1 + 2 * arm;
}

static size_t stream_of_gripper(size_t arm) {
    return STREAM_FIRST_USE + 2 + 2 * arm;
}

static void stream_reset(stream *st, uint64_t seed, const operation *op, const char *phase) {
    rng_key key = rng_key_make(seed, st->sensor, op ? op->path : "");
    key = rng_key_count(key, op ? op->occurrence : 0);
    st->key = rng_key_extend(key, phase);
    st->occurrence = 0;
}

status sense_create(const sense_setup *setup, sense **out, error *err) {
    sense *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(err, E_MEMORY, "no memory for the sensors");
    s->setup = *setup;
    const robot_model *r = setup->robot;
    status st = ray_scene_create(setup->world, r, setup->sim, &s->rays, err);
    if (st != OK) {
        free(s);
        return st;
    }
    s->stream_count = STREAM_FIRST_USE + 1 + 2 * r->arm_count;
    s->streams = calloc(s->stream_count, sizeof *s->streams);
    s->views = calloc(setup->world->body_count + 1, sizeof *s->views);
    s->finds = calloc(setup->world->body_count + 1, sizeof *s->finds);
    s->joints = calloc(2 * r->joint_count + 1, sizeof *s->joints);
    s->logged = calloc(r->joint_count + 1, sizeof *s->logged);
    s->logged_gripper = calloc(4 * r->arm_count + 1, sizeof *s->logged_gripper);
    s->scan = calloc((size_t)(r->laser.beams > 0 ? r->laser.beams : 1), sizeof *s->scan);
    s->grippers = calloc(r->arm_count + 1, sizeof *s->grippers);
    s->text = arena_create();
    if (!s->streams || !s->views || !s->finds || !s->joints || !s->logged || !s->logged_gripper ||
        !s->scan || !s->grippers || !s->text) {
        sense_destroy(s);
        return error_set(err, E_MEMORY, "no memory for the sensors");
    }
    memcpy(s->grippers, setup->gripper_objects, r->arm_count * sizeof *s->grippers);
    s->setup.gripper_objects = s->grippers;
    s->streams[STREAM_ODOMETRY] = (stream){.uses = USE_BASE, .sensor = "odometry"};
    s->streams[STREAM_CAMERA] = (stream){.uses = USE_CAMERA, .sensor = "camera"};
    s->streams[STREAM_LASER] = (stream){.uses = USE_LASER, .sensor = "laser"};
    s->streams[stream_of_head()] = (stream){.uses = USE_HEAD | USE_TORSO, .sensor = "encoders"};
    for (size_t i = 0; i < r->arm_count; i++) {
        s->streams[stream_of_arm(i)] = (stream){.uses = use_arm(i), .sensor = "encoders"};
        s->streams[stream_of_gripper(i)] = (stream){.uses = use_gripper(i), .sensor = "gripper"};
    }
    for (size_t i = 0; i < s->stream_count; i++)
        stream_reset(&s->streams[i], setup->seed, NULL, "before");
    for (size_t i = 0; i < r->joint_count; i++)
        s->logged[i] = NAN;
    for (size_t i = 0; i < 4 * r->arm_count; i++)
        s->logged_gripper[i] = NAN;
    s->last_base = sim_base(setup->sim);
    *out = s;
    return OK;
}

static void queued_free(queued *q) {
    free(q->numbers);
    free(q->percepts);
    *q = (queued){0};
}

void sense_destroy(sense *s) {
    if (!s)
        return;
    ray_scene_finish(&s->rays);
    for (size_t i = 0; i < s->queue.count; i++)
        queued_free(&s->queue.items[i]);
    array_finish(&s->queue);
    queued_free(&s->given);
    free(s->streams);
    free(s->views);
    free(s->finds);
    free(s->joints);
    free(s->logged);
    free(s->logged_gripper);
    free(s->grippers);
    free(s->scan);
    arena_destroy(s->text);
    free(s);
}

void sense_begin(sense *s, const operation *op) {
    for (size_t i = 0; i < s->stream_count; i++)
        if (s->streams[i].uses & op->uses) {
            s->streams[i].operation = op->id;
            stream_reset(&s->streams[i], s->setup.seed, op, "during");
        }
}

void sense_end(sense *s, const operation *op) {
    for (size_t i = 0; i < s->stream_count; i++)
        if ((s->streams[i].uses & op->uses) && s->streams[i].operation == op->id) {
            s->streams[i].operation = 0;
            stream_reset(&s->streams[i], s->setup.seed, op, "after");
        }
}

int64_t sense_operation(const sense *s, unsigned uses) {
    int64_t latest = 0;
    for (size_t i = 0; i < s->stream_count; i++)
        if ((s->streams[i].uses & uses) && s->streams[i].operation > latest)
            latest = s->streams[i].operation;
    return latest;
}

// ---- The queue
// -----------------------------------------------------------------------------------

static void enqueue(sense *s, queued q) {
    array_push(&s->queue, q);
    // Stable insertion by time of delivery.
    for (size_t i = s->queue.count - 1;
         i > 0 && s->queue.items[i - 1].reading.delivered > s->queue.items[i].reading.delivered;
         i--) {
        queued swap = s->queue.items[i];
        s->queue.items[i] = s->queue.items[i - 1];
        s->queue.items[i - 1] = swap;
    }
}

bool sense_next(sense *s, nanos t, reading *out) {
    queued_free(&s->given);
    if (s->queue.count == 0 || s->queue.items[0].reading.delivered > t)
        return false;
    s->given = s->queue.items[0];
    s->queue.count--;
    memmove(s->queue.items, s->queue.items + 1, s->queue.count * sizeof *s->queue.items);
    *out = s->given.reading;
    return true;
}

// The READING record; `st` NULL for encoders, which serve every operation; value NULL for camera
// frames.
static status log_reading(sense *s, reading *r, const char *kind, int64_t sensor, const stream *st,
                          const char *value, error *err) {
    r->id = sink_id(s->setup.log, RECORD_READING);
    record rec = {.kind = RECORD_READING, .id = r->id};
    rec.READING.agent = s->setup.agent;
    rec.READING.sensor = sensor;
    rec.READING.kind = kind;
    rec.READING.operation = st ? st->operation : 0;
    rec.READING.taken_ns = r->taken;
    rec.READING.delivered_ns = r->delivered;
    rec.READING.value = value;
    return sink_put(s->setup.log, &rec, err);
}

// Appends a number with this many decimals, without the zeros at its end; locales play no part.
static char *number_text(char *out, double v, int decimals) {
    if (!isfinite(v)) {
        memcpy(out, "none", 4);
        return out + 4;
    }
    int64_t scale = 1;
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    int64_t n = llround(fabs(v) * (double)scale);
    if (v < 0 && n != 0)
        *out++ = '-';
    char digits[24];
    int count = 0;
    do
        digits[count++] = (char)('0' + n % 10);
    while ((n /= 10) > 0 || count <= decimals);
    int zeros = 0;
    while (zeros < decimals - 1 && digits[zeros] == '0')
        zeros++;
    while (count > zeros) {
        *out++ = digits[--count];
        if (count == decimals)
            *out++ = '.';
    }
    return out;
}

// Numbers of a sensor with this many decimals, as a list term's text.
static const char *numbers_text(arena *a, const double *v, size_t count, int decimals) {
    char *text = arena_alloc(a, count * 26 + 3), *out = text;
    *out++ = '[';
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            *out++ = ',';
            *out++ = ' ';
        }
        out = number_text(out, v[i], decimals);
    }
    *out++ = ']';
    *out = 0;
    return text;
}

// What a sensor of this resolution would report.
static double quantise(double v, double resolution) {
    return round(v / resolution) * resolution;
}

// ---- The sensors
// ---------------------------------------------------------------------------------

static const stream *joint_stream(sense *s, size_t joint) {
    const robot_model *r = s->setup.robot;
    for (size_t i = 0; i < r->arm_count; i++)
        for (int k = 0; k < 7; k++)
            if (r->arms[i].joints[k] == joint)
                return &s->streams[stream_of_arm(i)];
    return &s->streams[stream_of_head()];
}

static const double ENCODER_RESOLUTION = 1e-5;

// A sensor's velocity: the change of what it measures, through a low-pass filter of first order.
static void smooth(double *velocity, double change, double elapsed) {
    const double lag = 0.05;
    if (elapsed > 0)
        *velocity += (change / elapsed - *velocity) * elapsed / (lag + elapsed);
}

static status sense_encoders(sense *s, nanos t, double elapsed, error *err) {
    const robot_model *r = s->setup.robot;
    queued q = {.reading = {.kind = READING_ENCODERS, .taken = t, .delivered = t}};
    size_t n = r->joint_count;
    q.numbers = calloc(2 * n + 1, sizeof *q.numbers);
    ASSERT(q.numbers);
    const double *position = sim_joint_positions(s->setup.sim);
    double *last = s->joints, *velocity = s->joints + n;
    // Six sigmas: two readings of a joint at rest hardly ever differ by more.
    double noise = r->encoder_noise, least = fmax(6 * noise, 1e-4);
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        const stream *st = joint_stream(s, i);
        rng_key key = rng_key_extend(st->key, r->joints[i].name);
        double error_now = noise > 0 ? noise * rng_normal(key, st->occurrence, 0) : 0;
        q.numbers[i] = quantise(position[i] + error_now, ENCODER_RESOLUTION);
        if (s->moved)
            smooth(&velocity[i], q.numbers[i] - last[i], elapsed);
        last[i] = q.numbers[i];
        q.numbers[n + i] = quantise(velocity[i], 1e-3);
        changed |= !(fabs(q.numbers[i] - s->logged[i]) <= least); // the first: NAN
    }
    s->moved = true;
    q.reading.encoders.count = n;
    q.reading.encoders.position = q.numbers;
    q.reading.encoders.velocity = q.numbers + n;
    status st = OK;
    if (changed) {
        memcpy(s->logged, q.numbers, n * sizeof *s->logged);
        arena_reset(s->text);
        st = log_reading(s, &q.reading, "encoders", s->setup.robot_object, NULL,
                         numbers_text(s->text, q.numbers, n, 5), err);
    }
    enqueue(s, q);
    return st;
}

static status sense_grippers(sense *s, nanos t, error *err) {
    const robot_model *r = s->setup.robot;
    for (size_t arm = 0; arm < r->arm_count; arm++) {
        stream *st = &s->streams[stream_of_gripper(arm)];
        rng_key key = rng_key_extend(st->key, r->arms[arm].gripper.name);
        double f1 = sim_gripper_force(s->setup.sim, arm, 1);
        double f2 = sim_gripper_force(s->setup.sim, arm, 2);
        double force = fmax(0, 0.5 * (f1 + f2) * (1 + 0.05 * rng_normal(key, st->occurrence, 0)));
        double opening =
            sim_gripper_opening(s->setup.sim, arm) + 2e-4 * rng_normal(key, st->occurrence, 1);
        vec3 v1, v2, spin;
        sim_velocity(s->setup.sim, sim_entity_finger(s->setup.sim, arm, 1), &v1, &spin);
        sim_velocity(s->setup.sim, sim_entity_finger(s->setup.sim, arm, 2), &v2, &spin);
        st->occurrence++;
        queued q = {.reading = {.kind = READING_GRIPPER, .taken = t, .delivered = t}};
        q.reading.gripper.arm = arm;
        q.reading.gripper.opening = quantise(fmax(0, opening), 1e-4);
        q.reading.gripper.force = quantise(force, 0.1);
        q.reading.gripper.touch_1 = f1 > 0.5;
        q.reading.gripper.touch_2 = f2 > 0.5;
        q.reading.gripper.moving = v3_distance(v1, v2) > 2e-3;
        // A row when it changed by more than its noise.
        double now[4] = {q.reading.gripper.opening, q.reading.gripper.force, f1 > 0.5, f2 > 0.5};
        double *last = &s->logged_gripper[4 * arm];
        bool changed = !(fabs(now[0] - last[0]) < 1e-3) ||
                       !(fabs(now[1] - last[1]) < 0.2 * fmax(5, last[1])) || now[2] != last[2] ||
                       now[3] != last[3];
        status status_now = OK;
        if (changed) {
            memcpy(last, now, sizeof now);
            arena_reset(s->text);
            status_now = log_reading(s, &q.reading, "gripper", s->setup.gripper_objects[arm], st,
                                     numbers_text(s->text, now, 4, 4), err);
        }
        enqueue(s, q);
        if (status_now != OK)
            return status_now;
    }
    return OK;
}

// The base's motion since the last reading, with a random walk of position and heading that grows
// with the root of the way, and the systematic error of a badly calibrated drive.
static status sense_odometry(sense *s, nanos t, double elapsed, error *err) {
    const robot_model *r = s->setup.robot;
    stream *st = &s->streams[STREAM_ODOMETRY];
    pose now = sim_base(s->setup.sim);
    pose step = pose_mul(pose_inverse(s->last_base), now);
    double dyaw = quat_yaw(step.q);
    double way = hypot(step.p.x, step.p.y) + r->base_radius * fabs(dyaw);
    double dx = step.p.x, dy = step.p.y;
    queued q = {.reading = {.kind = READING_ODOMETRY, .taken = t, .delivered = t}};
    if (way > 1e-7) {
        rng_key key = rng_key_extend(st->key, "base");
        double root = sqrt(way), heading = atan2(dy, dx), length = hypot(dx, dy);
        dx += r->odometry_noise * root * rng_normal(key, st->occurrence, 0) -
              r->odometry_bias * length * sin(heading);
        dy += r->odometry_noise * root * rng_normal(key, st->occurrence, 1) +
              r->odometry_bias * length * cos(heading);
        dyaw += r->odometry_angle_noise * root * rng_normal(key, st->occurrence, 2) +
                r->odometry_angle_bias * way;
        st->occurrence++;
    }
    s->last_base = now;
    q.reading.odometry.dx = quantise(dx, 1e-7);
    q.reading.odometry.dy = quantise(dy, 1e-7);
    q.reading.odometry.dyaw = quantise(dyaw, 1e-7);
    double change[3] = {q.reading.odometry.dx, q.reading.odometry.dy, q.reading.odometry.dyaw};
    for (int k = 0; k < 3; k++)
        smooth(&s->twist[k], change[k], elapsed);
    q.reading.odometry.vx = quantise(s->twist[0], 1e-4);
    q.reading.odometry.vy = quantise(s->twist[1], 1e-4);
    q.reading.odometry.wz = quantise(s->twist[2], 1e-4);
    status result = OK;
    if (way > 1e-7) {
        arena_reset(s->text);
        result = log_reading(s, &q.reading, "odometry", s->setup.robot_object, st,
                             numbers_text(s->text, change, 3, 7), err);
    }
    enqueue(s, q);
    return result;
}

static status sense_laser(sense *s, nanos t, error *err) {
    const robot_model *r = s->setup.robot;
    stream *st = &s->streams[STREAM_LASER];
    size_t link = sim_entity_link(s->setup.sim, r->laser.link);
    ray_scene_refresh(&s->rays, s->setup.sim);
    laser_scan(&s->rays, &r->laser, pose_mul(sim_pose(s->setup.sim, link), r->laser.at), link,
               s->scan);
    queued q = {.reading = {.kind = READING_LASER,
                            .taken = t,
                            .delivered = t + nanos_from_seconds(r->laser.delay)}};
    size_t n = (size_t)r->laser.beams;
    q.numbers = calloc(n + 1, sizeof *q.numbers);
    ASSERT(q.numbers);
    rng_key key = rng_key_extend(st->key, r->laser.name);
    for (size_t i = 0; i < n; i++)
        q.numbers[i] =
            isfinite(s->scan[i])
                ? fmax(0, quantise(s->scan[i] + r->laser.noise *
                                                    rng_normal(key, st->occurrence, (uint32_t)i),
                                   1e-3))
                : INFINITY;
    st->occurrence++;
    q.reading.laser.count = n;
    q.reading.laser.ranges = q.numbers;
    arena_reset(s->text);
    status result = log_reading(s, &q.reading, "laser", s->setup.laser_object, st,
                                numbers_text(s->text, q.numbers, n, 3), err);
    enqueue(s, q);
    return result;
}

static status close_view(sense *s, size_t body, nanos t, error *err) {
    if (!s->views[body].row)
        return OK;
    record rec = {.kind = RECORD_VISIBILITY, .id = s->views[body].row};
    rec.VISIBILITY.end_ns = t;
    s->views[body].row = 0;
    return sink_end(s->setup.log, &rec, err);
}

// Opens, ends or keeps the interval of one body in the camera's view; with hysteresis about the
// least visible share, so that a body at its edge does not flicker.
static status log_view(sense *s, size_t body, const sighting *seen, nanos t, error *err) {
    const robot_camera *camera = &s->setup.robot->camera;
    view *v = &s->views[body];
    double least = v->row && v->visible ? 0.4 * camera->min_visible : camera->min_visible;
    bool visible = seen->fraction >= least;
    // What only the frame's edge cuts off is out of view, not occluded.
    if (!seen->in_view || (!visible && seen->blocker_count == 0))
        return close_view(s, body, t, err);
    if (v->row && v->visible == visible)
        return OK;
    status st = close_view(s, body, t, err);
    if (st != OK)
        return st;
    *v = (view){sink_id(s->setup.log, RECORD_VISIBILITY), visible};
    record rec = {.kind = RECORD_VISIBILITY, .id = v->row};
    rec.VISIBILITY.camera = s->setup.camera_object;
    rec.VISIBILITY.object = s->setup.entity_objects[sim_entity_body(body)];
    rec.VISIBILITY.start_ns = t;
    rec.VISIBILITY.end_ns = TIME_OPEN;
    rec.VISIBILITY.state = visible ? "visible" : "occluded";
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

// Puts what the frame reports of a visible body among the finds: type, colour and a noisy pose in
// the robot's base frame.
static status sense_body(sense *s, int64_t frame, size_t body, pose eye, nanos t, error *err) {
    const robot_camera *camera = &s->setup.robot->camera;
    const world_body *b = &s->setup.world->bodies[body];
    stream *st = &s->streams[STREAM_CAMERA];
    size_t entity = sim_entity_body(body);
    sighting seen;
    camera_look(&s->rays, camera, eye, sim_entity_link(s->setup.sim, s->setup.robot->camera.link),
                entity, &seen);
    status result = log_view(s, body, &seen, t, err);
    if (result != OK || !s->views[body].row || !s->views[body].visible)
        return result;
    rng_key key = rng_key_extend(st->key, b->name);
    if (rng_uniform(key, st->occurrence, 0) >= camera->detection_rate) {
        record rec = {.kind = RECORD_MISSED, .id = sink_id(s->setup.log, RECORD_MISSED)};
        rec.MISSED.reading = frame;
        rec.MISSED.object = s->setup.entity_objects[entity];
        return sink_put(s->setup.log, &rec, err);
    }
    pose truth = sim_pose(s->setup.sim, entity);
    double sigma =
        camera->position_noise + camera->position_noise_per_metre * v3_distance(truth.p, eye.p);
    vec3 turn = v3_scale(v3(rng_normal(key, st->occurrence, 4), rng_normal(key, st->occurrence, 5),
                            rng_normal(key, st->occurrence, 6)),
                         camera->angle_noise);
    pose at = pose_mul(pose_inverse(sim_base(s->setup.sim)), truth);
    at.p = v3_add(
        at.p, v3_scale(v3(rng_normal(key, st->occurrence, 1), rng_normal(key, st->occurrence, 2),
                          rng_normal(key, st->occurrence, 3)),
                       sigma));
    at.q = quat_unit(quat_mul(quat_exp(turn), at.q));
    s->finds[s->find_count++] =
        (find){{0, b->type->name, b->color, at}, entity, atan2(at.p.y, at.p.x)};
    return OK;
}

// By bearing from right to left, then by distance: the order tells no more than the poses do.
static int find_order(const void *a, const void *b) {
    const find *x = a, *y = b;
    if (x->bearing != y->bearing)
        return x->bearing < y->bearing ? -1 : 1;
    double near = v3_length(x->percept.at.p), far = v3_length(y->percept.at.p);
    return (near > far) - (near < far);
}

static status log_percept(sense *s, int64_t frame, percept *p, size_t entity, error *err) {
    p->id = sink_id(s->setup.log, RECORD_PERCEPT);
    record rec = {.kind = RECORD_PERCEPT, .id = p->id};
    rec.PERCEPT.reading = frame;
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
    fact.PERCEPT_TRUTH.object = s->setup.entity_objects[entity];
    return sink_put(s->setup.log, &fact, err);
}

static status sense_camera(sense *s, nanos t, error *err) {
    const world_model *w = s->setup.world;
    const robot_camera *camera = &s->setup.robot->camera;
    stream *st = &s->streams[STREAM_CAMERA];
    pose eye =
        pose_mul(sim_pose(s->setup.sim, sim_entity_link(s->setup.sim, camera->link)), camera->at);
    ray_scene_refresh(&s->rays, s->setup.sim);
    queued q = {.reading = {.kind = READING_CAMERA,
                            .taken = t,
                            .delivered = t + nanos_from_seconds(camera->delay)}};
    q.percepts = calloc(w->body_count + 1, sizeof *q.percepts);
    ASSERT(q.percepts);
    s->find_count = 0;
    status result = log_reading(s, &q.reading, "camera", s->setup.camera_object, st, NULL, err);
    for (size_t i = 0; result == OK && i < w->body_count; i++)
        if (!w->bodies[i].known) // what it knows a priori it does not look for
            result = sense_body(s, q.reading.id, i, eye, t, err);
    qsort(s->finds, s->find_count, sizeof *s->finds, find_order);
    for (size_t i = 0; result == OK && i < s->find_count; i++) {
        result = log_percept(s, q.reading.id, &s->finds[i].percept, s->finds[i].entity, err);
        q.percepts[q.reading.camera.count++] = s->finds[i].percept;
    }
    st->occurrence++;
    q.reading.camera.percepts = q.percepts;
    enqueue(s, q);
    return result;
}

void sense_power(sense *s, command_kind which, bool on) {
    if (which == COMMAND_CAMERA)
        s->camera_on = on;
    else if (which == COMMAND_LASER)
        s->laser_on = on;
}

// Whether a sensor of this rate is due, and when it is next.
static bool due(nanos *next, nanos t, double rate) {
    if (t < *next)
        return false;
    nanos period = nanos_from_seconds(1 / rate);
    *next = *next + period > t ? *next + period : t + period;
    return true;
}

status sense_step(sense *s, nanos t, error *err) {
    const robot_model *r = s->setup.robot;
    status st = OK;
    if (t >= s->cycle_due) {
        s->cycle_due = t + s->setup.cycle;
        st = sense_encoders(s, t, seconds(t - s->cycle_last), err);
        s->cycle_last = t;
        if (st == OK)
            st = sense_grippers(s, t, err);
        for (size_t i = STREAM_FIRST_USE; i < s->stream_count; i++)
            if (i == stream_of_head() || (i - STREAM_FIRST_USE) % 2 == 1)
                s->streams[i].occurrence++;
    }
    if (st == OK && due(&s->odometry_due, t, r->odometry_rate)) {
        st = sense_odometry(s, t, seconds(t - s->odometry_last), err);
        s->odometry_last = t;
    }
    if (st == OK && s->laser_on && due(&s->laser_due, t, r->laser.rate))
        st = sense_laser(s, t, err);
    if (st == OK && s->camera_on && due(&s->camera_due, t, r->camera.rate))
        st = sense_camera(s, t, err);
    if (st == OK && !s->camera_on)
        st = sense_finish(s, t, err);
    return st;
}

status sense_finish(sense *s, nanos t, error *err) {
    for (size_t i = 0; i < s->setup.world->body_count; i++) {
        status st = close_view(s, i, t, err);
        if (st != OK)
            return st;
    }
    return OK;
}
