// report/diagnosis/collect.c - collects the flaws of an episode and their properties from the
// rules. Each property is asked of all flaws by one query; a hash of the flaw's term finds the flaw
// of a row.
#include <math.h>

#include "base/hash.h"
#include "base/symtab.h"
#include "report/diagnosis/collect.h"
#include "report/diagnosis/term_json.h"
#include "schema/columns.h"

// ---- Flaws by their terms
static uint64_t hash_more(uint64_t h, const void *bytes, size_t count) {
    return hash_mix(h, hash_bytes(bytes, count));
}

// Equal terms have the same hash, also the numbers 1 and 1.0.
static uint64_t hash_term(uint64_t h, const term *t) {
    double number;
    if (term_number(t, &number)) {
        number += 0.0; // -0 and 0 are equal
        return hash_more(h, &number, sizeof number);
    }
    h = hash_more(h, t->text, strlen(t->text));
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++)
        h = hash_term(h, t->args[i]);
    return h;
}

static void index_flaws(collector *c) {
    size_t room = 16;
    while (room < 2 * c->d->flaws.count)
        room *= 2;
    c->slots = arena_alloc(c->scratch, room * sizeof *c->slots);
    c->mask = room - 1;
    for (size_t i = 0; i < c->d->flaws.count; i++) {
        size_t at = hash_term(0, c->d->flaws.items[i].term) & c->mask;
        while (c->slots[at])
            at = (at + 1) & c->mask;
        c->slots[at] = (uint32_t)i + 1;
    }
}

static flaw *flaw_of(const collector *c, const term *t) {
    for (size_t at = hash_term(0, t) & c->mask; c->slots[at]; at = (at + 1) & c->mask) {
        flaw *f = &c->d->flaws.items[c->slots[at] - 1];
        if (term_equal(f->term, t))
            return f;
    }
    return NULL;
}

// ---- Orders that do not depend on how bodies are named
// Returns the position of an object in the log's table of objects; -1 for any other text.
static int64_t rank_of(const diagnosis *d, const term *t) {
    return t->kind == TERM_SYMBOL ? symtab_find(d->objects, t->text, strlen(t->text)) : -1;
}

static int order_terms(const diagnosis *d, const term *a, const term *b) {
    int64_t x = rank_of(d, a), y = rank_of(d, b);
    if (x >= 0 || y >= 0)
        return x < y ? -1 : x > y;
    if (a->kind != TERM_COMPOUND || b->kind != TERM_COMPOUND || a->arity != b->arity ||
        strcmp(a->text, b->text) != 0)
        return term_order(a, b);
    for (uint32_t i = 0; i < a->arity; i++) {
        int c = order_terms(d, a->args[i], b->args[i]);
        if (c)
            return c;
    }
    return 0;
}

// Orders flaws by time; of two that begin together the cause comes first.
static int by_time(const void *a, const void *b, void *context) {
    const flaw *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->id != y->id) // `id` still holds the length of the longest chain of causes
        return x->id < y->id ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return order_terms(context, x->term, y->term);
}

// Sets the `id` of each flaw to the length of its longest chain of causes.
static void measure_chains(collector *c, const ask_rows *causes) {
    size_t n = c->d->flaws.count;
    bool changed = true;
    for (size_t round = 0; changed && round < n; round++) {
        changed = false;
        for (size_t r = 0; r < ask_count(causes); r++) {
            flaw *effect = flaw_of(c, ask_at(causes, r, 0)->term),
                 *cause = flaw_of(c, ask_at(causes, r, 1)->term);
            if (effect && cause && effect->id < cause->id + 1) {
                effect->id = cause->id + 1;
                changed = true;
            }
        }
    }
}

// ---- Rows of a query; the first column names the flaw
static status each_row(collector *c, const char *query,
                       status (*take)(collector *c, flaw *f, const ask_value *value)) {
    ask_rows rows = {0};
    status st = ask_all(c->ask, c->d->arena, query, &rows, c->err);
    for (size_t i = 0; st == OK && i < ask_count(&rows); i++) {
        flaw *f = flaw_of(c, ask_at(&rows, i, 0)->term);
        if (f)
            st = take(c, f, ask_at(&rows, i, 0) + 1);
    }
    array_finish(&rows.values);
    return st;
}

static status take_time(collector *c, flaw *f, const ask_value *value) {
    (void)c;
    f->start = value[0].time;
    f->end = value[1].time;
    return OK;
}

