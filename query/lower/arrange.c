// query/lower/arrange.c - takes order_by, limit and offset from a query, and applies them to its
// answers.
#include "query/lower/arrange.h"

#include "query/rules/program.h"

bool arrange_is(const term *goal) {
    return goal->kind == TERM_COMPOUND &&
           (strcmp(goal->text, "order_by") == 0 ||
            (goal->arity == 1 &&
             (strcmp(goal->text, "limit") == 0 || strcmp(goal->text, "offset") == 0)));
}

// ---- Reading ----

typedef struct taker {
    program *p;
    arena *a;
    const char *file;
    arrangement *out;
    errors *list;
    bool ordered;
} taker;

static void report_at(taker *t, const term *at, const char *text) {
    errors_add(t->list, t->file, at->line, at->column, "%s", text);
}

static void take_keys(taker *t, const term *goal) {
    if (t->ordered)
        report_at(t, goal, "there is one order_by in a query; give it several arguments");
    t->ordered = true;
    t->out->key_count = 0;
    t->out->keys = arena_alloc(t->a, goal->arity * sizeof *t->out->keys);
    for (uint32_t i = 0; i < goal->arity; i++) {
        const term *key = goal->args[i];
        bool descending = term_is(key, "desc", 1);
        const term *var = descending || term_is(key, "asc", 1) ? key->args[0] : key;
        if (var->kind != TERM_VAR || term_is_anonymous(var)) {
            report_at(t, key->line ? key : goal,
                      "order_by takes variables of the answer: X, asc(X) or desc(X)");
            continue;
        }
        t->out->keys[t->out->key_count++] =
            (arrange_key){arena_strdup(t->a, var->text), 0, descending, var->line, var->column};
    }
}

static void take_number(taker *t, const term *goal, bool *is_given, uint64_t *number) {
    const term *n = goal->args[0];
    if (*is_given)
        report_at(t, goal, "a query has one limit and one offset at most");
    if (n->kind != TERM_INT || n->integer < 0)
        report_at(t, goal, "limit and offset take a whole number, 0 or more");
    else
        *number = (uint64_t)n->integer;
    *is_given = true;
}

// Returns the goal without the parts that arrange answers; NULL: nothing is left of it.
static const term *strip_arrangement(taker *t, const term *goal) {
    if (term_is(goal, ",", 2)) {
        const term *left = strip_arrangement(t, goal->args[0]),
                   *right = strip_arrangement(t, goal->args[1]);
        if (left == goal->args[0] && right == goal->args[1])
            return goal;
        if (!left || !right)
            return left ? left : right;
        const term *both[2] = {left, right};
        term *joined = arena_alloc(t->a, sizeof *joined);
        *joined = *term_compound(t->a, ",", 2, both);
        joined->line = goal->line;
        joined->column = goal->column;
        return joined;
    }
    if (!arrange_is(goal) || program_defines(t->p, goal->text))
        return goal;
    if (strcmp(goal->text, "order_by") == 0)
        take_keys(t, goal);
    else if (strcmp(goal->text, "limit") == 0)
        take_number(t, goal, &t->out->limited, &t->out->limit);
    else
        take_number(t, goal, &t->out->skips, &t->out->offset);
    return NULL;
}

const term *arrange_take(program *p, arena *a, const term *body, const char *file, arrangement *out,
                         errors *list) {
    taker t = {.p = p, .a = a, .file = file, .out = out, .list = list};
    size_t before = list->count;
    const term *rest = strip_arrangement(&t, body);
    if (!rest && list->count == before)
        report_at(&t, body, "this arranges answers, but asks for none; add a goal");
    return list->count == before ? rest : NULL;
}

bool arrange_resolve(arrangement *r, const char *const *names, uint32_t count, const char *file,
                     errors *list) {
    bool ok = true;
    for (uint32_t k = 0; k < r->key_count; k++) {
        arrange_key *key = &r->keys[k];
        bool found = false;
        for (uint32_t i = 0; i < count && !found; i++) {
            found = strcmp(names[i], key->name) == 0;
            key->column = i;
        }
        if (found)
            continue;
        const char *near = strlen(key->name) > 2 ? nearest_name(key->name, names, count) : NULL;
        errors_add(list, file, key->line, key->column_of_text,
                   near ? "order_by names %s, which is no column of the answer; did you mean %s?"
                        : "order_by names %s, which is no column of the answer",
                   key->name, near);
        ok = false;
    }
    return ok;
}

// ---- Applying ----

typedef struct sorter {
    const values *v;
    const arrangement *r;
    uint32_t columns;
} sorter;

static int compare_rows(const void *a, const void *b, void *context) {
    const sorter *s = context;
    const value *x = a, *y = b;
    for (uint32_t k = 0; k < s->r->key_count; k++) {
        const arrange_key *key = &s->r->keys[k];
        int c = values_order(s->v, x[key->column], y[key->column]);
        if (c != 0)
            return key->descending ? -c : c;
    }
    for (uint32_t i = 0; i < s->columns; i++) {
        int c = x[i] == y[i] ? 0 : values_order(s->v, x[i], y[i]);
        if (c != 0)
            return c;
    }
    return 0;
}

void arrange_rows(const arrangement *r, const values *v, value **rows, uint32_t columns,
                  size_t *count) {
    sorter s = {v, r, columns};
    if (*count > 1 && columns > 0)
        qsort_r(*rows, *count, columns * sizeof **rows, compare_rows, &s);
    size_t skip = r->offset < *count ? (size_t)r->offset : *count;
    *rows += skip * columns;
    *count -= skip;
    if (r->limited && r->limit < *count)
        *count = (size_t)r->limit;
}
