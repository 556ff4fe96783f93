// projector/ensemble/hands.c - what the robot's grippers were read as last, for triggers and
// models.
//
// Readings come from the log as it is written: of a robot whose senses are simulated, or of one
// that was recorded. So a model knows of the fingers what the robot knows, and no more.
#include "base/text/number.h"
#include "projector/ensemble/ensemble_int.h"

bool hands_are_asked(const world_ensemble *how) {
    for (size_t i = 0; i < how->slot_count; i++)
        if (how->slots[i].hand)
            return true;
    return false;
}

// The numbers of "[0.067, 8.2, 1, 1]": opening, force, what either pad feels. Other texts say
// nothing.
static void take_reading(gripper_reading *hand, const char *text) {
    double values[4];
    for (size_t i = 0; i < 4; i++) {
        if (*text != (i == 0 ? '[' : ','))
            return;
        text += 1 + strspn(text + 1, " ");
        size_t length = strcspn(text, ",]");
        if (!number_parse(text, length, &values[i]))
            return;
        text += length;
    }
    hand->opening = values[0];
    hand->force = values[1];
    hand->touches = values[2] + values[3];
}

void hands_hear(conductor *c, const record *r) {
    if (r->kind == RECORD_OBJECT && r->OBJECT.name && r->OBJECT.kind &&
        strcmp(r->OBJECT.kind, "gripper") == 0)
        array_push(&c->grippers, ((named_object){arena_strdup(c->names, r->OBJECT.name), r->id}));
    if (r->kind != RECORD_READING || !c->hands || !r->READING.value || !r->READING.kind ||
        strcmp(r->READING.kind, "gripper") != 0)
        return;
    for (size_t i = 0; i < sim_robots(c->world_now)->arm_count; i++)
        if (c->hands[i].gripper == r->READING.sensor)
            take_reading(&c->hands[i], r->READING.value);
}

status hands_start(conductor *c, error *err) {
    if (!c->hears_hands || !c->world_now)
        return OK;
    const robot_model *all = sim_robots(c->world_now);
    for (size_t i = 0; i < c->how->slot_count; i++) {
        const ensemble_slot *s = &c->how->slots[i];
        if (s->hand && robot_find_arm(all, s->hand) < 0)
            return error_at(err, E_INPUT, s->at.file, s->at.line, s->at.column,
                            "`%s`: the robot has no arm `%s`", s->text, s->hand);
    }
    c->hands = mem_must(all->arm_count + 1, sizeof *c->hands);
    for (size_t i = 0; i < all->arm_count; i++)
        for (size_t k = 0; k < c->grippers.count; k++)
            if (strcmp(c->grippers.items[k].name, all->arms[i].gripper.name) == 0)
                c->hands[i].gripper = c->grippers.items[k].id;
    return OK;
}

double hands_signal(const conductor *c, const ensemble_slot *what) {
    const gripper_reading *hand = &c->hands[robot_find_arm(sim_robots(c->world_now), what->hand)];
    return what->signal == SIGNAL_GRIPPER_OPENING ? hand->opening
           : what->signal == SIGNAL_GRIPPER_FORCE ? hand->force
                                                  : hand->touches;
}
