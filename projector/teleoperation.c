// projector/teleoperation.c - arms coupled over a link: see teleoperation.h.
#include "projector/teleoperation.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "projector/couple/arm.h"

// 1/s: joints that move little inertia get a softer coupling, so that a step of 2 ms can hold it.
static const double FASTEST = 125;
static const double SWING = 0.25;  // s over which the station's tool swings about its mean velocity
static const double SMOOTH = 0.01; // s, by which speeds and the twin's contacts are smoothed
static const double DEAF = 0.2;    // s without a message after which the base stands
enum { NOTE_STEPS = 10, LINK_STEPS = 50, NEWS_MAX = WIRE_MESSAGE_MAX / (int)sizeof(double) };

// What goes to the follower ...
typedef struct arm_down {
    down_message joints[ARM_JOINTS_MAX];
    vec3 twin; // its tool, in its base's frame
    surface_stamp surface;
    double hand; // m, the station's tool ahead of its base's origin
} arm_down;
// ... and back.
typedef struct arm_up {
    up_message joints[ARM_JOINTS_MAX];
    bool follows;
    double offset[ARM_JOINTS_MAX]; // of its places from the station's
    // Of the message that it followed.
    double twin[ARM_JOINTS_MAX];
    surface_stamp surface;
} arm_up;

// One joint of an arm at both ends.
typedef struct coupled_joint {
    size_t near, far, own; // of the simulation: the station's and the follower's; of the follower
    rig gains;
    leader_end leader;
    double place, speed;          // the station's by its encoders
    double seen, rate;            // the follower's
    double begun_near, begun_far; // places when the arm began to follow
    double felt;                  // effort that holds the station's joint back
    double drawn, drawn_twin;     // to where the springs draw the follower's and the twin's
} coupled_joint;

typedef struct coupled_arm {
    size_t near, far, own, leads; // arms: of the simulation; of the follower, and of the station
    int64_t near_gripper, far_gripper;
    size_t count;
    coupled_joint joints[ARM_JOINTS_MAX];
    wire down, up;
    arm_down heard;
    arm_controller controller; // of the follower's end
    arm_answer answer;         // what decides what the arm does: of `controller`, or from afar
    arm_up told;
    double hand;       // the station's, as in its messages; where assist asks for it
    double begun_hand; // as heard when the arm began to follow
    bool any, fresh;   // the follower has heard the station: at all, and anew in this step
    bool follows;      // it follows now
    bool answered;     // the station knows that
    int64_t coupling;  // COUPLING row; 0: none is open
    uint64_t since;    // step
    double energy;
    vec3 moved;   // the station's tool, m/s: mean over about SWING
    double swing; // m2/s2 about that
} coupled_arm;

struct teleoperation {
    teleoperation_setup setup;
    const plan_coupling *how;
    agent *leader, *follower;
    size_t first_joint; // the follower's
    coupled_arm *arms;
    size_t arm_count;
    twin *twin;
    wire news;
    size_t news_size;
    double *postures; // of the station's joints, by its encoders
    pose *links;      // of the station, in its base's frame, by those
    bool drives;      // the operator's hands move the base
    double *reported; // base, joints, grippers: as heard last
    bool *led;        // by joint of the follower: the station leads the twin's
    bool heard;
    bool differs; // the other end has answered otherwise than the controllers here ...
    bool bounded; // ... and so that no joint can do it
    rng_key noise;
    uint64_t step;
    nanos now; // when it begins
};

// ---- Making -----------------------------------------------------------------------------------

unsigned teleoperation_arms(const projection_inputs *in) {
    const robot_model *follower = in->members[in->coupled->follower].robot.robot;
    const robot_model *leader = in->members[in->coupled->leader].robot.robot;
    unsigned arms = 0;
    for (size_t i = 0; i < follower->arm_count; i++)
        if (robot_find_arm(leader, follower->arms[i].name) >= 0)
            arms |= 1u << i;
    return arms;
}

