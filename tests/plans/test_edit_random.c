// tests/plans/test_edit_random.c - random plans in every style of YAML, random edits, and their
// inverses. Arguments: how many plans, and the first seed.
#include "tests/plans/edit_random.h"
#include "tests/testlib.h"

#include <glob.h>
#include <sys/mman.h>

static int plans = 200;
static uint64_t first_seed = 1;

static plan *load(const char *text, size_t length) {
    char path[64];
    int file = memfd_create("plan", 0);
    assert_true(file >= 0 && write(file, text, length) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    errors list = {0};
    plan *p = NULL;
    plan_read(path, NULL, NULL, NULL, &p, &list);
    errors_finish(&list);
    close(file);
    return p;
}

static edit_result *apply(const char *plan_text, size_t plan_length, const char *edits,
                          size_t edits_length, errors *list) {
    edit_request request = {.plan = {"plan.yaml", plan_text, plan_length},
                            .edits = {"edits.yaml", edits, edits_length}};
    edit_result *result = NULL;
    status s = edit_apply(&request, &result, list);
    assert_int_equal(s == OK, result != NULL);
    assert_int_equal(s == OK, list->count == 0);
    return result;
}

static bool related(const plan_node *a, const plan_node *b) {
    for (const plan_node *n = a; n; n = n->parent)
        if (n == b)
            return true;
    for (const plan_node *n = b; n; n = n->parent)
        if (n == a)
            return true;
    return false;
}

// Steps that are neither above nor below the one that was edited keep their bytes.
static void check_kept(const plan_node *n, const plan_node *target, const char *old,
                       const char *text, size_t length, const char *edit) {
    if (!related(n, target)) {
        size_t begin = n->source->begin, size = n->source->end - begin;
        if (!memmem(text, length, old + begin, size))
            fail_msg("'%s' has lost its bytes\n%s\n%s\n%s", n->path, edit, old, text);
    }
    for (size_t i = 0; i < n->child_count; i++)
        check_kept(n->children[i], target, old, text, length, edit);
}

typedef struct state {
    char *text;
    size_t length;
    char *inverse;
    size_t inverse_length;
} state;

static void keep(state *s, const char *text, size_t length, const char *inverse,
                 size_t inverse_length) {
    s->text = malloc(length + 1);
    s->inverse = malloc(inverse_length + 1);
    assert_true(s->text && s->inverse);
    memcpy(s->text, text, length + 1);
    memcpy(s->inverse, inverse, inverse_length + 1);
    s->length = length;
    s->inverse_length = inverse_length;
}

static void expect_same(const char *a, size_t a_length, const char *b, size_t b_length,
                        uint64_t seed, const char *what) {
    size_t x = 0, y = 0;
    char *one = edit_strip(a, a_length, &x), *two = edit_strip(b, b_length, &y);
    assert_true(one && two);
    if (x != y || memcmp(one, two, x) != 0)
        fail_msg("seed %llu: the inverse does not lead back\n%s\n=== expected\n%s\n=== is\n%s",
                 (unsigned long long)seed, what, one, two);
    free(one);
    free(two);
}

enum { EDITS_MAX = 8 };
static int tried, made, splices;

static void check_all_kept(const plan *p, const plan_node *target, const char *old,
                           const char *text, size_t length, const char *edit) {
    if (plan_body(p))
        check_kept(plan_body(p), target, old, text, length, edit);
    for (size_t i = 0; i < plan_routine_count(p); i++)
        check_kept(plan_routine_at(p, i)->body, target, old, text, length, edit);
}

// Random edits of a text one after another, then their inverses in turn.
static void there_and_back(const char *start, size_t start_length, uint64_t seed) {
    state states[EDITS_MAX + 1] = {0};
    keep(&states[0], start, start_length, "", 0);
    int count = 0;
    for (int k = 0; k < EDITS_MAX; k++) {
        state *now = &states[count];
        plan *p = load(now->text, now->length);
        assert_non_null(p);
        random_text e = {.state = seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)k,
                         .tags = 1000 * (k + 1)};
        const plan_node *target = NULL;
        for (int i = 0; i < 8; i++)
            random_draw(&e, 2);
        if (!plan_body(p) && plan_routine_count(p) == 0) {
            plan_destroy(p);
            break;
        }
        random_edit(&e, p, &target);
        errors list = {0};
        edit_result *result = apply(now->text, now->length, e.text, e.length, &list);
        tried++;
        if (result) {
            size_t length, inverse_length;
            const char *text = edit_text(result, &length);
            const char *inverse = edit_inverse(result, &inverse_length);
            made++;
            splices += strstr(inverse, "- splice:") != NULL;
            if (target)
                check_all_kept(p, target, now->text, text, length, e.text);
            keep(&states[++count], text, length, inverse, inverse_length);
        } else if (strstr(list.items[0].text, "cannot be written") ||
                   strstr(list.items[0].text, "cannot be read")) {
            fwrite(now->text, 1, now->length, stderr); // longer than a message may be
            fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, list.items[0].text, e.text);
        }
        edit_result_destroy(result);
        errors_finish(&list);
        free(e.text);
        plan_destroy(p);
    }
    // All the way back.
    char *text = malloc(states[count].length + 1);
    assert_non_null(text);
    memcpy(text, states[count].text, states[count].length + 1);
    size_t length = states[count].length;
    for (int k = count; k > 0; k--) {
        errors list = {0};
        edit_result *result =
            apply(text, length, states[k].inverse, states[k].inverse_length, &list);
        if (!result)
            fail_msg("seed %llu: %s\n%s\n%s", (unsigned long long)seed, list.items[0].text,
                     states[k].inverse, text);
        const char *back = edit_text(result, &length);
        free(text);
        text = malloc(length + 1);
        assert_non_null(text);
        memcpy(text, back, length + 1);
        expect_same(states[k - 1].text, states[k - 1].length, text, length, seed,
                    states[k].inverse);
        edit_result_destroy(result);
    }
    for (int k = 0; k <= count; k++) {
        free(states[k].text);
        free(states[k].inverse);
    }
    free(text);
}

