// projector/robot/planning/arm_choice.c - the choice of the arm that takes an object: of the free
// ones, the one that stands and reaches with the least effort.
#include "base/text/text.h"
#include "projector/robot/planning/memory.h"
#include "projector/robot/planning/stand.h"

int64_t arm_choose(mind *m, const believed_object *o, unsigned kinds, int64_t task, nanos t,
                   stand_answer *stands, error *err) {
    int64_t best = -1;
    text_buffer candidates = {0}, reason = {0};
    text_put(&candidates, "[");
    for (size_t a = 0; a < m->robot->arm_count; a++) {
        stand_answer answer;
        text_add(&reason, "%s%s ", reason.count > 0 ? "; " : "", m->robot->arms[a].name);
        if (belief_held(m->belief, a, NULL)) {
            text_add(&reason, "is not free");
            continue;
        }
        stand_query q = {.purpose = STAND_REACH, .arm = a, .object = o, .kinds = kinds};
        stand_search(m, &q, &answer);
        text_add(&candidates, "%s%s", candidates.count > 1 ? ", " : "", m->robot->arms[a].name);
        if (!answer.found) {
            text_add(&reason, "cannot reach it");
            if (best < 0 &&
                (stands->tried == 0 || (answer.nearest.kind != MISS_NONE &&
                                        miss_counts(&stands->nearest, answer.nearest.by))))
                *stands = answer;
            continue;
        }
        text_add(&reason, "costs %.2f", answer.best.cost);
        if (best < 0 || answer.best.cost < stands->best.cost) {
            best = (int64_t)a;
            *stands = answer;
        }
    }
    text_add(&candidates, "]");
    if (best >= 0) {
        char question[96];
        snprintf(question, sizeof question, "arm_for('%s')", o->name);
        if (robot_choice(m, task, t, "arm", question, m->robot->arms[best].name,
                         text_string(&candidates), text_string(&reason), err) != OK)
            best = -2;
    }
    text_finish(&candidates);
    text_finish(&reason);
    return best;
}
