// scene/world/ensemble.c - the section `ensemble` of a world: models, and what they answer for.
#include "base/files/files.h"
#include "base/files/sha256.h"
#include "scene/world/ensemble_int.h"

// Classes of models, each before its settings.
typedef struct class_row {
    const char *class;   // NULL: a setting of the last class
    const char *setting; // NULL: a class
    bool text;           // a setting that is no number
    quantity quantity;
    double above;
    double otherwise; // where it is not given; NAN: it has to be
} class_row;
static const class_row class_rows[] = {
#define MODEL(id, name, doc) {name, NULL, false, Q_ANYTHING, 0, NAN},
#define MODEL_TEXT(id, key, doc) {NULL, key, true, Q_ANYTHING, 0, NAN},
#define MODEL_SETTING(id, key, quantity, above, doc) {NULL, key, false, Q_##quantity, above, NAN},
#define MODEL_OPTION(id, key, quantity, above, otherwise, doc)                                     \
    {NULL, key, false, Q_##quantity, above, otherwise},
#include "scene/world/models.def"
#undef MODEL
#undef MODEL_TEXT
#undef MODEL_SETTING
#undef MODEL_OPTION
};
enum { CLASS_ROWS = sizeof class_rows / sizeof *class_rows };

const char *ensemble_stepping_name(ensemble_stepping stepping) {
    static const char *const names[] = {"service", "clock", "free"};
    return names[stepping];
}

ensemble_place ensemble_place_of(const ynode *n) {
    return (ensemble_place){n->file, n->line, n->column};
}

bool ensemble_is_mapping(ensemble_reading *r, const ynode *n, const char *what) {
    if (n && n->kind != YNODE_MAPPING)
        ynode_error(n, r->w->l.list, "`%s` is a mapping", what);
    return n && n->kind == YNODE_MAPPING;
}

void *ensemble_moved(arena *a, const void *items, size_t count, size_t size) {
    void *p = arena_alloc(a, count * size + 1);
    if (count > 0)
        memcpy(p, items, count * size);
    return p;
}

// ---- Slots --------------------------------------------------------------------------------------

static ensemble_signal find_signal(const char *name, bool *of_hand) {
    static const struct {
        const char *name;
        bool of_hand;
    } signals[] = {
#define BODY_SIGNAL(id, name, doc) {name, false},
#define HAND_SIGNAL(id, name, doc) {name, true},
#include "scene/world/signals.def"
#undef HAND_SIGNAL
#undef BODY_SIGNAL
    };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (strcmp(signals[i].name, name) == 0) {
            *of_hand = signals[i].of_hand;
            return (ensemble_signal)(i + 1);
        }
    return SIGNAL_NONE;
}

int64_t ensemble_find_slot(ensemble_reading *r, const ynode *n, const term *t, bool add) {
    char text[200];
    term_format(t, text, sizeof text);
    if (t->kind != TERM_COMPOUND || t->arity != 1 || t->args[0]->kind != TERM_SYMBOL) {
        ynode_error(n, r->w->l.list, "`%s` is no attribute of a body, such as temperature(cup_1)",
                    text);
        return -1;
    }
    bool of_hand = false;
    ensemble_signal signal = find_signal(t->text, &of_hand);
    bool is_pose = strcmp(t->text, ENSEMBLE_POSE) == 0;
    if (add && signal != SIGNAL_NONE) {
        ynode_error(n, r->w->l.list, "`%s` is what the main model gives, and nobody else", text);
        return -1;
    }
    for (size_t i = 0; i < r->slots.count; i++)
        if (strcmp(r->slots.items[i].text, text) == 0)
            return (int64_t)i;
    int64_t body = of_hand ? 0 : world_body_named(r->w, n, t->args[0]->text);
    if (body < 0)
        return -1;
    if (!add && signal == SIGNAL_NONE) {
        ynode_error(n, r->w->l.list,
                    "no model gives `%s`: it has to stand among the `outputs` of one", text);
        return -1;
    }
    arena *a = r->w->l.arena;
    array_push(&r->slots,
               ((ensemble_slot){.body = (size_t)body,
                                .hand = of_hand ? arena_strdup(a, t->args[0]->text) : NULL,
                                .attribute = arena_strdup(a, t->text),
                                .text = arena_strdup(a, text),
                                .signal = signal,
                                .is_pose = is_pose,
                                .is_collision = strcmp(t->text, ENSEMBLE_COLLISION) == 0,
                                .is_contents = strcmp(t->text, ENSEMBLE_CONTENTS) == 0,
                                .at = ensemble_place_of(n)}));
    array_push(&r->owners, MODEL_MAIN);
    return (int64_t)r->slots.count - 1;
}

int64_t ensemble_read_slot(ensemble_reading *r, const ynode *n, const char *what, bool add) {
    const term *t;
    return ynode_term(r->w->l.arena, n, what, &t, r->w->l.list) ? ensemble_find_slot(r, n, t, add)
                                                                : -1;
}

bool ensemble_gives(const ensemble_model *m, int64_t slot) {
    for (size_t i = 0; i < m->output_count; i++)
        if (m->outputs[i].slot == slot)
            return true;
    return false;
}

// ---- Models -------------------------------------------------------------------------------------

bool ensemble_find_model(ensemble_reading *r, const ynode *n, const char *name, int64_t *out) {
    const char **names = arena_alloc(r->w->l.arena, (r->models.count + 1) * sizeof *names);
    for (size_t i = 0; i < r->models.count; i++) {
        names[i] = r->models.items[i].name;
        if (strcmp(names[i], name) == 0) {
            *out = (int64_t)i;
            return true;
        }
    }
    *out = MODEL_MAIN;
    if (strcmp(name, ENSEMBLE_MAIN) == 0)
        return true;
    names[r->models.count] = ENSEMBLE_MAIN;
    name_unknown(&r->w->l, n, "model", name, names, r->models.count + 1);
    return false;
}

static void read_stepping(ensemble_reading *r, const ynode *n, ensemble_model *m) {
    loading *l = &r->w->l;
    static const char *const names[] = {"service", "clock", "free"};
    const char *name = NULL;
    double every = 0, cost = 0;
    if (!ynode_get(n, "step")) {
        ynode_missing(n, l->list, "the model needs its `step`: service, clock or free");
    } else if (read_text(l, n, "step", &name)) {
        size_t i = 0;
        while (i < 3 && strcmp(names[i], name) != 0)
            i++;
        if (i == 3)
            name_unknown(l, ynode_get(n, "step"), "way of stepping", name, names, 3);
        else
            m->stepping = (ensemble_stepping)i;
    }
    if (!ynode_get(n, "every"))
        ynode_missing(n, l->list, "the model needs `every`, the seconds between two of its steps");
    else if (read_number(l, n, "every", Q_DURATION, &every))
        m->every = (nanos)llround(every * 1e9);
    const ynode *given = ynode_get(n, "cost");
    if (given && name && m->stepping != STEPPING_CLOCK)
        ynode_error(given, l->list,
                    "only a model with `step: clock` has a `cost`: for the others the main model "
                    "waits");
    else if (read_number(l, n, "cost", Q_TIME, &cost))
        m->cost = (nanos)llround(cost * 1e9);
}

// The class and its settings.
static void read_class(ensemble_reading *r, const ynode *n, ensemble_model *m) {
    loading *l = &r->w->l;
    static const char *const common[] = {"class",   "step",       "every", "cost", "file", "inputs",
                                         "outputs", "on_failure", "after", "doc",  NULL};
    ARRAY(const char *) keys = {0};
    ARRAY(const char *) names = {0};
    ARRAY(ensemble_setting) given = {0};
    size_t row = CLASS_ROWS;
    for (size_t i = 0; common[i]; i++)
        array_push(&keys, common[i]);
    for (size_t i = 0; i < CLASS_ROWS; i++)
        if (class_rows[i].class)
            array_push(&names, class_rows[i].class);
    if (!ynode_get(n, "class"))
        ynode_missing(n, l->list, "the model needs its `class`, such as %s", names.items[0]);
    else if (read_text(l, n, "class", &m->class))
        for (row = 0; row < CLASS_ROWS; row++)
            if (class_rows[row].class && strcmp(class_rows[row].class, m->class) == 0)
                break;
    if (m->class && row == CLASS_ROWS)
        name_unknown(l, ynode_get(n, "class"), "class of models", m->class, names.items,
                     names.count);
    for (row++; row < CLASS_ROWS && class_rows[row].setting; row++) {
        const class_row *s = &class_rows[row];
        ensemble_setting value = {s->setting, NAN, NULL};
        array_push(&keys, s->setting);
        if (!ynode_get(n, s->setting) && !isnan(s->otherwise))
            value.number = s->otherwise;
        else if (!ynode_get(n, s->setting))
            ynode_missing(n, l->list, "a model of class `%s` needs its `%s`", m->class, s->setting);
        else if (s->text)
            read_text(l, n, s->setting, &value.text);
        else if (read_number(l, n, s->setting, s->quantity, &value.number) &&
                 !(value.number > s->above))
            ynode_error(ynode_get(n, s->setting), l->list, "`%s` is greater than %g", s->setting,
                        s->above);
        array_push(&given, value);
    }
    array_push(&keys, NULL);
    if (m->class)
        ynode_check_keys(n, keys.items, l->list);
    m->settings = ensemble_moved(l->arena, given.items, given.count, sizeof *given.items);
    m->setting_count = given.count;
    array_finish(&keys);
    array_finish(&names);
    array_finish(&given);
}

static void read_outputs(ensemble_reading *r, const ynode *n, ensemble_model *m) {
    const ynode *map = ynode_get(n, "outputs");
    if (!map || !ensemble_is_mapping(r, map, "outputs"))
        return;
    ensemble_link *links = arena_alloc(r->w->l.arena, (map->count + 1) * sizeof *links);
    for (size_t i = 0; i < map->count; i++) {
        ensemble_link o = {.at = ensemble_place_of(map->keys[i])};
        o.slot = ensemble_read_slot(r, map->keys[i], "an output", true);
        if (ynode_text(map->items[i], "an output", &o.port, r->w->l.list) && o.slot >= 0)
            links[m->output_count++] = o;
    }
    m->outputs = links;
}

// The file of a foreign model, which is code: a log keeps its SHA-256, and takes no other.
static void read_file(ensemble_reading *r, const ynode *n, const char *file, ensemble_model *m) {
    loading *l = &r->w->l;
    const char *path = loading_path(l, n, file), *text;
    error err = {0};
    if (files_on_disk(l->arena, l->files, path, &m->file, &err) != OK ||
        sha256_mark(l->arena, m->file, &text, &err) != OK) {
        ynode_error(n, l->list, "%s", err.text);
        return;
    }
    loading_source(l, "model", path, text, strlen(text));
}

// What is read of a model before all of them are known.
static void read_model(ensemble_reading *r, const ynode *key, const ynode *n) {
    loading *l = &r->w->l;
    ensemble_model m = {.fall_back = MODEL_MAIN, .at = ensemble_place_of(key)};
    array_push(&r->nodes, n);
    if (ynode_text(key, "the name of a model", &m.name, l->list) &&
        name_check(l, key, "model", m.name) && strcmp(m.name, ENSEMBLE_MAIN) == 0)
        ynode_error(key, l->list, "`%s` is the main model, of which there is one", m.name);
    if (!ensemble_is_mapping(r, n, m.name ? m.name : "a model")) {
        array_push(&r->models, m);
        return;
    }
    read_class(r, n, &m);
    read_stepping(r, n, &m);
    const char *file = NULL;
    if (read_text(l, n, "file", &file) && file)
        read_file(r, ynode_get(n, "file"), file, &m);
    read_outputs(r, n, &m);
    array_push(&r->models, m);
}

static void read_inputs(ensemble_reading *r, const ynode *n, ensemble_model *m) {
    const ynode *map = ynode_get(n, "inputs");
    loading *l = &r->w->l;
    if (!map || !ensemble_is_mapping(r, map, "inputs"))
        return;
    ensemble_link *links = arena_alloc(l->arena, (map->count + 1) * sizeof *links);
    for (size_t i = 0; i < map->count; i++) {
        const term *t;
        ensemble_link in = {.slot = -1, .at = ensemble_place_of(map->keys[i])};
        if (!ynode_text(map->keys[i], "an input", &in.port, l->list) ||
            !ynode_value(l->arena, map->items[i], "an input", &t, l->list))
            continue;
        if (!term_number(t, &in.value)) {
            // The main model has the pose of every body, whoever answers for it.
            in.slot = ensemble_find_slot(r, map->items[i], t, term_is(t, ENSEMBLE_POSE, 1));
            if (in.slot < 0)
                continue;
        }
        links[m->input_count++] = in;
    }
    m->inputs = links;
}

static void read_failure(ensemble_reading *r, const ynode *n, size_t number) {
    static const char *const keys[] = {"fall_back", NULL};
    loading *l = &r->w->l;
    ensemble_model *m = &r->models.items[number];
    const ynode *given = ynode_get(n, "on_failure");
    const char *name = NULL;
    if (!given || (given->kind == YNODE_SCALAR && strcmp(given->scalar, "end") == 0))
        return;
    if (given->kind != YNODE_MAPPING || !ynode_get(given, "fall_back")) {
        ynode_error(given, l->list, "`on_failure` is `end`, or { fall_back: MODEL }");
        return;
    }
    ynode_check_keys(given, keys, l->list);
    const ynode *to = ynode_get(given, "fall_back");
    m->falls_back = true;
    if (!read_text(l, given, "fall_back", &name) ||
        !ensemble_find_model(r, to, name, &m->fall_back))
        return;
    if (m->fall_back == (int64_t)number) {
        ynode_error(to, l->list, "`%s` cannot fall back to itself", name);
        return;
    }
    for (size_t i = 0; m->fall_back >= 0 && i < m->output_count; i++)
        if (!ensemble_gives(&r->models.items[m->fall_back], m->outputs[i].slot))
            ynode_error(to, l->list, "`%s` does not give `%s`, which `%s` may answer for", name,
                        r->slots.items[m->outputs[i].slot].text, m->name);
}

// ---- The order of a step ------------------------------------------------------------------------

static void read_after(ensemble_reading *r, const ynode *n, size_t number) {
    loading *l = &r->w->l;
    ensemble_model *m = &r->models.items[number];
    const ynode *given = ynode_get(n, "after");
    if (!given)
        return;
    if (m->stepping != STEPPING_SERVICE) {
        ynode_error(given, l->list,
                    "only a model with `step: service` comes after others within a step");
        return;
    }
    bool list = given->kind == YNODE_SEQUENCE;
    size_t count = list ? given->count : 1;
    int64_t *after = arena_alloc(l->arena, (count + 1) * sizeof *after);
    for (size_t i = 0; i < count; i++) {
        const ynode *one = list ? given->items[i] : given;
        const char *name;
        int64_t model;
        if (!ynode_text(one, "after", &name, l->list) || !ensemble_find_model(r, one, name, &model))
            continue;
        if (model == MODEL_MAIN)
            ynode_error(one, l->list,
                        "the main model steps before all others: `after` names one of them");
        else
            after[m->after_count++] = model;
    }
    m->after = after;
}

// Whether a model comes after `goal`; `seen` has those that were looked at.
static bool comes_after(const ensemble_reading *r, size_t from, size_t goal, bool *seen) {
    const ensemble_model *m = &r->models.items[from];
    for (size_t i = 0; i < m->after_count; i++) {
        size_t next = (size_t)m->after[i];
        if (next == goal)
            return true;
        if (!seen[next]) {
            seen[next] = true;
            if (comes_after(r, next, goal, seen))
                return true;
        }
    }
    return false;
}

static void check_cycles(ensemble_reading *r) {
    for (size_t i = 0; i < r->models.count; i++) {
        ensemble_model *m = &r->models.items[i];
        bool *seen = arena_alloc(r->w->l.arena, r->models.count * sizeof *seen);
        memset(seen, 0, r->models.count * sizeof *seen);
        if (!comes_after(r, i, i, seen))
            continue;
        ynode_error(ynode_get(r->nodes.items[i], "after"), r->w->l.list,
                    "`%s` comes after itself: its `after` leads back to it", m->name);
        m->after_count = 0; // one sentence for a cycle
    }
}

static void read_models(ensemble_reading *r, const ynode *section) {
    const ynode *map = ynode_get(section, "models");
    if (!map) {
        ynode_missing(section, r->w->l.list, "`ensemble` needs its `models`");
        return;
    }
    if (!ensemble_is_mapping(r, map, "models"))
        return;
    for (size_t i = 0; i < map->count; i++)
        read_model(r, map->keys[i], map->items[i]);
    for (size_t i = 0; i < r->models.count; i++) {
        if (r->nodes.items[i]->kind != YNODE_MAPPING)
            continue;
        read_inputs(r, r->nodes.items[i], &r->models.items[i]);
        read_failure(r, r->nodes.items[i], i);
        read_after(r, r->nodes.items[i], i);
    }
    check_cycles(r);
}

static void read_owns(ensemble_reading *r, const ynode *map) {
    loading *l = &r->w->l;
    if (!map || !ensemble_is_mapping(r, map, "owns"))
        return;
    for (size_t i = 0; i < map->count; i++) {
        const ynode *list = map->items[i];
        const char *name;
        int64_t model;
        if (!ynode_text(map->keys[i], "a model", &name, l->list) ||
            !ensemble_find_model(r, map->keys[i], name, &model))
            continue;
        if (list->kind != YNODE_SEQUENCE)
            ynode_error(list, l->list, "what `%s` owns is a list of attributes of bodies", name);
        for (size_t k = 0; list->kind == YNODE_SEQUENCE && k < list->count; k++) {
            int64_t slot = ensemble_read_slot(r, list->items[k], "an attribute", false);
            if (slot < 0 || model == MODEL_MAIN)
                continue;
            if (!ensemble_gives(&r->models.items[model], slot))
                ynode_error(list->items[k], l->list,
                            "`%s` cannot own `%s`: it is not among its `outputs`", name,
                            r->slots.items[slot].text);
            else if (r->owners.items[slot] != MODEL_MAIN)
                ynode_error(list->items[k], l->list, "`%s` has an owner already: `%s`",
                            r->slots.items[slot].text, r->models.items[r->owners.items[slot]].name);
            else
                r->owners.items[slot] = model;
        }
    }
}

// ---- The section ------------------------------------------------------------------------------

static void read_main(ensemble_reading *r, const ynode *section) {
    loading *l = &r->w->l;
    const ynode *n = ynode_get(section, "main");
    const char *name = NULL;
    if (!n)
        ynode_missing(section, l->list, "`ensemble` needs its `main` model: %s", ENSEMBLE_MAIN);
    else if (n->kind != YNODE_SCALAR)
        ynode_error(n, l->list, "there is exactly one `main` model: %s", ENSEMBLE_MAIN);
    else if (read_text(l, section, "main", &name) && strcmp(name, ENSEMBLE_MAIN) != 0)
        ynode_error(n, l->list, "the main model is %s, which times the others and holds every pose",
                    ENSEMBLE_MAIN);
}

void world_read_ensemble(world_parts *w, world_ensemble *out) {
    const ynode *section = ynode_get(w->l.root, "ensemble");
    ensemble_reading r = {.w = w};
    if (!section || !ensemble_is_mapping(&r, section, "ensemble"))
        return;
    keys_check(section, MAP_ENSEMBLE, w->l.list);
    read_main(&r, section);
    read_models(&r, section);
    read_owns(&r, ynode_get(section, "owns"));
    ensemble_read_evaluators(&r, ynode_get(section, "evaluators"));
    const ynode *triggers = ynode_get(section, "triggers");
    if (triggers && triggers->kind != YNODE_SEQUENCE)
        ynode_error(triggers, w->l.list, "`triggers` is a list of { name: N, on: \"EVENT\", ... }");
    for (size_t i = 0; triggers && triggers->kind == YNODE_SEQUENCE && i < triggers->count; i++)
        ensemble_read_trigger(&r, triggers->items[i]);
    arena *a = w->l.arena;
    out->models = ensemble_moved(a, r.models.items, r.models.count, sizeof *r.models.items);
    out->model_count = r.models.count;
    out->slots = ensemble_moved(a, r.slots.items, r.slots.count, sizeof *r.slots.items);
    out->owners = ensemble_moved(a, r.owners.items, r.owners.count, sizeof *r.owners.items);
    out->slot_count = r.slots.count;
    out->triggers = ensemble_moved(a, r.triggers.items, r.triggers.count, sizeof *r.triggers.items);
    out->trigger_count = r.triggers.count;
    array_finish(&r.models);
    array_finish(&r.nodes);
    array_finish(&r.slots);
    array_finish(&r.owners);
    array_finish(&r.evaluators);
    array_finish(&r.triggers);
}
