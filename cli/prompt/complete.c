// cli/prompt/complete.c - completes the word at the cursor from rules, log and files.
//
// The text before the cursor tells which argument of which predicate is being typed; the declared
// type of the argument tells which names are offered. If none of them begins like the word, every
// name is offered.
#include <ctype.h>
#include <string.h>

#include <readline/readline.h>

#include "cli/prompt/names.h"

// Readline calls back without a context.
static struct {
    repl *r;
    const char *before; // the lines above the one that is edited
    arena *arena;       // holds the candidates; emptied at each completion
    known_texts found;
    size_t next;
} state;

// ---- Candidates

static void offer_text(const char *text, const char *typed) {
    if (strncmp(text, typed, strlen(typed)) != 0)
        return;
    for (size_t i = 0; i < state.found.count; i++)
        if (strcmp(state.found.items[i], text) == 0)
            return;
    array_push(&state.found, arena_strdup(state.arena, text));
}

static void offer_all(const known_texts *texts, const char *typed) {
    size_t n = strlen(typed);
    for (size_t i = 0; i < texts->count; i++)
        if (strncmp(texts->items[i], typed, n) == 0)
            array_push(&state.found, texts->items[i]);
}

// Offers a name, with an opening parenthesis if it takes arguments.
static void offer_call(const char *name, size_t arity, const char *typed) {
    offer_text(arity ? arena_format(state.arena, "%s(", name) : name, typed);
}

static void offer_words(const char *const *words, const char *typed) {
    for (; *words; words++)
        offer_text(*words, typed);
}

static void offer_goals(const char *typed) {
    static const char *const words[] = {"not ",  "count {", "sum {",  "min {",
                                        "max {", "avg {",   "list {", NULL};
    const known_names *k = repl_predicates(state.r);
    for (size_t i = 0; i < k->predicates.count; i++)
        if (strcmp(k->predicates.items[i].kind, "signal") != 0)
            offer_call(k->predicates.items[i].outer, k->predicates.items[i].arguments.count, typed);
    offer_words(words, typed);
}

static void offer_signals(const char *typed) {
    const known_names *k = repl_predicates(state.r);
    for (size_t i = 0; i < k->predicates.count; i++)
        if (strcmp(k->predicates.items[i].kind, "signal") == 0)
            offer_call(k->predicates.items[i].outer, k->predicates.items[i].arguments.count, typed);
}

// ---- Where the cursor is

#define DEPTH 40

typedef struct place {
    char name[64]; // the name before the parenthesis; "" for none
    size_t argument;
} place;
typedef struct context {
    place stack[DEPTH];
    size_t depth;
    char quote; // 0: not in a quote
    bool head;  // only a name stands before the cursor
} context;

static void open_place(context *c, const char *name, size_t length) {
    if (c->depth == DEPTH) { // only the innermost places are needed
        memmove(c->stack, c->stack + 1, (DEPTH - 1) * sizeof *c->stack);
        c->depth--;
    }
    place *p = &c->stack[c->depth++];
    *p = (place){.argument = 0};
    if (length < sizeof p->name)
        memcpy(p->name, name, length);
}

static void scan_context(context *c, const char *text, size_t length) {
    const char *end = text + length, *name = text;
    size_t name_length = 0;
    for (const char *at = text; at < end; at++) {
        if (c->quote) {
            if (*at == '\\' && at + 1 < end)
                at++;
            else if (*at == c->quote || *at == '\n')
                c->quote = 0;
            continue;
        }
        bool qualifies = *at == ':' && name_length > 0 && islower((unsigned char)*name) &&
                         at + 1 < end && islower((unsigned char)at[1]); // module:name
        if (isalnum((unsigned char)*at) || *at == '_' || *at == '#' || qualifies) {
            if (name_length == 0)
                name = at;
            name_length = (size_t)(at - name) + 1;
            continue;
        }
        if (*at == '(' || *at == '[' || *at == '{')
            open_place(c, name, *at == '(' ? name_length : 0);
        else if ((*at == ')' || *at == ']' || *at == '}') && c->depth > 0)
            c->depth--;
        else if (*at == ',' && c->depth > 0)
            c->stack[c->depth - 1].argument++;
        else if (*at == '\'' || *at == '"')
            c->quote = *at;
        else if (*at == '%')
            at += strcspn(at, "\n") - 1;
        else if (*at == '.' && c->depth > 0 && (at + 1 == end || isspace((unsigned char)at[1])))
            c->depth = 0;
        name_length = 0;
    }
}

// ---- What may stand in an argument

