// query/builtins/series.c - signals as samples, and the operators over them.
//
// Samples stand where the signal may bend (knots), and between knots as densely as it bends, down
// to the physics step. Between samples the signal is taken as straight. Every operator sees the
// same samples.
#include <math.h>
#include "query/builtins/builtin.h"
#include "base/search.h"
#include "query/log/signals_int.h"

#define SAMPLES_MAX ((size_t)4000000)

static bool push_sample(signals *s, samples *out, nanos t, double v) {
    if (out->count >= SAMPLES_MAX)
        return signals_fail(s, E_LIMIT, "a signal bends too often to be sampled");
    return array_push_try(out, (sample){t, v}) || signals_fail(s, E_MEMORY, NULL);
}

static bool is_straight(double a, double b, double middle, double share, double tolerance) {
    if (isnan(a) || isnan(b) || isnan(middle))
        return isnan(a) && isnan(b) && isnan(middle);
    return fabs(middle - (a + (b - a) * share)) <= tolerance;
}

// Adds the samples between two others.
static bool refine_samples(signals *s, signal *g, sample a, sample b, samples *out) {
    nanos span = b.t - a.t, step = s->episode.step > 0 ? s->episode.step : 2000000;
    if (span <= step)
        return true;
    sample m = {a.t + span / 2, 0};
    m.v = signal_at(s, g, m.t);
    if (s->failed != OK)
        return false;
    if (budget_interrupted(s->budget))
        return signals_fail(s, E_INTERRUPTED, NULL);
    bool flat = is_straight(a.v, b.v, m.v, (double)(m.t - a.t) / (double)span, g->tolerance);
    if (flat && span > 10 * step && !(a.v == b.v && a.v == m.v)) {
        // A curve that bends both ways can meet its chord in the middle.
        nanos q = a.t + span / 4;
        flat = is_straight(a.v, b.v, signal_at(s, g, q), (double)(q - a.t) / (double)span,
                           g->tolerance);
    }
    return flat || (refine_samples(s, g, a, m, out) && push_sample(s, out, m.t, m.v) &&
                    refine_samples(s, g, m, b, out));
}

// A value that is looked for; samples behind the first that has it are not needed.
typedef struct sought {
    bool below;
    double limit;
} sought;

// What is asked of samples: whether they lie below the one value or above the other. Where all do,
// two of them tell as much as all.
typedef struct bands {
    double below, above;
} bands;

// Runs of values that are looked for, over the whole episode or a window of it.
typedef struct level {
    bool below;
    double on, off;
    nanos shortest; // of runs; 0: all count
    nanos gap;      // between runs; shorter ones are none; 0: all part them
    uint32_t answer_at;
    uint32_t window_at; // of the window's ends; 0: the whole episode
} level;

// What a call needs of samples. NULL: all.
typedef struct need {
    const sought *first;
    bands alike;
    const level *runs;
} need;

static bool lies_within(double v, double limit, bool below) {
    return below ? v <= limit : v >= limit;
}

static void sort_knots(instants *knots) {
    size_t n = 0;
    nanos_sort(knots->items, knots->count);
    for (size_t i = 0; i < knots->count; i++) {
        if (n == 0 || knots->items[i] != knots->items[n - 1])
            knots->items[n++] = knots->items[i];
    }
    knots->count = n;
}

#define ALIKE_MAX 32 // knots at once
#define ALIKE_MIN 8
#define ROUNDING 1e-9 // of bounds, in a signal's unit

// Returns how many knots behind the i-th one can be left out, since the signal stays in one band
// up to the one behind them.
static size_t count_alike(signals *s, signal *g, const nanos *knots, size_t count, size_t i,
                          const bands *b) {
    signal_range r;
    for (size_t n = ALIKE_MAX; n >= ALIKE_MIN; n /= 2) {
        // Pieces stand where multiples of their length do, so that no span is bounded twice at one
        // length.
        if (i % n == 0 && i + n < count && signal_bounds(s, g, knots[i], knots[i + n], &r) &&
            (r.high + ROUNDING < b->below || r.low - ROUNDING > b->above))
            return n - 1;
    }
    return 0;
}

