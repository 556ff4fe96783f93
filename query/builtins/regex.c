// query/builtins/regex.c - regular expressions, as PCRE2 has them: those of Perl, over UTF-8.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <string.h>

#include "query/builtins/builtin.h"

// The limits of one match: steps, and KiB of memory.
#define MATCH_STEPS_MAX 1000000
#define MATCH_MEMORY_MAX 16384

// The compiled expression of the last call: a goal mostly uses one expression for all rows.
typedef struct expression {
    value written;
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *limits;
} expression;

static void expression_drop(void *kept) {
    expression *e = kept;
    pcre2_match_data_free(e->match);
    pcre2_match_context_free(e->limits);
    pcre2_code_free(e->code);
    free(e);
}

// Says what is wrong with the text in this argument, and at which byte where that is known.
static status fail_with(const builtin_call *c, uint32_t arg, int code, size_t at) {
    const char *written = values_text(c->values, c->args[arg]),
               *what = arg == 1 ? "regular expression" : "replacement";
    PCRE2_UCHAR why[200];
    char place[40] = "";
    if (code == PCRE2_ERROR_NOMEMORY)
        return E_MEMORY;
    if (code == PCRE2_ERROR_MATCHLIMIT || code == PCRE2_ERROR_DEPTHLIMIT ||
        code == PCRE2_ERROR_HEAPLIMIT)
        return error_set(c->err, E_LIMIT, "the %s %.200s takes too many steps", what, written);
    pcre2_get_error_message(code, why, sizeof why);
    if (at != PCRE2_UNSET)
        snprintf(place, sizeof place, ", at byte %zu", at + 1);
    return error_set(c->err, E_INPUT, "the %s %.200s is wrong: %s%s", what, written,
                     (const char *)why, place);
}

// Returns the expression of argument 2, compiled if it is another one than before. Bytes that are
// no UTF-8 match nothing.
static status expression_of(builtin_call *c, const expression **out) {
    expression *e = c->kept;
    const char *written = values_text(c->values, c->args[1]);
    if (e && e->written == c->args[1]) {
        *out = e;
        return OK;
    }
    if (e) {
        expression_drop(e);
        c->drop = NULL;
        c->kept = NULL;
    }
    int code = PCRE2_ERROR_NOMEMORY;
    PCRE2_SIZE at = 0;
    e = calloc(1, sizeof *e);
    if (!e)
        return E_MEMORY;
    e->written = c->args[1];
    e->code = pcre2_compile((PCRE2_SPTR)written, PCRE2_ZERO_TERMINATED,
                            PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &code,
                            &at, NULL);
    e->match = e->code ? pcre2_match_data_create_from_pattern(e->code, NULL) : NULL;
    e->limits = e->code ? pcre2_match_context_create(NULL) : NULL;
    if (!e->match || !e->limits) {
        if (e->code)
            code = PCRE2_ERROR_NOMEMORY;
        expression_drop(e);
        return fail_with(c, 1, code, at);
    }
    pcre2_set_match_limit(e->limits, MATCH_STEPS_MAX);
    pcre2_set_depth_limit(e->limits, MATCH_STEPS_MAX);
    pcre2_set_heap_limit(e->limits, MATCH_MEMORY_MAX);
    c->kept = e;
    c->drop = expression_drop;
    *out = e;
    return OK;
}

static bool is_text(value x) {
    return value_kind(x) == VALUE_SYMBOL || value_kind(x) == VALUE_STRING;
}

// Looks for a match from `at` on, but with `more` for no empty one at `at`. OK with `found` false:
// there is none.
static status look_for(builtin_call *c, const expression *e, const char *text, size_t at, bool more,
                       bool *found) {
    int code = pcre2_match(e->code, (PCRE2_SPTR)text, strlen(text), at,
                           more ? PCRE2_NOTEMPTY_ATSTART : 0, e->match, e->limits);
    *found = code >= 0;
    return code >= 0 || code == PCRE2_ERROR_NOMATCH ? OK : fail_with(c, 1, code, PCRE2_UNSET);
}

