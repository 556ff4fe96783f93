// report/picture/picture.c - draws a picture: chooses the viewpoint, renders, and adds ghosts and
// labels.
#include "report/picture/picture.h"

#include <cairo/cairo.h>
#include <stdio.h>
#include <string.h>

#include "report/picture/render.h"

static const double TALL = 1.6, THIN = 0.45; // m: a wall is taller and thinner
static const double NEAR = 0.03;             // m: what is as near as that is carried or held
static const double MARGIN = 1.06;           // room left around the scene; 1 leaves none
enum { FINER = 2 }; // pixels that are rendered for each pixel of the picture, in each direction
enum {              // pixels
    LABEL_HEIGHT = 15,
    LABEL_PAD = 3,   // between the name and the label's sides
    LABEL_LIFT = 19, // from the point that is named up to the label's top
    CAPTION_HEIGHT = 26,
    LABEL_STEP = 4, // by which a label is moved up where another one is
    KEY_LINE = 20   // of the legend
};

picture_options picture_options_default(void) {
    return (picture_options){
        .width = 1200, .height = 800, .fov = 40 * PI / 180, .around = {0.5, 0.5, 0.35}};
}

// ---- The viewpoint
static bool thing_bounds(const picture_thing *t, vec3 *low, vec3 *high) {
    return shapes_bounds(t->shapes, t->shape_count, t->at, low, high);
}

static void include_bounds(vec3 *low, vec3 *high, vec3 l, vec3 h) {
    *low = v3_min(*low, l);
    *high = v3_max(*high, h);
}

// What a picture is about, from the least on: in a room of ten metres a cup is a few pixels wide,
// so that a picture shows what can be moved, what carries it, the robot, and what is near them.
typedef enum picture_subject {
    SUBJECT_MOVABLE,
    SUBJECT_FURNITURE, // all but the building
    SUBJECT_ALL
} picture_subject;

static bool belongs_to(const picture_thing *t, picture_subject subject) {
    return subject == SUBJECT_ALL || (!t->building && (subject == SUBJECT_FURNITURE || !t->fixed));
}

// Returns whether a piece of furniture carries or holds one of the things that can be moved.
static bool is_beneath(const picture_thing *things, size_t count, size_t furniture) {
    vec3 low, high;
    if (things[furniture].building || !thing_bounds(&things[furniture], &low, &high))
        return false;
    for (size_t i = 0; i < count; i++) {
        vec3 l, h;
        if (belongs_to(&things[i], SUBJECT_MOVABLE) && !things[i].whole &&
            thing_bounds(&things[i], &l, &h) && l.x < high.x + NEAR && h.x > low.x - NEAR &&
            l.y < high.y + NEAR && h.y > low.y - NEAR && l.z < high.z + NEAR && h.z > low.z - NEAR)
            return true;
    }
    return false;
}

// Finds the bounds of what the picture is about.
static bool subject_bounds(const picture_thing *things, size_t count, picture_subject subject,
                           vec3 *low, vec3 *high) {
    bool any = false, alone = true; // no body but the robot
    for (size_t i = 0; i < count; i++) {
        vec3 l, h;
        if (!(belongs_to(&things[i], subject) ||
              (subject == SUBJECT_MOVABLE && is_beneath(things, count, i))) ||
            !thing_bounds(&things[i], &l, &h))
            continue;
        alone = alone && (things[i].whole || things[i].fixed);
        if (any)
            include_bounds(low, high, l, h);
        else
            *low = l, *high = h, any = true;
    }
    return any && (subject != SUBJECT_MOVABLE || !alone);
}

bool picture_bounds(const picture_thing *things, size_t count, bool whole, vec3 *low, vec3 *high) {
    for (picture_subject s = whole ? SUBJECT_FURNITURE : SUBJECT_MOVABLE; s <= SUBJECT_ALL; s++)
        if (subject_bounds(things, count, s, low, high))
            return true;
    return false;
}

