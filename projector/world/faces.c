// projector/world/faces.c - boxes that lie face to face touch over a patch.
//
// ODE takes two edges for what touches where that overlap is less than 1/1.05 of the faces'. Both
// boxes are made thicker across the patch, so that the share which a tilt makes of the overlap is
// less than that, and what is found is set back by as much.
#include "projector/world/faces.h"

#include <math.h>
#include <stdbool.h>

static const double FLAT = 0.9999;  // the cosine between a face and the contact's normal
static const double THICKER = 5e-4; // m, on either side of either box

enum { PATCH_MAX = 8 };

// The box's axis along the normal; -1: its faces are not across it.
static int axis_along(dGeomID box, const dReal *n) {
    const dReal *r = dGeomGetRotation(box);
    for (int k = 0; k < 3; k++)
        if (fabs(r[k] * n[0] + r[4 + k] * n[1] + r[8 + k] * n[2]) > FLAT)
            return k;
    return -1;
}

static dGeomID thicker(dGeomID box, int axis) {
    dVector3 size;
    dGeomBoxGetLengths(box, size);
    size[axis] += 2 * THICKER;
    dGeomID made = dCreateBox(NULL, size[0], size[1], size[2]);
    const dReal *p = dGeomGetPosition(box);
    dGeomSetPosition(made, p[0], p[1], p[2]);
    dGeomSetRotation(made, dGeomGetRotation(box));
    return made;
}

// How far a point is from the box's face across the axis, m.
static double off_face(dGeomID box, int axis, const dReal *at) {
    dVector3 size;
    dGeomBoxGetLengths(box, size);
    const dReal *r = dGeomGetRotation(box), *p = dGeomGetPosition(box);
    double along = 0;
    for (int k = 0; k < 3; k++)
        along += r[4 * k + axis] * (at[k] - p[k]);
    return fabs(fabs(along) - size[axis] / 2);
}

size_t faces_complete(dGeomID a, dGeomID b, double gap, dContactGeom *out, size_t count,
                      size_t most) {
    if (count == 0 || count > (gap > 0 ? 3 : 2) || dGeomGetClass(a) != dBoxClass ||
        dGeomGetClass(b) != dBoxClass)
        return count;
    dVector3 n = {out[0].normal[0], out[0].normal[1], out[0].normal[2]};
    int across_a = axis_along(a, n), across_b = axis_along(b, n);
    if (across_a < 0 || across_b < 0)
        return count;
    dGeomID thick[2] = {thicker(a, across_a), thicker(b, across_b)};
    dContactGeom found[PATCH_MAX];
    int room = (int)(most < PATCH_MAX ? most : PATCH_MAX);
    int all = dCollide(thick[0], thick[1], room, found, sizeof *found), kept = 0;
    for (int i = 0; i < all; i++) {
        dContactGeom *c = &found[i];
        double along = c->normal[0] * n[0] + c->normal[1] * n[1] + c->normal[2] * n[2];
        c->depth -= 2 * THICKER;
        if (along < FLAT || c->depth <= -gap)
            continue;
        c->depth = fmax(c->depth, 0);
        // ODE puts a contact on the face of one of them. The normal points from b to a.
        bool on_a = off_face(thick[0], across_a, c->pos) < off_face(thick[1], across_b, c->pos);
        for (int k = 0; k < 3; k++)
            c->pos[k] += (on_a ? THICKER : -THICKER) * c->normal[k];
        c->g1 = a, c->g2 = b;
        found[kept++] = *c;
    }
    dGeomDestroy(thick[0]);
    dGeomDestroy(thick[1]);
    if ((size_t)kept <= count)
        return count;
    for (int i = 0; i < kept; i++)
        out[i] = found[i];
    return (size_t)kept;
}
