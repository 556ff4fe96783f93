// plans/check/words.c - words that are slips of what is known: of conditions, functions, targets of
// actions, properties of objects and arms.
//
// Data and conditions cannot always be told apart, and plans may have words of their own, so that
// an unknown word is refused only where it is one letter from a known one. Arms that the plan's own
// file names must be arms of the robot, and properties that it describes objects by must be known.
#include <math.h>

#include "plans/check/check_int.h"

typedef struct wording {
    const plan *plan;
    const plan_names *names;
    const plan_file *file;
    int line, column; // of what is looked at, where a term has no place of its own
    const term *arm;  // that the action which is looked at names; NULL: none
    errors *list;
} wording;

// Where it is data, a word shorter than this may well be meant as it is written.
#define SURE_LENGTH 6

// "navigate.reach(Object)" as reach; false: it is of another action, or no word (Object).
static bool target_word(const char *entry, const char *action, char *out, size_t size) {
    const char *dot = strchr(entry, '.');
    if (!dot || (action &&
                 (strncmp(entry, action, (size_t)(dot - entry)) != 0 || action[dot - entry] != 0)))
        return false;
    size_t length = strcspn(dot + 1, "(");
    snprintf(out, size, "%.*s", (int)length, dot + 1);
    return out[0] >= 'a' && out[0] <= 'z';
}

static bool is_target(const wording *k, const char *action, const char *word) {
    char own[64];
    for (size_t i = 0; k->names->targets && k->names->targets[i]; i++) {
        if (target_word(k->names->targets[i], action, own, sizeof own) && strcmp(own, word) == 0)
            return true;
    }
    return false;
}

// Returns whether anything in the language or the plan has this name.
static bool is_known(const wording *k, const char *word) {
    static const char *const others[] = {"a",    "at",   "task", "object", "location",
                                         "type", "pose", "tag",  "action", NULL};
    const plan_names *n = k->names;
    const char *const *const lists[] = {n->conditions, n->calls,   n->places,  n->properties,
                                        n->actions,    n->objects, n->regions, n->types,
                                        n->functions,  n->arms,    others};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (list_has(lists[i], word))
            return true;
    }
    for (size_t i = 0; i < k->plan->routines.count; i++) {
        const plan_routine *r = &k->plan->routines.items[i];
        if (strcmp(r->name, word) == 0 || strcmp(r->pattern->text, word) == 0)
            return true;
    }
    return is_target(k, NULL, word);
}

static void complain_word(const wording *k, const term *t, const char *what, const char *near) {
    term_place at = place_of_term(t, k->line, k->column);
    errors_add(k->list, k->file->path, at.line, at.column,
               "unknown %s '%.200s'; did you mean '%s'?", what, t->text, near);
}

static void check_slip(const wording *k, const char *const *words, const term *t, size_t least,
                       const char *what) {
    if (is_known(k, t->text))
        return;
    for (size_t i = 0; words && words[i]; i++) {
        if (strlen(words[i]) >= least && is_slip(words[i], t->text)) {
            complain_word(k, t, what, words[i]);
            return;
        }
    }
}

// ---- Arms ---------------------------------------------------------------------------------------

static void check_arm(const wording *k, const term *t) {
    const char *const *arms = k->names->arms;
    if (!arms || t->kind != TERM_SYMBOL || list_has(arms, t->text) ||
        strcmp(t->text, "both") == 0 || strchr(t->text, '#') ||
        list_has(k->names->functions, t->text))
        return;
    // Routines of other files may be for other robots too.
    bool slip = k->file == k->plan->files.items[0];
    name_list known = {0};
    for (size_t i = 0; arms[i]; i++) {
        array_push(&known, arms[i]);
        slip = slip || is_slip(arms[i], t->text);
    }
    term_place at = place_of_term(t, k->line, k->column);
    if (slip)
        complain_name(&known, "arm", t->text, k->file->path, at.line, at.column, k->list);
    array_finish(&known);
}

