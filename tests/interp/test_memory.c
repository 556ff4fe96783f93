// tests/interp/test_memory.c - the memory of the interpreter: no allocation in a cycle once a plan
// is under way, no growth over hours, and instants that stay exact.
#include <malloc.h>

#include "tests/interp/rig.h"
#include "tests/testlib.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif

// Counts every allocation of the process. A sanitizer has allocators of its own, which are not
// counted.
static size_t allocations;
#ifndef SANITIZED
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
    allocations++;
    return __libc_realloc(old, size);
}
#endif

static void start(rig *r, const char *body) {
    char text[8192];
    int length = snprintf(text, sizeof text, "plan: p\nbody:\n  tag: top\n%s", body);
    assert_true(length > 0 && (size_t)length < sizeof text);
    rig_start(r, text);
}

#define IDLE                                                                                       \
    "  let: ?n\n  be: 0\n  in:\n    par:\n"                                                        \
    "      - { whenever: \"?n mod 2 = 1\", do: { log: odd } }\n"                                   \
    "      - { whenever: gripper_closed(left), do: { log: shut } }\n"                              \
    "      - { whenever: \"rises(on(_, table_1))\", do: { log: laden } }\n"                        \
    "      - { wait_for: \"pulsed(?n)\", timeout: 99999 }\n"                                       \
    "      - { wait: { seconds: 99999 } }\n"

// A body in which every construct ends and begins again, with failures, retries, policies and
// waits.
#define BUSY                                                                                       \
    "  let: ?n\n  be: 0\n  in:\n    par:\n"                                                        \
    "      - { tag: w, whenever: pulsed(?n), do: { set: \"?m\", to: \"[?n, ?n + 1]\" } }\n"        \
    "      - { whenever: \"task(w, suspended)\", do: { log: never } }\n"                           \
    "      - loop:\n          do:\n"                                                               \
    "            - { set: \"?n\", to: \"?n + 1\" }\n"                                              \
    "            - { if: \"?n mod 3 = 0\", then: { log: \"?n\" }, else: { seq: [] } }\n"           \
    "            - { let: \"?k\", be: \"[1, 2, 3]\", in: { loop: { for_each: \"?i\", of: \"?k\", " \
    "do: { set: \"?m\", to: \"?i\" } } } }\n"                                                      \
    "            - { par: [ { wait: { seconds: 0.02 } }, { log: a } ] }\n"                         \
    "            - { pursue: [ { wait: { seconds: 0.5 } }, { wait: { seconds: 0.02 } } ] }\n"      \
    "            - { try_all: [ { fail: searching_failed }, { wait: { seconds: 0.02 } } ] }\n"     \
    "            - { try_in_order: [ { fail: searching_failed }, { log: b } ] }\n"                 \
    "            - on_failure:\n                do: { fail: { class: searching_failed, reason: "   \
    "\"at ?n\" } }\n"                                                                              \
    "                handle: [ { failure: searching_failed, retry: 2 }, { failure: plan_failure, " \
    "as: \"?why\", then: { log: \"?why\" } } ]\n"                                                  \
    "                clean_up: { log: clean }\n"                                                   \
    "            - on_failure:\n                handle: [ { failure: policy_condition_met, then: " \
    "{ log: met } } ]\n"                                                                           \
    "                do:\n                  with_policy:\n                    when: "              \
    "rises(?n mod 2 = 0)\n"                                                                        \
    "                    check: { wait: { seconds: 0.02 } }\n"                                     \
    "                    recover: { fail: delivering_failed }\n"                                   \
    "                    clean_up: { log: clean }\n"                                               \
    "                    do: [ { wait: { seconds: 0.02 } }, { set: \"?n\", to: \"?n + 1\" }, { "   \
    "wait: { seconds: 0.04 } } ]\n"                                                                \
    "            - { wait_for: \"?n < 0\", timeout: 0.02 }\n"

// Returns the number of allocations in `cycles` cycles after the first `before`; *tasks is how many
// tasks began in them.
static size_t allocated_in(const char *body, int before, int cycles, int64_t *tasks) {
    rig r;
    start(&r, body);
    r.keep = false;
    rig_cycles(&r, before);
    *tasks = r.log.next_id[RECORD_TASK];
    size_t count = allocations;
    rig_cycles(&r, cycles);
    count = allocations - count;
    bool done;
    assert_false(rig_ended(&r, &done));
    *tasks = r.log.next_id[RECORD_TASK] - *tasks;
    rig_stop(&r);
    return count;
}

