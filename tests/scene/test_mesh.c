// tests/scene/test_mesh.c - triangle meshes: what files hold, what is wrong with them, and geometry
// against boxes and formulas.
#include "scene/world/world.h"
#include "tests/scene/meshes.h"

static const mesh *load(arena *a, char *path, vec3 scale, bool hull) {
    const mesh *m = NULL;
    error err = {0};
    if (mesh_load(a, path, path, scale, hull, &m, &err) != OK)
        fail_msg("%s", err.text);
    free(path);
    return m;
}

static const mesh *load_box(arena *a, double x, double y, double z) {
    char *folder = testlib_folder();
    const mesh *m = load(a, mesh_box_obj(folder, "box.obj", x, y, z), v3(1, 1, 1), false);
    testlib_remove(folder);
    return m;
}

static const mesh *load_torus(arena *a, bool hull) {
    char *folder = testlib_folder();
    const mesh *m =
        load(a, mesh_torus_stl(folder, "ring.STL", 0.5, 0.1, 96, 48), v3(1, 1, 1), hull);
    testlib_remove(folder);
    return m;
}

static void expect_refused(const char *name, const void *bytes, size_t length, vec3 scale,
                           const char *words) {
    char *folder = testlib_folder(), *path = testlib_write_bytes(folder, name, bytes, length);
    arena *a = arena_create();
    const mesh *m = NULL;
    error err = {0};
    assert_int_equal(mesh_load(a, path, name, scale, false, &m, &err), E_INPUT);
    assert_null(m);
    if (!strstr(err.text, words) || !strstr(err.text, name))
        fail_msg("%s", err.text);
    arena_destroy(a);
    free(path);
    testlib_remove(folder);
}

// An even spread of points around the origin, the same each time.
static vec3 spread(int i, double size) {
    return v3(size * (fmod(i * 0.7548776662466927, 1) - 0.5),
              size * (fmod(i * 0.5698402909980532, 1) - 0.5),
              size * (fmod(i * 0.3819660112501052, 1) - 0.5));
}

static void a_box_of_quadrangles_is_welded_closed_and_convex(void **state) {
    (void)state;
    arena *a = arena_create();
    const mesh *m = load_box(a, 0.2, 0.3, 0.4);
    assert_int_equal(m->vertex_count, 8);
    assert_int_equal(m->triangle_count, 12);
    assert_true(m->closed && m->convex);
    assert_true(v3_distance(m->center, v3(0.1, 0.15, 0.2)) < 1e-7);
    assert_true(v3_distance(m->size, v3(0.2, 0.3, 0.4)) < 1e-7);
    assert_true(fabs(m->volume - 0.024) < 1e-8);
    arena_destroy(a);
}

static void distances_rays_and_gaps_of_a_box_are_those_of_the_shape(void **state) {
    (void)state;
    arena *a = arena_create();
    const mesh *m = load_box(a, 0.25, 0.5, 0.75); // floats hold these exactly
    shape s = {SHAPE_MESH, POSE_IDENTITY, m->size, m}, b = {SHAPE_BOX, POSE_IDENTITY, m->size};
    pose at = {v3(0.3, -0.2, 0.1), quat_rpy(0.4, 0.3, -0.8)};
    for (int i = 1; i < 400; i++) {
        vec3 p = v3_add(at.p, spread(i, 2));
        double d = shape_distance(&b, at, p);
        assert_true(fabs(shape_distance(&s, at, p) - d) < 1e-9);
        vec3 way = v3_unit(v3_sub(at.p, v3_add(p, spread(i + 7, 0.5))));
        if (d > 1e-6) {
            double hit = shape_ray(&b, at, p, way), own = shape_ray(&s, at, p, way);
            assert_true(hit == own || fabs(hit - own) < 1e-9);
        }
        pose other = {p, quat_rpy(i, 0.5 * i, 2 * i)};
        shape tool = {i % 2 ? SHAPE_CAPSULE : SHAPE_CYLINDER, POSE_IDENTITY, v3(0.05, 0.05, 0.2)};
        assert_true(fabs(shape_gap(&s, at, &tool, other) - shape_gap(&b, at, &tool, other)) < 2e-5);
    }
    vec3 low, high, box_low, box_high;
    shapes_bounds(&s, 1, at, &low, &high);
    shapes_bounds(&b, 1, at, &box_low, &box_high);
    assert_true(v3_distance(low, box_low) < 1e-9 && v3_distance(high, box_high) < 1e-9);
    arena_destroy(a);
}

