// query/prepared/gen_prepared.c - writes prepared_rules.c: the rules of the named files, lowered
// and checked.
#include <stdio.h>

#include "base/files/files.h"
#include "query/prepare.h"
#include "query/prepared/prepared.h"

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static status load_files(program *p, char **files, size_t count, errors *list) {
    status s = OK;
    qsort(files, count, sizeof *files, by_name); // as a folder of rules is listed
    for (size_t i = 0; s == OK && i < count; i++) {
        char *text = NULL;
        size_t length;
        error err = {0};
        s = file_read(files[i], &text, &length, &err);
        if (s == OK)
            s = program_load_library(p, files[i], text, length, list);
        else
            errors_append(list, &err);
        free(text);
    }
    return s == OK ? prepare_all_rules(p, list) : s;
}

static void put_source(const text_buffer *bytes) {
    printf("// Made of the rule files by gen_prepared.\n"
           "#include \"query/prepared/prepared.h\"\n\nstatic const unsigned char BYTES[] = {");
    for (size_t i = 0; i < bytes->count; i++)
        printf("%s%u,", i % 24 == 0 ? "\n" : "", (unsigned char)bytes->items[i]);
    printf("\n};\nconst prepared_bytes prepared_rules = {BYTES, sizeof BYTES};\n");
}

int main(int argc, char **argv) {
    budget room = {.limit = (size_t)1 << 30};
    values *v = values_create(&room);
    program *p = v ? program_create(v, PREPARED_END) : NULL;
    text_buffer bytes = {0};
    errors list = {0};
    error err = {0};
    if (!p)
        return 1;
    status s = load_files(p, argv + 1, (size_t)argc - 1, &list);
    if (s == OK && prepared_write(p, &bytes, &err) != OK)
        errors_append(&list, &err);
    for (size_t i = 0; i < list.count; i++) {
        const error *e = &list.items[i];
        fprintf(stderr, "%s:%d:%d: %s\n", e->file, e->line, e->column, e->text);
    }
    if (s == OK && list.count == 0)
        put_source(&bytes);
    bool made = s == OK && list.count == 0;
    errors_finish(&list);
    text_finish(&bytes);
    program_destroy(p);
    values_destroy(v);
    return made ? 0 : 1;
}
