// projector/belief/belief.c - the life of a belief, the readings that it takes, what its hands
// hold, and the records that it writes in each cycle.
#include "projector/belief/belief_int.h"

#include <math.h>

// Readings in a row, those of 0.1 s, by which a hand is taken to be empty: a single one may err.
enum { EMPTY_READINGS = 5 };

static status add_known(belief *b, const int64_t *ids, nanos t, error *err) {
    for (size_t i = 0; i < b->known->body_count; i++) {
        const world_body *body = &b->known->bodies[i];
        believed o = {.relation = "at", .given = true};
        o.seen = (believed_object){.name = body->name,
                                   .type = body->type->name,
                                   .color = body->color,
                                   .kind = body->type,
                                   .body = (int64_t)i,
                                   .known = true,
                                   .confirmed = true,
                                   .hand = -1,
                                   .parent = "map",
                                   .at = body->at,
                                   .seen = -1};
        status s = belief_write_object(b, &o.seen, ids ? ids[i] : 0, t, err);
        if (s != OK)
            return s;
        array_push(&b->objects, o);
        belief_view_place(b, i, body->at);
    }
    for (size_t k = 0; k < b->known->joint_count; k++) {
        b->joints[k].written = b->known->joints[k].start;
        belief_place_joint(b, k, b->known->joints[k].start, 0.001);
    }
    for (size_t i = 0; i < b->objects.count; i++) {
        if (belief_joint_of(b, i) < 0)
            belief_settle(b, i, b->objects.items[i].seen.at, (covariance){0}, 0.03);
        status s = belief_write_frame(b, i, "prior", 0, 0, t, err);
        if (s != OK)
            return s;
    }
    return OK;
}

status belief_create(const world_model *known, const robot_model *robot, sink *log, int64_t agent,
                     const int64_t *known_objects, nanos t, belief **out, error *err) {
    if (robot->arm_count > ARMS_MAX)
        return error_set(err, E_LIMIT, "the robot has more than %d arms", ARMS_MAX);
    belief *b = mem_must(1, sizeof *b);
    b->known = known;
    b->robot = robot;
    b->log = log;
    b->agent = agent;
    b->arena = arena_create();
    b->q = arena_alloc(b->arena, (robot->joint_count + 1) * sizeof *b->q);
    b->qd = arena_alloc(b->arena, (robot->joint_count + 1) * sizeof *b->qd);
    b->links = arena_alloc(b->arena, (robot->link_count + 1) * sizeof *b->links);
    if (robot->joint_count > 0)
        memcpy(b->q, robot->home, robot->joint_count * sizeof *b->q);
    b->joints = arena_alloc(b->arena, (known->joint_count + 1) * sizeof *b->joints);
    int beams = robot->laser.beams > 0 ? robot->laser.beams : 1;
    b->scans = arena_alloc(b->arena, (size_t)beams * SCANS_MAX * sizeof *b->scans);
    const double sigma = 0.005; // m and rad
    b->self[0] = (self_mode){.x = known->robot_at.p.x,
                             .y = known->robot_at.p.y,
                             .yaw = quat_yaw(known->robot_at.q),
                             .weight = 1};
    for (int i = 0; i < 3; i++)
        b->self->p[i][i] = sigma * sigma;
    b->mode_count = 1;
    b->now = t;
    b->robot_source = "prior";
    b->ring[0] = (base_past){t, b->self->x, b->self->y, b->self->yaw};
    b->ring_next = b->ring_count = 1;
    belief_refresh(b);
    status s = belief_view_init(b, t, err);
    if (s == OK)
        s = add_known(b, known_objects, t, err);
    if (s != OK) {
        belief_destroy(b);
        return s;
    }
    *out = b;
    return OK;
}

void belief_destroy(belief *b) {
    if (!b)
        return;
    for (size_t i = 0; i < b->objects.count; i++) {
        array_finish(&b->objects.items[i].history);
        array_finish(&b->objects.items[i].reports);
    }
    array_finish(&b->objects);
    array_finish(&b->trail);
    array_finish(&b->taken);
    belief_told_finish(b);
    belief_view_finish(b);
    laser_map_finish(&b->laser_map);
    arena_destroy(b->arena);
    free(b);
}

uint64_t belief_version(const belief *b) {
    return b->version;
}

void belief_seed(belief *b, uint64_t seed) {
    b->seed = seed;
}

void belief_own_body(belief *b, int64_t object) {
    b->robot_object = object;
}

void belief_own_name(belief *b, const char *name) {
    b->called = name;
    if (name)
        belief_view_call(b);
}

size_t belief_ambiguity(const belief *b) {
    return b->mode_count;
}

