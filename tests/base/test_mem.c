// tests/base/test_mem.c - arenas, arrays, interned strings, whole files.
#include <fcntl.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/files/files.h"
#include "base/symtab.h"
#include "tests/testlib.h"

// The address sanitizer would end the test where malloc answers NULL.
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

static void pieces_are_zeroed_aligned_and_apart(void **state) {
    (void)state;
    arena *a = arena_create();
    unsigned char *pieces[500];
    for (size_t i = 0; i < 500; i++) {
        size_t size = i * 37 % 900;
        pieces[i] = arena_alloc(a, size);
        assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        for (size_t j = 0; j < size; j++)
            assert_int_equal(pieces[i][j], 0);
        memset(pieces[i], (int)(i % 255) + 1, size);
    }
    for (size_t i = 0; i < 500; i++) {
        for (size_t j = 0; j < i * 37 % 900; j++)
            assert_int_equal(pieces[i][j], (int)(i % 255) + 1);
    }
    arena_destroy(a);
    arena_destroy(NULL);
}

static void large_pieces_fit_between_small_ones(void **state) {
    (void)state;
    arena *a = arena_create();
    char *small = arena_strdup(a, "small");
    char *large = arena_alloc(a, 5000000);
    memset(large, 'x', 5000000);
    char *next = arena_strdup(a, "next");
    assert_string_equal(small, "small");
    assert_string_equal(next, "next");
    assert_int_equal(large[4999999], 'x');
    arena_destroy(a);
}

static void what_cannot_be_had_is_null_for_the_try_form(void **state) {
    (void)state;
    arena *a = arena_create();
    assert_null(arena_try(a, SIZE_MAX));
    assert_null(arena_try(a, SIZE_MAX - 20));
    assert_null(arena_try(a, SIZE_MAX / 2));
    assert_non_null(arena_try(a, 10));
    arena_destroy(a);
}

static void a_reset_arena_gives_zeroed_memory_again(void **state) {
    (void)state;
    arena *a = arena_create();
    for (int round = 0; round < 5; round++) {
        for (size_t i = 0; i < 300; i++) {
            unsigned char *piece = arena_alloc(a, 100);
            for (size_t j = 0; j < 100; j++)
                assert_int_equal(piece[j], 0);
            memset(piece, 0xff, 100);
        }
        arena_reset(a);
    }
    // One large piece first, then a reset.
    arena *b = arena_create();
    memset(arena_alloc(b, 100000), 0xff, 100000);
    arena_reset(b);
    assert_int_equal(*(unsigned char *)arena_alloc(b, 1), 0);
    arena_reset(b);
    arena_reset(b);
    arena_destroy(b);
    arena_destroy(a);
}

static void texts_are_copied_and_formatted(void **state) {
    (void)state;
    arena *a = arena_create();
    assert_string_equal(arena_copy(a, "hello world", 5), "hello");
    assert_string_equal(arena_copy(a, NULL, 0), "");
    assert_string_equal(arena_format(a, "%s_%d", "plate", 7), "plate_7");
    char *text = arena_format(a, "%5000s|", "x");
    assert_int_equal(strlen(text), 5001);
    arena_destroy(a);
}

