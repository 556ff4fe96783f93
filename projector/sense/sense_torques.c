// projector/sense/sense_torques.c - the torques of an arm's joints, and the contacts that an
// observer makes of them, beside those that there truly are.
#include "projector/sense/sense_int.h"

#include <math.h>

// Two wrenches differ for the log from here on, N and N m.
static const double FORCE_TOLD = 0.5, MOMENT_TOLD = 0.05;

static const char *const SOURCES[WRENCH_SOURCES] = {
    [WRENCH_TRUE] = "true", [WRENCH_OBSERVER] = "observer", [WRENCH_DIRECT] = "direct"};

void torque_states_init(sense *s) {
    const robot_model *r = s->setup.robot;
    for (size_t i = 0; i < r->arm_count; i++) {
        torque_state *t = &s->torques[i];
        for (int k = 0; k < ARM_JOINTS_MAX; k++)
            t->logged[k] = NAN;
        for (int w = 0; w < WRENCH_SOURCES; w++)
            for (int k = 0; k < 6; k++)
                t->logged_wrench[w][k] = NAN;
        if (r->arms[i].torques.present)
            arm_observer_create(r, i, s->setup.world->gravity, r->arms[i].torques.observer_gain,
                                &t->observer);
    }
}

void torque_states_finish(sense *s) {
    for (size_t i = 0; i < s->setup.robot->arm_count; i++)
        arm_observer_destroy(s->torques[i].observer);
}

// ---- The truth --------------------------------------------------------------------------------

// Whether the entity is a part of the arm or of its hand.
static bool arm_has(const sense *s, size_t arm, size_t entity) {
    const robot_model *r = s->setup.robot;
    size_t palm = sim_entity_palm(s->setup.sim, s->own.arm + arm);
    if (entity >= palm && entity < palm + 3)
        return true;
    size_t first = sim_entity_link(s->setup.sim, s->own.link);
    if (entity < first || entity >= first + r->link_count)
        return false;
    int64_t joint = r->links[entity - first].joint;
    while (joint >= 0 && (size_t)joint != r->arms[arm].joints[0])
        joint = r->links[r->joints[joint].parent].joint;
    return joint >= 0;
}

