// schema/record.c - the descriptions of the kinds of record and their columns, from record.def.
#include "schema/record.h"

#define TYPE_INT COLUMN_INT, RECORD_KINDS
#define TYPE_REAL COLUMN_REAL, RECORD_KINDS
#define TYPE_TEXT COLUMN_TEXT, RECORD_KINDS
#define TYPE_TIME COLUMN_TIME, RECORD_KINDS
#define TYPE_BOOL COLUMN_BOOL, RECORD_KINDS
#define TYPE_REF_OBJECT COLUMN_REF, RECORD_OBJECT
#define TYPE_REF_CONTACT COLUMN_REF, RECORD_CONTACT
#define TYPE_REF_AGENT COLUMN_REF, RECORD_AGENT
#define TYPE_REF_TASK COLUMN_REF, RECORD_TASK
#define TYPE_REF_DESIGNATOR COLUMN_REF, RECORD_DESIGNATOR
#define TYPE_REF_FAILURE COLUMN_REF, RECORD_FAILURE
#define TYPE_REF_OPERATION COLUMN_REF, RECORD_OPERATION
#define TYPE_REF_READING COLUMN_REF, RECORD_READING
#define TYPE_REF_PERCEPT COLUMN_REF, RECORD_PERCEPT
#define TYPE_REF_VISIBILITY COLUMN_REF, RECORD_VISIBILITY
#define TYPE_REF_BELIEVED COLUMN_REF, RECORD_BELIEVED

#define INFO(name, doc, type, target, flag, offset)                                                \
    { name, doc, type, flag, target, offset }
#define INFO_OF(name, doc, type_and_target, flag, offset)                                          \
    INFO(name, doc, type_and_target, flag, offset)

// All columns of all kinds in one array; the columns of a kind follow an entry without a name.
static const column_info columns[] = {
#define RECORD(kind, table, doc) {NULL, NULL, COLUMN_INT, COLUMN_KEEP, RECORD_KINDS, 0},
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