static void arrays_grow_and_finish(void **state) {
    (void)state;
    ARRAY(int) v = {0};
    for (int i = 0; i < 1000; i++)
        array_push(&v, i * i);
    assert_int_equal(v.count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(v.items[i], i * i);
    assert_true(array_reserve_try(&v, 5000));
    assert_true(v.capacity >= 5000);
    assert_int_equal(v.items[999], 999 * 999);
    array_finish(&v);
    assert_null(v.items);
    assert_int_equal(v.count + v.capacity, 0);
}

static void an_array_that_cannot_grow_says_so_and_stays_whole(void **state) {
    (void)state;
    ARRAY(double) v = {0};
    array_push(&v, 1.5);
    assert_false(array_reserve_try(&v, SIZE_MAX / 4));
    assert_false(array_reserve_try(&v, SIZE_MAX));
    assert_int_equal(v.count, 1);
    assert_true(v.items[0] == 1.5);
    array_finish(&v);
}

static void interned_strings_are_kept_once_and_in_order(void **state) {
    (void)state;
    symtab *t = symtab_create();
    assert_int_equal(symtab_find(t, "plate", 5), -1);
    const char *plate = symtab_intern(t, "plate_1", 5);
    assert_string_equal(plate, "plate");
    for (int i = 0; i < 5000; i++) {
        char name[32];
        int length = snprintf(name, sizeof name, "body_%d", i);
        assert_int_equal(symtab_add(t, name, (size_t)length), (uint32_t)i + 1);
    }
    assert_ptr_equal(symtab_intern(t, "plate", 5), plate);
    assert_int_equal(symtab_count(t), 5001);
    assert_int_equal(symtab_find(t, "body_4711", 9), 4712);
    assert_int_equal(symtab_find(t, "body_5000", 9), -1);
    assert_int_equal(symtab_add(t, "body_17", 7), 18);
    assert_string_equal(symtab_name(t, 18), "body_17");
    assert_int_equal(symtab_add(t, "", 0), 5001);
    assert_int_equal(symtab_find(t, "", 0), 5001);
    // Bytes, not texts: a zero is a byte like any other.
    assert_int_equal(symtab_add(t, "a\0b", 3), 5002);
    assert_int_equal(symtab_add(t, "a\0c", 3), 5003);
    symtab_destroy(t);
    symtab_destroy(NULL);
}

static void a_file_is_read_whole_with_a_zero_behind(void **state) {
    (void)state;
    char *folder = testlib_folder();
    char *path = testlib_write_bytes(folder, "f", "a\0b\nc", 5);
    char *text = NULL;
    size_t length = 0;
    assert_int_equal(file_read(path, &text, &length, NULL), OK);
    assert_int_equal(length, 5);
    assert_memory_equal(text, "a\0b\nc", 6);
    free(text);
    free(path);
    path = testlib_write(folder, "empty", "");
    assert_int_equal(file_read(path, &text, &length, NULL), OK);
    assert_int_equal(length, 0);
    assert_int_equal(text[0], 0);
    free(text);
    free(path);
    testlib_remove(folder);
}

static void a_pipe_is_read_like_a_file(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    char sent[20000];
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (char)('a' + i % 26);
    assert_int_equal(write(ends[1], sent, sizeof sent), sizeof sent);
    close(ends[1]);
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    char *text = NULL;
    size_t length = 0;
    assert_int_equal(file_read(path, &text, &length, NULL), OK);
    assert_int_equal(length, sizeof sent);
    assert_memory_equal(text, sent, sizeof sent);
    free(text);
    close(ends[0]);
}

static void folders_and_missing_files_are_told_apart(void **state) {
    (void)state;
    char *folder = testlib_folder();
    char *text = (char *)"untouched";
    size_t length = 77;
    error err;
    assert_int_equal(file_read(folder, &text, &length, &err), E_INPUT);
    assert_non_null(strstr(err.text, "folder"));
    assert_string_equal(err.file, folder);
    char *missing = testlib_path(folder, "missing.yaml");
    assert_int_equal(file_read(missing, &text, &length, &err), E_INPUT);
    assert_non_null(strstr(err.text, "No such file"));
    assert_string_equal(text, "untouched");
    assert_int_equal(length, 77);
    free(missing);
    testlib_remove(folder);
}

static void a_file_past_the_limit_is_refused(void **state) {
    (void)state;
    char *folder = testlib_folder();
    char *path = testlib_write(folder, "huge", "x");
    char *text = NULL;
    size_t length = 0;
    error err;
    assert_int_equal(truncate(path, (64 << 20) + 1), 0);
    assert_int_equal(file_read(path, &text, &length, &err), E_LIMIT);
    assert_null(text);
    assert_int_equal(truncate(path, 64 << 20), 0);
    assert_int_equal(file_read(path, &text, &length, &err), OK);
    assert_int_equal(length, 64 << 20);
    free(text);
    free(path);
    testlib_remove(folder);
}

static void a_rewound_arena_gives_zeroed_room_for_as_much_again(void **state) {
    (void)state;
    arena *a = arena_create_small(64);
    for (int round = 0; round < 5; round++) {
        for (int k = 0; k < 100; k++) {
            char *piece = arena_alloc(a, 40);
            for (int j = 0; j < 40; j++)
                assert_int_equal(piece[j], 0);
            memset(piece, 0xff, 40);
        }
        arena_rewind(a, round < 3 ? 1 << 20 : 64);
    }
    arena_destroy(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rewound_arena_gives_zeroed_room_for_as_much_again),
        cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(large_pieces_fit_between_small_ones),
        cmocka_unit_test(what_cannot_be_had_is_null_for_the_try_form),
        cmocka_unit_test(a_reset_arena_gives_zeroed_memory_again),
        cmocka_unit_test(texts_are_copied_and_formatted),
        cmocka_unit_test(arrays_grow_and_finish),
        cmocka_unit_test(an_array_that_cannot_grow_says_so_and_stays_whole),
        cmocka_unit_test(interned_strings_are_kept_once_and_in_order),
        cmocka_unit_test(a_file_is_read_whole_with_a_zero_behind),
        cmocka_unit_test(a_pipe_is_read_like_a_file),
        cmocka_unit_test(folders_and_missing_files_are_told_apart),
        cmocka_unit_test(a_file_past_the_limit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
