// projector/world/sim.h - the true world: free bodies, furniture, a robot with articulated arms and
// hands.
//
// Owns:      the ODE world and the robot's generalized state. One simulation per process.
// Invariant: nothing here knows of tasks, beliefs or logs. Entities are numbered once, as below.
//
// A link yields no further than its motors let it, whether it meets furniture (a stiff spring
// within the arm's own dynamics) or something that can move (a contact softened by the arm's
// mobility). The base is a position loop of limited force. Joint controllers hold the robot's own
// weight, hands included, by feedforward: what an arm sags by is what it carries or pushes, over
// kp. Grippers start open. A body of the world that another model moves (drive.h) touches nothing
// here; what its model says of its contacts stands among those of sim_contacts.
//
// Doors and drawers are joints of ODE with exact Coulomb friction, stops and a latch; such a body
// does not collide with what it hangs on. Particles are soft spheres beside ODE (particles.c): they
// push bodies and are pushed in the same step; nothing tells of their contacts with one another.
// Events happen at the first step at whose begin their condition holds (and `after` has passed),
// once. A person's hand pulls with 80 N and 8 N m at most (60 N or 30 N m at a joint) and gives up
// a second after its time; what it is to add waits until its place is free, and what is to happen
// to a body waits until that is there.
//
// Entities, in this order: world bodies (index = world_model body), then the robot's links (link 0
// is the base), then for each arm palm, finger_1, finger_2. sim_entity_* give the numbers.
//
// Of several robots, all links come first, then all hands, each robot's after those of the one
// before; joints and arms are numbered alike (scene/robot/fleet.h). Robots push one another with
// equal and opposite forces, each yielding no further than its motors let it.
#ifndef FORESEE_PROJECTOR_WORLD_SIM_H
#define FORESEE_PROJECTOR_WORLD_SIM_H

#include "projector/ensemble/model.h"
#include "scene/robot/fleet.h"

typedef struct sim sim;

typedef struct sim_options {
    nanos step;       // 2 ms; model_step takes no other
    bool sleepless;   // nothing that is at rest falls asleep
    bool bound;       // hands are bodies of ODE even where they touch nothing
    bool overlapping; // what overlaps at the start is no error: the simulation is only looked at
} sim_options;
sim_options sim_options_default(void);

// `w` and `r` must outlive the simulation. E_INPUT: bodies overlap at the start (named), or one
// that can move has no mass.
status sim_create(const world_model *w, const robot_model *r, const sim_options *opt, sim **out,
                  error *err);
// The same with several robots, whose models must outlive the simulation; sim_create is one robot
// that stands where the world says. E_INPUT: two of them overlap, too.
status sim_create_fleet(const world_model *w, const fleet_member *members, size_t count,
                        const sim_options *opt, sim **out, error *err);
void sim_destroy(sim *s);
// All robots as one, and where one's own links, joints and arms begin among those of all.
const robot_model *sim_robots(const sim *s);
typedef struct sim_part {
    size_t robot, link, joint, arm;
} sim_part;
size_t sim_robot_count(const sim *s);
const fleet_member *sim_member(const sim *s, size_t robot);
sim_part sim_part_of(const sim *s, size_t robot);
// The models that the simulation was made with hold other values from now on, such as scene_follows
// allows; `before` is the world as it was. What rests on something whose friction is another wakes.
// E_INPUT: an event that cannot happen.
status sim_follow(sim *s, const world_model *before, error *err);
model *sim_model(sim *s); // to step it with

size_t sim_entity_count(const sim *s);
const char *sim_entity_name(const sim *s, size_t entity); // as world or robot have it
static inline size_t sim_entity_body(size_t body) {
    return body;
}
size_t sim_entity_link(const sim *s, size_t link);
size_t sim_entity_palm(const sim *s, size_t arm);
size_t sim_entity_finger(const sim *s, size_t arm, int which); // which: 1 or 2

