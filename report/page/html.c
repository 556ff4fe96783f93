#include "report/page/html_int.h"

// How many flaws the page tells at all.
enum { FLAWS_MOST = 600 };

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
    text_put(p->out, "<pre class=\"plan\">");
    const char *line = q.text, *next = NULL;
    for (int64_t n = q.first; n <= q.last; n++, line = next) {
        size_t length = source_line(line, &next);
        text_add(p->out, "<span class=\"%s\"><i>%lld</i>", n == q.at ? "line culprit" : "line",
                 (long long)n);
        size_t skip = q.indent < length ? q.indent : length;
        html_bytes(p->out, line + skip, length - skip);
        text_put(p->out, "\n</span>");
    }
    text_put(p->out, "</pre>");
}

static void put_place(html_page *p, const flaw_place *at, const char *how) {
    text_add(p->out, "<p class=\"place\">%s <code>", how);
    html_put(p->out, at->path);
    text_put(p->out, "</code>");
    if (at->file) {
        text_put(p->out, " <span class=\"src\">");
        html_put(p->out, at->file);
        text_add(p->out, ":%lld</span>", (long long)at->line);
    }
    text_put(p->out, "</p>");
    put_quote(p, at);
}

void places_put(html_page *p, const flaw_task *t) {
    if (!t->id)
        return;
    text_add(p->out, "<p class=\"step\">Task %lld, <code>", (long long)t->id);
    html_put(p->out, t->at.expr);
    text_put(p->out, "</code></p>");
    put_place(p, &t->at, "at");
    if (t->call.file)
        put_place(p, &t->call, "for");
}

// A number, with the one that it is held against as a bar; its proof unfolds below.
static void put_number(html_page *p, const flaw *f, const flaw_evidence *e) {
    const flaw_evidence *limit = words_threshold(f, e);
    double value = 0, most = 0;
    text_buffer words = {0};
    text_put(p->out, "<span class=\"k\">");
    words_key(e->name, &words);
    html_bytes(p->out, words.items, words.count);
    text_put(p->out, "</span> <b>");
    words.count = 0;
    words_value(p->d, e, &words);
    html_bytes(p->out, words.items, words.count);
    text_put(p->out, "</b>");
    if (limit) {
        words.count = 0;
        words_value(p->d, limit, &words);
        bool over =
            term_number(e->value, &value) && term_number(limit->value, &most) && value > most;
        text_add(p->out, " <span class=\"%s\">threshold ", over ? "limit over" : "limit");
        html_bytes(p->out, words.items, words.count);
        text_put(p->out, "</span>");
    }
    array_finish(&words);
}

static void put_evidence(html_page *p, const flaw *f) {
    const flaw_evidence **order =
        arena_alloc(p->arena, (f->evidence_count + 1) * sizeof(const flaw_evidence *));
    size_t n = words_evidence(f, order);
    html_proof *proof = proof_make(p, f, order, n);
    text_put(p->out, "<div class=\"evidence\">");
    for (size_t i = 0; i < n; i++) {
        text_put(p->out, "<details class=\"ev\"><summary>");
        put_number(p, f, order[i]);
        text_put(p->out, "</summary>");
        proof_put_evidence(p, proof, i);
        text_put(p->out, "</details>");
    }
    text_put(p->out, "<details class=\"ev\"><summary><span class=\"k\">why it is called ");
    html_put(p->out, f->name);
    text_put(p->out, "</span></summary>");
    proof_put_flaw(p, proof);
    text_put(p->out, "</details></div>");
}

