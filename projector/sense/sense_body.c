// projector/sense/sense_body.c - what the robot feels of itself: joints, hands, wrists and the way
// of its base.
#include <math.h>
#include <string.h>

#include "projector/sense/sense_int.h"

// A sensor's velocity: the change of what it measures, through a low-pass filter of first order.
static void smooth_velocity(double *velocity, double change, double elapsed) {
    const double lag = 0.05;
    if (elapsed > 0)
        *velocity += (change / elapsed - *velocity) * elapsed / (lag + elapsed);
}

static reading reading_of(reading_kind kind, nanos t, double delay) {
    return (reading){.kind = kind, .taken = t, .delivered = t + nanos_from_seconds(delay)};
}

// ---- Encoders -----------------------------------------------------------------------------------
static const stream *joint_stream(const sense *s, size_t joint) {
    const robot_model *r = s->setup.robot;
    for (size_t i = 0; i < r->arm_count; i++)
        for (size_t k = 0; k < r->arms[i].joint_count; k++)
            if (r->arms[i].joints[k] == joint)
                return &s->streams[stream_of_arm(i)];
    return &s->streams[STREAM_HEAD];
}

status sense_encoders(sense *s, nanos t, error *err) {
    const robot_model *r = s->setup.robot;
    queued q = {.reading = reading_of(READING_ENCODERS, t, r->encoder_delay)};
    size_t n = r->joint_count;
    q.numbers = mem_must(2 * n + 1, sizeof *q.numbers);
    const double *position = sim_joint_positions(s->setup.sim) + s->own.joint;
    double *last = s->joints, *velocity = s->joints + n, elapsed = seconds(t - s->encoders_last);
    // Six sigmas: two readings of a joint at rest hardly ever differ by more.
    double noise = r->encoder_noise, least = fmax(6 * noise, 1e-4);
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        const stream *st = joint_stream(s, i);
        rng_key key = rng_key_extend(st->key, r->joints[i].name);
        double error_now =
            r->encoder_bias + (noise > 0 ? noise * rng_normal(key, st->occurrence, 0) : 0);
        q.numbers[i] = sense_quantise(position[i] + error_now, ENCODER_RESOLUTION);
        if (s->moved)
            smooth_velocity(&velocity[i], q.numbers[i] - last[i], elapsed);
        last[i] = q.numbers[i];
        q.numbers[n + i] = sense_quantise(velocity[i], 1e-3);
        changed |= !(fabs(q.numbers[i] - s->logged[i]) <= least); // the first: NAN
    }
    s->moved = true;
    s->encoders_last = t;
    s->streams[STREAM_HEAD].occurrence++;
    for (size_t i = 0; i < r->arm_count; i++)
        s->streams[stream_of_arm(i)].occurrence++;
    q.reading.encoders.count = n;
    q.reading.encoders.position = q.numbers;
    q.reading.encoders.velocity = q.numbers + n;
    status st = OK;
    if (changed) {
        memcpy(s->logged, q.numbers, n * sizeof *s->logged);
        st = sense_log_reading(s, &q.reading, "encoders", s->setup.robot_object, NULL,
                               sense_numbers_text(s, q.numbers, n, 5), err);
    }
    sense_enqueue(s, q);
    return st;
}