void belief_self_covariance(const belief *b, double out[3][3]) {
    memcpy(out, b->self->p, sizeof b->self->p);
}

const double *belief_joints(const belief *b) {
    return b->q;
}

const double *belief_joint_velocities(const belief *b) {
    return b->qd;
}

const pose *belief_links(const belief *b) {
    return b->links;
}

void belief_twist(const belief *b, double *vx, double *vy, double *wz) {
    *vx = b->vx;
    *vy = b->vy;
    *wz = b->wz;
}

const gripper_state *belief_gripper(const belief *b, size_t arm) {
    return &b->grippers[arm];
}

const wrench_state *belief_contact(const belief *b, size_t arm) {
    return &b->contacts[arm];
}

const wrench_state *belief_wrench(const belief *b, size_t arm) {
    return &b->wrenches[arm];
}

// Moves one mode by the motion that the wheels report. Noise is added as odometry_noise has it: a
// random walk of position and heading along the way; a turning base goes the way of its rim.
static void move_mode(const robot_model *robot, self_mode *m, double dx, double dy, double dyaw) {
    double middle = m->yaw + dyaw / 2, c = cos(middle), s = sin(middle);
    double wx = c * dx - s * dy, wy = s * dx + c * dy;
    double way = hypot(dx, dy) + robot->base_radius * fabs(dyaw);
    // P = F P F' + Q with F = [1 0 -wy; 0 1 wx; 0 0 1]
    double(*p)[3] = m->p;
    p[0][0] += -2 * wy * p[0][2] + wy * wy * p[2][2];
    p[1][1] += 2 * wx * p[1][2] + wx * wx * p[2][2];
    p[0][1] += wx * p[0][2] - wy * p[1][2] - wx * wy * p[2][2];
    p[0][2] -= wy * p[2][2];
    p[1][2] += wx * p[2][2];
    p[0][0] += robot->odometry_noise * robot->odometry_noise * way;
    p[1][1] += robot->odometry_noise * robot->odometry_noise * way;
    p[2][2] += robot->odometry_angle_noise * robot->odometry_angle_noise * way;
    p[1][0] = p[0][1];
    p[2][0] = p[0][2];
    p[2][1] = p[1][2];
    m->x += wx;
    m->y += wy;
    m->yaw = angle_wrap(m->yaw + dyaw);
}

static void read_odometry(belief *b, const reading *r) {
    if (b->robot->base_drive == BASE_FIXED)
        return;
    double dx = r->odometry.dx, dy = r->odometry.dy, dyaw = r->odometry.dyaw;
    for (size_t k = 0; k < b->mode_count; k++)
        move_mode(b->robot, &b->self[k], dx, dy, dyaw);
    bool moved = dx != 0 || dy != 0 || dyaw != 0;
    if (moved || b->vx != r->odometry.vx || b->vy != r->odometry.vy || b->wz != r->odometry.wz)
        belief_changed(b);
    b->vx = r->odometry.vx;
    b->vy = r->odometry.vy;
    b->wz = r->odometry.wz;
    if (moved) {
        b->robot_source = "odometry";
        b->robot_task = 0;
    }
    belief_view_drive(b, r);
    b->ring[b->ring_next] = (base_past){r->taken, b->self->x, b->self->y, b->self->yaw};
    b->ring_next = (b->ring_next + 1) % ODOMETRY_RING;
    if (b->ring_count < ODOMETRY_RING)
        b->ring_count++;
    if (moved)
        belief_refresh(b);
}

// ---- Hands --------------------------------------------------------------------------------------
status belief_note_grasp(belief *b, size_t arm, const char *object, pose in_hand, double opening) {
    size_t i = belief_index(b, object);
    if (i == SIZE_MAX || arm >= b->robot->arm_count)
        return E_INPUT;
    belief_changed(b);
    b->grasps[arm] =
        (grasp_note){.noted = true, .object = i, .in_hand = in_hand, .opening = opening};
    b->lost[arm] = false;
    return OK;
}

void belief_expect_release(belief *b, size_t arm, int64_t task) {
    b->grasps[arm].release_task = task;
}

const believed_object *belief_held(const belief *b, size_t arm, pose *in_hand) {
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *o = &b->objects.items[i];
        if (o->hang == HANG_HAND && o->parent == arm) {
            if (in_hand)
                *in_hand = pose_mul(pose_inverse(robot_tool_in_palm(&b->robot->arms[arm].gripper)),
                                    belief_local(b, o));
            return &o->seen;
        }
    }
    if (!b->grasps[arm].noted)
        return NULL;
    if (in_hand)
        *in_hand = b->grasps[arm].in_hand;
    return &b->objects.items[b->grasps[arm].object].seen;
}

