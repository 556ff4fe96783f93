// tests/schema/test_keyframe.c - what the keyframes promise, over random motions.
#include "tests/testlib.h"
#include <math.h>
#include <time.h>
#include "base/math/rng.h"
#include "schema/motion/keyframe.h"

#define STEP INT64_C(2000000)
#define SAMPLES 4000
#define HALF_WINDOW 25 // steps: 50 ms

typedef struct motion {
    pose samples[SAMPLES];
    keyframe_pose_key keys[SAMPLES + 100];
    size_t key_count;
} motion;

typedef struct draws {
    rng_key key;
    uint64_t count;
} draws;

static double draw(draws *d, double low, double high) {
    return low + (high - low) * rng_uniform(d->key, d->count++, 0);
}

// Rests, smooth accelerated motions, hits and jitter, one after the other.
static void make_motion(motion *m, draws *d, double jitter) {
    vec3 p = {draw(d, -3, 3), draw(d, -3, 3), draw(d, 0, 1)}, v = {0, 0, 0}, a = {0, 0, 0};
    vec3 w = {0, 0, 0}, dw = {0, 0, 0};
    quat q = quat_exp(v3(draw(d, -2, 2), draw(d, -2, 2), draw(d, -2, 2)));
    double dt = seconds(STEP);
    int left = 0;
    for (int i = 0; i < SAMPLES; i++) {
        if (left-- == 0) {
            left = (int)draw(d, 1, 600);
            double kind = draw(d, 0, 4);
            bool moves = kind > 1;
            a = moves ? v3(draw(d, -2, 2), draw(d, -2, 2), draw(d, -2, 2)) : v3(0, 0, 0);
            dw = moves ? v3(draw(d, -5, 5), draw(d, -5, 5), draw(d, -5, 5)) : v3(0, 0, 0);
            if (kind < 1) {
                v = w = v3(0, 0, 0);
            } else if (kind > 3) {
                v = v3(draw(d, -2, 2), draw(d, -2, 2), draw(d, -2, 2));
                w = v3(draw(d, -9, 9), draw(d, -9, 9), draw(d, -9, 9));
            }
        }
        v = v3_add(v, v3_scale(a, dt));
        w = v3_add(w, v3_scale(dw, dt));
        p = v3_add(p, v3_scale(v, dt));
        q = quat_unit(quat_mul(quat_exp(v3_scale(w, dt)), q));
        if (draw(d, 0, 1) < 0.2)
            q = (quat){-q.w, -q.x, -q.y, -q.z}; // the same orientation
        m->samples[i] = (pose){p, q};
        if (jitter > 0)
            m->samples[i].p.x += draw(d, -jitter, jitter);
    }
}

static void begin_ways(keyframe_pose *k, keyframe_tolerance tolerance, bool straight) {
    if (straight)
        keyframe_pose_init(k, tolerance);
    else
        keyframe_pose_init_bowed(k, tolerance);
}

static void begin_keys(motion *m, keyframe_pose *k, keyframe_tolerance tolerance, bool straight) {
    begin_ways(k, tolerance, straight);
    m->key_count = 0;
}

static void feed_sample(motion *m, keyframe_pose *k, int i) {
    m->key_count += keyframe_pose_feed(k, i * STEP, &m->samples[i], &m->keys[m->key_count]);
}

static void commit_keys(motion *m, keyframe_pose *k) {
    m->key_count += keyframe_pose_flush(k, &m->keys[m->key_count]);
}

static void compress_as(motion *m, keyframe_tolerance tolerance, int commit_every, bool straight) {
    keyframe_pose k;
    begin_keys(m, &k, tolerance, straight);
    for (int i = 0; i < SAMPLES; i++) {
        feed_sample(m, &k, i);
        if ((i + 1) % commit_every == 0)
            commit_keys(m, &k);
    }
    commit_keys(m, &k);
}

static void compress(motion *m, keyframe_tolerance tolerance, int commit_every) {
    compress_as(m, tolerance, commit_every, false);
}

