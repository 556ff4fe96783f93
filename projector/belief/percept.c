// Camera frames: which believed object a percept is taken for, and what several frames say
// together.
#include "projector/belief/belief_int.h"

#include <math.h>

static vec3 camera_eye(const belief *b, pose base, pose *eye) {
    // The head rests while frames are taken: its pose on the base is that of the encoders now.
    const robot_camera *c = &b->robot->camera;
    pose on_base = pose_mul(pose_inverse(belief_robot(b)), pose_mul(b->links[c->link], c->at));
    *eye = pose_mul(base, on_base);
    return eye->p;
}

static double percept_sigma(const belief *b, vec3 eye, vec3 point) {
    const robot_camera *c = &b->robot->camera;
    return c->position_noise + c->position_noise_per_metre * v3_distance(eye, point);
}

static bool same_kind(const believed_object *o, const percept *p) {
    return strcmp(o->type, p->type) == 0 &&
           (!o->color || !p->color || strcmp(o->color, p->color) == 0);
}

// How far a percept may lie from where its object is believed.
static double gate(const belief *b, const believed *o, double sigma) {
    double pose_sigma, angle;
    belief_accuracy(b, &pose_sigma, &angle);
    double object = fmax(o->cov.x, fmax(o->cov.y, o->cov.z));
    // Within a window what the frames say so far stands for the object, not what was believed
    // before.
    if (o->frames > 0)
        object = sigma / sqrt((double)o->frames);
    double g = 0.03 + 4 * sqrt(sigma * sigma + object * object + pose_sigma * pose_sigma);
    return g < 0.25 ? g : 0.25;
}

static vec3 expected(const believed *o) {
    return o->frames > 0 ? v3_scale(o->sum, 1.0 / (double)o->frames) : o->seen.at.p;
}

static void accumulate(believed *o, pose at, double sigma) {
    if (o->frames == 0) {
        o->sum = v3(0, 0, 0);
        o->turns = v3(0, 0, 0);
        o->reference = at.q;
        o->variance = 0;
    }
    o->frames++;
    o->sum = v3_add(o->sum, at.p);
    o->turns = v3_add(o->turns, quat_log(quat_mul(quat_inverse(o->reference), at.q)));
    o->variance += sigma * sigma;
}

static status associate(belief *b, size_t object, const percept *p, pose at, double sigma, nanos t,
                        error *err) {
    believed *o = &b->objects.items[object];
    record r = {.kind = RECORD_ASSOCIATION, .id = sink_id(b->log, RECORD_ASSOCIATION)};
    r.ASSOCIATION.percept = p->id;
    r.ASSOCIATION.believed = o->seen.id;
    r.ASSOCIATION.t_ns = t;
    o->frame = b->frame_count;
    o->percept = p->id;
    o->seen.seen = t;
    accumulate(o, at, sigma);
    return sink_put(b->log, &r, err);
}

status belief_see(belief *b, const reading *r, error *err) {
    b->frame_count++;
    pose base = belief_base_at(b, r->taken), eye_pose;
    b->eye_base = base;
    vec3 eye = camera_eye(b, base, &eye_pose);
    size_t known_before = b->objects.count;
    // Greedy: the closest pair of all first; each object answers for one percept of a frame.
    size_t count = r->camera.count;
    ASSERT(array_reserve_try(&b->taken, count + 1));
    bool *taken = b->taken.items;
    memset(taken, 0, count * sizeof *taken);
    for (;;) {
        size_t best_p = SIZE_MAX, best_o = SIZE_MAX;
        double best = INFINITY;
        for (size_t k = 0; k < count; k++) {
            if (taken[k])
                continue;
            const percept *p = &r->camera.percepts[k];
            vec3 at = pose_apply(base, p->at.p);
            double sigma = percept_sigma(b, eye, at);
            for (size_t i = 0; i < known_before; i++) {
                const believed *o = &b->objects.items[i];
                if (o->frame == b->frame_count || !same_kind(&o->seen, p))
                    continue;
                double d = v3_distance(at, expected(o));
                if (d < best && d < gate(b, o, sigma)) {
                    best = d;
                    best_p = k;
                    best_o = i;
                }
            }
        }
        if (best_p == SIZE_MAX)
            break;
        const percept *p = &r->camera.percepts[best_p];
        pose at = pose_mul(base, p->at);
        taken[best_p] = true;
        status s = associate(b, best_o, p, at, percept_sigma(b, eye, at.p), r->delivered, err);
        if (s != OK)
            return s;
    }
    for (size_t k = 0; k < count; k++) {
        if (taken[k])
            continue;
        const percept *p = &r->camera.percepts[k];
        pose at = pose_mul(base, p->at);
        double sigma = percept_sigma(b, eye, at.p), position, angle;
        belief_accuracy(b, &position, &angle);
        covariance cov = {hypot(sigma, position), hypot(sigma, position), sigma,
                          hypot(b->robot->camera.angle_noise, angle)};
        size_t object;
        status s =
            belief_new_object(b, p->type, p->color, at, cov, p->id, r->delivered, &object, err);
        if (s == OK)
            s = associate(b, object, p, at, sigma, r->delivered, err);
        if (s != OK)
            return s;
    }
    return OK;
}

