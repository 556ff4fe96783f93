// projector/robot/planning/contact_plan.c - doors and drawers: their names and positions, and how
// far an arm can follow a handle; the rows in which an area is wiped, and whether an arm passes
// them.
#include "projector/robot/planning/contact_plan.h"
#include "projector/robot/grasping/grasp.h"

#include <math.h>

// ---- Doors and drawers --------------------------------------------------------------------------
static const double LEAVE = 0.1; // m, retreat of the hand from a handle that it has moved
// The arm at the handle keeps this share of what the rest of the robot keeps from the door. On
// springs its elbow goes where it likes, so that more is kept where there is a choice.
static const double ARM_SHARE = 0.75;

int64_t door_named(const mind *m, const term *t) {
    if (!t || t->kind != TERM_SYMBOL)
        return -1;
    int64_t joint = world_find_joint(m->known, t->text);
    int64_t body = joint < 0 ? world_find_body(m->known, t->text) : -1;
    return body >= 0 ? world_joint_of(m->known, (size_t)body) : joint;
}

double door_goal(const mind *m, size_t joint, double given) {
    const world_joint *j = &m->known->joints[joint];
    double v = j->kind == WORLD_HINGE ? given * PI / 180 : given;
    return fmax(j->lower, fmin(j->upper, v));
}

pose door_tool(const mind *m, size_t joint, double from, double to, double turn, pose tool) {
    pose moved = pose_mul(world_joint_pose(m->known, joint, to),
                          pose_inverse(world_joint_pose(m->known, joint, from)));
    quat turned = quat_exp(v3_scale(quat_log(moved.q), turn));
    return (pose){pose_apply(moved, tool.p), quat_unit(quat_mul(turned, tool.q))};
}

double door_position(const mind *m, size_t joint, double from, vec3 start, vec3 now) {
    const world_joint *j = &m->known->joints[joint];
    if (j->kind == WORLD_SLIDER)
        return from + v3_dot(v3_sub(now, start), j->axis);
    vec3 a = v3_sub(start, j->origin.p), b = v3_sub(now, j->origin.p);
    a = v3_sub(a, v3_scale(j->axis, v3_dot(a, j->axis)));
    b = v3_sub(b, v3_scale(j->axis, v3_dot(b, j->axis)));
    return from + atan2(v3_dot(v3_cross(a, b), j->axis), v3_dot(a, b));
}

double door_lever(const mind *m, size_t joint, vec3 point) {
    const world_joint *j = &m->known->joints[joint];
    if (j->kind == WORLD_SLIDER)
        return 1;
    vec3 a = v3_sub(point, j->origin.p);
    return fmax(0.02, v3_length(v3_sub(a, v3_scale(j->axis, v3_dot(a, j->axis)))));
}

static void note_door(const arm_scene *s, const believed_object *door, const obstacle *o,
                      double gap, double margin, double left) {
    if (!miss_keep(s->nearest, MISS_CONTACT, left + margin - gap))
        return;
    s->nearest->value = gap;
    s->nearest->allowed = margin;
    s->nearest->left = left;
    snprintf(s->nearest->part, sizeof s->nearest->part, "%s", door->name);
    owner_describe(s->m, o->part >= 0 ? OWNER_PARTS - (int)o->part : o->owner, s->nearest->other,
                   sizeof s->nearest->other);
}

// Whether the door or drawer, at a pose, keeps clear of the robot by `margin`.
static bool door_clear(arm_scene *s, const believed_object *door, pose at, double margin,
                       double left) {
    const body_type *kind = door->kind;
    for (size_t k = 0; k < s->collisions.items.count; k++) {
        const obstacle *o = &s->collisions.items.items[k];
        if (o->owner != OWNER_SELF && o->owner != OWNER_ARM)
            continue;
        for (size_t n = 0; n < kind->shape_count; n++) {
            pose there = pose_mul(at, kind->shapes[n].at);
            double apart = o->radius + shape_radius(&kind->shapes[n]) + margin;
            double gap = v3_distance(there.p, o->at.p) < apart
                             ? shape_gap(&kind->shapes[n], there, o->s, o->at)
                             : INFINITY;
            if (gap < margin) {
                note_door(s, door, o, gap, margin, left);
                s->blocker = OWNER_SELF;
                return false;
            }
        }
    }
    return true;
}

// Whether a joint is at its limit. The arm moves on springs then, which take the shortest way, so
// that a joint that has come to its limit would stay there.
static bool at_limit(const arm_scene *s, const double q[AXES_MAX], double left) {
    const double room = 0.05;
    const chain *c = &s->chain;
    for (size_t i = 0; i < c->count; i++) {
        double far = fmin(q[i] - c->lower[i], c->upper[i] - q[i]);
        if (far < room) {
            arm_note_joint(s, MISS_LIMIT, i, far, room, left);
            return true;
        }
    }
    return false;
}

