// projector/belief/solve.c - occasions as terms: which of them are believed to hold, and how an
// assertion makes one hold.
#include "projector/belief/belief_int.h"

#include <math.h>

typedef struct solving {
    const belief *b;
    arena *a;
    const term *occasion;
    term_list_array *out;
} solving;

static const term *solution_symbol(solving *s, const char *name) {
    return term_symbol(s->a, name);
}

// Adds a solution with these arguments, if they match those of the occasion; a(Type) matches any
// object of the type.
static void offer_solution(solving *s, const term *const *args) {
    bindings found = {0};
    bool fits = true;
    for (uint32_t i = 0; fits && i < s->occasion->arity; i++) {
        const term *want = s->occasion->args[i];
        if (term_is(want, "a", 1)) {
            const believed_object *o =
                args[i]->kind == TERM_SYMBOL ? belief_find(s->b, args[i]->text) : NULL;
            const term *type = o ? term_symbol(s->a, o->type) : NULL;
            fits = type && term_match(want->args[0], type, &found);
        } else {
            fits = term_match(want, args[i], &found);
        }
    }
    if (fits)
        array_push(s->out, term_compound(s->a, s->occasion->text, s->occasion->arity, args));
    array_finish(&found);
}

static void offer_one(solving *s, const char *x) {
    const term *args[1] = {solution_symbol(s, x)};
    offer_solution(s, args);
}

static void offer_pair(solving *s, const char *x, const char *y) {
    const term *args[2] = {solution_symbol(s, x), solution_symbol(s, y)};
    offer_solution(s, args);
}

// Returns whether an argument names an object other than this one, which spares most of the work.
static bool name_excluded(const term *want, const char *name) {
    return want->kind == TERM_SYMBOL && strcmp(want->text, name) != 0;
}

static bool is_inside(const belief *b, const believed *o, const believed *container) {
    if (o == container || !container->seen.kind || !container->seen.kind->has_interior)
        return false;
    (void)b;
    const shape *s = &container->seen.kind->interior;
    return shape_distance(s, pose_mul(container->seen.at, s->at), o->seen.at.p) <= 0;
}

static const term *pose_term(arena *a, pose p) {
    const double v[7] = {p.p.x, p.p.y, p.p.z, p.q.w, p.q.x, p.q.y, p.q.z};
    const term *args[7];
    for (int i = 0; i < 7; i++)
        args[i] = term_float(a, v[i]);
    return term_compound(a, "pose", 7, args);
}

// Reads at(X, Y, YawDegrees), whose Support and Tolerance, if any, play no part. False: the
// argument is something else.
static bool planar_argument(const term *t, double v[3]) {
    if (t->kind != TERM_COMPOUND || strcmp(t->text, "at") != 0 || t->arity < 3 || t->arity > 5)
        return false;
    for (int i = 0; i < 3; i++)
        if (!term_number(t->args[i], &v[i]))
            return false;
    return true;
}

static void solve_loc(solving *s) {
    const term *who = s->occasion->args[0], *where = s->occasion->args[1];
    const belief *b = s->b;
    double v[3];
    if (planar_argument(where, v)) {
        if (name_excluded(who, "robot"))
            return;
        if (hypot(b->self->x - v[0], b->self->y - v[1]) <= 0.1 &&
            fabs(angle_wrap(b->self->yaw - v[2] * PI / 180)) <= 5 * PI / 180) {
            const term *args[2] = {solution_symbol(s, "robot"), where};
            offer_solution(s, args);
        }
        return;
    }
    // A pose is given to a variable and never compared, since measured numbers are never equal.
    if (!name_excluded(who, "robot")) {
        const term *args[2] = {solution_symbol(s, "robot"),
                               where->kind == TERM_VAR ? pose_term(s->a, belief_robot(b)) : where};
        offer_solution(s, args);
    }
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed_object *o = &b->objects.items[i].seen;
        if (!o->confirmed || name_excluded(who, o->name))
            continue;
        const term *args[2] = {solution_symbol(s, o->name),
                               where->kind == TERM_VAR ? pose_term(s->a, o->at) : where};
        offer_solution(s, args);
    }
}

// A door or drawer is named by its joint or by its body; it is open past 5 degrees or 20 mm.
static void solve_open(solving *s, bool open) {
    const belief *b = s->b;
    for (size_t k = 0; k < b->known->joint_count; k++) {
        const world_joint *j = &b->known->joints[k];
        double from = j->kind == WORLD_HINGE ? 5 * PI / 180 : 0.02;
        if ((b->joints[k].position - j->lower > from) != open)
            continue;
        const char *body = b->known->bodies[j->body].name;
        offer_one(s, term_is_symbol(s->occasion->args[0], body) ? body : j->name);
    }
}

