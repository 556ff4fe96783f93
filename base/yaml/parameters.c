// base/yaml/parameters.c - the declared parameters of a file, and `$name` filled in.
#include "base/text/number.h"
#include "base/text/text.h"
#include "base/yaml/yaml_read.h"

static const char *const TYPES[] = {"number", "integer", "boolean", "symbol", "string"};
static const char *const KEYS[] = {"type", "default", "doc", "unit", "min", "max", NULL};
#define TYPE_COUNT (sizeof TYPES / sizeof *TYPES)
#define WHY_SIZE 160
// What stands in for a parameter that is not declared, which is told: a number where it stands
// alone, and within a term a thing that no file can name, so that neither is a second mistake.
#define UNKNOWN_ALONE "1"
#define UNKNOWN_WITHIN "unknown#1"

static bool name_begins(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name(const char *text) {
    if (!name_begins(*text))
        return false;
    while (name_goes_on(*text))
        text++;
    return *text == 0;
}

static bool is_symbol(const char *text) {
    if (!(*text >= 'a' && *text <= 'z'))
        return false;
    while (name_goes_on(*text) || *text == '#')
        text++;
    return *text == 0;
}

static bool is_numeric(const parameter *p) {
    return strcmp(p->type, "number") == 0 || strcmp(p->type, "integer") == 0;
}

// The text that stands for `value` in the file, or NULL, and `why` says what was expected.
static const char *check_value(arena *a, const parameter *p, const char *value,
                               char why[WHY_SIZE]) {
    size_t length = strlen(value);
    if (strcmp(p->type, "string") == 0)
        return arena_strdup(a, value);
    if (strcmp(p->type, "symbol") == 0) {
        snprintf(why, WHY_SIZE, "a name of small letters, digits and _");
        return is_symbol(value) ? arena_strdup(a, value) : NULL;
    }
    if (strcmp(p->type, "boolean") == 0) {
        snprintf(why, WHY_SIZE, "true or false");
        if (strcmp(value, "true") == 0 || strcmp(value, "yes") == 0)
            return "true";
        return strcmp(value, "false") == 0 || strcmp(value, "no") == 0 ? "false" : NULL;
    }
    bool whole = strcmp(p->type, "integer") == 0;
    int64_t integer;
    double number;
    snprintf(why, WHY_SIZE, whole ? "a whole number" : "a number");
    if (!number_parse(value, length, &number) ||
        (whole && !number_parse_integer(value, length, &integer)))
        return NULL;
    char limit[NUMBER_SIZE];
    if (p->has_min && number < p->min) {
        number_format(p->min, limit);
        snprintf(why, WHY_SIZE, "at least %s", limit);
        return NULL;
    }
    if (p->has_max && number > p->max) {
        number_format(p->max, limit);
        snprintf(why, WHY_SIZE, "at most %s", limit);
        return NULL;
    }
    // Terms have no sign before a positive number.
    return arena_strdup(a, value[0] == '+' ? value + 1 : value);
}

static bool read_type(const ynode *n, const ynode *declaration, parameter *p, errors *list) {
    if (!n) {
        ynode_missing(declaration, list,
                      "the parameter '%s' needs a type: number, integer, boolean, symbol or string",
                      p->name);
        return false;
    }
    if (!ynode_text(n, "type", &p->type, list))
        return false;
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (strcmp(TYPES[i], p->type) == 0)
            return true;
    }
    const char *near = nearest_name(p->type, TYPES, TYPE_COUNT);
    if (near)
        ynode_error(n, list, "unknown type '%s'; did you mean '%s'?", p->type, near);
    else
        ynode_error(n, list, "unknown type '%s'; known: number, integer, boolean, symbol, string",
                    p->type);
    return false;
}

static bool read_limit(const ynode *n, const char *what, const parameter *p, bool *has,
                       double *limit, errors *list) {
    if (!n)
        return true;
    if (!is_numeric(p)) {
        ynode_error(n, list, "%s: goes with numbers and integers only; the type of '%s' is %s",
                    what, p->name, p->type);
        return false;
    }
    *has = ynode_number(n, what, limit, list);
    return *has;
}

