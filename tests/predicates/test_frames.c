// tests/predicates/test_frames.c - tasks printed as Figure 6 of Moesenlechner & Beetz 2009, what
// descriptions stood for, why policies fired, and failures that are attached to others.
#include "base/text/text.h"
#include "tests/predicates/asking.h"

static int64_t put_task(synthetic *s, int64_t parent, const char *construct, const char *path,
                        const char *dynamic_path, const char *expr, double start, double end) {
    record r = {.kind = RECORD_TASK, .id = sink_id(s->sink, RECORD_TASK)};
    r.TASK = (struct record_TASK){.agent = s->agent,
                                  .parent = parent,
                                  .construct = construct,
                                  .path = path,
                                  .dynamic_path = dynamic_path,
                                  .expr = expr,
                                  .file = "plan.yaml",
                                  .line = 1,
                                  .start_ns = S_TO_NS(start),
                                  .end_ns = S_TO_NS(end),
                                  .status = "done"};
    synthetic_put(s, &r);
    return r.id;
}

static void put_status(synthetic *s, int64_t task, const char *name, double t) {
    record r = {.kind = RECORD_TASK_STATUS, .id = sink_id(s->sink, RECORD_TASK_STATUS)};
    r.TASK_STATUS = (struct record_TASK_STATUS){.task = task, .t_ns = S_TO_NS(t), .status = name};
    synthetic_put(s, &r);
}

static void put_value(synthetic *s, int64_t owner, const char *name, const char *value, int64_t by,
                      const char *point, double t) {
    record r = {.kind = RECORD_VARIABLE, .id = sink_id(s->sink, RECORD_VARIABLE)};
    r.VARIABLE = (struct record_VARIABLE){.agent = s->agent,
                                          .task = owner,
                                          .name = name,
                                          .value = value,
                                          .t_ns = S_TO_NS(t),
                                          .by = by,
                                          .point = point};
    synthetic_put(s, &r);
}

static int64_t put_choice(synthetic *s, int64_t task, const char *what, int64_t designator,
                          const char *chosen, const char *candidates, double t) {
    record r = {.kind = RECORD_CHOICE, .id = sink_id(s->sink, RECORD_CHOICE)};
    r.CHOICE = (struct record_CHOICE){.task = task,
                                      .t_ns = S_TO_NS(t),
                                      .what = what,
                                      .question = "asked",
                                      .chosen = chosen,
                                      .candidates = candidates,
                                      .reason = "nearer",
                                      .designator = designator};
    synthetic_put(s, &r);
    return r.id;
}

// The lines of a frame, each with its end.
static char *lines(asking *q, const char *query) {
    ask_rows rows = asking_rows(q, query);
    text_buffer out = {0};
    for (size_t r = 0; r < ask_count(&rows); r++)
        text_add(&out, "%s\n", ask_at(&rows, r, rows.columns - 1)->term->text);
    char *all = arena_copy(q->arena, out.items ? out.items : "", out.count);
    array_finish(&out);
    array_finish(&rows.values);
    return all;
}

#define same(q, query, expected) same_at(q, query, expected, __FILE__, __LINE__)
static void same_at(asking *q, const char *query, const char *expected, const char *file,
                    int line) {
    const char *got = lines(q, query);
    if (strcmp(got, expected) != 0)
        fail_msg("%s:%d: %s\nexpected:\n%sgot:\n%s", file, line, query, expected, got);
}

// The task of the figure, with instants before and behind it.
static synthetic figure(void) {
    synthetic s = synthetic_begin();
    int64_t t[8];
    for (int i = 1; i <= 5; i++) {
        t[i] = put_task(&s, i > 1 ? t[i - 1] : 0, "seq", "p", "p", "seq", i, 20);
        put_status(&s, t[i], "created", i);
        put_status(&s, t[i], "active", i + 5 > 9 ? 9 : i + 5);
    }
    put_value(&s, t[4], "obs", "[]", t[4], "begin", 9);
    t[6] = put_task(&s, t[4], "achieve", "policy_primary/step_node[1]/command[1]/step[2]",
                    "policy_primary/step_node[1]@2/command[1]/step[2]",
                    "achieve(object_carried(des#17))", 10, 13);
    put_status(&s, t[6], "created", 10);
    put_status(&s, t[6], "active", 10);
    t[7] = put_task(&s, t[6], "perceive", "p", "p", "perceive", 11, 12);
    put_status(&s, t[7], "created", 11);
    put_status(&s, t[7], "done", 12);
    put_value(&s, t[4], "obs", "[des#17, des#18]", t[7], "end", 12);
    put_status(&s, t[6], "done", 13);
    synthetic_end(&s, 20);
    return s;
}