// Returns another hand that holds the object, too; -1: none.
static int64_t other_hand(const belief *b, size_t arm, size_t object) {
    for (size_t k = 0; k < b->robot->arm_count; k++)
        if (k != arm && b->grasps[k].noted && b->grasps[k].asserted &&
            b->grasps[k].object == object)
            return (int64_t)k;
    return -1;
}

// Hands the object over to another hand that holds it, too. False: there is none.
static bool hands_over(belief *b, size_t arm, size_t object) {
    believed *o = &b->objects.items[object];
    int64_t other = other_hand(b, arm, object);
    if (other < 0 || o->hang != HANG_HAND)
        return false;
    if (o->parent == arm) {
        belief_hang(b, object, HANG_HAND, (size_t)other, "held", belief_world(b, o), o->cov);
        belief_view_by_hand(b, object, (size_t)other);
    }
    return true;
}

// Leaves the object that the hand held where the hand lets it go.
static status release_hand(belief *b, size_t arm, nanos t, error *err) {
    status s = OK;
    belief_changed(b);
    grasp_note *note = &b->grasps[arm];
    pose tool = belief_tool(b, arm);
    for (size_t i = 0; i < b->objects.count && s == OK; i++) {
        believed *o = &b->objects.items[i];
        bool held = o->hang == HANG_HAND && o->parent == arm;
        if (!held && !(note->noted && note->object == i))
            continue;
        covariance cov = o->cov;
        double position, angle;
        belief_accuracy(b, &position, &angle);
        cov.x = hypot(cov.x, position);
        cov.y = hypot(cov.y, position);
        cov.angle = hypot(cov.angle, angle);
        pose at = held ? belief_world(b, o) : pose_mul(tool, note->in_hand);
        if (o->taken_over) { // it goes where the other robot's hand goes, with what stands on it
            s = belief_lose_riders(b, i, "effect", note->release_task, t, err);
            belief_forget_place(b, i, at);
        } else if (!hands_over(b, arm, i)) {
            belief_settle(b, i, at, cov, 0.04);
        }
        o = &b->objects.items[i];
        if (!o->placeless && o->hang != HANG_HAND)
            belief_view_by_hand(b, i, arm);
        o->taken_over = false;
        if (s == OK)
            s = belief_write_frame(b, i, "effect", 0, note->release_task, t, err);
    }
    *note = (grasp_note){0};
    return s;
}

// Forgets the place of the object that the hand has lost.
static status lose_held(belief *b, size_t arm, nanos t, error *err) {
    status s = OK;
    belief_changed(b);
    grasp_note *note = &b->grasps[arm];
    for (size_t i = 0; i < b->objects.count && s == OK; i++) {
        believed *o = &b->objects.items[i];
        bool held = o->hang == HANG_HAND && o->parent == arm;
        if (!held && !(note->noted && note->object == i))
            continue;
        pose at = held ? belief_world(b, o) : pose_mul(belief_tool(b, arm), note->in_hand);
        if (belief_joint_of(b, i) < 0 && !hands_over(b, arm, i)) {
            s = belief_lose_riders(b, i, "touch", 0, t, err);
            belief_forget_place(b, i, at);
        }
        if (s == OK)
            s = belief_write_frame(b, i, "touch", 0, 0, t, err);
    }
    *note = (grasp_note){0};
    b->lost[arm] = true;
    b->lost_at[arm] = b->grippers[arm].opening;
    return s;
}

// Returns whether the fingers have closed further than they did about the object, and neither feels
// anything.
static bool reads_empty(const grasp_note *note, const gripper_state *g) {
    return note->noted && g->opening < note->opening / 2 && !g->touch_1 && !g->touch_2;
}

static status read_gripper(belief *b, const reading *r, error *err) {
    size_t arm = r->gripper.arm;
    if (arm >= b->robot->arm_count)
        return error_set(err, E_INPUT, "reading of a gripper %zu that the robot does not have",
                         arm);
    gripper_state before = b->grippers[arm];
    b->grippers[arm] = (gripper_state){true,
                                       r->gripper.opening,
                                       r->gripper.force,
                                       r->gripper.touch_1,
                                       r->gripper.touch_2,
                                       r->gripper.moving};
    const gripper_state *g = &b->grippers[arm];
    if (before.read != g->read || before.opening != g->opening || before.force != g->force ||
        before.touch_1 != g->touch_1 || before.touch_2 != g->touch_2 || before.moving != g->moving)
        belief_changed(b);
    grasp_note *note = &b->grasps[arm];
    if (note->noted && r->gripper.opening > note->opening + 0.01)
        return release_hand(b, arm, r->delivered, err);
    if (g->touch_1 || g->touch_2 || g->opening > b->lost_at[arm] + 0.01)
        b->lost[arm] = false;
    note->empty = reads_empty(note, g) ? note->empty + 1 : 0;
    return note->empty < EMPTY_READINGS ? OK : lose_held(b, arm, r->delivered, err);
}

