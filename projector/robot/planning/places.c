// projector/robot/planning/places.c - places that fit a description, with the properties that only
// the robot can tell: what its arms reach, and where a free way leads.
#include "projector/belief/places.h"
#include "projector/robot/planning/places.h"
#include "projector/robot/grasping/grasp.h"
#include "projector/robot/planning/drive.h"
#include "projector/robot/planning/memory.h"
#include "projector/robot/planning/stand.h"

#include <math.h>

// ---- Reaching -----------------------------------------------------------------------------------
typedef struct reaching {
    mind *m;
    const char *object; // believed object to be put there; NULL: none in particular
    const body_type *kind;
    miss *nearest; // of places that are not reached
} reaching;

// An object of no particular type: 8 cm wide and 10 cm high, held from above.
static const shape THING_SHAPE = {
    .kind = SHAPE_CYLINDER, .at = {{0, 0, 0.05}, {1, 0, 0, 0}}, .size = {0.04, 0.1, 0}};
static const body_type THING = {
    .name = "thing", .shapes = &THING_SHAPE, .shape_count = 1, .up = {0, 0, 1}};

// How an arm would hold the object to be put there: as it does now, else by the first grasp of its
// type.
static held as_held(const reaching *r, size_t arm) {
    const mind *m = r->m;
    const believed_object *in_hand = belief_held(m->belief, arm, NULL);
    if (in_hand && (!r->object || strcmp(in_hand->name, r->object) == 0))
        return held_by(m, arm);
    believed_object like = {.name = r->object ? r->object : "",
                            .kind = r->kind,
                            .at = POSE_IDENTITY,
                            .body = -1,
                            .hand = -1,
                            .confirmed = true};
    grasp_pose grasps[GRASPS_MAX];
    if (r->kind && grasp_candidates(m, &like, arm, 0, grasps) > 0)
        return (held){r->kind, grasps[0].in_hand, like.name};
    // Without a grasp it is held from above, the fingers 3 cm beneath its upper rim.
    const body_type *kind = r->kind ? r->kind : &THING;
    vec3 low = v3(0, 0, 0), high = v3(0, 0, 0.1);
    shapes_bounds(kind->shapes, kind->shape_count, POSE_IDENTITY, &low, &high);
    pose tool = {v3(0, 0, fmax(high.z - 0.03, low.z)), quat_axis_angle(v3(1, 0, 0), PI)};
    return (held){kind, pose_inverse(tool), like.name};
}

static bool arm_reaches(const reaching *r, size_t arm, const believed_place *place) {
    held h = as_held(r, arm);
    stand_query q = {
        .purpose = STAND_PLACE, .arm = arm, .place = place, .taken = &h, .first = true};
    stand_answer answer;
    stand_search(r->m, &q, &answer);
    if (!answer.found && answer.nearest.kind != MISS_NONE &&
        miss_counts(r->nearest, answer.nearest.by))
        *r->nearest = answer.nearest;
    return answer.found;
}

// The arms whose reach a term means, from *from up to *to: one arm, or `robot` for any. False: the
// term means none.
static bool who_reaches(const mind *m, const term *who, size_t *from, size_t *to) {
    int64_t arm = arm_named(m, who);
    *from = arm < 0 ? 0 : (size_t)arm;
    *to = arm < 0 ? m->robot->arm_count : *from + 1;
    return arm >= 0 || term_is_symbol(who, "robot");
}

static bool way_leads(mind *m, const believed_place *place, miss *nearest) {
    trajectory way = {0};
    char blocker[64];
    pose to = pose_planar(place->at.p.x, place->at.p.y, quat_yaw(place->at.q));
    bool leads = drive_plan(m, belief_robot(m->belief), to, false, &way, NULL, blocker, nearest);
    trajectory_finish(&way);
    return leads;
}

static bool judge_place(void *context, const term *asked, const believed_place *place) {
    const reaching *r = context;
    size_t arm, end;
    if (strcmp(asked->text, "for") == 0)
        return way_leads(r->m, place, r->nearest);
    if (!who_reaches(r->m, asked->args[0], &arm, &end))
        return false;
    for (; arm < end; arm++)
        if (arm_reaches(r, arm, place))
            return true;
    return false;
}

