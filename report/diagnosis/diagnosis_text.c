// report/diagnosis/diagnosis_text.c - writes a diagnosis as text for people.
#include <stdio.h>

#include "report/diagnosis/diagnosis_int.h"
#include "report/shell.h"

// A change of style before a byte of the text. Styles are kept apart from the text, so that what
// comes from a log cannot bring its own.
typedef struct style {
    size_t at;
    const char *code;
} style;

typedef struct writer {
    const diagnosis *d;
    text_buffer *out; // the text without styles, with what the log has as it is
    ARRAY(style) styles;
    arena *scratch;
    bool color;
    size_t columns;    // of a line of numbers, at most
    bool *shown;       // by flaw: it was told
    int64_t first_try; // the first flaw that suggests edits; 0: none does
    ARRAY(quote) quoted;
} writer;

// ---- Styles
static void put_styled(writer *w, const char *code, const char *text) {
    array_push(&w->styles, (style){w->out->count, code});
    text_put(w->out, text);
    array_push(&w->styles, (style){w->out->count, "0"});
}

static void put_bold(writer *w, const char *text) {
    put_styled(w, "1", text);
}

static void put_blanks(const writer *w, int count) {
    text_add(w->out, "%*s", count, "");
}

static bool same_place(const flaw_place *a, const flaw_place *b) {
    return a->line == b->line && a->file && b->file && strcmp(a->file, b->file) == 0;
}

// ---- Parts of a flaw
// Writes "drift 41 mm (threshold 5 mm)": a number with the threshold that it is held against.
static void put_number(const writer *w, const flaw *f, const flaw_evidence *e, text_buffer *out) {
    words_key(e->name, out);
    text_put(out, " ");
    words_value(w->d, e, out);
    const flaw_evidence *limit = words_threshold(f, e);
    if (limit) {
        text_put(out, " (threshold ");
        words_value(w->d, limit, out);
        text_put(out, ")");
    }
}

static void put_evidence(const writer *w, const flaw *f, int indent) {
    const flaw_evidence **order =
        arena_alloc(w->scratch, (f->evidence_count + 1) * sizeof(const flaw_evidence *));
    size_t n = words_evidence(w->d, f, order), column = 0;
    text_buffer one = {0};
    for (size_t i = 0; i < n; i++) {
        one.count = 0;
        put_number(w, f, order[i], &one);
        bool fits = column > 0 && column + 2 + one.count <= w->columns;
        text_put(w->out, column == 0 ? "" : fits ? ", " : ",\n");
        if (!fits) {
            put_blanks(w, indent);
            column = (size_t)indent;
        }
        text_put_bytes(w->out, text_string(&one), one.count);
        column += one.count + 2;
    }
    text_put(w->out, n ? "\n" : "");
    text_finish(&one);
}

// Quotes the lines of a step as compilers do; each place is quoted once.
static void put_quote(writer *w, const flaw_place *p, int indent) {
    enum { LINE_MAX = 160 };
    quote q;
    if (!source_quote(w->d, p, &q))
        return;
    for (size_t i = 0; i < w->quoted.count; i++)
        if (w->quoted.items[i].text == q.text)
            return;
    array_push(&w->quoted, q);
    const char *at = q.text, *next = NULL;
    for (int64_t line = q.first; line <= q.last; line++, at = next) {
        size_t n = source_line(at, &next), skip = q.indent < n ? q.indent : n;
        bool cut = n - skip > LINE_MAX;
        put_blanks(w, indent);
        text_add(w->out, "%s %4lld | ", line == q.at ? ">" : " ", (long long)line);
        const char *code = arena_format(w->scratch, "%.*s%s", (int)(cut ? LINE_MAX : n - skip),
                                        at + skip, cut ? "..." : "");
        put_styled(w, line == q.at ? "1" : "0", code);
        text_put(w->out, "\n");
    }
}

static void put_place(writer *w, const flaw_place *p, const char *how, int indent) {
    put_blanks(w, indent);
    text_add(w->out, "%s %s", how, p->path ? p->path : "?");
    if (p->file)
        text_add(w->out, " (%s:%lld)", p->file, (long long)p->line);
    text_put(w->out, "\n");
    put_quote(w, p, indent);
}

