// report/diagnosis/words.c - puts flaws, evidence and suggestions into words for people.
#include <stdio.h>

#include "base/utf8.h"
#include "report/diagnosis/diagnosis_int.h"
#include "base/symtab.h"

#define THRESHOLD "_threshold"

static const flaw_evidence *evidence_of(const flaw *f, const char *name, size_t length) {
    for (size_t i = 0; i < f->evidence_count; i++)
        if (strlen(f->evidence[i].name) == length && memcmp(f->evidence[i].name, name, length) == 0)
            return &f->evidence[i];
    return NULL;
}

// Returns whether the first `n` bytes of a key end in this ending.
static bool ends_in(const char *key, size_t n, const char *ending) {
    size_t m = strlen(ending);
    return n >= m && memcmp(key + n - m, ending, m) == 0 && (n == m || key[n - m - 1] == '_');
}

static size_t without_threshold(const char *key) {
    size_t n = strlen(key), m = strlen(THRESHOLD);
    return n > m && strcmp(key + n - m, THRESHOLD) == 0 ? n - m : n;
}

// Returns the unit of a key: the unit with the longest ending that fits it; NULL: none fits.
static const evidence_unit *unit_of(const diagnosis *d, const char *key) {
    const evidence_unit *best = NULL;
    size_t n = without_threshold(key);
    for (size_t i = 0; i < d->units.count; i++) {
        const evidence_unit *u = &d->units.items[i];
        if (ends_in(key, n, u->ending) && (!best || strlen(u->ending) > strlen(best->ending)))
            best = u;
    }
    return best;
}

static void put_value(const diagnosis *d, const char *key, const term *value, text_buffer *out) {
    double number;
    int64_t items = term_list_length(value);
    for (int64_t i = 0; i < items; i++) {
        text_put(out, text_joint((size_t)i, (size_t)items, " and "));
        put_value(d, key, term_list_item(value, (size_t)i), out);
    }
    if (items > 0)
        return;
    if (items == 0) {
        text_put(out, "nothing");
        return;
    }
    if (term_number(value, &number)) {
        const evidence_unit *u = unit_of(d, key);
        text_add(out, "%.4g%s%s", number * (u ? u->scale : 1), u ? " " : "", u ? u->unit : "");
        return;
    }
    if (value->kind == TERM_STRING) {
        text_put(out, value->text);
        return;
    }
    arena *scratch = arena_create();
    text_put(out, term_text(scratch, value));
    arena_destroy(scratch);
}

void words_value(const diagnosis *d, const flaw_evidence *e, text_buffer *out) {
    double number;
    if (e->is_time && term_number(e->value, &number))
        text_add(out, "%.2f s", number);
    else
        put_value(d, e->name, e->value, out);
}

void words_key(const char *key, text_buffer *out) {
    for (const char *c = key; *c; c++)
        text_add(out, "%c", *c == '_' ? ' ' : *c);
}

void words_time(const flaw *f, text_buffer *out) {
    if (f->end > f->start)
        text_add(out, "%.2f to %.2f s", seconds(f->start), seconds(f->end));
    else
        text_add(out, "at %.2f s", seconds(f->start));
}

// Writes a flaw whose kind has no sentence: its name and its bodies.
static void name_bodies(const flaw *f, text_buffer *out) {
    for (size_t i = 0; i < f->body_count; i++)
        text_add(out, "%s%s", i ? ", " : "", f->bodies[i]);
    if (f->body_count)
        return;
    arena *scratch = arena_create();
    text_put(out, term_text(scratch, f->term));
    arena_destroy(scratch);
}

// Fills the places $1 ... and $key in the flaw's sentence.
void words_sentence(const diagnosis *d, const flaw *f, text_buffer *out) {
    int64_t which = symtab_find(d->named, f->name, strlen(f->name));
    if (which < 0) {
        name_bodies(f, out);
        return;
    }
    const char *text = d->sentences[which];
    while (*text) {
        size_t plain = strcspn(text, "$");
        text_add(out, "%.*s", (int)plain, text);
        text += plain;
        if (*text != '$')
            break;
        text++;
        size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789");
        const flaw_evidence *e = evidence_of(f, text, length);
        size_t number =
            length == 1 && *text >= '1' && *text <= '9' ? (size_t)(*text - '1') : SIZE_MAX;
        if (number < f->body_count)
            text_put(out, f->bodies[number]);
        else if (e)
            words_value(d, e, out);
        else
            text_put(out, "something");
        text += length;
    }
}

