// Models that somebody else compiled: FMUs of both versions in processes of their own, and what
// those processes and files can do wrong.
#include "tests/testlib.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "projector/ensemble/foreign/fmu.h"

#define STEP (NANOS_PER_SECOND / 10)

static foreign_options options_of(nanos answer) {
    foreign_options o = foreign_options_within(NAN);
    if (answer)
        o.answer = answer;
    return o;
}

static char *fixture_path(const char *name) {
    return testlib_path(FMUS, name);
}

static fmu *fmu_opened(const char *name) {
    char *path = fixture_path(name);
    error err = {0};
    fmu *m = NULL;
    if (fmu_open(path, NULL, &m, &err) != OK)
        fail_msg("%s", err.text);
    free(path);
    return m;
}

static fmu_binding bound(const fmu *m, const char *name, causality as, const char *unit,
                         double value) {
    fmu_binding b = {0};
    error err = {0};
    if (fmu_bind(m, name, as, unit, &b, &err) != OK)
        fail_msg("%s", err.text);
    b.value = value;
    return b;
}

static fmu_model *started(const fmu *m, const fmu_binding *in, size_t ins, const fmu_binding *out,
                          size_t outs, nanos answer) {
    const foreign_options o = options_of(answer);
    fmu_model *guest = NULL;
    error err = {0};
    if (fmu_start(m, "guest", in, ins, out, outs, 0, &o, &guest, &err) != OK)
        fail_msg("%s", err.text);
    return guest;
}

static fmu_model *started_plain(const fmu *m, nanos answer) {
    const fmu_binding out = bound(m, "x", CAUSALITY_OUTPUT, NULL, 0);
    return started(m, NULL, 0, &out, 1, answer);
}

static void assert_says(const error *err, const char *words) {
    if (!strstr(err->text, words))
        fail_msg("'%s' does not say '%s'", err->text, words);
}

static void a_cup_cools_as_the_exponential_says(void **state) {
    (void)state;
    static const char *const versions[] = {"cup2.fmu", "cup3.fmu"};
    for (size_t v = 0; v < 2; v++) {
        fmu *m = fmu_opened(versions[v]);
        // The model speaks of degrees Celsius, foresee of kelvins.
        const fmu_binding in[] = {bound(m, "rate", CAUSALITY_INPUT, "1/s", 0.02),
                                  bound(m, "ambient", CAUSALITY_INPUT, "K", 293.15)};
        const fmu_binding out = bound(m, "T", CAUSALITY_OUTPUT, "K", 0);
        fmu_model *guest = started(m, in, 2, &out, 1, 0);
        assert_float_equal(fmu_outputs(guest)[0], 353.15, 1e-9);
        double warmest = 0;
        for (int i = 0; i < 600; i++) {
            // The room gets colder in the middle.
            double around = i < 300 ? 293.15 : 283.15;
            error err = {0};
            fmu_post(guest, i * STEP, STEP, (const double[]){0, around});
            assert_int_equal(fmu_take(guest, &err), OK);
            double t = 0.1 * (i + 1), half = 293.15 + 60 * exp(-0.02 * 30);
            double exact = i < 300 ? 293.15 + 60 * exp(-0.02 * t)
                                   : 283.15 + (half - 283.15) * exp(-0.02 * (t - 30));
            double error_now = fabs(fmu_outputs(guest)[0] - exact);
            warmest = error_now > warmest ? error_now : warmest;
        }
        assert_true(warmest < 1e-6);
        error err = {0};
        if (foreign_rehearse(fmu_process(guest), 600 * STEP, STEP, 20, (const double[]){15},
                             &err) != OK)
            fail_msg("%s", err.text);
        fmu_end(guest);
        fmu_close(m);
    }
}

// Height and bounces by the laws of a ball that falls from 1 m and keeps 0.8 of its speed.
static double ball_height(double t, int *bounces) {
    double g = 9.81, v = sqrt(2 * g), flight = v / g;
    *bounces = 0;
    if (t < flight)
        return 1 - g * t * t / 2;
    for (t -= flight;; t -= flight) {
        v *= 0.8;
        flight = 2 * v / g;
        ++*bounces;
        if (t < flight)
            return v * t - g * t * t / 2;
    }
}