status builtin_regex(builtin_call *c) {
    const expression *e;
    bool found = false;
    if (!is_text(c->args[0]) || !is_text(c->args[1]))
        return OK;
    status s = expression_of(c, &e);
    if (s == OK)
        s = look_for(c, e, values_text(c->values, c->args[0]), 0, false, &found);
    return s == OK && found ? builtin_emit(c, c->args) : s;
}

static value text_part(builtin_call *c, const char *text, size_t from, size_t to) {
    char small[256], *copy = to - from < sizeof small ? small : malloc(to - from + 1);
    if (!copy)
        return VALUE_NONE;
    memcpy(copy, text + from, to - from);
    copy[to - from] = 0;
    value out = values_string(c->values, copy);
    if (copy != small)
        free(copy);
    return out;
}

// Gives the whole of a match and its groups; a group that took no part is an empty text.
static status answer_match(builtin_call *c, const expression *e, const char *text) {
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(e->match);
    builtin_items parts = {0};
    status s = OK;
    for (uint32_t i = 0; i < pcre2_get_ovector_count(e->match) && s == OK; i++) {
        bool has = ends[2 * i] != PCRE2_UNSET && ends[2 * i] <= ends[2 * i + 1];
        value x = has ? text_part(c, text, ends[2 * i], ends[2 * i + 1]) : text_part(c, text, 0, 0);
        if (x == VALUE_NONE || !array_push_try(&parts, x))
            s = E_MEMORY;
    }
    if (s == OK) {
        value out = values_list(c->values, parts.items, parts.count);
        s = builtin_answer(c, 2, &out, 1);
    }
    array_finish(&parts);
    return s;
}

status builtin_regex_parts(builtin_call *c) {
    const expression *e;
    if (!is_text(c->args[0]) || !is_text(c->args[1]))
        return OK;
    status s = expression_of(c, &e);
    if (s != OK)
        return s;
    const char *text = values_text(c->values, c->args[0]);
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(e->match);
    bool found = true, empty = false;
    for (size_t at = 0; s == OK && found;) {
        s = look_for(c, e, text, at, empty, &found);
        if (s != OK || !found || ends[1] < at)
            break;
        s = answer_match(c, e, text);
        // After an empty match, the next one is not empty or begins behind it.
        empty = ends[0] == ends[1];
        at = ends[1];
    }
    return s;
}

// Returns whether an error of a substitution comes from a match, not from the replacement.
static bool is_of_match(int code) {
    return code == PCRE2_ERROR_MATCHLIMIT || code == PCRE2_ERROR_DEPTHLIMIT ||
           code == PCRE2_ERROR_HEAPLIMIT;
}

status builtin_regex_replace(builtin_call *c) {
    const expression *e;
    if (!is_text(c->args[0]) || !is_text(c->args[1]) || !is_text(c->args[2]))
        return OK;
    status s = expression_of(c, &e);
    if (s != OK)
        return s;
    const char *text = values_text(c->values, c->args[0]), *by = values_text(c->values, c->args[2]);
    PCRE2_SIZE length = TEXT_MAX + 1;
    char *made = malloc(length);
    if (!made)
        return E_MEMORY;
    int code =
        pcre2_substitute(e->code, (PCRE2_SPTR)text, strlen(text), 0,
                         PCRE2_SUBSTITUTE_GLOBAL | PCRE2_SUBSTITUTE_UNSET_EMPTY, e->match,
                         e->limits, (PCRE2_SPTR)by, strlen(by), (PCRE2_UCHAR *)made, &length);
    if (code == PCRE2_ERROR_NOMEMORY) {
        s = error_set(c->err, E_LIMIT, TEXT_TOO_LONG, TEXT_MAX);
    } else if (code < 0) {
        bool matching = is_of_match(code);
        s = fail_with(c, matching ? 1 : 2, code, matching ? PCRE2_UNSET : length);
    } else {
        value out = value_kind(c->args[0]) == VALUE_SYMBOL ? values_symbol(c->values, made)
                                                           : values_string(c->values, made);
        s = builtin_answer(c, 3, &out, 1);
    }
    free(made);
    return s;
}
