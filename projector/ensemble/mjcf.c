// projector/ensemble/mjcf.c - bodies of a world as a model of MuJoCo, in its format MJCF.
//
// MuJoCo would mix the friction of two geoms by itself: instead each pair that may touch is named,
// with the friction that the world's materials have together.
#include "base/text/text.h"
#include "projector/ensemble/ensemble_int.h"

// A contact is a critically damped spring with this time constant, s, which stands for at least two
// steps of MuJoCo. With MuJoCo's own, 0.02 s, stacks sink in by 2 to 4 mm.
static const double SOLREF = 0.004;
// How much harder friction is than the spring along the normal, so that it hardly creeps.
static const double IMPRATIO = 100;
enum { NOSLIP_ITERATIONS = 20 }; // that take the rest of the creeping away

static void put_numbers(text_buffer *x, const char *name, const double *v, int count) {
    text_add(x, " %s=\"", name);
    for (int i = 0; i < count; i++)
        text_add(x, "%s%.17g", i ? " " : "", v[i]);
    text_put(x, "\"");
}

static void put_pose(text_buffer *x, pose at) {
    put_numbers(x, "pos", (const double[]){at.p.x, at.p.y, at.p.z}, 3);
    put_numbers(x, "quat", (const double[]){at.q.w, at.q.x, at.q.y, at.q.z}, 4);
}

static void put_mesh(text_buffer *assets, size_t entity, size_t number, const mesh *m) {
    text_add(assets, "<mesh name=\"m%zu_%zu\" vertex=\"", entity, number);
    for (size_t i = 0; i < m->vertex_count; i++)
        text_add(assets, "%s%.17g %.17g %.17g", i ? " " : "", m->vertices[i].x, m->vertices[i].y,
                 m->vertices[i].z);
    text_put(assets, "\"/>\n");
}

static status put_geom(text_buffer *x, text_buffer *assets, const world_body *b, size_t entity,
                       size_t number, pose at, error *err) {
    const shape *s = &b->type->shapes[number];
    text_add(x, "<geom name=\"g%zu_%zu\"", entity, number);
    put_pose(x, pose_mul(at, s->at));
    switch (s->kind) {
    case SHAPE_BOX:
        put_numbers(x, "type=\"box\" size",
                    (const double[]){s->size.x / 2, s->size.y / 2, s->size.z / 2}, 3);
        break;
    case SHAPE_CYLINDER:
        put_numbers(x, "type=\"cylinder\" size", (const double[]){s->size.x, s->size.z / 2}, 2);
        break;
    case SHAPE_SPHERE:
        put_numbers(x, "type=\"sphere\" size", (const double[]){s->size.x}, 1);
        break;
    case SHAPE_CAPSULE:
        put_numbers(x, "type=\"capsule\" size", (const double[]){s->size.x, s->size.z / 2}, 2);
        break;
    case SHAPE_PLANE:
        if (!b->fixed)
            return error_set(err, E_INPUT,
                             "`%s` is made of a plane, which MuJoCo has of what never moves alone",
                             b->name);
        text_put(x, " type=\"plane\" size=\"0 0 1\"");
        break;
    case SHAPE_MESH:
        if (!s->mesh->convex)
            return error_set(err, E_INPUT,
                             "`%s` has a mesh that is not convex, and MuJoCo would fill its "
                             "hollows: make it of parts, or take its `hull`",
                             b->name);
        put_mesh(assets, entity, number, s->mesh);
        text_add(x, " type=\"mesh\" mesh=\"m%zu_%zu\"", entity, number);
        break;
    }
    text_put(x, "/>\n");
    return OK;
}

