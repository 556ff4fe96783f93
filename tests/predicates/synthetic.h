// tests/predicates/synthetic.h - logs written by hand, so that what must follow from them is known.
//
// The scene: a floor, a table of 0.75 m at the origin, a robot with one gripper of two fingers, and
// the free bodies that a test adds. Poses are keyframes; contacts carry one force each.
#ifndef FORESEE_TESTS_PREDICATES_SYNTHETIC_H
#define FORESEE_TESTS_PREDICATES_SYNTHETIC_H

#include <math.h>

#include "base/math/geom.h"
#include "logger/log.h"
#include "tests/testlib.h"

#define S_TO_NS(s) nanos_from_seconds(s)

typedef struct synthetic {
    char *folder, *path;
    logger *log;
    sink *sink;
    int64_t agent, robot, base, hand, palm, finger_1, finger_2, floor, table, place;
    int64_t known_table, self, top; // believed table and robot; top task
} synthetic;

static inline void synthetic_put(synthetic *s, record *r) {
    error err = {0};
    status st = sink_put(s->sink, r, &err);
    if (st != OK)
        fail_msg("%s", err.text);
}

static inline int64_t synthetic_object(synthetic *s, const char *name, const char *kind,
                                       const char *type, int64_t whole, bool fixed, double mass) {
    record r = {.kind = RECORD_OBJECT, .id = sink_id(s->sink, RECORD_OBJECT)};
    r.OBJECT = (struct record_OBJECT){.name = name,
                                      .kind = kind,
                                      .type = type,
                                      .whole = whole,
                                      .fixed = fixed,
                                      .known = fixed,
                                      .mass = mass,
                                      .friction = 0.5,
                                      .up_z = 1,
                                      .break_impulse = INFINITY,
                                      .angle_tolerance = INFINITY};
    synthetic_put(s, &r);
    return r.id;
}

static inline void synthetic_box(synthetic *s, int64_t object, double x, double y, double z,
                                 double up) {
    record r = {.kind = RECORD_SHAPE, .id = sink_id(s->sink, RECORD_SHAPE)};
    r.SHAPE = (struct record_SHAPE){.object = object,
                                    .role = "collision",
                                    .kind = "box",
                                    .z = up,
                                    .qw = 1,
                                    .size_x = x,
                                    .size_y = y,
                                    .size_z = z};
    synthetic_put(s, &r);
}

static inline void synthetic_pose(synthetic *s, int64_t object, double t, double x, double y,
                                  double z, double roll) {
    record r = {.kind = RECORD_POSE, .id = sink_id(s->sink, RECORD_POSE)};
    r.POSE = (struct record_POSE){.object = object,
                                  .t = S_TO_NS(t),
                                  .x = x,
                                  .y = y,
                                  .z = z,
                                  .qw = cos(roll / 2),
                                  .qx = sin(roll / 2)};
    synthetic_put(s, &r);
}

// A joint that holds a body to another one, from 0 to `upper`, and where it stands at an instant.
static inline int64_t synthetic_joint(synthetic *s, const char *name, int64_t body, int64_t base,
                                      const char *kind, double upper) {
    int64_t id = synthetic_object(s, name, "joint", NULL, 0, false, 0);
    record r = {.kind = RECORD_ARTICULATION, .id = sink_id(s->sink, RECORD_ARTICULATION)};
    r.ARTICULATION = (struct record_ARTICULATION){
        .joint = id, .body = body, .base = base, .kind = kind, .upper = upper};
    synthetic_put(s, &r);
    return id;
}

static inline void synthetic_position(synthetic *s, int64_t joint, double t, double position) {
    record r = {.kind = RECORD_JOINT_STATE, .id = sink_id(s->sink, RECORD_JOINT_STATE)};
    r.JOINT_STATE = (struct record_JOINT_STATE){joint, S_TO_NS(t), position};
    synthetic_put(s, &r);
}