static void a_torus_is_closed_but_not_convex(void **state) {
    (void)state;
    arena *a = arena_create();
    const mesh *m = load_torus(a, false);
    assert_true(m->closed && !m->convex);
    assert_int_equal(m->vertex_count, 96 * 48);
    double v = 2 * PI * PI * 0.5 * 0.01; // 2 pi^2 R r^2
    assert_true(fabs(m->volume - v) < 0.005 * v);
    for (int i = 1; i < 500; i++) {
        vec3 p = spread(i, 1.4);
        double around = sqrt(p.x * p.x + p.y * p.y) - 0.5;
        double exact = sqrt(around * around + p.z * p.z) - 0.1;
        assert_true(fabs(mesh_distance(m, p) - exact) < 1.2e-3);
    }
    arena_destroy(a);
}

static void a_ball_passes_through_a_ring_but_not_through_its_hull(void **state) {
    (void)state;
    arena *a = arena_create();
    const mesh *ring = load_torus(a, false), *hull = load_torus(a, true);
    assert_true(hull->closed && hull->convex);
    shape open = {SHAPE_MESH, POSE_IDENTITY, ring->size, ring};
    shape full = {SHAPE_MESH, POSE_IDENTITY, hull->size, hull};
    shape ball = {SHAPE_SPHERE, POSE_IDENTITY, v3(0.25, 0.25, 0.25)};
    pose here = {v3(0.05, 0, 0), {1, 0, 0, 0}};
    assert_true(fabs(shape_gap(&open, POSE_IDENTITY, &ball, here) - 0.10) < 1e-3);
    assert_true(fabs(shape_gap(&ball, here, &open, POSE_IDENTITY) - 0.10) < 1e-3);
    assert_true(shape_gap(&full, POSE_IDENTITY, &ball, here) == 0);
    // Wholly inside the tube, a small ball touches no triangle, and overlaps all the same.
    shape grain = {SHAPE_SPHERE, POSE_IDENTITY, v3(0.01, 0.01, 0.01)};
    assert_true(shape_gap(&open, POSE_IDENTITY, &grain, (pose){v3(0, 0.5, 0), {1, 0, 0, 0}}) == 0);
    // Two rings, one through the other like links of a chain.
    pose linked = {v3(0.5, 0, 0), quat_rpy(PI / 2, 0, 0)};
    assert_true(fabs(shape_gap(&open, POSE_IDENTITY, &open, linked) - 0.30) < 3e-3);
    arena_destroy(a);
}

static void mass_is_that_of_the_formulas(void **state) {
    (void)state;
    arena *a = arena_create();
    const mesh *m = load_box(a, 0.25, 0.5, 0.75), *t = load_torus(a, false);
    double volume;
    vec3 com;
    mat3 i;
    mesh_mass(m, &volume, &com, &i);
    assert_true(fabs(volume - 0.09375) < 1e-12 && v3_length(com) < 1e-12);
    assert_true(fabs(i.m[0][0] - (0.25 + 0.5625) / 12) < 1e-12);
    assert_true(fabs(i.m[1][1] - (0.0625 + 0.5625) / 12) < 1e-12);
    assert_true(fabs(i.m[2][2] - (0.0625 + 0.25) / 12) < 1e-12);
    assert_true(fabs(i.m[0][1]) + fabs(i.m[0][2]) + fabs(i.m[1][2]) < 1e-12);
    mesh_mass(t, &volume, &com, &i);
    double about = 0.5 * 0.5 + 0.75 * 0.1 * 0.1, across = 0.5 * 0.25 + 0.625 * 0.01;
    assert_true(fabs(i.m[2][2] - about) < 0.005 * about);
    assert_true(fabs(i.m[0][0] - across) < 0.005 * across);
    arena_destroy(a);
}

static void units_and_nodes_of_a_dae_file_are_heeded(void **state) {
    (void)state;
    char *folder = testlib_folder();
    arena *a = arena_create();
    const mesh *m =
        load(a, testlib_write(folder, "t.dae", mesh_tetrahedron_dae), v3(1, 1, 1), false);
    assert_true(v3_distance(m->size, v3(1, 1, 3)) < 1e-6);
    assert_true(v3_distance(m->center, v3(0.5, 0.5, 2)) < 1e-6);
    assert_true(m->closed && m->convex && fabs(m->volume - 0.5) < 1e-6);
    // Mirrored, it is still turned the right way round.
    m = load(a, testlib_write(folder, "t.dae", mesh_tetrahedron_dae), v3(-2, 1, 1), false);
    assert_true(m->closed && fabs(m->volume - 1) < 1e-6 && m->center.x < 0);
    double volume;
    vec3 com;
    mat3 i;
    mesh_mass(m, &volume, &com, &i);
    assert_true(fabs(volume - 1) < 1e-6);
    arena_destroy(a);
    testlib_remove(folder);
}

