// tests/report/test_verify.c - the verdict of re-runs on a suspected cause.
#include "report/diagnosis/verify.h"
#include "tests/predicates/synthetic.h"

static const char *verdict(const char *change, bool answered, bool gone, int placebos, int still) {
    flaw_verification v = {
        .change = change, .stream = "laser", .gone = gone, .placebos = placebos, .still = still};
    return verify_verdict(&v, answered);
}

static void a_cause_is_verified_when_the_flaw_goes_with_it_and_stays_with_placebos(void **state) {
    (void)state;
    assert_string_equal(verdict("firm_grip", true, true, 5, 5), "verified");
    assert_string_equal(verdict("firm_grip", true, true, 5, 4), "verified");
    assert_string_equal(verdict("firm_grip", true, true, 5, 3), "unverified");
    assert_string_equal(verdict("firm_grip", true, true, 5, 0), "unverified");
}

static void a_flaw_that_stays_without_the_cause_refutes_it(void **state) {
    (void)state;
    assert_string_equal(verdict("firm_grip", true, false, 0, 0), "refuted");
    assert_string_equal(verdict("firm_grip", true, false, 5, 5), "refuted");
}

static void without_an_answer_or_a_cause_nothing_is_said(void **state) {
    (void)state;
    assert_string_equal(verdict(NULL, false, false, 0, 0), "untestable");
    assert_string_equal(verdict("firm_grip", false, false, 0, 0), "unverified");
    // Four placebos of which all show the flaw: the fifth gave no answer.
    assert_string_equal(verdict("firm_grip", true, true, 4, 4), "unverified");
}

// ---- Whether a re-run came to what the flaw is about

// A flaw of a step of a library, 2 s after that had begun; and one of an unnamed step of the plan.
static const flaw FLAW = {.name = "slipped",
                          .start = 14 * NANOS_PER_SECOND,
                          .end = 15 * NANOS_PER_SECOND,
                          .task = {.row = 3,
                                   .id = 3,
                                   .at = {"top/bring/fetch/do/raise", "move_arm", "lib.yaml", 7},
                                   .call = {"top/bring", "achieve", "plan.yaml", 3},
                                   .start = 12 * NANOS_PER_SECOND,
                                   .end = 15 * NANOS_PER_SECOND}};
static const flaw NUMBERED = {.name = "missed_detection",
                              .start = 3 * NANOS_PER_SECOND,
                              .end = 4 * NANOS_PER_SECOND,
                              .task = {.row = 2,
                                       .id = 2,
                                       .at = {"top/seq[2]", "detect", "plan.yaml", 4},
                                       .call = {"top/seq[2]", "detect", "plan.yaml", 4},
                                       .start = 2 * NANOS_PER_SECOND,
                                       .end = 4 * NANOS_PER_SECOND}};

typedef struct run_task {
    const char *construct, *path;
    double start, end;
    const char *status;
} run_task;

// Returns why the absence of the flaw from a re-run with these tasks proves nothing; "": it proves
// something.
static const char *why_not(const flaw *f, const char *change, bool ruins, const char *outcome,
                           const run_task *tasks, size_t count) {
    synthetic s = synthetic_begin();
    for (size_t i = 0; i < count; i++)
        synthetic_task(&s, i ? s.top : 0, tasks[i].construct, tasks[i].path, NULL, tasks[i].start,
                       tasks[i].end, tasks[i].status);
    synthetic_end(&s, 30);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(s.path, &db), SQLITE_OK);
    char *sql = sqlite3_mprintf("UPDATE episode SET outcome = %Q", outcome);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_free(sql);
    sqlite3_close(db);
    ask *a = NULL;
    errors list = {0};
    error err = {0};
    arena *memory = arena_create();
    const term *t = NULL;
    const char *why = NULL;
    assert_int_equal(ask_open(s.path, 0, FORESEE_SOURCE_DIR "/predicates", NULL, 0, &a, &list), OK);
    assert_int_equal(term_parse(memory, "change", change, strlen(change), 1, 1, &t, &err), OK);
    if (verify_could(a, f, t, ruins, &why, &err) != OK)
        fail_msg("%s", err.text);
    arena_destroy(memory);
    ask_close(a);
    synthetic_remove(&s);
    return why ? why : "";
}
#define WHY_NOT(f, change, outcome, ...) WHY_NOT_OF(f, change, false, outcome, __VA_ARGS__)
#define WHY_NOT_OF(f, change, ruins, outcome, ...)                                                 \
    why_not(f, change, ruins, outcome, (const run_task[]){__VA_ARGS__},                            \
            sizeof((const run_task[]){__VA_ARGS__}) / sizeof(run_task))
