// query/prepared/gen_prepared.c - writes prepared_rules.c: the named files, cut into clauses and
// directives, and their rules, lowered and checked.
#include <stdio.h>

#include "base/files/files.h"
#include "query/prepare.h"
#include "query/prepared/cut_files.h"

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Loads a file as it is installed.
static status load_file(program *p, const char *file, errors *list) {
    char *text = NULL;
    size_t length;
    error err = {0};
    status s = file_read(file, &text, &length, &err);
    if (s == OK)
        s = program_load_library(p, file, text, length, list);
    else
        errors_append(list, &err);
    free(text);
    return s;
}

static status load_files(program *p, char **files, size_t count, errors *list) {
    status s = OK;
    qsort(files, count, sizeof *files, by_name); // as a folder of rules is listed
    for (size_t i = 0; s == OK && i < count; i++)
        s = load_file(p, files[i], list);
    return s == OK ? prepare_all_rules(p, list) : s;
}

// Appends what each file was cut into, in a program of its own.
static status cut_files(values *v, char **files, size_t count, text_buffer *out, errors *list) {
    status s = OK;
    error err = {0};
    for (size_t i = 0; s == OK && i < count; i++) {
        program *p = program_create(v, PREPARED_END);
        s = p ? load_file(p, files[i], list) : E_MEMORY;
        if (s == OK && (s = cut_files_write(p, out, &err)) != OK)
            errors_append(list, &err);
        program_destroy(p);
    }
    return s;
}

static void put_bytes(const char *name, const text_buffer *bytes) {
    printf("\nstatic const unsigned char %s_bytes[] = {", name);
    for (size_t i = 0; i < bytes->count; i++)
        printf("%s%u,", i % 24 == 0 ? "\n" : "", (unsigned char)bytes->items[i]);
    printf("\n};\nconst prepared_bytes %s = {%s_bytes, sizeof %s_bytes};\n", name, name, name);
}

static void put_source(const text_buffer *rules, const text_buffer *files) {
    printf("// Made of the rule files by gen_prepared.\n"
           "#include \"query/prepared/prepared.h\"\n");
    put_bytes("prepared_rules", rules);
    put_bytes("prepared_files", files);
}

int main(int argc, char **argv) {
    budget room = {.limit = (size_t)1 << 30};
    values *v = values_create(&room);
    program *p = v ? program_create(v, PREPARED_END) : NULL;
    char **files = argv + 1;
    size_t count = (size_t)argc - 1;
    text_buffer rules = {0}, cut = {0};
    errors list = {0};
    error err = {0};
    if (!p)
        return 1;
    status s = load_files(p, files, count, &list);
    if (s == OK && (s = prepared_write(p, &rules, &err)) != OK)
        errors_append(&list, &err);
    if (s == OK)
        s = cut_files(v, files, count, &cut, &list);
    for (size_t i = 0; i < list.count; i++) {
        const error *e = &list.items[i];
        fprintf(stderr, "%s:%d:%d: %s\n", e->file, e->line, e->column, e->text);
    }
    bool made = s == OK && list.count == 0;
    if (made)
        put_source(&rules, &cut);
    errors_finish(&list);
    text_finish(&rules);
    text_finish(&cut);
    program_destroy(p);
    values_destroy(v);
    return made ? 0 : 1;
}
