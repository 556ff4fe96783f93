// query/rules/program.h - the rule files that are loaded: their clauses and directives, by name and
// by id.
//
// Owns:      the clauses and everything made of them.
// Invariant: when a file is loaded or unloaded, all rules are dropped; query/prepare.h makes them
//            again when something asks for them.
#ifndef FORESEE_QUERY_PROGRAM_H
#define FORESEE_QUERY_PROGRAM_H

#include "base/symtab.h"
#include "query/rules/rule.h"
#include "query/rules/source.h"

// Traits that directives give all predicates of a name. Positions count from 1; 0 is none.
typedef struct predicate_traits {
    const char *name;
    uint32_t split_on, temporal_on, instant_on, override_on, agent_arity, best_on;
    bool greatest; // best_on: the greatest is the best, not the least
} predicate_traits;

// A directive that names an argument: `split name on 1`.
typedef struct position_directive {
    const char *word, *name; // word: split, temporal, instant, override, least or greatest
    uint32_t position;
    const char *file;
    int line, column; // of the name
} position_directive;

typedef struct declaration {
    const char *name, *doc, *file;
    const char *text;    // as written: name(arg: type, ...)
    const char *example; // a query that asks it; NULL: none was given
    uint32_t arity;
    const char **arg_names, **arg_types;
    // One functor of a split predicate: in argument inner_at, counted from 1; 0: none.
    uint32_t inner_at, inner_arity;
    const char *inner_name;
    const char **inner_names, **inner_types;
    int line, column;
    uint32_t next; // of the same name, counted from 1; 0: none
} declaration;

// name/arity, or name(functor/arity)
typedef struct mark {
    const char *name, *functor;
    uint32_t arity;
} mark;

// The clauses of one name, whatever their arity.
typedef struct heads {
    ARRAY(clause *) clauses;
    bool broken; // one of them could not be read or lowered
    bool sifted; // facts that later files replace are left out
} heads;

// The clause that an id was given to, by file and text: `first` is its id, and a block of facts has
// as many ids as facts. `loading` is the last loading that met the text, and `copies` how often the
// text stood in the file then.
typedef struct id_user {
    uint32_t first, loading, copies;
} id_user;

typedef struct program {
    values *values;
    struct facts *facts; // to check mapped tables with; NULL: without a log
    const struct program
        *twin;    // its texts are loaded where an import names a file; NULL: the files are read
    nanos end;    // of the episode
    arena *texts; // what directives say
    arena *arena; // rules made of clauses
    ARRAY(rule_source *) sources; // in the order of loading
    ARRAY(predicate_traits) traits;
    ARRAY(position_directive) positions; // from which the traits come
    ARRAY(declaration) declarations;
    ARRAY(mark) on_demand, pointwise;
    ARRAY(struct fact *) tables;  // that rule files map, and facts held in memory
    const builtin_list *supplied; // predicates that the program around brings; NULL: none
    symtab *ids;                  // file and text of each clause that was ever loaded
    ARRAY(id_user) id_users;      // by number in `ids`
    uint32_t last_id;
    uint32_t loadings, file_count;
    uint32_t changes; // how often what is loaded has changed
    // Fills in a library that has only its text, where what the text holds is known, instead of
    // cutting it; false: it is not. NULL: nothing is known.
    bool (*fill_in)(struct program *p, rule_source *s);
    rule_source *reading; // whose directives are being read
    errors warnings;      // of the last check and the last query; they stop nothing
    // What follows is made anew after each change.
    bool indexed; // the indexes below stand
    bool settled; // the rules that users wrote are lowered and checked
    symtab *traits_names, *declared_names, *head_names;
    ARRAY(uint32_t) declared_first; // by declared name: the first declaration, counted from 1
    ARRAY(heads) heads;             // by head name
    ARRAY(clause *) by_id;          // ascending
    symtab *names;                  // of predicates
    ARRAY(pred *)
    preds; // by number in `names`; those of the query that is prepared stand behind them
    uint32_t component_count, auxiliary_count;
    bool querying;       // a query is prepared: predicates that are made now are its own
    size_t own_warnings; // warnings about rules; those about the query follow
    const term *allowed; // the last head that was found to be allowed, in the source `allowed_in`;
                         // NULL: none
    const rule_source *allowed_in;
    pred *latest;   // the predicate that was asked for last; NULL: none
    arena *current; // the arena in which rules are made now: `arena`, or that of a query
} program;