static void a_ball_bounces_at_the_instants_of_its_events(void **state) {
    (void)state;
    static const char *const versions[] = {"bounce2.fmu", "bounce3.fmu"};
    for (size_t v = 0; v < 2; v++) {
        fmu *m = fmu_opened(versions[v]);
        const fmu_binding in = bound(m, "restitution", CAUSALITY_INPUT, NULL, 0.8);
        const fmu_binding out[] = {bound(m, "height", CAUSALITY_OUTPUT, "m", 0),
                                   bound(m, "bounces", CAUSALITY_OUTPUT, NULL, 0),
                                   bound(m, "rising", CAUSALITY_OUTPUT, NULL, 0)};
        fmu_model *guest = started(m, &in, 1, out, 3, 0);
        int bounces = 0;
        for (int i = 0; i < 30; i++) {
            error err = {0};
            fmu_post(guest, i * STEP, STEP, (const double[]){0});
            if (fmu_take(guest, &err) != OK)
                fail_msg("%s", err.text);
            const double *now = fmu_outputs(guest);
            assert_float_equal(now[0], ball_height(0.1 * (i + 1), &bounces), 1e-9);
            assert_true(now[1] == bounces);
            assert_true(now[2] == 0 || now[2] == 1);
        }
        assert_true(bounces > 3);
        assert_int_equal(foreign_events(fmu_process(guest)), bounces);
        fmu_end(guest);
        fmu_close(m);
    }
}

// Steps until the model fails, and returns at which step.
static int steps_until_failure(fmu_model *guest, error *err) {
    for (int i = 0; i < 100; i++) {
        fmu_post(guest, i * STEP, STEP, NULL);
        if (fmu_take(guest, err) != OK) {
            assert_int_equal(err->code, E_DIVERGED);
            // It stays as it is.
            error again = {0};
            fmu_post(guest, i * STEP, STEP, NULL);
            assert_int_equal(fmu_take(guest, &again), E_DIVERGED);
            assert_string_equal(again.text, err->text);
            assert_int_equal(foreign_process(fmu_process(guest)), 0);
            return i;
        }
    }
    return -1;
}

static void a_crash_a_hang_and_a_kill_are_told_apart(void **state) {
    (void)state;
    static const struct {
        const char *file;
        nanos answer;
        const char *says;
    } cases[] = {{"crash2.fmu", 0, "the model 'guest' was ended by signal 11"},
                 {"crash3.fmu", 0, "the model 'guest' was ended by signal 11"},
                 {"hang2.fmu", NANOS_PER_SECOND / 5, "did not answer within 0.2 s"},
                 {"hang3.fmu", NANOS_PER_SECOND / 5, "did not answer within 0.2 s"}};
    for (size_t c = 0; c < 4; c++) {
        fmu *m = fmu_opened(cases[c].file);
        fmu_model *guest = started_plain(m, cases[c].answer);
        error err = {0};
        assert_int_equal(steps_until_failure(guest, &err), 5);
        assert_says(&err, cases[c].says);
        fmu_end(guest);
        fmu_close(m);
    }
    // One that is killed while it steps, and one that is killed between two steps.
    for (int between = 0; between < 2; between++) {
        fmu *m = fmu_opened("hang2.fmu");
        fmu_model *guest = started_plain(m, 0);
        error err = {0};
        int process = foreign_process(fmu_process(guest));
        if (between)
            kill(process, SIGKILL);
        fmu_post(guest, 0, NANOS_PER_SECOND, NULL);
        if (!between)
            kill(process, SIGKILL);
        assert_int_equal(fmu_take(guest, &err), E_DIVERGED);
        assert_says(&err, "was ended by signal 9");
        fmu_end(guest);
        fmu_close(m);
    }
}

static void a_liar_is_found_by_rehearsing(void **state) {
    (void)state;
    static const char *const versions[] = {"liar2.fmu", "liar3.fmu"};
    for (size_t v = 0; v < 2; v++) {
        fmu *m = fmu_opened(versions[v]);
        fmu_model *guest = started_plain(m, 0);
        error err = {0};
        assert_int_equal(foreign_rehearse(fmu_process(guest), 0, STEP, 20, NULL, &err), E_DIVERGED);
        assert_says(&err, "steps otherwise once it was restored");
        fmu_end(guest);
        fmu_close(m);
    }
}

