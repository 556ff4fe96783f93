// query/prepared/packed.c - see packed.h.
#include "query/prepared/packed.h"

#include "query/log/fact.h"

// An instant that is the end of the episode, whatever episode it is. No value is of this kind.
#define KIND_END VALUE_NOTHING

// ---- Numbers ----

static void put(text_buffer *b, uint64_t n) {
    for (; n > 0x7f; n >>= 7)
        text_put_bytes(b, (char[]){(char)(n | 0x80)}, 1);
    text_put_bytes(b, (char[]){(char)n}, 1);
}

static inline uint64_t get(packed *k) {
    uint64_t n = *k->at & 0x7f;
    for (unsigned shift = 7; *k->at++ & 0x80; shift += 7)
        n |= (uint64_t)(*k->at & 0x7f) << shift;
    return n;
}

uint64_t packed_long_number(packed *k, uint64_t n) {
    if (!k->out)
        return get(k);
    put(k->out, n);
    return n;
}

// Numbers of either sign, small ones in few bytes.
static uint64_t folded(int64_t n) {
    return (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0);
}

static int64_t unfolded(uint64_t n) {
    return (int64_t)(n >> 1 ^ (n & 1 ? UINT64_MAX : 0));
}

// ---- Writing the lists ----

// Takes what stands in `entry`, where the list does not have it yet. Returns its number there.
static uint32_t add_entry(packed_list *l, text_buffer *entry) {
    size_t before = symtab_count(l->known);
    uint32_t at = symtab_add(l->known, entry->items, entry->count);
    if (at == before)
        text_put_bytes(&l->bytes, entry->items, entry->count);
    text_finish(entry);
    return at;
}

static uint32_t text_number(packed *k, const char *text) {
    text_buffer entry = {0};
    text_put_bytes(&entry, text, strlen(text) + 1);
    return add_entry(&k->texts, &entry);
}

static uint32_t value_number(packed *k, value v) {
    const values *all = k->p->values;
    text_buffer entry = {0};
    bool is_end = v == values_time(k->p->end);
    put(&entry, is_end ? KIND_END : value_kind(v));
    double real;
    switch (is_end ? KIND_END : value_kind(v)) {
    case VALUE_INT:
    case VALUE_WIDE:
        put(&entry, folded(values_integer(all, v)));
        break;
    case VALUE_SYMBOL:
    case VALUE_STRING:
        put(&entry, text_number(k, values_text(all, v)));
        break;
    case VALUE_TIME:
        put(&entry, folded(value_nanos(v)));
        break;
    case VALUE_FLOAT:
        values_number(all, v, &real);
        text_put_bytes(&entry, (const char *)&real, sizeof real);
        break;
    case VALUE_COMPOUND:
        put(&entry, value_number(k, values_functor(all, v)));
        put(&entry, values_arity(all, v));
        for (uint32_t i = 0; i < values_arity(all, v); i++)
            put(&entry, value_number(k, values_args(all, v)[i]));
        break;
    case KIND_END:
        break;
    }
    return add_entry(&k->values, &entry);
}

static uint32_t pattern_number(packed *k, const pattern *p) {
    text_buffer entry = {0};
    put(&entry, p->kind);
    put(&entry, p->kind == PATTERN_VAR ? p->var : value_number(k, p->constant));
    if (p->kind == PATTERN_COMPOUND) {
        put(&entry, p->arity);
        for (uint32_t i = 0; i < p->arity; i++)
            put(&entry, pattern_number(k, p->args[i]));
    }
    return add_entry(&k->patterns, &entry);
}

static uint32_t expr_number(packed *k, const expr *e) {
    text_buffer entry = {0};
    put(&entry, e->op);
    if (e->op == EXPR_CONST)
        put(&entry, value_number(k, e->constant));
    else if (e->op == EXPR_VAR)
        put(&entry, e->var);
    else if (e->op == EXPR_TERM)
        put(&entry, pattern_number(k, e->term));
    else
        for (int i = 0; i < 2; i++)
            put(&entry, e->args[i] ? expr_number(k, e->args[i]) + 1u : 0);
    return add_entry(&k->exprs, &entry);
}

void packed_begin(packed *k, program *p) {
    *k = (packed){.p = p};
    k->out = &k->body;
    packed_list *const lists[] = {&k->texts, &k->values, &k->patterns, &k->exprs};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        lists[i]->known = symtab_create();
}

void packed_finish(packed *k, text_buffer *out) {
    packed_list *const lists[] = {&k->texts, &k->values, &k->patterns, &k->exprs};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        put(out, symtab_count(lists[i]->known));
        text_put_bytes(out, text_string(&lists[i]->bytes), lists[i]->bytes.count);
        symtab_destroy(lists[i]->known);
        text_finish(&lists[i]->bytes);
    }
    text_put_bytes(out, text_string(&k->body), k->body.count);
    text_finish(&k->body);
}

// ---- Reading the lists ----