static void figure_6_is_printed_character_for_character(void **state) {
    (void)state;
    synthetic s = figure();
    asking q = asking_open(&s);
    same(&q, "frame(6, N, Line).",
         "TASK T-6\n"
         "  SUPERTASK          T-4\n"
         "  TASK-EXPR          (ACHIEVE (OBJECT-CARRIED DES-17))\n"
         "  TASK-CODE-PATH     ((POLICY-PRIMARY) (STEP-NODE 1)\n"
         "                     (COMMAND 1) (STEP 2))\n"
         "  TASK-ENVIRONMENT  OBS (BEGIN-TASK T-4) ()\n"
         "                     (END-TASK T-7) (DES-17 DES-18)\n"
         "  TASK-STATUS       TI10 CREATED      TI10 ACTIVE\n"
         "                   TI13 DONE\n");
    same(&q, "full_frame(6, at(4, 1, 0), Line).",
         "  TASK-DYNAMIC-PATH  ((POLICY-PRIMARY) (STEP-NODE 1 @2)\n");
    once(&q, "task_instant(10, T).", 1e-9, 10);
    once(&q, "task_instant(13, T).", 1e-9, 13);
    asking_close(&q);
    synthetic_remove(&s);
}

static void instants_are_seconds_where_that_is_asked_for(void **state) {
    (void)state;
    synthetic s = figure();
    char *mine = testlib_write(s.folder, "mine.dl",
                               "frame_option(instants, seconds).\nframe_column(task_status, 21, "
                               "21).\n");
    const char *more[] = {mine};
    asking q = {.arena = arena_create()};
    errors list = {0};
    assert_int_equal(ask_open(s.path, 0, FORESEE_SOURCE_DIR "/predicates", more, 1, &q.ask, &list),
                     OK);
    same(&q, "frame(6, at(6, 1, 0), Line).",
         "  TASK-STATUS        10.0 CREATED      10.0 ACTIVE\n");
    same(&q, "frame(6, at(6, 3, 0), Line).", "                     13.0 DONE\n");
    asking_close(&q);
    free(mine);
    synthetic_remove(&s);
}

// The top task and a let around an achieve, which enters a routine; within that a let hides a
// variable of the routine.
static void the_environment_ends_at_the_routine_whose_body_it_is(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t top = put_task(&s, 0, "seq", "top", "top", "seq", 0, 10);
    put_value(&s, top, "outer", "1", top, "begin", 0);
    int64_t let = put_task(&s, top, "let", "top/let", "top/let", "let(?x, 2)", 1, 9);
    put_value(&s, let, "x", "2", let, "begin", 1);
    int64_t call = put_task(&s, let, "achieve", "top/let/in", "top/let/in", "achieve(g(2))", 2, 8);
    put_choice(&s, call, "routine", 0, "do_g", "[do_g]", 2);
    put_value(&s, call, "x", "routine", call, "begin", 2);
    int64_t body = put_task(&s, call, "seq", "top/let/in/do_g", "top/let/in/do_g", "seq", 3, 7);
    int64_t inner = put_task(&s, body, "let", "a/b", "a/b", "let", 4, 6);
    put_value(&s, inner, "x", "inner", inner, "begin", 4);
    put_value(&s, inner, "x", "later", inner, "end", 5);
    for (int64_t t = top; t <= inner; t++)
        put_status(&s, t, "created", (double)t);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    assert_int_equal(asking_count(&q, "environment(1, Name, Value, From, V)."), 1);
    yes(&q, "environment(2, outer, 1, from(begin, 1), _V), environment(2, x, 2, _F, _W).");
    // The call stands in its caller's scope, and has the routine's variables.
    yes(&q, "environment(3, outer, 1, _F, _V), environment(3, x, routine, from(begin, 3), _W).");
    no(&q, "environment(3, x, 2, _F, _V).");
    assert_int_equal(asking_count(&q, "environment(4, Name, Value, From, V)."), 1);
    yes(&q, "environment(4, x, routine, _F, _V).");
    assert_int_equal(asking_count(&q, "environment(5, x, Value, From, V)."), 2);
    no(&q, "environment(5, outer, _X, _F, _V).");
    same(&q, "frame(1, at(1, 0, 0), Line).", "  SUPERTASK          ()\n");
    assert_int_equal(asking_count(&q, "frame(T, at(0, 0, 0), Line)."), 5);
    asking_close(&q);
    synthetic_remove(&s);
}

static int64_t put_designator(synthetic *s, const char *name, const char *kind, double t) {
    record r = {.kind = RECORD_DESIGNATOR, .id = sink_id(s->sink, RECORD_DESIGNATOR)};
    r.DESIGNATOR = (struct record_DESIGNATOR){.agent = s->agent,
                                              .name = name,
                                              .kind = kind,
                                              .description = "[type(cube)]",
                                              .task = s->top,
                                              .t_ns = S_TO_NS(t)};
    synthetic_put(s, &r);
    return r.id;
}

