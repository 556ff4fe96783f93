// report/page/proof.c - proofs as lists that unfold, from a number down to the rows of the log.
#include <stdio.h>

#include "query/why/proof.h"
#include "report/page/html_int.h"

enum { PARTS_MOST = 5, DEPTH_MOST = 12, STEPS_MOST = 220, STEPS_FEW = 30 };
#define PROOFS_MOST ((size_t)700 << 10) // bytes of the page; from then on each has few steps

struct html_proof {
    const char *flaw;       // the flaw's own goal
    const proof *whole;     // NULL: none could be made
    const proof **evidence; // by the order it was asked in; NULL: none
    size_t count;
    size_t steps, most; // written so far, of the present one
};

// The goals of a conjunction that was proved, one by one.
static const proof *part_of(const proof *all, size_t i) {
    if (all->kind != PROOF_ANSWER)
        return i == 0 ? all : NULL;
    return i < all->part_count ? all->parts[i] : NULL;
}

// A flaw and its evidence are proved at once, so that what they share is found once.
html_proof *proof_make(html_page *p, const flaw *f, const flaw_evidence *const *order,
                       size_t count) {
    html_proof *made = arena_alloc(p->arena, sizeof *made);
    made->flaw = term_text(p->arena, f->term);
    made->count = count;
    made->evidence = arena_alloc(p->arena, (count + 1) * sizeof(const proof *));
    if (!p->ask)
        return made;
    text_buffer query = {0};
    text_add(&query, "flaw(%s)", made->flaw);
    for (size_t i = 0; i < count; i++)
        text_add(&query, ", flaw_evidence(%s, %s, _V%zu)", made->flaw,
                 term_text(p->arena, term_symbol(p->arena, order[i]->name)), i);
    array_push(&query, '\0');
    const proof *all = NULL;
    if (ask_why(p->ask, p->arena, query.items, PARTS_MOST, DEPTH_MOST, &all, NULL) == OK && all) {
        made->whole = part_of(all, 0);
        for (size_t i = 0; i < count; i++)
            made->evidence[i] = part_of(all, i + 1);
    }
    array_finish(&query);
    return made;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// What kind of a step it is, and where it comes from.
static void put_source(html_page *p, const proof *s) {
    text_put(p->out, " <span class=\"src\">");
    switch (s->kind) {
    case PROOF_RULE:
    case PROOF_STATED:
        html_put(p->out, s->file ? base_name(s->file) : "rule");
        text_add(p->out, ":%d", s->line);
        break;
    case PROOF_LOG:
        html_put(p->out, s->table ? s->table : "log");
        if (s->row)
            text_add(p->out, " row %lld", (long long)s->row);
        break;
    case PROOF_COMPUTED:
        text_put(p->out, "computed");
        break;
    case PROOF_ABSENT:
        text_add(p->out, "none among %llu rows", (unsigned long long)s->count);
        break;
    case PROOF_AGGREGATE:
    case PROOF_MERGED:
        text_add(p->out, "of %llu", (unsigned long long)s->count);
        break;
    case PROOF_EPISODE:
        text_put(p->out, "in another episode");
        break;
    case PROOF_CUT:
        text_add(p->out, "%llu more steps", (unsigned long long)s->count);
        break;
    default:
        break;
    }
    text_put(p->out, "</span>");
}

static bool is_flaw(const proof *s) {
    return s->kind == PROOF_RULE && term_is(s->what, "flaw", 1);
}

static void put_step(html_page *p, html_proof *made, const proof *s, int depth, bool inside) {
    if (made->steps >= made->most) {
        if (made->steps++ == made->most)
            text_put(p->out, "<li class=\"more\">&hellip;</li>");
        return;
    }
    made->steps++;
    // What other numbers rest on, too, unfolds at each; the flaw itself at its own place alone.
    const proof *full = s->kind == PROOF_SEEN && s->same ? s->same : s;
    bool again = inside && is_flaw(full);
    bool unfolds = full->part_count > 0 && depth < DEPTH_MOST && !again;
    text_put(p->out, unfolds ? "<li><details" : "<li class=\"leaf\">");
    if (unfolds)
        text_put(p->out, depth < 1 ? " open><summary>" : "><summary>");
    text_put(p->out, "<code>");
    html_term(p, full->what);
    text_put(p->out, "</code>");
    if (again)
        text_put(p->out, " <span class=\"src\">see why it is called so</span>");
    else
        put_source(p, full);
    if (!unfolds) {
        text_put(p->out, "</li>");
        return;
    }
    text_put(p->out, "</summary><ul>");
    for (size_t i = 0; i < full->part_count; i++)
        put_step(p, made, full->parts[i], depth + 1, inside);
    if (full->count > full->part_count &&
        (full->kind == PROOF_AGGREGATE || full->kind == PROOF_MERGED))
        text_add(p->out, "<li class=\"more\">and %llu more</li>",
                 (unsigned long long)(full->count - full->part_count));
    text_put(p->out, "</ul></details></li>");
}

static void put_proof(html_page *p, html_proof *made, const proof *s, bool inside) {
    if (!s) {
        text_put(p->out, "<p class=\"dim\">No proof could be made of it.</p>");
        return;
    }
    text_put(p->out, "<ul class=\"proof\">");
    size_t before = p->out->count;
    made->steps = 0;
    made->most = p->proof_bytes < PROOFS_MOST ? STEPS_MOST : STEPS_FEW;
    put_step(p, made, s, 0, inside);
    text_put(p->out, "</ul>");
    p->proof_bytes += p->out->count - before;
    if (made->steps > made->most) {
        text_put(p->out, "<p class=\"dim\">All of it: <code>foresee query ");
        html_shell_word(p, p->d->log);
        text_put(p->out, " ");
        html_shell_word(p, arena_format(p->arena, "flaw(%s)", made->flaw));
        text_put(p->out, " --why</code></p>");
    }
}

void proof_put_flaw(html_page *p, html_proof *made) {
    put_proof(p, made, made->whole, false);
}

void proof_put_evidence(html_page *p, html_proof *made, size_t i) {
    put_proof(p, made, i < made->count ? made->evidence[i] : NULL, true);
}
