// projector/sense/sense.c - the senses: when each of them measures, and what it delivers.
#include "projector/sense/sense.h"

#include <math.h>

#include "projector/sense/sense_int.h"

static void stream_reset(stream *st, const operation *op, const char *phase) {
    rng_key key = rng_key_make(st->seed, st->sensor, op ? op->path : "");
    key = rng_key_count(key, op ? op->occurrence : 0);
    st->key = rng_key_extend(key, phase);
    st->occurrence = 0;
}

// Bodies that the robot knows a priori are not looked for, unless they can move.
static void find_reported(sense *s) {
    const world_model *w = s->setup.world;
    s->reported_count = s->catalogue_count = 0;
    for (size_t i = 0; i < w->body_count; i++)
        if (!w->bodies[i].particle && (!w->bodies[i].known || world_joint_of(w, i) >= 0))
            s->reported[s->reported_count++] = i;
    for (size_t i = 0; i < w->type_count; i++) {
        bool named = w->types[i].mass > 0;
        for (size_t k = 0; named && k < w->body_count; k++)
            named = w->bodies[k].type != &w->types[i] ||
                    !(w->bodies[k].particle || world_joint_of(w, k) >= 0);
        if (named)
            s->catalogue[s->catalogue_count++] = &w->types[i];
    }
}

static void seed_stream(const sense *s, stream *st) {
    st->seed = s->setup.seed;
    for (size_t k = 0; s->setup.conditions && k < s->setup.conditions->count; k++) {
        const setting *c = &s->setup.conditions->items[k];
        if (strcmp(c->scope, "placebo") == 0 && strcmp(c->name, st->sensor) == 0)
            st->seed = rng_key_make(s->setup.seed, c->scope, c->value).hash;
    }
}

static void name_streams(sense *s) {
    const robot_model *r = s->setup.robot;
    s->streams[STREAM_ODOMETRY] = (stream){.uses = USE_BASE, .sensor = "odometry"};
    s->streams[STREAM_CAMERA] = (stream){.uses = USE_CAMERA, .sensor = "camera"};
    s->streams[STREAM_LASER] = (stream){.uses = USE_LASER, .sensor = "laser"};
    s->streams[STREAM_HEAD] = (stream){.uses = USE_HEAD | USE_TORSO, .sensor = "encoders"};
    s->streams[STREAM_TRACKER] = (stream){.sensor = "tracker"};
    s->streams[STREAM_DETECTOR] = (stream){.sensor = "detector"};
    for (size_t i = 0; i < r->arm_count; i++) {
        s->streams[stream_of_arm(i)] = (stream){.uses = use_arm(i), .sensor = "encoders"};
        s->streams[stream_of_gripper(i)] = (stream){.uses = use_gripper(i), .sensor = "gripper"};
        s->streams[stream_of_wrist(i)] = (stream){.uses = use_arm(i), .sensor = "wrist"};
        s->streams[stream_of_torques(i)] = (stream){.uses = use_arm(i), .sensor = "torques"};
    }
    for (size_t i = 0; i < s->stream_count; i++) {
        seed_stream(s, &s->streams[i]);
        stream_reset(&s->streams[i], NULL, "before");
    }
}

void sense_create(const sense_setup *setup, sense **out) {
    sense *s = mem_must(1, sizeof *s);
    s->setup = *setup;
    s->own = sim_part_of(setup->sim, setup->number);
    const robot_model *r = setup->robot;
    const world_model *w = setup->world;
    ray_scene_init(w, setup->sim, &s->rays);
    s->stream_count = STREAM_ARMS + 4 * r->arm_count;
    s->streams = mem_must(s->stream_count, sizeof *s->streams);
    s->views = mem_must(w->body_count + 1, sizeof *s->views);
    s->reported = mem_must(w->body_count + 1, sizeof *s->reported);
    s->catalogue = mem_must(w->type_count + 1, sizeof *s->catalogue);
    s->finds = mem_must(w->body_count + GHOSTS_MAX, sizeof *s->finds);
    s->joints = mem_must(2 * r->joint_count + 1, sizeof *s->joints);
    s->links = mem_must(r->link_count + 1, sizeof *s->links);
    s->logged = mem_must(r->joint_count + 1, sizeof *s->logged);
    s->logged_gripper = mem_must(4 * r->arm_count + 1, sizeof *s->logged_gripper);
    s->wrists = mem_must(r->arm_count + 1, sizeof *s->wrists);
    s->torques = mem_must(r->arm_count + 1, sizeof *s->torques);
    s->clearances = mem_must(r->arm_count + 1, sizeof *s->clearances);
    s->finely = mem_must(r->joint_count + 1, sizeof *s->finely);
    s->scan = mem_must((size_t)(r->laser.beams > 0 ? r->laser.beams : 1), sizeof *s->scan);
    s->grippers = mem_must(r->arm_count + 1, sizeof *s->grippers);
    s->wrist_objects = mem_must(r->arm_count + 1, sizeof *s->wrist_objects);
    s->markers = mem_must(setup->peer_count + 1, sizeof *s->markers);
    s->detected = mem_must(setup->peer_count + 1, sizeof *s->detected);
    s->peers = mem_must(setup->peer_count + 1, sizeof *s->peers);
    if (setup->peer_count > 0)
        memcpy(s->peers, setup->peers, setup->peer_count * sizeof *s->peers);
    s->setup.peers = s->peers;
    s->text = arena_create();
    memcpy(s->grippers, setup->gripper_objects, r->arm_count * sizeof *s->grippers);
    s->setup.gripper_objects = s->grippers;
    if (setup->wrist_objects)
        memcpy(s->wrist_objects, setup->wrist_objects, r->arm_count * sizeof *s->wrist_objects);
    s->setup.wrist_objects = s->wrist_objects;
    name_streams(s);
    find_reported(s);
    for (size_t i = 0; i < r->joint_count; i++)
        s->logged[i] = NAN;
    for (size_t i = 0; i < r->arm_count; i++)
        s->clearances[i] = NAN;
    for (size_t i = 0; i < 4 * r->arm_count; i++)
        s->logged_gripper[i] = NAN;
    wrist_states_init(s);
    torque_states_init(s);
    s->last_base = sim_base_of(setup->sim, setup->number);
    s->links_at = -1;
    *out = s;
}

