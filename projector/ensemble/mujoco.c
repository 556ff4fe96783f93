// projector/ensemble/mujoco.c - bodies that MuJoCo moves, in a process of its own.
//
// The process gets the bodies, and what stands around them, as a model when it starts
// (projector/ensemble/mjcf.c); what is exchanged in each step is in foreign/mujoco.h. MuJoCo ends
// its process where it cannot go on, which is one of the ways in which a foreign model fails.
#include "base/files/output.h"
#include "projector/ensemble/ensemble_int.h"
#include "projector/ensemble/foreign/archive.h"
#include "projector/ensemble/foreign/description.h"
#include "projector/ensemble/foreign/foreign.h"
#include "projector/ensemble/foreign/mujoco.h"

// m, m/s, rad/s: beyond lies divergence, as in the physics.
static const double FAR = 1e3, FAST = 1e2, SPIN = 2e3;

_Static_assert((int)MUJOCO_BODY == (int)MODEL_BODY_WIDTH, "a body is exchanged as a port has it");

typedef struct mujoco_player {
    model model; // first
    arena *arena;
    const char *name;
    char *xml, *folder;
    foreign_options options;
    foreign *running; // NULL: not started
    const world_model *world;
    size_t count;
    size_t *bodies;   // of the world, in the order of the outputs
    uint64_t *handed; // by body: how often it was handed over
    bool *owned;      // by body
    double *given;    // MUJOCO_GIVEN for each body
    sim_contact *contacts;
    size_t contact_count;
} mujoco_player;

static size_t output_count(size_t bodies) {
    return bodies * (MUJOCO_BODY + MUJOCO_CONTACTS_EACH * MUJOCO_CONTACT);
}

static void mujoco_destroy(model *base) {
    mujoco_player *p = (mujoco_player *)base;
    foreign_close(p->running);
    archive_remove(p->folder);
    free(p->xml);
    array_finish(&base->events);
    arena_destroy(p->arena);
    free(p);
}

static status find_bodies(mujoco_player *p, const model_setup *setup, model_port *ports,
                          error *err) {
    for (size_t i = 0; i < p->count; i++) {
        int64_t body = world_find_body(setup->world, setup->outputs[i]);
        if (body < 0)
            return error_set(err, E_INPUT,
                             "`%s` moves bodies, each under its name, and there is no body `%s`",
                             setup->name, setup->outputs[i]);
        const world_body *b = &setup->world->bodies[body];
        if (b->fixed || b->particle || world_joint_of(setup->world, (size_t)body) >= 0)
            return error_set(err, E_INPUT,
                             "`%s` cannot move `%s`: it is fixed, a particle, or hangs on a joint",
                             setup->name, b->name);
        p->bodies[i] = (size_t)body;
        ports[i] = (model_port){
            .name = setup->world->bodies[body].name, .kind = PORT_BODY, .at = i * MUJOCO_BODY};
    }
    return OK;
}

static status mujoco_create(const model_setup *setup, model **out, error *err) {
    mujoco_player *p = mem_must(1, sizeof *p);
    arena *a = p->arena = arena_create();
    size_t n = p->count = setup->output_count;
    model_port *ports = arena_alloc(a, (n + 1) * sizeof *ports);
    p->name = arena_strdup(a, setup->name);
    p->options = foreign_options_within(model_setting_of(setup, "timeout"));
    p->world = setup->world;
    p->bodies = arena_alloc(a, (n + 1) * sizeof *p->bodies);
    p->handed = arena_alloc(a, (n + 1) * sizeof *p->handed);
    p->owned = arena_alloc(a, (n + 1) * sizeof *p->owned);
    p->given = arena_alloc(a, (n + 1) * MUJOCO_GIVEN * sizeof *p->given);
    p->contacts = arena_alloc(a, (n + 1) * MUJOCO_CONTACTS_EACH * sizeof *p->contacts);
    p->model = (model){.class = &MUJOCO_MODEL,
                       .outputs = ports,
                       .output_count = n,
                       .out = arena_alloc(a, (n + 1) * MUJOCO_BODY * sizeof(double))};
    status st = OK;
    if (n == 0 || n > MUJOCO_BODIES_MAX)
        st = error_set(err, E_INPUT,
                       "`%s` moves no body, or more than %d: it needs `outputs`, such as { "
                       "pose(box_1): box_1 }",
                       p->name, MUJOCO_BODIES_MAX);
    if (st == OK)
        st = find_bodies(p, setup, ports, err);
    if (st == OK)
        st = player_check_events(setup, err);
    if (st == OK)
        st = mjcf_write(setup->world, p->bodies, n, (size_t)model_setting_of(setup, "contacts"),
                        &p->xml, err);
    if (st == OK)
        *out = &p->model;
    else
        mujoco_destroy(&p->model);
    return st;
}

static status write_model(mujoco_player *p, error *err) {
    status st = archive_folder(&p->folder, err);
    if (st != OK)
        return st;
    const output_file file = {.path = arena_format(p->arena, "%s/" MUJOCO_FILE, p->folder),
                              .bytes = p->xml,
                              .length = strlen(p->xml),
                              .policy = &(output_policy){.what = "holds no model", .own = true}};
    return output_write(&file, 1, false, err);
}