// ---- Hands --------------------------------------------------------------------------------------
static status sense_gripper(sense *s, size_t arm, nanos t, error *err) {
    const robot_model *r = s->setup.robot;
    const robot_touch *touch = &r->touch;
    stream *st = &s->streams[stream_of_gripper(arm)];
    rng_key key = rng_key_extend(st->key, r->arms[arm].gripper.name);
    double f1 = sim_gripper_force(s->setup.sim, s->own.arm + arm, 1);
    double f2 = sim_gripper_force(s->setup.sim, s->own.arm + arm, 2);
    double force = 0.5 * (f1 + f2) * (1 + touch->force_noise * rng_normal(key, st->occurrence, 0)) +
                   touch->force_bias;
    double opening = sim_gripper_opening(s->setup.sim, s->own.arm + arm) +
                     touch->opening_noise * rng_normal(key, st->occurrence, 1) +
                     touch->opening_bias;
    vec3 v1, v2, spin;
    sim_velocity(s->setup.sim, sim_entity_finger(s->setup.sim, s->own.arm + arm, 1), &v1, &spin);
    sim_velocity(s->setup.sim, sim_entity_finger(s->setup.sim, s->own.arm + arm, 2), &v2, &spin);
    st->occurrence++;
    queued q = {.reading = reading_of(READING_GRIPPER, t, touch->delay)};
    q.reading.gripper.arm = arm;
    q.reading.gripper.opening = sense_quantise(fmax(0, opening), 1e-4);
    q.reading.gripper.force = sense_quantise(fmax(0, force), 0.1);
    q.reading.gripper.touch_1 = f1 > touch->touch;
    q.reading.gripper.touch_2 = f2 > touch->touch;
    q.reading.gripper.moving = v3_distance(v1, v2) > 2e-3;
    // A row when it changed by more than its noise.
    double now[4] = {q.reading.gripper.opening, q.reading.gripper.force, q.reading.gripper.touch_1,
                     q.reading.gripper.touch_2};
    double *last = &s->logged_gripper[4 * arm];
    bool changed =
        !(fabs(now[0] - last[0]) < fmax(1e-3, 5 * touch->opening_noise)) ||
        !(fabs(now[1] - last[1]) < fmax(0.2, 4 * touch->force_noise) * fmax(5, last[1])) ||
        now[2] != last[2] || now[3] != last[3];
    status result = OK;
    if (changed) {
        memcpy(last, now, sizeof now);
        result = sense_log_reading(s, &q.reading, "gripper", s->setup.gripper_objects[arm], st,
                                   sense_numbers_text(s, now, 4, 4), err);
    }
    sense_enqueue(s, q);
    return result;
}

status sense_grippers(sense *s, nanos t, error *err) {
    status st = OK;
    for (size_t arm = 0; st == OK && arm < s->setup.robot->arm_count; arm++)
        st = sense_gripper(s, arm, t, err);
    return st;
}

// ---- Wrists -------------------------------------------------------------------------------------
void wrist_states_init(sense *s) {
    const robot_model *r = s->setup.robot;
    for (size_t i = 0; i < r->arm_count; i++) {
        const robot_gripper *g = &r->arms[i].gripper;
        wrist_state *w = &s->wrists[i];
        w->mass = g->palm_mass + 2 * g->pad_mass;
        // The fingers move against each other: their common centre stays.
        vec3 moment = v3_add(v3_scale(g->palm_center, g->palm_mass),
                             v3(0, 0, 2 * g->pad_mass * g->pad_center_z));
        w->com = pose_apply(g->mount, v3_scale(moment, 1 / w->mass));
        for (int k = 0; k < 6; k++)
            w->logged[k] = NAN;
    }
}

