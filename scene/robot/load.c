// scene/robot/load.c - loads a robot file: links and joints, their mirror image, and arms.
#include "scene/robot/urdf_int.h"

static bool is_mapping(loading *l, const ynode *n, const char *what, const char *name) {
    if (n->kind == YNODE_MAPPING)
        return true;
    ynode_error(n, l->list, "the %s `%s` must be a mapping", what, name);
    return false;
}

bool robot_require_keys(loading *l, const ynode *n, const char *what, const char *const *keys) {
    bool all = true;
    for (; *keys; keys++)
        if (!ynode_get(n, *keys)) {
            ynode_missing(n, l->list, "%s needs `%s`", what, *keys);
            all = false;
        }
    return all;
}

// Mass, centre, inertia and shapes of a link or of the base. Shapes that are added to a URDF's
// base, a pedestal perhaps, need no mass of their own.
static void read_link_body(loading *l, const ynode *n, bool added, robot_link *link) {
    shape_list shapes = {0};
    bool shapes_read = !ynode_get(n, "shapes") || read_shapes(l, ynode_get(n, "shapes"), &shapes);
    for (size_t i = 0; i < shapes.count; i++)
        if (shapes.items[i].kind == SHAPE_PLANE)
            ynode_error(ynode_get(n, "shapes"), l->list, "a link cannot be a plane");
    if (!ynode_get(n, "mass") && !added)
        ynode_missing(n, l->list, "the link `%s` needs a `mass`", link->name);
    read_number(l, n, "mass", Q_MASS, &link->mass);
    mat3 unit;
    bool solid = shapes_mass(shapes.items, shapes.count, &link->com, &unit, NULL);
    read_vector(l, n, "com", Q_REACH, &link->com);
    if (ynode_get(n, "inertia")) {
        read_inertia(l, ynode_get(n, "inertia"), link->mass, &link->inertia);
    } else if (solid) {
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                link->inertia.m[a][b] = unit.m[a][b] * link->mass;
    } else if (shapes_read) {
        ynode_missing(n, l->list, "the link `%s` has no shapes: give its `inertia`", link->name);
    }
    shape *own = arena_alloc(l->arena, shapes.count * sizeof *own + 1);
    if (shapes.count > 0)
        memcpy(own, shapes.items, shapes.count * sizeof *own);
    link->shapes = own;
    link->shape_count = shapes.count;
    array_finish(&shapes);
}

// `base: fixed`, or `drive` of the section. False after an error.
static bool read_drive(loading *l, const ynode *n, base_drive *out) {
    static const char *const kinds[] = {"holonomic", "differential", "fixed"};
    const char *kind = NULL;
    if (!ynode_text(n, "drive", &kind, l->list))
        return false;
    for (int i = 0; i < 3; i++)
        if (strcmp(kind, kinds[i]) == 0) {
            *out = (base_drive)i;
            return true;
        }
    ynode_error(n, l->list, "a base is `holonomic`, `differential` or `fixed`, not `%.60s`", kind);
    return false;
}

static void read_base(robot_parts *r) {
    static const char *const needed[] = {"radius", "mass", "shapes", NULL};
    bool urdf = ynode_get(r->l.root, "urdf") != NULL; // which has a base of its own
    loading *l = &r->l;
    robot_model *m = r->m;
    const ynode *given = ynode_get(l->root, "base");
    bool word = given && given->kind == YNODE_SCALAR && given->scalar[0];
    size_t before = l->list->count;
    ynode *n = word ? NULL : loading_section(l, "base");
    if (word && read_drive(l, given, &m->base_drive) && !urdf)
        ynode_error(given, l->list,
                    "`base: %s` alone is for a robot with a `urdf`: here write `base: { drive: %s, "
                    "radius: METRES, mass: KILOGRAMS, shapes: [ ... ] }`",
                    given->scalar, given->scalar);
    raw_link base = {{.name = "base", .joint = -1}, n};
    m->base_max_speed = 0.6;
    m->base_max_turn = 1.0;
    m->base_max_acceleration = 0.6;
    m->base_max_turn_acceleration = 1.5;
    m->base_max_force = 200;
    if (!n) {
        if (!urdf && l->list->count == before)
            ynode_missing(l->root, l->list, "the robot needs a `base`");
        base.node = l->root;
    } else {
        keys_check(n, MAP_BASE, l->list);
        bool whole = urdf ? ynode_get(n, "mass") || ynode_get(n, "shapes")
                          : robot_require_keys(l, n, "the base", needed);
        if (whole)
            read_link_body(l, n, urdf, &base.link);
        if (ynode_get(n, "drive"))
            read_drive(l, ynode_get(n, "drive"), &m->base_drive);
        read_number(l, n, "radius", Q_MEASURE, &m->base_radius);
        read_number(l, n, "speed", Q_SPEED, &m->base_max_speed);
        read_number(l, n, "turn_speed", Q_SPEED, &m->base_max_turn);
        read_number(l, n, "acceleration", Q_ACCELERATION, &m->base_max_acceleration);
        read_number(l, n, "turn_acceleration", Q_ACCELERATION, &m->base_max_turn_acceleration);
        read_number(l, n, "force", Q_STRENGTH, &m->base_max_force);
    }
    array_push(&r->links, base);
}