static void solve_near(solving *s) {
    const belief *b = s->b;
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed_object *x = &b->objects.items[i].seen;
        if (!x->confirmed)
            continue;
        if (hypot(x->at.p.x - b->self->x, x->at.p.y - b->self->y) <= 0.5) {
            offer_pair(s, "robot", x->name);
            offer_pair(s, x->name, "robot");
        }
        for (size_t k = 0; k < b->objects.count && !name_excluded(s->occasion->args[0], x->name);
             k++) {
            const believed_object *y = &b->objects.items[k].seen;
            if (k != i && y->confirmed &&
                hypot(x->at.p.x - y->at.p.x, x->at.p.y - y->at.p.y) <= 0.5)
                offer_pair(s, x->name, y->name);
        }
    }
}

// Solves left_of(X, Y) and the other relations but near.
static void solve_side(solving *s, place_relation relation) {
    const belief *b = s->b;
    const double most = 1; // m
    for (size_t k = 0; k < b->objects.count; k++) {
        const believed *y = &b->objects.items[k];
        if (!y->seen.confirmed || name_excluded(s->occasion->args[1], y->seen.name))
            continue;
        viewpoint view;
        belief_sides(b, k, &view);
        vec3 robot = v3_sub(v3(b->self->x, b->self->y, 0), y->seen.at.p);
        if (!name_excluded(s->occasion->args[0], "robot") &&
            relation_holds(relation, &view, robot, most))
            offer_pair(s, "robot", y->seen.name);
        for (size_t i = 0; i < b->objects.count; i++) {
            const believed_object *x = &b->objects.items[i].seen;
            if (i != k && x->confirmed && !name_excluded(s->occasion->args[0], x->name) &&
                relation_holds(relation, &view, v3_sub(x->at.p, y->seen.at.p), most))
                offer_pair(s, x->name, y->seen.name);
        }
    }
}

// Offers an object that hangs on a hand, and one that a second hand or a hand at a handle has
// closed about.
static void solve_in_hand(solving *s, size_t object) {
    const believed *o = &s->b->objects.items[object];
    bool offered = false;
    for (size_t k = 0; k < s->b->robot->arm_count; k++) {
        const grasp_note *note = &s->b->grasps[k];
        if (!(o->hang == HANG_HAND && o->parent == k) &&
            !(note->noted && note->asserted && note->object == object))
            continue;
        // A hand may be named by its arm.
        const robot_arm *arm = &s->b->robot->arms[k];
        bool by_arm = s->occasion->arity == 2 && term_is_symbol(s->occasion->args[1], arm->name);
        if (s->occasion->arity == 2)
            offer_pair(s, o->seen.name, by_arm ? arm->name : arm->gripper.name);
        else if (!offered)
            offer_one(s, o->seen.name);
        offered = true;
    }
}

// Offers what an object stands on; with `closure`, also by way of others; `reversed`: supporting(B,
// X).
static void solve_support(solving *s, const believed *o, bool closure, bool reversed) {
    for (const believed *up = o; up->hang == HANG_OBJECT; up = &s->b->objects.items[up->parent]) {
        const char *below = s->b->objects.items[up->parent].seen.name;
        if (reversed)
            offer_pair(s, below, o->seen.name);
        else
            offer_pair(s, o->seen.name, below);
        if (!closure)
            return;
    }
}

// Offers the properties with the occasion's key.
static void offer_properties(solving *s, const char *name, const property *p, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(p[i].key, s->occasion->text) == 0)
            offer_pair(s, name, p[i].value);
}

// The properties of a known body include those of its type.
static void solve_property(solving *s, const believed *o) {
    const world_body *body = o->seen.known ? &s->b->known->bodies[o->seen.body] : NULL;
    if (body)
        offer_properties(s, o->seen.name, body->properties, body->property_count);
    else if (o->seen.kind)
        offer_properties(s, o->seen.name, o->seen.kind->properties, o->seen.kind->property_count);
}

