// tests/world/meshes.h - meshes made up for tests, written as OBJ files and read like any other.
#ifndef FORESEE_TESTS_WORLD_MESHES_H
#define FORESEE_TESTS_WORLD_MESHES_H

#include "scene/mesh/mesh.h"
#include "tests/testlib.h"
#include <stdio.h>
#include <unistd.h>

// A body of revolution about z: `profile` holds radius and height of `rings` rings, from the bottom
// round to the top; a first and last ring of radius 0 close it. `facets` sides.
static inline const mesh *mesh_turned(arena *a, const double (*profile)[2], int rings, int facets) {
    char path[] = "/tmp/mesh_turned_XXXXXX.obj";
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    int first[16], number = 1;
    for (int r = 0; r < rings; r++) {
        first[r] = number;
        int n = profile[r][0] == 0 ? 1 : facets;
        for (int k = 0; k < n; k++) {
            double at = 2 * PI * k / facets;
            fprintf(f, "v %.17g %.17g %.17g\n", profile[r][0] * cos(at), profile[r][0] * sin(at),
                    profile[r][1]);
        }
        number += n;
    }
    for (int r = 0; r + 1 < rings; r++)
        for (int k = 0; k < facets; k++) {
            bool low = profile[r][0] == 0, high = profile[r + 1][0] == 0;
            int next = (k + 1) % facets;
            int a0 = first[r] + (low ? 0 : k), a1 = first[r] + (low ? 0 : next);
            int b0 = first[r + 1] + (high ? 0 : k), b1 = first[r + 1] + (high ? 0 : next);
            if (!low)
                fprintf(f, "f %d %d %d\n", a0, a1, b1);
            if (!high)
                fprintf(f, "f %d %d %d\n", a0, b1, b0);
        }
    assert_int_equal(fclose(f), 0);
    const mesh *m = NULL;
    error err = {0};
    status st = mesh_load(a, path, "turned.obj", v3(1, 1, 1), false, &m, &err);
    unlink(path);
    if (st != OK)
        fail_msg("%s", err.text);
    return m;
}

static inline const mesh *mesh_box(arena *a, vec3 size) {
    char path[] = "/tmp/mesh_box_XXXXXX.obj";
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    for (int k = 0; k < 8; k++)
        fprintf(f, "v %.17g %.17g %.17g\n", k & 1 ? size.x / 2 : -size.x / 2,
                k & 2 ? size.y / 2 : -size.y / 2, k & 4 ? size.z / 2 : -size.z / 2);
    static const int sides[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5},
                                    {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
    for (int k = 0; k < 6; k++)
        fprintf(f, "f %d %d %d %d\n", sides[k][0], sides[k][1], sides[k][2], sides[k][3]);
    assert_int_equal(fclose(f), 0);
    const mesh *m = NULL;
    error err = {0};
    status st = mesh_load(a, path, "box.obj", v3(1, 1, 1), false, &m, &err);
    unlink(path);
    if (st != OK)
        fail_msg("%s", err.text);
    return m;
}

static inline shape mesh_shape(const mesh *m) {
    return (shape){.kind = SHAPE_MESH, .at = POSE_IDENTITY, .size = m->size, .mesh = m};
}

#endif
