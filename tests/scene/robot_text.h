// tests/scene/robot_text.h - robots written as text in a test.
#ifndef FORESEE_TESTS_SCENE_ROBOT_TEXT_H
#define FORESEE_TESTS_SCENE_ROBOT_TEXT_H

#include "scene/robot/robot.h"
#include "tests/testlib.h"

// A robot's YAML, a URDF (r.urdf), or the first on top of the second.
static inline status robot_text(const char *urdf, const char *yaml, const settings *set,
                                robot_model **out, errors *list) {
    char *folder = testlib_folder();
    char *below = urdf ? testlib_write(folder, "r.urdf", urdf) : NULL;
    char *top = yaml ? testlib_write(folder, "r.yaml", yaml) : NULL;
    status s = robot_load(top ? top : below, folder, set, out, list);
    free(below);
    free(top);
    testlib_remove(folder);
    return s;
}

typedef struct robot_mistake {
    const char *text;
    int line;
    const char *words;
} robot_mistake;

// Each text is refused with a mistake at its line whose sentence holds its words: as a URDF
// (`of_urdf`), or as a robot's YAML, on top of `urdf` if that is given.
static inline void robot_mistakes(const robot_mistake *cases, size_t count, const char *urdf,
                                  bool of_urdf) {
    for (size_t i = 0; i < count; i++) {
        errors list = {0};
        robot_model *r = NULL;
        const robot_mistake *c = &cases[i];
        assert_int_equal(
            robot_text(of_urdf ? c->text : urdf, of_urdf ? NULL : c->text, NULL, &r, &list),
            E_INPUT);
        assert_null(r);
        bool found = false;
        for (size_t k = 0; k < list.count; k++)
            found |= list.items[k].line == c->line && list.items[k].column > 0 &&
                     strstr(list.items[k].text, c->words);
        if (!found)
            fail_msg("case %zu: %zu mistakes, the first at %d: %s", i, list.count,
                     list.items[0].line, list.items[0].text);
        errors_finish(&list);
    }
}

// The Jacobian of an arm at `q`, which is left as it was, agrees with finite differences, and has a
// column for each of its joints.
static inline void robot_jacobian_is_right(const robot_model *r, size_t arm, pose base, double *q) {
    const double h = 1e-6;
    double j[6][7];
    pose links[64];
    assert_true(r->link_count <= 64);
    robot_forward(r, base, q, links);
    robot_jacobian(r, arm, links, j);
    for (size_t k = 0; k < 7; k++) {
        double d[6] = {0};
        if (k < r->arms[arm].joint_count) {
            double *v = &q[r->arms[arm].joints[k]], was = *v;
            pose p[2];
            for (int side = 0; side < 2; side++) {
                *v = was + (side ? h : -h);
                robot_forward(r, base, q, links);
                p[side] = robot_tool(r, arm, links);
            }
            *v = was;
            vec3 linear = v3_scale(v3_sub(p[1].p, p[0].p), 0.5 / h);
            vec3 angular = v3_scale(quat_log(quat_mul(p[1].q, quat_inverse(p[0].q))), 0.5 / h);
            const double both[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
            memcpy(d, both, sizeof d);
        }
        for (int i = 0; i < 6; i++)
            assert_true(fabs(d[i] - j[i][k]) < 1e-6);
    }
}

#endif
