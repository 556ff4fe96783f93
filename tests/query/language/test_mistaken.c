// tests/query/language/test_mistaken.c - mistaken sessions, put to a log: whatever is asked and
// told, the library answers or says what is wrong with it, and what was mistaken leaves nothing
// behind.
//
//   test_query_mistaken                  the sessions of the quick tests
//   test_query_mistaken FIRST COUNT      other sessions, through the library
//   test_query_mistaken print N          session N as text for the prompt
//   test_query_mistaken log FILE         a small log to ask
#include "include/foresee.h"

#include "tests/query/language/mistaken.h"
#include "tests/schema/dblib.h"

#define LOG                                                                                        \
    "INSERT INTO episode VALUES (1, 'p', 'w', 'r', 1, '0', 2000000, 20000000, 9000000000,"         \
    " 'failed', 1, 9), (2, 'q', 'w', 'r', 8, '0', 2000000, 20000000, 5000000000, 'succeeded', 1,"  \
    " 1);"                                                                                         \
    "INSERT INTO object (id, episode, name, kind, mass, up_z) VALUES (1, 1, 'table', 'body', 0, "  \
    "1), (2, 1, 'cup', 'body', 1, 1), (3, 1, 'hand', 'gripper', 0, 1), (4, 1, 'f1', 'finger', 1, " \
    "1), (5, 1, 'spot', 'region', 0, 1), (6, 1, 'j', 'joint', 0, 1), (7, 2, 'fork', 'body', 1, "   \
    "1);"                                                                                          \
    "INSERT INTO shape (episode, object, role, kind, qw, size_x, size_y, size_z) VALUES"           \
    " (1, 1, 'collision', 'box', 1, 1, 1, 1), (1, 2, 'collision', 'cylinder', 1, 0.1, 0, 0.1),"    \
    " (1, 2, 'interior', 'cylinder', 1, 0.1, 0, 0.1), (1, 4, 'collision', 'sphere', 1, 0.1, 0, "   \
    "0);"                                                                                          \
    "INSERT INTO metric_pose (episode, object, t_ns, x, z, qw) VALUES (1, 1, 0, 0, 0, 1), (1, 2, " \
    "0, 0, "                                                                                       \
    "1, 1), (1, 2, 3000000000, 1, 1, 1), (1, 3, 0, 0, 2, 1), (1, 4, 0, 0, 2, 1);"                  \
    "INSERT INTO contact (id, episode, a, b, start_ns) VALUES (1, 1, 1, 2, 0), (2, 1, 2, 4, "      \
    "1000000000);"                                                                                 \
    "INSERT INTO metric_contact_force (episode, contact, t_ns, fx, fy, fz, nx, ny, nz) VALUES"     \
    " (1, 1, 0, 0, 0, 9, 0, 0, 1), (1, 2, 1000000000, 1, 0, 0, 1, 0, 0);"                          \
    "INSERT INTO agent (id, episode, name, object) VALUES (1, 1, 'robot', 3);"                     \
    "INSERT INTO task (id, episode, agent, construct, path, goal, start_ns, status) VALUES"        \
    " (1, 1, 1, 'seq', 'a', 'on(cup, table)', 0, 'done');"                                         \
    "INSERT INTO believed (id, episode, agent, name, t_ns) VALUES (1, 1, 1, 'cup#1', 0);"          \
    "INSERT INTO believed_frame (agent, believed, parent, relation, t, nth, x, qw) VALUES"         \
    " (1, 1, 'map', 'at', 0, 0, 1000000, 1000000);"

typedef struct log_file {
    char *folder, *path;
} log_file;

static log_file make_log(void) {
    log_file l = {.folder = testlib_folder()};
    l.path = db_make_log(l.folder, "log.db");
    db_run_in(l.path, LOG);
    return l;
}

static void remove_log(log_file *l) {
    free(l->path);
    testlib_remove(l->folder);
}

static foresee *open_log(const log_file *l) {
    foresee *f = NULL;
    foresee_options few = {.size = sizeof few,
                           .episode = 1,
                           .rules = FORESEE_SOURCE_DIR "/predicates",
                           .memory_limit = (size_t)64 << 20,
                           .step_limit = 4000};
    if (foresee_open(l->path, &few, &f) != FORESEE_OK)
        fail_msg("%s", foresee_errmsg(f));
    return f;
}

