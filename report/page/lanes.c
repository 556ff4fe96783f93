// report/page/lanes.c - the timeline of a page: the flaws, and for each body that they are about
// what was true of it beside what was believed.
#include <math.h>
#include <stdio.h>

#include "report/page/html_int.h"
#include "base/symtab.h"

enum { BODIES_MAX = 12, BARS_MAX = 400, SAMPLES = 240, FLAWS_MAX = 40, GUIDES_MAX = 8 };

// ---- Lanes
// Returns the x of an instant, as a percentage.
static double lane_x(const html_page *p, nanos t) {
    double end = seconds(p->d->end) > 0 ? seconds(p->d->end) : 1;
    return fmin(fmax(seconds(t) / end, 0), 1) * 100;
}

// Returns a place on the time axis, or a length along it, as text.
static const char *percent_text(html_page *p, double x) {
    return arena_format(p->arena, "%.3f", x);
}

static html_lane lane_begin(html_page *p, const char *label, const char *class, const char *title,
                            int height) {
    html_fill(p, HTML_LANE, "class", class, "title", title, "label", label, "height",
              arena_format(p->arena, "%d", height), NULL);
    lanes_guides(p);
    return (html_lane){p, height};
}

void lane_bar(html_lane *l, nanos start, nanos end, const char *class, const char *text) {
    html_page *p = l->page;
    double x = lane_x(p, start), width = fmax(lane_x(p, end) - x, 0.15);
    html_fill(p, HTML_BAR, "class", class, "x", percent_text(p, x), "width", percent_text(p, width),
              "height", arena_format(p->arena, "%d", l->height - 4), "text", text, NULL);
}

static void lane_mark(html_lane *l, nanos at, const char *class, const char *text) {
    html_page *p = l->page;
    html_fill(p, HTML_MARK, "class", class, "x", percent_text(p, lane_x(p, at)), "y",
              arena_format(p->arena, "%d", l->height / 2), "text", text, NULL);
}

static void lane_end(html_lane *l) {
    html_fill_rest(l->page, HTML_LANE, 1, NULL);
}

void lanes_guides(html_page *p) {
    int guides = 0;
    for (size_t i = 0; i < p->d->flaws.count && guides < GUIDES_MAX; i++) {
        const flaw *f = &p->d->flaws.items[i];
        if (!f->root)
            continue;
        html_fill(p, HTML_GUIDE, "x", percent_text(p, lane_x(p, f->start)), NULL);
        guides++;
    }
}

// Writes the axis with steps of 1, 2 or 5 times a power of ten, about eight of them.
void lanes_axis(html_page *p) {
    double end = seconds(p->d->end), step = end > 0 ? pow(10, floor(log10(end / 8))) : 1;
    step *= end / step > 40 ? 5 : end / step > 16 ? 2 : 1;
    html_fill(p, HTML_AXIS, NULL);
    for (int i = 0; i <= 40 && i * step <= end * 0.985; i++)
        html_fill(p, HTML_TICK, "class", i % 4 ? "tick-less" : "", "x",
                  percent_text(p, end > 0 ? i * step / end * 100 : 0), "dx", i ? "-4" : "0",
                  "seconds", arena_format(p->arena, "%g", i * step), NULL);
    html_fill_rest(p, HTML_AXIS, 1, NULL);
}

// ---- Truth and belief about a body
typedef struct lane_query {
    const char *label, *class, *title;
    const char *query; // %s stands for the body; columns: the text of the bar (or none), S, E
} lane_query;
static const lane_query truths[] = {
    {"stands on", "truth", "What bore it, in the world",
     "holds_w(supporting(X, %s), interval(S, E))."},
    {"believed on", "belief", "What the robot believed it to stand on",
     "holds_b(_, on(%s, X), interval(S, E))."},
    {"in the hand", "truth", "Which hand had it, in the world",
     "holds_w(object_in_hand(%s, X), interval(S, E))."},
    {"believed in hand", "belief", "Which hand the robot believed to have it",
     "holds_b(_, object_in_hand(%s, X), interval(S, E))."},
    {"could be seen", "truth", "When a camera could see it",
     "holds_w(object_visible(%s), interval(S, E))."},
    {"was perceived", "belief", "When it was among the percepts of the latest frame",
     "holds_b(_, object_visible(%s), interval(S, E))."},
};
static const lane_query events[] = {
    {"picked up", "truth", "", "occurs_w(pick_up(%s), T)."},
    {"put down", "truth", "", "occurs_w(put_down(%s), T)."},
    {"slips", "bad", "", "occurs_w(slip(%s, X), T)."},
    {"is dropped", "bad", "", "occurs_w(drop(%s, X), T)."},
    {"topples", "bad", "", "occurs_w(topple(%s), T)."},
    {"breaks", "bad", "", "occurs_w(break(%s), T)."},
};

