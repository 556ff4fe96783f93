// report/picture/render.c - cuts shapes into triangles and draws them with a depth buffer.
#include "report/picture/render.h"

static const double NEAREST = 0.02;  // m in front of the eye: nearer parts of triangles are cut off
static const double PLANE_REACH = 2; // m that floors extend beyond the scene
static const vec3 LIGHT = {-0.45, -0.35, 0.82}; // direction towards the light
enum { SEGMENTS = 40, RINGS = 10, SHADOW_SIZE = 2048 };

// ---- Shapes as triangles
typedef struct corner {
    vec3 at, normal; // in the world
} corner;
// Passes the surface of a shape to `put`, as triangles in the world. A plane reaches `reach` m
// around `center`.
typedef void (*triangle_sink)(void *context, const corner t[3]);

typedef struct tessellation {
    pose at;
    triangle_sink put;
    void *context;
} tessellation;

static corner corner_at(const tessellation *t, vec3 p, vec3 n) {
    return (corner){pose_apply(t->at, p), quat_rotate(t->at.q, n)};
}

static void put_quad(const tessellation *t, const vec3 p[4], const vec3 n[4]) {
    corner c[4];
    for (int i = 0; i < 4; i++)
        c[i] = corner_at(t, p[i], n[i]);
    t->put(t->context, (corner[3]){c[0], c[1], c[2]});
    t->put(t->context, (corner[3]){c[0], c[2], c[3]});
}

static void put_box(const tessellation *t, vec3 size) {
    const double h[3] = {size.x / 2, size.y / 2, size.z / 2};
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            int u = (axis + 1) % 3, w = (axis + 2) % 3;
            vec3 p[4], n[4];
            for (int k = 0; k < 4; k++) {
                double c[3], m[3] = {0};
                c[axis] = side * h[axis];
                c[u] = (k == 1 || k == 2 ? h[u] : -h[u]) * side;
                c[w] = k >= 2 ? h[w] : -h[w];
                m[axis] = side;
                p[k] = v3(c[0], c[1], c[2]);
                n[k] = v3(m[0], m[1], m[2]);
            }
            put_quad(t, p, n);
        }
}

// Adds a surface of revolution about z between two circles, each given by radius, height and
// normal.
static void put_band(const tessellation *t, double r0, double z0, vec3 n0, double r1, double z1,
                     vec3 n1) {
    for (int i = 0; i < SEGMENTS; i++) {
        double a = 2 * PI * i / SEGMENTS, b = 2 * PI * (i + 1) / SEGMENTS;
        vec3 p[4] = {v3(r0 * cos(a), r0 * sin(a), z0), v3(r0 * cos(b), r0 * sin(b), z0),
                     v3(r1 * cos(b), r1 * sin(b), z1), v3(r1 * cos(a), r1 * sin(a), z1)};
        vec3 n[4] = {v3(n0.x * cos(a), n0.x * sin(a), n0.z), v3(n0.x * cos(b), n0.x * sin(b), n0.z),
                     v3(n1.x * cos(b), n1.x * sin(b), n1.z),
                     v3(n1.x * cos(a), n1.x * sin(a), n1.z)};
        put_quad(t, p, n);
    }
}

static void half_ball(const tessellation *t, double r, double z, int side) {
    for (int k = 0; k < RINGS; k++) {
        double a = PI / 2 * k / RINGS, b = PI / 2 * (k + 1) / RINGS;
        put_band(t, r * cos(a), z + side * r * sin(a), v3(cos(a), 0, side * sin(a)), r * cos(b),
                 z + side * r * sin(b), v3(cos(b), 0, side * sin(b)));
    }
}

typedef struct mesh_context {
    const tessellation *t;
} mesh_context;

