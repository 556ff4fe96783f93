// projector/ensemble/foreign/page.h - the shared page by which foresee and a model's process speak.
//
// Exactly one of the two may touch the page at a time: the one whose `turn` it is. foresee writes
// an order and gives the turn away; the model's process carries it out and gives the turn back.
// Each waits on `turn` as a futex. The model's process is not trusted: foresee keeps its own
// counts, and reads from the page only values and one text of bounded length.
#ifndef FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_PAGE_H
#define FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_PAGE_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGE_VERSION = 1, PAGE_FILE = 3, PAGE_TEXT = 512, PAGE_PATH = 2048, PAGE_STATES = 16 };

typedef enum page_turn { TURN_FORESEE, TURN_MODEL } page_turn;

typedef enum page_order {
    ORDER_LOAD,    // instantiate, set start values, initialise, read the outputs
    ORDER_STEP,    // set the inputs, step, read the outputs
    ORDER_SAVE,    // keep the state under `state`
    ORDER_RESTORE, // go back to the state `state`, read the outputs
    ORDER_FORGET,  // free the state `state`
    ORDER_END      // terminate, free, exit
} page_order;

typedef enum page_reply {
    REPLY_OK,
    REPLY_REFUSED, // the model cannot be run as it was asked for
    REPLY_FAILED   // the model ran, and failed
} page_reply;

typedef struct page_variable {
    uint32_t reference;
    uint32_t kind; // variable_kind
} page_variable;

typedef struct foreign_page {
    uint32_t version;
    _Atomic uint32_t turn; // page_turn
    uint32_t order, reply;
    int64_t parent;  // process that started this one
    int64_t t, dt;   // ns: from t to t + dt
    uint64_t events; // so far, as the model told
    uint64_t memory; // bytes; 0: no limit
    uint32_t state;  // below PAGE_STATES
    uint32_t parameters, inputs, outputs;
    bool event_mode, early_return, saves_states;
    char text[PAGE_TEXT]; // what went wrong
    // What is loaded.
    char name[256], token[512], folder[PAGE_PATH], library[PAGE_PATH], resources[PAGE_PATH];
    // `parameters`, then `inputs`, then `outputs` of each; the variables stand behind the values.
    double values[];
} foreign_page;

static inline size_t page_size(size_t variables) {
    return sizeof(foreign_page) + variables * (sizeof(double) + sizeof(page_variable));
}

static inline page_variable *page_variables(foreign_page *p, size_t variables) {
    return (page_variable *)(void *)(p->values + variables);
}

static inline void page_give(foreign_page *p, page_turn to) {
    atomic_store_explicit(&p->turn, to, memory_order_release);
    syscall(SYS_futex, &p->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

// Waits until it is the turn of `who`, at most so long; NULL: for ever. May return earlier.
static inline bool page_wait(foreign_page *p, page_turn who, const struct timespec *most) {
    uint32_t now = atomic_load_explicit(&p->turn, memory_order_acquire);
    if (now == (uint32_t)who)
        return true;
    syscall(SYS_futex, &p->turn, FUTEX_WAIT, now, most, NULL, 0);
    return atomic_load_explicit(&p->turn, memory_order_acquire) == (uint32_t)who;
}

#endif
