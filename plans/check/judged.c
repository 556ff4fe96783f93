// plans/check/judged.c - goals of the whole plan that could never be true, since nothing judges
// them.
#include <stdio.h>

#include "plans/check/check_int.h"

typedef struct judged_goal {
    const char *name;
    uint32_t least, most; // arguments; most 0: any number
} judged_goal;
static const judged_goal JUDGED[] = {
#define GOAL(name, least, most, doc) {#name, least, most},
#include "plans/goals.def"
};
enum { JUDGED_COUNT = sizeof JUDGED / sizeof *JUDGED };

typedef struct judging {
    const plan_names *names;
    const plan_file *file;
    const char *robot; // the first of several; NULL: there is one, which needs no name
    int line, column;  // of the step, where a term has no place of its own
    errors *list;
} judging;

static bool is_property(const plan_names *names, const char *word) {
    for (size_t i = 0; names->truths && names->truths[i]; i++)
        if (strcmp(names->truths[i], word) == 0)
            return true;
    return false;
}

static bool is_equation(const term *t) {
    return term_is(t, "=", 2) || term_is(t, "!=", 2);
}

static bool joins_goals(const term *t) {
    return t->kind == TERM_COMPOUND &&
           (strcmp(t->text, "and") == 0 || strcmp(t->text, "or") == 0 || term_is(t, "not", 1));
}

static void complain_unjudged(const judging *j, const term *t) {
    const char *known[JUDGED_COUNT + 1] = {NULL};
    for (size_t i = 0; i < JUDGED_COUNT; i++)
        known[i] = JUDGED[i].name;
    const char *near = t->kind == TERM_COMPOUND || t->kind == TERM_SYMBOL
                           ? nearest_name(t->text, known, JUDGED_COUNT)
                           : NULL;
    char text[160], which[64] = "";
    term_format(t, text, sizeof text);
    if (near && strcmp(near, t->text) != 0)
        snprintf(which, sizeof which, "did you mean '%.40s'? ", near);
    term_place at = place_of_term(t, j->line, j->column);
    errors_add(j->list, j->file->path, at.line, at.column,
               "the goal %s of the whole plan can never be true; %sgoals are occasions such as "
               "on(a(cup), table_1), properties, = and !=, joined by and(...), or(...), not(...) "
               "(docs/plans.md, Goals)",
               text, which);
}

// Whether it is about `robot` where there are several.
static bool lacks_robot(const judging *j, const term *t) {
    return j->robot && strcmp(t->text, "loc") == 0 && t->arity > 0 &&
           t->args[0]->kind == TERM_SYMBOL && strcmp(t->args[0]->text, "robot") == 0;
}

static void complain_which(const judging *j, const term *t) {
    char text[160];
    term_format(t, text, sizeof text);
    term_place at = place_of_term(t, j->line, j->column);
    errors_add(j->list, j->file->path, at.line, at.column,
               "the goal %s of the whole plan does not say which robot, and there are several; "
               "name it, as loc(%s, ...)",
               text, j->robot);
}

// Reports a goal that nothing judges; `denied`: it stands under a not.
static void check_judged_goal(const judging *j, const term *t, bool denied) {
    if (t->kind == TERM_COMPOUND) {
        if (is_equation(t) && !denied)
            return;
        if (lacks_robot(j, t)) {
            complain_which(j, t);
            return;
        }
        if (t->arity == 2 && is_property(j->names, t->text))
            return;
        for (size_t i = 0; i < JUDGED_COUNT; i++) {
            const judged_goal *g = &JUDGED[i];
            if (strcmp(g->name, t->text) != 0 || t->arity < g->least ||
                (g->most && t->arity > g->most))
                continue;
            if (joins_goals(t) && denied)
                break;
            for (uint32_t k = 0; joins_goals(t) && k < t->arity; k++)
                check_judged_goal(j, t->args[k], term_is(t, "not", 1));
            return;
        }
    }
    term_place at = place_of_term(t, j->line, j->column);
    if (denied && (joins_goals(t) || is_equation(t)))
        errors_add(j->list, j->file->path, at.line, at.column,
                   "in a goal of the whole plan not(...) stands around one occasion; write "
                   "and(not(A), not(B)), or(not(A), not(B)), X != Y");
    else
        complain_unjudged(j, t);
}

void check_judged(const plan *p, const plan_names *names, errors *list) {
    const plan_node *n = p->body;
    if (!n || !n->goal || !names->bodies)
        return;
    const char *robot = p->members.count > 1 ? p->members.items[0].is.name : NULL;
    judging j = {names, p->files.items[0], robot, n->line, n->column, list};
    if (term_list_length(n->goal) < 0) {
        check_judged_goal(&j, n->goal, false);
        return;
    }
    for (const term *l = n->goal; term_is(l, "[|]", 2); l = l->args[1])
        check_judged_goal(&j, l->args[0], false);
}
