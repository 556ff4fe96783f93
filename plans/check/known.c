// plans/check/known.c - known names: whether a name is among them, and what a wrong one may mean.
#include "plans/check/check_int.h"

bool has_name(const name_list *names, const char *name) {
    return names_hold(names->items, names->count, name);
}

bool list_has(const char *const *names, const char *name) {
    for (size_t i = 0; names && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

const char *entry_of(const char *const *list, const char *key) {
    size_t length = strlen(key);
    for (size_t i = 0; list && list[i]; i++)
        if (strncmp(list[i], key, length) == 0 && list[i][length] == ' ')
            return list[i] + length + 1;
    return NULL;
}

const char *argument_words(const plan_names *names, const char *key, bool *list) {
    const char *entry = entry_of(names->words, key);
    *list = entry && strncmp(entry, "LIST ", 5) == 0;
    return entry ? strchr(entry, ' ') + 1 : NULL;
}

name_list words_of(char *text) {
    name_list words = {0};
    char *save;
    for (char *word = strtok_r(text, ", ", &save); word; word = strtok_r(NULL, ", ", &save))
        array_push(&words, word);
    return words;
}

void complain_name(const name_list *known, const char *what, const char *name, const char *file,
                   int line, int column, errors *list) {
    const char *near = nearest_name(name, known->items, known->count);
    if (near)
        errors_add(list, file, line, column, "unknown %s '%.200s'; did you mean '%s'?", what, name,
                   near);
    else
        errors_add(list, file, line, column, "unknown %s '%.200s'", what, name);
}

bool is_slip(const char *a, const char *b) {
    size_t m = strlen(a), n = strlen(b), same = 0;
    while (same < m && same < n && a[same] == b[same])
        same++;
    while (m > same && n > same && a[m - 1] == b[n - 1])
        m--, n--;
    m -= same;
    n -= same;
    return (m <= 1 && n <= 1) ||
           (m == 2 && n == 2 && a[same] == b[same + 1] && a[same + 1] == b[same]);
}

static const term *performed_key(const term *t, const char *key) {
    if (term_is(t, "action", 1))
        t = t->args[0];
    for (; term_is(t, "[|]", 2); t = t->args[1]) {
        if (term_is(t->args[0], key, 1))
            return t->args[0]->args[0];
    }
    return NULL;
}

const term *performed_type(const term *t) {
    return performed_key(t, "type");
}

const term *step_argument(const plan_node *n, const char *key) {
    for (size_t i = 0; i < n->binding_count; i++)
        if (strcmp(n->bindings[i].name, key) == 0)
            return n->bindings[i].value;
    return n->kind == CONSTRUCT_PERFORM && n->value ? performed_key(n->value, key) : NULL;
}

const char *step_action(const plan *p, const plan_node *n) {
    if (n->kind == CONSTRUCT_ACTION)
        return n->name;
    const term *type = n->kind == CONSTRUCT_PERFORM ? step_argument(n, "type") : NULL;
    if (!type || type->kind != TERM_SYMBOL)
        return NULL;
    for (size_t i = 0; i < p->routines.count; i++)
        if (routine_performs(&p->routines.items[i], type->text))
            return NULL;
    return type->text;
}

bool routine_performs(const plan_routine *r, const char *type) {
    return strcmp(r->name, type) == 0 || strcmp(r->pattern->text, type) == 0;
}