static void check_arms(const wording *k, const term *t) {
    static const struct {
        const char *functor;
        uint32_t arity, arm;
    } all[] = {{"gripper_force", 1, 0},  {"gripper_opening", 1, 0},
               {"gripper_closed", 1, 0}, {"wrist_force", 1, 0},
               {"contact_force", 1, 0},  {"touched", 1, 0},
               {"hand", 1, 0},           {"other_arm", 1, 0},
               {"held_object", 1, 0},    {"arm_of", 1, 0},
               {"object_in_hand", 2, 1}, {"reach", 2, 1},
               {"reach", 3, 1},          {"pour", 2, 1},
               {"operate", 3, 2},        {"wipe", 2, 1},
               {"place", 2, 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (term_is(t, all[i].functor, all[i].arity))
            check_arm(k, t->args[all[i].arm]);
    }
}

// ---- Expressions and conditions -----------------------------------------------------------------

static void check_value(const wording *k, const term *t, bool number);

// Complains of a property that nothing can have. Routines of other files may be for other worlds.
static void complain_property(const wording *k, const term *t) {
    if (k->file != k->plan->files.items[0])
        return;
    if (list_has(k->names->truths, t->text)) {
        term_place at = place_of_term(t, k->line, k->column);
        errors_add(k->list, k->file->path, at.line, at.column,
                   "the robot knows the property '%.200s' of nothing: only bodies that it does not "
                   "know beforehand have it; give it to a type",
                   t->text);
        return;
    }
    name_list known = {0};
    for (size_t i = 0; k->names->properties[i]; i++)
        array_push(&known, k->names->properties[i]);
    for (size_t i = 0; k->names->conditions && k->names->conditions[i]; i++)
        array_push(&known, k->names->conditions[i]);
    complain_name(&known, "property of an object", t->text, k->file->path,
                  t->line > 0 ? t->line : k->line, t->line > 0 ? t->column : k->column, k->list);
    array_finish(&known);
}

// Checks a description of an object, which is a list of properties.
static void check_properties(const wording *k, const term *list) {
    for (; list && term_is(list, "[|]", 2); list = list->args[1]) {
        const term *t = list->args[0];
        if (t->kind != TERM_COMPOUND && t->kind != TERM_SYMBOL)
            continue;
        if (k->names->properties && !is_known(k, t->text)) {
            size_t before = k->list->count;
            bool hidden = list_has(k->names->truths, t->text);
            if (!hidden)
                check_slip(k, k->names->properties, t, 0, "property of an object");
            if (!hidden && k->list->count == before)
                check_slip(k, k->names->conditions, t, 0, "property of an object");
            if (k->list->count == before)
                complain_property(k, t);
        }
        for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++)
            check_value(k, t->args[i], false);
    }
}

static void check_items(const wording *k, const term *t) {
    for (; term_is(t, "[|]", 2); t = t->args[1])
        check_value(k, t->args[0], false);
}

static bool is_any(const term *t, const char *const *functors) {
    return t->kind == TERM_COMPOUND && list_has(functors, t->text);
}

static void check_value(const wording *k, const term *t, bool number) {
    static const char *const arithmetic[] = {"+", "-", "*", "/", "mod", "min", "max", "abs", NULL};
    if (!t || t->kind != TERM_COMPOUND || t->arity == 0 || term_is(t, "task", 2))
        return;
    if (term_is(t, "[|]", 2)) {
        check_items(k, t);
        return;
    }
    if (term_is(t, "object", 1) || term_is(t, "a", 1)) {
        check_properties(k, t->args[0]);
        return;
    }
    if (term_is(t, "fitting", 2))
        check_properties(k, t->args[1]);
    check_slip(k, k->names->calls, t, number ? 0 : SURE_LENGTH, "function");
    check_arms(k, t);
    for (uint32_t i = 0; i < t->arity; i++)
        check_value(k, t->args[i], is_any(t, arithmetic));
}

static void check_condition(const wording *k, const term *t) {
    static const char *const combinators[] = {"not", "and", "or", ",", ";", "rises", "falls", NULL};
    static const char *const comparisons[] = {"<", "<=", ">", ">=", NULL};
    static const char *const equalities[] = {"=", "!=", NULL};
    if (!t || t->kind != TERM_COMPOUND || t->arity == 0 || term_is(t, "task", 2))
        return;
    if (is_any(t, combinators)) {
        for (uint32_t i = 0; i < t->arity; i++)
            check_condition(k, t->args[i]);
        return;
    }
    bool compares = is_any(t, comparisons);
    // Where the world is not known, a condition of two arguments may be any of its properties.
    if (!compares && !is_any(t, equalities) && (t->arity != 2 || k->names->properties))
        check_slip(k, k->names->conditions, t, 0, "condition");
    check_arms(k, t);
    for (uint32_t i = 0; i < t->arity; i++)
        check_value(k, t->args[i], compares);
}

