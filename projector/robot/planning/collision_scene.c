// projector/robot/planning/collision_scene.c - obstacles about an arm: the believed world and the
// robot's own body, as convex shapes with margins.
#include "projector/robot/planning/collision_scene.h"
#include "projector/robot/grasping/grasp.h"

#include <math.h>

double shape_radius(const shape *s) {
    switch (s->kind) {
    case SHAPE_BOX:
    case SHAPE_MESH:
        return v3_length(s->size) / 2;
    case SHAPE_CYLINDER:
        return hypot(s->size.x, s->size.z / 2);
    case SHAPE_SPHERE:
        return s->size.x;
    case SHAPE_CAPSULE:
        return s->size.x + s->size.z / 2;
    case SHAPE_PLANE:
        break;
    }
    return INFINITY;
}

void collision_scene_finish(collision_scene *c) {
    array_finish(&c->items);
    array_finish(&c->close_pairs);
    array_finish(&c->near);
    free(c->made);
    *c = (collision_scene){0};
}

static void part_add(limb *l, const shape *s, int frame, pose at, int64_t part, bool pad) {
    if (s->kind != SHAPE_PLANE)
        array_push(&l->parts, (limb_part){s, frame, at, shape_radius(s), part, part < 0, pad});
}

// The joint of an arm, counted from the shoulder, whose link a link is or hangs on; -1: of none.
static int carried_by(const robot_model *r, size_t arm, size_t link) {
    const robot_arm *a = &r->arms[arm];
    while (true) {
        for (size_t i = 0; i < a->joint_count; i++)
            if (r->joints[a->joints[i]].child == link)
                return (int)i;
        if (r->links[link].joint < 0)
            return -1;
        link = r->joints[r->links[link].joint].parent;
    }
}

static void link_add(limb *l, const mind *m, size_t arm, size_t link) {
    const robot_model *r = m->robot;
    int frame = carried_by(r, arm, link);
    if (frame < 0)
        return;
    size_t carrier = r->joints[r->arms[arm].joints[frame]].child;
    const pose *links = belief_links(m->belief);
    pose at = carrier == link ? POSE_IDENTITY : pose_mul(pose_inverse(links[carrier]), links[link]);
    for (size_t k = 0; k < r->links[link].shape_count; k++) {
        const shape *s = &r->links[link].shapes[k];
        part_add(l, s, frame, pose_mul(at, s->at), (int64_t)link, false);
    }
}

// The distance that two parts of one arm keep from each other, m. A held object keeps clear of
// shoulder, upper arm, elbow and forearm.
static double own_margin(const limb *l, const limb_part *p, const limb_part *o) {
    if (o->part < 0 || o->frame >= p->frame)
        return 0;
    if (p->held)
        return o->frame <= l->joints - 3 ? ROBOT_SELF_MARGIN : 0;
    return robot_self_margin(l->robot, (size_t)p->part, (size_t)o->part);
}

static void pairs_gather(limb *l) {
    l->pairs.count = l->at.count = 0;
    for (size_t i = 0; i < l->parts.count; i++) {
        array_push(&l->at, POSE_IDENTITY);
        for (size_t k = 0; k < l->parts.count; k++) {
            double margin = own_margin(l, &l->parts.items[i], &l->parts.items[k]);
            if (margin > 0)
                array_push(&l->pairs, (own_pair){i, k, margin});
        }
    }
}

void limb_init(limb *l, const mind *m, size_t arm, double opening, const held *h) {
    const robot_model *r = m->robot;
    const robot_arm *a = &r->arms[arm];
    const robot_gripper *g = &a->gripper;
    int64_t hand = (int64_t)(r->link_count + arm);
    l->parts.count = 0;
    l->robot = r;
    l->joints = (int)a->joint_count;
    // The hand's shapes come first, since they are the ones that meet things.
    l->palm = (shape){SHAPE_BOX, POSE_IDENTITY, g->palm_size};
    l->pad = (shape){SHAPE_BOX, POSE_IDENTITY, g->pad_size};
    double aside = opening / 2 + g->pad_size.y / 2;
    part_add(l, &l->pad, TOOL, (pose){v3(0, aside, 0), {1, 0, 0, 0}}, hand, true);
    part_add(l, &l->pad, TOOL, (pose){v3(0, -aside, 0), {1, 0, 0, 0}}, hand, true);
    pose palm = {v3_sub(g->palm_center, v3(0, 0, g->pad_center_z)), {1, 0, 0, 0}};
    part_add(l, &l->palm, TOOL, palm, hand, false);
    for (size_t k = 0; h && h->kind && k < h->kind->shape_count; k++)
        part_add(l, &h->kind->shapes[k], TOOL, pose_mul(h->in_hand, h->kind->shapes[k].at), -1,
                 false);
    for (size_t link = r->link_count - 1; link > 0; link--)
        link_add(l, m, arm, link);
    pairs_gather(l);
}