static void read_links(robot_parts *r) {
    ynode *section = loading_section(&r->l, "links");
    for (size_t i = 0; section && i < section->count; i++) {
        const ynode *n = section->items[i];
        raw_link k = {{.name = section->keys[i]->scalar, .joint = -1}, section->keys[i]};
        name_check(&r->l, section->keys[i], "link", k.link.name);
        if (strcmp(k.link.name, "base") == 0)
            ynode_error(section->keys[i], r->l.list, "the link `base` stands in its own section");
        if (is_mapping(&r->l, n, "link", k.link.name)) {
            keys_check(n, MAP_LINK, r->l.list);
            read_link_body(&r->l, n, false, &k.link);
        }
        array_push(&r->links, k);
    }
}

void robot_read_limits(loading *l, const ynode *n, robot_joint *j) {
    const ynode *limits = ynode_get(n, "limits");
    double v[2] = {0};
    if (!limits ||
        !read_numbers(l, limits, "limits", j->kind == JOINT_REVOLUTE ? Q_ANGLE : Q_REACH, v, 2))
        return;
    if (!(v[0] < v[1])) {
        ynode_error(limits, l->list, "the `limits` of `%s` are [lower, upper], lower < upper",
                    j->name);
        return;
    }
    j->lower = v[0];
    j->upper = v[1];
}

void robot_read_drive(loading *l, const ynode *n, robot_joint *j) {
    read_number(l, n, "velocity", Q_SPEED, &j->max_velocity);
    read_number(l, n, "acceleration", Q_ACCELERATION, &j->max_acceleration);
    read_number(l, n, "effort", Q_STRENGTH, &j->max_effort);
    read_number(l, n, "kp", Q_STIFFNESS, &j->kp);
    read_number(l, n, "kd", Q_DAMPING, &j->kd);
    read_number(l, n, "viscous", Q_RESISTANCE, &j->viscous);
    read_number(l, n, "coulomb", Q_RESISTANCE, &j->coulomb);
    read_number(l, n, "armature", Q_ARMATURE, &j->armature);
}

static void read_joint(robot_parts *r, const ynode *n, raw_joint *out) {
    static const char *const needed[] = {"parent",       "child",  "axis", "limits", "velocity",
                                         "acceleration", "effort", "kp",   "kd",     NULL};
    loading *l = &r->l;
    robot_joint *j = &out->joint;
    keys_check(n, MAP_JOINT, l->list);
    robot_require_keys(l, n, "the joint", needed);
    const char *kind = "revolute";
    if (read_text(l, n, "kind", &kind)) {
        j->kind = strcmp(kind, "prismatic") == 0 ? JOINT_PRISMATIC : JOINT_REVOLUTE;
        if (strcmp(kind, "prismatic") != 0 && strcmp(kind, "revolute") != 0)
            ynode_error(ynode_get(n, "kind"), l->list, "a joint is `revolute` or `prismatic`");
    }
    read_text(l, n, "parent", &out->parent);
    read_text(l, n, "child", &out->child);
    out->child_node = ynode_get(n, "child");
    j->origin = POSE_IDENTITY;
    if (ynode_get(n, "origin"))
        read_pose(l, ynode_get(n, "origin"), "origin", Q_REACH, &j->origin);
    j->axis = v3(0, 0, 1);
    if (read_vector(l, n, "axis", Q_DIRECTION, &j->axis) && !(v3_length(j->axis) > 0))
        ynode_error(ynode_get(n, "axis"), l->list, "the axis cannot be [0, 0, 0]");
    j->axis = v3_unit(j->axis);
    robot_read_limits(l, n, j);
    robot_read_drive(l, n, j);
}

static void read_joints(robot_parts *r) {
    ynode *section = loading_section(&r->l, "joints");
    for (size_t i = 0; section && i < section->count; i++) {
        const ynode *n = section->items[i];
        raw_joint j = {.joint = {.name = section->keys[i]->scalar}, .node = section->keys[i]};
        name_check(&r->l, section->keys[i], "joint", j.joint.name);
        if (is_mapping(&r->l, n, "joint", j.joint.name))
            read_joint(r, n, &j);
        array_push(&r->joints, j);
    }
}