static bool read_declaration(arena *a, const ynode *key, const ynode *n, parameter *p,
                             errors *list) {
    *p = (parameter){.name = key->scalar, .line = key->line, .column = key->column};
    p->doc = p->unit = "";
    if (!is_name(key->scalar)) {
        ynode_error(key, list,
                    "'%s' cannot name a parameter; a name is made of letters, digits and _",
                    key->scalar);
        return false;
    }
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, list, "declare '%s' as { type: ..., default: ..., doc: \"...\" }", p->name);
        errors_mark(list, ERROR_MISSPELT);
        return false;
    }
    size_t before = list ? list->count : 0;
    ynode_check_keys(n, KEYS, list);
    const ynode *doc = ynode_get(n, "doc"), *unit = ynode_get(n, "unit");
    const ynode *value = ynode_get(n, "default");
    bool good = read_type(ynode_get(n, "type"), n, p, list);
    if (doc)
        good = ynode_text(doc, "doc", &p->doc, list) && good;
    if (unit)
        good = ynode_text(unit, "unit", &p->unit, list) && good;
    if (!value) {
        ynode_missing(n, list, "the parameter '%s' needs a default", p->name);
        return false;
    }
    if (!good)
        return false;
    good = read_limit(ynode_get(n, "min"), "min", p, &p->has_min, &p->min, list);
    good = read_limit(ynode_get(n, "max"), "max", p, &p->has_max, &p->max, list) && good;
    if (good && p->has_min && p->has_max && p->min > p->max) {
        ynode_error(n, list, "min is greater than max");
        good = false;
    }
    const char *text;
    if (!good || !ynode_text(value, "default", &text, list))
        return false;
    char why[WHY_SIZE];
    p->value = check_value(a, p, text, why);
    if (!p->value) {
        ynode_error(value, list, "the default of '%s' must be %s, not '%s'", p->name, why, text);
        return false;
    }
    return !list || list->count == before;
}

// One whose declaration is wrong is declared all the same: what asks for it is no second mistake.
static void parameter_misread(parameter *p) {
    static const char *const values[TYPE_COUNT] = {"1", "1", "true", "unknown#1", "unknown"};
    p->misread = true;
    p->value = "1";
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (p->type && strcmp(TYPES[i], p->type) == 0) {
            p->value = values[i];
            return;
        }
    }
    p->type = TYPES[0];
}

void parameters_read(arena *a, const ynode *root, parameters *out, errors *list) {
    const ynode *all = ynode_get(root, "parameters");
    if (!all || (all->kind == YNODE_SCALAR && !all->quoted && !all->scalar[0]))
        return; // an empty section is fine
    if (all->kind != YNODE_MAPPING) {
        ynode_error(all, list, "parameters: must be a map of names to declarations");
        return;
    }
    for (size_t i = 0; i < all->count; i++) {
        parameter p;
        bool good = read_declaration(a, all->keys[i], all->items[i], &p, list);
        if (!good)
            parameter_misread(&p);
        if (good || is_name(p.name))
            array_push(out, p);
    }
}

static parameter *parameter_find(const parameters *p, const char *name, size_t length) {
    for (size_t i = 0; i < p->count; i++) {
        if (strncmp(p->items[i].name, name, length) == 0 && p->items[i].name[length] == 0)
            return &p->items[i];
    }
    return NULL;
}

// The name nearest to `name`, or NULL.
static const char *parameter_nearest(const parameters *p, const char *name) {
    const char **names = mem_must(p->count + 1, sizeof *names);
    for (size_t i = 0; i < p->count; i++)
        names[i] = p->items[i].name;
    const char *near = nearest_name(name, names, p->count);
    free(names);
    return near;
}

// "a, b, c" for a message.
static void name_all(const parameters *p, char *buffer, size_t size) {
    size_t length = 0;
    buffer[0] = 0;
    for (size_t i = 0; i < p->count && length < size; i++)
        length += (size_t)snprintf(buffer + length, size - length, "%s%s", i ? ", " : "",
                                   p->items[i].name);
}