static status mujoco_start(model *base, nanos t, error *err) {
    mujoco_player *p = (mujoco_player *)base;
    size_t in = p->count * MUJOCO_GIVEN, out = output_count(p->count);
    status st = write_model(p, err);
    if (st != OK)
        return st;
    foreign_variable *all = mem_must(in + out, sizeof *all);
    for (size_t i = 0; i < in + out; i++)
        all[i] = (foreign_variable){.name = i < in ? "an input" : "a pose or contact",
                                    .reference = (uint32_t)(i < in ? i : i - in),
                                    .kind = VARIABLE_FLOAT64};
    foreign_setup s = {.guest = "mujoco",
                       .name = p->name,
                       .folder = p->folder,
                       .library = MUJOCO_LIBRARY,
                       .inputs = all,
                       .input_count = in,
                       .outputs = all + in,
                       .output_count = out,
                       .start = t};
    st = foreign_start(&s, &p->options, &p->running, err);
    free(all);
    return st;
}

static status mujoco_post(model *base, nanos t, nanos dt, error *err) {
    (void)err;
    mujoco_player *p = (mujoco_player *)base;
    for (size_t i = 0; i < p->count; i++)
        p->given[i * MUJOCO_GIVEN] = p->owned[i] ? (double)p->handed[i] : 0;
    foreign_post(p->running, t, dt, p->given);
    return OK;
}

// Copies pose and velocity, from its frame to its centre of mass (to = 1) or back (to = -1).
static void copy_body(const mujoco_player *p, size_t i, double to, const double *from, double *x) {
    memcpy(x, from, MUJOCO_BODY * sizeof *x);
    vec3 arm = v3_scale(p->world->bodies[p->bodies[i]].type->com, to);
    arm = quat_rotate((quat){x[3], x[4], x[5], x[6]}, arm);
    vec3 moves = v3_cross(v3(x[10], x[11], x[12]), arm);
    x[0] += arm.x, x[1] += arm.y, x[2] += arm.z;
    x[7] += moves.x, x[8] += moves.y, x[9] += moves.z;
}

static double greatest(const double *v) {
    return fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
}

static status take_bodies(mujoco_player *p, const double *out, error *err) {
    for (size_t i = 0; i < p->count; i++) {
        const double *x = out + i * MUJOCO_BODY;
        if (!p->owned[i])
            continue;
        if (!(greatest(x) <= FAR) || !(greatest(x + 7) <= FAST) || !(greatest(x + 10) <= SPIN))
            return error_set(err, E_DIVERGED,
                             "it diverged: %s left the sane range of poses and velocities",
                             p->model.outputs[i].name);
    }
    for (size_t i = 0; i < p->count; i++)
        if (p->owned[i])
            copy_body(p, i, -1, out + i * MUJOCO_BODY, p->model.out + i * MUJOCO_BODY);
    return OK;
}

static void take_contacts(mujoco_player *p, const double *out) {
    p->contact_count = 0;
    for (size_t i = 0; i < p->count * MUJOCO_CONTACTS_EACH; i++) {
        const double *x = out + p->count * MUJOCO_BODY + i * MUJOCO_CONTACT;
        if (!(x[0] >= 0) || !(x[1] > x[0]) || !(x[1] < (double)p->world->body_count))
            break;
        p->contacts[p->contact_count++] = (sim_contact){.a = (size_t)x[0],
                                                        .b = (size_t)x[1],
                                                        .point = v3_from(x + 2),
                                                        .normal = v3_from(x + 5),
                                                        .force = v3_from(x + 8),
                                                        .approach = x[11],
                                                        .depth = x[12]};
    }
}

static status mujoco_step(model *base, nanos t, nanos dt, error *err) {
    mujoco_player *p = (mujoco_player *)base;
    (void)t;
    (void)dt; // as they were posted
    status st = foreign_take(p->running, err);
    if (st == OK)
        st = take_bodies(p, foreign_outputs(p->running), err);
    if (st == OK)
        take_contacts(p, foreign_outputs(p->running));
    return st;
}

static void mujoco_responsible(model *base, int64_t entity, const char *attribute, bool on) {
    mujoco_player *p = (mujoco_player *)base;
    (void)attribute; // of the bodies that it moves nothing else
    for (size_t i = 0; i < p->count; i++) {
        if ((int64_t)p->bodies[i] != entity)
            continue;
        p->owned[i] = on;
        if (on) {
            p->handed[i]++;
            copy_body(p, i, 1, base->out + i * MUJOCO_BODY, p->given + i * MUJOCO_GIVEN + 1);
        }
    }
}

static const sim_contact *mujoco_contacts(const model *base, size_t *count) {
    const mujoco_player *p = (const mujoco_player *)base;
    *count = p->contact_count;
    return p->contacts;
}

const model_class MUJOCO_MODEL = {.name = "mujoco",
                                  .moves = true,
                                  .create = mujoco_create,
                                  .start = mujoco_start,
                                  .post = mujoco_post,
                                  .step = mujoco_step,
                                  .set_responsible = mujoco_responsible,
                                  .contacts = mujoco_contacts,
                                  .destroy = mujoco_destroy};