static void name_gripper(robot_parts *r, robot_arm *a) {
    arena *m = r->l.arena;
    const char *robot = r->m->name ? r->m->name : "robot";
    a->gripper.name = arena_format(m, "%s_%s_gripper", robot, a->name);
    a->gripper.palm = arena_format(m, "%s_palm", a->gripper.name);
    a->gripper.finger_1 = arena_format(m, "%s_finger_1", a->gripper.name);
    a->gripper.finger_2 = arena_format(m, "%s_finger_2", a->gripper.name);
}

static void read_gripper(robot_parts *r, const ynode *n, raw_arm *arm) {
    static const char *const needed[] = {"palm_size", "palm_mass",  "pad_size",
                                         "pad_mass",  "pad_center", "opening",
                                         "force",     "speed",      NULL};
    loading *l = &r->l;
    robot_gripper *g = &arm->arm.gripper;
    g->mount = POSE_IDENTITY;
    g->friction = 0.8;
    g->material = "pad";
    keys_check(n, MAP_GRIPPER, l->list);
    robot_require_keys(l, n, "the gripper", needed);
    read_text(l, n, "link", &arm->mount_link);
    arm->mount_node = ynode_get(n, "link");
    if (ynode_get(n, "mount"))
        read_pose(l, ynode_get(n, "mount"), "mount", Q_HAND, &g->mount);
    read_vector(l, n, "palm_size", Q_PAD, &g->palm_size);
    read_vector(l, n, "palm_center", Q_HAND, &g->palm_center);
    read_number(l, n, "palm_mass", Q_MASS, &g->palm_mass);
    read_vector(l, n, "pad_size", Q_PAD, &g->pad_size);
    read_number(l, n, "pad_mass", Q_MASS, &g->pad_mass);
    read_number(l, n, "pad_center", Q_PAD, &g->pad_center_z);
    read_number(l, n, "opening", Q_PAD, &g->max_opening);
    read_number(l, n, "force", Q_STRENGTH, &g->max_force);
    read_number(l, n, "speed", Q_SPEED, &g->speed);
    read_number(l, n, "friction", Q_FRICTION, &g->friction);
    g->believed_friction = g->friction;
    read_number(l, n, "believed_friction", Q_BELIEVED_FRICTION, &g->believed_friction);
    read_text(l, n, "material", &g->material);
}

static void read_wrist(robot_parts *r, const ynode *n, robot_wrist *w) {
    loading *l = &r->l;
    *w = (robot_wrist){.present = true, .rate = 100, .noise = 0.1, .torque_noise = 0.005};
    keys_check(n, MAP_WRIST, l->list);
    read_number(l, n, "rate", Q_RATE, &w->rate);
    read_number(l, n, "delay", Q_DELAY, &w->delay);
    read_number(l, n, "noise", Q_NOISE, &w->noise);
    read_number(l, n, "torque_noise", Q_NOISE, &w->torque_noise);
    read_number(l, n, "bias", Q_BIAS, &w->bias);
    read_number(l, n, "torque_bias", Q_BIAS, &w->torque_bias);
}

static void read_torques(robot_parts *r, const ynode *n, robot_torques *t) {
    loading *l = &r->l;
    *t = (robot_torques){.present = true, .rate = 50, .noise = 0.05, .observer_gain = 10};
    keys_check(n, MAP_TORQUES, l->list);
    read_number(l, n, "rate", Q_RATE, &t->rate);
    read_number(l, n, "delay", Q_DELAY, &t->delay);
    read_number(l, n, "noise", Q_NOISE, &t->noise);
    read_number(l, n, "bias", Q_BIAS, &t->bias);
    read_number(l, n, "observer_gain", Q_OBSERVER_GAIN, &t->observer_gain);
}

static void read_arm_joints(robot_parts *r, const ynode *n, raw_arm *a) {
    if (n->kind != YNODE_SEQUENCE || n->count == 0 || n->count > ARM_JOINTS_MAX) {
        ynode_error(n, r->l.list, "an arm has 1 to %d joints, from the shoulder to the wrist",
                    ARM_JOINTS_MAX);
        return;
    }
    a->has_joints = true;
    a->arm.joint_count = n->count;
    for (size_t k = 0; k < n->count; k++)
        a->has_joints = ynode_text(n->items[k], "joint", &a->joints[k], r->l.list) && a->has_joints;
}

