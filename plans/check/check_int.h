// plans/check/check_int.h - shared by the files that check plans.
#ifndef FORESEE_PLANS_CHECK_CHECK_INT_H
#define FORESEE_PLANS_CHECK_CHECK_INT_H

#include "plans/tree/tree_int.h"

// While it is read: variables without a value, goals that no routine achieves, and conditions that
// ask for the task of a step that there is not.
void check_variables(const plan *p, errors *list);
// `names`, `library` (folder of the shipped routines): NULL: unknown.
void check_goals(const plan *p, const plan_names *names, const char *library, errors *list);
void check_tasks(plan *p, errors *list); // sets `observed` of the steps that are asked for

// Once the scene is known.
void check_names(const plan *p, const plan_names *names, errors *list);
// Words that are slips of what conditions, expressions, targets and descriptions know.
void check_words(const plan *p, const plan_names *names, errors *list);
// One letter more, less or another, or two swapped: what is surely meant.
bool is_slip(const char *a, const char *b);
// Steps that can never be reached, and pulses where nothing can pulse.
void check_flow(const plan *p, errors *list);
// Clauses that can never catch anything.
void check_handlers(const plan *p, const plan_names *names, errors *list);
// Whether some values of the variables of both could make them equal; functions may become
// anything.
// `names`: NULL where they are not known.
bool may_match(const term *pattern, const term *goal, const plan_names *names);

// The type of an action description, [type(T), ...] or action([type(T), ...]); NULL: it gives none.
const term *performed_type(const term *t);
// A routine is performed under its own name or under that of its goal.
bool routine_performs(const plan_routine *r, const char *type);

typedef ARRAY(const char *) name_list;
bool has_name(const name_list *names, const char *name);
// "unknown WHAT 'name'", with the nearest of those that are known.
void complain_name(const name_list *known, const char *what, const char *name, const char *file,
                   int line, int column, errors *list);

// ---- The shipped files of routines (library.c) --------------------------------------------------

// The file beside the plan or in the library whose name is nearest to one that cannot be read;
// NULL: none is.
const char *files_nearest(arena *a, const char *plan_path, const char *library, const char *name);
// The files in `library` with a routine for goals of this functor and arity, "a.yaml, b.yaml";
// returns how many there are.
size_t files_achieving(arena *a, const char *library, const char *functor, uint32_t arity,
                       const char **out);
#endif
