// report/diff/diff.h - in what two episodes differ: the first difference in each layer from the
// world to the tasks, what followed from what as far as the log says, and the flaws that differ.
//
// Rows are aligned by time and name, never by ids. Poses are compared as functions of time. Where
// an episode was cut off (incomplete, or no outcome), they are compared up to there.
//
// Owns:      everything that it hands out.
#ifndef FORESEE_REPORT_DIFF_H
#define FORESEE_REPORT_DIFF_H

#include "base/text/text.h"
#include "report/diagnosis/diagnosis.h"

typedef enum diff_layer {
#define LAYER(id, name, doc) DIFF_##id,
#define ROWS(layer, what, time, name, value, origin, from)
#include "report/diff/layers.def"
#undef LAYER
#undef ROWS
    DIFF_LAYERS
} diff_layer;
const char *diff_layer_name(diff_layer l);

// What is nearer than this is alike.
typedef struct diff_tolerance {
    double metres, degrees;
} diff_tolerance;
diff_tolerance diff_tolerance_default(void); // 1 mm, 0.1 degrees

// The first difference of a layer. What one episode does not have then is NULL there.
typedef struct difference {
    bool found;
    nanos t;
    const char *what, *name; // touch, reading, pose, ...; of which thing or step
    const char *a, *b;
    const char *from; // what it comes from; NULL: the log does not say
} difference;
// What the episodes were run with, where it differs. NULL: not there.
typedef struct diff_setup {
    const char *name, *a, *b;
} diff_setup;
typedef struct diff diff;

// Compares two episodes that are diagnosed already; all arguments are borrowed, and `a`, `b` must
// outlive *out. E_IO, E_INPUT: a damaged log. On OK the caller owns *out.
status diff_create(ask *a, const diagnosis *flaws_a, ask *b, const diagnosis *flaws_b,
                   diff_tolerance tolerance, diff **out, error *err);
void diff_destroy(diff *d); // NULL is a no-op

// Returns where the first of the episodes was cut off; TIME_OPEN: both came to their end.
nanos diff_end(const diff *d);
// Returns whether nothing differs but what the episodes were run with.
bool diff_alike(const diff *d);
const difference *diff_first(const diff *d, diff_layer l);
size_t diff_setup_count(const diff *d);
const diff_setup *diff_setup_at(const diff *d, size_t i);
// The layers that differ, in the order of time.
size_t diff_order(const diff *d, diff_layer order[DIFF_LAYERS]);
// The flaws of the first (0) or the second episode that the other does not show.
size_t diff_flaw_count(const diff *d, int side);
const flaw *diff_flaw(const diff *d, int side, size_t i);

void diff_text(const diff *d, text_buffer *out);
void diff_json(const diff *d, text_buffer *out);

#endif
