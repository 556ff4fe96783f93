// Where to stand to reach an object, to put something down, or to see a region.
#include "projector/robot/robot_int.h"

#include <math.h>

enum { STANDS_MAX = 2048, TRIED_MOST = 40, FOUND_ENOUGH = 5, BODIES_MAX = 256 };

// Odometry drifts by centimetres on the way: room is left for that.
static const double LIFT = 0.22;         // m, that what is taken must rise
static const double CLEAR_WISHED = 0.14; // m, between base and furniture
static const double CLEAR_LEAST[] = {0.08, 0.03},
                    ARM_LEAST[] = {0.07, 0.015}; // m, at first, and where nothing else will do

typedef struct spot {
    stand s;
    double order;
} spot;

typedef struct search {
    mind *m;
    const stand_query *q;
    stand_answer *answer;
    held h;
    double opening;
    grasp_pose grasps[GRASPS_MAX];
    place_pose places[PLACES_MAX];
    size_t way_count;
    rng_key key;
    unsigned blocked[BODIES_MAX]; // by believed object
} search;

// ---- Clearance ----------------------------------------------------------------------------------
// The base and what rises above it must pass: everything between these heights counts, from above.
static bool in_way(const believed_object *o, const shape *s, pose *at) {
    vec3 low, high;
    if (s->kind == SHAPE_PLANE || !shapes_bounds(s, 1, o->at, &low, &high) || low.z > 1.4 ||
        high.z < 0.025)
        return false;
    *at = pose_mul(o->at, s->at);
    return true;
}

static double object_clearance(const believed_object *o, double x, double y) {
    double best = INFINITY;
    for (size_t k = 0; o->kind && k < o->kind->shape_count; k++) {
        const shape *s = &o->kind->shapes[k];
        pose at;
        if (in_way(o, s, &at))
            best = fmin(best, shape_distance(s, at, v3(x, y, at.p.z)));
    }
    return best;
}

// What stands on furniture lies within its outline or above the base: only things on the floor
// matter.
static bool matters(const believed_object *o) {
    return o->confirmed && o->kind && o->hand < 0 && (o->known || o->at.p.z < 0.35);
}

double base_clearance(const mind *m, double x, double y, int *owner) {
    double best = INFINITY;
    for (size_t i = 0; i < belief_object_count(m->belief); i++) {
        const believed_object *o = belief_object(m->belief, i);
        if (!matters(o))
            continue;
        double d = object_clearance(o, x, y);
        if (d < best) {
            best = d;
            if (owner)
                *owner = (int)i;
        }
    }
    return best;
}

size_t base_obstacles(const mind *m, obstacle *out, size_t most) {
    size_t count = 0;
    for (size_t i = 0; i < belief_object_count(m->belief); i++) {
        const believed_object *o = belief_object(m->belief, i);
        for (size_t k = 0; o->known && o->kind && k < o->kind->shape_count && count < most; k++) {
            pose at;
            if (in_way(o, &o->kind->shapes[k], &at))
                out[count++] = (obstacle){&o->kind->shapes[k], at, (int)i, false, 0, 0};
        }
    }
    return count;
}

double base_clearance_least(const mind *m) {
    return m->robot->base_radius + 0.015;
}

// Whether the arms as they are now keep clear of the world with the base here.
static bool arms_free(const search *s, const arm_scene *scenes, pose base, int *owner) {
    const robot_model *r = s->m->robot;
    pose here = pose_inverse(belief_robot(s->m->belief));
    pose shift = pose_mul(base, here);
    for (size_t a = 0; a < r->arm_count; a++) {
        chain c = scenes[a].chain;
        c.root = pose_mul(shift, c.root);
        double q[7];
        pose frames[8];
        for (int i = 0; i < 7; i++)
            q[i] = belief_joints(s->m->belief)[r->arms[a].joints[i]];
        chain_forward(&c, q, frames);
        if (!limb_free(&scenes[a].limb, &scenes[a].clutter, frames, owner))
            return false;
    }
    return true;
}

