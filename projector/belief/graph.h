// projector/belief/graph.h - one view of the world as frames, typed relations and observations,
// from which estimators of unknown poses follow by themselves (Schierl, Angerer, Hoffmann, Reif:
// Consistent world models for cooperating robots, IRC 2017).
//
// Owns:      copies of all names; the history of every observation.
// Threads:   one graph belongs to one thread; questions of it, too, bring its estimates up to date.
// Invariant: the estimates are a function of frames, relations and observations alone, whatever the
//            edits that led there and their order but for the ids they gave.
//
// A relation without a pose is unknown. An observation measures the pose of one frame in another.
// An estimate closes a cycle: an observation, relations with known poses, a run of unknown
// relations, relations with known poses. It gives the run's ends a pose in one another; a run of
// several relations is bridged as one (IV-A).
//
// Which estimates there are: of all observations without one, the one whose cycle has the fewest
// unknown relations is taken, the first of them where several have; its run then counts as known;
// and so on until no observation closes a cycle any more. Of an observation's cycles with equally
// many unknown relations the shortest counts, of those the one with the smallest ids from its start
// on. An observation whose cycle has no unknown relation is redundant, and has a residual.
#ifndef FORESEE_PROJECTOR_BELIEF_GRAPH_H
#define FORESEE_PROJECTOR_BELIEF_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/math/geom.h"
#include "base/status.h"
#include "base/time/times.h"

typedef struct graph graph;
typedef size_t graph_id; // of a frame, a relation or an observation, each from 1; never used again
enum { GRAPH_NONE = 0 };

typedef enum connection {
#define CONNECTION(name, text, constant, doc) CONNECTION_##name,
#include "projector/belief/connections.def"
#undef CONNECTION
} connection;
const char *connection_name(connection c); // static, dynamic or placement

// Standard deviations of a pose: of the position along its worst axis (m), of the angle (rad).
typedef struct spread {
    double position, angle;
} spread;

// The pose of one frame in another, and how it changes.
typedef struct motion {
    pose at;
    vec3 speed, spin; // m/s and rad/s, both in the frame that `at` is given in
    spread off;
} motion;

// Which data an estimate takes (IV-B).
typedef enum estimator {
    ESTIMATOR_SNAPSHOT, // those of one instant; what varies goes on at constant velocity
    ESTIMATOR_LATEST,   // what each observation said last, whenever that was
    // None of the graph's: whoever declares the observation makes the mean of what it said, and
    // says by graph_hold what follows for the relations of its run.
    ESTIMATOR_MEAN
} estimator;

// ---- Frames, relations, observations ------------------------------------------------------------
// Observations keep what they measured within `keep` before their last reading. `kind` is snapshot
// or latest, of all estimates but those of graph_observe_mean.
graph *graph_create(estimator kind, nanos keep);
void graph_destroy(graph *g); // NULL is a no-op

graph_id graph_add_frame(graph *g, const char *name);  // whatever others are called
graph_id graph_find(const graph *g, const char *name); // GRAPH_NONE: there is none
const char *graph_frame_name(const graph *g, graph_id frame);
void graph_rename(graph *g, graph_id frame, const char *name);
size_t graph_frame_count(const graph *g); // their ids are 1 to this number
// A number that grows with every change of what there is: frames, relations, which of them have a
// pose, observations. Measurements do not count.
uint64_t graph_version(const graph *g);

// Relates frame b to frame a. `at` is the pose of b in a; NULL: unknown. E_INPUT: the two frames
// are one, or the pose contradicts the static relations with poses that join them already; nothing
// is added then, and the message says by how much.
status graph_relate(graph *g, connection kind, graph_id a, graph_id b, const pose *at,
                    graph_id *out, error *err);
void graph_part(graph *g, graph_id relation); // removes it; no effect where it is gone already
// Gives a relation a pose, or with NULL takes it away again.
void graph_fix(graph *g, graph_id relation, const pose *at);
// Relates frame b to frame a instead of by *relation, in one step: that goes, a relation without a
// pose takes its place, and its observations estimate this one. GRAPH_NONE: there was none. No
// effect where b is related to a already. The two frames must differ.
void graph_move(graph *g, graph_id *relation, connection kind, graph_id a, graph_id b);
// Holds a pose for a relation: it counts while an estimate of ESTIMATOR_MEAN makes the relation
// known, and is the pose of a relation that is given.
void graph_hold(graph *g, graph_id relation, const pose *at);
// Gives the pose that a relation was given, or that is held for it. False: neither.
bool graph_held(const graph *g, graph_id relation, pose *out);

typedef struct graph_relation {
    graph_id id;
    connection kind;
    graph_id a, b;
    bool given; // it has a pose
} graph_relation;
size_t graph_relation_count(const graph *g);
graph_relation graph_relation_at(const graph *g, size_t i); // in the order of their ids
// Gives the relation of an id. False: it is gone.
bool graph_find_relation(const graph *g, graph_id id, graph_relation *out);

// Declares that `sensor` measures the pose of b in a. The two frames must differ.
graph_id graph_observe(graph *g, const char *sensor, graph_id a, graph_id b);
// The same, of which somebody else makes the mean: it takes no measurements.
graph_id graph_observe_mean(graph *g, const char *sensor, graph_id a, graph_id b);
// Has an observation's estimates hold from now on what graph_hold says; its history goes.
void graph_settle(graph *g, graph_id observation);
void graph_ignore(graph *g, graph_id observation); // removes it with its history
// Takes a measurement that was taken at t into the observation's history, at its time, be it late
// or not; one of the same instant is replaced. `velocity` in `m` counts where `moving`; otherwise
// the velocity is what follows from those of the last 0.2 s, or from the one before. False: t lies
// before all that is kept, or the observation is gone or takes none; nothing changes then.
bool graph_measure(graph *g, graph_id observation, nanos t, const motion *m, bool moving);

// ---- Estimates ----------------------------------------------------------------------------------
typedef struct estimate {
    graph_id observation, from, to; // the pose of `to` in `from`
    const char *sensor;             // of the observation
    const graph_id *run;            // the unknown relations that it bridges, from `from` to `to`
    size_t run_count;
    bool constant; // no relation of the run varies
} estimate;
// The estimates in the order in which they were established; valid until the next edit.
size_t graph_estimates(graph *g, const estimate **out);
// The text of an estimate's cycle: frames from the observation's first frame to its second one,
// with
// "=" between two where the pose is known, "~" along the run. Valid until the next call.
const char *graph_cycle(graph *g, size_t estimate);

// The pose and velocity of frame b in frame a at time t. Between two measurements they are
// interpolated. False: no known relations and estimates with data join the two at t.
bool graph_pose(graph *g, graph_id a, graph_id b, nanos t, motion *out);
// How far a redundant observation's last measurement is from what the rest of the graph says of
// that instant, m and rad. False: it is not redundant, or there are no data.
bool graph_residual(graph *g, graph_id observation, double *distance, double *angle);
typedef struct redundancy {
    graph_id observation, a, b; // it measures the pose of b in a
    const char *sensor;
    nanos t; // of its last measurement
    double distance, angle;
} redundancy;
// Gives the redundant observation with the smallest id above `after` that has a residual. False:
// there is none.
bool graph_next_redundant(graph *g, graph_id after, redundancy *out);

#endif
