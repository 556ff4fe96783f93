// tests/query/random/test_faults.c - each fault seeded into the engine is found by the random
// programs.
//
// Linked against a build of the engine that has the faults (query/fault.h).
#include "query/fault.h"
#include "tests/query/random/random.h"

#define TRIED 150

int fault_seeded;

static home *here;

static const char *const FAULT_NAMES[] = {
    "none",
#define FAULT_NAMED(name, doc) #name ": " doc,
#include "query/faults.def"
#undef FAULT_NAMED
};

// The number of the first program of TRIED that shows it, or 0.
static int first_to_show(int fault) {
    static program_t p;
    model m = {0};
    int shown = 0, tried = 0;
    for (uint64_t seed = 1; !shown && tried < TRIED; seed++) {
        bool made = generate(&p, &m, seed);
        m.most = 400000;
        if (!made || !model_run(&m, &p))
            continue;
        tried++;
        fault_seeded = fault;
        if (check_ours(here, &p, &m, NULL))
            shown = tried;
        fault_seeded = 0;
        arena_reset(here->texts);
        grounds_forget();
    }
    model_finish(&m);
    return shown;
}

static void every_fault_is_found_by_the_random_programs(void **state) {
    (void)state;
    assert_true(FAULT_COUNT - 1 >= 10);
    for (int fault = 1; fault < FAULT_COUNT; fault++) {
        int shown = first_to_show(fault);
        print_message("program %3d: %s\n", shown, FAULT_NAMES[fault]);
        if (!shown)
            fail_msg("%d programs do not show %s", TRIED, FAULT_NAMES[fault]);
    }
}

static void nothing_is_found_where_no_fault_is(void **state) {
    (void)state;
    assert_int_equal(first_to_show(0), 0);
}

static int open_home(void **state) {
    (void)state;
    here = home_open();
    return 0;
}

static int close_home(void **state) {
    (void)state;
    home_close(here);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_found_by_the_random_programs),
        cmocka_unit_test(nothing_is_found_where_no_fault_is),
    };
    return cmocka_run_group_tests(tests, open_home, close_home);
}