static pose decode(const motion *m, nanos t) {
    size_t i = m->key_count;
    while (i > 0 && m->keys[i - 1].t > t)
        i--;
    assert_true(i > 0);
    const keyframe_pose_key *a = &m->keys[i - 1];
    if (i == m->key_count || a->t == t)
        return a->pose;
    const keyframe_pose_key *b = &m->keys[i];
    double u = (double)(t - a->t) / (double)(b->t - a->t);
    vec3 turn = quat_log(quat_mul(quat_inverse(a->pose.q), b->pose.q));
    vec3 p = v3_add(a->pose.p, v3_scale(v3_sub(b->pose.p, a->pose.p), u));
    double bent = 4 * u * (1 - u);
    return (pose){
        v3_add(p, v3_scale(b->bow, bent)),
        quat_mul(a->pose.q, quat_exp(v3_add(v3_scale(turn, u), v3_scale(b->bow_turn, bent))))};
}

static void check_bounds(const motion *m, keyframe_tolerance tolerance, double *worst) {
    static pose decoded[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        decoded[i] = decode(m, i * STEP);
        double off = v3_distance(decoded[i].p, m->samples[i].p);
        double turned = quat_angle(decoded[i].q, m->samples[i].q);
        *worst = fmax(*worst, off / tolerance.position);
        assert_true(off <= tolerance.position);
        assert_true(turned <= tolerance.angle + 1e-11);
    }
    for (int i = HALF_WINDOW; i + HALF_WINDOW < SAMPLES; i++) {
        const pose *a = &m->samples[i - HALF_WINDOW], *b = &m->samples[i + HALF_WINDOW];
        const pose *x = &decoded[i - HALF_WINDOW], *y = &decoded[i + HALF_WINDOW];
        double window = seconds(2 * HALF_WINDOW * STEP);
        vec3 truth = v3_scale(v3_sub(b->p, a->p), 1 / window),
             read = v3_scale(v3_sub(y->p, x->p), 1 / window);
        assert_true(v3_distance(truth, read) <= tolerance.speed);
        double turn = quat_angle(a->q, b->q) / window, turn_read = quat_angle(x->q, y->q) / window;
        assert_true(fabs(turn - turn_read) <= tolerance.rate + 1e-9);
    }
}

static void poses_and_speeds_stay_within_the_tolerance_of_every_step(void **state) {
    (void)state;
    static motion m;
    keyframe_tolerance tolerance = keyframe_tolerance_scaled(1);
    double worst = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        draws d = {rng_key_make(seed, "keyframe", "motion"), 0};
        make_motion(&m, &d, seed % 3 == 0 ? 2e-5 : 0);
        compress_as(&m, tolerance, seed % 2 ? 500 : 137, seed % 5 == 0);
        check_bounds(&m, tolerance, &worst);
        assert_true(m.key_count < SAMPLES / 4);
    }
    // the tolerance is made use of, not merely kept: half of it goes to the speed
    assert_true(worst > 0.3 && worst <= 0.5);
}

static void a_wide_speed_leaves_the_whole_position_tolerance(void **state) {
    (void)state;
    static motion m;
    keyframe_tolerance tolerance = keyframe_tolerance_scaled(1);
    tolerance.speed = 1;
    tolerance.rate = 10;
    double worst = 0;
    for (uint64_t seed = 100; seed < 110; seed++) {
        draws d = {rng_key_make(seed, "keyframe", "motion"), 0};
        make_motion(&m, &d, 0);
        compress(&m, tolerance, 500);
        check_bounds(&m, tolerance, &worst);
    }
    assert_true(worst > 0.6 && worst <= 1);
}

static void zero_tolerance_is_exact(void **state) {
    (void)state;
    static motion m;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        draws d = {rng_key_make(seed, "keyframe", "exact"), 0};
        make_motion(&m, &d, 0);
        compress(&m, keyframe_tolerance_scaled(0), 500);
        for (int i = 0; i < SAMPLES; i++) {
            pose p = decode(&m, i * STEP);
            assert_memory_equal(&p.p, &m.samples[i].p, sizeof p.p);
            assert_true(quat_angle(p.q, m.samples[i].q) < 1e-7);
        }
    }
}

