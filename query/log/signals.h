// query/log/signals.h - numbers as functions of time, read from poses, contacts and beliefs of one
// episode.
//
// Owns:      tracks, shapes and forces that were asked for, and the samples of signals that were
//            evaluated.
// Threads:   one of these belongs to one thread, that of its store.
#ifndef FORESEE_QUERY_SIGNALS_H
#define FORESEE_QUERY_SIGNALS_H

#include "base/math/geom.h"
#include "query/log/fact.h"
#include "schema/motion/tracks.h"

typedef struct signals signals;

// All arguments are borrowed and must outlive *out.
status signals_create(store *s, const store_episode *e, values *v, facts *f, budget *b,
                      signals **out, error *err);
void signals_destroy(signals *s); // NULL is a no-op

#endif
