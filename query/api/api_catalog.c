// query/api/api_catalog.c - the catalogue of predicates with their documentation, and their rules
// as they are written.
#include "query/api/api_int.h"

#include <ctype.h>
#include <stdio.h>

#include "query/builtins/builtin.h"
#include "query/log/fact.h"
#include "query/rules/flaw_form.h"
#include "query/rules/module.h"
#include "query/rules/program.h"
#include "query/rules/fact_block.h"

// Returns the occasion of a split predicate's head, or NULL.
static const term *occasion_of(program *p, const term *head) {
    const predicate_traits *s =
        head->kind == TERM_COMPOUND ? program_traits(p, head->text, false) : NULL;
    uint32_t at = s ? s->split_on : 0;
    // Without the agent, the occasion stands one place further left.
    if (at > 1 && s->agent_arity == head->arity + 1)
        at--;
    return at > 0 && at <= head->arity ? head->args[at - 1] : NULL;
}

static bool is_named(const term *t, const char *name) {
    return (t->kind == TERM_SYMBOL || t->kind == TERM_COMPOUND) && strcmp(t->text, name) == 0;
}

// Gathers every clause that can be read, file by file; a block of facts counts as one.
typedef void (*clause_visit)(void *context, const clause *c);
static void visit_clauses(program *p, clause_visit visit, void *context) {
    errors none = {0};
    program_index(p);
    for (size_t i = 0; i < p->sources.count; i++) {
        const rule_source *s = p->sources.items[i];
        for (size_t k = 0; k < s->clauses.count; k++) {
            clause *c = s->clauses.items[k];
            if (source_read(c, &none) && c->head)
                visit(context, c);
        }
    }
    errors_finish(&none);
}

// ---- Rules

typedef struct listing {
    program *p;
    const char *name;
    ARRAY(clause) found;
} listing;

static void list_clause(void *context, const clause *c) {
    listing *l = context;
    const term *o = occasion_of(l->p, c->head);
    bool own = module_plain(l->name) != l->name && c->source &&
               strcmp(module_head(l->p, c->source, c->name), l->name) == 0;
    if (!own && !is_named(c->head, l->name) && !(o && is_named(o, l->name)))
        return;
    if (!c->facts)
        array_push(&l->found, *c);
    for (uint32_t i = 0; c->facts && i < c->facts->count; i++)
        array_push(&l->found, fact_block_at(c, i));
}