static void states_are_kept_beside_one_another(void **state) {
    (void)state;
    fmu *m = fmu_opened("cup3.fmu");
    const fmu_binding out = bound(m, "T", CAUSALITY_OUTPUT, NULL, 0);
    fmu_model *guest = started(m, NULL, 0, &out, 1, 0);
    foreign *f = fmu_process(guest);
    unsigned states[FOREIGN_STATES_MAX], one_more;
    double seen[FOREIGN_STATES_MAX];
    error err = {0};
    for (unsigned i = 0; i < FOREIGN_STATES_MAX; i++) {
        assert_int_equal(foreign_save(f, &states[i], &err), OK);
        seen[i] = foreign_outputs(f)[0];
        assert_int_equal(foreign_step(f, i * STEP, STEP, NULL, &err), OK);
    }
    assert_int_equal(foreign_save(f, &one_more, &err), E_INPUT);
    assert_says(&err, "16 states of the model 'guest' are kept already");
    for (unsigned i = FOREIGN_STATES_MAX; i-- > 0;) {
        assert_int_equal(foreign_restore(f, states[i], &err), OK);
        assert_true(foreign_outputs(f)[0] == seen[i]);
        assert_int_equal(foreign_forget(f, states[i], &err), OK);
    }
    fmu_end(guest);
    fmu_close(m);
}

static size_t entries_of(const char *folder) {
    size_t count = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    while (readdir(d))
        count++;
    closedir(d);
    return count - 2;
}

static void hostile_files_are_refused_with_a_sentence(void **state) {
    (void)state;
    static const struct {
        const char *file, *says;
    } cases[] = {{"outside.fmu", "outside of its own folder"},
                 {"outside_first.fmu", "outside of its own folder"},
                 {"absolute.fmu", "from the root of the disk"},
                 {"backslash.fmu", "with a backslash"},
                 {"link.fmu", "'resources/link' is a link"},
                 {"twice.fmu", "it has 'resources/a/b' twice"},
                 {"bomb.fmu", "unpacked it has more than 2000000 bytes"},
                 {"many.fmu", "it has more than 200 files"},
                 {"torn.fmu", "this is no zip file"},
                 {"entity.fmu", "a model description may not declare entities"},
                 {"exchange.fmu", "for model exchange only"},
                 {"old.fmu", "is of FMI '1.0'; 2.0 and 3.0 are known"},
                 {"tool.fmu", "needs the tool that made it"},
                 {"platform.fmu", "it has libraries for: win64"},
                 {"undescribed.fmu", "has no modelDescription.xml"},
                 {"nowhere.fmu", "cannot be opened"}};
    char *around = testlib_folder(), *inside = testlib_path(around, "tmp");
    assert_int_equal(mkdir(inside, 0700), 0);
    const char *before = getenv("TMPDIR");
    char *kept = before ? strdup(before) : NULL;
    setenv("TMPDIR", inside, 1);
    const archive_limits limits = {.files = 200, .bytes = 2000000};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char *path = fixture_path(cases[c].file);
        fmu *m = NULL;
        error err = {0};
        if (fmu_open(path, &limits, &m, &err) == OK)
            fail_msg("%s is not refused", cases[c].file);
        assert_says(&err, cases[c].says);
        assert_int_equal(entries_of(inside), 0);
        assert_int_equal(entries_of(around), 1);
        free(path);
    }
    assert_int_not_equal(access("/tmp/evil.txt", F_OK), 0);
    // These have to be run to be found out.
    static const struct {
        const char *file, *says;
    } started_cases[] = {{"token2.fmu", "the token is not {cup}"},
                         {"token3.fmu", "the token is another"},
                         {"no_library.fmu", "its library cannot be loaded"},
                         {"other_version.fmu", "has no function fmi3InstantiateCoSimulation"}};
    for (size_t c = 0; c < sizeof started_cases / sizeof *started_cases; c++) {
        fmu *m = fmu_opened(started_cases[c].file);
        const foreign_options o = options_of(0);
        fmu_model *guest = NULL;
        error err = {0};
        assert_int_equal(fmu_start(m, "guest", NULL, 0, NULL, 0, 0, &o, &guest, &err), E_INPUT);
        assert_says(&err, started_cases[c].says);
        fmu_close(m);
    }
    assert_int_equal(entries_of(inside), 0);
    if (kept)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    free(kept);
    free(inside);
    testlib_remove(around);
}

