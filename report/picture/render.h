// report/picture/render.h - renders shapes: they are cut into triangles and drawn with a depth
// buffer.
//
// Owns: the buffers of one frame. Rows run from top to bottom.
#ifndef FORESEE_REPORT_RENDER_H
#define FORESEE_REPORT_RENDER_H

#include "report/picture/picture.h"

// A pinhole camera: x points right, y down, z into the picture.
typedef struct viewer {
    vec3 eye, right, down, forward;
    double focal;  // pixels
    double cx, cy; // the middle of the picture, pixels
} viewer;
viewer viewer_look(vec3 from, vec3 to, double fov, int width, int height);
// Projects a point to pixels. False: it is behind the viewer.
bool viewer_project(const viewer *v, vec3 point, double *x, double *y);

typedef struct frame {
    int width, height;
    float *depth;     // 1 / distance along the view; 0: nothing
    int32_t *thing;   // index of the visible thing; -1: none
    uint32_t *pixels; // 0xffRRGGBB
} frame;
// Draws all things but ghosts and those that are `hidden`. `low` and `high` are the bounds of the
// scene. The caller frees with frame_finish.
void frame_draw(const picture_thing *things, size_t count, const bool *hidden, const viewer *v,
                vec3 low, vec3 high, int width, int height, frame *out);
void frame_finish(frame *f);

#endif