// ---- Actions ------------------------------------------------------------------------------------

// How many arguments a form has, such as reach(Object, Arm); none: no form such as park.
static uint32_t form_arity(const char *form) {
    uint32_t count = 0, depth = 0;
    for (const char *c = form; *c; c++) {
        depth += *c == '(' || *c == '[';
        depth -= *c == ')' || *c == ']';
        count += (depth == 1 && *c == ',') || (depth == 1 && *c == '(');
    }
    return count;
}

// A target whose word the action knows, with so many arguments as none of its forms has.
static void check_form(const wording *k, const char *action, const term *t) {
    char own[64];
    const char *form = NULL;
    term_place at = place_of_term(t, k->line, k->column);
    for (size_t i = 0; k->names->targets && k->names->targets[i]; i++) {
        const char *entry = k->names->targets[i];
        if (!target_word(entry, action, own, sizeof own) || strcmp(own, t->text) != 0)
            continue;
        form = strchr(entry, '.') + 1;
        if (form_arity(form) == t->arity)
            return;
    }
    if (form)
        errors_add(k->list, k->file->path, at.line, at.column, "%s has no target %s/%u; it has %s",
                   action, t->text, t->arity, form);
}

static void check_target(const wording *k, const char *action, const term *t) {
    char own[64];
    if ((t->kind != TERM_COMPOUND && t->kind != TERM_SYMBOL) || term_is(t, "[|]", 2) ||
        is_known(k, t->text))
        return;
    for (size_t i = 0; k->names->targets && k->names->targets[i]; i++) {
        if (target_word(k->names->targets[i], action, own, sizeof own) && is_slip(own, t->text) &&
            (t->kind == TERM_COMPOUND) == (strchr(k->names->targets[i], '(') != NULL)) {
            char what[96];
            snprintf(what, sizeof what, "target of %.60s", action);
            complain_word(k, t, what, own);
            return;
        }
    }
}

// Arguments that are numbers; what is computed is judged when the plan runs.
static void check_number(const wording *k, const char *action, const char *key, const term *t) {
    const char *bound = entry_of(k->names->numbers, key);
    term_place at = place_of_term(t, k->line, k->column);
    bool number = t->kind == TERM_INT || t->kind == TERM_FLOAT;
    double x = t->kind == TERM_INT ? (double)t->integer : t->kind == TERM_FLOAT ? t->real : 0;
    if (!bound || (!number && t->kind != TERM_SYMBOL && t->kind != TERM_STRING))
        return;
    if (number && (bound[1] == '=' ? x >= 0 : x > 0))
        return;
    if (number)
        errors_add(k->list, k->file->path, at.line, at.column, "%s of %s must be %s, not %g", key,
                   action, bound, x);
    else if (!is_known(k, t->text))
        errors_add(k->list, k->file->path, at.line, at.column,
                   "%s of %s must be a number, not '%s'", key, action, t->text);
}

static bool is_word(const wording *k, const char *key, const term *t) {
    bool list;
    const char *text = argument_words(k->names, key, &list);
    if (!text || t->kind != TERM_SYMBOL)
        return false;
    char copy[128];
    snprintf(copy, sizeof copy, "%s", text);
    name_list known = words_of(copy);
    bool found = has_name(&known, t->text);
    array_finish(&known);
    return found;
}

static void complain_one_of(const wording *k, const char *of, const char *key, const char *text,
                            const term *t) {
    char copy[128], given[200];
    snprintf(copy, sizeof copy, "%s", text);
    term_format(t, given, sizeof given);
    name_list known = words_of(copy);
    // A list has no place of its own; its first item has.
    term_place at = place_of_term(term_is(t, "[|]", 2) ? t->args[0] : t, k->line, k->column);
    const char *near =
        t->kind == TERM_SYMBOL ? nearest_name(t->text, known.items, known.count) : NULL;
    errors_add(k->list, k->file->path, at.line, at.column,
               near ? "%s of %s must be one of %s, not '%s'; did you mean '%s'?"
                    : "%s of %s must be one of %s, not '%s'",
               key, of, text, given, near);
    array_finish(&known);
}

