// scene/intervene.c - worlds and robots with a cause taken away.
#include "scene/intervene.h"

static const double FIRM = 5; // coefficient of friction

static const change_info CHANGES[CHANGE_COUNT] = {
#define CHANGE(id, name, arity, arguments, doc) {name, arguments, doc, arity},
#include "scene/interventions.def"
#undef CHANGE
};

change_info change_about(change_kind k) {
    return CHANGES[k];
}

status change_find(const term *change, change_kind *kind, error *err) {
    const char *names[CHANGE_COUNT];
    const char *name =
        change->kind == TERM_SYMBOL || change->kind == TERM_COMPOUND ? change->text : NULL;
    uint32_t arity = change->kind == TERM_COMPOUND ? change->arity : 0;
    for (int k = 0; k < CHANGE_COUNT; k++) {
        names[k] = CHANGES[k].name;
        if (!name || strcmp(names[k], name) != 0)
            continue;
        *kind = (change_kind)k;
        if (arity == CHANGES[k].arity)
            return OK;
        return error_set(err, E_INPUT, "the change '%s' is written %s%s%s%s", name, name,
                         CHANGES[k].arity ? "(" : "", CHANGES[k].arguments,
                         CHANGES[k].arity ? ")" : "");
    }
    const char *near = name ? nearest_name(name, names, CHANGE_COUNT) : NULL;
    if (near)
        return error_set(err, E_INPUT, "there is no change '%s'; did you mean '%s'?", name, near);
    char all[400] = "";
    for (int k = 0; k < CHANGE_COUNT; k++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? ", " : "", names[k]);
    return error_set(err, E_INPUT, "there is no such change%s%s%s; there are %s", name ? " '" : "",
                     name ? name : "", name ? "'" : "", all);
}

// ---- Names --------------------------------------------------------------------------------------

// `name` is none of these.
static status no_such(const char *change, const char *what, const char *name,
                      const char *const *names, size_t count, error *err) {
    const char *near = nearest_name(name, names, count);
    char all[400] = "";
    // Of several robots each may have a part of that name.
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(names[i]), tail = strlen(name);
        bool owned =
            n > tail && names[i][n - tail - 1] == '_' && strcmp(names[i] + n - tail, name) == 0;
        if (owned && strlen(all) < 300)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s'%.60s'", all[0] ? " or " : "",
                     names[i]);
    }
    if (all[0])
        return error_set(err, E_INPUT, "%s: there is no %s '%.80s'; did you mean %s?", change, what,
                         name, all);
    if (near)
        return error_set(err, E_INPUT, "%s: there is no %s '%.80s'; did you mean '%s'?", change,
                         what, name, near);
    size_t shown = 0;
    for (; shown < count && strlen(all) < 300; shown++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%.60s", shown ? ", " : "",
                 names[shown]);
    return error_set(err, E_INPUT, "%s: there is no %s '%.80s'; %s%s%s", change, what, name,
                     count ? "there are " : "there is none", all, shown < count ? ", ..." : "");
}

// The name that an argument is; NULL after an error.
static const char *name_of(const term *change, uint32_t i, error *err) {
    const term *t = change->args[i];
    if (t->kind == TERM_SYMBOL || t->kind == TERM_STRING)
        return t->text;
    error_set(err, E_INPUT, "%s: its argument must be a name as the log has it", change->text);
    return NULL;
}

static status find_body(const term *change, const world_model *w, size_t *out, error *err) {
    const char *name = name_of(change, 0, err);
    if (!name)
        return E_INPUT;
    int64_t found = world_find_body(w, name);
    if (found >= 0) {
        *out = (size_t)found;
        return OK;
    }
    const char **names = mem_must(w->body_count + 1, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < w->body_count; i++)
        if (!w->bodies[i].particle)
            names[count++] = w->bodies[i].name;
    status st = no_such(change->text, "body", name, names, count, err);
    free(names);
    return st;
}

// As the log calls a part of the robot: with its name before it.
static const char *part_name(const robot_model *r, const char *name) {
    size_t n = strlen(r->name);
    if (n == 0 || (strncmp(name, r->name, n) == 0 && name[n] == '_'))
        return name;
    return arena_format(r->arena, "%s_%s", r->name, name);
}

