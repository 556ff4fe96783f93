// tests/base/test_output.c - files are written whole or not at all, and over nothing that is not
// meant to be replaced.
#include "base/files/output.h"
#include "tests/testlib.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

// What holds the word "mine" may be replaced.
static bool holds_mine(const void *context, const char *path) {
    (void)context;
    return output_begins(path, "mine", 4);
}

static const output_policy MINE = {.what = "word of mine", .replaces = holds_mine};
static const output_policy NOTHING = {0};

static status put(const char *path, const char *text, const output_policy *policy, error *err) {
    const output_file file = {path, text, strlen(text), policy};
    return output_write(&file, 1, true, err);
}

static void has(const char *path, const char *text) {
    char *got = testlib_read(path);
    assert_string_equal(got, text);
    free(got);
}

static bool list_entry(const char *folder, int *count) {
    char shell[8192], line[8];
    snprintf(shell, sizeof shell, "ls -A '%s' | wc -l", folder);
    FILE *f = popen(shell, "r");
    bool good = f && fgets(line, sizeof line, f);
    *count = good ? atoi(line) : -1;
    if (f)
        pclose(f);
    return good;
}

// The folder holds so many names, and none that was made on the way.
static void holds_names(const char *folder, int expected) {
    int count;
    assert_true(list_entry(folder, &count));
    assert_int_equal(count, expected);
}

static void refused(const char *path, const output_policy *policy, const char *why) {
    error err = {0};
    assert_int_equal(output_check(path, policy, &err), E_INPUT);
    assert_non_null(strstr(err.text, why));
    err = (error){0};
    assert_int_equal(put(path, "mine, new", policy, &err), E_INPUT);
    if (!strstr(err.text, why))
        fail_msg("%s: %s", path, err.text);
}

static void a_new_file_is_written_with_the_mode_that_the_umask_leaves(void **state) {
    char *path = testlib_path(*state, "new");
    mode_t mask = umask(027);
    assert_int_equal(put(path, "text", &NOTHING, NULL), OK);
    umask(mask);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0640);
    has(path, "text");
    holds_names(*state, 1);
    free(path);
}

static void what_may_be_replaced_is_replaced_and_keeps_its_mode(void **state) {
    char *path = testlib_write(*state, "old", "mine, old");
    assert_int_equal(chmod(path, 0604), 0);
    assert_int_equal(put(path, "mine, new", &MINE, NULL), OK);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0604);
    has(path, "mine, new");
    holds_names(*state, 1);
    free(path);
}

static void an_empty_file_holds_nothing_that_could_be_lost(void **state) {
    char *path = testlib_write(*state, "empty", "");
    assert_int_equal(put(path, "mine", &MINE, NULL), OK);
    has(path, "mine");
    assert_int_equal(truncate(path, 0), 0);
    refused(path, &NOTHING, "exists");
    free(path);
}

static void what_holds_something_else_is_left_as_it_is(void **state) {
    char *path = testlib_write(*state, "other", "yours");
    refused(path, &MINE, "holds no word of mine; it is not overwritten");
    refused(path, &NOTHING, "exists");
    has(path, "yours");
    holds_names(*state, 1);
    free(path);
}

