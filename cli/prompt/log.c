// cli/prompt/log.c - the log that the prompt asks: the choice of its episodes, and changes of the
// file in the meantime.
#include <string.h>

#include "cli/prompt/names.h"

// ---- Connections

// A session_opener that loads all rules which were read and typed so far.
static foresee *open_episode(void *context, int64_t episode, bool first, int *result) {
    repl *r = context;
    (void)first;
    foresee_options options = r->s->options;
    options.size = sizeof options;
    options.episode = episode;
    foresee *f = NULL;
    int code = foresee_open(r->s->log, &options, &f);
    for (size_t i = 0; code == FORESEE_OK && i < r->watched.count; i++)
        if (r->watched.items[i].given && r->watched.items[i].text)
            code = foresee_load_text(f, r->watched.items[i].path, r->watched.items[i].text);
    for (size_t i = 0; code == FORESEE_OK && i < r->typed.count; i++)
        if (i == 0 || r->typed.items[i].unit != r->typed.items[i - 1].unit)
            code = repl_load_typed(r, r->typed.items[i].unit, NULL, f);
    if (code == FORESEE_OK)
        return f;
    *result = session_failed(f, code);
    foresee_close(f);
    return NULL;
}

// ---- Changes of the log

static log_state state_of(const char *path) {
    log_state now = {0};
    struct stat info;
    char wal[4096];
    now.gone = stat(path, &info) != 0;
    if (!now.gone)
        now.log = repl_state(&info);
    int n = snprintf(wal, sizeof wal, "%s-wal", path);
    if (n > 0 && (size_t)n < sizeof wal && stat(wal, &info) == 0 && info.st_size > 0)
        now.wal = repl_state(&info);
    return now;
}

static bool log_changed(const repl *r, const log_state *now) {
    return now->gone != r->log.gone || !repl_same_state(&now->log, &r->log.log) ||
           !repl_same_state(&now->wal, &r->log.wal);
}

void repl_note_log(repl *r) {
    r->log = state_of(r->s->log);
}

void repl_follow_log(repl *r) {
    session *s = r->s;
    log_state now = state_of(s->log), had = r->log;
    if (!log_changed(r, &now))
        return;
    r->log = now; // the state before reading: changes during it are seen the next time
    if (now.gone) {
        repl_note(r, "%s is gone; what it held is asked still", s->log);
        return;
    }
    bool other = now.log.inode != had.log.inode || now.log.device != had.log.device;
    repl_names_stale(r, true);
    if (session_connect(s, s->wanted, open_episode, r) != EXIT_YES)
        repl_note(r, "%s has changed and cannot be read now; answers are from what it held before",
                  s->log);
    else if (s->many)
        repl_note(r, "%s %s; its %zu episodes are asked", s->log,
                  other ? "is another file now" : "has changed", s->count);
    else
        repl_note(r, "%s %s; episode %lld is asked", s->log,
                  other ? "is another file now" : "has changed", (long long)s->episodes[0]);
}

// ---- Episodes

int repl_choose_episode(repl *r, int64_t episode, const input *in) {
    session *s = r->s;
    repl_names_stale(r, true);
    if (episode < 0)
        return session_connect(s, episode, open_episode, r);
    int code = foresee_choose(s->logs[0], episode);
    if (code != FORESEE_OK) {
        foresee_mistake one;
        bool said = foresee_mistake_at(s->logs[0], 0, &one) != 0;
        repl_wrong(r, in, "%s", said ? one.text : "this episode cannot be asked");
        return session_exit(code);
    }
    for (size_t i = 1; i < s->count; i++)
        foresee_close(s->logs[i]);
    s->count = 1;
    s->many = false;
    s->wanted = episode;
    s->episodes[0] = foresee_episode_chosen(s->logs[0]);
    return EXIT_YES;
}
