// plans/load/projection.c - reads what a plan is projected with, and checks the keys of files.
#include "plans/load/load_int.h"

#include <math.h>

#include "base/math/geom.h"

// The keys of each kind of mapping.
enum { FILE_KEYS_MAX = 16 };
static const struct {
    file_map of;
    const char *name;
} FILE_KEYS[] = {
#define KEY(map, name, form, doc) {MAP_##map, name},
#include "plans/files.def"
};
static const double PLACE_MAX = 1e5,
                    DEGREES_MAX = 36000, // m, as far as worlds reach; and as they turn
    LATE_MAX = 600;                      // s

void file_keys_check(const ynode *n, file_map map, errors *list) {
    const char *known[FILE_KEYS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < sizeof FILE_KEYS / sizeof *FILE_KEYS; i++)
        if (FILE_KEYS[i].of == map)
            known[count++] = FILE_KEYS[i].name;
    ASSERT(count < FILE_KEYS_MAX);
    known[count] = NULL;
    ynode_check_keys(n, known, list);
}

const char *path_beside(arena *a, const char *beside, const char *name) {
    const char *slash = strrchr(beside, '/');
    if (name[0] == '/' || !slash)
        return arena_strdup(a, name);
    return arena_format(a, "%.*s/%s", (int)(slash - beside), beside, name);
}

// ---- Settings -----------------------------------------------------------------------------------

// Scopes that a setting may have, and what it is to be told of the scope of the other list.
typedef struct setting_scopes {
    const char *const *names;
    const char *example, *unknown, *other_scope, *other;
} setting_scopes;

static void read_setting(loader *l, const ynode *key, const ynode *value, const setting_scopes *of,
                         settings *out) {
    const char *dot = strchr(key->scalar, '.'), *text;
    if (!dot || dot == key->scalar || !dot[1]) {
        ynode_error(key, l->list, "'%s' must be written scope.name, as %s", key->scalar,
                    of->example);
        return;
    }
    char *scope = arena_copy(l->a, key->scalar, (size_t)(dot - key->scalar));
    bool known = false;
    for (size_t i = 0; of->names[i]; i++)
        known = known || strcmp(of->names[i], scope) == 0;
    if (!known) {
        ynode_error(key, l->list, strcmp(scope, of->other_scope) == 0 ? of->other : of->unknown,
                    key->scalar);
        return;
    }
    if (ynode_text(value, key->scalar, &text, l->list))
        array_push(out, ((setting){scope, dot + 1, text, arena_strdup(l->a, value->file),
                                   value->line, value->column}));
}

static void read_settings(loader *l, const ynode *n, const setting_scopes *of, settings *out) {
    if (n && n->kind != YNODE_MAPPING)
        ynode_error(n, l->list, "set: must be a map of scope.name: value");
    else if (n)
        for (size_t i = 0; i < n->count; i++)
            read_setting(l, n->keys[i], n->items[i], of, out);
}

// ---- Several robots -----------------------------------------------------------------------------

static bool begins_with_part(const char *name, const char *other) {
    size_t n = strlen(other);
    return strncmp(name, other, n) == 0 && name[n] == '_';
}

// In the log the parts of a robot are called after it, and its parameters are told by its name.
static void check_member_name(loader *l, const ynode *key) {
    static const char *const taken[] = {"plan",   "world",   "robot",  "log",
                                        "change", "placebo", "branch", "fidelity"};
    static const char *const frames[] = {"map", "start", "tracker", "marker"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(key->scalar, taken[i]) == 0)
            ynode_error(key, l->list,
                        "no robot can be called '%s', which means something else where parameters "
                        "are set; give it a name of its own, as ann",
                        key->scalar);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        if (strcmp(key->scalar, frames[i]) == 0)
            ynode_error(key, l->list,
                        "no robot can be called '%s', which is a frame of every robot's view; give "
                        "it a name of its own, as ann",
                        key->scalar);
    if (strcmp(key->scalar, "twin") == 0)
        ynode_error(key, l->list,
                    "no robot can be called 'twin', as the model at an operator's side is; give it "
                    "a name of its own, as ann");
    for (size_t i = 0; i < l->p->members.count; i++) {
        const char *other = l->p->members.items[i].is.name;
        bool first = begins_with_part(key->scalar, other);
        if (first || begins_with_part(other, key->scalar))
            ynode_error(key, l->list,
                        "the names '%s' and '%s' cannot be told from each other's parts, as "
                        "%s_base; call one of them otherwise",
                        other, key->scalar, first ? key->scalar : other);
    }
}

