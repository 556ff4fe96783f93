// tests/ensemble/test_section.c - the section `ensemble` of worlds, and every mistake in it with
// its place.
#include "tests/ensemble/ensemble_text.h"

#define MAIN "  main: ode\n  models:\n"
#define GOOD COOLS("hot", "step: service, every: 0.1")

static void the_section_is_read(void **state) {
    (void)state;
    world_model *w = world_good(CUPS MAIN GOOD COOLS(
        "late", "step: clock, every: 0.1, cost: 0.02, "
                "on_failure: { fall_back: hot }") "  owns: { hot: [ temperature(cup) ] }\n"
                                                  "  triggers:\n"
                                                  "    - { name: lid, on: \"temperature(cup) < "
                                                  "340\", if: \"not temperature(cup) > 345, "
                                                  "temperature(cup) >= 300\", give: "
                                                  "temperature(cup), to: late }\n"
                                                  "    - { name: rings, on: \"operation(wait, "
                                                  "left)\", send: bell, to: hot }\n"
                                                  "    - { name: heard, on: \"event(hot, boils)\", "
                                                  "give: temperature(cup), to: ode }\n");
    const world_ensemble *e = &w->ensemble;
    assert_int_equal(e->model_count, 2);
    assert_int_equal(e->slot_count, 1);
    assert_int_equal(e->slots[0].body, 0);
    assert_string_equal(e->slots[0].attribute, "temperature");
    assert_int_equal(e->owners[0], 0);
    assert_int_equal(e->models[0].every, 100000000);
    assert_int_equal(e->models[1].stepping, STEPPING_CLOCK);
    assert_int_equal(e->models[1].cost, 20000000);
    assert_true(e->models[1].falls_back && e->models[1].fall_back == 0);
    assert_int_equal(e->models[0].setting_count, 2);
    assert_true(e->models[0].settings[1].number == 20);
    assert_true(e->models[0].inputs[0].slot == -1 && e->models[0].inputs[0].value == 293);
    assert_int_equal(e->trigger_count, 3);
    assert_int_equal(e->triggers[0].kind, TRIGGER_VALUE);
    assert_int_equal(e->triggers[0].condition_count, 2);
    assert_true(e->triggers[0].conditions[0].negated &&
                e->triggers[0].conditions[1].right->number == 300);
    assert_int_equal(e->triggers[0].to, 1);
    assert_int_equal(e->triggers[1].kind, TRIGGER_OPERATION);
    assert_string_equal(e->triggers[1].actuator, "left");
    assert_string_equal(e->triggers[1].send, "bell");
    assert_int_equal(e->triggers[2].kind, TRIGGER_EVENT);
    assert_string_equal(e->triggers[2].event, "boils");
    assert_int_equal(e->triggers[2].to, MODEL_MAIN);
    world_destroy(w);
    w = world_good("world: w\n");
    assert_int_equal(w->ensemble.model_count, 0);
    world_destroy(w);
}

static void what_grippers_are_read_as_is_known_by_the_arm(void **state) {
    (void)state;
    world_model *w =
        world_good(CUPS MAIN GOOD "  triggers:\n    - { name: t, on: \"touches(left) >= 2\", if: "
                                  "\"gripper_force(left) > 1, gripper_opening(left) < 0.1\", give: "
                                  "temperature(cup), to: ode }\n");
    const world_ensemble *e = &w->ensemble;
    assert_int_equal(e->slot_count, 4);
    assert_null(e->slots[0].hand);
    assert_string_equal(e->slots[1].hand, "left");
    assert_int_equal(e->slots[1].signal, SIGNAL_TOUCHES);
    assert_int_equal(e->slots[1].at.line, 10);
    assert_int_equal(e->slots[2].signal, SIGNAL_GRIPPER_FORCE);
    assert_int_equal(e->slots[3].signal, SIGNAL_GRIPPER_OPENING);
    world_destroy(w);
    world_mistake(CUPS MAIN GOOD "  triggers:\n    - { name: t, on: \"operation(wait)\", give: "
                                 "touches(left), to: ode }\n",
                  10, "touches(left)");
}

