// cli/branch/tape.c - records kept in memory.
#include "cli/branch/tape.h"

#include <string.h>

const column_info *tape_time_column(record_kind kind) {
    const record_info *info = record_describe(kind);
    for (size_t i = 0; i < info->column_count; i++)
        if (info->columns[i].type == COLUMN_TIME || info->columns[i].type == COLUMN_TICK)
            return &info->columns[i];
    return NULL;
}

bool tape_is_prompt(record_kind kind) {
    switch (kind) {
    case RECORD_POSE:
    case RECORD_RELATIVE_POSE:
    case RECORD_HOLD_POSE:
    case RECORD_JOINT_STATE:
    case RECORD_CONTACT:
    case RECORD_CONTACT_FORCE:
    case RECORD_COMMAND:
        return false;
    default:
        return tape_time_column(kind) != NULL;
    }
}

// What a record of this kind takes in memory.
static size_t record_size(record_kind kind) {
    static const size_t sizes[RECORD_KINDS] = {
#define RECORD(kind, table, doc)                                                                   \
    [RECORD_##kind] = offsetof(record, kind) + sizeof(struct record_##kind),
#define COLUMN(kind, name, type, flags, doc)
#include "schema/record.def"
#undef RECORD
#undef COLUMN
    };
    return sizes[kind];
}

// A copy with texts of its own: of an ended record those of its final columns alone, for the others
// mean nothing.
static const record *record_copied(tape *t, const record *r, bool ended) {
    record *copy = arena_alloc(t->memory, record_size(r->kind));
    memcpy(copy, r, record_size(r->kind));
    const record_info *info = record_describe(r->kind);
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *c = &info->columns[i];
        if (c->type != COLUMN_TEXT)
            continue;
        char *field = (char *)copy + c->offset;
        const char *text = NULL;
        if (!ended || c->flag == COLUMN_FINAL) {
            memcpy(&text, field, sizeof text);
            text = text ? arena_strdup(t->memory, text) : NULL;
        }
        memcpy(field, &text, sizeof text);
    }
    return copy;
}

static status tape_put(sink *s, const record *r, error *err) {
    tape *t = (tape *)s;
    if (t->to)
        return sink_put(t->to, r, err);
    if (tape_is_prompt(r->kind)) {
        nanos at;
        memcpy(&at, (const char *)r + tape_time_column(r->kind)->offset, sizeof at);
        t->now = at > t->now ? at : t->now;
    }
    array_push(&t->entries, ((tape_entry){TAPE_PUT, t->now, record_copied(t, r, false)}));
    return OK;
}

static status tape_end(sink *s, const record *r, error *err) {
    tape *t = (tape *)s;
    if (t->to)
        return sink_end(t->to, r, err);
    array_push(&t->entries, ((tape_entry){TAPE_END, t->now, record_copied(t, r, true)}));
    return OK;
}

static status tape_commit(sink *s, nanos at, error *err) {
    tape *t = (tape *)s;
    if (t->to)
        return sink_commit(t->to, at, err);
    array_push(&t->entries, ((tape_entry){TAPE_COMMIT, at, NULL}));
    return OK;
}

void tape_begin(tape *t) {
    static const sink_class class = {tape_put, tape_end, tape_commit};
    *t = (tape){.sink.class = &class, .memory = arena_create()};
}

void tape_finish(tape *t) {
    array_finish(&t->entries);
    arena_destroy(t->memory);
    *t = (tape){0};
}

// A whole record, of which a sink may read what is of no kind's concern.
static record record_whole(const record *kept) {
    record r = {.kind = kept->kind};
    memcpy(&r, kept, record_size(kept->kind));
    return r;
}

status tape_play(const tape *t, sink *to, error *err) {
    status st = OK;
    nanos committed = 0;
    for (size_t i = 0; i < t->entries.count; i++)
        if (t->entries.items[i].mark == TAPE_COMMIT)
            committed = t->entries.items[i].t;
    for (size_t i = 0; st == OK && i < t->entries.count; i++) {
        const tape_entry *e = &t->entries.items[i];
        if (e->mark == TAPE_COMMIT)
            continue;
        record r = record_whole(e->record);
        st = e->mark == TAPE_PUT ? sink_put(to, &r, err) : sink_end(to, &r, err);
    }
    // One commit stands for all: a log knows the last alone.
    return st == OK ? sink_commit(to, committed, err) : st;
}

void tape_pass(tape *t, sink *to) {
    t->to = to;
}
