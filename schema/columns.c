// schema/columns.c - reads values of a log, and refuses those that are out of range.
#include "schema/columns.h"

#include <math.h>

#include "schema/record.h"

#define QUATERNION_MAX 1e3 // of a component; they are units, give or take what was rounded

// A statement belongs to one thread, so that its values can be read as they are: sqlite3_column_...
// would take and give back a mutex for each.
static bool column_whole(sqlite3_stmt *row, int column, int64_t *out) {
    sqlite3_value *v = sqlite3_column_value(row, column);
    if (sqlite3_value_type(v) != SQLITE_INTEGER)
        return false;
    *out = sqlite3_value_int64(v);
    return true;
}

bool column_time(sqlite3_stmt *row, int column, nanos *out) {
    nanos t;
    if (!column_whole(row, column, &t))
        return false;
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

bool column_tick(sqlite3_stmt *row, int column, nanos *out) {
    nanos t;
    if (!column_whole(row, column, &t))
        return false;
    if (t < -TIME_MAX / RECORD_TICK || t > TIME_MAX / RECORD_TICK)
        return false;
    *out = t * RECORD_TICK;
    return true;
}

bool column_fixed(sqlite3_stmt *row, int column, double scale, double *out) {
    int64_t units = 0;
    if (!column_whole(row, column, &units) && sqlite3_column_type(row, column) != SQLITE_NULL)
        return false;
    *out = (double)units / scale;
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

bool column_fixed_pose(sqlite3_stmt *row, int first, pose *out) {
    double v[7];
    for (int i = 0; i < 7; i++)
        if (!column_fixed(row, first + i, 1e6, &v[i]) ||
            fabs(v[i]) > (i < 3 ? COLUMN_METRES_MAX : QUATERNION_MAX))
            return false;
    quat q = {v[3], v[4], v[5], v[6]};
    bool none = q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0;
    *out = (pose){{v[0], v[1], v[2]}, none ? POSE_IDENTITY.q : quat_unit(q)};
    return true;
}
