// tests/base/test_files.c - files that stand in memory for those on disk.
#include "base/files/files.h"
#include "base/files/sha256.h"
#include "base/hash.h"
#include "tests/testlib.h"

static const kept_file KEPT[] = {
    {"plan.yaml", "plan: p\n", 8, false},
    {"../worlds/kitchen.yaml", "world: k\n", 9, false},
    {"../../far/parts/kitchen.yaml", "world: far\n", 11, false},
};
static const file_set SET = {.items = KEPT, .count = 3};

static void reads(const char *path, const char *text) {
    char *got = NULL;
    size_t length = 0;
    error err = {0};
    if (files_read(&SET, path, &got, &length, &err) != OK)
        fail_msg("%s: %s", path, err.text);
    assert_string_equal(got, text);
    assert_int_equal(length, strlen(text));
    free(got);
}

static void every_spelling_of_a_path_leads_to_its_file(void **state) {
    (void)state;
    reads("plan.yaml", "plan: p\n");
    reads("./plan.yaml", "plan: p\n");
    reads(".//a/../plan.yaml", "plan: p\n");
    reads("../worlds/kitchen.yaml", "world: k\n");
    reads("../worlds/../worlds/./kitchen.yaml", "world: k\n");
    reads("a/b/../../../worlds/kitchen.yaml", "world: k\n");
    reads("../../far/parts/../parts/kitchen.yaml", "world: far\n");
    char *real = files_real(&SET, "./../worlds//kitchen.yaml");
    assert_string_equal(real, "../worlds/kitchen.yaml");
    free(real);
}

static void a_path_from_the_root_means_the_file_with_its_longest_end(void **state) {
    (void)state;
    reads("/home/me/worlds/kitchen.yaml", "world: k\n");
    reads("/home/far/parts/kitchen.yaml", "world: far\n");
    assert_false(files_exist(&SET, "/home/me/orlds/kitchen.yaml"));
    assert_string_equal(files_ending(&SET, "parts/kitchen.yaml"), "../../far/parts/kitchen.yaml");
    assert_null(files_ending(&SET, "arts/kitchen.yaml"));
}

static void what_a_set_lacks_is_not_read_from_disk(void **state) {
    (void)state;
    char *folder = testlib_folder(), *path = testlib_write(folder, "w.yaml", "world: disk\n");
    char *text = NULL;
    size_t length;
    error err = {0};
    assert_int_equal(files_read(NULL, path, &text, &length, &err), OK);
    free(text);
    assert_int_equal(files_read(&SET, path, &text, &length, &err), E_INPUT);
    assert_false(files_exist(&SET, path));
    assert_null(files_real(&SET, path));
    assert_false(files_exist(&SET, "kitchen.yaml"));
    free(path);
    testlib_remove(folder);
}

static void a_file_known_by_its_hash_is_found_on_disk_unless_it_changed(void **state) {
    (void)state;
    static const char bytes[] = "solid s\n";
    arena *a = arena_create();
    char *folder = testlib_folder();
    const char *below = arena_format(a, "%s/deep", folder), *found = NULL;
    kept_file mesh = {.name = "../m.stl", .hash_only = true};
    mesh.text = hash_text(a, hash_bytes(bytes, strlen(bytes)));
    mesh.length = strlen(mesh.text);
    file_set set = {.items = &mesh, .count = 1, .folders = &below, .folder_count = 1};
    error err = {0};
    char *path = testlib_write(folder, "m.stl", bytes);
    assert_int_equal(mkdir(below, 0700), 0);
    assert_int_equal(files_on_disk(a, &set, "../m.stl", &found, &err), OK);
    char *text = NULL;
    size_t length;
    assert_int_equal(file_read(found, &text, &length, &err), OK);
    assert_string_equal(text, bytes);
    free(text);
    assert_int_equal(files_read(&set, "../m.stl", &text, &length, &err), E_INPUT);
    // Code is known by a hash that nobody can make other bytes for.
    kept_file code = mesh;
    code.text = "sha256 a5a1dbf7f29be4ae8e9ad4b5f3b1d7a1";
    file_set codes = {.items = &code, .count = 1, .folders = &below, .folder_count = 1};
    assert_int_equal(files_on_disk(a, &codes, "../m.stl", &found, &err), E_INPUT);
    assert_int_equal(sha256_mark(a, path, &code.text, &err), OK);
    assert_string_equal(code.text, SHA256_MARK
                        "a29ef8abe0981b5ba6a6ced8812a58a5f7cf77379171d710c02b85d8de7c6ca3");
    assert_int_equal(files_on_disk(a, &codes, "../m.stl", &found, &err), OK);
    free(path);
    path = testlib_write(folder, "m.stl", "solid other\n");
    assert_int_equal(files_on_disk(a, &codes, "../m.stl", &found, &err), E_INPUT);
    assert_int_equal(files_on_disk(a, &set, "../m.stl", &found, &err), E_INPUT);
    assert_non_null(strstr(err.text, "changed"));
    assert_string_equal(err.file, "../m.stl");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(files_on_disk(a, &set, "../m.stl", &found, &err), E_INPUT);
    assert_non_null(strstr(err.text, "not found"));
    free(path);
    testlib_remove(folder);
    arena_destroy(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spelling_of_a_path_leads_to_its_file),
        cmocka_unit_test(a_path_from_the_root_means_the_file_with_its_longest_end),
        cmocka_unit_test(what_a_set_lacks_is_not_read_from_disk),
        cmocka_unit_test(a_file_known_by_its_hash_is_found_on_disk_unless_it_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
