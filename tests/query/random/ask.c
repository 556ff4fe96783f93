// tests/query/random/ask.c - the engine asked in every way that must not change what it answers.
#include "query/why/proof.h"
#include "tests/query/why/proof_checker.h"
#include "tests/query/random/random.h"

home *home_open(void) {
    home *h = calloc(1, sizeof *h);
    assert_non_null(h);
    h->folder = testlib_folder();
    h->texts = arena_create();
    return h;
}

void home_close(home *h) {
    for (int i = 0; i <= SLOTS_MAX; i++)
        store_close(h->stores[i]);
    arena_destroy(h->texts);
    testlib_remove(h->folder);
    grounds_forget();
    free(h);
}

// A log whose episode has so many instants, of a nanosecond each.
static store *home_store(home *h, int slots) {
    if (!h->stores[slots]) {
        char name[40], sql[300];
        snprintf(name, sizeof name, "log%d.db", slots);
        char *path = db_make_log(h->folder, name);
        snprintf(sql, sizeof sql,
                 "INSERT INTO episode VALUES (1, 'p', 'w', 'r', 1, '0', 2000000, 20000000, %d, "
                 "'succeeded', 1, %d)",
                 slots - 1, slots - 1);
        db_run_in(path, sql);
        assert_int_equal(store_open(path, &h->stores[slots], NULL), OK);
        free(path);
    }
    return h->stores[slots];
}

typedef struct asker {
    home *home;
    const program_t *p;
    const model *m;
    engine *e;
    const char *way; // for messages
} asker;

static char *program_text(const program_t *p, style s) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    write_ours(out, p, s);
    fclose(out);
    return text;
}

static const char *mistakes(home *h, errors *list) {
    const char *all = "";
    for (size_t i = 0; i < list->count; i++)
        all = arena_format(h->texts, "%s  %d:%d: %s\n", all, list->items[i].line,
                           list->items[i].column, list->items[i].text);
    errors_finish(list);
    return all;
}

static const char *load(asker *a, const char *text) {
    errors list = {0};
    if (engine_load(a->e, "rules.dl", text, strlen(text), &list) == OK)
        return NULL;
    return arena_format(a->home->texts, "%s: the rules are refused:\n%s", a->way,
                        mistakes(a->home, &list));
}

// A query for a predicate, its bound columns with values; `at`: an instant to ask for, or -1.
static char *query_text(const program_t *p, int pred, const int *bound, int at) {
    const predicate *d = &p->preds[pred];
    char *args[WIDTH_MAX], *time = NULL, *text = NULL;
    size_t size;
    for (int i = 0; i < d->arity; i++) {
        FILE *out = open_memstream(&args[i], &size);
        if (bound[i] >= 0)
            ground_write(out, bound[i], SYNTAX_OURS);
        else
            fprintf(out, "X%d", i);
        fclose(out);
    }
    FILE *out = open_memstream(&time, &size);
    if (at >= 0) {
        fputs("at(", out);
        seconds_write(out, at);
        fputs(")", out);
    } else {
        fputs("interval(S, E)", out);
    }
    fclose(out);
    out = open_memstream(&text, &size);
    write_pred(out, p, pred, (const char *const *)args, time);
    fclose(out);
    for (int i = 0; i < d->arity; i++)
        free(args[i]);
    free(time);
    return text;
}

// How many answers there must be.
static size_t expected_count(const asker *a, int pred, const int *bound, int at) {
    const predicate *d = &a->p->preds[pred];
    size_t count = 0;
    bool all_bound = true;
    for (int i = 0; i < d->arity; i++)
        all_bound = all_bound && bound[i] >= 0;
    for (size_t r = 0; r < a->m->of[pred].rows.count; r++) {
        const row_t *row = &a->m->of[pred].rows.items[r];
        bool fits = true;
        for (int i = 0; i < d->arity; i++)
            fits = fits && (bound[i] < 0 || bound[i] == row->args[i]);
        int start, end;
        if (!fits)
            continue;
        if (!d->temporal)
            count++;
        else if (at >= 0)
            count += row->when >> at & 1;
        for (int from = 0; d->temporal && at < 0 && interval_after(row->when, from, &start, &end);
             from = end)
            count++;
    }
    return count;
}

