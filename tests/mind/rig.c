// tests/mind/rig.c - see rig.h.
#include "tests/mind/rig.h"

#include "tests/robot_numbers.h"

#include <math.h>

static const char *copy(rig_sink *s, const char *text) {
    return text ? arena_strdup(s->texts, text) : NULL;
}

static status sink_take(sink *head, const record *r, error *err) {
    (void)err;
    rig_sink *s = (rig_sink *)head;
    record kept = *r;
    const record_info *info = record_describe(r->kind);
    for (size_t i = 0; i < info->column_count; i++)
        if (info->columns[i].type == COLUMN_TEXT) {
            const char **text = (const char **)(void *)((char *)&kept + info->columns[i].offset);
            *text = copy(s, *text);
        }
    array_push(&s->records, kept);
    s->counts[r->kind]++;
    return OK;
}

static status sink_close(sink *head, const record *r, error *err) {
    (void)err;
    rig_sink *s = (rig_sink *)head;
    for (size_t i = 0; i < s->records.count; i++)
        if (s->records.items[i].kind == r->kind && s->records.items[i].id == r->id &&
            r->kind == RECORD_OPERATION)
            s->records.items[i].OPERATION.end_ns = r->OPERATION.end_ns;
    return OK;
}

static status sink_nothing(sink *head, nanos t, error *err) {
    (void)head;
    (void)t;
    (void)err;
    return OK;
}

static const sink_class sink_methods = {sink_take, sink_close, sink_nothing};

double rig_normal(rig *r) {
    return rng_normal(rng_key_make(r->seed, "rig", "noise"), r->draws++, 0);
}

// Moves the arm to where the springs pull its tool, since nothing in this world resists.
static void follow_springs(rig *r, const impedance *i) {
    const robot_arm *arm = &r->robot->arms[i->arm];
    pose links[64];
    chain c;
    double q[AXES_MAX] = {0};
    assert_true(r->robot->link_count <= 64);
    robot_forward(r->robot, POSE_IDENTITY, r->q, links);
    chain_init(&c, r->robot, i->arm, links);
    for (size_t k = 0; k < c.count; k++)
        q[k] = r->q[arm->joints[k]];
    ik_descend(&c, i->target, 0, 30, q);
    for (size_t k = 0; k < c.count; k++) {
        r->target[arm->joints[k]] = q[k];
        r->target_velocity[arm->joints[k]] = 0;
    }
}

static status rig_send(void *self, const command *c, error *err) {
    (void)err;
    rig *r = self;
    switch (c->kind) {
    case COMMAND_JOINT:
        assert_true(isfinite(c->joint.position) && isfinite(c->joint.velocity));
        r->target[c->joint.joint] = c->joint.position;
        r->target_velocity[c->joint.joint] = c->joint.velocity;
        break;
    case COMMAND_IMPEDANCE:
        follow_springs(r, &c->impedance);
        break;
    case COMMAND_LEAD: // nobody is there
    case COMMAND_FOLLOW:
        break;
    case COMMAND_BASE:
        r->twist[0] = c->base.vx;
        r->twist[1] = c->base.vy;
        r->twist[2] = c->base.wz;
        break;
    case COMMAND_GRIPPER:
        r->grip_target[c->gripper.arm] = c->gripper.opening;
        r->grip_force[c->gripper.arm] = c->gripper.force;
        r->closing[c->gripper.arm] = c->gripper.close;
        break;
    case COMMAND_CAMERA:
        r->camera = c->power.on;
        r->camera_at = r->t;
        break;
    case COMMAND_LASER:
        r->laser = c->power.on;
        r->laser_at = r->t;
        break;
    case COMMAND_POLE:
        r->pole = c->pole.type;
        r->pole_at = c->pole.expected;
        break;
    }
    return OK;
}

static bool rig_next(void *self, reading *out) {
    rig *r = self;
    if (r->queue_at >= r->queue.count)
        return false;
    *out = r->queue.items[r->queue_at++];
    return true;
}

static void rig_mark(void *self, const operation *op) {
    (void)self;
    assert_true(op->id > 0);
}

static char *source(const char *name) {
    return testlib_path(FORESEE_SOURCE_DIR, name);
}

rig *rig_create(uint64_t seed, double noise) {
    return rig_create_in("examples/worlds/kitchen.yaml", seed, noise);
}