#define LOOK_FIRST "edits([[insert_before(\"top/bring\"), step([perceive([a([type(cup)])])])]])"

static void a_run_that_came_to_the_step_and_as_far_in_it_could_have_shown_the_flaw(void **state) {
    (void)state;
    assert_string_equal(WHY_NOT(&FLAW, "firm_grip", "failed", {"seq", "top", 0, 20, "failed"},
                                {"move_arm", "top/bring/fetch/do/raise", 10, 11, "done"}),
                        "");
    assert_string_equal(WHY_NOT(&FLAW, "firm_grip", "failed", {"seq", "top", 0, 20, "failed"},
                                {"move_arm", "top/bring/fetch/do/raise", 10, 12.5, "failed"}),
                        "");
    // By another way through the library, to the end of the plan's own step.
    assert_string_equal(WHY_NOT(&FLAW, "firm_grip", "failed", {"seq", "top", 0, 20, "failed"},
                                {"achieve", "top/bring", 8, 19, "done"}),
                        "");
    assert_string_equal(WHY_NOT(&FLAW, "firm_grip", "succeeded", {"seq", "top", 0, 20, "done"}),
                        "");
}

// The plan failed of the flaw. Without the suspected cause the flaw is gone, and the plan's own
// step fails all the same: that cause was not it.
static void
a_run_that_fails_in_the_same_step_proves_nothing_of_a_flaw_that_failed_the_plan(void **state) {
    (void)state;
    assert_string_equal(WHY_NOT_OF(&FLAW, "firm_grip", true, "failed",
                                   {"seq", "top", 0, 20, "failed"},
                                   {"achieve", "top/bring", 8, 19, "failed"},
                                   {"move_arm", "top/bring/fetch/do/raise", 10, 11, "done"}),
                        "without it the plan fails all the same, in the same step");
    // What had failed of the flaw is achieved now, and something else fails later; or not even
    // that.
    flaw taking = FLAW;
    taking.task.goal = (flaw_place){"top/bring/fetch", "achieve", "lib.yaml", 5};
    for (int done = 0; done < 2; done++)
        assert_string_equal(
            WHY_NOT_OF(&taking, "firm_grip", true, "failed", {"seq", "top", 0, 20, "failed"},
                       {"achieve", "top/bring", 8, 19, "failed"},
                       {"achieve", "top/bring/fetch", 8, 12, done ? "done" : "failed"},
                       {"move_arm", "top/bring/fetch/do/raise", 10, 11, "done"}),
            done ? "" : "without it the plan fails all the same, in the same step");
    // It fails later, in another step; or succeeds.
    assert_string_equal(WHY_NOT_OF(&FLAW, "firm_grip", true, "failed",
                                   {"seq", "top", 0, 20, "failed"},
                                   {"achieve", "top/bring", 8, 12, "done"}),
                        "");
    assert_string_equal(
        WHY_NOT_OF(&FLAW, "firm_grip", true, "succeeded", {"seq", "top", 0, 20, "done"}), "");
}

