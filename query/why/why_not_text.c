// query/why/why_not_text.c - denials as an indented list for people, and as JSON.
#include "query/why/proof_text.h"

static void write_indent(text_buffer *p, int depth) {
    text_add(p, "%*s", 2 * depth, "");
}

static void write_denial(text_buffer *p, const denial *d, int depth);

static void write_obstacle(text_buffer *p, const obstacle *o, int depth) {
    write_indent(p, depth);
    if (o->file)
        text_add(p, "%s:%d: ", o->file, o->line);
    if (o->episode)
        text_add(p, "in episode %lld ", (long long)o->episode);
    if (o->literals > 1 || o->file)
        text_add(p, "%zu of %zu goals hold at once", o->reached, o->literals);
    else
        text_add(p, "it does not hold");
    if (!o->failing && o->file)
        text_add(p, ", but not for this");
    text_add(p, "\n");
    if (o->failing && (o->literals > 1 || o->file)) {
        write_indent(p, depth + 1);
        text_add(p, "fails: ");
        proof_put_term(p, o->failing);
        if (o->file && o->failing_line)
            text_add(p, "  %s:%d", o->file, o->failing_line);
        text_add(p, "\n");
    }
    if (o->nearest) {
        write_indent(p, depth + 1);
        text_add(p, "nearest: %s\n", o->nearest);
    }
    if (o->deeper)
        write_denial(p, o->deeper, depth + 1);
}

static void write_denial(text_buffer *p, const denial *d, int depth) {
    write_indent(p, depth);
    text_add(p, "no: ");
    proof_put_term(p, d->goal);
    text_add(p, "\n");
    if (d->note) {
        write_indent(p, depth + 1);
        text_add(p, "%s\n", d->note);
    }
    for (size_t i = 0; i < d->rule_count; i++)
        write_obstacle(p, &d->rules[i], depth + 1);
}

status denial_text(const denial *d, char **out) {
    text_buffer p = {.may_fail = true};
    write_denial(&p, d, 0);
    return proof_give_text(&p, out);
}

static void write_json(text_buffer *p, const denial *d) {
    text_add(p, "{\"goal\":");
    proof_put_json_term(p, d->goal);
    text_add(p, ",\"note\":");
    json_string(p, d->note);
    text_add(p, ",\"rules\":[");
    for (size_t i = 0; i < d->rule_count; i++) {
        const obstacle *o = &d->rules[i];
        text_add(p, "%s{\"file\":", i ? "," : "");
        json_string(p, o->file);
        text_add(p, ",\"line\":%d,\"rule\":", o->line);
        json_string(p, o->rule);
        if (o->episode)
            text_add(p, ",\"episode\":%lld", (long long)o->episode);
        text_add(p, ",\"literals\":%zu,\"reached\":%zu,\"failing\":", o->literals, o->reached);
        proof_put_json_term(p, o->failing);
        text_add(p, ",\"failing_line\":%d,\"nearest\":", o->failing_line);
        json_string(p, o->nearest);
        text_add(p, ",\"deeper\":");
        if (o->deeper)
            write_json(p, o->deeper);
        else
            text_add(p, "null");
        text_add(p, "}");
    }
    text_add(p, "]}");
}

status denial_json(const denial *d, char **out) {
    text_buffer p = {.may_fail = true};
    write_json(&p, d);
    text_add(&p, "\n");
    return proof_give_text(&p, out);
}
