// scene/load/source.h - the files that a world or a robot was read from.
#ifndef FORESEE_SCENE_LOAD_SOURCE_H
#define FORESEE_SCENE_LOAD_SOURCE_H

#include <stddef.h>

typedef struct world_source { // a file that was read
    // world | robot | urdf | mesh | plan | routine | rules; name relative to the plan's folder
    const char *kind, *name, *text;
    size_t length;
} world_source;

#endif
