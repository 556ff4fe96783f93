// tests/scene/test_shapes.c - bounds, distance, rays, gaps and mass of shapes, against sampling.
#include "tests/testlib.h"

#include "base/math/rng.h"
#include "scene/load/loading.h"

#define CASES 60

static double draw(const char *what, uint64_t n, uint32_t channel, double low, double high) {
    return low + (high - low) * rng_uniform(rng_key_make(7, "shapes", what), n, channel);
}

static pose random_pose(const char *what, uint64_t n, double spread) {
    vec3 p = v3(draw(what, n, 0, -spread, spread), draw(what, n, 1, -spread, spread),
                draw(what, n, 2, -spread, spread));
    vec3 r = v3(draw(what, n, 3, -2, 2), draw(what, n, 4, -2, 2), draw(what, n, 5, -2, 2));
    return (pose){p, quat_exp(r)};
}

static shape random_shape(const char *what, uint64_t n, shape_kind kind) {
    double a = draw(what, n, 10, 0.05, 0.5), b = draw(what, n, 11, 0.05, 0.5),
           c = draw(what, n, 12, 0.05, 0.8);
    shape s = {kind, random_pose(what, n + 1000, 0.3), v3(a, b, c)};
    if (kind != SHAPE_BOX)
        s.size.y = s.size.x;
    return s;
}

// A point of the surface in the shape's own frame.
static vec3 surface_point(const shape *s, const char *what, uint64_t n) {
    double u = draw(what, n, 20, 0, 1), v = draw(what, n, 21, -1, 1), w = draw(what, n, 22, -1, 1);
    double angle = 2 * PI * draw(what, n, 23, 0, 1), r = s->size.x, h = s->size.z / 2;
    vec3 ball = v3(sqrt(1 - v * v) * cos(angle), sqrt(1 - v * v) * sin(angle), v);
    switch (s->kind) {
    case SHAPE_BOX: {
        double side = w < 0 ? -1 : 1, e = draw(what, n, 24, -1, 1);
        double c[3] = {v, e, side}, d[3];
        int first = (int)(u * 3);
        for (int i = 0; i < 3; i++)
            d[(first + i) % 3] = c[i];
        return v3(d[0] * s->size.x / 2, d[1] * s->size.y / 2, d[2] * s->size.z / 2);
    }
    case SHAPE_CYLINDER:
        if (u < 0.5)
            return v3(r * cos(angle), r * sin(angle), v * h);
        return v3(r * sqrt(fabs(v)) * cos(angle), r * sqrt(fabs(v)) * sin(angle), w < 0 ? -h : h);
    case SHAPE_SPHERE:
        return v3_scale(ball, r);
    case SHAPE_CAPSULE:
        if (u < 0.5)
            return v3(r * cos(angle), r * sin(angle), w * h);
        return v3_add(v3_scale(ball, r), v3(0, 0, ball.z < 0 ? -h : h));
    case SHAPE_PLANE:
    case SHAPE_MESH:
        return v3(v, w, 0);
    }
    return v3(0, 0, 0);
}

static void bounds_hold_the_surface_and_touch_it_on_every_side(void **state) {
    (void)state;
    for (uint64_t n = 0; n < CASES; n++) {
        shape s = random_shape("bounds", n, (shape_kind)(n % 4));
        pose at = random_pose("bounds body", n, 1);
        vec3 low, high, seen_low = v3(9, 9, 9), seen_high = v3(-9, -9, -9);
        assert_true(shapes_bounds(&s, 1, at, &low, &high));
        for (uint64_t k = 0; k < 20000; k++) {
            vec3 p = pose_apply(at, pose_apply(s.at, surface_point(&s, "bounds point", k)));
            seen_low = v3(fmin(seen_low.x, p.x), fmin(seen_low.y, p.y), fmin(seen_low.z, p.z));
            seen_high = v3(fmax(seen_high.x, p.x), fmax(seen_high.y, p.y), fmax(seen_high.z, p.z));
        }
        const double l[3] = {low.x, low.y, low.z}, h[3] = {high.x, high.y, high.z};
        const double sl[3] = {seen_low.x, seen_low.y, seen_low.z};
        const double sh[3] = {seen_high.x, seen_high.y, seen_high.z};
        for (int i = 0; i < 3; i++) {
            assert_true(l[i] <= sl[i] + 1e-12 && sl[i] - l[i] < 0.03);
            assert_true(h[i] >= sh[i] - 1e-12 && h[i] - sh[i] < 0.03);
        }
    }
}

