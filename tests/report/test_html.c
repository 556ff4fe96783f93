// tests/report/test_html.c - the page of a diagnosis: its parts, that a log cannot break out of its
// place, and that it stays small. tests/report/browser.sh looks at it in a browser.
#include "report/page/html.h"
#include "report/page/html_int.h"
#include "tests/predicates/synthetic.h"

static text_buffer page_of(const synthetic *s, const char *rules_text) {
    char *rules = testlib_write(s->folder, "own.dl", rules_text);
    const char *more[1] = {rules};
    ask *a = NULL;
    diagnosis *d = NULL;
    errors list = {0};
    error err = {0};
    text_buffer out = {0};
    if (ask_open(s->path, 0, FORESEE_SOURCE_DIR "/predicates", more, 1, &a, &list) != OK)
        fail_msg("%s:%d: %s", list.items[0].file, list.items[0].line, list.items[0].text);
    if (diagnosis_create(a, &d, &err) != OK ||
        html_write(a, d, FORESEE_SOURCE_DIR "/predicates", &out, &err) != OK)
        fail_msg("%s", err.text);
    array_push(&out, '\0');
    diagnosis_destroy(d);
    ask_close(a);
    free(rules);
    return out;
}

static size_t times(const text_buffer *b, const char *what) {
    size_t n = 0;
    for (const char *at = b->items; (at = strstr(at, what)); at++)
        n++;
    return n;
}

// Texts of a log are shown as texts, whatever they look like.
static void nothing_in_a_log_is_read_as_markup(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    static const char evil[] = "</script></style><script>alert(\"1\")</script>&amp;'\001";
    record plan = {.kind = RECORD_SOURCE, .id = sink_id(s.sink, RECORD_SOURCE)};
    plan.SOURCE = (struct record_SOURCE){.kind = "plan", .name = "plan.yaml", .text = evil};
    synthetic_put(&s, &plan);
    s.top = synthetic_task(&s, 0, "seq", evil, NULL, 0, 8, "done");
    synthetic_task(&s, s.top, evil, evil, NULL, 2, 7, evil);
    synthetic_end(&s, 10);
    text_buffer page = page_of(
        &s,
        ":- declare flaw(odd(text: any)) \"Odd.\".\n"
        "flaw(odd(\"<script>alert(2)</script>\")).\n"
        "flaw_sentence(odd, \"<b>$1</b> & $key\").\n"
        "flaw_task(odd(X), T) :- flaw(odd(X)), task_parent(T, _).\n"
        "flaw_body(odd(X), '<i>') :- flaw(odd(X)).\n"
        "flaw_evidence(odd(X), '<u>', X) :- flaw(odd(X)).\n"
        "flaw_suggests(odd(X), '<s>', [[replace(X), step([log(\"</pre>\")])]]) :- flaw(odd(X)).\n");
    assert_int_equal(times(&page, "<article"), 1);
    assert_int_equal(times(&page, "<script"), 1); // its own
    assert_int_equal(times(&page, "</script"), 1);
    assert_int_equal(times(&page, "</style"), 1);
    assert_int_equal(times(&page, "<i>&lt;"), 0);
    assert_int_equal(times(&page, "<s>") + times(&page, "<u>"), 0);
    assert_true(times(&page, "&lt;script&gt;alert(2)") > 0);
    assert_int_equal(times(&page, "\001"), 0);
    assert_true(times(&page, "&lt;/pre&gt;") > 0);
    array_finish(&page);
    synthetic_remove(&s);
}

static void what_a_flaw_rests_on_unfolds_from_its_number(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    s.top = synthetic_task(&s, 0, "seq", "plan", NULL, 0, 8, "done");
    synthetic_task(&s, s.top, "move_arm", "plan/move", NULL, 2, 7, "done");
    synthetic_end(&s, 10);
    text_buffer page = page_of(&s, ":- declare flaw(odd(task: task)) \"Odd.\".\n"
                                   "flaw(odd(T)) :- task_construct(T, move_arm).\n"
                                   "flaw_evidence(odd(T), took, D) :- flaw(odd(T)), task_start(T, "
                                   "S), task_end(T, E), D = E - S.\n"
                                   "flaw_evidence(odd(T), took_threshold, 1) :- flaw(odd(T)).\n");
    const char *number = strstr(page.items, "<span class=\"k\">took</span> <b>5</b>");
    assert_non_null(number);
    const char *proof = strstr(number, "<ul class=\"proof\">"),
               *end = strstr(number, "</details></div>");
    assert_true(proof && end && proof < end);
    const char *row = strstr(proof, "task row "), *rule = strstr(proof, "own.dl:3");
    assert_true(row && rule && rule < row && row < end);
    assert_true(times(&page, "limit over\">threshold 1") == 1);
    array_finish(&page);
    synthetic_remove(&s);
}

static void a_page_of_very_many_flaws_stays_under_3_MB(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    s.top = synthetic_task(&s, 0, "seq", "plan", NULL, 0, 8, "done");
    synthetic_task(&s, s.top, "move_arm", "plan/move", NULL, 2, 7, "done");
    synthetic_end(&s, 10);
    text_buffer page = page_of(
        &s, ":- declare flaw(odd(number: int)) \"Odd.\".\n"
            "flaw(odd(N)) :- between(1, 900, N).\n"
            "flaw_task(odd(N), T) :- flaw(odd(N)), task_construct(T, move_arm).\n"
            "flaw_body(odd(N), O) :- flaw(odd(N)), object(O, body, _).\n"
            "flaw_evidence(odd(N), all, L) :- flaw(odd(N)), L = list { M : between(1, 300, M) }.\n"
            "flaw_suggests(odd(N), say, [[insert_before(plan), step([log(L)])]]) :- flaw(odd(N)), "
            "L = N.\n");
    assert_int_equal(times(&page, "<article"), 600);
    assert_true(times(&page, "And 300 more") == 1);
    assert_true(times(&page, "</html>") == 1);
    assert_in_range(page.count, 1000000, 3000000);
    array_finish(&page);
    synthetic_remove(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_in_a_log_is_read_as_markup),
        cmocka_unit_test(what_a_flaw_rests_on_unfolds_from_its_number),
        cmocka_unit_test(a_page_of_very_many_flaws_stays_under_3_MB),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
