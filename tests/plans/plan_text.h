// tests/plans/plan_text.h - a plan from a text, and its mistakes as lines.
#ifndef FORESEE_TESTS_PLANS_PLAN_TEXT_H
#define FORESEE_TESTS_PLANS_PLAN_TEXT_H

#include "plans/tree.h"

// The names of the robot's actions, arguments and failures as they are, and of a small scene.
extern const plan_names ROBOT_NAMES; // no scene
extern const plan_names SCENE_NAMES;

typedef struct checked {
    status loaded, checked;
    plan *p;            // NULL: the file could not be read
    size_t count;       // of mistakes
    char errors[32768]; // each "line:column: text\n", with "file:" before it where it is not the
                        // plan's
    char *folder;
} checked;

// Reads and checks, as `foresee check` does, everything at once. `routines`: text of mine.yaml
// beside it; NULL: none.
checked plan_text_check(const char *text, const char *routines, const plan_names *names,
                        const settings *set);
void plan_text_finish(checked *c);
// That the mistakes are just these lines, in any order ("": none).
void plan_text_expect(const char *text, const char *routines, const char *expected);

#endif