static void a_flat_mesh_has_a_surface_and_no_inside(void **state) {
    (void)state;
    char *folder = testlib_folder();
    arena *a = arena_create();
    const mesh *m = load(
        a,
        testlib_write(folder, "f.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf 1 2 2\n"),
        v3(1, 1, 1), false);
    assert_int_equal(m->triangle_count, 2); // the one without an area is dropped
    assert_true(!m->closed && !m->convex && m->volume == 0);
    assert_true(fabs(mesh_distance(m, v3(0.1, 0.1, -0.3)) - 0.3) < 1e-9);
    assert_true(fabs(mesh_ray(m, v3(0.1, 0.2, -2), v3(0, 0, 1)) - 2) < 1e-9);
    assert_true(fabs(mesh_ray(m, v3(0.1, 0.2, 2), v3(0, 0, -1)) - 2) < 1e-9);
    assert_true(isinf(mesh_ray(m, v3(0.7, 0.2, 2), v3(0, 0, -1))));
    // Its hull is a plate, so that whatever asks for a hull gets one.
    const mesh *hull = load(a, testlib_path(folder, "f.obj"), v3(1, 1, 1), true);
    assert_true(hull->closed && hull->convex);
    assert_true(fabs(hull->volume - 1e-3) < 1e-9 && fabs(hull->size.z - 1e-3) < 1e-9);
    assert_true(fabs(hull->center.x - 0.5) < 1e-9 && fabs(hull->center.z) < 1e-9);
    arena_destroy(a);
    testlib_remove(folder);
}

// Whether a point lies in one of the parts, all of which are about the mesh's own file.
static bool in_parts(const mesh *const *parts, size_t count, vec3 p) {
    for (size_t i = 0; i < count; i++)
        if (mesh_distance(parts[i], v3_sub(p, parts[i]->center)) < 0)
            return true;
    return false;
}

static void concave_meshes_come_apart_into_convex_parts(void **state) {
    (void)state;
    char *folder = testlib_folder();
    arena *a = arena_create();
    const mesh *parts[MESH_PARTS_MAX];
    // A base that is hollow in front: the letter L from the side, 0.8 m long, 0.6 high, 0.5 wide.
    static const char hollow[] =
        "v 0 0 0\nv 0.8 0 0\nv 0.8 0 0.2\nv 0.3 0 0.2\nv 0.3 0 0.6\nv 0 0 0.6\n"
        "v 0 0.5 0\nv 0.8 0.5 0\nv 0.8 0.5 0.2\nv 0.3 0.5 0.2\nv 0.3 0.5 0.6\nv 0 0.5 0.6\n"
        "f 1 2 3 4\nf 1 4 5 6\nf 10 9 8 7\nf 12 11 10 7\nf 1 7 8 2\nf 2 8 9 3\nf 3 9 10 4\n"
        "f 4 10 11 5\nf 5 11 12 6\nf 6 12 7 1\n";
    const mesh *m = load(a, testlib_write(folder, "l.obj", hollow), v3(1, 1, 1), false);
    size_t count = mesh_parts(a, m, parts);
    assert_true(count >= 2 && count <= MESH_PARTS_MAX);
    double volume = 0;
    for (size_t i = 0; i < count; i++) {
        assert_true(parts[i]->convex && parts[i]->closed && parts[i]->hash == m->hash);
        volume += parts[i]->volume;
    }
    assert_true(volume > 0.139 && volume < 0.16); // the hull has 0.19, and the mesh 0.14 m3
    assert_false(in_parts(parts, count, v3(0.5, 0.25, 0.35)));
    assert_true(in_parts(parts, count, v3(0.6, 0.25, 0.1)));
    assert_true(in_parts(parts, count, v3(0.15, 0.25, 0.5)));
    // Nothing of the surface is lost.
    for (size_t i = 0; i < m->vertex_count; i++) {
        double least = INFINITY;
        vec3 p = v3_add(m->vertices[i], m->center);
        for (size_t k = 0; k < count; k++)
            least = fmin(least, mesh_distance(parts[k], v3_sub(p, parts[k]->center)));
        assert_true(least < 1e-6);
    }
    assert_non_null(strstr(parts[0]->file, "l.obj#1"));
    // What is convex stays one, and a ring has a hole.
    m = load(a, mesh_box_obj(folder, "b.obj", 1, 1, 1), v3(1, 1, 1), false);
    assert_int_equal(mesh_parts(a, m, parts), 1);
    assert_true(fabs(parts[0]->volume - 1) < 1e-9);
    m = load_torus(a, false);
    count = mesh_parts(a, m, parts);
    assert_true(count > 2);
    assert_false(in_parts(parts, count, v3(0, 0, 0)));
    arena_destroy(a);
    testlib_remove(folder);
}