static status take_recovered(collector *c, flaw *f, const ask_value *value) {
    (void)c, (void)value;
    f->recovered = true;
    return OK;
}

static status take_root(collector *c, flaw *f, const ask_value *value) {
    (void)c, (void)value;
    f->root = true;
    return OK;
}

// Ids grow with time, so that sorted ids are causes in their order in time.
static status take_cause(collector *c, flaw *f, const ask_value *value) {
    const flaw *cause = flaw_of(c, value[0].term);
    if (!cause)
        return OK;
    int64_t *causes = arena_alloc(c->d->arena, (f->cause_count + 1) * sizeof *causes);
    size_t at = f->cause_count;
    for (; at > 0 && f->causes[at - 1] > cause->id; at--)
        causes[at] = f->causes[at - 1];
    causes[at] = cause->id;
    for (size_t i = 0; i < at; i++)
        causes[i] = f->causes[i];
    f->causes = causes;
    f->cause_count++;
    return OK;
}

static const char *text_of(arena *a, const term *t) {
    return t->kind == TERM_SYMBOL || t->kind == TERM_STRING ? t->text : term_text(a, t);
}

// Returns where in the flaw's term the body is named; a body that the term does not name comes
// last.
static size_t place_in(const term *t, const char *body) {
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++)
        if (term_is_symbol(t->args[i], body))
            return i;
    return t->arity;
}

static bool body_before(const diagnosis *d, const term *about, const char *a, const char *b) {
    size_t x = place_in(about, a), y = place_in(about, b);
    if (x != y)
        return x < y;
    int64_t i = symtab_find(d->objects, a, strlen(a)), k = symtab_find(d->objects, b, strlen(b));
    return i != k ? i < k : strcmp(a, b) < 0;
}

static status take_body(collector *c, flaw *f, const ask_value *value) {
    diagnosis *d = c->d;
    const char *body = text_of(d->arena, value[0].term);
    const char **bodies = arena_alloc(d->arena, (f->body_count + 1) * sizeof *bodies);
    size_t at = f->body_count;
    for (; at > 0 && body_before(d, f->term, body, f->bodies[at - 1]); at--)
        bodies[at] = f->bodies[at - 1];
    bodies[at] = body;
    for (size_t i = 0; i < at; i++)
        bodies[i] = f->bodies[i];
    f->bodies = bodies;
    f->body_count++;
    return OK;
}

