// query/check/types.c - types of arguments: compares what declarations, tables and builtins say of
// a column with the constants and variables that stand there.
#include <stdio.h>
#include "query/check/check_int.h"
#include "base/symtab.h"
#include "query/log/fact.h"
#include "query/lower/lower.h"

// Classes of values; a type is a set of them.
enum {
    SYMBOL = 1,
    STRING = 2,
    ID = 4,
    INTEGER = 8,
    REAL = 16,
    TIME = 32,
    INTERVAL = 64,
    LIST = 128,
    COMPOUND = 256,
    ANY = 511
};

typedef struct type {
    const char *name;
    unsigned classes;
    const char *noun;
} type;

static const type TYPES[] = {
#define TYPE(name, classes, noun) {#name, classes, noun},
#include "query/rules/types.def"
#undef TYPE
};
#define TYPE_COUNT (sizeof TYPES / sizeof *TYPES)

static const type *type_find(const char *name) {
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (strcmp(TYPES[i].name, name) == 0)
            return &TYPES[i];
    }
    return &TYPES[0];
}

// ---- What a column holds ----

typedef struct typing_of {
    const type *type;
    unsigned classes;
} typing_of;

static typing_of fact_type(char kind) {
    static const char letters[] = "ioabterysmp";
    static const char *const names[] = {"id",   "object", "agent",  "believed", "time", "time",
                                        "real", "symbol", "string", "term",     "pose"};
    bool missing = kind >= 'A' && kind <= 'Z'; // then it is the symbol none
    const char *at = strchr(letters, missing ? kind - 'A' + 'a' : kind);
    const type *t = type_find(at ? names[at - letters] : "any");
    unsigned classes = kind == 'i' || kind == 'I' ? ID | INTEGER : t->classes;
    return (typing_of){t, classes | (missing ? SYMBOL : 0)};
}

static typing_of named_type(const char *name) {
    const type *t = type_find(name);
    return (typing_of){t, t->classes};
}

// Gives the types that a declaration says the predicate's columns have. False: it is of another
// predicate.
static bool read_declared(program *p, const declaration *d, const pred *of, typing_of *out) {
    const predicate_traits *s = program_traits(p, d->name, false);
    bool split = s && s->split_on && s->split_on <= d->arity;
    uint32_t temporal = of->temporal && s ? s->temporal_on : 0, k = 0;
    bool inner = d->inner_at > 0 && split && d->inner_at == s->split_on;
    if (split != (of->functor != NULL) ||
        (inner && (strcmp(d->inner_name, of->functor) != 0 || d->inner_arity != of->functor_arity)))
        return false;
    for (uint32_t i = 0; i < d->arity; i++) {
        uint32_t width = split && i + 1 == s->split_on ? of->functor_arity : 1;
        for (uint32_t j = 0; j < width; j++) {
            if (i + 1 == temporal)
                continue; // a specification; its ends are the last two columns
            if (k == of->arity)
                return false;
            const char *name = !split || i + 1 != s->split_on ? d->arg_types[i]
                               : inner                        ? d->inner_types[j]
                                                              : "any";
            out[k++] = named_type(name);
        }
    }
    return k + (of->temporal ? 2 : 0) == of->arity;
}

// Returns the declaration of a predicate with its types: that of the functor, else that of all
// functors.
static const declaration *declaration_of(program *p, const pred *d, typing_of *out) {
    const declaration *found = NULL;
    int64_t at = symtab_find(p->declared_names, d->name, strlen(d->name));
    for (uint32_t i = at < 0 ? 0 : p->declared_first.items[at]; i;) {
        const declaration *said = &p->declarations.items[i - 1];
        typing_of now[RELATION_ARITY_MAX];
        i = said->next;
        if ((found && said->inner_at == 0) || !read_declared(p, said, d, now))
            continue;
        memcpy(out, now, (d->arity - (d->temporal ? 2 : 0)) * sizeof *now);
        found = said;
    }
    return found;
}

// Gives the types of all columns. False: no column has a type.
static bool types_of(program *p, const pred *d, typing_of *out) {
    for (uint32_t i = 0; i < d->arity; i++)
        out[i] = named_type(d->temporal && i + 2 >= d->arity ? "time" : "any");
    if (d->fact) {
        for (uint32_t i = 0; i < d->arity; i++)
            out[i] = fact_type(d->fact->kinds[i]);
        return true;
    }
    if (d->auxiliary)
        return false;
    const declaration *said = declaration_of(p, d, out);
    return said != NULL;
}

