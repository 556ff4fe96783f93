// query/check/strata.c - finds components of mutual recursion, and cycles that cannot be
// stratified.
#include <stdio.h>
#include "query/check/check_int.h"

typedef struct walk {
    const checker *c;
    uint32_t *index, *low, *stack, *frames;
    size_t *edge; // next edge to follow of each predicate on the walk
    bool *on_stack;
    uint32_t next, depth, frame_count;
} walk;

// Returns the k-th predicate that `d` depends on, or NULL past the last.
static const literal *edge_at(const pred *d, size_t k, const rule **in) {
    for (size_t i = 0; i < d->rules.count; i++) {
        const rule *r = d->rules.items[i];
        if (k < r->literal_count) {
            *in = r;
            return &r->literals[k];
        }
        k -= r->literal_count;
    }
    return NULL;
}

static bool is_negative(const literal *l) {
    return l->negated || l->kind == LITERAL_SUBTRACT || l->kind == LITERAL_AGGREGATE ||
           l->source == SOURCE_MAXIMAL || (l->pred && l->pred->episode_call);
}

static void visit_pred(walk *w, uint32_t i) {
    w->index[i] = w->low[i] = ++w->next;
    w->stack[w->depth++] = i;
    w->on_stack[i] = true;
    w->edge[i] = 0;
    w->frames[w->frame_count++] = i;
}

// Tarjan's algorithm without recursion, so that long chains of predicates need no stack.
void find_components(const checker *c) {
    size_t n = c->p->preds.count;
    walk w = {.c = c};
    w.index = mem_must(n + 1, sizeof *w.index);
    w.low = mem_must(n + 1, sizeof *w.low);
    w.stack = mem_must(n + 1, sizeof *w.stack);
    w.frames = mem_must(n + 1, sizeof *w.frames);
    w.edge = mem_must(n + 1, sizeof *w.edge);
    w.on_stack = mem_must(n + 1, sizeof *w.on_stack);
    for (uint32_t root = c->first; root < n; root++) {
        if (w.index[root])
            continue;
        visit_pred(&w, root);
        while (w.frame_count > 0) {
            uint32_t at = w.frames[w.frame_count - 1];
            const rule *in;
            const literal *l = edge_at(pred_at(c, at), w.edge[at]++, &in);
            if (l) {
                if (!l->pred || l->pred->index < c->first)
                    continue;
                uint32_t to = l->pred->index;
                if (!w.index[to])
                    visit_pred(&w, to);
                else if (w.on_stack[to] && w.index[to] < w.low[at])
                    w.low[at] = w.index[to];
                continue;
            }
            w.frame_count--;
            if (w.frame_count > 0) {
                uint32_t parent = w.frames[w.frame_count - 1];
                if (w.low[at] < w.low[parent])
                    w.low[parent] = w.low[at];
            }
            if (w.low[at] == w.index[at]) {
                uint32_t member;
                do {
                    member = w.stack[--w.depth];
                    w.on_stack[member] = false;
                    pred_at(c, member)->component = c->p->component_count;
                } while (member != at);
                c->p->component_count++;
            }
        }
    }
    free(w.index);
    free(w.low);
    free(w.stack);
    free(w.frames);
    free(w.edge);
    free(w.on_stack);
}

// A step of a cycle: the literal through which a predicate leads on, and its rule.
typedef struct link {
    const literal *l;
    const rule *r;
} link;
typedef ARRAY(link) links;

// Adds the shortest way from `from` to `to` inside their component to *out.
static void find_way(const checker *c, const pred *from, const pred *to, links *out) {
    size_t n = c->p->preds.count, head = 0, tail = 0, start = out->count;
    const pred **queue = mem_must(n + 1, sizeof *queue);
    link *came = mem_must(n + 1, sizeof *came);
    const pred **before = mem_must(n + 1, sizeof *before);
    queue[tail++] = from;
    while (head < tail && from != to && !came[to->index].l) {
        const pred *at = queue[head++];
        const rule *r;
        const literal *l;
        for (size_t k = 0; (l = edge_at(at, k, &r)); k++) {
            const pred *next = l->pred;
            if (!next || next->component != to->component || next->index < c->first ||
                next == from || came[next->index].l)
                continue;
            came[next->index] = (link){l, r};
            before[next->index] = at;
            queue[tail++] = next;
        }
    }
    for (const pred *at = to; at != from && came[at->index].l; at = before[at->index])
        array_push(out, came[at->index]);
    for (size_t i = start, k = out->count; i + 1 < k; i++, k--) {
        link other = out->items[i];
        out->items[i] = out->items[k - 1];
        out->items[k - 1] = other;
    }
    free(queue);
    free(came);
    free(before);
}

