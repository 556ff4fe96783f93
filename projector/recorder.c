// projector/recorder.c - what truly happens in the world, as records.
#include "projector/recorder_int.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "schema/motion/keyframe.h"

enum { LEARN_STEPS = 50 };                    // between two looks at who needs how many keys
static const nanos CONTACT_GAP = 50000000;    // a contact closes after this long without
static const nanos IMPULSE_WINDOW = 50000000; // over which its first impulse is summed
static const double IMPULSE_AT_ONCE = 0.02;   // N s in one step: certain in its first step
static const double FORCE_SHARE = 0.1; // of the lighter body's weight, or of the force: a change
// Of furniture's joints, which follow no chain: rad or m, and per second.
static const double JOINT_TOLERANCE = 1e-4, JOINT_SPEED = 2e-3;
// Particles are many, and none of them matters much: their keys are this much coarser.
static const double PARTICLE_COARSER = 10;

// Fingers hang on palms, and palms on the chain of base and joints: their errors add up, and all of
// them together are to stay within the tolerance.
static const double HAND_SHARE = 0.1, CHAIN_SHARE = 0.8;

// ---- Motion -------------------------------------------------------------------------------------

static status put_pose(recorder *rec, size_t entity, const keyframe_pose_key *key, error *err) {
    record r = {.kind = RECORD_POSE, .id = sink_id(rec->log, RECORD_POSE)};
    const pose *p = &key->pose;
    r.POSE = (struct record_POSE){rec->entities[entity],
                                  key->t,
                                  p->p.x,
                                  p->p.y,
                                  p->p.z,
                                  p->q.w,
                                  p->q.x,
                                  p->q.y,
                                  p->q.z,
                                  key->bow.x,
                                  key->bow.y,
                                  key->bow.z,
                                  key->bow_turn.x,
                                  key->bow_turn.y,
                                  key->bow_turn.z};
    return sink_put(rec->log, &r, err);
}

static status put_relative(recorder *rec, size_t entity, const keyframe_pose_key *key, error *err) {
    record r = {.kind = RECORD_RELATIVE_POSE, .id = sink_id(rec->log, RECORD_RELATIVE_POSE)};
    const pose *p = &key->pose;
    r.RELATIVE_POSE = (struct record_RELATIVE_POSE){
        rec->entities[entity], key->t, p->p.x, p->p.y, p->p.z, p->q.w, p->q.x, p->q.y, p->q.z};
    return sink_put(rec->log, &r, err);
}

static status put_joint(recorder *rec, int64_t object, const keyframe_value_key *key, error *err) {
    record r = {.kind = RECORD_JOINT_STATE, .id = sink_id(rec->log, RECORD_JOINT_STATE)};
    r.JOINT_STATE = (struct record_JOINT_STATE){object, key->t, key->value, key->bow};
    return sink_put(rec->log, &r, err);
}

static int64_t robot_joint_object(const recorder *rec, size_t joint) {
    return rec->parts.joints[joint];
}

static void apply_shares(recorder *rec, const recorder_machine *m) {
    double lever;
    keyframe_width width = shares_base(m->shares, &lever);
    keyframe_pose_allow(&rec->poses[sim_entity_link(rec->sim, m->own.link)], width, lever);
    for (size_t i = 0; i < m->robot->joint_count; i++)
        keyframe_value_allow(&rec->joints[m->own.joint + i], shares_joint(m->shares, i));
}

static void divide_tolerance(recorder *rec) {
    bool learn = ++rec->steps == LEARN_STEPS;
    for (size_t i = 0; i < rec->machine_count; i++) {
        recorder_machine *m = &rec->machines[i];
        if (learn) {
            shares_learn(m->shares, m->base_keys, rec->joint_keys + m->own.joint);
            m->base_keys = 0;
        }
        if (shares_follow(m->shares, sim_joint_positions(rec->sim) + m->own.joint))
            apply_shares(rec, m);
    }
    if (learn) {
        rec->steps = 0;
        memset(rec->joint_keys, 0, rec->robot->joint_count * sizeof *rec->joint_keys);
    }
}