static bool mesh_triangle(void *context, const vec3 p[3]) {
    const tessellation *t = ((const mesh_context *)context)->t;
    vec3 n = v3_unit(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
    t->put(t->context,
           (corner[3]){corner_at(t, p[0], n), corner_at(t, p[1], n), corner_at(t, p[2], n)});
    return true;
}

// Passes the surface of a shape to `put`, as triangles in the world. A plane reaches `reach` m
// around `center`.
static void shape_triangles(const shape *s, pose at, vec3 center, double reach, triangle_sink put,
                            void *context) {
    tessellation t = {at, put, context};
    double r = s->size.x, h = s->size.z / 2;
    vec3 out = v3(1, 0, 0), up = v3(0, 0, 1), under = v3(0, 0, -1);
    switch (s->kind) {
    case SHAPE_BOX:
        put_box(&t, s->size);
        break;
    case SHAPE_CYLINDER:
        put_band(&t, r, -h, out, r, h, out);
        put_band(&t, r, h, up, 0, h, up);
        put_band(&t, 0, -h, under, r, -h, under);
        break;
    case SHAPE_SPHERE:
        half_ball(&t, r, 0, 1);
        half_ball(&t, r, 0, -1);
        break;
    case SHAPE_CAPSULE:
        put_band(&t, r, -h, out, r, h, out);
        half_ball(&t, r, h, 1);
        half_ball(&t, r, -h, -1);
        break;
    case SHAPE_PLANE: {
        vec3 c = pose_apply(pose_inverse(at), center);
        vec3 p[4] = {v3(c.x - reach, c.y - reach, 0), v3(c.x + reach, c.y - reach, 0),
                     v3(c.x + reach, c.y + reach, 0), v3(c.x - reach, c.y + reach, 0)};
        put_quad(&t, p, (vec3[4]){up, up, up, up});
        break;
    }
    case SHAPE_MESH: {
        mesh_context m = {&t};
        vec3 half = v3_scale(s->size, 0.5);
        if (s->mesh)
            mesh_triangles(s->mesh, v3_scale(half, -1), half, mesh_triangle, &m);
        else
            put_box(&t, s->size); // the mesh file is missing
        break;
    }
    }
}

// ---- The viewer
viewer viewer_look(vec3 from, vec3 to, double fov, int width, int height) {
    viewer v = {.eye = from, .cx = width / 2.0, .cy = height / 2.0};
    v.forward = v3_unit(v3_sub(to, from));
    vec3 up = fabs(v.forward.z) > 0.999 ? v3(0, 1, 0) : v3(0, 0, 1);
    v.right = v3_unit(v3_cross(v.forward, up));
    v.down = v3_cross(v.forward, v.right);
    v.focal = height / 2.0 / tan(fov / 2);
    return v;
}

static vec3 viewer_local(const viewer *v, vec3 point) {
    vec3 d = v3_sub(point, v->eye);
    return v3(v3_dot(d, v->right), v3_dot(d, v->down), v3_dot(d, v->forward));
}

bool viewer_project(const viewer *v, vec3 point, double *x, double *y) {
    vec3 p = viewer_local(v, point);
    if (p.z < NEAREST)
        return false;
    *x = v->cx + v->focal * p.x / p.z;
    *y = v->cy + v->focal * p.y / p.z;
    return true;
}

// ---- Filling triangles
typedef struct vertex {
    double x, y, w; // screen, and 1 / distance (or, for the light, nearness)
    vec3 normal;    // divided by the distance, which makes it interpolate in perspective
} vertex;

static double edge_side(const vertex *a, const vertex *b, double x, double y) {
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

typedef void (*pixel_sink)(void *context, int x, int y, double w, vec3 normal);

static void fill_triangle(const vertex t[3], int width, int height, pixel_sink put, void *context) {
    double area = edge_side(&t[0], &t[1], t[2].x, t[2].y);
    if (!(fabs(area) > 1e-12))
        return;
    double low_x = fmin(t[0].x, fmin(t[1].x, t[2].x)), high_x = fmax(t[0].x, fmax(t[1].x, t[2].x));
    double low_y = fmin(t[0].y, fmin(t[1].y, t[2].y)), high_y = fmax(t[0].y, fmax(t[1].y, t[2].y));
    if (high_x < 0 || high_y < 0 || low_x > width || low_y > height)
        return;
    int x0 = (int)fmax(0, floor(low_x)), x1 = (int)fmin(width - 1, ceil(high_x));
    int y0 = (int)fmax(0, floor(low_y)), y1 = (int)fmin(height - 1, ceil(high_y));
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            double px = x + 0.5, py = y + 0.5;
            double a = edge_side(&t[1], &t[2], px, py) / area,
                   b = edge_side(&t[2], &t[0], px, py) / area;
            double c = 1 - a - b;
            if (a < 0 || b < 0 || c < 0)
                continue;
            vec3 n = v3_add(v3_add(v3_scale(t[0].normal, a), v3_scale(t[1].normal, b)),
                            v3_scale(t[2].normal, c));
            put(context, x, y, a * t[0].w + b * t[1].w + c * t[2].w, n);
        }
}

// ---- Shadows
typedef struct light {
    vec3 center, right, down, forward;
    double scale; // pixels per metre
    float *near;  // nearness to the light; -infinity: nothing is there
    float bias;
} light;

static void light_pixel(void *context, int x, int y, double w, vec3 normal) {
    (void)normal;
    float *near = &((light *)context)->near[(size_t)y * SHADOW_SIZE + (size_t)x];
    if ((float)w > *near)
        *near = (float)w;
}

static vertex light_vertex(const light *l, vec3 p) {
    vec3 d = v3_sub(p, l->center);
    return (vertex){.x = SHADOW_SIZE / 2.0 + l->scale * v3_dot(d, l->right),
                    .y = SHADOW_SIZE / 2.0 + l->scale * v3_dot(d, l->down),
                    .w = -v3_dot(d, l->forward)};
}

static void light_triangle(void *context, const corner c[3]) {
    light *l = context;
    vertex t[3];
    for (int i = 0; i < 3; i++)
        t[i] = light_vertex(l, c[i].at);
    fill_triangle(t, SHADOW_SIZE, SHADOW_SIZE, light_pixel, l);
}

// Returns the share of the light that reaches a point, averaged over neighbouring pixels of its
// map.
static double lit_share(const light *l, vec3 p) {
    vertex v = light_vertex(l, p);
    int reached = 0, all = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int x = (int)floor(v.x) + dx, y = (int)floor(v.y) + dy;
            all++;
            reached += x < 0 || y < 0 || x >= SHADOW_SIZE || y >= SHADOW_SIZE ||
                       l->near[(size_t)y * SHADOW_SIZE + (size_t)x] <= (float)v.w + l->bias;
        }
    return (double)reached / all;
}

