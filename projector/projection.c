// projector/projection.c - the loops of interpreter, world and senses, and what surrounds a run.
#include "projector/projection.h"

#include "projector/body.h"
#include "projector/ensemble/conductor.h"
#include "projector/fidelity/fidelity.h"
#include "projector/interp/interp.h"
#include "projector/meter.h"
#include "projector/recorder.h"
#include "projector/robot/planning/memory.h"
#include "projector/world/levels.h"

projection_options projection_options_default(void) {
    return (projection_options){.seed = 1,
                                .step = 2000000,
                                .cycle = 20000000,
                                .settle = 3 * NANOS_PER_SECOND,
                                .until = TIME_OPEN,
                                .turn_at = TIME_OPEN,
                                .tolerance = 1};
}

// Everything that takes part, in the order in which it is made.
typedef struct projection {
    const projection_options *options;
    world_model truth; // the models as they are now, whose arrays are borrowed
    robot_model machine;
    nanos turn_at;
    sink *log;
    sim *world;
    recorder *recorder;
    fidelity *fidelity;
    conductor *conductor; // steps the models of the world, `world` first
    bool passed;          // time has passed since what moves was last told to the recorder
    sense *senses;
    body *body;
    world_model *known; // what the mind may know of the world
    robot_model *self;  // what it may know of the robot
    int64_t *known_objects;
    belief *belief;
    mind mind;
    interp *interp;
    stopwatch rays, planning, checks, believing;
    meter meter; // with `profile`: what `log` is
    projection_result *result;
} projection;

// Time since *mark goes to *account, and the mark moves on; nothing is measured without `profile`.
static void charge_time(const projection *p, double *account, double *mark) {
    if (!p->options->profile)
        return;
    double now = seconds(clock_wall());
    *account += now - *mark;
    *mark = now;
}

static void projection_finish(projection *p) {
    interp_destroy(p->interp);
    robot_forget(&p->mind);
    belief_destroy(p->belief);
    free(p->known_objects);
    world_destroy(p->known);
    robot_destroy(p->self);
    body_destroy(p->body);
    sense_destroy(p->senses);
    fidelity_destroy(p->fidelity);
    conductor_destroy(p->conductor);
    recorder_destroy(p->recorder);
    sim_destroy(p->world);
}

static void open_senses(projection *p) {
    const world_model *w = &p->truth;
    const robot_model *r = &p->machine;
    const recorder_ids *ids = recorder_identities(p->recorder);
    int64_t *grippers = mem_must(2 * r->arm_count + 1, sizeof *grippers);
    int64_t *wrists = grippers + r->arm_count;
    for (size_t i = 0; i < r->arm_count; i++) {
        grippers[i] = ids->parts.hands[i].gripper;
        wrists[i] = ids->parts.hands[i].wrist;
    }
    sense_setup setup = {.world = w,
                         .robot = r,
                         .sim = p->world,
                         .log = p->log,
                         .agent = ids->agent,
                         .seed = p->options->seed,
                         .conditions = p->options->conditions,
                         .entity_objects = ids->entities,
                         .robot_object = ids->robot,
                         .camera_object = ids->parts.camera,
                         .laser_object = ids->parts.laser,
                         .tracker_object = ids->parts.tracker,
                         .gripper_objects = grippers,
                         .wrist_objects = wrists,
                         .cycle = p->options->cycle,
                         .rays = p->options->profile ? &p->rays : NULL};
    sense_create(&setup, &p->senses);
    free(grippers);
}

// The mind gets world and robot as the robot may know them, and the middleware: nothing else.
static status open_mind(projection *p, const plan *the_plan, const world_model *w,
                        const robot_model *r, error *err) {
    const recorder_ids *ids = recorder_identities(p->recorder);
    p->known = world_known(w);
    p->self = robot_known(p->options->believed ? p->options->believed : r);
    p->known_objects = mem_must(p->known->body_count + 1, sizeof *p->known_objects);
    for (size_t i = 0; i < p->known->body_count; i++)
        p->known_objects[i] =
            ids->entities[sim_entity_body((size_t)world_find_body(w, p->known->bodies[i].name))];
    status st =
        belief_create(p->known, p->self, p->log, ids->agent, p->known_objects, 0, &p->belief, err);
    if (st != OK)
        return st;
    belief_seed(p->belief, p->options->seed);
    belief_own_body(p->belief, ids->robot);
    p->mind = (mind){.known = p->known,
                     .robot = p->self,
                     .belief = p->belief,
                     .body = body_middleware(p->body),
                     .log = p->log,
                     .agent = ids->agent,
                     .seed = p->options->seed,
                     .cycle = p->options->cycle,
                     .planning = p->options->profile ? &p->planning : NULL,
                     .checks = p->options->profile ? &p->checks : NULL,
                     .believing = p->options->profile ? &p->believing : NULL,
                     .parts = &ids->parts,
                     .known_objects = p->known_objects};
    return interp_create(the_plan, &p->mind, 0, &p->interp, err);
}

