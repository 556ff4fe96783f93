// tests/schema/print_schema.c - writes docs/schema.md to standard output:
//   build/tests/schema/print_schema > docs/schema.md
#include <stdio.h>
#include <stdlib.h>
#include "schema/schema.h"

int main(void) {
    char *text = NULL;
    if (schema_document(&text) != OK)
        return 3;
    int written = fputs(text, stdout);
    free(text);
    return written < 0 || fflush(stdout) != 0 ? 3 : 0;
}
