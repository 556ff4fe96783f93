// scene/intervene.h - worlds and robots with a cause taken away, before a projection begins.
//
// A change is a term such as pads_as_believed, transparent(cereal_box) or a list of such;
// interventions.def lists them all. What is changed is the truth: what the robot believes of
// itself stays as it was, and of the world it still knows what is known a priori.
#ifndef FORESEE_SCENE_INTERVENE_H
#define FORESEE_SCENE_INTERVENE_H

#include "base/term/term.h"
#include "scene/robot/robot.h"

typedef enum change_kind {
#define CHANGE(id, name, arity, arguments, doc) CHANGE_##id,
#include "scene/interventions.def"
#undef CHANGE
    CHANGE_COUNT
} change_kind;

typedef struct change_info {
    const char *name, *arguments, *doc;
    uint32_t arity;
} change_info;
change_info change_about(change_kind k);

// Which change a term is. E_INPUT: none; the message names what there is.
status change_find(const term *change, change_kind *kind, error *err);
// Makes a change, or a list of them; CHANGE_EDITS is the plan's, CHANGE_NO_LOSS, CHANGE_NO_DELAY,
// CHANGE_COUPLED_BY and CHANGE_SHARE_ALL are of what robots tell one another: they are passed over.
// New arrays live in the models' arenas, and the old ones stay: a copy of the structure made before
// is the scene as it was. E_INPUT: no such change, or no such name; the message says what there is,
// and some of a list may have been made.
status change_make(const term *change, world_model *w, robot_model *r, error *err);
// Makes what a change, or a list of them, makes of a robot alone: of one of several, after
// change_make with all of them as one (scene/robot/fleet.h, without a name).
void change_make_robot(const term *change, world_model *w, robot_model *r);
// Whether a change, as a log has it, makes a robot another.
bool change_is_of_robot(const char *text);

#endif
