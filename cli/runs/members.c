// cli/runs/members.c - the robots of a scenario: see members.h.
#include "cli/runs/members.h"

#include <string.h>

#include "cli/runs/scenario.h"
#include "plans/tree.h"

// ---- Settings -----------------------------------------------------------------------------------

// The parameter's own name in a setting of one of several robots, as place in plan.place; NULL: it
// is of another kind.
static const char *name_within(const char *name, const char *of) {
    size_t n = strlen(of);
    return strncmp(name, of, n) == 0 && name[n] == '.' && name[n + 1] ? name + n + 1 : NULL;
}

status members_check_scopes(const plan *p, const settings *set, errors *list) {
    static const char *const scopes[] = {"plan", "world", "robot", "log", FIDELITY_SCOPE};
    const size_t fixed = sizeof scopes / sizeof *scopes;
    size_t count = p ? plan_member_count(p) : 0;
    status st = OK;
    for (size_t i = 0; i < set->count; i++) {
        const setting *s = &set->items[i];
        bool known = false, robot = name_within(s->name, "plan") || name_within(s->name, "robot");
        for (size_t k = 0; k < fixed; k++)
            known = known || strcmp(scopes[k], s->scope) == 0;
        for (size_t k = 0; k < count && robot; k++)
            known = known || strcmp(plan_member_at(p, k)->name, s->scope) == 0;
        if (known)
            continue;
        arena *a = arena_create();
        const char **names = arena_alloc(a, (count + 1) * sizeof *names), *all = "";
        for (size_t k = 0; k < count; k++) {
            names[k] = plan_member_at(p, k)->name;
            all = arena_format(a, "%s%s%s", all, k ? ", " : "", names[k]);
        }
        error err = {0};
        const char *near = nearest_name(s->scope, names, count);
        if (count == 0)
            error_set(&err, E_USAGE,
                      "--set %s.%s=%s: no robot is called '%s'; the scope is one of plan, world, "
                      "robot, log",
                      s->scope, s->name, s->value, s->scope);
        else
            error_set(&err, E_USAGE, "--set %s.%s=%s: no robot is called '%s'; there are %s%s%s%s",
                      s->scope, s->name, s->value, s->scope, all, near ? "; did you mean '" : "",
                      near ? near : "", near ? "'?" : "");
        errors_append(list, &err);
        st = E_USAGE;
        arena_destroy(a);
    }
    return st;
}

// Adds the settings of a kind, plan or robot, that the list has for the robot.
static void gather(const plan_member *m, const char *kind, const settings *from, bool general,
                   settings *out) {
    for (int own = 0; own < 2; own++)
        for (size_t i = 0; i < from->count; i++) {
            const setting *s = &from->items[i];
            const char *name = own ? name_within(s->name, kind) : s->name;
            if (own ? name && strcmp(s->scope, m->name) == 0
                    : general && strcmp(s->scope, kind) == 0)
                array_push(out, ((setting){kind, name, s->value, s->file, s->line, s->column}));
        }
}

// ---- Loading ------------------------------------------------------------------------------------

// Mistakes that have no place of their own, as of a parameter that there is not, are the robot's.
static void place_mistakes(const plan_member *m, errors *from, errors *list) {
    for (size_t i = 0; i < from->count; i++) {
        const error *e = &from->items[i];
        error placed = *e;
        if (!e->file[0])
            error_at(&placed, e->code, m->file, m->line, m->column, "%s: %.600s", m->name, e->text);
        errors_append(list, &placed);
    }
    errors_finish(from);
}

static status load_plan(scenario *s, const members_request *q, const plan_member *m,
                        scenario_member *out, errors *list) {
    plan_names names = scenario_robot_names();
    settings set = {0};
    errors own = {0};
    status st = OK;
    gather(m, "plan", &m->set, true, &set);
    bool another = m->plan || set.count > 0;
    gather(m, "plan", q->set, !m->plan, &set);
    // The scenario's own was read with the general settings alone.
    for (size_t i = 0; i < q->set->count; i++)
        another = another || (strcmp(q->set->items[i].scope, m->name) == 0 &&
                              name_within(q->set->items[i].name, "plan"));
    out->plan = s->plan;
    if (another) {
        out->plan = NULL;
        if (m->plan)
            st = plan_read_named(q->files, m->plan, m->plan_name, q->library, &set, &names,
                                 &out->plan, &own);
        else
            st = plan_read_from(q->files, q->plan_path, q->library, &set, &names, &out->plan, &own);
        if (st == OK && !plan_body(out->plan)) {
            errors_add(&own, m->plan, 1, 1, "these are routines alone; a plan has a body:");
            st = E_INPUT;
        }
        if (st == OK && m->plan && plan_member_count(out->plan)) {
            errors_add(&own, m->plan, 1, 1,
                       "this plan names several robots itself; '%s' needs the plan of one robot",
                       m->name);
            st = E_INPUT;
        }
    }
    array_finish(&set);
    place_mistakes(m, &own, list);
    return st;
}

// Names in the world are those of the robots and their parts, too.
static status check_name(const scenario *s, const plan_member *m, errors *list) {
    const world_model *w = s->world;
    const char *what = !w                                   ? NULL
                       : world_find_body(w, m->name) >= 0   ? "body"
                       : world_find_region(w, m->name) >= 0 ? "region"
                       : world_find_joint(w, m->name) >= 0  ? "door or drawer"
                                                            : NULL;
    if (!what)
        return OK;
    errors_add(list, m->file, m->line, m->column,
               "the world has a %s `%s` already; call the robot otherwise", what, m->name);
    return E_INPUT;
}

