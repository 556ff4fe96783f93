// projector/world/meet.c - links of two robots that push one another.
//
// Each contact is a one-sided spring and damper, implicit in the step, between two surfaces that
// move as their robots would without it, and that yield as these do (aba_mobility): a link pushes
// no harder than the motors behind it can. The force goes to both links, equal and opposite.
#include "projector/world/sim_int.h"

static void push_apart(sim *s, const pair *p, double dt) {
    const collider *a = &s->colliders[p->a], *b = &s->colliders[p->b];
    double ma[36], mb[36], ta[6], tb[6], spring = dt * LINK_STIFFNESS + LINK_DAMPING;
    double mu = s->friction[(size_t)a->surface * s->surface_count + (size_t)b->surface];
    aba_mobility(&s->tree, a->node, ma);
    aba_mobility(&s->tree, b->node, mb);
    aba_twist(&s->tree, a->node, dt, ta);
    aba_twist(&s->tree, b->node, dt, tb);
    for (size_t k = p->first; k < p->first + p->count; k++) {
        point *x = &s->points.items[k];
        vec3 at = from_ode(x->geom.pos), n = from_ode(x->geom.normal);
        vec3 v = v3_sub(aba_point_velocity(&s->tree, ta, at), aba_point_velocity(&s->tree, tb, at));
        vec3 slide = v3_sub(v, v3_scale(n, v3_dot(v, n)));
        // As many contacts as share the links each see the others' push only in the next step.
        double share = (double)p->count;
        double give =
            share * (dt * aba_yields(&s->tree, ma, at, n) + dt * aba_yields(&s->tree, mb, at, n));
        double apart = fmin(LINK_STIFFNESS * x->geom.depth / spring, CORRECT);
        double press = fmax((apart - v3_dot(v, n)) / (share / spring + give), 0);
        vec3 f = v3_scale(n, press);
        double speed = v3_length(slide);
        if (speed > 0) {
            vec3 t = v3_scale(slide, 1 / speed);
            double soft = share * (dt * aba_yields(&s->tree, ma, at, t) +
                                   dt * aba_yields(&s->tree, mb, at, t));
            f = v3_sub(f, v3_scale(t, fmin(speed / (FRICTION_CFM + soft), mu * press)));
        }
        aba_push(&s->tree, a->node, f, v3(0, 0, 0), at);
        aba_push(&s->tree, b->node, v3_scale(f, -1), v3(0, 0, 0), at);
        x->sign = 1;
        x->feedback.f1[0] = f.x, x->feedback.f1[1] = f.y, x->feedback.f1[2] = f.z;
    }
}

void machines_push(sim *s, double dt) {
    for (size_t i = 0; i < s->pairs.count; i++)
        if (s->pairs.items[i].between)
            push_apart(s, &s->pairs.items[i], dt);
}