uint64_t teleoperation_session(const projection_inputs *in) {
    const robot_model *r = in->members[in->coupled->follower].robot.robot;
    unsigned arms = teleoperation_arms(in);
    uint64_t h = hash_word((uint64_t)in->coupled->kind + 1);
    for (size_t i = 0; i < r->arm_count; i++)
        h = hash_word(h ^ (arms >> i & 1 ? r->arms[i].joint_count : 0));
    return h;
}

status teleoperation_serve(const projection_inputs *in, lockstep *link, error *err) {
    size_t arms = (size_t)__builtin_popcount(teleoperation_arms(in));
    return arm_serve(in->coupled->kind, arms, link, err);
}

static rng_key key_of(const teleoperation *t, size_t arm, const char *what) {
    rng_key key = rng_key_make(t->setup.seed, "teleoperation", what);
    return rng_key_count(key, arm);
}

static void begin_joint(teleoperation *t, coupled_arm *a, size_t k) {
    const sim *s = t->setup.world;
    coupled_joint *j = &a->joints[k];
    double inertia = fmin(sim_arm_inertia(s, a->near, k), sim_arm_inertia(s, a->far, k));
    j->gains.stiffness = fmin(t->how->stiffness, inertia * FASTEST * FASTEST);
    j->gains.damping = 2 * t->how->damping * sqrt(j->gains.stiffness * inertia);
    j->gains.leader_mass = inertia; // by which tdpa bounds how it damps the station
    j->leader.r = &j->gains;
    j->place = sim_joint_positions(s)[j->near];
    j->seen = sim_joint_positions(s)[j->far];
}

// One way of the link.
static channel_traits link_of(const plan_coupling *how) {
    return (channel_traits){.delay = nanos_from_seconds(how->delay),
                            .jitter = nanos_from_seconds(how->jitter),
                            .loss = how->loss};
}

static void begin_arm(teleoperation *t, coupled_arm *a, size_t own, size_t leads) {
    const sim *s = t->setup.world;
    sim_part near = sim_part_of(s, t->how->leader), far = sim_part_of(s, t->how->follower);
    const robot_arm *from = &sim_member(s, t->how->leader)->robot->arms[leads];
    const robot_arm *to = &sim_member(s, t->how->follower)->robot->arms[own];
    *a = (coupled_arm){.near = near.arm + leads,
                       .far = far.arm + own,
                       .own = own,
                       .leads = leads,
                       .near_gripper = t->setup.leader->parts.hands[leads].gripper,
                       .far_gripper = t->setup.follower->parts.hands[own].gripper,
                       .count = to->joint_count};
    for (size_t k = 0; k < a->count; k++) {
        a->joints[k].near = near.joint + from->joints[k];
        a->joints[k].far = far.joint + to->joints[k];
        a->joints[k].own = to->joints[k];
        begin_joint(t, a, k);
    }
    arm_controller_begin(&a->controller, t->how->kind);
    channel_traits link = link_of(t->how);
    wire_begin(&a->down, &link, link.delay, sizeof(arm_down), key_of(t, own, "down"));
    wire_begin(&a->up, &link, link.delay, sizeof(arm_up), key_of(t, own, "up"));
}

status teleoperation_create(const teleoperation_setup *setup, teleoperation **out, error *err) {
    const plan_coupling *how = setup->in->coupled;
    teleoperation *t = mem_must(1, sizeof *t);
    *t = (teleoperation){.setup = *setup,
                         .how = how,
                         .leader = &setup->agents[how->leader],
                         .follower = &setup->agents[how->follower]};
    const robot_model *r = sim_member(setup->world, how->follower)->robot;
    const robot_model *station = sim_member(setup->world, how->leader)->robot;
    t->first_joint = sim_part_of(setup->world, how->follower).joint;
    t->arms = mem_must(r->arm_count, sizeof *t->arms);
    t->led = mem_must(r->joint_count + 1, sizeof *t->led);
    t->postures = mem_must(station->joint_count + 1, sizeof *t->postures);
    t->links = mem_must(station->link_count + 1, sizeof *t->links);
    t->reported = mem_must(NEWS_MAX, sizeof *t->reported);
    t->noise = key_of(t, 0, "encoders");
    for (size_t i = 0; i < r->arm_count; i++) {
        int64_t leads = robot_find_arm(station, r->arms[i].name);
        if (leads >= 0)
            begin_arm(t, &t->arms[t->arm_count++], i, (size_t)leads);
    }
    size_t news = 3 + r->joint_count + 2 * r->arm_count;
    t->news_size = news * sizeof *t->reported;
    ASSERT(news <= NEWS_MAX);
    channel_traits link = link_of(how);
    wire_begin(&t->news, &link, link.delay, t->news_size, key_of(t, 0, "news"));
    status st = OK;
    if (how->twin)
        st = twin_create(&(twin_setup){t->follower, setup->follower, setup->step, setup->log, &link,
                                       key_of(t, 0, "things")},
                         &t->twin, err);
    if (st != OK) {
        teleoperation_destroy(t);
        return st;
    }
    *out = t;
    return OK;
}

