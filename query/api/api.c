// query/api/api.c - connections of the C interface: opening, rules, mistakes, interruption.
#include "query/api/api_int.h"

#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "base/time/clock.h"
#include "base/files/data.h"
#include "base/files/excerpt.h"
#include "base/files/files.h"
#include "query/log/fact.h"
#include "query/rules/program.h"
#include "query/rule_files.h"

// ---- Mistakes

int api_code(status s) {
    switch (s) {
    case OK:
        return FORESEE_OK;
    case E_USAGE:
    case E_INPUT:
        return FORESEE_INPUT;
    case E_MEMORY:
        return FORESEE_MEMORY;
    case E_LIMIT:
        return FORESEE_LIMIT;
    case E_INTERRUPTED:
        return FORESEE_INTERRUPTED;
    default:
        return FORESEE_IO;
    }
}

char *api_copy(const char *text) {
    return strdup(text);
}

void api_begin(foresee *f) {
    f->mistakes.count = 0;
    free(f->message);
    f->message = NULL;
    f->starved = false;
    f->asked = f->loaded = f->loaded_name = NULL;
}

// Returns the text that a mistake stands in, where it is at hand; otherwise its file is read.
static const char *text_of(const foresee *f, const error *e) {
    if (f->loaded && strcmp(e->file, f->loaded_name) == 0)
        return f->loaded;
    if (f->asked && strcmp(e->file, API_QUERY) == 0)
        return f->asked;
    return NULL;
}

// Returns all mistakes with their places as one text, or NULL: no memory.
static char *message_of(const foresee *f) {
    ARRAY(char) all = {0};
    for (size_t i = 0; i < f->mistakes.count; i++) {
        char *one = error_excerpt(&f->mistakes.items[i], text_of(f, &f->mistakes.items[i]), NULL);
        size_t n = one ? strlen(one) : 0;
        if (!one || !array_reserve_try(&all, all.count + n + 1)) {
            free(one);
            array_finish(&all);
            return NULL;
        }
        memcpy(all.items + all.count, one, n + 1);
        all.count += n;
        free(one);
    }
    // The last line has no newline: callers print the message as a line.
    if (all.count > 0 && all.items[all.count - 1] == '\n')
        all.items[--all.count] = 0;
    return all.items;
}

int api_end(foresee *f, status s) {
    if (s == OK) {
        f->mistakes.count = 0;
    } else {
        if (f->mistakes.count == 0) {
            error e = {0};
            error_set(&e, s, "%s", status_sentence(s));
            errors_append(&f->mistakes, &e);
        }
        f->message = message_of(f);
    }
    f->asked = f->loaded = f->loaded_name = NULL;
    return api_code(s);
}

api_outer api_enter(foresee *f) {
    f->inside++;
    return (api_outer){f->asked, f->loaded, f->loaded_name};
}

void api_leave(foresee *f, api_outer outer) {
    f->inside--;
    api_begin(f);
    f->asked = outer.asked;
    f->loaded = outer.loaded;
    f->loaded_name = outer.loaded_name;
}

int api_busy(foresee *f) {
    return api_misuse(f, "a function that the connection calls cannot ask the connection");
}

int api_ready(foresee *f) {
    if (!f)
        return FORESEE_MISUSE;
    if (!f->engine)
        return api_misuse(f, "the log is not open");
    return f->inside ? api_busy(f) : FORESEE_OK;
}

double api_now(void) {
    return seconds(clock_wall());
}

int api_starved(foresee *f) {
    if (f) {
        api_begin(f);
        f->starved = true;
    }
    return FORESEE_MEMORY;
}

int api_misuse(foresee *f, const char *format, ...) {
    error e = {.code = E_USAGE};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(e.text, sizeof e.text, format, arguments);
    va_end(arguments);
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND_SMALL)) {
        api_starved(f);
        return FORESEE_MISUSE;
    }
    api_begin(f);
    errors_append(&f->mistakes, &e);
    api_end(f, E_USAGE);
    mem_fund_close(&fund);
    return FORESEE_MISUSE;
}

