// plans/check/check_int.h - shared by the files that check plans.
#ifndef FORESEE_PLANS_CHECK_CHECK_INT_H
#define FORESEE_PLANS_CHECK_CHECK_INT_H

#include "plans/tree/tree_int.h"

// Checks while a plan is read: variables without a value, goals that no routine achieves, and
// conditions that ask for the task of a step that does not exist.
void check_variables(const plan *p, errors *list);
// `names` and `library` (the folder of the shipped routines) are NULL where they are not known.
void check_goals(const plan *p, const plan_names *names, const char *library, errors *list);
void check_robots(const plan *p, errors *list); // as: NAME
void check_tasks(plan *p, errors *list);        // sets `observed` of the steps that are asked for

// Checks once the scene is known: names of objects, actions, arguments and failure classes.
void check_names(const plan *p, const plan_names *names, errors *list);
// Reports words that are slips of those that conditions, expressions, targets and descriptions
// know.
void check_words(const plan *p, const plan_names *names, errors *list);
// Reports motions that replay and move_arm name, and no step teaches.
void check_taught(const plan *p, errors *list);
// Returns whether the words differ by one letter more, less or other, or by two swapped ones.
bool is_slip(const char *a, const char *b);
// Reports steps that can never be reached, and pulses where nothing can pulse.
void check_flow(const plan *p, errors *list);
// Reports goals of the whole plan that nothing judges.
void check_judged(const plan *p, const plan_names *names, errors *list);
// Reports clauses of on_failure that can never catch a failure.
void check_handlers(const plan *p, const plan_names *names, errors *list);
// Returns whether some values of the variables of both terms could make them equal; a function may
// become any value. `names` is NULL where the functions are not known.
bool may_match(const term *pattern, const term *goal, const plan_names *names);

// The type of an action description, [type(T), ...] or action([type(T), ...]); NULL: it gives none.
const term *performed_type(const term *t);
// The value that a step gives an argument, also as a key of `perform`; NULL: none.
const term *step_argument(const plan_node *n, const char *key);
// The primitive action that a step does, itself or by `perform`; NULL: none, or it shows only when
// it runs.
const char *step_action(const plan *p, const plan_node *n);
// Returns whether `perform` finds the routine under this type: its own name, or that of its goal.
bool routine_performs(const plan_routine *r, const char *type);

// Where a mistake in a term stands: at the term, or where that has no place of its own, at its
// step.
typedef struct term_place {
    int line, column;
} term_place;
static inline term_place place_of_term(const term *t, int line, int column) {
    return t->line > 0 ? (term_place){t->line, t->column} : (term_place){line, column};
}

typedef ARRAY(const char *) name_list;
bool has_name(const name_list *names, const char *name);
// Returns whether a list that ends with NULL has the name; NULL: no list.
bool list_has(const char *const *names, const char *name);
// Returns what follows a key and a blank in the entry of a list that begins so; NULL: there is
// none, or no list.
const char *entry_of(const char *const *list, const char *key);
// The words "top, rim, side" that an argument may be, and whether it may be a list of them; NULL:
// it is no word.
const char *argument_words(const plan_names *names, const char *key, bool *list);
// Cuts "top, rim, side" into its words, which stand in `text` from then on.
name_list words_of(char *text);
// Reports "unknown WHAT 'name'", with the nearest known name.
void complain_name(const name_list *known, const char *what, const char *name, const char *file,
                   int line, int column, errors *list);

// ---- The shipped files of routines (library.c) --------------------------------------------------

// Returns the file beside the plan or in the library whose name is nearest to one that cannot be
// read; NULL: none is near.
const char *files_nearest(arena *a, const char *plan_path, const char *library, const char *name);
// Writes the files in `library` that have a routine for goals of this functor and arity to *out, as
// "a.yaml, b.yaml", and returns how many there are.
size_t files_achieving(arena *a, const char *library, const char *functor, uint32_t arity,
                       const char **out);
#endif