static void put_task(writer *w, const flaw *f, int indent) {
    if (!f->task.id)
        return;
    put_blanks(w, indent);
    text_add(w->out, "task %lld%s%s, %s\n", (long long)f->task.id, f->whose ? " of " : "",
             f->whose ? f->whose : "", f->task.at.expr ? f->task.at.expr : "?");
    put_place(w, &f->task.at, "at", indent);
    if (f->task.call.file && !same_place(&f->task.at, &f->task.call))
        put_place(w, &f->task.call, "for", indent);
}

// Returns the flaw that was told already and suggests the very same edits; NULL: none.
static const flaw *said_by(const writer *w, const flaw_suggestion *s) {
    for (size_t i = 0; i < w->d->flaws.count; i++) {
        const flaw *f = &w->d->flaws.items[i];
        for (size_t k = 0; w->shown[i] && k < f->suggest_count; k++)
            if (strcmp(f->suggests[k].rule, s->rule) == 0 &&
                strcmp(f->suggests[k].edits, s->edits) == 0)
                return f;
    }
    return NULL;
}

static void put_suggestions(writer *w, const flaw *f, int indent) {
    for (size_t i = 0; i < f->suggest_count; i++) {
        const flaw_suggestion *s = &f->suggests[i];
        const flaw *before = said_by(w, s);
        put_blanks(w, indent);
        put_styled(w, "32", "try ");
        if (before)
            text_add(w->out, "%s, as for %lld", s->rule, (long long)before->id);
        else
            text_add(w->out, "%s: %s", s->rule, s->in_few);
        text_add(w->out, " [%lld.%zu]\n", (long long)f->id, i + 1);
        if (s->trial) {
            put_blanks(w, indent + 4);
            words_trial(s->trial, w->out);
            text_put(w->out, "\n");
        }
        w->first_try = w->first_try ? w->first_try : f->id;
    }
}

static void put_flaw(writer *w, const flaw *f, int depth) {
    int indent = 2 + 4 * depth;
    put_blanks(w, indent);
    text_add(w->out, "%lld. ", (long long)f->id);
    put_styled(w, f->root ? "1;31" : "1", f->name);
    text_put(w->out, ": ");
    words_sentence(w->d, f, w->out);
    text_put(w->out, ", ");
    words_time(f, w->out);
    for (size_t i = 0; i < f->cause_count; i++)
        text_add(w->out, "%s%lld",
                 i == 0 ? ", because of " : text_joint(i, f->cause_count, " and "),
                 (long long)f->causes[i]);
    text_put(w->out, "\n");
    indent += 3;
    put_evidence(w, f, indent);
    if (f->doubt) {
        put_blanks(w, indent);
        text_add(w->out, "doubtful, below full fidelity: %s\n", f->doubt);
    }
    put_task(w, f, indent);
    put_suggestions(w, f, indent);
    text_buffer verdict = {0};
    words_verdict(f, &verdict);
    if (verdict.count) {
        put_blanks(w, indent);
        text_add(w->out, "%.*s\n", (int)verdict.count, verdict.items);
    }
    text_finish(&verdict);
    w->shown[f->id - 1] = true;
}

// ---- The whole text
static bool caused_by(const flaw *f, int64_t cause) {
    for (size_t i = 0; i < f->cause_count; i++)
        if (f->causes[i] == cause)
            return true;
    return false;
}

// Writes the consequences of a flaw, each under the first of its causes that is told.
static void put_consequences(writer *w, const flaw *cause, int depth) {
    for (size_t i = 0; i < w->d->flaws.count; i++) {
        const flaw *f = &w->d->flaws.items[i];
        if (w->shown[i] || f->recovered || !caused_by(f, cause->id))
            continue;
        put_flaw(w, f, depth);
        put_consequences(w, f, depth + 1);
    }
}

static void put_heading(writer *w, bool *done, const char *text) {
    if (*done)
        return;
    *done = true;
    text_put(w->out, "\n");
    put_bold(w, text);
    text_put(w->out, "\n");
}

