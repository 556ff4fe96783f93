// projector/robot/planning/drive.c - paths of the base through the believed map: A* on a grid,
// shortened, rounded, with a heading along it; where arms or what they hold leave no such heading,
// A* over positions and headings.
#include "projector/robot/planning/drive.h"
#include "projector/robot/planning/arm_plan.h"
#include "projector/robot/planning/memory.h"

#include <math.h>

// ---- A* -----------------------------------------------------------------------------------------
typedef struct heap_item {
    int node, from; // the node before it; grid_path keeps that elsewhere
    float key;
} heap_item;
typedef ARRAY(heap_item) heap;

static void heap_push(heap *h, int node, int from, float key) {
    const heap_item new = {node, from, key};
    array_push(h, new);
    size_t at = h->count - 1;
    while (at > 0 && h->items[(at - 1) / 2].key > key) {
        h->items[at] = h->items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    h->items[at] = new;
}

static heap_item heap_pop(heap *h) {
    heap_item top = h->items[0];
    heap_item last = h->items[--h->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= h->count)
            break;
        if (child + 1 < h->count && h->items[child + 1].key < h->items[child].key)
            child++;
        if (h->items[child].key >= last.key)
            break;
        h->items[at] = h->items[child];
        at = child;
    }
    h->items[at] = last;
    return top;
}

// The way that stays as far from things as a way can: *narrowest is where it comes closest, and the
// distance there is returned, m; negative: none, at any width.
static double widest_way(const base_map *b, vec3 from, vec3 to, vec3 *narrowest) {
    size_t cells = (size_t)b->nx * (size_t)b->ny;
    int start = base_map_cell(b, from), goal = base_map_cell(b, to);
    if (start < 0 || goal < 0)
        return -1;
    bool *done = mem_must(cells, sizeof *done);
    int *parent = mem_must(cells, sizeof *parent);
    heap h = {0};
    double width = -1;
    heap_push(&h, start, -1, -BASE_MAP_FAR);
    while (h.count > 0 && width < 0) {
        heap_item top = heap_pop(&h);
        if (done[top.node])
            continue;
        done[top.node] = true;
        parent[top.node] = top.from;
        if (top.node == goal)
            width = fmax(0, -top.key);
        for (int k = 0; k < 4; k++) {
            static const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
            int x = top.node % b->nx + dx[k], y = top.node / b->nx + dy[k], n = y * b->nx + x;
            if (x >= 0 && y >= 0 && x < b->nx && y < b->ny && !done[n])
                heap_push(&h, n, top.node, fmaxf(top.key, n == goal ? top.key : -b->distance[n]));
        }
    }
    float least = INFINITY;
    for (int at = width < 0 ? -1 : parent[goal]; at >= 0 && at != start; at = parent[at])
        if (b->distance[at] < least) {
            least = b->distance[at];
            *narrowest = v3(base_map_x(b, at % b->nx), base_map_y(b, at / b->nx), 0);
        }
    free(done);
    free(parent);
    array_finish(&h);
    return isfinite(least) ? width : -1;
}

// Notes how much too narrow the widest way is, and for what.
static void note_narrowest(const mind *m, const base_map *b, vec3 from, vec3 to, miss *nearest) {
    vec3 at = to;
    int owner = OWNER_NONE;
    if (!nearest || widest_way(b, from, to, &at) < 0)
        return;
    double clear = base_clearance(m, at.x, at.y, &owner);
    base_miss(m, fmin(clear, base_clearance_least(m)), base_clearance_least(m), owner, 0, nearest);
}

typedef ARRAY(vec3) point_array;

// A path costs more within ROOM of obstacles, m: keeping away from them is worth a detour, since
// odometry drifts and arms stand out.
static const double ROOM = 0.35;

static float crowding_cost(float distance, double wide) {
    double room = distance - wide;
    return room > ROOM ? 1 : (float)(1 + 4 * (ROOM - fmax(0, room)) / ROOM);
}

