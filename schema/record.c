// schema/record.c - the descriptions of the kinds of record and their columns, from record.def.
#include "schema/record.h"

#include <math.h>

#define TYPE_INT COLUMN_INT, RECORD_KINDS, 0
#define TYPE_REAL COLUMN_REAL, RECORD_KINDS, 0
#define TYPE_TEXT COLUMN_TEXT, RECORD_KINDS, 0
#define TYPE_NUMBERS COLUMN_TEXT, RECORD_KINDS, PACKED_NUMBERS
#define TYPE_WORD COLUMN_TEXT, RECORD_KINDS, PACKED_WORD
#define TYPE_TIME COLUMN_TIME, RECORD_KINDS, 0
#define TYPE_BOOL COLUMN_BOOL, RECORD_KINDS, 0
#define TYPE_TICK COLUMN_TICK, RECORD_KINDS, 0
#define TYPE_FIXED3 COLUMN_FIXED, RECORD_KINDS, 1e3
#define TYPE_FIXED4 COLUMN_FIXED, RECORD_KINDS, 1e4
#define TYPE_FIXED6 COLUMN_FIXED, RECORD_KINDS, 1e6
#define TYPE_REF_OBJECT COLUMN_REF, RECORD_OBJECT, 0
#define TYPE_REF_CONTACT COLUMN_REF, RECORD_CONTACT, 0
#define TYPE_REF_AGENT COLUMN_REF, RECORD_AGENT, 0
#define TYPE_REF_TASK COLUMN_REF, RECORD_TASK, 0
#define TYPE_REF_DESIGNATOR COLUMN_REF, RECORD_DESIGNATOR, 0
#define TYPE_REF_FAILURE COLUMN_REF, RECORD_FAILURE, 0
#define TYPE_REF_OPERATION COLUMN_REF, RECORD_OPERATION, 0
#define TYPE_REF_READING COLUMN_REF, RECORD_READING, 0
#define TYPE_REF_PERCEPT COLUMN_REF, RECORD_PERCEPT, 0
#define TYPE_REF_VISIBILITY COLUMN_REF, RECORD_VISIBILITY, 0
#define TYPE_REF_BELIEVED COLUMN_REF, RECORD_BELIEVED, 0
#define TYPE_REF_MODEL COLUMN_REF, RECORD_MODEL, 0
#define TYPE_REF_COUPLING COLUMN_REF, RECORD_COUPLING, 0
#define TYPE_REF_HOLD COLUMN_REF, RECORD_HOLD, 0
#define TYPE_REF_ATTRIBUTE COLUMN_REF, RECORD_ATTRIBUTE, 0
#define TYPE_REF_FRAME COLUMN_REF, RECORD_FRAME, 0
#define TYPE_REF_RELATION COLUMN_REF, RECORD_RELATION, 0

#define INFO(name, doc, type, target, scale, flag, offset)                                         \
    { name, doc, type, flag, target, scale, offset }
#define INFO_OF(name, doc, of_type, flag, offset) INFO(name, doc, of_type, flag, offset)

// All columns of all kinds in one array; the columns of a kind follow an entry without a name.
static const column_info columns[] = {
#define RECORD(kind, table, doc) {NULL, NULL, COLUMN_INT, COLUMN_KEEP, RECORD_KINDS, 0, 0},
#define COLUMN(kind, name, type, flag, doc)                                                        \
    INFO_OF(#name, doc, TYPE_##type, COLUMN_##flag, offsetof(record, kind.name)),
#include "schema/record.def"
#undef RECORD
#undef COLUMN
};

// The index of each kind's entry in `columns`.
enum {
#define RECORD(kind, table, doc) AT_##kind,
#define COLUMN(kind, name, type, flag, doc) AT_##kind##_##name,
#include "schema/record.def"
#undef RECORD
#undef COLUMN
    AT_END
};
_Static_assert(sizeof columns / sizeof columns[0] == AT_END, "one entry each");

// A struct with one byte for each column and one more, whose size counts the columns.
#define RECORD(kind, table, doc)                                                                   \
    }                                                                                              \
    ;                                                                                              \
    struct counted_##kind {                                                                        \
        char id;
#define COLUMN(kind, name, type, flag, doc) char name;
struct counted_none {
    char unused;
#include "schema/record.def"
};
#undef RECORD
#undef COLUMN

static const record_info kinds[RECORD_KINDS] = {
#define RECORD(kind, table, doc)                                                                   \
    {#kind, #table, doc, &columns[AT_##kind + 1], sizeof(struct counted_##kind) - 1},
#define COLUMN(kind, name, type, flag, doc)
#include "schema/record.def"
#undef RECORD
#undef COLUMN
};

const record_info *record_describe(record_kind kind) {
    return kind < RECORD_KINDS ? &kinds[kind] : NULL;
}

record_key_columns record_keys(record_kind kind) {
    record_key_columns keys = {0};
    const record_info *info = &kinds[kind];
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *c = &info->columns[i];
        if (c->flag != COLUMN_KEY)
            continue;
        if (c->type == COLUMN_REF)
            keys.of = c;
        else if (c->type == COLUMN_TICK)
            keys.t = c;
        else
            keys.nth = c;
    }
    return keys;
}

const column_info *record_key(record_kind kind) {
    return record_keys(kind).of;
}

int64_t record_fixed(const column_info *column, double number) {
    double most = 9e18, units = number * column->scale;
    return units > most ? INT64_MAX : units < -most ? INT64_MIN : llround(units);
}
