// query/api/api_supply.c - facts from memory, predicates that functions of the caller answer, and
// the function that is told of progress.
#include "query/api/api_int.h"

#include <ctype.h>

#include "query/rules/program.h"
#include "query/rules/directive.h"

// ---- Facts

static int do_load_facts(foresee *f, const char *name, const char *predicate, int arity,
                         const foresee_value *rows, size_t count) {
    int code = api_ready(f);
    if (code != FORESEE_OK)
        return code;
    if (!name || !predicate || !predicate[0] || (!rows && count > 0))
        return api_misuse(f, "facts need a name, that of their predicate, and their values");
    if (arity < 1 || arity > RELATION_ARITY_MAX)
        return api_misuse(f, "facts have 1 to %d arguments, not %d", RELATION_ARITY_MAX, arity);
    size_t width = (size_t)arity;
    const values *all = api_values(f);
    value *words = count < SIZE_MAX / sizeof *words / width
                       ? malloc((count * width + 1) * sizeof *words)
                       : NULL;
    if (!words)
        return api_starved(f);
    for (size_t i = 0; i < count * width; i++) {
        words[i] = api_word(rows[i]);
        if (!values_holds(all, words[i])) {
            free(words);
            return api_misuse(f, "argument %zu of fact %zu is no value of the connection",
                              i % width + 1, i / width + 1);
        }
    }
    api_begin_change(f);
    kept_rules before = api_keep_rules(f, name);
    status s = before.failed ? E_MEMORY
                             : engine_hold(f->engine, name, predicate, (uint32_t)arity, words,
                                           count, &f->mistakes);
    if (s == OK) {
        s = engine_check(f->engine, &f->mistakes);
        if (s != OK)
            api_put_back(f, &before, name);
    }
    api_drop_kept(&before);
    free(words);
    return api_end(f, s);
}

// ---- Predicates

struct foresee_call {
    foresee *f;
    builtin_call *of;
    const char *said; // the sentence of a failure, in `text`
    char text[600];
};

// The builtin that the engine calls: it calls the function of the caller.
typedef struct supplied {
    builtin face; // first, and what the list of the connection points to
    foresee *f;
    foresee_function *run;
    void *context;
    char modes[2 * BUILTIN_ARITY_MAX + 1];
} supplied;

static status run_supplied(builtin_call *c) {
    const supplied *s = c->builtin->context;
    foresee_call call = {.f = s->f, .of = c};
    api_outer outer = api_enter(s->f);
    int code = s->run(&call, s->context);
    api_leave(s->f, outer);
    switch (code) {
    case FORESEE_OK:
    case FORESEE_ROW:
    case FORESEE_DONE:
        return OK;
    case FORESEE_MEMORY:
        return E_MEMORY;
    case FORESEE_LIMIT:
        return E_LIMIT;
    case FORESEE_INTERRUPTED:
        return E_INTERRUPTED;
    default:
        return error_set(c->err, E_INPUT, "%s/%u %s", c->builtin->name, c->arity,
                         call.said ? call.said : "failed, and did not say why");
    }
}

foresee *foresee_call_connection(const foresee_call *call) {
    return call ? call->f : NULL;
}

foresee_value foresee_call_argument(const foresee_call *call, int i) {
    nanos t;
    if (!call || i < 0 || (uint32_t)i >= call->of->arity || call->of->args[i] == VALUE_NONE)
        return 0;
    bool is_time = builtin_type(call->of->builtin, (uint32_t)i) == 't';
    return api_value(is_time && builtin_time(call->of, (uint32_t)i, &t) ? values_time(t)
                                                                        : call->of->args[i]);
}

int foresee_call_answer(foresee_call *call, const foresee_value *row) {
    if (!call || (!row && call->of->arity > 0))
        return FORESEE_MISUSE;
    value words[BUILTIN_ARITY_MAX];
    for (uint32_t i = 0; i < call->of->arity; i++) {
        words[i] = row[i] ? api_word(row[i]) : call->of->args[i];
        if (!values_holds(call->of->values, words[i]))
            return foresee_call_fail(call, "gave an answer with an argument that has no value");
    }
    return api_code(builtin_emit(call->of, words));
}

int foresee_call_fail(foresee_call *call, const char *sentence) {
    if (!call)
        return FORESEE_MISUSE;
    snprintf(call->text, sizeof call->text, "%s", sentence ? sentence : "failed");
    call->said = call->text;
    return FORESEE_INPUT;
}

// Reads one argument of a pattern, "+name: type", and returns the text behind it; NULL: it is none.
static const char *read_argument(const char *at, char mode[2]) {
    at += strspn(at, " \t\n");
    if (*at != '+' && *at != '-')
        return NULL;
    mode[0] = *at++;
    mode[1] = mode[0] == '+' ? 'a' : 'o';
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_')
        n++;
    if (n == 0)
        return NULL;
    at += n;
    at += strspn(at, " \t\n");
    if (*at != ':')
        return at;
    at += 1 + strspn(at + 1, " \t\n");
    char type[32];
    for (n = 0; isalpha((unsigned char)at[n]) && n + 1 < sizeof type; n++)
        type[n] = at[n];
    type[n] = 0;
    if (!type_is_known(type))
        return NULL;
    if (strcmp(type, "time") == 0)
        mode[1] = 't';
    else if (strcmp(type, "any") == 0 || strcmp(type, "term") == 0)
        mode[1] = 'a';
    at += n;
    return at + strspn(at, " \t\n");
}

