// query/prepared/prepared.c - what each part of a rule is kept as. One function for each part goes
// through its fields, for writing and for reading alike.
#include "query/prepared/prepared.h"

#include "base/hash.h"
#include "query/prepared/packed.h"
#include "query/rules/predicates.h"

static const pattern **pass_patterns(packed *k, const pattern **args, uint32_t count) {
    if (!k->out)
        args = arena_alloc(k->p->arena, (count + 1) * sizeof *args);
    for (uint32_t i = 0; i < count; i++)
        args[i] = packed_pattern(k, args[i]);
    return args;
}

static void pass_set(packed *k, varset *s) {
    for (size_t i = 0; i < VARS_MAX / 64; i++)
        PASS(k, s->bits[i]);
}

// Passes a predicate by its number; NULL is none.
static pred *pass_pred(packed *k, pred *d) {
    uint64_t number = packed_number(k, d ? d->index + 1u : 0);
    return number ? k->p->preds.items[number - 1] : NULL;
}

static void pass_literal(packed *k, literal *l) {
    PASS(k, l->kind);
    PASS(k, l->negated);
    PASS(k, l->source);
    PASS(k, l->condition);
    l->pred = pass_pred(k, l->pred);
    PASS(k, l->arg_count);
    l->args = pass_patterns(k, l->args, l->arg_count);
    l->left = packed_expr(k, l->left);
    l->right = packed_expr(k, l->right);
    PASS(k, l->op);
    l->builtin = packed_builtin(k, l->builtin);
    PASS(k, l->aggregate);
    PASS(k, l->enumerates);
    PASS(k, l->windowed);
    PASS(k, l->leads);
    PASS(k, l->is_value);
    PASS(k, l->exact);
    PASS(k, l->range);
    PASS(k, l->line);
    PASS(k, l->column);
}

static void pass_rule(packed *k, pred *of, rule *r) {
    uint32_t variables = r->var_count;
    PASS(k, r->id);
    r->pred = of;
    PASS(k, r->arg_count);
    r->args = pass_patterns(k, r->args, r->arg_count);
    PASS(k, r->head_range);
    PASS(k, r->some_range);
    PASS(k, variables);
    if (!k->out) {
        rule_make_room(r, k->p->arena, variables);
        r->var_count = variables;
    }
    for (uint32_t v = 0; v < variables; v++) {
        r->var_names[v] = packed_text(k, r->var_names[v]);
        PASS(k, r->is_range[v]);
        PASS(k, r->is_time[v]);
    }
    pass_set(k, &r->given);
    pass_set(k, &r->bindable);
    pass_set(k, &r->grouped);
    r->file = packed_file(k, r->file);
    PASS(k, r->line);
    PASS(k, r->column);
    PASS(k, r->literal_count);
    if (!k->out)
        r->literals = arena_alloc(k->p->arena, (r->literal_count + 1) * sizeof *r->literals);
    for (uint32_t i = 0; i < r->literal_count; i++)
        pass_literal(k, &r->literals[i]);
}

static void pass_facts(packed *k, const pred *d, fact_rows *f) {
    PASS(k, f->count);
    PASS(k, f->first);
    size_t count = (size_t)f->count * d->arity;
    value *read = k->out ? NULL : arena_alloc(k->p->arena, (count + 1) * sizeof *read);
    for (size_t i = 0; i < count; i++) {
        value v = packed_value(k, k->out ? f->rows[i] : 0);
        if (read)
            read[i] = v;
    }
    f->rows = read ? read : f->rows;
}

// Passes what names the predicate. Reading, the predicate is made.
static pred *pass_name(packed *k, pred *d) {
    pred name = d ? *d : (pred){0};
    name.name = packed_text(k, name.name);
    name.functor = packed_text(k, name.functor);
    PASS(k, name.arity);
    PASS(k, name.functor_arity);
    return d ? d : program_pred(k->p, name.name, name.arity, name.functor, name.functor_arity);
}

static void pass_kinds(packed *k, column_kind *kinds, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        PASS(k, kinds[i]);
}

// Passes the goal of a scope, which plans show.
static void pass_goal(packed *k, pred *d) {
    const term *written = d->rules.count > 0 ? d->rules.items[0]->written : NULL;
    if (d->scoped)
        d->goal = packed_text(k, written ? term_text(k->p->arena, written) : d->goal);
}

