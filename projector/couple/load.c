// projector/couple/load.c - a rig's YAML: hand, leader, link, coupling, follower, wall and model.
#include <math.h>
#include <string.h>

#include "base/yaml/yaml_read.h"
#include "projector/couple/couple.h"

#define BIG 1e6

// A number of a section.
typedef struct entry {
    const char *key;
    double *out;
    double low, high;
    bool optional;
} entry;

static ynode *section_of(const ynode *root, const char *name, bool optional, errors *list) {
    ynode *n = ynode_get(root, name);
    if (!n && !optional)
        ynode_error(root, list, "%s is missing: give it as a mapping", name);
    if (n && n->kind != YNODE_MAPPING) {
        ynode_error(n, list, "%s must be a mapping", name);
        return NULL;
    }
    return n;
}

static bool read_number(const ynode *n, const char *what, double low, double high, double *out,
                        errors *list) {
    double value;
    if (!ynode_number(n, what, &value, list))
        return false;
    if (!(value >= low && value <= high)) {
        ynode_error(n, list, "%s is %g: it must be at least %g and at most %g", what, value, low,
                    high);
        return false;
    }
    *out = value;
    return true;
}

static void read_entries(const ynode *map, const char *section, const entry *entries, size_t count,
                         errors *list) {
    for (size_t i = 0; i < count; i++) {
        const ynode *n = ynode_get(map, entries[i].key);
        char what[80];
        snprintf(what, sizeof what, "%s.%s", section, entries[i].key);
        if (n)
            read_number(n, what, entries[i].low, entries[i].high, entries[i].out, list);
        else if (!entries[i].optional)
            ynode_error(map, list, "%s is missing", what);
    }
}

static void read_section(const ynode *root, const char *name, const char *const *known,
                         const entry *entries, size_t count, errors *list) {
    const ynode *n = section_of(root, name, false, list);
    if (!n)
        return;
    ynode_check_keys(n, known, list);
    read_entries(n, name, entries, count, list);
}

static void read_path(const ynode *hand, rig *r, errors *list) {
    const ynode *path = ynode_get(hand, "path");
    if (!path || path->kind != YNODE_SEQUENCE || path->count == 0) {
        ynode_error(path ? path : hand, list,
                    "hand.path must list points, each as [seconds, metres]");
        return;
    }
    for (size_t i = 0; i < path->count; i++) {
        double at[2];
        if (!ynode_numbers(path->items[i], "a point of hand.path", at, 2, list))
            continue;
        if (!(fabs(at[1]) <= BIG) || !(at[0] >= 0 && at[0] <= BIG) ||
            (r->path.count > 0 && !(at[0] > r->path.items[r->path.count - 1].time)))
            ynode_error(path->items[i], list,
                        "each point of hand.path must come after the one before it, at a time of "
                        "at least 0");
        array_push(&r->path, (rig_point){at[0], at[1]});
    }
}

static void read_hand(const ynode *root, rig *r, errors *list) {
    static const char *const known[] = {"path", "stiffness", "damping", NULL};
    const entry entries[] = {{"stiffness", &r->hand_stiffness, 1e-3, BIG, false},
                             {"damping", &r->hand_damping, 0, BIG, true}};
    read_section(root, "hand", known, entries, 2, list);
    const ynode *n = ynode_get(root, "hand");
    if (n && n->kind == YNODE_MAPPING)
        read_path(n, r, list);
}

static void read_ends(const ynode *root, rig *r, errors *list) {
    static const char *const leader[] = {"mass", "damping", NULL};
    static const char *const follower[] = {"mass", "damping", "encoder_noise", "observer_gain",
                                           NULL};
    const entry of_leader[] = {{"mass", &r->leader_mass, 1e-6, BIG, false},
                               {"damping", &r->leader_damping, 0, BIG, true}};
    const entry of_follower[] = {{"mass", &r->follower_mass, 1e-6, BIG, false},
                                 {"damping", &r->follower_damping, 0, BIG, true},
                                 {"encoder_noise", &r->encoder_noise, 0, 1, true},
                                 {"observer_gain", &r->observer_gain, 0.1, 250, true}};
    read_section(root, "leader", leader, of_leader, 2, list);
    read_section(root, "follower", follower, of_follower, 4, list);
}

