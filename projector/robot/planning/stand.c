// projector/robot/planning/stand.c - the search for places where the base can stand to reach an
// object, put one down, wipe, pour, or see a region.
#include "projector/robot/planning/drive.h"
#include "projector/robot/planning/memory.h"
#include "projector/robot/planning/stand_int.h"

#include <math.h>

enum { STANDS_MAX = 2048, TRIED_MAX = 40, TRIED_DEMANDING = 200, FOUND_ENOUGH = 5 };

// Distances leave room for odometry, which drifts by centimetres on the way.
static const double CLEAR_WISHED = 0.14; // m, between base and furniture
// The share of a region that should be seen past furniture and the robot's own arms, or the base is
// turned aside.
static const double SEEN_WELL = 0.95;

static const stand_demand DEMANDS[] = {
    {0.08, 0.07, 0.35, 0.04, 0.22, 0.14, 0.12, 0.012, 0.12, 1, 5, 0.44, true, true, 0.03},
    // Under a board there is less room to rise, and most postures have an elbow in the way.
    {0.08, 0.07, 0.35, 0.04, 0.07, 0.14, 0.06, 0.012, 0.12, 10, 11, 0.44, true, true, 0.02},
    // In a narrow room base and arms come closer, at first as close as the base can be relied on.
    {0.05, 0.04, 0.2, 0.03, 0.07, 0.14, 0.06, 0.010, 0.12, 4, 6, 0.44, true, true, 0.02},
    {0.03, 0.015, 0.1, 0.015, 0.07, 0.14, 0.06, 0.007, 0.10, 10, 21, 0.2, false, false, 0.01},
};
_Static_assert(sizeof DEMANDS / sizeof *DEMANDS == STAND_DEMANDS, "the header says how many");

typedef struct spot {
    stand s;
    double order;
} spot;

bool stand_demands_least(const stand_hunt *s) {
    return s->asks == &DEMANDS[STAND_DEMANDS - 1];
}

miss *stand_missed(stand_hunt *s, stand_stage at) {
    return stand_demands_least(s) ? &s->missed[at] : NULL;
}

void stand_count_blocker(stand_hunt *s, int owner) {
    if (owner <= OWNER_PARTS && OWNER_PARTS - owner < STAND_BODIES_MAX)
        s->own[OWNER_PARTS - owner]++;
    if (owner >= OWNER_ROBOTS) {
        s->met++;
        s->robot = owner;
    } else if (owner >= 0 && owner < STAND_BODIES_MAX &&
               belief_object(s->m->belief, (size_t)owner)->known)
        s->blocked[owner]++;
}

// Whether the arms, in their present posture, keep clear of the world with the base at a pose.
static bool arms_free(stand_hunt *s, arm_scene *scenes, pose base, int *owner) {
    const robot_model *r = s->m->robot;
    pose here = pose_inverse(belief_robot(s->m->belief));
    pose shift = pose_mul(base, here);
    bool is_free = true;
    stopwatch_start(s->m->checks);
    for (size_t a = 0; a < r->arm_count && is_free; a++) {
        chain c = scenes[a].chain;
        c.root = pose_mul(shift, c.root);
        double q[AXES_MAX] = {0};
        pose frames[FRAMES];
        for (size_t i = 0; i < c.count; i++)
            q[i] = belief_joints(s->m->belief)[r->arms[a].joints[i]];
        chain_forward(&c, q, frames);
        is_free = limb_free(&scenes[a].limb, &scenes[a].collisions, frames, owner);
        if (!is_free)
            limb_miss(&scenes[a].limb, &scenes[a].collisions, s->m, frames, 0,
                      stand_missed(s, STAGE_ARMS));
    }
    stopwatch_stop(s->m->checks);
    return is_free;
}

// ---- Spots to try -------------------------------------------------------------------------------
static int spot_order(const void *a, const void *b) {
    const spot *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    // The order is total, since qsort is not stable.
    if (x->s.x != y->s.x)
        return x->s.x < y->s.x ? -1 : 1;
    return x->s.y != y->s.y ? (x->s.y < y->s.y ? -1 : 1)
                            : (x->s.yaw < y->s.yaw ? -1 : x->s.yaw > y->s.yaw);
}

static bool on_side(const stand_query *q, vec3 target, double x, double y) {
    double angle = atan2(y - target.y, x - target.x);
    return q->side_half <= 0 || fabs(angle_wrap(angle - q->side)) <= q->side_half + 1e-9;
}

// The yaw from which the target can be seen without moving: the present one, or towards the target
// where the head cannot turn that far.
static double yaw_to_see(pose here, vec3 target) {
    const double pan_most = 1.2; // rad
    double yaw = quat_yaw(here.q), toward = atan2(target.y - here.p.y, target.x - here.p.x);
    return fabs(angle_wrap(toward - yaw)) < pan_most ? yaw : toward;
}

