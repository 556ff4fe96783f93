// cli/commands/couple.c - foresee couple: which coupling of a hand to a distant robot bears its
// link.
#include <math.h>
#include <string.h>

#include "base/files/output.h"
#include "base/text/json.h"
#include "cli/commands/commands.h"
#include "cli/commands/wire.h"
#include "projector/couple/couple.h"
#include "report/chart/chart.h"

enum { FORMAT_TEXT, FORMAT_JSON };
#define TRACE_EVERY 5  // steps
#define TRACE_KNOWN 38 // bytes of the header by which a trace is known, up to the hand
#define TRACE_HEADER                                                                               \
    "coupling,round_trip_s,time_s,hand_m,leader_m,leader_m_s,reference_m,follower_m,twin_m,"       \
    "felt_n,remote_n,observed_n,energy_j,model_at_m,direct_n\n"

#define PICTURE_CAPTION                                                                            \
    "Forces above and places below, over time. Grey: the follower touches the wall."
#define ESTIMATES_HEADER                                                                           \
    "The wall's force as estimated at the follower, wrong by (root mean square, N)\n"              \
    "                      in free motion                at the wall, at rest\n"                   \
    "coupling  round trip      observer        direct      observer        direct\n"

// What is watched of the trials: their steps as text, and as a chart with two panels for each,
// which stand below one another; a row of trials is a round trip.
typedef struct trial_watch {
    bool traces;
    text_buffer text;
    chart *drawn;          // NULL: no picture is asked for
    size_t forces, places; // panels of this trial
    const rig *r;
    coupling_kind kind;
    double round_trip;
    uint64_t steps;
} trial_watch;

// What the panels show. A line that is no quantity of a coupling or a rig is not drawn.
typedef struct chart_quantity {
    const char *name, *colour;
    bool dashed, place, twin, wall; // `place`: in m, otherwise in N; only with a twin; with a wall
} chart_quantity;
static const chart_quantity QUANTITIES[] = {
    {"remote", "#222", false, false, false, false},
    {"observed", "#2a9d4a", false, false, false, false},
    {"felt", "#d1495b", false, false, false, false},
    {"wall", "#888", true, true, false, true},
    {"model", "#e08a1e", true, true, true, false},
    {"hand", "#8e6bbf", true, true, false, false},
    {"follower", "#222", false, true, false, false},
    {"twin", "#e08a1e", false, true, true, false},
    {"leader", "#d1495b", false, true, false, false},
};
enum { QUANTITY_COUNT = sizeof QUANTITIES / sizeof *QUANTITIES };

static bool quantity_shown(const trial_watch *w, const chart_quantity *q) {
    return (!q->twin || w->kind == COUPLING_mmt) && (!q->wall || w->r->wall);
}

static void watch_begin(trial_watch *w, coupling_kind kind, size_t kind_number,
                        size_t trip_number) {
    w->kind = kind;
    w->round_trip = w->r->round_trips.items[trip_number];
    w->steps = 0;
    if (!w->drawn)
        return;
    w->forces = 2 * trip_number * w->r->kinds.count + kind_number;
    w->places = w->forces + w->r->kinds.count;
    char title[64];
    snprintf(title, sizeof title, "%s, %.0f ms", coupling_name(kind), 1000 * w->round_trip);
    chart_title(w->drawn, w->forces, title, "N");
    chart_title(w->drawn, w->places, title, "m");
    for (int i = 0; i < QUANTITY_COUNT; i++)
        if (quantity_shown(w, &QUANTITIES[i]))
            chart_line(w->drawn, QUANTITIES[i].place ? w->places : w->forces, QUANTITIES[i].name,
                       QUANTITIES[i].colour, QUANTITIES[i].dashed);
}

