// report/chart/chart.h - quantities over time as an SVG picture: panels in a grid, lines in each.
//
// A panel keeps of each line its first, least, greatest and last value within each column of
// pixels, so that hours of steps cost what a few seconds do, and no peak is lost.
//
// Owns:      its panels. Names and titles are copied.
// Invariant: times lie in [0, duration]; what lies outside is left out, as are values that are no
//            numbers. Texts have no characters that XML gives a meaning to.
#ifndef FORESEE_REPORT_CHART_H
#define FORESEE_REPORT_CHART_H

#include "base/mem.h"
#include "base/text/text.h"

#define CHART_BEGINS "<svg xmlns=\"http://www.w3.org/2000/svg\"" // by which a file is known

typedef struct chart chart;

// Makes a chart of `panels` panels, `columns` beside one another, from the upper left on.
// `duration` in seconds, above 0.
chart *chart_create(size_t panels, size_t columns, double duration);
void chart_destroy(chart *c); // NULL is a no-op
// What stands over a panel and beside its axis.
void chart_title(chart *c, size_t panel, const char *title, const char *unit);
// Adds a line to a panel and gives its number. `colour` is one of SVG. At most CHART_LINES_MAX.
enum { CHART_LINES_MAX = 8 };
size_t chart_line(chart *c, size_t panel, const char *name, const char *colour, bool dashed);
// The next value of a line; times never go back.
void chart_put(chart *c, size_t panel, size_t line, double time, double value);
// Shades the panel at that time.
void chart_shade(chart *c, size_t panel, double time);
// Appends the picture. `caption` stands below it.
void chart_svg(const chart *c, const char *caption, text_buffer *svg);

#endif
