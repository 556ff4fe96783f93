// query/derive/plan_text.c - writes how a query was run as a text for people.
#include "query/derive/plan_log.h"

#include <stdio.h>
#include "base/utf8.h"
#include "query/derive/rule_plan_int.h"
#include "query/rules/module.h"

#define LINE_MAX 1500

typedef struct logged_rule {
    const rule *r; // to tell rules apart while the component runs
    const char *place, *head;
    int delta;
    plan_entry *entry;
} logged_rule;

typedef struct logged_component {
    const char *tables;
    uint64_t rounds, rows;
    size_t first, end; // its rules
} logged_component;

struct plan_log {
    arena *arena;
    ARRAY(logged_component) components;
    ARRAY(logged_rule) rules;
    char *text;
};

plan_log *plan_log_create(void) {
    plan_log *l = calloc(1, sizeof *l);
    if (l)
        l->arena = arena_create();
    return l;
}

void plan_log_destroy(plan_log *l) {
    if (!l)
        return;
    array_finish(&l->components);
    array_finish(&l->rules);
    free(l->text);
    arena_destroy(l->arena);
    free(l);
}

// ---- Literals ----

// A line that is written; it is cut off where it does not fit.
typedef struct line {
    char text[LINE_MAX];
    size_t length;
} line;