void api_shorten(const foresee *f, char *text) {
    static const char name[] = "predicates/";
    size_t length = f->shipped ? strlen(f->shipped) : 0, kept = sizeof name - 1;
    if (!text || length <= kept || strcmp(f->shipped + length - kept, name) != 0)
        return;
    char *to = text;
    for (const char *from = text; *from;) {
        if (*from == *f->shipped && strncmp(from, f->shipped, length) == 0)
            from += length - kept;
        *to++ = *from++;
    }
    *to = 0;
}

const char *foresee_errmsg(const foresee *f) {
    if (!f)
        return "error: no memory is left"; // all that leaves none of a log
    if (f->message)
        return f->message;
    return f->mistakes.count || f->starved ? "error: no memory is left" : "";
}

static int mistake_at(const errors *list, size_t i, foresee_mistake *out) {
    if (!out || i >= list->count)
        return 0;
    const error *e = &list->items[i];
    *out =
        (foresee_mistake){.file = e->file, .text = e->text, .line = e->line, .column = e->column};
    return 1;
}

int foresee_mistake_at(const foresee *f, size_t i, foresee_mistake *out) {
    return f ? mistake_at(&f->mistakes, i, out) : 0;
}

int foresee_warning_at(const foresee *f, size_t i, foresee_mistake *out) {
    return f && f->engine ? mistake_at(engine_warnings(f->engine), i, out) : 0;
}

const char *foresee_note(const foresee *f) {
    return f && f->store ? store_note(f->store) : NULL;
}

const char *foresee_version(void) {
    return FORESEE_VERSION;
}

void foresee_free(void *text) {
    free(text);
}

// ---- Interruption

void foresee_interrupt(foresee *f) {
    if (!f)
        return;
    atomic_fetch_add(&f->callers, 1);
    engine *e = atomic_load(&f->running);
    if (e)
        engine_interrupt(e);
    else
        atomic_store(&f->pending, true);
    atomic_fetch_sub(&f->callers, 1);
}

// Makes an engine the one that foresee_interrupt reaches; NULL: none for now. Waits for calls of
// foresee_interrupt that still hold the engine before; they end at once.
static void publish_engine(foresee *f, engine *e) {
    atomic_store(&f->running, e);
    if (e && atomic_exchange(&f->pending, false))
        engine_interrupt(e);
    while (!e && atomic_load(&f->callers) > 0)
        sched_yield();
}

// ---- Opening

// Fields that a caller compiled against an older header does not know keep their defaults. False: a
// newer header asks for more than this library knows.
static bool take_options(const foresee_options *given, foresee_options *out) {
    *out = (foresee_options){.size = sizeof *out};
    if (!given)
        return true;
    if (given->size < sizeof given->size)
        return false;
    const char *bytes = (const char *)given;
    for (size_t i = sizeof *out; i < given->size; i++)
        if (bytes[i])
            return false;
    memcpy(out, given, given->size < sizeof *out ? given->size : sizeof *out);
    return true;
}

// Loads the rules of a folder; NULL: the shipped ones. A mistake in them is told when something
// leads to it.
static status load_folder(foresee *f, engine *e, const char *folder) {
    char shipped[4096];
    error err = {0};
    rule_files files = {0};
    if (folder && !folder[0])
        return OK;
    status s = folder ? OK : data_folder("predicates", shipped, sizeof shipped, &err);
    if (s == OK && !folder)
        f->shipped = arena_format(f->texts, "%s/", shipped);
    if (s == OK)
        s = rule_files_list(f->texts, folder ? folder : shipped, &files, &err);
    if (s != OK)
        errors_append(&f->mistakes, &err);
    for (size_t i = 0; s == OK && i < files.count; i++)
        s = engine_load_library_file(e, files.items[i], &f->mistakes);
    array_finish(&files);
    return s;
}