static void put_suggestions(html_page *p, const flaw *f) {
    for (size_t i = 0; i < f->suggest_count; i++) {
        const flaw_suggestion *s = &f->suggests[i];
        text_put(p->out, "<details class=\"try\"><summary><b>Try ");
        html_put(p->out, s->rule);
        text_put(p->out, "</b> ");
        html_put(p->out, s->in_few);
        text_put(p->out, "</summary><pre class=\"edits\">");
        html_put(p->out, s->edits);
        text_add(p->out,
                 "</pre><p><button class=\"copy js\" type=\"button\">Copy</button> <a "
                 "download=\"edits-%lld-%zu.json\" href=\"data:application/json;base64,",
                 (long long)f->id, i + 1);
        html_base64(p->out, (const unsigned char *)s->edits, strlen(s->edits));
        text_put(p->out, "\">Save</a>, then <code>foresee edit ");
        html_shell_word(p, p->d->plan_file ? p->d->plan_file : "PLAN.yaml");
        text_add(p->out, " edits-%lld-%zu.json -o ", (long long)f->id, i + 1);
        html_shell_word(p, words_mended(p->d, p->arena));
        text_put(p->out, "</code></p></details>");
    }
}

static void put_flaw(html_page *p, const flaw *f, bool *shown) {
    if (f->id > FLAWS_MOST)
        return;
    text_add(p->out,
             "<article id=\"flaw-%lld\" class=\"flaw %s\"><h3><span class=\"no\">%lld</span> ",
             (long long)f->id,
             f->root        ? "root"
             : f->recovered ? "fixed"
                            : "follows",
             (long long)f->id);
    text_buffer words = {0};
    words_sentence(p->d, f, &words);
    html_bytes(p->out, words.items, words.count);
    text_put(p->out, "</h3><p class=\"meta\"><span class=\"name\">");
    html_put(p->out, f->name);
    text_put(p->out, "</span> ");
    words_time(f, p->out);
    for (size_t i = 0; i < f->cause_count; i++)
        text_add(p->out, "%s<a href=\"#flaw-%lld\">%lld</a>", i ? ", " : ", because of ",
                 (long long)f->causes[i], (long long)f->causes[i]);
    words.count = 0;
    words_verdict(f, &words);
    if (words.count) {
        text_put(p->out, " <span class=\"verdict ");
        html_put(p->out, f->verdict);
        text_put(p->out, "\">");
        html_bytes(p->out, words.items, words.count);
        text_put(p->out, "</span>");
    }
    array_finish(&words);
    text_put(p->out, "</p>");
    if (p->out->count < HTML_STORY_MOST) {
        put_evidence(p, f);
        if (f->root)
            scene_put(p, f);
        places_put(p, &f->task);
        put_suggestions(p, f);
    }
    text_put(p->out, "</article>\n");
    shown[f->id - 1] = true;
}

static void put_consequences(html_page *p, const flaw *cause, bool *shown) {
    bool open = false;
    for (size_t i = 0; i < p->d->flaws.count; i++) {
        const flaw *f = &p->d->flaws.items[i];
        if (shown[i] || f->id > FLAWS_MOST || f->recovered || !caused_by(f, cause->id))
            continue;
        text_put(p->out, open ? "" : "<div class=\"then\">");
        open = true;
        put_flaw(p, f, shown);
        put_consequences(p, f, shown);
    }
    text_put(p->out, open ? "</div>\n" : "");
}

static void put_heading(html_page *p, bool *done, const char *text) {
    if (!*done)
        text_add(p->out, "<h2>%s</h2>", text);
    *done = true;
}

