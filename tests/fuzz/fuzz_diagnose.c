// tests/fuzz/fuzz_diagnose.c - `foresee diagnose` of a log that was made hostile (hostile.h), and
// with a first line "ask COMMAND" another command that asks a log.
#include "tests/fuzz/hostile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

const words *fuzz_words(void) {
    return hostile_words();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const flags[] = {"episode", "format", NULL};
    static const struct {
        const char *line, *command;
    } others[] = {{"ask tree\n", "tree"}, {"ask derive\n", "derive"}};
    arena *memory = arena_create();
    const char *argv[24] = {"diagnose"};
    size_t count = 1;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (size >= strlen(others[i].line) &&
            memcmp(data, others[i].line, strlen(others[i].line)) == 0)
            argv[0] = others[i].command;
    bool json = false, page = false;
    const char *log = hostile_log(data, size, flags, memory, argv, &count, 20);
    for (size_t i = 1; i + 1 < count; i += 2) {
        json = strcmp(argv[i], "--format") == 0 ? strcmp(argv[i + 1], "json") == 0 : json;
        page = page || strcmp(argv[i + 1], "html") == 0;
    }
    argv[count++] = log;
    if (strcmp(argv[0], "derive") == 0)
        argv[count++] = "flaw/1"; // all of them take long
    if (!page) {                  // fuzz_page
        program_result r = program_run(argv, NULL, 5);
        if (json && (r.status == EXIT_YES || r.status == EXIT_NO))
            program_check_json(r.out, r.length);
        free(r.out);
    }
    arena_destroy(memory);
    return 0;
}
