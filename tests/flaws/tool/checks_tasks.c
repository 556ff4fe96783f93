// tests/flaws/tool/checks_tasks.c - checks of limbs that met, and of steps that were never begun.
#include "checks.h"

#include <stdio.h>

static void add_start(void *context, sqlite3_stmt *row) {
    array_push((marks *)context, sqlite3_column_double(row, 0));
}

// Parts of the robot whose names begin so hit one another.
bool check_limbs_met(const monitor *m, const ynode *args, marks *times) {
    double least = arg_number(m, args, "speed", 0.05);
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT start_s FROM contact_view WHERE episode = 1 AND approach >= %.9g AND ("
             "a GLOB ?1 || '*' AND b GLOB ?2 || '*' OR a GLOB ?2 || '*' AND b GLOB ?1 || '*') "
             "ORDER BY start_s",
             least);
    monitor_select(m, sql, arg_text(m, args, "a"), arg_text(m, args, "b"), add_start, times);
    return times->count > 0;
}

bool check_never_begun(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    return monitor_number(m,
                          "SELECT count(*) = 0 FROM task_view WHERE episode = 1 AND path GLOB ?1",
                          arg_text(m, args, "path"), NULL, 0) > 0;
}
