// projector/belief/describe.h - a description of a place as it was read, for describe.c and
// spots.c.
#ifndef FORESEE_PROJECTOR_BELIEF_DESCRIBE_H
#define FORESEE_PROJECTOR_BELIEF_DESCRIBE_H

#include "projector/belief/belief_int.h"

enum { WORDS_MAX = 8, LATE_MAX = 8 };

typedef enum support_kind { SUPPORT_UNSAID, SUPPORT_ON, SUPPORT_IN, SUPPORT_WITHIN } support_kind;

typedef struct reference {
    const char *name;
    size_t object;  // SIZE_MAX: none
    int64_t region; // -1: none
    bool robot;
    pose frame; // planar: its middle, turned as it is
    double half_x, half_y;
} reference;

typedef struct word { // left_of(plate#1)
    const term *t;
    place_relation relation;
    reference of;
    viewpoint view;
    double distance; // between the middles
    bool said;       // the distance
} word;

typedef struct description {
    support_kind where;
    size_t support, region;
    const term *support_term, *for_term, *at_term; // NULL: not said
    word words[WORDS_MAX];
    size_t word_count;
    bool robot;    // it is the robot that stands there
    size_t object; // to be put there; SIZE_MAX: none in particular
    const body_type *kind;
    double radius, height; // of its outline, about its origin
    vec3 at;
    double tolerance, yaw;
    bool tolerance_said, turned, faces;
    reference facing;
    const term *seen_from;
    const term *late[LATE_MAX]; // visible_from, reachable_for
    size_t late_count;
} description;

// Reads it, and says in `out` what was not said.
status place_description_read(const belief *b, const term *list, const place_wish *wish,
                              description *d, place_answer *out, error *err);

#endif
