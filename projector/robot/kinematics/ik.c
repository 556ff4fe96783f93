// projector/robot/kinematics/ik.c - numeric inverse kinematics: damped least squares
// (Levenberg-Marquardt damping by the squared error, Sugihara 2011), joint limits by an active set,
// posture in the null space.
#include "projector/robot/kinematics/chain.h"

#include <math.h>

static inline vec3 quat_turn(quat q, vec3 v) {
    vec3 t = {2 * (q.y * v.z - q.z * v.y), 2 * (q.z * v.x - q.x * v.z),
              2 * (q.x * v.y - q.y * v.x)};
    return (vec3){v.x + q.w * t.x + q.y * t.z - q.z * t.y, v.y + q.w * t.y + q.z * t.x - q.x * t.z,
                  v.z + q.w * t.z + q.x * t.y - q.y * t.x};
}

static inline quat quat_times(quat a, quat b) {
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline pose pose_times(pose a, pose b) {
    vec3 p = quat_turn(a.q, b.p);
    return (pose){{a.p.x + p.x, a.p.y + p.y, a.p.z + p.z}, quat_times(a.q, b.q)};
}

void chain_init(chain *c, const robot_model *r, size_t arm, const pose *links) {
    const robot_arm *a = &r->arms[arm];
    *c = (chain){.root = links[r->joints[a->joints[0]].parent], .count = a->joint_count};
    for (size_t i = 0; i < c->count; i++) {
        const robot_joint *j = &r->joints[a->joints[i]];
        c->origin[i] = j->origin;
        c->axis[i] = j->axis;
        c->prismatic[i] = j->kind == JOINT_PRISMATIC;
        c->lower[i] = j->lower;
        c->upper[i] = j->upper;
        // The resting posture is half way between the parked one and the middle of the joints'
        // ranges.
        c->rest[i] = 0.5 * a->park[i] + 0.25 * (j->lower + j->upper);
        if (i > 0)
            c->reach += v3_length(j->origin.p);
    }
    c->tool = a->gripper.mount;
    c->tool.p = v3_add(c->tool.p, quat_turn(c->tool.q, v3(0, 0, a->gripper.pad_center_z)));
    c->reach += v3_length(c->tool.p);
}

void chain_forward(const chain *c, const double q[AXES_MAX], pose frames[FRAMES]) {
    pose at = c->root;
    for (size_t i = 0; i < c->count; i++) {
        at = pose_times(at, c->origin[i]);
        if (c->prismatic[i]) {
            at.p = v3_add(at.p, quat_turn(at.q, v3_scale(c->axis[i], q[i])));
        } else {
            double s = sin(q[i] / 2);
            at.q = quat_times(
                at.q, (quat){cos(q[i] / 2), s * c->axis[i].x, s * c->axis[i].y, s * c->axis[i].z});
        }
        frames[i] = at;
    }
    frames[TOOL] = pose_times(at, c->tool);
}

static void tool_jacobian(const chain *c, const pose frames[FRAMES], double j[6][AXES_MAX]) {
    vec3 tool = frames[TOOL].p;
    for (size_t i = 0; i < c->count; i++) {
        vec3 axis = quat_turn(frames[i].q, c->axis[i]);
        vec3 linear = c->prismatic[i] ? axis : v3_cross(axis, v3_sub(tool, frames[i].p));
        vec3 angular = c->prismatic[i] ? v3(0, 0, 0) : axis;
        j[0][i] = linear.x;
        j[1][i] = linear.y;
        j[2][i] = linear.z;
        j[3][i] = angular.x;
        j[4][i] = angular.y;
        j[5][i] = angular.z;
    }
}

// Solves a x = b for several right-hand sides, a being symmetric and positive definite; overwrites
// a. False: it is not.
static bool solve_cholesky(double a[6][6], double b[][6], int sides) {
    for (int i = 0; i < 6; i++)
        for (int k = 0; k <= i; k++) {
            double sum = a[i][k];
            for (int n = 0; n < k; n++)
                sum -= a[i][n] * a[k][n];
            if (i == k) {
                if (sum <= 1e-14)
                    return false;
                a[i][i] = sqrt(sum);
            } else {
                a[i][k] = sum / a[k][k];
            }
        }
    for (int s = 0; s < sides; s++) {
        double *x = b[s];
        for (int i = 0; i < 6; i++) {
            for (int k = 0; k < i; k++)
                x[i] -= a[i][k] * x[k];
            x[i] /= a[i][i];
        }
        for (int i = 5; i >= 0; i--) {
            for (int k = i + 1; k < 6; k++)
                x[i] -= a[k][i] * x[k];
            x[i] /= a[i][i];
        }
    }
    return true;
}

// Computes one damped step with some joints locked. False: the matrix is singular.
static bool damped_step(const chain *c, double j[6][AXES_MAX], const bool locked[AXES_MAX],
                        const double e[6], double damping, const double posture[AXES_MAX],
                        double dq[AXES_MAX]) {
    double a[6][6], side[2][6];
    for (int r = 0; r < 6; r++) {
        for (int k = 0; k <= r; k++) {
            double sum = r == k ? damping : 0;
            for (size_t i = 0; i < c->count; i++)
                sum += locked[i] ? 0 : j[r][i] * j[k][i];
            a[r][k] = a[k][r] = sum;
        }
        side[0][r] = e[r];
        side[1][r] = 0;
        for (size_t i = 0; i < c->count; i++)
            side[1][r] += locked[i] ? 0 : j[r][i] * posture[i];
    }
    if (!solve_cholesky(a, side, 2))
        return false;
    for (size_t i = 0; i < c->count; i++) {
        dq[i] = 0;
        if (locked[i])
            continue;
        for (int r = 0; r < 6; r++)
            dq[i] += j[r][i] * (side[0][r] - side[1][r]);
        dq[i] += posture[i];
    }
    return true;
}

bool ik_descend(const chain *c, pose target, double pull, int steps, double q[AXES_MAX]) {
    double best = INFINITY;
    int since = 0;
    for (int n = 0; n < steps; n++) {
        pose frames[FRAMES];
        chain_forward(c, q, frames);
        vec3 dp = v3_sub(target.p, frames[TOOL].p);
        vec3 dr = quat_log(quat_times(target.q, quat_inverse(frames[TOOL].q)));
        double far = v3_length(dp), off = v3_length(dr);
        if (far < 2e-4 && off < 1e-3)
            return true;
        // Iterations that stop getting nearer are stuck at a limit or in a folded posture.
        double error_now = far + 0.3 * off;
        since = error_now < 0.98 * best ? 0 : since + 1;
        best = fmin(best, error_now);
        if (since > 12)
            return false;
        double clip = far > 0.2 ? 0.2 / far : 1, bend = off > 0.6 ? 0.6 / off : 1;
        const double e[6] = {dp.x * clip, dp.y * clip, dp.z * clip,
                             dr.x * bend, dr.y * bend, dr.z * bend};
        double j[6][AXES_MAX], posture[AXES_MAX], dq[AXES_MAX];
        tool_jacobian(c, frames, j);
        double fade = pull * fmin(1, 5 * error_now);
        for (size_t i = 0; i < c->count; i++)
            posture[i] = fade * (c->rest[i] - q[i]);
        double damping = 1e-6 + 0.02 * error_now * error_now;
        bool locked[AXES_MAX] = {false};
        for (int pass = 0; pass < 3; pass++) {
            if (!damped_step(c, j, locked, e, damping, posture, dq))
                return false;
            bool again = false;
            for (size_t i = 0; i < c->count; i++)
                if (!locked[i] && ((q[i] <= c->lower[i] + 1e-9 && dq[i] < 0) ||
                                   (q[i] >= c->upper[i] - 1e-9 && dq[i] > 0)))
                    locked[i] = again = true;
            if (!again)
                break;
        }
        double most = 0;
        for (size_t i = 0; i < c->count; i++)
            most = fmax(most, fabs(dq[i]));
        double f = most > 0.5 ? 0.5 / most : 1;
        for (size_t i = 0; i < c->count; i++)
            q[i] = fmax(c->lower[i], fmin(c->upper[i], q[i] + f * dq[i]));
    }
    return false;
}

void ik_start(const chain *c, rng_key key, int start, double q[AXES_MAX]) {
    enum { DRAWS = 1000 }; // apart from those of ik_solve
    for (size_t i = 0; i < c->count; i++)
        q[i] = start == 0
                   ? c->rest[i]
                   : c->lower[i] + (c->upper[i] - c->lower[i]) *
                                       rng_uniform(key, (uint64_t)(DRAWS + start), (uint32_t)i);
}

static double pose_off(const chain *c, pose target, const double q[AXES_MAX]) {
    pose frames[FRAMES];
    chain_forward(c, q, frames);
    return v3_distance(frames[TOOL].p, target.p) + 0.3 * quat_angle(frames[TOOL].q, target.q);
}

bool ik_solve(const chain *c, pose target, const double *first, rng_key key, int starts,
              double q[AXES_MAX]) {
    if (v3_distance(target.p, pose_times(c->root, c->origin[0]).p) >
        c->reach + v3_length(c->origin[0].p))
        return false;
    double least = INFINITY;
    for (int n = 0; n < starts; n++) {
        double x[AXES_MAX] = {0};
        for (size_t i = 0; i < c->count; i++) {
            double spread = 0.35 * (c->upper[i] - c->lower[i]);
            x[i] = n == 0 && first ? first[i] : c->rest[i];
            if (n > (first ? 1 : 0))
                x[i] += spread * (rng_uniform(key, (uint64_t)n, (uint32_t)i) - 0.5) * 2;
            x[i] = fmax(c->lower[i], fmin(c->upper[i], x[i]));
        }
        bool solved = ik_descend(c, target, 0.1, 60, x);
        double off = solved ? 0 : pose_off(c, target, x);
        if (off < least) {
            least = off;
            memcpy(q, x, sizeof x);
        }
        if (solved)
            return true;
    }
    return false;
}
