// tests/scene/test_reach.c - the shipped kitchen and robot fit together: what is to be carried and
// where it belongs are reached from above by either arm, from poses at which base and arms stay
// clear of the furniture.
#include "tests/testlib.h"
#include "tests/scene/ik.h"

#define STANDOFF 0.42  // m, from the furniture's edge to the base's centre
#define CLEARANCE 0.02 // m, of arm and base

typedef struct setting_up {
    world_model *w;
    robot_model *r;
} setting_up;

static int load(void **state) {
    static setting_up s;
    errors list = {0};
    assert_int_equal(
        world_load(FORESEE_SOURCE_DIR "/examples/worlds/kitchen.yaml", NULL, NULL, &s.w, &list),
        OK);
    assert_int_equal(
        robot_load(FORESEE_SOURCE_DIR "/examples/robots/two_arms.yaml", NULL, NULL, &s.r, &list),
        OK);
    errors_finish(&list);
    *state = &s;
    return 0;
}

static int unload(void **state) {
    setting_up *s = *state;
    world_destroy(s->w);
    robot_destroy(s->r);
    return 0;
}

// Where a body's grasp is, as the wall's height between low and high; facet `k` of its wall.
static pose grasp_pose(const setting_up *s, const body_type *t, pose at, size_t k) {
    double pad = s->r->arms[0].gripper.pad_size.z;
    // As low as the pads fit over the band's lower end, so that as much as can be is covered.
    double z =
        fmax(t->grasps[0].low + pad / 2, fmin(t->grasps[0].high, t->grasps[0].low + pad / 2));
    double yaw =
        quat_yaw(at.q) + (t->grasps[0].facets ? 2 * PI * (double)k / (double)t->grasps[0].facets
                                              : PI * (double)k / 8);
    vec3 p = v3(t->grasps[0].radius * cos(yaw), t->grasps[0].radius * sin(yaw), 0);
    return ik_top_down(v3(at.p.x + p.x, at.p.y + p.y, at.p.z + z), yaw);
}

// Whether the arm reaches a grasp from 0.12 m above it along a straight line, joint by joint
// without a jump, and clear of the furniture all the way.
static bool comes_down(const setting_up *s, size_t arm, pose base, pose grasp, double *q) {
    pose above = grasp;
    above.p.z += 0.12;
    if (!ik_find(s->r, arm, s->w, base, above, CLEARANCE, q))
        return false;
    for (int i = 1; i <= 24; i++) {
        double before[IK_LINKS];
        memcpy(before, q, s->r->joint_count * sizeof *q);
        pose step = above;
        step.p.z -= 0.005 * i;
        if (!ik_descend(s->r, arm, base, step, q, 20) ||
            ik_clearance(s->r, arm, s->w, base, q) < CLEARANCE ||
            ik_self_clearance(s->r, arm, q) < CLEARANCE)
            return false;
        for (int k = 0; k < 7; k++) {
            size_t j = s->r->arms[arm].joints[k];
            if (fabs(q[j] - before[j]) > 0.15)
                return false;
        }
    }
    return true;
}

static double base_clearance(const setting_up *s, pose base) {
    double best = INFINITY;
    for (size_t i = 0; i < s->r->links[0].shape_count; i++)
        for (size_t b = 0; b < s->w->body_count; b++) {
            const world_body *body = &s->w->bodies[b];
            const shape *own = &s->r->links[0].shapes[i];
            for (size_t k = 0; body->fixed && k < body->type->shape_count; k++)
                if (body->type->shapes[k].kind != SHAPE_PLANE)
                    best =
                        fmin(best, shape_gap(own, pose_mul(base, own->at), &body->type->shapes[k],
                                             pose_mul(body->at, body->type->shapes[k].at)));
        }
    return best;
}

// How many ways to grasp a body of this type at this pose there are from around a standing pose:
// the least over nine standing poses a few centimetres and degrees apart.
static size_t grasps_around(const setting_up *s, size_t arm, double x, double y, double yaw,
                            const body_type *t, pose at, double lift) {
    size_t least = 8;
    for (int n = 0; n < 9; n++) {
        double dx = n == 0 ? 0 : 0.05 * cos(n * PI / 4), dy = n == 0 ? 0 : 0.05 * sin(n * PI / 4);
        pose base = pose_planar(x + dx, y + dy, yaw + (n % 2 ? 0.07 : -0.07));
        assert_true(base_clearance(s, base) > CLEARANCE);
        size_t found = 0;
        for (size_t k = 0; k < 8; k++) {
            double q[IK_LINKS];
            memcpy(q, s->r->home, s->r->joint_count * sizeof *q);
            q[s->r->torso] = lift;
            found += comes_down(s, arm, base, grasp_pose(s, t, at, k), q);
        }
        least = found < least ? found : least;
    }
    return least;
}

