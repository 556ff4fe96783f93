// projector/interp/state/frame.c - frames and arenas, which are used again and again.
#include "projector/interp/state/frame.h"

arena *arena_take(interp *i) {
    if (i->spare_arenas.count > 0)
        return i->spare_arenas.items[--i->spare_arenas.count];
    return arena_create_small(FRAME_BEGINS);
}

void arena_give(interp *i, arena *a) {
    arena_rewind(a, FRAME_KEEPS);
    array_push(&i->spare_arenas, a);
}

frame *frame_take(interp *i) {
    frame *f = i->spare_frames.count > 0 ? i->spare_frames.items[--i->spare_frames.count]
                                         : mem_must(1, sizeof *f);
    memset(f, 0, sizeof *f);
    f->memory = arena_take(i);
    return f;
}

bool frame_is_live(const frame *f) {
    return !f->gone && f->state < TASK_DONE && !f->concluding;
}

bool frame_below(const frame *f, const frame *above) {
    for (; f; f = f->parent) {
        if (f == above)
            return true;
    }
    return false;
}

const term *frame_given(const frame *f, const char *name) {
    for (size_t k = 0; k < f->given_count; k++) {
        if (strcmp(f->given[k].key, name) == 0)
            return f->given[k].value;
    }
    return NULL;
}

uint32_t node_child_index(const plan_node *n, const plan_node *child) {
    uint32_t k = 0;
    while (n->children[k] != child)
        k++;
    return k;
}
