// report/picture/stage.h - the things of a picture and where they stand, from a world or from a
// log.
//
// Owns: the things and their shapes, in its arena.
#ifndef FORESEE_REPORT_STAGE_H
#define FORESEE_REPORT_STAGE_H

#include "base/time/times.h"
#include "report/picture/picture.h"
#include "scene/robot/robot.h"

typedef struct stage {
    arena *arena;
    ARRAY(picture_thing) things;
    const char *caption;
    bool levels; // input of stage_log: colours say how finely things are simulated at the instant
    ARRAY(picture_key) key; // then: what the colours of this picture stand for
    bool salvaged; // input of stage_log: the log may lack tables or columns (store_salvage)
    size_t
        missing_meshes; // how many are drawn as their bounding boxes, since their files are missing
} stage;

void stage_init(stage *s);
void stage_finish(stage *s);
// Shows a world at its start, with a robot in its home posture (NULL: none). Both are borrowed.
void stage_world(stage *s, const world_model *w, const robot_model *r);
// Shows a robot in its home posture, under a name of its own among several (NULL: none).
void stage_robot(stage *s, const robot_model *r, const char *name, pose at);
// Shows an episode (0: the last) of a log at an instant (TIME_OPEN: its end). `rules` is the folder
// of rule files, where the agents' beliefs are to be shown as ghosts; NULL: the truth alone.
status stage_log(stage *s, const char *log, int64_t episode, nanos at, const char *rules,
                 error *err);
// Finds the middle of a thing or of a robot, and half its extents along the axes, m. E_INPUT: no
// thing has this name; the error gives the nearest name.
status stage_find(const stage *s, const char *name, vec3 *middle, vec3 *half, error *err);

#endif
