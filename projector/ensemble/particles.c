// projector/ensemble/particles.c - what a body contains, moved beside physics in a process of its
// own.
//
// The process gets the particles, the body that they are in and all that never moves as a text when
// it starts; what is exchanged in each step is in foreign/particles.h. It has the same soft spheres
// as physics, and what they exert on the body comes to physics one step late.
#include "base/files/output.h"
#include "base/text/text.h"
#include "projector/ensemble/ensemble_int.h"
#include "projector/ensemble/foreign/archive.h"
#include "projector/ensemble/foreign/description.h"
#include "projector/ensemble/foreign/foreign.h"
#include "projector/ensemble/foreign/particles.h"
#include "projector/world/contents.h"

static const double FAR = 1e3, FAST = 1e2; // m, m/s: beyond lies divergence, as in physics

_Static_assert((int)PARTICLES_CARRIER == (int)MODEL_BODY_WIDTH,
               "a body is exchanged as a port has it");

typedef struct particles_player {
    model model; // first
    arena *arena;
    const char *name;
    char *folder;
    text_buffer file;
    foreign_options options;
    foreign *running; // NULL: not started
    size_t count, input_count, output_count;
    double *given;
    sim_grain *grains;
    sim_contact *contacts;
    size_t contact_count;
    double load[PARTICLES_LOAD];
    double in[MODEL_BODY_WIDTH], out[1];
} particles_player;

static const model_port inputs[] = {{"carrier", PORT_BODY, 0, NULL, false}};
static const model_port outputs[] = {{ENSEMBLE_CONTENTS, PORT_SCALAR, 0, "1", false}};

static void particles_destroy(model *base) {
    particles_player *p = (particles_player *)base;
    foreign_close(p->running);
    archive_remove(p->folder);
    text_finish(&p->file);
    array_finish(&base->events);
    arena_destroy(p->arena);
    free(p);
}

// ---- What the process is told of the world ------------------------------------------------------

// Kinds of bodies, each with a row of the table of frictions.
typedef struct kinds {
    const body_type **all;
    size_t count;
} kinds;

static size_t kind_of(kinds *k, const body_type *type) {
    size_t i = 0;
    while (i < k->count && k->all[i] != type)
        i++;
    if (i == k->count)
        k->all[k->count++] = type;
    return i;
}

static void put_vector(text_buffer *x, vec3 v) {
    text_add(x, " %.17g %.17g %.17g", v.x, v.y, v.z);
}

static void put_pose(text_buffer *x, pose at) {
    put_vector(x, at.p);
    text_add(x, " %.17g %.17g %.17g %.17g", at.q.w, at.q.x, at.q.y, at.q.z);
}

static void put_mesh(text_buffer *x, const mesh *m) {
    text_buffer own = {0};
    for (size_t i = 0; i < m->vertex_count; i++)
        text_add(&own, "v %.17g %.17g %.17g\n", m->vertices[i].x, m->vertices[i].y,
                 m->vertices[i].z);
    for (size_t i = 0; i < m->triangle_count; i++)
        text_add(&own, "f %u %u %u\n", m->triangles[i][0] + 1, m->triangles[i][1] + 1,
                 m->triangles[i][2] + 1);
    text_add(x, " %zu\n%s", own.count, text_string(&own));
    text_finish(&own);
}

static size_t put_shapes(text_buffer *x, const world_model *w, size_t body, kinds *k) {
    const world_body *b = &w->bodies[body];
    for (size_t i = 0; i < b->type->shape_count; i++) {
        const shape *s = &b->type->shapes[i];
        text_add(x, "%zu %zu %zu %d", body, i, kind_of(k, b->type), (int)s->kind);
        put_pose(x, b->at);
        put_pose(x, s->at);
        put_vector(x, s->size);
        if (s->kind == SHAPE_MESH)
            put_mesh(x, s->mesh);
        else
            text_put(x, " 0\n");
    }
    return b->type->shape_count;
}

