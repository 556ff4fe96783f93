// tests/fidelity/test_section.c - the section `fidelity` of worlds, and every mistake in it with
// its place.
#include "tests/scene/world_text.h"

#define WORLD "world: w\nbodies:\n  cup: { mass: 1, shapes: [ { sphere: 0.1 } ] }\nfidelity:\n"

static void the_section_is_read(void **state) {
    (void)state;
    world_model *w = world_good(WORLD "  bodies: { near: 0.5, medium: standing, far: scenery, "
                                      "still: 3, every: 2, big_islands: { over: 30 }, "
                                      "operations: { close_gripper: 0.7 } }\n"
                                      "  robot: { parked: true }\n");
    const world_fidelity *f = &w->fidelity;
    assert_true(f->bodies && f->near == 0.5 && f->still == 3 && f->every == 2 && f->big == 30);
    assert_int_equal(f->medium, LEVEL_STANDING);
    assert_int_equal(f->far, LEVEL_SCENERY);
    assert_true(f->parked);
    assert_int_equal(f->operation_count, 1);
    assert_string_equal(f->operations[0].name, "close_gripper");
    assert_true(f->operations[0].near == 0.7);
    assert_null(f->from);
    world_destroy(w);
}

static void what_is_left_out_has_its_default(void **state) {
    (void)state;
    world_model *w = world_good(WORLD "  bodies: { near: 0 }\n");
    const world_fidelity *f = &w->fidelity;
    assert_true(f->bodies && f->near == 0 && f->still == 2 && f->every == 1 && f->big == 20);
    assert_true(f->medium == LEVEL_STANDING && f->far == LEVEL_STANDING);
    world_destroy(w);
    w = world_good("world: w\n");
    assert_false(w->fidelity.bodies);
    world_destroy(w);
}

static void mistakes_are_named_where_they_stand(void **state) {
    (void)state;
    world_mistake(WORLD "  bodies: { near: -0.5 }\n", 5, "near");
    world_mistake(WORLD "  bodies: { near: .nan }\n", 5, "near");
    world_mistake(WORLD "  bodies: { medium: standing }\n", 5, "`near`");
    world_mistake(WORLD "  bodies: 0.5\n", 5, "`near`");
    world_mistake(WORLD "  bodies: { near: 1, medium: standin }\n", 5, "standing");
    world_mistake(WORLD "  bodies: { near: 1, medium: coarse }\n", 5, "coarse");
    world_mistake(WORLD "  bodies: { near: 1, medium: scenery }\n", 5, "`medium`");
    world_mistake(WORLD "  bodies: { near: 1, far: full }\n", 5, "`far: full`");
    world_mistake(WORLD "  bodies: { near: 1, still: 0 }\n", 5, "`still`");
    world_mistake(WORLD "  bodies: { near: 1, still: 1.5 }\n", 5, "still");
    world_mistake(WORLD "  bodies: { near: 1, every: 0 }\n", 5, "every");
    world_mistake(WORLD "  bodies: { near: 1, big_islands: 20 }\n", 5, "big_islands");
    world_mistake(WORLD "  bodies: { near: 1, big_islands: { over: 0 } }\n", 5, "`over`");
    world_mistake(WORLD "  bodies: { near: 1, farther: 2 }\n", 5, "farther");
    world_mistake(WORLD "  bodies: { near: 1, operations: [detect] }\n", 5, "`operations`");
    world_mistake(WORLD "  bodies: { near: 1, operations: { detect: -1 } }\n", 5, "detect");
    world_mistake(WORLD "  robots: { parked: true }\n", 5, "robots");
    world_mistake(WORLD "  robot: parked\n", 5, "`robot`");
    world_mistake(WORLD "  robot: { parked: 2 }\n", 5, "parked");
    world_mistake(WORLD "  robot: { kinematic: true }\n", 5, "kinematic");
    world_mistake("world: w\nfidelity: low\n", 2, "`fidelity`");
}

// A world without a section, with one in a file of its own beside it.
static status with_file(const char *own, const char *file, world_model **out, errors *list) {
    char *folder = testlib_folder(), *path = testlib_write(folder, "w.yaml", own),
         *other = testlib_write(folder, "f.yaml", file);
    setting s = {FIDELITY_SCOPE, "from", file[0] == '=' ? file + 1 : other};
    settings set = {.items = &s, .count = 1, .capacity = 1};
    status st = world_load(path, folder, &set, out, list);
    free(path);
    free(other);
    testlib_remove(folder);
    return st;
}

static void a_file_or_full_stands_for_the_section(void **state) {
    (void)state;
    errors list = {0};
    world_model *w = NULL;
    assert_int_equal(with_file("world: w\n", "fidelity: { bodies: { near: 0.25 } }\n", &w, &list),
                     OK);
    assert_true(w->fidelity.bodies && w->fidelity.near == 0.25);
    assert_string_equal(w->fidelity.from, "f.yaml");
    assert_int_equal(w->source_count, 2);
    assert_string_equal(w->sources[1].kind, "fidelity");
    world_destroy(w);
    assert_int_equal(with_file("world: w\nfidelity: { bodies: { near: 1 } }\n", "=full", &w, &list),
                     OK);
    assert_false(w->fidelity.bodies);
    assert_string_equal(w->fidelity.from, "full");
    world_destroy(w);
    w = NULL;
    assert_int_equal(with_file("world: w\n", "fidelity: { bodies: { near: -1 } }\n", &w, &list),
                     E_INPUT);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].line, 1);
    assert_int_equal(list.items[0].column, 29);
    errors_finish(&list);
    assert_int_equal(with_file("world: w\n", "bodies: {}\n", &w, &list), E_INPUT);
    assert_null(w);
    errors_finish(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_section_is_read),
        cmocka_unit_test(what_is_left_out_has_its_default),
        cmocka_unit_test(mistakes_are_named_where_they_stand),
        cmocka_unit_test(a_file_or_full_stands_for_the_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