static void read_place(loader *l, const ynode *n, const ynode *entry, const char *name, pose *out) {
    double v[3] = {0};
    if (!n) {
        ynode_missing(entry, l->list,
                      "the robot '%s' needs at: with where it starts, as [2.0, 2.6, 90]", name);
        return;
    }
    if (!ynode_numbers(n, "at", v, 3, l->list))
        return;
    if (!(fabs(v[0]) <= PLACE_MAX && fabs(v[1]) <= PLACE_MAX && fabs(v[2]) <= DEGREES_MAX)) {
        ynode_error(n, l->list,
                    "at: must be [x, y, yaw] in metres and degrees, within %g m and %g degrees",
                    PLACE_MAX, DEGREES_MAX);
        return;
    }
    *out = pose_planar(v[0], v[1], angle_wrap(v[2] * PI / 180));
}

static void read_member(loader *l, const ynode *key, const ynode *n, const char *path) {
    static const char *const names[] = {"plan", "robot", NULL};
    static const setting_scopes scopes = {
        names, "plan.place", "unknown scope of '%s'; known: plan, robot", "world",
        "'%s' is for all robots: the world's parameters stand under projection: set"};
    named_member m = {.is = {.file = key->file, .line = key->line, .column = key->column}};
    const char *text;
    if (!name_read(l, key, "the name of a robot", &m.is.name))
        return;
    check_member_name(l, key);
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list,
                    "the robot '%s' must be a map with robot: and at:, as { robot: two_arms.yaml, "
                    "at: [2.0, 2.6, 90] }",
                    key->scalar);
        return;
    }
    file_keys_check(n, MAP_MEMBER, l->list);
    m.robot_at = ynode_get(n, "robot");
    m.plan_at = ynode_get(n, "plan");
    if (!m.robot_at) {
        ynode_missing(key, l->list, "the robot '%s' needs robot: with its file", key->scalar);
    } else if (ynode_text(m.robot_at, "robot", &text, l->list)) {
        m.is.robot = path_beside(l->a, path, text);
    }
    if (m.plan_at && ynode_text(m.plan_at, "plan", &text, l->list))
        m.is.plan = path_beside(l->a, path, text), m.is.plan_name = text;
    read_place(l, ynode_get(n, "at"), key, key->scalar, &m.is.at);
    read_settings(l, ynode_get(n, "set"), &scopes, &m.is.set);
    array_push(&l->p->members, m);
}

static void read_members(loader *l, const ynode *n, const ynode *robot, const char *path) {
    if (n->kind != YNODE_MAPPING || n->count == 0) {
        ynode_error(n, l->list,
                    "robots: must be a map of names, as ann: { robot: two_arms.yaml, at: [2.0, "
                    "2.6, 90] }");
        return;
    }
    if (robot)
        ynode_error(robot, l->list,
                    "robot: is for a projection with one robot; here robots: says which there are");
    for (size_t i = 0; i < n->count; i++)
        read_member(l, n->keys[i], n->items[i], path);
    const named_member *first = l->p->members.items;
    if (l->p->members.count && first->plan_at)
        ynode_error(first->plan_at, l->list,
                    "the first robot runs the body of this file; a robot with a plan of its own "
                    "comes after it");
}

// ---- What robots tell one another ---------------------------------------------------------------

static bool find_member(loader *l, const ynode *n, size_t *out) {
    const char *name;
    if (!ynode_text(n, "between", &name, l->list))
        return false;
    *out = plan_find_member(l->p, name);
    if (*out == PLAN_NO_MEMBER)
        ynode_error(n, l->list, "there is no robot '%s' under robots:", name);
    return *out != PLAN_NO_MEMBER;
}

static bool read_pair(loader *l, const ynode *n, const ynode *entry, plan_link *out) {
    if (!n || n->kind != YNODE_SEQUENCE || n->count != 2) {
        ynode_error(n ? n : entry, l->list,
                    "a link needs between: with the names of two robots, as [ann, bob]");
        return false;
    }
    if (!find_member(l, n->items[0], &out->a) || !find_member(l, n->items[1], &out->b))
        return false;
    if (out->a == out->b) {
        ynode_error(n, l->list, "a link is between two robots, not from one to itself");
        return false;
    }
    for (size_t i = 0; i < l->p->links.count; i++) {
        const plan_link *other = &l->p->links.items[i];
        if ((other->a == out->a && other->b == out->b) ||
            (other->a == out->b && other->b == out->a)) {
            ynode_error(n, l->list, "there is a link between these two already");
            return false;
        }
    }
    return true;
}

