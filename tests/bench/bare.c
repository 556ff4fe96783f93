// tests/bench/bare.c - see bare.h.
#include "tests/bench/bare.h"

#include <ode/ode.h>
#include <time.h>

enum { CONTACTS = 4 };

typedef struct bare {
    const world_model *w;
    const robot_model *r;
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
} bare;

static dGeomID geom(bare *b, const shape *s, pose at) {
    switch (s->kind) {
    case SHAPE_BOX:
    case SHAPE_MESH:
        return dCreateBox(b->space, s->size.x, s->size.y, s->size.z);
    case SHAPE_CYLINDER:
        return dCreateCylinder(b->space, s->size.x, s->size.z);
    case SHAPE_SPHERE:
        return dCreateSphere(b->space, s->size.x);
    case SHAPE_CAPSULE:
        return dCreateCapsule(b->space, s->size.x, s->size.z);
    case SHAPE_PLANE: {
        vec3 n = quat_rotate(at.q, v3(0, 0, 1));
        return dCreatePlane(b->space, n.x, n.y, n.z, v3_dot(n, at.p));
    }
    }
    return NULL;
}

// Geometry at `at`, and a body that carries it where there is a mass. `robot`: links of it do not
// collide with one another.
static dBodyID add(bare *b, const shape *shapes, size_t count, pose at, double mass, vec3 com,
                   const mat3 *inertia, bool robot) {
    dBodyID body = NULL;
    if (mass > 0) {
        dMass m;
        const double(*i)[3] = inertia->m;
        dMassSetParameters(&m, mass, 0, 0, 0, i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2]);
        body = dBodyCreate(b->world);
        dBodySetMass(body, &m);
        vec3 p = pose_apply(at, com);
        dBodySetPosition(body, p.x, p.y, p.z);
        dQuaternion q = {at.q.w, at.q.x, at.q.y, at.q.z};
        dBodySetQuaternion(body, q);
        dBodySetAutoDisableFlag(body, robot ? 0 : 1);
    }
    for (size_t k = 0; k < count; k++) {
        pose own = body ? shapes[k].at : pose_mul(at, shapes[k].at);
        dGeomID g = geom(b, &shapes[k], own);
        dGeomSetCategoryBits(g, robot ? 2 : 1);
        dGeomSetCollideBits(g, body ? (robot ? 1 : 3) : 2 | 1);
        if (shapes[k].kind == SHAPE_PLANE)
            continue;
        dQuaternion q = {own.q.w, own.q.x, own.q.y, own.q.z};
        if (body) {
            dGeomSetBody(g, body);
            dGeomSetOffsetPosition(g, own.p.x - com.x, own.p.y - com.y, own.p.z - com.z);
            dGeomSetOffsetQuaternion(g, q);
        } else {
            dGeomSetPosition(g, own.p.x, own.p.y, own.p.z);
            dGeomSetQuaternion(g, q);
        }
    }
    return body;
}