const declaration *check_declaration(const checker *c, const pred *d) {
    typing_of ignored[RELATION_ARITY_MAX];
    return d->arity <= RELATION_ARITY_MAX ? declaration_of(c->p, d, ignored) : NULL;
}

// ---- Places in the text ----

typedef struct spot {
    int line, column;
} spot;

// Returns where a term was written; `otherwise`: the engine made it.
static spot spot_of(const term *written, spot otherwise) {
    return written && written->line ? (spot){written->line, written->column} : otherwise;
}

// Writes "argument 2 of on", with the functor's name where the column is an argument of it.
static const char *argument_text(const pred *d, uint32_t column, const predicate_traits *s,
                                 char *out, size_t size) {
    bool inner = d->functor && column >= d->split_at && column < d->split_at + d->functor_arity;
    uint32_t outer = column - (d->functor && column >= d->split_at ? d->functor_arity : 0) +
                     (d->functor && column >= d->split_at ? 1 : 0);
    if (s && d->temporal && outer + 1 >= s->temporal_on)
        outer++;
    snprintf(out, size, "argument %u of %.200s", inner ? column - d->split_at + 1 : outer + 1,
             inner ? d->functor : d->name);
    return out;
}

// ---- Rules ----

// The type that is known of a variable, and the column that says so.
typedef struct known {
    unsigned classes;
    const char *noun;
    const char *from; // "argument 1 of hand", or ""
    bool reported;
} known;

typedef struct typing {
    const checker *c;
    const rule *r;
    bool negated; // of the literal that is looked at
    known vars[VARS_MAX];
} typing;

static unsigned class_of(const values *v, value x, const char **noun) {
    switch (value_kind(x)) {
    case VALUE_INT:
    case VALUE_WIDE:
        *noun = "a number";
        return ID | INTEGER;
    case VALUE_FLOAT:
        *noun = "a number";
        return REAL;
    case VALUE_TIME:
        *noun = "a time";
        return TIME;
    case VALUE_STRING:
        *noun = "a string";
        return STRING;
    case VALUE_SYMBOL: {
        const char *text = values_text(v, x);
        *noun = "a symbol";
        if (strcmp(text, "start") == 0 || strcmp(text, "end") == 0)
            return SYMBOL | TIME;
        return strcmp(text, "[]") == 0 ? SYMBOL | LIST : SYMBOL;
    }
    case VALUE_COMPOUND:
        *noun = values_is(v, x, "interval", 2) ? "an interval"
                : values_is(v, x, "[|]", 2)    ? "a list"
                                               : "a term";
        return values_is(v, x, "interval", 2) ? INTERVAL
               : values_is(v, x, "[|]", 2)    ? LIST
                                              : COMPOUND;
    case VALUE_NOTHING:
        break;
    }
    *noun = "anything";
    return ANY;
}

static unsigned class_of_pattern(const values *v, const pattern *p, const char **noun) {
    if (p->kind == PATTERN_CONST)
        return class_of(v, p->constant, noun);
    const char *name = values_text(v, p->constant);
    bool is_interval = strcmp(name, "interval") == 0 && p->arity == 2;
    bool is_list = strcmp(name, "[|]") == 0;
    *noun = is_interval ? "an interval" : is_list ? "a list" : "a term";
    return is_interval ? INTERVAL : is_list ? LIST : COMPOUND;
}

static bool is_named(const char *name) {
    return name[0] != '_' || (name[1] != 0 && name[1] != '$' && name[1] != '#');
}

// Meets the type of a variable with the type `what` of the place where it stands; `from` names the
// place in messages. A negated literal asks about the variable and does not narrow its type.
static void meet_type(typing *t, uint32_t var, typing_of what, const char *from, spot at) {
    known *k = &t->vars[var];
    if (what.classes == ANY || k->reported)
        return;
    if (k->classes & what.classes) {
        if (!t->negated && ((k->classes & what.classes) != k->classes || !k->noun)) {
            k->noun = what.type->noun;
            k->from = arena_strdup(t->c->p->current, from);
        }
        k->classes &= t->negated ? ANY : what.classes;
        return;
    }
    k->reported = true;
    const char *name = t->r->var_names[var];
    check_found(t->c, t->r, at.line, at.column, t->negated ? FINDING_IDLE : FINDING_MISTAKE,
                arena_format(t->c->p->current, "%s is %s%s%s, and %s%s%s",
                             is_named(name) ? name : "a value", k->noun, k->from[0] ? " in " : "",
                             k->from, what.type->noun, from[0] ? " in " : "", from));
}

static bool is_of_query(const typing *t) {
    return t->r->id == 0 && t->r->pred->of_query;
}

