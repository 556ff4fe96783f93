// tests/predicates/print_examples.c - writes a query for each shipped predicate to standard output,
// as rules_examples does.
#include "report/rules.h"

int main(void) {
    text_buffer out = {0};
    errors list = {0};
    if (rules_examples(FORESEE_SOURCE_DIR "/predicates", &out, &list) != OK)
        return 3;
    fwrite(out.items, 1, out.count, stdout);
    array_finish(&out);
    return fflush(stdout) != 0 ? 3 : 0;
}