void limb_finish(limb *l) {
    array_finish(&l->parts);
    array_finish(&l->pairs);
    array_finish(&l->at);
}

void obstacle_move(obstacle *o, pose at) {
    // Rounding must not make the bounds too small.
    const double spare = 1e-6;
    shape moved = *o->s;
    moved.at = o->at = at;
    if (shapes_bounds(&moved, 1, POSE_IDENTITY, &o->low, &o->high)) {
        o->low = v3_sub(o->low, v3(spare, spare, spare));
        o->high = v3_add(o->high, v3(spare, spare, spare));
    } else { // a plane
        o->low = v3(-INFINITY, -INFINITY, -INFINITY);
        o->high = v3(INFINITY, INFINITY, INFINITY);
    }
}

static bool near_enough(const shape *s, pose at, vec3 center, double range) {
    return s->kind == SHAPE_PLANE || shape_distance(s, at, center) < range;
}

static void obstacle_add(collision_scene *c, const shape *s, pose at, int owner, int64_t part,
                         double margin, vec3 center, double range) {
    if (!near_enough(s, at, center, range))
        return;
    obstacle o = {
        .s = s, .owner = owner, .part = part, .margin = margin, .radius = shape_radius(s)};
    obstacle_move(&o, at);
    array_push(&c->items, o);
}

// Adds the hand of an arm that is not planned for, and the object in it.
static void add_hand(collision_scene *c, const mind *m, const pose *links, size_t arm, vec3 center,
                     double range, const char *except) {
    const robot_gripper *g = &m->robot->arms[arm].gripper;
    pose palm = robot_palm(m->robot, arm, links), tool = robot_tool(m->robot, arm, links);
    double aside = hand_opening(m, arm) / 2 + g->pad_size.y / 2;
    shape *boxes = c->made + c->made_count;
    c->made_count += 2;
    boxes[0] = (shape){SHAPE_BOX, POSE_IDENTITY, g->palm_size};
    boxes[1] = (shape){SHAPE_BOX, POSE_IDENTITY, g->pad_size};
    const double margin = ROBOT_SELF_MARGIN;
    int64_t part = (int64_t)(m->robot->link_count + arm);
    pose at = pose_mul(palm, (pose){g->palm_center, {1, 0, 0, 0}});
    obstacle_add(c, &boxes[0], at, OWNER_ARM, part, margin, center, range);
    for (int side = -1; side <= 1; side += 2) {
        at = pose_mul(tool, (pose){v3(0, side * aside, 0), {1, 0, 0, 0}});
        obstacle_add(c, &boxes[1], at, OWNER_ARM, part, margin, center, range);
    }
    held h = held_by(m, arm);
    bool left_out = except && h.name && strcmp(h.name, except) == 0;
    for (size_t k = 0; h.kind && !left_out && k < h.kind->shape_count; k++) {
        const shape *s = &h.kind->shapes[k];
        at = pose_mul(pose_mul(tool, h.in_hand), s->at);
        obstacle_add(c, s, at, OWNER_ARM, -1, margin, center, range);
    }
}

