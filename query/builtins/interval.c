// query/builtins/interval.c - intervals as values: Allen's relations and the algebra.
#include "query/builtins/builtin.h"

bool builtin_interval_of(const values *v, value start, value end, interval *out) {
    double at;
    nanos ends[2];
    for (int i = 0; i < 2; i++) {
        value x = i ? end : start;
        if (value_kind(x) == VALUE_TIME)
            ends[i] = value_nanos(x);
        else if (values_number(v, x, &at) && at > -SECONDS_MAX && at < SECONDS_MAX)
            ends[i] = nanos_from_seconds(at);
        else
            return false;
    }
    *out = (interval){ends[0], ends[1]};
    return true;
}

bool builtin_interval(const builtin_call *c, uint32_t arg, interval *out) {
    const values *v = c->values;
    if (!values_is(v, c->args[arg], "interval", 2))
        return false;
    const value *ends = values_args(v, c->args[arg]);
    return builtin_interval_of(v, ends[0], ends[1], out);
}

value builtin_interval_value(builtin_call *c, interval i) {
    return values_compound(c->values, "interval", 2,
                           (value[]){values_time(i.start), values_time(i.end)});
}

typedef bool relation_test(interval i, interval j);

static status test_relation(builtin_call *c, relation_test *holds) {
    interval i, j;
    if (!builtin_interval(c, 0, &i) || !builtin_interval(c, 1, &j) || !holds(i, j))
        return OK;
    return builtin_emit(c, c->args);
}

#define ALLEN(name, condition)                                                                     \
    static bool name(interval i, interval j) {                                                     \
        return condition;                                                                          \
    }                                                                                              \
    status builtin_allen_##name(builtin_call *c) {                                                 \
        return test_relation(c, name);                                                             \
    }

ALLEN(before, i.end < j.start)
ALLEN(after, j.end < i.start)
ALLEN(meets, i.end == j.start)
ALLEN(met_by, j.end == i.start)
ALLEN(overlaps, i.start < j.start && j.start < i.end && i.end < j.end)
ALLEN(overlapped_by, j.start < i.start && i.start < j.end && j.end < i.end)
ALLEN(starts, i.start == j.start && i.end < j.end)
ALLEN(started_by, i.start == j.start && j.end < i.end)
ALLEN(during, j.start < i.start && i.end < j.end)
ALLEN(contains, i.start < j.start && j.end < i.end)
ALLEN(finishes, i.end == j.end && j.start < i.start)
ALLEN(finished_by, i.end == j.end && i.start < j.start)
ALLEN(equals, i.start == j.start && i.end == j.end)

// One that ends where it begins, or before, holds no instant.
static bool is_empty(interval i) {
    return i.end <= i.start;
}

static bool share_time(interval i, interval j) {
    return !is_empty(i) && !is_empty(j) && i.start < j.end && j.start < i.end;
}

status builtin_intersects(builtin_call *c) {
    return test_relation(c, share_time);
}

bool builtin_interval_test(const builtin *b, interval i, interval j, bool *holds) {
    static const struct {
        status (*run)(builtin_call *c);
        relation_test *test;
    } all[] = {{builtin_intersects, share_time},
               {builtin_allen_before, before},
               {builtin_allen_after, after},
               {builtin_allen_meets, meets},
               {builtin_allen_met_by, met_by},
               {builtin_allen_overlaps, overlaps},
               {builtin_allen_overlapped_by, overlapped_by},
               {builtin_allen_starts, starts},
               {builtin_allen_started_by, started_by},
               {builtin_allen_during, during},
               {builtin_allen_contains, contains},
               {builtin_allen_finishes, finishes},
               {builtin_allen_finished_by, finished_by},
               {builtin_allen_equals, equals}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k].run == b->run) {
            *holds = all[k].test(i, j);
            return true;
        }
    }
    return false;
}

static status answer_interval(builtin_call *c, uint32_t at, interval i) {
    value out = builtin_interval_value(c, i);
    return builtin_answer(c, at, &out, 1);
}

