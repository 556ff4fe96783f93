#include "projector/recorder.h"

#include <math.h>
#include <string.h>

#include "projector/shares.h"
#include "schema/keyframe.h"

enum { FORCE_WINDOW = 5 };                 // steps of the running mean of a contact's force: 10 ms
enum { LEARN_STEPS = 50 };                 // between two looks at who needs how many keys
static const nanos CONTACT_GAP = 50000000; // a contact closes after this long without
static const nanos IMPULSE_WINDOW = 50000000; // over which its first impulse is summed
static const double IMPULSE_AT_ONCE = 0.02;   // N s in one step: certain in its first step
static const double FORCE_SHARE = 0.02; // of the lighter body's weight, or of the force: a change

typedef struct touch {
    size_t a, b;       // entities
    int64_t row;       // CONTACT record; 0 while not certain
    nanos start, last; // first and last instant with contact
    int steps;         // seen so far
    int still;         // of these, the last ones with one and the same force and normal
    double approach, impulse, peak;
    vec3 point, normal;
    vec3 window[FORCE_WINDOW];
    int window_count;
    vec3 logged_force, logged_normal;
    double least_change; // N
} touch;

struct recorder {
    const world_model *world;
    const robot_model *robot;
    const sim *sim;
    sink *log;
    recorder_ids ids;
    int64_t *entities, *robot_objects;
    double *weights;      // by entity, N; infinity: not a free body
    keyframe_pose *poses; // by entity
    size_t *keyed;        // the entities that have pose rows
    size_t keyed_count;
    bool *resting; // by entity: asleep when it was last fed, and not fed since
    keyframe_value *joints;
    shares *shares;             // of base and joints in the tolerance of the links
    int base_keys, *joint_keys; // since the shares last learned of them
    int steps;                  // since then
    nanos last, step;           // step and its length
    ARRAY(touch) touches;       // sorted by (a, b)
    ARRAY(touch) merged;        // scratch
    arena *names;
};

// ---- The scene
// -----------------------------------------------------------------------------------

static status put_object(recorder *rec, int64_t id, struct record_OBJECT o, error *err) {
    record r = {.kind = RECORD_OBJECT, .id = id, .OBJECT = o};
    return sink_put(rec->log, &r, err);
}

// An object that has neither type nor material of its own.
static struct record_OBJECT plain(const char *name, const char *kind, int64_t whole) {
    return (struct record_OBJECT){.name = name,
                                  .kind = kind,
                                  .whole = whole,
                                  .known = 1,
                                  .up_z = 1,
                                  .break_impulse = INFINITY,
                                  .angle_tolerance = INFINITY};
}

static status put_shapes(recorder *rec, int64_t object, const char *role, const shape *shapes,
                         size_t count, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < count; i++) {
        const shape *s = &shapes[i];
        record r = {.kind = RECORD_SHAPE, .id = sink_id(rec->log, RECORD_SHAPE)};
        r.SHAPE = (struct record_SHAPE){object,    role,      shape_kind_name(s->kind),
                                        s->at.p.x, s->at.p.y, s->at.p.z,
                                        s->at.q.w, s->at.q.x, s->at.q.y,
                                        s->at.q.z, s->size.x, s->size.y,
                                        s->size.z};
        st = sink_put(rec->log, &r, err);
    }
    return st;
}

static status put_linkage(recorder *rec, int64_t object, int64_t parent, int64_t joint,
                          const char *kind, pose origin, vec3 axis, error *err) {
    record r = {.kind = RECORD_LINKAGE, .id = sink_id(rec->log, RECORD_LINKAGE)};
    r.LINKAGE = (struct record_LINKAGE){object,     parent,     joint,      kind,       origin.p.x,
                                        origin.p.y, origin.p.z, origin.q.w, origin.q.x, origin.q.y,
                                        origin.q.z, axis.x,     axis.y,     axis.z};
    return sink_put(rec->log, &r, err);
}