// What went wrong is told in sentences with places; a call that went well tells of nothing.
static void told(const foresee *f, int code, const char *what) {
    foresee_mistake one;
    bool wrong = code != FORESEE_OK && code != FORESEE_ROW && code != FORESEE_DONE;
    if (wrong != (foresee_mistake_at(f, 0, &one) != 0))
        fail_msg("code %d with %s mistakes: %s", code, wrong ? "no" : "some", what);
    for (size_t i = 0; foresee_mistake_at(f, i, &one); i++) {
        assert_true(one.text[0] != 0);
        assert_true(one.line >= 0 && one.column >= 0);
    }
}

// All answers, read in every way there is.
static void ask(foresee *f, const char *goal) {
    foresee_query *q = NULL;
    int code = foresee_prepare(f, goal, &q);
    told(f, code, goal);
    if (code == FORESEE_OK) {
        foresee_mistake note;
        while ((code = foresee_step(q)) == FORESEE_ROW) {
            for (int c = 0; c < foresee_column_count(q); c++) {
                assert_non_null(foresee_column_name(q, c));
                assert_non_null(foresee_column_term(q, c));
            }
        }
        told(f, code, goal);
        for (size_t i = 0; foresee_note_at(q, i, &note); i++)
            assert_true(note.text[0] != 0);
    }
    foresee_finalize(q);
}

static void explain(foresee *f, const char *goal, bool json) {
    char *out = NULL;
    int code = foresee_explain(f, goal, json ? "json" : "text", &out);
    told(f, code, goal);
    foresee_free(out);
}

// What a few right questions answer, as one text.
static char *right_answers(foresee *f) {
    static const char *const goals[] = {"object(X, Kind, _)", "contact(Id, A, B, S, E)",
                                        "holds_w(supporting(B, O), interval(S, E))",
                                        "goal_door(S, G), G != 1"};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        foresee_query *q = NULL;
        int code = foresee_prepare(f, goals[i], &q);
        while (code == FORESEE_OK && foresee_step(q) == FORESEE_ROW) {
            for (int c = 0; c < foresee_column_count(q); c++)
                fprintf(out, "%s ", foresee_column_term(q, c));
            fputs("\n", out);
        }
        fprintf(out, "%d %s\n", code, foresee_errmsg(f));
        foresee_finalize(q);
    }
    fclose(out);
    return text;
}

static void run_session(mistaken *m, const log_file *l, uint64_t seed) {
    mistaken_seed(m, seed);
    foresee *f = open_log(l);
    char *before = right_answers(f), name[20];
    foresee_query *open = NULL; // a question that rules change under
    for (uint32_t step = 0; step < 14; step++) {
        uint32_t what = mistaken_draw(m, 16);
        snprintf(name, sizeof name, "typed %u", mistaken_draw(m, 5));
        if (what < 6) {
            ask(f, mistaken_goal(m));
        } else if (what < 11) {
            const char *rules = mistaken_rules(m);
            told(f, foresee_load_text(f, name, rules), rules);
        } else if (what == 11) {
            const char *fact = mistaken_fact(m);
            char *text = NULL;
            assert_true(asprintf(&text, "%s.", fact) > 0);
            told(f, foresee_load_text(f, name, text), text);
            free(text);
        } else if (what < 14) {
            explain(f, mistaken_goal(m), mistaken_draw(m, 2) != 0);
        } else if (what == 14) {
            foresee_unload(f, name);
        } else {
            foresee_finalize(open);
            open = NULL;
            if (foresee_prepare(f, mistaken_goal(m), &open) == FORESEE_OK)
                foresee_step(open);
        }
        if (open && mistaken_draw(m, 3) == 0)
            foresee_step(open);
    }
    foresee_finalize(open);
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "typed %d", i);
        foresee_unload(f, name);
    }
    // Rules may need each other, so that the first cannot go before the last.
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "typed %d", i);
        foresee_unload(f, name);
    }
    char *after = right_answers(f);
    bool left = false;
    for (size_t i = 0; foresee_file_at(f, i); i++)
        left = left || strncmp(foresee_file_at(f, i), "typed", 5) == 0;
    if (!left && strcmp(before, after) != 0)
        fail_msg("session %llu left something:\n%s\n%s", (unsigned long long)seed, before, after);
    free(before);
    free(after);
    foresee_close(f);
}

static void run_sessions(uint64_t first, uint64_t count) {
    mistaken m;
    mistaken_open(&m);
    log_file l = make_log();
    for (uint64_t seed = first; seed < first + count; seed++)
        run_session(&m, &l, seed);
    remove_log(&l);
    mistaken_close(&m);
}

// ---- What was found once ----

