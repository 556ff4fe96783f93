// plans/check/robots.c - steps that one of several robots does alone: as: NAME.
#include "plans/check/check_int.h"

// The place of the name in the step.
static void complain_robot(const plan_node *n, errors *list, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void complain_robot(const plan_node *n, errors *list, const char *format, ...) {
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const ynode *as = ynode_get(n->source, "as");
    errors_add(list, n->file->path, as ? as->line : n->line, as ? as->column : n->column, "%s",
               text);
}

static void complain_unknown(const plan *p, const plan_node *n, errors *list) {
    name_list names = {0};
    for (size_t i = 0; i < p->members.count; i++)
        array_push(&names, p->members.items[i].is.name);
    const char *near = nearest_name(n->as, names.items, names.count);
    if (names.count == 0)
        complain_robot(n, list, "as: is for a plan with several robots; name them under robots:");
    else
        complain_robot(n, list,
                       near ? "there is no robot '%.100s' under robots:; did you mean '%.100s'?"
                            : "there is no robot '%.100s' under robots:",
                       n->as, near ? near : "");
    array_finish(&names);
}

// `above` is the step around this one that is of one robot alone; NULL: none.
static void check_step(const plan *p, const plan_node *n, const plan_node *above, errors *list) {
    if (n->as) {
        size_t member = plan_find_member(p, n->as);
        if (member == PLAN_NO_MEMBER)
            complain_unknown(p, n, list);
        else if (p->members.items[member].is.plan)
            complain_robot(n, list, "'%.100s' runs the plan %.200s, and no step of this one", n->as,
                           p->members.items[member].is.plan_name);
        else if (above)
            complain_robot(n, list, "this step is within one of '%.100s' alone (line %d)",
                           above->as, above->line);
        else if (n->guard)
            complain_robot(n, list,
                           "a step with guard: cannot be of one robot alone, since the others "
                           "would look at the guard, too; give its steps as:");
        above = above ? above : n;
    }
    for (size_t i = 0; i < n->child_count; i++)
        check_step(p, n->children[i], above, list);
}

static void refuse_steps(const plan_node *n, errors *list) {
    if (n->as)
        complain_robot(n, list,
                       "as: cannot stand in a routine, which is run by whoever achieves "
                       "its goal; it stands in the body of a plan");
    for (size_t i = 0; i < n->child_count; i++)
        refuse_steps(n->children[i], list);
}

void check_robots(const plan *p, errors *list) {
    for (size_t i = 0; i < p->routines.count; i++)
        refuse_steps(p->routines.items[i].body, list);
    if (p->body)
        check_step(p, p->body, NULL, list);
}