// Orders a list, which the engine sorts by name, as the log orders its objects.
static const term *put_in_order(const diagnosis *d, const term *value) {
    int64_t n = term_list_length(value);
    if (n < 2)
        return value;
    const term **items = arena_alloc(d->arena, (size_t)n * sizeof *items);
    for (int64_t i = 0; i < n; i++) {
        const term *item = term_list_item(value, (size_t)i);
        int64_t at = i;
        for (; at > 0 && order_terms(d, item, items[at - 1]) < 0; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
    return term_list(d->arena, items, (size_t)n, NULL);
}

// Evidence is sorted by name. JSON has one value under a key: of several values the one that is
// first in the order of the log is kept.
static status take_evidence(collector *c, flaw *f, const ask_value *value) {
    diagnosis *d = c->d;
    flaw_evidence one = {text_of(d->arena, value[0].term), put_in_order(d, value[1].term),
                         value[1].is_time};
    flaw_evidence *e = arena_alloc(d->arena, (f->evidence_count + 1) * sizeof *e);
    size_t at = 0;
    while (at < f->evidence_count && strcmp(f->evidence[at].name, one.name) < 0)
        at++;
    bool twice = at < f->evidence_count && strcmp(f->evidence[at].name, one.name) == 0;
    if (twice && order_terms(d, f->evidence[at].value, one.value) <= 0)
        return OK;
    for (size_t i = 0; i < f->evidence_count; i++)
        e[i + (i >= at && !twice)] = f->evidence[i];
    e[at] = one;
    f->evidence = e;
    f->evidence_count += !twice;
    return OK;
}

// Adds evidence of how often a flaw showed, and when it last began.
static status take_repeated(collector *c, flaw *f, const ask_value *value) {
    arena *a = c->d->arena;
    const ask_value times[2] = {{.term = term_symbol(a, "times")}, value[0]},
                    last[2] = {{.term = term_symbol(a, "last_began")}, value[2]};
    status st = take_evidence(c, f, times);
    return st == OK ? take_evidence(c, f, last) : st;
}

// Notes that a suggestion is no list of edits, once for each rule and name of flaw. The suggestion
// is left out.
static void note_no_edits(collector *c, const flaw *f, const ask_value *value, const error *why) {
    diagnosis *d = c->d;
    const char *text = arena_format(d->arena, "the suggestion '%s' of %s is left out: %s",
                                    text_of(d->arena, value[0].term), f->name, why->text);
    for (size_t i = 0; i < d->notes.count; i++)
        if (strcmp(d->notes.items[i], text) == 0)
            return;
    array_push(&d->notes, text);
}

static status take_limit(collector *c, flaw *f, const ask_value *value) {
    if (!f->limit)
        f->limit = text_of(c->d->arena, value[0].term);
    return OK;
}

static status take_doubt(collector *c, flaw *f, const ask_value *value) {
    arena *a = c->d->arena;
    const char *one =
        arena_format(a, "%s (%s)", text_of(a, value[0].term), text_of(a, value[1].term));
    f->doubt = f->doubt ? arena_format(a, "%s, %s", f->doubt, one) : one;
    return OK;
}

// Whether edits set a key under projection:, which stands in the plan that names world and robots.
static bool sets_projection(const term *edits) {
    int64_t n = term_list_length(edits);
    for (int64_t i = 0; i < n; i++) {
        const term *edit = term_list_item(edits, (size_t)i);
        if (term_list_length(edit) > 0 && term_is(term_list_item(edit, 0), "set_projection", 1))
            return true;
    }
    return false;
}

// Suggestions are sorted by the names of their rules, then by their edits.
static status take_suggestion(collector *c, flaw *f, const ask_value *value) {
    diagnosis *d = c->d;
    text_buffer json = {0};
    error why = {0};
    if (edits_json(value[1].term, &json, &why) != OK) {
        note_no_edits(c, f, value, &why);
        text_finish(&json);
        return OK;
    }
    flaw_suggestion one = {.rule = text_of(d->arena, value[0].term),
                           .edits = arena_copy(d->arena, json.items, json.count),
                           .as = value[1].term,
                           .in_few = words_edits(d->arena, value[1].term),
                           .projected = sets_projection(value[1].term)};
    text_finish(&json);
    flaw_suggestion *s = arena_alloc(d->arena, (f->suggest_count + 1) * sizeof *s);
    for (size_t i = 0; i < f->suggest_count; i++)
        s[i] = f->suggests[i];
    s[f->suggest_count++] = one;
    f->suggests = s;
    return OK;
}

// ---- Tasks
static const char *column_text(arena *a, sqlite3_stmt *row, int i) {
    const char *text = (const char *)sqlite3_column_text(row, i);
    return text ? arena_strdup(a, text) : NULL;
}

static status take_task(collector *c, flaw *f, const ask_value *value) {
    (void)c;
    if (!f->task.row && value[0].term->kind == TERM_INT)
        f->task.row = value[0].term->integer;
    return OK;
}

// Reads the task of a flaw. For a task in a library it also finds the step of the plan's own file
// above it.
static status describe_task(collector *c, sqlite3_stmt *row, flaw *f) {
    arena *a = c->d->arena;
    int rc;
    sqlite3_bind_int64(row, 1, f->task.row);
    sqlite3_bind_int64(row, 2, c->d->episode);
    while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
        flaw_place p = {column_text(a, row, 1), column_text(a, row, 2), column_text(a, row, 3),
                        sqlite3_column_int64(row, 4)};
        bool itself = sqlite3_column_int64(row, 0) == 0;
        if (itself) {
            f->task.at = p;
            f->agent = column_text(a, row, 5);
            f->whose = sqlite3_column_int(row, 10) ? f->agent : NULL;
            f->plan = column_text(a, row, 11);
            f->task.id = f->task.row - sqlite3_column_int64(row, 6) + 1;
            if (!column_time(row, 7, &f->task.start) || !column_end(row, 8, &f->task.end)) {
                sqlite3_reset(row);
                return error_at(c->err, E_INPUT, c->d->log, 0, 0,
                                "the log is damaged: a row of its table task holds an instant out "
                                "of range");
            }
            if (f->task.end == TIME_OPEN)
                f->task.end = c->d->end;
        }
        if (!f->task.goal.path && sqlite3_column_int(row, 9))
            f->task.goal = p;
        bool own = p.file && f->plan && strcmp(p.file, f->plan) == 0;
        if (own && !itself)
            f->task.call = p;
        if (own)
            break;
    }
    sqlite3_reset(row);
    return rc == SQLITE_ROW || rc == SQLITE_DONE
               ? OK
               : store_failed(ask_db(c->ask), c->d->log, "reading the tasks", c->err);
}

static status prepare_statement(collector *c, const char *sql, sqlite3_stmt **out) {
    if (sqlite3_prepare_v2(ask_db(c->ask), sql, -1, out, NULL) != SQLITE_OK)
        return store_failed(ask_db(c->ask), c->d->log, "reading the log", c->err);
    return OK;
}

static status describe_tasks(collector *c) {
    // The query walks from the task upwards. Tasks are numbered within their episode, so that a
    // diagnosis reads the same whether the log holds other episodes or not.
    static const char sql[] =
        "WITH RECURSIVE up(depth, id) AS (SELECT 0, ?1 UNION ALL SELECT depth + 1, t.parent FROM up"
        " JOIN task t ON t.id = up.id WHERE t.parent IS NOT NULL AND t.parent < t.id)"
        " SELECT up.depth, t.path, t.expr, t.file, t.line, (SELECT name FROM agent WHERE id ="
        " t.agent), (SELECT min(id) FROM task WHERE episode = ?2), t.start_ns, t.end_ns,"
        " coalesce(t.construct = 'achieve' AND t.status = 'failed', 0),"
        " (SELECT count(*) FROM agent WHERE episode = ?2) > 1, (SELECT r.file FROM task r WHERE"
        " r.episode = ?2 AND r.parent IS NULL AND r.agent = t.agent ORDER BY r.id LIMIT 1)"
        " FROM up JOIN task t ON t.id = up.id WHERE t.episode = ?2 ORDER BY up.depth";
    sqlite3_stmt *row = NULL;
    status st = prepare_statement(c, sql, &row);
    for (size_t i = 0; st == OK && i < c->d->flaws.count; i++)
        if (c->d->flaws.items[i].task.row)
            st = describe_task(c, row, &c->d->flaws.items[i]);
    sqlite3_finalize(row);
    return st;
}

// ---- Objects, source texts and wordings
status collect_objects(collector *c) {
    sqlite3_stmt *row = NULL;
    status st = prepare_statement(c, "SELECT name FROM object WHERE episode = ? ORDER BY id", &row);
    if (st != OK)
        return st;
    int rc;
    sqlite3_bind_int64(row, 1, c->d->episode);
    while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        if (name)
            symtab_add(c->d->objects, name, strlen(name));
    }
    sqlite3_finalize(row);
    return rc == SQLITE_DONE ? OK
                             : store_failed(ask_db(c->ask), c->d->log, "reading objects", c->err);
}