void teleoperation_destroy(teleoperation *t) {
    if (!t)
        return;
    for (size_t i = 0; i < t->arm_count; i++) {
        wire_finish(&t->arms[i].down);
        wire_finish(&t->arms[i].up);
    }
    wire_finish(&t->news);
    twin_destroy(t->twin);
    free(t->arms);
    free(t->led);
    free(t->postures);
    free(t->links);
    free(t->reported);
    free(t);
}

void teleoperation_reseed(teleoperation *t, uint64_t seed) {
    if (!t)
        return;
    t->setup.seed = seed;
    t->noise = key_of(t, 0, "encoders");
    channel_rekey(t->news.c, key_of(t, 0, "news"));
    if (t->twin)
        twin_rekey(t->twin, key_of(t, 0, "things"));
    for (size_t i = 0; i < t->arm_count; i++) {
        channel_rekey(t->arms[i].down.c, key_of(t, t->arms[i].own, "down"));
        channel_rekey(t->arms[i].up.c, key_of(t, t->arms[i].own, "up"));
    }
}

// ---- Records ----------------------------------------------------------------------------------

static status open_coupling(teleoperation *t, coupled_arm *a, nanos now, error *err) {
    record r = {.kind = RECORD_COUPLING, .id = sink_id(t->setup.log, RECORD_COUPLING)};
    r.COUPLING = (struct record_COUPLING){.leader = t->setup.leader->agent,
                                          .follower = t->setup.follower->agent,
                                          .twin = t->twin ? twin_agent(t->twin) : 0,
                                          .leader_gripper = a->near_gripper,
                                          .gripper = a->far_gripper,
                                          .kind = coupling_name(t->how->kind),
                                          .gain = t->how->gain,
                                          .delay = 2 * t->how->delay,
                                          .jitter = 2 * t->how->jitter,
                                          .loss = t->how->loss,
                                          .start_ns = now,
                                          .end_ns = TIME_OPEN};
    a->coupling = r.id;
    a->since = t->step;
    a->energy = a->swing = 0;
    a->moved = v3(0, 0, 0);
    a->down.silence = a->up.silence = 0;
    return sink_put(t->setup.log, &r, err);
}

static status close_coupling(teleoperation *t, coupled_arm *a, nanos now, error *err) {
    if (!a->coupling)
        return OK;
    record r = {.kind = RECORD_COUPLING, .id = a->coupling};
    r.COUPLING.end_ns = now;
    a->coupling = 0;
    return sink_end(t->setup.log, &r, err);
}

// A tool in the frame of the robot's base.
static vec3 tool_from_base(const sim *s, size_t robot, size_t arm) {
    return pose_apply(pose_inverse(sim_base_of(s, robot)), sim_tool(s, arm).p);
}

// What a recording says that contacts did to the joints of an arm. False: it does not.
static bool recorded_efforts(const teleoperation *t, const coupled_arm *a, bool truth,
                             double *efforts) {
    vec3 force, moment;
    if (!t->setup.recorded ||
        !recorded_contact(t->setup.recorded, a->own, truth, t->now, &force, &moment))
        return false;
    quat base = sim_base_of(t->setup.world, t->how->follower).q;
    sim_wrench_efforts(t->setup.world, a->far, quat_rotate(base, force), quat_rotate(base, moment),
                       efforts);
    return true;
}