static bool answer_holds(const asker *a, int pred, const int *bound, int at, const answers *got,
                         size_t r) {
    const predicate *d = &a->p->preds[pred];
    int args[WIDTH_MAX];
    size_t at_column = 0;
    for (int i = 0; i < d->arity; i++) {
        args[i] = bound[i] >= 0
                      ? bound[i]
                      : ground_from_value(answers_values(got), answers_value(got, r, at_column++));
        if (args[i] == NO_TERM)
            return false;
    }
    const row_t *row = rows_find(&a->m->of[pred], args, d->arity);
    if (!row || !d->temporal)
        return row != NULL;
    if (at >= 0)
        return row->when >> at & 1;
    value s = answers_value(got, r, at_column), e = answers_value(got, r, at_column + 1);
    if (value_kind(s) != VALUE_TIME || value_kind(e) != VALUE_TIME)
        return false;
    int start, end;
    for (int from = 0; interval_after(row->when, from, &start, &end); from = end) {
        if (start == value_nanos(s) && end == value_nanos(e))
            return true;
    }
    return false;
}

static const char *ask_once(asker *a, int pred, const int *bound, int at, tally *t) {
    char *query = query_text(a->p, pred, bound, at);
    errors list = {0};
    answers *got = NULL;
    const char *wrong = NULL;
    if (engine_query(a->e, "query", query, &got, &list) != OK) {
        wrong = arena_format(a->home->texts, "%s: %s is refused:\n%s", a->way, query,
                             mistakes(a->home, &list));
        free(query);
        return wrong;
    }
    size_t expected = expected_count(a, pred, bound, at), found = answers_count(got);
    if (found != expected)
        wrong = arena_format(a->home->texts, "%s: %s has %zu answers, %zu are expected", a->way,
                             query, found, expected);
    for (size_t r = 0; r < found && !wrong && answers_columns(got) > 0; r++) {
        if (!answer_holds(a, pred, bound, at, got, r))
            wrong = arena_format(a->home->texts, "%s: %s gives a wrong answer, number %zu", a->way,
                                 query, r + 1);
    }
    if (t) {
        t->answers++;
        t->not_empty += found > 0;
    }
    answers_destroy(got);
    free(query);
    return wrong;
}

#define ORDERS 3

static const int ANY_ROW[] = {NO_TERM, NO_TERM, NO_TERM};

static const char *ask_all(asker *a, tally *t) {
    const char *wrong = NULL;
    for (int i = 0; i < a->p->pred_count && !wrong; i++) {
        if (a->p->preds[i].stratum >= 0 && pred_has_clauses(a->p, i))
            wrong = ask_once(a, i, ANY_ROW, -1, t);
    }
    return wrong;
}

// Some predicates with some columns bound, mostly as in a row that is there.
static const char *ask_bound(asker *a, int many) {
    const char *wrong = NULL;
    int order[PREDS_MAX];
    shuffle(order, a->p->pred_count);
    for (int k = 0; k < a->p->pred_count && many > 0 && !wrong; k++) {
        int i = order[k], bound[WIDTH_MAX] = {NO_TERM, NO_TERM, NO_TERM};
        const predicate *d = &a->p->preds[i];
        const rows_t *rows = &a->m->of[i];
        if (d->stratum < 0 || !pred_has_clauses(a->p, i))
            continue;
        many--;
        const row_t *row =
            rows->rows.count > 0 ? &rows->rows.items[draw((uint32_t)rows->rows.count)] : NULL;
        int must = (int)draw((uint32_t)d->arity);
        for (int c = 0; c < d->arity; c++) {
            if (c != must && chance(50))
                continue;
            bound[c] = row && chance(85)            ? row->args[c]
                       : d->columns[c] == COLUMN_AT ? ground_time((int64_t)draw(5))
                                                    : ground_int((int64_t)draw(5));
        }
        int at = d->temporal && chance(40) ? (int)draw((uint32_t)a->p->slots) : -1;
        wrong = ask_once(a, i, bound, at, NULL);
    }
    return wrong;
}

