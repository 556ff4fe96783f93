// tests/mind/test_told.c - what a belief makes of what another robot tells: by the time of its
// stamp, however late it comes.
#include "tests/mind/rig.h"
#include "projector/belief/belief_int.h"

#include <math.h>

static const nanos S = NANOS_PER_SECOND;

static told about_plate(told_kind kind, nanos stamp, double x) {
    return (told){.kind = kind,
                  .teller = 5,
                  .believed = 77,
                  .type = "plate",
                  .color = "violet",
                  .at = {{x, 2, 1.3}, {1, 0, 0, 0}},
                  .cov = {0.01, 0.01, 0.01, 0.1},
                  .stamp = stamp};
}

static told_fate hear(belief *b, told m, nanos t, int64_t *became) {
    told_fate fate = FATE_STRANGE;
    error err = {0};
    b->now = t;
    if (belief_hear(b, &m, t, &fate, became, &err) != OK)
        fail_msg("%s", err.text);
    return fate;
}

static const believed_object *heard(const belief *b, int64_t id) {
    for (size_t i = 0; i < belief_object_count(b); i++)
        if (belief_object(b, i)->id == id)
            return belief_object(b, i);
    fail_msg("there is no object %lld", (long long)id);
    return NULL;
}

static double was_at(const belief *b, const char *name, nanos t) {
    pose at;
    error err = {0};
    if (belief_frame(b, name, "map", t, &at, NULL, &err) != OK)
        fail_msg("%s", err.text);
    return at.p.x;
}

static void what_is_late_enters_the_past_by_its_stamp(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    belief *b = r->belief;
    int64_t id, again;
    assert_int_equal(hear(b, about_plate(TOLD_SEEN, 10 * S, 1.0), 11 * S, &id), FATE_TAKEN);
    const believed_object *o = heard(b, id);
    assert_true(o->confirmed);
    assert_true(fabs(o->at.p.x - 1.0) < 1e-9);
    // It was seen elsewhere before: the present stays.
    assert_int_equal(hear(b, about_plate(TOLD_SEEN, 5 * S, 3.0), 12 * S, &again), FATE_PAST);
    assert_int_equal(again, id);
    o = heard(b, id);
    assert_true(fabs(o->at.p.x - 1.0) < 1e-9);
    assert_true(fabs(was_at(b, o->name, 7 * S) - 3.0) < 1e-9);
    assert_true(fabs(was_at(b, o->name, 10 * S) - 1.0) < 1e-9);
    // What was so later holds, from then on, however far the thing has been moved.
    assert_int_equal(hear(b, about_plate(TOLD_PUT, 13 * S, 4.0), 15 * S, &again), FATE_TAKEN);
    assert_int_equal(again, id);
    o = heard(b, id);
    assert_true(fabs(o->at.p.x - 4.0) < 1e-9);
    assert_true(fabs(was_at(b, o->name, 12 * S) - 1.0) < 1e-9);
    assert_true(fabs(was_at(b, o->name, 13 * S) - 4.0) < 1e-9);
    rig_destroy(r);
}

static void what_another_hand_holds_is_not_counted_on(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    int64_t id, again;
    hear(r->belief, about_plate(TOLD_SEEN, 10 * S, 1.0), 11 * S, &id);
    assert_int_equal(hear(r->belief, about_plate(TOLD_HELD, 12 * S, 1.0), 12 * S, &again),
                     FATE_TAKEN);
    assert_false(heard(r->belief, id)->confirmed);
    hear(r->belief, about_plate(TOLD_PUT, 14 * S, 2.0), 14 * S, &again);
    assert_int_equal(again, id);
    assert_true(heard(r->belief, id)->confirmed);
    rig_destroy(r);
}

static void what_is_gone_and_was_never_known_is_strange(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    int64_t id;
    size_t before = belief_object_count(r->belief);
    assert_int_equal(hear(r->belief, about_plate(TOLD_MISSING, 1 * S, 1.0), 2 * S, &id),
                     FATE_STRANGE);
    assert_int_equal(id, 0);
    assert_int_equal(belief_object_count(r->belief), before);
    rig_destroy(r);
}

// Of two plates that another robot tells of, one is in its hand when it is told, for the first
// time, where the other one stands: all that it said of that one before was lost.
static void what_is_told_first_after_messages_were_lost_is_a_thing_of_its_own(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    belief *b = r->belief;
    int64_t first, again, second, strange;
    hear(b, about_plate(TOLD_SEEN, 10 * S, 1.0), 10 * S, &first);
    assert_int_equal(hear(b, about_plate(TOLD_HELD, 12 * S, 1.0), 12 * S, &again), FATE_TAKEN);
    told other = about_plate(TOLD_HELD, 13 * S, 3.0);
    other.believed = 78;
    assert_int_equal(hear(b, other, 13 * S, &strange), FATE_STRANGE); // it is nowhere yet
    other = about_plate(TOLD_PUT, 14 * S, 3.0);
    other.believed = 78;
    assert_int_equal(hear(b, other, 14 * S, &second), FATE_TAKEN);
    assert_true(again == first && second != first);
    assert_true(heard(b, second)->confirmed && !heard(b, first)->confirmed);
    assert_true(fabs(heard(b, second)->at.p.x - 3.0) < 1e-9);
    hear(b, about_plate(TOLD_PUT, 15 * S, 2.0), 15 * S, &again);
    assert_int_equal(again, first);
    rig_destroy(r);
}