// A contact on [start, end) (end < 0: never ended) with force f of a on b along the unit normal n
// from a to b.
static inline int64_t synthetic_contact(synthetic *s, int64_t a, int64_t b, double start,
                                        double end, double approach, double fx, double fy,
                                        double fz, double nx, double ny, double nz) {
    double sign = 1;
    if (a > b) {
        int64_t swap = a;
        a = b;
        b = swap;
        sign = -1;
    }
    record r = {.kind = RECORD_CONTACT, .id = sink_id(s->sink, RECORD_CONTACT)};
    r.CONTACT = (struct record_CONTACT){.a = a,
                                        .b = b,
                                        .start_ns = S_TO_NS(start),
                                        .end_ns = end < 0 ? TIME_OPEN : S_TO_NS(end),
                                        .approach = approach,
                                        .peak_force = sqrt(fx * fx + fy * fy + fz * fz)};
    synthetic_put(s, &r);
    record f = {.kind = RECORD_CONTACT_FORCE, .id = sink_id(s->sink, RECORD_CONTACT_FORCE)};
    f.CONTACT_FORCE = (struct record_CONTACT_FORCE){.contact = r.id,
                                                    .t = S_TO_NS(start),
                                                    .fx = sign * fx,
                                                    .fy = sign * fy,
                                                    .fz = sign * fz,
                                                    .nx = sign * nx,
                                                    .ny = sign * ny,
                                                    .nz = sign * nz};
    synthetic_put(s, &f);
    return r.id;
}

// `bottom` bears `top` with its weight, in newtons.
static inline void synthetic_stand(synthetic *s, int64_t bottom, int64_t top, double start,
                                   double end, double weight) {
    synthetic_contact(s, bottom, top, start, end, 0, 0, 0, weight, 0, 0, 1);
}

// Both fingers press on it from opposite sides, each with `force`.
static inline void synthetic_grasp(synthetic *s, int64_t object, double start, double end,
                                   double force) {
    synthetic_contact(s, s->finger_1, object, start, end, 0.02, 0, -force, 0, 0, -1, 0);
    synthetic_contact(s, s->finger_2, object, start, end, 0.02, 0, force, 0, 0, 1, 0);
}

// The hand with its parts stands at this place, pointing down.
static inline void synthetic_hand(synthetic *s, double t, double x, double y, double z) {
    synthetic_pose(s, s->palm, t, x, y, z + 0.1, PI);
    synthetic_pose(s, s->finger_1, t, x, y + 0.02, z, PI);
    synthetic_pose(s, s->finger_2, t, x, y - 0.02, z, PI);
}

// A task of this expression, without the states that it was in.
static inline int64_t synthetic_step(synthetic *s, int64_t parent, const char *construct,
                                     const char *path, const char *expr, const char *goal,
                                     double start, double end, const char *status_name) {
    record r = {.kind = RECORD_TASK, .id = sink_id(s->sink, RECORD_TASK)};
    r.TASK = (struct record_TASK){.agent = s->agent,
                                  .parent = parent,
                                  .construct = construct,
                                  .path = path,
                                  .dynamic_path = path,
                                  .expr = expr,
                                  .goal = goal,
                                  .file = "plan.yaml",
                                  .line = 10 + r.id,
                                  .start_ns = S_TO_NS(start),
                                  .end_ns = S_TO_NS(end),
                                  .status = status_name};
    synthetic_put(s, &r);
    return r.id;
}

static inline int64_t synthetic_task(synthetic *s, int64_t parent, const char *construct,
                                     const char *path, const char *goal, double start, double end,
                                     const char *status_name) {
    int64_t id =
        synthetic_step(s, parent, construct, path, construct, goal, start, end, status_name);
    const char *names[3] = {"created", "active", status_name};
    const double times[3] = {start, start, end};
    for (int i = 0; i < 3; i++) {
        record t = {.kind = RECORD_TASK_STATUS, .id = sink_id(s->sink, RECORD_TASK_STATUS)};
        t.TASK_STATUS =
            (struct record_TASK_STATUS){.task = id, .t_ns = S_TO_NS(times[i]), .status = names[i]};
        synthetic_put(s, &t);
    }
    return id;
}

