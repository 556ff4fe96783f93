// cli/prompt/session.h - a log that is being asked: one connection for each episode, and how
// answers are wanted.
//
// Owns: the connections, and the numbers of their episodes.
#ifndef FORESEE_CLI_SESSION_H
#define FORESEE_CLI_SESSION_H

#include "base/time/times.h"
#include "cli/answers.h"

typedef struct session {
    const char *log;
    foresee_options options;  // the connections were opened with; `episode` of the first
    foresee **logs;           // the connections
    int64_t *episodes;        // the episode of each
    size_t count;             // of connections
    bool many;                // every answer says of which episode it is
    int64_t wanted;           // the episode that was asked for; 0: the last, -1: all
    const char *const *rules; // files that every connection has loaded
    size_t rule_count;
    answer_form form;
    bool timed, planned, why;
    double opening; // seconds that opening the log and reading the rules took, where they count
} session;

// Opens a connection to one episode (0: the last), `first` of several or not. NULL: *result is the
// exit status, and what is wrong was printed.
typedef foresee *session_opener(void *context, int64_t episode, bool first, int *result);
// Connects the session to an episode (0: the last, -1: to each). Where a connection cannot be
// opened the session keeps those that it had, and the exit status says so.
int session_connect(session *s, int64_t wanted, session_opener *open, void *context);
void session_close(session *s); // a session without connections: a no-op

// The one who asks: the command line, or the prompt.
typedef struct session_asker {
    void *context;
    // These two stand around calls that may take long, so that they can be ended.
    void (*begin)(void *context, foresee *f);
    void (*end)(void *context);
    bool (*stopped)(void); // whether no more answers are wanted
    // Prints the warnings of the query that was just prepared on the connection.
    void (*warn)(void *context, foresee *f);
    // Writes the answers. FORESEE_OK, or why not all of them were written.
    int (*write)(void *context, answer_form form, const answers_wanted *wanted);
    // Prints what may be why a query has no answer.
    void (*note)(void *context, foresee_query *q);
    void (*reasons)(void *context, const char *text);
    // Print why a call on the connection failed, after so much time, or why writing ended; both
    // return the exit status.
    int (*fail)(void *context, foresee *f, int code, nanos after);
    int (*unfinished)(void *context, int code);
} session_asker;

// Puts a query to every episode of the session and writes its answers, or (`why`) asks why a goal
// holds or does not; the plan and the time go to standard error, where the session wants them.
// Returns the exit status.
int session_ask(const session *s, const char *text, bool why, const session_asker *by);
int session_exit(int code); // the exit status of a call's code
// Prints the mistakes of the last call on `f` and returns the exit status of its code.
int session_failed(const foresee *f, int code);

#endif
