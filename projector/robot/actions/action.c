// projector/robot/actions/action.c - helpers that all actions share: looking for arguments, and
// refusing.
#include "projector/robot/actions/action_int.h"

#include <stdarg.h>

static const char *const names[] = {
#define ACTION(name, deadline_s, doc) #name,
#include "projector/robot/actions.def"
    NULL};

const char *const *action_names(void) {
    return names;
}

const term *action_argument_find(const action_argument *args, size_t count, const char *key) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(args[i].key, key) == 0)
            return args[i].value;
    return NULL;
}

double action_argument_number(const action_argument *args, size_t count, const char *key,
                              double fallback) {
    const term *t = action_argument_find(args, count, key);
    double v;
    return t && term_number(t, &v) && v > 0 ? v : fallback;
}

status action_refuse(action *act, const char *class, const char *blocker, const char *format, ...) {
    va_list list;
    va_start(list, format);
    act->refused = true;
    act->failure = (action_failure){.class = class};
    vsnprintf(act->failure.reason, sizeof act->failure.reason, format, list);
    va_end(list);
    // Parts of the robot are no objects.
    if (blocker &&
        (belief_find(act->m->belief, blocker) || belief_robot_object(act->m->belief, blocker)))
        snprintf(act->failure.blocker, sizeof act->failure.blocker, "%s", blocker);
    return OK;
}

status action_add_miss(action *act, const miss *nearest) {
    char closest[160], *reason = act->failure.reason;
    size_t used = strlen(reason);
    miss_describe(nearest, act->m->robot, closest, sizeof closest);
    if (closest[0])
        snprintf(reason + used, sizeof act->failure.reason - used, "; closest: %s", closest);
    return OK;
}

status action_refuse_target(action *act, const term *t) {
    char text[160];
    term_format(t, text, sizeof text);
    return action_refuse(act, "designator_reference_failure", NULL, "%s is no target of %s", text,
                         action_names()[act->kind]);
}

status action_refuse_grasp(action *act, const term *t) {
    char text[160];
    term_format(t, text, sizeof text);
    return action_refuse(act, "designator_reference_failure", NULL,
                         "a grasp is top, rim, side, handle, any or a list of these, not %s", text);
}