static random_text plan_of(uint64_t seed) {
    random_text r = {.state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
    random_plan(&r);
    return r;
}

static void random_plans_load(void **unused) {
    (void)unused;
    for (int i = 0; i < plans; i++) {
        random_text r = plan_of(first_seed + (uint64_t)i);
        char path[64];
        int file = memfd_create("plan", 0);
        assert_true(file >= 0 && write(file, r.text, r.length) == (ssize_t)r.length);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        errors list = {0};
        plan *p = NULL;
        if (plan_load(path, NULL, NULL, &p, &list) != OK)
            fail_msg("seed %llu: %d:%d: %s\n%s", (unsigned long long)(first_seed + (uint64_t)i),
                     list.items[0].line, list.items[0].column, list.items[0].text, r.text);
        plan_destroy(p);
        errors_finish(&list);
        close(file);
        free(r.text);
    }
}

static void random_edits_lead_back_byte_for_byte(void **unused) {
    (void)unused;
    tried = made = splices = 0;
    for (int i = 0; i < plans; i++) {
        random_text r = plan_of(first_seed + (uint64_t)i);
        there_and_back(r.text, r.length, first_seed + (uint64_t)i);
        free(r.text);
    }
    print_message("%d of %d edits made, %d inverses as splices\n", made, tried, splices);
    assert_true(made * 2 > tried);
    assert_true(splices * 2 < made);
}

static void edits_of_every_shipped_plan_lead_back(void **unused) {
    (void)unused;
    glob_t files;
    int seen = 0;
    assert_int_equal(glob(FORESEE_SOURCE_DIR "/plans/*.yaml", 0, NULL, &files), 0);
    assert_int_equal(glob(FORESEE_SOURCE_DIR "/examples/*/*.yaml", GLOB_APPEND, NULL, &files), 0);
    tried = made = splices = 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *text = testlib_read(files.gl_pathv[i]);
        bool steps = strncmp(text, "plan:", 5) == 0 || strstr(text, "\nplan:") ||
                     strncmp(text, "library:", 8) == 0 || strstr(text, "\nlibrary:");
        seen += steps;
        for (int k = 0; steps && k < 1 + plans / 50; k++)
            there_and_back(text, strlen(text), first_seed + i * 1000 + (uint64_t)k);
        free(text);
    }
    globfree(&files);
    print_message("%d files: %d of %d edits made, %d inverses as splices\n", seen, made, tried,
                  splices);
    assert_true(seen > 10);
    assert_true(made * 2 > tried);
}

int main(int count, char **values) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_plans_load),
        cmocka_unit_test(random_edits_lead_back_byte_for_byte),
        cmocka_unit_test(edits_of_every_shipped_plan_lead_back),
    };
    if (count > 1)
        plans = atoi(values[1]);
    if (count > 2)
        first_seed = (uint64_t)atoll(values[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
