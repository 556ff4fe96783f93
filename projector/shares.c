// projector/shares.c - how the tolerance of a keyframe is shared out among base and joints.
#include "projector/shares.h"

#include <math.h>

#include "base/mem.h"

static const double SLACK =
    0.02; // m: how far frames may move about their base before levers are measured again
static const double MEMORY = 0.5;       // of the keys counted before, beside the newest
static const double LEAST_WEIGHT = 0.1; // of what moves without keys, beside the most restless

// A frame whose place follows from base and joints.
typedef struct target {
    size_t link;
    vec3 at; // link frame
} target;

struct shares {
    const robot_model *robot;
    keyframe_width whole;
    target *targets;
    size_t target_count;
    pose *links;           // scratch: of the posture
    vec3 *axes;            // scratch: of the joints
    keyframe_joint *chain; // scratch, with the joints' numbers
    size_t *chain_joints;
    double *reach;               // by joint: how far what it carries can be from its axis, at most
    double *posture;             // that the shares were made for
    double base_unrest, *unrest; // keys that would be needed for a width of 1
    double base_weight, *weights;
    bool stale; // weights have changed since the shares were made
    // the shares
    keyframe_width base;
    double base_lever;
    double *joints;
};

static double larger_of(double a, double b) {
    return a > b ? a : b;
}

static double smaller_of(double a, double b) {
    return a < b ? a : b;
}

// How far each joint's farthest frame can be from it.
static void find_reaches(shares *s) {
    const robot_model *r = s->robot;
    for (size_t i = 0; i < s->target_count; i++) {
        double reach = v3_length(s->targets[i].at);
        for (size_t link = s->targets[i].link; r->links[link].joint >= 0;) {
            size_t j = (size_t)r->links[link].joint;
            const robot_joint *joint = &r->joints[j];
            bool slides = joint->kind == JOINT_PRISMATIC;
            s->reach[j] = larger_of(s->reach[j], slides ? 1 : reach);
            reach += v3_length(joint->origin.p) +
                     (slides ? fmax(fabs(joint->lower), fabs(joint->upper)) : 0);
            link = joint->parent;
        }
    }
}

static void shares_measure(shares *s, const double *q) {
    const robot_model *r = s->robot;
    robot_forward(r, POSE_IDENTITY, q, s->links); // seen from the base
    for (size_t j = 0; j < r->joint_count; j++) {
        // an axis is the same in the frames of both its links
        s->axes[j] = quat_rotate(s->links[r->joints[j].child].q, r->joints[j].axis);
        s->posture[j] = q[j];
        s->joints[j] = INFINITY;
    }
    s->base = s->whole;
    s->base_lever = 0;
    for (size_t i = 0; i < s->target_count; i++) {
        const target *t = &s->targets[i];
        vec3 at = pose_apply(s->links[t->link], t->at);
        size_t n = 0;
        for (size_t link = t->link; r->links[link].joint >= 0; n++) {
            size_t j = (size_t)r->links[link].joint;
            bool turns = r->joints[j].kind == JOINT_REVOLUTE;
            vec3 arm = v3_sub(at, s->links[link].p);
            s->chain_joints[n] = j;
            s->chain[n] =
                (keyframe_joint){.lever = turns ? v3_length(v3_cross(s->axes[j], arm)) + SLACK : 1,
                                 .weight = s->weights[j],
                                 .turns = turns};
            link = r->joints[j].parent;
        }
        // the base moves in the plane and turns about the vertical
        double lever = hypot(at.x, at.y) + SLACK;
        keyframe_width claim;
        keyframe_divide(s->whole, lever, s->base_weight, s->chain, n, &claim);
        s->base.position = smaller_of(s->base.position, claim.position);
        s->base.angle = smaller_of(s->base.angle, claim.angle);
        s->base_lever = larger_of(s->base_lever, lever);
        for (size_t k = 0; k < n; k++)
            s->joints[s->chain_joints[k]] =
                smaller_of(s->joints[s->chain_joints[k]], s->chain[k].width);
    }
    s->stale = false;
}

shares *shares_create(const robot_model *r, keyframe_tolerance tolerance, const double *q) {
    shares *s = mem_must(1, sizeof *s);
    size_t n = r->joint_count + 1;
    *s = (shares){.robot = r, .whole = keyframe_width_of(tolerance), .base_weight = 1};
    s->targets = mem_must(r->link_count + 2, sizeof *s->targets);
    s->links = mem_must(r->link_count, sizeof *s->links);
    s->axes = mem_must(n, sizeof *s->axes);
    s->chain = mem_must(n, sizeof *s->chain);
    s->chain_joints = mem_must(n, sizeof *s->chain_joints);
    s->reach = mem_must(n, sizeof *s->reach);
    s->posture = mem_must(n, sizeof *s->posture);
    s->unrest = mem_must(n, sizeof *s->unrest);
    s->weights = mem_must(n, sizeof *s->weights);
    s->joints = mem_must(n, sizeof *s->joints);
    for (size_t i = 1; i < r->link_count; i++)
        s->targets[s->target_count++] = (target){.link = i};
    s->targets[s->target_count++] = (target){r->camera.link, r->camera.at.p};
    s->targets[s->target_count++] = (target){r->laser.link, r->laser.at.p};
    for (size_t j = 0; j < r->joint_count; j++)
        s->weights[j] = 1;
    find_reaches(s);
    shares_measure(s, q);
    return s;
}

void shares_destroy(shares *s) {
    if (!s)
        return;
    free(s->targets);
    free(s->links);
    free(s->axes);
    free(s->chain);
    free(s->chain_joints);
    free(s->reach);
    free(s->posture);
    free(s->unrest);
    free(s->weights);
    free(s->joints);
    free(s);
}

bool shares_follow(shares *s, const double *q) {
    double moved = 0;
    for (size_t j = 0; j < s->robot->joint_count; j++)
        moved += fabs(q[j] - s->posture[j]) * s->reach[j];
    if (moved <= SLACK && !s->stale)
        return false;
    shares_measure(s, q);
    return true;
}

// Keys grow with one over the square root of the width: what is remembered is their number at
// width 1.
static double kernel_remember(double before, int keys, double width) {
    return MEMORY * before + (1 - MEMORY) * keys * sqrt(width);
}

void shares_learn(shares *s, int base_keys, const int *joint_keys) {
    double most = s->base_unrest = kernel_remember(s->base_unrest, base_keys, s->base.position);
    for (size_t j = 0; j < s->robot->joint_count; j++) {
        s->unrest[j] = kernel_remember(s->unrest[j], joint_keys[j], s->joints[j]);
        most = larger_of(most, s->unrest[j]);
    }
    if (!(most > 0))
        return;
    s->base_weight = larger_of(sqrt(s->base_unrest / most), LEAST_WEIGHT);
    for (size_t j = 0; j < s->robot->joint_count; j++)
        s->weights[j] = larger_of(sqrt(s->unrest[j] / most), LEAST_WEIGHT);
    s->stale = true;
}

keyframe_width shares_base(const shares *s, double *lever) {
    *lever = s->base_lever;
    return s->base;
}

double shares_joint(const shares *s, size_t joint) {
    return s->joints[joint];
}
