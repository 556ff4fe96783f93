// schema/columns.c - reads values of a log, and refuses those that are out of range.
#include "schema/columns.h"

#include <math.h>

#define QUATERNION_MAX 1e3 // of a component; they are units, give or take what was rounded

bool column_time(sqlite3_stmt *row, int column, nanos *out) {
    if (sqlite3_column_type(row, column) != SQLITE_INTEGER)
        return false;
    nanos t = sqlite3_column_int64(row, column);
    if (t < -TIME_MAX || t > TIME_MAX)
        return false;
    *out = t;
    return true;
}

bool column_end(sqlite3_stmt *row, int column, nanos *out) {
    if (sqlite3_column_type(row, column) != SQLITE_NULL)
        return column_time(row, column, out);
    *out = TIME_OPEN;
    return true;
}

bool column_number(sqlite3_stmt *row, int column, double *out) {
    int type = sqlite3_column_type(row, column);
    double x = type == SQLITE_NULL ? 0 : sqlite3_column_double(row, column);
    if ((type != SQLITE_NULL && type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !isfinite(x))
        return false;
    *out = x;
    return true;
}

static bool number_within(sqlite3_stmt *row, int column, double most, double *out) {
    return column_number(row, column, out) && fabs(*out) <= most;
}

bool column_position(sqlite3_stmt *row, int first, vec3 *out) {
    vec3 p;
    if (!number_within(row, first, COLUMN_METRES_MAX, &p.x) ||
        !number_within(row, first + 1, COLUMN_METRES_MAX, &p.y) ||
        !number_within(row, first + 2, COLUMN_METRES_MAX, &p.z))
        return false;
    *out = p;
    return true;
}

bool column_pose(sqlite3_stmt *row, int first, pose *out) {
    pose r;
    if (!column_position(row, first, &r.p) ||
        !number_within(row, first + 3, QUATERNION_MAX, &r.q.w) ||
        !number_within(row, first + 4, QUATERNION_MAX, &r.q.x) ||
        !number_within(row, first + 5, QUATERNION_MAX, &r.q.y) ||
        !number_within(row, first + 6, QUATERNION_MAX, &r.q.z))
        return false;
    if (r.q.w == 0 && r.q.x == 0 && r.q.y == 0 && r.q.z == 0)
        r.q = POSE_IDENTITY.q;
    *out = r;
    return true;
}
