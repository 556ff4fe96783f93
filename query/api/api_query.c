// query/api/api_query.c - queries of the C interface: bound, stepped, read.
#include "query/api/api_int.h"

#include <math.h>
#include <stdio.h>

#include "query/prepare.h"

typedef struct binding_given {
    const char *variable;
    const term *value; // NULL: exactly the value `word`
    value word;
} binding_given;

struct foresee_query {
    foresee *f;
    arena *memory; // lives as long as the query
    arena *bound;  // of the bindings' values
    arena *cells;  // of the texts of one answer that were asked for
    char *text;    // as it was given
    const term *body;
    const char **names; // of the columns
    int columns;
    ARRAY(const char *) hidden; // variables that begin with `_`
    ARRAY(binding_given) bindings;
    answers *answers; // NULL: it has not run, or what it depends on has changed since
    size_t next;      // the answer that the next step gives; 0: it is not being stepped
    uint64_t rules;   // state of the rules and the episode when it ran
    bool running;
    engine_cost cost;
    errors notes; // on what it names
    bool noted;   // they have been looked for
};

// ---- Preparing

static void add_name(foresee_query *q, const char *name) {
    for (size_t i = 0; i < q->hidden.count; i++)
        if (strcmp(q->hidden.items[i], name) == 0)
            return;
    array_push(&q->hidden, name);
}

static void find_hidden(foresee_query *q, const term *t) {
    if (t->kind == TERM_VAR && t->text[0] == '_' && !term_is_anonymous(t))
        add_name(q, t->text);
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++)
        find_hidden(q, t->args[i]);
}

// Makes the goal `body, more` with the place of `body`, where mistakes are shown. The added goal
// stands behind, so that the columns keep their order.
static const term *with_goal(arena *a, const term *body, const term *more) {
    term *both = arena_alloc(a, sizeof *both);
    const term **args = arena_alloc(a, 2 * sizeof *args);
    args[0] = body;
    args[1] = more;
    *both = (term){.kind = TERM_COMPOUND,
                   .arity = 2,
                   .line = body->line,
                   .column = body->column,
                   .text = ",",
                   .args = args};
    return both;
}

static const term *of_two(arena *a, const char *name, const term *x, const term *y) {
    const term *args[] = {x, y};
    return term_compound(a, name, 2, args);
}

static status check_query(foresee_query *q, const term *body, errors *list) {
    prepared_query made = {0};
    program *p = engine_program(q->f->engine);
    status s = prepare_query(p, q->memory, body, &(query_scope){.file = API_QUERY}, &made, list);
    if (made.names && !q->names) {
        q->names = made.names;
        q->columns = (int)made.name_count;
    }
    if (s == OK)
        prepare_drop_query(p, &made);
    return s;
}

// Checks the query, and if it has mistakes once more with every variable bound to something: a
// mistake that bindings can mend is none yet.
static status check_either_way(foresee_query *q) {
    errors first = {0}, second = {0};
    status s = check_query(q, q->body, &first);
    if (s == E_INPUT && q->names) {
        const term *body = q->body, *nothing = term_symbol(q->memory, "[]");
        for (int i = 0; i < q->columns; i++)
            body =
                with_goal(q->memory, body,
                          of_two(q->memory, "member", term_var(q->memory, q->names[i]), nothing));
        for (size_t i = 0; i < q->hidden.count; i++)
            body = with_goal(
                q->memory, body,
                of_two(q->memory, "member", term_var(q->memory, q->hidden.items[i]), nothing));
        if (check_query(q, body, &second) == OK)
            s = OK;
    }
    for (size_t i = 0; s != OK && i < first.count; i++)
        errors_append(&q->f->mistakes, &first.items[i]);
    errors_finish(&first);
    errors_finish(&second);
    return s;
}

static status read_query(foresee_query *q) {
    error err = {0};
    status s = source_term(q->memory, API_QUERY, q->text, &q->body, &err);
    if (s == OK && (term_is(q->body, ":-", 2) || term_is(q->body, ":-", 1)))
        s = error_at(&err, E_INPUT, API_QUERY, q->body->line, q->body->column,
                     "this is a rule; a query is only its body");
    if (s == OK && term_is(q->body, "why", 1))
        s = error_at(&err, E_INPUT, API_QUERY, q->body->line, q->body->column,
                     "this asks for reasons, which foresee_explain gives; a query is only the body "
                     "of a rule");
    if (s != OK) {
        errors_append(&q->f->mistakes, &err);
        return s;
    }
    find_hidden(q, q->body);
    s = engine_check(q->f->engine, &q->f->mistakes);
    return s == OK ? check_either_way(q) : s;
}

