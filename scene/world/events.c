// scene/world/events.c - the world file's events: what happens without robot and physics having
// brought it about.
#include "scene/world/world_int.h"

// One event that is being read.
typedef struct reading {
    world_parts *w;
    const ynode *when; // where its condition stands
    bool failed;
} reading;

static const condition *condition_wrong(reading *r, const term *t, const char *what) {
    char text[200];
    term_format(t, text, sizeof text);
    ynode_error(r->when, r->w->l.list, "`%s` is no condition: %s", text, what);
    r->failed = true;
    return NULL;
}

static bool find_joint(world_parts *w, const ynode *n, const char *name, size_t *out) {
    const char **names = arena_alloc(w->l.arena, (w->joints.count + 1) * sizeof *names);
    for (size_t i = 0; i < w->joints.count; i++) {
        names[i] = w->joints.items[i].name;
        if (strcmp(names[i], name) == 0) {
            *out = i;
            return true;
        }
    }
    name_unknown(&w->l, n, "joint", name, names, w->joints.count);
    return false;
}

// A body or the robot as an argument.
static bool read_thing(reading *r, const term *t, int64_t *out) {
    if (t->kind != TERM_SYMBOL) {
        condition_wrong(r, t, "name a body, or `robot`");
        return false;
    }
    *out = strcmp(t->text, "robot") == 0 ? -1 : world_body_named(r->w, r->when, t->text);
    bool good = *out >= 0 || strcmp(t->text, "robot") == 0;
    r->failed |= !good;
    return good;
}

static condition *condition_new(reading *r, condition c) {
    condition *out = arena_alloc(r->w->l.arena, sizeof *out);
    *out = c;
    return out;
}

static const condition *condition_negated(reading *r, const condition *c) {
    return c ? condition_new(r, (condition){.kind = WHEN_NOT, .a = -1, .b = -1, .left = c}) : NULL;
}

// near(a, b) <= 0.5 and its like.
static const condition *read_comparison(reading *r, const term *t) {
    const term *left = t->args[0];
    double v;
    bool less = t->text[0] == '<' || strcmp(t->text, "=<") == 0;
    if (!term_number(t->args[1], &v) || !isfinite(v))
        return condition_wrong(r, t, "its right side is a number");
    condition c = {.a = -1, .b = -1, .value = v};
    bool rising = true; // holds from the value on upwards
    if (term_is_symbol(left, "time")) {
        c.kind = WHEN_AT;
    } else if (term_is(left, "near", 2)) {
        c.kind = WHEN_NEAR;
        rising = false;
        if (!read_thing(r, left->args[0], &c.a) || !read_thing(r, left->args[1], &c.b))
            return NULL;
    } else if (term_is(left, "height", 1)) {
        c.kind = less ? WHEN_BELOW : WHEN_ABOVE;
        return read_thing(r, left->args[0], &c.a) ? condition_new(r, c) : NULL;
    } else if (term_is(left, "moved", 1)) {
        c.kind = WHEN_MOVED;
        if (!read_thing(r, left->args[0], &c.a))
            return NULL;
    } else if (term_is(left, "open", 1)) {
        c.kind = WHEN_OPEN;
        if (left->args[0]->kind != TERM_SYMBOL)
            return condition_wrong(r, t, "open(JOINT) names a joint");
        if (!find_joint(r->w, r->when, left->args[0]->text, &c.joint)) {
            r->failed = true;
            return NULL;
        }
        if (r->w->joints.items[c.joint].kind == WORLD_HINGE)
            c.value = v * PI / 180;
    } else {
        return condition_wrong(
            r, left, "compare time, near(A, B), height(A), moved(A) or open(JOINT) with a number");
    }
    const condition *made = condition_new(r, c);
    return less == rising ? condition_negated(r, made) : made;
}

static const condition *read_condition(reading *r, const term *t) {
    static const char *const compare[] = {"<", "<=", "=<", ">", ">="};
    if (t->kind == TERM_COMPOUND && t->arity == 2) {
        bool both = strcmp(t->text, ",") == 0;
        if (both || strcmp(t->text, ";") == 0) {
            condition c = {.kind = both ? WHEN_AND : WHEN_OR, .a = -1, .b = -1};
            c.left = read_condition(r, t->args[0]);
            c.right = read_condition(r, t->args[1]);
            return condition_new(r, c);
        }
        for (size_t i = 0; i < sizeof compare / sizeof *compare; i++)
            if (strcmp(t->text, compare[i]) == 0)
                return read_comparison(r, t);
    }
    if (term_is(t, "not", 1))
        return condition_negated(r, read_condition(r, t->args[0]));
    if (term_is(t, "touching", 2)) {
        condition c = {.kind = WHEN_TOUCHING};
        bool good = read_thing(r, t->args[0], &c.a);
        good = read_thing(r, t->args[1], &c.b) && good;
        return good ? condition_new(r, c) : NULL;
    }
    return condition_wrong(
        r, t,
        "write touching(A, B), or compare time, near(A, B), height(A), moved(A) or "
        "open(JOINT) with a number");
}