void rig_grasps(rig *r, const char *type, const grasp_way *ways, size_t count) {
    const world_model *both[] = {r->world, r->known};
    for (int k = 0; k < 2; k++) {
        body_type *t = (body_type *)world_find_type(both[k], type);
        assert_non_null(t);
        t->grasps = ways;
        t->grasp_count = count;
    }
}

rig *rig_create_in(const char *scene, uint64_t seed, double noise) {
    return rig_create_with(scene, "examples/robots/two_arms.yaml", seed, noise);
}

rig *rig_create_with(const char *scene, const char *machine, uint64_t seed, double noise) {
    rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    errors list = {0};
    settings none = {0};
    char *world = source(scene), *robot = source(machine);
    if (world_load(world, NULL, &none, &r->world, &list) != OK ||
        robot_load(robot, NULL, &none, &r->robot, &list) != OK)
        fail_msg("%s", list.items[0].text);
    free(world);
    free(robot);
    errors_finish(&list);
    r->known = world_known(r->world);
    r->log.head.class = &sink_methods;
    r->log.texts = arena_create();
    r->memory = arena_create();
    r->scratch = arena_create();
    r->seed = seed;
    r->noise = noise;
    r->odometry_gain = 1;
    size_t n = r->robot->joint_count + 1;
    r->q = calloc(n, sizeof(double));
    r->qd = calloc(n, sizeof(double));
    r->qd_before = calloc(n, sizeof(double));
    r->target = calloc(n, sizeof(double));
    r->target_velocity = calloc(n, sizeof(double));
    memcpy(r->q, r->robot->home, r->robot->joint_count * sizeof(double));
    memcpy(r->target, r->robot->home, r->robot->joint_count * sizeof(double));
    r->base = r->world->robot_at;
    r->objects = calloc(r->world->body_count, sizeof *r->objects);
    for (size_t i = 0; i < r->world->body_count; i++)
        r->objects[i] = r->world->bodies[i].at;
    robot_ids_number(&r->ids, r->robot, 100);
    r->held[0] = r->held[1] = -1;
    for (size_t a = 0; a < r->robot->arm_count; a++) {
        r->opening[a] = r->grip_target[a] = r->robot->arms[a].gripper.max_opening;
        r->held[a] = -1;
    }
    error err = {0};
    if (belief_create(r->known, r->robot, &r->log.head, 1, NULL, 0, &r->belief, &err) != OK)
        fail_msg("%s", err.text);
    r->body = (middleware){r, rig_send, rig_next, rig_mark, rig_mark};
    r->mind = (mind){.known = r->known,
                     .robot = r->robot,
                     .belief = r->belief,
                     .body = &r->body,
                     .log = &r->log.head,
                     .agent = 1,
                     .seed = seed,
                     .cycle = 20000000,
                     .parts = &r->ids};
    rig_sense(r);
    return r;
}

void rig_destroy(rig *r) {
    robot_forget(&r->mind);
    belief_destroy(r->belief);
    world_destroy(r->known);
    world_destroy(r->world);
    robot_destroy(r->robot);
    array_finish(&r->log.records);
    array_finish(&r->queue);
    arena_destroy(r->log.texts);
    arena_destroy(r->memory);
    arena_destroy(r->scratch);
    free(r->q);
    free(r->qd);
    free(r->qd_before);
    free(r->target);
    free(r->target_velocity);
    free(r->objects);
    robot_ids_finish(&r->ids);
    free(r);
}

static void true_links(const rig *r, pose *links) {
    robot_forward(r->robot, r->base, r->q, links);
}

static void sense_camera(rig *r, reading *out) {
    pose links[64];
    true_links(r, links);
    const robot_camera *c = &r->robot->camera;
    pose eye = pose_mul(links[c->link], c->at);
    percept *seen = arena_alloc(r->memory, r->world->body_count * sizeof *seen);
    *out = (reading){.kind = READING_CAMERA, .id = 1, .taken = r->t, .delivered = r->t};
    out->camera.percepts = seen;
    for (size_t i = 0; i < r->world->body_count; i++) {
        const world_body *b = &r->world->bodies[i];
        vec3 at = pose_apply(pose_inverse(eye), v3_add(r->objects[i].p, v3(0, 0, 0.04)));
        if (b->known || at.x < c->near || at.x > c->far || fabs(at.y) > at.x * tan(c->fov_x / 2) ||
            fabs(at.z) > at.x * tan(c->fov_y / 2))
            continue;
        pose p = pose_mul(pose_inverse(r->base), r->objects[i]);
        double sigma = r->noise * (c->position_noise + c->position_noise_per_metre * v3_length(at));
        p.p = v3_add(p.p, v3(sigma * rig_normal(r), sigma * rig_normal(r), sigma * rig_normal(r)));
        double turn = r->noise * c->angle_noise;
        p.q = quat_mul(
            quat_exp(v3(turn * rig_normal(r), turn * rig_normal(r), turn * rig_normal(r))), p.q);
        seen[out->camera.count++] =
            (percept){sink_id(&r->log.head, RECORD_PERCEPT), b->type->name, b->color, p};
    }
}

