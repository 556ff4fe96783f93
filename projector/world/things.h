// projector/world/things.h - what the simulation has beside bodies and the robot: surfaces,
// furniture, particles, happenings.
#ifndef FORESEE_PROJECTOR_WORLD_THINGS_H
#define FORESEE_PROJECTOR_WORLD_THINGS_H

#include "projector/world/levels.h"
#include "projector/world/sim_int.h"

// ---- surfaces.c: friction ----------------------------------------------------------------
void surfaces_create(sim *s); // gives every entity its row of s->friction
void surfaces_destroy(sim *s);
void surfaces_follow(sim *s, const world_model *before); // what is wet stays wet
// The friction of a body, or of everything of a material, is `mu` from now on.
void surfaces_wet(sim *s, int64_t body, const char *material, double mu);

// ---- furniture.c: doors and drawers -------------------------------------------------------
// Joins the bodies, which stand at their joints' zeros, and moves them to where they start.
status furniture_create(sim *s, error *err);
void furniture_destroy(sim *s);
pose furniture_start(const sim *s, size_t body); // where a body of the world stands at the start
void furniture_wake(sim *s);                     // what hangs together wakes together
void furniture_step(sim *s, double dt);          // motors and damping, before the step of ODE
// A person's hand at a joint: to `to` at `rate`, with a force (N, N m) of its own, until let go.
void furniture_drive(sim *s, size_t joint, double to, double rate, double force);
void furniture_let_go(sim *s, size_t joint);

// ---- heap.c: islands of many contacts ---------------------------------------------------------
// A step: heap_find, once everything that touches is known; if there is a heap, heap_begin,
// heap_add for each contact of a pair with a heaped body in it, heap_solve; then ODE's step. How
// the surfaces of a contact answer.
typedef struct heap_surface {
    double mu;
    double soft, friction_soft; // m/s that they yield by under 1 N: 1/(N s/m)
    double wanted;              // m/s, by which a is to leave b along the normal at least
} heap_surface;

void heap_create(sim *s);
void heap_destroy(sim *s);
// Marks the bodies of large islands as heaped. Returns whether there is any. Contact joints of the
// last step must be gone.
bool heap_find(sim *s);
void heap_begin(sim *s, double dt);
void heap_add(sim *s, const pair *p, point *x, const heap_surface *how, double dt);
// Finds all forces, hands them to the bodies and to the points, as an exact solver's feedback.
void heap_solve(sim *s, double dt);

// ---- exact.c: islands of few contacts, solved exactly ------------------------------------------
// A step: exact_find, after heap_find; exact_add for each contact of a pair that exact_has; then,
// when all that pushes the bodies is known, exact_solve, and ODE's step.
void exact_create(sim *s);
void exact_destroy(sim *s);
void exact_find(sim *s);
bool exact_has(sim *s, const pair *p);
void exact_add(sim *s, const pair *p, point *x, const dContact *how);
bool exact_holds(const sim *s, size_t entity); // whether a contact of it was added in this step
// Finds all forces, hands them to the bodies, and to hands and points as ODE's feedback; hands
// whose forces were found have their joints disabled for ODE's step.
void exact_solve(sim *s, double dt);

// Leaves a contact to ODE after all (contacts.c).
void contact_make(sim *s, const collider *a, const collider *b, point *x, const dContact *how);

// ---- bonds.c: bodies bound to a carrier -----------------------------------------------------
void bonds_create(sim *s);
void bonds_destroy(sim *s);
void bonds_drop(sim *s, size_t entity); // ends the bonds that a body of the world belongs to
void bonds_wake(sim *s);                // what is bound does not sleep; before contacts_find
void bonds_pull(sim *s, double dt);     // those of limited force, before contacts are joined
// Why nobody can take the body: it is not there, is lowered or driven, or a person has it; and why
// nobody should: it is deep in something. NULL: nothing. Sentences live in `a`.
const char *body_held(const sim *s, size_t body, arena *a);
const char *body_deep(const sim *s, size_t body, arena *a);

// ---- drive.c: bodies that another model moves ---------------------------------------------------
void drives_create(sim *s);
void drives_destroy(sim *s);
void drives_report(sim *s); // after particles_report: what drivers told stands among the contacts

// ---- passing.c: thin and fast things ------------------------------------------------------------
void passing_step(sim *s, double dt); // after the step of ODE: puts back what touched on its way

// ---- particles.c: fluids and grains --------------------------------------------------------
status particles_create(sim *s, error *err);
void particles_destroy(sim *s);
status particles_check_start(const sim *s, error *err); // E_INPUT: overlaps, named
void particles_step(sim *s,
                    double dt); // after contacts_find, before the step of ODE: pushes bodies
void particles_return(sim *s, double dt); // pushes links, wakes; before aba_finish
void particles_rest(sim *s);              // after sleep_step
void particles_report(sim *s);            // after contacts_report
const sim_contact *particles_contacts(const sim *s, size_t *count);    // all contacts, with theirs
const char *particles_diverged(const sim *s, double far, double fast); // the first such, or NULL
pose particles_pose(const sim *s, size_t entity);
vec3 particles_velocity(const sim *s, size_t entity);
bool particles_asleep(const sim *s, size_t entity);
void particles_put(sim *s, size_t entity, pose at, bool on); // at rest
void particles_wake_near(sim *s, const bounds *at);

// ---- happenings.c: events from outside -------------------------------------------------------
status happenings_create(sim *s, error *err);
void happenings_destroy(sim *s);
// Events that are known by name go on as they were; a hand whose event is gone lets go.
status happenings_follow(sim *s, const world_model *before, error *err);
// Conditions, who comes and goes, and what acts on bodies; before contacts_find.
void happenings_step(sim *s, double dt);
// When the next event may happen if nothing moves: now where one acts. TIME_OPEN: none.
nanos happenings_next(const sim *s);

#endif