static void read_arms(robot_parts *r) {
    static const char *const needed[] = {"joints", "park", "gripper", NULL};
    loading *l = &r->l;
    ynode *section = loading_section(l, "arms");
    for (size_t i = 0; section && i < section->count; i++) {
        const ynode *n = section->items[i], *joints, *gripper, *park, *wrist, *torques;
        raw_arm a = {.arm = {.name = section->keys[i]->scalar}, .node = section->keys[i]};
        name_check(l, section->keys[i], "arm", a.arm.name);
        if (!is_mapping(l, n, "arm", a.arm.name))
            continue;
        keys_check(n, MAP_ARM, l->list);
        robot_require_keys(l, n, "the arm", needed);
        joints = ynode_get(n, "joints");
        if (joints)
            read_arm_joints(r, joints, &a);
        park = ynode_get(n, "park");
        if (park && a.has_joints) // in degrees or metres, as the joints turn out to be
            ynode_numbers(park, "park", a.arm.park, a.arm.joint_count, l->list);
        gripper = ynode_get(n, "gripper");
        if (gripper && is_mapping(l, gripper, "gripper of", a.arm.name))
            read_gripper(r, gripper, &a);
        wrist = ynode_get(n, "wrist");
        if (wrist && is_mapping(l, wrist, "wrist of", a.arm.name))
            read_wrist(r, wrist, &a.arm.wrist);
        torques = ynode_get(n, "torques");
        if (torques && is_mapping(l, torques, "torques of", a.arm.name))
            read_torques(r, torques, &a.arm.torques);
        name_gripper(r, &a.arm);
        array_push(&r->arms, a);
    }
}

static void read_home(robot_parts *r) {
    ynode *section = loading_section(&r->l, "home");
    for (size_t i = 0; section && i < section->count; i++) {
        const char *name = section->keys[i]->scalar;
        const char **names = arena_alloc(r->l.arena, (r->joints.count + 1) * sizeof *names);
        raw_joint *found = NULL;
        for (size_t k = 0; k < r->joints.count; k++) {
            names[k] = r->joints.items[k].joint.name;
            if (strcmp(names[k], name) == 0)
                found = &r->joints.items[k];
        }
        if (!found) {
            name_unknown(&r->l, section->keys[i], "joint", name, names, r->joints.count);
            continue;
        }
        found->home_given = true;
        if (found->leader)
            ynode_error(section->keys[i], r->l.list, "`%s` follows `%s`: give the home of that",
                        name, found->leader);
        if (ynode_number(section->items[i], name, &found->home, r->l.list) &&
            found->joint.kind == JOINT_REVOLUTE)
            found->home *= PI / 180;
    }
}

// ---- The mirror image
// ---------------------------------------------------------------------------- The plane y = 0
// reflects one side of the robot to the other. Poses are reflected from both sides, so frames stay
// right-handed; axes of revolute joints are chosen so that the same position is the reflected
// configuration, which leaves limits and parking positions as they are.

static pose mirror_pose(pose p) {
    return (pose){v3(p.p.x, -p.p.y, p.p.z), {p.q.w, -p.q.x, p.q.y, -p.q.z}};
}

// `name` with the prefix FROM_ replaced by TO_, or NULL where it has another.
static const char *mirror_name(arena *a, const char *name, const char *from, const char *to) {
    size_t n = strlen(from);
    if (strncmp(name, from, n) != 0 || name[n] != '_')
        return NULL;
    return arena_format(a, "%s%s", to, name + n);
}

static void mirror_link(arena *a, raw_link *k) {
    robot_link *l = &k->link;
    shape *shapes = arena_alloc(a, l->shape_count * sizeof *shapes + 1);
    for (size_t i = 0; i < l->shape_count; i++) {
        shapes[i] = l->shapes[i];
        shapes[i].at = mirror_pose(shapes[i].at);
    }
    l->shapes = shapes;
    l->com.y = -l->com.y;
    for (int i = 0; i < 3; i++)
        if (i != 1)
            l->inertia.m[1][i] = l->inertia.m[i][1] = -l->inertia.m[1][i];
}

static void mirror_arms(robot_parts *r) {
    static const char *const keys[] = {"from", "to", NULL};
    loading *l = &r->l;
    ynode *section = loading_section(l, "mirror");
    const char *from = NULL, *to = NULL;
    if (!section)
        return;
    keys_check(section, MAP_MIRROR, l->list);
    if (!robot_require_keys(l, section, "the mirror", keys) ||
        !read_text(l, section, "from", &from) || !read_text(l, section, "to", &to) ||
        !name_check(l, ynode_get(section, "from"), "side", from) ||
        !name_check(l, ynode_get(section, "to"), "side", to))
        return;
    size_t links = r->links.count, joints = r->joints.count, arms = r->arms.count;
    for (size_t i = 0; i < links; i++) {
        raw_link k = r->links.items[i];
        k.link.name = mirror_name(l->arena, k.link.name, from, to);
        if (!k.link.name)
            continue;
        mirror_link(l->arena, &k);
        array_push(&r->links, k);
    }
    for (size_t i = 0; i < joints; i++) {
        raw_joint k = r->joints.items[i];
        robot_joint *j = &k.joint;
        j->name = mirror_name(l->arena, j->name, from, to);
        if (!j->name)
            continue;
        const char *parent = k.parent ? mirror_name(l->arena, k.parent, from, to) : NULL;
        const char *child = k.child ? mirror_name(l->arena, k.child, from, to) : NULL;
        k.mirrored = true;
        k.parent = parent ? parent : k.parent;
        k.child = child ? child : k.child;
        j->origin = mirror_pose(j->origin);
        j->axis = j->kind == JOINT_PRISMATIC ? v3(j->axis.x, -j->axis.y, j->axis.z)
                                             : v3(-j->axis.x, j->axis.y, -j->axis.z);
        array_push(&r->joints, k);
    }
    for (size_t i = 0; i < arms; i++) {
        raw_arm k = r->arms.items[i];
        if (strcmp(k.arm.name, from) != 0)
            continue;
        k.arm.name = to;
        k.mirrored = true;
        for (size_t n = 0; k.has_joints && n < k.arm.joint_count; n++) {
            const char *name = mirror_name(l->arena, k.joints[n], from, to);
            k.joints[n] = name ? name : k.joints[n];
        }
        k.arm.gripper.mount = mirror_pose(k.arm.gripper.mount);
        k.arm.gripper.palm_center.y = -k.arm.gripper.palm_center.y;
        name_gripper(r, &k.arm);
        array_push(&r->arms, k);
    }
}