static void wrong_variables_are_refused_with_a_sentence(void **state) {
    (void)state;
    static const struct {
        const char *name;
        causality as;
        const char *unit, *says;
    } cases[] = {
        {"Tt", CAUSALITY_OUTPUT, "K", "no variable 'Tt'"},
        {"ambiant", CAUSALITY_INPUT, "K", "did you mean 'ambient'?"},
        {"T", CAUSALITY_INPUT, "K", "of causality 'output'; an input or parameter is needed"},
        {"ambient", CAUSALITY_OUTPUT, "K", "of causality 'input'; an output is needed"},
        {"T", CAUSALITY_OUTPUT, "m", "is in 'degC', and 'm' is needed"},
        {"spare", CAUSALITY_OUTPUT, "K", "'mystery', which the model does not define"}};
    static const char *const versions[] = {"cup2.fmu", "cup3.fmu"};
    for (size_t v = 0; v < 2; v++) {
        fmu *m = fmu_opened(versions[v]);
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            fmu_binding b;
            error err = {0};
            assert_int_equal(fmu_bind(m, cases[c].name, cases[c].as, cases[c].unit, &b, &err),
                             E_INPUT);
            assert_says(&err, cases[c].says);
        }
        fmu_close(m);
    }
    int e[UNIT_BASES];
    assert_true(fmi_unit_read("kg.m2/s2", e));
    assert_memory_equal(e, ((int[]){1, 2, -2, 0, 0, 0, 0, 0}), sizeof e);
    assert_true(fmi_unit_read("1/s", e) && e[2] == -1);
    assert_false(fmi_unit_read("", e));
    assert_false(fmi_unit_read("m/furlong", e));
}

static void a_file_is_known_by_its_sha256(void **state) {
    (void)state;
    fmu *m = fmu_opened("cup2.fmu");
    char command[4200], text[80] = "";
    snprintf(command, sizeof command, "sha256sum '%s/cup2.fmu'", FMUS);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(text, 65, pipe));
    while (getc(pipe) != EOF)
        continue;
    pclose(pipe);
    assert_string_equal(fmu_sha256(m), text);
    fmu_close(m);
}

