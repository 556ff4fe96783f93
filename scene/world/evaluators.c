// scene/world/evaluators.c - what triggers look at: numbers made of slots, conditions, and what
// finds a body; and the section `evaluators`, which gives them names.
#include "scene/world/ensemble_int.h"

static char *shown(ensemble_reading *r, const term *t) {
    return term_text(r->w->l.arena, t);
}

static const evaluator *find_evaluator(const ensemble_reading *r, const char *name) {
    for (size_t i = 0; i < r->evaluators.count; i++)
        if (strcmp(r->evaluators.items[i].name, name) == 0)
            return &r->evaluators.items[i];
    return NULL;
}

// Reports a name that no evaluator has.
static void report_evaluator(ensemble_reading *r, const ynode *n, const char *what,
                             const char *name) {
    const char **names = arena_alloc(r->w->l.arena, (r->evaluators.count + 1) * sizeof *names);
    for (size_t i = 0; i < r->evaluators.count; i++)
        names[i] = r->evaluators.items[i].name;
    name_unknown(&r->w->l, n, what, name, names, r->evaluators.count);
}

// ---- Numbers ------------------------------------------------------------------------------------

static value_kind operation_of(const term *t) {
    static const char *const signs[] = {"+", "-", "*", "/"};
    for (size_t i = 0; i < 4; i++)
        if (term_is(t, signs[i], 2))
            return (value_kind)(VALUE_SUM + i);
    return VALUE_NUMBER;
}

// NULL: reported.
static const ensemble_value *read_value(ensemble_reading *r, const ynode *n, const term *t) {
    ensemble_value *v = arena_alloc(r->w->l.arena, sizeof *v);
    *v = (ensemble_value){.kind = operation_of(t), .slot = -1};
    if (v->kind != VALUE_NUMBER) {
        v->a = read_value(r, n, t->args[0]);
        v->b = v->a ? read_value(r, n, t->args[1]) : NULL;
        return v->b ? v : NULL;
    }
    if (term_number(t, &v->number))
        return v;
    if (t->kind == TERM_SYMBOL) {
        const evaluator *e = find_evaluator(r, t->text);
        if (!e)
            report_evaluator(r, n, "number or evaluator", t->text);
        else if (!e->value)
            ynode_error(n, r->w->l.list, "`%s` is no number", t->text);
        return e ? e->value : NULL;
    }
    v->kind = VALUE_SLOT;
    v->slot = ensemble_find_slot(r, n, t, false);
    if (v->slot >= 0 && r->slots.items[v->slot].is_pose) {
        ynode_error(n, r->w->l.list,
                    "`%s` is no number: compare height, speed, approach, force or fingers of the "
                    "body",
                    r->slots.items[v->slot].text);
        return NULL;
    }
    return v->slot >= 0 ? v : NULL;
}

// ---- Finders ------------------------------------------------------------------------------------

static bool is_finder(const term *t) {
    return term_is(t, "nearest", 2) || term_is(t, "nearest", 3) || term_is(t, "held", 1);
}

static const char *find_type(ensemble_reading *r, const ynode *n, const char *name) {
    const char **names = arena_alloc(r->w->l.arena, (r->w->types.count + 1) * sizeof *names);
    for (size_t i = 0; i < r->w->types.count; i++) {
        names[i] = r->w->types.items[i].name;
        if (strcmp(names[i], name) == 0)
            return names[i];
    }
    name_unknown(&r->w->l, n, "type", name, names, r->w->types.count);
    return NULL;
}

// False: reported.
static bool read_finder(ensemble_reading *r, const ynode *n, const term *t, ensemble_finder *out) {
    loading *l = &r->w->l;
    const term *hand = t->args[0], *type = t->arity == 3 ? t->args[1] : NULL;
    *out = (ensemble_finder){.kind = t->arity == 1 ? FINDER_HELD : FINDER_NEAREST,
                             .at = ensemble_place_of(n)};
    bool named = hand->kind == TERM_SYMBOL &&
                 (!type || (term_is(type, "type", 1) && type->args[0]->kind == TERM_SYMBOL));
    if (!named || (t->arity > 1 && !term_number(t->args[t->arity - 1], &out->radius))) {
        ynode_error(n, l->list,
                    "`%s` finds nothing: it is nearest(ARM, METRES), nearest(ARM, type(TYPE), "
                    "METRES) or held(ARM)",
                    shown(r, t));
        return false;
    }
    if (t->arity > 1 && !(out->radius > 0 && isfinite(out->radius))) {
        ynode_error(n, l->list, "how far `%s` looks is more than 0 m", shown(r, t));
        return false;
    }
    out->hand = arena_strdup(l->arena, hand->text);
    out->type = type ? find_type(r, n, type->args[0]->text) : NULL;
    return !type || out->type;
}

// ---- Conditions ---------------------------------------------------------------------------------

bool ensemble_is_comparison(const term *t) {
    static const char *const signs[] = {"<", "<=", ">", ">="};
    for (size_t i = 0; i < 4; i++)
        if (term_is(t, signs[i], 2))
            return true;
    return false;
}

bool ensemble_read_comparison(ensemble_reading *r, const ynode *n, const term *t,
                              ensemble_condition *out) {
    out->kind = CONDITION_COMPARES;
    out->how = t->text[0] == '<' ? t->text[1] ? LESS_EQUAL : LESS
               : t->text[1]      ? GREATER_EQUAL
                                 : GREATER;
    out->left = read_value(r, n, t->args[0]);
    out->right = out->left ? read_value(r, n, t->args[1]) : NULL;
    return out->right != NULL;
}

