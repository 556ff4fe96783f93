// tests/plans/test_damage.c - damaged plans: whatever happens to a line, either the plan loads, or
// every mistake has a place inside the file that it names.
#include "tests/plans/plan_text.h"
#include "tests/testlib.h"

typedef struct source {
    char *path, *text;
    size_t lines;
} source;

typedef struct sources {
    source items[128];
    size_t count;
    char *folder; // of the damaged plan
    char *plan;   // its path
    size_t damaged, refused;
} sources;

static size_t count_lines(const char *text) {
    size_t lines = 1;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(((const source *)a)->path, ((const source *)b)->path);
}

static sources *collecting;

static int collect(const char *path, const struct stat *info, int kind, struct FTW *place) {
    (void)info, (void)place;
    size_t length = strlen(path);
    if (kind != FTW_F || length < 5 || strcmp(path + length - 5, ".yaml") != 0)
        return 0;
    char *text = testlib_read(path);
    bool is_plan = strncmp(text, "plan:", 5) == 0 || strstr(text, "\nplan:");
    bool is_library = strncmp(text, "library:", 8) == 0 || strstr(text, "\nlibrary:");
    if (!is_plan && !is_library) {
        free(text);
        return 0;
    }
    assert_true(collecting->count < 128);
    collecting->items[collecting->count++] = (source){strdup(path), text, count_lines(text)};
    return 0;
}

static sources open_sources(void) {
    static const char *const folders[] = {"/examples", "/plans", "/tests/fuzz/corpus/plan"};
    sources s = {.folder = testlib_folder()};
    collecting = &s;
    for (int k = 0; k < 3; k++) {
        char folder[1024];
        snprintf(folder, sizeof folder, "%s%s", FORESEE_SOURCE_DIR, folders[k]);
        assert_int_equal(nftw(folder, collect, 16, FTW_PHYS), 0);
    }
    collecting = NULL;
    qsort(s.items, s.count, sizeof *s.items, compare_paths);
    s.plan = testlib_path(s.folder, "plan.yaml");
    assert_true(s.count >= 13);
    return s;
}

static void close_sources(sources *s) {
    for (size_t k = 0; k < s->count; k++) {
        free(s->items[k].path);
        free(s->items[k].text);
    }
    free(s->plan);
    testlib_remove(s->folder);
}

// A place is inside of its file, or it is the file's as a whole.
static void check_place(const sources *s, const error *e, size_t lines) {
    if (strcmp(e->file, s->plan) != 0) {
        for (size_t k = 0; k < s->count; k++) {
            if (strstr(s->items[k].path, strrchr(e->file, '/')))
                lines = s->items[k].lines > lines ? s->items[k].lines : lines;
        }
    }
    assert_true(e->file[0] && e->text[0]);
    if (e->line < 1 || (size_t)e->line > lines || e->column < 1)
        fail_msg("%s:%d:%d: %s", e->file, e->line, e->column, e->text);
}

static void read_damaged(sources *s, const char *text) {
    free(testlib_write(s->folder, "plan.yaml", text));
    errors list = {0};
    plan *p = NULL;
    status st = plan_read(s->plan, FORESEE_SOURCE_DIR "/plans", NULL, &ROBOT_NAMES, &p, &list);
    assert_int_equal(st == OK, list.count == 0);
    assert_non_null(p);
    size_t before = list.count;
    status second = plan_check(p, &ROBOT_NAMES, &list);
    assert_int_equal(second == OK, list.count == before || before == 100);
    size_t lines = count_lines(text);
    for (size_t k = 0; k < list.count; k++)
        check_place(s, &list.items[k], lines);
    s->damaged++;
    s->refused += list.count > 0;
    errors_finish(&list);
    plan_destroy(p);
}

enum { DAMAGES = 10, DAMAGES_OF_A_LINE = 3 };

// The line from `at` in another form, in `out`; false where this damage changes nothing.
static bool damage(const char *line, size_t length, int kind, uint32_t *random, char *out) {
    *random = *random * 1664525u + 1013904223u;
    size_t at = length > 0 ? (*random >> 8) % length : 0;
    static const char strange[] = "?:[]{},\"'$#&*!|>%@`- ()_0aZ\t\\";
    switch (kind) {
    case 0: // gone
        out[0] = 0;
        return length > 0;
    case 1: // twice
        sprintf(out, "%.*s\n%.*s", (int)length, line, (int)length, line);
        return length > 0;
    case 2: // cut
        sprintf(out, "%.*s", (int)at, line);
        return true;
    case 3: // farther in
        sprintf(out, "  %.*s", (int)length, line);
        return length > 0;
    case 4: // farther out
        sprintf(out, "%.*s", length > 2 ? (int)length - 2 : 0, line + (length > 2 ? 2 : 0));
        return length > 2;
    case 5: // a letter gone
        sprintf(out, "%.*s%.*s", (int)at, line, length ? (int)(length - at - 1) : 0,
                line + at + (length > 0));
        return length > 0;
    case 6: // two letters swapped
        sprintf(out, "%.*s", (int)length, line);
        if (at + 1 >= length)
            return false;
        out[at] = line[at + 1];
        out[at + 1] = line[at];
        return true;
    default: { // a strange letter put in
        char c = strange[(*random >> 16) % (sizeof strange - 1)];
        sprintf(out, "%.*s%c%.*s", (int)at, line, c, (int)(length - at), line + at);
        return true;
    }
    }
}

static void every_line_damaged_in_turn_loads_or_says_where(void **state) {
    (void)state;
    sources s = open_sources();
    uint32_t random = 20090601;
    int next = 0;
    for (size_t k = 0; k < s.count; k++) {
        const char *text = s.items[k].text;
        size_t size = strlen(text);
        char *whole = malloc(3 * size + 64), *piece = malloc(3 * size + 64);
        assert_true(whole && piece);
        for (size_t from = 0; from < size; from += strcspn(text + from, "\n") + 1) {
            size_t length = strcspn(text + from, "\n");
            for (int i = 0; i < DAMAGES_OF_A_LINE; i++) {
                next = (next + 1) % DAMAGES;
                if (!damage(text + from, length, next, &random, piece))
                    continue;
                sprintf(whole, "%.*s%s%s", (int)from, text, piece, text + from + length);
                read_damaged(&s, whole);
            }
        }
        free(whole);
        free(piece);
    }
    assert_true(s.damaged > 2000);
    assert_true(s.refused > s.damaged / 3);
    close_sources(&s);
}

static void undamaged_they_have_no_mistakes(void **state) {
    (void)state;
    sources s = open_sources();
    for (size_t k = 0; k < s.count; k++) {
        if (strstr(s.items[k].path, "/fuzz/"))
            continue;
        errors list = {0};
        plan *p = NULL;
        status st =
            plan_read(s.items[k].path, FORESEE_SOURCE_DIR "/plans", NULL, &ROBOT_NAMES, &p, &list);
        if (st == OK)
            st = plan_check(p, &ROBOT_NAMES, &list);
        if (st != OK)
            fail_msg("%s:%d:%d: %s", list.items[0].file, list.items[0].line, list.items[0].column,
                     list.items[0].text);
        plan_destroy(p);
        errors_finish(&list);
    }
    close_sources(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_damaged_in_turn_loads_or_says_where),
        cmocka_unit_test(undamaged_they_have_no_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