static const condition *read_when(world_parts *w, const ynode *n, const char **text) {
    const ynode *at = ynode_get(n, "at"), *when = ynode_get(n, "when");
    const term *t;
    if (!at == !when) {
        ynode_error(n, w->l.list, "an event happens either `at: SECONDS` or `when: \"CONDITION\"`");
        return NULL;
    }
    reading r = {.w = w, .when = at ? at : when};
    if (at) {
        condition c = {.kind = WHEN_AT, .a = -1, .b = -1};
        if (!read_number(&w->l, n, "at", Q_TIME, &c.value))
            return NULL;
        *text = arena_format(w->l.arena, "time >= %g", c.value);
        return condition_new(&r, c);
    }
    if (!ynode_term(w->l.arena, when, "when", &t, w->l.list))
        return NULL;
    const condition *c = read_condition(&r, t);
    *text = term_text(w->l.arena, t);
    return r.failed ? NULL : c;
}

// The body under `body` of an action.
static bool read_victim(world_parts *w, const ynode *n, const char *verb, world_event *e) {
    const ynode *body = ynode_get(n, "body");
    const char *name;
    if (!body) {
        ynode_missing(n, w->l.list, "`%s` needs a `body`", verb);
        return false;
    }
    if (!ynode_text(body, "body", &name, w->l.list))
        return false;
    e->body = world_body_named(w, body, name);
    if (e->body < 0)
        return false;
    if (w->bodies.items[e->body].fixed && strcmp(verb, "wet") != 0) {
        ynode_error(body, w->l.list, "`%s` is fixed and cannot be part of `%s`", name, verb);
        return false;
    }
    for (size_t i = 0; i < w->joints.count; i++)
        if ((int64_t)w->joints.items[i].body == e->body && strcmp(verb, "move") == 0) {
            ynode_error(body, w->l.list,
                        "`%s` hangs on a joint: write `joint: { joint: %s, to: V }`", name,
                        w->joints.items[i].name);
            return false;
        }
    return true;
}

static const char *body_term(world_parts *w, const char *verb, const world_event *e) {
    return arena_format(w->l.arena, "%s(%s)", verb, w->bodies.items[e->body].name);
}

static void read_move(world_parts *w, const ynode *n, world_event *e) {
    e->kind = EVENT_MOVE;
    if (!read_victim(w, n, "move", e))
        return;
    if (!ynode_get(n, "to"))
        ynode_missing(n, w->l.list, "`move` needs `to`, a pose in the world");
    else
        read_pose(&w->l, ynode_get(n, "to"), "to", Q_PLACE, &e->to);
    read_number(&w->l, n, "over", Q_DURATION, &e->over);
    e->term = body_term(w, "moved_by_person", e);
}

static void read_force(world_parts *w, const ynode *n, world_event *e) {
    e->kind = EVENT_FORCE;
    if (!read_victim(w, n, "force", e))
        return;
    if (!ynode_get(n, "force"))
        ynode_missing(n, w->l.list, "`force` needs its `force: [x, y, z]`, in N");
    read_vector(&w->l, n, "force", Q_PUSH, &e->force);
    read_vector(&w->l, n, "point", Q_REACH, &e->point);
    e->over = 0.1;
    read_number(&w->l, n, "for", Q_DURATION, &e->over);
    e->term = body_term(w, "force", e);
}

static void read_wet(world_parts *w, const ynode *n, world_event *e) {
    const ynode *m = ynode_get(n, "material");
    e->kind = EVENT_WET;
    if (!m == !ynode_get(n, "body")) {
        ynode_error(n, w->l.list, "`wet` names either a `material` or a `body`");
        return;
    }
    if (m ? !ynode_text(m, "material", &e->material, w->l.list) ||
                !world_material_known(w, m, e->material)
          : !read_victim(w, n, "wet", e))
        return;
    if (!ynode_get(n, "friction"))
        ynode_missing(n, w->l.list, "`wet` needs the `friction` that there is from then on");
    read_number(&w->l, n, "friction", Q_FRICTION, &e->value);
    e->term = m ? arena_format(w->l.arena, "wet(%s)", e->material) : body_term(w, "wet", e);
}

