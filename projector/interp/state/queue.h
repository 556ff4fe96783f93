// projector/interp/state/queue.h - queues of frames by time, then by id; chains of frames by id.
#ifndef FORESEE_PROJECTOR_INTERP_STATE_QUEUE_H
#define FORESEE_PROJECTOR_INTERP_STATE_QUEUE_H

#include "projector/interp/state/frame.h"

void queue_push(frame_queue *q, nanos at, frame *f);
const queued *queue_first(const frame_queue *q); // NULL: it is empty
void queue_pop(frame_queue *q);                  // removes the entry that queue_first returns
size_t queue_count(const frame_queue *q);
void queue_keep(frame_queue *q, bool (*keeps)(const queued *)); // removes all others
void queue_finish(frame_queue *q);

void chain_insert(frame_chain *chain, frame *f);
void chain_remove(frame_chain *chain, frame *f); // no-op where it is not in it

#endif
