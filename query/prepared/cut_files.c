// query/prepared/cut_files.c - see cut_files.h. One function for each part of a file goes through
// its fields, for writing and for reading alike.
#include "query/prepared/cut_files.h"

#include "base/hash.h"
#include "query/prepared/packed.h"
#include "query/rules/directive.h"
#include "query/rules/flaw_form.h"

// What stands before the parts of a file: the hash of its text, the length of that, and the bytes
// of the parts.
typedef struct file_head {
    uint64_t hash, length, bytes;
} file_head;

// ---- The parts of a file ----

static void pass_text(packed *k, const char **text) {
    *text = packed_text(k, *text);
}

static void pass_texts(packed *k, const char ***texts, uint32_t count) {
    if (!k->out)
        *texts = arena_alloc(k->p->texts, (count + 1) * sizeof **texts);
    for (uint32_t i = 0; i < count; i++)
        pass_text(k, &(*texts)[i]);
}

static void pass_piece(packed *k, flaw_piece *p) {
    PASS(k, p->at);
    PASS(k, p->length);
    PASS(k, p->line);
    PASS(k, p->column);
}

static void pass_flaw(packed *k, arena *a, flaw_form *f) {
    pass_text(k, &f->name);
    PASS(k, f->arity);
    flaw_argument *arguments = arena_alloc(a, (f->arity + 1) * sizeof *arguments);
    for (uint32_t i = 0; i < f->arity; i++) {
        if (k->out)
            arguments[i] = f->arguments[i];
        pass_text(k, &arguments[i].variable);
        pass_text(k, &arguments[i].name);
        pass_text(k, &arguments[i].type);
    }
    if (!k->out)
        f->arguments = arguments;
    PASS(k, f->hash);
    PASS(k, f->at);
    PASS(k, f->length);
    PASS(k, f->line);
    PASS(k, f->column);
    PASS(k, f->has_time);
}

// Passes the flaw of a sentence: the clauses of one flaw stand together.
static const flaw_form *pass_flaw_of(packed *k, arena *a, const flaw_form *said,
                                     const flaw_form *last) {
    bool same = said == last;
    PASS(k, same);
    if (same)
        return last;
    flaw_form *f = k->out ? (flaw_form *)(uintptr_t)said : arena_alloc(a, sizeof *f);
    pass_flaw(k, a, f);
    return f;
}

static void pass_sentence(packed *k, arena *a, struct flaw_clause *f, const flaw_form **last) {
    f->flaw = *last = pass_flaw_of(k, a, f->flaw, *last);
    PASS(k, f->kind);
    PASS(k, f->shared);
    PASS(k, f->of_threshold);
    PASS(k, f->argument);
    pass_piece(k, &f->item);
    pass_piece(k, &f->second);
    pass_piece(k, &f->goals);
}

static void pass_clause(packed *k, rule_source *s, clause *c, const flaw_form **last) {
    bool sentence = c->form != NULL;
    pass_text(k, &c->name);
    PASS(k, c->length);
    PASS(k, c->line);
    PASS(k, c->column);
    c->hash = k->out ? source_clause_hash(c) : 0;
    PASS(k, c->hash);
    PASS(k, sentence);
    if (!sentence)
        return;
    if (!k->out)
        c->form = arena_alloc(s->arena, sizeof *c->form);
    pass_sentence(k, s->arena, (struct flaw_clause *)(uintptr_t)c->form, last);
}

static void pass_clauses(packed *k, rule_source *s) {
    size_t count = s->clauses.count;
    const flaw_form *last = NULL;
    PASS(k, count);
    if (!k->out)
        array_reserve(&s->clauses, count);
    for (size_t i = 0; i < count; i++) {
        size_t at = k->out ? s->clauses.items[i]->at : 0;
        PASS(k, at);
        pass_clause(k, s, k->out ? s->clauses.items[i] : source_add_clause(s, at), &last);
    }
}

static void pass_places(packed *k, rule_source *s) {
    size_t count = s->directives.count;
    PASS(k, count);
    for (size_t i = 0; i < count; i++) {
        text_place t = k->out ? s->directives.items[i] : (text_place){0};
        PASS(k, t.at);
        PASS(k, t.line);
        PASS(k, t.column);
        if (!k->out)
            array_push(&s->directives, t);
    }
}

static void pass_declaration(packed *k, const rule_source *s, declaration *d) {
    pass_text(k, &d->name);
    pass_text(k, &d->doc);
    pass_text(k, &d->text);
    pass_text(k, &d->example);
    PASS(k, d->arity);
    pass_texts(k, &d->arg_names, d->arity);
    pass_texts(k, &d->arg_types, d->arity);
    PASS(k, d->inner_at);
    PASS(k, d->inner_arity);
    pass_text(k, &d->inner_name);
    pass_texts(k, &d->inner_names, d->inner_arity);
    pass_texts(k, &d->inner_types, d->inner_arity);
    PASS(k, d->line);
    PASS(k, d->column);
    d->file = s->name;
}

