// report/picture/picture.h - draws a scene as a picture, without a display.
//
// The scene is a list of things made of shapes. Solid things are drawn shaded, with shadows and
// outlines; ghosts (what the robot believes) as dashed boxes over them. Walls between the viewer
// and what they enclose are left out.
#ifndef FORESEE_REPORT_PICTURE_H
#define FORESEE_REPORT_PICTURE_H

#include "base/mem.h"
#include "base/text/text.h"
#include "scene/world/world.h"

typedef struct picture_thing {
    const char *name; // of its label; NULL: none
    const shape *shapes;
    size_t shape_count;
    pose at;       // world
    vec3 rgb;      // 0..1
    bool building; // walls, floors: may be cut away, and are not labelled
    bool ghost;
} picture_thing;

typedef struct picture_options {
    int width, height; // pixels
    double fov;        // full vertical angle, rad
    bool has_from, has_to;
    vec3 from, to;       // the viewer, and what is in the middle; chosen where they are not given
    const char *caption; // NULL: none
} picture_options;
picture_options picture_options_default(void);

// Appends the bytes of a PNG file. E_INPUT: there is nothing to draw, or the viewer stands where it
// looks.
status picture_draw(const picture_thing *things, size_t count, const picture_options *options,
                    text_buffer *png, error *err);

#endif