static void keys_are_samples_in_strict_order(void **state) {
    (void)state;
    static motion m;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        draws d = {rng_key_make(seed, "keyframe", "order"), 0};
        make_motion(&m, &d, 1e-5);
        compress_as(&m, keyframe_tolerance_scaled(seed % 2 ? 1 : 0), 100, true);
        assert_true(m.keys[0].t == 0);
        for (size_t i = 0; i < m.key_count; i++) {
            assert_true(i == 0 || m.keys[i].t > m.keys[i - 1].t);
            assert_memory_equal(&m.keys[i].pose, &m.samples[m.keys[i].t / STEP], sizeof(pose));
        }
    }
}

// What a crash just after a commit leaves must tell where the body was.
static void a_commit_tells_where_the_body_is(void **state) {
    (void)state;
    static motion m;
    keyframe_tolerance tolerance = keyframe_tolerance_scaled(1);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        draws d = {rng_key_make(seed, "keyframe", "commit"), 0};
        make_motion(&m, &d, 0);
        keyframe_pose k;
        keyframe_pose_key key, last = {0};
        begin_ways(&k, tolerance, seed % 2);
        for (int i = 0; i < SAMPLES; i++) {
            if (keyframe_pose_feed(&k, i * STEP, &m.samples[i], &key))
                last = key;
            if (i % 250 != 249)
                continue;
            if (keyframe_pose_flush(&k, &key))
                last = key;
            assert_true(v3_distance(last.pose.p, m.samples[i].p) <= tolerance.position);
            assert_true(quat_angle(last.pose.q, m.samples[i].q) <= tolerance.angle);
        }
    }
}

static void a_body_at_rest_needs_one_key(void **state) {
    (void)state;
    keyframe_pose k;
    keyframe_pose_key key;
    for (int straight = 0; straight < 2; straight++) {
        begin_ways(&k, keyframe_tolerance_scaled(1), straight);
        pose p = {{1, 2, 3}, {1, 0, 0, 0}};
        int keys = 0;
        for (int i = 0; i < 50000; i++) {
            p.p.x = 1 + (i % 7) * 1e-6; // a contact trembles
            keys += keyframe_pose_feed(&k, i * STEP, &p, &key);
            keys += i % 500 == 0 && keyframe_pose_flush(&k, &key);
        }
        assert_int_equal(keys, 1);
    }
}

static void a_body_that_starts_after_a_rest_gets_a_key_where_it_starts(void **state) {
    (void)state;
    keyframe_pose k;
    keyframe_pose_key key;
    keyframe_pose_init(&k, keyframe_tolerance_scaled(1));
    pose p = POSE_IDENTITY;
    int i = 0;
    assert_true(keyframe_pose_feed(&k, 0, &p, &key));
    for (i = 1; i < 10000; i++)
        assert_false(keyframe_pose_feed(&k, i * STEP, &p, &key));
    p.p.z = 0.01;
    assert_true(keyframe_pose_feed(&k, i * STEP, &p, &key));
    assert_true(key.t == (i - 1) * STEP);
    assert_true(key.pose.p.z == 0);
    assert_true(keyframe_pose_flush(&k, &key));
    assert_true(key.t == i * STEP && key.pose.p.z == 0.01);
    assert_false(keyframe_pose_flush(&k, &key));
}

// A body is not fed while it sleeps; it falls asleep in the midst of what bends.
static void a_rest_that_was_told_is_kept_however_the_body_moved_before(void **state) {
    (void)state;
    static motion m;
    keyframe_tolerance tolerance = keyframe_tolerance_scaled(1);
    double worst = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        draws d = {rng_key_make(seed, "keyframe", "sleep"), 0};
        make_motion(&m, &d, 0);
        keyframe_pose k;
        begin_keys(&m, &k, tolerance, seed % 3 == 0);
        for (int i = 0, left = 0, asleep = 0; i < SAMPLES; i++, left--) {
            if (left <= 0) {
                if (asleep)
                    m.key_count += keyframe_pose_rest(&k, (i - 1) * STEP, &m.keys[m.key_count]);
                left = (int)draw(&d, 1, 400);
                asleep = !asleep && i > 0;
            }
            if (asleep)
                m.samples[i] = m.samples[i - 1];
            else
                feed_sample(&m, &k, i);
            if (i % 500 == 499)
                commit_keys(&m, &k);
        }
        commit_keys(&m, &k);
        check_bounds(&m, tolerance, &worst);
    }
}

