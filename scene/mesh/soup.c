// scene/mesh/soup.c - what the readers of mesh files share: words, numbers, and polygons taken
// apart into triangles.
#include <stdarg.h>
#include <strings.h>

#include "scene/mesh/mesh_int.h"

#define WORK_MAX 50000000 // points looked at, over all polygons of a file: well under a second

bool soup_wrong(mesh_soup *s, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (s->wrong[0] == 0)
        vsnprintf(s->wrong, sizeof s->wrong, format, args);
    va_end(args);
    return false;
}

// ---- Words

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool scan_word(mesh_scan *scan, mesh_word *out) {
    while (scan->at < scan->end && is_blank(*scan->at))
        scan->line += *scan->at++ == '\n';
    out->at = scan->at;
    while (scan->at < scan->end && !is_blank(*scan->at))
        scan->at++;
    out->length = (size_t)(scan->at - out->at);
    return out->length > 0;
}

void scan_past_line(mesh_scan *scan) {
    while (scan->at < scan->end && *scan->at != '\n' && *scan->at != '\r')
        scan->at++;
}

bool word_is(mesh_word w, const char *text) {
    return w.length == strlen(text) && strncasecmp(w.at, text, w.length) == 0;
}

bool soup_number(mesh_soup *s, int line, mesh_word w, double *out) {
    char copy[64], *end;
    if (w.length >= sizeof copy)
        return soup_wrong(s, "line %d: a number has more than %zu characters", line,
                          sizeof copy - 1);
    memcpy(copy, w.at, w.length);
    copy[w.length] = 0;
    for (size_t i = 0; i < w.length; i++)
        copy[i] = copy[i] == ',' ? '.' : copy[i]; // as some exporters write where that is usual
    double v = strtod(copy, &end);
    if (end == copy || *end != 0 || strpbrk(copy, "xXpP"))
        return soup_wrong(s, "line %d: a number is expected", line);
    *out = (double)(float)v;
    return isfinite(*out) || soup_wrong(s, "line %d: a number is not finite", line);
}

// ---- Polygons

static bool add_triangle(mesh_soup *s, vec3 a, vec3 b, vec3 c) {
    if (s->corners.count >= 3 * (size_t)MESH_TRIANGLES_MAX)
        return soup_wrong(s, "it has more than %d triangles; simplify it", MESH_TRIANGLES_MAX);
    array_push(&s->corners, a);
    array_push(&s->corners, b);
    array_push(&s->corners, c);
    return true;
}

// A polygon that is being taken apart: its corners that are left, as a ring.
typedef struct ring {
    const vec3 *points;
    uint32_t *before, *after;
    vec3 normal; // by Newell: as long as twice the area
} ring;

static vec3 newell_normal(const vec3 *p, size_t count) {
    vec3 n = v3(0, 0, 0); // about the first point: far from the origin digits would be lost
    for (size_t i = 1; i + 1 < count; i++)
        n = v3_add(n, v3_cross(v3_sub(p[i], p[0]), v3_sub(p[i + 1], p[0])));
    return n;
}

static double corner_turn(const ring *r, vec3 a, vec3 b, vec3 c) {
    return v3_dot(v3_cross(v3_sub(b, a), v3_sub(c, b)), r->normal);
}

static bool is_concave(const ring *r, uint32_t i) {
    return corner_turn(r, r->points[r->before[i]], r->points[i], r->points[r->after[i]]) < 0;
}

// Returns whether no other corner lies in the triangle that corner i would take off. Corners at the
// same place as one of the three do not count: a polygon around a hole passes the way to it twice.
static bool is_ear(mesh_soup *s, const ring *r, uint32_t i) {
    vec3 a = r->points[r->before[i]], b = r->points[i], c = r->points[r->after[i]];
    if (!(corner_turn(r, a, b, c) > 0))
        return false;
    for (uint32_t k = r->after[r->after[i]]; k != r->before[i]; k = r->after[k]) {
        vec3 p = r->points[k];
        s->work++;
        if (corner_turn(r, a, b, p) >= 0 && corner_turn(r, b, c, p) >= 0 &&
            corner_turn(r, c, a, p) >= 0 && v3_distance(p, a) > 0 && v3_distance(p, b) > 0 &&
            v3_distance(p, c) > 0 &&
            corner_turn(r, r->points[r->before[k]], p, r->points[r->after[k]]) <= 0)
            return false;
    }
    return true;
}

// Ears are clipped (Meisters 1975). Where a polygon crosses itself and has none, its next corner is
// taken off.
static bool clip_ears(mesh_soup *s, ring *r, size_t count) {
    uint32_t at = 0;
    size_t tried = 0;
    while (count > 3) {
        uint32_t next = r->after[at];
        if (tried < count && !is_ear(s, r, at)) {
            at = next;
            tried++;
            if (s->work > WORK_MAX)
                return soup_wrong(s, "its polygons are too jagged; write triangles");
            continue;
        }
        if (!add_triangle(s, r->points[r->before[at]], r->points[at], r->points[next]))
            return false;
        r->after[r->before[at]] = next;
        r->before[next] = r->before[at];
        at = next;
        count--;
        tried = 0;
    }
    return add_triangle(s, r->points[r->before[at]], r->points[at], r->points[r->after[at]]);
}

bool soup_face(mesh_soup *s, const vec3 *points, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z))
            return soup_wrong(s, "a vertex is not finite");
    if (count < 3)
        return true; // points and lines
    if (count == 3)
        return add_triangle(s, points[0], points[1], points[2]);
    if (count > MESH_TRIANGLES_MAX)
        return soup_wrong(s, "it has more than %d triangles; simplify it", MESH_TRIANGLES_MAX);
    ring r = {.points = points, .normal = newell_normal(points, count)};
    r.before = mem_must(2 * count, sizeof *r.before);
    r.after = r.before + count;
    for (uint32_t i = 0; i < count; i++) {
        r.before[i] = i > 0 ? i - 1 : (uint32_t)count - 1;
        r.after[i] = i + 1 < count ? i + 1 : 0;
    }
    bool concave = false, good = true;
    for (uint32_t i = 0; i < count && !concave; i++)
        concave = is_concave(&r, i);
    if (concave)
        good = clip_ears(s, &r, count);
    for (size_t i = 1; i + 1 < count && good && !concave; i++)
        good = add_triangle(s, points[0], points[i], points[i + 1]);
    free(r.before);
    return good;
}