static void add_body(collision_scene *c, const mind *m, const pose *links, int64_t arm, vec3 center,
                     double range, const char *except) {
    const robot_model *r = m->robot;
    for (size_t l = 0; l < r->link_count; l++) {
        if (arm >= 0 && carried_by(r, (size_t)arm, l) >= 0)
            continue;
        bool other = false;
        for (size_t k = 0; k < r->arm_count; k++)
            other |= carried_by(r, k, l) >= 0;
        for (size_t k = 0; k < r->links[l].shape_count; k++) {
            const shape *s = &r->links[l].shapes[k];
            obstacle_add(c, s, pose_mul(links[l], s->at), other ? OWNER_ARM : OWNER_SELF,
                         (int64_t)l, ROBOT_SELF_MARGIN, center, range);
        }
    }
    for (size_t k = 0; k < r->arm_count; k++)
        if ((int64_t)k != arm)
            add_hand(c, m, links, k, center, range, except);
}

bool robot_stands_in_way(const mind *m, size_t robot, robot_in_way *out) {
    return belief_robot_in_way(m->belief, robot, out) && out->stands &&
           !(m->past && (strcmp(m->past, EVERY_ROBOT) == 0 || strcmp(m->past, out->name) == 0));
}

// Adds other robots that stand.
static void add_robots(collision_scene *c, const mind *m, vec3 center, double range,
                       double margin) {
    for (size_t i = 0; i < belief_robot_count(m->belief); i++) {
        robot_in_way o;
        if (!robot_stands_in_way(m, i, &o) || o.radius <= 0 || o.height <= 0)
            continue;
        shape *s = &c->made[c->made_count++];
        *s = (shape){SHAPE_CYLINDER, POSE_IDENTITY, v3(o.radius, o.radius, o.height)};
        pose at = {v3(o.at.x, o.at.y, o.height / 2), {1, 0, 0, 0}};
        obstacle_add(c, s, at, OWNER_ROBOTS + (int)i, -1, margin, center, range);
    }
}

void collision_scene_gather(collision_scene *c, const mind *m, const pose *links, int64_t arm,
                            vec3 center, double range, double margin, double object_margin,
                            const char *except) {
    c->items.count = 0;
    c->close_pairs.count = 0;
    c->made_count = 0;
    c->touch = OWNER_NONE;
    c->own = arm >= 0;
    if (!c->made) {
        c->made = mem_must(2 * (m->robot->arm_count + 1) + belief_robot_count(m->belief),
                           sizeof *c->made);
    }
    for (size_t i = 0; i < belief_object_count(m->belief); i++) {
        const believed_object *o = belief_object(m->belief, i);
        if (!o->confirmed || !o->kind || o->hand >= 0 || (except && strcmp(o->name, except) == 0))
            continue;
        bool noted = false; // fingers have closed about the object, though it is not asserted to be
                            // in a hand yet
        for (size_t k = 0; k < m->robot->arm_count; k++)
            noted |= belief_held(m->belief, k, NULL) == o;
        size_t before = c->items.count;
        for (size_t k = 0; !noted && k < o->kind->shape_count; k++) {
            const shape *s = &o->kind->shapes[k];
            obstacle_add(c, s, pose_mul(o->at, s->at), (int)i, -1,
                         o->known ? margin : object_margin, center, range);
        }
        bool rides = except && !o->known && c->items.count > before && rides_on(m, o, except);
        for (size_t k = before; k < c->items.count; k++) {
            c->items.items[k].rides = rides;
            c->items.items[k].known = o->known;
        }
    }
    add_robots(c, m, center, range, object_margin);
    if (arm >= 0)
        add_body(c, m, links, arm, center, range, except);
}

// Whether a part may touch an obstacle: a held object may touch its support and what stands on it.
static bool may_touch(const collision_scene *c, const limb_part *p, const obstacle *o) {
    return p->held && (o->rides || o->owner == c->touch);
}

// The distance that a part keeps from an obstacle, m.
static double margin_between(const limb *l, const limb_part *p, const obstacle *o) {
    if (p->part < 0 || o->part < 0)
        return o->margin;
    return fmin(o->margin, robot_self_margin(l->robot, (size_t)p->part, (size_t)o->part));
}

// How much two shapes miss of a margin, m; 0: nothing. *gap: between them, negative where they
// overlap.
static double pair_miss(const shape *a, pose at_a, const shape *b, pose at_b, double margin,
                        double *gap) {
    *gap = shape_gap(a, at_a, b, at_b);
    if (*gap >= margin)
        return 0;
    if (*gap <= 0)
        *gap = -shape_overlap(a, at_a, b, at_b);
    return margin - *gap;
}

