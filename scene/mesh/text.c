// scene/mesh/text.c - reading the triangles of OBJ and STL files.
#include "scene/mesh/mesh_int.h"

#define VERTICES_MAX 2000000

// ---- OBJ

typedef ARRAY(int32_t) index_list;

typedef struct obj {
    mesh_soup *s;
    point_list vertices;
    index_list indices;          // of the faces, one after the other; from 0
    ARRAY(uint32_t) face_counts; // how many indices each face has
    size_t triangles;
} obj;

// The next word of the line, which a backslash at its end continues.
static bool line_word(mesh_scan *scan, mesh_word *out) {
    for (;;) {
        while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t'))
            scan->at++;
        if (scan->at == scan->end || *scan->at == '\n' || *scan->at == '\r' || *scan->at == '#')
            return false;
        if (!scan_word(scan, out))
            return false;
        if (out->length != 1 || out->at[0] != '\\')
            return true;
        while (scan->at < scan->end && (*scan->at == '\n' || *scan->at == '\r'))
            scan->line += *scan->at++ == '\n';
    }
}

// x, y, z; a fourth number divides them; six or more numbers have a colour, too.
static bool read_vertex(obj *o, mesh_scan *scan) {
    double v[8] = {0};
    size_t count = 0;
    mesh_word w;
    while (line_word(scan, &w) && count < 8)
        if (!soup_number(o->s, scan->line, w, &v[count++]))
            return false;
    if (count < 3 || (count == 4 && v[3] == 0))
        return soup_wrong(o->s, "line %d: a vertex has three coordinates", scan->line);
    if (o->vertices.count >= VERTICES_MAX)
        return soup_wrong(o->s, "it has more than %d vertices", VERTICES_MAX);
    vec3 p = v3(v[0], v[1], v[2]);
    array_push(&o->vertices, count == 4 ? v3(p.x / v[3], p.y / v[3], p.z / v[3]) : p);
    return true;
}

// The number before the first slash: from 1, or negative, counted back from the last vertex.
static bool read_index(obj *o, int line, mesh_word w, int32_t *out) {
    bool back = w.at[0] == '-';
    int64_t v = 0;
    size_t i = back;
    for (; i < w.length && w.at[i] >= '0' && w.at[i] <= '9' && v <= VERTICES_MAX; i++)
        v = 10 * v + (w.at[i] - '0');
    if (i == back || (i < w.length && w.at[i] != '/' && v <= VERTICES_MAX))
        return soup_wrong(o->s, "line %d: a face lists numbers of vertices", line);
    v = back ? (int64_t)o->vertices.count - v : v - 1;
    if (v < 0 || v >= VERTICES_MAX)
        return soup_wrong(o->s, "line %d: a face names a vertex that does not exist", line);
    *out = (int32_t)v;
    return true;
}

static bool read_face(obj *o, mesh_scan *scan) {
    size_t before = o->indices.count;
    mesh_word w;
    while (line_word(scan, &w)) {
        int32_t v = 0;
        if (!read_index(o, scan->line, w, &v))
            return false;
        array_push(&o->indices, v);
        if (o->indices.count - before > 2 && ++o->triangles > MESH_TRIANGLES_MAX)
            return soup_wrong(o->s, "it has more than %d triangles; simplify it",
                              MESH_TRIANGLES_MAX);
    }
    size_t count = o->indices.count - before;
    if (count < 3)
        o->indices.count = before; // a point or a line
    else
        array_push(&o->face_counts, (uint32_t)count);
    return true;
}

// Faces may name vertices that follow them.
static bool add_faces(obj *o) {
    point_list corners = {0};
    bool good = true;
    size_t at = 0;
    for (size_t i = 0; i < o->face_counts.count && good; i++) {
        corners.count = 0;
        for (uint32_t k = 0; k < o->face_counts.items[i] && good; k++) {
            size_t v = (size_t)o->indices.items[at++];
            if (v >= o->vertices.count)
                good = soup_wrong(o->s, "a face names a vertex that does not exist");
            else
                array_push(&corners, o->vertices.items[v]);
        }
        good = good && soup_face(o->s, corners.items, corners.count);
    }
    array_finish(&corners);
    return good;
}

