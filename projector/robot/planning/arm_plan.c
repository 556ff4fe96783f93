// projector/robot/planning/arm_plan.c - paths of one arm through the believed world: straight lines
// of the tool, joint-space paths, random trees, paths that keep the held object level.
#include "projector/robot/planning/arm_plan.h"

#include <math.h>

enum { TREE_MAX = 500, CHECKS_MAX = 9000 };

void arm_scene_init_at(arm_scene *s, const mind *m, size_t arm, pose base, const double *joints,
                       const held *h, double opening, const char *except, double margin,
                       const char *purpose) {
    *s = (arm_scene){
        .m = m, .arm = arm, .up = v3(0, 0, -1), .tilt = INFINITY, .blocker = OWNER_NONE};
    s->links = mem_must(m->robot->link_count + 1, sizeof *s->links);
    double *q = mem_must(m->robot->joint_count + 1, sizeof *q);
    memcpy(q, joints ? joints : belief_joints(m->belief), m->robot->joint_count * sizeof *q);
    if (joints)
        robot_follow(m->robot, q);
    robot_forward(m->robot, base, q, s->links);
    free(q);
    chain_init(&s->chain, m->robot, arm, s->links);
    limb_init(&s->limb, m, arm, opening, h);
    collision_scene_gather(&s->collisions, m, s->links, (int64_t)arm, s->chain.root.p,
                           s->chain.reach + 0.6, margin, margin, except);
    collision_scene_graze(&s->collisions, m, except);
    s->key = rng_key_make(m->seed, purpose, m->robot->arms[arm].name);
}

void arm_scene_init(arm_scene *s, const mind *m, size_t arm, pose base, const held *h,
                    double opening, const char *except, double margin, const char *purpose) {
    arm_scene_init_at(s, m, arm, base, NULL, h, opening, except, margin, purpose);
}

void arm_scene_finish(arm_scene *s) {
    collision_scene_finish(&s->collisions);
    limb_finish(&s->limb);
    free(s->links);
}

bool arm_free(arm_scene *s, const double q[AXES_MAX]) {
    pose frames[FRAMES];
    s->checks++;
    stopwatch_start(s->m->checks);
    chain_forward(&s->chain, q, frames);
    bool upright = s->tilt >= PI || quat_rotate(frames[TOOL].q, s->up).z >= cos(s->tilt);
    bool is_free = upright && limb_free(&s->limb, &s->collisions, frames, &s->blocker);
    stopwatch_stop(s->m->checks);
    return is_free;
}

// ---- Misses -------------------------------------------------------------------------------------
bool arm_stands(arm_scene *s, const double q[AXES_MAX], double left) {
    if (arm_free(s, q))
        return true;
    pose frames[FRAMES];
    chain_forward(&s->chain, q, frames);
    double lean = s->tilt < PI ? acos(fmax(-1, fmin(1, quat_rotate(frames[TOOL].q, s->up).z))) : 0;
    if (s->tilt < PI && lean > s->tilt) {
        if (miss_keep(s->nearest, MISS_LEAN, left + MISS_LEVER * (lean - s->tilt))) {
            s->nearest->value = lean;
            s->nearest->allowed = s->tilt;
            s->nearest->left = left;
        }
        return false;
    }
    limb_miss(&s->limb, &s->collisions, s->m, frames, left, s->nearest);
    return false;
}

void arm_note_pose(const arm_scene *s, const double q[AXES_MAX], pose tool, double left) {
    pose frames[FRAMES];
    if (!s->nearest)
        return;
    chain_forward(&s->chain, q, frames);
    double far = v3_distance(frames[TOOL].p, tool.p), off = quat_angle(frames[TOOL].q, tool.q);
    if (!miss_keep(s->nearest, MISS_POSE, left + far + MISS_LEVER * off))
        return;
    s->nearest->left = left;
    s->nearest->arm = s->arm;
    s->nearest->chain = s->chain;
    s->nearest->target = tool;
    memcpy(s->nearest->q, q, AXES_MAX * sizeof *q);
}

void arm_note_joint(const arm_scene *s, miss_kind kind, size_t joint, double value, double allowed,
                    double left) {
    double lever = s->chain.prismatic[joint] ? 1 : MISS_LEVER;
    if (!miss_keep(s->nearest, kind, left + lever * fabs(value - allowed)))
        return;
    s->nearest->left = left;
    s->nearest->value = value;
    s->nearest->allowed = allowed;
    s->nearest->slides = s->chain.prismatic[joint];
    snprintf(s->nearest->part, sizeof s->nearest->part, "%s",
             s->m->robot->joints[s->m->robot->arms[s->arm].joints[joint]].name);
}

