// report/rules.c - checks rule files, and writes their documentation.
#include "report/rules.h"

#include <ctype.h>

#include "base/files/files.h"
#include "query/check/check.h"
#include "query/prepare.h"
#include "query/rule_files.h"

// ---- Rules without a log

typedef struct loose_rules {
    budget budget;
    values *values;
    program *program;
} loose_rules;

static void loose_finish(loose_rules *r) {
    program_destroy(r->program);
    values_destroy(r->values);
}

typedef status (*loader)(program *p, const char *file, const char *text, size_t length,
                         errors *list);

static status load_one(program *p, const char *path, loader load, errors *list) {
    char *text;
    size_t length;
    error err = {0};
    status st = file_read(path, &text, &length, &err);
    if (st != OK) {
        errors_append(list, &err);
        return st;
    }
    st = load(p, path, text, length, list);
    free(text);
    return st;
}

// Reads the shipped rules and the user's files. Mistakes that keep clauses from being read do not
// hide the others.
static status loose_init(loose_rules *r, const char *folder, const char *const *files, size_t count,
                         errors *list) {
    arena *memory = arena_create();
    rule_files paths = {0};
    error err = {0};
    *r = (loose_rules){.budget = {.limit = (size_t)1 << 30}};
    r->values = values_create(&r->budget);
    r->program = r->values ? program_create(r->values, NANOS_PER_SECOND) : NULL;
    status st = r->program ? rule_files_list(memory, folder, &paths, &err)
                           : error_set(&err, E_MEMORY, "no memory is left to read the rules");
    if (st != OK)
        errors_append(list, &err);
    // Where the user gives files, the shipped ones are taken to be right.
    loader shipped = count > 0 ? program_load_library : program_load;
    for (size_t i = 0; st == OK && i < paths.count; i++)
        st = load_one(r->program, paths.items[i], shipped, list);
    bool can_check = st == OK;
    for (size_t i = 0; can_check && i < count; i++) {
        status one = load_one(r->program, files[i], program_load_all, list);
        if (st == OK)
            st = one;
        can_check = one == OK || one == E_INPUT;
    }
    if (can_check) {
        status one =
            count > 0 ? prepare_rules(r->program, list) : prepare_all_rules(r->program, list);
        if (st == OK)
            st = one;
    }
    array_finish(&paths);
    arena_destroy(memory);
    return st;
}

// Writes what the user's files declare, a line for each.
static void put_declarations(const program *p, const char *const *files, size_t count,
                             text_buffer *out) {
    for (size_t i = 0; i < p->declarations.count; i++) {
        const declaration *d = &p->declarations.items[i];
        bool own = false;
        for (size_t k = 0; k < count; k++)
            own = own || strcmp(files[k], d->file) == 0;
        if (own)
            text_add(out, d->doc[0] ? "  %s: %s\n" : "  %s\n", d->text, d->doc);
    }
}

status rules_check(const char *folder, const char *const *files, size_t count, errors *list,
                   errors *warnings, text_buffer *declared) {
    loose_rules r;
    size_t before = list->count;
    status st = loose_init(&r, folder, files, count, list);
    check_sort(list, before);
    for (size_t i = 0; r.program && i < r.program->warnings.count; i++)
        errors_append(warnings, &r.program->warnings.items[i]);
    if (st == OK)
        put_declarations(r.program, files, count, declared);
    loose_finish(&r);
    return st;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Writes a cell of a Markdown table, with bars escaped.
static void put_cell(text_buffer *out, const char *text) {
    for (; *text; text++)
        text_add(out, *text == '|' ? "\\%c" : "%c", *text);
}

// Writes an argument's name as a variable.
static void put_variable(text_buffer *out, const char *name) {
    text_add(out, "%c%s", toupper((unsigned char)name[0]), name + 1);
}

// Writes the query that the declaration gives as an example, or else the simplest query of the
// predicate.
static void put_example(const program *p, const declaration *d, text_buffer *out) {
    if (d->example) {
        text_put(out, d->example);
        return;
    }
    const predicate_traits *s = program_traits((program *)p, d->name, false);
    bool on_demand = false; // then an instant must be bound
    for (size_t i = 0; i < p->on_demand.count; i++)
        on_demand = on_demand || (strcmp(p->on_demand.items[i].name, d->name) == 0 &&
                                  p->on_demand.items[i].arity == d->arity);
    text_put(out, d->name);
    for (uint32_t i = 0; i < d->arity; i++) {
        text_put(out, i ? ", " : "(");
        if (d->inner_at == i + 1) {
            text_put(out, d->inner_name);
            for (uint32_t k = 0; k < d->inner_arity; k++) {
                text_put(out, k ? ", " : "(");
                put_variable(out, d->inner_names[k]);
            }
            text_put(out, d->inner_arity ? ")" : "");
        } else if (s && s->temporal_on == i + 1) {
            text_put(out, "interval(Start, End)");
        } else if (on_demand && strcmp(d->arg_types[i], "time") == 0) {
            text_put(out, "10");
        } else {
            put_variable(out, d->arg_names[i]);
        }
    }
    text_put(out, d->arity ? ")" : "");
}

status rules_examples(const char *folder, text_buffer *out, errors *list) {
    loose_rules r;
    status st = loose_init(&r, folder, NULL, 0, list);
    for (size_t i = 0; st == OK && i < r.program->declarations.count; i++) {
        const declaration *d = &r.program->declarations.items[i];
        text_put(out, d->example ? "+ " : "- ");
        put_example(r.program, d, out);
        text_put(out, ".\n");
    }
    loose_finish(&r);
    return st;
}

status rules_document(const char *folder, text_buffer *out, errors *list) {
    loose_rules r;
    status st = loose_init(&r, folder, NULL, 0, list);
    if (st != OK) {
        loose_finish(&r);
        return st;
    }
    text_put(
        out,
        "# Predicates\n\n"
        "<!-- Generated from the declarations in predicates/. Do not edit. -->\n\n"
        "What can be asked of a log, besides its facts, builtins and signals "
        "(docs/query.md). Every "
        "predicate is a rule in `predicates/`, every number a `threshold` there. In "
        "`holds_w`, `holds_b` and "
        "`believes` the time is a specification: `at(T)`, `throughout(A, B)`, `during(A, "
        "B)` (some instant "
        "of it; KnowRob means all of it), `interval(S, E)`. Numbers are in SI units: lengths and "
        "distances in m, angles in rad, masses in kg, speeds in m/s, accelerations in "
        "m/s2, forces in N, impulses in N s, durations in s; shares and probabilities are "
        "from 0 to 1.\n");
    const char *file = "";
    for (size_t i = 0; i < r.program->declarations.count; i++) {
        const declaration *d = &r.program->declarations.items[i];
        if (strcmp(file, d->file) != 0) {
            file = d->file;
            text_add(out, "\n## %s\n\n| predicate | | for example |\n|---|---|---|\n",
                     base_name(file));
        }
        text_put(out, "| `");
        put_cell(out, d->text);
        text_put(out, "` | ");
        put_cell(out, d->doc ? d->doc : "");
        text_put(out, " | `");
        text_buffer example = {0};
        put_example(r.program, d, &example);
        put_cell(out, text_string(&example));
        text_finish(&example);
        text_put(out, "` |\n");
    }
    loose_finish(&r);
    return OK;
}