static void sense_laser(rig *r, reading *out) {
    pose links[64];
    true_links(r, links);
    const robot_laser *l = &r->robot->laser;
    pose eye = pose_mul(links[l->link], l->at);
    double *ranges = arena_alloc(r->memory, (size_t)l->beams * sizeof *ranges);
    for (int i = 0; i < l->beams; i++) {
        double angle = -l->fov / 2 + l->fov * i / (l->beams - 1), nearest = INFINITY;
        vec3 way = quat_rotate(eye.q, v3(cos(angle), sin(angle), 0));
        for (size_t b = 0; b < r->world->body_count; b++)
            for (size_t k = 0; k < r->world->bodies[b].type->shape_count; k++) {
                const shape *s = &r->world->bodies[b].type->shapes[k];
                nearest = fmin(nearest, shape_ray(s, pose_mul(r->objects[b], s->at), eye.p, way));
            }
        nearest += r->noise * l->noise * rig_normal(r);
        ranges[i] = nearest > l->max_range || nearest < l->min_range ? INFINITY : nearest;
    }
    *out = (reading){.kind = READING_LASER, .id = 1, .taken = r->t, .delivered = r->t};
    out->laser.count = (size_t)l->beams;
    out->laser.ranges = ranges;
    if (!r->pole || r->pole_scans == 0)
        return;
    r->pole_scans--;
    percept *found = arena_alloc(r->memory, sizeof *found);
    *found = (percept){sink_id(&r->log.head, RECORD_PERCEPT), r->pole, NULL, r->pole_at};
    out->laser.pole = found;
}

static void push_gripper(rig *r, size_t arm) {
    reading g = {.kind = READING_GRIPPER, .taken = r->t, .delivered = r->t};
    g.gripper.arm = arm;
    g.gripper.opening = r->opening[arm];
    g.gripper.touch_1 = g.gripper.touch_2 = r->held[arm] >= 0;
    g.gripper.force = r->held[arm] >= 0 ? r->grip_force[arm] : 0;
    array_push(&r->queue, g);
}

void rig_sense(rig *r) {
    reading e = {.kind = READING_ENCODERS, .taken = r->t, .delivered = r->t};
    e.encoders.count = r->robot->joint_count;
    e.encoders.position = r->q;
    e.encoders.velocity = r->qd;
    array_push(&r->queue, e);
    for (size_t a = 0; a < r->robot->arm_count; a++)
        push_gripper(r, a);
    if (r->camera && r->t >= r->camera_at) {
        reading c;
        sense_camera(r, &c);
        array_push(&r->queue, c);
        r->camera_at = r->t + 100000000;
    }
    if (r->laser && r->t >= r->laser_at) {
        reading l;
        sense_laser(r, &l);
        array_push(&r->queue, l);
        r->laser_at = r->t + 100000000;
    }
}

// Returns the body between the pads of a hand that closes, whose grasp lies near the tool, and its
// width there; -1: none.
static int64_t between_pads(rig *r, size_t arm, pose tool, double *width) {
    for (size_t i = 0; i < r->world->body_count; i++) {
        const world_body *b = &r->world->bodies[i];
        believed_object o = {.kind = b->type, .at = r->objects[i], .name = b->name, .hand = -1};
        grasp_pose g[GRASPS_MAX];
        size_t count = b->fixed ? 0 : grasp_candidates(&r->mind, &o, arm, GRASP_ANY, g);
        for (size_t k = 0; k < count; k++)
            if (v3_distance(g[k].tool.p, tool.p) < 0.02 && quat_angle(g[k].tool.q, tool.q) < 0.2) {
                *width = g[k].way->width;
                return (int64_t)i;
            }
    }
    return -1;
}