static void query_destroy(foresee_query *q) {
    answers_destroy(q->answers);
    errors_finish(&q->notes);
    array_finish(&q->hidden);
    array_finish(&q->bindings);
    arena_destroy(q->cells);
    arena_destroy(q->bound);
    arena_destroy(q->memory);
    free(q->text);
    free(q);
}

static int do_prepare(foresee *f, const char *text, foresee_query **out) {
    if (!f)
        return FORESEE_MISUSE;
    if (out)
        *out = NULL;
    if (!f->engine || f->closing || !text || !out)
        return api_misuse(f, !f->engine   ? "the log is not open"
                             : f->closing ? "the connection was closed"
                                          : "a query needs a text, and a place for the query");
    if (f->inside)
        return api_busy(f);
    api_begin(f);
    foresee_query *q = calloc(1, sizeof *q);
    if (!q)
        return api_end(f, E_MEMORY);
    q->f = f;
    q->memory = arena_create();
    q->bound = arena_create_small(256);
    q->cells = arena_create_small(256);
    q->text = strdup(text);
    status s = q->text ? OK : E_MEMORY;
    if (s == OK) {
        f->asked = q->text;
        s = read_query(q);
    }
    int code = api_end(f, s);
    if (s != OK) {
        query_destroy(q);
        return code;
    }
    f->open_queries++;
    *out = q;
    return code;
}

void foresee_finalize(foresee_query *q) {
    if (!q)
        return;
    foresee *f = q->f;
    if (q->running)
        return;
    if (f->last == q)
        f->last = NULL;
    query_destroy(q);
    f->open_queries--;
    if (f->closing && f->open_queries == 0)
        api_destroy(f);
}

foresee *foresee_connection(const foresee_query *q) {
    return q ? q->f : NULL;
}

static void drop_answers(foresee_query *q) {
    answers_destroy(q->answers);
    q->answers = NULL;
    if (q->f->last == q)
        q->f->last = NULL;
}

// ---- Bindings

static bool has_variable(const foresee_query *q, const char *name) {
    for (int i = 0; i < q->columns; i++)
        if (strcmp(q->names[i], name) == 0)
            return true;
    for (size_t i = 0; i < q->hidden.count; i++)
        if (strcmp(q->hidden.items[i], name) == 0)
            return true;
    return false;
}

// Returns whether a value can be given to the variable now; says why not.
static int may_bind(foresee_query *q, const char *variable) {
    if (!q)
        return FORESEE_MISUSE;
    if (q->next > 0)
        return api_misuse(q->f, "the query is being stepped; foresee_reset before binding");
    if (!variable || !has_variable(q, variable))
        return api_misuse(q->f, "the query has no variable '%s'", variable ? variable : "");
    return FORESEE_OK;
}

static int bind_word(foresee_query *q, const char *variable, const term *given, value word) {
    drop_answers(q);
    for (size_t i = 0; i < q->bindings.count; i++) {
        if (strcmp(q->bindings.items[i].variable, variable) == 0) {
            q->bindings.items[i].value = given;
            q->bindings.items[i].word = word;
            return FORESEE_OK;
        }
    }
    const char *name = arena_strdup(q->bound, variable);
    return array_push_try(&q->bindings, (binding_given){name, given, word})
               ? FORESEE_OK
               : api_end(q->f, E_MEMORY);
}

static int do_bind_int64(foresee_query *q, const char *variable, int64_t number) {
    int code = may_bind(q, variable);
    if (code != FORESEE_OK)
        return code;
    api_begin(q->f);
    return bind_word(q, variable, term_int(q->bound, number), VALUE_NONE);
}

static int do_bind_double(foresee_query *q, const char *variable, double number) {
    int code = may_bind(q, variable);
    if (code != FORESEE_OK)
        return code;
    if (!isfinite(number))
        return api_misuse(q->f, "a query knows no infinite number, and none that is not a number");
    api_begin(q->f);
    return bind_word(q, variable, term_float(q->bound, number), VALUE_NONE);
}

// A symbol or string; the reader could not have written one that is no UTF-8 otherwise either.
static int bind_text(foresee_query *q, const char *variable, const char *text, term_kind kind) {
    int code = may_bind(q, variable);
    if (code != FORESEE_OK)
        return code;
    if (!text)
        return api_misuse(q->f, "the variable '%s' needs a text", variable);
    if (kind == TERM_SYMBOL && strcmp(text, "pi") == 0)
        return api_misuse(q->f, "'pi' is a number in queries, no symbol");
    api_begin(q->f);
    return bind_word(q, variable,
                     kind == TERM_SYMBOL ? term_symbol(q->bound, text)
                                         : term_string(q->bound, text),
                     VALUE_NONE);
}

