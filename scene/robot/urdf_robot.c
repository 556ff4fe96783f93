// scene/robot/urdf_robot.c - builds links and joints of a robot from its URDF: fixed joints are
// melted away, and what hangs on them becomes part of the link that carries it.
#include "scene/robot/urdf_int.h"

enum { LINKS_MAX = 1000 };

// ---- Joints -------------------------------------------------------------------------------------

static int64_t find_ulink(const building *b, const char *name) {
    for (size_t i = 0; i < b->links.count; i++)
        if (strcmp(b->links.items[i].name, name) == 0)
            return (int64_t)i;
    return -1;
}

static int64_t joint_end(building *b, const xml_node *n, const char *which) {
    const xml_node *end = xml_child(n, which);
    const char *name = end ? xml_attribute(end, "link") : NULL;
    if (!name) {
        ynode_error(&n->place, b->l->list, "the joint needs <%s link=\"...\"/>", which);
        return -1;
    }
    int64_t link = find_ulink(b, name);
    if (link < 0) {
        const char **names = arena_alloc(b->l->arena, (b->links.count + 1) * sizeof *names);
        for (size_t i = 0; i < b->links.count; i++)
            names[i] = b->links.items[i].name;
        name_unknown(b->l, &end->place, "link", name, names, b->links.count);
    }
    return link;
}

// Where the file gives no figure, or one that says nothing.
static void default_limits(building *b, ujoint *u, const xml_node *limit) {
    robot_joint *j = &u->raw.joint;
    bool slides = j->kind == JOINT_PRISMATIC;
    const ynode *place = limit ? &limit->place : &u->node->place;
    if (!quantity_fits(Q_SPEED, j->max_velocity)) {
        j->max_velocity = slides ? 0.1 : 1;
        robot_note_add(b->r, place, "`%s` has no limit of velocity: %g %s is taken", j->name,
                       j->max_velocity, slides ? "m/s" : "rad/s");
    }
    if (!quantity_fits(Q_STRENGTH, j->max_effort)) { // urdf_drive finds one
        j->max_effort = 0;
        robot_note_add(b->r, place,
                       "`%s` has no limit of effort: three times what holds it is taken", j->name);
    }
}

// Whether a limit says that there is none: infinite, or beyond what is anybody's turn or way.
static bool is_endless(const xml_node *limit, const char *key) {
    const char *text = xml_attribute(limit, key);
    return text && !(fabs(strtod(text, NULL)) <= 1e4);
}

// Reads an effort or a velocity. What is infinite, and -1, say that the file gives none, and leave
// 0.
static bool read_strength(building *b, const xml_node *limit, const char *key, double *out) {
    const char *text = xml_attribute(limit, key);
    if (text && isinf(strtod(text, NULL)))
        return true;
    if (!urdf_numbers(b, limit, key, Q_ANYTHING, out, 1))
        return false;
    *out = fmax(*out, 0);
    return true;
}

static void read_limit(building *b, ujoint *u, bool continuous) {
    robot_joint *j = &u->raw.joint;
    const xml_node *n = xml_child(u->node, "limit");
    double lower = 0, upper = 0;
    if (n) {
        bool good = read_strength(b, n, "effort", &j->max_effort);
        good = read_strength(b, n, "velocity", &j->max_velocity) && good;
        if (!continuous && j->kind == JOINT_REVOLUTE &&
            (is_endless(n, "lower") || is_endless(n, "upper"))) {
            continuous = true;
            robot_note_add(b->r, &n->place, "`%s` turns without end: its limits say nothing",
                           j->name);
        }
        if (!continuous) {
            good = urdf_numbers(b, n, "lower", Q_RADIANS, &lower, 1) && good;
            good = urdf_numbers(b, n, "upper", Q_RADIANS, &upper, 1) && good;
        }
        if (!good)
            return;
    } else if (!continuous) {
        ynode_error(&u->node->place, b->l->list, "the joint `%s` needs a <limit>", j->name);
        return;
    }
    if (continuous) { // one turn to either side: nothing here counts further
        lower = -2 * PI;
        upper = 2 * PI;
    }
    if (lower > upper) {
        ynode_error(&n->place, b->l->list, "the limits of `%s` are lower < upper, not %g and %g",
                    j->name, lower, upper);
        return;
    }
    if (lower == upper) {
        u->fixed = true;
        robot_note_add(b->r, n ? &n->place : &u->node->place,
                       "`%s` cannot move between %g and %g: it is fixed", j->name, lower, upper);
        return;
    }
    j->lower = lower;
    j->upper = upper;
    u->raw.home = fmin(fmax(0, lower), upper);
    default_limits(b, u, n);
}

