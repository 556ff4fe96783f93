// base/math/geom.c - vectors, quaternions and poses in three dimensions.
#include "base/math/geom.h"

#include "base/math/jacobi.h"

vec3 v3_unit(vec3 a) {
    // Scaled first, so that neither very long nor very short vectors are lost in the squares.
    double most = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    if (!(most > 0))
        return v3(0, 0, 1);
    vec3 s = v3(a.x / most, a.y / most, a.z / most);
    return v3_scale(s, 1 / v3_length(s));
}

quat quat_axis_angle(vec3 axis, double angle) {
    vec3 u = v3_unit(axis);
    double s = sin(angle / 2);
    return (quat){cos(angle / 2), u.x * s, u.y * s, u.z * s};
}

quat quat_rpy(double roll, double pitch, double yaw) {
    double cr = cos(roll / 2), sr = sin(roll / 2);
    double cp = cos(pitch / 2), sp = sin(pitch / 2);
    double cy = cos(yaw / 2), sy = sin(yaw / 2);
    return (quat){cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy,
                  cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy};
}

vec3 quat_log(quat q) {
    // q and -q are one rotation; the one with w >= 0 has the shorter vector.
    if (q.w < 0)
        q = (quat){-q.w, -q.x, -q.y, -q.z};
    vec3 v = v3(q.x, q.y, q.z);
    double s = v3_length(v);
    if (s < 1e-12)
        return v3_scale(v, 2);
    return v3_scale(v, 2 * atan2(s, q.w) / s);
}

quat quat_exp(vec3 rotation) {
    double angle = v3_length(rotation);
    if (angle < 1e-8) {
        vec3 half = v3_scale(rotation, 0.5);
        return quat_unit((quat){1 - angle * angle / 8, half.x, half.y, half.z});
    }
    vec3 v = v3_scale(rotation, sin(angle / 2) / angle);
    return (quat){cos(angle / 2), v.x, v.y, v.z};
}

quat quat_slerp(quat a, quat b, double t) {
    double dot = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    if (dot < 0) {
        b = (quat){-b.w, -b.x, -b.y, -b.z};
        dot = -dot;
    }
    double ka = 1 - t, kb = t;
    // Close together the sines lose their digits, and the chord is as good as the arc.
    if (dot < 1 - 1e-10) {
        double angle = acos(dot), s = sin(angle);
        ka = sin((1 - t) * angle) / s;
        kb = sin(t * angle) / s;
    }
    return quat_unit(
        (quat){ka * a.w + kb * b.w, ka * a.x + kb * b.x, ka * a.y + kb * b.y, ka * a.z + kb * b.z});
}

double quat_angle(quat a, quat b) {
    quat d = quat_mul(quat_inverse(a), b);
    return 2 * atan2(v3_length(v3(d.x, d.y, d.z)), fabs(d.w));
}

double quat_yaw(quat q) {
    return atan2(2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.y * q.y + q.z * q.z));
}

mat3 quat_matrix(quat q) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (mat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                   {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                   {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

quat quat_from_matrix(const mat3 *r) {
    // The greatest of the four is found first: dividing by a small one would lose digits.
    double w = 1 + r->m[0][0] + r->m[1][1] + r->m[2][2];
    double x = 1 + r->m[0][0] - r->m[1][1] - r->m[2][2];
    double y = 1 - r->m[0][0] + r->m[1][1] - r->m[2][2];
    double z = 1 - r->m[0][0] - r->m[1][1] + r->m[2][2];
    double most = fmax(fmax(w, x), fmax(y, z));
    quat q;
    if (most == w)
        q = (quat){w, r->m[2][1] - r->m[1][2], r->m[0][2] - r->m[2][0], r->m[1][0] - r->m[0][1]};
    else if (most == x)
        q = (quat){r->m[2][1] - r->m[1][2], x, r->m[0][1] + r->m[1][0], r->m[0][2] + r->m[2][0]};
    else if (most == y)
        q = (quat){r->m[0][2] - r->m[2][0], r->m[0][1] + r->m[1][0], y, r->m[1][2] + r->m[2][1]};
    else
        q = (quat){r->m[1][0] - r->m[0][1], r->m[0][2] + r->m[2][0], r->m[1][2] + r->m[2][1], z};
    q = quat_unit(q);
    return q.w < 0 ? (quat){-q.w, -q.x, -q.y, -q.z} : q;
}

double angle_wrap(double a) {
    if (a >= -PI && a < PI)
        return a;
    double wrapped = a - 2 * PI * floor((a + PI) / (2 * PI));
    // Rounding can land on the open end.
    if (wrapped >= PI || wrapped < -PI)
        wrapped = -PI;
    return wrapped;
}

mat3 mat3_inverse(const mat3 *a) {
    const double(*x)[3] = a->m;
    mat3 out;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            int k1 = (k + 1) % 3, k2 = (k + 2) % 3, l1 = (l + 1) % 3, l2 = (l + 2) % 3;
            out.m[l][k] = x[k1][l1] * x[k2][l2] - x[k1][l2] * x[k2][l1];
        }
    double det = x[0][0] * out.m[0][0] + x[0][1] * out.m[1][0] + x[0][2] * out.m[2][0];
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            out.m[k][l] /= det;
    return out;
}

void mat3_eigenvalues(mat3 m, double out[3]) {
    mat3 axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    jacobi_diagonalise(&m.m[0][0], &axes.m[0][0], 3, 30, 1e-16);
    for (int i = 0; i < 3; i++)
        out[i] = m.m[i][i];
}
