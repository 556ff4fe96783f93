// projector/replay.h - drives the simulated robot as a recorded one moved, in place of a mind.
//
// The joints are sent to where the recorded encoders were, the base to where the recorded base was,
// and grippers are commanded as they were. Motors, contacts and all else that is true happen anew.
// What the recorded robot did, read and thought is put into the log as it was (replayed.def), each
// record in the cycle of its time, so that tasks and their goals can be judged by what happens now.
//
// Owns:      its place in the recording. Borrows recording, simulation and sink.
#ifndef FORESEE_PROJECTOR_REPLAY_H
#define FORESEE_PROJECTOR_REPLAY_H

#include "projector/inputs.h"
#include "projector/recorder.h"

typedef struct replay replay;

// Whether the recording can be followed, or stand in for the robot whose arms follow a station.
// E_INPUT: there are several robots and no such one, the recorded one has other joints, or hands
// are to drive its base.
status replay_check(const projection_inputs *in, error *err);
replay *replay_create(const recording *from);
void replay_destroy(replay *r); // NULL is a no-op
// A sink that passes everything on to `log` and from which the replay learns what the objects of
// the episode are; to be asked for before any record is put.
sink *replay_listen(replay *r, sink *log);
// Before the first cycle, when the objects are in the log.
void replay_begin(replay *r, sim *world, const recorder_ids *ids);
// Puts what was recorded up to t, and sends the robot to where it was at t + `cycle`.
status replay_cycle(replay *r, nanos t, nanos cycle, error *err);
// Puts the rest of what was recorded up to t.
status replay_finish(replay *r, nanos t, error *err);
// Whether the recording ends within a cycle that begins at t.
bool replay_ends(const replay *r, nanos t, nanos cycle);
// Whether an operation of this name runs.
bool replay_runs(const replay *r, const char *name);

#endif
