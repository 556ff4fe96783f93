// projector/world/touch.c - what the contacts of a step amounted to, for those who watch.
//
// Pairs that sleep are not looked at: they keep what they had, and cost nothing while the pairs
// that touch stay the same.
#include "projector/world/sim_int.h"

static sim_contact pair_summary(const sim *s, const pair *p) {
    sim_contact c = {.a = p->a, .b = p->b, .approach = -INFINITY};
    vec3 normal = v3(0, 0, 0), weighted = v3(0, 0, 0), plain = v3(0, 0, 0);
    double weight = 0;
    for (size_t k = p->first; k < p->first + p->count; k++) {
        const point *x = &s->points.items[k];
        vec3 at = from_ode(x->geom.pos), n = v3_scale(from_ode(x->geom.normal), -1), f;
        if (p->in_tree) // acts on b, the link
            f = x->tree_contact < s->tree.contact_count ? s->tree.contacts[x->tree_contact].force
                                                        : v3(0, 0, 0);
        else
            f = v3_scale(from_ode(x->feedback.f1), -x->sign);
        double press = fmax(v3_dot(f, n), 0);
        c.force = v3_add(c.force, f);
        normal = v3_add(normal, v3_scale(n, press + 1e-9));
        weighted = v3_add(weighted, v3_scale(at, press));
        plain = v3_add(plain, at);
        weight += press;
        c.depth = fmax(c.depth, x->geom.depth);
        c.approach = fmax(c.approach, x->approach);
    }
    c.point = weight > 0 ? v3_scale(weighted, 1 / weight) : v3_scale(plain, 1 / (double)p->count);
    c.normal = v3_unit(normal);
    return c;
}

static void feel_contact(sim *s, const sim_contact *c) {
    for (size_t i = 0; i < s->robot->arm_count; i++) {
        hand *h = &s->hands[i];
        for (int k = 0; k < 2; k++) {
            if (c->a != h->fingers[k] && c->b != h->fingers[k])
                continue;
            const dReal *r = dBodyGetRotation(s->colliders[h->palm].body);
            double side = k == 0 ? 1 : -1; // outwards along the palm's y axis
            vec3 out = v3(side * r[1], side * r[5], side * r[9]);
            double f = v3_dot(c->force, out);
            h->pad_force[k] += c->b == h->fingers[k] ? f : -f;
        }
    }
}

// Returns whether the same pairs touch as in the last report, and none fell asleep or woke since.
static bool same_pairs(sim *s) {
    if (s->rested || s->pairs.count != s->reported.count)
        return false;
    for (size_t i = 0; i < s->pairs.count; i++) {
        if (pair_order(&s->pairs.items[i], &s->reported.items[i]) != 0)
            return false;
        s->pairs.items[i].slot = s->reported.items[i].slot;
    }
    return true;
}

// Makes room for this step's pairs among those that sleep, which keep what they had.
static void merge_pairs(sim *s) {
    s->previous.count = 0;
    for (size_t i = 0; i < s->contacts.count; i++)
        array_push(&s->previous, s->contacts.items[i]);
    s->contacts.count = 0;
    size_t old = 0;
    for (size_t i = 0; i <= s->pairs.count; i++) {
        pair *p = i < s->pairs.count ? &s->pairs.items[i] : NULL;
        for (; old < s->previous.count; old++) {
            sim_contact *was = &s->previous.items[old];
            if (p && (was->a > p->a || (was->a == p->a && was->b >= p->b))) {
                if (was->a == p->a && was->b == p->b)
                    old++;
                break;
            }
            const collider *a = &s->colliders[was->a], *b = &s->colliders[was->b];
            if (collider_asleep(a) && collider_asleep(b) && a->on && b->on) {
                was->sleeping = true;
                was->approach = 0;
                array_push(&s->contacts, *was);
            }
        }
        if (!p)
            break;
        p->slot = s->contacts.count;
        array_push(&s->contacts, (sim_contact){.a = p->a, .b = p->b});
    }
    s->rested = false;
}

void contacts_report(sim *s) {
    for (size_t i = 0; i < s->robot->arm_count; i++)
        s->hands[i].pad_force[0] = s->hands[i].pad_force[1] = 0;
    if (!same_pairs(s))
        merge_pairs(s);
    s->reported.count = 0;
    for (size_t i = 0; i < s->pairs.count; i++) {
        const pair *p = &s->pairs.items[i];
        sim_contact c = pair_summary(s, p);
        s->contacts.items[p->slot] = c;
        feel_contact(s, &c);
        array_push(&s->reported, *p);
    }
}