// Notes an object that the query names, for whoever asks which of them the log does not know.
static void note_object(const typing *t, const pattern *p, typing_of what, spot at) {
    const query_scope *scope = t->c->scope;
    if (is_of_query(t) && p->kind == PATTERN_CONST && strcmp(what.type->name, "object") == 0 &&
        scope && scope->mentions)
        array_push(scope->mentions, (mention){p->constant, at.line, at.column});
}

static void check_column(typing *t, const pred *d, const pattern *p, uint32_t column,
                         typing_of what, spot goal) {
    if (what.classes == ANY || (d->fact && program_is_broken(t->c->p, d->name)))
        return;
    const values *v = t->c->p->values;
    char from[230];
    const predicate_traits *s = program_traits(t->c->p, d->name, false);
    argument_text(d, column, s, from, sizeof from);
    if (p->kind == PATTERN_VAR) {
        meet_type(t, p->var, what, from, spot_of(p->written, goal));
        return;
    }
    const char *noun;
    spot at = spot_of(p->written, goal);
    if (class_of_pattern(v, p, &noun) & what.classes) {
        note_object(t, p, what, at);
        return;
    }
    char shown[80];
    if (p->kind == PATTERN_CONST)
        values_format(v, p->constant, shown, sizeof shown);
    else
        snprintf(shown, sizeof shown, "%.60s(...)", values_text(v, p->constant));
    errors_add(t->c->list, t->r->file, at.line, at.column, "%s is %s; %s is %s", from,
               what.type->noun, shown, noun);
}

static void check_relation(typing *t, const literal *l) {
    typing_of types[RELATION_ARITY_MAX];
    if (!l->pred || l->pred->arity > RELATION_ARITY_MAX || !types_of(t->c->p, l->pred, types))
        return;
    uint32_t width = l->pred->temporal ? l->pred->arity - 2 : l->pred->arity;
    for (uint32_t i = 0; i < l->arg_count && i < width; i++)
        check_column(t, l->pred, l->args[i], i, types[i], (spot){l->line, l->column});
}

// Checks that a comparison by size is of numbers or times.
static void check_order(typing *t, const literal *l, const expr *side) {
    const typing_of sizes = {type_find("number"), ID | INTEGER | REAL | TIME};
    const char *noun = NULL, *name = NULL;
    char in[240] = "";
    if (side->op == EXPR_VAR && !(t->vars[side->var].classes & sizes.classes)) {
        known *k = &t->vars[side->var];
        if (k->reported)
            return;
        k->reported = true;
        noun = k->noun;
        name = t->r->var_names[side->var];
        if (k->from[0])
            snprintf(in, sizeof in, " in %s", k->from);
    }
    if (name)
        check_found(t->c, t->r, l->line, l->column, l->negated ? FINDING_IDLE : FINDING_MISTAKE,
                    arena_format(t->c->p->current,
                                 "numbers and times are compared by size; %s is %s%s", name, noun,
                                 in));
}

// ---- Signals ----

static const struct {
    const char *name, *arguments;
} SIGNALS[] = {
#define SIGNAL(name, arguments, function, tolerance, knots, doc) {name, arguments},
#include "query/log/signals.def"
#undef SIGNAL
};
#define SIGNAL_COUNT (sizeof SIGNALS / sizeof *SIGNALS)

static bool is_signal_arithmetic(const char *name, uint32_t arity) {
    static const char *const two[] = {"+", "-", "*", "/", "min", "max"};
    for (size_t i = 0; arity == 2 && i < sizeof two / sizeof *two; i++) {
        if (strcmp(name, two[i]) == 0)
            return true;
    }
    return arity == 1 && (strcmp(name, "-") == 0 || strcmp(name, "abs") == 0);
}

static void report_signal(const typing *t, const char *name, uint32_t arity, spot at) {
    const char *names[SIGNAL_COUNT], *near;
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        names[i] = SIGNALS[i].name;
        size_t takes = strlen(SIGNALS[i].arguments);
        if (strcmp(name, names[i]) != 0)
            continue;
        errors_add(t->c->list, t->r->file, at.line, at.column,
                   "there is no signal %s/%u; %s takes %zu argument%s", name, arity, name, takes,
                   takes == 1 ? "" : "s");
        return;
    }
    near = nearest_name(name, names, SIGNAL_COUNT);
    errors_add(t->c->list, t->r->file, at.line, at.column,
               near ? "unknown signal '%s'; did you mean '%s'?" : "unknown signal '%s'", name,
               near);
}

