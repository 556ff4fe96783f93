// projector/robot/planning/stand.h - where to stand, to reach something, to put it down, or to see
// it.
#ifndef FORESEE_PROJECTOR_ROBOT_PLANNING_STAND_H
#define FORESEE_PROJECTOR_ROBOT_PLANNING_STAND_H

#include "projector/robot/actions/contact.h"
#include "projector/robot/grasping/grasp.h"

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
    vec3 low,
        high; // to be seen: its middle in the map less and plus the half extents along its own axes
    double yaw;             // of these axes
    double side, side_half; // seen only from this direction of its middle, within so much; 0: any
    const wipe_rows *rows;
    const held *taken; // STAND_PLACE: what is put down as if it were held; NULL: what the arm holds
    bool first;        // one place to stand is enough
} stand_query;
typedef struct stand_answer {
    bool found;
    stand best;
    stand others[5];
    size_t other_count;
    size_t tried, collided, unreached;
    char blocker[64];
} stand_answer;
void stand_search(mind *m, const stand_query *query, stand_answer *out);
// What a region, an object or a location asks to be in view. E_INPUT: it is none of these.
status view_query(const mind *m, const term *what, stand_query *q, error *err);
// From where it is in view, one place for each side of it that there is, as a list of at(X, Y,
// YawDegrees), the least effort first. E_INPUT as above.
status robot_views(mind *m, arena *a, const term *what, const term **out, error *err);

#endif