static int do_open(const char *log, const foresee_options *options, foresee **out) {
    foresee_options o;
    if (!out)
        return FORESEE_MISUSE;
    *out = NULL;
    foresee *f = calloc(1, sizeof *f);
    if (!f)
        return FORESEE_MEMORY;
    *out = f;
    atomic_init(&f->running, NULL);
    atomic_init(&f->callers, 0);
    atomic_init(&f->pending, false);
    f->texts = arena_create();
    if (!log || !take_options(options, &o))
        return api_misuse(f, !log ? "foresee_open needs the path of a log"
                                  : "the options are of a later version of the library");
    error err = {0};
    f->options = engine_options_default();
    if (o.memory_limit)
        f->options.memory_limit = o.memory_limit;
    f->options.step_limit = o.step_limit;
    f->options.derive_whole = o.derive_whole != 0;
    f->options.plan = true; // it costs a clock's reading for each run of a rule
    engine *e = NULL;
    status s = store_open(log, &f->store, &err);
    if (s == OK)
        s = engine_open(f->store, o.episode, &f->options, &e, &err);
    if (s != OK)
        errors_append(&f->mistakes, &err);
    if (s == OK)
        s = load_folder(f, e, o.rules);
    if (s == OK)
        s = engine_check(e, &f->mistakes);
    if (s != OK) {
        engine_close(e);
        return api_end(f, s);
    }
    f->engine = e;
    publish_engine(f, e);
    return api_end(f, OK);
}

void api_destroy(foresee *f) {
    publish_engine(f, NULL);
    engine_close(f->engine);
    store_close(f->store);
    api_forget_catalog(f);
    array_finish(&f->supplied);
    errors_finish(&f->mistakes);
    free(f->message);
    arena_destroy(f->texts);
    free(f);
}

void foresee_close(foresee *f) {
    if (!f || f->inside)
        return;
    f->closing = true;
    if (f->open_queries == 0)
        api_destroy(f);
}

// ---- Episodes

int foresee_episode_at(const foresee *f, size_t i, foresee_episode *out) {
    size_t count = 0;
    if (!f || !out || !f->store)
        return 0;
    const store_episode *all = store_episodes(f->store, &count);
    if (i >= count)
        return 0;
    *out = (foresee_episode){.id = all[i].id,
                             .plan = all[i].plan ? all[i].plan : "",
                             .outcome = all[i].outcome ? all[i].outcome : "",
                             .seed = (uint64_t)all[i].seed,
                             .end = all[i].end,
                             .complete = all[i].complete};
    return 1;
}

int64_t foresee_episode_chosen(const foresee *f) {
    return f && f->engine ? engine_episode(f->engine)->id : 0;
}

// Makes a new engine for the episode, with all rules, since derived rows and facts that were read
// belong to one episode. Answers of open queries stay what they are, so their values stay, too.
static int do_choose(foresee *f, int64_t episode) {
    int code = api_ready(f);
    if (code != FORESEE_OK)
        return code;
    api_begin(f);
    engine *e = NULL;
    error err = {0};
    status s = f->open_queries > 0 ? engine_open_after(f->engine, episode, &e, &err)
                                   : engine_open(f->store, episode, &f->options, &e, &err);
    if (s != OK)
        errors_append(&f->mistakes, &err);
    if (s == OK)
        s = engine_take_rules(e, f->engine, &f->mistakes);
    if (s == OK)
        s = engine_check(e, &f->mistakes);
    if (s != OK) {
        engine_close(e);
        return api_end(f, s);
    }
    publish_engine(f, NULL);
    api_forget_catalog(f);
    engine_close(f->engine);
    f->engine = e;
    f->last = NULL;
    f->rules++; // what was answered is of another episode
    publish_engine(f, e);
    return api_end(f, OK);
}

// ---- Rules

kept_rules api_keep_rules(foresee *f, const char *name) {
    const rule_source *r = program_source(engine_program(f->engine), name);
    kept_rules k = {0};
    if (!r)
        return k;
    if (r->held) {
        k.held = fact_share(r->held);
        return k;
    }
    k.text = malloc(r->length + 1);
    k.failed = !k.text;
    k.length = r->length;
    k.library = r->library;
    if (k.text)
        memcpy(k.text, r->text, r->length);
    return k;
}

