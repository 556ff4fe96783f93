// projector/couple/arm.c - the controller of an arm that follows a station: see arm.h.
#include "projector/couple/arm.h"

#include <math.h>
#include <string.h>

static const double ANSWER_MOST = 1e6; // of an answer's numbers

_Static_assert(sizeof(arm_joint_question) == 9 * sizeof(double), "a question is doubles alone");
_Static_assert(sizeof(arm_joint_answer) == 7 * sizeof(double), "an answer is doubles alone");
_Static_assert((int)ARM_QUESTIONS == 69 && (int)ARM_ANSWERS == 50,
               "docs/twins.md and examples/twins/controller.py say how many numbers there are");
_Static_assert((int)ARM_QUESTIONS <= (int)LOCKSTEP_MAX && (int)ARM_ANSWERS <= (int)LOCKSTEP_MAX,
               "a step fits a datagram");

void arm_controller_begin(arm_controller *c, coupling_kind kind) {
    *c = (arm_controller){.kind = kind};
    for (size_t k = 0; k < ARM_JOINTS_MAX; k++)
        c->ends[k].r = &c->gains[k];
}

static double pull_of(arm_controller *c, size_t k, double place, double speed) {
    follower_end *e = &c->ends[k];
    double force;
    switch (c->kind) {
    case COUPLING_pfc:
        return pfc_pull(e, place, speed);
    case COUPLING_tdpa:
        return tdpa_pull(e, place, speed);
    case COUPLING_mmt:
        force = mmt_pull(e, place - c->offset[k], speed);
        e->reference += c->offset[k];
        return force;
    case COUPLING_COUNT:
        break;
    }
    return 0;
}

void arm_controller_step(arm_controller *c, const arm_question *question, arm_answer *out) {
    bool before = c->follows;
    c->follows = question->heard > 0 && question->lent > 0;
    out->follows = c->follows;
    for (size_t k = 0; k < ARM_JOINTS_MAX; k++) {
        const arm_joint_question *q = &question->joints[k];
        follower_end *e = &c->ends[k];
        double pull = 0;
        c->gains[k].stiffness = q->stiffness;
        c->gains[k].damping = q->damping;
        e->last = q->station;
        e->any = question->heard > 0;
        e->fresh = question->fresh > 0;
        if (c->follows && !before) {
            e->reference = q->place;
            c->offset[k] = q->place - q->station.place;
        }
        if (c->follows && q->stiffness > 0)
            pull = pull_of(c, k, q->place, q->speed);
        out->joints[k] = (arm_joint_answer){
            {pull, e->put, q->place, q->external}, e->reference, e->speed, c->offset[k]};
    }
}

status arm_answer_afar(void *link, const arm_question *question, arm_answer *out, error *err) {
    double asked[ARM_QUESTIONS], answered[ARM_ANSWERS];
    memcpy(asked, question, sizeof asked);
    status st = lockstep_ask(link, asked, ARM_QUESTIONS, answered, ARM_ANSWERS, ARM_ANSWERS, err);
    for (size_t i = 0; st == OK && i < ARM_ANSWERS; i++)
        if (fabs(answered[i]) > ANSWER_MOST)
            st = error_set(err, E_IO,
                           "the other end controls an arm with %g as number %zu of its answer; "
                           "there is nothing beyond %g",
                           answered[i], i + 1, ANSWER_MOST);
    if (st == OK)
        memcpy(out, answered, sizeof answered);
    return st;
}

typedef struct served_arms {
    arm_controller *items;
    size_t count;
} served_arms;

static bool is_flag(double x) {
    return x == 0 || x == 1;
}

bool arm_question_can_be(const arm_question *q, size_t arms) {
    bool good = q->arm >= 0 && q->arm < (double)arms && q->arm == floor(q->arm) && q->time >= 0 &&
                q->age >= 0 && is_flag(q->lent) && is_flag(q->heard) && is_flag(q->fresh) &&
                q->fresh <= q->heard;
    for (size_t k = 0; k < ARM_JOINTS_MAX; k++)
        good = good && q->joints[k].stiffness >= 0 && q->joints[k].damping >= 0;
    return good;
}

static bool answer_step(void *arms, const double *asked, double *answered) {
    served_arms *all = arms;
    arm_question question;
    arm_answer answer;
    memcpy(&question, asked, sizeof question);
    if (!arm_question_can_be(&question, all->count))
        return false;
    arm_controller_step(&all->items[(size_t)question.arm], &question, &answer);
    memcpy(answered, &answer, sizeof answer);
    return true;
}

status arm_serve(coupling_kind kind, size_t arms, lockstep *link, error *err) {
    served_arms all = {mem_must(arms, sizeof *all.items), arms};
    for (size_t i = 0; i < arms; i++)
        arm_controller_begin(&all.items[i], kind);
    const lockstep_service service = {ARM_QUESTIONS, ARM_ANSWERS, 0, answer_step, &all};
    status st = lockstep_serve(link, &service, err);
    free(all.items);
    return st;
}
