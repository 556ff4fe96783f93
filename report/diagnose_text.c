#include <stdio.h>

#include "report/diagnose_int.h"

typedef struct writer {
    const diagnosis *d;
    text_buffer *out;
    arena *scratch;
    bool color;
    bool *shown; // by flaw
} writer;

static const struct {
    const char *name, *text;
} sentences[] = {
#define SENTENCE(name, text) {#name, text},
#include "report/sentences.def"
};

static const struct {
    const char *ending, *unit;
    double scale;
} units[] = {
#define UNIT(ending, unit, scale) {#ending, unit, scale},
#include "report/sentences.def"
};

static bool ends_with(const char *text, const char *ending) {
    size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

static const flaw_evidence *evidence_of(const flaw *f, const char *name, size_t length) {
    for (size_t i = 0; i < f->evidence_count; i++)
        if (strlen(f->evidence[i].name) == length && memcmp(f->evidence[i].name, name, length) == 0)
            return &f->evidence[i];
    return NULL;
}

static void bold(const writer *w, const char *text) {
    text_add(w->out, w->color ? "\033[1m%s\033[0m" : "%s", text);
}

static void put_value(const writer *w, const char *name, const term *value) {
    double number;
    int64_t items = term_list_length(value);
    for (int64_t i = 0; i < items; i++) {
        text_put(w->out, i ? " and " : "");
        put_value(w, name, term_list_item(value, (size_t)i));
    }
    if (items > 0)
        return;
    if (items == 0) {
        text_put(w->out, "nothing");
        return;
    }
    if (!term_number(value, &number)) {
        text_put(w->out, value->kind == TERM_STRING ? value->text : term_text(w->scratch, value));
        return;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (ends_with(name, units[i].ending)) {
            text_add(w->out, "%.4g %s", number * units[i].scale, units[i].unit);
            return;
        }
    }
    text_add(w->out, "%.4g", number);
}

// Fills $1 ... and $key of the flaw's sentence; a flaw without one is named with its bodies.
static void put_sentence(const writer *w, const flaw *f) {
    const char *text = NULL;
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (strcmp(sentences[i].name, f->name) == 0)
            text = sentences[i].text;
    if (!text) {
        for (size_t i = 0; i < f->body_count; i++)
            text_add(w->out, "%s%s", i ? ", " : "", f->bodies[i]);
        if (f->body_count == 0)
            text_put(w->out, term_text(w->scratch, f->term));
        return;
    }
    while (*text) {
        size_t plain = strcspn(text, "$");
        text_add(w->out, "%.*s", (int)plain, text);
        text += plain;
        if (*text != '$')
            break;
        text++;
        size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789");
        const flaw_evidence *e = evidence_of(f, text, length);
        size_t number =
            length == 1 && *text >= '1' && *text <= '9' ? (size_t)(*text - '1') : SIZE_MAX;
        if (number < f->body_count)
            text_put(w->out, f->bodies[number]);
        else if (e)
            put_value(w, e->name, e->value);
        else
            text_put(w->out, "something");
        text += length;
    }
}

// "drift 41 mm (threshold 5 mm)": a number with the one it was held against.
static void put_evidence(const writer *w, const flaw *f, int indent) {
    size_t written = 0;
    for (size_t i = 0; i < f->evidence_count; i++) {
        const flaw_evidence *e = &f->evidence[i];
        if (strcmp(e->name, "goal") == 0)
            continue;
        if (ends_with(e->name, "_threshold") &&
            evidence_of(f, e->name, strlen(e->name) - strlen("_threshold")))
            continue;
        if (written++ == 0)
            text_add(w->out, "%*s", indent, "");
        else
            text_put(w->out, ", ");
        for (const char *c = e->name; *c; c++)
            text_add(w->out, "%c", *c == '_' ? ' ' : *c);
        text_put(w->out, " ");
        put_value(w, e->name, e->value);
        char name[128];
        snprintf(name, sizeof name, "%s_threshold", e->name);
        const flaw_evidence *limit = evidence_of(f, name, strlen(name));
        if (limit) {
            text_put(w->out, " (threshold ");
            put_value(w, name, limit->value);
            text_put(w->out, ")");
        }
    }
    if (written)
        text_put(w->out, "\n");
}

static void put_flaw(const writer *w, const flaw *f, int depth) {
    int indent = 2 + 4 * depth;
    text_add(w->out, "%*s%lld. ", indent, "", (long long)f->id);
    bold(w, f->name);
    text_put(w->out, ": ");
    put_sentence(w, f);
    if (f->end > f->start)
        text_add(w->out, ", %.2f to %.2f s", seconds(f->start), seconds(f->end));
    else
        text_add(w->out, ", at %.2f s", seconds(f->start));
    for (size_t i = 0; i < f->cause_count; i++)
        text_add(w->out, "%s%lld",
                 i == 0                    ? ", because of "
                 : i + 1 == f->cause_count ? " and "
                                           : ", ",
                 (long long)f->causes[i]);
    text_put(w->out, "\n");
    indent += 3;
    put_evidence(w, f, indent);
    if (f->task.id) {
        text_add(w->out, "%*stask %lld, %s\n", indent, "", (long long)f->task.id,
                 f->task.expr ? f->task.expr : "?");
        text_add(w->out, "%*sat %s", indent, "", f->task.path ? f->task.path : "?");
        if (f->task.file)
            text_add(w->out, " (%s:%lld)", f->task.file, (long long)f->task.line);
        text_put(w->out, "\n");
    }
    w->shown[f->id - 1] = true;
}

static bool caused_by(const flaw *f, int64_t cause) {
    for (size_t i = 0; i < f->cause_count; i++)
        if (f->causes[i] == cause)
            return true;
    return false;
}

// What followed from a flaw, each under the first of its causes that is shown.
static void put_consequences(const writer *w, const flaw *cause, int depth) {
    for (size_t i = 0; i < w->d->flaws.count; i++) {
        const flaw *f = &w->d->flaws.items[i];
        if (w->shown[i] || f->recovered || !caused_by(f, cause->id))
            continue;
        put_flaw(w, f, depth);
        put_consequences(w, f, depth + 1);
    }
}

static void put_heading(const writer *w, bool *done, const char *text) {
    if (*done)
        return;
    *done = true;
    text_put(w->out, "\n");
    bold(w, text);
    text_put(w->out, "\n");
}

void diagnosis_text(const diagnosis *d, bool color, text_buffer *out) {
    arena *scratch = arena_create();
    writer w = {d, out, scratch, color, arena_alloc(scratch, d->flaws.count + 1)};
    text_add(out, "%s, seed %lld, episode %lld: ", d->plan ? d->plan : "?", (long long)d->seed,
             (long long)d->episode);
    bold(&w, d->outcome);
    text_add(out, " after %.2f s\n", seconds(d->end));
    if (!d->complete)
        text_put(out, "The episode is incomplete: what is said here holds up to its last instant; "
                      "whether its goals would have been achieved is not known.\n");
    bool first = false, recovered = false, others = false;
    for (size_t i = 0; i < d->flaws.count; i++) {
        const flaw *f = &d->flaws.items[i];
        if (!f->root)
            continue;
        put_heading(&w, &first, "What went wrong first, and what followed");
        put_flaw(&w, f, 0);
        put_consequences(&w, f, 1);
    }
    // Consequences of what was made good.
    for (size_t i = 0; i < d->flaws.count; i++) {
        const flaw *f = &d->flaws.items[i];
        if (w.shown[i] || f->recovered)
            continue;
        put_heading(&w, &others, "What also went wrong");
        put_flaw(&w, f, 0);
        put_consequences(&w, f, 1);
    }
    for (size_t i = 0; i < d->flaws.count; i++) {
        const flaw *f = &d->flaws.items[i];
        if (w.shown[i])
            continue;
        put_heading(&w, &recovered, "What the robot recovered from");
        put_flaw(&w, f, 0);
    }
    if (d->flaws.count == 0)
        text_put(out, d->complete ? "No flaw was found.\n" : "No flaw was found so far.\n");
    arena_destroy(scratch);
}