static const char *name_entity(void *rec, size_t entity) {
    return recorder_name(rec, entity);
}

static status note_level(void *rec, size_t entity, nanos t, error *err) {
    return recorder_put_level(rec, entity, t, err);
}

static bool operation_runs(const void *self, const char *name) {
    return body_runs(((const projection *)self)->body, name);
}

static status answer_for_pose(void *to, size_t entity, const char *who, nanos t, error *err) {
    return recorder_put_answer(to, entity, who, t, err);
}

static status projection_open(projection *p, const plan *the_plan, error *err) {
    const world_model *w = &p->truth;
    const robot_model *r = &p->machine;
    sim_options so = sim_options_default();
    so.step = p->options->step;
    status st = conductor_create(w, so.step, p->options->seed, &p->conductor, err);
    if (st == OK)
        p->log = conductor_listen(p->conductor, p->log);
    if (st == OK)
        st = sim_create(w, r, &so, &p->world, err);
    if (st == OK)
        st = recorder_create(the_plan, w, r, p->world, p->log, p->options->tolerance,
                             p->options->conditions, &p->recorder, err);
    if (st != OK)
        return st;
    fidelity_notes notes = {p->log,
                            p->recorder,
                            recorder_identities(p->recorder)->robot,
                            recorder_identities(p->recorder)->entities,
                            name_entity,
                            note_level,
                            p,
                            operation_runs};
    fidelity_create(w, r, p->world, &notes, &p->fidelity);
    conductor_tell_poses(p->conductor, (conductor_poses){answer_for_pose, p->recorder});
    st = conductor_start(p->conductor, p->log, p->world, recorder_identities(p->recorder)->entities,
                         p->options->tolerance, err);
    if (st != OK)
        return st;
    open_senses(p);
    body_create(r, p->world, p->senses, p->log, recorder_identities(p->recorder), p->options->cycle,
                p->options->tolerance, &p->body);
    return open_mind(p, the_plan, w, r, err);
}

// Returns whether one of the robot's hands touches something other than itself.
static bool hand_in_contact(const projection *p) {
    size_t count;
    const sim_contact *c = sim_contacts(p->world, &count);
    size_t first = sim_entity_palm(p->world, 0);
    for (size_t i = 0; i < count; i++)
        if (c[i].b >= first && c[i].a < first)
            return true;
    return false;
}

static status run_interrupted(nanos t, error *err) {
    return error_set(err, E_INTERRUPTED, "interrupted at %.2f s", seconds(t));
}

// Time passes up to the next reading that is taken, `until` or `end`, and nothing moves.
static status pass_time(projection *p, nanos *t, nanos until, nanos end, error *err) {
    nanos step = p->options->step, due = sense_next_taken(p->senses);
    nanos next = due <= *t ? *t + step : due + (step - (due - *t) % step) % step;
    next = next < end ? next : end;
    nanos last = until == TIME_OPEN ? end : *t + (until - *t) / step * step;
    *t = next < last ? next : last > *t ? last : *t + step;
    sim_pass(p->world, *t);
    p->passed = true;
    return sense_step(p->senses, *t, err);
}

// What stood still for a while is told to the log where that ends.
static status end_passing(projection *p, nanos t, error *err) {
    if (!p->passed)
        return OK;
    p->passed = false;
    return recorder_step(p->recorder, t, p->options->step, err);
}

// Whether no steps need be made from t on: models beside the main one have steps of their own.
static status park(projection *p, nanos t, bool *parked, nanos *until, error *err) {
    return conductor_conducts(p->conductor) ? OK
                                            : fidelity_park(p->fidelity, t, parked, until, err);
}

