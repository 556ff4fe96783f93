// projector/couple/arm.h - the follower's end of an arm that is coupled to a station's, joint by
// joint: its controller, in this process or in another one.
//
// In each step of 2 ms the controller is asked with what its arm's sensors read and what the link
// has delivered of the station, and answers with where the springs at its joints are to draw the
// arm and with what goes back to the station. It sees nothing else. Questions and answers are
// doubles alone, in the order of the structs, so that they can be asked over base/link/lockstep.h;
// of the joints that an arm lacks they are 0.
//
// Units: rad, rad/s and N m of a joint that turns; m, m/s and N of one that slides.
#ifndef FORESEE_PROJECTOR_COUPLE_ARM_H
#define FORESEE_PROJECTOR_COUPLE_ARM_H

#include "projector/couple/ends.h"
#include "scene/robot/robot.h"

typedef struct arm_joint_question {
    down_message station;      // as heard last
    double place, speed;       // by the joint's encoder
    double external;           // effort of contacts, as the momentum observer has it; 0 without one
    double stiffness, damping; // of the spring that draws the joint
} arm_joint_question;

typedef struct arm_question {
    double arm;   // its number among those that are coupled, from 0
    double time;  // s
    double lent;  // 1: the plan lends the arm to the station
    double heard; // 1: something of the station has arrived
    double fresh; // 1: and in this step something new
    double age;   // s since what was heard last was sent
    arm_joint_question joints[ARM_JOINTS_MAX];
} arm_question;

typedef struct arm_joint_answer {
    up_message up;           // to the station
    double reference, speed; // to where, and how fast, the spring is to draw the joint
    double offset;           // of the joint's places from those of the station's
} arm_joint_answer;

typedef struct arm_answer {
    double follows; // 1: the arm follows; otherwise only what goes to the station counts
    arm_joint_answer joints[ARM_JOINTS_MAX];
} arm_answer;

enum {
    ARM_QUESTIONS = sizeof(arm_question) / sizeof(double),
    ARM_ANSWERS = sizeof(arm_answer) / sizeof(double)
};

// Who answers for an arm, in this process or in another one. E_IO, E_INTERRUPTED: nobody did.
typedef status (*arm_answerer)(void *self, const arm_question *question, arm_answer *out,
                               error *err);

// The controller itself.
typedef struct arm_controller {
    coupling_kind kind;
    bool follows;
    rig gains[ARM_JOINTS_MAX];
    follower_end ends[ARM_JOINTS_MAX];
    double offset[ARM_JOINTS_MAX];
} arm_controller;

// `c` stays where it is.
void arm_controller_begin(arm_controller *c, coupling_kind kind);
void arm_controller_step(arm_controller *c, const arm_question *question, arm_answer *out);

// Asks the other end, a lockstep; an answer that is beyond all measure is E_IO.
status arm_answer_afar(void *link, const arm_question *question, arm_answer *out, error *err);
// Whether numbers that arrived are a question about one of `arms` arms: its number is whole and in
// range, what is yes or no is 1 or 0, and no time, stiffness or damping is below 0.
bool arm_question_can_be(const arm_question *q, size_t arms);
// Answers for `arms` arms until the other end says that no step follows.
status arm_serve(coupling_kind kind, size_t arms, lockstep *link, error *err);

#endif