static void put_line(line *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put_line(line *to, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(to->text + to->length, LINE_MAX - to->length, format, args);
    va_end(args);
    size_t room = LINE_MAX - 1 - to->length;
    to->length += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
}

static const char *keep_line(plan_log *l, const line *from) {
    char *copy = arena_try(l->arena, from->length + 1);
    if (copy)
        memcpy(copy, from->text, from->length);
    return copy ? copy : "";
}

static void put_value(line *to, const values *v, value x) {
    char buffer[200];
    values_format(v, x, buffer, sizeof buffer);
    put_line(to, "%s", buffer);
}

static void put_var(line *to, const rule *r, uint32_t var) {
    // Variables of the engine are named _$n, those that were written as `_` are _#n.
    const char *name = r->var_names[var];
    put_line(to, "%s", name && !strpbrk(name, "$#") ? name : "_");
}

static void put_pattern(line *to, const machine *m, const rule *r, const pattern *p) {
    if (p->kind == PATTERN_CONST) {
        put_value(to, m->values, p->constant);
    } else if (p->kind == PATTERN_VAR) {
        put_var(to, r, p->var);
    } else {
        put_line(to, "%s(", values_text(m->values, p->constant));
        for (uint32_t i = 0; i < p->arity; i++) {
            put_line(to, "%s", i ? ", " : "");
            put_pattern(to, m, r, p->args[i]);
        }
        put_line(to, ")");
    }
}

static void put_patterns(line *to, const machine *m, const rule *r, const char *name,
                         const pattern *const *args, uint32_t count) {
    put_line(to, "%s%s", name, count ? "(" : "");
    for (uint32_t i = 0; i < count; i++) {
        put_line(to, "%s", i ? ", " : "");
        put_pattern(to, m, r, args[i]);
    }
    put_line(to, "%s", count ? ")" : "");
}

static const char *const OPERATORS[EXPR_OPS] = {
#define ARITHMETIC(op, text, arity) [EXPR_##op] = text,
#include "query/rules/arithmetic.def"
#undef ARITHMETIC
};

static void put_expr(line *to, const machine *m, const rule *r, const expr *e) {
    if (e->op == EXPR_CONST) {
        put_value(to, m->values, e->constant);
    } else if (e->op == EXPR_VAR) {
        put_var(to, r, e->var);
    } else if (e->op == EXPR_TERM) {
        put_pattern(to, m, r, e->term);
    } else if (e->args[1] && strlen(OPERATORS[e->op]) == 1) {
        put_expr(to, m, r, e->args[0]);
        put_line(to, " %s ", OPERATORS[e->op]);
        put_expr(to, m, r, e->args[1]);
    } else {
        put_line(to, "%s(", OPERATORS[e->op]);
        put_expr(to, m, r, e->args[0]);
        if (e->args[1]) {
            put_line(to, ", ");
            put_expr(to, m, r, e->args[1]);
        }
        put_line(to, ")");
    }
}

static void put_between(line *to, const machine *m, const rule *r, const literal *l,
                        const char *what) {
    put_line(to, "%s", l->negated ? "not " : "");
    put_expr(to, m, r, l->left);
    put_line(to, " %s ", what);
    put_expr(to, m, r, l->right);
}

// ---- Predicates, as users write them ----

#define GOAL_MAX 60

// Writes a predicate that the engine made of a goal: of a negation, an aggregate or another
// episode.
static void put_made(line *to, const pred *p) {
    const char *end = strchr(p->name, '$');
    const term *goal = p->episode_call       ? p->episode_call->goal
                       : p->rules.count == 0 ? NULL
                                             : p->rules.items[0]->written;
    bool known = goal || p->goal;
    // `not` stands before it where it is read.
    bool negated = strncmp(p->name, "not$", 4) == 0;
    put_line(to, "%.*s", negated && known ? 0 : (int)(end - p->name), p->name);
    if (!p->scoped || !known)
        return;
    char made[GOAL_MAX + 1];
    const char *text = goal ? made : p->goal;
    size_t length = goal ? term_format(goal, made, sizeof made) : strlen(text);
    put_line(to, "%s(%.*s%s)", negated ? "" : " ",
             (int)(length < GOAL_MAX ? length : utf8_cut(text, GOAL_MAX - 3)), text,
             length < GOAL_MAX ? "" : "...");
}

static bool is_made(const pred *p) {
    return p->auxiliary && strchr(p->name, '$') && !strstr(p->name, "$any");
}

// The columns of a magic table, which are those that are asked for.
typedef struct atom {
    const pred *of;
    const table *asked; // NULL: the table is no magic table
    const pattern *const *args;
    uint32_t count, next; // of the arguments, and the one to be written
    uint32_t column;      // of the predicate
} atom;

static void put_column(line *to, const machine *m, const rule *r, atom *a) {
    bool there = !a->asked || a->asked->mask >> a->column & 1;
    if (there && a->next < a->count)
        put_pattern(to, m, r, a->args[a->next++]);
    else
        put_line(to, "_");
    a->column++;
}

// Writes on(X, table), with a functor's columns as its arguments; a time stands last, as S..E.
// `range`: the instant variable that gives it, or VAR_NONE.
static void put_atom(line *to, const machine *m, const rule *r, atom a, uint32_t range) {
    const pred *p = a.of;
    if (a.asked)
        put_line(to, "asked:");
    if (is_made(p)) {
        put_made(to, p);
        put_patterns(to, m, r, a.count && p->scoped ? " of " : "", a.args, a.count);
        return;
    }
    const char *name = module_plain(p->name), *any = strstr(name, "$any");
    uint32_t plain = p->arity - (p->temporal ? 2 : 0), written = 0;
    put_line(to, "%.*s%s", any ? (int)(any - name) : (int)strlen(name), name,
             plain > 0 || p->functor || p->temporal ? "(" : "");
    while (a.column < plain || (p->functor && a.column == p->split_at && written <= plain)) {
        put_line(to, "%s", written++ ? ", " : "");
        if (!p->functor || a.column != p->split_at) {
            put_column(to, m, r, &a);
            continue;
        }
        put_line(to, "%s%s", p->functor, p->functor_arity ? "(" : "");
        for (uint32_t i = 0; i < p->functor_arity; i++) {
            put_line(to, "%s", i ? ", " : "");
            put_column(to, m, r, &a);
        }
        put_line(to, "%s", p->functor_arity ? ")" : "");
        if (p->functor_arity == 0)
            break;
    }
    while (a.column < plain) {
        put_line(to, ", ");
        put_column(to, m, r, &a);
    }
    if (p->temporal && range != VAR_NONE) {
        put_line(to, "%s", written ? ", " : "");
        put_var(to, r, range);
    } else if (p->temporal && a.asked) {
        put_line(to, "%s_", written ? ", " : ""); // demand binds keys, no times
    } else if (p->temporal) {
        put_line(to, "%s", written ? ", " : "");
        put_column(to, m, r, &a);
        put_line(to, "..");
        put_column(to, m, r, &a);
    }
    put_line(to, "%s", plain > 0 || p->functor || p->temporal ? ")" : "");
}

static atom atom_of(const pred *p, const table *t, const pattern *const *args, uint32_t count) {
    return (atom){.of = p, .asked = t && t->magic ? t : NULL, .args = args, .count = count};
}

static void put_literal(line *to, const machine *m, const rule *r, const step *s, bool is_delta) {
    static const char *const compares[] = {"<", "=<", ">", ">=", "!="};
    static const char *const folds[] = {"count", "sum", "min", "max", "avg", "list"};
    const literal *l = s->l;
    switch (l->kind) {
    case LITERAL_COMPARE:
        put_between(to, m, r, l, compares[l->op]);
        return;
    case LITERAL_UNIFY:
        put_between(to, m, r, l, "=");
        return;
    case LITERAL_ROUNDS:
    case LITERAL_TO_TIME:
        put_between(to, m, r, l, "as time");
        return;
    case LITERAL_BUILTIN:
        put_line(to, "%s", l->negated ? "not " : "");
        put_patterns(to, m, r, l->builtin->name, l->args, l->arg_count);
        return;
    case LITERAL_INTERSECT:
        put_var(to, r, l->range);
        put_patterns(to, m, r, " in ", l->args, l->arg_count);
        return;
    case LITERAL_AGGREGATE:
        put_expr(to, m, r, l->right);
        put_line(to, " = %s", folds[l->aggregate]);
        put_patterns(to, m, r, l->arg_count ? " for each " : "", l->args, l->arg_count);
        return;
    case LITERAL_RELATION:
    case LITERAL_SUBTRACT:
        break;
    }
    put_line(to, "%s", l->negated || l->kind == LITERAL_SUBTRACT ? "not " : is_delta ? "new " : "");
    const pred *of = l->table ? l->table->pred : l->pred;
    if (of)
        put_atom(to, m, r, atom_of(of, l->table, l->args, l->arg_count), VAR_NONE);
    for (uint32_t i = 0; i < s->column_count; i++)
        put_line(to, "%s%u", i ? "," : " by ", s->columns[i] + 1);
    if (s->bound_count > 0)
        put_line(to, " within %u..%u", s->start + 1, s->end + 1);
}

// ---- Recording ----

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void put_seconds(line *to, nanos t) {
    put_line(to, "%.9g", (double)t / 1e9);
}

static void put_table(line *to, const table *t) {
    char label[300];
    put_line(to, "%s", t->magic ? "asked:" : "");
    const char *name = module_plain(t->pred->name), *any = strstr(name, "$any");
    if (is_made(t->pred))
        put_made(to, t->pred);
    else if (any)
        put_line(to, "%.*s%s", (int)(any - name), name,
                 strchr(pred_label(t->pred, label, sizeof label), '/'));
    else
        put_line(to, "%s", pred_label(t->pred, label, sizeof label));
    if (t->mask != 0 && !t->magic)
        put_line(to, " for");
    for (uint32_t i = 0, n = 0; i < 32 && !t->magic; i++) {
        if (t->mask >> i & 1)
            put_line(to, "%s%u", n++ ? "," : " ", i + 1);
    }
    const windows *within = t->magic ? NULL : table_within(t);
    for (uint32_t i = 0; within && i < within->count; i++) {
        put_line(to, i ? ", " : " at ");
        put_seconds(to, within->items[i].start);
        if (within->items[i].end > within->items[i].start + 1) {
            put_line(to, "..");
            put_seconds(to, within->items[i].end);
        }
    }
}

void plan_log_component(plan_log *l, const machine *m, table *const *first, size_t count) {
    (void)m;
    line names = {0};
    for (size_t i = 0; i < count; i++) {
        put_line(&names, "%s", i ? "; " : "");
        put_table(&names, first[i]);
    }
    logged_component c = {
        .tables = keep_line(l, &names), .first = l->rules.count, .end = l->rules.count};
    (void)array_push_try(&l->components, c);
}

void plan_log_rounds(plan_log *l, table *const *first, size_t count, uint64_t rounds) {
    if (l->components.count == 0)
        return;
    logged_component *c = &l->components.items[l->components.count - 1];
    c->rounds = rounds;
    c->rows = 0;
    for (size_t i = 0; i < count; i++)
        c->rows += first[i]->rows->count;
}

plan_entry *plan_log_entry(plan_log *l, const machine *m, const rule_plan *p, int delta) {
    if (l->components.count == 0)
        return NULL;
    logged_component *c = &l->components.items[l->components.count - 1];
    const rule *r = p->r;
    plan_entry *e = NULL;
    for (size_t i = c->first; i < c->end && !e; i++) {
        if (l->rules.items[i].r == r && l->rules.items[i].delta == delta)
            e = l->rules.items[i].entry;
    }
    if (!e) {
        e = arena_try(l->arena, sizeof *e);
        line place = {0}, head = {0};
        put_line(&place, "%s:%d", base_name(r->file ? r->file : ""), r->line);
        put_atom(&head, m, r, atom_of(r->table->pred, r->table, r->args, r->arg_count),
                 r->head_range);
        logged_rule made = {.r = r, .delta = delta, .entry = e};
        made.place = keep_line(l, &place);
        made.head = keep_line(l, &head);
        if (!e || !array_push_try(&l->rules, made))
            return NULL;
        c->end = l->rules.count;
    }
    line order = {0};
    for (uint32_t k = 0; k < p->step_count; k++) {
        put_line(&order, "%s", k ? ", " : "");
        put_literal(&order, m, r, &p->steps[k], (int)p->steps[k].number == delta);
    }
    // The last order of a rule is shown for all that it replaced.
    e->order = keep_line(l, &order);
    return e;
}

// ---- Text ----

typedef ARRAY(char) chars;

static bool add_text(chars *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool add_text(chars *to, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    bool ok = n >= 0 && array_reserve_try(to, to->count + (size_t)n + 1);
    if (ok) {
        vsnprintf(to->items + to->count, (size_t)n + 1, format, again);
        to->count += (size_t)n;
    }
    va_end(again);
    return ok;
}

static bool add_component(chars *to, const plan_log *l, size_t i, size_t stratum) {
    const logged_component *c = &l->components.items[i];
    bool ok = add_text(to, "stratum %zu: %s  (%llu row%s, %llu round%s)\n", stratum, c->tables,
                       (unsigned long long)c->rows, c->rows == 1 ? "" : "s",
                       (unsigned long long)c->rounds, c->rounds == 1 ? "" : "s");
    for (size_t k = c->first; ok && k < c->end; k++) {
        const logged_rule *r = &l->rules.items[k];
        // All orders of a rule stand together, at the place of that of the first round.
        if (r->delta >= 0)
            continue;
        ok = add_text(to, "  %s  %s\n", r->place, r->head);
        for (size_t j = k; ok && j < c->end; j++) {
            const plan_entry *e = l->rules.items[j].entry;
            if (l->rules.items[j].r == r->r)
                ok = add_text(to, "  %10llu %10llu %7llu %9.3f  %s\n", (unsigned long long)e->given,
                              (unsigned long long)e->fresh, (unsigned long long)e->times,
                              (double)e->spent / 1e6, e->order[0] ? e->order : "true");
        }
    }
    return ok;
}

const char *plan_log_text(plan_log *l) {
    chars text = {0};
    size_t stratum = 0;
    bool ok = l->components.count == 0 ||
              add_text(&text, "  %10s %10s %7s %9s  %s\n", "rows", "new", "times", "ms",
                       "order of literals, and the columns they are looked up by");
    for (size_t i = 0; ok && i < l->components.count; i++) {
        const logged_component *c = &l->components.items[i];
        // A table of facts alone took no work.
        if (c->end > c->first || c->rows > 0)
            ok = add_component(&text, l, i, ++stratum);
    }
    if (!ok)
        array_finish(&text);
    free(l->text);
    l->text = text.items;
    return l->text ? l->text : "";
}
