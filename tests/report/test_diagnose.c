// tests/report/test_diagnose.c - the diagnosis of a known episode, as text and as JSON; the tree of
// its tasks.
#include "report/diagnosis/diagnosis.h"
#include "report/diagnosis/outcome.h"
#include "report/tree.h"
#include "tests/predicates/synthetic.h"

// The cube slips, and the plan fails for it.
static synthetic episode(void) {
    synthetic s = synthetic_begin();
    synthetic_slip(&s, "plan", "failed");
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
    if (diagnosis_create(a, &d, &err) != OK)
        fail_msg("%s", err.text);
    assert_int_equal(diagnosis_count(d), 3);
    const flaw *first = diagnosis_flaw(d, 0), *second = diagnosis_flaw(d, 1),
               *third = diagnosis_flaw(d, 2);
    assert_string_equal(first->name, "slipped");
    assert_true(first->root);
    assert_string_equal(first->bodies[0], "cube_1");
    assert_string_equal(first->bodies[1], "robot_hand");
    assert_string_equal(first->task.at.path, "plan/move");
    assert_string_equal(first->agent, "robot");
    assert_string_equal(second->name, "dropped_in_transit");
    assert_false(second->root);
    assert_int_equal(second->cause_count, 1);
    assert_int_equal(second->causes[0], first->id);
    assert_string_equal(third->name, "never_achieved");
    assert_int_equal(third->causes[0], second->id);
    text_buffer text = {0};
    diagnosis_text(d, false, 0, &text);
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
    diagnosis_destroy(d);
    bool succeeded = true;
    assert_int_equal(outcome_judge(a, &succeeded, &err), OK);
    assert_false(succeeded);
    ask_close(a);
    synthetic_remove(&s);
}

static diagnosis *diagnose(const char *path, const char *rules, ask **asked) {
    errors list = {0};
    error err = {0};
    diagnosis *d = NULL;
    if (ask_open(path, 0, FORESEE_SOURCE_DIR "/predicates", &rules, rules != NULL, asked, &list) !=
        OK)
        fail_msg("%s:%d: %s", list.items[0].file, list.items[0].line, list.items[0].text);
    if (diagnosis_create(*asked, &d, &err) != OK)
        fail_msg("%s", err.text);
    return d;
}

static text_buffer printed(const diagnosis *d, void (*print)(const diagnosis *, text_buffer *)) {
    text_buffer b = {0};
    print(d, &b);
    array_push(&b, '\0');
    return b;
}

static void print_text(const diagnosis *d, text_buffer *out) {
    diagnosis_text(d, false, 0, out);
}

