// query/derive/exec.h - runs rules over tables.
#ifndef FORESEE_QUERY_EXEC_H
#define FORESEE_QUERY_EXEC_H

#include "query/log/fact.h"
#include "query/rules/program.h"
#include "query/tables/expression.h"
#include "query/tables/table.h"

struct signals;

// The state in which a query runs.
typedef struct machine {
    values *values;
    facts *facts;
    struct signals *signals;
    struct episodes *episodes; // the answers of other episodes
    program *program;
    budget *budget;
    nanos end;
    uint32_t round;  // of the derivation, counts on through the life of the engine
    uint32_t before; // proving: rows of this round and later ones are not seen; 0: all are
    uint64_t steps;  // literals tried
    uint64_t rows_read;
    uint64_t step_limit; // 0: none
    error *err;
    status failed;
    struct batch *batch;  // of `evaluate`
    struct plan_log *log; // filled where it is not NULL (plan_log.h)
} machine;

// A rule with its literals in the order in which they run.
typedef struct rule_plan rule_plan;
// Makes the plan of a rule. `delta`: the literal that reads only the rows that the last round
// added; -1: all literals read the rows that stood before the round. `given`: variables that are
// bound before it runs, or NULL. NULL: out of memory.
rule_plan *rule_plan_create(machine *m, const rule *r, int delta, const varset *given);
void rule_plan_destroy(rule_plan *p);
// Called for each way through a rule, with its variables in rule_plan_env; false stops.
typedef bool (*rule_plan_found)(machine *m, rule_plan *p, void *context);
// Finds the ways in which the rule gives `row` (of a temporal table its keys alone: the instants
// are those of the way found, rule_plan_span). Rows of rounds from m->before on are not seen.
// Nothing is added.
status rule_plan_prove(machine *m, const rule *r, const value *row, rule_plan_found found,
                       void *context);
const value *rule_plan_env(const rule_plan *p);
// Gives the interval of the head of a temporal rule. False: the rule writes the ends as columns.
bool rule_plan_span(const rule_plan *p, interval *out);
// Adds all heads that the rule gives.
status rule_plan_run(machine *m, rule_plan *p);

// Fills all tables of a query.
status evaluate(machine *m, tables *all);

#endif
