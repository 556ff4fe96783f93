// projector/recorder_scene.c - the scene as the log has it: sources, objects, shapes, what hangs on
// what.
#include <math.h>
#include <string.h>

#include "base/text/number.h"
#include "projector/fingerprint.h"
#include "projector/recorder_int.h"

static status put_object(recorder *rec, int64_t id, struct record_OBJECT o, error *err) {
    record r = {.kind = RECORD_OBJECT, .id = id, .OBJECT = o};
    return sink_put(rec->log, &r, err);
}

// An object that has neither type nor material of its own.
static struct record_OBJECT plain_object(const char *name, const char *kind, int64_t whole) {
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
        r.SHAPE = (struct record_SHAPE){object,
                                        role,
                                        shape_kind_name(s->kind),
                                        s->at.p.x,
                                        s->at.p.y,
                                        s->at.p.z,
                                        s->at.q.w,
                                        s->at.q.x,
                                        s->at.q.y,
                                        s->at.q.z,
                                        s->size.x,
                                        s->size.y,
                                        s->size.z,
                                        s->mesh ? s->mesh->file : NULL};
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

// Whether the plan of an earlier robot was read from this file, too.
static bool told_before(const projection_inputs *in, size_t member, const char *file) {
    for (size_t k = 0; k < member; k++)
        for (size_t i = 0; i < plan_source_count(in->members[k].plan); i++)
            if (strcmp(plan_source_at(in->members[k].plan, i)->name, file) == 0)
                return true;
    return false;
}

static status put_step_texts(recorder *rec, const projection_inputs *in, size_t member,
                             error *err) {
    const plan *p = in->members[member].plan;
    status st = OK;
    for (size_t i = 0; st == OK && i < plan_step_text_count(p); i++) {
        const plan_step_text *t = plan_step_text_at(p, i);
        if (told_before(in, member, t->file))
            continue;
        record r = {.kind = RECORD_STEP_TEXT, .id = sink_id(rec->log, RECORD_STEP_TEXT)};
        r.STEP_TEXT = (struct record_STEP_TEXT){t->file, t->line, t->path, t->key, t->text};
        st = sink_put(rec->log, &r, err);
    }
    return st;
}

static status put_parameters(recorder *rec, const input_scope *of, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < of->all->count; i++) {
        const parameter *p = &of->all->items[i];
        record r = {.kind = RECORD_PARAMETER, .id = sink_id(rec->log, RECORD_PARAMETER)};
        const char *name =
            of->prefix[0] ? arena_format(rec->names, "%s%s", of->prefix, p->name) : p->name;
        r.PARAMETER = (struct record_PARAMETER){of->scope, name, p->value};
        st = sink_put(rec->log, &r, err);
    }
    return st;
}

static status put_parameter(recorder *rec, const char *scope, const char *name, const char *value,
                            error *err) {
    parameter one = {.name = name, .value = value};
    parameters all = {.items = &one, .count = 1};
    input_scope of = {.scope = scope, .prefix = "", .all = &all};
    return put_parameters(rec, &of, err);
}

static status put_sources(recorder *rec, const projection_inputs *in, double tolerance,
                          const settings *conditions, error *err) {
    status st = OK;
    input_file file;
    input_scope scope;
    for (size_t i = 0; st == OK && input_file_at(in, i, &file); i++)
        st = put_source(rec, file.kind, file.name, file.text, err);
    for (size_t i = 0; st == OK && i < in->count; i++)
        st = put_step_texts(rec, in, i, err);
    for (size_t i = 0; st == OK && input_scope_at(in, i, &scope); i++)
        st = put_parameters(rec, &scope, err);
    if (st == OK && rec->world->fidelity.from)
        st = put_parameter(rec, FIDELITY_SCOPE, "from", rec->world->fidelity.from, err);
    if (st == OK) {
        char text[NUMBER_SIZE];
        keyframe_scale_text(tolerance, text);
        st = put_parameter(rec, "log", "tolerance_mm", text, err);
    }
    return st == OK && conditions ? recorder_put_conditions(rec, conditions, err) : st;
}

status recorder_put_conditions(recorder *rec, const settings *conditions, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < conditions->count; i++) {
        const setting *c = &conditions->items[i];
        st = put_parameter(rec, c->scope, c->name, c->value, err);
    }
    return st;
}

static status put_property(recorder *rec, int64_t object, const char *key, const char *text,
                           error *err) {
    record r = {.kind = RECORD_PROPERTY, .id = sink_id(rec->log, RECORD_PROPERTY)};
    r.PROPERTY = (struct record_PROPERTY){object, key, text};
    return sink_put(rec->log, &r, err);
}

