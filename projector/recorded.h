// projector/recorded.h - where a recorded robot was, and the simulated one on its way there.
//
// The motors of the simulated robot go where the recorded encoders were; its base is driven to
// where the recorded one was.
#ifndef FORESEE_PROJECTOR_RECORDED_H
#define FORESEE_PROJECTOR_RECORDED_H

#include "projector/recording.h"
#include "projector/world/sim.h"

typedef struct recorded_robot recorded_robot;

// E_INPUT: the recorded robot has other joints than `r`, or was where those of `r` cannot be.
status recorded_check(const recording *from, const robot_model *r, error *err);
// The recording is what the robot `number` of `world` does; it has been checked. All is borrowed.
recorded_robot *recorded_create(const recording *from, sim *world, size_t number);
void recorded_destroy(recorded_robot *r); // NULL is a no-op
// Where the encoder of a joint of the robot was; what was not read at t lies evenly between what
// was.
double recorded_joint(const recorded_robot *r, size_t joint, nanos t);
// Sends the robot to where it was at t + `cycle`.
void recorded_move(recorded_robot *r, nanos t, nanos cycle);
// Whether the recording has ended at t, so that nothing is known of the robot any more.
bool recorded_over(const recorded_robot *r, nanos t);
// The same, with all that its grippers were told up to t: for one whose recording has no other
// rows. Where the recording has ended the robot rests where it is and its
// motors press no more.
void recorded_stand_in(recorded_robot *r, nanos t, nanos cycle);
// Has a gripper do what it was told, if the record tells one so; its actuator is the number of a
// name.
void recorded_grip(recorded_robot *r, const struct record_COMMAND *c);
// What contacts did to an arm of the robot at t, which is no earlier than in the call before, as it
// was noted, or as `truth` has it. False: that was never noted, or the recording has ended.
bool recorded_contact(recorded_robot *r, size_t arm, bool truth, nanos t, vec3 *force,
                      vec3 *moment);

#endif