static void a_model_inherits_nothing_and_dies_with_its_parent(void **state) {
    (void)state;
    int ends[2], leaked = fcntl(0, F_DUPFD, 100);
    assert_true(leaked >= 100);
    assert_int_equal(pipe(ends), 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t parent = fork();
    assert_true(parent >= 0);
    if (parent == 0) {
        setenv("SECRET", "yes", 1);
        fmu *m = fmu_opened("hang3.fmu");
        fmu_model *guest = started_plain(m, 0);
        int process = foreign_process(fmu_process(guest));
        ssize_t n = write(ends[1], &process, sizeof process);
        (void)n;
        const char *folder = fmu_folder(m);
        n = write(ends[1], folder, strlen(folder) + 1);
        for (;;)
            pause();
    }
    int process = 0;
    char folder[1024] = "", path[64];
    assert_int_equal(read(ends[0], &process, sizeof process), sizeof process);
    assert_true(read(ends[0], folder, sizeof folder - 1) > 0);
    snprintf(path, sizeof path, "/proc/%d/environ", process);
    char *environment = testlib_read(path);
    assert_string_equal(environment, "");
    free(environment);
    snprintf(path, sizeof path, "/proc/%d/fd", process);
    assert_int_equal(entries_of(path), 3);
    snprintf(path, sizeof path, "/proc/%d/status", process);
    char *now = testlib_read(path);
    assert_non_null(strstr(now, "NoNewPrivs:\t1"));
    free(now);
    kill(parent, SIGKILL);
    int how = 0;
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    // The orphan comes to this process, which waits for its end.
    assert_int_equal(waitpid(process, &how, 0), process);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    close(ends[0]);
    close(ends[1]);
    close(leaked);
    testlib_remove(strdup(folder)); // nobody is left to do it
}

static void an_fmu_is_a_model_of_an_ensemble(void **state) {
    (void)state;
    static const char *const in[] = {"ambient", "rate"}, *const out[] = {"T"};
    static const char *const versions[] = {"cup2.fmu", "cup3.fmu"};
    for (size_t v = 0; v < 2; v++) {
        char *path = fixture_path(versions[v]);
        const model_setup setup = {.name = "coffee",
                                   .every = STEP,
                                   .file = path,
                                   .inputs = in,
                                   .input_count = 2,
                                   .outputs = out,
                                   .output_count = 1};
        model *m = NULL;
        error err = {0};
        assert_int_equal(FMU_MODEL.create(&setup, &m, &err), OK);
        assert_string_equal(m->inputs[0].unit, "K");
        assert_string_equal(m->inputs[1].unit, "1/s");
        m->in[0] = 293.15;
        m->in[1] = 0.01;
        assert_int_equal(FMU_MODEL.start(m, 0, &err), OK);
        assert_float_equal(m->out[0], 353.15, 1e-9);
        double seen[2 * FOREIGN_STATES_MAX];
        void *states[2 * FOREIGN_STATES_MAX];
        size_t size = 0;
        // More states than the process keeps.
        for (int i = 0; i < 2 * FOREIGN_STATES_MAX; i++) {
            assert_int_equal(FMU_MODEL.save(m, &states[i], &size, &err), OK);
            assert_int_equal(FMU_MODEL.post(m, i * STEP, STEP, &err), OK);
            assert_int_equal(FMU_MODEL.step(m, i * STEP, STEP, &err), OK);
            seen[i] = m->out[0];
        }
        for (int i = 0; i < 2 * FOREIGN_STATES_MAX; i++) {
            if (i < FOREIGN_STATES_MAX) {
                assert_int_equal(FMU_MODEL.restore(m, states[i], size, &err), E_INPUT);
                assert_says(&err, "the state of the model `coffee` is gone");
            } else {
                assert_int_equal(FMU_MODEL.restore(m, states[i], size, &err), OK);
                assert_int_equal(model_step(m, i * STEP, STEP, &err), OK);
                assert_true(m->out[0] == seen[i]);
            }
            free(states[i]);
        }
        FMU_MODEL.destroy(m);
        free(path);
    }
}

static void an_ensemble_hears_of_the_events_of_an_fmu(void **state) {
    (void)state;
    static const char *const out[] = {"height"};
    char *path = fixture_path("bounce3.fmu");
    const model_setup setup = {
        .name = "ball", .every = STEP, .file = path, .outputs = out, .output_count = 1};
    model *m = NULL;
    error err = {0};
    size_t told = 0;
    assert_int_equal(FMU_MODEL.create(&setup, &m, &err), OK);
    assert_int_equal(FMU_MODEL.start(m, 0, &err), OK);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(model_step(m, i * STEP, STEP, &err), OK);
        told += m->events.count;
        m->events.count = 0;
    }
    assert_int_equal(told, 1); // it lands after 0.45 s, and again after 1.17 s
    FMU_MODEL.destroy(m);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cup_cools_as_the_exponential_says),
        cmocka_unit_test(a_ball_bounces_at_the_instants_of_its_events),
        cmocka_unit_test(a_crash_a_hang_and_a_kill_are_told_apart),
        cmocka_unit_test(a_liar_is_found_by_rehearsing),
        cmocka_unit_test(states_are_kept_beside_one_another),
        cmocka_unit_test(hostile_files_are_refused_with_a_sentence),
        cmocka_unit_test(wrong_variables_are_refused_with_a_sentence),
        cmocka_unit_test(a_file_is_known_by_its_sha256),
        cmocka_unit_test(an_fmu_is_a_model_of_an_ensemble),
        cmocka_unit_test(an_ensemble_hears_of_the_events_of_an_fmu),
        cmocka_unit_test(a_model_inherits_nothing_and_dies_with_its_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
