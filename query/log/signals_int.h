// query/log/signals_int.h - the state of signals, and its readers: objects, motion, contacts,
// beliefs.
#ifndef FORESEE_QUERY_SIGNALS_INT_H
#define FORESEE_QUERY_SIGNALS_INT_H

#include "query/log/signals.h"

#define HALF_WINDOW INT64_C(50000000) // half of the 100 ms of central differences and means

// Poses at ascending instants; linear and slerp between.
typedef struct keys {
    nanos *t;
    pose *p;
    size_t count, capacity;
} keys;

// The motion of an object as keys, as few as keep it within micrometres.
typedef struct motion {
    bool begun, none; // none: the object has no pose
    keys keys;
    size_t at[2];             // the pieces of the last two look-ups
    unsigned turn;            // which of them comes next: 0 or 1
    ARRAY(bool) stretches;    // equally long: whether its keys are read
    size_t unread;            // stretches
    nanos read_from, read_to; // [read_from, read_to) was asked for last; all of it is read
    bool boxed;
    vec3 low, high; // boxed: the corners of the box in which its positions lie
} motion;

// A motion along a chain of joints as keys, as few as keep it within ROUGH_SLACK and ROUGH_TURN of
// the true one; in blocks of equal length, each read when an instant in it is asked for.
typedef struct rough_key {
    nanos t;
    pose at;
} rough_key;
typedef struct rough_block {
    ARRAY(rough_key) keys;
    size_t last; // the piece of the last look-up
} rough_block;
typedef ARRAY(rough_block) rough_motion;
#define ROUGH_SLACK 4e-4 // m
#define ROUGH_TURN 2e-3  // rad

typedef enum solid_kind {
    SOLID_BOX,
    SOLID_CYLINDER,
    SOLID_SPHERE,
    SOLID_CAPSULE,
    SOLID_PLANE
} solid_kind;
typedef struct solid {
    solid_kind kind;
    pose at; // in its object's frame
    vec3 size;
} solid;

typedef struct thing thing;
// An object of the true world.
struct thing {
    int64_t id, whole;
    value name;
    char kind[12];
    vec3 up, com;
    double mass, half_x, half_y, tolerance;
    nanos from, until; // the object is in the world on [from, until)
    motion motion;
    rough_motion rough;
    ARRAY(solid) solids, interiors;
    ARRAY(thing *) bearers; // the things whose solids are its own: itself, or its parts
    bool bearers_known;
    ARRAY(vec3) points; // spread evenly over its volume
    double reach;       // of the points from its origin
};

// A step of the summed contacts of a pair of objects (each with its parts).
typedef struct force_step {
    nanos t;
    bool touching;
    double up, magnitude;     // of A on B, summed
    vec3 normal;              // from A to B, of the strongest
    double up_before, before; // integrals of `up` and of the time in contact up to t
} force_step;
typedef struct pair {
    const thing *a, *b;
    ARRAY(force_step) steps; // each in force until the next
} pair;

// An object between the fingers of a gripper, as the log has it since schema 14.
typedef struct hold {
    int64_t id, object, gripper;
    bool loaded;
    thing in_hand; // its pose, where there is one, is that of the object in the gripper's frame
} hold;

typedef struct contact_row {
    int64_t id, a, b;
    nanos start, end;
} contact_row;

typedef struct believed_row {
    nanos t;
    value parent;
    pose at;
} believed_row;
typedef struct believed_thing {
    int64_t id, agent;
    value name;
    bool loaded;
    size_t asked; // how many instants were looked up one by one
    ARRAY(believed_row) rows;
} believed_thing;
typedef struct agent_row {
    int64_t id;
    value name;
    int64_t object;
} agent_row;

typedef struct signal signal;
typedef struct sample {
    nanos t;
    double v;
} sample;
typedef ARRAY(sample) samples;
typedef ARRAY(nanos) instants;