static status put_source(recorder *rec, const char *kind, const char *name, const char *text,
                         error *err) {
    record r = {.kind = RECORD_SOURCE, .id = sink_id(rec->log, RECORD_SOURCE)};
    r.SOURCE = (struct record_SOURCE){kind, name, text};
    return sink_put(rec->log, &r, err);
}

static status put_parameters(recorder *rec, const char *scope, const parameters *p, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < p->count; i++) {
        record r = {.kind = RECORD_PARAMETER, .id = sink_id(rec->log, RECORD_PARAMETER)};
        r.PARAMETER = (struct record_PARAMETER){scope, p->items[i].name, p->items[i].value};
        st = sink_put(rec->log, &r, err);
    }
    return st;
}

static status put_sources(recorder *rec, const plan *p, double tolerance, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < plan_source_count(p); i++) {
        const plan_source *s = plan_source_at(p, i);
        st = put_source(rec, s->kind, s->name, s->text, err);
    }
    for (size_t i = 0; st == OK && i < rec->world->source_count; i++)
        st = put_source(rec, rec->world->sources[i].kind, rec->world->sources[i].name,
                        rec->world->sources[i].text, err);
    for (size_t i = 0; st == OK && i < rec->robot->source_count; i++)
        st = put_source(rec, rec->robot->sources[i].kind, rec->robot->sources[i].name,
                        rec->robot->sources[i].text, err);
    if (st == OK)
        st = put_parameters(rec, "plan", plan_parameters(p), err);
    if (st == OK)
        st = put_parameters(rec, "world", &rec->world->params, err);
    if (st == OK)
        st = put_parameters(rec, "robot", &rec->robot->params, err);
    if (st == OK) {
        parameter t = {.name = "tolerance", .value = arena_format(rec->names, "%g", tolerance)};
        parameters log_scope = {.items = &t, .count = 1};
        st = put_parameters(rec, "log", &log_scope, err);
    }
    return st;
}

static status put_bodies(recorder *rec, error *err) {
    const world_model *w = rec->world;
    status st = OK;
    for (size_t i = 0; st == OK && i < w->body_count; i++) {
        const world_body *b = &w->bodies[i];
        const body_type *type = b->type;
        int64_t id = rec->entities[sim_entity_body(i)];
        st = put_object(rec, id,
                        (struct record_OBJECT){.name = b->name,
                                               .kind = "body",
                                               .type = type->name,
                                               .fixed = b->fixed,
                                               .known = b->known,
                                               .mass = b->fixed ? 0 : type->mass,
                                               .friction = type->friction,
                                               .restitution = type->restitution,
                                               .material = type->material,
                                               .up_x = type->up.x,
                                               .up_y = type->up.y,
                                               .up_z = type->up.z,
                                               .com_x = type->com.x,
                                               .com_y = type->com.y,
                                               .com_z = type->com.z,
                                               .break_impulse = type->break_impulse,
                                               .angle_tolerance = INFINITY},
                        err);
        if (st == OK)
            st = put_shapes(rec, id, "collision", type->shapes, type->shape_count, err);
        if (st == OK && type->has_interior)
            st = put_shapes(rec, id, "interior", &type->interior, 1, err);
        property color = {"color", b->color};
        for (size_t k = 0; st == OK && k < b->property_count + (b->color ? 1 : 0); k++) {
            const property *p = k < b->property_count ? &b->properties[k] : &color;
            record r = {.kind = RECORD_PROPERTY, .id = sink_id(rec->log, RECORD_PROPERTY)};
            r.PROPERTY = (struct record_PROPERTY){id, p->key, p->value};
            st = sink_put(rec->log, &r, err);
        }
    }
    for (size_t i = 0; st == OK && i < w->region_count; i++) {
        const world_region *region = &w->regions[i];
        int64_t id = sink_id(rec->log, RECORD_OBJECT);
        int64_t body = rec->entities[sim_entity_body(region->body)];
        struct record_OBJECT o = plain(region->name, "region", body);
        o.half_x = region->half_x;
        o.half_y = region->half_y;
        o.tolerance = region->tolerance;
        o.angle_tolerance = region->angle_tolerance;
        st = put_object(rec, id, o, err);
        if (st == OK)
            st = put_linkage(rec, id, body, 0, "fixed", region->at, v3(0, 0, 1), err);
    }
    return st;
}