static void move_gripper(rig *r, size_t arm, pose tool) {
    const robot_gripper *g = &r->robot->arms[arm].gripper;
    double step = 2 * g->speed * 0.02, target = r->grip_target[arm];
    int64_t in = r->held[arm];
    if (r->closing[arm] && in < 0 && r->opening[arm] > 0) {
        double width;
        in = between_pads(r, arm, tool, &width);
        if (in >= 0 && r->opening[arm] - step < width) {
            r->held[arm] = in;
            r->width[arm] = width;
            r->in_hand[arm] = pose_mul(pose_inverse(tool), r->objects[in]);
        }
    }
    double least = r->held[arm] >= 0 ? r->width[arm] : 0;
    double to = fmax(target, r->closing[arm] ? least : 0);
    r->opening[arm] += fmax(-step, fmin(step, to - r->opening[arm]));
    if (r->held[arm] >= 0 && !r->closing[arm] && r->opening[arm] > least + 0.003) {
        size_t i = (size_t)r->held[arm];
        r->held[arm] = -1;
        if (r->held[1 - arm] == (int64_t)i)
            return; // the other hand has it
        // The object falls straight down onto what is beneath.
        double top = 0;
        for (size_t b = 0; b < r->world->body_count; b++)
            for (size_t k = 0; b != i && k < r->world->bodies[b].type->shape_count; k++) {
                const shape *s = &r->world->bodies[b].type->shapes[k];
                double hit = shape_ray(s, pose_mul(r->objects[b], s->at),
                                       v3_add(r->objects[i].p, v3(0, 0, 0.02)), v3(0, 0, -1));
                if (isfinite(hit))
                    top = fmax(top, r->objects[i].p.z + 0.02 - hit);
            }
        const body_type *kind = r->world->bodies[i].type;
        r->objects[i].p.z += top - belief_lowest(kind->shapes, kind->shape_count, r->objects[i]);
    }
}

void rig_move(rig *r) {
    const double dt = 0.02;
    r->t += 20000000;
    double dx = r->twist[0] * dt, dy = r->twist[1] * dt, dyaw = r->twist[2] * dt;
    pose step = pose_planar(dx * cos(dyaw / 2) - dy * sin(dyaw / 2),
                            dx * sin(dyaw / 2) + dy * cos(dyaw / 2), dyaw);
    r->base = pose_mul(r->base, step);
    reading o = {.kind = READING_ODOMETRY, .taken = r->t, .delivered = r->t};
    double d = hypot(dx, dy);
    o.odometry.dx = r->odometry_gain * dx + r->noise * 0.02 * sqrt(d) * rig_normal(r);
    o.odometry.dy = r->odometry_gain * dy + r->noise * 0.02 * sqrt(d) * rig_normal(r);
    o.odometry.dyaw = dyaw + r->noise * PI / 180 * sqrt(d) * rig_normal(r);
    o.odometry.vx = r->twist[0];
    o.odometry.vy = r->twist[1];
    o.odometry.wz = r->twist[2];
    r->worst_joint_speed = r->worst_joint_acceleration = 0;
    for (size_t j = 0; j < r->robot->joint_count; j++) {
        r->qd[j] = r->target_velocity[j];
        r->worst_joint_speed = fmax(r->worst_joint_speed, fabs(r->target[j] - r->q[j]) / dt /
                                                              r->robot->joints[j].max_velocity);
        r->worst_joint_acceleration =
            fmax(r->worst_joint_acceleration,
                 fabs(r->qd[j] - r->qd_before[j]) / dt / r->robot->joints[j].max_acceleration);
        r->qd_before[j] = r->qd[j];
        r->q[j] = r->target[j];
        r->target[j] += 0; // held until the next command
        r->target_velocity[j] = 0;
    }
    pose links[64];
    true_links(r, links);
    for (size_t a = 0; a < r->robot->arm_count; a++) {
        pose tool = robot_tool(r->robot, a, links);
        if (r->held[a] >= 0)
            r->objects[r->held[a]] = pose_mul(tool, r->in_hand[a]);
        move_gripper(r, a, tool);
    }
    arena_reset(r->memory);
    r->queue.count = r->queue_at = 0;
    array_push(&r->queue, o);
    rig_sense(r);
}

