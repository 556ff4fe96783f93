// cli/prompt/rules.c - the rules that the engine is given: rules that are typed, and files that are
// watched.
#include <errno.h>
#include <string.h>

#include "base/term/term.h"
#include "base/files/files.h"
#include "cli/prompt/names.h"
#include "cli/prompt/terminal.h"

// ---- Files

bool repl_same_state(const file_state *a, const file_state *b) {
    return a->size == b->size && a->inode == b->inode && a->device == b->device &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

file_state repl_state(const struct stat *info) {
    return (file_state){info->st_mtim, info->st_size, info->st_dev, info->st_ino};
}

static void note_state(watched_file *w, const struct stat *info) {
    w->state = repl_state(info);
    w->gone = false;
}

// Returns the text of a file, which the caller frees, and its state from before reading. NULL:
// errno says why.
static char *read_text(const char *path, struct stat *info) {
    char *text = NULL;
    size_t length = 0;
    error err = {0};
    errno = 0;
    if (stat(path, info) != 0)
        return NULL;
    if (S_ISDIR(info->st_mode)) {
        errno = EISDIR;
        return NULL;
    }
    if (file_read(path, &text, &length, &err) != OK) {
        errno = errno ? errno : EIO;
        return NULL;
    }
    if (strlen(text) != length) { // a file with a NUL is no text
        free(text);
        text = NULL;
        errno = EILSEQ;
    }
    return text;
}

static watched_file *find_or_add_watched(repl *r, const char *path) {
    for (size_t i = 0; i < r->watched.count; i++)
        if (strcmp(r->watched.items[i].path, path) == 0)
            return &r->watched.items[i];
    watched_file one = {.path = repl_copy(path, strlen(path))};
    array_push(&r->watched, one);
    return &r->watched.items[r->watched.count - 1];
}

// Watches a file; its present state counts as loaded.
static watched_file *watch_now(repl *r, const char *path) {
    struct stat info = {0};
    watched_file *w = find_or_add_watched(r, path);
    if (!w->text) {
        w->text = read_text(path, &info);
        w->gone = !w->text;
        note_state(w, &info);
    }
    size_t n = strlen(r->shipped);
    w->shipped = n > 0 && strncmp(path, r->shipped, n) == 0 && path[n] == '/';
    return w;
}

void repl_watch_files(repl *r, const char *path) {
    struct stat info;
    const char *name;
    if (path)
        watch_now(r, path)->given = true;
    for (size_t i = 0; (name = foresee_file_at(r->s->logs[0], i)) != NULL; i++)
        if (strncmp(name, "typed ", 6) != 0 && stat(name, &info) == 0 && S_ISREG(info.st_mode))
            watch_now(r, name);
}

// Loads a text into all connections or into none; *failed is the index of a connection that refused
// it. `before` is the former text under this name, or NULL.
static int load_text(repl *r, const char *name, const char *text, const char *before,
                     size_t *failed) {
    int code = FORESEE_OK;
    session *s = r->s;
    for (size_t i = 0; code == FORESEE_OK && i < s->count; i++) {
        repl_begin_call(r, s->logs[i]);
        code = foresee_load_text(s->logs[i], name, text);
        repl_end_call(r);
        *failed = i;
    }
    for (size_t i = 0; code != FORESEE_OK && i < *failed; i++) {
        if (before)
            foresee_load_text(s->logs[i], name, before);
        else
            foresee_unload(s->logs[i], name);
    }
    if (code == FORESEE_OK)
        repl_names_stale(r, false);
    return code;
}

static void file_warnings(repl *r, const char *path) {
    foresee_mistake one;
    for (size_t i = 0; foresee_warning_at(r->s->logs[0], i, &one); i++)
        if (one.file && strcmp(one.file, path) == 0)
            cli_print(stderr, "%s:%d:%d: warning: %s\n", path, one.line, one.column, one.text);
}

int repl_load_file(repl *r, const char *path, const input *in) {
    struct stat info;
    char *text = read_text(path, &info);
    if (!text)
        return repl_wrong(r, in, "%s: %s", path, strerror(errno));
    const char *before = NULL;
    for (size_t i = 0; i < r->watched.count; i++)
        if (strcmp(r->watched.items[i].path, path) == 0)
            before = r->watched.items[i].text;
    size_t failed = 0;
    int code = load_text(r, path, text, before, &failed);
    if (code != FORESEE_OK) {
        free(text);
        if (code == FORESEE_INTERRUPTED)
            return repl_stopped(r, in, 0);
        return session_failed(r->s->logs[failed], code);
    }
    file_warnings(r, path);
    watched_file *w = find_or_add_watched(r, path);
    free(w->text);
    w->text = text;
    note_state(w, &info);
    repl_watch_files(r, path);
    if (r->terminal)
        repl_note(r, "%s is loaded, and again whenever it changes", path);
    return EXIT_YES;
}

void repl_follow_files(repl *r) {
    for (size_t i = 0; i < r->watched.count; i++) {
        watched_file *w = &r->watched.items[i];
        struct stat info;
        if (stat(w->path, &info) != 0) {
            if (!w->gone)
                repl_note(r, "%s is gone; its rules stay", w->path);
            w->gone = true;
            continue;
        }
        file_state now = repl_state(&info);
        if (repl_same_state(&w->state, &now))
            continue;
        char *text = read_text(w->path, &info);
        note_state(w, &info);
        if (!text) {
            repl_note(r, "%s has changed and cannot be read: %s", w->path, strerror(errno));
            continue;
        }
        size_t failed = 0;
        int code = load_text(r, w->path, text, w->text, &failed);
        if (code == FORESEE_OK) {
            repl_note(r, "%s has changed and is loaded anew", w->path);
            file_warnings(r, w->path);
            char *had = w->text;
            w->text = text;
            text = had;
            repl_watch_files(r, NULL); // the files that it imports now
        } else {
            session_failed(r->s->logs[failed], code);
            repl_note(r, "%s has changed; until it is right, what was loaded before stays",
                      w->path);
        }
        free(text);
    }
}

// ---- Rules that are typed

static char *unit_name(unsigned unit, char *into, size_t size) {
    snprintf(into, size, "typed %u", unit);
    return into;
}

// Returns the head of a clause; NULL for a directive.
static const term *head_of(arena *a, const char *text, size_t length) {
    const term *t = NULL;
    if (term_parse(a, "", text, length, 1, 1, &t, NULL) != OK)
        return NULL;
    if (term_is(t, ":-", 2))
        return t->args[0];
    return term_is(t, ":-", 1) ? NULL : t;
}

// Returns the known predicate that a head belongs to, and the name that clauses are listed under in
// *name; NULL: a new predicate.
static const known_predicate *known_head(repl *r, const term *head, const char **name) {
    const known_names *k = repl_predicates(r);
    uint32_t arity = head->kind == TERM_COMPOUND ? head->arity : 0;
    const known_predicate *found = NULL;
    *name = head->text;
    for (size_t i = 0; i < k->predicates.count; i++) {
        const known_predicate *p = &k->predicates.items[i];
        if (strcmp(p->outer, head->text) != 0 || (p->arguments.count != arity && !p->bare))
            continue;
        if (p->inner) {
            if (p->place >= arity)
                continue;
            const term *part = head->args[p->place];
            if (part->kind != TERM_COMPOUND && part->kind != TERM_SYMBOL)
                continue;
            *name = part->text;
            uint32_t parts = part->kind == TERM_COMPOUND ? part->arity : 0;
            if (strcmp(p->inner, part->text) != 0 || p->parts.count != parts)
                continue;
        }
        if (!found || p->inner)
            found = p;
    }
    // A line that declares a split predicate as a whole does not declare the functor.
    if (found && !found->inner && strcmp(*name, head->text) != 0)
        return NULL;
    return found;
}

const char *repl_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Adds the clauses of a unit to the list of typed clauses, and notes which predicates of files they
// add to.
static void keep_typed(repl *r, const char *text, size_t length) {
    unsigned unit = r->typed_units;
    arena *a = arena_create();
    typed_clause one = {.unit = unit};
    input in;
    // The known predicates are still those from before these clauses were loaded.
    for (size_t at = 0; at < length && repl_next_input(text, &at, true, &in);) {
        const term *head = head_of(a, in.text, in.length);
        const char *name = "";
        const known_predicate *p = head ? known_head(r, head, &name) : NULL;
        one.text = repl_copy(in.text, in.length);
        one.head = repl_copy(name, strlen(name));
        bool again = false;
        for (size_t i = 0; i < r->typed.count; i++)
            again = again || (r->typed.items[i].unit == unit && *name &&
                              strcmp(r->typed.items[i].head, name) == 0);
        array_push(&r->typed, one);
        if (again)
            continue;
        if (p && strncmp(p->file, "typed ", 6) != 0 && *p->file)
            repl_note(r, "note: this adds to %s of %s", p->label, repl_base_name(p->file));
    }
    arena_destroy(a);
}

int repl_add_clauses(repl *r, const input *first, const input *last) {
    size_t length = (size_t)(last->text - first->text) + last->length;
    char *text = repl_copy(first->text, length);
    // A `+` before a fact is replaced by a blank, so that places in the text stay the same.
    input in;
    for (size_t at = 0; repl_next_input(text, &at, true, &in);)
        if (*in.text == '+')
            text[in.text - text] = ' ';
    repl_predicates(r); // reads the predicates as they are before
    unsigned unit = ++r->typed_units;
    size_t failed = 0;
    char name[40];
    unit_name(unit, name, sizeof name);
    int code = load_text(r, name, text, NULL, &failed), result = session_exit(code);
    input whole = *first;
    whole.length = length;
    const given g = {text, name, 0};
    if (code == FORESEE_OK) {
        repl_warnings(r, r->s->logs[0], &whole, &g);
        size_t before = r->typed.count;
        keep_typed(r, text, length);
        if (r->terminal && before == 0)
            repl_note(r, "added as %u; .rules lists what was typed, .forget %u drops it", unit,
                      unit);
        else if (r->terminal)
            repl_note(r, "added as %u", unit);
    } else if (code == FORESEE_INTERRUPTED) {
        result = repl_stopped(r, first, 0);
    } else {
        result = repl_mistakes(r, r->s->logs[failed], code, &whole, &g);
    }
    if (code != FORESEE_OK)
        r->typed_units--;
    free(text);
    return result;
}

static bool is_meant(const typed_clause *c, const char *name) {
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    return end != name && *end == 0 ? c->unit == number : strcmp(c->head, name) == 0;
}

// Loads the clauses of a unit that are not meant, or unloads the unit if none is left.
int repl_load_typed(repl *r, unsigned unit, const char *without, foresee *f) {
    text_buffer text = {0};
    for (size_t i = 0; i < r->typed.count; i++) {
        const typed_clause *c = &r->typed.items[i];
        if (c->unit == unit && !(without && is_meant(c, without)))
            text_add(&text, "%s\n", c->text);
    }
    char name[40];
    unit_name(unit, name, sizeof name);
    int code = text.count > 0 ? foresee_load_text(f, name, text.items) : foresee_unload(f, name);
    text_finish(&text);
    return code;
}

// Drops the meant clauses of a unit; if other rules need them, drops none.
static int forget_unit(repl *r, unsigned unit, const char *name, const input *in) {
    session *s = r->s;
    int code = FORESEE_OK;
    size_t done = 0;
    for (; code == FORESEE_OK && done < s->count; done++)
        code = repl_load_typed(r, unit, name, s->logs[done]);
    if (code == FORESEE_OK)
        return EXIT_YES;
    repl_wrong(r, in, "other rules need what '%s' has:", name);
    cli_print(stderr, "%s\n", foresee_errmsg(s->logs[done - 1]));
    for (size_t i = 0; i + 1 < done; i++)
        repl_load_typed(r, unit, NULL, s->logs[i]);
    return session_exit(code);
}

int repl_forget(repl *r, const char *name, const input *in) {
    size_t dropped = 0;
    for (size_t i = 0; i < r->typed.count;) {
        unsigned unit = r->typed.items[i].unit;
        if (!is_meant(&r->typed.items[i], name)) {
            i++;
            continue;
        }
        int result = forget_unit(r, unit, name, in);
        if (result != EXIT_YES)
            return result;
        size_t kept = 0;
        for (size_t k = 0; k < r->typed.count; k++) {
            typed_clause c = r->typed.items[k];
            if (c.unit != unit || !is_meant(&c, name)) {
                r->typed.items[kept++] = c;
                continue;
            }
            free(c.text);
            free(c.head);
            dropped++;
        }
        r->typed.count = kept;
        i = 0;
    }
    if (dropped == 0)
        return repl_wrong(r, in, "nothing was typed for '%s'; .rules lists what was", name);
    repl_names_stale(r, false);
    if (r->terminal)
        repl_note(r, "dropped %zu clause%s", dropped, dropped == 1 ? "" : "s");
    return EXIT_YES;
}