static void what_a_file_has_wrong_is_named(void **state) {
    (void)state;
    const vec3 one = v3(1, 1, 1);
    static const char good[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    expect_refused("a.obj", "", 0, one, "empty file");
    expect_refused("a.obj", "hello, world\n", 13, one, "malformed");
    expect_refused("a.dae", "<COLLADA>", 9, one, "malformed");
    expect_refused("a.stl", "solid x\nfacet", 13, one, "malformed");
    static const char nan[] = "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    expect_refused("a.obj", nan, strlen(nan), one, "not finite");
    static const char points[] = "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n";
    expect_refused("a.obj", points, strlen(points), one, "empty");
    expect_refused("a.obj", good, strlen(good), v3(2000, 1, 1), "1 km");
    expect_refused("a.obj", good, strlen(good), v3(1e-5, 1e-5, 1e-5), "0.1 mm");
    expect_refused("a.obj", good, strlen(good), v3(1, 0, 1), "scale");
    expect_refused("a.obj", good, strlen(good), v3(1, NAN, 1), "scale");
    expect_refused("a.fbx", good, strlen(good), one, "none of .obj");
    unsigned char cut[84] = {0}; // a binary file that promises more than it holds
    cut[80] = 200;
    expect_refused("a.stl", cut, sizeof cut, one, "malformed");
    arena *a = arena_create();
    const mesh *m = NULL;
    error err = {0};
    assert_int_equal(mesh_load(a, "/nowhere/a.obj", "a.obj", one, false, &m, &err), E_INPUT);
    assert_non_null(strstr(err.text, "cannot be read"));
    arena_destroy(a);
}

static void too_many_triangles_are_refused(void **state) {
    (void)state;
    char *folder = testlib_folder(), *path = mesh_torus_stl(folder, "big.stl", 0.5, 0.1, 400, 251);
    arena *a = arena_create();
    const mesh *m = NULL;
    error err = {0};
    assert_int_equal(mesh_load(a, path, "big.stl", v3(1, 1, 1), false, &m, &err), E_INPUT);
    assert_non_null(strstr(err.text, "200000"));
    arena_destroy(a);
    free(path);
    testlib_remove(folder);
}

// ---- Files that are meant to do harm

// Reads bytes as a mesh and returns what was said, or NULL where it was loaded.
static char *read_hostile(const char *name, const char *bytes, size_t length) {
    arena *a = arena_create();
    const mesh *m = NULL;
    error err = {0};
    status s = mesh_read(a, bytes, length, name, v3(1, 1, 1), false, &m, &err);
    assert_true(s == OK || s == E_INPUT);
    assert_true((s == OK) == (m != NULL));
    arena_destroy(a);
    return s == OK ? NULL : strdup(err.text);
}

static void expect_said(const char *name, const char *text, const char *words) {
    char *said = read_hostile(name, text, strlen(text));
    if (words ? !said || !strstr(said, words) : said != NULL)
        fail_msg("%s: %s", words ? words : "(loads)", said ? said : "it loads");
    free(said);
}

// The tetrahedron with one text of it replaced by another.
static void expect_edited(const char *from, const char *to, const char *words) {
    char text[4096];
    const char *at = strstr(mesh_tetrahedron_dae, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - mesh_tetrahedron_dae), mesh_tetrahedron_dae,
             to, at + strlen(from));
    expect_said("a.dae", text, words);
}

static void no_count_or_index_of_a_dae_file_is_trusted(void **state) {
    (void)state;
    expect_edited("count=\"12\"", "count=\"-12.0\"", "whole number");
    expect_edited("count=\"12\"", "count=\"99999999999999999999\"", "whole number");
    expect_edited("count=\"12\"", "count=\"4294967295\"", "promises 4294967295 numbers");
    expect_edited("count=\"12\"", "", NULL);
    expect_edited("1000 0 0 0", "nan 0 0 0", "not finite");
    expect_edited("1000 0 0 0", "1e39 0 0 0", "not finite");
    expect_edited("1000 0 0 0", "0x10 0 0 0", "number is expected");
    expect_edited("count=\"4\" stride", "count=\"4000000000\" stride", "fewer vertices");
    expect_edited("count=\"4\" stride", "offset=\"4294967295\" count=\"4\" stride", "fewer");
    expect_edited("stride=\"3\"", "stride=\"0\"", "stride");
    expect_edited("stride=\"3\"", "stride=\"4294967295\"", "fewer");
    expect_edited("offset=\"0\"", "offset=\"4294967294\"", "end within a corner");
    expect_edited("offset=\"0\"", "offset=\"-1\"", "whole number");
    expect_edited("<p>0 2", "<p>10.0 2", "index must be a whole number");
    expect_edited("<p>0 2", "<p>4 2", "does not exist");
    expect_edited("<p>0 2", "<p>-1 2", "index must be a whole number");
    expect_edited("<p>0 2", "<p>99999999999999999999999 2", "index must be");
    expect_edited("<p>0 2", "<p>2", "end within a face");
    expect_edited("triangles count=\"4\"", "triangles count=\"400000000\"", "promises 400000000");
    expect_edited("0 0 500", "0 0 1e38", "from the origin");
    expect_edited("0 0 500", "0 0", "3 numbers");
    expect_edited("meter=\"0.001\"", "meter=\"-1\"", "greater than 0");
    expect_edited("meter=\"0.001\"", "meter=\"0,001\"", NULL);
}

