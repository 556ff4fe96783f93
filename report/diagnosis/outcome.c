// report/diagnosis/outcome.c - judges whether the plan succeeded.
#include "report/diagnosis/outcome.h"

status outcome_judge(ask *a, bool *succeeded, error *err) {
    bool other = false;
    status st = ask_whether(a, "succeeded(Task).", succeeded, err);
    // Of several robots each has a plan.
    if (st == OK && *succeeded)
        st = ask_whether(a, "top_task(Task), not succeeded(Task).", &other, err);
    *succeeded = *succeeded && !other;
    return st;
}