static void a_run_that_ended_before_says_nothing(void **state) {
    (void)state;
    const char *changes[] = {"firm_grip", LOOK_FIRST};
    for (int i = 0; i < 2; i++) {
        assert_string_equal(WHY_NOT(&FLAW, changes[i], "failed", {"seq", "top", 0, 9, "failed"},
                                    {"perceive", "top/seq[1]", 1, 9, "failed"}),
                            "the re-run ended before it came to this step");
        // The plan's own step was begun, but not that of the library.
        assert_string_equal(WHY_NOT(&FLAW, changes[i], "failed", {"seq", "top", 0, 19, "failed"},
                                    {"achieve", "top/bring", 1, 19, "failed"}),
                            "the re-run ended before it came to this step");
        assert_string_equal(WHY_NOT(&FLAW, changes[i], "failed", {"seq", "top", 0, 9, "failed"},
                                    {"move_arm", "top/bring/fetch/do/raise", 8, 9, "failed"}),
                            "the re-run came to this step, but did not get as far in it");
    }
}

static void a_change_that_takes_the_step_away_says_nothing_however_the_run_ended(void **state) {
    (void)state;
    static const char *const takes[] = {
        "edits([[delete(\"top/bring\")]])", "edits([[delete(\"top/bring@2/fetch\")]])",
        "edits([[delete(\"fetch/do\")]])", // of a routine, by its own name
        "edits([[set_parameter(speed), value(1)], [replace(\"top/bring\"), step([log(a)])]])",
        "[no_events, edits([[delete(\"top\")]])]"};
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++)
        assert_string_equal(WHY_NOT(&FLAW, takes[i], "succeeded", {"seq", "top", 0, 20, "done"}),
                            "the change takes the flaw's own step out of the plan");
    static const char *const leaves[] = {
        "edits([[delete(\"top/bring_it\")]])", "edits([[delete(\"top/brin\")]])",
        "edits([[delete(\"top/see\")]])", "edits([[delete(\"top/bring/fetch/do/raise/more\")]])"};
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++)
        assert_string_equal(WHY_NOT(&FLAW, leaves[i], "succeeded", {"seq", "top", 0, 20, "done"}),
                            "");
}

// Wrapped, a step has another path; beside a new one, another number.
static void a_step_is_found_where_the_edits_have_put_it(void **state) {
    (void)state;
    static const char wrap[] = "edits([[wrap(\"top/bring\"), in([on_failure([retry(1)])])]])";
    assert_string_equal(WHY_NOT(&FLAW, wrap, "failed", {"seq", "top", 0, 20, "failed"},
                                {"move_arm", "top/seq[4]/bring/fetch/do/raise", 10, 11, "done"}),
                        "");
    // Without an edit that moves steps this is another step.
    assert_string_equal(WHY_NOT(&FLAW, "edits([[set_parameter(speed), value(1)]])", "failed",
                                {"seq", "top", 0, 20, "failed"},
                                {"move_arm", "top/seq[4]/bring/fetch/do/raise", 10, 11, "done"}),
                        "the re-run ended before it came to this step");
    static const char before[] = "edits([[insert_before(\"top/seq[2]\"), step([localise])]])";
    assert_string_equal(WHY_NOT(&NUMBERED, before, "failed", {"seq", "top", 0, 20, "failed"},
                                {"localise", "top/seq[2]", 2, 8, "failed"}),
                        "the re-run ended before it came to this step");
    assert_string_equal(WHY_NOT(&NUMBERED, before, "failed", {"seq", "top", 0, 20, "failed"},
                                {"localise", "top/seq[2]", 2, 3, "done"},
                                {"detect", "top/seq[3]", 3, 5, "done"}),
                        "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cause_is_verified_when_the_flaw_goes_with_it_and_stays_with_placebos),
        cmocka_unit_test(a_flaw_that_stays_without_the_cause_refutes_it),
        cmocka_unit_test(without_an_answer_or_a_cause_nothing_is_said),
        cmocka_unit_test(a_run_that_came_to_the_step_and_as_far_in_it_could_have_shown_the_flaw),
        cmocka_unit_test(
            a_run_that_fails_in_the_same_step_proves_nothing_of_a_flaw_that_failed_the_plan),
        cmocka_unit_test(a_run_that_ended_before_says_nothing),
        cmocka_unit_test(a_change_that_takes_the_step_away_says_nothing_however_the_run_ended),
        cmocka_unit_test(a_step_is_found_where_the_edits_have_put_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