static int by_place(const void *a, const void *b) {
    const clause *x = a, *y = b;
    if (x->file_number != y->file_number)
        return x->file_number < y->file_number ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

// Writes clauses as their authors wrote them, with the comments within them.
static bool print_clauses(const listing *l, FILE *out) {
    for (size_t i = 0; i < l->found.count; i++) {
        const clause *c = &l->found.items[i];
        bool again = i > 0 && c->form && c[-1].file == c->file && c[-1].at == c->at;
        if (!again) // a sentence may stand for several clauses
            fprintf(out, "%s:%d:%s%s\n%.*s\n", c->file, c->line, c->form ? " of the flaw " : "",
                    c->form ? c->form->flaw->name : "", (int)c->length, c->source->text + c->at);
    }
    return !ferror(out);
}

static int do_rules(foresee *f, const char *name, char **out) {
    if (!f)
        return FORESEE_MISUSE;
    if (!f->engine || !name || !out)
        return api_misuse(f, !f->engine ? "the log is not open"
                                        : "rules are listed by a name, and need a place");
    api_begin(f);
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return api_end(f, E_MEMORY);
    listing l = {.p = engine_program(f->engine), .name = name};
    visit_clauses(l.p, list_clause, &l);
    if (l.found.count > 0)
        qsort(l.found.items, l.found.count, sizeof *l.found.items, by_place);
    bool failed = !print_clauses(&l, stream);
    failed = fclose(stream) != 0 || failed;
    array_finish(&l.found);
    if (failed || size == 0) {
        free(text);
        *out = NULL;
        return failed ? api_end(f, E_MEMORY) : FORESEE_DONE;
    }
    api_shorten(f, text);
    *out = text;
    return api_end(f, OK);
}

// ---- Predicates

// One argument of a declaration: a name, with a type or without, or an occasion with arguments.
typedef struct argument {
    const char *name, *type; // type "": none
    const char *inner;       // the text behind its '(', or NULL
} argument;

static const char *pass_blanks(const char *at) {
    return at + strspn(at, " \t\r\n");
}

static const char *take_name(arena *a, const char **at) {
    const char *start = *at = pass_blanks(*at);
    while (isalnum((unsigned char)**at) || **at == '_')
        ++*at;
    return arena_copy(a, start, (size_t)(*at - start));
}

// Reads the argument at *at and passes the ',' or ')' behind it. False: the last one.
static bool take_argument(arena *a, const char **at, argument *out) {
    *out = (argument){.name = take_name(a, at), .type = ""};
    *at = pass_blanks(*at);
    if (**at == '(') {
        out->inner = ++*at;
        for (int depth = 1; depth > 0 && **at; ++*at) {
            depth += **at == '(';
            depth -= **at == ')';
        }
        *at = pass_blanks(*at);
    }
    if (**at == ':') {
        ++*at;
        out->type = take_name(a, at);
        *at = pass_blanks(*at);
    }
    bool more = **at == ',';
    *at += **at != 0;
    return more;
}

typedef struct naming {
    arena *arena;
    const char *names[64]; // given so far
    size_t count;
} naming;

// Makes a variable of the argument's name that no argument before it has.
static const char *fresh_variable(naming *n, const char *name, bool is_time) {
    char *made = arena_format(n->arena, "%s%s", name[0] ? name : "x", is_time ? "_s" : "");
    made[0] = (char)toupper((unsigned char)made[0]);
    const char *unique = made;
    for (size_t i = 0, nth = 2; i < n->count; i++) {
        if (strcmp(n->names[i], unique) == 0) {
            unique = arena_format(n->arena, "%s_%zu", made, nth++);
            i = (size_t)-1;
        }
    }
    if (n->count < sizeof n->names / sizeof *n->names)
        n->names[n->count++] = unique;
    return unique;
}

// Writes the arguments from `at` on as variables, up to their ')'.
static const char *argument_variables(naming *n, const char *at, int *count) {
    const char *text = "";
    argument one;
    bool more = true;
    for (*count = 0; more; ++*count) {
        more = take_argument(n->arena, &at, &one);
        text = arena_format(n->arena, "%s%s%s", text, *count ? ", " : "",
                            fresh_variable(n, one.name, strcmp(one.type, "time") == 0));
    }
    return text;
}

// Gives the prefix of a predicate's name in queries: its module, unless the module exports it.
// `own`: the name as the program knows it.
static const char *prefix_of(program *p, arena *a, const char *own) {
    const char *plain = module_plain(own), *means;
    if (plain == own)
        return "";
    means = module_name(p, NULL, plain, UINT32_MAX);
    return means && strcmp(means, own) == 0 ? "" : arena_copy(a, own, (size_t)(plain - own));
}

// Returns whether "module:" is the prefix; both may be "".
static bool is_prefix_of(const char *word, const char *prefix) {
    size_t n = strlen(word);
    return strncmp(word, prefix, n) == 0 && strcmp(prefix + n, n ? ":" : "") == 0;
}

// Fills in what the label of a declaration says: the name, the predicate that it is an occasion of,
// its arity, and the query for all answers.
static void read_label(program *p, arena *a, const char *own, foresee_predicate *out) {
    const char *at = out->label, *outer = take_name(a, &at), *text = "";
    const char *prefix = prefix_of(p, a, own);
    const predicate_traits *s = program_traits(p, own, false);
    naming n = {.arena = a};
    bool more = *at == '(';
    argument one;
    int count = 0;
    bool pointwise = false;
    out->name = outer;
    out->of = "";
    at += more;
    // Without the agent, every argument stands one place further left.
    uint32_t skipped = 0, written = 0;
    const char *ahead = at;
    for (bool any = more; any; written++)
        any = take_argument(a, &ahead, &one);
    skipped = s && s->agent_arity == written + 1;
    for (uint32_t k = 1 + skipped; more; k++) {
        more = take_argument(a, &at, &one);
        text = arena_format(a, "%s%s", text, count > 0 ? ", " : "");
        count++;
        if (s && s->split_on == k && (one.inner || !one.type[0])) {
            int inner = 0;
            const char *given = one.inner ? argument_variables(&n, one.inner, &inner) : NULL;
            out->of = outer;
            out->name = one.name;
            out->arity = inner;
            pointwise = program_is_pointwise(p, own, one.name, (uint32_t)inner);
            text = given ? arena_format(a, "%s%s(%s)", text, one.name, given)
                         : arena_format(a, "%s%s", text, one.name);
        } else if (s && s->temporal_on == k) {
            const char *start = fresh_variable(&n, "start", true),
                       *end = fresh_variable(&n, "end", true);
            text = arena_format(a, "%sinterval(%s, %s)", text, start, end);
        } else {
            bool is_time = (s && s->instant_on == k) || strcmp(one.type, "time") == 0;
            text = arena_format(a, "%s%s", text, fresh_variable(&n, one.name, is_time));
        }
    }
    if (!out->of[0])
        out->arity = count;
    if (pointwise)
        out->all = "";
    else
        out->all = count > 0 ? arena_format(a, "%s%s(%s)", prefix, outer, text)
                             : arena_format(a, "%s%s", prefix, outer);
    out->label = arena_format(a, "%s%s", prefix, out->label);
    out->module = prefix[0] ? arena_copy(a, prefix, strlen(prefix) - 1) : "";
}

// Returns the name and its arguments, without what follows them.
static char *declared_label(arena *a, const char *text) {
    size_t n = strcspn(text, " \t\r\n(\""), depth = 0;
    while (text[n] && (depth > 0 || text[n] == '(')) {
        depth += text[n] == '(';
        depth -= text[n] == ')';
        n++;
        if (depth == 0)
            break;
    }
    return arena_copy(a, text, n);
}

static void add_declared(foresee *f, program *p) {
    arena *a = f->catalog_texts;
    for (size_t i = 0; i < p->declarations.count; i++) {
        const declaration *d = &p->declarations.items[i];
        foresee_predicate one = {.label = declared_label(a, d->text),
                                 .documentation = d->doc ? arena_strdup(a, d->doc) : "",
                                 .kind = "rule",
                                 .file = arena_strdup(a, d->file),
                                 .line = d->line};
        read_label(p, a, d->name, &one);
        array_push(&f->catalog, one);
    }
}

typedef struct gathering {
    foresee *f;
    program *p;
} gathering;

// Makes a label with made-up names of arguments: name(a1, f(a1, a2), a3).
static const char *unnamed_pattern(arena *a, const term *t, const term *inner) {
    const char *text = t->text;
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++)
        text = arena_format(a, "%s%s%s", text, i ? ", " : "(",
                            t->args[i] == inner ? unnamed_pattern(a, inner, NULL)
                                                : arena_format(a, "a%u: any", i + 1));
    return t->kind == TERM_COMPOUND && t->arity ? arena_format(a, "%s)", text) : text;
}