// Whether two parts of one arm are too close to each other, at their poses.
static bool parts_meet(const limb_part *p, pose at, const limb_part *o, pose there, double margin) {
    double apart = p->radius + o->radius + margin;
    vec3 d = v3_sub(at.p, there.p);
    return margin > 0 && v3_dot(d, d) < apart * apart &&
           shape_distance(o->s, there, at.p) - p->radius < margin &&
           shape_gap(p->s, at, o->s, there) < margin;
}

// Whether an arm, its hand and its load stay clear of one another, at l->at; *part: one that does
// not.
static bool clear_of_itself(const limb *l, int64_t *part) {
    for (size_t n = 0; n < l->pairs.count; n++) {
        const own_pair *w = &l->pairs.items[n];
        const limb_part *p = &l->parts.items[w->part], *o = &l->parts.items[w->other];
        if (parts_meet(p, l->at.items[w->part], o, l->at.items[w->other], w->margin)) {
            *part = o->part;
            return false;
        }
    }
    return true;
}

bool limbs_apart(const limb *l, const pose frames[FRAMES], const limb *other,
                 const pose other_frames[FRAMES], int *blocker) {
    for (size_t i = 0; i < l->parts.count; i++) {
        const limb_part *p = &l->parts.items[i];
        pose at = pose_mul(frames[p->frame], p->at);
        for (size_t k = 0; k < other->parts.count && !p->held; k++) {
            const limb_part *o = &other->parts.items[k];
            if (o->held)
                continue;
            double margin = robot_self_margin(l->robot, (size_t)p->part, (size_t)o->part);
            pose there = pose_mul(other_frames[o->frame], o->at);
            if (margin > 0 && parts_meet(p, at, o, there, margin)) {
                *blocker = OWNER_PARTS - (int)o->part;
                return false;
            }
        }
    }
    return true;
}

// From furniture a part keeps its whole margin again once it has moved away from where it was
// closer: up to LEEWAY it may stay as close, m, and from there on the margin grows with the way.
static const double LEEWAY = 0.03, REGAIN = 0.5;

// The margin that is left of `margin` between a part, at a pose, and an obstacle that it was close
// to at an end of the path.
static double margin_at(const collision_scene *c, size_t item, const limb_part *p, pose at,
                        double margin) {
    const obstacle *o = &c->items.items[item];
    for (size_t k = 0; k < c->close_pairs.count; k++) {
        const close_pair *e = &c->close_pairs.items[k];
        if (e->obstacle != item || e->s != p->s || v3_distance(e->at, p->at.p) > 0)
            continue;
        double kept = e->kept;
        if (o->known) {
            pose now = pose_mul(pose_inverse(o->at), at);
            double moved =
                v3_distance(now.p, e->there.p) + p->radius * quat_angle(now.q, e->there.q);
            kept += REGAIN * fmax(0, moved - LEEWAY);
        }
        margin = fmin(margin, kept);
    }
    return margin;
}

// Whether a box lies farther than `margin` from another, along one of the axes.
static bool boxes_apart(vec3 low, vec3 high, const obstacle *o, double margin) {
    return low.x - margin > o->high.x || high.x + margin < o->low.x || low.y - margin > o->high.y ||
           high.y + margin < o->low.y || low.z - margin > o->high.z || high.z + margin < o->low.z;
}

// A hand that takes or puts down a flat thing keeps 3 mm from the support by itself; this is less,
// so that small errors change nothing.
static const double GRAZE_MARGIN = 0.001; // m

// The margin that a part misses of an obstacle, m; 0: it keeps clear of it.
static double margin_missed(const limb *l, const collision_scene *c, const limb_part *p, pose at,
                            size_t item) {
    const obstacle *o = &c->items.items[item];
    if (boxes_apart(at.p, at.p, o, p->radius + o->margin))
        return 0;
    vec3 d = v3_sub(at.p, o->at.p);
    double margin = margin_between(l, p, o), apart = p->radius + o->radius + margin;
    if (v3_dot(d, d) >= apart * apart || margin <= 0 || may_touch(c, p, o) ||
        shape_distance(o->s, o->at, at.p) - p->radius >= margin)
        return 0;
    if (p->pad && (o->grazed || o->owner == c->touch))
        margin = fmin(margin, GRAZE_MARGIN);
    if (o->close)
        margin = margin_at(c, item, p, at, margin);
    return margin > 0 && shape_gap(p->s, at, o->s, o->at) < margin ? margin : 0;
}