static status note_coupling(teleoperation *t, const coupled_arm *a, nanos now, error *err) {
    const sim *s = t->setup.world;
    const double *q = sim_joint_positions(s), *qd = sim_joint_velocities(s);
    double felt[ARM_JOINTS_MAX], contacts[ARM_JOINTS_MAX], observed[ARM_JOINTS_MAX];
    double drift[ARM_JOINTS_MAX], rates[ARM_JOINTS_MAX], angle = 0;
    bool judged = t->how->kind == COUPLING_mmt && a->any; // otherwise the arm follows no twin
    if (!recorded_efforts(t, a, true, contacts))
        sim_contact_efforts(s, a->far, contacts);
    for (size_t k = 0; k < a->count; k++) {
        const coupled_joint *j = &a->joints[k];
        felt[k] = j->felt;
        observed[k] = a->told.joints[k].observed;
        rates[k] = qd[j->near];
        drift[k] = q[j->near] - j->begun_near - (a->answer.joints[k].reference - j->begun_far);
        if (judged)
            angle = fmax(angle, fabs(a->heard.joints[k].twin - q[j->far]));
    }
    record r = {.kind = RECORD_COUPLING_STATE, .id = sink_id(t->setup.log, RECORD_COUPLING_STATE)};
    r.COUPLING_STATE = (struct record_COUPLING_STATE){
        .coupling = a->coupling,
        .t = now,
        .energy = a->energy,
        .felt = v3_length(sim_tool_force(s, a->near, felt)),
        .remote = v3_length(sim_tool_force(s, a->far, contacts)),
        .observed = v3_length(sim_tool_force(s, a->far, observed)),
        .speed = v3_length(sim_tool_shift(s, a->near, rates)),
        .swing = sqrt(a->swing),
        .drift = v3_length(sim_tool_shift(s, a->far, drift)),
        .angle = angle,
        .distance =
            judged ? v3_distance(a->heard.twin, tool_from_base(s, t->how->follower, a->far)) : 0};
    return sink_put(t->setup.log, &r, err);
}

static status note_link(teleoperation *t, coupled_arm *a, nanos now, error *err) {
    wire_report down = wire_told(&a->down), up = wire_told(&a->up);
    record r = {.kind = RECORD_LINK_STATE, .id = sink_id(t->setup.log, RECORD_LINK_STATE)};
    r.LINK_STATE = (struct record_LINK_STATE){.coupling = a->coupling,
                                              .t = now,
                                              .sent = (int64_t)(down.sent + up.sent),
                                              .lost = (int64_t)(down.lost + up.lost),
                                              .overtaken = (int64_t)(down.overtaken + up.overtaken),
                                              .silence = fmax(down.silence, up.silence)};
    return sink_put(t->setup.log, &r, err);
}

static status note_arm(teleoperation *t, coupled_arm *a, nanos now, error *err) {
    status st = OK;
    if (a->follows && !a->coupling)
        st = open_coupling(t, a, now, err);
    else if (!a->follows)
        st = close_coupling(t, a, now, err);
    if (!a->coupling || st != OK)
        return st;
    uint64_t age = t->step - a->since;
    if (age % NOTE_STEPS == 0)
        st = note_coupling(t, a, now, err);
    if (st == OK && age % LINK_STEPS == 0)
        st = note_link(t, a, now, err);
    return st;
}

// ---- A step -----------------------------------------------------------------------------------

// A joint of the simulation by its encoder.
static double encoder(const teleoperation *t, const agent *of, size_t joint) {
    const robot_model *r = of->mind.robot;
    if (t->setup.recorded && of == t->follower)
        return recorded_joint(t->setup.recorded, joint - t->first_joint, t->now);
    double q = sim_joint_positions(t->setup.world)[joint];
    return q + r->encoder_bias + r->encoder_noise * rng_normal(t->noise, t->step, (uint32_t)joint);
}

// An encoder's noise moves nothing: what is read counts from three standard deviations on.
static double past_noise(double before, double read, double noise) {
    double play = 3 * noise;
    return fmax(read - play, fmin(before, read + play));
}