// Chooses a viewpoint to the south-west and above, or straight above, as near as all corners of the
// bounds allow.
static vec3 choose_eye(vec3 low, vec3 high, vec3 to, const picture_options *o) {
    vec3 back = v3_unit(o->top ? v3(0, -1e-4, 1) : v3(-0.45, -0.85, 0.85));
    for (double away = 0.5; away < 1e5; away *= 1.03) {
        vec3 eye = v3_add(to, v3_scale(back, away));
        viewer v = viewer_look(eye, to, o->fov, o->width, o->height);
        bool all = true;
        for (int k = 0; k < 8 && all; k++) {
            vec3 end = v3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z);
            double x, y;
            all = viewer_project(&v, end, &x, &y) && fabs(x - v.cx) * MARGIN < o->width / 2.0 &&
                  fabs(y - v.cy) * MARGIN < o->height / 2.0;
        }
        if (all)
            return eye;
    }
    return v3_add(to, v3_scale(back, 1e5));
}

// Returns whether the thing is a wall between the viewer and the middle of the picture, or a
// ceiling.
static bool cuts_off(const picture_thing *t, vec3 eye, vec3 to) {
    vec3 low, high;
    if (!t->building || !thing_bounds(t, &low, &high))
        return false;
    vec3 size = v3_sub(high, low), at = v3_scale(v3_add(low, high), 0.5);
    if (low.z > fmax(to.z, 1.8)) // a ceiling
        return eye.z > at.z;
    if (size.z < TALL || fmin(size.x, size.y) > THIN)
        return false;
    bool along_x = size.x < size.y;
    double e = along_x ? eye.x - at.x : eye.y - at.y, m = along_x ? to.x - at.x : to.y - at.y;
    return e * m < 0;
}

// ---- Drawing over the frame
typedef struct label {
    size_t thing;
    double x, y; // of the thing that it names
    double left, top, width, height;
} label;

static bool labels_meet(const label *a, const label *b) {
    return a->left < b->left + b->width && b->left < a->left + a->width &&
           a->top < b->top + b->height && b->top < a->top + a->height;
}

static void draw_label(cairo_t *c, const picture_thing *t, const label *l) {
    double base = l->top + l->height;
    if (l->y - base > 14) { // far from the thing that it names: a line leads there
        cairo_set_source_rgba(c, 0, 0, 0, 0.45);
        cairo_move_to(c, l->x, base);
        cairo_line_to(c, l->x, l->y);
        cairo_stroke(c);
    }
    cairo_rectangle(c, l->left, l->top, l->width, l->height);
    if (t->ghost)
        cairo_set_source_rgba(c, 0.98, 0.90, 1.0, 0.85);
    else
        cairo_set_source_rgba(c, 1, 1, 1, 0.82);
    cairo_fill(c);
    cairo_set_source_rgb(c, t->ghost ? 0.55 : 0.1, 0.0, t->ghost ? 0.6 : 0.1);
    cairo_move_to(c, l->left + LABEL_PAD, l->top + l->height - 4);
    cairo_show_text(c, t->name);
}

typedef struct seen {
    size_t pixels; // how many pixels of the frame show it
    double x, top; // where its label belongs, in pixels of the picture
} seen;

static const double LARGE = 0.008; // share of the picture from which on a thing counts as large

// Measures how much of each thing is visible, and where its label belongs: above the thing, or over
// the middle of one that is large.
static void measure_seen(const frame *f, size_t count, seen *out) {
    double *sum = mem_must(count + 1, sizeof *sum);
    for (size_t i = 0; i < count; i++)
        out[i] = (seen){0, 0, INFINITY};
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            int32_t i = f->thing[(size_t)y * (size_t)f->width + (size_t)x];
            if (i < 0)
                continue;
            out[i].pixels++;
            out[i].x += (x + 0.5) / FINER;
            out[i].top = fmin(out[i].top, (double)y / FINER);
            sum[i] += (y + 0.5) / FINER;
        }
    for (size_t i = 0; i < count; i++) {
        double n = (double)out[i].pixels;
        if (n > 0)
            out[i].x /= n;
        if (n > LARGE * f->width * f->height)
            out[i].top = sum[i] / n + LABEL_LIFT - LABEL_HEIGHT / 2;
    }
    free(sum);
}

