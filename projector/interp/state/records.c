// projector/interp/state/records.c - records of the interpreter, and the first error of a broken
// log.
#include "projector/interp/state/records.h"

void interp_check(interp *i, status s) {
    if (s != OK && i->failed == OK)
        i->failed = s;
}

void interp_put(interp *i, const record *r) {
    if (i->failed == OK)
        i->failed = sink_put(i->log, r, &i->err);
}

void interp_end(interp *i, const record *r) {
    if (i->failed == OK)
        i->failed = sink_end(i->log, r, &i->err);
}

void interp_put_choice(interp *i, const frame *f, const char *what, const term *question,
                       const char *chosen, const term *candidates, const char *reason) {
    record r = {.kind = RECORD_CHOICE, .id = sink_id(i->log, RECORD_CHOICE)};
    r.CHOICE.task = f->id;
    r.CHOICE.t_ns = i->now;
    r.CHOICE.what = what;
    r.CHOICE.question = term_text(i->scratch, question);
    r.CHOICE.chosen = chosen;
    r.CHOICE.candidates = term_text(i->scratch, candidates);
    r.CHOICE.reason = reason;
    interp_put(i, &r);
}