// Arguments that are one of some words, or a list of them; what is computed is judged when the
// plan runs. `of` is an action or a goal.
static void check_word(const wording *k, const char *of, const char *key, const term *t) {
    bool list;
    const char *text = argument_words(k->names, key, &list);
    if (!text || t->kind == TERM_VAR || is_word(k, key, t) ||
        (t->kind == TERM_SYMBOL && list_has(k->names->functions, t->text)) ||
        (t->kind == TERM_COMPOUND && !term_is(t, "[|]", 2)))
        return;
    if (!list || !term_is(t, "[|]", 2)) {
        complain_one_of(k, of, key, text, t);
        return;
    }
    for (; term_is(t, "[|]", 2); t = t->args[1]) {
        const term *item = t->args[0];
        term_place at = place_of_term(item, k->line, k->column);
        if (term_is_symbol(item, "any"))
            errors_add(k->list, k->file->path, at.line, at.column,
                       "%s of %s: 'any' stands alone, not in a list", key, of);
        else
            check_word(k, of, key, item);
    }
}

// Whether a term may be a row of numbers: what is computed may be any. `before`: the first number
// of the row before it, then of this one.
static bool is_row(const term *t, size_t width, double *before) {
    double x;
    size_t n = 0;
    for (; term_is(t, "[|]", 2); t = t->args[1], n++) {
        const term *item = t->args[0];
        bool number = term_number(item, &x);
        bool computed = item->kind == TERM_VAR || item->kind == TERM_COMPOUND;
        if (!number && (!computed || term_is(item, "[|]", 2)))
            return false;
        if (n == 0 && number && !(x > *before))
            return false;
        if (n == 0 && number)
            *before = x;
    }
    return t->kind == TERM_VAR || (n == width && term_is_symbol(t, "[]"));
}

// Arguments that are lists of rows of numbers; what is computed is judged when the plan runs.
static void check_rows(const wording *k, const char *action, const char *key, const term *t) {
    const char *row = entry_of(k->names->rows, key);
    double before = 0;
    if (!row || t->kind == TERM_VAR || (t->kind == TERM_COMPOUND && !term_is(t, "[|]", 2)))
        return;
    const term *item = t;
    bool good = term_is(t, "[|]", 2);
    for (; good && term_is(t, "[|]", 2); t = t->args[1]) {
        item = t->args[0];
        good = item->kind == TERM_VAR || is_row(item, form_arity(row) + 1, &before);
    }
    if (good && (t->kind == TERM_VAR || term_is_symbol(t, "[]")))
        return;
    if (good) // all of its rows are, and what is behind the bar is not
        item = t;
    char given[200];
    term_format(item, given, sizeof given);
    // A list has no place of its own; its first item has.
    term_place at =
        place_of_term(term_is(item, "[|]", 2) ? item->args[0] : item, k->line, k->column);
    errors_add(k->list, k->file->path, at.line, at.column,
               "%s of %s must be a list of rows %s of numbers, the first of which grow from above "
               "0, not '%s'",
               key, action, row, given);
}

// Numbers beyond what an action takes, in rows those after the first of each.
static void check_bound(const wording *k, const plan_limit *b, const term *t) {
    double x;
    if (term_number(t, &x)) {
        term_place at = place_of_term(t, k->line, k->column);
        if (!(x >= b->least && x <= b->most))
            errors_add(k->list, k->file->path, at.line, at.column,
                       "%s of %s is from %g to %g %s, not %g", b->key, b->action, b->least, b->most,
                       b->unit, x);
        return;
    }
    for (; term_is(t, "[|]", 2); t = t->args[1])
        for (const term *row = t->args[0]; term_is(row, "[|]", 2); row = row->args[1])
            if (row != t->args[0])
                check_bound(k, b, row->args[0]);
}

static void check_bounds(const wording *k, const char *action, const char *key, const term *t) {
    for (const plan_limit *b = k->names->bounds; b && b->action; b++)
        if (strcmp(b->action, action) == 0 && strcmp(b->key, key) == 0)
            check_bound(k, b, t);
}

