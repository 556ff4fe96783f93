// cli/commands/diagnose.c - foresee diagnose: what went wrong, what followed from it, and why.
#include "report/diagnosis/diagnosis.h"

#include <string.h>
#include <unistd.h>

#include "base/files/data.h"
#include "base/files/output.h"
#include "cli/commands/commands.h"
#include "cli/runs/plan_file.h"
#include "schema/store/store.h"

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_HTML };

typedef struct request {
    const arguments *args;
    const diagnose_extras *extras;
    const char *log, *file; // as the user named them
    store *opened;          // the log
    char rules[4096];
    ARRAY(const char *) more; // rule files
    ARRAY(const char *) read; // the log and the rule files
    ARRAY(char *) missing;    // sentences about what the log lacks
    output_policy over;       // what -o may overwrite
    int64_t wanted;           // episode; 0: the last, -1: all
    int format;
    bool color;
    text_buffer out;
    bool flawed, complete;
    int wrong_rules; // exit status for mistakes in the rules; 0: they have none
    error err;
} request;

static bool holds_diagnosis(const void *context, const char *path) {
    (void)context;
    char start[DIAGNOSIS_BEGINNING];
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(start, 1, sizeof start, file) : 0;
    if (file)
        fclose(file);
    return diagnosis_begins(start, n);
}

// Writes to standard output, or to the file of -o.
static status write_out(const request *r, error *err) {
    const output_file file = {r->file, r->out.items, r->out.count, &r->over};
    if (r->file)
        return output_write(&file, 1, true, err);
    fwrite(r->out.items, 1, r->out.count, stdout);
    return OK;
}

static status read_request(request *r) {
    static const char *const formats[] = {"text", "json", "html", NULL};
    const arguments *a = r->args;
    status st = option_episode(a, true, &r->wanted, &r->err);
    if (st == OK)
        st = option_choice(a, "format", formats, &r->format, &r->err);
    if (st == OK && r->format == FORMAT_HTML && r->wanted < 0)
        st = error_set(&r->err, E_USAGE, "--format html shows one episode: give --episode N");
    static const struct {
        const char *flag, *with, *other;
    } belong[] = {{"suspect", "verify", NULL},
                  {"whole", "verify", NULL},
                  {"jobs", "verify", "try"},
                  {"samples", "try", NULL},
                  {"flaw", "try", NULL}};
    for (size_t i = 0; st == OK && i < sizeof belong / sizeof *belong; i++)
        if (arguments_given(a, belong[i].flag) && !arguments_given(a, belong[i].with) &&
            !(belong[i].other && arguments_given(a, belong[i].other)))
            st = error_set(&r->err, E_USAGE, "--%s goes with --%s%s%s", belong[i].flag,
                           belong[i].with, belong[i].other ? " or --" : "",
                           belong[i].other ? belong[i].other : "");
    if (st == OK)
        st = data_folder("predicates", r->rules, sizeof r->rules, &r->err);
    r->log = a->operands.items[0];
    r->file = arguments_value(a, "output");
    r->color = !r->file && isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
    for (size_t i = 0; i < a->options.count; i++)
        if (strcmp(a->options.items[i].flag->name, "rules") == 0)
            array_push(&r->more, a->options.items[i].value);
    array_push(&r->read, r->log);
    for (size_t i = 0; i < r->more.count; i++)
        array_push(&r->read, r->more.items[i]);
    r->over = (output_policy){.what = "diagnosis",
                              .replaces = holds_diagnosis,
                              .inputs = r->read.items,
                              .input_count = r->read.count};
    return st == OK && r->file ? output_check(r->file, &r->over, &r->err) : st;
}

// Keeps the sentences about what the log lacks, being of an earlier version or damaged.
static void keep_missing(request *r, const store *log) {
    size_t count = 0;
    const char *const *missing = store_missing(log, &count);
    for (size_t i = 0; i < count; i++)
        array_push(&r->missing, mem_strdup(missing[i]));
}

// Lists the episodes that are asked for; none, where the log holds none.
static status choose_episodes(request *r, int64_t **ids, size_t *count) {
    status st = store_salvage(r->log, cli_is_stopped, &r->opened, &r->err);
    if (st != OK)
        return st;
    const store *log = r->opened;
    keep_missing(r, log);
    size_t total = 0;
    const store_episode *all = store_episodes(log, &total), *one = NULL;
    bool each = r->wanted < 0 || (total == 0 && r->wanted == 0);
    if (!each)
        st = store_choose(log, r->wanted, &one, &r->err);
    if (st == OK) {
        *count = each ? total : 1;
        *ids = mem_must(*count + 1, sizeof **ids);
        for (size_t i = 0; i < *count; i++)
            (*ids)[i] = each ? all[i].id : one->id;
        const char *note = store_note(log);
        if (note)
            cli_print(stderr, "foresee: note: %s\n", note);
    }
    return st;
}

