// base/math/geom.h - vectors, quaternions and poses in three dimensions; metres and radians.
//
// Quaternions are (w, x, y, z), of unit length; a pose maps points of its own frame to its
// parent's.
#ifndef FORESEE_BASE_MATH_GEOM_H
#define FORESEE_BASE_MATH_GEOM_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct vec3 {
    double x, y, z;
} vec3;
typedef struct quat {
    double w, x, y, z;
} quat;
typedef struct pose {
    vec3 p;
    quat q;
} pose;
typedef struct mat3 {
    double m[3][3]; // row, column
} mat3;

#define PI 3.14159265358979323846
#define POSE_IDENTITY ((pose){{0, 0, 0}, {1, 0, 0, 0}})

static inline double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}
static inline vec3 v3(double x, double y, double z) {
    return (vec3){x, y, z};
}
static inline vec3 v3_from(const double v[3]) {
    return v3(v[0], v[1], v[2]);
}
static inline vec3 v3_add(vec3 a, vec3 b) {
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline vec3 v3_sub(vec3 a, vec3 b) {
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
// The corner of the box around two points that is lowest, or highest, along each axis.
static inline vec3 v3_min(vec3 a, vec3 b) {
    return v3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}
static inline vec3 v3_max(vec3 a, vec3 b) {
    return v3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}
static inline vec3 v3_scale(vec3 a, double s) {
    return v3(a.x * s, a.y * s, a.z * s);
}
static inline double v3_dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vec3 v3_cross(vec3 a, vec3 b) {
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double v3_length(vec3 a) {
    return sqrt(v3_dot(a, a));
}
static inline double v3_distance(vec3 a, vec3 b) {
    return v3_length(v3_sub(a, b));
}
vec3 v3_unit(vec3 a); // of the zero vector: (0, 0, 1)

static inline quat quat_mul(quat a, quat b) {
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline quat quat_inverse(quat a) {
    return (quat){a.w, -a.x, -a.y, -a.z};
}
static inline quat quat_unit(quat a) {
    double length = sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
    if (!(length > 0))
        return (quat){1, 0, 0, 0};
    return (quat){a.w / length, a.x / length, a.y / length, a.z / length};
}
quat quat_axis_angle(vec3 axis, double angle);        // axis need not be of unit length
quat quat_rpy(double roll, double pitch, double yaw); // R = Rz(yaw) Ry(pitch) Rx(roll)
static inline vec3 quat_rotate(quat q, vec3 v) {
    vec3 u = v3(q.x, q.y, q.z);
    vec3 t = v3_scale(v3_cross(u, v), 2);
    return v3_add(v, v3_add(v3_scale(t, q.w), v3_cross(u, t)));
}
vec3 quat_log(quat q);        // rotation vector, |v| in [0, pi]
quat quat_exp(vec3 rotation); // the inverse of quat_log
quat quat_slerp(quat a, quat b, double t);
double quat_angle(quat a, quat b); // in [0, pi]
double quat_yaw(quat q);           // heading of the x axis about z
mat3 quat_matrix(quat q);
quat quat_from_matrix(const mat3 *m);

// First b, then a: maps b's points through a.
static inline pose pose_mul(pose a, pose b) {
    return (pose){v3_add(a.p, quat_rotate(a.q, b.p)), quat_unit(quat_mul(a.q, b.q))};
}
static inline pose pose_inverse(pose a) {
    quat q = quat_inverse(a.q);
    return (pose){v3_scale(quat_rotate(q, a.p), -1), q};
}
static inline vec3 pose_apply(pose a, vec3 point) {
    return v3_add(a.p, quat_rotate(a.q, point));
}
static inline pose pose_planar(double x, double y, double yaw) {
    return (pose){{x, y, 0}, {cos(yaw / 2), 0, 0, sin(yaw / 2)}};
}
double angle_wrap(double a); // into [-pi, pi)
static inline mat3 mat3_mul(const mat3 *a, const mat3 *b) {
    mat3 c;
    for (int i = 0; i < 3; i++) {
        const double *r = a->m[i];
        c.m[i][0] = r[0] * b->m[0][0] + r[1] * b->m[1][0] + r[2] * b->m[2][0];
        c.m[i][1] = r[0] * b->m[0][1] + r[1] * b->m[1][1] + r[2] * b->m[2][1];
        c.m[i][2] = r[0] * b->m[0][2] + r[1] * b->m[1][2] + r[2] * b->m[2][2];
    }
    return c;
}
static inline vec3 mat3_apply(const mat3 *a, vec3 v) {
    return v3(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
              a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
              a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}
static inline vec3 mat3_apply_transposed(const mat3 *a, vec3 v) {
    return v3(a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
              a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
              a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z);
}
static inline mat3 mat3_transpose(const mat3 *a) {
    return (mat3){{{a->m[0][0], a->m[1][0], a->m[2][0]},
                   {a->m[0][1], a->m[1][1], a->m[2][1]},
                   {a->m[0][2], a->m[1][2], a->m[2][2]}}};
}
mat3 mat3_inverse(const mat3 *a);             // of a regular matrix, by cofactors
void mat3_eigenvalues(mat3 m, double out[3]); // of a symmetric matrix, in no order

#endif
