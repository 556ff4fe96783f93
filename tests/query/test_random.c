// tests/query/test_random.c - random stratified programs against a naive evaluator.
//
// The evaluator tries every assignment of a rule's variables over a small universe until nothing is
// added: too simple to share the engine's mistakes. Every program is also asked with all demand
// switched off, with its literals and rules shuffled, and with arguments bound. FORESEE_PROGRAMS
// sets how many are tried.
#include "tests/query/querylib.h"

// ---- Randomness
// ----------------------------------------------------------------------------------

static uint64_t seed;
static uint32_t draw(uint32_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % n);
}
static bool chance(uint32_t percent) {
    return draw(100) < percent;
}
static int programs(int quick) {
    const char *n = getenv("FORESEE_PROGRAMS");
    return n ? atoi(n) : quick;
}

// ---- Programs over a universe of ten: 0..4 and f(0)..f(4), numbered in the standard order
// ----------

#define UNIVERSE 10
#define NUMBERS 5
#define PREDS 12
#define BASE 4 // the first four are facts
#define VARS 5

typedef enum arg_kind { ARG_CONST, ARG_VAR, ARG_F, ARG_ANY } arg_kind;
typedef struct arg {
    arg_kind kind;
    int n; // variable (of f(V) too) or constant
} arg;
typedef enum lit_kind {
    LIT_CALL,
    LIT_NOT,
    LIT_LESS,
    LIT_UNEQUAL,
    LIT_EQUAL,
    LIT_SUM,
    LIT_COUNT,
    LIT_TOTAL,
    LIT_MIN,
    LIT_MAX
} lit_kind;
typedef struct lit {
    lit_kind kind;
    int pred, width;
    arg args[3]; // LIT_SUM: args[2] = args[0] + args[1]; aggregates: args[2] = over args[1] of
                 // pred(args[0], args[1])
    bool own_groups;
} lit;
typedef struct clause_t {
    int pred;
    arg head[3];
    lit lits[8];
    int count;
} clause_t;
typedef struct program_t {
    int arity[PREDS], stratum[PREDS];
    clause_t rules[40];
    int count;
} program_t;
typedef struct tables_t {
    bool has[PREDS][UNIVERSE * UNIVERSE * UNIVERSE];
} tables_t;

static arg var_or_const(const bool *bound) {
    int v = (int)draw(VARS - 1);
    for (int i = 0; i < VARS - 1 && chance(85); i++, v = (v + 1) % (VARS - 1)) {
        if (bound[v])
            return (arg){ARG_VAR, v};
    }
    return (arg){ARG_CONST, (int)draw(UNIVERSE)};
}

static lit make_call(const program_t *p, int stratum, bool *bound) {
    lit l = {.kind = LIT_CALL};
    do
        l.pred = (int)draw(PREDS);
    while (p->stratum[l.pred] > stratum);
    l.width = p->arity[l.pred];
    for (int i = 0; i < l.width; i++) {
        uint32_t r = draw(100);
        int v = (int)draw(VARS - 1);
        l.args[i] = r < 75   ? (arg){ARG_VAR, v}
                    : r < 80 ? (arg){ARG_CONST, (int)draw(UNIVERSE)}
                    : r < 85 ? (arg){ARG_F, v}
                             : (arg){ARG_ANY, 0};
        if (l.args[i].kind == ARG_VAR || l.args[i].kind == ARG_F)
            bound[v] = true;
    }
    return l;
}

static void add_tests(const program_t *p, clause_t *c, int stratum, const bool *bound) {
    if (stratum > 0 && chance(50)) {
        lit l = {.kind = LIT_NOT};
        do
            l.pred = (int)draw(PREDS);
        while (p->stratum[l.pred] >= stratum);
        l.width = p->arity[l.pred];
        for (int i = 0; i < l.width; i++)
            l.args[i] = chance(20) ? (arg){ARG_ANY, 0} : var_or_const(bound);
        c->lits[c->count++] = l;
    }
    bool own_groups = false;
    for (int k = 0; k < c->count; k++)
        own_groups = own_groups || c->lits[k].own_groups;
    // An equation would name the groups that an aggregate enumerates.
    if (!own_groups && chance(30)) {
        lit l = {.kind = chance(50) ? LIT_UNEQUAL : chance(60) ? LIT_LESS : LIT_EQUAL};
        l.args[0] = var_or_const(bound);
        l.args[1] = var_or_const(bound);
        c->lits[c->count++] = l;
    }
}

