// cli/mend/suggested.c - finds a suggestion by its name.
#include "cli/mend/suggested.h"

#include <string.h>

#include "base/text/json.h"
#include "base/text/number.h"
#include "cli/runs/shipped.h"

// Reads the number that ends at `end`, of at least one digit, and moves *end to where it begins.
static bool number_before(const char *text, size_t *end, int64_t *out) {
    size_t begin = *end;
    while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
        begin--;
    bool good = begin < *end && number_parse_integer(text + begin, *end - begin, out);
    *end = begin;
    return good;
}

// Reads the character that ends at `end`.
static bool char_before(const char *text, size_t *end, char c) {
    return *end > 0 && text[*end - 1] == c && (*end)-- > 0;
}

status suggested_parse(arena *memory, const char *text, suggested *out, error *err) {
    suggested s = {0};
    size_t end = strlen(text), before;
    if (!number_before(text, &end, &s.number) || !char_before(text, &end, '.') ||
        !number_before(text, &end, &s.flaw) || !char_before(text, &end, ':') || end == 0)
        return error_set(err, E_USAGE,
                         "a suggestion is named LOG.db:FLAW.SUGGESTION or "
                         "LOG.db:EPISODE:FLAW.SUGGESTION, as wet.db:1.2 for the second suggestion "
                         "of the first flaw, not '%.300s'",
                         text);
    before = end;
    if (number_before(text, &before, &s.episode) && char_before(text, &before, ':') && before > 0) {
        if (s.episode == 0)
            return error_set(err, E_USAGE, "episodes are counted from 1, in '%.300s'", text);
        end = before;
    } else {
        s.episode = 0;
    }
    s.log = arena_copy(memory, text, end);
    *out = s;
    return OK;
}

// Says which suggestions there are, as "1.1 more_force, 1.2 slower".
static const char *all_suggestions(arena *memory, const diagnosis *d) {
    text_buffer all = {0};
    for (size_t i = 0; i < diagnosis_count(d); i++) {
        const flaw *f = diagnosis_flaw(d, i);
        for (size_t k = 0; k < f->suggest_count; k++)
            text_add(&all, "%s%lld.%zu %s", all.count ? ", " : "", (long long)f->id, k + 1,
                     f->suggests[k].rule);
    }
    const char *text = arena_strdup(memory, text_string(&all));
    text_finish(&all);
    return text;
}

static const char *edits_with_reason(arena *memory, const diagnosis *d, const flaw *f,
                                     const flaw_suggestion *s) {
    text_buffer out = {0}, reason = {0};
    text_add(&reason, "%s, for %s: ", s->rule, f->name);
    diagnosis_sentence(d, f, &reason);
    json_member(&out, "{", "reason", text_string(&reason));
    text_add(&out, ", \"edits\": %s}", s->edits);
    const char *text = arena_strdup(memory, text_string(&out));
    text_finish(&out);
    text_finish(&reason);
    return text;
}

status suggested_find(arena *memory, const suggested *s, const char **edits, const char **plan,
                      error *err) {
    diagnosis *d = NULL;
    status st = shipped_diagnose(s->log, s->episode, s->rules, s->rule_count, &d, err);
    if (st != OK)
        return st;
    const char *all = all_suggestions(memory, d);
    const flaw *f = s->flaw >= 1 && (uint64_t)s->flaw <= diagnosis_count(d)
                        ? diagnosis_flaw(d, (size_t)s->flaw - 1)
                        : NULL;
    if (f && s->number >= 1 && (uint64_t)s->number <= f->suggest_count) {
        *edits = edits_with_reason(memory, d, f, &f->suggests[s->number - 1]);
        const char *file = flaw_edits_file(f, (size_t)s->number - 1);
        *plan = file ? arena_strdup(memory, file) : NULL;
    } else {
        st = error_at(err, E_INPUT, s->log, 0, 0, "there is no suggestion %lld.%lld; %s%s",
                      (long long)s->flaw, (long long)s->number,
                      *all ? "there are " : "the diagnosis suggests nothing", all);
    }
    diagnosis_destroy(d);
    return st;
}