// ---- The frame
typedef struct painting {
    const viewer *v;
    frame *f;
    const light *light;
    const picture_thing *thing;
    int32_t index;
    bool plane;
} painting;

static uint32_t color_channel(double c) {
    return (uint32_t)lrint(255 * fmin(1, fmax(0, c)));
}

static void shade_pixel(void *context, int x, int y, double w, vec3 normal) {
    painting *p = context;
    size_t i = (size_t)y * (size_t)p->f->width + (size_t)x;
    if ((float)w <= p->f->depth[i])
        return;
    const viewer *v = p->v;
    double z = 1 / w;
    vec3 along = v3_add(v3_add(v3_scale(v->right, (x + 0.5 - v->cx) / v->focal),
                               v3_scale(v->down, (y + 0.5 - v->cy) / v->focal)),
                        v->forward);
    vec3 at = v3_add(v->eye, v3_scale(along, z));
    vec3 n = v3_unit(normal);
    if (v3_dot(n, along) > 0)
        n = v3_scale(n, -1);
    double facing = fmax(0, v3_dot(n, LIGHT));
    double sun = facing > 0 ? facing * lit_share(p->light, v3_add(at, v3_scale(n, 0.004))) : 0;
    double k = 0.50 + 0.10 * n.z + 0.45 * sun;
    vec3 c = p->thing->rgb;
    if (p->plane) { // tiles of a metre show the scale
        double fx = at.x - floor(at.x), fy = at.y - floor(at.y);
        if (((int)(floor(at.x) + floor(at.y)) & 1) != 0)
            k *= 0.94;
        if (fmin(fmin(fx, 1 - fx), fmin(fy, 1 - fy)) < 0.006)
            k *= 0.85;
    }
    p->f->depth[i] = (float)w;
    p->f->thing[i] = p->index;
    p->f->pixels[i] = 0xff000000u | color_channel(c.x * k) << 16 | color_channel(c.y * k) << 8 |
                      color_channel(c.z * k);
}

static vertex view_vertex(const viewer *v, vec3 local, vec3 normal) {
    double w = 1 / local.z;
    return (vertex){v->cx + v->focal * local.x * w, v->cy + v->focal * local.y * w, w,
                    v3_scale(normal, w)};
}