// Adds Z = X + Y or an aggregate, whose result is the last variable.
static void add_computed(const program_t *p, clause_t *c, int stratum, bool *bound) {
    lit l = {0};
    if (stratum > 0 && chance(35)) {
        l.kind = (lit_kind)(LIT_COUNT + draw(4));
        do
            l.pred = (int)draw(PREDS);
        while (p->stratum[l.pred] >= stratum || p->arity[l.pred] != 2);
        int group = (int)draw(VARS - 1);
        l.args[0] = (arg){ARG_VAR, group};
        l.own_groups = !bound[group];
        bound[group] = true;
    } else if (chance(30)) {
        l.kind = LIT_SUM;
        l.args[0] = var_or_const(bound);
        l.args[1] = var_or_const(bound);
    } else {
        return;
    }
    l.args[2] = (arg){ARG_VAR, VARS - 1};
    bound[VARS - 1] = true;
    c->lits[c->count++] = l;
    c->lits[c->count++] = (lit){.kind = LIT_LESS, .args = {{ARG_VAR, VARS - 1}, {ARG_CONST, 4}}};
}

static void make_program(program_t *p) {
    memset(p, 0, sizeof *p);
    for (int i = 0; i < PREDS; i++) {
        p->arity[i] = i == 0 ? 1 : i < BASE ? 2 : 1 + (int)draw(3);
        p->stratum[i] = i < BASE ? -1 : (i - BASE) / 2;
    }
    // Enough of two columns for aggregates to find.
    p->arity[4] = 2;
    for (int i = BASE; i < PREDS; i++) {
        int rules = 1 + (int)draw(3);
        for (int r = 0; r < rules; r++) {
            clause_t *c = &p->rules[p->count++];
            bool bound[VARS] = {false};
            c->pred = i;
            int calls = 1 + (int)draw(2) + (r > 0 ? (int)draw(2) : 0);
            for (int k = 0; k < calls; k++)
                c->lits[c->count++] =
                    make_call(p, r == 0 ? p->stratum[i] - 1 : p->stratum[i], bound);
            if (r > 0 || chance(60))
                add_computed(p, c, p->stratum[i], bound);
            if (r > 0 || chance(60))
                add_tests(p, c, p->stratum[i], bound);
            for (int k = 0; k < p->arity[i]; k++) {
                c->head[k] =
                    bound[VARS - 1] && chance(50) ? (arg){ARG_VAR, VARS - 1} : var_or_const(bound);
                // f(V) of a number only, so that the universe stays closed.
                if (c->head[k].kind == ARG_VAR && chance(10) && c->count < 8) {
                    c->head[k].kind = ARG_F;
                    c->lits[c->count++] =
                        (lit){.kind = LIT_LESS, .args = {{ARG_VAR, c->head[k].n}, {ARG_CONST, 4}}};
                }
            }
        }
    }
}

// ---- The naive evaluator
// -------------------------------------------------------------------------

static int arg_value(arg a, const int *env) {
    switch (a.kind) {
    case ARG_VAR:
        return env[a.n];
    case ARG_F:
        return env[a.n] < NUMBERS ? env[a.n] + NUMBERS : -1;
    default:
        return a.n;
    }
}

static int cell(const int *v, int width) {
    int at = 0;
    for (int i = 0; i < width; i++)
        at = at * UNIVERSE + v[i];
    return at;
}

// Whether a row matches; ARG_ANY matches all.
static bool holds(const tables_t *t, const lit *l, const int *env, int at, int *v) {
    if (at == l->width)
        return t->has[l->pred][cell(v, l->width)];
    if (l->args[at].kind == ARG_ANY) {
        for (v[at] = 0; v[at] < UNIVERSE; v[at]++) {
            if (holds(t, l, env, at + 1, v))
                return true;
        }
        return false;
    }
    v[at] = arg_value(l->args[at], env);
    return v[at] >= 0 && holds(t, l, env, at + 1, v);
}