static int do_bind_symbol(foresee_query *q, const char *variable, const char *text) {
    return bind_text(q, variable, text, TERM_SYMBOL);
}

static int do_bind_string(foresee_query *q, const char *variable, const char *text) {
    return bind_text(q, variable, text, TERM_STRING);
}

// The instant is start + whole seconds + the rest, each exact.
static int do_bind_time(foresee_query *q, const char *variable, int64_t nanoseconds) {
    int code = may_bind(q, variable);
    if (code != FORESEE_OK)
        return code;
    if (nanoseconds > TIME_MAX || nanoseconds < -TIME_MAX)
        return api_misuse(q->f, "the time lies more than 18 years from the start");
    api_begin(q->f);
    const term *whole = term_int(q->bound, nanoseconds / NANOS_PER_SECOND),
               *rest = term_float(q->bound, (double)(nanoseconds % NANOS_PER_SECOND) / 1e9);
    return bind_word(
        q, variable,
        of_two(q->bound, "+", of_two(q->bound, "+", term_symbol(q->bound, "start"), whole), rest),
        VALUE_NONE);
}

static int do_bind_term(foresee_query *q, const char *variable, const char *text) {
    int code = may_bind(q, variable);
    if (code != FORESEE_OK)
        return code;
    if (!text)
        return api_misuse(q->f, "the variable '%s' needs a term", variable);
    api_begin(q->f);
    error err = {0};
    const term *given = NULL;
    q->f->asked = text;
    status s = source_term(q->bound, API_QUERY, text, &given, &err);
    if (s == OK && !term_ground(given))
        s = error_at(&err, E_INPUT, API_QUERY, given->line, given->column,
                     "a value has no variables");
    if (s != OK) {
        errors_append(&q->f->mistakes, &err);
        return api_end(q->f, s);
    }
    return bind_word(q, variable, given, VALUE_NONE);
}

static int do_bind_value(foresee_query *q, const char *variable, foresee_value v) {
    int code = may_bind(q, variable);
    if (code != FORESEE_OK)
        return code;
    if (!values_holds(api_values(q->f), api_word(v)))
        return api_misuse(q->f, "the variable '%s' needs a value of the connection", variable);
    api_begin(q->f);
    return bind_word(q, variable, NULL, api_word(v));
}

const char *foresee_variable_at(const foresee_query *q, int i) {
    if (!q || i < 0)
        return NULL;
    if (i < q->columns)
        return q->names[i];
    size_t hidden = (size_t)(i - q->columns);
    return hidden < q->hidden.count ? q->hidden.items[hidden] : NULL;
}

int foresee_clear_bindings(foresee_query *q) {
    if (!q)
        return FORESEE_MISUSE;
    if (q->next > 0)
        return api_misuse(q->f, "the query is being stepped; foresee_reset before unbinding");
    api_begin(q->f);
    drop_answers(q);
    q->bindings.count = 0;
    arena_reset(q->bound);
    return FORESEE_OK;
}

// ---- Stepping

// Returns the body with an equation for every binding. `start` and `end` alone are instants in the
// language, but within a term they are symbols.
static const term *body_of(foresee_query *q, arena *a) {
    const term *body = q->body;
    for (size_t i = 0; i < q->bindings.count; i++) {
        const term *variable = term_var(a, q->bindings.items[i].variable),
                   *given = q->bindings.items[i].value;
        if (!given)
            continue;
        if (term_is_symbol(given, "start") || term_is_symbol(given, "end")) {
            variable = term_compound(a, "same", 1, &variable);
            given = term_compound(a, "same", 1, &given);
        }
        body = with_goal(a, body, of_two(a, "=", variable, given));
    }
    return body;
}

// Gathers the variables that were given a value by its word.
static query_given given_of(foresee_query *q, arena *a) {
    const char **names = arena_alloc(a, (q->bindings.count + 1) * sizeof *names);
    value *words = arena_alloc(a, (q->bindings.count + 1) * sizeof *words);
    query_given g = {.names = names, .values = words};
    for (size_t i = 0; i < q->bindings.count; i++) {
        if (q->bindings.items[i].value)
            continue;
        names[g.count] = q->bindings.items[i].variable;
        words[g.count++] = q->bindings.items[i].word;
    }
    return g;
}