typedef ARRAY(size_t) numbers;

static void add_if(numbers *out, const char *name, const char *part, size_t number) {
    if (strcmp(name, part) == 0)
        array_push(out, number);
}

// Whether a name stands for a whole robot, and this is a part of it.
static bool is_whole_of(const robot_model *r, const char *name, const char *part) {
    size_t n = strlen(name);
    if (!r->wholes)
        return strcmp(name, r->name) == 0;
    for (size_t i = 0; i < r->whole_count; i++)
        if (strcmp(r->wholes[i], name) == 0)
            return strncmp(part, name, n) == 0 && part[n] == '_';
    return false;
}

// What a name stands for, by the numbers of the simulation's entities: a body, a part of a robot,
// all parts of a gripper, or of a robot. Nothing: none.
static void find_things(const world_model *w, const robot_model *r, const char *name, numbers *out,
                        const char **names) {
    size_t n = 0, hands = w->body_count + r->link_count;
    for (size_t i = 0; i < w->body_count; i++) {
        add_if(out, name, w->bodies[i].name, i);
        if (!w->bodies[i].particle)
            names[n++] = w->bodies[i].name;
    }
    if (r->name[0])
        names[n++] = r->name;
    for (size_t i = 0; r->wholes && i < r->whole_count; i++)
        names[n++] = r->wholes[i];
    for (size_t i = 0; i < r->link_count; i++) {
        names[n] = part_name(r, r->links[i].name);
        add_if(out, is_whole_of(r, name, names[n]) ? names[n] : name, names[n], w->body_count + i);
        n++;
    }
    for (size_t i = 0; i < r->arm_count; i++) {
        const robot_gripper *g = &r->arms[i].gripper;
        const char *parts[3] = {g->palm, g->finger_1, g->finger_2};
        const char *gripper = part_name(r, g->name);
        names[n++] = gripper;
        bool all = is_whole_of(r, name, gripper) || strcmp(name, gripper) == 0;
        for (size_t k = 0; k < 3; k++) {
            names[n] = part_name(r, parts[k]);
            add_if(out, all ? names[n] : name, names[n], hands + 3 * i + k);
            n++;
        }
    }
    names[n] = NULL;
}

static status need_things(const term *change, uint32_t argument, const world_model *w,
                          const robot_model *r, numbers *out, error *err) {
    const char *name = name_of(change, argument, err);
    if (!name)
        return E_INPUT;
    const char **names = mem_must(
        w->body_count + r->whole_count + r->link_count + 4 * r->arm_count + 2, sizeof *names);
    find_things(w, r, name, out, names);
    size_t count = 0;
    while (names[count])
        count++;
    status st =
        out->count > 0 ? OK : no_such(change->text, "body or part", name, names, count, err);
    free(names);
    return st;
}

// ---- Copies -------------------------------------------------------------------------------------

static void *array_copied(arena *a, const void *items, size_t count, size_t size) {
    void *p = arena_alloc(a, count * size + 1);
    if (count > 0)
        memcpy(p, items, count * size);
    return p;
}

static world_body *own_bodies(world_model *w) {
    world_body *own = array_copied(w->arena, w->bodies, w->body_count, sizeof *own);
    w->bodies = own;
    return own;
}

// Exceptions of its own, with room for `more` pairs more.
static world_exceptions *own_exceptions(world_model *w, const robot_model *r, size_t more) {
    const world_exceptions *old = w->exceptions;
    size_t things = w->body_count + r->link_count + 3 * r->arm_count;
    world_exceptions *own = arena_alloc(w->arena, sizeof *own);
    own->transparent = arena_alloc(w->arena, things + 1);
    own->seen = arena_alloc(w->arena, things + 1);
    own->ghostly_count = old ? old->ghostly_count : 0;
    own->ghostly = arena_alloc(w->arena, (own->ghostly_count + more + 1) * sizeof *own->ghostly);
    if (old) {
        memcpy(own->transparent, old->transparent, things);
        memcpy(own->seen, old->seen, things);
        memcpy(own->ghostly, old->ghostly, old->ghostly_count * sizeof *own->ghostly);
    }
    w->exceptions = own;
    return own;
}

// ---- What happens and what holds ----------------------------------------------------------------

