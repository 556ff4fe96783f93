// cli/session.h - a log that is being asked: one connection for each episode, and how answers are
// wanted.
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
// The reasons of the i-th episode: with several under a line with its number, or as a part of one
// JSON document.
void session_put_reasons(const session *s, size_t i, const char *reasons, text_buffer *out);
// How each query was run, that of several episodes under a line with its number.
void session_put_plans(const session *s, foresee_query *const *queries, text_buffer *out);
int session_exit(int code); // the exit status of a call's code
double session_clock(void); // seconds, of a clock that never goes back
// Prints the mistakes of the last call on `f` and gives the exit status of its code.
int session_failed(const foresee *f, int code);

#endif
