// projector/belief/percept.c - camera frames: associates percepts with believed objects, and fuses
// what the frames of a window report.
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

// Returns whether a percept has the type and colour of an object; a colour that was not recognised,
// or not yet, fits any.
static bool same_kind(const believed_object *o, const percept *p) {
    const char *type = o->kind ? body_type_seen_as(o->kind) : o->type;
    return strcmp(type, p->type) == 0 &&
           (!p->color || !o->color || strcmp(o->color, p->color) == 0);
}

// Returns whether a camera might confuse the object with what it reports. A type that the catalogue
// lacks may look like anything.
static bool kinds_confusable(const belief *b, const believed_object *o, const percept *p) {
    const body_type *other = world_find_type(b->known, p->type);
    return o->kind == other || !o->kind || !other || body_types_alike(o->kind, other);
}

// Returns how far a percept may lie from the believed position of its object.
static double association_gate(const belief *b, const believed *o, double sigma) {
    double pose_sigma, angle;
    belief_accuracy(b, &pose_sigma, &angle);
    double object = fmax(o->cov.x, fmax(o->cov.y, o->cov.z));
    // Within a window, the position is the mean of the frames so far, and so is its uncertainty.
    if (o->frames > 0)
        object = sigma / sqrt((double)o->frames);
    return belief_gate(sqrt(sigma * sigma + object * object + pose_sigma * pose_sigma));
}

static vec3 expected_position(const believed *o) {
    return o->frames > 0 ? v3_scale(o->sum, 1.0 / (double)o->frames) : o->seen.at.p;
}

