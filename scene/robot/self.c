// scene/robot/self.c - how close the robot's own parts may come to one another.
#include "scene/robot/robot_int.h"

#include <math.h>

// Links that so few joints part touch as they are built, and never collide in the simulation.
static const int NEIGHBOURS = 2;

static size_t part_link(const robot_model *r, size_t part) {
    return part < r->link_count ? part : r->arms[part - r->link_count].flange;
}

// The number of joints between two links, over the link that carries both.
static int joints_between(const robot_model *r, size_t a, size_t b) {
    int steps = 0;
    for (; a != b; steps++) { // parents come first
        size_t *deeper = a > b ? &a : &b;
        *deeper = r->joints[r->links[*deeper].joint].parent;
    }
    return steps;
}

double robot_self_margin(const robot_model *r, size_t a, size_t b) {
    if (r->self_margins)
        return r->self_margins[a * (r->link_count + r->arm_count) + b];
    bool near = joints_between(r, part_link(r, a), part_link(r, b)) <= NEIGHBOURS;
    return near ? 0 : ROBOT_SELF_MARGIN;
}

// ---- What the robot's own postures leave --------------------------------------------------------

enum { HAND_SHAPES = 3 };
typedef struct part_shapes {
    const shape *shapes;
    size_t count;
    pose at;        // of the part
    vec3 low, high; // bounds at this pose
    bool bounded;
} part_shapes;

// The palm and the two pads of an open hand, in the palm's frame.
static void hand_shapes(const robot_gripper *g, shape out[HAND_SHAPES]) {
    double aside = g->max_opening / 2 + g->pad_size.y / 2;
    out[0] = (shape){SHAPE_BOX, {g->palm_center, {1, 0, 0, 0}}, g->palm_size, NULL};
    for (int i = 0; i < 2; i++)
        out[1 + i] = (shape){SHAPE_BOX,
                             {v3(0, i == 0 ? aside : -aside, g->pad_center_z), {1, 0, 0, 0}},
                             g->pad_size,
                             NULL};
}

static void place_parts(const robot_model *r, const double *q, shape (*hands)[HAND_SHAPES],
                        pose *links, part_shapes *parts) {
    robot_forward(r, POSE_IDENTITY, q, links);
    for (size_t i = 0; i < r->link_count + r->arm_count; i++) {
        bool link = i < r->link_count;
        part_shapes *p = &parts[i];
        p->shapes = link ? r->links[i].shapes : hands[i - r->link_count];
        p->count = link ? r->links[i].shape_count : HAND_SHAPES;
        p->at = link ? links[i] : robot_palm(r, i - r->link_count, links);
        p->bounded = shapes_bounds(p->shapes, p->count, p->at, &p->low, &p->high);
    }
}

static bool bounds_near(const part_shapes *a, const part_shapes *b, double margin) {
    return a->bounded && b->bounded && a->low.x < b->high.x + margin &&
           b->low.x < a->high.x + margin && a->low.y < b->high.y + margin &&
           b->low.y < a->high.y + margin && a->low.z < b->high.z + margin &&
           b->low.z < a->high.z + margin;
}

static double parts_gap(const part_shapes *a, const part_shapes *b) {
    double least = ROBOT_SELF_MARGIN;
    if (!bounds_near(a, b, ROBOT_SELF_MARGIN))
        return least;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++)
            least = fmin(least, shape_gap(&a->shapes[i], pose_mul(a->at, a->shapes[i].at),
                                          &b->shapes[k], pose_mul(b->at, b->shapes[k].at)));
    return least;
}

// The number of the arm that a part moves with; -1: none.
static int64_t arm_of(const robot_model *r, size_t part) {
    if (part >= r->link_count)
        return (int64_t)(part - r->link_count);
    for (size_t i = 0; i < r->arm_count; i++)
        for (size_t k = 0; k < r->arms[i].joint_count; k++)
            if (r->joints[r->arms[i].joints[k]].child == part)
                return (int64_t)i;
    return -1;
}

static const char *part_name(const robot_model *r, size_t part) {
    return part < r->link_count ? r->links[part].name : r->arms[part - r->link_count].gripper.name;
}

// Every pair of parts at one posture, of which one belongs to an arm.
static void fit_posture(robot_parts *p, bool home, const part_shapes *parts, double *margins) {
    const robot_model *r = p->m;
    size_t count = r->link_count + r->arm_count;
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++) {
            int64_t arm = arm_of(r, b) >= 0 ? arm_of(r, b) : arm_of(r, a);
            if (arm < 0 || joints_between(r, part_link(r, a), part_link(r, b)) <= NEIGHBOURS)
                continue;
            double gap = parts_gap(&parts[a], &parts[b]), *margin = &margins[a * count + b];
            if (gap > 0) {
                // 10 % and a tenth of a millimetre remain for what joints miss.
                if (gap < ROBOT_SELF_MARGIN)
                    *margin = fmin(*margin, fmax(0.9 * gap - 1e-4, 1e-5));
            } else if (home) {
                *margin = 0;
                robot_note_add(p, p->arms.items[arm].node,
                               "`%s` lies in `%s` at home: these two are never taken to collide",
                               part_name(r, b), part_name(r, a));
            } else if (*margin > 0) {
                robot_note_add(
                    p, p->arms.items[arm].node,
                    "`%s` lies in `%s` where the arm `%s` parks: nothing finds a free way "
                    "there; change `park`, or the shapes",
                    part_name(r, b), part_name(r, a), r->arms[arm].name);
            }
            margins[b * count + a] = *margin;
        }
}

void robot_find_self(robot_parts *p) {
    robot_model *r = p->m;
    size_t count = r->link_count + r->arm_count;
    if (r->arm_count == 0)
        return;
    arena *a = p->l.arena;
    double *margins = arena_alloc(a, count * count * sizeof *margins);
    for (size_t i = 0; i < count * count; i++)
        margins[i] = robot_self_margin(r, i / count, i % count);
    double *q = mem_must(r->joint_count + 1, sizeof *q);
    pose *links = mem_must(r->link_count, sizeof *links);
    part_shapes *parts = mem_must(count, sizeof *parts);
    shape(*hands)[HAND_SHAPES] = mem_must(r->arm_count, sizeof *hands);
    for (size_t i = 0; i < r->arm_count; i++)
        hand_shapes(&r->arms[i].gripper, hands[i]);
    memcpy(q, r->home, r->joint_count * sizeof *q);
    place_parts(r, q, hands, links, parts);
    fit_posture(p, true, parts, margins);
    for (size_t i = 0; i < r->arm_count; i++)
        for (size_t k = 0; k < r->arms[i].joint_count; k++)
            q[r->arms[i].joints[k]] = r->arms[i].park[k];
    robot_follow(r, q);
    if (memcmp(q, r->home, r->joint_count * sizeof *q) != 0) {
        place_parts(r, q, hands, links, parts);
        fit_posture(p, false, parts, margins);
    }
    r->self_margins = margins;
    free(q);
    free(links);
    free(parts);
    free(hands);
}
