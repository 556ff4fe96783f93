// tests/plans/edit_random.h - random plans in every style that YAML has, and random edits of them.
#ifndef FORESEE_TESTS_PLANS_EDIT_RANDOM_H
#define FORESEE_TESTS_PLANS_EDIT_RANDOM_H

#include "plans/edit.h"
#include "plans/tree.h"

typedef struct random_text {
    uint64_t state;
    char *text;
    size_t length, capacity;
    int tags;
    const char *newline;
} random_text;

unsigned random_draw(random_text *r, unsigned n);
void random_put(random_text *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A plan that loads without other files. The caller frees r->text.
void random_plan(random_text *r);
// One edit of the plan, as a list of edits. `target`: its step; NULL: it has none.
void random_edit(random_text *r, const plan *p, const plan_node **target);

#endif
