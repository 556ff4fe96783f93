// tests/testlib.h - what every test includes: cmocka, and small helpers.
#ifndef FORESEE_TESTS_TESTLIB_H
#define FORESEE_TESTS_TESTLIB_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Makes an empty folder of its own; the caller gives it to testlib_remove, which frees the name.
static inline char *testlib_folder(void) {
    const char *where = getenv("TMPDIR");
    char *path = malloc(4096);
    assert_non_null(path);
    snprintf(path, 4096, "%s/foresee_test_XXXXXX", where && where[0] ? where : "/tmp");
    assert_non_null(mkdtemp(path));
    return path;
}

static inline int testlib_remove_entry(const char *path, const struct stat *info, int kind,
                                       struct FTW *place) {
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

static inline void testlib_remove(char *folder) {
    if (!folder)
        return;
    nftw(folder, testlib_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(folder);
}

// "folder/name"; the caller frees it.
static inline char *testlib_path(const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    assert_non_null(path);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

// Writes a file and returns its path, which the caller frees.
static inline char *testlib_write_bytes(const char *folder, const char *name, const void *bytes,
                                        size_t length) {
    char *path = testlib_path(folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline char *testlib_write(const char *folder, const char *name, const char *text) {
    return testlib_write_bytes(folder, name, text, strlen(text));
}

// Reads a whole file as text; the caller frees it.
static inline char *testlib_read(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = 0, room = 4096;
    char *text = malloc(room);
    assert_non_null(text);
    for (size_t n; (n = fread(text + size, 1, room - size - 1, file)) > 0;) {
        size += n;
        if (room - size < 2) {
            room *= 2;
            text = realloc(text, room);
            assert_non_null(text);
        }
    }
    text[size] = 0;
    fclose(file);
    return text;
}

// Makes a locale that writes 1,5 for one and a half, in `folder`, and switches this process to it;
// setlocale(LC_ALL, "C") leads back. False: localedef or its character maps are not installed.
static inline bool testlib_use_comma_locale(const char *folder) {
    char *source = testlib_write(folder, "comma",
                                 "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\n"
                                 "grouping 3;3\nEND LC_NUMERIC\n");
    char shell[8192];
    snprintf(shell, sizeof shell, "localedef --no-archive -c -i '%s' '%s/xx_XX' >/dev/null 2>&1",
             source, folder);
    free(source);
    // Its status is no help: missing categories are warnings, and count.
    int ignored = system(shell);
    (void)ignored;
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_NUMERIC, "xx_XX") && strcmp(localeconv()->decimal_point, ",") == 0;
}

#endif
