// plans/tree/tree.c - access to the parts of a loaded plan.
#include "plans/tree/tree_int.h"

void plan_destroy(plan *p) {
    if (!p)
        return;
    for (size_t i = 0; i < p->members.count; i++)
        array_finish(&p->members.items[i].is.set);
    array_finish(&p->members);
    array_finish(&p->links);
    array_finish(&p->set);
    array_finish(&p->params);
    array_finish(&p->files);
    array_finish(&p->sources);
    array_finish(&p->routines);
    array_finish(&p->texts);
    arena_destroy(p->arena);
}

const char *plan_name(const plan *p) {
    return p->name;
}
const char *plan_world(const plan *p) {
    return p->world;
}
const char *plan_robot(const plan *p) {
    return p->robot;
}
size_t plan_member_count(const plan *p) {
    return p->members.count;
}
const plan_member *plan_member_at(const plan *p, size_t i) {
    return &p->members.items[i].is;
}
size_t plan_find_member(const plan *p, const char *name) {
    for (size_t i = 0; i < p->members.count; i++)
        if (strcmp(p->members.items[i].is.name, name) == 0)
            return i;
    return PLAN_NO_MEMBER;
}
bool plan_shares(const plan *p) {
    return p->shares;
}
static const struct {
    const char *name, *what;
} COUPLINGS[] = {
#define COUPLING(name, what) {#name, what},
#include "plans/couplings.def"
#undef COUPLING
};

const char *coupling_name(coupling_kind kind) {
    return COUPLINGS[kind].name;
}
const char *coupling_words(coupling_kind kind) {
    return COUPLINGS[kind].what;
}
bool coupling_find(const char *name, coupling_kind *out) {
    for (int k = 0; k < COUPLING_COUNT; k++)
        if (strcmp(name, COUPLINGS[k].name) == 0) {
            *out = (coupling_kind)k;
            return true;
        }
    return false;
}

const plan_coupling *plan_coupled(const plan *p) {
    return p->coupled ? &p->coupling : NULL;
}
size_t plan_link_count(const plan *p) {
    return p->links.count;
}
const plan_link *plan_link_at(const plan *p, size_t i) {
    return &p->links.items[i];
}
const settings *plan_settings(const plan *p) {
    return &p->set;
}
const parameters *plan_parameters(const plan *p) {
    return &p->params;
}
size_t plan_source_count(const plan *p) {
    return p->sources.count;
}
const plan_source *plan_source_at(const plan *p, size_t i) {
    return &p->sources.items[i];
}
size_t plan_step_text_count(const plan *p) {
    return p->texts.count;
}
const plan_step_text *plan_step_text_at(const plan *p, size_t i) {
    return &p->texts.items[i];
}
const term *plan_goal(const plan *p) {
    return p->goal;
}
const plan_node *plan_body(const plan *p) {
    return p->body;
}
size_t plan_routine_count(const plan *p) {
    return p->routines.count;
}
const plan_routine *plan_routine_at(const plan *p, size_t i) {
    return &p->routines.items[i];
}

static bool has_steps_of_one(const plan_node *n) {
    bool has = n->as != NULL;
    for (size_t i = 0; !has && i < n->child_count; i++)
        has = has_steps_of_one(n->children[i]);
    return has;
}

bool plan_is_divided(const plan *p) {
    return p->body && has_steps_of_one(p->body);
}
