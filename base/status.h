// base/status.h - how every call of the house says what went wrong.
//
// A function that can fail returns a `status` and, when it is not OK, fills the `error` it was
// given (NULL is allowed: then only the status is returned). Loaders, which report every mistake of
// a file at once, append to an `errors` list instead. Nothing here prints or exits.
#ifndef FORESEE_BASE_STATUS_H
#define FORESEE_BASE_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdio.h>

typedef enum status {
#define STATUS(name, sentence) name,
#include "base/status.def"
#undef STATUS
} status;

// What a mistake is to others: of one misspelt key nothing more is said than that.
typedef enum error_role {
    ERROR_PLAIN,
    ERROR_MISSPELT, // a key that is nearly one that is known, or a value that cannot be read or
                    // cannot be
    ERROR_MISSING   // something is not there that a misspelt key may have been meant to give
} error_role;

typedef struct error {
    status code;
    char file[256]; // as the user wrote it; empty where no file is concerned
    int line;       // from 1; 0 for none
    int column;     // from 1, in bytes; 0 for none
    char text[768]; // one sentence that says what to do
    error_role role;
} error;

typedef struct errors {
    error *items;
    size_t count, capacity;
} errors;

const char *status_name(status s);
const char *status_sentence(status s);

// Fill `err` and return `code`. `err` may be NULL.
status error_set(error *err, status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
status error_at(error *err, status code, const char *file, int line, int column, const char *format,
                ...) __attribute__((format(printf, 6, 7)));

// Appends an E_INPUT error. At most 100 are kept; those past it are dropped.
void errors_add(errors *list, const char *file, int line, int column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void errors_append(errors *list, const error *err);
// Gives the last error of the list its role.
void errors_mark(errors *list, error_role role);
// Drops what is missing, where a key is misspelt.
void errors_settle(errors *list);
// Makes one of errors that say the same of one file: the first, which then names the lines of the
// others, too.
void errors_merge(errors *list);
// The status of the errors from the n-th on: OK of none, E_INPUT where all of them are mistakes,
// else the first that is not.
status errors_status(const errors *list, size_t from);
void errors_finish(errors *list);

// Writes "file:line:column: error: text" (or "error: text") without a newline. Returns the length
// that the whole text has, like snprintf.
int error_format(const error *err, char *buffer, size_t size);

// Whether `name` is one of the names.
bool names_hold(const char *const *names, size_t count, const char *name);

// The candidate nearest to `name` by edit distance (at most a third of the length, at least 1; two
// swapped letters count once), else one of which either begins with the other (3 letters at least),
// else NULL.
const char *nearest_name(const char *name, const char *const *candidates, size_t count);

// A bug, and nothing else, trips this; it aborts, in release builds too.
_Noreturn void assert_failed(const char *condition, const char *file, int line);
#define ASSERT(condition) ((condition) ? (void)0 : assert_failed(#condition, __FILE__, __LINE__))

#endif
