// plans/check/goals.c - goals that no routine achieves.
#include "plans/check/check_int.h"

// Where the functions are not known, any symbol may be a function.
static bool is_function(const term *t, const plan_names *names) {
    if (t->kind != TERM_SYMBOL || !names || !names->functions)
        return t->kind == TERM_SYMBOL;
    for (size_t i = 0; names->functions[i]; i++) {
        if (strcmp(names->functions[i], t->text) == 0)
            return true;
    }
    return false;
}

// An argument is computed before it is matched: any compound may be a function.
static bool may_become(const term *pattern, const term *argument, const plan_names *names) {
    return pattern->kind == TERM_VAR || argument->kind == TERM_VAR ||
           argument->kind == TERM_COMPOUND || term_equal(pattern, argument) ||
           is_function(argument, names);
}

bool may_match(const term *pattern, const term *goal, const plan_names *names) {
    if (pattern->kind == TERM_VAR || goal->kind == TERM_VAR)
        return true;
    if (pattern->kind != TERM_COMPOUND || goal->kind != TERM_COMPOUND)
        return term_equal(pattern, goal);
    if (goal->arity != pattern->arity || strcmp(goal->text, pattern->text) != 0)
        return false;
    for (uint32_t i = 0; i < goal->arity; i++) {
        if (!may_become(pattern->args[i], goal->args[i], names))
            return false;
    }
    return true;
}

// ---- Goals that no routine achieves -------------------------------------------------------------

typedef struct goals {
    const plan *plan;
    const plan_names *names;
    const char *library; // folder of the shipped routines; NULL: unknown
    errors *list;
    bool whole; // all routines there will be are known
    arena *memory;
    name_list *named; // shipped files that were reported to be missing; in `memory`
} goals;

static void complain_other(const goals *g, const plan_node *n, const plan_routine *other,
                           const term *goal) {
    char wanted[160], there[160];
    term_format(goal, wanted, sizeof wanted);
    term_format(other->pattern, there, sizeof there);
    errors_add(g->list, n->file->path, n->line, n->column,
               "no routine achieves %s; the nearest is for %s", wanted, there);
}

// Reports a goal for which a shipped file, which the plan does not name, has a routine. False: no
// file has one.
static bool complain_shipped(const goals *g, const plan_node *n, const char *functor,
                             uint32_t arity) {
    const char *files = NULL;
    size_t count = files_achieving(g->memory, g->library, functor, arity, &files);
    if (count > 0 && !has_name(g->named, files)) {
        array_push(g->named, files); // goals that one file achieves are one mistake
        errors_add(g->list, n->file->path, n->line, n->column,
                   "no routine achieves %s/%u; the routines of %s do: name %s under routines:",
                   functor, arity, files, count == 1 ? "that file" : "one of these files");
        errors_mark(g->list, ERROR_MISSING);
    }
    return count > 0;
}

static void complain_goal(const goals *g, const plan_node *n, const char *functor, uint32_t arity,
                          const term *goal) {
    name_list names = {0};
    const plan_routine *other = NULL;
    for (size_t i = 0; i < g->plan->routines.count; i++) {
        const plan_routine *r = &g->plan->routines.items[i];
        array_push(&names, r->pattern->text);
        bool same = strcmp(r->pattern->text, functor) == 0;
        if (same && (!other || r->pattern->arity == arity))
            other = r;
    }
    const char *near = nearest_name(functor, names.items, names.count);
    if (other && g->whole && goal)
        complain_other(g, n, other, goal);
    else if (g->whole && complain_shipped(g, n, functor, arity))
        ;
    else if (near && strcmp(near, functor) != 0 && (g->whole || is_slip(near, functor)))
        errors_add(g->list, n->file->path, n->line, n->column,
                   "no routine achieves %s/%u; did you mean '%s'?", functor, arity, near);
    else if (g->whole)
        errors_add(g->list, n->file->path, n->line, n->column,
                   "no routine achieves %s with %u arguments; name its file under routines:",
                   functor, arity);
    array_finish(&names);
}