static void solve_object(solving *s, const char *f, const believed *o) {
    const belief *b = s->b;
    const char *name = o->seen.name;
    if (strcmp(f, "on") == 0) {
        if (strcmp(o->relation, "on") == 0)
            solve_support(s, o, false, false);
    } else if (strcmp(f, "supporting") == 0) {
        solve_support(s, o, false, true);
    } else if (strcmp(f, "stands_on") == 0) {
        solve_support(s, o, true, false);
    } else if (strcmp(f, "in") == 0) {
        for (size_t k = 0; k < b->objects.count; k++) {
            const believed *c = &b->objects.items[k];
            bool hung = o->hang == HANG_OBJECT && o->parent == k && strcmp(o->relation, "in") == 0;
            if (c->seen.confirmed && (hung || is_inside(b, o, c)))
                offer_pair(s, name, c->seen.name);
        }
    } else if (strcmp(f, "within") == 0) {
        for (size_t k = 0; k < b->known->region_count; k++)
            if (belief_within(b, o, &b->known->regions[k]))
                offer_pair(s, name, b->known->regions[k].name);
    } else if (strcmp(f, "object_in_hand") == 0) {
        solve_in_hand(s, (size_t)(o - b->objects.items));
    } else if (strcmp(f, "type") == 0) {
        offer_pair(s, name, o->seen.type);
    } else if (strcmp(f, "color") == 0) {
        if (o->seen.color)
            offer_pair(s, name, o->seen.color);
    } else if (strcmp(f, "object_visible") == 0) {
        if (b->frame_count > 0 && o->frame == b->frame_count)
            offer_one(s, name);
    } else if (s->occasion->arity == 2) {
        solve_property(s, o);
    } else {
        offer_one(s, name); // believed
    }
}

static bool has_key(const property *p, size_t count, const char *key) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(p[i].key, key) == 0)
            return true;
    return false;
}

// Returns whether an occasion is tag(X, T), or Key(X, V) where some type or known body has a
// property of that key.
static bool known_property(const belief *b, const term *o) {
    if (o->kind != TERM_COMPOUND || o->arity != 2)
        return false;
    bool known = strcmp(o->text, "tag") == 0;
    for (size_t i = 0; !known && i < b->known->type_count; i++)
        known = has_key(b->known->types[i].properties, b->known->types[i].property_count, o->text);
    for (size_t i = 0; !known && i < b->known->body_count; i++)
        known =
            has_key(b->known->bodies[i].properties, b->known->bodies[i].property_count, o->text);
    return known;
}

static bool known_occasion(const term *o) {
    static const struct {
        const char *name;
        uint32_t arity;
    } all[] = {
#define OCCASION(name, arity, doc) {#name, arity},
#include "projector/belief/occasions.def"
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (term_is(o, all[i].name, all[i].arity))
            return true;
    return o->kind == TERM_COMPOUND && o->arity == 2 &&
           place_relation_named(o->text) != PLACE_RELATIONS;
}

status belief_solve(const belief *b, arena *a, const term *occasion, term_list_array *out,
                    error *err) {
    if (!known_occasion(occasion) && !known_property(b, occasion)) {
        char text[200];
        term_format(occasion, text, sizeof text);
        return error_set(err, E_INPUT,
                         "the belief knows no occasion %s; docs/plans.md lists them (Expressions "
                         "and conditions)",
                         text);
    }
    solving s = {b, a, occasion, out};
    if (term_is(occasion, "loc", 2)) {
        solve_loc(&s);
        return OK;
    }
    if (term_is(occasion, "touched", 1)) {
        for (size_t k = 0; k < b->robot->arm_count; k++) {
            const gripper_state *g = &b->grippers[k];
            const robot_arm *arm = &b->robot->arms[k];
            bool by_hand = term_is_symbol(occasion->args[0], arm->gripper.name);
            if (g->touch_1 || g->touch_2)
                offer_one(&s, by_hand ? arm->gripper.name : arm->name);
        }
        return OK;
    }
    if (term_is(occasion, "near", 2)) {
        solve_near(&s);
        return OK;
    }
    place_relation side =
        occasion->arity == 2 ? place_relation_named(occasion->text) : PLACE_RELATIONS;
    if (side != PLACE_RELATIONS) {
        solve_side(&s, side);
        return OK;
    }
    if (term_is(occasion, "open", 1) || term_is(occasion, "closed", 1)) {
        solve_open(&s, term_is(occasion, "open", 1));
        return OK;
    }
    const term *subject = occasion->args[term_is(occasion, "supporting", 2) ? 1 : 0];
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *o = &b->objects.items[i];
        if (o->seen.confirmed && !name_excluded(subject, o->seen.name))
            solve_object(&s, occasion->text, o);
    }
    return OK;
}

