// query/api/api_why.c - proofs of answers, and reasons for none, for the C interface.
#include "query/api/api_int.h"
#include "query/rules/source.h"

#include <ctype.h>

#include "query/why/proof.h"

// A goal behind `why`, `not` or `why not`. Blanks replace these words, so that places in messages
// stay right.
static void blank_out(char *text, const term *word, size_t length) {
    char *at = text;
    for (int line = 1; line < word->line && at; line++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (at)
        memset(at + word->column - 1, ' ', length);
}

static bool is_word(const char *text, const term *t, const char *word) {
    const char *at = text;
    for (int line = 1; line < t->line && at; line++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at && t->column > 0 && strncmp(at + t->column - 1, word, strlen(word)) == 0;
}

// Replaces a word at the beginning by blanks; NULL: another text stands there.
static char *take_word(char *text, const char *word) {
    size_t n = strlen(word);
    text += strspn(text, " \t\r\n");
    if (strncmp(text, word, n) != 0 || !strchr(" \t\r\n(", text[n]))
        return NULL;
    size_t blanks = strspn(text + n, " \t\r\n");
    unsigned char next = (unsigned char)text[n + blanks];
    if (!isalnum(next) && (next == 0 || !strchr("_('\"[\\-", next)))
        return NULL;
    memset(text, ' ', n);
    return text + n;
}

// Takes the words off the front: `why` and `why not` stand before a whole query, `not` alone
// negates its goal as in any query. E_INPUT: the text is no goal.
static status read_goal(foresee *f, char *text, bool *negated) {
    char *rest = take_word(text, "why");
    *negated = rest && take_word(rest, "not");
    if (*negated)
        return OK;
    arena *a = arena_create();
    const term *t;
    error err = {0};
    status s = source_term(a, API_QUERY, text, &t, &err);
    if (s != OK)
        errors_append(&f->mistakes, &err);
    *negated = s == OK && term_is(t, "not", 1) && is_word(text, t, "not");
    if (*negated)
        blank_out(text, t, strlen("not"));
    arena_destroy(a);
    return s;
}

// Writes why the goal does not hold.
static status deny_text(foresee *f, arena *a, const char *goal, bool json, char **out) {
    const denial *d = NULL;
    status s = engine_why_not(f->engine, a, API_QUERY, goal, NULL, &d, &f->mistakes);
    if (s == OK)
        s = json ? denial_json(d, out) : denial_text(d, out);
    return s;
}

static int do_explain(foresee *f, const char *goal, const char *format, char **out) {
    if (!f)
        return FORESEE_MISUSE;
    if (!f->engine || !goal || !out)
        return api_misuse(f, !f->engine ? "the log is not open"
                                        : "reasons need a goal, and a place for the text");
    bool json = format && strcmp(format, "json") == 0;
    if (format && !json && strcmp(format, "text") != 0)
        return api_misuse(f, "reasons are given as text or json, not as '%s'", format);
    if (f->inside)
        return api_busy(f);
    api_begin(f);
    api_watch(f);
    char *text = api_copy(goal), *made = NULL;
    arena *a = arena_create();
    bool negated = false;
    const proof **proofs = NULL;
    size_t count = 0;
    f->last = NULL;
    f->asked = text;
    status s = text ? read_goal(f, text, &negated) : E_MEMORY;
    if (s == OK)
        s = engine_why(f->engine, a, API_QUERY, text, NULL, &proofs, &count, &f->mistakes);
    if (s == OK && count > 0)
        s = json ? proofs_json(proofs, count, &made) : proofs_text(proofs, count, &made);
    else if (s == OK)
        s = deny_text(f, a, text, json, &made);
    int code = api_end(f, s);
    arena_destroy(a);
    free(text);
    if (s != OK)
        return code;
    api_shorten(f, made);
    *out = made;
    return (count > 0) == negated ? FORESEE_DONE : FORESEE_OK;
}

// ---- Calls with memory set aside, so that they end in order when there is no more

int foresee_explain(foresee *f, const char *goal, const char *format, char **out) {
    mem_fund fund;
    if (!mem_fund_open(&fund, API_FUND))
        return api_starved(f);
    int code = do_explain(f, goal, format, out);
    mem_fund_close(&fund);
    return code;
}
