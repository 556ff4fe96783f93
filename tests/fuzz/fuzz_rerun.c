// tests/fuzz/fuzz_rerun.c - `foresee run LOG` of a log that was made hostile (hostile.h).
#include "tests/fuzz/hostile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

const words *fuzz_words(void) {
    return hostile_words();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const flags[] = {"seed", "set", "change", "placebo", "episode", NULL};
    arena *memory = arena_create();
    const char *argv[24] = {"run"};
    size_t count = 1;
    const char *log = hostile_log(data, size, flags, memory, argv, &count, 20);
    argv[count++] = log;
    // Two cycles tell: what a log holds is read and checked before the first.
    argv[count++] = "--until";
    argv[count++] = "0.04";
    argv[count++] = "--output";
    argv[count++] = program_path("again.db");
    program_result r = program_run(argv, NULL, 2);
    free(r.out);
    arena_destroy(memory);
    return 0;
}