// Reads name(+a, -b: type). False: the pattern is none.
static bool read_pattern(foresee *f, const char *declared, supplied *s) {
    size_t n = 0;
    while (islower((unsigned char)declared[0]) &&
           (isalnum((unsigned char)declared[n]) || declared[n] == '_'))
        n++;
    const char *at = declared + n;
    if (n == 0 || *at++ != '(')
        return false;
    uint32_t count = 0;
    for (bool more = true; more; count++) {
        if (count == BUILTIN_ARITY_MAX || !(at = read_argument(at, s->modes + 2 * count)))
            return false;
        more = *at == ',';
        if (!more && *at != ')')
            return false;
        at++;
    }
    if (at[strspn(at, " \t\n.")])
        return false;
    s->face.name = arena_copy(f->texts, declared, n);
    s->face.label = arena_strdup(f->texts, declared);
    s->face.modes = s->modes;
    s->face.arity = count;
    return true;
}

// Returns the place of name/arity in the list, or the end of the list.
static size_t find_supplied(const foresee *f, const char *name, uint32_t arity) {
    size_t i = 0;
    while (i < f->supplied.count &&
           (f->supplied.items[i]->arity != arity || strcmp(f->supplied.items[i]->name, name) != 0))
        i++;
    return i;
}

// Returns whether rules, the log or the engine define the predicate already.
static bool is_taken(foresee *f, const supplied *s) {
    program *p = engine_program(f->engine);
    return builtin_find(s->face.name, s->face.arity) ||
           program_fact(p, s->face.name, s->face.arity) || program_defines(p, s->face.name);
}

static int do_define(foresee *f, const char *declared, const char *documentation,
                     foresee_function *run, void *context) {
    int code = api_ready(f);
    if (code != FORESEE_OK)
        return code;
    supplied *s = arena_alloc(f->texts, sizeof *s);
    if (!declared || !read_pattern(f, declared, s))
        return api_misuse(f,
                          "a predicate is declared as name(+bound: type, -answer: type), with at "
                          "most %d arguments and types that declarations know, not as '%s'",
                          BUILTIN_ARITY_MAX, declared ? declared : "");
    size_t at = find_supplied(f, s->face.name, s->face.arity);
    bool known = at < f->supplied.count;
    if (!known && run && is_taken(f, s))
        return api_misuse(f, "%s/%u is defined already", s->face.name, s->face.arity);
    if (!known && !run)
        return api_misuse(f, "%s/%u was not defined", s->face.name, s->face.arity);
    s->face.run = run_supplied;
    s->face.doc = arena_strdup(f->texts, documentation ? documentation : "");
    s->face.context = s;
    s->face.serial = ++f->serials;
    s->f = f;
    s->run = run;
    s->context = context;
    const builtin *before = known ? f->supplied.items[at] : NULL;
    api_begin_change(f);
    if (run && !known)
        array_push(&f->supplied, &s->face);
    else if (run)
        f->supplied.items[at] = &s->face;
    else
        f->supplied.items[at] = f->supplied.items[--f->supplied.count];
    engine_supply(f->engine, &f->supplied);
    status st = engine_check(f->engine, &f->mistakes);
    if (st != OK) { // as it was
        errors none = {0};
        if (run && !known)
            f->supplied.count--;
        else if (run)
            f->supplied.items[at] = before;
        else
            f->supplied.items[f->supplied.count++] = before;
        engine_supply(f->engine, &f->supplied);
        engine_check(f->engine, &none);
        errors_finish(&none);
    }
    return api_end(f, st);
}

// ---- Progress

static bool look_on(void *context, const budget *b) {
    foresee *f = context;
    if (f->inside) // it is the caller's own code that runs
        return false;
    foresee_progress p = {
        .seconds = api_now() - f->began, .steps = b->steps ? *b->steps : 0, .bytes = b->used};
    api_outer outer = api_enter(f);
    bool ends = f->on_progress(&p, f->progress_context) != 0;
    api_leave(f, outer);
    return ends;
}

void api_watch(foresee *f) {
    f->began = api_now();
    if (f->engine)
        engine_watch(f->engine, f->on_progress ? look_on : NULL, f,
                     (nanos)(f->progress_every * 1e9));
}

int foresee_on_progress(foresee *f, double every_seconds, foresee_progress_function *call,
                        void *context) {
    if (!f)
        return FORESEE_MISUSE;
    if (!(every_seconds >= 0 && every_seconds <= 1e6))
        return api_misuse(f, "progress is told of every 0 to 1,000,000 seconds");
    f->on_progress = call;
    f->progress_context = context;
    f->progress_every = every_seconds;
    return FORESEE_OK;
}

// ---- Calls with memory set aside, so that they end in order when there is no more

int foresee_load_facts(foresee *f, const char *name, const char *predicate, int arity,
                       const foresee_value *rows, size_t count) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND))
        return api_starved(f);
    int code = do_load_facts(f, name, predicate, arity, rows, count);
    mem_fund_close(&fund);
    return code;
}

int foresee_define(foresee *f, const char *declared, const char *documentation,
                   foresee_function *run, void *context) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND))
        return api_starved(f);
    int code = do_define(f, declared, documentation, run, context);
    mem_fund_close(&fund);
    return code;
}
