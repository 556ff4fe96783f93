// projector/relay.c - news of the steps of a plan, from each robot to each other: see relay.h.
#include "projector/relay.h"

static const nanos REPEATED = NANOS_PER_SECOND; // after which what was lost is sent again

typedef struct envelope {
    nanos due;
    step_news news; // whose texts are the sender's
} envelope;

typedef struct route { // from one robot to another
    size_t from, to;
    channel_traits traits;
    rng_key key;
    uint64_t sent;
    ARRAY(envelope) under_way; // in the order of sending, which is that of arrival
    size_t arrived;            // of them
} route;

struct relay {
    const projection_inputs *in;
    agent *agents;
    ARRAY(route) routes;
};

static bool any_is_divided(const projection_inputs *in) {
    for (size_t i = 0; i < in->count; i++)
        if (in->members[i].plan && plan_is_divided(in->members[i].plan))
            return true;
    return false;
}

relay *relay_create(const projection_inputs *in, agent *agents, uint64_t seed) {
    if (in->count < 2 || !any_is_divided(in))
        return NULL;
    relay *r = mem_must(1, sizeof *r);
    *r = (relay){.in = in, .agents = agents};
    for (size_t i = 0; i < in->count; i++)
        for (size_t k = 0; k < in->count; k++)
            if (k != i)
                array_push(
                    &r->routes,
                    ((route){.from = i, .to = k, .traits = projection_link_between(in, i, k)}));
    relay_reseed(r, seed);
    return r;
}

void relay_reseed(relay *r, uint64_t seed) {
    for (size_t i = 0; r && i < r->routes.count; i++) {
        route *w = &r->routes.items[i];
        w->key = rng_key_extend(projection_link_key(r->in, w->from, w->to, seed), "steps");
    }
}

void relay_destroy(relay *r) {
    if (!r)
        return;
    for (size_t i = 0; i < r->routes.count; i++)
        array_finish(&r->routes.items[i].under_way);
    array_finish(&r->routes);
    free(r);
}

// Draw 0 is of the delay, the others are of each time that it is sent.
static nanos arrival(const route *w, nanos now) {
    nanos due = now;
    for (uint32_t k = 1; rng_uniform(w->key, w->sent, k) < w->traits.loss; k++)
        due += REPEATED;
    return due + w->traits.delay +
           (nanos)(rng_uniform(w->key, w->sent, 0) * (double)w->traits.jitter);
}

static void send_one(route *w, const step_news *n, nanos now) {
    envelope e = {arrival(w, now), *n};
    size_t count = w->under_way.count;
    if (count > 0 && w->under_way.items[count - 1].due > e.due)
        e.due = w->under_way.items[count - 1].due;
    array_push(&w->under_way, e);
    w->sent++;
}

void relay_send(relay *r, nanos now) {
    for (size_t i = 0; r && i < r->routes.count; i++) {
        route *w = &r->routes.items[i];
        size_t count;
        const step_news *all = interp_news(r->agents[w->from].interp, &count);
        for (size_t k = 0; k < count; k++)
            send_one(w, &all[k], now);
    }
    for (size_t i = 0; r && i < r->in->count; i++)
        interp_forget_news(r->agents[i].interp);
}

void relay_deliver(relay *r, nanos now) {
    for (size_t i = 0; r && i < r->routes.count; i++) {
        route *w = &r->routes.items[i];
        while (w->arrived < w->under_way.count && w->under_way.items[w->arrived].due <= now)
            interp_hear(r->agents[w->to].interp, &w->under_way.items[w->arrived++].news);
    }
}

nanos relay_next(const relay *r) {
    nanos next = TIME_OPEN;
    for (size_t i = 0; r && i < r->routes.count; i++) {
        const route *w = &r->routes.items[i];
        if (w->arrived < w->under_way.count && w->under_way.items[w->arrived].due < next)
            next = w->under_way.items[w->arrived].due;
    }
    return next;
}