void sense_follow(sense *s) {
    ray_scene_follow(&s->rays, s->setup.world);
    find_reported(s);
}

void sense_reseed(sense *s, uint64_t seed) {
    s->setup.seed = seed;
    for (size_t i = 0; i < s->stream_count; i++) {
        stream *st = &s->streams[i];
        seed_stream(s, st);
        // An operation that goes on draws anew, too.
        st->key = rng_key_count(rng_key_extend(st->key, "reseeded"), st->seed);
    }
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
    free(s->reported);
    free(s->catalogue);
    free(s->finds);
    free(s->joints);
    free(s->links);
    free(s->markers);
    free(s->detected);
    free(s->peers);
    free(s->logged);
    free(s->logged_gripper);
    torque_states_finish(s);
    free(s->torques);
    free(s->clearances);
    free(s->finely);
    free(s->wrists);
    free(s->grippers);
    free(s->wrist_objects);
    free(s->scan);
    arena_destroy(s->text);
    free(s);
}

void sense_begin(sense *s, const operation *op) {
    for (size_t i = 0; i < s->stream_count; i++)
        if (s->streams[i].uses & op->uses) {
            s->streams[i].operation = op->id;
            stream_reset(&s->streams[i], op, "during");
        }
}

void sense_end(sense *s, const operation *op) {
    for (size_t i = 0; i < s->stream_count; i++)
        if ((s->streams[i].uses & op->uses) && s->streams[i].operation == op->id) {
            s->streams[i].operation = 0;
            stream_reset(&s->streams[i], op, "after");
        }
}

int64_t sense_operation(const sense *s, unsigned uses) {
    int64_t latest = 0;
    for (size_t i = 0; i < s->stream_count; i++)
        if ((s->streams[i].uses & uses) && s->streams[i].operation > latest)
            latest = s->streams[i].operation;
    return latest;
}

// ---- The queue ----------------------------------------------------------------------------------
void sense_enqueue(sense *s, queued q) {
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
    array_remove(&s->queue, 0);
    *out = s->given.reading;
    return true;
}

