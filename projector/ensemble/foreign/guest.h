// projector/ensemble/foreign/guest.h - what foresee-model asks of each kind of model. Private to
// it.
//
// All functions return whether they succeeded, after guest_fail where they did not.
#ifndef FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_GUEST_H
#define FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_GUEST_H

#include "projector/ensemble/foreign/description.h"
#include "projector/ensemble/foreign/page.h"

typedef struct guest guest;
typedef struct guest_class {
    bool (*load)(guest *g);  // opens the library and instantiates
    bool (*enter)(guest *g); // parameters are set: enters initialisation
    bool (*leave)(guest *g); // inputs are set: the model is ready for its first step
    bool (*set)(guest *g, page_variable v, double value);
    bool (*get)(guest *g, page_variable v, double *value);
    // One call of the model's own step from `from` for at most `length` seconds; *reached says
    // where it stands then. Events are handled.
    bool (*advance)(guest *g, double from, double length, double *reached);
    bool (*save)(guest *g, void **state);
    bool (*restore)(guest *g, void *state);
    bool (*forget)(guest *g, void **state);
    void (*end)(guest *g);
} guest_class;

struct guest {
    const guest_class *class;
    foreign_page *page;
    void *library;
    void *instance;
    void *functions; // of the class
    void *states[PAGE_STATES];
    char said[PAGE_TEXT]; // the last warning or error that the model logged
};

#define GUEST(name, c) extern const guest_class guest_##c;
#include "projector/ensemble/foreign/guests.def"
#undef GUEST

enum { EVENTS_MAX = 10000 }; // in one step, or iterations of one event

// Writes the sentence, with what the model said last, and returns false.
bool guest_fail(guest *g, page_reply reply, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Keeps the text, shown as one line.
void guest_say(guest *g, const char *text);
// Opens the library. False after guest_fail.
bool guest_open(guest *g);
// The function of the library. NULL after guest_fail.
void *guest_function(guest *g, const char *name);
// Returns whether the value is an integer from `low` to `high`; false after guest_fail.
bool guest_integer(guest *g, double value, double low, double high);

#endif