// The yaw nearest to a given one with which what two hands take or put down lies square before the
// body.
static double square_yaw(const stand_query *q, double yaw) {
    double turned = quat_yaw(q->purpose == STAND_REACH ? q->object->at.q : q->place->at.q);
    return angle_wrap(turned + round(angle_wrap(yaw - turned) / (PI / 2)) * (PI / 2));
}

static size_t make_spots(stand_hunt *s, vec3 target, double least, spot *out) {
    static const double reach_radii[] = {0.50, 0.58, 0.66, 0.74, 0.82};
    static const double view_radii[] = {0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.1};
    bool view = s->q->purpose == STAND_VIEW;
    const double *radii = view ? view_radii : reach_radii;
    size_t radius_count = view ? 7 : 5, count = 0;
    pose here = belief_robot(s->m->belief);
    double yaw_now = quat_yaw(here.q), radius = s->m->robot->base_radius;
    if (s->m->robot->base_drive == BASE_FIXED) { // whatever it stands on
        out[0] = (spot){{here.p.x, here.p.y, yaw_now, 0}, 0};
        return 1;
    }
    const double aside = 0.8; // rad, by which a turned base stands
    // The spot where the robot stands already needs no driving.
    if (!s->turned && on_side(s->q, target, here.p.x, here.p.y) &&
        base_clearance(s->m, here.p.x, here.p.y, NULL) >= s->m->robot->base_radius)
        out[count++] =
            (spot){{here.p.x, here.p.y, view ? yaw_to_see(here, target) : yaw_now, 0}, -0.1};
    // The base is turned so that the arm's shoulder, rather than its own middle, is before the
    // target, wholly or in part.
    double side = 0;
    if (!view && !s->q->both) {
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
            int owner = OWNER_NONE;
            double clear = base_clearance(s->m, x, y, &owner);
            if (!on_side(s->q, target, x, y))
                continue;
            if (clear < radius + least) {
                base_miss(s->m, clear, radius + least, owner, 0, stand_missed(s, STAGE_BASE));
                continue;
            }
            for (int n = 0; n < (s->turned || s->q->both ? 2 : view ? 1 : 3); n++) {
                double yaw = angle_wrap(
                    angle + PI - (n == 0 ? 0 : (n == 1 ? 0.7 : 1.0) * asin(side / radii[r])));
                if (s->turned)
                    yaw = angle_wrap(angle + PI + (n == 0 ? aside : -aside));
                if (n > 0 && s->q->both)
                    yaw = square_yaw(s->q, yaw);
                double travel =
                    hypot(x - here.p.x, y - here.p.y) + 0.2 * fabs(angle_wrap(yaw - yaw_now));
                double order = 0.25 * travel + 2 * fmax(0, radius + CLEAR_WISHED - clear);
                if (view) {
                    // Spots square on to the region are preferred: a shelf is looked at from the
                    // front.
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

static void name_blocker(stand_hunt *s) {
    size_t worst = SIZE_MAX;
    for (size_t i = 0; i < STAND_BODIES_MAX; i++)
        if (s->blocked[i] > 0 && (worst == SIZE_MAX || s->blocked[i] > s->blocked[worst]))
            worst = i;
    if (worst != SIZE_MAX)
        snprintf(s->answer->blocker, sizeof s->answer->blocker, "%s",
                 belief_object(s->m->belief, worst)->name);
    unsigned most = worst != SIZE_MAX ? s->blocked[worst] : 0;
    if (s->met > most) {
        most = s->met;
        snprintf(s->answer->blocker, sizeof s->answer->blocker, "%s", owner_name(s->m, s->robot));
    }
    // The robot's own part, where it was in the way more often than any body.
    int own = -1;
    for (int i = 0; i < STAND_BODIES_MAX; i++)
        if (s->own[i] > most) {
            most = s->own[i];
            own = i;
        }
    if (own >= 0)
        owner_describe(s->m, OWNER_PARTS - own, s->answer->blocker, sizeof s->answer->blocker);
}

static void keep_stand(stand_answer *answer, stand at) {
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

// The middle between where the handle is and where it will be.
static vec3 handle_middle(const stand_hunt *s) {
    const mind *m = s->m;
    size_t joint = (size_t)world_joint_of(m->known, (size_t)s->q->object->body);
    double from = belief_world_joint(m->belief, joint, NULL);
    pose tool = s->grasps[0].tool, end = door_tool(m, joint, from, s->q->to, 1, tool);
    return v3_scale(v3_add(tool.p, end.p), 0.5);
}

static bool prepare_search(stand_hunt *s, vec3 *target) {
    const stand_query *q = s->q;
    if (q->purpose == STAND_REACH) {
        s->way_count =
            q->both ? grasp_of_pair(s->m, q->object, belief_robot(s->m->belief), 0, s->grasps)
                    : grasp_candidates(s->m, q->object, q->arm, q->kinds, s->grasps);
        for (size_t k = 0; k < s->way_count; k++)
            s->opening = fmax(s->opening, s->grasps[k].opening);
        *target = q->object->at.p;
        if (q->operates && s->way_count > 0)
            *target = handle_middle(s);
        return s->way_count > 0;
    }
    if (q->purpose == STAND_WIPE) {
        s->h = held_by(s->m, q->arm);
        *target = q->rows->middle.p;
        return true;
    }
    if (q->purpose == STAND_POUR) {
        s->h = held_by(s->m, q->arm);
        s->opening = hand_opening(s->m, q->arm);
        *target = q->object->at.p;
        return s->h.kind != NULL;
    }
    if (q->purpose == STAND_PLACE) {
        s->h = q->taken ? *q->taken : held_by(s->m, q->arm);
        if (!s->h.kind || (q->both && held_by(s->m, 1).kind != s->h.kind))
            return false;
        s->opening = hand_opening(s->m, q->arm);
        s->release = grasp_release(s->m, q->arm, &s->h);
        s->way_count = place_candidates(s->m, q->place, &s->h, s->places, 24, &s->answer->nearest);
        *target = q->place->at.p;
        const char *blocker =
            place_blocker(s->m, q->place, &s->h, s->way_count ? s->places[0].object : q->place->at,
                          &s->answer->nearest);
        if (blocker) {
            snprintf(s->answer->blocker, sizeof s->answer->blocker, "%s", blocker);
            return false;
        }
        return s->way_count > 0;
    }
    *target = v3_scale(v3_add(q->low, q->high), 0.5);
    return true;
}

static void search_spots(stand_hunt *s, vec3 target, const stand_demand *asks, spot *spots,
                         arm_scene *scenes) {
    const mind *m = s->m;
    stand_answer *out = s->answer;
    s->asks = asks;
    for (size_t a = 0; a < m->robot->arm_count; a++) {
        held h = held_by(m, a);
        arm_scene_init_at(&scenes[a], m, a, belief_robot(m->belief), s->q->joints, &h,
                          hand_opening(m, a), h.name, 0.01, "stand");
        // The scenes serve for all spots, so the world is gathered in a wide circle, without the
        // robot's body.
        collision_scene_gather(&scenes[a].collisions, m, scenes[a].links, -1, target, 2.5,
                               asks->arm, asks->arm, h.name);
    }
    size_t count = make_spots(s, target, asks->clear, spots), found = 0, tried = 0;
    bool demanding = s->q->operates || s->q->purpose == STAND_WIPE || s->q->purpose == STAND_POUR;
    size_t most = demanding ? TRIED_DEMANDING : TRIED_MAX;
    for (size_t k = 0; k < count && tried < most && found < (s->q->first ? 1 : FOUND_ENOUGH); k++) {
        stand at = spots[k].s;
        int owner = OWNER_NONE;
        tried++;
        if (!arms_free(s, scenes, pose_planar(at.x, at.y, at.yaw), &owner)) {
            out->collided++;
            stand_count_blocker(s, owner);
            continue;
        }
        double cost = 0;
        bool fits = s->q->purpose == STAND_VIEW ? stand_try_view(s, scenes, &at, &cost)
                                                : stand_try_arms(s, &at, &cost);
        if (!fits)
            continue;
        found += !s->turned || cost < 1; // a turned base shall see it well
        at.cost = spots[k].order + cost;
        if (!out->found || at.cost < out->best.cost)
            s->seen_best = s->seen;
        keep_stand(out, at);
    }
    out->tried += tried;
    for (size_t a = 0; a < m->robot->arm_count; a++)
        arm_scene_finish(&scenes[a]);
}

// Whether a search for more postures, or with less reach to spare, is another search: pouring and
// looking choose their postures on their own.
static bool query_has_postures(const stand_query *q) {
    return q->purpose != STAND_POUR && q->purpose != STAND_VIEW;
}

void stand_search(mind *m, const stand_query *query, stand_answer *out) {
    *out = (stand_answer){0};
    stand_hunt s = {.m = m, .q = query, .answer = out};
    s.key = rng_key_make(m->seed, "stand", m->robot->name);
    vec3 target;
    if (!prepare_search(&s, &target))
        return;
    spot *spots = mem_must(STANDS_MAX, sizeof *spots);
    arm_scene *scenes = mem_must(m->robot->arm_count + 1, sizeof *scenes);
    for (size_t n = 0; n < STAND_DEMANDS && !out->found; n++)
        if (query->demand ? n == query->demand - 1 : n != 1 || query_has_postures(query))
            search_spots(&s, target, &DEMANDS[n], spots, scenes);
    // An arm that hides what is before the body hides less of what the head sees to its side.
    if (out->found && query->purpose == STAND_VIEW && s.seen_best < SEEN_WELL &&
        m->robot->pan >= 0 && m->robot->base_drive != BASE_FIXED) {
        s.turned = true;
        search_spots(&s, target, s.asks, spots, scenes);
    }
    free(scenes);
    free(spots);
    if (out->found)
        return;
    name_blocker(&s);
    for (size_t k = 0; k < STAGE_COUNT; k++)
        if (s.missed[k].kind != MISS_NONE)
            out->nearest = s.missed[k];
}