static void add_robot(bare *b) {
    const robot_model *r = b->r;
    pose *links = calloc(r->link_count, sizeof *links);
    dBodyID *bodies = calloc(r->link_count, sizeof *bodies);
    ASSERT(links && bodies);
    robot_forward(r, b->w->robot_at, r->home, links);
    for (size_t l = 0; l < r->link_count; l++) {
        const robot_link *link = &r->links[l];
        // The base is furniture: a stiff drive holds it.
        bodies[l] = add(b, link->shapes, link->shape_count, links[l], l == 0 ? 0 : link->mass,
                        link->com, &link->inertia, true);
    }
    for (size_t k = 0; k < r->joint_count; k++) {
        const robot_joint *j = &r->joints[k];
        bool slides = j->kind == JOINT_PRISMATIC;
        dJointID joint =
            slides ? dJointCreateSlider(b->world, NULL) : dJointCreateHinge(b->world, NULL);
        dJointAttach(joint, bodies[j->child], bodies[j->parent]);
        vec3 axis = quat_rotate(links[j->child].q, j->axis), at = links[j->child].p;
        if (slides) {
            dJointSetSliderAxis(joint, axis.x, axis.y, axis.z);
            dJointSetSliderParam(joint, dParamVel, 0);
            dJointSetSliderParam(joint, dParamFMax, j->max_effort);
        } else {
            dJointSetHingeAnchor(joint, at.x, at.y, at.z);
            dJointSetHingeAxis(joint, axis.x, axis.y, axis.z);
            dJointSetHingeParam(joint, dParamVel, 0);
            dJointSetHingeParam(joint, dParamFMax, j->max_effort);
        }
    }
    for (size_t a = 0; a < r->arm_count; a++) {
        const robot_gripper *g = &r->arms[a].gripper;
        pose palm_at = robot_palm(r, a, links);
        dMass m;
        dMassSetBoxTotal(&m, 1, g->palm_size.x, g->palm_size.y, g->palm_size.z);
        mat3 one = {{{m.I[0], 0, 0}, {0, m.I[5], 0}, {0, 0, m.I[10]}}}, palm_i = one, pad_i;
        for (int k = 0; k < 3; k++)
            palm_i.m[k][k] *= g->palm_mass;
        dMassSetBoxTotal(&m, g->pad_mass, g->pad_size.x, g->pad_size.y, g->pad_size.z);
        pad_i = (mat3){{{m.I[0], 0, 0}, {0, m.I[5], 0}, {0, 0, m.I[10]}}};
        shape palm = {SHAPE_BOX, {g->palm_center, {1, 0, 0, 0}}, g->palm_size, NULL};
        shape pad = {SHAPE_BOX, POSE_IDENTITY, g->pad_size, NULL};
        dBodyID hand = add(b, &palm, 1, palm_at, g->palm_mass, g->palm_center, &palm_i, true);
        dJointID fixed = dJointCreateFixed(b->world, NULL);
        dJointAttach(fixed, hand, bodies[r->arms[a].flange]);
        dJointSetFixed(fixed);
        for (int side = -1; side <= 1; side += 2) {
            pose at = pose_mul(
                palm_at, (pose){v3(0, side * (g->max_opening + g->pad_size.y) / 2, g->pad_center_z),
                                {1, 0, 0, 0}});
            dBodyID finger = add(b, &pad, 1, at, g->pad_mass, v3(0, 0, 0), &pad_i, true);
            dJointID slide = dJointCreateSlider(b->world, NULL);
            dJointAttach(slide, finger, hand);
            vec3 y = quat_rotate(palm_at.q, v3(0, side, 0));
            dJointSetSliderAxis(slide, y.x, y.y, y.z);
            dJointSetSliderParam(slide, dParamVel, 0);
            dJointSetSliderParam(slide, dParamFMax, g->max_force);
        }
    }
    free(links);
    free(bodies);
}

static void near(void *data, dGeomID x, dGeomID y) {
    bare *b = data;
    dBodyID p = dGeomGetBody(x), q = dGeomGetBody(y);
    if (!p && !q)
        return;
    dContact c[CONTACTS];
    int n = dCollide(x, y, CONTACTS, &c[0].geom, sizeof *c);
    for (int i = 0; i < n; i++) {
        c[i].surface =
            (dSurfaceParameters){.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM,
                                 .mu = 0.5,
                                 .soft_erp = 0.2,
                                 .soft_cfm = 1e-5};
        dJointAttach(dJointCreateContact(b->world, b->contacts, &c[i]), p, q);
    }
}

static void run(bare *b, double step, int steps) {
    for (int i = 0; i < steps; i++) {
        dSpaceCollide(b->space, b, near);
        dWorldStep(b->world, step);
        dJointGroupEmpty(b->contacts);
    }
}

double bare_ode(const world_model *w, const robot_model *r, double step, int steps) {
    dInitODE2(0);
    bare b = {w, r, dWorldCreate(), dHashSpaceCreate(NULL), dJointGroupCreate(0)};
    dWorldSetGravity(b.world, w->gravity.x, w->gravity.y, w->gravity.z);
    dWorldSetERP(b.world, 0.2);
    dWorldSetCFM(b.world, 1e-9);
    dWorldSetContactSurfaceLayer(b.world, 2e-4);
    dWorldSetContactMaxCorrectingVel(b.world, 0.3);
    for (size_t i = 0; i < w->body_count; i++) {
        const world_body *body = &w->bodies[i];
        const body_type *t = body->type;
        add(&b, t->shapes, t->shape_count, body->at, body->fixed ? 0 : t->mass, t->com, &t->inertia,
            false);
    }
    add_robot(&b);
    run(&b, step, (int)(1 / step));
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    run(&b, step, steps);
    clock_gettime(CLOCK_MONOTONIC, &end);
    dJointGroupDestroy(b.contacts);
    dSpaceDestroy(b.space);
    dWorldDestroy(b.world);
    dCloseODE();
    return ((double)(end.tv_sec - start.tv_sec) * 1e6 +
            (double)(end.tv_nsec - start.tv_nsec) * 1e-3) /
           steps;
}
