// Which arm takes an object.
#include "projector/robot/planning/memory.h"
#include "projector/robot/planning/stand.h"

#include <stdarg.h>

// Appends to a text of `size`, and cuts off what does not fit.
__attribute__((format(printf, 3, 4))) static void append(char *out, size_t size, const char *format,
                                                         ...) {
    size_t used = strlen(out);
    va_list list;
    va_start(list, format);
    vsnprintf(out + used, size - used, format, list);
    va_end(list);
}

int64_t arm_choose(mind *m, const believed_object *o, unsigned kinds, int64_t task, nanos t,
                   stand_answer *stands, error *err) {
    int64_t best = -1;
    char candidates[160] = "[", reason[256] = "";
    for (size_t a = 0; a < m->robot->arm_count; a++) {
        stand_answer answer;
        append(reason, sizeof reason, "%s%s ", reason[0] ? "; " : "", m->robot->arms[a].name);
        if (belief_held(m->belief, a, NULL)) {
            append(reason, sizeof reason, "is not free");
            continue;
        }
        stand_query q = {.purpose = STAND_REACH, .arm = a, .object = o, .kinds = kinds};
        stand_search(m, &q, &answer);
        append(candidates, sizeof candidates, "%s%s", candidates[1] ? ", " : "",
               m->robot->arms[a].name);
        if (!answer.found) {
            append(reason, sizeof reason, "cannot reach it");
            continue;
        }
        append(reason, sizeof reason, "costs %.2f", answer.best.cost);
        if (best < 0 || answer.best.cost < stands->best.cost) {
            best = (int64_t)a;
            *stands = answer;
        }
    }
    append(candidates, sizeof candidates, "]");
    if (best >= 0) {
        char question[96];
        snprintf(question, sizeof question, "arm_for('%s')", o->name);
        if (robot_choice(m, task, t, "arm", question, m->robot->arms[best].name, candidates, reason,
                         err) != OK)
            return -2;
    }
    return best;
}