static void count_base_key(recorder *rec, size_t entity) {
    for (size_t i = 0; i < rec->machine_count; i++)
        rec->machines[i].base_keys +=
            entity == sim_entity_link(rec->sim, rec->machines[i].own.link);
}

static status record_body(recorder *rec, size_t entity, nanos t, error *err) {
    keyframe_pose *k = &rec->poses[entity];
    keyframe_pose_key key;
    status st = OK;
    bool asleep = sim_asleep(rec->sim, entity);
    if (asleep && rec->resting[entity])
        return OK;
    if (rec->resting[entity] && keyframe_pose_rest(k, rec->last, &key)) // until the step before
        st = put_pose(rec, entity, &key, err);
    rec->resting[entity] = asleep;
    pose p = sim_pose(rec->sim, entity);
    if (st == OK && keyframe_pose_feed(k, t, &p, &key)) {
        count_base_key(rec, entity);
        st = put_pose(rec, entity, &key, err);
    }
    return st;
}

static status record_all(recorder *rec, error *err) {
    status st = OK;
    size_t bodies = rec->world->body_count;
    for (size_t i = 0; st == OK && i < rec->keyed_count; i++) {
        size_t e = rec->keyed[i];
        if (!rec->present[e])
            continue;
        st = record_body(rec, e, 0, err);
        if (e < bodies && !rec->resting[e] && !rec->world->bodies[e].particle)
            rec->lively[rec->lively_count++] = e;
    }
    return st;
}

// The bodies that are stepped, and those that no longer are but have not been fed since.
static status record_lively(recorder *rec, nanos t, error *err) {
    size_t awake_count, kept = 0, i = 0, k = 0, bodies = rec->world->body_count;
    const size_t *awake = sim_awake(rec->sim, &awake_count);
    size_t *next = rec->scratch;
    status st = OK;
    while (st == OK && (i < awake_count || k < rec->lively_count)) {
        bool first = k == rec->lively_count || (i < awake_count && awake[i] <= rec->lively[k]);
        bool both = first && k < rec->lively_count && awake[i] == rec->lively[k];
        size_t e = first ? awake[i] : rec->lively[k];
        i += first;
        k += !first || both;
        if (!rec->present[e])
            continue;
        st = record_body(rec, e, t, err);
        if (st == OK && first)
            st = recorder_follow_solver(rec, e, t, err);
        if (!rec->resting[e])
            next[kept++] = e;
    }
    rec->scratch = rec->lively;
    rec->lively = next;
    rec->lively_count = kept;
    for (size_t n = 0; st == OK && n < rec->particle_count; n++)
        if (rec->present[rec->particles[n]])
            st = record_body(rec, rec->particles[n], t, err);
    for (size_t n = rec->keyed_count; st == OK && n-- > 0 && rec->keyed[n] >= bodies;)
        st = record_body(rec, rec->keyed[n], t, err);
    return st;
}

static size_t hand_part(const recorder *rec, size_t arm, int part) {
    return part == 0 ? sim_entity_palm(rec->sim, arm) : sim_entity_finger(rec->sim, arm, part);
}

// The palm in the frame of the flange that carries it, the fingers in the palm's.
static status record_hands(recorder *rec, nanos t, error *err) {
    status st = OK;
    for (size_t arm = 0; arm < rec->robot->arm_count; arm++) {
        bool unmoved = sim_hand_unmoved(rec->sim, arm);
        pose parent = POSE_IDENTITY;
        if (!unmoved)
            parent = sim_pose(rec->sim, sim_entity_link(rec->sim, rec->robot->arms[arm].flange));
        for (int part = 0; st == OK && part < 3; part++) {
            size_t entity = hand_part(rec, arm, part);
            keyframe_pose *k = &rec->hands[3 * arm + (size_t)part];
            keyframe_pose_key key;
            bool ends;
            if (unmoved) {
                ends = keyframe_pose_rest(k, t, &key);
            } else {
                pose own = sim_pose(rec->sim, entity);
                pose relative = pose_mul(pose_inverse(parent), own);
                ends = keyframe_pose_feed(k, t, &relative, &key);
                if (part == 0)
                    parent = own;
            }
            if (ends)
                st = put_relative(rec, entity, &key, err);
        }
    }
    return st;
}