static void draw_step(trial_watch *w, const rig_sample *s) {
    const double values[QUANTITY_COUNT] = {s->remote,     s->observed, s->felt,
                                           w->r->wall_at, s->model_at, s->hand,
                                           s->follower,   s->twin,     s->leader};
    size_t lines[2] = {0, 0};
    for (int i = 0; i < QUANTITY_COUNT; i++) {
        bool place = QUANTITIES[i].place;
        if (quantity_shown(w, &QUANTITIES[i]))
            chart_put(w->drawn, place ? w->places : w->forces, lines[place]++, s->time, values[i]);
    }
    if (s->remote > 0) {
        chart_shade(w->drawn, w->forces, s->time);
        chart_shade(w->drawn, w->places, s->time);
    }
}

static void watch_step(void *context, const rig_sample *s) {
    trial_watch *w = context;
    if (w->drawn)
        draw_step(w, s);
    if (w->traces && w->steps % TRACE_EVERY == 0)
        text_add(&w->text,
                 "%s,%g,%.3f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6g,%.6f,%.6f\n",
                 coupling_name(w->kind), w->round_trip, s->time, s->hand, s->leader,
                 s->leader_speed, s->reference, s->follower, s->twin, s->felt, s->remote,
                 s->observed, s->energy, s->model_at, s->direct);
    w->steps++;
}

static bool holds_chart(const void *context, const char *path) {
    (void)context;
    return output_begins(path, CHART_BEGINS, sizeof CHART_BEGINS - 1);
}

static bool holds_trace(const void *context, const char *path) {
    (void)context;
    return output_begins(path, TRACE_HEADER, TRACE_KNOWN);
}

static void show_critical(text_buffer *out, const rig *r, bool in_contact) {
    double critical = rig_critical_round_trip(r, in_contact);
    if (isinf(critical))
        text_put(out, "no round trip");
    else
        text_add(out, "round trips from %.0f ms", 1000 * critical);
    text_put(out, in_contact ? " at the wall" : " in free motion");
}

static void show_head(text_buffer *out, const rig *r) {
    text_put(out, "By Nyquist's criterion pfc is unstable with ");
    if (r->wall) {
        show_critical(out, r, true);
        text_put(out, ", and with ");
    }
    show_critical(out, r, false);
    text_put(out, ".\n\ncoupling  round trip   speed m/s      made J   drift mm    felt N  remote N"
                  "  findings\n");
}

static void show_trial(text_buffer *out, coupling_kind kind, double trip, const rig_result *x) {
    text_add(out, "%-8s  %7.0f ms  %10.3g  %10.3g  %9.3g  %8.3g  %8.3g", coupling_name(kind),
             1000 * trip, x->speed, x->made, 1000 * x->drift, x->felt, x->remote);
    const char *lead = "  ";
    for (int f = 0; f < FINDING_COUNT; f++)
        if (x->found[f]) {
            text_add(out, "%s%s", lead, finding_name((couple_finding)f));
            lead = ", ";
        }
    text_put(out, "\n");
}

static void show_error(text_buffer *out, double newtons) {
    isnan(newtons) ? text_add(out, "  %12s", "-") : text_add(out, "  %12.3g", newtons);
}

static void show_estimates(text_buffer *out, coupling_kind kind, double trip, const rig_result *x) {
    text_add(out, "%-8s  %7.0f ms", coupling_name(kind), 1000 * trip);
    show_error(out, x->observed_free);
    show_error(out, x->direct_free);
    show_error(out, x->observed_held);
    show_error(out, x->direct_held);
    text_put(out, "\n");
}

static void show_findings(text_buffer *out, const bool *found) {
    const char *lead = "\n";
    for (int f = 0; f < FINDING_COUNT; f++)
        if (found[f]) {
            text_add(out, "%s%s: %s; %s.\n", lead, finding_name((couple_finding)f),
                     finding_sentence((couple_finding)f), finding_change((couple_finding)f));
            lead = "";
        }
}