static status load_robot(const members_request *q, const plan_member *m, scenario_member *out,
                         errors *list) {
    settings set = {0};
    errors own = {0};
    if (!m->robot)
        return E_INPUT; // which was told when the plan was read
    gather(m, "robot", q->own, true, &set);
    gather(m, "robot", &m->set, true, &set);
    gather(m, "robot", q->set, true, &set);
    status st = robot_load_from(q->files, m->robot, q->base, &set, &out->robot, &own);
    array_finish(&set);
    place_mistakes(m, &own, list);
    return st;
}

// What robots tell one another, as the first has it, whose parameters a log keeps under its name.
static void load_links(scenario *s) {
    const plan *p = s->members[0].plan;
    if (!p)
        return;
    s->shares = plan_shares(p);
    s->link_count = plan_link_count(p);
    s->links = arena_alloc(s->arena, (s->link_count + 1) * sizeof *s->links);
    for (size_t i = 0; i < s->link_count; i++) {
        const plan_link *l = plan_link_at(p, i);
        s->links[i] = (projection_link){l->a,
                                        l->b,
                                        {.delay = nanos_from_seconds(l->delay),
                                         .jitter = nanos_from_seconds(l->jitter),
                                         .loss = l->loss}};
    }
}

// Arms of the same name are coupled joint by joint.
static status load_coupling(scenario *s, errors *list) {
    const plan *p = s->members[0].plan;
    const plan_coupling *c = s->coupled = p ? plan_coupled(p) : NULL;
    if (!c || !s->members[c->leader].robot || !s->members[c->follower].robot)
        return OK;
    const scenario_member *leader = &s->members[c->leader], *follower = &s->members[c->follower];
    size_t pairs = 0;
    for (size_t i = 0; i < follower->robot->arm_count; i++) {
        const robot_arm *own = &follower->robot->arms[i];
        int64_t other = robot_find_arm(leader->robot, own->name);
        if (other < 0)
            continue;
        pairs++;
        size_t joints = leader->robot->arms[other].joint_count;
        if (own->joint_count != joints) {
            errors_add(list, c->file, c->line, c->column,
                       "the arm %s of %s has %zu joints and that of %s %zu; a station's arms have "
                       "the joints of the arms that follow them",
                       own->name, follower->name, own->joint_count, leader->name, joints);
            return E_INPUT;
        }
    }
    if (c->assist && follower->robot->base_drive == BASE_FIXED) {
        errors_add(
            list, c->file, c->line, c->column,
            "the base of %s is fixed, and no hands drive it; leave out assist:", follower->name);
        return E_INPUT;
    }
    if (pairs > 0)
        return OK;
    errors_add(list, c->file, c->line, c->column,
               "no arm of %s is called as one of %s; arms are coupled by their names", leader->name,
               follower->name);
    return E_INPUT;
}

status members_load(scenario *s, const members_request *q, errors *list) {
    status st = OK;
    size_t count = plan_member_count(s->plan);
    s->members = arena_alloc(s->arena, count * sizeof *s->members);
    s->member_count = count;
    for (size_t i = 0; i < count; i++) {
        const plan_member *m = plan_member_at(s->plan, i);
        scenario_member *out = &s->members[i];
        *out = (scenario_member){
            .name = m->name, .at = m->at, .file = m->file, .line = m->line, .column = m->column};
        status loaded = load_plan(s, q, m, out, list);
        st = st == OK ? loaded : st;
        loaded = check_name(s, m, list);
        st = st == OK ? loaded : st;
        loaded = load_robot(q, m, out, list);
        st = st == OK ? loaded : st;
    }
    s->robot = s->members[0].robot;
    load_links(s);
    status coupled = load_coupling(s, list);
    return st == OK ? coupled : st;
}

void members_finish(scenario *s) {
    for (size_t i = 0; i < s->member_count; i++) {
        if (s->members[i].plan != s->plan)
            plan_destroy(s->members[i].plan);
        robot_destroy(s->members[i].robot);
    }
    s->members = NULL;
    s->member_count = 0;
}

// ---- Inputs -------------------------------------------------------------------------------------

void scenario_inputs(const scenario *s, projection_member **room, projection_inputs *out) {
    *room = mem_must(s->member_count, sizeof **room);
    for (size_t i = 0; i < s->member_count; i++) {
        const scenario_member *m = &s->members[i];
        (*room)[i] = (projection_member){.robot = {.name = m->name,
                                                   .robot = m->robot,
                                                   .at = m->at,
                                                   .file = m->file,
                                                   .line = m->line,
                                                   .column = m->column},
                                         .plan = m->plan,
                                         .believed = m->believed};
    }
    *out = (projection_inputs){.members = *room,
                               .count = s->member_count,
                               .world = s->world,
                               .share = s->shares,
                               .links = s->links,
                               .link_count = s->link_count,
                               .coupled = s->coupled,
                               .recording = s->followed};
}

bool scope_names(const input_scope *of, const char *scope, const char *name,
                 const parameter **out) {
    size_t n = strlen(of->prefix);
    bool general = n > 0 && strcmp(scope, of->of) == 0;
    if (!general && (strcmp(scope, of->scope) != 0 || strncmp(name, of->prefix, n) != 0))
        return false;
    name += general ? 0 : n;
    for (size_t i = 0; i < of->all->count; i++)
        if (strcmp(of->all->items[i].name, name) == 0) {
            *out = &of->all->items[i];
            return true;
        }
    return false;
}