// The way of a handle, in steps.
typedef struct arc {
    const believed_object *o; // the door or drawer
    size_t joint;
    double from, to; // positions of the joint
    double margin;   // m, that the robot keeps from the door
    double turn;     // share of the door's turn that the hand makes with it
    bool whole;      // where it cannot be followed to its end, nobody asks how far
    pose tool;       // at `from`
    double length;   // m
    int steps;
    const obstacle *kept; // the scene's `first` items with the joint at `from`; the door's follow
    size_t first;
} arc;

static double arc_position(const arc *w, int n) {
    return n == w->steps ? w->to : w->from + (w->to - w->from) * n / w->steps;
}

// What is left of the way after a step, m.
static double arc_left(const arc *w, int n) {
    return w->length * (w->steps - n) / w->steps;
}

// Moves a posture on to a step of the way. False: the arm does not get there, or comes to a
// joint's limit, which is noted as a miss.
static bool arc_step(arm_scene *s, const arc *w, int n, double x[AXES_MAX]) {
    const double turn_most = 0.6; // rad, or m
    double last[AXES_MAX], most = 0, left = arc_left(w, n);
    size_t joint_moved = 0;
    memcpy(last, x, sizeof last);
    pose target = door_tool(s->m, w->joint, w->from, arc_position(w, n), w->turn, w->tool);
    if (!ik_descend(&s->chain, target, 0, 30, x)) {
        arm_note_pose(s, x, target, left);
        return false;
    }
    for (size_t i = 0; i < AXES_MAX; i++)
        if (fabs(x[i] - last[i]) > most) {
            most = fabs(x[i] - last[i]);
            joint_moved = i;
        }
    if (most > turn_most) {
        arm_note_joint(s, MISS_JUMP, joint_moved, most, turn_most, left);
        return false;
    }
    return !at_limit(s, x, left);
}

// Whether arm and door keep clear at a step of the way, the arm at x, and whether at its end the
// hand can leave the handle. *stands: the same without that.
static bool arc_free(arm_scene *s, const arc *w, int n, const double x[AXES_MAX], bool *stands) {
    double p = arc_position(w, n), left = arc_left(w, n);
    pose moved = pose_mul(world_joint_pose(s->m->known, w->joint, p),
                          pose_inverse(world_joint_pose(s->m->known, w->joint, w->from)));
    pose at = pose_mul(moved, w->o->at);
    obstacle *items = s->collisions.items.items;
    for (size_t k = 0; k < w->o->kind->shape_count; k++)
        obstacle_move(&items[w->first + k], pose_mul(at, w->o->kind->shapes[k].at));
    // Objects that stand in a drawer move with it.
    for (size_t k = 0; k < w->first; k++)
        if (w->kept[k].rides)
            obstacle_move(&items[k], pose_mul(moved, w->kept[k].at));
    *stands = arm_stands(s, x, left) && door_clear(s, w->o, at, w->margin, left);
    if (!*stands || n < w->steps)
        return *stands;
    pose frames[FRAMES];
    knot_array away = {0};
    chain_forward(&s->chain, x, frames);
    bool leaves = arm_track(s, x, grasp_before(frames[TOOL], LEAVE), &away);
    array_finish(&away);
    return leaves;
}

// Follows the handle; returns the joint's position up to which that goes. Most ways end at a
// joint's limit, which is found without looking at what is in the way.
static double follow_arc(arm_scene *s, const double q[AXES_MAX], const arc *w) {
    double(*x)[AXES_MAX] = mem_must((size_t)w->steps + 2, sizeof *x), reached = w->from;
    miss *asked = s->nearest;
    int come = 0;
    memcpy(x[0], q, sizeof *x);
    s->nearest = NULL;
    for (bool on = true; on && come < w->steps;) {
        memcpy(x[come + 1], x[come], sizeof *x);
        on = arc_step(s, w, come + 1, x[come + 1]);
        come += on;
    }
    s->nearest = asked;
    // A miss before that would not be the closest either.
    if (w->whole && come < w->steps && !miss_counts(asked, arc_left(w, come + 1))) {
        free(x);
        return reached;
    }
    bool stands = true;
    for (int n = 1; n <= come && stands; n++)
        if (arc_free(s, w, n, x[n], &stands))
            reached = arc_position(w, n);
    if (stands && come < w->steps)
        arc_step(s, w, come + 1, x[come]); // notes what it misses
    free(x);
    return reached;
}

// A bar along the joint's own axis can turn between the pads: shares of a hinge's turn that the
// hand makes.
static const double TURNS[] = {1, 0.75, 0.5, 0.25, 0};
enum { TURN_COUNT = sizeof TURNS / sizeof *TURNS };