// Adds a head that no declaration covers.
static void add_head(void *context, const clause *c) {
    gathering *g = context;
    arena *a = g->f->catalog_texts;
    const term *o = occasion_of(g->p, c->head), *last = o ? o : c->head;
    if ((last->kind != TERM_SYMBOL && last->kind != TERM_COMPOUND) ||
        (c->head->kind != TERM_SYMBOL && c->head->kind != TERM_COMPOUND))
        return;
    int arity = last->kind == TERM_COMPOUND ? (int)last->arity : 0;
    const char *own = c->source ? module_head(g->p, c->source, c->head->text) : c->head->text;
    const char *prefix = prefix_of(g->p, a, own);
    for (size_t i = 0; i < g->f->catalog.count; i++) {
        const foresee_predicate *known = &g->f->catalog.items[i];
        if (strcmp(known->name, last->text) == 0 &&
            strcmp(known->of, o ? c->head->text : "") == 0 && known->arity == arity &&
            is_prefix_of(known->module, prefix))
            return;
    }
    // Its arguments have no names; a label with made-up ones gives the query.
    foresee_predicate one = {.label = unnamed_pattern(a, c->head, o)};
    read_label(g->p, a, own, &one);
    one.label = o ? arena_format(a, "%s%s(%s/%d)", prefix, c->head->text, o->text, arity)
                  : arena_format(a, "%s%s/%d", prefix, c->head->text, arity);
    one.documentation = "";
    one.kind = "rule";
    one.file = arena_strdup(a, c->file);
    one.line = c->line;
    array_push(&g->f->catalog, one);
}

static const char *fact_type(char kind) {
    switch (tolower((unsigned char)kind)) {
    case 'i':
        return "integer";
    case 'o':
        return "object";
    case 'a':
        return "agent";
    case 'b':
        return "believed";
    case 't':
    case 'e':
        return "time";
    case 'r':
        return "number";
    case 'y':
        return "symbol";
    case 's':
        return "string";
    case 'p':
        return "pose";
    default:
        return "term";
    }
}

// Takes the next of some SQL columns, as text between commas outside brackets; NULL: none is left.
static const char *next_column(arena *a, const char **at) {
    const char *from = *at + strspn(*at, " "), *c = from;
    for (int depth = 0; *c && (depth > 0 || *c != ','); c++)
        depth += (*c == '(') - (*c == ')');
    if (c == from)
        return NULL;
    *at = *c ? c + 1 : c;
    return arena_copy(a, from, (size_t)(c - from));
}

