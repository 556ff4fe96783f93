// projector/interp/state/queue.c - queues of frames by time, then by id. Most entries come in that
// order already: they stand in a run, first in, first out; the rest in a heap. Keys lie beside one
// another, so that thousands of waiting tasks are not touched before it is their turn.
#include "projector/interp/state/queue.h"

static bool comes_before(const queued *a, const queued *b) {
    return a->at != b->at ? a->at < b->at : a->id < b->id;
}

static void heap_push(frame_queue *q, queued e) {
    array_push(&q->heap, e);
    queued *h = q->heap.items;
    size_t at = q->heap.count - 1;
    for (; at > 0 && comes_before(&e, &h[(at - 1) / 2]); at = (at - 1) / 2)
        h[at] = h[(at - 1) / 2];
    h[at] = e;
}

static void heap_drop(frame_queue *q) {
    queued *h = q->heap.items, last = h[--q->heap.count];
    size_t at = 0, count = q->heap.count;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && comes_before(&h[child + 1], &h[child]))
            child++;
        if (!comes_before(&h[child], &last))
            break;
        h[at] = h[child];
        at = child;
    }
    h[at] = last;
}

void queue_push(frame_queue *q, nanos at, frame *f) {
    queued e = {at, f->id, f};
    if (q->head == q->run.count)
        q->head = q->run.count = 0;
    if (q->run.count > 0 && comes_before(&e, &q->run.items[q->run.count - 1])) {
        heap_push(q, e);
        return;
    }
    // The room of entries that have left is used before the run grows.
    if (q->run.count == q->run.capacity && q->head > q->run.count / 2) {
        q->run.count -= q->head;
        memmove(q->run.items, q->run.items + q->head, q->run.count * sizeof e);
        q->head = 0;
    }
    array_push(&q->run, e);
}

static bool run_is_first(const frame_queue *q) {
    return q->head < q->run.count &&
           (q->heap.count == 0 || !comes_before(&q->heap.items[0], &q->run.items[q->head]));
}

const queued *queue_first(const frame_queue *q) {
    if (run_is_first(q))
        return &q->run.items[q->head];
    return q->heap.count > 0 ? &q->heap.items[0] : NULL;
}

void queue_pop(frame_queue *q) {
    if (run_is_first(q))
        q->head++;
    else
        heap_drop(q);
}

size_t queue_count(const frame_queue *q) {
    return q->run.count - q->head + q->heap.count;
}

static int compare_queued(const void *a, const void *b) {
    return comes_before(a, b) ? -1 : comes_before(b, a);
}

void queue_keep(frame_queue *q, bool (*keeps)(const queued *)) {
    frame_queue kept = {0};
    for (size_t k = q->head; k < q->run.count; k++) {
        if (keeps(&q->run.items[k]))
            array_push(&kept.run, q->run.items[k]);
    }
    for (size_t k = 0; k < q->heap.count; k++) {
        if (keeps(&q->heap.items[k]))
            array_push(&kept.run, q->heap.items[k]);
    }
    if (kept.run.count > 1)
        qsort(kept.run.items, kept.run.count, sizeof *kept.run.items, compare_queued);
    queue_finish(q);
    *q = kept;
}

void queue_finish(frame_queue *q) {
    array_finish(&q->run);
    array_finish(&q->heap);
    q->head = 0;
}

// ---- Chains by id -------------------------------------------------------------------------------

void chain_insert(frame_chain *chain, frame *f) {
    frame *after = chain->last;
    while (after && after->id > f->id)
        after = after->chain_prev;
    f->chain = chain;
    f->chain_prev = after;
    f->chain_next = after ? after->chain_next : chain->first;
    if (f->chain_next)
        f->chain_next->chain_prev = f;
    else
        chain->last = f;
    if (after)
        after->chain_next = f;
    else
        chain->first = f;
}

void chain_remove(frame_chain *chain, frame *f) {
    if (f->chain != chain)
        return;
    if (f->chain_prev)
        f->chain_prev->chain_next = f->chain_next;
    else
        chain->first = f->chain_next;
    if (f->chain_next)
        f->chain_next->chain_prev = f->chain_prev;
    else
        chain->last = f->chain_prev;
    f->chain = NULL;
    f->chain_prev = f->chain_next = NULL;
}