// Names in the log begin with the robot's own.
static const char *robot_name(recorder *rec, const char *name) {
    size_t n = strlen(rec->robot->name);
    if (strncmp(name, rec->robot->name, n) == 0 && name[n] == '_')
        return name;
    return arena_format(rec->names, "%s_%s", rec->robot->name, name);
}

static status put_hand(recorder *rec, size_t arm, error *err) {
    const robot_gripper *g = &rec->robot->arms[arm].gripper;
    const int64_t *ids =
        &rec->robot_objects[rec->robot->link_count + rec->robot->joint_count + 4 * arm];
    status st =
        put_object(rec, ids[0], plain(robot_name(rec, g->name), "gripper", rec->ids.robot), err);
    if (st == OK) // the gripper's frame lies between the pads
        st = put_linkage(rec, ids[0], ids[1], 0, "fixed",
                         (pose){{0, 0, g->pad_center_z}, {1, 0, 0, 0}}, v3(0, 0, 1), err);
    const char *names[3] = {g->palm, g->finger_1, g->finger_2};
    shape palm = {SHAPE_BOX, {g->palm_center, {1, 0, 0, 0}}, g->palm_size};
    shape pad = {SHAPE_BOX, POSE_IDENTITY, g->pad_size};
    for (size_t k = 0; st == OK && k < 3; k++) {
        struct record_OBJECT o =
            plain(robot_name(rec, names[k]), k == 0 ? "palm" : "finger", ids[0]);
        o.mass = k == 0 ? g->palm_mass : g->pad_mass;
        o.friction = g->friction;
        o.material = g->material;
        st = put_object(rec, ids[k + 1], o, err);
        if (st == OK)
            st = put_shapes(rec, ids[k + 1], "collision", k == 0 ? &palm : &pad, 1, err);
    }
    return st;
}

static status put_robot(recorder *rec, error *err) {
    const robot_model *r = rec->robot;
    const int64_t *links = rec->robot_objects, *joints = links + r->link_count;
    status st = put_object(rec, rec->ids.robot, plain(r->name, "robot", 0), err);
    if (st == OK)
        st =
            put_linkage(rec, rec->ids.robot, links[0], 0, "fixed", POSE_IDENTITY, v3(0, 0, 1), err);
    for (size_t i = 0; st == OK && i < r->link_count; i++) {
        struct record_OBJECT o =
            plain(robot_name(rec, r->links[i].name), i == 0 ? "base" : "link", rec->ids.robot);
        o.mass = r->links[i].mass;
        o.com_x = r->links[i].com.x;
        o.com_y = r->links[i].com.y;
        o.com_z = r->links[i].com.z;
        st = put_object(rec, links[i], o, err);
        if (st == OK)
            st = put_shapes(rec, links[i], "collision", r->links[i].shapes, r->links[i].shape_count,
                            err);
    }
    for (size_t i = 0; st == OK && i < r->joint_count; i++) {
        const robot_joint *j = &r->joints[i];
        st = put_object(rec, joints[i], plain(robot_name(rec, j->name), "joint", rec->ids.robot),
                        err);
        if (st == OK)
            st = put_linkage(rec, links[j->child], links[j->parent], joints[i],
                             j->kind == JOINT_REVOLUTE ? "revolute" : "prismatic", j->origin,
                             j->axis, err);
    }
    for (size_t i = 0; st == OK && i < r->arm_count; i++)
        st = put_hand(rec, i, err);
    const int64_t *sensors = joints + r->joint_count + 4 * r->arm_count;
    if (st == OK)
        st = put_object(rec, sensors[0],
                        plain(robot_name(rec, r->camera.name), "camera", rec->ids.robot), err);
    if (st == OK)
        st = put_linkage(rec, sensors[0], links[r->camera.link], 0, "fixed", r->camera.at,
                         v3(0, 0, 1), err);
    if (st == OK)
        st = put_object(rec, sensors[1],
                        plain(robot_name(rec, r->laser.name), "laser", rec->ids.robot), err);
    if (st == OK)
        st = put_linkage(rec, sensors[1], links[r->laser.link], 0, "fixed", r->laser.at,
                         v3(0, 0, 1), err);
    if (st == OK) {
        rec->ids.agent = sink_id(rec->log, RECORD_AGENT);
        record agent = {.kind = RECORD_AGENT, .id = rec->ids.agent};
        agent.AGENT = (struct record_AGENT){r->name, rec->ids.robot};
        st = sink_put(rec->log, &agent, err);
    }
    return st;
}