// Leaves out events that `unwanted` picks.
static void drop_events(world_model *w, bool (*unwanted)(const world_event *e, const void *what),
                        const void *what) {
    world_event *own = arena_alloc(w->arena, w->event_count * sizeof *own + 1);
    size_t kept = 0;
    for (size_t i = 0; i < w->event_count; i++)
        if (!unwanted(&w->events[i], what))
            own[kept++] = w->events[i];
    w->events = own;
    w->event_count = kept;
}

static bool any_event(const world_event *e, const void *what) {
    (void)e, (void)what;
    return true;
}

static bool is_named(const world_event *e, const void *name) {
    return strcmp(e->name, name) == 0 || strcmp(e->term, name) == 0;
}

static bool wets_pads(const world_event *e, const void *robot) {
    const robot_model *r = robot;
    for (size_t i = 0; i < r->arm_count; i++)
        if (e->kind == EVENT_WET && e->material && r->arms[i].gripper.material &&
            strcmp(e->material, r->arms[i].gripper.material) == 0)
            return true;
    return false;
}

static bool is_of_body(const world_event *e, const void *body) {
    return e->body == (int64_t) * (const size_t *)body;
}

static status no_event(const term *change, world_model *w, error *err) {
    const term *t = change->args[0];
    const char *name = t->kind == TERM_COMPOUND ? term_text(w->arena, t) : name_of(change, 0, err);
    if (!name)
        return E_INPUT;
    size_t before = w->event_count;
    const world_event *all = w->events;
    drop_events(w, is_named, name);
    if (w->event_count < before)
        return OK;
    const char **names = mem_must(before + 1, sizeof *names);
    for (size_t i = 0; i < before; i++)
        names[i] = all[i].name;
    status st = no_such(change->text, "event", name, names, before, err);
    free(names);
    return st;
}

// Leaves out a model of the ensemble, or a trigger.
static status drop_of_ensemble(const term *change, world_model *w, bool model, error *err) {
    world_ensemble *e = &w->ensemble;
    const char *name = name_of(change, 0, err);
    if (!name)
        return E_INPUT;
    size_t count = model ? e->model_count : e->trigger_count;
    const char **names = mem_must(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++) {
        names[i] = model ? e->models[i].name : e->triggers[i].name;
        if (strcmp(names[i], name) != 0)
            continue;
        free(names);
        if (model)
            ensemble_drop_model(w->arena, e, i);
        else
            ensemble_drop_trigger(w->arena, e, i);
        return OK;
    }
    status st = no_such(change->text, model ? "model" : "trigger", name, names, count, err);
    free(names);
    return st;
}

// The pads' friction with anything is at least what the robot believes, or `least` if that is more.
static void raise_pad_friction(world_model *w, robot_model *r, double least) {
    robot_arm *arms = array_copied(r->arena, r->arms, r->arm_count, sizeof *arms);
    drop_events(w, wets_pads, r);
    for (size_t i = 0; i < r->arm_count; i++) {
        robot_gripper *g = &arms[i].gripper;
        g->least_friction = fmax(g->least_friction, fmax(g->believed_friction, least));
    }
    r->arms = arms;
}

static status believe_mass(const term *change, world_model *w, error *err) {
    size_t body = 0;
    status st = find_body(change, w, &body, err);
    if (st != OK)
        return st;
    world_body *bodies = own_bodies(w);
    const body_type *old = bodies[body].type;
    if (!(old->mass > 0) || !(old->believed_mass > 0))
        return error_set(err, E_INPUT, "%s: '%s' has no mass", change->text, bodies[body].name);
    body_type *own = array_copied(w->arena, old, 1, sizeof *own);
    double scale = old->believed_mass / old->mass;
    own->mass = old->believed_mass;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            own->inertia.m[i][k] *= scale;
    // A type of its own, which the catalogue need not know: what it is called stays.
    bodies[body].type = own;
    return OK;
}

static status take_away(const term *change, world_model *w, error *err) {
    size_t body = 0;
    status st = find_body(change, w, &body, err);
    if (st != OK)
        return st;
    world_body *bodies = own_bodies(w);
    for (size_t i = 0; i < w->body_count; i++)
        if (i == body || (bodies[i].particle && bodies[i].inside == (int64_t)body))
            bodies[i].absent = true;
    drop_events(w, is_of_body, &body);
    return OK;
}