// Draws a believed thing as the dashed box around its shapes. False: it is outside the picture.
static bool draw_ghost(cairo_t *c, const picture_thing *t, const viewer *v,
                       const picture_options *o, seen *out) {
    vec3 low, high;
    if (!shapes_bounds(t->shapes, t->shape_count, POSE_IDENTITY, &low, &high))
        return false;
    double x[8], y[8];
    *out = (seen){1, 0, INFINITY};
    for (int k = 0; k < 8; k++) {
        vec3 p = v3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z);
        if (!viewer_project(v, pose_apply(t->at, p), &x[k], &y[k]))
            return false;
        out->x += x[k] / 8;
        out->top = fmin(out->top, y[k]);
    }
    if (out->x < 0 || out->x > o->width || out->top < 0 || out->top > o->height)
        return false;
    const double dashes[2] = {5, 3};
    cairo_set_dash(c, dashes, 2, 0);
    cairo_set_source_rgb(c, 0.75, 0.0, 0.75);
    cairo_set_line_width(c, 1.4);
    for (int k = 0; k < 8; k++)
        for (int bit = 1; bit < 8; bit <<= 1)
            if (!(k & bit)) {
                cairo_move_to(c, x[k], y[k]);
                cairo_line_to(c, x[k | bit], y[k | bit]);
            }
    cairo_stroke(c);
    cairo_set_dash(c, NULL, 0, 0);
    return true;
}

typedef struct size_order {
    size_t thing, pixels;
} size_order;

static int smaller_first(const void *a, const void *b) {
    const size_order *x = a, *y = b;
    if (x->pixels != y->pixels)
        return x->pixels < y->pixels ? -1 : 1;
    return x->thing < y->thing ? -1 : 1;
}

// Moves a label up until it meets no other, or down, where the picture ends above. False: there is
// no place for it.
static bool find_place(label *l, const label *placed, size_t count, int height) {
    double first = fmin(fmax(0, l->y - LABEL_LIFT), height - LABEL_HEIGHT);
    for (int way = -1; way <= 1; way += 2)
        for (l->top = first; l->top >= 0 && l->top + l->height <= height;
             l->top += way * LABEL_STEP) {
            bool free_place = true;
            for (size_t k = 0; k < count && free_place; k++)
                free_place = !labels_meet(l, &placed[k]);
            if (free_place)
                return true;
        }
    return false;
}

// Draws the labels; small things choose their places first, since their labels must be near.
static void draw_labels(cairo_t *c, const picture_thing *things, size_t count, const seen *view,
                        const picture_options *o) {
    ARRAY(label) placed = {0};
    ARRAY(size_order) order = {0};
    for (size_t i = 0; i < count; i++)
        if (things[i].name && !things[i].building && view[i].pixels > 0)
            array_push(&order, ((size_order){i, view[i].pixels}));
    if (order.count > 1)
        qsort(order.items, order.count, sizeof *order.items, smaller_first);
    cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(c, 12);
    cairo_set_line_width(c, 1);
    for (size_t n = 0; n < order.count; n++) {
        size_t i = order.items[n].thing;
        cairo_text_extents_t text;
        cairo_text_extents(c, things[i].name, &text);
        label l = {i, view[i].x, view[i].top, 0, 0, text.x_advance + 2 * LABEL_PAD, LABEL_HEIGHT};
        l.left = fmin(fmax(l.x - l.width / 2, 0), o->width - l.width);
        if (find_place(&l, placed.items, placed.count,
                       o->height - (o->caption ? CAPTION_HEIGHT : 0)))
            array_push(&placed, l);
    }
    for (size_t k = 0; k < placed.count; k++)
        draw_label(c, &things[placed.items[k].thing], &placed.items[k]);
    array_finish(&placed);
    array_finish(&order);
}

