// tests/query/language/test_prepared.c - prepared rules and files that were cut before are those
// that the files would give, and are taken for no others.
#include "base/files/files.h"
#include "query/prepare.h"
#include "query/prepared/cut_files.h"
#include "query/rule_files.h"
#include "tests/testlib.h"

typedef struct loaded {
    budget room;
    values *values;
    program *program;
    errors mistakes;
} loaded;

static loaded *begin(nanos end) {
    loaded *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->room.limit = (size_t)1 << 30;
    l->values = values_create(&l->room);
    l->program = program_create(l->values, end);
    assert_non_null(l->program);
    return l;
}

static void load(loaded *l, const char *file, const char *text, bool library) {
    status s = library ? program_load_library(l->program, file, text, strlen(text), &l->mistakes)
                       : program_load(l->program, file, text, strlen(text), &l->mistakes);
    assert_int_equal(s, OK);
}

static void end(loaded *l) {
    program_destroy(l->program);
    values_destroy(l->values);
    errors_finish(&l->mistakes);
    free(l);
}

static rule_files shipped_files(arena *a) {
    rule_files paths = {0};
    error err = {0};
    assert_int_equal(rule_files_list(a, FORESEE_SOURCE_DIR "/predicates", &paths, &err), OK);
    return paths;
}

static void load_file(loaded *l, const char *path) {
    char *text;
    size_t length;
    error err = {0};
    assert_int_equal(file_read(path, &text, &length, &err), OK);
    load(l, path, text, true);
    free(text);
}

static void load_shipped(loaded *l) {
    arena *a = arena_create();
    rule_files paths = shipped_files(a);
    for (size_t i = 0; i < paths.count; i++)
        load_file(l, paths.items[i]);
    array_finish(&paths);
    arena_destroy(a);
}

static prepared_bytes bytes_of(const text_buffer *b) {
    return (prepared_bytes){(const unsigned char *)b->items, b->count};
}

// Writes all rules of a program, made of its files.
static void write_made(loaded *l, text_buffer *out) {
    error err = {0};
    assert_int_equal(prepare_all_rules(l->program, &l->mistakes), OK);
    assert_int_equal(prepared_write(l->program, out, &err), OK);
}

static void what_is_read_is_what_was_written(void **state) {
    (void)state;
    text_buffer first = {0}, again = {0};
    error err = {0};
    loaded *made = begin(PREPARED_END), *read = begin(INT64_C(123456789012));
    // Values that are there before have other numbers then.
    values_symbol(read->values, "an earlier one");
    load_shipped(made);
    load_shipped(read);
    write_made(made, &first);
    const prepared_bytes bytes = bytes_of(&first);
    assert_true(prepared_fits(read->program, &bytes));
    program_index(read->program);
    assert_int_equal(prepared_read(read->program, &bytes), OK);
    assert_int_equal(read->program->preds.count, made->program->preds.count);
    assert_int_equal(prepared_write(read->program, &again, &err), OK);
    assert_int_equal(again.count, first.count);
    assert_memory_equal(again.items, first.items, first.count);
    text_finish(&first);
    text_finish(&again);
    end(made);
    end(read);
}

#define RULES "p(X, T) :- q(X), T = end.\nq(f(1)). q(2.5). q(\"text\").\n"

static void rules_of_other_files_are_made_of_these(void **state) {
    (void)state;
    text_buffer out = {0};
    static const struct {
        const char *first, *second;
        bool library, fits;
    } cases[] = {{RULES, "r(X) :- p(X, _).\n", true, true},
                 {"r(X) :- p(X, _).\n", RULES, true, false}, // in another order
                 {RULES, "r(X) :- p(_, X).\n", true, false}, // of the same length
                 {RULES, "r(X) :- p(X, _).\n\n", true, false},
                 {RULES, "r(X) :- p(X, _).\n", false, false}}; // a user's file
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        loaded *l = begin(PREPARED_END);
        load(l, "a.dl", cases[i].first, true);
        load(l, "b.dl", cases[i].second, cases[i].library);
        if (i == 0)
            write_made(l, &out);
        const prepared_bytes bytes = bytes_of(&out);
        assert_int_equal(prepared_fits(l->program, &bytes), cases[i].fits);
        if (i == 0) {
            load(l, "user.dl", "s(1).\n", false);
            assert_false(prepared_fits(l->program, &bytes));
        }
        end(l);
    }
    text_finish(&out);
}

