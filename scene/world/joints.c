// scene/world/joints.c - the world file's joints of furniture, and whether what moves starts
// outside of everything.
#include "scene/world/world_int.h"

#define HINGE_MAX 177.0 // degrees either way
#define CONNECTED_MAX 20
#define OVERLAP 0.001 // m: deeper than this two bodies may not start inside each other

pose joint_displaced(const world_joint *j, pose at, double position) {
    if (j->kind == WORLD_SLIDER)
        return (pose){v3_add(at.p, v3_scale(j->axis, position)), at.q};
    quat turn = quat_axis_angle(j->axis, position);
    vec3 arm = v3_sub(at.p, j->origin.p);
    return (pose){v3_add(j->origin.p, quat_rotate(turn, arm)), quat_mul(turn, at.q)};
}

static const world_joint *joint_of(const world_parts *w, int64_t body) {
    for (size_t i = 0; i < w->joints.count; i++)
        if ((int64_t)w->joints.items[i].body == body)
            return &w->joints.items[i];
    return NULL;
}

// How the joints that carry a body displace it at the start, in the world.
static pose joint_displacement(const world_parts *w, int64_t body) {
    pose d = POSE_IDENTITY;
    for (size_t steps = 0; body >= 0 && steps <= w->bodies.count; steps++) {
        const world_joint *j = joint_of(w, body);
        if (j) {
            d = pose_mul(joint_displaced(j, POSE_IDENTITY, j->start), d);
            body = j->base;
        } else {
            body = (size_t)body < w->supports.count ? w->supports.items[body] : -1;
        }
    }
    return d;
}

static bool read_limits(world_parts *w, const ynode *n, world_joint *j, double unit) {
    double v[2];
    const ynode *limits = ynode_get(n, "limits");
    if (!limits) {
        ynode_missing(n, w->l.list, "the joint `%s` needs `limits: [lower, upper]`, in %s", j->name,
                      j->kind == WORLD_HINGE ? "degrees" : "metres");
        return false;
    }
    if (!read_numbers(&w->l, limits, "limits", Q_REACH, v, 2))
        return false;
    double most = j->kind == WORLD_HINGE ? HINGE_MAX : 100;
    if (!(v[0] < v[1] && v[0] >= -most && v[1] <= most)) {
        ynode_error(limits, w->l.list, "the limits rise, between %g and %g %s", -most, most,
                    j->kind == WORLD_HINGE ? "degrees" : "m");
        return false;
    }
    j->lower = v[0] * unit;
    j->upper = v[1] * unit;
    j->start = fmin(fmax(0, j->lower), j->upper);
    double start = j->start / unit;
    if (!read_number(&w->l, n, "position", Q_REACH, &start))
        return false;
    if (!(start >= v[0] && start <= v[1])) {
        ynode_error(ynode_get(n, "position"), w->l.list,
                    "`position` (%g) lies outside of the limits %g to %g", start, v[0], v[1]);
        return false;
    }
    j->start = start * unit;
    return true;
}

// The bodies that the joint connects.
static bool read_connected(world_parts *w, const ynode *n, world_joint *j) {
    const ynode *body = ynode_get(n, "body"), *on = ynode_get(n, "on");
    const char *name;
    j->base = -1;
    if (!body) {
        ynode_missing(n, w->l.list, "the joint `%s` needs the `body` that it moves", j->name);
        return false;
    }
    if (!ynode_text(body, "body", &name, w->l.list))
        return false;
    int64_t moved = world_body_named(w, body, name), base = -1;
    if (on && ynode_text(on, "on", &name, w->l.list)) {
        base = world_body_named(w, on, name);
        if (base < 0)
            return false;
    }
    if (moved < 0)
        return false;
    const world_body *b = &w->bodies.items[moved];
    const world_joint *other = joint_of(w, moved);
    if (b->fixed || b->absent) {
        ynode_error(body, w->l.list, "`%s` is %s and cannot move on a joint", b->name,
                    b->fixed ? "fixed" : "absent");
        return false;
    }
    if (other) {
        ynode_error(body, w->l.list, "`%s` moves on the joint `%s` already: joints form no loops",
                    b->name, other->name);
        return false;
    }
    // The bases of the base must not come back to the body.
    for (int64_t at = base; at >= 0;) {
        if (at == moved) {
            ynode_error(on, w->l.list, "`%s` would hang on itself: joints form no loops", b->name);
            return false;
        }
        const world_joint *under = joint_of(w, at);
        at = under ? under->base : -1;
    }
    j->body = (size_t)moved;
    j->base = base;
    j->known = b->known;
    return true;
}

