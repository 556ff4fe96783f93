// cli/commands/wire.h - ends of a link in two processes (--serve, --remote): what couple and run
// share.
#ifndef FORESEE_CLI_COMMANDS_WIRE_H
#define FORESEE_CLI_COMMANDS_WIRE_H

#include "base/link/lockstep.h"
#include "cli/cli.h"

// Answers for an end until the other one has ended.
typedef status (*wire_end)(void *context, lockstep *link, error *err);
typedef struct wire_server {
    const char *address;
    uint64_t session; // by which the ends know that they run the same
    double patience;  // s for which the other end may be silent
    bool quiet;       // no word of the datagrams; where it listens is told all the same
    wire_end serve;
    void *context;
} wire_server;

// Waits for the other end, and serves it. Returns the exit status.
int wire_serve(const wire_server *w);
// Tells on the standard error what became of the datagrams, so that results are those of one
// process.
void wire_show(const lockstep *link);

#endif
