// tests/scene/world_text.h - worlds written as text in a test.
#ifndef FORESEE_TESTS_SCENE_WORLD_TEXT_H
#define FORESEE_TESTS_SCENE_WORLD_TEXT_H

#include "scene/world/world.h"
#include "tests/testlib.h"

static inline status world_text(const char *text, world_model **out, errors *list) {
    char *folder = testlib_folder(), *path = testlib_write(folder, "w.yaml", text);
    status s = world_load(path, folder, NULL, out, list);
    free(path);
    testlib_remove(folder);
    return s;
}

static inline world_model *world_good(const char *text) {
    errors list = {0};
    world_model *w = NULL;
    if (world_text(text, &w, &list) != OK)
        fail_msg("%d:%d %s", list.items[0].line, list.items[0].column, list.items[0].text);
    errors_finish(&list);
    return w;
}

// Exactly one mistake, at `line`, whose sentence holds `words`.
static inline void world_mistake(const char *text, int line, const char *words) {
    errors list = {0};
    world_model *w = NULL;
    assert_int_equal(world_text(text, &w, &list), E_INPUT);
    assert_null(w);
    if (list.count != 1 || list.items[0].line != line || !strstr(list.items[0].text, words))
        fail_msg("%zu mistakes, the first at %d:%d: %s\nin: %s", list.count, list.items[0].line,
                 list.items[0].column, list.items[0].text, text);
    errors_finish(&list);
}

#endif
