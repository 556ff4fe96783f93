// cli/commands/series.h - pictures of several instants of an episode: side by side in one picture,
// as a film, or as a file for each.
#ifndef FORESEE_CLI_COMMANDS_SERIES_H
#define FORESEE_CLI_COMMANDS_SERIES_H

#include "base/files/output.h"
#include "cli/command.h"
#include "report/picture/stage.h"

enum { SERIES_STRIP_MAX = 64, SERIES_FRAMES_MAX = 36000 };

typedef struct series {
    const char *log, *output;
    int64_t episode;   // 0: the last
    nanos from, until; // TIME_OPEN: to its end
    const char *rules; // the folder of rule files, where beliefs are drawn; NULL: they are not
    int64_t strip;     // instants in one picture; 0: it is a film, or its pictures
    const char *film;  // its format; NULL: no film
    bool frames;       // `output` is a folder
    int rate;          // pictures a second
    double speed;      // seconds of the episode in a second of the film
} series;

// Reads the viewpoint of the command line; things that it names must be on the stage already. What
// is followed is found anew at every instant, what is looked at but once.
status show_view(const arguments *a, const stage *s, picture_options *o, error *err);
// Draws and writes them. `picture` is the policy for a picture's file. E_INPUT: there is nothing to
// show, or more than SERIES_FRAMES_MAX pictures; the errors of films and of output.h.
status series_write(const series *s, const arguments *a, picture_options *o,
                    const output_policy *picture, error *err);

#endif
