#include "report/diagnose_int.h"

// A term as JSON: numbers, texts and lists as such, anything else as it is written.
static void put_term(text_buffer *out, arena *a, const term *t) {
    double number;
    if (term_number(t, &number)) {
        json_number(out, number);
    } else if (t->kind == TERM_SYMBOL && strcmp(t->text, "[]") == 0) {
        text_put(out, "[]");
    } else if (t->kind == TERM_SYMBOL || t->kind == TERM_STRING) {
        json_string(out, t->text);
    } else if (term_list_length(t) > 0) {
        int64_t n = term_list_length(t);
        text_put(out, "[");
        for (int64_t i = 0; i < n; i++) {
            text_put(out, i ? ", " : "");
            put_term(out, a, term_list_item(t, (size_t)i));
        }
        text_put(out, "]");
    } else {
        json_string(out, term_text(a, t));
    }
}

static void put_flaw(text_buffer *out, arena *a, const flaw *f) {
    text_add(out, "\n    { \"id\": %lld, \"name\": ", (long long)f->id);
    json_string(out, f->name);
    text_add(out, ", \"root\": %s, \"recovered\": %s, \"caused_by\": [", f->root ? "true" : "false",
             f->recovered ? "true" : "false");
    for (size_t i = 0; i < f->cause_count; i++)
        text_add(out, "%s%lld", i ? ", " : "", (long long)f->causes[i]);
    text_put(out, "],\n      \"verdict\": \"unverified\",\n      \"start\": ");
    json_seconds(out, f->start);
    text_put(out, ", \"end\": ");
    json_seconds(out, f->end);
    text_put(out, ", \"agent\": ");
    json_string(out, f->agent);
    text_put(out, ",\n      \"task\": ");
    if (f->task.id) {
        text_add(out, "{ \"id\": %lld, \"path\": ", (long long)f->task.id);
        json_string(out, f->task.path);
        text_put(out, ", \"expr\": ");
        json_string(out, f->task.expr);
        text_put(out, ", \"file\": ");
        json_string(out, f->task.file);
        text_add(out, ", \"line\": %lld }", (long long)f->task.line);
    } else {
        text_put(out, "null");
    }
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
        put_term(out, a, f->evidence[i].value);
    }
    text_put(out,
             f->evidence_count ? " },\n      \"suggests\": [] }" : "},\n      \"suggests\": [] }");
}

void diagnosis_json(const diagnosis *d, text_buffer *out) {
    arena *scratch = arena_create();
    text_put(out, "{ \"foresee\": \"" FORESEE_VERSION "\", \"schema\": 1, \"log\": ");
    json_string(out, d->log);
    text_add(out, ", \"episode\": %lld, \"plan\": ", (long long)d->episode);
    json_string(out, d->plan);
    text_add(out, ", \"seed\": %lld,\n  \"outcome\": ", (long long)d->seed);
    json_string(out, d->outcome);
    text_put(out, ",\n  \"flaws\": [");
    for (size_t i = 0; i < d->flaws.count; i++) {
        text_put(out, i ? "," : "");
        put_flaw(out, scratch, &d->flaws.items[i]);
    }
    text_put(out, d->flaws.count ? "\n  ] }\n" : "] }\n");
    arena_destroy(scratch);
}