static inline int64_t synthetic_operation(synthetic *s, int64_t task, const char *name,
                                          int64_t actuator, const char *object,
                                          const char *location, double start, double end) {
    record r = {.kind = RECORD_OPERATION, .id = sink_id(s->sink, RECORD_OPERATION)};
    r.OPERATION = (struct record_OPERATION){.task = task,
                                            .name = name,
                                            .actuator = actuator,
                                            .object = object,
                                            .location = location,
                                            .start_ns = S_TO_NS(start),
                                            .end_ns = S_TO_NS(end)};
    synthetic_put(s, &r);
    return r.id;
}

static inline void synthetic_gripper(synthetic *s, int64_t operation, const char *mode, double t) {
    record r = {.kind = RECORD_COMMAND, .id = sink_id(s->sink, RECORD_COMMAND)};
    r.COMMAND = (struct record_COMMAND){
        .operation = operation, .actuator = s->hand, .t = S_TO_NS(t), .mode = mode, .v2 = 20};
    synthetic_put(s, &r);
}

// Something believed, known a priori when `object` is not 0.
static inline int64_t synthetic_believed(synthetic *s, const char *name, int64_t object,
                                         const char *type, double t) {
    record r = {.kind = RECORD_BELIEVED, .id = sink_id(s->sink, RECORD_BELIEVED)};
    r.BELIEVED = (struct record_BELIEVED){
        .agent = s->agent, .name = name, .object = object, .type = type, .t_ns = S_TO_NS(t)};
    synthetic_put(s, &r);
    return r.id;
}

static inline void synthetic_frame(synthetic *s, int64_t believed, const char *parent,
                                   const char *relation, double t, double x, double y, double z) {
    record r = {.kind = RECORD_BELIEVED_FRAME, .id = sink_id(s->sink, RECORD_BELIEVED_FRAME)};
    r.BELIEVED_FRAME = (struct record_BELIEVED_FRAME){.agent = s->agent,
                                                      .believed = believed,
                                                      .parent = parent,
                                                      .relation = relation,
                                                      .t = S_TO_NS(t),
                                                      .x = x,
                                                      .y = y,
                                                      .z = z,
                                                      .qw = 1,
                                                      .source = "percept"};
    synthetic_put(s, &r);
}

// A percept of `object` (0: a ghost) that is taken for `believed`.
static inline void synthetic_percept(synthetic *s, int64_t believed, int64_t object, double t) {
    record reading = {.kind = RECORD_READING, .id = sink_id(s->sink, RECORD_READING)};
    reading.READING = (struct record_READING){.agent = s->agent,
                                              .sensor = s->base,
                                              .kind = "camera",
                                              .taken_ns = S_TO_NS(t),
                                              .delivered_ns = S_TO_NS(t)};
    synthetic_put(s, &reading);
    record percept = {.kind = RECORD_PERCEPT, .id = sink_id(s->sink, RECORD_PERCEPT)};
    percept.PERCEPT = (struct record_PERCEPT){.reading = reading.id, .type = "plate", .qw = 1};
    synthetic_put(s, &percept);
    record truth = {.kind = RECORD_PERCEPT_TRUTH, .id = sink_id(s->sink, RECORD_PERCEPT_TRUTH)};
    truth.PERCEPT_TRUTH = (struct record_PERCEPT_TRUTH){.percept = percept.id, .object = object};
    synthetic_put(s, &truth);
    record a = {.kind = RECORD_ASSOCIATION, .id = sink_id(s->sink, RECORD_ASSOCIATION)};
    a.ASSOCIATION = (struct record_ASSOCIATION){
        .percept = percept.id, .believed = believed, .t_ns = S_TO_NS(t)};
    synthetic_put(s, &a);
}