program *program_create(values *v, nanos end);
void program_destroy(program *p); // NULL is a no-op

// Reads clauses and directives, in place of those loaded under this name before; mistakes of form
// go to `list`, E_INPUT then, and nothing changes. Rules are dropped, to be made again when
// something asks for them.
status program_load(program *p, const char *file, const char *text, size_t length, errors *list);
// The same for files that are known to be right: their clauses are read, lowered and checked when
// something leads to them.
status program_load_library(program *p, const char *file, const char *text, size_t length,
                            errors *list);
// Keeps what can be read in spite of mistakes, so that more mistakes are found: for checking alone.
// E_IO: an import cannot be loaded, so that nothing can be said of its names.
status program_load_all(program *p, const char *file, const char *text, size_t length,
                        errors *list);
// Returns the bytes of the texts that are loaded, without rows of facts.
size_t program_text(const program *p);
bool program_unload(program *p, const char *file); // false: nothing was loaded under this name
// Takes facts that are held in memory as a file of this name, in place of what was loaded under it.
// E_INPUT: their predicate is another's already.
status program_hold(program *p, const char *name, const struct fact *f, errors *list);
// Loads what another program has, as it has it; `from`: whose values its facts are.
status program_load_same(program *p, const rule_source *r, const values *from, errors *list);
// Makes all rules anew, since the predicates that the program was supplied with have changed.
void program_renew(program *p);
// Brings what is known of clauses by name and by id up to date.
void program_index(program *p);
// NULL: there is none. Its terms are read.
const clause *program_clause(program *p, uint32_t id);
// The same, or the clause of many facts that it is one of; its terms may not be read.
clause *program_holder(const program *p, uint32_t id);
const rule_source *program_source(const program *p, const char *name); // NULL: not loaded

// The clauses of one name; NULL: there are none.
heads *program_heads(const program *p, const char *name);
// The name of the predicate that a clause defines.
const char *program_own_name(program *p, const clause *c);
// Drops all predicates with their rules, and the indexes; what asks for them next makes them again.
void program_drop_rules(program *p);
void program_drop_preds(program *p, size_t from); // predicates from number `from` on alone

// Directives, as they stand.
predicate_traits *program_traits(program *p, const char *name, bool create);
bool program_is_pointwise(const program *p, const char *name, const char *functor, uint32_t arity);
bool program_is_on_demand(const program *p, const pred *d);
// Returns whether argument `arg` (from 0) of name/arity is declared to be a time.
bool program_declares_time(const program *p, const char *name, uint32_t arity, uint32_t arg);
// A declaration of the name, whatever its arity, or NULL.
const declaration *program_declared(const program *p, const char *name);
// The declaration of name/arity as source text writes it, or NULL.
const declaration *program_declaration(const program *p, const char *name, uint32_t arity);
// Tables as predicates: those of the log, then those that rule files map.
const struct fact *program_fact(const program *p, const char *name, uint32_t arity);
const struct fact *program_fact_at(const program *p, size_t i); // NULL past the last
// Predicates that C answers: the engine's, then those it was supplied with.
const builtin *program_builtin(const program *p, const char *name, uint32_t arity);
const builtin *program_builtin_at(const program *p, size_t i); // NULL past the last
// Returns whether a clause, a declaration or a mapped table of this name exists.
bool program_defines(program *p, const char *name);
// Returns whether clauses of this name could not be read or lowered: mistakes found in rules that
// call it may only follow from that.
bool program_is_broken(const program *p, const char *name);

#endif