// ---- Trying one spot ----------------------------------------------------------------------------
// How close joints are to their limits: 0 in the middle, 1 at a limit.
static double strain(const chain *c, const double q[7]) {
    double worst = 0;
    for (int i = 0; i < 7; i++) {
        double half = (c->upper[i] - c->lower[i]) / 2, middle = (c->upper[i] + c->lower[i]) / 2;
        worst = fmax(worst, fabs(q[i] - middle) / half);
    }
    return worst;
}

static void tally(search *s, int owner) {
    if (owner >= 0 && owner < BODIES_MAX && belief_object(s->m->belief, (size_t)owner)->known)
        s->blocked[owner]++;
}

// Hand down and up again from a spot, in one of the possible ways; *cost: of the most comfortable
// of the first few.
static bool try_ways(search *s, arm_scene *scene, double *cost) {
    bool found = false;
    *cost = INFINITY;
    size_t good = 0;
    knot_array knots = {0};
    for (size_t k = 0; k < s->way_count && good < 2; k++) {
        pose tool = s->q->purpose == STAND_REACH ? s->grasps[k].tool : s->places[k].tool;
        double q[7];
        if (!ik_solve(&scene->chain, tool, NULL, s->key, 2, q)) {
            s->answer->unreached++;
            continue;
        }
        pose above = tool;
        above.p.z += 0.12;
        knots.count = 0;
        bool free_way = arm_free(scene, q) && arm_track(scene, q, above, &knots);
        if (free_way && s->q->purpose == STAND_REACH) {
            // What is taken is also lifted clear of its neighbours.
            held taken = {s->q->object->kind, s->grasps[k].in_hand, s->q->object->name};
            free_way = arm_lifts(scene, q, &taken, LIFT);
        }
        if (!free_way) {
            s->answer->collided++;
            tally(s, scene->blocker);
            continue;
        }
        // The base will not stand quite there: some reach must be left.
        pose farther = above;
        vec3 out = v3_sub(tool.p, scene->links[0].p);
        out.z = 0;
        farther.p = v3_add(above.p, v3_add(v3_scale(v3_unit(out), 0.04), v3(0, 0, 0.02)));
        double stretched[7];
        memcpy(stretched, knots.items[knots.count - 1].q, sizeof stretched);
        if (!ik_descend(&scene->chain, farther, 0.05, 30, stretched)) {
            s->answer->unreached++;
            continue;
        }
        good++;
        found = true;
        *cost = fmin(*cost, fmax(strain(&scene->chain, q),
                                 strain(&scene->chain, knots.items[knots.count - 1].q)));
    }
    array_finish(&knots);
    return found;
}

static bool try_manipulation(search *s, const stand *at, double *cost) {
    arm_scene scene;
    const char *except = s->q->purpose == STAND_REACH ? s->q->object->name : s->h.name;
    arm_scene_init(&scene, s->m, s->q->arm, pose_planar(at->x, at->y, at->yaw),
                   s->q->purpose == STAND_PLACE ? &s->h : NULL, s->opening, except, 0.012, "stand");
    if (s->q->purpose == STAND_PLACE)
        for (size_t i = 0; i < belief_object_count(s->m->belief); i++)
            if (strcmp(belief_object(s->m->belief, i)->name, s->q->place->support) == 0)
                scene.clutter.touch = (int)i;
    bool found = try_ways(s, &scene, cost);
    arm_scene_finish(&scene);
    return found;
}

