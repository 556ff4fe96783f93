#include "cli/repl.h"

#include <ctype.h>
#include <string.h>

#include <readline/history.h>
#include <readline/readline.h>

size_t repl_clause(const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c == '\'' || *c == '"') {
            char quote = *c++;
            for (; *c && *c != quote; c++)
                if (*c == '\\' && c[1])
                    c++;
            if (!*c)
                return 0;
        } else if (*c == '%') {
            c += strcspn(c, "\n");
            if (!*c)
                return 0;
        } else if (c[0] == '/' && c[1] == '*') {
            c = strstr(c + 2, "*/");
            if (!c)
                return 0;
            c++;
        } else if (*c == '.' && (c[1] == 0 || isspace((unsigned char)c[1]) || c[1] == '%')) {
            return (size_t)(c - text) + 1;
        }
    }
    return 0;
}

// White space and comments before a clause.
static size_t blank(const char *text) {
    const char *c = text;
    for (;;) {
        c += strspn(c, " \t\r\n");
        if (*c == '%') {
            c += strcspn(c, "\n");
        } else if (c[0] == '/' && c[1] == '*' && strstr(c + 2, "*/")) {
            c = strstr(c + 2, "*/") + 2;
        } else {
            return (size_t)(c - text);
        }
    }
}

// ---- At a terminal
// -------------------------------------------------------------------------------

static void say_help(void) {
    puts("Type a query that ends in '.', for example\n"
         "  holds_w(on(X, Y), at(end)).\n"
         "  flaw(F), flaw_time(F, S, E).\n"
         "quit. or Ctrl-D leaves. docs/query.md and docs/predicates.md list what can be asked.");
}

typedef ARRAY(char) clause_text;

// Takes whole clauses from the front of the text. False: time to leave.
static bool take_clauses(clause_text *text, repl_answer answer, void *context) {
    size_t n;
    for (;;) {
        size_t skip = blank(text->items);
        if (skip) {
            memmove(text->items, text->items + skip, text->count - skip);
            text->count -= skip;
        }
        n = repl_clause(text->items);
        if (n == 0)
            return true;
        char *query = strndup(text->items, n);
        ASSERT(query);
        memmove(text->items, text->items + n, text->count - n);
        text->count -= n;
        bool leave = strcmp(query, "quit.") == 0 || strcmp(query, "exit.") == 0 ||
                     strcmp(query, "halt.") == 0;
        if (strcmp(query, "help.") == 0)
            say_help();
        else if (!leave)
            answer(context, query);
        free(query);
        if (leave)
            return false;
    }
}

int repl_run(repl_answer answer, void *context) {
    clause_text text = {0};
    array_push(&text, '\0');
    bool going = true;
    puts("foresee " FORESEE_VERSION "; help. explains, quit. leaves");
    while (going) {
        char *line = readline(text.count > 1 ? "|  " : "?- ");
        if (!line)
            break;
        if (*line)
            add_history(line);
        text.count--; // the 0
        for (const char *c = line; *c; c++)
            array_push(&text, *c);
        array_push(&text, '\n');
        array_push(&text, '\0');
        free(line);
        going = take_clauses(&text, answer, context);
    }
    if (going)
        puts("");
    array_finish(&text);
    return EXIT_YES;
}

// ---- From a file or a pipe
// -----------------------------------------------------------------------

int repl_read(FILE *in, repl_answer answer, void *context) {
    clause_text text = {0};
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;)
        for (size_t i = 0; i < n; i++)
            if (block[i])
                array_push(&text, block[i]);
    array_push(&text, '\0');
    int result = EXIT_YES;
    for (const char *at = text.items + blank(text.items); *at && !cli_stopped; at += blank(at)) {
        size_t n = repl_clause(at);
        char *query = n ? strndup(at, n) : strdup(at); // a missing last '.' is let pass
        ASSERT(query);
        int one = answer(context, query);
        free(query);
        if (one > result)
            result = one;
        at += n ? n : strlen(at);
    }
    array_finish(&text);
    return result;
}
