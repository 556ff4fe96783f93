// projector/talk.c - what several robots tell one another: see talk.h.
#include "projector/talk.h"

#include "projector/belief/told.h"

typedef struct letter {
    told told;
    int64_t id; // of the MESSAGE record
} letter;

struct talk {
    const projection_inputs *in;
    agent *agents;
    sink *log;
    channel **channels; // from i to k: i * count + k; NULL on the diagonal
};

talk *talk_create(const projection_inputs *in, agent *agents, sink *log, uint64_t seed) {
    size_t n = in->count;
    talk *t = mem_must(1, sizeof *t);
    *t = (talk){in, agents, log, mem_must(n * n, sizeof *t->channels)};
    for (size_t i = 0; i < n; i++) {
        belief_share(agents[i].belief);
        for (size_t k = 0; k < n; k++) {
            channel_traits traits = projection_link_between(in, i, k);
            if (k != i)
                t->channels[i * n + k] =
                    channel_create(&traits, sizeof(letter), projection_link_key(in, i, k, seed));
        }
    }
    return t;
}

void talk_destroy(talk *t) {
    if (!t)
        return;
    for (size_t i = 0; i < t->in->count * t->in->count; i++)
        channel_destroy(t->channels[i]);
    free(t->channels);
    free(t);
}

static status put_message(talk *t, const letter *l, size_t from, size_t to, nanos now, bool lost,
                          error *err) {
    const told *m = &l->told;
    record r = {.kind = RECORD_MESSAGE, .id = l->id};
    r.MESSAGE = (struct record_MESSAGE){.sender = t->agents[from].mind.agent,
                                        .receiver = t->agents[to].mind.agent,
                                        .believed = m->believed,
                                        .kind = told_kind_name(m->kind),
                                        .stamp_ns = m->stamp,
                                        .sent_ns = now,
                                        .percept = m->percept,
                                        .x = m->at.p.x,
                                        .y = m->at.p.y,
                                        .z = m->at.p.z,
                                        .qw = m->at.q.w,
                                        .qx = m->at.q.x,
                                        .qy = m->at.q.y,
                                        .qz = m->at.q.z,
                                        .end_ns = TIME_OPEN,
                                        .fate = lost ? "lost" : NULL};
    return sink_put(t->log, &r, err);
}

static status post(talk *t, const told *m, size_t from, size_t to, nanos now, error *err) {
    channel *c = t->channels[from * t->in->count + to];
    letter l = {*m, sink_id(t->log, RECORD_MESSAGE)};
    uint64_t lost = channel_count(c).lost;
    channel_send(c, now, &l);
    return put_message(t, &l, from, to, now, channel_count(c).lost > lost, err);
}

status talk_send(talk *t, nanos now, error *err) {
    status st = OK;
    for (size_t i = 0; t && st == OK && i < t->in->count; i++) {
        size_t count;
        const told *all = belief_take_told(t->agents[i].belief, &count);
        for (size_t m = 0; st == OK && m < count; m++)
            for (size_t k = 0; st == OK && k < t->in->count; k++)
                if (k != i)
                    st = post(t, &all[m], i, k, now, err);
    }
    return st;
}

static status hear(talk *t, const letter *l, size_t to, nanos now, error *err) {
    told_fate fate;
    int64_t became;
    status st = belief_hear(t->agents[to].belief, &l->told, now, &fate, &became, err);
    if (st != OK)
        return st;
    record r = {.kind = RECORD_MESSAGE, .id = l->id};
    r.MESSAGE.end_ns = now;
    r.MESSAGE.fate = told_fate_name(fate);
    r.MESSAGE.became = became;
    return sink_end(t->log, &r, err);
}

status talk_deliver(talk *t, nanos now, error *err) {
    status st = OK;
    letter l;
    for (size_t i = 0; t && i < t->in->count; i++)
        for (size_t k = 0; st == OK && k < t->in->count; k++) {
            channel *c = t->channels[i * t->in->count + k];
            while (c && st == OK && channel_receive(c, now, &l, NULL))
                st = hear(t, &l, k, now, err);
        }
    return st;
}

nanos talk_next(const talk *t) {
    nanos next = TIME_OPEN;
    for (size_t i = 0; t && i < t->in->count * t->in->count; i++) {
        nanos due = t->channels[i] ? channel_next(t->channels[i]) : -1;
        next = due >= 0 && due < next ? due : next;
    }
    return next;
}

void talk_reseed(talk *t, uint64_t seed) {
    for (size_t i = 0; t && i < t->in->count; i++)
        for (size_t k = 0; k < t->in->count; k++)
            if (k != i)
                channel_rekey(t->channels[i * t->in->count + k],
                              projection_link_key(t->in, i, k, seed));
}