static status put_diagnosis(request *r, ask *asked, diagnosis *d) {
    r->flawed = r->flawed || diagnosis_count(d) > 0;
    r->complete = r->complete && diagnosis_complete(d);
    if (r->format == FORMAT_HTML)
        return r->extras->html(asked, d, r->rules, &r->out, &r->err);
    if (r->format == FORMAT_JSON)
        diagnosis_json(d, &r->out);
    else
        diagnosis_text(d, r->color, r->file ? 0 : cli_columns(stdout), &r->out);
    return OK;
}

static status diagnose_episode(request *r, int64_t id) {
    errors list = {0};
    ask *asked = NULL;
    diagnosis *d = NULL;
    status st =
        ask_open_on(r->opened, r->log, id, r->rules, r->more.items, r->more.count, &asked, &list);
    if (st != OK) {
        r->wrong_rules = cli_errors(&list);
        return st;
    }
    cli_interrupts_ask(asked);
    st = diagnosis_create(asked, &d, &r->err);
    if (st == OK) {
        for (size_t i = 0; i < diagnosis_notes(d); i++)
            cli_print(stderr, "foresee: note: %s\n", diagnosis_note(d, i));
        diagnosis_name_log(d, r->log);
        diagnosis_name_rules(d, r->more.items, r->more.count);
        if (r->format != FORMAT_JSON && diagnosis_count(d) > 0)
            plan_files_find(d, r->log);
        for (size_t i = 0; i < r->missing.count; i++)
            diagnosis_add_gap(d, "log", r->missing.items[i], true);
        if (arguments_given(r->args, "verify"))
            st = r->extras->verify(r->args, asked, d, r->rules, r->more.items, r->more.count,
                                   &r->err);
        if (st == OK && arguments_given(r->args, "try"))
            st = r->extras->try(r->args, r->log, id, d, &r->err);
    }
    if (st == OK) {
        cli_interrupts_ask(asked);
        st = put_diagnosis(r, asked, d);
        // A page leaves out what could not be answered; but an interrupted page is no page.
        if (st == OK && cli_stopped && r->format == FORMAT_HTML)
            st = error_set(&r->err, E_INTERRUPTED, "the diagnosis was interrupted");
    }
    cli_interrupts_ask(NULL);
    diagnosis_destroy(d);
    ask_close(asked);
    return st;
}

static status diagnose_all(request *r, const int64_t *ids, size_t count) {
    bool list = r->format == FORMAT_JSON && r->wanted < 0;
    status st = OK;
    text_put(&r->out, list ? "[" : "");
    for (size_t i = 0; st == OK && i < count; i++) {
        text_put(&r->out, i == 0 ? "" : r->format == FORMAT_JSON ? "," : "\n");
        st = diagnose_episode(r, ids[i]);
    }
    if (count == 0) {
        diagnosis *d = diagnosis_of_nothing(r->log);
        st = put_diagnosis(r, NULL, d);
        diagnosis_destroy(d);
    }
    text_put(&r->out, list ? "]\n" : "");
    return st;
}

int command_diagnose(const arguments *a, const diagnose_extras *extras) {
    if (a->operands.count != 1)
        return cli_usage(a, "diagnose needs one log, %zu were given", a->operands.count);
    request r = {.args = a, .extras = extras, .complete = true};
    int64_t *ids = NULL;
    size_t count = 0;
    status st = read_request(&r);
    if (st == OK)
        st = choose_episodes(&r, &ids, &count);
    if (st == OK)
        st = diagnose_all(&r, ids, count);
    if (st == OK)
        st = write_out(&r, &r.err);
    store_close(r.opened);
    text_finish(&r.out);
    array_finish(&r.more);
    array_finish(&r.read);
    for (size_t i = 0; i < r.missing.count; i++)
        free(r.missing.items[i]);
    array_finish(&r.missing);
    free(ids);
    if (r.wrong_rules)
        return r.wrong_rules;
    if (st != OK)
        return cli_error(&r.err);
    return r.flawed ? EXIT_NO : r.complete ? EXIT_YES : EXIT_NONE;
}
