// report/page/html.c - the page as a whole: its head, the story of the flaws, and its foot.
#include "report/page/html_int.h"
#include "base/symtab.h"

// The page tells at most this many flaws.
enum { FLAWS_MAX = 600 };

static const char *number_text(html_page *p, int64_t n) {
    return arena_format(p->arena, "%lld", (long long)n);
}

// Returns a copy of the words, in the page's arena, and empties the buffer.
static const char *take_words(html_page *p, text_buffer *words) {
    const char *text = arena_copy(p->arena, text_string(words), words->count);
    words->count = 0;
    return text;
}

// ---- The story
static bool caused_by(const flaw *f, int64_t cause) {
    for (size_t i = 0; i < f->cause_count; i++)
        if (f->causes[i] == cause)
            return true;
    return false;
}

static void put_quote(html_page *p, const flaw_place *at) {
    quote q;
    if (!source_quote(p->d, at, &q))
        return;
    html_fill(p, HTML_QUOTE, NULL);
    const char *line = q.text, *next = NULL;
    for (int64_t n = q.first; n <= q.last; n++, line = next) {
        size_t length = source_line(line, &next);
        size_t skip = q.indent < length ? q.indent : length;
        html_fill(p, HTML_QUOTE_LINE, "class", n == q.at ? "line culprit" : "line", "number",
                  number_text(p, n), "text",
                  arena_format(p->arena, "%.*s", (int)(length - skip), line + skip), NULL);
    }
    html_fill_rest(p, HTML_QUOTE, 1, NULL);
}

static void put_place(html_page *p, const flaw_place *at, const char *how) {
    html_fill(p, HTML_PLACE, "how", how, "path", at->path, NULL);
    if (at->file)
        html_fill(p, HTML_PLACE_FILE, "file", at->file, "line", number_text(p, at->line), NULL);
    html_fill_rest(p, HTML_PLACE, 1, NULL);
    put_quote(p, at);
}

static void put_places(html_page *p, const flaw *f) {
    const flaw_task *t = &f->task;
    if (!t->id)
        return;
    const char *whose = f->whose ? arena_format(p->arena, " of %s", f->whose) : NULL;
    html_fill(p, HTML_TASK, "id", number_text(p, t->id), "whose", whose, "expr", t->at.expr, NULL);
    put_place(p, &t->at, "at");
    if (t->call.file)
        put_place(p, &t->call, "for");
}

// Writes a piece of evidence that is a number, with the threshold that it is held against.
static void put_number(html_page *p, const flaw *f, const flaw_evidence *e) {
    const flaw_evidence *limit = words_threshold(f, e);
    double value = 0, threshold = 0;
    text_buffer words = {0};
    words_key(e->name, &words);
    const char *key = take_words(p, &words);
    words_value(p->d, e, &words);
    html_fill(p, HTML_NUMBER, "key", key, "value", take_words(p, &words), NULL);
    if (limit) {
        words_value(p->d, limit, &words);
        bool over = term_number(e->value, &value) && term_number(limit->value, &threshold) &&
                    value > threshold;
        html_fill(p, HTML_LIMIT, "class", over ? "limit over" : "limit", "value",
                  take_words(p, &words), NULL);
    }
    text_finish(&words);
}

static void put_evidence(html_page *p, const flaw *f) {
    const flaw_evidence **order =
        arena_alloc(p->arena, (f->evidence_count + 1) * sizeof(const flaw_evidence *));
    size_t n = words_evidence(p->d, f, order);
    html_proof *proof = proof_make(p, f, order, n);
    html_fill(p, HTML_EVIDENCE, NULL);
    for (size_t i = 0; i < n; i++) {
        put_number(p, f, order[i]);
        html_fill_rest(p, HTML_NUMBER, 1, NULL);
        proof_put_evidence(p, proof, i);
        html_fill_rest(p, HTML_NUMBER, 2, NULL);
    }
    html_fill_rest(p, HTML_EVIDENCE, 1, "name", f->name, NULL);
    proof_put_flaw(p, proof);
    html_fill_rest(p, HTML_EVIDENCE, 2, NULL);
}