bool arm_solve(arm_scene *s, pose tool, const double *first, int starts, double q[AXES_MAX]) {
    double x[AXES_MAX];
    memcpy(x, s->chain.rest, sizeof x);
    if (ik_solve(&s->chain, tool, first, s->key, starts, x)) {
        memcpy(q, x, sizeof x);
        return true;
    }
    arm_note_pose(s, x, tool, 0);
    return false;
}

// ---- Straight lines -----------------------------------------------------------------------------
static void add_knot(const arm_scene *s, const double q[AXES_MAX], bool corner, knot_array *out) {
    pose frames[FRAMES];
    chain_forward(&s->chain, q, frames);
    knot k = {.hand = frames[TOOL].p, .corner = corner};
    memcpy(k.q, q, AXES_MAX * sizeof *q);
    array_push(out, k);
}

bool arm_step(arm_scene *s, pose target, double left, double x[AXES_MAX]) {
    const double turn_most = 0.35; // rad, or m
    double last[AXES_MAX], most = 0;
    size_t joint = 0;
    memcpy(last, x, sizeof last);
    if (!ik_descend(&s->chain, target, 0.05, 20, x)) {
        arm_note_pose(s, x, target, left);
        return false;
    }
    for (size_t i = 0; i < AXES_MAX; i++)
        if (fabs(x[i] - last[i]) > most) {
            most = fabs(x[i] - last[i]);
            joint = i;
        }
    if (most > turn_most) {
        arm_note_joint(s, MISS_JUMP, joint, most, turn_most, left);
        return false;
    }
    return s->unchecked || arm_stands(s, x, left);
}

bool arm_follow(arm_scene *s, const double q[AXES_MAX], pose (*pose_of)(const void *way, int n),
                const void *way, int steps, knot_array *out) {
    double x[AXES_MAX];
    memcpy(x, q, sizeof x);
    size_t before = out->count;
    s->blocker = OWNER_NONE;
    for (int n = 1; n <= steps; n++) {
        pose to = pose_of(way, n);
        double left = s->nearest ? v3_distance(to.p, pose_of(way, steps).p) : 0;
        if (!arm_step(s, to, left, x)) {
            out->count = before;
            return false;
        }
        add_knot(s, x, n == steps, out);
    }
    return true;
}

bool arm_track(arm_scene *s, const double q[AXES_MAX], pose to, knot_array *out) {
    pose frames[FRAMES];
    chain_forward(&s->chain, q, frames);
    pose from = frames[TOOL];
    double far = v3_distance(from.p, to.p), off = quat_angle(from.q, to.q);
    int steps = (int)ceil(fmax(far / 0.015, off / 0.06));
    steps = far < 1e-5 && off < 1e-4 ? 0 : steps < 8 ? 8 : steps;
    double x[AXES_MAX];
    memcpy(x, q, sizeof x);
    size_t before = out->count;
    s->blocker = OWNER_NONE;
    for (int n = 1; n <= steps; n++) {
        double f = (double)n / steps;
        pose target = {v3_add(from.p, v3_scale(v3_sub(to.p, from.p), f)),
                       n == steps ? to.q : quat_slerp(from.q, to.q, f)};
        if (!arm_step(s, target, (1 - f) * far, x)) {
            out->count = before;
            return false;
        }
        add_knot(s, x, n == steps, out);
    }
    return true;
}

bool arm_arrives(arm_scene *s, const double q[AXES_MAX], pose to, double out[AXES_MAX]) {
    knot_array knots = {0};
    bool found = arm_track(s, q, to, &knots);
    if (found)
        memcpy(out, knots.count > 0 ? knots.items[knots.count - 1].q : q, AXES_MAX * sizeof *out);
    array_finish(&knots);
    return found;
}