// Adds what all contacts, and a person who leads the arm, together do to the arm now: about the
// tool, in the base's frame.
static void add_contacts(sense *s, size_t arm, double *sum) {
    size_t count;
    const sim_contact *contacts = sim_contacts(s->setup.sim, &count);
    pose palm = sim_pose(s->setup.sim, sim_entity_palm(s->setup.sim, s->own.arm + arm));
    vec3 tool = pose_apply(palm, robot_tool_in_palm(&s->setup.robot->arms[arm].gripper).p);
    vec3 force = v3(0, 0, 0), moment = v3(0, 0, 0);
    for (size_t i = 0; i < count; i++) {
        const sim_contact *c = &contacts[i];
        bool a = arm_has(s, arm, c->a), b = arm_has(s, arm, c->b);
        if (a == b)
            continue;
        vec3 f = b ? c->force : v3_scale(c->force, -1);
        force = v3_add(force, f);
        moment = v3_add(moment, v3_cross(v3_sub(c->point, tool), f));
    }
    vec3 led;
    sim_led(s->setup.sim, s->own.arm + arm, &led); // at the tool
    force = v3_add(force, led);
    quat back = quat_inverse(sim_base_of(s->setup.sim, s->own.robot).q);
    force = quat_rotate(back, force);
    moment = quat_rotate(back, moment);
    const double now[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
    for (int k = 0; k < 6; k++)
        sum[k] += now[k];
}

// ---- Steps and readings -------------------------------------------------------------------------

void sense_torques_step(sense *s, size_t arm, nanos t) {
    const robot_model *r = s->setup.robot;
    const robot_arm *a = &r->arms[arm];
    torque_state *state = &s->torques[arm];
    stream *st = &s->streams[stream_of_torques(arm)];
    rng_key key = rng_key_extend(st->key, a->name);
    const double *position = sim_joint_positions(s->setup.sim) + s->own.joint;
    double torque[ARM_JOINTS_MAX];
    for (size_t j = 0; j < r->joint_count; j++)
        if (arm_observer_uses(state->observer, j))
            s->finely[j] =
                sense_quantise(position[j] + r->encoder_bias +
                                   r->encoder_noise * rng_normal(key, st->occurrence,
                                                                 ARM_JOINTS_MAX + (uint32_t)j),
                               ENCODER_RESOLUTION);
    for (size_t k = 0; k < a->joint_count; k++) {
        torque[k] = sim_joint_torque(s->setup.sim, s->own.joint + a->joints[k]) + a->torques.bias +
                    a->torques.noise * rng_normal(key, st->occurrence, (uint32_t)k);
        state->torque[k] += torque[k];
    }
    st->occurrence++;
    arm_observer_step(state->observer, s->finely, torque, seconds(t - state->last));
    state->last = t;
    for (size_t k = 0; k < a->joint_count; k++) {
        state->external[WRENCH_OBSERVER][k] += arm_observer_momentum(state->observer)[k];
        state->external[WRENCH_DIRECT][k] += arm_observer_direct(state->observer)[k];
    }
    add_contacts(s, arm, state->contacts);
    state->steps++;
}

// The means since the last reading; begins anew.
static void take_means(torque_state *state, double torque[ARM_JOINTS_MAX],
                       double wrench[WRENCH_SOURCES][6]) {
    double k = 1 / state->steps;
    for (int j = 0; j < ARM_JOINTS_MAX; j++)
        torque[j] = sense_quantise(k * state->torque[j], 1e-3);
    double mean[WRENCH_SOURCES][ARM_JOINTS_MAX];
    vec3 force[WRENCH_SOURCES], moment[WRENCH_SOURCES];
    for (int w = 0; w < WRENCH_SOURCES; w++)
        for (int j = 0; j < ARM_JOINTS_MAX; j++)
            mean[w][j] = k * state->external[w][j];
    arm_observer_wrenches(state->observer, mean, WRENCH_SOURCES, force, moment);
    for (int w = 0; w < WRENCH_SOURCES; w++) {
        const double felt[6] = {force[w].x,  force[w].y,  force[w].z,
                                moment[w].x, moment[w].y, moment[w].z};
        for (int i = 0; i < 6; i++)
            wrench[w][i] = sense_quantise(w == WRENCH_TRUE ? k * state->contacts[i] : felt[i],
                                          i < 3 ? 1e-2 : 1e-3);
    }
    memset(state->torque, 0, sizeof state->torque);
    memset(state->external, 0, sizeof state->external);
    memset(state->contacts, 0, sizeof state->contacts);
    state->steps = 0;
}

static status log_wrenches(sense *s, size_t arm, nanos t, double wrench[WRENCH_SOURCES][6],
                           error *err) {
    double(*logged)[6] = s->torques[arm].logged_wrench;
    bool changed = false;
    for (int w = 0; w < WRENCH_SOURCES; w++)
        for (int i = 0; i < 6; i++)
            changed |= !(fabs(wrench[w][i] - logged[w][i]) <= (i < 3 ? FORCE_TOLD : MOMENT_TOLD));
    status st = OK;
    for (int w = 0; w < WRENCH_SOURCES && changed && st == OK; w++) {
        const double *x = memcpy(logged[w], wrench[w], sizeof logged[w]);
        record rec = {.kind = RECORD_WRENCH, .id = sink_id(s->setup.log, RECORD_WRENCH)};
        rec.WRENCH = (struct record_WRENCH){.agent = s->setup.agent,
                                            .gripper = s->setup.gripper_objects[arm],
                                            .source = SOURCES[w],
                                            .t_ns = t,
                                            .fx = x[0],
                                            .fy = x[1],
                                            .fz = x[2],
                                            .mx = x[3],
                                            .my = x[4],
                                            .mz = x[5]};
        st = sink_put(s->setup.log, &rec, err);
    }
    return st;
}

status sense_torques(sense *s, size_t arm, nanos t, error *err) {
    const robot_arm *a = &s->setup.robot->arms[arm];
    torque_state *state = &s->torques[arm];
    double wrench[WRENCH_SOURCES][6];
    queued q = {.reading = {.kind = READING_TORQUES,
                            .taken = t,
                            .delivered = t + nanos_from_seconds(a->torques.delay)}};
    q.reading.torques.arm = arm;
    take_means(state, q.reading.torques.torque, wrench);
    const double *felt = wrench[WRENCH_OBSERVER];
    q.reading.torques.force = v3(felt[0], felt[1], felt[2]);
    q.reading.torques.moment = v3(felt[3], felt[4], felt[5]);
    bool changed = false;
    for (size_t k = 0; k < a->joint_count; k++)
        changed |= !(fabs(q.reading.torques.torque[k] - state->logged[k]) <=
                     fmax(6 * a->torques.noise, 0.5));
    status st = OK;
    if (changed) {
        memcpy(state->logged, q.reading.torques.torque, sizeof state->logged);
        st = sense_log_reading(s, &q.reading, "torques", s->setup.gripper_objects[arm],
                               &s->streams[stream_of_torques(arm)],
                               sense_numbers_text(s, state->logged, a->joint_count, 3), err);
    }
    if (st == OK)
        st = log_wrenches(s, arm, t, wrench, err);
    sense_enqueue(s, q);
    return st;
}

const double *sense_external(const sense *s, size_t arm) {
    const arm_observer *o = s->torques[arm].observer;
    return o ? arm_observer_momentum(o) : NULL;
}