static const char *with_engine(home *h, const program_t *p, const model *m, const char *way,
                               bool whole, const char *(*what)(asker *, tally *), tally *t) {
    engine_options options = engine_options_default();
    options.derive_whole = whole;
    asker a = {h, p, m, NULL, way};
    error err = {0};
    if (engine_open(home_store(h, p->slots), 1, &options, &a.e, &err) != OK)
        return arena_format(h->texts, "%s: %s", way, err.text);
    const char *wrong = what(&a, t);
    engine_close(a.e);
    return wrong;
}

// ---- Proofs ----

// A number as the very instant: written alone it stands for all that round to it, here for many.
static const term *exact(arena *a, const term *t) {
    if (t->kind != TERM_FLOAT && t->kind != TERM_INT)
        return t;
    const term *sum[2] = {term_symbol(a, "start"), t};
    return term_compound(a, "+", 2, sum);
}

// The goal with the numbers in its columns of instants, and in its times, exact.
static const term *with_exact(arena *a, const program_t *p, const term *t, bool instants) {
    if (t->kind != TERM_COMPOUND)
        return instants ? exact(a, t) : t;
    int i = 0, used = 0;
    bool known = sscanf(t->text, "p%d%n", &i, &used) == 1 && !t->text[used] && i >= 0 &&
                 i < p->pred_count && (uint32_t)p->preds[i].arity <= t->arity;
    bool timed = term_is(t, "at", 1) || term_is(t, "interval", 2) || term_is(t, "during", 2) ||
                 term_is(t, "throughout", 2);
    const term **args = arena_alloc(a, t->arity * sizeof *args);
    for (uint32_t k = 0; k < t->arity; k++) {
        bool own = known && k < (uint32_t)p->preds[i].arity;
        args[k] =
            with_exact(a, p, t->args[k], timed || (own && p->preds[i].columns[k] == COLUMN_AT));
    }
    return term_compound(a, t->text, t->arity, args);
}

typedef struct elsewhere {
    engine *e;
    const program_t *p;
} elsewhere;

// Whether a goal holds, as an engine without demand derives it.
static bool holds_elsewhere(void *context, const char *goal) {
    elsewhere *other = context;
    errors list = {0};
    answers *got = NULL;
    arena *a = arena_create();
    const term *t = NULL;
    assert_int_equal(term_parse(a, "query", goal, strlen(goal), 1, 1, &t, NULL), OK);
    status s = engine_ask(other->e, &(query_scope){.file = "query"},
                          with_exact(a, other->p, t, false), &got, &list);
    bool holds = s == OK && answers_count(got) > 0;
    answers_destroy(got);
    errors_finish(&list);
    arena_destroy(a);
    return holds;
}

// The first answers of some predicates are proved, and the proofs replayed.
static const char *replay_some(asker *a, const char *text, int many, tally *t) {
    const char *wrong = NULL;
    engine *other = NULL;
    engine_options options = engine_options_default();
    options.derive_whole = true;
    errors list = {0};
    char log[40];
    snprintf(log, sizeof log, "log%d.db", a->p->slots);
    char *path = testlib_path(a->home->folder, log);
    proof_rules rules = {"rules.dl", text};
    assert_int_equal(engine_open(home_store(a->home, a->p->slots), 1, &options, &other, NULL), OK);
    assert_int_equal(engine_load(other, "rules.dl", text, strlen(text), &list), OK);
    elsewhere beside = {other, a->p};
    proof_world world = {.rules = &rules,
                         .rule_count = 1,
                         .log = path,
                         .episode = 1,
                         .end = (a->p->slots - 1) * 1e-9,
                         .holds = holds_elsewhere,
                         .context = &beside,
                         .whole = true};
    proof_options most = {.answers = 2, .parts_most = 100000, .depth = 500};
    for (int tries = 0; tries < 40 && many > 0 && !wrong; tries++) {
        int i = (int)draw((uint32_t)a->p->pred_count);
        if (a->p->preds[i].stratum < 0 || a->m->of[i].rows.count == 0)
            continue;
        many--;
        char *query = query_text(a->p, i, ANY_ROW, -1), *json = NULL, why[600];
        arena *into = arena_create();
        const proof **all = NULL;
        size_t count = 0;
        if (engine_why(a->e, into, "query", query, &most, &all, &count, &list) != OK)
            wrong = arena_format(a->home->texts, "%s has no proof:\n%s", query,
                                 mistakes(a->home, &list));
        else if (count == 0)
            wrong = arena_format(a->home->texts, "%s has answers, and no proof", query);
        else if (proofs_json(all, count, &json) != OK ||
                 !proof_replay(&world, json, why, sizeof why))
            wrong = arena_format(a->home->texts, "a proof of %s is wrong: %s", query, why);
        if (t)
            t->proofs += (int)count;
        free(json);
        free(query);
        arena_destroy(into);
    }
    engine_close(other);
    free(path);
    return wrong;
}

