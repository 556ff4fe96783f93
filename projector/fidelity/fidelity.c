// projector/fidelity/fidelity.c - the helper of fidelity: asks the signallers, changes the levels
// that are to change, and tells the log.
#include "projector/fidelity/fidelity_int.h"

static const double OUTSIDE = 0.02; // m, that a body is farther away when it is lowered
static const double BEYOND = 0.5;   // m, that scenery is farther away than that

static const char *rule_name(rule r) {
    static const char *const names[] = {
        "",
#define RULE(id, name, doc) name,
#include "projector/fidelity/rules.def"
#undef RULE
    };
    return names[r];
}

void fidelity_create(const world_model *w, const robot_model *r, sim *s,
                     const fidelity_notes *notes, fidelity **out) {
    fidelity *f = mem_must(1, sizeof *f);
    f->world = w;
    f->robot = r;
    f->sim = s;
    f->notes = *notes;
    f->text = arena_create();
    f->how = w->fidelity;
    f->body_count = w->body_count;
    f->entity_count = sim_entity_count(s);
    f->trees = mem_must(f->body_count + 1, sizeof *f->trees);
    f->last = mem_must(2 * (f->entity_count - f->body_count) + 1, sizeof *f->last);
    f->first = mem_must(f->body_count + 2, sizeof *f->first);
    f->queue = mem_must(f->body_count + 1, sizeof *f->queue);
    f->group = mem_must(f->body_count + 1, sizeof *f->group);
    f->held = mem_must(f->body_count + 1, sizeof *f->held);
    f->lively = mem_must(f->body_count + 1, sizeof *f->lively);
    f->lowering = true;
    *out = f;
}

void fidelity_destroy(fidelity *f) {
    if (!f)
        return;
    array_finish(&f->boxes);
    array_finish(&f->movers);
    arena_destroy(f->text);
    free(f->trees);
    free(f->last);
    free(f->first);
    free(f->others);
    free(f->queue);
    free(f->group);
    free(f->held);
    free(f->lively);
    free(f);
}

bool tree_is_managed(const fidelity *f, size_t body) {
    return body < f->body_count && !f->world->bodies[body].particle && sim_lowerable(f->sim, body);
}

void tree_want(fidelity *f, size_t body, rule why, int64_t by) {
    tree *x = &f->trees[body];
    if (x->why != RULE_NONE)
        return;
    x->wanted = LEVEL_FULL;
    x->why = why;
    x->by = by;
}

// ---- The helper ---------------------------------------------------------------------------------

static status put_switch(fidelity *f, size_t body, nanos t, fidelity_level to, rule why, int64_t by,
                         const char *refused, error *err) {
    const tree *x = &f->trees[body];
    record r = {.kind = RECORD_SWITCH, .id = sink_id(f->notes.log, RECORD_SWITCH)};
    r.SWITCH = (struct record_SWITCH){
        .object = f->notes.objects[sim_entity_body(body)],
        .t_ns = t,
        .rule = rule_name(why),
        .bindings =
            by >= 0 ? arena_format(f->text, "[%s]", f->notes.name(f->notes.recorder, (size_t)by))
                    : "[]",
        .effect = arena_format(f->text, "level(%s, %s)", f->notes.name(f->notes.recorder, body),
                               fidelity_level_name(to)),
        .was = fidelity_level_name(x->level),
        .becomes = fidelity_level_name(to),
        .done = refused == NULL,
        .why = refused};
    return sink_put(f->notes.log, &r, err);
}

// Notes that the body is at another level from t on than was put down.
static status note_level(fidelity *f, size_t body, nanos t, rule why, int64_t by, error *err) {
    tree *x = &f->trees[body];
    fidelity_level to = sim_level(f->sim, body);
    status st = put_switch(f, body, t, to, why, by, NULL, err);
    f->lowered += (size_t)((to != LEVEL_FULL) - (x->level != LEVEL_FULL));
    x->level = to;
    return st == OK && sim_present(f->sim, body) ? f->notes.level(f->notes.recorder, body, t, err)
                                                 : st;
}