// What a finder has to find: `_`, a body, or a variable of the trigger. False: reported.
static bool read_found(ensemble_reading *r, const ynode *n, const term *t, ensemble_trigger *with,
                       ensemble_condition *out) {
    loading *l = &r->w->l;
    if (term_is_anonymous(t))
        return true;
    if (t->kind == TERM_SYMBOL)
        return (out->body = world_body_named(r->w, n, t->text)) >= 0;
    if (t->kind != TERM_VAR) {
        ynode_error(n, l->list, "`%s` is no body, no variable such as ?o, and not _", shown(r, t));
        return false;
    }
    if (!with) {
        ynode_error(n, l->list, "`%s`: an evaluator has no variables. A trigger that uses it has",
                    t->text);
        return false;
    }
    size_t i = 0;
    while (i < with->variable_count && strcmp(with->variables[i], t->text) != 0)
        i++;
    if (i == with->variable_count && (out->negated || i == ENSEMBLE_VARIABLES_MAX)) {
        ynode_error(n, l->list,
                    out->negated ? "nothing before says which body `%s` is: write _ for any"
                                 : "`%s` is one variable too many",
                    t->text);
        return false;
    }
    if (i == with->variable_count)
        with->variables[with->variable_count++] = arena_strdup(l->arena, t->text);
    out->variable = (int64_t)i;
    return true;
}

typedef ARRAY(ensemble_condition) condition_list;

static bool read_finding(ensemble_reading *r, const ynode *n, const term *t, ensemble_trigger *with,
                         ensemble_condition *out) {
    out->kind = CONDITION_FINDS;
    if (term_is(t, "holds", 2)) {
        if (t->args[0]->kind != TERM_SYMBOL) {
            ynode_error(n, r->w->l.list, "`%s`: the hand is the name of its arm", shown(r, t));
            return false;
        }
        out->finder = (ensemble_finder){.kind = FINDER_HELD,
                                        .hand = arena_strdup(r->w->l.arena, t->args[0]->text),
                                        .at = ensemble_place_of(n)};
        return read_found(r, n, t->args[1], with, out);
    }
    const evaluator *e = find_evaluator(r, t->text);
    if (!e || !e->finder) {
        if (e)
            ynode_error(n, r->w->l.list, "`%s` finds no body", t->text);
        else
            report_evaluator(r, n, "evaluator", t->text);
        return false;
    }
    out->finder = *e->finder;
    return read_found(r, n, t->args[0], with, out);
}

static void read_condition(ensemble_reading *r, const ynode *n, const term *t, bool negated,
                           ensemble_trigger *with, condition_list *out) {
    ensemble_condition c = {.negated = negated, .body = -1, .variable = -1};
    const evaluator *e = t->kind == TERM_SYMBOL ? find_evaluator(r, t->text) : NULL;
    bool good = false;
    if (term_is(t, ",", 2) && !negated) {
        read_condition(r, n, t->args[0], false, with, out);
        read_condition(r, n, t->args[1], false, with, out);
    } else if (term_is(t, "not", 1)) {
        read_condition(r, n, t->args[0], !negated, with, out);
    } else if (ensemble_is_comparison(t)) {
        good = ensemble_read_comparison(r, n, t, &c);
    } else if (e && e->conditions) {
        c.kind = CONDITION_ALL;
        c.all = e->conditions;
        c.count = e->count;
        good = true;
    } else if (term_is(t, "holds", 2) ||
               (t->kind == TERM_COMPOUND && t->arity == 1 && find_evaluator(r, t->text))) {
        good = read_finding(r, n, t, with, &c);
    } else {
        ynode_error(n, r->w->l.list,
                    "`%s` is no condition: compare an attribute with a number, such as "
                    "temperature(cup_1) < 310, or ask holds(ARM, _) or an evaluator",
                    shown(r, t));
    }
    if (good)
        array_push(out, c);
}

void ensemble_read_conditions(ensemble_reading *r, const ynode *n, const term *t,
                              ensemble_trigger *with, const ensemble_condition **out,
                              size_t *count) {
    condition_list all = {0};
    read_condition(r, n, t, false, with, &all);
    *out = ensemble_moved(r->w->l.arena, all.items, all.count, sizeof *all.items);
    *count = all.count;
    array_finish(&all);
}

// ---- The section --------------------------------------------------------------------------------

static bool is_conditions(const ensemble_reading *r, const term *t) {
    const evaluator *e = t->kind == TERM_SYMBOL                      ? find_evaluator(r, t->text)
                         : t->kind == TERM_COMPOUND && t->arity == 1 ? find_evaluator(r, t->text)
                                                                     : NULL;
    return ensemble_is_comparison(t) || term_is(t, "not", 1) || term_is(t, ",", 2) ||
           term_is(t, "holds", 2) || (e && (e->conditions || e->finder));
}

// An evaluator may use those before it, so that none uses itself.
void ensemble_read_evaluators(ensemble_reading *r, const ynode *map) {
    loading *l = &r->w->l;
    if (!map || !ensemble_is_mapping(r, map, "evaluators"))
        return;
    for (size_t i = 0; i < map->count; i++) {
        const ynode *key = map->keys[i], *n = map->items[i];
        const term *t;
        evaluator e = {0};
        if (!ynode_text(key, "the name of an evaluator", &e.name, l->list) ||
            !name_check(l, key, "evaluator", e.name) ||
            !ynode_value(l->arena, n, e.name, &t, l->list))
            continue;
        if (is_finder(t)) {
            ensemble_finder *f = arena_alloc(l->arena, sizeof *f);
            e.finder = read_finder(r, n, t, f) ? f : NULL;
        } else if (is_conditions(r, t)) {
            ensemble_read_conditions(r, n, t, NULL, &e.conditions, &e.count);
        } else {
            e.value = read_value(r, n, t);
        }
        if (e.finder || e.value || e.count > 0)
            array_push(&r->evaluators, e);
    }
}
