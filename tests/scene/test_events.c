// tests/scene/test_events.c - events of world files: conditions, what happens, and every mistake
// with its place.
#include "tests/scene/world_text.h"

#define WORLD                                                                                      \
    "world: w\n"                                                                                   \
    "materials: { pad: { friction: 0.8 } }\n"                                                      \
    "bodies:\n"                                                                                    \
    "  table: { shapes: [ { box: [1, 1, 1] } ], fixed: true }\n"                                   \
    "  cup: { mass: 1, shapes: [ { sphere: 0.1 } ], at: [3, 0, 0] }\n"                             \
    "  later: { mass: 1, shapes: [ { sphere: 0.1 } ], at: [3, 0, 1], absent: true }\n"             \
    "  door: { mass: 1, shapes: [ { box: [0.1, 1, 1] } ], at: [6, 0, 0] }\n"                       \
    "joints:\n"                                                                                    \
    "  h: { kind: hinge, body: door, at: [6, 0.5, 0], axis: [0, 0, 1], limits: [0, 90] }\n"        \
    "events:\n"

static void each_kind_of_event_is_read(void **state) {
    (void)state;
    world_model *w = world_good(
        WORLD
        "  - { name: a, at: 12.5, after: 2, move: { body: cup, to: [1, 2, 3], over: 0.5 } }\n"
        "  - { name: b, at: 1, force: { body: cup, force: [0, 0, 9], point: [0, 0, 0.1], for: "
        "0.2 } }\n"
        "  - { name: c, at: 1, wet: { material: pad, friction: 0.1 } }\n"
        "  - { name: d, at: 1, joint: { joint: h, to: 45, over: 3 } }\n"
        "  - { name: e, at: 1, add: { body: later } }\n"
        "  - { name: f, at: 1, remove: { body: cup } }\n"
        "  - { name: g, at: 1, wet: { body: table, friction: 0.2 } }\n");
    assert_int_equal(w->event_count, 7);
    const world_event *e = w->events;
    assert_int_equal(e[0].kind, EVENT_MOVE);
    assert_int_equal(e[0].when->kind, WHEN_AT);
    assert_true(e[0].when->value == 12.5 && e[0].after == 2 && e[0].over == 0.5);
    assert_true(e[0].body == 1 && e[0].to.p.z == 3);
    assert_int_equal(e[1].kind, EVENT_FORCE);
    assert_true(e[1].force.z == 9 && e[1].point.z == 0.1 && e[1].over == 0.2);
    assert_int_equal(e[2].kind, EVENT_WET);
    assert_string_equal(e[2].material, "pad");
    assert_true(e[2].value == 0.1 && e[2].body == -1);
    assert_int_equal(e[3].kind, EVENT_JOINT);
    assert_true(fabs(e[3].value - PI / 4) < 1e-12 && e[3].joint == 0 && e[3].body == 3);
    assert_int_equal(e[4].kind, EVENT_ADD);
    assert_true(e[4].to.p.z == 1); // where it was declared
    assert_int_equal(e[5].kind, EVENT_REMOVE);
    assert_true(e[6].body == 0 && !e[6].material);
    static const char *const terms[] = {
        "moved_by_person(cup)", "force(cup)",   "wet(pad)",  "moved_by_person(door)",
        "added(later)",         "removed(cup)", "wet(table)"};
    for (int i = 0; i < 7; i++)
        assert_string_equal(e[i].term, terms[i]);
    world_destroy(w);
}

static const condition *when(const char *text, world_model **w) {
    char file[2000];
    snprintf(file, sizeof file, WORLD "  - { name: a, when: \"%s\", remove: { body: cup } }\n",
             text);
    *w = world_good(file);
    return (*w)->events[0].when;
}