static void read_encoders(teleoperation *t, coupled_arm *a) {
    double dt = seconds(t->setup.step), share = dt / (SMOOTH + dt);
    for (size_t k = 0; k < a->count; k++) {
        coupled_joint *j = &a->joints[k];
        double place = past_noise(j->place, encoder(t, t->leader, j->near),
                                  t->leader->mind.robot->encoder_noise);
        double seen = past_noise(j->seen, encoder(t, t->follower, j->far),
                                 t->follower->mind.robot->encoder_noise);
        if (t->step > 0) {
            j->speed += share * ((place - j->place) / dt - j->speed);
            j->rate += share * ((seen - j->seen) / dt - j->rate);
        }
        j->place = place;
        j->seen = seen;
    }
}

// Where the station's hands are, by its encoders.
static void find_hands(teleoperation *t) {
    const robot_model *r = t->leader->mind.robot;
    size_t first = sim_part_of(t->setup.world, t->how->leader).joint;
    for (size_t j = 0; j < r->joint_count; j++)
        t->postures[j] = encoder(t, t->leader, first + j);
    robot_forward(r, POSE_IDENTITY, t->postures, t->links);
    for (size_t i = 0; i < t->arm_count; i++)
        t->arms[i].hand = robot_tool(r, t->arms[i].leads, t->links).p.x;
}

// How far the operator's hands are ahead of where they were when the arms began to follow drives
// the base, in the mean of the hands (Elsner et al. 2022, 3.3). It stands while nothing is heard,
// or the plan has claimed it.
static status drive_base(teleoperation *t, nanos now, error *err) {
    const plan_coupling *how = t->how;
    double ahead = 0, hands = 0, speed = 0;
    for (size_t i = 0; i < t->arm_count; i++) {
        const coupled_arm *a = &t->arms[i];
        if (!a->follows || seconds(now) - a->down.arrived > DEAF)
            continue;
        ahead += a->heard.hand - a->begun_hand;
        hands++;
    }
    if (hands > 0 && !(interp_claims(t->follower->interp) & USE_BASE)) {
        double beyond = fmax(0, fabs(ahead / hands) - how->dead_zone);
        speed = fmin(how->base_rate * beyond, how->base_speed);
        speed = copysign(PLAN_BASE_STEP * floor(speed / PLAN_BASE_STEP), ahead);
    }
    bool drove = t->drives;
    t->drives = speed != 0;
    return drove || t->drives ? body_drive(t->follower->body, speed, err) : OK;
}

static void send_down(teleoperation *t, coupled_arm *a, nanos now) {
    arm_down m = {.hand = a->hand};
    const double *q = t->twin ? sim_joint_positions(twin_sim(t->twin)) : NULL;
    for (size_t k = 0; k < a->count; k++) {
        const coupled_joint *j = &a->joints[k];
        m.joints[k] = (down_message){j->place, j->speed, q ? q[j->own] : 0, j->leader.put};
    }
    if (t->twin) {
        m.twin = tool_from_base(twin_sim(t->twin), 0, a->own);
        m.surface = twin_surfaces_stamp(twin_surfaces_of(t->twin), a->own);
    }
    wire_send(&a->down, now, &m);
    a->fresh = wire_take(&a->down, seconds(now), now, &a->heard, sizeof a->heard);
    a->any |= a->fresh;
}

// What the follower's end of an arm knows in this step.
static arm_question question_of(const teleoperation *t, const coupled_arm *a, nanos now) {
    double recorded[ARM_JOINTS_MAX] = {0};
    const double *external = sense_external(t->follower->senses, a->own);
    if (t->setup.recorded) {
        recorded_efforts(t, a, false, recorded);
        external = recorded;
    }
    arm_question q = {.arm = (double)(a - t->arms),
                      .time = seconds(now),
                      .lent = body_follows(t->follower->body, a->own),
                      .heard = a->any,
                      .fresh = a->fresh,
                      .age = a->any ? seconds(now - a->down.sent) : 0};
    for (size_t k = 0; k < a->count; k++) {
        const coupled_joint *j = &a->joints[k];
        q.joints[k] = (arm_joint_question){.station = a->heard.joints[k],
                                           .place = j->seen,
                                           .speed = j->rate,
                                           .external = external ? external[k] : 0,
                                           .stiffness = j->gains.stiffness,
                                           .damping = j->gains.damping};
    }
    return q;
}