static status run_query(foresee_query *q) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND))
        return E_MEMORY;
    arena *scratch = arena_create();
    query_given given = given_of(q, scratch);
    const query_scope scope = {.file = API_QUERY, .given = given.count > 0 ? &given : NULL};
    api_watch(q->f);
    q->running = true;
    q->f->asked = q->text;
    q->f->last = NULL;
    status s = engine_ask(q->f->engine, &scope, body_of(q, scratch), &q->answers, &q->f->mistakes);
    q->running = false;
    arena_destroy(scratch);
    q->cost = engine_last_cost(q->f->engine);
    q->rules = q->f->rules;
    if (s == OK)
        q->f->last = q;
    mem_fund_close(&fund);
    return s;
}

int foresee_step(foresee_query *q) {
    if (!q)
        return FORESEE_MISUSE;
    if (q->f->closing)
        return api_misuse(q->f, "the connection was closed");
    if (q->f->inside)
        return api_busy(q->f);
    api_begin(q->f);
    if (q->next == 0 && (!q->answers || q->rules != q->f->rules)) {
        drop_answers(q);
        status s = run_query(q);
        int code = api_end(q->f, s);
        if (s != OK)
            return code;
    }
    arena_reset(q->cells);
    size_t count = answers_count(q->answers);
    if (q->next >= count) {
        q->next = count + 1; // past the last answer
        return FORESEE_DONE;
    }
    q->next++;
    return FORESEE_ROW;
}

int foresee_reset(foresee_query *q) {
    if (!q)
        return FORESEE_MISUSE;
    api_begin(q->f);
    q->next = 0;
    return FORESEE_OK;
}

// ---- Columns

int foresee_column_count(const foresee_query *q) {
    return q ? q->columns : 0;
}

const char *foresee_column_name(const foresee_query *q, int column) {
    return q && column >= 0 && column < q->columns ? q->names[column] : NULL;
}

// Gives the value in a column of the present answer; false: there is none.
static bool value_at(const foresee_query *q, int column, value *out) {
    if (!q || !q->answers || column < 0 || column >= q->columns || q->next == 0 ||
        q->next > answers_count(q->answers))
        return false;
    *out = answers_value(q->answers, q->next - 1, (size_t)column);
    return true;
}

foresee_value foresee_column_value(const foresee_query *q, int column) {
    value v;
    return value_at(q, column, &v) ? api_value(v) : 0;
}

int foresee_column_type(const foresee_query *q, int column) {
    return q ? foresee_value_type(q->f, foresee_column_value(q, column)) : 0;
}

int64_t foresee_column_int64(const foresee_query *q, int column) {
    return q ? foresee_value_int64(q->f, foresee_column_value(q, column)) : 0;
}

double foresee_column_double(const foresee_query *q, int column) {
    return q ? foresee_value_double(q->f, foresee_column_value(q, column)) : 0;
}

int64_t foresee_column_time(const foresee_query *q, int column) {
    return q ? foresee_value_time(q->f, foresee_column_value(q, column)) : 0;
}

// Writes seconds, exact to the nanosecond, without a '.' where they are whole.
static const char *time_text(arena *a, nanos t) {
    uint64_t n = t < 0 ? 0 - (uint64_t)t : (uint64_t)t;
    char *text =
        arena_format(a, "%s%llu.%09llu", t < 0 ? "-" : "", (unsigned long long)(n / 1000000000u),
                     (unsigned long long)(n % 1000000000u));
    size_t length = strlen(text);
    while (text[length - 1] == '0')
        length--;
    text[text[length - 1] == '.' ? length - 1 : length] = 0;
    return text;
}

static const char *do_column_term(foresee_query *q, int column) {
    value v;
    if (!value_at(q, column, &v))
        return NULL;
    return term_text(q->cells, answers_term(q->answers, q->next - 1, (size_t)column, q->cells));
}

static const char *do_column_text(foresee_query *q, int column) {
    value v;
    if (!value_at(q, column, &v))
        return NULL;
    return value_kind(v) == VALUE_TIME ? time_text(q->cells, value_nanos(v))
                                       : do_column_term(q, column);
}

size_t foresee_row_count(const foresee_query *q) {
    return q && q->answers ? answers_count(q->answers) : 0;
}

foresee_cost foresee_query_cost(const foresee_query *q) {
    if (!q)
        return (foresee_cost){0};
    return (foresee_cost){.load = q->cost.load,
                          .derive = q->cost.derive - q->cost.load,
                          .steps = q->cost.steps,
                          .rows = q->cost.rows,
                          .bytes = q->cost.bytes};
}

