// query/rules/module.c - modules by file: whose predicate a name is, and files that import others.
#include "query/rules/module.h"

#include <stdio.h>
#include <sys/stat.h>
#include "base/files/files.h"
#include "base/term/term_int.h"
#include "query/log/fact.h"
#include "query/rules/program.h"

module *module_of(rule_source *s) {
    if (!s->module)
        s->module = mem_must(1, sizeof *s->module);
    return s->module;
}

void module_destroy(module *m) {
    if (!m)
        return;
    for (size_t i = 0; i < m->imports.count; i++)
        array_finish(&m->imports.items[i].items);
    array_finish(&m->imports);
    array_finish(&m->exports);
    array_finish(&m->names);
    free(m);
}

void module_reset(module *m) {
    if (!m)
        return;
    for (size_t i = 0; i < m->imports.count; i++)
        array_finish(&m->imports.items[i].items);
    m->imports.count = m->exports.count = 0;
}

// ---- Names ----

const char *module_plain(const char *own) {
    size_t n = 0;
    while (name_goes_on(own[n]))
        n++;
    return n > 0 && own[n] == ':' && own[n + 1] ? own + n + 1 : own;
}

static const char *own_name(const rule_source *s, const char *name) {
    module *m = s->module;
    for (size_t i = 0; i < m->names.count; i++) {
        if (strcmp(m->names.items[i].name, name) == 0)
            return m->names.items[i].own;
    }
    module_own o = {arena_strdup(s->arena, name), arena_format(s->arena, "%s:%s", m->name, name)};
    array_push(&m->names, o);
    return o.own;
}

static bool is_directed(program *p, const char *name) {
    if (program_traits(p, name, false))
        return true;
    for (size_t i = 0; i < p->declarations.count; i++) {
        if (strcmp(p->declarations.items[i].name, name) == 0)
            return true;
    }
    for (size_t i = 0; i < p->tables.count; i++) {
        if (strcmp(p->tables.items[i]->name, name) == 0)
            return true;
    }
    return false;
}

static bool has_clauses(const rule_source *s, const char *name) {
    for (size_t i = 0; i < s->clauses.count; i++) {
        const char *head = s->clauses.items[i]->name;
        if (head[0] == name[0] && strcmp(head, name) == 0)
            return true;
    }
    return false;
}

const char *module_directed(program *p, const rule_source *s, const char *name) {
    if (!s || !s->module || !s->module->name || is_directed(p, name))
        return name;
    return own_name(s, name);
}

const char *module_head(program *p, const rule_source *s, const char *name) {
    return module_directed(p, s, name);
}

static bool module_exports(const module *m, const char *name, uint32_t arity) {
    for (size_t i = 0; i < m->exports.count; i++) {
        if ((arity == UINT32_MAX || m->exports.items[i].arity == arity) &&
            strcmp(m->exports.items[i].name, name) == 0)
            return true;
    }
    return false;
}

size_t module_find(const program *p, const char *path) {
    size_t count = p->sources.count, i = 0;
    while (i < count && strcmp(p->sources.items[i]->name, path) != 0)
        i++;
    if (i < count || count == 0)
        return i;
    arena *a = arena_create();
    const char *plain = module_path(a, "", path);
    for (i = 0; i < count; i++) {
        const char *name = p->sources.items[i]->name;
        bool same = strcmp(module_path(a, "", name), plain) == 0;
        if (same)
            break;
    }
    arena_destroy(a);
    return i;
}

static rule_source *source_at(const program *p, const char *path) {
    size_t i = module_find(p, path);
    return i < p->sources.count ? p->sources.items[i] : NULL;
}

static bool import_lists(const module_import *i, const char *name, uint32_t arity) {
    for (size_t k = 0; k < i->items.count; k++) {
        if ((arity == UINT32_MAX || i->items.items[k].arity == arity) &&
            strcmp(i->items.items[k].name, name) == 0)
            return true;
    }
    return i->all;
}

// Returns the predicate of this name that an import of the source brings; *twice: two imports bring
// different ones.
static const char *imported_name(program *p, const rule_source *s, const char *name, uint32_t arity,
                                 bool *twice) {
    const char *found = NULL;
    for (size_t i = 0; i < s->module->imports.count; i++) {
        const module_import *import = &s->module->imports.items[i];
        if (!import_lists(import, name, arity))
            continue;
        const rule_source *from = source_at(p, import->path);
        if (!from || !from->module || !from->module->name ||
            !module_exports(from->module, name, arity))
            continue;
        const char *own = is_directed(p, name) ? name : own_name(from, name);
        *twice = *twice || (found && strcmp(found, own) != 0);
        found = own;
    }
    return found;
}

