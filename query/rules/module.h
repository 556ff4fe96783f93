// query/rules/module.h - what names mean in a rule file: modules with their exports, and imports.
//
// A file without `:- module` shares the common name space. What a module defines is called
// `module:name` inside; predicates that the common space splits, makes temporal or otherwise
// directs stay common in every file, so that any module can add an occasion or a flaw.
//
// Owns:      exports, imports and the names it made.
// Invariant: a name it gave lives as long as the module, and is the same pointer each time.
#ifndef FORESEE_QUERY_MODULE_H
#define FORESEE_QUERY_MODULE_H

#include "query/rules/source.h"

struct program;

// name/arity in an export or import, with its place.
typedef struct module_item {
    const char *name;
    uint32_t arity;
    int line, column;
} module_item;

typedef struct module_import {
    const char *path; // of the file, as programs name it
    bool all;         // else only `items`
    ARRAY(module_item) items;
    int line, column;
} module_import;

typedef struct module_own {
    const char *name, *own;
} module_own;

typedef struct module {
    const char *name; // NULL: the file is no module, it only imports
    int line, column;
    ARRAY(module_item) exports;
    ARRAY(module_import) imports;
    ARRAY(module_own) names;
} module;

// Of a source, made when a directive needs it.
module *module_of(rule_source *s);
void module_free(module *m);  // NULL is a no-op
void module_reset(module *m); // its directives are read again; NULL is a no-op

// The name of the predicate that `name` means in a source (NULL: in a query), or that a clause
// there defines. `arity` UINT32_MAX: any. Lives as long as the source. NULL: two imports or modules
// have it.
const char *module_name(struct program *p, const rule_source *s, const char *name, uint32_t arity);
// The name of the predicate that a clause of this source defines.
const char *module_head(struct program *p, const rule_source *s, const char *name);
// The name that a directive of this source means: its module's own, where the common space has no
// directive for it.
const char *module_directed(struct program *p, const rule_source *s, const char *name);
// Where the part behind `module:` begins.
const char *module_plain(const char *own);
// A file named in an import, as seen from the file that imports.
const char *module_path(arena *a, const char *importer, const char *path);
// The loaded file of this name, whatever way it was written: its place in p->sources, or their
// number.
size_t module_find(const struct program *p, const char *path);

// Loads what `s` imports and is not loaded yet. False: mistakes are in the list, and nothing of it
// stays.
bool module_load_imports(struct program *p, rule_source *s, errors *list);
// What is exported must be defined, what is imported exported, and no name imported twice.
void module_check(struct program *p, errors *list);
// Names that a query or this source may also use: for "did you mean". Adds at most `most`.
size_t module_visible(struct program *p, const rule_source *s, const char **out, size_t most);

#endif
