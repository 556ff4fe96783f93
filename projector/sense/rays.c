// projector/sense/rays.c - what rays of the senses can hit, and points that they are sent to.
#include "projector/sense/rays.h"

#include <math.h>

static void solid_bound(ray_solid *solid) {
    // Planes reach everywhere; everything else fits in the sphere about its bounds.
    for (size_t i = 0; i < solid->shape_count; i++)
        if (solid->shapes[i].kind == SHAPE_PLANE) {
            solid->radius = INFINITY;
            return;
        }
    vec3 low, high;
    if (!shapes_bounds(solid->shapes, solid->shape_count, POSE_IDENTITY, &low, &high)) {
        solid->radius = -1; // nothing to hit
        return;
    }
    solid->center = v3_scale(v3_add(low, high), 0.5);
    solid->radius = 0.5 * v3_distance(low, high);
}

size_t ray_scene_met(const ray_scene *rs, vec3 from, vec3 direction, size_t except,
                     double *distance) {
    size_t met = SIZE_MAX;
    *distance = INFINITY;
    for (size_t i = 0; i < rs->count; i++) {
        double d = i == except || !rs->solids[i].present || rs->solids[i].radius < 0
                       ? INFINITY
                       : ray_solid_hit(&rs->solids[i], from, direction);
        if (d < *distance) {
            *distance = d;
            met = i;
        }
    }
    return met;
}

vec3 ray_sample(const ray_solid *solid, size_t part, int i) {
    const vec3 *surface = solid->surfaces[part];
    return pose_apply(solid->shape_at[part],
                      surface ? surface[i % RAY_SAMPLES] : shape_sample(&solid->shapes[part], i));
}

static const vec3 *surface_of(ray_scene *rs, const mesh *m) {
    for (size_t i = 0; i < rs->surfaces.count; i++)
        if (rs->surfaces.items[i]->mesh == m)
            return rs->surfaces.items[i]->points;
    ray_surface *made = mem_must(1, sizeof *made);
    made->mesh = m;
    mesh_sample(m, made->points, RAY_SAMPLES);
    array_push(&rs->surfaces, made);
    return made->points;
}

void ray_scene_follow(ray_scene *rs, const world_model *w) {
    for (size_t i = 0; i < rs->count; i++)
        rs->solids[i].transparent = w->exceptions && w->exceptions->transparent[i];
}

void ray_scene_init(const world_model *w, const sim *s, ray_scene *out) {
    const robot_model *r = sim_robots(s);
    ray_scene rs = {.count = sim_entity_count(s)};
    rs.solids = mem_must(rs.count, sizeof *rs.solids);
    rs.hand_shapes = mem_must(3 * r->arm_count + 1, sizeof *rs.hand_shapes);
    rs.ahead = mem_must(rs.count, sizeof *rs.ahead);
    rs.near = mem_must(rs.count, sizeof *rs.near);
    rs.hits = mem_must(rs.count, sizeof *rs.hits);
    for (size_t i = 0; i < w->body_count; i++) {
        if (w->bodies[i].particle)
            continue;
        rs.solids[i].shapes = w->bodies[i].type->shapes;
        rs.solids[i].shape_count = w->bodies[i].type->shape_count;
    }
    for (size_t i = 0; i < r->link_count; i++) {
        ray_solid *solid = &rs.solids[sim_entity_link(s, i)];
        solid->shapes = r->links[i].shapes;
        solid->shape_count = r->links[i].shape_count;
    }
    for (size_t i = 0; i < r->arm_count; i++) {
        const robot_gripper *g = &r->arms[i].gripper;
        shape *box = &rs.hand_shapes[3 * i];
        box[0] =
            (shape){.kind = SHAPE_BOX, .at = {g->palm_center, {1, 0, 0, 0}}, .size = g->palm_size};
        box[1] = box[2] = (shape){.kind = SHAPE_BOX, .at = POSE_IDENTITY, .size = g->pad_size};
        size_t entity[3] = {sim_entity_palm(s, i), sim_entity_finger(s, i, 1),
                            sim_entity_finger(s, i, 2)};
        for (int k = 0; k < 3; k++) {
            rs.solids[entity[k]].shapes = &box[k];
            rs.solids[entity[k]].shape_count = 1;
        }
    }
    size_t shapes = 0;
    ray_scene_follow(&rs, w);
    for (size_t i = 0; i < rs.count; i++)
        shapes += rs.solids[i].shape_count;
    rs.shape_poses = mem_must(shapes + 1, sizeof *rs.shape_poses);
    rs.shape_surfaces = mem_must(shapes + 1, sizeof *rs.shape_surfaces);
    size_t next = 0;
    for (size_t i = 0; i < rs.count; i++) {
        ray_solid *solid = &rs.solids[i];
        solid_bound(solid);
        solid->at.q.w = 2; // no pose: the first refresh places it
        solid->shape_at = rs.shape_poses + next;
        solid->surfaces = rs.shape_surfaces + next;
        for (size_t k = 0; k < solid->shape_count; k++)
            if (solid->shapes[k].kind == SHAPE_MESH)
                solid->surfaces[k] = surface_of(&rs, solid->shapes[k].mesh);
        next += solid->shape_count;
    }
    *out = rs;
    ray_scene_refresh(out, s);
}

void ray_scene_finish(ray_scene *rs) {
    free(rs->solids);
    free(rs->hand_shapes);
    free(rs->shape_poses);
    free(rs->shape_surfaces);
    for (size_t i = 0; i < rs->surfaces.count; i++)
        free(rs->surfaces.items[i]);
    array_finish(&rs->surfaces);
    free(rs->ahead);
    free(rs->near);
    free(rs->hits);
    *rs = (ray_scene){0};
}

static bool same_pose(pose a, pose b) {
    return a.p.x == b.p.x && a.p.y == b.p.y && a.p.z == b.p.z && a.q.w == b.q.w && a.q.x == b.q.x &&
           a.q.y == b.q.y && a.q.z == b.q.z;
}

void ray_scene_refresh(ray_scene *rs, const sim *s) {
    for (size_t i = 0; i < rs->count; i++) {
        ray_solid *solid = &rs->solids[i];
        solid->present = sim_present(s, i);
        if (!solid->present || solid->radius < 0)
            continue;
        pose now = sim_pose(s, i);
        if (same_pose(now, solid->at))
            continue; // most things rest
        solid->at = now;
        solid->center_w = pose_apply(solid->at, solid->center);
        for (size_t k = 0; k < solid->shape_count; k++)
            solid->shape_at[k] = pose_mul(solid->at, solid->shapes[k].at);
    }
}

double ray_solid_hit(const ray_solid *solid, vec3 origin, vec3 direction) {
    if (solid->radius < 0 || !solid->present)
        return INFINITY;
    if (!isinf(solid->radius)) {
        // The ray must pass the bounding sphere.
        vec3 to = v3_sub(solid->center_w, origin);
        double along = v3_dot(to, direction);
        double aside2 = v3_dot(to, to) - along * along;
        if (along < -solid->radius || aside2 > solid->radius * solid->radius)
            return INFINITY;
    }
    double nearest = INFINITY;
    for (size_t i = 0; i < solid->shape_count; i++)
        nearest =
            fmin(nearest, shape_ray(&solid->shapes[i], solid->shape_at[i], origin, direction));
    return nearest;
}