// ---- Control: held until changed ----------------------------------------------------------
// Target of a position-controlled joint; within a control cycle the target moves from the previous
// one to (position, velocity) over `over` (0: at once) along a cubic, then follows the velocity's
// line for at most one cycle (20 ms where `over` is 0). Positions beyond the joint's stops are
// moved to them. A joint that follows another takes no target. Velocity and acceleration limits are
// the commander's to keep.
void sim_set_joint(sim *s, size_t joint, double position, double velocity, nanos over);
// Velocity or torque control of one joint (joint_mode of the middleware), until the next target; no
// faster than the joint may. A position's way then begins where the joint is. Whatever the control,
// efforts keep the joint's limits and its own weight is held; a stop yields by a microradian for
// each newton metre.
void sim_set_joint_velocity(sim *s, size_t joint, double velocity);
void sim_set_joint_effort(sim *s, size_t joint, double effort);
// Cartesian impedance of one arm, until one of its joints gets another target (the others then hold
// where they are). The target moves from the previous one over `over`. Stiffness of 1e5 N/m is
// stable. A joint at its effort limit no longer takes part in the springs, so that what remains
// pulls in another direction; `effort` weakens them all alike. What stiffness 0 leaves free is
// damped by the joints' friction alone. `posture` moves as the target does. The posture's hold, a
// hundredth of the position controllers' stiffness, does not act on the tool. impedance.c has the
// law and its sources.
typedef struct sim_impedance { // as `impedance` of the middleware, poses in the base's frame
    pose target;
    vec3 stiffness, rotation;
    quat frame;
    vec3 force, torque;
    double damping, effort;
    bool drawn;
    double posture[ARM_JOINTS_MAX];
    double margin;
    pose place;
} sim_impedance;
void sim_set_impedance(sim *s, size_t arm, const sim_impedance *i, nanos over);
// A person's hand pulls the tool to a place in the base's frame, with at most so much force (N); 0:
// lets go of it.
void sim_lead(sim *s, size_t arm, vec3 to, double force);
// A spring and a damper draw a joint to a place that moves, until its next target: a coupling to
// another robot (teleoperation.h). Units: rad or m, N m/rad or N/m, N m s/rad or N s/m.
void sim_set_joint_spring(sim *s, size_t joint, double position, double velocity, double stiffness,
                          double damping);
// Its arm's joints hold where they are.
void sim_hold_arm(sim *s, size_t arm);
// Effort of a joint's motor beside what its controller gives, until it is changed; 0: none. N m or
// N.
void sim_push_joint(sim *s, size_t joint, double effort);
// Twist in the base frame, of which a differential drive leaves out vy and a fixed base all; the
// base accelerates within its limits, and stalls when pushed back harder than
// robot_model.base_max_force.
void sim_set_base(sim *s, double vx, double vy, double wz);
void sim_set_base_of(sim *s, size_t robot, double vx, double vy, double wz);
// Puts a body of the world, which no joint, person or other model holds, at rest where it is said,
// though it was absent; what lay against it wakes. False: something would be deeper than `depth`
// (m) in it there, and it stays as it is. INFINITY: it goes there whatever is there.
bool sim_put(sim *s, size_t body, pose at, double depth);
void sim_take(sim *s, size_t body); // takes it away, with what is in it, until it is put back
// Closing, the pads press with at most `force` (kept until the next command) and stop on what is
// between them or at `opening`; the second finger mirrors the first. Opening takes at least 5 N.
void sim_set_gripper(sim *s, size_t arm, double opening, double force, bool close);