static int turns_possible(const mind *m, size_t joint, pose tool) {
    const world_joint *j = &m->known->joints[joint];
    vec3 along = quat_rotate(tool.q, v3(1, 0, 0));
    bool turns_in_hand = j->kind == WORLD_HINGE && fabs(v3_dot(along, j->axis)) > 0.95;
    return turns_in_hand ? TURN_COUNT : 1;
}

static arc arc_of(const mind *m, size_t joint, double from, double to, pose tool) {
    arc w = {.joint = joint, .from = from, .to = to, .turn = 1, .tool = tool};
    w.length = fabs(to - from) * door_lever(m, joint, tool.p);
    w.steps = (int)fmax(4, ceil(w.length / 0.03));
    return w;
}

// Moves a posture from one step of the way to another in strides of several steps, as far as the
// arm alone lets it.
static bool arc_stride(arm_scene *s, const arc *w, int from, int to, double x[AXES_MAX]) {
    const int stride = 3;
    for (int n = from; n != to;) {
        n = to > n ? (n + stride < to ? n + stride : to) : (n - stride > to ? n - stride : to);
        if (!arc_step(s, w, n, x))
            return false;
    }
    return true;
}

bool arm_handle_posture(arm_scene *s, pose tool, size_t joint, double from, double to, bool whole,
                        int n, double q[AXES_MAX]) {
    arc w = arc_of(s->m, joint, from, to, tool);
    int turns = turns_possible(s->m, joint, tool), middle = w.steps / 2;
    double x[AXES_MAX], y[AXES_MAX], start[AXES_MAX] = {0};
    w.turn = TURNS[n % turns];
    ik_start(&s->chain, s->key, n / turns, start);
    pose half_way = door_tool(s->m, joint, from, arc_position(&w, middle), w.turn, tool);
    bool found = arm_solve(s, half_way, start, 1, x);
    memcpy(y, x, sizeof y);
    found = found && (!whole || arc_stride(s, &w, middle, w.steps, y)) &&
            arc_stride(s, &w, middle, 0, x);
    if (found)
        memcpy(q, x, sizeof x);
    return found;
}

// The postures of a way that the arm gets to the end of.
static void arc_postures(arm_scene *s, const arc *w, const double q[AXES_MAX], knot_array *out) {
    knot k = {0};
    memcpy(k.q, q, AXES_MAX * sizeof *q);
    array_push(out, k);
    for (int n = 1; n <= w->steps; n++) {
        arc_step(s, w, n, k.q);
        array_push(out, k);
    }
}

double arm_operates(arm_scene *s, const double q[AXES_MAX], const believed_object *o, double width,
                    size_t joint, double from, double to, double margin, bool whole, double *turn,
                    knot_array *postures) {
    pose frames[FRAMES];
    limb before = s->limb; // restored below: its parts point into s->limb
    s->limb = (limb){0};
    limb_init(&s->limb, s->m, s->arm, width, NULL);
    chain_forward(&s->chain, q, frames);
    size_t first = s->collisions.items.count, close = s->collisions.close_pairs.count;
    obstacle *kept = mem_must(first + 1, sizeof *kept);
    if (first > 0)
        memcpy(kept, s->collisions.items.items, first * sizeof *kept);
    for (size_t k = 0; k < o->kind->shape_count; k++) {
        const shape *p = &o->kind->shapes[k];
        obstacle door = {.s = p,
                         .owner = owner_of(s->m, o->name),
                         .part = -1,
                         .margin = ARM_SHARE * margin,
                         .radius = shape_radius(p)};
        obstacle_move(&door, pose_mul(o->at, p->at));
        array_push(&s->collisions.items, door);
    }
    collision_scene_relax_start(&s->collisions, &s->limb, frames);
    // The pads hold the bar, whatever turns between them.
    for (size_t k = close; k < s->collisions.close_pairs.count; k++) {
        close_pair *pair = &s->collisions.close_pairs.items[k];
        if (pair->obstacle >= first && pair->s == &s->limb.pad)
            pair->kept = -INFINITY;
    }
    double best = from;
    arc way = arc_of(s->m, joint, from, to, frames[TOOL]);
    way.o = o;
    way.margin = margin;
    way.whole = whole;
    way.kept = kept;
    way.first = first;
    int turns = turns_possible(s->m, joint, frames[TOOL]);
    *turn = 1;
    for (int k = 0; k < turns && best != to; k++) {
        way.turn = TURNS[k];
        double reached = follow_arc(s, q, &way);
        if (fabs(reached - from) > fabs(best - from)) {
            best = reached;
            *turn = TURNS[k];
        }
    }
    if (postures && best == to)
        arc_postures(s, &way, q, postures);
    s->collisions.items.count = first;
    s->collisions.close_pairs.count = close;
    if (first > 0)
        memcpy(s->collisions.items.items, kept, first * sizeof *kept);
    free(kept);
    limb_finish(&s->limb);
    s->limb = before;
    return best;
}

