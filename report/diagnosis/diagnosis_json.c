// report/diagnosis/diagnosis_json.c - a diagnosis as one JSON object.
#include "report/diagnosis/diagnosis_int.h"
#include "report/diagnosis/term_json.h"
#include "base/text/json.h"

static void put_place(text_buffer *out, const flaw_place *p) {
    json_member(out, "", "path", p->path);
    json_member(out, ", ", "expr", p->expr);
    json_member(out, ", ", "file", p->file);
    text_add(out, ", \"line\": %lld", (long long)p->line);
}

static void put_task(text_buffer *out, const flaw_task *t) {
    if (!t->id) {
        text_put(out, "null");
        return;
    }
    text_add(out, "{ \"id\": %lld, ", (long long)t->id);
    put_place(out, &t->at);
    if (t->call.file) {
        text_put(out, ",\n        \"for\": { ");
        put_place(out, &t->call);
        text_put(out, " }");
    }
    text_put(out, " }");
}

static void put_verification(text_buffer *out, const flaw_verification *v) {
    if (!v)
        return;
    json_member(out, ",\n      \"verification\": { ", "change", v->change);
    json_member(out, ", ", "stream", v->stream);
    text_add(out, ", \"gone\": %s, \"placebos\": %d, \"still\": %d", v->gone ? "true" : "false",
             v->placebos, v->still);
    json_member(out, ", ", "note", v->note);
    text_put(out, " }");
}

static void put_suggestions(text_buffer *out, const flaw *f) {
    text_put(out, ",\n      \"suggests\": [");
    for (size_t i = 0; i < f->suggest_count; i++) {
        text_put(out, i ? ",\n        { \"rule\": " : "\n        { \"rule\": ");
        json_string(out, f->suggests[i].rule);
        text_add(out, ", \"edits\": %s", f->suggests[i].edits);
        if (f->suggests[i].trial) {
            text_put(out, ",\n          \"trial\": ");
            trial_json(f->suggests[i].trial, out);
        }
        text_put(out, " }");
    }
    text_put(out, "]");
}

static void put_flaw(text_buffer *out, const diagnosis *d, const flaw *f) {
    text_add(out, "\n    { \"id\": %lld, \"name\": ", (long long)f->id);
    json_string(out, f->name);
    text_add(out, ", \"root\": %s, \"recovered\": %s, \"caused_by\": [", f->root ? "true" : "false",
             f->recovered ? "true" : "false");
    for (size_t i = 0; i < f->cause_count; i++)
        text_add(out, "%s%lld", i ? ", " : "", (long long)f->causes[i]);
    json_member(out, "],\n      ", "verdict", f->verdict);
    put_verification(out, f->verification);
    text_put(out, ",\n      \"start\": ");
    json_seconds(out, f->start);
    text_put(out, ", \"end\": ");
    json_seconds(out, f->end);
    json_member(out, ", ", "agent", f->agent);
    text_put(out, ",\n      \"sentence\": ");
    text_buffer sentence = {0};
    words_sentence(d, f, &sentence);
    json_string(out, text_string(&sentence));
    text_finish(&sentence);
    text_put(out, ",\n      \"task\": ");
    put_task(out, &f->task);
    text_put(out, ",\n      \"bodies\": [");
    for (size_t i = 0; i < f->body_count; i++) {
        text_put(out, i ? ", " : "");
        json_string(out, f->bodies[i]);
    }
    text_put(out, "],\n      \"evidence\": {");
    for (size_t i = 0; i < f->evidence_count; i++) {
        text_put(out, i ? ", " : " ");
        json_string(out, f->evidence[i].name);
        text_put(out, ": ");
        term_json(f->evidence[i].value, out);
    }
    text_put(out, f->evidence_count ? " }" : "}");
    json_member(out, ",\n      ", "limit", f->limit);
    if (f->doubt)
        json_member(out, ",\n      ", "doubtful", f->doubt);
    put_suggestions(out, f);
    text_put(out, " }");
}

static void put_gaps(text_buffer *out, const diagnosis *d) {
    text_put(out, ",\n  \"unknown\": [");
    for (size_t i = 0; i < d->gaps.count; i++) {
        text_put(out, i ? ",\n    { \"about\": " : "\n    { \"about\": ");
        json_string(out, d->gaps.items[i].about);
        json_member(out, ", ", "text", d->gaps.items[i].text);
        text_put(out, " }");
    }
    text_put(out, "]");
}

void diagnosis_json(const diagnosis *d, text_buffer *out) {
    text_put(out, "{ \"foresee\": \"" FORESEE_VERSION "\", \"schema\": 1, \"log\": ");
    json_string(out, d->log);
    if (d->episode)
        text_add(out, ", \"episode\": %lld", (long long)d->episode);
    else
        text_put(out, ", \"episode\": null");
    json_member(out, ", ", "plan", d->plan);
    if (d->episode)
        text_add(out, ", \"seed\": %lld", (long long)d->seed);
    else
        text_put(out, ", \"seed\": null");
    json_member(out, ",\n  ", "outcome", d->outcome);
    text_put(out, ", \"end\": ");
    json_seconds(out, d->end);
    text_add(out, ", \"complete\": %s,\n  \"flaws\": [", d->complete ? "true" : "false");
    for (size_t i = 0; i < d->flaws.count; i++) {
        text_put(out, i ? "," : "");
        put_flaw(out, d, &d->flaws.items[i]);
    }
    text_put(out, d->flaws.count ? "\n  ]" : "]");
    put_gaps(out, d);
    text_put(out, " }\n");
}
