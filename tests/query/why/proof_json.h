// tests/query/why/proof_json.h - JSON as a tree, just what proofs need.
#ifndef FORESEE_TESTS_QUERY_PROOF_JSON_H
#define FORESEE_TESTS_QUERY_PROOF_JSON_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

typedef struct json json;
struct json {
    char kind;  // { [ " 0 (a number) t f n
    char *text; // of a string
    double number;
    char **names; // of an object
    json **items;
    size_t count;
};

typedef struct json_reader {
    const char *at;
    arena *a;
    bool bad;
    int depth;
} json_reader;

static inline json *json_value(json_reader *r);

static inline void json_blank(json_reader *r) {
    while (*r->at && strchr(" \n\r\t", *r->at))
        r->at++;
}

static inline char *json_text(json_reader *r) {
    size_t length = 0;
    for (const char *s = r->at + 1; *s && *s != '"'; s++) {
        s += *s == '\\' && s[1];
        length++;
    }
    char *out = arena_alloc(r->a, 3 * length + 1), *to = out;
    const char *s = r->at + 1;
    for (; *s && *s != '"'; s++) {
        if (*s != '\\') {
            *to++ = *s;
            continue;
        }
        s++;
        unsigned code = 0;
        switch (*s) {
        case 'n':
            *to++ = '\n';
            break;
        case 't':
            *to++ = '\t';
            break;
        case 'u':
            for (int i = 1; i <= 4 && s[i]; i++)
                code = code * 16 + (unsigned)(s[i] <= '9' ? s[i] - '0' : (s[i] | 32) - 'a' + 10);
            s += 4;
            if (code < 0x80) {
                *to++ = (char)code;
            } else {
                *to++ = (char)(0xe0 | code >> 12);
                *to++ = (char)(0x80 | (code >> 6 & 63));
                *to++ = (char)(0x80 | (code & 63));
            }
            break;
        default:
            *to++ = *s;
        }
    }
    *to = 0;
    r->bad = r->bad || *s != '"';
    r->at = *s ? s + 1 : s;
    return out;
}

static inline void json_add(json_reader *r, json *into, char *name, json *item) {
    if ((into->count & (into->count - 1)) == 0) {
        size_t room = into->count ? into->count * 2 : 1;
        json **items = arena_alloc(r->a, room * sizeof *items);
        char **names = arena_alloc(r->a, room * sizeof *names);
        for (size_t i = 0; i < into->count; i++) {
            items[i] = into->items[i];
            names[i] = into->names[i];
        }
        into->items = items;
        into->names = names;
    }
    into->names[into->count] = name;
    into->items[into->count++] = item;
}

static inline void json_members(json_reader *r, json *into, char close) {
    r->at++;
    json_blank(r);
    while (!r->bad && *r->at != close) {
        char *name = NULL;
        json_blank(r);
        if (close == '}') {
            r->bad = *r->at != '"';
            name = r->bad ? NULL : json_text(r);
            json_blank(r);
            r->bad = r->bad || *r->at != ':';
            r->at += !r->bad;
        }
        json *item = r->bad ? NULL : json_value(r);
        if (item)
            json_add(r, into, name, item);
        json_blank(r);
        if (*r->at == ',')
            r->at++;
        else
            r->bad = r->bad || *r->at != close;
    }
    r->at += !r->bad;
}

static inline json *json_value(json_reader *r) {
    json_blank(r);
    json *j = arena_alloc(r->a, sizeof *j);
    j->kind = *r->at;
    if (++r->depth > 4000) {
        r->bad = true;
    } else if (*r->at == '{' || *r->at == '[') {
        json_members(r, j, *r->at == '{' ? '}' : ']');
    } else if (*r->at == '"') {
        j->text = json_text(r);
    } else if (strncmp(r->at, "null", 4) == 0 || strncmp(r->at, "true", 4) == 0) {
        r->at += 4;
    } else if (strncmp(r->at, "false", 5) == 0) {
        r->at += 5;
    } else {
        char *end;
        j->kind = '0';
        j->number = strtod(r->at, &end);
        r->bad = r->bad || end == r->at;
        r->at = end;
    }
    r->depth--;
    return r->bad ? NULL : j;
}

static inline json *json_get(const json *j, const char *name) {
    for (size_t i = 0; j && j->kind == '{' && i < j->count; i++) {
        if (strcmp(j->names[i], name) == 0)
            return j->items[i];
    }
    return NULL;
}
static inline const char *json_string_of(const json *j, const char *name) {
    const json *s = json_get(j, name);
    return s && s->kind == '"' ? s->text : "";
}
static inline double json_number_of(const json *j, const char *name) {
    const json *n = json_get(j, name);
    return n && n->kind == '0' ? n->number : -1;
}

// NULL: it is no JSON.
static inline json *json_parse(arena *a, const char *text) {
    json_reader r = {.at = text, .a = a};
    json *j = json_value(&r);
    if (j)
        json_blank(&r);
    return r.bad || *r.at ? NULL : j;
}

#endif
