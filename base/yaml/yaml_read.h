// base/yaml/yaml_read.h - YAML as a tree whose every node knows its place; and parameters.
//
// The only file that includes yaml.h is yaml_read.c. Anchors, aliases, merges, tags, duplicate keys
// and several documents in one file are errors. In flow style a term or ?variable must be quoted:
// what YAML would silently tear apart ([on(a, b)] is two items, [?x] a map) is an error that says
// so.
#ifndef FORESEE_BASE_YAML_YAML_READ_H
#define FORESEE_BASE_YAML_YAML_READ_H

#include "base/math/geom.h"
#include "base/mem.h"
#include "base/status.h"
#include "base/term/term.h"

typedef enum ynode_kind { YNODE_SCALAR, YNODE_SEQUENCE, YNODE_MAPPING } ynode_kind;

typedef struct ynode ynode;
struct ynode {
    ynode_kind kind;
    const char *file;
    int line, column;   // from 1, column in bytes
    const char *source; // the text that was given to be read, into which the span leads; borrowed
    size_t begin,
        end; // bytes of the text that the node spans (a block's trailing comments excluded)
    const char *scalar; // of a scalar, parameters filled in
    bool quoted;        // the scalar was written in quotes or as a block
    bool flow;          // a collection in flow style
    size_t count;
    ynode **items; // of a sequence, or the values of a mapping
    ynode **keys;  // of a mapping
    int text_line,
        text_column; // where a scalar's own text begins: behind its quote, or in its block
};

// Reads `text`, whose nodes live in `a`. Mistakes go to `list`; on any, *root is untouched,
// E_INPUT.
status yaml_read(arena *a, const char *file, const char *text, size_t length, ynode **root,
                 errors *list);

// Reads a file, of which `a` keeps the text and the path. E_INPUT, or as file_read.
status yaml_read_file(arena *a, const char *path, ynode **root, errors *list);

// The value under `key` of a mapping, or NULL.
ynode *ynode_get(const ynode *map, const char *key);

// Typed access. Each appends an error with the node's place and what was expected, and returns
// false, when the node is of another shape. `what` names it for the message.
bool ynode_number(const ynode *n, const char *what, double *out, errors *list);
bool ynode_integer(const ynode *n, const char *what, int64_t *out, errors *list);
bool ynode_bool(const ynode *n, const char *what, bool *out, errors *list); // true/false/yes/no
bool ynode_text(const ynode *n, const char *what, const char **out, errors *list);
bool ynode_numbers(const ynode *n, const char *what, double *out, size_t count,
                   errors *list); // exactly count
bool ynode_term(arena *a, const ynode *n, const char *what, const term **out, errors *list);
// A term from a scalar as above; a sequence becomes a list; a number a number.
bool ynode_value(arena *a, const ynode *n, const char *what, const term **out, errors *list);
void ynode_error(const ynode *n, errors *list, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same of something that is not there, which a misspelt key may have been meant to give.
void ynode_missing(const ynode *n, errors *list, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Reports every key of `map` that is not among `known` (NULL-terminated), with the nearest known
// one; those without a near one together.
void ynode_check_keys(const ynode *map, const char *const *known, errors *list);

// ---- Parameters
// ---------------------------------------------------------------------------------- A file's
// `parameters:` declares `name: { type: number|integer|boolean|symbol|string, default: V, doc:
// "..." }` (optionally min:, max:, unit:). Anywhere else in the file a `$name` in a scalar stands
// for the value, also inside a term: within(?x, $place).
typedef struct parameter {
    const char *name, *type, *doc, *unit, *value; // value: as text, the default until set
    int line, column;
    bool has_min, has_max;
    double min, max;
    bool misread; // its declaration is wrong and that was told; its value stands in for one
} parameter;
typedef ARRAY(parameter) parameters;

// Reads root's `parameters:` (none is fine). Those that are declared wrongly are there too,
// misread.
void parameters_read(arena *a, const ynode *root, parameters *out, errors *list);
// Sets one by name; a wrong name (nearest named) or a value of the wrong type is an error of
// E_USAGE.
status parameters_set(arena *a, parameters *p, const char *scope, const char *name,
                      const char *value, error *err);
// Fills `$name` in all scalars under `root` except the declarations; unknown names are errors.
void parameters_fill(arena *a, ynode *root, const parameters *p, errors *list);

// A --set as given on the command line, or under set: of a plan: scope (plan, world, robot, log),
// name, value.
typedef struct setting {
    const char *scope, *name, *value;
    const char *file; // where it stands; NULL: on the command line
    int line, column;
} setting;
typedef ARRAY(setting) settings;
// Sets the parameter that a setting names; a mistake goes to `list`, with its place.
status parameters_apply(arena *a, parameters *p, const setting *s, errors *list);

#endif
