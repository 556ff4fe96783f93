// report/diagnosis/outcome.c - judges whether the plan succeeded.
#include "report/diagnosis/outcome.h"

status outcome_judge(ask *a, bool *succeeded, error *err) {
    return ask_whether(a, "succeeded(Task).", succeeded, err);
}
