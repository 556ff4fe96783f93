// plans/check/handlers.c - clauses that can never catch anything.
//
// The set of failure classes that each step can signal is computed: those of primitive actions
// (from the names that are given), of constructs (constructs.def) and, to a fixed point, of
// routines. An action or a goal that is not known may signal any class.
#include "plans/check/check_int.h"

typedef struct construct_signal {
    construct by;
    const char *class;
} construct_signal;
static const construct_signal SIGNALLED[] = {
#define SIGNALS(id, class) {CONSTRUCT_##id, #class},
#include "plans/constructs.def"
};
#define SIGNALLED_COUNT (sizeof SIGNALLED / sizeof *SIGNALLED)

typedef struct judging {
    const plan *plan;
    const plan_names *names;
    size_t count;   // classes; a set has one flag for each, and one more: anything
    bool *routines; // a set for each routine
    bool open;      // other files may add routines: goals may signal anything
    errors *list;
} judging;

static bool *set_of(const judging *j, size_t routine) {
    return j->routines + routine * (j->count + 1);
}

static bool *set_create(const judging *j) {
    bool *set = mem_must(j->count + 1, sizeof *set);
    return set;
}

static size_t class_index(const judging *j, const char *name) {
    size_t i = 0;
    while (i < j->count && strcmp(j->names->failures[i], name) != 0)
        i++;
    return i;
}

// A class that does not exist sets the last flag, which stands for any class.
static void add_class(const judging *j, bool *set, const char *name) {
    set[class_index(j, name)] = true;
}

static bool is_class(const judging *j, size_t class, size_t above) {
    for (size_t depth = 0; class < j->count && depth <= j->count; depth++) {
        if (class == above)
            return true;
        const char *next = j->names->parents[class];
        class = next ? class_index(j, next) : j->count;
    }
    return false;
}

static void add_set(const judging *j, bool *set, const bool *other) {
    for (size_t i = 0; i <= j->count; i++)
        set[i] = set[i] || other[i];
}

// Several failures together become one failure of the class above them all.
static void add_ancestors(const judging *j, bool *set) {
    for (size_t i = 0; i < j->count; i++) {
        for (size_t above = 0; above < j->count && set[i]; above++)
            set[above] = set[above] || is_class(j, i, above);
    }
}

static void add_signals(const judging *j, const plan_node *n, bool *set);

static void add_action(const judging *j, const char *name, bool *set) {
    size_t length = strlen(name);
    bool known = false;
    for (size_t i = 0; j->names->signals && j->names->signals[i]; i++) {
        const char *entry = j->names->signals[i];
        if (strncmp(entry, name, length) != 0 || entry[length] != '.')
            continue;
        known = true;
        add_class(j, set, entry + length + 1);
    }
    set[j->count] = set[j->count] || !known;
}

static void add_goal(const judging *j, const term *goal, bool *set) {
    bool matched = false;
    for (size_t i = 0; i < j->plan->routines.count && !j->open; i++) {
        const term *pattern = j->plan->routines.items[i].pattern;
        bool fits = goal ? may_match(pattern, goal, j->names) : term_is(pattern, GOAL_PERCEIVED, 2);
        matched = matched || fits;
        if (fits)
            add_set(j, set, set_of(j, i));
    }
    set[j->count] = set[j->count] || !matched;
}

static void add_performed(const judging *j, const term *description, bool *set) {
    const term *type = performed_type(description);
    bool known = false;
    for (size_t i = 0; type && type->kind == TERM_SYMBOL && i < j->plan->routines.count; i++) {
        const plan_routine *r = &j->plan->routines.items[i];
        if (!routine_performs(r, type->text))
            continue;
        known = true;
        add_set(j, set, set_of(j, i));
    }
    for (size_t i = 0; type && type->kind == TERM_SYMBOL && j->names->actions[i]; i++) {
        if (strcmp(j->names->actions[i], type->text) != 0)
            continue;
        known = true;
        add_action(j, type->text, set);
    }
    set[j->count] = set[j->count] || !known || j->open;
    add_ancestors(j, set);
}

// Returns whether a clause catches a class.
static bool clause_catches(const judging *j, const plan_clause *c, size_t class) {
    for (size_t i = 0; i < c->class_count; i++) {
        if (is_class(j, class, class_index(j, c->classes[i])))
            return true;
    }
    return false;
}

// Adds the failures of the body that no clause catches for good (a retry may be used up), and those
// of the clauses and of the clean-up themselves.
static void add_failures(const judging *j, const plan_node *n, bool *set) {
    bool *body = set_create(j);
    if (n->child_count > 0)
        add_signals(j, n->children[0], body);
    for (size_t i = 0; i < j->count; i++) {
        const plan_clause *first = NULL;
        for (size_t k = 0; k < n->clause_count && !first; k++)
            first = clause_catches(j, &n->clauses[k], i) ? &n->clauses[k] : NULL;
        set[i] = set[i] || (body[i] && (!first || first->retry > 0 || first->guard));
    }
    set[j->count] = set[j->count] || body[j->count];
    free(body);
    for (size_t i = 1; i < n->child_count; i++)
        add_signals(j, n->children[i], set);
}

