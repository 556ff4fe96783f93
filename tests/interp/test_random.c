// tests/interp/test_random.c - random plans: none crashes or hangs, every task ends after its
// children and with a status that its history allows, and the same plan gives the same records
// again.
#include "tests/interp/rig.h"
#include "tests/testlib.h"

typedef struct writer {
    uint64_t state;
    char text[60000];
    size_t length;
    int steps;
    bool routine;  // is being written: it must not call itself, or retries never end
    unsigned tags; // t1, t2, ... stand in the body already
    int whenevers; // that may trigger themselves for ever, which costs much
} writer;

static unsigned draw(writer *w, unsigned n) {
    w->state ^= w->state << 13;
    w->state ^= w->state >> 7;
    w->state ^= w->state << 17;
    return (unsigned)((w->state >> 20) % n);
}

static void put_text(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put_text(writer *w, const char *format, ...) {
    va_list args;
    va_start(args, format);
    w->length += (size_t)vsnprintf(w->text + w->length, sizeof w->text - w->length, format, args);
    va_end(args);
    assert_true(w->length < sizeof w->text);
}

static void write_step(writer *w, int depth);

static void write_steps(writer *w, int depth, unsigned most) {
    put_text(w, "[ ");
    for (unsigned k = 1 + draw(w, most); k > 0; k--) {
        write_step(w, depth);
        put_text(w, k > 1 ? ", " : " ");
    }
    put_text(w, "]");
}

static const char *const CLASSES[] = {"searching_failed", "gripper_closed_completely",
                                      "low_level_failure", "plan_failure", "own_class"};

// Writes a condition over what changes as a plan goes on: a variable, tasks, and the robot's place.
static void write_plain_condition(writer *w) {
    static const char *const states[] = {"created", "active",     "suspended", "done",
                                         "failed",  "evaporated", "begun",     "ended"};
    switch (draw(w, 6)) {
    case 0:
        if (w->tags > 0) {
            put_text(w, "task(t%u, %s)", 1 + draw(w, w->tags), states[draw(w, 8)]);
            break;
        } // fall through
    case 1:
        put_text(w, "?n > %u", draw(w, 12));
        break;
    case 2:
        put_text(w, "not(?n mod %u = 0)", 1 + draw(w, 3));
        break;
    case 3:
        put_text(w, "on(_, table_1)");
        break;
    case 4:
        put_text(w, "near(robot, chair_%u)", 1 + draw(w, 2));
        break;
    default:
        put_text(w, "first([?n]) = %u", draw(w, 5));
        break;
    }
}

static void write_watched(writer *w, int depth) {
    static const char *const operators[] = {"rises", "falls", "pulsed"};
    unsigned kind = draw(w, depth > 0 ? 7 : 4);
    if (kind < 2) {
        write_plain_condition(w);
    } else if (kind == 2) {
        put_text(w, "pulsed(?n)");
    } else if (kind == 3) {
        put_text(w, "%s(", operators[draw(w, 3)]);
        write_plain_condition(w);
        put_text(w, ")");
    } else {
        put_text(w, "%s(", kind == 4 ? "and" : "or");
        write_watched(w, depth - 1);
        put_text(w, ", ");
        write_watched(w, depth - 1);
        put_text(w, ")");
    }
}

static void write_description(writer *w) {
    unsigned kind = draw(w, 6);
    if (w->routine && (kind == 2 || kind == 5))
        kind = 0;
    switch (kind) {
    case 0:
        put_text(w, "{ perform: \"[type(wait), seconds(%g)]\" }", 0.02 * draw(w, 9));
        break;
    case 1:
        put_text(w, "{ perform: { type: wait, seconds: %g } }", 0.02 * draw(w, 9));
        break;
    case 2:
        put_text(w, "{ perform: \"[type(tidy), of(%u)]\" }", draw(w, 3));
        break;
    case 3:
        put_text(w, "{ let: \"?d\", be: \"object([type(chair)])\", in: [ { log: \"?d\" }, { if: "
                    "\"near(?d, robot)\", then: { log: near } }, { next: \"?d\" }, { log: "
                    "\"type_of(?d)\" } ] }");
        break;
    case 4:
        put_text(w,
                 "{ let: \"?d\", be: \"object([type(%s)])\", in: [ { equate: [ \"?d\", chair_1 "
                 "] }, { assert: \"on(?d, floor)\" } ] }",
                 draw(w, 2) ? "chair" : "spoon");
        break;
    default:
        put_text(w, "{ achieve: tidy(%u), alternatives: true }", draw(w, 3));
        break;
    }
}

// Opens a handler above most steps that are bound to fail, or no plan would ever succeed.
static bool open_handler(writer *w) {
    bool handled = draw(w, 5) > 1;
    if (handled)
        put_text(w, "{ on_failure: { do: ");
    return handled;
}

static void close_handler(writer *w, bool handled) {
    static const char *const then[] = {"{ log: handled }", "{ set: \"?n\", to: \"?n + 1\" }", "[]"};
    if (handled)
        put_text(w, ", handle: [ { failure: plan_failure, then: %s } ] } }", then[draw(w, 3)]);
}

static void write_fragile_leaf(writer *w, unsigned kind) {
    bool handled = open_handler(w);
    switch (kind) {
    case 9:
        put_text(w, "{ wait_for: \"");
        write_watched(w, 1);
        put_text(w, "\", timeout: %g }", 0.02 * (1 + draw(w, 20)));
        break;
    case 2:
        put_text(w, "{ fail: %s }", CLASSES[draw(w, 5)]);
        break;
    case 3:
        put_text(w, "{ wait_for: \"?n > %u\", timeout: 0.3 }", draw(w, 20));
        break;
    case 6:
        put_text(w, "{ navigate: { to: \"at(%g, 2.6, 90)\" }, deadline: %g }",
                 2 + 0.01 * draw(w, 10), 0.1 + 0.1 * draw(w, 20));
        break;
    default:
        put_text(w, "{ set: \"?n\", to: \"first([])\" }");
        break;
    }
    close_handler(w, handled);
}

static void write_leaf(writer *w) {
    unsigned kind = draw(w, 11);
    switch (kind) {
    case 2:
    case 3:
    case 4:
    case 6:
    case 9:
        write_fragile_leaf(w, kind);
        break;
    case 10:
        write_description(w);
        break;
    case 0:
        put_text(w, "{ log: \"n ?n\" }");
        break;
    case 1:
        put_text(w, "{ set: \"?n\", to: \"?n + 1\" }");
        break;
    case 5:
        put_text(w, "{ assert: \"on(chair_1, floor)\" }");
        break;
    default:
        put_text(w, "{ wait: { seconds: %g } }", 0.02 * draw(w, 20));
        break;
    }
}

static void write_on_failure(writer *w, int depth) {
    put_text(w, "{ on_failure: { do: ");
    write_step(w, depth);
    put_text(w, ", handle: [ { failure: %s, retry: %u }, { failure: %s, as: \"?why\", then: ",
             CLASSES[draw(w, 5)], 1 + draw(w, 3), CLASSES[draw(w, 5)]);
    write_step(w, depth);
    put_text(w, " } ]");
    if (draw(w, 2)) {
        put_text(w, ", clean_up: ");
        write_step(w, depth);
    }
    put_text(w, " } }");
}

// Writes a whenever beside a step that ends, since a whenever never ends by itself.
static void write_whenever(writer *w, int depth) {
    put_text(w, "{ pursue: [ { whenever: \"");
    write_watched(w, 2);
    put_text(w, "\", do: [ ");
    if (w->whenevers++ > 0 || draw(w, 8) > 0)
        put_text(w, "{ wait: { seconds: %g } }, ", 0.02 * (1 + draw(w, 5)));
    write_step(w, depth);
    put_text(w, " ] }, ");
    write_step(w, depth);
    put_text(w, " ] }");
}

static void write_policy(writer *w, int depth) {
    bool handled = open_handler(w);
    put_text(w, "{ with_policy: { when: \"");
    write_watched(w, 2);
    put_text(w, "\", do: ");
    write_step(w, depth);
    if (draw(w, 3) == 0) {
        put_text(w, ", init: ");
        write_step(w, depth);
    }
    if (draw(w, 2) == 0) {
        put_text(w, ", check: [ { wait: { seconds: %g } }, ", 0.02 * (1 + draw(w, 5)));
        write_step(w, depth);
        put_text(w, " ]");
    }
    if (draw(w, 2) == 0) {
        put_text(w, ", recover: ");
        write_step(w, depth);
    }
    if (draw(w, 2) == 0) {
        put_text(w, ", reason: \"n is ?n\", clean_up: ");
        write_step(w, depth);
    }
    put_text(w, " } }");
    close_handler(w, handled);
}

static void write_step(writer *w, int depth) {
    static const char *const lists[] = {"seq",     "par",          "pursue",
                                        "try_all", "try_in_order", "partial_order"};
    if (depth == 0 || ++w->steps > 60) {
        write_leaf(w);
        return;
    }
    unsigned kind = draw(w, 20);
    if (kind < 6) {
        put_text(w, "{ %s: ", lists[kind]);
        write_steps(w, depth - 1, 4);
        put_text(w, " }");
        return;
    }
    switch (kind) {
    case 6:
        put_text(w, "{ let: \"?n\", be: %u, in: ", draw(w, 9));
        break;
    case 7:
        put_text(w, "{ if: \"?n mod 2 = 0\", then: ");
        write_step(w, depth - 1);
        put_text(w, ", else: ");
        break;
    case 8:
        put_text(w, "{ loop: { times: %u, do: ", draw(w, 4));
        write_step(w, depth - 1);
        put_text(w, " } }");
        return;
    case 9:
    case 10:
        write_on_failure(w, depth - 1);
        return;
    case 11:
        put_text(w, "{ at_location: { location: \"at(%g, 2.6, 90)\", do: ", 2 + 0.1 * draw(w, 3));
        write_step(w, depth - 1);
        put_text(w, " } }");
        return;
    case 12:
        put_text(w, "{ using: { actuators: [ %s, %s ], do: ", draw(w, 2) ? "left" : "right",
                 draw(w, 2) ? "head" : "base");
        write_step(w, depth - 1);
        put_text(w, " } }");
        return;
    case 13:
    case 14:
        write_whenever(w, depth - 1);
        return;
    case 15:
    case 16:
    case 17:
        write_policy(w, depth - 1);
        return;
    case 18:
        if (w->tags < 40) {
            put_text(w, "{ tag: t%u, seq: [ ", ++w->tags);
            write_step(w, depth - 1);
            put_text(w, " ] }");
            return;
        } // fall through
    default:
        put_text(w, "{ achieve: tidy(%u) }", draw(w, 3));
        return;
    }
    write_step(w, depth - 1);
    put_text(w, " }");
}

static void write_plan(writer *w, uint64_t seed) {
    *w = (writer){.state = seed * 0x9e3779b97f4a7c15u + 1};
    put_text(w, "plan: p\nroutines:\n  - { achieve: \"loc(robot, ?p)\", effects: [], body: { "
                "navigate: { to: \"?p\" } } }\n"
                "  - { achieve: tidy(0), name: one, guard: \"on(_, table_1)\", body: { log: x } }\n"
                "  - { achieve: tidy(?n), effects: [], body: ");
    // A short body; w->routine keeps it from calling its own routine.
    int before = w->steps;
    w->steps = 57;
    w->routine = true;
    write_step(w, 1);
    w->routine = false;
    w->steps = before;
    w->tags = 0;
    put_text(w, " }\nbody: { tag: top, let: \"?n\", be: 0, in: ");
    write_steps(w, 5, 5);
    put_text(w, " }\n");
}

static bool legal(const char *from, const char *to) {
    static const char *const steps[] = {
        "created active",   "created evaporated",   "created failed", "active suspended",
        "suspended active", "active done",          "active failed",  "active evaporated",
        "suspended failed", "suspended evaporated", "suspended done"};
    char both[64];
    snprintf(both, sizeof both, "%s %s", from, to);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        if (strcmp(both, steps[k]) == 0)
            return true;
    }
    return false;
}

