// projector/ensemble/socket.c - a body that takes in another, as the paper's model of a plug does.
//
// No more is known of the two than where the one is in the other's frame, beside its seat there.
// Two cylinders stand about the seat. What is in the outer one `nears`, and `leaves` it; what is in
// the inner one, and hardly tilted, `fits`; what has come to its seat is `connected`. A trigger on
// `nears` gives it the body's `collision`, so that nothing of the hole's shape need be known;
// one on `fits` the `pose`, by which it is drawn to its seat (projector/ensemble/poses.c).
#include "projector/ensemble/ensemble_int.h"

static const double SEATED = 5e-4;        // m
static const double SEATED_TILT = 0.0087; // rad
static const double WIDER = 1.1;          // what is left is left for good: a cylinder so much wider

typedef struct socket {
    model model; // first
    double seat, outer, inner, height, tilt;
    bool near, fits, connected; // as it was told
    double in[2 * MODEL_BODY_WIDTH], out[MODEL_BODY_WIDTH + 1];
} socket;

static const model_port inputs[] = {{"body", PORT_BODY, 0, NULL, false},
                                    {"carrier", PORT_BODY, MODEL_BODY_WIDTH, NULL, false}};
static const model_port outputs[] = {
    {ENSEMBLE_POSE, PORT_BODY, 0, NULL, false},
    {ENSEMBLE_COLLISION, PORT_SCALAR, MODEL_BODY_WIDTH, "1", false}};

static status socket_create(const model_setup *setup, model **out, error *err) {
    socket *m = mem_must(1, sizeof *m);
    m->seat = model_setting_of(setup, "seat");
    m->outer = model_setting_of(setup, "outer");
    m->inner = model_setting_of(setup, "inner");
    m->height = model_setting_of(setup, "height");
    m->tilt = model_setting_of(setup, "tilt") * PI / 180;
    if (m->inner > m->outer) {
        free(m);
        return error_set(err, E_INPUT,
                         "`inner` of `%s` is greater than `outer`: what is drawn to its seat would "
                         "collide",
                         setup->name);
    }
    m->model = (model){.class = &SOCKET_MODEL,
                       .inputs = inputs,
                       .outputs = outputs,
                       .input_count = 2,
                       .output_count = 2,
                       .in = m->in,
                       .out = m->out};
    *out = &m->model;
    return OK;
}

static pose pose_in(const double *in) {
    return (pose){{in[0], in[1], in[2]}, {in[3], in[4], in[5], in[6]}};
}

// Tells a change of something.
static void note(socket *m, bool *was, bool now, const char *begins, const char *ends) {
    if (*was != now && (now ? begins : ends))
        model_tell(&m->model, now ? begins : ends, -1);
    *was = now;
}

static status socket_step(model *base, nanos t, nanos dt, error *err) {
    (void)t;
    (void)dt;
    (void)err;
    socket *m = (socket *)base;
    pose at = pose_mul(pose_inverse(pose_in(m->in + MODEL_BODY_WIDTH)), pose_in(m->in));
    double up = at.p.z - m->seat, aside = hypot(at.p.x, at.p.y);
    double tilt = acos(fmax(-1, fmin(1, quat_rotate(at.q, v3(0, 0, 1)).z)));
    double wider = m->near ? WIDER : 1;
    bool near = aside <= m->outer * wider && fabs(up) <= m->height * wider;
    note(m, &m->near, near, "nears", "leaves");
    note(m, &m->fits, near && aside <= m->inner && fabs(up) <= m->height && tilt <= m->tilt, "fits",
         NULL);
    note(m, &m->connected,
         hypot(aside, up) <= SEATED * (m->connected ? 2 : 1) &&
             tilt <= SEATED_TILT * (m->connected ? 2 : 1),
         "connected", "disconnected");
    m->out[MODEL_BODY_WIDTH] = 0;
    return OK;
}

const model_class SOCKET_MODEL = {.name = "socket",
                                  .looks_on = true,
                                  .create = socket_create,
                                  .step = socket_step,
                                  .destroy = player_free};