static status put_fidelity(recorder *rec, size_t entity, const char *level, const char *by,
                           error *err) {
    record f = {.kind = RECORD_FIDELITY, .id = sink_id(rec->log, RECORD_FIDELITY)};
    f.FIDELITY = (struct record_FIDELITY){rec->entities[entity], level, 0, TIME_OPEN};
    status st = sink_put(rec->log, &f, err);
    if (st != OK)
        return st;
    record r = {.kind = RECORD_RESPONSIBILITY, .id = sink_id(rec->log, RECORD_RESPONSIBILITY)};
    r.RESPONSIBILITY =
        (struct record_RESPONSIBILITY){rec->entities[entity], "pose", by, 0, TIME_OPEN};
    return sink_put(rec->log, &r, err);
}

static status put_fidelities(recorder *rec, error *err) {
    const robot_model *r = rec->robot;
    status st = OK;
    for (size_t i = 0; st == OK && i < rec->world->body_count; i++)
        st = put_fidelity(rec, sim_entity_body(i),
                          rec->world->bodies[i].fixed ? "static" : "dynamic", "ode", err);
    for (size_t i = 0; st == OK && i < r->link_count; i++)
        st = put_fidelity(rec, sim_entity_link(rec->sim, i), i == 0 ? "kinematic" : "articulated",
                          "arm_dynamics", err);
    for (size_t i = 0; st == OK && i < r->arm_count; i++)
        for (int k = 0; st == OK && k < 3; k++)
            st = put_fidelity(
                rec, k == 0 ? sim_entity_palm(rec->sim, i) : sim_entity_finger(rec->sim, i, k),
                "dynamic", "ode", err);
    return st;
}

// ---- Motion
// --------------------------------------------------------------------------------------

static status put_pose(recorder *rec, size_t entity, const keyframe_pose_key *key, error *err) {
    record r = {.kind = RECORD_POSE, .id = sink_id(rec->log, RECORD_POSE)};
    const pose *p = &key->pose;
    r.POSE = (struct record_POSE){
        rec->entities[entity], key->t, p->p.x, p->p.y, p->p.z, p->q.w, p->q.x, p->q.y, p->q.z};
    return sink_put(rec->log, &r, err);
}

static status put_joint(recorder *rec, size_t joint, const keyframe_value_key *key, error *err) {
    record r = {.kind = RECORD_JOINT_STATE, .id = sink_id(rec->log, RECORD_JOINT_STATE)};
    r.JOINT_STATE = (struct record_JOINT_STATE){rec->robot_objects[rec->robot->link_count + joint],
                                                key->t, key->value};
    return sink_put(rec->log, &r, err);
}

static void apply_shares(recorder *rec) {
    double lever;
    keyframe_width width = shares_base(rec->shares, &lever);
    keyframe_pose_allow(&rec->poses[sim_entity_link(rec->sim, 0)], width, lever);
    for (size_t i = 0; i < rec->robot->joint_count; i++)
        keyframe_value_allow(&rec->joints[i], shares_joint(rec->shares, i));
}

static void divide_tolerance(recorder *rec) {
    if (++rec->steps == LEARN_STEPS) {
        shares_learn(rec->shares, rec->base_keys, rec->joint_keys);
        rec->steps = rec->base_keys = 0;
        memset(rec->joint_keys, 0, rec->robot->joint_count * sizeof *rec->joint_keys);
    }
    if (shares_follow(rec->shares, sim_joint_positions(rec->sim)))
        apply_shares(rec);
}

