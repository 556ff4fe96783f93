// projector/world/geoms.c - shapes as ODE has them.
#include "projector/world/sim_int.h"

// The data that ODE makes of a mesh once, for all shapes that use it.
static dTriMeshDataID mesh_data(sim *s, const mesh *m) {
    for (size_t i = 0; i < s->meshes.count; i++)
        if (s->meshes.items[i].mesh == m)
            return s->meshes.items[i].data;
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, m->vertices, sizeof *m->vertices, (int)m->vertex_count,
                                m->triangles, (int)(3 * m->triangle_count), sizeof *m->triangles);
    array_push(&s->meshes, (trimesh){m, data});
    return data;
}

static dGeomID geom_of(sim *s, const shape *g, pose at) {
    switch (g->kind) {
    case SHAPE_BOX:
        return dCreateBox(NULL, g->size.x, g->size.y, g->size.z);
    case SHAPE_CYLINDER:
        return dCreateCylinder(NULL, g->size.x, g->size.z);
    case SHAPE_SPHERE:
        return dCreateSphere(NULL, g->size.x);
    case SHAPE_CAPSULE:
        return dCreateCapsule(NULL, g->size.x, g->size.z);
    case SHAPE_PLANE: {
        vec3 n = quat_rotate(at.q, v3(0, 0, 1));
        return dCreatePlane(NULL, n.x, n.y, n.z, v3_dot(n, at.p));
    }
    case SHAPE_MESH:
        return dCreateTriMesh(NULL, mesh_data(s, g->mesh), NULL, NULL, NULL);
    }
    return NULL;
}

static double mesh_area(const mesh *m) {
    double sum = 0;
    for (size_t i = 0; i < m->triangle_count; i++) {
        vec3 a = m->vertices[m->triangles[i][0]];
        sum += v3_length(v3_cross(v3_sub(m->vertices[m->triangles[i][1]], a),
                                  v3_sub(m->vertices[m->triangles[i][2]], a))) /
               2;
    }
    return sum;
}

// What a shape measures through where it is thinnest; of a mesh, which has walls of one thickness
// more often than not: twice its volume over its surface.
static double shape_thickness(const shape *g) {
    switch (g->kind) {
    case SHAPE_BOX:
        return fmin(g->size.x, fmin(g->size.y, g->size.z));
    case SHAPE_CYLINDER:
        return fmin(2 * g->size.x, g->size.z);
    case SHAPE_SPHERE:
    case SHAPE_CAPSULE:
        return 2 * g->size.x;
    case SHAPE_PLANE:
        return INFINITY;
    case SHAPE_MESH:
        return fmax(2 * g->mesh->volume / mesh_area(g->mesh), 1e-3);
    }
    return INFINITY;
}

static const double ROUNDING = 1e-9; // m, by which the box around a part of the robot is larger

// The box around all shapes of a part of the robot, about `origin`.
static void find_box(collider *c, vec3 origin) {
    vec3 low, high;
    bool found = shapes_bounds(c->shapes, c->geom_count, POSE_IDENTITY, &low, &high);
    for (size_t i = 0; i < c->geom_count; i++)
        found &= c->shapes[i].kind != SHAPE_PLANE;
    c->middle = found ? v3_sub(v3_scale(v3_add(low, high), 0.5), origin) : v3(0, 0, 0);
    c->half = found ? v3_add(v3_scale(v3_sub(high, low), 0.5), v3(ROUNDING, ROUNDING, ROUNDING))
                    : v3(INFINITY, INFINITY, INFINITY);
}

void geoms_create(sim *s, collider *c, const shape *shapes, size_t count, pose at) {
    c->shapes = shapes;
    c->geom_count = count;
    c->geoms = mem_must(count ? count : 1, sizeof *c->geoms);
    c->geom_bounds = mem_must(count ? count : 1, sizeof *c->geom_bounds);
    c->geom_turns = mem_must(count ? count : 1, sizeof *c->geom_turns);
    c->thin = INFINITY;
    for (size_t i = 0; i < count; i++) {
        c->geom_turns[i] = quat_matrix(shapes[i].at.q);
        c->thin = fmin(c->thin, shape_thickness(&shapes[i]));
        s->thinnest = fmin(s->thinnest, c->thin);
        pose own = pose_mul(at, shapes[i].at);
        c->geoms[i] = geom_of(s, &shapes[i], own);
        c->round_shape |= shapes[i].kind == SHAPE_SPHERE || shapes[i].kind == SHAPE_CYLINDER ||
                          shapes[i].kind == SHAPE_CAPSULE;
        if (shapes[i].kind == SHAPE_PLANE || c->body)
            continue;
        dQuaternion q;
        quat_to_ode(own.q, q);
        dGeomSetPosition(c->geoms[i], own.p.x, own.p.y, own.p.z);
        dGeomSetQuaternion(c->geoms[i], q);
    }
    if (c->body)
        geoms_attach(c);
    if (c->kind == COLLIDER_LINK || c->kind == COLLIDER_HAND)
        find_box(c, c->com);
}

void geoms_attach(collider *c) {
    for (size_t i = 0; i < c->geom_count; i++) {
        pose own = c->shapes[i].at;
        dQuaternion q;
        quat_to_ode(own.q, q);
        dGeomSetBody(c->geoms[i], c->body);
        dGeomSetOffsetPosition(c->geoms[i], own.p.x - c->com.x, own.p.y - c->com.y,
                               own.p.z - c->com.z);
        dGeomSetOffsetQuaternion(c->geoms[i], q);
    }
}

void geoms_detach(collider *c) {
    for (size_t i = 0; i < c->geom_count; i++) {
        dGeomID g = c->geoms[i];
        dVector3 p;
        dQuaternion q;
        dGeomCopyPosition(g, p);
        dGeomGetQuaternion(g, q);
        dGeomSetBody(g, NULL);
        dGeomSetPosition(g, p[0], p[1], p[2]);
        dGeomSetQuaternion(g, q);
    }
}

void geoms_destroy(sim *s) {
    for (size_t e = 0; e < s->entity_count; e++) {
        collider *c = &s->colliders[e];
        for (size_t g = 0; g < c->geom_count; g++)
            dGeomDestroy(c->geoms[g]);
        free(c->geoms);
        free(c->geom_turns);
        free(c->geom_bounds);
    }
    for (size_t i = 0; i < s->meshes.count; i++)
        dGeomTriMeshDataDestroy(s->meshes.items[i].data);
    array_finish(&s->meshes);
}