// Its frame stands at its centre of mass, so that it flies as one.
static status put_body(text_buffer *x, text_buffer *assets, const world_body *b, size_t entity,
                       error *err) {
    const body_type *type = b->type;
    const double(*i)[3] = type->inertia.m;
    const pose off_center = {v3_scale(type->com, -1), {1, 0, 0, 0}};
    status st = OK;
    text_add(x, "<body name=\"b%zu\"", entity);
    put_pose(x, (pose){pose_apply(b->at, type->com), b->at.q});
    text_put(x, "><freejoint/><inertial pos=\"0 0 0\"");
    put_numbers(x, "mass", &type->mass, 1);
    put_numbers(x, "fullinertia",
                (const double[]){i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2]}, 6);
    text_put(x, "/>\n");
    for (size_t k = 0; st == OK && k < type->shape_count; k++)
        st = put_geom(x, assets, b, entity, k, off_center, err);
    text_put(x, "</body>\n");
    return st;
}

static bool passes_through(const world_model *w, size_t a, size_t b) {
    const world_exceptions *x = w->exceptions;
    for (size_t i = 0; x && i < x->ghostly_count; i++)
        if (x->ghostly[i][0] == (a < b ? a : b) && x->ghostly[i][1] == (a < b ? b : a))
            return true;
    return false;
}

static void put_pairs(text_buffer *x, const world_model *w, size_t a, size_t b) {
    const body_type *p = w->bodies[a].type, *q = w->bodies[b].type;
    double mu = world_friction(w, p->material, p->friction, q->material, q->friction);
    for (size_t i = 0; !passes_through(w, a, b) && i < p->shape_count; i++)
        for (size_t k = 0; k < q->shape_count; k++) {
            text_add(x, "<pair geom1=\"g%zu_%zu\" geom2=\"g%zu_%zu\" condim=\"3\"", a, i, b, k);
            put_numbers(x, "friction", (const double[]){mu, mu, 0, 0, 0}, 5);
            put_numbers(x, "solref", (const double[]){SOLREF, 1}, 2);
            text_put(x, "/>\n");
        }
}

static bool stands(const world_body *b) {
    return b->fixed && !b->absent;
}

status mjcf_write(const world_model *w, const size_t *bodies, size_t count, size_t contacts,
                  char **xml, error *err) {
    text_buffer x = {0}, assets = {0};
    status st = OK;
    text_add(&x,
             "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n"
             "<size nconmax=\"%zu\" njmax=\"%zu\"/>\n<option cone=\"elliptic\" "
             "noslip_iterations=\"%d\"",
             contacts, 3 * contacts, NOSLIP_ITERATIONS);
    put_numbers(&x, "impratio", &IMPRATIO, 1);
    put_numbers(&x, "gravity", (const double[]){w->gravity.x, w->gravity.y, w->gravity.z}, 3);
    // Shapes that are no boxes would touch in one point, on which what stands turns as a coin does.
    text_put(&x, "><flag multiccd=\"enable\"/></option>\n<default><geom contype=\"0\" "
                 "conaffinity=\"0\"/></default>\n<worldbody>\n");
    for (size_t b = 0; st == OK && b < w->body_count; b++)
        for (size_t k = 0; st == OK && stands(&w->bodies[b]) && k < w->bodies[b].type->shape_count;
             k++)
            st = put_geom(&x, &assets, &w->bodies[b], b, k, w->bodies[b].at, err);
    for (size_t i = 0; st == OK && i < count; i++)
        st = put_body(&x, &assets, &w->bodies[bodies[i]], bodies[i], err);
    text_add(&x, "</worldbody>\n<asset>\n%s</asset>\n<contact>\n", text_string(&assets));
    for (size_t i = 0; st == OK && i < count; i++) {
        for (size_t b = 0; b < w->body_count; b++)
            if (stands(&w->bodies[b]))
                put_pairs(&x, w, bodies[i], b);
        for (size_t k = 0; k < i; k++)
            put_pairs(&x, w, bodies[k], bodies[i]);
    }
    text_put(&x, "</contact>\n</mujoco>\n");
    text_finish(&assets);
    if (st == OK)
        *xml = text_take(&x);
    else
        text_finish(&x);
    return st;
}
