// report/chart/chart.c - draws quantities over time as SVG.
#include "report/chart/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { // pixels
    PLOT_WIDTH = 270,
    PLOT_HEIGHT = 110,
    LEFT = 52,
    TOP = 34,
    RIGHT = 10,
    BOTTOM = 24,
    CAPTION = 22,
    CELL_WIDTH = LEFT + PLOT_WIDTH + RIGHT,
    CELL_HEIGHT = TOP + PLOT_HEIGHT + BOTTOM
};
static const double ROOM = 0.05;  // of the range, above and below
static const int TICKS = 4;       // about so many for each axis
static const double FLAT = 1e-12; // of the greatest value: a smaller range is rounding alone

// What a line does within a column of pixels.
typedef struct column {
    double first, least, greatest, last;
    bool any;
} column;

typedef struct line {
    char name[32], colour[16];
    bool dashed;
    column at[PLOT_WIDTH];
} line;

typedef struct panel {
    char title[64], unit[16];
    line *lines[CHART_LINES_MAX];
    size_t line_count;
    bool shaded[PLOT_WIDTH];
} panel;

struct chart {
    panel *panels;
    size_t count, columns;
    double duration;
};

chart *chart_create(size_t panels, size_t columns, double duration) {
    ASSERT(panels > 0 && columns > 0 && duration > 0);
    chart *c = mem_must(1, sizeof *c);
    *c = (chart){mem_must(panels, sizeof(panel)), panels, columns, duration};
    return c;
}

void chart_destroy(chart *c) {
    if (!c)
        return;
    for (size_t p = 0; p < c->count; p++)
        for (size_t i = 0; i < c->panels[p].line_count; i++)
            free(c->panels[p].lines[i]);
    free(c->panels);
    free(c);
}

void chart_title(chart *c, size_t p, const char *title, const char *unit) {
    ASSERT(p < c->count);
    snprintf(c->panels[p].title, sizeof c->panels[p].title, "%s", title);
    snprintf(c->panels[p].unit, sizeof c->panels[p].unit, "%s", unit);
}

size_t chart_line(chart *c, size_t p, const char *name, const char *colour, bool dashed) {
    ASSERT(p < c->count && c->panels[p].line_count < CHART_LINES_MAX);
    line *l = mem_must(1, sizeof *l);
    snprintf(l->name, sizeof l->name, "%s", name);
    snprintf(l->colour, sizeof l->colour, "%s", colour);
    l->dashed = dashed;
    c->panels[p].lines[c->panels[p].line_count] = l;
    return c->panels[p].line_count++;
}

// The column of pixels of an instant; PLOT_WIDTH: it is outside.
static size_t column_of(const chart *c, double time) {
    if (!(time >= 0 && time <= c->duration))
        return PLOT_WIDTH;
    size_t at = (size_t)(time / c->duration * PLOT_WIDTH);
    return at < PLOT_WIDTH ? at : PLOT_WIDTH - 1;
}

void chart_put(chart *c, size_t p, size_t number, double time, double value) {
    ASSERT(p < c->count && number < c->panels[p].line_count);
    size_t k = column_of(c, time);
    if (k == PLOT_WIDTH || !isfinite(value))
        return;
    column *at = &c->panels[p].lines[number]->at[k];
    if (!at->any)
        *at = (column){value, value, value, value, true};
    at->least = fmin(at->least, value);
    at->greatest = fmax(at->greatest, value);
    at->last = value;
}

void chart_shade(chart *c, size_t p, double time) {
    ASSERT(p < c->count);
    size_t k = column_of(c, time);
    if (k < PLOT_WIDTH)
        c->panels[p].shaded[k] = true;
}

// The range of a panel's values, with some room around it.
static void range_of(const panel *p, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < p->line_count; i++)
        for (size_t k = 0; k < PLOT_WIDTH; k++)
            if (p->lines[i]->at[k].any) {
                *low = fmin(*low, p->lines[i]->at[k].least);
                *high = fmax(*high, p->lines[i]->at[k].greatest);
            }
    if (*low > *high) // no value at all
        *low = 0, *high = 1;
    double greatest = fmax(fabs(*low), fabs(*high)), width = *high - *low;
    if (!(width > FLAT * greatest))
        width = greatest > 0 ? greatest : 1;
    *low -= ROOM * width;
    *high += ROOM * width;
}

// A step of 1, 2 or 5 times a power of ten, of which about TICKS fit.
static double tick_step(double width) {
    double power = pow(10, floor(log10(width / TICKS))), share = width / TICKS / power;
    return (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10) * power;
}

typedef struct plot {
    const chart *c;
    double left, top, low, high; // pixels; values at the lower and upper edge
} plot;

static double y_of(const plot *at, double value) {
    return at->top + PLOT_HEIGHT * (at->high - value) / (at->high - at->low);
}

static void draw_shades(const plot *at, const panel *p, text_buffer *svg) {
    for (size_t k = 0; k < PLOT_WIDTH; k++) {
        size_t end = k;
        while (end < PLOT_WIDTH && p->shaded[end])
            end++;
        if (end == k)
            continue;
        text_add(svg,
                 "<rect x=\"%.0f\" y=\"%.0f\" width=\"%zu\" height=\"%d\" fill=\"#e4e4e4\"/>\n",
                 at->left + (double)k, at->top, end - k, PLOT_HEIGHT);
        k = end;
    }
}