// Returns how many knots behind the i-th one, whose value is `v`, can be left out, for nothing that
// counts begins and ends between it and the one behind those: no gap where both have reached a run,
// and no run where both lie outside of one. With gaps, a run that lasts may consist of parts none
// of which lasts: those count, too.
static size_t count_brief(signals *s, signal *g, const nanos *knots, size_t count, size_t i,
                          double v, const level *l) {
    bool on = lies_within(v, l->on, l->below), off = !lies_within(v, l->off, l->below);
    nanos brief = on ? l->gap : off && l->gap == 0 ? l->shortest : 0;
    if (brief == 0)
        return 0;
    size_t next = lower_bound(knots, sizeof *knots, count, knots[i] + brief);
    for (size_t n = next - 1 - i; n >= ALIKE_MIN; n /= 2) {
        double w = signal_at(s, g, knots[i + n]);
        if (on ? lies_within(w, l->on, l->below) : !lies_within(w, l->off, l->below))
            return n - 1;
    }
    return 0;
}

// Takes samples at the knots, each of which is later than the one before, and between them, as many
// as are needed.
static bool sample_between(signals *s, signal *g, const nanos *knots, size_t count,
                           const need *needed, samples *out) {
    const sought *what = needed ? needed->first : NULL;
    sample last = {0, 0};
    size_t seen = out->count, alike = 0;
    bool ok = true, found = false;
    for (size_t i = 0; i < count && ok && !found; i++) {
        sample x = {knots[i], signal_at(s, g, knots[i])};
        ok = s->failed == OK && (i == 0 || alike > 0 || refine_samples(s, g, last, x, out)) &&
             push_sample(s, out, x.t, x.v);
        bool due = needed && needed->runs && (alike > 0 || i % ALIKE_MIN == 0);
        alike = needed ? count_alike(s, g, knots, count, i, &needed->alike) : 0;
        if (due && alike == 0)
            alike = count_brief(s, g, knots, count, i, x.v, needed->runs);
        i += alike;
        last = x;
        for (; what && seen < out->count && !found; seen++)
            found = lies_within(out->items[seen].v, what->limit, what->below);
    }
    return ok;
}

static bool sample_at_knots(signals *s, signal *g, nanos from, nanos to, const need *what,
                            samples *out) {
    instants knots = {0};
    bool ok = array_push_try(&knots, from) && array_push_try(&knots, to);
    if (ok)
        signal_knots(s, g, from, to, &knots);
    sort_knots(&knots);
    ok = ok && s->failed == OK && sample_between(s, g, knots.items, knots.count, what, out);
    array_finish(&knots);
    return ok;
}

#define SPAN_MIN INT64_C(20000000)     // ns, of what is bounded as a whole
#define SPAN_FIRST INT64_C(1000000000) // ns, of what is looked at first where the first is sought

// Pieces of a signal in which it may leave its bands, ascending and apart.
typedef struct search {
    signals *s;
    signal *g;
    const need *what;
    intervals open;
    bool found; // what is sought lies in the last piece, or right behind it
} search;

// Searches [from, to]. False: failed.
static bool find_open(search *f, nanos from, nanos to) {
    const bands *b = &f->what->alike;
    const sought *first = f->what->first;
    signal_range r;
    bool bounded = signal_bounds(f->s, f->g, from, to, &r);
    if (bounded && (r.high + ROUNDING < b->below || r.low - ROUNDING > b->above))
        return true;
    if (f->s->failed != OK)
        return false;
    f->found =
        bounded && first && lies_within(first->below ? r.high : r.low, first->limit, first->below);
    if (f->found)
        to = from;
    if (to - from > SPAN_MIN) {
        nanos half = from + (to - from) / 2;
        return find_open(f, from, half) && (f->found || find_open(f, half, to));
    }
    if (f->open.count > 0 && f->open.items[f->open.count - 1].end == from) {
        f->open.items[f->open.count - 1].end = to;
        return true;
    }
    return array_push_try(&f->open, ((interval){from, to})) || signals_fail(f->s, E_MEMORY, NULL);
}

// Searches [from, to] where the first instant is sought: it mostly lies close to the beginning, and
// what is behind it need not be read.
static bool find_first_open(search *f, nanos from, nanos to) {
    bool ok = true;
    for (nanos span = SPAN_FIRST; ok && !f->found && to - from > span; span *= 2) {
        ok = find_open(f, from, from + span);
        from += span;
    }
    return ok && (f->found || find_open(f, from, to));
}