bool arm_lifts(arm_scene *s, const double q[AXES_MAX], const held *h, double width, double height) {
    limb empty = s->limb; // restored below: its parts point into s->limb
    s->limb = (limb){0};
    limb_init(&s->limb, s->m, s->arm, width, h);
    pose frames[FRAMES];
    chain_forward(&s->chain, q, frames);
    pose to = frames[TOOL];
    // The support touches the object at first, so checking begins 2 cm up.
    pose first = to;
    first.p.z += 0.02;
    to.p.z += height;
    double x[AXES_MAX];
    memcpy(x, q, sizeof x);
    knot_array knots = {0};
    bool free_way = arm_step(s, first, height, x) && arm_track(s, x, to, &knots);
    array_finish(&knots);
    limb_finish(&s->limb);
    s->limb = empty;
    return free_way;
}

bool arm_retreat(arm_scene *s, const double q[AXES_MAX], double far, double least,
                 knot_array *out) {
    pose frames[FRAMES];
    chain_forward(&s->chain, q, frames);
    vec3 up = v3(0, 0, 1), back = v3_scale(quat_rotate(frames[TOOL].q, up), -1);
    // Up is no other way for a hand that points down, nor away from one that points up.
    bool level = fabs(back.z) < 0.9;
    vec3 ways[3] = {back, up, v3_unit(v3_add(back, up))};
    int first = OWNER_NONE;
    for (int k = 0; k < (level ? 3 : 1); k++)
        for (double share = 1; share > least - 1e-9; share -= 0.25) {
            pose to = {v3_add(frames[TOOL].p, v3_scale(ways[k], share * far)), frames[TOOL].q};
            if (arm_track(s, q, to, out))
                return true;
            first = first == OWNER_NONE ? s->blocker : first;
        }
    s->blocker = first;
    return false;
}

bool arm_lets_go(arm_scene *s, const double q[AXES_MAX], double opening) {
    const double far = 0.12, least = 0.5; // as put_down goes back
    limb full = s->limb;                  // restored below: its parts point into s->limb
    s->limb = (limb){0};
    limb_init(&s->limb, s->m, s->arm, opening, NULL);
    knot_array knots = {0};
    bool free_way = arm_stands(s, q, 0) && arm_retreat(s, q, far, least, &knots);
    array_finish(&knots);
    limb_finish(&s->limb);
    s->limb = full;
    return free_way;
}

static double largest_change(const double a[AXES_MAX], const double b[AXES_MAX]) {
    double most = 0;
    for (int i = 0; i < AXES_MAX; i++)
        most = fmax(most, fabs(b[i] - a[i]));
    return most;
}

// Whether a line in joint space is free between its ends, which the caller checks.
static bool segment_free(arm_scene *s, const double a[AXES_MAX], const double b[AXES_MAX]) {
    int steps = (int)ceil(largest_change(a, b) / 0.04);
    // Every other point comes first, so that a collision is found early.
    for (int half = 0; half < 2; half++)
        for (int n = 1 + half; n < steps; n += 2) {
            double q[AXES_MAX], f = (double)n / steps;
            for (int i = 0; i < AXES_MAX; i++)
                q[i] = a[i] + f * (b[i] - a[i]);
            if (!arm_free(s, q))
                return false;
        }
    return true;
}

static void interpolate_joints(const double a[AXES_MAX], const double b[AXES_MAX], double f,
                               double out[AXES_MAX]) {
    for (int i = 0; i < AXES_MAX; i++)
        out[i] = a[i] + f * (b[i] - a[i]);
}

// Where no way leads round what is on the straight one, notes what is worst on that.
static void note_line(arm_scene *s, const double a[AXES_MAX], const double b[AXES_MAX],
                      int blocker) {
    int steps = (int)ceil(largest_change(a, b) / 0.04);
    miss worst = {0}, *asked = s->nearest;
    for (int n = 1; n < steps && asked; n++) {
        miss here = {0};
        double q[AXES_MAX];
        interpolate_joints(a, b, (double)n / steps, q);
        s->nearest = &here;
        if (!arm_stands(s, q, 0) && here.by > worst.by)
            worst = here;
    }
    s->nearest = asked;
    s->blocker = blocker;
    if (worst.kind != MISS_NONE && miss_counts(asked, worst.by))
        *asked = worst;
}

// Adds a joint-space line without its first point, its knots so close that the hand's way shows in
// them.
static void add_line(const arm_scene *s, const double a[AXES_MAX], const double b[AXES_MAX],
                     knot_array *out) {
    int steps = (int)ceil(fmax(largest_change(a, b) / 0.06, 8));
    for (int n = 1; n <= steps && largest_change(a, b) > 1e-9; n++) {
        double q[AXES_MAX];
        interpolate_joints(a, b, (double)n / steps, q);
        add_knot(s, q, n == steps, out);
    }
}