static void put_suggestions(html_page *p, const flaw *f) {
    const diagnosis_plan *of = words_plan(p->d, f);
    for (size_t i = 0; i < f->suggest_count; i++) {
        const flaw_suggestion *s = &f->suggests[i];
        const char *file = arena_format(p->arena, "edits-%lld-%zu.json", (long long)f->id, i + 1);
        const char *in_few = s->in_few;
        if (s->trial) {
            text_buffer words = {0};
            words_trial(s->trial, &words);
            in_few = arena_format(p->arena, "%s (%s)", s->in_few, take_words(p, &words));
            text_finish(&words);
        }
        html_fill(p, HTML_SUGGESTION, "rule", s->rule, "in_few", in_few, "edits", s->edits, "file",
                  file, NULL);
        text_put_base64(p->out, s->edits, strlen(s->edits));
        html_fill_rest(p, HTML_SUGGESTION, 1, "plan",
                       html_shell_word(p, of->file ? of->file : "PLAN.yaml"), "file", file,
                       "mended", html_shell_word(p, words_mended(of, p->arena)), NULL);
    }
}

static void put_causes_and_verdict(html_page *p, const flaw *f) {
    for (size_t i = 0; i < f->cause_count; i++)
        html_fill(p, HTML_CAUSE, "separator", i ? ", " : ", because of ", "id",
                  number_text(p, f->causes[i]), NULL);
    text_buffer words = {0};
    words_verdict(f, &words);
    if (words.count)
        html_fill(p, HTML_VERDICT, "verdict", f->verdict, "words", take_words(p, &words), NULL);
    text_finish(&words);
}

static void put_flaw(html_page *p, const flaw *f, bool *shown) {
    if (f->id > FLAWS_MAX)
        return;
    text_buffer words = {0};
    words_sentence(p->d, f, &words);
    const char *sentence = take_words(p, &words);
    words_time(f, &words);
    html_fill(p, HTML_FLAW, "id", number_text(p, f->id), "class",
              f->root        ? "root"
              : f->recovered ? "fixed"
                             : "follows",
              "sentence", sentence, "name", f->name, "time", take_words(p, &words), NULL);
    text_finish(&words);
    put_causes_and_verdict(p, f);
    html_fill_rest(p, HTML_FLAW, 1, NULL);
    if (p->out->count < HTML_STORY_MAX) {
        put_evidence(p, f);
        if (f->root)
            scene_put(p, f);
        put_places(p, f);
        put_suggestions(p, f);
    }
    html_fill_rest(p, HTML_FLAW, 2, NULL);
    shown[f->id - 1] = true;
}

static void put_consequences(html_page *p, const flaw *cause, bool *shown) {
    bool open = false;
    for (size_t i = 0; i < p->d->flaws.count; i++) {
        const flaw *f = &p->d->flaws.items[i];
        if (shown[i] || f->id > FLAWS_MAX || f->recovered || !caused_by(f, cause->id))
            continue;
        if (!open)
            html_fill(p, HTML_CONSEQUENCES, NULL);
        open = true;
        put_flaw(p, f, shown);
        put_consequences(p, f, shown);
    }
    if (open)
        html_fill_rest(p, HTML_CONSEQUENCES, 1, NULL);
}

static void put_heading(html_page *p, bool *done, const char *text) {
    if (!*done)
        html_fill(p, HTML_HEADING, "text", text, NULL);
    *done = true;
}

// Roots with their consequences; then flaws that no root explains; then what the robot recovered
// from.
static void put_story(html_page *p) {
    const diagnosis *d = p->d;
    bool *shown = arena_alloc(p->arena, d->flaws.count + 1);
    bool first = false, others = false, fixed = false;
    html_fill(p, HTML_STORY, NULL);
    for (int round = 0; round < 3; round++)
        for (size_t i = 0; i < d->flaws.count; i++) {
            const flaw *f = &d->flaws.items[i];
            if (shown[i] || f->id > FLAWS_MAX || (round == 0 && !f->root) ||
                (round == 1 && f->recovered))
                continue;
            if (round == 0)
                put_heading(p, &first, "What went wrong first, and what followed");
            else if (round == 1)
                put_heading(p, &others, "What also went wrong");
            else
                put_heading(p, &fixed, "What the robot recovered from");
            put_flaw(p, f, shown);
            if (round < 2)
                put_consequences(p, f, shown);
        }
    if (d->flaws.count > FLAWS_MAX)
        html_fill(p, HTML_MORE_FLAWS, "count", number_text(p, (int64_t)d->flaws.count - FLAWS_MAX),
                  NULL);
    html_fill_rest(p, HTML_STORY, 1, NULL);
}

