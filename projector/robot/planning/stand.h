// projector/robot/planning/stand.h - where the base can stand to reach an object, put it down,
// wipe, pour, or see; and which arm to use.
#ifndef FORESEE_PROJECTOR_ROBOT_PLANNING_STAND_H
#define FORESEE_PROJECTOR_ROBOT_PLANNING_STAND_H

#include "projector/robot/grasping/grasp.h"
#include "projector/robot/planning/contact_plan.h"

typedef struct stand {
    double x, y, yaw, cost;
} stand;
typedef enum stand_purpose {
    STAND_REACH,
    STAND_PLACE,
    STAND_VIEW,
    STAND_WIPE,
    STAND_POUR
} stand_purpose;
typedef struct stand_query {
    stand_purpose purpose;
    size_t arm;
    const believed_object *object; // to be reached, or to be poured into
    const believed_place *place;
    unsigned kinds; // of grasps; 0: any that one hand can do
    bool both;      // with two hands
    bool operates;  // the handle is followed until its joint is at `to`
    double to;      // rad or m
    vec3 low, high; // to be seen: its middle in the map less and plus the half extents along its
                    // own axes
    double yaw;     // of these axes
    double side, side_half; // seen only from this direction of its middle, within so much; 0: any
    const wipe_rows *rows;
    const held *taken; // STAND_PLACE: what is put down as if it were held; NULL: what the arm holds
    bool first;        // one place to stand is enough
    size_t demand;     // 1 to STAND_DEMANDS: only with that, the first asks most; 0: with each in
                       // turn until there is a place
    const double *joints; // of the robot, but for its arms, as they shall be there; NULL: as they
                          // are. Views do not heed it
} stand_query;
enum { STAND_OTHERS_MAX = 5, STAND_DEMANDS = 4 };
typedef struct stand_answer {
    bool found;
    stand best;
    stand others[STAND_OTHERS_MAX];
    size_t other_count;
    size_t tried, collided, unreached; // spots; postures in collision; postures out of reach
    char blocker[64];                  // known body, or "its own PART", that was in the way most
                                       // often; "": none
    miss nearest;                      // in the least demanding search, where that came farthest
} stand_answer;
void stand_search(mind *m, const stand_query *query, stand_answer *out);

// views.c
// The query for places from which a region, an object or a location is in view. E_INPUT: `what` is
// none of these.
status view_query(const mind *m, const term *what, stand_query *q, error *err);
// One place to stand for each side from which it is in view, as a list of at(X, Y, YawDegrees), the
// least effort first. E_INPUT as above.
status robot_views(mind *m, arena *a, const term *what, const term **out, error *err);

// arm_choice.c
// The free arm that takes an object with the least effort, and where it stands for that; -1: no
// free arm reaches it, and *stands tells of the one that came closest; -2: the CHOICE could not be
// written (`err`).
int64_t arm_choose(mind *m, const believed_object *o, unsigned kinds, int64_t task, nanos t,
                   stand_answer *stands, error *err);
// The free arm that can follow the handle of a door or drawer until its joint is at `to` (rad or
// m): of those for which the most can be asked of where to stand, the robot's last one.
// The CHOICE answers `question`. -1 and -2 as above.
int64_t arm_choose_operating(mind *m, const believed_object *door, double to, const char *question,
                             int64_t task, nanos t, error *err);

#endif