// ---- The tree -----------------------------------------------------------------------------------

static int64_t find_link(const robot_parts *r, const char *name) {
    for (size_t i = 0; i < r->links.count; i++)
        if (strcmp(r->links.items[i].link.name, name) == 0)
            return (int64_t)i;
    return -1;
}

// A link's place in `links`; reports when there is none, and returns -1.
static int64_t need_link(robot_parts *r, const ynode *n, const char *name) {
    int64_t link = find_link(r, name);
    if (link < 0) {
        const char **names = arena_alloc(r->l.arena, (r->links.count + 1) * sizeof *names);
        for (size_t i = 0; i < r->links.count; i++)
            names[i] = r->links.items[i].link.name;
        name_unknown(&r->l, n, "link", name, names, r->links.count);
    }
    return link;
}

static void check_unique(robot_parts *r) {
    for (size_t i = 0; i < r->links.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(r->links.items[i].link.name, r->links.items[k].link.name) == 0)
                ynode_error(r->links.items[i].node, r->l.list, "the link `%s` is given twice",
                            r->links.items[i].link.name);
    for (size_t i = 0; i < r->joints.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(r->joints.items[i].joint.name, r->joints.items[k].joint.name) == 0)
                ynode_error(r->joints.items[i].node, r->l.list, "the joint `%s` is given twice",
                            r->joints.items[i].joint.name);
    for (size_t i = 0; i < r->arms.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(r->arms.items[i].arm.name, r->arms.items[k].arm.name) == 0)
                ynode_error(r->arms.items[i].node, r->l.list, "the arm `%s` is given twice",
                            r->arms.items[i].arm.name);
}

// Orders joints so that parents come first, as the file does where it can; link i + 1 is moved by
// joint i.
static void build_tree(robot_parts *r) {
    loading *l = &r->l;
    robot_model *m = r->m;
    size_t n = r->joints.count, links = r->links.count, before = l->list->count;
    const raw_joint **mover = arena_alloc(l->arena, (links + 1) * sizeof *mover);
    for (size_t i = 0; i < n; i++) {
        raw_joint *j = &r->joints.items[i];
        if (!j->parent || !j->child || (j->mirrored && l->list->count > before))
            continue; // reported
        int64_t parent = need_link(r, j->node, j->parent);
        int64_t child = need_link(r, j->child_node, j->child);
        if (parent < 0 || child < 0)
            continue;
        if (child == 0)
            ynode_error(j->child_node, l->list, "the base is moved by no joint");
        else if (mover[child])
            ynode_error(j->child_node, l->list, "`%s` already moves the link `%s`",
                        mover[child]->joint.name, j->child);
        mover[child] = j;
    }
    bool all = l->list->count == before; // else a joint may be meant to move what none does
    for (size_t i = 1; all && i < links; i++)
        if (!mover[i])
            ynode_error(r->links.items[i].node, l->list, "no joint moves the link `%s`",
                        r->links.items[i].link.name);
    if (l->list->count > before)
        return;
    robot_joint *joints = arena_alloc(l->arena, n * sizeof *joints + 1);
    robot_link *out = arena_alloc(l->arena, links * sizeof *out + 1);
    double *home = arena_alloc(l->arena, n * sizeof *home + 1);
    int64_t *place = arena_alloc(l->arena, links * sizeof *place + 1); // of a link in `out`
    for (size_t i = 1; i < links; i++)
        place[i] = -1;
    out[0] = r->links.items[0].link;
    size_t done = 0;
    for (bool any = true; any;) {
        any = false;
        for (size_t i = 0; i < n; i++) {
            const raw_joint *j = &r->joints.items[i];
            int64_t parent = find_link(r, j->parent), child = find_link(r, j->child);
            if (place[child] >= 0 || place[parent] < 0)
                continue;
            place[child] = (int64_t)done + 1;
            joints[done] = j->joint;
            joints[done].parent = (size_t)place[parent];
            joints[done].child = done + 1;
            home[done] = j->home;
            out[done + 1] = r->links.items[child].link;
            out[done + 1].joint = (int64_t)done;
            done++;
            any = true;
        }
    }
    for (size_t i = 1; i < links; i++)
        if (place[i] < 0)
            ynode_error(r->links.items[i].node, l->list,
                        "the link `%s` hangs in a circle of joints and not on the base",
                        r->links.items[i].link.name);
    if (done + 1 != links)
        return;
    m->joints = joints;
    m->joint_count = n;
    m->links = out;
    m->link_count = links;
    m->home = home;
}

