// projector/sense/sense_tracker.c - a motion-capture system in the room: it sees the markers of
// robots where nothing stands between, and what it sees arrives late or never.
#include <math.h>

#include "projector/sense/sense_int.h"

// Returns whether the system sees the marker: within range, and along a line that no body cuts. The
// robot itself hides nothing: its marker stands for several, of which some are in view.
static bool sees_marker(sense *s, vec3 eye, vec3 marker) {
    const robot_tracker *tracker = &s->setup.robot->tracker;
    vec3 way = v3_sub(marker, eye);
    double distance = v3_length(way);
    if (distance > tracker->range)
        return false;
    stopwatch_start(s->setup.rays);
    ray_scene_refresh(&s->rays, s->setup.sim);
    vec3 direction = v3_unit(way);
    bool seen = true;
    for (size_t i = 0; seen && i < s->setup.world->body_count; i++) {
        const ray_solid *solid = &s->rays.solids[sim_entity_body(i)];
        if (!solid->present || solid->radius < 0)
            continue;
        double along = fmin(fmax(v3_dot(v3_sub(solid->center_w, eye), direction), 0), distance);
        vec3 nearest = v3_add(eye, v3_scale(direction, along));
        if (isinf(solid->radius) || v3_distance(nearest, solid->center_w) <= solid->radius)
            seen = ray_solid_hit(solid, eye, direction) >= distance;
    }
    stopwatch_stop(s->setup.rays);
    return seen;
}

static bool has_lost(const robot_tracker *tracker, double t) {
    for (size_t i = 0; i < tracker->loss_count; i++)
        if (t >= tracker->losses[i].from && t < tracker->losses[i].to)
            return true;
    return false;
}

// Puts a row where the reading differs from the last row by more than its noise. A row of another
// robot's marker has an eighth number, which counts the other robots from 1.
static status log_tracker(sense *s, reading *r, size_t which, const stream *st, error *err) {
    const robot_tracker *tracker = &s->setup.robot->tracker;
    tracked_marker *m = &s->markers[which];
    pose at = r->tracker.at;
    if (m->seen && v3_distance(at.p, m->logged.p) < fmax(6 * tracker->noise, 1e-3) &&
        quat_angle(at.q, m->logged.q) < fmax(6 * tracker->angle_noise, 1e-3))
        return OK;
    *m = (tracked_marker){true, at};
    double now[8] = {at.p.x, at.p.y, at.p.z, at.q.w, at.q.x, at.q.y, at.q.z, (double)which};
    return sense_log_reading(s, r, "tracker", s->setup.tracker_object, st,
                             sense_numbers_text(s, now, which ? 8 : 7, 6), err);
}

// Takes a reading of a marker: the robot's own (0), or that of a peer, counted from 1.
static status see_marker(sense *s, size_t which, pose marker, const stream *st, uint64_t turn,
                         nanos t, error *err) {
    const robot_tracker *tracker = &s->setup.robot->tracker;
    const sense_peer *peer = which > 0 ? &s->setup.peers[which - 1] : NULL;
    rng_key key = peer ? rng_key_extend(st->key, peer->name) : st->key;
    bool lost = has_lost(tracker, seconds(t)) ||
                rng_uniform(rng_key_extend(key, "dropout"), turn, 0) < tracker->dropout ||
                !sees_marker(s, tracker->at.p, marker.p);
    if (lost) {
        s->markers[which].seen = false;
        return OK;
    }
    pose seen = pose_mul(pose_inverse(tracker->at), marker);
    rng_key place = rng_key_extend(key, "place"), turned = rng_key_extend(key, "turn");
    double off[3], angle[3];
    for (uint32_t k = 0; k < 3; k++) {
        off[k] = tracker->noise * rng_normal(place, turn, k);
        angle[k] = tracker->angle_noise * rng_normal(turned, turn, k);
    }
    seen.p = v3_add(seen.p, v3_add(tracker->bias, v3(off[0], off[1], off[2])));
    seen.q = quat_unit(quat_mul(quat_exp(v3(angle[0], angle[1], angle[2])), seen.q));
    queued q = {.reading = {.kind = READING_TRACKER,
                            .taken = t,
                            .delivered = t + nanos_from_seconds(tracker->delay)}};
    q.reading.tracker.at = seen;
    q.reading.tracker.of = peer ? peer->name : NULL;
    status result = log_tracker(s, &q.reading, which, st, err);
    sense_enqueue(s, q);
    return result;
}

status sense_tracker(sense *s, nanos t, error *err) {
    const sense_setup *of = &s->setup;
    stream *st = &s->streams[STREAM_TRACKER];
    uint64_t turn = st->occurrence++;
    pose own = pose_mul(sim_base_of(of->sim, of->number), of->robot->tracker.marker);
    status result = see_marker(s, 0, own, st, turn, t, err);
    for (size_t i = 0; result == OK && i < of->peer_count; i++) {
        const sense_peer *p = &of->peers[i];
        if (!p->marked)
            continue;
        pose marker = pose_mul(sim_base_of(of->sim, p->number), p->marker);
        result = see_marker(s, i + 1, marker, st, turn, t, err);
    }
    return result;
}