static status answers_of(html_page *p, const char *format, const char *body, ask_rows *rows) {
    const char *percent = strstr(format, "%s");
    text_buffer query = {0};
    text_add(&query, "%.*s%s%s", (int)(percent - format), format, body, percent + 2);
    status st = ask_all(p->ask, p->arena, text_string(&query), rows, NULL);
    text_finish(&query);
    return st;
}

static nanos within_episode(const html_page *p, nanos t) {
    return t < 0 ? 0 : t > p->d->end ? p->d->end : t;
}

// Returns how many of the rows there is room for on the page.
static size_t bars_of(const html_page *p, const ask_rows *rows) {
    size_t n = ask_count(rows);
    if (p->out->count >= HTML_LANES_MAX)
        return 0;
    return n < BARS_MAX ? n : BARS_MAX;
}

static void put_intervals(html_page *p, const lane_query *q, const char *body) {
    ask_rows rows = {0};
    if (answers_of(p, q->query, body, &rows) == OK && bars_of(p, &rows) > 0 && rows.columns >= 2) {
        html_lane l = lane_begin(p, q->label, q->class, q->title, 18);
        for (size_t i = 0; i < bars_of(p, &rows); i++) {
            size_t c = rows.columns;
            nanos s = 0, e = 0;
            const char *what = q->label;
            for (size_t k = 0; k < c; k++) {
                const ask_value *v = ask_at(&rows, i, k);
                if (strcmp(rows.names[k], "S") == 0)
                    s = within_episode(p, v->time);
                else if (strcmp(rows.names[k], "E") == 0)
                    e = within_episode(p, v->time);
                else
                    what = arena_format(p->arena, "%s", term_text(p->arena, v->term));
            }
            lane_bar(&l, s, e, q->class,
                     arena_format(p->arena, "%s, %.2f to %.2f s", what, seconds(s), seconds(e)));
            // The name is written where it fits: a wide screen has room for about 110 letters.
            double room = lane_x(p, e) - lane_x(p, s);
            if (c > 2 && room > 0.95 * (double)strlen(what))
                html_fill(p, HTML_BAR_TEXT, "x", percent_text(p, lane_x(p, s)), "text", what, NULL);
        }
        lane_end(&l);
    }
    array_finish(&rows.values);
}

static void put_events(html_page *p, const char *body) {
    html_lane l = {0};
    for (size_t q = 0; q < sizeof events / sizeof *events; q++) {
        ask_rows rows = {0};
        if (answers_of(p, events[q].query, body, &rows) == OK && rows.columns > 0)
            for (size_t i = 0; i < bars_of(p, &rows); i++) {
                const ask_value *v = ask_at(&rows, i, rows.columns - 1);
                for (size_t k = 0; k < rows.columns; k++)
                    if (strcmp(rows.names[k], "T") == 0)
                        v = ask_at(&rows, i, k);
                if (!l.page)
                    l = lane_begin(p, "events", "truth", "What happened to it", 18);
                lane_mark(&l, within_episode(p, v->time), events[q].class,
                          arena_format(p->arena, "%s, %.2f s", events[q].label, seconds(v->time)));
            }
        array_finish(&rows.values);
    }
    if (l.page)
        lane_end(&l);
}

// Writes a curve of the distance between belief and truth.
static void put_error(html_page *p, const char *query, const char *label) {
    ask_rows rows = {0};
    double most = 0.001; // m: the least distance that fills the height of the curve
    status st = ask_all(p->ask, p->arena, query, &rows, NULL);
    size_t n = st == OK ? ask_count(&rows) : 0;
    for (size_t i = 0; i < n; i++) {
        double d = 0;
        term_number(ask_at(&rows, i, 1)->term, &d);
        most = fmax(most, d);
    }
    if (n > 1) {
        html_lane l = lane_begin(
            p, arena_format(p->arena, "%s, up to %.0f mm", label, 1000 * most), "belief",
            arena_format(
                p->arena,
                "Distance between where it was and where the robot believed it; at most %.0f mm",
                1000 * most),
            44);
        html_fill(p, HTML_CURVE, NULL);
        int64_t last = -2;
        for (size_t i = 0; i < n; i++) {
            double d = 0, k = 0;
            term_number(ask_at(&rows, i, 0)->term, &k);
            term_number(ask_at(&rows, i, 1)->term, &d);
            text_add(p->out, "%c%.1f %.1f", (int64_t)k == last + 1 ? 'L' : 'M', k / SAMPLES * 1000,
                     100 - 100 * d / most);
            last = (int64_t)k;
        }
        html_fill_rest(p, HTML_CURVE, 1, NULL);
        lane_end(&l);
    }
    array_finish(&rows.values);
}

