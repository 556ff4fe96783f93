// query/check/check_int.h - the parts of checking a program: check.c, ways.c, types.c, never.c,
// kinds.c, strata.c, best.c, safety.c, fingerprint.c.
#ifndef FORESEE_QUERY_CHECK_INT_H
#define FORESEE_QUERY_CHECK_INT_H

#include "query/check/check.h"
#include "query/rules/program.h"

// A finding about a rule; `text` may be NEVER_FIRES.
typedef enum finding_kind {
    FINDING_SUSPECT, // a goal that never holds, so that the rule holds nothing: worth a warning
    FINDING_MISTAKE, // such a goal that no type allows
    FINDING_IDLE     // a mistaken negation, which always holds
} finding_kind;
typedef struct finding {
    const rule *r;
    int line, column;
    finding_kind kind;
    const char *text;
} finding;
typedef ARRAY(finding) findings;
#define NEVER_FIRES "the rule can never fire"

typedef struct checker {
    program *p;
    uint32_t first; // predicates with lower numbers are checked already
    errors *list;
    bool libraries;           // rules of libraries are judged too
    const query_scope *scope; // of the query that is prepared; NULL: rules are checked alone
    findings *found;          // of the rules that are checked, to be said of clauses
} checker;

static inline pred *pred_at(const checker *c, size_t i) {
    return c->p->preds.items[i];
}
// Return whether the check covers a clause or a rule: it is no library's, or libraries are checked,
// too.
bool check_covers_clause(const checker *c, const clause *from);
bool check_covers_rule(const checker *c, const rule *r);
// Returns whether a mistake was found in the rule's clause already, from which others may only
// follow.
bool check_found_flawed(const checker *c, const rule *r);
// Notes what is found of a rule, and says of clauses what was noted of their rules. (ways.c)
void check_found(const checker *c, const rule *r, int line, int column, finding_kind kind,
                 const char *text);
void check_say(const checker *c);
// Returns whether clauses of the predicate, or of the flaw that it is about, could not be read.
bool check_is_broken(const checker *c, const pred *d);
// Checks constants and variables against the types of their columns. (types.c)
void check_types(const checker *c);
// Returns the declaration of the predicate: that of its functor, else that of all functors; NULL:
// there is none.
const declaration *check_declaration(const checker *c, const pred *d);
// Warns of rules that can never fire. (never.c)
void check_never(const checker *c);
// Returns what a column of a predicate holds, as far as it is known.
column_kind pred_column(const pred *d, uint32_t i);
// Returns whether no rule of the predicate holds for a value of the column that is no instant, so
// that `start` and `end` there are the instants, whatever else the column may hold. (moments.c)
bool column_reads_moments(const pred *d, uint32_t column);
// Infers the kinds of all columns, and turns literals that are meant as times into instants.
// (kinds.c)
void settle_times(const checker *c);
// Makes the fingerprints of the predicates from `first` on, whose components are known.
// (fingerprint.c)
void fingerprint_program(program *p, uint32_t first);
// Numbers the components, lower ones first. (strata.c)
void find_components(const checker *c);
void check_strata(const checker *c);
// Checks recursion through the best values of predicates. (best.c)
void check_best(const checker *c);
// Finds the columns that callers must bind. (safety.c)
void check_safety(const checker *c);

#endif
