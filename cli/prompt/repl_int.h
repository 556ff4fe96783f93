// cli/prompt/repl_int.h - what the parts of the prompt share.
//
// repl.c        the two loops
// terminal.c  a line from the terminal, signals, what runs and is interrupted
// lines.c  text to clauses; the history file
// ask.c    queries, reasons, mistakes
// rules.c  rules that are typed, files that are watched
// log.c    the log that is watched, and its episodes
// commands.c  dot commands
// names.c  what can be named: predicates, objects, tasks
// complete.c  completion of what stands before the cursor
// table.c  answers and texts on a terminal, a page at a time
#ifndef FORESEE_CLI_REPL_INT_H
#define FORESEE_CLI_REPL_INT_H

#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/prompt/repl.h"
#include "report/text.h"

// ---- Text (lines.c)

typedef enum input_kind {
    INPUT_COMMAND, // .help
    INPUT_QUERY,   // p(X).
    INPUT_RULE,    // p(X) :- q(X).   and directives
    INPUT_FACT,    // +p(a).
    INPUT_WHY,     // why p(a).
    INPUT_WHY_NOT  // why not p(a).
} input_kind;

// One clause or command of a text.
typedef struct input {
    input_kind kind;
    const char *text; // in the text it was taken from, not ended
    size_t length;    // with its '.', without the end of its line
    size_t body;      // where the goal, the fact or a command's name begins
} input;

// The length of the first clause of `text` with its '.', or 0 where it has not ended: a '.' that is
// followed by white space or a comment, outside quotes and comments. A quote that is not closed on
// its line ends the clause with the line.
size_t repl_clause(const char *text);
// White space and comments before a clause.
size_t repl_blank(const char *text);
// What stands first in text + *at, and moves *at behind it. `whole`: no more will follow, a missing
// last '.' is let pass. False: nothing is there, or its end is missing; *at is where it begins.
bool repl_next(const char *text, size_t *at, bool whole, input *out);
// Line and column of a place in a text, from 1.
void repl_place(const char *text, size_t at, int *line, int *column);

// The history: entries of one or more lines, kept in a file.
void repl_history(void);
void repl_keep(const char *text, size_t length); // not what the last entry says already

// ---- State

// A file as it was when it was looked at last.
typedef struct file_state {
    struct timespec changed;
    off_t size;
    dev_t device;
    ino_t inode;
} file_state;

typedef struct watched_file {
    char *path, *text; // as it was loaded last
    file_state state;
    bool gone;
    bool shipped; // of the program's own folder
    bool given;   // by -f or .read, and not by another file or the folder
} watched_file;

// The log, and what is beside it while it is written.
typedef struct log_state {
    file_state log, wal;
    bool gone;
} log_state;

// A clause that was typed. Those that were entered together are loaded together, as "typed N".
typedef struct typed_clause {
    char *text;
    char *head; // name of its predicate or functor; "" of a directive
    unsigned unit;
} typed_clause;

typedef struct known_names known_names; // repl_names.h

typedef struct repl {
    session *s;
    bool terminal;       // standard input is one
    bool paged, colours; // standard output is one; it knows colours
    bool notes_coloured; // standard error knows colours
    bool narrow_dots;    // no UTF-8: "..." in place of one character
    size_t limit;        // answers shown at once; 0: all
    const char *origin;  // name of the input in messages of a pipe
    const char *text;    // the input that `at` stands in
    log_state log;       // as the connections know it
    ARRAY(watched_file) watched;
    ARRAY(typed_clause) typed;
    unsigned typed_units;
    char shipped[4096];  // folder of the rules that come with the program
    char *saved;         // the file that typed clauses were saved to last
    uint64_t saved_hash; // of the bytes that were saved
    known_names *names;
    bool leaving;
    char *again; // a mistaken clause, to be mended; NULL: none
    int again_point;
    double began; // what runs
    bool again_told;
} repl;

// ---- The terminal, and what runs (terminal.c)