// Two flaws that a user defines: one without a sentence, with two suggestions of which one is no
// edit; one with a sentence, a unit and a time.
static void a_flaw_of_ones_own_reads_and_suggests_like_the_others(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    record plan = {.kind = RECORD_SOURCE, .id = sink_id(s.sink, RECORD_SOURCE)};
    plan.SOURCE = (struct record_SOURCE){.kind = "plan",
                                         .name = "plan.yaml",
                                         .text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nbody:\n"
                                                 "  - move_arm: here\n    speed: 1\n  - log: x\n"};
    synthetic_put(&s, &plan);
    s.top = synthetic_task(&s, 0, "seq", "plan", NULL, 0, 8, "done");
    synthetic_task(&s, s.top, "move_arm", "plan/move", NULL, 2, 7.5, "done");
    synthetic_end(&s, 10);
    char *rules = testlib_write(
        s.folder, "own.dl",
        ":- declare flaw(odd(task: task)) \"Odd.\".\n"
        "flaw(odd(T)) :- task_construct(T, move_arm).\n"
        "flaw_task(odd(T), T) :- flaw(odd(T)).\n"
        "flaw_time(odd(T), S, E) :- flaw(odd(T)), task_start(T, S), task_end(T, E).\n"
        "flaw_suggests(odd(T), wait, [[insert_before(P), step([wait([seconds(3)])])]]) :- "
        "flaw(odd(T)), task_path(T, P).\n"
        "flaw_suggests(odd(T), wrong, [[delete(P), delete(P)]]) :- flaw(odd(T)), task_path(T, P).\n"
        ":- declare flaw(late(task: task)) \"Late.\".\n"
        "flaw(late(T)) :- task_construct(T, move_arm).\n"
        "flaw_sentence(late, \"late by $far_lag, since $began, for $nobody\").\n"
        "flaw_evidence(late(T), far_lag, 0.25) :- flaw(late(T)).\n"
        "flaw_evidence(late(T), far_lag_threshold, 0.1) :- flaw(late(T)).\n"
        "flaw_evidence(late(T), began, S) :- flaw(late(T)), task_start(T, S).\n"
        "evidence_unit(lag, cm, 100).\nevidence_unit(far_lag, dm, 10).\n");
    ask *a = NULL;
    diagnosis *d = diagnose(s.path, rules, &a);
    assert_int_equal(diagnosis_count(d), 2);
    text_buffer text = printed(d, print_text), json = printed(d, diagnosis_json);
    says(&text, "odd: odd(2), 2.00 to 7.50 s");
    says(&text, "try wait: insert wait before plan/move");
    says(&text, ">   12 | - move_arm: here\n");
    says(&text, "     13 |   speed: 1\n");
    assert_null(strstr(text.items, "log: x"));
    assert_null(strstr(text.items, "try wrong"));
    // The longest ending gives the unit; a time needs none; a flaw without a sentence has a name.
    says(&text, "late by 2.5 dm, since 2.00 s, for something");
    says(&text, "far lag 2.5 dm (threshold 1 dm)");
    says(&json, "{ \"rule\": \"wait\", \"edits\": [{\"insert_before\": \"plan/move\", \"step\": "
                "{\"wait\": {\"seconds\": 3}}}] }");
    assert_null(strstr(json.items, "\"rule\": \"wrong\""));
    // The author of the rules is told once.
    assert_int_equal(diagnosis_notes(d), 1);
    assert_string_equal(diagnosis_note(d, 0),
                        "the suggestion 'wrong' of odd is left out: an edit gives 'delete' twice");
    array_finish(&text);
    array_finish(&json);
    diagnosis_destroy(d);
    ask_close(a);
    free(rules);
    synthetic_remove(&s);
}

static void a_verdict_stands_beside_its_flaw(void **state) {
    (void)state;
    synthetic s = episode();
    ask *a = NULL;
    diagnosis *d = diagnose(s.path, NULL, &a);
    diagnosis_judge(d, 0, "verified",
                    &(flaw_verification){"firm_grip", "camera", true, 5, 4, NULL});
    diagnosis_judge(d, 1, "untestable", &(flaw_verification){.note = NULL});
    text_buffer text = printed(d, print_text), json = printed(d, diagnosis_json);
    says(&text, "verified: gone with firm_grip, still there in 4 of 5 placebos (camera)");
    says(&text, "untestable: no intervention removes its cause");
    says(&json,
         "\"verdict\": \"verified\",\n      \"verification\": { \"change\": \"firm_grip\", "
         "\"stream\": \"camera\", \"gone\": true, \"placebos\": 5, \"still\": 4, \"note\": null }");
    says(&json, "\"verdict\": \"unverified\"");
    array_finish(&text);
    array_finish(&json);
    diagnosis_destroy(d);
    ask_close(a);
    synthetic_remove(&s);
}

// Bodies, lists and flaws that begin together stand in the order of the log, whatever they are
// called.
static void names_of_bodies_play_no_part_in_any_order(void **state) {
    (void)state;
    static const char *const names[2][2] = {{"a_cup", "z_cup"}, {"z_cup", "a_cup"}};
    for (int turn = 0; turn < 2; turn++) {
        synthetic s = synthetic_begin();
        for (int i = 0; i < 2; i++) {
            int64_t cup = synthetic_cube(&s, names[turn][i], i, 0, 0.75);
            synthetic_pose(&s, cup, 0, i, 0, 0.75, 0);
        }
        s.top = synthetic_task(&s, 0, "seq", "plan", NULL, 0, 8, "done");
        synthetic_end(&s, 10);
        char *rules = testlib_write(s.folder, "own.dl",
                                    ":- declare flaw(odd(object: object)) \"Odd.\".\n"
                                    "flaw(odd(O)) :- free_body(O).\n"
                                    "flaw_body(odd(O), B) :- flaw(odd(O)), free_body(B).\n"
                                    "flaw_evidence(odd(O), all, L) :- flaw(odd(O)), "
                                    "L = list { B : free_body(B) }.\n");
        ask *a = NULL;
        diagnosis *d = diagnose(s.path, rules, &a);
        assert_int_equal(diagnosis_count(d), 2);
        for (size_t i = 0; i < 2; i++) {
            const flaw *f = diagnosis_flaw(d, i);
            assert_string_equal(f->term->args[0]->text, names[turn][i]);
            assert_int_equal(f->body_count, 2);
            assert_string_equal(f->bodies[0], names[turn][i]);
            assert_string_equal(f->bodies[1], names[turn][1 - i]);
            assert_string_equal(term_list_item(f->evidence[0].value, 0)->text, names[turn][0]);
        }
        diagnosis_destroy(d);
        ask_close(a);
        free(rules);
        synthetic_remove(&s);
    }
}