static status raise_tree(fidelity *f, size_t body, nanos t, error *err) {
    tree *x = &f->trees[body];
    double depth;
    if (x->level == LEVEL_FULL)
        return OK;
    if (!sim_raise(f->sim, body, x->wake, &depth))
        return put_switch(f, body, t, LEVEL_FULL, x->why, x->by,
                          arena_format(f->text, "something is %.1f mm deep in it", 1e3 * depth),
                          err);
    f->lowering = true;
    return note_level(f, body, t, x->why, x->by, err);
}

static status lower_tree(fidelity *f, size_t body, nanos t, fidelity_level to, rule why,
                         error *err) {
    tree *x = &f->trees[body];
    if (x->level == LEVEL_FULL) {
        x->hasty = sim_calm_steps(f->sim, body) < sim_calm_enough();
        x->counted = x->settling = x->wake = false;
    }
    sim_lower(f->sim, body, to);
    return note_level(f, body, t, why, -1, err);
}

// Whether a body has been still for long enough to be lowered, and nothing is near.
static bool may_lower(const fidelity *f, size_t body, nanos t) {
    const tree *x = &f->trees[body];
    if (x->level != LEVEL_FULL || x->wanted == LEVEL_FULL || x->carried || t < x->hold ||
        !tree_is_managed(f, body))
        return false;
    int still = x->settling ? sim_calm_enough() : (int)f->how.still;
    return sim_calm_steps(f->sim, body) >= still && near_is_clear(f, body, OUTSIDE);
}

// What an event of the world, or of the branch of an episode, has raised or taken away.
static status follow_events(fidelity *f, nanos t, error *err) {
    status st = OK;
    for (size_t b = 0; st == OK && f->lowered > 0 && b < f->body_count; b++)
        if (f->trees[b].level != sim_level(f->sim, b))
            st = note_level(f, b, t, RULE_EVENT, -1, err);
    return st;
}

// What stands, and could as well be scenery, or the other way round.
static status change_standing(fidelity *f, size_t body, nanos t, error *err) {
    const tree *x = &f->trees[body];
    bool beyond = f->how.far == LEVEL_SCENERY && rest_is_inside(f, body) &&
                  near_is_clear(f, body, OUTSIDE + BEYOND);
    if (x->level == LEVEL_STANDING && beyond)
        return lower_tree(f, body, t, LEVEL_SCENERY, RULE_FAR, err);
    if (x->level == LEVEL_SCENERY && !beyond)
        return lower_tree(f, body, t, LEVEL_STANDING, RULE_REACHED, err);
    return OK;
}

// What the operations that run ask for; `near` where they ask for nothing.
static double near_now(const fidelity *f) {
    double most = -1;
    for (size_t i = 0; i < f->how.operation_count; i++) {
        const fidelity_operation *o = &f->how.operations[i];
        if (o->near > most && f->notes.runs(f->notes.running, o->name))
            most = o->near;
    }
    return most < 0 ? f->how.near : most;
}

status fidelity_cycle(fidelity *f, nanos t, nanos dt, error *err) {
    if (!f->how.bodies || f->how.medium == LEVEL_FULL)
        return OK;
    status st = follow_events(f, t, err);
    f->near = near_now(f);
    for (size_t b = 0; b < f->body_count; b++) {
        tree *x = &f->trees[b];
        x->wanted = f->how.medium;
        x->why = RULE_NONE;
        x->by = -1;
        x->carried = false;
        if (x->level != LEVEL_FULL)
            x->wake = false;
    }
    bool all = t >= f->raise_all_at;
    if (all)
        f->raise_all_at = t + nanos_from_seconds(f->how.every);
    near_signal(f, dt);
    rest_look(f);
    if (f->lowered > 0) {
        rest_signal_loaded(f, t);
        rest_signal_unsettled(f, all);
    }
    rest_signal_carried(f);
    for (size_t b = 0; st == OK && b < f->body_count; b++)
        if (f->trees[b].why != RULE_NONE)
            st = raise_tree(f, b, t, err);
    for (size_t b = 0; st == OK && b < f->body_count; b++)
        if (f->trees[b].level != LEVEL_FULL)
            st = change_standing(f, b, t, err);
        else if (may_lower(f, b, t))
            st = lower_tree(f, b, t, f->how.medium, RULE_LEFT, err);
    arena_reset(f->text);
    return st;
}

