// report/mending/story_json.c - what was done to mend a plan, as one JSON object.
#include <math.h>

#include "base/text/json.h"
#include "report/mending/story.h"

static void put_count(text_buffer *out, const char *name, int64_t count) {
    text_add(out, ", \"%s\": %lld", name, (long long)count);
}

static void put_flag(text_buffer *out, const char *name, bool value) {
    text_add(out, ", \"%s\": %s", name, value ? "true" : "false");
}

static void put_try(const story_try *t, text_buffer *out) {
    json_member(out, "{ ", "rule", t->rule);
    json_member(out, ", ", "in_few", t->in_few);
    json_member(out, ", ", "impossible", t->impossible);
    put_flag(out, "tried_before", t->before);
    put_count(out, "seeds", t->seeds);
    put_count(out, "succeeded", t->succeeded);
    text_put(out, ", \"cut_off\": ");
    json_number(out, t->cut_off > 0 ? t->cut_off : NAN);
    put_flag(out, "gone", t->gone);
    json_member(out, ", ", "instead", t->instead);
    json_member(out, ", ", "instead_path", t->instead_path);
    put_flag(out, "kept", t->kept);
    text_put(out, " }");
}

static void put_round(const story_round *r, text_buffer *out) {
    json_member(out, "{ ", "on", r->on);
    json_member(out, ", ", "flaw", r->flaw);
    json_member(out, ", ", "path", r->path);
    json_member(out, ", ", "sentence", r->sentence);
    json_member(out, ", ", "limit", r->limit);
    put_count(out, "count", r->count);
    put_count(out, "failed", r->failed);
    put_count(out, "seed", r->seed);
    put_count(out, "episode", r->episode);
    put_flag(out, "spent", r->spent);
    text_put(out, ", \"tries\": [");
    for (size_t i = 0; i < r->tries.count; i++) {
        text_put(out, i ? ",\n      " : "\n      ");
        put_try(&r->tries.items[i], out);
    }
    text_put(out, "] }");
}

static void put_edit(const story_edit *e, text_buffer *out) {
    json_member(out, "{ ", "rule", e->rule);
    json_member(out, ", ", "for", e->flaw);
    json_member(out, ", ", "in_few", e->in_few);
    put_flag(out, "undone", e->undone);
    json_member(out, ", ", "why", e->why);
    text_add(out, ", \"edits\": %s, \"left\": %s }", e->edits, e->left);
}

static void put_judged(const story *s, text_buffer *out) {
    const paired_counts *c = &s->pairs;
    text_put(out, ",\n  \"judged\": ");
    if (!s->judged) {
        text_put(out, "null");
        return;
    }
    text_add(out, "{ \"first_seed\": %lld", (long long)s->judged_first);
    put_count(out, "seeds", s->judged_seeds);
    put_count(out, "answered", paired_total(c));
    put_count(out, "with", c->both + c->only_a);
    put_count(out, "without", c->both + c->only_b);
    put_count(out, "mended", c->only_a);
    put_count(out, "broken", c->only_b);
    text_put(out, ", \"e\": ");
    json_number(out, exp(paired_log_e(c)));
    text_put(out, ", \"p\": ");
    json_number(out, paired_p(c));
    text_put(out, " }");
}

void story_json(const story *s, text_buffer *out) {
    text_buffer sentence = {0};
    json_member(out, "{ \"schema\": 1, ", "plan", s->plan);
    json_member(out, ", ", "outcome", story_outcome_name(s->outcome));
    json_member(out, ", ", "output", s->written ? s->output : NULL);
    json_member(out, ", ", "log", s->log);
    put_count(out, "projections", s->projections);
    put_count(out, "budget", s->budget);
    text_put(out, ", \"enough\": ");
    json_number(out, s->enough);
    put_count(out, "first_seed", s->first_seed);
    put_count(out, "seeds", s->seeds);
    put_count(out, "answered", s->answered);
    put_count(out, "cut_off", s->cut_off);
    put_count(out, "before", s->before);
    put_count(out, "after", s->after);
    text_put(out, ",\n  \"rounds\": [");
    for (size_t i = 0; i < s->rounds.count; i++) {
        text_put(out, i ? ",\n    " : "\n    ");
        put_round(&s->rounds.items[i], out);
    }
    text_put(out, "],\n  \"edits\": [");
    for (size_t i = 0; i < s->edits.count; i++) {
        text_put(out, i ? ",\n    " : "\n    ");
        put_edit(&s->edits.items[i], out);
    }
    text_put(out, "]");
    put_judged(s, out);
    story_sentence(s, &sentence);
    json_member(out, ",\n  ", "sentence", text_string(&sentence));
    text_put(out, " }\n");
    text_finish(&sentence);
}
