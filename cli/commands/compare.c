// cli/commands/compare.c - foresee compare: how far episodes of lower fidelity are from full ones.
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/commands/episode_name.h"
#include "cli/runs/shipped.h"
#include "report/compare/compare.h"

enum { FORMAT_TEXT, FORMAT_JSON };

// One episode of a log, diagnosed.
typedef struct side {
    ask *asked;
    diagnosis *flaws;
} side;

static status open_side(const char *log, int64_t episode, side *out, error *err) {
    status st = shipped_ask(log, episode, &out->asked, err);
    if (st != OK)
        return st;
    cli_interrupts_ask(out->asked);
    st = diagnosis_create(out->asked, &out->flaws, err);
    cli_interrupts_ask(NULL);
    return st;
}

static void close_side(side *s) {
    diagnosis_destroy(s->flaws);
    ask_close(s->asked);
    *s = (side){0};
}

static status compare_pair(const char *full, int64_t full_episode, const char *other,
                           int64_t other_episode, comparison *c, error *err) {
    side a = {0}, b = {0};
    status st = open_side(full, full_episode, &a, err);
    if (st == OK)
        st = open_side(other, other_episode, &b, err);
    if (st == OK)
        st = compare_add(c, a.asked, a.flaws, b.asked, b.flaws, err);
    close_side(&a);
    close_side(&b);
    return st;
}

typedef struct episode_key {
    int64_t id, seed;
    char *plan;
} episode_key;
typedef ARRAY(episode_key) episode_keys;

static status read_episodes(const char *log, int64_t wanted, episode_keys *out, error *err) {
    store *s = NULL;
    status st = store_open(log, &s, err);
    size_t count = 0;
    const store_episode *all = st == OK ? store_episodes(s, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        const store_episode *e = &all[i];
        if (wanted && e->id != wanted)
            continue;
        episode_key k = {e->id, e->seed, strdup(e->plan ? e->plan : "")};
        array_push(out, k);
    }
    store_close(s);
    return st;
}

static void finish_episodes(episode_keys *all) {
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i].plan);
    array_finish(all);
}

// Compares the last episode of each plan and seed that both logs have.
static status compare_logs(const char *full_name, const char *other_name, comparison *c,
                           error *err) {
    episode_keys full = {0}, other = {0};
    int64_t wanted[2];
    char *logs[2] = {episode_name_read(full_name, &wanted[0]),
                     episode_name_read(other_name, &wanted[1])};
    status st = read_episodes(logs[0], wanted[0], &full, err);
    if (st == OK)
        st = read_episodes(logs[1], wanted[1], &other, err);
    for (size_t i = 0; st == OK && i < full.count; i++) {
        const episode_key *a = &full.items[i], *b = NULL;
        for (size_t k = 0; k < other.count; k++)
            if (other.items[k].seed == a->seed && strcmp(other.items[k].plan, a->plan) == 0)
                b = &other.items[k];
        if (b)
            st = compare_pair(logs[0], a->id, logs[1], b->id, c, err);
    }
    if (st == OK && c->pairs == 0)
        st = error_at(err, E_INPUT, logs[1], 0, 0,
                      "no episode has the plan and the seed of one in %s", logs[0]);
    finish_episodes(&full);
    finish_episodes(&other);
    free(logs[0]);
    free(logs[1]);
    return st;
}

int command_compare(const arguments *a) {
    static const char *const formats[] = {"text", "json", NULL};
    if (a->operands.count != 2)
        return cli_usage(a,
                         "compare needs a log at full fidelity and one to compare, %zu were given",
                         a->operands.count);
    comparison c = {0}, floor = {0};
    const char *nudged = arguments_value(a, "floor");
    int format = FORMAT_TEXT;
    error err = {0};
    text_buffer out = {0};
    status st = option_choice(a, "format", formats, &format, &err);
    if (st == OK)
        st = compare_logs(a->operands.items[0], a->operands.items[1], &c, &err);
    if (st == OK && nudged)
        st = compare_logs(a->operands.items[0], nudged, &floor, &err);
    if (st != OK)
        return cli_error(&err);
    if (format == FORMAT_JSON)
        compare_json(&c, nudged ? &floor : NULL, &out);
    else
        compare_text(&c, nudged ? &floor : NULL, &out);
    cli_show(stdout, text_string(&out), out.count);
    text_finish(&out);
    return compare_alike(&c) ? EXIT_YES : EXIT_NO;
}
