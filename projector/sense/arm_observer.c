// projector/sense/arm_observer.c - the momentum observer and the direct estimator of an arm: see
// arm_observer.h.
#include "projector/sense/arm_observer.h"

#include <string.h>

#include "base/math/jacobi.h"
#include "base/mem.h"
#include "projector/world/dynamics/aba.h"
#include "projector/world/dynamics/burden.h"

// Share of the largest eigenvalue of J J^T below which a direction counts as unfelt.
static const double UNFELT = 1e-3;

// Spatial vectors about the base's origin: moment, force; or angular, linear velocity.
typedef struct carried {
    double momentum[6], weight[6]; // of a node and all that hangs on it
} carried;

struct arm_observer {
    const robot_model *robot;
    size_t arm;
    double gain;
    aba tree;
    size_t *joints;                  // of the nodes
    int nodes[ARM_JOINTS_MAX];       // of the arm's joints
    carried *carried;                // by node
    double *last;                    // positions at the last step, by node
    bool placed;                     // there are such
    double integral[ARM_JOINTS_MAX]; // of all that changes the momentum
    double momentum[ARM_JOINTS_MAX], direct[ARM_JOINTS_MAX];
};

// ---- The model ------------------------------------------------------------------------------

// The joint that moves the link which the joint hangs on, or -1.
static int64_t joint_above(const robot_model *r, int64_t joint) {
    return r->links[r->joints[joint].parent].joint;
}

static bool hangs_on(const robot_model *r, int64_t joint, int64_t above) {
    while (joint >= 0 && joint != above)
        joint = joint_above(r, joint);
    return joint >= 0;
}

static bool takes_part(const robot_model *r, size_t arm, size_t joint) {
    const robot_arm *a = &r->arms[arm];
    return hangs_on(r, (int64_t)joint, (int64_t)a->joints[0]) ||
           hangs_on(r, (int64_t)a->joints[a->joint_count - 1], (int64_t)joint);
}

// The hand with its fingers half open.
static void hand_add(burden *b, const robot_gripper *g) {
    burden_add(b, burden_of_box(g->palm_mass, g->palm_size, g->mount, g->palm_center));
    for (int side = -1; side <= 1; side += 2) {
        vec3 center = v3(0, side * (g->max_opening / 4 + g->pad_size.y / 2), g->pad_center_z);
        burden_add(b, burden_of_box(g->pad_mass, g->pad_size, g->mount, center));
    }
}

// What moves with a joint: its link, and the hands on that.
static burden moved_by(const robot_model *r, size_t joint) {
    burden sum = {0};
    for (size_t l = 0; l < r->link_count; l++)
        if (r->links[l].joint == (int64_t)joint)
            burden_add(&sum, (burden){r->links[l].mass, r->links[l].com, r->links[l].inertia});
    for (size_t i = 0; i < r->arm_count; i++)
        if (r->links[r->arms[i].flange].joint == (int64_t)joint)
            hand_add(&sum, &r->arms[i].gripper);
    return sum;
}

void arm_observer_create(const robot_model *r, size_t arm, vec3 gravity, double gain,
                         arm_observer **out) {
    arm_observer *o = mem_must(1, sizeof *o);
    o->robot = r;
    o->arm = arm;
    o->gain = gain;
    o->joints = mem_must(r->joint_count + 1, sizeof *o->joints);
    aba_node *nodes = mem_must(r->joint_count + 1, sizeof *nodes);
    int *of_joint = mem_must(r->joint_count + 1, sizeof *of_joint), count = 0;
    for (size_t j = 0; j < r->joint_count; j++) {
        of_joint[j] = -1;
        if (!takes_part(r, arm, j))
            continue;
        const robot_joint *from = &r->joints[j];
        int64_t above = joint_above(r, (int64_t)j);
        burden moved = moved_by(r, j);
        o->joints[count] = j;
        of_joint[j] = count;
        nodes[count++] = (aba_node){.parent = above < 0 ? -1 : of_joint[above],
                                    .slides = from->kind == JOINT_PRISMATIC,
                                    .origin_r = quat_matrix(from->origin.q),
                                    .origin_p = from->origin.p,
                                    .axis = from->axis,
                                    .mass = moved.mass,
                                    .com = moved.com,
                                    .inertia = moved.inertia};
    }
    for (size_t k = 0; k < r->arms[arm].joint_count; k++)
        o->nodes[k] = of_joint[r->arms[arm].joints[k]];
    free(of_joint);
    aba_init(&o->tree, nodes, count, NULL, 0);
    o->tree.gravity = gravity;
    o->carried = mem_must((size_t)count + 1, sizeof *o->carried);
    o->last = mem_must((size_t)count + 1, sizeof *o->last);
    *out = o;
}

void arm_observer_destroy(arm_observer *o) {
    if (!o)
        return;
    free(o->tree.nodes);
    free(o->joints);
    free(o->carried);
    free(o->last);
    free(o);
}

bool arm_observer_uses(const arm_observer *o, size_t joint) {
    return takes_part(o->robot, o->arm, joint);
}

// ---- A step ---------------------------------------------------------------------------------

static double six_product(const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += a[i] * b[i];
    return sum;
}