// A joint that another one drags along. Its limits follow from the other's.
static bool read_mimic(building *b, ujoint *u) {
    const xml_node *n = xml_child(u->node, "mimic"), *limit = xml_child(u->node, "limit");
    robot_joint *j = &u->raw.joint;
    if (!n)
        return false;
    j->follows = true;
    j->ratio = 1;
    u->mimic = n;
    u->raw.leader = xml_attribute(n, "joint");
    if (!u->raw.leader)
        ynode_error(&n->place, b->l->list, "the mimic of `%s` needs `joint`", j->name);
    urdf_numbers(b, n, "multiplier", Q_RADIANS, &j->ratio, 1);
    urdf_numbers(b, n, "offset", Q_RADIANS, &j->offset, 1);
    if (limit) {
        read_strength(b, limit, "effort", &j->max_effort);
        read_strength(b, limit, "velocity", &j->max_velocity);
    }
    return true;
}

static void read_joint(building *b, const xml_node *n) {
    static const char *const known[] = {"origin", "parent", "child",    "axis",
                                        "limit",  "mimic",  "dynamics", NULL};
    ujoint u = {.node = n, .raw = {.node = &n->place, .child_node = &n->place}};
    robot_joint *j = &u.raw.joint;
    const char *type = xml_attribute(n, "type");
    j->name = urdf_name(b, n);
    if (!j->name)
        return;
    j->kd = j->armature = -1; // not given: urdf_drive finds them
    for (const xml_node *c = n->child; c; c = c->next) {
        bool is = false;
        for (const char *const *k = known; *k; k++)
            is = is || strcmp(*k, c->name) == 0;
        if (!is)
            urdf_ignore(b, c);
    }
    int64_t parent = joint_end(b, n, "parent"), child = joint_end(b, n, "child");
    bool placed = urdf_origin(b, n, &j->origin);
    double axis[3] = {1, 0, 0};
    const xml_node *a = xml_child(n, "axis"), *d = xml_child(n, "dynamics");
    if (a && urdf_numbers(b, a, "xyz", Q_DIRECTION, axis, 3) &&
        !(v3_length(v3(axis[0], axis[1], axis[2])) > 0) &&
        (!type || (strcmp(type, "fixed") != 0 && strcmp(type, "floating") != 0)))
        ynode_error(&a->place, b->l->list, "the axis of `%s` cannot be 0 0 0", j->name);
    j->axis = v3_unit(v3(axis[0], axis[1], axis[2]));
    if (d) {
        urdf_numbers(b, d, "damping", Q_RESISTANCE, &j->viscous, 1);
        urdf_numbers(b, d, "friction", Q_RESISTANCE, &j->coulomb, 1);
    }
    if (!type) {
        ynode_error(&n->place, b->l->list, "the joint `%s` needs a `type`", j->name);
        return;
    }
    j->kind = strcmp(type, "prismatic") == 0 ? JOINT_PRISMATIC : JOINT_REVOLUTE;
    bool continuous = strcmp(type, "continuous") == 0;
    u.continuous = continuous;
    if (strcmp(type, "fixed") == 0) {
        u.fixed = true;
    } else if (strcmp(type, "floating") == 0 || strcmp(type, "planar") == 0) {
        u.fixed = true;
        u.loose = true;
    } else if (continuous || j->kind == JOINT_PRISMATIC || strcmp(type, "revolute") == 0) {
        if (!read_mimic(b, &u))
            read_limit(b, &u, continuous);
    } else {
        ynode_error(&n->place, b->l->list,
                    "a joint is revolute, continuous, prismatic, fixed, floating or planar, not "
                    "`%s`",
                    type);
    }
    if (parent < 0 || child < 0 || !placed)
        return;
    u.parent = (size_t)parent;
    u.child = (size_t)child;
    array_push(&b->joints, u);
}

// ---- The tree -----------------------------------------------------------------------------------