static bool aggregate_holds(const tables_t *t, const lit *l, const int *env) {
    int count = 0, total = 0, least = -1, most = -1, result = -1;
    bool numbers = true;
    for (int v = 0; v < UNIVERSE; v++) {
        if (!t->has[l->pred][env[l->args[0].n] * UNIVERSE + v])
            continue;
        count++;
        total += v;
        numbers = numbers && v < NUMBERS;
        least = least < 0 ? v : least;
        most = v;
    }
    if (count == 0 && l->own_groups)
        return false;
    switch (l->kind) {
    case LIT_COUNT:
        result = count;
        break;
    case LIT_TOTAL:
        result = numbers ? total : -1;
        break;
    case LIT_MIN:
        result = least;
        break;
    default:
        result = most;
        break;
    }
    return result >= 0 && result < UNIVERSE && env[l->args[2].n] == result &&
           (result < NUMBERS || l->kind >= LIT_MIN);
}

static bool lit_holds(const tables_t *t, const lit *l, const int *env, bool negation) {
    int v[3], a = arg_value(l->args[0], env), b = arg_value(l->args[1], env);
    switch (l->kind) {
    case LIT_CALL:
        return holds(t, l, env, 0, v);
    case LIT_NOT:
        return !negation || !holds(t, l, env, 0, v);
    case LIT_LESS:
        return a < NUMBERS && b < NUMBERS && a < b;
    case LIT_UNEQUAL:
        return a != b;
    case LIT_EQUAL:
        return a == b;
    case LIT_SUM:
        return a < NUMBERS && b < NUMBERS && a + b < NUMBERS && env[l->args[2].n] == a + b;
    default:
        return aggregate_holds(t, l, env);
    }
}

static bool uses(const clause_t *c, int var) {
    for (int i = 0; i < 3; i++) {
        if ((c->head[i].kind == ARG_VAR || c->head[i].kind == ARG_F) && c->head[i].n == var)
            return true;
    }
    for (int k = 0; k < c->count; k++) {
        for (int i = 0; i < 3; i++) {
            arg a = c->lits[k].args[i];
            if ((a.kind == ARG_VAR || a.kind == ARG_F) && a.n == var)
                return true;
        }
    }
    return false;
}

// Tries all values of the variables from `var` on. True: something was added.
static bool try_all(const program_t *p, const clause_t *c, tables_t *t, int var, int *env,
                    bool negation) {
    if (var == VARS) {
        for (int k = 0; k < c->count; k++) {
            if (!lit_holds(t, &c->lits[k], env, negation))
                return false;
        }
        int v[3];
        for (int i = 0; i < p->arity[c->pred]; i++)
            v[i] = arg_value(c->head[i], env);
        bool *at = &t->has[c->pred][cell(v, p->arity[c->pred])], fresh = !*at;
        *at = true;
        return fresh;
    }
    bool moved = false;
    int most = uses(c, var) ? UNIVERSE : 1;
    for (env[var] = 0; env[var] < most; env[var]++)
        moved = try_all(p, c, t, var + 1, env, negation) || moved;
    return moved;
}

static void evaluate_naively(const program_t *p, tables_t *t, bool negation) {
    for (int stratum = 0; stratum < (PREDS - BASE + 1) / 2; stratum++) {
        for (bool moved = true; moved;) {
            moved = false;
            for (int r = 0; r < p->count; r++) {
                int env[VARS];
                if (p->stratum[p->rules[r].pred] == stratum)
                    moved = try_all(p, &p->rules[r], t, 0, env, negation) || moved;
            }
        }
    }
}

// ---- Programs as text
// ----------------------------------------------------------------------------

typedef struct writer {
    char text[32768];
    size_t length;
} writer;

