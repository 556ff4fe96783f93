// tests/flaws/tool/monitor.h - what the log says of the true world, for the checks.
//
// The monitor reads the tables that the simulator wrote. It shares no code with the query engine or
// the rules.
#ifndef FORESEE_TESTS_FLAWS_MONITOR_H
#define FORESEE_TESTS_FLAWS_MONITOR_H

#include <sqlite3.h>
#include "base/yaml/yaml_read.h"
#include "schema/motion/tracks.h"

typedef ARRAY(double) marks; // instants, s

typedef struct span {
    double start, end; // s
} span;
typedef ARRAY(span) spans;

typedef struct monitor {
    sqlite3 *db;
    tracks *tracks;
    double end; // of the episode, s
    arena *arena;
    errors *errors;
} monitor;

// A check: whether it holds, and when.
typedef bool check_function(const monitor *m, const ynode *args, marks *times);

bool monitor_open(const char *log, arena *a, errors *list, monitor *out);
void monitor_close(monitor *m);

// ---- Arguments. What is missing and must not be is an error.
const char *arg_text(const monitor *m, const ynode *args, const char *key); // NULL and an error
const char *arg_text_or(const monitor *m, const ynode *args, const char *key,
                        const char *otherwise);
double arg_number(const monitor *m, const ynode *args, const char *key, double otherwise);
// When it looks: the times of the tasks that `during` names, else the whole episode.
void arg_during(const monitor *m, const ynode *args, spans *out);
// region: R or at: [x, y]: a point in the plane.
bool arg_place(const monitor *m, const ynode *args, double *x, double *y);

// ---- The world
int64_t monitor_object(const monitor *m,
                       const char *name); // its row; -1 and an error where there is none
pose monitor_pose(const monitor *m, int64_t object, double t);
// A row of numbers for every row that a statement with up to two texts answers.
typedef void monitor_row(void *context, sqlite3_stmt *row);
void monitor_select(const monitor *m, const char *sql, const char *first, const char *second,
                    monitor_row *each, void *context);
double monitor_number(const monitor *m, const char *sql, const char *first, const char *second,
                      double otherwise);

// ---- Spans of time
bool spans_hold(const spans *v, double t);
void spans_join(spans *v, double gap); // sorts, joins what is closer than that
void spans_intersect(const spans *a, const spans *b, spans *out);
void spans_complement(const spans *v, double from, double to, spans *out);
// When the body touched something: a body by name, `robot` (any part), `any`, `world` (all but the
// robot).
void monitor_touching(const monitor *m, const char *body, const char *other, spans *out);
// When both fingers of a hand touched the body.
void monitor_grasped(const monitor *m, const char *body, const char *hand, spans *out);
size_t monitor_hands(const monitor *m, const char **names, size_t most);

#endif
