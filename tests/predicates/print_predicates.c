// tests/predicates/print_predicates.c - writes docs/predicates.md to standard output:
//   build/tests/predicates/print_predicates > docs/predicates.md
#include "report/rules.h"

int main(void) {
    text_buffer out = {0};
    errors list = {0};
    if (rules_document(FORESEE_SOURCE_DIR "/predicates", &out, &list) != OK) {
        for (size_t i = 0; i < list.count; i++) {
            char text[1200];
            error_format(&list.items[i], text, sizeof text);
            fprintf(stderr, "%s\n", text);
        }
        return 3;
    }
    size_t written = fwrite(out.items, 1, out.count, stdout);
    bool failed = written != out.count || fflush(stdout) != 0;
    array_finish(&out);
    return failed ? 3 : 0;
}