// Writes what the process reads when it starts.
static void write_world(particles_player *p, const model_setup *setup, size_t vessel) {
    const world_model *w = setup->world;
    text_buffer items = {0}, shapes = {0};
    kinds k = {.all = arena_alloc(p->arena, (w->body_count + 1) * sizeof *k.all)};
    size_t n = 0, shape_count = put_shapes(&shapes, w, vessel, &k); // the first are the body's own
    for (size_t i = 0; i < w->body_count; i++) {
        const world_body *b = &w->bodies[i];
        if (b->particle && b->inside == (int64_t)vessel) {
            p->grains[n++].entity = i;
            text_add(&items, "%zu %zu %.17g %.17g %.17g\n", i, kind_of(&k, b->type),
                     b->type->shapes[0].size.x, b->type->mass, b->type->restitution);
        } else if (i != vessel && b->fixed && !b->absent) {
            shape_count += put_shapes(&shapes, w, i, &k);
        }
    }
    text_add(&p->file, "%.17g", seconds(setup->every));
    put_vector(&p->file, w->gravity);
    put_vector(&p->file, w->bodies[vessel].type->com);
    text_add(&p->file, " %zu %zu %zu\n%s", n, k.count, shape_count, text_string(&items));
    for (size_t a = 0; a < k.count; a++)
        for (size_t b = 0; b < k.count; b++)
            text_add(&p->file, "%.17g\n",
                     world_friction(w, k.all[a]->material, k.all[a]->friction, k.all[b]->material,
                                    k.all[b]->friction));
    text_put(&p->file, text_string(&shapes));
    text_finish(&items);
    text_finish(&shapes);
}

static size_t count_contents(const world_model *w, int64_t vessel) {
    size_t count = 0;
    for (size_t i = 0; i < w->body_count; i++)
        count += w->bodies[i].particle && w->bodies[i].inside == vessel;
    return count;
}

static status particles_create(const model_setup *setup, model **out, error *err) {
    const char *carrier = setup->settings[0].text;
    int64_t vessel = world_find_body(setup->world, carrier);
    size_t n = vessel < 0 ? 0 : count_contents(setup->world, vessel);
    if (n == 0)
        return error_set(err, E_INPUT,
                         "`%s` moves what `%s` contains, and no body of that name has a `fill`",
                         setup->name, carrier);
    status st = player_check_events(setup, err);
    if (st != OK)
        return st;
    particles_player *p = mem_must(1, sizeof *p);
    arena *a = p->arena = arena_create();
    p->name = arena_strdup(a, setup->name);
    p->options = foreign_options_within(model_setting_of(setup, "timeout"));
    p->count = n;
    p->input_count = PARTICLES_HANDED + 1 + n * PARTICLES_GIVEN;
    p->output_count =
        n * PARTICLES_MOVED + PARTICLES_LOAD + n * PARTICLES_TOUCHES * PARTICLES_TOUCH;
    p->given = arena_alloc(a, p->input_count * sizeof *p->given);
    p->grains = arena_alloc(a, n * sizeof *p->grains);
    p->contacts = arena_alloc(a, n * PARTICLES_TOUCHES * sizeof *p->contacts);
    p->out[0] = (double)n;
    p->model = (model){.class = &PARTICLES_MODEL,
                       .inputs = inputs,
                       .outputs = outputs,
                       .input_count = 1,
                       .output_count = 1,
                       .in = p->in,
                       .out = p->out};
    write_world(p, setup, (size_t)vessel);
    *out = &p->model;
    return OK;
}

// ---- Running ------------------------------------------------------------------------------------

static status write_file(particles_player *p, error *err) {
    status st = archive_folder(&p->folder, err);
    if (st != OK)
        return st;
    const output_file file = {.path = arena_format(p->arena, "%s/" PARTICLES_FILE, p->folder),
                              .bytes = text_string(&p->file),
                              .length = p->file.count,
                              .policy =
                                  &(output_policy){.what = "holds no particles", .own = true}};
    return output_write(&file, 1, false, err);
}

static status particles_start(model *base, nanos t, error *err) {
    particles_player *p = (particles_player *)base;
    size_t all_count = p->input_count + p->output_count;
    status st = write_file(p, err);
    if (st != OK)
        return st;
    foreign_variable *all = mem_must(all_count, sizeof *all);
    for (size_t i = 0; i < all_count; i++)
        all[i] =
            (foreign_variable){.name = i < p->input_count ? "an input" : "a particle",
                               .reference = (uint32_t)(i < p->input_count ? i : i - p->input_count),
                               .kind = VARIABLE_FLOAT64};
    foreign_setup s = {.guest = "particles",
                       .name = p->name,
                       .folder = p->folder,
                       .inputs = all,
                       .input_count = p->input_count,
                       .outputs = all + p->input_count,
                       .output_count = p->output_count,
                       .start = t};
    st = foreign_start(&s, &p->options, &p->running, err);
    free(all);
    return st;
}