static void pass_traits(packed *k, pred *d) {
    PASS(k, d->temporal);
    PASS(k, d->instant);
    PASS(k, d->on_demand);
    PASS(k, d->auxiliary);
    PASS(k, d->scoped);
    PASS(k, d->shared);
    PASS(k, d->spread);
    pass_goal(k, d);
    bool around = d->around;
    PASS(k, around);
    if (around && !k->out)
        d->around = arena_alloc(k->p->arena, (d->shared + 1) * sizeof *d->around);
    pass_kinds(k, d->around, around ? d->shared : 0);
    PASS(k, d->declared);
    PASS(k, d->split_at);
    d->fact = packed_fact(k, d->fact);
    PASS(k, d->required);
    PASS(k, d->component);
    PASS(k, d->fingerprint);
    pass_kinds(k, d->columns, d->arity);
    PASS(k, d->best);
    PASS(k, d->greatest);
    PASS(k, d->best_computed);
    PASS(k, d->typed);
    d->file = packed_file(k, d->file);
    PASS(k, d->line);
    PASS(k, d->column);
}

static void pass_rows(packed *k, pred *d) {
    size_t blocks = d->facts.count, rules = d->rules.count;
    PASS(k, blocks);
    for (size_t i = 0; i < blocks; i++) {
        fact_rows f = k->out ? d->facts.items[i] : (fact_rows){0};
        pass_facts(k, d, &f);
        if (!k->out)
            pred_add_facts(d, f.rows, f.count, f.first);
    }
    PASS(k, rules);
    if (!k->out)
        array_reserve(&d->rules, rules);
    for (size_t i = 0; i < rules; i++) {
        rule *r = k->out ? d->rules.items[i] : arena_alloc(k->p->arena, sizeof *r);
        pass_rule(k, d, r);
        if (!k->out)
            array_push(&d->rules, r);
    }
}

static void pass_program(packed *k) {
    program *p = k->p;
    size_t preds = p->preds.count;
    PASS(k, preds);
    PASS(k, p->component_count);
    for (size_t i = 0; i < preds; i++)
        pass_traits(k, pass_name(k, k->out ? p->preds.items[i] : NULL));
    for (size_t i = 0; i < preds; i++)
        pass_rows(k, p->preds.items[i]);
    PASS(k, p->auxiliary_count);
}

// ---- Which files they are made of ----

// Returns a hash of the files and of the ids that their clauses have.
static uint64_t files_hash(const program *p) {
    uint64_t h = p->sources.count;
    for (size_t i = 0; i < p->sources.count; i++) {
        const rule_source *s = p->sources.items[i];
        h = hash_mix(h, hash_long(s->text, s->length));
        h = hash_mix(hash_mix(h, s->length), s->clauses.count);
        for (size_t c = 0; c < s->clauses.count; c++)
            h = hash_mix(h, s->clauses.items[c]->id);
    }
    return h;
}

static bool has_only_libraries(const program *p) {
    for (size_t i = 0; i < p->sources.count; i++) {
        if (!p->sources.items[i]->library || p->sources.items[i]->held)
            return false;
    }
    return p->sources.count > 0 && p->tables.count == 0 && !p->supplied;
}

bool prepared_fits(const program *p, const prepared_bytes *from) {
    uint64_t hash;
    if (from->count < sizeof hash || !has_only_libraries(p))
        return false;
    memcpy(&hash, from->bytes, sizeof hash);
    return hash == files_hash(p);
}

status prepared_write(program *p, text_buffer *out, error *err) {
    for (size_t i = 0; i < p->preds.count; i++) {
        if (p->preds.items[i]->episode_call)
            return error_set(err, E_INPUT, "a rule that asks another episode cannot be kept");
    }
    if (p->tables.count > 0)
        return error_set(err, E_INPUT, "a table that a rule file maps cannot be kept");
    uint64_t hash = files_hash(p);
    text_put_bytes(out, (const char *)&hash, sizeof hash);
    packed k;
    packed_begin(&k, p);
    pass_program(&k);
    packed_finish(&k, out);
    return OK;
}

// Every clause counts as lowered from now on.
static void close_clauses(program *p) {
    for (size_t i = 0; i < p->heads.count; i++)
        p->heads.items[i].sifted = true;
    for (size_t i = 0; i < p->by_id.count; i++)
        p->by_id.items[i]->lowered = true;
}

status prepared_read(program *p, const prepared_bytes *from) {
    packed k;
    packed_open(&k, p, p->arena, from->bytes + sizeof(uint64_t));
    pass_program(&k);
    packed_close(&k);
    close_clauses(p);
    return values_failed(p->values);
}