static status record_motion(recorder *rec, nanos t, error *err) {
    status st = OK;
    divide_tolerance(rec);
    st = t == 0 ? record_all(rec, err) : record_lively(rec, t, err);
    if (st == OK)
        st = record_hands(rec, t, err);
    const double *q = sim_joint_positions(rec->sim);
    for (size_t i = 0; st == OK && i < rec->robot->joint_count; i++) {
        keyframe_value_key key;
        if (keyframe_value_feed(&rec->joints[i], t, q[i], &key)) {
            rec->joint_keys[i]++;
            st = put_joint(rec, robot_joint_object(rec, i), &key, err);
        }
    }
    for (size_t i = 0; st == OK && i < rec->world->joint_count; i++) {
        keyframe_value_key key;
        if (keyframe_value_feed(&rec->furniture[i], t, sim_world_joint(rec->sim, i), &key))
            st = put_joint(rec, rec->joint_objects[i], &key, err);
    }
    rec->last = t;
    return st;
}

// ---- Events -------------------------------------------------------------------------------------

// How far from its origin something hangs on a body: a region.
static double lever_of(const recorder *rec, size_t entity) {
    double lever = 0;
    for (size_t i = 0; i < rec->world->region_count; i++)
        if (sim_entity_body(rec->world->regions[i].body) == entity)
            lever = fmax(lever, v3_length(rec->world->regions[i].at.p));
    return lever;
}

// Particles are too many for ways that bow.
static void begin_poses(recorder *rec, size_t entity) {
    keyframe_pose *k = &rec->poses[entity];
    bool particle = entity < rec->world->body_count && rec->world->bodies[entity].particle;
    keyframe_tolerance own = rec->tolerances[particle];
    if (particle)
        keyframe_pose_init(k, own);
    else
        keyframe_pose_init_bowed(k, own);
    keyframe_pose_allow(k, keyframe_width_of(own), lever_of(rec, entity));
}

// A body's poses begin where it appears and end with a key where it was last.
static status follow_presence(recorder *rec, nanos t, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < rec->world->body_count; i++) {
        bool now = sim_present(rec->sim, i);
        if (now == rec->present[i])
            continue;
        rec->present[i] = now;
        keyframe_pose_key key;
        if (now) {
            begin_poses(rec, i);
            rec->resting[i] = rec->heaped[i] = false;
            st = recorder_put_presence(rec, i, t, err);
            if (st == OK)
                st = record_body(rec, i, t, err);
        } else {
            if (keyframe_pose_flush(&rec->poses[i], &key))
                st = put_pose(rec, i, &key, err);
            if (st == OK)
                st = recorder_end_presence(rec, i, t, err);
        }
    }
    return st;
}

static status record_events(recorder *rec, nanos t, error *err) {
    status st = OK;
    size_t count;
    const size_t *events = sim_events(rec->sim, &count);
    for (size_t i = 0; st == OK && i < count; i++) {
        const world_event *e = &rec->world->events[events[i]];
        if (e->kind == EVENT_ADD || e->kind == EVENT_REMOVE)
            st = follow_presence(rec, t, err);
        int64_t body = e->body >= 0             ? e->body
                       : e->kind == EVENT_JOINT ? (int64_t)rec->world->joints[e->joint].body
                                                : -1;
        record r = {.kind = RECORD_EXOGENOUS, .id = sink_id(rec->log, RECORD_EXOGENOUS)};
        r.EXOGENOUS = (struct record_EXOGENOUS){
            .t_ns = t,
            .term = e->term ? e->term : e->name,
            .object = body >= 0 ? rec->entities[sim_entity_body((size_t)body)] : 0};
        if (st == OK)
            st = sink_put(rec->log, &r, err);
    }
    return st;
}