// The root, or -1; reports two parents, several roots, circles and names given twice.
static int64_t check_tree(building *b) {
    loading *l = b->l;
    size_t before = l->list->count;
    int64_t root = -1;
    for (size_t i = 0; i < b->links.count; i++)
        if (find_ulink(b, b->links.items[i].name) != (int64_t)i)
            ynode_error(&b->links.items[i].node->place, l->list, "the link `%s` is given twice",
                        b->links.items[i].name);
    for (size_t i = 0; i < b->joints.count; i++) {
        ujoint *j = &b->joints.items[i];
        ulink *child = &b->links.items[j->child];
        for (size_t k = 0; k < i; k++)
            if (strcmp(b->joints.items[k].raw.joint.name, j->raw.joint.name) == 0)
                ynode_error(&j->node->place, l->list, "the joint `%s` is given twice",
                            j->raw.joint.name);
        if (child->mover >= 0)
            ynode_error(&j->node->place, l->list,
                        "the link `%s` has two parents: it hangs on `%s` already; closed loops are "
                        "not supported",
                        child->name, b->joints.items[child->mover].raw.joint.name);
        else
            child->mover = (int64_t)i;
    }
    for (size_t i = 0; i < b->links.count; i++) {
        const ulink *k = &b->links.items[i];
        if (k->mover >= 0)
            continue;
        if (root >= 0)
            ynode_error(&k->node->place, l->list,
                        "no joint holds the link `%s`; the robot's root is `%s` already", k->name,
                        b->links.items[root].name);
        else
            root = (int64_t)i;
    }
    // From each link upwards: a walk longer than there are links goes in a circle.
    for (size_t i = 0; i < b->links.count && l->list->count == before; i++) {
        size_t at = i, steps = 0;
        while (b->links.items[at].mover >= 0 && steps++ <= b->links.count)
            at = b->joints.items[b->links.items[at].mover].parent;
        if (steps > b->links.count)
            ynode_error(&b->links.items[i].node->place, l->list,
                        "the link `%s` hangs in a circle of joints", b->links.items[i].name);
    }
    if (root < 0 && l->list->count == before)
        ynode_error(&b->r->urdf_place, l->list, "the robot has no links");
    return l->list->count > before ? -1 : root;
}

// Returns whether all joints under a link turn without end or not at all; *level: one has a level
// axis.
static bool only_turns(const building *b, size_t link, quat at, bool *level) {
    for (size_t i = 0; i < b->joints.count; i++) {
        const ujoint *u = &b->joints.items[i];
        if (u->parent != link)
            continue;
        quat there = quat_mul(at, u->raw.joint.origin.q);
        if (!u->fixed && !u->continuous)
            return false;
        *level |= u->continuous && fabs(quat_rotate(there, u->raw.joint.axis).z) < 0.5;
        if (!only_turns(b, u->child, there, level))
            return false;
    }
    return true;
}

// Wheels and casters on what is fixed to the root: the base drives as one piece.
static void fix_wheels(building *b, size_t link, quat at) {
    for (size_t i = 0; i < b->joints.count; i++) {
        ujoint *u = &b->joints.items[i];
        if (u->parent != link)
            continue;
        quat there = quat_mul(at, u->raw.joint.origin.q);
        bool level = u->continuous && fabs(quat_rotate(there, u->raw.joint.axis).z) < 0.5;
        if (u->continuous && only_turns(b, u->child, there, &level) && level) {
            u->fixed = true;
            robot_note_add(b->r, &u->node->place,
                           "`%s` is taken as a wheel or caster: it is fixed, and the base drives",
                           u->raw.joint.name);
        }
        if (u->fixed)
            fix_wheels(b, u->child, there);
    }
}

static bool left_out(building *b, const char *link) {
    for (size_t i = 0; b->without && i < b->without->count; i++)
        if (strcmp(b->without->items[i]->scalar, link) == 0)
            return true;
    return false;
}

static ujoint *find_ujoint(const building *b, const char *name) {
    for (size_t i = 0; name && i < b->joints.count; i++)
        if (strcmp(b->joints.items[i].raw.joint.name, name) == 0)
            return &b->joints.items[i];
    return NULL;
}

// Returns whether a link is part of the robot once what `without` names is gone.
static bool link_stays(building *b, size_t link) {
    while (!left_out(b, b->links.items[link].name)) {
        if (b->links.items[link].mover < 0)
            return true;
        link = b->joints.items[b->links.items[link].mover].parent;
    }
    return false;
}