bool robot_need_frame(robot_parts *r, const ynode *n, const char *name, size_t *link, pose *at) {
    const robot_model *m = r->m;
    const char **names = arena_alloc(r->l.arena, (m->link_count + r->frames.count) * sizeof *names);
    const char *carrier = name;
    *at = POSE_IDENTITY;
    for (size_t i = 0; i < r->frames.count; i++) {
        names[m->link_count + i] = r->frames.items[i].name;
        if (strcmp(r->frames.items[i].name, name) == 0) {
            carrier = r->frames.items[i].link;
            *at = r->frames.items[i].at;
        }
    }
    for (size_t i = 0; i < m->link_count; i++) {
        names[i] = m->links[i].name;
        if (strcmp(names[i], carrier) == 0) {
            *link = i;
            return true;
        }
    }
    name_unknown(&r->l, n, "link", name, names, m->link_count + r->frames.count);
    return false;
}

// A joint of the finished robot that moves by itself.
static int64_t need_joint(robot_parts *r, const ynode *n, const char *name) {
    int64_t joint = robot_find_joint(r->m, name);
    for (size_t i = 0; i < r->joints.count; i++)
        if (r->joints.items[i].leader && strcmp(r->joints.items[i].joint.name, name) == 0)
            ynode_error(n, r->l.list, "`%s` follows `%s`, and cannot be moved by itself", name,
                        r->joints.items[i].leader);
    if (joint < 0) {
        const char **names = arena_alloc(r->l.arena, (r->m->joint_count + 1) * sizeof *names);
        for (size_t i = 0; i < r->m->joint_count; i++)
            names[i] = r->m->joints[i].name;
        name_unknown(&r->l, n, "joint", name, names, r->m->joint_count);
    }
    return joint;
}

static void check_position(robot_parts *r, const ynode *n, const char *what, size_t joint,
                           double q) {
    const robot_joint *j = &r->m->joints[joint];
    double unit = j->kind == JOINT_REVOLUTE ? 180 / PI : 1;
    if (!(q >= j->lower - 1e-9 && q <= j->upper + 1e-9))
        ynode_error(n, r->l.list, "the %s position %g of `%s` is outside its limits [%g, %g]", what,
                    q * unit, j->name, j->lower * unit, j->upper * unit);
}

// Arms refer to joints of the tree; a home that was not given is where the arm parks.
static void build_arms(robot_parts *r) {
    robot_model *m = r->m;
    robot_arm *arms = arena_alloc(r->l.arena, r->arms.count * sizeof *arms + 1);
    double *home = (double *)m->home;
    size_t before = r->l.list->count;
    for (size_t i = 0; i < r->arms.count; i++) {
        const raw_arm *raw = &r->arms.items[i];
        arms[i] = raw->arm;
        if (raw->mirrored && r->l.list->count > before)
            continue; // reported of the arm that it mirrors
        for (size_t k = 0; raw->has_joints && k < raw->arm.joint_count; k++) {
            int64_t joint = need_joint(r, raw->node, raw->joints[k]);
            if (joint < 0)
                break; // what hangs on it is no mistake of its own
            size_t j = (size_t)joint;
            arms[i].joints[k] = j;
            if (k > 0 && m->joints[j].parent != m->joints[arms[i].joints[k - 1]].child)
                ynode_error(raw->node, r->l.list, "`%s` does not hang on `%s` in the arm `%s`",
                            raw->joints[k], raw->joints[k - 1], arms[i].name);
            arms[i].flange = m->joints[j].child;
            if (m->joints[j].kind == JOINT_REVOLUTE)
                arms[i].park[k] *= PI / 180;
            check_position(r, raw->node, "parking", j, arms[i].park[k]);
            bool given = false;
            for (size_t n = 0; n < r->joints.count; n++)
                given |= r->joints.items[n].home_given &&
                         strcmp(r->joints.items[n].joint.name, raw->joints[k]) == 0;
            if (!given)
                home[j] = arms[i].park[k];
        }
    }
    if (r->l.list->count > before)
        return; // what follows would only repeat it
    for (size_t i = 0; i < r->arms.count; i++) {
        const raw_arm *raw = &r->arms.items[i];
        size_t link = 0;
        pose at;
        if (!raw->mount_link || !raw->has_joints ||
            !robot_need_frame(r, raw->mount_node, raw->mount_link, &link, &at))
            continue;
        arms[i].gripper.mount = pose_mul(at, arms[i].gripper.mount);
        if (link != arms[i].flange)
            ynode_error(raw->mount_node, r->l.list,
                        "`%s` is not fixed to the last link of the arm `%s`", raw->mount_link,
                        arms[i].name);
    }
    m->arms = arms;
    m->arm_count = r->arms.count;
    const ynode *section = ynode_get(r->l.root, "home");
    for (size_t j = 0; j < m->joint_count; j++)
        if (!m->joints[j].follows) // which is wherever its leader is
            check_position(r, section ? section : r->l.root, "home", j, home[j]);
}