status sense_log_reading(sense *s, reading *r, const char *kind, int64_t sensor, const stream *st,
                         const char *value, error *err) {
    r->id = sink_id(s->setup.log, RECORD_READING);
    record rec = {.kind = RECORD_READING, .id = r->id};
    rec.READING.agent = s->setup.agent;
    rec.READING.sensor = sensor;
    rec.READING.kind = kind;
    rec.READING.operation = st ? st->operation : 0;
    rec.READING.taken_ns = r->taken;
    rec.READING.delivered_ns = r->delivered != r->taken ? r->delivered : TIME_OPEN;
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

const char *sense_numbers_text(sense *s, const double *v, size_t count, int decimals) {
    arena_reset(s->text);
    char *text = arena_alloc(s->text, count * 26 + 3), *out = text;
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

double sense_quantise(double v, double resolution) {
    return round(v / resolution) * resolution;
}

// ---- Cycles -------------------------------------------------------------------------------------
void sense_power(sense *s, command_kind which, bool on) {
    if (which == COMMAND_CAMERA)
        s->camera_on = on;
    else if (which == COMMAND_LASER)
        s->laser_on = on;
}

void sense_seek(sense *s, const command *c) {
    s->sought = c->pole.type ? world_find_type(s->setup.world, c->pole.type) : NULL;
    s->sought_diameter = c->pole.diameter;
    s->sought_at = c->pole.expected;
}

// Returns whether a sensor of this period is due, and when it is next.
static bool sensor_due(nanos *next, nanos t, nanos period) {
    if (t < *next)
        return false;
    *next = *next + period > t ? *next + period : t + period;
    return true;
}

static nanos period_of(double rate, nanos otherwise) {
    return rate > 0 ? nanos_from_seconds(1 / rate) : otherwise;
}

static status sense_arm(sense *s, size_t arm, nanos t, error *err) {
    const robot_wrist *wrist = &s->setup.robot->arms[arm].wrist;
    const robot_torques *torques = &s->setup.robot->arms[arm].torques;
    status st = OK;
    if (wrist->present) {
        sense_wrist_step(s, arm);
        if (sensor_due(&s->wrists[arm].due, t, period_of(wrist->rate, s->setup.cycle)))
            st = sense_wrist(s, arm, t, err);
    }
    if (torques->present) {
        sense_torques_step(s, arm, t);
        if (st == OK &&
            sensor_due(&s->torques[arm].due, t, period_of(torques->rate, s->setup.cycle)))
            st = sense_torques(s, arm, t, err);
    }
    return st;
}

// Whether there is anybody whom a detector could recognise.
static bool detects(const sense *s) {
    return s->setup.robot->detector.present && s->setup.peer_count > 0;
}

static status sense_self(sense *s, nanos t, error *err) {
    const robot_model *r = s->setup.robot;
    status st = OK;
    bool cycle = sensor_due(&s->clearances_due, t, s->setup.cycle);
    for (size_t arm = 0; st == OK && cycle && arm < r->arm_count; arm++)
        st = sense_clearance(s, arm, t, err);
    if (st == OK && sensor_due(&s->encoders_due, t, period_of(r->encoder_rate, s->setup.cycle)))
        st = sense_encoders(s, t, err);
    if (st == OK && sensor_due(&s->grippers_due, t, period_of(r->touch.rate, s->setup.cycle)))
        st = sense_grippers(s, t, err);
    for (size_t arm = 0; st == OK && arm < r->arm_count; arm++)
        st = sense_arm(s, arm, t, err);
    if (st == OK && sensor_due(&s->odometry_due, t, period_of(r->odometry_rate, s->setup.cycle)))
        st = sense_odometry(s, t, err);
    if (st == OK && r->tracker.present &&
        sensor_due(&s->tracker_due, t, period_of(r->tracker.rate, s->setup.cycle)))
        st = sense_tracker(s, t, err);
    if (st == OK && detects(s) &&
        sensor_due(&s->detector_due, t, period_of(r->detector.rate, s->setup.cycle)))
        st = sense_detector(s, t, err);
    return st;
}

status sense_step(sense *s, nanos t, error *err) {
    const robot_model *r = s->setup.robot;
    status st = sense_self(s, t, err);
    if (st == OK && s->laser_on &&
        sensor_due(&s->laser_due, t, period_of(r->laser.rate, s->setup.cycle)))
        st = sense_laser(s, t, err);
    if (st == OK && s->camera_on &&
        sensor_due(&s->camera_due, t, period_of(r->camera.rate, s->setup.cycle)))
        st = sense_camera(s, t, err);
    if (st == OK && !s->camera_on)
        st = sense_finish(s, t, err);
    return st;
}

static nanos earlier(nanos a, nanos b) {
    return a < b ? a : b;
}

nanos sense_next_taken(const sense *s) {
    nanos next = earlier(s->encoders_due, earlier(s->grippers_due, s->odometry_due));
    for (size_t arm = 0; arm < s->setup.robot->arm_count; arm++)
        if (s->setup.robot->arms[arm].wrist.present)
            next = earlier(next, s->wrists[arm].due);
    for (size_t arm = 0; arm < s->setup.robot->arm_count; arm++)
        if (s->setup.robot->arms[arm].torques.present)
            next = earlier(next, s->torques[arm].due);
    if (s->setup.robot->tracker.present)
        next = earlier(next, s->tracker_due);
    if (detects(s))
        next = earlier(next, s->detector_due);
    if (s->laser_on)
        next = earlier(next, s->laser_due);
    return s->camera_on ? earlier(next, s->camera_due) : next;
}

nanos sense_next_delivered(const sense *s) {
    return s->queue.count > 0 ? s->queue.items[0].reading.delivered : TIME_OPEN;
}

status sense_finish(sense *s, nanos t, error *err) {
    return s->open_views > 0 ? sense_close_views(s, t, err) : OK;
}
