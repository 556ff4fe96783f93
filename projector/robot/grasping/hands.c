// projector/robot/grasping/hands.c - the arms by name, and what their hands hold as it is believed.
#include "projector/robot/grasping/hands.h"

int64_t arm_named(const mind *m, const term *t) {
    if (!t || t->kind != TERM_SYMBOL)
        return -1;
    for (size_t i = 0; i < m->robot->arm_count; i++)
        if (strcmp(m->robot->arms[i].name, t->text) == 0 ||
            strcmp(m->robot->arms[i].gripper.name, t->text) == 0)
            return (int64_t)i;
    return -1;
}

held held_by(const mind *m, size_t arm) {
    held h = {0};
    const believed_object *o = belief_held(m->belief, arm, &h.in_hand);
    if (o) {
        h.kind = o->kind;
        h.name = o->name;
    }
    return h;
}

double hand_opening(const mind *m, size_t arm) {
    const gripper_state *g = belief_gripper(m->belief, arm);
    return g->read ? g->opening : m->robot->arms[arm].gripper.max_opening;
}
