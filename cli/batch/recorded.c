// cli/batch/recorded.c - finds the samples of a batch among the episodes of its log.
#include "cli/batch/recorded.h"

#include <errno.h>
#include <sys/stat.h>

// Returns whether nothing of the episode is missing: it ended by itself, diverged, or was cut where
// this batch cuts.
static bool is_whole(const candidates *c, const store_episode *e) {
    nanos until = c->how.until;
    if (e->complete || strcmp(e->outcome, "invalid") == 0)
        return until == TIME_OPEN || e->end <= until + c->how.cycle;
    return strcmp(e->outcome, "incomplete") == 0 && until != TIME_OPEN && e->end >= until;
}

static bool is_wanted(const store_episode *e, int64_t first_seed, int64_t seeds) {
    return e->seed >= first_seed && e->seed - first_seed < seeds;
}

static status claim(const candidates *c, int64_t first_seed, int64_t seeds, const store *log,
                    const char *path, bool *claimed, int64_t *episodes, error *err) {
    size_t count;
    const store_episode *all = store_episodes(log, &count);
    status st = OK;
    for (size_t i = 0; i < count && st == OK; i++) {
        uint64_t key = 0;
        if (!is_wanted(&all[i], first_seed, seeds) || !is_whole(c, &all[i]))
            continue;
        st = episode_key(store_db(log), path, &all[i], &key, err);
        for (size_t k = 0; k < c->count && st == OK && !claimed[i]; k++) {
            int64_t *mine = &episodes[(size_t)(all[i].seed - first_seed) * c->count + k];
            if (*mine || !candidate_is_named(&c->items[k], all[i].plan) ||
                candidates_key(c, k, all[i].seed) != key)
                continue;
            *mine = all[i].id;
            claimed[i] = true;
        }
    }
    return st;
}

// An episode that no sample claims, in the place of one that is missing, is of something else.
static status find_other(const candidates *c, int64_t first_seed, int64_t seeds, const store *log,
                         const char *path, const bool *claimed, const int64_t *episodes,
                         error *err) {
    size_t count;
    const store_episode *all = store_episodes(log, &count);
    for (size_t i = 0; i < count; i++) {
        if (claimed[i] || !is_wanted(&all[i], first_seed, seeds) || !is_whole(c, &all[i]))
            continue;
        for (size_t k = 0; k < c->count; k++) {
            if (episodes[(size_t)(all[i].seed - first_seed) * c->count + k] ||
                !candidate_is_named(&c->items[k], all[i].plan))
                continue;
            arena *memory = arena_create();
            const char *why = candidates_difference(c, k, store_db(log), &all[i], memory);
            status st =
                error_at(err, E_INPUT, path, 0, 0,
                         "episode %lld is another %s with seed %lld: %s; resume with what "
                         "the log was made from, or name another log with -o",
                         (long long)all[i].id, c->items[k].path, (long long)all[i].seed, why);
            arena_destroy(memory);
            return st;
        }
    }
    return OK;
}

status recorded_find(const candidates *c, int64_t first_seed, int64_t seeds, const char *path,
                     bool strict, int64_t *episodes, error *err) {
    struct stat there;
    store *log = NULL;
    if (stat(path, &there) != 0 && errno == ENOENT)
        return OK;
    status st = store_open(path, &log, err);
    if (st != OK)
        return st;
    size_t count;
    store_episodes(log, &count);
    bool *claimed = mem_must(count + 1, sizeof *claimed);
    st = claim(c, first_seed, seeds, log, path, claimed, episodes, err);
    if (st == OK && strict)
        st = find_other(c, first_seed, seeds, log, path, claimed, episodes, err);
    free(claimed);
    store_close(log);
    return st;
}