static void mind_reads(rig *r, action *act) {
    reading in;
    error err = {0};
    while (r->body.next(r, &in)) {
        assert_int_equal(belief_read(r->belief, &in, &err), OK);
        if (act)
            assert_int_equal(action_read(act, &in, &err), OK);
    }
}

const term *rig_term(rig *r, const char *text) {
    const term *t;
    error err = {0};
    if (term_parse(r->scratch, "test", text, strlen(text), 1, 1, &t, &err) != OK)
        fail_msg("%s: %s", text, err.text);
    return t;
}

rig_result rig_do(rig *r, const char *name, ...) {
    action_argument args[8];
    size_t count = 0;
    va_list list;
    va_start(list, name);
    for (const char *key; (key = va_arg(list, const char *));)
        args[count++] = (action_argument){key, rig_term(r, va_arg(list, const char *))};
    va_end(list);
    mind_reads(r, NULL);
    action *act;
    error err = {0};
    nanos begun = r->t;
    if (action_begin(&r->mind, name, args, count, 7, "test", r->t, &act, &err) != OK)
        fail_msg("%s: %s", name, err.text);
    rig_result out = {.state = ACTION_RUNNING};
    while (out.state == ACTION_RUNNING) {
        if (r->each_cycle)
            r->each_cycle(r);
        mind_reads(r, act);
        assert_int_equal(
            action_step(act, r->scratch, r->t, &out.state, &out.result, &out.failure, &err), OK);
        assert_int_equal(robot_cycle(&r->mind, r->t, &err), OK);
        assert_int_equal(belief_cycle(r->belief, r->t, &err), OK);
        rig_move(r);
    }
    action_free(act);
    mind_reads(r, NULL);
    out.seconds = seconds(r->t - begun);
    return out;
}

size_t rig_body_of(const rig *r, const believed_object *o) {
    size_t best = SIZE_MAX;
    double least = INFINITY;
    for (size_t i = 0; i < r->world->body_count; i++) {
        double d = v3_distance(r->objects[i].p, o->at.p);
        if (strcmp(r->world->bodies[i].type->name, o->type) == 0 && d < least) {
            least = d;
            best = i;
        }
    }
    return best;
}

double rig_clearance(rig *r, const char *except, const char **who) {
    pose links[64];
    true_links(r, links);
    double least = INFINITY;
    shape boxes[6];
    pose box_at[6];
    size_t box_count = 0;
    for (size_t a = 0; a < r->robot->arm_count; a++) {
        const robot_gripper *g = &r->robot->arms[a].gripper;
        pose palm = robot_palm(r->robot, a, links), tool = robot_tool(r->robot, a, links);
        boxes[box_count] = (shape){SHAPE_BOX, POSE_IDENTITY, g->palm_size};
        box_at[box_count++] = pose_mul(palm, (pose){g->palm_center, {1, 0, 0, 0}});
        for (int side = -1; side <= 1; side += 2) {
            boxes[box_count] = (shape){SHAPE_BOX, POSE_IDENTITY, g->pad_size};
            box_at[box_count++] = pose_mul(
                tool, (pose){v3(0, side * (r->opening[a] + g->pad_size.y) / 2, 0), {1, 0, 0, 0}});
        }
    }
    for (size_t i = 0; i < r->world->body_count; i++) {
        const world_body *b = &r->world->bodies[i];
        if ((except && strcmp(b->name, except) == 0) || (int64_t)i == r->held[0] ||
            (int64_t)i == r->held[1])
            continue;
        for (size_t k = 0; k < b->type->shape_count; k++) {
            const shape *s = &b->type->shapes[k];
            pose at = pose_mul(r->objects[i], s->at);
            double gap = INFINITY;
            for (size_t l = 0; l < r->robot->link_count; l++)
                for (size_t n = 0; n < r->robot->links[l].shape_count; n++) {
                    const shape *own = &r->robot->links[l].shapes[n];
                    // The base may touch the floor, on which it stands.
                    if (l > 0 || s->kind != SHAPE_PLANE)
                        gap = fmin(gap, shape_gap(own, pose_mul(links[l], own->at), s, at));
                }
            for (size_t n = 0; n < box_count; n++)
                gap = fmin(gap, shape_gap(&boxes[n], box_at[n], s, at));
            if (gap < least) {
                least = gap;
                if (who)
                    *who = b->name;
            }
        }
    }
    return least;
}
