// cli/prompt/repl_int.h - the state of the prompt, and what its parts do for one another.
//
// repl.c      the two loops
// lines.c     text to clauses; the history file
// terminal.c  a line from the terminal, signals, what runs and is interrupted
// table.c     answers and texts on a terminal, a page at a time
// mistakes.c  what is said of mistakes
// ask.c       queries and reasons
// rules.c     rules that are typed, files that are watched
// log.c       the log that is watched, and its episodes
// commands.c  dot commands
// names.c     what can be named: predicates, objects, tasks
// complete.c  completion of what stands before the cursor
#ifndef FORESEE_CLI_REPL_INT_H
#define FORESEE_CLI_REPL_INT_H

#include <sys/stat.h>

#include "base/text/text.h"
#include "cli/cli.h"
#include "cli/prompt/lines.h"
#include "cli/prompt/repl.h"

// ---- State

// The state of a file when it was looked at last.
typedef struct file_state {
    struct timespec changed;
    off_t size;
    dev_t device;
    ino_t inode;
} file_state;

typedef struct watched_file {
    char *path, *text; // the text as it was loaded last
    file_state state;
    bool gone;
    bool shipped; // a file of the program's own rules
    bool given;   // given by -f or .read, not by another file or the program
} watched_file;

// The state of the log and of the SQLite file beside it that holds what is being written.
typedef struct log_state {
    file_state log, wal;
    bool gone;
} log_state;

// A clause that was typed. Clauses that were entered together are loaded together, as "typed N".
typedef struct typed_clause {
    char *text;
    char *head; // name of its predicate or functor; "" for a directive
    unsigned unit;
} typed_clause;

typedef struct known_names known_names; // names.h

typedef struct repl {
    session *s;
    bool terminal;       // whether standard input is a terminal
    bool paged, colours; // whether standard output is a terminal, and knows colours
    bool notes_coloured; // whether standard error knows colours
    bool narrow_dots;    // without UTF-8 the sign for cut text is "..."
    size_t limit;        // how many answers are shown at once; 0: all
    const char *origin;  // name of the input in messages, for a pipe
    const char *text;    // the whole input, which clauses point into
    log_state log;       // the log's state when the connections were opened
    ARRAY(watched_file) watched;
    ARRAY(typed_clause) typed;
    unsigned typed_units;
    char shipped[4096];  // folder of the program's own rules
    char *saved;         // file that typed clauses were saved to last; NULL: none
    uint64_t saved_hash; // hash of the bytes that were saved
    known_names *names;
    bool leaving;
    nanos began;     // when the running call began; wall time
    bool told_of_up; // that it brings a mistaken clause back
    char *output;    // file that answers go to; NULL: standard output
} repl;

// ---- Mistakes (mistakes.c)

// The text that a connection was given of an input, its name in messages, and how much further into
// the input a place lies than into that text.
typedef struct given {
    const char *text, *name;
    ptrdiff_t shift;
} given;
// Prints a sentence on standard error.
void repl_note(repl *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Prints a mistake that no connection found; EXIT_WRONG.
int repl_wrong(repl *r, const input *in, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Prints the mistakes of the last call on `f`, each with a caret under its place where that was
// typed. Returns the exit status of the code.
int repl_mistakes(repl *r, foresee *f, int code, const input *in, const given *g);
// Prints what is likely wrong with the rules that were loaded as g->name.
void repl_warnings(repl *r, foresee *f, const input *in, const given *g);
// Prints what may be why a query has no answer.
void repl_query_notes(repl *r, foresee_query *q, const input *in, const given *g);
// Prints that Ctrl-C ended what ran for so many seconds; EXIT_INTERRUPTED.
int repl_stopped(repl *r, const input *in, double ran);
// Prints that memory ran out; EXIT_NONE.
int repl_no_memory(repl *r, const input *in);

// ---- Asking (ask.c); both return the exit status

int repl_ask(repl *r, const input *in);
// The goal begins at in->body; in->kind says whether it is asked why or why not.
int repl_why(repl *r, const input *in);

// ---- Rules and files (rules.c)

// Adds the rules and facts from `first` to `last`, which stand in one text.
int repl_add_clauses(repl *r, const input *first, const input *last);
// Drops what was typed: the clauses of a name, or those entered as number N.
int repl_forget(repl *r, const char *name, const input *in);
// Loads what was typed as this number into a connection, without the clauses that `without` (or
// NULL) names. Returns a code of foresee.h.
int repl_load_typed(repl *r, unsigned unit, const char *without, foresee *f);
// Loads a file into all connections and watches it.
int repl_load_file(repl *r, const char *path, const input *in);
// Watches all files that are loaded, those that others import included; `path` (or NULL) was given
// by the user.
void repl_watch_files(repl *r, const char *path);
// Loads the watched files that have changed anew.
void repl_follow_files(repl *r);
bool repl_same_state(const file_state *a, const file_state *b);
file_state repl_state(const struct stat *info);
const char *repl_base_name(const char *path); // without its folders

// ---- Beside asking (outside.c)

// Sends what is printed from the next input on to a new file ("": to standard output again).
int repl_output(repl *r, const input *in, const char *path);
// Runs an input; what it prints goes to the file of .output, where one is given.
int repl_redirected(repl *r, const input *in, int (*run)(repl *r, const input *in));
int repl_shell(repl *r, const input *in, const char *command);
int repl_sql(repl *r, const input *in, const char *query); // prints the rows of one statement

// ---- The log and its episodes (log.c)

// Opens new connections if the log has changed, or another file has taken its place.
void repl_follow_log(repl *r);
// Notes that the connections know the log as it is now.
void repl_note_log(repl *r);
// Asks another episode (0: the last), or all (-1).
int repl_choose_episode(repl *r, int64_t episode, const input *in);

// ---- Dot commands (commands.c)

typedef enum argument_kind {
    ARGUMENT_NONE,
    ARGUMENT_COMMAND,
    ARGUMENT_FACT,
    ARGUMENT_NAME,
    ARGUMENT_GOAL,
    ARGUMENT_TYPED,
    ARGUMENT_FILE,
    ARGUMENT_SQL,
    ARGUMENT_EPISODE,
    ARGUMENT_FORM,
    ARGUMENT_SWITCH,
    ARGUMENT_NUMBER
} argument_kind;

int repl_command(repl *r, const input *in);
// The i-th command's name without its dot; NULL past the last.
const char *repl_command_name(size_t i);
// Returns the kind of argument of the command with this name, or whose name begins so.
argument_kind repl_command_takes(const char *name, size_t length);

#endif