// `with` must name what some routine for this goal takes.
static void check_with(const goals *g, const plan_node *n, const char *functor, uint32_t arity,
                       const term *goal) {
    bool matched = false;
    name_list arguments = {0};
    for (size_t i = 0; i < g->plan->routines.count; i++) {
        const plan_routine *r = &g->plan->routines.items[i];
        bool fits =
            goal ? may_match(r->pattern, goal, g->names) : term_is(r->pattern, functor, arity);
        matched = matched || fits;
        for (size_t j = 0; fits && j < r->with_count; j++)
            array_push(&arguments, r->with[j].name);
    }
    if (!matched)
        complain_goal(g, n, functor, arity, goal);
    for (size_t i = 0; matched && i < n->binding_count; i++) {
        const plan_binding *b = &n->bindings[i];
        if (has_name(&arguments, b->name))
            continue;
        const char *near = nearest_name(b->name, arguments.items, arguments.count);
        errors_add(g->list, n->file->path, b->line, b->column,
                   near ? "no routine for this takes '%s'; did you mean '%s'?"
                        : "no routine for this takes '%s'",
                   b->name + 1, near ? near + 1 : "");
    }
    array_finish(&arguments);
}

static bool has_goal(const plan_node *n) {
    return n->kind == CONSTRUCT_ACHIEVE && n->value &&
           (n->value->kind == TERM_COMPOUND || n->value->kind == TERM_SYMBOL);
}

static void check_node_goals(const goals *g, const plan_node *n) {
    if (has_goal(n))
        check_with(g, n, n->value->text, n->value->arity, n->value);
    else if (n->kind == CONSTRUCT_PERCEIVE)
        check_with(g, n, GOAL_PERCEIVED, 2, NULL);
    for (size_t i = 0; i < n->child_count; i++)
        check_node_goals(g, n->children[i]);
}

// ---- Routines that the body can come to ---------------------------------------------------------

static void use_routine(const plan *p, const plan_names *names, size_t i, bool *used);

// A goal or an action that a variable stands for may be met by any routine.
static void use_routines(const plan *p, const plan_names *names, const plan_node *n, bool *used) {
    bool goal = has_goal(n), perceive = n->kind == CONSTRUCT_PERCEIVE;
    bool any = n->kind == CONSTRUCT_PERFORM || (n->kind == CONSTRUCT_ACHIEVE && !goal);
    for (size_t i = 0; (goal || perceive || any) && i < p->routines.count; i++) {
        const term *pattern = p->routines.items[i].pattern;
        if (any || (goal && may_match(pattern, n->value, names)) ||
            (perceive && term_is(pattern, GOAL_PERCEIVED, 2)))
            use_routine(p, names, i, used);
    }
    for (size_t i = 0; i < n->child_count; i++)
        use_routines(p, names, n->children[i], used);
}

static void use_routine(const plan *p, const plan_names *names, size_t i, bool *used) {
    if (used[i])
        return;
    used[i] = true;
    use_routines(p, names, p->routines.items[i].body, used);
}

// Routines that are never come to, and those of a file on its own, may count on others.
void check_goals(const plan *p, const plan_names *names, const char *library, errors *list) {
    bool *used = mem_must(p->routines.count + 1, sizeof *used);
    arena *memory = arena_create();
    name_list named = {0};
    if (p->body)
        use_routines(p, names, p->body, used);
    for (size_t i = 0; i < p->routines.count; i++) {
        const plan_routine *r = &p->routines.items[i];
        bool own = p->body && r->file == p->files.items[0];
        goals g = {p, names, library, list, used[i] || own, memory, &named};
        check_node_goals(&g, r->body);
    }
    goals g = {p, names, library, list, true, memory, &named};
    if (p->body)
        check_node_goals(&g, p->body);
    array_finish(&named);
    arena_destroy(memory);
    free(used);
}