// What the robot touches all the same is raised at once.
static status raise_touched(fidelity *f, nanos t, error *err) {
    size_t count;
    status st = OK;
    const sim_contact *all = sim_contacts(f->sim, &count);
    for (size_t i = 0; st == OK && i < count; i++) {
        size_t b = all[i].a;
        if (b >= f->body_count || all[i].b < f->body_count || all[i].sleeping ||
            f->trees[b].level == LEVEL_FULL)
            continue;
        f->trees[b].why = RULE_NONE;
        tree_want(f, b, RULE_TOUCHED, (int64_t)all[i].b);
        st = raise_tree(f, b, t, err);
    }
    return st;
}

status fidelity_step(fidelity *f, nanos t, error *err) {
    size_t count;
    if (!f->how.bodies || f->how.medium == LEVEL_FULL)
        return OK;
    status st = sim_lowered_touched(f->sim) > 0 ? raise_touched(f, t, err) : OK;
    const size_t *awake = sim_awake(f->sim, &count);
    for (size_t i = count; st == OK && i-- > 0;) // the list shrinks by what is lowered
        if (may_lower(f, awake[i], t))
            st = lower_tree(f, awake[i], t, f->how.medium, RULE_LEFT, err);
    return st;
}

// ---- The robot ----------------------------------------------------------------------------------

static status put_parking(fidelity *f, nanos t, bool park, rule why, error *err) {
    record r = {.kind = RECORD_SWITCH, .id = sink_id(f->notes.log, RECORD_SWITCH)};
    r.SWITCH = (struct record_SWITCH){
        .object = f->notes.robot,
        .t_ns = t,
        .rule = rule_name(why),
        .bindings = "[]",
        .effect = arena_format(f->text, "level(%s, %s)", f->robot->name, park ? "parked" : "full"),
        .was = park ? "full" : "parked",
        .becomes = park ? "parked" : "full",
        .done = 1};
    status st = sink_put(f->notes.log, &r, err);
    record level = {.kind = RECORD_FIDELITY, .id = f->parked};
    if (park) {
        f->parked = level.id = sink_id(f->notes.log, RECORD_FIDELITY);
        level.FIDELITY = (struct record_FIDELITY){f->notes.robot, "parked", t, TIME_OPEN};
        return st == OK ? sink_put(f->notes.log, &level, err) : st;
    }
    f->parked = 0;
    level.FIDELITY.end_ns = t;
    return st == OK ? sink_end(f->notes.log, &level, err) : st;
}

status fidelity_park(fidelity *f, nanos t, bool *parked, nanos *until, error *err) {
    *parked = f->how.parked && sim_rests(f->sim, until);
    return *parked == (f->parked != 0)
               ? OK
               : put_parking(f, t, *parked, *parked ? RULE_IDLE : RULE_BUSY, err);
}

static status raise_everything(fidelity *f, nanos t, rule why, error *err) {
    status st = follow_events(f, t, err);
    if (st == OK && f->parked)
        st = put_parking(f, t, false, why, err);
    for (size_t b = 0; st == OK && b < f->body_count; b++) {
        f->trees[b] =
            (tree){.level = f->trees[b].level, .wanted = LEVEL_FULL, .why = why, .by = -1};
        st = raise_tree(f, b, t, err);
    }
    return st;
}

status fidelity_follow(fidelity *f, const world_model *w, nanos t, error *err) {
    status st = raise_everything(f, t, RULE_END, err);
    f->world = w;
    f->how = w->fidelity;
    return st;
}

status fidelity_finish(fidelity *f, nanos t, error *err) {
    return raise_everything(f, t, RULE_END, err);
}
