#include "projector/meter.h"

static status put(sink *s, const record *r, error *err) {
    meter *m = (meter *)s;
    double begun = m->now();
    status st = sink_put(m->to, r, err);
    m->putting[m->side] += m->now() - begun;
    m->rows[m->side]++;
    return st;
}

static status end(sink *s, const record *r, error *err) {
    meter *m = (meter *)s;
    double begun = m->now();
    status st = sink_end(m->to, r, err);
    m->putting[m->side] += m->now() - begun;
    return st;
}

static status commit(sink *s, nanos t, error *err) {
    meter *m = (meter *)s;
    double begun = m->now();
    status st = sink_commit(m->to, t, err);
    m->committing += m->now() - begun;
    return st;
}

static const sink_class METERING = {put, end, commit};

void meter_begin(meter *m, sink *to, double (*now)(void)) {
    *m = (meter){.sink = *to, .to = to, .now = now};
    m->sink.class = &METERING; // ids go on where those of `to` are
}

double meter_mind_share(const meter *m) {
    double all = m->putting[METER_MIND] + m->putting[METER_WORLD];
    return all > 0 ? m->putting[METER_MIND] / all : 0;
}
