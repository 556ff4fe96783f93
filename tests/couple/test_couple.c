// tests/couple/test_couple.c - couplings on one joint against a virtual wall: what delay does to
// each.
#include <math.h>

#include "projector/couple/ends.h"
#include "tests/testlib.h"

static const rig_point PATH[] = {{0, 0}, {1, 0.08}};

// A hand of 30 N/m, a coupling of 800 N/m and a wall of 3 kN/m.
static rig joint(void) {
    rig r = {.hand_stiffness = 30,
             .hand_damping = 3,
             .leader_mass = 1,
             .leader_damping = 2,
             .follower_mass = 0.8,
             .follower_damping = 5,
             .stiffness = 800,
             .damping = 20,
             .observer_gain = 10,
             .wall = true,
             .wall_at = 0.05,
             .wall_stiffness = 3000,
             .model = true,
             .model_at = 0.05,
             .model_stiffness = 3000,
             .change = 20,
             .duration = 10};
    for (size_t i = 0; i < 2; i++)
        array_push(&r.path, PATH[i]);
    return r;
}

static rig_result result_of(const rig *r, coupling_kind kind, double trip) {
    rig_result x;
    rig_run(r, kind, trip, 1, NULL, NULL, &x);
    return x;
}

static void pfc_turns_unstable_where_nyquist_says(void **state) {
    (void)state;
    rig r = joint();
    r.duration = 20;
    double critical = rig_critical_round_trip(&r, true), onset = 0;
    assert_true(critical > 0.015 && critical < 0.03);
    assert_true(rig_critical_round_trip(&r, false) > 2 * critical);
    while (result_of(&r, COUPLING_pfc, onset).speed < 0.01) {
        onset += COUPLE_STEP;
        assert_true(onset < 0.1);
    }
    assert_true(fabs(onset - critical) < 0.2 * critical);
    rig_finish(&r);
}

static void from_36_ms_on_pfc_oscillates_and_tdpa_does_not(void **state) {
    (void)state;
    static const double trips[] = {0, 0.012, 0.036, 0.072, 0.2};
    rig r = joint();
    double drift = 0;
    for (size_t i = 0; i < 5; i++) {
        rig_result pfc = result_of(&r, COUPLING_pfc, trips[i]);
        rig_result tdpa = result_of(&r, COUPLING_tdpa, trips[i]);
        rig_result mmt = result_of(&r, COUPLING_mmt, trips[i]);
        bool late = trips[i] >= 0.036;
        assert_true(pfc.found[FINDING_oscillating_coupling] == late);
        assert_true(pfc.found[FINDING_active_coupling] == late);
        if (late) {
            assert_true(pfc.speed > 10 * tdpa.speed && tdpa.speed > mmt.speed);
            assert_true(tdpa.made < 0.03 * pfc.made);
        }
        // Passivity is paid for with a drift that grows with the delay.
        assert_true(tdpa.drift > drift);
        assert_true(tdpa.found[FINDING_passivity_drift] == late);
        drift = tdpa.drift;
        assert_true(fabs(mmt.felt - mmt.remote) < 0.01 * mmt.remote && mmt.drift == 0);
        for (int f = 0; f < FINDING_COUNT; f++)
            assert_false(mmt.found[f]);
    }
    rig_finish(&r);
}

typedef struct watched {
    double leader[5000], follower[5000], felt[5000], energy[5000], observed[5000], remote[5000];
    size_t count;
} watched;

static void keep(void *context, const rig_sample *s) {
    watched *w = context;
    w->leader[w->count] = s->leader;
    w->follower[w->count] = s->follower;
    w->felt[w->count] = s->felt;
    w->energy[w->count] = s->energy;
    w->observed[w->count] = s->observed;
    w->remote[w->count] = s->remote;
    w->count++;
}

static watched *watch(const rig *r, coupling_kind kind, double trip) {
    watched *w = calloc(1, sizeof *w);
    assert_non_null(w);
    rig_result x;
    rig_run(r, kind, trip, 1, keep, w, &x);
    assert_true(w->count == 5000);
    return w;
}