static void a_dae_file_refers_to_nothing_but_itself(void **state) {
    (void)state;
    expect_edited("url=\"#g\"", "url=\"file:///etc/passwd#g\"", "same file");
    expect_edited("url=\"#g\"", "url=\"#s\"", "must name a `geometry`");
    expect_edited("url=\"#s\"", "url=\"#absent\"", "must name a `visual_scene`");
    expect_edited("<scene>", "<other>", "not valid XML");
    expect_edited("<COLLADA", "<!DOCTYPE c [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><COLLADA",
                  "entities");
    expect_edited("<COLLADA",
                  "<!DOCTYPE c [<!ENTITY a \"0 0 0\"><!ENTITY b \"&a;&a;&a;&a;&a;\">]><COLLADA",
                  "entities");
    expect_edited("name=\"X\"", "name=\"M\xe4rz\"", NULL); // in Latin 1, said to be UTF-8
}

// Nodes that hold themselves, and few that stand for very many.
static void nodes_that_instance_each_other_end(void **state) {
    (void)state;
    expect_edited("<instance_geometry url=\"#g\"/>", "<instance_node url=\"#n\"/>", "64 deep");
    char bomb[4096];
    size_t n = 0;
    for (int i = 0; i < 20; i++) {
        n += (size_t)snprintf(bomb + n, sizeof bomb - n, "<node id=\"n%d\">", i);
        for (int k = 0; k < 4; k++)
            n +=
                (size_t)snprintf(bomb + n, sizeof bomb - n, "<instance_node url=\"#n%d\"/>", i + 1);
        n += (size_t)snprintf(bomb + n, sizeof bomb - n, "</node>");
    }
    snprintf(bomb + n, sizeof bomb - n, "<node id=\"n20\"/>");
    char text[8192];
    snprintf(text, sizeof text, "<node id=\"n\">%s", bomb);
    expect_edited("<node id=\"n\">", text, "too often");
    char *deep = calloc(1, 40000);
    assert_non_null(deep);
    for (int i = 0; i < 5000; i++)
        strcat(deep, "<node>");
    expect_said("a.dae", deep, "nested deeper than 256");
    free(deep);
}

static void every_kind_of_polygon_of_a_dae_file_is_read(void **state) {
    (void)state;
    static const char *const lists[] = {
        "<polylist count=\"2\"><input semantic=\"VERTEX\" source=\"#v\" "
        "offset=\"0\"/><vcount>3 4</vcount><p>0 2 1 0 1 2 3</p></polylist>",
        "<polygons count=\"2\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"1\"/><input "
        "semantic=\"NORMAL\" source=\"#none\" offset=\"0\"/><p>9 0 9 2 9 1</p><p>9 0 9 1 9 2 9 "
        "3</p></polygons>",
        "<tristrips count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" "
        "offset=\"0\"/><p>0 1 2 3 0</p></tristrips>",
        "<trifans count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" "
        "offset=\"0\"/><p>0 1 2 3 1</p></trifans>",
    };
    const char *start = strstr(mesh_tetrahedron_dae, "<triangles"),
               *end = strstr(mesh_tetrahedron_dae, "</triangles>") + strlen("</triangles>");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char text[4096];
        snprintf(text, sizeof text, "%.*s%s%s", (int)(start - mesh_tetrahedron_dae),
                 mesh_tetrahedron_dae, lists[i], end);
        arena *a = arena_create();
        const mesh *m = NULL;
        error err = {0};
        if (mesh_read(a, text, strlen(text), "a.dae", v3(1, 1, 1), false, &m, &err) != OK)
            fail_msg("%zu: %s", i, err.text);
        assert_int_equal(m->triangle_count, 3);
        assert_true(v3_distance(m->size, v3(1, 1, 3)) < 1e-6);
        arena_destroy(a);
    }
    expect_edited("<p>", "<ph><p>", "not valid XML");
    expect_edited("<p>0 2 1 0 1 3 0 3 2 1 2 3</p>", "<p>0 2 1</p><ph><p>0 1 2</p></ph>", "holes");
}

