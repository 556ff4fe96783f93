// projector/sense/rays.h - what can be seen: rays against the shapes of the true world.
//
// A ray scene holds every solid thing as shapes at poses, one entry per entity of the simulation;
// it is refreshed from the simulation before it is used. Bounding spheres cull what a bundle of
// rays cannot hit. Particles hide nothing, and neither does what is absent.
#ifndef FORESEE_PROJECTOR_SENSE_RAYS_H
#define FORESEE_PROJECTOR_SENSE_RAYS_H

#include "projector/world/sim.h"

enum { RAY_SAMPLES = 256 }; // points of one shape that rays can end at

typedef struct ray_solid {
    const shape *shapes;
    size_t shape_count;
    bool present;
    bool transparent;      // to the camera
    pose at;               // of the entity, world
    pose *shape_at;        // of its shapes, world
    const vec3 **surfaces; // by shape, for a mesh: RAY_SAMPLES points of its surface, shape's frame
    vec3 center;           // of the bounding sphere, entity frame
    double radius;         // of it; infinity for planes, negative: nothing to hit
    vec3 center_w;         // the same, world
} ray_solid;

typedef struct ray_surface {
    const mesh *mesh;
    vec3 points[RAY_SAMPLES];
} ray_surface;

typedef struct ray_scene {
    ray_solid *solids; // by entity
    size_t count;
    shape *hand_shapes; // boxes of palms and fingers
    pose *shape_poses;
    const vec3 **shape_surfaces;
    ARRAY(ray_surface *) surfaces; // one for each mesh
    size_t *ahead;                 // what may stand before the camera, after camera_aim
    size_t ahead_count;
    size_t *near, *hits; // scratch of one look, one entry per solid
} ray_scene;

void ray_scene_init(const world_model *w, const sim *s, ray_scene *out);
// Takes over what hides nothing by now.
void ray_scene_follow(ray_scene *rs, const world_model *w);
void ray_scene_finish(ray_scene *rs);
void ray_scene_refresh(ray_scene *rs, const sim *s);
// Distance along a unit direction to the entity's surface, or infinity.
double ray_solid_hit(const ray_solid *solid, vec3 origin, vec3 direction);
// What a ray along a unit direction meets first, but for one entity, and how far away that is;
// SIZE_MAX: nothing.
size_t ray_scene_met(const ray_scene *rs, vec3 from, vec3 direction, size_t except,
                     double *distance);
// Point i of an even spread through one of the shapes of the solid, or over the surface of a mesh;
// world.
vec3 ray_sample(const ray_solid *solid, size_t part, int i);

#endif
