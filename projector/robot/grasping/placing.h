// projector/robot/grasping/placing.h - where a held object can be put down.
#ifndef FORESEE_PROJECTOR_ROBOT_GRASPING_PLACING_H
#define FORESEE_PROJECTOR_ROBOT_GRASPING_PLACING_H

#include "projector/robot/grasping/hands.h"
#include "projector/robot/kinematics/miss.h"

typedef struct place_pose {
    pose object, tool; // in the map, at the moment of release
    double turn;       // move_arms: the order in which placements are tried, and
    size_t rank;       // among equals
    bool falls;        // it is let go somewhat over the bottom of a container
} place_pose;
enum { PLACES_MAX = 96 };

// Fills `out`, which holds PLACES_MAX, with at most `most` free spots of a place and turns there at
// which the held object could stand, the spots from the middle outwards, and returns how many there
// are. In a container it may also fall: these follow, at most as many again. *nearest (may be
// NULL): what is too close at the spot where it is least so.
size_t place_candidates(const mind *m, const believed_place *place, const held *h, place_pose *out,
                        size_t most, miss *nearest);
// How much higher than the surface of a movable support the lowest point of the held object stands
// at this pose, for example on the support's rim; m. 0 on furniture.
double rest_height(const mind *m, const char *support, const held *h, pose object);
// Writes at(X, Y, Yaw, Support) of a pose in a place.
void place_text(const believed_place *place, pose at, char *out, size_t size);
// The known body that lies over or in the place and keeps things from being put there from above;
// NULL: none. *nearest (may be NULL): how far it is.
const char *place_blocker(const mind *m, const believed_place *place, const held *h, pose object,
                          miss *nearest);

#endif
