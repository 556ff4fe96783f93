// query/notes.c - notes beside answers: warnings about rules, and names in a query that no object
// has.
#include "query/engine.h"
#include "base/symtab.h"
#include "query/prepare.h"

const errors *engine_warnings(engine *e) {
    return &engine_program(e)->warnings;
}

// Adds the symbols in the only column of a query's answers.
static status add_names(engine *e, const char *query, arena *a, symtab *all) {
    answers *found = NULL;
    errors ignored = {0};
    status s = engine_query(e, "notes", query, &found, &ignored);
    for (size_t i = 0; s == OK && i < answers_count(found); i++) {
        const term *t = answers_term(found, i, 0, a);
        if (t->kind == TERM_SYMBOL)
            symtab_add(all, t->text, strlen(t->text));
    }
    answers_destroy(s == OK ? found : NULL);
    errors_finish(&ignored);
    return s;
}

status engine_notes(engine *e, const char *file, const term *body, errors *notes) {
    static const char *const known[] = {"object(X, _, _)", "agent(X, _)", "believed(_, X, _, _)"};
    program *p = engine_program(e);
    prepared_query q;
    mention_list mentions = {0};
    const query_scope scope = {.file = file, .mentions = &mentions};
    arena *a = arena_create();
    errors ignored = {0};
    status s = prepare_query(p, a, body, &scope, &q, &ignored);
    if (s == OK)
        prepare_drop_query(p, &q);
    symtab *names = symtab_create();
    for (size_t i = 0; i < 3 && s == OK && mentions.count > 0; i++)
        s = add_names(e, known[i], a, names);
    const char **candidates = arena_alloc(a, (symtab_count(names) + 1) * sizeof *candidates);
    size_t count = symtab_count(names);
    for (size_t i = 0; i < count; i++)
        candidates[i] = symtab_name(names, (uint32_t)i);
    for (size_t i = 0; s == OK && i < mentions.count; i++) {
        const mention *m = &mentions.items[i];
        const char *name = values_text(engine_values(e), m->name);
        bool said = symtab_find(names, name, strlen(name)) >= 0;
        for (size_t k = 0; k < i; k++)
            said = said || mentions.items[k].name == m->name;
        const char *near = said ? NULL : nearest_name(name, candidates, count);
        if (!said)
            errors_add(notes, file, m->line, m->column,
                       near ? "no object is named '%s'; did you mean '%s'?"
                            : "no object is named '%s'",
                       name, near);
    }
    symtab_destroy(names);
    array_finish(&mentions);
    errors_finish(&ignored);
    arena_destroy(a);
    return s;
}
