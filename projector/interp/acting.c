// projector/interp/acting.c - primitive actions as tasks, and the actuators that they claim.
#include "projector/interp/interp_int.h"

static bool plan_is_wrong(status s) {
    return s == E_INPUT || s == E_INFEASIBLE || s == E_LIMIT || s == E_USAGE;
}

// ---- Claims
// --------------------------------------------------------------------------------------

bool frame_below(const frame *f, const frame *above) {
    for (; f; f = f->parent) {
        if (f == above)
            return true;
    }
    return false;
}

// What a task above holds its own tasks may use; and who waits for just that does not hold them up.
static bool waits_for_above(const interp *i, const claim *c, const frame *f) {
    for (size_t k = 0; k < i->claims.count; k++) {
        const claim *h = &i->claims.items[k];
        if (h->granted && (h->uses & c->uses) && h->by != f && frame_below(f, h->by))
            return true;
    }
    return false;
}

// Whether the claim `earlier` keeps the claim `c` waiting.
static bool blocks(const interp *i, const claim *earlier, const claim *c) {
    if (!(earlier->uses & c->uses) || frame_below(c->by, earlier->by) ||
        frame_below(earlier->by, c->by))
        return false;
    return earlier->granted || !waits_for_above(i, earlier, c->by);
}

static bool can_be_granted(const interp *i, size_t k) {
    for (size_t j = 0; j < k; j++) {
        if (blocks(i, &i->claims.items[j], &i->claims.items[k]))
            return false;
    }
    return true;
}

// Whether claim `from` waits for the claim `to`, directly or by way of others. A task that holds an
// actuator for its body waits for whatever a task of its body waits for.
static bool waits_for(const interp *i, size_t from, size_t to, bool *seen) {
    if (seen[from])
        return false;
    seen[from] = true;
    for (size_t j = 0; j < from; j++) {
        const claim *c = &i->claims.items[j];
        if (!blocks(i, c, &i->claims.items[from]))
            continue;
        if (!c->granted) {
            if (j == to || waits_for(i, j, to, seen))
                return true;
            continue;
        }
        for (size_t k = 0; k < i->claims.count; k++) {
            const claim *w = &i->claims.items[k];
            if (w->granted || w->by == c->by || !frame_below(w->by, c->by))
                continue;
            if (k == to || waits_for(i, k, to, seen))
                return true;
        }
    }
    return false;
}

bool claim_is_granted(const interp *i, const frame *f) {
    for (size_t k = 0; k < i->claims.count; k++) {
        if (i->claims.items[k].by == f)
            return i->claims.items[k].granted;
    }
    return true;
}

bool claim_make(interp *i, frame *f, unsigned uses) {
    if (uses == 0)
        return true;
    array_push(&i->claims, (claim){.by = f, .uses = uses, .since = i->now});
    size_t k = i->claims.count - 1;
    i->claims.items[k].granted = can_be_granted(i, k);
    if (i->claims.items[k].granted)
        return true;
    f->waits = true;
    if (f->state == TASK_ACTIVE)
        task_note_status(i, f, TASK_SUSPENDED);
    bool *seen = arena_alloc(i->scratch, i->claims.count * sizeof *seen);
    if (waits_for(i, k, k, seen))
        task_fail(i, f, "resource_deadlock",
                  "the actuators that it needs are held by tasks that wait for it in turn", NULL);
    return false;
}

void claim_release(interp *i, frame *f) {
    size_t kept = 0;
    for (size_t k = 0; k < i->claims.count; k++) {
        if (i->claims.items[k].by != f)
            i->claims.items[kept++] = i->claims.items[k];
    }
    bool released = kept < i->claims.count;
    i->claims.count = kept;
    for (size_t k = 0; released && k < i->claims.count; k++) {
        claim *c = &i->claims.items[k];
        if (!c->granted && can_be_granted(i, k)) {
            c->granted = true;
            interp_ready(i, c->by);
        }
    }
}

