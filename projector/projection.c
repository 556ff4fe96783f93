// projector/projection.c - the loops of interpreter, world and senses, and what surrounds a run.
#include "projector/projection.h"

#include "base/math/rng.h"
#include "projector/agent.h"
#include "projector/belief/belief.h"
#include "projector/ensemble/conductor.h"
#include "projector/fidelity/fidelity.h"
#include "projector/margins.h"
#include "projector/meter.h"
#include "projector/relay.h"
#include "projector/replay.h"
#include "projector/talk.h"
#include "projector/teleoperation.h"
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
    conductor *conductor;     // steps the models of the world, `world` first
    bool passed;              // time has passed since what moves was last told to the recorder
    projection_inputs inputs; // of which the world is the truth at the start
    const projection_member *members;
    agent *agents; // one each; none where a recording is followed
    size_t agent_count;
    replay *replay;           // what the robot follows; NULL: its mind
    recorded_robot *stand_in; // for the robot whose arms follow a station; NULL: nothing is
    talk *talk;               // what they tell one another of things; NULL: nothing
    relay *relay;             // and of the steps of their plan; NULL: nothing
    teleoperation *coupled;   // arms that follow those of a station; NULL: none
    meter meter;              // with `profile`: what `log` is
    projection_result *result;
} projection;

// Whether a recording is followed in place of a plan.
static bool replays(const projection_inputs *in) {
    return in->recording && !in->coupled;
}

// Time since *mark goes to *account, and the mark moves on; nothing is measured without `profile`.
static void charge_time(const projection *p, double *account, double *mark) {
    if (!p->options->profile)
        return;
    double now = seconds(clock_wall());
    *account += now - *mark;
    *mark = now;
}

static void projection_finish(projection *p) {
    teleoperation_destroy(p->coupled);
    talk_destroy(p->talk);
    relay_destroy(p->relay);
    replay_destroy(p->replay);
    recorded_destroy(p->stand_in);
    for (size_t i = 0; i < p->agent_count; i++)
        agent_close(&p->agents[i]);
    free(p->agents);
    fidelity_destroy(p->fidelity);
    conductor_destroy(p->conductor);
    recorder_destroy(p->recorder);
    sim_destroy(p->world);
}

static const char *name_entity(void *rec, size_t entity) {
    return recorder_name(rec, entity);
}

static status note_level(void *rec, size_t entity, nanos t, error *err) {
    return recorder_put_level(rec, entity, t, err);
}

static bool operation_runs(const void *self, const char *name) {
    const projection *p = self;
    for (size_t i = 0; i < p->agent_count; i++)
        if (body_runs(p->agents[i].body, name))
            return true;
    return p->replay && replay_runs(p->replay, name);
}

static status answer_for_pose(void *to, size_t entity, const char *who, nanos t, error *err) {
    return recorder_put_answer(to, entity, who, t, err);
}

// Robots that are equal draw noise of their own.
static uint64_t seed_of(const projection *p, size_t i, uint64_t seed) {
    return p->inputs.count > 1 ? rng_key_make(seed, "robot", p->members[i].robot.name).hash : seed;
}

static status open_agent(projection *p, size_t i, error *err) {
    const projection_options *o = p->options;
    const fleet_member *m = sim_member(p->world, i);
    int64_t *robots = mem_must(p->agent_count, sizeof *robots);
    for (size_t k = 0; k < p->agent_count; k++)
        robots[k] = recorder_identities(p->recorder, k)->robot;
    agent_setup setup = {.plan = p->members[i].plan,
                         .world = &p->truth,
                         .robot = m->robot,
                         .name = p->agent_count > 1 ? m->name : NULL,
                         .follows = p->inputs.coupled && p->inputs.coupled->follower == i
                                        ? teleoperation_arms(&p->inputs)
                                        : 0,
                         .at = m->at,
                         .believed = p->members[i].believed,
                         .conditions = o->conditions,
                         .sim = p->world,
                         .log = p->log,
                         .ids = recorder_identities(p->recorder, i),
                         .robots = robots,
                         .seed = seed_of(p, i, o->seed),
                         .cycle = o->cycle,
                         .tolerance = o->tolerance,
                         .profile = o->profile};
    status st = agent_open(&p->agents[i], &setup, err);
    free(robots);
    return st;
}

static fleet_member *list_robots(const projection_inputs *in) {
    fleet_member *all = mem_must(in->count, sizeof *all);
    for (size_t i = 0; i < in->count; i++)
        all[i] = in->members[i].robot;
    return all;
}