static void a_time_that_is_none_is_said_where_it_stands(void **state) {
    (void)state;
    log_file l = make_log();
    foresee *f = open_log(&l);
    static const char *const goals[] = {"occurs_w(pick_up(A, B, C), interval(S, E))",
                                        "occurs_w(pick_up(A, B, C), foo)"};
    for (size_t i = 0; i < 2; i++) {
        foresee_mistake m;
        foresee_query *q = NULL;
        int code = foresee_prepare(f, goals[i], &q);
        foresee_finalize(q);
        assert_int_equal(code, FORESEE_INPUT);
        assert_true(foresee_mistake_at(f, 0, &m));
        assert_int_equal(m.line, 1);
        assert_int_equal(m.column, 28);
    }
    foresee_close(f);
    remove_log(&l);
}

static void rules_after_mistaken_queries_are_judged_alone(void **state) {
    (void)state;
    log_file l = make_log();
    foresee *f = open_log(&l);
    foresee_query *q = NULL;
    assert_int_equal(foresee_load_text(f, "typed 1", "r1(X) :- nosuch(X)."), FORESEE_INPUT);
    assert_int_equal(foresee_prepare(f, "nosuch(A).", &q), FORESEE_INPUT);
    assert_int_equal(foresee_load_text(f, "typed 1", "r0(_A) :- goal_door(_S, spill(1))."),
                     FORESEE_INPUT);
    foresee_finalize(q);
    foresee_close(f);
    remove_log(&l);
}

static void names_of_any_length_are_told_apart(void **state) {
    (void)state;
    log_file l = make_log();
    foresee *f = open_log(&l);
    char name[301], rules[1000];
    memset(name, 'n', 300);
    name[300] = 0;
    snprintf(rules, sizeof rules, "%sa(1). %sb(2).", name, name);
    assert_int_equal(foresee_load_text(f, "typed 1", rules), FORESEE_OK);
    snprintf(rules, sizeof rules, "%sb(X)", name);
    foresee_query *q = NULL;
    assert_int_equal(foresee_prepare(f, rules, &q), FORESEE_OK);
    assert_int_equal(foresee_step(q), FORESEE_ROW);
    assert_int_equal(foresee_row_count(q), 1);
    assert_int_equal(foresee_column_int64(q, 0), 2);
    foresee_finalize(q);
    foresee_close(f);
    remove_log(&l);
}

static void mistaken_sessions_are_answered_and_leave_nothing(void **state) {
    (void)state;
    run_sessions(1, 25);
}

// ---- For the prompt ----

static void print_session(uint64_t seed) {
    mistaken m;
    mistaken_open(&m);
    mistaken_seed(&m, seed);
    for (uint32_t step = 0; step < 25; step++) {
        switch (mistaken_draw(&m, 12)) {
        case 0:
        case 1:
        case 2:
        case 3:
            printf("%s.\n", mistaken_goal(&m));
            break;
        case 4:
        case 5:
        case 6:
            fputs(mistaken_rules(&m), stdout);
            break;
        case 7:
            printf("+%s.\n", mistaken_fact(&m));
            break;
        case 8:
            printf("why %s%s.\n", mistaken_draw(&m, 2) ? "not " : "", mistaken_goal(&m));
            break;
        case 9: {
            static const char *const commands[] = {"predicates", "rules",  "forget",
                                                   "why",        "whynot", "schema"};
            printf(".%s %s\n", commands[mistaken_draw(&m, 6)], mistaken_goal(&m));
            break;
        }
        case 10:
            printf(".forget r%u\n", mistaken_draw(&m, 4));
            break;
        default: {
            static const char *const commands[] = {
                "format json", "format csv", "format lines",  "format table", "format plain",
                "episode all", "episode 1",  "episode -9",    "plan on",      "time on",
                "rules",       "limit -1",   "rules holds_w", "read nowhere", "help nosuch"};
            printf(".%s\n", commands[mistaken_draw(&m, 15)]);
        }
        }
    }
    mistaken_close(&m);
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "print") == 0) {
        print_session(strtoull(argv[2], NULL, 10));
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "log") == 0) {
        log_file l = make_log();
        char *command = NULL;
        int moved = asprintf(&command, "mv '%s' '%s'", l.path, argv[2]) > 0 ? system(command) : -1;
        free(command);
        remove_log(&l);
        return moved;
    }
    if (argc == 3) {
        run_sessions(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10));
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_time_that_is_none_is_said_where_it_stands),
        cmocka_unit_test(rules_after_mistaken_queries_are_judged_alone),
        cmocka_unit_test(names_of_any_length_are_told_apart),
        cmocka_unit_test(mistaken_sessions_are_answered_and_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
