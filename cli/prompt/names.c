// cli/prompt/names.c - the names that can be typed: predicates with their arguments, and names in
// the log. They are read when they are first needed, and kept until the rules or the episode
// change.
#include <ctype.h>
#include <string.h>

#include "cli/prompt/names.h"

#define LOG_NAMES_MAX 20000

void repl_names_destroy(repl *r) {
    if (!r->names)
        return;
    known_names *k = r->names;
    for (size_t i = 0; i < k->predicates.count; i++) {
        array_finish(&k->predicates.items[i].arguments);
        array_finish(&k->predicates.items[i].parts);
    }
    array_finish(&k->predicates);
    array_finish(&k->objects);
    array_finish(&k->tasks);
    array_finish(&k->paths);
    array_finish(&k->agents);
    array_finish(&k->believed);
    arena_destroy(k->predicate_arena);
    arena_destroy(k->log_arena);
    free(k);
    r->names = NULL;
}

void repl_names_stale(repl *r, bool log) {
    if (!r->names)
        return;
    if (log)
        repl_names_destroy(r);
    else
        r->names->predicates_read = false;
}

// ---- Labels of predicates
// They read on(top: object, bottom: object), holds_w(on(a: object), time: time), name/arity or
// holds_w(on/2).

static const char *read_word(arena *a, const char **c) {
    *c += strspn(*c, " \t\n");
    size_t n = **c == '\'' ? strcspn(*c + 1, "'") + 2 : strcspn(*c, "(),:/ \t\n");
    if (n > strlen(*c))
        n = strlen(*c);
    const char *text = arena_copy(a, *c, n);
    *c += n;
    *c += strspn(*c, " \t\n");
    return text;
}

typedef struct label_reading {
    arena *arena;
    known_predicate *p;
    bool inside; // the argument by which the predicate is split is being read
} label_reading;

static void read_arguments(label_reading *l, const char **c);

// Reads `/2`, which stands for two arguments of which nothing is known.
static void read_arity(label_reading *l, const char **c) {
    long n = strtol(*c + 1, (char **)c, 10);
    for (long i = 0; i < n && i < 100; i++) {
        if (l->inside)
            array_push(&l->p->parts, (known_argument){"", ""});
        else
            array_push(&l->p->arguments, (known_argument){"", ""});
    }
}

static void read_argument(label_reading *l, const char **c) {
    known_argument one = {.name = read_word(l->arena, c), .type = ""};
    bool compound = **c == '(' || **c == '/', typed = **c == ':';
    if (typed) {
        ++*c;
        one.type = read_word(l->arena, c);
    }
    // The label of a fact or signal gives the types of arguments, but not their names.
    if (!typed && !compound && (strcmp(l->p->kind, "rule") != 0)) {
        one.type = one.name;
        one.name = "";
        typed = true;
    }
    if (l->inside) {
        array_push(&l->p->parts, one);
        return;
    }
    if ((compound || (!typed && islower((unsigned char)one.name[0]))) && !l->p->inner) {
        l->p->inner = one.name;
        l->p->place = l->p->arguments.count;
        l->inside = true;
        if (**c == '(')
            read_arguments(l, c);
        else if (**c == '/')
            read_arity(l, c);
        l->p->bare = *(*c - 1) != ')';
        l->inside = false;
        one = (known_argument){"", "term"};
    }
    array_push(&l->p->arguments, one);
}

static void read_arguments(label_reading *l, const char **c) {
    do {
        ++*c; // ( or ,
        read_argument(l, c);
    } while (**c == ',');
    *c += **c == ')';
}

static void read_label(arena *a, known_predicate *p) {
    label_reading l = {.arena = a, .p = p};
    const char *c = p->label;
    p->outer = read_word(a, &c);
    if (*c == ':') { // the predicate belongs to a module
        c++;
        p->outer = arena_format(a, "%s:%s", p->outer, read_word(a, &c));
    }
    if (*c == '(')
        read_arguments(&l, &c);
    else if (*c == '/')
        read_arity(&l, &c);
}

const known_names *repl_predicates(repl *r) {
    if (!r->names) {
        r->names = mem_must(1, sizeof *r->names);
        r->names->predicate_arena = arena_create();
        r->names->log_arena = arena_create();
    }
    known_names *k = r->names;
    if (k->predicates_read)
        return k;
    for (size_t i = 0; i < k->predicates.count; i++) {
        array_finish(&k->predicates.items[i].arguments);
        array_finish(&k->predicates.items[i].parts);
    }
    k->predicates.count = 0;
    arena_reset(k->predicate_arena);
    arena *a = k->predicate_arena;
    foresee_predicate one;
    for (size_t i = 0; foresee_predicate_at(r->s->logs[0], i, &one); i++) {
        known_predicate p = {.label = arena_strdup(a, one.label),
                             .doc = arena_strdup(a, one.documentation),
                             .kind = arena_strdup(a, one.kind),
                             .file = arena_strdup(a, one.file)};
        read_label(a, &p);
        array_push(&k->predicates, p);
    }
    k->predicates_read = true;
    return k;
}

// ---- What the log holds

// Reads the first column of all answers; nothing if the query cannot be answered.
static void read_column(repl *r, const char *query, known_texts *into, bool as_term) {
    foresee_query *q = NULL;
    if (foresee_prepare(r->s->logs[0], query, &q) == FORESEE_OK) {
        while (into->count < LOG_NAMES_MAX && foresee_step(q) == FORESEE_ROW) {
            const char *text = as_term ? foresee_column_term(q, 0) : foresee_column_text(q, 0);
            char *copy = text ? arena_try(r->names->log_arena, strlen(text) + 1) : NULL;
            if (!copy || !array_push_try(into, strcpy(copy, text)))
                break;
        }
    }
    foresee_finalize(q);
}

const known_names *repl_names(repl *r) {
    repl_predicates(r);
    known_names *k = r->names;
    if (!k->log_read) {
        k->log_read = true;
        read_column(r, "object(O, _, _).", &k->objects, true);
        read_column(r, "task(T).", &k->tasks, true);
        read_column(r, "task_path(_, P).", &k->paths, false);
        read_column(r, "agent(A, _).", &k->agents, true);
        read_column(r, "believed(_, N, _, _).", &k->believed, true);
    }
    return k;
}