static bool grid_path(const base_map *b, vec3 from, vec3 to, double least, double wide,
                      point_array *out) {
    size_t cells = (size_t)b->nx * (size_t)b->ny;
    float *cost = mem_must(cells, sizeof *cost);
    int *parent = mem_must(cells, sizeof *parent);
    heap h = {0};
    for (size_t i = 0; i < cells; i++)
        cost[i] = INFINITY;
    int gx = (int)round((to.x - b->x0) / BASE_MAP_CELL),
        gy = (int)round((to.y - b->y0) / BASE_MAP_CELL);
    int sx = (int)round((from.x - b->x0) / BASE_MAP_CELL),
        sy = (int)round((from.y - b->y0) / BASE_MAP_CELL);
    bool found = false;
    if (gx >= 0 && gy >= 0 && gx < b->nx && gy < b->ny && sx >= 0 && sy >= 0 && sx < b->nx &&
        sy < b->ny) {
        int goal = gy * b->nx + gx, start = sy * b->nx + sx;
        cost[start] = 0;
        parent[start] = -1;
        heap_push(&h, start, -1, 0);
        while (h.count > 0 && !found) {
            int at = heap_pop(&h).node, x = at % b->nx, y = at / b->nx;
            found = at == goal;
            for (int k = 0; k < 8 && !found; k++) {
                static const int dx[8] = {1, -1, 0, 0, 1, 1, -1, -1},
                                 dy[8] = {0, 0, 1, -1, 1, -1, 1, -1};
                int nx = x + dx[k], ny = y + dy[k];
                if (nx < 0 || ny < 0 || nx >= b->nx || ny >= b->ny)
                    continue;
                int n = ny * b->nx + nx;
                // Start and goal may stand closer to obstacles than a path may run, so cells about
                // them need less clearance.
                bool edge = (abs(nx - gx) <= 2 && abs(ny - gy) <= 2) ||
                            (abs(nx - sx) <= 2 && abs(ny - sy) <= 2);
                if (b->distance[n] < least - (edge ? 0.04 : 0))
                    continue;
                float step = (float)(BASE_MAP_CELL * (k < 4 ? 1 : 1.41421356)) *
                             crowding_cost(b->distance[n], wide);
                if (cost[at] + step >= cost[n])
                    continue;
                cost[n] = cost[at] + step;
                parent[n] = at;
                heap_push(&h, n, at, cost[n] + (float)(BASE_MAP_CELL * hypot(nx - gx, ny - gy)));
            }
        }
        for (int at = found ? goal : -1; at >= 0; at = parent[at])
            array_push(out, v3(base_map_x(b, at % b->nx), base_map_y(b, at / b->nx), 0));
    }
    free(cost);
    free(parent);
    array_finish(&h);
    if (!found)
        return false;
    for (size_t i = 0, k = out->count - 1; i < k; i++, k--) {
        vec3 swap = out->items[i];
        out->items[i] = out->items[k];
        out->items[k] = swap;
    }
    out->items[0] = v3(from.x, from.y, 0);
    out->items[out->count - 1] = v3(to.x, to.y, 0);
    return true;
}

// Where a path begins and ends the base has to come closer to things than it need between: so far
// from either, m.
static const double END = 0.3;

// The least clearance along a line outside the circles about both ends of its path.
static double clear_between(const base_map *b, const point_array *path, vec3 p, vec3 q) {
    vec3 first = path->items[0], last = path->items[path->count - 1];
    int steps = (int)ceil(v3_distance(p, q) / (BASE_MAP_CELL / 2)) + 1;
    double least = BASE_MAP_FAR;
    for (int n = 0; n <= steps; n++) {
        vec3 at = v3_add(p, v3_scale(v3_sub(q, p), (double)n / steps));
        if (v3_distance(at, first) > END && v3_distance(at, last) > END)
            least = fmin(least, base_map_line(b, at, at));
    }
    return least;
}

// Replaces stretches of a path by straight lines that stay as far from obstacles as the path was,
// at its ends and between, or well clear of them.
static void tighten_path(const base_map *b, double wide, point_array *path) {
    point_array out = {0};
    size_t at = 0;
    array_push(&out, path->items[0]);
    while (at + 1 < path->count) {
        size_t best = at + 1;
        double along = BASE_MAP_FAR, between = BASE_MAP_FAR;
        for (size_t k = at + 1; k < path->count; k++) {
            vec3 from = path->items[at], to = path->items[k], last = path->items[k - 1];
            along = fmin(along, base_map_line(b, last, to));
            between = fmin(between, clear_between(b, path, last, to));
            if (base_map_line(b, from, to) >= fmin(along, wide + ROOM) - 1e-6 &&
                clear_between(b, path, from, to) >= fmin(between, wide + ROOM) - 1e-6)
                best = k;
        }
        array_push(&out, path->items[best]);
        at = best;
    }
    array_finish(path);
    *path = out;
}

