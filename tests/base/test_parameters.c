// tests/base/test_parameters.c - declared parameters, setting them, `$name` filled in.
#include "base/yaml/yaml_read.h"
#include "tests/testlib.h"

typedef struct fixture {
    arena *a;
    errors list;
    parameters p;
    ynode *root;
} fixture;

static int start(void **state) {
    fixture *f = calloc(1, sizeof *f);
    f->a = arena_create();
    *state = f;
    return 0;
}

static int end(void **state) {
    fixture *f = *state;
    arena_destroy(f->a);
    errors_finish(&f->list);
    array_finish(&f->p);
    free(f);
    return 0;
}

static void load(fixture *f, const char *text) {
    f->list.count = f->p.count = 0;
    assert_int_equal(yaml_read(f->a, "plan.yaml", text, strlen(text), &f->root, &f->list), OK);
    parameters_read(f->a, f->root, &f->p, &f->list);
}

static const char DECLARED[] =
    "parameters:\n"
    "  place: { type: symbol, default: place_1, doc: \"which place\" }\n"
    "  people: { type: integer, default: 2, min: 1, max: 4, unit: persons }\n"
    "  wait: { type: number, default: 1.5, min: 0.5 }\n"
    "  polite: { type: boolean, default: yes }\n"
    "  greeting:\n"
    "    type: string\n"
    "    default: good morning\n";

static void declarations_are_read(void **state) {
    fixture *f = *state;
    load(f, DECLARED);
    assert_int_equal(f->list.count, 0);
    assert_int_equal(f->p.count, 5);
    const parameter *p = f->p.items;
    assert_string_equal(p[0].name, "place");
    assert_string_equal(p[0].type, "symbol");
    assert_string_equal(p[0].doc, "which place");
    assert_string_equal(p[0].value, "place_1");
    assert_int_equal(p[0].line, 2);
    assert_int_equal(p[0].column, 3);
    assert_true(p[1].has_min && p[1].has_max && p[1].min == 1 && p[1].max == 4);
    assert_string_equal(p[1].unit, "persons");
    assert_false(p[2].has_max);
    assert_string_equal(p[3].value, "true");
    assert_string_equal(p[4].value, "good morning");
    assert_string_equal(p[4].doc, "");
    load(f, "a: 1\n");
    assert_int_equal(f->p.count + f->list.count, 0);
}

static void wrong_declarations_are_refused_one_by_one(void **state) {
    fixture *f = *state;
    load(f, "parameters:\n"
            "  a: { type: numbr, default: 3 }\n"
            "  b: { type: number }\n"
            "  c: { default: 3 }\n"
            "  d: { type: integer, default: 2.5 }\n"
            "  e: { type: number, default: 9, max: 5 }\n"
            "  f: { type: symbol, default: x, min: 5 }\n"
            "  g: { type: number, default: 1, defualt: 2 }\n"
            "  \"h h\": { type: number, default: 1 }\n"
            "  i: 3\n"
            "  j: { type: boolean, default: maybe }\n"
            "  k: { type: symbol, default: Big }\n"
            "  l: { type: number, default: 1, min: 3, max: 2 }\n"
            "  good: { type: number, default: 1 }\n"
            "  m: { type: thing, default: 1 }\n");
    static const char *const expected[] = {
        "2:14 unknown type 'numbr'; did you mean 'number'?",
        "3:6 the parameter 'b' needs a default",
        "4:6 the parameter 'c' needs a type",
        "5:32 the default of 'd' must be a whole number, not '2.5'",
        "6:31 the default of 'e' must be at most 5.0, not '9'",
        "7:39 min: goes with numbers and integers only; the type of 'f' is symbol",
        "8:34 unknown key 'defualt'; did you mean 'default'?",
        "9:3 'h h' cannot name a parameter",
        "10:6 declare 'i' as {",
        "11:32 the default of 'j' must be true or false, not 'maybe'",
        "12:31 the default of 'k' must be a name of small letters",
        "13:6 min is greater than max",
        "15:14 unknown type 'thing'; known: number, integer, boolean, symbol, string",
    };
    size_t count = sizeof expected / sizeof *expected;
    for (size_t i = 0; i < f->list.count && i < count; i++) {
        char text[900];
        const error *e = &f->list.items[i];
        snprintf(text, sizeof text, "%d:%d %s", e->line, e->column, e->text);
        if (strncmp(text, expected[i], strlen(expected[i])) != 0)
            fail_msg("expected '%s', got '%s'", expected[i], text);
    }
    assert_int_equal(f->list.count, count);
    // They are declared all the same, but for the one without a name.
    assert_int_equal(f->p.count, 13);
    for (size_t i = 0; i < f->p.count; i++) {
        bool good = strcmp(f->p.items[i].name, "good") == 0;
        assert_true(f->p.items[i].misread == !good && f->p.items[i].value);
    }
    parameters_fill(f->a, f->root, &f->p, &f->list);
    assert_int_equal(f->list.count, count);
    load(f, "parameters: [a]\n");
    assert_int_equal(f->list.count, 1);
}