// Gathers what the limb, with its parts at l->at, may come too close to.
static void gather_near(const limb *l, collision_scene *c) {
    vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_scale(low, -1);
    for (size_t i = 0; i < l->parts.count; i++) {
        vec3 p = l->at.items[i].p;
        double r = l->parts.items[i].radius;
        low = v3(fmin(low.x, p.x - r), fmin(low.y, p.y - r), fmin(low.z, p.z - r));
        high = v3(fmax(high.x, p.x + r), fmax(high.y, p.y + r), fmax(high.z, p.z + r));
    }
    c->near.count = 0;
    for (size_t k = 0; k < c->items.count; k++)
        if (!boxes_apart(low, high, &c->items.items[k], c->items.items[k].margin))
            array_push(&c->near, k);
}

bool limb_free(limb *l, collision_scene *c, const pose frames[FRAMES], int *blocker) {
    for (size_t i = 0; i < l->parts.count; i++)
        l->at.items[i] = pose_mul(frames[l->parts.items[i].frame], l->parts.items[i].at);
    int64_t own = -1;
    if (c->own && !clear_of_itself(l, &own)) {
        if (blocker)
            *blocker = OWNER_PARTS - (int)own;
        return false;
    }
    gather_near(l, c);
    for (size_t i = 0; i < l->parts.count; i++)
        for (size_t n = 0; n < c->near.count; n++) {
            size_t k = c->near.items[n];
            if (margin_missed(l, c, &l->parts.items[i], l->at.items[i], k) > 0) {
                const obstacle *o = &c->items.items[k];
                if (blocker)
                    *blocker = o->part >= 0 ? OWNER_PARTS - (int)o->part : o->owner;
                return false;
            }
        }
    return true;
}

// The worst of what is too close to something.
typedef struct worst_pair {
    double by, gap, margin;
    int64_t part, other; // of the robot, else -1
    int owner;
} worst_pair;

static void worst_of(worst_pair *w, const shape *a, pose at_a, int64_t part, const shape *b,
                     pose at_b, int64_t other, int owner, double margin) {
    double gap, by = pair_miss(a, at_a, b, at_b, margin, &gap);
    if (by > w->by)
        *w = (worst_pair){by, gap, margin, part, other, owner};
}

static void worst_own_pair(const limb *l, const pose frames[FRAMES], worst_pair *w) {
    for (size_t i = 0; i < l->parts.count; i++)
        for (size_t k = 0; k < l->parts.count; k++) {
            const limb_part *p = &l->parts.items[i], *o = &l->parts.items[k];
            double margin = own_margin(l, p, o);
            pose at = pose_mul(frames[p->frame], p->at), there = pose_mul(frames[o->frame], o->at);
            if (parts_meet(p, at, o, there, margin))
                worst_of(w, p->s, at, p->part, o->s, there, o->part, OWNER_NONE, margin);
        }
}

void limb_miss(const limb *l, const collision_scene *c, const mind *m, const pose frames[FRAMES],
               double left, miss *nearest) {
    worst_pair w = {.part = -1, .other = -1, .owner = OWNER_NONE};
    if (!miss_counts(nearest, left))
        return;
    if (c->own)
        worst_own_pair(l, frames, &w);
    for (size_t i = 0; i < l->parts.count && miss_counts(nearest, left + w.by); i++) {
        const limb_part *p = &l->parts.items[i];
        pose at = pose_mul(frames[p->frame], p->at);
        for (size_t k = 0; k < c->items.count; k++) {
            const obstacle *o = &c->items.items[k];
            double margin = margin_missed(l, c, p, at, k);
            if (margin > 0)
                worst_of(&w, p->s, at, p->part, o->s, o->at, o->part, o->owner, margin);
        }
    }
    if (w.by <= 0 || !miss_keep(nearest, MISS_CONTACT, left + w.by))
        return;
    nearest->left = left;
    nearest->value = w.gap;
    nearest->allowed = w.margin;
    snprintf(nearest->part, sizeof nearest->part, "%s",
             w.part >= 0 ? part_name(m, (size_t)w.part) : "what it holds");
    owner_describe(m, w.other >= 0 ? OWNER_PARTS - (int)w.other : w.owner, nearest->other,
                   sizeof nearest->other);
    if (!nearest->other[0])
        snprintf(nearest->other, sizeof nearest->other, "what it holds");
}

