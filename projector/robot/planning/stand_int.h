// projector/robot/planning/stand_int.h - a search for a place to stand, and what its files do for
// one another.
#ifndef FORESEE_PROJECTOR_ROBOT_PLANNING_STAND_INT_H
#define FORESEE_PROJECTOR_ROBOT_PLANNING_STAND_INT_H

#include "projector/robot/grasping/placing.h"
#include "projector/robot/planning/stand.h"

enum { STAND_BODIES_MAX = 256 };

// What a search asks for, at first and where nothing is found with that.
typedef struct stand_demand {
    double clear, arm; // m, that base and arms keep from furniture
    double arc_spare;  // share of a handle's way that must be left beyond the goal
    double door;       // m, that the robot keeps from a door that it moves
    double lift;       // m, by which a taken object must rise
    double pair_lift;  // the same, with two hands
    double pair_over;  // how high over a place two hands come first, m
    double hand;       // m, that the reaching arm keeps from things
    double away;       // m, that the hand goes straight to a grasp and from above a place
    int postures;      // that are tried for each way of reaching
    int at_handle;     // the same, at a handle that is followed
    double clear_view; // share of a region that is in view
    bool arms_aside;   // it is in view past the arms, too
    bool leaves;       // the hand can leave what it puts down
    double wipe_spare; // m, by which an area that is wiped could lie farther out
} stand_demand;

// How far a spot came: the base has room there, the arms as they are now, the hand reaches, and its
// way is free. Misses are compared at one stage: a spot that nearly has room says little where
// another has it.
typedef enum stand_stage {
    STAGE_BASE,
    STAGE_ARMS,
    STAGE_REACH,
    STAGE_WAY,
    STAGE_COUNT
} stand_stage;

// One search.
typedef struct stand_hunt {
    mind *m;
    const stand_query *q;
    stand_answer *answer;
    held h;                  // the object that is put down, as the arm or the first of two holds it
    double opening, release; // m between the pads: on the way, and to let go
    grasp_pose grasps[GRASPS_MAX];
    place_pose places[PLACES_MAX];
    size_t way_count;
    rng_key key;
    const stand_demand *asks;
    miss missed[STAGE_COUNT];           // in the last, least demanding search
    unsigned own[STAND_BODIES_MAX];     // by part of the robot: how often it was in the way
    unsigned blocked[STAND_BODIES_MAX]; // by believed object: the same
    unsigned met;                       // by another robot: the same
    int robot;                          // the owner that this is, of the last
    double seen;      // the share of a region that is in view from the spot tried last
    double seen_best; // the same, from the best spot
    bool turned;      // the base stands turned aside from the region, its head towards it
} stand_hunt;

// Whether the search asks for the least that it ever does.
bool stand_demands_least(const stand_hunt *s);
// Where a stage of the search notes its misses: NULL while it asks for more than in the end.
miss *stand_missed(stand_hunt *s, stand_stage at);
// Notes that a part of the robot or a known body was in the way.
void stand_count_blocker(stand_hunt *s, int owner);

// stand_arms.c: whether the arms can do from a spot what is asked; *cost: of their postures.
bool stand_try_arms(stand_hunt *s, const stand *at, double *cost);
// stand_view.c: whether the camera can be turned from a spot so that all corners lie in its picture
// and enough of the region is not hidden behind furniture or the robot's own arms.
bool stand_try_view(stand_hunt *s, const arm_scene *scenes, const stand *at, double *cost);

#endif