// Numbers beyond what the robot can do, with the arm that the step names, else with any. Routines
// of other files may be for other robots too.
static void check_limit(const wording *k, const char *action, const char *key, const term *t) {
    double x, least = INFINITY, most = -INFINITY;
    const char *unit = "";
    if (k->file != k->plan->files.items[0] || !term_number(t, &x))
        return;
    for (size_t i = 0; i < k->names->limit_count; i++) {
        const plan_limit *l = &k->names->limits[i];
        if (strcmp(l->action, action) != 0 || strcmp(l->key, key) != 0 ||
            (l->arm && k->arm && k->arm->kind == TERM_SYMBOL &&
             list_has(k->names->arms, k->arm->text) && strcmp(l->arm, k->arm->text) != 0))
            continue;
        least = fmin(least, l->least);
        most = fmax(most, l->most);
        unit = l->unit;
    }
    term_place at = place_of_term(t, k->line, k->column);
    if (most >= least && (x < least || x > most))
        errors_add(k->list, k->file->path, at.line, at.column,
                   "%s of %s is from %g to %g %s with this robot, not %g", key, action, least, most,
                   unit, x);
}

static void check_argument(const wording *k, const char *action, const char *key,
                           const term *value) {
    if (!value) // misread
        return;
    if (strcmp(key, "to") == 0 || strcmp(key, "at") == 0 || strcmp(key, "region") == 0) {
        check_target(k, action, value);
        if (value->kind == TERM_COMPOUND && !term_is(value, "[|]", 2))
            check_form(k, action, value);
    } else if (strcmp(key, "arm") == 0) {
        check_arm(k, value);
    }
    size_t before = k->list->count;
    check_number(k, action, key, value);
    check_word(k, action, key, value);
    check_rows(k, action, key, value);
    if (term_is(value, "reach", 3))
        check_word(k, action, "grasp", value->args[2]);
    if (k->list->count == before)
        check_bounds(k, action, key, value);
    if (k->list->count == before)
        check_limit(k, action, key, value);
    check_value(k, value, false);
}

// Arguments of a goal are its routines' own, but where the default is such a word, as in
// with: { grasp: any }, others are too.
static void check_with(const wording *k, const term *goal, const plan_binding *b) {
    bool word = false;
    for (size_t i = 0; i < k->plan->routines.count; i++) {
        const plan_routine *r = &k->plan->routines.items[i];
        for (size_t j = 0; term_is(r->pattern, goal->text, goal->arity) && j < r->with_count; j++)
            word |= strcmp(r->with[j].name, b->name) == 0 && r->with[j].value &&
                    is_word(k, b->name + 1, r->with[j].value);
    }
    if (word && b->value) // without one the routine's own stands
        check_word(k, goal->text, b->name + 1, b->value);
}

// [type(move_arm), arm(left), ...]; keys of routines are their own.
static void check_performed(const wording *k, const plan_node *n) {
    const char *action = step_action(k->plan, n);
    const term *list = term_is(n->value, "action", 1) ? n->value->args[0] : n->value;
    bool primitive = action && list_has(k->names->actions, action);
    for (; term_is(list, "[|]", 2); list = list->args[1]) {
        const term *t = list->args[0];
        if (primitive && t->kind == TERM_COMPOUND && t->arity == 1)
            check_argument(k, action, t->text, t->args[0]);
    }
}

// A person's hand goes along a path or along a line.
static void check_guide(const wording *k, const plan_node *n) {
    static const char *const others[] = {"direction", "distance", "speed"};
    const char *action = step_action(k->plan, n);
    const term *beside = NULL;
    size_t i = 0;
    if (!action || strcmp(action, "guide") != 0 || !step_argument(n, "path"))
        return;
    while (i < 3 && !(beside = step_argument(n, others[i])))
        i++;
    if (!beside)
        return;
    term_place at = place_of_term(beside, k->line, k->column);
    errors_add(k->list, k->file->path, at.line, at.column,
               "guide goes along its path, so that %s: has no place beside it; give either",
               others[i]);
}

// ---- Steps --------------------------------------------------------------------------------------

// Appends the names of "on/2", "in/2", ..., each once: "on, in and within".
static void put_names(text_buffer *b, const char *const *forms) {
    name_list names = {0};
    for (size_t i = 0; forms[i]; i++)
        if (i == 0 || strcspn(forms[i], "/") != strcspn(forms[i - 1], "/") ||
            strncmp(forms[i], forms[i - 1], strcspn(forms[i], "/")) != 0)
            array_push(&names, forms[i]);
    for (size_t i = 0; i < names.count; i++)
        text_add(b, "%s%.*s", text_joint(i, names.count, " and "),
                 (int)strcspn(names.items[i], "/"), names.items[i]);
    array_finish(&names);
}