// Steps the world from one cycle to the next.
static status step_world(projection *p, nanos *t, error *err) {
    const projection_options *o = p->options;
    projection_profile *profile = &p->result->profile;
    status st = OK;
    for (nanos end = *t + o->cycle; st == OK && *t < end;) {
        bool parked = false;
        nanos until = TIME_OPEN;
        if (o->stop && *o->stop)
            return run_interrupted(*t, err);
        double mark = o->profile ? seconds(clock_wall()) : 0, start = mark;
        st = park(p, *t, &parked, &until, err);
        if (st == OK && parked && until - *t >= o->step) {
            st = pass_time(p, t, until, end, err);
            continue;
        }
        if (st == OK)
            st = end_passing(p, *t, err);
        if (st != OK)
            return st;
        st = conductor_step(p->conductor, sim_model(p->world), *t, o->step, err);
        if (st != OK)
            return st;
        *t += o->step;
        p->result->steps++;
        charge_time(p, &profile->physics, &mark);
        st = recorder_step(p->recorder, *t, o->step, err);
        charge_time(p, &profile->logging, &mark);
        if (st == OK)
            st = fidelity_step(p->fidelity, *t, err);
        charge_time(p, &profile->managing, &mark);
        if (st == OK)
            st = sense_step(p->senses, *t, err);
        charge_time(p, &profile->sensing, &mark);
        if (o->profile && hand_in_contact(p)) {
            p->result->hand_steps++;
            p->result->hand_seconds += mark - start;
        }
    }
    return st;
}

// Where nothing moves, no task can and no reading comes, cycles that would change nothing are left
// out: time passes to the last cycle before something happens.
static status skip_cycles(projection *p, nanos *t, nanos stop_at, error *err) {
    nanos until = TIME_OPEN, cycle = p->options->cycle;
    bool parked = false;
    status st = park(p, *t, &parked, &until, err);
    if (st != OK || !parked)
        return st;
    const nanos ends[] = {until,
                          interp_idle_until(p->interp),
                          sense_next_taken(p->senses),
                          sense_next_delivered(p->senses),
                          p->turn_at,
                          stop_at};
    nanos next = TIME_OPEN;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        next = ends[i] < next ? ends[i] : next;
    if (next == TIME_OPEN || next <= *t + cycle)
        return OK;
    *t += (next - *t - 1) / cycle * cycle;
    sim_pass(p->world, *t);
    p->passed = true;
    return OK;
}

static status commit_records(projection *p, nanos t, error *err) {
    double mark = p->options->profile ? seconds(clock_wall()) : 0;
    status st = body_flush(p->body, err);
    if (st == OK)
        st = recorder_commit(p->recorder, t, err);
    charge_time(p, &p->result->profile.logging, &mark);
    return st;
}

// Asks what is otherwise from now on, and makes it so.
static status take_turn(projection *p, nanos t, error *err) {
    const projection_options *o = p->options;
    projection_turn turn = {.next = TIME_OPEN};
    status st = o->turn(o->turn_context, t, &turn, err);
    if (st != OK)
        return st;
    ASSERT(turn.next > t);
    p->turn_at = turn.next;
    if (turn.world || turn.robot) {
        world_model before = p->truth;
        p->truth = turn.world ? *turn.world : before;
        p->machine = turn.robot ? *turn.robot : p->machine;
        st = fidelity_follow(p->fidelity, &p->truth, t, err);
        if (st != OK)
            return st;
        st = sim_follow(p->world, &before, err);
        sense_follow(p->senses);
    }
    if (turn.reseed) {
        sense_reseed(p->senses, turn.seed);
        belief_seed(p->belief, turn.seed);
        p->mind.seed = turn.seed;
    }
    return st == OK && turn.conditions ? recorder_put_conditions(p->recorder, turn.conditions, err)
                                       : st;
}

static status run_loops(projection *p, nanos *t, error *err) {
    const projection_options *o = p->options;
    projection_result *result = p->result;
    nanos stop_at = o->until, next_commit = NANOS_PER_SECOND;
    double started = seconds(clock_wall());
    status st = sense_step(p->senses, 0, err);
    while (st == OK && *t < stop_at) {
        if (o->stop && *o->stop)
            return run_interrupted(*t, err);
        if (*t >= p->turn_at)
            st = take_turn(p, *t, err);
        if (st != OK)
            break;
        double mark = o->profile ? seconds(clock_wall()) : 0;
        st = fidelity_cycle(p->fidelity, *t, o->cycle, err);
        charge_time(p, &result->profile.managing, &mark);
        if (st != OK)
            break;
        body_set_time(p->body, *t);
        p->meter.side = METER_MIND;
        st = interp_cycle(p->interp, *t, err);
        p->meter.side = METER_WORLD;
        charge_time(p, &result->profile.interpretation, &mark);
        if (st == OK && !result->top_ended && interp_finished(p->interp, &result->top_done)) {
            result->top_ended = true;
            if (*t + o->settle <= o->until) {
                stop_at = *t + o->settle;
                result->complete = true;
            }
        }
        if (st == OK)
            st = skip_cycles(p, t, stop_at, err);
        if (st == OK)
            st = step_world(p, t, err);
        if (st == OK && *t >= next_commit) {
            next_commit = (*t / NANOS_PER_SECOND + 1) * NANOS_PER_SECOND;
            st = commit_records(p, *t, err);
            if (o->progress)
                o->progress(o->progress_context, *t,
                            seconds(*t) / (seconds(clock_wall()) - started + 1e-9));
        }
    }
    return st;
}

