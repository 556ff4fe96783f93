// projector/robot/kinematics/miss.c - the closest miss of a search, kept and put into words.
#include "projector/robot/kinematics/miss.h"

#include <math.h>

bool miss_counts(const miss *nearest, double by) {
    return nearest && (nearest->kind == MISS_NONE || by < nearest->by);
}

bool miss_keep(miss *nearest, miss_kind kind, double by) {
    if (!miss_counts(nearest, by))
        return false;
    *nearest = (miss){.kind = kind, .by = by};
    return true;
}

// Solves for the target with joints that turn without end. False: the arm is too short, too.
static bool solve_without_limits(const miss *n, double q[AXES_MAX]) {
    chain c = n->chain;
    for (size_t i = 0; i < c.count; i++) {
        double more = c.prismatic[i] ? 1 : PI;
        c.lower[i] -= more;
        c.upper[i] += more;
    }
    memcpy(q, n->q, AXES_MAX * sizeof *q);
    return ik_descend(&c, n->target, 0, 120, q);
}

static void describe_pose(const miss *n, const robot_model *r, char *out, size_t size) {
    double q[AXES_MAX], most = 0;
    size_t worst = SIZE_MAX;
    bool solved = solve_without_limits(n, q);
    for (size_t i = 0; solved && i < n->chain.count; i++) {
        double past = fmax(n->chain.lower[i] - q[i], q[i] - n->chain.upper[i]);
        if (past > most) {
            most = past;
            worst = i;
        }
    }
    pose frames[FRAMES];
    if (!solved) {
        memcpy(q, n->q, sizeof q);
        ik_descend(&n->chain, n->target, 0, 60, q);
    }
    chain_forward(&n->chain, solved ? n->q : q, frames);
    double far = v3_distance(frames[TOOL].p, n->target.p),
           off = quat_angle(frames[TOOL].q, n->target.q);
    if (worst != SIZE_MAX)
        snprintf(out, size,
                 n->chain.prismatic[worst] ? "%s %.1f mm past its limit"
                                           : "%s %.1f degrees past its limit",
                 r->joints[r->arms[n->arm].joints[worst]].name,
                 most * (n->chain.prismatic[worst] ? 1000 : 180 / PI));
    else if (far > MISS_LEVER * off)
        snprintf(out, size, "%.1f mm out of reach", 1000 * far);
    else
        snprintf(out, size, "turned %.1f degrees less than it must be", off * 180 / PI);
}

static void describe_joint(const miss *n, char *out, size_t size) {
    double unit = n->slides ? 1000 : 180 / PI;
    const char *of = n->slides ? "mm" : "degrees";
    if (n->kind == MISS_LIMIT)
        snprintf(out, size, "%s %.1f %s from its limit, %.1f are kept", n->part, unit * n->value,
                 of, unit * n->allowed);
    else
        snprintf(out, size, "%s would move %.0f %s at once", n->part, unit * n->value, of);
}

static void describe_contact(const miss *n, char *out, size_t size) {
    if (n->value <= 0)
        snprintf(out, size, "%s %.0f mm into %s", n->part, -1000 * n->value, n->other);
    else
        snprintf(out, size, "%s %.0f mm from %s, %.0f mm are kept", n->part, 1000 * n->value,
                 n->other, 1000 * n->allowed);
}

void miss_describe(const miss *n, const robot_model *r, char *out, size_t size) {
    out[0] = 0;
    switch (n->kind) {
    case MISS_NONE:
        return;
    case MISS_CONTACT:
        describe_contact(n, out, size);
        break;
    case MISS_COVER:
        snprintf(out, size, "%s %.0f mm above it", n->other, 1000 * n->value);
        break;
    case MISS_POSE:
        describe_pose(n, r, out, size);
        break;
    case MISS_LIMIT:
    case MISS_JUMP:
        describe_joint(n, out, size);
        break;
    case MISS_LEAN:
        snprintf(out, size, "what it holds leans %.0f degrees, at most %.0f may be",
                 n->value * 180 / PI, n->allowed * 180 / PI);
        break;
    case MISS_VIEW:
        snprintf(out, size, "%.0f %% of it in view%s%s, %.0f %% are asked for", 100 * n->value,
                 n->other[0] ? " past " : "", n->other, 100 * n->allowed);
        break;
    case MISS_FAR:
        snprintf(out, size, "%.2f m from the camera, which sees to %.2f m", n->value, n->allowed);
        break;
    }
    size_t used = strlen(out);
    if (n->left > 0.005 && used < size)
        snprintf(out + used, size - used, ", %.0f mm before the end of the way", 1000 * n->left);
}
