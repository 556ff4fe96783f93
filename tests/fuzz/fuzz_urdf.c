// tests/fuzz/fuzz_urdf.c - any bytes as a URDF file.
#include <stdlib.h>
#include <unistd.h>

#include "scene/robot/robot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_robot(const robot_model *r) {
    ASSERT(r->name && r->link_count == r->joint_count + 1 && r->links[0].joint == -1);
    ASSERT(r->base_radius > 0 && r->base_mass > 0);
    pose *links = malloc(r->link_count * sizeof *links);
    ASSERT(links);
    for (size_t j = 0; j < r->joint_count; j++) {
        const robot_joint *k = &r->joints[j];
        ASSERT(k->parent < k->child && k->child == j + 1 && r->links[j + 1].joint == (int64_t)j);
        ASSERT(k->lower < k->upper && r->home[j] >= k->lower && r->home[j] <= k->upper);
        ASSERT(k->max_velocity > 0 && k->max_acceleration > 0 && k->max_effort > 0);
        ASSERT(k->kp > 0 && k->kd >= 0 && k->armature >= 0);
        ASSERT(isfinite(k->kp) && isfinite(k->kd) && isfinite(k->max_acceleration));
    }
    for (size_t i = 0; i < r->link_count; i++) {
        const robot_link *k = &r->links[i];
        ASSERT(k->mass > 0 && isfinite(k->mass) && isfinite(v3_length(k->com)));
        for (int c = 0; c < 3; c++)
            ASSERT(isfinite(k->inertia.m[c][c]) && k->inertia.m[c][c] >= 0);
    }
    robot_forward(r, POSE_IDENTITY, r->home, links);
    for (size_t i = 0; i < r->link_count; i++)
        ASSERT(isfinite(v3_length(links[i].p)));
    for (size_t i = 0; i < r->note_count; i++)
        ASSERT(r->notes[i].line > 0 && r->notes[i].column > 0 && r->notes[i].text[0]);
    robot_destroy(robot_known(r));
    free(links);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = "/tmp/fuzz_urdf_XXXXXX.urdf"; // the name says what it is
    int file = mkstemps(path, 5);
    ASSERT(file >= 0 && write(file, data, size) == (ssize_t)size);
    close(file);
    errors list = {0};
    robot_model *r = NULL;
    status s = robot_load(path, NULL, NULL, &r, &list);
    ASSERT((s == OK) == (r != NULL) && (s == OK) == (list.count == 0));
    if (r)
        check_robot(r);
    errors_finish(&list);
    robot_destroy(r);
    unlink(path);
    return 0;
}
