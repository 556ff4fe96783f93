// tests/couple/test_couple_load.c - a rig's file: what is wrong in it is told with its place.
#include "projector/couple/couple.h"
#include "base/files/files.h"
#include "tests/testlib.h"

static const char RIGHT[] = "coupling: { kinds: [pfc, mmt], stiffness: 800, damping: 20 }\n"
                            "link: { round_trips: [0, 0.036], loss: 0.1 }\n"
                            "hand: { stiffness: 30, damping: 3, path: [[0, 0], [1, 0.08]] }\n"
                            "leader: { mass: 1, damping: 2 }\n"
                            "follower: { mass: 0.8, damping: 5 }\n"
                            "wall: { at: 0.05, stiffness: 3000 }\n"
                            "model: { stiffness: 3000, updates: true }\n";

// Loads RIGHT with one line (from 1) replaced; 0: none.
static status load_with(int line, const char *instead, rig *r, errors *list) {
    char *folder = testlib_folder(), path[4200], text[2048] = "";
    snprintf(path, sizeof path, "%s/rig.yaml", folder);
    const char *at = RIGHT;
    for (int i = 1; *at; i++) {
        const char *end = strchr(at, '\n') + 1;
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%.*s",
                 i == line ? (int)strlen(instead) : (int)(end - at), i == line ? instead : at);
        at = end;
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    status st = couple_load(path, r, list);
    testlib_remove(folder);
    return st;
}

static void a_right_file_is_read_whole(void **state) {
    (void)state;
    rig r;
    errors list = {0};
    assert_true(load_with(0, NULL, &r, &list) == OK && list.count == 0);
    assert_true(r.kinds.count == 2 && r.kinds.items[1] == COUPLING_mmt);
    assert_true(r.round_trips.count == 2 && r.round_trips.items[1] == 0.036);
    assert_true(r.link.loss == 0.1 && r.stiffness == 800 && r.follower_mass == 0.8);
    assert_true(r.wall && r.wall_at == 0.05 && !r.model && r.updates && r.duration == 10);
    rig_finish(&r);
    errors_finish(&list);
}

static void a_mistake_is_told_with_its_line(void **state) {
    (void)state;
    static const struct {
        int line;
        const char *instead, *told;
    } wrong[] = {
        {1, "coupling: { kinds: [pcf], stiffness: 800 }\n", "did you mean pfc"},
        {1, "coupling: { kinds: [], stiffness: 800 }\n", "must be a list"},
        {1, "coupling: { stifness: 800 }\n", "stifness"},
        {2, "link: { round_trips: [-0.01] }\n", "at least 0"},
        {2, "link: { round_trips: [0.003] }\n", "no multiple of the step"},
        {2, "link: { round_trips: [0], loss: 1 }\n", "less than 1"},
        {2, "link: { round_trips: [0], jitter: -0.1 }\n", "at least 0"},
        {2, "link: { loss: 0.1 }\n", "must list round trips"},
        {3, "hand: { stiffness: 30, path: [[1, 0], [1, 0.08]] }\n", "must come after"},
        {3, "hand: { stiffness: 30, path: [[0, 0], [9, 0.08]] }\n", "at rest for the last 2 s"},
        {3, "hand: { stiffness: 30, path: [[0, 0.06]] }\n", "within a wall"},
        {3, "hand: { stiffness: 30 }\n", "must list points"},
        {4, "leader: { mass: 0.001 }\n", "unstable at steps"},
        {4, "leader: 3\n", "must be a mapping"},
        {5, "follower: { mass: 0.002 }\n", "unstable at steps"},
        {5, "follower: { mass: .nan }\n", "follower.mass"},
        {6, "wall: { stiffness: 3000 }\n", "wall.at is missing"},
        {7, "model: { at: 0.05 }\n", "model.stiffness is missing"},
        {7, "", "mmt needs a twin"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rig r;
        errors list = {0};
        assert_true(load_with(wrong[i].line, wrong[i].instead, &r, &list) == E_INPUT);
        bool told = false;
        for (size_t k = 0; k < list.count; k++)
            told |= strstr(list.items[k].text, wrong[i].told) && list.items[k].line > 0;
        if (!told)
            fail_msg("case %zu: %s", i, list.count ? list.items[0].text : "no error");
        errors_finish(&list);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_file_is_read_whole),
        cmocka_unit_test(a_mistake_is_told_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
