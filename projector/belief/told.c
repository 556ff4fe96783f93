// projector/belief/told.c - what robots tell one another of things: see told.h.
#include "projector/belief/belief_int.h"

#include <math.h>

const char *told_kind_name(told_kind k) {
    static const char *const names[] = {"seen", "put", "held", "missing"};
    return names[k];
}

const char *told_fate_name(told_fate f) {
    static const char *const names[] = {"taken", "past", "own_hand", "strange"};
    return names[f];
}

// ---- Telling ------------------------------------------------------------------------------------

void belief_share(belief *b) {
    b->sharing = true;
}

const told *belief_take_told(belief *b, size_t *count) {
    *count = b->outbox.count;
    b->outbox.count = 0;
    return b->outbox.items;
}

void belief_tell(belief *b, size_t object, const char *source, int64_t seen_in, nanos t) {
    believed *o = &b->objects.items[object];
    bool seen = strcmp(source, "percept") == 0, scanned = strcmp(source, "laser") == 0;
    o->stamp = scanned ? b->pole.seen : seen && b->eye_taken > 0 ? b->eye_taken : t;
    if (!b->sharing || belief_joint_of(b, object) >= 0 || strcmp(source, "prior") == 0 ||
        strcmp(source, "told") == 0)
        return;
    if (scanned && b->pole.with)
        return; // it moves with another robot, which knows better
    if (!o->seen.confirmed && !o->lost)
        return; // what single frames report may yet be nothing
    told m = {.teller = b->agent,
              .believed = o->seen.id,
              .name = o->seen.known ? o->seen.name : NULL,
              .type = o->seen.type,
              .color = o->seen.color,
              .at = o->seen.at,
              .cov = o->cov,
              .stamp = o->stamp,
              .percept = seen_in ? seen_in : o->percept};
    m.kind = !o->seen.confirmed  ? TOLD_MISSING
             : o->seen.hand >= 0 ? TOLD_HELD
             : seen || scanned   ? TOLD_SEEN
                                 : TOLD_PUT;
    array_push(&b->outbox, m);
}

// ---- Hearing ------------------------------------------------------------------------------------

static bool kind_fits(const believed *o, const told *m) {
    return strcmp(o->seen.type, m->type) == 0 &&
           (!m->color || !o->seen.color || strcmp(o->seen.color, m->color) == 0);
}

// Whether the thing stands where it says; in a hand it goes on, and gone it may be anywhere.
static bool tells_place(const told *m) {
    return m->kind == TOLD_SEEN || m->kind == TOLD_PUT;
}

// Whether the teller calls the object by another id: then a message is about something else.
static bool named_otherwise(const belief *b, size_t object, const told *m) {
    for (size_t i = 0; i < b->peers.count; i++)
        if (b->peers.items[i].object == object && b->peers.items[i].teller == m->teller &&
            b->peers.items[i].believed != m->believed)
            return true;
    return false;
}

// Takes down what a message says of where a thing stands, or that it does not stand any more.
static status report_told(belief *b, const told *m, size_t object, nanos t, error *err) {
    believed *o = &b->objects.items[object];
    if (m->kind != TOLD_SEEN)
        belief_moved(o, m->kind == TOLD_PUT ? m->stamp - 1 : m->stamp);
    report r = {"told", m->teller, m->at, fmax(m->cov.x, m->cov.y), m->stamp, 0};
    return tells_place(m) ? belief_report(b, object, r, t, err) : OK;
}

bool belief_no_room(const believed_object *o, vec3 off, double gate) {
    vec3 low, high;
    return o->kind &&
           shapes_bounds(o->kind->shapes, o->kind->shape_count, POSE_IDENTITY, &low, &high) &&
           hypot(off.x, off.y) < fmin(high.x - low.x, high.y - low.y) && fabs(off.z) < gate;
}

// Whether the told place may be that of an object: as near as both are known, or so near that there
// is no room for both.
static bool place_fits(const believed *o, const told *m) {
    double own = fmax(o->cov.x, o->cov.y), other = fmax(m->cov.x, m->cov.y);
    double gate = belief_gate(hypot(own, other));
    vec3 off = v3_sub(m->at.p, o->seen.at.p);
    return v3_length(off) < gate || belief_no_room(&o->seen, off, gate);
}