static void idle_cycles_allocate_nothing(void **s) {
    (void)s;
#ifdef SANITIZED
    skip();
#endif
    int64_t tasks;
    assert_true(allocated_in(IDLE, 0, 1, &tasks) > 0); // it counts
    assert_int_equal(allocated_in(IDLE, 300, 1000, &tasks), 0);
    assert_int_equal(tasks, 0);
}

#define BUSY_FOR_EVER                                                                              \
    "  on_failure:\n    handle: [ { failure: plan_failure, retry: 1000000 } ]\n    do:\n"

static void busy_cycles_allocate_nothing(void **s) {
    (void)s;
#ifdef SANITIZED
    skip();
#endif
    char text[4096];
    // The body of BUSY stands two levels deeper, and is entered anew whenever it fails.
    size_t length = (size_t)snprintf(text, sizeof text, "%s", BUSY_FOR_EVER);
    bool fresh = true;
    for (const char *c = BUSY; *c && length + 8 < sizeof text; c++) {
        if (fresh)
            length += (size_t)snprintf(text + length, sizeof text - length, "    ");
        text[length++] = *c;
        fresh = *c == '\n';
    }
    text[length] = 0;
    int64_t tasks;
    assert_int_equal(allocated_in(text, 2000, 1000, &tasks), 0);
    print_message("%lld tasks begun in 1000 cycles\n", (long long)tasks);
    assert_true(tasks > 2000);
}

// A variable triggers a whenever in exactly one cycle of every simulated hour, for `hours`.
static void idle_for(int hours) {
    rig r;
    start(&r,
          "  let: ?hour\n  be: 0\n  in:\n    par:\n"
          "      - tag: w\n        whenever: pulsed(?hour)\n        do: { log: \"hour ?hour\" }\n"
          "      - { tag: v, whenever: gripper_closed(left), do: { seq: [] } }\n"
          "      - loop: { do: [ { wait: { seconds: 3600 } }, { set: \"?hour\", to: \"?hour + 1\" "
          "} ] }\n");
    rig_cycles(&r, 100);
    for (int k = 0; k < 3; k++) {
        rig_feel(&r, 0, k == 1 ? 0 : 0.04);
        rig_cycles(&r, 1);
    }
    const int hour = 180000;
    size_t records = 0, used = 0;
    for (int h = 0; h < hours; h++) {
        rig_cycles(&r, hour - (h == 0 ? 103 : 0));
        if (h == 1) {
            records = r.records.count;
            used = mallinfo2().uordblks;
        }
    }
    rig_cycles(&r, 1);
    const record *w = rig_task(&r, "top/in/w");
    int pulses = 0, felt = 0;
    for (size_t k = 0; k < r.records.count; k++) {
        const record *x = &r.records.items[k].r;
        if (x->kind != RECORD_PULSE)
            continue;
        if (x->PULSE.task != w->id) {
            assert_int_equal(x->PULSE.t_ns, 101 * 20000000);
            felt++;
            continue;
        }
        pulses++;
        assert_int_equal(x->PULSE.number, pulses);
        assert_int_equal(x->PULSE.t_ns, pulses * 3600 * NANOS_PER_SECOND);
    }
    assert_int_equal(felt, 1);
    assert_int_equal(pulses, hours);
    assert_int_equal(r.now, (hours * (nanos)hour + 1) * 20000000);
    char last[40];
    snprintf(last, sizeof last, "top/in/w/do@%d", hours);
    if (hours > 1)
        assert_string_equal(rig_statuses(&r, last), "created active done");
    // The memory that has grown since the second hour is that of the records which the rig keeps.
    if (hours > 3) {
        size_t grown = mallinfo2().uordblks - used;
        print_message("%d hours: %zu records, %zu bytes more after %d hours\n", hours,
                      r.records.count, grown, hours - 2);
        assert_true(r.records.count - records < 60 * (size_t)(hours - 2));
        assert_true(grown < 65536 + 2 * r.records.capacity * sizeof *r.records.items);
    }
    rig_stop(&r);
}

static void a_day_of_idling_stays_exact_and_keeps_its_memory(void **s) {
    (void)s;
    idle_for(24);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_cycles_allocate_nothing),
        cmocka_unit_test(busy_cycles_allocate_nothing),
        cmocka_unit_test(a_day_of_idling_stays_exact_and_keeps_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