static double path_length(double (*path)[AXES_MAX], size_t count) {
    double sum = 0;
    for (size_t k = 1; k < count; k++)
        sum += largest_change(path[k - 1], path[k]);
    return sum;
}

// Computes the point of a path at a length from its beginning; returns the index of the node before
// it.
static size_t point_at(double (*path)[AXES_MAX], size_t count, double length,
                       double out[AXES_MAX]) {
    for (size_t k = 1; k < count; k++) {
        double step = largest_change(path[k - 1], path[k]);
        if (length <= step || k + 1 == count) {
            interpolate_joints(path[k - 1], path[k], step > 0 ? fmin(1, length / step) : 0, out);
            return k - 1;
        }
        length -= step;
    }
    return 0;
}

// Replaces stretches between points drawn anywhere on the path by straight lines where they are
// free. Each adds at most one node.
static size_t shortcut_path(arm_scene *s, double (*path)[AXES_MAX], size_t count, size_t most) {
    enum { CUTS = 40 };
    for (int n = 0; n < CUTS && count > 2; n++) {
        double length = path_length(path, count), p[AXES_MAX], q[AXES_MAX];
        double u = length * rng_uniform(s->key, s->draws, 0),
               v = length * rng_uniform(s->key, s->draws, 1);
        s->draws++;
        size_t i = point_at(path, count, fmin(u, v), p), k = point_at(path, count, fmax(u, v), q);
        if (i == k || count + 1 > most || !segment_free(s, p, q))
            continue;
        memmove(path[i + 3], path[k + 1], (count - k - 1) * sizeof path[0]);
        memcpy(path[i + 1], p, sizeof path[0]);
        memcpy(path[i + 2], q, sizeof path[0]);
        count = count - (k - i) + 2;
    }
    return count;
}

// Adds knots close to one another along a path, and moves each to the middle of its neighbours
// where that is free.
static void add_path(arm_scene *s, double (*path)[AXES_MAX], size_t count, knot_array *out) {
    enum { PASSES = 12 };
    const double spacing = 0.05;
    double length = path_length(path, count), still = 1e-3;
    size_t knots = (size_t)fmax(8, ceil(length / spacing));
    double(*dense)[AXES_MAX] = mem_must(knots + 1, sizeof *dense);
    for (size_t k = 0; k <= knots; k++)
        point_at(path, count, length * (double)k / (double)knots, dense[k]);
    memcpy(dense[knots], path[count - 1], sizeof *dense);
    for (int n = 0; n < PASSES; n++)
        for (size_t k = 1; k < knots; k++) {
            double middle[AXES_MAX], last[AXES_MAX];
            interpolate_joints(dense[k - 1], dense[k + 1], 0.5, middle);
            if (largest_change(middle, dense[k]) < still)
                continue;
            memcpy(last, dense[k], sizeof last);
            memcpy(dense[k], middle, sizeof middle);
            if (!arm_free(s, middle))
                memcpy(dense[k], last, sizeof last);
        }
    for (size_t k = 1; k <= knots; k++)
        add_knot(s, dense[k], k == knots, out);
    free(dense);
}

// ---- Random trees (RRT-Connect, Kuffner & LaValle 2000) -----------------------------------------
typedef struct tree {
    double q[TREE_MAX][AXES_MAX];
    int parent[TREE_MAX];
    int count;
} tree;