// Finds for each joint that follows the one that leads it in the end, through others that follow.
// Where that does not move, or there is none, the joint stays where position 0 of it puts it.
static void couple_joints(building *b) {
    for (size_t i = 0; i < b->joints.count; i++) {
        ujoint *u = &b->joints.items[i];
        robot_joint *j = &u->raw.joint;
        double ratio = j->ratio, offset = j->offset;
        if (!u->mimic || u->fixed)
            continue;
        const char *why = NULL;
        const ujoint *leader = find_ujoint(b, u->raw.leader);
        for (size_t steps = 0; leader && leader->mimic && !leader->fixed && !why; steps++) {
            const robot_joint *k = &leader->raw.joint;
            offset += ratio * k->offset;
            ratio *= k->ratio;
            leader = find_ujoint(b, leader->raw.leader);
            why = steps > b->joints.count ? "follows itself" : NULL;
        }
        if (!leader)
            why = "follows a joint that the file does not have";
        else if (!why && (leader->fixed || !link_stays(b, leader->child)))
            why = "follows a joint that does not move";
        else if (!why && ratio == 0)
            why = "does not move with the joint that it follows";
        if (!why) {
            u->lead_name = leader->raw.joint.name;
            u->lead_ratio = ratio;
            u->lead_offset = offset;
            robot_note_add(
                b->r, &u->mimic->place,
                "`%s` follows `%s`: it is %g times that, plus %g, and what it carries is "
                "no load on `%s`",
                j->name, u->lead_name, ratio, offset, u->lead_name);
            continue;
        }
        u->stuck = true;
        u->lead_offset = offset;
        robot_note_add(b->r, &u->mimic->place, "`%s` %s: it is fixed at %g", j->name, why, offset);
    }
    for (size_t i = 0; i < b->joints.count; i++) { // once all chains are known
        ujoint *u = &b->joints.items[i];
        robot_joint *j = &u->raw.joint;
        if (u->stuck) {
            if (j->kind == JOINT_PRISMATIC)
                j->origin.p = v3_add(j->origin.p,
                                     quat_rotate(j->origin.q, v3_scale(j->axis, u->lead_offset)));
            else
                j->origin.q = quat_mul(j->origin.q, quat_axis_angle(j->axis, u->lead_offset));
            u->fixed = true;
        } else if (u->mimic && !u->fixed) {
            u->raw.leader = u->lead_name;
            j->ratio = u->lead_ratio;
            j->offset = u->lead_offset;
        }
    }
}

// A base whose shapes reach below the floor is lifted onto it, with all that it carries.
static void lift_base(building *b) {
    robot_parts *r = b->r;
    shape_list *s = &b->shapes.items[0];
    vec3 low, high;
    if (!shapes_bounds(s->items, s->count, POSE_IDENTITY, &low, &high) || low.z > -0.005)
        return;
    robot_note_add(r, &r->urdf_place,
                   "the base reaches %.3g m below its frame: it is lifted onto the floor; `mount` "
                   "of a YAML file says otherwise",
                   -low.z);
    for (size_t i = 0; i < s->count; i++)
        s->items[i].at.p.z -= low.z;
    b->masses.items[0].com.z -= low.z;
    for (size_t i = 0; i < r->joints.count; i++)
        if (strcmp(r->joints.items[i].parent, "base") == 0)
            r->joints.items[i].joint.origin.p.z -= low.z;
    for (size_t i = 0; i < r->frames.count; i++)
        if (strcmp(r->frames.items[i].link, "base") == 0)
            r->frames.items[i].at.p.z -= low.z;
}

// `base` is what every robot's link 0 is called. A link of the URDF that has this name, as every UR
// has one, gets another, so that neither is taken for the other.
static void find_base_name(building *b) {
    int64_t own = find_ulink(b, "base");
    b->base_name = "urdf_base";
    if (own < 0)
        return;
    for (int n = 2; find_ulink(b, b->base_name) >= 0; n++)
        b->base_name = arena_format(b->l->arena, "urdf_base_%d", n);
    robot_note_add(b->r, &b->links.items[own].node->place,
                   "`base` is the robot's link 0, on which the URDF's root stands: the URDF's own "
                   "link `base` is called `%s`",
                   b->base_name);
}

