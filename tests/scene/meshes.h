// tests/scene/meshes.h - mesh files for the tests, written as text or bytes.
#ifndef FORESEE_TESTS_SCENE_MESHES_H
#define FORESEE_TESTS_SCENE_MESHES_H

#include <math.h>

#include "tests/testlib.h"

// A box from (0, 0, 0) to (x, y, z), of quadrangles.
static inline char *mesh_box_obj(const char *folder, const char *name, double x, double y,
                                 double z) {
    char text[1024];
    snprintf(text, sizeof text,
             "v 0 0 0\nv 0 0 %g\nv 0 %g 0\nv 0 %g %g\nv %g 0 0\nv %g 0 %g\nv %g %g 0\nv %g %g %g\n"
             "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n",
             z, y, y, z, x, x, z, x, y, x, y, z);
    return testlib_write(folder, name, text);
}

// A torus about z as a binary STL: `around` by `across` quadrangles, two triangles each. Returns
// its path.
static inline char *mesh_torus_stl(const char *folder, const char *name, double major, double minor,
                                   int around, int across) {
    uint32_t count = (uint32_t)(2 * around * across);
    size_t length = 84 + 50 * (size_t)count;
    unsigned char *bytes = calloc(length, 1), *to = bytes + 84;
    assert_non_null(bytes);
    memcpy(bytes + 80, &count, 4);
    for (int i = 0; i < around; i++)
        for (int j = 0; j < across; j++) {
            float corner[4][3];
            for (int k = 0; k < 4; k++) {
                double u =
                    2 * 3.14159265358979323846 * ((i + (k == 1 || k == 2)) % around) / around;
                double v = 2 * 3.14159265358979323846 * ((j + (k >= 2)) % across) / across;
                corner[k][0] = (float)((major + minor * cos(v)) * cos(u));
                corner[k][1] = (float)((major + minor * cos(v)) * sin(u));
                corner[k][2] = (float)(minor * sin(v));
            }
            static const int order[2][3] = {{0, 1, 2}, {0, 2, 3}};
            for (int t = 0; t < 2; t++, to += 50)
                for (int k = 0; k < 3; k++)
                    memcpy(to + 12 + 12 * k, corner[order[t][k]], 12);
        }
    char *path = testlib_write_bytes(folder, name, bytes, length);
    free(bytes);
    return path;
}

// A tetrahedron of 1 m along x and y and 3 m along z, in millimetres, lifted by half a metre.
static const char mesh_tetrahedron_dae[] =
    "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
    "version=\"1.4.1\"><asset><unit name=\"mm\" meter=\"0.001\"/><up_axis>Z_UP</up_axis></asset>"
    "<library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"pa\" "
    "count=\"12\">0 0 0 1000 0 0 0 1000 0 0 0 3000</float_array><technique_common><accessor "
    "source=\"#pa\" count=\"4\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" "
    "type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles "
    "count=\"4\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 2 1 0 1 3 0 3 2 1 2 3"
    "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene "
    "id=\"s\"><node id=\"n\"><translate>0 0 500</translate><instance_geometry url=\"#g\"/></node>"
    "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene>"
    "</COLLADA>";

#endif