static void read_joint(world_parts *w, const ynode *n, world_event *e) {
    const ynode *joint = ynode_get(n, "joint"), *to = ynode_get(n, "to");
    const char *name;
    e->kind = EVENT_JOINT;
    if (!joint || !to) {
        ynode_error(n, w->l.list, "`joint` is { joint: NAME, to: POSITION, over: SECONDS }");
        return;
    }
    if (!ynode_text(joint, "joint", &name, w->l.list) || !find_joint(w, joint, name, &e->joint) ||
        !read_number(&w->l, n, "to", Q_REACH, &e->value))
        return;
    const world_joint *j = &w->joints.items[e->joint];
    double unit = j->kind == WORLD_HINGE ? PI / 180 : 1;
    e->value *= unit;
    if (!(e->value >= j->lower - 1e-9 && e->value <= j->upper + 1e-9))
        ynode_error(to, w->l.list, "`%s` moves between %g and %g", name, j->lower / unit,
                    j->upper / unit);
    read_number(&w->l, n, "over", Q_DURATION, &e->over);
    e->body = (int64_t)j->body;
    e->term = body_term(w, "moved_by_person", e);
}

static void read_add(world_parts *w, const ynode *n, world_event *e) {
    e->kind = EVENT_ADD;
    if (!read_victim(w, n, "add", e))
        return;
    const world_body *b = &w->bodies.items[e->body];
    if (!b->absent)
        ynode_error(n, w->l.list, "`%s` is there already: only what is `absent: true` can be added",
                    b->name);
    e->to = b->at;
    if (ynode_get(n, "to"))
        read_pose(&w->l, ynode_get(n, "to"), "to", Q_PLACE, &e->to);
    e->term = body_term(w, "added", e);
}

static void read_remove(world_parts *w, const ynode *n, world_event *e) {
    e->kind = EVENT_REMOVE;
    if (read_victim(w, n, "remove", e))
        e->term = body_term(w, "removed", e);
}

static const struct {
    const char *key;
    void (*read)(world_parts *w, const ynode *n, world_event *e);
    file_map map;
} actions[] = {
    {"move", read_move, MAP_MOVE}, {"force", read_force, MAP_FORCE},
    {"wet", read_wet, MAP_WET},    {"joint", read_joint, MAP_JOINT_MOVE},
    {"add", read_add, MAP_ADD},    {"remove", read_remove, MAP_REMOVE},
};
#define ACTIONS (sizeof actions / sizeof *actions)

static void read_event(world_parts *w, const ynode *n) {
    world_event e = {.body = -1, .to = POSE_IDENTITY, .over = 1, .term = ""};
    size_t count = 0, which = 0;
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, w->l.list,
                    "an event is a mapping such as { name: N, at: SECONDS, move: { body: B, to: "
                    "[x, y, z] } }");
        return;
    }
    keys_check(n, MAP_EVENT, w->l.list);
    const ynode *name = ynode_get(n, "name");
    if (!name)
        ynode_missing(n, w->l.list, "the event needs a `name`");
    else if (ynode_text(name, "name", &e.name, w->l.list))
        name_check(&w->l, name, "event", e.name);
    for (size_t i = 0; e.name && i < w->events.count; i++)
        if (w->events.items[i].name && strcmp(w->events.items[i].name, e.name) == 0)
            ynode_error(name, w->l.list, "there is an event `%s` already", e.name);
    e.when = read_when(w, n, &e.when_text);
    read_number(&w->l, n, "after", Q_TIME, &e.after);
    for (size_t i = 0; i < ACTIONS; i++)
        if (ynode_get(n, actions[i].key)) {
            count++;
            which = i;
        }
    const ynode *what = ynode_get(n, actions[which].key);
    if (count != 1) {
        ynode_error(n, w->l.list,
                    "an event is exactly one of move, force, wet, joint, add and remove");
    } else if (what->kind != YNODE_MAPPING) {
        ynode_error(what, w->l.list, "`%s` is a mapping", actions[which].key);
    } else {
        keys_check(what, actions[which].map, w->l.list);
        actions[which].read(w, what, &e);
    }
    array_push(&w->events, e);
}

void world_read_events(world_parts *w) {
    const ynode *list = ynode_get(w->l.root, "events");
    if (!list)
        return;
    if (list->kind != YNODE_SEQUENCE) {
        ynode_error(list, w->l.list, "`events` is a list of { name: N, at: SECONDS, ... }");
        return;
    }
    for (size_t i = 0; i < list->count; i++)
        read_event(w, list->items[i]);
}
