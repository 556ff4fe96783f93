// projector/robot/mind.h - what a robot's interpreter, actions and belief share; all borrowed.
#ifndef FORESEE_PROJECTOR_ROBOT_MIND_H
#define FORESEE_PROJECTOR_ROBOT_MIND_H

#include "projector/belief/belief.h"
#include "base/time/clock.h"

typedef struct mind {
    const world_model *known; // what it knows of the world a priori
    const robot_model *robot;
    belief *belief;
    middleware *body;
    sink *log;
    int64_t agent;                // of the log's AGENT record
    uint64_t seed;                // of its own draws (planning)
    nanos cycle;                  // 20 ms
    const int64_t *robot_objects; // log ids: by link; then by joint; then per arm gripper, palm,
                                  // finger_1, finger_2; then camera, laser; then the
                                  // wrists of the arms that have one
    const int64_t *known_objects; // log id by body of `known`
    stopwatch *planning;          // time spent on planning motions; NULL: not measured
    stopwatch *checks;            // of it, on what is in the way
    stopwatch *believing;         // time that readings take in the belief; NULL: not measured
    struct robot_memory *memory;  // of robot/: NULL at first, freed by robot_forget
} mind;

static inline int64_t mind_link_object(const mind *m, size_t link) {
    return m->robot_objects[link];
}
static inline int64_t mind_joint_object(const mind *m, size_t joint) {
    return m->robot_objects[m->robot->link_count + joint];
}
static inline int64_t mind_gripper_object(const mind *m, size_t arm) {
    return m->robot_objects[m->robot->link_count + m->robot->joint_count + 4 * arm];
}
static inline int64_t mind_camera_object(const mind *m) {
    return m->robot_objects[m->robot->link_count + m->robot->joint_count + 4 * m->robot->arm_count];
}
static inline int64_t mind_laser_object(const mind *m) {
    return m
        ->robot_objects[m->robot->link_count + m->robot->joint_count + 4 * m->robot->arm_count + 1];
}

#endif
