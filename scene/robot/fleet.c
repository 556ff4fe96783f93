// scene/robot/fleet.c - several robots as one description: see fleet.h.
#include "scene/robot/fleet.h"

const char *fleet_part_name(arena *a, const char *as, const robot_model *r, const char *name) {
    size_t n = strlen(r->name);
    if (strncmp(name, r->name, n) == 0 && name[n] == '_') {
        if (as == r->name)
            return name;
        name += n + 1;
    }
    return arena_format(a, "%s_%s", as, name);
}

typedef struct fleet_rooms {
    robot_link *links;
    robot_joint *joints;
    robot_arm *arms;
    double *home;
} fleet_rooms;

static const char *name_part(arena *a, const fleet_member *m, const char *name) {
    return fleet_part_name(a, m->name, m->robot, name);
}

static void add_member(robot_model *all, const fleet_rooms *to, const fleet_member *m) {
    const robot_model *r = m->robot;
    arena *a = all->arena;
    for (size_t i = 0; i < r->link_count; i++) {
        robot_link *l = &to->links[all->link_count + i];
        *l = r->links[i];
        l->name = name_part(a, m, l->name);
        l->joint += l->joint < 0 ? 0 : (int64_t)all->joint_count;
    }
    for (size_t i = 0; i < r->joint_count; i++) {
        robot_joint *j = &to->joints[all->joint_count + i];
        *j = r->joints[i];
        j->name = name_part(a, m, j->name);
        j->parent += all->link_count;
        j->child += all->link_count;
        j->leader += all->joint_count;
        to->home[all->joint_count + i] = r->home[i];
    }
    for (size_t i = 0; i < r->arm_count; i++) {
        robot_arm *arm = &to->arms[all->arm_count + i];
        *arm = r->arms[i];
        robot_gripper *g = &arm->gripper;
        arm->name = name_part(a, m, arm->name);
        g->name = name_part(a, m, g->name);
        g->palm = name_part(a, m, g->palm);
        g->finger_1 = name_part(a, m, g->finger_1);
        g->finger_2 = name_part(a, m, g->finger_2);
        arm->flange += all->link_count;
        for (size_t k = 0; k < arm->joint_count; k++)
            arm->joints[k] += all->joint_count;
    }
    all->link_count += r->link_count;
    all->joint_count += r->joint_count;
    all->arm_count += r->arm_count;
}

robot_model *fleet_merge(const fleet_member *members, size_t count) {
    arena *a = arena_create();
    robot_model *all = arena_alloc(a, sizeof *all);
    *all = *members[0].robot;
    all->arena = a;
    all->params = (parameters){0};
    all->sources = NULL;
    all->notes = NULL;
    all->self_margins = NULL;
    all->source_count = all->note_count = 0;
    size_t links = 0, joints = 0, arms = 0;
    const char **names = arena_alloc(a, count * sizeof *names + 1);
    for (size_t i = 0; i < count; i++) {
        names[i] = members[i].name;
        links += members[i].robot->link_count;
        joints += members[i].robot->joint_count;
        arms += members[i].robot->arm_count;
    }
    all->wholes = names;
    all->whole_count = count;
    fleet_rooms to = {.links = arena_alloc(a, links * sizeof *to.links + 1),
                      .joints = arena_alloc(a, joints * sizeof *to.joints + 1),
                      .arms = arena_alloc(a, arms * sizeof *to.arms + 1),
                      .home = arena_alloc(a, joints * sizeof *to.home + 1)};
    all->links = to.links, all->joints = to.joints, all->arms = to.arms, all->home = to.home;
    all->link_count = all->joint_count = all->arm_count = 0;
    for (size_t i = 0; i < count; i++)
        add_member(all, &to, &members[i]);
    return all;
}
