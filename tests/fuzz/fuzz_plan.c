// tests/fuzz/fuzz_plan.c - any bytes as a plan file.
#include <sys/mman.h>
#include <unistd.h>

#include "plans/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What a loaded plan promises to the interpreter: every step has its place, its path, and what its
// construct needs.
static void check_node(const plan *p, const plan_node *n, const plan_node *parent) {
    ASSERT(n->parent == parent && n->path && n->segment && n->file && n->line > 0 && n->column > 0);
    size_t length = strlen(n->path), own = strlen(n->segment);
    ASSERT(length >= own && strcmp(n->path + length - own, n->segment) == 0);
    if (parent)
        ASSERT(strncmp(n->path, parent->path, strlen(parent->path)) == 0);
    switch (n->kind) {
    case CONSTRUCT_IF:
        ASSERT(n->value && (n->child_count == 1 || n->child_count == 2));
        break;
    case CONSTRUCT_LET:
    case CONSTRUCT_LOOP:
    case CONSTRUCT_USING:
        ASSERT(n->child_count == 1);
        break;
    case CONSTRUCT_AT_LOCATION:
        ASSERT(n->value && n->child_count == 2);
        break;
    case CONSTRUCT_ACHIEVE:
    case CONSTRUCT_PERCEIVE:
    case CONSTRUCT_WAIT_FOR:
    case CONSTRUCT_ASSERT:
    case CONSTRUCT_PERFORM:
    case CONSTRUCT_NEXT:
        ASSERT(n->value);
        break;
    case CONSTRUCT_EQUATE:
        ASSERT(term_list_length(n->value) >= 2);
        break;
    case CONSTRUCT_WHENEVER:
        ASSERT(n->value && n->child_count == 1);
        break;
    case CONSTRUCT_WITH_POLICY:
        ASSERT(n->value && n->child_count >= 1 && n->child_count <= 5);
        ASSERT(!n->clean_up || n->clean_up == n->children[n->child_count - 1]);
        break;
    case CONSTRUCT_FAIL:
    case CONSTRUCT_ACTION:
        ASSERT(n->name);
        break;
    case CONSTRUCT_LOG:
        ASSERT(n->text);
        break;
    case CONSTRUCT_ON_FAILURE:
        ASSERT(n->child_count >= 1);
        for (size_t i = 0; i < n->clause_count; i++)
            ASSERT(n->clauses[i].class_count > 0 &&
                   (n->clauses[i].body || n->clauses[i].retry > 0));
        break;
    case CONSTRUCT_SEQ:
    case CONSTRUCT_PAR:
    case CONSTRUCT_PURSUE:
    case CONSTRUCT_TRY_ALL:
    case CONSTRUCT_TRY_IN_ORDER:
    case CONSTRUCT_PARTIAL_ORDER:
    case CONSTRUCT_SET:
    case CONSTRUCT_COUNT:
        break;
    }
    for (size_t i = 0; i < n->clause_count; i++)
        ASSERT(n->clauses[i].places[0].line > 0);
    for (size_t i = 0; i < n->binding_count; i++)
        ASSERT(n->bindings[i].name && n->bindings[i].value);
    for (size_t i = 0; i < n->order_count; i++)
        ASSERT(n->orders[i].before < n->child_count && n->orders[i].after < n->child_count);
    for (size_t i = 0; i < n->child_count; i++)
        check_node(p, n->children[i], n);
}

static const char *const ACTIONS[] = {
#define ACTION(name, deadline_s, doc) #name,
#include "projector/robot/actions.def"
    NULL};
static const char *const ARGUMENTS[] = {
#define ARGUMENT(action, key, required, doc) (required) ? "!" #action "." #key : #action "." #key,
#include "projector/robot/actions.def"
    NULL};
static const char *const SIGNALLED[] = {
#define FAILS(action, class) #action "." #class,
#include "projector/robot/actions.def"
    NULL};
static const char *const FAILURES[] = {"plan_failure", "localisation_failed", "livelock", NULL};
static const char *const PARENTS[] = {NULL, "plan_failure", "plan_failure"};
static const char *const NONE[] = {NULL};

static void check_names(const plan *p) {
    plan_names names = {.objects = NONE,
                        .regions = NONE,
                        .types = NONE,
                        .places = NONE,
                        .actions = ACTIONS,
                        .arguments = ARGUMENTS,
                        .failures = FAILURES,
                        .parents = PARENTS,
                        .signals = SIGNALLED};
    errors list = {0};
    status s = plan_check(p, &names, &list);
    ASSERT((s == OK) == (list.count == 0));
    for (size_t i = 0; i < list.count; i++)
        ASSERT(list.items[i].line > 0 && list.items[i].column > 0);
    errors_finish(&list);
}

static void check_plan(const plan *p) {
    ASSERT(plan_name(p) && plan_source_count(p) >= 1 && term_list_length(plan_goal(p)) >= 0);
    check_node(p, plan_body(p), NULL);
    ASSERT(plan_find(p, plan_body(p)->path) != NULL);
    const char *near[3];
    ASSERT(plan_nearest(p, plan_body(p)->path, near, 3) > 0 || !plan_body(p)->path[0]);
    for (size_t i = 0; i < plan_routine_count(p); i++)
        check_node(p, plan_routine_at(p, i)->body, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    int file = memfd_create("plan", 0);
    ASSERT(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    errors list = {0};
    plan *p = NULL;
    status s = plan_read(path, NULL, NULL, NULL, &p, &list);
    ASSERT((s == OK) == (list.count == 0));
    for (size_t i = 0; i < list.count; i++)
        ASSERT(list.items[i].line > 0 && list.items[i].column > 0);
    // What could be read of a plan with mistakes can be looked at as well.
    if (p)
        check_names(p);
    if (s == OK && plan_body(p))
        check_plan(p);
    errors_finish(&list);
    plan_destroy(p);
    close(file);
    return 0;
}
