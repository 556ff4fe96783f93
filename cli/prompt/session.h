// cli/prompt/session.h - a log that is being asked, with a connection for each episode, and the
// form of the answers.
//
// Owns: the connections, and the numbers of their episodes.
#ifndef FORESEE_CLI_SESSION_H
#define FORESEE_CLI_SESSION_H

#include "base/time/times.h"
#include "cli/answers.h"

typedef struct session {
    const char *log;
    foresee_options options;  // options of all connections; `episode` is that of the first
    foresee **logs;           // the connections
    int64_t *episodes;        // the episode of each connection
    size_t count;             // how many connections
    bool many;                // answers are written with their episode
    int64_t wanted;           // the episode that was chosen; 0: the last, -1: all
    const char *const *rules; // files of rules that every connection loads
    size_t rule_count;
    answer_form form;
    bool timed, planned, why;
    nanos waited;   // how long the writing of answers has waited for a person's keys; wall time
    double opening; // seconds for opening the log and reading the rules, as far as they count
} session;

// Opens a connection to an episode (0: the last); `first`: it is the session's first. NULL: the
// mistakes were printed, and *result is the exit status.
typedef foresee *session_opener(void *context, int64_t episode, bool first, int *result);
// Connects the session to an episode (0: the last, -1: to each). If a connection cannot be opened
// the session keeps the former ones, and the exit status is not EXIT_YES.
int session_connect(session *s, int64_t wanted, session_opener *open, void *context);
void session_close(session *s); // without connections a no-op

// How the command line, or the prompt, prints and interrupts what it asks.
typedef struct session_asker {
    void *context;
    // These two are called before and after calls that may take long, so that these can be
    // interrupted.
    void (*begin)(void *context, foresee *f);
    void (*end)(void *context);
    bool (*stopped)(void); // returns whether no more answers are wanted
    // Prints the warnings of the query that was just prepared on the connection.
    void (*warn)(void *context, foresee *f);
    // Writes the answers. Returns FORESEE_OK, or the code for why not all were written.
    int (*write)(void *context, answer_form form, const answers_wanted *wanted);
    // Prints possible reasons why a query has no answer.
    void (*note)(void *context, foresee_query *q);
    void (*reasons)(void *context, const char *text);
    // Print why a call on the connection failed after this time, and why writing ended early. Both
    // return the exit status.
    int (*fail)(void *context, foresee *f, int code, nanos after);
    int (*unfinished)(void *context, int code);
} session_asker;

// Puts a query to every episode of the session and writes its answers; or, with `why`, explains why
// a goal holds or not. The plan and the time go to standard error, if the session wants them.
// Returns the exit status.
int session_ask(const session *s, const char *text, bool why, const session_asker *by);
int session_exit(int code); // the exit status of a call's code
// Prints the mistakes of the last call on `f` and returns the exit status of its code.
int session_failed(const foresee *f, int code);

#endif