static void tdpa_never_gives_out_more_energy_than_it_took_in(void **state) {
    (void)state;
    rig r = joint();
    r.link = (channel_traits){.jitter = 10000000, .loss = 0.1, .duplication = 0.1};
    watched *w = watch(&r, COUPLING_tdpa, 0.072), *p = watch(&r, COUPLING_pfc, 0.072);
    double least = 0, least_of_pfc = 0;
    for (size_t i = 0; i < w->count; i++) {
        least = fmin(least, w->energy[i]);
        least_of_pfc = fmin(least_of_pfc, p->energy[i]);
    }
    assert_true(least_of_pfc < -0.1);
    assert_true(least > 0.03 * least_of_pfc && least > -0.01);
    free(w);
    free(p);
    rig_finish(&r);
}

static void with_a_right_model_a_delay_shifts_the_remote_and_changes_nothing(void **state) {
    (void)state;
    rig r = joint();
    watched *at_once = watch(&r, COUPLING_mmt, 0);
    static const int steps[] = {6, 18, 36, 100};
    for (size_t k = 0; k < 4; k++) {
        watched *late = watch(&r, COUPLING_mmt, steps[k] * COUPLE_STEP);
        size_t shift = (size_t)steps[k] / 2;
        for (size_t i = 0; i + shift < at_once->count; i++) {
            assert_true(fabs(late->follower[i + shift] - at_once->follower[i]) < 1e-9);
            assert_true(fabs(late->felt[i] - at_once->felt[i]) < 1e-9);
        }
        free(late);
    }
    free(at_once);
    rig_finish(&r);
}

static void with_a_wrong_model_springs_in_series_say_what_the_remote_does(void **state) {
    (void)state;
    rig r = joint();
    r.model_at = 0.06; // too far: the hand feels less than the follower does
    watched *w = watch(&r, COUPLING_mmt, 0.072);
    double series = r.stiffness * r.wall_stiffness / (r.stiffness + r.wall_stiffness);
    double expected = series * fmax(0, w->leader[4999] - r.wall_at);
    assert_true(expected > 3 && fabs(w->remote[4999] - expected) < 0.05 * expected);
    assert_true(w->felt[4999] < w->remote[4999] / 2);
    free(w);
    rig_result x = result_of(&r, COUPLING_mmt, 0.072);
    assert_true(x.found[FINDING_unfelt_contact] && !x.found[FINDING_phantom_contact]);
    r.model_at = 0.03;
    x = result_of(&r, COUPLING_mmt, 0.072);
    assert_true(x.found[FINDING_phantom_contact] && !x.found[FINDING_unfelt_contact]);
    rig_finish(&r);
}

static void observed_contacts_correct_a_wrong_model(void **state) {
    (void)state;
    static const double models[] = {0.06, 0.03, 0.07};
    for (size_t m = 0; m < 3; m++) {
        rig r = joint();
        r.model_at = models[m];
        r.updates = true;
        r.encoder_noise = 1e-5;
        watched *w = watch(&r, COUPLING_mmt, 0.072);
        size_t touched = 0;
        while (w->remote[touched] == 0)
            assert_true(++touched < 1500);
        // 1.5 s after the contact the hand feels what the follower does, within a tenth ...
        double felt = 0, remote = 0;
        for (size_t i = touched + 750; i < touched + 800; i++) {
            felt += w->felt[i];
            remote += w->remote[i];
        }
        assert_true(remote > 25 && fabs(felt - remote) < 0.1 * remote);
        assert_true(fabs(w->felt[4999] - w->remote[4999]) < 0.02 * w->remote[4999]);
        rig_result x = result_of(&r, COUPLING_mmt, 0.072);
        assert_true(!x.found[FINDING_oscillating_coupling] && !x.found[FINDING_twin_diverged]);
        // ... and once the hand has come to rest, corrections change its force slowly: `change`,
        // over a tenth of a second.
        for (size_t i = 750; i + 50 < w->count; i++)
            assert_true(fabs(w->felt[i + 50] - w->felt[i]) <= r.change * 50 * COUPLE_STEP);
        free(w);
        rig_finish(&r);
    }
}