// A signal's name and its arguments, as a pattern or a value; `at`: the term it was read from.
static void check_signal(typing *t, const pattern *p, const term *at, spot place) {
    const values *v = t->c->p->values;
    place = spot_of(at, place);
    bool compound = p->kind == PATTERN_COMPOUND;
    value x = p->constant;
    if (p->kind == PATTERN_VAR || (!compound && value_is_number(x)))
        return;
    if (!compound && value_kind(x) == VALUE_SYMBOL) {
        report_signal(t, values_text(v, x), 0, place);
        return;
    }
    if (!compound && value_kind(x) != VALUE_COMPOUND)
        return;
    const char *name = values_text(v, compound ? x : values_functor(v, x));
    uint32_t arity = compound ? p->arity : values_arity(v, x);
    const char *arguments = NULL;
    bool arithmetic = is_signal_arithmetic(name, arity);
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        if (strcmp(SIGNALS[i].name, name) == 0 && strlen(SIGNALS[i].arguments) == arity)
            arguments = SIGNALS[i].arguments;
    }
    if (!arithmetic && !arguments) {
        report_signal(t, name, arity, place);
        return;
    }
    bool parallel =
        at && at->kind == TERM_COMPOUND && at->arity == arity && strcmp(at->text, name) == 0;
    for (uint32_t i = 0; i < arity; i++) {
        pattern own = {.kind = PATTERN_CONST};
        if (!compound)
            own.constant = values_args(v, x)[i];
        const pattern *arg = compound ? p->args[i] : &own;
        const term *written = parallel ? at->args[i] : NULL;
        char from[100];
        const char *noun;
        if (arithmetic) {
            check_signal(t, arg, written, place);
            continue;
        }
        typing_of what = fact_type(arguments[i]);
        spot there = spot_of(written, place);
        snprintf(from, sizeof from, "argument %u of %s", i + 1, name);
        if (arg->kind == PATTERN_VAR) {
            meet_type(t, arg->var, what, from, there);
        } else if (!(class_of_pattern(v, arg, &noun) & what.classes)) {
            char shown[80] = "this";
            if (arg->kind == PATTERN_CONST)
                values_format(v, arg->constant, shown, sizeof shown);
            errors_add(t->c->list, t->r->file, there.line, there.column, "%s is %s; %s is %s", from,
                       what.type->noun, shown, noun);
        } else {
            note_object(t, arg, what, there);
        }
    }
}

static void check_builtin(typing *t, const literal *l) {
    if (program_is_broken(t->c->p, l->builtin->name))
        return;
    spot at = {l->line, l->column};
    for (uint32_t i = 0; i < l->arg_count; i++) {
        char from[100];
        const pattern *p = l->args[i];
        snprintf(from, sizeof from, "argument %u of %s", i + 1, l->builtin->name);
        if (builtin_type(l->builtin, i) == 's')
            check_signal(t, p, p->written, at);
        else if (builtin_type(l->builtin, i) == 't' && p->kind == PATTERN_VAR)
            meet_type(t, p->var, named_type("time"), from, spot_of(p->written, at));
    }
}

// ---- Literals ----

static void check_literal(typing *t, const literal *l) {
    spot at = {l->line, l->column};
    switch (l->kind) {
    case LITERAL_RELATION:
    case LITERAL_SUBTRACT:
        check_relation(t, l);
        break;
    case LITERAL_BUILTIN:
        check_builtin(t, l);
        break;
    case LITERAL_AGGREGATE: {
        const char *of = l->aggregate == AGGREGATE_COUNT ? "integer"
                         : l->aggregate == AGGREGATE_SUM || l->aggregate == AGGREGATE_AVG ? "number"
                         : l->aggregate == AGGREGATE_LIST                                 ? "list"
                                                                                          : "any";
        meet_type(t, l->right->var, named_type(of), "", at);
        break;
    }
    case LITERAL_UNIFY:
        for (int side = 0; side < 2; side++) {
            const expr *var = side ? l->right : l->left, *is = side ? l->left : l->right;
            const char *noun;
            if (var->op != EXPR_VAR || is->op != EXPR_CONST)
                continue;
            type told = {"", class_of(t->c->p->values, is->constant, &noun), noun};
            known *k = &t->vars[var->var];
            // `end` is an instant where times are meant, else a symbol.
            if (told.classes & TIME)
                continue;
            if (!(k->classes & told.classes) ||
                (told.classes & (SYMBOL | STRING | COMPOUND | LIST | INTERVAL)))
                meet_type(t, var->var, (typing_of){&told, told.classes}, "", at);
        }
        break;
    case LITERAL_COMPARE:
    case LITERAL_INTERSECT:
    case LITERAL_ROUNDS:
    case LITERAL_TO_TIME:
        break;
    }
}