static status check_reach(const mind *m, const term *description, error *err) {
    int64_t count = term_list_length(description);
    for (int64_t k = 0; k < count; k++) {
        const term *p = term_list_item(description, (size_t)k);
        size_t from, to;
        if (term_is(p, "reachable_for", 1) && !who_reaches(m, p->args[0], &from, &to))
            return error_set(err, E_INPUT,
                             "reachable_for: an arm of the robot is meant, or robot for any");
    }
    return OK;
}

// ---- What is to be put there --------------------------------------------------------------------
// The object in the only hand that holds any; NULL: no hand does, or several hold different
// objects.
static const char *in_hand(const mind *m) {
    const char *found = NULL;
    size_t count = 0;
    for (size_t a = 0; a < m->robot->arm_count; a++) {
        const believed_object *o = belief_held(m->belief, a, NULL);
        if (o && (!found || strcmp(found, o->name) != 0)) {
            found = o->name;
            count++;
        }
    }
    return count == 1 ? found : NULL;
}

static void for_whom(const mind *m, const term *description, const char *object, reaching *out) {
    *out = (reaching){.m = (mind *)(uintptr_t)m, .object = object};
    int64_t count = term_list_length(description);
    for (int64_t k = 0; k < count; k++) {
        const term *p = term_list_item(description, (size_t)k);
        if (!term_is(p, "for", 1))
            continue;
        const term *who = term_is(p->args[0], "a", 1) ? p->args[0]->args[0] : p->args[0];
        bool believed = who->kind == TERM_SYMBOL && belief_find(m->belief, who->text);
        out->object = believed ? who->text : NULL;
        if (!believed && who->kind == TERM_SYMBOL)
            out->kind = world_find_type(m->known, who->text);
    }
    const believed_object *o = out->object ? belief_find(m->belief, out->object) : NULL;
    if (o)
        out->kind = o->kind;
}

// ---- The log ------------------------------------------------------------------------------------
static status log_assumed(mind *m, const term *description, const place_answer *found, int64_t task,
                          nanos t, error *err) {
    char question[240];
    term_format(description, question, sizeof question);
    status s = OK;
    for (size_t k = 0; k < found->assumed_count && s == OK && task != 0; k++) {
        const place_assumption *a = &found->assumed[k];
        s = robot_choice(m, task, t, a->what, question, a->chosen, NULL, a->why, err);
    }
    return s;
}

// at(X, Y, YawDegrees, Support) of a place, rounded to 0.1 mm and 0.1 degrees; with the tolerance
// where the description gives one.
static const term *place_term(arena *a, const believed_place *p, bool tolerance) {
    const term *args[5] = {term_float(a, round(p->at.p.x * 1e4) / 1e4),
                           term_float(a, round(p->at.p.y * 1e4) / 1e4),
                           p->yaw_free ? term_symbol(a, "any")
                                       : term_float(a, round(quat_yaw(p->at.q) * 1800 / PI) / 10),
                           term_symbol(a, p->support), term_float(a, p->tolerance)};
    return term_compound(a, "at", tolerance ? 5 : 4, args);
}

// A location that is no list is a description of a single property.
static const term *as_list(arena *a, const term *location) {
    return term_list_length(location) >= 0 ? location : term_list(a, &location, 1, NULL);
}

static status find_places(mind *m, const term *description, const char *object, size_t most,
                          int64_t task, nanos t, place_answer *out, error *err) {
    reaching r;
    miss nearest = {0};
    place_wish wish = {.object = object, .most = most, .judge = judge_place, .context = &r};
    status s = check_reach(m, description, err);
    if (s != OK)
        return s;
    for_whom(m, description, object, &r);
    r.nearest = &nearest;
    stopwatch_start(m->planning);
    s = belief_find_places(m->belief, description, &wish, out, err);
    stopwatch_stop(m->planning);
    if (s == E_INFEASIBLE && nearest.kind != MISS_NONE) {
        const error why = *err;
        char closest[160];
        miss_describe(&nearest, m->robot, closest, sizeof closest);
        return error_set(err, s, "%s; closest: %s", why.text, closest);
    }
    return s == OK ? log_assumed(m, description, out, task, t, err) : s;
}