struct signals {
    store *store;
    store_episode episode;
    values *values;
    facts *facts;
    budget *budget;
    tracks *tracks;
    bool ready;          // objects are read
    ARRAY(thing) things; // by id
    bool contacts_ready;
    ARRAY(contact_row) contacts;
    sqlite3_stmt *select_forces;
    ARRAY(pair *) pairs;
    bool holds_ready;
    ARRAY(hold) holds; // ascending in time
    bool beliefs_ready;
    sqlite3_stmt *select_placement; // of one believed object, in force at an instant
    ARRAY(believed_thing) believed;
    ARRAY(agent_row) agents;
    relation *series_of; // signal -> row number -> series
    ARRAY(samples) series;
    relation *runs_of; // question about the whole episode -> row number -> runs
    ARRAY(intervals) runs;
    value names_map, name_interval, name_pose;
    status failed; // the first failure since a builtin began
    error err;
};

typedef struct signal_info signal_info;
// A signal term with its names resolved.
struct signal {
    const signal_info *info; // NULL: arithmetic
    char op;                 // + - * / of two; n(egate), a(bs), < (min), > (max); # a number
    double number, tolerance;
    signal *left, *right;
    thing *o[3];
    nanos t0;
    bool reference_known;
    pose reference;
    pair *pair, *other_pair;
    value agent, believed;
};
struct signal_info {
    const char *name, *args;
    double (*run)(signals *s, signal *g, nanos t);
    double tolerance;
    const char *knots, *doc;
};

// ---- reading (signals_read.c)
bool signals_fail(signals *s, status why, const char *text); // false
bool signals_damaged(signals *s, const char *table);         // false: a row holds what it cannot
bool signals_no_memory(signals *s);                          // false
bool signals_tracks_failed(signals *s, status why, const error *err); // false
// Takes one row. False ends the reading; the reader has said why by one of the above.
typedef bool row_reader(signals *s, sqlite3_stmt *row, void *context);
// Goes through the rows of a query with one parameter, ?1 = key. False: it failed.
bool signals_read(signals *s, const char *sql, int64_t key, row_reader *read, void *context);
// The same with a prepared query, which the caller keeps. NULL: it could not be prepared.
sqlite3_stmt *signals_select(signals *s, const char *sql);
bool signals_read_rows(signals *s, sqlite3_stmt *rows, int64_t key, row_reader *read,
                       void *context);

// ---- objects (signals_objects.c)
status signals_prepare(signals *s); // reads the objects
void signals_forget_things(signals *s);
thing *signals_thing(signals *s, value name); // NULL: none, or failed
thing *signals_thing_of(signals *s, int64_t id);

// ---- motion (signals_motion.c)
bool signals_pose(signals *s, thing *o, nanos t, pose *out);     // false: it has none then
bool signals_position(signals *s, thing *o, nanos t, vec3 *out); // the pose's position alone
// The pose for single instants: from the log's own keyframes, without loading the whole motion.
bool signals_pose_alone(signals *s, thing *o, nanos t, pose *out);
// The motion, whose keys of [from, to] and beside it are read. They may lie elsewhere after the
// next call for any motion. NULL: the object has none, or failed.
motion *signals_motion_in(signals *s, thing *o, nanos from, nanos to);
pose signals_pose_between(pose a, pose b, double u); // linear and slerp
// All of it, with its box.
const motion *signals_motion(signals *s, thing *o);
// Returns whether the object has one pose at all times.
bool signals_rests(signals *s, thing *o);
// Adds a key behind those that are there. False: failed.
bool signals_add_key(signals *s, keys *k, nanos t, pose p);
void signals_forget_motion(motion *m);

