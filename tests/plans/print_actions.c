// tests/plans/print_actions.c - writes docs/actions.md to standard output:
//   build/tests/plans/print_actions > docs/actions.md
#include <stdio.h>

#include "tests/plans/actions_document.h"

int main(void) {
    text_buffer out = {0};
    actions_document(&out);
    int written = fputs(text_string(&out), stdout);
    text_finish(&out);
    return written < 0 || fflush(stdout) != 0 ? 3 : 0;
}