static void two_robots_may_tell_of_one_thing(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    int64_t of_one, of_other;
    told other = about_plate(TOLD_SEEN, 11 * S, 1.01);
    other.teller = 6;
    other.believed = 90;
    hear(r->belief, about_plate(TOLD_SEEN, 10 * S, 1.0), 10 * S, &of_one);
    assert_int_equal(hear(r->belief, other, 11 * S, &of_other), FATE_TAKEN);
    assert_int_equal(of_one, of_other);
    rig_destroy(r);
}

// Two robots tell of one thing, each with a delay of its own: what was so last is believed, in
// whatever order they are heard, and what was so before is remembered of its time.
static void of_two_tellers_the_later_stamp_is_believed_in_whatever_order_they_come(void **state) {
    (void)state;
    for (int late = 0; late < 2; late++) {
        rig *r = rig_create(1, 0);
        belief *b = r->belief;
        int64_t id, again;
        told first = about_plate(TOLD_SEEN, 10 * S, 1.0), second = first;
        second.teller = 6;
        second.believed = 90;
        assert_int_equal(hear(b, first, 11 * S, &id), FATE_TAKEN);
        assert_int_equal(hear(b, second, 11 * S, &again), FATE_TAKEN); // the two know of one plate
        assert_true(again == id);
        size_t frames = graph_frame_count(b->view.graph),
               rows = r->log.counts[RECORD_BELIEVED_FRAME];
        first.stamp = 20 * S;
        first.at.p.x = 2.0;
        second.stamp = 21 * S;
        second.at.p.x = 3.0;
        assert_int_equal(hear(b, late ? second : first, 30 * S, &again), FATE_TAKEN);
        assert_int_equal(hear(b, late ? first : second, 40 * S, &again),
                         late ? FATE_PAST : FATE_TAKEN);
        assert_true(again == id);
        const believed_object *o = heard(b, id);
        assert_true(fabs(o->at.p.x - 3.0) < 1e-9);
        assert_true(fabs(was_at(b, o->name, 15 * S) - 1.0) < 1e-9);
        assert_true(fabs(was_at(b, o->name, 20500 * (S / 1000)) - 2.0) < 1e-9);
        assert_true(fabs(was_at(b, o->name, 22 * S) - 3.0) < 1e-9);
        // The log has a row for each that was believed when it was heard; the view one frame.
        assert_int_equal(r->log.counts[RECORD_BELIEVED_FRAME] - rows, late ? 1 : 2);
        assert_int_equal(graph_frame_count(b->view.graph), frames);
        rig_destroy(r);
    }
}

static void what_was_told_is_not_passed_on(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    int64_t id;
    size_t count;
    belief_share(r->belief);
    hear(r->belief, about_plate(TOLD_SEEN, 10 * S, 1.0), 11 * S, &id);
    belief_take_told(r->belief, &count);
    assert_int_equal(count, 0);
    rig_destroy(r);
}

// The hand takes the plate at 12 s, and lets it go at 14 s after another robot said that it held it
// at a time; 0: it said nothing.
static bool knows_after_release(nanos other_holds) {
    rig *r = rig_create(1, 0);
    belief *b = r->belief;
    int64_t id, same;
    error err = {0};
    char text[120];
    assert_int_equal(hear(b, about_plate(TOLD_SEEN, 10 * S, 1.0), 11 * S, &id), FATE_TAKEN);
    const char *name = heard(b, id)->name;
    pose in_hand = {{0, 0, 0.01}, {1, 0, 0, 0}};
    assert_int_equal(belief_note_grasp(b, 0, name, in_hand, 0.02), OK);
    snprintf(text, sizeof text, "object_in_hand('%s', %s)", name, r->robot->arms[0].gripper.name);
    assert_int_equal(belief_assert(b, rig_term(r, text), 0, 12 * S, &err), OK);
    if (other_holds)
        assert_int_equal(hear(b, about_plate(TOLD_HELD, other_holds, 1.0), 13 * S, &same),
                         FATE_OWN_HAND);
    reading open = {.kind = READING_GRIPPER, .taken = 14 * S, .delivered = 14 * S};
    open.gripper.opening = 0.08;
    assert_int_equal(belief_read(b, &open, &err), OK);
    assert_int_equal(heard(b, id)->hand, -1);
    bool knows = heard(b, id)->confirmed;
    rig_destroy(r);
    return knows;
}

static void what_another_hand_has_taken_over_is_not_where_the_own_one_let_it_go(void **state) {
    (void)state;
    assert_true(knows_after_release(0));
    assert_false(knows_after_release(13 * S));
    assert_true(knows_after_release(11 * S)); // before the own hand took it
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_late_enters_the_past_by_its_stamp),
        cmocka_unit_test(what_another_hand_holds_is_not_counted_on),
        cmocka_unit_test(what_is_gone_and_was_never_known_is_strange),
        cmocka_unit_test(what_is_told_first_after_messages_were_lost_is_a_thing_of_its_own),
        cmocka_unit_test(two_robots_may_tell_of_one_thing),
        cmocka_unit_test(of_two_tellers_the_later_stamp_is_believed_in_whatever_order_they_come),
        cmocka_unit_test(what_was_told_is_not_passed_on),
        cmocka_unit_test(what_another_hand_has_taken_over_is_not_where_the_own_one_let_it_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