static void conditions_are_terms(void **state) {
    (void)state;
    world_model *w;
    const condition *c = when("near(robot, table) <= 0.8", &w);
    assert_true(c->kind == WHEN_NEAR && c->a == -1 && c->b == 0 && c->value == 0.8);
    world_destroy(w);
    c = when("touching(cup, robot)", &w);
    assert_true(c->kind == WHEN_TOUCHING && c->a == 1 && c->b == -1);
    world_destroy(w);
    c = when("open(h) > 30", &w);
    assert_true(c->kind == WHEN_OPEN && c->joint == 0 && fabs(c->value - PI / 6) < 1e-12);
    world_destroy(w);
    c = when("height(cup) < 0.2; height(cup) >= 1.5", &w);
    assert_true(c->kind == WHEN_OR && c->left->kind == WHEN_BELOW && c->right->kind == WHEN_ABOVE);
    world_destroy(w);
    c = when("time >= 3, not moved(cup) > 0.05, near(robot, cup) > 1", &w);
    assert_true(c->kind == WHEN_AND && c->left->kind == WHEN_AT && c->left->value == 3);
    c = c->right;
    assert_true(c->kind == WHEN_AND && c->left->kind == WHEN_NOT &&
                c->left->left->kind == WHEN_MOVED && c->left->left->value == 0.05);
    assert_true(c->right->kind == WHEN_NOT && c->right->left->kind == WHEN_NEAR);
    world_destroy(w);
    c = when("time < 3", &w);
    assert_true(c->kind == WHEN_NOT && c->left->kind == WHEN_AT);
    world_destroy(w);
}

static void mistakes_of_events_have_their_places(void **state) {
    (void)state;
    static const struct {
        const char *event, *words;
    } wrong[] = {
        {"at: 1, remove: { body: cup }", "needs a `name`"},
        {"name: a, remove: { body: cup }", "either `at: SECONDS` or `when:"},
        {"name: a, at: 1, when: \"time > 1\", remove: { body: cup }", "either `at"},
        {"name: a, at: .inf, remove: { body: cup }", "must be a number"},
        {"name: a, at: 1", "exactly one of"},
        {"name: a, at: 1, remove: { body: cup }, add: { body: later }", "exactly one of"},
        {"name: a, at: 1, remove: { body: cop }", "did you mean `cup`"},
        {"name: a, at: 1, remove: { body: table }", "is fixed"},
        {"name: a, at: 1, add: { body: cup }", "is there already"},
        {"name: a, at: 1, move: { body: cup }", "needs `to`"},
        {"name: a, at: 1, move: { body: door, to: [0, 0, 0] }", "hangs on a joint"},
        {"name: a, at: 1, move: { body: cup, to: [0, 0, .nan] }", "must be"},
        {"name: a, at: 1, joint: { joint: h, to: 100 }", "between 0 and 90"},
        {"name: a, at: 1, joint: { joint: g, to: 10 }", "no joint `g`"},
        {"name: a, at: 1, wet: { friction: 0.1 }", "either a `material` or a `body`"},
        {"name: a, at: 1, wet: { material: oil, friction: 0.1 }", "no material `oil`"},
        {"name: a, at: 1, wet: { material: pad }", "needs the `friction`"},
        {"name: a, at: 1, force: { body: cup }", "needs its `force"},
        {"name: a, when: \"near(robot, cip) < 1\", remove: { body: cup }", "did you mean `cup`"},
        {"name: a, when: \"near(robot) < 1\", remove: { body: cup }", "is no condition"},
        {"name: a, when: \"height(cup) < low\", remove: { body: cup }", "right side is a number"},
        {"name: a, when: \"open(g) < 1\", remove: { body: cup }", "no joint `g`"},
        {"name: a, when: \"happy(cup)\", remove: { body: cup }", "is no condition"},
        {"name: a, when: \"near(robot, \", remove: { body: cup }", ""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[2000];
        snprintf(text, sizeof text, WORLD "  - { %s }\n", wrong[i].event);
        world_mistake(text, 11, wrong[i].words);
    }
    world_mistake(WORLD "  - { name: a, at: 1, remove: { body: cup } }\n"
                        "  - { name: a, at: 2, remove: { body: cup } }\n",
                  12, "an event `a` already");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_event_is_read),
        cmocka_unit_test(conditions_are_terms),
        cmocka_unit_test(mistakes_of_events_have_their_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
