// report/picture/stage.h - what stands where: the things of a picture, from a world or from a log.
//
// Owns: the things and what they are made of, in its arena.
#ifndef FORESEE_REPORT_STAGE_H
#define FORESEE_REPORT_STAGE_H

#include "base/time/times.h"
#include "report/picture/picture.h"
#include "scene/robot/robot.h"

typedef struct stage {
    arena *arena;
    ARRAY(picture_thing) things;
    const char *caption;
    bool salvaged;         // input of stage_log: the log may lack tables or columns (store_salvage)
    size_t missing_meshes; // drawn as their bounding boxes, since their files are not at hand
} stage;

void stage_init(stage *s);
void stage_finish(stage *s);
// A world at its start, with a robot at home in it (NULL: none). They are borrowed.
void stage_world(stage *s, const world_model *w, const robot_model *r);
// A log's episode (0: the last) at an instant (TIME_OPEN: its end). `rules`: the folder of the rule
// files, where what the agents believe then is to be shown as ghosts; NULL: the truth alone.
status stage_log(stage *s, const char *log, int64_t episode, nanos at, const char *rules,
                 error *err);
// Where a thing is; E_INPUT, with the nearest name, where there is none.
status stage_find(const stage *s, const char *name, vec3 *middle, error *err);

#endif