static void pass_declarations(packed *k, rule_source *s) {
    size_t count = k->p->declarations.count;
    PASS(k, count);
    for (size_t i = 0; i < count; i++) {
        declaration d = k->out ? k->p->declarations.items[i] : (declaration){0};
        pass_declaration(k, s, &d);
        if (!k->out)
            array_push(&k->p->declarations, d);
    }
}

static void pass_positions(packed *k, rule_source *s) {
    size_t count = k->p->positions.count;
    PASS(k, count);
    for (size_t i = 0; i < count; i++) {
        position_directive d = k->out ? k->p->positions.items[i] : (position_directive){0};
        pass_text(k, &d.word);
        pass_text(k, &d.name);
        PASS(k, d.position);
        PASS(k, d.line);
        PASS(k, d.column);
        d.file = s->name;
        if (!k->out)
            directive_position(k->p, d);
    }
}

// Passes the names that have traits, in their order, and what no directive of a position says.
static void pass_traits_names(packed *k) {
    size_t count = k->p->traits.count;
    PASS(k, count);
    for (size_t i = 0; i < count; i++) {
        predicate_traits t = k->out ? k->p->traits.items[i] : (predicate_traits){0};
        pass_text(k, &t.name);
        PASS(k, t.agent_arity);
        if (k->out)
            continue;
        predicate_traits *of = program_traits(k->p, t.name, true);
        of->agent_arity = t.agent_arity ? t.agent_arity : of->agent_arity;
    }
}

static mark pass_mark(packed *k, mark m) {
    pass_text(k, &m.name);
    pass_text(k, &m.functor);
    PASS(k, m.arity);
    return m;
}

static void pass_marks(packed *k) {
    size_t demanded = k->p->on_demand.count, pointwise = k->p->pointwise.count;
    PASS(k, demanded);
    PASS(k, pointwise);
    for (size_t i = 0; i < demanded; i++) {
        mark m = pass_mark(k, k->out ? k->p->on_demand.items[i] : (mark){0});
        if (!k->out)
            array_push(&k->p->on_demand, m);
    }
    for (size_t i = 0; i < pointwise; i++) {
        mark m = pass_mark(k, k->out ? k->p->pointwise.items[i] : (mark){0});
        if (!k->out)
            array_push(&k->p->pointwise, m);
    }
}

static void pass_file(packed *k, rule_source *s) {
    pass_places(k, s);
    pass_traits_names(k);
    pass_positions(k, s);
    pass_declarations(k, s);
    pass_marks(k);
    pass_clauses(k, s);
}

// ---- Files ----

static uint64_t text_hash(const rule_source *s) {
    return hash_long(s->text, s->length);
}

// Returns why the file cannot be kept; NULL: it can.
static const char *unkept_part(const program *p) {
    if (p->sources.count != 1 || !p->sources.items[0]->library)
        return "only one library at a time can be kept";
    const rule_source *s = p->sources.items[0];
    if (s->module || p->tables.count > 0)
        return "a file with modules, imports or mapped tables cannot be kept";
    for (size_t i = 0; i < s->clauses.count; i++) {
        const clause *c = s->clauses.items[i];
        if (c->head || c->facts || c->broken)
            return "a clause that does not begin with a name cannot be kept";
    }
    return NULL;
}

status cut_files_write(program *p, text_buffer *out, error *err) {
    const char *why = unkept_part(p);
    if (why)
        return error_set(err, E_INPUT, "%s", why);
    rule_source *s = p->sources.items[0];
    text_buffer parts = {0};
    packed k;
    packed_begin(&k, p);
    pass_file(&k, s);
    packed_finish(&k, &parts);
    file_head head = {text_hash(s), s->length, parts.count};
    text_put_bytes(out, (const char *)&head, sizeof head);
    text_put_bytes(out, parts.items, parts.count);
    text_finish(&parts);
    return OK;
}

bool cut_files_read(program *p, rule_source *s, const prepared_bytes *files) {
    uint64_t hash = files->count > 0 ? text_hash(s) : 0;
    file_head head;
    for (size_t at = 0; at < files->count; at += head.bytes) {
        memcpy(&head, files->bytes + at, sizeof head);
        at += sizeof head;
        if (head.hash != hash || head.length != s->length)
            continue;
        packed k;
        packed_open(&k, p, p->texts, files->bytes + at);
        pass_file(&k, s);
        packed_close(&k);
        return true;
    }
    return false;
}

bool cut_files_fill_in(program *p, rule_source *s) {
    return cut_files_read(p, s, &prepared_files);
}