static inline void synthetic_variable(synthetic *s, const char *name, const char *value, double t) {
    record r = {.kind = RECORD_VARIABLE, .id = sink_id(s->sink, RECORD_VARIABLE)};
    r.VARIABLE = (struct record_VARIABLE){
        .agent = s->agent, .name = name, .value = value, .t_ns = S_TO_NS(t), .point = "begin"};
    synthetic_put(s, &r);
}

// The robot takes itself to be here from now on.
static inline void synthetic_localised(synthetic *s, double t, double x, double y) {
    char value[80];
    snprintf(value, sizeof value, "pose(%.3f, %.3f, 0.0)", x, y);
    synthetic_variable(s, "RobotPos", value, t);
    synthetic_frame(s, s->self, "map", "at", t, x, y, 0);
}

static inline synthetic synthetic_begin(void) {
    synthetic s = {.folder = testlib_folder()};
    s.path = testlib_path(s.folder, "log.db");
    error err = {0};
    log_options options = {.durable = false};
    if (log_create(s.path, &options, &s.log, &err) != OK)
        fail_msg("%s", err.text);
    episode_info info = {.plan = "plan.yaml",
                         .world = "world.yaml",
                         .robot = "robot.yaml",
                         .seed = 1,
                         .version = "0",
                         .step = 2000000,
                         .cycle = 20000000};
    if (log_begin_episode(s.log, &info, &err) != OK)
        fail_msg("%s", err.text);
    s.sink = log_sink(s.log);
    s.floor = synthetic_object(&s, "floor", "body", "floor", 0, true, 0);
    synthetic_box(&s, s.floor, 10, 10, 0.1, -0.05);
    synthetic_pose(&s, s.floor, 0, 0, 0, 0, 0);
    s.table = synthetic_object(&s, "table_1", "body", "table", 0, true, 0);
    synthetic_box(&s, s.table, 1, 1, 0.75, 0.375);
    synthetic_pose(&s, s.table, 0, 0, 0, 0, 0);
    record place = {.kind = RECORD_OBJECT, .id = sink_id(s.sink, RECORD_OBJECT)};
    place.OBJECT = (struct record_OBJECT){.name = "place_1",
                                          .kind = "region",
                                          .whole = s.table,
                                          .known = 1,
                                          .up_z = 1,
                                          .break_impulse = INFINITY,
                                          .half_x = 0.15,
                                          .half_y = 0.15,
                                          .tolerance = 0.05,
                                          .angle_tolerance = INFINITY};
    synthetic_put(&s, &place);
    s.place = place.id;
    record link = {.kind = RECORD_LINKAGE, .id = sink_id(s.sink, RECORD_LINKAGE)};
    link.LINKAGE = (struct record_LINKAGE){.object = s.place,
                                           .parent = s.table,
                                           .joint_kind = "fixed",
                                           .x = 0.3,
                                           .z = 0.75,
                                           .qw = 1,
                                           .axis_z = 1};
    synthetic_put(&s, &link);
    s.robot = synthetic_object(&s, "robot", "robot", NULL, 0, false, 0);
    s.base = synthetic_object(&s, "robot_base", "base", NULL, s.robot, false, 0);
    synthetic_box(&s, s.base, 0.5, 0.5, 0.3, 0.2);
    synthetic_pose(&s, s.base, 0, -1.5, 0, 0, 0);
    s.hand = synthetic_object(&s, "robot_hand", "gripper", NULL, s.robot, false, 0);
    s.palm = synthetic_object(&s, "robot_hand_palm", "palm", NULL, s.hand, false, 0.4);
    s.finger_1 = synthetic_object(&s, "robot_hand_finger_1", "finger", NULL, s.hand, false, 0.15);
    s.finger_2 = synthetic_object(&s, "robot_hand_finger_2", "finger", NULL, s.hand, false, 0.15);
    synthetic_box(&s, s.palm, 0.1, 0.1, 0.05, 0);
    synthetic_box(&s, s.finger_1, 0.04, 0.012, 0.04, 0);
    synthetic_box(&s, s.finger_2, 0.04, 0.012, 0.04, 0);
    record grip = {.kind = RECORD_LINKAGE, .id = sink_id(s.sink, RECORD_LINKAGE)};
    grip.LINKAGE = (struct record_LINKAGE){
        .object = s.hand, .parent = s.palm, .joint_kind = "fixed", .z = 0.1, .qw = 1, .axis_z = 1};
    synthetic_put(&s, &grip);
    record agent = {.kind = RECORD_AGENT, .id = sink_id(s.sink, RECORD_AGENT)};
    agent.AGENT = (struct record_AGENT){.name = "robot", .object = s.robot};
    synthetic_put(&s, &agent);
    s.agent = agent.id;
    s.known_table = synthetic_believed(&s, "table_1", s.table, "table", 0);
    synthetic_frame(&s, s.known_table, "map", "at", 0, 0, 0, 0);
    s.self = synthetic_believed(&s, "robot", s.robot, "robot", 0);
    synthetic_localised(&s, 0, -1.5, 0);
    return s;
}