// ---- Wiping -------------------------------------------------------------------------------------
static const double HOVER = 0.03; // m, of the pads over the surface on the way to the first corner

static bool wiped_area(const mind *m, const term *where, pose *middle, double *half_x,
                       double *half_y) {
    int64_t region = where->kind == TERM_SYMBOL ? world_find_region(m->known, where->text) : -1;
    if (region >= 0) {
        const world_region *r = &m->known->regions[region];
        *middle = pose_mul(belief_object(m->belief, r->body)->at, r->at);
        *half_x = r->half_x;
        *half_y = r->half_y;
        return true;
    }
    believed_place place;
    error why = {0};
    if (where->kind != TERM_COMPOUND ||
        belief_resolve_location(m->belief, where, &place, &why) != OK)
        return false;
    *middle = place.at;
    *half_x = place.half_x;
    *half_y = place.half_y;
    return true;
}

// Lays the corners of rows up and down over an area, in its own frame, `spacing` apart; returns how
// many.
static size_t lay_rows(double half_x, double half_y, double spacing, vec3 *out, size_t most) {
    bool along_x = half_x >= half_y;
    double length = along_x ? half_x : half_y, width = along_x ? half_y : half_x;
    int rows = (int)fmax(1, ceil(2 * width / spacing - 1e-9) + (width > 0 ? 1 : 0));
    size_t count = 0;
    for (int r = 0; r < rows && count + 2 <= most; r++) {
        double b = rows == 1 ? 0 : -width + 2 * width * r / (rows - 1);
        for (int e = 0; e < 2; e++) {
            double a = (e == 0) == (r % 2 == 0) ? -length : length;
            out[count++] = along_x ? v3(a, b, 0) : v3(b, a, 0);
        }
    }
    return count;
}

// Whether the hand, turned like this, can pass all rows `above` the surface. Most ways end out of
// reach at the far rows, so that behind the first row nothing is looked for that is in the way
// before all of them are known to be in reach; but a miss is told where the way ends.
static bool rows_reached(arm_scene *s, const double q[AXES_MAX], const vec3 *rows, size_t count,
                         quat turn, double above) {
    knot_array knots = {0};
    double x[AXES_MAX];
    bool found = true;
    size_t checked = 0;
    memcpy(x, q, sizeof x);
    for (size_t k = 0; k < count && found; k++) {
        pose to = {v3_add(rows[k], v3(0, 0, above)), turn};
        s->unchecked = k > 1 && !s->nearest;
        found = arm_track(s, x, to, &knots);
        if (knots.count > 0)
            memcpy(x, knots.items[knots.count - 1].q, sizeof x);
        if (!s->unchecked)
            checked = knots.count;
    }
    s->unchecked = false;
    for (size_t n = checked; n < knots.count && found; n++)
        found = arm_stands(s, knots.items[n].q, 0);
    array_finish(&knots);
    return found;
}

bool wipe_rows_lay(mind *m, size_t arm, const term *where, double spacing, wipe_rows *out) {
    const robot_gripper *g = &m->robot->arms[arm].gripper;
    pose middle;
    double half_x, half_y;
    if (!wiped_area(m, where, &middle, &half_x, &half_y))
        return false;
    // The pads are wide themselves, so that the rows end half a pad before the area's edge.
    half_x = fmax(0, half_x - g->pad_size.x / 2);
    half_y = fmax(0, half_y - g->pad_size.x / 2);
    spacing = spacing > 0 ? spacing : 2 * g->pad_size.x;
    out->count = lay_rows(half_x, half_y, spacing, out->corners, CORNERS_MAX);
    for (size_t k = 0; k < out->count; k++)
        out->corners[k] = pose_apply(middle, out->corners[k]);
    out->middle = middle;
    return true;
}

bool arm_wipes(arm_scene *s, const double *from, const wipe_rows *rows, double start[AXES_MAX]) {
    const quat down = quat_axis_angle(v3(1, 0, 0), PI);
    double above = s->m->robot->arms[s->arm].gripper.pad_size.z / 2 + HOVER;
    // From a posture that is in another branch, all rows may be out of reach that are not from the
    // comfortable one.
    for (int n = from ? 0 : 8; n < 16; n++) {
        double yaw = quat_yaw(rows->middle.q) + n % 8 * PI / 4;
        quat turn = quat_mul(quat_axis_angle(v3(0, 0, 1), yaw), down);
        pose first = {v3_add(rows->corners[0], v3(0, 0, above)), turn};
        if (arm_solve(s, first, n < 8 ? from : NULL, 3, start) && arm_stands(s, start, 0) &&
            rows_reached(s, start, rows->corners, rows->count, turn, above))
            return true;
    }
    return false;
}