static void accumulate_percept(believed *o, pose at, double sigma) {
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

// One frame while its percepts are associated.
typedef struct seeing {
    belief *b;
    const reading *r;
    pose base;
    vec3 eye;
    size_t known_before; // objects before the frame
} seeing;

// How surely a percept belongs to an object. Percepts are matched in this order.
typedef enum match {
    MATCH_SURE,     // of the same kind as an object that is confirmed or was seen more than twice
    MATCH_CONFUSED, // of another kind, in the place of such an object that the frame does not
                    // report
    MATCH_WEAK,     // of the same kind as an object that may yet prove a false positive
    MATCHES
} match;

static status associate_percept(const seeing *s, size_t object, size_t k, match how, error *err) {
    belief *b = s->b;
    believed *o = &b->objects.items[object];
    const percept *p = &s->r->camera.percepts[k];
    pose at = pose_mul(s->base, p->at);
    record r = {.kind = RECORD_ASSOCIATION, .id = sink_id(b->log, RECORD_ASSOCIATION)};
    r.ASSOCIATION.percept = p->id;
    r.ASSOCIATION.believed = o->seen.id;
    r.ASSOCIATION.t_ns = s->r->delivered;
    if (!o->seen.color && p->color && how != MATCH_CONFUSED)
        o->seen.color = arena_strdup(b->arena, p->color);
    o->last_frame = b->frame_count;
    o->percept = p->id;
    o->seen.seen = s->r->delivered;
    double sigma = percept_sigma(b, s->eye, at.p);
    int64_t joint = belief_joint_of(b, object);
    b->taken.items[k] = true;
    if (how == MATCH_CONFUSED) {
        o->odd++;
    } else {
        accumulate_percept(o, at, sigma);
        if (joint >= 0) {
            believed_joint *j = &b->joints[joint];
            j->sum = (o->frames == 1 ? 0 : j->sum) +
                     belief_joint_nearest(b, (size_t)joint, at, sigma, b->robot->camera.angle_noise,
                                          NULL);
        }
    }
    return sink_put(b->log, &r, err);
}

// Returns the distance of a percept from an object; infinity: the two do not match in this way.
static double distance_as(const seeing *s, const percept *p, size_t object, match how) {
    const belief *b = s->b;
    const believed *o = &b->objects.items[object];
    bool own = same_kind(&o->seen, p), sure = o->seen.confirmed || o->frames > 2;
    if (o->last_frame == b->frame_count || own != (how != MATCH_CONFUSED) ||
        sure != (how != MATCH_WEAK))
        return INFINITY;
    pose at = pose_mul(s->base, p->at);
    double sigma = percept_sigma(b, s->eye, at.p), d = v3_distance(at.p, expected_position(o));
    int64_t joint = belief_joint_of(b, object);
    if (how == MATCH_CONFUSED) {
        // A camera confuses an object now and then at most, and only with what looks like it.
        if (o->seen.known || 3 * o->odd > o->frames || o->seen.cov.x > 0.1 ||
            !kinds_confusable(b, &o->seen, p))
            return INFINITY;
    } else if (joint >= 0) {
        // A door may stand anywhere on the arc of its hinges.
        belief_joint_nearest(b, (size_t)joint, at, sigma, b->robot->camera.angle_noise, &d);
    }
    double gate = association_gate(b, o, sigma);
    // Another robot may have told a place that contradicts what this one sees.
    bool of_other = how != MATCH_CONFUSED && o->sensor && strcmp(o->sensor, "told") == 0;
    vec3 off = v3_sub(at.p, expected_position(o));
    return d < gate || (of_other && belief_no_room(&o->seen, off, gate)) ? d : INFINITY;
}

// Associates percepts greedily, the closest pair of all first. An object gets at most one percept
// of a frame.
static status match_percepts(const seeing *s, match how, error *err) {
    for (;;) {
        size_t best_p = SIZE_MAX, best_o = SIZE_MAX;
        double best = INFINITY;
        for (size_t k = 0; k < s->r->camera.count; k++)
            for (size_t i = 0; !s->b->taken.items[k] && i < s->known_before; i++) {
                double d = distance_as(s, &s->r->camera.percepts[k], i, how);
                if (d < best) {
                    best = d;
                    best_p = k;
                    best_o = i;
                }
            }
        if (best_p == SIZE_MAX)
            return OK;
        status st = associate_percept(s, best_o, best_p, how, err);
        if (st != OK)
            return st;
    }
}

status belief_see(belief *b, const reading *r, error *err) {
    b->frame_count++;
    seeing s = {.b = b, .r = r, .base = belief_base_at(b, r->taken)};
    pose eye_pose;
    b->eye_base = s.base;
    b->eye_taken = r->taken;
    s.eye = camera_eye(b, s.base, &eye_pose);
    s.known_before = b->objects.count;
    size_t count = r->camera.count;
    array_reserve(&b->taken, count + 1);
    memset(b->taken.items, 0, count * sizeof *b->taken.items);
    status st = OK;
    for (int how = 0; st == OK && how < MATCHES; how++)
        st = match_percepts(&s, (match)how, err);
    for (size_t k = 0; st == OK && k < count; k++) {
        if (b->taken.items[k])
            continue;
        const percept *p = &r->camera.percepts[k];
        pose at = pose_mul(s.base, p->at);
        double sigma = percept_sigma(b, s.eye, at.p), position, angle;
        belief_accuracy(b, &position, &angle);
        covariance cov = {hypot(sigma, position), hypot(sigma, position), sigma,
                          hypot(b->robot->camera.angle_noise, angle)};
        size_t object;
        st = belief_new_object(b, p->type, p->color, at, cov, p->id, r->delivered, &object, err);
        if (st == OK)
            st = associate_percept(&s, object, k, MATCH_WEAK, err);
    }
    return st;
}

void belief_look(belief *b) {
    b->window_start = b->frame_count;
    for (size_t i = 0; i < b->objects.count; i++)
        b->objects.items[i].frames = b->objects.items[i].odd = 0;
}

size_t belief_frames(const belief *b) {
    return (size_t)(b->frame_count - b->window_start);
}

// Returns whether a hand of the robot, its palm or its pads, comes into the way from the eye.
static bool hand_hides(const belief *b, size_t arm, vec3 eye, vec3 direction, double length) {
    const robot_gripper *g = &b->robot->arms[arm].gripper;
    pose palm = robot_palm(b->robot, arm, b->links), tool = robot_tool(b->robot, arm, b->links);
    const shape boxes[2] = {{SHAPE_BOX, POSE_IDENTITY, g->palm_size},
                            {SHAPE_BOX, POSE_IDENTITY, g->pad_size}};
    double opening = b->grippers[arm].read ? b->grippers[arm].opening : g->max_opening,
           aside = opening / 2 + g->pad_size.y / 2;
    palm = pose_mul(palm, (pose){g->palm_center, {1, 0, 0, 0}});
    bool hides = shape_ray(&boxes[0], palm, eye, direction) < length;
    for (int side = -1; side <= 1; side += 2) {
        pose pad = pose_mul(tool, (pose){v3(0, side * aside, 0), {1, 0, 0, 0}});
        hides |= shape_ray(&boxes[1], pad, eye, direction) < length;
    }
    return hides;
}

// Returns whether the camera must have seen an object: it lies well inside the picture, and nothing
// that is believed in stands before it.
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
                pose at = pose_mul(w->seen.at, s->at);
                // A thing in the very place of the object does not count as hiding it: there is no
                // room for both, so one of the two is not there.
                if (shape_distance(s, at, center) > -0.005 &&
                    shape_ray(s, at, eye.p, direction) < length - 0.01)
                    return false;
            }
        }
        // The robot's own links and hands hide things, too.
        for (size_t l = 0; l < b->robot->link_count; l++)
            for (size_t n = 0; l != c->link && n < b->robot->links[l].shape_count; n++) {
                const shape *s = &b->robot->links[l].shapes[n];
                if (shape_ray(s, pose_mul(b->links[l], s->at), eye.p, direction) < length - 0.01)
                    return false;
            }
        for (size_t a = 0; a < b->robot->arm_count; a++)
            if (hand_hides(b, a, eye.p, direction, length - 0.01))
                return false;
    }
    return true;
}