static status record_body(recorder *rec, size_t entity, nanos t, error *err) {
    keyframe_pose *k = &rec->poses[entity];
    keyframe_pose_key key;
    status st = OK;
    bool asleep = sim_asleep(rec->sim, entity);
    if (asleep && rec->resting[entity])
        return OK;
    if (rec->resting[entity]) { // it stood where it was fed last until the step before
        pose stood = k->last.pose;
        if (keyframe_pose_feed(k, rec->last, &stood, &key))
            st = put_pose(rec, entity, &key, err);
    }
    rec->resting[entity] = asleep;
    pose p = sim_pose(rec->sim, entity);
    if (st == OK && keyframe_pose_feed(k, t, &p, &key)) {
        rec->base_keys += entity == sim_entity_link(rec->sim, 0);
        st = put_pose(rec, entity, &key, err);
    }
    return st;
}

static status record_motion(recorder *rec, nanos t, error *err) {
    status st = OK;
    divide_tolerance(rec);
    for (size_t i = 0; st == OK && i < rec->keyed_count; i++)
        st = record_body(rec, rec->keyed[i], t, err);
    const double *q = sim_joint_positions(rec->sim);
    for (size_t i = 0; st == OK && i < rec->robot->joint_count; i++) {
        keyframe_value_key key;
        if (keyframe_value_feed(&rec->joints[i], t, q[i], &key)) {
            rec->joint_keys[i]++;
            st = put_joint(rec, i, &key, err);
        }
    }
    rec->last = t;
    return st;
}

// ---- Contacts
// ------------------------------------------------------------------------------------

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

// Whether a contact that was not seen at t is still counted as one.
static bool touch_lasts(const touch *c, nanos t) {
    return c->row && t - c->last <= CONTACT_GAP;
}

// Whether no contact begins or ends at t: the list stays as it is but for what its contacts hold.
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

static status record_contacts(recorder *rec, nanos t, nanos dt, error *err) {
    size_t count;
    const sim_contact *now = sim_contacts(rec->sim, &count);
    return same_touches(rec, now, count, t) ? update_touches(rec, now, count, t, dt, err)
                                            : merge_touches(rec, now, count, t, dt, err);
}

// ---- Life
// ----------------------------------------------------------------------------------------

static void name_everything(recorder *rec) {
    const robot_model *r = rec->robot;
    size_t count = sim_entity_count(rec->sim);
    for (size_t i = 0; i < count; i++) // in the order of entities, so that pairs keep theirs
        rec->entities[i] = sink_id(rec->log, RECORD_OBJECT);
    rec->ids.robot = sink_id(rec->log, RECORD_OBJECT);
    size_t n = 0;
    for (size_t i = 0; i < r->link_count; i++)
        rec->robot_objects[n++] = rec->entities[sim_entity_link(rec->sim, i)];
    for (size_t i = 0; i < r->joint_count; i++)
        rec->robot_objects[n++] = sink_id(rec->log, RECORD_OBJECT);
    for (size_t i = 0; i < r->arm_count; i++) {
        rec->robot_objects[n++] = sink_id(rec->log, RECORD_OBJECT);
        rec->robot_objects[n++] = rec->entities[sim_entity_palm(rec->sim, i)];
        rec->robot_objects[n++] = rec->entities[sim_entity_finger(rec->sim, i, 1)];
        rec->robot_objects[n++] = rec->entities[sim_entity_finger(rec->sim, i, 2)];
    }
    rec->robot_objects[n++] = sink_id(rec->log, RECORD_OBJECT);
    rec->robot_objects[n++] = sink_id(rec->log, RECORD_OBJECT);
    rec->ids.entities = rec->entities;
    rec->ids.robot_objects = rec->robot_objects;
}

// How far from its origin something hangs on a body: the frame of a gripper on its palm, a region.
static double lever_of(const recorder *rec, size_t entity) {
    double lever = 0;
    for (size_t i = 0; i < rec->world->region_count; i++)
        if (sim_entity_body(rec->world->regions[i].body) == entity)
            lever = fmax(lever, v3_length(rec->world->regions[i].at.p));
    for (size_t i = 0; i < rec->robot->arm_count; i++)
        if (sim_entity_palm(rec->sim, i) == entity)
            lever = fmax(lever, fabs(rec->robot->arms[i].gripper.pad_center_z));
    return lever;
}

