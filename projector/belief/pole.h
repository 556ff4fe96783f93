// projector/belief/pole.h - a pole that the laser follows: what the belief knows of it, and what
// pole.c does in the course of a cycle. belief.h has what others may ask of it.
#ifndef FORESEE_PROJECTOR_BELIEF_POLE_H
#define FORESEE_PROJECTOR_BELIEF_POLE_H

#include "projector/belief/belief.h"
#include "projector/belief/graph.h"

// The pole that the laser follows.
typedef struct pole {
    bool on;
    const body_type *kind;
    double diameter;
    const char *with;     // NULL: the map
    pose at;              // expected, in that frame
    size_t object;        // SIZE_MAX: none yet
    size_t scans;         // in a row that report it
    bool sure;            // enough in a row did, and one not long ago
    graph_id observation; // the laser's of it; GRAPH_NONE: none yet
    nanos seen;           // when the last scan that reports it was taken; -1: none yet
    pose logged;
    bool placed, reported; // since it is sure: its place follows from scans; that was reported
    vec3 found;            // where in the map it was reported
} pole;

// Takes in what a scan says of the pole that is followed.
status belief_pole_scan(belief *b, const reading *r, error *err);
// Puts the pole where the view says that it is now.
void belief_pole_move(belief *b, nanos t);
status belief_pole_log(belief *b, nanos t, error *err); // where it has moved

#endif