static void put_body_error(html_page *p, const char *body) {
    const char *query =
        // Of several names for one body the nearest counts.
        arena_format(p->arena,
                     "between(0, %d, K), _T = K * %.9f, D = min { E : denotes(A, N, %s, at(_T)),"
                     " value(belief_error(A, N, %s), _T, E) }.",
                     SAMPLES, seconds(p->d->end) / SAMPLES, body, body);
    put_error(p, query, "belief off");
}

static void put_body(html_page *p, const char *name) {
    const char *body = term_text(p->arena, term_symbol(p->arena, name));
    html_fill(p, HTML_GROUP, "name", name, NULL);
    put_events(p, body);
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        put_intervals(p, &truths[i], body);
    put_body_error(p, body);
}

// ---- Flaws, and the bodies that they are about
static void put_flaw(html_page *p, const flaw *f) {
    const char *class = f->root ? "root" : f->recovered ? "fixed" : "follows";
    text_buffer words = {0};
    words_sentence(p->d, f, &words);
    text_put(&words, ", ");
    words_time(f, &words);
    html_lane l = lane_begin(p, arena_format(p->arena, "%lld %s", (long long)f->id, f->name),
                             f->root ? "bad" : "", text_string(&words), 18);
    html_fill(p, HTML_FLAW_BAR, "id", arena_format(p->arena, "%lld", (long long)f->id), NULL);
    lane_bar(&l, f->start, within_episode(p, f->end), arena_format(p->arena, "flaw %s", class),
             text_string(&words));
    html_fill_rest(p, HTML_FLAW_BAR, 1, NULL);
    lane_end(&l);
    text_finish(&words);
}

static void put_flaws(html_page *p) {
    for (size_t i = 0; i < p->d->flaws.count && i < FLAWS_MAX; i++)
        put_flaw(p, &p->d->flaws.items[i]);
}

// Writes the lanes of the bodies that flaws are about, in the order of the story, and then of those
// that were taken in hand.
static void put_bodies(html_page *p) {
    symtab *seen = symtab_create();
    ask_rows rows = {0};
    for (size_t i = 0; i < p->d->flaws.count; i++)
        for (size_t k = 0; k < p->d->flaws.items[i].body_count; k++) {
            const char *name = p->d->flaws.items[i].bodies[k];
            if (symtab_find(p->movable, name, strlen(name)) >= 0)
                symtab_add(seen, name, strlen(name));
        }
    if (ask_all(p->ask, p->arena, "free_body(O), holds_w(object_in_hand(O), interval(_, _)).",
                &rows, NULL) == OK) {
        for (size_t i = 0; i < ask_count(&rows); i++) {
            const char *name = ask_at(&rows, i, 0)->term->text;
            symtab_add(seen, name, strlen(name));
        }
        array_finish(&rows.values);
    }
    size_t count = symtab_count(seen);
    for (uint32_t i = 0; i < count && i < BODIES_MAX; i++)
        put_body(p, symtab_name(seen, i));
    if (count > BODIES_MAX)
        html_fill(p, HTML_GROUP, "name",
                  arena_format(p->arena, "%zu more things that were carried are left out",
                               count - BODIES_MAX),
                  NULL);
    symtab_destroy(seen);
}

static void put_robots(html_page *p) {
    ask_rows rows = {0};
    if (ask_all(p->ask, p->arena, "robot_base(A, B).", &rows, NULL) != OK)
        return;
    for (size_t i = 0; i < ask_count(&rows) && i < BODIES_MAX; i++) {
        const char *name = ask_at(&rows, i, 0)->term->text;
        const char *agent = term_text(p->arena, ask_at(&rows, i, 0)->term),
                   *base = term_text(p->arena, ask_at(&rows, i, 1)->term);
        html_fill(p, HTML_GROUP, "name", name, NULL);
        put_error(p,
                  arena_format(
                      p->arena,
                      "between(0, %d, K), _T = K * %.9f, pose(%s, _T, _P), planar(_P, _X, _Y, _A),"
                      " believed_pose(%s, %s, _T, _Q), planar(_Q, _X2, _Y2, _A2),"
                      " pose_distance(pose2(_X, _Y, _A), pose2(_X2, _Y2, _A2), D).",
                      SAMPLES, seconds(p->d->end) / SAMPLES, base, agent, agent),
                  "belief off");
    }
    array_finish(&rows.values);
}

void lanes_put(html_page *p) {
    html_fill(p, HTML_TIMELINE, NULL);
    lanes_axis(p);
    put_flaws(p);
    put_bodies(p);
    put_robots(p);
    html_fill_rest(p, HTML_TIMELINE, 1, NULL);
}