// Finds the object of the belief that a message is about; SIZE_MAX: none.
static size_t find_told(const belief *b, const told *m) {
    size_t best = SIZE_MAX, lost = SIZE_MAX, lost_count = 0;
    double least = INFINITY;
    if (m->name)
        return belief_index(b, m->name);
    for (size_t i = 0; i < b->peers.count; i++)
        if (b->peers.items[i].believed == m->believed)
            return b->peers.items[i].object;
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *o = &b->objects.items[i];
        if (o->seen.known || !kind_fits(o, m) || named_otherwise(b, i, m))
            continue;
        if (o->lost) {
            lost = i;
            lost_count++;
        }
        double d = v3_distance(o->seen.at.p, m->at.p);
        if (d < least && place_fits(o, m)) {
            least = d;
            best = i;
        }
    }
    return best != SIZE_MAX ? best : lost_count == 1 ? lost : SIZE_MAX;
}

static void remember_name(belief *b, const told *m, size_t object) {
    for (size_t i = 0; i < b->peers.count; i++)
        if (b->peers.items[i].believed == m->believed)
            return;
    array_push(&b->peers, ((peer_name){m->teller, m->believed, object}));
}

// Puts a placement into what is remembered of an object, where its time says.
static void remember_past(believed *o, past p) {
    array_push(&o->history, p);
    for (size_t k = o->history.count - 1; k > 0 && o->history.items[k - 1].t > p.t; k--) {
        o->history.items[k] = o->history.items[k - 1];
        o->history.items[k - 1] = p;
    }
}

static status note_association(belief *b, const told *m, size_t object, nanos t, error *err) {
    if (!m->percept)
        return OK;
    record r = {.kind = RECORD_ASSOCIATION, .id = sink_id(b->log, RECORD_ASSOCIATION)};
    r.ASSOCIATION.percept = m->percept;
    r.ASSOCIATION.believed = b->objects.items[object].seen.id;
    r.ASSOCIATION.t_ns = t;
    return sink_put(b->log, &r, err);
}

// Makes a message what is believed of an object now.
static status take_over(belief *b, const told *m, size_t object, nanos t, error *err) {
    believed *o = &b->objects.items[object];
    status st = tells_place(m) ? OK : belief_lose_riders(b, object, "told", 0, t, err);
    if (st != OK)
        return st;
    o->seen.confirmed = true; // also where it is gone, so that it counts as lost
    if (tells_place(m)) {
        o->lost = false;
        belief_settle(b, object, m->at, m->cov, 0.04);
    } else {
        belief_forget_place(b, object, m->at);
    }
    st = belief_write_frame(b, object, "told", m->percept, 0, t, err);
    o = &b->objects.items[object];
    o->stamp = m->stamp;
    past p = o->history.items[--o->history.count];
    p.t = m->stamp;
    if (o->history.count > 0 && o->history.items[o->history.count - 1].t > p.t)
        p.t = o->history.items[o->history.count - 1].t;
    remember_past(o, p);
    return st;
}

status belief_hear(belief *b, const told *m, nanos t, told_fate *fate, int64_t *became,
                   error *err) {
    size_t i = find_told(b, m);
    status st = OK;
    *became = 0;
    *fate = FATE_STRANGE;
    if (i == SIZE_MAX && (m->name || !tells_place(m)))
        return OK;
    belief_changed(b);
    if (i == SIZE_MAX)
        st = belief_add_object(b, m->type, m->color, t, &i, err);
    if (st != OK)
        return st;
    believed *o = &b->objects.items[i];
    *became = o->seen.id;
    if (!m->name)
        remember_name(b, m, i);
    if (o->seen.hand >= 0) {
        *fate = FATE_OWN_HAND;
        if (m->stamp >= o->stamp)
            o->taken_over = m->kind == TOLD_HELD;
        return OK;
    }
    st = note_association(b, m, i, t, err);
    if (st != OK)
        return st;
    if (o->history.count > 0 && m->stamp < o->stamp) {
        *fate = FATE_PAST;
        if (tells_place(m))
            remember_past(o, (past){m->stamp, HANG_MAP, 0, m->at, m->cov});
        return report_told(b, m, i, t, err);
    }
    *fate = FATE_TAKEN;
    st = take_over(b, m, i, t, err);
    return st == OK ? report_told(b, m, i, t, err) : st;
}

void belief_told_finish(belief *b) {
    array_finish(&b->outbox);
    array_finish(&b->peers);
}