static void steady_motion_needs_keys_at_its_ends_only(void **state) {
    (void)state;
    keyframe_pose k;
    keyframe_pose_key key;
    keyframe_pose_init(&k, keyframe_tolerance_scaled(1));
    int keys = 0;
    for (int i = 0; i < 20000; i++) {
        pose p = {{i * 0.001, 0, 0}, quat_axis_angle(v3(0, 0, 1), i * 1e-5)};
        keys += keyframe_pose_feed(&k, i * STEP, &p, &key);
    }
    assert_int_equal(keys, 1);
    assert_true(keyframe_pose_flush(&k, &key));
}

static void a_long_turn_is_keyed_before_its_logarithm_wraps(void **state) {
    (void)state;
    keyframe_pose k;
    keyframe_pose_key key;
    keyframe_pose_init(&k, keyframe_tolerance_scaled(1));
    int keys = 0;
    double before = 0;
    for (int i = 0; i < 5000; i++) {
        pose p = {{0, 0, 0}, quat_axis_angle(v3(0, 0, 1), i * 0.004)};
        if (keyframe_pose_feed(&k, i * STEP, &p, &key)) {
            double turned = (double)(key.t / STEP) * 0.004;
            assert_true(turned - before <= 2.5);
            before = turned;
            keys++;
        }
    }
    assert_in_range(keys, 8, 10); // 20 rad
}

static void the_same_instant_again_is_ignored(void **state) {
    (void)state;
    keyframe_pose k;
    keyframe_pose_key key;
    keyframe_pose_init(&k, keyframe_tolerance_scaled(1));
    pose a = POSE_IDENTITY, b = {{1, 0, 0}, {1, 0, 0, 0}};
    assert_true(keyframe_pose_feed(&k, STEP, &a, &key));
    assert_false(keyframe_pose_feed(&k, STEP, &b, &key));
    assert_false(keyframe_pose_flush(&k, &key));
}

// What the keys from number `at` on, which is not after `t`, tell of an instant.
static double read_number(const keyframe_value_key *keys, size_t count, size_t at, nanos t) {
    const keyframe_value_key *a = &keys[at], *b = &keys[at + 1];
    if (at + 1 >= count || a->t >= t)
        return a->value;
    double u = (double)(t - a->t) / (double)(b->t - a->t);
    return a->value + (b->value - a->value) * u + 4 * b->bow * u * (1 - u);
}

static void numbers_stay_within_their_tolerance(void **state) {
    (void)state;
    static double values[SAMPLES], decoded[SAMPLES];
    static keyframe_value_key keys[SAMPLES + 100];
    for (uint64_t seed = 1; seed <= 60; seed++) {
        draws d = {rng_key_make(seed, "keyframe", "value"), 0};
        double tolerance = seed % 4 == 0 ? 0 : 5e-5, x = 0, v = 0, a = 0;
        keyframe_value k;
        keyframe_value_key key;
        size_t count = 0, at = 0;
        keyframe_value_init_bowed(&k, tolerance, 0.01, 100000000);
        for (int i = 0; i < SAMPLES; i++) {
            if (draw(&d, 0, 1) < 0.01) {
                a = draw(&d, -3, 3);
                v = draw(&d, 0, 1) < 0.3 ? 0 : v;
                a = v == 0 ? 0 : a;
                v = draw(&d, 0, 1) < 0.1 ? draw(&d, -1, 1) : v;
            }
            v += a * seconds(STEP);
            x += v * seconds(STEP);
            values[i] = x;
            if (keyframe_value_feed(&k, i * STEP, x, &key))
                keys[count++] = key;
            if (i % 300 == 299 && keyframe_value_flush(&k, &key))
                keys[count++] = key;
        }
        if (keyframe_value_flush(&k, &key))
            keys[count++] = key;
        for (int i = 0; i < SAMPLES; i++) {
            while (at + 1 < count && keys[at + 1].t <= i * STEP)
                at++;
            decoded[i] = read_number(keys, count, at, i * STEP);
            assert_true(fabs(decoded[i] - values[i]) <= tolerance);
        }
        for (int i = HALF_WINDOW; i + HALF_WINDOW < SAMPLES && tolerance > 0; i++) {
            double window = seconds(2 * HALF_WINDOW * STEP);
            double truth = (values[i + HALF_WINDOW] - values[i - HALF_WINDOW]) / window;
            double read = (decoded[i + HALF_WINDOW] - decoded[i - HALF_WINDOW]) / window;
            assert_true(fabs(truth - read) <= 2 * tolerance / window + 1e-12);
            assert_true(fabs(truth - read) <= 0.01);
        }
        assert_true(tolerance <= 0 || count < SAMPLES / 20);
    }
}

