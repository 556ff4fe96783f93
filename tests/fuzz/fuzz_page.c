// tests/fuzz/fuzz_page.c - `foresee diagnose --format html` of a log that was made hostile
// (hostile.h). Pictures are drawn as ever, only small.
#include "report/page/html.h"
#include "tests/fuzz/hostile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static status write_small(ask *a, diagnosis *d, const char *rules, text_buffer *out, error *err) {
    return html_write_scaled(a, d, rules, 0.1, out, err);
}

static int diagnose_small(const arguments *a) {
    static const diagnose_extras extras = {.html = write_small};
    return command_diagnose(a, &extras);
}

const command_entry COMMANDS[] = {
    {"run", command_run, false}, {"diagnose", diagnose_small, false}, {NULL, NULL, false}};

const words *fuzz_words(void) {
    return hostile_words();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const flags[] = {"episode", NULL};
    arena *memory = arena_create();
    const char *argv[24] = {"diagnose", "--format", "html"};
    size_t count = 3;
    const char *log = hostile_log(data, size, flags, memory, argv, &count, 20);
    argv[count++] = log;
    program_result r = program_run(argv, NULL, 15);
    // What the log says is text on the page, whatever it looks like: hostile.def has an element zz.
    ASSERT(strstr(r.out, "<zz") == NULL);
    free(r.out);
    arena_destroy(memory);
    return 0;
}