static void draw_axes(const plot *at, const panel *p, text_buffer *svg) {
    double bottom = at->top + PLOT_HEIGHT;
    double step = tick_step(at->high - at->low);
    for (double k = ceil(at->low / step); k * step <= at->high; k++) {
        double y = y_of(at, k * step);
        text_add(svg,
                 "<path d=\"M%.0f %.1fh%d\" stroke=\"#ccc\"/><text x=\"%.0f\" y=\"%.1f\" "
                 "text-anchor=\"end\">%g</text>\n",
                 at->left, y, PLOT_WIDTH, at->left - 4, y + 3.5, k * step + 0.0); // no -0
    }
    step = tick_step(at->c->duration);
    for (double k = 0; k * step <= at->c->duration; k++)
        text_add(svg, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%g%s</text>\n",
                 at->left + PLOT_WIDTH * k * step / at->c->duration, bottom + 13, k * step,
                 k > 0 ? "" : " s");
    text_add(svg,
             "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"none\" "
             "stroke=\"#888\"/>\n<text x=\"%.0f\" y=\"%.0f\" font-weight=\"bold\">%s</text>"
             "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">%s</text>\n",
             at->left, at->top, PLOT_WIDTH, PLOT_HEIGHT, at->left, at->top - 18, p->title,
             at->left - 4, at->top - 6, p->unit);
}

static void draw_names(const plot *at, const panel *p, text_buffer *svg) {
    text_add(svg, "<text x=\"%.0f\" y=\"%.0f\">", at->left, at->top - 5);
    for (size_t i = 0; i < p->line_count; i++)
        text_add(svg, "<tspan fill=\"%s\">%s%s</tspan>", p->lines[i]->colour, i > 0 ? "  " : "",
                 p->lines[i]->name);
    text_put(svg, "</text>\n");
}

// The points of a line, in tenths of a pixel. A point between two others at its own height is left
// out.
typedef struct pen {
    text_buffer *svg;
    int x, y;          // drawn last
    int held_x;        // of a point at the same height that has not been drawn
    bool begun, holds; // there is one
} pen;

static void pen_draw(pen *d, int x, int y) {
    text_add(d->svg, "%s%d.%d %d.%d", d->begun ? "L" : "M", x / 10, x % 10, y / 10, y % 10);
    d->x = x;
    d->y = y;
    d->begun = true;
    d->holds = false;
}

static void pen_flush(pen *d) {
    if (d->holds)
        pen_draw(d, d->held_x, d->y);
}

static void pen_move(pen *d, double x, double y) {
    int px = (int)lround(10 * x), py = (int)lround(10 * y);
    if (d->begun && py == d->y) {
        d->held_x = px;
        d->holds = px != d->x;
        return;
    }
    pen_flush(d);
    pen_draw(d, px, py);
}

static void draw_line(const plot *at, const line *l, text_buffer *svg) {
    pen d = {.svg = svg};
    text_put(svg, "<path fill=\"none\" d=\"");
    for (size_t k = 0; k < PLOT_WIDTH; k++) {
        const column *c = &l->at[k];
        if (!c->any)
            continue;
        double x = at->left + (double)k + 0.5;
        pen_move(&d, x, y_of(at, c->first));
        // What lies beyond the ends by less than a pixel is seen in them.
        double pixel = (at->high - at->low) / PLOT_HEIGHT;
        if (c->greatest - fmax(c->first, c->last) > pixel)
            pen_move(&d, x, y_of(at, c->greatest));
        if (fmin(c->first, c->last) - c->least > pixel)
            pen_move(&d, x, y_of(at, c->least));
        if (fabs(c->last - c->first) > pixel)
            pen_move(&d, x, y_of(at, c->last));
    }
    pen_flush(&d);
    text_add(svg, "\" stroke=\"%s\"%s/>\n", l->colour,
             l->dashed ? " stroke-dasharray=\"4 3\"" : "");
}

static void draw_panel(const chart *c, size_t number, text_buffer *svg) {
    const panel *p = &c->panels[number];
    plot at = {.c = c,
               .left = (double)(number % c->columns * CELL_WIDTH + LEFT),
               .top = (double)(number / c->columns * CELL_HEIGHT + TOP)};
    range_of(p, &at.low, &at.high);
    draw_shades(&at, p, svg);
    draw_axes(&at, p, svg);
    for (size_t i = 0; i < p->line_count; i++)
        draw_line(&at, p->lines[i], svg);
    draw_names(&at, p, svg);
}

void chart_svg(const chart *c, const char *caption, text_buffer *svg) {
    size_t rows = (c->count + c->columns - 1) / c->columns;
    size_t width = c->columns * CELL_WIDTH, height = rows * CELL_HEIGHT + CAPTION;
    text_add(svg,
             CHART_BEGINS " width=\"%zu\" height=\"%zu\" viewBox=\"0 0 %zu %zu\" "
                          "font-family=\"sans-serif\" font-size=\"10\" fill=\"#222\">\n"
                          "<rect width=\"%zu\" height=\"%zu\" fill=\"#fff\"/>\n",
             width, height, width, height, width, height);
    for (size_t p = 0; p < c->count; p++)
        draw_panel(c, p, svg);
    text_add(svg, "<text x=\"%d\" y=\"%zu\">%s</text>\n</svg>\n", LEFT, height - 8, caption);
}