// First come, first served: who waits for long waits for a task that does not end.
void claims_note_starved(interp *i) {
    if (i->now < i->starved_check)
        return;
    i->starved_check = i->now + NANOS_PER_SECOND;
    for (size_t k = 0; k < i->claims.count; k++) {
        claim *c = &i->claims.items[k];
        if (c->granted || c->starved || i->now - c->since < STARVED_AFTER * NANOS_PER_SECOND)
            continue;
        size_t j = 0;
        while (j < k && !blocks(i, &i->claims.items[j], c))
            j++;
        if (j == k)
            continue;
        c->starved = true;
        record r = {.kind = RECORD_NOTE, .id = sink_id(i->log, RECORD_NOTE)};
        r.NOTE.task = c->by->id;
        r.NOTE.t_ns = i->now;
        r.NOTE.text = arena_format(i->scratch, "starves: has waited %d s for actuators of %s",
                                   STARVED_AFTER, i->claims.items[j].by->dynamic);
        interp_put(i, &r);
    }
}

// ---- Actions
// -------------------------------------------------------------------------------------

const term *acting_argument(interp *i, int64_t task, const char *name, const char *key,
                            const term *value) {
    if (strcmp(name, "detect") == 0 && strcmp(key, "region") == 0)
        return designator_region(i, task, value);
    if (strcmp(name, "navigate") == 0 && strcmp(key, "to") == 0)
        value = designator_place(i, task, value);
    return designator_resolve(i, task, value);
}

const char *acting_describe(interp *i, frame *f, const frame *scope) {
    const plan_node *n = f->node;
    arena *a = i->scratch;
    f->given = arena_alloc(f->memory, (n->binding_count + 1) * sizeof *f->given);
    const term **parts = arena_alloc(a, (n->binding_count + 1) * sizeof *parts);
    for (size_t k = 0; k < n->binding_count; k++) {
        const plan_binding *b = &n->bindings[k];
        const term *value;
        if (!eval_term(i, scope, f->id, b->value, &value)) {
            if (!f->trouble)
                f->trouble = arena_strdup(f->memory, i->reason);
            value = eval_fill(i, scope, b->value);
        }
        parts[k] = term_compound(a, b->name, 1, &value);
        const term *meant = acting_argument(i, f->id, n->name, b->name, value);
        if (!meant && !f->trouble)
            f->trouble = arena_strdup(f->memory, i->reason);
        f->given[f->given_count++] =
            (action_argument){b->name, term_copy(f->memory, meant ? meant : value)};
    }
    return term_text(a, term_compound(a, n->name, (uint32_t)n->binding_count, parts));
}

// The step's own action, or what its description stands for.
static const char *action_of(const frame *f) {
    return f->doing ? f->doing : f->node->name;
}

// A plan's mistake fails the task, anything else ends the cycle. True: all is well.
static bool accept(interp *i, frame *f, status s, const error *err) {
    if (s == OK)
        return true;
    if (plan_is_wrong(s)) {
        task_fail(i, f, "designator_reference_failure", err->text, NULL);
        return false;
    }
    i->err = *err;
    interp_check(i, s);
    return false;
}

// An action that nothing but time can end is not stepped until then.
static void sleep_until_due(interp *i, frame *f) {
    nanos wakes = f->action ? action_wakes(f->action) : 0;
    if (wakes <= i->now)
        return;
    if (f->node->seconds > 0) {
        nanos most = f->began + nanos_from_seconds(f->node->seconds);
        wakes = wakes < most ? wakes : most;
    }
    chain_remove(&i->acting, f);
    interp_wake(i, f, wakes);
}

static void begin(interp *i, frame *f) {
    error err = {0};
    status s = action_begin(i->mind, action_of(f), f->given, f->given_count, f->id, f->path, i->now,
                            &f->action, &err);
    if (!accept(i, f, s, &err)) {
        f->action = NULL;
        return;
    }
    f->began = i->now;
    chain_insert(&i->acting, f);
    acting_run(i, f);
    sleep_until_due(i, f);
}