static void offer_type(const char *type, const char *typed) {
    static const char *const times[] = {"start",   "end",       "at(", "throughout(",
                                        "during(", "interval(", NULL};
    const known_names *k = repl_names(state.r);
    if (strstr(type, "object")) {
        offer_all(&k->objects, typed);
    } else if (strstr(type, "task")) {
        offer_all(&k->tasks, typed);
    } else if (strstr(type, "agent")) {
        offer_all(&k->agents, typed);
    } else if (strstr(type, "believed")) {
        offer_all(&k->believed, typed);
    } else if (strstr(type, "signal")) {
        offer_signals(typed);
    } else if (strcmp(type, "time") == 0 || strcmp(type, "int") == 0) {
        offer_words(times, typed);
    } else if (strcmp(type, "symbol") == 0 || strcmp(type, "any") == 0) {
        offer_all(&k->agents, typed);
        offer_all(&k->believed, typed);
        offer_all(&k->objects, typed);
    } else if (!*type) { // an argument of a builtin: mostly a signal or a time
        offer_signals(typed);
        offer_words(times, typed);
        offer_all(&k->objects, typed);
    }
}

// Offers the variables of the clause, one of which is often meant again.
static void offer_variables(const char *text, const char *typed) {
    for (const char *c = text; *c;) {
        size_t n = 0;
        while (isalnum((unsigned char)c[n]) || c[n] == '_')
            n++;
        if (n > 1 && isupper((unsigned char)*c))
            offer_text(arena_copy(state.arena, c, n), typed);
        c += n ? n : 1;
    }
}

// Returns the declared type of an argument. The first argument of a fact task_... is a task.
static const char *type_of(const known_predicate *p, size_t argument) {
    const known_argument *a = &p->arguments.items[argument];
    bool number = strcmp(a->type, "int") == 0 || strcmp(a->type, "integer") == 0;
    if (number && *a->name)
        return a->name;
    return number && argument == 0 && strncmp(p->outer, "task", 4) == 0 ? "task" : a->type;
}

static void offer_argument(const context *c, const char *typed) {
    const known_names *k = repl_predicates(state.r);
    const place *p = &c->stack[c->depth - 1];
    const place *above = c->depth > 1 ? p - 1 : NULL;
    if (strcmp(p->name, "start") == 0 || strcmp(p->name, "end") == 0 ||
        strcmp(p->name, "task") == 0)
        offer_type("task", typed); // start(12), throughout(task(12))
    for (size_t i = 0; i < k->predicates.count; i++) {
        const known_predicate *one = &k->predicates.items[i];
        if (one->inner && above && strcmp(one->outer, above->name) == 0 &&
            strcmp(one->inner, p->name) == 0 && p->argument < one->parts.count)
            offer_type(one->parts.items[p->argument].type, typed);
        if (strcmp(one->outer, p->name) != 0)
            continue;
        if (one->inner && one->place == p->argument)
            offer_call(one->inner, one->parts.count, typed);
        else if (p->argument < one->arguments.count)
            offer_type(type_of(one, p->argument), typed);
    }
}

// Offers all names.
static void offer_anything(const char *typed) {
    const known_names *k = repl_names(state.r);
    offer_goals(typed);
    for (size_t i = 0; i < k->predicates.count; i++)
        if (k->predicates.items[i].inner)
            offer_call(k->predicates.items[i].inner, k->predicates.items[i].parts.count, typed);
    offer_all(&k->objects, typed);
    offer_all(&k->agents, typed);
    offer_all(&k->believed, typed);
    offer_signals(typed);
    offer_type("time", typed);
}

static void offer_in_clause(const char *line, size_t start, const char *typed) {
    context c = {.depth = 0};
    size_t before = state.before ? strlen(state.before) : 0;
    char *text = arena_alloc(state.arena, before + start + 2);
    if (before)
        memcpy(text, state.before, before);
    memcpy(text + before, line, start);
    scan_context(&c, text, before + start);
    if (c.quote == '"' || (c.quote == 0 && start > 0 && line[start - 1] == '"')) {
        offer_all(&repl_names(state.r)->paths, typed);
        return;
    }
    bool goal = c.depth == 0 || !*c.stack[c.depth - 1].name ||
                strcmp(c.stack[c.depth - 1].name, "not") == 0;
    if (isupper((unsigned char)*typed) || *typed == '_') {
        text[before + start] = ' ';
        offer_variables(text, typed);
        return;
    }
    if (goal)
        offer_goals(typed);
    else
        offer_argument(&c, typed);
    if (!goal && !*typed)
        offer_variables(text, typed);
    if (state.found.count == 0 && *typed)
        offer_anything(typed);
}