static void start_streams(recorder *rec, double tolerance) {
    const world_model *w = rec->world;
    const robot_model *r = rec->robot;
    keyframe_tolerance total = keyframe_tolerance_scaled(tolerance);
    size_t first_link = sim_entity_link(rec->sim, 0);
    for (size_t i = 0; i < sim_entity_count(rec->sim); i++) {
        rec->weights[i] = INFINITY;
        keyframe_pose_init(&rec->poses[i], total);
        keyframe_pose_allow(&rec->poses[i], keyframe_width_of(total), lever_of(rec, i));
        // links follow from the base and the joints
        if (i <= first_link || i >= first_link + r->link_count)
            rec->keyed[rec->keyed_count++] = i;
    }
    for (size_t i = 0; i < w->body_count; i++)
        if (!w->bodies[i].fixed)
            rec->weights[sim_entity_body(i)] = w->bodies[i].type->mass * v3_length(w->gravity);
    rec->shares = shares_create(r, total, sim_joint_positions(rec->sim));
    apply_shares(rec);
}

status recorder_create(const plan *p, const world_model *w, const robot_model *r, const sim *s,
                       sink *log, double tolerance, recorder **out, error *err) {
    recorder *rec = calloc(1, sizeof *rec);
    ASSERT(rec);
    size_t count = sim_entity_count(s);
    rec->world = w;
    rec->robot = r;
    rec->sim = s;
    rec->log = log;
    rec->names = arena_create();
    rec->entities = calloc(count, sizeof *rec->entities);
    rec->robot_objects =
        calloc(r->link_count + r->joint_count + 4 * r->arm_count + 2, sizeof *rec->robot_objects);
    rec->weights = calloc(count, sizeof *rec->weights);
    rec->poses = calloc(count, sizeof *rec->poses);
    rec->keyed = calloc(count, sizeof *rec->keyed);
    rec->resting = calloc(count, sizeof *rec->resting);
    rec->joints = calloc(r->joint_count + 1, sizeof *rec->joints);
    rec->joint_keys = calloc(r->joint_count + 1, sizeof *rec->joint_keys);
    ASSERT(rec->entities && rec->robot_objects && rec->weights && rec->poses && rec->keyed &&
           rec->resting && rec->joints && rec->joint_keys);
    name_everything(rec);
    start_streams(rec, tolerance);
    status st = put_sources(rec, p, tolerance, err);
    if (st == OK)
        st = put_bodies(rec, err);
    if (st == OK)
        st = put_robot(rec, err);
    if (st == OK)
        st = put_fidelities(rec, err);
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
    free(rec->robot_objects);
    free(rec->weights);
    free(rec->poses);
    free(rec->keyed);
    free(rec->resting);
    free(rec->joints);
    free(rec->joint_keys);
    shares_destroy(rec->shares);
    array_finish(&rec->touches);
    array_finish(&rec->merged);
    arena_destroy(rec->names);
    free(rec);
}

const recorder_ids *recorder_identities(const recorder *rec) {
    return &rec->ids;
}

status recorder_step(recorder *rec, nanos t, nanos dt, error *err) {
    rec->step = dt;
    status st = record_motion(rec, t, err);
    return st == OK ? record_contacts(rec, t, dt, err) : st;
}

status recorder_commit(recorder *rec, nanos t, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < rec->keyed_count; i++) {
        keyframe_pose_key key;
        if (keyframe_pose_flush(&rec->poses[rec->keyed[i]], &key))
            st = put_pose(rec, rec->keyed[i], &key, err);
    }
    for (size_t i = 0; st == OK && i < rec->robot->joint_count; i++) {
        keyframe_value_key key;
        if (keyframe_value_flush(&rec->joints[i], &key))
            st = put_joint(rec, i, &key, err);
    }
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