// ---- Descriptions -------------------------------------------------------------------------------
static const term *property_of_object(arena *a, const term *what, const char *object) {
    uint32_t given = what->kind == TERM_COMPOUND ? what->arity : 0;
    const term **args = arena_alloc(a, (given + 1) * sizeof *args);
    args[0] = term_symbol(a, object);
    for (uint32_t i = 0; i < given; i++)
        args[i + 1] = what->args[i];
    return term_compound(a, what->text, given + 1, args);
}

status belief_resolve_object(const belief *b, arena *a, const term *description,
                             term_list_array *out, error *err) {
    int64_t count = term_list_length(description);
    if (count < 0)
        return error_set(err, E_INPUT, "a description is a list of properties");
    index_array fit = {0};
    status result = OK;
    for (size_t i = 0; i < b->objects.count && result == OK; i++) {
        const believed_object *o = &b->objects.items[i].seen;
        bool fits = o->confirmed;
        for (int64_t k = 0; k < count && fits && result == OK; k++) {
            const term *p = term_list_item(description, (size_t)k);
            if (p->kind != TERM_COMPOUND && p->kind != TERM_SYMBOL) {
                result = error_set(err, E_INPUT, "a description is a list of properties");
                break;
            }
            term_list_array found = {0};
            result = belief_solve(b, a, property_of_object(a, p, o->name), &found, err);
            fits = found.count > 0;
            array_finish(&found);
        }
        if (!fits || result != OK)
            continue;
        // The nearest comes first; among equals, the one that was known earlier.
        double d = hypot(o->at.p.x - b->self->x, o->at.p.y - b->self->y);
        size_t at = fit.count;
        array_push(&fit, i);
        for (; at > 0; at--) {
            const believed_object *before = &b->objects.items[fit.items[at - 1]].seen;
            if (hypot(before->at.p.x - b->self->x, before->at.p.y - b->self->y) <= d)
                break;
            fit.items[at] = fit.items[at - 1];
        }
        fit.items[at] = i;
    }
    for (size_t k = 0; k < fit.count && result == OK; k++)
        array_push(out, term_symbol(a, b->objects.items[fit.items[k]].seen.name));
    array_finish(&fit);
    return result;
}

// ---- Assertion ----------------------------------------------------------------------------------
static int64_t find_hand(const belief *b, const char *name) {
    for (size_t i = 0; i < b->robot->arm_count; i++)
        if (strcmp(b->robot->arms[i].gripper.name, name) == 0 ||
            strcmp(b->robot->arms[i].name, name) == 0)
            return (int64_t)i;
    return -1;
}

static const char *symbol_argument(const term *t, uint32_t i) {
    return t->args[i]->kind == TERM_SYMBOL ? t->args[i]->text : "";
}

static status assert_in_hand(belief *b, size_t object, const term *occasion, int64_t task, nanos t,
                             error *err) {
    int64_t arm = -1;
    belief_changed(b);
    if (occasion->arity == 2) {
        arm = find_hand(b, symbol_argument(occasion, 1));
        if (arm < 0)
            return error_set(err, E_INPUT, "%s is no hand of the robot",
                             symbol_argument(occasion, 1));
    }
    for (size_t i = 0; arm < 0 && i < b->robot->arm_count; i++)
        if (b->grasps[i].noted && b->grasps[i].object == object)
            arm = (int64_t)i;
    if (arm < 0)
        return error_set(err, E_INPUT, "no hand has closed about %s",
                         b->objects.items[object].seen.name);
    size_t hand = (size_t)arm;
    if (b->lost[hand])
        return OK; // the fingers feel that the hand is empty, whatever the plan meant to do
    believed *o = &b->objects.items[object];
    // The grasp is noted as asserted; a door stays on its hinges all the same.
    for (size_t i = 0; i < b->robot->arm_count; i++)
        b->grasps[i].asserted |= b->grasps[i].noted && b->grasps[i].object == object;
    // An object that a second hand takes stays with the first one as long as that holds it.
    bool in_other = o->hang == HANG_HAND && o->parent != hand && b->grasps[hand].noted &&
                    b->grasps[o->parent].noted && b->grasps[o->parent].object == object;
    if ((o->hang == HANG_HAND && o->parent == hand) || in_other || belief_joint_of(b, object) >= 0)
        return belief_write_frame(b, object, "effect", 0, task, t, err);
    grasp_note *note = &b->grasps[hand];
    pose at = o->seen.at;
    // The grasp tells the object's pose better than what the camera saw before.
    if (note->noted && note->object == object)
        at = pose_mul(belief_tool(b, hand), note->in_hand);
    covariance cov = {fmax(o->cov.x, 0.002), fmax(o->cov.y, 0.002), fmax(o->cov.z, 0.002),
                      fmax(o->cov.angle, 0.01)};
    belief_hang(b, object, HANG_HAND, hand, "held", at, cov);
    belief_view_by_hand(b, object, hand);
    if (!note->noted) {
        double opening = b->grippers[hand].read ? b->grippers[hand].opening : 0;
        *note = (grasp_note){.noted = true,
                             .asserted = true,
                             .object = object,
                             .in_hand = pose_mul(pose_inverse(belief_tool(b, hand)), at),
                             .opening = opening};
    }
    return belief_write_frame(b, object, "effect", 0, task, t, err);
}

