// schema/columns.h - reads values of a log's columns, and refuses those that are out of range.
//
// A log may come from anywhere. Its small tables are checked when it is opened (store_open), the
// values of the others here, when they are read.
#ifndef FORESEE_SCHEMA_COLUMNS_H
#define FORESEE_SCHEMA_COLUMNS_H

#include <sqlite3.h>
#include <stdbool.h>
#include "base/math/geom.h"
#include "base/time/times.h"

#define COLUMN_ID_MAX (INT64_C(1) << 53) // of ids, from 1: whole in a double, too
#define COLUMN_METRES_MAX 1e9            // of a coordinate, either way

// Each returns false where the column holds another value; *out is left alone then.

// An instant in [-TIME_MAX, TIME_MAX]; NULL is none.
bool column_time(sqlite3_stmt *row, int column, nanos *out);
// An instant as above, or TIME_OPEN for NULL.
bool column_end(sqlite3_stmt *row, int column, nanos *out);
// An instant as above, held as ticks of 10 us.
bool column_tick(sqlite3_stmt *row, int column, nanos *out);
// A number held as whole units, `scale` of them to one; NULL is 0.
bool column_fixed(sqlite3_stmt *row, int column, double scale, double *out);
// A number that is finite; NULL is 0.
bool column_number(sqlite3_stmt *row, int column, double *out);
// A position of three columns within COLUMN_METRES_MAX; NULL is 0.
bool column_position(sqlite3_stmt *row, int first, vec3 *out);
// A pose of seven columns: a position, and a quaternion, of which four zeros or NULLs are no turn.
bool column_pose(sqlite3_stmt *row, int first, pose *out);
// The same of numbers that are held to six decimals; the quaternion is made a unit again.
bool column_fixed_pose(sqlite3_stmt *row, int first, pose *out);

#endif
