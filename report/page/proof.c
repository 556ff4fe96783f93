// report/page/proof.c - proofs as lists that unfold, from a number down to rows of the log.
#include <stdio.h>
#include <string.h>

#include "query/log/fact.h"
#include "query/why/proof.h"
#include "report/page/html_int.h"

enum { PARTS_MAX = 5, DEPTH_MAX = 12, STEPS_MAX = 220, STEPS_FEW = 30 };
#define PROOFS_MAX                                                                                 \
    ((size_t)700 << 10) // bytes of the page; once they are spent each proof has few steps

struct html_proof {
    const char *flaw;       // the goal that states the flaw
    const proof *whole;     // proof of that goal; NULL: none could be made
    const proof **evidence; // proofs of the evidence, in its order; NULL: none could be made
    size_t count;
    size_t steps, most; // steps of the present proof: written so far, and at most
};

// Returns the proof of the i-th goal of a conjunction.
static const proof *part_of(const proof *all, size_t i) {
    if (all->kind != PROOF_ANSWER)
        return i == 0 ? all : NULL;
    return i < all->part_count ? all->parts[i] : NULL;
}

// The flaw and its evidence are proved by one query, so that their common steps are found once.
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
    const proof *all = NULL;
    if (ask_why(p->ask, p->arena, text_string(&query), PARTS_MAX, DEPTH_MAX, &all, NULL) == OK &&
        all) {
        made->whole = part_of(all, 0);
        for (size_t i = 0; i < count; i++)
            made->evidence[i] = part_of(all, i + 1);
    }
    text_finish(&query);
    return made;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Returns where a step comes from: a rule's line, a row of the log, a computation.
static const char *source_text(html_page *p, const proof *s) {
    switch (s->kind) {
    case PROOF_RULE:
    case PROOF_STATED:
        return arena_format(p->arena, "%s:%d", s->file ? base_name(s->file) : "rule", s->line);
    case PROOF_LOG:
        if (s->row)
            return arena_format(p->arena, "%s row %lld", s->table ? s->table : "log",
                                (long long)s->row);
        return s->table ? s->table : "log";
    case PROOF_COMPUTED:
        return "computed";
    case PROOF_ABSENT:
        return arena_format(p->arena, "none among %llu rows", (unsigned long long)s->count);
    case PROOF_AGGREGATE:
    case PROOF_MERGED:
        return arena_format(p->arena, "of %llu", (unsigned long long)s->count);
    case PROOF_EPISODE:
        return "in another episode";
    case PROOF_CUT:
        return arena_format(p->arena, "%llu more steps", (unsigned long long)s->count);
    default:
        return NULL;
    }
}

// Returns the first instant in a row of the log, s; NULL: it has none.
static const char *instant_text(html_page *p, const proof *s) {
    const fact *f = s->kind == PROOF_LOG && s->what->kind == TERM_COMPOUND
                        ? fact_find(s->what->text, s->what->arity)
                        : NULL;
    for (uint32_t i = 0; f && i < f->arity; i++) {
        const term *t = s->what->args[i];
        if (strchr("tTeE", f->kinds[i]) && (t->kind == TERM_FLOAT || t->kind == TERM_INT))
            return term_text(p->arena, t);
    }
    return NULL;
}

static bool is_flaw(const proof *s) {
    return s->kind == PROOF_RULE && term_is(s->what, "flaw", 1);
}

static void put_step(html_page *p, html_proof *made, const proof *s, int depth, bool inside) {
    if (made->steps >= made->most) {
        if (made->steps++ == made->most)
            html_fill(p, HTML_STEPS_LEFT_OUT, NULL);
        return;
    }
    made->steps++;
    // A step that several numbers rest on unfolds under each of them; the flaw itself unfolds at
    // its own place alone.
    const proof *full = s->kind == PROOF_SEEN && s->same ? s->same : s;
    bool again = inside && is_flaw(full);
    bool unfolds = full->part_count > 0 && depth < DEPTH_MAX && !again;
    const char *goal = term_text(p->arena, full->what),
               *source = again ? "see why it is called so" : source_text(p, full);
    if (!unfolds) {
        html_fill(p, HTML_LAST_STEP, "goal", goal, "source", source, "at", instant_text(p, full),
                  NULL);
        return;
    }
    html_fill(p, HTML_STEP, "open", depth < 1 ? " open" : NULL, "goal", goal, "source", source,
              NULL);
    for (size_t i = 0; i < full->part_count; i++)
        put_step(p, made, full->parts[i], depth + 1, inside);
    if (full->count > full->part_count &&
        (full->kind == PROOF_AGGREGATE || full->kind == PROOF_MERGED))
        html_fill(
            p, HTML_PARTS_LEFT_OUT, "count",
            arena_format(p->arena, "%llu", (unsigned long long)(full->count - full->part_count)),
            NULL);
    html_fill_rest(p, HTML_STEP, 1, NULL);
}

static void put_proof(html_page *p, html_proof *made, const proof *s, bool inside) {
    if (!s) {
        html_fill(p, HTML_NO_PROOF, NULL);
        return;
    }
    html_fill(p, HTML_PROOF, NULL);
    size_t before = p->out->count;
    made->steps = 0;
    made->most = p->proof_bytes < PROOFS_MAX ? STEPS_MAX : STEPS_FEW;
    put_step(p, made, s, 0, inside);
    html_fill_rest(p, HTML_PROOF, 1, NULL);
    p->proof_bytes += p->out->count - before;
    if (made->steps > made->most)
        html_fill(p, HTML_WHOLE_PROOF, "log", html_shell_word(p, p->d->log), "goal",
                  html_shell_word(p, arena_format(p->arena, "flaw(%s)", made->flaw)), NULL);
}

void proof_put_flaw(html_page *p, html_proof *made) {
    put_proof(p, made, made->whole, false);
}

void proof_put_evidence(html_page *p, html_proof *made, size_t i) {
    put_proof(p, made, i < made->count ? made->evidence[i] : NULL, true);
}