// Puts points on a path every few centimetres, and rounds its corners by averaging neighbours.
static void round_corners(const base_map *b, double wide, point_array *path) {
    point_array dense = {0};
    for (size_t k = 0; k + 1 < path->count; k++) {
        vec3 p = path->items[k], q = path->items[k + 1];
        int steps = (int)fmax(1, ceil(v3_distance(p, q) / 0.04));
        for (int n = 0; n < steps; n++)
            array_push(&dense, v3_add(p, v3_scale(v3_sub(q, p), (double)n / steps)));
    }
    array_push(&dense, path->items[path->count - 1]);
    for (int pass = 0; pass < 60; pass++)
        for (size_t k = 1; k + 1 < dense.count; k++) {
            vec3 middle = v3_scale(v3_add(dense.items[k - 1], dense.items[k + 1]), 0.5);
            double now = base_map_line(b, dense.items[k], dense.items[k]);
            if (base_map_line(b, middle, middle) >= fmin(now, wide + 0.15))
                dense.items[k] = middle;
        }
    array_finish(path);
    *path = dense;
}

// ---- Heading ------------------------------------------------------------------------------------
// The share of its turn that a base has made at a length of its way: none before `early`, all of it
// from `late` m before the end on.
static double turned_share(double at, double early, double late, double length) {
    double u = fmax(0, fmin(1, (at - early) / fmax(length - early - late, 1e-6)));
    return u * u * (3 - 2 * u);
}

// A base that drives on turns by a radian on this many metres of its way, or it would creep there.
static const double TURN_WAY = 0.25;

// Adds headings to a path: the base turns on its way, but not near its ends. `early` and `late` are
// the lengths at which it keeps the first and the last heading, m; less where it has to turn much.
static void add_heading(const point_array *path, double from, double to, double early, double late,
                        trajectory *t) {
    double length = 0;
    for (size_t k = 1; k < path->count; k++)
        length += v3_distance(path->items[k - 1], path->items[k]);
    double turn = angle_wrap(to - from);
    double turning = fmin(length, fmax(0.2 * length, TURN_WAY * fabs(turn)));
    double keep = early + late > length - turning ? (length - turning) / (early + late) : 1;
    early *= keep;
    late *= keep;
    t->knots.count = 0;
    if (length < 0.02) {
        // The base turns on the spot.
        int steps = (int)fmax(1, ceil(fabs(turn) / 0.05));
        for (int n = 0; n <= steps; n++) {
            double f = (double)n / steps;
            vec3 a = path->items[0], b = path->items[path->count - 1];
            vec3 p = v3_add(a, v3_scale(v3_sub(b, a), f));
            const double q[3] = {p.x, p.y, from + f * turn};
            trajectory_add(t, q, p, n == 0 || n == steps);
        }
        return;
    }
    // Where the base turns much on a short way, headings lie as close as the arms need them
    // checked.
    const double finest = 0.1; // rad
    double at = 0, yaw = from;
    for (size_t k = 0; k < path->count; k++) {
        vec3 p = path->items[k], last = path->items[k > 0 ? k - 1 : 0];
        double step = v3_distance(last, p), next = turned_share(at + step, early, late, length);
        int steps = (int)fmax(1, ceil(fabs(from + next * turn - yaw) / finest));
        for (int n = 1; n <= steps; n++) {
            double f = (double)n / steps;
            vec3 here = v3_add(last, v3_scale(v3_sub(p, last), f));
            yaw = from + turn * turned_share(at + f * step, early, late, length);
            const double q[3] = {here.x, here.y, yaw};
            bool end = n == steps && (k == 0 || k + 1 == path->count);
            trajectory_add(t, q, here, end);
        }
        at += step;
    }
}

static void add_turn(trajectory *t, vec3 at, double from, double to) {
    int steps = (int)fmax(1, ceil(fabs(to - from) / 0.05));
    for (int n = 0; n <= steps; n++) {
        const double q[3] = {at.x, at.y, from + (to - from) * n / steps};
        trajectory_add(t, q, at, n == 0 || n == steps);
    }
}