bool robot_place_property(const term *t) {
    return place_property(t);
}

status robot_places(mind *m, arena *a, const term *description, size_t most, int64_t task, nanos t,
                    term_list_array *out, char *reason, size_t reason_size, error *err) {
    place_answer *found = mem_must(1, sizeof *found);
    status s = find_places(m, as_list(a, description), in_hand(m), most, task, t, found, err);
    if (s == OK) {
        for (size_t k = 0; k < found->count; k++)
            array_push(out, place_term(a, &found->places[k], found->tolerance_said));
        snprintf(reason, reason_size, "%s", found->reason);
    }
    free(found);
    return s;
}

status robot_stand_at(mind *m, const term *description, int64_t task, nanos t, pose *out,
                      error *err) {
    arena *a = arena_create();
    int64_t count = term_list_length(description);
    const term **items = arena_alloc(a, ((size_t)count + 1) * sizeof *items);
    const term *robot[1] = {term_symbol(a, "robot")};
    bool said = false;
    for (int64_t k = 0; k < count; k++) {
        items[k] = term_list_item(description, (size_t)k);
        said = said || term_is(items[k], "for", 1);
    }
    if (!said)
        items[count++] = term_compound(a, "for", 1, robot);
    place_answer *found = mem_must(1, sizeof *found);
    status s =
        find_places(m, term_list(a, items, (size_t)count, NULL), NULL, 1, task, t, found, err);
    if (s == OK) {
        double yaw = found->places[0].yaw_free ? quat_yaw(belief_robot(m->belief).q)
                                               : quat_yaw(found->places[0].at.q);
        *out = pose_planar(found->places[0].at.p.x, found->places[0].at.p.y, yaw);
    }
    free(found);
    arena_destroy(a);
    return s;
}

// ---- Locations of actions -----------------------------------------------------------------------
// An object may stand on a support that is narrower than itself: then the support's rim carries it,
// and the place is as high as the rim.
static void on_rim(const mind *m, const char *object, believed_place *place) {
    const believed_object *o = object ? belief_find(m->belief, object) : NULL;
    if (!o || !o->kind)
        return;
    double top = belief_rim(m->belief, place->support, o->kind, place->at);
    if (!(top > place->at.p.z))
        return;
    place->at.p.z = top;
    place->half_x = place->half_y = 0;
}

// Whether a place that was found before still has room for the held object.
static bool still_free(const mind *m, const char *object, const believed_place *place) {
    arena *a = arena_create();
    const term *on[1] = {term_symbol(a, place->support)}, *who[1] = {term_symbol(a, object)},
               *at[2] = {term_float(a, place->at.p.x), term_float(a, place->at.p.y)},
               *near[1] = {term_float(a, 0)};
    const term *list[4] = {term_compound(a, "on", 1, on), term_compound(a, "at", 2, at),
                           term_compound(a, "for", 1, who), term_compound(a, "tolerance", 1, near)};
    place_answer *found = mem_must(1, sizeof *found);
    place_wish wish = {.most = 1};
    error why = {0};
    bool fits =
        belief_find_places(m->belief, term_list(a, list, 4, NULL), &wish, found, &why) == OK;
    free(found);
    arena_destroy(a);
    return fits;
}

// The place that the same words have meant since the hand closed about the object; NULL: none yet,
// or it is no longer free.
static located *remembered_place(mind *m, const char *text, const char *object) {
    struct robot_memory *memory = robot_remember(m);
    for (size_t k = 0; k < LOCATED_MAX; k++) {
        located *l = &memory->located[k];
        if (strcmp(l->text, text) == 0 && strcmp(l->object, object) == 0 &&
            still_free(m, object, &l->place))
            return l;
    }
    return NULL;
}