static void bounds_of_a_plane_alone_are_none(void **state) {
    (void)state;
    shape s = {SHAPE_PLANE, POSE_IDENTITY, {0, 0, 0}};
    vec3 low, high;
    assert_false(shapes_bounds(&s, 1, POSE_IDENTITY, &low, &high));
    assert_false(shapes_bounds(&s, 0, POSE_IDENTITY, &low, &high));
}

static void distance_is_zero_on_the_surface(void **state) {
    (void)state;
    for (uint64_t n = 0; n < CASES; n++) {
        shape s = random_shape("surface", n, (shape_kind)(n % 5));
        pose at = random_pose("surface at", n, 1);
        for (uint64_t k = 0; k < 50; k++) {
            vec3 p = pose_apply(at, surface_point(&s, "surface point", 100 * n + k));
            assert_true(fabs(shape_distance(&s, at, p)) < 1e-12);
        }
    }
}

static void distance_outside_is_to_the_nearest_surface_point(void **state) {
    (void)state;
    int outside = 0, inside = 0;
    for (uint64_t n = 0; n < CASES; n++) {
        shape s = random_shape("distance", n, (shape_kind)(n % 4));
        pose at = random_pose("distance at", n, 0.3);
        for (uint64_t k = 0; k < 6; k++) {
            vec3 p = v3(draw("distance p", n, (uint32_t)(3 * k), -1, 1),
                        draw("distance p", n, (uint32_t)(3 * k + 1), -1, 1),
                        draw("distance p", n, (uint32_t)(3 * k + 2), -1, 1));
            double d = shape_distance(&s, at, p), least = INFINITY;
            for (uint64_t m = 0; m < 8000; m++)
                least = fmin(
                    least, v3_distance(p, pose_apply(at, surface_point(&s, "distance point", m))));
            // A sampled point is never nearer than the nearest; some sample comes close to it.
            assert_true(fabs(d) <= least + 1e-12);
            if (d > 0)
                assert_true(least - d < 0.03);
            outside += d > 0;
            inside += d < 0;
        }
    }
    assert_true(outside > 100 && inside > 5);
}

static void a_ray_hits_the_surface_where_marching_along_it_does(void **state) {
    (void)state;
    int hits = 0, misses = 0;
    for (uint64_t n = 0; n < 6000; n++) {
        shape s = random_shape("ray", n, (shape_kind)(n % 5));
        pose at = random_pose("ray at", n, 0.3);
        vec3 from = v3(draw("ray from", n, 0, -1.5, 1.5), draw("ray from", n, 1, -1.5, 1.5),
                       draw("ray from", n, 2, -1.5, 1.5));
        vec3 to = v3(draw("ray to", n, 0, -0.5, 0.5), draw("ray to", n, 1, -0.5, 0.5),
                     draw("ray to", n, 2, -0.5, 0.5));
        vec3 d = v3_unit(v3_sub(to, from));
        if (n % 7 == 0) // along an axis of the shape
            d = quat_rotate(at.q, n % 2 ? v3(0, 0, 1) : v3(-1, 0, 0));
        if (shape_distance(&s, at, from) < 1e-3)
            continue;
        // Walking by the distance never steps over a surface.
        double walked = 0, gap = 1;
        for (int i = 0; i < 5000 && walked < 10 && gap > 1e-7; i++) {
            gap = shape_distance(&s, at, v3_add(from, v3_scale(d, walked)));
            walked += gap;
        }
        double t = shape_ray(&s, at, from, d);
        if (walked < 10 && gap <= 1e-7) {
            if (!isfinite(t)) // grazed
                continue;
            assert_true(fabs(t - walked) < 1e-3);
            assert_true(fabs(shape_distance(&s, at, v3_add(from, v3_scale(d, t)))) < 1e-9);
            hits++;
        } else {
            assert_true(t >= 9);
            misses++;
        }
    }
    if (hits < 1000 || misses < 300)
        fail_msg("%d hits and %d misses prove little", hits, misses);
}

static void a_ray_from_inside_or_away_hits_nothing(void **state) {
    (void)state;
    for (uint64_t n = 0; n < CASES; n++) {
        shape s = random_shape("inside", n, (shape_kind)(n % 4));
        pose at = random_pose("inside at", n, 0.3);
        vec3 d = v3_unit(v3(draw("inside d", n, 0, -1, 1), draw("inside d", n, 1, -1, 1),
                            draw("inside d", n, 2, -1, 1)));
        assert_true(shape_ray(&s, at, at.p, d) == INFINITY);
        assert_true(shape_ray(&s, at, v3_add(at.p, v3_scale(d, 3)), d) == INFINITY);
        assert_true(shape_ray(&s, at, v3_add(at.p, v3_scale(d, -3)), d) < 3);
    }
}