static const char *source_text(const diagnosis *d, const char *name) {
    for (size_t i = 0; name && i < d->sources.count; i++)
        if (strcmp(d->sources.items[i].name, name) == 0)
            return d->sources.items[i].text;
    return NULL;
}

// Lists the plans that the robots run. The log has a name of its own for the first.
static status collect_plans(collector *c) {
    diagnosis *d = c->d;
    sqlite3_stmt *row = NULL;
    status st = prepare_statement(c,
                                  "SELECT file, (SELECT name FROM agent WHERE id = task.agent) FROM"
                                  " task WHERE episode = ? AND parent IS NULL ORDER BY id",
                                  &row);
    if (st != OK)
        return st;
    array_push(&d->plans, ((diagnosis_plan){.name = d->plan, .text = source_text(d, d->plan)}));
    int rc;
    sqlite3_bind_int64(row, 1, d->episode);
    while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
        const char *file = column_text(d->arena, row, 0), *robot = column_text(d->arena, row, 1);
        diagnosis_plan *first = &d->plans.items[0];
        size_t i = 0;
        if (!first->root) {
            first->root = file;
            first->robot = robot;
        }
        while (file && i < d->plans.count && strcmp(d->plans.items[i].root, file) != 0)
            i++;
        if (file && i == d->plans.count)
            array_push(
                &d->plans,
                ((diagnosis_plan){
                    .name = file, .text = source_text(d, file), .root = file, .robot = robot}));
    }
    sqlite3_finalize(row);
    return rc == SQLITE_DONE ? OK
                             : store_failed(ask_db(c->ask), d->log, "reading the plans", c->err);
}