static void no_index_or_number_of_an_obj_file_is_trusted(void **state) {
    (void)state;
#define CORNERS "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
    expect_said("a.obj", CORNERS "f 1 2 4\n", "does not exist");
    expect_said("a.obj", CORNERS "f 1 2 -4\n", "does not exist");
    expect_said("a.obj", CORNERS "f 0 1 2\n", "does not exist");
    expect_said("a.obj", CORNERS "f 1 2 99999999999999999999999999\n", "does not exist");
    expect_said("a.obj", CORNERS "f 1 2 3.0\n", "numbers of vertices");
    expect_said("a.obj", CORNERS "f 1 2 -\n", "numbers of vertices");
    expect_said("a.obj", "v 1 0\nv 0 0 0\nf 1 2 2\n", "three coordinates");
    expect_said("a.obj", "v 0 0 1e999\n" CORNERS "f 1 2 3\n", "not finite");
    expect_said("a.obj", "v 0 0 0 0\n" CORNERS "f 1 2 3\n", "three coordinates");
    expect_said("a.obj", "mtllib /etc/passwd\n" CORNERS "f -3/1 -2//5 \\\n -1/7/8 # three\n", NULL);
}

// A comb of many teeth, as one polygon: taking it apart would look at billions of points.
static void polygons_cost_no_more_than_they_may(void **state) {
    (void)state;
    enum { TEETH = 40000 };
    char *text = malloc(TEETH * 60 + 100), *at = text;
    assert_non_null(text);
    for (int i = 0; i < TEETH; i++)
        at += sprintf(at, "v %d %d 0\nv %d.5 %d 0\n", i, i % 7, i, 1000 + i % 5);
    at += sprintf(at, "v %d -1 0\nv -1 -1 0\nf", TEETH);
    for (int i = 2 * TEETH + 2; i >= 1; i--)
        at += sprintf(at, " %d", i);
    char *said = read_hostile("a.obj", text, (size_t)(at - text));
    assert_true(!said || strstr(said, "jagged") || strstr(said, "1 km"));
    free(said);
    free(text);
}

static void a_polygon_around_a_hole_keeps_its_area(void **state) {
    (void)state;
    arena *a = arena_create();
    const mesh *m = NULL;
    error err = {0};
    static const char text[] = // a square of 3 m around one of 1 m; the way to it is passed twice
        "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 1 1 0\nv 2 1 0\nv 2 2 0\nv 1 2 0\n"
        "f 1 2 3 4 1 5 8 7 6 5\n";
    if (mesh_read(a, text, strlen(text), "a.obj", v3(1, 1, 1), false, &m, &err) != OK)
        fail_msg("%s", err.text);
    double area = 0;
    for (size_t i = 0; i < m->triangle_count; i++) {
        vec3 p = m->vertices[m->triangles[i][0]];
        area += v3_length(v3_cross(v3_sub(m->vertices[m->triangles[i][1]], p),
                                   v3_sub(m->vertices[m->triangles[i][2]], p))) /
                2;
    }
    assert_true(fabs(area - 8) < 1e-9);
    arena_destroy(a);
}

static void no_count_or_order_of_an_stl_file_is_trusted(void **state) {
    (void)state;
    unsigned char header[134] = {0};
    for (int i = 0; i < 4; i++)
        header[80 + i] = 0xff;
    char *said = read_hostile("a.stl", (const char *)header, sizeof header);
    assert_non_null(strstr(said, "count of triangles"));
    free(said);
    memset(header + 80, 0, 4);
    header[80] = 1;
    memset(header + 96, 0xff, 12); // a corner of not-a-numbers
    said = read_hostile("a.stl", (const char *)header, sizeof header);
    assert_non_null(strstr(said, "not finite"));
    free(said);
#define FACET                                                                                      \
    "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet "
    expect_said("a.stl", "solid a\n" FACET "endsolid", NULL); // all on one line
    expect_said("a.stl", "solid a\nfacet\nvertex 0 0 inf\n", "not finite");
    expect_said("a.stl", "solid a\nfacet\nvertex 0 0 0\nendfacet\n", "three corners");
    expect_said("a.stl", "solid a\nfacet\nvertex 0 0 0\nvertex 0 0", "ends within");
    expect_said("a.stl", "solid a\nvertex 0 0 0\n", "three corners");
    expect_said("a.stl", "solid a\n" FACET "hello\n", "three corners");
}

typedef struct tally {
    const mesh *m;
    vec3 low, high;
    size_t count, most;
} tally;

