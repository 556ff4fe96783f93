// projector/margins.c - margins that overlap with the map before anything has moved: see margins.h.
#include "projector/margins.h"

#include <math.h>
#include <string.h>

#include "plans/tree.h"

// What is known of one robot on the way through a plan.
typedef struct margin_walk {
    const projection_inputs *in;
    const sim *world; // as it begins
    size_t member;
    const robot_model *robot;
    double *joints;  // by joint: where it is ...
    bool *known;     // ... by arm: as far as that is known
    unsigned moving; // arms that steps which run beside this one may move: 1 << arm
    bool moved;      // some arm is elsewhere than at the start
    status st;
    error *err;
} margin_walk;

static const plan_binding *argument_of(const plan_node *n, const char *name) {
    for (size_t i = 0; i < n->binding_count; i++)
        if (strcmp(n->bindings[i].name, name) == 0)
            return &n->bindings[i];
    return NULL;
}

// The arm that an action is about; SIZE_MAX: its name is not known yet, or none is given.
static size_t arm_of(const margin_walk *w, const plan_node *n) {
    const plan_binding *arm = argument_of(n, "arm");
    for (size_t i = 0; arm && i < w->robot->arm_count; i++)
        if (term_is_symbol(arm->value, w->robot->arms[i].name))
            return i;
    return SIZE_MAX;
}

static bool is_of_another(const margin_walk *w, const plan_node *n) {
    const char *own = w->in->members[w->member].robot.name;
    return n->as && !(own && strcmp(n->as, own) == 0);
}

// The arms that a step may move, or whose fingers: 1 << arm.
static const unsigned ANYTHING = ~0u; // and the base
static unsigned action_moves(const margin_walk *w, const plan_node *n) {
    static const char *const still[] = {"wait", "detect"};
    static const char *const one_arm[] = {"move_arm", "guide", "follow", "open_gripper",
                                          "close_gripper"};
    size_t arm = arm_of(w, n);
    if (names_hold(still, sizeof still / sizeof *still, n->name))
        return 0;
    bool known = arm < SIZE_MAX && names_hold(one_arm, sizeof one_arm / sizeof *one_arm, n->name);
    return known ? 1u << arm : ANYTHING;
}

static unsigned step_moves(const margin_walk *w, const plan_node *n) {
    unsigned moves = 0;
    if (is_of_another(w, n))
        return 0;
    switch (n->kind) {
    case CONSTRUCT_SEQ:
    case CONSTRUCT_LET:
    case CONSTRUCT_PAR:
    case CONSTRUCT_PURSUE:
        for (size_t i = 0; i < n->child_count; i++)
            moves |= step_moves(w, n->children[i]);
        return moves;
    case CONSTRUCT_LOG:
    case CONSTRUCT_SET:
        return 0;
    case CONSTRUCT_ACTION:
        return action_moves(w, n);
    default:
        return ANYTHING;
    }
}

// The world with the robot's arms where they are now, whatever overlaps there, for as long as
// *posed is there; NULL: there is no such world.
static sim *world_now(const margin_walk *w, robot_model *posed) {
    const size_t count = w->in->count;
    fleet_member *all = mem_must(count, sizeof *all);
    sim_options options = sim_options_default();
    error unused = {0};
    sim *out = NULL;
    options.overlapping = true;
    *posed = *w->robot;
    posed->home = w->joints;
    for (size_t i = 0; i < count; i++)
        all[i] = w->in->members[i].robot;
    all[w->member].robot = posed;
    if (sim_create_fleet(w->in->world, all, count, &options, &out, &unused) != OK)
        out = NULL;
    free(all);
    return out;
}

static void check_guide(margin_walk *w, const plan_node *n, size_t arm) {
    const plan_binding *given = argument_of(n, "margin");
    double margin;
    if (!given || !term_number(given->value, &margin) || !(margin > 0) || isinf(margin))
        return;
    robot_model there;
    sim *posed = w->moved ? world_now(w, &there) : NULL;
    const sim *s = w->moved ? posed : w->world;
    size_t part = 0, body = 0;
    double gap =
        s ? sim_known_gap(s, sim_part_of(s, w->member).arm + arm, margin, &part, &body) : margin;
    char where[64] = "inside of it";
    if (gap > 0)
        snprintf(where, sizeof where, "%.1f mm from it", 1e3 * gap);
    if (gap < margin)
        w->st = error_at(w->err, E_INPUT, n->file->path, given->line, given->column,
                         "the %s arm begins nearer to `%s` than its margin: `%s` is %s, and the "
                         "margin %.1f mm; begin farther away, or with less",
                         w->robot->arms[arm].name, sim_entity_name(s, body),
                         sim_entity_name(s, part), where, 1e3 * margin);
    sim_destroy(posed);
}