// ---- The page
// Returns what became of the plan, and why, as a sentence.
static const char *verdict_text(html_page *p) {
    const diagnosis *d = p->d;
    const flaw *root = NULL;
    size_t roots = 0, fixed = 0;
    for (size_t i = 0; i < d->flaws.count; i++) {
        const flaw *f = &d->flaws.items[i];
        root = f->root && !root ? f : root;
        roots += f->root;
        fixed += f->recovered;
    }
    text_buffer words = {0};
    if (root) {
        words_sentence(d, root, &words);
        text_add(&words, " at %.2f s", seconds(root->start));
        if (roots > 1)
            text_add(&words, "; %zu more went wrong by %s", roots - 1,
                     roots == 2 ? "itself" : "themselves");
        text_put(&words, ".");
    } else if (fixed) {
        text_add(&words, "%zu flaw%s, made good by the robot.", fixed, fixed == 1 ? "" : "s");
    } else {
        text_put(&words, d->complete ? "No flaw was found." : "No flaw was found so far.");
    }
    const char *text = take_words(p, &words);
    text_finish(&words);
    return text;
}

// Writes the page's head and what stands at its top.
static void put_head(html_page *p) {
    const diagnosis *d = p->d;
    const char *title = d->plan ? d->plan : d->log;
    text_buffer words = {0};
    words_outcome(d, &words);
    const char *episode = d->episode ? arena_format(p->arena, "seed %lld, episode %lld of ",
                                                    (long long)d->seed, (long long)d->episode)
                                     : NULL;
    html_fill(p, HTML_PAGE, "title", title, "about",
              p->plays ? "the episode" : "what went wrong, and why", NULL);
    html_style(p->out);
    if (p->plays)
        html_view_style(p->out);
    html_fill_rest(p, HTML_PAGE, 1, "title", title, "outcome", d->outcome, "outcome_words",
                   take_words(p, &words), "episode", episode, "log", d->log, "verdict",
                   verdict_text(p), NULL);
    text_finish(&words);
}

static void put_gaps(html_page *p) {
    if (p->d->gaps.count == 0)
        return;
    html_fill(p, HTML_UNKNOWN, NULL);
    for (size_t i = 0; i < p->d->gaps.count; i++)
        html_fill(p, HTML_GAP, "text", p->d->gaps.items[i].text, NULL);
    html_fill_rest(p, HTML_UNKNOWN, 1, NULL);
}

static void find_movable(html_page *p) {
    ask_rows rows = {0};
    p->movable = symtab_create();
    if (p->ask && ask_all(p->ask, p->arena, "free_body(O).", &rows, NULL) == OK)
        for (size_t i = 0; i < ask_count(&rows); i++) {
            const char *name = ask_at(&rows, i, 0)->term->text;
            symtab_add(p->movable, name, strlen(name));
        }
    array_finish(&rows.values);
}

static status write_page(html_page *p) {
    status st = OK;
    p->arena = arena_create();
    find_movable(p);
    put_head(p);
    if (p->plays)
        stage_put(p);
    put_gaps(p);
    put_story(p);
    if (p->ask) {
        if (p->plays)
            flame_put(p);
        lanes_put(p);
        st = tasks_put(p);
    }
    html_fill_rest(p, HTML_PAGE, 2, "version", FORESEE_VERSION, NULL);
    html_fill(p, HTML_SCRIPT, NULL);
    html_script(p->out);
    html_fill_rest(p, HTML_SCRIPT, 1, NULL);
    if (st == OK && p->plays)
        st = player_put(p);
    html_fill_rest(p, HTML_PAGE, 3, NULL);
    symtab_destroy(p->movable);
    arena_destroy(p->arena);
    return st;
}

status html_write(ask *a, diagnosis *d, const char *rules, text_buffer *out, error *err) {
    return html_write_scaled(a, d, rules, 1, out, err);
}

status html_write_scaled(ask *a, diagnosis *d, const char *rules, double share, text_buffer *out,
                         error *err) {
    html_page p = {
        .ask = a, .d = d, .rules = rules, .out = out, .err = err, .picture_share = share};
    return write_page(&p);
}

status html_view(const html_episode *episodes, size_t count, const char *rules, text_buffer *out,
                 error *err) {
    html_page p = {.ask = episodes[0].ask,
                   .d = episodes[0].d,
                   .rules = rules,
                   .out = out,
                   .err = err,
                   .picture_share = 1,
                   .plays = episodes,
                   .plays_count = count};
    return write_page(&p);
}
