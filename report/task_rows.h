// report/task_rows.h - the tasks of an episode as rows in memory, linked to trees.
//
// Owns: the array; task_rows_finish frees it. Texts live in the arena of whoever reads.
#ifndef FORESEE_REPORT_TASK_ROWS_H
#define FORESEE_REPORT_TASK_ROWS_H

#include "base/mem.h"
#include "base/status.h"
#include "base/time/times.h"
#include "schema/columns.h"

typedef struct task_row {
    int64_t id, parent, line; // ids of rows of the log; parent 0: none
    const char *construct, *path, *dynamic_path, *expr, *goal, *file, *result; // NULL: not logged
    const char
        *robot; // whose task it is; NULL: the episode has no two robots, or it was not logged
    const char *status;      // as it was written into the task when the projection ended
    const char *last_status; // the last that the task had: the same, but where the log was cut off
    nanos start, end;        // TIME_OPEN: it never ended
    bool skipped;
    size_t first_child, next; // indices + 1; 0: none
    int depth;                // how many tasks are above it
} task_row;

typedef struct task_rows {
    ARRAY(task_row) rows; // sorted by id, which is the order of creation
    size_t first_top;     // of the tasks without a parent: index + 1
} task_rows;

// Reads the tasks of an episode, and links each to its first child and its next sibling in order of
// creation. `log` names the file in errors. task_rows_finish in any case.
status task_rows_read(sqlite3 *db, const char *log, int64_t episode, arena *a, task_rows *out,
                      error *err);
task_row *task_rows_find(const task_rows *t, int64_t id); // NULL: there is no such task
// Returns the task above; NULL: none.
task_row *task_rows_parent(const task_rows *t, const task_row *row);
void task_rows_finish(task_rows *t);

#endif