// The headings of a base that drives ahead or back alone: it turns on the spot to the path's first
// direction, keeps to the path's, and turns at its end. It stops where the path bends by more than
// it can follow.
static void add_course(const point_array *path, double from, double to, bool back, trajectory *t) {
    const double shortest = 0.01, sharpest = 0.35; // m; rad between two pieces of a path
    double yaw = from;
    vec3 last = path->items[0];
    t->knots.count = 0;
    for (size_t k = 1; k < path->count; k++) {
        vec3 next = path->items[k];
        if (v3_distance(last, next) < shortest && k + 1 < path->count)
            continue;
        if (v3_distance(last, next) < 1e-6)
            break;
        double along = atan2(next.y - last.y, next.x - last.x) + (back ? PI : 0);
        double turn = angle_wrap(along - yaw);
        if (t->knots.count == 0 || fabs(turn) > sharpest)
            add_turn(t, last, yaw, yaw + turn);
        yaw += turn;
        const double q[3] = {next.x, next.y, yaw};
        trajectory_add(t, q, next, false);
        last = next;
    }
    add_turn(t, last, yaw, yaw + angle_wrap(to - yaw));
}

typedef struct bodies {
    arm_scene *scenes;
    double (*q)[AXES_MAX]; // by arm
    pose shift;            // from the map to the base as believed now
} bodies;

static void bodies_init(bodies *all, const mind *m, pose from, double range, double margin) {
    all->scenes = mem_must(m->robot->arm_count + 1, sizeof *all->scenes);
    all->q = mem_must(m->robot->arm_count + 1, sizeof *all->q);
    all->shift = pose_inverse(belief_robot(m->belief));
    for (size_t a = 0; a < m->robot->arm_count; a++) {
        arm_scene *s = &all->scenes[a];
        held h = held_by(m, a);
        arm_scene_init(s, m, a, belief_robot(m->belief), &h, hand_opening(m, a), h.name, margin,
                       "drive");
        collision_scene_gather(&s->collisions, m, s->links, -1, from.p, range, margin, margin,
                               h.name);
        for (size_t i = 0; i < m->robot->arms[a].joint_count; i++)
            all->q[a][i] = belief_joints(m->belief)[m->robot->arms[a].joints[i]];
        pose frames[FRAMES];
        chain_forward(&s->chain, all->q[a], frames);
        collision_scene_relax_start(&s->collisions, &s->limb, frames);
    }
}

static void bodies_finish(bodies *all, const mind *m) {
    for (size_t a = 0; a < m->robot->arm_count; a++)
        arm_scene_finish(&all->scenes[a]);
    free(all->scenes);
    free(all->q);
}

static bool bodies_free(const bodies *all, const mind *m, const double q[3], int *owner) {
    pose to = pose_mul(pose_planar(q[0], q[1], q[2]), all->shift);
    bool is_free = true;
    stopwatch_start(m->checks);
    for (size_t a = 0; a < m->robot->arm_count && is_free; a++) {
        arm_scene *s = &all->scenes[a];
        chain c = s->chain;
        c.root = pose_mul(to, c.root);
        pose frames[FRAMES];
        chain_forward(&c, all->q[a], frames);
        is_free = limb_free(&s->limb, &s->collisions, frames, owner);
    }
    stopwatch_stop(m->checks);
    return is_free;
}

// Notes what of the arms, or of what they hold, is worst with the base at a pose.
static void bodies_miss(const bodies *all, const mind *m, const double q[3], double left,
                        miss *nearest) {
    pose to = pose_mul(pose_planar(q[0], q[1], q[2]), all->shift);
    for (size_t a = 0; a < m->robot->arm_count && nearest; a++) {
        const arm_scene *s = &all->scenes[a];
        chain c = s->chain;
        c.root = pose_mul(to, c.root);
        pose frames[FRAMES];
        chain_forward(&c, all->q[a], frames);
        limb_miss(&s->limb, &s->collisions, m, frames, left, nearest);
    }
}

static bool heading_free(const bodies *all, const mind *m, const trajectory *t, int *owner,
                         miss *nearest) {
    vec3 goal = t->knots.items[t->knots.count - 1].hand;
    double last[3] = {INFINITY, 0, 0};
    for (size_t k = 0; k < t->knots.count; k++) {
        const double *q = t->knots.items[k].q;
        bool end = k + 1 == t->knots.count;
        if (!end && hypot(q[0] - last[0], q[1] - last[1]) + 0.7 * fabs(q[2] - last[2]) < 0.05)
            continue;
        if (!bodies_free(all, m, q, owner)) {
            bodies_miss(all, m, q, v3_distance(t->knots.items[k].hand, goal), nearest);
            return false;
        }
        memcpy(last, q, sizeof last);
    }
    return true;
}

