// projector/robot/actions/contact.h - the state of an action in contact: operate, press, wipe.
#ifndef FORESEE_PROJECTOR_ROBOT_ACTIONS_CONTACT_H
#define FORESEE_PROJECTOR_ROBOT_ACTIONS_CONTACT_H

#include "projector/middleware.h"
#include "projector/robot/planning/contact_plan.h"

typedef struct contact {
    impedance springs;
    pose base, start; // at the beginning: of the base as believed; of the tool in the base's frame
    vec3 bias;        // force that the wrist read then, base's frame
    bool sent;        // the springs have been commanded
    nanos progressed;
    double lasts;       // s, estimate of the whole action
    double speed, lead; // of the target: per second; how far it may go ahead of the hand
    double at;          // the target: the joint's position, or m along `way`
    // operate
    size_t joint;
    double from, to, reached, best, sign, turn, lever, held;
    // press, wipe
    vec3 way;                 // direction of the hand, base's frame
    double force, far, depth; // N; m along `way`: limit, and where something was met
    bool in_contact, met;
    nanos met_at;
    size_t felt; // cycles in a row in which contact was felt
    wipe_rows rows;
    size_t corner; // of `rows` that the hand goes to
} contact;

#endif
