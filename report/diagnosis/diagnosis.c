// report/diagnosis/diagnosis.c - makes a diagnosis, and gives access to it.
#include "report/diagnosis/diagnosis.h"

#include "base/symtab.h"
#include "report/diagnosis/collect.h"

static diagnosis *diagnosis_empty(const char *log) {
    diagnosis *d = mem_must(1, sizeof *d);
    d->arena = arena_create();
    d->objects = symtab_create();
    d->named = symtab_create();
    d->log = arena_strdup(d->arena, log);
    d->outcome = "incomplete";
    return d;
}

status diagnosis_create(ask *a, diagnosis **out, error *err) {
    const store_episode *e = ask_episode(a);
    diagnosis *d = diagnosis_empty(ask_log(a));
    d->episode = e->id;
    d->seed = e->seed;
    d->end = e->end;
    d->complete = e->complete;
    d->plan = e->plan ? arena_strdup(d->arena, e->plan) : NULL;
    if (e->outcome)
        d->outcome = arena_strdup(d->arena, e->outcome);
    collector c = {.ask = a, .d = d, .err = err, .scratch = arena_create()};
    bool held = store_hold(ask_store(a));
    status st = collect_objects(&c);
    if (st == OK)
        st = collect_sources(&c);
    if (st == OK)
        st = collect_flaws(&c);
    if (st == OK)
        st = gaps_collect(a, d, err);
    store_let_go(ask_store(a), held);
    arena_destroy(c.scratch);
    if (st != OK) {
        diagnosis_destroy(d);
        return st;
    }
    *out = d;
    return OK;
}

diagnosis *diagnosis_of_nothing(const char *log) {
    diagnosis *d = diagnosis_empty(log);
    diagnosis_add_gap(d, "log",
                      "the log holds no episode: nothing was projected into it, or "
                      "nothing of it was committed; whether the plan has a flaw is not "
                      "known",
                      true);
    return d;
}

void diagnosis_destroy(diagnosis *d) {
    if (!d)
        return;
    array_finish(&d->flaws);
    array_finish(&d->gaps);
    array_finish(&d->notes);
    array_finish(&d->sources);
    array_finish(&d->plans);
    array_finish(&d->units);
    symtab_destroy(d->objects);
    symtab_destroy(d->named);
    arena_destroy(d->arena);
    free(d);
}

size_t diagnosis_count(const diagnosis *d) {
    return d->flaws.count;
}
const flaw *diagnosis_flaw(const diagnosis *d, size_t i) {
    return &d->flaws.items[i];
}
void diagnosis_sentence(const diagnosis *d, const flaw *f, text_buffer *out) {
    words_sentence(d, f, out);
}
bool diagnosis_complete(const diagnosis *d) {
    return d->complete;
}

size_t diagnosis_notes(const diagnosis *d) {
    return d->notes.count;
}
const char *diagnosis_note(const diagnosis *d, size_t i) {
    return d->notes.items[i];
}

void diagnosis_name_log(diagnosis *d, const char *log) {
    d->log = arena_strdup(d->arena, log);
}

void diagnosis_name_rules(diagnosis *d, const char *const *files, size_t count) {
    d->rules = arena_alloc(d->arena, (count + 1) * sizeof *d->rules);
    for (d->rule_count = 0; d->rule_count < count; d->rule_count++)
        d->rules[d->rule_count] = arena_strdup(d->arena, files[d->rule_count]);
}

size_t diagnosis_plan_count(const diagnosis *d) {
    return d->plans.count;
}

const char *diagnosis_plan_name(const diagnosis *d, size_t i, const char **text) {
    *text = d->plans.items[i].text;
    return d->plans.items[i].name;
}

void diagnosis_find_plan(diagnosis *d, size_t i, const char *file, bool changed) {
    d->plans.items[i].file = arena_strdup(d->arena, file);
    d->plans.items[i].changed = changed;
}

static size_t find_in(const char *text, size_t length, const char *what) {
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= length; i++)
        if (memcmp(text + i, what, n) == 0)
            return i;
    return length;
}

// Returns whether a line begins a diagnosis as text: "PLAN, seed 3, episode 1: ..." for an episode,
// "LOG: no episode" for a log without one.
static bool is_heading(const char *line, size_t length) {
    static const char *const before[] = {", seed ", ", episode "};
    size_t at = 0;
    for (int i = 0; i < 2; i++) {
        size_t found = find_in(line + at, length - at, before[i]);
        if (i > 0 && found > 0)
            return false;
        at += found;
        if (at == length)
            return false;
        at += strlen(before[i]);
        while (at < length && (line[at] == '-' || (line[at] >= '0' && line[at] <= '9')))
            at++;
    }
    return at < length && line[at] == ':';
}

bool diagnosis_begins(const char *text, size_t length) {
    static const char json[] = "{ \"foresee\": \"", page[] = "<!DOCTYPE html>\n",
                      title[] = ": what went wrong, and why</title>", none[] = ": no episode";
    size_t line = find_in(text, length, "\n"), list = length > 0 && text[0] == '[';
    if (length > list && find_in(text + list, length - list, json) == 0)
        return true;
    if (length > 0 && find_in(text, length, page) == 0)
        return find_in(text, length, title) < length;
    return is_heading(text, line) || find_in(text, line, none) + strlen(none) == line;
}

static const char *keep_text(arena *a, const char *text) {
    return text ? arena_strdup(a, text) : NULL;
}

void diagnosis_judge(diagnosis *d, size_t i, const char *verdict, const flaw_verification *v) {
    flaw *f = &d->flaws.items[i];
    f->verdict = arena_strdup(d->arena, verdict);
    f->verification = NULL;
    if (!v)
        return;
    flaw_verification *copy = arena_alloc(d->arena, sizeof *copy);
    *copy = *v;
    copy->change = keep_text(d->arena, v->change);
    copy->stream = keep_text(d->arena, v->stream);
    copy->note = keep_text(d->arena, v->note);
    f->verification = copy;
}

void diagnosis_try(diagnosis *d, size_t i, size_t k, const flaw_trial *t) {
    flaw *f = &d->flaws.items[i];
    flaw_suggestion *all = arena_alloc(d->arena, f->suggest_count * sizeof *all);
    flaw_trial *copy = arena_alloc(d->arena, sizeof *copy);
    for (size_t n = 0; n < f->suggest_count; n++)
        all[n] = f->suggests[n];
    *copy = *t;
    copy->instead = keep_text(d->arena, t->instead);
    copy->instead_path = keep_text(d->arena, t->instead_path);
    copy->impossible = keep_text(d->arena, t->impossible);
    all[k].trial = copy;
    f->suggests = all;
}
