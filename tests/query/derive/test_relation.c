// tests/query/derive/test_relation.c - rows, indexes, orders and covers against sets written out by
// hand.
#include "query/rows/cover.h"
#include "query/rows/row_order.h"
#include "tests/testlib.h"

static budget unlimited(void) {
    budget b = {.limit = SIZE_MAX / 2};
    atomic_init(&b.interrupted, false);
    return b;
}

// The same numbers on every machine.
static uint64_t state;
static uint32_t draw(uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % n);
}

static value number(uint32_t n) {
    return (value)n << 3 | VALUE_INT;
}

static void random_row(value *row, uint32_t arity, uint32_t range) {
    for (uint32_t i = 0; i < arity; i++)
        row[i] = number(draw(range));
}

static uint32_t look_for(const relation *r, const value *row) {
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->arity == 0 || memcmp(relation_row(r, i), row, r->arity * sizeof *row) == 0)
            return i;
    }
    return ROW_NONE;
}

static void a_row_is_kept_once_however_it_comes(void **unused) {
    (void)unused;
    state = 1;
    budget b = unlimited();
    for (uint32_t arity = 0; arity <= 5; arity++) {
        relation *single = relation_create(arity, &b), *batched = relation_create(arity, &b),
                 *naive = relation_create(arity, &b);
        value rows[RELATION_BATCH * 5 + 1];
        uint32_t range = arity == 1 ? 3000 : arity == 2 ? 60 : 14;
        for (uint32_t round = 1; round < 120; round++) {
            uint32_t n = 1 + draw(RELATION_BATCH);
            for (uint32_t i = 0; i < n; i++) {
                value *row = rows + i * arity;
                random_row(row, arity, range);
                bool added;
                uint32_t before = single->count;
                assert_int_equal(relation_add(single, row, 7, round, &added), OK);
                assert_int_equal(added, single->count - before);
                if (round < 12 && look_for(naive, row) == ROW_NONE)
                    assert_int_equal(relation_append(naive, row, 7, round), OK);
                if (round < 12)
                    assert_int_equal(naive->count, single->count);
            }
            assert_int_equal(relation_add_batch(batched, rows, n, 7, round), OK);
            assert_int_equal(batched->count, single->count);
        }
        // In the same order, each with the round in which it came first.
        for (uint32_t i = 0; i < single->count; i++) {
            const value *row = relation_row(single, i);
            if (arity > 0)
                assert_memory_equal(row, relation_row(batched, i), arity * sizeof *row);
            assert_int_equal(relation_find(single, row), i);
            assert_int_equal(relation_round(batched, i), relation_round(single, i));
            assert_int_equal(relation_origin(batched, i), 7);
        }
        value other[5];
        for (uint32_t i = 0; i < 5; i++)
            other[i] = number(range + i);
        if (arity > 0)
            assert_int_equal(relation_find(single, other), ROW_NONE);
        relation_destroy(single);
        relation_destroy(batched);
        relation_destroy(naive);
    }
    assert_int_equal(b.used, 0);
}

static void an_index_gives_the_rows_of_a_key_from_the_newest_on(void **unused) {
    (void)unused;
    state = 2;
    budget b = unlimited();
    relation *r = relation_create(3, &b);
    for (uint32_t step = 0; step < 40; step++) {
        for (uint32_t i = 0; i < 50; i++) {
            value row[3];
            bool added;
            random_row(row, 3, 12);
            assert_int_equal(relation_add(r, row, 1, 1, &added), OK);
        }
        for (uint32_t mask = 1; mask < 8; mask++) {
            relation_index *i;
            // Not all rows at once: what is behind the limit is not in it.
            uint32_t limit = r->count - draw(20);
            assert_int_equal(relation_index_upto(r, mask, limit, &i), OK);
            assert_int_equal(relation_index_on(r, mask, &i), OK);
            value want[3], key[3];
            uint32_t n = 0;
            random_row(want, 3, 13);
            for (uint32_t c = 0; c < 3; c++) {
                if (mask >> c & 1)
                    key[n++] = want[c];
            }
            uint32_t found = relation_first(r, i, key);
            for (uint32_t row = r->count; row-- > 0;) {
                bool fits = true;
                for (uint32_t c = 0; c < 3; c++)
                    fits = fits && (!(mask >> c & 1) || relation_row(r, row)[c] == want[c]);
                if (!fits)
                    continue;
                assert_int_equal(found, row);
                found = relation_next(i, row);
            }
            assert_int_equal(found, ROW_NONE);
        }
    }
    relation_destroy(r);
    assert_int_equal(b.used, 0);
}

