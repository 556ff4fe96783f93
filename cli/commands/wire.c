// cli/commands/wire.c - ends of a link in two processes: see wire.h.
#include "cli/commands/wire.h"

void wire_show(const lockstep *link) {
    lockstep_counts n = lockstep_count(link);
    fprintf(stderr,
            "foresee: %llu datagrams sent, %llu of them again; %llu received, %llu more came late "
            "or twice, %llu malformed, %llu of somebody else\n",
            (unsigned long long)n.sent, (unsigned long long)n.again, (unsigned long long)n.received,
            (unsigned long long)n.repeated, (unsigned long long)n.malformed,
            (unsigned long long)n.strange);
}

int wire_serve(const wire_server *w) {
    error err = {0};
    lockstep *link = NULL;
    status st = lockstep_listen(w->address, w->session, cli_is_stopped, &link, &err);
    if (st != OK)
        return cli_error(&err);
    lockstep_bear(link, w->patience);
    fprintf(stderr, "foresee: the follower's end listens at port %d\n", lockstep_port(link));
    st = lockstep_accept(link, &err);
    while (st == OK) {
        st = w->serve(w->context, link, &err);
        if (st == OK || !lockstep_anew(link))
            break;
        fprintf(stderr, "foresee: the other end was silent, and a new one has taken its place\n");
        err = (error){0};
        st = OK;
    }
    if (st == OK)
        lockstep_end(link);
    if (!w->quiet)
        wire_show(link);
    lockstep_destroy(link);
    return st == OK ? EXIT_YES : cli_is_stopped() ? EXIT_INTERRUPTED : cli_error(&err);
}