// The same episode twice in one log: ids of rows differ, the text does not.
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
        assert_int_equal(diagnosis_create(a, &d, &err), OK);
        assert_int_equal(diagnosis_flaw(d, 0)->task.id, 2);
        assert_string_equal(diagnosis_flaw(d, 0)->task.at.path, "plan/move");
        diagnosis_text(d, false, 0, &texts[i]);
        array_push(&texts[i], '\0');
        diagnosis_destroy(d);
        ask_close(a);
    }
    says(&texts[1], "episode 2: failed");
    says(&texts[1], "task 2, move_arm");
    // All but the heading, and how to ask for its suggestions.
    for (int i = 0; i < 2; i++) {
        says(&texts[i], "\nTo try a suggestion");
        *strstr(texts[i].items, "\nTo try a suggestion") = 0;
    }
    assert_string_equal(strchr(texts[0].items, '\n'), strchr(texts[1].items, '\n'));
    array_finish(&texts[0]);
    array_finish(&texts[1]);
    free(both);
    synthetic_remove(&s);
}

static void a_diagnosis_is_known_by_its_beginning(void **state) {
    (void)state;
    synthetic s = episode();
    ask *a = NULL;
    diagnosis *all[2] = {diagnose(s.path, NULL, &a), diagnosis_of_nothing("x.db")};
    for (int i = 0; i < 2; i++) {
        text_buffer text = printed(all[i], print_text), json = printed(all[i], diagnosis_json);
        assert_true(diagnosis_begins(text.items, text.count - 1));
        assert_true(diagnosis_begins(json.items, json.count - 1));
        diagnosis_destroy(all[i]);
        array_finish(&text);
        array_finish(&json);
    }
    static const char *const others[] = {
        "plan: p\nbody:\n  - log: x\n",
        "# of p.yaml, seed 3\n",
        "{ \"schema\": 1 }",
        "<!DOCTYPE html>\n<html><title>mine</title>",
        "a\np, seed 1, episode 1: failed\n",
        "p, seed 1 or 2, episode 1: failed\n",
        "[",
        "\n",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(diagnosis_begins(others[i], strlen(others[i])));
    ask_close(a);
    synthetic_remove(&s);
}

static void the_tree_shows_status_duration_and_failure(void **state) {
    (void)state;
    synthetic s = episode();
    text_buffer out = {0};
    size_t tasks = 0;
    error err = {0};
    assert_int_equal(tree_text(s.path, 0, (tree_choice){0}, &out, &tasks, &err), OK);
    array_push(&out, '\0');
    assert_int_equal(tasks, 2);
    says(&out, "goal_not_achieved: the cube is gone");
    says(&out, "5.30 s  done");
    out.count = 0;
    assert_int_equal(tree_json(s.path, 1, &out, &tasks, &err), OK);
    array_push(&out, '\0');
    says(&out, "\"class\": \"goal_not_achieved\"");
    says(&out, "\"duration\": 5.3");
    assert_int_equal(tree_text(s.path, 7, (tree_choice){0}, &out, &tasks, &err), E_INPUT);
    array_finish(&out);
    synthetic_remove(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_root_comes_first_and_names_what_followed),
        cmocka_unit_test(a_flaw_of_ones_own_reads_and_suggests_like_the_others),
        cmocka_unit_test(a_verdict_stands_beside_its_flaw),
        cmocka_unit_test(names_of_bodies_play_no_part_in_any_order),
        cmocka_unit_test(an_episode_reads_the_same_among_others),
        cmocka_unit_test(a_diagnosis_is_known_by_its_beginning),
        cmocka_unit_test(the_tree_shows_status_duration_and_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