static status assert_placed(belief *b, size_t object, size_t support, const char *relation,
                            int64_t task, nanos t, error *err) {
    believed *o = &b->objects.items[object];
    belief_changed(b);
    for (size_t i = 0; i < b->robot->arm_count; i++)
        if (b->grasps[i].noted && b->grasps[i].object == object) {
            b->grasps[i] = (grasp_note){0};
            belief_view_by_hand(b, object, i);
        }
    if (o->hang == HANG_OBJECT && o->parent == support && strcmp(o->relation, relation) == 0)
        return belief_write_frame(b, object, "effect", 0, task, t, err);
    pose at = o->seen.at;
    covariance cov = o->cov;
    belief_settle(b, object, at, cov, 0.04);
    if (o->hang != HANG_OBJECT || o->parent != support) {
        // No surface was found near enough, but the plan says that the object stands there: it is
        // put at the height of the support's surface.
        if (o->seen.kind && strcmp(relation, "on") == 0) {
            double bottom = belief_lowest(o->seen.kind->shapes, o->seen.kind->shape_count, at);
            double top = belief_standing_top(&b->objects.items[support].seen, o->seen.kind, at,
                                             bottom + 0.15);
            if (isfinite(top) && fabs(top - bottom) < 0.15)
                at.p.z += top - bottom;
        }
        belief_hang(b, object, HANG_OBJECT, support, relation, at, cov);
    } else if (strcmp(relation, "in") == 0) {
        belief_hang(b, object, HANG_OBJECT, support, relation, o->seen.at, cov);
    }
    return belief_write_frame(b, object, "effect", 0, task, t, err);
}

static bool is_told(const term *o) {
    static const struct {
        const char *name;
        uint32_t arity;
    } all[] = {
#define TOLD(name, arity) {#name, arity},
#include "projector/belief/occasions.def"
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (term_is(o, all[i].name, all[i].arity))
            return true;
    return false;
}

status belief_assert(belief *b, const term *occasion, int64_t task, nanos t, error *err) {
    if (!is_told(occasion))
        return OK;
    bool in_hand = strcmp(occasion->text, "object_in_hand") == 0;
    bool in = term_is(occasion, "in", 2), within = term_is(occasion, "within", 2);
    size_t object = belief_index(b, symbol_argument(occasion, 0));
    if (object == SIZE_MAX)
        return belief_unknown(symbol_argument(occasion, 0), err);
    if (in_hand)
        return assert_in_hand(b, object, occasion, task, t, err);
    size_t support;
    if (within) {
        int64_t region = world_find_region(b->known, symbol_argument(occasion, 1));
        if (region < 0)
            return error_set(err, E_INPUT, "%s is no region", symbol_argument(occasion, 1));
        support = b->known->regions[region].body;
    } else {
        support = belief_index(b, symbol_argument(occasion, 1));
        if (support == SIZE_MAX)
            return belief_unknown(symbol_argument(occasion, 1), err);
    }
    // An object that stands on something within the region is within the region, too, and stays
    // there.
    if (within) {
        const believed *o = &b->objects.items[object];
        if (o->hang == HANG_OBJECT &&
            belief_within(
                b, o,
                &b->known->regions[world_find_region(b->known, symbol_argument(occasion, 1))]))
            return belief_write_frame(b, object, "effect", 0, task, t, err);
    }
    // No object can stand on itself, nor on what stands on it.
    for (size_t under = support;; under = b->objects.items[under].parent) {
        if (under == object)
            return error_set(err, E_INPUT, "%s cannot stand on itself%s%s",
                             symbol_argument(occasion, 0),
                             support == object ? "" : ", as on what stands on it: ",
                             support == object ? "" : b->objects.items[support].seen.name);
        if (b->objects.items[under].hang != HANG_OBJECT)
            break;
    }
    return assert_placed(b, object, support, in ? "in" : "on", task, t, err);
}
