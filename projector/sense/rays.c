#include "projector/sense/rays.h"

#include <math.h>

static void bound(ray_solid *solid) {
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

status ray_scene_create(const world_model *w, const robot_model *r, const sim *s, ray_scene *out,
                        error *err) {
    ray_scene rs = {.count = sim_entity_count(s)};
    rs.solids = calloc(rs.count, sizeof *rs.solids);
    rs.hand_shapes = calloc(3 * r->arm_count + 1, sizeof *rs.hand_shapes);
    rs.near = calloc(rs.count, sizeof *rs.near);
    rs.hits = calloc(rs.count, sizeof *rs.hits);
    if (!rs.solids || !rs.hand_shapes || !rs.near || !rs.hits) {
        ray_scene_finish(&rs);
        return error_set(err, E_MEMORY, "no memory for the scene that the sensors see");
    }
    for (size_t i = 0; i < w->body_count; i++) {
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
        box[0] = (shape){SHAPE_BOX, {g->palm_center, {1, 0, 0, 0}}, g->palm_size};
        box[1] = box[2] = (shape){SHAPE_BOX, POSE_IDENTITY, g->pad_size};
        size_t entity[3] = {sim_entity_palm(s, i), sim_entity_finger(s, i, 1),
                            sim_entity_finger(s, i, 2)};
        for (int k = 0; k < 3; k++) {
            rs.solids[entity[k]].shapes = &box[k];
            rs.solids[entity[k]].shape_count = 1;
        }
    }
    size_t shapes = 0;
    for (size_t i = 0; i < rs.count; i++)
        shapes += rs.solids[i].shape_count;
    rs.shape_poses = calloc(shapes + 1, sizeof *rs.shape_poses);
    if (!rs.shape_poses) {
        ray_scene_finish(&rs);
        return error_set(err, E_MEMORY, "no memory for the scene that the sensors see");
    }
    pose *next = rs.shape_poses;
    for (size_t i = 0; i < rs.count; i++) {
        bound(&rs.solids[i]);
        rs.solids[i].shape_at = next;
        next += rs.solids[i].shape_count;
    }
    *out = rs;
    ray_scene_refresh(out, s);
    return OK;
}

void ray_scene_finish(ray_scene *rs) {
    free(rs->solids);
    free(rs->hand_shapes);
    free(rs->shape_poses);
    free(rs->near);
    free(rs->hits);
    *rs = (ray_scene){0};
}

void ray_scene_refresh(ray_scene *rs, const sim *s) {
    for (size_t i = 0; i < rs->count; i++) {
        ray_solid *solid = &rs->solids[i];
        solid->at = sim_pose(s, i);
        solid->center_w = pose_apply(solid->at, solid->center);
        for (size_t k = 0; k < solid->shape_count; k++)
            solid->shape_at[k] = pose_mul(solid->at, solid->shapes[k].at);
    }
}

double ray_solid_hit(const ray_solid *solid, vec3 origin, vec3 direction) {
    if (solid->radius < 0)
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