// How far the arms and the objects in their hands stand out from the base's middle at the height of
// furniture, m.
static double widest_now(const mind *m) {
    double widest = 0;
    pose base = belief_robot(m->belief);
    for (size_t a = 0; a < m->robot->arm_count; a++) {
        held h = held_by(m, a);
        limb l = {0};
        limb_init(&l, m, a, hand_opening(m, a), &h);
        chain c;
        chain_init(&c, m->robot, a, belief_links(m->belief));
        double q[AXES_MAX] = {0};
        pose frames[FRAMES];
        for (size_t i = 0; i < m->robot->arms[a].joint_count; i++)
            q[i] = belief_joints(m->belief)[m->robot->arms[a].joints[i]];
        chain_forward(&c, q, frames);
        for (size_t k = 0; k < l.parts.count; k++) {
            vec3 p = pose_mul(frames[l.parts.items[k].frame], l.parts.items[k].at).p;
            if (p.z - l.parts.items[k].radius < 0.95)
                widest =
                    fmax(widest, hypot(p.x - base.p.x, p.y - base.p.y) + l.parts.items[k].radius);
        }
        limb_finish(&l);
    }
    return widest;
}

// ---- Position and heading together --------------------------------------------------------------
// Nodes stand on a grid of positions, every second cell of the map, each with HEADINGS headings.
enum node_state { NODE_NEW, NODE_FREE, NODE_BLOCKED, NODE_DONE };
enum { HEADINGS = 24, SPACING = 2, CHECKS_MAX = 120000 };
static const double TURN_COST = 0.25; // m of way that a radian of turning is worth
static const double HASTE = 2; // weight of what is left of the way: a path near the best will do

typedef struct lattice {
    const mind *m;
    const bodies *all;
    const base_map *map;
    double least;       // clearance of the base, m
    int nx, ny, checks; // checks of arms against the world so far
} lattice;

static void node_pose(const lattice *l, int node, double q[3]) {
    int cell = node / HEADINGS;
    q[0] = base_map_x(l->map, SPACING * (cell % l->nx));
    q[1] = base_map_y(l->map, SPACING * (cell / l->nx));
    q[2] = angle_wrap(2 * PI * (node % HEADINGS) / HEADINGS);
}

// The node nearest to a pose; -1: it is outside the map.
static int node_at(const lattice *l, const double q[3]) {
    int x = (int)round((q[0] - l->map->x0) / (SPACING * BASE_MAP_CELL)),
        y = (int)round((q[1] - l->map->y0) / (SPACING * BASE_MAP_CELL)),
        h = (int)round(q[2] * HEADINGS / (2 * PI));
    if (x < 0 || y < 0 || x >= l->nx || y >= l->ny)
        return -1;
    return (y * l->nx + x) * HEADINGS + (h % HEADINGS + HEADINGS) % HEADINGS;
}

static bool arms_free_at(lattice *l, const double q[3]) {
    int owner;
    l->checks++;
    return bodies_free(l->all, l->m, q, &owner);
}

// Whether the base can go straight from one pose to another, turning on the way; `slack`: by how
// much its clearance may be less than usual, m.
static bool sweep_free(lattice *l, const double a[3], const double b[3], double slack) {
    double turn = angle_wrap(b[2] - a[2]), far = hypot(b[0] - a[0], b[1] - a[1]);
    if (base_map_line(l->map, v3(a[0], a[1], 0), v3(b[0], b[1], 0)) < l->least - slack)
        return false;
    int steps = (int)fmax(1, ceil(fmax(far / 0.05, fabs(turn) / 0.1)));
    for (int n = 1; n <= steps; n++) {
        double f = (double)n / steps;
        const double q[3] = {a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1]), a[2] + f * turn};
        if (!arms_free_at(l, q))
            return false;
    }
    return true;
}

// The nodes from which another is reached in one move: to a neighbour's position, or turned there.
static size_t neighbours_of(const lattice *l, int node, int out[10]) {
    int cell = node / HEADINGS, h = node % HEADINGS, x = cell % l->nx, y = cell / l->nx;
    size_t count = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if ((dx || dy) && x + dx >= 0 && y + dy >= 0 && x + dx < l->nx && y + dy < l->ny)
                out[count++] = ((y + dy) * l->nx + x + dx) * HEADINGS + h;
    out[count++] = cell * HEADINGS + (h + 1) % HEADINGS;
    out[count++] = cell * HEADINGS + (h + HEADINGS - 1) % HEADINGS;
    return count;
}