// Takes samples of [from, to], both ends included, as many as are needed. Where the way of a chain
// of joints is part of the signal, its knots are read only where bounds do not tell enough.
static bool sample_window(signals *s, signal *g, nanos from, nanos to, const need *what,
                          samples *out) {
    if (!what || !signal_is_chained(s, g))
        return sample_at_knots(s, g, from, to, what, out);
    search f = {s, g, what, {0}, false};
    bool ok = what->first ? find_first_open(&f, from, to) : find_open(&f, from, to);
    if (ok && (f.open.count == 0 || f.open.items[0].start > from))
        ok = push_sample(s, out, from, signal_at(s, g, from));
    for (size_t i = 0; i < f.open.count && ok; i++)
        ok = sample_at_knots(s, g, f.open.items[i].start, f.open.items[i].end, what, out);
    if (ok && !f.found && to > from && out->items[out->count - 1].t < to)
        ok = push_sample(s, out, to, signal_at(s, g, to));
    array_finish(&f.open);
    return ok;
}

// A call's signal and the samples it needs.
typedef struct run {
    signals *s;
    arena *a;
    signal *g;
    samples own;
    const sample *items;
    size_t count;
} run;

static status run_end(run *r, builtin_call *c, status s) {
    array_finish(&r->own);
    arena_destroy(r->a);
    if (s == OK && r->s->failed != OK) {
        if (c->err && r->s->err.text[0])
            *c->err = r->s->err;
        s = r->s->failed;
    }
    return s;
}

// False: no answers, or failed.
static bool run_begin(run *r, builtin_call *c) {
    *r = (run){.s = c->signals, .a = arena_create()};
    if (signals_prepare(r->s) != OK)
        return false;
    r->g = signal_resolve(r->s, r->a, c->args[0]);
    return r->g != NULL && r->s->failed == OK;
}

// Gives the samples of the whole episode, which are kept for later calls.
static bool run_whole(run *r, value what) {
    signals *s = r->s;
    bool added;
    uint32_t at = relation_find(s->series_of, &what);
    if (at == ROW_NONE) {
        samples made = {0};
        if (!sample_window(s, r->g, 0, s->episode.end, NULL, &made)) {
            array_finish(&made);
            return false;
        }
        if (!budget_take(s->budget, made.count * sizeof(sample)) ||
            relation_add(s->series_of, &what, 0, 0, &added) != OK ||
            !array_push_try(&s->series, made)) {
            array_finish(&made);
            return signals_fail(s, E_LIMIT, NULL);
        }
        at = (uint32_t)s->series.count - 1;
    }
    r->items = s->series.items[at].items;
    r->count = s->series.items[at].count;
    return true;
}

// Gives the samples of [from, to] that are needed, cut from those of the whole episode where these
// are known.
static bool run_window(run *r, value what, nanos from, nanos to, const need *needed) {
    uint32_t at = relation_find(r->s->series_of, &what);
    if (at == ROW_NONE) {
        if (!sample_window(r->s, r->g, from, to, needed, &r->own))
            return false;
    } else {
        const samples *all = &r->s->series.items[at];
        size_t i = upper_bound(all->items, sizeof *all->items, all->count, from);
        bool ok = push_sample(r->s, &r->own, from, signal_at(r->s, r->g, from));
        for (; ok && i < all->count && all->items[i].t < to; i++)
            ok = push_sample(r->s, &r->own, all->items[i].t, all->items[i].v);
        if (ok && to > from)
            ok = push_sample(r->s, &r->own, to, signal_at(r->s, r->g, to));
        if (!ok)
            return false;
    }
    r->items = r->own.items;
    r->count = r->own.count;
    return true;
}

// Returns whether a value alone decides whether a run is on, whatever came before (hysteresis).
static bool is_decisive(const level *l, double v) {
    return lies_within(v, l->on, l->below) || !lies_within(v, l->off, l->below);
}

// Drops the knots before the last one at or before `first`, and those after the first one at or
// after `last`.
static void keep_near(instants *knots, nanos first, nanos last) {
    nanos low = INT64_MIN, high = INT64_MAX;
    size_t n = 0;
    for (size_t i = 0; i < knots->count; i++) {
        nanos t = knots->items[i];
        low = t <= first && t > low ? t : low;
        high = t >= last && t < high ? t : high;
    }
    for (size_t i = 0; i < knots->count; i++) {
        if (knots->items[i] >= low && knots->items[i] <= high)
            knots->items[n++] = knots->items[i];
    }
    knots->count = n;
}