// Returns a name for an argument of a fact: that of the column that it is read from; "": none.
static const char *argument_name(arena *a, const fact *x, uint32_t k, const char **columns) {
    const char *column = next_column(a, columns);
    for (int more = 0; x->kinds[k] == 'p' && more < 6; more++) // a pose is seven columns
        next_column(a, columns);
    if (!column || x->kinds[k] == 'p')
        return "";
    size_t n = strlen(column);
    if (strspn(column, "abcdefghijklmnopqrstuvwxyz_0123456789") < n)
        return ""; // it is no column, but an expression
    if (strcmp(column, "id") == 0)
        return fact_table(x);
    if (strcmp(column, "t_ns") == 0)
        return "time";
    return n > 3 && strcmp(column + n - 3, "_ns") == 0 ? arena_copy(a, column, n - 3) : column;
}

static void add_facts(foresee *f, program *p) {
    arena *a = f->catalog_texts;
    const fact *x;
    for (size_t i = 0; (x = program_fact_at(p, i)); i++) {
        const char *label = arena_format(a, "%s(", x->name),
                   *columns = x->columns ? x->columns : "";
        for (uint32_t k = 0; k < x->arity; k++) {
            const char *type = x->origin ? x->origin->types[k] : fact_type(x->kinds[k]);
            const char *name = x->origin ? x->origin->args[k] : argument_name(a, x, k, &columns);
            bool named = *name && strcmp(name, type) != 0;
            label = arena_format(a, "%s%s%s%s%s", label, k ? ", " : "", named ? name : "",
                                 named ? ": " : "", type);
        }
        foresee_predicate one = {.label = arena_format(a, "%s)", label),
                                 .name = arena_strdup(a, x->name),
                                 .of = "",
                                 .module = "",
                                 .documentation = x->doc ? arena_strdup(a, x->doc) : "",
                                 .kind = "fact",
                                 .file = x->origin ? arena_strdup(a, x->origin->file)
                                         : x->held ? arena_strdup(a, x->from)
                                                   : "",
                                 .line = x->origin ? x->origin->name.line : 0,
                                 .arity = (int)x->arity,
                                 .all = ""};
        array_push(&f->catalog, one);
    }
}

static void add_builtins(foresee *f, const program *p) {
    arena *a = f->catalog_texts;
    const builtin *b;
    for (size_t i = 0; (b = program_builtin_at(p, i)); i++) {
        const char *label = b->label ? b->label : arena_format(a, "%s/%u", b->name, b->arity);
        foresee_predicate one = {.label = label,
                                 .name = b->name,
                                 .of = "",
                                 .module = "",
                                 .documentation = b->doc,
                                 .kind = "builtin",
                                 .file = "",
                                 .arity = (int)b->arity,
                                 .all = ""};
        array_push(&f->catalog, one);
    }
    static const struct {
        const char *name, *arguments, *doc;
    } signals[] = {
#define SIGNAL(name, arguments, function, tolerance, knots, doc) {name, arguments, doc},
#include "query/log/signals.def"
#undef SIGNAL
    };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        const char *label = arena_format(a, "%s(", signals[i].name);
        for (const char *k = signals[i].arguments; *k; k++)
            label = arena_format(a, "%s%s%s", label, k == signals[i].arguments ? "" : ", ",
                                 fact_type(*k));
        foresee_predicate one = {.label = arena_format(a, "%s)", label),
                                 .name = signals[i].name,
                                 .of = "",
                                 .module = "",
                                 .documentation = signals[i].doc,
                                 .kind = "signal",
                                 .file = "",
                                 .arity = (int)strlen(signals[i].arguments),
                                 .all = ""};
        array_push(&f->catalog, one);
    }
}

void api_forget_catalog(foresee *f) {
    array_finish(&f->catalog);
    arena_destroy(f->catalog_texts);
    f->catalog_texts = NULL;
}

static int do_predicate_at(foresee *f, size_t i, foresee_predicate *out) {
    if (!f || !f->engine || !out)
        return 0;
    if (!f->catalog_texts) {
        gathering g = {f, engine_program(f->engine)};
        f->catalog_texts = arena_create();
        add_declared(f, g.p);
        visit_clauses(g.p, add_head, &g);
        add_facts(f, g.p);
        add_builtins(f, g.p);
    }
    if (i >= f->catalog.count)
        return 0;
    *out = f->catalog.items[i];
    return 1;
}

// ---- Calls with memory set aside, so that they end in order when there is no more

int foresee_rules(foresee *f, const char *name, char **out) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND))
        return api_starved(f);
    int code = do_rules(f, name, out);
    mem_fund_close(&fund);
    return code;
}

int foresee_predicate_at(foresee *f, size_t i, foresee_predicate *out) {
    mem_fund fund;
    // The list is made by the first call; the others only read it.
    if (f && f->catalog_texts)
        return do_predicate_at(f, i, out);
    if (!mem_fund_open(&fund, API_FUND))
        return 0;
    int code = do_predicate_at(f, i, out);
    mem_fund_close(&fund);
    return code;
}
