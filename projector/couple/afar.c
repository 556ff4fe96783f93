// projector/couple/afar.c - the two ends of a trial in two processes, over base/link/lockstep.h.
//
// A step's question is the message of the leader, its answer the report of the follower's end, each
// as the numbers of the struct in their order. Trials follow one another in the order of the table.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "projector/couple/ends.h"

enum {
    QUESTIONS = sizeof(down_message) / sizeof(double),
    ANSWERS = sizeof(far_report) / sizeof(double),
    FINITE = sizeof(up_message) / sizeof(double) // of an answer: the leader uses these
};
_Static_assert(sizeof(down_message) == 4 * sizeof(double), "a message is doubles alone");
_Static_assert(sizeof(far_report) == 16 * sizeof(double), "a report is doubles alone");
_Static_assert((int)ANSWERS <= (int)LOCKSTEP_MAX, "a report fits a datagram");

static uint64_t mix_number(uint64_t h, double x) {
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    return hash_word(h ^ hash_word(word));
}

uint64_t rig_session(const rig *r, uint64_t seed) {
    const double numbers[] = {r->hand_stiffness,      r->hand_damping,  r->leader_mass,
                              r->leader_damping,      r->follower_mass, r->follower_damping,
                              r->stiffness,           r->damping,       r->encoder_noise,
                              r->observer_gain,       r->wall,          r->wall_at,
                              r->wall_stiffness,      r->model,         r->model_at,
                              r->model_stiffness,     r->updates,       r->change,
                              (double)r->link.jitter, r->link.loss,     r->link.duplication,
                              r->link.ordered,        r->duration};
    uint64_t h = hash_word(seed);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        h = mix_number(h, numbers[i]);
    for (size_t i = 0; i < r->path.count; i++)
        h = mix_number(mix_number(h, r->path.items[i].time), r->path.items[i].place);
    for (size_t i = 0; i < r->kinds.count; i++)
        h = mix_number(h, r->kinds.items[i]);
    for (size_t i = 0; i < r->round_trips.count; i++)
        h = mix_number(h, r->round_trips.items[i]);
    return h;
}

status rig_answer_afar(void *link, const down_message *down, far_report *out, error *err) {
    double question[QUESTIONS], answer[ANSWERS];
    memcpy(question, down, sizeof question);
    status st = lockstep_ask(link, question, QUESTIONS, answer, ANSWERS, FINITE, err);
    if (st == OK)
        memcpy(out, answer, sizeof answer);
    return st;
}

static bool answer_step(void *far, const double *question, double *answer) {
    down_message down;
    far_report report;
    memcpy(&down, question, sizeof down);
    rig_far_step(far, &down, &report);
    memcpy(answer, &report, sizeof report);
    return true;
}

status rig_serve(const rig *r, uint64_t seed, lockstep *link, error *err) {
    status st = OK;
    for (size_t i = 0; i < r->round_trips.count * r->kinds.count && st == OK; i++) {
        rig_far *far = rig_far_create(r, r->kinds.items[i % r->kinds.count],
                                      r->round_trips.items[i / r->kinds.count], seed);
        const lockstep_service trial = {QUESTIONS, ANSWERS, rig_steps(r), answer_step, far};
        st = lockstep_serve(link, &trial, err);
        rig_far_destroy(far);
    }
    return st;
}
