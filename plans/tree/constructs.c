// plans/tree/constructs.c - the constructs of the plan language and the keys of their steps.
#include "plans/tree/tree_int.h"

// Keys that any step may have.
static const char *const COMMON[KEYS_COMMON_COUNT] = {
    "tag", "as", "doc", "goal", "into", "expects", "requires", "effects", "tolerance"};

static const char *const NAMES[] = {
#define CONSTRUCT(id, key, doc) key,
#include "plans/constructs.def"
};
static const char *const DOCS[] = {
#define CONSTRUCT(id, key, doc) doc,
#include "plans/constructs.def"
};
static const char *const ALL_BESIDE[CONSTRUCT_COUNT][CONSTRUCT_KEYS_MAX] = {
#define BESIDE(id, ...) [CONSTRUCT_##id] = {__VA_ARGS__},
#include "plans/constructs.def"
};
static const char *const ALL_INSIDE[CONSTRUCT_COUNT][CONSTRUCT_KEYS_MAX] = {
#define INSIDE(id, ...) [CONSTRUCT_##id] = {__VA_ARGS__},
#include "plans/constructs.def"
};
static const char *const ALL_OF_CHILD[CONSTRUCT_COUNT][CONSTRUCT_KEYS_MAX] = {
#define OF_CHILD(id, ...) [CONSTRUCT_##id] = {__VA_ARGS__},
#include "plans/constructs.def"
};
static const char *const CLAUSE_KEYS[CONSTRUCT_KEYS_MAX] = {
#define CLAUSE(...) __VA_ARGS__
#include "plans/constructs.def"
};

const char *construct_name(construct c) {
    return NAMES[c] ? NAMES[c] : "action";
}

const char *construct_doc(construct c) {
    return DOCS[c];
}

const char *construct_key(construct c) {
    return NAMES[c];
}

bool construct_find(const char *key, construct *out) {
    for (int i = 0; i < CONSTRUCT_COUNT; i++) {
        if (NAMES[i] && strcmp(NAMES[i], key) == 0) {
            *out = (construct)i;
            return true;
        }
    }
    return false;
}

const char *const *construct_keys_beside(construct c) {
    return ALL_BESIDE[c];
}

const char *const *construct_keys_inside(construct c) {
    return ALL_INSIDE[c];
}

const char *const *construct_keys_of_child(construct c) {
    return ALL_OF_CHILD[c];
}

const char *const *clause_keys(void) {
    return CLAUSE_KEYS;
}

const char *const *step_keys_common(void) {
    return COMMON;
}

bool step_key_is_common(const char *key) {
    for (size_t i = 0; i < KEYS_COMMON_COUNT; i++) {
        if (strcmp(COMMON[i], key) == 0)
            return true;
    }
    return false;
}

bool step_key_is_beside(construct c, const char *key) {
    for (const char *const *k = ALL_BESIDE[c]; *k; k++) {
        if (strcmp(*k, key) == 0)
            return true;
    }
    return false;
}

bool step_key_is_of_child(construct c, const char *key) {
    for (const char *const *k = ALL_OF_CHILD[c]; *k; k++) {
        if (strcmp(*k, key) == 0)
            return true;
    }
    return false;
}

bool step_key(construct c, const char *key) {
    return step_key_is_common(key) || step_key_is_beside(c, key) ||
           (NAMES[c] && strcmp(NAMES[c], key) == 0);
}