// ---- Evidence in the order in which readers want it
const flaw_evidence *words_threshold(const flaw *f, const flaw_evidence *e) {
    char name[160];
    int n = snprintf(name, sizeof name, "%s" THRESHOLD, e->name);
    return n > 0 && (size_t)n < sizeof name ? evidence_of(f, name, (size_t)n) : NULL;
}

// Returns whether the sentence of the flaw names a piece of evidence.
static bool in_sentence(const diagnosis *d, const flaw *f, const char *name) {
    int64_t which = symtab_find(d->named, f->name, strlen(f->name));
    for (const char *at = which < 0 ? NULL : strchr(d->sentences[which], '$'); at;
         at = strchr(at + 1, '$')) {
        size_t length = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_0123456789");
        if (length == strlen(name) && memcmp(at + 1, name, length) == 0)
            return true;
    }
    return false;
}

// Returns whether a piece of evidence is told by itself: a threshold is told beside its number, and
// a name or a text that the sentence says is not told twice.
static bool stands_alone(const diagnosis *d, const flaw *f, const flaw_evidence *e) {
    size_t n = without_threshold(e->name);
    double number;
    bool told = !term_number(e->value, &number) && in_sentence(d, f, e->name);
    return strcmp(e->name, "goal") != 0 && !told && (!e->name[n] || !evidence_of(f, e->name, n));
}

size_t words_evidence(const diagnosis *d, const flaw *f, const flaw_evidence **order) {
    size_t count = 0;
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < f->evidence_count; i++) {
            const flaw_evidence *e = &f->evidence[i];
            if (stands_alone(d, f, e) && (words_threshold(f, e) != NULL) == (round == 0))
                order[count++] = e;
        }
    return count;
}

// ---- Outcome and verdict
void words_outcome(const diagnosis *d, text_buffer *out) {
    if (d->episode == 0)
        text_put(out, "no episode");
    else if (strcmp(d->outcome, "incomplete") == 0)
        text_add(out, "incomplete, cut off at %.2f s", seconds(d->end));
    else if (strcmp(d->outcome, "unjudged") == 0)
        text_add(out, "ended after %.2f s, not judged", seconds(d->end));
    else
        text_add(out, "%s after %.2f s", d->outcome, seconds(d->end));
}

void words_verdict(const flaw *f, text_buffer *out) {
    const flaw_verification *v = f->verification;
    if (!v && strcmp(f->verdict, "unverified") == 0)
        return;
    text_put(out, f->verdict);
    if (v && v->change) {
        bool refuted = strcmp(f->verdict, "refuted") == 0;
        text_add(out, ": %s with %s",
                 v->gone   ? "gone"
                 : refuted ? "still there"
                           : "unknown",
                 v->change);
        if (v->placebos)
            text_add(out, ", still there in %d of %d placebos (%s)", v->still, v->placebos,
                     v->stream ? v->stream : "noise");
    } else if (v && !v->note) {
        text_put(out, ": no intervention removes its cause");
    }
    if (v && v->note)
        text_add(out, ": %s", v->note);
}

// ---- Edits
static const term *value_under(const term *map, const char *key) {
    int64_t n = term_list_length(map);
    for (int64_t i = 0; i < n; i++)
        if (term_is(term_list_item(map, (size_t)i), key, 1))
            return term_list_item(map, (size_t)i)->args[0];
    return NULL;
}

static const char *short_text(arena *a, const term *t) {
    enum { LENGTH_MAX = 48, PATH_LENGTH_MAX = 26 };
    const char *text = t->kind == TERM_SYMBOL || t->kind == TERM_STRING ? t->text : term_text(a, t);
    size_t n = strlen(text);
    if (n <= LENGTH_MAX)
        return text;
    // The end of a path tells more than its beginning.
    if (!strpbrk(text, " (")) {
        const char *slash = strchr(text + n - PATH_LENGTH_MAX, '/');
        if (slash && slash[1])
            return arena_format(a, "...%s", slash);
    }
    return arena_format(a, "%.*s...", (int)utf8_begin(text, LENGTH_MAX), text);
}