static void settings_replace_defaults(void **state) {
    fixture *f = *state;
    load(f, DECLARED);
    error err;
    assert_int_equal(parameters_set(f->a, &f->p, "plan", "place", "place_3", &err), OK);
    assert_int_equal(parameters_set(f->a, &f->p, "plan", "people", "4", &err), OK);
    assert_int_equal(parameters_set(f->a, &f->p, "plan", "wait", "+2e1", &err), OK);
    assert_int_equal(parameters_set(f->a, &f->p, "plan", "polite", "no", &err), OK);
    assert_int_equal(parameters_set(f->a, &f->p, "plan", "greeting", "it's \"$place\"", &err), OK);
    static const char *const values[] = {"place_3", "4", "2e1", "false", "it's \"$place\""};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(f->p.items[i].value, values[i]);
}

static void refuses(fixture *f, const char *name, const char *value, const char *text) {
    error err;
    assert_int_equal(parameters_set(f->a, &f->p, "plan", name, value, &err), E_USAGE);
    assert_string_equal(err.text, text);
    assert_int_equal(err.code, E_USAGE);
    assert_int_equal(parameters_set(f->a, &f->p, "plan", name, value, NULL), E_USAGE);
}

static void wrong_settings_say_what_is_expected(void **state) {
    fixture *f = *state;
    load(f, DECLARED);
    refuses(f, "poeple", "3", "no parameter 'plan.poeple'; did you mean 'plan.people'?");
    refuses(f, "xyz", "3",
            "no parameter 'plan.xyz'; the plan has: place, people, wait, polite, greeting");
    refuses(f, "people", "3.5", "plan.people must be a whole number, not '3.5'");
    refuses(f, "people", "5", "plan.people must be at most 4.0, not '5'");
    refuses(f, "people", "0", "plan.people must be at least 1.0, not '0'");
    refuses(f, "people", "99999999999999999999",
            "plan.people must be a whole number, not "
            "'99999999999999999999'");
    refuses(f, "wait", "0.25", "plan.wait must be at least 0.5, not '0.25'");
    refuses(f, "wait", "1,5", "plan.wait must be a number, not '1,5'");
    refuses(f, "wait", "nan", "plan.wait must be a number, not 'nan'");
    refuses(f, "wait", "", "plan.wait must be a number, not ''");
    refuses(f, "polite", "1", "plan.polite must be true or false, not '1'");
    refuses(f, "place", "Place 1",
            "plan.place must be a name of small letters, digits and _, not 'Place 1'");
    assert_string_equal(f->p.items[1].value, "2"); // what was stays
    load(f, "a: 1\n");
    refuses(f, "place", "x", "no parameter 'plan.place'; the plan has none");
}

static ynode *fill(fixture *f, const char *body) {
    size_t size = sizeof DECLARED + strlen(body);
    char *text = arena_alloc(f->a, size);
    strcat(strcat(text, DECLARED), body);
    load(f, text);
    parameters_fill(f->a, f->root, &f->p, &f->list);
    return f->root;
}

