// report/picture/picture.h - draws a scene as a picture, without a display.
//
// The scene is a list of things made of shapes. Solid things are drawn shaded, with shadows and
// outlines. Ghosts, which show what the robot believes, are dashed boxes over them. Walls that
// stand between the viewer and the scene are left out.
#ifndef FORESEE_REPORT_PICTURE_H
#define FORESEE_REPORT_PICTURE_H

#include "base/mem.h"
#include "base/text/text.h"
#include "scene/world/world.h"

typedef struct picture_thing {
    const char *name; // text of its label; NULL: it has none
    const shape *shapes;
    size_t shape_count;
    pose at;       // in the world
    vec3 rgb;      // each from 0 to 1
    bool building; // part of walls or floors: it may be left out, and has no label
    bool ghost;
    bool fixed;        // furniture: where other things are there, the picture is not about it
    const char *whole; // the name of what it is a part of, as of a robot; NULL: of nothing
} picture_thing;

typedef struct picture_key {
    const char *name; // what a colour of the picture stands for
    vec3 rgb;
} picture_key;

typedef struct picture_options {
    int width, height; // pixels
    double fov;        // full vertical angle, rad
    bool has_from, has_to;
    bool top;      // seen straight from above, x to the right; where the viewer is not given
    bool whole;    // furniture, too, is what the picture is about
    vec3 from, to; // the viewer, and the middle of the picture; chosen where they are not given
    vec3 around;   // half extents of what is shown around `to`, where that is given, m
    const char *caption;    // NULL: none
    const picture_key *key; // a legend of colours, from top to bottom
    size_t key_count;
} picture_options;
picture_options picture_options_default(void);

// Finds the bounds of what a picture is about: the robot, what can be moved and
// what carries that, or, with `whole`, all but the building; of more, where nothing of that is
// there. False: nothing is there.
bool picture_bounds(const picture_thing *things, size_t count, bool whole, vec3 *low, vec3 *high);
// Appends a PNG file. E_INPUT: there is nothing to draw, or the viewer stands at the point that it
// looks at.
status picture_draw(const picture_thing *things, size_t count, const picture_options *options,
                    text_buffer *png, error *err);
// Appends one PNG file that shows PNG files of one size side by side, from left to right, in as
// many rows as make it nearly square. E_IO: one cannot be read.
status picture_join(const text_buffer *parts, size_t count, text_buffer *png, error *err);

#endif
