// tests/report/test_picture.c - pictures: where things are drawn, which hide which, and that files
// are whole or absent.
#include "report/picture/picture.h"
#include "report/picture/render.h"
#include "report/picture/stage.h"
#include "tests/testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const shape CUBE = {.kind = SHAPE_BOX, .at = {{0, 0, 0}, {1, 0, 0, 0}}, .size = {1, 1, 1}};
static const shape BALL = {
    .kind = SHAPE_SPHERE, .at = {{0, 0, 0}, {1, 0, 0, 0}}, .size = {0.5, 0, 0}};
static const shape FLOOR = {.kind = SHAPE_PLANE, .at = {{0, 0, 0}, {1, 0, 0, 0}}};

static picture_thing thing(const char *name, const shape *s, vec3 at, vec3 rgb) {
    return (picture_thing){
        .name = name, .shapes = s, .shape_count = 1, .at = {at, {1, 0, 0, 0}}, .rgb = rgb};
}

static int32_t seen_at(const frame *f, double x, double y) {
    return f->thing[(size_t)y * (size_t)f->width + (size_t)x];
}

static void the_nearer_of_two_things_hides_the_other(void **state) {
    (void)state;
    picture_thing things[2] = {thing("far", &CUBE, v3(5, 0, 0), v3(1, 0, 0)),
                               thing("near", &BALL, v3(2, 0, 0), v3(0, 0, 1))};
    bool hidden[2] = {false, false};
    viewer v = viewer_look(v3(-1, 0, 0), v3(1, 0, 0), 0.8, 200, 100);
    frame f;
    frame_draw(things, 2, hidden, &v, v3(0, -1, -1), v3(6, 1, 1), 200, 100, &f);
    assert_int_equal(seen_at(&f, 100, 50), 1);
    // The ball's silhouette: a cone of asin(r / distance), in pixels of the focal length.
    double focal = 50 / tan(0.4), edge = focal * tan(asin(0.5 / 3));
    assert_int_equal(seen_at(&f, 100 + edge - 2, 50), 1);
    assert_int_not_equal(seen_at(&f, 100 + edge + 2, 50), 1);
    frame_finish(&f);
    hidden[1] = true;
    frame_draw(things, 2, hidden, &v, v3(0, -1, -1), v3(6, 1, 1), 200, 100, &f);
    assert_int_equal(seen_at(&f, 100, 50), 0);
    // The near face of the cube is 5.5 m away and 1 m wide.
    assert_int_equal(seen_at(&f, 100 + focal * 0.5 / 5.5 - 1, 50), 0);
    assert_int_equal(seen_at(&f, 100 + focal * 0.5 / 5.5 + 1.5, 50), -1);
    uint32_t c = f.pixels[50 * 200 + 100];
    assert_true((c >> 16 & 255) > 4 * (c >> 8 & 255) + 20); // red
    frame_finish(&f);
}

static void what_lies_behind_the_viewer_is_not_drawn_and_what_surrounds_it_is(void **state) {
    (void)state;
    picture_thing things[2] = {thing("behind", &CUBE, v3(-5, 0, 0), v3(1, 0, 0)),
                               thing("floor", &FLOOR, v3(0, 0, -1), v3(0, 1, 0))};
    bool hidden[2] = {false, false};
    viewer v = viewer_look(v3(0, 0, 0), v3(1, 0, 0), 0.8, 80, 60);
    frame f;
    frame_draw(things, 2, hidden, &v, v3(-6, -1, -1), v3(6, 1, 1), 80, 60, &f);
    for (size_t i = 0; i < 80 * 60; i++)
        assert_int_not_equal(f.thing[i], 0);
    assert_int_equal(seen_at(&f, 40, 59), 1);
    frame_finish(&f);
}

static void a_thing_in_the_shadow_of_another_is_darker(void **state) {
    (void)state;
    picture_thing things[2] = {thing("floor", &FLOOR, v3(0, 0, 0), v3(0.5, 0.5, 0.5)),
                               thing("lid", &CUBE, v3(0, 0, 1.5), v3(1, 1, 1))};
    bool hidden[2] = {false, false};
    viewer v = viewer_look(v3(0.3, -6, 0.7), v3(0.3, 0, 0), 0.6, 300, 200);
    frame f[2];
    for (int k = 0; k < 2; k++) {
        hidden[1] = k == 1;
        frame_draw(things, 2, hidden, &v, v3(-2, -2, 0), v3(2, 2, 2), 300, 200, &f[k]);
    }
    size_t darker = 0;
    for (size_t i = 0; i < 300 * 200; i++)
        darker += f[0].thing[i] == 0 && f[1].thing[i] == 0 &&
                  (f[0].pixels[i] & 255) + 20 < (f[1].pixels[i] & 255);
    assert_true(darker > 200);
    frame_finish(&f[0]);
    frame_finish(&f[1]);
}

