// Paths of one arm through the believed world.
#include "projector/robot/robot_int.h"

#include <math.h>

enum { TREE_MAX = 500, CHECKS_MAX = 9000 };

void arm_scene_init(arm_scene *s, const mind *m, size_t arm, pose base, const held *h,
                    double opening, const char *except, double margin, const char *purpose) {
    *s = (arm_scene){.m = m, .arm = arm, .tilt = INFINITY, .blocker = OWNER_NONE};
    s->links = malloc((m->robot->link_count + 1) * sizeof *s->links);
    ASSERT(s->links);
    robot_forward(m->robot, base, belief_joints(m->belief), s->links);
    chain_init(&s->chain, m->robot, arm, s->links);
    limb_init(&s->limb, m, arm, opening, h);
    clutter_gather(&s->clutter, m, s->links, (int64_t)arm, s->chain.root.p, s->chain.reach + 0.6,
                   margin, margin, except);
    s->key = rng_key_make(m->seed, purpose, m->robot->arms[arm].name);
}

void arm_scene_finish(arm_scene *s) {
    clutter_finish(&s->clutter);
    free(s->links);
}

bool arm_free(arm_scene *s, const double q[7]) {
    pose frames[8];
    chain_forward(&s->chain, q, frames);
    s->checks++;
    if (s->tilt < PI && quat_rotate(frames[7].q, v3(0, 0, 1)).z > -cos(s->tilt))
        return false;
    return limb_free(&s->limb, &s->clutter, frames, &s->blocker);
}

static void add_knot(const arm_scene *s, const double q[7], bool corner, knot_array *out) {
    pose frames[8];
    chain_forward(&s->chain, q, frames);
    knot k = {.hand = frames[7].p, .corner = corner};
    memcpy(k.q, q, 7 * sizeof *q);
    array_push(out, k);
}

bool arm_track(arm_scene *s, const double q[7], pose to, knot_array *out) {
    pose frames[8];
    chain_forward(&s->chain, q, frames);
    pose from = frames[7];
    double far = v3_distance(from.p, to.p), off = quat_angle(from.q, to.q);
    int steps = (int)ceil(fmax(far / 0.015, off / 0.06));
    steps = far < 1e-5 && off < 1e-4 ? 0 : steps < 8 ? 8 : steps;
    double x[7];
    memcpy(x, q, sizeof x);
    size_t before = out->count;
    s->blocker = OWNER_NONE;
    for (int n = 1; n <= steps; n++) {
        double f = (double)n / steps, last[7], most = 0;
        pose target = {v3_add(from.p, v3_scale(v3_sub(to.p, from.p), f)),
                       n == steps ? to.q : quat_slerp(from.q, to.q, f)};
        memcpy(last, x, sizeof x);
        bool reached = ik_descend(&s->chain, target, 0.05, 20, x);
        for (int i = 0; i < 7; i++)
            most = fmax(most, fabs(x[i] - last[i]));
        if (!reached || most > 0.35 || !arm_free(s, x)) {
            out->count = before;
            return false;
        }
        add_knot(s, x, n == steps, out);
    }
    return true;
}

bool arm_lifts(arm_scene *s, const double q[7], const held *h, double height) {
    limb empty = s->limb; // its parts point into s->limb, where it comes back to
    limb_init(&s->limb, s->m, s->arm, h->kind ? h->kind->grasp_width : 0, h);
    pose frames[8];
    chain_forward(&s->chain, q, frames);
    pose to = frames[7];
    // What it stands on touches it at first; a centimetre up it must be free.
    pose first = to;
    first.p.z += 0.02;
    to.p.z += height;
    double x[7];
    memcpy(x, q, sizeof x);
    knot_array knots = {0};
    bool free_way =
        ik_descend(&s->chain, first, 0.05, 20, x) && arm_free(s, x) && arm_track(s, x, to, &knots);
    array_finish(&knots);
    s->limb = empty;
    return free_way;
}

static double widest(const double a[7], const double b[7]) {
    double most = 0;
    for (int i = 0; i < 7; i++)
        most = fmax(most, fabs(b[i] - a[i]));
    return most;
}

// Both ends are checked elsewhere.
static bool segment_free(arm_scene *s, const double a[7], const double b[7]) {
    int steps = (int)ceil(widest(a, b) / 0.04);
    // The middle first: it is most likely to be in the way.
    for (int half = 0; half < 2; half++)
        for (int n = 1 + half; n < steps; n += 2) {
            double q[7], f = (double)n / steps;
            for (int i = 0; i < 7; i++)
                q[i] = a[i] + f * (b[i] - a[i]);
            if (!arm_free(s, q))
                return false;
        }
    return true;
}