static void put(writer *w, const char *format, ...) {
    va_list args;
    va_start(args, format);
    w->length += (size_t)vsnprintf(w->text + w->length, sizeof w->text - w->length, format, args);
    va_end(args);
    assert_true(w->length < sizeof w->text);
}

static void put_value(writer *w, int v) {
    put(w, v < NUMBERS ? "%d" : "f(%d)", v % NUMBERS);
}

static void put_arg(writer *w, arg a) {
    if (a.kind == ARG_CONST)
        put_value(w, a.n);
    else if (a.kind == ARG_ANY)
        put(w, "_");
    else
        put(w, a.kind == ARG_F ? "f(%c)" : "%c", 'A' + a.n);
}

static void put_lit(writer *w, const lit *l) {
    static const char *const aggregates[] = {"count", "sum", "min", "max"};
    static const char *const signs[] = {" < ", " != ", " = "};
    if (l->kind == LIT_CALL || l->kind == LIT_NOT) {
        put(w, "%sp%d(", l->kind == LIT_NOT ? "not " : "", l->pred);
        for (int i = 0; i < l->width; i++) {
            put(w, i ? ", " : "");
            put_arg(w, l->args[i]);
        }
        put(w, ")");
    } else if (l->kind <= LIT_EQUAL) {
        put_arg(w, l->args[0]);
        put(w, "%s", signs[l->kind - LIT_LESS]);
        put_arg(w, l->args[1]);
    } else if (l->kind == LIT_SUM) {
        put_arg(w, l->args[2]);
        put(w, " = ");
        put_arg(w, l->args[0]);
        put(w, " + ");
        put_arg(w, l->args[1]);
        put(w, ", ");
        put_arg(w, l->args[2]);
        put(w, " < %d", NUMBERS);
    } else {
        put_arg(w, l->args[2]);
        put(w, " = %s { V : p%d(", aggregates[l->kind - LIT_COUNT], l->pred);
        put_arg(w, l->args[0]);
        put(w, ", V) }");
    }
}