static bool count_triangle(void *context, const vec3 corners[3]) {
    tally *t = context;
    (void)corners;
    return ++t->count < t->most;
}

static void triangles_in_a_box_are_those_whose_own_box_meets_it(void **state) {
    (void)state;
    arena *a = arena_create();
    const mesh *m = load_torus(a, false);
    for (int i = 1; i < 40; i++) {
        vec3 p = spread(i, 1.2), e = v3(0.07, 0.05, 0.06);
        tally t = {m, v3_sub(p, e), v3_add(p, e), 0, SIZE_MAX};
        mesh_triangles(m, t.low, t.high, count_triangle, &t);
        size_t want = 0;
        for (size_t k = 0; k < m->triangle_count; k++) {
            vec3 lo = m->vertices[m->triangles[k][0]], hi = lo;
            for (int c = 1; c < 3; c++) {
                vec3 q = m->vertices[m->triangles[k][c]];
                lo = v3(fmin(lo.x, q.x), fmin(lo.y, q.y), fmin(lo.z, q.z));
                hi = v3(fmax(hi.x, q.x), fmax(hi.y, q.y), fmax(hi.z, q.z));
            }
            want += lo.x <= t.high.x && hi.x >= t.low.x && lo.y <= t.high.y && hi.y >= t.low.y &&
                    lo.z <= t.high.z && hi.z >= t.low.z;
        }
        assert_int_equal(t.count, want);
        tally first = {m, t.low, t.high, 0, 1};
        mesh_triangles(m, first.low, first.high, count_triangle, &first);
        assert_int_equal(first.count, want > 0 ? 1 : 0);
    }
    arena_destroy(a);
}

// ---- In world files

static status load_world(const char *folder, const char *text, world_model **out, errors *list) {
    char *path = testlib_write(folder, "w.yaml", text);
    status s = world_load(path, folder, NULL, out, list);
    free(path);
    return s;
}

static void a_world_places_a_mesh_by_the_frame_of_its_file(void **state) {
    (void)state;
    char *folder = testlib_folder();
    free(mesh_box_obj(folder, "box.obj", 200, 100, 300));
    errors list = {0};
    world_model *w = NULL;
    status s = load_world(folder,
                          "world: w\nbodies:\n  block:\n    mass: 2\n    at: [1, 2, 3]\n"
                          "    shapes: [ { mesh: { file: box.obj, scale: 0.001 } } ]\n",
                          &w, &list);
    if (s != OK)
        fail_msg("%s", list.items[0].text);
    const body_type *t = w->bodies[0].type;
    assert_int_equal(t->shapes[0].kind, SHAPE_MESH);
    assert_true(v3_distance(t->com, v3(0.1, 0.05, 0.15)) < 1e-6);
    assert_true(fabs(t->inertia.m[2][2] - 2 * (0.04 + 0.01) / 12) < 1e-7);
    assert_true(fabs(world_support_height(w, 0) - 3.3) < 1e-6);
    // The mesh is a source by its hash, so that a changed file is noticed.
    assert_int_equal(w->source_count, 2);
    assert_string_equal(w->sources[1].kind, "mesh");
    assert_string_equal(w->sources[1].name, "box.obj");
    char hash[40];
    snprintf(hash, sizeof hash, "fnv1a64 %016llx", (unsigned long long)t->shapes[0].mesh->hash);
    assert_string_equal(w->sources[1].text, hash);
    world_destroy(w);
    errors_finish(&list);
    testlib_remove(folder);
}

static void what_the_robot_knows_of_a_mesh_is_its_own(void **state) {
    (void)state;
    char *folder = testlib_folder();
    free(mesh_box_obj(folder, "box.obj", 0.25, 0.5, 0.75));
    errors list = {0};
    world_model *w = NULL;
    assert_int_equal(
        load_world(folder,
                   "world: w\ntypes:\n  b: { mass: 1, shapes: [ { mesh: box.obj } ] }\n"
                   "bodies:\n  b1: { type: b, known: true }\n",
                   &w, &list),
        OK);
    world_model *k = world_known(w);
    world_destroy(w);
    const shape *s = &k->bodies[0].type->shapes[0];
    assert_true(fabs(shape_distance(s, s->at, v3(0.125, 0.25, 1.0)) - 0.25) < 1e-9);
    world_destroy(k);
    errors_finish(&list);
    testlib_remove(folder);
}