// Returns whether enough frames of the window report the object to confirm it.
static bool seen_enough(const belief *b, const believed *o) {
    size_t frames = belief_frames(b), least = frames / 4 > 3 ? frames / 4 : 3;
    return o->frames >= least;
}

// Returns whether the window does not report an object that it should. One frame that reports
// another kind in its place counts as nothing.
static bool is_missing(const belief *b, const believed *o) {
    return !o->seen.known && o->seen.confirmed && o->seen.hand < 0 && o->frames == 0 &&
           o->odd <= 1 && in_plain_view(b, o);
}

static bool objects_alike(const believed *a, const believed *o) {
    return strcmp(a->seen.type, o->seen.type) == 0 &&
           (a->seen.color ? o->seen.color && strcmp(a->seen.color, o->seen.color) == 0
                          : !o->seen.color);
}

// Returns whether the object that appeared may be the one that is gone: missing in this window, or
// lost before at most 1 m away.
static bool may_be(const belief *b, const believed *gone, const believed *appeared) {
    const double most = 1; // m, the standard deviation of a lost object's position
    vec3 off = v3_sub(expected_position(appeared), gone->seen.at.p);
    return is_missing(b, gone) || (gone->lost && gone->frames == 0 && hypot(off.x, off.y) <= most);
}

// Where one object is gone and exactly one of its kind has appeared elsewhere, the first has moved
// there: it keeps its name, and takes over the percepts of the second.
static void follow_moved(belief *b) {
    for (size_t i = 0; i < b->objects.count; i++) {
        believed *o = &b->objects.items[i];
        if (!is_missing(b, o) && !(o->lost && o->frames == 0))
            continue;
        size_t appeared = SIZE_MAX, fresh = 0, gone = 0;
        for (size_t k = 0; k < b->objects.count; k++) {
            const believed *other = &b->objects.items[k];
            if (objects_alike(o, other) && !other->seen.confirmed && !other->lost &&
                seen_enough(b, other)) {
                fresh++;
                appeared = k;
            }
        }
        for (size_t k = 0; fresh == 1 && k < b->objects.count; k++)
            gone += objects_alike(o, &b->objects.items[k]) &&
                    may_be(b, &b->objects.items[k], &b->objects.items[appeared]);
        if (gone != 1 || fresh != 1 || !may_be(b, o, &b->objects.items[appeared]))
            continue;
        believed *other = &b->objects.items[appeared];
        o->frames = other->frames;
        o->sum = other->sum;
        o->reference = other->reference;
        o->turns = other->turns;
        o->variance = other->variance;
        o->percept = other->percept;
        o->seen.seen = other->seen.seen;
        other->frames = 0;
    }
}