static void draw_caption(cairo_t *c, const picture_options *o) {
    if (!o->caption)
        return;
    cairo_set_font_size(c, 14);
    cairo_text_extents_t text;
    cairo_text_extents(c, o->caption, &text);
    cairo_rectangle(c, 0, o->height - CAPTION_HEIGHT, text.x_advance + 20, CAPTION_HEIGHT);
    cairo_set_source_rgba(c, 0, 0, 0, 0.6);
    cairo_fill(c);
    cairo_set_source_rgb(c, 1, 1, 1);
    cairo_move_to(c, 10, o->height - 8);
    cairo_show_text(c, o->caption);
}

// Draws what the colours stand for, in the upper right corner.
static void draw_key(cairo_t *c, const picture_options *o) {
    double width = 0, square = KEY_LINE - 6;
    cairo_set_font_size(c, 13);
    for (size_t i = 0; i < o->key_count; i++) {
        cairo_text_extents_t text;
        cairo_text_extents(c, o->key[i].name, &text);
        width = fmax(width, text.x_advance + KEY_LINE + 12);
    }
    double left = o->width - width;
    cairo_rectangle(c, left, 0, width, KEY_LINE * (double)o->key_count + 6);
    cairo_set_source_rgba(c, 1, 1, 1, 0.88);
    cairo_fill(c);
    for (size_t i = 0; i < o->key_count; i++) {
        double top = 3 + KEY_LINE * (double)i;
        vec3 rgb = o->key[i].rgb;
        cairo_rectangle(c, left + 6, top + 3, square, square);
        cairo_set_source_rgb(c, rgb.x, rgb.y, rgb.z);
        cairo_fill(c);
        cairo_set_source_rgb(c, 0.1, 0.1, 0.1);
        cairo_move_to(c, left + KEY_LINE + 6, top + KEY_LINE - 5);
        cairo_show_text(c, o->key[i].name);
    }
}

static cairo_status_t take_bytes(void *context, const unsigned char *bytes, unsigned int length) {
    text_buffer *png = context;
    if (!array_reserve_try(png, png->count + length))
        return CAIRO_STATUS_NO_MEMORY;
    memcpy(png->items + png->count, bytes, length);
    png->count += length;
    return CAIRO_STATUS_SUCCESS;
}

static status encode_png(cairo_surface_t *surface, text_buffer *png, error *err) {
    cairo_status_t written = cairo_surface_write_to_png_stream(surface, take_bytes, png);
    if (written == CAIRO_STATUS_SUCCESS)
        return OK;
    return error_set(err, written == CAIRO_STATUS_NO_MEMORY ? E_MEMORY : E_IO,
                     "the picture cannot be made: %s", cairo_status_to_string(written));
}

typedef struct png_reader {
    const text_buffer *from;
    size_t at;
} png_reader;

static cairo_status_t give_bytes(void *context, unsigned char *bytes, unsigned int length) {
    png_reader *r = context;
    if (r->from->count - r->at < length)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(bytes, r->from->items + r->at, length);
    r->at += length;
    return CAIRO_STATUS_SUCCESS;
}