static status open_world(projection *p, sim_options *so, error *err) {
    fleet_member *all = list_robots(&p->inputs);
    if (p->inputs.count == 1)
        all[0].robot = &p->machine; // whose values a turn may change
    status st = sim_create_fleet(&p->truth, all, p->inputs.count, so, &p->world, err);
    free(all);
    return st;
}

static status open_coupling(projection *p, error *err) {
    const plan_coupling *c = p->inputs.coupled;
    if (p->inputs.recording) {
        p->stand_in = recorded_create(p->inputs.recording, p->world, c->follower);
        body_deafen(p->agents[c->follower].body);
    }
    teleoperation_setup setup = {.in = &p->inputs,
                                 .agents = p->agents,
                                 .world = p->world,
                                 .leader = recorder_identities(p->recorder, c->leader),
                                 .follower = recorder_identities(p->recorder, c->follower),
                                 .log = p->log,
                                 .seed = p->options->seed,
                                 .step = p->options->step,
                                 .far = p->options->far,
                                 .recorded = p->stand_in};
    return teleoperation_create(&setup, &p->coupled, err);
}

static status projection_open(projection *p, error *err) {
    const world_model *w = &p->truth;
    sim_options so = sim_options_default();
    so.step = p->options->step;
    status st = conductor_create(w, so.step, p->options->seed, &p->conductor, err);
    if (st == OK)
        p->log = conductor_listen(p->conductor, p->log);
    if (p->replay)
        p->log = replay_listen(p->replay, p->log);
    if (st == OK)
        st = open_world(p, &so, err);
    if (st == OK)
        st = recorder_create(&p->inputs, w, p->world, p->log, p->options->tolerance,
                             p->options->conditions, &p->recorder, err);
    if (st != OK)
        return st;
    const recorder_ids *ids = recorder_identities(p->recorder, 0);
    fidelity_notes notes = {p->log,      p->recorder, ids->robot, ids->entities,
                            name_entity, note_level,  p,          operation_runs};
    fidelity_create(w, sim_robots(p->world), p->world, &notes, &p->fidelity);
    conductor_tell_poses(p->conductor, (conductor_poses){answer_for_pose, p->recorder});
    st = conductor_start(p->conductor, p->log, p->world, ids->entities, p->options->tolerance, err);
    if (p->replay)
        replay_begin(p->replay, p->world, ids);
    for (size_t i = 0; st == OK && i < p->agent_count; i++)
        st = open_agent(p, i, err);
    if (st == OK && p->inputs.share)
        p->talk = talk_create(&p->inputs, p->agents, p->log, p->options->seed);
    if (st == OK && p->agent_count > 0)
        p->relay = relay_create(&p->inputs, p->agents, p->options->seed);
    if (st == OK && p->agent_count > 0 && p->inputs.coupled)
        st = open_coupling(p, err);
    return st;
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

static status sense_all(projection *p, nanos t, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < p->agent_count; i++)
        st = sense_step(p->agents[i].senses, t, err);
    return st;
}

// When one of the robots takes its next reading.
static nanos next_taken(const projection *p) {
    nanos next = TIME_OPEN;
    for (size_t i = 0; i < p->agent_count; i++) {
        nanos own = sense_next_taken(p->agents[i].senses);
        next = own < next ? own : next;
    }
    return next;
}

static nanos idle_until(const projection *p) {
    nanos next = TIME_OPEN;
    for (size_t i = 0; i < p->agent_count; i++) {
        nanos own = agent_idle_until(&p->agents[i]);
        next = own < next ? own : next;
    }
    nanos told = talk_next(p->talk), relayed = relay_next(p->relay);
    next = relayed < next ? relayed : next;
    return told < next ? told : next;
}

// Puts a note, and tells who asked.
static status tell_note(projection *p, nanos t, const char *text, error *err) {
    const projection_options *o = p->options;
    status st = sink_note(p->log, t, text, err);
    if (o->note)
        o->note(o->note_context, text);
    return st;
}

// Where the recording ends that stands in for a robot, its arms follow no more, and log and asker
// are told.
static status end_stand_in(projection *p, nanos t, error *err) {
    agent *follower = &p->agents[p->inputs.coupled->follower];
    if (follower->mind.unlinked || !recorded_over(p->stand_in, t))
        return OK;
    follower->mind.unlinked = true;
    arena *a = arena_create();
    const char *text =
        arena_format(a,
                     "the recording `%s` ends at %.2f s, and the plan goes on: from then on %s "
                     "rests, and its arms follow no station",
                     p->inputs.recording->file, seconds(p->inputs.recording->end),
                     p->members[p->inputs.coupled->follower].robot.name);
    status st = tell_note(p, t, text, err);
    arena_destroy(a);
    return st;
}