static bool read_trait(loader *l, const ynode *n, const char *key, bool probability, double *out) {
    const ynode *value = ynode_get(n, key);
    if (!value)
        return true;
    if (!ynode_number(value, key, out, l->list))
        return false;
    if (probability ? *out >= 0 && *out < 1 : *out >= 0 && *out <= LATE_MAX)
        return true;
    if (probability)
        ynode_error(value, l->list, "%s: must be a probability of at least 0 and less than 1", key);
    else
        ynode_error(value, l->list, "%s: must be between 0 and %g s", key, LATE_MAX);
    return false;
}

static bool read_traits(loader *l, const ynode *n, double *delay, double *jitter, double *loss) {
    bool good = read_trait(l, n, "delay", false, delay);
    good = read_trait(l, n, "jitter", false, jitter) && good;
    return read_trait(l, n, "loss", true, loss) && good;
}

static void read_link(loader *l, const ynode *n) {
    plan_link link = {0};
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list,
                    "a link must be a map, as { between: [ann, bob], delay: 0.05, loss: 0.01 }");
        return;
    }
    file_keys_check(n, MAP_LINK, l->list);
    bool good = read_pair(l, ynode_get(n, "between"), n, &link);
    good = read_traits(l, n, &link.delay, &link.jitter, &link.loss) && good;
    if (good)
        array_push(&l->p->links, link);
}

static void read_sharing(loader *l, const ynode *share, const ynode *links) {
    const char *what = "nothing";
    const ynode *first = share ? share : links;
    if (first && l->p->members.count < 2) {
        ynode_error(first, l->list, "%s is for several robots; name them under robots:",
                    share ? "share:" : "links:");
        return;
    }
    if (share && !ynode_text(share, "share", &what, l->list))
        return;
    l->p->shares = strcmp(what, "all") == 0;
    if (!l->p->shares && strcmp(what, "nothing") != 0)
        ynode_error(share, l->list, "share: must be all or nothing, not '%s'", what);
    if (!links)
        return;
    if (links->kind != YNODE_SEQUENCE) {
        ynode_error(links, l->list,
                    "links: must be a list, as [ { between: [ann, bob], delay: 0.05 } ]");
        return;
    }
    for (size_t i = 0; i < links->count; i++)
        read_link(l, links->items[i]);
}

// ---- An operator's station ----------------------------------------------------------------------

static const double STIFFNESS_MOST = 1e4, DAMPING_MOST = 5, FORCE_MOST = 1000;

static bool read_role(loader *l, const ynode *n, const ynode *entry, const char *key, size_t *out) {
    const char *name;
    if (!n) {
        ynode_missing(entry, l->list, "teleoperation: needs %s: with the name of a robot", key);
        return false;
    }
    if (!ynode_text(n, key, &name, l->list))
        return false;
    *out = plan_find_member(l->p, name);
    if (*out == PLAN_NO_MEMBER)
        ynode_error(n, l->list, "there is no robot '%s' under robots:", name);
    return *out != PLAN_NO_MEMBER;
}

static bool read_coupling(loader *l, const ynode *n, const ynode *entry, coupling_kind *out) {
    const char *name;
    if (!n) {
        ynode_missing(entry, l->list, "teleoperation: needs coupling: one of pfc, tdpa, mmt");
        return false;
    }
    if (!ynode_text(n, "coupling", &name, l->list))
        return false;
    if (coupling_find(name, out))
        return true;
    ynode_error(n, l->list, "coupling: must be one of pfc, tdpa, mmt, not '%s'", name);
    return false;
}

// A number above 0.
static bool read_gain(loader *l, const ynode *map, const char *key, double most, double *out) {
    const ynode *n = ynode_get(map, key);
    if (!n)
        return true;
    if (!ynode_number(n, key, out, l->list))
        return false;
    if (*out > 0 && *out <= most)
        return true;
    ynode_error(n, l->list, "%s: must be above 0, and %g at most", key, most);
    return false;
}

static bool read_wire(loader *l, const ynode *n, plan_coupling *c) {
    if (!n)
        return true;
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list,
                    "link: must be a map, as { delay: 0.018, jitter: 0.002, loss: 0.01 }");
        return false;
    }
    file_keys_check(n, MAP_WIRE, l->list);
    return read_traits(l, n, &c->delay, &c->jitter, &c->loss);
}

static bool read_range(loader *l, const ynode *n, const char *key, double least, double most,
                       double *out) {
    if (!ynode_number(n, key, out, l->list))
        return false;
    if (*out >= least && *out <= most)
        return true;
    ynode_error(n, l->list, "%s: must be from %g to %g", key, least, most);
    return false;
}