static void json_trial(text_buffer *out, coupling_kind kind, double trip, const rig_result *x) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"round_trip_s", trip},
                   {"speed_m_s", x->speed},
                   {"made_j", x->made},
                   {"drift_m", x->drift},
                   {"felt_n", x->felt},
                   {"remote_n", x->remote},
                   {"observed_error_free_n", x->observed_free},
                   {"direct_error_free_n", x->direct_free},
                   {"observed_error_held_n", x->observed_held},
                   {"direct_error_held_n", x->direct_held},
                   {"silence_s", x->silence},
                   {"sent", (double)x->sent},
                   {"lost", (double)x->lost},
                   {"doubled", (double)x->doubled},
                   {"overtaken", (double)x->overtaken}};
    json_member(out, "{", "coupling", coupling_name(kind));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        text_add(out, ", \"%s\": ", numbers[i].name);
        json_number(out, numbers[i].value);
    }
    text_put(out, ", \"findings\": [");
    const char *lead = "";
    for (int f = 0; f < FINDING_COUNT; f++)
        if (x->found[f]) {
            json_member(out, lead[0] ? ", {" : "{", "name", finding_name((couple_finding)f));
            json_member(out, ", ", "change", finding_change((couple_finding)f));
            text_put(out, "}");
            lead = ",";
        }
    text_put(out, "]}");
}

static void json_head(text_buffer *out, const rig *r) {
    text_put(out, "{\"critical_round_trip_s\": {\"contact\": ");
    double contact = r->wall ? rig_critical_round_trip(r, true) : INFINITY;
    double free = rig_critical_round_trip(r, false);
    isinf(contact) ? text_put(out, "null") : json_number(out, contact);
    text_put(out, ", \"free\": ");
    isinf(free) ? text_put(out, "null") : json_number(out, free);
    text_put(out, "}, \"trials\": [");
}

// All trials of a rig, as they are told.
typedef struct trials {
    const rig *r;
    uint64_t seed;
    lockstep *link; // to the follower's end; NULL: it is here
    int format;
    trial_watch watch;
    text_buffer out, estimates;
    bool found[FINDING_COUNT];
} trials;

static status run_trial(trials *t, size_t i, rig_result *x, error *err) {
    const rig *r = t->r;
    size_t kind_number = i % r->kinds.count, trip_number = i / r->kinds.count;
    coupling_kind kind = r->kinds.items[kind_number];
    double trip = r->round_trips.items[trip_number];
    rig_watch watcher = t->watch.traces || t->watch.drawn ? watch_step : NULL;
    watch_begin(&t->watch, kind, kind_number, trip_number);
    status st = OK;
    if (t->link)
        st = rig_run_with(r, kind, trip, t->seed, rig_answer_afar, t->link, watcher, &t->watch, x,
                          err);
    else
        rig_run(r, kind, trip, t->seed, watcher, &t->watch, x);
    if (st != OK)
        return st;
    if (t->format == FORMAT_JSON) {
        text_put(&t->out, i > 0 ? ",\n " : "\n ");
        json_trial(&t->out, kind, trip, x);
    } else {
        show_trial(&t->out, kind, trip, x);
    }
    show_estimates(&t->estimates, kind, trip, x);
    return OK;
}

// *any: some trial had a finding.
static status run_trials(trials *t, bool *any, error *err) {
    const rig *r = t->r;
    status st = OK;
    t->format == FORMAT_JSON ? json_head(&t->out, r) : show_head(&t->out, r);
    for (size_t i = 0; i < r->round_trips.count * r->kinds.count && !cli_is_stopped(); i++) {
        rig_result x;
        st = run_trial(t, i, &x, err);
        if (st != OK)
            return st;
        for (int f = 0; f < FINDING_COUNT; f++) {
            t->found[f] |= x.found[f];
            *any |= x.found[f];
        }
    }
    if (t->format == FORMAT_JSON) {
        text_put(&t->out, "\n]}\n");
    } else {
        show_findings(&t->out, t->found);
        text_add(&t->out, "\n%s%s", ESTIMATES_HEADER, text_string(&t->estimates));
    }
    return st;
}

// The follower's end of a rig's trials.
typedef struct served_rig {
    const rig *r;
    uint64_t seed;
} served_rig;

