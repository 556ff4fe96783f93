// projector/belief/places.h - descriptions of places, and the places that fit them.
//
// A description is a list of properties (places.def). The same words in the same belief mean the
// same places: where the robot stands plays a part in visible_from(robot), in reachable_for, and
// where left and right are the robot's own, and in nothing else.
//
// Who says left and right, front and back (a reference's sides), unless seen_from says it:
//   1. a reference with a front of its own has its own sides: known bodies, whose front is +x, and
//      what has the property `front` (+x, -x, +y or -y);
//   2. what stands at a place (a region no larger than 0.6 m that it is within; the smallest) is
//      seen by who sits there, that is along the region's +x, and so is such a region itself;
//   3. all else is seen by the robot, from the side of the support that it stands on: its view is
//      squared to the support's axes.
// A viewer's front is the near side.
//
// Spots are sampled on the support: where the words say it should best be, and a grid of 2 cm
// (wider on large supports, no more than 4,000 spots), from the middle outwards. Each property
// takes out what does not fit:
//   a direction   within 45 degrees of it, no farther than 0.3 m beyond the wished distance
//   near          no more than 0.5 m between the middles
//   distance(M)   within the tolerance of M
//   for(Object)   its outline (a circle about its origin) stands on one level, 1 cm from the
//                 support's edge and from everything believed that is as high
// What is left is ordered by its cost, least first:
//   cost = sum over the words of off / 0.1 m         off: from where the word says it best is
//        + rim / half diagonal, without any word     rim: from the middle of the support or region
//        + 2 max(0, 1 - gap / 0.04 m)                gap: to the nearest other thing
//        + 0.5 edge                                  edge: the share of the directions in which
//                                                    5 cm about the outline nothing carries
// and thinned so that any two places are at least 8 cm apart. What is reached, seen, or led to by a
// free way is told last, of the best PLACES_JUDGED that are 12 cm apart from what was refused.
#ifndef FORESEE_PROJECTOR_BELIEF_PLACES_H
#define FORESEE_PROJECTOR_BELIEF_PLACES_H

#include "projector/belief/belief.h"

enum { PLACES_FOUND_MAX = 32, ASSUMED_MAX = 8, PLACES_JUDGED = 64 };

// Something that was not said and is taken so: the support (of the reference object), the distance,
// the viewpoint, the orientation, the tolerance, the object.
typedef struct place_assumption {
    const char *what; // support, distance, viewpoint, orientation, tolerance, for
    char chosen[80];
    char why[120];
} place_assumption;

typedef struct place_wish {
    const char *object; // believed object to be put there where for(...) is not said; NULL: none
    size_t most;        // places wanted, at most PLACES_FOUND_MAX; 0: one
    // Whether a place has a property that the belief cannot tell of: reachable_for, and of
    // for(robot) that a way leads there. Asked in the order of the costs, for PLACES_JUDGED places
    // at most; NULL: such a property is E_INPUT.
    bool (*judge)(void *context, const term *property, const believed_place *place);
    void *context;
} place_wish;

typedef struct place_answer {
    believed_place places[PLACES_FOUND_MAX]; // best first
    double costs[PLACES_FOUND_MAX];
    size_t count, tried; // places; spots that were sampled
    place_assumption assumed[ASSUMED_MAX];
    size_t assumed_count;
    bool tolerance_said;
    char reason[200]; // by what they are ordered
} place_answer;

// E_INPUT: no description, or it names what is not believed in. E_INFEASIBLE: nothing fits; `err`
// says which property leaves nothing. Allocates only while it runs.
status belief_find_places(const belief *b, const term *description, const place_wish *wish,
                          place_answer *out, error *err);

// Whether a term has the form of a property of places.def.
bool place_property(const term *t);
// Whether a location term is looked for as a description: lists, in(Container), and words for where
// it is of something that is no furniture.
bool belief_describes(const belief *b, const term *location);

// The height on which something of a kind stands over a believed object that it is about as wide
// as, on its rim; -infinity: it is another's width, or the support is furniture.
double belief_rim(const belief *b, const char *support, const body_type *kind, pose at);

// ---- Sides --------------------------------------------------------------------------------------
typedef enum place_relation {
#define PLACE_RELATION(name, doc) RELATION_##name,
#include "projector/belief/places.def"
    PLACE_RELATIONS
} place_relation;
// The relation of this name; PLACE_RELATIONS: none.
place_relation place_relation_named(const char *name);

// Unit vectors in the plane towards a reference's front and left, and who says so.
typedef struct viewpoint {
    vec3 front, left;
    char by[80]; // chair_1, place_1, robot
} viewpoint;

#endif