static void view_triangle(void *context, const corner c[3]) {
    painting *p = context;
    vec3 in[3], out[4], out_n[4];
    int count = 0;
    for (int i = 0; i < 3; i++)
        in[i] = viewer_local(p->v, c[i].at);
    // The part behind the eye is cut off, which leaves at most four corners of a triangle.
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        bool here = in[i].z >= NEAREST, there = in[j].z >= NEAREST;
        if (here)
            out[count] = in[i], out_n[count++] = c[i].normal;
        if (here != there) {
            double f = (NEAREST - in[i].z) / (in[j].z - in[i].z);
            out[count] = v3_add(in[i], v3_scale(v3_sub(in[j], in[i]), f));
            out_n[count++] = v3_add(c[i].normal, v3_scale(v3_sub(c[j].normal, c[i].normal), f));
        }
    }
    for (int i = 2; i < count; i++) {
        vertex t[3] = {view_vertex(p->v, out[0], out_n[0]),
                       view_vertex(p->v, out[i - 1], out_n[i - 1]),
                       view_vertex(p->v, out[i], out_n[i])};
        fill_triangle(t, p->f->width, p->f->height, shade_pixel, p);
    }
}

// Darkens the pixels along which one thing ends before another.
static void draw_outlines(frame *f) {
    for (int y = 0; y + 1 < f->height; y++)
        for (int x = 0; x + 1 < f->width; x++) {
            size_t i = (size_t)y * (size_t)f->width + (size_t)x;
            size_t right = i + 1, below = i + (size_t)f->width;
            if (f->thing[i] == f->thing[right] && f->thing[i] == f->thing[below])
                continue;
            uint32_t c = f->pixels[i];
            f->pixels[i] = 0xff000000u | (c >> 1 & 0x7f7f7fu);
        }
}

void frame_draw(const picture_thing *things, size_t count, const bool *hidden, const viewer *v,
                vec3 low, vec3 high, int width, int height, frame *out) {
    frame f = {width, height, NULL, NULL, NULL};
    size_t pixels = (size_t)width * (size_t)height;
    f.depth = mem_must(pixels, sizeof *f.depth);
    f.thing = mem_must(pixels, sizeof *f.thing);
    f.pixels = mem_must(pixels, sizeof *f.pixels);
    light sun = {.center = v3_scale(v3_add(low, high), 0.5)};
    sun.near = mem_must((size_t)SHADOW_SIZE * SHADOW_SIZE, sizeof *sun.near);
    for (int y = 0; y < height; y++) { // a pale sky, darker towards the top
        double k = (double)y / height;
        uint32_t c = 0xff000000u | color_channel(0.80 + 0.14 * k) << 16 |
                     color_channel(0.85 + 0.11 * k) << 8 | color_channel(0.91 + 0.07 * k);
        for (int x = 0; x < width; x++) {
            f.pixels[(size_t)y * (size_t)width + (size_t)x] = c;
            f.thing[(size_t)y * (size_t)width + (size_t)x] = -1;
        }
    }
    double reach = v3_distance(low, high) / 2 + PLANE_REACH;
    sun.forward = v3_scale(v3_unit(LIGHT), -1);
    sun.right = v3_unit(v3_cross(sun.forward, v3(0, 0, 1)));
    sun.down = v3_cross(sun.forward, sun.right);
    sun.scale = SHADOW_SIZE / (2 * reach);
    sun.bias = (float)(2 / sun.scale + 1e-3);
    for (size_t i = 0; i < (size_t)SHADOW_SIZE * SHADOW_SIZE; i++)
        sun.near[i] = -INFINITY;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++) {
            if (things[i].ghost || hidden[i])
                continue;
            painting p = {v, &f, &sun, &things[i], (int32_t)i, false};
            for (size_t k = 0; k < things[i].shape_count; k++) {
                const shape *s = &things[i].shapes[k];
                pose at = pose_mul(things[i].at, s->at);
                p.plane = s->kind == SHAPE_PLANE;
                // Walls would darken half of the room, and a floor has nothing beneath it.
                if (pass == 0 && !things[i].building)
                    shape_triangles(s, at, sun.center, reach, light_triangle, &sun);
                else if (pass == 1)
                    shape_triangles(s, at, sun.center, reach, view_triangle, &p);
            }
        }
    draw_outlines(&f);
    free(sun.near);
    *out = f;
}

void frame_finish(frame *f) {
    free(f->depth);
    free(f->thing);
    free(f->pixels);
    *f = (frame){0};
}