// A query sees the common name space, and behind it the exports of all modules.
static const char *in_query(program *p, const char *name, uint32_t arity) {
    const char *found = NULL;
    if (program_defines(p, name))
        return name;
    for (size_t i = 0; i < p->sources.count; i++) {
        const rule_source *s = p->sources.items[i];
        if (!s->module || !s->module->name || !module_exports(s->module, name, arity))
            continue;
        const char *own = own_name(s, name);
        if (found && strcmp(found, own) != 0)
            return NULL;
        found = own;
    }
    return found ? found : name;
}

const char *module_name(program *p, const rule_source *s, const char *name, uint32_t arity) {
    if (!s)
        return in_query(p, name, arity);
    if (!s->module)
        return name;
    if (s->module->name) {
        if (is_directed(p, name))
            return name;
        const char *own = own_name(s, name);
        if (has_clauses(s, name) || is_directed(p, own))
            return own;
    } else if (has_clauses(s, name)) {
        return name;
    }
    bool twice = false;
    const char *found = imported_name(p, s, name, arity, &twice);
    return twice ? NULL : found ? found : name;
}

size_t module_visible(program *p, const rule_source *s, const char **out, size_t most) {
    size_t n = 0;
    for (size_t i = 0; i < p->sources.count; i++) {
        const rule_source *from = p->sources.items[i];
        if (!from->module || !from->module->name)
            continue;
        for (size_t k = 0; k < from->module->exports.count && n < most; k++) {
            const module_item *e = &from->module->exports.items[k];
            const char *own = own_name(from, e->name);
            const char *means = module_name(p, s, e->name, e->arity);
            if (means && strcmp(means, own) == 0)
                out[n++] = e->name;
        }
    }
    return n;
}

// ---- Files ----

const char *module_path(arena *a, const char *importer, const char *path) {
    const char *slash = path[0] == '/' ? NULL : strrchr(importer, '/');
    char *all = slash ? arena_format(a, "%.*s/%s", (int)(slash - importer), importer, path)
                      : arena_strdup(a, path);
    // a/./b is a/b, a/../b is b: a file has one name however imports reach it.
    size_t length = strlen(all), count = 0;
    bool absolute = all[0] == '/';
    const char **parts = arena_alloc(a, (length + 1) * sizeof *parts);
    for (char *at = all; *at;) {
        size_t n = strcspn(at, "/");
        char *next = at + n + (at[n] == '/');
        at[n] = 0;
        bool up = strcmp(at, "..") == 0;
        if (up && count > 0 && strcmp(parts[count - 1], "..") != 0)
            count--;
        else if (n > 0 && strcmp(at, ".") != 0 && !(up && absolute))
            parts[count++] = at;
        at = next;
    }
    char *out = arena_alloc(a, length + 2);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 || absolute)
            out[used++] = '/';
        size_t n = strlen(parts[i]);
        memcpy(out + used, parts[i], n);
        used += n;
    }
    out[used] = 0;
    return out;
}

