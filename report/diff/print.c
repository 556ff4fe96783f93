// report/diff/print.c - what two episodes differ in, for people and as JSON.
#include <string.h>

#include "base/text/json.h"
#include "report/diff/diff_int.h"

static const char *const LETTERS[] = {"A", "B"};

// ---- For people ---------------------------------------------------------------------------------

static void put_value(text_buffer *out, const char *letter, const char *value) {
    if (!value)
        text_add(out, "             %s: nothing of the kind\n", letter);
    else if (*value)
        text_add(out, "             %s: %.200s%s\n", letter, value,
                 strlen(value) > 200 ? " ..." : "");
    else
        text_add(out, "             %s: so it is\n", letter);
}

static void put_setup(const diff *d, text_buffer *out) {
    if (d->setup.count == 0)
        return;
    text_put(out, "They were run with\n");
    for (size_t i = 0; i < d->setup.count; i++) {
        const diff_setup *s = &d->setup.items[i];
        text_add(out, "  %s: %.100s in A, %.100s in B\n", s->name, s->a ? s->a : "nothing",
                 s->b ? s->b : "nothing");
    }
}

static void put_differences(const diff *d, text_buffer *out) {
    diff_layer order[DIFF_LAYERS];
    size_t count = diff_order(d, order);
    for (size_t i = 0; i < count; i++) {
        const difference *f = &d->first[order[i]];
        if (i == 0)
            text_add(out, "They are alike up to %.3f s. The first difference of each layer:\n",
                     seconds(f->t));
        text_add(out, "%9.3f s  %s: %s, %s\n", seconds(f->t), diff_layer_name(order[i]), f->what,
                 f->name);
        put_value(out, "A", f->a);
        put_value(out, "B", f->b);
        if (f->from)
            text_add(out, "             from %.200s\n", f->from);
    }
    if (count < DIFF_LAYERS && count > 0) {
        const char *comma = "";
        text_put(out, "Alike in ");
        for (int l = 0; l < DIFF_LAYERS; l++)
            if (!d->first[l].found) {
                text_add(out, "%s%s", comma, diff_layer_name((diff_layer)l));
                comma = ", ";
            }
        text_put(out, ".\n");
    }
}

static void put_flaws(const diff *d, text_buffer *out) {
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < d->sides[side].only.count; i++) {
            const flaw *f = d->sides[side].only.items[i];
            if (i == 0)
                text_add(out, "Flaws of %s alone:\n", LETTERS[side]);
            text_add(out, "%9.3f s  %s%s: ", seconds(f->start), f->name,
                     f->root        ? ", a root"
                     : f->recovered ? ", recovered from"
                                    : "");
            diagnosis_sentence(d->sides[side].diagnosis, f, out);
            text_put(out, "\n");
        }
    }
}

void diff_text(const diff *d, text_buffer *out) {
    char until[64] = "";
    if (diff_end(d) != TIME_OPEN)
        snprintf(until, sizeof until, " up to %.2f s, where one was cut off", seconds(diff_end(d)));
    for (int side = 0; side < 2; side++) {
        const store_episode *e = ask_episode(d->sides[side].ask);
        text_add(out, "%s  %s, episode %lld: %s, seed %lld, %s after %.2f s\n", LETTERS[side],
                 ask_log(d->sides[side].ask), (long long)e->id, e->plan ? e->plan : "no plan",
                 (long long)e->seed, e->outcome ? e->outcome : "unjudged", seconds(e->end));
    }
    put_setup(d, out);
    put_differences(d, out);
    put_flaws(d, out);
    if (diff_alike(d))
        text_add(out, "They are alike%s%s.\n", d->setup.count ? " all the same" : "", until);
    else if (d->sides[0].only.count + d->sides[1].only.count == 0)
        text_put(out, "Both show the same flaws, or none.\n");
}

// ---- As JSON ------------------------------------------------------------------------------------

static void json_side(const diff *d, int side, text_buffer *out) {
    const store_episode *e = ask_episode(d->sides[side].ask);
    text_add(out, ",\n  \"%s\": { ", side ? "b" : "a");
    json_member(out, "", "log", ask_log(d->sides[side].ask));
    text_add(out, ", \"episode\": %lld", (long long)e->id);
    json_member(out, ", ", "plan", e->plan);
    text_add(out, ", \"seed\": %lld", (long long)e->seed);
    json_member(out, ", ", "outcome", e->outcome);
    text_put(out, ", \"end\": ");
    json_seconds(out, e->end);
    text_put(out, " }");
}

static void json_differences(const diff *d, text_buffer *out) {
    diff_layer order[DIFF_LAYERS];
    size_t count = diff_order(d, order);
    for (size_t i = 0; i < count; i++) {
        const difference *f = &d->first[order[i]];
        text_add(out, "%s\n    { ", i ? "," : "");
        json_member(out, "", "layer", diff_layer_name(order[i]));
        text_put(out, ", \"t\": ");
        json_seconds(out, f->t);
        json_member(out, ", ", "what", f->what);
        json_member(out, ", ", "name", f->name);
        json_member(out, ", ", "a", f->a);
        json_member(out, ", ", "b", f->b);
        json_member(out, ", ", "from", f->from);
        text_put(out, " }");
    }
}

static void json_flaws(const diff *d, int side, text_buffer *out) {
    for (size_t i = 0; i < d->sides[side].only.count; i++) {
        const flaw *f = d->sides[side].only.items[i];
        text_buffer sentence = {0};
        diagnosis_sentence(d->sides[side].diagnosis, f, &sentence);
        text_add(out, "%s\n    { \"id\": %lld", i ? "," : "", (long long)f->id);
        json_member(out, ", ", "name", f->name);
        text_add(out, ", \"root\": %s, \"recovered\": %s, \"start\": ", f->root ? "true" : "false",
                 f->recovered ? "true" : "false");
        json_seconds(out, f->start);
        json_member(out, ", ", "sentence", text_string(&sentence));
        text_put(out, " }");
        text_finish(&sentence);
    }
}

void diff_json(const diff *d, text_buffer *out) {
    text_add(out, "{ \"schema\": 1, \"alike\": %s", diff_alike(d) ? "true" : "false");
    text_put(out, ", \"tolerance\": { \"metres\": ");
    json_number(out, d->tolerance.metres);
    text_put(out, ", \"degrees\": ");
    json_number(out, d->tolerance.degrees);
    text_put(out, " }, \"until\": ");
    if (diff_end(d) == TIME_OPEN)
        text_put(out, "null");
    else
        json_seconds(out, diff_end(d));
    json_side(d, 0, out);
    json_side(d, 1, out);
    text_put(out, ",\n  \"setup\": [");
    for (size_t i = 0; i < d->setup.count; i++) {
        const diff_setup *s = &d->setup.items[i];
        text_add(out, "%s\n    { ", i ? "," : "");
        json_member(out, "", "name", s->name);
        json_member(out, ", ", "a", s->a);
        json_member(out, ", ", "b", s->b);
        text_put(out, " }");
    }
    text_put(out, " ],\n  \"differences\": [");
    json_differences(d, out);
    text_put(out, " ],\n  \"flaws_a\": [");
    json_flaws(d, 0, out);
    text_put(out, " ],\n  \"flaws_b\": [");
    json_flaws(d, 1, out);
    text_put(out, " ] }\n");
}
