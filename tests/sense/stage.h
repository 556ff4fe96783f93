// tests/sense/stage.h - a world, a robot and its senses, without a mind; what they log is counted
// and kept.
#ifndef FORESEE_TESTS_SENSE_STAGE_H
#define FORESEE_TESTS_SENSE_STAGE_H

#include "tests/testlib.h"

#include <math.h>
#include <stdio.h>

#include "projector/sense/camera.h"
#include "projector/sense/laser.h"
#include "projector/sense/sense.h"

// A sink that counts, and keeps the last rows of some kinds.
typedef struct counting_sink {
    sink base;
    int64_t counts[RECORD_KINDS];
    struct record_VISIBILITY view;
    struct record_BLOCKER blocker;
    ARRAY(struct record_PERCEPT_TRUTH) truths;
    ARRAY(struct record_MISSED) missed;
    int64_t encoder_rows, encoder_operations; // the rows, and those of an operation
    int64_t odometry_rows;
    double odometry_sum[3],
        odometry_least; // all rows put together; the least that one told: m, rad
    char ambiguity[8];  // PosAmbiguity as logged last
    uint64_t hash;      // of the words of every row
} counting_sink;

typedef struct stage {
    world_model *world;
    robot_model *robot;
    sim *sim;
    counting_sink log;
    sense *senses;
    int64_t *ids;
    int64_t grippers[2], wrists[2];
    const settings *conditions; // NULL: none; holds for stage_start
    const sense_peer *peers;    // likewise
    size_t peer_count;
    const fleet_member *members; // all robots, the first of which senses; NULL: `robot` alone
    size_t member_count;         // likewise
} stage;

// Reads world and robot; what is then changed in them holds for what stage_start makes of them.
void stage_load(stage *s, const char *world, const setting *set, size_t set_count);
void stage_start(stage *s, uint64_t seed);
// Both, with the bodies `swap` of the world in each other's place, if any.
void stage_open_swapped(stage *s, const char *world, uint64_t seed, const setting *set,
                        size_t set_count, const char *const swap[2]);
void stage_open(stage *s, uint64_t seed, const setting *set, size_t set_count);
void stage_close(stage *s);
size_t body_named(const stage *s, const char *name);
// Senses with the world at rest: instants in steps of 2 ms; hands over every reading.
typedef void (*reader_fn)(void *context, const reading *r);
void sense_for(stage *s, nanos *t, nanos duration, reader_fn each, void *context);
// Points the camera and looks at one entity.
void look(ray_scene *rays, const robot_camera *camera, pose eye, size_t entity, sighting *out);

#endif