static void put_flaws(writer *w) {
    const diagnosis *d = w->d;
    bool first = false, recovered = false, others = false;
    for (size_t i = 0; i < d->flaws.count; i++) {
        const flaw *f = &d->flaws.items[i];
        if (!f->root)
            continue;
        put_heading(w, &first, "What went wrong first, and what followed");
        put_flaw(w, f, 0);
        put_consequences(w, f, 1);
    }
    // Consequences of flaws that the robot recovered from.
    for (size_t i = 0; i < d->flaws.count; i++) {
        const flaw *f = &d->flaws.items[i];
        if (w->shown[i] || f->recovered)
            continue;
        put_heading(w, &others, "What also went wrong");
        put_flaw(w, f, 0);
        put_consequences(w, f, 1);
    }
    for (size_t i = 0; i < d->flaws.count; i++) {
        const flaw *f = &d->flaws.items[i];
        if (w->shown[i])
            continue;
        put_heading(w, &recovered, "What the robot recovered from");
        put_flaw(w, f, 0);
    }
}

static void put_gaps(writer *w) {
    bool heading = false;
    for (size_t i = 0; i < w->d->gaps.count; i++) {
        put_heading(w, &heading, "What the log cannot tell");
        text_add(w->out, "  - %s\n", w->d->gaps.items[i].text);
    }
}

// Writes a command line that can be pasted into a shell in the current folder.
static void put_how_to_apply(writer *w) {
    const diagnosis *d = w->d;
    if (!w->first_try)
        return;
    const diagnosis_plan *p = words_plan(d, &d->flaws.items[w->first_try - 1]);
    const char *plan = p->file ? p->file : "PLAN.yaml", *mended = words_mended(p, w->scratch);
    text_put(w->out, "\n");
    put_bold(w, "To try a suggestion");
    text_put(w->out, "\n  foresee edit ");
    if (!p->file || p->changed) {
        shell_word(w->out, plan);
        text_put(w->out, " ");
    }
    text_put(w->out, "--from ");
    shell_word(w->out, arena_format(w->scratch, "%s:%lld:%lld.1", d->log, (long long)d->episode,
                                    (long long)w->first_try));
    for (size_t i = 0; i < d->rule_count; i++) {
        text_put(w->out, " -f ");
        shell_word(w->out, d->rules[i]);
    }
    text_put(w->out, " -o ");
    shell_word(w->out, mended);
    text_put(w->out, "\n");
    if (!p->file)
        text_add(w->out, "PLAN.yaml stands for the path of %s, which is not below this folder.\n",
                 p->name ? p->name : "the plan");
    else if (p->changed)
        text_add(w->out, "%s has changed since the episode; the edits may not fit it.\n", plan);
    if (p != d->plans.items && p->robot)
        text_add(w->out, "This is the plan of %s, for which %s names the file.\n", p->robot,
                 d->plan ? d->plan : "the plan");
}

// Writes the text with its styles; what came from the log cannot steer the terminal.
static void put_with_styles(const writer *w, text_buffer *out) {
    size_t at = 0;
    for (size_t i = 0; i < w->styles.count; i++) {
        const style *s = &w->styles.items[i];
        text_put_shown(out, w->out->items + at, s->at - at);
        at = s->at;
        if (w->color)
            text_add(out, "\033[%sm", s->code);
    }
    text_put_shown(out, w->out->items + at, w->out->count - at);
}

void diagnosis_text(const diagnosis *d, bool color, size_t columns, text_buffer *out) {
    arena *scratch = arena_create();
    text_buffer text = {0}, outcome = {0};
    writer w = {.d = d,
                .out = &text,
                .scratch = scratch,
                .color = color,
                .columns = columns && columns < 100 ? columns : 100};
    w.shown = arena_alloc(scratch, d->flaws.count + 1);
    words_outcome(d, &outcome);
    if (d->episode)
        text_add(w.out, "%s, seed %lld, episode %lld: ", d->plan ? d->plan : "?",
                 (long long)d->seed, (long long)d->episode);
    else
        text_add(w.out, "%s: ", d->log);
    put_bold(&w, text_string(&outcome));
    text_put(w.out, "\n");
    text_finish(&outcome);
    put_flaws(&w);
    if (d->flaws.count == 0)
        text_put(w.out, d->complete ? "No flaw was found.\n" : "No flaw was found so far.\n");
    put_gaps(&w);
    text_buffer story = {0};
    put_with_styles(&w, &story);
    text_put_folded(out, text_string(&story), story.count, columns, false);
    text_finish(&story);
    text.count = w.styles.count = 0;
    put_how_to_apply(&w); // lines to be pasted are not folded
    put_with_styles(&w, out);
    array_finish(&w.quoted);
    array_finish(&w.styles);
    text_finish(&text);
    arena_destroy(scratch);
}