// What no belief takes over by being told so would be passed over without a word.
static void check_asserted(const wording *k, const term *t) {
    size_t before = k->list->count;
    check_condition(k, t);
    if (!t || !k->names->told || t->kind == TERM_VAR || k->list->count > before)
        return;
    char form[160];
    snprintf(form, sizeof form, "%.120s/%u", t->kind == TERM_COMPOUND ? t->text : "", t->arity);
    if (list_has(k->names->told, form))
        return;
    term_place at = place_of_term(t, k->line, k->column);
    term_format(t, form, sizeof form);
    text_buffer can = {0};
    put_names(&can, k->names->told);
    errors_add(k->list, k->file->path, at.line, at.column,
               "assert: %s changes nothing: what the robot believes of that follows from what it "
               "senses; %s can be asserted",
               form, text_string(&can));
    text_finish(&can);
}

static void check_times(const wording *k, const term *t) {
    double times;
    if (!t || !term_number(t, &times) || times >= 0)
        return;
    term_place at = place_of_term(t, k->line, k->column);
    errors_add(k->list, k->file->path, at.line, at.column, "times: must be >= 0, not %g", times);
}

static void check_own(const wording *k, const plan_node *n) {
    switch (n->kind) {
    case CONSTRUCT_IF:
    case CONSTRUCT_WAIT_FOR:
    case CONSTRUCT_WHENEVER:
    case CONSTRUCT_WITH_POLICY:
        check_condition(k, n->value);
        break;
    case CONSTRUCT_ASSERT:
        check_asserted(k, n->value);
        break;
    case CONSTRUCT_LOOP:
        if (n->loop == LOOP_WHILE || n->loop == LOOP_UNTIL) {
            check_condition(k, n->value);
        } else {
            check_value(k, n->value, false);
            if (n->loop == LOOP_TIMES)
                check_times(k, n->value);
        }
        break;
    case CONSTRUCT_PERCEIVE:
        check_properties(k, n->value);
        break;
    case CONSTRUCT_PERFORM:
        if (n->value)
            check_performed(k, n);
        break;
    case CONSTRUCT_AT_LOCATION: // its location is its first child's
        break;
    case CONSTRUCT_ACHIEVE:
        if (n->value && term_is(n->value, GOAL_AT, 2) && term_is_symbol(n->value->args[0], "robot"))
            check_target(k, "navigate", n->value->args[1]);
        check_value(k, n->value, false);
        break;
    default:
        check_value(k, n->value, false);
        break;
    }
}

static void check_node(wording *k, const plan_node *n) {
    k->line = n->line;
    k->column = n->column;
    k->arm = step_argument(n, "arm");
    check_condition(k, n->guard);
    for (size_t i = 0; i < n->clause_count; i++)
        check_condition(k, n->clauses[i].guard);
    check_own(k, n);
    for (size_t i = 0; i < n->note_count; i++) {
        if (n->notes[i].kind == NOTE_EXPECTS || n->notes[i].kind == NOTE_REQUIRES)
            check_condition(k, n->notes[i].value);
    }
    for (size_t i = 0; i < n->binding_count; i++) {
        const plan_binding *b = &n->bindings[i];
        if (n->kind == CONSTRUCT_ACTION && !n->misread && list_has(k->names->actions, n->name))
            check_argument(k, n->name, b->name, b->value);
        else
            check_value(k, b->value, false);
        if (n->kind == CONSTRUCT_ACHIEVE && n->value && n->value->kind == TERM_COMPOUND)
            check_with(k, n->value, b);
    }
    check_guide(k, n);
    for (size_t i = 0; i < n->child_count; i++)
        check_node(k, n->children[i]);
}

static void check_routine(wording *k, const plan_routine *r) {
    k->file = r->file;
    k->line = r->line;
    k->column = r->column;
    check_condition(k, r->guard);
    for (size_t i = 0; i < r->let_count; i++)
        check_value(k, r->let[i].value, false);
    check_value(k, r->returns, false);
    check_node(k, r->body);
}

void check_words(const plan *p, const plan_names *names, errors *list) {
    wording k = {.plan = p, .names = names, .list = list};
    for (size_t i = 0; i < p->routines.count; i++)
        check_routine(&k, &p->routines.items[i]);
    k.file = p->files.items[0];
    if (p->body)
        check_node(&k, p->body);
}
