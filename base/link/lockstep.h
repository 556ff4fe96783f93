// base/link/lockstep.h - two processes that step in turn over UDP: one asks, the other answers.
//
// The asker sends the numbers of a step and waits for the answer to that step; both go on to the
// next one together. A datagram that is not answered in time is sent again, and a question that
// comes again is answered as before, so what the network loses, doubles or delays changes no step.
// What is malformed, from another session or from somebody else is counted and dropped. An end that
// answers and has heard nothing of its asker for LOCKSTEP_DEAD takes the next one that greets it.
//
// A datagram, all numbers little-endian: "foresee1", u32 kind (1 hello, 2 step, 3 end, 4 refusal),
// u32 count, u64 session, u64 step (from 1; 0 outside of steps), `count` IEEE doubles, and the
// 64-bit FNV-1a hash of all bytes before it. A hello is answered with a hello or a refusal, a step
// with a step of the same number, an end with an end.
//
// Owns:      one socket.
// Threads:   one link belongs to one thread; its calls wait for the other end.
// Errors:    E_INPUT: an address cannot be read or used, or the other end refused the session;
//            E_IO: the other end has been silent for LOCKSTEP_PATIENCE or what was set instead, or
//            the network failed;
//            E_INTERRUPTED: `stopped` said so.
#ifndef FORESEE_BASE_LINK_LOCKSTEP_H
#define FORESEE_BASE_LINK_LOCKSTEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define LOCKSTEP_PATIENCE 5.0 // s
#define LOCKSTEP_DEAD 1.0     // s
enum { LOCKSTEP_MAX = 80 };   // numbers of a step

typedef struct lockstep_counts {
    uint64_t sent, again; // datagrams; those among them that repeat an earlier one
    uint64_t received;    // datagrams that were taken
    uint64_t repeated;    // of a step or greeting that had been taken before: late, or double
    uint64_t malformed;   // no datagram of this form, or with numbers that cannot be, ...
    uint64_t strange;     // ... or right, but of another session or another sender
} lockstep_counts;

typedef struct lockstep lockstep;

// Opens the end that asks. `address` is an IPv4 address and port, "127.0.0.1:4000"; `session` must
// be the same at both ends. Waits for the other end. `stopped` may be NULL.
status lockstep_call(const char *address, uint64_t session, bool (*stopped)(void), lockstep **out,
                     error *err);
// Opens the end that answers. Port 0: the system chooses one.
status lockstep_listen(const char *address, uint64_t session, bool (*stopped)(void), lockstep **out,
                       error *err);
int lockstep_port(const lockstep *l); // of this end
// How many seconds the other end may be silent.
void lockstep_bear(lockstep *l, double patience);
// Waits, without end, for the end that asks. Callers with another session are refused.
status lockstep_accept(lockstep *l, error *err);
// Asks, and waits for an answer of `answers` numbers, the first `finite` of which must be finite.
status lockstep_ask(lockstep *l, const double *question, size_t questions, double *answer,
                    size_t answers, size_t finite, error *err);
// Makes the answer to a question. False: no such question can be; it is counted as malformed.
typedef bool (*lockstep_answerer)(void *self, const double *question, double *answer);
typedef struct lockstep_service {
    size_t questions, answers; // numbers of each; all of a question's are finite
    uint64_t steps; // how many are answered; 0: until the other end says that none follows
    lockstep_answerer make;
    void *self;
} lockstep_service;
// E_IO, too, where another end has come in the place of the one that asked, and waits for its first
// step: lockstep_anew, which is true once.
status lockstep_serve(lockstep *l, const lockstep_service *how, error *err);
bool lockstep_anew(lockstep *l);
// Says that no step follows and waits, for a second at most, until the other end knows.
void lockstep_end(lockstep *l);
lockstep_counts lockstep_count(const lockstep *l);
void lockstep_destroy(lockstep *l); // NULL is a no-op

#endif
