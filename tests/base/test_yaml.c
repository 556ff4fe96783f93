// tests/base/test_yaml.c - YAML with places: bytes and spans, what is refused, typed access.
#include "base/yaml/yaml_read.h"
#include "tests/testlib.h"

typedef struct fixture {
    arena *a;
    errors list;
    const char *text;
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
    free(f);
    return 0;
}

static ynode *read_bytes(fixture *f, const char *text, size_t length) {
    ynode *root = NULL;
    f->text = text;
    f->list.count = 0;
    status s = yaml_read(f->a, "file.yaml", text, length, &root, &f->list);
    if (s != OK)
        fail_msg("%d:%d: %s", f->list.items[0].line, f->list.items[0].column,
                 f->list.items[0].text);
    assert_int_equal(f->list.count, 0);
    assert_non_null(root);
    return root;
}

static ynode *read_text(fixture *f, const char *text) {
    return read_bytes(f, text, strlen(text));
}

// The bytes of the text that the node spans.
static const char *span(fixture *f, const ynode *n) {
    return arena_copy(f->a, f->text + n->begin, n->end - n->begin);
}

static void stands(const ynode *n, int line, int column) {
    assert_non_null(n);
    assert_int_equal(n->line, line);
    assert_int_equal(n->column, column);
}

// Expects the mistakes "line:column part" in this order, and no others.
static void refuses_bytes(fixture *f, const char *text, size_t length, size_t count,
                          const char *const *mistakes) {
    ynode untouched, *root = &untouched;
    f->list.count = 0;
    assert_int_equal(yaml_read(f->a, "file.yaml", text, length, &root, &f->list), E_INPUT);
    assert_ptr_equal(root, &untouched);
    for (size_t i = 0; i < f->list.count && i < count; i++) {
        const error *e = &f->list.items[i];
        char place[32];
        snprintf(place, sizeof place, "%d:%d ", e->line, e->column);
        if (strncmp(mistakes[i], place, strlen(place)) != 0 ||
            !strstr(e->text, mistakes[i] + strlen(place)))
            fail_msg("expected '%s', got '%s%s'", mistakes[i], place, e->text);
        assert_string_equal(e->file, "file.yaml");
        assert_int_equal(e->code, E_INPUT);
    }
    if (f->list.count > count)
        fail_msg("unexpected: %s", f->list.items[count].text);
    assert_int_equal(f->list.count, count);
    // Without a list the answer is the same.
    assert_int_equal(yaml_read(f->a, "file.yaml", text, length, &root, NULL), E_INPUT);
}
#define REFUSES(f, text, ...)                                                                      \
    refuses_bytes(f, text, strlen(text),                                                           \
                  sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *),                    \
                  (const char *[]){__VA_ARGS__})

static void scalars_lists_and_maps_are_read(void **state) {
    fixture *f = *state;
    ynode *root = read_text(f, "a: 1\nb: [x, \"y z\", 'it''s']\nc:\n  - d: e\n  -\n");
    assert_int_equal(root->kind, YNODE_MAPPING);
    assert_int_equal(root->count, 3);
    assert_string_equal(root->keys[1]->scalar, "b");
    ynode *b = ynode_get(root, "b");
    assert_int_equal(b->kind, YNODE_SEQUENCE);
    assert_true(b->flow && !root->flow);
    assert_string_equal(b->items[1]->scalar, "y z");
    assert_string_equal(b->items[2]->scalar, "it's");
    assert_true(b->items[1]->quoted && !b->items[0]->quoted);
    ynode *c = ynode_get(root, "c");
    assert_int_equal(c->count, 2);
    assert_string_equal(ynode_get(c->items[0], "d")->scalar, "e");
    assert_string_equal(c->items[1]->scalar, "");
    assert_false(c->items[1]->quoted);
    assert_null(ynode_get(root, "z"));
    assert_null(ynode_get(b, "z"));
    assert_null(ynode_get(NULL, "z"));
    assert_string_equal(root->file, "file.yaml");
}