static void put_story(html_page *p) {
    const diagnosis *d = p->d;
    bool *shown = arena_alloc(p->arena, d->flaws.count + 1);
    bool first = false, others = false, fixed = false;
    text_put(p->out, "<section id=\"story\">");
    for (int round = 0; round < 3; round++)
        for (size_t i = 0; i < d->flaws.count; i++) {
            const flaw *f = &d->flaws.items[i];
            if (shown[i] || f->id > FLAWS_MOST || (round == 0 && !f->root) ||
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
    if (d->flaws.count > FLAWS_MOST)
        text_add(p->out,
                 "<p class=\"dim\">And %zu more: <code>foresee diagnose --format json</code> has "
                 "them.</p>",
                 d->flaws.count - FLAWS_MOST);
    text_put(p->out, "</section>\n");
}

// ---- Head and foot
static void put_lines(text_buffer *out, const char *const *lines) {
    for (; *lines; lines++) {
        text_put(out, *lines);
        text_put(out, "\n");
    }
}

// What became of the plan and why, in a sentence.
static void put_verdict(html_page *p) {
    const diagnosis *d = p->d;
    const flaw *root = NULL;
    size_t roots = 0, fixed = 0;
    for (size_t i = 0; i < d->flaws.count; i++) {
        const flaw *f = &d->flaws.items[i];
        root = f->root && !root ? f : root;
        roots += f->root;
        fixed += f->recovered;
    }
    text_put(p->out, "<p class=\"lead\">");
    text_buffer words = {0};
    if (root) {
        words_sentence(d, root, &words);
        html_bytes(p->out, words.items, words.count);
        text_add(p->out, " at %.2f s", seconds(root->start));
        if (roots > 1)
            text_add(p->out, "; %zu more went wrong by %s", roots - 1,
                     roots == 2 ? "itself" : "themselves");
        text_put(p->out, ".");
    } else if (fixed) {
        text_add(p->out, "%zu flaw%s, made good by the robot.", fixed, fixed == 1 ? "" : "s");
    } else {
        text_put(p->out, d->complete ? "No flaw was found." : "No flaw was found so far.");
    }
    array_finish(&words);
    text_put(p->out, "</p>");
}

static void put_head(html_page *p) {
    const diagnosis *d = p->d;
    const char *title = d->plan ? d->plan : d->log;
    text_put(p->out,
             "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
             // Whoever opens the page can be sure that it asks nobody for anything.
             "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
             "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action "
             "'none'\"><meta "
             "name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta "
             "name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" "
             "href=\"data:,\"><title>");
    html_put(p->out, title);
    text_put(p->out, ": what went wrong, and why</title><style>\n");
    put_lines(p->out, HTML_STYLE);
    text_put(p->out, "</style></head><body><header><div class=\"top\"><h1>");
    html_put(p->out, title);
    text_put(p->out, "</h1><button id=\"theme\" class=\"js\" type=\"button\">Dark or "
                     "light</button></div><p class=\"meta\"><span class=\"badge ");
    html_put(p->out, d->outcome);
    text_put(p->out, "\">");
    text_buffer words = {0};
    words_outcome(d, &words);
    html_bytes(p->out, words.items, words.count);
    array_finish(&words);
    text_put(p->out, "</span> ");
    if (d->episode)
        text_add(p->out, "seed %lld, episode %lld of ", (long long)d->seed, (long long)d->episode);
    text_put(p->out, "<code>");
    html_put(p->out, d->log);
    text_put(p->out, "</code></p>");
    put_verdict(p);
    text_put(p->out, "</header><main>\n");
}

static void put_gaps(html_page *p) {
    if (p->d->gaps.count == 0)
        return;
    text_put(p->out, "<section id=\"unknown\"><h2>What the log cannot tell</h2><ul>");
    for (size_t i = 0; i < p->d->gaps.count; i++) {
        text_put(p->out, "<li>");
        html_put(p->out, p->d->gaps.items[i].text);
        text_put(p->out, "</li>");
    }
    text_put(p->out, "</ul></section>\n");
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

status html_write(ask *a, diagnosis *d, const char *rules, text_buffer *out, error *err) {
    return html_write_scaled(a, d, rules, 1, out, err);
}

status html_write_scaled(ask *a, diagnosis *d, const char *rules, double share, text_buffer *out,
                         error *err) {
    html_page p = {.ask = a,
                   .d = d,
                   .rules = rules,
                   .out = out,
                   .err = err,
                   .picture_share = share,
                   .arena = arena_create()};
    status st = OK;
    find_movable(&p);
    put_head(&p);
    put_gaps(&p);
    put_story(&p);
    if (a) {
        lanes_put(&p);
        st = tasks_put(&p);
    }
    text_put(out, "</main><footer>foresee " FORESEE_VERSION
                  ". Every number unfolds to what it rests on.</footer><script>\n");
    put_lines(out, HTML_SCRIPT);
    text_put(out, "</script></body></html>\n");
    symtab_destroy(p.movable);
    arena_destroy(p.arena);
    return st;
}