static void different_values_are_counted_about_right(void **unused) {
    (void)unused;
    state = 3;
    budget b = unlimited();
    relation *r = relation_create(2, &b);
    for (uint32_t i = 0; i < 20000; i++) {
        value row[2] = {number(draw(10)), number(i)};
        assert_int_equal(relation_append(r, row, 0, 0), OK);
    }
    double keys = relation_distinct(r, 1), all = relation_distinct(r, 2);
    assert_true(keys > 8 && keys < 15);
    assert_true(all > 5000);
    relation_index *i;
    assert_int_equal(relation_index_on(r, 1, &i), OK);
    assert_int_equal(relation_keys(i), 10);
    assert_true(relation_distinct(r, 1) == 10);
    relation_destroy(r);
}

static void an_order_misses_no_row_that_meets_a_range(void **unused) {
    (void)unused;
    state = 4;
    budget b = unlimited();
    values *v = values_create(&b);
    relation *r = relation_create(3, &b);
    row_list found = {0};
    size_t more = 0, met = 0;
    for (uint32_t step = 0; step < 60; step++) {
        for (uint32_t i = 0; i < 40; i++) {
            // Some long ones, some that end before they start, some that are no numbers.
            uint32_t start = draw(1000), length = draw(20) == 0 ? draw(900) : draw(30);
            value row[3] = {number(draw(4)), number(start),
                            draw(30) == 0  ? values_symbol(v, "never")
                            : draw(9) == 0 ? values_float(v, start + length + 0.5)
                                           : number(start + length - (draw(30) == 0 ? 40 : 0))};
            bool added;
            assert_int_equal(relation_add(r, row, 1, 1, &added), OK);
        }
        bool keyed = step % 2;
        relation_index *i = NULL;
        relation_order *o;
        if (keyed)
            assert_int_equal(relation_index_on(r, 1, &i), OK);
        assert_int_equal(relation_order_on(r, i, keyed ? 1 : 0, 1, 2, r->count, v, &o), OK);
        uint32_t covered = relation_order_covered(o);
        assert_true(covered <= r->count && covered * 2 + 16 > r->count);
        for (uint32_t k = 0; k < 20; k++) {
            order_range range = {draw(3) ? -1e9 : draw(900), draw(1000),
                                 draw(3) ? draw(1000) : -1e9};
            uint32_t like = draw(covered);
            found.count = 0;
            assert_int_equal(relation_order_find(o, keyed ? like : 0, range, &found), OK);
            size_t expected = 0;
            for (uint32_t row = 0; row < covered; row++) {
                const value *x = relation_row(r, row);
                double s = order_number(v, x[1]), e = order_number(v, x[2]);
                if ((keyed && x[0] != relation_row(r, like)[0]) || !(s >= range.from) ||
                    !(s <= range.to) || !(e >= range.reach))
                    continue;
                expected++;
                size_t times = 0;
                for (size_t j = 0; j < found.count; j++)
                    times += found.items[j] == row;
                assert_int_equal(times, 1);
            }
            met += expected;
            more += found.count - expected;
        }
    }
    // What it gives beyond is little.
    assert_true(met > 1000 && more < met / 2);
    array_finish(&found);
    relation_destroy(r);
    values_destroy(v);
}

#define SPAN 3000
typedef struct painted {
    bool covered[SPAN], fresh[SPAN];
} painted;

static status paint(void *context, cover *c, interval in) {
    (void)c;
    painted *p = context;
    assert_true(in.start < in.end);
    for (nanos t = in.start; t < in.end; t++) {
        assert_false(p->covered[t]);
        assert_false(p->fresh[t]);
        p->fresh[t] = true;
    }
    return OK;
}