static void columns_and_spans_count_bytes_not_characters(void **state) {
    fixture *f = *state;
    // Letters of two, three and four bytes stand before what is asked for.
    ynode *root = read_text(f, "\xc3\xa9: { \xe2\x82\xac: x, k: \"\xf0\x9f\x8d\xb4\", l: last }\n"
                               "m: end # \xc3\xa9\nn: \xc3\xa9\n");
    ynode *map = root->items[0];
    stands(map, 1, 5);
    stands(map->keys[0], 1, 7);
    stands(ynode_get(map, "k"), 1, 18);
    stands(ynode_get(map, "l"), 1, 29);
    assert_string_equal(span(f, map), "{ \xe2\x82\xac: x, k: \"\xf0\x9f\x8d\xb4\", l: last }");
    assert_string_equal(span(f, ynode_get(map, "k")), "\"\xf0\x9f\x8d\xb4\"");
    assert_string_equal(span(f, ynode_get(map, "l")), "last");
    stands(ynode_get(root, "m"), 2, 4);
    assert_string_equal(span(f, ynode_get(root, "m")), "end");
    assert_string_equal(span(f, ynode_get(root, "n")), "\xc3\xa9");
}

static void a_byte_order_mark_is_passed_over(void **state) {
    fixture *f = *state;
    ynode *root = read_text(f, "\xef\xbb\xbf"
                               "\xc3\xa9: x\nb: y\n");
    stands(root, 1, 1);
    assert_string_equal(span(f, root), "\xc3\xa9: x\nb: y");
    assert_string_equal(span(f, root->items[0]), "x");
    assert_string_equal(span(f, root->keys[1]), "b");
    stands(root->items[1], 2, 4);
}

static void lines_may_end_in_carriage_returns(void **state) {
    fixture *f = *state;
    ynode *root = read_text(f, "a: \xc3\xa9\r\nb:\r\n  - c\r\n  - d # e\r\n# f\r\ng: h\r\n");
    stands(ynode_get(root, "b"), 3, 3);
    assert_string_equal(span(f, ynode_get(root, "b")), "- c\r\n  - d");
    stands(ynode_get(root, "g"), 6, 4);
    root = read_text(f, "a: b\rc: d\r");
    stands(ynode_get(root, "c"), 2, 4);
}

static void a_block_ends_before_its_trailing_comments(void **state) {
    fixture *f = *state;
    ynode *root = read_text(f, "seq:\n"
                               "  - a: 1 # of a\n"
                               "    b: 2\n"
                               "    # behind b\n"
                               "\n"
                               "  # before the next\n"
                               "  - c\n"
                               "  # behind c\n"
                               "\n"
                               "# before next\n"
                               "next: x\n"
                               "# the end\n");
    ynode *seq = ynode_get(root, "seq");
    assert_string_equal(span(f, seq->items[0]), "a: 1 # of a\n    b: 2");
    assert_string_equal(span(f, seq->items[1]), "c");
    assert_true(f->text[seq->end - 1] == 'c');
    assert_true(f->text[root->end - 1] == 'x');
    assert_int_equal(root->begin, 0);
    // An empty value spans nothing, and its map ends behind the colon.
    root = read_text(f, "a:\n  b:\n# c\nd: 1\n");
    assert_string_equal(span(f, ynode_get(root, "a")), "b:");
    assert_string_equal(span(f, ynode_get(ynode_get(root, "a"), "b")), "");
    // A list may stand at its key's own depth.
    root = read_text(f, "a:\n- b\n- c\n# d\ne: f\n");
    assert_string_equal(span(f, ynode_get(root, "a")), "- b\n- c");
}

static void block_scalars_end_with_their_last_letter(void **state) {
    fixture *f = *state;
    ynode *root =
        read_text(f, "a: |\n  on(x,\n    y)\n\n\n# c\nb: >-\n  folded\n  text\n\nc: |+\n  k\n\n");
    assert_string_equal(ynode_get(root, "a")->scalar, "on(x,\n  y)\n");
    assert_string_equal(span(f, ynode_get(root, "a")), "|\n  on(x,\n    y)");
    assert_string_equal(ynode_get(root, "b")->scalar, "folded text");
    assert_string_equal(span(f, ynode_get(root, "b")), ">-\n  folded\n  text");
    assert_true(ynode_get(root, "a")->quoted);
    assert_int_equal(ynode_get(root, "a")->text_line, 2);
    assert_int_equal(ynode_get(root, "a")->text_column, 3);
    assert_string_equal(span(f, ynode_get(root, "c")), "|+\n  k");
}