static void the_gap_of_two_shapes_is_that_of_their_nearest_points(void **state) {
    (void)state;
    int apart = 0, together = 0;
    for (uint64_t n = 0; n < 300; n++) {
        shape a = random_shape("gap a", n, (shape_kind)(n % 5));
        shape b = random_shape("gap b", n, (shape_kind)(n / 5 % 4));
        pose pa = random_pose("gap pa", n, 0.5), pb = random_pose("gap pb", n, 0.5);
        double gap = shape_gap(&a, pa, &b, pb), least = INFINITY;
        assert_true(fabs(gap - shape_gap(&b, pb, &a, pa)) < 2e-5);
        for (uint64_t k = 0; k < 3000; k++) {
            vec3 p = pose_apply(pa, surface_point(&a, "gap point", k));
            vec3 q = pose_apply(pb, surface_point(&b, "gap point", k));
            if (a.kind != SHAPE_PLANE)
                least = fmin(least, shape_distance(&b, pb, p));
            least = fmin(least, shape_distance(&a, pa, q));
        }
        if (gap > 0) {
            assert_true(gap <= least + 1e-5); // no point is nearer
            assert_true(least - gap < 0.05);  // and some come near
            apart++;
        } else {
            assert_true(least < 0.02); // they overlap, or nearly touch
            together++;
        }
        if (least < 0)
            assert_true(gap == 0);
    }
    assert_true(apart > 50 && together > 50);
}

static void gaps_of_faces_edges_and_corners_are_exact(void **state) {
    (void)state;
    shape box = {SHAPE_BOX, POSE_IDENTITY, {2, 2, 2}},
          ball = {SHAPE_SPHERE, POSE_IDENTITY, {1, 1, 1}};
    shape can = {SHAPE_CYLINDER, POSE_IDENTITY, {0.5, 0.5, 1}};
    pose at = POSE_IDENTITY;
    at.p = v3(2.25, 0.3, 0);
    assert_true(fabs(shape_gap(&box, POSE_IDENTITY, &box, at) - 0.25) < 1e-6);
    assert_true(fabs(shape_gap(&box, POSE_IDENTITY, &ball, at) - 0.25) < 1e-6);
    at.p = v3(5, 5, 0);
    assert_true(fabs(shape_gap(&box, POSE_IDENTITY, &box, at) - sqrt(18)) < 1e-6);
    at.p = v3(3, 3, 3);
    assert_true(fabs(shape_gap(&box, POSE_IDENTITY, &ball, at) - (sqrt(12) - 1)) < 1e-6);
    at.p = v3(0, 0, 1.5);
    assert_true(shape_gap(&box, POSE_IDENTITY, &can, at) < 1e-6); // just touches
    at.p.z = 1.501;
    assert_true(fabs(shape_gap(&box, POSE_IDENTITY, &can, at) - 0.001) < 1e-6);
    at.p.z = 0.2;
    assert_true(shape_gap(&box, POSE_IDENTITY, &can, at) == 0);
    assert_true(shape_gap(&box, POSE_IDENTITY, &box, POSE_IDENTITY) == 0);
}

// A body of very many shapes: apart, each through the next, and all through all.
static size_t mass_of_many(size_t count, double apart, vec3 *com, mat3 *inertia) {
    shape *s = calloc(count, sizeof *s);
    assert_non_null(s);
    size_t looked = 0;
    for (size_t i = 0; i < count; i++)
        s[i] = (shape){.kind = SHAPE_BOX,
                       .at = {v3(apart * (double)i, 0.5, 0), quat_rpy(0, 0, apart > 0 ? 0 : 0.3)},
                       .size = {0.3, 0.1, 0.2}};
    assert_true(shapes_mass(s, count, com, inertia, &looked));
    free(s);
    return looked;
}

