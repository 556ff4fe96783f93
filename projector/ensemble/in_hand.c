// projector/ensemble/in_hand.c - an estimate of where a grasped body is in a hand.
//
// An extended Kalman filter over the body's pose in the palm's frame, after Pfanne and Chalon,
// "EKF-Based In-Hand Object Localization from Joint Position and Torque Measurements" (IROS 2017),
// for a hand of two pads. The state x is a place (m) and a small rotation (rad) of the body about
// its origin, with covariance P.
//
//   Between two steps the body stays where it is in the hand, and may wander: P += Q dt.
//   While both pads feel something, each touches the body: its signed distance to the body's
//   surface is measured as 0, where the gripper's opening says where the pads are,
//       y = -h(x),  S = H P H' + R,  K = P H' / S,  x += K y,  P = P - K S K',
//   one pad after the other, since their errors are independent; H by central differences.
//
// What fingers do not tell is not learnt: two flat pads say where a ball is between them, and not
// where on them. The filter takes for granted that the body is grasped. Readings that contradict
// that (the pads feel nothing; or y' S^-1 y is beyond what noise explains) are not used, and once
// they have done so for a while, it tells `lost`.
#include "projector/ensemble/ensemble_int.h"
#include "scene/robot/robot.h"

enum { DOF = 6 };
static const double PAD_NOISE =
    5e-4;                          // m, sigma of where a pad is: rows of readings are within 1 mm
static const double GATE = 25;     // of y' S^-1 y: by chance once in 270,000 readings
static const double DOUBTED = 0.1; // s for which readings contradict, until the body is lost
static const double STEP_PLACE = 5e-4, STEP_TURN = 5e-3; // of differences: m, rad
static const double OPENING_MOST =
    2;                         // of the hand's largest one; what is read as more is no opening
static const double FAR = 0.5; // m between palm and body, which nothing that is held has

typedef struct estimate {
    pose at; // of the body in the palm's frame
    double p[DOF][DOF];
} estimate;

typedef struct in_hand {
    model model; // first
    const world_model *world;
    const robot_gripper *hand;
    double sigma, turn, slip; // m, rad, m per root of a second
    int64_t body;             // -1: it holds none
    estimate now;
    bool grasped, lost; // as it was told
    double doubted;     // s for which readings have contradicted
    double in[2], out[MODEL_BODY_WIDTH + 2];
} in_hand;

enum { IN_OPENING, IN_TOUCHES };
static const model_port inputs[] = {{"opening", PORT_SCALAR, IN_OPENING, "m", false},
                                    {"touches", PORT_SCALAR, IN_TOUCHES, NULL, false}};
static const model_port outputs[] = {
    {ENSEMBLE_POSE, PORT_BODY, 0, NULL, false},
    {"spread", PORT_SCALAR, MODEL_BODY_WIDTH, "m", false},
    {ENSEMBLE_COLLISION, PORT_SCALAR, MODEL_BODY_WIDTH + 1, "1", false}};

static status in_hand_create(const model_setup *setup, model **out, error *err) {
    (void)err;
    in_hand *m = mem_must(1, sizeof *m);
    m->sigma = model_setting_of(setup, "sigma");
    m->turn = model_setting_of(setup, "turn") * PI / 180;
    m->slip = model_setting_of(setup, "slip");
    m->body = -1;
    m->model = (model){.class = &IN_HAND_MODEL,
                       .inputs = inputs,
                       .outputs = outputs,
                       .input_count = 2,
                       .output_count = 3,
                       .in = m->in,
                       .out = m->out};
    m->out[3] = 1; // of the quaternion
    *out = &m->model;
    return OK;
}

static void in_hand_holds_by(model *base, const world_model *world, const robot_gripper *hand) {
    in_hand *m = (in_hand *)base;
    m->world = world;
    m->hand = hand;
}

// ---- What a pad measures ------------------------------------------------------------------------

// Signed distance (m) of a pad, which is at +y or -y of the palm's frame, to the body's surface;
// negative: it is in the body so deep.
static double pad_distance(const in_hand *m, pose body, double side) {
    const body_type *type = m->world->bodies[m->body].type;
    vec3 size = m->hand->pad_size;
    shape pad = {.kind = SHAPE_BOX, .size = size};
    pose at = {v3(0, side * (m->in[IN_OPENING] + size.y) / 2, m->hand->pad_center_z), {1, 0, 0, 0}};
    double least = INFINITY;
    for (size_t i = 0; i < type->shape_count; i++) {
        const shape *s = &type->shapes[i];
        pose there = pose_mul(body, s->at);
        double gap = shape_gap(&pad, at, s, there);
        least = fmin(least, gap > 0 ? gap : -shape_overlap(&pad, at, s, there));
    }
    return least;
}

