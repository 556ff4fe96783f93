// tests/flaws/tool/case.h - one scene of a case, with what the seed draws filled in.
#ifndef FORESEE_TESTS_FLAWS_CASE_H
#define FORESEE_TESTS_FLAWS_CASE_H

#include "base/yaml/yaml_read.h"

typedef struct draw {
    const char *name, *set, *value; // set: the parameter that it is passed as, or NULL
    bool number;                    // the value reads as a number
} draw;

typedef struct flaw_case {
    const char *name;
    bool clean;
    ynode *scene; // `flaws`, `consequences` and `monitor` with the draws filled in
    ARRAY(draw) draws;
} flaw_case;

// Mistakes go to `list`; false on any.
bool case_read(arena *a, const char *file, const char *text, size_t length, const char *scene,
               uint64_t seed, flaw_case *out, errors *list);
const char *case_draw(const flaw_case *c, const char *name); // NULL: there is none

#endif
