// tests/fuzz/fuzz_edit.c - any bytes as a plan and its edits, apart by the first line that is
// "%%%".
//
// Either the edits are refused, or the new text can be read, and the inverse leads back byte for
// byte.
#include "plans/edit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_back(const char *old, size_t old_length, const edit_result *forth,
                       const edit_file *routines) {
    edit_request request = {.plan = {.name = "new"}, .edits = {.name = "inverse"}};
    request.plan.text = edit_text(forth, &request.plan.length);
    request.edits.text = edit_inverse(forth, &request.edits.length);
    request.routines = routines;
    request.routine_count = 1;
    errors list = {0};
    edit_result *back = NULL;
    ASSERT(edit_apply(&request, &back, &list) == OK);
    size_t x = 0, y = 0, length;
    const char *text = edit_text(back, &length);
    char *a = edit_strip(old, old_length, &x), *b = edit_strip(text, length, &y);
    ASSERT(a && b && x == y && memcmp(a, b, x) == 0);
    free(a);
    free(b);
    errors_finish(&list);
    edit_result_destroy(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char mark[] = "\n%%%\n";
    static const char library[] = "library: lib\nparameters:\n  h: { type: number, default: 1 }\n"
                                  "routines:\n  - achieve: on(?a, ?b)\n    name: put\n    body:\n"
                                  "      - { tag: up, log: $h }\n";
    const char *text = (const char *)data;
    const char *cut = size > 0 ? memmem(text, size, mark, sizeof mark - 1) : NULL;
    if (!cut)
        return 0;
    edit_file routines = {"lib.yaml", library, sizeof library - 1};
    const char *edits = cut + sizeof mark - 1;
    edit_request request = {.plan = {"plan", text, (size_t)(cut - text) + 1},
                            .edits = {"edits", edits, size - (size_t)(edits - text)},
                            .routines = &routines,
                            .routine_count = 1};
    errors list = {0};
    edit_result *result = NULL;
    status s = edit_apply(&request, &result, &list);
    ASSERT((s == OK) == (result != NULL) && (s == OK) == (list.count == 0));
    if (result)
        check_back(request.plan.text, request.plan.length, result, &routines);
    edit_result_destroy(result);
    errors_finish(&list);
    return 0;
}
