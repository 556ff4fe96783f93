// scene/load/colors.h - the colours that bodies may have.
#ifndef FORESEE_SCENE_LOAD_COLORS_H
#define FORESEE_SCENE_LOAD_COLORS_H

#include "base/math/geom.h"

#define COLORS_MAX 16

typedef struct named_color {
    const char *name;
    vec3 rgb; // 0..1
} named_color;

const named_color *world_colors(size_t *count);
bool color_rgb(const char *name, vec3 *rgb); // of a colour's name; false: there is none

#endif
