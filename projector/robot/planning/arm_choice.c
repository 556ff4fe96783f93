// projector/robot/planning/arm_choice.c - the choice of the arm that takes an object or moves a
// door: of the free ones, the one that stands and reaches with the least effort, or, at a handle,
// of which the most can be asked.
#include "base/text/text.h"
#include "projector/robot/planning/memory.h"
#include "projector/robot/planning/stand.h"

typedef struct comparison {
    int64_t best; // -1: no free arm reaches it
    stand_answer stands;
    text_buffer candidates, reason;
} comparison;

static void comparison_finish(comparison *c) {
    text_finish(&c->candidates);
    text_finish(&c->reason);
}

static void arms_compare(mind *m, const stand_query *asked, comparison *c) {
    *c = (comparison){.best = -1};
    text_put(&c->candidates, "[");
    for (size_t a = 0; a < m->robot->arm_count; a++) {
        const char *name = m->robot->arms[a].name;
        stand_answer answer;
        stand_query q = *asked;
        q.arm = a;
        text_add(&c->reason, "%s%s ", c->reason.count > 0 ? "; " : "", name);
        if (belief_held(m->belief, a, NULL)) {
            text_add(&c->reason, "is not free");
            continue;
        }
        stand_search(m, &q, &answer);
        text_add(&c->candidates, "%s%s", c->candidates.count > 1 ? ", " : "", name);
        if (!answer.found) {
            text_add(&c->reason, "cannot reach it");
            if (c->best < 0 &&
                (c->stands.tried == 0 || (answer.nearest.kind != MISS_NONE &&
                                          miss_counts(&c->stands.nearest, answer.nearest.by))))
                c->stands = answer;
            continue;
        }
        text_add(&c->reason, "costs %.2f", answer.best.cost);
        // At a handle, of arms of which as much can be asked the robot's last one is taken: where
        // nothing speaks for an arm, other things are taken with the first one.
        if (c->best < 0 || q.operates || answer.best.cost < c->stands.best.cost) {
            c->best = (int64_t)a;
            c->stands = answer;
        }
    }
    text_add(&c->candidates, "]");
}

// Writes the choice down, if an arm was found, and returns that; -2: it could not be written.
static int64_t arm_chosen(mind *m, const comparison *c, const char *question, int64_t task, nanos t,
                          error *err) {
    if (c->best < 0)
        return c->best;
    status s = robot_choice(m, task, t, "arm", question, m->robot->arms[c->best].name,
                            text_string(&c->candidates), text_string(&c->reason), err);
    return s == OK ? c->best : -2;
}

int64_t arm_choose(mind *m, const believed_object *o, unsigned kinds, int64_t task, nanos t,
                   stand_answer *stands, error *err) {
    stand_query q = {.purpose = STAND_REACH, .object = o, .kinds = kinds};
    comparison c;
    char question[96];
    arms_compare(m, &q, &c);
    *stands = c.stands;
    snprintf(question, sizeof question, "arm_for('%s')", o->name);
    int64_t arm = arm_chosen(m, &c, question, task, t, err);
    comparison_finish(&c);
    return arm;
}

int64_t arm_choose_operating(mind *m, const believed_object *door, double to, const char *question,
                             int64_t task, nanos t, error *err) {
    stand_query q = {.purpose = STAND_REACH, .object = door, .operates = true, .to = to};
    comparison c = {.best = -1};
    for (q.demand = 1; q.demand <= STAND_DEMANDS && c.best < 0; q.demand++) {
        comparison_finish(&c);
        arms_compare(m, &q, &c);
    }
    int64_t arm = arm_chosen(m, &c, question, task, t, err);
    comparison_finish(&c);
    return arm;
}