static void forget_put_down(mind *m) {
    struct robot_memory *memory = robot_remember(m);
    for (size_t k = 0; k < LOCATED_MAX; k++) {
        const believed_object *o = belief_find(m->belief, memory->located[k].object);
        if (!o || o->hand < 0)
            memory->located[k] = (located){0};
    }
}

static void forget_place(mind *m, const term *words, const char *object) {
    struct robot_memory *memory = robot_remember(m);
    char text[sizeof((located *)0)->text];
    term_format(words, text, sizeof text);
    for (size_t k = 0; k < LOCATED_MAX; k++)
        if (strcmp(memory->located[k].text, text) == 0 &&
            strcmp(memory->located[k].object, object) == 0)
            memory->located[k] = (located){0};
}

static void remember_place(mind *m, const char *text, const char *object,
                           const believed_place *place) {
    struct robot_memory *memory = robot_remember(m);
    size_t size = sizeof memory->located[0];
    memmove(&memory->located[1], &memory->located[0], (LOCATED_MAX - 1) * size);
    located *l = &memory->located[0];
    *l = (located){.place = *place};
    snprintf(l->text, sizeof l->text, "%s", text);
    snprintf(l->object, sizeof l->object, "%s", object);
}

// Finds the best place of a description and remembers it as the meaning of `words`.
static status locate_described(mind *m, const term *words, const term *description,
                               const char *object, int64_t task, nanos t, believed_place *out,
                               error *err) {
    char text[sizeof((located *)0)->text];
    bool whole = term_format(words, text, sizeof text) < sizeof text && object;
    forget_put_down(m);
    located *before = whole ? remembered_place(m, text, object) : NULL;
    if (before) {
        *out = before->place;
        return OK;
    }
    arena *a = arena_create();
    place_answer *found = mem_must(1, sizeof *found);
    status s = find_places(m, as_list(a, description), object, 1, task, t, found, err);
    if (s == OK)
        *out = found->places[0];
    if (s == OK && whole && belief_find(m->belief, object)->hand >= 0)
        remember_place(m, text, object, out);
    free(found);
    arena_destroy(a);
    return s;
}

status robot_locate(mind *m, const term *location, const char *object, int64_t task, nanos t,
                    believed_place *out, error *err) {
    if (!object)
        object = in_hand(m);
    if (belief_describes(m->belief, location))
        return locate_described(m, location, location, object, task, t, out, err);
    char text[sizeof((located *)0)->text];
    forget_put_down(m);
    located *before = object && term_format(location, text, sizeof text) < sizeof text
                          ? remembered_place(m, text, object)
                          : NULL;
    if (before) {
        *out = before->place;
        return OK;
    }
    status s = belief_resolve_location(m->belief, location, out, err);
    if (s == OK)
        on_rim(m, object, out);
    if (s != OK || !out->support_defaulted)
        return s;
    char question[160];
    term_format(location, question, sizeof question);
    return robot_choice(m, task, t, "support", question, out->support, NULL,
                        "not said: taken from what the location refers to", err);
}

status robot_locate_reached(mind *m, const term *location, size_t arm, int64_t task, nanos t,
                            believed_place *out, error *err) {
    const believed_object *o = belief_held(m->belief, arm, NULL);
    if (!o)
        return error_set(err, E_INPUT, "the %s hand holds nothing", m->robot->arms[arm].name);
    arena *a = arena_create();
    const term *by[1] = {term_symbol(a, m->robot->arms[arm].name)}, *words = as_list(a, location);
    size_t count = (size_t)term_list_length(words);
    const term **list = arena_alloc(a, (count + 1) * sizeof *list);
    for (size_t k = 0; k < count; k++)
        list[k] = term_list_item(words, k);
    list[count] = term_compound(a, "reachable_for", 1, by);
    forget_place(m, location, o->name);
    status s = locate_described(m, location, term_list(a, list, count + 1, NULL), o->name, task, t,
                                out, err);
    arena_destroy(a);
    return s;
}