void api_drop_kept(kept_rules *k) {
    fact_release(k->held);
    free(k->text);
}

// These rules were loaded before, so they have no mistake.
void api_put_back(foresee *f, const kept_rules *k, const char *name) {
    errors none = {0};
    if (k->held)
        program_hold(engine_program(f->engine), name, k->held, &none);
    else if (k->text)
        (k->library ? engine_load_library : engine_load)(f->engine, name, k->text, k->length,
                                                         &none);
    else
        engine_unload(f->engine, name);
    engine_check(f->engine, &none);
    errors_finish(&none);
}

void api_begin_change(foresee *f) {
    api_begin(f);
    api_forget_catalog(f);
    f->rules++;
}

static status load_rules(foresee *f, const char *name, const char *text, size_t length) {
    kept_rules before = api_keep_rules(f, name);
    if (before.failed)
        return E_MEMORY;
    f->loaded = text;
    f->loaded_name = name;
    status s = engine_load(f->engine, name, text, length, &f->mistakes);
    if (s == OK) {
        s = engine_check(f->engine, &f->mistakes);
        if (s != OK)
            api_put_back(f, &before, name);
    }
    api_drop_kept(&before);
    return s;
}

static int do_load_text(foresee *f, const char *name, const char *text) {
    int code = api_ready(f);
    if (code != FORESEE_OK)
        return code;
    if (!name || !text)
        return api_misuse(f, "rules need a name and a text");
    api_begin_change(f);
    return api_end(f, load_rules(f, name, text, strlen(text)));
}

static int do_load(foresee *f, const char *path) {
    int code = api_ready(f);
    if (code != FORESEE_OK)
        return code;
    if (!path)
        return api_misuse(f, "rules need the path of a file");
    api_begin_change(f);
    char *text = NULL;
    size_t length;
    error err = {0};
    status s = file_read(path, &text, &length, &err);
    if (s != OK)
        errors_append(&f->mistakes, &err);
    else
        s = load_rules(f, path, text, length);
    code = api_end(f, s);
    free(text);
    return code;
}

static int do_unload(foresee *f, const char *name) {
    if (!f)
        return FORESEE_MISUSE;
    if (!f->engine || !name || !program_source(engine_program(f->engine), name))
        return api_misuse(f, "no rules were loaded under the name '%s'", name ? name : "");
    if (f->inside)
        return api_busy(f);
    api_begin_change(f);
    kept_rules before = api_keep_rules(f, name);
    if (before.failed)
        return api_end(f, E_MEMORY);
    engine_unload(f->engine, name);
    status s = engine_check(f->engine, &f->mistakes);
    if (s != OK) // other rules need these
        api_put_back(f, &before, name);
    api_drop_kept(&before);
    return api_end(f, s);
}

const char *foresee_file_at(const foresee *f, size_t i) {
    const program *p = f && f->engine ? engine_program(f->engine) : NULL;
    return p && i < p->sources.count ? p->sources.items[i]->name : NULL;
}

// ---- Calls with memory set aside, so that they end in order when there is no more

int foresee_open(const char *log, const foresee_options *options, foresee **out) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND)) {
        if (out)
            *out = NULL;
        return FORESEE_MEMORY;
    }
    int code = do_open(log, options, out);
    mem_fund_close(&fund);
    return code;
}

int foresee_choose(foresee *f, int64_t episode) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND))
        return api_starved(f);
    int code = do_choose(f, episode);
    mem_fund_close(&fund);
    return code;
}

int foresee_load_text(foresee *f, const char *name, const char *text) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND))
        return api_starved(f);
    int code = do_load_text(f, name, text);
    mem_fund_close(&fund);
    return code;
}

int foresee_load(foresee *f, const char *path) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND))
        return api_starved(f);
    int code = do_load(f, path);
    mem_fund_close(&fund);
    return code;
}

int foresee_unload(foresee *f, const char *name) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND))
        return api_starved(f);
    int code = do_unload(f, name);
    mem_fund_close(&fund);
    return code;
}