// ---- Contacts -----------------------------------------------------------------------------------

static vec3 mean_force(const touch *c) {
    vec3 sum = v3(0, 0, 0);
    int n = c->window_count < FORCE_WINDOW ? c->window_count : FORCE_WINDOW;
    for (int i = 0; i < n; i++)
        sum = v3_add(sum, c->window[i]);
    return n ? v3_scale(sum, 1.0 / n) : sum;
}

static status put_force(recorder *rec, touch *c, nanos t, vec3 force, error *err) {
    c->logged_force = force;
    c->logged_normal = c->normal;
    record r = {.kind = RECORD_CONTACT_FORCE, .id = sink_id(rec->log, RECORD_CONTACT_FORCE)};
    r.CONTACT_FORCE = (struct record_CONTACT_FORCE){c->row,  t,           force.x,     force.y,
                                                    force.z, c->normal.x, c->normal.y, c->normal.z};
    return sink_put(rec->log, &r, err);
}

static status open_contact(recorder *rec, touch *c, error *err) {
    c->row = sink_id(rec->log, RECORD_CONTACT);
    record r = {.kind = RECORD_CONTACT, .id = c->row};
    r.CONTACT = (struct record_CONTACT){.a = rec->entities[c->a],
                                        .b = rec->entities[c->b],
                                        .start_ns = c->start,
                                        .end_ns = TIME_OPEN,
                                        .approach = c->approach,
                                        .impulse = c->impulse,
                                        .peak_force = c->peak,
                                        .x = c->point.x,
                                        .y = c->point.y,
                                        .z = c->point.z};
    status st = sink_put(rec->log, &r, err);
    return st == OK ? put_force(rec, c, c->start, mean_force(c), err) : st;
}

// `end` TIME_OPEN: the contact lasts; impulse and peak become known all the same.
static status close_contact(recorder *rec, touch *c, nanos end, error *err) {
    record r = {.kind = RECORD_CONTACT, .id = c->row};
    r.CONTACT.end_ns = end;
    r.CONTACT.impulse = c->impulse;
    r.CONTACT.peak_force = c->peak;
    return sink_end(rec->log, &r, err);
}