static void very_many_shapes_of_a_body_are_looked_at_a_bounded_number_of_times(void **state) {
    (void)state;
    vec3 com;
    mat3 inertia;
    assert_int_equal(mass_of_many(1000, 0.31, &com, &inertia), 0);
    size_t some = mass_of_many(100, 0.2, &com, &inertia);
    assert_true(some > 0 && mass_of_many(1000, 0.2, &com, &inertia) < 11 * some);
    // A row 200.1 m long: what neighbours share counts once.
    double length = 999 * 0.2 + 0.3;
    assert_true(fabs(com.x - 999 * 0.1) < 1e-3 && fabs(com.y - 0.5) < 1e-9);
    assert_true(fabs(inertia.m[2][2] / ((length * length + 0.01) / 12) - 1) < 2e-3);
    // All at one place: the body is one of them.
    assert_true(mass_of_many(1000, 0, &com, &inertia) <= 40000000);
    shape one = {
        .kind = SHAPE_BOX, .at = {v3(0, 0.5, 0), quat_rpy(0, 0, 0.3)}, .size = {0.3, 0.1, 0.2}};
    vec3 own;
    mat3 exact;
    assert_true(shapes_mass(&one, 1, &own, &exact, NULL));
    assert_true(v3_distance(com, own) < 1e-9);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            assert_true(fabs(inertia.m[a][b] - exact.m[a][b]) < 1e-9);
}

static void mass_properties_agree_with_integration(void **state) {
    (void)state;
    for (uint64_t n = 0; n < 16; n++) {
        // Apart from each other, since volumes that overlap count twice.
        shape s[2] = {random_shape("mass", n, (shape_kind)(n % 4)),
                      random_shape("mass", n + 50, (shape_kind)(n / 4 % 4))};
        s[0].at.p.x -= 1.2;
        s[1].at.p.x += 1.2;
        vec3 com, low, high, sum = v3(0, 0, 0);
        mat3 inertia, seen = {{{0}}};
        assert_true(shapes_mass(s, 2, &com, &inertia, NULL));
        assert_true(shapes_bounds(s, 2, POSE_IDENTITY, &low, &high));
        double count = 0;
        for (uint64_t k = 0; k < 400000; k++) {
            vec3 p = v3(draw("mass p", k, 0, low.x, high.x), draw("mass p", k, 1, low.y, high.y),
                        draw("mass p", k, 2, low.z, high.z));
            if (shape_distance(&s[0], s[0].at, p) > 0 && shape_distance(&s[1], s[1].at, p) > 0)
                continue;
            count++;
            sum = v3_add(sum, p);
            vec3 r = v3_sub(p, com);
            const double d[3] = {r.x, r.y, r.z};
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    seen.m[a][b] += (a == b ? v3_dot(r, r) : 0) - d[a] * d[b];
        }
        assert_true(count > 1000);
        assert_true(v3_distance(v3_scale(sum, 1 / count), com) < 0.03);
        double scale = inertia.m[0][0] + inertia.m[1][1] + inertia.m[2][2];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                assert_true(fabs(seen.m[a][b] / count - inertia.m[a][b]) < 0.03 * scale);
    }
}

static void resting_contact_is_no_overlap_but_two_millimetres_are(void **state) {
    (void)state;
    shape top = {SHAPE_BOX, POSE_IDENTITY, {1, 1, 0.1}};
    shape can = {SHAPE_CYLINDER, POSE_IDENTITY, {0.1, 0.1, 0.2}};
    shape floor = {SHAPE_PLANE, POSE_IDENTITY, {0, 0, 0}};
    pose at = POSE_IDENTITY;
    at.p = v3(0.2, 0.1, 0.15);
    assert_false(shapes_overlap(&top, 1, POSE_IDENTITY, &can, 1, at, 0.001));
    at.p.z = 0.148;
    assert_true(shapes_overlap(&top, 1, POSE_IDENTITY, &can, 1, at, 0.001));
    at.p.z = 0.1;
    assert_false(shapes_overlap(&floor, 1, POSE_IDENTITY, &can, 1, at, 0.001));
    at.p.z = 0.098;
    assert_true(shapes_overlap(&can, 1, at, &floor, 1, POSE_IDENTITY, 0.001));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_the_surface_and_touch_it_on_every_side),
        cmocka_unit_test(bounds_of_a_plane_alone_are_none),
        cmocka_unit_test(distance_is_zero_on_the_surface),
        cmocka_unit_test(distance_outside_is_to_the_nearest_surface_point),
        cmocka_unit_test(a_ray_hits_the_surface_where_marching_along_it_does),
        cmocka_unit_test(a_ray_from_inside_or_away_hits_nothing),
        cmocka_unit_test(the_gap_of_two_shapes_is_that_of_their_nearest_points),
        cmocka_unit_test(gaps_of_faces_edges_and_corners_are_exact),
        cmocka_unit_test(very_many_shapes_of_a_body_are_looked_at_a_bounded_number_of_times),
        cmocka_unit_test(mass_properties_agree_with_integration),
        cmocka_unit_test(resting_contact_is_no_overlap_but_two_millimetres_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