static void a_picture_is_a_png_of_the_size_asked_for(void **state) {
    (void)state;
    picture_thing things[3] = {thing("floor", &FLOOR, v3(0, 0, 0), v3(0.5, 0.5, 0.5)),
                               thing("cube", &CUBE, v3(0, 0, 0.5), v3(1, 0, 0)),
                               thing("cube#1", &CUBE, v3(0.1, 0, 0.5), v3(1, 0, 0))};
    things[0].building = true;
    things[2].ghost = true;
    picture_options o = picture_options_default();
    o.width = 160, o.height = 120, o.caption = "a cube";
    error err = {0};
    text_buffer png = {0};
    assert_int_equal(picture_draw(things, 3, &o, &png, &err), OK);
    assert_true(png.count > 24 && memcmp(png.items, "\x89PNG\r\n\x1a\n", 8) == 0);
    const unsigned char *head = (const unsigned char *)png.items;
    assert_int_equal(head[18] << 8 | head[19], 160);
    assert_int_equal(head[22] << 8 | head[23], 120);
    size_t length = png.count;
    assert_int_equal(picture_draw(things, 0, &o, &png, &err), E_INPUT);
    o.has_from = o.has_to = true;
    o.from = o.to = v3(1, 1, 1);
    assert_int_equal(picture_draw(things, 3, &o, &png, &err), E_INPUT);
    assert_int_equal(png.count, length);
    array_finish(&png);
}

static void a_picture_is_about_what_can_be_moved_and_what_carries_it(void **state) {
    (void)state;
    picture_thing things[4] = {thing("table", &CUBE, v3(0, 0, 0.5), v3(1, 0, 0)),
                               thing("ball", &BALL, v3(0, 0, 1.5), v3(0, 1, 0)),
                               thing("cupboard", &CUBE, v3(9, 0, 0.5), v3(1, 0, 0)),
                               thing("floor", &FLOOR, v3(0, 0, 0), v3(1, 1, 1))};
    things[0].fixed = things[2].fixed = things[3].fixed = things[3].building = true;
    vec3 low, high;
    assert_true(picture_bounds(things, 4, false, &low, &high));
    assert_true(fabs(high.x - 0.5) < 1e-9);
    assert_true(fabs(high.z - 2) < 1e-9);
    assert_true(fabs(low.z - 0) < 1e-9);
    assert_true(picture_bounds(things, 4, true, &low, &high));
    assert_true(fabs(high.x - 9.5) < 1e-9);
    // A robot by itself is no reason to leave the furniture out.
    things[1].whole = "robot";
    assert_true(picture_bounds(things, 4, false, &low, &high));
    assert_true(fabs(high.x - 9.5) < 1e-9);
}

static void what_is_believed_out_of_the_picture_has_no_label(void **state) {
    (void)state;
    picture_thing things[2] = {thing("cube", &CUBE, v3(0, 0, 0.5), v3(1, 0, 0)),
                               thing("cube#1", &CUBE, v3(0, 30, 0.5), v3(1, 0, 0))};
    things[1].ghost = true;
    picture_options o = picture_options_default();
    o.width = 160, o.height = 120, o.has_from = o.has_to = true;
    o.from = v3(-6, 0, 2);
    for (int k = 0; k < 2; k++) { // out of the picture, and within it
        things[1].at.p = v3(0, k ? 1 : 30, 0.5);
        text_buffer png[2] = {{0}};
        for (size_t i = 0; i < 2; i++) {
            things[1].name = i ? "cube#1" : NULL;
            assert_int_equal(picture_draw(things, 2, &o, &png[i], NULL), OK);
        }
        bool same =
            png[0].count == png[1].count && memcmp(png[0].items, png[1].items, png[0].count) == 0;
        assert_int_equal(same, k == 0);
        for (size_t i = 0; i < 2; i++)
            array_finish(&png[i]);
    }
}

static void a_robot_is_found_with_all_of_its_parts(void **state) {
    (void)state;
    stage s;
    stage_init(&s);
    picture_thing base = thing("robot", &CUBE, v3(0, 0, 0.5), v3(1, 0, 0)),
                  head = thing(NULL, &BALL, v3(0, 0, 2.5), v3(1, 0, 0)),
                  other = thing("table", &CUBE, v3(5, 0, 0.5), v3(1, 0, 0));
    base.whole = head.whole = "robot";
    array_push(&s.things, base);
    array_push(&s.things, other);
    array_push(&s.things, head);
    vec3 middle, half;
    error err = {0};
    assert_int_equal(stage_find(&s, "robot", &middle, &half, &err), OK);
    assert_true(fabs(middle.z + half.z - 3) < 1e-9);
    assert_true(fabs(middle.z - half.z - 0) < 1e-9);
    assert_int_equal(stage_find(&s, "tabel", &middle, &half, &err), E_INPUT);
    assert_non_null(strstr(err.text, "did you mean `table`?"));
    stage_finish(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearer_of_two_things_hides_the_other),
        cmocka_unit_test(what_lies_behind_the_viewer_is_not_drawn_and_what_surrounds_it_is),
        cmocka_unit_test(a_thing_in_the_shadow_of_another_is_darker),
        cmocka_unit_test(a_picture_is_a_png_of_the_size_asked_for),
        cmocka_unit_test(a_picture_is_about_what_can_be_moved_and_what_carries_it),
        cmocka_unit_test(what_is_believed_out_of_the_picture_has_no_label),
        cmocka_unit_test(a_robot_is_found_with_all_of_its_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