status parameters_set(arena *a, parameters *p, const char *scope, const char *name,
                      const char *value, error *err) {
    parameter *found = parameter_find(p, name, strlen(name));
    if (!found) {
        const char *near = parameter_nearest(p, name);
        if (near)
            return error_set(err, E_USAGE, "no parameter '%s.%s'; did you mean '%s.%s'?", scope,
                             name, scope, near);
        char all[400];
        name_all(p, all, sizeof all);
        if (!all[0])
            return error_set(err, E_USAGE, "no parameter '%s.%s'; the %s has none", scope, name,
                             scope);
        return error_set(err, E_USAGE, "no parameter '%s.%s'; the %s has: %s", scope, name, scope,
                         all);
    }
    if (found->misread)
        return OK;
    char why[WHY_SIZE];
    const char *text = check_value(a, found, value, why);
    if (!text)
        return error_set(err, E_USAGE, "%s.%s must be %s, not '%s'", scope, name, why, value);
    found->value = text;
    return OK;
}

status parameters_apply(arena *a, parameters *p, const setting *s, errors *list) {
    error err = {0};
    status st = parameters_set(a, p, s->scope, s->name, s->value, &err);
    if (st != OK && s->file)
        errors_add(list, s->file, s->line, s->column, "%s", err.text);
    else if (st != OK)
        errors_append(list, &err);
    return st;
}

typedef struct filling {
    arena *a;
    const parameters *p;
    errors *list;
} filling;

static void complain_unknown(const filling *f, const ynode *n, const char *name) {
    const char *near = parameter_nearest(f->p, name);
    if (near) {
        ynode_error(n, f->list, "unknown parameter '$%s'; did you mean '$%s'?", name, near);
        return;
    }
    char all[400];
    name_all(f->p, all, sizeof all);
    if (all[0])
        ynode_error(n, f->list, "unknown parameter '$%.100s'; declared are: %s", name, all);
    else
        ynode_error(n, f->list,
                    "unknown parameter '$%s'; none is declared under parameters:", name);
    errors_mark(f->list, ERROR_MISSING);
}

static void fill_scalar(const filling *f, ynode *n) {
    const char *at = strchr(n->scalar, '$');
    if (!at)
        return;
    text_buffer filled = {0};
    const char *from = n->scalar;
    for (; at; at = strchr(from, '$')) {
        text_put_bytes(&filled, from, (size_t)(at - from));
        size_t length = 0;
        if (name_begins(at[1])) {
            while (name_goes_on(at[1 + length]))
                length++;
        }
        from = at + 1 + length;
        if (length == 0) {
            // `$$` stands for one dollar; a lone one for itself.
            text_put(&filled, "$");
            from += at[1] == '$';
            continue;
        }
        const parameter *p = parameter_find(f->p, at + 1, length);
        if (!p) {
            char *name = arena_copy(f->a, at + 1, length);
            complain_unknown(f, n, name);
            text_put(&filled, at == n->scalar && from[0] == 0 ? UNKNOWN_ALONE : UNKNOWN_WITHIN);
            continue;
        }
        text_put(&filled, p->value);
        // Alone, it is what its type says, however it had to be quoted.
        if (at == n->scalar && from[0] == 0)
            n->quoted = strcmp(p->type, "string") == 0;
    }
    text_put(&filled, from);
    n->scalar = arena_copy(f->a, filled.items, filled.count);
    text_finish(&filled);
}

static void fill_node(const filling *f, ynode *n) {
    if (n->kind == YNODE_SCALAR)
        fill_scalar(f, n);
    for (size_t i = 0; i < n->count; i++)
        fill_node(f, n->items[i]);
}

void parameters_fill(arena *a, ynode *root, const parameters *p, errors *list) {
    filling f = {a, p, list};
    const ynode *declarations = ynode_get(root, "parameters");
    if (root->kind != YNODE_MAPPING) {
        fill_node(&f, root);
        return;
    }
    for (size_t i = 0; i < root->count; i++) {
        if (root->items[i] != declarations)
            fill_node(&f, root->items[i]);
    }
}
