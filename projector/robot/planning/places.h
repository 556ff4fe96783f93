// projector/robot/planning/places.h - places that fit a description, with those of its properties
// that only the robot can tell: reachable_for, and whether a free way leads there.
#ifndef FORESEE_PROJECTOR_ROBOT_PLANNING_PLACES_H
#define FORESEE_PROJECTOR_ROBOT_PLANNING_PLACES_H

#include "projector/robot/mind.h"

// The places, at most `most` and best first, that fit a location description, a list of properties
// such as [on(table_1), left_of(plate#1), reachable_for(left), tolerance(0.05)]: terms at(X, Y,
// YawDegrees, Support) that are locations themselves (in `a`). Deterministic. Each assumption about
// what the description leaves open (a support, a distance, an orientation) is a CHOICE of `task`
// (0: not logged); `reason` says by what the places are ordered. E_INPUT: the description is wrong,
// or names an object that is not believed in; E_INFEASIBLE: nothing fits, and `err` names the
// property that leaves nothing.
status robot_places(mind *m, arena *a, const term *description, size_t most, int64_t task, nanos t,
                    term_list_array *out, char *reason, size_t reason_size, error *err);

// Whether a term is a property that robot_places understands: left_of(_), tolerance(_), ...
bool robot_place_property(const term *t);
// The one place that a location (belief_resolve_location) or a description means, with the
// properties that only the robot can tell. `object`: believed object to be put there; NULL: the one
// in the only hand that holds any. What the words leave open is a CHOICE of `task`. While the
// object stays in a hand, the same words mean the same place as long as that is free.
status robot_locate(mind *m, const term *location, const char *object, int64_t task, nanos t,
                    believed_place *out, error *err);
// As robot_locate, but of a wide place (on(table_1)) or a description the best spot at which this
// arm can put down the object that it holds. From now on the words mean this spot, as long as the
// hand holds the object.
status robot_locate_reached(mind *m, const term *location, size_t arm, int64_t task, nanos t,
                            believed_place *out, error *err);
// The pose at which the robot itself stands by a description of a place; for(robot) need not be
// given.
status robot_stand_at(mind *m, const term *description, int64_t task, nanos t, pose *out,
                      error *err);

#endif
