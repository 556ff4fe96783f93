// projector/belief/graph_int.h - the state of a graph, for graph.c and estimate.c.
#ifndef FORESEE_PROJECTOR_BELIEF_GRAPH_INT_H
#define FORESEE_PROJECTOR_BELIEF_GRAPH_INT_H

#include "base/mem.h"
#include "projector/belief/graph.h"

typedef struct relation {
    graph_id id;
    connection kind;
    graph_id a, b;
    bool fixed, held;
    pose at; // of b in a, where fixed or held
} relation;

typedef struct measurement {
    nanos t;
    motion m;
    bool moving; // its velocity was measured, too
} measurement;

typedef struct observation {
    graph_id id;
    char *sensor;
    graph_id a, b;
    estimator kind;
    ARRAY(measurement) history; // by time
    bool redundant, estimates;  // it closes a cycle of known relations; it makes an estimate
} observation;

// One step of a cycle or path: along a relation, or across a bridge.
typedef struct hop {
    size_t edge;  // index among `edges`
    bool forward; // from the edge's a to its b
} hop;

// What can be walked along: each relation, and each estimate that bridges several.
typedef struct edge {
    graph_id id; // of the relation; of a bridge: the observation's, after those of all relations
    graph_id a, b;
    bool known;
    size_t relation; // index; SIZE_MAX: a bridge
    size_t estimate; // index of the estimate that makes it known; SIZE_MAX: none
    size_t next[2];  // the edge after it among those of its a, and of its b; SIZE_MAX: none
} edge;

// The best walk between two frames along what is known, as a question has found it.
typedef struct known_walk {
    graph_id a, b;
    bool there;
    ARRAY(hop) path;
} known_walk;

typedef struct established {
    estimate face;
    size_t observation; // index
    size_t first_run;   // of the path: index of the first hop of the run
    ARRAY(hop) path;    // from the observation's a to its b
    ARRAY(graph_id) run;
} established;

struct graph {
    estimator kind;
    nanos keep;
    ARRAY(char *) frames; // by id - 1
    ARRAY(relation) relations;
    ARRAY(observation) observations;
    graph_id last_relation, last_observation;
    bool stale; // the structure has changed since the estimates were made
    uint64_t version;
    ARRAY(edge) edges;
    ARRAY(size_t) first; // by frame: the first of its edges; SIZE_MAX: none
    ARRAY(established) established;
    ARRAY(estimate) faces;
    ARRAY(hop) path;         // of the last walk
    ARRAY(size_t) labels;    // scratch of a walk
    ARRAY(size_t) queue;     // the same
    ARRAY(char) queued;      // the same
    ARRAY(known_walk) walks; // of the present edges
    size_t walk_count;       // those of them that are of use; the others lend their memory
    ARRAY(char) text;
};

// Along which edges a walk may go.
typedef enum walk_along {
    ALONG_ALL,   // of those that are unknown along one run at most
    ALONG_KNOWN, // relations with poses, and estimates
    ALONG_STATIC // static relations with poses
} walk_along;

// Makes the edges of the relations anew, without any estimate.
void graph_make_edges(graph *g);
void graph_add_edge(graph *g, edge e);
// Fills g->path with the best walk from a to b: fewest unknown edges, then fewest edges, then the
// smallest ids from a on. Returns the number of unknown edges; SIZE_MAX: there is no walk.
size_t graph_walk(graph *g, graph_id a, graph_id b, walk_along along);
// Makes the estimates agree with the structure.
void graph_refresh(graph *g);

#endif
