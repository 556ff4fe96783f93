// query/rows/cover.h - the time that a key of a temporal table covers, as sorted intervals.
//
// Owns:      chunks of intervals: one that comes out of order moves the others of its chunk alone.
// Invariant: intervals neither overlap nor touch; no chunk is empty.
#ifndef FORESEE_QUERY_COVER_H
#define FORESEE_QUERY_COVER_H

#include "query/rows/relation.h"

typedef struct cover_chunk {
    interval *items;
    uint32_t count, capacity;
} cover_chunk;
typedef struct cover {
    cover_chunk *chunks;
    uint32_t count, capacity;
    uint32_t newest; // for the owner: the row of the piece that came last, or ROW_NONE
} cover;

void cover_init(cover *c);
void cover_finish(cover *c, budget *b);
// Called for each part that was not covered before, in order.
typedef status (*cover_piece)(void *context, cover *c, interval piece);
// Adds [in.start, in.end), not empty. E_LIMIT, E_MEMORY, or what `piece` gave.
status cover_add(cover *c, interval in, budget *b, cover_piece piece, void *context);

#endif