// An end in another process is taken to be what the controllers here are, until it answers
// otherwise; then the log says so, since the episode run again has the controllers here.
static status note_other_end(teleoperation *t, nanos now, error *err) {
    t->differs = true;
    return sink_note(t->setup.log, now,
                     "the arms that follow the station are controlled by another program from here "
                     "on; run again, the episode has the controllers of foresee",
                     err);
}

// What another program answers is kept within what the joints can do: a spring draws no joint
// beyond its range or faster than it may go, and no effort is above the motor's.
static double draw(const teleoperation *t, const coupled_joint *j, double now, double *at,
                   double to) {
    const robot_joint *r = &t->follower->mind.robot->joints[j->own];
    double way = r->max_velocity * COUPLE_STEP, reach = r->max_effort / j->gains.stiffness;
    if (t->differs) {
        to = *at + clamp(clamp(to, r->lower, r->upper) - *at, -way, way);
        to = clamp(to, now - reach, now + reach);
    }
    return *at = to;
}

static status note_bounds(teleoperation *t, const robot_joint *r, nanos now, error *err) {
    char text[300];
    snprintf(text, sizeof text,
             "the other program answers what joint `%s` of %s cannot do (places within %g to %g, "
             "speeds up to %g, efforts up to %g); from here on its answers are kept within what "
             "joints can do, so that what follows is not what it asked for",
             r->name, sim_member(t->setup.world, t->how->follower)->name, r->lower, r->upper,
             r->max_velocity, r->max_effort);
    t->bounded = true;
    return sink_note(t->setup.log, now, text, err);
}

static status bound_answer(teleoperation *t, coupled_arm *a, nanos now, error *err) {
    status st = OK;
    for (size_t k = 0; t->differs && k < a->count; k++) {
        const robot_joint *r = &t->follower->mind.robot->joints[a->joints[k].own];
        arm_joint_answer *x = &a->answer.joints[k], before = *x;
        x->up.force = clamp(x->up.force, -r->max_effort, r->max_effort);
        x->up.observed = clamp(x->up.observed, -r->max_effort, r->max_effort);
        x->offset = clamp(x->offset, r->lower - r->upper, r->upper - r->lower);
        x->speed = clamp(x->speed, -r->max_velocity, r->max_velocity);
        if (a->answer.follows > 0)
            x->reference = clamp(x->reference, r->lower, r->upper);
        if (st == OK && !t->bounded && memcmp(x, &before, sizeof before) != 0)
            st = note_bounds(t, r, now, err);
    }
    return st;
}

static status ask_controller(teleoperation *t, coupled_arm *a, nanos now, error *err) {
    arm_question q = question_of(t, a, now);
    arm_answer own;
    arm_controller_step(&a->controller, &q, &own);
    a->answer = own;
    if (!t->setup.far)
        return OK;
    status st = arm_answer_afar(t->setup.far, &q, &a->answer, err);
    if (st == OK && !t->differs && memcmp(&a->answer, &own, sizeof own) != 0)
        st = note_other_end(t, now, err);
    return st == OK ? bound_answer(t, a, now, err) : st;
}

// The follower's end: what it has heard draws the arm, and what it feels goes back.
static status move_follower(teleoperation *t, coupled_arm *a, nanos now, error *err) {
    sim *s = t->setup.world;
    status st = ask_controller(t, a, now, err);
    if (st != OK)
        return st;
    bool before = a->follows;
    a->follows = a->any && body_follows(t->follower->body, a->own) && a->answer.follows > 0;
    arm_up m = {.follows = a->follows, .surface = a->heard.surface};
    if (a->follows && !before)
        a->begun_hand = a->heard.hand;
    for (size_t k = 0; k < a->count; k++) {
        coupled_joint *j = &a->joints[k];
        const arm_joint_answer *answer = &a->answer.joints[k];
        if (a->follows && !before) {
            j->begun_far = j->drawn = j->seen;
            j->begun_near = sim_joint_positions(s)[j->near];
        }
        if (a->follows) {
            if (!t->setup.recorded)
                sim_set_joint_spring(
                    s, j->far,
                    draw(t, j, sim_joint_positions(s)[j->far], &j->drawn, answer->reference),
                    answer->speed, j->gains.stiffness, j->gains.damping);
            if (t->how->kind != COUPLING_mmt) // the operator works on the twin alone
                a->energy -= COUPLE_STEP * answer->up.force * answer->speed;
        }
        m.joints[k] = answer->up;
        m.twin[k] = a->heard.joints[k].twin;
        m.offset[k] = answer->offset;
    }
    wire_send(&a->up, now, &m);
    return OK;
}