// ---- Furniture ----------------------------------------------------------------------------------

// How the joints that carry a body displace it at the start.
static pose joint_displacement(const world_model *w, int64_t body) {
    pose d = POSE_IDENTITY;
    for (size_t steps = 0; body >= 0 && steps <= w->body_count; steps++) {
        int64_t j = world_joint_of(w, (size_t)body);
        if (j >= 0) {
            d = pose_mul(joint_displaced(&w->joints[j], POSE_IDENTITY, w->joints[j].start), d);
            body = w->joints[j].base;
        } else {
            body = w->bodies[body].on;
        }
    }
    return d;
}

// Bodies that lie in a drawer come with it, and so do those inside them.
static status stand_open(const term *change, world_model *w, error *err) {
    const char *name = name_of(change, 0, err);
    if (!name)
        return E_INPUT;
    int64_t joint = world_find_joint(w, name);
    if (joint < 0) {
        const char **names = mem_must(w->joint_count + 1, sizeof *names);
        for (size_t i = 0; i < w->joint_count; i++)
            names[i] = w->joints[i].name;
        status st = no_such(change->text, "door or drawer", name, names, w->joint_count, err);
        free(names);
        return st;
    }
    world_model before = *w;
    world_joint *joints = array_copied(w->arena, w->joints, w->joint_count, sizeof *joints);
    world_joint *j = &joints[joint];
    j->start = fabs(j->upper) >= fabs(j->lower) ? j->upper : j->lower;
    w->joints = joints;
    world_body *bodies = own_bodies(w);
    for (size_t i = 0; i < w->body_count; i++) {
        int64_t on = bodies[i].particle ? bodies[i].inside : bodies[i].on;
        if (on < 0 || world_joint_of(w, i) >= 0)
            continue;
        pose back = pose_inverse(joint_displacement(&before, on));
        bodies[i].at = pose_mul(joint_displacement(w, on), pose_mul(back, bodies[i].at));
    }
    return OK;
}

// ---- Senses and contacts ------------------------------------------------------------------------

static status let_through(const term *change, world_model *w, const robot_model *r, error *err) {
    numbers a = {0}, b = {0};
    status st = need_things(change, 0, w, r, &a, err);
    if (st == OK)
        st = need_things(change, 1, w, r, &b, err);
    if (st == OK) {
        world_exceptions *x = own_exceptions(w, r, a.count * b.count);
        for (size_t i = 0; i < a.count; i++)
            for (size_t k = 0; k < b.count; k++) {
                size_t one = a.items[i], two = b.items[k];
                x->ghostly[x->ghostly_count][0] = one < two ? one : two;
                x->ghostly[x->ghostly_count++][1] = one < two ? two : one;
            }
    }
    array_finish(&a);
    array_finish(&b);
    return st;
}

static status see_through(const term *change, world_model *w, const robot_model *r, error *err) {
    numbers all = {0};
    status st = need_things(change, 0, w, r, &all, err);
    if (st == OK) {
        world_exceptions *x = own_exceptions(w, r, 0);
        for (size_t i = 0; i < all.count; i++)
            x->transparent[all.items[i]] = true;
    }
    array_finish(&all);
    return st;
}

static status always_see(const term *change, world_model *w, const robot_model *r, error *err) {
    size_t body = 0;
    status st = find_body(change, w, &body, err);
    if (st == OK)
        own_exceptions(w, r, 0)->seen[body] = true;
    return st;
}

static void sense_exactly(robot_model *r, change_kind kind) {
    robot_camera *c = &r->camera;
    switch (kind) {
    case CHANGE_SURE_DETECTION:
        c->detection_rate = c->far_detection = 1;
        c->full_visible = c->min_visible;
        break;
    case CHANGE_NO_GHOSTS:
        c->false_positives = 0;
        break;
    case CHANGE_NO_CONFUSION:
        c->confusion = c->color_confusion = 0;
        break;
    case CHANGE_EXACT_PERCEPTS:
        c->position_noise = c->position_noise_per_metre = c->angle_noise = c->angle_bias = 0;
        c->position_bias = v3(0, 0, 0);
        break;
    default:
        r->odometry_noise = r->odometry_angle_noise = 0;
        r->odometry_bias = r->odometry_angle_bias = 0;
        r->laser.noise = r->laser.bias = 0;
        r->laser.short_share = r->laser.max_share = r->laser.random_share = 0;
        r->tracker.noise = r->tracker.angle_noise = 0;
        r->tracker.bias = v3(0, 0, 0);
        break;
    }
}

