// query/why/why_not_text.c - denials as an indented list for people, and as JSON.
#include "query/why/proof_text.h"

static void indent(page *p, int depth) {
    page_add(p, "%*s", 2 * depth, "");
}

static void write_denial(page *p, const denial *d, int depth);

static void write_obstacle(page *p, const obstacle *o, int depth) {
    indent(p, depth);
    if (o->file)
        page_add(p, "%s:%d: ", o->file, o->line);
    if (o->episode)
        page_add(p, "in episode %lld ", (long long)o->episode);
    if (o->literals > 1 || o->file)
        page_add(p, "%zu of %zu goals hold at once", o->reached, o->literals);
    else
        page_add(p, "it does not hold");
    if (!o->failing && o->file)
        page_add(p, ", but not for this");
    page_add(p, "\n");
    if (o->failing && (o->literals > 1 || o->file)) {
        indent(p, depth + 1);
        page_add(p, "fails: ");
        page_term(p, o->failing);
        if (o->file && o->failing_line)
            page_add(p, "  %s:%d", o->file, o->failing_line);
        page_add(p, "\n");
    }
    if (o->nearest) {
        indent(p, depth + 1);
        page_add(p, "nearest: %s\n", o->nearest);
    }
    if (o->deeper)
        write_denial(p, o->deeper, depth + 1);
}

static void write_denial(page *p, const denial *d, int depth) {
    indent(p, depth);
    page_add(p, "no: ");
    page_term(p, d->goal);
    page_add(p, "\n");
    if (d->note) {
        indent(p, depth + 1);
        page_add(p, "%s\n", d->note);
    }
    for (size_t i = 0; i < d->rule_count; i++)
        write_obstacle(p, &d->rules[i], depth + 1);
}

status denial_text(const denial *d, char **out) {
    page p = {0};
    write_denial(&p, d, 0);
    return page_give(&p, out);
}

static void write_json(page *p, const denial *d) {
    page_add(p, "{\"goal\":");
    page_term_string(p, d->goal);
    page_add(p, ",\"note\":");
    page_string(p, d->note);
    page_add(p, ",\"rules\":[");
    for (size_t i = 0; i < d->rule_count; i++) {
        const obstacle *o = &d->rules[i];
        page_add(p, "%s{\"file\":", i ? "," : "");
        page_string(p, o->file);
        page_add(p, ",\"line\":%d,\"rule\":", o->line);
        page_string(p, o->rule);
        if (o->episode)
            page_add(p, ",\"episode\":%lld", (long long)o->episode);
        page_add(p, ",\"literals\":%zu,\"reached\":%zu,\"failing\":", o->literals, o->reached);
        page_term_string(p, o->failing);
        page_add(p, ",\"failing_line\":%d,\"nearest\":", o->failing_line);
        page_string(p, o->nearest);
        page_add(p, ",\"deeper\":");
        if (o->deeper)
            write_json(p, o->deeper);
        else
            page_add(p, "null");
        page_add(p, "}");
    }
    page_add(p, "]}");
}

status denial_json(const denial *d, char **out) {
    page p = {0};
    write_json(&p, d);
    page_add(&p, "\n");
    return page_give(&p, out);
}