static void mistakes_of_models_are_named_where_they_stand(void **state) {
    (void)state;
    world_mistake("world: w\nensemble: 3\n", 2, "`ensemble`");
    world_mistake(CUPS "  models: {}\n", 6, "`main`");
    world_mistake(CUPS "  main: ode\n", 6, "`models`");
    world_mistake(CUPS "  main: [ode, mujoco]\n  models: {}\n", 6, "exactly one `main`");
    world_mistake(CUPS "  main: mujoco\n  models: {}\n", 6, "ode");
    world_mistake(CUPS MAIN "    ode: { class: thermal, step: free, every: 1, start: 1, "
                            "time_constant: 1 }\n",
                  8, "main model");
    world_mistake(CUPS MAIN "    a: { class: thermel, step: free, every: 1 }\n", 8, "thermal");
    world_mistake(CUPS MAIN COOLS("a", "step: servic, every: 1"), 8, "service");
    world_mistake(CUPS MAIN COOLS("a", "step: service"), 8, "`every`");
    world_mistake(CUPS MAIN COOLS("a", "step: service, every: 0"), 8, "every");
    world_mistake(CUPS MAIN COOLS("a", "step: service, every: 1, cost: 1"), 8, "`cost`");
    world_mistake(CUPS MAIN COOLS("a", "step: free, every: 1, colour: red"), 8, "colour");
    world_mistake(CUPS MAIN "    a: { class: thermal, step: free, every: 1, start: 1 }\n", 8,
                  "`time_constant`");
    world_mistake(CUPS MAIN
                  "    a: { class: thermal, step: free, every: 1, start: 1, time_constant: 0 }\n",
                  8, "greater than 0");
    world_mistake(CUPS MAIN "    a: { class: thermal, step: free, every: 1, start: 1, "
                            "time_constant: 1, outputs: { temperature(cop): temperature } }\n",
                  8, "`cup`");
    world_mistake(CUPS MAIN "    a: { class: thermal, step: free, every: 1, start: 1, "
                            "time_constant: 1, outputs: { temperature: temperature } }\n",
                  8, "attribute of a body");
    world_mistake(CUPS MAIN "    a: { class: thermal, step: free, every: 1, start: 1, "
                            "time_constant: 1, inputs: { ambient: temperature(mug) } }\n",
                  8, "no model gives");
#define BINDS(more)                                                                                \
    "    grip: { class: force_bind, step: service, every: 1, force: 1, torque: 1, carrier: left, " \
    "outputs: { pose(cup): pose } " more "}\n"
    world_mistake(CUPS MAIN "    a: { class: rigid_bind, step: free, every: 1 }\n", 8, "`carrier`");
    world_mistake(CUPS MAIN "    a: { class: force_bind, step: free, every: 1, carrier: left, "
                            "force: 0, torque: 1 }\n",
                  8, "greater than 0");
    world_mistake(CUPS MAIN "    a: { class: rigid_bind, step: free, every: 1, carrier: [left] }\n",
                  8, "carrier");
#define HOLDS(more)                                                                                \
    "    grip: { class: in_hand, step: service, every: 1, carrier: left, turn: 5, slip: 1, "       \
    "force: "                                                                                      \
    "1, torque: 1, " more "}\n"
    world_mistake(CUPS MAIN HOLDS(""), 8, "`sigma`");
    world_mistake(CUPS MAIN HOLDS("sigma: 0"), 8, "greater than 0");
    world_mistake(CUPS MAIN HOLDS("sigma: -0.1"), 8, "sigma");
    world_mistake(CUPS MAIN HOLDS("sigma: 1, outputs: { touches(left): touches }"), 8,
                  "main model gives");
    world_mistake(CUPS MAIN HOLDS("sigma: 1, inputs: { touches: \"touches(left, right)\" }"), 8,
                  "attribute of a body");
    world_mistake(CUPS MAIN COOLS("a", "step: free, every: 1, on_failure: { fall_back: a }"), 8,
                  "itself");
    world_mistake(CUPS MAIN COOLS("a", "step: free, every: 1, on_failure: { fall_back: b }"), 8,
                  "`b`");
    world_mistake(CUPS MAIN COOLS("a", "step: free, every: 1, on_failure: stop"), 8, "fall_back");
}