status collect_sources(collector *c) {
    sqlite3_stmt *row = NULL;
    status st =
        prepare_statement(c,
                          "SELECT name, text FROM source WHERE episode = ? AND kind IN ('plan',"
                          " 'routine') ORDER BY id",
                          &row);
    if (st != OK)
        return st;
    int rc;
    sqlite3_bind_int64(row, 1, c->d->episode);
    while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
        diagnosis_source s = {column_text(c->d->arena, row, 0), column_text(c->d->arena, row, 1)};
        if (s.name && s.text)
            array_push(&c->d->sources, s);
    }
    sqlite3_finalize(row);
    if (rc != SQLITE_DONE)
        return store_failed(ask_db(c->ask), c->d->log, "reading the sources", c->err);
    return collect_plans(c);
}

// Reads the sentence of each kind of flaw and the units of evidence, which the rule files state.
static status collect_words(collector *c) {
    diagnosis *d = c->d;
    ask_rows rows = {0};
    status st = ask_all(c->ask, d->arena, "flaw_sentence(Name, Text).", &rows, c->err);
    d->sentences = arena_alloc(d->arena, (ask_count(&rows) + 1) * sizeof *d->sentences);
    for (size_t i = 0; st == OK && i < ask_count(&rows); i++) {
        const char *name = text_of(d->arena, ask_at(&rows, i, 0)->term);
        d->sentences[symtab_add(d->named, name, strlen(name))] =
            text_of(d->arena, ask_at(&rows, i, 1)->term);
    }
    array_finish(&rows.values);
    if (st == OK)
        st = ask_all(c->ask, d->arena, "evidence_unit(Ending, Unit, Scale).", &rows, c->err);
    for (size_t i = 0; st == OK && i < ask_count(&rows); i++) {
        evidence_unit u = {text_of(d->arena, ask_at(&rows, i, 0)->term),
                           text_of(d->arena, ask_at(&rows, i, 1)->term), 1};
        term_number(ask_at(&rows, i, 2)->term, &u.scale);
        array_push(&d->units, u);
    }
    array_finish(&rows.values);
    return st;
}

// ---- All flaws with all of their properties
static status collect_times(collector *c) {
    ask_rows causes = {0};
    status st = each_row(c, "flaw_span(F, S, E).", take_time);
    if (st == OK)
        st = ask_all(c->ask, c->d->arena, "flaw_caused_by(F, G).", &causes, c->err);
    if (st == OK) {
        measure_chains(c, &causes);
        qsort_r(c->d->flaws.items, c->d->flaws.count, sizeof *c->d->flaws.items, by_time, c->d);
        for (size_t i = 0; i < c->d->flaws.count; i++)
            c->d->flaws.items[i].id = (int64_t)i + 1;
        index_flaws(c);
    }
    for (size_t i = 0; st == OK && i < ask_count(&causes); i++) {
        flaw *f = flaw_of(c, ask_at(&causes, i, 0)->term);
        if (f)
            st = take_cause(c, f, ask_at(&causes, i, 1));
    }
    array_finish(&causes.values);
    return st;
}

status collect_flaws(collector *c) {
    static const struct {
        const char *query;
        status (*take)(collector *c, flaw *f, const ask_value *value);
    } properties[] = {
        {"flaw_recovered(F).", take_recovered}, {"flaw_root(F).", take_root},
        {"flaw_body(F, B).", take_body},        {"flaw_evidence(F, K, V).", take_evidence},
        {"flaw_task(F, T).", take_task},        {"flaw_advice(F, R, E).", take_suggestion},
        {"flaw_limit(F, Text).", take_limit},   {"flaw_repeated(F, N, S, L).", take_repeated},
        {"flaw_doubt(F, O, L).", take_doubt}};
    diagnosis *d = c->d;
    ask_rows rows = {0};
    status st = ask_all(c->ask, d->arena, "flaw_reported(F).", &rows, c->err);
    for (size_t i = 0; st == OK && i < ask_count(&rows); i++) {
        const term *t = ask_at(&rows, i, 0)->term;
        flaw f = {.term = t, .name = t->text, .end = d->end, .verdict = "unverified"};
        if (t->kind == TERM_COMPOUND || t->kind == TERM_SYMBOL)
            array_push(&d->flaws, f);
    }
    array_finish(&rows.values);
    if (st != OK || d->flaws.count == 0)
        return st;
    index_flaws(c);
    st = collect_times(c);
    for (size_t i = 0; st == OK && i < sizeof properties / sizeof *properties; i++)
        st = each_row(c, properties[i].query, properties[i].take);
    if (st == OK)
        st = describe_tasks(c);
    if (st == OK)
        st = collect_words(c);
    return st;
}
