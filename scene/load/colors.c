// scene/load/colors.c - the colours that bodies may have.
#include "scene/load/colors.h"

#include <string.h>

static const named_color colors[] = {
    {"red", {0.80, 0.15, 0.15}},    {"green", {0.20, 0.60, 0.25}},
    {"blue", {0.20, 0.35, 0.75}},   {"yellow", {0.90, 0.80, 0.20}},
    {"orange", {0.90, 0.50, 0.15}}, {"purple", {0.50, 0.25, 0.60}},
    {"brown", {0.45, 0.30, 0.18}},  {"beige", {0.85, 0.78, 0.65}},
    {"white", {0.95, 0.95, 0.95}},  {"black", {0.10, 0.10, 0.10}},
    {"gray", {0.55, 0.55, 0.55}},   {"silver", {0.75, 0.75, 0.78}},
    {"pink", {0.90, 0.60, 0.65}},   {"turquoise", {0.25, 0.70, 0.70}},
};
#define COLORS (sizeof colors / sizeof colors[0])
_Static_assert(COLORS <= COLORS_MAX, "");

const named_color *world_colors(size_t *count) {
    *count = COLORS;
    return colors;
}

bool color_rgb(const char *name, vec3 *rgb) {
    for (size_t i = 0; i < COLORS; i++)
        if (strcmp(name, colors[i].name) == 0) {
            *rgb = colors[i].rgb;
            return true;
        }
    return false;
}
