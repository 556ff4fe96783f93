// tests/fuzz/fuzz_scene.c - any bytes as a world file and as a robot file.
#include <sys/mman.h>
#include <unistd.h>

#include "scene/robot/robot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool finite_pose(pose p) {
    return isfinite(p.p.x) && isfinite(p.p.y) && isfinite(p.p.z) &&
           fabs(p.q.w * p.q.w + p.q.x * p.q.x + p.q.y * p.q.y + p.q.z * p.q.z - 1) < 1e-6;
}

// What a loaded world promises to everyone who uses it.
static void check_world(const world_model *w) {
    ASSERT(w->name && w->source_count >= 1);
    for (size_t i = 0; i < w->body_count; i++) {
        const world_body *b = &w->bodies[i];
        ASSERT(world_find_body(w, b->name) == (int64_t)i);
        ASSERT(b->type && b->type->shape_count > 0 && b->color && finite_pose(b->at));
        ASSERT(b->fixed || b->type->mass > 0);
        vec3 low, high;
        if (shapes_bounds(b->type->shapes, b->type->shape_count, b->at, &low, &high))
            ASSERT(low.x <= high.x && low.y <= high.y && low.z <= high.z);
        world_support_height(w, i);
        ASSERT(world_friction(w, b->type->material, b->type->friction, "pad", 0.8) >= 0);
    }
    for (size_t i = 0; i < w->region_count; i++) {
        const world_region *r = &w->regions[i];
        ASSERT(world_find_region(w, r->name) == (int64_t)i && r->body < w->body_count);
        ASSERT(r->half_x > 0 && r->half_y > 0 && r->tolerance >= 0 && finite_pose(r->at));
    }
    for (size_t i = 0; i < w->joint_count; i++) {
        const world_joint *j = &w->joints[i];
        ASSERT(world_find_joint(w, j->name) == (int64_t)i && j->body < w->body_count);
        ASSERT(world_joint_of(w, j->body) == (int64_t)i && j->base < (int64_t)w->body_count);
        ASSERT(j->lower < j->upper && j->start >= j->lower && j->start <= j->upper);
        ASSERT(finite_pose(world_joint_pose(w, i, j->upper)));
    }
    for (size_t i = 0; i < w->event_count; i++)
        ASSERT(w->events[i].when && w->events[i].name && w->events[i].term[0] &&
               w->events[i].body < (int64_t)w->body_count);
    world_model *k = world_known(w);
    for (size_t i = 0; i < k->body_count; i++)
        ASSERT(k->bodies[i].known && world_find_body(w, k->bodies[i].name) >= 0);
    world_destroy(k);
}

static void check_robot(const robot_model *r) {
    ASSERT(r->name && r->link_count == r->joint_count + 1 && r->links[0].joint == -1);
    pose *links = malloc(r->link_count * sizeof *links);
    ASSERT(links);
    for (size_t j = 0; j < r->joint_count; j++) {
        const robot_joint *k = &r->joints[j];
        ASSERT(k->parent < k->child && k->child == j + 1 && r->links[j + 1].joint == (int64_t)j);
        ASSERT(k->lower < k->upper && r->home[j] >= k->lower - 1e-6 &&
               r->home[j] <= k->upper + 1e-6);
        ASSERT(k->max_velocity > 0 && k->max_acceleration > 0 && k->max_effort > 0);
    }
    robot_forward(r, POSE_IDENTITY, r->home, links);
    for (size_t a = 0; a < r->arm_count; a++) {
        double jacobian[6][7];
        ASSERT(robot_find_arm(r, r->arms[a].name) == (int64_t)a);
        ASSERT(finite_pose(robot_tool(r, a, links)));
        robot_jacobian(r, a, links, jacobian);
    }
    ASSERT(r->camera.link < r->link_count && r->laser.link < r->link_count && r->laser.beams > 0);
    free(links);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    int file = memfd_create("scene", 0);
    ASSERT(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    errors list = {0};
    world_model *w = NULL;
    robot_model *r = NULL;
    status s = world_load(path, NULL, NULL, &w, &list);
    ASSERT((s == OK) == (w != NULL) && (s == OK) == (list.count == 0));
    if (w)
        check_world(w);
    errors_finish(&list);
    s = robot_load(path, NULL, NULL, &r, &list);
    ASSERT((s == OK) == (r != NULL) && (s == OK) == (list.count == 0));
    if (r)
        check_robot(r);
    errors_finish(&list);
    world_destroy(w);
    robot_destroy(r);
    close(file);
    return 0;
}
