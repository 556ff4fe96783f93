// projector/belief/describe.h - a description of a place as it was read, for describe.c and
// spots.c.
#ifndef FORESEE_PROJECTOR_BELIEF_DESCRIBE_H
#define FORESEE_PROJECTOR_BELIEF_DESCRIBE_H

#include "projector/belief/belief_int.h"

enum { WORDS_MAX = 8, LATE_MAX = 8 };

typedef enum support_kind { SUPPORT_UNSAID, SUPPORT_ON, SUPPORT_IN, SUPPORT_WITHIN } support_kind;

// The object, the region or the robot that a word refers to.
typedef struct reference {
    const char *name;
    size_t object;  // SIZE_MAX: none
    int64_t region; // -1: none
    bool robot;
    pose frame; // planar: the middle of the reference, and its orientation
    double half_x, half_y;
} reference;

// A relation of the place to a reference: left_of(plate#1).
typedef struct word {
    const term *t;
    place_relation relation;
    reference of;
    viewpoint view;
    double distance; // between the middles
    bool said;       // whether the description gives the distance
} word;

typedef struct description {
    support_kind where;
    size_t support, region;
    const term *support_term, *for_term, *at_term; // NULL: not said
    word words[WORDS_MAX];
    size_t word_count;
    bool robot;            // the place is one for the robot to stand at
    size_t object;         // object to be put there; SIZE_MAX: none in particular
    const body_type *kind; // of what is put there; NULL: unknown
    double radius, height; // of the outline of what is put there, about its origin
    vec3 middle;           // of the rectangle about it, from its origin,
    double half_x, half_y; // and its half extents; 0: unknown
    vec3 at;
    double tolerance, yaw;
    bool tolerance_said, turned, faces;
    reference facing;
    const term *seen_from;
    const term *late[LATE_MAX]; // properties that are judged last: visible_from, reachable_for
    size_t late_count;
} description;

// Reads a description, and lists in `out` what it leaves unsaid and how that is taken.
status place_description_read(const belief *b, const term *list, const place_wish *wish,
                              description *d, place_answer *out, error *err);

#endif