// Takes samples of [from, to] from a decisive sample to another, so far around the time in question
// that gaps and runs that are too short lie within: runs between them are those of all samples.
static bool run_near(run *r, const level *l, interval near, nanos from, nanos to) {
    signals *s = r->s;
    nanos reach = l->gap + l->shortest;
    nanos first = near.start - reach, last = near.end + reach, wider = NANOS_PER_SECOND / 4;
    bool ok = true, decided = false;
    instants knots = {0};
    while (ok && !decided) {
        knots.count = 0;
        ok = array_push_try(&knots, from) && array_push_try(&knots, to);
        if (ok)
            signal_knots(s, r->g, from, to, &knots);
        keep_near(&knots, first, last);
        sort_knots(&knots);
        size_t end = knots.count - 1;
        bool begun =
            ok && (knots.items[0] <= from || is_decisive(l, signal_at(s, r->g, knots.items[0])));
        bool ended =
            ok && (knots.items[end] >= to || is_decisive(l, signal_at(s, r->g, knots.items[end])));
        decided = begun && ended;
        first = begun ? first : first - wider;
        last = ended ? last : last + wider;
        wider *= 2;
        ok = ok && s->failed == OK;
    }
    ok = ok && sample_between(s, r->g, knots.items, knots.count, NULL, &r->own);
    array_finish(&knots);
    r->items = r->own.items;
    r->count = r->own.count;
    return ok;
}

// Gives the window of a call whose arguments `at` and `at + 1` are S and E, as the closed span of
// instants in it.
static bool window_of(const builtin_call *c, uint32_t at, nanos *from, nanos *to) {
    if (!builtin_time(c, at, from) || !builtin_time(c, at + 1, to))
        return false;
    *from = *from < 0 ? 0 : *from;
    *to = (*to > c->end + 1 ? c->end + 1 : *to) - 1;
    return *from <= *to;
}

static bool finite_answer(builtin_call *c, double v, value *out) {
    *out = isfinite(v) ? values_float(c->values, v) : VALUE_NONE;
    return *out != VALUE_NONE;
}

status builtin_value(builtin_call *c) {
    run r;
    nanos t;
    value out;
    status st = OK;
    if (run_begin(&r, c) && builtin_time(c, 1, &t) && t >= 0 && t <= c->end + 1) {
        double v = signal_at(r.s, r.g, t);
        if (r.s->failed == OK && finite_answer(c, v, &out))
            st = builtin_answer(c, 2, &out, 1);
    }
    return run_end(&r, c, st);
}

static status emit_extreme(builtin_call *c, bool most, bool with_instant) {
    run r;
    nanos from, to;
    status st = OK;
    if (run_begin(&r, c) && window_of(c, 1, &from, &to) &&
        run_window(&r, c->args[0], from, to, NULL)) {
        sample best = {0, NAN};
        for (size_t i = 0; i < r.count; i++) {
            double v = r.items[i].v;
            if (!isnan(v) && (isnan(best.v) || (most ? v > best.v : v < best.v)))
                best = r.items[i];
        }
        value out[2];
        out[1] = values_time(best.t);
        if (finite_answer(c, best.v, &out[0]))
            st = builtin_answer(c, 3, out, with_instant ? 2 : 1);
    }
    return run_end(&r, c, st);
}

status builtin_minimum(builtin_call *c) {
    return emit_extreme(c, false, false);
}

status builtin_maximum(builtin_call *c) {
    return emit_extreme(c, true, false);
}

status builtin_minimum_at(builtin_call *c) {
    return emit_extreme(c, false, true);
}

status builtin_maximum_at(builtin_call *c) {
    return emit_extreme(c, true, true);
}

status builtin_mean(builtin_call *c) {
    run r;
    nanos from, to;
    status st = OK;
    if (run_begin(&r, c) && window_of(c, 1, &from, &to) &&
        run_window(&r, c->args[0], from, to, NULL)) {
        double sum = 0, span = 0;
        for (size_t i = 0; i + 1 < r.count; i++) {
            double dt = (double)(r.items[i + 1].t - r.items[i].t),
                   v = (r.items[i].v + r.items[i + 1].v) / 2;
            if (!isnan(v)) {
                sum += v * dt;
                span += dt;
            }
        }
        value out;
        if (finite_answer(c, span > 0 ? sum / span : r.items[0].v, &out))
            st = builtin_answer(c, 3, &out, 1);
    }
    return run_end(&r, c, st);
}

// ---- Thresholds ---------------------------------------------------------------------------------