// A target that speeds up, goes on and slows down.
static double trapeze(double t) {
    double s = fmin(t, 1), cruise = fmin(fmax(t - 1, 0), 1), end = fmin(fmax(t - 2, 0), 1);
    return 0.5 * s * s + cruise + end - 0.5 * end * end;
}

static size_t count_trapeze(bool straight, double *bows) {
    keyframe_value k;
    keyframe_value_key key;
    size_t count = 0;
    if (straight)
        keyframe_value_init(&k, 1e-5, 1, 100000000);
    else
        keyframe_value_init_bowed(&k, 1e-5, 1, 100000000);
    *bows = 0;
    for (int i = 0; i < 1600; i++) {
        if (keyframe_value_feed(&k, i * STEP, trapeze(i * 0.002), &key)) {
            count++;
            *bows = fmax(*bows, fabs(key.bow));
        }
    }
    return count + keyframe_value_flush(&k, &key);
}

static void a_number_on_parabolas_needs_keys_at_their_ends_only(void **state) {
    (void)state;
    double bent, straight;
    assert_in_range(count_trapeze(false, &bent), 7, 11); // of half a second each, at most
    assert_true(bent > 0.03 && bent < 0.034);            // 1 rad/s^2 over that: 0.033
    assert_true(count_trapeze(true, &straight) > 100 && straight == 0);
}

enum { JOINTS = 7 };
static const double link_length = 0.15;

static vec3 random_direction(draws *d) {
    return v3_unit(v3(draw(d, -1, 1), draw(d, -1, 1), draw(d, -1, 1)));
}

// How far the end of a chain goes astray when its base and joints are off by all of their shares,
// in random directions and random postures. The joints but the first lie in the levers' order.
static void check_chain(keyframe_width whole, double reach, keyframe_width base,
                        const keyframe_joint *joints) {
    double worst = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        draws d = {rng_key_make(seed, "keyframe", "chain"), 0};
        double angle = fmin(base.angle, base.position * draw(&d, 0, 1) / reach);
        vec3 off = v3_scale(random_direction(&d), base.position - angle * reach);
        pose truth = POSE_IDENTITY, read = {off, quat_exp(v3_scale(random_direction(&d), angle))};
        for (int j = 0; j < JOINTS; j++) {
            double turn = draw(&d, -0.3, 0.3), wrong = joints[j].width;
            wrong = draw(&d, 0, 1) < 0.5 ? wrong : -wrong;
            vec3 axis = j % 2 ? v3(0, 1, 0) : v3(0, 0, 1);
            pose link = {{link_length, 0, 0}, {1, 0, 0, 0}};
            truth = pose_mul(pose_mul(truth, (pose){{0, 0, 0}, quat_axis_angle(axis, turn)}), link);
            read = pose_mul(pose_mul(read, (pose){{0, 0, 0}, quat_axis_angle(axis, turn + wrong)}),
                            link);
        }
        worst = fmax(worst, v3_distance(truth.p, read.p));
        assert_true(quat_angle(truth.q, read.q) <= whole.angle);
    }
    assert_true(worst <= whole.position);
    assert_true(worst > 0.3 * whole.position); // and does not give the tolerance away
}

