// How high something stands on what is no flat surface: a plate on a plate's rim, a cup in a plate.
#include "projector/robot/robot_int.h"

#include <math.h>

static const double HIGHEST = 0.3;  // m over the surface that was named
static const double EXACT = 0.0005; // m

// The least distance between what is held, at a pose, and what it shall stand on.
static double gap_between(const held *h, pose object, const believed_object *support) {
    double least = INFINITY;
    for (size_t n = 0; n < h->kind->shape_count; n++)
        for (size_t k = 0; k < support->kind->shape_count; k++) {
            const shape *a = &h->kind->shapes[n], *b = &support->kind->shapes[k];
            if (b->kind == SHAPE_PLANE)
                continue;
            double gap = shape_gap(a, pose_mul(object, a->at), b, pose_mul(support->at, b->at));
            least = fmin(least, gap);
        }
    return least;
}

double rest_height(const mind *m, const char *support, const held *h, pose object) {
    const believed_object *o = support ? belief_find(m->belief, support) : NULL;
    if (!o || o->known || !o->kind || gap_between(h, object, o) > 0)
        return 0;
    double low = 0, high = HIGHEST;
    while (high - low > EXACT) {
        double middle = (low + high) / 2;
        pose raised = object;
        raised.p.z += middle;
        if (gap_between(h, raised, o) > 0)
            high = middle;
        else
            low = middle;
    }
    return high;
}
