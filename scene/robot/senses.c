// scene/robot/senses.c - the senses of a robot file, with their noise.
#include "scene/robot/robot_int.h"

#include <math.h>

static void read_sensor_link(robot_parts *r, const ynode *n, size_t *link, pose *at) {
    const char *name = "base";
    *at = POSE_IDENTITY;
    pose frame = POSE_IDENTITY;
    if (read_text(&r->l, n, "link", &name))
        robot_need_frame(r, ynode_get(n, "link") ? ynode_get(n, "link") : n, name, link, &frame);
    if (ynode_get(n, "at"))
        read_pose(&r->l, ynode_get(n, "at"), "at", Q_REACH, at);
    *at = pose_mul(frame, *at);
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

static void read_detection(loading *l, const ynode *n, robot_camera *c) {
    read_number(l, n, "detection_rate", Q_SHARE, &c->detection_rate);
    read_number(l, n, "min_visible", Q_SHARE, &c->min_visible);
    if (!ynode_get(n, "full_visible"))
        c->full_visible = fmax(c->full_visible, c->min_visible);
    read_number(l, n, "full_visible", Q_SHARE, &c->full_visible);
    if (c->full_visible < c->min_visible)
        ynode_error(ynode_get(n, "full_visible"), l->list,
                    "`full_visible` must not be less than `min_visible`, %g", c->min_visible);
    read_number(l, n, "clear_range", Q_EXTENT, &c->clear_range);
    read_number(l, n, "far_detection", Q_SHARE, &c->far_detection);
    read_number(l, n, "false_positives", Q_HALLUCINATIONS, &c->false_positives);
    read_number(l, n, "confusion", Q_SHARE, &c->confusion);
    read_number(l, n, "color_confusion", Q_SHARE, &c->color_confusion);
    read_number(l, n, "color_unknown", Q_SHARE, &c->color_unknown);
}

static void read_camera(robot_parts *r, const ynode *n) {
    loading *l = &r->l;
    robot_camera *c = &r->m->camera;
    double fov[2] = {60 * PI / 180, 45 * PI / 180};
    *c = (robot_camera){.name = "camera",
                        .near = 0.3,
                        .far = 4,
                        .rate = 10,
                        .position_noise = 0.005,
                        .position_noise_per_metre = 0.005,
                        .angle_noise = 2 * PI / 180,
                        .detection_rate = 0.98,
                        .min_visible = 0.05,
                        .full_visible = 0.2,
                        .clear_range = 2.5,
                        .far_detection = 0.5,
                        .false_positives = 0.01,
                        .confusion = 0.01,
                        .color_confusion = 0.01,
                        .rays = 50,
                        .at = POSE_IDENTITY};
    keys_check(n, MAP_CAMERA, l->list);
    read_text(l, n, "name", &c->name);
    read_sensor_link(r, n, &c->link, &c->at);
    if (ynode_get(n, "fov"))
        read_numbers(l, ynode_get(n, "fov"), "fov", Q_FIELD, fov, 2);
    c->fov_x = fov[0];
    c->fov_y = fov[1];
    read_number(l, n, "near", Q_SIGHT, &c->near);
    read_number(l, n, "far", Q_SIGHT, &c->far);
    if (c->far <= c->near)
        ynode_error(n, l->list, "the camera's `far` must be greater than its `near`");
    read_number(l, n, "rate", Q_RATE, &c->rate);
    read_number(l, n, "position_noise", Q_NOISE, &c->position_noise);
    read_number(l, n, "position_noise_per_metre", Q_NOISE, &c->position_noise_per_metre);
    read_number(l, n, "angle_noise", Q_SPREAD, &c->angle_noise);
    double bias[3] = {0};
    if (ynode_get(n, "position_bias") &&
        read_numbers(l, ynode_get(n, "position_bias"), "position_bias", Q_BIAS, bias, 3))
        c->position_bias = v3(bias[0], bias[1], bias[2]);
    read_number(l, n, "angle_bias", Q_TURN_BIAS, &c->angle_bias);
    read_detection(l, n, c);
    read_count(l, n, "rays", &c->rays);
    read_number(l, n, "delay", Q_DELAY, &c->delay);
}

static void read_laser(robot_parts *r, const ynode *n) {
    loading *l = &r->l;
    robot_laser *s = &r->m->laser;
    double fov = 240 * PI / 180, range[2] = {0.05, 8};
    *s = (robot_laser){.name = "laser",
                       .beams = 360,
                       .rate = 10,
                       .noise = 0.01,
                       .short_share = 0.01,
                       .max_share = 0.005,
                       .random_share = 0.005,
                       .short_decay = 1,
                       .at = POSE_IDENTITY};
    keys_check(n, MAP_LASER, l->list);
    read_text(l, n, "name", &s->name);
    read_sensor_link(r, n, &s->link, &s->at);
    read_number(l, n, "fov", Q_SCAN, &fov);
    s->fov = fov;
    if (ynode_get(n, "range") &&
        read_numbers(l, ynode_get(n, "range"), "range", Q_EXTENT, range, 2) &&
        !(range[0] < range[1]))
        ynode_error(ynode_get(n, "range"), l->list, "`range` is [nearest, farthest] in metres");
    s->min_range = range[0];
    s->max_range = range[1];
    read_count(l, n, "beams", &s->beams);
    read_number(l, n, "rate", Q_RATE, &s->rate);
    read_number(l, n, "noise", Q_NOISE, &s->noise);
    read_number(l, n, "bias", Q_BIAS, &s->bias);
    read_number(l, n, "delay", Q_DELAY, &s->delay);
    read_number(l, n, "short", Q_SHARE, &s->short_share);
    read_number(l, n, "max", Q_SHARE, &s->max_share);
    read_number(l, n, "random", Q_SHARE, &s->random_share);
    read_number(l, n, "short_decay", Q_DECAY, &s->short_decay);
    if (s->short_share + s->max_share + s->random_share > 1)
        ynode_error(n, l->list, "the laser's `short`, `max` and `random` together exceed 1");
}

static void read_odometry(loading *l, const ynode *n, robot_model *m) {
    m->odometry_noise = 0.02;
    m->odometry_angle_noise = PI / 180;
    m->odometry_rate = 50;
    keys_check(n, MAP_ODOMETRY, l->list);
    read_number(l, n, "noise", Q_NOISE, &m->odometry_noise);
    read_number(l, n, "angle_noise", Q_SPREAD, &m->odometry_angle_noise);
    read_number(l, n, "bias", Q_BIAS, &m->odometry_bias);
    read_number(l, n, "angle_bias", Q_TURN_BIAS, &m->odometry_angle_bias);
    read_number(l, n, "rate", Q_RATE, &m->odometry_rate);
    read_number(l, n, "delay", Q_DELAY, &m->odometry_delay);
}

static void read_losses(robot_parts *r, const ynode *n, robot_tracker *s) {
    loading *l = &r->l;
    if (!n)
        return;
    if (n->kind != YNODE_SEQUENCE) {
        ynode_error(n, l->list, "`lost` is a list of { from: SECONDS, to: SECONDS }");
        return;
    }
    tracker_loss *losses = arena_alloc(r->m->arena, (n->count + 1) * sizeof *losses);
    for (size_t i = 0; i < n->count; i++) {
        const ynode *entry = n->items[i];
        if (entry->kind != YNODE_MAPPING) {
            ynode_error(entry, l->list, "an entry of `lost` is { from: SECONDS, to: SECONDS }");
            continue;
        }
        robot_require_keys(l, entry, "an entry of `lost`",
                           (const char *const[]){"from", "to", NULL});
        keys_check(entry, MAP_TRACKER_LOSS, l->list);
        if (read_number(l, entry, "from", Q_TIME, &losses[i].from) &&
            read_number(l, entry, "to", Q_TIME, &losses[i].to) && losses[i].to <= losses[i].from)
            ynode_error(entry, l->list, "`to` must be later than `from`, %g s", losses[i].from);
    }
    s->losses = losses;
    s->loss_count = n->count;
}

static void read_tracker(robot_parts *r, const ynode *n) {
    loading *l = &r->l;
    robot_tracker *s = &r->m->tracker;
    *s = (robot_tracker){.present = true,
                         .at = POSE_IDENTITY,
                         .marker = {{0, 0, 0.5}, {1, 0, 0, 0}},
                         .range = 10,
                         .rate = 50,
                         .noise = 0.0005,
                         .angle_noise = 0.05 * PI / 180};
    keys_check(n, MAP_TRACKER, l->list);
    if (r->m->base_drive == BASE_FIXED)
        ynode_error(n, l->list,
                    "a base that is fixed stands where it is told to: leave out "
                    "`tracker`, or let the base move");
    robot_require_keys(l, n, "the tracker", (const char *const[]){"at", NULL});
    if (ynode_get(n, "at"))
        read_pose(l, ynode_get(n, "at"), "at", Q_PLACE, &s->at);
    if (ynode_get(n, "marker"))
        read_pose(l, ynode_get(n, "marker"), "marker", Q_REACH, &s->marker);
    read_number(l, n, "range", Q_SIGHT, &s->range);
    read_number(l, n, "rate", Q_RATE, &s->rate);
    read_number(l, n, "delay", Q_DELAY, &s->delay);
    read_number(l, n, "noise", Q_NOISE, &s->noise);
    read_number(l, n, "angle_noise", Q_SPREAD, &s->angle_noise);
    read_vector(l, n, "bias", Q_BIAS, &s->bias);
    read_number(l, n, "dropout", Q_SHARE, &s->dropout);
    read_losses(r, ynode_get(n, "lost"), s);
    const char *kind = "snapshot";
    read_text(l, n, "estimator", &kind);
    s->latest = strcmp(kind, "latest") == 0;
    if (!s->latest && strcmp(kind, "snapshot") != 0)
        ynode_error(ynode_get(n, "estimator"), l->list, "`estimator` is snapshot or latest");
}

static void read_detector(robot_parts *r, const ynode *n) {
    loading *l = &r->l;
    robot_detector *s = &r->m->detector;
    *s = (robot_detector){
        .present = true, .range = 5, .rate = 10, .noise = 0.005, .angle_noise = PI / 180};
    keys_check(n, MAP_DETECTOR, l->list);
    read_number(l, n, "range", Q_SIGHT, &s->range);
    read_number(l, n, "rate", Q_RATE, &s->rate);
    read_number(l, n, "delay", Q_DELAY, &s->delay);
    read_number(l, n, "noise", Q_NOISE, &s->noise);
    read_number(l, n, "angle_noise", Q_SPREAD, &s->angle_noise);
    read_number(l, n, "dropout", Q_SHARE, &s->dropout);
}

static void read_encoders(loading *l, const ynode *n, robot_model *m) {
    m->encoder_noise = 1e-4;
    keys_check(n, MAP_ENCODERS, l->list);
    read_number(l, n, "noise", Q_NOISE, &m->encoder_noise);
    read_number(l, n, "bias", Q_BIAS, &m->encoder_bias);
    read_number(l, n, "rate", Q_RATE, &m->encoder_rate);
    read_number(l, n, "delay", Q_DELAY, &m->encoder_delay);
}

static void read_grippers(loading *l, const ynode *n, robot_touch *t) {
    *t = (robot_touch){.force_noise = 0.05, .opening_noise = 2e-4, .touch = 0.5};
    keys_check(n, MAP_TOUCH, l->list);
    read_number(l, n, "rate", Q_RATE, &t->rate);
    read_number(l, n, "delay", Q_DELAY, &t->delay);
    read_number(l, n, "force_noise", Q_NOISE, &t->force_noise);
    read_number(l, n, "force_bias", Q_BIAS, &t->force_bias);
    read_number(l, n, "opening_noise", Q_NOISE, &t->opening_noise);
    read_number(l, n, "opening_bias", Q_BIAS, &t->opening_bias);
    read_number(l, n, "touch", Q_TOUCH, &t->touch);
}

void robot_read_senses(robot_parts *r) {
    static const ynode none = {.kind = YNODE_MAPPING, .file = "", .scalar = ""};
    static const char *const names[] = {"camera", "laser", "odometry", "encoders", "grippers"};
    const ynode *sections[5];
    for (int i = 0; i < 5; i++) {
        sections[i] = loading_section(&r->l, names[i]);
        if (!sections[i])
            sections[i] = &none;
    }
    read_camera(r, sections[0]);
    read_laser(r, sections[1]);
    read_odometry(&r->l, sections[2], r->m);
    read_encoders(&r->l, sections[3], r->m);
    read_grippers(&r->l, sections[4], &r->m->touch);
    const ynode *tracker = loading_section(&r->l, "tracker");
    if (tracker)
        read_tracker(r, tracker);
    const ynode *detector = loading_section(&r->l, "detector");
    if (detector && sections[1] == &none)
        ynode_error(detector, r->l.list,
                    "a detector recognises robots in the plane of the laser, which is where its "
                    "section `laser` says");
    if (detector)
        read_detector(r, detector);
}