void repl_catch_signals(bool terminal);
// Brackets around what may take long: Ctrl-C ends it, after a second standard error shows how long
// it runs. The second gives the seconds it ran.
void repl_begin(repl *r, foresee *f);
double repl_end(repl *r);
bool repl_interrupted(void); // since repl_calm
bool repl_ended(void);       // told to end by a signal
void repl_calm(void);
// A key from the terminal, unseen; 0: Ctrl-C or the end of input.
int repl_key(void);
// Gives a key back: it will be the first of the next line.
void repl_unkey(int key);
int repl_width(void);
int repl_height(void);
bool repl_knows_colours(int fd);
void repl_open_terminal(void);
FILE *repl_prompts(void); // where prompts are written
bool repl_typed_ahead(void);
// A line, which the caller frees, edited from `begin` (or NULL) with the cursor there. NULL: the
// end, or Ctrl-C; *dropped is then what it cleared, which the caller frees, otherwise NULL.
char *repl_line(const char *prompt, const char *begin, int cursor, char **dropped);

// ---- Asking (ask.c)

int repl_ask(repl *r, const input *in);
// `in->body` is where the goal begins; by its kind why or why not.
int repl_why(repl *r, const input *in);

// ---- Rules, files, episodes (rules.c)

// Adds the rules and facts from `first` to behind `last`, which stand in one text.
int repl_tell(repl *r, const input *first, const input *last);
// Drops what was typed: the clauses of a name, or those entered as number N.
int repl_forget(repl *r, const char *name, const input *in);
// Loads a file into all connections and watches it.
int repl_load(repl *r, const char *path, const input *in);
// Watches all files that are loaded, those that others import included; `path` (or NULL) was given.
void repl_watch(repl *r, const char *path);
void repl_look(repl *r); // at the watched files: those that have changed are loaded anew
// At the log: where it has changed, or another stands in its place, new connections ask that.
void repl_look_log(repl *r);
void repl_note_log(repl *r);                  // it is as the connections know it
const char *repl_base_name(const char *path); // behind its folders
// Asks another episode (0: the last), or all (-1).
int repl_choose(repl *r, int64_t episode, const input *in);
// What a connection was given of an input: the text, what it is called in messages, and how much
// further into the input a place lies than into that text.
typedef struct given {
    const char *text, *name;
    ptrdiff_t shift;
} given;
// Says what went wrong with the last call on `f`, with what was typed at hand; at a terminal that
// comes back to be mended. The exit status of the code.
int repl_mistakes(repl *r, foresee *f, int code, const input *in, const given *g);
// What is likely wrong with the rules that were loaded as g->name.
void repl_warnings(repl *r, foresee *f, const input *in, const given *g);
// Says that Ctrl-C ended what ran; EXIT_INTERRUPTED.
int repl_stopped(repl *r, const input *in, double ran);
// A mistake that is none of a connection. EXIT_WRONG.
int repl_wrong(repl *r, const input *in, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// That memory ran out; EXIT_NONE.
int repl_no_memory(repl *r, const input *in);
// Loads what was typed as this number into a connection, without the clauses that `without` (or
// NULL) names. A code of foresee.h.
int repl_load_typed(repl *r, unsigned unit, const char *without, foresee *f);
bool repl_same_state(const file_state *a, const file_state *b);
file_state repl_state(const struct stat *info);
char *repl_copy(const char *text, size_t length); // ended by a 0, from malloc; never NULL
// A sentence on standard error.
void repl_note(repl *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---- Dot commands (commands.c)

typedef enum argument_kind {
    ARGUMENT_NONE,
    ARGUMENT_COMMAND,
    ARGUMENT_FACT,
    ARGUMENT_NAME,
    ARGUMENT_GOAL,
    ARGUMENT_TYPED,
    ARGUMENT_FILE,
    ARGUMENT_EPISODE,
    ARGUMENT_FORM,
    ARGUMENT_SWITCH,
    ARGUMENT_NUMBER
} argument_kind;

int repl_command(repl *r, const input *in);
// The i-th command's name without its dot; NULL past the last.
const char *repl_command_name(size_t i);
// What a command takes: the one named, or of which this is the beginning.
argument_kind repl_command_takes(const char *name, size_t length);

// ---- On the terminal (table.c)

// The columns that a text takes.
size_t text_columns(const char *text);
void text_make_printable(char *text); // '?' over what would steer the terminal
// Answers as a table that fits, a page at a time; each query was stepped once. FORESEE_OK, also
// after Ctrl-C; FORESEE_MEMORY: not all are shown.
int table_show(repl *r, foresee_query *const *queries, size_t count);
// A text, a screen at a time where it is longer.
void text_show(repl *r, const char *text);
// Lines of two columns, aligned, the second cut to fit a terminal.
typedef struct text_pair {
    const char *left, *right;
} text_pair;
void pairs_show(repl *r, const text_pair *pairs, size_t count);

#endif
