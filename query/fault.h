// query/fault.h - faults that tests seed into the engine, to see that they are found.
//
// A build with FORESEE_FAULTS has `fault_seeded`: the number of the one fault that is on, 0: none.
// Every other build has none of it. faults.def names them.
#ifndef FORESEE_QUERY_FAULT_H
#define FORESEE_QUERY_FAULT_H

enum fault {
    FAULT_NONE,
#define FAULT_NAMED(name, doc) FAULT_##name,
#include "query/faults.def"
#undef FAULT_NAMED
    FAULT_COUNT
};

#ifdef FORESEE_FAULTS
extern int fault_seeded;
#define FAULT(name) (fault_seeded == FAULT_##name)
#else
#define FAULT(name) 0
#endif

#endif