static void read_walls(const ynode *root, rig *r, errors *list) {
    static const char *const known_wall[] = {"at", "stiffness", NULL};
    static const char *const known_model[] = {"at", "stiffness", "updates", "change", NULL};
    const entry of_wall[] = {{"at", &r->wall_at, -BIG, BIG, false},
                             {"stiffness", &r->wall_stiffness, 1e-3, BIG, false}};
    const entry of_model[] = {{"at", &r->model_at, -BIG, BIG, true},
                              {"stiffness", &r->model_stiffness, 1e-3, BIG, false},
                              {"change", &r->change, 1e-3, BIG, true}};
    r->wall = ynode_get(root, "wall") != NULL;
    if (r->wall)
        read_section(root, "wall", known_wall, of_wall, 2, list);
    const ynode *model = section_of(root, "model", true, list);
    if (!model)
        return;
    ynode_check_keys(model, known_model, list);
    read_entries(model, "model", of_model, 3, list);
    r->model = ynode_get(model, "at") != NULL;
    const ynode *updates = ynode_get(model, "updates");
    if (updates)
        ynode_bool(updates, "model.updates", &r->updates, list);
}

static bool kind_named(const ynode *n, coupling_kind *out, errors *list) {
    const char *names[COUPLING_COUNT], *word = NULL;
    for (int i = 0; i < COUPLING_COUNT; i++)
        names[i] = coupling_name((coupling_kind)i);
    if (!ynode_text(n, "a coupling", &word, list))
        return false;
    if (coupling_find(word, out))
        return true;
    const char *near = nearest_name(word, names, COUPLING_COUNT);
    ynode_error(n, list, "there is no coupling %s: %s%s%s", word, near ? "did you mean " : "",
                near ? near : "pfc, tdpa and mmt are known", near ? "?" : "");
    return false;
}

static void read_coupling(const ynode *root, rig *r, errors *list) {
    static const char *const known[] = {"kinds", "stiffness", "damping", NULL};
    const entry entries[] = {{"stiffness", &r->stiffness, 1e-3, BIG, false},
                             {"damping", &r->damping, 0, BIG, true}};
    read_section(root, "coupling", known, entries, 2, list);
    const ynode *n = ynode_get(root, "coupling");
    const ynode *kinds = n && n->kind == YNODE_MAPPING ? ynode_get(n, "kinds") : NULL;
    if (!kinds) { // all of them, mmt where there is a model
        for (int i = 0; i < COUPLING_COUNT; i++)
            if (i != COUPLING_mmt || ynode_get(root, "model"))
                array_push(&r->kinds, (coupling_kind)i);
        return;
    }
    if (kinds->kind != YNODE_SEQUENCE || kinds->count == 0) {
        ynode_error(kinds, list, "coupling.kinds must be a list, such as [pfc, mmt]");
        return;
    }
    for (size_t i = 0; i < kinds->count; i++) {
        coupling_kind kind;
        if (!kind_named(kinds->items[i], &kind, list))
            continue;
        if (kind == COUPLING_mmt && !ynode_get(root, "model"))
            ynode_error(kinds->items[i], list,
                        "mmt needs a twin: say under model: what it believes of the wall");
        array_push(&r->kinds, kind);
    }
}