static void put_equation(synthetic *s, int64_t one, int64_t other, const char *solution,
                         const char *reason, double t) {
    record r = {.kind = RECORD_EQUATION, .id = sink_id(s->sink, RECORD_EQUATION)};
    r.EQUATION = (struct record_EQUATION){.designator = one,
                                          .other = other,
                                          .t_ns = S_TO_NS(t),
                                          .task = s->top,
                                          .solution = solution,
                                          .reason = reason};
    synthetic_put(s, &r);
}

static void a_description_stands_for_its_solution_until_the_next(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    int64_t one = synthetic_cube(&s, "cube_1", 0, 0, 0.75);
    int64_t cup = synthetic_believed(&s, "cup#1", 0, "cup", 1);
    synthetic_percept(&s, cup, one, 1);
    s.top = synthetic_task(&s, 0, "seq", "top", NULL, 0, 10, "done");
    int64_t a = put_designator(&s, "des#1", "object", 1);
    int64_t b = put_designator(&s, "des#2", "object", 1);
    int64_t c = put_designator(&s, "des#3", "object", 1);
    put_choice(&s, s.top, "object", a, "cup#1", "[cup#1, cup#2]", 2);
    put_choice(&s, s.top, "object", a, "cup#2", "[cup#2]", 5);
    put_equation(&s, b, a, "cup#2", "resolved", 6);
    put_equation(&s, c, 0, "cup#1", "stated", 7);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    once(&q, "refers_to(des#1, cup#1, interval(S, E)).", 1e-6, 2, 5);
    once(&q, "refers_to(des#1, cup#2, interval(S, E)).", 1e-6, 5, 10);
    once(&q, "refers_to(des#2, cup#2, interval(S, E)).", 1e-6, 6, 10);
    once(&q, "refers_to(des#3, cup#1, interval(S, E)).", 1e-6, 7, 10);
    once(&q, "refers_to_body(des#1, cube_1, interval(S, E)).", 1e-6, 2, 5);
    yes(&q, "same_as(des#1, des#2, _T), not same_as(des#1, des#3, _U).");
    yes(&q, "passed_over(des#1, cup#2, 2), not passed_over(des#1, cup#2, 5).");
    yes(&q, "designator(_I, robot, des#1, object, [type(cube)], 1).");
    asking_close(&q);
    synthetic_remove(&s);
}

static int64_t put_failure(synthetic *s, int64_t task, const char *class, int64_t cause,
                           int64_t attached, double t) {
    record r = {.kind = RECORD_FAILURE, .id = sink_id(s->sink, RECORD_FAILURE)};
    r.FAILURE = (struct record_FAILURE){.task = task,
                                        .t_ns = S_TO_NS(t),
                                        .class = class,
                                        .reason = "so",
                                        .cause = cause,
                                        .attached = attached};
    synthetic_put(s, &r);
    return r.id;
}

static void a_policy_fired_for_a_reason_and_what_its_recovery_did_is_no_root(void **state) {
    (void)state;
    synthetic s = synthetic_begin();
    s.top = synthetic_task(&s, 0, "with_policy", "top", NULL, 0, 10, "failed");
    int64_t recover = synthetic_task(&s, s.top, "seq", "top/recover", NULL, 4, 5, "failed");
    record pulse = {.kind = RECORD_PULSE, .id = sink_id(s.sink, RECORD_PULSE)};
    pulse.PULSE = (struct record_PULSE){
        .task = s.top, .t_ns = S_TO_NS(4), .number = 1, .reason = "gripper_force(left) = 2.0"};
    synthetic_put(&s, &pulse);
    int64_t met = put_failure(&s, s.top, "policy_condition_met", 0, 0, 4);
    int64_t late = put_failure(&s, recover, "navigation_goal_not_reached", 0, met, 5);
    synthetic_end(&s, 10);
    asking q = asking_open(&s);
    yes(&q, "policy_fired(T, 4, _Why), top_task(T).");
    yes(&q, "pulses(T, 1), top_task(T).");
    once(&q, "root_failure(F).", 0, (double)met);
    once(&q, "mishap_of(_T, F, Of).", 0, (double)late, (double)met);
    once(&q, "first_failure(_T, At).", 1e-9, 4);
    asking_close(&q);
    synthetic_remove(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_6_is_printed_character_for_character),
        cmocka_unit_test(instants_are_seconds_where_that_is_asked_for),
        cmocka_unit_test(the_environment_ends_at_the_routine_whose_body_it_is),
        cmocka_unit_test(a_description_stands_for_its_solution_until_the_next),
        cmocka_unit_test(a_policy_fired_for_a_reason_and_what_its_recovery_did_is_no_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
