// projector/belief/view.h - a belief's view of the robot itself, of other robots and of things: its
// graph, what the log has of it, and what view.c, view_things.c and view_log.c do with both.
#ifndef FORESEE_PROJECTOR_BELIEF_VIEW_H
#define FORESEE_PROJECTOR_BELIEF_VIEW_H

#include "base/mem.h"
#include "projector/belief/belief.h"
#include "projector/belief/graph.h"

enum { ARMS_MAX = 4 };

// Another robot of the projection, as this one may know it.
typedef struct peer {
    const char *name;
    graph_id frame, marker; // of its base; of what trackers see of it, GRAPH_NONE: nothing
    pose marker_at;         // of that in its base
    graph_id seen;          // the observation that tells where it is; GRAPH_NONE: it was never seen
    const char *sensor;     // whose that is: a tracker's, or a detector's; NULL: nobody's
    nanos seen_at;          // when that was measured last
    nanos told_at;          // when that was read last
    vec3 lagging;           // its place in the map, behind by some of its way
    double lagging_yaw;     // the same of its heading
    vec3 speed;             // m/s, by which that lagged when it was measured last
    double radius, height;  // of the cylinder that it keeps within
    int64_t object;         // log id of the robot
    int64_t believed;       // of its BELIEVED row; 0: none yet
    pose logged;            // its pose in the map as written last
} peer;

// What the log has of the view: rows that have not ended.
typedef struct relation_row {
    graph_relation is;
    int64_t row;
} relation_row;
typedef struct estimate_row {
    graph_id observation;
    char *cycle;
    int64_t row;
} estimate_row;
typedef struct residual_row { // of a redundant observation, as written last
    graph_id observation;
    nanos t;
} residual_row;
typedef struct view_log {
    uint64_t version;      // of the graph, as of the last time
    ARRAY(int64_t) frames; // rows by frame - 1
    ARRAY(relation_row) relations;
    ARRAY(estimate_row) estimates;
    ARRAY(residual_row) residuals;
} view_log;

// How the robot, its hands and other robots are placed: Figures 4 to 7 of Schierl et al. 2017. The
// base moves from its start, which lies in the map at a place that is given at first, and then
// estimated from what a tracking system sees of the base's marker or from the laser; the hands move
// in the base.
typedef struct robot_view {
    graph *graph;
    graph_id map, robot;
    graph_id start, eye, marker;           // GRAPH_NONE: a fixed base, no tracking system
    graph_id hands[ARMS_MAX];              // by arm
    graph_id placement;                    // of the start in the map
    graph_id odometry, encoders[ARMS_MAX]; // observations
    graph_id outer; // the observation that tells the start's place; GRAPH_NONE: it is given
    const char *outer_sensor; // whose observation that is; NULL: nobody's
    graph_id second;          // what the laser says of it while a tracker tells it
    bool told;                // a tracker tells it
    nanos told_at;            // when it did last
    nanos fixed_at;           // when something else did
    pose driven;              // from the start, by odometry
    nanos driven_at;          // when odometry said so
    ARRAY(peer) peers;
    view_log log;
} robot_view;

status belief_view_init(belief *b, nanos t, error *err);
void belief_view_finish(belief *b);
void belief_view_call(belief *b); // calls the robot's own frames after its name among several
// Takes in the motion of the base that self[0] has made already, and corrects it where a tracker
// tells where the base was.
void belief_view_drive(belief *b, const reading *r);
void belief_view_reach(belief *b, nanos taken); // where the encoders put the hands
status belief_view_track(belief *b, const reading *r, error *err);  // a tracker's reading
status belief_view_detect(belief *b, const reading *r, error *err); // a detector's
void belief_view_localised(belief *b); // the laser has told where the robot is now
// Gives the pose of the base in the map at a time. False: a tracker has not told it.
bool belief_view_at(const belief *b, nanos t, pose *out);
// Gives the pose of a palm in the base at a time. False: it is not remembered.
bool belief_view_hand(const belief *b, size_t arm, nanos t, pose *out);
// Returns another robot of the projection; NULL: there is none of this name.
peer *belief_view_peer(const belief *b, const char *name);
// The planar motion of another robot's base in the map at a time. False: nothing tells it.
bool belief_view_other(const belief *b, const peer *p, nanos t, motion *out);
// Relates an object to what it hangs on now, at `local` in that frame: its placement moves there in
// one step. What was never confirmed is no part of the view, and is only supposed there.
void belief_view_place(belief *b, size_t object, pose local);
// Takes an object out of the view again, as if it had never been confirmed.
void belief_view_leave(belief *b, size_t object);
// Has an object's pose follow from what a row of its frame names as its source, where that is a
// sense or a message; without a place, from nothing.
void belief_view_source(belief *b, size_t object, const char *source);
// Has it follow from the hand that holds the object, moves it, or has let it go.
void belief_view_by_hand(belief *b, size_t object, size_t arm);
// Has it follow from the laser's scans, which the caller measures: it is a part of the view from
// then on. Returns that observation.
graph_id belief_view_scan(belief *b, size_t object);
// Writes what has changed of frames, relations, estimates and the places of other robots.
status belief_view_log(belief *b, nanos t, error *err);
void belief_view_log_finish(belief *b);

#endif