static vec3 six_part(const double *six, int part) {
    return v3(six[3 * part], six[3 * part + 1], six[3 * part + 2]);
}

static void six_join(double *six, vec3 first, vec3 second) {
    six[0] = first.x, six[1] = first.y, six[2] = first.z;
    six[3] = second.x, six[4] = second.y, six[5] = second.z;
}

// What each node carries, as the tree stands and moves.
static void find_carried(arm_observer *o) {
    aba *t = &o->tree;
    for (int i = 0; i < t->count; i++) {
        const aba_node *n = &t->nodes[i];
        carried *c = &o->carried[i];
        for (int k = 0; k < 6; k++)
            c->momentum[k] = six_product(n->inertia_o + 6 * k, n->v);
        vec3 com = v3_add(n->p, mat3_apply(&n->r, n->com)), pull = v3_scale(t->gravity, n->mass);
        six_join(c->weight, v3_cross(com, pull), pull);
    }
    for (int i = t->count - 1; i >= 0; i--) {
        int up = t->nodes[i].parent;
        for (int k = 0; up >= 0 && k < 6; k++) {
            o->carried[up].momentum[k] += o->carried[i].momentum[k];
            o->carried[up].weight[k] += o->carried[i].weight[k];
        }
    }
}

void arm_observer_step(arm_observer *o, const double *q, const double *torque, double dt) {
    aba *t = &o->tree;
    bool moved = o->placed && dt > 0;
    // The mean velocity of the time between two positions belongs to where the joint was midway.
    for (int i = 0; i < t->count; i++) {
        double now = q[o->joints[i]];
        t->nodes[i].qd = moved ? (now - o->last[i]) / dt : 0;
        t->nodes[i].q = moved ? (now + o->last[i]) / 2 : now;
        o->last[i] = now;
    }
    aba_kinematics(t, v3(0, 0, 0));
    o->placed = true;
    if (!moved)
        return;
    find_carried(o);
    double share = o->gain * dt / (1 + o->gain * dt);
    for (size_t k = 0; k < o->robot->arms[o->arm].joint_count; k++) {
        const aba_node *n = &t->nodes[o->nodes[k]];
        const carried *c = &o->carried[o->nodes[k]];
        vec3 w = six_part(n->v, 0), v = six_part(n->v, 1), turn = six_part(n->s, 0);
        double swing[6]; // how fast the axis moves: v x s
        six_join(swing, v3_cross(w, turn),
                 v3_add(v3_cross(w, six_part(n->s, 1)), v3_cross(v, turn)));
        double p = six_product(n->s, c->momentum), still = torque[k] + six_product(n->s, c->weight);
        o->direct[k] += share * (-still - o->direct[k]);
        // r stands on both sides: r = K_O (p - integral - dt (f + r)).
        o->integral[k] += dt * (still + six_product(swing, c->momentum));
        o->momentum[k] = o->gain * (p - o->integral[k]) / (1 + o->gain * dt);
        o->integral[k] += dt * o->momentum[k];
    }
}

const double *arm_observer_momentum(const arm_observer *o) {
    return o->momentum;
}
const double *arm_observer_direct(const arm_observer *o) {
    return o->direct;
}

// ---- The wrench at the tool -----------------------------------------------------------------

void arm_observer_wrenches(const arm_observer *o, const double (*torques)[ARM_JOINTS_MAX],
                           size_t count, vec3 *forces, vec3 *moments) {
    const robot_arm *a = &o->robot->arms[o->arm];
    const aba_node *flange = &o->tree.nodes[o->nodes[a->joint_count - 1]];
    pose palm = pose_mul((pose){flange->p, quat_from_matrix(&flange->r)}, a->gripper.mount);
    vec3 tool = pose_apply(palm, robot_tool_in_palm(&a->gripper).p);
    double columns[ARM_JOINTS_MAX][6], square[36] = {0}, axes[36] = {0}, most = 0;
    for (size_t k = 0; k < a->joint_count; k++) {
        const double *s = o->tree.nodes[o->nodes[k]].s;
        six_join(columns[k], aba_point_velocity(&o->tree, s, tool), six_part(s, 0));
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                square[6 * i + j] += columns[k][i] * columns[k][j];
    }
    for (int i = 0; i < 6; i++)
        axes[7 * i] = 1;
    jacobi_diagonalise(square, axes, 6, 20, 1e-12);
    for (int i = 0; i < 6; i++)
        most = fmax(most, square[7 * i]);
    for (size_t w = 0; w < count; w++) {
        double pull[6] = {0}, wrench[6] = {0};
        for (size_t k = 0; k < a->joint_count; k++)
            for (int i = 0; i < 6; i++)
                pull[i] += columns[k][i] * torques[w][k];
        for (int m = 0; m < 6; m++) {
            double along = 0;
            for (int i = 0; i < 6; i++)
                along += axes[6 * i + m] * pull[i];
            for (int i = 0; i < 6 && square[7 * m] > UNFELT * most; i++)
                wrench[i] += axes[6 * i + m] * along / square[7 * m];
        }
        forces[w] = six_part(wrench, 0);
        moments[w] = six_part(wrench, 1);
    }
}
