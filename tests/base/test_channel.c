// tests/base/test_channel.c - a link delays, loses, doubles and overtakes as it was told, the same
// each time.
#include <math.h>

#include "base/link/channel.h"
#include "tests/testlib.h"

#define MS 1000000
#define MANY 20000

static channel *made(channel_traits t) {
    return channel_create(&t, sizeof(uint64_t), rng_key_make(3, "link", "ann"));
}

static void a_message_arrives_when_its_delay_is_over(void **state) {
    (void)state;
    channel *c = made((channel_traits){.delay = 7 * MS});
    uint64_t sent = 41, got = 0;
    channel_stamp stamp;
    channel_send(c, 2 * MS, &sent);
    assert_true(channel_next(c) == 9 * MS && channel_under_way(c) == 1);
    assert_false(channel_receive(c, 9 * MS - 1, &got, &stamp));
    assert_true(got == 0);
    assert_true(channel_receive(c, 9 * MS, &got, &stamp));
    assert_true(got == 41 && stamp.number == 0 && stamp.sent == 2 * MS && stamp.due == 9 * MS);
    assert_true(channel_next(c) == -1 && !channel_receive(c, 99 * MS, &got, NULL));
    channel_destroy(c);
}

static void without_delay_a_message_arrives_at_once(void **state) {
    (void)state;
    channel *c = made((channel_traits){0});
    for (uint64_t i = 0; i < 5; i++)
        channel_send(c, MS, &i);
    for (uint64_t i = 0, got; i < 5; i++)
        assert_true(channel_receive(c, MS, &got, NULL) && got == i);
    channel_destroy(c);
    channel_destroy(NULL);
}

// Sends MANY messages at 1 ms and receives them at each of them; the sum tells what arrived when.
static double through(channel_traits t, channel_counts *counts, bool *in_order) {
    channel *c = made(t);
    double sum = 0;
    uint64_t last = 0, got;
    channel_stamp stamp;
    *in_order = true;
    for (uint64_t i = 0; i < MANY; i++) {
        channel_send(c, (nanos)i * MS, &i);
        while (channel_receive(c, (nanos)i * MS, &got, &stamp)) {
            assert_true(got == stamp.number && stamp.due <= (nanos)i * MS);
            assert_true(stamp.due >= stamp.sent + t.delay);
            if (!t.ordered)
                assert_true(stamp.due <= stamp.sent + t.delay + t.jitter);
            if (got < last)
                *in_order = false;
            last = got;
            sum += (double)(i * (got + 1));
        }
    }
    *counts = channel_count(c);
    assert_true(counts->sent + counts->doubled ==
                counts->lost + counts->delivered + channel_under_way(c));
    channel_destroy(c);
    return sum;
}

static void shares_come_out_as_they_were_asked_for(void **state) {
    (void)state;
    channel_counts n;
    bool in_order;
    through((channel_traits){.delay = 5 * MS, .loss = 0.1, .duplication = 0.2}, &n, &in_order);
    // Five standard deviations of a share of MANY draws.
    assert_true(fabs((double)n.lost / MANY - 0.1) < 5 * sqrt(0.1 * 0.9 / MANY));
    double kept = (double)(n.sent - n.lost);
    assert_true(fabs((double)n.doubled / kept - 0.2) < 5 * sqrt(0.2 * 0.8 / kept));
    assert_true(n.overtaken == 0 && in_order);
}

static void jitter_overtakes_unless_the_link_keeps_the_order(void **state) {
    (void)state;
    channel_traits t = {.delay = 5 * MS, .jitter = 4 * MS, .loss = 0.01, .duplication = 0.05};
    channel_counts n;
    bool in_order;
    through(t, &n, &in_order);
    assert_true(!in_order && n.overtaken > MANY / 10);
    t.ordered = true;
    through(t, &n, &in_order);
    assert_true(in_order && n.overtaken == 0 && n.doubled > 0);
}

static void the_same_key_treats_messages_alike(void **state) {
    (void)state;
    channel_traits t = {
        .delay = 5 * MS, .jitter = 4 * MS, .loss = 0.1, .duplication = 0.1, .ordered = false};
    channel_counts a, b;
    bool in_order;
    assert_true(through(t, &a, &in_order) == through(t, &b, &in_order));
    assert_true(memcmp(&a, &b, sizeof a) == 0);
    // More jitter loses the same messages: each draw is a stream of its own.
    t.jitter = 40 * MS;
    through(t, &b, &in_order);
    assert_true(a.lost == b.lost && a.doubled == b.doubled);
}

static void traits_out_of_their_range_are_refused(void **state) {
    (void)state;
    static const struct {
        channel_traits traits;
        const char *named;
    } wrong[] = {
        {{.delay = -1}, "delay"},       {{.jitter = -1}, "jitter"},
        {{.loss = 1}, "loss"},          {{.loss = -0.1}, "loss"},
        {{.loss = NAN}, "loss"},        {{.duplication = 1}, "duplication"},
        {{.duplication = NAN}, "dupl"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        error err = {0};
        assert_true(channel_check(&wrong[i].traits, &err) == E_INPUT);
        assert_non_null(strstr(err.text, wrong[i].named));
    }
    assert_true(channel_check(&(channel_traits){.loss = 0.999}, NULL) == OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_arrives_when_its_delay_is_over),
        cmocka_unit_test(without_delay_a_message_arrives_at_once),
        cmocka_unit_test(shares_come_out_as_they_were_asked_for),
        cmocka_unit_test(jitter_overtakes_unless_the_link_keeps_the_order),
        cmocka_unit_test(the_same_key_treats_messages_alike),
        cmocka_unit_test(traits_out_of_their_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