// ---- Dot commands

static void offer_command(const char *line, size_t start, const char *typed) {
    const char *name = line + strspn(line, " \t") + 1;
    if (name > line + start || (size_t)(name - 1 - line) == start) {
        const char *one;
        for (size_t i = 0; (one = repl_command_name(i)) != NULL; i++)
            offer_text(arena_format(state.arena, ".%s", one), typed);
        return;
    }
    const known_names *k = repl_predicates(state.r);
    static const char *const switches[] = {"on", "off", NULL};
    foresee_episode e;
    switch (repl_command_takes(name, strcspn(name, " \t"))) {
    case ARGUMENT_COMMAND:
        for (size_t i = 0; repl_command_name(i); i++)
            offer_text(repl_command_name(i), typed);
        break;
    case ARGUMENT_FACT:
    case ARGUMENT_NAME:
        for (size_t i = 0; i < k->predicates.count; i++) {
            const known_predicate *p = &k->predicates.items[i];
            if (strcmp(p->kind, "fact") == 0 ||
                repl_command_takes(name, strcspn(name, " \t")) == ARGUMENT_NAME)
                offer_text(p->inner ? p->inner : p->outer, typed);
        }
        break;
    case ARGUMENT_TYPED:
        for (size_t i = 0; i < state.r->typed.count; i++)
            if (*state.r->typed.items[i].head)
                offer_text(state.r->typed.items[i].head, typed);
        break;
    case ARGUMENT_EPISODE:
        for (size_t i = 0; foresee_episode_at(state.r->s->logs[0], i, &e); i++)
            offer_text(arena_format(state.arena, "%lld", (long long)e.id), typed);
        offer_text("last", typed);
        offer_text("all", typed);
        break;
    case ARGUMENT_FORM:
        offer_words(answer_forms, typed);
        break;
    case ARGUMENT_SWITCH:
        offer_words(switches, typed);
        break;
    case ARGUMENT_GOAL:
        offer_in_clause(line, start, typed);
        break;
    case ARGUMENT_NONE:
    case ARGUMENT_FILE:
    case ARGUMENT_SQL:
    case ARGUMENT_NUMBER:
        break;
    }
}

// ---- Readline

static char *next_candidate(const char *text, int again) {
    (void)text;
    if (!again)
        state.next = 0;
    return state.next < state.found.count ? strdup(state.found.items[state.next++]) : NULL;
}

static char **complete_word(const char *text, int start, int end) {
    (void)end;
    const char *line = rl_line_buffer;
    rl_attempted_completion_over = 1;
    rl_completion_append_character = '\0';
    rl_filename_completion_desired = 0;
    state.found.count = 0;
    arena_reset(state.arena);
    size_t blank = strspn(line, " \t");
    bool first = !state.before || !*state.before;
    if (first && line[blank] == '.' &&
        (isalpha((unsigned char)line[blank + 1]) || !line[blank + 1])) {
        const char *name = line + blank + 1;
        size_t n = strcspn(name, " \t");
        if ((size_t)start > blank + n && repl_command_takes(name, n) == ARGUMENT_FILE) {
            rl_filename_completion_desired = 1;
            return rl_completion_matches(text, rl_filename_completion_function);
        }
        rl_completion_append_character = ' ';
        offer_command(line, (size_t)start, text);
    } else {
        offer_in_clause(line, (size_t)start, text);
    }
    return state.found.count ? rl_completion_matches(text, next_candidate) : NULL;
}

#define BREAKS " \t\n\"'()[]{},;|=<>!+*/%"

// Returns the characters that end a word at the cursor. A ':' ends a word, but not behind the name
// of a module: `shelf:ro`, in contrast to `{X:ro`.
static char *breaks_here(void) {
    static char with[] = BREAKS ":", without[] = BREAKS;
    int at = rl_point, colon = -1;
    for (; at > 0 && (isalnum((unsigned char)rl_line_buffer[at - 1]) ||
                      strchr("_#:", rl_line_buffer[at - 1]));
         at--)
        colon = rl_line_buffer[at - 1] == ':' ? at - 1 : colon;
    return colon > at && islower((unsigned char)rl_line_buffer[at]) ? without : with;
}

void repl_completion_begin(repl *r, const char *before) {
    if (!state.arena)
        state.arena = arena_create();
    state.r = r;
    state.before = before;
    rl_attempted_completion_function = complete_word;
    rl_completion_word_break_hook = breaks_here;
    rl_completer_quote_characters = "\"";
}

void repl_completion_finish(void) {
    array_finish(&state.found);
    arena_destroy(state.arena);
    state.arena = NULL;
}