static void a_chain_within_its_shares_keeps_its_links_within_the_whole(void **state) {
    (void)state;
    keyframe_width whole = keyframe_width_of(keyframe_tolerance_scaled(1)), base;
    double reach = JOINTS * link_length;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        draws d = {rng_key_make(seed, "keyframe", "shares"), 0};
        keyframe_joint joints[JOINTS];
        for (int j = 0; j < JOINTS; j++)
            joints[j] = (keyframe_joint){.lever = (JOINTS - j) * link_length,
                                         .weight = seed == 1 ? 1 : draw(&d, 0.1, 1),
                                         .turns = true};
        double base_weight = seed == 1 ? 1 : draw(&d, 0.1, 1);
        keyframe_divide(whole, reach, base_weight, joints, JOINTS, &base);
        double sum = base.position, turns = base.angle;
        for (int j = 0; j < JOINTS; j++) {
            sum += joints[j].width * joints[j].lever;
            turns += joints[j].width;
            assert_true(seed > 1 || j == 0 || joints[j].width > joints[j - 1].width);
        }
        assert_true(sum <= whole.position * (1 + 1e-12) && turns <= whole.angle * (1 + 1e-12));
        check_chain(whole, reach, base, joints);
    }
}

static void a_restless_joint_gets_more_and_a_sliding_one_turns_nothing(void **state) {
    (void)state;
    keyframe_width whole = keyframe_width_of(keyframe_tolerance_scaled(1)), base;
    keyframe_joint joints[] = {{.lever = 0.5, .weight = 1, .turns = true},
                               {.lever = 0.5, .weight = 0.25, .turns = true},
                               {.lever = 1, .weight = 0.25, .turns = false}};
    keyframe_divide(whole, 0.5, 0.25, joints, 3, &base);
    assert_true(fabs(joints[0].width - 4 * joints[1].width) < 1e-12);
    double sum = base.position + 0.5 * joints[0].width + 0.5 * joints[1].width + joints[2].width;
    assert_true(fabs(sum - whole.position) < 1e-12);
    keyframe_divide(whole, 0, 1, joints + 2, 1,
                    &base); // nothing but a slide: all turning is the base's
    assert_true(base.angle == whole.angle);
}

static void a_chain_of_a_zero_tolerance_is_exact(void **state) {
    (void)state;
    keyframe_width base;
    keyframe_joint joint = {.lever = 1, .weight = 1, .turns = true};
    keyframe_divide(keyframe_width_of(keyframe_tolerance_scaled(0)), 1, 1, &joint, 1, &base);
    assert_true(base.position == 0 && base.angle == 0 && joint.width == 0);
}

// Rests that are rests bit for bit, drifts slower than any corridor, and make_motion's between.
static void make_idle_motion(motion *m, draws *d) {
    make_motion(m, d, 0);
    for (int i = 1, left = 0, kind = 0; i < SAMPLES; i++) {
        if (left-- == 0) {
            left = (int)draw(d, 1, 400);
            kind = (int)draw(d, 0, 3);
        }
        if (kind == 2)
            continue;
        m->samples[i] = m->samples[i - 1];
        m->samples[i].p.x += kind * 1e-7;
    }
}

static void every_sample_keeps_the_width_of_its_own_time(void **state) {
    (void)state;
    static motion m;
    static keyframe_width widths[SAMPLES];
    for (uint64_t seed = 1; seed <= 40; seed++) {
        draws d = {rng_key_make(seed, "keyframe", "widths"), 0};
        make_idle_motion(&m, &d);
        keyframe_tolerance tolerance = keyframe_tolerance_scaled(1);
        keyframe_width now = keyframe_width_of(tolerance);
        keyframe_pose k;
        begin_keys(&m, &k, tolerance, seed % 2);
        for (int i = 0; i < SAMPLES; i++) {
            if (draw(&d, 0, 1) < 0.02) {
                now = keyframe_width_of(keyframe_tolerance_scaled(draw(&d, 0.05, 1)));
                keyframe_pose_allow(&k, now, 0);
            }
            widths[i] = now;
            feed_sample(&m, &k, i);
            if (i % 500 == 499)
                commit_keys(&m, &k);
        }
        commit_keys(&m, &k);
        for (int i = 0; i < SAMPLES; i++) {
            pose p = decode(&m, i * STEP);
            assert_true(v3_distance(p.p, m.samples[i].p) <= widths[i].position);
            assert_true(quat_angle(p.q, m.samples[i].q) <= widths[i].angle + 1e-11);
        }
    }
}

