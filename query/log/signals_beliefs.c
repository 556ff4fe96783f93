// query/log/signals_beliefs.c - what agents believe in, and where they believe it to be.
#include "base/search.h"
#include "query/log/signals_int.h"

static bool read_agent(signals *s, sqlite3_stmt *row, void *unused) {
    (void)unused;
    const char *name = (const char *)sqlite3_column_text(row, 1);
    agent_row a = {sqlite3_column_int64(row, 0), values_symbol(s->values, name ? name : ""),
                   sqlite3_column_int64(row, 2)};
    return array_push_try(&s->agents, a) || signals_no_memory(s);
}

static bool read_believed(signals *s, sqlite3_stmt *row, void *unused) {
    (void)unused;
    const char *name = (const char *)sqlite3_column_text(row, 2);
    believed_thing b = {.id = sqlite3_column_int64(row, 0),
                        .agent = sqlite3_column_int64(row, 1),
                        .name = values_symbol(s->values, name ? name : "")};
    return array_push_try(&s->believed, b) || signals_no_memory(s);
}

bool signals_know_beliefs(signals *s) {
    if (s->beliefs_ready || s->failed != OK)
        return s->failed == OK;
    s->agents.count = s->believed.count = 0;
    s->beliefs_ready =
        signals_read(s, "SELECT id, name, object FROM agent WHERE episode = ?1 ORDER BY id",
                     s->episode.id, read_agent, NULL) &&
        signals_read(s, "SELECT id, agent, name FROM believed WHERE episode = ?1 ORDER BY id",
                     s->episode.id, read_believed, NULL);
    return s->failed == OK;
}

static bool read_placement(signals *s, sqlite3_stmt *row, believed_row *out) {
    const char *parent = (const char *)sqlite3_column_text(row, 1);
    out->parent = values_symbol(s->values, parent ? parent : "map");
    return (column_tick(row, 0, &out->t) && column_fixed_pose(row, 2, &out->at)) ||
           signals_damaged(s, "believed_frame");
}

static bool read_frame(signals *s, sqlite3_stmt *row, void *context) {
    believed_thing *b = context;
    believed_row r;
    return read_placement(s, row, &r) && (array_push_try(&b->rows, r) || signals_no_memory(s));
}

#define PLACEMENTS                                                                                 \
    "SELECT t, parent, x, y, z, qw, qx, qy, qz FROM believed_frame WHERE believed = ?1"

static bool read_frames(signals *s, believed_thing *b) {
    b->rows.count = 0;
    b->loaded = signals_read(s, PLACEMENTS " ORDER BY t, nth", b->id, read_frame, b);
    return b->loaded;
}

#define ALONE_MAX 200 // instants of one believed object that are looked up one by one

static bool take_placement(signals *s, sqlite3_stmt *row, void *context) {
    believed_row *out = context;
    return read_placement(s, row, out);
}

// Gives the placement in force at an instant. False: there is none yet, or it failed. As long as
// few are asked for, only their rows are read.
static bool placement_at(signals *s, believed_thing *b, nanos t, believed_row *out) {
    if (!b->loaded && b->asked++ < ALONE_MAX) {
        if (!s->select_placement)
            s->select_placement =
                signals_select(s, PLACEMENTS " AND t <= ?2 ORDER BY t DESC, nth DESC LIMIT 1");
        sqlite3_bind_int64(s->select_placement, 2, t / RECORD_TICK);
        out->parent = VALUE_NONE;
        return signals_read_rows(s, s->select_placement, b->id, take_placement, out) &&
               out->parent != VALUE_NONE;
    }
    if (!b->loaded && !read_frames(s, b))
        return false;
    size_t next = upper_bound(b->rows.items, sizeof *b->rows.items, b->rows.count, t);
    if (next > 0)
        *out = b->rows.items[next - 1];
    return next > 0;
}

// Finds what an agent believes in, whose rows may not be read yet. NULL: nothing of this name, or
// it failed.
static believed_thing *find_believed(signals *s, value agent, value name) {
    if (!signals_know_beliefs(s))
        return NULL;
    const agent_row *who = NULL;
    for (size_t i = 0; i < s->agents.count; i++) {
        if (s->agents.items[i].name == agent)
            who = &s->agents.items[i];
    }
    // Any robot calls itself `robot`.
    if (who && name != who->name &&
        strcmp(value_kind(name) == VALUE_SYMBOL ? values_text(s->values, name) : "", "robot") == 0)
        name = who->name;
    for (size_t i = 0; who && i < s->believed.count; i++) {
        believed_thing *b = &s->believed.items[i];
        if (b->agent == who->id && b->name == name)
            return b;
    }
    return NULL;
}

believed_thing *signals_believed(signals *s, value agent, value name) {
    believed_thing *b = find_believed(s, agent, name);
    return b && (b->loaded || read_frames(s, b)) ? b : NULL;
}

static thing *agent_body(signals *s, value agent) {
    for (size_t i = 0; i < s->agents.count; i++) {
        if (s->agents.items[i].name == agent)
            return signals_thing_of(s, s->agents.items[i].object);
    }
    return NULL;
}

// Returns the palm of a gripper: the parent of the frames of what it holds.
static thing *palm_of(signals *s, thing *gripper) {
    for (size_t i = 0; i < s->things.count; i++) {
        if (s->things.items[i].whole == gripper->id && strcmp(s->things.items[i].kind, "palm") == 0)
            return &s->things.items[i];
    }
    return gripper;
}

bool signals_believed_pose(signals *s, value agent, value name, nanos t, int depth, pose *out) {
    believed_thing *b = find_believed(s, agent, name);
    believed_row r;
    if (!b || depth > 16 || !placement_at(s, b, t, &r))
        return false;
    pose up;
    if (r.parent == s->names_map) {
        *out = r.at;
        return true;
    }
    if (r.parent != name && find_believed(s, agent, r.parent)) {
        if (!signals_believed_pose(s, agent, r.parent, t, depth + 1, &up))
            return false;
        *out = pose_mul(up, r.at);
        return true;
    }
    thing *hand = signals_thing(s, r.parent), *body = agent_body(s, agent);
    pose base, palm;
    if (!hand || !body || !signals_believed_pose(s, agent, agent, t, depth + 1, &up) ||
        !signals_pose(s, body, t, &base) || !signals_pose(s, palm_of(s, hand), t, &palm))
        return false;
    *out = pose_mul(up, pose_mul(pose_inverse(base), pose_mul(palm, r.at)));
    return true;
}