static const char *robot_link_name(const building *b, const ulink *k) {
    return strcmp(k->name, "base") == 0 ? b->base_name : k->name;
}

// Puts a link and all that hangs on it into the robot: at `at` of robot link `to`.
static void emit_link(building *b, size_t link, size_t to, pose at) {
    robot_parts *r = b->r;
    const ulink *k = &b->links.items[link];
    array_push(&r->frames, (robot_frame){robot_link_name(b, k), r->links.items[to].link.name, at});
    urdf_add(&b->masses.items[to], &k->mass, at);
    if (k->massless) {
        robot_note_add(r, k->massless, "`%s` has an inertia but no mass: both are ignored",
                       k->name);
        b->massless.items[to] = k->massless;
    }
    for (size_t i = 0; i < k->shape_count; i++) {
        shape s = k->shapes[i];
        s.at = pose_mul(at, s.at);
        array_push(&b->shapes.items[to], s);
    }
    for (size_t i = 0; i < b->joints.count; i++) {
        const ujoint *u = &b->joints.items[i];
        const ulink *child = &b->links.items[u->child];
        if (u->parent != link || left_out(b, child->name))
            continue;
        pose there = pose_mul(at, u->raw.joint.origin);
        if (u->fixed) {
            emit_link(b, u->child, to, there);
            continue;
        }
        size_t own = r->links.count;
        raw_joint j = u->raw;
        j.joint.origin = there;
        j.parent = r->links.items[to].link.name;
        j.child = robot_link_name(b, child);
        array_push(&r->joints, j);
        array_push(&r->links, (raw_link){{.name = j.child, .joint = -1}, &child->node->place});
        array_push(&b->masses, (piece){0});
        array_push(&b->shapes, (shape_list){0});
        array_push(&b->massless, (const ynode *)NULL);
        emit_link(b, u->child, own, POSE_IDENTITY);
    }
}

static void finish_links(building *b) {
    robot_parts *r = b->r;
    for (size_t i = 0; i < r->links.count; i++) {
        robot_link *link = &r->links.items[i].link;
        shape_list *s = &b->shapes.items[i];
        shape *own = arena_alloc(b->l->arena, s->count * sizeof *own + 1);
        if (s->count > 0)
            memcpy(own, s->items, s->count * sizeof *own);
        link->shapes = own;
        link->shape_count = s->count;
        array_finish(s);
        piece *p = &b->masses.items[i];
        if (!(p->mass > 0) && i > 0 && b->massless.items[i])
            ynode_error(b->massless.items[i], b->l->list,
                        "`%s` moves and has an inertia, but no mass", link->name);
        if (!(p->mass > 0)) {
            ulink all = {.shapes = own, .shape_count = link->shape_count};
            *p = urdf_guess(&all, i == 0 ? 50 : 0);
            robot_note_add(r, r->links.items[i].node, "`%s` has no mass: %.3g kg are taken",
                           link->name, p->mass);
        }
        link->mass = p->mass;
        link->com = p->com;
        link->inertia = p->inertia;
    }
}

static void note_ignored(building *b) {
    for (size_t i = 0; i < b->ignored.count; i++) {
        const counted *c = &b->ignored.items[i];
        robot_note_add(b->r, c->first, "<%s> is not read (%zu in all)", c->name, c->count);
    }
    if (b->skipped_meshes > 0)
        robot_note_add(b->r, b->first_skipped, "%zu missing meshes are left out",
                       b->skipped_meshes);
}

static void read_options(building *b) {
    loading *l = b->l;
    const ynode *missing = ynode_get(l->root, "missing_meshes");
    const char *what = "error";
    if (missing && ynode_text(missing, "missing_meshes", &what, l->list) &&
        strcmp(what, "skip") != 0 && strcmp(what, "error") != 0)
        ynode_error(missing, l->list, "`missing_meshes` is `skip` or `error`");
    b->skip_meshes = strcmp(what, "skip") == 0;
    b->packages = loading_section(l, "packages");
    const ynode *without = ynode_get(l->root, "without");
    if (!without)
        return;
    bool good = without->kind == YNODE_SEQUENCE;
    for (size_t i = 0; good && i < without->count; i++)
        good = without->items[i]->kind == YNODE_SCALAR;
    if (good)
        b->without = without;
    else
        ynode_error(without, l->list, "`without` is a list of links");
}

