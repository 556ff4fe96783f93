// projector/recorder_holds.c - where a body is in the hand whose fingers touch it.
//
// A thing that keeps its place in a hand takes a row or two here, however the hand moves; from the
// keyframes of both in the world it shows only where those of a whole arm are put together.
#include "projector/recorder_int.h"

static status put_key(recorder *rec, const held_body *h, const keyframe_pose_key *key, error *err) {
    record r = {.kind = RECORD_HOLD_POSE, .id = sink_id(rec->log, RECORD_HOLD_POSE)};
    const pose *p = &key->pose;
    r.HOLD_POSE = (struct record_HOLD_POSE){h->row, key->t, p->p.x, p->p.y, p->p.z,
                                            p->q.w, p->q.x, p->q.y, p->q.z};
    return sink_put(rec->log, &r, err);
}

static status flush_hold(recorder *rec, held_body *h, error *err) {
    keyframe_pose_key key;
    return keyframe_pose_flush(&h->motion, &key) ? put_key(rec, h, &key, err) : OK;
}

static status begin_hold(recorder *rec, size_t body, size_t arm, nanos t, held_body **out,
                         error *err) {
    bool particle = rec->world->bodies[body].particle;
    held_body h = {.body = body, .arm = arm, .row = sink_id(rec->log, RECORD_HOLD)};
    keyframe_pose_init(&h.motion, rec->tolerances[particle]);
    record r = {.kind = RECORD_HOLD, .id = h.row};
    r.HOLD = (struct record_HOLD){rec->entities[body], rec->parts.hands[arm].gripper, t, TIME_OPEN};
    array_push(&rec->held, h);
    *out = &rec->held.items[rec->held.count - 1];
    return sink_put(rec->log, &r, err);
}

static status end_hold(recorder *rec, held_body *h, nanos t, error *err) {
    record r = {.kind = RECORD_HOLD, .id = h->row};
    r.HOLD.end_ns = t;
    status st = flush_hold(rec, h, err);
    return st == OK ? sink_end(rec->log, &r, err) : st;
}

// The gripper's frame lies between the pads.
static pose gripper_pose(const recorder *rec, size_t arm) {
    pose palm = sim_pose(rec->sim, sim_entity_palm(rec->sim, arm));
    return pose_mul(palm, robot_tool_in_palm(&rec->robot->arms[arm].gripper));
}

static status follow_hold(recorder *rec, size_t body, size_t arm, nanos t, error *err) {
    held_body *h = NULL;
    status st = OK;
    for (size_t i = 0; i < rec->held.count && !h; i++)
        if (rec->held.items[i].body == body && rec->held.items[i].arm == arm)
            h = &rec->held.items[i];
    if (!h)
        st = begin_hold(rec, body, arm, t, &h, err);
    h->seen = t;
    pose own = sim_pose(rec->sim, body),
         relative = pose_mul(pose_inverse(gripper_pose(rec, arm)), own);
    keyframe_pose_key key;
    if (st == OK && keyframe_pose_feed(&h->motion, t, &relative, &key))
        st = put_key(rec, h, &key, err);
    return st;
}

// Returns whether two contacts, one after the other in the sorted list, are those of both fingers
// of a hand with one body that is there.
static bool are_hold(const recorder *rec, const touch *c, const touch *d, size_t *arm) {
    if (c->a != d->a || c->a >= rec->world->body_count || !rec->present[c->a] || !c->row || !d->row)
        return false;
    for (*arm = 0; *arm < rec->robot->arm_count; ++*arm)
        if (c->b == sim_entity_finger(rec->sim, *arm, 1) &&
            d->b == sim_entity_finger(rec->sim, *arm, 2))
            return true;
    return false;
}

status recorder_follow_holds(recorder *rec, nanos t, error *err) {
    status st = OK;
    size_t kept = 0, arm;
    if (rec->robot->arm_count == 0)
        return OK;
    for (size_t i = 0; st == OK && i + 1 < rec->touches.count; i++) {
        const touch *c = &rec->touches.items[i];
        if (are_hold(rec, c, c + 1, &arm))
            st = follow_hold(rec, c->a, arm, t, err);
    }
    for (size_t i = 0; st == OK && i < rec->held.count; i++) {
        if (rec->held.items[i].seen != t)
            st = end_hold(rec, &rec->held.items[i], t, err);
        else
            rec->held.items[kept++] = rec->held.items[i];
    }
    if (st == OK)
        rec->held.count = kept;
    return st;
}

status recorder_flush_holds(recorder *rec, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < rec->held.count; i++)
        st = flush_hold(rec, &rec->held.items[i], err);
    return st;
}
