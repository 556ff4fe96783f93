// tests/interp/test_docs.c - runs every example of docs/plans.md in the world of the rig: each must
// end as the line above it says, and log what that line says.
#include "plans/tree.h"
#include "tests/interp/rig.h"

#include "tests/testlib.h"

enum { TEXT_MOST = 16384, LINE_MOST = 400 };

typedef struct example {
    char title[LINE_MOST];   // the heading it stands under
    char failure[LINE_MOST]; // "": it is done
    char notes[LINE_MOST];   // what it writes
    char plan[TEXT_MOST];
} example;

// Copies the text between the first pair of backquotes after `key` in a line; "" where there is
// none.
static void quoted(const char *line, const char *key, char *out) {
    const char *at = strstr(line, key), *begin = at ? strchr(at, '`') : NULL,
               *end = begin ? strchr(begin + 1, '`') : NULL;
    size_t length = end ? (size_t)(end - begin - 1) : 0;
    assert_true(length < LINE_MOST);
    memcpy(out, end ? begin + 1 : "", length);
    out[length] = 0;
}

// Makes a plan of an example, which is a whole plan or a single step.
static void make_plan(example *e, const char *text, size_t length) {
    static const char head[] = "plan: example\nbody:\n";
    assert_true(sizeof head + 3 * length + 8 < sizeof e->plan);
    if (strncmp(text, "plan:", 5) == 0) {
        memcpy(e->plan, text, length);
        e->plan[length] = 0;
        return;
    }
    strcpy(e->plan, head);
    char *at = e->plan + strlen(head);
    for (const char *line = text; line < text + length;) {
        size_t n = strcspn(line, "\n");
        at += sprintf(at, "  %.*s\n", (int)n, line);
        line += n + 1;
    }
}

// Finds the next example from `*at` on, and moves `*at` past it. False: there is none.
static bool next_example(const char **at, example *e) {
    static const char label[] = "\n**Example** (", fence[] = "```yaml\n";
    const char *found = strstr(*at, label);
    if (!found)
        return false;
    const char *line = found + 1, *end = strchr(line, '\n');
    assert_true(end && end - line < LINE_MOST);
    char said[LINE_MOST];
    memcpy(said, line, (size_t)(end - line));
    said[end - line] = 0;
    for (const char *heading = *at; (heading = strstr(heading, "\n### ")) && heading < found;
         heading++)
        snprintf(e->title, sizeof e->title, "%.*s", (int)strcspn(heading + 5, "\n"), heading + 5);
    quoted(said, "fails as", e->failure);
    quoted(said, "writes", e->notes);
    if (!e->failure[0] && !strstr(said, "(done"))
        fail_msg("%s: an example is (done) or (fails as `class`): %s", e->title, said);
    const char *text = strstr(end, fence);
    assert_non_null(text);
    text += strlen(fence);
    const char *over = strstr(text, "```");
    assert_non_null(over);
    make_plan(e, text, (size_t)(over - text));
    *at = over;
    return true;
}

static void run_example(const example *e) {
    rig r;
    rig_start(&r, e->plan);
    bool done = rig_run(&r, 300);
    const record *top = rig_record(&r, RECORD_TASK, 0), *failure = NULL;
    for (size_t k = 0; rig_record(&r, RECORD_FAILURE, k); k++) {
        const record *f = rig_record(&r, RECORD_FAILURE, k);
        if (f->FAILURE.task == top->id)
            failure = f;
    }
    const char *class = done ? "" : failure->FAILURE.class;
    if (strcmp(class, e->failure) != 0)
        fail_msg("%s: %s%s%s, expected %s in\n%s", e->title, done ? "it was done" : class,
                 done ? "" : ": ", done ? "" : failure->FAILURE.reason,
                 e->failure[0] ? e->failure : "done", e->plan);
    const char *notes = rig_notes(&r);
    if (strcmp(notes, e->notes) != 0)
        fail_msg("%s: it writes '%s', not '%s', in\n%s", e->title, notes, e->notes, e->plan);
    for (size_t k = 0; rig_record(&r, RECORD_TASK, k); k++)
        assert_int_not_equal(rig_record(&r, RECORD_TASK, k)->TASK.end_ns, TIME_OPEN);
    rig_stop(&r);
}

static void every_example_ends_as_the_reference_says(void **state) {
    (void)state;
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/plans.md");
    const char *at = text;
    example *e = calloc(1, sizeof *e);
    assert_non_null(e);
    int count = 0;
    for (; next_example(&at, e); count++)
        run_example(e);
    assert_true(count >= CONSTRUCT_COUNT);
    free(e);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_ends_as_the_reference_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