static void read_link(const ynode *root, rig *r, errors *list) {
    static const char *const known[] = {"round_trips", "jitter",  "loss",
                                        "duplication", "ordered", NULL};
    double jitter = 0;
    const entry entries[] = {{"jitter", &jitter, 0, 10, true}};
    const ynode *n = section_of(root, "link", false, list);
    if (!n)
        return;
    ynode_check_keys(n, known, list);
    read_entries(n, "link", entries, 1, list);
    r->link.jitter = (nanos)(jitter * 1e9);
    const ynode *part;
    if ((part = ynode_get(n, "loss")))
        ynode_number(part, "link.loss", &r->link.loss, list);
    if ((part = ynode_get(n, "duplication")))
        ynode_number(part, "link.duplication", &r->link.duplication, list);
    if ((part = ynode_get(n, "ordered")))
        ynode_bool(part, "link.ordered", &r->link.ordered, list);
    error err;
    if (channel_check(&r->link, &err) != OK)
        ynode_error(n, list, "%s", err.text);
    const ynode *trips = ynode_get(n, "round_trips");
    if (!trips || trips->kind != YNODE_SEQUENCE || trips->count == 0) {
        ynode_error(trips ? trips : n, list,
                    "link.round_trips must list round trips in seconds, such as [0, 0.036]");
        return;
    }
    for (size_t i = 0; i < trips->count; i++) {
        double trip;
        if (!read_number(trips->items[i], "a round trip", 0, 10, &trip, list))
            continue;
        if (fabs(trip / COUPLE_STEP - round(trip / COUPLE_STEP)) > 1e-6)
            ynode_error(trips->items[i], list,
                        "a round trip of %g s is no multiple of the step of %g s", trip,
                        COUPLE_STEP);
        array_push(&r->round_trips, trip);
    }
}

// Semi-implicit Euler with the damping of the step before is stable while k h^2 + 2 d h < 4 m.
static void check_stable(const ynode *root, const char *who, double k, double d, double mass,
                         errors *list) {
    double h = COUPLE_STEP;
    if (k * h * h + 2 * d * h >= 4 * mass)
        ynode_error(root, list,
                    "the springs and dampers on the %s are unstable at steps of %g s: it needs "
                    "more mass than %g, or lower gains",
                    who, h, (k * h * h + 2 * d * h) / 4);
}

static void check_whole(const ynode *root, const rig *r, errors *list) {
    if (r->path.items[r->path.count - 1].time > r->duration - 2)
        ynode_error(ynode_get(root, "hand"), list,
                    "the hand must be at rest for the last 2 s of the duration, %g s", r->duration);
    double wall = fmax(r->wall ? r->wall_stiffness : 0, r->model_stiffness);
    check_stable(ynode_get(root, "follower"), "follower", r->stiffness + wall,
                 r->damping + r->follower_damping, r->follower_mass, list);
    check_stable(ynode_get(root, "leader"), "leader", r->stiffness + r->hand_stiffness,
                 r->damping + r->hand_damping + r->leader_damping, r->leader_mass, list);
    double begin = r->path.items[0].place;
    if ((r->wall && begin > r->wall_at) || (r->model && begin > r->model_at))
        ynode_error(ynode_get(root, "hand"), list,
                    "the hand begins at %g m, within a wall: begin in front of it", begin);
}

status couple_load(const char *path, rig *out, errors *list) {
    static const char *const known[] = {"coupling", "link",  "hand",     "leader", "follower",
                                        "wall",     "model", "duration", NULL};
    size_t from = list->count;
    arena *a = arena_create();
    rig r = {.duration = 10, .observer_gain = 10, .change = 20};
    ynode *root = NULL;
    status st = yaml_read_file(a, path, &root, list);
    if (st == OK && root->kind != YNODE_MAPPING)
        ynode_error(root, list, "a rig is a mapping of coupling, link, hand, leader and follower");
    else if (st == OK) {
        ynode_check_keys(root, known, list);
        const ynode *duration = ynode_get(root, "duration");
        if (duration)
            read_number(duration, "duration", 2, 3600, &r.duration, list);
        read_coupling(root, &r, list);
        read_link(root, &r, list);
        read_hand(root, &r, list);
        read_ends(root, &r, list);
        read_walls(root, &r, list);
        errors_settle(list);
        if (list->count == from)
            check_whole(root, &r, list);
    }
    st = errors_status(list, from);
    if (st == OK)
        *out = r;
    else {
        rig_finish(&r);
        *out = (rig){0};
    }
    arena_destroy(a);
    return st;
}
