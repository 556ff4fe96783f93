// base/geom.h - vectors, quaternions and poses in three dimensions; metres and radians.
//
// Quaternions are (w, x, y, z), of unit length; a pose maps points of its own frame to its
// parent's.
#ifndef FORESEE_BASE_GEOM_H
#define FORESEE_BASE_GEOM_H

#include <math.h>
#include <stdbool.h>

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

static inline vec3 v3(double x, double y, double z) {
    return (vec3){x, y, z};
}
static inline vec3 v3_add(vec3 a, vec3 b) {
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline vec3 v3_sub(vec3 a, vec3 b) {
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
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

quat quat_mul(quat a, quat b);
static inline quat quat_inverse(quat a) {
    return (quat){a.w, -a.x, -a.y, -a.z};
}
quat quat_unit(quat a);
quat quat_axis_angle(vec3 axis, double angle);        // axis need not be of unit length
quat quat_rpy(double roll, double pitch, double yaw); // R = Rz(yaw) Ry(pitch) Rx(roll)
vec3 quat_rotate(quat q, vec3 v);
vec3 quat_log(quat q);        // rotation vector, |v| in [0, pi]
quat quat_exp(vec3 rotation); // the inverse of quat_log
quat quat_slerp(quat a, quat b, double t);
double quat_angle(quat a, quat b); // in [0, pi]
double quat_yaw(quat q);           // heading of the x axis about z
mat3 quat_matrix(quat q);
quat quat_from_matrix(const mat3 *m);

pose pose_mul(pose a, pose b); // first b, then a: maps b's points through a
pose pose_inverse(pose a);
vec3 pose_apply(pose a, vec3 point);
static inline pose pose_planar(double x, double y, double yaw) {
    return (pose){{x, y, 0}, {cos(yaw / 2), 0, 0, sin(yaw / 2)}};
}
double angle_wrap(double a); // into [-pi, pi)
mat3 mat3_mul(const mat3 *a, const mat3 *b);
vec3 mat3_apply(const mat3 *a, vec3 v);
mat3 mat3_transpose(const mat3 *a);

#endif
