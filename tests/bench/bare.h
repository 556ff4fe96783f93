// tests/bench/bare.h - the baseline: the same scene in ODE alone, as its manual shows the loop.
//
// Every free body and every link of the robot is a body of ODE, joints are ODE's with their motors
// holding the robot at home, furniture is geometry, collisions come from a hash space with at most
// four contacts a pair of shapes, bodies at rest are disabled, dWorldStep. No senses, no plan, no
// log.
#ifndef FORESEE_TESTS_BENCH_BARE_H
#define FORESEE_TESTS_BENCH_BARE_H

#include "scene/robot/robot.h"

// Microseconds per step of `step` s, over `steps` steps after a second of settling.
double bare_ode(const world_model *w, const robot_model *r, double step, int steps);

#endif