// The twin is drawn to where the station is, as far as it is led, and to what was reported.
static status move_twin(teleoperation *t, nanos now, error *err) {
    sim *s = twin_sim(t->twin);
    for (size_t i = 0; i < t->arm_count; i++) {
        coupled_arm *a = &t->arms[i];
        for (size_t k = 0; k < a->count; k++) {
            coupled_joint *j = &a->joints[k];
            bool led = a->answered && t->how->kind == COUPLING_mmt;
            if (!t->led[j->own])
                j->drawn_twin = sim_joint_positions(s)[j->own];
            t->led[j->own] = led;
            if (led)
                sim_set_joint_spring(s, j->own,
                                     draw(t, j, sim_joint_positions(s)[j->own], &j->drawn_twin,
                                          j->place + a->told.offset[k]),
                                     j->speed, j->gains.stiffness, j->gains.damping);
        }
    }
    const double *r = t->reported;
    twin_news news = {{r[0], r[1], r[2]}, r + 3, r + 3 + t->follower->self->joint_count};
    if (t->heard)
        twin_follow(t->twin, &news, t->led);
    status st = twin_step(t->twin, now, t->setup.step, err);
    if (st == OK && t->step % NOTE_STEPS == 0)
        st = twin_note(t->twin, now, err);
    return st;
}

static void report_news(teleoperation *t, nanos now) {
    double news[NEWS_MAX];
    pose base = belief_robot(t->follower->belief);
    const robot_model *r = t->follower->mind.robot;
    news[0] = base.p.x, news[1] = base.p.y, news[2] = quat_yaw(base.q);
    for (size_t j = 0; j < r->joint_count; j++)
        news[3 + j] = encoder(t, t->follower, t->first_joint + j);
    double *grips = news + 3 + r->joint_count;
    for (size_t i = 0; i < r->arm_count; i++) {
        const gripper_state *g = belief_gripper(t->follower->belief, i);
        grips[2 * i] = g->read ? g->opening : r->arms[i].gripper.max_opening;
        grips[2 * i + 1] = g->read ? g->force : 0;
    }
    wire_send(&t->news, now, news);
    t->heard |= wire_take(&t->news, seconds(now), now, t->reported, t->news_size);
}

// The effort that the operator is to feel at a joint; `contact`: of the twin's contacts.
static double felt_at(const teleoperation *t, coupled_joint *j, double contact) {
    double share = COUPLE_STEP / (SMOOTH + COUPLE_STEP);
    switch (t->how->kind) {
    case COUPLING_pfc:
        return t->how->gain * pfc_felt(&j->leader, j->speed);
    case COUPLING_tdpa:
        return t->how->gain * tdpa_felt(&j->leader, j->speed);
    case COUPLING_mmt:
        return j->felt + share * (-t->how->gain * contact - j->felt);
    case COUPLING_COUNT:
        break;
    }
    return 0;
}

// Follows how much the station's tool swings.
static void watch_swing(teleoperation *t, coupled_arm *a) {
    double rates[ARM_JOINTS_MAX], share = COUPLE_STEP / SWING;
    for (size_t k = 0; k < a->count; k++)
        rates[k] = sim_joint_velocities(t->setup.world)[a->joints[k].near];
    vec3 off = v3_sub(sim_tool_shift(t->setup.world, a->near, rates), a->moved);
    a->moved = v3_add(a->moved, v3_scale(off, share));
    a->swing += share * (v3_dot(off, off) - a->swing);
}