static void flow_collections_end_at_their_brackets(void **state) {
    fixture *f = *state;
    ynode *root = read_text(f, "a: [1, {b: 2 } , c: 3 ,\n 4 ] # e\nd: {}\ne: []\n");
    ynode *a = ynode_get(root, "a");
    assert_string_equal(span(f, a), "[1, {b: 2 } , c: 3 ,\n 4 ]");
    assert_string_equal(span(f, a->items[1]), "{b: 2 }");
    assert_string_equal(span(f, a->items[2]), "c: 3");
    assert_string_equal(span(f, ynode_get(root, "d")), "{}");
    assert_string_equal(span(f, ynode_get(root, "e")), "[]");
    assert_int_equal(ynode_get(root, "e")->count, 0);
}

static void torn_terms_in_flow_style_are_refused(void **state) {
    fixture *f = *state;
    REFUSES(f, "a: [on(a, b)]", "1:5 torn");
    REFUSES(f, "a: [x, on(a, g(b, c)), y]", "1:8 torn");
    REFUSES(f, "a: {goal: on(a, b)}", "1:11 torn");
    REFUSES(f, "a: {on(a, b): 3}", "1:5 torn");
    REFUSES(f, "a: [x)]", "1:5 torn");
    REFUSES(f, "a: [f(a, b), g(c, d)]", "1:5 torn", "1:14 torn");
    REFUSES(f, "a: [f(a, b)]\nb: [x)]", "1:5 torn", "2:5 torn");
    REFUSES(f, "a: [f([a, b])]", "1:5 torn", "1:7 must stand in quotes");
}

static void variables_in_flow_style_must_be_quoted(void **state) {
    fixture *f = *state;
    REFUSES(f, "a: [?x]", "1:6 \"?x\"");
    REFUSES(f, "a: [b, ?x, ?y]", "1:9 \"?x\"", "1:13 \"?y\"");
    REFUSES(f, "a: {?x: 1}", "1:6 \"?x\"");
    REFUSES(f, "a: { ? x : 1}", "1:8 \"?x\"");
    REFUSES(f, "a: {into: ?x}", "1:11 must stand in quotes");
    REFUSES(f, "? x\n: 1", "1:3 \"?x\"");
}

static void terms_are_safe_in_quotes_and_in_blocks(void **state) {
    fixture *f = *state;
    ynode *root = read_text(f, "a: [\"on(a, b)\", '?x', f(x), \"x)\"]\n"
                               "b: on(?x, b)\nc: ?x\nd:\n  - ?y\n  - on(a, b)\n  - x)\n");
    assert_string_equal(ynode_get(root, "a")->items[0]->scalar, "on(a, b)");
    assert_string_equal(ynode_get(root, "a")->items[1]->scalar, "?x");
    assert_string_equal(ynode_get(root, "a")->items[2]->scalar, "f(x)");
    assert_string_equal(ynode_get(root, "b")->scalar, "on(?x, b)");
    assert_string_equal(ynode_get(root, "c")->scalar, "?x");
    assert_string_equal(ynode_get(root, "d")->items[0]->scalar, "?y");
    assert_int_equal(ynode_get(root, "d")->count, 3);
}

static void duplicate_keys_are_refused(void **state) {
    fixture *f = *state;
    REFUSES(f, "a: 1\nb: 2\n\"a\": 3\n", "3:1 twice, first in line 1");
    REFUSES(f, "a: {x: 1, y: 2, x: 3}\nx: 1", "1:17 'x'");
    REFUSES(f, "a: 1\na: 2\na: 3\n", "2:1 the key 'a' stands here twice, first in line 1");
    // One mistake, of a line that is missing.
    REFUSES(f, "a: 1\nb: 2\nb: 3\na: 4\n",
            "3:1 the key 'b' stands here twice, first in line 2, and so does another");
    // Among very many keys too, and in good time.
    size_t size = 40000 * 12;
    char *text = malloc(size);
    size_t n = 0;
    for (int i = 0; i < 39999; i++)
        n += (size_t)snprintf(text + n, size - n, "k%d: 1\n", i);
    n += (size_t)snprintf(text + n, size - n, "k7: 1\n");
    REFUSES(f, text, "40000:1 'k7' stands here twice, first in line 8");
    free(text);
}

