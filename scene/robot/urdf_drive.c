// scene/robot/urdf_drive.c - what a URDF does not say of a robot's joints and base: the YAML file
// on top of it, or figures that follow from masses and lengths.
#include "scene/robot/robot_int.h"

static const double STIFF = 40;              // rad/s, of a joint's position loop
static const double ROTOR = 0.02;            // armature, share of what the joint moves
static const double BRISK[2] = {5, 1};       // rad/s2 and m/s2 at most
static const double LAG[2] = {0.005, 0.001}; // rad and m that friction may cost
static const double COUPLED = 1e5;           // N m or N, what couples a joint to another one bears
static const double GRAVITY = 9.81;

// `*` stands for any number of characters.
static bool pattern_matches(const char *pattern, const char *name) {
    const char *star = NULL, *retry = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            retry = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == 0;
}

static void joint_override(robot_parts *r, const ynode *n, raw_joint *raw) {
    loading *l = &r->l;
    robot_joint *j = &raw->joint;
    if (raw->leader && ynode_get(n, "limits"))
        ynode_error(ynode_get(n, "limits"), l->list,
                    "`%s` follows `%s`, whose `limits` are its own", j->name, raw->leader);
    robot_read_limits(l, n, j);
    raw->home = fmin(fmax(raw->home, j->lower), j->upper);
    robot_read_drive(l, n, j);
}

void urdf_joints(robot_parts *r) {
    loading *l = &r->l;
    ynode *section = loading_section(l, "joints");
    for (size_t i = 0; section && i < section->count; i++) {
        const ynode *n = section->items[i], *key = section->keys[i];
        if (n->kind != YNODE_MAPPING) {
            ynode_error(n, l->list, "what `%s` changes must be a mapping", key->scalar);
            continue;
        }
        keys_check(n, MAP_DRIVE, l->list);
        bool any = false;
        const char **names = arena_alloc(l->arena, (r->joints.count + 1) * sizeof *names);
        size_t before = l->list->count;
        for (size_t k = 0; k < r->joints.count && l->list->count == before; k++) {
            names[k] = r->joints.items[k].joint.name;
            if (!pattern_matches(key->scalar, names[k]))
                continue;
            any = true;
            joint_override(r, n, &r->joints.items[k]);
        }
        if (!any)
            name_unknown(l, key, "joint that moves called", key->scalar, names, r->joints.count);
    }
}

// What a joint carries at home: mass, its inertia about the joint as if stretched out, and its
// moment of weight at worst.
typedef struct burden {
    double mass, inertia, moment;
} burden;

static void burden_carry(burden *b, double mass, vec3 com, vec3 joint, double own) {
    double d = v3_distance(com, joint);
    b->mass += mass;
    b->inertia += mass * d * d + own;
    b->moment += mass * d;
}

static burden burden_of(const robot_model *m, size_t joint, const pose *links, bool *under) {
    burden b = {0};
    vec3 at = links[m->joints[joint].child].p;
    memset(under, 0, m->link_count * sizeof *under);
    under[m->joints[joint].child] = true;
    for (size_t j = joint + 1; j < m->joint_count; j++)
        under[m->joints[j].child] = under[m->joints[j].parent];
    for (size_t i = 0; i < m->link_count; i++) {
        const robot_link *k = &m->links[i];
        double own = fmax(k->inertia.m[0][0], fmax(k->inertia.m[1][1], k->inertia.m[2][2]));
        if (under[i])
            burden_carry(&b, k->mass, pose_apply(links[i], k->com), at, own);
    }
    for (size_t a = 0; a < m->arm_count; a++) {
        const robot_gripper *g = &m->arms[a].gripper;
        if (under[m->arms[a].flange])
            burden_carry(&b, g->palm_mass + 2 * g->pad_mass, robot_tool(m, a, links).p, at, 0);
    }
    return b;
}

void urdf_drive(robot_parts *r, robot_joint *joints) {
    const robot_model *m = r->m;
    arena *a = r->l.arena;
    pose *links = arena_alloc(a, m->link_count * sizeof *links);
    bool *under = arena_alloc(a, m->link_count * sizeof *under);
    robot_forward(m, POSE_IDENTITY, m->home, links);
    for (size_t i = 0; i < m->joint_count; i++) {
        robot_joint *j = &joints[i];
        bool slides = j->kind == JOINT_PRISMATIC;
        burden b = burden_of(m, i, links, under);
        double inertia = slides ? b.mass : b.inertia,
               weight = GRAVITY * (slides ? b.mass : b.moment);
        if (j->armature < 0)
            j->armature = fmax(ROTOR * inertia, 1e-4);
        inertia += j->armature;
        if (!(j->max_effort > 0))
            j->max_effort = fmax(3 * weight, 1);
        if (!(j->max_acceleration > 0)) {
            double can = 0.5 * fmax(j->max_effort - weight, 0.2 * j->max_effort) / inertia;
            j->max_acceleration = fmin(BRISK[slides], can);
        }
        if (!(j->kp > 0))
            j->kp = fmax(inertia * STIFF * STIFF,
                         (j->coulomb + j->viscous * j->max_velocity) / LAG[slides]);
        if (j->kd < 0)
            j->kd = 2 * sqrt(j->kp * inertia);
    }
}

void urdf_followers(robot_parts *r, robot_joint *joints, double *home) {
    robot_model *m = r->m;
    for (size_t i = 0; i < m->joint_count; i++) {
        robot_joint *j = &joints[i];
        if (!j->follows)
            continue;
        const raw_joint *raw = NULL;
        for (size_t k = 0; k < r->joints.count; k++)
            if (strcmp(r->joints.items[k].joint.name, j->name) == 0)
                raw = &r->joints.items[k];
        int64_t found = raw ? robot_find_joint(m, raw->leader) : -1;
        ASSERT(found >= 0 && !joints[found].follows);
        const robot_joint *leader = &joints[found];
        double a = j->ratio * leader->lower + j->offset, b = j->ratio * leader->upper + j->offset;
        j->leader = (size_t)found;
        j->lower = fmin(a, b);
        j->upper = fmax(a, b);
        j->max_velocity = fabs(j->ratio) * leader->max_velocity;
        j->max_effort = COUPLED; // a coupling gives way to no load
        home[i] = j->ratio * home[found] + j->offset;
    }
}

void urdf_base(robot_parts *r) {
    robot_model *m = r->m;
    const robot_link *base = &m->links[0];
    vec3 low, high;
    if (m->base_radius > 0)
        return;
    m->base_radius = 0.3;
    if (shapes_bounds(base->shapes, base->shape_count, POSE_IDENTITY, &low, &high))
        m->base_radius = fmin(fmax(fmax(fmax(-low.x, high.x), fmax(-low.y, high.y)), 0.1), 2);
}