// What is told in one cycle is heard in the next one, or later.
static status cycle_all(projection *p, nanos t, error *err) {
    status st = talk_deliver(p->talk, t, err);
    relay_deliver(p->relay, t);
    for (size_t i = 0; st == OK && i < p->agent_count; i++)
        st = agent_cycle(&p->agents[i], t, err);
    if (st == OK && p->replay)
        st = replay_cycle(p->replay, t, p->options->cycle, err);
    if (st == OK && p->stand_in) {
        recorded_stand_in(p->stand_in, t, p->options->cycle);
        st = end_stand_in(p, t, err);
    }
    relay_send(p->relay, t);
    return st == OK ? talk_send(p->talk, t, err) : st;
}

static status flush_all(projection *p, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < p->agent_count; i++)
        st = body_flush(p->agents[i].body, err);
    return st;
}

// Whether the top tasks have all ended by t, or the recording does; *done: and all of them as done.
static bool all_finished(const projection *p, nanos t, bool *done) {
    bool all = true;
    if (p->replay) {
        *done = p->inputs.recording->done;
        return replay_ends(p->replay, t, p->options->cycle);
    }
    for (size_t i = 0; i < p->agent_count; i++) {
        bool own = false;
        if (!interp_finished(p->agents[i].interp, &own))
            return false;
        all &= own;
    }
    *done = all;
    return true;
}

static status run_interrupted(nanos t, error *err) {
    return error_set(err, E_INTERRUPTED, "interrupted at %.2f s", seconds(t));
}

// Time passes up to the next reading that is taken, `until` or `end`, and nothing moves.
static status pass_time(projection *p, nanos *t, nanos until, nanos end, error *err) {
    nanos step = p->options->step, due = next_taken(p);
    nanos next = due <= *t ? *t + step : due + (step - (due - *t) % step) % step;
    next = next < end ? next : end;
    nanos last = until == TIME_OPEN ? end : *t + (until - *t) / step * step;
    *t = next < last ? next : last > *t ? last : *t + step;
    sim_pass(p->world, *t);
    p->passed = true;
    return sense_all(p, *t, err);
}

// What stood still for a while is told to the log where that ends.
static status end_passing(projection *p, nanos t, error *err) {
    if (!p->passed)
        return OK;
    p->passed = false;
    return recorder_step(p->recorder, t, p->options->step, err);
}

// Whether no steps need be made from t on: models beside the main one, and couplings, have steps of
// their own.
static status park(projection *p, nanos t, bool *parked, nanos *until, error *err) {
    return p->coupled || conductor_conducts(p->conductor)
               ? OK
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
        st = teleoperation_step(p->coupled, *t, err);
        if (st == OK)
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
            st = sense_all(p, *t, err);
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
    if (p->replay)
        return OK; // the recorded robot may move in any cycle
    status st = park(p, *t, &parked, &until, err);
    if (st != OK || !parked)
        return st;
    const nanos ends[] = {until, idle_until(p), p->turn_at, stop_at};
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
    status st = flush_all(p, err);
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
    ASSERT(turn.next > t && (!turn.robot || p->inputs.count == 1));
    p->turn_at = turn.next;
    if (turn.world || turn.robot) {
        world_model before = p->truth;
        p->truth = turn.world ? *turn.world : before;
        p->machine = turn.robot ? *turn.robot : p->machine;
        st = fidelity_follow(p->fidelity, &p->truth, t, err);
        if (st != OK)
            return st;
        st = sim_follow(p->world, &before, err);
        for (size_t i = 0; i < p->agent_count; i++)
            sense_follow(p->agents[i].senses);
    }
    if (turn.reseed)
        for (size_t i = 0; i < p->agent_count; i++)
            agent_reseed(&p->agents[i], seed_of(p, i, turn.seed));
    if (turn.reseed)
        talk_reseed(p->talk, turn.seed);
    relay_reseed(p->relay, turn.seed);
    if (turn.reseed)
        teleoperation_reseed(p->coupled, turn.seed);
    return st == OK && turn.conditions ? recorder_put_conditions(p->recorder, turn.conditions, err)
                                       : st;
}