// ---- Readings and cycles ------------------------------------------------------------------------
static status read_encoders(belief *b, const reading *r, error *err) {
    size_t count = b->robot->joint_count;
    if (r->encoders.count != count)
        return error_set(err, E_INPUT, "reading of %zu joints where the robot has %zu",
                         r->encoders.count, count);
    memcpy(b->qd, r->encoders.velocity, count * sizeof *b->qd);
    if (memcmp(b->q, r->encoders.position, count * sizeof *b->q) != 0) {
        memcpy(b->q, r->encoders.position, count * sizeof *b->q);
        belief_changed(b);
        belief_refresh(b);
    }
    belief_view_reach(b, r->taken);
    if (b->pole.on)
        belief_pole_move(b, r->delivered);
    return OK;
}

static void read_wrench(belief *b, wrench_state *w, vec3 force, vec3 torque) {
    if (!w->read || v3_distance(w->force, force) > 0 || v3_distance(w->torque, torque) > 0)
        belief_changed(b);
    *w = (wrench_state){true, force, torque};
}

status belief_read(belief *b, const reading *r, error *err) {
    if (r->delivered > b->now)
        b->now = r->delivered;
    switch (r->kind) {
    case READING_ENCODERS:
        return read_encoders(b, r, err);
    case READING_ODOMETRY:
        read_odometry(b, r);
        return OK;
    case READING_LASER:
        if (b->localising)
            belief_keep_scan(b, r);
        return b->pole.on ? belief_pole_scan(b, r, err) : OK;
    case READING_CAMERA:
        belief_changed(b);
        return belief_see(b, r, err);
    case READING_GRIPPER:
        return read_gripper(b, r, err);
    case READING_WRENCH:
        if (r->wrench.arm < b->robot->arm_count)
            read_wrench(b, &b->wrenches[r->wrench.arm], r->wrench.force, r->wrench.torque);
        return OK;
    case READING_TORQUES:
        if (r->torques.arm < b->robot->arm_count)
            read_wrench(b, &b->contacts[r->torques.arm], r->torques.force, r->torques.moment);
        return OK;
    case READING_TRACKER:
        return belief_view_track(b, r, err);
    case READING_DETECTOR:
        return belief_view_detect(b, r, err);
    }
    return OK;
}

static status write_robot(belief *b, nanos t, double accuracy, error *err) {
    covariance cov = {sqrt(b->self->p[0][0]), sqrt(b->self->p[1][1]), 0, sqrt(b->self->p[2][2])};
    record r =
        belief_frame_row(b->log, b->agent, b->robot_id, t, belief_robot(b), cov, b->robot_source);
    r.BELIEVED_FRAME.task = b->robot_task;
    status s = sink_put(b->log, &r, err);
    char text[NUMBER_SIZE];
    if (s != OK || fabs(accuracy - b->logged_accuracy) < 0.001)
        return s;
    b->logged_accuracy = accuracy;
    number_format(accuracy, text);
    return belief_write_variable(b, "PosAccuracy", text, b->robot_task, b->robot_source, t, err);
}

status belief_cycle(belief *b, nanos t, error *err) {
    b->now = t;
    status moved = belief_cycle_joints(b, t, err);
    if (moved == OK && b->pole.on)
        moved = belief_pole_log(b, t, err);
    if (moved == OK)
        moved = belief_view_log(b, t, err);
    if (moved != OK)
        return moved;
    double accuracy, angle;
    belief_accuracy(b, &accuracy, &angle);
    if (!b->logged) {
        const char *name = b->called ? b->called : b->robot->name;
        believed_object self = {.name = name, .type = "robot"};
        status s = belief_write_object(b, &self, b->robot_object, t, err);
        if (s != OK)
            return s;
        b->robot_id = self.id;
        s = belief_write_variable(b, "PosAmbiguity", "1", 0, b->robot_source, t, err);
        if (s != OK)
            return s;
    } else if (hypot(b->self->x - b->logged_x, b->self->y - b->logged_y) < 0.001 &&
               fabs(angle_wrap(b->self->yaw - b->logged_yaw)) < 0.1 * PI / 180 &&
               fabs(accuracy - b->logged_accuracy) < 0.001) {
        return OK;
    }
    b->logged = true;
    b->logged_x = b->self->x;
    b->logged_y = b->self->y;
    b->logged_yaw = b->self->yaw;
    array_push(&b->trail, (base_past){t, b->self->x, b->self->y, b->self->yaw});
    return write_robot(b, t, accuracy, err);
}