static void what_is_no_file_is_never_written(void **state) {
    char *folder = testlib_path(*state, "folder"), *pipe = testlib_path(*state, "pipe"),
         *name = testlib_path(*state, "socket");
    assert_int_equal(mkdir(folder, 0755), 0);
    assert_int_equal(mkfifo(pipe, 0644), 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%.100s", name);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    refused(folder, &MINE, "folder");
    refused(pipe, &MINE, "a device, a pipe or a socket");
    refused(name, &MINE, "a device, a pipe or a socket");
    refused("/dev/null", &MINE, "a device, a pipe or a socket");
    close(fd);
    holds_names(*state, 3);
    free(folder);
    free(pipe);
    free(name);
}

static void what_the_command_reads_is_known_by_any_of_its_names(void **state) {
    char *path = testlib_write(*state, "input", "mine"), *other = testlib_path(*state, "link"),
         *soft = testlib_path(*state, "soft");
    assert_int_equal(link(path, other), 0);
    assert_int_equal(symlink("input", soft), 0);
    const char *inputs[] = {"/no/such/file", path};
    output_policy policy = MINE;
    policy.inputs = inputs;
    policy.input_count = 2;
    refused(path, &policy, "is read by the command");
    refused(other, &policy, "is read by the command");
    refused(soft, &policy, "is read by the command");
    has(path, "mine");
    free(path);
    free(other);
    free(soft);
}

static void a_link_is_followed_under_the_same_checks(void **state) {
    char *path = testlib_write(*state, "real", "mine"), *other = testlib_write(*state, "no", "x"),
         *good = testlib_path(*state, "good"), *bad = testlib_path(*state, "bad"),
         *lost = testlib_path(*state, "lost");
    assert_int_equal(symlink("real", good), 0);
    assert_int_equal(symlink("no", bad), 0);
    assert_int_equal(symlink("nowhere", lost), 0);
    assert_int_equal(put(good, "mine, new", &MINE, NULL), OK);
    has(path, "mine, new");
    struct stat info;
    assert_int_equal(lstat(good, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    refused(bad, &MINE, "holds no word");
    refused(lost, &MINE, "a symbolic link that leads nowhere");
    holds_names(*state, 5);
    free(path);
    free(other);
    free(good);
    free(bad);
    free(lost);
}

static void files_of_the_names_that_others_use_meanwhile_are_not_touched(void **state) {
    char *path = testlib_path(*state, "a"), name[64];
    snprintf(name, sizeof name, ".foresee-%ld-0", (long)getpid());
    char *theirs = testlib_write(*state, "theirs", "theirs"), *fresh = testlib_path(*state, name);
    assert_int_equal(symlink("theirs", fresh), 0);
    assert_int_equal(put(path, "mine", &MINE, NULL), OK);
    has(path, "mine");
    has(theirs, "theirs");
    holds_names(*state, 3);
    free(path);
    free(theirs);
    free(fresh);
}

static void of_two_files_both_are_written_or_none(void **state) {
    char *a = testlib_write(*state, "a", "mine, old"), *b = testlib_write(*state, "b", "yours");
    output_file both[2] = {{a, "mine, new", 9, &MINE}, {b, "mine, new", 9, &MINE}};
    assert_int_equal(output_write(both, 2, true, NULL), E_INPUT);
    has(a, "mine, old");
    has(b, "yours");
    both[1].path = "/no/such/folder/b";
    assert_int_equal(output_write(both, 2, true, NULL), E_INPUT);
    has(a, "mine, old");
    char *c = testlib_path(*state, "c");
    both[1].path = c;
    assert_int_equal(output_write(both, 2, true, NULL), OK);
    has(a, "mine, new");
    has(c, "mine, new");
    holds_names(*state, 3);
    free(a);
    free(b);
    free(c);
}

static void a_place_that_cannot_be_written_is_a_wrong_request(void **state) {
    char *path = testlib_path(*state, "no/such/file"), *nameless = testlib_path(*state, "x/");
    refused(path, &MINE, "No such file");
    refused(nameless, &MINE, "No such file");
    char text[300];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    char *large = testlib_path(*state, text);
    error err = {0};
    assert_int_equal(put(large, "x", &MINE, &err), E_INPUT);
    assert_non_null(strstr(err.text, "too long"));
    free(path);
    free(nameless);
    free(large);
}

static void what_is_appended_stands_behind_what_was_there(void **state) {
    char *path = testlib_path(*state, "history");
    output_policy policy = MINE;
    policy.own = true;
    output_file file = {path, "mine 1\n", 7, &policy};
    assert_int_equal(output_append(&file, NULL), OK);
    file.bytes = "mine 2\n";
    assert_int_equal(output_append(&file, NULL), OK);
    has(path, "mine 1\nmine 2\n");
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0600);
    free(path);
    path = testlib_write(*state, "other", "yours");
    file.path = path;
    assert_int_equal(output_append(&file, NULL), E_INPUT);
    has(path, "yours");
    free(path);
}

static int make_folder(void **state) {
    *state = testlib_folder();
    return 0;
}

static int remove_folder(void **state) {
    testlib_remove(*state);
    return 0;
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_new_file_is_written_with_the_mode_that_the_umask_leaves),
        IN_FOLDER(what_may_be_replaced_is_replaced_and_keeps_its_mode),
        IN_FOLDER(an_empty_file_holds_nothing_that_could_be_lost),
        IN_FOLDER(what_holds_something_else_is_left_as_it_is),
        IN_FOLDER(what_is_no_file_is_never_written),
        IN_FOLDER(what_the_command_reads_is_known_by_any_of_its_names),
        IN_FOLDER(a_link_is_followed_under_the_same_checks),
        IN_FOLDER(files_of_the_names_that_others_use_meanwhile_are_not_touched),
        IN_FOLDER(of_two_files_both_are_written_or_none),
        IN_FOLDER(a_place_that_cannot_be_written_is_a_wrong_request),
        IN_FOLDER(what_is_appended_stands_behind_what_was_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
