// report/picture/play.h - an episode of a log, read once and shown at as many instants as are asked
// for.
//
// Owns:    the open log. Shapes and texts live in the arena that it was opened with; what stages
// take from it is borrowed.
#ifndef FORESEE_REPORT_PLAY_H
#define FORESEE_REPORT_PLAY_H

#include "report/picture/stage.h"

typedef struct play play;
typedef struct play_options {
    const char *rules; // the folder of rule files, for beliefs; NULL: beliefs are not shown
    bool levels;       // colours say how finely things are simulated at the instant
    bool salvaged;     // the log may lack tables or columns (store_salvage)
} play_options;

// Opens an episode (0: the last).
status play_open(arena *a, const char *log, int64_t episode, const play_options *o, play **out,
                 error *err);
void play_close(play *p); // NULL is a no-op
nanos play_end(const play *p);
// Puts the things of an instant (TIME_OPEN: the end) onto a stage that holds nothing yet;
// `believed`: with what the agents believe as ghosts. E_INPUT: the episode ends before.
status play_stage(play *p, nanos at, bool believed, stage *s, error *err);

#endif