static status make_one(const term *change, world_model *w, robot_model *r, error *err) {
    change_kind kind;
    status st = change_find(change, &kind, err);
    if (st != OK)
        return st;
    switch (kind) {
    case CHANGE_PADS_AS_BELIEVED:
        raise_pad_friction(w, r, 0);
        return OK;
    case CHANGE_FIRM_GRIP:
        raise_pad_friction(w, r, FIRM);
        return OK;
    case CHANGE_MASS_AS_BELIEVED:
        return believe_mass(change, w, err);
    case CHANGE_NO_EVENT:
        return no_event(change, w, err);
    case CHANGE_NO_EVENTS:
        drop_events(w, any_event, NULL);
        return OK;
    case CHANGE_TRANSPARENT:
        return see_through(change, w, r, err);
    case CHANGE_SEES:
        return always_see(change, w, r, err);
    case CHANGE_SURE_DETECTION:
    case CHANGE_NO_GHOSTS:
    case CHANGE_NO_CONFUSION:
    case CHANGE_EXACT_PERCEPTS:
    case CHANGE_EXACT_PLACE:
        sense_exactly(r, kind);
        return OK;
    case CHANGE_ABSENT:
        return take_away(change, w, err);
    case CHANGE_GHOSTLY:
        return let_through(change, w, r, err);
    case CHANGE_OPENED:
        return stand_open(change, w, err);
    case CHANGE_FULL_FIDELITY:
        w->fidelity.bodies = w->fidelity.parked = false;
        return OK;
    case CHANGE_WITHOUT_MODEL:
        return drop_of_ensemble(change, w, true, err);
    case CHANGE_NO_TRIGGER:
        return drop_of_ensemble(change, w, false, err);
    case CHANGE_NO_LOSS: // what robots tell one another, and the plan, are not of the scene
    case CHANGE_NO_DELAY:
    case CHANGE_COUPLED_BY:
    case CHANGE_SHARE_ALL:
    case CHANGE_EDITS:
    case CHANGE_COUNT:
        return OK;
    }
    return OK;
}

status change_make(const term *change, world_model *w, robot_model *r, error *err) {
    int64_t count = term_list_length(change);
    status st = OK;
    if (count < 0)
        return make_one(change, w, r, err);
    for (int64_t i = 0; st == OK && i < count; i++)
        st = make_one(term_list_item(change, (size_t)i), w, r, err);
    return st;
}

static bool of_robot(change_kind kind) {
    return kind == CHANGE_PADS_AS_BELIEVED || kind == CHANGE_FIRM_GRIP ||
           kind == CHANGE_SURE_DETECTION || kind == CHANGE_NO_GHOSTS ||
           kind == CHANGE_NO_CONFUSION || kind == CHANGE_EXACT_PERCEPTS ||
           kind == CHANGE_EXACT_PLACE;
}

bool change_is_of_robot(const char *text) {
    for (int k = 0; k < CHANGE_COUNT; k++)
        if (of_robot((change_kind)k) && strcmp(CHANGES[k].name, text) == 0)
            return true;
    return false;
}

static void make_robot(const term *change, world_model *w, robot_model *r) {
    change_kind kind;
    if (change_find(change, &kind, NULL) != OK || !of_robot(kind))
        return;
    if (kind == CHANGE_PADS_AS_BELIEVED || kind == CHANGE_FIRM_GRIP)
        raise_pad_friction(w, r, kind == CHANGE_FIRM_GRIP ? FIRM : 0);
    else
        sense_exactly(r, kind);
}

void change_make_robot(const term *change, world_model *w, robot_model *r) {
    int64_t count = term_list_length(change);
    if (count < 0)
        make_robot(change, w, r);
    for (int64_t i = 0; i < count; i++)
        make_robot(term_list_item(change, (size_t)i), w, r);
}