static void shuffle(int *order, int n) {
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int k = (int)draw((uint32_t)i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
}

// Names every variable twice, so that none is a singleton.
static void put_rule(writer *w, const program_t *p, const clause_t *c, bool shuffled) {
    int order[8];
    shuffle(order, c->count);
    put(w, "p%d(", c->pred);
    for (int i = 0; i < p->arity[c->pred]; i++) {
        put(w, i ? ", " : "");
        put_arg(w, c->head[i]);
    }
    put(w, ") :- ");
    for (int k = 0; k < c->count; k++) {
        put(w, k ? ", " : "");
        put_lit(w, &c->lits[shuffled ? order[k] : k]);
    }
    for (int v = 0; v < VARS; v++) {
        if (uses(c, v))
            put(w, ", %c = %c", 'A' + v, 'A' + v);
    }
    put(w, ".\n");
}

static void put_program(writer *w, const program_t *p, const tables_t *facts, bool shuffled) {
    int order[40];
    w->length = 0;
    for (int i = 0; i < BASE; i++) {
        put(w, ":- declare p%d(%s).\n", i, p->arity[i] == 1 ? "a: any" : "a: any, b: any");
        for (int k = 0; k < UNIVERSE * UNIVERSE; k++) {
            if (!facts->has[i][k] || (p->arity[i] == 1 && k >= UNIVERSE))
                continue;
            put(w, "p%d(", i);
            if (p->arity[i] == 2) {
                put_value(w, k / UNIVERSE);
                put(w, ", ");
            }
            put_value(w, k % UNIVERSE);
            put(w, "). ");
        }
        put(w, "\n");
    }
    shuffle(order, p->count);
    for (int r = 0; r < p->count; r++)
        put_rule(w, p, &p->rules[shuffled ? order[r] : r], shuffled);
}

// ---- Comparing
// -----------------------------------------------------------------------------------

static int value_number(const values *v, value x) {
    if (value_kind(x) == VALUE_INT)
        return (int)values_integer(v, x);
    return values_is(v, x, "f", 1) ? NUMBERS + (int)values_integer(v, values_args(v, x)[0]) : -1;
}

// Asks for all rows of a predicate whose bound columns (>= 0) are so, and compares with the naive
// table.
static size_t compare(asked *a, const program_t *p, const tables_t *t, int pred, const int *bound,
                      const char *rules) {
    writer w = {.length = 0};
    put(&w, "p%d(", pred);
    for (int i = 0; i < p->arity[pred]; i++) {
        put(&w, i ? ", " : "");
        if (bound[i] >= 0)
            put_value(&w, bound[i]);
        else
            put(&w, "X%d", i);
    }
    put(&w, ")");
    errors list = {0};
    answers *got = NULL;
    if (engine_query(a->engine, "query", w.text, &got, &list) != OK)
        fail_msg("%s\n%s\nseed %llu\n%s", w.text, asked_errors(a, &list), (unsigned long long)seed,
                 rules);
    size_t expected = 0, found = answers_count(got);
    int cells = p->arity[pred] == 1   ? UNIVERSE
                : p->arity[pred] == 2 ? UNIVERSE * UNIVERSE
                                      : UNIVERSE * UNIVERSE * UNIVERSE;
    for (int k = 0; k < cells; k++) {
        int v[3] = {k, 0, 0}, rest = k;
        for (int i = p->arity[pred] - 1; i >= 0; i--, rest /= UNIVERSE)
            v[i] = rest % UNIVERSE;
        bool fits = t->has[pred][k];
        for (int i = 0; i < p->arity[pred]; i++)
            fits = fits && (bound[i] < 0 || bound[i] == v[i]);
        expected += fits;
    }
    bool same = expected == found;
    for (size_t r = 0; same && r < found; r++) {
        int v[3] = {-1, -1, -1};
        for (int i = 0, column = 0; i < p->arity[pred]; i++)
            v[i] = bound[i] >= 0
                       ? bound[i]
                       : value_number(answers_values(got), answers_value(got, r, (size_t)column++));
        same = v[0] >= 0 && t->has[pred][cell(v, p->arity[pred])];
    }
    if (!same)
        fprintf(stderr, "%s\n", rules);
    if (!same)
        fail_msg("%s: %zu answers, expected %zu", w.text, found, expected);
    answers_free(got);
    return found;
}

static void random_programs_give_what_the_naive_evaluator_gives(void **state) {
    (void)state;
    engine_options whole = engine_options_default();
    whole.derive_whole = true;
    asked *plain = NULL, *undemanded = NULL, *shuffled = NULL;
    int asked_for_count = 0, not_empty = 0, removed = 0, tried = programs(200);
    program_t *p = malloc(sizeof *p);
    tables_t *facts = malloc(sizeof *facts), *t = malloc(sizeof *t),
             *without = malloc(sizeof *without);
    writer *w = malloc(sizeof *w), *other = malloc(sizeof *other);
    assert_true(p && facts && t && without && w && other);
    plain = asked_open(10, NULL);
    for (int n = 0; n < tried; n++) {
        seed = 1000003u * (uint64_t)n + 17;
        make_program(p);
        memset(facts, 0, sizeof *facts);
        for (int i = 0; i < BASE; i++) {
            for (int k = 0; k < (i == 0 ? 6 : 34); k++)
                facts->has[i][i == 0 ? draw(UNIVERSE) : draw(UNIVERSE * UNIVERSE)] = true;
        }
        *t = *facts;
        *without = *facts;
        evaluate_naively(p, t, true);
        evaluate_naively(p, without, false);
        removed += memcmp(t, without, sizeof *t) != 0;
        put_program(w, p, facts, false);
        put_program(other, p, facts, true);
        engine *engines[3];
        asked views[3];
        error err = {0};
        for (int e = 0; e < 3; e++) {
            errors list = {0};
            assert_int_equal(
                engine_open(plain->store, 1, e == 1 ? &whole : NULL, &engines[e], &err), OK);
            views[e] = *plain;
            views[e].engine = engines[e];
            const char *text = e == 2 ? other->text : w->text;
            if (engine_load(engines[e], "rules.dl", text, strlen(text), &list) != OK)
                fail_msg("%s\n%s", asked_errors(plain, &list), text);
        }
        // Bound first, so that demand meets nothing derived already.
        for (int k = 0; k < 6; k++) {
            int pred = BASE + (int)draw(PREDS - BASE), bound[3];
            for (int i = 0; i < 3; i++)
                bound[i] = chance(50) ? (int)draw(UNIVERSE) : -1;
            for (int e = 0; e < 3; e++)
                compare(&views[e], p, t, pred, bound, e == 2 ? other->text : w->text);
        }
        for (int pred = BASE; pred < PREDS; pred++) {
            const int free[3] = {-1, -1, -1};
            for (int e = 0; e < 3; e++) {
                size_t found = compare(&views[e], p, t, pred, free, e == 2 ? other->text : w->text);
                if (e == 0) {
                    asked_for_count++;
                    not_empty += found > 0;
                }
            }
        }
        for (int e = 0; e < 3; e++)
            engine_close(engines[e]);
    }
    print_message("%d programs, %d answers, %d %% not empty, in %d %% negation removed something\n",
                  tried, asked_for_count, 100 * not_empty / asked_for_count, 100 * removed / tried);
    assert_true(100 * not_empty >= 70 * asked_for_count);
    assert_true(100 * removed >= 30 * tried);
    asked_close(plain);
    (void)undemanded;
    (void)shuffled;
    free(p);
    free(facts);
    free(t);
    free(without);
    free(w);
    free(other);
}

// ---- Occasions over time: keys 0..3, seconds 0..9 and the last nanosecond
// ---------------------------

#define KEYS 4
#define SLOTS 11
#define OCCASIONS 8
#define BASE_OCCASIONS 3

typedef struct occasion_rule {
    int head;
    int kind;       // 0 instants, 1 maximal intervals at least as long, 2 at bound times
    int calls[3];   // occasions
    bool linked[3]; // of Y where e(X, Y), otherwise of X
    bool negated[3];
    int count, low, high; // bounds on T, -1: none
    int spec;             // of kind 2: 0 at, 1 during, 2 throughout
} occasion_rule;

typedef struct temporal_t {
    bool on[OCCASIONS][KEYS][SLOTS];
} temporal_t;

static bool linked_pairs[KEYS][KEYS];
static int spans[5][2];

// The end of the run that holds slot s, and its start.
static void run_of(const bool *on, int s, int *from, int *to) {
    for (*from = s; *from > 0 && on[*from - 1];)
        --*from;
    for (*to = s; *to < SLOTS && on[*to];)
        ++*to;
}

static bool spec_holds(const bool *on, int spec, int a, int b) {
    int from, to;
    switch (spec) {
    case 0:
        return a < SLOTS && on[a];
    case 1:
        for (int s = a; s < (b > a ? b : a + 1) && s < SLOTS; s++) {
            if (on[s])
                return true;
        }
        return false;
    default:
        for (int s = 0; s < SLOTS; s++) {
            if (!on[s])
                continue;
            run_of(on, s, &from, &to);
            if (from <= a && b <= to)
                return true;
        }
        return false;
    }
}

static bool apply_naively(const occasion_rule *r, temporal_t *t) {
    bool moved = false;
    for (int x = 0; x < KEYS; x++) {
        for (int y = 0; y < KEYS; y++) {
            bool out[SLOTS] = {false};
            if (!linked_pairs[x][y])
                continue;
            if (r->kind == 0) {
                for (int s = 0; s < SLOTS; s++) {
                    out[s] = (r->low < 0 || s >= r->low) && (r->high < 0 || s < r->high);
                    for (int k = 0; k < r->count; k++)
                        out[s] =
                            out[s] && t->on[r->calls[k]][r->linked[k] ? y : x][s] != r->negated[k];
                }
            } else if (r->kind == 1) {
                const bool *on = t->on[r->calls[0]][r->linked[0] ? y : x];
                for (int s = 0; s < SLOTS; s++) {
                    int from, to;
                    if (!on[s])
                        continue;
                    run_of(on, s, &from, &to);
                    // The last slot is a nanosecond long.
                    out[s] = (to == SLOTS ? 10 : to) - from >= r->low;
                }
            } else {
                for (int k = 0; k < 5; k++) {
                    const bool *on = t->on[r->calls[0]][r->linked[0] ? y : x];
                    if (spec_holds(on, r->spec, spans[k][0], spans[k][1]) == r->negated[0])
                        continue;
                    for (int s = spans[k][0]; s < spans[k][1]; s++)
                        out[s] = true;
                }
            }
            for (int s = 0; s < SLOTS; s++) {
                moved = moved || (out[s] && !t->on[r->head][x][s]);
                t->on[r->head][x][s] = t->on[r->head][x][s] || out[s];
            }
        }
    }
    return moved;
}

static void put_occasion_rule(writer *w, const occasion_rule *r, bool reversed) {
    static const char *const specs[] = {"at(A)", "during(A, B)", "throughout(A, B)"};
    const char *time = r->kind == 0 ? "T" : r->kind == 1 ? "interval(S, E)" : "interval(A, B)";
    char parts[6][64];
    int count = 0;
    snprintf(parts[count++], 64, "e(X, Y), Y = Y");
    for (int k = 0; k < (r->kind == 0 ? r->count : 1); k++)
        snprintf(parts[count++], 64, "%so(t%d(%c), %s)", r->negated[k] ? "not " : "", r->calls[k],
                 r->linked[k] ? 'Y' : 'X', r->kind == 2 ? specs[r->spec] : time);
    if (r->kind == 0 && r->low >= 0)
        snprintf(parts[count++], 64, "T >= %d", r->low);
    if (r->kind == 0 && r->high >= 0)
        snprintf(parts[count++], 64, "%d > T", r->high);
    if (r->kind == 1)
        snprintf(parts[count++], 64, "E - S >= %d", r->low);
    if (r->kind == 2)
        snprintf(parts[count++], 64, "span(A, B)");
    put(w, "o(t%d(X), %s) :- ", r->head, time);
    for (int k = 0; k < count; k++)
        put(w, "%s%s", k ? ", " : "", parts[reversed ? count - 1 - k : k]);
    put(w, ".\n");
}

static void random_occasions_give_what_the_naive_evaluator_gives(void **state) {
    (void)state;
    engine_options whole = engine_options_default();
    whole.derive_whole = true;
    asked *plain = asked_open(10, NULL);
    writer *w = malloc(sizeof *w);
    temporal_t *t = malloc(sizeof *t);
    assert_true(w && t);
    int total = 0, not_empty = 0, tried = programs(200);
    for (int n = 0; n < tried; n++) {
        occasion_rule rules[24];
        int count = 0;
        seed = 7919u * (uint64_t)n + 3;
        memset(t, 0, sizeof *t);
        for (int m = 0; m < 2; m++) {
            // Once in order, once with literals the other way round and without demand.
            uint64_t start_seed = 7919u * (uint64_t)n + 3;
            seed = start_seed;
            w->length = 0;
            count = 0;
            memset(t, 0, sizeof *t);
            memset(linked_pairs, 0, sizeof linked_pairs);
            put(w, ":- split o on 1. :- temporal o on 2. :- declare e(a: any, b: any).\n");
            for (int x = 0; x < KEYS; x++) {
                for (int y = 0; y < KEYS; y++) {
                    linked_pairs[x][y] = chance(45);
                    if (linked_pairs[x][y])
                        put(w, "e(%d, %d). ", x, y);
                }
            }
            for (int k = 0; k < 5; k++) {
                spans[k][0] = (int)draw(9);
                spans[k][1] = spans[k][0] + (int)draw((uint32_t)(11 - spans[k][0]));
                put(w, "span(%d, %d). ", spans[k][0], spans[k][1]);
            }
            for (int o = 0; o < BASE_OCCASIONS; o++) {
                for (int k = 0; k < 8; k++) {
                    int x = (int)draw(KEYS), s = (int)draw(9), e = s + 1 + (int)draw(4);
                    e = e > 10 ? 10 : e;
                    put(w, "o(t%d(%d), interval(%d, %s)). ", o, x, s,
                        e == 10 && chance(30) ? "11" : arena_format(plain->texts, "%d", e));
                    for (int i = s; i < e; i++)
                        t->on[o][x][i] = true;
                    // An end of 11 is clipped to the end of the episode, past its last instant.
                    if (strstr(w->text + w->length - 6, "11)"))
                        t->on[o][x][10] = true;
                }
            }
            put(w, "\n");
            for (int o = BASE_OCCASIONS; o < OCCASIONS; o++) {
                int made = 1 + (int)draw(2);
                for (int k = 0; k < made; k++) {
                    occasion_rule *r = &rules[count++];
                    *r = (occasion_rule){.head = o,
                                         .kind = (int)draw(3),
                                         .low = -1,
                                         .high = -1,
                                         .spec = (int)draw(3)};
                    r->count = 1 + (int)draw(3);
                    for (int c = 0; c < 3; c++) {
                        // Only what lies below is negated or taken whole; recursion otherwise.
                        r->negated[c] = chance(30) && (c > 0 || r->kind != 1) && o > 0;
                        bool below = r->negated[c] || r->kind == 1;
                        r->calls[c] = (int)draw((uint32_t)(below ? o : o + 1));
                        r->linked[c] = chance(40);
                    }
                    if (r->kind == 1)
                        r->low = 1 + (int)draw(4);
                    if (r->kind == 0 && chance(30))
                        r->low = (int)draw(6);
                    if (r->kind == 0 && chance(30))
                        r->high = 4 + (int)draw(6);
                    put_occasion_rule(w, r, m == 1);
                }
            }
            for (int o = BASE_OCCASIONS; o < OCCASIONS; o++) {
                for (bool moved = true; moved;) {
                    moved = false;
                    for (int k = 0; k < count; k++)
                        moved = (rules[k].head == o && apply_naively(&rules[k], t)) || moved;
                }
            }
            asked view = *plain;
            error err = {0};
            errors list = {0};
            assert_int_equal(engine_open(plain->store, 1, m ? &whole : NULL, &view.engine, &err),
                             OK);
            if (engine_load(view.engine, "rules.dl", w->text, strlen(w->text), &list) != OK)
                fail_msg("%s\n%s", asked_errors(plain, &list), w->text);
            // One key first, by demand; then all.
            for (int ask = 0; ask < 2; ask++) {
                int key = ask == 0 ? (int)draw(KEYS) : -1;
                for (int o = BASE_OCCASIONS; o < OCCASIONS; o++) {
                    const char *expected = "";
                    for (int x = 0; x < KEYS; x++) {
                        for (int s = 0; s < SLOTS; s++) {
                            int from, to;
                            if (!t->on[o][x][s] || (s > 0 && t->on[o][x][s - 1]) ||
                                (key >= 0 && x != key))
                                continue;
                            run_of(t->on[o][x], s, &from, &to);
                            expected = arena_format(
                                plain->texts, "%s%s%s%d.0 %s", expected, *expected ? "; " : "",
                                key >= 0 ? "" : arena_format(plain->texts, "%d ", x), from,
                                to == SLOTS ? "10.000000001"
                                            : arena_format(plain->texts, "%d.0", to));
                        }
                    }
                    char query[80];
                    if (key >= 0)
                        snprintf(query, sizeof query, "o(t%d(%d), interval(S, E))", o, key);
                    else
                        snprintf(query, sizeof query, "o(t%d(X), interval(S, E))", o);
                    const char *got = asked_for(&view, query);
                    if (strcmp(got, expected) != 0)
                        fail_msg("%s\n  expected: %s\n  got:      %s\n%s", query, expected, got,
                                 w->text);
                    total += key < 0;
                    not_empty += key < 0 && *expected;
                }
            }
            engine_close(view.engine);
        }
    }
    print_message("%d occasions, %d %% not empty\n", total, 100 * not_empty / total);
    assert_true(100 * not_empty >= 70 * total);
    free(w);
    free(t);
    asked_close(plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_give_what_the_naive_evaluator_gives),
        cmocka_unit_test(random_occasions_give_what_the_naive_evaluator_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
