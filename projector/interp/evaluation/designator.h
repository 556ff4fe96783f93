// projector/interp/evaluation/designator.h - descriptions (CRAM's designators): made, resolved,
// taken on to the next solution, equated.
//
// The symbol des#N stands for a description in expressions. A function that returns NULL or false
// leaves in i->reason why.
#ifndef FORESEE_PROJECTOR_INTERP_EVALUATION_DESIGNATOR_H
#define FORESEE_PROJECTOR_INTERP_EVALUATION_DESIGNATOR_H

#include "projector/interp/state/frame.h"

// Makes a description (kind: object, location, action; its properties evaluated) and returns its
// symbol.
const term *designator_make(interp *i, int64_t task, const char *kind, const term *properties);
bool designator_is(const term *t); // a symbol des#N
bool designator_within(const term *t);
// A term with the solutions of its descriptions in their places; those that have none yet are
// resolved. NULL: one cannot be.
const term *designator_resolve(interp *i, int64_t task, const term *t);
// The same without resolving any: those without a solution stay.
const term *designator_peek(interp *i, const term *t);
// The solution that properties have now, without making a description. NULL: none.
const term *designator_passing(interp *i, int64_t task, const char *kind, const term *properties);
// The solution of a description of an action, with further descriptions left in it. NULL: it has
// none, or is no description of an action.
const term *designator_solution(interp *i, int64_t task, const term *t);
// The properties of a description. NULL: there is no such description.
const term *designator_description(interp *i, int64_t task, const term *t);
// Resolves a description by what was found for it, best first: to its present solution where that
// is among them, else to the first that was not tried. NULL: none.
const term *designator_found(interp *i, int64_t task, const term *t, const term *list,
                             const char *why);
// Whether it would have a solution now. Descriptions that it names are resolved, for the task that
// asks.
bool designator_resolvable(interp *i, int64_t task, const term *t, bool *out);
// Sets the present solution aside and returns the next one. Descriptions that share it go along
// where the next one fits them, and are resolved anew where it does not. NULL: there is none.
const term *designator_next(interp *i, int64_t task, const term *t);
// Makes the descriptions of a list one, and gives them the solution that the list names, if any.
// False: they cannot be of the same thing.
bool designator_equate(interp *i, int64_t task, const term *list);

// A list of properties of a place as a description of where the robot itself shall be; any other
// term as it is. Actions resolve such lists themselves, with what is in the hand.
const term *designator_place(interp *i, int64_t task, const term *t);
// A location as a region to look at: on(Body), within(Region), in(Container), else the support that
// it resolves to.
const term *designator_region(interp *i, int64_t task, const term *t);

void designators_tidy(interp *i); // between steps: frees those that are no longer named
void designators_finish(interp *i);

#endif