static void add_signals(const judging *j, const plan_node *n, bool *set) {
    for (size_t i = 0; i < SIGNALLED_COUNT; i++) {
        if (SIGNALLED[i].by == n->kind || SIGNALLED[i].by == CONSTRUCT_COUNT)
            add_class(j, set, SIGNALLED[i].class);
    }
    if (n->note_count > 0) // an effect that cannot be asserted
        add_class(j, set, "designator_reference_failure");
    if (n->kind == CONSTRUCT_ON_FAILURE) {
        add_failures(j, n, set);
        return;
    }
    for (size_t i = 0; i < n->child_count; i++)
        add_signals(j, n->children[i], set);
    if (n->misread)
        set[j->count] = true;
    else if (n->kind == CONSTRUCT_ACTION)
        add_action(j, n->name, set);
    else if (n->kind == CONSTRUCT_FAIL && n->name)
        add_class(j, set, n->name);
    else if (n->kind == CONSTRUCT_ACHIEVE && n->value)
        add_goal(j, n->value, set);
    else if (n->kind == CONSTRUCT_PERCEIVE)
        add_goal(j, NULL, set);
    else if (n->kind == CONSTRUCT_PERFORM)
        add_performed(j, n->value, set);
    bool several = n->kind == CONSTRUCT_TRY_ALL || n->kind == CONSTRUCT_TRY_IN_ORDER;
    if ((several && n->child_count > 1) || n->alternatives)
        add_ancestors(j, set);
}

static void settle_routines(const judging *j) {
    const plan *p = j->plan;
    bool *set = set_create(j);
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < p->routines.count; i++) {
            bool *own = set_of(j, i);
            memcpy(set, own, (j->count + 1) * sizeof *set);
            add_signals(j, p->routines.items[i].body, set);
            add_class(j, set, "designator_reference_failure"); // of its variables
            grown = grown || memcmp(set, own, (j->count + 1) * sizeof *set) != 0;
            memcpy(own, set, (j->count + 1) * sizeof *set);
        }
    }
    free(set);
}

// ---- Clauses ------------------------------------------------------------------------------------

// Returns the earlier clause that catches every failure of `class`; NULL: there is none.
static const plan_clause *shadowing_clause(const judging *j, const plan_node *n, size_t number,
                                           const char *class) {
    size_t index = class_index(j, class);
    for (size_t i = 0; i < number && index < j->count; i++) {
        if (!n->clauses[i].guard && clause_catches(j, &n->clauses[i], index))
            return &n->clauses[i];
    }
    return NULL;
}

// "a, b, c" of a set.
static void name_set(const judging *j, const bool *set, char *out, size_t size) {
    size_t length = 0;
    out[0] = 0;
    for (size_t i = 0; i < j->count && length < size; i++) {
        if (set[i])
            length += (size_t)snprintf(out + length, size - length, "%s%s", length ? ", " : "",
                                       j->names->failures[i]);
    }
}

static bool can_be_signalled(const judging *j, const bool *set, const char *class) {
    size_t above = class_index(j, class);
    if (set[j->count] || above == j->count)
        return true;
    for (size_t i = 0; i < j->count; i++) {
        if (set[i] && is_class(j, i, above))
            return true;
    }
    return false;
}

static void check_clause(const judging *j, const plan_node *n, size_t number, const bool *set) {
    const plan_clause *c = &n->clauses[number];
    const plan_clause *before = NULL;
    bool shadowed = c->class_count > 0, possible = c->class_count == 0;
    for (size_t i = 0; i < c->class_count; i++) {
        const plan_clause *by = shadowing_clause(j, n, number, c->classes[i]);
        before = before ? before : by;
        shadowed = shadowed && by;
        possible = possible || can_be_signalled(j, set, c->classes[i]);
    }
    if (shadowed) {
        errors_add(j->list, n->file->path, c->line, c->column,
                   "this clause can never be reached: the clause of line %d before it catches '%s'",
                   before->line, c->classes[0]);
    } else if (!possible) {
        char can[500];
        name_set(j, set, can, sizeof can);
        errors_add(j->list, n->file->path, c->places[0].line, c->places[0].column,
                   "this clause can never be reached: nothing in the body signals '%s'; it may "
                   "signal %s",
                   c->classes[0], can);
    }
}

static void check_clauses(const judging *j, const plan_node *n) {
    if (n->kind == CONSTRUCT_ON_FAILURE && n->clause_count > 0 && n->child_count > 0) {
        bool *set = set_create(j);
        add_signals(j, n->children[0], set);
        for (size_t i = 0; i < n->clause_count; i++)
            check_clause(j, n, i, set);
        free(set);
    }
    for (size_t i = 0; i < n->child_count; i++)
        check_clauses(j, n->children[i]);
}

// A file of routines is judged by itself: other plans may bring other routines for its goals.
void check_handlers(const plan *p, const plan_names *names, errors *list) {
    if (!names->failures || !names->parents || !names->signals || !names->actions)
        return;
    judging j = {.plan = p, .names = names, .list = list};
    while (names->failures[j.count])
        j.count++;
    j.routines = mem_must((p->routines.count + 1) * (j.count + 1), sizeof *j.routines);
    j.open = !p->body;
    settle_routines(&j);
    for (size_t i = 0; i < p->routines.count; i++) {
        const plan_routine *r = &p->routines.items[i];
        j.open = !p->body || r->file != p->files.items[0];
        check_clauses(&j, r->body);
    }
    j.open = false;
    if (p->body)
        check_clauses(&j, p->body);
    free(j.routines);
}