static double way_between(const double a[3], const double b[3]) {
    return hypot(b[0] - a[0], b[1] - a[1]) + TURN_COST * fabs(angle_wrap(b[2] - a[2]));
}

static float node_room(const lattice *l, int node) {
    int cell = node / HEADINGS, x = SPACING * (cell % l->nx), y = SPACING * (cell / l->nx);
    return l->map->distance[y * l->map->nx + x];
}

static float move_cost(const lattice *l, const double a[3], const double b[3], int node,
                       double wide) {
    return (float)way_between(a, b) * crowding_cost(node_room(l, node), wide);
}

// About start and goal the base may be closer to things than a path may run.
static bool near_end(const double q[3], const double from[3], const double to[3]) {
    const double near = 0.15; // m
    return hypot(q[0] - from[0], q[1] - from[1]) < near || hypot(q[0] - to[0], q[1] - to[1]) < near;
}

typedef struct base_pose {
    double q[3];
} base_pose;
typedef ARRAY(base_pose) base_poses;

// Appends the poses from `from` to `to`, both with them; false: no way is found.
static bool lattice_path(lattice *l, const double from[3], const double to[3], double wide,
                         base_poses *out) {
    const double edge = 0.04; // as of grid_path, about start and goal
    int start = node_at(l, from), goal = node_at(l, to);
    if (start < 0 || goal < 0)
        return false;
    size_t nodes = (size_t)l->nx * (size_t)l->ny * HEADINGS;
    float *cost = mem_must(nodes, sizeof *cost);
    int *parent = mem_must(nodes, sizeof *parent);
    signed char *state = mem_must(nodes, sizeof *state); // of a node: enum node_state
    heap h = {0};
    double a[3], b[3];
    heap_push(&h, start, -1, 0);
    bool found = false;
    while (h.count > 0 && !found && l->checks < CHECKS_MAX) {
        heap_item top = heap_pop(&h);
        int node = top.node, next[10];
        if (state[node] == NODE_BLOCKED || state[node] == NODE_DONE)
            continue;
        node_pose(l, node, a);
        if (state[node] == NODE_NEW)
            state[node] = arms_free_at(l, a) ? NODE_FREE : NODE_BLOCKED;
        if (state[node] == NODE_BLOCKED)
            continue;
        // Moves are tested only when it is their turn, since most never come to it.
        if (top.from < 0)
            memcpy(b, from, sizeof b);
        else
            node_pose(l, top.from, b);
        if (!sweep_free(l, b, a, near_end(a, from, to) ? edge : 0))
            continue;
        state[node] = NODE_DONE;
        parent[node] = top.from;
        cost[node] = top.from < 0 ? 0 : cost[top.from] + move_cost(l, b, a, node, wide);
        found = node == goal && sweep_free(l, a, to, edge);
        size_t count = neighbours_of(l, node, next);
        for (size_t k = 0; k < count && !found; k++) {
            node_pose(l, next[k], b);
            if (state[next[k]] != NODE_DONE && state[next[k]] != NODE_BLOCKED &&
                node_room(l, next[k]) >= l->least - (near_end(b, from, to) ? edge : 0))
                heap_push(&h, next[k], node,
                          cost[node] + move_cost(l, a, b, next[k], wide) +
                              (float)(HASTE * way_between(b, to)));
        }
    }
    if (found) {
        base_poses back = {0};
        for (int node = goal; node >= 0; node = parent[node]) {
            base_pose p;
            node_pose(l, node, p.q);
            array_push(&back, p);
        }
        array_push(out, ((base_pose){{from[0], from[1], from[2]}}));
        while (back.count > 0)
            array_push(out, back.items[--back.count]);
        array_push(out, ((base_pose){{to[0], to[1], to[2]}}));
        array_finish(&back);
    }
    free(cost);
    free(parent);
    free(state);
    array_finish(&h);
    return found;
}

