// projector/belief/places.h - descriptions of places, and the places that fit them.
//
// A description is a list of properties (places.def). The same words in the same belief mean the
// same places. Where the robot stands matters only to visible_from(robot), to reachable_for, and
// where left and right are the robot's own.
//
// Unless seen_from says it, the sides of a reference (front, back, left, right) are those
//   1. of the reference itself where it has a front: of a known body, whose front is +x, or of an
//      object with the property `front` (+x, -x, +y or -y);
//   2. of a person who sits at the place where the reference stands, and looks along the +x of that
//      place: a place is a region no larger than 0.6 m, and the smallest counts; the sides of such
//      a region itself are found likewise;
//   3. of the robot's view otherwise, turned to the nearest axis of the support.
// For a viewer (2 and 3) the front of a reference is its near side.
//
// Spots are sampled on the support: where the words say that the object had best be, and on a grid
// of 2 cm (wider on large supports, no more than 4,000 spots). Each property takes out the spots
// that do not fit:
//   a direction   within 45 degrees of it, no farther than 0.3 m beyond the wished distance
//   near          no more than 0.5 m between the middles
//   distance(M)   within the tolerance of M
//   for(Object)   the object's outline (a circle about its origin) stands on one level, 1 cm from
//                 the support's edge and from every believed object that reaches up as high
// The spots that are left are ordered by their cost, least first:
//   cost = sum over the words of off / 0.1 m         off: distance from the best spot of the word
//        + rim / half diagonal, without any word     rim: distance from the middle of the area
//                                                    (in a container less that share: what stands
//                                                    aside leaves room for others)
//        + 2 max(0, 1 - gap / 0.04 m)                gap: distance to the nearest other thing (in a
//                                                    container of 0.07 m, as a hand needs)
//        + 0.5 edge                                  edge: the share of the directions in which the
//                                                    support ends within 5 cm of the outline
// and thinned so that any two places are at least 8 cm apart. The costly properties (whether a
// place is reached, seen, or led to by a free way) are judged last, for the best PLACES_JUDGED
// spots that are at least 12 cm apart from every spot that was refused.
//
// Where nothing fits, the outline is the rectangle about the object, turned in steps of 45 degrees
// to where it has most room, and the place is one for the object turned so, or the other way round.
#ifndef FORESEE_PROJECTOR_BELIEF_PLACES_H
#define FORESEE_PROJECTOR_BELIEF_PLACES_H

#include "projector/belief/belief.h"

enum { PLACES_FOUND_MAX = 32, ASSUMED_MAX = 8, PLACES_JUDGED = 64 };

// Something that the description leaves unsaid, and how it is taken.
typedef struct place_assumption {
    const char *what; // support, distance, viewpoint, orientation, tolerance, for
    char chosen[80];
    char why[120];
} place_assumption;

typedef struct place_wish {
    const char *object; // believed object to be put there where for(...) is not said; NULL: none
    size_t most;        // places wanted, at most PLACES_FOUND_MAX; 0: one
    // Returns whether a place has a property that the belief alone cannot judge: reachable_for, and
    // for(robot), that a way leads there. It is called in the order of the costs, for at most
    // PLACES_JUDGED places. NULL: such a property is E_INPUT.
    bool (*judge)(void *context, const term *property, const believed_place *place);
    void *context;
} place_wish;

typedef struct place_answer {
    believed_place places[PLACES_FOUND_MAX]; // best first
    double costs[PLACES_FOUND_MAX];
    size_t count, tried; // number of places; number of spots that were sampled
    place_assumption assumed[ASSUMED_MAX];
    size_t assumed_count;
    bool tolerance_said;
    char reason[200]; // says by what the places are ordered
} place_answer;

// Finds the places that fit a description. E_INPUT: the term is no description, or names something
// that is not believed in. E_INFEASIBLE: no place fits; `err` says which property leaves none. *out
// owns no memory.
status belief_find_places(const belief *b, const term *description, const place_wish *wish,
                          place_answer *out, error *err);

// Returns whether a term has the form of a property of places.def.
bool place_property(const term *t);
// Returns whether a location term is resolved as a description: a list, in(Container), or a
// relation to something that is no furniture.
bool belief_describes(const belief *b, const term *location);

// Returns the height at which something of a kind stands on the rim of a believed object that is
// about as wide; -infinity: the widths differ, or the support is furniture.
double belief_rim(const belief *b, const char *support, const body_type *kind, pose at);

// ---- Sides --------------------------------------------------------------------------------------
typedef enum place_relation {
#define PLACE_RELATION(name, doc) RELATION_##name,
#include "projector/belief/places.def"
    PLACE_RELATIONS
} place_relation;
// Returns the relation of this name; PLACE_RELATIONS: none.
place_relation place_relation_named(const char *name);

// Unit vectors in the plane towards a reference's front and left, and the name of whose view that
// is.
typedef struct viewpoint {
    vec3 front, left;
    char by[80]; // chair_1, place_1, robot
} viewpoint;

#endif