static bool same_vector(vec3 a, vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static status touch_seen(recorder *rec, touch *c, const sim_contact *now, nanos t, nanos dt,
                         error *err) {
    if (now->sleeping && c->still == FORCE_WINDOW && c->row && t - c->start >= IMPULSE_WINDOW) {
        c->last = t;
        return OK;
    }
    bool same =
        c->steps > 0 && same_vector(now->normal, c->normal) &&
        same_vector(now->force, c->window[(c->window_count + FORCE_WINDOW - 1) % FORCE_WINDOW]);
    c->still = same ? c->still + (c->still < FORCE_WINDOW) : 0;
    c->last = t;
    if (c->still == FORCE_WINDOW && c->row && t - c->start >= IMPULSE_WINDOW)
        return OK; // the mean has been this force, and known, for a while
    c->steps++;
    c->normal = now->normal;
    c->window[c->window_count++ % FORCE_WINDOW] = now->force;
    if (c->window_count == 2 * FORCE_WINDOW)
        c->window_count = FORCE_WINDOW; // the place in the ring stays the same
    if (t - c->start < IMPULSE_WINDOW)
        c->impulse += v3_length(now->force) * seconds(dt);
    vec3 force = mean_force(c);
    c->peak = fmax(c->peak, v3_length(force));
    if (!c->row)
        return c->steps >= 2 || v3_length(now->force) * seconds(dt) >= IMPULSE_AT_ONCE
                   ? open_contact(rec, c, err)
                   : OK;
    double change = v3_distance(force, c->logged_force);
    if (change > fmax(c->least_change, FORCE_SHARE * v3_length(c->logged_force)) ||
        v3_dot(c->normal, c->logged_normal) < 0.99)
        return put_force(rec, c, t, force, err);
    return OK;
}

static touch touch_begin(const recorder *rec, const sim_contact *now, nanos t) {
    double weight = fmin(rec->weights[now->a], rec->weights[now->b]);
    return (touch){.a = now->a,
                   .b = now->b,
                   .start = t,
                   .last = t,
                   .approach = now->approach,
                   .point = now->point,
                   .normal = now->normal,
                   .least_change = FORCE_SHARE * (isfinite(weight) ? weight : 10)};
}

static int pair_order(size_t a1, size_t b1, size_t a2, size_t b2) {
    if (a1 != a2)
        return a1 < a2 ? -1 : 1;
    return b1 < b2 ? -1 : b1 > b2;
}

// Returns whether a contact that was not seen at t is still counted as one.
static bool touch_lasts(const touch *c, nanos t) {
    return c->row && t - c->last <= CONTACT_GAP;
}

// Returns whether no contact begins or ends at t: the list stays as it is but for what its contacts
// hold.
static bool same_touches(const recorder *rec, const sim_contact *now, size_t now_count, nanos t) {
    size_t k = 0;
    for (size_t i = 0; i < rec->touches.count; i++) {
        const touch *c = &rec->touches.items[i];
        if (k < now_count && now[k].a == c->a && now[k].b == c->b)
            k++;
        else if (!touch_lasts(c, t))
            return false;
    }
    return k == now_count;
}

static status update_touches(recorder *rec, const sim_contact *now, size_t now_count, nanos t,
                             nanos dt, error *err) {
    status st = OK;
    size_t k = 0;
    for (size_t i = 0; st == OK && i < rec->touches.count; i++) {
        touch *c = &rec->touches.items[i];
        if (k < now_count && now[k].a == c->a && now[k].b == c->b)
            st = touch_seen(rec, c, &now[k++], t, dt, err);
    }
    return st;
}

// One pass over two lists sorted alike: what was touching, and what touches now.
static status merge_touches(recorder *rec, const sim_contact *now, size_t now_count, nanos t,
                            nanos dt, error *err) {
    status st = OK;
    rec->merged.count = 0;
    size_t i = 0, k = 0;
    while (st == OK && (i < rec->touches.count || k < now_count)) {
        int order = i == rec->touches.count ? 1
                    : k == now_count        ? -1
                                     : pair_order(rec->touches.items[i].a, rec->touches.items[i].b,
                                                  now[k].a, now[k].b);
        if (order < 0) { // absent now
            touch *c = &rec->touches.items[i++];
            if (touch_lasts(c, t))
                array_push(&rec->merged, *c);
            else if (c->row)
                st = close_contact(rec, c, c->last + dt, err);
            continue;
        }
        touch c = order > 0 ? touch_begin(rec, &now[k], t) : rec->touches.items[i++];
        st = touch_seen(rec, &c, &now[k++], t, dt, err);
        array_push(&rec->merged, c);
    }
    if (st != OK)
        return st;
    void *swap = rec->touches.items;
    size_t capacity = rec->touches.capacity;
    rec->touches.items = rec->merged.items;
    rec->touches.capacity = rec->merged.capacity;
    rec->touches.count = rec->merged.count;
    rec->merged.items = swap;
    rec->merged.capacity = capacity;
    return OK;
}

// The pose of a particle tells what it does in the container that it was poured into.
static bool within_its_container(const recorder *rec, const sim_contact *c) {
    const world_model *w = rec->world;
    return (c->a < w->body_count && w->bodies[c->a].particle &&
            w->bodies[c->a].inside == (int64_t)c->b) ||
           (c->b < w->body_count && w->bodies[c->b].particle &&
            w->bodies[c->b].inside == (int64_t)c->a);
}

static status record_contacts(recorder *rec, nanos t, nanos dt, error *err) {
    size_t count;
    const sim_contact *now = sim_contacts(rec->sim, &count);
    if (rec->particle_count > 0) {
        rec->told.count = 0;
        for (size_t i = 0; i < count; i++)
            if (!within_its_container(rec, &now[i]))
                array_push(&rec->told, now[i]);
        now = rec->told.items;
        count = rec->told.count;
    }
    return same_touches(rec, now, count, t) ? update_touches(rec, now, count, t, dt, err)
                                            : merge_touches(rec, now, count, t, dt, err);
}

// ---- Life ---------------------------------------------------------------------------------------

static void name_robot(recorder *rec, recorder_machine *m) {
    const robot_model *r = m->robot;
    recorder_ids *ids = &m->ids;
    ids->number = m->own.robot;
    ids->entities = rec->entities;
    ids->robot = sink_id(rec->log, RECORD_OBJECT);
    robot_ids *parts = &ids->parts;
    *parts = (robot_ids){.links = rec->parts.links + m->own.link,
                         .joints = rec->parts.joints + m->own.joint,
                         .hands = rec->parts.hands + m->own.arm};
    for (size_t i = 0; i < r->link_count; i++)
        parts->links[i] = rec->entities[sim_entity_link(rec->sim, m->own.link + i)];
    for (size_t i = 0; i < r->joint_count; i++)
        parts->joints[i] = sink_id(rec->log, RECORD_OBJECT);
    for (size_t i = 0; i < r->arm_count; i++) {
        size_t arm = m->own.arm + i;
        parts->hands[i] =
            (hand_ids){.gripper = sink_id(rec->log, RECORD_OBJECT),
                       .palm = rec->entities[sim_entity_palm(rec->sim, arm)],
                       .fingers = {rec->entities[sim_entity_finger(rec->sim, arm, 1)],
                                   rec->entities[sim_entity_finger(rec->sim, arm, 2)]}};
    }
    parts->camera = sink_id(rec->log, RECORD_OBJECT);
    parts->laser = sink_id(rec->log, RECORD_OBJECT);
    for (size_t i = 0; i < r->arm_count; i++)
        if (r->arms[i].wrist.present)
            parts->hands[i].wrist = sink_id(rec->log, RECORD_OBJECT);
    if (r->tracker.present)
        parts->tracker = sink_id(rec->log, RECORD_OBJECT);
}

static void name_everything(recorder *rec) {
    size_t count = sim_entity_count(rec->sim);
    for (size_t i = 0; i < count; i++) // in the order of entities, so that pairs keep theirs
        rec->entities[i] = sink_id(rec->log, RECORD_OBJECT);
    for (size_t i = 0; i < rec->machine_count; i++)
        name_robot(rec, &rec->machines[i]);
    for (size_t i = 0; i < rec->world->joint_count; i++)
        rec->joint_objects[i] = sink_id(rec->log, RECORD_OBJECT);
}

static void start_streams(recorder *rec, double tolerance) {
    const world_model *w = rec->world;
    const robot_model *r = rec->robot;
    keyframe_tolerance total = keyframe_tolerance_scaled(tolerance);
    rec->tolerances[0] = total;
    rec->tolerances[1] = keyframe_tolerance_scaled(tolerance * PARTICLE_COARSER);
    for (size_t i = 0; i < w->joint_count; i++)
        keyframe_value_init_bowed(&rec->furniture[i], tolerance * JOINT_TOLERANCE,
                                  tolerance * JOINT_SPEED, total.window);
    for (size_t i = 0; i < r->joint_count; i++) // as wide as their shares, below
        keyframe_value_init_bowed(&rec->joints[i], 0, 0, total.window);
    size_t first_link = sim_entity_link(rec->sim, 0);
    for (size_t i = 0; i < sim_entity_count(rec->sim); i++) {
        rec->weights[i] = INFINITY;
        bool particle = i < w->body_count && w->bodies[i].particle;
        rec->present[i] = sim_present(rec->sim, i);
        if (particle)
            rec->particles[rec->particle_count++] = i;
        begin_poses(rec, i);
        // links follow from the base and the joints, hands from links
        bool link = i >= first_link && i < first_link + r->link_count;
        if (i < first_link || (link && r->links[i - first_link].joint < 0))
            rec->keyed[rec->keyed_count++] = i;
    }
    for (size_t i = 0; i < r->arm_count; i++)
        for (size_t part = 0; part < 3; part++) {
            keyframe_pose *hand = &rec->hands[3 * i + part];
            keyframe_pose_init(hand, keyframe_tolerance_scaled(tolerance * HAND_SHARE));
            if (part == 0)
                keyframe_pose_allow(hand, hand->width, fabs(r->arms[i].gripper.pad_center_z));
        }
    for (size_t i = 0; i < w->body_count; i++)
        if (!w->bodies[i].fixed)
            rec->weights[sim_entity_body(i)] = w->bodies[i].type->mass * v3_length(w->gravity);
    for (size_t i = 0; i < rec->machine_count; i++) {
        recorder_machine *m = &rec->machines[i];
        m->shares = shares_create(m->robot, keyframe_tolerance_scaled(tolerance * CHAIN_SHARE),
                                  sim_joint_positions(rec->sim) + m->own.joint);
        apply_shares(rec, m);
    }
}

status recorder_create(const projection_inputs *in, const world_model *w, const sim *s, sink *log,
                       double tolerance, const settings *conditions, recorder **out, error *err) {
    recorder *rec = mem_must(1, sizeof *rec);
    const robot_model *r = sim_robots(s);
    size_t count = sim_entity_count(s);
    rec->world = w;
    rec->robot = r;
    rec->sim = s;
    rec->log = log;
    rec->names = arena_create();
    rec->entities = mem_must(count, sizeof *rec->entities);
    robot_ids_init(&rec->parts, r);
    rec->machine_count = sim_robot_count(s);
    rec->machines = mem_must(rec->machine_count, sizeof *rec->machines);
    for (size_t i = 0; i < rec->machine_count; i++) {
        const fleet_member *m = sim_member(s, i);
        rec->machines[i] = (recorder_machine){.robot = m->robot,
                                              .name = m->name ? m->name : m->robot->name,
                                              .own = sim_part_of(s, i)};
    }
    rec->weights = mem_must(count, sizeof *rec->weights);
    rec->poses = mem_must(count, sizeof *rec->poses);
    rec->keyed = mem_must(count, sizeof *rec->keyed);
    rec->resting = mem_must(count, sizeof *rec->resting);
    rec->present = mem_must(count, sizeof *rec->present);
    rec->lively = mem_must(count, sizeof *rec->lively);
    rec->scratch = mem_must(count, sizeof *rec->scratch);
    rec->particles = mem_must(count, sizeof *rec->particles);
    rec->fidelities = mem_must(count, sizeof *rec->fidelities);
    rec->heaped = mem_must(count, sizeof *rec->heaped);
    rec->responsibilities = mem_must(count, sizeof *rec->responsibilities);
    rec->joint_objects = mem_must(w->joint_count + 1, sizeof *rec->joint_objects);
    rec->furniture = mem_must(w->joint_count + 1, sizeof *rec->furniture);
    rec->hands = mem_must(3 * r->arm_count + 1, sizeof *rec->hands);
    rec->joints = mem_must(r->joint_count + 1, sizeof *rec->joints);
    rec->joint_keys = mem_must(r->joint_count + 1, sizeof *rec->joint_keys);
    name_everything(rec);
    start_streams(rec, tolerance);
    status st = recorder_put_scene(rec, in, tolerance, conditions, err);
    if (st == OK)
        st = record_motion(rec, 0, err);
    if (st != OK) {
        recorder_destroy(rec);
        return st;
    }
    *out = rec;
    return OK;
}

void recorder_destroy(recorder *rec) {
    if (!rec)
        return;
    free(rec->entities);
    robot_ids_finish(&rec->parts);
    free(rec->weights);
    free(rec->poses);
    free(rec->keyed);
    free(rec->resting);
    free(rec->present);
    free(rec->lively);
    free(rec->scratch);
    free(rec->particles);
    free(rec->fidelities);
    free(rec->heaped);
    free(rec->responsibilities);
    free(rec->joint_objects);
    free(rec->furniture);
    array_finish(&rec->told);
    free(rec->hands);
    free(rec->joints);
    free(rec->joint_keys);
    for (size_t i = 0; i < rec->machine_count; i++)
        shares_destroy(rec->machines[i].shares);
    free(rec->machines);
    array_finish(&rec->touches);
    array_finish(&rec->merged);
    array_finish(&rec->held);
    arena_destroy(rec->names);
    free(rec);
}

const recorder_ids *recorder_identities(const recorder *rec, size_t robot) {
    ASSERT(robot < rec->machine_count);
    return &rec->machines[robot].ids;
}

// A note on each pair that may have passed through one another.
static status note_passings(recorder *rec, nanos t, error *err) {
    size_t count;
    const sim_passing *all = sim_passings(rec->sim, &count);
    status st = OK;
    for (; st == OK && rec->passings < count; rec->passings++) {
        const sim_passing *p = &all[rec->passings];
        char text[400];
        snprintf(text, sizeof text,
                 "`%s` and `%s` are so thin, and came by each other so fast, that one may have "
                 "passed through the other",
                 sim_entity_name(rec->sim, p->a), sim_entity_name(rec->sim, p->b));
        st = sink_note(rec->log, t, text, err);
    }
    return st;
}

status recorder_step(recorder *rec, nanos t, nanos dt, error *err) {
    rec->step = dt;
    status st = record_motion(rec, t, err);
    if (st == OK)
        st = note_passings(rec, t, err);
    if (st == OK)
        st = record_events(rec, t, err);
    if (st == OK)
        st = record_contacts(rec, t, dt, err);
    return st == OK ? recorder_follow_holds(rec, t, err) : st;
}

status recorder_commit(recorder *rec, nanos t, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < rec->keyed_count; i++) {
        keyframe_pose_key key;
        if (rec->present[rec->keyed[i]] && keyframe_pose_flush(&rec->poses[rec->keyed[i]], &key))
            st = put_pose(rec, rec->keyed[i], &key, err);
    }
    for (size_t i = 0; st == OK && i < 3 * rec->robot->arm_count; i++) {
        keyframe_pose_key key;
        if (keyframe_pose_flush(&rec->hands[i], &key))
            st = put_relative(rec, hand_part(rec, i / 3, (int)(i % 3)), &key, err);
    }
    for (size_t i = 0; st == OK && i < rec->robot->joint_count; i++) {
        keyframe_value_key key;
        if (keyframe_value_flush(&rec->joints[i], &key))
            st = put_joint(rec, robot_joint_object(rec, i), &key, err);
    }
    for (size_t i = 0; st == OK && i < rec->world->joint_count; i++) {
        keyframe_value_key key;
        if (keyframe_value_flush(&rec->furniture[i], &key))
            st = put_joint(rec, rec->joint_objects[i], &key, err);
    }
    if (st == OK)
        st = recorder_flush_holds(rec, err);
    return st == OK ? sink_commit(rec->log, t, err) : st;
}

status recorder_finish(recorder *rec, nanos t, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < rec->touches.count; i++) {
        touch *c = &rec->touches.items[i];
        if (c->row)
            st = close_contact(rec, c, c->last < t ? c->last + rec->step : TIME_OPEN, err);
    }
    return st == OK ? recorder_commit(rec, t, err) : st;
}