static void the_observer_reaches_63_percent_when_its_time_is_over(void **state) {
    (void)state;
    // A mass of 2 kg on which a controller and, from the first step on, a wall of 5 N pull.
    observer o = {.mass = 2, .damping = 1, .gain = 50};
    double speed = 0, seen = 0;
    int reached = -1;
    for (int k = 0; k < 200; k++) {
        seen = observer_step(&o, speed, 3);
        if (reached < 0 && seen >= 5 * (1 - exp(-1)))
            reached = k;
        speed += COUPLE_STEP * (3 - speed - 5) / 2;
    }
    assert_true(fabs(reached - 1 / (50 * COUPLE_STEP)) <= 1);
    assert_true(fabs(seen - 5) < 0.05 * 5);
}

static void at_rest_the_observed_contact_is_the_true_one(void **state) {
    (void)state;
    rig r = joint();
    r.encoder_noise = 1e-5;
    watched *w = watch(&r, COUPLING_mmt, 0.036);
    double observed = 0, remote = 0;
    for (size_t i = 4500; i < 5000; i++) {
        observed += w->observed[i];
        remote += w->remote[i];
    }
    assert_true(remote > 100 && fabs(observed - remote) < 0.05 * remote);
    free(w);
    rig_finish(&r);
}

static void the_direct_estimator_takes_motion_for_a_contact(void **state) {
    (void)state;
    static const double noises[] = {0, 1e-5};
    for (size_t n = 0; n < 2; n++) {
        rig r = joint();
        r.encoder_noise = noises[n];
        rig_result x = result_of(&r, COUPLING_mmt, 0.036);
        assert_true(x.direct_free > 0.3 && x.direct_free > 3 * x.observed_free);
        // At rest both have the contact within 5 %: there is no motion that could be taken for one.
        assert_true(x.remote > 0.8 && x.observed_held < 0.1 && x.direct_held < 0.05 * x.remote);
        // Without a wall all is free motion, and nothing is held.
        r.wall = r.model = false;
        x = result_of(&r, COUPLING_pfc, 0.012);
        assert_true(x.direct_free > x.observed_free && isnan(x.direct_held));
        rig_finish(&r);
    }
}

static void the_direct_estimator_averages_over_its_time(void **state) {
    (void)state;
    direct_estimator d = {.gain = 50};
    double seen = 0;
    for (int k = 1; k <= 10; k++) // 1 / 50 s
        seen = direct_step(&d, 5);
    assert_true(fabs(seen - 5 * (1 - pow(0.9, 10))) < 1e-12);
    d = (direct_estimator){.gain = 1 / COUPLE_STEP};
    assert_true(direct_step(&d, 5) == 5);
}

static void what_arrives_late_or_twice_harms_nothing(void **state) {
    (void)state;
    rig r = joint();
    r.link = (channel_traits){.jitter = 20000000, .loss = 0.05, .duplication = 0.2};
    rig_result clean = result_of(&r, COUPLING_mmt, 0.036);
    assert_true(clean.lost > 300 && clean.doubled > 1000 && clean.overtaken > 1000);
    for (int f = 0; f < FINDING_COUNT; f++)
        assert_false(clean.found[f]);
    r.link.loss = 0.98;
    assert_true(result_of(&r, COUPLING_mmt, 0.036).found[FINDING_link_lost]);
    rig_finish(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pfc_turns_unstable_where_nyquist_says),
        cmocka_unit_test(from_36_ms_on_pfc_oscillates_and_tdpa_does_not),
        cmocka_unit_test(tdpa_never_gives_out_more_energy_than_it_took_in),
        cmocka_unit_test(with_a_right_model_a_delay_shifts_the_remote_and_changes_nothing),
        cmocka_unit_test(with_a_wrong_model_springs_in_series_say_what_the_remote_does),
        cmocka_unit_test(observed_contacts_correct_a_wrong_model),
        cmocka_unit_test(the_observer_reaches_63_percent_when_its_time_is_over),
        cmocka_unit_test(at_rest_the_observed_contact_is_the_true_one),
        cmocka_unit_test(the_direct_estimator_takes_motion_for_a_contact),
        cmocka_unit_test(the_direct_estimator_averages_over_its_time),
        cmocka_unit_test(what_arrives_late_or_twice_harms_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