// ---- where held objects are in hands (signals_holds.c)
// The first hold of one object by the other that overlaps a span.
typedef struct holding {
    thing *in_hand; // NULL: none that the log has keys of, or failed
    bool turned;    // the second object is in the hand of the first one
} holding;
holding signals_hold(signals *s, const thing *a, const thing *b, nanos from, nanos to);
bool held_covers(holding h, nanos from, nanos to); // false also where there is none
// Gives the pose of the first object in the frame of the second one, within the hold.
bool signals_held_pose(signals *s, holding h, nanos t, pose *out);
void signals_forget_holds(signals *s);

// ---- motion along chains of joints, within bounds (signals_rough.c)
// Returns whether the object's motion costs a walk along a chain at each instant.
bool signals_is_chained(signals *s, const thing *o);
// Gives a pose within ROUGH_SLACK and ROUGH_TURN of that of a chained object at an instant, and the
// next instant to which its way is straight and steady. False: failed.
bool signals_rough_pose(signals *s, thing *o, nanos t, pose *out, nanos *next);
void signals_forget_rough(rough_motion *m);

// ---- contacts (signals_contacts.c)
pair *signals_pair(signals *s, const thing *a, const thing *b); // NULL: failed
const force_step *pair_at(const pair *p, nanos t);              // NULL before the first
double pair_mean_up(const pair *p, nanos t);
bool pair_touches(const pair *p, nanos from, nanos to); // at some instant of [from, to]

// ---- beliefs (signals_beliefs.c)
bool signals_know_beliefs(signals *s); // what each agent believes in, by name; false: it failed
bool signals_believed_pose(signals *s, value agent, value name, nanos t, int depth, pose *out);
believed_thing *signals_believed(signals *s, value agent, value name);

// ---- geometry (spatial.c)
double thing_support(signals *s, thing *o, nanos t, vec3 direction); // of its solids; NaN: none
// Returns the radius of a ball about its origin that holds its solids; infinite where these are
// those of parts, or have no end.
double thing_reach(signals *s, thing *o);
double things_footprint_gap(signals *s, thing *a, thing *b, nanos t);
// Returns whether the footprint has the point (x, y) of the floor plan; false also when it failed.
bool thing_covers(signals *s, thing *o, nanos t, double x, double y);
double region_footprint_gap(signals *s, thing *o, thing *region, nanos t);
double thing_inside(signals *s, thing *o, thing *container, nanos t);
double thing_bottom_inside(signals *s, thing *o, thing *container, nanos t);
double region_margin(signals *s, thing *o, thing *region, nanos t);
// Returns whether it is known that the margin is greater than this at all times. False also where
// it failed.
bool region_stays_beyond(signals *s, thing *o, thing *region, double margin);

// ---- evaluation (signal.c)
// Resolves a signal term. NULL: there is no such signal or object, or it failed (s->failed).
signal *signal_resolve(signals *s, arena *a, value term);
double signal_at(signals *s, signal *g, nanos t); // NaN: no value
// Returns whether it is known, without looking at it everywhere, that the signal is never at or
// below a level.
bool signal_stays_above(signals *s, const signal *g, double level);
void signal_knots(signals *s, const signal *g, nanos from, nanos to, instants *out);
// Finds the pose that the signal is measured from. False: its objects have none then.
bool signal_knows_reference(signals *s, signal *g);
// Gives the hold of its two objects in which the instant lies that the signal is measured from. It
// tells the signal as long as it lasts.
holding signal_hold_since(signals *s, const signal *g);

// ---- bounds (signals_range.c)
typedef struct signal_range {
    double low, high;
} signal_range;
// Bounds the signal's values at all instants of [from, to], without looking at it everywhere, to
// within the rounding of numbers. False: no bounds are known, or it failed.
bool signal_bounds(signals *s, signal *g, nanos from, nanos to, signal_range *out);
bool signal_has_bounds(const signal *g);             // some may be known
bool signal_is_chained(signals *s, const signal *g); // of chains of joints, with bounds

#define SIGNAL(name, args, function, tolerance, knots, doc)                                        \
    double function(signals *s, signal *g, nanos t);
#include "query/log/signals.def"
#undef SIGNAL

#endif