// How the operator's hands drive the follower's base.
static bool read_assist(loader *l, const ynode *map, plan_coupling *c) {
    static const char *const keys[] = {"dead_zone", "base_rate", "base_speed"};
    // The base is driven in steps of the least speed.
    static const double least[] = {0, 0.01, PLAN_BASE_STEP}, most[] = {1, 10, 2};
    double *const out[] = {&c->dead_zone, &c->base_rate, &c->base_speed};
    const ynode *n = ynode_get(map, "assist");
    const char *what;
    if (n && !ynode_text(n, "assist", &what, l->list))
        return false;
    c->assist = n && strcmp(what, "base_follows_hands") == 0;
    if (n && !c->assist) {
        ynode_error(n, l->list, "assist: must be base_follows_hands, not '%s'", what);
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const ynode *key = ynode_get(map, keys[i]);
        if (!key)
            continue;
        if (!n)
            ynode_error(key, l->list, "%s: is of assist: base_follows_hands, which is not there",
                        keys[i]);
        good = n && read_range(l, key, keys[i], least[i], most[i], out[i]) && good;
    }
    return good;
}

static void read_teleoperation(loader *l, const ynode *n) {
    plan_coupling c = {.stiffness = 300,
                       .damping = 0.7,
                       .gain = 1,
                       .force = 80,
                       .dead_zone = 0.05,
                       .base_rate = 1,
                       .base_speed = 0.2};
    if (!n)
        return;
    if (n->kind != YNODE_MAPPING) {
        ynode_error(
            n, l->list,
            "teleoperation: must be a map, as { leader: bob, follower: ann, coupling: pfc }");
        return;
    }
    if (l->p->members.count < 2) {
        ynode_error(n, l->list, "teleoperation: is between two robots; name them under robots:");
        return;
    }
    file_keys_check(n, MAP_TELEOPERATION, l->list);
    const ynode *follower = ynode_get(n, "follower");
    bool good = read_role(l, ynode_get(n, "leader"), n, "leader", &c.leader);
    good = read_role(l, follower, n, "follower", &c.follower) && good;
    if (good && c.leader == c.follower) {
        ynode_error(follower, l->list, "a robot cannot follow itself; name another one");
        good = false;
    }
    const ynode *coupling = ynode_get(n, "coupling");
    bool known = read_coupling(l, coupling, n, &c.kind);
    good = read_gain(l, n, "stiffness", STIFFNESS_MOST, &c.stiffness) && known && good;
    good = read_gain(l, n, "damping", DAMPING_MOST, &c.damping) && good;
    good = read_gain(l, n, "gain", 1, &c.gain) && good;
    good = read_gain(l, n, "force", FORCE_MOST, &c.force) && good;
    good = read_wire(l, ynode_get(n, "link"), &c) && good;
    good = read_assist(l, n, &c) && good;
    const ynode *twin = ynode_get(n, "twin");
    good = (!twin || ynode_bool(twin, "twin", &c.twin, l->list)) && good;
    if (known && c.kind == COUPLING_mmt && !c.twin) {
        ynode_error(coupling, l->list,
                    "mmt lets the operator feel a twin, and there is none; add twin: yes");
        good = false;
    }
    c.file = n->file, c.line = n->line, c.column = n->column;
    l->p->coupling = c;
    l->p->coupled = good;
}

void projection_read(loader *l, const ynode *n, const char *path) {
    static const char *const names[] = {"world", "robot", "log", NULL};
    static const setting_scopes scopes = {
        names, "world.gripper_friction", "unknown scope of '%s'; known: world, robot, log", "plan",
        "a plan's own parameters are set where they are declared: '%s'"};
    if (!n)
        return;
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list, "projection: must be a map with world:, robot: and set:");
        return;
    }
    file_keys_check(n, MAP_PROJECTION, l->list);
    const ynode *world = ynode_get(n, "world"), *robot = ynode_get(n, "robot"),
                *robots = ynode_get(n, "robots");
    const char *name;
    if (world && ynode_text(world, "world", &name, l->list))
        l->p->world = path_beside(l->a, path, name), l->p->world_at = world;
    if (robots)
        read_members(l, robots, robot, path);
    else if (robot && ynode_text(robot, "robot", &name, l->list))
        l->p->robot = path_beside(l->a, path, name), l->p->robot_at = robot;
    read_sharing(l, ynode_get(n, "share"), ynode_get(n, "links"));
    read_teleoperation(l, ynode_get(n, "teleoperation"));
    read_settings(l, ynode_get(n, "set"), &scopes, &l->p->set);
}