void belief_look(belief *b) {
    b->window_start = b->frame_count;
    for (size_t i = 0; i < b->objects.count; i++)
        b->objects.items[i].frames = 0;
}

size_t belief_frames(const belief *b) {
    return (size_t)(b->frame_count - b->window_start);
}

// Whether the camera should have seen it for certain: well inside the picture, and nothing believed
// in between.
static bool in_plain_view(const belief *b, const believed *o) {
    const robot_camera *c = &b->robot->camera;
    pose eye;
    camera_eye(b, b->eye_base, &eye);
    vec3 low, high;
    if (!o->seen.kind ||
        !shapes_bounds(o->seen.kind->shapes, o->seen.kind->shape_count, o->seen.at, &low, &high))
        return false;
    vec3 center = v3_scale(v3_add(low, high), 0.5);
    vec3 local = pose_apply(pose_inverse(eye), center);
    if (local.x < c->near + 0.1 || local.x > c->far - 0.3 ||
        fabs(atan2(local.y, local.x)) > 0.4 * c->fov_x ||
        fabs(atan2(local.z, local.x)) > 0.4 * c->fov_y)
        return false;
    const vec3 targets[3] = {center, v3(center.x, center.y, high.z),
                             v3(center.x, center.y, low.z + 0.01)};
    for (int k = 0; k < 3; k++) {
        vec3 to = v3_sub(targets[k], eye.p);
        double length = v3_length(to);
        vec3 direction = v3_unit(to);
        for (size_t i = 0; i < b->objects.count; i++) {
            const believed *w = &b->objects.items[i];
            for (size_t n = 0; w != o && w->seen.kind && n < w->seen.kind->shape_count; n++) {
                const shape *s = &w->seen.kind->shapes[n];
                if (shape_ray(s, pose_mul(w->seen.at, s->at), eye.p, direction) < length - 0.01)
                    return false;
            }
        }
        // Its own body stands in its own way too.
        for (size_t l = 0; l < b->robot->link_count; l++)
            for (size_t n = 0; l != c->link && n < b->robot->links[l].shape_count; n++) {
                const shape *s = &b->robot->links[l].shapes[n];
                if (shape_ray(s, pose_mul(b->links[l], s->at), eye.p, direction) < length - 0.01)
                    return false;
            }
    }
    return true;
}

status belief_fuse(belief *b, int64_t task, nanos t, index_array *out, error *err) {
    size_t frames = belief_frames(b), least = frames / 4 > 3 ? frames / 4 : 3;
    double position, angle;
    belief_accuracy(b, &position, &angle);
    // Lower things first, so that what stands on them finds them in place.
    ARRAY(size_t) order = {0};
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *o = &b->objects.items[i];
        if (o->frames < least || o->seen.known)
            continue;
        array_push(&order, i);
        for (size_t k = order.count - 1; k > 0; k--) {
            const believed *lower = &b->objects.items[order.items[k - 1]];
            if (expected(lower).z <= expected(o).z)
                break;
            size_t swap = order.items[k];
            order.items[k] = order.items[k - 1];
            order.items[k - 1] = swap;
        }
    }
    status s = OK;
    for (size_t k = 0; k < order.count && s == OK; k++) {
        size_t i = order.items[k];
        believed *o = &b->objects.items[i];
        o->seen.confirmed = true;
        if (out)
            array_push(out, i);
        if (o->seen.hand >= 0)
            continue; // in hand: where the hand is says more than the camera
        double n = (double)o->frames, sigma = sqrt(o->variance) / n;
        pose at = {v3_scale(o->sum, 1 / n),
                   quat_unit(quat_mul(o->reference, quat_exp(v3_scale(o->turns, 1 / n))))};
        double range = v3_distance(v3(at.p.x, at.p.y, 0), v3(b->x, b->y, 0));
        double aside = hypot(position, range * angle);
        covariance cov = {hypot(sigma, aside), hypot(sigma, aside), sigma,
                          hypot(b->robot->camera.angle_noise / sqrt(n), angle)};
        belief_settle(b, i, at, cov, 0.04);
        s = belief_write_frame(b, i, "percept", o->percept, task, t, err);
    }
    for (size_t i = 0; i < b->objects.count && s == OK && frames >= 5; i++) {
        believed *o = &b->objects.items[i];
        if (o->seen.known || !o->seen.confirmed || o->seen.hand >= 0 || o->frames > 0 ||
            !in_plain_view(b, o))
            continue;
        o->seen.confirmed = false;
        belief_hang(b, i, HANG_MAP, 0, "at", o->seen.at, (covariance){1, 1, 1, PI});
        s = belief_write_frame(b, i, "percept", 0, task, t, err);
    }
    array_finish(&order);
    belief_look(b);
    return s;
}
