// query/log/signals_holds.c - objects between the fingers of grippers: their motion in the
// gripper's frame, as the log has it.
#include "query/log/signals_int.h"

static bool read_hold(signals *s, sqlite3_stmt *row, void *unused) {
    (void)unused;
    hold h = {.id = sqlite3_column_int64(row, 0),
              .object = sqlite3_column_int64(row, 1),
              .gripper = sqlite3_column_int64(row, 2)};
    if (!column_time(row, 3, &h.in_hand.from) || !column_end(row, 4, &h.in_hand.until))
        return signals_damaged(s, "hold");
    if (h.in_hand.until == TIME_OPEN)
        h.in_hand.until = s->episode.end + 1;
    return array_push_try(&s->holds, h) || signals_no_memory(s);
}

static bool read_holds(signals *s) {
    s->holds.count = 0;
    s->holds_ready = signals_read(
        s,
        "SELECT id, object, gripper, start_ns, end_ns FROM hold WHERE episode = ?1 ORDER BY"
        " start_ns, id",
        s->episode.id, read_hold, NULL);
    return s->holds_ready;
}

static bool read_key(signals *s, sqlite3_stmt *row, void *context) {
    keys *k = context;
    nanos t;
    pose p;
    if (!column_tick(row, 0, &t) || !column_fixed_pose(row, 1, &p))
        return signals_damaged(s, "hold_pose");
    return signals_add_key(s, k, t, p);
}

// A hold's motion is read as a whole: it has few keys.
static bool read_motion(signals *s, hold *h) {
    motion *m = &h->in_hand.motion;
    m->keys.count = 0;
    h->loaded = signals_read(
        s, "SELECT t, x, y, z, qw, qx, qy, qz FROM hold_pose WHERE hold = ?1 ORDER BY t", h->id,
        read_key, &m->keys);
    m->begun = h->loaded;
    m->none = m->keys.count == 0;
    return h->loaded;
}

static bool is_hold_of(const hold *h, const thing *object, const thing *gripper) {
    return h->object == object->id && h->gripper == gripper->id;
}

holding signals_hold(signals *s, const thing *a, const thing *b, nanos from, nanos to) {
    if (!s->holds_ready && (s->failed != OK || !read_holds(s)))
        return (holding){0};
    for (size_t i = 0; i < s->holds.count && s->holds.items[i].in_hand.from <= to; i++) {
        hold *h = &s->holds.items[i];
        bool turned = is_hold_of(h, b, a);
        if (h->in_hand.until <= from || !(turned || is_hold_of(h, a, b)))
            continue;
        if (!h->loaded && !read_motion(s, h))
            return (holding){0};
        if (!h->in_hand.motion.none)
            return (holding){&h->in_hand, turned};
    }
    return (holding){0};
}

bool held_covers(holding h, nanos from, nanos to) {
    return h.in_hand && h.in_hand->from <= from && to < h.in_hand->until;
}

bool signals_held_pose(signals *s, holding h, nanos t, pose *out) {
    if (!signals_pose(s, h.in_hand, t, out))
        return false;
    if (h.turned)
        *out = pose_inverse(*out);
    return true;
}

void signals_forget_holds(signals *s) {
    for (size_t i = 0; i < s->holds.count; i++)
        signals_forget_motion(&s->holds.items[i].in_hand.motion);
    array_finish(&s->holds);
}