static void check_tasks(const rig *r) {
    size_t tasks = rig_count(r, RECORD_TASK);
    const char **last = calloc(tasks + 1, sizeof *last);
    const record **rows = calloc(tasks + 1, sizeof *rows);
    assert_true(last && rows);
    for (size_t k = 0; k < r->records.count; k++) {
        const record *x = &r->records.items[k].r;
        if (x->kind == RECORD_TASK) {
            rows[x->id] = x;
            assert_true(r->records.items[k].ended);
        }
        if (x->kind == RECORD_TASK_STATUS) {
            const char **before = &last[x->TASK_STATUS.task];
            if (*before ? !legal(*before, x->TASK_STATUS.status)
                        : strcmp(x->TASK_STATUS.status, "created") != 0)
                fail_msg("task %lld went from %s to %s", (long long)x->TASK_STATUS.task,
                         *before ? *before : "nothing", x->TASK_STATUS.status);
            *before = x->TASK_STATUS.status;
        }
        if (x->kind == RECORD_FAILURE)
            assert_true(x->FAILURE.cause < x->id);
    }
    for (size_t id = 1; id <= tasks; id++) {
        assert_string_equal(rows[id]->TASK.status, last[id]);
        assert_true(rows[id]->TASK.end_ns != TIME_OPEN);
        if (rows[id]->TASK.parent)
            assert_true(rows[rows[id]->TASK.parent]->TASK.end_ns >= rows[id]->TASK.end_ns);
    }
    free(last);
    free(rows);
}