static void what_moves_is_no_flat_mesh(void **state) {
    (void)state;
    char *folder = testlib_folder();
    free(testlib_write(folder, "flat.obj",
                       "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.0000001\nf 1 2 3\nf 1 3 4\n"));
    errors list = {0};
    world_model *w = NULL;
    assert_int_equal(
        load_world(
            folder,
            "world: w\ntypes:\n  t: { shapes: [ { mesh: flat.obj } ] }\n"
            "bodies:\n  a: { mass: 1, shapes: [ { mesh: flat.obj } ] }\n"
            "  b: { fixed: true, shapes: [ { mesh: flat.obj } ], at: [3, 0, 0] }\n"
            "  c: { type: t, mass: 1, at: [0, 3, 0] }\n"
            "  d: { mass: 1, shapes: [ { mesh: flat.obj }, { sphere: 1 } ], at: [0, 9, 0] }\n",
            &w, &list),
        E_INPUT);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].line, 5);
    assert_non_null(strstr(list.items[0].text, "`a` can move, and its mesh is flat"));
    assert_int_equal(list.items[1].line, 7);
    errors_finish(&list);
    testlib_remove(folder);
}

static void a_mesh_that_is_missing_is_an_error_where_it_is_named(void **state) {
    (void)state;
    char *folder = testlib_folder();
    errors list = {0};
    world_model *w = NULL;
    assert_int_equal(
        load_world(folder,
                   "world: w\nbodies:\n  a: { mass: 1, shapes: [ { mesh: no.stl } ] }\n"
                   "  b:\n    mass: 1\n    shapes: [ { mesh: { scale: 2 } } ]\n",
                   &w, &list),
        E_INPUT);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].line, 3);
    assert_non_null(strstr(list.items[0].text, "no.stl"));
    assert_int_equal(list.items[1].line, 6);
    assert_non_null(strstr(list.items[1].text, "`file`"));
    errors_finish(&list);
    testlib_remove(folder);
}

static void meshes_may_rest_on_each_other_but_not_start_inside(void **state) {
    (void)state;
    static const char text[] =
        "world: w\nbodies:\n"
        "  a: { mass: 1, shapes: [ { mesh: ring.stl } ] }\n"
        "  b: { mass: 1, shapes: [ { mesh: box.obj } ], at: [0.4, 0, %g] }\n";
    char *folder = testlib_folder(), filled[400];
    free(mesh_box_obj(folder, "box.obj", 0.25, 0.5, 0.75));
    free(mesh_torus_stl(folder, "ring.stl", 0.5, 0.1, 48, 24));
    const double heights[] = {0.1, 0.09};
    for (int i = 0; i < 2; i++) {
        errors list = {0};
        world_model *w = NULL;
        snprintf(filled, sizeof filled, text, heights[i]);
        assert_int_equal(load_world(folder, filled, &w, &list), i ? E_INPUT : OK);
        if (i)
            assert_non_null(strstr(list.items[0].text, "starts inside"));
        world_destroy(w);
        errors_finish(&list);
    }
    testlib_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_of_quadrangles_is_welded_closed_and_convex),
        cmocka_unit_test(distances_rays_and_gaps_of_a_box_are_those_of_the_shape),
        cmocka_unit_test(a_torus_is_closed_but_not_convex),
        cmocka_unit_test(a_ball_passes_through_a_ring_but_not_through_its_hull),
        cmocka_unit_test(mass_is_that_of_the_formulas),
        cmocka_unit_test(units_and_nodes_of_a_dae_file_are_heeded),
        cmocka_unit_test(a_flat_mesh_has_a_surface_and_no_inside),
        cmocka_unit_test(concave_meshes_come_apart_into_convex_parts),
        cmocka_unit_test(what_a_file_has_wrong_is_named),
        cmocka_unit_test(too_many_triangles_are_refused),
        cmocka_unit_test(no_count_or_index_of_a_dae_file_is_trusted),
        cmocka_unit_test(a_dae_file_refers_to_nothing_but_itself),
        cmocka_unit_test(nodes_that_instance_each_other_end),
        cmocka_unit_test(every_kind_of_polygon_of_a_dae_file_is_read),
        cmocka_unit_test(no_index_or_number_of_an_obj_file_is_trusted),
        cmocka_unit_test(polygons_cost_no_more_than_they_may),
        cmocka_unit_test(a_polygon_around_a_hole_keeps_its_area),
        cmocka_unit_test(no_count_or_order_of_an_stl_file_is_trusted),
        cmocka_unit_test(triangles_in_a_box_are_those_whose_own_box_meets_it),
        cmocka_unit_test(a_world_places_a_mesh_by_the_frame_of_its_file),
        cmocka_unit_test(what_the_robot_knows_of_a_mesh_is_its_own),
        cmocka_unit_test(what_moves_is_no_flat_mesh),
        cmocka_unit_test(a_mesh_that_is_missing_is_an_error_where_it_is_named),
        cmocka_unit_test(meshes_may_rest_on_each_other_but_not_start_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
