// cli/commands/view.c - foresee view: an episode as a page that plays it.
#include <string.h>

#include "base/files/data.h"
#include "base/files/output.h"
#include "cli/commands/commands.h"
#include "cli/commands/episode_name.h"
#include "cli/runs/plan_file.h"
#include "cli/runs/shipped.h"
#include "report/page/html.h"

enum { EPISODES_MAX = 2 };

typedef struct viewing {
    char *logs[EPISODES_MAX];
    int64_t ids[EPISODES_MAX];
    html_episode episodes[EPISODES_MAX];
    size_t count;
} viewing;

static bool holds_page(const void *context, const char *path) {
    (void)context;
    return output_begins(path, "<!DOCTYPE html>", 15);
}

static status open_episode(viewing *v, size_t i, error *err) {
    html_episode *e = &v->episodes[i];
    status st = shipped_ask(v->logs[i], v->ids[i], &e->ask, err);
    if (st != OK)
        return st;
    cli_interrupts_ask(e->ask);
    st = diagnosis_create(e->ask, &e->d, err);
    cli_interrupts_ask(NULL);
    if (st != OK)
        return st;
    diagnosis_name_log(e->d, v->logs[i]);
    plan_files_find(e->d, v->logs[i]);
    return OK;
}

// Returns the name of the page that is written without -o: LOG-EPISODE.html in this folder.
static char *page_name(const viewing *v) {
    const char *slash = strrchr(v->logs[0], '/'), *name = slash ? slash + 1 : v->logs[0];
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".db") == 0)
        length -= 3;
    text_buffer b = {0};
    text_add(&b, "%.*s-%lld.html", (int)length, name,
             (long long)ask_episode(v->episodes[0].ask)->id);
    return text_take(&b);
}

static status write_page(const arguments *a, viewing *v, error *err) {
    char rules[4096];
    text_buffer page = {0};
    const output_policy over = {.what = "page",
                                .replaces = holds_page,
                                .inputs = (const char *const *)v->logs,
                                .input_count = v->count};
    const char *given = arguments_value(a, "output");
    char *own = given ? NULL : page_name(v);
    const output_file file = {given ? given : own, NULL, 0, &over};
    status st = output_check(file.path, &over, err);
    if (st == OK)
        st = data_folder("predicates", rules, sizeof rules, err);
    cli_interrupts_ask(v->episodes[0].ask);
    if (st == OK)
        st = html_view(v->episodes, v->count, rules, &page, err);
    cli_interrupts_ask(NULL);
    if (st == OK && cli_stopped)
        st = error_set(err, E_INTERRUPTED, "the page was interrupted");
    if (st == OK) {
        const output_file whole = {file.path, page.items, page.count, &over};
        st = output_write(&whole, 1, true, err);
    }
    if (st == OK && !given)
        cli_print(stderr, "foresee: the page is %s; open it in a browser\n", own);
    text_finish(&page);
    free(own);
    return st;
}

int command_view(const arguments *a) {
    if (a->operands.count != 1)
        return cli_usage(a, "view needs one log, %zu were given", a->operands.count);
    viewing v = {.count = 1};
    error err = {0};
    const char *beside = arguments_value(a, "beside");
    v.logs[0] = episode_name_read(a->operands.items[0], &v.ids[0]);
    if (beside)
        v.logs[v.count++] = episode_name_read(beside, &v.ids[1]);
    int64_t named = 0;
    status st = option_episode(a, false, &named, &err);
    if (st == OK && named)
        v.ids[0] = named;
    for (size_t i = 0; st == OK && i < v.count; i++)
        st = open_episode(&v, i, &err);
    if (st == OK)
        st = write_page(a, &v, &err);
    for (size_t i = 0; i < v.count; i++) {
        diagnosis_destroy(v.episodes[i].d);
        ask_close(v.episodes[i].ask);
        free(v.logs[i]);
    }
    return st == OK ? EXIT_YES : cli_error(&err);
}
