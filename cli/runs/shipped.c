// cli/runs/shipped.c - opens and diagnoses logs with the shipped rules, and others beside them.
#include "cli/runs/shipped.h"

#include "base/files/data.h"
#include "cli/limits.h"

static status ask_with(const char *log, int64_t episode, const char *const *more, size_t count,
                       ask **out, error *err) {
    char rules[4096];
    errors list = {0};
    status st = data_folder("predicates", rules, sizeof rules, err);
    if (st != OK)
        return st;
    st = ask_open(log, episode, rules, more, count, out, &list);
    if (st != OK && list.count && err)
        *err = list.items[0];
    errors_finish(&list);
    return st;
}

status shipped_ask(const char *log, int64_t episode, ask **out, error *err) {
    return ask_with(log, episode, NULL, 0, out, err);
}

status shipped_diagnose(const char *log, int64_t episode, const char *const *more, size_t count,
                        diagnosis **out, error *err) {
    ask *asked = NULL;
    status st = ask_with(log, episode, more, count, &asked, err);
    if (st != OK)
        return st;
    cli_interrupts_ask(asked);
    st = diagnosis_create(asked, out, err);
    cli_interrupts_ask(NULL);
    ask_close(asked);
    return st;
}