void sense_wrist_step(sense *s, size_t arm) {
    wrist_state *w = &s->wrists[arm];
    vec3 force, torque;
    sim_wrench(s->setup.sim, s->own.arm + arm, &force, &torque);
    double now[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    for (int k = 0; k < 6; k++)
        w->sum[k] += now[k];
    w->steps++;
}

status sense_wrist(sense *s, size_t arm, nanos t, error *err) {
    const robot_model *r = s->setup.robot;
    const robot_wrist *wrist = &r->arms[arm].wrist;
    wrist_state *w = &s->wrists[arm];
    stream *st = &s->streams[stream_of_wrist(arm)];
    rng_key key = rng_key_extend(st->key, r->arms[arm].name);
    // The hand's own weight, in the flange's frame as the joints were last read; the base is level.
    if (s->links_at != s->encoders_last)
        robot_forward(r, POSE_IDENTITY, s->joints, s->links);
    s->links_at = s->encoders_last;
    quat flange = s->links[r->arms[arm].flange].q;
    vec3 weight = v3_scale(quat_rotate(quat_inverse(flange), s->setup.world->gravity), w->mass);
    vec3 moment = v3_cross(w->com, weight);
    double own[6] = {weight.x, weight.y, weight.z, moment.x, moment.y, moment.z}, now[6];
    bool changed = false;
    for (int k = 0; k < 6; k++) {
        double noise = k < 3 ? wrist->noise : wrist->torque_noise;
        now[k] = sense_quantise(w->sum[k] / w->steps - own[k] +
                                    (k < 3 ? wrist->bias : wrist->torque_bias) +
                                    noise * rng_normal(key, st->occurrence, (uint32_t)k),
                                k < 3 ? 1e-2 : 1e-3);
        changed |= !(fabs(now[k] - w->logged[k]) <= fmax(6 * noise, k < 3 ? 0.5 : 0.05));
        w->sum[k] = 0;
    }
    w->steps = 0;
    st->occurrence++;
    queued q = {.reading = reading_of(READING_WRENCH, t, wrist->delay)};
    q.reading.wrench.arm = arm;
    q.reading.wrench.force = v3(now[0], now[1], now[2]);
    q.reading.wrench.torque = v3(now[3], now[4], now[5]);
    status result = OK;
    if (changed) {
        memcpy(w->logged, now, sizeof now);
        result = sense_log_reading(s, &q.reading, "wrench", s->setup.wrist_objects[arm], st,
                                   sense_numbers_text(s, now, 6, 3), err);
    }
    sense_enqueue(s, q);
    return result;
}

// ---- Odometry -----------------------------------------------------------------------------------
// In the log odometry is put together over this time; and until it is as much as this, m or rad,
// for a base on which an arm moves sways by micrometres.
static const nanos ODOMETRY_EVERY = 100000000;
static const double ODOMETRY_TOLD = 1e-4;

// Puts the way of a reading behind those that the log has not been told of yet.
static void add_way(double untold[3], const double change[3]) {
    double c = cos(untold[2]), s = sin(untold[2]);
    untold[0] += c * change[0] - s * change[1];
    untold[1] += s * change[0] + c * change[1];
    untold[2] += change[2];
}

// The base's motion since the last reading, with a random walk of position and heading that grows
// with the root of the way, and the systematic error of a badly calibrated drive.
status sense_odometry(sense *s, nanos t, error *err) {
    const robot_model *r = s->setup.robot;
    stream *st = &s->streams[STREAM_ODOMETRY];
    double elapsed = seconds(t - s->odometry_last);
    pose now = sim_base_of(s->setup.sim, s->own.robot);
    pose step = pose_mul(pose_inverse(s->last_base), now);
    double dyaw = quat_yaw(step.q);
    double way = hypot(step.p.x, step.p.y) + r->base_radius * fabs(dyaw);
    double dx = step.p.x, dy = step.p.y;
    queued q = {.reading = reading_of(READING_ODOMETRY, t, r->odometry_delay)};
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
    s->odometry_last = t;
    q.reading.odometry.dx = sense_quantise(dx, 1e-7);
    q.reading.odometry.dy = sense_quantise(dy, 1e-7);
    q.reading.odometry.dyaw = sense_quantise(dyaw, 1e-7);
    double change[3] = {q.reading.odometry.dx, q.reading.odometry.dy, q.reading.odometry.dyaw};
    for (int k = 0; k < 3; k++)
        smooth_velocity(&s->twist[k], change[k], elapsed);
    q.reading.odometry.vx = sense_quantise(s->twist[0], 1e-4);
    q.reading.odometry.vy = sense_quantise(s->twist[1], 1e-4);
    q.reading.odometry.wz = sense_quantise(s->twist[2], 1e-4);
    status result = OK;
    double *untold = s->odometry_untold;
    add_way(untold, change);
    bool much = hypot(untold[0], untold[1]) >= ODOMETRY_TOLD || fabs(untold[2]) >= ODOMETRY_TOLD;
    if (much && t - s->odometry_told >= ODOMETRY_EVERY) {
        s->odometry_told = t;
        result = sense_log_reading(s, &q.reading, "odometry", s->setup.robot_object, st,
                                   sense_numbers_text(s, untold, 3, 7), err);
        memset(untold, 0, sizeof s->odometry_untold);
    }
    sense_enqueue(s, q);
    return result;
}