status projection_check(const world_model *w, const robot_model *r, error *err) {
    sim_options options = sim_options_default();
    sim *world = NULL;
    conductor *models = NULL;
    status st = body_check_operations(&w->fidelity, err);
    if (st == OK)
        st = conductor_create(w, options.step, 1, &models, err);
    if (st == OK)
        st = sim_create(w, r, &options, &world, err);
    sim_destroy(world);
    conductor_destroy(models);
    return st;
}

// Why an event of the world did not happen, as a sentence.
static const char *missed_event(const projection *p, size_t i, arena *a) {
    const world_model *w = &p->truth;
    const world_event *e = &w->events[i];
    const char *name = e->body >= 0 ? w->bodies[e->body].name : "";
    switch (sim_event_wait(p->world, i)) {
    case EVENT_HAPPENED:
        break;
    case EVENT_WAITS:
        return arena_format(a, "the event `%s` did not happen: it waited for `%s`", e->name,
                            e->when_text);
    case EVENT_LATER:
        return arena_format(a,
                            "the event `%s` did not happen: `%s` held, and the projection ended "
                            "within the %g s after that",
                            e->name, e->when_text, e->after);
    case EVENT_BARRED:
        return arena_format(
            a, "the event `%s` did not happen: `%s` held, and `%s` %s", e->name, e->when_text, name,
            e->kind == EVENT_ADD ? "had no room where it was to appear" : "was not there");
    }
    return NULL;
}

// Puts a note on each event of the world that did not happen, and tells who asked.
static status note_missed_events(projection *p, nanos t, error *err) {
    const projection_options *o = p->options;
    arena *a = arena_create();
    status st = OK;
    for (size_t i = 0; st == OK && i < p->truth.event_count; i++) {
        const char *text = missed_event(p, i, a);
        if (!text)
            continue;
        record r = {.kind = RECORD_NOTE, .id = sink_id(p->log, RECORD_NOTE)};
        r.NOTE = (struct record_NOTE){.t_ns = t, .text = text};
        st = sink_put(p->log, &r, err);
        if (o->note)
            o->note(o->note_context, text);
    }
    arena_destroy(a);
    return st;
}

// Takes down how long the records of the mind took.
static void note_records(projection *p) {
    projection_profile *f = &p->result->profile;
    f->belief = seconds(p->believing.spent);
    f->noting = p->meter.putting[METER_MIND];
    f->noting_share = meter_mind_share(&p->meter);
    f->writing = p->meter.committing * f->noting_share;
    f->mind_rows = p->meter.rows[METER_MIND];
    f->rows = f->mind_rows + p->meter.rows[METER_WORLD];
}

status projection_run(const plan *the_plan, const world_model *w, const robot_model *r, sink *log,
                      const projection_options *options, projection_result *result, error *err) {
    projection_options defaults = projection_options_default();
    *result = (projection_result){0};
    projection p = {.options = options ? options : &defaults,
                    .truth = *w,
                    .machine = *r,
                    .log = log,
                    .result = result};
    p.turn_at = p.options->turn_at;
    if (p.options->profile) {
        meter_begin(&p.meter, log);
        p.log = &p.meter.sink;
    }
    double started = seconds(clock_wall());
    nanos t = 0;
    status st = projection_open(&p, the_plan, err);
    if (st == OK) {
        st = run_loops(&p, &t, err);
        result->end = t;
        result->solver_messages = sim_message_count(p.world);
        if (st != OK)
            result->complete = false;
        if (st == OK || st == E_DIVERGED || st == E_INTERRUPTED) {
            // Records stay; a failure to write them outranks the status with which the loops ended.
            error late = {0};
            status end = end_passing(&p, t, &late);
            if (end == OK)
                end = sense_finish(p.senses, t, &late);
            if (end == OK)
                end = body_flush(p.body, &late);
            if (end == OK)
                end = conductor_finish(p.conductor, &late);
            if (end == OK)
                end = fidelity_finish(p.fidelity, t, &late);
            if (end == OK)
                end = note_missed_events(&p, t, &late);
            if (end == OK)
                end = recorder_finish(p.recorder, t, &late);
            if (end != OK) {
                st = end;
                if (err)
                    *err = late;
            }
        }
    }
    result->profile.rays = seconds(p.rays.spent);
    result->profile.planning = seconds(p.planning.spent);
    result->profile.checks = seconds(p.checks.spent);
    note_records(&p);
    result->wall_seconds = seconds(clock_wall()) - started;
    projection_finish(&p);
    return st;
}
