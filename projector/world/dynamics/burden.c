// projector/world/dynamics/burden.c - rigid bodies that are one: see burden.h.
#include "projector/world/dynamics/burden.h"

void burden_add(burden *l, burden part) {
    double mass = l->mass + part.mass;
    if (mass <= 0)
        return;
    vec3 com = v3_scale(v3_add(v3_scale(l->com, l->mass), v3_scale(part.com, part.mass)), 1 / mass);
    burden sum = {.mass = mass, .com = com};
    const burden *const parts[2] = {l, &part};
    for (int k = 0; k < 2; k++) {
        vec3 off = v3_sub(parts[k]->com, com);
        double d[3] = {off.x, off.y, off.z}, square = v3_dot(off, off);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                sum.inertia.m[i][j] += parts[k]->inertia.m[i][j] +
                                       parts[k]->mass * ((i == j ? square : 0) - d[i] * d[j]);
    }
    *l = sum;
}

burden burden_of_box(double mass, vec3 size, pose frame, vec3 center) {
    double x = size.x * size.x, y = size.y * size.y, z = size.z * size.z, k = mass / 12;
    mat3 own = {{{k * (y + z), 0, 0}, {0, k * (x + z), 0}, {0, 0, k * (x + y)}}};
    mat3 r = quat_matrix(frame.q), back = mat3_transpose(&r), half = mat3_mul(&r, &own);
    return (burden){mass, pose_apply(frame, center), mat3_mul(&half, &back)};
}