// Returns the instant of the physics at which the line from a to b has met `limit` (`past`: has
// passed it).
static nanos crossing_time(const signals *s, sample a, sample b, double limit, bool past) {
    nanos step = s->episode.step > 0 ? s->episode.step : 1;
    double share = (limit - a.v) / (b.v - a.v), exact = share * (double)(b.t - a.t);
    nanos t = a.t + (nanos)ceil(exact - 0.25);
    nanos on_step = (t + step - 1) / step * step;
    if (past && (double)(on_step - a.t) <= exact + 0.25)
        on_step += step;
    t = on_step < b.t ? on_step : b.t;
    return t > a.t ? t : a.t + 1 < b.t ? a.t + 1 : b.t;
}

// Feeds the line between two samples: the instants at which it enters and leaves a level.
static void feed_line(const signals *s, hysteresis *h, sample a, sample b, intervals *out) {
    double levels[2] = {h->on, h->off};
    sample met[2];
    int count = 0;
    for (int i = 0; i < 2; i++) {
        bool from = lies_within(a.v, levels[i], h->below),
             to = lies_within(b.v, levels[i], h->below);
        if (isnan(a.v) || isnan(b.v) || from == to || (i == 1 && h->on == h->off))
            continue;
        sample x = {crossing_time(s, a, b, levels[i], from), levels[i]};
        if (from) // just outside
            x.v = nextafter(levels[i], h->below ? INFINITY : -INFINITY);
        if (x.t > a.t && x.t < b.t)
            met[count++] = x;
    }
    if (count == 2 && met[1].t < met[0].t) {
        sample swap = met[0];
        met[0] = met[1];
        met[1] = swap;
    }
    // Where both levels are passed between two instants of the physics, the later one tells both.
    if (count == 2 && met[0].t == met[1].t) {
        bool rising = b.v > a.v;
        if (rising ? met[0].v > met[1].v : met[0].v < met[1].v)
            met[1] = met[0];
        met[0] = met[--count];
    }
    for (int i = 0; i < count; i++)
        hysteresis_feed(h, met[i].t, met[i].v, out);
    hysteresis_feed(h, b.t, b.v, out);
}

// Gives the samples that a threshold needs.
static bool run_level(run *r, const builtin_call *c, const level *l, nanos from, nanos to) {
    const need levels = {NULL, l->below ? (bands){l->on, l->off} : (bands){l->off, l->on}, l};
    // Where nothing tells which samples can be left out, all of the whole episode are taken, and
    // kept for later questions.
    bool few = l->window_at || l->gap > 0 || l->shortest > 0 || signal_has_bounds(r->g);
    return few ? run_window(r, c->args[0], from, to, &levels) : run_whole(r, c->args[0]);
}

// Adds the runs of the samples.
static void find_runs(const run *r, const level *l, nanos to, intervals *out) {
    hysteresis h;
    if (r->count == 0)
        return;
    hysteresis_init(&h, l->on, l->off, l->below, l->gap, l->shortest);
    hysteresis_feed(&h, r->items[0].t, r->items[0].v, out);
    for (size_t i = 0; i + 1 < r->count; i++)
        feed_line(r->s, &h, r->items[i], r->items[i + 1], out);
    nanos until = r->items[r->count - 1].t;
    hysteresis_finish(&h, until < to ? until : to + 1, out);
}

static status answer_runs(builtin_call *c, const level *l, const intervals *runs) {
    status st = OK;
    for (size_t i = 0; i < runs->count && st == OK; i++)
        st = builtin_answer(
            c, l->answer_at,
            (value[]){values_time(runs->items[i].start), values_time(runs->items[i].end)}, 2);
    return st;
}

// What is asked of a whole episode, as a term: rules ask the same for several keys.
static value question_of(const builtin_call *c, const level *l) {
    return values_compound(c->values, l->below ? "below" : "above", l->answer_at, c->args);
}

// Returns the runs that an earlier call found; NULL: there was none.
static const intervals *known_runs(const signals *s, value question) {
    uint32_t at = relation_find(s->runs_of, &question);
    return at == ROW_NONE ? NULL : &s->runs.items[at];
}

// Keeps the runs for later calls, as long as there is room: the present one has its answer.
static void keep_runs(signals *s, value question, intervals *found) {
    size_t bytes = sizeof *found + found->count * sizeof *found->items;
    bool added;
    if (question == VALUE_NONE || !budget_take(s->budget, bytes))
        return;
    if (!array_reserve_try(&s->runs, s->runs.count + 1) ||
        relation_add(s->runs_of, &question, 0, 0, &added) != OK) {
        budget_return(s->budget, bytes);
        return;
    }
    s->runs.items[s->runs.count++] = *found;
    *found = (intervals){0};
}