static void anchors_aliases_merges_and_tags_are_refused(void **state) {
    fixture *f = *state;
    REFUSES(f, "a: &x 1\nb: *x\n", "1:4 anchors (&x)", "2:4 aliases (*x)");
    REFUSES(f, "a: &x [1]\nb: &y {c: 1}\n", "1:4 anchors", "2:4 anchors");
    REFUSES(f, "a: {c: 1}\n<<: {b: 1}\n", "2:1 merges");
    REFUSES(f, "a: !!str 1\nb: !own {}\nc: ! x\n", "1:4 tags", "2:4 tags", "3:4 tags");
    ynode *root = read_text(f, "\"<<\": a\n"); // quoted it is a name like any other
    assert_string_equal(root->keys[0]->scalar, "<<");
}

static void one_file_holds_one_document(void **state) {
    fixture *f = *state;
    REFUSES(f, "a: 1\n---\nb: 2\n", "2:1 second document");
    REFUSES(f, "a: 1\n...\n---\nb: [on(a, b)]\n", "3:1 second document");
    REFUSES(f, "", "1:1 empty");
    REFUSES(f, "# only a comment\n", "1:1 empty");
    ynode *root = read_text(f, "%YAML 1.1\n---\na: 1\n...\n");
    assert_int_equal(root->count, 1);
}

static void keys_are_names(void **state) {
    fixture *f = *state;
    REFUSES(f, "[a, b]: 1\n", "1:1 a key must be");
    REFUSES(f, "{a: b}: 1\n", "1:1 a key must be");
    REFUSES(f, "?\n: 1\n", "1:2 key is missing");
}

static void broken_yaml_is_placed(void **state) {
    fixture *f = *state;
    REFUSES(f, "a: b: c", "1:5 mapping values are not allowed");
    REFUSES(f, "\xc3\xa9: \"open", "1:5 unexpected end of stream");
    REFUSES(f, "a:\n\t- b", "2:1 cannot start any token");
    REFUSES(f, "a: 1\n b: 2", "2:2 indented by 1 blank, and the lines around it go with 0");
    REFUSES(f, "a:\n  b: 1\n   c: 2\n d: 3\n", "3:5 mapping values"); // two lines are at fault
    REFUSES(f, "a: 1\n\xc3\xa9: \x01", "2:5 control characters");
    REFUSES(f, "a: 1\nb: \xff", "2:4 UTF-8");
    REFUSES(f, "a: [1, 2", "1:9 not valid YAML");
    REFUSES(f, "a: \"\\0\"", "1:4 zero byte");
    refuses_bytes(f, "a: \0", 4, 1, (const char *[]){"1:4 control characters"});
    // UTF-16 is not guessed.
    refuses_bytes(f,
                  "\xff\xfe"
                  "a\0:\0 \0b\0",
                  10, 1, (const char *[]){"1:1 UTF-8"});
    // Everything found before the break is told too.
    REFUSES(f, "a: &x 1\na: 2\nb: \"open", "1:4 anchors", "2:1 twice", "3:4 not valid YAML");
    // What is not closed, and a key without its ':', are told where they stand.
    REFUSES(f, "a: [1, 2\n# why\n\nb: 3\n", "1:9 did not find expected ',' or ']'");
    REFUSES(f, "a: { b: 1\n  c: 2 }\n", "1:10 did not find expected ',' or '}'");
    REFUSES(f, "a: 1\nb\nc: 2\n", "2:1 could not find expected ':'");
    REFUSES(f, "a: \"b\nc: d\n", "1:4 unexpected end of stream");
}

static void nesting_is_limited(void **state) {
    fixture *f = *state;
    char text[8000] = "";
    for (int i = 0; i < 100; i++)
        strcat(text, "[");
    for (int i = 0; i < 100; i++)
        strcat(text, "]");
    read_text(f, text);
    memset(text, '[', 4000);
    text[4000] = 0;
    REFUSES(f, text, "1:101 nested more than 100 deep");
    text[0] = 0;
    for (int i = 0; i < 150; i++)
        strcat(text, "- ");
    REFUSES(f, text, "1:201 nested more than 100 deep");
}