// The torso, the head's pan and its tilt are three joints: one that were two of them could not obey
// both.
static void check_special_joints(robot_parts *r, const ynode *head) {
    const robot_model *m = r->m;
    const struct {
        int64_t joint;
        const char *name;
        const ynode *at;
    } all[] = {{m->torso, "torso", ynode_get(r->l.root, "torso")},
               {m->pan, "pan", ynode_get(head, "pan")},
               {m->tilt, "tilt", ynode_get(head, "tilt")}};
    for (size_t i = 1; i < 3; i++)
        for (size_t k = 0; k < i; k++)
            if (all[i].joint >= 0 && all[i].joint == all[k].joint)
                ynode_error(all[i].at, r->l.list,
                            "the joint `%s` is the `%s` already: give `%s` another joint, or leave "
                            "it out if the robot has none",
                            m->joints[all[i].joint].name, all[k].name, all[i].name);
}

static void read_special_joints(robot_parts *r) {
    loading *l = &r->l;
    robot_model *m = r->m;
    const char *name = NULL;
    m->torso = m->pan = m->tilt = -1;
    if (read_text(l, l->root, "torso", &name) && name)
        m->torso = need_joint(r, ynode_get(l->root, "torso"), name);
    const ynode *head = loading_section(l, "head");
    if (!head)
        return;
    keys_check(head, MAP_HEAD, l->list);
    name = NULL;
    if (read_text(l, head, "pan", &name) && name)
        m->pan = need_joint(r, ynode_get(head, "pan"), name);
    name = NULL;
    if (read_text(l, head, "tilt", &name) && name)
        m->tilt = need_joint(r, ynode_get(head, "tilt"), name);
    check_special_joints(r, head);
}

void robot_note_add(robot_parts *r, const ynode *at, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    array_push(&r->notes,
               (robot_note){at->file, arena_strdup(r->l.arena, text), at->line, at->column});
}

static int note_order(const void *a, const void *b) {
    const robot_note *x = a, *y = b;
    int files = strcmp(x->file, y->file);
    if (files != 0 || x->line != y->line)
        return files != 0 ? files : x->line < y->line ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return strcmp(x->text, y->text);
}

static void keep_notes(robot_parts *r) {
    size_t n = r->notes.count;
    robot_note *kept = arena_alloc(r->l.arena, n * sizeof *kept + 1);
    if (n > 0) {
        memcpy(kept, r->notes.items, n * sizeof *kept);
        qsort(kept, n, sizeof *kept, note_order);
    }
    r->m->notes = kept;
    r->m->note_count = n;
}

// The parts that a file of links and joints gives.
static void read_own_parts(robot_parts *r) {
    read_base(r);
    read_links(r);
    read_joints(r);
    read_arms(r);
    mirror_arms(r);
}

// The parts that a URDF gives, and what the file puts on top of them.
static void read_urdf_parts(robot_parts *r, const xml_node *robot) {
    static const char *const not_here[] = {"links", "mirror"};
    loading *l = &r->l;
    for (size_t i = 0; i < 2; i++)
        if (ynode_get(l->root, not_here[i]))
            ynode_error(ynode_get(l->root, not_here[i]), l->list,
                        "`%s` and `urdf` exclude each other: the URDF holds the whole tree",
                        not_here[i]);
    read_base(r);
    if (!robot || l->list->count > 0)
        return;
    urdf_build(r, robot);
    if (l->list->count > 0)
        return;
    urdf_joints(r);
    read_arms(r);
}

static void read_robot(robot_parts *r, bool urdf, const xml_node *robot) {
    loading *l = &r->l;
    if (urdf)
        read_urdf_parts(r, robot);
    else
        read_own_parts(r);
    if (l->list->count > 0)
        return;   // what follows would only repeat it
    read_home(r); // names what the mirror made, too
    check_unique(r);
    if (l->list->count > 0)
        return; // a tree of wrong parts would only repeat it
    build_tree(r);
    if (!r->m->links)
        return;
    r->m->base_mass = r->m->links[0].mass;
    build_arms(r);
    if (l->list->count > 0)
        return;
    if (urdf) {
        urdf_followers(r, (robot_joint *)r->m->joints, (double *)r->m->home);
        urdf_drive(r, (robot_joint *)r->m->joints);
        urdf_base(r);
    }
    read_special_joints(r);
    robot_read_senses(r);
    if (l->list->count > 0)
        return;
    robot_find_self(r);
    robot_check_strength(r);
}