// Leaves out what a straight way goes past, where that comes no closer to anything.
static void shorten_poses(lattice *l, base_poses *path) {
    size_t kept = 1;
    for (size_t at = 0; at + 1 < path->count;) {
        size_t best = at + 1;
        double along = BASE_MAP_FAR;
        for (size_t k = at + 1; k < path->count; k++) {
            const double *p = path->items[k - 1].q, *q = path->items[k].q;
            const double *a = path->items[at].q;
            along = fmin(along, base_map_line(l->map, v3(p[0], p[1], 0), v3(q[0], q[1], 0)));
            double straight = base_map_line(l->map, v3(a[0], a[1], 0), v3(q[0], q[1], 0));
            double slack = fmax(0, l->least - along);
            if (k > at + 1 && straight >= along - 1e-6 && sweep_free(l, a, q, slack))
                best = k;
        }
        at = best;
        path->items[kept++] = path->items[best];
    }
    path->count = kept;
}

// Plans position and heading together; `out` gets stops where the way bends.
static bool plan_turning(const mind *m, const base_map *map, const bodies *all,
                         const double from[3], const double to[3], trajectory *out) {
    lattice l = {.m = m, .all = all, .map = map, .least = base_clearance_least(m)};
    l.nx = (map->nx + SPACING - 1) / SPACING;
    l.ny = (map->ny + SPACING - 1) / SPACING;
    base_poses path = {0};
    int owner;
    if (!bodies_free(all, m, from, &owner) || !bodies_free(all, m, to, &owner) ||
        !lattice_path(&l, from, to, fmax(l.least, widest_now(m)), &path)) {
        array_finish(&path);
        return false;
    }
    shorten_poses(&l, &path);
    out->knots.count = 0;
    double yaw = from[2];
    for (size_t k = 0; k + 1 < path.count; k++) {
        const double *a = path.items[k].q, *b = path.items[k + 1].q;
        double turn = angle_wrap(b[2] - a[2]), far = hypot(b[0] - a[0], b[1] - a[1]);
        int steps = (int)fmax(1, ceil(fmax(far / 0.04, fabs(turn) / 0.05)));
        for (int n = k == 0 ? 0 : 1; n <= steps; n++) {
            double f = (double)n / steps;
            const double q[3] = {a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1]),
                                 yaw + f * turn};
            trajectory_add(out, q, v3(q[0], q[1], 0), n == 0 || n == steps);
        }
        yaw += turn;
    }
    array_finish(&path);
    return true;
}

static base_map *fresh_map(mind *m) {
    struct robot_memory *memory = robot_remember(m);
    stopwatch_start(m->checks);
    if (!memory->map)
        memory->map = base_map_create(m);
    base_map_refresh(memory->map, m);
    stopwatch_stop(m->checks);
    return memory->map;
}

// Plans the path along the floor, without headings; the base keeps `least` from its middle.
static bool plan_points(const mind *m, const base_map *map, vec3 from, vec3 to, double least,
                        point_array *path) {
    double wide = fmax(least, widest_now(m));
    path->count = 0;
    if (!grid_path(map, from, to, least, wide, path))
        return false;
    if (path->count < 2)
        array_push(path, v3(to.x, to.y, 0));
    tighten_path(map, wide, path);
    round_corners(map, wide, path);
    return true;
}

// Finds a short way without turning, out of a tight spot to where there is most room.
static bool back_off(const mind *m, const bodies *all, pose from, vec3 *out) {
    enum { DIRECTIONS = 24, STEPS = 5 };
    const double length = 0.35, yaw = quat_yaw(from.q);
    double start = base_clearance(m, from.p.x, from.p.y, NULL), best = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        double angle = yaw + 2 * PI * k / DIRECTIONS, clear = 0;
        bool free_way = true;
        for (int n = 1; n <= STEPS && free_way; n++) {
            double d = length * n / STEPS;
            const double q[3] = {from.p.x + d * cos(angle), from.p.y + d * sin(angle), yaw};
            int owner;
            clear = base_clearance(m, q[0], q[1], NULL);
            free_way = clear > fmin(start, base_clearance_least(m)) - 1e-3 &&
                       bodies_free(all, m, q, &owner);
        }
        if (free_way && clear > best) {
            best = clear;
            *out = v3(from.p.x + length * cos(angle), from.p.y + length * sin(angle), 0);
        }
    }
    return best > base_clearance_least(m);
}