status builtin_intersection(builtin_call *c) {
    interval i, j;
    if (!builtin_interval(c, 0, &i) || !builtin_interval(c, 1, &j) || !share_time(i, j))
        return OK;
    return answer_interval(
        c, 2, (interval){i.start > j.start ? i.start : j.start, i.end < j.end ? i.end : j.end});
}

status builtin_union(builtin_call *c) {
    interval i, j;
    if (!builtin_interval(c, 0, &i) || !builtin_interval(c, 1, &j) || is_empty(i) || is_empty(j) ||
        i.start > j.end || j.start > i.end)
        return OK;
    return answer_interval(
        c, 2, (interval){i.start < j.start ? i.start : j.start, i.end > j.end ? i.end : j.end});
}

status builtin_complement(builtin_call *c) {
    interval i;
    if (!builtin_interval(c, 0, &i))
        return OK;
    if (is_empty(i))
        return answer_interval(c, 1, (interval){0, c->end + 1});
    status s = OK;
    if (i.start > 0)
        s = answer_interval(c, 1, (interval){0, i.start < c->end + 1 ? i.start : c->end + 1});
    if (s == OK && i.end < c->end + 1)
        s = answer_interval(c, 1, (interval){i.end > 0 ? i.end : 0, c->end + 1});
    return s;
}

static value seconds_value(builtin_call *c, nanos t) {
    return values_float(c->values, (double)t / 1e9);
}

status builtin_gap(builtin_call *c) {
    interval i, j;
    if (!builtin_interval(c, 0, &i) || !builtin_interval(c, 1, &j) || is_empty(i) || is_empty(j) ||
        share_time(i, j))
        return OK;
    value out = seconds_value(c, j.start >= i.end ? j.start - i.end : i.start - j.end);
    return builtin_answer(c, 2, &out, 1);
}

status builtin_duration(builtin_call *c) {
    interval i;
    if (!builtin_interval(c, 0, &i))
        return OK;
    value out = seconds_value(c, is_empty(i) ? 0 : i.end - i.start);
    return builtin_answer(c, 1, &out, 1);
}

status builtin_censored(builtin_call *c) {
    nanos t;
    return builtin_time(c, 0, &t) && t > c->end ? builtin_emit(c, c->args) : OK;
}

// Gathers the intervals of a list, sorted and merged. False: something in it is none, or memory is
// out.
static bool gather_intervals(builtin_call *c, value list, intervals *out) {
    value head, rest = list;
    while (values_uncons(c->values, rest, &head, &rest)) {
        builtin_call one = *c;
        one.args = &head;
        interval i;
        if (!builtin_interval(&one, 0, &i) || !array_push_try(out, i))
            return false;
    }
    intervals_normalise(out);
    return values_is_nil(c->values, rest);
}

static status answer_all(builtin_call *c, uint32_t at, const intervals *all) {
    status s = OK;
    for (size_t i = 0; i < all->count && s == OK; i++)
        s = builtin_answer(
            c, at, (value[]){values_time(all->items[i].start), values_time(all->items[i].end)}, 2);
    return s;
}

status builtin_coalesce(builtin_call *c) {
    intervals all = {0};
    nanos gap, shortest;
    status s = OK;
    if (builtin_time(c, 1, &gap) && builtin_time(c, 2, &shortest) &&
        gather_intervals(c, c->args[0], &all)) {
        intervals_clean(&all, gap, shortest);
        s = answer_all(c, 3, &all);
    }
    array_finish(&all);
    return s;
}

status builtin_uncovered(builtin_call *c) {
    intervals all = {0}, rest = {0};
    status s = OK;
    if (gather_intervals(c, c->args[0], &all)) {
        intervals_complement(&all, (interval){0, c->end + 1}, &rest);
        s = answer_all(c, 1, &rest);
    }
    array_finish(&all);
    array_finish(&rest);
    return s;
}
