// tests/world/test_faces.c - boxes that lie face to face touch over a patch, however little they
// tilt.
#include "base/math/rng.h"
#include "projector/world/faces.h"
#include "tests/testlib.h"

#include <math.h>

static const double HALF[2][3] = {{0.08, 0.0275, 0.0115}, {0.02, 0.006, 0.02}};

static double draw(rng_key key, uint64_t i, double most) {
    return most * (2 * rng_uniform(key, i, 0) - 1);
}

// A remote control and a pad beside it that has sunk in by `depth` and tilts by up to `tilt`.
static void place(dGeomID box, dGeomID pad, double depth, double tilt, rng_key key, uint64_t i) {
    dMatrix3 r;
    dRFromEulerAngles(r, draw(key, 3 * i, tilt), draw(key, 3 * i + 1, 1e-3),
                      draw(key, 3 * i + 2, tilt));
    dGeomSetPosition(box, 0, 0, 0);
    dGeomSetPosition(pad, 0.003, HALF[0][1] + HALF[1][1] - depth, 0.01);
    dGeomSetRotation(pad, r);
}

// How far a point of the pad's face, at its corner, has sunk into the box, which stands straight.
static size_t sunken_corners(dGeomID pad) {
    const dReal *r = dGeomGetRotation(pad), *p = dGeomGetPosition(pad);
    size_t count = 0;
    for (int k = 0; k < 4; k++) {
        double x = k & 1 ? 1 : -1, z = k & 2 ? 1 : -1;
        double at[3];
        for (int j = 0; j < 3; j++)
            at[j] = p[j] + r[4 * j] * x * HALF[1][0] - r[4 * j + 1] * HALF[1][1] +
                    r[4 * j + 2] * z * HALF[1][2];
        count += at[1] < HALF[0][1];
    }
    return count;
}

static void a_face_on_a_face_is_a_patch_at_any_tilt(void **state) {
    (void)state;
    dInitODE2(0);
    dGeomID box = dCreateBox(NULL, 2 * HALF[0][0], 2 * HALF[0][1], 2 * HALF[0][2]);
    dGeomID pad = dCreateBox(NULL, 2 * HALF[1][0], 2 * HALF[1][1], 2 * HALF[1][2]);
    rng_key key = rng_key_make(11, "faces", "tilt");
    size_t points = 0, lost = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        place(box, pad, 8e-6, 3e-4, key, i);
        if (sunken_corners(pad) < 4)
            continue;
        dContactGeom c[8];
        size_t count = (size_t)dCollide(box, pad, 8, c, sizeof *c);
        lost += count < 3;
        count = faces_complete(box, pad, 0, c, count, 8);
        assert_in_range(count, 3, 8);
        points++;
        double low = INFINITY, high = -INFINITY;
        for (size_t k = 0; k < count; k++) {
            // On the face of one of them, in the other by micrometres.
            assert_true(c[k].depth > 0 && c[k].depth < 3e-5);
            assert_true(fabs(c[k].pos[1] + c[k].depth - HALF[0][1]) < 1e-6 ||
                        fabs(c[k].pos[1] - HALF[0][1]) < 1e-6);
            assert_true(fabs(c[k].pos[0] - 0.003) < HALF[1][0] + 1e-4);
            assert_true(fabs(c[k].pos[2]) < HALF[0][2] + 1e-4);
            low = fmin(low, c[k].pos[0]), high = fmax(high, c[k].pos[0]);
        }
        assert_true(high - low > 1.9 * HALF[1][0]);
    }
    // The case is no rare one.
    assert_true(points > 100 && lost > points / 20);
    dGeomDestroy(box);
    dGeomDestroy(pad);
    dCloseODE();
}

// Drawn one on the other, boxes touch or not as the last digit of their coordinates says.
static void faces_that_touch_to_the_last_digit_are_a_patch(void **state) {
    (void)state;
    dInitODE2(0);
    dGeomID box = dCreateBox(NULL, 2 * HALF[0][0], 2 * HALF[0][1], 2 * HALF[0][2]);
    dGeomID pad = dCreateBox(NULL, 2 * HALF[1][0], 2 * HALF[1][1], 2 * HALF[1][2]);
    rng_key key = rng_key_make(11, "faces", "touch");
    size_t some = 0;
    for (uint64_t i = 0; i < 500; i++) {
        place(box, pad, 0, 1e-9, key, i);
        dContactGeom c[8];
        size_t count = (size_t)dCollide(box, pad, 8, c, sizeof *c);
        if (count == 0)
            continue;
        some += count < 4;
        count = faces_complete(box, pad, 1e-7, c, count, 8);
        assert_in_range(count, 4, 8);
        for (size_t k = 0; k < count; k++)
            assert_true(c[k].depth >= 0 && c[k].depth < 1e-9);
    }
    assert_true(some > 100);
    dGeomDestroy(box);
    dGeomDestroy(pad);
    dCloseODE();
}

static void a_box_on_its_edge_stays_there(void **state) {
    (void)state;
    dInitODE2(0);
    dGeomID box = dCreateBox(NULL, 2 * HALF[0][0], 2 * HALF[0][1], 2 * HALF[0][2]);
    dGeomID pad = dCreateBox(NULL, 2 * HALF[1][0], 2 * HALF[1][1], 2 * HALF[1][2]);
    dGeomSetPosition(box, 0, 0, 0);
    for (double tilt = 0.002; tilt < 0.3; tilt *= 2) {
        dMatrix3 r;
        dRFromAxisAndAngle(r, 0, 0, 1, tilt);
        dGeomSetPosition(pad, 0,
                         HALF[0][1] + HALF[1][1] * cos(tilt) + HALF[1][0] * sin(tilt) - 1e-5, 0);
        dGeomSetRotation(pad, r);
        dContactGeom c[8], before[8];
        size_t count = (size_t)dCollide(box, pad, 8, c, sizeof *c);
        memcpy(before, c, sizeof c);
        assert_int_equal(count, 2);
        assert_int_equal(faces_complete(box, pad, 0, c, count, 8), 2);
        assert_memory_equal(c, before, count * sizeof *c);
    }
    dGeomDestroy(box);
    dGeomDestroy(pad);
    dCloseODE();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_on_a_face_is_a_patch_at_any_tilt),
        cmocka_unit_test(faces_that_touch_to_the_last_digit_are_a_patch),
        cmocka_unit_test(a_box_on_its_edge_stays_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