// Answers from samples of [from, to]; `none`: it is known that there is no run.
static status emit_sampled(builtin_call *c, run *r, const level *l, bool none, nanos from,
                           nanos to) {
    intervals found = {0};
    status st = OK;
    if (!none && run_level(r, c, l, from, to))
        find_runs(r, l, to, &found);
    if (r->s->failed == OK)
        st = answer_runs(c, l, &found);
    if (st == OK && r->s->failed == OK && !l->window_at)
        keep_runs(r->s, question_of(c, l), &found);
    array_finish(&found);
    return st;
}

static status emit_threshold(builtin_call *c, level l) {
    run r;
    nanos from = 0, to = c->end;
    status st = OK;
    const intervals *known = l.window_at ? NULL : known_runs(c->signals, question_of(c, &l));
    if (known)
        return answer_runs(c, &l, known);
    bool some = run_begin(&r, c) && (!l.window_at || window_of(c, l.window_at, &from, &to));
    // Most things never come near most regions.
    bool none = some && l.below && signal_stays_above(r.s, r.g, l.off);
    bool near =
        some && !none && c->within && relation_find(r.s->series_of, &c->args[0]) == ROW_NONE;
    intervals found = {0};
    for (uint32_t i = 0; near && i < c->within->count && st == OK; i++) {
        r.own.count = found.count = 0;
        if (!run_near(&r, &l, c->within->items[i], from, to))
            break;
        find_runs(&r, &l, to, &found);
        st = answer_runs(c, &l, &found);
    }
    array_finish(&found);
    if (some && !near)
        st = emit_sampled(c, &r, &l, none, from, to);
    return run_end(&r, c, st);
}

static status emit_hysteretic(builtin_call *c, bool below, bool windowed) {
    double n[4];
    for (uint32_t i = 0; i < 4; i++) {
        if (!values_number(c->values, c->args[1 + i], &n[i]) || fabs(n[i]) > SECONDS_MAX)
            return OK;
    }
    if (below ? n[0] > n[1] : n[0] < n[1])
        return error_set(c->err, E_INPUT,
                         below ? "below needs On =< Off" : "above needs On >= Off");
    // No run and no gap is shorter than 0 s.
    nanos shortest = nanos_from_seconds(fmax(n[2], 0)), gap = nanos_from_seconds(fmax(n[3], 0));
    return emit_threshold(
        c, (level){below, n[0], n[1], shortest, gap, windowed ? 7 : 5, windowed ? 5 : 0});
}

status builtin_above(builtin_call *c) {
    return emit_hysteretic(c, false, false);
}

status builtin_below(builtin_call *c) {
    return emit_hysteretic(c, true, false);
}

status builtin_above_in(builtin_call *c) {
    return emit_hysteretic(c, false, true);
}

status builtin_below_in(builtin_call *c) {
    return emit_hysteretic(c, true, true);
}

static status emit_plain(builtin_call *c, bool below) {
    double at;
    return values_number(c->values, c->args[1], &at)
               ? emit_threshold(c, (level){below, at, at, 0, 0, 2, 0})
               : OK;
}

status builtin_above_plain(builtin_call *c) {
    return emit_plain(c, false);
}

status builtin_below_plain(builtin_call *c) {
    return emit_plain(c, true);
}

static status emit_first(builtin_call *c, bool below) {
    run r;
    nanos from, to, at = 0;
    double limit;
    bool found = false;
    status st = OK;
    if (!values_number(c->values, c->args[1], &limit))
        return OK;
    const sought first = {below, limit};
    const need needed = {&first, below ? (bands){-INFINITY, limit} : (bands){limit, INFINITY},
                         NULL};
    if (run_begin(&r, c) && window_of(c, 2, &from, &to) &&
        run_window(&r, c->args[0], from, to, &needed)) {
        for (size_t i = 0; i < r.count && !found; i++) {
            found = lies_within(r.items[i].v, limit, below);
            at = r.items[i].t;
            if (found && i > 0 && !isnan(r.items[i - 1].v))
                at = crossing_time(r.s, r.items[i - 1], r.items[i], limit, false);
        }
    }
    if (found) {
        value out = values_time(at);
        st = builtin_answer(c, 4, &out, 1);
    }
    return run_end(&r, c, st);
}

status builtin_first_above(builtin_call *c) {
    return emit_first(c, false);
}

status builtin_first_below(builtin_call *c) {
    return emit_first(c, true);
}