static void what_stands_on_the_counter_is_reached_by_either_arm(void **state) {
    const setting_up *s = *state;
    static const char *const names[] = {"plate_1", "plate_4", "cup_1", "cup_3"};
    double front = 4.39; // the counter's edge
    for (size_t i = 0; i < 4; i++)
        for (size_t arm = 0; arm < 2; arm++) {
            const world_body *b = &s->w->bodies[world_find_body(s->w, names[i])];
            double side = arm == 0 ? 0.15 : -0.15; // the thing stands before the shoulder
            size_t n = grasps_around(s, arm, b->at.p.x + side, front - STANDOFF, PI / 2, b->type,
                                     b->at, s->r->home[s->r->torso]);
            if (n < 6)
                fail_msg("%s with arm %zu: %zu ways", b->name, arm, n);
        }
}

static void every_spot_is_reached_from_the_nearer_end_of_the_table(void **state) {
    const setting_up *s = *state;
    double west = 3.3 - STANDOFF, east = 4.7 + STANDOFF;
    const struct {
        const char *region, *type;
        double x, yaw;
        size_t arm;
    } spots[] = {
        {"plate_spot_1", "plate", west, 0, 0},  {"cup_spot_1", "cup", west, 0, 0},
        {"plate_spot_3", "plate", west, 0, 1},  {"cup_spot_3", "cup", west, 0, 1},
        {"plate_spot_2", "plate", east, PI, 0}, {"cup_spot_2", "cup", east, PI, 0},
        {"plate_spot_4", "plate", east, PI, 1}, {"cup_spot_4", "cup", east, PI, 1},
    };
    for (size_t i = 0; i < 8; i++)
        for (size_t other = 0; other < 2; other++) {
            const world_region *g = &s->w->regions[world_find_region(s->w, spots[i].region)];
            pose at = pose_mul(s->w->bodies[g->body].at, g->at);
            size_t arm = other ? 1 - spots[i].arm : spots[i].arm;
            // The near arm from the middle of the end; the other one from farther to its own side.
            double y = 2.2 + (other ? (at.p.y > 2.2 ? 0.35 : -0.35) : 0);
            size_t n =
                grasps_around(s, arm, spots[i].x, y, spots[i].yaw,
                              world_find_type(s->w, spots[i].type), at, s->r->home[s->r->torso]);
            if (n < 4)
                fail_msg("%s with arm %zu: %zu ways", spots[i].region, arm, n);
        }
}

static void hands_point_down_at_every_heading_all_over_the_space_before_the_robot(void **state) {
    const setting_up *s = *state;
    for (size_t arm = 0; arm < 2; arm++)
        for (int z = 0; z < 3; z++)
            for (int x = 0; x < 7; x++)
                for (int y = 0; y < 7; y++)
                    for (int k = 0; k < 8; k++) {
                        double q[IK_LINKS], side = -0.1 + 0.1 * y;
                        memcpy(q, s->r->home, s->r->joint_count * sizeof *q);
                        vec3 at = v3(0.45 + 0.05 * x, arm == 0 ? side : -side, 0.75 + 0.15 * z);
                        if (!ik_find(s->r, arm, NULL, POSE_IDENTITY, ik_top_down(at, k * PI / 8),
                                     0.005, q))
                            fail_msg("arm %zu at %g %g %g, heading %d", arm, at.x, at.y, at.z, k);
                    }
}

static void the_floor_is_within_reach_with_the_torso_down(void **state) {
    const setting_up *s = *state;
    for (size_t arm = 0; arm < 2; arm++) {
        double q[IK_LINKS];
        memcpy(q, s->r->home, s->r->joint_count * sizeof *q);
        q[s->r->torso] = 0;
        pose base = pose_planar(2.0, 2.0, 0);
        pose grasp = ik_top_down(v3(2.5, arm == 0 ? 2.2 : 1.8, 0.035), 0);
        assert_true(ik_find(s->r, arm, NULL, base, grasp, 0.01, q));
    }
}

