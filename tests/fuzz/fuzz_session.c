// tests/fuzz/fuzz_session.c - lines on the standard input of `foresee query LOG`: queries, rules,
// facts, reasons and dot commands, most of them mistaken.
#include <sys/stat.h>

#include "tests/fuzz/hostile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *log_path(void) {
    static char path[512];
    if (!path[0])
        snprintf(path, sizeof path, "%s", hostile_plain("session.db"));
    return path;
}

// The predicates with their arguments, as queries, and the terms that stand in their documentation.
const words *fuzz_words(void) {
    static words all;
    static const char *const others[] = {"r(X) :- ",
                                         "+liked(cup_1).",
                                         "why ",
                                         "why not ",
                                         ".format json",
                                         ".plan on",
                                         ".time",
                                         ".rules r",
                                         ".forget r",
                                         ".forget 1",
                                         ".predicates",
                                         ".schema task",
                                         ".episodes",
                                         ".episode 1",
                                         ".episode all",
                                         ".format csv",
                                         ".format plain",
                                         ".limit 3",
                                         "r(X, Y) :- r(Y, X).",
                                         "s(N) :- N = count { X : r(X) }.",
                                         ":- declare(r(symbol))."};
    static const char *const terms[] = {"_",
                                        "X",
                                        "Y",
                                        "T",
                                        "interval(S, E)",
                                        "at(end)",
                                        "during(S, E)",
                                        "on(X, Y)",
                                        "foo",
                                        "cup_1",
                                        "0",
                                        "1.5",
                                        "-1",
                                        "[]",
                                        "[X, Y]",
                                        "\"text\"",
                                        ".",
                                        ",",
                                        ";",
                                        "not",
                                        ":-",
                                        "=",
                                        "<",
                                        "count",
                                        "sum",
                                        "min",
                                        "max",
                                        "f(X)",
                                        "pick_up(A, B, C)",
                                        "{",
                                        "}",
                                        "3 s"};
    if (all.lines.count)
        return &all;
    static arena *memory; // as long as the process
    memory = arena_create();
    foresee *f = NULL;
    ASSERT(foresee_open(log_path(), NULL, &f) == FORESEE_OK);
    foresee_predicate p;
    for (size_t i = 0; foresee_predicate_at(f, i, &p); i++) {
        if (p.all[0])
            array_push(&all.lines, arena_format(memory, "%s.", p.all));
        array_push(&all.lines, arena_format(memory, "%s.", p.label));
        array_push(&all.words, arena_strdup(memory, p.label));
        array_push(&all.words, arena_copy(memory, p.label, strcspn(p.label, "(")));
    }
    foresee_close(f);
    for (size_t i = 0; i < 10 * sizeof others / sizeof *others; i++)
        array_push(&all.lines, others[i % (sizeof others / sizeof *others)]);
    for (size_t i = 0; i < 10 * sizeof terms / sizeof *terms; i++)
        array_push(&all.words, terms[i % (sizeof terms / sizeof *terms)]);
    return &all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 4000)
        return 0;
    const char *argv[] = {"query", "--memory", "64", log_path(), NULL};
    char *text = calloc(1, size + 1);
    ASSERT(text);
    for (size_t i = 0; i < size; i++)
        text[i] = data[i] ? (char)data[i] : ' ';
    // Those that write and read files, .save and .read: as they are abbreviated, too.
    for (char *at = text; (at = strchr(at, '.')) != NULL; at++)
        if (strncmp(at, ".sa", 3) == 0 || strncmp(at, ".rea", 4) == 0 || strncmp(at, ".s ", 3) == 0)
            at[1] = 'x';
    for (char *at = text; (at = strstr(at, "import")) != NULL; at++)
        *at = 'x';
    program_result r = program_run(argv, text, 2);
    free(r.out);
    free(text);
    return 0;
}