static double joint_distance(const double a[AXES_MAX], const double b[AXES_MAX]) {
    double sum = 0;
    for (int i = 0; i < AXES_MAX; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static int nearest_node(const tree *t, const double q[AXES_MAX]) {
    int best = 0;
    double least = INFINITY;
    for (int n = 0; n < t->count; n++) {
        double d = joint_distance(t->q[n], q);
        if (d < least) {
            least = d;
            best = n;
        }
    }
    return best;
}

static int tree_add(tree *t, const double q[AXES_MAX], int parent) {
    memcpy(t->q[t->count], q, sizeof t->q[0]);
    t->parent[t->count] = parent;
    return t->count++;
}

// Grows a tree from the node nearest to q towards q, by one step or (`greedy`) as far as that is
// free. Returns the last node added, or -1.
static int tree_extend(arm_scene *s, tree *t, const double q[AXES_MAX], bool greedy,
                       bool *reached) {
    int at = nearest_node(t, q), added = -1;
    *reached = false;
    while (t->count < TREE_MAX && s->checks < CHECKS_MAX) {
        double next[AXES_MAX], d = largest_change(t->q[at], q), f = d > 0.3 ? 0.3 / d : 1;
        for (int i = 0; i < AXES_MAX; i++)
            next[i] = t->q[at][i] + f * (q[i] - t->q[at][i]);
        if (!arm_free(s, next) || !segment_free(s, t->q[at], next))
            return added;
        at = added = tree_add(t, next, at);
        if (f >= 1) {
            *reached = true;
            return added;
        }
        if (!greedy)
            return added;
    }
    return added;
}

static size_t tree_path(const tree *a, int at_a, const tree *b, int at_b, double (*out)[AXES_MAX]) {
    size_t count = 0;
    int chain_a[TREE_MAX], n = 0;
    for (int k = at_a; k >= 0; k = a->parent[k])
        chain_a[n++] = k;
    while (n > 0)
        memcpy(out[count++], a->q[chain_a[--n]], sizeof a->q[0]);
    for (int k = b->parent[at_b]; k >= 0; k = b->parent[k])
        memcpy(out[count++], b->q[k], sizeof b->q[0]);
    return count;
}

static size_t drop_nodes(arm_scene *s, double (*path)[AXES_MAX], size_t count) {
    for (int n = 0; n < 80 && count > 2; n++) {
        size_t a = (size_t)(rng_uniform(s->key, s->draws, 0) * (double)(count - 2));
        size_t b = a + 2 + (size_t)(rng_uniform(s->key, s->draws++, 1) * (double)(count - a - 2));
        if (b >= count || !segment_free(s, path[a], path[b]))
            continue;
        memmove(path[a + 1], path[b], (count - b) * sizeof path[0]);
        count -= b - a - 1;
    }
    return count;
}

static bool grow_trees(arm_scene *s, tree *trees, const double from[AXES_MAX],
                       const double to[AXES_MAX], double (*path)[AXES_MAX], size_t *count) {
    trees[0].count = trees[1].count = 0;
    tree_add(&trees[0], from, -1);
    tree_add(&trees[1], to, -1);
    for (int n = 0;
         s->checks < CHECKS_MAX && trees[0].count < TREE_MAX && trees[1].count < TREE_MAX; n++) {
        tree *a = &trees[n % 2], *b = &trees[(n + 1) % 2];
        double q[AXES_MAX];
        for (int i = 0; i < AXES_MAX; i++) {
            double low = fmax(s->chain.lower[i], fmin(from[i], to[i]) - 1.2);
            double high = fmin(s->chain.upper[i], fmax(from[i], to[i]) + 1.2);
            q[i] = low + (high - low) * rng_uniform(s->key, s->draws, (uint32_t)i);
        }
        s->draws++;
        bool reached;
        int at = tree_extend(s, a, q, false, &reached);
        if (at < 0)
            continue;
        double goal[AXES_MAX];
        memcpy(goal, a->q[at], sizeof goal);
        int met = tree_extend(s, b, goal, true, &reached);
        if (met < 0 || !reached)
            continue;
        *count = n % 2 == 0 ? tree_path(a, at, b, met, path) : tree_path(b, met, a, at, path);
        return true;
    }
    return false;
}

// Finds the shortest path with one stop at which some joints have their final position and the
// others still their first: the arm folds first and reaches then, or the other way round.
static bool one_stop(arm_scene *s, const double from[AXES_MAX], const double to[AXES_MAX],
                     double stop[AXES_MAX]) {
    double best = INFINITY;
    for (unsigned mask = 1; mask + 1 < 1u << s->chain.count && s->checks < CHECKS_MAX / 3; mask++) {
        double q[AXES_MAX];
        for (int i = 0; i < AXES_MAX; i++)
            q[i] = mask >> i & 1 ? to[i] : from[i];
        double length = largest_change(from, q) + largest_change(q, to);
        if (length < best && arm_free(s, q) && segment_free(s, from, q) && segment_free(s, q, to)) {
            best = length;
            memcpy(stop, q, sizeof q);
        }
    }
    return isfinite(best);
}

static bool with_one_stop(arm_scene *s, const double from[AXES_MAX], const double to[AXES_MAX],
                          knot_array *out) {
    enum { NODES = 48 };
    double way[NODES][AXES_MAX];
    memcpy(way[0], from, sizeof way[0]);
    memcpy(way[2], to, sizeof way[2]);
    if (!one_stop(s, from, to, way[1]))
        return false;
    add_path(s, way, shortcut_path(s, way, 3, NODES), out);
    return true;
}

bool arm_connect(arm_scene *s, const double from[AXES_MAX], const double to[AXES_MAX],
                 knot_array *out) {
    enum { TREES = 2 };
    s->blocker = OWNER_NONE;
    s->checks = 0;
    if (!arm_stands(s, to, 0))
        return false;
    if (segment_free(s, from, to)) {
        add_line(s, from, to, out);
        return true;
    }
    int blocker = s->blocker;
    if (with_one_stop(s, from, to, out))
        return true;
    tree *trees = mem_must(2, sizeof *trees);
    double(*paths)[2 * TREE_MAX][AXES_MAX] = mem_must(2, sizeof *paths);
    // Paths of random trees differ much in length, so the shortest of several is taken.
    size_t best = 0, best_count = 0;
    for (int n = 0; n < TREES; n++) {
        size_t now = 1 - best, count = 0;
        s->checks = 0;
        if (!grow_trees(s, trees, from, to, paths[now], &count))
            break;
        count = shortcut_path(s, paths[now], drop_nodes(s, paths[now], count), 2 * TREE_MAX);
        if (best_count == 0 ||
            path_length(paths[now], count) < path_length(paths[best], best_count)) {
            best = now;
            best_count = count;
        }
    }
    if (best_count > 0)
        add_path(s, paths[best], best_count, out);
    else
        note_line(s, from, to, blocker);
    free(trees);
    free(paths);
    return best_count > 0;
}

// ---- Keeping level ------------------------------------------------------------------------------
static bool track_through(arm_scene *s, const double q[AXES_MAX], const pose *poses, size_t count,
                          knot_array *out) {
    size_t before = out->count;
    double at[AXES_MAX];
    memcpy(at, q, sizeof at);
    for (size_t k = 0; k < count; k++) {
        if (!arm_track(s, at, poses[k], out)) {
            out->count = before;
            return false;
        }
        if (out->count > before)
            memcpy(at, out->items[out->count - 1].q, sizeof at);
    }
    return true;
}

// The tool goes straight, or over the obstacles in between, or by way of a place close to the body.
static bool travel_level(arm_scene *s, const double from[AXES_MAX], pose a, pose b,
                         knot_array *out) {
    static const double lifts[] = {0.05, 0.15, 0.25};
    if (track_through(s, from, &b, 1, out))
        return true;
    for (int k = 0; k < 3; k++) {
        double z = fmax(a.p.z, b.p.z) + lifts[k];
        pose via[3] = {a, b, b};
        via[0].p.z = via[1].p.z = z;
        if (track_through(s, from, via, 3, out))
            return true;
        pose near = {v3_add(v3_scale(v3_add(a.p, b.p), 0.25), v3_scale(s->chain.root.p, 0.5)),
                     quat_slerp(a.q, b.q, 0.5)};
        near.p.z = z;
        pose around[4] = {a, near, b, b};
        around[0].p.z = around[2].p.z = z;
        if (track_through(s, from, around, 4, out))
            return true;
    }
    return false;
}

bool arm_travel(arm_scene *s, const double from[AXES_MAX], const double to[AXES_MAX],
                knot_array *out) {
    pose frames[FRAMES];
    chain_forward(&s->chain, from, frames);
    pose a = frames[TOOL];
    chain_forward(&s->chain, to, frames);
    pose b = frames[TOOL];
    // A level path is possible where the direction of the hand that points up now does so in the
    // end.
    s->up = quat_rotate(quat_inverse(a.q), v3(0, 0, 1));
    bool level = quat_rotate(b.q, s->up).z > 0.9;
    size_t before = out->count;
    if (level && !s->exact && travel_level(s, from, a, b, out))
        return true;
    if (level) {
        out->count = before;
        double tilt = s->tilt;
        s->tilt = fmin(tilt, s->level ? 0.3 : 0.6);
        bool found = arm_connect(s, from, to, out);
        s->tilt = tilt;
        if (found)
            return true;
        out->count = before;
    }
    return !s->level && arm_connect(s, from, to, out);
}