int foresee_query_plan(foresee_query *q, char **out) {
    if (!q)
        return FORESEE_MISUSE;
    if (out)
        *out = NULL;
    if (!out || q->f->last != q)
        return api_misuse(q->f, !out ? "a plan needs a place for its text"
                                     : "how a query was run is known after its first step, until "
                                       "another is stepped for the first time");
    api_begin(q->f);
    *out = strdup(engine_last_plan(q->f->engine));
    api_shorten(q->f, *out);
    return api_end(q->f, *out ? OK : E_MEMORY);
}

static int do_note_at(foresee_query *q, size_t i, foresee_mistake *out) {
    if (!q || !out || q->f->closing || q->f->inside || !q->answers || q->rules != q->f->rules ||
        answers_count(q->answers) > 0)
        return 0;
    if (!q->noted) {
        q->noted = true;
        q->f->last = NULL; // it asks the engine for the names
        engine_notes(q->f->engine, API_QUERY, q->body, &q->notes);
    }
    if (i >= q->notes.count)
        return 0;
    const error *e = &q->notes.items[i];
    *out =
        (foresee_mistake){.file = e->file, .text = e->text, .line = e->line, .column = e->column};
    return 1;
}

// ---- Calls with memory set aside, so that they end in order when there is no more

int foresee_prepare(foresee *f, const char *text, foresee_query **out) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND))
        return api_starved(f);
    int code = do_prepare(f, text, out);
    mem_fund_close(&fund);
    return code;
}

int foresee_bind_int64(foresee_query *q, const char *variable, int64_t number) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND_SMALL))
        return api_starved(q ? q->f : NULL);
    int code = do_bind_int64(q, variable, number);
    mem_fund_close(&fund);
    return code;
}

int foresee_bind_double(foresee_query *q, const char *variable, double number) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND_SMALL))
        return api_starved(q ? q->f : NULL);
    int code = do_bind_double(q, variable, number);
    mem_fund_close(&fund);
    return code;
}

int foresee_bind_symbol(foresee_query *q, const char *variable, const char *text) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND_SMALL))
        return api_starved(q ? q->f : NULL);
    int code = do_bind_symbol(q, variable, text);
    mem_fund_close(&fund);
    return code;
}

int foresee_bind_string(foresee_query *q, const char *variable, const char *text) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND_SMALL))
        return api_starved(q ? q->f : NULL);
    int code = do_bind_string(q, variable, text);
    mem_fund_close(&fund);
    return code;
}

int foresee_bind_time(foresee_query *q, const char *variable, int64_t nanoseconds) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND_SMALL))
        return api_starved(q ? q->f : NULL);
    int code = do_bind_time(q, variable, nanoseconds);
    mem_fund_close(&fund);
    return code;
}

int foresee_bind_term(foresee_query *q, const char *variable, const char *text) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND))
        return api_starved(q ? q->f : NULL);
    int code = do_bind_term(q, variable, text);
    mem_fund_close(&fund);
    return code;
}

int foresee_bind_value(foresee_query *q, const char *variable, foresee_value v) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND_SMALL))
        return api_starved(q ? q->f : NULL);
    int code = do_bind_value(q, variable, v);
    mem_fund_close(&fund);
    return code;
}

int foresee_bind(foresee_query *q, int i, foresee_value v) {
    const char *variable = foresee_variable_at(q, i);
    if (q && !variable)
        return api_misuse(q->f, "the query has no variable %d", i);
    return foresee_bind_value(q, variable, v);
}

static const char *cell_text(foresee_query *q, int column,
                             const char *(*write)(foresee_query *, int)) {
    value v;
    if (!value_at(q, column, &v))
        return NULL;
    size_t weight = api_weight(answers_values(q->answers), v, API_CELL_MAX);
    mem_fund fund;
    if (weight >= API_CELL_MAX || !mem_fund_open(&fund, API_FUND_SMALL + weight)) {
        api_starved(q->f);
        return NULL;
    }
    const char *shown = write(q, column);
    mem_fund_close(&fund);
    return shown;
}

const char *foresee_column_text(foresee_query *q, int column) {
    value v;
    if (value_at(q, column, &v) && (value_kind(v) == VALUE_SYMBOL || value_kind(v) == VALUE_STRING))
        return values_text(answers_values(q->answers), v);
    return cell_text(q, column, do_column_text);
}

const char *foresee_column_term(foresee_query *q, int column) {
    return cell_text(q, column, do_column_term);
}

int foresee_note_at(foresee_query *q, size_t i, foresee_mistake *out) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND))
        return 0;
    int code = do_note_at(q, i, out);
    mem_fund_close(&fund);
    return code;
}