// Those of the body, and those of its type that it does not give itself; it may have many tags.
static status put_properties(recorder *rec, int64_t id, const world_body *b, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < b->property_count; i++)
        st = put_property(rec, id, b->properties[i].key, b->properties[i].value, err);
    for (size_t i = 0; st == OK && i < b->type->property_count; i++) {
        const property *p = &b->type->properties[i];
        bool given = false;
        for (size_t k = 0; k < b->property_count; k++)
            given |= strcmp(b->properties[k].key, p->key) == 0 &&
                     (strcmp(p->key, "tag") != 0 || strcmp(b->properties[k].value, p->value) == 0);
        if (!given)
            st = put_property(rec, id, p->key, p->value, err);
    }
    if (st == OK && b->color)
        st = put_property(rec, id, "color", b->color, err);
    if (st == OK && b->particle && b->inside >= 0)
        st = put_property(rec, id, "poured_into", rec->world->bodies[b->inside].name, err);
    return st;
}

static status put_joints(recorder *rec, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < rec->world->joint_count; i++) {
        const world_joint *j = &rec->world->joints[i];
        struct record_OBJECT o = plain_object(j->name, "joint", 0);
        o.known = j->known;
        st = put_object(rec, rec->joint_objects[i], o, err);
        record r = {.kind = RECORD_ARTICULATION, .id = sink_id(rec->log, RECORD_ARTICULATION)};
        r.ARTICULATION = (struct record_ARTICULATION){
            .joint = rec->joint_objects[i],
            .body = rec->entities[sim_entity_body(j->body)],
            .base = j->base < 0 ? 0 : rec->entities[sim_entity_body((size_t)j->base)],
            .kind = j->kind == WORLD_HINGE ? "hinge" : "slider",
            .lower = j->lower,
            .upper = j->upper};
        if (st == OK)
            st = sink_put(rec->log, &r, err);
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
                                               .kind = b->particle ? "particle" : "body",
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
        if (st == OK)
            st = put_properties(rec, id, b, err);
    }
    for (size_t i = 0; st == OK && i < w->region_count; i++) {
        const world_region *region = &w->regions[i];
        int64_t id = sink_id(rec->log, RECORD_OBJECT);
        int64_t body = rec->entities[sim_entity_body(region->body)];
        struct record_OBJECT o = plain_object(region->name, "region", body);
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
static const char *robot_name(recorder *rec, const recorder_machine *m, const char *name) {
    return fleet_part_name(rec->names, m->name, m->robot, name);
}

static status put_hand(recorder *rec, const recorder_machine *m, size_t arm, error *err) {
    const robot_gripper *g = &m->robot->arms[arm].gripper;
    const hand_ids *ids = &m->ids.parts.hands[arm];
    int64_t flange = m->ids.parts.links[m->robot->arms[arm].flange];
    status st = put_object(rec, ids->gripper,
                           plain_object(robot_name(rec, m, g->name), "gripper", m->ids.robot), err);
    if (st == OK) // the gripper's frame lies between the pads
        st = put_linkage(rec, ids->gripper, ids->palm, 0, "fixed", robot_tool_in_palm(g),
                         v3(0, 0, 1), err);
    char force[32];
    snprintf(force, sizeof force, "%.9g", g->max_force);
    if (st == OK)
        st = put_property(rec, ids->gripper, "force", force, err);
    const char *names[3] = {g->palm, g->finger_1, g->finger_2};
    const int64_t parts[3] = {ids->palm, ids->fingers[0], ids->fingers[1]};
    shape palm = {SHAPE_BOX, {g->palm_center, {1, 0, 0, 0}}, g->palm_size};
    shape pad = {SHAPE_BOX, POSE_IDENTITY, g->pad_size};
    for (size_t k = 0; st == OK && k < 3; k++) {
        struct record_OBJECT o =
            plain_object(robot_name(rec, m, names[k]), k == 0 ? "palm" : "finger", ids->gripper);
        o.mass = k == 0 ? g->palm_mass : g->pad_mass;
        o.friction = g->friction;
        o.material = g->material;
        st = put_object(rec, parts[k], o, err);
        if (st == OK)
            st = put_shapes(rec, parts[k], "collision", k == 0 ? &palm : &pad, 1, err);
        if (st == OK)
            st = put_linkage(rec, parts[k], k == 0 ? flange : ids->palm, 0, "floating",
                             POSE_IDENTITY, v3(0, 0, 1), err);
    }
    return st;
}

static status put_robot(recorder *rec, recorder_machine *m, error *err) {
    const robot_model *r = m->robot;
    const robot_ids *parts = &m->ids.parts;
    const int64_t *links = parts->links, *joints = parts->joints;
    status st = put_object(rec, m->ids.robot, plain_object(m->name, "robot", 0), err);
    if (st == OK)
        st = put_linkage(rec, m->ids.robot, links[0], 0, "fixed", POSE_IDENTITY, v3(0, 0, 1), err);
    for (size_t i = 0; st == OK && i < r->link_count; i++) {
        struct record_OBJECT o = plain_object(robot_name(rec, m, r->links[i].name),
                                              i == 0 ? "base" : "link", m->ids.robot);
        o.fixed = i == 0 && r->base_drive == BASE_FIXED;
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
        st = put_object(rec, joints[i],
                        plain_object(robot_name(rec, m, j->name), "joint", m->ids.robot), err);
        if (st == OK)
            st = put_linkage(rec, links[j->child], links[j->parent], joints[i],
                             j->kind == JOINT_REVOLUTE ? "revolute" : "prismatic", j->origin,
                             j->axis, err);
    }
    for (size_t i = 0; st == OK && i < r->arm_count; i++)
        st = put_hand(rec, m, i, err);
    if (st == OK)
        st = put_object(rec, parts->camera,
                        plain_object(robot_name(rec, m, r->camera.name), "camera", m->ids.robot),
                        err);
    if (st == OK)
        st = put_linkage(rec, parts->camera, links[r->camera.link], 0, "fixed", r->camera.at,
                         v3(0, 0, 1), err);
    if (st == OK)
        st =
            put_object(rec, parts->laser,
                       plain_object(robot_name(rec, m, r->laser.name), "laser", m->ids.robot), err);
    if (st == OK)
        st = put_linkage(rec, parts->laser, links[r->laser.link], 0, "fixed", r->laser.at,
                         v3(0, 0, 1), err);
    if (st == OK && r->tracker.present)
        st = put_object(rec, parts->tracker,
                        plain_object(robot_name(rec, m, "tracker"), "tracker", 0), err);
    for (size_t i = 0; st == OK && i < r->arm_count; i++) {
        if (!r->arms[i].wrist.present)
            continue;
        const char *name = arena_format(rec->names, "%s_wrist_sensor", r->arms[i].name);
        st = put_object(rec, parts->hands[i].wrist,
                        plain_object(robot_name(rec, m, name), "wrist", m->ids.robot), err);
        if (st == OK)
            st = put_linkage(rec, parts->hands[i].wrist, links[r->arms[i].flange], 0, "fixed",
                             POSE_IDENTITY, v3(0, 0, 1), err);
    }
    if (st == OK) {
        m->ids.agent = sink_id(rec->log, RECORD_AGENT);
        record agent = {.kind = RECORD_AGENT, .id = m->ids.agent};
        agent.AGENT = (struct record_AGENT){m->name, m->ids.robot};
        st = sink_put(rec->log, &agent, err);
    }
    return st;
}

static status put_level(recorder *rec, size_t entity, nanos t, const char *level, error *err) {
    record f = {.kind = RECORD_FIDELITY, .id = sink_id(rec->log, RECORD_FIDELITY)};
    f.FIDELITY = (struct record_FIDELITY){rec->entities[entity], level, t, TIME_OPEN};
    rec->fidelities[entity] = f.id;
    return sink_put(rec->log, &f, err);
}

static status end_level(recorder *rec, size_t entity, nanos t, error *err) {
    record f = {.kind = RECORD_FIDELITY, .id = rec->fidelities[entity]};
    f.FIDELITY.end_ns = t;
    return sink_end(rec->log, &f, err);
}

static status put_answer(recorder *rec, size_t entity, nanos t, const char *by, error *err) {
    record r = {.kind = RECORD_RESPONSIBILITY, .id = sink_id(rec->log, RECORD_RESPONSIBILITY)};
    r.RESPONSIBILITY =
        (struct record_RESPONSIBILITY){rec->entities[entity], "pose", by, t, TIME_OPEN};
    rec->responsibilities[entity] = r.id;
    return sink_put(rec->log, &r, err);
}

static status end_answer(recorder *rec, size_t entity, nanos t, error *err) {
    record r = {.kind = RECORD_RESPONSIBILITY, .id = rec->responsibilities[entity]};
    r.RESPONSIBILITY.end_ns = t;
    return sink_end(rec->log, &r, err);
}

status recorder_put_answer(recorder *rec, size_t body, const char *by, nanos t, error *err) {
    status st = end_answer(rec, body, t, err);
    return st == OK ? put_answer(rec, body, t, by, err) : st;
}

static status put_fidelity(recorder *rec, size_t entity, nanos t, const char *level, const char *by,
                           error *err) {
    status st = put_level(rec, entity, t, level, err);
    return st == OK ? put_answer(rec, entity, t, by, err) : st;
}

// Nobody answers for a body that is not there.
status recorder_put_presence(recorder *rec, size_t body, nanos t, error *err) {
    const world_body *b = &rec->world->bodies[body];
    return put_fidelity(rec, sim_entity_body(body), t,
                        b->particle ? "particle"
                        : b->fixed  ? "static"
                                    : "dynamic",
                        b->particle ? "particles" : "ode", err);
}

status recorder_end_presence(recorder *rec, size_t body, nanos t, error *err) {
    status st = end_level(rec, body, t, err);
    return st == OK ? end_answer(rec, body, t, err) : st;
}

status recorder_follow_solver(recorder *rec, size_t body, nanos t, error *err) {
    bool heaped = sim_heaped(rec->sim, body);
    if (heaped == rec->heaped[body])
        return OK;
    rec->heaped[body] = heaped;
    status st = end_level(rec, body, t, err);
    return st == OK ? put_level(rec, body, t, heaped ? "heap" : "dynamic", err) : st;
}

status recorder_put_level(recorder *rec, size_t body, nanos t, error *err) {
    fidelity_level level = sim_level(rec->sim, body);
    status st = end_level(rec, body, t, err);
    rec->heaped[body] = false;
    return st == OK ? put_level(rec, body, t,
                                level == LEVEL_FULL ? "dynamic" : fidelity_level_name(level), err)
                    : st;
}

const char *recorder_name(recorder *rec, size_t entity) {
    if (entity < rec->world->body_count)
        return rec->world->bodies[entity].name;
    const robot_model *all = rec->robot;
    size_t link = entity - rec->world->body_count, hand = link - all->link_count;
    const char *name = NULL;
    if (link < all->link_count) {
        name = all->links[link].name;
    } else {
        const robot_gripper *g = &all->arms[hand / 3].gripper;
        name = hand % 3 == 0 ? g->palm : hand % 3 == 1 ? g->finger_1 : g->finger_2;
    }
    // Of several robots, parts are called after their own already.
    return rec->machine_count > 1 ? name : robot_name(rec, &rec->machines[0], name);
}

static status put_fidelities(recorder *rec, error *err) {
    const robot_model *r = rec->robot;
    status st = OK;
    for (size_t i = 0; st == OK && i < rec->world->body_count; i++)
        if (rec->present[i])
            st = recorder_put_presence(rec, i, 0, err);
    for (size_t i = 0; st == OK && i < r->link_count; i++)
        st = put_fidelity(rec, sim_entity_link(rec->sim, i), 0,
                          r->links[i].joint < 0 ? "kinematic" : "articulated", "arm_dynamics", err);
    for (size_t i = 0; st == OK && i < r->arm_count; i++)
        for (int k = 0; st == OK && k < 3; k++)
            st = put_fidelity(
                rec, k == 0 ? sim_entity_palm(rec->sim, i) : sim_entity_finger(rec->sim, i, k), 0,
                "dynamic", "ode", err);
    return st;
}

static status put_fingerprint(recorder *rec, error *err) {
    fingerprint f = fingerprint_take(rec->names);
    status st = OK;
    for (size_t i = 0; st == OK && i < f.count; i++) {
        record r = {.kind = RECORD_FINGERPRINT, .id = sink_id(rec->log, RECORD_FINGERPRINT)};
        r.FINGERPRINT = (struct record_FINGERPRINT){f.items[i].name, f.items[i].value};
        st = sink_put(rec->log, &r, err);
    }
    return st;
}

status recorder_put_scene(recorder *rec, const projection_inputs *in, double tolerance,
                          const settings *conditions, error *err) {
    status st = put_sources(rec, in, tolerance, conditions, err);
    if (st == OK)
        st = put_fingerprint(rec, err);
    if (st == OK)
        st = put_bodies(rec, err);
    if (st == OK)
        st = put_joints(rec, err);
    for (size_t i = 0; st == OK && i < rec->machine_count; i++)
        st = put_robot(rec, &rec->machines[i], err);
    return st == OK ? put_fidelities(rec, err) : st;
}