// Line 8 is the first model's.
static void mistakes_of_the_order_of_a_step_are_named_where_they_stand(void **state) {
    (void)state;
#define AFTER(name, what) COOLS(name, "step: service, every: 1, after: " what)
    world_model *w = world_good(CUPS MAIN AFTER("a", "[b, c]") AFTER("b", "c")
                                    COOLS("c", "step: service, every: 1"));
    assert_int_equal(w->ensemble.models[0].after_count, 2);
    assert_int_equal(w->ensemble.models[0].after[1], 2);
    assert_int_equal(w->ensemble.models[1].after[0], 2);
    world_destroy(w);
    world_mistake(CUPS MAIN AFTER("a", "b") AFTER("b", "c") AFTER("c", "a"), 8,
                  "`a` comes after itself");
    world_mistake(CUPS MAIN AFTER("a", "a"), 8, "comes after itself");
    world_mistake(CUPS MAIN AFTER("a", "d"), 8, "`d`");
    world_mistake(CUPS MAIN AFTER("a", "ode"), 8, "main model steps before");
    world_mistake(CUPS MAIN COOLS("a", "step: free, every: 1, after: b")
                      COOLS("b", "step: service, every: 1"),
                  8, "only a model with `step: service`");
}

#define EVALUATORS(more) CUPS MAIN GOOD "  evaluators:\n" more
#define USES(more)                                                                                 \
    "  triggers:\n    - { name: t, on: \"operation(wait)\", if: \"" more                           \
    "\", give: temperature(cup), to: ode }\n"

static void evaluators_stand_for_numbers_conditions_and_bodies(void **state) {
    (void)state;
    world_model *w = world_good(EVALUATORS(
        "    gap: \"temperature(cup) - 293\"\n    warm: \"gap > 20, not holds(left, _)\"\n"
        "    near: \"nearest(left, 0.15)\"\n")
                                    USES("warm, near(?o), not holds(left, ?o), gap / 2 < gap"));
    const ensemble_trigger *t = &w->ensemble.triggers[0];
    assert_int_equal(t->condition_count, 4);
    assert_true(t->conditions[0].kind == CONDITION_ALL && t->conditions[0].count == 2);
    assert_true(t->conditions[0].all[0].left->kind == VALUE_DIFFERENCE);
    assert_true(t->conditions[1].kind == CONDITION_FINDS && t->conditions[1].variable == 0);
    assert_true(t->conditions[1].finder.kind == FINDER_NEAREST &&
                t->conditions[1].finder.radius == 0.15);
    assert_true(t->conditions[2].negated && t->conditions[2].variable == 0);
    assert_true(t->conditions[3].left->kind == VALUE_QUOTIENT);
    assert_int_equal(t->variable_count, 1);
    world_destroy(w);
}

static void mistakes_of_evaluators_are_named_where_they_stand(void **state) {
    (void)state;
    world_mistake(EVALUATORS("    a: \"temperature(mug) + 1\"\n"), 10, "no model gives");
    world_mistake(EVALUATORS("    a: \"b + 1\"\n    b: 3\n"), 10, "`b`"); // those before it alone
    world_mistake(EVALUATORS("    a: \"nearest(left, type(cup), 0.1)\"\n"), 10, "type");
    world_mistake(EVALUATORS("    a: \"nearest(left, -0.1)\"\n"), 10, "more than 0 m");
    world_mistake(EVALUATORS("    a: \"nearest(left, near)\"\n"), 10, "finds nothing");
    world_mistake(EVALUATORS("    a: \"held(?h)\"\n"), 10, "finds nothing");
    world_mistake(EVALUATORS("    a: \"holds(left, ?o)\"\n"), 10, "no variables");
    world_mistake(CUPS MAIN GOOD "  evaluators: [ a ]\n", 9, "mapping");
    world_mistake(EVALUATORS("    a: \"held(left)\"\n") USES("b(?o)"), 12, "no condition");
    world_mistake(EVALUATORS("    a: \"held(left)\"\n") USES("a > 3"), 12, "`a` is no number");
    world_mistake(EVALUATORS("    a: \"held(left)\"\n") USES("a(plate)"), 12, "`plate`");
    world_mistake(EVALUATORS("    a: 3\n") USES("a(?o)"), 12, "finds no body");
    world_mistake(EVALUATORS("    a: \"held(left)\"\n") USES("not a(?o)"), 12, "nothing before");
    world_mistake(
        CUPS MAIN BINDS("") "  triggers:\n    - { name: t, on: \"operation(wait)\", give: "
                            "\"pose(?o)\", to: grip }\n",
        10, "nothing under `if` says");
    world_mistake(CUPS MAIN GOOD "  triggers:\n    - { name: t, on: \"operation(wait)\", if: "
                                 "\"holds(left, ?o)\", give: \"pose(?o)\", to: hot }\n",
                  10, "of no body is among the `outputs` of hot");
}