static status particles_post(model *base, nanos t, nanos dt, error *err) {
    (void)err;
    particles_player *p = (particles_player *)base;
    memcpy(p->given, p->in, sizeof p->in);
    foreign_post(p->running, t, dt, p->given);
    return OK;
}

static status take_grains(particles_player *p, const double *x, error *err) {
    for (size_t i = 0; i < p->count; i++, x += PARTICLES_MOVED) {
        if (!(v3_length(v3_from(x)) <= FAR) || !(v3_length(v3_from(x + 3)) <= FAST))
            return error_set(err, E_DIVERGED,
                             "it diverged: particle %zu left the sane range of places and speeds",
                             i + 1);
    }
    for (size_t i = 0; i < p->count; i++) {
        x -= PARTICLES_MOVED;
        sim_grain *q = &p->grains[p->count - 1 - i];
        q->x = v3_from(x);
        q->v = v3_from(x + 3);
    }
    return OK;
}

static int contact_order(const void *x, const void *y) {
    const sim_contact *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static void take_contacts(particles_player *p, const double *x) {
    p->contact_count = 0;
    for (size_t i = 0; i < p->count * PARTICLES_TOUCHES; i++, x += PARTICLES_TOUCH) {
        if (!(x[0] >= 0) || !(x[0] < (double)p->count) || !(x[1] >= 0) || !(x[1] < 1e9))
            break;
        const grain_touch t = {.entity = (size_t)x[1],
                               .force = v3_from(x + 2),
                               .point = v3_from(x + 5),
                               .normal = v3_from(x + 8),
                               .approach = x[11],
                               .depth = x[12]};
        p->contacts[p->contact_count++] =
            sim_grain_contact(p->grains[(size_t)x[0]].entity, &t, false);
    }
    if (p->contact_count > 0)
        qsort(p->contacts, p->contact_count, sizeof *p->contacts, contact_order);
}

static status particles_step(model *base, nanos t, nanos dt, error *err) {
    particles_player *p = (particles_player *)base;
    (void)t;
    (void)dt; // as they were posted
    status st = foreign_take(p->running, err);
    const double *x = st == OK ? foreign_outputs(p->running) : NULL;
    if (st == OK)
        st = take_grains(p, x, err);
    if (st != OK)
        return st;
    x += p->count * PARTICLES_MOVED;
    memcpy(p->load, x, sizeof p->load);
    take_contacts(p, x + PARTICLES_LOAD);
    return OK;
}

static void particles_fill(model *base, const sim_grain *all) {
    particles_player *p = (particles_player *)base;
    p->given[PARTICLES_HANDED]++;
    p->contact_count = 0;
    memcpy(p->grains, all, p->count * sizeof *all);
    for (size_t i = 0; i < p->count; i++) {
        const double one[PARTICLES_GIVEN] = {all[i].here, all[i].x.x, all[i].x.y, all[i].x.z,
                                             all[i].v.x,  all[i].v.y, all[i].v.z};
        memcpy(p->given + PARTICLES_HANDED + 1 + i * PARTICLES_GIVEN, one, sizeof one);
    }
}

static const sim_grain *particles_contents(const model *base, const double **load) {
    const particles_player *p = (const particles_player *)base;
    *load = p->load;
    return p->grains;
}

static const sim_contact *particles_contacts(const model *base, size_t *count) {
    const particles_player *p = (const particles_player *)base;
    *count = p->contact_count;
    return p->contacts;
}

const model_class PARTICLES_MODEL = {.name = "particles",
                                     .create = particles_create,
                                     .start = particles_start,
                                     .post = particles_post,
                                     .step = particles_step,
                                     .fill = particles_fill,
                                     .contents = particles_contents,
                                     .contacts = particles_contacts,
                                     .destroy = particles_destroy};
