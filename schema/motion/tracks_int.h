// schema/motion/tracks_int.h - the state of tracks: the chains of an episode, and the keys read so
// far.
#ifndef FORESEE_SCHEMA_TRACKS_INT_H
#define FORESEE_SCHEMA_TRACKS_INT_H

#include "base/search.h"
#include "schema/motion/keyframe.h"
#include "schema/motion/tracks.h"

#define NO_NODE IDS_NONE

// One key of either kind, each of which begins with its instant.
typedef union any_key {
    nanos t;
    keyframe_pose_key place;
    keyframe_value_key number;
} any_key;

// The tables with keyframes.
typedef enum key_table { JOINTS, POSES, RELATIVE_POSES, TABLES } key_table;

typedef enum motion { MOTION_FIXED, MOTION_REVOLUTE, MOTION_PRISMATIC, MOTION_FLOATING } motion;

typedef ARRAY(nanos) knots;

// A span of time whose keys are all read, with the last one not after its beginning and the first
// one not before its end, so that all that holds in it can be told.
typedef struct key_span {
    nanos from, to;
} key_span;
typedef struct key_cover {
    ARRAY(key_span) spans; // apart from one another
    size_t last;           // the one that was asked for last
    nanos step;            // at multiples of which the next one begins and ends; 0: the first
} key_cover;

// One row of `object` with its linkage and its keyframes.
typedef struct node {
    int64_t id;
    bool linked;          // pose follows from the parent's
    size_t parent, joint; // indexes of nodes, NO_NODE
    motion motion;
    pose origin;
    vec3 axis;
    double turned_by; // rad; `turn` is the rotation about the axis by it
    quat turn;
    bool knots_loaded;
    ARRAY(keyframe_pose_key) poses; // those of the spans
    ARRAY(keyframe_value_key) values;
    key_cover poses_read, values_read;
    knots knots, own_knots;
    size_t pose_at, value_at; // where the last look-up ended
    size_t asked;             // how many instants were looked up one by one
    bool cached;              // the pose at `cached_t`
    nanos cached_t;
    pose cached_pose;
} node;

struct tracks {
    sqlite3 *db;
    // Of joints, poses and relative poses: the rows of an object in a span and beside it, those not
    // after an instant, and those after it.
    sqlite3_stmt *select[TABLES], *beside[TABLES][2];
    size_t alone_most; // so many instants of an object are looked up one by one: its keys are taken
                       // to be some three times as many
    ARRAY(node) nodes; // by id
    ARRAY(size_t) chain; // room to walk from a link to its root
    knots between;       // of the last call that asked for those of a span
    bool none;           // the last call found no pose, or no object
};

extern const char *const tracks_tables[TABLES];
extern const char *const tracks_table_objects[TABLES];
extern const char *const tracks_table_columns[TABLES];

// ---- reading (tracks_read.c)
// The log could not be read.
status tracks_keys_failed(const tracks *t, key_table of, error *err);
status tracks_no_memory(error *err);
status tracks_prepare(tracks *t, const char *sql, sqlite3_stmt **out, error *err);
size_t tracks_find_node(const tracks *t, int64_t id);
key_table tracks_poses_of(const node *n);
int64_t tracks_tick_before(nanos t); // the last one not after it
// Gives the key in the present row of a statement.
status tracks_read_key(const tracks *t, key_table of, sqlite3_stmt *q, any_key *out, error *err);
bool tracks_has_read(key_cover *c, nanos from, nanos to);
// Read the keys that tell all of [from, to], unless that was done before.
status tracks_load_poses(tracks *t, node *n, nanos from, nanos to, error *err);
status tracks_load_values(tracks *t, node *n, nanos from, nanos to, error *err);

// ---- between keys (tracks.c)
status tracks_find_object(tracks *t, int64_t object, size_t *at, error *err);
status tracks_own_pose(tracks *t, node *n, nanos at, bool alone, pose *out, error *err);
double tracks_keyed_value(node *n, nanos at);
bool tracks_same_turn(quat a, quat b);
pose tracks_pose_between(const keyframe_pose_key *a, const keyframe_pose_key *b, nanos at);
double tracks_value_between(const keyframe_value_key *a, const keyframe_value_key *b, nanos at);

#endif
