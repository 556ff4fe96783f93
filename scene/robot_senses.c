// The senses of a robot file, with their noise.
#include "scene/robot_int.h"

// ---------------------------------------------------------------------------------------

static void read_sensor_link(robot_parts *r, const ynode *n, size_t *link, pose *at) {
    const char *name = "base";
    *at = POSE_IDENTITY;
    if (read_text(&r->l, n, "link", &name)) {
        // By the order of the tree, not of the file.
        int64_t raw = robot_need_link(r, ynode_get(n, "link") ? ynode_get(n, "link") : n, name);
        for (size_t i = 0; raw >= 0 && i < r->m->link_count; i++)
            if (strcmp(r->m->links[i].name, name) == 0)
                *link = i;
    }
    if (ynode_get(n, "at"))
        read_pose(&r->l, ynode_get(n, "at"), "at", at);
}

static void read_fraction(loading *l, const ynode *n, const char *key, double *out) {
    if (read_nonnegative(l, n, key, out) && *out > 1)
        ynode_error(ynode_get(n, key), l->list, "`%s` lies between 0 and 1, not at %g", key, *out);
}

static void read_count(loading *l, const ynode *n, const char *key, int *out) {
    int64_t v = *out;
    const ynode *c = ynode_get(n, key);
    if (!c || !ynode_integer(c, key, &v, l->list))
        return;
    if (v < 1 || v > 100000)
        ynode_error(c, l->list, "`%s` lies between 1 and 100000", key);
    else
        *out = (int)v;
}

static void read_camera(robot_parts *r, const ynode *n) {
    static const char *const keys[] = {"name",        "link",           "at",
                                       "fov",         "near",           "far",
                                       "rate",        "position_noise", "position_noise_per_metre",
                                       "angle_noise", "detection_rate", "min_visible",
                                       "rays",        "delay",          NULL};
    loading *l = &r->l;
    robot_camera *c = &r->m->camera;
    double fov[2] = {60, 45};
    *c = (robot_camera){.name = "camera",
                        .near = 0.3,
                        .far = 4,
                        .rate = 10,
                        .position_noise = 0.005,
                        .position_noise_per_metre = 0.005,
                        .angle_noise = 2 * PI / 180,
                        .detection_rate = 0.98,
                        .min_visible = 0.05,
                        .rays = 50,
                        .at = POSE_IDENTITY};
    ynode_check_keys(n, keys, l->list);
    read_text(l, n, "name", &c->name);
    read_sensor_link(r, n, &c->link, &c->at);
    if (ynode_get(n, "fov") && ynode_numbers(ynode_get(n, "fov"), "fov", fov, 2, l->list) &&
        !(fov[0] > 0 && fov[0] < 180 && fov[1] > 0 && fov[1] < 180))
        ynode_error(ynode_get(n, "fov"), l->list,
                    "the field of view lies between 0 and 180 degrees");
    c->fov_x = fov[0] * PI / 180;
    c->fov_y = fov[1] * PI / 180;
    read_positive(l, n, "near", &c->near);
    read_positive(l, n, "far", &c->far);
    if (c->far <= c->near)
        ynode_error(n, l->list, "the camera's `far` must be greater than its `near`");
    read_positive(l, n, "rate", &c->rate);
    read_nonnegative(l, n, "position_noise", &c->position_noise);
    read_nonnegative(l, n, "position_noise_per_metre", &c->position_noise_per_metre);
    read_angle(l, n, "angle_noise", &c->angle_noise);
    read_fraction(l, n, "detection_rate", &c->detection_rate);
    read_fraction(l, n, "min_visible", &c->min_visible);
    read_count(l, n, "rays", &c->rays);
    read_nonnegative(l, n, "delay", &c->delay);
}

static void read_laser(robot_parts *r, const ynode *n) {
    static const char *const keys[] = {"name",  "link", "at",    "fov",   "range",
                                       "beams", "rate", "noise", "delay", NULL};
    loading *l = &r->l;
    robot_laser *s = &r->m->laser;
    double fov = 240 * PI / 180, range[2] = {0.05, 8};
    *s = (robot_laser){
        .name = "laser", .beams = 360, .rate = 10, .noise = 0.01, .at = POSE_IDENTITY};
    ynode_check_keys(n, keys, l->list);
    read_text(l, n, "name", &s->name);
    read_sensor_link(r, n, &s->link, &s->at);
    if (read_angle(l, n, "fov", &fov) && !(fov > 0 && fov <= 2 * PI + 1e-9))
        ynode_error(ynode_get(n, "fov"), l->list, "the `fov` lies between 0 and 360 degrees");
    s->fov = fov;
    if (ynode_get(n, "range") && ynode_numbers(ynode_get(n, "range"), "range", range, 2, l->list) &&
        !(range[0] >= 0 && range[0] < range[1] && range[1] < 1e3))
        ynode_error(ynode_get(n, "range"), l->list, "`range` is [nearest, farthest] in metres");
    s->min_range = range[0];
    s->max_range = range[1];
    read_count(l, n, "beams", &s->beams);
    read_positive(l, n, "rate", &s->rate);
    read_nonnegative(l, n, "noise", &s->noise);
    read_nonnegative(l, n, "delay", &s->delay);
}

void robot_read_senses(robot_parts *r) {
    static const char *const keys[] = {"noise", "angle_noise", "bias", "angle_bias", "rate", NULL};
    static const char *const encoder_keys[] = {"noise", NULL};
    loading *l = &r->l;
    robot_model *m = r->m;
    static const ynode none = {.kind = YNODE_MAPPING, .file = "", .scalar = ""};
    const ynode *camera = loading_section(l, "camera"), *laser = loading_section(l, "laser");
    read_camera(r, camera ? camera : &none);
    read_laser(r, laser ? laser : &none);
    m->odometry_noise = 0.02;
    m->odometry_angle_noise = PI / 180;
    m->odometry_rate = 50;
    m->encoder_noise = 1e-4;
    const ynode *n = loading_section(l, "odometry");
    if (n) {
        ynode_check_keys(n, keys, l->list);
        read_nonnegative(l, n, "noise", &m->odometry_noise);
        read_angle(l, n, "angle_noise", &m->odometry_angle_noise);
        read_number(l, n, "bias", &m->odometry_bias);
        read_angle(l, n, "angle_bias", &m->odometry_angle_bias);
        read_positive(l, n, "rate", &m->odometry_rate);
    }
    n = loading_section(l, "encoders");
    if (n) {
        ynode_check_keys(n, encoder_keys, l->list);
        read_nonnegative(l, n, "noise", &m->encoder_noise);
    }
}