static void mistakes_of_ownership_and_triggers_are_named_where_they_stand(void **state) {
    (void)state;
    world_mistake(
        CUPS MAIN GOOD COOLS("cold", "step: free, every: 1") "  owns: { hot: [ temperature(cup) ], "
                                                             "cold: [ temperature(cup) ] }\n",
        10, "an owner already: `hot`");
    world_mistake(CUPS MAIN GOOD "  owns: { hat: [ temperature(cup) ] }\n", 9, "`hot`");
    world_mistake(CUPS MAIN GOOD "  owns: { hot: [ temperature(mug) ] }\n", 9, "no model gives");
    world_mistake(CUPS MAIN GOOD "  owns: { hot: temperature(cup) }\n", 9, "list");
#define TRIGGER(more) CUPS MAIN GOOD "  triggers:\n    - { name: t, " more " }\n"
#define GIVES ", give: temperature(cup), to: ode"
    world_mistake(TRIGGER("give: temperature(cup), to: ode"), 10, "`on`");
    world_mistake(TRIGGER("on: \"time > 3\"" GIVES), 10, "`time`");
    world_mistake(TRIGGER("on: \"operates(left)\"" GIVES), 10, "operation(NAME)");
    world_mistake(TRIGGER("on: \"event(hat, boils)\"" GIVES), 10, "`hot`");
    world_mistake(TRIGGER("on: \"event(ode, boils)\"" GIVES), 10, "tells no events");
    world_mistake(TRIGGER("on: \"temperature(cup) < cold\"" GIVES), 10, "number");
    world_mistake(TRIGGER("on: \"operation(wait)\", if: \"holds(left)\"" GIVES), 10,
                  "no condition");
    world_mistake(
        CUPS MAIN BINDS(
            "") "  triggers:\n    - { name: t, on: \"pose(cup) > 3\", give: pose(cup), to: ode"
                " }\n",
        10, "`pose(cup)` is no number");
    world_mistake(TRIGGER("on: \"operation(wait)\""), 10, "one effect");
    world_mistake(TRIGGER("on: \"operation(wait)\", send: x" GIVES), 10, "one effect");
    world_mistake(TRIGGER("on: \"operation(wait)\", send: x, to: ode"), 10, "takes no events");
    world_mistake(TRIGGER("on: \"operation(wait)\", give: temperature(mug), to: ode"), 10,
                  "no model gives");
    world_mistake(CUPS MAIN GOOD "  triggers:\n    - { on: \"operation(wait)\"" GIVES " }\n", 10,
                  "`name`");
    world_mistake(CUPS MAIN GOOD "  triggers: { name: x }\n", 9, "list");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_section_is_read),
        cmocka_unit_test(what_grippers_are_read_as_is_known_by_the_arm),
        cmocka_unit_test(mistakes_of_models_are_named_where_they_stand),
        cmocka_unit_test(mistakes_of_the_order_of_a_step_are_named_where_they_stand),
        cmocka_unit_test(evaluators_stand_for_numbers_conditions_and_bodies),
        cmocka_unit_test(mistakes_of_evaluators_are_named_where_they_stand),
        cmocka_unit_test(mistakes_of_ownership_and_triggers_are_named_where_they_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