static value read_value(packed *k) {
    values *all = k->p->values;
    uint64_t kind = get(k);
    double real;
    value v;
    switch ((value_tag)kind) {
    case VALUE_INT:
    case VALUE_WIDE:
        return values_int(all, unfolded(get(k)));
    case VALUE_SYMBOL:
        return values_symbol(all, k->text[get(k)]);
    case VALUE_STRING:
        return values_string(all, k->text[get(k)]);
    case VALUE_TIME:
        return values_time(unfolded(get(k)));
    case VALUE_FLOAT:
        memcpy(&real, k->at, sizeof real);
        k->at += sizeof real;
        return values_float(all, real);
    case VALUE_COMPOUND:
        v = k->value[get(k)];
        uint32_t arity = (uint32_t)get(k);
        value *args = arena_alloc(k->arena, (arity + 1) * sizeof *args);
        for (uint32_t i = 0; i < arity; i++)
            args[i] = k->value[get(k)];
        return values_compound_of(all, v, arity, args);
    case KIND_END:
        break;
    }
    return values_time(k->p->end);
}

static void read_pattern(packed *k, pattern *p) {
    p->kind = (pattern_kind)get(k);
    if (p->kind == PATTERN_VAR)
        p->var = (uint32_t)get(k);
    else
        p->constant = k->value[get(k)];
    if (p->kind != PATTERN_COMPOUND)
        return;
    p->arity = (uint32_t)get(k);
    p->args = arena_alloc(k->arena, (p->arity + 1) * sizeof *p->args);
    for (uint32_t i = 0; i < p->arity; i++)
        p->args[i] = k->pattern[get(k)];
}

static void read_expr(packed *k, expr *e) {
    e->op = (expr_op)get(k);
    if (e->op == EXPR_CONST)
        e->constant = k->value[get(k)];
    else if (e->op == EXPR_VAR)
        e->var = (uint32_t)get(k);
    else if (e->op == EXPR_TERM)
        e->term = k->pattern[get(k)];
    else
        for (int i = 0; i < 2; i++) {
            uint64_t arg = get(k);
            e->args[i] = arg ? k->expr[arg - 1] : NULL;
        }
}

void packed_open(packed *k, program *p, arena *a, const unsigned char *bytes) {
    *k = (packed){.p = p, .arena = a, .at = bytes};
    size_t count = get(k);
    k->text = mem_must(count + 1, sizeof *k->text);
    for (size_t i = 0; i < count; i++) {
        k->text[i] = (const char *)k->at;
        k->at += strlen(k->text[i]) + 1;
    }
    count = get(k);
    k->value = mem_must(count + 1, sizeof *k->value);
    for (size_t i = 0; i < count; i++)
        k->value[i] = read_value(k);
    count = get(k);
    k->pattern = mem_must(count + 1, sizeof *k->pattern);
    pattern *patterns = arena_alloc(a, (count + 1) * sizeof *patterns);
    for (size_t i = 0; i < count; i++) {
        read_pattern(k, &patterns[i]);
        k->pattern[i] = &patterns[i];
    }
    count = get(k);
    k->expr = mem_must(count + 1, sizeof *k->expr);
    expr *exprs = arena_alloc(a, (count + 1) * sizeof *exprs);
    for (size_t i = 0; i < count; i++) {
        read_expr(k, &exprs[i]);
        k->expr[i] = &exprs[i];
    }
}

void packed_close(packed *k) {
    free(k->text);
    free(k->value);
    free(k->pattern);
    free(k->expr);
}

// ---- What is referred to ----

const char *packed_text(packed *k, const char *text) {
    uint64_t number = packed_number(k, k->out && text ? text_number(k, text) + 1u : 0);
    return k->out ? text : number ? k->text[number - 1] : NULL;
}

value packed_value(packed *k, value v) {
    uint64_t number = packed_number(k, k->out ? value_number(k, v) : 0);
    return k->out ? v : k->value[number];
}

const pattern *packed_pattern(packed *k, const pattern *p) {
    uint64_t number = packed_number(k, k->out ? pattern_number(k, p) : 0);
    return k->out ? p : k->pattern[number];
}

const expr *packed_expr(packed *k, const expr *e) {
    uint64_t number = packed_number(k, k->out && e ? expr_number(k, e) + 1u : 0);
    return k->out ? e : number ? k->expr[number - 1] : NULL;
}

const char *packed_file(packed *k, const char *file) {
    uint64_t number = 0;
    for (size_t i = 0; k->out && file && i < k->p->sources.count; i++)
        number = strcmp(k->p->sources.items[i]->name, file) == 0 ? i + 1 : number;
    number = packed_number(k, number);
    return number ? k->p->sources.items[number - 1]->name : NULL;
}

const builtin *packed_builtin(packed *k, const builtin *b) {
    uint64_t number = 0;
    for (size_t i = 0; k->out && b && number == 0; i++)
        number = builtin_at(i) == b ? i + 1 : 0;
    number = packed_number(k, number);
    return number ? builtin_at(number - 1) : NULL;
}

const struct fact *packed_fact(packed *k, const struct fact *f) {
    uint64_t number = 0;
    for (size_t i = 0; k->out && f && number == 0; i++)
        number = fact_at(i) == f ? i + 1 : 0;
    number = packed_number(k, number);
    return number ? fact_at(number - 1) : NULL;
}
