// projector/interp/state/news.h - what robots that run one plan tell one another of its steps: how
// a step ended that is one robot's alone (as: NAME), and that a robot has ended the plan.
#ifndef FORESEE_PROJECTOR_INTERP_STATE_NEWS_H
#define FORESEE_PROJECTOR_INTERP_STATE_NEWS_H

#include <stdbool.h>

typedef struct step_news {
    const char *from;           // the robot
    const char *path;           // dynamic path of the step; NULL: the robot has ended the plan
    bool done;                  // it did not fail
    const char *class, *reason; // of the failure; the class lives as long as the plans
} step_news;

#endif