// Gaps below this are contacts, m: no margin can be lowered to them.
static const double CONTACT_GAP = 2e-4;

static void pairs_close(collision_scene *c, const limb *l, const pose frames[FRAMES], bool leaves) {
    for (size_t k = 0; k < c->items.count; k++) {
        obstacle *o = &c->items.items[k];
        for (size_t i = 0; i < l->parts.count; i++) {
            const limb_part *p = &l->parts.items[i];
            pose at = pose_mul(frames[p->frame], p->at);
            double margin = margin_between(l, p, o);
            if (margin <= 0 || may_touch(c, p, o) ||
                shape_distance(o->s, o->at, at.p) - p->radius >= margin)
                continue;
            double gap = shape_gap(p->s, at, o->s, o->at), kept = 0.9 * gap - CONTACT_GAP / 2;
            if (kept >= margin || (gap <= CONTACT_GAP && !leaves))
                continue;
            if (gap <= CONTACT_GAP)
                kept = o->known ? -shape_overlap(p->s, at, o->s, o->at) : -INFINITY;
            pose there = pose_mul(pose_inverse(o->at), at);
            array_push(&c->close_pairs, (close_pair){k, p->s, p->at.p, there, kept});
            o->close = true;
        }
    }
}

void collision_scene_relax(collision_scene *c, const limb *l, const pose frames[FRAMES]) {
    pairs_close(c, l, frames, false);
}

void collision_scene_relax_start(collision_scene *c, const limb *l, const pose frames[FRAMES]) {
    pairs_close(c, l, frames, true);
}

int owner_of(const mind *m, const char *name) {
    for (size_t i = 0; name && i < belief_object_count(m->belief); i++)
        if (strcmp(belief_object(m->belief, i)->name, name) == 0)
            return (int)i;
    return OWNER_NONE;
}

void collision_scene_graze(collision_scene *c, const mind *m, const char *object) {
    const believed_object *o = object ? belief_find(m->belief, object) : NULL;
    int support = o && o->hand < 0 ? owner_of(m, o->support) : OWNER_NONE;
    for (size_t k = 0; support != OWNER_NONE && k < c->items.count; k++)
        c->items.items[k].grazed |= c->items.items[k].owner == support;
}

void collision_scene_drop_arm(collision_scene *c) {
    ASSERT(c->close_pairs.count == 0);
    size_t kept = 0;
    for (size_t k = 0; k < c->items.count; k++)
        if (c->items.items[k].owner != OWNER_ARM)
            c->items.items[kept++] = c->items.items[k];
    c->items.count = kept;
}

const char *part_name(const mind *m, size_t part) {
    const robot_model *r = m->robot;
    return part < r->link_count ? r->links[part].name : r->arms[part - r->link_count].gripper.name;
}

void owner_describe(const mind *m, int owner, char *out, size_t size) {
    size_t part = owner <= OWNER_PARTS ? (size_t)(OWNER_PARTS - owner) : SIZE_MAX;
    if (part < m->robot->link_count + m->robot->arm_count)
        snprintf(out, size, "its own %s", part_name(m, part));
    else
        snprintf(out, size, "%s",
                 owner == OWNER_SELF  ? "its own body"
                 : owner == OWNER_ARM ? "the other arm"
                                      : owner_name(m, owner));
}

const char *owner_name(const mind *m, int owner) {
    robot_in_way o;
    if (owner >= OWNER_ROBOTS)
        return belief_robot_in_way(m->belief, (size_t)(owner - OWNER_ROBOTS), &o) ? o.name : "";
    return owner >= 0 ? belief_object(m->belief, (size_t)owner)->name : "";
}
