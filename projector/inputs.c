// projector/inputs.c - what a projection is made from: see inputs.h.
#include "projector/inputs.h"

static bool plan_has(const plan *p, const char *name) {
    for (size_t i = 0; i < plan_source_count(p); i++)
        if (strcmp(plan_source_at(p, i)->name, name) == 0)
            return true;
    return false;
}

static bool robot_has(const robot_model *r, const char *name) {
    for (size_t i = 0; i < r->source_count; i++)
        if (strcmp(r->sources[i].name, name) == 0)
            return true;
    return false;
}

static bool read_before(const projection_inputs *in, size_t member, bool of_plan,
                        const char *name) {
    for (size_t k = 0; k < member; k++)
        if (of_plan ? plan_has(in->members[k].plan, name)
                    : robot_has(in->members[k].robot.robot, name))
            return true;
    return false;
}

bool input_file_at(const projection_inputs *in, size_t i, input_file *out) {
    for (size_t k = 0; k < in->count; k++) {
        const plan *p = in->members[k].plan;
        for (size_t n = 0; n < plan_source_count(p); n++) {
            const plan_source *s = plan_source_at(p, n);
            if (read_before(in, k, true, s->name) || i-- > 0)
                continue;
            *out = (input_file){s->kind, s->name, s->text};
            return true;
        }
    }
    const world_model *w = in->world;
    if (i < w->source_count) {
        *out = (input_file){w->sources[i].kind, w->sources[i].name, w->sources[i].text};
        return true;
    }
    i -= w->source_count;
    for (size_t k = 0; k < in->count; k++) {
        const robot_model *r = in->members[k].robot.robot;
        for (size_t n = 0; n < r->source_count; n++) {
            const world_source *s = &r->sources[n];
            if (read_before(in, k, false, s->name) || i-- > 0)
                continue;
            *out = (input_file){s->kind, s->name, s->text};
            return true;
        }
    }
    if (in->recording && i == 0)
        *out = (input_file){RECORDING_SOURCE, in->recording->file, in->recording->hash};
    return in->recording && i == 0;
}

bool input_scope_at(const projection_inputs *in, size_t i, input_scope *out) {
    bool several = in->count > 1;
    size_t member = i < in->count ? i : i - in->count - 1;
    if (i > 2 * in->count)
        return false;
    if (i == in->count) {
        *out = (input_scope){"world", "", "world", &in->world->params};
        return true;
    }
    const projection_member *m = &in->members[member];
    bool of_plan = i < in->count;
    const char *of = of_plan ? "plan" : "robot";
    *out = (input_scope){.scope = several ? m->robot.name : of,
                         .prefix = !several  ? ""
                                   : of_plan ? "plan."
                                             : "robot.",
                         .of = of,
                         .all = of_plan ? plan_parameters(m->plan) : &m->robot.robot->params};
    return true;
}

channel_traits projection_link_between(const projection_inputs *in, size_t i, size_t k) {
    for (size_t n = 0; n < in->link_count; n++) {
        const projection_link *l = &in->links[n];
        if ((l->a == i && l->b == k) || (l->a == k && l->b == i))
            return l->traits;
    }
    return (channel_traits){0};
}

rng_key projection_link_key(const projection_inputs *in, size_t from, size_t to, uint64_t seed) {
    rng_key key = rng_key_make(seed, "link", in->members[from].robot.name);
    return rng_key_extend(key, in->members[to].robot.name);
}