static void read_joint(world_parts *w, const ynode *n, world_joint j) {
    loading *l = &w->l;
    const char *kind = "hinge";
    size_t before = l->list->count;
    keys_check(n, MAP_WORLD_JOINT, l->list);
    const ynode *kind_node = ynode_get(n, "kind"), *at_node = ynode_get(n, "at");
    if (!kind_node)
        ynode_missing(n, l->list, "the joint `%s` needs a `kind`: hinge or slider", j.name);
    else if (ynode_text(kind_node, "kind", &kind, l->list) && strcmp(kind, "hinge") != 0 &&
             strcmp(kind, "slider") != 0)
        ynode_error(kind_node, l->list, "a joint is a hinge or a slider, not a `%s`", kind);
    if (l->list->count > before)
        return; // what else it needs depends on its kind
    j.kind = strcmp(kind, "slider") == 0 ? WORLD_SLIDER : WORLD_HINGE;
    read_limits(w, n, &j, j.kind == WORLD_HINGE ? PI / 180 : 1);
    read_number(l, n, "friction", Q_RESISTANCE, &j.friction);
    read_number(l, n, "damping", Q_RESISTANCE, &j.damping);
    read_number(l, n, "latch", Q_RESISTANCE, &j.latch);
    vec3 at = v3(0, 0, 0), axis = v3(0, 0, 1);
    if (!ynode_get(n, "axis"))
        ynode_missing(n, l->list, "the joint `%s` needs an `axis: [x, y, z]`", j.name);
    else if (read_vector(l, n, "axis", Q_DIRECTION, &axis) && !(v3_length(axis) > 0))
        ynode_error(ynode_get(n, "axis"), l->list, "`axis` is a direction, not [0, 0, 0]");
    if (!at_node && j.kind == WORLD_HINGE)
        ynode_missing(n, l->list, "the hinge `%s` needs `at`, a point on its axis", j.name);
    read_vector(l, n, "at", Q_PLACE, &at);
    if (!read_connected(w, n, &j) || l->list->count > before)
        return;
    pose frame = j.base >= 0 ? w->bodies.items[j.base].at : loading_frame(l, n);
    if (!at_node) // a slider moves the whole body: any point will do
        at = pose_apply(pose_inverse(frame), w->bodies.items[j.body].at.p);
    j.origin = pose_mul(frame, (pose){at, {1, 0, 0, 0}});
    j.axis = v3_unit(quat_rotate(frame.q, axis));
    array_push(&w->joints, j);
}

// The first of the bodies that hang together with this one and can move.
static int64_t root_of(const world_parts *w, int64_t body) {
    for (const world_joint *j = joint_of(w, body); j; j = joint_of(w, body)) {
        if (j->base < 0 || w->bodies.items[j->base].fixed)
            break;
        body = j->base;
    }
    return body;
}

// Bodies on joints are solved together, at a cost that grows with the cube of their number: lying
// in a heap, 20 take about a second of computing per second, and 40 take eight.
static void check_connected(world_parts *w, const ynode *section) {
    size_t *connected = arena_alloc(w->l.arena, (w->bodies.count + 1) * sizeof *connected);
    for (size_t i = 0; i < w->joints.count; i++) {
        int64_t root = root_of(w, (int64_t)w->joints.items[i].body);
        if (++connected[root] == CONNECTED_MAX + 1)
            ynode_error(section->items[i], w->l.list,
                        "more than %d joints hang together on `%s`: let them hang on a body that "
                        "is fixed, or leave some out",
                        CONNECTED_MAX, w->bodies.items[root].name);
    }
}