// From here the camera can be turned so that all corners lie in its picture and the middle is not
// hidden behind furniture.
static bool try_view(search *s, const stand *at, double *cost) {
    const mind *m = s->m;
    const robot_camera *c = &m->robot->camera;
    pose base = pose_planar(at->x, at->y, at->yaw), here = belief_robot(m->belief);
    pose eye = pose_mul(pose_mul(base, pose_inverse(here)),
                        pose_mul(belief_links(m->belief)[c->link], c->at));
    vec3 low = s->q->low, high = s->q->high, middle = v3_scale(v3_add(low, high), 0.5);
    vec3 forward = v3_unit(v3_sub(middle, eye.p)), left = v3_unit(v3_cross(v3(0, 0, 1), forward)),
         up = v3_cross(forward, left);
    pose frame = pose_planar(middle.x, middle.y, s->q->yaw);
    vec3 half = v3_scale(v3_sub(high, low), 0.5);
    double worst = 0;
    for (int k = 0; k < 8; k++) {
        vec3 corner = pose_apply(frame, v3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                                           middle.z + (k & 4 ? half.z : -half.z)));
        vec3 to = v3_sub(corner, eye.p);
        double ahead = v3_dot(to, forward);
        if (ahead < c->near || ahead > c->far)
            return false;
        worst = fmax(worst, fabs(atan2(v3_dot(to, left), ahead)) / (c->fov_x / 2));
        worst = fmax(worst, fabs(atan2(v3_dot(to, up), ahead)) / (c->fov_y / 2));
    }
    double distance = v3_distance(middle, eye.p);
    for (size_t i = 0; i < belief_object_count(m->belief); i++) {
        const believed_object *o = belief_object(m->belief, i);
        for (size_t k = 0; o->known && o->kind && k < o->kind->shape_count; k++) {
            const shape *p = &o->kind->shapes[k];
            if (shape_ray(p, pose_mul(o->at, p->at), eye.p, forward) < distance - 0.1) {
                tally(s, (int)i);
                return false;
            }
        }
    }
    // The whole region in the picture; nearer is more exact.
    *cost = (worst > 0.93 ? 3 + worst : 0) + 0.15 * distance;
    return true;
}

// ---- Spots to try -------------------------------------------------------------------------------
static int spot_order(const void *a, const void *b) {
    const spot *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    // A total order: qsort is not stable.
    if (x->s.x != y->s.x)
        return x->s.x < y->s.x ? -1 : 1;
    return x->s.y != y->s.y ? (x->s.y < y->s.y ? -1 : 1)
                            : (x->s.yaw < y->s.yaw ? -1 : x->s.yaw > y->s.yaw);
}

static size_t make_spots(search *s, vec3 target, double least, spot *out) {
    static const double reach_radii[] = {0.50, 0.58, 0.66, 0.74, 0.82};
    static const double view_radii[] = {0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.1};
    bool view = s->q->purpose == STAND_VIEW;
    const double *radii = view ? view_radii : reach_radii;
    size_t radius_count = view ? 7 : 5, count = 0;
    pose here = belief_robot(s->m->belief);
    double yaw_now = quat_yaw(here.q), radius = s->m->robot->base_radius;
    // Where it stands already costs no way.
    if (base_clearance(s->m, here.p.x, here.p.y, NULL) >= s->m->robot->base_radius)
        out[count++] = (spot){{here.p.x, here.p.y, yaw_now, 0}, -0.1};
    // The arm's shoulder rather than the middle of the base before the target, or half of that.
    double side = 0;
    if (!view) {
        pose root = pose_mul(
            pose_inverse(here),
            belief_links(
                s->m->belief)[s->m->robot->joints[s->m->robot->arms[s->q->arm].joints[0]].child]);
        side = root.p.y;
    }
    for (size_t r = 0; r < radius_count; r++)
        for (int k = 0; k < 48; k++) {
            double angle = 2 * PI * k / 48;
            double x = target.x + radii[r] * cos(angle), y = target.y + radii[r] * sin(angle);
            double clear = base_clearance(s->m, x, y, NULL);
            if (clear < radius + least)
                continue;
            for (int n = 0; n < (view ? 1 : 3); n++) {
                double yaw = angle_wrap(
                    angle + PI - (n == 0 ? 0 : (n == 1 ? 0.7 : 1.0) * asin(side / radii[r])));
                double travel =
                    hypot(x - here.p.x, y - here.p.y) + 0.2 * fabs(angle_wrap(yaw - yaw_now));
                double order = 0.25 * travel + 2 * fmax(0, radius + CLEAR_WISHED - clear);
                if (view) {
                    // Square on to what is looked at: people and robots alike stand before a shelf.
                    double off = angle_wrap(angle - s->q->yaw);
                    double square = fabs(off - round(off / (PI / 2)) * (PI / 2));
                    order += 0.8 * square;
                } else {
                    order += 0.4 * fabs(radii[r] - 0.64);
                }
                if (count < STANDS_MAX)
                    out[count++] = (spot){{x, y, yaw, 0}, order};
            }
        }
    qsort(out, count, sizeof *out, spot_order);
    return count;
}