static void what_cannot_be_kept_is_refused(void **state) {
    (void)state;
    text_buffer out = {0};
    error err = {0};
    loaded *l = begin(PREPARED_END);
    load(l, "a.dl", "p(X) :- in_episode(E, q(X)), E > 1.\nq(1).\n", true);
    assert_int_equal(prepare_all_rules(l->program, &l->mistakes), OK);
    assert_int_equal(prepared_write(l->program, &out, &err), E_INPUT);
    assert_string_equal(err.text, "a rule that asks another episode cannot be kept");
    assert_int_equal(out.count, 0);
    end(l);
}

// What files were cut into, for `fill_in`.
static text_buffer cut;
static bool filled;

static bool fill_in(program *p, rule_source *s) {
    const prepared_bytes bytes = bytes_of(&cut);
    return filled = cut_files_read(p, s, &bytes);
}

static loaded *begin_filled(void) {
    loaded *l = begin(PREPARED_END);
    l->program->fill_in = fill_in;
    filled = false;
    return l;
}

// The clauses of the only file of each read as the same terms and count as the same clauses.
static void expect_same_clauses(loaded *a, loaded *b) {
    const rule_source *x = a->program->sources.items[0], *y = b->program->sources.items[0];
    arena *memory = arena_create();
    assert_int_equal(y->clauses.count, x->clauses.count);
    for (size_t i = 0; i < x->clauses.count; i++) {
        clause *c = x->clauses.items[i], *d = y->clauses.items[i];
        assert_int_equal(d->id, c->id);
        d->hash = 0; // is not what was kept alone
        assert_int_equal(source_clause_hash(d), source_clause_hash(c));
        assert_true(source_read(c, &a->mistakes) && source_read(d, &b->mistakes));
        assert_string_equal(term_text(memory, d->head), term_text(memory, c->head));
        assert_int_equal(d->body != NULL, c->body != NULL);
        if (c->body)
            assert_string_equal(term_text(memory, d->body), term_text(memory, c->body));
    }
    arena_destroy(memory);
}

static void a_file_that_is_filled_in_is_the_same_as_one_that_is_cut(void **state) {
    (void)state;
    arena *a = arena_create();
    error err = {0};
    rule_files paths = shipped_files(a);
    for (size_t i = 0; i < paths.count; i++) {
        loaded *made = begin(PREPARED_END);
        text_buffer again = {0};
        load_file(made, paths.items[i]);
        assert_int_equal(cut_files_write(made->program, &cut, &err), OK);
        loaded *read = begin_filled();
        load_file(read, paths.items[i]);
        assert_true(filled);
        assert_int_equal(cut_files_write(read->program, &again, &err), OK);
        assert_int_equal(again.count, cut.count);
        assert_memory_equal(again.items, cut.items, cut.count);
        expect_same_clauses(made, read);
        text_finish(&again);
        text_finish(&cut);
        end(made);
        end(read);
    }
    array_finish(&paths);
    arena_destroy(a);
}

#define DECLARED ":- declare p(x: int) \"A number.\" \"p(X)\".\n"

static void files_of_another_text_are_cut(void **state) {
    (void)state;
    error err = {0};
    loaded *l = begin(PREPARED_END);
    load(l, "a.dl", DECLARED "p(1).\n", true);
    assert_int_equal(cut_files_write(l->program, &cut, &err), OK);
    end(l);
    static const struct {
        const char *text;
        bool library, filled;
    } cases[] = {{DECLARED "p(1).\n", true, true},
                 {DECLARED "p(2).\n", true, false},
                 {DECLARED "p(1).\n\n", true, false},
                 {DECLARED "p(1).\n", false, false}}; // a user's file
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        l = begin_filled();
        load(l, "b.dl", cases[i].text, cases[i].library);
        assert_int_equal(filled, cases[i].filled);
        assert_int_equal(l->program->declarations.count, 1);
        assert_string_equal(l->program->declarations.items[0].file, "b.dl");
        assert_int_equal(l->program->sources.items[0]->clauses.count, 1);
        end(l);
    }
    text_finish(&cut);
    l = begin(PREPARED_END);
    load(l, "m.dl", ":- module m.\n:- export q/1.\nq(1).\n", true);
    assert_int_equal(cut_files_write(l->program, &cut, &err), E_INPUT);
    assert_string_equal(err.text, "a file with modules, imports or mapped tables cannot be kept");
    end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_is_what_was_written),
        cmocka_unit_test(rules_of_other_files_are_made_of_these),
        cmocka_unit_test(what_cannot_be_kept_is_refused),
        cmocka_unit_test(a_file_that_is_filled_in_is_the_same_as_one_that_is_cut),
        cmocka_unit_test(files_of_another_text_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