void world_read_joints(world_parts *w) {
    size_t before = w->l.list->count;
    ynode *section = loading_section(&w->l, "joints");
    for (size_t i = 0; section && i < section->count; i++) {
        const ynode *n = section->items[i];
        world_joint j = {.name = section->keys[i]->scalar};
        name_check(&w->l, section->keys[i], "joint", j.name);
        if (n->kind != YNODE_MAPPING)
            ynode_error(n, w->l.list,
                        "a joint is a mapping { kind: hinge, body: DOOR, on: BODY, at: [x, y, z], "
                        "axis: [x, y, z], limits: [lower, upper] }");
        else
            read_joint(w, n, j);
    }
    if (w->joints.count == 0)
        return;
    if (w->l.list->count == before) // else joints are missing
        check_connected(w, section);
    // A body that lies in a drawer that starts open starts where the drawer is. The joint's own
    // body stays where position 0 is.
    for (size_t i = 0; i < w->bodies.count; i++)
        if (w->supports.items[i] >= 0 && !joint_of(w, (int64_t)i))
            w->bodies.items[i].at =
                pose_mul(joint_displacement(w, w->supports.items[i]), w->bodies.items[i].at);
}

typedef struct span {
    double low, high; // along x
    size_t body;
} span;

static int by_low(const void *a, const void *b) {
    const span *s = a, *t = b;
    if (s->low != t->low)
        return s->low < t->low ? -1 : 1;
    return s->body < t->body ? -1 : s->body > t->body;
}

static bool may_touch(const world_parts *w, size_t i, size_t j) {
    const world_body *a = &w->bodies.items[i], *b = &w->bodies.items[j];
    const world_joint *p = joint_of(w, (int64_t)i), *q = joint_of(w, (int64_t)j);
    return (a->fixed && b->fixed) || (p && p->base == (int64_t)j) || (q && q->base == (int64_t)i);
}

// Where a body is at the start: bodies of joints, where the joint's position puts them.
static pose body_started(const world_parts *w, size_t i) {
    return joint_of(w, (int64_t)i)
               ? pose_mul(joint_displacement(w, (int64_t)i), w->bodies.items[i].at)
               : w->bodies.items[i].at;
}

// Fixed things may be built into each other, and doors into their frames; all else that moves must
// start outside everything. Bodies are swept along x, so that far ones are never compared.
void world_check_overlaps(world_parts *w) {
    ARRAY(span) spans = {0};
    ARRAY(uint64_t) found = {0}; // pairs, later body first
    for (size_t i = 0; i < w->bodies.count; i++) {
        const world_body *b = &w->bodies.items[i];
        vec3 low, high;
        span s = {-INFINITY, INFINITY, i};
        if (!b->type || b->absent || b->particle)
            continue;
        bool plane = false;
        for (size_t k = 0; k < b->type->shape_count; k++)
            plane |= b->type->shapes[k].kind == SHAPE_PLANE;
        if (!plane &&
            shapes_bounds(b->type->shapes, b->type->shape_count, body_started(w, i), &low, &high)) {
            s.low = low.x;
            s.high = high.x;
        }
        array_push(&spans, s);
    }
    if (spans.count > 0)
        qsort(spans.items, spans.count, sizeof *spans.items, by_low);
    for (size_t p = 0; p < spans.count; p++)
        for (size_t q = p + 1; q < spans.count && spans.items[q].low <= spans.items[p].high; q++) {
            size_t i = spans.items[p].body, j = spans.items[q].body;
            const body_type *a = w->bodies.items[i].type, *b = w->bodies.items[j].type;
            if (may_touch(w, i, j))
                continue;
            if (shapes_overlap(a->shapes, a->shape_count, body_started(w, i), b->shapes,
                               b->shape_count, body_started(w, j), OVERLAP))
                array_push(&found, (uint64_t)(i > j ? i : j) << 32 | (i > j ? j : i));
        }
    // In the order of the file.
    for (size_t j = 0; found.count > 0 && j < w->bodies.count; j++)
        for (size_t k = 0; k < found.count; k++)
            if (found.items[k] >> 32 == j)
                ynode_error(w->body_nodes.items[j], w->l.list,
                            "`%s` starts inside `%s`: move one of them", w->bodies.items[j].name,
                            w->bodies.items[found.items[k] & UINT32_MAX].name);
    array_finish(&spans);
    array_finish(&found);
}