static void every_number_keeps_the_width_of_its_own_time(void **state) {
    (void)state;
    static double values[SAMPLES], widths[SAMPLES];
    static keyframe_value_key keys[SAMPLES + 100];
    for (uint64_t seed = 1; seed <= 40; seed++) {
        draws d = {rng_key_make(seed, "keyframe", "value widths"), 0};
        keyframe_value k;
        double now = 1e-5, x = 0, v = 0;
        size_t count = 0, at = 0;
        keyframe_value_init_bowed(&k, now, 1, 100000000);
        for (int i = 0; i < SAMPLES; i++) {
            if (draw(&d, 0, 1) < 0.02)
                keyframe_value_allow(&k, now = draw(&d, 1e-7, 1e-5));
            if (draw(&d, 0, 1) < 0.01)
                v = draw(&d, 0, 1) < 0.5 ? 0 : draw(&d, 0, 1) < 0.5 ? 1e-8 : draw(&d, -1e-3, 1e-3);
            values[i] = x += v;
            widths[i] = now;
            if (keyframe_value_feed(&k, i * STEP, x, &keys[count]))
                count++;
        }
        if (keyframe_value_flush(&k, &keys[count]))
            count++;
        for (int i = 0; i < SAMPLES; i++) {
            while (at + 1 < count && keys[at + 1].t <= i * STEP)
                at++;
            double read = read_number(keys, count, at, i * STEP);
            assert_true(fabs(read - values[i]) <= widths[i] + 1e-15);
        }
    }
}

static void what_hangs_on_a_body_stays_within_its_width(void **state) {
    (void)state;
    static motion m;
    keyframe_tolerance tolerance = keyframe_tolerance_scaled(1);
    keyframe_width width = keyframe_width_of(tolerance);
    const double levers[] = {0.02, 0.1, 1};
    double worst = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        draws d = {rng_key_make(seed, "keyframe", "lever"), 0};
        double lever = levers[seed % 3];
        make_motion(&m, &d, 0);
        keyframe_pose k;
        begin_keys(&m, &k, tolerance, seed % 2);
        keyframe_pose_allow(&k, width, lever);
        for (int i = 0; i < SAMPLES; i++)
            feed_sample(&m, &k, i);
        commit_keys(&m, &k);
        for (int i = 0; i < SAMPLES; i++) {
            vec3 at = v3_scale(random_direction(&d), lever);
            pose p = decode(&m, i * STEP);
            double off = v3_distance(pose_apply(p, at), pose_apply(m.samples[i], at));
            assert_true(off <= width.position);
            assert_true(quat_angle(p.q, m.samples[i].q) <= width.angle + 1e-11);
            worst = fmax(worst, off / width.position);
        }
    }
    assert_true(worst > 0.7);
}

// The corridors go to the axes that need them: here to x, and to the turn about z.
static void a_way_that_bends_in_one_direction_gets_the_tolerance_there(void **state) {
    (void)state;
    keyframe_pose k;
    keyframe_pose_key a, b;
    keyframe_width width = keyframe_width_of(keyframe_tolerance_scaled(1));
    keyframe_pose_init(&k, keyframe_tolerance_scaled(1));
    double way = 0, turn = 0;
    for (int i = 0; i < 2000; i++) {
        double t = i * seconds(STEP);
        pose p = {{0.05 * t * t, 1, 0.1 * t}, quat_axis_angle(v3(0, 0, 1), 0.3 * t * t)};
        if (!keyframe_pose_feed(&k, i * STEP, &p, &b))
            continue;
        if (i > 500) { // what is left out of a parabola, halfway between two keys
            double half = 0.5 * seconds(b.t - a.t);
            way = fmax(way, 0.05 * half * half / width.position);
            turn = fmax(turn, 0.3 * half * half / width.angle);
        }
        a = b;
    }
    assert_true(fmax(way, turn) > 0.85 && fmax(way, turn) <= 1);
}