static status run_loops(projection *p, nanos *t, error *err) {
    const projection_options *o = p->options;
    projection_result *result = p->result;
    nanos stop_at = o->until, next_commit = NANOS_PER_SECOND;
    nanos settle = p->replay ? 0 : o->settle; // which the recording has
    double started = seconds(clock_wall());
    status st = sense_all(p, 0, err);
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
        p->meter.side = METER_MIND;
        st = cycle_all(p, *t, err);
        p->meter.side = METER_WORLD;
        charge_time(p, &result->profile.interpretation, &mark);
        if (st == OK && !result->top_ended && all_finished(p, *t, &result->top_done)) {
            result->top_ended = true;
            if (*t + settle <= o->until) {
                stop_at = *t + settle;
                result->complete = !p->replay || p->inputs.recording->complete;
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

// What is known of the world has a frame in each robot's view, beside those of the robots.
static status check_frames(const projection_inputs *in, error *err) {
    for (size_t i = 0; i < in->world->body_count; i++) {
        const world_body *b = &in->world->bodies[i];
        for (size_t k = 0; b->known && k < in->count; k++) {
            const fleet_member *m = &in->members[k].robot;
            const char *frame = belief_frame_called(m->robot, m->name, b->name);
            if (frame)
                return error_at(err, E_INPUT, b->file ? b->file : "", b->line, b->column,
                                "no known body can be called `%s`: that is the frame of %s in the "
                                "view of %s; call the body otherwise",
                                b->name, frame, m->name ? m->name : "the robot");
        }
    }
    return OK;
}

status projection_check(const projection_inputs *in, error *err) {
    const world_model *w = in->world;
    sim_options options = sim_options_default();
    fleet_member *all = list_robots(in);
    sim *world = NULL;
    conductor *models = NULL;
    status st = body_check_operations(&w->fidelity, err);
    if (st == OK)
        st = check_frames(in, err);
    if (st == OK && in->recording)
        st = replay_check(in, err);
    if (st == OK)
        st = conductor_create(w, options.step, 1, &models, err);
    if (st == OK)
        st = sim_create_fleet(w, all, in->count, &options, &world, err);
    if (st == OK && !replays(in))
        st = margins_check(in, world, err);
    sim_destroy(world);
    conductor_destroy(models);
    free(all);
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
    arena *a = arena_create();
    status st = OK;
    for (size_t i = 0; st == OK && i < p->truth.event_count; i++) {
        const char *text = missed_event(p, i, a);
        if (text)
            st = tell_note(p, t, text, err);
    }
    arena_destroy(a);
    return st;
}

// Takes down how long the records of the mind took.
static void note_records(projection *p) {
    projection_profile *f = &p->result->profile;
    for (size_t i = 0; i < p->agent_count; i++) {
        const agent *a = &p->agents[i];
        f->rays += seconds(a->rays.spent);
        f->planning += seconds(a->planning.spent);
        f->checks += seconds(a->checks.spent);
        f->belief += seconds(a->believing.spent);
    }
    f->noting = p->meter.putting[METER_MIND];
    f->noting_share = meter_mind_share(&p->meter);
    f->writing = p->meter.committing * f->noting_share;
    f->mind_rows = p->meter.rows[METER_MIND];
    f->rows = f->mind_rows + p->meter.rows[METER_WORLD];
}

// Ends what the robots' senses have open, and tells the log of the last commands.
static status finish_all(projection *p, nanos t, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < p->agent_count; i++)
        st = sense_finish(p->agents[i].senses, t, err);
    if (st == OK && p->replay)
        st = replay_finish(p->replay, t, err);
    if (st == OK)
        st = teleoperation_finish(p->coupled, t, err);
    return st == OK ? flush_all(p, err) : st;
}

status projection_run(const plan *the_plan, const world_model *w, const robot_model *r, sink *log,
                      const projection_options *options, projection_result *result, error *err) {
    projection_member alone = {{.robot = r, .at = w->robot_at}, the_plan, NULL};
    projection_inputs in = {&alone, 1, w};
    return projection_run_several(&in, log, options, result, err);
}

status projection_run_several(const projection_inputs *in, sink *log,
                              const projection_options *options, projection_result *result,
                              error *err) {
    const size_t count = in->count;
    ASSERT(count > 0);
    projection_options defaults = projection_options_default();
    *result = (projection_result){0};
    projection p = {.options = options ? options : &defaults,
                    .truth = *in->world,
                    .machine = *in->members[0].robot.robot,
                    .inputs = *in,
                    .members = in->members,
                    .agents = mem_must(count, sizeof *p.agents),
                    .agent_count = replays(in) ? 0 : count,
                    .replay = replays(in) ? replay_create(in->recording) : NULL,
                    .log = log,
                    .result = result};
    p.turn_at = p.options->turn_at;
    if (p.options->profile) {
        meter_begin(&p.meter, log);
        p.log = &p.meter.sink;
    }
    double started = seconds(clock_wall());
    nanos t = 0;
    status st = projection_open(&p, err);
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
                end = finish_all(&p, t, &late);
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
    note_records(&p);
    result->wall_seconds = seconds(clock_wall()) - started;
    projection_finish(&p);
    return st;
}