static void read_yaml(robot_parts *r) {
    static const char *const urdf_only[] = {"packages", "missing_meshes", "without", "mount", NULL};
    loading *l = &r->l;
    const ynode *urdf = ynode_get(l->root, "urdf");
    const char *file = NULL;
    const xml_node *robot = NULL;
    loading_name(l, "robot", &r->m->name);
    for (const char *const *k = urdf_only; !urdf && *k; k++)
        if (ynode_get(l->root, *k))
            ynode_error(ynode_get(l->root, *k), l->list, "`%s` is for robots with a `urdf`", *k);
    if (urdf && ynode_text(urdf, "urdf", &file, l->list)) {
        const char *path = loading_path(l, urdf, file);
        if (!files_exist(l->files, path))
            ynode_error(urdf, l->list, "there is no file `%s`", path);
        else
            robot = urdf_read(l, path, "urdf");
    }
    read_robot(r, urdf != NULL, robot);
}

// A URDF on its own is as a YAML file that names it and says nothing more.
static status read_bare_urdf(robot_parts *r, const char *path, const char *base,
                             const settings *set) {
    loading *l = &r->l;
    arena *a = l->arena;
    l->base = base;
    const xml_node *robot = urdf_read(l, path, "robot");
    if (!robot)
        return E_INPUT;
    for (size_t i = 0; set && i < set->count; i++)
        if (strcmp(set->items[i].scope, "robot") == 0)
            ynode_error(&robot->place, l->list, "a URDF has no parameter `%s`", set->items[i].name);
    ynode *root = arena_alloc(a, sizeof *root), *file = arena_alloc(a, sizeof *file);
    *file = (ynode){.kind = YNODE_SCALAR, .file = robot->place.file, .line = 1, .column = 1};
    file->scalar = robot->place.file;
    *root = *file;
    root->kind = YNODE_MAPPING;
    root->count = 1;
    root->keys = arena_alloc(a, sizeof *root->keys);
    root->items = arena_alloc(a, sizeof *root->items);
    root->items[0] = file;
    root->keys[0] = arena_alloc(a, sizeof *file);
    *root->keys[0] = *file;
    root->keys[0]->scalar = "urdf";
    l->root = l->defaults = root;
    const char *name = xml_attribute(robot, "name");
    char *own = arena_strdup(a, name && *name ? name : "robot");
    for (char *c = own; *c; c++) { // bodies of the simulation are called after it
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
        else if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9')))
            *c = '_';
    }
    r->m->name = *own >= 'a' && *own <= 'z' && strlen(own) < 64 ? own : "robot";
    read_robot(r, true, robot);
    return l->list->count > 0 ? E_INPUT : OK;
}

status robot_load(const char *path, const char *base, const settings *set, robot_model **out,
                  errors *list) {
    return robot_load_from(NULL, path, base, set, out, list);
}

status robot_load_from(const file_set *files, const char *path, const char *base,
                       const settings *set, robot_model **out, errors *list) {
    arena *a = arena_create();
    robot_model *m = arena_alloc(a, sizeof *m);
    m->arena = a;
    errors found = {0}; // of its own, so that a list that is full already hides nothing
    robot_parts r = {.l = {.arena = a, .files = files, .list = &found, .params = &m->params},
                     .m = m};
    size_t length = strlen(path);
    status s;
    if (length > 5 && strcmp(path + length - 5, ".urdf") == 0) {
        s = read_bare_urdf(&r, path, base, set);
    } else if (length > 6 && strcmp(path + length - 6, ".xacro") == 0) {
        errors_add(&found, path, 1, 1,
                   "xacro files are not read: expand it first with `xacro FILE > ROBOT.urdf`");
        s = E_INPUT;
    } else {
        s = loading_begin(&r.l, path, base, "robot", MAP_ANY_ROBOT, set);
        if (s == OK)
            read_yaml(&r);
    }
    if (s == OK && found.count > 0)
        s = E_INPUT;
    if (s != OK)
        goto done;
    keep_notes(&r);
    m->sources = loading_sources(&r.l, &m->source_count);
    *out = m;
done:
    for (size_t i = 0; i < found.count; i++)
        errors_append(list, &found.items[i]);
    errors_finish(&found);
    loading_finish(&r.l);
    array_finish(&r.links);
    array_finish(&r.joints);
    array_finish(&r.arms);
    array_finish(&r.frames);
    array_finish(&r.notes);
    if (s != OK)
        robot_destroy(m);
    return s;
}
