// cli/diagnose.c - foresee diagnose: what went wrong, what followed from it, and why.
#include "report/diagnose.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/data.h"
#include "cli/cli.h"
#include "schema/store.h"

// Standard output, or the file of -o.
static status write_out(const char *path, const text_buffer *out, error *err) {
    if (!path) {
        fwrite(out->items, 1, out->count, stdout);
        return OK;
    }
    char start[16] = "";
    FILE *file = fopen(path, "r");
    if (file) {
        size_t n = fread(start, 1, sizeof start - 1, file);
        fclose(file);
        if (n >= 15 && memcmp(start, "SQLite format 3", 15) == 0)
            return error_at(err, E_INPUT, path, 0, 0,
                            "this is a database; a diagnosis is not written over it");
    }
    file = fopen(path, "w");
    if (!file)
        return error_at(err, E_INPUT, path, 0, 0, "cannot be written: %s", strerror(errno));
    size_t written = fwrite(out->items, 1, out->count, file);
    if (fclose(file) != 0 || written != out->count)
        return error_at(err, E_FULL, path, 0, 0, "cannot be written: %s", strerror(errno));
    return OK;
}

// Numbers of the episodes that are asked for.
static status choose_episodes(const char *path, int64_t wanted, int64_t **ids, size_t *count,
                              error *err) {
    store *log = NULL;
    status st = store_open(path, &log, err);
    if (st != OK)
        return st;
    size_t total = 0;
    const store_episode *all = store_episodes(log, &total), *one = NULL;
    if (wanted >= 0)
        st = store_choose(log, wanted, &one, err);
    if (st == OK) {
        *count = wanted < 0 ? total : 1;
        *ids = mem_must(*count + 1, sizeof **ids);
        for (size_t i = 0; i < *count; i++)
            (*ids)[i] = wanted < 0 ? all[i].id : one->id;
        const char *note = store_note(log);
        if (note)
            fprintf(stderr, "foresee: note: %s\n", note);
    }
    store_close(log);
    return st;
}

int command_diagnose(const arguments *a) {
    static const char *const formats[] = {"text", "json", NULL};
    if (a->operands.count != 1)
        return cli_usage(a, "diagnose needs one log, %zu were given", a->operands.count);
    int64_t wanted = 0;
    int format = 0;
    error err = {0};
    char rules[4096];
    if (option_episode(a, true, &wanted, &err) != OK ||
        option_choice(a, "format", formats, &format, &err) != OK ||
        data_folder("predicates", rules, sizeof rules, &err) != OK)
        return cli_error(&err);
    const char *log = a->operands.items[0], *file = arguments_value(a, "output");
    ARRAY(const char *) more = {0};
    for (size_t i = 0; i < a->options.count; i++)
        if (strcmp(a->options.items[i].flag->name, "rules") == 0)
            array_push(&more, a->options.items[i].value);
    int64_t *ids = NULL;
    size_t count = 0;
    text_buffer out = {0};
    bool color = !file && isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), flawed = false,
         complete = true;
    int wrong_rules = 0;
    status st = choose_episodes(log, wanted, &ids, &count, &err);
    if (st == OK && count == 0)
        st = error_at(&err, E_INPUT, log, 0, 0, "the log holds no episode");
    if (st == OK && format == 1 && wanted < 0)
        text_put(&out, "[");
    for (size_t i = 0; st == OK && i < count; i++) {
        diagnosis *d = NULL;
        errors list = {0};
        ask *asked = NULL;
        st = ask_open(log, ids[i], rules, more.items, more.count, &asked, &list);
        if (st != OK)
            wrong_rules = cli_errors(&list);
        if (st == OK) {
            cli_interrupts_ask(asked);
            st = diagnosis_make(asked, &d, &err);
            cli_interrupts_ask(NULL);
            ask_close(asked);
        }
        if (st != OK)
            break;
        if (i > 0)
            text_put(&out, format == 1 ? "," : "\n");
        if (format == 1)
            diagnosis_json(d, &out);
        else
            diagnosis_text(d, color, &out);
        flawed = flawed || diagnosis_count(d) > 0;
        complete = complete && diagnosis_complete(d);
        diagnosis_free(d);
    }
    if (st == OK && format == 1 && wanted < 0)
        text_put(&out, "]\n");
    if (st == OK)
        st = write_out(file, &out, &err);
    array_finish(&out);
    array_finish(&more);
    free(ids);
    if (wrong_rules)
        return wrong_rules;
    if (st != OK)
        return cli_error(&err);
    return flawed ? EXIT_NO : complete ? EXIT_YES : EXIT_NONE;
}