static void between(const double a[7], const double b[7], double f, double out[7]) {
    for (int i = 0; i < 7; i++)
        out[i] = a[i] + f * (b[i] - a[i]);
}

// A joint-space line without its first point, as knots close enough for the hand's way to be seen.
static void add_line(const arm_scene *s, const double a[7], const double b[7], bool corner,
                     knot_array *out) {
    int steps = (int)ceil(fmax(widest(a, b) / 0.06, corner ? 8 : 1));
    for (int n = 1; n <= steps && widest(a, b) > 1e-9; n++) {
        double q[7];
        between(a, b, (double)n / steps, q);
        add_knot(s, q, corner && n == steps, out);
    }
}

static void bezier(const double a[7], const double b[7], const double c[7], double u,
                   double out[7]) {
    for (int i = 0; i < 7; i++)
        out[i] = (1 - u) * (1 - u) * a[i] + 2 * u * (1 - u) * b[i] + u * u * c[i];
}

// Whether the corner at b can be cut from a to c.
static bool bend_free(arm_scene *s, const double a[7], const double b[7], const double c[7]) {
    int steps = (int)ceil((widest(a, b) + widest(b, c)) / 0.05);
    for (int n = 1; n < steps; n++) {
        double q[7];
        bezier(a, b, c, (double)n / steps, q);
        if (!arm_free(s, q))
            return false;
    }
    return true;
}

// Lines between the nodes of a path, corners rounded where that is free, else with a rest at the
// node.
static void add_path(arm_scene *s, double (*path)[7], size_t count, knot_array *out) {
    double at[7];
    memcpy(at, path[0], sizeof at);
    for (size_t k = 1; k < count; k++) {
        const double *node = path[k];
        if (k + 1 == count) {
            add_line(s, at, node, true, out);
            return;
        }
        double before = widest(at, node), after = widest(node, path[k + 1]) / 2, a[7], c[7];
        double reach = fmin(0.7, fmin(before, after));
        bool cut = false;
        for (int n = 0; n < 3 && !cut && reach > 0.02; n++, reach /= 2) {
            between(node, at, reach / before, a);
            between(node, path[k + 1], reach / (2 * after), c);
            cut = bend_free(s, a, node, c);
            if (cut)
                break;
        }
        if (!cut) {
            add_line(s, at, node, true, out);
            memcpy(at, node, sizeof at);
            continue;
        }
        add_line(s, at, a, false, out);
        int steps = (int)ceil(2 * reach / 0.06);
        for (int n = 1; n <= steps; n++) {
            double q[7];
            bezier(a, node, c, (double)n / steps, q);
            add_knot(s, q, false, out);
        }
        memcpy(at, c, sizeof at);
    }
}

// ---- Random trees (RRT-Connect, Kuffner & LaValle 2000) -----------------------------------------
typedef struct tree {
    double q[TREE_MAX][7];
    int parent[TREE_MAX];
    int count;
} tree;