static void add_text(uint64_t *hash, const void *bytes, size_t length) {
    for (size_t k = 0; k < length; k++)
        *hash = (*hash ^ ((const unsigned char *)bytes)[k]) * 0x100000001b3u;
}

static uint64_t fingerprint(const rig *r) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = 0; k < r->records.count; k++) {
        const record *x = &r->records.items[k].r;
        const record_info *info = record_describe(x->kind);
        add_text(&hash, &x->kind, sizeof x->kind);
        add_text(&hash, &x->id, sizeof x->id);
        for (size_t c = 0; c < info->column_count; c++) {
            const char *at = (const char *)x + info->columns[c].offset;
            if (info->columns[c].type != COLUMN_TEXT)
                add_text(&hash, at, 8);
            else if (*(const char *const *)(const void *)at)
                add_text(&hash, *(const char *const *)(const void *)at,
                         strlen(*(const char *const *)(const void *)at));
        }
    }
    return hash;
}

static void random_plans_end_with_every_task_ended_and_repeat(void **state) {
    (void)state;
    static writer w;
    size_t tasks = 0, failed = 0;
    const char *given = getenv("FORESEE_PLANS");
    uint64_t plans = given ? strtoull(given, NULL, 10) : 200;
    for (uint64_t seed = 1; seed <= plans; seed++) {
        uint64_t hash[2];
        write_plan(&w, seed);
        for (int again = 0; again < 2; again++) {
            rig r;
            rig_start(&r, w.text);
            bool done = false;
            for (int k = 0; k < 50000 && !rig_ended(&r, &done); k++)
                rig_cycles(&r, 1);
            if (!rig_ended(&r, &done))
                fail_msg("seed %llu does not end:\n%s", (unsigned long long)seed, w.text);
            failed += !done;
            tasks += rig_count(&r, RECORD_TASK);
            check_tasks(&r);
            hash[again] = fingerprint(&r);
            rig_stop(&r);
        }
        if (hash[0] != hash[1])
            fail_msg("seed %llu gives other records again", (unsigned long long)seed);
    }
    print_message("%zu tasks, %zu of %llu plans failed\n", tasks / 2, failed / 2,
                  (unsigned long long)plans);
    assert_true(tasks > plans && failed > 0 && failed < 2 * plans);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_plans_end_with_every_task_ended_and_repeat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