static pose pose_moved(pose at, int axis, double by) {
    double d[3] = {0};
    d[axis % 3] = by;
    vec3 v = v3(d[0], d[1], d[2]);
    if (axis < 3)
        return (pose){v3_add(at.p, v), at.q};
    return (pose){at.p, quat_unit(quat_mul(quat_exp(v), at.q))};
}

// Corrects an estimate by one pad that touches. Returns y^2 / S.
static double correct_by_pad(const in_hand *m, estimate *e, double side) {
    double h[DOF], ph[DOF] = {0}, s = PAD_NOISE * PAD_NOISE, y = -pad_distance(m, e->at, side);
    for (int i = 0; i < DOF; i++) {
        double by = i < 3 ? STEP_PLACE : STEP_TURN;
        h[i] = (pad_distance(m, pose_moved(e->at, i, by), side) -
                pad_distance(m, pose_moved(e->at, i, -by), side)) /
               (2 * by);
    }
    for (int i = 0; i < DOF; i++)
        for (int k = 0; k < DOF; k++)
            ph[i] += e->p[i][k] * h[k];
    for (int i = 0; i < DOF; i++)
        s += h[i] * ph[i];
    for (int i = 0; i < DOF; i++)
        for (int k = 0; k < DOF; k++)
            e->p[i][k] -= ph[i] * ph[k] / s;
    double k = y / s;
    e->at.p = v3_add(e->at.p, v3(k * ph[0], k * ph[1], k * ph[2]));
    e->at.q = quat_unit(quat_mul(quat_exp(v3(k * ph[3], k * ph[4], k * ph[5])), e->at.q));
    return y * y / s;
}

// ---- A step -------------------------------------------------------------------------------------

// The body wanders; how far it turns by that hangs on how large it is.
static void let_wander(in_hand *m, double dt) {
    const body_type *type = m->world->bodies[m->body].type;
    vec3 low, high;
    double size = 0.1;
    if (shapes_bounds(type->shapes, type->shape_count, POSE_IDENTITY, &low, &high))
        size = fmax(0.01, v3_distance(low, high) / 2);
    for (int i = 0; i < DOF; i++) {
        double rate = i < 3 ? m->slip : m->slip / size;
        m->now.p[i][i] += rate * rate * dt;
    }
}

// Uses what the gripper was read as. Returns false where that contradicts that the body is held.
static bool use_reading(in_hand *m) {
    if (m->in[IN_TOUCHES] < 2)
        return !m->grasped; // before that the fingers are on their way
    double opening = m->in[IN_OPENING];
    if (!(opening >= 0 && opening <= OPENING_MOST * m->hand->max_opening))
        return false;
    estimate e = m->now;
    double far = correct_by_pad(m, &e, 1);
    far += correct_by_pad(m, &e, -1);
    if (!(far <= GATE))
        return false;
    m->now = e;
    if (!m->grasped)
        model_tell(&m->model, "grasped", m->body);
    m->grasped = true;
    return true;
}

static void put_estimate(in_hand *m) {
    pose at = m->now.at;
    const double all[7] = {at.p.x, at.p.y, at.p.z, at.q.w, at.q.x, at.q.y, at.q.z};
    memcpy(m->out, all, sizeof all);
    m->out[MODEL_BODY_WIDTH] = sqrt(m->now.p[0][0] + m->now.p[1][1] + m->now.p[2][2]);
}

static status in_hand_step(model *base, nanos t, nanos dt, error *err) {
    (void)t;
    in_hand *m = (in_hand *)base;
    if (m->body < 0)
        return OK;
    double far = v3_length(m->now.at.p);
    if (!(far <= FAR))
        return error_set(err, E_DIVERGED, "%s is %.2f m away from the palm that is to hold it",
                         m->world->bodies[m->body].name, far);
    let_wander(m, seconds(dt));
    if (use_reading(m))
        m->doubted = 0;
    else
        m->doubted += seconds(dt);
    if (m->doubted >= DOUBTED && !m->lost) {
        m->lost = true;
        model_tell(base, "lost", m->body);
    }
    put_estimate(m);
    return OK;
}

static void in_hand_set_responsible(model *base, int64_t entity, const char *attribute, bool on) {
    in_hand *m = (in_hand *)base;
    if (strcmp(attribute, ENSEMBLE_POSE) != 0)
        return;
    m->body = on ? entity : -1;
    if (!on)
        return;
    const double *o = m->out;
    m->now = (estimate){.at = {{o[0], o[1], o[2]}, {o[3], o[4], o[5], o[6]}}};
    for (int i = 0; i < DOF; i++)
        m->now.p[i][i] = i < 3 ? m->sigma * m->sigma : m->turn * m->turn;
    m->grasped = m->lost = false;
    m->doubted = 0;
}

const model_class IN_HAND_MODEL = {.name = "in_hand",
                                   .create = in_hand_create,
                                   .holds_by = in_hand_holds_by,
                                   .step = in_hand_step,
                                   .set_responsible = in_hand_set_responsible,
                                   .destroy = player_free};
