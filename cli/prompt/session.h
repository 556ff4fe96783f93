// cli/prompt/session.h - a log that is being asked: one connection for each episode, and how
// answers are wanted.
#ifndef FORESEE_CLI_SESSION_H
#define FORESEE_CLI_SESSION_H

#include "cli/answers.h"

typedef struct session {
    const char *log;
    foresee_options options; // the connections were opened with; `episode` of the first
    foresee **logs;          // from malloc, as is
    int64_t *episodes;       // the episode of each
    size_t count;
    bool many;                // every answer says of which episode it is
    int64_t wanted;           // the episode that was asked for; 0: the last, -1: all
    const char *const *rules; // files that every connection has loaded
    size_t rule_count;
    answer_form form;
    bool timed, planned, why;
    double opening; // seconds that opening the log and reading the rules took
} session;

// Opens a connection to one episode (0: the last) with the rules of the session, and prints what is
// wrong. NULL: *result says what that means.
foresee *session_open(const session *s, int64_t episode, int *result);
// Answers one query, or `why` and `why not`: answers to standard output, what is wrong, the plan
// and the time to standard error. Gives the exit status that it means.
int session_ask(session *s, const char *text);
// What stands around calls that may take long, so that they can be ended.
typedef struct session_guard {
    void (*begin)(void *context, foresee *f);
    void (*end)(void *context);
    // A query was prepared on the connection, the first: it may have warnings.
    void (*prepared)(void *context, foresee *f);
    void *context;
} session_guard;

// What was put to every episode of the session.
typedef struct session_asked {
    int code;                // FORESEE_OK, or that of the call that failed
    foresee *failed;         // the connection that it failed on; NULL: none
    double seconds;          // that it took
    bool found;              // some episode has an answer, or the goal holds in it
    foresee_query **queries; // of answers: one for each episode, each stepped once
    text_buffer reasons;     // of reasons: those of all, as they are printed
} session_asked;
// Puts a query to each episode, up to its first answer; or asks each why a goal holds. Ended by
// session_asked_finish, whatever the code.
session_asked session_query(const session *s, const char *text, const session_guard *g);
session_asked session_explain(const session *s, const char *goal, const session_guard *g);
void session_asked_finish(const session *s, session_asked *a);
// As the session is told to: how each query was run, that of several episodes under a line with its
// number; and a line with the time, of which `opening` and `printing` are parts, in seconds.
void session_put_costs(const session *s, const session_asked *a, double opening, double printing,
                       text_buffer *out);
int session_exit(int code); // the exit status of a call's code
double session_clock(void); // seconds, of a clock that never goes back
// Prints the mistakes of the last call on `f` and gives the exit status of its code.
int session_failed(const foresee *f, int code);

#endif