// What the arm feels corrects where the twin has surfaces.
static void teach_twin(teleoperation *t, const coupled_arm *a, bool fresh) {
    const sim *s = twin_sim(t->twin);
    double ahead[ARM_JOINTS_MAX], felt[ARM_JOINTS_MAX], stiffness[ARM_JOINTS_MAX];
    double loads[ARM_JOINTS_MAX]; // the weight of what it holds is no surface
    sim_load_efforts(s, a->own, loads);
    for (size_t k = 0; k < a->count; k++) {
        ahead[k] = a->told.joints[k].place - a->told.twin[k];
        felt[k] = a->told.joints[k].observed - loads[k];
        stiffness[k] = a->joints[k].gains.stiffness;
    }
    surface_felt m = {.force = sim_tool_force(s, a->own, felt),
                      .ahead = sim_tool_shift(s, a->own, ahead),
                      .stamp = a->told.surface,
                      .fresh = fresh};
    twin_surfaces_step(twin_surfaces_of(t->twin), a->own, &m, stiffness, COUPLE_STEP);
}

// The station's end.
static void move_station(teleoperation *t, coupled_arm *a, nanos now) {
    double contacts[ARM_JOINTS_MAX] = {0}, loads[ARM_JOINTS_MAX] = {0}, felt[ARM_JOINTS_MAX];
    sim *s = t->setup.world;
    bool fresh = wire_take(&a->up, seconds(now), now, &a->told, sizeof a->told);
    a->answered = a->told.follows;
    if (a->answered && t->how->kind == COUPLING_mmt)
        teach_twin(t, a, fresh);
    if (t->twin) {
        sim_contact_efforts(twin_sim(t->twin), a->own, contacts);
        sim_load_efforts(twin_sim(t->twin), a->own, loads);
    }
    for (size_t k = 0; k < a->count; k++) {
        coupled_joint *j = &a->joints[k];
        j->leader.last = a->told.joints[k];
        j->leader.any |= fresh;
        j->leader.fresh = fresh;
        felt[k] = j->felt = a->answered ? felt_at(t, j, contacts[k] + loads[k]) : 0;
    }
    bool modelled = t->how->kind == COUPLING_mmt;
    double force = v3_length(sim_tool_force(s, a->near, felt));
    double keep = force > t->how->force ? t->how->force / force : 1;
    for (size_t k = 0; k < a->count; k++) {
        coupled_joint *j = &a->joints[k];
        j->felt *= keep;
        // What the weight of a held thing does is no energy of the coupling.
        double own = j->felt + (modelled ? t->how->gain * keep * loads[k] : 0);
        if (a->follows)
            a->energy += COUPLE_STEP * own * sim_joint_velocities(s)[j->near];
        sim_push_joint(s, j->near, -j->felt);
    }
}

status teleoperation_step(teleoperation *t, nanos now, error *err) {
    status st = OK;
    if (!t)
        return OK;
    t->now = now;
    bool drives = t->how->assist && t->step % NOTE_STEPS == 0;
    if (drives)
        find_hands(t);
    for (size_t i = 0; st == OK && i < t->arm_count; i++) {
        read_encoders(t, &t->arms[i]);
        send_down(t, &t->arms[i], now);
        st = move_follower(t, &t->arms[i], now, err);
    }
    if (drives && st == OK)
        st = drive_base(t, now, err);
    report_news(t, now);
    if (t->twin && st == OK)
        st = move_twin(t, now, err);
    for (size_t i = 0; st == OK && i < t->arm_count; i++) {
        watch_swing(t, &t->arms[i]);
        move_station(t, &t->arms[i], now);
        st = note_arm(t, &t->arms[i], now, err);
    }
    t->step++;
    return st;
}

status teleoperation_finish(teleoperation *t, nanos now, error *err) {
    status st = OK;
    for (size_t i = 0; t && st == OK && i < t->arm_count; i++)
        st = close_coupling(t, &t->arms[i], TIME_OPEN, err);
    return t && t->twin && st == OK ? twin_finish(t->twin, now, err) : st;
}