static void check_cover(const cover *c, const painted *p) {
    nanos at = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        assert_true(c->chunks[i].count > 0);
        for (uint32_t k = 0; k < c->chunks[i].count; k++) {
            interval in = c->chunks[i].items[k];
            // Something lies between two intervals.
            assert_true(in.start < in.end && (in.start > at || at == 0));
            for (; at < in.start; at++)
                assert_false(p->covered[at]);
            for (; at < in.end; at++)
                assert_true(p->covered[at]);
        }
    }
    for (; at < SPAN; at++)
        assert_false(p->covered[at]);
}

static void a_cover_is_what_was_added_and_each_instant_is_new_once(void **unused) {
    (void)unused;
    state = 5;
    budget b = unlimited();
    for (uint32_t round = 0; round < 12; round++) {
        cover c;
        static painted p;
        memset(&p, 0, sizeof p);
        cover_init(&c);
        for (uint32_t i = 0; i < 1500; i++) {
            nanos start = round % 3 == 0 ? i * 2 % SPAN : draw(SPAN - 300);
            nanos length = round % 3 == 1 && draw(200) == 0 ? 1 + draw(290) : 1;
            interval in = {start, start + length};
            assert_int_equal(cover_add(&c, in, &b, paint, &p), OK);
            for (nanos t = in.start; t < in.end; t++)
                assert_true(p.covered[t] || p.fresh[t]);
            for (nanos t = 0; t < SPAN; t++) {
                // Nothing else was said to be new.
                assert_true(!p.fresh[t] || (t >= in.start && t < in.end));
                p.covered[t] = p.covered[t] || p.fresh[t];
                p.fresh[t] = false;
            }
            if (i % 100 == 0)
                check_cover(&c, &p);
        }
        check_cover(&c, &p);
        cover_finish(&c, &b);
    }
    assert_int_equal(b.used, 0);
}

static void memory_has_a_limit_and_work_an_end(void **unused) {
    (void)unused;
    state = 6;
    budget b = unlimited();
    b.limit = 100000;
    relation *r = relation_create(2, &b);
    status s = OK;
    uint32_t tried = 0;
    for (; s == OK && tried < 100000; tried++) {
        value row[2] = {number(tried), number(tried)};
        bool added;
        s = relation_add(r, row, 1, 1, &added);
    }
    assert_int_equal(s, E_LIMIT);
    assert_true(r->count > 500 && b.used <= b.limit);
    // What was there stays.
    for (uint32_t i = 0; i < r->count; i++)
        assert_int_equal(relation_find(r, (value[]){number(i), number(i)}), i);
    relation_destroy(r);
    assert_int_equal(b.used, 0);

    b.limit = SIZE_MAX / 2;
    r = relation_create(2, &b);
    for (uint32_t i = 0; i < 70000; i++)
        assert_int_equal(relation_append(r, (value[]){number(i / 2), number(i)}, 1, 1), OK);
    atomic_store(&b.interrupted, true);
    relation_index *i;
    assert_int_equal(relation_index_on(r, 1, &i), E_INTERRUPTED);
    atomic_store(&b.interrupted, false);
    assert_int_equal(relation_index_on(r, 1, &i), OK);
    assert_int_equal(relation_keys(i), 35000);
    relation_destroy(r);
    assert_int_equal(b.used, 0);
}

static void a_tuple_with_its_index_takes_at_most_a_hundred_bytes(void **unused) {
    (void)unused;
    state = 7;
    for (uint32_t n = 1000; n < 400000; n = n * 5 / 3) {
        budget b = unlimited();
        relation *r = relation_create(2, &b);
        relation_index *i;
        for (uint32_t k = 0; k < n; k++) {
            bool added;
            assert_int_equal(relation_add(r, (value[]){number(k / 3), number(k)}, 1, 1, &added),
                             OK);
        }
        assert_int_equal(relation_index_on(r, 1, &i), OK);
        assert_true(b.used <= (size_t)n * 100);
        relation_destroy(r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_kept_once_however_it_comes),
        cmocka_unit_test(an_index_gives_the_rows_of_a_key_from_the_newest_on),
        cmocka_unit_test(different_values_are_counted_about_right),
        cmocka_unit_test(an_order_misses_no_row_that_meets_a_range),
        cmocka_unit_test(a_cover_is_what_was_added_and_each_instant_is_new_once),
        cmocka_unit_test(memory_has_a_limit_and_work_an_end),
        cmocka_unit_test(a_tuple_with_its_index_takes_at_most_a_hundred_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