static void check_without(building *b, size_t root) {
    for (size_t i = 0; b->without && i < b->without->count; i++) {
        const ynode *n = b->without->items[i];
        int64_t link = find_ulink(b, n->scalar);
        if (link < 0) {
            const char **names = arena_alloc(b->l->arena, (b->links.count + 1) * sizeof *names);
            for (size_t k = 0; k < b->links.count; k++)
                names[k] = b->links.items[k].name;
            name_unknown(b->l, n, "link", n->scalar, names, b->links.count);
        } else if ((size_t)link == root) {
            ynode_error(n, b->l->list, "the root cannot be left out");
        }
    }
}

static bool read_elements(building *b, const xml_node *robot) {
    loading *l = b->l;
    size_t links = 0, joints = 0;
    if (strcmp(robot->name, "robot") != 0) {
        ynode_error(&robot->place, l->list, "a URDF file is a <robot>, not a <%.60s>%s",
                    robot->name, strcmp(robot->name, "sdf") == 0 ? "; SDF is not read" : "");
        return false;
    }
    for (const xml_node *c = robot->child; c; c = c->next) {
        links += strcmp(c->name, "link") == 0;
        joints += strcmp(c->name, "joint") == 0;
        if (strncmp(c->name, "xacro:", 6) == 0) {
            ynode_error(&c->place, l->list,
                        "this is a xacro file: expand it first with `xacro FILE > ROBOT.urdf`");
            return false;
        }
    }
    if (links > LINKS_MAX || joints > LINKS_MAX) {
        ynode_error(&robot->place, l->list, "a robot has at most %d links and joints, not %zu",
                    LINKS_MAX, links > joints ? links : joints);
        return false;
    }
    size_t before = l->list->count;
    for (const xml_node *c = robot->child; c; c = c->next)
        if (strcmp(c->name, "link") == 0)
            urdf_read_link(b, c);
    for (const xml_node *c = robot->child; c; c = c->next) {
        if (strcmp(c->name, "joint") == 0)
            read_joint(b, c);
        else if (strcmp(c->name, "link") != 0)
            urdf_ignore(b, c);
    }
    return l->list->count == before;
}

void urdf_build(robot_parts *r, const xml_node *robot) {
    building b = {.r = r, .l = &r->l};
    ASSERT(r->links.count == 1);
    r->urdf_place = robot->place;
    pose mount = POSE_IDENTITY;
    const ynode *at = ynode_get(r->l.root, "mount");
    if (at)
        read_pose(&r->l, at, "mount", Q_REACH, &mount);
    read_options(&b);
    if (read_elements(&b, robot)) {
        int64_t root = check_tree(&b);
        if (root >= 0)
            check_without(&b, (size_t)root);
        for (size_t i = 0; root >= 0 && i < b.joints.count; i++) {
            const ujoint *u = &b.joints.items[i];
            if (!u->loose)
                continue;
            const char *type = xml_attribute(u->node, "type");
            if (u->parent != (size_t)root)
                ynode_error(&u->node->place, r->l.list,
                            "the %s joint `%s` is not supported: only the base moves freely", type,
                            u->raw.joint.name);
            else
                robot_note_add(r, &u->node->place,
                               "the %s joint `%s` is taken as the base's own motion, in the plane",
                               type, u->raw.joint.name);
        }
        if (root >= 0 && r->l.list->count == 0) {
            robot_link *base = &r->links.items[0].link;
            array_push(&b.masses, (piece){base->mass, base->com, base->inertia});
            array_push(&b.shapes, (shape_list){0});
            array_push(&b.massless, (const ynode *)NULL);
            for (size_t i = 0; i < base->shape_count; i++)
                array_push(&b.shapes.items[0], base->shapes[i]);
            bool shaped = base->shape_count > 0; // `links` moves as it grows
            fix_wheels(&b, (size_t)root, mount.q);
            couple_joints(&b);
            find_base_name(&b);
            emit_link(&b, (size_t)root, 0, mount);
            if (!at && !shaped)
                lift_base(&b);
            finish_links(&b);
            note_ignored(&b);
        }
    }
    array_finish(&b.links);
    array_finish(&b.joints);
    array_finish(&b.ignored);
    array_finish(&b.masses);
    array_finish(&b.shapes);
    array_finish(&b.massless);
}
