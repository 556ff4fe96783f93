// query/lower/goals.h - the body of a clause as lists of goals, one for each way through its
// disjunctions.
#ifndef FORESEE_QUERY_RULES_GOALS_H
#define FORESEE_QUERY_RULES_GOALS_H

#include "base/term/term.h"

typedef ARRAY(const term *) goal_list;
typedef ARRAY(goal_list) goal_ways;

// Adds the ways through `body` to *out. False: there are more than `most` of them, and *out has the
// first ones.
bool goals_unfold(const term *body, size_t most, goal_ways *out);
void goal_ways_finish(goal_ways *ways);

#endif
