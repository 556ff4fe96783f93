// plans/check/check.c - checks what can be known to be wrong once the scene is known.
#include "plans/check/check_int.h"

status plan_check(const plan *p, const plan_names *names, errors *list) {
    size_t before = list->count;
    check_names(p, names, list);
    check_words(p, names, list);
    check_taught(p, list);
    check_judged(p, names, list);
    check_flow(p, list);
    check_handlers(p, names, list);
    return list->count > before ? E_INPUT : OK;
}
