// tests/query/language/test_modules.c - modules by file, with exports and explicit imports.
#include "tests/query/querylib.h"

static void write_file(asked *a, const char *name, const char *text) {
    char *path = arena_format(a->texts, "%s/%s", a->folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static const char *load_file(asked *a, const char *name) {
    errors list = {0};
    status s = engine_load_file(a->engine, arena_format(a->texts, "%s/%s", a->folder, name), &list);
    if (s == OK)
        s = engine_check(a->engine, &list);
    const char *said = "";
    for (size_t i = 0; i < list.count; i++) {
        const char *slash = strrchr(list.items[i].file, '/');
        said = arena_format(a->texts, "%s%s:%d:%d: %s\n", said, slash ? slash + 1 : "",
                            list.items[i].line, list.items[i].column, list.items[i].text);
    }
    errors_finish(&list);
    assert_true((s == OK) == (said[0] == 0));
    return said;
}

static void what_a_module_defines_is_its_own(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    write_file(a, "shelf.dl",
               ":- module shelf.\n:- export high/1, all/1.\n"
               "item(book). item(box).\nhigh(X) :- item(X), X != box.\n"
               "all(L) :- L = list { X : item(X) }.\n");
    write_file(a, "main.dl",
               ":- import \"shelf.dl\".\nitem(cup).\nmine(X) :- item(X), not high(X).\n"
               "theirs(X) :- high(X).\n");
    assert_string_equal(load_file(a, "main.dl"), "");
    expect(a, "item(X)", "cup");
    expect(a, "mine(X)", "cup");
    expect(a, "theirs(X)", "book");
    expect(a, "high(X)", "book");
    expect(a, "all(L)", "[book, box]");
    expect(a, "shelf:item(X)", "book; box");
    expect(a, "item(X), not shelf:item(X)", "cup");
    expect(a, "N = count { X : shelf:item(X) }", "2");
    expect(a, "shelf:itme(X)", "1:1: itme/1 is not defined\n");
    // A module's own limit is no limit of answers.
    write_file(a, "speed.dl",
               ":- module speed.\n:- export slow/1.\nlimit(3).\n"
               "slow(X) :- limit(L), between(1, 5, X), X < L.\n");
    assert_string_equal(load_file(a, "speed.dl"), "");
    expect(a, "slow(X)", "1; 2");
    asked_close(a);
}

static void common_predicates_are_added_to_from_modules(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    write_file(a, "base.dl",
               ":- split holds on 1.\n:- override threshold on 1.\n"
               ":- declare flaw(f: term) \"what went wrong\".\n"
               "holds(on(a)). threshold(near, 1). flaw(f).\n");
    write_file(a, "mine.dl",
               ":- module mine.\nholds(in(b)) :- helper(b).\nhelper(b).\n"
               "threshold(near, 2).\nflaw(g) :- holds(on(a)).\n"
               ":- split state on 1.\nstate(up(X)) :- helper(X).\n");
    assert_string_equal(load_file(a, "base.dl"), "");
    assert_string_equal(load_file(a, "mine.dl"), "");
    expect(a, "holds(X)", "in(b); on(a)");
    expect(a, "threshold(near, V)", "2");
    expect(a, "flaw(F)", "f; g");
    expect(a, "helper(X)", "1:1: helper/1 is not defined\n");
    expect(a, "mine:state(S)", "up(b)");
    asked_close(a);
}

static void imports_name_what_they_want(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    write_file(a, "left.dl", ":- module left.\n:- export p/1, q/1.\np(1). q(10). hidden(0).\n");
    write_file(a, "right.dl", ":- module right.\n:- export p/1, r/1.\np(2). r(20).\n");
    write_file(a, "both.dl",
               ":- import \"left.dl\" (q/1).\n:- import \"./right.dl\" (p/1, r/1).\n"
               "got(X) :- p(X) ; q(X) ; r(X).\n");
    assert_string_equal(load_file(a, "both.dl"), "");
    expect(a, "got(X)", "2; 10; 20");
    expect(a, "left:p(X)", "1");
    expect(a, "p(X)", "1:1: p/1 comes from several modules; write module:p for one of them\n");
    write_file(a, "clash.dl",
               ":- import \"left.dl\".\n:- import \"right.dl\".\ngot2(X) :- q(X).\n");
    assert_string_equal(load_file(a, "clash.dl") + strlen("clash.dl:2:11: "),
                        arena_format(a->texts,
                                     "p/1 is imported from %s/left.dl and from %s/right.dl; list "
                                     "what is wanted of each: :- import \"%s/right.dl\" (...).\n",
                                     a->folder, a->folder, a->folder));
    asked_close(a);
}

static void wrong_modules_are_named(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    write_file(a, "m.dl", ":- module m.\n:- export high/1, low/1.\nhigh(1). lwo(2).\n");
    assert_string_equal(load_file(a, "m.dl"),
                        "m.dl:2:19: this file exports but does not define low/1; did you mean "
                        "'lwo'?\n");
    write_file(a, "m.dl", ":- module m.\n:- export high/1.\nhigh(1). low(2).\n");
    write_file(a, "u.dl", ":- import \"m.dl\" (hihg/1).\nx(1).\n");
    assert_string_equal(load_file(a, "m.dl"), "");
    const char *said = load_file(a, "u.dl");
    if (!strstr(said, "does not export hihg/1; did you mean 'high'?"))
        fail_msg("%s", said);
    write_file(a, "u.dl", ":- import \"none.dl\".\nx(1).\n");
    said = load_file(a, "u.dl");
    if (strncmp(said, "u.dl:1:11: ", 11) != 0 || !strstr(said, "none.dl cannot be imported: "))
        fail_msg("%s", said);
    write_file(a, "bad.dl", "y(1.\n");
    write_file(a, "u.dl", ":- import \"m.dl\".\n:- import \"bad.dl\".\nx(1).\n");
    said = load_file(a, "u.dl");
    if (strncmp(said, "bad.dl:1:4: ", 12) != 0)
        fail_msg("%s", said);
    write_file(a, "u.dl", "x(1).\n:- module late.\n");
    assert_string_equal(load_file(a, "u.dl"),
                        "u.dl:2:11: ':- module' stands once, before all else in its file\n");
    write_file(a, "u.dl", ":- export x/1.\nx(1).\n");
    assert_string_equal(load_file(a, "u.dl"),
                        "u.dl:1:11: only a module exports; add ':- module name.' or leave this "
                        "out\n");
    write_file(a, "u.dl", ":- module u.\nm:high(3).\n");
    assert_string_equal(
        load_file(a, "u.dl"),
        "u.dl:2:1: a clause defines a predicate of its own file, 'high', not 'm:high'\n");
    write_file(a, "u.dl", ":- module m.\nz(3).\n");
    said = load_file(a, "u.dl");
    if (!strstr(said, "u.dl:1:11: module m is another file's, too"))
        fail_msg("%s", said);
    asked_close(a);
}

static void imports_may_go_in_circles_and_are_read_once(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    write_file(a, "a.dl",
               ":- module a.\n:- export even/1.\n:- import \"b.dl\".\n"
               "even(0). even(N) :- odd(M), N = M + 1, N < 6.\n");
    const char *base = strrchr(a->folder, '/');
    char *text = arena_format(a->texts,
                              ":- module b.\n:- export odd/1.\n:- import \"..%s/a.dl\".\n"
                              "odd(N) :- even(M), N = M + 1, N < 6.\n",
                              base);
    write_file(a, "b.dl", text);
    assert_string_equal(load_file(a, "a.dl"), "");
    expect(a, "even(X)", "0; 2; 4");
    expect(a, "odd(X)", "1; 3; 5");
    // Loaded again it changes; what it imports stays.
    write_file(a, "a.dl", ":- module a.\n:- export even/1.\n:- import \"b.dl\".\neven(4).\n");
    assert_string_equal(load_file(a, "a.dl"), "");
    expect(a, "odd(X)", "5");
    // The same file by another name.
    assert_string_equal(load_file(a, "./b.dl"), "");
    expect(a, "odd(X)", "5");
    asked_close(a);
}

static void a_failed_load_leaves_all_as_it_was(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    write_file(a, "m.dl", ":- module m.\n:- export p/1.\np(1).\n");
    write_file(a, "u.dl", ":- import \"m.dl\".\nq(X) :- p(X).\n");
    assert_string_equal(load_file(a, "u.dl"), "");
    expect(a, "q(X)", "1");
    write_file(a, "n.dl", "remote(5).\n");
    write_file(a, "u.dl", ":- import \"n.dl\".\n:- import \"gone.dl\".\nq(X) :- remote(X).\n");
    assert_true(load_file(a, "u.dl")[0] != 0);
    expect(a, "q(X)", "1");
    expect(a, "remote(X)", "1:1: remote/1 is not defined\n");
    asked_close(a);
}

static void directives_and_declarations_in_a_module_are_its_own(void **state) {
    (void)state;
    asked *a = asked_open(10, "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (3), (4);");
    write_file(a, "m.dl",
               ":- module m.\n:- export big/1.\n:- table t(a: integer) from t.\n"
               ":- declare at_once(x: any, t: time) \"private\".\n"
               "at_once(x, 2.5).\nbig(X) :- t(X), X > 3.\nwhen(T) :- at_once(_, T).\n");
    assert_string_equal(load_file(a, "m.dl"), "");
    expect(a, "big(X)", "4");
    expect(a, "t(X)", "1:1: t/1 is not defined\n");
    expect(a, "m:t(X)", "3; 4");
    expect(a, "m:when(T), is_time(T)", "2.5");
    asked_close(a);
}

static void modules_are_known_in_other_episodes(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    write_file(a, "m.dl",
               ":- module m.\n:- export p/1.\nhidden(1).\n"
               "p(X) :- in_episode(1, hidden(X)).\n");
    write_file(a, "u.dl", ":- import \"m.dl\".\nq(X) :- in_episode(_, p(X)).\n");
    assert_string_equal(load_file(a, "u.dl"), "");
    expect(a, "q(X)", "1");
    expect(a, "p(X)", "1");
    asked_close(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_module_defines_is_its_own),
        cmocka_unit_test(common_predicates_are_added_to_from_modules),
        cmocka_unit_test(imports_name_what_they_want),
        cmocka_unit_test(wrong_modules_are_named),
        cmocka_unit_test(imports_may_go_in_circles_and_are_read_once),
        cmocka_unit_test(a_failed_load_leaves_all_as_it_was),
        cmocka_unit_test(directives_and_declarations_in_a_module_are_its_own),
        cmocka_unit_test(modules_are_known_in_other_episodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