// Where move_arm sends the arm. False: that is not known beforehand.
static bool move_arm(margin_walk *w, const plan_node *n, size_t arm) {
    const plan_binding *to = argument_of(n, "to");
    const robot_arm *a = &w->robot->arms[arm];
    const term *list = to && term_is(to->value, "joints", 1) ? to->value->args[0] : NULL;
    double q[ARM_JOINTS_MAX];
    if (!list || term_list_length(list) != (int64_t)a->joint_count)
        return false;
    for (size_t k = 0; k < a->joint_count; k++)
        if (!term_number(term_list_item(list, k), &q[k]))
            return false;
    for (size_t k = 0; k < a->joint_count; k++)
        w->joints[a->joints[k]] = q[k];
    w->known[arm] = w->moved = true;
    return true;
}

// Whether what is known goes on after an action.
static bool walk_action(margin_walk *w, const plan_node *n) {
    unsigned moves = action_moves(w, n);
    if (moves == 0 || moves == ANYTHING)
        return moves == 0;
    size_t arm = arm_of(w, n);
    if (strcmp(n->name, "guide") == 0 && w->known[arm] && !(w->moving >> arm & 1))
        check_guide(w, n, arm);
    w->known[arm] = strcmp(n->name, "move_arm") == 0 && move_arm(w, n, arm);
    return true;
}

static bool walk_step(margin_walk *w, const plan_node *n);

// Steps that run together begin where all of them do. What one does to an arm that another one may
// move is not known.
static bool walk_together(margin_walk *w, const plan_node *n) {
    const unsigned before = w->moving;
    unsigned moved = 0, twice = 0;
    bool on = true;
    for (size_t i = 0; w->st == OK && i < n->child_count; i++) {
        w->moving = before;
        for (size_t k = 0; k < n->child_count; k++)
            w->moving |= k == i ? 0 : step_moves(w, n->children[k]);
        on = walk_step(w, n->children[i]) && on;
        twice |= moved & step_moves(w, n->children[i]);
        moved |= step_moves(w, n->children[i]);
    }
    w->moving = before;
    for (size_t i = 0; i < w->robot->arm_count; i++)
        w->known[i] = w->known[i] && !(twice >> i & 1);
    return on;
}

// Whether what is known goes on after the step, without a mistake.
static bool walk_step(margin_walk *w, const plan_node *n) {
    bool on = true;
    if (is_of_another(w, n))
        return true;
    switch (n->kind) {
    case CONSTRUCT_SEQ:
    case CONSTRUCT_LET:
        for (size_t i = 0; on && i < n->child_count; i++)
            on = walk_step(w, n->children[i]);
        return on;
    case CONSTRUCT_PAR:
        return walk_together(w, n);
    case CONSTRUCT_PURSUE: // of which those that the end of one cuts short are not known
        walk_together(w, n);
        return false;
    case CONSTRUCT_LOG:
    case CONSTRUCT_SET:
        return true;
    case CONSTRUCT_ACTION:
        return walk_action(w, n) && w->st == OK;
    default:
        return false;
    }
}

static status check_member(const projection_inputs *in, const sim *world, size_t member,
                           error *err) {
    const plan *p = in->members[member].plan;
    const robot_model *r = in->members[member].robot.robot;
    const plan_node *body = p ? plan_body(p) : NULL;
    margin_walk w = {.in = in, .world = world, .member = member, .robot = r, .err = err};
    bool recorded = in->recording && in->coupled && in->coupled->follower == member;
    if (!body || r->arm_count == 0 || recorded) // a recorded robot goes where it went
        return OK;
    w.joints = mem_must(r->joint_count + 1, sizeof *w.joints);
    w.known = mem_must(r->arm_count, sizeof *w.known);
    memcpy(w.joints, r->home, r->joint_count * sizeof *w.joints);
    for (size_t i = 0; i < r->arm_count; i++)
        w.known[i] = true;
    walk_step(&w, body);
    free(w.joints);
    free(w.known);
    return w.st;
}

status margins_check(const projection_inputs *in, const sim *world, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < in->count; i++)
        st = check_member(in, world, i, err);
    return st;
}
