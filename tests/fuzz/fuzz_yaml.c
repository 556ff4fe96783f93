// tests/fuzz/fuzz_yaml.c - any bytes as a YAML file with parameters.
#include "base/yaml/yaml_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_places(const ynode *n, const ynode *parent, size_t size) {
    ASSERT(n->line > 0 && n->column > 0 && n->text_line > 0 && n->text_column > 0);
    ASSERT(n->begin <= n->end && n->end <= size);
    ASSERT(!parent || (n->begin >= parent->begin && n->end <= parent->end));
    for (size_t i = 0; i < n->count; i++) {
        check_places(n->items[i], n, size);
        if (n->keys) {
            check_places(n->keys[i], n, size);
            ASSERT(n->keys[i]->end <= n->items[i]->begin);
            ASSERT(ynode_get(n, n->keys[i]->scalar) == n->items[i]);
        }
    }
}

static void use(arena *a, const ynode *n, errors *list) {
    double number, numbers[3];
    int64_t integer;
    bool truth;
    const char *text;
    const term *t;
    ynode_number(n, "it", &number, list);
    ynode_integer(n, "it", &integer, list);
    ynode_bool(n, "it", &truth, list);
    ynode_text(n, "it", &text, list);
    ynode_numbers(n, "it", numbers, 3, list);
    if (ynode_value(a, n, "it", &t, list))
        ASSERT(term_text(a, t)[0]);
    for (size_t i = 0; i < n->count; i++)
        use(a, n->items[i], list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    arena *a = arena_create();
    errors list = {0};
    ynode *root = NULL;
    status s = yaml_read(a, "fuzz", (const char *)data, size, &root, &list);
    ASSERT((s == OK) == (list.count == 0) && (s == OK) == (root != NULL));
    if (s == OK) {
        static const char *const known[] = {"parameters", "plan", "body", NULL};
        check_places(root, NULL, size);
        parameters p = {0};
        parameters_read(a, root, &p, &list);
        ynode_check_keys(root, known, &list);
        error err;
        for (size_t i = 0; i < p.count; i++) {
            status set = parameters_set(a, &p, "plan", p.items[i].name, p.items[i].value, &err);
            ASSERT(set == OK);
        }
        ASSERT(parameters_set(a, &p, "plan", "no such", "1", &err) == E_USAGE);
        parameters_fill(a, root, &p, &list);
        use(a, root, &list);
        array_finish(&p);
    }
    errors_finish(&list);
    arena_destroy(a);
    return 0;
}