status picture_join(const text_buffer *parts, size_t count, text_buffer *png, error *err) {
    int columns = 1, rows = 1, width = 0, height = 0;
    while ((size_t)(columns * columns) < count)
        columns++;
    rows = (int)((count + (size_t)columns - 1) / (size_t)columns);
    cairo_surface_t *all = NULL;
    cairo_t *c = NULL;
    cairo_status_t drawing = CAIRO_STATUS_SUCCESS;
    for (size_t i = 0; i < count && drawing == CAIRO_STATUS_SUCCESS; i++) {
        png_reader r = {&parts[i], 0};
        cairo_surface_t *one = cairo_image_surface_create_from_png_stream(give_bytes, &r);
        drawing = cairo_surface_status(one);
        if (i == 0 && drawing == CAIRO_STATUS_SUCCESS) {
            width = cairo_image_surface_get_width(one);
            height = cairo_image_surface_get_height(one);
            all = cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns * width, rows * height);
            c = cairo_create(all);
            cairo_set_source_rgb(c, 1, 1, 1);
            cairo_paint(c);
        }
        if (drawing == CAIRO_STATUS_SUCCESS) {
            cairo_set_source_surface(c, one, (int)i % columns * width, (int)i / columns * height);
            cairo_paint(c);
            drawing = cairo_status(c);
        }
        cairo_surface_destroy(one);
    }
    status st =
        drawing == CAIRO_STATUS_SUCCESS
            ? encode_png(all, png, err)
            : error_set(err, drawing == CAIRO_STATUS_NO_MEMORY ? E_MEMORY : E_IO,
                        "the pictures cannot be joined: %s", cairo_status_to_string(drawing));
    if (c)
        cairo_destroy(c);
    if (all)
        cairo_surface_destroy(all);
    return st;
}

status picture_draw(const picture_thing *things, size_t count, const picture_options *options,
                    text_buffer *png, error *err) {
    picture_options o = options ? *options : picture_options_default();
    vec3 low, high;
    if (!picture_bounds(things, count, o.whole, &low, &high))
        return error_set(err, E_INPUT, "there is nothing to draw");
    vec3 to = o.has_to ? o.to : v3_scale(v3_add(low, high), 0.5);
    vec3 eye = o.from;
    if (!o.has_from) {
        vec3 l = low, h = high;
        if (o.has_to) {
            l = v3_sub(to, o.around);
            h = v3_add(to, o.around);
        }
        eye = choose_eye(l, h, to, &o);
    }
    if (v3_distance(eye, to) < 1e-3)
        return error_set(err, E_INPUT, "the viewer stands where it looks at; move one of them");
    bool *hidden = mem_must(count + 1, sizeof *hidden);
    seen *view = mem_must(count + 1, sizeof *view);
    for (size_t i = 0; i < count; i++)
        hidden[i] = cuts_off(&things[i], eye, to);
    viewer fine = viewer_look(eye, to, o.fov, FINER * o.width, FINER * o.height);
    viewer v = viewer_look(eye, to, o.fov, o.width, o.height);
    frame f;
    frame_draw(things, count, hidden, &fine, low, high, FINER * o.width, FINER * o.height, &f);
    measure_seen(&f, count, view);

    cairo_surface_t *drawn = cairo_image_surface_create_for_data(
        (unsigned char *)f.pixels, CAIRO_FORMAT_RGB24, f.width, f.height, 4 * f.width);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, o.width, o.height);
    cairo_t *c = cairo_create(surface);
    cairo_save(c);
    cairo_scale(c, 1.0 / FINER, 1.0 / FINER);
    cairo_set_source_surface(c, drawn, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(c), CAIRO_FILTER_GOOD);
    cairo_paint(c);
    cairo_restore(c);
    for (size_t i = 0; i < count; i++)
        if (things[i].ghost && !draw_ghost(c, &things[i], &v, &o, &view[i]))
            view[i].pixels = 0;
    draw_labels(c, things, count, view, &o);
    draw_caption(c, &o);
    if (o.key_count > 0)
        draw_key(c, &o);
    // A picture that could not be drawn completely is not written.
    cairo_status_t drawing = cairo_status(c);
    status st = drawing == CAIRO_STATUS_SUCCESS
                    ? encode_png(surface, png, err)
                    : error_set(err, drawing == CAIRO_STATUS_NO_MEMORY ? E_MEMORY : E_IO,
                                "the picture cannot be drawn: %s", cairo_status_to_string(drawing));
    cairo_destroy(c);
    cairo_surface_destroy(surface);
    cairo_surface_destroy(drawn);
    frame_finish(&f);
    free(hidden);
    free(view);
    return st;
}