// Whoever is told "in front of the chair" and takes the floor for what is meant finds the table in
// the way, and nothing else: the arm is long enough.
static void the_floor_in_front_of_a_chair_is_barred_by_the_table(void **state) {
    const setting_up *s = *state;
    for (int chair = 1; chair <= 4; chair++) {
        char name[16];
        snprintf(name, sizeof name, "chair_%d", chair);
        const world_body *c = &s->w->bodies[world_find_body(s->w, name)];
        vec3 spot = pose_apply(c->at, v3(0.21 + 0.25, 0, 0.035));
        // From the nearer end of the table, and from beside the chair at the table's corner.
        double end = spot.x < 4.0 ? 3.3 - 0.36 : 4.7 + 0.36; // as near as it can
        size_t reached = 0, barred = 0;
        for (int n = 0; n < 5; n++) {
            double y = 2.2 + (spot.y > 2.2 ? 0.12 : -0.12) * n;
            pose base = pose_planar(end, y, atan2(spot.y - y, spot.x - end));
            for (size_t arm = 0; arm < 2; arm++)
                for (int k = 0; k < 8; k++) {
                    double q[IK_LINKS], yaw = k * PI / 4;
                    memcpy(q, s->r->home, s->r->joint_count * sizeof *q);
                    q[s->r->torso] = 0;
                    vec3 at = v3(spot.x + 0.095 * cos(yaw), spot.y + 0.095 * sin(yaw), spot.z);
                    if (!ik_find(s->r, arm, NULL, base, ik_top_down(at, yaw), 0.005, q))
                        continue;
                    reached++;
                    barred += !ik_find(s->r, arm, s->w, base, ik_top_down(at, yaw), 0.005, q);
                }
        }
        if (reached < 10 || barred < reached)
            fail_msg("%s: %zu of %zu barred", name, barred, reached);
    }
}

static void the_box_on_the_shelf_hides_the_cup_from_whoever_stands_in_front(void **state) {
    const setting_up *s = *state;
    const world_body *cup = &s->w->bodies[world_find_body(s->w, "cup_4")];
    const world_body *box = &s->w->bodies[world_find_body(s->w, "cereal_box")];
    pose links[IK_LINKS];
    for (double x = 0.85; x < 2.6; x += 0.25)
        for (double y = -0.2; y < 0.21; y += 0.1) {
            pose base = pose_planar(x, cup->at.p.y + y, PI);
            robot_forward(s->r, base, s->r->home, links);
            vec3 eye = pose_mul(links[s->r->camera.link], s->r->camera.at).p;
            int hidden = 0, all = 0;
            for (int i = 0; i < 24; i++)
                for (int k = 0; k < 10; k++) {
                    double a = i * PI / 12, r = cup->type->shapes[0].size.x;
                    vec3 p = pose_apply(cup->at, v3(r * cos(a), r * sin(a), 0.1 * k / 9));
                    vec3 d = v3_sub(p, eye);
                    const shape *b = &box->type->shapes[0];
                    all++;
                    hidden +=
                        shape_ray(b, pose_mul(box->at, b->at), eye, v3_unit(d)) < v3_length(d);
                }
            if (hidden < all)
                fail_msg("from (%g, %g) %d of %d points are hidden", x, y, hidden, all);
        }
}

static void parked_arms_stay_within_the_robots_circle(void **state) {
    const setting_up *s = *state;
    pose links[IK_LINKS];
    robot_forward(s->r, POSE_IDENTITY, s->r->home, links);
    for (size_t arm = 0; arm < s->r->arm_count; arm++) {
        const robot_arm *a = &s->r->arms[arm];
        assert_true(ik_self_clearance(s->r, arm, s->r->home) > CLEARANCE);
        vec3 down = quat_rotate(robot_tool(s->r, arm, links).q, v3(0, 0, 1));
        assert_true(down.z < -0.999);
        for (int k = 0; k < 7; k++) {
            const robot_link *l = &s->r->links[s->r->joints[a->joints[k]].child];
            for (size_t i = 0; i < l->shape_count; i++) {
                vec3 low, high;
                assert_true(shapes_bounds(&l->shapes[i], 1, links[s->r->joints[a->joints[k]].child],
                                          &low, &high));
                double x = fmax(fabs(low.x), fabs(high.x)), y = fmax(fabs(low.y), fabs(high.y));
                assert_true(hypot(x, y) < 0.45);
            }
        }
        pose tool = robot_tool(s->r, arm, links);
        assert_true(hypot(tool.p.x, tool.p.y) < 0.40);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_on_the_counter_is_reached_by_either_arm),
        cmocka_unit_test(every_spot_is_reached_from_the_nearer_end_of_the_table),
        cmocka_unit_test(hands_point_down_at_every_heading_all_over_the_space_before_the_robot),
        cmocka_unit_test(the_floor_is_within_reach_with_the_torso_down),
        cmocka_unit_test(the_floor_in_front_of_a_chair_is_barred_by_the_table),
        cmocka_unit_test(the_box_on_the_shelf_hides_the_cup_from_whoever_stands_in_front),
        cmocka_unit_test(parked_arms_stay_within_the_robots_circle),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
