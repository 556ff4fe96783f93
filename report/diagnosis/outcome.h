// report/diagnosis/outcome.h - judges whether the plan succeeded: its top task is done and its
// goals are true in the world at the end.
#ifndef FORESEE_REPORT_OUTCOME_H
#define FORESEE_REPORT_OUTCOME_H

#include "report/ask.h"

// Judges by the predicate succeeded(Task) of the rules.
status outcome_judge(ask *a, bool *succeeded, error *err);

#endif
