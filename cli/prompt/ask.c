// cli/prompt/ask.c - puts queries and goals that were typed to the log.
#include <string.h>

#include "base/term/term.h"
#include "cli/prompt/repl_int.h"
#include "cli/prompt/table.h"
#include "cli/prompt/terminal.h"

// A query or a goal, the input that it stands in, and the text that the connections are given.
typedef struct question {
    repl *r;
    const input *in;
    const given *g;
} question;

static void begin_call(void *context, foresee *f) {
    repl_begin_call(((const question *)context)->r, f);
}

static void end_call(void *context) {
    repl_end_call(((const question *)context)->r);
}

static void print_warnings(void *context, foresee *f) {
    const question *q = context;
    repl_warnings(q->r, f, q->in, q->g);
}

static int write_answers(void *context, answer_form form, const answers_wanted *wanted) {
    repl *r = ((const question *)context)->r;
    if (r->paged && r->terminal && form == FORM_TABLE)
        return table_show(r, wanted->queries, wanted->count);
    int code = answers_write(form, wanted, stdout);
    // Ctrl-C ended the write; the terminal itself is there still.
    if (code == FORESEE_INTERRUPTED && r->terminal)
        clearerr(stdout);
    if (!r->terminal)
        cli_flush();
    return code;
}

static void print_notes(void *context, foresee_query *query) {
    const question *q = context;
    repl_query_notes(q->r, query, q->in, q->g);
}

static void print_reasons(void *context, const char *text) {
    text_show(((const question *)context)->r, text);
}

// Tells how a fact is stated, to a person who may mean to state one as in Prolog.
static void tell_of_facts(repl *r, const char *text) {
    arena *a = arena_create();
    const term *t = NULL;
    foresee_mistake one;
    if (r->terminal && foresee_mistake_at(r->s->logs[0], 0, &one) &&
        strstr(one.text, "not defined") &&
        term_parse(a, "", text, strlen(text), 1, 1, &t, NULL) == OK && t->kind == TERM_COMPOUND &&
        term_ground(t) && !term_is(t, ",", 2) && !term_is(t, "not", 1))
        repl_note(r, "a fact is stated with a + before it: +%s", text);
    arena_destroy(a);
}

static int print_failure(void *context, foresee *f, int code, nanos after) {
    const question *q = context;
    if (code == FORESEE_INTERRUPTED)
        return repl_stopped(q->r, q->in, seconds(after));
    int result = repl_mistakes(q->r, f, code, q->in, q->g);
    if (q->in->kind == INPUT_QUERY)
        tell_of_facts(q->r, q->g->text);
    return result;
}

static int print_unfinished(void *context, int code) {
    const question *q = context;
    return code == FORESEE_INTERRUPTED ? EXIT_INTERRUPTED : repl_no_memory(q->r, q->in);
}

static int ask_session(question *q, bool why) {
    const session_asker by = {.context = q,
                              .begin = begin_call,
                              .end = end_call,
                              .stopped = repl_interrupted,
                              .warn = print_warnings,
                              .write = write_answers,
                              .note = print_notes,
                              .reasons = print_reasons,
                              .fail = print_failure,
                              .unfinished = print_unfinished};
    return session_ask(q->r->s, q->g->text, why, &by);
}

int repl_ask(repl *r, const input *in) {
    if (r->s->why) {
        input goal = *in;
        goal.kind = INPUT_WHY;
        return repl_why(r, &goal);
    }
    char *text = repl_copy(in->text, in->length);
    const given g = {text, "query", 0};
    int result = ask_session(&(question){r, in, &g}, false);
    free(text);
    return result;
}

int repl_why(repl *r, const input *in) {
    size_t length = in->length - in->body;
    if (length > 0 && in->text[in->length - 1] == '.')
        length--;
    text_buffer goal = {0};
    ptrdiff_t shift = (ptrdiff_t)in->body;
    if (in->kind == INPUT_WHY_NOT) {
        text_put(&goal, "not (");
        shift -= 5;
    }
    text_put_bytes(&goal, in->text + in->body, length);
    text_put(&goal, in->kind == INPUT_WHY_NOT ? ")" : "");
    const given g = {text_string(&goal), "query", shift};
    int result = ask_session(&(question){r, in, &g}, true);
    text_finish(&goal);
    return result;
}