bool mesh_read_obj(mesh_soup *s, const char *bytes, size_t length) {
    obj o = {.s = s};
    mesh_scan scan = {bytes, bytes + length, 1};
    mesh_word w;
    bool good = true;
    while (good && scan_word(&scan, &w)) {
        if (word_is(w, "v"))
            good = read_vertex(&o, &scan);
        else if (word_is(w, "f"))
            good = read_face(&o, &scan);
        if (good) // materials, groups, normals and textures are not needed
            scan_past_line(&scan);
    }
    if (good && o.vertices.count == 0)
        good = soup_wrong(s, "no line of it gives a vertex");
    good = good && add_faces(&o);
    array_finish(&o.vertices);
    array_finish(&o.indices);
    array_finish(&o.face_counts);
    return good;
}

// ---- STL

#define STL_HEADER 84 // bytes before the first triangle of a binary file
#define STL_FACET 50  // bytes of a triangle: normal, three corners, two bytes more

static uint32_t little_endian(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const char *bytes) {
    uint32_t word = little_endian(bytes);
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static bool read_binary(mesh_soup *s, const char *bytes, uint64_t count) {
    const char *at = bytes + STL_HEADER;
    for (uint64_t i = 0; i < count; i++, at += STL_FACET) {
        vec3 c[3];
        for (int k = 0; k < 3; k++) {
            const char *p = at + 12 * (k + 1);
            c[k] = v3(float_at(p), float_at(p + 4), float_at(p + 8));
        }
        if (!soup_face(s, c, 3))
            return false;
    }
    return true;
}

static bool read_ascii(mesh_soup *s, const char *bytes, size_t length) {
    static const char *const loop[] = {"outer", "loop", "endloop"};
    mesh_scan scan = {bytes, bytes + length, 1};
    mesh_word w;
    vec3 corners[3];
    int count = -1; // of the facet's corners; -1: outside of a facet
    while (scan_word(&scan, &w)) {
        if (word_is(w, "facet") && count < 0) {
            count = 0;
        } else if (word_is(w, "normal") && count == 0) {
            for (int i = 0; i < 3; i++) // the order of the corners says the same
                scan_word(&scan, &w);
        } else if (word_is(w, "vertex") && count >= 0 && count < 3) {
            double v[3] = {0};
            for (int i = 0; i < 3; i++)
                if (!scan_word(&scan, &w))
                    return soup_wrong(s, "it ends within a facet");
                else if (!soup_number(s, scan.line, w, &v[i]))
                    return false;
            corners[count++] = v3(v[0], v[1], v[2]);
        } else if (word_is(w, "endfacet") && count == 3) {
            if (!soup_face(s, corners, 3))
                return false;
            count = -1;
        } else if (count < 0 &&
                   (word_is(w, "solid") || word_is(w, "endsolid") || word_is(w, "color"))) {
            scan_past_line(&scan);
        } else {
            bool known = false;
            for (int i = 0; i < 3; i++)
                known |= count >= 0 && word_is(w, loop[i]);
            if (!known)
                return soup_wrong(s, "line %d: this belongs to no facet of three corners",
                                  scan.line);
        }
    }
    return count < 0 || soup_wrong(s, "it ends within a facet");
}

bool mesh_read_stl(mesh_soup *s, const char *bytes, size_t length) {
    uint64_t count = length >= STL_HEADER ? little_endian(bytes + 80) : 0;
    if (length >= STL_HEADER && STL_HEADER + STL_FACET * count == length)
        return read_binary(s, bytes, count); // also where the header begins with `solid`
    mesh_scan scan = {bytes, bytes + length, 1};
    mesh_word w;
    if (scan_word(&scan, &w) && word_is(w, "solid"))
        return read_ascii(s, bytes, length);
    return soup_wrong(s, "it is no text that begins with `solid`, and not as long as its count of "
                         "triangles says");
}
