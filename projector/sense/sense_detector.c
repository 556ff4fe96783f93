// projector/sense/sense_detector.c - recognises other robots by what the plane of the laser cuts of
// them, and measures where their bases are.
#include <math.h>

#include "projector/sense/sense_int.h"

// Of this many rays across the middle of the other's base this many must meet it first.
enum { RAYS = 9, RAYS_LEAST = 3 };

// Whether an entity of the simulation is a link or a part of a hand of a robot.
static bool is_of(const sim *w, size_t entity, size_t robot) {
    sim_part part = sim_part_of(w, robot);
    const robot_model *r = sim_member(w, robot)->robot;
    for (size_t i = 0; i < r->link_count; i++)
        if (entity == sim_entity_link(w, part.link + i))
            return true;
    for (size_t i = 0; i < r->arm_count; i++)
        if (entity == sim_entity_palm(w, part.arm + i) ||
            entity == sim_entity_finger(w, part.arm + i, 1) ||
            entity == sim_entity_finger(w, part.arm + i, 2))
            return true;
    return false;
}

// Whether a ray in the scanner's plane to a point of it, in the scanner's frame, meets the robot.
static bool ray_meets(const sense *s, pose eye, size_t link, vec3 to, size_t robot) {
    const robot_model *r = s->setup.robot;
    if (fabs(atan2(to.y, to.x)) > r->laser.fov / 2)
        return false;
    double far;
    vec3 direction = quat_rotate(eye.q, v3_unit(to));
    size_t met = ray_scene_met(&s->rays, eye.p, direction, link, &far);
    return met != SIZE_MAX && far <= r->detector.range && is_of(s->setup.sim, met, robot);
}

// Whether enough of a robot is in view, in the plane: of rays across the middle half of its base,
// where every robot has its body, a third.
static bool recognises(sense *s, size_t robot) {
    const sense_setup *of = &s->setup;
    size_t link = sim_entity_link(of->sim, s->own.link + of->robot->laser.link);
    pose eye = pose_mul(sim_pose(of->sim, link), of->robot->laser.at);
    vec3 middle = pose_apply(pose_inverse(eye), sim_base_of(of->sim, robot).p);
    double distance = hypot(middle.x, middle.y);
    double half = sim_member(of->sim, robot)->robot->base_radius / 2;
    if (distance < 1e-6 || distance - 2 * half > of->robot->detector.range)
        return false;
    vec3 across = v3(-middle.y / distance, middle.x / distance, 0);
    int met = 0;
    for (int k = 0; k < RAYS; k++) {
        double aside = half * (2.0 * k / (RAYS - 1) - 1);
        vec3 to = v3_add(v3(middle.x, middle.y, 0), v3_scale(across, aside));
        met += ray_meets(s, eye, link, to, robot);
    }
    return met >= RAYS_LEAST;
}

// Puts a row where the reading differs from the last row by more than its noise: x, y, yaw, and the
// number of the other robot, counted from 1.
static status log_detector(sense *s, reading *r, size_t which, const stream *st, error *err) {
    const robot_detector *detector = &s->setup.robot->detector;
    detected_robot *d = &s->detected[which];
    pose at = r->detector.at;
    double now[4] = {at.p.x, at.p.y, quat_yaw(at.q), (double)(which + 1)};
    if (d->seen &&
        hypot(now[0] - d->logged[0], now[1] - d->logged[1]) < fmax(6 * detector->noise, 1e-3) &&
        fabs(angle_wrap(now[2] - d->logged[2])) < fmax(6 * detector->angle_noise, 1e-3))
        return OK;
    d->seen = true;
    memcpy(d->logged, now, sizeof d->logged);
    return sense_log_reading(s, r, "detector", s->setup.laser_object, st,
                             sense_numbers_text(s, now, 4, 6), err);
}

static status detect_robot(sense *s, size_t which, uint64_t turn, nanos t, error *err) {
    const sense_peer *peer = &s->setup.peers[which];
    const robot_detector *detector = &s->setup.robot->detector;
    const stream *st = &s->streams[STREAM_DETECTOR];
    rng_key key = rng_key_extend(st->key, peer->name);
    if (rng_uniform(rng_key_extend(key, "dropout"), turn, 0) < detector->dropout ||
        !recognises(s, peer->number)) {
        s->detected[which].seen = false;
        return OK;
    }
    pose own = sim_base_of(s->setup.sim, s->setup.number);
    pose at = pose_mul(pose_inverse(own), sim_base_of(s->setup.sim, peer->number));
    rng_key place = rng_key_extend(key, "place"), turned = rng_key_extend(key, "turn");
    queued q = {.reading = {.kind = READING_DETECTOR,
                            .taken = t,
                            .delivered = t + nanos_from_seconds(detector->delay)}};
    q.reading.detector.at =
        pose_planar(at.p.x + detector->noise * rng_normal(place, turn, 0),
                    at.p.y + detector->noise * rng_normal(place, turn, 1),
                    quat_yaw(at.q) + detector->angle_noise * rng_normal(turned, turn, 0));
    q.reading.detector.of = peer->name;
    status result = log_detector(s, &q.reading, which, st, err);
    sense_enqueue(s, q);
    return result;
}

status sense_detector(sense *s, nanos t, error *err) {
    uint64_t turn = s->streams[STREAM_DETECTOR].occurrence++;
    stopwatch_start(s->setup.rays);
    ray_scene_refresh(&s->rays, s->setup.sim);
    status result = OK;
    for (size_t i = 0; result == OK && i < s->setup.peer_count; i++)
        result = detect_robot(s, i, turn, t, err);
    stopwatch_stop(s->setup.rays);
    return result;
}