static bool load_file(program *p, const rule_source *s, const module_import *i, errors *list) {
    char *text = NULL;
    size_t length = 0;
    error err = {0};
    const rule_source *known = p->twin ? source_at(p->twin, i->path) : NULL;
    if (known)
        return program_load(p, i->path, known->text, known->length, list) == OK;
    // Reading from a terminal or a pipe might never end.
    struct stat info;
    if (stat(i->path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        errors_add(list, s->name, i->line, i->column, "%s cannot be imported: it is no file",
                   i->path);
        return false;
    }
    if (file_read(i->path, &text, &length, &err) != OK) {
        errors_add(list, s->name, i->line, i->column, "%s cannot be imported: %s", i->path,
                   err.text);
        return false;
    }
    bool ok = program_load(p, i->path, text, length, list) == OK;
    free(text);
    return ok;
}

bool module_load_imports(program *p, rule_source *s, errors *list) {
    size_t before = p->sources.count;
    bool ok = true;
    // The list of imports is of the source alone and does not grow while others are loaded.
    for (size_t i = 0; s->module && i < s->module->imports.count; i++) {
        const module_import *import = &s->module->imports.items[i];
        if (!source_at(p, import->path))
            ok = load_file(p, s, import, list) && ok;
    }
    while (!ok && p->sources.count > before)
        program_unload(p, p->sources.items[p->sources.count - 1]->name);
    return ok;
}

// ---- Checks ----

static const char *item_text(const module_item *i, char *out, size_t size) {
    snprintf(out, size, "%.200s/%u", i->name, i->arity);
    return out;
}

static void report_missing(const rule_source *s, const module_item *at, const char *what,
                           const char *const *known, size_t count, errors *list) {
    char label[220];
    const char *near = nearest_name(at->name, known, count);
    errors_add(list, s->name, at->line, at->column,
               near && strcmp(near, at->name) != 0 ? "%s %s; did you mean '%s'?" : "%s %s", what,
               item_text(at, label, sizeof label), near);
}

// Returns whether clauses or directives of the source define name/arity.
static bool source_defines(program *p, const rule_source *s, const module_item *e) {
    for (size_t i = 0; i < s->clauses.count; i++) {
        const clause *c = s->clauses.items[i];
        uint32_t arity = c->head && c->head->kind == TERM_COMPOUND ? c->head->arity : 0;
        if (strcmp(c->name, e->name) == 0 && (!c->head || arity == e->arity))
            return true;
    }
    return s->module->name && is_directed(p, own_name(s, e->name));
}

static void check_exports(program *p, const rule_source *s, errors *list) {
    const module *m = s->module;
    for (size_t i = 0; i < m->exports.count; i++) {
        if (source_defines(p, s, &m->exports.items[i]))
            continue;
        ARRAY(const char *) known = {0};
        for (size_t k = 0; k < s->clauses.count; k++)
            array_push(&known, s->clauses.items[k]->name);
        report_missing(s, &m->exports.items[i], "this file exports but does not define",
                       known.items, known.count, list);
        array_finish(&known);
    }
    if (m->exports.count > 0 && !m->name)
        errors_add(list, s->name, m->exports.items[0].line, m->exports.items[0].column,
                   "only a module exports; add ':- module name.' or leave this out");
}

static void check_items(program *p, const rule_source *s, const module_import *i,
                        const rule_source *from, errors *list) {
    const module *m = from->module && from->module->name ? from->module : NULL;
    for (size_t k = 0; k < i->items.count; k++) {
        const module_item *item = &i->items.items[k];
        if (m ? module_exports(m, item->name, item->arity) : source_defines(p, from, item))
            continue;
        char what[300];
        ARRAY(const char *) known = {0};
        for (size_t j = 0; m && j < m->exports.count; j++)
            array_push(&known, m->exports.items[j].name);
        for (size_t j = 0; !m && j < from->clauses.count; j++)
            array_push(&known, from->clauses.items[j]->name);
        snprintf(what, sizeof what, "%.200s does not %s", i->path, m ? "export" : "define");
        report_missing(s, item, what, known.items, known.count, list);
        array_finish(&known);
    }
}

// Reports two imports that bring two predicates of one name.
static void check_clashes(program *p, const rule_source *s, errors *list) {
    const module *m = s->module;
    for (size_t i = 1; i < m->imports.count; i++) {
        const rule_source *from = source_at(p, m->imports.items[i].path);
        for (size_t k = 0; from && from->module && k < from->module->exports.count; k++) {
            const module_item *e = &from->module->exports.items[k];
            char label[220];
            for (size_t j = 0; j < i && import_lists(&m->imports.items[i], e->name, e->arity);
                 j++) {
                const rule_source *other = source_at(p, m->imports.items[j].path);
                if (!other || other == from || !other->module || !from->module->name ||
                    !other->module->name || !module_exports(other->module, e->name, e->arity) ||
                    !import_lists(&m->imports.items[j], e->name, e->arity) ||
                    is_directed(p, e->name))
                    continue;
                errors_add(list, s->name, m->imports.items[i].line, m->imports.items[i].column,
                           "%s is imported from %s and from %s; list what is wanted of each: "
                           ":- import \"%s\" (...).",
                           item_text(e, label, sizeof label), m->imports.items[j].path,
                           m->imports.items[i].path, m->imports.items[i].path);
            }
        }
    }
}

void module_check(program *p, errors *list) {
    for (size_t i = 0; i < p->sources.count; i++) {
        const rule_source *s = p->sources.items[i];
        if (!s->module)
            continue;
        check_exports(p, s, list);
        for (size_t k = 0; k < s->module->imports.count; k++) {
            const rule_source *from = source_at(p, s->module->imports.items[k].path);
            if (from)
                check_items(p, s, &s->module->imports.items[k], from, list);
        }
        check_clashes(p, s, list);
        for (size_t k = 0; s->module->name && k < i; k++) {
            const rule_source *other = p->sources.items[k];
            if (other->module && other->module->name &&
                strcmp(other->module->name, s->module->name) == 0)
                errors_add(list, s->name, s->module->line, s->module->column,
                           "module %s is another file's, too: %s", s->module->name, other->name);
        }
    }
}