// Lists the objects that the window confirms, lower ones first, so that each is put onto a support
// that is in place already.
static void order_seen(const belief *b, index_array *order) {
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *o = &b->objects.items[i];
        if (!seen_enough(b, o) || (o->seen.known && belief_joint_of(b, i) < 0))
            continue;
        array_push(order, i);
        for (size_t k = order->count - 1; k > 0; k--) {
            const believed *lower = &b->objects.items[order->items[k - 1]];
            if (expected_position(lower).z <= expected_position(o).z)
                break;
            size_t swap = order->items[k];
            order->items[k] = order->items[k - 1];
            order->items[k - 1] = swap;
        }
    }
}

// Puts an object where the window's frames say it is.
static void fuse_object(belief *b, size_t i) {
    believed *o = &b->objects.items[i];
    double position, angle, n = (double)o->frames, sigma = sqrt(o->variance) / n;
    belief_accuracy(b, &position, &angle);
    pose at = {v3_scale(o->sum, 1 / n),
               quat_unit(quat_mul(o->reference, quat_exp(v3_scale(o->turns, 1 / n))))};
    double range = v3_distance(v3(at.p.x, at.p.y, 0), v3(b->self->x, b->self->y, 0));
    double aside = hypot(position, range * angle);
    covariance cov = {hypot(sigma, aside), hypot(sigma, aside), sigma,
                      hypot(b->robot->camera.angle_noise / sqrt(n), angle)};
    int64_t joint = belief_joint_of(b, i);
    if (joint >= 0) {
        believed_joint *j = &b->joints[joint];
        belief_place_joint(b, (size_t)joint, j->sum / n,
                           belief_joint_sigma(b, (size_t)joint, cov.x, cov.angle));
        return;
    }
    belief_settle(b, i, at, cov, 0.04);
}

static status write_fused(belief *b, size_t i, int64_t task, nanos t, error *err) {
    const believed *o = &b->objects.items[i];
    int64_t joint = belief_joint_of(b, i);
    if (joint >= 0)
        return belief_write_joint(b, (size_t)joint, "percept", o->percept, task, t, err);
    status s = belief_write_frame(b, i, "percept", o->percept, task, t, err);
    report seen = {"camera", 0, o->seen.at, fmax(o->cov.x, o->cov.y), b->eye_taken, task};
    return s == OK ? belief_report(b, i, seen, t, err) : s;
}

// Takes down that an object is not where it was. What stood on it and was seen all the same stands
// on whatever else is beneath; of the rest nobody knows where it is, either.
static status lose_missing(belief *b, size_t missing, int64_t task, nanos t, error *err) {
    status s = OK;
    belief_forget_place(b, missing, b->objects.items[missing].seen.at);
    for (size_t i = 0; i < b->objects.count && s == OK; i++) {
        const believed *o = &b->objects.items[i];
        if (o->hang != HANG_OBJECT || o->parent != missing || !seen_enough(b, o))
            continue;
        fuse_object(b, i);
        s = write_fused(b, i, task, t, err);
    }
    if (s == OK)
        s = belief_lose_riders(b, missing, "percept", task, t, err);
    return s == OK ? belief_write_frame(b, missing, "percept", 0, task, t, err) : s;
}

status belief_fuse(belief *b, int64_t task, nanos t, index_array *out, error *err) {
    bool many = belief_frames(b) >= 5;
    belief_changed(b);
    if (many)
        follow_moved(b);
    index_array order = {0};
    order_seen(b, &order);
    status s = OK;
    for (size_t k = 0; k < order.count; k++) {
        b->objects.items[order.items[k]].seen.confirmed = true;
        b->objects.items[order.items[k]].lost = false;
        if (out)
            array_push(out, order.items[k]);
    }
    // What lies on a flat carrier is seen no higher than it, for all that the camera can tell: in
    // the second turn the carrier is in place.
    for (int turn = 0; turn < 2; turn++)
        for (size_t k = 0; k < order.count; k++)
            // The pose of a hand tells more of the object in it than the camera.
            if (b->objects.items[order.items[k]].seen.hand < 0)
                fuse_object(b, order.items[k]);
    for (size_t k = 0; k < order.count && s == OK; k++)
        if (b->objects.items[order.items[k]].seen.hand < 0)
            s = write_fused(b, order.items[k], task, t, err);
    for (size_t i = 0; i < b->objects.count && s == OK && many; i++) {
        if (is_missing(b, &b->objects.items[i]))
            s = lose_missing(b, i, task, t, err);
    }
    array_finish(&order);
    belief_look(b);
    return s;
}