void acting_step(interp *i, frame *f) {
    if (f->action)
        return;
    if (f->waits) {
        if (!claim_is_granted(i, f))
            return;
        f->waits = false;
        task_note_status(i, f, TASK_ACTIVE);
        begin(i, f);
        return;
    }
    error err = {0};
    status s = action_uses(i->mind, action_of(f), f->given, f->given_count, &f->uses, &err);
    if (accept(i, f, s, &err) && claim_make(i, f, f->uses))
        begin(i, f);
}

static void drop_action(interp *i, frame *f) {
    action_free(f->action);
    f->action = NULL;
    chain_remove(&i->acting, f);
    interp_sleep_no_more(i, f);
}

void acting_run(interp *i, frame *f) {
    action_state state = ACTION_RUNNING;
    action_failure why = {0};
    const term *result = NULL;
    interp_check(i, action_step(f->action, i->scratch, i->now, &state, &result, &why, &i->err));
    if (i->failed != OK)
        return;
    if (state == ACTION_DONE) {
        drop_action(i, f);
        step_finish_with(i, f, result);
    } else if (state == ACTION_FAILED) {
        drop_action(i, f);
        task_fail(i, f, why.class, why.reason, why.blocker);
    } else {
        // The action keeps its own deadline; the plan's is the shorter one, where it gives one.
        double most = f->node->seconds;
        if (most == 0 || i->now - f->began < nanos_from_seconds(most))
            return;
        char reason[96];
        snprintf(reason, sizeof reason, "%.40s was not done within %g s", action_of(f), most);
        task_fail(i, f, "action_timed_out", reason, NULL);
    }
}

void acting_stop(interp *i, frame *f) {
    if (f->action) {
        interp_check(i, action_cancel(f->action, i->now, &i->err));
        drop_action(i, f);
    }
    f->waits = false;
    claim_release(i, f);
}

// ---- Using
// ---------------------------------------------------------------------------------------

// The bits of base, torso, head, camera, laser, and of an arm with its gripper. False: no such
// actuator.
static bool actuator_bits(const interp *i, const term *t, unsigned *out) {
    static const struct {
        const char *name;
        unsigned bits;
    } known[] = {{"base", USE_BASE},
                 {"torso", USE_TORSO},
                 {"head", USE_HEAD},
                 {"camera", USE_CAMERA},
                 {"laser", USE_LASER}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (term_is_symbol(t, known[k].name)) {
            *out |= known[k].bits;
            return true;
        }
    }
    const robot_model *r = i->mind->robot;
    for (size_t k = 0; k < r->arm_count; k++) {
        if (term_is_symbol(t, r->arms[k].name) || term_is_symbol(t, r->arms[k].gripper.name)) {
            *out |= use_arm(k) | use_gripper(k);
            return true;
        }
    }
    return false;
}

static bool using_bits(interp *i, frame *f, unsigned *out) {
    const term *list;
    *out = 0;
    if (!eval_term(i, f, f->id, f->node->value, &list) ||
        !(list = designator_resolve(i, f->id, list)))
        return false;
    if (term_list_length(list) < 0)
        list = term_list(i->scratch, &list, 1, NULL);
    for (; term_is(list, "[|]", 2); list = list->args[1]) {
        if (actuator_bits(i, list->args[0], out))
            continue;
        char text[100];
        term_format(list->args[0], text, sizeof text);
        snprintf(i->reason, sizeof i->reason, "the robot has no actuator %s", text);
        return false;
    }
    return true;
}

void using_step(interp *i, frame *f) {
    frame *c = task_next_ended(f);
    if (c) {
        if (c->outcome == TASK_DONE)
            step_finish_with(i, f, c->result);
        else
            step_pass_on(i, f, c);
        return;
    }
    if (f->at > 0)
        return;
    if (f->waits) {
        if (!claim_is_granted(i, f))
            return;
        f->waits = false;
        task_note_status(i, f, TASK_ACTIVE);
    } else {
        if (!using_bits(i, f, &f->uses)) {
            step_fail_evaluation(i, f);
            return;
        }
        if (!claim_make(i, f, f->uses))
            return;
    }
    f->at = 1;
    task_start(i, f, f->node->children[0], 0, 1);
}