// Gives variables that an equation makes equal one type.
static void check_equal(typing *t, const literal *l) {
    uint32_t target = l->left->var, other = l->right->var;
    if (!is_named(t->r->var_names[target])) {
        target = other;
        other = l->left->var;
    }
    const known *b = &t->vars[other];
    if (!b->noun)
        return;
    type told = {"", b->classes, b->noun};
    meet_type(t, target, (typing_of){&told, told.classes}, b->from, (spot){l->line, l->column});
    if (!t->vars[target].reported)
        t->vars[other].classes = t->vars[target].classes;
}

static bool is_negated(const literal *l) {
    return l->negated || l->kind == LITERAL_SUBTRACT;
}

static void check_rule(const checker *c, const rule *r, const typing *around, const literal *scope);

// Checks the scopes within a rule, which have its variables with their types.
static void check_scopes(const typing *t) {
    for (uint32_t i = 0; i < t->r->literal_count; i++) {
        const literal *l = &t->r->literals[i];
        for (size_t k = 0; l->pred && l->pred->scoped && k < l->pred->rules.count; k++)
            check_rule(t->c, l->pred->rules.items[k], t, l);
    }
}

// `scope` is the literal of the rule around that reads the scope whose rule this is, or NULL.
static void check_rule(const checker *c, const rule *r, const typing *around,
                       const literal *scope) {
    typing t = {.c = c, .r = r};
    for (uint32_t v = 0; v < r->var_count; v++)
        t.vars[v] = (known){.classes = ANY, .from = ""};
    for (uint32_t i = 0; scope && i < scope->arg_count && i < r->arg_count; i++) {
        if (scope->args[i]->kind == PATTERN_VAR && r->args[i]->kind == PATTERN_VAR)
            t.vars[r->args[i]->var] = around->vars[scope->args[i]->var];
    }
    for (uint32_t i = 0; i < r->literal_count; i++) {
        if (!is_negated(&r->literals[i]))
            check_literal(&t, &r->literals[i]);
    }
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (l->kind == LITERAL_UNIFY && !l->negated && l->left->op == EXPR_VAR &&
            l->right->op == EXPR_VAR)
            check_equal(&t, l);
    }
    typing_of types[RELATION_ARITY_MAX];
    if (types_of(c->p, r->pred, types)) {
        uint32_t width = r->pred->temporal ? r->pred->arity - 2 : r->pred->arity;
        for (uint32_t i = 0; i < r->arg_count && i < width; i++)
            check_column(&t, r->pred, r->args[i], i, types[i], (spot){r->line, r->column});
    }
    // Negated literals bind nothing, so they are judged last, by the types that all others give.
    t.negated = true;
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (is_negated(l))
            check_literal(&t, l);
        if (l->kind != LITERAL_COMPARE || l->op == COMPARE_UNEQUAL)
            continue;
        check_order(&t, l, l->left);
        check_order(&t, l, l->right);
    }
    check_scopes(&t);
}

static void check_fact(const checker *c, const pred *d, const typing_of *types, const value *row,
                       uint32_t id) {
    for (uint32_t k = 0; k < d->arity; k++) {
        const char *noun;
        if (types[k].classes == ANY || class_of(c->p->values, row[k], &noun) & types[k].classes)
            continue;
        const clause *from = program_clause(c->p, id);
        rule r = {.id = id,
                  .pred = (pred *)(uintptr_t)d,
                  .file = from->file,
                  .line = from->line,
                  .column = from->column};
        pattern p = {.kind = PATTERN_CONST,
                     .constant = row[k],
                     .written = lower_head_column(c->p, from, d, k)};
        typing t = {.c = c, .r = &r};
        check_column(&t, d, &p, k, types[k], (spot){from->line, from->column});
    }
}

// Facts are rules without variables.
static void check_facts(const checker *c, const pred *d) {
    typing_of types[RELATION_ARITY_MAX];
    if (d->facts.count == 0 || !types_of(c->p, d, types))
        return;
    for (size_t i = 0; i < d->facts.count; i++) {
        const fact_rows *f = &d->facts.items[i];
        for (uint32_t k = 0; k < f->count && check_covers_clause(c, program_holder(c->p, f->first));
             k++)
            check_fact(c, d, types, f->rows + (size_t)k * d->arity, f->first + k);
    }
}

void check_types(const checker *c) {
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        const pred *d = pred_at(c, i);
        for (size_t k = 0; k < d->rules.count; k++) {
            if (!d->scoped && check_covers_rule(c, d->rules.items[k]))
                check_rule(c, d->rules.items[k], NULL, NULL);
        }
        check_facts(c, d);
    }
}
