// The diagnosis of a known episode, as text and as JSON; the tree of its tasks.
#include "report/diagnose.h"
#include "report/outcome.h"
#include "report/tree.h"
#include "tests/predicates/synthetic.h"

// A cube is lifted from 3 to 4 s, slides through the hand from 5 s on, is lost at 6 s and falls.
static synthetic episode(void) {
    synthetic s = synthetic_begin();
    int64_t cube = synthetic_cube(&s, "cube_1", 0, 0, 0.75);
    synthetic_hand(&s, 0, 0, 0, 0.82);
    synthetic_hand(&s, 3, 0, 0, 0.82);
    synthetic_hand(&s, 4, 0, 0, 1.02);
    const double times[4] = {3, 4, 5, 6}, zs[4] = {0.75, 0.95, 0.95, 0.92};
    for (int i = 0; i < 4; i++)
        synthetic_pose(&s, cube, times[i], 0, 0, zs[i], 0);
    for (int i = 1; i <= 9; i++)
        synthetic_pose(&s, cube, 6 + 0.02 * i, 0, 0, 0.92 - 4.905 * 0.0004 * i * i, 0);
    synthetic_pose(&s, cube, 6.186, 0, 0, 0.75, 0);
    synthetic_stand(&s, s.table, cube, 0, 3, CUBE_WEIGHT);
    synthetic_contact(&s, s.table, cube, 6.186, -1, 1.8, 0, 0, CUBE_WEIGHT, 0, 0, 1);
    synthetic_grasp(&s, cube, 2, 6, 10);
    s.top = synthetic_task(&s, 0, "seq", "plan", "[within(a(cube), place_1)]", 0, 8, "failed");
    int64_t move = synthetic_task(&s, s.top, "move_arm", "plan/move", NULL, 2.2, 7.5, "done");
    synthetic_operation(&s, move, "move_arm", s.hand, NULL, NULL, 2.2, 7.5);
    record f = {.kind = RECORD_FAILURE, .id = sink_id(s.sink, RECORD_FAILURE)};
    f.FAILURE = (struct record_FAILURE){.task = s.top,
                                        .t_ns = S_TO_NS(8),
                                        .class = "goal_not_achieved",
                                        .reason = "the cube is gone"};
    synthetic_put(&s, &f);
    synthetic_end(&s, 10);
    return s;
}

static ask *open_log(const synthetic *s) {
    ask *a = NULL;
    errors list = {0};
    if (ask_open(s->path, 0, FORESEE_SOURCE_DIR "/predicates", NULL, 0, &a, &list) != OK)
        fail_msg("%s:%d: %s", list.items[0].file, list.items[0].line, list.items[0].text);
    return a;
}

static void says(const text_buffer *b, const char *what) {
    if (!strstr(b->items, what))
        fail_msg("'%s' is not in:\n%s", what, b->items);
}

static void the_root_comes_first_and_names_what_followed(void **state) {
    (void)state;
    synthetic s = episode();
    ask *a = open_log(&s);
    diagnosis *d = NULL;
    error err = {0};
    if (diagnosis_make(a, &d, &err) != OK)
        fail_msg("%s", err.text);
    assert_int_equal(diagnosis_count(d), 3);
    const flaw *first = diagnosis_flaw(d, 0), *second = diagnosis_flaw(d, 1),
               *third = diagnosis_flaw(d, 2);
    assert_string_equal(first->name, "slipped");
    assert_true(first->root);
    assert_string_equal(first->bodies[0], "cube_1");
    assert_string_equal(first->bodies[1], "robot_hand");
    assert_string_equal(first->task.path, "plan/move");
    assert_string_equal(first->agent, "robot");
    assert_string_equal(second->name, "dropped_in_transit");
    assert_false(second->root);
    assert_int_equal(second->cause_count, 1);
    assert_int_equal(second->causes[0], first->id);
    assert_string_equal(third->name, "never_achieved");
    assert_int_equal(third->causes[0], second->id);
    text_buffer text = {0};
    diagnosis_text(d, false, &text);
    array_push(&text, '\0');
    says(&text, "cube_1 slipped in robot_hand");
    says(&text, "(threshold 5 mm)");
    says(&text, "because of 2");
    says(&text, "plan.yaml:12");
    assert_null(strchr(text.items, '\033'));
    text_buffer json = {0};
    diagnosis_json(d, &json);
    array_push(&json, '\0');
    says(&json, "\"name\": \"slipped\", \"root\": true, \"recovered\": false, \"caused_by\": []");
    says(&json, "\"verdict\": \"unverified\"");
    says(&json, "\"drift_threshold\": 0.005");
    says(&json, "\"bodies\": [\"cube_1\", \"robot_hand\"]");
    says(&json, "\"file\": \"plan.yaml\", \"line\": 12");
    array_finish(&text);
    array_finish(&json);
    diagnosis_free(d);
    bool succeeded = true;
    assert_int_equal(outcome_judge(a, &succeeded, &err), OK);
    assert_false(succeeded);
    ask_close(a);
    synthetic_remove(&s);
}

// The same episode twice in one log: rows are numbered on, what people read is not.
static void an_episode_reads_the_same_among_others(void **state) {
    (void)state;
    synthetic s = episode();
    char *both = testlib_path(s.folder, "both.db");
    error err = {0};
    assert_int_equal(log_merge(both, s.path, &err), OK);
    assert_int_equal(log_merge(both, s.path, &err), OK);
    text_buffer texts[2] = {0};
    for (int i = 0; i < 2; i++) {
        ask *a = NULL;
        errors list = {0};
        assert_int_equal(
            ask_open(both, i + 1, FORESEE_SOURCE_DIR "/predicates", NULL, 0, &a, &list), OK);
        diagnosis *d = NULL;
        assert_int_equal(diagnosis_make(a, &d, &err), OK);
        assert_int_equal(diagnosis_flaw(d, 0)->task.id, 2);
        assert_string_equal(diagnosis_flaw(d, 0)->task.path, "plan/move");
        diagnosis_text(d, false, &texts[i]);
        array_push(&texts[i], '\0');
        diagnosis_free(d);
        ask_close(a);
    }
    says(&texts[1], "episode 2: failed");
    says(&texts[1], "task 2, move_arm");
    // All but the heading.
    assert_string_equal(strchr(texts[0].items, '\n'), strchr(texts[1].items, '\n'));
    array_finish(&texts[0]);
    array_finish(&texts[1]);
    free(both);
    synthetic_remove(&s);
}

static void the_tree_shows_status_duration_and_failure(void **state) {
    (void)state;
    synthetic s = episode();
    text_buffer out = {0};
    size_t tasks = 0;
    error err = {0};
    assert_int_equal(tree_text(s.path, 0, &out, &tasks, &err), OK);
    array_push(&out, '\0');
    assert_int_equal(tasks, 2);
    says(&out, "goal_not_achieved: the cube is gone");
    says(&out, "5.30 s  done");
    out.count = 0;
    assert_int_equal(tree_json(s.path, 1, &out, &tasks, &err), OK);
    array_push(&out, '\0');
    says(&out, "\"class\": \"goal_not_achieved\"");
    says(&out, "\"duration\": 5.3");
    assert_int_equal(tree_text(s.path, 7, &out, &tasks, &err), E_INPUT);
    array_finish(&out);
    synthetic_remove(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_root_comes_first_and_names_what_followed),
        cmocka_unit_test(an_episode_reads_the_same_among_others),
        cmocka_unit_test(the_tree_shows_status_duration_and_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