static void at_most_a_hundred_mistakes_are_told(void **state) {
    fixture *f = *state;
    char text[4000] = "";
    for (int i = 0; i < 300; i++)
        strcat(text, "- &x 1\n");
    ynode *root = NULL;
    assert_int_equal(yaml_read(f->a, "f", text, strlen(text), &root, &f->list), E_INPUT);
    assert_int_equal(f->list.count, 100);
    // A list that is full already does not make a bad file a good one.
    assert_int_equal(yaml_read(f->a, "f", "[?x]", 4, &root, &f->list), E_INPUT);
    assert_null(root);
}

static void the_text_of_a_scalar_knows_where_it_begins(void **state) {
    fixture *f = *state;
    ynode *root = read_text(f, "a: plain\nb: \"quoted\"\nc: |2\n\n    x\nd: \"\"\n");
    assert_int_equal(ynode_get(root, "a")->text_column, 4);
    assert_int_equal(ynode_get(root, "b")->text_column, 5);
    assert_int_equal(ynode_get(root, "c")->text_line, 5);
    const term *t = NULL;
    root = read_text(f, "g: \"on(a b)\"\n");
    assert_false(ynode_term(f->a, root->items[0], "goal", &t, &f->list));
    assert_null(t);
    assert_int_equal(f->list.items[0].line, 1);
    assert_int_equal(f->list.items[0].column, 10);
    assert_non_null(strstr(f->list.items[0].text, "goal: expected ',' or ')'"));
}

// The next error tells all of what follows.
static void told(fixture *f, const char *text) {
    assert_int_equal(f->list.count, 1);
    assert_string_equal(f->list.items[0].text, text);
    f->list.count = 0;
}

static void typed_access_gives_values_or_errors(void **state) {
    fixture *f = *state;
    ynode *root = read_text(f, "n: 2.5\ni: -3\nb: yes\nt: some text\nq: \"3\"\ne:\nl: [1, 2, 3]\n"
                               "m: {x: 1}\nbig: 99999999999999999999\nf: .025\ng: -.5\n");
    double x = 9;
    int64_t i = 9;
    bool b = false;
    const char *t = "untouched";
    assert_true(ynode_number(ynode_get(root, "n"), "n", &x, &f->list) && x == 2.5);
    assert_true(ynode_number(ynode_get(root, "f"), "n", &x, &f->list) && x == 0.025);
    assert_true(ynode_number(ynode_get(root, "g"), "n", &x, &f->list) && x == -0.5);
    assert_true(ynode_number(ynode_get(root, "i"), "n", &x, &f->list) && x == -3);
    assert_true(ynode_integer(ynode_get(root, "i"), "n", &i, &f->list) && i == -3);
    assert_true(ynode_bool(ynode_get(root, "b"), "n", &b, &f->list) && b);
    assert_true(ynode_text(ynode_get(root, "q"), "n", &t, &f->list));
    assert_string_equal(t, "3");
    t = "untouched";
    assert_int_equal(f->list.count, 0);
    assert_false(ynode_number(ynode_get(root, "q"), "mass", &x, &f->list));
    told(f, "mass must be a number, not the text \"3\"");
    assert_false(ynode_number(ynode_get(root, "e"), "mass", &x, &f->list));
    told(f, "mass must be a number, not nothing");
    assert_false(ynode_number(NULL, "mass", &x, &f->list));
    told(f, "mass must be a number, not nothing");
    assert_false(ynode_integer(ynode_get(root, "n"), "count", &i, &f->list));
    told(f, "count must be a whole number, not '2.5'");
    assert_false(ynode_integer(ynode_get(root, "big"), "count", &i, &f->list));
    told(f, "count must be a whole number, not '99999999999999999999'");
    assert_false(ynode_bool(ynode_get(root, "l"), "fixed", &b, &f->list));
    told(f, "fixed must be true or false, not a list");
    assert_false(ynode_text(ynode_get(root, "m"), "doc", &t, &f->list));
    told(f, "doc must be a text, not a map");
    assert_false(ynode_text(ynode_get(root, "e"), "doc", &t, NULL));
    assert_true(x == -3 && i == -3 && b);
    assert_string_equal(t, "untouched");
}

