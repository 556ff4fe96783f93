// report/diagnosis/outcome.h - did the plan succeed? Its top task is done and its goals are true in
// the world at the end.
#ifndef FORESEE_REPORT_OUTCOME_H
#define FORESEE_REPORT_OUTCOME_H

#include "report/ask.h"

// Judges by what the rules call succeeded(Task).
status outcome_judge(ask *a, bool *succeeded, error *err);

#endif