// Names a predicate that the engine made of an aggregate or a bracketed negation as the goal is
// written.
static const char *shown_label(const pred *d, char *buffer, size_t size) {
    if (!d->auxiliary)
        return pred_label(d, buffer, size);
    int length = (int)strcspn(d->name, "$");
    bool any = strcmp(d->name + length, "$any") == 0, negation = strncmp(d->name, "not$", 4) == 0;
    snprintf(buffer, size, any ? "%.*s(_)" : negation ? "(...)" : "%.*s {...}", length, d->name);
    return buffer;
}

// Writes a cycle: d <- not e (file:line) <- d (file:line)
static void cycle_text(const pred *d, const links *way, char *out, size_t size) {
    char label[300];
    size_t used = (size_t)snprintf(out, size, "%s", shown_label(d, label, sizeof label));
    for (size_t i = 0; i < way->count && used < size; i++) {
        const link *step = &way->items[i];
        const char *slash = strrchr(step->r->file ? step->r->file : "", '/');
        bool negated = step->l->negated || step->l->kind == LITERAL_SUBTRACT;
        int wrote = snprintf(out + used, size - used, " <- %s%s", negated ? "not " : "",
                             shown_label(step->l->pred, label, sizeof label));
        used += wrote > 0 ? (size_t)wrote : 0;
        // The union of a split predicate stands in no file.
        if (used < size && step->l->line > 0) {
            wrote = snprintf(out + used, size - used, " (%s:%d)", slash ? slash + 1 : step->r->file,
                             step->l->line);
            used += wrote > 0 ? (size_t)wrote : 0;
        }
    }
}

static bool was_named(const links *all, const literal *l) {
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].l == l)
            return true;
    }
    return false;
}

static bool is_earlier(const literal *a, const literal *b) {
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

// Turns a cycle so that it begins at the first of the literals that must not stand in one.
static void turn_cycle(links *way) {
    size_t first = 0;
    for (size_t i = 1; i < way->count; i++) {
        if (is_negative(way->items[i].l) && is_earlier(way->items[i].l, way->items[first].l))
            first = i;
    }
    for (size_t i = 0; i < first; i++) {
        link moved = way->items[0];
        memmove(way->items, way->items + 1, (way->count - 1) * sizeof *way->items);
        way->items[way->count - 1] = moved;
    }
}

// Reports each cycle once, as a whole, at the first of its literals that must not stand in a cycle.
void check_strata(const checker *c) {
    links named = {0};
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        const pred *d = pred_at(c, i);
        const rule *r;
        const literal *l;
        for (size_t k = 0; (l = edge_at(d, k, &r)); k++) {
            if (!l->pred || !is_negative(l) || l->pred->component != d->component ||
                l->pred->index < c->first || was_named(&named, l))
                continue;
            char text[600];
            links way = {0};
            array_push(&way, (link){l, r});
            find_way(c, l->pred, d, &way);
            turn_cycle(&way);
            const literal *at = way.items[0].l;
            cycle_text(way.items[0].r->pred, &way, text, sizeof text);
            const char *how =
                at->pred->episode_call          ? "in_episode"
                : at->kind == LITERAL_AGGREGATE ? "an aggregate"
                : at->source == SOURCE_MAXIMAL && !at->negated && at->kind != LITERAL_SUBTRACT
                    ? "maximal intervals"
                    : "negation";
            errors_add(c->list, way.items[0].r->file, at->line, at->column, "cycle through %s: %s",
                       how, text);
            for (size_t j = 0; j < way.count; j++)
                array_push(&named, way.items[j]);
            array_finish(&way);
        }
    }
    array_finish(&named);
}
