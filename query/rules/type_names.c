// query/rules/type_names.c - the names of types that a declaration may give an argument.
#include "query/rules/type_names.h"

#include <string.h>
#include "base/status.h"

static const char *const NAMES[] = {
#define TYPE(name, classes, noun) #name,
#include "query/rules/types.def"
#undef TYPE
};
#define NAME_COUNT (sizeof NAMES / sizeof *NAMES)

bool type_is_known(const char *name) {
    for (size_t i = 0; i < NAME_COUNT; i++) {
        if (strcmp(NAMES[i], name) == 0)
            return true;
    }
    return false;
}

const char *type_near(const char *name) {
    return nearest_name(name, NAMES, NAME_COUNT);
}