static void lists_of_numbers_are_of_one_length(void **state) {
    fixture *f = *state;
    ynode *root = read_text(f, "p: [1, 2.5, -3]\nq: [1, x, 3]\n");
    double v[3] = {0};
    assert_true(ynode_numbers(ynode_get(root, "p"), "size", v, 3, &f->list));
    assert_true(v[0] == 1 && v[1] == 2.5 && v[2] == -3);
    v[0] = v[1] = v[2] = 7;
    assert_false(ynode_numbers(ynode_get(root, "p"), "size", v, 2, &f->list));
    told(f, "size must be a list of 2 numbers, not of 3");
    assert_false(ynode_numbers(ynode_get(root, "q"), "size", v, 3, &f->list));
    assert_int_equal(f->list.items[0].column, 8);
    told(f, "size must be a number, not 'x'");
    assert_false(ynode_numbers(ynode_get(root, "p")->items[0], "size", v, 3, &f->list));
    told(f, "size must be a list of 3 numbers, not '1'");
    assert_true(v[0] == 7 && v[1] == 7 && v[2] == 7);
}

static const char *value_text(fixture *f, const ynode *n) {
    const term *t = NULL;
    assert_true(ynode_value(f->a, n, "value", &t, &f->list));
    return term_text(f->a, t);
}

static void values_become_terms(void **state) {
    fixture *f = *state;
    ynode *root = read_text(f, "a: [1, 2.5, x, \"on(a, ?y)\", [], [b, c]]\nm: [1, {a: 1}]\n"
                               "s: \"'two words'\"\nbad: [f(a). b, \"g(\"]\ne:\n");
    assert_string_equal(value_text(f, ynode_get(root, "a")), "[1, 2.5, x, on(a, ?y), [], [b, c]]");
    assert_string_equal(value_text(f, ynode_get(root, "s")), "'two words'");
    const term *t = NULL;
    assert_false(ynode_value(f->a, ynode_get(root, "m"), "value", &t, &f->list));
    told(f, "value must be a term, a number or a list, not a map");
    assert_false(ynode_value(f->a, ynode_get(root, "e"), "value", &t, &f->list));
    told(f, "value must be a term, not nothing");
    // Every mistake of a list is told.
    assert_false(ynode_value(f->a, ynode_get(root, "bad"), "value", &t, &f->list));
    assert_int_equal(f->list.count, 2);
    assert_null(t);
}

static void unknown_keys_name_the_nearest(void **state) {
    fixture *f = *state;
    static const char *const known[] = {"mass", "friction", "size", NULL};
    ynode *root = read_text(f, "mas: 1\nsize: 2\nfrictoin: 3\ncolour: red\n");
    ynode_check_keys(root, known, &f->list);
    assert_int_equal(f->list.count, 3);
    assert_string_equal(f->list.items[0].text, "unknown key 'mas'; did you mean 'mass'?");
    assert_string_equal(f->list.items[1].text, "unknown key 'frictoin'; did you mean 'friction'?");
    assert_int_equal(f->list.items[1].line, 3);
    assert_string_equal(f->list.items[2].text,
                        "unknown key 'colour'; known here: mass, friction, size");
    ynode_check_keys(root->items[0], known, &f->list);
    ynode_check_keys(NULL, known, &f->list);
    assert_int_equal(f->list.count, 3);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(scalars_lists_and_maps_are_read),
        TEST(columns_and_spans_count_bytes_not_characters),
        TEST(a_byte_order_mark_is_passed_over),
        TEST(lines_may_end_in_carriage_returns),
        TEST(a_block_ends_before_its_trailing_comments),
        TEST(block_scalars_end_with_their_last_letter),
        TEST(flow_collections_end_at_their_brackets),
        TEST(torn_terms_in_flow_style_are_refused),
        TEST(variables_in_flow_style_must_be_quoted),
        TEST(terms_are_safe_in_quotes_and_in_blocks),
        TEST(duplicate_keys_are_refused),
        TEST(anchors_aliases_merges_and_tags_are_refused),
        TEST(one_file_holds_one_document),
        TEST(keys_are_names),
        TEST(broken_yaml_is_placed),
        TEST(nesting_is_limited),
        TEST(at_most_a_hundred_mistakes_are_told),
        TEST(the_text_of_a_scalar_knows_where_it_begins),
        TEST(typed_access_gives_values_or_errors),
        TEST(lists_of_numbers_are_of_one_length),
        TEST(values_become_terms),
        TEST(unknown_keys_name_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
