// projector/robot/actions/contact.h - the state of an action in which springs or a person move an
// arm.
#ifndef FORESEE_PROJECTOR_ROBOT_ACTIONS_CONTACT_H
#define FORESEE_PROJECTOR_ROBOT_ACTIONS_CONTACT_H

#include "projector/middleware.h"
#include "projector/robot/planning/contact_plan.h"
#include "projector/robot/planning/memory.h"

// Where a person's hand is at a time, as a displacement from where it took the tool.
typedef struct lead_point {
    double t; // s
    vec3 by;  // m, base's frame
} lead_point;
typedef ARRAY(lead_point) lead_array;

typedef struct contact {
    impedance springs; // as commanded last
    pose base;         // of the base in the map, as believed when the springs took over
    pose start;        // of the tool in the base's frame at that time
    vec3 bias;         // force that the wrist read at that time, base's frame
    bool sent;         // the springs have been commanded
    nanos progressed;  // when the hand last came closer to its goal
    double lasts;      // s, estimate of the whole action; of teach exact, 0: until it is stopped
    // The springs' target: a position of the joint (rad or m), or m along `way`.
    double at;
    double speed; // of the target, in its unit per second
    double lead;  // how far the target may go ahead of the hand, in its unit

    // operate: positions of the joint, rad or m
    size_t joint;
    double from, to;      // at the beginning; wanted
    double reached, best; // as the hand tells now; nearest to `to` so far
    double sign;          // 1 where the position grows, else -1
    double turn;          // share of a hinge's turn that the hand makes with it (arm_operates)
    double lever;         // m that the handle moves for each unit of the joint's position
    knot_array postures;  // planned at equal steps from `from` to `to`
    double held;          // opening of the fingers when they held the handle at the beginning, m

    // guide
    double led;      // N, of the person at most; 0: there is none
    lead_array path; // of the person's hand; none: it goes `far` along `way`

    bool follows; // follow: the arm has been told to

    taught taught; // teach: what was read so far; replay: a copy of what it plays

    // reach
    pose grasp;    // of the tool, in the object's frame
    pose ahead;    // the springs' target, base's frame
    double height; // m over the floor; 0: as the grasp says

    vec3 drift; // accompany: velocity of the place, smoothed, m/s in the map

    // press, wipe, guide; accompany: velocity of the base as commanded last, m/s in the map
    vec3 way;          // direction of the hand, base's frame
    double force;      // N, along `way`
    double far, depth; // m along `way`: at which the search ends; at which something was met
    double press_for;  // s that a press lasts at its full force
    double wipe_speed; // m/s along the rows
    bool in_contact;   // wipe: the hand is above the first corner, and the springs have taken over
    bool met;
    nanos met_at;
    size_t felt; // cycles in a row in which contact was felt
    wipe_rows rows;
    size_t corner; // of `rows` that the hand goes to
} contact;

#endif