const diagnosis_plan *words_plan(const diagnosis *d, const flaw *f) {
    for (size_t i = 1; f->plan && i < d->plans.count; i++)
        if (strcmp(d->plans.items[i].root, f->plan) == 0)
            return &d->plans.items[i];
    return d->plans.items;
}

const char *words_mended(const diagnosis_plan *p, arena *a) {
    const char *slash = p->file ? strrchr(p->file, '/') : NULL;
    return arena_format(a, "%.*smended.yaml", slash ? (int)(slash - p->file) + 1 : 0,
                        p->file ? p->file : "");
}

// Returns a step in few words: its construct, with its argument where that is short.
static const char *step_in_few(arena *a, const term *step) {
    int64_t n = term_list_length(step);
    for (int64_t i = 0; i < n; i++) {
        const term *entry = term_list_item(step, (size_t)i);
        if (term_list_length(entry) >= 0)
            return "steps";
        if (entry->kind != TERM_COMPOUND || entry->arity != 1)
            return short_text(a, entry);
        if (strcmp(entry->text, "tag") == 0 || strcmp(entry->text, "reason") == 0)
            continue;
        bool simple = term_list_length(entry->args[0]) < 0;
        return simple ? arena_format(a, "%s: %s", entry->text, short_text(a, entry->args[0]))
                      : entry->text;
    }
    return n < 0 ? short_text(a, step) : "a step";
}

static const char *edit_in_few(arena *a, const term *edit) {
    const term *first = term_list_length(edit) > 0 ? term_list_item(edit, 0) : edit;
    if (first->kind != TERM_COMPOUND || first->arity != 1)
        return short_text(a, first);
    const char *target = short_text(a, first->args[0]), *kind = first->text;
    const term *value = value_under(edit, "value"), *step = value_under(edit, "step"),
               *in = value_under(edit, "in");
    if (strcmp(kind, "set_parameter") == 0 && value)
        return arena_format(a, "set %s to %s", target, short_text(a, value));
    if (strcmp(kind, "set_projection") == 0 && value)
        return arena_format(a, "set %s of the projection to %s", target, short_text(a, value));
    if (strcmp(kind, "replace") == 0 && step)
        return arena_format(a, "replace %s by %s", target, step_in_few(a, step));
    if (strcmp(kind, "wrap") == 0 && in)
        return arena_format(a, "wrap %s in %s", target, step_in_few(a, in));
    if (strncmp(kind, "insert_", 7) == 0 && step)
        return arena_format(a, "insert %s %s %s", step_in_few(a, step), kind + 7, target);
    text_buffer words = {0};
    words_key(kind, &words);
    const char *text = arena_format(a, "%.*s %s", (int)words.count, words.items, target);
    text_finish(&words);
    return text;
}

// Returns whether an edit sets a key of a step, with the step, the key and the value.
static bool sets_property(const term *edit, const term **step, const term **key,
                          const term **value) {
    const term *first = term_list_length(edit) > 0 ? term_list_item(edit, 0) : edit;
    if (!term_is(first, "set_property", 1))
        return false;
    *step = first->args[0];
    *key = value_under(edit, "key");
    *value = value_under(edit, "value");
    return *key && *value;
}

const char *words_edits(arena *a, const term *edits) {
    const char *text = "";
    int64_t n = term_list_length(edits);
    for (int64_t i = 0; i < n; i++) {
        const term *step, *key, *value, *next, *more;
        const char *one = edit_in_few(a, term_list_item(edits, (size_t)i));
        // Several keys of one step are told at once.
        if (sets_property(term_list_item(edits, (size_t)i), &step, &key, &value)) {
            one = arena_format(a, "in %s set %s to %s", short_text(a, step), short_text(a, key),
                               short_text(a, value));
            for (; i + 1 < n &&
                   sets_property(term_list_item(edits, (size_t)i + 1), &next, &key, &more) &&
                   term_equal(next, step);
                 i++)
                one = arena_format(a, "%s and %s to %s", one, short_text(a, key),
                                   short_text(a, more));
        }
        text = arena_format(a, "%s%s%s", text, *text ? ", " : "", one);
    }
    return text;
}