// ---- Denials ----

// The text of a line, from 1.
static const char *line_of(const char *text, int line) {
    for (; line > 1 && text; line--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text ? text : "";
}

// Each rule that a denial names defines what is denied, does not hold to its end, and fails at a
// goal that does not hold.
static const char *judge_denial(const asker *a, elsewhere *beside, const char *text, int pred,
                                const denial *d) {
    char head[40];
    bool split = a->p->preds[pred].temporal && a->p->split;
    snprintf(head, sizeof head, "%sp%d(", split ? "o(" : "", pred);
    if (d->rule_count == 0 && !d->note)
        return "it names no rule";
    for (size_t i = 0; i < d->rule_count; i++) {
        const obstacle *o = &d->rules[i];
        if (!o->rule)
            continue;
        const char *line = line_of(text, o->line);
        // Facts stand several in a line.
        if (strncmp(line, head, strlen(head)) != 0 && (o->literals > 0 || !strstr(line, head)))
            return arena_format(a->home->texts, "line %d is no clause of it", o->line);
        // Of a best value the rule may hold, and a better one be there; an aggregate that finds its
        // groups itself has none without rows, though it may count none of what is asked for.
        bool may_hold = a->p->preds[pred].best != BEST_NONE || strchr(o->rule, '{');
        if (o->literals > 0 && o->reached >= o->literals && !may_hold)
            return arena_format(a->home->texts, "the rule in line %d holds", o->line);
        if (o->failing && term_ground(o->failing) &&
            holds_elsewhere(beside, term_text(a->home->texts, o->failing)))
            return arena_format(a->home->texts, "%s holds", term_text(a->home->texts, o->failing));
    }
    return NULL;
}

// What rows that are nearly there are denied for.
static const char *deny_some(asker *a, const char *text, int many, tally *t) {
    const char *wrong = NULL;
    engine *other = NULL;
    engine_options options = engine_options_default();
    options.derive_whole = true;
    errors list = {0};
    assert_int_equal(engine_open(home_store(a->home, a->p->slots), 1, &options, &other, NULL), OK);
    assert_int_equal(engine_load(other, "rules.dl", text, strlen(text), &list), OK);
    elsewhere beside = {other, a->p};
    for (int tries = 0; tries < 40 && many > 0 && !wrong; tries++) {
        int i = (int)draw((uint32_t)a->p->pred_count), bound[WIDTH_MAX];
        const predicate *d = &a->p->preds[i];
        uint32_t rows = (uint32_t)a->m->of[i].rows.count;
        if (d->stratum < 0 || rows == 0)
            continue;
        for (int c = 0; c < d->arity; c++)
            bound[c] = a->m->of[i].rows.items[draw(rows)].args[c];
        int at = d->temporal && chance(50) ? (int)draw((uint32_t)a->p->slots) : -1;
        if (expected_count(a, i, bound, at) > 0)
            continue;
        many--;
        char *query = query_text(a->p, i, bound, at);
        arena *into = arena_create();
        const denial *said = NULL;
        if (engine_why_not(a->e, into, "query", query, NULL, &said, &list) != OK)
            wrong = arena_format(a->home->texts, "%s is not denied:\n%s", query,
                                 mistakes(a->home, &list));
        else if ((wrong = judge_denial(a, &beside, text, i, said)))
            wrong = arena_format(a->home->texts, "the denial of %s is wrong: %s", query, wrong);
        if (t)
            t->denials += !wrong;
        free(query);
        arena_destroy(into);
    }
    engine_close(other);
    return wrong;
}

// Bound first, so that demand meets nothing derived already; then all; then bound once more, on
// what the queries before have left.
static const char *as_written(asker *a, tally *t) {
    char *text = program_text(a->p, (style){0});
    const char *wrong = load(a, text);
    wrong = wrong ? wrong : ask_bound(a, 4);
    wrong = wrong ? wrong : ask_all(a, t);
    wrong = wrong ? wrong : ask_bound(a, 2);
    wrong = wrong ? wrong : ask_all(a, NULL);
    wrong = wrong || a->p->seed % 3 ? wrong : replay_some(a, text, 2, t);
    wrong = wrong || a->p->seed % 3 != 1 ? wrong : deny_some(a, text, 2, t);
    free(text);
    return wrong;
}

static const char *all_at_once(asker *a, tally *t) {
    (void)t;
    char *text = program_text(a->p, (style){0});
    const char *wrong = load(a, text);
    free(text);
    return wrong ? wrong : ask_all(a, NULL);
}

// Every order of goals and of clauses is taken as the program is, and means the same.
static const char *in_another_order(asker *a, tally *t) {
    (void)t;
    style s = {.shuffled = true, .side = 1 + (int)draw(2), .bare = chance(50)};
    char *text = program_text(a->p, s);
    const char *wrong = load(a, text);
    free(text);
    wrong = wrong ? wrong : ask_bound(a, 3);
    return wrong ? wrong : ask_all(a, NULL);
}

// Another program is loaded and asked under the same name first: one that lacks some facts and
// rules.
static const char *after_reloading(asker *a, tally *t) {
    (void)t;
    static program_t before;
    before = *a->p;
    int facts = 0;
    for (int i = 0; i < before.fact_count; i++) {
        bool last = i + 1 == before.fact_count || before.facts[i + 1].pred != before.facts[i].pred;
        if (last || chance(60))
            before.facts[facts++] = before.facts[i];
    }
    before.fact_count = facts;
    char *text = program_text(&before, (style){0});
    const char *wrong = load(a, text);
    free(text);
    if (wrong)
        return wrong;
    for (int i = 0; i < a->p->pred_count; i++) {
        if (a->p->preds[i].stratum < 0 || !pred_has_clauses(a->p, i) || chance(50))
            continue;
        char *query = query_text(a->p, i, ANY_ROW, -1);
        errors list = {0};
        answers *got = NULL;
        if (engine_query(a->e, "query", query, &got, &list) == OK)
            answers_destroy(got);
        else
            wrong = arena_format(a->home->texts, "before reloading: %s is refused:\n%s", query,
                                 mistakes(a->home, &list));
        errors_finish(&list);
        free(query);
        if (wrong)
            return wrong;
    }
    text = program_text(a->p, (style){.side = 2});
    wrong = load(a, text);
    free(text);
    wrong = wrong ? wrong : ask_bound(a, 2);
    return wrong ? wrong : ask_all(a, NULL);
}

const char *check_ours(home *h, const program_t *p, const model *m, tally *t) {
    // The same draws for the same program, whatever was drawn to make it.
    draw_seed = p->seed * 7919u + 5;
    const char *wrong = with_engine(h, p, m, "as written", false, as_written, t);
    if (!wrong)
        wrong = with_engine(h, p, m, "without demand", true, all_at_once, NULL);
    for (int n = 0; n < ORDERS && !wrong; n++)
        wrong = with_engine(h, p, m, "in another order", chance(30), in_another_order, NULL);
    if (!wrong)
        wrong = with_engine(h, p, m, "after reloading", false, after_reloading, NULL);
    return wrong;
}