// A base that is fixed is there, or never will be.
static bool stays(pose from, pose to, trajectory *out) {
    if (hypot(to.p.x - from.p.x, to.p.y - from.p.y) > 0.005 || quat_angle(from.q, to.q) > 0.008)
        return false;
    const double q[3] = {from.p.x, from.p.y, quat_yaw(from.q)};
    trajectory_add(out, q, from.p, true);
    return true;
}

double drive_drift(const mind *m, double length) {
    // A heading that wanders by `turned` for the square root of each metre moves the base to the
    // side by the integral of what is left of the way.
    double along = m->robot->odometry_noise, turned = m->robot->odometry_angle_noise;
    return sqrt(along * along * length + turned * turned * length * length * length / 3);
}

double drive_reliance(const mind *m, const trajectory *path) {
    const double shortest = 1.5, sure = 1.5; // m, below which no stop pays; standard deviations
    double wide = fmax(m->robot->base_radius, widest_now(m)), length = 0;
    for (size_t k = 1; k < path->knots.count; k++) {
        vec3 at = path->knots.items[k].hand;
        length += v3_distance(path->knots.items[k - 1].hand, at);
        if (length > shortest &&
            base_clearance(m, at.x, at.y, NULL) - wide < sure * drive_drift(m, length))
            return length;
    }
    return INFINITY;
}

bool drive_plan(mind *m, pose from, pose to, bool thorough, trajectory *out, double *kept,
                char blocker[64], miss *nearest) {
    blocker[0] = 0;
    out->axes = 3;
    if (kept)
        *kept = INFINITY;
    if (m->robot->base_drive == BASE_FIXED)
        return stays(from, to, out);
    bool differential = m->robot->base_drive == BASE_DIFFERENTIAL;
    double yaw_from = quat_yaw(from.q), yaw_to = quat_yaw(to.q);
    int owner = OWNER_NONE;
    double clear = base_clearance(m, to.p.x, to.p.y, &owner);
    if (clear < m->robot->base_radius) {
        base_miss(m, clear, m->robot->base_radius, owner, 0, nearest);
        snprintf(blocker, 64, "%s", owner_name(m, owner));
        return false;
    }
    base_map *map = fresh_map(m);
    point_array path = {0};
    // The share of the path before and behind the turn: in the middle, at the beginning, at the
    // end, and all along it.
    static const double shapes[4][2] = {{0.4, 0.4}, {0.1, 0.8}, {0.8, 0.1}, {0.0, 0.0}};
    // Margins of the arms, and what the base keeps besides: with room for drift, with room for the
    // arms alone, with less, with little room, and with little room after backing off first.
    enum { LITTLE = 3, BACKING = 4, EFFORTS };
    static const double margins[EFFORTS] = {0.06, 0.06, 0.03, 0.01, 0.01}, spare[EFFORTS] = {0.035};
    const double little = base_clearance_least(m);
    bool found = false;
    owner = OWNER_NONE;
    for (int n = 0; n < EFFORTS && !found; n++) {
        bodies all;
        bodies_init(&all, m, from, v3_distance(from.p, to.p) + 3, margins[n]);
        vec3 start = from.p;
        bool way = (n < BACKING || back_off(m, &all, from, &start)) &&
                   plan_points(m, map, start, to.p, little + spare[n], &path);
        if (!way && n == LITTLE)
            note_narrowest(m, map, start, to.p, nearest);
        if (way && n == BACKING) {
            array_push(&path, start);
            memmove(path.items + 1, path.items, (path.count - 1) * sizeof *path.items);
            path.items[0] = from.p;
        }
        for (int k = 0; way && k < (differential ? 2 : 4) && !found; k++) {
            if (differential)
                add_course(&path, yaw_from, yaw_to, k == 1, out);
            else
                add_heading(&path, yaw_from, yaw_to, shapes[k][0], shapes[k][1], out);
            found = heading_free(&all, m, out, &owner, n >= LITTLE ? nearest : NULL);
        }
        // Where arms or what they hold are in the way whichever of these headings the base has.
        const double start_pose[3] = {from.p.x, from.p.y, yaw_from},
                     goal_pose[3] = {to.p.x, to.p.y, yaw_to};
        if (!found && way && thorough && !differential && (n == 1 || n == LITTLE))
            found = plan_turning(m, map, &all, start_pose, goal_pose, out);
        bodies_finish(&all, m);
        if (found && kept)
            *kept = margins[n];
    }
    array_finish(&path);
    if (!found)
        snprintf(blocker, 64, "%s", owner_name(m, owner));
    return found;
}