static void blame(search *s) {
    size_t worst = SIZE_MAX;
    for (size_t i = 0; i < BODIES_MAX; i++)
        if (s->blocked[i] > 0 && (worst == SIZE_MAX || s->blocked[i] > s->blocked[worst]))
            worst = i;
    if (worst != SIZE_MAX)
        snprintf(s->answer->blocker, sizeof s->answer->blocker, "%s",
                 belief_object(s->m->belief, worst)->name);
}

static void keep(stand_answer *answer, stand at) {
    if (answer->found && at.cost >= answer->best.cost) {
        if (answer->other_count < 5)
            answer->others[answer->other_count++] = at;
        return;
    }
    if (answer->found && answer->other_count < 5)
        answer->others[answer->other_count++] = answer->best;
    answer->best = at;
    answer->found = true;
}

static bool prepare(search *s, vec3 *target) {
    const stand_query *q = s->q;
    if (q->purpose == STAND_REACH) {
        s->way_count = grasp_candidates(s->m, q->object, q->arm, s->grasps);
        s->opening = s->way_count ? s->grasps[0].opening : 0;
        *target = q->object->at.p;
        return s->way_count > 0;
    }
    if (q->purpose == STAND_PLACE) {
        s->h = held_by(s->m, q->arm);
        if (!s->h.kind)
            return false;
        s->opening = hand_opening(s->m, q->arm);
        s->way_count = place_candidates(s->m, q->place, &s->h, s->places, 24);
        *target = q->place->at.p;
        const char *blocker =
            place_blocker(s->m, q->place, &s->h, s->way_count ? s->places[0].object : q->place->at);
        if (blocker) {
            snprintf(s->answer->blocker, sizeof s->answer->blocker, "%s", blocker);
            return false;
        }
        return s->way_count > 0;
    }
    *target = v3_scale(v3_add(q->low, q->high), 0.5);
    return true;
}

static void search_spots(search *s, vec3 target, int pass, spot *spots, arm_scene *scenes) {
    const mind *m = s->m;
    stand_answer *out = s->answer;
    for (size_t a = 0; a < m->robot->arm_count; a++) {
        held h = held_by(m, a);
        arm_scene_init(&scenes[a], m, a, belief_robot(m->belief), &h, hand_opening(m, a), h.name,
                       0.01, "stand");
        // Only the world matters here, wherever the base stands: gathered wide, without the own
        // body.
        clutter_gather(&scenes[a].clutter, m, scenes[a].links, -1, target, 2.5, ARM_LEAST[pass],
                       ARM_LEAST[pass], h.name);
    }
    size_t count = make_spots(s, target, CLEAR_LEAST[pass], spots), found = 0, tried = 0;
    for (size_t k = 0; k < count && tried < TRIED_MOST && found < FOUND_ENOUGH; k++) {
        stand at = spots[k].s;
        int owner = OWNER_NONE;
        tried++;
        if (!arms_free(s, scenes, pose_planar(at.x, at.y, at.yaw), &owner)) {
            out->collided++;
            tally(s, owner);
            continue;
        }
        double cost = 0;
        bool fits =
            s->q->purpose == STAND_VIEW ? try_view(s, &at, &cost) : try_manipulation(s, &at, &cost);
        if (!fits)
            continue;
        found++;
        at.cost = spots[k].order + cost;
        keep(out, at);
    }
    out->tried += tried;
    for (size_t a = 0; a < m->robot->arm_count; a++)
        arm_scene_finish(&scenes[a]);
}

void stand_search(mind *m, const stand_query *query, stand_answer *out) {
    *out = (stand_answer){0};
    search s = {.m = m, .q = query, .answer = out};
    s.key = rng_key_make(m->seed, "stand", m->robot->name);
    vec3 target;
    if (!prepare(&s, &target))
        return;
    spot *spots = malloc(STANDS_MAX * sizeof *spots);
    arm_scene *scenes = calloc(m->robot->arm_count + 1, sizeof *scenes);
    ASSERT(spots && scenes);
    for (int pass = 0; pass < 2 && !out->found; pass++)
        search_spots(&s, target, pass, spots, scenes);
    free(scenes);
    free(spots);
    if (!out->found)
        blame(&s);
}