static status serve_rig(void *context, lockstep *link, error *err) {
    const served_rig *s = context;
    return rig_serve(s->r, s->seed, link, err);
}

int command_couple(const arguments *a) {
    static const char *const formats[] = {"text", "json", NULL};
    static const char *const near_only[] = {"remote", "trace", "picture", "format", NULL};
    if (a->operands.count != 1)
        return cli_usage(a, "couple needs one rig, %zu files were given", a->operands.count);
    const char *path = a->operands.items[0], *trace = arguments_value(a, "trace"),
               *picture = arguments_value(a, "picture");
    const char *serve = arguments_value(a, "serve"), *remote = arguments_value(a, "remote");
    const char *conflict = serve ? arguments_first(a, near_only) : NULL;
    if (conflict)
        return cli_usage(a, "--serve answers for the follower alone: give --%s to the other end",
                         conflict);
    int format = FORMAT_TEXT;
    int64_t seed = 1;
    error err = {0};
    if (option_choice(a, "format", formats, &format, &err) != OK ||
        option_integer(a, "seed", 0, INT64_MAX, &seed, &err) != OK)
        return cli_error(&err);
    const output_policy over = {
        .what = "trace", .replaces = holds_trace, .inputs = &path, .input_count = 1};
    const output_policy over_picture = {
        .what = "SVG picture", .replaces = holds_chart, .inputs = &path, .input_count = 1};
    if (trace && picture && strcmp(trace, picture) == 0)
        return cli_usage(a, "--trace and --picture name one file, %s", trace);
    if ((trace && output_check(trace, &over, &err) != OK) ||
        (picture && output_check(picture, &over_picture, &err) != OK))
        return cli_error(&err);
    rig r;
    errors list = {0};
    if (couple_load(path, &r, &list) != OK)
        return cli_errors(&list);
    if (serve) {
        served_rig end = {&r, (uint64_t)seed};
        int served = wire_serve(&(wire_server){.address = serve,
                                               .session = rig_session(&r, (uint64_t)seed),
                                               .patience = LOCKSTEP_PATIENCE,
                                               .serve = serve_rig,
                                               .context = &end});
        rig_finish(&r);
        return served;
    }
    status st = OK;
    bool any = false;
    trials t = {.r = &r,
                .seed = (uint64_t)seed,
                .format = format,
                .watch = {.traces = trace != NULL, .r = &r}};
    text_put(&t.watch.text, TRACE_HEADER);
    if (picture)
        t.watch.drawn =
            chart_create(2 * r.kinds.count * r.round_trips.count, r.kinds.count, r.duration);
    if (remote)
        st = lockstep_call(remote, rig_session(&r, t.seed), cli_is_stopped, &t.link, &err);
    if (st == OK)
        st = run_trials(&t, &any, &err);
    output_file files[2];
    text_buffer svg = {0};
    size_t count = 0;
    if (trace)
        files[count++] =
            (output_file){trace, text_string(&t.watch.text), t.watch.text.count, &over};
    if (picture) {
        chart_svg(t.watch.drawn, PICTURE_CAPTION, &svg);
        files[count++] = (output_file){picture, text_string(&svg), svg.count, &over_picture};
    }
    if (t.link) {
        if (st == OK)
            lockstep_end(t.link);
        wire_show(t.link);
        lockstep_destroy(t.link);
    }
    int code = cli_is_stopped() ? EXIT_INTERRUPTED : any ? EXIT_NO : EXIT_YES;
    if (st != OK)
        code = cli_is_stopped() ? EXIT_INTERRUPTED : cli_error(&err);
    else if (!cli_is_stopped() && count > 0 && output_write(files, count, false, &err) != OK)
        code = cli_error(&err);
    else
        cli_show(stdout, text_string(&t.out), t.out.count);
    text_finish(&t.out);
    text_finish(&t.estimates);
    text_finish(&t.watch.text);
    text_finish(&svg);
    chart_destroy(t.watch.drawn);
    rig_finish(&r);
    return code;
}