static double apart(const double a[7], const double b[7]) {
    double sum = 0;
    for (int i = 0; i < 7; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static int nearest(const tree *t, const double q[7]) {
    int best = 0;
    double least = INFINITY;
    for (int n = 0; n < t->count; n++) {
        double d = apart(t->q[n], q);
        if (d < least) {
            least = d;
            best = n;
        }
    }
    return best;
}

static int tree_add(tree *t, const double q[7], int parent) {
    memcpy(t->q[t->count], q, sizeof t->q[0]);
    t->parent[t->count] = parent;
    return t->count++;
}

// Grows from the nearest node towards q, `greedy` as far as it is free. The last node added, or -1.
static int tree_extend(arm_scene *s, tree *t, const double q[7], bool greedy, bool *reached) {
    int at = nearest(t, q), added = -1;
    *reached = false;
    while (t->count < TREE_MAX && s->checks < CHECKS_MAX) {
        double next[7], d = widest(t->q[at], q), f = d > 0.3 ? 0.3 / d : 1;
        for (int i = 0; i < 7; i++)
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

static size_t tree_path(const tree *a, int at_a, const tree *b, int at_b, double (*out)[7]) {
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

static size_t shorten(arm_scene *s, double (*path)[7], size_t count) {
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

static bool grow_trees(arm_scene *s, tree *trees, const double from[7], const double to[7],
                       double (*path)[7], size_t *count) {
    trees[0].count = trees[1].count = 0;
    tree_add(&trees[0], from, -1);
    tree_add(&trees[1], to, -1);
    for (int n = 0;
         s->checks < CHECKS_MAX && trees[0].count < TREE_MAX && trees[1].count < TREE_MAX; n++) {
        tree *a = &trees[n % 2], *b = &trees[(n + 1) % 2];
        double q[7];
        for (int i = 0; i < 7; i++) {
            double low = fmax(s->chain.lower[i], fmin(from[i], to[i]) - 1.2);
            double high = fmin(s->chain.upper[i], fmax(from[i], to[i]) + 1.2);
            q[i] = low + (high - low) * rng_uniform(s->key, s->draws, (uint32_t)i);
        }
        s->draws++;
        bool reached;
        int at = tree_extend(s, a, q, false, &reached);
        if (at < 0)
            continue;
        double goal[7];
        memcpy(goal, a->q[at], sizeof goal);
        int met = tree_extend(s, b, goal, true, &reached);
        if (met < 0 || !reached)
            continue;
        *count = n % 2 == 0 ? tree_path(a, at, b, met, path) : tree_path(b, met, a, at, path);
        return true;
    }
    return false;
}

// One stop on the way, at which some joints are where they will be and the others where they were:
// fold first and reach then, or the other way round. The shortest such way.
static bool one_stop(arm_scene *s, const double from[7], const double to[7], double stop[7]) {
    double best = INFINITY;
    for (unsigned mask = 1; mask < 127 && s->checks < CHECKS_MAX / 3; mask++) {
        double q[7];
        for (int i = 0; i < 7; i++)
            q[i] = mask >> i & 1 ? to[i] : from[i];
        double length = widest(from, q) + widest(q, to);
        if (length < best && arm_free(s, q) && segment_free(s, from, q) && segment_free(s, q, to)) {
            best = length;
            memcpy(stop, q, sizeof q);
        }
    }
    return isfinite(best);
}

static bool with_one_stop(arm_scene *s, const double from[7], const double to[7], knot_array *out) {
    double way[3][7];
    memcpy(way[0], from, sizeof way[0]);
    memcpy(way[2], to, sizeof way[2]);
    if (!one_stop(s, from, to, way[1]))
        return false;
    add_path(s, way, 3, out);
    return true;
}

static double path_length(double (*path)[7], size_t count) {
    double sum = 0;
    for (size_t k = 1; k < count; k++)
        sum += widest(path[k - 1], path[k]);
    return sum;
}

bool arm_connect(arm_scene *s, const double from[7], const double to[7], knot_array *out) {
    enum { TREES = 2 };
    s->blocker = OWNER_NONE;
    s->checks = 0;
    if (!arm_free(s, to))
        return false;
    if (segment_free(s, from, to)) {
        add_line(s, from, to, true, out);
        return true;
    }
    int blocker = s->blocker;
    if (with_one_stop(s, from, to, out))
        return true;
    tree *trees = malloc(2 * sizeof *trees);
    double(*paths)[2 * TREE_MAX][7] = malloc(2 * sizeof *paths);
    ASSERT(trees && paths);
    // What random trees find differs much in length: the shortest of several.
    size_t best = 0, best_count = 0;
    for (int n = 0; n < TREES; n++) {
        size_t now = 1 - best, count = 0;
        s->checks = 0;
        if (!grow_trees(s, trees, from, to, paths[now], &count))
            break;
        count = shorten(s, paths[now], count);
        if (best_count == 0 ||
            path_length(paths[now], count) < path_length(paths[best], best_count)) {
            best = now;
            best_count = count;
        }
    }
    if (best_count > 0)
        add_path(s, paths[best], best_count, out);
    else
        s->blocker = blocker;
    free(trees);
    free(paths);
    return best_count > 0;
}

// ---- Keeping level ------------------------------------------------------------------------------
static bool track_through(arm_scene *s, const double q[7], const pose *poses, size_t count,
                          knot_array *out) {
    size_t before = out->count;
    double at[7];
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

bool arm_travel(arm_scene *s, const double from[7], const double to[7], knot_array *out) {
    pose frames[8];
    chain_forward(&s->chain, from, frames);
    pose a = frames[7];
    chain_forward(&s->chain, to, frames);
    pose b = frames[7];
    bool level = quat_rotate(a.q, v3(0, 0, 1)).z < -0.9 && quat_rotate(b.q, v3(0, 0, 1)).z < -0.9;
    size_t before = out->count;
    if (level) {
        if (track_through(s, from, &b, 1, out))
            return true;
        // Over what is between; then by way of a place close to the body.
        static const double lifts[] = {0.05, 0.15, 0.25};
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
        out->count = before;
        double tilt = s->tilt;
        s->tilt = fmin(tilt, 0.6);
        bool found = arm_connect(s, from, to, out);
        s->tilt = tilt;
        if (found)
            return true;
        out->count = before;
    }
    return arm_connect(s, from, to, out);
}
