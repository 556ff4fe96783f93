// projector/meter.c - a sink that passes records on, and measures what they cost.
#include "projector/meter.h"

#include "base/time/clock.h"

static status meter_put(sink *s, const record *r, error *err) {
    meter *m = (meter *)s;
    nanos begun = clock_wall();
    status st = sink_put(m->to, r, err);
    m->putting[m->side] += seconds(clock_wall() - begun);
    m->rows[m->side]++;
    return st;
}

static status meter_end(sink *s, const record *r, error *err) {
    meter *m = (meter *)s;
    nanos begun = clock_wall();
    status st = sink_end(m->to, r, err);
    m->putting[m->side] += seconds(clock_wall() - begun);
    return st;
}

static status meter_commit(sink *s, nanos t, error *err) {
    meter *m = (meter *)s;
    nanos begun = clock_wall();
    status st = sink_commit(m->to, t, err);
    m->committing += seconds(clock_wall() - begun);
    return st;
}

static const sink_class METERING = {meter_put, meter_end, meter_commit};

void meter_begin(meter *m, sink *to) {
    *m = (meter){.sink = *to, .to = to};
    m->sink.class = &METERING; // ids go on where those of `to` are
}

double meter_mind_share(const meter *m) {
    double all = m->putting[METER_MIND] + m->putting[METER_WORLD];
    return all > 0 ? m->putting[METER_MIND] / all : 0;
}