static void names_are_filled_in_everywhere_but_in_the_declarations(void **state) {
    fixture *f = *state;
    ynode *root = fill(f, "a: within(?x, $place)\n"
                          "b: [$people, {c: \"$wait\"}, \"on($place, f($wait))\"]\n"
                          "d: \"$greeting, $$5, $ 6, $place$people$\"\n"
                          "e: \"$greeting\"\n"
                          "f: \"$polite\"\n"
                          "g: |\n  on($place)\n");
    assert_int_equal(f->list.count, 0);
    assert_string_equal(ynode_get(root, "a")->scalar, "within(?x, place_1)");
    ynode *b = ynode_get(root, "b");
    assert_string_equal(b->items[0]->scalar, "2");
    assert_string_equal(b->items[2]->scalar, "on(place_1, f(1.5))");
    assert_string_equal(ynode_get(root, "d")->scalar, "good morning, $5, $ 6, place_12$");
    assert_string_equal(ynode_get(root, "g")->scalar, "on(place_1)\n");
    // A scalar that is nothing but a parameter has the parameter's type, quotes or not.
    double wait;
    bool polite;
    const char *greeting;
    assert_true(ynode_number(ynode_get(b->items[1], "c"), "wait", &wait, &f->list) && wait == 1.5);
    assert_true(ynode_bool(ynode_get(root, "f"), "polite", &polite, &f->list) && polite);
    assert_true(ynode_text(ynode_get(root, "e"), "greeting", &greeting, &f->list));
    assert_string_equal(greeting, "good morning");
    assert_string_equal(ynode_get(ynode_get(ynode_get(root, "parameters"), "place"), "doc")->scalar,
                        "which place");
}

static void what_is_filled_in_is_not_filled_again(void **state) {
    fixture *f = *state;
    load(f, "parameters:\n  a: { type: string, default: \"$b and $a\" }\n"
            "  b: { type: string, default: x }\nc: \"$a $b\"\n");
    parameters_fill(f->a, f->root, &f->p, &f->list);
    assert_int_equal(f->list.count, 0);
    assert_string_equal(ynode_get(f->root, "c")->scalar, "$b and $a x");
}

static void unknown_names_are_told_with_the_nearest(void **state) {
    fixture *f = *state;
    fill(f, "a: within(?x, $plce)\nb: $zzz $people2\n");
    assert_int_equal(f->list.count, 3);
    assert_string_equal(f->list.items[0].text, "unknown parameter '$plce'; did you mean '$place'?");
    assert_int_equal(f->list.items[0].line, 9);
    assert_string_equal(f->list.items[1].text, "unknown parameter '$zzz'; declared are: place, "
                                               "people, wait, polite, greeting");
    assert_string_equal(f->list.items[2].text,
                        "unknown parameter '$people2'; did you mean '$people'?");
    load(f, "a: $x\n");
    parameters_fill(f->a, f->root, &f->p, &f->list);
    assert_string_equal(f->list.items[0].text,
                        "unknown parameter '$x'; none is declared under parameters:");
}

static void a_name_goes_as_far_as_its_letters(void **state) {
    fixture *f = *state;
    load(f, "parameters:\n  a: { type: integer, default: 1 }\n  ab: { type: integer, default: 2 }\n"
            "x: \"$a $ab $a-$ab.$a\"\n");
    parameters_fill(f->a, f->root, &f->p, &f->list);
    assert_string_equal(ynode_get(f->root, "x")->scalar, "1 2 1-2.1");
}

static void a_file_that_is_a_list_is_filled_too(void **state) {
    fixture *f = *state;
    load(f, "- $a\n- b\n");
    array_push(&f->p, (parameter){.name = "a", .type = "number", .value = "7"});
    parameters_fill(f->a, f->root, &f->p, &f->list);
    assert_int_equal(f->list.count, 0);
    assert_string_equal(f->root->items[0]->scalar, "7");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(declarations_are_read),
        TEST(wrong_declarations_are_refused_one_by_one),
        TEST(settings_replace_defaults),
        TEST(wrong_settings_say_what_is_expected),
        TEST(names_are_filled_in_everywhere_but_in_the_declarations),
        TEST(what_is_filled_in_is_not_filled_again),
        TEST(unknown_names_are_told_with_the_nearest),
        TEST(a_name_goes_as_far_as_its_letters),
        TEST(a_file_that_is_a_list_is_filled_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