static void a_step_costs_about_a_microsecond_at_most(void **state) {
    (void)state;
    static motion m;
    draws d = {rng_key_make(5, "keyframe", "cost"), 0};
    make_motion(&m, &d, 0);
    struct timespec from, to;
    double best = 1e9;
    for (int round = 0; round < 20; round++) {
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        compress(&m, keyframe_tolerance_scaled(1), 500);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        double took =
            (double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) * 1e-3;
        best = fmin(best, took / SAMPLES);
    }
    print_message("%.3f us a moving body and step, %zu keys in %.0f s\n", best, m.key_count,
                  SAMPLES * 0.002);
    assert_true(best < 10); // sanitizers and loaded machines included
}

static void a_tolerance_in_millimetres_comes_back_from_its_scale(void **state) {
    (void)state;
    char text[NUMBER_SIZE];
    assert_true(keyframe_scale_of(0.1) == 1 && keyframe_scale_of(0) == 0);
    keyframe_scale_text(1, text);
    assert_string_equal(text, "0.1");
    for (int i = 1; i < 20000; i++) {
        double scale = keyframe_scale_of(i * 1e-4 / 3), again;
        keyframe_scale_text(scale, text);
        assert_true(number_parse(text, strlen(text), &again));
        assert_true(keyframe_scale_of(again) == scale);
    }
}

static void a_tolerance_of_an_older_log_is_a_factor(void **state) {
    (void)state;
    double scale;
    assert_true(keyframe_scale_logged("tolerance_mm", "0.1", &scale) && scale == 1);
    assert_true(keyframe_scale_logged("tolerance", "0.1", &scale) && scale == 0.1);
    assert_false(keyframe_scale_logged("tolerance", "fine", &scale));
    assert_false(keyframe_scale_logged("width", "0.1", &scale));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tolerance_in_millimetres_comes_back_from_its_scale),
        cmocka_unit_test(a_tolerance_of_an_older_log_is_a_factor),
        cmocka_unit_test(poses_and_speeds_stay_within_the_tolerance_of_every_step),
        cmocka_unit_test(a_wide_speed_leaves_the_whole_position_tolerance),
        cmocka_unit_test(zero_tolerance_is_exact),
        cmocka_unit_test(keys_are_samples_in_strict_order),
        cmocka_unit_test(a_commit_tells_where_the_body_is),
        cmocka_unit_test(a_body_at_rest_needs_one_key),
        cmocka_unit_test(a_body_that_starts_after_a_rest_gets_a_key_where_it_starts),
        cmocka_unit_test(a_rest_that_was_told_is_kept_however_the_body_moved_before),
        cmocka_unit_test(steady_motion_needs_keys_at_its_ends_only),
        cmocka_unit_test(a_long_turn_is_keyed_before_its_logarithm_wraps),
        cmocka_unit_test(the_same_instant_again_is_ignored),
        cmocka_unit_test(numbers_stay_within_their_tolerance),
        cmocka_unit_test(a_number_on_parabolas_needs_keys_at_their_ends_only),
        cmocka_unit_test(a_chain_within_its_shares_keeps_its_links_within_the_whole),
        cmocka_unit_test(a_restless_joint_gets_more_and_a_sliding_one_turns_nothing),
        cmocka_unit_test(a_chain_of_a_zero_tolerance_is_exact),
        cmocka_unit_test(every_sample_keeps_the_width_of_its_own_time),
        cmocka_unit_test(every_number_keeps_the_width_of_its_own_time),
        cmocka_unit_test(what_hangs_on_a_body_stays_within_its_width),
        cmocka_unit_test(a_way_that_bends_in_one_direction_gets_the_tolerance_there),
        cmocka_unit_test(a_step_costs_about_a_microsecond_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
