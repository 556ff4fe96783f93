// query/rules/module.h - what names mean in a rule file: modules with their exports, and imports.
//
// A file without `:- module` shares the common name space. A predicate that a module defines is
// called `module:name` inside the engine; predicates that the common space splits, makes temporal
// or otherwise directs stay common in every file, so that any module can add an occasion or a flaw.
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

// Returns the module of a source, and makes it where there is none.
module *module_of(rule_source *s);
void module_destroy(module *m); // NULL is a no-op
void module_reset(module *m);   // its directives are read again; NULL is a no-op

// Returns the name of the predicate that `name` means in a source (NULL: in a query), or that a
// clause there defines. `arity` UINT32_MAX: any. The name lives as long as the source. NULL: two
// imports or modules bring it.
const char *module_name(struct program *p, const rule_source *s, const char *name, uint32_t arity);
// Returns the name of the predicate that a clause of this source defines.
const char *module_head(struct program *p, const rule_source *s, const char *name);
// Returns the name that a directive of this source means: the module's own, unless the common space
// has a directive for it.
const char *module_directed(struct program *p, const rule_source *s, const char *name);
// Returns the part of the name behind `module:`.
const char *module_plain(const char *own);
// Returns the path of a file that an import names, as seen from the file that imports.
const char *module_path(arena *a, const char *importer, const char *path);
// Returns the place in p->sources of the loaded file of this name, however its path is written, or
// their number where there is none.
size_t module_find(const struct program *p, const char *path);

// Loads the files that `s` imports and that are not loaded yet. False: mistakes are in `list`, and
// none of the files stays.
bool module_load_imports(struct program *p, rule_source *s, errors *list);
// Checks that exported predicates are defined, that imported ones are exported, and that no name is
// imported twice.
void module_check(struct program *p, errors *list);
// Gives the names that this source (NULL: a query) may also use, at most `most`, for "did you
// mean"; returns their number.
size_t module_visible(struct program *p, const rule_source *s, const char **out, size_t most);

#endif
