// plans/tree/constructs.c - the constructs of the plan language and the keys of their steps.
#include "plans/tree/tree_int.h"

// Keys that any step may have.
static const char *const COMMON[KEYS_COMMON_COUNT] = {
    "tag", "doc", "goal", "into", "expects", "requires", "effects", "tolerance"};

static const char *const NAMES[] = {
#define CONSTRUCT(id, key, doc) key,
#include "plans/constructs.def"
#undef CONSTRUCT
};
static const char *const DOCS[] = {
#define CONSTRUCT(id, key, doc) doc,
#include "plans/constructs.def"
#undef CONSTRUCT
};
// Keys beside the construct's own, for each construct.
static const char *const BESIDE[CONSTRUCT_COUNT][KEYS_BESIDE_MAX] = {
    [CONSTRUCT_PARTIAL_ORDER] = {"before"},
    [CONSTRUCT_LET] = {"be", "in"},
    [CONSTRUCT_SET] = {"to"},
    [CONSTRUCT_IF] = {"then", "else"},
    [CONSTRUCT_ACHIEVE] = {"with", "skip_when_true", "verify", "alternatives"},
    [CONSTRUCT_WAIT_FOR] = {"timeout"},
    [CONSTRUCT_WHENEVER] = {"do"},
    [CONSTRUCT_PERFORM] = {"deadline"},
    [CONSTRUCT_ACTION] = {"deadline"},
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
    return BESIDE[c];
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
    for (int i = 0; i < KEYS_BESIDE_MAX; i++) {
        if (BESIDE[c][i] && strcmp(BESIDE[c][i], key) == 0)
            return true;
    }
    return false;
}

bool step_key(construct c, const char *key) {
    return step_key_is_common(key) || step_key_is_beside(c, key) ||
           (NAMES[c] && strcmp(NAMES[c], key) == 0);
}