// ---- True state ---------------------------------------------------------------------------
pose sim_pose(const sim *s, size_t entity);
void sim_velocity(const sim *s, size_t entity, vec3 *linear, vec3 *angular);
// Free bodies at rest that are no longer stepped, and everything fixed. What is driven never is.
bool sim_asleep(const sim *s, size_t entity);
// Whether its contacts were solved as those of a heap in the last step (contact/heap.c).
bool sim_heaped(const sim *s, size_t entity);
// The world's bodies that are not asleep, ascending; valid until the next call.
const size_t *sim_awake(const sim *s, size_t *count);
pose sim_base(const sim *s); // planar pose of link 0
pose sim_base_of(const sim *s, size_t robot);
const double *sim_joint_positions(const sim *s);
const double *sim_joint_velocities(const sim *s);
const double *sim_joint_efforts(const sim *s);
// What reached the joint's link in the last step: its motor's effort, less what friction and the
// motor's own inertia took, and with what a stop gave. N m or N.
double sim_joint_torque(const sim *s, size_t joint);
// The effort of its controller in the last step, without what holds the robot's own weight.
double sim_joint_drive(const sim *s, size_t joint);
// The inertia that an arm's k'th joint moves, with the rest of the arm stiff: kg m2 or kg.
double sim_arm_inertia(const sim *s, size_t arm, size_t k);
// What all contacts of the last step did to the joints of an arm, by its joints: J^T f. What is
// bound to its hand (bonds.h) is a part of the arm.
void sim_contact_efforts(const sim *s, size_t arm, double *efforts);
// What the weight of what is bound to its hand does to the joints of an arm: J^T m g.
void sim_load_efforts(const sim *s, size_t arm, double *efforts);
// The force at the tool, N, world, that explains efforts of the arm's joints best (least squares,
// damped where the arm is singular).
vec3 sim_tool_force(const sim *s, size_t arm, const double *efforts);
// What a force and a moment at the arm's tool do to its joints, N and N m, world.
void sim_wrench_efforts(const sim *s, size_t arm, vec3 force, vec3 moment, double *efforts);
// How far the tool moves when the arm's joints move by so much: m, world, to first order.
vec3 sim_tool_shift(const sim *s, size_t arm, const double *by);
pose sim_tool(const sim *s, size_t arm); // world
double sim_gripper_opening(const sim *s, size_t arm);
double sim_gripper_force(const sim *s, size_t arm, int finger); // normal force on the pad, N
// Whether palm and fingers are where they were a step ago, in the frame of the flange that carries
// them, but for rounding.
bool sim_hand_unmoved(const sim *s, size_t arm);
// The wrench that the hand exerted on its flange in the last step, its own weight and inertia
// included; flange's frame and origin.
void sim_wrench(const sim *s, size_t arm, vec3 *force, vec3 *torque);
// The force of a person's hand on the tool in the last step, N, world.
void sim_led(const sim *s, size_t arm, vec3 *force);
// The margin that an arm on springs keeps, m; 0: none.
double sim_margin(const sim *s, size_t arm);
// The least distance of the arm and its hand from the world's bodies, m, and which that is; `reach`
// where none is nearer. Particles do not count.
double sim_clearance(const sim *s, size_t arm, double reach, size_t *entity);
// The same from what the robot knows of the place and is fixed; *part is the arm's entity that is
// so near. Both are written where something is within reach.
double sim_known_gap(const sim *s, size_t arm, double reach, size_t *part, size_t *body);
double sim_world_joint(const sim *s, size_t joint); // of articulated furniture: rad or m
bool sim_present(const sim *s, size_t entity);      // false: absent or taken away
// The events of the world that happened in the last step: numbers of world_model.events.
const size_t *sim_events(const sim *s, size_t *count);
// Why the event `number` of the world has not happened yet.
typedef enum event_wait {
    EVENT_HAPPENED,
    EVENT_WAITS, // its condition has not held
    EVENT_LATER, // it has, and the time `after` that is not over
    EVENT_BARRED // it is time, and what it is about is not there, or has no room
} event_wait;
event_wait sim_event_wait(const sim *s, size_t number);

// Contacts of the last step, one entry per touching pair (a < b by entity), sorted by (a, b). Pairs
// that sleep stay in the list with their last force. Of particles, there is an entry for each body
// or part of the robot that one touches. Fixed against fixed never appears; neither do
// neighbouring links of the robot. `force` is that of a on b, world frame; the normal points from a
// to b.
typedef struct sim_contact {
    size_t a, b;
    vec3 point, normal, force;
    double approach; // closing speed along the normal before the step, m/s
    double depth;    // deepest penetration, m
    bool sleeping;
} sim_contact;
const sim_contact *sim_contacts(const sim *s, size_t *count);
// The strongest contact of the arm, and of what is bound to its hand, with a body of the world: `a`
// is that, normal and force are the arm's. False: there is none.
bool sim_arm_contact(const sim *s, size_t arm, sim_contact *out);
// The distance of the arm, and of what is bound to its hand, from a body of the world, m.
double sim_arm_gap(const sim *s, size_t arm, size_t body);
// Pairs (a < b) so thin and fast that one may have passed through the other unseen, in the order of
// their first such step. Free bodies do not: they are stopped where they touch.
typedef struct sim_passing {
    size_t a, b;
} sim_passing;
const sim_passing *sim_passings(const sim *s, size_t *count);
uint64_t sim_message_count(const sim *s); // messages of the solver (LCP), counted and not printed

#endif