// A free body of 1 kg and 0.1 m at rest at this place until it is moved.
static inline int64_t synthetic_cube(synthetic *s, const char *name, double x, double y, double z) {
    int64_t id = synthetic_object(s, name, "body", "cube", 0, false, 1.0);
    synthetic_box(s, id, 0.1, 0.1, 0.1, 0.05);
    synthetic_pose(s, id, 0, x, y, z, 0);
    return id;
}
#define CUBE_WEIGHT 9.81

// cube_1 is lifted from 3 to 4 s; from 5 s on it slides through the hand at 30 mm/s, at 6 s the
// grasp is lost, and it falls on the table. The plan is one sequence whose goal, that the cube is
// within place_1, is not met. Returns the cube.
static inline int64_t synthetic_slip(synthetic *s, const char *plan, const char *outcome) {
    int64_t cube = synthetic_cube(s, "cube_1", 0, 0, 0.75);
    synthetic_hand(s, 0, 0, 0, 0.82);
    synthetic_hand(s, 3, 0, 0, 0.82);
    synthetic_hand(s, 4, 0, 0, 1.02);
    const double times[4] = {3, 4, 5, 6}, heights[4] = {0.75, 0.95, 0.95, 0.92};
    for (int i = 0; i < 4; i++)
        synthetic_pose(s, cube, times[i], 0, 0, heights[i], 0);
    for (int i = 1; i <= 9; i++) // falls 0.17 m in 0.186 s
        synthetic_pose(s, cube, 6 + 0.02 * i, 0, 0, 0.92 - 4.905 * 0.0004 * i * i, 0);
    synthetic_pose(s, cube, 6.186, 0, 0, 0.75, 0);
    synthetic_stand(s, s->table, cube, 0, 3, CUBE_WEIGHT);
    synthetic_contact(s, s->table, cube, 6.186, -1, 1.8, 0, 0, CUBE_WEIGHT, 0, 0, 1);
    synthetic_grasp(s, cube, 2, 6, 10);
    s->top = synthetic_task(s, 0, "seq", plan, "[within(a(cube), place_1)]", 0, 8, outcome);
    char path[64];
    snprintf(path, sizeof path, "%s/move", plan);
    int64_t move = synthetic_task(s, s->top, "move_arm", path, NULL, 2.2, 7.5, "done");
    synthetic_operation(s, move, "move_arm", s->hand, NULL, NULL, 2.2, 7.5);
    return cube;
}

// Ends the episode and closes the log.
static inline void synthetic_end(synthetic *s, double end) {
    error err = {0};
    if (log_finish(s->log, S_TO_NS(end), "failed", true, &err) != OK)
        fail_msg("%s", err.text);
    log_close(s->log);
    s->log = NULL;
}

static inline void synthetic_remove(synthetic *s) {
    log_close(s->log);
    free(s->path);
    testlib_remove(s->folder);
}

#endif
