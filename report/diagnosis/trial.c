// report/diagnosis/trial.c - what projections say of a suggestion, in words and as JSON.
#include "base/text/json.h"
#include "report/diagnosis/diagnosis_int.h"

const char *trial_verdict(const flaw_trial *t) {
    if (t->impossible)
        return "impossible";
    if (t->answered == 0)
        return "unknown";
    if (t->with < t->without)
        return "worse";
    if (t->with > t->without)
        return t->with * 10 >= t->answered * 9 ? "mends" : "helps";
    return t->shows < t->shows_without ? "not_enough" : "does_nothing";
}

static void put_instead(const flaw_trial *t, text_buffer *out) {
    if (!t->instead)
        return;
    text_add(out, "; %s", t->instead);
    if (t->instead_path && *t->instead_path)
        text_add(out, " at %s", t->instead_path);
    text_add(out, " in %lld, first with seed %lld", (long long)t->instead_count,
             (long long)t->instead_seed);
}

void words_trial(const flaw_trial *t, text_buffer *out) {
    const char *verdict = trial_verdict(t);
    if (t->impossible) {
        text_add(out, "cannot be made: %s", t->impossible);
        return;
    }
    if (t->answered == 0) {
        text_put(out, "unknown: no projection gave an answer");
        return;
    }
    text_put(out, strcmp(verdict, "worse") == 0          ? "makes it worse"
                  : strcmp(verdict, "not_enough") == 0   ? "is not enough"
                  : strcmp(verdict, "does_nothing") == 0 ? "does nothing"
                                                         : verdict);
    text_add(out, ": %lld of %lld succeed, %lld without it", (long long)t->with,
             (long long)t->answered, (long long)t->without);
    if (strcmp(verdict, "not_enough") == 0)
        text_add(out, "; the flaw shows in %lld, in %lld without it", (long long)t->shows,
                 (long long)t->shows_without);
    if (t->with < t->answered)
        put_instead(t, out);
}

void trial_json(const flaw_trial *t, text_buffer *out) {
    json_member(out, "{ ", "verdict", trial_verdict(t));
    text_add(out,
             ", \"first_seed\": %lld, \"seeds\": %lld, \"answered\": %lld, \"with\": %lld, "
             "\"without\": %lld, \"mended\": %lld, \"broken\": %lld, \"shows\": %lld, "
             "\"shows_without\": %lld",
             (long long)t->first_seed, (long long)t->seeds, (long long)t->answered,
             (long long)t->with, (long long)t->without, (long long)t->mended, (long long)t->broken,
             (long long)t->shows, (long long)t->shows_without);
    if (t->instead && t->with < t->answered) {
        json_member(out, ", \"instead\": { ", "name", t->instead);
        json_member(out, ", ", "path", t->instead_path);
        text_add(out, ", \"count\": %lld, \"first_seed\": %lld }", (long long)t->instead_count,
                 (long long)t->instead_seed);
    }
    if (t->impossible)
        json_member(out, ", ", "impossible", t->impossible);
    text_put(out, " }");
}
