// schema/record.h - records as C structs, made from record.def.
#ifndef FORESEE_SCHEMA_RECORD_H
#define FORESEE_SCHEMA_RECORD_H

#include <stddef.h>
#include <stdint.h>
#include "base/time/times.h"

typedef enum record_kind {
#define RECORD(kind, table, doc) RECORD_##kind,
#define COLUMN(kind, name, type, flags, doc)
#include "schema/record.def"
#undef RECORD
#undef COLUMN
    RECORD_KINDS
} record_kind;

#define RECORD_TYPE_INT int64_t
#define RECORD_TYPE_REAL double
#define RECORD_TYPE_TEXT const char *
#define RECORD_TYPE_NUMBERS const char *
#define RECORD_TYPE_WORD const char *
#define RECORD_TYPE_TIME nanos
#define RECORD_TYPE_BOOL int64_t
#define RECORD_TYPE_TICK nanos
#define RECORD_TYPE_FIXED3 double
#define RECORD_TYPE_FIXED4 double
#define RECORD_TYPE_FIXED6 double
#define RECORD_TYPE_REF_OBJECT int64_t
#define RECORD_TYPE_REF_CONTACT int64_t
#define RECORD_TYPE_REF_AGENT int64_t
#define RECORD_TYPE_REF_TASK int64_t
#define RECORD_TYPE_REF_DESIGNATOR int64_t
#define RECORD_TYPE_REF_FAILURE int64_t
#define RECORD_TYPE_REF_OPERATION int64_t
#define RECORD_TYPE_REF_READING int64_t
#define RECORD_TYPE_REF_PERCEPT int64_t
#define RECORD_TYPE_REF_VISIBILITY int64_t
#define RECORD_TYPE_REF_BELIEVED int64_t
#define RECORD_TYPE_REF_MODEL int64_t
#define RECORD_TYPE_REF_ATTRIBUTE int64_t
#define RECORD_TYPE_REF_FRAME int64_t
#define RECORD_TYPE_REF_RELATION int64_t
#define RECORD_TYPE_REF_COUPLING int64_t
#define RECORD_TYPE_REF_HOLD int64_t

// struct record_POSE { int64_t object; nanos t_ns; double x, y, ...; }; one for each kind.
#define RECORD(kind, table, doc)                                                                   \
    }                                                                                              \
    ;                                                                                              \
    struct record_##kind {
#define COLUMN(kind, name, type, flags, doc) RECORD_TYPE_##type name;
struct record_none {
    char unused;
#include "schema/record.def"
};
#undef RECORD
#undef COLUMN

typedef struct record {
    record_kind kind;
    int64_t id; // from sink_id
    union {
#define RECORD(kind, table, doc) struct record_##kind kind;
#define COLUMN(kind, name, type, flags, doc)
#include "schema/record.def"
#undef RECORD
#undef COLUMN
    };
} record;

// Descriptions of kinds and columns, for code that handles all kinds alike.
typedef enum column_type {
    COLUMN_INT,
    COLUMN_REAL,
    COLUMN_TEXT,
    COLUMN_TIME,
    COLUMN_BOOL,
    COLUMN_REF,
    COLUMN_TICK,
    COLUMN_FIXED
} column_type;
typedef enum column_flag {
    COLUMN_KEEP,
    COLUMN_FINAL,
    COLUMN_INDEXED,
    COLUMN_SPARSE,
    COLUMN_KEY
} column_flag;
typedef struct column_info {
    const char *name, *doc;
    column_type type;
    column_flag flag;
    record_kind target; // of a reference
    double scale;       // of a fixed number: units of its last decimal in one; of a text that is
                        // packed in the file: PACKED_NUMBERS, PACKED_WORD; else 0
    size_t offset;      // in struct record
} column_info;
typedef struct record_info {
    const char *kind, *table, *doc;
    const column_info *columns;
    size_t column_count;
} record_info;
const record_info *record_describe(record_kind kind);

// What is packed in the file of a text: lists of numbers (schema/numbers.h), frequent words
// (schema/words.h).
enum { PACKED_NUMBERS = 1, PACKED_WORD = 2 };

#define RECORD_TICK INT64_C(10000) // nanoseconds

// What the rows of a kind are known by that have neither id nor episode.
typedef struct record_key_columns {
    const column_info *of, *t; // a reference and an instant; NULL: its rows have ids
    const column_info *nth;    // counts the rows of one reference at one instant; NULL: one is kept
} record_key_columns;
#define RECORD_NTH_MAX 63
record_key_columns record_keys(record_kind kind);
// Returns the reference among them, or NULL.
const column_info *record_key(record_kind kind);
// Returns the whole number that stands for a fixed number in the file; the number is finite.
int64_t record_fixed(const column_info *column, double number);

#endif
